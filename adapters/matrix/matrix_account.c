/*
 * Matrix: the account, the rooms that were configured, and what it may there.
 *
 * A room that was upgraded is closed, and names another that replaces it (C-S,
 * "Room upgrades"): the bot follows, if the other one names the room as its
 * predecessor.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define WHOAMI     "/_matrix/client/v3/account/whoami"
#define LOGIN      "/_matrix/client/v3/login"
#define JOIN       "/_matrix/client/v3/join"
#define MEDIA      "/_matrix/client/v1/media/config"
#define LEVELS     "/state/m.room.power_levels"
#define ENCRYPTION "/state/m.room.encryption"
#define TOMBSTONE  "/state/m.room.tombstone"
#define CREATE     "/state/m.room.create"

/* Is there such a state in the room?  ERR_NONE where that was heard. */
static bool
hear_presence(const struct trip *trip, bool *there)
{
    *there =
        heard_well(trip) && json_object_is_type(trip->value, json_type_object);
    return *there || heard_no(trip, 404, "");
}

/* ---- who am I? ----------------------------------------------------------- */

enum who_step {
    WHO_BEGIN,
    WHO_TOKEN,
    WHO_LOGIN
};

static enum turn
ask_login(struct trip *trip)
{
    const char *device = trip_note(trip, "device");
    struct buf user = BUF_INIT;

    ask(trip, "POST", LOGIN);
    trip->out->request.authorized = false;
    ask_text(trip, "type", "m.login.password");
    buf_add_text(&user, "{\"type\":\"m.id.user\",\"user\":");
    jtext_string(&user, trip->service->user);
    buf_add_text(&user, "}");
    ask_json(trip, "identifier", buf_text(&user));
    ask_text(trip, "password", trip->service->password);
    ask_text(trip, "initial_device_display_name", "placard");
    if (*device != '\0') {
        /* Else what was sent before could be sent once more. */
        ask_text(trip, "device_id", device);
    }
    ask_end(trip, ROUTE_LOGIN);
    buf_release(&user);
    return TURN_REQUEST;
}

/* Read the account out of what a log-in or a token's check answers. */
static enum turn
hear_account(struct trip *trip)
{
    const char *device = hear_id(trip->value, "device_id");

    if (!hear_result(trip, "user_id")) {
        return trip_refused(trip);
    }
    buf_add_buf(&trip->out->shown, &trip->out->id);
    if (device != NULL && strcmp(device, trip_note(trip, "device")) != 0) {
        (void)trip_set_note(trip, "device", device);
    }
    return TURN_DONE;
}

static enum turn
hear_login(struct trip *trip)
{
    const char *token = hear_id(trip->value, "access_token");

    if (heard_no(trip, 404, "M_UNRECOGNIZED") ||
        heard_no(trip, 403, "M_FORBIDDEN")) {
        (void)trip_refused(trip);
        buf_add_text(trip->why, trip->reply->status == 404
                                    ? "; it has no log-in by password: give "
                                      "the host an access token"
                                    : "; is the password right?");
        trip->out->refused = REFUSED_ACCOUNT;
        return TURN_FAILED;
    }
    if (!heard_well(trip) || token == NULL ||
        !trip_set_note(trip, "secret.token", token)) {
        return trip_refused(trip);
    }
    return hear_account(trip);
}

enum turn
turn_who(struct trip *trip)
{
    enum who_step *step = trip_memory(trip, sizeof(*step));
    bool password = trip->service->password != NULL;

    switch (*step) {
    case WHO_BEGIN:
        if (!password || *trip_note(trip, "secret.token") != '\0') {
            *step = WHO_TOKEN;
            ask(trip, "GET", WHOAMI);
            return TURN_REQUEST;
        }
        break;
    case WHO_TOKEN:
        if (!password || !heard_no(trip, 401, "M_UNKNOWN_TOKEN")) {
            return hear_account(trip);
        }
        break;
    case WHO_LOGIN:
        return hear_login(trip);
    }
    *step = WHO_LOGIN;
    return ask_login(trip);
}

/* ---- a configured room --------------------------------------------------- */

enum {
    UPGRADES_MAX = 8 /* of a room, that are followed in one errand */
};

enum place_step {
    PLACE_BEGIN,
    PLACE_JOIN,
    PLACE_CREATE, /* does the new room name the old one? */
    PLACE_TOMBSTONE,
    PLACE_ENCRYPTION
};

struct placing {
    enum place_step step;
    unsigned upgrades;
    char old[ADAPTER_ID_MAX + 1]; /* the room that was replaced; "": none */
    char next[ADAPTER_ID_MAX + 1];
};

static void
ask_join(struct trip *trip, const char *room, const char *via)
{
    ask(trip, "POST", JOIN);
    ask_part(trip, room);
    if (*via != '\0') {
        /* The second since version 1.12. */
        ask_query(trip, "server_name", via);
        ask_query(trip, "via", via);
    }
    ask_end(trip, ROUTE_JOIN);
}

