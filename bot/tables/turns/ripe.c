#include "bot/tables/turns/ripe.h"

#include "bot/tables/hosted.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/deferred.h"

int64_t
ripe_wait(const struct feed *feed)
{
    const struct capabilities *capabilities =
        &feed->service->adapter->capabilities;
    return capabilities->disorder == 0 ? capabilities->margin
                                       : capabilities->disorder;
}

/* The earlier of a time and that at which a table's timer can fire, if it waits
 * for a feed. */
static int64_t
not_after_timer(int64_t time, const struct hosted_table *hosted,
                const struct feed *feed)
{
    const struct timer *timer = &hosted->timer;
    int64_t at = timer->at + feed->service->adapter->capabilities.margin;
    bool waits = timer->kind != TIMER_NONE && timer->at > feed->through;
    return waits && at < time ? at : time;
}

/* The earlier of a time and that at which a post can be judged. */
static int64_t
not_after_post(int64_t time, int64_t post, const struct feed *feed)
{
    return post < time - ripe_wait(feed) ? post + ripe_wait(feed) : time;
}

/* The earlier of a time and that at which something can happen at a table which
 * waits for a feed. */
static int64_t
not_after_table(int64_t time, const struct tables *tables,
                const struct hosted_table *hosted, const struct feed *feed)
{
    time = not_after_timer(time, hosted, feed);
    return not_after_post(time, deferred_first_at(tables, hosted, feed), feed);
}

int64_t
ripe_at(struct tables *tables, const struct feed *feed)
{
    const struct hosted_table *hosted = NULL;
    int64_t time =
        not_after_post(INT64_MAX, deferred_first(tables, feed), feed);
    size_t at = 0;
    while ((hosted = hosted_next_of_feed(tables, feed->service, feed->name,
                                         &at)) != NULL) {
        time = not_after_table(time, tables, hosted, feed);
    }
    at = 0;
    while (feed_has_dms(feed) && !feed->shared &&
           (hosted = hosted_next_of_user(tables, feed->service, feed->user,
                                         &at)) != NULL) {
        unsigned seat = table_seat(&hosted->table, feed->user);
        if (seat != NO_SEAT &&
            seat_in(seat, table_private_seats(&hosted->table))) {
            time = not_after_table(time, tables, hosted, feed);
        }
    }
    if (feed->shared && deferred_awaits(tables, feed)) {
        hosted = hosted_next_due(tables, feed->service);
        time = hosted == NULL ? time : not_after_timer(time, hosted, feed);
    }
    return time;
}
