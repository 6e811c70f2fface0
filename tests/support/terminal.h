/*
 * A program at a terminal of its own, as somebody sits there: what it shows,
 * and what is typed.
 */
#ifndef TESTS_SUPPORT_TERMINAL_H
#define TESTS_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "bot/base/buf.h"

struct terminal {
    pid_t process;   /* 0: it has ended */
    int screen;      /* its other end; -1: closed */
    struct buf seen; /* all that it has shown, line ends as LF */
    size_t read;     /* how much of that the test has waited for */
};

/* Has the machine pseudo-terminals?  A root without /dev/pts has none. */
bool terminal_is_there(void);

/* Start the program in `words` in a folder, with this environment beside the
 * test's own ("NAME=value", NULL after the last). */
void terminal_open(struct terminal *terminal, const char *folder,
                   const char *const *words, const char *const *environment);

/* Take in what it shows; false: nothing more is there now. */
bool terminal_work(struct terminal *terminal);

/* Has it shown this since the test has last waited?  Then the test has waited
 * for all up to there.  A blank stands for any white space, as lines are
 * broken. */
bool terminal_has_shown(struct terminal *terminal, const char *text);

/* Type, as it is: "\r" ends a line. */
void terminal_type(struct terminal *terminal, const char *keys);

/* The exit code, once it has ended and all is taken in. */
int terminal_end(struct terminal *terminal);

/* End it, if it runs, and close. */
void terminal_close(struct terminal *terminal);

#endif
