/*
 * Timers: turns the passing of time at a table into moves.
 *
 * The table knows its timers and which is next (table_timer). bot/tables
 * decides whether that one is due by the service's clock (bot/tables/tables.h).
 */
#ifndef BOT_HOST_JUDGE_TIMERS_H
#define BOT_HOST_JUDGE_TIMERS_H

#include "bot/host/table/ruling.h"

/* Let the next timer of the ruling's table fire, which MUST be due; others may
 * be due too. `through`: the service's time up to which its posts have surely
 * been read. */
void timers_fire(struct ruling *ruling, int64_t through);

#endif
