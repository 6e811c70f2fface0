/*
 * What every dialect is tested with: a table of posts and what is read in
 * them, posts cut anywhere, floods, and texts of random runs that must be read
 * as they were written.
 */
#ifndef TESTS_DIALECT_CASES_H
#define TESTS_DIALECT_CASES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "tests/adapters/rich_sane.h"
#include "tests/support/effort.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A post, and its runs as rich_show has them. */
struct dialect_case {
    const char *body, *shown;
};

static inline void
assert_reads(const struct dialect *dialect, const char *body, size_t len,
             const char *expected)
{
    struct rich rich = {.count = 0};
    struct buf shown = BUF_INIT;
    bool unread = true;

    dialect->read(body, len, &rich, &unread);
    ck_assert(!unread);
    ck_assert(rich_is_sane(&rich));
    rich_show(&rich, &shown);
    ck_assert_msg(buf_equals(&shown, expected), "%s: %s, not %s", body,
                  buf_text(&shown), expected);
    rich_release(&rich);
    buf_release(&shown);
}

static inline void
assert_case(const struct dialect *dialect, const struct dialect_case *now)
{
    assert_reads(dialect, now->body, strlen(now->body), now->shown);
}

/* Is every beginning of a body, and the body without any one of its bytes,
 * read to something sane? */
static inline void
assert_bears_cuts(const struct dialect *dialect, const char *body)
{
    struct rich rich = {.count = 0};
    size_t len = strlen(body);
    char *cut = malloc(len + 1);
    bool unread;

    for (size_t i = 0; i < len; i++) {
        dialect->read(body, i, &rich, &unread);
        ck_assert(rich_is_sane(&rich));
        memcpy(cut, body, i);
        memcpy(cut + i, body + i + 1, len - i - 1);
        dialect->read(cut, len - 1, &rich, &unread);
        ck_assert(rich_is_sane(&rich));
    }
    free(cut);
    rich_release(&rich);
}

/* Append a text over and over. */
static inline void
repeat(struct buf *body, const char *text, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        buf_add_text(body, text);
    }
}

static inline bool
is_unread(const struct dialect *dialect, const struct buf *body)
{
    struct rich rich = {.count = 0};
    bool unread = false;

    dialect->read(body->data, body->len, &rich, &unread);
    ck_assert(rich_is_sane(&rich));
    ck_assert(!unread || rich.count == 0);
    rich_release(&rich);
    return unread;
}

/* The limits of every dialect: no NUL, and no more bytes than POST_MAX. */
static inline void
assert_keeps_limits(const struct dialect *dialect)
{
    struct buf body = BUF_INIT;

    buf_add(&body, "Ja!\0Nein!", 9);
    ck_assert(is_unread(dialect, &body));
    buf_clear(&body);
    repeat(&body, "a", POST_MAX);
    ck_assert(!is_unread(dialect, &body));
    buf_add_char(&body, 'a');
    ck_assert(is_unread(dialect, &body));
    buf_release(&body);
}

/* Is a post of nothing but this, over and over, not read? */
static inline bool
flood_is_unread(const struct dialect *dialect, const char *text)
{
    struct buf body = BUF_INIT;

    repeat(&body, text, (unsigned)(POST_MAX / strlen(text)));
    bool unread = is_unread(dialect, &body);
    buf_release(&body);
    return unread;
}

/* ---- writing ------------------------------------------------------------- */

static inline void
assert_writes(const struct dialect *dialect, const struct rich *rich,
              const char *expected)
{
    struct buf body = BUF_INIT;

    dialect->write(rich, &body);
    ck_assert_str_eq(buf_text(&body), expected);
    buf_release(&body);
}

static inline void
assert_round_trip(const struct dialect *dialect, const struct rich *rich,
                  uint32_t seed)
{
    struct rich again = {.count = 0};
    struct buf body = BUF_INIT;
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    bool unread = true;

    ck_assert(rich_is_sane(rich));
    dialect->write(rich, &body);
    dialect->read(buf_text(&body), body.len, &again, &unread);
    ck_assert(!unread && rich_is_sane(&again));
    rich_show(rich, &before);
    rich_show(&again, &after);
    ck_assert_msg(buf_equals(&after, buf_text(&before)),
                  "%s, %u: %s\nwritten %s\nread %s", dialect->name, seed,
                  buf_text(&before), buf_text(&body), buf_text(&after));
    rich_release(&again);
    buf_release(&body);
    buf_release(&before);
    buf_release(&after);
}

