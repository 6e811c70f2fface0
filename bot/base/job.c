#include "bot/base/job.h"

#include "bot/base/civil.h"

#define LIMIT_LONGEST (15 * MINUTE_MS)

int64_t
steady_follow(struct steady *steady, int64_t now)
{
    steady->back += now < steady->last ? steady->last - now : 0;
    steady->last = now;
    return now + steady->back;
}

bool
job_is_due(const struct job *job, int64_t now)
{
    return !job->busy && job->next <= now;
}

int64_t
job_wake(const struct job *job, int64_t wake)
{
    return !job->busy && job->next < wake ? job->next : wake;
}

void
job_end(struct job *job)
{
    job->failures = 0;
    job->busy = false;
    job->done = true;
}

static void
put_off(struct job *job, int64_t pause, int64_t now)
{
    job->failures++;
    job->busy = false;
    job->done = false;
    job->next = now + pause;
}

void
job_fail(struct job *job, int64_t pause, double chance, int64_t now)
{
    put_off(job, pause - (int64_t)(chance * (double)pause / 5), now);
}

void
job_limit(struct job *job, int64_t wait, double chance, int64_t now)
{
    int64_t pause = wait < LIMIT_LONGEST ? wait : LIMIT_LONGEST;
    put_off(job, pause + (int64_t)(chance * (double)pause / 5), now);
}

int64_t
job_pause(unsigned failures, int64_t first, int64_t longest)
{
    int64_t steps = failures < 100 ? failures : 100;
    int64_t pause = steps * steps * first;
    return pause < longest ? pause : longest;
}
