/*
 * What a page of a feed tells, or an updates feed that has nothing new: what
 * time it is at the service, since when nothing could be read, and how far the
 * feed was read.
 *
 * A time in which nothing could be read is measured by the service's clock
 * alone: from the time up to which a feed was read, as saved in the store, to
 * the time when it is read again.  While we ask and get no answer, the service
 * is out; we see that and add it up.  While nobody asks, the host was not
 * running.
 */
#ifndef BOT_TABLES_FEEDS_REACHED_H
#define BOT_TABLES_FEEDS_REACHED_H

#include "bot/tables/feeds/feeds.h"

#define CLOCK_FAR_BACK DAY_MS /* less does not matter: a clock catches up */

struct reached {
    int64_t from, to; /* the feed was not heard in between, by the service's
                         clock; from 0: it never was before */
    int64_t outage;   /* ms in between for which it was asked for in vain */
    bool tells;       /* what time it is now, and agrees with what was told */
    bool leapt;       /* that is later than was believed until now */
    struct service_clock before; /* what was */
};

/* A page that was asked for at `asked_at` has come and is not taken in yet, or
 * an updates feed has said that there is nothing new.  False: the service's
 * clock is not believed, so that tells nothing.  `now` is by our clock,
 * `asked_at` by that which is never set back. */
bool reached_note(struct feeds *feeds, struct feed *feed,
                  const struct outcome *outcome, int64_t asked_at, int64_t now,
                  struct reached *reached);

/* The posts of a page are taken in: so its feed was read that far. */
void reached_read(struct feeds *feeds, struct feed *feed,
                  const struct outcome *outcome, int64_t now);

#endif
