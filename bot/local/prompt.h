/*
 * The prompt: lines that a person types, from a terminal or a pipe.
 */
#ifndef BOT_LOCAL_PROMPT_H
#define BOT_LOCAL_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/buf.h"

enum {
    PROMPT_LINE_MAX = 4000
}; /* bytes; a longer line is cut */

struct prompt {
    int file;
    bool terminal;
    struct buf gathered; /* the line, as much of it as has come */
    char page[1024];     /* what was read and not looked at yet */
    size_t at, end;
    bool ended;
};

enum prompt_answer {
    PROMPT_LINE,
    PROMPT_NOTHING, /* no line came in time */
    PROMPT_BROKEN,  /* a signal came */
    PROMPT_END,     /* and there will be no other line */
};

void prompt_init(struct prompt *prompt, int file);
void prompt_release(struct prompt *prompt);

/*
 * Read the next line, without its end, into `line`; wait at most `patience` ms
 * for it (-1: for ever).  It is cleaned: UTF-8, bad bytes as U+FFFD, control
 * characters as blanks, no blanks at its ends.  line->cut: it was too long.  An
 * error of the file counts as its end.
 */
enum prompt_answer prompt_read(struct prompt *prompt, int patience,
                               struct buf *line);

#endif