/* Text that is nothing but text, in whatever dialect it looks like more. */
static const char *const plain_texts[] = {
    "[b]Ja![/b]",
    "**Ja!**",
    "__Ja!__",
    "*Ja!* _Ja!_",
    "***a***",
    "** Ja! **",
    "\\*\\*Ja!\\*\\*",
    "<b>Ja!</b>",
    "<strong>Ja!",
    "&lt;b&gt;Ja!&lt;/b&gt;",
    "&amp;&#74;&#x4a;&nbsp",
    "<!-- a -->b",
    "<blockquote>a</blockquote>",
    "a < b > c & d",
    "<br>",
    "<",
    "</",
    "&",
    "`a` ``b`` ```c```",
    "```\na\n```",
    "~~~\na\n~~~",
    "    a",
    "\ta",
    "a\n    b",
    "> a\n  > b",
    ">a",
    ">>> a",
    "# a",
    "#a",
    "-# a",
    "- a\n- b",
    "* a\n+ b",
    "1. a\n2) b",
    "a\n===",
    "a\n---\nb",
    "***",
    "---",
    "||a||",
    "~~a~~",
    "|a|b|\n|-|-|",
    "[a](https://example.org)",
    "[a]: https://example.org",
    "![a](b)",
    "https://example.org/a_b_c?d=*e*",
    "<https://example.org>",
    "www.example.org",
    "[code]a[/code]",
    "[/quote]",
    "[*] a [-] b",
    "[quote",
    "[mention=1]a",
    "[img]x[/img]",
    "[spoiler]a[/spoiler] [details]b[/details]",
    "[[b]]a[[/b]]",
    "<@123> <@!123> <@&123> <#123>",
    "<:a:1> <a:b:2> <t:0>",
    "@everyone @here @Anna",
    ":smile:",
    "/start",
    "a\xE2\x80\x8B",
    "a\\",
    "\\",
    "*",
    "_",
    "[",
    "[]",
    " a  b ",
    " ",
    "a \n b",
    "a\n\nb\n",
    "\n\na",
    "[1] 2 * 3 | 4 ~5",
};

static inline void
assert_text_stays(const struct dialect *dialect, const char *text)
{
    struct rich rich = {.count = 0};

    rich_add_text(&rich, text, 0);
    assert_round_trip(dialect, &rich, 0);
    rich_release(&rich);
}

/* What a dialect can write: these marks, and mentions of these users. */
struct dialect_range {
    const struct dialect *dialect;
    unsigned marks;
    const char *const *ids;
    uint32_t id_count; /* 0: no mentions */
};

static const char *const random_pieces[] = {
    "a",
    "Ja!",
    "b",
    "é",
    "🎉",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    "\r",
    "\xFF",
    "\xE2\x80\x8B",
    "\xC2\xA0",
    "!",
    "=",
    "\"",
    "'",
    "\\",
    "@",
    "@everyone",
    "/",
    ":",
    "1. ",
    "- ",
    "+ ",
    "# ",
    "-# ",
    "---",
    "===",
    "    ",
    "https://x.y/",
    /* BBCode. */
    "b]",
    "/b]",
    "[",
    "[b]",
    "[/b]",
    "]",
    "[q]",
    "code]",
    "[/code]",
    "[code]",
    "[img",
    "img]",
    "-]",
    "[/",
    "mention=",
    "color=red]",
    "[quote]",
    "[spoiler]",
    /* Chats, and Markdown. */
    "*",
    "**",
    "***",
    "_",
    "__",
    "~",
    "~~",
    "|",
    "||",
    "`",
    "``",
    "```",
    "~~~",
    "> ",
    ">>> ",
    "](",
    "![",
    ")",
    "<@1>",
    "<@",
    "1>",
    "<:a:1>",
    /* HTML. */
    "<",
    ">",
    "&",
    "</",
    "<b>",
    "</b>",
    "&lt;",
    "&#",
    "60;",
    "amp;",
    "lt",
    "<br>",
    "<!--",
    "-->",
    "</code>",
    "</a>",
    "<span class=quote>",
    "<b",
    "/>",
};

static inline uint32_t
roll(uint32_t *state, uint32_t sides)
{
    /* Marsaglia's xorshift: any sequence will do, the same each time. */
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % sides;
}

static inline void
make_random(const struct dialect_range *range, uint32_t seed, struct rich *rich)
{
    uint32_t state = seed * 2654435761U + 1;
    unsigned marks = 0;

    for (uint32_t left = 1 + roll(&state, 12); left > 0; left--) {
        if (roll(&state, 2) == 0) {
            marks = roll(&state, 64) & range->marks;
            marks &= roll(&state, 2) == 0 ? ~(unsigned)MARKS_EXCLUDED : ~0U;
        }
        const char *text = random_pieces[roll(&state, COUNT(random_pieces))];
        if (range->id_count > 0 && roll(&state, 5) == 0) {
            rich_add_mention(rich, range->ids[roll(&state, range->id_count)],
                             text, marks);
        } else if (roll(&state, 20) == 0) {
            rich_add_object(rich, marks);
        } else {
            rich_add_text(rich, text, marks);
        }
    }
}

/* Write and read again random texts, the same each time. */
static inline void
assert_round_trips(const struct dialect_range *range)
{
    for (uint32_t seed = 0; seed < effort_of(20000); seed++) {
        struct rich rich = {.count = 0};

        make_random(range, seed, &rich);
        assert_round_trip(range->dialect, &rich, seed);
        rich_release(&rich);
    }
}

#endif
