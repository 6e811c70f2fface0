/*
 * Matrix: rooms that the bot makes: DMs, galleries, and rooms to host in.
 *
 * A DM is a room that the bot makes for one user: a room that a client makes
 * may be encrypted, and in the bot's own nobody else can invite a third person.
 * createRoom has no transaction id; the alias serves as one: a server gives an
 * alias only once, so a room whose reply got lost is found by it and never made
 * twice.  Others can't guess the alias (exchange_name), or they could take it
 * first.
 *
 * A gallery is a room of the same kind for those who are invited one after the
 * other.  A room to host in has an alias that people can read, made of its
 * name.
 */
#include <ctype.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define CREATE    "/_matrix/client/v3/createRoom"
#define PROFILE   "/_matrix/client/v3/profile"
#define DIRECTORY "/_matrix/client/v3/directory/room"

/* ---- who is in a room ---------------------------------------------------- */

static void
count_member(const struct exchange *exchange, json_object *event,
             struct occupants *there)
{
    const char *user = jdoc_string(event, "state_key");
    const char *is = jdoc_string(jdoc_get(event, "content"), "membership");
    bool here = is != NULL && strcmp(is, "join") == 0;
    bool invited = is != NULL && strcmp(is, "invite") == 0;

    if (user == NULL || strcmp(user, exchange->service->self) == 0) {
        return;
    }
    if (strcmp(user, exchange->op->user) != 0) {
        there->others = there->others || here || invited;
        return;
    }
    there->here = here;
    there->invited = invited;
    there->banned = is != NULL && strcmp(is, "ban") == 0;
}

struct occupants
parse_occupants(const struct exchange *exchange, json_object *events)
{
    struct occupants there = {false, false, false, false};

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *type = jdoc_string(event, "type");

        if (type != NULL && strcmp(type, "m.room.member") == 0) {
            count_member(exchange, event, &there);
        }
    }
    return there;
}

/* ---- opening ------------------------------------------------------------- */

enum dm_step {
    DM_BEGIN,
    DM_ALIAS,   /* is there a room of that alias? */
    DM_PROFILE, /* is there such a user? */
    DM_CREATE,
    DM_STATE,    /* is the room as it has to be? */
    DM_INVITE,   /* the user is invited once more */
    DM_WITHDRAW, /* it is given up: invitations are withdrawn, */
    DM_FREE,     /* its alias is free again, */
    DM_LEAVE,    /* and the bot leaves it */
};

static bool
is_gallery(const struct exchange *exchange)
{
    return exchange->op->kind == OP_INVITE;
}

/* Is it a room to host in? */
static bool
is_hall(const struct exchange *exchange)
{
    return exchange->op->kind == OP_MAKE;
}

/* Whose DM, or the gallery of what. */
static const char *
purpose(const struct exchange *exchange)
{
    return is_gallery(exchange) ? exchange->op->key : exchange->op->user;
}

struct dm {
    enum dm_step step;
    bool unlisted; /* by the preset of public rooms, see ask_create */
    char room[ADAPTER_ID_MAX + 1];
};

/* The letters and digits of a room's name: "secret-hitler"; "": it has none of
 * ASCII. */
static void
add_letters(const char *name, struct buf *alias)
{
    for (; *name != '\0'; name++) {
        unsigned char sign = (unsigned char)*name;

        if (isalnum(sign)) {
            buf_add_char(alias, (char)tolower(sign));
        } else if (alias->len > 0 && alias->data[alias->len - 1] != '-') {
            buf_add_char(alias, '-');
        }
    }
    if (alias->len > 0 && alias->data[alias->len - 1] == '-') {
        buf_truncate(alias, alias->len - 1);
    }
}

/* The alias without its server: what createRoom takes. */
static void
add_alias(const struct exchange *exchange, struct buf *alias)
{
    if (is_hall(exchange)) {
        add_letters(exchange->op->text, alias);
        return;
    }
    buf_add_text(alias, "placard_");
    exchange_name(exchange, is_gallery(exchange) ? "gallery" : "talk",
                  purpose(exchange), alias);
}

