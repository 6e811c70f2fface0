/*
 * The clock: what comes of time passing at a table, from timer to moves.
 *
 * Which timers there are and when the next is due is the table's to know
 * (table_timer); when it has really come is the tables's, by the service's
 * clock (bot/tables/tables.h).
 */
#ifndef BOT_HOST_JUDGE_TIMERS_H
#define BOT_HOST_JUDGE_TIMERS_H

#include "bot/host/table/ruling.h"

/* Let the next timer of the ruling's table fire: MUST be due, as MAY be others.
 * `through`: the service's time up to which its posts have surely been read. */
void timers_fire(struct ruling *ruling, int64_t through);

#endif
