/*
 * What is said of people who can't be reached.
 */
#ifndef BOT_TABLES_DELIVERY_UNREACHABLE_H
#define BOT_TABLES_DELIVERY_UNREACHABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* A private message of a game was not seen, or can't be delivered: tell the
 * game's thread. */
void unreachable_missed(struct tables *tables,
                        const struct queued_message *queued,
                        enum reachability reach, int64_t now);

/* From now on nothing comes that is pressed at a service, or (`lost` false) it
 * comes again.  Games where somebody takes no messages, and was to press a
 * button, are told that they can't be reached; of a session that is told at its
 * end.  Within a transaction. */
void unreachable_lose_presses(struct tables *tables,
                              const struct service *service, bool lost,
                              int64_t now);

/* If something were said about a message to this person, would it tell whose
 * turn it is in a session?  `calls`: the question that it asks, 0 if none. */
bool unreachable_is_hidden(const struct table *table, const char *user,
                           unsigned calls);

#endif
