/*
 * Civil time: instants, and dates, times and durations as people write them.
 *
 * An instant is a count of milliseconds since 1970-01-01T00:00:00Z (int64_t).
 * A duration is a count of milliseconds.  Nothing here reads a clock except
 * clock_now, which the hosting code must not call (CONTRIBUTING.md, "Rooms").
 */
#ifndef BOT_BASE_CIVIL_H
#define BOT_BASE_CIVIL_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/zone.h"

#define SECOND_MS ((int64_t)1000)
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS   (60 * MINUTE_MS)
#define DAY_MS    (24 * HOUR_MS)

/* 9999-12-31T23:59:59.999Z: no clock is beyond it. */
#define TIME_LAST_MS INT64_C(253402300799999)

/* No service's clock is believed to be beyond it: lengths are added to it, of
 * up to ten years. */
#define CLOCK_LAST_MS (TIME_LAST_MS - 3660 * DAY_MS)

/* The system's clock, now. */
int64_t clock_now(void);

struct civil {
    int year, month, day; /* month 1 … 12, day 1 … 31 */
    int hour, minute, second;
    int weekday;   /* 0: Sunday … 6 */
    int offset;    /* seconds east of UTC */
    char zone[16]; /* "CET", "UTC", "+03" */
};

/* What the clocks of a zone show at an instant. */
struct civil civil_at(int64_t instant, const struct zone *zone);

/* The instant at which a zone's clocks show a date and time (offset, weekday
 * and zone of `civil` are not read; members out of range are carried over).  A
 * time that is skipped in spring lies as far after the skipped hour as it is
 * into it; of a time that comes twice in autumn, the first is meant. */
int64_t civil_instant(const struct civil *civil, const struct zone *zone);

/* Append an instant as the record has it: 2026-11-21T10:00:00Z (fractions of a
 * second are left out). */
void instant_write(int64_t instant, struct buf *out);

/* Read such a text, whole, of the years 0000 to 9999; false: it is not one. */
bool instant_read(const char *text, int64_t *instant);

/* Read an instant as services write it (ISO 8601), whole: the same with
 * decimals of a second or without, and with "Z" or an offset, "+02:00"; from
 * 1970 on; false: it is not one. */
bool timestamp_read(const char *text, int64_t *instant);

/* Read a duration: "24h", "90m", "2d", "2w", "45s", "1d 12h", "1h30m", "24
 * hours", "12hrs", "0", each unit once and the largest first; at most 366 days;
 * false: it is not one. */
bool duration_read(const char *text, int64_t *duration);

/* Read durations with commas between them, "6h, 1h", at most `max`; "" means
 * none; false: it is no such list. */
bool durations_read(const char *text, int64_t *list, unsigned max,
                    unsigned *count);

/* Read an hour of the day, "21:00" or "7:30", as minutes after midnight. */
bool hour_read(const char *text, int *minutes);

/* Read a part of the day, "23:00-07:00": it begins at *from and ends before
 * *to, on the next day if that is earlier; the two differ. */
bool hours_read(const char *text, int *from, int *to);

/* Is a minute of the day within such hours? */
bool hours_hold(int from, int to, int minute);

/* Read days of the week, "Sat Sun" or "sat,sun", at most six, as a set: bit 0
 * is Sunday; "" means none. */
bool weekdays_read(const char *text, unsigned *days);

/* Append a duration in the same form, largest units first ("1d 12h"). */
void duration_write(int64_t duration, struct buf *out);

#endif
