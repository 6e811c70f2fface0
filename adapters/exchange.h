/*
 * An exchange: one turn of an operation at a service that talks JSON over HTTP.
 * What its adapters share: how a request is put together, how a reply is taken
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
#define EXCHANGE_TIME_MAX INT64_C(253402300799999)

/* All borrowed. */
struct exchange {
    const struct service *service;
    const struct op *op;
    struct buf *scratch;
    const struct reply *reply; /* NULL in the first turn */
    json_object *value;        /* the reply's body; NULL: it is no JSON */
    struct outcome *out;
    struct buf *why;
};

/* Take one turn: `take` is called with an exchange whose value is read from the
 * reply.  For adapter.advance(), whose other arguments these are. */
enum advance exchange_advance(enum advance (*take)(struct exchange *exchange),
                              const struct service *service,
                              const struct op *op, struct buf *scratch,
                              const struct reply *reply, struct outcome *out,
                              struct buf *why);

/* What an operation remembers from turn to turn: `size` bytes, the same in each
 * of its turns; zeroed at first. */
void *exchange_memory(struct exchange *exchange, size_t size);

/* The value of one of the operation's notes; "": it is not there. */
const char *exchange_state(const struct exchange *exchange, const char *key);
/* Return a note; false: it is too long to be kept. */
bool exchange_set_state(struct exchange *exchange, const char *key,
                        const char *value);

/* Append a name made of texts: the same for the same ones, no other row of
 * texts has it, and nobody can tell them by it: 32 hexadecimal digits. */
void exchange_add_name(const char *const *texts, size_t count,
                       struct buf *name);

/* Fail because of a reply that is not what was asked for: by its status, with
 * `said`, the service's own words ("": none); a success is garbled. */
enum advance exchange_refused_with(struct exchange *exchange, const char *said);

/* The reply refuses the picture that was to go with a post, which goes without
 * it.  A service that is in trouble (5xx) may take the next one. */
void exchange_without_picture(struct exchange *exchange);

/* ---- asking -------------------------------------------------------------- */

/* Begin a request that is answered at once, with the account's token.  The
 * path begins with a slash, behind the service's base. */
void ask(struct exchange *exchange, const char *method, const char *path);
/* Append a slash and one part to the path. */
void ask_part(struct exchange *exchange, const char *part);
/* Append to the query. */
void ask_query(struct exchange *exchange, const char *key, const char *value);

/* Append to the body, a JSON object: a member that is text, or JSON as it
 * stands; the first begins it.  A body is ended by ask_end. */
void ask_text(struct exchange *exchange, const char *key, const char *text);
void ask_json(struct exchange *exchange, const char *key, const char *json);
/* End the body, an empty one too.  `route`: what limits such requests. */
void ask_end(struct exchange *exchange, const char *route);
/* A field of a form. */
struct form_field {
    const char *name;
    const char *type; /* its media type; "": plain text */
    const char *value;
};
/* Put the body together as a form with the operation's picture in it, as a file
 * behind the fields (RFC 7578); a body that was begun is wiped. */
void ask_picture(struct exchange *exchange, const struct form_field *fields,
                 size_t count, const char *name);
/* What limits a request without a body. */
void ask_route(struct exchange *exchange, const char *route);

/* ---- replies ------------------------------------------------------------- */

/* A success, with JSON; false in the first turn. */
bool is_success(const struct exchange *exchange);

/* May the text be an id?  1 to ADAPTER_ID_MAX bytes, none of them a blank or a
 * control character. */
bool is_id(const char *text);
/* A member that may be one; NULL: it is none. */
const char *parse_id(json_object *object, const char *key);
/* Put such a member of the reply into out->id; false: it is none. */
bool parse_result(struct exchange *exchange, const char *key);

/* A number of milliseconds since 1970 as the service's clock gives it; false:
 * it is none, and *time stays as it was. */
bool parse_time(json_object *object, const char *key, int64_t *time);

#endif
