/* Simulated replies, held against what the real program answered. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/recordings_inner.h"

enum {
    ERRORS_FROM = 400, /* status: the service's own words count from there */
    DEPTH_MAX = 24,
    KNOWN_MAX = 256 /* routes with a status */
};

/* What an answer is held against. */
struct hold {
    struct buf *why; /* the first difference */
    const struct recordings *recordings;
    const char *route;
    int status;
    const char *names[DEPTH_MAX]; /* of members, on the way to the value */
    unsigned depth;
};

/* Recorded values at one place; the list is owned, the values are borrowed. */
struct values {
    json_object **list;
    size_t count, room;
};

static void
values_add(struct values *values, json_object *value)
{
    if (values->count == values->room) {
        values->room = values->room == 0 ? 16 : 2 * values->room;
        values->list =
            must_grow(values->list, values->room * sizeof(json_object *));
    }
    values->list[values->count++] = value;
}

/* Say where they differ, the first time. */
static void
refute(const struct hold *hold, const char *what)
{
    if (hold->why->len > 0) {
        return;
    }
    buf_addf(hold->why, "%s: %s, status %d: no recording has %s at \"",
             hold->recordings->service, hold->route, hold->status, what);
    for (unsigned i = 0; i < hold->depth; i++) {
        buf_addf(hold->why, "%s%s", i == 0 ? "" : ".", hold->names[i]);
    }
    buf_add_text(hold->why, "\"");
}

/* ---- texts --------------------------------------------------------------- */

/* The length of an id at the start of a text, "@anna:hs.test"; 0: none. */
static size_t
id_length(const char *text)
{
    return strchr("@!$#", text[0]) != NULL ? strcspn(text, " ,;\"") : 0;
}

