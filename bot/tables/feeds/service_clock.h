/*
 * The clock of a service, and whether it can be believed.
 *
 * What it shows is compared with the time that has passed here: the two agree
 * if they differ by at most two minutes.  A clock that is ahead is not
 * believed, because deadlines would fire too early.  But three replies that
 * agree with one another over ten minutes are believed (the service's clock was
 * set, or ours).  A clock that is behind ends nothing too early; but where it
 * was set back, what is posted before it has caught up comes, by its stamp,
 * before the question that it answers, and does not count.  While it is behind,
 * ours may be ahead, so one reply that is not as far behind has to be confirmed
 * by the next.
 */
#ifndef BOT_TABLES_FEEDS_SERVICE_CLOCK_H
#define BOT_TABLES_FEEDS_SERVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A zeroed struct has seen no time yet.  Ours is never set back
 * (tables_steady). */
struct service_clock {
    int64_t time, at; /* what it showed, and when by our clock; 0: never */
    int64_t other, other_at; /* the same for the reading that disagreed */
    int64_t since;   /* `other_at` of the first reading that disagreed so */
    unsigned others; /* how many readings did */
    bool doubted;    /* the last reading is ahead: nothing may fire */
    bool told;       /* by a reading since the start, not by the store alone */
};

/* It shows `time` at `at`.  False: that is not believed. */
bool service_clock_observe(struct service_clock *clock, int64_t time,
                           int64_t at);

/* Has a reading that was ahead come to be believed, since the clock was as it
 * was `before`? */
bool service_clock_leapt(const struct service_clock *clock,
                         const struct service_clock *before);

/* What it shows at `at`, as far as it is believed; `at` if nothing is known. */
int64_t service_clock_now(const struct service_clock *clock, int64_t at);

/* The same, but while it is ahead and not believed, what it does show: whoever
 * is asked something then has the time from then on, should it be right. */
int64_t service_clock_latest(const struct service_clock *clock, int64_t at);

/* What it showed last, less the two minutes by which one reading may be off; 0:
 * it has shown nothing since the start, or readings disagree. */
int64_t service_clock_shown(const struct service_clock *clock);

/* When it shows `time`, by our clock, whatever readings disagree; `time` if
 * nothing is known. */
int64_t service_clock_when(const struct service_clock *clock, int64_t time);

#endif
