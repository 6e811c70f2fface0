/*
 * The prompt: reads lines that a person types, from a terminal or a pipe; or
 * the keys that somebody presses who only watches.
 */
#ifndef BOT_LOCAL_PROMPT_H
#define BOT_LOCAL_PROMPT_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

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
    bool keys;            /* each key counts at once */
    struct termios lines; /* the terminal as it was before */
};

enum prompt_answer {
    PROMPT_LINE,
    PROMPT_NOTHING, /* no line came in time */
    PROMPT_BROKEN,  /* a signal came */
    PROMPT_END,     /* the input has ended: no more lines */
};

void prompt_init(struct prompt *prompt, int file);
void prompt_release(struct prompt *prompt);

/* From now on take keys, not lines, and don't show them; release ends that.
 * False, and nothing has changed: this is no terminal, or not ours now. */
bool prompt_take_keys(struct prompt *prompt);

/* Let `pause` ms pass.  A key that is pressed ends the pause, where keys are
 * taken; so does a signal. */
void prompt_pause(struct prompt *prompt, int pause);

/*
 * Read the next line, without its end, into `line`; wait at most `patience` ms
 * for it (-1: for ever).  It is cleaned: UTF-8, bad bytes as U+FFFD, control
 * characters as blanks, no blanks at its ends.  line->cut: it was too long.  A
 * read error counts as the end of the file.
 */
enum prompt_answer prompt_read(struct prompt *prompt, int patience,
                               struct buf *line);

#endif
