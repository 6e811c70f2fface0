/*
 * Outages: what the host says and does after a time in which it could read
 * nothing.
 */
#ifndef BOT_HOST_JUDGE_OUTAGE_H
#define BOT_HOST_JUDGE_OUTAGE_H

#include "bot/host/table/ruling.h"

#define OUTAGE_LEAST (30 * MINUTE_MS) /* anything shorter is no outage */

/* Instants by the service's clock. */
struct outage {
    int64_t from, to;
    int64_t outage; /* ms of it in which the service did not answer us; for the
                       rest of the time the host was not running */
    bool lost;      /* the service has forgotten what was posted in that time */
};

/*
 * Tell a game of an outage, in one post: a running game, or one whose sign-up
 * or ready check ends at a set time.  An outage that overlaps the last quarter
 * of the open question's time moves its deadline by the outage's length,
 * whether the service or the host was down.  In a session nobody may know which
 * question is open, so every outage moves it, by what it took of that.
 */
void outage_tell(struct ruling *ruling, const struct outage *outage);

/* People could not post for a while, it is not known since when, and can now:
 * they have a quarter of the open question's time left, or all of that for
 * second thoughts.  `reason`: the catalogue's key.  True: the deadline had to
 * be moved. */
bool outage_leave_time(struct ruling *ruling, const char *reason);

/* The time of the open question, or until the end of the sign-up or the ready
 * check, was counted by a wrong clock: begin it anew. */
void outage_begin_anew(struct ruling *ruling);

#endif
