/* Discord: the bot's account, and the channels that were configured. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* ---- who am I? ----------------------------------------------------------- */

/* An application's flags (D "Application Flags"): it may read what people
 * write, with or without a review by Discord. */
enum {
    FLAG_CONTENT = 1 << 18,
    FLAG_CONTENT_LIMITED = 1 << 19,
};

enum who_step {
    WHO_BEGIN,
    WHO_SELF,
    WHO_APPLICATION,
};

static enum advance
parse_self(struct exchange *exchange)
{
    const char *name = jdoc_string(exchange->value, "username");

    if (!parse_own_id(exchange)) {
        return discord_refused(exchange);
    }
    if (name != NULL && strlen(name) <= ADAPTER_ID_MAX) {
        buf_add_text(&exchange->out->shown, name);
    } else {
        buf_add_buf(&exchange->out->shown, &exchange->out->id);
    }
    discord_ask(exchange, "GET", "/applications/@me");
    return ADVANCE_REQUEST;
}

/* What is pressed or commanded comes either by the gateway or to that address
 * (D "Receiving and Responding"). */
static void
advise_endpoint(struct exchange *exchange)
{
    const char *endpoint =
        jdoc_string(exchange->value, "interactions_endpoint_url");

    if (exchange->op->presses && endpoint != NULL && *endpoint != '\0') {
        buf_add_text(
            &exchange->out->advice,
            "In the Developer Portal, under General Information, empty "
            "\"Interactions Endpoint URL\", and save: otherwise Discord sends "
            "buttons that are pressed and slash commands there, and not to "
            "the host.\n");
    }
}

/* In which of two ways people play: without the intent Discord shows a bot the
 * words of the posts that mention it, of those that answer it with a ping, and
 * of DMs (D "Message Content Intent"). */
static void
tell_words(struct exchange *exchange, bool all)
{
    buf_add_text(&exchange->out->limits,
                 all ? "The bot reads what people write: posts count with or "
                       "without a mention.\n"
                     : "The Message Content Intent is off: people play by "
                       "buttons and slash commands, and what they write counts "
                       "where it mentions the bot.\n");
}

/* Another server of this API need not have applications or, if it has, such a
 * switch: Spacebar's flags are 0 (src/util/entities/Application.ts). */
static enum advance
parse_application(struct exchange *exchange)
{
    int64_t flags = 0;
    bool told =
        is_success(exchange) && jdoc_integer(exchange->value, "flags", &flags);

    if (!is_success(exchange) && !is_unavailable(exchange) &&
        !is_unsupported(exchange) && exchange->reply->status != 404) {
        return discord_refused(exchange);
    }
    if (is_success(exchange)) {
        advise_endpoint(exchange);
    }
    bool reads = (flags & (FLAG_CONTENT | FLAG_CONTENT_LIMITED)) != 0;

    if (reads || (told && is_discord(exchange) && exchange->op->presses)) {
        tell_words(exchange, reads);
    } else if (!is_discord(exchange)) {
        buf_add_text(
            &exchange->out->advice,
            "The service does not say whether it lets bots read what people "
            "write: where the host answers to nobody, look there for a "
            "\"Message Content Intent\".\n");
    } else if (told) {
        buf_add_text(
            &exchange->out->advice,
            "In the Developer Portal, under Bot, turn \"Message Content "
            "Intent\" on, and save, or turn buttons and commands on in the "
            "configuration: without the intent the host can read only what "
            "mentions it, answers it, or is sent to it directly: whoever votes "
            "or names somebody without that gets no answer.\n");
    }
    return ADVANCE_DONE;
}

enum advance
discord_who(struct exchange *exchange)
{
    enum who_step *next = exchange_memory(exchange, sizeof(*next));

    switch ((*next)++) {
    case WHO_BEGIN:
        discord_ask(exchange, "GET", "/users/@me");
        return ADVANCE_REQUEST;
    case WHO_SELF:
        return parse_self(exchange);
    case WHO_APPLICATION:
        break;
    }
    return parse_application(exchange);
}

/* ---- a configured channel ------------------------------------------------ */

/* Read "CHANNEL", "GUILD/CHANNEL", "<#CHANNEL>", or a link to a channel or to a
 * message in it, ".../channels/GUILD/CHANNEL/MESSAGE"; false: it is none. */
