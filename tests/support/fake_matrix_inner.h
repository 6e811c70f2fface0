/*
 * What fake_matrix.c (what it answers) and fake_matrix_people.c (what people do
 * there) share; nobody else includes it.
 */
#ifndef TESTS_FAKE_MATRIX_INNER_H
#define TESTS_FAKE_MATRIX_INNER_H

#include <json-c/json.h>

#include "tests/support/fake_matrix.h"

#define BOT "@placard:hs.test"
#define DM  "org.placard.talk"

enum {
    ROOMS_MAX = 128,
    ABSENT_MAX = 16,
    TEXT_MAX = 256
};

struct event {
    unsigned room;
    int64_t stamp;
    bool redacted;
    size_t edit;   /* its latest edit by its author, from 1; 0: none */
    size_t before; /* the state that it replaces, from 1; 0: none */
    size_t state;  /* the newest state of any kind up to it, from 1; 0: none */
    char id[16], sender[64], type[64];
    char transaction[80]; /* "" none */
    char *key;            /* NULL: no state */
    json_object *content;
};

/* The first event of a room is number 0 of the server's events; tokens count
 * them: "s12" stands behind the first twelve. */
struct homeserver {
    struct event *events;
    size_t count;
    struct {
        char id[32], alias[TEXT_MAX];
    } rooms[ROOMS_MAX];
    unsigned room_count;
    size_t upload; /* bytes of the newest */
    bool sociable; /* whoever is asked into a DM comes at once, but for: */
    char absent[ABSENT_MAX][64]; /* "": nobody */
    size_t longest;              /* events of a room in a sync */
    unsigned storm;              /* coming requests that are refused */
};

/* `content` is taken. */
struct event *homeserver_add(struct homeserver *server, unsigned room,
                             const char *sender, const char *type,
                             const char *key, json_object *content,
                             int64_t now);

/* Make a room; `creation` is taken. */
unsigned homeserver_add_room(struct homeserver *server, const char *maker,
                             const char *alias, json_object *creation,
                             int64_t now);

/* The latest state of a kind, before the event number `end`; NULL: none. */
const struct event *homeserver_state(const struct homeserver *server,
                                     unsigned room, const char *type,
                                     const char *key, size_t end);

/* The latest edit of an event by its own author; NULL: none. */
const struct event *homeserver_edit_of(const struct homeserver *server,
                                       const struct event *first);

bool homeserver_is_member(const struct homeserver *server, unsigned room,
                          const char *user, const char *membership, size_t end);

/* Is it of a kind that the adapter's filter lets through? */
bool homeserver_is_read(const struct event *event);

/* Where somebody stands in that list; "": the first free place.  ABSENT_MAX:
 * there is none. */
unsigned homeserver_absent(const struct homeserver *server, const char *user);

json_object *homeserver_membership(const char *user, const char *membership);

#endif
