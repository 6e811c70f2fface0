#include "bot/base/json.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include <json-c/json.h>
#include <json-c/json_visit.h>

#include "bot/base/civil.h"

enum {
    DEPTH_MAX = 512
};

static int
count_member(json_object *value, int flags, json_object *parent,
             const char *key, size_t *index, void *count)
{
    (void)value;
    (void)parent;
    (void)index;
    if (key != NULL && (flags & JSON_C_VISIT_SECOND) == 0) {
        ++*(size_t *)count;
    }
    return JSON_C_VISIT_RETURN_CONTINUE;
}

/* How many digits there are from here. */
static size_t
digits(const char *text, size_t len)
{
    size_t count = 0;

    while (count < len && text[count] >= '0' && text[count] <= '9') {
        count++;
    }
    return count;
}

/* A number as RFC 8259, section 6, has it. */
static bool
is_number(const char *text, size_t len)
{
    size_t at = text[0] == '-';
    size_t whole = digits(text + at, len - at);

    if (whole == 0 || (whole > 1 && text[at] == '0')) {
        return false;
    }
    at += whole;
    if (at < len && text[at] == '.') {
        size_t part = digits(text + at + 1, len - at - 1);
        if (part == 0) {
            return false;
        }
        at += 1 + part;
    }
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < len && (text[at] == '+' || text[at] == '-');
        size_t power = digits(text + at, len - at);
        if (power == 0) {
            return false;
        }
        at += power;
    }
    return at == len;
}

static bool
is_word(const char *text, size_t len)
{
    return (len == 4 && memcmp(text, "true", 4) == 0) ||
           (len == 5 && memcmp(text, "false", 5) == 0) ||
           (len == 4 && memcmp(text, "null", 4) == 0) || is_number(text, len);
}

/* A byte, eight times. */
#define EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Are eight bytes ASCII without control characters, quotes and backslashes? The
 * highest bit of a byte is set, or becomes it where more is taken away than
 * there is. */
static bool
are_simple(const char *text)
{
    uint64_t eight;

    memcpy(&eight, text, sizeof(eight));
    uint64_t odd = eight | (eight - EIGHT(' ')) |
                   ((eight ^ EIGHT('"')) - EIGHT(1)) |
                   ((eight ^ EIGHT('\\')) - EIGHT(1));
    return (odd & EIGHT(0x80)) == 0;
}

static bool
is_simple(unsigned char byte)
{
    return byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
}

/* How many bytes from here on are such. */
static size_t
simple_len(const char *text, size_t len)
{
    size_t i = 0;

    while (i + sizeof(uint64_t) <= len && are_simple(text + i)) {
        i += sizeof(uint64_t);
    }
    while (i < len && is_simple((unsigned char)text[i])) {
        i++;
    }
    return i;
}

/* Well-formed UTF-8 by its first byte (Unicode 15, table 3-7): how many bytes,
 * and the range of the second; any later one is 80 … BF. */
static const struct sequence {
    unsigned char first, last, len, low, high;
} sequences[] = {
    {0x00, 0x7F, 1, 0x00, 0x00}, {0xC2, 0xDF, 2, 0x80, 0xBF},
    {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
    {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF},
    {0xF4, 0xF4, 4, 0x80, 0x8F},
};

static bool
fits(const struct sequence *sequence, const unsigned char *text, size_t len)
{
    if (text[0] < sequence->first || text[0] > sequence->last ||
        len < sequence->len) {
        return false;
    }
    if (sequence->len > 1 &&
        (text[1] < sequence->low || text[1] > sequence->high)) {
        return false;
    }
    for (size_t i = 2; i < sequence->len; i++) {
        if (text[i] < 0x80 || text[i] > 0xBF) {
            return false;
        }
    }
    return true;
}

/* The length of the sequence that begins at `text`; 0: it is not
 * well-formed. */
static size_t
sequence_len(const unsigned char *text, size_t len)
{
    for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
        if (fits(&sequences[i], text, len)) {
            return sequences[i].len;
        }
    }
    return 0;
}

/* The length of the string that begins at `text`; 0: it does not end, or
 * contains a control character or what is no UTF-8. */
static size_t
string_len(const char *text, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t i = 1;

    while (i < len) {
        i += simple_len(text + i, len - i);
        size_t width = 0;
        if (i < len && text[i] == '"') {
            return i + 1;
        }
        if (i < len && text[i] == '\\') {
            width = 2;
        } else if (i < len && bytes[i] >= ' ') {
            width = sequence_len(bytes + i, len - i);
        }
        if (width == 0) {
            return 0;
        }
        i += width;
    }
    return 0;
}

