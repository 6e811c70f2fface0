/*
 * Discord: what the bot may do in a channel (D "Permissions": how they are
 * computed), by name, and what else stands in its way there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/memory.h"

#define BIT(number) (UINT64_C(1) << (number))

/* D "Bitwise Permission Flags". */
#define MAY_ADMINISTER     BIT(3)
#define MAY_REACT          BIT(6)
#define MAY_VIEW           BIT(10)
#define MAY_SEND           BIT(11)
#define MAY_MANAGE         BIT(13)
#define MAY_ATTACH         BIT(15)
#define MAY_READ_HISTORY   BIT(16)
#define MAY_GIVE_ROLES     BIT(28)
#define MAY_CREATE_THREADS BIT(35)
#define MAY_SEND_IN_THREAD BIT(38)
#define MAY_PIN            BIT(51)

static void
advise(struct exchange *exchange, const char *sentence)
{
    buf_addf(&exchange->out->advice, "%s\n", sentence);
}

/* A set of permissions: as text, or as a number. */
static uint64_t
parse_bits(json_object *object, const char *key)
{
    const char *text = jdoc_string(object, key);
    int64_t number = 0;

    if (text != NULL) {
        return strtoull(text, NULL, 10);
    }
    return jdoc_integer(object, key, &number) ? (uint64_t)number : 0;
}

