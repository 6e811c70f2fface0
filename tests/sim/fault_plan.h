/*
 * What goes wrong in a simulated game, and which game it is.
 */
#ifndef TESTS_FAULT_PLAN_H
#define TESTS_FAULT_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of faults: each kind's name, and how often it strikes where it does at
 * all: one in so many requests, writes or syncs, hours … */
#define FAULT_LIST(FAULT)                                                      \
    FAULT(KILL_WRITE, "kill-write", 3000)   /* killed before a write */        \
    FAULT(POWER, "power", 4000)             /* the power is cut there */       \
    FAULT(DISK_FULL, "full", 8000)          /* the disk is full for a while */ \
    FAULT(DISK_ERROR, "disk-error", 12000)  /* a write or a sync fails */      \
    FAULT(KILL_BEFORE, "kill-before", 300)  /* killed, a request not sent */   \
    FAULT(KILL_BEHIND, "kill-behind", 300)  /* … or carried out */           \
    FAULT(LOST_REQUEST, "lost-request", 40) /* the connection breaks */        \
    FAULT(LOST_REPLY, "lost-reply", 40)     /* … once it was carried out */  \
    FAULT(LATE_REPLY, "late-reply", 60)     /* by up to a minute */            \
    FAULT(CUT_REPLY, "cut-reply", 80)       /* in the middle of its body */    \
    FAULT(STALE_REPLY, "stale", 60)         /* the one before, of that URL */  \
    FAULT(STRANGE_REPLY, "strange", 200)    /* a page instead of an answer */  \
    FAULT(DOWN, "down", 600)                /* no connection for a while */    \
    FAULT(BROKEN, "broken", 600)            /* 5xx for a while */              \
    FAULT(DENIED, "denied", 1200)           /* 401, 403 for a while */         \
    FAULT(MISSING, "missing", 1200)         /* 404 for a while */              \
    FAULT(LIMITED, "limited", 600)          /* 429, absurd Retry-After */      \
    FAULT(STORM, "storm", 600)              /* the service's own refusals */   \
    FAULT(BELL, "bell", 60)                 /* Discord's gateway is lost */    \
    FAULT(CLOCK, "clock", 60)               /* the host's clock jumps */       \
    FAULT(REGRETS, "regrets", 6)            /* people edit, or delete */       \
    FAULT(REPEATS, "repeats", 12)           /* people write twice */           \
    FAULT(CLOSED, "closed", 1500)           /* DMs: people leave or block */   \
    FAULT(MODERATION, "moderation", 40)     /* Mo pauses, extends, asks */     \
    FAULT(RESTART, "restart", 120)          /* ended, and started again */     \
    FAULT(RESTORE, "restore", 400)          /* a backup is made, put back */   \
    FAULT(TOKEN, "token", 1500)     /* a new one; the host hears late */       \
    FAULT(SHUT, "shut", 600)        /* the topic is closed for a while */      \
    FAULT(COMMANDS, "commands", 60) /* players ask this and that */            \
    FAULT(DATE, "date", 200)        /* an absurd Date header */                \
    FAULT(SERVICE_CLOCK, "service-clock", 120) /* the service's jumps */       \
    FAULT(UPGRADE, "upgrade", 240) /* the store is of an earlier format */     \
    FAULT(SECOND, "second", 240)   /* another host is started beside it */     \
    FAULT(TWIN, "twin", 3000) /* … elsewhere, with a copy of the store */    \
    FAULT(UNDO, "undo", 120)  /* Mo takes moves back */                        \
    FAULT(VOID, "void", 60)   /* … a vote, and counts it */                  \
    FAULT(REPLACE, "replace", 120) /* … gives a seat away */                 \
    FAULT(VACATE, "vacate", 150)   /* … empties a seat */                    \
    FAULT(CHOOSE, "choose", 60)    /* … chooses for somebody */              \
    FAULT(ORDER, "order", 60)      /* … warns, blocks, sets, answers */      \
    FAULT(END, "end", 3000)        /* … ends the game */                     \
    FAULT(BARRED, "barred", 400)   /* a right is missing in one place alone */ \
    FAULT(DELETED, "deleted", 600) /* a topic is deleted, and recovered */     \
    FAULT(UPGRADED, "upgraded", 600)    /* a room is replaced by another */    \
    FAULT(ENCRYPTED, "encrypted", 2000) /* … or encrypted, so Mo ends it */  \
    FAULT(TWICE, "twice", 60)           /* a post comes twice on a page */     \
    FAULT(DISORDER, "disorder", 60)     /* … in its neighbour's place */     \
    FAULT(PUT_OUT, "put-out", 600)      /* the host is put out of a room */    \
    FAULT(RENAMED, "renamed", 200)      /* people are called otherwise */      \
    FAULT(GONE, "gone", 3000)           /* a topic is deleted for good */      \
    FAULT(HIDDEN, "hidden", 3000)       /* … or hidden from the host */      \
    FAULT(MERGED, "merged", 3000)       /* … or merged into another */       \
    FAULT(MOVED, "moved", 600)          /* … moved, or unlisted */           \
    FAULT(TOGETHER, "together", 2)      /* two moderators act at once */       \
    FAULT(LEFT, "left", 1500)    /* people leave the service for a while */    \
    FAULT(PRESSES, "presses", 2) /* people press instead of writing */         \
    FAULT(MOMENT, "moment", 10)  /* people act in the same millisecond */

