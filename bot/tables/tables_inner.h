/*
 * What desk.c (who sits where), desk_reach.c (who can be reached), desk_gap.c
 * (what could not be read), kept.c
 * (whose turn it is) and fold.c (what posts and time do) share; nobody else
 * includes it but the bench.
 */
#ifndef BOT_TABLES_TABLES_INNER_H
#define BOT_TABLES_TABLES_INNER_H

#include "bot/tables/tables.h"

/* What a table with these settings is hosted with at a place. */
struct host_env tables_env_for(struct tables *tables, struct service *service,
                               const struct place *place,
                               const struct settings *settings, int64_t now);

/* A configured place, or the moderators' talk, that the bot was put out of, or
 * that was closed, is looked for again: by a post that says so. */
void tables_leave_place(struct tables *tables, const struct service *service,
                        const struct post *post);

/* What was posted in the room that a game has left for another counts as posted
 * in its thread: its status post stands there, too. */
enum err tables_follow_post(struct tables *tables, const struct table *table,
                            struct read_post *post, struct buf *why) MUST_USE;

/* A place was encrypted, as a post says: its game is paused, and all whom it
 * concerns are told.  Within the transaction of its page. */
enum err tables_encrypted(struct tables *tables, struct service *service,
                          const struct post *post, int64_t now,
                          struct buf *why) MUST_USE;

/* ---- desk_left.c: who has left a DM ---------------------------- */

/* Somebody has declined the invitation to their DM, or has left it,
 * as a post says: their tables are told. */
enum err tables_left_dm(struct tables *tables, struct service *service,
                        const struct post *post, int64_t now,
                        struct buf *why) MUST_USE;

/* Somebody has come into a talk, as a post says. */
enum err tables_came_back(struct tables *tables, const struct service *service,
                          const struct post *post, struct buf *why) MUST_USE;

/* Whoever has left and posts in public is asked in again. */
enum err tables_ask_back(struct tables *tables, struct service *service,
                         const struct post *post, int64_t now,
                         struct buf *why) MUST_USE;

/* Would it tell that the president has chosen, if something were said about
 * messages to this person? */
bool tables_is_hidden(const struct table *table, const char *user);

/* What a table of the tables is hosted with. */
struct host_env tables_env(struct tables *tables, const struct table *table,
                           int64_t now);

/* Copy a table onto the tables. */
void tables_add(struct tables *tables, const struct table *table);

/* List a table under its threads, its people and moderators, and note when its
 * timer is due; take it off the lists.  Off MUST be a table of the tables while
 * anything moves it. */
void tables_list(struct tables *tables, struct table *table);
void tables_unlist(struct tables *tables, struct table *table);

/* The earlier of a table's next timer and another time. */
int64_t tables_earlier_timer(const struct table *table, int64_t time);

/* Is what is posted in a thread for a table?  Where one that has its own takes
 * people, that is where it was opened, too. */
bool tables_is_for(const struct table *table, const char *thread);

/* The next table of a service for which a thread is, or the next at which a
 * user of it sits; NULL: no more.  In any order; *at is 0 for the first. */
struct table *tables_next_in_thread(const struct tables *tables,
                                    const struct service *service,
                                    const char *thread, size_t *at);
struct table *tables_next_of_user(const struct tables *tables,
                                  const struct service *service,
                                  const char *user, size_t *at);

/* Does somebody sit at a table, or moderate it?  The next such one. */
bool tables_knows(const struct tables *tables, const struct table *table,
                  const char *user);
struct table *tables_next_known(const struct tables *tables,
                                const struct service *service, const char *user,
                                size_t *at);

/* Take out the tables whose game is over: nothing is awaited of them. */
void tables_clear(struct tables *tables);

/* The table that is on in a thread, or NULL. */
struct table *tables_of_thread(const struct tables *tables,
                               const struct service *service,
                               const char *thread);

/* The tables that were opened in a thread, have their own, and take people;
 * *count: how many.  One of them, or NULL. */
struct table *tables_signup_of(const struct tables *tables,
                               const struct service *service,
                               const char *thread, unsigned *count);

struct table *tables_named(const struct tables *tables, const char *id);

/* Free a table: it holds roles, cards and the deal's secret. */
void tables_free_table(struct table *table);

/* Note which game of its place had its own thread last. */
void tables_note_thread(struct tables *tables, const char *place,
                        const char *thread);

/* From now on the feed is read in which posts of a place come: a thread, or the
 * DM of `user` ("": a thread). */
enum err tables_add_feed(struct tables *tables, struct service *service,
                         const char *place, const char *user,
                         struct buf *why) MUST_USE;

/* From now on a thread is read that is no configured place; a feed that was
 * never read begins at the cursor. */
enum err tables_read_thread(struct tables *tables, struct service *service,
                            const char *thread, const char *cursor,
                            struct buf *why) MUST_USE;

