/*
 * The loop: reads feeds, takes in pages, lets deadlines fire, sends messages.
 *
 * It has no clock of its own: its caller says what time it is, once per turn.
 * So `run` hosts by the system's clock, and `play` by one that jumps.
 */
#ifndef BOT_LOOP_LOOP_H
#define BOT_LOOP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/loop/asking.h"
#include "bot/loop/dispatch.h"
#include "bot/loop/reader.h"
#include "bot/tables/tables.h"

struct web_socket;

/* The doorbell of a service; zeroed: it is not open. */
struct bell {
    struct asking asking;      /* where it hangs, and when to open it next */
    void *session;             /* the adapter's.  Owned; NULL: none yet */
    struct web_socket *socket; /* borrowed from the HTTP client; NULL: closed */
    int64_t wake; /* when the adapter wants to be called; 0: never */
    bool listens;
    bool never; /* it is not opened any more */
};

struct bells {
    struct bell *list; /* by the service's number */
    unsigned count;
};

/* All but the first two members begin zeroed; close it before its tables. */
struct loop {
    struct tables *tables;     /* borrowed */
    struct dispatch *dispatch; /* borrowed */
    struct reader reader;
    struct bells bells;
    int64_t now; /* of the last turn; begins as 0 */
    bool leaps;  /* its clock jumps to whatever is next: between two turns
                    nothing was missed */
    /* When each service is asked who we are, and each place where it is.  A
     * service that no longer accepts our token is asked again; until it has
     * answered, nothing else is asked of it. */
    struct asking services[PLACES_MAX], places[PLACES_MAX];
    struct asking dms[PLACES_MAX]; /* where each place's moderators talk */
    /* Where the game of each place has gone that has another thread. */
    struct asking trails[PLACES_MAX];
    struct asking probes[PLACES_MAX]; /* and what each place takes */
    /* Whether a right is back in a thread of each place that has refused the
     * host's posts (bot/loop/waiting.c). */
    struct asking rights[PLACES_MAX];
    char refusing[PLACES_MAX][ADAPTER_ID_MAX + 1];
    /* A message of the place waits for approval, and this was told. */
    bool unapproved_told[PLACES_MAX];
    /* Until when posts at each place go without a picture, and without a page,
     * because one was refused. */
    int64_t unpictured[PLACES_MAX][2];
    uint64_t chance; /* behind the jitter of pauses */
};

void loop_close(struct loop *loop);

/* One turn at the time `now`: waits at most `patience` ms for replies.  An
 * error ends the process (the store failed); it comes with a sentence. */
enum err loop_turn(struct loop *loop, int64_t now, int64_t patience,
                   struct buf *why) MUST_USE;

/* Take turns at the time `now` until nothing more can be done at once. */
enum err loop_settle(struct loop *loop, int64_t now, struct buf *why) MUST_USE;

/* When there is something to do again, feeds included. */
int64_t loop_wake(const struct loop *loop, int64_t now);

#endif
