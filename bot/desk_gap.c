/*
 * The desk: times in which nothing could be read.
 *
 * A gap is measured by the service's clock alone: from the time up to which a
 * thread was read, as the store has it, to the time at which it is read again.
 * While we ask and get no answer, the service is out: that is seen, and adds
 * up.  While nobody asks, the host is not there.  The players are told which,
 * and lose no time by either.
 */
#include "bot/base/log.h"
#include "bot/desk_inner.h"
#include "bot/host/gap.h"

#define LATE_MOST (10 * MINUTE_MS) /* for an attempt that is in time */
#define NOTE_EVERY                                                             \
    (5 * MINUTE_MS) /* when a feed was read is noted so often                  \
                     */

/* The time since it was last asked for, or read, if we were there. */
static int64_t
waited(const struct feed *feed, int64_t now)
{
    int64_t since = feed->failed_at != 0 ? feed->failed_at : feed->read_at;
    int64_t due = feed->next_read > since ? feed->next_read : since;
    bool there = since != 0 && now >= since && now - due <= LATE_MOST;
    return there ? now - since : 0;
}

void
desk_waits(struct feed *feed, int64_t now)
{
    feed->outage += waited(feed, now);
    feed->failed_at = now;
}

/* The service's time as a page comes: if more is to come its `through` is that
 * of an old post. */
static int64_t
service_time(const struct feed *feed, const struct outcome *outcome,
             int64_t now)
{
    int64_t time = outcome->through + feed->service->adapter->traits.margin;
    return outcome->more && time < now ? now : time;
}

/* What could not be read before a page that comes now; false: nothing to speak
 * of. */
static bool
find_gap(const struct feed *feed, const struct outcome *outcome, int64_t now,
         struct gap *gap)
{
    int64_t outage = feed->outage;
    if (feed->failed_at != 0) {
        outage += waited(feed, now);
    }
    int64_t from = feed->through > feed->heard ? feed->through : feed->heard;
    *gap = (struct gap){
        .from = from, .to = service_time(feed, outcome, now), .outage = outage};
    return from != 0 && gap->to - from >= GAP_LEAST;
}

static enum err
tell(struct desk *desk, const struct feed *feed, const struct gap *gap,
     int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        struct table *table = desk->tables[i];
        struct docket docket;
        if ((table->state != TABLE_RUNNING && !table_is_coming(table)) ||
            desk_thread_feed(desk, table) != feed) {
            continue;
        }
        struct house house = desk_house(desk, table, now);
        docket_init(&docket, &house, table);
        desk_unlist(desk, table);
        gap_tell(&docket, gap);
        desk_list(desk, table);
        err = desk_save(desk, &docket, why);
        docket_release(&docket);
    }
    return err;
}

static enum err
note_reading(struct desk *desk, struct feed *feed, struct buf *why)
{
    feed->noted_at = feed->read_at;
    return store_set_reading(desk->store, feed->service->name, feed->name,
                             feed->read_at, feed->heard, why);
}

enum err
desk_reached(struct desk *desk, struct feed *feed,
             const struct outcome *outcome, int64_t now, struct buf *why)
{
    struct gap gap;
    bool found = feed->user[0] == '\0' && find_gap(feed, outcome, now, &gap);
    int64_t heard = service_time(feed, outcome, now);
    feed->heard = heard > feed->heard ? heard : feed->heard;
    feed->read_at = now;
    feed->failed_at = 0;
    feed->outage = 0;
    bool note =
        feed->user[0] == '\0' &&
        (found || now >= feed->noted_at + NOTE_EVERY || now < feed->noted_at);
    if (!note) {
        return ERR_NONE;
    }
    enum err err = store_begin(desk->store, why);
    if (err == ERR_NONE) {
        err = note_reading(desk, feed, why);
    }
    if (err == ERR_NONE && found) {
        log_line(LOG_LEVEL_WARNING,
                 "%s: nothing of %s could be read for %lld minutes",
                 feed->service->name, feed->name,
                 (long long)((gap.to - gap.from) / MINUTE_MS));
        err = tell(desk, feed, &gap, now, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(desk->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(desk->store);
    }
    return err;
}
