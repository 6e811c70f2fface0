#include "bot/base/err.h"

#include <stdarg.h>

enum err
err_say(struct buf *why, enum err err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (why != NULL) {
        buf_vaddf(why, format, args);
    }
    va_end(args);
    return err;
}
