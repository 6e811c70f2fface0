/*
 * The screen: posts of the board as a reader sees them in a terminal.
 *
 * Shows the time, the author and, for a private post, the recipient; then the
 * text with its marks: in colour on a terminal (never with NO_COLOR set),
 * otherwise bold as **bold** and red as [red].  A player's post is indented;
 * the host's posts and private ones are paragraphs of their own.  Lines are
 * wrapped at 80 columns, except for text in collapsed code, which is meant to
 * be copied.  Control characters are never sent to the terminal.
 */
#ifndef BOT_LOCAL_SCREEN_H
#define BOT_LOCAL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "adapters/board/board_server.h"
#include "bot/host/words/catalogue.h"

struct screen {
    FILE *out;
    bool colour;
    int64_t last;       /* stamp of the last post shown, for the date lines */
    const char *reader; /* whose own posts are highlighted, or NULL; borrowed */
    bool apart;         /* the next post begins after an empty line */
    bool numbers; /* posts are shown with their ids, and what they answer */
    const struct catalogue *catalogue; /* of the words beside posts; borrowed */
};

/* Write to a stream; in colour if it is a terminal and NO_COLOR is not set. */
void screen_init(struct screen *screen, FILE *out);

/* Show one post: a post of the thread, or a message of a DM. */
void screen_post(struct screen *screen, const struct board_post *post);

/* Show something that is not a post, as a paragraph without a header. */
void screen_note(struct screen *screen, const struct rich *note);

#endif
