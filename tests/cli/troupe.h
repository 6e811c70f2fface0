/*
 * Simulated players in a game of their own, to be stepped through.  Static
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
    struct room room;
    struct sim_table *sim_table;
    struct sim_table_plan plan;
};

static void
troupe_must(struct troupe *troupe, enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&troupe->room.why));
}

static void
troupe_enter(struct troupe *troupe)
{
    room_open(&troupe->room);
    troupe->sim_table = must_alloc(sizeof(*troupe->sim_table));
    troupe_must(troupe, sim_table_init(troupe->sim_table, troupe->room.stage,
                                       &troupe->plan, &troupe->room.why));
}

/* Begin a game; `seat` is a person's, "" for none. */
static void
troupe_begin(struct troupe *troupe, const char *seed, unsigned players,
             const char *preset, const char *seat)
{
    memset(troupe, 0, sizeof(*troupe));
    room_init(&troupe->room);
    room_set(&troupe->room, "rules", preset);
    troupe->room.fair = true;
    troupe->room.seed = seed;
    troupe->plan.players = players;
    troupe->plan.start = troupe->room.now;
    snprintf(troupe->plan.seat, sizeof(troupe->plan.seat), "%s", seat);
    troupe_enter(troupe);
}

/* Close everything as it stands, as a crash would, and open it again, without
 * what was only in memory: the clock too. */
static inline void
troupe_crash(struct troupe *troupe)
{
    room_shut(&troupe->room);
    free(troupe->sim_table);
    troupe->room.now = troupe->plan.start;
    troupe_enter(troupe);
}

static void
troupe_end(struct troupe *troupe)
{
    room_release(&troupe->room);
    free(troupe->sim_table);
}

static enum sim_table_turn
troupe_step(struct troupe *troupe)
{
    enum sim_table_turn turn = SIM_TABLE_STUCK;
    troupe_must(troupe, sim_table_step(troupe->sim_table, PATIENCE_PERSON,
                                       &turn, &troupe->room.why));
    ck_assert_int_ne(turn, SIM_TABLE_STUCK);
    return turn;
}

/* Step until the game is over. */
static inline void
troupe_play(struct troupe *troupe)
{
    unsigned steps = 0;
    while (troupe_step(troupe) == SIM_TABLE_ACTED) {
        ck_assert_uint_lt(steps++, STEPS_MAX);
    }
}

/* The post that comes next while the same question is open, or NULL; its time
 * may come after a deadline. */
static inline const struct posting *
troupe_next(const struct troupe *troupe)
{
    const struct sim_table *sim_table = troupe->sim_table;
    const struct table *table = stage_table(troupe->room.stage);
    if (table == NULL || table->phase != sim_table->phase) {
        return NULL;
    }
    for (unsigned i = 0; i < sim_table->schedule.count; i++) {
        if (!sim_table->posted[i]) {
            return &sim_table->schedule.list[i];
        }
    }
    return NULL;
}

#endif
