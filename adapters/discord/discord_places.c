/* Discord: the channels of the servers that the bot is in, to choose from. */
#include <inttypes.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

enum {
    GUILDS_MAX = 20,      /* more servers are not looked into */
    GUILD_NAME_MAX = 400, /* bytes: 100 characters (D "Guild") */
};

struct listing {
    bool listed; /* the servers are known */
    unsigned count, next;
    struct {
        uint64_t id;
        char name[GUILD_NAME_MAX + 1];
    } guilds[GUILDS_MAX];
};

/* D "Get Current User Guilds". */
static bool
parse_guilds(const struct exchange *exchange, struct listing *listing)
{
    json_object *list = exchange->value;

    if (!is_success(exchange) || !json_object_is_type(list, json_type_array)) {
        return false;
    }
    for (size_t i = 0;
         i < json_object_array_length(list) && listing->count < GUILDS_MAX;
         i++) {
        json_object *guild = json_object_array_get_idx(list, i);
        const char *name = jdoc_string(guild, "name");
        uint64_t id = 0;

        if (parse_snowflake(guild, "id", &id) && name != NULL &&
            strlen(name) <= GUILD_NAME_MAX) {
            listing->guilds[listing->count].id = id;
            memcpy(listing->guilds[listing->count].name, name,
                   strlen(name) + 1);
            listing->count++;
        }
    }
    listing->listed = true;
    return true;
}

/* D "Get Guild Channels": also those that the bot may not see; what it may do
 * there is looked at when one is chosen. */
static bool
parse_channels(struct exchange *exchange, const struct listing *listing)
{
    json_object *list = exchange->value;
    struct channel_id where = {listing->guilds[listing->next - 1].id, 0};

    if (!is_success(exchange) || !json_object_is_type(list, json_type_array)) {
        return false;
    }
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *channel = json_object_array_get_idx(list, i);
        const char *name = jdoc_string(channel, "name");
        int64_t type = -1;
        struct buf address = BUF_INIT;
        struct buf shown = BUF_INIT;

        (void)jdoc_integer(channel, "type", &type);
        if (parse_snowflake(channel, "id", &where.channel) && name != NULL &&
            (type == CHANNEL_TEXT || type == CHANNEL_ANNOUNCEMENT)) {
            channel_id_write(where, &address);
            buf_addf(&shown, "#%s in %s", name,
                     listing->guilds[listing->next - 1].name);
            outcome_add_place(exchange->out, buf_text(&address),
                              buf_text(&shown));
        }
        buf_release(&address);
        buf_release(&shown);
    }
    return true;
}

enum advance
discord_places(struct exchange *exchange)
{
    struct listing *listing = exchange_memory(exchange, sizeof(*listing));

    if (exchange->reply == NULL) {
        discord_ask(exchange, "GET", "/users/@me/guilds");
        return ADVANCE_REQUEST;
    }
    if (!(listing->listed ? parse_channels(exchange, listing)
                          : parse_guilds(exchange, listing))) {
        return discord_refused(exchange);
    }
    if (listing->next == listing->count) {
        return ADVANCE_DONE;
    }
    ask_guild(exchange, "GET", listing->guilds[listing->next].id, "/channels");
    limit_by(exchange, "channels", listing->guilds[listing->next].id, 0);
    listing->next++;
    return ADVANCE_REQUEST;
}
