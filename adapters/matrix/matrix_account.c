/*
 * Matrix: the account, the configured rooms, and what it may do there.
 *
 * A room that was upgraded is closed, and names another that replaces it (C-S,
 * "Room upgrades"): the bot follows, if the other one names the room as its
 * predecessor.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define LOGIN      "/_matrix/client/v3/login"
#define JOIN       "/_matrix/client/v3/join"
#define KNOCK      "/_matrix/client/v3/knock"
#define LEVELS     "/state/m.room.power_levels"
#define ENCRYPTION "/state/m.room.encryption"
#define TOMBSTONE  "/state/m.room.tombstone"
#define CREATE     "/state/m.room.create"

/* Is there such a state in the room?  ERR_NONE: the reply says so. */
static bool
parse_presence(const struct exchange *exchange, bool *there)
{
    *there = is_success(exchange) &&
             json_object_is_type(exchange->value, json_type_object);
    return *there || is_refusal(exchange, 404, "");
}

/* ---- who am I? ----------------------------------------------------------- */

enum who_step {
    WHO_BEGIN,
    WHO_TOKEN,
    WHO_FLOWS, /* is it a homeserver that takes a password? */
    WHO_LOGIN
};

static enum advance
ask_login(struct exchange *exchange)
{
    const char *device = exchange_state(exchange, "device");
    struct buf user = BUF_INIT;

    ask(exchange, "POST", LOGIN);
    exchange->out->request.authorized = false;
    ask_text(exchange, "type", "m.login.password");
    buf_add_text(&user, "{\"type\":\"m.id.user\",\"user\":");
    jtext_string(&user, exchange->service->user);
    buf_add_text(&user, "}");
    ask_json(exchange, "identifier", buf_text(&user));
    ask_text(exchange, "password", exchange->service->password);
    ask_text(exchange, "initial_device_display_name", "placard");
    if (*device != '\0') {
        /* Else messages could be sent twice. */
        ask_text(exchange, "device_id", device);
    }
    ask_end(exchange, ROUTE_LOGIN);
    buf_release(&user);
    return ADVANCE_REQUEST;
}

/* Nothing else is sent the password.  A server whose accounts are elsewhere
 * has no such log-in (C-S, "OAuth 2.0 API"). */
static enum advance
parse_flows(struct exchange *exchange)
{
    json_object *flows = jdoc_get(exchange->value, "flows");
    bool list = json_object_is_type(flows, json_type_array);

    for (size_t i = 0;
         is_success(exchange) && list && i < json_object_array_length(flows);
         i++) {
        const char *type =
            jdoc_string(json_object_array_get_idx(flows, i), "type");

        if (type != NULL && strcmp(type, "m.login.password") == 0) {
            return ask_login(exchange);
        }
    }
    if (!is_refusal(exchange, 404, "M_UNRECOGNIZED") &&
        !(is_success(exchange) && list)) {
        return exchange_refused(exchange);
    }
    exchange->out->refused = REFUSED_ACCOUNT;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: the homeserver has no log-in by password: give "
                        "the host an access token",
                        exchange->service->name);
}

static enum advance
parse_login(struct exchange *exchange)
{
    const char *token = parse_id(exchange->value, "access_token");

    if (is_refusal(exchange, 403, "M_FORBIDDEN")) {
        (void)exchange_refused(exchange);
        buf_add_text(exchange->why, "; is the password right?");
        exchange->out->refused = REFUSED_ACCOUNT;
        return ADVANCE_FAILED;
    }
    if (!is_success(exchange) || token == NULL ||
        !exchange_set_state(exchange, STATE_TOKEN, token)) {
        return exchange_refused(exchange);
    }
    return parse_account(exchange);
}

enum advance
matrix_who(struct exchange *exchange)
{
    const char *secret = exchange->service->password;
    bool password = secret != NULL;

    if (password && strncmp(secret, GRANT_PREFIX, strlen(GRANT_PREFIX)) == 0) {
        return matrix_grant(exchange);
    }
    enum who_step *step = exchange_memory(exchange, sizeof(*step));

    switch (*step) {
    case WHO_BEGIN:
        if (!password || *exchange_state(exchange, STATE_TOKEN) != '\0') {
            *step = WHO_TOKEN;
            ask(exchange, "GET", WHOAMI);
            return ADVANCE_REQUEST;
        }
        break;
    case WHO_TOKEN:
        if (!password || !is_refusal(exchange, 401, "M_UNKNOWN_TOKEN")) {
            return parse_account(exchange);
        }
        break;
    case WHO_FLOWS:
        *step = WHO_LOGIN;
        return parse_flows(exchange);
    case WHO_LOGIN:
        return parse_login(exchange);
    }
    *step = WHO_FLOWS;
    ask(exchange, "GET", LOGIN);
    exchange->out->request.authorized = false;
    return ADVANCE_REQUEST;
}

