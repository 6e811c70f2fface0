/*
 * Every deadline is computed here, by one pure function, and nowhere else.
 */
#ifndef BOT_HOST_DEADLINE_H
#define BOT_HOST_DEADLINE_H

#include <stdint.h>

#include "bot/host/table.h"
#include "config/config.h"
#include "engine/game.h"

/*
 * When the time for a question is up: `opened` is when it was put,
 * `round_opened` when its round began (the vote's time and the nomination's
 * both run from there, so that a vote is never starved).  0: no deadline
 * (chance, or nothing is awaited).
 */
int64_t deadline_of(enum question question, int64_t opened,
                    int64_t round_opened, const struct settings *settings);

/*
 * The deadline that a move has to bring along (its `until`): of the question
 * that it opens, or opens anew, at this table.  0: it opens none.  The table is
 * not changed.
 */
int64_t deadline_after(const struct table *table, const struct move *move);

/* The time that a question gets at most, in ms; 0: none. */
int64_t deadline_length(enum question question,
                        const struct settings *settings);

#endif
