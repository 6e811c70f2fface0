/*
 * The company: the people of a local table on its stage, simulated but for one
 * at most, and the clock that moves with them.
 *
 * A step is the next thing due: somebody's post, or a deadline.  While the
 * person at the table is awaited there is none, so the clock stands still.
 * What is in a company is not kept: the same plan at the same folder goes on
 * where the last one was cut off.
 */
#ifndef BOT_LOCAL_SIM_TABLE_H
#define BOT_LOCAL_SIM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/local/sim_players.h"
#include "bot/local/stage.h"

/* Who sits down to what; together with the stage's settings and seed it is the
 * whole game, but for what a person does. */
struct company_plan {
    unsigned players;
    char seat[RECORD_NAME_MAX + 1]; /* of a person; "": all are simulated */
    int64_t start;                  /* ms */
};

/* MUST NOT be moved once it is begun. */
struct company {
    struct stage *stage; /* borrowed */
    struct company_plan plan;
    struct cast cast;
    const char *people[PLAYERS_MAX]; /* in the order of the sign-up */
    char command[64];                /* that opens the table */
    struct schedule schedule;
    bool posted[SCHEDULE_MAX];
    char game[TABLE_ID_MAX + 1]; /* whose schedule it is; "": the sign-up */
    unsigned phase;
    bool scheduled;
    int64_t before; /* the newest post's id as the company began */
};

/* Is this a name for a person's seat?  On success it is cleaned into `name`;
 * else ERR_CONFIG with a sentence. */
enum err company_name(const char *wish, char name[RECORD_NAME_MAX + 1],
                      struct buf *why) MUST_USE;

/* Begin, or go on, at a stage that is open; what is on the board already is not
 * posted again. */
enum err company_init(struct company *company, struct stage *stage,
                      const struct company_plan *plan,
                      struct buf *why) MUST_USE;

/* Let the person's seat be simulated from now on. */
void company_take_over(struct company *company);

/* Is the person awaited?  *in_private: an answer in their private talk. */
bool company_awaits(const struct company *company, bool *in_private);

/* How long the person is waited for. */
enum patience {
    PATIENCE_PERSON, /* until they have answered */
    PATIENCE_OTHERS, /* until the others have said what they have to say */
    PATIENCE_TIME,   /* not at all: deadlines pass */
};

enum company_turn {
    COMPANY_ACTED,
    COMPANY_AWAITS, /* nothing is done before the person posts */
    COMPANY_OVER,   /* the game has ended */
    COMPANY_STUCK,  /* nothing will ever happen (settings may ask for that) */
};

/* Take one step. */
enum err company_step(struct company *company, enum patience patience,
                      enum company_turn *turn, struct buf *why) MUST_USE;

/* Post as the person, and let the host answer. */
enum err company_say(struct company *company, bool in_private, const char *text,
                     struct buf *why) MUST_USE;

#endif
