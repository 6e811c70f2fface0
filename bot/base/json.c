#include "bot/base/json.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include <json-c/json.h>
#include <json-c/json_visit.h>

#include "bot/base/civil.h"

enum {
    DEPTH_MAX = 512,
    USUAL_DEPTH = 16,  /* of brackets in a usual text */
    USUAL_KEY = 64,    /* bytes of a key in a usual text */
    ROOM = 4,          /* values of an array, to begin with */
    USUAL_NUMBER = 18, /* digits: all such numbers fit an int64_t */
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

/* The length of the string that begins at `text`; 0: it does not end, or
 * contains a control character. */
static size_t
string_len(const char *text, size_t len)
{
    size_t i = 1;

    while (i < len) {
        i += simple_len(text + i, len - i);
        if (i < len && text[i] == '"') {
            return i + 1;
        }
        if (i < len && (unsigned char)text[i] < ' ') {
            return 0;
        }
        i += i < len && text[i] == '\\';
        i++;
        while (i < len && (unsigned char)text[i] >= 0x80) {
            i++;
        }
    }
    return 0;
}

/* Does this byte end a number or a word, without being part of it? */
static bool
is_mark(char byte)
{
    switch (byte) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case ' ':
    case '\t':
    case '\r':
    case '\n':
        return true;
    default:
        return false;
    }
}

/* The length of one string, mark, white space, number or word; 0: none. */
static size_t
token_len(const char *text, size_t len)
{
    size_t i = 0;

    if (text[0] == '"') {
        return string_len(text, len);
    }
    if (is_mark(text[0])) {
        return 1;
    }
    i = text[0] != '0' ? digits(text, len) : 0;
    if (i > 0 && i < len && is_mark(text[i])) {
        return i; /* most numbers are such */
    }
    while (i < len && text[i] != '"' && !is_mark(text[i])) {
        i++;
    }
    return is_word(text, i) ? i : 0;
}

static bool
is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The length of one value, with all that is in it and the white space before
 * it; 0: none. */
static size_t
value_len(const char *text, size_t len)
{
    size_t open = 0;
    size_t at = 0;

    while (at < len) {
        size_t width = token_len(text + at, len - at);
        char first = text[at];
        bool closes = first == '}' || first == ']';
        bool alone = closes || first == ',' || first == ':';
        if (width == 0 || (open == 0 && alone)) {
            return 0;
        }
        at += width;
        open += first == '{' || first == '[';
        open -= closes;
        if (open == 0 && !is_space(first)) {
            return at;
        }
    }
    return 0;
}

/* What the tokens of a text show. */
struct tokens {
    size_t colons;
    size_t depth; /* how many brackets are open at once, at most */
};

/* json-c checks the order of the tokens, but accepts some that JSON has not:
 * 'a', NaN, a line feed in a string; and a comma after the last value.  Where
 * it is strict about these, its release 0.18 refuses all letters but ASCII. */
static enum err
check_tokens(const char *text, size_t len, struct tokens *tokens,
             struct buf *why)
{
    size_t open = 0;
    size_t i = 0;
    bool comma = false;

    while (i < len) {
        size_t width = token_len(text + i, len - i);
        bool closes = text[i] == '}' || text[i] == ']';
        if (width == 0 || (comma && closes)) {
            return err_say(why, ERR_GARBLED,
                           "JSON: what begins at byte %zu is cut off, or none "
                           "of JSON's",
                           i + 1);
        }
        tokens->colons += text[i] == ':';
        open += text[i] == '{' || text[i] == '[';
        open -= open > 0 && closes;
        comma = text[i] == ',' || (comma && is_space(text[i]));
        tokens->depth = open > tokens->depth ? open : tokens->depth;
        i += width;
    }
    return ERR_NONE;
}

/* ---- usual texts --------------------------------------------------------- */

/* What may come next in a usual text. */
enum next {
    NEXT_VALUE,
    NEXT_VALUE_OR_END, /* after "[" */
    NEXT_KEY,
    NEXT_KEY_OR_END, /* after "{" */
    NEXT_COLON,
    NEXT_COMMA_OR_END,
    NEXT_NOTHING,
};

/* An object or a list that has not ended. */
struct level {
    json_object *value;
    bool is_object;
    uint64_t has; /* of the wanted keys: a bit for each */
};

/* A value in the making. */
struct builder {
    json_object *root; /* owned */
    struct level open[USUAL_DEPTH];
    size_t depth;
    enum next next;
    const char *const *keys; /* of the members to be kept; NULL: all */
    size_t at; /* the key of the value that comes next: in `keys` */
    char key[USUAL_KEY + 1]; /* without those: the key itself */
    bool unwanted;           /* the value that comes next is not one of them */
    bool doubled;            /* an object has the same key twice */
    json_tokener *strings;   /* reads those that are not plain; NULL: no need
                                yet */
};

static bool
is_in_object(const struct builder *builder)
{
    return builder->depth > 0 && builder->open[builder->depth - 1].is_object;
}

/* Put a value into an object under a key of the list.  Nothing has to be looked
 * up for it, or copied, unless it is there already and loses its value. */
