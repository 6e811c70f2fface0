/*
 * How much the tests try that could try without end: random games, points to
 * die at, pairs of what goes with what.  PLACARD_EFFORT is percent of what CI
 * tries (unset: 100; 1 to 1000000): a quarter in `make test`, less where each
 * try is dear, as under the sanitizers, five times as much in `make test-long`,
 * and far more in a night.
 */
#ifndef TESTS_SUPPORT_EFFORT_H
#define TESTS_SUPPORT_EFFORT_H

#include <stdlib.h>

enum {
    EFFORT_USUAL = 100,
    EFFORT_LONG = 500, /* what `make test-long` takes */
    EFFORT_MAX = 1000000
};

static inline unsigned long
effort_percent(void)
{
    const char *wanted = getenv("PLACARD_EFFORT");
    unsigned long percent = wanted == NULL ? 0 : strtoul(wanted, NULL, 10);
    return percent == 0 || percent > EFFORT_MAX ? EFFORT_USUAL : percent;
}

/* As many tries as that is of the usual ones; one at the least. */
static inline unsigned
effort_of(unsigned usual)
{
    unsigned long tries =
        (unsigned long)usual * effort_percent() / EFFORT_USUAL;
    return tries == 0 ? 1 : (unsigned)tries;
}

/* One in how many is tried, where one in USUAL is as a rule; 1 is all. */
static inline unsigned
effort_one_in(unsigned usual)
{
    unsigned long step = (unsigned long)usual * EFFORT_USUAL / effort_percent();
    return step == 0 ? 1 : (unsigned)step;
}

#endif
