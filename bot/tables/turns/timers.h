/*
 * What happens because time has passed: timers fire, and deferred posts are
 * judged.
 */
#ifndef BOT_TABLES_TURNS_TIMERS_H
#define BOT_TABLES_TURNS_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* Let every deadline fire, and judge every deferred post, whose turn has come
 * by the services' clocks; tell of votes that were pressed, each in a
 * transaction of its own. */
void timers_work(struct tables *tables, int64_t now);

/* When the next deadline fires, or the next deferred post is judged, by the
 * service's clock, disorder allowed for; 0: none. */
int64_t timers_due(const struct tables *tables);

/* The transcript of a game's deal is posted: the cards are dealt.  Within the
 * transaction in which that is saved. */
void timers_deal(struct tables *tables, const char *game, int64_t now);

#endif
