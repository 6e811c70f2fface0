#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "tests/support/fake_matrix_inner.h"
#include "tests/support/recordings.h"

#define CLIENT "/_matrix/client/v3/"
#define UPLOAD "/_matrix/media/v3/upload?"

enum {
    PARTS_MAX = 8,
    EVENTS_MORE = 256, /* for so many there is room at once */
    EVENTS_MAX = 100   /* of a room, in a sync */
};

/* A request, taken apart; and the reply. */
struct call {
    struct homeserver *server;
    int64_t now;
    const char *method;
    char parts[PARTS_MAX][TEXT_MAX]; /* of its path, below CLIENT */
    unsigned part_count;
    char *query;
    json_object *body;
    int status;
    json_object *answer;
};

/* ---- JSON ---------------------------------------------------------------- */

static void
put(json_object *object, const char *key, json_object *value)
{
    ck_assert_int_eq(json_object_object_add(object, key, value), 0);
}

static void
put_text(json_object *object, const char *key, const char *text)
{
    put(object, key, json_object_new_string(text));
}

static void
put_token(json_object *object, const char *key, size_t at)
{
    char token[32];

    snprintf(token, sizeof(token), "s%zu", at);
    put_text(object, key, token);
}

static json_object *
parse(const char *text)
{
    json_object *value = json_tokener_parse(text);

    ck_assert_msg(value != NULL, "%s", text);
    return value;
}

/* ---- events -------------------------------------------------------------- */

static const char *
string_in(json_object *object, const char *key)
{
    const char *text = jdoc_string(object, key);

    return text == NULL ? "" : text;
}

static struct event *
find_event(struct homeserver *server, const char *id)
{
    size_t at = *id == '$' ? (size_t)strtoull(id + 1, NULL, 10) : server->count;

    return at < server->count && strcmp(server->events[at].id, id) == 0
               ? &server->events[at]
               : NULL;
}

/* The event with that number edits another, perhaps. */
static void
note_edit(struct homeserver *server, size_t at)
{
    const struct event *event = &server->events[at];
    json_object *relation = jdoc_get(event->content, "m.relates_to");

    if (strcmp(string_in(relation, "rel_type"), "m.replace") == 0) {
        struct event *first =
            find_event(server, string_in(relation, "event_id"));

        if (first != NULL && strcmp(event->sender, first->sender) == 0) {
            first->edit = at + 1;
        }
    }
}

/* The number of the newest state of the first so many events; 0: none. */
static size_t
newest_state(const struct homeserver *server, size_t end)
{
    return end == 0 ? 0 : server->events[end - 1].state;
}

/* The number of the state that another of its kind replaces; 0: there is none.
 */
static size_t
state_before(const struct homeserver *server, unsigned room, const char *type,
             const char *key)
{
    const struct event *old =
        homeserver_state(server, room, type, key, server->count);

    return old == NULL ? 0 : (size_t)(old - server->events) + 1;
}

struct event *
homeserver_add(struct homeserver *server, unsigned room, const char *sender,
               const char *type, const char *key, json_object *content,
               int64_t now)
{
    if (server->count % EVENTS_MORE == 0) {
        server->events =
            must_grow(server->events,
                      (server->count + EVENTS_MORE) * sizeof(*server->events));
    }
    struct event *event = &server->events[server->count];

    memset(event, 0, sizeof(*event));
    event->room = room;
    event->stamp = now;
    event->before = key == NULL ? 0 : state_before(server, room, type, key);
    event->key = key == NULL ? NULL : must_copy(key);
    event->state =
        key != NULL ? server->count + 1 : newest_state(server, server->count);
    event->content = content;
    snprintf(event->id, sizeof(event->id), "$%zu", server->count++);
    snprintf(event->sender, sizeof(event->sender), "%s", sender);
    snprintf(event->type, sizeof(event->type), "%s", type);
    note_edit(server, server->count - 1);
    return event;
}

const struct event *
homeserver_state(const struct homeserver *server, unsigned room,
                 const char *type, const char *key, size_t end)
{
    for (size_t i = newest_state(server, end); i > 0;
         i = newest_state(server, i - 1)) {
        const struct event *event = &server->events[i - 1];

        if (event->room == room && strcmp(event->key, key) == 0 &&
            strcmp(event->type, type) == 0) {
            return event;
        }
    }
    return NULL;
}

