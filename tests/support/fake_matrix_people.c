/* A Matrix homeserver in memory: what people do there, and see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "tests/support/fake_matrix_inner.h"
#include "tests/support/fake_service.h"

#define MO "@Mo:hs.test"

enum {
    NAMES_MAX = 32
};

static const char *
string_in(json_object *object, const char *key)
{
    const char *text = jdoc_string(object, key);

    return text == NULL ? "" : text;
}

static void
put_text(json_object *object, const char *key, const char *text)
{
    ck_assert_int_eq(
        json_object_object_add(object, key, json_object_new_string(text)), 0);
}

void
homeserver_sociable(struct homeserver *server)
{
    server->sociable = true;
}

void
homeserver_shorten(struct homeserver *server, unsigned events)
{
    server->longest = events;
}

void
homeserver_storm(struct homeserver *server, unsigned requests)
{
    server->storm = requests;
}

/* ---- writing ------------------------------------------------------------- */

/* Whose talk a room is, as it was made: "@Anna:hs.test"; "": nobody's. */
static const char *
owner_of(const struct homeserver *server, unsigned room)
{
    const struct event *creation =
        homeserver_state(server, room, "m.room.create", "", server->count);

    return string_in(creation->content, DM);
}

/* Has a user made a room, to talk to the bot? */
static bool
is_chat(const struct homeserver *server, unsigned room)
{
    const struct event *creation =
        homeserver_state(server, room, "m.room.create", "", server->count);

    return strcmp(creation->sender, BOT) != 0 &&
           strcmp(creation->sender, MO) != 0;
}

/* Is everybody in it? */
static bool
is_for_all(const struct homeserver *server, unsigned room)
{
    return *owner_of(server, room) == '\0' && !is_chat(server, room);
}

/* The number of somebody's talk; 0, which is none: they have none. */
static unsigned
dm_of(const struct homeserver *server, const char *user)
{
    unsigned dm = 0;

    for (unsigned i = 1; i < server->room_count; i++) {
        dm = strcmp(owner_of(server, i), user) == 0 ? i : dm;
    }
    return dm;
}

unsigned
homeserver_absent(const struct homeserver *server, const char *user)
{
    unsigned i = 0;

    while (i < ABSENT_MAX && strcmp(server->absent[i], user) != 0) {
        i++;
    }
    return i;
}

void
homeserver_rename(struct homeserver *server, const char *user,
                  const char *shown, int64_t now)
{
    for (unsigned room = 0; room < server->room_count; room++) {
        json_object *content = homeserver_membership("", "join");
        bool there =
            is_for_all(server, room) ||
            homeserver_is_member(server, room, user, "join", server->count);

        put_text(content, "displayname", shown);
        if (there) {
            (void)homeserver_add(server, room, user, "m.room.member", user,
                                 content, now);
        } else {
            json_object_put(content);
        }
    }
}

bool
homeserver_in_dm(const struct homeserver *server, const char *user)
{
    unsigned room = dm_of(server, user);

    return room != 0 &&
           homeserver_is_member(server, room, user, "join", server->count);
}

void
homeserver_leave_dm(struct homeserver *server, const char *user, int64_t now)
{
    unsigned at = homeserver_absent(server, "");

    ck_assert_uint_lt(at, ABSENT_MAX);
    snprintf(server->absent[at], sizeof(server->absent[at]), "%s", user);
    (void)homeserver_add(server, dm_of(server, user), user, "m.room.member",
                         user, homeserver_membership("", "leave"), now);
}

void
homeserver_come_back(struct homeserver *server, const char *user, int64_t now)
{
    unsigned at = homeserver_absent(server, user);
    unsigned room = dm_of(server, user);

    ck_assert_uint_lt(at, ABSENT_MAX);
    server->absent[at][0] = '\0';
    if (homeserver_is_member(server, room, user, "invite", server->count)) {
        (void)homeserver_add(server, room, user, "m.room.member", user,
                             homeserver_membership(user, "join"), now);
    }
}

void
homeserver_begin_chat(struct homeserver *server, const char *user, int64_t now)
{
    json_object *creation = json_object_new_object();
    json_object *invitation = homeserver_membership(BOT, "invite");

    put_text(creation, "room_version", "11");
    (void)json_object_object_add(invitation, "is_direct",
                                 json_object_new_boolean(true));
    (void)homeserver_add(server,
                         homeserver_add_room(server, user, "", creation, now),
                         user, "m.room.member", BOT, invitation, now);
}

static void
set_in_rooms(struct homeserver *server, const char *user, const char *shown,
             const char *membership, int64_t now)
{
    for (unsigned room = 0; room < server->room_count; room++) {
        if (is_for_all(server, room)) {
            (void)homeserver_add(server, room, user, "m.room.member", user,
                                 homeserver_membership(shown, membership), now);
        }
    }
}