static void
build_wanted(struct builder *builder, struct level *level, json_object *value)
{
    uint64_t bit = builder->at < 64 ? UINT64_C(1) << builder->at : 0;
    bool first = bit != 0 && (level->has & bit) == 0;
    unsigned how = JSON_C_OBJECT_KEY_IS_CONSTANT;

    how |= first ? JSON_C_OBJECT_ADD_KEY_IS_NEW : 0;
    level->has |= bit;
    if (json_object_object_add_ex(level->value, builder->keys[builder->at],
                                  value, how) != 0) {
        die("out of memory");
    }
}

/* Put a value into an object; a key that is there already loses the value that
 * it had. */
static void
build_member(struct builder *builder, json_object *object, json_object *value)
{
    int count = json_object_object_length(object);

    if (json_object_object_add(object, builder->key, value) != 0) {
        die("out of memory");
    }
    builder->doubled |= json_object_object_length(object) == count;
}

/* Put a value, which is taken, where one may come; NULL is JSON's null. */
static bool
build_value(struct builder *builder, json_object *value)
{
    struct level *level = &builder->open[builder->depth - (builder->depth > 0)];

    if (builder->next != NEXT_VALUE && builder->next != NEXT_VALUE_OR_END) {
        json_object_put(value);
        return false;
    }
    if (builder->depth == 0) {
        builder->root = value;
    } else if (!level->is_object) {
        if (json_object_array_add(level->value, value) != 0) {
            die("out of memory");
        }
    } else if (builder->keys != NULL) {
        build_wanted(builder, level, value);
    } else {
        build_member(builder, level->value, value);
    }
    builder->next = builder->depth == 0 ? NEXT_NOTHING : NEXT_COMMA_OR_END;
    return true;
}

/* A value that MUST have been made. */
static bool
build_made(struct builder *builder, json_object *value)
{
    if (value == NULL) {
        die("out of memory");
    }
    return build_value(builder, value);
}

static bool
build_opening(struct builder *builder, json_object *value, bool is_object)
{
    if (builder->depth == USUAL_DEPTH) {
        json_object_put(value);
        return false;
    }
    if (!build_made(builder, value)) {
        return false;
    }
    builder->open[builder->depth++] =
        (struct level){.value = value, .is_object = is_object};
    builder->next = is_object ? NEXT_KEY_OR_END : NEXT_VALUE_OR_END;
    return true;
}

static bool
build_end(struct builder *builder, bool is_object)
{
    enum next empty = is_object ? NEXT_KEY_OR_END : NEXT_VALUE_OR_END;

    if (builder->depth == 0 || is_in_object(builder) != is_object ||
        (builder->next != NEXT_COMMA_OR_END && builder->next != empty)) {
        return false;
    }
    builder->depth--;
    builder->next = builder->depth == 0 ? NEXT_NOTHING : NEXT_COMMA_OR_END;
    return true;
}

static json_tokener *
new_tokener(size_t depth)
{
    json_tokener *tokener = json_tokener_new_ex((int)depth);

    if (tokener == NULL) {
        die("out of memory");
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_VALIDATE_UTF8);
    return tokener;
}

/* A string that is not plain, with its quotes, is json-c's to read. */
static bool
build_odd_string(struct builder *builder, const char *text, size_t len)
{
    if (builder->strings == NULL) {
        builder->strings = new_tokener(1);
    }
    json_object *value =
        json_tokener_parse_ex(builder->strings, text, (int)len);

    return value != NULL && build_value(builder, value);
}

/* Most keys differ from another one in their first letters. */
static bool
is_key(const char *known, const char *key, size_t len)
{
    size_t same = 0;

    while (same < len && known[same] == key[same]) {
        same++;
    }
    return same == len && known[same] == '\0';
}

/* Find a key in the list; false: it is not there. */
static bool
find_key(struct builder *builder, const char *key, size_t len)
{
    const char *const *keys = builder->keys;
    size_t at = 0;

    while (keys[at] != NULL && !is_key(keys[at], key, len)) {
        at++;
    }
    builder->at = at;
    return keys[at] != NULL;
}

/* A key, without its quotes. */
static bool
build_key(struct builder *builder, const char *key, size_t len)
{
    builder->next = NEXT_COLON;
    if (builder->keys != NULL) {
        builder->unwanted = !find_key(builder, key, len);
        return true;
    }
    if (len > USUAL_KEY) {
        return false;
    }
    memcpy(builder->key, key, len);
    builder->key[len] = '\0';
    return true;
}

/* What begins with a quote; *width: its length. */
static bool
build_string(struct builder *builder, const char *text, size_t len,
             size_t *width)
{
    size_t simple = simple_len(text + 1, len - 1);
    bool plain = 1 + simple < len && text[1 + simple] == '"';
    bool key = builder->next == NEXT_KEY || builder->next == NEXT_KEY_OR_END;

    *width = plain ? simple + 2 : string_len(text, len);
    if (plain && key) {
        return build_key(builder, text + 1, simple);
    }
    return plain
               ? build_made(builder,
                            json_object_new_string_len(text + 1, (int)simple))
               : *width > 0 && !key && build_odd_string(builder, text, *width);
}

