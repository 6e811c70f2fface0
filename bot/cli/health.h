/*
 * How a host is, as its store tells it: for commands that run beside it.
 */
#ifndef BOT_CLI_HEALTH_H
#define BOT_CLI_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/cli/archive.h"

/* A host notes every minute when it last polled each place; with very many,
 * each is polled every five minutes or so. */
#define HEALTH_READ_WITHIN  (15 * MINUTE_MS)
#define HEALTH_SENT_WITHIN  (10 * MINUTE_MS)
#define HEALTH_CLOCK_WITHIN MINUTE_MS
#define HEALTH_SOON         HOUR_MS
#define HEALTH_BACKUP_EVERY (7 * DAY_MS)
#define HEALTH_FREE_LEAST   INT64_C(100000000) /* bytes */

struct health_place {
    const char *name, *service; /* of the configuration */
    int64_t polled;    /* when it was last asked what is new there, and its
                          service answered; 0: never */
    int64_t behind_by; /* of the service's clock, against ours, when a feed of
                          it was last read; ms */
};

struct health {
    struct archive *archive; /* open */
    int64_t now;
    bool running;
    long process;                /* 0: unknown */
    struct health_place *places; /* as in the configuration */
    unsigned place_count;
    struct buf refused;        /* why services refuse the accounts, and what to
                                  do; empty: none does */
    unsigned tables, held;     /* on; of them, held */
    unsigned undelivered;      /* messages */
    int64_t undelivered_since; /* the oldest; 0: none */
    int64_t free_bytes;        /* of the store's disk; -1: unknown */
    int64_t backup;            /* when the newest was made; 0: none known */
    struct buf backup_file;
    bool damaged; /* a check has found the store damaged */
};

/* Look at the host of the configuration in `file` (NULL: the one found). False:
 * that failed, and standard error says why. */
bool health_look(const char *file, int64_t now, struct health *health);
void health_release(struct health *health);

/* Was a place polled long ago, or never? */
bool health_is_unread(const struct health *health,
                      const struct health_place *place);
/* Append when it was: "never read", "last read 3 minutes ago". */
void health_add_poll(const struct health *health,
                     const struct health_place *place, struct buf *out);

/* Append a duration in words: "3 minutes". */
void health_add_time(int64_t time, struct buf *out);

#endif
