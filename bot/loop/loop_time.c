/* The clock of the loop: how it follows one that jumps, and when it wakes. */
#include "bot/loop/bells.h"
#include "bot/loop/locating.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/pages.h"
#include "bot/loop/presses.h"
#include "bot/loop/sender.h"
#include "bot/tables/feeds.h"
#include "bot/tables/tables.h"
#include "bot/tables/tellings.h"

/* Between two turns, and before the first, no time has passed in which we could
 * have missed anything. */
static void
leap(struct loop *loop, int64_t now)
{
    for (size_t i = 0; i < loop->tables->feeds.count; i++) {
        struct feed *feed = loop->tables->feeds.list[i];
        feed->heard = now > feed->heard ? now : feed->heard;
        if (now > loop->now && feed->read_at != 0) {
            feed->read_at = now;
            feed->failed_at = 0;
        }
    }
}

static void
set_place_back(struct loop_place *place, int64_t back)
{
    place->where.next -= back;
    place->dms.next -= back;
    place->trail.next -= back;
    place->probe.next -= back;
    place->right.next -= place->right.next == 0 ? 0 : back;
    place->unpictured[0] -= back;
    place->unpictured[1] -= back;
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
    feeds_set_back(&loop->tables->feeds, back);
    reader_set_back(&loop->reader, back);
    bells_set_back(&loop->bells, back);
    presses_set_back(&loop->presses, back);
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        loop->services[i].next -= back;
        service_clock_set_back(&loop->tables->services.clocks[i], back);
    }
    for (unsigned i = 0; i < loop->tables->conf->place_count; i++) {
        set_place_back(&loop->places[i], back);
    }
    places_change(&loop->tables->places);
    outbox_set_back(&loop->tables->outbox, back);
}

/* Only what there is room for counts here: until then it is the end of another
 * operation that wakes the loop. */
static bool
has_room(const struct loop *loop, const struct service *service,
         enum ticket_kind kind)
{
    return dispatch_has_room(loop->dispatch, service, kind);
}

/* When the next feed of a service is read, at the latest at `wake`. */
static int64_t
wake_of_feeds_of(const struct loop *loop, const struct service *service,
                 int64_t wake)
{
    for (unsigned queue = 0; queue < FEED_QUEUES; queue++) {
        const struct feed *feed =
            feeds_first(&loop->tables->feeds, service, (enum feed_queue)queue);
        if (feed != NULL && feed->next_read < wake &&
            pages_have_room(loop, service, (enum feed_queue)queue)) {
            wake = feed->next_read;
        }
    }
    return wake;
}

static int64_t
wake_of_feeds(const struct loop *loop, int64_t wake)
{
    const struct tables *tables = loop->tables;
    for (unsigned i = 0; i < tables->services.count; i++) {
        const struct service *service = &tables->services.list[i];
        if (locating_can_read(loop, service)) {
            wake = wake_of_feeds_of(loop, service, wake);
        }
    }
    return wake;
}

/* The same for updates feeds. */
static int64_t
wake_of_updates(const struct loop *loop, int64_t wake)
{
    const struct reader *reader = &loop->reader;
    for (size_t i = 0; i < reader->count; i++) {
        const struct updates *updates = reader->updates[i];
        if (updates->wanted && !updates->busy && updates->next < wake &&
            loop_is_open(loop, updates->service) &&
            dispatch_has_spare_room(loop->dispatch, updates->service,
                                    TICKET_UPDATES)) {
            wake = updates->next;
        }
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
    for (unsigned i = 0; i < tables->services.count; i++) {
        if (!loop->services[i].done &&
            has_room(loop, &tables->services.list[i], TICKET_WHO)) {
            wake = asking_wake(&loop->services[i], wake);
        }
    }
    wake = locating_wake(loop, wake);
    wake = presses_wake(loop, tellings_wake(tables, wake));
    wake = bells_wake(loop, wake_of_updates(loop, wake_of_feeds(loop, wake)));
    return wake > now ? wake : now;
}