static enum turn
begin_place(struct trip *trip, struct placing *placing)
{
    struct address address = {BUF_INIT, BUF_INIT};
    enum turn turn = TURN_REQUEST;

    if (!read_room(trip->errand->text, &address)) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no room: write its address, "
                            "#room:server, or its id, which begins with !",
                            trip->service->name, trip->errand->text);
    } else {
        placing->step = PLACE_JOIN;
        ask_join(trip, buf_text(&address.id), buf_text(&address.via));
    }
    address_release(&address);
    return turn;
}

static enum turn
ask_of_place(struct trip *trip, struct placing *placing, enum place_step step,
             const char *path)
{
    placing->step = step;
    ask_room(trip, "GET", buf_text(&trip->out->id), path);
    return TURN_REQUEST;
}

/* Why a room can't be entered: the configured one, or one that replaces it. */
static enum turn
join_refused(struct trip *trip, const struct placing *placing, enum err err)
{
    const char *text = trip->errand->text;

    if (placing->upgrades > 0) {
        return outcome_fail(trip->out, trip->why, err,
                            "%s: the room %s was upgraded, and %s is not "
                            "invited into the new one, %s",
                            trip->service->name, text, trip->service->self,
                            placing->next);
    }
    if (err == ERR_GONE) {
        return outcome_fail(trip->out, trip->why, err,
                            "%s: there is no room %s", trip->service->name,
                            text);
    }
    return outcome_fail(trip->out, trip->why, err,
                        "%s: %s is not invited into %s, or banned there",
                        trip->service->name, trip->service->self, text);
}

static enum turn
hear_join(struct trip *trip, struct placing *placing)
{
    /* The second of who is banned (Synapse). */
    if (heard_no(trip, 403, "M_FORBIDDEN") ||
        heard_no(trip, 403, "M_BAD_STATE")) {
        return join_refused(trip, placing, ERR_DENIED);
    }
    if (heard_no(trip, 404, "")) {
        return join_refused(trip, placing, ERR_GONE);
    }
    if (!hear_result(trip, "room_id")) {
        return trip_refused(trip);
    }
    return placing->upgrades > 0
               ? ask_of_place(trip, placing, PLACE_CREATE, CREATE)
               : ask_of_place(trip, placing, PLACE_TOMBSTONE, TOMBSTONE);
}

/* Anybody with the right to close a room may name any other: it counts only
 * where that says the same. */
static enum turn
hear_create(struct trip *trip, struct placing *placing)
{
    const char *old = hear_id(jdoc_get(trip->value, "predecessor"), "room_id");

    if (!heard_well(trip)) {
        return trip_refused(trip);
    }
    if (old == NULL || strcmp(old, placing->old) != 0) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the room %s was closed, and names %s, which "
                            "does not say that it replaces it: configure the "
                            "room in which to play",
                            trip->service->name, trip->errand->text,
                            placing->next);
    }
    return ask_of_place(trip, placing, PLACE_TOMBSTONE, TOMBSTONE);
}

/* Go on to the room that replaces one. */
static enum turn
follow(struct trip *trip, struct placing *placing, const char *next)
{
    const char *via = server_of(buf_text(&trip->out->id));

    if (next == NULL || placing->upgrades == UPGRADES_MAX) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the room %s was closed; nothing replaces it",
                            trip->service->name, trip->errand->text);
    }
    memcpy(placing->old, buf_text(&trip->out->id), trip->out->id.len + 1);
    memcpy(placing->next, next, strlen(next) + 1);
    placing->upgrades++;
    placing->step = PLACE_JOIN;
    ask_join(trip, next, *via != '\0' ? via : server_of(trip->service->self));
    return TURN_REQUEST;
}

static enum turn
hear_tombstone(struct trip *trip, struct placing *placing)
{
    bool replaced;

    if (!hear_presence(trip, &replaced)) {
        return trip_refused(trip);
    }
    return replaced
               ? follow(trip, placing, hear_id(trip->value, "replacement_room"))
               : ask_of_place(trip, placing, PLACE_ENCRYPTION, ENCRYPTION);
}

static enum turn
hear_encryption(struct trip *trip, const struct placing *placing)
{
    bool encrypted;

    if (!hear_presence(trip, &encrypted)) {
        return trip_refused(trip);
    }
    if (encrypted) {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the room %s is encrypted, so the host can "
                            "read nothing there, and that can't be undone: "
                            "use a room without encryption",
                            trip->service->name,
                            placing->upgrades > 0 ? placing->next
                                                  : trip->errand->text);
    }
    if (placing->upgrades > 0) {
        buf_addf(&trip->out->advice,
                 "The room %s was upgraded, and the host has gone on to the "
                 "new one, %s: write that into the configuration.\n",
                 trip->errand->text, placing->next);
    }
    return TURN_DONE;
}

static enum turn
take_place(struct trip *trip, struct placing *placing)
{
    switch (placing->step) {
    case PLACE_BEGIN:
        return begin_place(trip, placing);
    case PLACE_JOIN:
        return hear_join(trip, placing);
    case PLACE_CREATE:
        return hear_create(trip, placing);
    case PLACE_TOMBSTONE:
        return hear_tombstone(trip, placing);
    case PLACE_ENCRYPTION:
        break;
    }
    return hear_encryption(trip, placing);
}

