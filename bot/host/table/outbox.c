#include "bot/host/table/outbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"

/* We believe no service that asks us to wait for longer. */
#define LIMIT_LONGEST (15 * MINUTE_MS)

static void
queued_free(struct queued_message *queued)
{
    message_release(&queued->message);
    free(queued);
}

void
outbox_release(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++) {
        queued_free(outbox->list[i]);
    }
    free(outbox->list);
    memset(outbox, 0, sizeof *outbox);
}

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

/* Does it tell what has happened at a table, or ask what is next?  Such posts
 * come from a row of the journal; answers don't. */
static bool
is_of_game(const struct queued_message *queued)
{
    return queued->batch > 0;
}

/* Must a message stay behind an earlier one?  The posts of a game in a thread
 * keep their order, and so do its answers, and a person's messages.  Reactions
 * and the status post are exempt, and so is a delivered call that is edited. */
static bool
same_destination(const struct queued_message *earlier,
                 const struct queued_message *later)
{
    enum message_kind kind = earlier->message.kind;
    if (strcmp(earlier->place, later->place) != 0 || earlier->delivered != 0 ||
        later->delivered != 0) {
        return false;
    }
    switch (later->message.kind) {
    case MESSAGE_POST:
    case MESSAGE_TRANSCRIPT:
        return (kind == MESSAGE_POST || kind == MESSAGE_TRANSCRIPT) &&
               is_of_game(earlier) == is_of_game(later) &&
               strcmp(earlier->thread, later->thread) == 0;
    case MESSAGE_PRIVATE:
        return kind == MESSAGE_PRIVATE &&
               strcmp(earlier->message.user, later->message.user) == 0;
    case MESSAGE_STATUS:
    case MESSAGE_REACT:
    case MESSAGE_DELETE:
    case MESSAGE_OPEN:
    case MESSAGE_LOCK:
        break;
    }
    return false;
}

/* Queue a message: `at` is its position. */
static void
join_queue(const struct outbox *outbox, size_t at)
{
    struct queued_message *queued = outbox->list[at];
    while (at > 0 && queued->before == NULL) {
        struct queued_message *earlier = outbox->list[--at];
        if (same_destination(earlier, queued)) {
            queued->before = earlier;
            earlier->after = queued;
        }
    }
}

static void
leave_queue(const struct queued_message *queued)
{
    if (queued->before != NULL) {
        queued->before->after = queued->after;
    }
    if (queued->after != NULL) {
        queued->after->before = queued->before;
    }
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
    join_queue(outbox, at);
    return added;
}

struct queued_message *
outbox_find(struct outbox *outbox, int64_t id)
{
    size_t at = place_of(outbox, id);
    bool there = at < outbox->count && outbox->list[at]->id == id;
    return there ? outbox->list[at] : NULL;
}

struct queued_message *
outbox_status(const struct outbox *outbox, const char *game, const char *thread)
{
    for (size_t i = 0; i < outbox->count; i++) {
        struct queued_message *queued = outbox->list[i];
        if (queued->message.kind == MESSAGE_STATUS &&
            strcmp(queued->game, game) == 0 &&
            strcmp(queued->thread, thread) == 0) {
            return queued;
        }
    }
    return NULL;
}

static bool
is_under_way(const struct queued_message *queued)
{
    return queued->state == QUEUED_WAITING || queued->state == QUEUED_IN_FLIGHT;
}

/* Was a message refused, or the one that it waits behind? */
static bool
is_refused(const struct queued_message *queued)
{
    while (queued != NULL && queued->refused_at == 0) {
        queued = queued->before;
    }
    return queued != NULL;
}

/* Do messages that wait go after it: private ones, and a status post that is
 * not in its place in the thread yet? */
static bool
goes_first(const struct queued_message *queued)
{
    enum message_kind kind = queued->message.kind;
    return kind == MESSAGE_PRIVATE ||
           (kind == MESSAGE_STATUS && queued->sent[0] == '\0');
}

/* Is one of the same ruling's messages that go first neither delivered nor
 * refused yet?  They are next to each other. */
