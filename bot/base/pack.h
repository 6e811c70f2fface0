/*
 * Bytes packed into fewer, for text that is kept and seldom read.
 */
#ifndef BOT_BASE_PACK_H
#define BOT_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

/* Append the bytes packed. */
void pack_put(const void *bytes, size_t len, struct buf *out);

/* Append what was packed, which was at most `max` bytes.  False: this is not
 * such a thing, or not whole, or more; something may be appended then. */
bool pack_take(const void *packed, size_t len, size_t max,
               struct buf *out) MUST_USE;

#endif
