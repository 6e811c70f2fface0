/*
 * Matrix: a person whom the operator has named.
 *
 * An id is looked up as a profile.  A name is tried as an account of the host's
 * own server, then as a name that is shown (the server's directory of users):
 * the id has to be configured, for names are not unique.
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define PROFILE   "/_matrix/client/v3/profile"
#define DIRECTORY "/_matrix/client/v3/user_directory/search"

enum user_step {
    USER_BEGIN,
    USER_ID,    /* is there an account of that id? */
    USER_OWN,   /* or one of that name on the host's own server? */
    USER_SHOWN, /* or somebody with that display name? */
};

struct looking {
    enum user_step step;
    char id[ADAPTER_ID_MAX + 1];
};

static enum advance
ask_profile(struct exchange *exchange, struct looking *looking,
            enum user_step step, const char *id)
{
    looking->step = step;
    memcpy(looking->id, id, strlen(id) + 1);
    ask(exchange, "GET", PROFILE);
    ask_part(exchange, id);
    return ADVANCE_REQUEST;
}

static enum advance
ask_directory(struct exchange *exchange, struct looking *looking)
{
    looking->step = USER_SHOWN;
    ask(exchange, "POST", DIRECTORY);
    ask_text(exchange, "search_term", exchange->op->text);
    ask_json(exchange, "limit", "50");
    ask_end(exchange, ROUTE_SEARCH);
    return ADVANCE_REQUEST;
}

static enum advance
user_found(struct exchange *exchange, const char *id, const char *name)
{
    buf_add_text(&exchange->out->id, id);
    buf_add_text(&exchange->out->shown, name != NULL ? name : id);
    return ADVANCE_DONE;
}

static enum advance
nobody(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: nobody is called \"%s\"; write an id, "
                        "@name:server, which apps show in a person's profile",
                        exchange->service->name, exchange->op->text);
}

/* An account's name has no blank and no sign before it (C-S appendices, "User
 * identifiers"). */
static bool
add_own(const struct exchange *exchange, struct buf *id)
{
    buf_addf(id, "@%s:%s", exchange->op->text,
             server_of(exchange->service->self));
    return is_id(buf_text(id)) && strpbrk(exchange->op->text, "@#!:") == NULL;
}

static enum advance
begin(struct exchange *exchange, struct looking *looking)
{
    struct buf id = BUF_INIT;
    enum advance advance;

    if (read_user(exchange->op->text, &id)) {
        advance = ask_profile(exchange, looking, USER_ID, buf_text(&id));
    } else {
        buf_clear(&id);
        advance = add_own(exchange, &id)
                      ? ask_profile(exchange, looking, USER_OWN, buf_text(&id))
                      : ask_directory(exchange, looking);
    }
    buf_release(&id);
    return advance;
}

/* A server may keep profiles to itself, or not reach another server: then the
 * id is taken as it is. */
static enum advance
parse_profile(struct exchange *exchange, struct looking *looking)
{
    if (is_success(exchange)) {
        return user_found(exchange, looking->id,
                          jdoc_string(exchange->value, "displayname"));
    }
    if (looking->step == USER_OWN &&
        (is_refusal(exchange, 404, "") || is_refusal(exchange, 400, "") ||
         is_refusal(exchange, 403, ""))) {
        return ask_directory(exchange, looking);
    }
    if (is_refusal(exchange, 404, "") ||
        is_refusal(exchange, 400, "M_INVALID_PARAM")) {
        return nobody(exchange);
    }
    return is_refusal(exchange, 403, "M_FORBIDDEN")
               ? user_found(exchange, looking->id, NULL)
               : exchange_refused(exchange);
}

/* Exactly one person has that display name. */
static enum advance
parse_directory(struct exchange *exchange)
{
    json_object *results = jdoc_get(exchange->value, "results");
    const char *id = NULL;
    unsigned found = 0;

    if (!is_success(exchange) ||
        !json_object_is_type(results, json_type_array)) {
        return exchange_refused(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(results); i++) {
        json_object *result = json_object_array_get_idx(results, i);
        const char *user = parse_id(result, "user_id");
        const char *name = jdoc_string(result, "display_name");

        if (user != NULL && name != NULL &&
            strcmp(name, exchange->op->text) == 0) {
            id = user;
            found++;
        }
    }
    return found == 1 ? user_found(exchange, id, exchange->op->text)
                      : nobody(exchange);
}

enum advance
matrix_user(struct exchange *exchange)
{
    struct looking *looking = exchange_memory(exchange, sizeof(*looking));

    switch (looking->step) {
    case USER_BEGIN:
        return begin(exchange, looking);
    case USER_ID:
    case USER_OWN:
        return parse_profile(exchange, looking);
    case USER_SHOWN:
        break;
    }
    return parse_directory(exchange);
}
