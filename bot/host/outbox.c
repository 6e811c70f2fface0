#include "bot/host/outbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"

void
outbox_release(struct outbox *outbox)
{
    for (size_t i = 0; i < outbox->count; i++) {
        letter_release(&outbox->list[i].letter);
    }
    free(outbox->list);
    memset(outbox, 0, sizeof *outbox);
}

struct envelope *
outbox_add(struct outbox *outbox, struct envelope *envelope)
{
    if (outbox->count == outbox->room) {
        outbox->room = outbox->room == 0 ? 16 : 2 * outbox->room;
        outbox->list =
            must_grow(outbox->list, outbox->room * sizeof outbox->list[0]);
    }
    struct envelope *added = &outbox->list[outbox->count++];
    *added = *envelope;
    memset(envelope, 0, sizeof *envelope);
    return added;
}

struct envelope *
outbox_find(struct outbox *outbox, int64_t id)
{
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->list[i].id == id) {
            return &outbox->list[i];
        }
    }
    return NULL;
}

struct envelope *
outbox_status(struct outbox *outbox, const char *game)
{
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->list[i].letter.kind == LETTER_STATUS &&
            strcmp(outbox->list[i].game, game) == 0) {
            return &outbox->list[i];
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

/* Must `later` stay behind `earlier`?  Posts of a thread keep their order, and
 * so do a person's messages; reactions and the status post are apart. */
static bool
same_destination(const struct envelope *earlier, const struct envelope *later)
{
    if (earlier->letter.kind != later->letter.kind ||
        strcmp(earlier->place, later->place) != 0) {
        return false;
    }
    switch (later->letter.kind) {
    case LETTER_POST:
        return strcmp(earlier->thread, later->thread) == 0;
    case LETTER_PRIVATE:
        return strcmp(earlier->letter.user, later->letter.user) == 0;
    case LETTER_STATUS:
    case LETTER_REACT:
    case LETTER_DELETE:
        break;
    }
    return false;
}

static bool
is_blocked(const struct outbox *outbox, size_t at)
{
    const struct envelope *envelope = &outbox->list[at];
    for (size_t i = 0; i < outbox->count; i++) {
        const struct envelope *other = &outbox->list[i];
        if (i == at || !is_under_way(other)) {
            continue;
        }
        bool earlier = i < at && same_destination(other, envelope);
        bool told_in_private = envelope->letter.waits &&
                               other->batch == envelope->batch &&
                               other->letter.kind == LETTER_PRIVATE;
        if (earlier || told_in_private) {
            return true;
        }
    }
    return false;
}

struct envelope *
outbox_next(struct outbox *outbox, const struct envelope *after, int64_t now)
{
    size_t first = after == NULL ? 0 : (size_t)(after - outbox->list) + 1;
    for (size_t i = first; i < outbox->count; i++) {
        struct envelope *envelope = &outbox->list[i];
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
        const struct envelope *envelope = &outbox->list[i];
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
        outbox->list[i].not_before -= by;
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
    case ERR_GONE:
    case ERR_FULL:
    case ERR_CONFIG:
    case ERR_NONE:
        envelope->state = ENVELOPE_HELD;
        break;
    }
}

void
outbox_done(struct outbox *outbox, int64_t id)
{
    struct envelope *envelope = outbox_find(outbox, id);
    assert(envelope != NULL);
    if (envelope->letter.kind == LETTER_STATUS) {
        envelope->state = envelope->changed ? ENVELOPE_WAITING : ENVELOPE_SENT;
        envelope->changed = false;
        envelope->attempts = 0;
        return;
    }
    letter_release(&envelope->letter);
    size_t at = (size_t)(envelope - outbox->list);
    outbox->count--;
    memmove(envelope, envelope + 1,
            (outbox->count - at) * sizeof outbox->list[0]);
}
