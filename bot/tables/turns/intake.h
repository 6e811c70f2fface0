/*
 * A page of posts is taken in, within one transaction.
 */
#ifndef BOT_TABLES_TURNS_INTAKE_H
#define BOT_TABLES_TURNS_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* Take in what was read of a feed.  If the service's clock is ahead of `now`,
 * its time counts instead: no question may open in the service's past. */
enum err intake_take_page(struct tables *tables, struct feed *feed,
                          const struct outcome *outcome, int64_t now,
                          struct buf *why) MUST_USE;

/* Take in a press that was acknowledged. */
enum err intake_take_press(struct tables *tables, struct service *service,
                           const struct post *post, int64_t now,
                           struct buf *why) MUST_USE;

/* Answer a press of which nobody knows what became of it: its author is told to
 * look. */
void intake_lose_press(struct tables *tables, struct service *service,
                       const struct post *post, int64_t now);

#endif
