/*
 * Gaps: what is said and done after a time in which nothing could be read.
 */
#ifndef BOT_HOST_JUDGE_OUTAGE_H
#define BOT_HOST_JUDGE_OUTAGE_H

#include "bot/host/table/ruling.h"

#define OUTAGE_LEAST (30 * MINUTE_MS) /* what is shorter is none */

/* Instants by the service's clock. */
struct outage {
    int64_t from, to;
    int64_t outage; /* ms of it in which the service did not answer, as was
                       seen; the rest of the time the host was not there */
};

/*
 * Tell a game of a gap, in one post: a running one, or one whose sign-up or
 * ready check ends at a time.  A gap that overlaps the last quarter of the open
 * question's time moves its deadline by its own length, whether the service was
 * out or the host; in a session, where nobody is to know which question is
 * open, each gap does.
 */
void outage_tell(struct ruling *ruling, const struct outage *gap);

/* The time of the open question, or until the end of the sign-up or the ready
 * check, was counted by a wrong clock: it begins anew. */
void outage_begin_anew(struct ruling *ruling);

#endif
