/*
 * What the files of the Matrix adapter share; nobody else includes it.
 *
 * Facts are of the Client-Server API, version 1.12 ("C-S" and a section), or,
 * where they are none of the specification's, of Synapse 1.160, which was
 * asked.
 */
#ifndef ADAPTERS_MATRIX_INNER_H
#define ADAPTERS_MATRIX_INNER_H

#include <json-c/json.h>

#include "adapters/adapter.h"

/* The member of m.room.create's content that says whose private talk a room
 * is. */
#define TALK_KEY "org.placard.talk"

/* 9999-12-31T23:59:59.999Z: no service's clock is beyond it. */
#define TIME_MAX INT64_C(253402300799999)

enum {
    MARGIN_MS = 2000,
    LONG_POLL_MS = 10000, /* so long a read waits for news */
};

/* One turn of an errand.  All borrowed. */
struct trip {
    const struct service *service;
    const struct errand *errand;
    struct buf *work;
    const struct reply *reply; /* NULL in the first turn */
    json_object *value;        /* the reply's body; NULL: it is no JSON */
    struct outcome *out;
    struct buf *why;
};

/* What an errand remembers from turn to turn: `size` bytes, the same in each of
 * its turns; zeroed at first. */
void *trip_memory(struct trip *trip, size_t size);

/* The value of one of the errand's notes; "": it is not there. */
const char *trip_note(const struct trip *trip, const char *key);
/* Return a note; false: it is too long to be kept. */
bool trip_set_note(struct trip *trip, const char *key, const char *value);

/* ---- asking -------------------------------------------------------------- */

/* Begin a request that is answered at once: its path begins with /_matrix. */
void ask(struct trip *trip, const char *method, const char *path);
/* The same below a room: "/join". */
void ask_room(struct trip *trip, const char *method, const char *room,
              const char *path);
/* Append a slash and one part to the path. */
void ask_part(struct trip *trip, const char *part);
/* Append to the query. */
void ask_query(struct trip *trip, const char *key, const char *value);

/* Append to the body: a member that is text, a number, or JSON as it stands;
 * the first begins it.  A body is ended by ask_end. */
void ask_text(struct trip *trip, const char *key, const char *text);
void ask_json(struct trip *trip, const char *key, const char *json);
/* End the body, an empty one too.  `route`: what limits such requests. */
void ask_end(struct trip *trip, const char *route);

/* What limits requests (Synapse: rc_message for all that sends, and one limit
 * each for what follows). */
#define ROUTE_SEND   "send"
#define ROUTE_CREATE "create room"
#define ROUTE_INVITE "invite"
#define ROUTE_JOIN   "join"
#define ROUTE_LOGIN  "log in"

/* A name that is the same for the same two texts, and that nobody can guess who
 * does not know the device: 32 hexadecimal digits. */
void trip_name(const struct trip *trip, const char *first, const char *second,
               struct buf *name);

/* ---- hearing ------------------------------------------------------------- */

bool heard_well(const struct trip *trip); /* a success, with JSON */
/* A refusal of that status with that errcode ("": any); no proxy's. */
bool heard_no(const struct trip *trip, int status, const char *errcode);

/* Fail because of what was heard: by its status, else as garbled. */
enum turn trip_refused(struct trip *trip);

/* A member that may be an id: 1 to ADAPTER_ID_MAX bytes, none of them a blank
 * or a control character; NULL: it is none. */
const char *hear_id(json_object *object, const char *key);
/* The same of any text. */
bool is_id(const char *text);

/* Put such a member into out->id; false: it is none. */
bool hear_result(struct trip *trip, const char *key);

/* A number as the server's clock gives it; false: it is none. */
bool hear_time(json_object *object, const char *key, int64_t *time);

/* The content of the state event of that type and key in a list of events;
 * NULL: none. */
json_object *hear_state(json_object *events, const char *type, const char *key);

/* The server that a user's id names; "" if it names none. */
const char *server_of(const char *user);

/* ---- private talks ------------------------------------------------------- */

/* Who is in a room, by its member events. */
struct company {
    bool here;    /* the user is in it */
    bool invited; /* or is asked in */
    bool banned;
    bool others; /* somebody who is neither that user nor the bot, likewise */
};
struct company hear_company(const struct trip *trip, json_object *events);

/* ---- the errands --------------------------------------------------------- */

enum turn turn_who(struct trip *trip);
enum turn turn_place(struct trip *trip);
enum turn turn_probe(struct trip *trip);
enum turn turn_talk(struct trip *trip);
enum turn turn_read(struct trip *trip);
enum turn turn_send(struct trip *trip);
enum turn turn_find(struct trip *trip);
enum turn turn_edit(struct trip *trip);
enum turn turn_react(struct trip *trip);
enum turn turn_delete(struct trip *trip);
enum turn turn_pin(struct trip *trip);

#endif
