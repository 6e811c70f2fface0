/*
 * What the files of the folder share: what a post does to the table that it is
 * for (posts.c), posts that wait for a moderator's approval (pending.c), who is
 * there (presence.c), what the host may die of (attempts.c), and posts that
 * come again as they were (repeats.c).
 */
#ifndef BOT_TABLES_TURNS_TURNS_INNER_H
#define BOT_TABLES_TURNS_TURNS_INNER_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* ---- posts.c ------------------------------------------------------------- */

/* Take in a post that was just delivered: it is judged if its turn has come,
 * and deferred if not.  One that comes a second time changes nothing
 * (READING.md E1), be it in a topic into which it was moved, unless nothing was
 * done with it before.  Within a transaction. */
void posts_take(struct tables *tables, struct service *service,
                const struct post *post, int64_t now);

/* Judge a post whose turn has come, and save what it does.  Within a
 * transaction. */
void posts_judge(struct tables *tables, struct service *service,
                 const struct post *post, int64_t now);

/* Did nobody write it, or a machine?  It does not count; and we are a
 * machine. */
bool posts_is_own(const struct post *post);

/* Is what a post says kept, so that an edit of it is seen?  Once it is, it has
 * to be noted, though it was read before. */
bool posts_is_watched(const struct tables *tables,
                      const struct service *service, const struct post *post);

/* The place that a post in a thread is in; NULL: none.  At a start, before the
 * service was asked where the places are, it is that of the tables which were
 * opened there. */
struct hosted_place *posts_place(struct tables *tables,
                                 const struct service *service,
                                 const char *thread);

/* The table that a post is for, as far as can be told without reading it; NULL:
 * none. */
struct hosted_table *posts_hosted(struct tables *tables,
                                  const struct service *service,
                                  const struct post *post);

/* ---- pending.c ----------------------------------------------------------- */

/* A post that others don't see yet counts for nothing.  If its author is waited
 * for, it is noted, and the moderators are told of it, once. */
void pending_take(struct tables *tables, struct service *service,
                  const struct post *post, int64_t now);

/* Was a post approved after its question was over?  Its author is told, and it
 * counts for nothing. */
bool pending_approved(struct tables *tables, struct service *service,
                      const struct post *post, int64_t now);

/* ---- presence.c ---------------------------------------------------------- */

/* A person is there, as a post, a press, a command or a private answer shows
 * that is read for the first time, or POST_CAME.  They get what could not be
 * delivered; who has left their DM, and writes or presses in public, is invited
 * again.  Or (POST_LEFT) they have left their DM, or declined the invitation:
 * their tables are told.  `now` by the service's clock.  Within a
 * transaction. */
void presence_note(struct tables *tables, struct service *service,
                   const struct post *post, int64_t now);

/* ---- attempts.c ---------------------------------------------------------- */

/* Posts and deadlines on which the process may die (an assertion).
 *
 * Once a host has died, the next one notes each page, deferred post and
 * deadline before it tries it, and forgets it once that is on disk.  If it dies
 * of one, that is tried again, three times with a note; a page is tried post by
 * post the third time.  At the next start that post or deadline is skipped, its
 * game is held, and its thread is told; all other games go on.  A held game
 * can't move, and its thread is free for another. */

/* How often a page is noted and tried as a whole, then each of its posts alone;
 * and what comes alone. */
enum {
    PAGE_TRIES = 2,
    PAGE_POST_TRIES = 1,
    ALONE_TRIES = PAGE_TRIES + PAGE_POST_TRIES,
};

/* Note that `what` is tried, and begin a transaction; returns how often it was
 * noted at `at` since it was last completed, this time included. */
int64_t attempt_begin(struct tables *tables, const char *what, const char *at);

/* It was completed.  If the store has failed the process ends as well, but has
 * not died. */
void attempt_end(struct tables *tables, const char *what);

/* Take a post in a transaction of its own, or judge it if it was deferred under
 * that number (0: it was not).  At the try after `most` it is skipped, and
 * the game that would have got it is held. */
void attempt_post(struct tables *tables, struct service *service,
                  const struct post *post, int64_t deferred, int64_t most,
                  int64_t now);

/* Take a table out for good, and tell its thread; the others go on. */
void attempt_hold(struct tables *tables, struct hosted_table *hosted,
                  int64_t now);

/* Say a line in a table's thread; `once`: never again.  `now` by its service's
 * clock. */
void attempt_tell(struct tables *tables, struct table *table, const char *key,
                  bool once, int64_t now);

/* ---- repeats.c ----------------------------------------------------------- */

/* Posts that come again as they were.  A feed is read from a while before what
 * was read last (adapters/adapter.h, `margin`), so while people talk each page
 * brings most of the last one again. */

/* The posts of a page that its feed's last page did not have just so, in
 * `fresh`: its list is the caller's to free, the posts' texts are the page's.
 * From now on this page is the last one. */
void repeats_leave_out(struct tables *tables, struct feed *feed,
                       const struct page *page, struct page *fresh);

#endif
