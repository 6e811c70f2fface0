#include "bot/loop/asking.h"

#include "bot/base/civil.h"
#include "bot/tables/delivery.h"

/* The longest pause that we believe a service about. */
#define LIMIT_LONGEST (15 * MINUTE_MS)

bool
asking_is_due(const struct asking *asking, int64_t now)
{
    return !asking->busy && asking->next <= now;
}

int64_t
asking_pause(unsigned failures)
{
    int64_t steps = failures < 100 ? failures : 100;
    int64_t pause = steps * steps * SECOND_MS;
    return pause < 5 * MINUTE_MS ? pause : 5 * MINUTE_MS;
}

/* What failed together should not come back together. */
int64_t
asking_pause_after(double chance, unsigned failures,
                   const struct delivery *delivery)
{
    bool limited = delivery->err == ERR_LIMITED;
    int64_t wait = delivery->outcome.wait;
    int64_t told = wait < LIMIT_LONGEST ? wait : LIMIT_LONGEST;
    int64_t pause = limited ? told : asking_pause(failures);
    int64_t jitter = (int64_t)(chance * (double)pause / 5);
    return pause + (limited ? jitter : -jitter);
}

enum log_level
asking_level(unsigned failures)
{
    return failures == 1 ? LOG_LEVEL_WARNING : LOG_LEVEL_DEBUG;
}

enum log_level
asking_level_of(unsigned failures, const struct delivery *delivery)
{
    return delivery->unauthorized ? LOG_LEVEL_DEBUG : asking_level(failures);
}

int64_t
asking_wake(const struct asking *asking, int64_t wake)
{
    return !asking->busy && asking->next < wake ? asking->next : wake;
}

void
asking_take(struct asking *asking, double chance,
            const struct delivery *delivery, int64_t now)
{
    asking->busy = false;
    asking->done = delivery->err == ERR_NONE;
    if (asking->done) {
        asking->failures = 0;
        return;
    }
    asking->failures++;
    asking->next = now + asking_pause_after(chance, asking->failures, delivery);
}

enum err
asking_alarm(struct tables *tables, unsigned failures,
             const struct delivery *delivery, int64_t now, struct buf *why)
{
    bool needs_somebody =
        delivery->err == ERR_DENIED || delivery->err == ERR_GONE;
    return failures == 1 && needs_somebody
               ? tables_alarm(tables, buf_text(&delivery->why), now, why)
               : ERR_NONE;
}
