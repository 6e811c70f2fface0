#include "bot/host/outbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"

static void
envelope_free(struct envelope *envelope)
{
    letter_release(&envelope->letter);
    free(envelope);
}

void
outbox_release(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++) {
        envelope_free(outbox->list[i]);
    }
    free(outbox->list);
    memset(outbox, 0, sizeof *outbox);
}

/* Where the envelope of that id stands, or would. */
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

/* Must a letter stay behind an earlier one?  Posts of a thread keep their
 * order, and so do a person's messages; reactions and the status post are
 * apart. */
static enum letter_kind
queue_of(const struct letter *letter)
{
    return letter->kind == LETTER_TRANSCRIPT ? LETTER_POST : letter->kind;
}

static bool
same_destination(const struct envelope *earlier, const struct envelope *later)
{
    if (queue_of(&earlier->letter) != queue_of(&later->letter) ||
        strcmp(earlier->place, later->place) != 0) {
        return false;
    }
    switch (later->letter.kind) {
    case LETTER_POST:
    case LETTER_TRANSCRIPT:
        return strcmp(earlier->thread, later->thread) == 0;
    case LETTER_PRIVATE:
        return strcmp(earlier->letter.user, later->letter.user) == 0;
    case LETTER_STATUS:
    case LETTER_REACT:
    case LETTER_DELETE:
    case LETTER_OPEN:
    case LETTER_LOCK:
        break;
    }
    return false;
}

/* Queue up: `at` is where it stands. */
static void
join_queue(const struct outbox *outbox, size_t at)
{
    struct envelope *envelope = outbox->list[at];
    while (at > 0 && envelope->before == NULL) {
        struct envelope *earlier = outbox->list[--at];
        if (same_destination(earlier, envelope)) {
            envelope->before = earlier;
            earlier->after = envelope;
        }
    }
}

static void
leave_queue(const struct envelope *envelope)
{
    if (envelope->before != NULL) {
        envelope->before->after = envelope->after;
    }
    if (envelope->after != NULL) {
        envelope->after->before = envelope->before;
    }
}

struct envelope *
outbox_add(struct outbox *outbox, struct envelope *envelope)
{
    if (outbox->count == outbox->room) {
        outbox->room = outbox->room == 0 ? 16 : 2 * outbox->room;
        outbox->list =
            must_grow(outbox->list, outbox->room * sizeof(struct envelope *));
    }
    size_t at = place_of(outbox, envelope->id);
    struct envelope *added = must_alloc(sizeof *added);
    *added = *envelope;
    memset(envelope, 0, sizeof *envelope);
    memmove(&outbox->list[at + 1], &outbox->list[at],
            (outbox->count - at) * sizeof(struct envelope *));
    outbox->list[at] = added;
    outbox->count++;
    join_queue(outbox, at);
    return added;
}

struct envelope *
outbox_find(struct outbox *outbox, int64_t id)
{
    size_t at = place_of(outbox, id);
    bool there = at < outbox->count && outbox->list[at]->id == id;
    return there ? outbox->list[at] : NULL;
}

struct envelope *
outbox_status(const struct outbox *outbox, const char *game, const char *thread)
{
    for (size_t i = 0; i < outbox->count; i++) {
        struct envelope *envelope = outbox->list[i];
        if (envelope->letter.kind == LETTER_STATUS &&
            strcmp(envelope->game, game) == 0 &&
            strcmp(envelope->thread, thread) == 0) {
            return envelope;
        }
    }
    return NULL;
}

static bool
is_under_way(const struct envelope *envelope)
{
    return envelope->state == ENVELOPE_WAITING ||
           envelope->state == ENVELOPE_IN_FLIGHT;
}

/* Is one of the same docket's private letters under way?  They stand side by
 * side. */