/* Nothing is read before the rooms are known. */
enum turn
turn_place(struct trip *trip)
{
    enum turn turn =
        take_place(trip, trip_memory(trip, sizeof(struct placing)));

    trip->out->request.urgent = true;
    return turn;
}

/* ---- what may I do in a room? -------------------------------------------- */

enum probe_step {
    PROBE_BEGIN,
    PROBE_LEVELS,
    PROBE_ENCRYPTION,
    PROBE_MEDIA
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

/* The level that an event of some type needs (C-S, m.room.power_levels: what
 * is not there has these defaults). */
static int64_t
level_of_event(json_object *levels, const char *type, bool state)
{
    int64_t normal = state ? level(levels, "state_default", 50)
                           : level(levels, "events_default", 0);

    return level(jdoc_get(levels, "events"), type, normal);
}

/* What the host can't do in a room, and from which power level on it could. */
struct lack {
    struct buf what;
    int64_t level;
};

/* Note whether there is a right. */
static void
probe_right(struct trip *trip, enum right right, int64_t mine, int64_t needed,
            const char *what, struct lack *lack)
{
    if (mine >= needed) {
        trip->out->rights |= (unsigned)right;
        return;
    }
    buf_addf(&lack->what, "%s%s", lack->what.len > 0 ? ", " : "", what);
    lack->level = needed > lack->level ? needed : lack->level;
}

static void
advise_level(struct trip *trip, int64_t mine, struct lack *lack,
             const char *without)
{
    if (lack->what.len > 0) {
        buf_addf(&trip->out->advice,
                 "Give %s the power level %lld in the room's settings (it has "
                 "%lld), for what the host can't do yet: %s. %s\n",
                 trip->service->self, (long long)lack->level, (long long)mine,
                 buf_text(&lack->what), without);
    }
    buf_release(&lack->what);
}

static void
probe_levels(struct trip *trip, json_object *levels)
{
    struct lack needed = {BUF_INIT, 0};
    struct lack wanted = {BUF_INIT, 0};
    int64_t mine = level(jdoc_get(levels, "users"), trip->service->self,
                         level(levels, "users_default", 0));
    int64_t removal = level(levels, "redact", 50);
    int64_t redaction = level_of_event(levels, "m.room.redaction", false);

    trip->out->rights |= RIGHT_READ | RIGHT_TALK;
    probe_right(trip, RIGHT_POST, mine,
                level_of_event(levels, "m.room.message", false), "write",
                &needed);
    if ((trip->out->rights & RIGHT_POST) != 0) {
        trip->out->rights |= RIGHT_EDIT;
    }
    probe_right(trip, RIGHT_REACT, mine,
                level_of_event(levels, "m.reaction", false),
                "acknowledge votes by a reaction", &wanted);
    probe_right(trip, RIGHT_PIN, mine,
                level_of_event(levels, "m.room.pinned_events", true),
                "pin its status post", &wanted);
    probe_right(trip, RIGHT_DELETE, mine,
                removal > redaction ? removal : redaction,
                "delete posts that break the silence", &wanted);
    advise_level(trip, mine, &needed, "Without that it can't host there.");
    advise_level(trip, mine, &wanted, "It hosts without that, too.");
}

static enum turn
hear_levels(struct trip *trip)
{
    bool there;

    if (heard_no(trip, 403, "M_FORBIDDEN")) {
        buf_addf(&trip->out->advice, "Invite %s into the room.\n",
                 trip->service->self);
        return TURN_DONE;
    }
    if (!hear_presence(trip, &there)) {
        return trip_refused(trip);
    }
    probe_levels(trip, there ? trip->value : NULL);
    ask_room(trip, "GET", trip->errand->place, ENCRYPTION);
    return TURN_REQUEST;
}

static enum turn
hear_secrecy(struct trip *trip)
{
    bool encrypted;

    if (!hear_presence(trip, &encrypted)) {
        return trip_refused(trip);
    }
    if (encrypted) {
        trip->out->rights &= ~(unsigned)RIGHT_READ;
        buf_add_text(&trip->out->advice,
                     "The room is encrypted, so the host can read nothing "
                     "there, and that can't be undone: use a room without "
                     "encryption.\n");
    }
    ask(trip, "GET", MEDIA);
    return TURN_REQUEST;
}

static enum turn
hear_media(struct trip *trip)
{
    bool there;

    if (!hear_presence(trip, &there)) {
        return trip_refused(trip);
    }
    /* Servers before version 1.11 have it elsewhere, and take pictures too. */
    trip->out->rights |= RIGHT_UPLOAD;
    return TURN_DONE;
}

enum turn
turn_probe(struct trip *trip)
{
    enum probe_step *step = trip_memory(trip, sizeof(*step));

    switch ((*step)++) {
    case PROBE_BEGIN:
        ask_room(trip, "GET", trip->errand->place, LEVELS);
        return TURN_REQUEST;
    case PROBE_LEVELS:
        return hear_levels(trip);
    case PROBE_ENCRYPTION:
        return hear_secrecy(trip);
    case PROBE_MEDIA:
        break;
    }
    return hear_media(trip);
}