/* With its server; "": there is none. */
static void
add_whole_alias(const struct exchange *exchange, struct buf *alias)
{
    struct buf name = BUF_INIT;

    add_alias(exchange, &name);
    if (name.len > 0) {
        buf_addf(alias, "#%s:%s", buf_text(&name),
                 server_of(exchange->service->self));
    }
    buf_release(&name);
}

static enum advance
ask_alias(struct exchange *exchange, struct dm *dm, const char *method)
{
    struct buf alias = BUF_INIT;

    add_whole_alias(exchange, &alias);
    ask(exchange, method, DIRECTORY);
    ask_part(exchange, buf_text(&alias));
    exchange->out->request.urgent = true;
    dm->step = strcmp(method, "GET") == 0 ? DM_ALIAS : DM_FREE;
    buf_release(&alias);
    return ADVANCE_REQUEST;
}

/* A DM has no name, so apps show it by the other member's name; they show its
 * topic beside the invitation, unlike a first message. */
static void
ask_for_whom(struct exchange *exchange)
{
    const struct op *op = exchange->op;
    struct buf text = BUF_INIT;

    if (is_gallery(exchange) || is_hall(exchange)) {
        ask_text(exchange, "name", op->text);
        return; /* everybody is invited once it is there */
    }
    ask_json(exchange, "is_direct", "true");
    if (*op->text != '\0') {
        ask_text(exchange, "topic", op->text);
    }
    buf_add_char(&text, '[');
    jtext_string(&text, op->user);
    buf_add_char(&text, ']');
    ask_json(exchange, "invite", buf_text(&text));
    buf_release(&text);
}

static void
ask_closed(struct exchange *exchange)
{
    struct buf text = BUF_INIT;

    buf_addf(&text,
             "[{\"type\":\"m.room.join_rules\",\"state_key\":\"\",\"content\":"
             "{\"join_rule\":\"%s\"}},{\"type\":\"m.room.guest_access\","
             "\"state_key\":\"\",\"content\":{\"guest_access\":\"forbidden\"}},"
             "{\"type\":\"m.room.history_visibility\",\"state_key\":\"\","
             "\"content\":{\"history_visibility\":\"shared\"}}",
             exchange->op->everybody ? "public" : "invite");
    if (!is_hall(exchange)) {
        buf_add_text(&text, ",{\"type\":\"m.room.canonical_alias\","
                            "\"state_key\":\"\",\"content\":{}}");
    }
    buf_add_char(&text, ']');
    ask_json(exchange, "initial_state", buf_text(&text));
    buf_release(&text);
}

/* In a room of the ordinary preset only the bot may invite people or turn on
 * encryption.  Some servers turn that on by themselves in rooms of that preset
 * (Synapse, encryption_enabled_by_default_for_room_type); there the room has
 * the public preset and is made private event by event before anybody can
 * join; a room to host in always does. */
static enum advance
ask_create(struct exchange *exchange, struct dm *dm)
{
    struct buf text = BUF_INIT;

    dm->step = DM_CREATE;
    ask(exchange, "POST", CREATE);
    ask_text(exchange, "preset", dm->unlisted ? "public_chat" : "private_chat");
    ask_text(exchange, "visibility", "private");
    ask_closed(exchange);
    ask_for_whom(exchange);
    add_alias(exchange, &text);
    if (text.len > 0) {
        ask_text(exchange, "room_alias_name", buf_text(&text));
    }
    if (!is_hall(exchange)) {
        ask_json(exchange, "power_level_content_override", "{\"invite\":100}");
        buf_clear(&text);
        buf_add_char(&text, '{');
        jtext_add_text(&text, is_gallery(exchange) ? GALLERY_KEY : DM_KEY,
                       purpose(exchange));
        buf_add_char(&text, '}');
        ask_json(exchange, "creation_content", buf_text(&text));
    }
    ask_end(exchange, ROUTE_CREATE);
    exchange->out->request.urgent = true;
    buf_release(&text);
    return ADVANCE_REQUEST;
}