static bool
other_is_awaited(const struct outbox *outbox, size_t at)
{
    int64_t batch = outbox->list[at]->batch;
    size_t i = at;
    while (i > 0 && outbox->list[i - 1]->batch == batch) {
        i--;
    }
    for (; i < outbox->count && outbox->list[i]->batch == batch; i++) {
        const struct queued_message *other = outbox->list[i];
        if (i != at && goes_first(other) && is_under_way(other) &&
            !is_refused(other)) {
            return true;
        }
    }
    return false;
}

static bool
is_blocked(const struct outbox *outbox, size_t at)
{
    const struct queued_message *queued = outbox->list[at];
    const struct queued_message *earlier = queued->before;
    while (earlier != NULL && !is_under_way(earlier)) {
        earlier = earlier->before;
    }
    if (queued->message.kind == MESSAGE_OPEN) {
        /* Threads hang on posts. */
        const struct queued_message *status =
            outbox_status(outbox, queued->game, queued->thread);
        return status != NULL && is_under_way(status);
    }
    return earlier != NULL ||
           (queued->message.waits && other_is_awaited(outbox, at));
}

struct queued_message *
outbox_next(struct outbox *outbox, const struct queued_message *after,
            int64_t now)
{
    size_t first = after == NULL ? 0 : place_of(outbox, after->id) + 1;
    for (size_t i = first; i < outbox->count; i++) {
        struct queued_message *queued = outbox->list[i];
        if (queued->state == QUEUED_WAITING && queued->not_before <= now &&
            !is_blocked(outbox, i)) {
            return queued;
        }
    }
    return NULL;
}

int64_t
outbox_wake(const struct outbox *outbox, int64_t now)
{
    int64_t wake = 0;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct queued_message *queued = outbox->list[i];
        if (queued->state == QUEUED_WAITING && queued->not_before > now &&
            (wake == 0 || queued->not_before < wake)) {
            wake = queued->not_before;
        }
    }
    return wake;
}

void
outbox_set_back(struct outbox *outbox, int64_t by)
{
    for (size_t i = 0; i < outbox->count; i++) {
        outbox->list[i]->not_before -= by;
    }
}

bool
queued_is_stale(const struct queued_message *queued, int64_t now)
{
    return queued->message.not_after != 0 && now >= queued->message.not_after;
}

const struct queued_message *
outbox_call(const struct outbox *outbox, const char *game, unsigned calls)
{
    for (size_t i = 0; i < outbox->count; i++) {
        const struct queued_message *queued = outbox->list[i];
        if (queued->message.kind == MESSAGE_POST && calls != 0 &&
            queued->message.calls == calls && queued->delivered == 0 &&
            is_under_way(queued) && strcmp(queued->game, game) == 0) {
            return queued;
        }
    }
    return NULL;
}

bool
outbox_is_shut(const struct outbox *outbox, const char *place,
               const char *thread)
{
    for (size_t i = 0; i < outbox->count; i++) {
        const struct queued_message *queued = outbox->list[i];
        if (queued->message.kind == MESSAGE_POST && queued->delivered == 0 &&
            queued->refused_at != 0 && queued->refused == REFUSED_RIGHT &&
            strcmp(queued->place, place) == 0 &&
            strcmp(queued->thread, thread) == 0) {
            return true;
        }
    }
    return false;
}

unsigned
outbox_private_calls(const struct outbox *outbox, const char *game,
                     unsigned calls)
{
    unsigned count = 0;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct queued_message *queued = outbox->list[i];
        count += queued->message.kind == MESSAGE_PRIVATE && calls != 0 &&
                 queued->message.calls == calls && is_under_way(queued) &&
                 !is_refused(queued) && strcmp(queued->game, game) == 0;
    }
    return count;
}

/* ---- failures ------------------------------------------------------------ */

/* A pause that grows with the square of the attempts, up to a limit. */
static int64_t
growing(unsigned attempts, int64_t first, int64_t longest)
{
    int64_t steps = attempts < 100 ? attempts : 100;
    int64_t pause = first * steps * steps;
    return pause < longest ? pause : longest;
}

