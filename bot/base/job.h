/*
 * Something that is tried again, after pauses that grow, for as long as it
 * fails.  Its times are those of a clock that is never set back, or it would
 * wait until that has caught up.
 */
#ifndef BOT_BASE_JOB_H
#define BOT_BASE_JOB_H

#include <stdbool.h>
#include <stdint.h>

/* A clock that goes on as another one does, but is never set back.  Zeroed: it
 * shows the same time as the other. */
struct steady {
    int64_t last; /* what the other one has shown */
    int64_t back; /* ms by which that was set back, in all */
};

/* The other clock shows `now`: what the steady one shows. */
int64_t steady_follow(struct steady *steady, int64_t now);

struct job {
    int64_t next;      /* when; 0: at once */
    unsigned failures; /* in a row */
    bool busy; /* it is being tried, where no state of its owner says so */
    bool done; /* likewise */
};

/* Is nobody trying, and has the time come? */
bool job_is_due(const struct job *job, int64_t now);

/* When to try, at the latest at `wake`. */
int64_t job_wake(const struct job *job, int64_t wake);

/* It was tried: it is done, */
void job_end(struct job *job);

/* or has failed once more, and waits for a pause (ms), or a little less: what
 * failed together should not come back together (`chance`: from 0 to 1). */
void job_fail(struct job *job, int64_t pause, double chance, int64_t now);

/* The same where a service says how long it is to wait: no less than that, but
 * a quarter of an hour at most, for we believe none that asks for more. */
void job_limit(struct job *job, int64_t wait, double chance, int64_t now);

/* A pause (ms) that grows with the square of the failures, up to a limit. */
int64_t job_pause(unsigned failures, int64_t first, int64_t longest);

#endif