static bool
private_is_under_way(const struct outbox *outbox, size_t at)
{
    int64_t batch = outbox->list[at]->batch;
    size_t i = at;
    while (i > 0 && outbox->list[i - 1]->batch == batch) {
        i--;
    }
    for (; i < outbox->count && outbox->list[i]->batch == batch; i++) {
        const struct envelope *other = outbox->list[i];
        if (i != at && other->letter.kind == LETTER_PRIVATE &&
            is_under_way(other)) {
            return true;
        }
    }
    return false;
}

static bool
is_blocked(const struct outbox *outbox, size_t at)
{
    const struct envelope *envelope = outbox->list[at];
    const struct envelope *earlier = envelope->before;
    while (earlier != NULL && !is_under_way(earlier)) {
        earlier = earlier->before;
    }
    if (envelope->letter.kind == LETTER_OPEN) {
        /* Threads hang on posts. */
        const struct envelope *status =
            outbox_status(outbox, envelope->game, envelope->thread);
        return status != NULL && is_under_way(status);
    }
    return earlier != NULL ||
           (envelope->letter.waits && private_is_under_way(outbox, at));
}

struct envelope *
outbox_next(struct outbox *outbox, const struct envelope *after, int64_t now)
{
    size_t first = after == NULL ? 0 : place_of(outbox, after->id) + 1;
    for (size_t i = first; i < outbox->count; i++) {
        struct envelope *envelope = outbox->list[i];
        if (envelope->state == ENVELOPE_WAITING &&
            envelope->not_before <= now && !is_blocked(outbox, i)) {
            return envelope;
        }
    }
    return NULL;
}

int64_t
outbox_wake(const struct outbox *outbox, int64_t now)
{
    int64_t wake = 0;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct envelope *envelope = outbox->list[i];
        if (envelope->state == ENVELOPE_WAITING && envelope->not_before > now &&
            (wake == 0 || envelope->not_before < wake)) {
            wake = envelope->not_before;
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
envelope_is_stale(const struct envelope *envelope, int64_t now)
{
    return envelope->letter.not_after != 0 && now >= envelope->letter.not_after;
}

static int64_t
pause_after(unsigned attempts)
{
    int64_t steps = attempts < 20 ? attempts : 20;
    int64_t pause = 2 * SECOND_MS * steps * steps;
    return pause < 10 * MINUTE_MS ? pause : 10 * MINUTE_MS;
}

void
envelope_fail(struct envelope *envelope, enum err err, int64_t wait,
              int64_t now)
{
    assert(envelope->state == ENVELOPE_IN_FLIGHT);
    envelope->attempts++;
    envelope->state = ENVELOPE_WAITING;
    envelope->doubtful = true;
    switch (err) {
    case ERR_LIMITED:
        envelope->not_before = now + wait;
        envelope->doubtful = false; /* it was turned away */
        break;
    case ERR_LATER:
    case ERR_GARBLED:
        envelope->not_before = now + pause_after(envelope->attempts);
        break;
    case ERR_DENIED:
        envelope->state = ENVELOPE_HELD;
        envelope->doubtful = false; /* it was turned away */
        break;
    case ERR_GONE:
    case ERR_FULL:
    case ERR_CONFIG:
    case ERR_NONE:
        envelope->state = ENVELOPE_HELD;
        break;
    }
    /* A game would wait for it for ever. */
    if (envelope->state == ENVELOPE_HELD &&
        envelope->letter.kind == LETTER_TRANSCRIPT) {
        envelope->state = ENVELOPE_WAITING;
        envelope->not_before = now + pause_after(envelope->attempts);
    }
}

void
outbox_done(struct outbox *outbox, int64_t id)
{
    size_t at = place_of(outbox, id);
    assert(at < outbox->count && outbox->list[at]->id == id);
    struct envelope *envelope = outbox->list[at];
    if (envelope->letter.kind == LETTER_STATUS && envelope->changed) {
        envelope->state = ENVELOPE_WAITING;
        envelope->changed = false;
        envelope->attempts = 0;
        return;
    }
    leave_queue(envelope);
    envelope_free(envelope);
    outbox->count--;
    memmove(&outbox->list[at], &outbox->list[at + 1],
            (outbox->count - at) * sizeof(struct envelope *));
}
