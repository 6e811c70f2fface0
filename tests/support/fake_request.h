/*
 * A request of an adapter, taken apart, for services of the tests' own.
 */
#ifndef TESTS_FAKE_REQUEST_H
#define TESTS_FAKE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "adapters/adapter.h"

enum {
    WEB_PARTS_MAX = 8,
    WEB_FIELDS_MAX = 64,
    WEB_TEXT_MAX = 512
};

struct web_field {
    char key[64];
    char *value; /* owned */
};

struct web {
    const struct request *request;
    char parts[WEB_PARTS_MAX][WEB_TEXT_MAX]; /* of the path, decoded */
    unsigned part_count;
    struct web_field fields[WEB_FIELDS_MAX]; /* of the query, and a form; a
                                                file's value is its name */
    unsigned field_count;
    json_object *body; /* NULL: it is no JSON */
    const char *file;  /* of a form with one, as it came; NULL: none */
    size_t file_len;
};

/* `base`: what its URL begins with.  Fails the test where that is not so. */
void web_open(struct web *web, const char *base, const struct request *request);
void web_close(struct web *web);

/* Is it of that method, with so many parts, the first of which are these? */
bool web_is(const struct web *web, const char *method, unsigned parts,
            const char *first, const char *second);

/* The value of the nth field of that name; NULL: none. */
const char *web_field(const struct web *web, const char *key, unsigned n);

/* The value of a header; "" if there is none.  In `room`, borrowed. */
const char *web_header(const struct web *web, const char *name,
                       struct buf *room);

/* JSON that is put together; a value is taken. */
void web_put(json_object *object, const char *key, json_object *value);
void web_put_text(json_object *object, const char *key, const char *text);
void web_put_number(json_object *object, const char *key, int64_t number);
void web_put_bool(json_object *object, const char *key, bool value);

/* A reply of JSON, which is taken, at a time in whole seconds. */
void web_answer(int status, json_object *answer, int64_t now, struct buf *body,
                struct reply *reply);

#endif
