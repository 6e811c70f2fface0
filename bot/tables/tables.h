/*
 * The tables of a process, and what each page of posts and each deadline does
 * to them.
 *
 * A page is taken in within one transaction: posts seen, moves, messages, the
 * cursor and adapter states are saved together or not at all.  A failed commit
 * ends the process: nothing was sent, and the next start goes on from what is
 * on disk.
 *
 * A page or a deadline on which the process dies (an assertion) is skipped in
 * the end, and only its game is held (bot/tables/turns/attempts.c).
 *
 * No function here reads a clock.
 */
#ifndef BOT_TABLES_TABLES_H
#define BOT_TABLES_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/heap.h"
#include "bot/base/index.h"
#include "bot/base/job.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/outbox.h"
#include "bot/host/table/ruling.h"
#include "bot/store/store.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/flood.h"
#include "bot/tables/places/members.h"
#include "bot/tables/places/places.h"
#include "bot/tables/places/services.h"
#include "bot/tables/replies.h"
#include "config/config.h"

/* Under which a table is listed: its id, its feed, two threads, players, and as
 * many moderators as its place and it have. */
struct hosted_keys {
    uint64_t list[SETTING_LIST_MAX + TABLE_MODERATORS_MAX + PLAYERS_MAX + 4];
    unsigned count;
};

/* A table, and what the loop looks it up by (bot/tables/hosted.h). */
struct hosted_table {
    struct table table;
    struct service *service;
    struct hosted_place *place;
    struct hosted_keys keys;
    char *feed;   /* that brings its thread.  Owned */
    bool astray;  /* its thread is neither its place's nor its own */
    bool private; /* its open question is answered in private */
    struct timer timer;
    struct heap_item due;
};

/* Those that are not over.  Written by bot/tables/hosted.c alone. */
struct hosted_tables {
    struct hosted_table **list; /* owned, oldest first */
    size_t count;
    uint64_t added;          /* since the start */
    struct index known;      /* by their ids, threads, feeds, and by who sits
                                there, or moderates */
    struct heap *timers;     /* owned; those whose timer runs, by service */
    size_t *asked_privately; /* owned; how many have a question that is answered
                                in private, by service */
    int64_t *last_opened;    /* owned; by service: no table's question was put
                                later by its clock, since that was forgotten */
    bool ended; /* a table's game is over: it is to be cleared away */
};

/* The posts that wait for their turns (bot/tables/turns/deferred.h). */
struct order {
    struct deferred_post **list; /* in the order of their turns */
    size_t count;
    struct index known; /* by their places, authors, feeds */
    size_t stopping; /* a table for which somebody who has no seat waited last:
                        its place in the list, or any number */
};

/* What is looked after now and then (bot/tables/turns/timers.h). */
struct upkeep {
    struct store_game *lost; /* owned; games whose key is lost, whose threads
                                are to be told */
    size_t lost_count;
    int64_t looks_asked; /* when the store was asked for the operator's looks */
    int64_t opened_at;   /* when it was first; 0: not yet */
    bool reopen;         /* somebody is to be forgotten: whoever runs the host
                            opens it anew, which does it */
};

struct tables {
    const struct conf *conf; /* borrowed; its moderators are named anew, by the
                                ids of members (bot/tables/places/members.h) */
    const struct dealer *dealer;
    struct store *store;
    struct history history;
    struct outbox outbox;
    struct steady clock; /* ours; the loop has it follow */
    struct services services;
    struct places places;
    struct members members;
    struct replies replies;
    struct flood flood;
    struct zones zones; /* of the players who have one of their own */
    struct catalogues *catalogues; /* lent, for those of the places' languages
                                      and the players' */
    struct hosted_tables hosted;
    struct order order;
    struct slash_commands *commands; /* owned; NULL: not made yet */
    struct feeds feeds;
    int64_t games; /* in the store, ended ones too */
    struct upkeep upkeep;
    bool acted; /* a page or a deadline moved something: for a caller that waits
                   until all is quiet */
};

/* What a table with these settings is hosted with at a place. */
struct host_env tables_env_for(struct tables *tables,
                               const struct hosted_place *place,
                               const struct settings *settings, int64_t now);

/* What one of the tables is hosted with; `now` by its service's clock. */
struct host_env tables_env(struct tables *tables, const struct table *table,
                           int64_t now);

/* A time by our clock, by the clock that is never set back.  All waits within
 * the process are measured by that. */
int64_t tables_steady(const struct tables *tables, int64_t now);

/* What time it is at a service, by whose clock deadlines fire. */
int64_t tables_service_now(const struct tables *tables,
                           const struct service *service, int64_t now);

/* The time there from which a question runs that is put now: of two clocks that
 * do not agree, by the one that is ahead (service_clock_latest). */
int64_t tables_asking_time(const struct tables *tables,
                           const struct service *service, int64_t now);

/* All slash commands that the host offers; borrowed until the tables are
 * closed. NULL: a language's file is wrong, which was logged. */
const struct slash_commands *tables_commands(struct tables *tables);

/* Add what can be chosen for the command that somebody types (POST_TYPED). */
void tables_suggest(struct tables *tables, const struct service *service,
                    const struct post *post, struct buttons *choices);

#endif