/* ---- a configured room --------------------------------------------------- */

enum {
    UPGRADES_MAX = 8 /* upgrades of a room followed in one operation */
};

enum place_step {
    PLACE_BEGIN,
    PLACE_JOIN,
    PLACE_KNOCK,  /* may the host ask to be let in? */
    PLACE_CREATE, /* does the new room name the old one? */
    PLACE_TOMBSTONE,
    PLACE_ENCRYPTION
};

struct placing {
    enum place_step step;
    unsigned upgrades;
    char old[ADAPTER_ID_MAX + 1];  /* the room that was replaced; "": none */
    char next[ADAPTER_ID_MAX + 1]; /* the one that is entered, */
    char via[ADAPTER_ID_MAX + 1];  /* and a server that knows it; "": none */
};

static enum advance
ask_entry(struct exchange *exchange, struct placing *placing,
          enum place_step step)
{
    placing->step = step;
    ask(exchange, "POST", step == PLACE_JOIN ? JOIN : KNOCK);
    ask_part(exchange, placing->next);
    if (*placing->via != '\0') {
        /* The second one: since version 1.12. */
        ask_query(exchange, "server_name", placing->via);
        ask_query(exchange, "via", placing->via);
    }
    ask_end(exchange, ROUTE_JOIN);
    return ADVANCE_REQUEST;
}

static enum advance
ask_join(struct exchange *exchange, struct placing *placing, const char *room,
         const char *via)
{
    memcpy(placing->next, room, strlen(room) + 1);
    memcpy(placing->via, is_id(via) ? via : "",
           is_id(via) ? strlen(via) + 1 : 1);
    return ask_entry(exchange, placing, PLACE_JOIN);
}

static enum advance
begin_place(struct exchange *exchange, struct placing *placing)
{
    struct address address = {BUF_INIT, BUF_INIT};
    enum advance advance;

    if (!read_room(exchange->op->text, &address)) {
        advance = outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                               "%s: \"%s\" is no room: write its address, "
                               "#room:server, or its id, which begins with !",
                               exchange->service->name, exchange->op->text);
    } else {
        advance = ask_join(exchange, placing, buf_text(&address.id),
                           buf_text(&address.via));
    }
    address_release(&address);
    return advance;
}

static enum advance
ask_of_place(struct exchange *exchange, struct placing *placing,
             enum place_step step, const char *path)
{
    placing->step = step;
    ask_room(exchange, "GET", buf_text(&exchange->out->id), path);
    return ADVANCE_REQUEST;
}

/* Why a room can't be entered: the configured one, or one that replaces it. */
static enum advance
join_refused(struct exchange *exchange, const struct placing *placing,
             enum err err)
{
    const char *text = exchange->op->text;

    if (placing->upgrades > 0) {
        return outcome_fail(exchange->out, exchange->why, err,
                            "%s: the room %s was upgraded, and %s is not "
                            "invited into the new one, %s",
                            exchange->service->name, text,
                            exchange->service->self, placing->next);
    }
    if (err == ERR_GONE) {
        return outcome_fail(exchange->out, exchange->why, err,
                            "%s: there is no room %s", exchange->service->name,
                            text);
    }
    return outcome_fail(exchange->out, exchange->why, err,
                        "%s: %s is not invited into %s, or banned there",
                        exchange->service->name, exchange->service->self, text);
}

