/*
 * The desk: times in which nothing could be read.
 *
 * While we ask and get no answer, the service is out: that is seen, and adds
 * up.  While nobody asks, the host is not there (it was ended, or the machine
 * slept), and a clock that jumps looks the same.  So the time between two
 * attempts counts as an outage only if the second came about when it was due.
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

/* What could not be read before a page that comes now; false: nothing to speak
 * of.  A clock that was set forward is no gap: the service's has not jumped. */
static bool
find_gap(const struct feed *feed, const struct outcome *outcome, int64_t now,
         struct gap *gap)
{
    int64_t outage = feed->outage;
    if (feed->failed_at != 0) {
        outage += waited(feed, now);
    }
    bool jumped = feed->through != 0 && !outcome->more &&
                  outcome->through - feed->through < GAP_LEAST;
    bool away =
        feed->read_at != 0 && now - feed->read_at >= GAP_LEAST && !jumped;
    *gap = (struct gap){.from = now - outage, .to = now, .outage = outage};
    if (away && feed->read_at < gap->from) {
        gap->from = feed->read_at;
    }
    return away || outage >= GAP_LEAST;
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
        err = store_save_docket(desk->store, &docket, &desk->outbox, why);
        docket_release(&docket);
    }
    return err;
}

static enum err
note_reading(struct desk *desk, struct feed *feed, struct buf *why)
{
    feed->noted_at = feed->read_at;
    return store_set_read_at(desk->store, feed->service->name, feed->name,
                             feed->read_at, why);
}

enum err
desk_reached(struct desk *desk, struct feed *feed,
             const struct outcome *outcome, int64_t now, struct buf *why)
{
    struct gap gap;
    bool found = feed->user[0] == '\0' && find_gap(feed, outcome, now, &gap);
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