/* May this byte be part of a number or a word? */
static bool
is_word_byte(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           byte == 'E' || byte == '+' || byte == '-' || byte == '.';
}

/* The length of one number or word; 0: none. */
static size_t
word_len(const char *text, size_t len)
{
    size_t i = 0;

    while (i < len && is_word_byte(text[i])) {
        i++;
    }
    return i > 0 && is_word(text, i) ? i : 0;
}

static bool
is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* A text whose tokens are checked one after the other. */
struct scan {
    const char *text;
    size_t len;
    size_t at;     /* what is before it was checked */
    size_t width;  /* of the last token, without the white space behind it */
    size_t open;   /* brackets */
    size_t depth;  /* how many were open at once, at most */
    size_t colons; /* between the tokens */
    char last;     /* what the last token begins with */
};

static void
skip_space(struct scan *scan)
{
    while (scan->at < scan->len && is_space(scan->text[scan->at])) {
        scan->at++;
    }
}

/* The byte that is next; NUL: none. */
static char
next_byte(const struct scan *scan)
{
    return (char)(scan->at < scan->len ? scan->text[scan->at] : '\0');
}

/* The length of the token that comes next, which is counted; 0: there is none.
 * json-c checks their order, but accepts some that JSON has not: 'a', NaN, a
 * line feed or any bytes in a string; and a comma after the last value.  Where
 * it is strict about these, its release 0.18 refuses all letters but ASCII. */
static size_t
count_token(struct scan *scan, const char *token, size_t len)
{
    switch (*token) {
    case '"':
        return string_len(token, len);
    case '{':
    case '[':
        scan->open++;
        scan->depth = scan->open > scan->depth ? scan->open : scan->depth;
        return 1;
    case '}':
    case ']':
        scan->open -= scan->open > 0;
        return scan->last != ',';
    case ',':
        return strchr("[{:,", scan->last) == NULL;
    case ':':
        scan->colons++;
        return scan->last == '"';
    default:
        return is_space(*token) ? 1 : word_len(token, len);
    }
}

/* Take one token, and the white space behind it; false: there is none. */
static bool
take_token(struct scan *scan)
{
    const char *token = scan->text + scan->at;

    scan->width = scan->at < scan->len
                      ? count_token(scan, token, scan->len - scan->at)
                      : 0;
    if (scan->width == 0) {
        return false;
    }
    scan->last = *token;
    scan->at += scan->width;
    skip_space(scan);
    return true;
}

/* Take one value, with all that is in it; false: there is none. */
static bool
take_value(struct scan *scan)
{
    size_t around = scan->open;

    do {
        if (!take_token(scan)) {
            return false;
        }
    } while (scan->open > around);
    return scan->open == around;
}

/* Every colon between the tokens belongs to one member.  json-c keeps one
 * member per key, so a doubled key leaves a colon over. */
static bool
has_doubled_key(const struct scan *scan, json_object *value)
{
    size_t deferred = 0;

    if (json_c_visit(value, 0, count_member, &deferred) != 0) {
        return true;
    }
    return deferred != scan->colons;
}

static enum err
parse(json_tokener *tokener, const char *text, size_t len, json_object **value,
      struct buf *why)
{
    *value = json_tokener_parse_ex(tokener, text, (int)len);
    enum json_tokener_error error = json_tokener_get_error(tokener);
    size_t at = json_tokener_get_parse_end(tokener);

    if (error == json_tokener_continue) {
        /* A number ends only where something else begins. */
        *value = json_tokener_parse_ex(tokener, "", 1);
        error = json_tokener_get_error(tokener);
        at = len;
    }
    if (error == json_tokener_success && at < len) {
        json_object_put(*value);
        *value = NULL;
        error = json_tokener_error_parse_unexpected;
    }
    if (error == json_tokener_success) {
        return ERR_NONE;
    }
    if (error == json_tokener_continue || at >= len) {
        return err_say(why, ERR_GARBLED, "JSON: cut off after %zu bytes", len);
    }
    return err_say(why, ERR_GARBLED, "JSON: byte %zu: %s", at + 1,
                   json_tokener_error_desc(error));
}

