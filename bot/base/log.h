/*
 * The log: lines on standard error, with a level word, for the operator.
 * No secret (token, role, hand, private text) may ever be given to it.
 */
#ifndef BOT_BASE_LOG_H
#define BOT_BASE_LOG_H

#include <stdbool.h>

enum log_level {
    LOG_LEVEL_NONE, /* not the level of any line: as the highest, it silences
                       the log */
    LOG_LEVEL_ERROR,
    LOG_LEVEL_WARNING,
    LOG_LEVEL_INFO,
    LOG_LEVEL_DEBUG
};

enum log_form {
    LOG_FORM_TEXT,    /* "warning: what happened" */
    LOG_FORM_JOURNAL, /* the same behind "<4>", as systemd's journal reads
                         levels: sd-daemon(3) */
    LOG_FORM_JSON     /* an object a line: time, level, the subject, and text */
};

/* What a line is about, for programs that pick lines out: names and ids.  NULL
 * or "": not told.  The text of a line stands by itself. */
struct log_subject {
    const char *service, *place, *table;
    const char *person; /* never where that tells who has acted in secret */
    const char *event;  /* what has happened, in one word */
    unsigned round;     /* of the game, then; 0: not told */
};

/* Lines above this level are dropped; before the first call it is
 * LOG_LEVEL_WARNING. */
void log_set_level(enum log_level level);

/* Before the first call it is LOG_FORM_TEXT. */
void log_set_form(enum log_form form);

/* Find a form by its name, "text", "journal" or "json"; NULL: journal if
 * standard error leads there, else text.  False: it is none. */
bool log_find_form(const char *name, enum log_form *form);

void log_line(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void log_about(enum log_level level, const struct log_subject *subject,
               const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
