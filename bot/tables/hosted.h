/*
 * The list of tables (struct hosted_tables): each is found by its thread, its
 * people, its feed, its timer.  Whoever changes a table MUST say so
 * (hosted_note).
 */
#ifndef BOT_TABLES_HOSTED_H
#define BOT_TABLES_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/tables/tables.h"

/* So many ms after the first vote that was pressed the thread is told of it. */
#define TELLING_MS INT64_C(4000)

/* Add a table, which is copied. */
void hosted_add(struct tables *tables, const struct table *table);

/* The table of that id; NULL: there is none. */
struct table *hosted_find(struct tables *tables, const char *id);

/* A table has changed: it is found by what it is now. */
void hosted_note(struct tables *tables, struct hosted_table *hosted);

/* Forget when the newest question of a service was put: what is noted from now
 * on counts. */
void hosted_forget_opened(struct tables *tables, const struct service *service);

/* Its timer may fire later, if not now: it is due again. */
void hosted_schedule(struct tables *tables, struct hosted_table *hosted);

/* The place's moderator is known by another id: so are its tables found.
 * `context`: the tables (struct members). */
void hosted_name_moderator(void *context, struct hosted_place *place,
                           unsigned which, const char *user);

/* Take out the tables whose game is over: nothing is due there. */
void hosted_clear(struct tables *tables);
void hosted_release(struct tables *tables);

/* Where a configured place is has changed: which tables are astray? */
void hosted_note_place(struct tables *tables, const struct hosted_place *place);

/* ---- finding them -------------------------------------------------------- */

struct hosted_table *hosted_named(const struct tables *tables, const char *id);

/* Does somebody sit at a table, or moderate it? */
bool hosted_knows(const struct hosted_table *hosted, const char *user);

/* Where a table was opened that has a thread of its own, and takes people or
 * offers a free seat there; "": it has no such place, or no longer. */
const char *hosted_home(const struct hosted_table *hosted);

/* Is what is posted in a thread for a table?  While a table with a thread of
 * its own takes people, so is what is posted where it was opened. */
bool hosted_is_for(const struct hosted_table *hosted, const char *thread);

/* Does a post give a command, as commands are written at a table's place? */
bool hosted_has_command(const struct hosted_table *hosted,
                        const struct rich *rich);

/* The next table of a service that a thread is for; that a feed brings the
 * thread of; at which a user sits; or which the user knows.  NULL: no more.  In
 * any order; *at is 0 for the first.  No table's people or threads may change
 * meanwhile. */
struct hosted_table *hosted_next_in_thread(const struct tables *tables,
                                           const struct service *service,
                                           const char *thread, size_t *at);
struct hosted_table *hosted_next_of_feed(const struct tables *tables,
                                         const struct feed *feed, size_t *at);
struct hosted_table *hosted_next_of_user(const struct tables *tables,
                                         const struct service *service,
                                         const char *user, size_t *at);
struct hosted_table *hosted_next_known(const struct tables *tables,
                                       const struct service *service,
                                       const char *user, size_t *at);

/* The table of a service whose timer is the next; NULL: none runs. */
const struct hosted_table *hosted_next_due(const struct tables *tables,
                                           const struct service *service);

/* The running table of a thread, or NULL. */
struct hosted_table *hosted_of_thread(const struct tables *tables,
                                      const struct service *service,
                                      const char *thread);

/* The table in whose thread a post stands; NULL: none, as for a private one. */
struct hosted_table *hosted_of_post(const struct tables *tables,
                                    const struct service *service,
                                    const struct post *post);

/* The tables that were opened in a thread, have their own, and take people
 * (`signup`), or offer a free seat of their game there; *count: how many.  One
 * of them, or NULL. */
struct hosted_table *hosted_taking(const struct tables *tables,
                                   const struct service *service,
                                   const char *thread, bool signup,
                                   unsigned *count);

#endif
