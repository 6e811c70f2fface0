/*
 * The tables of a process, at rest and loaded.
 *
 * A process may have ten thousand tables, of which few are needed at a time.
 * What the loop asks all the time (whose thread is it, who sits there, what is
 * due when) is in a small entry.  The table itself is loaded when something
 * happens to it, by replaying its journal (bot/store/recover.h); those that
 * were not needed for longest are put to rest again.
 *
 * If a table can't be loaded, the transaction that needed it fails
 * (tables_check), and the process ends: what was done is on disk.  The store
 * forgets the table's outline (tables_close), so the next start replays it,
 * sees what is wrong, and holds it.
 */
#ifndef BOT_TABLES_ENTRY_H
#define BOT_TABLES_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/heap.h"
#include "bot/host/table/outline.h"
#include "bot/places/places.h"
#include "bot/store/store.h"
#include "config/config.h"

enum {
    TABLES_LOADED_MAX = 64 /* between two posts or timers */
};

struct entry {
    char id[TABLE_ID_MAX + 1];
    struct service *service;
    struct hosted_place *place;
    struct table *table; /* NULL: at rest.  Owned */
    struct outline outline;
    bool astray; /* its thread is neither its place's nor its own */
    char *feed;  /* that brings its thread.  Owned */
    struct heap_item due;
    struct heap_item telling;    /* bot/tables/tellings.h */
    struct entry *newer, *older; /* of those that are loaded */
};

struct tables;

/* So many ms after the first vote that was pressed the thread is told of it. */
#define TELLING_MS INT64_C(4000)

/* Add a table, which is copied. */
void tables_add(struct tables *tables, const struct table *table);

/* Add one at rest, by its outline, which is taken over: zeroed. */
void tables_add_outline(struct tables *tables, const struct store_game *game,
                        struct outline *outline);

/* The table of an entry, loaded if need be; borrowed until tables_rest.  NULL:
 * it can't be loaded, and tables_check says why. */
struct table *tables_load(struct tables *tables, struct entry *entry);

/* The table with that id, loaded; NULL: there is none, or as above. */
struct table *tables_find(struct tables *tables, const char *id);

/* Something has changed a table: its entry follows. */
void tables_note(struct tables *tables, struct entry *entry);
void tables_changed(struct tables *tables, const struct table *table);

/* Its timer may fire later, if not now: it is due again. */
void tables_schedule(struct tables *tables, struct entry *entry);

/* The place's moderator is known by another id: so are its tables found. */
void tables_name_moderator(struct tables *tables, struct hosted_place *place,
                           unsigned which, const char *user);

/* Put to rest what is loaded beyond TABLES_LOADED_MAX.  Outside of a
 * transaction's work only: tables that were borrowed are gone. */
void tables_rest(struct tables *tables);

/* Could every table be loaded that was needed? */
enum err tables_check(const struct tables *tables, struct buf *why) MUST_USE;

/* Commit what was done, or give it up if it failed with `err`, or if a table
 * that was needed could not be loaded. */
enum err tables_end(struct tables *tables, enum err err,
                    struct buf *why) MUST_USE;

/* Take out the tables whose game is over: nothing is due there. */
void tables_clear(struct tables *tables);
void tables_release_entries(struct tables *tables);

/* Where a configured place is has changed: which tables are astray? */
void tables_note_place(struct tables *tables, const struct hosted_place *place);

/* ---- finding them -------------------------------------------------------- */

struct entry *tables_named(const struct tables *tables, const char *id);

/* The seat of a user, or NO_SEAT. */
unsigned entry_seat(const struct entry *entry, const char *user);

/* Does somebody sit at a table, or moderate it? */
bool entry_knows(const struct entry *entry, const char *user);

/* Where a table was opened that has a thread of its own, and takes people or
 * offers a free seat there; "": it has no such place, or no longer. */
const char *entry_home(const struct entry *entry);

/* Is what is posted in a thread for a table?  While a table with a thread of
 * its own takes people, so is what is posted where it was opened. */
bool entry_is_for(const struct entry *entry, const char *thread);

/* Does a post give a command, as commands are written at a table's place? */
bool entry_has_command(const struct entry *entry, const struct rich *rich);

/* The next table of a service that a thread is for; that a feed brings the
 * thread of; at which a user sits; or which the user knows.  NULL: no more.  In
 * any order; *at is 0 for the first. */
struct entry *tables_next_in_thread(const struct tables *tables,
                                    const struct service *service,
                                    const char *thread, size_t *at);
struct entry *tables_next_of_feed(const struct tables *tables,
                                  const struct service *service,
                                  const char *feed, size_t *at);
struct entry *tables_next_of_user(const struct tables *tables,
                                  const struct service *service,
                                  const char *user, size_t *at);
struct entry *tables_next_known(const struct tables *tables,
                                const struct service *service, const char *user,
                                size_t *at);

/* The table of a service whose timer is the next; NULL: none runs. */
const struct entry *tables_next_due(const struct tables *tables,
                                    const struct service *service);

/* The running table of a thread, or NULL. */
struct entry *tables_of_thread(const struct tables *tables,
                               const struct service *service,
                               const char *thread);

/* The tables that were opened in a thread, have their own, and take people, or
 * offer a free seat of their game there; *count: how many.  One of them, or
 * NULL. */
struct entry *tables_signup_of(const struct tables *tables,
                               const struct service *service,
                               const char *thread, unsigned *count);
struct entry *tables_offer_of(const struct tables *tables,
                              const struct service *service, const char *thread,
                              unsigned *count);

#endif