bool
may_manage(json_object *object)
{
    return (parse_bits(object, "permissions") &
            (MAY_ADMINISTER | MAY_MANAGE)) != 0;
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

/* ---- replies ------------------------------------------------------------- */

static void
parse_roles(struct exchange *exchange, struct probe *probe)
{
    json_object *roles = jdoc_get(exchange->value, "roles");

    /* Spacebar leaves them out
     * (src/api/routes/guilds/#guild_id/members/#member_id/index.ts). */
    probe->unknown = probe->unknown || roles == NULL;
    for (size_t i = 0; i < count_of(roles) && i < ROLES_MAX; i++) {
        json_object *role = json_object_array_get_idx(roles, i);
        uint64_t id;

        if (json_object_is_type(role, json_type_string)
                ? snowflake_read(json_object_get_string(role), &id)
                : parse_snowflake(role, "id", &id)) {
            probe->roles[probe->role_count++] = id;
        }
    }
    /* A time that is past is no timeout (D "Guild Member"). */
    const char *until =
        jdoc_string(exchange->value, "communication_disabled_until");
    int64_t end = 0;

    if (until != NULL && timestamp_read(until, &end) &&
        end > discord_date(exchange)) {
        advise(exchange, "The bot is timed out in the server: end that.");
    }
}

bool
is_role(json_object *role, const char *meant)
{
    const char *name = jdoc_string(role, "name");
    const char *id = jdoc_string(role, "id");

    return (id != NULL && strcmp(id, meant) == 0) ||
           (name != NULL && strcasecmp(name, meant + (*meant == '@')) == 0);
}

/* Is it the role that moderates, by its name, its id or what it may do in the
 * whole server? */
static bool
moderates(const struct exchange *exchange, json_object *role)
{
    const char *meant = exchange->op->text;

    return is_role(role, meant) ||
           (strcmp(meant, ROLE_MANAGES) == 0 && may_manage(role));
}

/* Can the bot give a role?  It must stand below its highest (D "Permission
 * Hierarchy"). */
static void
advise_role(struct exchange *exchange, const struct probe *probe,
            json_object *roles, const char *meant)
{
    int64_t top = 0;
    int64_t found = -1;

    for (size_t i = 0; i < count_of(roles); i++) {
        json_object *role = json_object_array_get_idx(roles, i);
        int64_t position = 0;
        uint64_t id = 0;

        (void)jdoc_integer(role, "position", &position);
        found = found < 0 && is_role(role, meant) ? position : found;
        if (parse_snowflake(role, "id", &id) && has_role(probe, id) &&
            position > top) {
            top = position;
        }
    }
    if (found < 0 || found >= top) {
        buf_addf(&exchange->out->advice,
                 found < 0 ? "No role there is \"%s\": write its name, or its "
                             "id.\n"
                           : "The bot can't give the role \"%s\": move a role "
                             "of the bot's above it.\n",
                 meant);
    }
}

/* Call it before a channel's overwrites are known. */
static void
advise_roles(struct exchange *exchange, const struct probe *probe,
             json_object *roles)
{
    char *list = must_copy(exchange->op->others);
    char *save = NULL;

    if (*list != '\0' &&
        (probe->may & (MAY_ADMINISTER | MAY_GIVE_ROLES)) == 0) {
        advise(exchange, "To let the host give roles, give the bot the "
                         "permission \"Manage Roles\".");
    }
    for (char *line = strtok_r(list, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        advise_role(exchange, probe, roles, line);
    }
    free(list);
}

/* The role of everybody has the server's own id. */
static void
parse_permissions(struct exchange *exchange, struct probe *probe,
                  json_object *roles, uint64_t guild)
{
    for (size_t i = 0; i < count_of(roles); i++) {
        json_object *role = json_object_array_get_idx(roles, i);
        uint64_t id = 0;

        if (!parse_snowflake(role, "id", &id)) {
            continue;
        }
        uint64_t may = parse_bits(role, "permissions");

        if (id == guild) {
            probe->everybody |= may;
        } else if (moderates(exchange, role)) {
            buf_addf(&exchange->out->roles, "%" PRIu64 "\n", id);
        }
        if (id == guild || has_role(probe, id)) {
            probe->may |= may;
        } else if (probe->other_count < ROLES_MAX) {
            probe->others[probe->other_count++] = (struct other_role){id, may};
        }
    }
    advise_roles(exchange, probe, roles);
}

static void
parse_guild(struct exchange *exchange, struct probe *probe, uint64_t guild)
{
    uint64_t self = 0;
    uint64_t owner = 0;

    parse_permissions(exchange, probe, jdoc_get(exchange->value, "roles"),
                      guild);
    probe->owner = snowflake_read(exchange->service->self, &self) &&
                   parse_snowflake(exchange->value, "owner_id", &owner) &&
                   self == owner;
    if (owner != 0 && strcmp(exchange->op->text, ROLE_MANAGES) == 0) {
        buf_addf(&exchange->out->roles, "%" PRIu64 "\n", owner);
    }
}

/* The same for everybody else: with no role, and with each single role. */
static void
parse_others(struct probe *probe, json_object *list, uint64_t deny,
             uint64_t allow)
{
    for (size_t i = 0; i < probe->other_count; i++) {
        struct other_role *role = &probe->others[i];

        role->may = ((role->may | probe->everybody) & ~deny) | allow;
        for (size_t at = 0; at < count_of(list); at++) {
            json_object *overwrite = json_object_array_get_idx(list, at);
            uint64_t id = 0;

            if (parse_snowflake(overwrite, "id", &id) && id == role->id) {
                role->may = (role->may & ~parse_bits(overwrite, "deny")) |
                            parse_bits(overwrite, "allow");
            }
        }
    }
    probe->everybody = (probe->everybody & ~deny) | allow;
}

/* What a channel denies and allows: first to everybody, then to roles together,
 * then to the bot itself. */
static void
parse_overwrites(struct exchange *exchange, struct probe *probe, uint64_t guild)
{
    json_object *list = jdoc_get(exchange->value, "permission_overwrites");
    uint64_t deny[3] = {0, 0, 0};
    uint64_t allow[3] = {0, 0, 0};
    uint64_t self = 0;

    (void)snowflake_read(exchange->service->self, &self);
    for (size_t i = 0; i < count_of(list); i++) {
        json_object *overwrite = json_object_array_get_idx(list, i);
        uint64_t id = 0;

        (void)parse_snowflake(overwrite, "id", &id);
        int level = id == guild             ? 0
                    : has_role(probe, id)   ? 1
                    : id != 0 && id == self ? 2
                                            : -1;
        if (level >= 0) {
            deny[level] |= parse_bits(overwrite, "deny");
            allow[level] |= parse_bits(overwrite, "allow");
        }
    }
    for (int i = 0; i < 3; i++) {
        probe->may = (probe->may & ~deny[i]) | allow[i];
    }
    parse_others(probe, list, deny[0], allow[0]);
}

static void
parse_obstacles(struct exchange *exchange)
{
    json_object *thread = jdoc_get(exchange->value, "thread_metadata");
    bool locked = false;
    bool archived = false;
    int64_t slow = 0;

    (void)jdoc_bool(thread, "locked", &locked);
    (void)jdoc_bool(thread, "archived", &archived);
    if (locked) {
        advise(exchange, "The thread is locked: unlock it.");
    } else if (archived) {
        advise(exchange,
               "The thread was put away: it opens again with the next "
               "post in it.");
    }
    if (jdoc_integer(exchange->value, "rate_limit_per_user", &slow) &&
        slow > 0) {
        buf_addf(&exchange->out->advice,
                 "The channel is in slow mode, a post every %lld seconds: turn "
                 "that off, or players can't post again in time.\n",
                 (long long)slow);
    }
}

/* ---- telling ------------------------------------------------------------- */

/* What a permission is for, and the name that people see. */
static const struct need {
    uint64_t bit;
    const char *name, *purpose;
    bool thread, channel; /* needed in a thread; in a channel that is not one */
    bool always;          /* needed to host */
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

/* Where pins have no permission of their own, whoever manages messages may pin:
 * Spacebar's (src/util/util/Permissions.ts; routes .../messages/pins). */
static void
grant_old_permissions(struct exchange *exchange, struct probe *probe)
{
    if (!is_discord(exchange) && (probe->may & MAY_MANAGE) != 0) {
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
advise_host(struct exchange *exchange, const struct probe *probe)
{
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
        const struct need *need = &needs[i];

        if (lacks(probe, need)) {
            buf_addf(&exchange->out->advice,
                     "To let the host %s, give the bot the permission \"%s\" "
                     "there.\n",
                     need->purpose, need->name);
        }
    }
}

/* May everybody do that there, or those with some role other than an
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

/* Whoever may not write can't play. */
static void
advise_players(struct exchange *exchange, const struct probe *probe)
{
    static const char remedy[] =
        "give everybody, or a role that the players have, the permission";

    if (!players_may(probe, MAY_VIEW | MAY_READ_HISTORY)) {
        buf_addf(&exchange->out->advice,
                 "Players can't read there: %s \"View Channel\" and \"Read "
                 "Message History\".\n",
                 remedy);
    } else if (!probe->thread && !probe->forum &&
               !players_may(probe, MAY_SEND)) {
        buf_addf(&exchange->out->advice,
                 "Players can't write there: %s \"Send Messages\".\n", remedy);
    }
    if (!players_may(probe, MAY_SEND_IN_THREAD)) {
        buf_addf(&exchange->out->advice,
                 "Players can't write in threads there: %s \"Send Messages in "
                 "Threads\".\n",
                 remedy);
    }
}

/* A game asked for in a thread opens its own beside it; a forum post needs the
 * same permission as a message in a channel. */
static uint64_t
needed_to_open(const struct probe *probe)
{
    return MAY_VIEW | MAY_SEND_IN_THREAD |
           (probe->forum ? MAY_SEND : MAY_CREATE_THREADS);
}

static enum advance
tell(struct exchange *exchange, struct probe *probe)
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
        advise(exchange,
               "The service does not say what the bot may do there: look "
               "whether it may read and post.");
    } else if (exchange->op->kind == OP_PROBE) {
        advise_players(exchange, probe);
        if (exchange->op->text[0] != '\0' && exchange->out->roles.len == 0) {
            buf_addf(&exchange->out->advice,
                     "No role there is \"%s\": write its name, or its id.\n",
                     exchange->op->text);
        }
    }
    if (probe->unknown || probe->owner || (probe->may & MAY_ADMINISTER) != 0) {
        probe->may = ~UINT64_C(0);
    }
    grant_old_permissions(exchange, probe);
    advise_host(exchange, probe);
    exchange->out->rights |= RIGHT_DM;
    if ((probe->may & post) == post) {
        exchange->out->rights |= RIGHT_POST | RIGHT_EDIT;
    }
    if ((probe->may & open) == open) {
        exchange->out->rights |= RIGHT_OPEN;
    }
    for (size_t i = 0; i < sizeof(rights) / sizeof(rights[0]); i++) {
        if ((probe->may & rights[i].bits) == rights[i].bits) {
            exchange->out->rights |= (unsigned)rights[i].right;
        }
    }
    return ADVANCE_DONE;
}

/* ---- asking -------------------------------------------------------------- */

static enum advance
ask_of_guild(struct exchange *exchange, struct probe *probe,
             enum probe_step step, uint64_t guild)
{
    probe->step = step;
    ask_guild(exchange, "GET", guild,
              step == PROBE_MEMBER  ? "/members"
              : step == PROBE_ROLES ? "/roles"
                                    : "");
    if (step == PROBE_MEMBER) {
        ask_part(exchange, exchange->service->self);
    }
    limit_by(exchange, "guild", guild, 0);
    return ADVANCE_REQUEST;
}

static enum advance
ask_of_channel(struct exchange *exchange, struct probe *probe,
               enum probe_step step, uint64_t channel)
{
    probe->step = step;
    ask_channel(exchange, "GET", channel, "");
    limit_by(exchange, "channel", channel, 0);
    return ADVANCE_REQUEST;
}

/* A thread has its channel's overwrites. */
static enum advance
parse_there(struct exchange *exchange, struct probe *probe,
            struct channel_id where)
{
    int64_t type = CHANNEL_TEXT;
    uint64_t parent;

    parse_obstacles(exchange);
    (void)jdoc_integer(exchange->value, "type", &type);
    probe->thread = type_is_thread(type);
    if (probe->thread &&
        parse_snowflake(exchange->value, "parent_id", &parent)) {
        return ask_of_channel(exchange, probe, PROBE_PARENT, parent);
    }
    parse_overwrites(exchange, probe, where.guild);
    return tell(exchange, probe);
}

static enum advance
parse_part(struct exchange *exchange, struct probe *probe,
           struct channel_id where)
{
    int64_t type = CHANNEL_TEXT;

    switch (probe->step) {
    case PROBE_BEGIN:
        return ask_of_guild(exchange, probe, PROBE_MEMBER, where.guild);
    case PROBE_MEMBER:
        parse_roles(exchange, probe);
        return ask_of_guild(exchange, probe, PROBE_GUILD, where.guild);
    case PROBE_GUILD:
        parse_guild(exchange, probe, where.guild);
        /* Spacebar's guilds have none (src/api/routes/guilds/#guild_id). */
        return is_success(exchange) &&
                       jdoc_get(exchange->value, "roles") == NULL
                   ? ask_of_guild(exchange, probe, PROBE_ROLES, where.guild)
                   : ask_of_channel(exchange, probe, PROBE_CHANNEL,
                                    where.channel);
    case PROBE_ROLES:
        parse_permissions(exchange, probe, exchange->value, where.guild);
        return ask_of_channel(exchange, probe, PROBE_CHANNEL, where.channel);
    case PROBE_CHANNEL:
        return parse_there(exchange, probe, where);
    case PROBE_PARENT:
        break;
    }
    (void)jdoc_integer(exchange->value, "type", &type);
    probe->forum = type == CHANNEL_FORUM || type == CHANNEL_MEDIA;
    parse_overwrites(exchange, probe, where.guild);
    return tell(exchange, probe);
}

/* Can the question stay unanswered?  A bot that may not ask may still host.
 * Spacebar and Symfonia use 401 for more than a bad token
 * (src/api/routes/guilds/#guild_id/index.ts; crates/util/src/errors.rs), and
 * the token was good for the channel. */
static bool
may_stay_open(const struct exchange *exchange)
{
    return is_unavailable(exchange) || is_unsupported(exchange) ||
           (!is_discord(exchange) && exchange->reply->status == 401);
}

enum advance
probe_take(struct exchange *exchange, struct probe *probe,
           struct channel_id where)
{
    if (probe->step != PROBE_BEGIN && !is_success(exchange)) {
        /* If the channel itself can't be asked for, nothing can be hosted in
         * it. */
        if (!may_stay_open(exchange) || probe->step == PROBE_CHANNEL) {
            return discord_refused(exchange);
        }
        probe->unknown = true;
    }
    if (probe->step != PROBE_BEGIN && is_success(exchange) &&
        !json_object_is_type(exchange->value, probe->step == PROBE_ROLES
                                                  ? json_type_array
                                                  : json_type_object)) {
        return discord_refused(exchange);
    }
    return parse_part(exchange, probe, where);
}

/* ---- what another server has at all -------------------------------------- */

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

static enum advance
look_at(struct exchange *exchange, struct looking *looking, enum look_step step,
        struct channel_id where)
{
    looking->step = step;
    if (step == LOOK_THREADS) {
        ask_guild(exchange, "GET", where.guild, "/threads/active");
        limit_by(exchange, "threads", where.guild, 0);
    } else {
        ask_channel(exchange, "GET", where.channel,
                    step == LOOK_PINS ? "/messages/pins" : "/pins");
        limit_by(exchange, "pins", where.channel, 0);
    }
    return ADVANCE_REQUEST;
}

/* Does the reply say that there is nothing at this address, or nothing to ask
 * for? */
static bool
is_missing(const struct exchange *exchange)
{
    return is_unsupported(exchange) && exchange->reply->status != 403;
}

static enum advance
look(struct exchange *exchange, struct looking *looking,
     struct channel_id where)
{
    if (!is_success(exchange) && !is_unavailable(exchange) &&
        !is_unsupported(exchange)) {
        return discord_refused(exchange);
    }
    if (looking->step == LOOK_THREADS) {
        if (is_missing(exchange) && !looking->probe.thread) {
            advise(exchange,
                   "Nothing: the service does not say which threads it "
                   "has. Where it has none, games are played in the "
                   "channel itself.");
        }
        return look_at(exchange, looking, LOOK_PINS, where);
    }
    if (!is_missing(exchange)) {
        return ADVANCE_DONE;
    }
    if (looking->step == LOOK_PINS) {
        return look_at(exchange, looking, LOOK_OLD_PINS, where);
    }
    advise(exchange,
           "Nothing: the service has no pins. The status post stands in "
           "the channel as any other.");
    exchange->out->rights &= ~(unsigned)RIGHT_PIN;
    return ADVANCE_DONE;
}

enum advance
discord_probe(struct exchange *exchange)
{
    struct looking *looking = exchange_memory(exchange, sizeof(*looking));
    struct channel_id where;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    if (looking->step != LOOK_RIGHTS) {
        return look(exchange, looking, where);
    }
    enum advance advance = probe_take(exchange, &looking->probe, where);

    return advance == ADVANCE_DONE && !is_discord(exchange)
               ? look_at(exchange, looking, LOOK_THREADS, where)
               : advance;
}
