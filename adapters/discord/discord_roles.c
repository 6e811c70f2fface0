/*
 * Discord: roles that the host gives and takes (D "Add Guild Member Role",
 * "Remove Guild Member Role").  Both succeed where there is nothing to change.
 */
#include "adapters/discord/discord_inner.h"

struct giving {
    enum {
        ROLES_BEGIN,
        ROLES_LIST,
        ROLES_GIVE,
        ROLES_TAKE
    } step;
    uint64_t guild;
    uint64_t take; /* 0: none, or it is gone */
};

/* The role of that name or id; 0: there is none. */
static uint64_t
find_role(json_object *roles, const char *meant)
{
    uint64_t found = 0;
    size_t count = json_object_is_type(roles, json_type_array)
                       ? json_object_array_length(roles)
                       : 0;

    for (size_t i = 0; *meant != '\0' && found == 0 && i < count; i++) {
        json_object *role = json_object_array_get_idx(roles, i);

        if (is_role(role, meant)) {
            (void)parse_snowflake(role, "id", &found);
        }
    }
    return found;
}

static enum advance
ask_role(struct exchange *exchange, struct giving *giving, const char *method,
         uint64_t role)
{
    ask_guild(exchange, method, giving->guild, "/members");
    ask_part(exchange, exchange->op->user);
    buf_add_text(&exchange->out->request.url, "/roles");
    ask_id(exchange, role);
    limit_by(exchange, "roles", giving->guild, 0);
    return ADVANCE_REQUEST;
}

static enum advance
take_away(struct exchange *exchange, struct giving *giving)
{
    giving->step = ROLES_TAKE;
    return giving->take == 0
               ? ADVANCE_DONE
               : ask_role(exchange, giving, "DELETE", giving->take);
}

static enum advance
take_list(struct exchange *exchange, struct giving *giving)
{
    const struct op *op = exchange->op;

    if (!is_success(exchange)) {
        return discord_lacking(exchange);
    }
    uint64_t give = find_role(exchange->value, op->text);

    giving->take = find_role(exchange->value, op->others);
    if (give == 0 && *op->text != '\0') {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: no role there is \"%s\": write its name, or "
                            "its id",
                            exchange->service->name, op->text);
    }
    giving->step = ROLES_GIVE;
    return give == 0 ? take_away(exchange, giving)
                     : ask_role(exchange, giving, "PUT", give);
}

enum advance
discord_roles(struct exchange *exchange)
{
    struct giving *giving = exchange_memory(exchange, sizeof(*giving));
    struct channel_id where = {0, 0};
    int64_t code = 0;

    switch (giving->step) {
    case ROLES_BEGIN:
        if (!exchange_channel(exchange, &where)) {
            return ADVANCE_FAILED;
        }
        giving->guild = where.guild;
        giving->step = ROLES_LIST;
        ask_guild(exchange, "GET", where.guild, "/roles");
        limit_by(exchange, "guild", where.guild, 0);
        return ADVANCE_REQUEST;
    case ROLES_LIST:
        return take_list(exchange, giving);
    case ROLES_GIVE:
    case ROLES_TAKE:
        break;
    }
    code = refusal_code(exchange);
    if (code == CODE_UNKNOWN_MEMBER ||
        (code == CODE_UNKNOWN_ROLE && giving->step == ROLES_TAKE)) {
        return ADVANCE_DONE;
    }
    if (reply_err(exchange->reply) != ERR_NONE) {
        return discord_lacking(exchange);
    }
    return giving->step == ROLES_GIVE ? take_away(exchange, giving)
                                      : ADVANCE_DONE;
}
