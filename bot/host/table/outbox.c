#include "bot/host/table/outbox.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"

void
outbox_init(struct outbox *outbox, unsigned services,
            unsigned (*service_of)(void *context, const char *place),
            void *context)
{
    memset(outbox, 0, sizeof *outbox);
    outbox->services = must_alloc((services + 1) * sizeof *outbox->services);
    outbox->service_count = services;
    outbox->service_of = service_of;
    outbox->context = context;
}

static void
queued_free(struct queued_message *queued)
{
    message_release(&queued->message);
    free(queued->replaces);
    free(queued->cursor);
    free(queued);
}

void
outbox_release(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++) {
        queued_free(outbox->list[i]);
    }
    for (unsigned i = 0; i < outbox->service_count; i++) {
        for (unsigned rank = 0; rank < RANKS; rank++) {
            heap_release(&outbox->services[i].turns[rank].ready);
            heap_release(&outbox->services[i].turns[rank].later);
        }
    }
    heap_release(&outbox->failed);
    index_release(&outbox->known);
    free(outbox->services);
    free(outbox->list);
    memset(outbox, 0, sizeof *outbox);
}

/* ---- finding them -------------------------------------------------------- */

/* Where the queued message of that id is, or would be. */
static size_t
place_of(const struct outbox *outbox, int64_t id)
{
    size_t low = 0;
    size_t high = outbox->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (outbox->list[middle]->id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct queued_message *
outbox_find(const struct outbox *outbox, int64_t id)
{
    size_t at = place_of(outbox, id);
    bool there = at < outbox->count && outbox->list[at]->id == id;
    return there ? outbox->list[at] : NULL;
}

/* By what messages are found. */
enum by {
    BY_GAME,
    BY_THREAD,
    BY_PERSON,
    BYS
};

/* NULL: it is not found by that. */
static const char *
name_by(const struct queued_message *queued, enum by by)
{
    const char *game = queued->game[0] == '\0' ? NULL : queued->game;
    return by == BY_GAME     ? game
           : by == BY_THREAD ? queued->thread
                             : queued->message.user;
}

static uint64_t
key_by(enum by by, const char *name)
{
    static const char *const groups[] = {"of game", "in thread", "to user"};
    return index_key(groups[by], name);
}

/* List a message as it is now, or no longer (`change`). */
static void
list_with(struct outbox *outbox, struct queued_message *queued,
          void (*change)(struct index *index, uint64_t key, uintptr_t value))
{
    for (enum by by = 0; by < BYS; by++) {
        const char *name = name_by(queued, by);
        if (name != NULL) {
            change(&outbox->known, key_by(by, name), (uintptr_t)queued);
        }
    }
}

static struct queued_message *
next_by(const struct outbox *outbox, enum by by, const char *name, size_t *at)
{
    uint64_t key = key_by(by, name);
    for (;;) {
        struct queued_message *queued =
            index_next_pointer(&outbox->known, key, at);
        const char *own = queued == NULL ? name : name_by(queued, by);
        if (own != NULL && strcmp(own, name) == 0) {
            return queued;
        }
    }
}

struct queued_message *
outbox_next_of_game(const struct outbox *outbox, const char *game, size_t *at)
{
    return next_by(outbox, BY_GAME, game, at);
}

struct queued_message *
outbox_next_in_thread(const struct outbox *outbox, const char *thread,
                      size_t *at)
{
    return next_by(outbox, BY_THREAD, thread, at);
}

struct queued_message *
outbox_next_to(const struct outbox *outbox, const char *user, size_t *at)
{
    return next_by(outbox, BY_PERSON, user, at);
}

struct queued_message *
outbox_status(const struct outbox *outbox, const char *game, const char *thread)
{
    struct queued_message *queued = NULL;
    size_t at = 0;
    do {
        queued = outbox_next_of_game(outbox, game, &at);
    } while (queued != NULL && (queued->message.kind != MESSAGE_STATUS ||
                                strcmp(queued->thread, thread) != 0));
    return queued;
}

/* The next message that asks a question of a game and was not delivered; of
 * posts, one that is to be edited was. */
static const struct queued_message *
next_call(const struct outbox *outbox, enum message_kind kind, const char *game,
          unsigned calls, size_t *at)
{
    const struct queued_message *queued = NULL;
    do {
        queued = outbox_next_of_game(outbox, game, at);
    } while (queued != NULL &&
             (queued->message.kind != kind || calls == 0 ||
              queued->message.calls != calls || queued->state == QUEUED_SENT ||
              (kind == MESSAGE_POST && queued->delivered != 0)));
    return queued;
}

const struct queued_message *
outbox_call(const struct outbox *outbox, const char *game, unsigned calls)
{
    size_t at = 0;
    return next_call(outbox, MESSAGE_POST, game, calls, &at);
}

bool
outbox_is_shut(const struct outbox *outbox, const char *place,
               const char *thread)
{
    const struct queued_message *queued = NULL;
    size_t at = 0;
    do {
        queued = outbox_next_in_thread(outbox, thread, &at);
    } while (queued != NULL &&
             (queued->message.kind != MESSAGE_POST || queued->delivered != 0 ||
              queued->refused_at == 0 || queued->refused != REFUSED_RIGHT ||
              strcmp(queued->place, place) != 0));
    return queued != NULL;
}

/* ---- queues -------------------------------------------------------------- */

/* Does it tell what has happened at a table, or ask what is next?  Such posts
 * come from a row of the journal; answers don't, but some are about what such a
 * post tells. */
static bool
is_of_game(const struct queued_message *queued)
{
    return queued->batch > 0 || queued->message.waits;
}

/* With which others a message keeps an order. */
struct queue {
    const char *what; /* NULL: with none */
    const char *place, *to;
};

/* Reactions and the status post are exempt.  People are let into a game's
 * gallery one by one, for it is opened for the first. */
static struct queue
queue_of(const struct queued_message *queued)
{
    const char *what = is_of_game(queued) ? "game" : "answers";
    switch (queued->message.kind) {
    case MESSAGE_POST:
    case MESSAGE_TRANSCRIPT:
        return (struct queue){what, queued->place, queued->thread};
    case MESSAGE_PRIVATE:
        what = is_of_game(queued) ? "private game" : "private answers";
        return (struct queue){what, queued->place, queued->message.user};
    case MESSAGE_INVITE:
        return (struct queue){"invitations", queued->place, queued->game};
    case MESSAGE_STATUS:
    case MESSAGE_REACT:
    case MESSAGE_DELETE:
    case MESSAGE_OPEN:
    case MESSAGE_LOCK:
    case MESSAGE_BARE:
        break;
    }
    return (struct queue){NULL, NULL, NULL};
}

/* So is a delivered call that is edited. */
static bool
keeps_order(const struct queued_message *queued)
{
    return queued->delivered == 0 && queue_of(queued).what != NULL;
}

static bool
is_end(const struct queued_message *end, struct queue queue)
{
    struct queue other = queue_of(end);
    return end->queues && strcmp(other.what, queue.what) == 0 &&
           strcmp(other.place, queue.place) == 0 &&
           strcmp(other.to, queue.to) == 0;
}

/* Under which the last message of its queue is listed. */
static uint64_t
end_key(const struct queued_message *queued)
{
    struct queue queue = queue_of(queued);
    return index_key(queue.what, queue.to);
}

static void
join_queue(struct outbox *outbox, struct queued_message *queued)
{
    uint64_t key = end_key(queued);
    size_t at = 0;
    struct queued_message *end = NULL;
    do {
        end = index_next_pointer(&outbox->known, key, &at);
    } while (end != NULL && !is_end(end, queue_of(queued)));
    if (end != NULL) {
        assert(end->id < queued->id);
        index_remove(&outbox->known, key, (uintptr_t)end);
        end->after = queued;
        queued->before = end;
    }
    index_add(&outbox->known, key, (uintptr_t)queued);
    queued->queues = true;
}

static void
leave_queue(struct outbox *outbox, const struct queued_message *queued)
{
    struct queued_message *before = queued->before;
    if (before != NULL) {
        before->after = queued->after;
    }
    if (queued->after != NULL) {
        queued->after->before = before;
        return;
    }
    index_remove(&outbox->known, end_key(queued), (uintptr_t)queued);
    if (before != NULL) {
        index_add(&outbox->known, end_key(before), (uintptr_t)before);
    }
}

/* The message that was refused: this one, or the last that it waits behind;
 * NULL: none was. */
static const struct queued_message *
refused_of(const struct queued_message *queued)
{
    while (queued != NULL && queued->refused_at == 0) {
        queued = queued->before;
    }
    return queued;
}

static bool
is_refused(const struct queued_message *queued)
{
    return refused_of(queued) != NULL;
}

bool
outbox_is_unwanted(const struct queued_message *queued)
{
    const struct queued_message *refused = refused_of(queued);
    return refused != NULL && refused->refused == REFUSED_PERSON;
}

unsigned
outbox_private_calls(const struct outbox *outbox, const char *game,
                     unsigned calls)
{
    const struct queued_message *queued = NULL;
    unsigned count = 0;
    size_t at = 0;
    while ((queued = next_call(outbox, MESSAGE_PRIVATE, game, calls, &at)) !=
           NULL) {
        count += !is_refused(queued);
    }
    return count;
}

/* Is what was refused tried again just now, or may it have arrived since? */
static bool
is_retried(const struct queued_message *refused)
{
    return queued_flies(refused) || queued_is_doubtful(refused) ||
           refused->job.failures == 0;
}

bool
outbox_awaits_private(const struct outbox *outbox, const char *game,
                      unsigned calls)
{
    const struct queued_message *queued = NULL;
    bool awaits = false;
    size_t at = 0;
    while (!awaits && (queued = next_call(outbox, MESSAGE_PRIVATE, game, calls,
                                          &at)) != NULL) {
        const struct queued_message *refused = refused_of(queued);
        awaits = refused == NULL || is_retried(refused);
    }
    return awaits;
}

/* ---- what waits for what ------------------------------------------------- */

/* Do messages that wait go after it: private ones, and a status post that is
 * not in its place in the thread yet? */
static bool
goes_first(const struct queued_message *queued)
{
    enum message_kind kind = queued->message.kind;
    return kind == MESSAGE_PRIVATE ||
           (kind == MESSAGE_STATUS && queued->sent[0] == '\0' &&
            queued->replaces == NULL);
}

/* The first of a batch: they are next to each other.  `id` is, or was, the
 * number of one. */
static size_t
first_of_batch(const struct outbox *outbox, int64_t id, int64_t batch)
{
    size_t at = place_of(outbox, id);
    while (at > 0 && outbox->list[at - 1]->batch == batch) {
        at--;
    }
    return at;
}

static bool
is_of_batch(const struct outbox *outbox, size_t at, int64_t batch)
{
    return at < outbox->count && outbox->list[at]->batch == batch;
}

/* Is one of the same ruling's messages that go first neither delivered nor
 * refused yet? */
static bool
other_is_awaited(const struct outbox *outbox,
                 const struct queued_message *queued)
{
    size_t at = first_of_batch(outbox, queued->id, queued->batch);
    for (; is_of_batch(outbox, at, queued->batch); at++) {
        const struct queued_message *other = outbox->list[at];
        if (other != queued && goes_first(other) &&
            other->state != QUEUED_SENT && !is_refused(other)) {
            return true;
        }
    }
    return false;
}

static bool
is_blocked(const struct outbox *outbox, const struct queued_message *queued)
{
    if (queued->message.kind == MESSAGE_OPEN) {
        /* Threads hang on posts. */
        const struct queued_message *status =
            outbox_status(outbox, queued->game, queued->thread);
        return status != NULL && status->state != QUEUED_SENT;
    }
    return queued->before != NULL ||
           (queued->message.waits && other_is_awaited(outbox, queued));
}

/* ---- turns --------------------------------------------------------------- */

static struct outbox_turns *
turns_of(const struct outbox *outbox, const struct queued_message *queued)
{
    return &outbox->services[queued->service].turns[queued_rank(queued)];
}

static void
lose_turn(const struct outbox *outbox, struct queued_message *queued)
{
    struct outbox_turns *turns = turns_of(outbox, queued);
    heap_remove(queued->ready ? &turns->ready : &turns->later, &queued->turn);
    queued->ready = false;
}

/* A message that waits for nothing but time has its turn. */
static void
settle(const struct outbox *outbox, struct queued_message *queued)
{
    if (queued->service == NO_SERVICE) {
        return;
    }
    lose_turn(outbox, queued);
    if (queued_waits(queued) && !is_blocked(outbox, queued)) {
        heap_set(&turns_of(outbox, queued)->later, &queued->turn,
                 queued->job.next);
    }
}

/* The same for those of its ruling that may wait for a message. */
static void
settle_batch(const struct outbox *outbox, const struct queued_message *queued)
{
    size_t at = first_of_batch(outbox, queued->id, queued->batch);
    for (; is_of_batch(outbox, at, queued->batch); at++) {
        if (outbox->list[at]->message.waits) {
            settle(outbox, outbox->list[at]);
        }
    }
}

/* For what waits for those behind it: they count as refused with it. */
static void
settle_behind(const struct outbox *outbox, const struct queued_message *queued)
{
    while ((queued = queued->after) != NULL) {
        settle_batch(outbox, queued);
    }
}

/* For the thread that is to hang on a status post. */
static void
settle_threads(const struct outbox *outbox, const struct queued_message *queued)
{
    struct queued_message *other = NULL;
    size_t at = 0;
    while (queued->message.kind == MESSAGE_STATUS &&
           (other = outbox_next_of_game(outbox, queued->game, &at)) != NULL) {
        if (other->message.kind == MESSAGE_OPEN) {
            settle(outbox, other);
        }
    }
}

static void
count_in_flight(const struct outbox *outbox, struct queued_message *queued,
                bool flies)
{
    if (queued->service != NO_SERVICE && flies != queued->flies) {
        size_t *count = &outbox->services[queued->service].in_flight;
        *count = flies ? *count + 1 : *count - 1;
        queued->flies = flies;
    }
}

/* ---- trouble ------------------------------------------------------------- */

/* Is whoever runs the host to be told if it waits for long? */
static bool
is_missed(const struct queued_message *queued)
{
    return (queued->job.failures > 0 || queued->searched != 0) &&
           !queued->alarmed && queued->delivered == 0 &&
           queued->game[0] != '\0' && queued_rank(queued) != RANK_MARK;
}

static void
note_trouble(struct outbox *outbox, struct queued_message *queued)
{
    if (!is_missed(queued)) {
        heap_remove(&outbox->failed, &queued->failed);
    } else if (queued->failed.place == 0) {
        heap_set(&outbox->failed, &queued->failed, queued->waiting);
    }
}

/* ---- changes ------------------------------------------------------------- */

void
outbox_changed(struct outbox *outbox, struct queued_message *queued)
{
    bool stopped = queued->refused_at != 0;
    count_in_flight(outbox, queued, queued_flies(queued));
    settle(outbox, queued);
    settle_batch(outbox, queued);
    settle_threads(outbox, queued);
    if (stopped != queued->stopped) {
        queued->stopped = stopped;
        settle_behind(outbox, queued);
    }
    note_trouble(outbox, queued);
}

static void
set_up(struct outbox *outbox, struct queued_message *queued)
{
    struct heap_item *items[] = {&queued->turn, &queued->failed};
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        *items[i] =
            (struct heap_item){.number = (uint64_t)queued->id, .owner = queued};
    }
    queued->before = NULL;
    queued->after = NULL;
    queued->queues = false;
    queued->ready = false;
    queued->flies = false;
    queued->stopped = false;
    queued->service = outbox->services == NULL
                          ? NO_SERVICE
                          : outbox->service_of(outbox->context, queued->place);
    assert(queued->service == NO_SERVICE ||
           queued->service < outbox->service_count);
}

struct queued_message *
outbox_add(struct outbox *outbox, struct queued_message *queued)
{
    if (outbox->count == outbox->room) {
        outbox->room = outbox->room == 0 ? 16 : 2 * outbox->room;
        outbox->list = must_grow(
            outbox->list, outbox->room * sizeof(struct queued_message *));
    }
    size_t at = place_of(outbox, queued->id);
    struct queued_message *added = must_alloc(sizeof *added);
    *added = *queued;
    memset(queued, 0, sizeof *queued);
    memmove(&outbox->list[at + 1], &outbox->list[at],
            (outbox->count - at) * sizeof(struct queued_message *));
    outbox->list[at] = added;
    outbox->count++;
    set_up(outbox, added);
    list_with(outbox, added, index_add);
    if (keeps_order(added)) {
        join_queue(outbox, added);
    }
    outbox_changed(outbox, added);
    return added;
}

static void
take_out(struct outbox *outbox, struct queued_message *queued)
{
    size_t at = place_of(outbox, queued->id);
    count_in_flight(outbox, queued, false);
    if (queued->service != NO_SERVICE) {
        lose_turn(outbox, queued);
    }
    heap_remove(&outbox->failed, &queued->failed);
    list_with(outbox, queued, index_remove);
    if (queued->queues) {
        leave_queue(outbox, queued);
    }
    outbox->count--;
    memmove(&outbox->list[at], &outbox->list[at + 1],
            (outbox->count - at) * sizeof(struct queued_message *));
}

void
outbox_done(struct outbox *outbox, int64_t id)
{
    struct queued_message *queued = outbox_find(outbox, id);
    assert(queued != NULL);
    if (queued->changed) {
        queued->state = QUEUED_WAITING;
        queued->changed = false;
        queued->job.failures = 0;
        outbox_changed(outbox, queued);
        return;
    }
    take_out(outbox, queued);
    if (queued->after != NULL) {
        settle(outbox, queued->after);
    }
    settle_batch(outbox, queued);
    settle_threads(outbox, queued);
    if (queued->refused_at != 0) {
        settle_behind(outbox, queued);
    }
    queued_free(queued);
}

void
outbox_move(struct outbox *outbox, struct queued_message *queued,
            const char *thread)
{
    bool end = queued->queues && queued->after == NULL;
    list_with(outbox, queued, index_remove);
    if (end) {
        index_remove(&outbox->known, end_key(queued), (uintptr_t)queued);
    }
    (void)snprintf(queued->thread, sizeof queued->thread, "%s", thread);
    free(queued->cursor);
    queued->cursor = NULL;
    list_with(outbox, queued, index_add);
    if (end) {
        index_add(&outbox->known, end_key(queued), (uintptr_t)queued);
    }
    outbox_changed(outbox, queued);
}

void
outbox_hasten(struct outbox *outbox, struct queued_message *queued)
{
    queued->job.next = 0;
    queued->job.failures = 0;
    outbox_changed(outbox, queued);
}

/* ---- which may go -------------------------------------------------------- */

/* What has paused for long enough may go. */
static void
end_pauses(struct outbox_turns *turns, enum rank rank, int64_t now)
{
    struct heap_item *item = heap_first(&turns->later);
    while (item != NULL && item->at <= now) {
        struct queued_message *queued = item->owner;
        heap_remove(&turns->later, item);
        heap_set(&turns->ready, item,
                 rank == RANK_STATUS ? queued->waiting : 0);
        queued->ready = true;
        item = heap_first(&turns->later);
    }
}

struct queued_message *
outbox_first(const struct outbox *outbox, unsigned service, enum rank rank,
             int64_t now)
{
    assert(service < outbox->service_count);
    struct outbox_turns *turns = &outbox->services[service].turns[rank];
    end_pauses(turns, rank, now);
    struct heap_item *first = heap_first(&turns->ready);
    return first == NULL ? NULL : first->owner;
}

bool
outbox_may_by(const struct outbox *outbox, unsigned service, enum rank rank,
              int64_t then)
{
    const struct outbox_turns *turns = &outbox->services[service].turns[rank];
    const struct heap_item *later = heap_first(&turns->later);
    return heap_first(&turns->ready) != NULL ||
           (later != NULL && later->at <= then);
}

bool
outbox_flies(const struct outbox *outbox, unsigned service)
{
    return outbox->services[service].in_flight > 0;
}

int64_t
outbox_wake(const struct outbox *outbox, int64_t now)
{
    int64_t wake = 0;
    for (unsigned i = 0; i < outbox->service_count; i++) {
        for (unsigned rank = 0; rank < RANKS; rank++) {
            struct outbox_turns *turns = &outbox->services[i].turns[rank];
            end_pauses(turns, (enum rank)rank, now);
            const struct heap_item *first = heap_first(&turns->later);
            if (first != NULL && (wake == 0 || first->at < wake)) {
                wake = first->at;
            }
        }
    }
    return wake;
}

struct queued_message *
outbox_overdue(const struct outbox *outbox, int64_t since)
{
    const struct heap_item *first = heap_first(&outbox->failed);
    return first == NULL || first->at > since ? NULL : first->owner;
}

void
outbox_put_off(struct outbox *outbox, struct queued_message *queued,
               int64_t since)
{
    heap_set(&outbox->failed, &queued->failed, since);
}
