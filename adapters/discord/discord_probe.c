/*
 * Discord: what the bot may do in a channel (D "Permissions": how they are
 * computed), by name, and what else is in the way there.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

#define BIT(number) (UINT64_C(1) << (number))

/* D "Bitwise Permission Flags". */
#define MAY_ADMINISTER     BIT(3)
#define MAY_REACT          BIT(6)
#define MAY_VIEW           BIT(10)
#define MAY_SEND           BIT(11)
#define MAY_MANAGE         BIT(13)
#define MAY_ATTACH         BIT(15)
#define MAY_READ_HISTORY   BIT(16)
#define MAY_CREATE_THREADS BIT(35)
#define MAY_SEND_IN_THREAD BIT(38)
#define MAY_PIN            BIT(51)

static void
advise(struct trip *trip, const char *sentence)
{
    buf_addf(&trip->out->advice, "%s\n", sentence);
}

/* A set of permissions: as text, or as a number. */
static uint64_t
hear_bits(json_object *object, const char *key)
{
    const char *text = jdoc_string(object, key);
    int64_t number = 0;

    if (text != NULL) {
        return strtoull(text, NULL, 10);
    }
    return jdoc_integer(object, key, &number) ? (uint64_t)number : 0;
}

static bool
has_role(const struct probe *probe, uint64_t role)
{
    for (size_t i = 0; i < probe->role_count; i++) {
        if (probe->roles[i] == role) {
            return true;
        }
    }
    return false;
}

static size_t
count_of(json_object *list)
{
    return json_object_is_type(list, json_type_array)
               ? json_object_array_length(list)
               : 0;
}

/* ---- hearing --------------------------------------------------------------
 */

static void
hear_roles(struct trip *trip, struct probe *probe)
{
    json_object *roles = jdoc_get(trip->value, "roles");

    /* Spacebar leaves them out
     * (src/api/routes/guilds/#guild_id/members/#member_id/index.ts). */
    probe->unknown = probe->unknown || roles == NULL;
    for (size_t i = 0; i < count_of(roles) && i < ROLES_MAX; i++) {
        json_object *role = json_object_array_get_idx(roles, i);
        uint64_t id;

        if (json_object_is_type(role, json_type_string)
                ? snowflake_read(json_object_get_string(role), &id)
                : hear_snowflake(role, "id", &id)) {
            probe->roles[probe->role_count++] = id;
        }
    }
    if (jdoc_string(trip->value, "communication_disabled_until") != NULL) {
        advise(trip, "The bot is timed out in the server: end that.");
    }
}

/* The role of everybody has the server's own id. */
static void
hear_permissions(struct probe *probe, json_object *roles, uint64_t guild)
{
    for (size_t i = 0; i < count_of(roles); i++) {
        json_object *role = json_object_array_get_idx(roles, i);
        uint64_t id = 0;

        if (!hear_snowflake(role, "id", &id)) {
            continue;
        }
        uint64_t may = hear_bits(role, "permissions");

        if (id == guild) {
            probe->everybody |= may;
        }
        if (id == guild || has_role(probe, id)) {
            probe->may |= may;
        } else if (probe->other_count < ROLES_MAX) {
            probe->others[probe->other_count++] = (struct other_role){id, may};
        }
    }
}

static void
hear_guild(struct trip *trip, struct probe *probe, uint64_t guild)
{
    uint64_t self = 0;
    uint64_t owner = 0;

    hear_permissions(probe, jdoc_get(trip->value, "roles"), guild);
    probe->owner = snowflake_read(trip->service->self, &self) &&
                   hear_snowflake(trip->value, "owner_id", &owner) &&
                   self == owner;
}

/* The same for those who are not the bot: for everybody, and for whoever has
 * one role besides. */
static void
hear_others(struct probe *probe, json_object *list, uint64_t deny,
            uint64_t allow)
{
    for (size_t i = 0; i < probe->other_count; i++) {
        struct other_role *role = &probe->others[i];

        role->may = ((role->may | probe->everybody) & ~deny) | allow;
        for (size_t at = 0; at < count_of(list); at++) {
            json_object *overwrite = json_object_array_get_idx(list, at);
            uint64_t id = 0;

            if (hear_snowflake(overwrite, "id", &id) && id == role->id) {
                role->may = (role->may & ~hear_bits(overwrite, "deny")) |
                            hear_bits(overwrite, "allow");
            }
        }
    }
    probe->everybody = (probe->everybody & ~deny) | allow;
}

/* What a channel denies and allows: first to everybody, then to roles together,
 * then to the bot itself. */
