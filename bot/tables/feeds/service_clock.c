#include "bot/tables/feeds/service_clock.h"

#include "bot/base/civil.h"

#define NEAR        (2 * MINUTE_MS)
#define LONG_ENOUGH (10 * MINUTE_MS)

enum {
    ENOUGH = 3 /* replies */
};

static void
believe(struct service_clock *clock, int64_t time, int64_t at)
{
    *clock = (struct service_clock){.time = time, .at = at, .told = true};
}

static bool
is_near(int64_t time, int64_t expected)
{
    return time - expected <= NEAR && expected - time <= NEAR;
}

/* What it would show if the reading that disagreed last was right. */
static int64_t
other_now(const struct service_clock *clock, int64_t at)
{
    return clock->other + (at - clock->other_at);
}

/* Does it go on from what it showed when it first disagreed? */
static bool
goes_on(const struct service_clock *clock, int64_t time, int64_t at)
{
    return clock->others > 0 && is_near(time, other_now(clock, at));
}

/* Services tell their time in whole seconds, cut off.  So the latest time that
 * was told, carried on, is the closest. */
static int64_t
not_cut_off(const struct service_clock *clock, int64_t time, int64_t expected)
{
    bool closer =
        clock->at != 0 && expected > time && expected - time < SECOND_MS;
    return closer ? expected : time;
}

bool
service_clock_observe(struct service_clock *clock, int64_t time, int64_t at)
{
    int64_t expected = clock->time + (at - clock->at);
    bool leaps = clock->others > 0 && !goes_on(clock, time, at) &&
                 time > other_now(clock, at);
    if (clock->at == 0 || (is_near(time, expected) && !leaps)) {
        believe(clock, not_cut_off(clock, time, expected), at);
        return true;
    }
    if (goes_on(clock, time, at)) {
        clock->others++;
    } else {
        clock->others = 1;
        clock->since = at;
    }
    clock->other = time;
    clock->other_at = at;
    clock->doubted = time > expected || leaps;
    if (clock->others >= ENOUGH && at - clock->since >= LONG_ENOUGH) {
        believe(clock, time, at);
    }
    return !clock->doubted;
}

bool
service_clock_leapt(const struct service_clock *clock,
                    const struct service_clock *before)
{
    return before->doubted && !clock->doubted &&
           clock->time - (before->time + (clock->at - before->at)) > NEAR;
}

int64_t
service_clock_now(const struct service_clock *clock, int64_t at)
{
    int64_t now = clock->time + (at - clock->at);
    int64_t other = other_now(clock, at);
    if (clock->at == 0) {
        return at;
    }
    return clock->others > 0 && other < now ? other : now;
}

int64_t
service_clock_latest(const struct service_clock *clock, int64_t at)
{
    return clock->doubted ? other_now(clock, at) : service_clock_now(clock, at);
}

int64_t
service_clock_shown(const struct service_clock *clock)
{
    return clock->told && clock->others == 0 && clock->time > NEAR
               ? clock->time - NEAR
               : 0;
}

int64_t
service_clock_when(const struct service_clock *clock, int64_t time)
{
    return clock->at + (time - clock->time);
}
