/*
 * The outbox: messages on their way.  A message waits, is in flight, and ends
 * in one of two ways: it is delivered, or it is of no use any more.
 *
 * What is refused waits again; how long, and in which form it is then tried,
 * depends on what was refused (enum refused).  In a thread, the calls and
 * results of a game keep their order, and so do its answers; a person's private
 * messages keep theirs.  What is written when a table opens stands below its
 * status post.
 *
 * The outbox is the picture in memory of what is in the store: each step is
 * saved before it is taken (bot/store/store.h).  So a message found in flight
 * at the start may have been sent: it is sent again by its key, or looked for
 * first.
 */
#ifndef BOT_HOST_TABLE_OUTBOX_H
#define BOT_HOST_TABLE_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/host/table/message.h"
#include "bot/host/table/table.h"

enum queued_state {
    QUEUED_WAITING,
    QUEUED_IN_FLIGHT,
    QUEUED_SENT, /* delivered, or of no use any more: leaves the outbox */
};

/* In which form a message is sent: if a service refuses its words, the next one
 * is tried. */
enum shape {
    SHAPE_WHOLE, /* as it was written */
    SHAPE_PLAIN, /* without its picture, emoji and links */
    SHAPE_SPLIT, /* plain, line by line, each a post of its own */
    SHAPE_LINE,  /* one line that says that the message was refused */
};

enum {
    KEY_MAX = 25,     /* bytes (adapters/adapter.h) */
    TROUBLE_MAX = 255 /* bytes of a sentence */
};

/* A message with its destination.  Strings of the message are owned. */
struct queued_message {
    int64_t id;    /* of the store; never used again */
    int64_t batch; /* same for the messages of one ruling, whose ids follow one
                      another */
    struct queued_message *before,
        *after; /* the outbox's: to the same destination */
    char game[TABLE_ID_MAX + 1];
    char place[64]; /* the place's name in the configuration */
    char thread[ADAPTER_ID_MAX + 1];
    struct message message;
    enum queued_state state;
    char sent[ADAPTER_ID_MAX + 1]; /* the post's id; of a status post: "" until
                                      it was first sent */
    bool doubtful;                 /* found in flight: may have been sent */
    bool changed; /* a status post: its text is newer than what is in flight */
    bool opened;  /* its DM was opened for it: nobody can have come in yet */
    char key[KEY_MAX + 1];
    int64_t named; /* the deadline that its slots were last filled with; 0: they
                      were not */
    int64_t in_flight;  /* since when it may have been sent; 0: never */
    int64_t delivered;  /* when it was delivered; 0: not yet.  A delivered call
                           that is still in the outbox has to be edited */
    int64_t refused_at; /* when it was first refused; 0: never */
    enum refused refused;
    char trouble[TROUBLE_MAX + 1]; /* why it last failed; "": it did not */
    enum shape shape;
    unsigned part;      /* SHAPE_SPLIT: how many lines are delivered */
    unsigned attempts;  /* how many failed in a row */
    int64_t not_before; /* ms */
    int64_t waiting;    /* since when its newest text waits */
    bool alarmed;       /* whoever runs the host was told that it waits */
    int64_t unapproved; /* since when it waits for a moderator's approval; 0: it
                           does not */
    bool hidden; /* nothing in the clear tells whose it is, or what became of it
                    (bot/store/store_session.c) */
    bool shut;   /* a status post: its thread refuses posts, too */
};

struct outbox {
    struct queued_message **list; /* in order of id */
    size_t count, room;
};

void outbox_release(struct outbox *outbox);

/* Add a queued message; it is taken.  Borrowed until it is done. */
struct queued_message *outbox_add(struct outbox *outbox,
                                  struct queued_message *queued);

struct queued_message *outbox_find(struct outbox *outbox, int64_t id);

/* The queued message of a game's status post in a thread, if it is not sent; or
 * NULL. */
struct queued_message *outbox_status(const struct outbox *outbox,
                                     const char *game, const char *thread);

/* The next message behind another (NULL: the first) that may go now; NULL:
 * none. */
struct queued_message *outbox_next(struct outbox *outbox,
                                   const struct queued_message *after,
                                   int64_t now);

/* When the next waiting message may go that may not go now; 0: none. */
int64_t outbox_wake(const struct outbox *outbox, int64_t now);

/* The clock was set back by so many ms: pauses end that much earlier by it. */
void outbox_set_back(struct outbox *outbox, int64_t by);

/* Is it of no use any more? */
bool queued_is_stale(const struct queued_message *queued, int64_t now);

/* Why a message failed. */
struct failure {
    enum err err;
    enum refused refused; /* ERR_DENIED, ERR_FULL */
    int64_t wait;         /* ERR_LIMITED: ms */
    double chance; /* 0 to 1: varies the pauses, so that what failed together
                      does not come back together */
};

/* It failed: it waits, for a time that fits what was refused. */
void queued_fail(struct queued_message *queued, const struct failure *failure,
                 int64_t now);

/* What was refused for a reason of its own is to be tried at once. */
void queued_hasten(struct queued_message *queued);

/* The public message that asks a question of a game and is not delivered yet;
 * NULL: it is delivered, or of no use any more. */
const struct queued_message *outbox_call(const struct outbox *outbox,
                                         const char *game, unsigned calls);

/* Does a thread refuse the host's posts: does one wait there that was
 * refused? */
bool outbox_is_shut(const struct outbox *outbox, const char *place,
                    const char *thread);

/* How many private messages of that question were neither delivered nor
 * refused. */
unsigned outbox_private_calls(const struct outbox *outbox, const char *game,
                              unsigned calls);

/* It is sent, or dropped: take it out.  A status post that has changed since
 * stays, and waits again. */
void outbox_done(struct outbox *outbox, int64_t id);

#endif
