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

/* How often a page is noted and tried as a whole, then each of its posts alone;
 * and what comes alone. */
enum {
    PAGE_TRIES = 2,
    PAGE_POST_TRIES = 1,
    ALONE_TRIES = PAGE_TRIES + PAGE_POST_TRIES,
};

/* Note that `what` is tried, and begin a transaction; *tries: how often it was
 * noted at `at` since it was last completed, this time included. */
enum err attempt_begin(struct tables *tables, const char *what, const char *at,
                       int64_t *tries, struct buf *why) MUST_USE;

/* Commit an attempt that was completed, or give up one that failed with `err`:
 * then the process ends as well, but has not died. */
enum err attempt_end(struct tables *tables, const char *what, enum err err,
                     struct buf *why) MUST_USE;

/* Take a post in a transaction of its own, or judge it if it was deferred under
 * that number (0: it was not).  At the try after `most` it is skipped, and
 * the game that would have got it is held. */
enum err attempt_post(struct tables *tables, struct service *service,
                      const struct post *post, int64_t deferred, int64_t most,
                      int64_t now, struct buf *why) MUST_USE;

/* Take a table out for good, and tell its thread; the others go on. */
enum err attempt_hold(struct tables *tables, struct hosted_table *hosted,
                      int64_t now, struct buf *why) MUST_USE;

/* Say a line in a table's thread; `once`: never again.  `now` by its service's
 * clock. */
enum err attempt_tell(struct tables *tables, struct table *table,
                      const char *key, bool once, int64_t now,
                      struct buf *why) MUST_USE;

#endif
