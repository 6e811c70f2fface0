/*
 * What the files of this folder share: tables.c (who sits where), unreachable.c
 * (who can be reached), outages.c (what could not be read), deferred.c (whose
 * turn it is), intake.c (what posts and time do), and the others.  Nobody else
 * includes it but bot/loop/reader.c and the bench.
 */
#ifndef BOT_TABLES_TABLES_INNER_H
#define BOT_TABLES_TABLES_INNER_H

#include "bot/tables/tables.h"

/* What a table with these settings is hosted with at a place. */
struct host_env tables_env_for(struct tables *tables, struct service *service,
                               const struct place *place,
                               const struct settings *settings, int64_t now);

/* The bot was put out of a configured place, or of where its moderators talk,
 * or that was closed, as a post says: it is looked for again. */
void tables_leave_place(struct tables *tables, const struct service *service,
                        const struct post *post);

/* What was posted in a room that a game has left for another counts as posted
 * in its thread: its status post stands there, too. */
enum err tables_follow_post(struct tables *tables, const struct table *table,
                            struct read_post *post, struct buf *why) MUST_USE;

/* A place was encrypted, as a post says: its game is paused, and everybody
 * concerned is told.  Within the transaction of its page. */
enum err tables_encrypted(struct tables *tables, struct service *service,
                          const struct post *post, int64_t now,
                          struct buf *why) MUST_USE;

/* ---- left.c: who has left a DM ------------------------------------------- */

/* Somebody has declined the invitation to their DM, or has left it, as a post
 * says: tell their tables. */
enum err tables_left_dm(struct tables *tables, struct service *service,
                        const struct post *post, int64_t now,
                        struct buf *why) MUST_USE;

/* Somebody has come into a DM, as a post says. */
enum err tables_came_back(struct tables *tables, const struct service *service,
                          const struct post *post, struct buf *why) MUST_USE;

/* Somebody who has left posts in public: invite them again. */
enum err tables_ask_back(struct tables *tables, struct service *service,
                         const struct post *post, int64_t now,
                         struct buf *why) MUST_USE;

/* If something were said about messages to this person, would it tell that the
 * president has chosen? */
bool tables_is_hidden(const struct table *table, const char *user);

/* What one of the tables is hosted with. */
struct host_env tables_env(struct tables *tables, const struct table *table,
                           int64_t now);

/* Remember which game of its place had its own thread last. */
void tables_note_thread(struct tables *tables, const char *place,
                        const char *thread);

/* From now on read the feed that brings the posts of a place: a thread, or the
 * DM of `user` ("": a thread). */
enum err tables_add_feed(struct tables *tables, struct service *service,
                         const char *place, const char *user,
                         struct buf *why) MUST_USE;

/* From now on read a thread that is no configured place; a feed that was never
 * read begins at the cursor. */
enum err tables_read_thread(struct tables *tables, struct service *service,
                            const char *thread, const char *cursor,
                            struct buf *why) MUST_USE;

/* From now on read the feed of a game's own thread. */
enum err tables_add_thread(struct tables *tables, const struct entry *entry,
                           const char *cursor, struct buf *why) MUST_USE;

/* The table that a private message is about: one where an answer of this person
 * is due in secret, else any at which they sit; or NULL. */
struct entry *tables_of_dm(const struct tables *tables,
                           const struct service *service, const char *user);

/* The same for a message that was written.  Its beginning may name the table
 * ("#14") and is then taken off; *unclear: it may be about several, and its
 * author must be asked which. */
enum err tables_note_dm_post(struct tables *tables,
                             const struct service *service,
                             const struct post *post, struct rich *rich,
                             struct entry **entry, bool *unclear,
                             struct buf *why) MUST_USE;

/* The place whose moderators talk there, or NULL. */
const struct place *tables_place_of_moderators(const struct tables *tables,
                                               const struct service *service,
                                               const char *dm);

/* The table, and the asker (ADAPTER_ID_MAX bytes at most), of the question that
 * a moderator has answered; NULL: it is no such answer. */
enum err tables_hear_answer(struct tables *tables,
                            const struct service *service,
                            const struct post *post, const struct rich *rich,
                            struct entry **entry, struct buf *asker,
                            struct buf *why) MUST_USE;

/* Ask somebody which of their tables they mean. */
void tables_ask_which(struct tables *tables, const struct service *service,
                      struct ruling *ruling, const char *user);

/* The place that has this thread, or NULL. */
const struct place *tables_place_of_thread(const struct tables *tables,
                                           const struct service *service,
                                           const char *thread);

/* Look a page over before it is taken in: mark what was written in DMs that the
 * bot has opened, send again to people who are there again, and give up places
 * where the bot no longer is. */
enum err tables_look_over(struct tables *tables, const struct service *service,
                          struct page *page, struct buf *why) MUST_USE;

struct service *tables_service_named(struct tables *tables, const char *name);

/* The clock of a service. */
struct service_clock *tables_clock(struct tables *tables,
                                   const struct service *service);

/* What time it is at a service, by whose clock deadlines fire. */
int64_t tables_service_now(const struct tables *tables,
                           const struct service *service, int64_t now);

/* ---- calls.c: when a question is asked ----------------------------------- */

/* Save a ruling; if it has moved the deadline of the open question, what was
 * posted about that is edited. */
enum err tables_save(struct tables *tables, const struct ruling *ruling,
                     struct buf *why) MUST_USE;

/* Was the open question asked, as far as it can be?  Until then no time runs
 * out for it.  `through`: what time it is at the service. */
bool tables_is_asked(struct tables *tables, struct entry *entry,
                     int64_t through);

/* Note which seats the private question has not reached, and which of them do
 * not let the host write to them. */
void tables_note_unasked(const struct tables *tables, struct ruling *ruling);

/* ---- deferred.c: whose turn it is ---------------------------------------- */

/* The time by which a post takes its turn. */
int64_t deferred_time(const struct deferred_post *post);

/* Has the turn of a deferred post come that stands behind the first `before` of
 * them? */
bool deferred_is_due(struct tables *tables, const struct deferred_post *post,
                     size_t before);

/* The same for a post that has just come and is not among the deferred ones. */
bool deferred_is_next(struct tables *tables, const struct deferred_post *post);

/* Has the turn of a table's next timer come?  0: no; else the service's time up
 * to which everything is known that may matter, other timers apart. */
int64_t deferred_timer_due(struct tables *tables, struct entry *entry);

/* Write down what must be known of a post while it waits. */
void deferred_describe(const struct service *service, const struct post *post,
                       struct deferred_post *deferred);

/* Defer a post that was described, in the store too; take the one at `at` off
 * the list (not out of the store); load those in the store. */
enum err deferred_add(struct tables *tables, struct deferred_post *deferred,
                      const struct post *post, struct buf *why) MUST_USE;
void deferred_remove(struct tables *tables, size_t at);
enum err deferred_load(struct tables *tables, struct buf *why) MUST_USE;

/* ---- pending.c: posts that wait for approval ----------------------------- */

/* A post that others don't see yet counts for nothing.  If its author is waited
 * for, it is noted, and the moderators are told of it, once. */
enum err pending_take(struct tables *tables, struct service *service,
                      const struct post *post, int64_t now,
                      struct buf *why) MUST_USE;

/* *late: a post was approved after its question was over.  Its author is told,
 * and it counts for nothing. */
enum err pending_approved(struct tables *tables, struct service *service,
                          const struct post *post, bool *late, int64_t now,
                          struct buf *why) MUST_USE;

#endif
