/*
 * The loop: reads feeds, takes in pages, lets deadlines fire, sends messages.
 *
 * It has no clock of its own: its caller says what time it is, once per turn.
 * So `run` hosts by the system's clock, and `play` by one that jumps.  What
 * waits goes by a clock that is never set back (`steady`).
 */
#ifndef BOT_LOOP_LOOP_H
#define BOT_LOOP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/job.h"
#include "bot/loop/dispatch.h"
#include "bot/loop/presses.h"
#include "bot/loop/reader.h"
#include "bot/tables/member_roles.h"
#include "bot/tables/tables.h"

struct http_stream;
struct web_socket;

/* The doorbell of a service; zeroed: it is not open. */
struct bell {
    const struct service *service;
    struct job job;             /* where it hangs, and when to open it next */
    void *session;              /* the adapter's.  Owned; NULL: none yet */
    struct web_socket *socket;  /* borrowed from the HTTP client, */
    struct http_stream *stream; /* as is a long poll; both NULL: closed */
    char *address;              /* owned; NULL: it was not asked for yet */
    size_t feeds;   /* of all services there were when it was polled last */
    int64_t wake;   /* when the adapter wants to be called; 0: never */
    bool presses;   /* what is pressed comes */
    int64_t silent; /* since when none does, or the start */
    bool never;     /* it is not opened any more */
};

/* What the loop keeps of a configured place. */
struct loop_place {
    struct job jobs[PLACE_TICKETS]; /* what is asked about it (enum
                                       ticket_kind) */
    struct role_change role;        /* that is under way, or next */
    bool unapproved_told; /* that a message of it waits for approval */
    /* Until when posts there go without a picture, and without a page, because
     * one was refused. */
    int64_t unpictured[2];
};

/* What the loop keeps of a service. */
struct loop_service {
    struct job who;  /* the host is there.  One that no longer accepts our token
                        is asked again; until it has answered, nothing else is
                        asked of it */
    int64_t renew;   /* when it is asked anew, for the token has to be renewed;
                        0: never (tables_steady) */
    bool limited;    /* it limits how much is sent, which was told */
    bool silenced;   /* it takes nothing that the account writes; likewise */
    unsigned failed; /* operations, but for sending */
    unsigned unknown; /* of its places, as of the last look at all of them
                         (bot/loop/locating.c) */
};

struct loop {
    struct tables *tables;     /* borrowed */
    struct dispatch *dispatch; /* borrowed */
    struct reader reader;
    struct bell *bells; /* owned; by the service's number */
    struct presses presses;
    int64_t now;    /* of the last turn; begins as 0 */
    int64_t steady; /* the same by the clock of all jobs (tables_steady) */
    bool leaps;     /* its clock jumps to whatever is next: between two turns
                       nothing was missed */
    struct loop_service *services; /* owned, as are the places; by number */
    struct loop_place *places;     /* as in the configuration */
    /* When something is asked about a place next, as of the last look at all of
     * them (bot/loop/locating.c). */
    int64_t places_wake;
    unsigned places_asked;   /* operations under way that ask about one */
    bool places_wait;        /* some are due, and wait for the end of one */
    int64_t noted;           /* when notes were last saved (bot/loop/notes.c) */
    int64_t disk_left;       /* bytes, as the caller says it; -1: unknown */
    struct search *searches; /* owned (bot/loop/searches.c) */
    struct buf told_commands; /* why there are no slash commands: what was told,
                                 a sentence a line */
    uint64_t chance;          /* behind the jitter of pauses */
};

/* Both are borrowed: close the loop before them. */
void loop_open(struct loop *loop, struct tables *tables,
               struct dispatch *dispatch);
void loop_close(struct loop *loop); /* also one that is zeroed */

/* One turn at the time `now`: waits at most `patience` ms for replies.  An
 * error ends the process (the store failed); it comes with a sentence. */
enum err loop_turn(struct loop *loop, int64_t now, int64_t patience,
                   struct buf *why) MUST_USE;

/* Take turns at the time `now` until nothing more can be done at once. */
enum err loop_settle(struct loop *loop, int64_t now, struct buf *why) MUST_USE;

/* When there is something to do again, feeds included. */
int64_t loop_wake(const struct loop *loop, int64_t now);

#endif
