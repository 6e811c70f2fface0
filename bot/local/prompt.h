/*
 * The prompt: reads lines that a person types, from a terminal or a pipe.
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
    struct buf gathered; /* the part of the line that has arrived */
    char page[1024];     /* bytes read but not used yet */
    size_t at, end;
    bool ended;
};

enum prompt_answer {
    PROMPT_LINE,
    PROMPT_NOTHING, /* no line came in time */
    PROMPT_BROKEN,  /* a signal came */
    PROMPT_END,     /* the input has ended: no more lines */
};

void prompt_init(struct prompt *prompt, int file);
void prompt_release(struct prompt *prompt);

/*
 * Read the next line, without its end, into `line`; wait at most `patience` ms
 * for it (-1: for ever).  It is cleaned: UTF-8, bad bytes as U+FFFD, control
 * characters as blanks, no blanks at its ends.  line->cut: it was too long.  A
 * read error counts as the end of the file.
 */
enum prompt_answer prompt_read(struct prompt *prompt, int patience,
                               struct buf *line);

#endif
