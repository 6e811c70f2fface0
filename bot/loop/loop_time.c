/* The clock of the loop: how it follows one that jumps, and when it wakes. */
#include "bot/loop/loop_inner.h"

/* Between two turns, and before the first, no time has passed in which we could
 * have missed anything. */
static void
leap(struct loop *loop, int64_t now)
{
    for (size_t i = 0; i < loop->tables->feed_count; i++) {
        struct feed *feed = &loop->tables->feeds[i];
        feed->heard = now > feed->heard ? now : feed->heard;
        if (now > loop->now && feed->read_at != 0) {
            feed->read_at = now;
            feed->failed_at = 0;
        }
    }
}

/* When the clock is set back, whatever waits still waits as long as it would
 * have.  Otherwise the host would do nothing until the clock has caught up. */
void
loop_follow_clock(struct loop *loop, int64_t now)
{
    int64_t back = loop->now - now;
    if (loop->leaps) {
        leap(loop, now);
    }
    loop->now = now;
    if (back <= 0) {
        return;
    }
    for (size_t i = 0; i < loop->tables->feed_count; i++) {
        struct feed *feed = &loop->tables->feeds[i];
        feed->next_read -= back;
        feed->read_at -= feed->read_at == 0 ? 0 : back;
        feed->failed_at -= feed->failed_at == 0 ? 0 : back;
    }
    for (size_t i = 0; i < loop->tables->updates_count; i++) {
        loop->tables->updates[i].next -= back;
        loop->tables->updates[i].off_until -= back;
    }
    for (size_t i = 0; i < PLACES_MAX; i++) {
        loop->services[i].next -= back;
        loop->places[i].next -= back;
        loop->dms[i].next -= back;
        loop->trails[i].next -= back;
        loop->probes[i].next -= back;
        loop->rights[i].next -= back;
        loop->unpictured[i][0] -= back;
        loop->unpictured[i][1] -= back;
    }
    outbox_set_back(&loop->tables->outbox, back);
}

static int64_t
earlier_asking(const struct asking *asking, int64_t wake)
{
    return !asking->busy && asking->next < wake ? asking->next : wake;
}

/* When a place is asked where it is, how long posts may be there, or where its
 * game has gone; at the latest at `wake`. */
static int64_t
wake_of_place(const struct loop *loop, unsigned number, int64_t wake)
{
    struct tables *tables = loop->tables;
    bool found = tables->threads[number][0] != '\0';
    if (!loop_is_open(loop, tables_service_of(tables, number))) {
        return wake;
    }
    if (!found || !loop->probes[number].done) {
        wake = earlier_asking(
            found ? &loop->probes[number] : &loop->places[number], wake);
    }
    if (tables_astray(tables, number) != NULL && !loop->trails[number].done) {
        wake = earlier_asking(&loop->trails[number], wake);
    }
    return wake;
}

int64_t
loop_wake(const struct loop *loop, int64_t now)
{
    struct tables *tables = loop->tables;
    int64_t wake = now + MINUTE_MS;
    int64_t message = outbox_wake(&tables->outbox, now);
    if (sender_is_ready(loop, now)) {
        return now;
    }
    if (message != 0 && message < wake) {
        wake = message;
    }
    for (unsigned i = 0; i < tables->service_count; i++) {
        if (!loop->services[i].done) {
            wake = earlier_asking(&loop->services[i], wake);
        }
    }
    for (unsigned i = 0; i < tables->conf->place_count; i++) {
        wake = wake_of_place(loop, i, wake);
    }
    for (size_t i = 0; i < tables->feed_count; i++) {
        const struct feed *feed = &tables->feeds[i];
        if (!feed->busy && feed->updates == 0 && feed->next_read < wake &&
            loop_can_read(loop, feed)) {
            wake = feed->next_read;
        }
    }
    for (size_t i = 0; i < tables->updates_count; i++) {
        const struct updates *updates = &tables->updates[i];
        if (updates->wanted && !updates->busy && updates->next < wake &&
            loop_is_open(loop, updates->service)) {
            wake = updates->next;
        }
    }
    return wake > now ? wake : now;
}