static bool
read_address(const char *text, struct channel_id *where)
{
    static const char path[] = "/channels/";
    const char *at = strstr(text, path);
    char place[2 * 20 + 2];
    size_t len;

    if (at != NULL) {
        at += sizeof(path) - 1;
        len = strcspn(at, "/");
        len += at[len] == '/' ? 1 + strcspn(at + len + 1, "/?#") : 0;
    } else if (strncmp(text, "<#", 2) == 0) {
        at = text + 2;
        len = strcspn(at, ">");
    } else {
        at = text;
        len = strlen(at);
    }
    if (len >= sizeof(place)) {
        return false;
    }
    memcpy(place, at, len);
    place[len] = '\0';
    return channel_id_read(place, where);
}

/* Why no game can be hosted in such a channel; NULL: it can. */
static const char *
obstacle(int64_t type)
{
    switch (type) {
    case CHANNEL_DM:
    case CHANNEL_GROUP_DM:
        return "is a DM: configure a channel of a server";
    case CHANNEL_CATEGORY:
        return "is a category: configure a channel in it";
    case CHANNEL_FORUM:
    case CHANNEL_MEDIA:
        return "is a forum: write a post in it for signing up, and configure "
               "the link to that post";
    default:
        return NULL;
    }
}

struct finding {
    bool found;
    struct channel_id where;
    struct probe probe;
};

static enum advance
parse_channel(struct exchange *exchange, struct finding *finding)
{
    struct channel_id *where = &finding->where;
    int64_t type = CHANNEL_TEXT;
    uint64_t id;

    if (!is_success(exchange) || !parse_snowflake(exchange->value, "id", &id) ||
        id != where->channel) {
        (void)discord_refused(exchange);
        if (exchange->out->err == ERR_DENIED ||
            exchange->out->err == ERR_GONE) {
            buf_addf(exchange->why,
                     "; is the bot in the server, and may it see the channel "
                     "%" PRIu64 "?",
                     where->channel);
        }
        return ADVANCE_FAILED;
    }
    (void)jdoc_integer(exchange->value, "type", &type);
    if (obstacle(type) != NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: the channel %" PRIu64 " %s",
                            exchange->service->name, where->channel,
                            obstacle(type));
    }
    if (!parse_snowflake(exchange->value, "guild_id", &where->guild) &&
        where->guild == 0) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the channel %" PRIu64
                            " is not said to be in a server",
                            exchange->service->name, where->channel);
    }
    finding->found = true;
    return probe_take(exchange, &finding->probe, *where);
}

/* Without this nothing can be hosted there, and Discord shows an empty page to
 * a bot that may not read the history.  On another server permissions may mean
 * something else or nothing: there it is tried. */
static enum advance
check_rights(struct exchange *exchange, const struct finding *finding)
{
    unsigned needed = RIGHT_READ | RIGHT_POST;

    if ((exchange->out->rights & needed) == needed || !is_discord(exchange)) {
        channel_id_write(finding->where, &exchange->out->id);
        return ADVANCE_DONE;
    }
    (void)outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                       "%s: the bot can't host in the channel %" PRIu64
                       ": it lacks",
                       exchange->service->name, finding->where.channel);
    probe_name_lacks(&finding->probe, exchange->why);
    return ADVANCE_FAILED;
}

enum advance
discord_place(struct exchange *exchange)
{
    struct finding *finding = exchange_memory(exchange, sizeof(*finding));

    if (finding->found) {
        enum advance advance =
            probe_take(exchange, &finding->probe, finding->where);
        return advance == ADVANCE_DONE ? check_rights(exchange, finding)
                                       : advance;
    }
    if (exchange->reply != NULL) {
        return parse_channel(exchange, finding);
    }
    if (!read_address(exchange->op->text, &finding->where)) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: \"%s\" is no channel: write its link, or its "
                            "id, which is a number",
                            exchange->service->name, exchange->op->text);
    }
    ask_channel(exchange, "GET", finding->where.channel, "");
    limit_by(exchange, "channel", finding->where.channel, 0);
    return ADVANCE_REQUEST;
}

