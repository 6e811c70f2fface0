/* Discord: the bot's account, and the channels that were configured. */
#include <inttypes.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* ---- who am I? ------------------------------------------------------------
 */

/* An application's flags (D "Application Flags"): what people write can be
 * read, with or without a review by Discord. */
enum {
    FLAG_CONTENT = 1 << 18,
    FLAG_CONTENT_LIMITED = 1 << 19,
};

enum who_step {
    WHO_BEGIN,
    WHO_SELF,
    WHO_APPLICATION,
};

static enum turn
hear_self(struct trip *trip)
{
    const char *name = jdoc_string(trip->value, "username");

    if (!hear_own_id(trip)) {
        return discord_refused(trip);
    }
    if (name != NULL && strlen(name) <= ADAPTER_ID_MAX) {
        buf_add_text(&trip->out->shown, name);
    } else {
        buf_add_buf(&trip->out->shown, &trip->out->id);
    }
    discord_ask(trip, "GET", "/applications/@me");
    return TURN_REQUEST;
}

/* A server of the same API need not know of applications; nor, where it does,
 * of such a switch: Spacebar's flags are 0 (src/util/entities/Application.ts).
 */
static enum turn
hear_application(struct trip *trip)
{
    int64_t flags = 0;
    bool told = heard_well(trip) && jdoc_integer(trip->value, "flags", &flags);

    if (!heard_well(trip) && !heard_lack(trip) && !heard_want(trip) &&
        trip->reply->status != 404) {
        return discord_refused(trip);
    }
    if ((flags & (FLAG_CONTENT | FLAG_CONTENT_LIMITED)) != 0) {
        return TURN_DONE;
    }
    if (!is_discord(trip)) {
        buf_add_text(
            &trip->out->advice,
            "The service does not say whether it lets bots read what people "
            "write: where the host answers to nobody, look there for a "
            "\"Message Content Intent\".\n");
    } else if (told) {
        buf_add_text(
            &trip->out->advice,
            "In the Developer Portal, under Bot, turn \"Message Content "
            "Intent\" on, and save: without it the host can read only what "
            "mentions it, answers it, or is sent to it directly.\n");
    }
    return TURN_DONE;
}

enum turn
discord_who(struct trip *trip)
{
    enum who_step *step = trip_memory(trip, sizeof(*step));

    switch ((*step)++) {
    case WHO_BEGIN:
        discord_ask(trip, "GET", "/users/@me");
        return TURN_REQUEST;
    case WHO_SELF:
        return hear_self(trip);
    case WHO_APPLICATION:
        break;
    }
    return hear_application(trip);
}

/* ---- a configured channel -------------------------------------------------
 */

/* Read "CHANNEL", "GUILD/CHANNEL", "<#CHANNEL>", or a link to a channel or to a
 * message in it, ".../channels/GUILD/CHANNEL/MESSAGE"; false: it is none. */
static bool
read_address(const char *text, struct spot *spot)
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
    return spot_read(place, spot);
}

/* What a channel is that no game can be hosted in; NULL: in this one it can. */
static const char *
obstacle(int64_t type)
{
    switch (type) {
    case CHANNEL_DM:
    case CHANNEL_GROUP_DM:
        return "is a private talk: configure a channel of a server";
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
    struct spot spot;
    struct probe probe;
};

static enum turn
hear_channel(struct trip *trip, struct finding *finding)
{
    struct spot *spot = &finding->spot;
    int64_t type = CHANNEL_TEXT;
    uint64_t id;

    if (!heard_well(trip) || !hear_snowflake(trip->value, "id", &id) ||
        id != spot->channel) {
        (void)discord_refused(trip);
        if (trip->out->err == ERR_DENIED || trip->out->err == ERR_GONE) {
            buf_addf(trip->why,
                     "; is the bot in the server, and may it see the channel "
                     "%" PRIu64 "?",
                     spot->channel);
        }
        return TURN_FAILED;
    }
    (void)jdoc_integer(trip->value, "type", &type);
    if (obstacle(type) != NULL) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the channel %" PRIu64 " %s",
                            trip->service->name, spot->channel, obstacle(type));
    }
    if (!hear_snowflake(trip->value, "guild_id", &spot->guild) &&
        spot->guild == 0) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: the channel %" PRIu64
                            " is not said to be in a server",
                            trip->service->name, spot->channel);
    }
    finding->found = true;
    return probe_take(trip, &finding->probe, *spot);
}

/* Without this nothing can be hosted there, and Discord answers the one who may
 * not read what was written before with an empty page.  Another server may have
 * other rules about what its permissions mean, or need not keep them: there it
 * is tried. */
static enum turn
judge(struct trip *trip, const struct finding *finding)
{
    unsigned needed = RIGHT_READ | RIGHT_POST;

    if ((trip->out->rights & needed) == needed || !is_discord(trip)) {
        spot_write(finding->spot, &trip->out->id);
        return TURN_DONE;
    }
    (void)outcome_fail(trip->out, trip->why, ERR_DENIED,
                       "%s: the bot can't host in the channel %" PRIu64
                       ": it lacks",
                       trip->service->name, finding->spot.channel);
    probe_name_lacks(&finding->probe, trip->why);
    return TURN_FAILED;
}

enum turn
discord_place(struct trip *trip)
{
    struct finding *finding = trip_memory(trip, sizeof(*finding));

    if (finding->found) {
        enum turn turn = probe_take(trip, &finding->probe, finding->spot);
        return turn == TURN_DONE ? judge(trip, finding) : turn;
    }
    if (trip->reply != NULL) {
        return hear_channel(trip, finding);
    }
    if (!read_address(trip->errand->text, &finding->spot)) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no channel: write its link, or its "
                            "id, which is a number",
                            trip->service->name, trip->errand->text);
    }
    ask_channel(trip, "GET", finding->spot.channel, "");
    limit_by(trip, "channel", finding->spot.channel, 0);
    return TURN_REQUEST;
}

/* ---- a person -------------------------------------------------------------
 */

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

static enum turn
hear_user(struct trip *trip)
{
    const char *name = jdoc_string(trip->value, "username");

    if (!heard_well(trip) && heard_want(trip) && trip->reply->status == 404) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: there is nobody with the id %s",
                            trip->service->name, trip->errand->text);
    }
    if (name == NULL || !hear_own_id(trip)) {
        return discord_refused(trip);
    }
    buf_add_text(&trip->out->shown, strlen(name) <= ADAPTER_ID_MAX ? name : "");
    return TURN_DONE;
}

/* Names are not looked up: a bot may search the members of a server, and people
 * of one name may be in several, but moderators are configured for all. */
enum turn
discord_user(struct trip *trip)
{
    uint64_t id;

    if (trip->reply != NULL) {
        return hear_user(trip);
    }
    if (!read_user(trip->errand->text, &id)) {
        return outcome_fail(
            trip->out, trip->why, ERR_CONFIG,
            "%s: \"%s\" is no id: turn User Settings > Advanced > Developer "
            "Mode on, right click on the person, Copy User ID",
            trip->service->name, trip->errand->text);
    }
    discord_ask(trip, "GET", "/users");
    ask_id(trip, id);
    return TURN_REQUEST;
}
