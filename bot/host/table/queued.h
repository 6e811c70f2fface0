/*
 * A queued message: a message with its destination, and what became of it so
 * far.
 */
#ifndef BOT_HOST_TABLE_QUEUED_H
#define BOT_HOST_TABLE_QUEUED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/base/heap.h"
#include "bot/base/job.h"
#include "bot/host/table/message.h"
#include "bot/host/table/table.h"

/* The first three are as in the store. */
enum queued_state {
    QUEUED_WAITING,   /* it is to be sent */
    QUEUED_IN_FLIGHT, /* it is being sent */
    QUEUED_SENT,      /* delivered, or of no use any more: leaves the outbox */
    QUEUED_DOUBTFUL,  /* it may have been sent: it waits to be looked for */
    QUEUED_SOUGHT,    /* that is being done */
};

/* In which form a message is sent: if a service refuses its words, the next one
 * is tried. */
enum shape {
    SHAPE_WHOLE, /* as it was written */
    SHAPE_PLAIN, /* without its picture, emoji and links */
    SHAPE_SPLIT, /* plain, line by line, each a post of its own */
    SHAPE_LINE,  /* one line that says that the message, or a line of it behind
                    others, was refused */
};

enum {
    KEY_MAX = 25,       /* bytes (adapters/adapter.h) */
    QUEUED_ANEW = 1000, /* more lines than a message has */
    TROUBLE_MAX = 255   /* bytes of a sentence */
};

/* A message with its destination.  Strings of the message are owned. */
struct queued_message {
    int64_t id;    /* of the store; never used again */
    int64_t batch; /* same for the messages of one ruling, whose ids follow one
                      another */
    char game[TABLE_ID_MAX + 1];
    char place[64]; /* the place's name in the configuration */
    char thread[ADAPTER_ID_MAX + 1];
    struct message message;
    enum queued_state state;
    char sent[ADAPTER_ID_MAX + 1]; /* the post's id; of a status post: "" until
                                      it was first sent */
    bool changed; /* its text is newer than what is in flight */
    bool opened;  /* its DM was opened for it: nobody can have come in yet */
    char key[KEY_MAX + 1];
    int64_t named; /* the deadline that its slots were last filled with; 0: they
                      were not */
    int64_t in_flight;  /* since when it may have been sent; 0: never */
    int64_t lost_at;    /* when the last reply to it was missed: by then it was
                           there, if it is; 0: not known */
    int64_t delivered;  /* when it was delivered; 0: not yet.  A delivered call
                           that is still in the outbox has to be edited */
    int64_t refused_at; /* when it was first refused; 0: never */
    enum refused refused;
    char trouble[TROUBLE_MAX + 1]; /* why it last failed; "": it did not */
    enum shape shape;
    unsigned part;   /* SHAPE_SPLIT: how many lines are delivered, for good;
                        a status post: how many took its place.  From
                        QUEUED_ANEW on: it was deleted, and is posted anew */
    struct job job;  /* to send it: when it may go, and how often it failed */
    int64_t waiting; /* since when its newest text waits */
    bool alarmed;    /* whoever runs the host was told that it waits */
    bool logged;     /* the log says that it waits */
    int64_t unapproved; /* since when it waits for a moderator's approval; 0: it
                           does not */
    bool hidden; /* nothing in the clear tells whose it is, or what became of it
                    (bot/store/store_session.c) */
    char *cursor; /* how far it was looked for (OP_FIND); owned; NULL: not yet,
                     or to the end */
    int64_t searched; /* since when it is looked for, behind more posts than
                         one look takes in; 0: it is not */
    char *replaces;   /* a status post: the id of the one that can't be edited,
                         while another is sent instead; owned; NULL: none */

    /* The outbox's. */
    struct queued_message *before, *after; /* to the same destination */
    unsigned service;                      /* its number, or NO_SERVICE */
    bool queues;                           /* it keeps an order with others */
    bool ready;   /* among those that may go now, not those that pause */
    bool flies;   /* it was in flight when it was last looked at */
    bool stopped; /* likewise: it was refused */
    struct heap_item turn, failed;
};

/* What the game waits for is the most important, then answers, then the status
 * post, and last what only marks posts of others. */
enum rank {
    RANK_GAME,
    RANK_ANSWER,
    RANK_STATUS,
    RANK_MARK,
    RANKS,
};

enum rank queued_rank(const struct queued_message *queued);

/* Is it being sent line by line? */
bool queued_is_split(const struct queued_message *queued);

/* Its next line, if it is sent line by line. */
unsigned queued_line(const struct queued_message *queued);

/* Does it wait: to be sent, or to be looked for? */
bool queued_waits(const struct queued_message *queued);

/* Is it being sent, or looked for? */
bool queued_flies(const struct queued_message *queued);

/* May it have been sent without our knowing? */
bool queued_is_doubtful(const struct queued_message *queued);

/* Its state as it is saved: what may have been sent is in flight, but for what
 * waits for approval. */
enum queued_state queued_saved_state(const struct queued_message *queued);

/* Is it of no use any more? */
bool queued_is_stale(const struct queued_message *queued, int64_t now);

/* The gate: may whoever it is for be told this now?  Not by a seat's secret if
 * the seat is not theirs, nor by what ended with its question.  `table`: as its
 * game is now; NULL: that is over, so that no secret is left. */
bool queued_is_wanted(const struct queued_message *queued,
                      const struct table *table);

/* Why a message failed. */
struct failure {
    enum err err;
    enum refused refused; /* ERR_DENIED, ERR_FULL */
    int64_t wait;         /* ERR_LIMITED: ms */
    double chance; /* 0 to 1: varies the pauses, so that what failed together
                      does not come back together */
};

/* It failed: it waits, for a time that fits what was refused.  `steady`: `now`
 * by the clock of its job. */
void queued_fail(struct queued_message *queued, const struct failure *failure,
                 int64_t now, int64_t steady);

#endif