static enum advance
parse_join(struct exchange *exchange, struct placing *placing)
{
    /* The second one: for banned users (Synapse). */
    if (is_refusal(exchange, 403, "M_FORBIDDEN")) {
        return ask_entry(exchange, placing, PLACE_KNOCK);
    }
    if (is_refusal(exchange, 403, "M_BAD_STATE")) {
        return join_refused(exchange, placing, ERR_DENIED);
    }
    if (is_refusal(exchange, 404, "")) {
        return join_refused(exchange, placing, ERR_GONE);
    }
    if (!parse_result(exchange, "room_id")) {
        return exchange_refused(exchange);
    }
    return placing->upgrades > 0
               ? ask_of_place(exchange, placing, PLACE_CREATE, CREATE)
               : ask_of_place(exchange, placing, PLACE_TOMBSTONE, TOMBSTONE);
}

/* Where a room is open to it, the host has knocked, and comes in once it is
 * invited (C-S, "Knocking on rooms"). */
static enum advance
parse_knock(struct exchange *exchange, const struct placing *placing)
{
    if (!is_success(exchange)) {
        return exchange->reply->status == 0 || exchange->reply->status == 429
                   ? exchange_refused(exchange)
                   : join_refused(exchange, placing, ERR_DENIED);
    }
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: %s has asked to be let into %s, which somebody "
                        "there has to accept",
                        exchange->service->name, exchange->service->self,
                        placing->upgrades > 0 ? placing->next
                                              : exchange->op->text);
}

/* Anybody who may close a room can name any other as its successor: that counts
 * only if the other one confirms it. */
static enum advance
parse_create(struct exchange *exchange, struct placing *placing)
{
    const char *old =
        parse_id(jdoc_get(exchange->value, "predecessor"), "room_id");

    if (!is_success(exchange)) {
        return exchange_refused(exchange);
    }
    if (old == NULL || strcmp(old, placing->old) != 0) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the room %s was closed, and names %s, which "
                            "does not say that it replaces it: configure the "
                            "room in which to play",
                            exchange->service->name, exchange->op->text,
                            placing->next);
    }
    return ask_of_place(exchange, placing, PLACE_TOMBSTONE, TOMBSTONE);
}

/* Go on to the room that replaces one. */
static enum advance
follow(struct exchange *exchange, struct placing *placing, const char *next)
{
    const char *via = server_of(buf_text(&exchange->out->id));

    if (next == NULL || placing->upgrades == UPGRADES_MAX) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the room %s was closed; nothing replaces it",
                            exchange->service->name, exchange->op->text);
    }
    memcpy(placing->old, buf_text(&exchange->out->id),
           exchange->out->id.len + 1);
    placing->upgrades++;
    return ask_join(exchange, placing, next,
                    *via != '\0' ? via : server_of(exchange->service->self));
}

static enum advance
parse_tombstone(struct exchange *exchange, struct placing *placing)
{
    bool replaced;

    if (!parse_presence(exchange, &replaced)) {
        return exchange_refused(exchange);
    }
    return replaced
               ? follow(exchange, placing,
                        parse_id(exchange->value, "replacement_room"))
               : ask_of_place(exchange, placing, PLACE_ENCRYPTION, ENCRYPTION);
}

static enum advance
parse_encryption(struct exchange *exchange, const struct placing *placing)
{
    bool encrypted;

    if (!parse_presence(exchange, &encrypted)) {
        return exchange_refused(exchange);
    }
    if (encrypted) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: the room %s is encrypted, so the host can "
                            "read nothing there, and that can't be undone: "
                            "use a room without encryption",
                            exchange->service->name,
                            placing->upgrades > 0 ? placing->next
                                                  : exchange->op->text);
    }
    if (placing->upgrades > 0) {
        buf_addf(&exchange->out->advice,
                 "The room %s was upgraded, and the host has gone on to the "
                 "new one, %s: write that into the configuration.\n",
                 exchange->op->text, placing->next);
    }
    return ADVANCE_DONE;
}

static enum advance
take_place(struct exchange *exchange, struct placing *placing)
{
    switch (placing->step) {
    case PLACE_BEGIN:
        return begin_place(exchange, placing);
    case PLACE_JOIN:
        return parse_join(exchange, placing);
    case PLACE_KNOCK:
        return parse_knock(exchange, placing);
    case PLACE_CREATE:
        return parse_create(exchange, placing);
    case PLACE_TOMBSTONE:
        return parse_tombstone(exchange, placing);
    case PLACE_ENCRYPTION:
        break;
    }
    return parse_encryption(exchange, placing);
}