static void
hear_overwrites(struct trip *trip, struct probe *probe, uint64_t guild)
{
    json_object *list = jdoc_get(trip->value, "permission_overwrites");
    uint64_t deny[3] = {0, 0, 0};
    uint64_t allow[3] = {0, 0, 0};
    uint64_t self = 0;

    (void)snowflake_read(trip->service->self, &self);
    for (size_t i = 0; i < count_of(list); i++) {
        json_object *overwrite = json_object_array_get_idx(list, i);
        uint64_t id = 0;

        (void)hear_snowflake(overwrite, "id", &id);
        int level = id == guild             ? 0
                    : has_role(probe, id)   ? 1
                    : id != 0 && id == self ? 2
                                            : -1;
        if (level >= 0) {
            deny[level] |= hear_bits(overwrite, "deny");
            allow[level] |= hear_bits(overwrite, "allow");
        }
    }
    for (int i = 0; i < 3; i++) {
        probe->may = (probe->may & ~deny[i]) | allow[i];
    }
    hear_others(probe, list, deny[0], allow[0]);
}

static void
hear_obstacles(struct trip *trip)
{
    json_object *thread = jdoc_get(trip->value, "thread_metadata");
    bool locked = false;
    bool archived = false;
    int64_t slow = 0;

    (void)jdoc_bool(thread, "locked", &locked);
    (void)jdoc_bool(thread, "archived", &archived);
    if (locked) {
        advise(trip, "The thread is locked: unlock it.");
    } else if (archived) {
        advise(trip, "The thread was put away: it opens again with the next "
                     "post in it.");
    }
    if (jdoc_integer(trip->value, "rate_limit_per_user", &slow) && slow > 0) {
        buf_addf(&trip->out->advice,
                 "The channel is in slow mode, a post every %lld seconds: turn "
                 "that off, or players can't post again in time.\n",
                 (long long)slow);
    }
}

/* ---- telling --------------------------------------------------------------
 */

/* What a permission is for, by the name that people see. */
static const struct need {
    uint64_t bit;
    const char *name, *purpose;
    bool thread, channel; /* needed in a thread; in a channel that is none */
    bool always;          /* there is no hosting without */
} needs[] = {
    {MAY_VIEW, "View Channel", "read and post", true, true, true},
    {MAY_READ_HISTORY, "Read Message History", "read", true, true, true},
    {MAY_SEND, "Send Messages", "post", false, true, true},
    {MAY_SEND_IN_THREAD, "Send Messages in Threads", "post in a game's thread",
     true, true, false},
    {MAY_CREATE_THREADS, "Create Public Threads", "open a thread for each game",
     false, true, false},
    {MAY_REACT, "Add Reactions", "mark what it has counted", true, true, false},
    {MAY_ATTACH, "Attach Files", "show the board as a picture", true, true,
     false},
    {MAY_MANAGE, "Manage Messages", "delete what breaks the silence", true,
     true, false},
    {MAY_PIN, "Pin Messages", "pin the status post", true, true, false},
};

/* Where no permission is for pins alone, whoever manages messages may pin:
 * Spacebar's (src/util/util/Permissions.ts; routes .../messages/pins). */
static void
grant_old_permissions(struct trip *trip, struct probe *probe)
{
    if (!is_discord(trip) && (probe->may & MAY_MANAGE) != 0) {
        probe->may |= MAY_PIN;
    }
}

static bool
lacks(const struct probe *probe, const struct need *need)
{
    return (probe->may & need->bit) == 0 &&
           (probe->thread ? need->thread : need->channel);
}

void
probe_name_lacks(const struct probe *probe, struct buf *text)
{
    const char *before = " the permission ";

    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
        const struct need *need = &needs[i];
        bool posts = probe->thread && need->bit == MAY_SEND_IN_THREAD;

        if (lacks(probe, need) && (need->always || posts)) {
            buf_addf(text, "%s\"%s\"", before, need->name);
            before = " and ";
        }
    }
}

static void
tell_needs(struct trip *trip, const struct probe *probe)
{
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
        const struct need *need = &needs[i];

        if (lacks(probe, need)) {
            buf_addf(&trip->out->advice,
                     "To let the host %s, give the bot the permission \"%s\" "
                     "there.\n",
                     need->purpose, need->name);
        }
    }
}

/* May everybody do that there, or whoever has some role that is not an
 * administrator's? */
static bool
players_may(const struct probe *probe, uint64_t bits)
{
    bool may = (probe->everybody & bits) == bits;

    for (size_t i = 0; i < probe->other_count && !may; i++) {
        uint64_t has = probe->others[i].may;

        may = (has & MAY_ADMINISTER) == 0 && (has & bits) == bits;
    }
    return may;
}

