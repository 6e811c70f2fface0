/*
 * The outbox: messages on their way.  A message waits, is in flight, and ends
 * in one of two ways: it is delivered, or it is of no use any more.
 *
 * What is refused waits again; how long, and in which form it is then tried,
 * depends on what was refused (enum refused).  In a thread, the calls and
 * results of a game keep their order, and so do its answers; it is the same
 * with the private messages to one person.  What is written when a table opens
 * stands below its status post.
 *
 * The outbox is the picture in memory of what is in the store: each step is
 * saved before it is taken (bot/store/store.h).  So a message found in flight
 * at the start may have been sent: it is sent again by its key, or looked for
 * first.
 *
 * There may be ten thousand, while a service is down.  So those that may go are
 * in heaps, by service and rank, and the others are found by their game, thread
 * or person.  Whoever changes a queued message MUST tell it (outbox_changed).
 */
#ifndef BOT_HOST_TABLE_OUTBOX_H
#define BOT_HOST_TABLE_OUTBOX_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/heap.h"
#include "bot/base/index.h"
#include "bot/host/table/queued.h"

#define NO_SERVICE UINT_MAX

/* The messages of one rank, to one service, that wait for nothing but time. */
struct outbox_turns {
    struct heap ready; /* by id; status posts by how long they wait */
    struct heap later; /* by when they may go */
};

struct outbox_service {
    struct outbox_turns turns[RANKS];
    size_t in_flight;
};

/* Zeroed: empty, and what is added never goes. */
struct outbox {
    struct queued_message **list; /* in order of id */
    size_t count, room;
    struct index known; /* by game, thread and person; the ends of queues */
    struct outbox_service *services; /* by number */
    unsigned service_count;
    unsigned (*service_of)(void *context, const char *place);
    void *context;
    struct heap failed; /* those that failed, by how long they wait; until
                           whoever runs the host is told */
};

/* `service_of`: the number of a place's service, below `services`; NO_SERVICE:
 * the place is not configured, so what goes there waits. */
void outbox_init(struct outbox *outbox, unsigned services,
                 unsigned (*service_of)(void *context, const char *place),
                 void *context);
void outbox_release(struct outbox *outbox);

/* Add a queued message; it is taken.  Borrowed until it is done. */
struct queued_message *outbox_add(struct outbox *outbox,
                                  struct queued_message *queued);

/* Something about a message has changed: those that wait for it follow. */
void outbox_changed(struct outbox *outbox, struct queued_message *queued);

/* It is sent, or dropped: take it out.  A status post that has changed since
 * stays, and waits again. */
void outbox_done(struct outbox *outbox, int64_t id);

/* It goes to another thread. */
void outbox_move(struct outbox *outbox, struct queued_message *queued,
                 const char *thread);

/* What was refused for a reason of its own is to be tried at once. */
void outbox_hasten(struct outbox *outbox, struct queued_message *queued);

/* ---- which may go, by the clock of their jobs --------------------------- */

/* The first message of a rank that may go to a service now; NULL: none.  It
 * stays the first until it changes. */
struct queued_message *outbox_first(const struct outbox *outbox,
                                    unsigned service, enum rank rank,
                                    int64_t now);

/* May one of that rank go there by then? */
bool outbox_may_by(const struct outbox *outbox, unsigned service,
                   enum rank rank, int64_t then);

/* Is one in flight to a service? */
bool outbox_flies(const struct outbox *outbox, unsigned service);

/* When the next waiting message may go that may not go now; 0: none. */
int64_t outbox_wake(const struct outbox *outbox, int64_t now);

/* The one that failed and has waited for longest, if that is since `since` or
 * before, and whoever runs the host was not told; NULL: none. */
struct queued_message *outbox_overdue(const struct outbox *outbox,
                                      int64_t since);

/* It is overdue only as if it waited since then. */
void outbox_put_off(struct outbox *outbox, struct queued_message *queued,
                    int64_t since);

/* ---- finding them -------------------------------------------------------- */

struct queued_message *outbox_find(const struct outbox *outbox, int64_t id);

/* The next message of a game; into a thread, or written in it (at any service);
 * to a person (likewise).  NULL: no more.  In any order; *at is 0 for the
 * first.  None may be added, moved or done meanwhile. */
struct queued_message *outbox_next_of_game(const struct outbox *outbox,
                                           const char *game, size_t *at);
struct queued_message *outbox_next_in_thread(const struct outbox *outbox,
                                             const char *thread, size_t *at);
struct queued_message *outbox_next_to(const struct outbox *outbox,
                                      const char *user, size_t *at);

/* The queued message of a game's status post in a thread, if it is not sent; or
 * NULL. */
struct queued_message *outbox_status(const struct outbox *outbox,
                                     const char *game, const char *thread);

/* The public message that asks a question of a game and is not delivered yet;
 * NULL: it is delivered, or of no use any more. */
const struct queued_message *outbox_call(const struct outbox *outbox,
                                         const char *game, unsigned calls);

/* Does a thread refuse the host's posts: does one wait there that was
 * refused? */
bool outbox_is_shut(const struct outbox *outbox, const char *place,
                    const char *thread);

/* Does its reader take no private messages: was it refused for that, or the one
 * that it waits behind? */
bool outbox_is_unwanted(const struct queued_message *queued);

/* How many private messages of that question were neither delivered nor
 * refused. */
unsigned outbox_private_calls(const struct outbox *outbox, const char *game,
                              unsigned calls);

/* May one of them arrive at any moment?  Those, and what was refused before and
 * is tried again just now, or may have arrived without our knowing. */
bool outbox_awaits_private(const struct outbox *outbox, const char *game,
                           unsigned calls);

#endif