/* Build the value of a text that was checked: that of `scan`, or a part. */
static enum err
build(const struct scan *scan, const char *text, size_t len,
      json_object **value, struct buf *why)
{
    /* json-c allocates all levels at the start, so it gets no more than the
     * text has. */
    size_t depth = scan->depth < DEPTH_MAX ? scan->depth + 1 : DEPTH_MAX;
    json_tokener *tokener = json_tokener_new_ex((int)depth);
    if (tokener == NULL) {
        die("out of memory");
    }
    enum err err = parse(tokener, text, len, value, why);
    json_tokener_free(tokener);
    return err;
}

enum err
jdoc_parse(const char *text, size_t len, bool strict, json_object **value,
           struct buf *why)
{
    struct scan scan = {.text = text, .len = len};

    *value = NULL;
    if (len >= INT_MAX) {
        return err_say(why, ERR_FULL, "JSON: longer than %d bytes", INT_MAX);
    }
    while (scan.at < len) {
        if (!take_token(&scan)) {
            return err_say(why, ERR_GARBLED,
                           "JSON: what begins at byte %zu is cut off, or none "
                           "of JSON's",
                           scan.at + 1);
        }
    }
    enum err err = build(&scan, text, len, value, why);
    if (err == ERR_NONE && strict && has_doubled_key(&scan, *value)) {
        json_object_put(*value);
        *value = NULL;
        err =
            err_say(why, ERR_GARBLED, "JSON: an object has the same key twice");
    }
    return err;
}

/* ---- a part of a text -----------------------------------------------------
 */

/* Is null or an empty list next? */
static bool
is_nothing(const struct scan *scan)
{
    struct scan next = *scan;
    char first = next_byte(scan);

    return first == 'n' ||
           (first == '[' && take_token(&next) && next_byte(&next) == ']');
}

/* Is a member of this key, whose value is next, to be kept?  One of a key with
 * an escape may be. */
static bool
is_wanted(const struct scan *scan, const char *const *keys, const char *key,
          size_t len)
{
    for (; *keys != NULL; keys++) {
        bool optional = **keys == '?';
        const char *known = *keys + optional;
        if (*known == *key && strncmp(known, key, len) == 0 &&
            known[len] == '\0') {
            return !optional || !is_nothing(scan);
        }
    }
    return memchr(key, '\\', len) != NULL;
}

/* Leave out a member that was taken, with the comma behind it, or else that
 * before it, which is the last of what is kept.  False: it does not end here.
 */
static bool
leave_out(struct scan *scan, struct buf *kept)
{
    if (next_byte(scan) == ',') {
        return take_token(scan) && next_byte(scan) == '"';
    }
    while (kept->len > 0 && (is_space(kept->data[kept->len - 1]) ||
                             kept->data[kept->len - 1] == ',')) {
        buf_truncate(kept, kept->len - 1);
    }
    return next_byte(scan) == '}';
}

/* Check a text, and copy it without the members that are not wanted; false: it
 * is not JSON. */
static bool
keep_members(struct scan *scan, const char *const *keys, struct buf *kept)
{
    size_t from = 0; /* what is to be copied next */

    while (scan->at < scan->len) {
        size_t begin = scan->at;
        const char *token = scan->text + begin;
        bool first = scan->last == '{' || scan->last == ',';
        if (!take_token(scan)) {
            return false;
        }
        size_t width = scan->width;
        if (*token != '"' || next_byte(scan) != ':' || !take_token(scan) ||
            is_wanted(scan, keys, token + 1, width - 2)) {
            continue;
        }
        buf_add(kept, scan->text + from, begin - from);
        if (!first || !take_value(scan) || !leave_out(scan, kept)) {
            return false;
        }
        from = scan->at;
    }
    buf_add(kept, scan->text + from, scan->len - from);
    return true;
}

enum err
jdoc_parse_members(const char *text, size_t len, const char *const *keys,
                   json_object **value, struct buf *why)
{
    struct scan scan = {.text = text, .len = len};
    struct buf kept = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    bool good =
        len < INT_MAX && keep_members(&scan, keys, &kept) &&
        build(&scan, buf_text(&kept), kept.len, value, &unsaid) == ERR_NONE;

    buf_release(&kept);
    buf_release(&unsaid);
    return good ? ERR_NONE : jdoc_parse(text, len, false, value, why);
}

json_object *
jdoc_get(json_object *object, const char *key)
{
    json_object *value = NULL;

    if (!json_object_is_type(object, json_type_object)) {
        return NULL;
    }
    json_object_object_get_ex(object, key, &value);
    return value;
}

