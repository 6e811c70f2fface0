#include "bot/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum err
err_say(struct buf *why, enum err err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vaddf(why, format, args);
    va_end(args);
    return err;
}

const char *
err_name(enum err err)
{
    switch (err) {
    case ERR_NONE:
        return "none";
    case ERR_LATER:
        return "later";
    case ERR_LIMITED:
        return "limited";
    case ERR_DENIED:
        return "denied";
    case ERR_GONE:
        return "gone";
    case ERR_GARBLED:
        return "garbled";
    case ERR_FULL:
        return "full";
    case ERR_CONFIG:
        return "config";
    }
    die("no such error: %d", (int)err);
}
