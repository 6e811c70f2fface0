/*
 * Reads a post from a line of JSON and says what the host makes of it: the
 * input and output of `placard read`.
 *
 * A line is an object.  These keys are read:
 *
 *   id       a text or a whole number, returned as given; may be missing
 *   dialect  how the post is marked up: "bbcode", "discord" …; may be missing
 *            when reading as in a place
 *   players  the people who can be named: names, or objects of name, id and
 *            aliases; needed only in a nomination or a power
 *   phase    what is asked for: "nomination", "voting" … (READING.md)
 *   text     the post as it was typed
 *   hand     for "dm_president" and "dm_chancellor": the cards in the order
 *            shown, "F" and "L"
 *   words    the game's vote words: {"ja": […], "nein": […]}; may be missing
 *   red      must a name be red?  May be missing
 *
 * Other keys, such as the expected result, are ignored.
 *
 * Pure: reads and writes only its arguments.
 */
#ifndef BOT_CLI_POST_LINE_H
#define BOT_CLI_POST_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/markup/rich.h"
#include "bot/base/buf.h"
#include "bot/host/words/vocabulary.h"

enum {
    POST_LINE_MAX = 1 << 22 /* bytes of a line without its end */
};

/* How posts in a place are read.  Zeroed: no place, so each post is read as
 * people write in its dialect.  All borrowed. */
struct manner {
    const struct dialect *dialect; /* of lines without one; NULL: no place */
    bool red_required;
    const char *bold_classes;     /* of its service (adapters/adapter.h) */
    struct vocabulary vocabulary; /* in the place's language and theme */
};

/*
 * Read one line, without its end, and append the verdict: one object with id,
 * kind, value and why, and a line feed.  False: the line could not be read; the
 * kind is then "error", and why gives the line's number and says what would be
 * right.
 */
bool post_line_judge(const char *line, size_t len, size_t number,
                     const struct manner *manner, struct buf *verdict);

/* Append the verdict on a line of more than POST_LINE_MAX bytes. */
void post_line_refuse(size_t number, struct buf *verdict);

#endif