static bool
build_number(struct builder *builder, const char *text, size_t len)
{
    int64_t number = 0;

    if (len > USUAL_NUMBER || digits(text, len) < len) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        number = number * 10 + (text[i] - '0');
    }
    return build_made(builder, json_object_new_int64(number));
}

static bool
build_comma(struct builder *builder)
{
    bool due = builder->next == NEXT_COMMA_OR_END;

    builder->next = is_in_object(builder) ? NEXT_KEY : NEXT_VALUE;
    return due;
}

static bool
build_colon(struct builder *builder)
{
    bool due = builder->next == NEXT_COLON;

    builder->next = NEXT_VALUE;
    return due;
}

/* Take one token of a usual text that is no string; false: it may not come
 * here. */
static bool
build(struct builder *builder, const char *text, size_t len)
{
    switch (text[0]) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
        return true;
    case '{':
        return build_opening(builder, json_object_new_object(), true);
    case '[':
        /* Most are empty or short; json-c would make room for 32 values. */
        return build_opening(builder, json_object_new_array_ext(ROOM), false);
    case '}':
        return build_end(builder, true);
    case ']':
        return build_end(builder, false);
    case ',':
        return build_comma(builder);
    case ':':
        return build_colon(builder);
    case 't':
    case 'f':
        return build_made(builder, json_object_new_boolean(text[0] == 't'));
    case 'n':
        return build_value(builder, NULL);
    default:
        return build_number(builder, text, len);
    }
}

/* Take what comes next of a usual text; *width: its length. */
static bool
build_next(struct builder *builder, const char *text, size_t len, size_t *width)
{
    if (builder->unwanted && builder->next == NEXT_VALUE) {
        *width = value_len(text, len);
        builder->unwanted = false;
        builder->next = NEXT_COMMA_OR_END;
        return *width > 0;
    }
    if (text[0] == '"') {
        return build_string(builder, text, len, width);
    }
    *width = is_mark(text[0]) ? 1 : token_len(text, len);
    return *width > 0 && build(builder, text, *width);
}

/*
 * Build the value of a text; json-c takes thrice as long over one, since it has
 * to expect everything.  Owned; NULL where anything is amiss or unusual, and
 * json-c is to read it.
 */
static json_object *
build_usual(const char *text, size_t len, const char *const *keys,
            bool *doubled)
{
    struct builder builder = {.next = NEXT_VALUE, .keys = keys};
    size_t at = 0;
    bool good = true;

    while (good && at < len) {
        size_t width = 0;
        good = build_next(&builder, text + at, len - at, &width);
        at += width;
    }
    *doubled = builder.doubled;
    if (builder.strings != NULL) {
        json_tokener_free(builder.strings);
    }
    if (!good || builder.next != NEXT_NOTHING) {
        json_object_put(builder.root);
        return NULL;
    }
    return builder.root;
}

/* ---- all texts ----------------------------------------------------------- */

/* Every colon between the tokens belongs to one member.  json-c keeps one
 * member per key, so a doubled key leaves a colon over. */
static bool
has_doubled_key(const struct tokens *tokens, json_object *value)
{
    size_t deferred = 0;

    if (json_c_visit(value, 0, count_member, &deferred) != 0) {
        return true;
    }
    return deferred != tokens->colons;
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

static enum err
parse_any(const char *text, size_t len, bool *doubled, json_object **value,
          struct buf *why)
{
    struct tokens tokens = {.colons = 0};
    enum err err = check_tokens(text, len, &tokens, why);
    if (err != ERR_NONE) {
        return err;
    }
    /* json-c allocates all levels at the start, so it gets no more than the
     * text has. */
    json_tokener *tokener =
        new_tokener(tokens.depth < DEPTH_MAX ? tokens.depth + 1 : DEPTH_MAX);
    err = parse(tokener, text, len, value, why);
    json_tokener_free(tokener);
    *doubled = err == ERR_NONE && has_doubled_key(&tokens, *value);
    return err;
}

static enum err
parse_usual(const char *text, size_t len, const char *const *keys,
            bool *doubled, json_object **value, struct buf *why)
{
    *value = NULL;
    if (len >= INT_MAX) {
        return err_say(why, ERR_FULL, "JSON: longer than %d bytes", INT_MAX);
    }
    *value = build_usual(text, len, keys, doubled);
    return *value != NULL ? ERR_NONE
                          : parse_any(text, len, doubled, value, why);
}

enum err
jdoc_parse_members(const char *text, size_t len, const char *const *keys,
                   json_object **value, struct buf *why)
{
    bool doubled = false;

    return parse_usual(text, len, keys, &doubled, value, why);
}

enum err
jdoc_parse(const char *text, size_t len, bool strict, json_object **value,
           struct buf *why)
{
    bool doubled = false;
    enum err err = parse_usual(text, len, NULL, &doubled, value, why);

    if (strict && doubled) {
        json_object_put(*value);
        *value = NULL;
        return err_say(why, ERR_GARBLED,
                       "JSON: an object has the same key twice");
    }
    return err;
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
