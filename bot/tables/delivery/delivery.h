/*
 * Messages on their way: what they say, which are still wanted, what came of
 * them, and what is said where they can't be delivered, or can again.
 */
#ifndef BOT_TABLES_DELIVERY_DELIVERY_H
#define BOT_TABLES_DELIVERY_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/log.h"
#include "bot/tables/tables.h"

/* Tell the operator of trouble, if the configuration says where; `now` by the
 * host's clock.  Within a transaction or not. */
void delivery_alarm(struct tables *tables, const char *text, int64_t now);

/* The same, and a warning in the log. */
void delivery_warn(struct tables *tables, const struct log_subject *subject,
                   const char *text, int64_t now);

/* Would it tell who has acted if it were known that a message waits?  In a
 * session it would. */
bool delivery_is_secret(const struct tables *tables,
                        const struct queued_message *queued);

/* Append, for the log, which table and place a message belongs to, what it is,
 * and since when it waits. */
void delivery_describe(const struct queued_message *queued, struct buf *out);

/* What a line of the log about a message is about; its person only where that
 * tells nothing.  Borrowed from the message. */
struct log_subject delivery_subject(const struct tables *tables,
                                    const struct queued_message *queued);

/* Tell a thread that what could not be delivered for long has arrived. */
void delivery_works_again(struct tables *tables,
                          const struct queued_message *queued, int64_t now);

/* A message waits for a moderator's approval: tell the moderators, and whoever
 * runs the host. */
void delivery_unapproved(struct tables *tables,
                         const struct queued_message *queued, int64_t now);

/* A post was sent to a place: note which of the words that games need are in
 * it, if any. */
void delivery_note_written(struct tables *tables,
                           const struct queued_message *queued, int64_t now);

/* A post was read.  If it is that one, and lacks some, the service has replaced
 * them, which forums do ("****"): whoever runs the host and the game's thread
 * are told, once for each word and place. */
void delivery_compare(struct tables *tables, const struct service *service,
                      const struct post *post, int64_t now);

/* A game's own thread was opened; read it from a cursor on ("": from now).
 * Thread "": it can't have one. */
void delivery_opened(struct tables *tables, const struct queued_message *queued,
                     const char *thread, const char *cursor, int64_t now);

/* Somebody was let into the gallery of a game, which is at that place; or the
 * service does not let them in, or has no place for one (`none`). */
void delivery_invited(struct tables *tables,
                      const struct queued_message *queued, const char *place,
                      int64_t now);
void delivery_uninvited(struct tables *tables,
                        const struct queued_message *queued, bool none,
                        int64_t now);

/* Asked right before a message goes out: is it still wanted, and may its reader
 * know it now (queued_is_wanted)?  A game that has begun needs no thread any
 * more, and one that has moved no edits of the status post that it left
 * behind. */
bool delivery_wants(struct tables *tables, const struct queued_message *queued);

/* Is a status post to be pinned?  Not where a game soon gets its own thread. */
bool delivery_pins(const struct tables *tables,
                   const struct queued_message *queued);

/* Append what a message says, in the form in which it is tried now. */
void delivery_say(struct tables *tables, const struct queued_message *queued,
                  const struct dialect *dialect, int64_t now, struct buf *text);

/* Is that a line of a message that has more lines? */
bool delivery_says_more(struct tables *tables,
                        const struct queued_message *queued,
                        const struct dialect *dialect, int64_t now);

#endif
