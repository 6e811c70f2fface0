/*
 * Recordings: what the real program of a service answered, as files.
 *
 * tests/fixtures/SERVICE/recorded/NAME.http holds one exchange: the request's
 * line (`GET /path?query`), its headers, a blank line, its body; then a line
 * `=== reply STATUS`, the reply's headers, a blank line, and its body to the
 * end of the file, byte for byte.  Lines that begin with `#` may stand before
 * the request.  One that begins with `# source:` says that the reply was not
 * recorded, and quotes the documentation it is taken from.
 *
 * The file ROUTES beside them names every route, one a line, such as
 * `GET /api/user/:name` or `POST /posting.php?mode=reply`: `:word` stands for
 * any one part of the path, and what the query names has to be there.  The
 * first line that fits is the request's route.
 *
 * A simulated service hands each of its replies to recordings_hold_json or
 * recordings_hold_text, which fail the test where the real program was never
 * seen to answer so.
 */
#ifndef TESTS_RECORDINGS_H
#define TESTS_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "adapters/adapter.h"
#include "bot/base/buf.h"

struct recording {
    char name[64];      /* of its file, without ".http" */
    char method[8];     /* of the request */
    struct buf path;    /* with its query */
    struct buf request; /* the request's body */
    int status;         /* of the reply */
    struct buf headers; /* the reply's, "name: value" lines, in lower case */
    struct buf body;    /* the reply's */
    json_object *value; /* the same as JSON; NULL: it is none */
    const char *route;  /* its line in ROUTES */
    bool documented;    /* taken from documentation, not recorded */
};

struct recordings;

/* All recordings of a service, read once in a process; borrowed for its whole
 * life.  Fails the test where a file is not as told above, or has no route. */
const struct recordings *recordings_of(const char *service);

size_t recordings_count(const struct recordings *recordings);
const struct recording *recordings_at(const struct recordings *recordings,
                                      size_t at);

/* The recording of that name; fails the test if there is none. */
const struct recording *recordings_named(const struct recordings *recordings,
                                         const char *name);

/* The reply as an adapter gets it.  Borrowed from the recording. */
struct reply recording_reply(const struct recording *recording);

/* Hold a simulated reply of JSON against all recordings of its route and
 * status: fail the test for a member, a type, or (from status 400 on) a text
 * that none of them has.  Members that all of them have and the answer lacks
 * are added as the first recording has them.  Members whose names are ids
 * (digits, or @, !, $, #, / first) count as one.  `path` has no base and may
 * have a query.  A number in a text counts as any other number, and an id
 * (@anna:hs.test) as any other id. */
void recordings_hold_json(const struct recordings *recordings,
                          const char *method, const char *path, int status,
                          json_object *answer);

/* The same for a page of HTML or XML: every element, id, class and field's name
 * must be in a recording.  A text without any element must be one that was
 * recorded. */
void recordings_hold_text(const struct recordings *recordings,
                          const char *method, const char *path, int status,
                          const char *text);

/* From now on these two do nothing: they take longer than all else. */
void recordings_spare(void);

/* The same, but append the first difference to `why`, or nothing. */
void recordings_compare_json(const struct recordings *recordings,
                             const char *method, const char *path, int status,
                             json_object *answer, struct buf *why);
void recordings_compare_text(const struct recordings *recordings,
                             const char *method, const char *path, int status,
                             const char *text, struct buf *why);

#endif
