/*
 * A post as a line of JSON, and what the host reads in it: the lines that
 * `placard read` takes and gives.
 *
 * A line is an object.  These of its keys are read:
 *
 *   id       a text or a whole number, handed back; may be missing
 *   dialect  how the post is marked up: "bbcode", "discord" …; may be missing
 *            when reading as in a place
 *   players  the list of who can be named: names, or objects of name, id and
 *            aliases; needed only in a nomination or a power
 *   phase    what is asked for: "nomination", "voting" … (READING.md)
 *   text     the post as it was typed
 *   hand     for "dm_president" and "dm_chancellor": the cards in the order
 *            shown, "F" and "L"
 *   words    the game's vote words: {"ja": […], "nein": […]}; may be missing
 *   red      must a name be red?  May be missing
 *
 * Others, such as what is expected, are ignored.
 *
 * Pure: nothing is read or written except what is handed in.
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

/* How posts of a place are read.  Zeroed: of no place, so that each is read as
 * people of its dialect write.  All borrowed. */
struct manner {
    const struct dialect *dialect; /* of lines that name none; NULL: no place */
    bool red_required;
    struct vocabulary vocabulary; /* in the place's language and theme */
};

/*
 * Read one line, without its end, and append the verdict: one object with id,
 * kind, value and why, and a line feed.  False: the line could not be read; the
 * kind is then "error", and why says what would be right, with the line's
 * number.
 */
bool post_line_judge(const char *line, size_t len, size_t number,
                     const struct manner *manner, struct buf *verdict);

/* The verdict on a line of more than POST_LINE_MAX bytes. */
void post_line_refuse(size_t number, struct buf *verdict);

#endif
