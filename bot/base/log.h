/*
 * The log: lines on standard error, with a level word, for the operator.
 * No secret (token, role, hand, private text) may ever be given to it.
 */
#ifndef BOT_BASE_LOG_H
#define BOT_BASE_LOG_H

enum log_level {
    LOG_LEVEL_NONE, /* not the level of any line: as the highest, it silences
                       the log */
    LOG_LEVEL_ERROR,
    LOG_LEVEL_WARNING,
    LOG_LEVEL_INFO,
    LOG_LEVEL_DEBUG
};

/* Lines above this level are dropped; before the first call it is
 * LOG_LEVEL_WARNING. */
void log_set_level(enum log_level level);

void log_line(enum log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
