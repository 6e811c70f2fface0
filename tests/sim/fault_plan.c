#include "tests/sim/fault_plan.h"

#include <string.h>

#include "adapters/adapter.h"
#include "bot/base/civil.h"
#include "bot/base/splitmix.h"

enum {
    SERVICES = 5,
    COMPARED_IN = 6, /* one game in so many, for it is played twice */
    WRITES = 30,     /* about so many are made at one moment */
    LONGEST_NAP = 8  /* minutes: ten count as an outage */
};

#define AWAKE_MS (2 * HOUR_MS) /* of a host that looks as often as it may */

#define FAULT_NAME(kind, name, one_in) [FAULT_##kind] = (name),
const char *const fault_names[FAULT_KINDS + 1] = {
    FAULT_LIST(FAULT_NAME)[FAULT_KINDS] = "nothing"};

#define FAULT_RATE(kind, name, one_in) [FAULT_##kind] = (one_in),
const unsigned fault_usual[FAULT_KINDS] = {FAULT_LIST(FAULT_RATE)};

bool
fault_changes_the_game(enum fault_kind kind)
{
    static const enum fault_kind kinds[] = {
        FAULT_RESTORE,   FAULT_TWIN,   FAULT_VOID,   FAULT_UNDO,
        FAULT_REPLACE,   FAULT_VACATE, FAULT_CHOOSE, FAULT_END,
        FAULT_ENCRYPTED, FAULT_GONE,   FAULT_HIDDEN, FAULT_MERGED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i] == kind) {
            return true;
        }
    }
    return false;
}

bool
fault_plan_clocks_are_right(const struct fault_plan *plan)
{
    return plan->one_in[FAULT_CLOCK] == 0 &&
           plan->one_in[FAULT_STALE_REPLY] == 0 &&
           plan->one_in[FAULT_DATE] == 0 &&
           plan->one_in[FAULT_SERVICE_CLOCK] == 0;
}

void
fault_plan_settle(struct fault_plan *plan)
{
    plan->two_moderators = plan->one_in[FAULT_TOGETHER] > 0;
    bool presses = plan->one_in[FAULT_PRESSES] > 0 && plan->bell;
    uint64_t which = plan->seed / SERVICES % 6; /* of Discord's */
    plan->buttons = presses && which != 0;
    plan->commands = presses && which % 2 == 0;
}

void
fault_plan_make(uint64_t seed, struct fault_plan *plan)
{
    static const char *const services[SERVICES] = {"discord", "discourse",
                                                   "nodebb", "phpbb", "matrix"};
    uint64_t chance = seed;
    (void)splitmix_next(&chance);
    memset(plan, 0, sizeof *plan);
    plan->seed = seed;
    plan->service = services[seed % SERVICES];
    plan->lazy = splitmix_below(&chance, 3) == 0;
    bool threads = adapter_find(plan->service)->capabilities.threads;
    plan->tables = splitmix_below(&chance, 4) == 0 && threads ? 2 : 1;
    plan->bell =
        splitmix_below(&chance, 4) > 0 && strcmp(plan->service, "discord") == 0;
    plan->players = 5 + splitmix_below(&chance, 3);
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        /* A third of the kinds; each seldom, as usual, or often. */
        bool strikes = splitmix_below(&chance, 3) == 0;
        unsigned half = fault_usual[i] / 2;
        unsigned one_in = half + splitmix_below(&chance, fault_usual[i] * 2);
        plan->one_in[i] = strikes ? one_in + 1 : 0;
    }
    /* At Discord alone there are buttons: half of the others have them, too. */
    if (plan->bell && plan->one_in[FAULT_PRESSES] == 0 &&
        splitmix_below(&chance, 2) == 0) {
        plan->one_in[FAULT_PRESSES] = fault_usual[FAULT_PRESSES];
    }
    fault_plan_settle(plan);
    plan->compared = splitmix_below(&chance, COMPARED_IN) == 0;
    for (unsigned i = 0; i < FAULT_KINDS && plan->compared; i++) {
        if (fault_changes_the_game((enum fault_kind)i)) {
            plan->one_in[i] = 0;
        }
    }
    plan->pace = (enum fault_pace)splitmix_below(&chance, PACE_KINDS);
    /* Who has an hour must not take it. */
    plan->pace =
        plan->lazy && plan->pace == PACE_SLOW ? PACE_BURSTS : plan->pace;
    unsigned hours = plan->pace == PACE_SLOW ? 21 * 24 : 72;
    plan->until = (1 + splitmix_below(&chance, hours)) * HOUR_MS;
    plan->verbose = splitmix_below(&chance, 4) == 0;
    plan->pictures = splitmix_below(&chance, 12) == 0;
    bool wakeful = plan->pace != PACE_SLOW && splitmix_below(&chance, 16) == 0;
    plan->awake = wakeful ? AWAKE_MS : 0;
    plan->nap = (2 + splitmix_below(&chance, LONGEST_NAP - 1)) * MINUTE_MS;
}

void
fault_plan_twins(struct fault_plan *plan)
{
    static const enum fault_kind disk[] = {FAULT_KILL_WRITE, FAULT_POWER,
                                           FAULT_DISK_FULL, FAULT_DISK_ERROR};
    plan->twin = 1;
    plan->compared = false;
    for (unsigned i = 0; i < sizeof disk / sizeof disk[0]; i++) {
        unsigned *one_in = &plan->one_in[disk[i]];
        *one_in = *one_in == 0 ? 0 : 1 + *one_in / WRITES;
    }
    if (plan->one_in[FAULT_RESTART] == 0) {
        plan->one_in[FAULT_RESTART] = fault_usual[FAULT_RESTART];
    }
}