bool
homeserver_is_member(const struct homeserver *server, unsigned room,
                     const char *user, const char *membership, size_t end)
{
    const struct event *event =
        homeserver_state(server, room, "m.room.member", user, end);

    return event != NULL &&
           strcmp(jdoc_string(event->content, "membership"), membership) == 0;
}

const struct event *
homeserver_edit_of(const struct homeserver *server, const struct event *first)
{
    return first->edit == 0 ? NULL : &server->events[first->edit - 1];
}

static json_object *
show_plainly(const struct event *event)
{
    json_object *shown = json_object_new_object();

    put_text(shown, "event_id", event->id);
    put_text(shown, "sender", event->sender);
    put_text(shown, "type", event->type);
    put(shown, "origin_server_ts", json_object_new_int64(event->stamp));
    if (event->key != NULL) {
        put_text(shown, "state_key", event->key);
    }
    put(shown, "content",
        event->redacted ? json_object_new_object()
                        : json_object_get(event->content));
    return shown;
}

/* An event as it is delivered, and, where it is asked for by itself or
 * backwards, with its latest edit. */
static json_object *
show_with(const struct homeserver *server, const struct event *event,
          const struct event *edit)
{
    json_object *shown = show_plainly(event);
    json_object *more = json_object_new_object();

    if (event->before != 0) {
        put(more, "prev_content",
            json_object_get(server->events[event->before - 1].content));
    }

    if (event->redacted) {
        put(more, "redacted_because", json_object_new_object());
    }
    if (event->transaction[0] != '\0') {
        put_text(more, "transaction_id", event->transaction);
    }
    if (edit != NULL) {
        json_object *relations = json_object_new_object();

        put(relations, "m.replace", show_plainly(edit));
        put(more, "m.relations", relations);
    }
    put(shown, "unsigned", more);
    return shown;
}

static json_object *
show(const struct homeserver *server, const struct event *event)
{
    return show_with(server, event, homeserver_edit_of(server, event));
}

/* ---- rooms --------------------------------------------------------------- */

static unsigned
find_room(const struct homeserver *server, const char *name)
{
    unsigned room = 0;

    while (room < server->room_count &&
           strcmp(server->rooms[room].id, name) != 0 &&
           strcmp(server->rooms[room].alias, name) != 0) {
        room++;
    }
    return room;
}

json_object *
homeserver_membership(const char *user, const char *membership)
{
    json_object *content = json_object_new_object();

    put_text(content, "membership", membership);
    if (user[0] == '@') {
        char name[64];

        snprintf(name, sizeof(name), "%.*s", (int)strcspn(user + 1, ":"),
                 user + 1);
        put_text(content, "displayname", name);
    }
    return content;
}

unsigned
homeserver_add_room(struct homeserver *server, const char *maker,
                    const char *alias, json_object *creation, int64_t now)
{
    unsigned room = server->room_count++;

    ck_assert_uint_lt(room, ROOMS_MAX);
    snprintf(server->rooms[room].id, sizeof(server->rooms[room].id),
             "!r%u:hs.test", room);
    snprintf(server->rooms[room].alias, sizeof(server->rooms[room].alias), "%s",
             alias);
    (void)homeserver_add(server, room, maker, "m.room.create", "", creation,
                         now);
    (void)homeserver_add(server, room, maker, "m.room.member", maker,
                         homeserver_membership(maker, "join"), now);
    (void)homeserver_add(server, room, maker, "m.room.join_rules", "",
                         parse("{\"join_rule\":\"invite\"}"), now);
    return room;
}

struct homeserver *
homeserver_new(void)
{
    struct homeserver *server = must_alloc(sizeof(*server));
    unsigned room = homeserver_add_room(server, "@Mo:hs.test", HOMESERVER_ROOM,
                                        json_object_new_object(), 1000);

    (void)homeserver_add(server, room, "@Mo:hs.test", "m.room.power_levels", "",
                         parse("{\"users\":{\"" BOT "\":50}}"), 1000);
    (void)homeserver_add(
        server, room, "@Mo:hs.test", "m.room.message", NULL,
        parse("{\"msgtype\":\"m.text\",\"body\":\"from before\"}"), 1000);
    server->longest = EVENTS_MAX;
    return server;
}

void
homeserver_free(struct homeserver *server)
{
    for (size_t i = 0; i < server->count; i++) {
        free(server->events[i].key);
        json_object_put(server->events[i].content);
    }
    free(server->events);
    free(server);
}

unsigned
homeserver_dms(const struct homeserver *server)
{
    return server->room_count - 1;
}

