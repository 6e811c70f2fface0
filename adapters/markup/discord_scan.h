/*
 * The state of reading one Discord post: the place reached, the marks that are
 * open there, where they may end, and the text shown so far.
 *
 * discord.c reads lines, emphasis and code; discord_things.c reads things in
 * brackets, and addresses.  Both are built on this.
 */
#ifndef ADAPTERS_MARKUP_DISCORD_SCAN_H
#define ADAPTERS_MARKUP_DISCORD_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/rich.h"

enum {
    DISCORD_FENCE = 3,       /* backticks */
    DISCORD_TICKS_MAX = 100, /* before inline code; more are text */
};

/* What may end something: a run of a byte. */
enum closer {
    CLOSER_STARS,
    CLOSER_STAR,
    CLOSER_LINES, /* of "_" */
    CLOSER_LINE,
    CLOSER_TILDES,
    CLOSER_BARS,
    CLOSER_FENCE,
    CLOSER_ANGLE,
    CLOSER_BLANK,
    CLOSER_TICKS, /* and what follows: of 0, 1, 2 … backticks exactly */
    CLOSERS = CLOSER_TICKS + DISCORD_TICKS_MAX + 1,
};

/* Something that is open. */
struct discord_frame {
    size_t end;    /* of its content: nothing in it reaches further */
    size_t behind; /* where reading goes on after it */
    unsigned marks;
};

struct discord_scanner {
    const char *body;
    size_t len, at;
    size_t from; /* the text from here to `at` is not yet shown */
    struct rich *out;
    struct discord_frame frames[RICH_DEPTH_MAX + 1]; /* the first is the post */
    size_t depth;
    bool too_deep;
    bool line_start;
    bool fresh;    /* nothing but openings stands on the line so far */
    size_t quoted; /* the text before this place is quoted */
    /* The next of each closer, as far as it was looked for.  Searches only move
     * forward, so the post is searched once for each. */
    size_t ahead[CLOSERS];
    uint32_t *brackets; /* of each "[": its "]", if that is further on */
};

/* ---- what stands where --------------------------------------------------- */

/* What is being read: the innermost thing that is open. */
static inline const struct discord_frame *
scanner_frame(const struct discord_scanner *scanner)
{
    return &scanner->frames[scanner->depth];
}

/* The byte at a place; a line feed beyond what is being read. */
static inline char
scanner_byte(const struct discord_scanner *scanner, size_t at)
{
    if (at < scanner_frame(scanner)->end) {
        return scanner->body[at];
    }
    return '\n';
}

/* Does this text stand there, within what is being read? */
bool scanner_starts_with(const struct discord_scanner *scanner, size_t at,
                         const char *text);

/* How many times in a row the byte at a place stands there, up to an end. */
size_t scanner_run(const struct discord_scanner *scanner, size_t at,
                   size_t end);

/* Past all of a byte, or all digits, from a place on. */
size_t scanner_skip(const struct discord_scanner *scanner, size_t at,
                    char byte);
size_t scanner_skip_digits(const struct discord_scanner *scanner, size_t at);

/* The next such closer from a place on; the post's end: none.  It may lie
 * outside what is being read. */
size_t scanner_find(struct discord_scanner *scanner, size_t closer,
                    size_t from);

/* ---- showing ------------------------------------------------------------- */

/* The marks of the text at a place. */
unsigned scanner_marks(const struct discord_scanner *scanner, size_t at);

/* Show the text up to a place, and go on behind it. */
void scanner_show_to(struct discord_scanner *scanner, size_t at, size_t behind);

/* Show the text from here to `end` as an object. */
void scanner_show_object(struct discord_scanner *scanner, size_t end);

/* Show code from one place to another, and go on at `behind`. */
void scanner_show_code(struct discord_scanner *scanner, size_t from, size_t to,
                       size_t behind);

/* Begin something that sets a mark (0: none): its content is from `from` to
 * `end`, and reading goes on at `behind` after it.  The next ends it. */
void scanner_enter(struct discord_scanner *scanner, size_t from, size_t end,
                   size_t behind, unsigned mark);
void scanner_leave(struct discord_scanner *scanner);

#endif
