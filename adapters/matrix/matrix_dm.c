/*
 * Matrix: private talks.
 *
 * A talk is a room that the bot makes for one user: made by the bot, because a
 * room that a client makes may be encrypted, and because nobody else can then
 * ask a third person in.  createRoom has no transaction id; its alias does what
 * one would: a server gives an alias once, so that a room whose answer got lost
 * is found by it, and never made twice.  The alias is a name that others can't
 * guess (trip_name), or they could take it first.
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define CREATE    "/_matrix/client/v3/createRoom"
#define PROFILE   "/_matrix/client/v3/profile"
#define DIRECTORY "/_matrix/client/v3/directory/room"

/* ---- who is in a room ---------------------------------------------------- */

static void
count_member(const struct trip *trip, json_object *event,
             struct company *company)
{
    const char *user = jdoc_string(event, "state_key");
    const char *is = jdoc_string(jdoc_get(event, "content"), "membership");
    bool here = is != NULL && strcmp(is, "join") == 0;
    bool invited = is != NULL && strcmp(is, "invite") == 0;

    if (user == NULL || strcmp(user, trip->service->self) == 0) {
        return;
    }
    if (strcmp(user, trip->errand->user) != 0) {
        company->others = company->others || here || invited;
        return;
    }
    company->here = here;
    company->invited = invited;
    company->banned = is != NULL && strcmp(is, "ban") == 0;
}

struct company
hear_company(const struct trip *trip, json_object *events)
{
    struct company company = {false, false, false, false};

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *type = jdoc_string(event, "type");

        if (type != NULL && strcmp(type, "m.room.member") == 0) {
            count_member(trip, event, &company);
        }
    }
    return company;
}

/* ---- opening ------------------------------------------------------------- */

enum talk_step {
    TALK_BEGIN,
    TALK_ALIAS,   /* is there a room of that alias? */
    TALK_PROFILE, /* is there such a user? */
    TALK_CREATE,
    TALK_STATE,    /* is the room as it has to be? */
    TALK_INVITE,   /* the user is asked in once more */
    TALK_WITHDRAW, /* it is given up: nobody is asked in any more, */
    TALK_FREE,     /* its alias is free again, */
    TALK_LEAVE,    /* and the bot leaves it */
};

struct talk {
    enum talk_step step;
    bool unlisted; /* by the preset of public rooms, see ask_create */
    char room[ADAPTER_ID_MAX + 1];
};

/* The alias without its server: what createRoom takes. */
static void
add_alias(const struct trip *trip, struct buf *alias)
{
    buf_add_text(alias, "placard_");
    trip_name(trip, "talk", trip->errand->user, alias);
}

static enum turn
ask_alias(struct trip *trip, struct talk *talk, const char *method)
{
    struct buf alias = BUF_INIT;

    buf_add_char(&alias, '#');
    add_alias(trip, &alias);
    buf_addf(&alias, ":%s", server_of(trip->service->self));
    ask(trip, method, DIRECTORY);
    ask_part(trip, buf_text(&alias));
    trip->out->request.urgent = true;
    talk->step = strcmp(method, "GET") == 0 ? TALK_ALIAS : TALK_FREE;
    buf_release(&alias);
    return TURN_REQUEST;
}

/* In a room of the ordinary preset nobody but the bot may ask anybody in, and
 * nobody but the bot may turn on encryption.  Some servers turn it on by
 * themselves in rooms of that preset (Synapse,
 * encryption_enabled_by_default_for_room_type); then a room of the public one,
 * made private event by event before anybody can come.  It is not called by its
 * alias: apps then show it by the name of the other who is in it. */
