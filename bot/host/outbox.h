/*
 * The outbox: letters on their way.  waiting → in flight → sent, or held.
 *
 * First in, first out per destination; a held letter blocks only its own.  An
 * outbox is the memory's picture of what the store has: the shell saves every
 * step before it is taken (bot/store.h), so a letter found in flight at the
 * start may have been sent, and is sent again by its key or looked for first.
 */
#ifndef BOT_HOST_OUTBOX_H
#define BOT_HOST_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/host/letter.h"
#include "bot/host/table.h"

enum envelope_state {
    ENVELOPE_WAITING,
    ENVELOPE_IN_FLIGHT,
    ENVELOPE_SENT, /* leaves the outbox */
    ENVELOPE_HELD, /* a person must do something first */
};

/* A letter with its address.  Strings of the letter are owned. */
struct envelope {
    int64_t id;    /* of the store; never used again */
    int64_t batch; /* same for the letters of one docket, whose ids follow each
                      other */
    struct envelope *before, *after; /* the outbox's: to the same destination */
    char game[TABLE_ID_MAX + 1];
    char place[64]; /* the place's name in the configuration */
    char thread[ADAPTER_ID_MAX + 1];
    struct letter letter;
    enum envelope_state state;
    char sent[ADAPTER_ID_MAX + 1]; /* the post's id; of a status post: "" until
                                      it was sent first */
    bool doubtful;                 /* found in flight: may have been sent */
    bool changed; /* a status post: its text is newer than what is in
                     flight */
    bool opened;  /* its private talk was opened for it: nobody can have come
                     in yet */
    unsigned attempts;
    int64_t not_before; /* ms */
};

struct outbox {
    struct envelope **list; /* in order of id */
    size_t count, room;
};

void outbox_release(struct outbox *outbox);

/* Add an envelope; it is taken.  Borrowed until it is done. */
struct envelope *outbox_add(struct outbox *outbox, struct envelope *envelope);

struct envelope *outbox_find(struct outbox *outbox, int64_t id);

/* The envelope of a game's status post in a thread, if that is not sent; or
 * NULL. */
struct envelope *outbox_status(const struct outbox *outbox, const char *game,
                               const char *thread);

/* The next letter behind another (NULL: the first) that may go now; NULL: none.
 */
struct envelope *outbox_next(struct outbox *outbox,
                             const struct envelope *after, int64_t now);

/* When the next waiting letter may go that can't now; 0: none. */
int64_t outbox_wake(const struct outbox *outbox, int64_t now);

/* The clock was set back by so many ms: pauses end that much earlier by it. */
void outbox_set_back(struct outbox *outbox, int64_t by);

/* Is it useless by now? */
bool envelope_is_stale(const struct envelope *envelope, int64_t now);

/* It failed: back to waiting, with a pause that grows by the square of the
 * attempts (at most ten minutes), or held where waiting does not help.  A
 * transcript is never held: a game waits for it. */
void envelope_fail(struct envelope *envelope, enum err err, int64_t wait,
                   int64_t now);

/* It is sent, or dropped: take it out.  A status post that has changed since
 * stays, and waits again. */
void outbox_done(struct outbox *outbox, int64_t id);

#endif
