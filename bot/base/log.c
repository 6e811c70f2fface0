#include "bot/base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

enum {
    LINE_MAX_BYTES = 2000
};

static enum log_level highest = LOG_LEVEL_WARNING;

void
log_set_level(enum log_level level)
{
    highest = level;
}

static const char *
level_word(enum log_level level)
{
    switch (level) {
    case LOG_LEVEL_ERROR:
        return "error";
    case LOG_LEVEL_WARNING:
        return "warning";
    case LOG_LEVEL_INFO:
        return "info";
    case LOG_LEVEL_DEBUG:
        return "debug";
    case LOG_LEVEL_NONE:
        break;
    }
    die("no such log level: %d", (int)level);
}

void
log_line(enum log_level level, const char *format, ...)
{
    struct buf line;
    va_list args;

    if (level > highest) {
        return;
    }
    buf_init(&line, LINE_MAX_BYTES);
    buf_addf(&line, "%s: ", level_word(level));
    va_start(args, format);
    buf_vaddf(&line, format, args);
    va_end(args);
    /* What came from outside must not look like a second line, nor reach the
     * operator's terminal as an escape sequence. */
    for (size_t i = 0; i < line.len; i++) {
        unsigned char byte = (unsigned char)line.data[i];
        if (byte < ' ' || byte == 127) {
            line.data[i] = ' ';
        }
    }
    fprintf(stderr, "%s%s\n", buf_text(&line), line.cut ? " …" : "");
    buf_release(&line);
}
