/*
 * A trip: one turn of an errand at a service that talks JSON over HTTP.  What
 * its adapters share: how a request is put together, how a reply is taken
 * apart, and what is remembered between two turns.
 *
 * A reply is untrusted: whatever is heard is of the asked type and within its
 * limits, or it is not heard at all.
 */
#ifndef ADAPTERS_EXCHANGE_H
#define ADAPTERS_EXCHANGE_H

#include <json-c/json.h>

#include "adapters/adapter.h"

/* 9999-12-31T23:59:59.999Z: no service's clock is beyond it. */
#define TRIP_TIME_MAX INT64_C(253402300799999)

/* All borrowed. */
struct trip {
    const struct service *service;
    const struct errand *errand;
    struct buf *work;
    const struct reply *reply; /* NULL in the first turn */
    json_object *value;        /* the reply's body; NULL: it is no JSON */
    struct outcome *out;
    struct buf *why;
};

/* Take one turn: `take` is called with a trip whose value is read from the
 * reply.  For adapter.turn(), whose other arguments these are. */
enum turn trip_turn(enum turn (*take)(struct trip *trip),
                    const struct service *service, const struct errand *errand,
                    struct buf *work, const struct reply *reply,
                    struct outcome *out, struct buf *why);

/* What an errand remembers from turn to turn: `size` bytes, the same in each of
 * its turns; zeroed at first. */
void *trip_memory(struct trip *trip, size_t size);

/* The value of one of the errand's notes; "": it is not there. */
const char *trip_note(const struct trip *trip, const char *key);
/* Return a note; false: it is too long to be kept. */
bool trip_set_note(struct trip *trip, const char *key, const char *value);

/* Append a name made of texts: the same for the same ones, no other row of
 * texts has it, and nobody can tell them by it: 32 hexadecimal digits. */
void trip_add_name(const char *const *texts, size_t count, struct buf *name);

/* Fail because of a reply that is not what was asked for: by its status, with
 * `said`, the service's own words ("": none); a success is garbled. */
enum turn trip_refused_with(struct trip *trip, const char *said);

/* The reply refuses the picture that was to go with a post, which goes without
 * it.  A service that is in trouble (5xx) may take the next one. */
void trip_without_picture(struct trip *trip);

/* ---- asking -------------------------------------------------------------- */

/* Begin a request that is answered at once, with the account's token.  The
 * path begins with a slash, behind the service's base. */
void ask(struct trip *trip, const char *method, const char *path);
/* Append a slash and one part to the path. */
void ask_part(struct trip *trip, const char *part);
/* Append to the query. */
void ask_query(struct trip *trip, const char *key, const char *value);

/* Append to the body, a JSON object: a member that is text, or JSON as it
 * stands; the first begins it.  A body is ended by ask_end. */
void ask_text(struct trip *trip, const char *key, const char *text);
void ask_json(struct trip *trip, const char *key, const char *json);
/* End the body, an empty one too.  `route`: what limits such requests. */
void ask_end(struct trip *trip, const char *route);
/* A field of a form. */
struct form_field {
    const char *name;
    const char *type; /* its media type; "": plain text */
    const char *value;
};
/* Put the body together as a form with the errand's picture in it, as a file
 * behind the fields (RFC 7578); a body that was begun is wiped. */
void ask_picture(struct trip *trip, const struct form_field *fields,
                 size_t count, const char *name);
/* What limits a request without a body. */
void ask_route(struct trip *trip, const char *route);

/* ---- hearing ------------------------------------------------------------- */

/* A success, with JSON; false in the first turn. */
bool heard_well(const struct trip *trip);

/* May the text be an id?  1 to ADAPTER_ID_MAX bytes, none of them a blank or a
 * control character. */
bool is_id(const char *text);
/* A member that may be one; NULL: it is none. */
const char *hear_id(json_object *object, const char *key);
/* Put such a member of the reply into out->id; false: it is none. */
bool hear_result(struct trip *trip, const char *key);

/* A number of milliseconds since 1970 as the service's clock gives it; false:
 * it is none, and *time stays as it was. */
bool hear_time(json_object *object, const char *key, int64_t *time);

#endif