static enum advance
ask_state_of(struct exchange *exchange, struct dm *dm, const char *room)
{
    memcpy(dm->room, room, strlen(room) + 1);
    dm->step = DM_STATE;
    ask_room(exchange, "GET", dm->room, "/state");
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

static enum advance
ask_state(struct exchange *exchange, struct dm *dm)
{
    const char *room = parse_id(exchange->value, "room_id");

    return is_success(exchange) && room != NULL
               ? ask_state_of(exchange, dm, room)
               : exchange_refused(exchange);
}

static enum advance
ask_in_room(struct exchange *exchange, struct dm *dm, enum dm_step step,
            const char *path)
{
    dm->step = step;
    ask_room(exchange, "POST", dm->room, path);
    if (step != DM_LEAVE) {
        ask_text(exchange, "user_id", exchange->op->user);
    }
    ask_end(exchange, ROUTE_INVITE);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* Why the user can't be invited: a refusal that is not about the account is
 * about that user, unless it says that the account may do no more. */
static enum advance
person_refused(struct exchange *exchange)
{
    (void)exchange_refused(exchange);
    if (exchange->reply->status == 403 &&
        exchange->out->refused == REFUSED_RIGHT &&
        !is_refusal(exchange, 403, "M_USER_LIMIT_EXCEEDED")) {
        exchange->out->refused = REFUSED_PERSON;
    }
    return ADVANCE_FAILED;
}

static enum advance
dm_done(struct exchange *exchange, const struct dm *dm)
{
    if (dm->unlisted && *exchange_state(exchange, "unlisted") == '\0') {
        (void)exchange_set_state(exchange, "unlisted", "yes");
    }
    answer_id(exchange, dm->room);
    return ADVANCE_DONE;
}

/* It is configured by its alias, if it has one. */
static enum advance
hall_done(struct exchange *exchange, const struct dm *dm)
{
    add_whole_alias(exchange, &exchange->out->id);
    if (exchange->out->id.len == 0) {
        answer_id(exchange, dm->room);
    }
    return ADVANCE_DONE;
}

static enum advance
parse_alias(struct exchange *exchange, struct dm *dm)
{
    if (!is_refusal(exchange, 404, "")) {
        return ask_state(exchange, dm);
    }
    if (is_gallery(exchange)) {
        return ask_create(exchange, dm);
    }
    dm->step = DM_PROFILE;
    ask(exchange, "GET", PROFILE);
    ask_part(exchange, exchange->op->user);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* A user who does not exist can still be invited, and never comes.  A server
 * may keep profiles to itself (C-S, GET /profile). */
static enum advance
parse_profile(struct exchange *exchange, struct dm *dm)
{
    if (is_refusal(exchange, 404, "")) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: there is no user %s", exchange->service->name,
                            exchange->op->user);
    }
    if (!is_success(exchange) && !is_refusal(exchange, 403, "M_FORBIDDEN")) {
        return exchange_refused(exchange);
    }
    return ask_create(exchange, dm);
}

static enum advance
parse_create(struct exchange *exchange, struct dm *dm)
{
    bool taken = is_refusal(exchange, 400, "M_ROOM_IN_USE");

    if (taken && is_hall(exchange)) {
        struct buf alias = BUF_INIT;

        add_whole_alias(exchange, &alias);
        (void)outcome_fail(exchange->out, exchange->why, ERR_FULL,
                           "%s: there is a room %s already: take that, or "
                           "choose another name",
                           exchange->service->name, buf_text(&alias));
        buf_release(&alias);
        return ADVANCE_FAILED;
    }
    if (taken) {
        return ask_alias(exchange, dm, "GET");
    }
    return is_success(exchange) ? ask_state(exchange, dm)
                                : person_refused(exchange);
}

/* Is the room the one that is meant, by its creation event? */
static bool
is_ours(const struct exchange *exchange, json_object *events)
{
    json_object *create = parse_state(events, "m.room.create", "");
    const char *made_for =
        jdoc_string(create, is_gallery(exchange) ? GALLERY_KEY : DM_KEY);
    json_object *rules = parse_state(events, "m.room.join_rules", "");
    const char *rule = jdoc_string(rules, "join_rule");

    return made_for != NULL && strcmp(made_for, purpose(exchange)) == 0 &&
           rule != NULL && strcmp(rule, "invite") == 0;
}

static enum advance
all_encrypted(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: the homeserver encrypts every room, so the host "
                        "can have none: its admin has to allow rooms without",
                        exchange->service->name);
}

