/*
 * Simulated players in a game of their own, to be stepped through.  Static
 * functions, since a test program is one source file.
 */
#ifndef TESTS_CLI_SIM_GAME_H
#define TESTS_CLI_SIM_GAME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/local/sim_table.h"
#include "tests/support/room.h"

enum {
    STEPS_MAX = 5000 /* no game takes so many */
};

struct sim_game {
    struct room room;
    struct sim_table *sim_table;
    struct sim_table_plan plan;
};

static void
sim_game_must(struct sim_game *sim_game, enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&sim_game->room.why));
}

static void
sim_game_enter(struct sim_game *sim_game)
{
    room_open(&sim_game->room);
    sim_game->sim_table = must_alloc(sizeof(*sim_game->sim_table));
    sim_game_must(sim_game,
                  sim_table_init(sim_game->sim_table, sim_game->room.stage,
                                 &sim_game->plan, &sim_game->room.why));
}

/* Begin a game; `seat` is a person's, "" for none. */
static void
sim_game_begin(struct sim_game *sim_game, const char *seed, unsigned players,
               const char *preset, const char *seat)
{
    memset(sim_game, 0, sizeof(*sim_game));
    room_init(&sim_game->room);
    room_set(&sim_game->room, "rules", preset);
    sim_game->room.fair = true;
    sim_game->room.seed = seed;
    sim_game->plan.players = players;
    sim_game->plan.start = sim_game->room.now;
    snprintf(sim_game->plan.seat, sizeof(sim_game->plan.seat), "%s", seat);
    sim_game_enter(sim_game);
}

/* Close everything as it stands, as a crash would, and open it again, without
 * what was only in memory: the clock too. */
static inline void
sim_game_crash(struct sim_game *sim_game)
{
    room_shut(&sim_game->room);
    free(sim_game->sim_table);
    sim_game->room.now = sim_game->plan.start;
    sim_game_enter(sim_game);
}

static void
sim_game_end(struct sim_game *sim_game)
{
    room_release(&sim_game->room);
    free(sim_game->sim_table);
}

static enum sim_table_turn
sim_game_step(struct sim_game *sim_game)
{
    enum sim_table_turn turn = SIM_TABLE_STUCK;
    sim_game_must(sim_game, sim_table_step(sim_game->sim_table, PATIENCE_PERSON,
                                           &turn, &sim_game->room.why));
    ck_assert_int_ne(turn, SIM_TABLE_STUCK);
    return turn;
}

/* Step until the game is over. */
static inline void
sim_game_play(struct sim_game *sim_game)
{
    unsigned steps = 0;
    while (sim_game_step(sim_game) == SIM_TABLE_ACTED) {
        ck_assert_uint_lt(steps++, STEPS_MAX);
    }
}

/* The post that comes next while the same question is open, or NULL; its time
 * may come after a deadline. */
static inline const struct posting *
sim_game_next(const struct sim_game *sim_game)
{
    const struct sim_table *sim_table = sim_game->sim_table;
    const struct table *table = stage_table(sim_game->room.stage);
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
