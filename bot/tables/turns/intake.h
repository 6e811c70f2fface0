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
void intake_take_page(struct tables *tables, struct feed *feed,
                      const struct outcome *outcome, int64_t now);

/* The author of a press, or of a post that is to be read (POST_AUTHOR), was
 * met. */
void intake_meet(struct tables *tables, const struct service *service,
                 const struct post *post);

/* Take in a press that was acknowledged. */
void intake_take_press(struct tables *tables, struct service *service,
                       const struct post *post, int64_t now);

/* Answer a press of which nobody knows what became of it: its author is told to
 * look. */
void intake_lose_press(struct tables *tables, struct service *service,
                       const struct post *post, int64_t now);

#endif
