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
}; /* bytes; what is longer is cut */

struct prompt {
    int file;
    bool terminal;
    struct buf gathered; /* the line, as far as it came */
    char page[1024];     /* what was read and not looked at */
    size_t at, end;
    bool ended;
};

enum prompt_answer {
    PROMPT_LINE,
    PROMPT_NOTHING, /* no line came in time */
    PROMPT_BROKEN,  /* a signal came */
    PROMPT_END,     /* nor will there be another line */
};

void prompt_init(struct prompt *prompt, int file);
void prompt_release(struct prompt *prompt);

/*
 * Read the next line, without its end, into `line`; wait at most `patience` ms
 * for it (-1: for ever).  It is clean: UTF-8, bad bytes as U+FFFD, control
 * characters as blanks, no blanks at its ends.  line->cut: it was too long.
 * An error of the file is its end.
 */
enum prompt_answer prompt_read(struct prompt *prompt, int patience,
                               struct buf *line);

#endif
