/*
 * The log of a host within the test: standard error, caught in a file that has
 * no name.
 */
#ifndef TESTS_CAUGHT_LOG_H
#define TESTS_CAUGHT_LOG_H

#include <stdint.h>

#include "bot/base/buf.h"

/* Catch standard error from here on, lines of LOG_LEVEL_INFO and above. */
void caught_log_begin(void);

/* Append what was logged since, "at NOW:" before it; nothing if nothing was.
 */
void caught_log_take(int64_t now, struct buf *out);

/* Let it go where it went before.  Nothing if it is not caught. */
void caught_log_end(void);

#endif
