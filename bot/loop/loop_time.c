/* The clock of the loop: how it follows one that jumps, and when it wakes. */
#include "bot/loop/loop_inner.h"
#include "bot/loop/pages.h"
#include "bot/loop/presses.h"
#include "bot/loop/sending.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/timers.h"

void
loop_follow_clock(struct loop *loop, int64_t now)
{
    loop->steady = steady_follow(&loop->tables->clock, now);
    if (loop->leaps) {
        feeds_leap(&loop->tables->feeds, now > loop->now, now);
    }
    loop->now = now;
}

/* When the next feed of a service is read, at the latest at `wake`. */
static int64_t
wake_of_feeds(const struct loop *loop, const struct service *service,
              int64_t wake)
{
    for (unsigned queue = 0; queue < FEED_QUEUES; queue++) {
        const struct feed *feed =
            feeds_first(&loop->tables->feeds, service, (enum feed_queue)queue);
        if (feed != NULL && feed->job.next < wake &&
            pages_have_room(loop, service, (enum feed_queue)queue)) {
            wake = feed->job.next;
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
        if (updates->job.next < wake && pages_may_look(loop, updates)) {
            wake = updates->job.next;
        }
    }
    return wake;
}

/* Only what there is room for counts: until then it is the end of another
 * operation that wakes the loop. */
int64_t
loop_wake(const struct loop *loop, int64_t now)
{
    struct tables *tables = loop->tables;
    int64_t steady = tables_steady(tables, now);
    int64_t wake = steady + MINUTE_MS;
    int64_t message = outbox_wake(&tables->outbox, steady);
    if (sender_is_ready(loop, now)) {
        return now;
    }
    if (message != 0 && message < wake) {
        wake = message;
    }
    for (unsigned i = 0; i < tables->services.count; i++) {
        if (locating_can_read(loop, &tables->services.list[i])) {
            wake = wake_of_feeds(loop, &tables->services.list[i], wake);
        }
        int64_t renew = loop->services[i].renew;
        if (renew != 0 && renew < wake) {
            wake = renew;
        }
        if (!loop->services[i].who.done &&
            dispatch_has_room(loop->dispatch, &tables->services.list[i],
                              TICKET_WHO, ROOM_DUE)) {
            wake = job_wake(&loop->services[i].who, wake);
        }
    }
    wake = presses_wake(loop, locating_wake(loop, wake));
    wake = bells_wake(loop, wake_of_updates(loop, wake));
    wake -= tables->clock.back;
    return wake > now ? wake : now;
}
