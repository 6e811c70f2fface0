#include "adapters/markup/rich.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "bot/base/err.h"

enum {
    ROOM_FIRST = 16,
    CODEPOINT_OBJECT = 0xFFFC,
    CODEPOINT_UNKNOWN = 0xFFFD,
    /* What a line feed keeps: the regions, not how letters look. */
    MARKS_OF_LINE = MARK_QUOTED | MARK_CODE | MARK_SPOILER,
};

/* An id as a run refers to it. */
struct id {
    size_t at, len;
};

void
rich_release(struct rich *rich)
{
    buf_release(&rich->text);
    buf_release(&rich->ids);
    free(rich->runs);
    *rich = (struct rich){.count = 0};
}

void
rich_wipe(struct rich *rich)
{
    if (rich->runs != NULL) {
        /* They show how long the words of a secret are. */
        wipe(rich->runs, rich->room * sizeof rich->runs[0]);
    }
    buf_wipe(&rich->text);
    buf_wipe(&rich->ids);
    rich_release(rich);
}

void
rich_clear(struct rich *rich)
{
    buf_clear(&rich->text);
    buf_clear(&rich->ids);
    rich->count = 0;
}

const char *
rich_run_text(const struct rich *rich, const struct run *run)
{
    return buf_text(&rich->text) + run->start;
}

const char *
rich_run_id(const struct rich *rich, const struct run *run)
{
    return buf_text(&rich->ids) + run->id;
}

/* Is the last run like this, so that it goes on? */
static bool
goes_on(const struct rich *rich, unsigned marks, struct id id)
{
    const char *ids = buf_text(&rich->ids);

    if (rich->count == 0) {
        return false;
    }
    const struct run *last = &rich->runs[rich->count - 1];
    return last->marks == marks && last->id_len == id.len &&
           memcmp(ids + last->id, ids + id.at, id.len) == 0;
}

/* Append whole characters to the last run, or as a new one. */
static void
extend(struct rich *rich, const char *text, size_t len, unsigned marks,
       struct id id)
{
    rich->text.max = RICH_TEXT_MAX;
    if (len > RICH_TEXT_MAX - rich->text.len || rich->text.cut) {
        rich->text.cut = true;
        return;
    }
    if (!goes_on(rich, marks, id)) {
        if (rich->count == rich->room) {
            rich->room = rich->room == 0 ? ROOM_FIRST : 2 * rich->room;
            rich->runs =
                must_grow(rich->runs, rich->room * sizeof rich->runs[0]);
        }
        rich->runs[rich->count++] = (struct run){.start = rich->text.len,
                                                 .marks = marks,
                                                 .id = id.at,
                                                 .id_len = id.len};
    }
    buf_add(&rich->text, text, len);
    rich->runs[rich->count - 1].len += len;
}

/* Append one character that is not simply text. */
static void
add_special(struct rich *rich, int32_t codepoint, unsigned marks, struct id id)
{
    switch (codepoint) {
    case '\n':
        extend(rich, "\n", 1, marks & MARKS_OF_LINE, (struct id){0, 0});
        break;
    case '\r':
        extend(rich, " ", 1, marks, id);
        break;
    case CODEPOINT_OBJECT:
        extend(rich, "\xEF\xBF\xBC", 3, marks | MARK_OBJECT, id);
        break;
    default:
        extend(rich, "\xEF\xBF\xBD", 3, marks, id);
        break;
    }
}

static bool
is_special(int32_t codepoint)
{
    return codepoint <= 0 || codepoint == '\n' || codepoint == '\r' ||
           codepoint == CODEPOINT_OBJECT;
}

/* Decode one character; a byte that begins none is one, and less than 0. */
static size_t
decode(const char *text, size_t len, int32_t *codepoint)
{
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text,
                                             (utf8proc_ssize_t)len, codepoint);
    return used > 0 ? (size_t)used : 1;
}

static void
add(struct rich *rich, const char *text, size_t len, unsigned marks,
    struct id id)
{
    size_t from = 0; /* of the plain text not yet appended */
    size_t at = 0;

    while (at < len) {
        int32_t codepoint = 0;
        size_t used = decode(text + at, len - at, &codepoint);
        if (is_special(codepoint)) {
            if (at > from) {
                extend(rich, text + from, at - from, marks, id);
            }
            if (codepoint != '\r' || at + 1 == len || text[at + 1] != '\n') {
                add_special(rich, codepoint, marks, id);
            }
            from = at + used;
        }
        at += used;
    }
    if (at > from) {
        extend(rich, text + from, at - from, marks, id);
    }
}

void
rich_add(struct rich *rich, const char *text, size_t len, unsigned marks)
{
    assert((marks & (MARK_MENTION | MARK_OBJECT)) == 0);
    add(rich, text, len, marks, (struct id){0, 0});
}

