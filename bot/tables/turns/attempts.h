/*
 * Posts and deadlines on which the process may die (an assertion).
 *
 * Once a host has died, the next one notes each page, deferred post and
 * deadline before it tries it, and forgets it once that is on disk.  If it dies
 * of one, that is tried again, three times with a note; a page is tried post by
 * post the third time.  At the next start that post or deadline is skipped, its
 * game is held, and its thread is told; all other games go on.  A held game
 * can't move, and its thread is free for another.
 */
#ifndef BOT_TABLES_TURNS_ATTEMPTS_H
#define BOT_TABLES_TURNS_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* Note that `what` is tried, and begin a transaction; *tries: how often it was
 * noted at `at` since it was last completed, this time included. */
enum err attempt_begin(struct tables *tables, const char *what, const char *at,
                       int64_t *tries, struct buf *why) MUST_USE;

/* The same for a post by itself; its name is appended to `what`. */
enum err attempt_begin_post(struct tables *tables,
                            const struct service *service,
                            const struct post *post, struct buf *what,
                            int64_t *tries, struct buf *why) MUST_USE;

/* Commit an attempt that was completed, or give up one that failed with `err`:
 * then the process ends as well, but has not died. */
enum err attempt_end(struct tables *tables, const char *what, enum err err,
                     struct buf *why) MUST_USE;

/* Skip a post, and hold the game that would have got it. */
enum err attempt_set_aside(struct tables *tables, struct service *service,
                           const struct post *post, int64_t now,
                           struct buf *why) MUST_USE;

/* Take a table out for good, and tell its thread; the others go on. */
enum err tables_hold(struct tables *tables, struct hosted_table *hosted,
                     int64_t now, struct buf *why) MUST_USE;

/* Say a line in a table's thread; `once`: never again.  `now` by its service's
 * clock. */
enum err tables_tell(struct tables *tables, struct table *table,
                     const char *key, bool once, int64_t now,
                     struct buf *why) MUST_USE;

#endif
