/*
 * Questions to whoever sits at the terminal: a text, a secret, one of several
 * things, yes or no.
 *
 * "back" in the place of any answer leads to the question before, and "quit",
 * Ctrl-C while a secret is typed, or the end of the input, to the end.
 */
#ifndef BOT_CLI_QUESTIONS_H
#define BOT_CLI_QUESTIONS_H

#include <stdbool.h>

#include "bot/base/buf.h"
#include "bot/local/prompt.h"

enum answered {
    ANSWERED,
    ANSWERED_BACK,
    ANSWERED_QUIT,
};

struct questions {
    struct prompt prompt;
    bool bold; /* the terminal shows it, and may */
};

/* Is somebody there: are standard input and output a terminal? */
bool questions_can_be_asked(void);

void questions_init(struct questions *questions);
void questions_release(struct questions *questions);

/* Say a paragraph, in lines of a terminal's width.  A line of it that begins
 * with a blank stays one line, as it is. */
void questions_say(struct questions *questions, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Say what is wrong: "! …", with a full stop at its end if it has none. */
void questions_complain(struct questions *questions, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ask for a line of text.  Who types nothing gives `normal` (NULL: ""). */
enum answered questions_text(struct questions *questions, const char *question,
                             const char *normal, struct buf *answer);

/* Ask for one that is not shown; "back" and "quit" are as for others.  It is
 * never empty.  Release it with buf_wipe. */
enum answered questions_secret(struct questions *questions,
                               const char *question, struct buf *secret);

/* Show things with their numbers, and ask until one is named, by its number or
 * by how it begins.  `normal`: which one is meant by nothing; `count`: none. */
enum answered questions_choice(struct questions *questions,
                               const char *const *things, unsigned count,
                               unsigned normal, unsigned *chosen);

/* Read a number from 1 to `count` as people type it: "2", "2.", "(2)"; 0: it is
 * none. */
unsigned questions_number(const char *text, unsigned count);

/* Ask until it is yes or no. */
enum answered questions_yes(struct questions *questions, const char *question,
                            bool normal, bool *yes);

#endif
