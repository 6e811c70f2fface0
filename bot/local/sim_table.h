/*
 * The simulated table: the people of a local table on its stage, all simulated
 * except at most one, and the clock that moves with them.
 *
 * A step is the next thing due: somebody's post, or a deadline.  While the
 * person at the table has to answer nothing is due, so the clock stands still.
 * Nothing in this struct is saved: the same plan with the same folder continues
 * where the last play was interrupted.
 */
#ifndef BOT_LOCAL_SIM_TABLE_H
#define BOT_LOCAL_SIM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/local/sim_players.h"
#include "bot/local/stage.h"

/* Who plays what.  Together with the stage's settings and seed this determines
 * the whole game, except for what a person does. */
struct sim_table_plan {
    unsigned players;
    char seat[RECORD_NAME_MAX + 1]; /* a person's; "": all are simulated */
    int64_t start;                  /* ms */
};

/* MUST NOT be moved once it is begun. */
struct sim_table {
    struct stage *stage; /* borrowed */
    struct sim_table_plan plan;
    struct cast cast;
    const char *people[PLAYERS_MAX]; /* in the order of the sign-up */
    char command[64];                /* opens the table */
    struct schedule schedule;
    bool posted[SCHEDULE_MAX];
    char game[TABLE_ID_MAX +
              1]; /* the schedule is this game's; "": the sign-up's */
    unsigned phase;
    bool scheduled;
    int64_t before; /* the id of the newest post at the beginning */
    int64_t ended;  /* when its game was over; 0: it is on */
    int64_t late;   /* since when what is due can't be done; 0: it can */
};

/* Is this a name for a person's seat?  On success it is cleaned into `name`;
 * otherwise ERR_CONFIG with a sentence. */
enum err sim_table_name(const char *wish, char name[RECORD_NAME_MAX + 1],
                        struct buf *why) MUST_USE;

/* Begin, or continue, at a stage that is open; posts already on the board are
 * not posted again. */
enum err sim_table_init(struct sim_table *sim_table, struct stage *stage,
                        const struct sim_table_plan *plan,
                        struct buf *why) MUST_USE;

/* Let the person's seat be simulated from now on. */
void sim_table_take_over(struct sim_table *sim_table);

/* Does the host await an answer from the person? *in_private: in their DM. */
bool sim_table_awaits(const struct sim_table *sim_table, bool *in_private);

/* How long to wait for the person. */
enum patience {
    PATIENCE_PERSON, /* until they have answered */
    PATIENCE_OTHERS, /* until the others have finished talking */
    PATIENCE_TIME,   /* not at all: deadlines pass */
};

enum sim_table_turn {
    SIM_TABLE_ACTED,
    SIM_TABLE_AWAITS, /* nothing happens before the person posts */
    SIM_TABLE_OVER,   /* the game has ended, and everything is said */
    SIM_TABLE_STUCK,  /* nothing will ever happen (settings may cause that) */
};

/* Take one step. */
enum err sim_table_step(struct sim_table *sim_table, enum patience patience,
                        enum sim_table_turn *turn, struct buf *why) MUST_USE;

/* Post as the person, and let the host answer. */
enum err sim_table_say(struct sim_table *sim_table, bool in_private,
                       const char *text, struct buf *why) MUST_USE;

#endif