static enum turn
ask_create(struct trip *trip, struct talk *talk)
{
    static const char closed[] =
        "[{\"type\":\"m.room.join_rules\",\"state_key\":\"\",\"content\":"
        "{\"join_rule\":\"invite\"}},{\"type\":\"m.room.guest_access\","
        "\"state_key\":\"\",\"content\":{\"guest_access\":\"forbidden\"}},"
        "{\"type\":\"m.room.history_visibility\",\"state_key\":\"\","
        "\"content\":{\"history_visibility\":\"shared\"}},"
        "{\"type\":\"m.room.canonical_alias\",\"state_key\":\"\","
        "\"content\":{}}]";
    struct buf text = BUF_INIT;

    talk->step = TALK_CREATE;
    ask(trip, "POST", CREATE);
    ask_text(trip, "preset", talk->unlisted ? "public_chat" : "private_chat");
    ask_text(trip, "visibility", "private");
    ask_json(trip, "initial_state", closed);
    ask_json(trip, "is_direct", "true");
    ask_json(trip, "power_level_content_override", "{\"invite\":100}");
    add_alias(trip, &text);
    ask_text(trip, "room_alias_name", buf_text(&text));
    if (*trip->errand->text != '\0') {
        /* Apps show it beside the invitation, unlike a first message. */
        ask_text(trip, "topic", trip->errand->text);
    }
    buf_clear(&text);
    buf_add_char(&text, '[');
    jtext_string(&text, trip->errand->user);
    buf_add_char(&text, ']');
    ask_json(trip, "invite", buf_text(&text));
    buf_clear(&text);
    buf_add_char(&text, '{');
    jtext_key(&text, TALK_KEY);
    jtext_string(&text, trip->errand->user);
    buf_add_char(&text, '}');
    ask_json(trip, "creation_content", buf_text(&text));
    ask_end(trip, ROUTE_CREATE);
    trip->out->request.urgent = true;
    buf_release(&text);
    return TURN_REQUEST;
}