/* Nothing is read before the rooms are known. */
enum advance
matrix_place(struct exchange *exchange)
{
    enum advance advance =
        take_place(exchange, exchange_memory(exchange, sizeof(struct placing)));

    exchange->out->request.urgent = true;
    return advance;
}

/* ---- what may I do in a room? -------------------------------------------- */

enum probe_step {
    PROBE_BEGIN,
    PROBE_CREATE,
    PROBE_LEVELS
};

/* A power level; some old rooms have them as text (C-S, "Room versions"). */
static int64_t
level(json_object *levels, const char *key, int64_t normal)
{
    const char *text = jdoc_string(levels, key);
    int64_t number = normal;

    if (text != NULL) {
        return strtoll(text, NULL, 10);
    }
    return jdoc_integer(levels, key, &number) ? number : normal;
}

/* The level that an event type needs (C-S, m.room.power_levels, with its
 * defaults). */
static int64_t
level_of_event(json_object *levels, const char *type, bool state)
{
    int64_t normal = state ? level(levels, "state_default", 50)
                           : level(levels, "events_default", 0);

    return level(jdoc_get(levels, "events"), type, normal);
}

/* What the host can't do in a room, and the power level it would need. */
struct lack {
    struct buf what;
    int64_t level;
};

/* Note whether there is a right. */
static void
probe_right(struct exchange *exchange, enum right right, int64_t mine,
            int64_t needed, const char *what, struct lack *lack)
{
    if (mine >= needed) {
        exchange->out->rights |= (unsigned)right;
        return;
    }
    buf_addf(&lack->what, "%s%s", lack->what.len > 0 ? ", " : "", what);
    lack->level = needed > lack->level ? needed : lack->level;
}

static void
advise_level(struct exchange *exchange, int64_t mine, struct lack *lack,
             const char *without)
{
    if (lack->what.len > 0) {
        buf_addf(&exchange->out->advice,
                 "Give %s the power level %lld in the room's settings (it has "
                 "%lld), for what the host can't do yet: %s. %s\n",
                 exchange->service->self, (long long)lack->level,
                 (long long)mine, buf_text(&lack->what), without);
    }
    buf_release(&lack->what);
}

static void
probe_levels(struct exchange *exchange, json_object *levels, int64_t mine)
{
    struct lack needed = {BUF_INIT, 0};
    struct lack wanted = {BUF_INIT, 0};
    int64_t removal = level(levels, "redact", 50);
    int64_t redaction = level_of_event(levels, "m.room.redaction", false);

    /* Every server takes pictures, and an encrypted room is none to host in
     * (parse_encryption). */
    exchange->out->rights |= RIGHT_READ | RIGHT_DM | RIGHT_UPLOAD;
    probe_right(exchange, RIGHT_POST, mine,
                level_of_event(levels, "m.room.message", false), "write",
                &needed);
    if ((exchange->out->rights & RIGHT_POST) != 0) {
        exchange->out->rights |= RIGHT_EDIT;
    }
    probe_right(exchange, RIGHT_REACT, mine,
                level_of_event(levels, "m.reaction", false),
                "acknowledge votes by a reaction", &wanted);
    probe_right(exchange, RIGHT_PIN, mine,
                level_of_event(levels, "m.room.pinned_events", true),
                "pin its status post", &wanted);
    probe_right(exchange, RIGHT_DELETE, mine,
                removal > redaction ? removal : redaction,
                "delete posts that break the silence", &wanted);
    advise_level(exchange, mine, &needed, "Without that it can't host there.");
    advise_level(exchange, mine, &wanted, "It hosts without that, too.");
}

/* Where people have all power because they made the room, it doesn't stand in
 * its power levels: since version 12, whose ids have no server (C-S, "Room
 * versions"). */
static bool
has_creators(const char *room)
{
    return *server_of(room) == '\0';
}

/* Is the host one of those?  The reply is the whole event of its creation. */
static bool
parse_creators(const struct exchange *exchange)
{
    const char *self = exchange->service->self;
    const char *sender = jdoc_string(exchange->value, "sender");
    json_object *others =
        jdoc_get(jdoc_get(exchange->value, "content"), "additional_creators");
    bool found = sender != NULL && strcmp(sender, self) == 0;

    for (size_t i = 0; json_object_is_type(others, json_type_array) &&
                       i < json_object_array_length(others);
         i++) {
        json_object *other = json_object_array_get_idx(others, i);

        found = found || (json_object_is_type(other, json_type_string) &&
                          strcmp(json_object_get_string(other), self) == 0);
    }
    return found;
}

