/*
 * A company on a stage of its own, to be stepped through a game.  Static
 * functions, since a test program is one source file.
 */
#ifndef TESTS_CLI_TROUPE_H
#define TESTS_CLI_TROUPE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/local/sim_table.h"
#include "tests/support/room.h"

enum {
    STEPS_MAX = 5000 /* no game takes so many */
};

struct troupe {
    struct hall hall;
    struct company *company;
    struct company_plan plan;
};

static void
troupe_must(struct troupe *troupe, enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&troupe->hall.why));
}

static void
troupe_enter(struct troupe *troupe)
{
    hall_open(&troupe->hall);
    troupe->company = must_alloc(sizeof(*troupe->company));
    troupe_must(troupe, company_init(troupe->company, troupe->hall.stage,
                                     &troupe->plan, &troupe->hall.why));
}

/* Begin a game; `seat` is a person's, "" for none. */
static void
troupe_begin(struct troupe *troupe, const char *seed, unsigned players,
             const char *preset, const char *seat)
{
    memset(troupe, 0, sizeof(*troupe));
    hall_init(&troupe->hall);
    hall_set(&troupe->hall, "rules", preset);
    troupe->hall.fair = true;
    troupe->hall.seed = seed;
    troupe->plan.players = players;
    troupe->plan.start = troupe->hall.now;
    snprintf(troupe->plan.seat, sizeof(troupe->plan.seat), "%s", seat);
    troupe_enter(troupe);
}

/* Close everything as it stands, as a crash would, and open it again, without
 * what was only in memory: the clock too. */
static inline void
troupe_crash(struct troupe *troupe)
{
    hall_shut(&troupe->hall);
    free(troupe->company);
    troupe->hall.now = troupe->plan.start;
    troupe_enter(troupe);
}

static void
troupe_end(struct troupe *troupe)
{
    hall_release(&troupe->hall);
    free(troupe->company);
}

static enum company_turn
troupe_step(struct troupe *troupe)
{
    enum company_turn turn = COMPANY_STUCK;
    troupe_must(troupe, company_step(troupe->company, PATIENCE_PERSON, &turn,
                                     &troupe->hall.why));
    ck_assert_int_ne(turn, COMPANY_STUCK);
    return turn;
}

/* Step until the game is over. */
static inline void
troupe_play(struct troupe *troupe)
{
    unsigned steps = 0;
    while (troupe_step(troupe) == COMPANY_ACTED) {
        ck_assert_uint_lt(steps++, STEPS_MAX);
    }
}

/* The post that comes next while the same question is open, or NULL; its time
 * may come after a deadline. */
static inline const struct posting *
troupe_next(const struct troupe *troupe)
{
    const struct company *company = troupe->company;
    const struct table *table = stage_table(troupe->hall.stage);
    if (table == NULL || table->phase != company->phase) {
        return NULL;
    }
    for (unsigned i = 0; i < company->schedule.count; i++) {
        if (!company->posted[i]) {
            return &company->schedule.list[i];
        }
    }
    return NULL;
}

#endif
