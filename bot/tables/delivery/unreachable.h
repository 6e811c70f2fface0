/*
 * Who can be reached, and which messages are still needed.
 */
#ifndef BOT_TABLES_DELIVERY_UNREACHABLE_H
#define BOT_TABLES_DELIVERY_UNREACHABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* A private message of a game was not seen, or can't be delivered: tell the
 * game's thread. */
enum err tables_missed(struct tables *tables,
                       const struct queued_message *queued,
                       enum reachability reach, int64_t now,
                       struct buf *why) MUST_USE;

/* From now on nothing comes that is pressed at a service, or (`lost` false) it
 * comes again.  Games where somebody takes no messages, and was to press a
 * button, are told that they can't be reached; of a session that is told at its
 * end.  Within a transaction. */
enum err tables_lose_presses(struct tables *tables,
                             const struct service *service, bool lost,
                             int64_t now, struct buf *why) MUST_USE;

/* A game's own thread was opened; read it from a cursor on ("": from now).
 * Thread "": it can't have one. */
enum err tables_opened(struct tables *tables,
                       const struct queued_message *queued, const char *thread,
                       const char *cursor, int64_t now,
                       struct buf *why) MUST_USE;

/* Somebody was let into the gallery of a game, which is at that place; or the
 * service does not let them in, or has no place for one (`none`). */
enum err tables_invited(struct tables *tables,
                        const struct queued_message *queued, const char *place,
                        int64_t now, struct buf *why) MUST_USE;
enum err tables_uninvited(struct tables *tables,
                          const struct queued_message *queued, bool none,
                          int64_t now, struct buf *why) MUST_USE;

/* Asked right before a message goes out: is it still wanted, and may its reader
 * know it now (queued_is_wanted)?  A game that has begun needs no thread any
 * more, and one that has moved no edits of the status post that it left
 * behind. */
bool tables_wants(struct tables *tables, const struct queued_message *queued);

/* Is a status post to be pinned?  Not where a game soon gets its own thread. */
bool tables_pins(const struct tables *tables,
                 const struct queued_message *queued);

/* If something were said about a message to this person, would it tell whose
 * turn it is in a session?  `calls`: the question that it asks, 0 if none. */
bool tables_is_hidden(const struct table *table, const char *user,
                      unsigned calls);

#endif