/* Are two texts the same but for their numbers and ids? */
static bool
reads_alike(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (id_length(a) > 1 && id_length(b) > 1) {
            a += id_length(a);
            b += id_length(b);
        } else if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789");
            b += strspn(b, "0123456789");
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static bool
is_id(const char *name)
{
    return strchr("@!$#/", name[0]) != NULL ||
           name[strspn(name, "0123456789")] == '\0';
}

/* ---- values -------------------------------------------------------------- */

static bool
same_type(json_object *a, json_object *b)
{
    enum json_type left = json_object_get_type(a);
    enum json_type right = json_object_get_type(b);

    return (left == json_type_double ? json_type_int : left) ==
           (right == json_type_double ? json_type_int : right);
}

/* The recorded values that have the answer's type, and where both name a kind
 * by a member "type", its kind; all of its type if none has. */
static struct values
choose_alike(const struct values *recorded, json_object *answer)
{
    struct values alike = {.list = NULL};
    struct values kind = {.list = NULL};
    json_object *type = json_object_object_get(answer, "type");

    for (size_t i = 0; i < recorded->count; i++) {
        json_object *value = recorded->list[i];

        if (same_type(value, answer)) {
            values_add(&alike, value);
            if (json_object_is_type(answer, json_type_object) &&
                json_object_equal(json_object_object_get(value, "type"),
                                  type)) {
                values_add(&kind, value);
            }
        }
    }
    if (kind.count == 0) {
        free(kind.list);
        return alike;
    }
    free(alike.list);
    return kind;
}

static void hold_value(struct hold *hold, const struct values *recorded,
                       json_object *answer);

/* One level down. */
static void
hold_member(struct hold *hold, const char *name, const struct values *recorded,
            json_object *answer)
{
    ck_assert_uint_lt(hold->depth, DEPTH_MAX);
    hold->names[hold->depth++] = name;
    if (recorded->count == 0) {
        refute(hold, "a member");
    } else {
        hold_value(hold, recorded, answer);
    }
    hold->depth--;
}

/* Add what all recorded objects have and the answer lacks. */
static void
complete(const struct values *recorded, json_object *answer)
{
    json_object_object_foreach(recorded->list[0], name, value)
    {
        bool always =
            !is_id(name) && !json_object_object_get_ex(answer, name, NULL);
        json_object *copy = NULL;

        for (size_t i = 1; always && i < recorded->count; i++) {
            always = json_object_object_get_ex(recorded->list[i], name, NULL);
        }
        if (always) {
            if (value != NULL) {
                ck_assert_int_eq(json_object_deep_copy(value, &copy, NULL), 0);
            }
            ck_assert_int_eq(json_object_object_add(answer, name, copy), 0);
        }
    }
}

/* Add an object's members of that name; ids are one name. */
static void
add_members(json_object *object, const char *name, struct values *members)
{
    json_object *found = NULL;

    if (!is_id(name)) {
        if (json_object_object_get_ex(object, name, &found)) {
            values_add(members, found);
        }
        return;
    }
    json_object_object_foreach(object, other, member)
    {
        if (is_id(other)) {
            values_add(members, member);
        }
    }
}

/* Is a value, which nothing but its type is asked of, as one that was recorded?
 * Found at the first, without a list of all. */
static bool
is_of_recorded_type(const struct hold *hold, const struct values *recorded,
                    const char *name, json_object *value)
{
    enum json_type type = json_object_get_type(value);
    json_object *found = NULL;

    if (type == json_type_object || type == json_type_array || is_id(name) ||
        (type == json_type_string && hold->status >= ERRORS_FROM)) {
        return false;
    }
    for (size_t i = 0; i < recorded->count; i++) {
        if (json_object_object_get_ex(recorded->list[i], name, &found) &&
            same_type(found, value)) {
            return true;
        }
    }
    return false;
}

static void
hold_object(struct hold *hold, const struct values *recorded,
            json_object *answer)
{
    json_object_object_foreach(answer, name, value)
    {
        struct values members = {.list = NULL};

        if (is_of_recorded_type(hold, recorded, name, value)) {
            continue;
        }
        for (size_t i = 0; i < recorded->count; i++) {
            add_members(recorded->list[i], name, &members);
        }
        hold_member(hold, name, &members, value);
        free(members.list);
    }
    complete(recorded, answer);
}

static void
hold_array(struct hold *hold, const struct values *recorded,
           json_object *answer)
{
    struct values elements = {.list = NULL};

    for (size_t i = 0; i < recorded->count; i++) {
        size_t len = json_object_array_length(recorded->list[i]);

        for (size_t n = 0; n < len; n++) {
            values_add(&elements,
                       json_object_array_get_idx(recorded->list[i], n));
        }
    }
    for (size_t n = 0; n < json_object_array_length(answer); n++) {
        hold_member(hold, "[]", &elements,
                    json_object_array_get_idx(answer, n));
    }
    free(elements.list);
}

static void
hold_words(const struct hold *hold, const struct values *recorded,
           json_object *answer)
{
    const char *words = json_object_get_string(answer);

    for (size_t i = 0; i < recorded->count; i++) {
        if (reads_alike(json_object_get_string(recorded->list[i]), words)) {
            return;
        }
    }
    refute(hold, words);
}

static void
hold_value(struct hold *hold, const struct values *recorded,
           json_object *answer)
{
    struct values alike = choose_alike(recorded, answer);

    if (alike.count == 0) {
        refute(hold, json_type_to_name(json_object_get_type(answer)));
    } else if (json_object_is_type(answer, json_type_object)) {
        hold_object(hold, &alike, answer);
    } else if (json_object_is_type(answer, json_type_array)) {
        hold_array(hold, &alike, answer);
    } else if (json_object_is_type(answer, json_type_string) &&
               hold->status >= ERRORS_FROM) {
        hold_words(hold, &alike, answer);
    }
    free(alike.list);
}

void
recordings_compare_json(const struct recordings *recordings, const char *method,
                        const char *path, int status, json_object *answer,
                        struct buf *why)
{
    const struct recording *like[RECORDINGS_MAX];
    struct values recorded = {.list = NULL};
    struct hold hold = {.why = why, .recordings = recordings, .status = status};
    size_t count = recordings_like(recordings, method, path, status, like, why);

    for (size_t i = 0; i < count; i++) {
        hold.route = like[i]->route;
        if (like[i]->value != NULL || like[i]->body.len > 0) {
            values_add(&recorded, like[i]->value);
        }
    }
    if (count > 0 && (recorded.count > 0 || answer != NULL)) {
        hold_value(&hold, &recorded, answer);
    }
    free(recorded.list);
}

static bool spared;

void
recordings_spare(void)
{
    spared = true;
}

void
recordings_hold_json(const struct recordings *recordings, const char *method,
                     const char *path, int status, json_object *answer)
{
    struct buf why = BUF_INIT;

    if (spared) {
        return;
    }
    recordings_compare_json(recordings, method, path, status, answer, &why);
    ck_assert_msg(why.len == 0, "%s", buf_text(&why));
}

/* ---- pages --------------------------------------------------------------- */

/* Append `tag`, `sign` and a word, with each number as 0, as one line. */
static void
add_feature(struct buf *features, const char *tag, size_t tag_len, char sign,
            const char *word, size_t len)
{
    buf_addf(features, "\n%.*s%c", (int)tag_len, tag, sign);
    for (size_t i = 0; i < len; i++) {
        bool digit = isdigit((unsigned char)word[i]);

        if (!digit || i == 0 || !isdigit((unsigned char)word[i - 1])) {
            buf_add_char(features, (char)(digit ? '0' : word[i]));
        }
    }
    buf_add_text(features, "\n");
}

/* Take an attribute's value, quoted or not; its length. */
static size_t
take_value(const char **at, const char **value)
{
    char quote = (char)(**at == '"' || **at == '\'' ? **at : '\0');
    const char ends[] = {quote, '\0'};
    size_t len;

    *at += quote == '\0' ? 0 : 1;
    *value = *at;
    len = strcspn(*at, quote == '\0' ? " \t\r\n>" : ends);
    *at += len + (quote != '\0' && (*at)[len] == quote ? 1 : 0);
    return len;
}

static void
add_attribute(struct buf *features, const char *tag, size_t tag_len,
              const char *name, size_t name_len, const char *value, size_t len)
{
    if (name_len == 2 && strncmp(name, "id", 2) == 0) {
        add_feature(features, tag, tag_len, '#', value, len);
    } else if (name_len == 4 && strncmp(name, "name", 4) == 0) {
        add_feature(features, tag, tag_len, '=', value, len);
    } else if (name_len == 5 && strncmp(name, "class", 5) == 0) {
        for (size_t at = 0; at < len;) {
            size_t word = strcspn(value + at, " \"'");

            word = word > len - at ? len - at : word;
            if (word > 0) {
                add_feature(features, tag, tag_len, '.', value + at, word);
            }
            at += word + 1;
        }
    }
}

/* Read one start tag behind its `<`. */
static void
add_element(struct buf *features, const char **at)
{
    const char *tag = *at;
    size_t tag_len = strcspn(tag, " \t\r\n>/");

    add_feature(features, tag, tag_len, ' ', "", 0);
    *at += tag_len;
    while (**at != '>' && **at != '\0') {
        const char *name = *at += strspn(*at, " \t\r\n/");
        size_t name_len = strcspn(name, " \t\r\n=>/");
        const char *value = "";
        size_t len = 0;

        *at += name_len;
        if (**at == '=') {
            ++*at;
            len = take_value(at, &value);
        }
        add_attribute(features, tag, tag_len, name, name_len, value, len);
    }
}

/* What a page is made of, a line each: its elements, with ids, classes and
 * names. */
static void
add_features(struct buf *features, const char *text)
{
    while ((text = strchr(text, '<')) != NULL) {
        text++;
        if (strncmp(text, "!--", 3) == 0) {
            const char *end = strstr(text, "-->");

            text = end == NULL ? text : end;
        } else if (isalpha((unsigned char)*text)) {
            add_element(features, &text);
        }
    }
}

/* Take the next line of `features` that is not in `known`, between the ends of
 * both its neighbours ("\nword\n"), from `*at` on; false: there is none. */
static bool
next_unknown(const struct buf *known, const struct buf *features, size_t *at,
             struct buf *line)
{
    while (*at < features->len) {
        const char *begin = buf_text(features) + *at;
        size_t len = (size_t)(strchr(begin + 1, '\n') + 1 - begin);

        buf_clear(line);
        buf_add(line, begin, len);
        *at += len;
        if (strstr(buf_text(known), buf_text(line)) == NULL) {
            return true;
        }
    }
    return false;
}

/* What the recorded pages of a route and status are made of, each line once. */
struct known {
    const char *route;
    int status;
    struct buf features;
};

/* Collected when they are first asked for. */
static const struct buf *
known_features(const struct recording *const *like, size_t count)
{
    static struct known known[KNOWN_MAX];
    struct known *at = known;
    struct buf features = BUF_INIT;
    struct buf line = BUF_INIT;

    while (at->route != NULL &&
           (at->route != like[0]->route || at->status != like[0]->status)) {
        at++;
        ck_assert(at < known + KNOWN_MAX);
    }
    for (size_t i = 0; at->route == NULL && i < count; i++) {
        add_features(&features, buf_text(&like[i]->body));
    }
    for (size_t from = 0;
         next_unknown(&at->features, &features, &from, &line);) {
        buf_add_buf(&at->features, &line);
    }
    at->route = like[0]->route;
    at->status = like[0]->status;
    buf_release(&features);
    buf_release(&line);
    return &at->features;
}

static void
hold_features(const struct hold *hold, const struct buf *known,
              const struct buf *features)
{
    struct buf line = BUF_INIT;

    for (size_t at = 0; next_unknown(known, features, &at, &line);) {
        refute(hold, buf_text(&line) + 1);
    }
    buf_release(&line);
}

void
recordings_compare_text(const struct recordings *recordings, const char *method,
                        const char *path, int status, const char *text,
                        struct buf *why)
{
    const struct recording *like[RECORDINGS_MAX];
    struct buf features = BUF_INIT;
    struct hold hold = {.why = why, .recordings = recordings, .status = status};
    size_t count = recordings_like(recordings, method, path, status, like, why);
    bool found = count == 0;

    for (size_t i = 0; i < count; i++) {
        hold.route = like[i]->route;
        found |= reads_alike(buf_text(&like[i]->body), text);
    }
    add_features(&features, text);
    if (features.len == 0 && !found) {
        refute(&hold, text);
    } else if (count > 0) {
        hold_features(&hold, known_features(like, count), &features);
    }
    buf_release(&features);
}

void
recordings_hold_text(const struct recordings *recordings, const char *method,
                     const char *path, int status, const char *text)
{
    struct buf why = BUF_INIT;

    if (spared) {
        return;
    }
    recordings_compare_text(recordings, method, path, status, text, &why);
    ck_assert_msg(why.len == 0, "%s", buf_text(&why));
}
