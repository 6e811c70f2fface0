/*
 * A bare host: one without a disk, a network or a service, for thousands of
 * games.  Posts go to the chat commands and the referee, timers fire when they
 * are due, and the journal is kept in memory.
 *
 * It stands in for bot/tables/tables.h with one table whose feed brings
 * everything in order; rulings are left to be looked at.  The table has the
 * cast of tests/support/engine_game.h and the fair deal.
 */
#ifndef TESTS_BARE_HOST_H
#define TESTS_BARE_HOST_H

#include "bot/host/judge/outage.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/ruling.h"

enum {
    BARE_HOST_ROWS_MAX = 3000,
    BARE_HOST_POSTS_MAX = 3000,
};

struct bare_host_post {
    char author[24];
    bool dm;
};

struct bare_host {
    struct catalogue catalogue; /* loaded once */
    struct place place;
    struct host_env env;
    struct dealer dealer;
    struct history history;
    struct zone *zone; /* NULL: UTC */
    unsigned char secret[DEAL_SECRET];

    struct table table;
    char *rows[BARE_HOST_ROWS_MAX]; /* the journal: moves as they are written */
    char *lines[BARE_HOST_ROWS_MAX]; /* and the record lines of each */
    struct table *tables;            /* as it was after each row */
    unsigned row_count;
    struct bare_host_post
        posts[BARE_HOST_POSTS_MAX]; /* their ids count from 1 */
    unsigned post_count;

    /* The newest ruling, and the table as it was before. */
    struct ruling ruling;
    struct table before;
    bool has_ruling;
    const char *author; /* whose post it was; NULL: the clock's */
};

/* Load the words; once for any number of games. */
void bare_host_init(struct bare_host *bare_host);
void bare_host_release(struct bare_host *bare_host);

/* Start over: no table, a secret of its own; place.settings hold. */
void bare_host_clear(struct bare_host *bare_host, uint64_t seed, int64_t now);

/* Somebody posts, at the time `stamp`; the host reads it at house.now. */
void bare_host_post(struct bare_host *bare_host, const char *who, bool dm,
                    const char *text, int64_t stamp);

/* The next timer fires: it MUST be due. */
void bare_host_fire(struct bare_host *bare_host, int64_t through);

/* The deal's transcript is posted, and so the cards are dealt. */
void bare_host_deal(struct bare_host *bare_host);

/* The open question was not asked before now, as bot/tables/delivery/calls.c
 * does it. */
void bare_host_called(struct bare_host *bare_host);

/* Nothing could be read; no DM reaches somebody. */
void bare_host_gap(struct bare_host *bare_host, const struct outage *gap);
void bare_host_missed(struct bare_host *bare_host, const char *user);

/* Play the journal again into a table; false: a row does not play as it did. */
bool bare_host_replay(const struct bare_host *bare_host, struct table *table);

/* Append the record so far. */
void bare_host_record(const struct bare_host *bare_host, struct buf *out);

#endif
