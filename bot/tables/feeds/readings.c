#include "bot/tables/feeds/readings.h"

#include <string.h>

#include "bot/base/civil.h"

#define NOTE_EVERY MINUTE_MS /* how often it is saved */

/* How far behind one may be that shares it: some are read every few minutes. */
#define BEHIND_MOST (8 * MINUTE_MS)

bool
readings_due(const struct feeds *feeds, const struct feed *feed, int64_t now)
{
    int64_t last = feeds->by_service[feed->service->number].noted_at;
    return feed->state == FEED_BEHIND || now >= last + NOTE_EVERY || now < last;
}

/* When the service's clock showed the time up to which a feed was heard, by our
 * clock; 0: that is not known.  A page that was long under way shows an earlier
 * time than that at which it came. */
static int64_t
when_heard(struct feeds *feeds, const struct feed *feed)
{
    const struct service_clock *clock = feeds_clock(feeds, feed->service);
    int64_t at = service_clock_when(clock, feed->heard);
    at = at < feed->read_at ? at : feed->read_at;
    return clock->at == 0 ? 0 : at - feeds->steady->back;
}

/* A host that starts compares the service's clock with both times.  Where more
 * is to be read, or to be taken in, our time is not saved: a host that starts
 * has to read that, whatever the updates feed says. */
void
readings_save_apart(struct feeds *feeds, struct feed *feed, bool taken)
{
    bool knows =
        taken && feed->state == FEED_CURRENT && when_heard(feeds, feed) != 0;
    feed->shares_reading = false;
    store_set_reading(feeds->store, feed->service->name, feed->name,
                      knows ? when_heard(feeds, feed) : 0, feed->heard);
}

/* Was it read lately, and to its end? */
static bool
keeps_up(const struct feed *feed, const struct feed *reached)
{
    return feed->state == FEED_CURRENT &&
           feed->heard >= reached->heard - BEHIND_MOST;
}

/* One that keeps up shares what is saved from now on, and another one does so
 * no more. */
static void
set_sharing(struct feeds *feeds, struct feed *feed, bool shares)
{
    if (!shares) {
        readings_save_apart(feeds, feed, true);
        return;
    }
    feed->shares_reading = true;
    store_share_reading(feeds->store, feed->service->name, feed->name,
                        feed->heard);
}

/* Which feeds of a service share it?  *last: the one of them that was heard
 * least far. */
static void
divide(struct feeds *feeds, const struct feed *reached,
       const struct feed **last)
{
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        bool shares = keeps_up(feed, reached);
        if (feed->service != reached->service || feed->user[0] != '\0') {
            continue;
        }
        if (shares != feed->shares_reading) {
            set_sharing(feeds, feed, shares);
        }
        if (shares && feed->heard < (*last)->heard) {
            *last = feed;
        }
    }
}

static void
save_shared(struct feeds *feeds, const struct feed *reached, int64_t now)
{
    const struct feed *last = reached;
    divide(feeds, reached, &last);
    feeds->by_service[reached->service->number].noted_at = now;
    store_set_shared_reading(feeds->store, reached->service->name,
                             when_heard(feeds, last), last->heard);
}

void
readings_save(struct feeds *feeds, struct feed *feed, int64_t now)
{
    if (feed->state == FEED_CURRENT && when_heard(feeds, feed) != 0) {
        save_shared(feeds, feed, now);
    } else {
        readings_save_apart(feeds, feed, true);
    }
}

void
readings_taken(struct feeds *feeds, struct feed *feed,
               const struct outcome *outcome, int64_t now)
{
    if (outcome->page.count == 0 || feed->user[0] != '\0' ||
        feed->read_at != now || !readings_due(feeds, feed, now)) {
        return;
    }
    store_begin(feeds->store);
    readings_save(feeds, feed, now);
    store_commit(feeds->store);
}
