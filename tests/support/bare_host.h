/*
 * A parlour: a host without a disk, a network or a service, for thousands of
 * games.  Posts are handed to the office and the referee, timers fire when
 * their time has come, and the journal is kept in memory.
 *
 * It plays for the desk (bot/tables/tables.h) what a desk does with one table
 * whose feed brings everything in order; what a docket has brought is left to
 * be looked at.  Tables are those of the cast of tests/support/trial.h by the
 * fair deal.
 */
#ifndef TESTS_BARE_HOST_H
#define TESTS_BARE_HOST_H

#include "bot/host/judge/outage.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/ruling.h"

enum {
    PARLOUR_ROWS_MAX = 3000,
    PARLOUR_POSTS_MAX = 3000,
};

struct parlour_post {
    char author[24];
    bool talk;
};

struct parlour {
    struct catalogue catalogue; /* loaded once */
    struct place place;
    struct house house;
    struct dealer dealer;
    struct annals annals;
    struct zone *zone; /* NULL: UTC */
    unsigned char secret[DEAL_SECRET];

    struct table table;
    char *rows[PARLOUR_ROWS_MAX];  /* the journal: moves as they are written */
    char *lines[PARLOUR_ROWS_MAX]; /* and the record lines of each */
    struct table *tables;          /* as it was after each row */
    unsigned row_count;
    struct parlour_post posts[PARLOUR_POSTS_MAX]; /* their ids count from 1 */
    unsigned post_count;

    /* The newest docket, and the table as it was before. */
    struct docket docket;
    struct table before;
    bool has_docket;
    const char *author; /* whose post it was; NULL: the clock's */
};

/* Load the words; once for any number of games. */
void parlour_init(struct parlour *parlour);
void parlour_release(struct parlour *parlour);

/* Begin anew: no table, a secret of one's own; place.settings hold. */
void parlour_clear(struct parlour *parlour, uint64_t seed, int64_t now);

/* Somebody posts, at the time `stamp`; the host reads it at house.now. */
void parlour_post(struct parlour *parlour, const char *who, bool talk,
                  const char *text, int64_t stamp);

/* The next timer fires: it MUST be due. */
void parlour_fire(struct parlour *parlour, int64_t through);

/* The deal's transcript is posted, and so the cards are dealt. */
void parlour_deal(struct parlour *parlour);

/* Nothing could be read; no private message reaches somebody. */
void parlour_gap(struct parlour *parlour, const struct gap *gap);
void parlour_missed(struct parlour *parlour, const char *user);

/* Play the journal again into a table; false: a row does not play as it did. */
bool parlour_replay(const struct parlour *parlour, struct table *table);

/* Append the record so far. */
void parlour_record(const struct parlour *parlour, struct buf *out);

#endif