/* Who may not write can't play. */
static void
tell_players(struct trip *trip, const struct probe *probe)
{
    static const char remedy[] =
        "give everybody, or a role that the players have, the permission";

    if (!players_may(probe, MAY_VIEW | MAY_READ_HISTORY)) {
        buf_addf(&trip->out->advice,
                 "Players can't read there: %s \"View Channel\" and \"Read "
                 "Message History\".\n",
                 remedy);
    } else if (!probe->thread && !probe->forum &&
               !players_may(probe, MAY_SEND)) {
        buf_addf(&trip->out->advice,
                 "Players can't write there: %s \"Send Messages\".\n", remedy);
    }
    if (!players_may(probe, MAY_SEND_IN_THREAD)) {
        buf_addf(&trip->out->advice,
                 "Players can't write in threads there: %s \"Send Messages in "
                 "Threads\".\n",
                 remedy);
    }
}

/* A game in a thread opens its own beside it; a post of a forum takes no other
 * permission than a message in a channel. */
static uint64_t
needed_to_open(const struct probe *probe)
{
    return MAY_VIEW | MAY_SEND_IN_THREAD |
           (probe->forum ? MAY_SEND : MAY_CREATE_THREADS);
}

static enum turn
tell(struct trip *trip, struct probe *probe)
{
    static const struct {
        enum right right;
        uint64_t bits;
    } rights[] = {
        {RIGHT_READ, MAY_VIEW | MAY_READ_HISTORY},
        {RIGHT_REACT, MAY_VIEW | MAY_READ_HISTORY | MAY_REACT},
        {RIGHT_DELETE, MAY_VIEW | MAY_MANAGE},
        {RIGHT_PIN, MAY_VIEW | MAY_PIN},
        {RIGHT_UPLOAD, MAY_VIEW | MAY_ATTACH},
    };
    uint64_t post = MAY_VIEW | (probe->thread ? MAY_SEND_IN_THREAD : MAY_SEND);
    uint64_t open = needed_to_open(probe);

    if (probe->unknown) {
        advise(trip, "The service does not say what the bot may do there: look "
                     "whether it may read and post.");
    } else if (trip->errand->kind == ERRAND_PROBE) {
        tell_players(trip, probe);
    }
    if (probe->unknown || probe->owner || (probe->may & MAY_ADMINISTER) != 0) {
        probe->may = ~UINT64_C(0);
    }
    grant_old_permissions(trip, probe);
    tell_needs(trip, probe);
    trip->out->rights |= RIGHT_TALK;
    if ((probe->may & post) == post) {
        trip->out->rights |= RIGHT_POST | RIGHT_EDIT;
    }
    if ((probe->may & open) == open) {
        trip->out->rights |= RIGHT_OPEN;
    }
    for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
        if ((probe->may & rights[i].bits) == rights[i].bits) {
            trip->out->rights |= (unsigned)rights[i].right;
        }
    }
    return TURN_DONE;
}

/* ---- asking ---------------------------------------------------------------
 */

static enum turn
ask_of_guild(struct trip *trip, struct probe *probe, enum probe_step step,
             uint64_t guild)
{
    probe->step = step;
    ask_guild(trip, "GET", guild,
              step == PROBE_MEMBER  ? "/members"
              : step == PROBE_ROLES ? "/roles"
                                    : "");
    if (step == PROBE_MEMBER) {
        ask_part(trip, trip->service->self);
    }
    limit_by(trip, "guild", guild, 0);
    return TURN_REQUEST;
}

static enum turn
ask_of_channel(struct trip *trip, struct probe *probe, enum probe_step step,
               uint64_t channel)
{
    probe->step = step;
    ask_channel(trip, "GET", channel, "");
    limit_by(trip, "channel", channel, 0);
    return TURN_REQUEST;
}

/* A thread is as its channel is. */
static enum turn
hear_there(struct trip *trip, struct probe *probe, struct spot spot)
{
    int64_t type = CHANNEL_TEXT;
    uint64_t parent;

    hear_obstacles(trip);
    (void)jdoc_integer(trip->value, "type", &type);
    probe->thread = type_is_thread(type);
    if (probe->thread && hear_snowflake(trip->value, "parent_id", &parent)) {
        return ask_of_channel(trip, probe, PROBE_PARENT, parent);
    }
    hear_overwrites(trip, probe, spot.guild);
    return tell(trip, probe);
}