const char *
jdoc_string(json_object *object, const char *key)
{
    json_object *value = jdoc_get(object, key);

    if (!json_object_is_type(value, json_type_string)) {
        return NULL;
    }
    const char *text = json_object_get_string(value);
    if (strlen(text) != (size_t)json_object_get_string_len(value)) {
        return NULL;
    }
    return text;
}

bool
jdoc_integer(json_object *object, const char *key, int64_t *value)
{
    json_object *member = jdoc_get(object, key);

    if (!json_object_is_type(member, json_type_int)) {
        return false;
    }
    /* json-c returns the nearest number it can hold. */
    if (json_object_get_uint64(member) > INT64_MAX ||
        json_object_get_int64(member) == INT64_MIN) {
        return false;
    }
    *value = json_object_get_int64(member);
    return true;
}

bool
jdoc_bool(json_object *object, const char *key, bool *value)
{
    json_object *member = jdoc_get(object, key);

    if (!json_object_is_type(member, json_type_boolean)) {
        return false;
    }
    *value = json_object_get_boolean(member) != 0;
    return true;
}

void
jtext_string(struct buf *out, const char *text)
{
    jtext_string_len(out, text, strlen(text));
}

static void
add_escaped(struct buf *out, unsigned char byte)
{
    switch (byte) {
    case '"':
    case '\\':
        buf_add_char(out, '\\');
        buf_add_char(out, (char)byte);
        break;
    case '\b':
        buf_add_text(out, "\\b");
        break;
    case '\f':
        buf_add_text(out, "\\f");
        break;
    case '\n':
        buf_add_text(out, "\\n");
        break;
    case '\r':
        buf_add_text(out, "\\r");
        break;
    case '\t':
        buf_add_text(out, "\\t");
        break;
    default:
        buf_addf(out, "\\u%04x", byte);
    }
}

/* How many bytes from here on stand for themselves: ASCII without escapes. */
static size_t
plain_len(const unsigned char *text, size_t len)
{
    size_t i = 0;

    while (i < len && text[i] >= ' ' && text[i] < 0x7F && text[i] != '"' &&
           text[i] != '\\') {
        i++;
    }
    return i;
}

void
jtext_string_len(struct buf *out, const char *text, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t i = 0;

    buf_add_char(out, '"');
    while (i < len) {
        size_t plain = plain_len(bytes + i, len - i);
        size_t width = plain > 0 ? plain : sequence_len(bytes + i, len - i);
        if (width == 0) {
            buf_add_codepoint(out, 0xFFFD);
            width = 1;
        } else if (plain == 0 && width == 1) {
            add_escaped(out, bytes[i]);
        } else {
            buf_add(out, bytes + i, width);
        }
        i += width;
    }
    buf_add_char(out, '"');
}

void
jtext_comma(struct buf *out)
{
    if (out->len == 0) {
        return;
    }
    char last = out->data[out->len - 1];
    if (last != '{' && last != '[') {
        buf_add_char(out, ',');
    }
}

void
jtext_key(struct buf *out, const char *key)
{
    jtext_comma(out);
    jtext_string(out, key);
    buf_add_char(out, ':');
}

void
jtext_instant(struct buf *out, int64_t instant)
{
    buf_add_text(out, instant == 0 ? "null" : "\"");
    if (instant != 0) {
        instant_write(instant, out);
        buf_add_char(out, '"');
    }
}

void
jtext_add_text(struct buf *out, const char *key, const char *text)
{
    jtext_key(out, key);
    jtext_string(out, text);
}

void
jtext_add_number(struct buf *out, const char *key, int64_t number)
{
    jtext_key(out, key);
    buf_add_number(out, number);
}

void
jtext_add_bool(struct buf *out, const char *key, bool value)
{
    jtext_key(out, key);
    buf_add_text(out, value ? "true" : "false");
}

void
jtext_add_instant(struct buf *out, const char *key, int64_t instant)
{
    jtext_key(out, key);
    jtext_instant(out, instant);
}

void
jtext_begin_list(struct buf *out, const char *key)
{
    jtext_key(out, key);
    buf_add_char(out, '[');
}

void
jtext_begin_object(struct buf *out, const char *key)
{
    jtext_key(out, key);
    buf_add_char(out, '{');
}

void
jtext_begin_item(struct buf *out)
{
    jtext_comma(out);
    buf_add_char(out, '{');
}
