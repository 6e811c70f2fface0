#include "bot/host/table/outbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"

/* No service is believed that it has to be let alone for longer. */
#define LIMIT_LONGEST (15 * MINUTE_MS)

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

/* Does it tell what has happened at a table, or ask what is next?  Such posts
 * come of a row of the journal; answers don't. */
static bool
is_of_game(const struct envelope *envelope)
{
    return envelope->batch > 0;
}

/* Must a message stay behind an earlier one?  The posts of a game in a thread
 * keep their order, and so do its answers, and a person's messages; reactions
 * and the status post are apart, and so is a call that was delivered and is
 * edited. */
static bool
same_destination(const struct envelope *earlier, const struct envelope *later)
{
    enum letter_kind kind = earlier->letter.kind;
    if (strcmp(earlier->place, later->place) != 0 || earlier->delivered != 0 ||
        later->delivered != 0) {
        return false;
    }
    switch (later->letter.kind) {
    case LETTER_POST:
    case LETTER_TRANSCRIPT:
        return (kind == LETTER_POST || kind == LETTER_TRANSCRIPT) &&
               is_of_game(earlier) == is_of_game(later) &&
               strcmp(earlier->thread, later->thread) == 0;
    case LETTER_PRIVATE:
        return kind == LETTER_PRIVATE &&
               strcmp(earlier->letter.user, later->letter.user) == 0;
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

/* Was a private message refused, or the one that it waits behind? */
static bool
is_refused(const struct envelope *envelope)
{
    while (envelope != NULL && envelope->refused_at == 0) {
        envelope = envelope->before;
    }
    return envelope != NULL;
}

/* Was one of the same docket's private messages neither delivered nor refused
 * yet?  They stand side by side. */
static bool
private_is_awaited(const struct outbox *outbox, size_t at)
{
    int64_t batch = outbox->list[at]->batch;
    size_t i = at;
    while (i > 0 && outbox->list[i - 1]->batch == batch) {
        i--;
    }
    for (; i < outbox->count && outbox->list[i]->batch == batch; i++) {
        const struct envelope *other = outbox->list[i];
        if (i != at && other->letter.kind == LETTER_PRIVATE &&
            is_under_way(other) && !is_refused(other)) {
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
           (envelope->letter.waits && private_is_awaited(outbox, at));
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

const struct envelope *
outbox_call(const struct outbox *outbox, const char *game, unsigned calls)
{
    for (size_t i = 0; i < outbox->count; i++) {
        const struct envelope *envelope = outbox->list[i];
        if (envelope->letter.kind == LETTER_POST && calls != 0 &&
            envelope->letter.calls == calls && envelope->delivered == 0 &&
            is_under_way(envelope) && strcmp(envelope->game, game) == 0) {
            return envelope;
        }
    }
    return NULL;
}

bool
outbox_is_shut(const struct outbox *outbox, const char *place,
               const char *thread)
{
    for (size_t i = 0; i < outbox->count; i++) {
        const struct envelope *envelope = outbox->list[i];
        if (envelope->letter.kind == LETTER_POST && envelope->delivered == 0 &&
            envelope->refused_at != 0 && envelope->refused == REFUSED_RIGHT &&
            strcmp(envelope->place, place) == 0 &&
            strcmp(envelope->thread, thread) == 0) {
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
        const struct envelope *envelope = outbox->list[i];
        count += envelope->letter.kind == LETTER_PRIVATE && calls != 0 &&
                 envelope->letter.calls == calls && is_under_way(envelope) &&
                 !is_refused(envelope) && strcmp(envelope->game, game) == 0;
    }
    return count;
}

/* ---- failures ------------------------------------------------------------ */

/* A pause that grows by the square of the attempts, up to a longest. */
static int64_t
growing(unsigned attempts, int64_t first, int64_t longest)
{
    int64_t steps = attempts < 100 ? attempts : 100;
    int64_t pause = first * steps * steps;
    return pause < longest ? pause : longest;
}

/* How long a message waits after it was refused. */
static int64_t
refused_pause(const struct envelope *envelope, enum refused refused)
{
    switch (refused) {
    case REFUSED_RIGHT:
        return growing(envelope->attempts, 10 * SECOND_MS, 5 * MINUTE_MS);
    case REFUSED_ACCOUNT:
        /* It goes when the account is accepted again, unless that lets it in
         * and refuses its messages all the same. */
        return growing(envelope->attempts, SECOND_MS, 10 * MINUTE_MS);
    case REFUSED_LOGIN:
        return 10 * MINUTE_MS;
    case REFUSED_PERSON:
        return HOUR_MS;
    case REFUSED_WORDS:
    case REFUSED_EXTRA:
        break;
    }
    return envelope->attempts <= SHAPE_LINE ? SECOND_MS : 5 * MINUTE_MS;
}

/* The next form in which words may be taken; after the last, the first again:
 * a filter may have been changed.  A status post is never split: its part
 * counts the posts that took its place, and each has a key of its own. */
static void
reshape(struct envelope *envelope)
{
    if (envelope->letter.kind != LETTER_STATUS) {
        envelope->part = 0;
    }
    envelope->shape = envelope->shape == SHAPE_LINE
                          ? SHAPE_WHOLE
                          : (enum shape)(envelope->shape + 1);
}

static int64_t
fail_refused(struct envelope *envelope, enum refused refused, int64_t now)
{
    envelope->doubtful = false; /* it was turned away */
    envelope->refused = refused;
    if (envelope->refused_at == 0) {
        envelope->refused_at = now;
    }
    if (refused == REFUSED_WORDS || refused == REFUSED_EXTRA) {
        reshape(envelope);
    }
    return refused_pause(envelope, refused);
}

void
envelope_fail(struct envelope *envelope, const struct failure *failure,
              int64_t now)
{
    int64_t pause = 0;
    assert(envelope->state == ENVELOPE_IN_FLIGHT);
    envelope->attempts++;
    envelope->state = ENVELOPE_WAITING;
    envelope->doubtful = true;
    switch (failure->err) {
    case ERR_LIMITED:
        envelope->doubtful = false; /* it was turned away */
        pause = failure->wait < LIMIT_LONGEST ? failure->wait : LIMIT_LONGEST;
        break;
    case ERR_LATER:
        pause = growing(envelope->attempts, 2 * SECOND_MS, MINUTE_MS);
        break;
    case ERR_DENIED:
        pause = fail_refused(envelope, failure->refused, now);
        break;
    case ERR_FULL:
        /* What is too long, or too big, is so wherever it is sent. */
        pause =
            fail_refused(envelope,
                         failure->refused == REFUSED_RIGHT ? REFUSED_WORDS
                                                           : failure->refused,
                         now);
        break;
    case ERR_GONE:
        /* Nobody is there to write to, or no thread. */
        pause = fail_refused(envelope,
                             envelope->letter.kind == LETTER_PRIVATE
                                 ? REFUSED_PERSON
                                 : REFUSED_RIGHT,
                             now);
        break;
    case ERR_GARBLED:
    case ERR_CONFIG:
    case ERR_NONE:
        pause = growing(envelope->attempts, 2 * SECOND_MS, 5 * MINUTE_MS);
        break;
    }
    /* Never before the time that the service has told. */
    int64_t jitter = (int64_t)(failure->chance * (double)pause / 5);
    envelope->not_before =
        now + pause + (failure->err == ERR_LIMITED ? jitter : -jitter);
}

void
envelope_hasten(struct envelope *envelope)
{
    envelope->not_before = 0;
    envelope->attempts = 0;
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