static enum advance
parse_levels(struct exchange *exchange, bool creator)
{
    bool there;

    if (!parse_presence(exchange, &there)) {
        return exchange_refused(exchange);
    }
    json_object *levels = there ? exchange->value : NULL;

    probe_levels(exchange, levels,
                 creator
                     ? INT64_MAX
                     : level(jdoc_get(levels, "users"), exchange->service->self,
                             level(levels, "users_default", 0)));
    return ADVANCE_DONE;
}

struct probing {
    enum probe_step step;
    bool creator; /* the host has all power there */
};

enum advance
matrix_probe(struct exchange *exchange)
{
    struct probing *probing = exchange_memory(exchange, sizeof(*probing));

    if (probing->step != PROBE_BEGIN &&
        is_refusal(exchange, 403, "M_FORBIDDEN")) {
        buf_addf(&exchange->out->advice, "Invite %s into the room.\n",
                 exchange->service->self);
        return ADVANCE_DONE;
    }
    switch (probing->step++) {
    case PROBE_BEGIN:
        if (has_creators(exchange->op->place)) {
            ask_room(exchange, "GET", exchange->op->place, CREATE);
            ask_query(exchange, "format", "event");
            return ADVANCE_REQUEST;
        }
        probing->step = PROBE_LEVELS;
        break;
    case PROBE_CREATE:
        if (!is_success(exchange)) {
            return exchange_refused(exchange);
        }
        probing->creator = parse_creators(exchange);
        break;
    case PROBE_LEVELS:
        return parse_levels(exchange, probing->creator);
    }
    ask_room(exchange, "GET", exchange->op->place, LEVELS);
    return ADVANCE_REQUEST;
}

/* ---- a moderator --------------------------------------------------------- */

enum {
    LEVEL_MODERATOR = 50 /* what apps call one */
};

enum appoint_step {
    APPOINT_BEGIN,
    APPOINT_INVITE,
    APPOINT_LEVELS,
    APPOINT_SENT
};

/* Write the power levels as they are, and that user's beside them. */
static enum advance
ask_power(struct exchange *exchange)
{
    const char *user = exchange->op->user;
    json_object *levels = exchange->value;
    json_object *users = jdoc_get(levels, "users");

    if (!is_success(exchange) ||
        !json_object_is_type(levels, json_type_object)) {
        return exchange_refused(exchange);
    }
    if (level(users, user, level(levels, "users_default", 0)) >=
        LEVEL_MODERATOR) {
        return ADVANCE_DONE;
    }
    if (!json_object_is_type(users, json_type_object)) {
        users = json_object_new_object();
        json_object_object_add(levels, "users", users);
    }
    json_object_object_add(users, user, json_object_new_int(LEVEL_MODERATOR));
    ask_room(exchange, "PUT", exchange->op->place, LEVELS);
    json_object_object_foreach(levels, key, value)
    {
        ask_json(exchange, key,
                 json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
    }
    ask_end(exchange, ROUTE_SEND);
    return ADVANCE_REQUEST;
}

/* Who is in the room already can't be invited, and may have the power all the
 * same. */
enum advance
matrix_appoint(struct exchange *exchange)
{
    enum appoint_step *step = exchange_memory(exchange, sizeof(*step));

    switch ((*step)++) {
    case APPOINT_BEGIN:
        ask_room(exchange, "POST", exchange->op->place, "/invite");
        ask_text(exchange, "user_id", exchange->op->user);
        ask_end(exchange, ROUTE_INVITE);
        return ADVANCE_REQUEST;
    case APPOINT_INVITE:
        if (!is_success(exchange) &&
            !is_refusal(exchange, 403, "M_FORBIDDEN")) {
            return exchange_refused(exchange);
        }
        ask_room(exchange, "GET", exchange->op->place, LEVELS);
        return ADVANCE_REQUEST;
    case APPOINT_LEVELS:
        return ask_power(exchange);
    case APPOINT_SENT:
        break;
    }
    return parse_result(exchange, "event_id") ? ADVANCE_DONE
                                              : exchange_refused(exchange);
}
