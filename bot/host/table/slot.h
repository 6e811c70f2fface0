/*
 * Slots: the times in a message that may change until it is sent.
 *
 * A slot is U+E000, a time as people read it, and U+E001.  The dialects'
 * writers treat it as any other text.  A stored message has its slots; a sent
 * one has none.  What follows U+E002 is written anew with each vote
 * (ruling_votes).
 */
#ifndef BOT_HOST_TABLE_SLOT_H
#define BOT_HOST_TABLE_SLOT_H

#include <stdint.h>

#include "bot/base/buf.h"

#define SLOT_BEGIN "\xEE\x80\x80"
#define SLOT_END   "\xEE\x80\x81"
#define SLOT_VOTES "\xEE\x80\x82"

/* Put a time in a slot. */
void slot_put(struct buf *time);

/* Where the votes so far stand in a text (NULL: none); NULL: it shows none. */
const char *slot_of_votes(const char *text);

/*
 * Append a text without its slots.  They hold the instant `was`.  If the text
 * is to name another, `is`, then each slot is filled with `time` as the dialect
 * writes it, and the service's own marks of `was` (`<t:1795341600:F>`) become
 * marks of `is`.
 */
void slot_fill(const char *text, int64_t was, int64_t is, const char *time,
               struct buf *out);

#endif