const char *
homeserver_message(const struct homeserver *server, const char *type)
{
    for (size_t i = server->count; i-- > 0;) {
        const struct event *event = &server->events[i];

        if (strcmp(event->sender, BOT) == 0 &&
            strcmp(string_in(event->content, "msgtype"), type) == 0) {
            return json_object_to_json_string(event->content);
        }
    }
    return NULL;
}

size_t
homeserver_upload(const struct homeserver *server)
{
    return server->upload;
}

/* The byte that a text begins with, %XX or as it stands; how long that is. */
static size_t
decode(const char *text, char *byte)
{
    char digits[3] = "";

    if (text[0] != '%') {
        *byte = text[0];
        return 1;
    }
    memcpy(digits, text + 1, 2);
    *byte = (char)strtoul(digits, NULL, 16);
    return 3;
}

/* ---- answers ------------------------------------------------------------- */

/* A refusal, in the server's words; what they are about stands for "%s". */
static void
refuse(struct call *call, int status, const char *errcode, const char *words,
       const char *about)
{
    const char *hole = strstr(words, "%s");
    struct buf error = BUF_INIT;

    buf_add(&error, words,
            hole == NULL ? strlen(words) : (size_t)(hole - words));
    if (hole != NULL) {
        buf_addf(&error, "%s%s", about, hole + 2);
    }
    call->status = status;
    put_text(call->answer, "errcode", errcode);
    put_text(call->answer, "error", buf_text(&error));
    buf_release(&error);
}

static void
refuse_stranger(struct call *call)
{
    refuse(call, 403, "M_FORBIDDEN",
           "User " BOT " not in room %s, and room previews are disabled",
           call->parts[1]);
}

/* Append a parameter of the query, decoded. */
static void
add_parameter(const struct call *call, const char *key, struct buf *value)
{
    char start[32];

    snprintf(start, sizeof(start), "&%s=", key);
    const char *at = strstr(call->query, start);

    at = at == NULL ? "" : at + strlen(start);
    while (*at != '\0' && *at != '&') {
        char byte;

        at += decode(at, &byte);
        buf_add_char(value, byte);
    }
}

/* A parameter that is a number, behind a message. */
static size_t
number_parameter(const struct call *call, const char *key, size_t messages)
{
    struct buf value = BUF_INIT;

    add_parameter(call, key, &value);
    size_t number =
        value.len > messages ? strtoul(value.data + messages, NULL, 10) : 0;

    buf_release(&value);
    return number;
}

static void
answer_login(struct call *call)
{
    put_text(call->answer, "user_id", BOT);
    put_text(call->answer, "device_id", "DEVICE");
}

static void
answer_join(struct call *call)
{
    struct homeserver *server = call->server;
    unsigned room = find_room(server, call->parts[1]);

    if (room == server->room_count) {
        refuse(call, 404, "M_NOT_FOUND", "Room alias %s not found",
               call->parts[1]);
        return;
    }
    if (homeserver_is_member(server, room, BOT, "leave", server->count)) {
        refuse(call, 403, "M_FORBIDDEN", "You are not invited to this room.",
               "");
        return;
    }
    if (!homeserver_is_member(server, room, BOT, "join", server->count)) {
        (void)homeserver_add(server, room, BOT, "m.room.member", BOT,
                             homeserver_membership(BOT, "join"), call->now);
    }
    put_text(call->answer, "room_id", server->rooms[room].id);
}

/* Somebody is invited, and comes, where people do. */
static void
ask_in(struct call *call, unsigned room, const char *user)
{
    struct homeserver *server = call->server;

    if (homeserver_is_member(server, room, user, "join", server->count)) {
        refuse(call, 403, "M_FORBIDDEN", "%s is already in the room.", user);
        return;
    }
    (void)homeserver_add(server, room, BOT, "m.room.member", user,
                         homeserver_membership(user, "invite"), call->now);
    if (server->sociable && homeserver_absent(server, user) == ABSENT_MAX) {
        (void)homeserver_add(server, room, user, "m.room.member", user,
                             homeserver_membership(user, "join"), call->now);
    }
}