void
rich_add_text(struct rich *rich, const char *text, unsigned marks)
{
    rich_add(rich, text, strlen(text), marks);
}

/* Store an id, or find that it is the last one stored; false: no room. */
static bool
keep_id(struct rich *rich, const char *id, size_t len, struct id *kept)
{
    size_t end = rich->ids.len;

    if (end >= len && memcmp(rich->ids.data + end - len, id, len) == 0) {
        *kept = (struct id){end - len, len};
        return true;
    }
    if (len > RICH_IDS_MAX - end) {
        return false;
    }
    rich->ids.max = RICH_IDS_MAX;
    *kept = (struct id){end, len};
    buf_add(&rich->ids, id, len);
    return true;
}

void
rich_add_mention_len(struct rich *rich, const char *id, size_t id_len,
                     const char *shown, size_t len, unsigned marks)
{
    struct id kept = {0, 0};

    assert((marks & MARK_OBJECT) == 0);
    if (id_len == 0 || !keep_id(rich, id, id_len, &kept)) {
        rich_add(rich, shown, len,
                 marks & ~(unsigned)(MARK_MENTION | MARK_TIME | MARK_CLOCK));
        return;
    }
    add(rich, shown, len,
        (marks & MARK_TIME) != 0 ? marks : marks | MARK_MENTION, kept);
}

void
rich_add_mention(struct rich *rich, const char *id, const char *shown,
                 unsigned marks)
{
    size_t id_len = id == NULL ? 0 : strlen(id);

    rich_add_mention_len(rich, id, id_len, shown, strlen(shown), marks);
}

void
rich_add_time(struct rich *rich, int64_t instant, const char *shown,
              unsigned marks)
{
    char second[24] = "";

    if (instant >= 0) {
        (void)snprintf(second, sizeof second, "%lld",
                       (long long)(instant / 1000));
    }
    rich_add_mention_len(rich, second, strlen(second), shown, strlen(shown),
                         MARK_TIME | marks);
}

void
rich_add_object(struct rich *rich, unsigned marks)
{
    rich_add_text(rich, "\xEF\xBF\xBC", marks & ~(unsigned)MARK_OBJECT);
}

/* Append a part of another text, with these marks besides its own. */
static void
add_part(struct rich *rich, const struct rich *other, size_t from, size_t len,
         unsigned more)
{
    size_t end = from + len;

    assert(rich != other && end <= other->text.len);
    for (size_t i = 0; i < other->count; i++) {
        const struct run *run = &other->runs[i];
        unsigned marks =
            (run->marks & ~(unsigned)(MARK_MENTION | MARK_OBJECT)) | more;
        size_t first = run->start < from ? from : run->start;
        size_t last = run->start + run->len > end ? end : run->start + run->len;

        if (first < last) {
            rich_add_mention_len(rich, rich_run_id(other, run), run->id_len,
                                 buf_text(&other->text) + first, last - first,
                                 marks);
        }
    }
}

void
rich_add_rich(struct rich *rich, const struct rich *other)
{
    add_part(rich, other, 0, other->text.len, 0);
}

void
rich_add_marked(struct rich *rich, const struct rich *other, unsigned marks)
{
    add_part(rich, other, 0, other->text.len, marks);
}

void
rich_add_part(struct rich *rich, const struct rich *other, size_t from,
              size_t len)
{
    add_part(rich, other, from, len, 0);
}

/* The other user whom a run is to mention; NULL: it stays as it is. */
static const char *
map_mention(const struct rich *rich, const struct run *run,
            const char *(*map)(void *context, const char *id), void *context)
{
    struct buf id = BUF_INIT;
    const char *other = NULL;

    if ((run->marks & MARK_MENTION) != 0) {
        buf_add(&id, rich_run_id(rich, run), run->id_len);
        other = map(context, buf_text(&id));
        buf_release(&id);
    }
    return other;
}

void
rich_map_mentions(struct rich *rich,
                  const char *(*map)(void *context, const char *id),
                  void *context)
{
    struct rich mapped = {.count = 0};
    bool same = true;

    for (size_t i = 0; same && i < rich->count; i++) {
        same = map_mention(rich, &rich->runs[i], map, context) == NULL;
    }
    for (size_t i = 0; !same && i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *other = map_mention(rich, run, map, context);

        if (other == NULL) {
            rich_add_part(&mapped, rich, run->start, run->len);
        } else {
            rich_add_mention_len(
                &mapped, other, strlen(other), rich_run_text(rich, run),
                run->len, run->marks & ~(unsigned)(MARK_MENTION | MARK_OBJECT));
        }
    }
    if (!same) {
        rich_wipe(rich);
        *rich = mapped;
    }
}

void
rich_end_line(struct rich *rich, unsigned marks)
{
    size_t len = rich->text.len;

    if (len > 0 && rich->text.data[len - 1] != '\n') {
        rich_add_text(rich, "\n", marks & MARKS_OF_LINE);
    }
}
