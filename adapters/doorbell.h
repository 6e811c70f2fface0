/*
 * Doorbells: how a service says that something is new.
 *
 * A doorbell is a connection on which the service tells of new posts, so that
 * the host reads them at once instead of at the next poll: a WebSocket, or a
 * long poll whose reply goes on while there is news.  What is read stays what
 * counts.  A ring that is missed, comes twice or is not true costs a
 * request at most, and the host goes on polling, only less often.
 *
 * How it runs.  The host asks for the address (OP_BELL), connects, and hands
 * everything that happens to take(), which does no I/O and reads no clock.  It
 * answers with texts to send (over a WebSocket), with feeds to read, with what
 * was pressed, and with the time at which it wants to be called again.  A long
 * poll is connected by the request that poll() makes for the feeds that the
 * host reads: again whenever it wants, and when there is another feed.  Its
 * session is `size` bytes of its own, zeroed before the first connection, and
 * kept from one connection to the next.  What must outlive the process is
 * adapter state.
 *
 * The adapter never sees the token here either: it says at which byte of a text
 * the token is to be inserted.
 */
#ifndef ADAPTERS_DOORBELL_H
#define ADAPTERS_DOORBELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/adapter.h"

enum {
    BELL_TEXTS_MAX = 2, /* sent after one event */
};

enum bell_event {
    BELL_OPENED,
    BELL_TEXT,
    BELL_TIME,   /* what was asked for by `wake` */
    BELL_CLOSED, /* or it could not be opened */
};

/* What happened.  All borrowed. */
struct bell_input {
    enum bell_event event;
    int64_t now;      /* by the host's clock */
    double chance;    /* at least 0 and less than 1, new each time */
    const char *text; /* TEXT */
    size_t len;
    unsigned code; /* CLOSED: what the service gave; 0: nothing */
    const struct adapter_state *states; /* OPENED */
    unsigned state_count;
};

struct bell_text {
    struct buf text;
    size_t token_at; /* the token is inserted at this byte; SIZE_MAX: nowhere */
};

/* What to do; begins zeroed. */
struct bell_output {
    struct bell_text texts[BELL_TEXTS_MAX];
    unsigned text_count;
    /* A feed with something new, and the id of the new post, or of the DM that
     * it is in ("": it is not known, or something else happened there). */
    bool rings;
    char feed[ADAPTER_ID_MAX + 1], post[ADAPTER_ID_MAX + 1];
    bool more; /* the text tells more: it is to be handed over once more */
    /* Somebody has pressed a button: one POST_PRESSED, and the secret with
     * which it is answered (OP_ACKNOWLEDGE, OP_REPLY).  Or a post is gone: one
     * POST_DELETED, and no secret; or it was written: one POST_AUTHOR. */
    struct page pressed;
    struct buf secret;
    /* From now on everything new rings: the host polls rarely.  `missed`:
     * something may have happened that did not ring, so everything is read. */
    bool listens, missed;
    bool presses; /* what is pressed comes, from now on */
    bool shut;    /* close it, with that code */
    unsigned code;
    int64_t wake;  /* BELL_TIME then, instead of any time asked for before; 0:
                      as before */
    int64_t pause; /* shut, CLOSED: ms before it is opened again */
    bool never;    /* … it is not opened again before the host is reloaded */
    bool again; /* … all is well: a long poll is repeated after the pause, and
                   listens meanwhile */
    struct adapter_states states; /* to be saved */
};

/* The feeds that the host reads, and the address that OP_BELL gave; borrowed.
 */
struct bell_feeds {
    const char *address;
    const char *const *names;
    size_t count;
};

struct doorbell {
    size_t size; /* of a session */
    /* NULL: it is a WebSocket.  Make the request of a long poll; false, with a
     * sentence: it can't ring for all of these. */
    bool (*poll)(const struct service *service, void *session,
                 const struct bell_feeds *feeds, int64_t now,
                 struct request *request, struct buf *why);
    const char *delimiter; /* stands between the texts of its reply */
    /* Something happened.  `why`: a sentence for people if it is closed for a
     * reason that they should know. */
    void (*take)(const struct service *service, void *session,
                 const struct bell_input *input, struct bell_output *output,
                 struct buf *why);
};

void bell_output_release(struct bell_output *output);

/* Add an empty text, to be filled in. */
struct bell_text *bell_add_text(struct bell_output *output);

/* Set a state to be saved.  An assertion fails if the value is too long. */
void bell_set_state(struct bell_output *output, const char *key,
                    const char *value);

/* The value of a state that was saved; "": not there. */
const char *bell_state(const struct bell_input *input, const char *key);

#endif