static void
answer_create(struct call *call)
{
    struct homeserver *server = call->server;
    char alias[TEXT_MAX];
    json_object *invited = jdoc_get(call->body, "invite");

    const char *name = string_in(call->body, "room_alias_name");

    snprintf(alias, sizeof(alias), "%s%s%s", *name == '\0' ? "" : "#", name,
             *name == '\0' ? "" : ":hs.test");
    if (*name != '\0' && find_room(server, alias) < server->room_count) {
        refuse(call, 400, "M_ROOM_IN_USE", "Room alias already taken", "");
        return;
    }
    json_object *creation = jdoc_get(call->body, "creation_content");
    unsigned room = homeserver_add_room(
        server, BOT, alias,
        creation == NULL ? json_object_new_object() : json_object_get(creation),
        call->now);

    if (creation == NULL) {
        (void)homeserver_add(server, room, BOT, "m.room.power_levels", "",
                             parse("{\"users\":{\"" BOT "\":100}}"), call->now);
    }

    /* The list may be absent (C-S, POST /createRoom). */
    for (size_t i = 0; invited != NULL && i < json_object_array_length(invited);
         i++) {
        ask_in(call, room,
               json_object_get_string(json_object_array_get_idx(invited, i)));
    }
    put_text(call->answer, "room_id", server->rooms[room].id);
}

static void
answer_directory(struct call *call)
{
    unsigned room = find_room(call->server, call->parts[2]);

    if (room == call->server->room_count) {
        refuse(call, 404, "M_NOT_FOUND", "Room alias %s not found",
               call->parts[2]);
    } else {
        put_text(call->answer, "room_id", call->server->rooms[room].id);
    }
}

/* ---- reading ------------------------------------------------------------- */