static enum turn
ask_state(struct trip *trip, struct talk *talk)
{
    const char *room = hear_id(trip->value, "room_id");

    if (!heard_well(trip) || room == NULL) {
        return trip_refused(trip);
    }
    memcpy(talk->room, room, strlen(room) + 1);
    talk->step = TALK_STATE;
    ask_room(trip, "GET", talk->room, "/state");
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

static enum turn
ask_in_room(struct trip *trip, struct talk *talk, enum talk_step step,
            const char *path)
{
    talk->step = step;
    ask_room(trip, "POST", talk->room, path);
    if (step != TALK_LEAVE) {
        ask_text(trip, "user_id", trip->errand->user);
    }
    ask_end(trip, ROUTE_INVITE);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* Why the user can't be asked in: a refusal that is not the account's own is
 * about that user, unless it says that the account may do no more. */
static enum turn
person_refused(struct trip *trip)
{
    (void)trip_refused(trip);
    if (trip->reply->status == 403 && trip->out->refused == REFUSED_RIGHT &&
        !heard_no(trip, 403, "M_USER_LIMIT_EXCEEDED")) {
        trip->out->refused = REFUSED_PERSON;
    }
    return TURN_FAILED;
}

static enum turn
talk_done(struct trip *trip, const struct talk *talk)
{
    if (talk->unlisted && *trip_note(trip, "unlisted") == '\0') {
        (void)trip_set_note(trip, "unlisted", "yes");
    }
    buf_clear(&trip->out->id);
    buf_add_text(&trip->out->id, talk->room);
    return TURN_DONE;
}

static enum turn
hear_alias(struct trip *trip, struct talk *talk)
{
    if (!heard_no(trip, 404, "")) {
        return ask_state(trip, talk);
    }
    talk->step = TALK_PROFILE;
    ask(trip, "GET", PROFILE);
    ask_part(trip, trip->errand->user);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* A user who is not there can be asked in all the same, and never comes.  A
 * server may keep profiles to itself (C-S, GET /profile). */
static enum turn
hear_profile(struct trip *trip, struct talk *talk)
{
    if (heard_no(trip, 404, "")) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: there is no user %s", trip->service->name,
                            trip->errand->user);
    }
    if (!heard_well(trip) && !heard_no(trip, 403, "M_FORBIDDEN")) {
        return trip_refused(trip);
    }
    return ask_create(trip, talk);
}

static enum turn
hear_create(struct trip *trip, struct talk *talk)
{
    if (heard_no(trip, 400, "M_ROOM_IN_USE")) {
        return ask_alias(trip, talk, "GET");
    }
    return heard_well(trip) ? ask_state(trip, talk) : person_refused(trip);
}

/* Whose talk is the room, as it was made? */
static bool
is_ours(const struct trip *trip, json_object *events)
{
    json_object *create = hear_state(events, "m.room.create", "");
    const char *user = jdoc_string(create, TALK_KEY);
    json_object *rules = hear_state(events, "m.room.join_rules", "");
    const char *rule = jdoc_string(rules, "join_rule");

    return user != NULL && strcmp(user, trip->errand->user) == 0 &&
           rule != NULL && strcmp(rule, "invite") == 0;
}

static enum turn
hear_whole(struct trip *trip, struct talk *talk)
{
    json_object *events = trip->value;

    if (hear_state(events, "m.room.encryption", "") != NULL) {
        if (talk->unlisted) {
            return outcome_fail(
                trip->out, trip->why, ERR_DENIED,
                "%s: the homeserver encrypts every room, so the host can have "
                "no private talks: its admin has to allow rooms without",
                trip->service->name);
        }
        return ask_in_room(trip, talk, TALK_WITHDRAW, "/kick");
    }
    struct company company = hear_company(trip, events);

    if (!is_ours(trip, events) || company.others || company.banned) {
        trip->out->refused = REFUSED_PERSON;
        return outcome_fail(trip->out, trip->why, ERR_DENIED,
                            "%s: the private talk with %s is not private",
                            trip->service->name, trip->errand->user);
    }
    if (!company.here && !company.invited) {
        return ask_in_room(trip, talk, TALK_INVITE, "/invite");
    }
    return talk_done(trip, talk);
}

static enum turn
hear_talk_state(struct trip *trip, struct talk *talk)
{
    /* The bot is not there: making it was broken off, or it was left. */
    if (heard_no(trip, 403, "M_FORBIDDEN")) {
        return ask_alias(trip, talk, "DELETE");
    }
    if (!heard_well(trip) ||
        !json_object_is_type(trip->value, json_type_array)) {
        return trip_refused(trip);
    }
    return hear_whole(trip, talk);
}

/* A room is given up, whose user or whose bot may not be in it. */
static bool
gave_up(const struct trip *trip)
{
    return heard_well(trip) || heard_no(trip, 403, "") ||
           heard_no(trip, 404, "");
}

/* A room that can't be the talk leaves nobody asked in, no alias and no bot
 * behind; then another is made. */
static enum turn
give_up(struct trip *trip, struct talk *talk)
{
    if (!gave_up(trip)) {
        return trip_refused(trip);
    }
    if (talk->step == TALK_WITHDRAW) {
        talk->unlisted = true;
        return ask_alias(trip, talk, "DELETE");
    }
    if (talk->step == TALK_FREE) {
        return ask_in_room(trip, talk, TALK_LEAVE, "/leave");
    }
    return ask_create(trip, talk);
}

enum turn
turn_talk(struct trip *trip)
{
    struct talk *talk = trip_memory(trip, sizeof(*talk));

    switch (talk->step) {
    case TALK_BEGIN:
        talk->unlisted = *trip_note(trip, "unlisted") != '\0';
        return ask_alias(trip, talk, "GET");
    case TALK_ALIAS:
        return hear_alias(trip, talk);
    case TALK_PROFILE:
        return hear_profile(trip, talk);
    case TALK_CREATE:
        return hear_create(trip, talk);
    case TALK_STATE:
        return hear_talk_state(trip, talk);
    case TALK_INVITE:
        return heard_well(trip) ? talk_done(trip, talk) : person_refused(trip);
    case TALK_WITHDRAW:
    case TALK_FREE:
    case TALK_LEAVE:
        break;
    }
    return give_up(trip, talk);
}
