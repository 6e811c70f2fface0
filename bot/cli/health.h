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

struct health_place {
    const char *name, *service; /* of the configuration */
    int64_t polled;    /* when it was last asked what is new there, and its
                          service answered; 0: never */
    int64_t behind_by; /* of the service's clock, against ours, when a feed of
                          it was last read; ms */
};

struct health_service {
    const char *name;
    bool refused;   /* it refuses the account, or what that writes */
    int64_t failed; /* operations but for sending, since the host began */
    int64_t left;   /* requests of its rate, in a minute; -1: it has none */
};

/* How a game stands; one that can't be replayed is held. */
enum health_state {
    HEALTH_SIGNUP,
    HEALTH_RUNNING,
    HEALTH_HELD,
    HEALTH_OVER,
    HEALTH_STATES
};
extern const char *const health_states[HEALTH_STATES]; /* their names */

struct health {
    struct archive *archive; /* open */
    int64_t now;
    bool running;
    long process;                /* 0: unknown */
    struct health_place *places; /* as in the configuration */
    unsigned place_count;
    struct health_service *services; /* those of the places */
    unsigned service_count;
    struct buf refused; /* why services refuse the accounts, and what to do;
                           empty: none does */
    unsigned games[HEALTH_STATES];
    unsigned undelivered;      /* messages */
    int64_t undelivered_since; /* the oldest; 0: none */
    int64_t store_bytes;
    int64_t free_bytes; /* of the store's disk; -1: unknown */
    int64_t backup;     /* when the newest was made; 0: none known */
    struct buf backup_file;
    bool damaged; /* a check has found the store damaged */
};

/* Look at the host of the configuration in `file` (NULL: the one found).
 * EXIT_DONE; or else standard error says why, and `health` needs no release:
 * EXIT_USAGE if the configuration is wrong, EXIT_UNKNOWN if another program
 * keeps the store to itself, or this user may not read it. */
int health_look(const char *file, int64_t now, struct health *health);
void health_release(struct health *health);

/* Print an error on standard error and return the exit code for it, as
 * health_look does. */
int health_fail(enum err err, const struct buf *why);

/* Append what was found as members of a JSON object, and as metrics of
 * Prometheus (bot/cli/metrics.c). */
void health_add_json(const struct health *health, struct buf *out);
void health_add_metrics(const struct health *health, struct buf *out);

/* A game as all may know it: not who is awaited, no role, no vote. */
struct health_game {
    const struct store_game *row; /* borrowed */
    enum health_state state;
    unsigned round;   /* 0: none yet */
    int ending;       /* an enum ending, of a game that is over */
    int64_t deadline; /* as its thread is told it; 0: none */
    struct buf line;  /* what `say` says of one that is on */
};

/* Read one, with the text of `say` (NULL: none); release `line`.  ERR_DENIED:
 * its secrets can't be opened. */
enum err health_game(struct archive *archive, const struct store_game *row,
                     archive_sayer *say, struct health_game *game,
                     struct buf *why) MUST_USE;

/* Append it as an item of a list of JSON. */
void health_add_game(const struct health_game *game, struct buf *out);

/* Was a place polled long ago, or never? */
bool health_is_unread(const struct health *health,
                      const struct health_place *place);
/* Append when it was: "never read", "last read 3 minutes ago". */
void health_add_poll(const struct health *health,
                     const struct health_place *place, struct buf *out);

/* Append a duration in words: "3 minutes". */
void health_add_time(int64_t time, struct buf *out);

#endif