/* How long a message waits after it was refused. */
static int64_t
refused_pause(const struct queued_message *queued, enum refused refused)
{
    switch (refused) {
    case REFUSED_RIGHT:
        return growing(queued->attempts, 10 * SECOND_MS, 5 * MINUTE_MS);
    case REFUSED_ACCOUNT:
        /* It goes when the account is accepted again; unless the account may
         * log in and its messages are refused all the same. */
        return growing(queued->attempts, SECOND_MS, 10 * MINUTE_MS);
    case REFUSED_LOGIN:
        return 10 * MINUTE_MS;
    case REFUSED_PERSON:
        return HOUR_MS;
    case REFUSED_WORDS:
    case REFUSED_EXTRA:
        break;
    }
    return queued->attempts <= SHAPE_LINE ? SECOND_MS : 5 * MINUTE_MS;
}

/* The next form in which words may be taken; after the last, the first again,
 * for a filter may have been changed.  A status post is never split: its `part`
 * counts the posts that replaced it, and each has a key of its own. */
static void
reshape(struct queued_message *queued)
{
    if (queued->message.kind != MESSAGE_STATUS) {
        queued->part = 0;
    }
    queued->shape = queued->shape == SHAPE_LINE
                        ? SHAPE_WHOLE
                        : (enum shape)(queued->shape + 1);
}

static int64_t
fail_refused(struct queued_message *queued, enum refused refused, int64_t now)
{
    queued->doubtful = false; /* it was turned away */
    queued->refused = refused;
    if (queued->refused_at == 0) {
        queued->refused_at = now;
    }
    if (refused == REFUSED_WORDS || refused == REFUSED_EXTRA) {
        reshape(queued);
    }
    return refused_pause(queued, refused);
}

void
queued_fail(struct queued_message *queued, const struct failure *failure,
            int64_t now)
{
    int64_t pause = 0;
    assert(queued->state == QUEUED_IN_FLIGHT);
    queued->attempts++;
    queued->state = QUEUED_WAITING;
    queued->doubtful = true;
    switch (failure->err) {
    case ERR_LIMITED:
        queued->doubtful = false; /* it was turned away */
        pause = failure->wait < LIMIT_LONGEST ? failure->wait : LIMIT_LONGEST;
        break;
    case ERR_LATER:
        pause = growing(queued->attempts, 2 * SECOND_MS, MINUTE_MS);
        break;
    case ERR_DENIED:
        pause = fail_refused(queued, failure->refused, now);
        break;
    case ERR_FULL:
        /* What is too long, or too big, is so wherever it is sent. */
        pause =
            fail_refused(queued,
                         failure->refused == REFUSED_RIGHT ? REFUSED_WORDS
                                                           : failure->refused,
                         now);
        break;
    case ERR_GONE:
        /* Nobody is there to write to, or no thread. */
        pause = fail_refused(queued,
                             queued->message.kind == MESSAGE_PRIVATE
                                 ? REFUSED_PERSON
                                 : REFUSED_RIGHT,
                             now);
        break;
    case ERR_GARBLED:
    case ERR_CONFIG:
    case ERR_NONE:
        pause = growing(queued->attempts, 2 * SECOND_MS, 5 * MINUTE_MS);
        break;
    }
    /* Never before the time that the service has given. */
    int64_t jitter = (int64_t)(failure->chance * (double)pause / 5);
    queued->not_before =
        now + pause + (failure->err == ERR_LIMITED ? jitter : -jitter);
}

void
queued_hasten(struct queued_message *queued)
{
    queued->not_before = 0;
    queued->attempts = 0;
}

void
outbox_done(struct outbox *outbox, int64_t id)
{
    size_t at = place_of(outbox, id);
    assert(at < outbox->count && outbox->list[at]->id == id);
    struct queued_message *queued = outbox->list[at];
    if (queued->message.kind == MESSAGE_STATUS && queued->changed) {
        queued->state = QUEUED_WAITING;
        queued->changed = false;
        queued->attempts = 0;
        return;
    }
    leave_queue(queued);
    queued_free(queued);
    outbox->count--;
    memmove(&outbox->list[at], &outbox->list[at + 1],
            (outbox->count - at) * sizeof(struct queued_message *));
}
