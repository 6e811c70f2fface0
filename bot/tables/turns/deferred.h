/*
 * Whose turn it is: posts that must wait for earlier ones.
 */
#ifndef BOT_TABLES_TURNS_DEFERRED_H
#define BOT_TABLES_TURNS_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* Does the feed of one user's DM bring an answer that is due in private? */
bool deferred_awaits(struct tables *tables, const struct feed *feed);

/* The time by which a post takes its turn. */
int64_t deferred_time(const struct deferred_post *post);

/* By how many ms the posts of a service are in order beyond the time up to
 * which a feed was read (struct feed, `through`), for that is its clock less
 * the margin: where posts come in disorder, the margin less that disorder; else
 * 0. */
int64_t deferred_order_ahead(const struct service *service);

/* Has the turn of a post come: of a deferred one, or of one that has just come
 * and was described? */
bool deferred_is_due(struct tables *tables, const struct deferred_post *post);

/* Has the turn of a table's next timer come?  0: no; else the service's time up
 * to which everything is known that may matter, other timers apart. */
int64_t deferred_timer_due(struct tables *tables, struct hosted_table *hosted);

/* Write down what must be known of a post while it waits. */
void deferred_describe(const struct service *service, const struct post *post,
                       struct deferred_post *deferred);

/* Defer a post that was described, in the store too; take the one at `at` off
 * the list (not out of the store); load those in the store. */
void deferred_add(struct tables *tables, struct deferred_post *deferred,
                  const struct post *post);

/* The time of the first post of a feed that waits until the feed was read up to
 * it; INT64_MAX: none does. */
int64_t deferred_first(const struct tables *tables, const struct feed *feed);

/* The same of the posts that are deferred for a table, whatever feed they came
 * in, and wait until this one was read far enough for them. */
int64_t deferred_first_at(const struct tables *tables,
                          const struct hosted_table *hosted,
                          const struct feed *feed);

/* Is a post of that place deferred? */
bool deferred_is_any_in(const struct tables *tables,
                        const struct service *service, const char *place);

/* Visit the other feeds for which posts of a feed wait, with the time, by the
 * service's clock, from which on a reading of them goes far enough. */
void deferred_visit(const struct tables *tables, const struct feed *feed,
                    void (*visit)(void *context, struct feed *other,
                                  int64_t time),
                    void *context);

void deferred_remove(struct tables *tables, size_t at);
void deferred_load(struct tables *tables);
void deferred_release(struct tables *tables);

#endif
