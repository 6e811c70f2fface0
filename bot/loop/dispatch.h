/*
 * The dispatch runs operations: it hands each request that an adapter makes to
 * the transport of its scheme, and the reply back to the adapter.  It runs many
 * side by side, and never blocks the loop for longer than it is told.
 *
 * At most OPS_MAX operations are under way.  Of these, OPS_RESERVED are kept
 * from feeds and from what is asked of each place: there are thousands of them,
 * and messages must not wait behind them.  A service gets at most as many as
 * are left for the others, so that one that answers slowly does not keep the
 * others from being asked.
 *
 * Transports: `board:` is served in this process by board_serve; `http:` and
 * `https:` by the one HTTP client (adapters/http/http.h), which is made with
 * the first request.  The dispatch knows nothing of games or messages: it takes
 * an operation with a ticket and gives the outcome back with the ticket.
 *
 * It fails four things by itself: a request that no transport carries
 * (ERR_CONFIG); an operation that does not end after ADVANCES_MAX requests, or
 * ends without an answer (outcome_answers; ERR_GARBLED); and one that would log
 * in after a later log-in was refused
 * (with that one's error), because services count wrong log-ins, and then want
 * a captcha or bar the address.
 */
#ifndef BOT_LOOP_DISPATCH_H
#define BOT_LOOP_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "adapters/board/board_server.h"
#include "bot/loop/ticket.h"

struct dispatch;
struct http;

enum {
    OPS_MAX = 128,
    OPS_RESERVED = 32,
};

/* `board`: borrowed for the dispatch's life, NULL if no place needs it. */
struct dispatch *dispatch_new(struct board *board);
void dispatch_free(struct dispatch *dispatch);

/* Set the token of a service, by its name, from now on; copied.  It goes into
 * no operation, only into the requests that are to have it. */
void dispatch_set_token(struct dispatch *dispatch, const char *service,
                        const char *token);

/* How many more requests than were made a service's rate would have allowed
 * since this was last asked, a minute ago, rounded up to tenths of the rate: a
 * single one might tell that somebody has acted in a session.  -1: it has none.
 */
int64_t dispatch_take_left(struct dispatch *dispatch,
                           const struct service *service);

/* Also stop waiting when this descriptor can be read; -1: none. */
void dispatch_wake_by(struct dispatch *dispatch, int descriptor);

/* What an operation waits for where room is scarce. */
enum dispatch_room {
    ROOM_URGENT, /* some room is kept for urgent messages from the others */
    ROOM_DUE,    /* any other has its share */
    ROOM_NEWS,   /* what a list says is new, which may be much after a start:
                    where requests have a rate, a quarter of a second's, or
                    four; what a doorbell rings for would have to wait behind
                    it */
    ROOM_SPARE,  /* what merely has had its pause: an eighth of a second's */
};

/* Is there room for an operation of a service, with a ticket of that kind?  If
 * not, there will be once an operation under way has ended. */
bool dispatch_has_room(const struct dispatch *dispatch,
                       const struct service *service, enum ticket_kind kind,
                       enum dispatch_room room);

/* Take an operation on; fewer than OPS_MAX MUST be under way.  All its texts
 * and adapter states are copied (NULL: ""); `service` is borrowed until the
 * outcome is delivered.  `ticket` is the caller's, and comes back with the
 * outcome. */
void dispatch_submit(struct dispatch *dispatch, const struct service *service,
                     const struct op *op, struct ticket ticket);

/* Work at the time `now`: do what can be done at once.  If that delivers
 * nothing, wait at most `patience` ms until more can be done; what has come by
 * then is taken in by the next call, with its own `now`.  A signal also ends
 * the waiting.  There is no waiting if no request is under way and no doorbell
 * is open: with the board alone nothing ever waits. */
void dispatch_work(struct dispatch *dispatch, int64_t now, int64_t patience);

struct delivery {
    struct ticket ticket;
    const struct service *service; /* as it was submitted with */
    enum op_kind kind;
    enum err err;      /* ERR_NONE: done */
    bool unauthorized; /* it failed, because the service does not accept the
                          account's token (401), or the account itself */
    bool locked_out;   /* unauthorized, because a log-in was refused */
    struct outcome outcome;
    struct buf why; /* a sentence, if it failed */
};

/* Take the next finished operation, in the order in which they ended; false:
 * none. Release it. */
bool dispatch_next(struct dispatch *dispatch, struct delivery *delivery);
void delivery_release(struct delivery *delivery);

/* The HTTP client, which opens doorbells. */
struct http *dispatch_http(struct dispatch *dispatch);

/* May something come from a service: is an operation under way, or a doorbell
 * open? */
bool dispatch_waits(const struct dispatch *dispatch);

/* Operations under way (not those that wait for dispatch_next). */
unsigned dispatch_busy(const struct dispatch *dispatch);

#endif
