/*
 * The doorbells of a process: one for each service that has one
 * (adapters/doorbell.h).
 *
 * While a doorbell listens, the feeds of its service are polled rarely and read
 * as soon as it rings.  When it falls silent they are polled as without it, and
 * it is opened again, after a pause that grows with the failures.
 */
#ifndef BOT_LOOP_BELLS_H
#define BOT_LOOP_BELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/loop/asking.h"

struct loop;
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

void bells_release(struct loop *loop);

/* Ask where doorbells hang that are to be opened now. */
enum err bells_ask(struct loop *loop, int64_t now, struct buf *why) MUST_USE;

/* That was answered: open it. */
void bells_take(struct loop *loop, const struct delivery *delivery,
                int64_t now);

/* Take what the open ones say. */
enum err bells_work(struct loop *loop, struct buf *why) MUST_USE;

/* When there is something to do, at the latest at `wake`. */
int64_t bells_wake(const struct loop *loop, int64_t wake);

/* The host's clock was set back by so many ms. */
void bells_set_back(struct bells *bells, int64_t by);

#endif
