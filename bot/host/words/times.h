/*
 * Times and lengths of time as people type them, in the catalogue's words and
 * always in English too: whatever catalogue_time and catalogue_duration write
 * is read here, and "tomorrow 9pm", "until Monday", "22 Nov, 21:00 CET", "9pm
 * EST", "a week", "12hrs".
 *
 * A text is read from its beginning, as far as it can be; what follows may be
 * a reason.  Where reading ends is what was not understood.
 */
#ifndef BOT_HOST_WORDS_TIMES_H
#define BOT_HOST_WORDS_TIMES_H

#include <stddef.h>
#include <stdint.h>

#include "bot/base/zone.h"
#include "bot/host/words/catalogue.h"

/* How moments are meant.  All borrowed. */
struct times {
    const struct catalogue *catalogue;
    int64_t now;
    const struct zone *zone; /* by whose clocks */
    const struct zone *own;  /* whose name is understood too; NULL: none */
    int hour; /* of a day alone, in minutes after midnight; -1: a day has to
                 have one */
    struct zones *zones; /* where "EST" is found; NULL: nowhere */
};

/* The bytes of the blanks and marks that a text begins with. */
size_t times_gap(const char *text);

/* Read a moment after `now`, the first that fits.  Returns the bytes read; 0:
 * the text begins with none, or with one that is over. */
size_t times_read_moment(const struct times *times, const char *text,
                         int64_t *moment);

/* Does a text begin with a word such as "until", which a moment follows? */
bool times_says_until(const struct catalogue *catalogue, const char *text);

/* Read a length of time, of at most 366 days.  Returns the bytes read; 0: the
 * text begins with none. */
size_t times_read_length(const struct catalogue *catalogue, const char *text,
                         int64_t *length);

/* Append a length of time, if the whole text is one, as duration_read and the
 * settings take it: "24h" for "24 hours"; false: it is none. */
bool times_plain_length(const struct catalogue *catalogue, const char *text,
                        struct buf *plain);

#endif
