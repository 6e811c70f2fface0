/*
 * An exchange: one step of an operation at a service that speaks JSON over
 * HTTP. The adapters of such services share these functions for building a
 * request, reading a reply, and remembering things from step to step.
 *
 * A reply is untrusted: a value that is not of the expected type and within its
 * limits is treated as missing.
 */
#ifndef ADAPTERS_EXCHANGE_H
#define ADAPTERS_EXCHANGE_H

#include <json-c/json.h>

#include "adapters/adapter.h"
#include "bot/base/civil.h"

/* No service's clock is beyond it. */
#define EXCHANGE_TIME_MAX TIME_LAST_MS

/* All borrowed. */
struct exchange {
    const struct service *service;
    const struct op *op;
    struct buf *scratch;
    const struct reply *reply; /* NULL in the first step */
    json_object *value;        /* the reply's body; NULL: not JSON */
    struct outcome *out;
    struct buf *why;
};

/* Take one step: call `take` with an exchange whose value is parsed from the
 * reply.  `keys`: if it is a good one, no members but those of these keys are
 * looked at, and it may lack all others (jdoc_parse_members); NULL: any may be.
 * For adapter.advance(), which passes on its other arguments. */
enum advance exchange_advance(enum advance (*take)(struct exchange *exchange),
                              const char *const *keys,
                              const struct service *service,
                              const struct op *op, struct buf *scratch,
                              const struct reply *reply, struct outcome *out,
                              struct buf *why);

/* How a service handles one kind of operation: the function that takes its next
 * step or, if that is NULL, what the service lacks: "it has no reactions"
 * (NULL: what nothing says that it has).  `keys` are those of exchange_advance.
 */
struct exchange_op {
    enum advance (*take)(struct exchange *exchange);
    const char *lacks;
    const char *const *keys;
};

enum {
    EXCHANGE_OPS = OP_ROLES + 1
};

/* Take a step by the row of the operation's kind.  If the service lacks it,
 * fail with ERR_DENIED. */
enum advance exchange_take(struct exchange *exchange,
                           const struct exchange_op ops[EXCHANGE_OPS]);

/* The operation's memory, kept from step to step: `size` bytes (the same in
 * each step), zeroed at first. */
void *exchange_memory(struct exchange *exchange, size_t size);

/* The value of a key of the adapter state; "": not there. */
const char *exchange_state(const struct exchange *exchange, const char *key);
/* Set a key of the adapter state; false: the value is too long. */
bool exchange_set_state(struct exchange *exchange, const char *key,
                        const char *value);

/* Append a name of 32 hexadecimal digits, hashed from texts: the same for the
 * same texts in the same order, different for any others.  It does not reveal
 * them. */
void exchange_add_name(const char *const *texts, size_t count,
                       struct buf *name);

/* Fail because the reply is not what was asked for: with the error for its
 * status and `said`, the service's own words ("": none); a success counts as
 * garbled. */
enum advance exchange_refused_with(struct exchange *exchange, const char *said);

/* The reply refuses a post's picture: send the post without it.  After a 5xx
 * status the service may still accept the next picture. */
void exchange_without_picture(struct exchange *exchange);

/* FIND: when the message was written or first tried, whichever was first, by
 * the service's clock. */
int64_t exchange_since(const struct exchange *exchange);

/* FIND: is a post known to be another message? */
bool exchange_is_other(const struct exchange *exchange, const char *post);

/* FIND: end a look: with the message, if its id was answered, else as told.
 * FOUND_NOT_YET leaves the cursor as it is. */
enum advance exchange_looked(struct exchange *exchange, enum found found);

/* ---- asking -------------------------------------------------------------- */

/* Start a request that is answered at once, with the account's token.  The path
 * begins with a slash and follows the service's base. */
void ask(struct exchange *exchange, const char *method, const char *path);
/* Append a slash and one part to the path. */
void ask_part(struct exchange *exchange, const char *part);
/* Append to the query. */
void ask_query(struct exchange *exchange, const char *key, const char *value);

/* Append a member to the body, a JSON object: text, or JSON as it stands.  The
 * first call starts the body; ask_end ends it. */
void ask_text(struct exchange *exchange, const char *key, const char *text);
void ask_json(struct exchange *exchange, const char *key, const char *json);
/* End the body, even an empty one.  `route`: request.route. */
void ask_end(struct exchange *exchange, const char *route);
/* A field of a form. */
struct form_field {
    const char *name;
    const char *type; /* its media type; "": plain text */
    const char *value;
};
/* Make the body a form: the fields, then the operation's picture as a file
 * called `name` (RFC 7578); a body already started is wiped. */
void ask_picture(struct exchange *exchange, const struct form_field *fields,
                 size_t count, const char *name);
/* Set the route (request.route) of a request without a body. */
void ask_route(struct exchange *exchange, const char *route);

/* ---- replies ------------------------------------------------------------- */

/* Is the reply a success with JSON?  False in the first step. */
bool is_success(const struct exchange *exchange);

/* Can the text be an id?  1 to ADAPTER_ID_MAX bytes, no blanks or control
 * characters. */
bool is_id(const char *text);
/* A member that can be an id; NULL: it can't. */
const char *parse_id(json_object *object, const char *key);
/* Set out->id. */
void answer_id(struct exchange *exchange, const char *id);
/* Put such a member of the reply into out->id; false: it is no id. */
bool parse_result(struct exchange *exchange, const char *key);

/* Read a member as milliseconds since 1970 by the service's clock; false: it is
 * no such number, and *time stays as it was. */
bool parse_time(json_object *object, const char *key, int64_t *time);

#endif
