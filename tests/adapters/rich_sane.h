/*
 * The invariants of a rich text, for tests and fuzz targets, and its runs as a
 * line a person can compare.
 */
#ifndef TESTS_RICH_SANE_H
#define TESTS_RICH_SANE_H

#include <string.h>
#include <utf8proc.h>

#include "adapters/markup/rich.h"

/* Is it whole characters, each an object just if the marks say so? */
static inline bool
run_is_sane(const struct rich *rich, const struct run *run)
{
    const char *text = rich_run_text(rich, run);
    unsigned line_marks = MARK_QUOTED | MARK_CODE | MARK_SPOILER;

    for (size_t at = 0; at < run->len;) {
        utf8proc_int32_t codepoint;
        utf8proc_ssize_t used =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                             (utf8proc_ssize_t)(run->len - at), &codepoint);
        if (used <= 0 || codepoint == 0 || codepoint == '\r' ||
            (codepoint == 0xFFFC) != ((run->marks & MARK_OBJECT) != 0) ||
            (codepoint == '\n' && (run->marks & ~line_marks) != 0)) {
            return false;
        }
        at += (size_t)used;
    }
    return run->len > 0 && run->id + run->id_len <= rich->ids.len &&
           (run->id_len > 0) == ((run->marks & MARK_MENTION) != 0);
}

static inline bool
runs_differ(const struct rich *rich, const struct run *one,
            const struct run *other)
{
    return one->marks != other->marks || one->id_len != other->id_len ||
           memcmp(rich_run_id(rich, one), rich_run_id(rich, other),
                  one->id_len) != 0;
}

static inline bool
rich_is_sane(const struct rich *rich)
{
    size_t covered = 0;

    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        if (run->start != covered || !run_is_sane(rich, run) ||
            (i > 0 && !runs_differ(rich, run - 1, run))) {
            return false;
        }
        covered += run->len;
    }
    return covered == rich->text.len && covered <= RICH_TEXT_MAX &&
           rich->ids.len <= RICH_IDS_MAX && rich->count <= rich->room;
}

/* Append every run as `marks(text)`, marks as letters, a mention's id before
 * its text: "b(Ja!)", "bm5(@Anna)", objects as "o()", addresses as
 * "a(https://…)", U+200B left out. */
static inline void
rich_show(const struct rich *rich, struct buf *shown)
{
    static const char letters[] = "brqcsfmota";
    struct rich plain = {.count = 0};

    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        for (size_t at = 0; at < run->len; at++) {
            if (run->len - at >= 3 &&
                memcmp(text + at, "\xE2\x80\x8B", 3) == 0) {
                at += 2;
                continue;
            }
            size_t len = 1;
            while (at + len < run->len &&
                   ((unsigned char)text[at + len] & 0xC0) == 0x80) {
                len++;
            }
            rich_add_mention_len(
                &plain, rich_run_id(rich, run), run->id_len, text + at, len,
                run->marks & ~(unsigned)(MARK_MENTION | MARK_OBJECT));
            at += len - 1;
        }
    }
    for (size_t i = 0; i < plain.count; i++) {
        const struct run *run = &plain.runs[i];
        for (unsigned bit = 0; bit < sizeof letters - 1; bit++) {
            if ((run->marks >> bit & 1U) != 0) {
                buf_add_char(shown, letters[bit]);
            }
        }
        buf_add(shown, rich_run_id(&plain, run), run->id_len);
        buf_add_char(shown, '(');
        if ((run->marks & MARK_OBJECT) == 0) {
            buf_add(shown, rich_run_text(&plain, run), run->len);
        }
        buf_add_char(shown, ')');
    }
    rich_release(&plain);
}

#endif
