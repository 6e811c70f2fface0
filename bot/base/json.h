/*
 * JSON: json-c for reading (depth at most 512, a doubled key refused on
 * request), plain appending for writing, so that keys keep our order.
 */
#ifndef BOT_BASE_JSON_H
#define BOT_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <json-c/json.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

/* Parse one whole value (white space around it is allowed); owned: free with
 * json_object_put.  `strict` refuses an object with the same key twice.
 * ERR_GARBLED with the byte's position. */
enum err jdoc_parse(const char *text, size_t len, bool strict,
                    json_object **value, struct buf *why) MUST_USE;

/* The same, but members of objects, at every depth, may be left out unless
 * their key is one of these (a list that ends with NULL).  A key behind a `?`
 * is that of members which may be left out, too, where they are null or an
 * empty list.  Of what is left out only the tokens are checked, and that its
 * brackets are closed. */
enum err jdoc_parse_members(const char *text, size_t len,
                            const char *const *keys, json_object **value,
                            struct buf *why) MUST_USE;

/* A member of an object, borrowed; NULL: absent, null, or not an object. */
json_object *jdoc_get(json_object *object, const char *key);

/* A member that is a string, borrowed; NULL: absent or of another type, or
 * with a NUL inside. */
const char *jdoc_string(json_object *object, const char *key);

/* A member that is an integer; false: absent, of another type, or too large for
 * an int64_t. */
bool jdoc_integer(json_object *object, const char *key, int64_t *value);

/* A member that is a boolean; false: absent or of another type. */
bool jdoc_bool(json_object *object, const char *key, bool *value);

/* Append a string literal with its quotes (UTF-8 in; bytes that are not valid
 * UTF-8 become U+FFFD; control characters escaped). */
void jtext_string(struct buf *out, const char *text);
void jtext_string_len(struct buf *out, const char *text, size_t len);

/* Append `"key":`, after a comma unless the last byte is `{` or `[`, or there
 * is nothing before it. */
void jtext_key(struct buf *out, const char *key);

/* Append a comma unless the last byte is `{` or `[`. */
void jtext_comma(struct buf *out);

/* Append an instant as a string, as instant_write has it; of 0: null. */
void jtext_instant(struct buf *out, int64_t instant);

/* Append a member. */
void jtext_add_text(struct buf *out, const char *key, const char *text);
void jtext_add_number(struct buf *out, const char *key, int64_t number);
void jtext_add_bool(struct buf *out, const char *key, bool value);
void jtext_add_instant(struct buf *out, const char *key, int64_t instant);

/* Begin a member that is a list or an object, or an object in a list. */
void jtext_begin_list(struct buf *out, const char *key);
void jtext_begin_object(struct buf *out, const char *key);
void jtext_begin_item(struct buf *out);

#endif