static enum advance
parse_whole(struct exchange *exchange, struct dm *dm)
{
    json_object *events = exchange->value;

    bool encrypted = parse_state(events, "m.room.encryption", "") != NULL;

    if (is_hall(exchange)) {
        return encrypted ? ask_alias(exchange, dm, "DELETE")
                         : hall_done(exchange, dm);
    }
    if (encrypted) {
        return dm->unlisted ? all_encrypted(exchange)
                            : ask_in_room(exchange, dm, DM_WITHDRAW, "/kick");
    }
    struct occupants there = parse_occupants(exchange, events);

    bool shared = there.others && !is_gallery(exchange);

    if (!is_ours(exchange, events) || shared || there.banned) {
        exchange->out->refused = REFUSED_PERSON;
        return outcome_fail(
            exchange->out, exchange->why, ERR_DENIED,
            "%s: the %s with %s is not private", exchange->service->name,
            is_gallery(exchange) ? "gallery" : "DM", exchange->op->user);
    }
    if (!there.here && !there.invited) {
        return ask_in_room(exchange, dm, DM_INVITE, "/invite");
    }
    return dm_done(exchange, dm);
}

static enum advance
parse_dm_state(struct exchange *exchange, struct dm *dm)
{
    /* The bot is not in it: making the room was interrupted, or the bot left.
     */
    if (is_refusal(exchange, 403, "M_FORBIDDEN")) {
        return ask_alias(exchange, dm, "DELETE");
    }
    if (!is_success(exchange) ||
        !json_object_is_type(exchange->value, json_type_array)) {
        return exchange_refused(exchange);
    }
    return parse_whole(exchange, dm);
}

/* Give up a room that its user or the bot can't join. */
static bool
gave_up(const struct exchange *exchange)
{
    return is_success(exchange) || is_refusal(exchange, 403, "") ||
           is_refusal(exchange, 404, "");
}

/* A room that can't be the DM is left without invitations, alias and bot; then
 * another is made. */
static enum advance
give_up(struct exchange *exchange, struct dm *dm)
{
    if (!gave_up(exchange)) {
        return exchange_refused(exchange);
    }
    if (dm->step == DM_WITHDRAW) {
        dm->unlisted = true;
        return ask_alias(exchange, dm, "DELETE");
    }
    if (dm->step == DM_FREE) {
        return ask_in_room(exchange, dm, DM_LEAVE, "/leave");
    }
    return is_hall(exchange) ? all_encrypted(exchange)
                             : ask_create(exchange, dm);
}

enum advance
matrix_dm(struct exchange *exchange)
{
    struct dm *dm = exchange_memory(exchange, sizeof(*dm));

    switch (dm->step) {
    case DM_BEGIN:
        dm->unlisted =
            is_hall(exchange) || *exchange_state(exchange, "unlisted") != '\0';
        if (is_hall(exchange)) {
            return ask_create(exchange, dm);
        }
        if (is_gallery(exchange) && *exchange->op->post != '\0') {
            return ask_state_of(exchange, dm, exchange->op->post);
        }
        return ask_alias(exchange, dm, "GET");
    case DM_ALIAS:
        return parse_alias(exchange, dm);
    case DM_PROFILE:
        return parse_profile(exchange, dm);
    case DM_CREATE:
        return parse_create(exchange, dm);
    case DM_STATE:
        return parse_dm_state(exchange, dm);
    case DM_INVITE:
        return is_success(exchange) ? dm_done(exchange, dm)
                                    : person_refused(exchange);
    case DM_WITHDRAW:
    case DM_FREE:
    case DM_LEAVE:
        break;
    }
    return give_up(exchange, dm);
}