void
homeserver_leave(struct homeserver *server, const char *user, int64_t now)
{
    set_in_rooms(server, user, "", "leave", now);
    homeserver_leave_dm(server, user, now);
}

void
homeserver_return(struct homeserver *server, const char *user, int64_t now)
{
    set_in_rooms(server, user, user, "join", now);
    homeserver_come_back(server, user, now);
}

static json_object *
message(const char *type, const char *html)
{
    json_object *content = json_object_new_object();

    put_text(content, "msgtype", type);
    put_text(content, "body", "…");
    put_text(content, "format", "org.matrix.custom.html");
    put_text(content, "formatted_body", html);
    return content;
}

void
homeserver_post(struct homeserver *server, const char *user, bool in_private,
                const char *text, int64_t now)
{
    json_object *content = json_object_new_object();
    char sender[64];
    unsigned room = in_private ? dm_of(server, user) : 0;

    snprintf(sender, sizeof(sender), "@%s:hs.test", user);
    ck_assert(!in_private || room != 0);
    put_text(content, "msgtype", "m.text");
    put_text(content, "body", text);
    (void)homeserver_add(server, room, sender, "m.room.message", NULL, content,
                         now);
}

void
homeserver_react(struct homeserver *server, const char *user, const char *post,
                 int64_t now)
{
    json_object *content = json_object_new_object();
    json_object *relation = json_object_new_object();
    char sender[64];

    snprintf(sender, sizeof(sender), "@%s:hs.test", user);
    put_text(relation, "rel_type", "m.annotation");
    put_text(relation, "event_id", post);
    put_text(relation, "key", "👀");
    json_object_object_add(content, "m.relates_to", relation);
    (void)homeserver_add(server, 0, sender, "m.reaction", NULL, content, now);
}

uint64_t
homeserver_write(struct homeserver *server, const char *user, uint64_t room,
                 const char *type, const char *html, int64_t now)
{
    unsigned number = room == 0 ? dm_of(server, user) : (unsigned)room - 1;

    ck_assert(room != 0 || number != 0);
    (void)homeserver_add(server, number, user, "m.room.message", NULL,
                         message(type, html), now);
    return server->count;
}

void
homeserver_change(struct homeserver *server, uint64_t post, const char *user,
                  const char *html, int64_t now)
{
    const struct event *first = &server->events[post - 1];
    json_object *content = message("m.text", html);
    json_object *relation = json_object_new_object();
    char sender[64];

    snprintf(sender, sizeof(sender), "%s",
             *user == '\0' ? first->sender : user);
    put_text(relation, "rel_type", "m.replace");
    put_text(relation, "event_id", first->id);
    json_object_object_add(content, "m.new_content", message("m.text", html));
    json_object_object_add(content, "m.relates_to", relation);
    (void)homeserver_add(server, first->room, sender, "m.room.message", NULL,
                         content, now);
}

void
homeserver_remove(struct homeserver *server, uint64_t post, int64_t now)
{
    struct event *event = &server->events[post - 1];
    json_object *content = json_object_new_object();
    char sender[64];

    event->redacted = true;
    snprintf(sender, sizeof(sender), "%s", event->sender);
    put_text(content, "redacts", event->id);
    (void)homeserver_add(server, event->room, sender, "m.room.redaction", NULL,
                         content, now);
}

/* As Synapse does it: the alias goes along, and so do the rights. */
uint64_t
homeserver_upgrade(struct homeserver *server, uint64_t room, int64_t now)
{
    unsigned old = (unsigned)room - 1;
    json_object *creation = json_object_new_object();
    json_object *before = json_object_new_object();
    json_object *tombstone = json_object_new_object();
    char alias[TEXT_MAX];
    char closing[32];

    snprintf(alias, sizeof(alias), "%s", server->rooms[old].alias);
    server->rooms[old].alias[0] = '\0';
    snprintf(closing, sizeof(closing), "$%zu", server->count + 4);
    put_text(before, "room_id", server->rooms[old].id);
    put_text(before, "event_id", closing);
    json_object_object_add(creation, "predecessor", before);
    put_text(creation, "room_version", "11");
    unsigned new = homeserver_add_room(server, MO, alias, creation, now);

    (void)homeserver_add(
        server, new, MO, "m.room.power_levels", "",
        json_object_get(homeserver_state(server, old, "m.room.power_levels", "",
                                         server->count)
                            ->content),
        now);
    put_text(tombstone, "body", "This room has been replaced");
    put_text(tombstone, "replacement_room", server->rooms[new].id);
    ck_assert_str_eq(
        homeserver_add(server, old, MO, "m.room.tombstone", "", tombstone, now)
            ->id,
        closing);
    (void)homeserver_add(server, new, MO, "m.room.member", BOT,
                         homeserver_membership(BOT, "invite"), now);
    return new + 1;
}