#define FAULT_ENUM(kind, name, one_in) FAULT_##kind,
enum fault_kind {
    FAULT_LIST(FAULT_ENUM) FAULT_KINDS
};

extern const char *const fault_names[FAULT_KINDS + 1];
extern const unsigned fault_usual[FAULT_KINDS]; /* how often */

/* May it change what comes of a game in which all act in time? */
bool fault_changes_the_game(enum fault_kind kind);

/* How soon people act. */
enum fault_pace {
    PACE_QUICK,  /* within minutes, one after the other */
    PACE_BURSTS, /* … several at once, each minute */
    PACE_SLOW,   /* … within hours: a game takes weeks */
    PACE_KINDS
};

struct fault_plan {
    uint64_t seed;
    const char *service;          /* an adapter's name */
    unsigned one_in[FAULT_KINDS]; /* 0: never */
    bool bell;                    /* Discord rings, by its gateway */
    bool lazy;                    /* some people stay away */
    bool two_moderators;          /* Mo and Zoe; else Mo alone */
    bool buttons;                 /* there are some, at Discord */
    bool commands;                /* … and slash commands */
    bool compared;    /* it must come out as without any faults: they begin only
                         once cards are dealt, for the deal depends on posts */
    unsigned twin;    /* 0: it is none; else the first or the second of two that
                         differ in what is secret (fault_twins.h) */
    const char *seen; /* of a twin: the file for what the public sees */
    bool held; /* the service's replies are held against what was recorded */
    enum fault_pace pace;
    int64_t nap;   /* ms without a turn of the host where nothing happens */
    int64_t awake; /* ms since the start, in which it takes no nap */
    bool pictures; /* boards are drawn, where they can be uploaded */
    unsigned tables, players;
    int64_t from, until;    /* ms since the start, in which faults strike */
    const char *folder;     /* an empty one, for the host's files */
    const char *log;        /* the file that standard error leads to */
    const char *recordings; /* the folder for what came of it, or NULL */
    bool told;              /* the story is told, on standard error */
    bool verbose;           /* the host logs all it can */
};

/* The plan of a seed. */
void fault_plan_make(uint64_t seed, struct fault_plan *plan);

/* Let it be played by twins. */
void fault_plan_twins(struct fault_plan *plan);

/* Set what follows from the faults that strike: once they were changed. */
void fault_plan_settle(struct fault_plan *plan);

enum {
    FAULT_RESULT_MAX = 32768
};

/* Is nobody told a wrong time?  A reply that is stale has an old one. */
bool fault_plan_clocks_are_right(const struct fault_plan *plan);

/* What has happened in a game. */
struct fault_tally {
    unsigned count[FAULT_KINDS]; /* what has struck, by kind */
    uint64_t turns, requests;    /* of the host, to the service */
    unsigned starts;             /* of the host */
    int64_t lasted;              /* ms of the service's time */
    /* What the records say of names, votes, cards and powers, a line each.  In
     * votes a point stands for one that is missing: whoever comes last may find
     * the vote decided. */
    char result[FAULT_RESULT_MAX];
    size_t logged; /* of twins: bytes, while they were to be compared */
};

/* Read what all games need, once for all that are played in children of this
 * process. */
void fault_games_prepare(void);

/* Play it.  Ends the process with a sentence on standard error if something is
 * not as it has to be. */
void fault_game_play(const struct fault_plan *plan, struct fault_tally *tally);

#endif
