/*
 * What services refuse, and how that affects a whole game.
 *
 * A refusal is a recorded reply (tests/support/recordings.h) at the service
 * where it was met.  It affects the requests of its route: one is refused, and
 * all that follow until it is lifted; then one is accepted, and the next is
 * refused. So in the course of a game it hits every message in turn.  Where a
 * service refuses the text of a message, each message is refused so many times
 * instead.
 */
#ifndef TESTS_REFUSALS_H
#define TESTS_REFUSALS_H

#include "tests/support/fake_service.h"
#include "tests/support/recordings.h"

enum {
    STRUCK_MAX = 2048
};

/* Which of a route's requests are struck. */
enum struck {
    STRUCK_ALL,
    STRUCK_PUBLIC,  /* in a thread */
    STRUCK_PRIVATE, /* in a DM */
};

struct refused_request {
    const struct fake_service *fake_service;
    const char *recording;
    enum struck struck;
    int64_t lasts;  /* ms until it is lifted; 0: see `times` */
    unsigned times; /* so often each message is refused */
    bool shut;      /* meanwhile the topic says that the host may not post */
    bool own;       /* the game is to have a thread of its own */
    bool locks;     /* posts that have counted are locked */
    bool long_game; /* each message waits for an hour: not in `make test` */
    const char *spared; /* in the URLs of requests that it never strikes: what
                           they are about can't be so; NULL: it strikes all */
    const char *only;   /* in the bodies of all requests that it strikes; NULL:
                           whatever is in them */
    const char *beside; /* a recording whose route answers so meanwhile; NULL:
                           none */
};

extern const struct refused_request refused_requests[];
extern const unsigned refused_request_count;

/* A refusal in the course of a game.  Begins zeroed, but for its kind. */
struct refusing {
    const struct refused_request *kind; /* NULL: nothing is refused */
    void *server;
    int64_t until; /* nothing that it strikes is taken */
    bool passed;   /* something was, since then: the next is refused */
    bool shut;
    unsigned count;            /* requests that were refused */
    uint64_t keys[STRUCK_MAX]; /* messages whose words were refused */
    unsigned times[STRUCK_MAX], key_count;
};

/* Bring the house up to a time: what was refused until then is lifted. */
void refusing_goes_on(struct refusing *refusing, int64_t now);

/* The reply by which a request is refused; NULL: it is taken. */
const struct recording *refusing_strikes(struct refusing *refusing, int64_t now,
                                         const char *method, const char *target,
                                         const struct buf *body);

/* A request was not refused, and has this status: it may be taken. */
void refusing_took(struct refusing *refusing, int64_t now, const char *method,
                   const char *target, const struct buf *body, int status);

#endif