bool
homeserver_is_read(const struct event *event)
{
    static const char *const types[] = {
        "m.room.message",   "m.room.encrypted", "m.reaction",
        "m.room.redaction", "m.room.member",    "m.room.create",
        "m.room.tombstone", "m.room.encryption"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(event->type, types[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The events of a room in a stretch of the server's, at most `limit`: the
 * first, or the last.  *from and *to become what is in it. */
static json_object *
stretch(const struct homeserver *server, unsigned room, size_t limit, bool last,
        size_t *from, size_t *to)
{
    json_object *list = json_object_new_array();
    size_t count = 0;
    size_t skip = 0;

    for (size_t i = *from; i < *to; i++) {
        const struct event *event = &server->events[i];

        count += event->room == room && homeserver_is_read(event) ? 1 : 0;
    }
    skip = last && count > limit ? count - limit : 0;
    count = 0;
    for (size_t i = *from; i < *to; i++) {
        const struct event *event = &server->events[i];

        if (event->room != room || !homeserver_is_read(event) ||
            count++ < skip) {
            continue;
        }
        if (count == skip + 1) {
            *from = i;
        }
        json_object_array_add(list, show_with(server, event, NULL));
        if (!last && count == limit) {
            *to = i + 1;
        }
    }
    return list;
}

/* The members whom a list of events needs. */
static json_object *
members_for(const struct homeserver *server, unsigned room, json_object *list,
            size_t end)
{
    json_object *members = json_object_new_array();

    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const char *sender =
            jdoc_string(json_object_array_get_idx(list, i), "sender");
        const struct event *event =
            homeserver_state(server, room, "m.room.member", sender, end);

        if (event != NULL) {
            json_object_array_add(members, show(server, event));
        }
    }
    return members;
}

/* The rooms of a kind in an answer. */
static json_object *
rooms_of(json_object *rooms, const char *kind)
{
    json_object *list = jdoc_get(rooms, kind);

    if (list == NULL) {
        list = json_object_new_object();
        put(rooms, kind, list);
    }
    return list;
}

/* Has the bot come into a room since, and was outside before?  So it has, too,
 * if it was put out again by the end, as Synapse sees it: but not if it had
 * been in the room at the beginning. */
static bool
has_come(const struct homeserver *server, unsigned room, size_t since,
         size_t end)
{
    bool was_in = homeserver_is_member(server, room, BOT, "join", since);
    bool is_in = homeserver_is_member(server, room, BOT, "join", end);
    const struct event *own = NULL;
    bool joined = false;
    bool out = false;

    for (size_t at = end; at > since; at = (size_t)(own - server->events)) {
        own = homeserver_state(server, room, "m.room.member", BOT, at);
        if (own == NULL || own < &server->events[since]) {
            break;
        }
        bool joins = strcmp(string_in(own->content, "membership"), "join") == 0;
        joined = joined || joins;
        out = out || !joins;
    }
    return was_in ? is_in && out : joined;
}

/* What has closed a room since, and its timeline leaves out. */
static void
add_shut(const struct homeserver *server, unsigned room, size_t since,
         size_t from, json_object *state)
{
    static const char *const types[] = {"m.room.tombstone",
                                        "m.room.encryption"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        const struct event *event =
            homeserver_state(server, room, types[i], "", from);

        if (event != NULL && (size_t)(event - server->events) >= since) {
            json_object_array_add(state, show_plainly(event));
        }
    }
}

/* Show what is new in a room of a kind, up to the end of what the bot may see
 * there.  In one into which it has come since all is. */
static void
show_room(struct call *call, unsigned room, size_t since, size_t end,
          json_object *rooms, const char *kind)
{
    struct homeserver *server = call->server;
    bool is_new = has_come(server, room, since, end);
    size_t from = is_new ? 0 : since;
    size_t start = from;
    size_t to = end;
    size_t most = is_new ? EVENTS_MAX : server->longest;
    json_object *list = stretch(server, room, most, true, &from, &to);

    if (json_object_array_length(list) == 0) {
        json_object_put(list);
        return;
    }
    json_object *part = json_object_new_object();
    json_object *timeline = json_object_new_object();
    json_object *state = json_object_new_object();
    json_object *members = members_for(server, room, list, from);
    const struct event *creation =
        homeserver_state(server, room, "m.room.create", "", server->count);
    size_t before = start;

    ck_assert_ptr_nonnull(creation);
    if (is_new && find_event(server, creation->id) < &server->events[from]) {
        json_object_array_add(members, show(server, creation));
    }
    add_shut(server, room, since, from, members);
    json_object_put(stretch(server, room, 1, false, &start, &before));
    put(timeline, "limited",
        json_object_new_boolean(is_new ||
                                json_object_array_length(list) == most));
    put_token(timeline, "prev_batch", from);
    put(timeline, "events", list);
    put(state, "events", members);
    put(part, "timeline", timeline);
    put(part, "state", state);
    put(rooms_of(rooms, kind), server->rooms[room].id, part);
}

/* The event that invites the bot is all that it sees of a room. */
static void
show_invitation(const struct event *own, const char *room, json_object *rooms)
{
    json_object *events = json_object_new_array();
    json_object *state = json_object_new_object();
    json_object *part = json_object_new_object();

    json_object_array_add(events, show_plainly(own));
    put(state, "events", events);
    put(part, "invite_state", state);
    put(rooms, room, part);
}

/* The end of what the bot may see in a room that it is not in: where it was put
 * out last. */
static size_t
end_of_stay(const struct homeserver *server, unsigned room)
{
    size_t at = server->count;

    while (at > 0) {
        const struct event *own =
            homeserver_state(server, room, "m.room.member", BOT, at);

        if (own == NULL) {
            return 0;
        }
        at = (size_t)(own - server->events);
        if (strcmp(string_in(own->content, "membership"), "leave") == 0) {
            return at + 1;
        }
    }
    return 0;
}

/* What is new of a room for the bot: it is in it, was put out, or invited; or
 * it was put out and then invited, which is both. */
static void
show_membership(struct call *call, unsigned room, size_t since,
                json_object *rooms)
{
    const struct homeserver *server = call->server;
    const struct event *own =
        homeserver_state(server, room, "m.room.member", BOT, server->count);
    const char *is = own == NULL ? "" : string_in(own->content, "membership");
    size_t end = end_of_stay(server, room);

    if (strcmp(is, "join") == 0) {
        show_room(call, room, since, server->count, rooms, is);
    } else if (end > since) {
        show_room(call, room, since, end, rooms, "leave");
    }
    if (strcmp(is, "invite") == 0 && own >= &server->events[since]) {
        show_invitation(own, server->rooms[room].id, rooms_of(rooms, is));
    }
}

/* The state of the rooms in which the bot is: a first sync, whose filter leaves
 * out everything else. */
static void
answer_rooms(struct call *call)
{
    static const char *const types[] = {"m.room.create", "m.room.encryption"};
    const struct homeserver *server = call->server;
    json_object *rooms = json_object_new_object();
    json_object *joined = json_object_new_object();

    for (unsigned i = server->room_count; i-- > 0;) { /* in no known order */
        json_object *room = json_object_new_object();
        json_object *state = json_object_new_object();
        json_object *events = json_object_new_array();
        json_object *alias = json_object_new_object();
        json_object *content = json_object_new_object();

        put_text(content, "alias", server->rooms[i].alias);
        put_text(alias, "type", "m.room.canonical_alias");
        put_text(alias, "state_key", "");
        put(alias, "content", content);
        json_object_array_add(events, alias);
        for (size_t n = 0; n < sizeof(types) / sizeof(types[0]); n++) {
            const struct event *event =
                homeserver_state(server, i, types[n], "", server->count);

            if (event != NULL) {
                json_object_array_add(events, show(server, event));
            }
        }
        put(state, "events", events);
        put(room, "state", state);
        put(joined, server->rooms[i].id, room);
    }
    put(rooms, "join", joined);
    put(call->answer, "rooms", rooms);
    put_token(call->answer, "next_batch", server->count);
}

static void
answer_sync(struct call *call)
{
    if (strstr(call->query, "m.room.canonical_alias") != NULL) {
        answer_rooms(call);
        return;
    }

    struct homeserver *server = call->server;
    size_t since = number_parameter(call, "since", 1);
    json_object *rooms = json_object_new_object();

    for (unsigned i = 0; since > 0 && i < server->room_count; i++) {
        show_membership(call, i, since, rooms);
    }
    /* If nothing is new, there are no rooms. */
    if (json_object_object_length(rooms) > 0) {
        put(call->answer, "rooms", rooms);
    } else {
        json_object_put(rooms);
    }
    put_token(call->answer, "next_batch", server->count);
}

/* What the bot wrote in a room, newest first, at once. */
static void
answer_own(struct call *call, unsigned room)
{
    json_object *list = json_object_new_array();

    for (size_t i = call->server->count; i > 0; i--) {
        const struct event *event = &call->server->events[i - 1];

        if (event->room == room && strcmp(event->sender, BOT) == 0 &&
            strcmp(event->type, "m.room.message") == 0) {
            json_object_array_add(list, show(call->server, event));
        }
    }
    put(call->answer, "chunk", list);
}

/* The last events before a token, newest first. */
static void
answer_backwards(struct call *call, unsigned room)
{
    size_t from = 0;
    size_t to = number_parameter(call, "from", 1);
    size_t limit = number_parameter(call, "limit", 0);
    json_object *list = stretch(call->server, room, limit, true, &from, &to);
    json_object *back = json_object_new_array();

    for (size_t i = json_object_array_length(list); i > 0; i--) {
        json_object_array_add(
            back, json_object_get(json_object_array_get_idx(list, i - 1)));
    }
    put(call->answer, "state", members_for(call->server, room, list, to));
    put(call->answer, "chunk", back);
    if (json_object_array_length(list) == limit) {
        put_token(call->answer, "end", from);
    }
    json_object_put(list);
}

static void
answer_messages(struct call *call, unsigned room)
{
    bool back = strstr(call->query, "&dir=b") != NULL;

    if (back && strstr(call->query, "senders") != NULL) {
        answer_own(call, room);
        return;
    }
    if (back) {
        answer_backwards(call, room);
        return;
    }
    size_t from = number_parameter(call, "from", 1);
    size_t to = number_parameter(call, "to", 1);
    json_object *list =
        stretch(call->server, room, number_parameter(call, "limit", 0), false,
                &from, &to);

    put(call->answer, "state", members_for(call->server, room, list, from));
    put(call->answer, "chunk", list);
    put_token(call->answer, "end", to);
}

static void
answer_event(struct call *call)
{
    const struct event *event = find_event(call->server, call->parts[3]);

    if (event == NULL) {
        refuse(call, 404, "M_NOT_FOUND", "Event not found.", "");
        return;
    }
    json_object_put(call->answer);
    call->answer = show(call->server, event);
}

static void
answer_state(struct call *call, unsigned room)
{
    const struct homeserver *server = call->server;
    const struct event *event =
        homeserver_state(server, room, call->parts[3], "", server->count);

    if (call->part_count > 3 && event == NULL) {
        refuse(call, 404, "M_NOT_FOUND", "Event not found.", "");
        return;
    }
    json_object_put(call->answer);
    if (call->part_count > 3) {
        call->answer = json_object_get(event->content);
        return;
    }
    call->answer = json_object_new_array();
    for (size_t i = 0; i < server->count; i++) {
        event = &server->events[i];
        if (event->room == room && event->key != NULL) {
            json_object_array_add(call->answer, show(server, event));
        }
    }
}

/* Who is in a room, or invited. */
static void
answer_members(struct call *call, unsigned room)
{
    const struct homeserver *server = call->server;
    json_object *list = json_object_new_array();

    for (size_t i = 0; i < server->count; i++) {
        const struct event *event = &server->events[i];

        if (event->room == room && strcmp(event->type, "m.room.member") == 0 &&
            homeserver_state(server, room, event->type, event->key,
                             server->count) == event &&
            strcmp(string_in(event->content, "membership"), "leave") != 0) {
            json_object_array_add(list, show_with(server, event, NULL));
        }
    }
    put(call->answer, "chunk", list);
}

/* ---- writing ------------------------------------------------------------- */

/* Has the bot sent this already?  A transaction is one for all that is sent
 * into a room, as at Synapse. */
static bool
is_repeated(struct call *call, unsigned room, const char *transaction)
{
    for (size_t i = 0; i < call->server->count; i++) {
        const struct event *event = &call->server->events[i];

        if (event->room == room && transaction[0] != '\0' &&
            strcmp(event->transaction, transaction) == 0) {
            put_text(call->answer, "event_id", event->id);
            return true;
        }
    }
    return false;
}

/* Does the same reaction stand there? */
static bool
is_doubled(const struct call *call, unsigned room, const char *type)
{
    for (size_t i = 0;
         strcmp(type, "m.reaction") == 0 && i < call->server->count; i++) {
        const struct event *event = &call->server->events[i];

        if (event->room == room && strcmp(event->type, type) == 0 &&
            json_object_equal(event->content, call->body)) {
            return true;
        }
    }
    return false;
}

static void
write_event(struct call *call, unsigned room, const char *type, const char *key,
            const char *transaction)
{
    if (is_repeated(call, room, transaction)) {
        return;
    }
    if (is_doubled(call, room, type)) {
        refuse(call, 400, "M_DUPLICATE_ANNOTATION",
               "Can't send same reaction twice", "");
        return;
    }
    struct event *event =
        homeserver_add(call->server, room, BOT, type, key,
                       json_object_get(call->body), call->now);

    snprintf(event->transaction, sizeof(event->transaction), "%s", transaction);
    put_text(call->answer, "event_id", event->id);
}

static void
answer_redaction(struct call *call, unsigned room)
{
    struct event *event = find_event(call->server, call->parts[3]);

    if (is_repeated(call, room, call->parts[4])) {
        return;
    }
    if (event != NULL) {
        event->redacted = true;
    }
    put_text(call->body, "redacts", call->parts[3]);
    write_event(call, room, "m.room.redaction", NULL, call->parts[4]);
}

/* The bot was put out: it may still see what was there while it was in, until
 * it is invited again, but do nothing. */
static bool
is_outside(struct call *call, unsigned room)
{
    const struct homeserver *server = call->server;
    bool get = strcmp(call->method, "GET") == 0;
    bool invited =
        homeserver_is_member(server, room, BOT, "invite", server->count);

    if (!invited &&
        !homeserver_is_member(server, room, BOT, "leave", server->count)) {
        return false;
    }
    if (get && invited) {
        refuse_stranger(call);
    } else if (!get) {
        refuse(call, 403, "M_FORBIDDEN", "User " BOT " not in room %s",
               call->parts[1]);
    }
    return call->status != 200;
}

static void
answer_in_room(struct call *call)
{
    unsigned room = find_room(call->server, call->parts[1]);
    const char *what = call->parts[2];
    bool get = strcmp(call->method, "GET") == 0;

    if (room == call->server->room_count) {
        refuse_stranger(call);
    } else if (is_outside(call, room)) {
        return;
    } else if (strcmp(what, "messages") == 0) {
        answer_messages(call, room);
    } else if (strcmp(what, "members") == 0) {
        answer_members(call, room);
    } else if (strcmp(what, "invite") == 0) {
        ask_in(call, room, string_in(call->body, "user_id"));
    } else if (strcmp(what, "event") == 0) {
        answer_event(call);
    } else if (strcmp(what, "state") == 0 && get) {
        answer_state(call, room);
    } else if (strcmp(what, "state") == 0) {
        write_event(call, room, call->parts[3], "", "");
    } else if (strcmp(what, "send") == 0) {
        write_event(call, room, call->parts[3], NULL, call->parts[4]);
    } else if (strcmp(what, "redact") == 0) {
        answer_redaction(call, room);
    } else {
        refuse(call, 404, "M_UNRECOGNIZED", "Unrecognized request", "");
    }
}

/* ---- requests ------------------------------------------------------------ */

static void
answer(struct call *call)
{
    static const struct {
        const char *part;
        void (*answer)(struct call *call);
    } calls[] = {
        {"account", answer_login},     {"join", answer_join},
        {"createRoom", answer_create}, {"directory", answer_directory},
        {"sync", answer_sync},         {"rooms", answer_in_room},
    };

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        if (strcmp(call->parts[0], calls[i].part) == 0) {
            calls[i].answer(call);
            return;
        }
    }
    /* A profile: nothing is looked at. */
}

static void
take_apart(struct call *call, const char *url)
{
    const char *question = strchr(url, '?');
    size_t end = question == NULL ? strlen(url) : (size_t)(question - url);

    call->query = must_copy(question == NULL ? "" : question);
    if (question != NULL) {
        call->query[0] = '&';
    }
    for (size_t i = 0; i < end && call->part_count < PARTS_MAX;) {
        char *part = call->parts[call->part_count++];
        size_t len = 0;

        while (i < end && url[i] != '/') {
            ck_assert_uint_lt(len, TEXT_MAX - 1);
            i += decode(url + i, &part[len++]);
        }
        i++;
    }
}

/* Is a request turned away, for there were too many?  Those of which it was
 * seen. */
static bool
is_limited(struct call *call)
{
    bool sends = call->part_count > 3 && strcmp(call->parts[2], "send") == 0 &&
                 strcmp(call->parts[3], "m.room.message") == 0;

    if (call->server->storm == 0 ||
        (!sends && strcmp(call->parts[0], "createRoom") != 0)) {
        return false;
    }
    call->server->storm--;
    refuse(call, 429, "M_LIMIT_EXCEEDED", "Too Many Requests", "");
    put(call->answer, "retry_after_ms", json_object_new_int(1442));
    return true;
}

/* What is asked before there is a token. */
static bool
answer_stranger(struct call *call, const char *path)
{
    static const struct {
        const char *path, *answer;
    } answers[] = {
        {CLIENT "login", "{\"flows\":[{\"type\":\"m.login.password\"}]}"},
        {"/_matrix/client/versions", "{\"versions\":[\"v1.12\"]}"},
        {"/.well-known/matrix/client",
         "{\"m.homeserver\":{\"base_url\":\"" HOMESERVER_BASE "/\"}}"},
    };

    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        if (strcmp(path, answers[i].path) == 0 &&
            strcmp(call->method, "GET") == 0) {
            json_object_put(call->answer);
            call->answer = parse(answers[i].answer);
            return true;
        }
    }
    if (strcmp(path, "/_matrix/client/v1/auth_metadata") == 0) {
        refuse(call, 404, "M_UNRECOGNIZED", "Unrecognized request", "");
        return true;
    }
    return false;
}

void
homeserver_serve(struct homeserver *server, int64_t now,
                 const struct request *request, struct buf *body,
                 struct reply *reply)
{
    static const char before[] = HOMESERVER_BASE CLIENT;
    const char *url = buf_text(&request->url);
    struct call call = {
        .server = server,
        .now = now,
        .method = request->method,
        .status = 200,
        .answer = json_object_new_object(),
    };

    bool stranger = answer_stranger(&call, url + strlen(HOMESERVER_BASE));

    ck_assert(request->authorized != stranger);
    if (!stranger && strncmp(url, before, strlen(before)) == 0) {
        take_apart(&call, url + strlen(before));
        call.body = request->body.len == 0 ? json_object_new_object()
                                           : parse(buf_text(&request->body));
        if (!is_limited(&call)) {
            answer(&call);
        }
    }
    if (strncmp(url, HOMESERVER_BASE UPLOAD, strlen(HOMESERVER_BASE UPLOAD)) ==
        0) {
        ck_assert_str_eq(request->method, "POST");
        ck_assert(strcmp(request->type, "image/png") == 0 ||
                  strncmp(request->type, "text/html", 9) == 0);
        server->upload = request->body.len;
        put_text(call.answer, "content_uri", "mxc://hs.test/board");
    }
    ck_assert(strncmp(url, HOMESERVER_BASE, strlen(HOMESERVER_BASE)) == 0);
    recordings_hold_json(recordings_of("matrix"), request->method,
                         url + strlen(HOMESERVER_BASE), call.status,
                         call.answer);
    buf_clear(body);
    buf_add_text(body, json_object_to_json_string(call.answer));
    *reply = (struct reply){.status = call.status,
                            .body = buf_text(body),
                            .len = body->len,
                            .date = now / 1000 * 1000,
                            .headers =
                                call.status == 429 ? "Retry-After: 2\n" : NULL,
                            .retry_after = -1};
    json_object_put(call.answer);
    json_object_put(call.body);
    free(call.query);
}
