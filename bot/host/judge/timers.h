/*
 * Timers: what the passing of time does at a table, from timer to moves.
 *
 * Which timers there are, and which is next, the table knows (table_timer).
 * Whether its turn has come by the service's clock, bot/tables decides
 * (bot/tables/tables.h).
 */
#ifndef BOT_HOST_JUDGE_TIMERS_H
#define BOT_HOST_JUDGE_TIMERS_H

#include "bot/host/table/ruling.h"

/* Let the next timer of the ruling's table fire, which MUST be due; others may
 * be, too. `through`: the service's time up to which its posts have surely been
 * read. */
void timers_fire(struct ruling *ruling, int64_t through);

#endif
