/*
 * Threads of games that were closed, moved, hidden or encrypted while the host
 * was there.
 */
#ifndef BOT_TABLES_TURNS_THREADS_H
#define BOT_TABLES_TURNS_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* The thread of a place's game that is neither the place's thread any more nor
 * the game's own: it may have been closed.  Not before all was read that was
 * posted there.  NULL: there is none.  Borrowed until the next turn of the
 * loop. */
const char *threads_astray(struct tables *tables,
                           const struct hosted_place *place);

/* The thread `old` was replaced by the place's: its games go on there, and so
 * does what was not sent yet. */
void threads_move(struct tables *tables, struct hosted_place *place,
                  const char *old, int64_t now);

/* The bot was put out of a configured place, or of where its moderators talk,
 * or that was closed, as a post says: it is looked for again. */
void threads_leave_place(struct tables *tables, const struct service *service,
                         const struct post *post);

/* What was posted in a room that a game has left for another counts as posted
 * in its thread: its status post stands there, too. */
void threads_follow_post(struct tables *tables, const struct table *table,
                         struct read_post *post);

/* What reading a feed came to.  Once it can't be found, or is hidden from the
 * host (ERR_GONE), and could not be read for an hour, the moderators of its
 * games are told. */
void threads_note_gone(struct tables *tables, struct feed *feed, enum err read,
                       int64_t now);

/* A place was encrypted, as a post says: its game is paused, and everybody
 * concerned is told.  Within the transaction of its page. */
void threads_encrypt(struct tables *tables, struct service *service,
                     const struct post *post, int64_t now);

#endif