static enum turn
hear_part(struct trip *trip, struct probe *probe, struct spot spot)
{
    int64_t type = CHANNEL_TEXT;

    switch (probe->step) {
    case PROBE_BEGIN:
        return ask_of_guild(trip, probe, PROBE_MEMBER, spot.guild);
    case PROBE_MEMBER:
        hear_roles(trip, probe);
        return ask_of_guild(trip, probe, PROBE_GUILD, spot.guild);
    case PROBE_GUILD:
        hear_guild(trip, probe, spot.guild);
        /* Spacebar's guilds have none (src/api/routes/guilds/#guild_id). */
        return heard_well(trip) && jdoc_get(trip->value, "roles") == NULL
                   ? ask_of_guild(trip, probe, PROBE_ROLES, spot.guild)
                   : ask_of_channel(trip, probe, PROBE_CHANNEL, spot.channel);
    case PROBE_ROLES:
        hear_permissions(probe, trip->value, spot.guild);
        return ask_of_channel(trip, probe, PROBE_CHANNEL, spot.channel);
    case PROBE_CHANNEL:
        return hear_there(trip, probe, spot);
    case PROBE_PARENT:
        break;
    }
    (void)jdoc_integer(trip->value, "type", &type);
    probe->forum = type == CHANNEL_FORUM || type == CHANNEL_MEDIA;
    hear_overwrites(trip, probe, spot.guild);
    return tell(trip, probe);
}

/* May what was asked be left open?  Whoever may not ask may still host.  With
 * 401 Spacebar and Symfonia refuse other things than a token, too
 * (src/api/routes/guilds/#guild_id/index.ts; crates/util/src/errors.rs), and
 * the token was good for the channel. */
static bool
may_stay_open(const struct trip *trip)
{
    return heard_lack(trip) || heard_want(trip) ||
           (!is_discord(trip) && trip->reply->status == 401);
}

enum turn
probe_take(struct trip *trip, struct probe *probe, struct spot spot)
{
    if (probe->step != PROBE_BEGIN && !heard_well(trip)) {
        /* A channel that can't be asked for is none to host in. */
        if (!may_stay_open(trip) || probe->step == PROBE_CHANNEL) {
            return discord_refused(trip);
        }
        probe->unknown = true;
    }
    if (probe->step != PROBE_BEGIN && heard_well(trip) &&
        !json_object_is_type(trip->value, probe->step == PROBE_ROLES
                                              ? json_type_array
                                              : json_type_object)) {
        return discord_refused(trip);
    }
    return hear_part(trip, probe, spot);
}

/* ---- what another server has at all ---------------------------------------
 */

enum look_step {
    LOOK_RIGHTS,
    LOOK_THREADS,
    LOOK_PINS,
    LOOK_OLD_PINS,
};

struct looking {
    struct probe probe;
    enum look_step step;
};

static enum turn
look_at(struct trip *trip, struct looking *looking, enum look_step step,
        struct spot spot)
{
    looking->step = step;
    if (step == LOOK_THREADS) {
        ask_guild(trip, "GET", spot.guild, "/threads/active");
        limit_by(trip, "threads", spot.guild, 0);
    } else {
        ask_channel(trip, "GET", spot.channel,
                    step == LOOK_PINS ? "/messages/pins" : "/pins");
        limit_by(trip, "pins", spot.channel, 0);
    }
    return TURN_REQUEST;
}

/* That there is nothing at an address, or nothing that can be asked for. */
static bool
heard_nothing(const struct trip *trip)
{
    return heard_want(trip) && trip->reply->status != 403;
}

static enum turn
look(struct trip *trip, struct looking *looking, struct spot spot)
{
    if (!heard_well(trip) && !heard_lack(trip) && !heard_want(trip)) {
        return discord_refused(trip);
    }
    if (looking->step == LOOK_THREADS) {
        if (heard_nothing(trip) && !looking->probe.thread) {
            advise(trip, "Nothing: the service does not say which threads it "
                         "has. Where it has none, games are played in the "
                         "channel itself.");
        }
        return look_at(trip, looking, LOOK_PINS, spot);
    }
    if (!heard_nothing(trip)) {
        return TURN_DONE;
    }
    if (looking->step == LOOK_PINS) {
        return look_at(trip, looking, LOOK_OLD_PINS, spot);
    }
    advise(trip, "Nothing: the service has no pins. The status post stands in "
                 "the channel as any other.");
    trip->out->rights &= ~(unsigned)RIGHT_PIN;
    return TURN_DONE;
}

enum turn
discord_probe(struct trip *trip)
{
    struct looking *looking = trip_memory(trip, sizeof(*looking));
    struct spot spot;

    if (!trip_spot(trip, &spot)) {
        return TURN_FAILED;
    }
    if (looking->step != LOOK_RIGHTS) {
        return look(trip, looking, spot);
    }
    enum turn turn = probe_take(trip, &looking->probe, spot);

    return turn == TURN_DONE && !is_discord(trip)
               ? look_at(trip, looking, LOOK_THREADS, spot)
               : turn;
}
