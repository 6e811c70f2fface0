/*
 * The tables of a process: each with what the loop looks it up by (whose thread
 * is it, who sits there, what is due when).  Whoever changes a table MUST say
 * so (hosted_note).
 */
#ifndef BOT_TABLES_HOSTED_H
#define BOT_TABLES_HOSTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/heap.h"
#include "bot/host/table/table.h"
#include "bot/store/store.h"
#include "bot/tables/places/places.h"
#include "config/config.h"

/* As many moderators as a place and a table have, players, threads. */
enum {
    HOSTED_KEYS_MAX = SETTING_LIST_MAX + TABLE_MODERATORS_MAX + PLAYERS_MAX + 2
};

struct hosted_table {
    struct table table;
    struct service *service;
    struct hosted_place *place;
    uint64_t *keys; /* under which it is listed.  Owned */
    unsigned key_count;
    char *feed;   /* that brings its thread.  Owned */
    bool astray;  /* its thread is neither its place's nor its own */
    bool private; /* its open question is answered in private */
    struct timer timer;
    struct heap_item due;
    struct heap_item telling; /* bot/tables/turns/timers.h */
};

/* Those that are not over.  Written by bot/tables/hosted.c alone. */
struct hosted_tables {
    struct hosted_table **list; /* owned, oldest first */
    size_t count, room;
    uint64_t added;     /* since the start */
    struct index known; /* by their threads, and by who sits there, or
                           moderates */
    struct index by_id, by_feed;
    struct heap *timers;     /* owned; those whose timer runs, by service */
    struct heap tellings;    /* those whose votes are to be told */
    size_t *asked_privately; /* owned; how many have a question that is answered
                                in private, by service */
    int64_t *last_opened;    /* owned; by service: no table's question was put
                                later by its clock, since that was forgotten */
    bool ended; /* a table's game is over: it is to be cleared away */
};

struct tables;

/* So many ms after the first vote that was pressed the thread is told of it. */
#define TELLING_MS INT64_C(4000)

/* Add a table, which is copied. */
void hosted_add(struct tables *tables, const struct table *table);

/* The table of that id; NULL: there is none. */
struct table *hosted_find(struct tables *tables, const char *id);

/* A table has changed: it is found by what it is now. */
void hosted_note(struct tables *tables, struct hosted_table *hosted);

/* No question of a service counts any more as put at a time that is yet to
 * come. */
void hosted_forget_opened(struct tables *tables, const struct service *service);

/* Its timer may fire later, if not now: it is due again. */
void hosted_schedule(struct tables *tables, struct hosted_table *hosted);

/* The place's moderator is known by another id: so are its tables found. */
void hosted_name_moderator(struct tables *tables, struct hosted_place *place,
                           unsigned which, const char *user);

/* Take out the tables whose game is over: nothing is due there. */
void hosted_clear(struct tables *tables);
void hosted_release(struct tables *tables);

/* Where a configured place is has changed: which tables are astray? */
void hosted_note_place(struct tables *tables, const struct hosted_place *place);

/* ---- finding them -------------------------------------------------------- */

struct hosted_table *hosted_named(const struct tables *tables, const char *id);

/* The seat of a user, or NO_SEAT. */
unsigned hosted_seat(const struct hosted_table *hosted, const char *user);

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
 * any order; *at is 0 for the first. */
struct hosted_table *hosted_next_in_thread(const struct tables *tables,
                                           const struct service *service,
                                           const char *thread, size_t *at);
struct hosted_table *hosted_next_of_feed(const struct tables *tables,
                                         const struct service *service,
                                         const char *feed, size_t *at);
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

/* The tables that were opened in a thread, have their own, and take people, or
 * offer a free seat of their game there; *count: how many.  One of them, or
 * NULL. */
struct hosted_table *hosted_signup_of(const struct tables *tables,
                                      const struct service *service,
                                      const char *thread, unsigned *count);
struct hosted_table *hosted_offer_of(const struct tables *tables,
                                     const struct service *service,
                                     const char *thread, unsigned *count);

#endif
