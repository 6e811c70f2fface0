/*
 * When what waits until a feed was read up to it can be judged.
 */
#ifndef BOT_TABLES_TURNS_RIPE_H
#define BOT_TABLES_TURNS_RIPE_H

#include <stdint.h>

#include "bot/tables/tables.h"

/* How long (ms) after a post is written no earlier one comes any more in a
 * feed. */
int64_t ripe_wait(const struct feed *feed);

/* The time, by the service's clock, at which a post or a timer that waits for a
 * feed can be judged; INT64_MAX: none waits. */
int64_t ripe_at(struct tables *tables, const struct feed *feed);

#endif
