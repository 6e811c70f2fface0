/*
 * The clock of a service, and whether it can be believed.
 *
 * What it shows is compared with the time that has passed here: they agree if
 * they differ by two minutes at most.  One that is ahead is not believed, for
 * deadlines would fire too early; three replies that agree with one another
 * over ten minutes are believed all the same (the service's clock was set, or
 * ours).  One that is behind does no harm.
 */
#ifndef BOT_TABLES_SERVICE_CLOCK_H
#define BOT_TABLES_SERVICE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* A zeroed struct has heard nothing. */
struct service_clock {
    int64_t time, at; /* what it showed when, by the host's clock; 0: not */
    int64_t other, other_at; /* the same, where it disagreed with that */
    int64_t since;           /* `other_at` of the first that says so */
    unsigned others;         /* how many do */
    bool doubted;            /* it is ahead: nothing may fire */
};

/* It shows `time` at `at`.  False: that is not believed. */
bool service_clock_observe(struct service_clock *clock, int64_t time,
                           int64_t at);

/* What it shows at `at`, as far as is believed; `at`: nothing was heard. */
int64_t service_clock_now(const struct service_clock *clock, int64_t at);

#endif