/* From now on the feed of a game's own thread is read. */
enum err tables_add_thread(struct tables *tables, const struct table *table,
                           const char *cursor, struct buf *why) MUST_USE;

/* The table that a private message is about: one that awaits an answer of this
 * person in secret, else any they sit at; or NULL. */
struct table *tables_of_dm(const struct tables *tables,
                           const struct service *service, const char *user);

/* As that for a message that was written, whose beginning may tell it ("#14"),
 * which is then taken off; *unclear: it may be about more than one, and has to
 * be asked back. */
enum err tables_note_dm_post(struct tables *tables,
                             const struct service *service,
                             const struct post *post, struct rich *rich,
                             struct table **table, bool *unclear,
                             struct buf *why) MUST_USE;

/* The place whose moderators talk there, or NULL. */
const struct place *tables_place_of_moderators(const struct tables *tables,
                                               const struct service *service,
                                               const char *dm);

/* The table, and the asker (ADAPTER_ID_MAX bytes at most), of the question
 * that a moderator has answered; NULL: it is no such answer. */
enum err tables_hear_answer(struct tables *tables,
                            const struct service *service,
                            const struct post *post, const struct rich *rich,
                            struct table **table, struct buf *asker,
                            struct buf *why) MUST_USE;

/* Ask somebody which of their tables they mean. */
void tables_ask_which(struct tables *tables, const struct service *service,
                      struct ruling *ruling, const char *user);

/* The place whose thread this is, or NULL. */
const struct place *tables_place_of_thread(const struct tables *tables,
                                           const struct service *service,
                                           const char *thread);

/* Look a page over before it is folded: mark what was written in talks that the
 * bot has opened, take up messages to who is there again, and give up places in
 * which the bot is no more. */
enum err tables_look_over(struct tables *tables, const struct service *service,
                          struct page *page, struct buf *why) MUST_USE;

/* The feed in which a table's thread comes, or NULL. */
struct feed *tables_thread_feed(struct tables *tables,
                                const struct table *table);

struct feed *tables_find_feed(struct tables *tables,
                              const struct service *service, const char *name);

struct service *tables_service_named(struct tables *tables, const char *name);

/* The clock of a service. */
struct service_clock *tables_clock(struct tables *tables,
                                   const struct service *service);

/* What time it is at a service, by whose clock deadlines fire. */
int64_t tables_service_now(const struct tables *tables,
                           const struct service *service, int64_t now);

/* ---- desk_calls.c: when a question is asked -------------------------------
 */

/* Save a ruling; where it has moved the deadline of the open question, what was
 * posted about that is edited. */
enum err tables_save(struct tables *tables, const struct ruling *ruling,
                     struct buf *why) MUST_USE;

/* Was the open question asked, or as far as it can be?  Else no time runs out
 * for it.  `through`: what time it is at the service. */
bool tables_is_asked(const struct tables *tables, const struct table *table,
                     int64_t through);

/* Note which seats the private question has not reached, and who of them does
 * not let the host write to them. */
void tables_note_unasked(const struct tables *tables, struct ruling *ruling);

/* ---- kept.c: whose turn it is ---------------------------------------------
 */

/* At what time a post stands. */
int64_t deferred_time(const struct deferred_post *post);

/* Has the turn of a post come that stands behind the first `before` of those
 * that are kept? */
bool deferred_is_due(struct tables *tables, const struct deferred_post *post,
                     size_t before);

/* As much for one that has just come, and is not among those kept. */
bool deferred_is_next(struct tables *tables, const struct deferred_post *post);

/* Has the turn of a table's next timer come?  0: no; else the service's time up
 * to which everything is known that may matter, other timers apart. */
int64_t deferred_timer_due(struct tables *tables, const struct table *table);

/* Write down what has to be known of a post while it waits. */
void deferred_describe(const struct service *service, const struct post *post,
                       struct deferred_post *deferred);

/* Keep a post that was described, in the store too; take the one at `at` from
 * the list alone; load those in the store. */
enum err deferred_add(struct tables *tables, struct deferred_post *deferred,
                      const struct post *post, struct buf *why) MUST_USE;
void deferred_remove(struct tables *tables, size_t at);
enum err deferred_load(struct tables *tables, struct buf *why) MUST_USE;

/* ---- posts that wait for approval (desk_pending.c) ----------------------- */

/* A post that others don't see yet counts for nothing.  Where its author is
 * waited for, it is noted, and the moderators hear of it, once. */
enum err pending_fold(struct tables *tables, struct service *service,
                      const struct post *post, int64_t now,
                      struct buf *why) MUST_USE;

/* *late: a post was approved after its question was over; its author is told,
 * and it counts for nothing. */
enum err pending_approved(struct tables *tables, struct service *service,
                          const struct post *post, bool *late, int64_t now,
                          struct buf *why) MUST_USE;

#endif