/* ---- a person ------------------------------------------------------------ */

/* Read "ID", "<@ID>" or "<@!ID>"; false: it is a name. */
static bool
read_user(const char *text, uint64_t *id)
{
    char digits[24];

    text += strncmp(text, "<@", 2) == 0 ? 2 : 0;
    text += *text == '!';
    size_t len = strcspn(text, ">");
    if (len >= sizeof(digits)) {
        return false;
    }
    memcpy(digits, text, len);
    digits[len] = '\0';
    return snowflake_read(digits, id);
}

static enum advance
parse_user(struct exchange *exchange)
{
    const char *name = jdoc_string(exchange->value, "username");

    if (!is_success(exchange) && is_unsupported(exchange) &&
        exchange->reply->status == 404) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: there is nobody with the id %s",
                            exchange->service->name, exchange->op->text);
    }
    if (name == NULL || !parse_own_id(exchange)) {
        return discord_refused(exchange);
    }
    buf_add_text(&exchange->out->shown,
                 strlen(name) <= ADAPTER_ID_MAX ? name : "");
    return ADVANCE_DONE;
}

/* The person of that name or nickname among those found (D "Search Guild
 * Members": they begin with it); NULL: nobody, or several. */
static json_object *
only_match(json_object *members, const char *name)
{
    json_object *match = NULL;

    for (size_t i = 0; json_object_is_type(members, json_type_array) &&
                       i < json_object_array_length(members);
         i++) {
        json_object *member = json_object_array_get_idx(members, i);
        json_object *user = jdoc_get(member, "user");
        const char *names[] = {jdoc_string(user, "username"),
                               jdoc_string(user, "global_name"),
                               jdoc_string(member, "nick")};
        bool matches = false;

        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
            matches = matches ||
                      (names[n] != NULL && strcasecmp(names[n], name) == 0);
        }
        if (matches && match != NULL) {
            return NULL;
        }
        match = matches ? user : match;
    }
    return match;
}

static enum advance
parse_members(struct exchange *exchange)
{
    json_object *members = exchange->value;
    const char *name = exchange->op->text + (*exchange->op->text == '@');
    json_object *user = NULL;
    uint64_t id = 0;

    bool denied = exchange->reply->status == 403 ||
                  exchange->reply->status == 404; /* another server's */

    if (!is_success(exchange) && !denied) {
        return discord_refused(exchange);
    }
    user = only_match(members, name);
    if (user == NULL || !parse_snowflake(user, "id", &id)) {
        return outcome_fail(
            exchange->out, exchange->why, ERR_GONE,
            "%s: there is not exactly one member called \"%s\": write the id; "
            "with User Settings > Advanced > Developer Mode on, right click on "
            "the person, Copy User ID",
            exchange->service->name, name);
    }
    give_id(exchange, id);
    buf_add_text(&exchange->out->shown, name);
    return ADVANCE_DONE;
}

/* A bot can search one server's members. */
static enum advance
ask_members(struct exchange *exchange, struct channel_id where)
{
    ask_guild(exchange, "GET", where.guild, "/members/search");
    ask_query(exchange, "query",
              exchange->op->text + (*exchange->op->text == '@'));
    ask_query(exchange, "limit", "100");
    limit_by(exchange, "members", where.guild, 0);
    return ADVANCE_REQUEST;
}

enum advance
discord_user(struct exchange *exchange)
{
    bool *searching = exchange_memory(exchange, sizeof(*searching));
    struct channel_id where;
    uint64_t id;

    if (exchange->reply != NULL) {
        return *searching ? parse_members(exchange) : parse_user(exchange);
    }
    if (read_user(exchange->op->text, &id)) {
        discord_ask(exchange, "GET", "/users");
        ask_id(exchange, id);
        return ADVANCE_REQUEST;
    }
    if (channel_id_read(exchange->op->place, &where) && where.guild != 0) {
        *searching = true;
        return ask_members(exchange, where);
    }
    return outcome_fail(
        exchange->out, exchange->why, ERR_CONFIG,
        "%s: \"%s\" is no id: turn User Settings > Advanced > Developer "
        "Mode on, right click on the person, Copy User ID",
        exchange->service->name, exchange->op->text);
}