void
homeserver_put_out(struct homeserver *server, uint64_t room, int64_t now)
{
    (void)homeserver_add(server, (unsigned)room - 1, MO, "m.room.member", BOT,
                         homeserver_membership("", "leave"), now);
}

void
homeserver_ask_back(struct homeserver *server, uint64_t room, int64_t now)
{
    (void)homeserver_add(server, (unsigned)room - 1, MO, "m.room.member", BOT,
                         homeserver_membership(BOT, "invite"), now);
}

#define MEGOLM "m.megolm.v1.aes-sha2"

void
homeserver_encrypt(struct homeserver *server, uint64_t room, int64_t now)
{
    json_object *content = json_object_new_object();

    put_text(content, "algorithm", MEGOLM);
    (void)homeserver_add(server, (unsigned)room - 1, MO, "m.room.encryption",
                         "", content, now);
}

void
homeserver_write_sealed(struct homeserver *server, const char *user,
                        uint64_t room, int64_t now)
{
    json_object *content = json_object_new_object();

    put_text(content, "algorithm", MEGOLM);
    put_text(content, "ciphertext", "AwgAEnAC");
    (void)homeserver_add(server, (unsigned)room - 1, user, "m.room.encrypted",
                         NULL, content, now);
}

/* ---- seeing -------------------------------------------------------------- */

/* The first part of a user's id; it stays. */
static const char *
name_in(const char *user)
{
    static char names[NAMES_MAX][64];
    char name[64];
    unsigned i = 0;

    snprintf(name, sizeof(name), "%.*s",
             *user == '\0' ? 0 : (int)strcspn(user + 1, ":"),
             *user == '\0' ? user : user + 1);
    while (i < NAMES_MAX - 1 && names[i][0] != '\0' &&
           strcmp(names[i], name) != 0) {
        i++;
    }
    ck_assert_uint_lt(i, NAMES_MAX - 1);
    memcpy(names[i], name, sizeof(name));
    return names[i];
}

static bool
is_post(const struct event *event)
{
    json_object *relation = jdoc_get(event->content, "m.relates_to");
    const char *type = string_in(event->content, "msgtype");

    return strcmp(event->type, "m.room.message") == 0 && !event->redacted &&
           strcmp(string_in(relation, "rel_type"), "m.replace") != 0 &&
           strcmp(type, "m.image") != 0 && strcmp(type, "m.file") != 0;
}

bool
homeserver_look(const struct homeserver *server, size_t at,
                struct shown_post *shown)
{
    if (at >= server->count) {
        return false;
    }
    const struct event *event = &server->events[at];
    const struct event *edit = homeserver_edit_of(server, event);
    json_object *content = edit == NULL
                               ? event->content
                               : jdoc_get(edit->content, "m.new_content");

    *shown = (struct shown_post){.id = at + 1,
                                 .topic = event->room + 1,
                                 .author = "-",
                                 .dm = name_in(owner_of(server, event->room)),
                                 .text = string_in(content, "formatted_body")};
    if (is_post(event)) {
        bool own = strcmp(event->sender, BOT) == 0;

        shown->author = own ? "" : name_in(event->sender);
        snprintf(shown->key, sizeof(shown->key), "%s",
                 own ? event->transaction + 2 : "");
    }
    return true;
}

bool
homeserver_counted(const struct homeserver *server, uint64_t post)
{
    const char *id = server->events[post - 1].id;

    for (size_t i = (size_t)post; i < server->count; i++) {
        const struct event *event = &server->events[i];
        json_object *relation = jdoc_get(event->content, "m.relates_to");

        if (strcmp(event->type, "m.reaction") == 0 &&
            strcmp(event->sender, BOT) == 0 &&
            strcmp(string_in(relation, "event_id"), id) == 0) {
            return true;
        }
    }
    return false;
}

/* A number in the query of an address; 0: it is not there. */
static int64_t
number_in(const char *url, const char *before)
{
    const char *at = strstr(url, before);

    return at == NULL ? 0 : strtoll(at + strlen(before), NULL, 10);
}

bool
homeserver_holds(const struct homeserver *server, int64_t now, const char *url,
                 int64_t begun)
{
    size_t since = (size_t)number_in(url, "since=s");

    if (strstr(url, "/sync?") == NULL || since == 0 ||
        now >= begun + number_in(url, "timeout=")) {
        return false;
    }
    for (size_t i = since; i < server->count; i++) {
        const struct event *event = &server->events[i];

        bool own = event->key != NULL && strcmp(event->key, BOT) == 0;

        if (homeserver_is_read(event) &&
            (own || homeserver_is_member(server, event->room, BOT, "join",
                                         server->count))) {
            return false;
        }
    }
    return true;
}

bool
homeserver_is_dm(const struct homeserver *server, const char *url)
{
    int64_t room = number_in(url, "/rooms/%21r");

    return room > 0 && room < (int64_t)server->room_count &&
           *owner_of(server, (unsigned)room) != '\0';
}
