/*
 * What desk.c (who sits where), desk_reach.c (who can be reached), kept.c
 * (whose turn it is) and fold.c (what posts and time do) share; nobody else
 * includes it.
 */
#ifndef BOT_DESK_INNER_H
#define BOT_DESK_INNER_H

#include "bot/desk.h"

/* What a table with these settings is hosted with at a place. */
struct house desk_house_for(const struct desk *desk, struct service *service,
                            const struct place *place,
                            const struct settings *settings, int64_t now);

/* What a table of the desk is hosted with. */
struct house desk_house(struct desk *desk, const struct table *table,
                        int64_t now);

/* Copy a table onto the desk. */
void desk_add_table(struct desk *desk, const struct table *table);

/* Take out the tables whose game is over: nothing is awaited of them. */
void desk_clear_tables(struct desk *desk);

/* The table that is on in a thread, or NULL. */
struct table *desk_table_of_thread(struct desk *desk,
                                   const struct service *service,
                                   const char *thread);

/* The table that a private message is about: one that awaits an answer of this
 * person in secret, else any they sit at; or NULL. */
struct table *desk_table_of_talk(struct desk *desk,
                                 const struct service *service,
                                 const char *user);

/* The place whose thread this is, or NULL. */
const struct place *desk_place_of_thread(const struct desk *desk,
                                         const struct service *service,
                                         const char *thread);

/* Look a page over before it is folded: mark what was written in talks that the
 * bot has opened, take up letters to who is there again, and give up places in
 * which the bot is no more. */
enum err desk_look_over(struct desk *desk, const struct service *service,
                        struct page *page, struct buf *why) MUST_USE;

struct feed *desk_find_feed(struct desk *desk, const struct service *service,
                            const char *name);

struct service *desk_service_named(struct desk *desk, const char *name);

/* ---- kept.c: whose turn it is ---------------------------------------------
 *
 * `waiting` has for each table of the desk the time of its first post that
 * waits, 0: none does.
 */

/* At what time a post stands. */
int64_t kept_time(const struct kept_post *post);

/* Has the turn of a post come? */
bool kept_is_due(struct desk *desk, const struct kept_post *post,
                 const int64_t *waiting);

/* As much for one that has just come, and is not among those kept. */
bool kept_is_next(struct desk *desk, const struct kept_post *post);

/* A post goes on waiting, and so does whatever is behind it at its tables,
 * unless it is written in private where nothing is asked. */
void kept_wait(struct desk *desk, const struct kept_post *post,
               int64_t *waiting);

/* Has the turn of a table's next timer come?  0: no; else the service's time up
 * to which everything is known that may matter, other timers apart. */
int64_t kept_timer_due(struct desk *desk, const struct table *table,
                       int64_t waiting);

/* Write down what has to be known of a post while it waits. */
void kept_describe(const struct service *service, const struct post *post,
                   struct kept_post *kept);

/* Keep a post that was described, in the store too; take the one at `at` from
 * the list alone; load those in the store. */
enum err kept_add(struct desk *desk, struct kept_post *kept,
                  const struct post *post, struct buf *why) MUST_USE;
void kept_remove(struct desk *desk, size_t at);
enum err kept_load(struct desk *desk, struct buf *why) MUST_USE;

#endif
