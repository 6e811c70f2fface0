/*
 * The tables: times in which nothing could be read.
 *
 * An outage is measured by the service's clock alone: from the time up to which
 * a thread was read, as saved in the store, to the time when it is read again.
 * While we ask and get no answer, the service is out; we see that and add it
 * up. While nobody asks, the host was not running.  The players are told which
 * of the two it was, and lose no time by either.
 */
#include "bot/tables/outages.h"

#include "bot/base/log.h"
#include "bot/host/judge/outage.h"
#include "bot/places/service_clock.h"
#include "bot/tables/calls.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/readings.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"

#define LATE_MOST  (10 * MINUTE_MS) /* for an attempt that is in time */
#define FAR_BACK   DAY_MS           /* less does not matter: it catches up */
#define LATE_REPLY MINUTE_MS        /* it does not tell what time it is now */

/* The time since it was last asked for, or read, if we were running. */
static int64_t
waited(const struct feed *feed, int64_t now)
{
    int64_t since = feed->failed_at != 0 ? feed->failed_at : feed->read_at;
    int64_t due = feed->job.next > since ? feed->job.next : since;
    bool there = since != 0 && now >= since && now - due <= LATE_MOST;
    return there ? now - since : 0;
}

void
tables_waits(struct feed *feed, int64_t now)
{
    feed->outage += waited(feed, now);
    feed->failed_at = now;
}

/* The time that a page tells. */
static int64_t
told_time(const struct feed *feed, const struct outcome *outcome)
{
    int64_t margin = feed->service->adapter->capabilities.margin;
    return outcome->through < CLOCK_LAST_MS - margin ? outcome->through + margin
                                                     : CLOCK_LAST_MS;
}

/* The service's time when a page comes.  If more is to come, its `through` is
 * that of an old post.  What tells of no time that counts, since it came late,
 * may be far ahead. */
static int64_t
service_time(struct tables *tables, const struct feed *feed,
             const struct outcome *outcome, int64_t steady)
{
    const struct service_clock *clock =
        services_clock(&tables->services, feed->service);
    int64_t time = told_time(feed, outcome);
    int64_t shown = service_clock_now(clock, steady);
    bool ahead = clock->at != 0 && time > shown;
    return ahead || (outcome->more && time < shown) ? shown : time;
}

/* A thread that was never read has brought nothing since its first question was
 * put; 0: there is none. */
static int64_t
first_question(const struct tables *tables, const struct feed *feed)
{
    const struct entry *entry = NULL;
    int64_t first = 0;
    size_t at = 0;
    while ((entry = tables_next_of_feed(tables, feed->service, feed->name,
                                        &at)) != NULL) {
        int64_t opened = table_put_at(&entry->table);
        first = opened != 0 && (first == 0 || opened < first) ? opened : first;
    }
    return first;
}

/* What could not be read before the page that comes now; false: nothing worth
 * telling. */
static bool
find_gap(struct tables *tables, const struct feed *feed,
         const struct outcome *outcome, int64_t steady, struct outage *gap)
{
    int64_t outage = feed->outage;
    if (feed->failed_at != 0) {
        outage += waited(feed, steady);
    }
    int64_t from = feed->through > feed->heard ? feed->through : feed->heard;
    from = from == 0 ? first_question(tables, feed) : from;
    *gap = (struct outage){.from = from,
                           .to = service_time(tables, feed, outcome, steady),
                           .outage = outage};
    return from != 0 && gap->to - from >= OUTAGE_LEAST;
}

static enum err
tell(struct tables *tables, const struct feed *feed, const struct outage *gap,
     int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct entry *entry = NULL;
    size_t at = 0;
    while (err == ERR_NONE &&
           (entry = tables_next_of_feed(tables, feed->service, feed->name,
                                        &at)) != NULL) {
        const struct table *table = &entry->table;
        struct rule rule;
        if (table->state != TABLE_RUNNING && !table_is_coming(table)) {
            continue;
        }
        rule_begin_now(tables, entry, now, &rule);
        outage_tell(&rule.ruling, gap);
        err = rule_end(tables, &rule, why);
    }
    return err;
}

/* The next table of a feed whose question was put at a time that is yet to
 * come: a clock was wrong by more than a day. */
static struct entry *
next_ahead(const struct tables *tables, const struct feed *feed, int64_t time,
           size_t *at)
{
    struct entry *entry;
    do {
        entry = tables_next_of_feed(tables, feed->service, feed->name, at);
    } while (entry != NULL && table_put_at(&entry->table) <= time + FAR_BACK);
    return entry;
}

/* The open question of a table begins anew, by the clock that is believed. */
static enum err
begin_anew(struct tables *tables, struct entry *entry, int64_t time,
           struct buf *why)
{
    struct rule rule;
    rule_begin(tables, entry, time, &rule);
    outage_begin_anew(&rule.ruling);
    return rule_end(tables, &rule, why);
}

/* Such questions begin anew, or they would never end. */
static enum err
set_right(struct tables *tables, const struct feed *feed, int64_t now,
          struct buf *why)
{
    enum err err = ERR_NONE;
    int64_t time = tables_service_now(tables, feed->service, now);
    struct entry *entry = NULL;
    size_t at = 0;
    while (err == ERR_NONE &&
           (entry = next_ahead(tables, feed, time, &at)) != NULL) {
        err = begin_anew(tables, entry, time, why);
    }
    return err;
}

/* The clock was behind, as it was `before`: so do questions that were put by
 * it.  They may have named a later deadline than theirs. */
static enum err
make_up_for(struct tables *tables, const struct service *service,
            const struct service_clock *before, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    int64_t time = tables_service_now(tables, service, now);
    int64_t until = before->time + (tables_steady(tables, now) - before->at);
    for (size_t i = 0; err == ERR_NONE && i < tables->table_count; i++) {
        struct entry *entry = tables->list[i];
        int64_t opened = table_put_at(&entry->table);
        if (entry->service == service && opened >= before->time &&
            opened <= until) {
            err = begin_anew(tables, entry, time, why);
        }
    }
    return err;
}

static bool
any_ahead(struct tables *tables, const struct feed *feed, int64_t now)
{
    int64_t time = tables_service_now(tables, feed->service, now);
    size_t at = 0;
    return tables->last_opened[services_number(
               &tables->services, feed->service)] > time + FAR_BACK &&
           next_ahead(tables, feed, time, &at) != NULL;
}

/* The feed of a service of which is saved that it was heard last; NULL: none
 * is. */
static const struct feed *
saved_last(const struct tables *tables, const struct service *service)
{
    const struct feed *last = NULL;
    for (size_t i = 0; i < tables->feeds.count; i++) {
        const struct feed *feed = tables->feeds.list[i];
        if (feed->service == service && feed->saved != 0 &&
            feed->heard == feed->saved &&
            (last == NULL || feed->saved > last->saved)) {
            last = feed;
        }
    }
    return last;
}

/* What the service's clock showed before the start is known from whichever feed
 * was heard last then.  If that is yet to come by our clock, ours was set back,
 * and nobody knows how long ago it was. */
static void
restore_clock(struct tables *tables, const struct service *service,
              int64_t steady)
{
    struct service_clock *clock = services_clock(&tables->services, service);
    const struct feed *last =
        clock->at == 0 ? saved_last(tables, service) : NULL;
    if (last != NULL) {
        clock->time = last->heard;
        clock->at = last->read_at < steady ? last->read_at : steady;
    }
}

/* Does a page tell what time it is? */
static bool
tells_time(const struct feed *feed, const struct outcome *outcome,
           int64_t asked_at, int64_t steady)
{
    return !outcome->more && outcome->through != 0 && feed->user[0] == '\0' &&
           steady - asked_at <= LATE_REPLY;
}

/* Take in what a service's clock shows; false: it is not believed. */
static bool
observe_clock(struct tables *tables, const struct feed *feed,
              const struct outcome *outcome, int64_t steady)
{
    struct service_clock *clock =
        services_clock(&tables->services, feed->service);
    int64_t time = told_time(feed, outcome);
    bool before = clock->doubted;
    bool believed = service_clock_observe(clock, time, steady);
    if (believed == before) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.service = feed->service->name},
                  believed ? "%s: its clock is believed again"
                           : "%s: its clock is ahead of the time that passed "
                             "here; no deadline fires until they agree",
                  feed->service->name);
    }
    if (clock->others == 0 &&
        time + FAR_BACK < feeds_latest(&tables->feeds, feed->service)) {
        feeds_unread(&tables->feeds, feed->service, outcome->through);
    }
    return believed;
}

/* A page has come; one that is lost is so until it was read itself. */
static void
note_page(struct feed *feed, const struct outcome *outcome, bool taking)
{
    if (!feed_is_lost(feed)) {
        feed->state = taking          ? FEED_TAKING
                      : outcome->more ? FEED_BEHIND
                                      : FEED_CURRENT;
    }
}

enum err
tables_reached(struct tables *tables, struct feed *feed,
               const struct outcome *outcome, int64_t asked_at, int64_t now,
               struct buf *why)
{
    struct outage gap;
    int64_t steady = tables_steady(tables, now);
    feed->polled_at = now;
    note_page(feed, outcome, outcome->page.count > 0);
    restore_clock(tables, feed->service, steady);
    const struct service_clock *clock =
        services_clock(&tables->services, feed->service);
    const struct service_clock before = *clock;
    bool tells = tells_time(feed, outcome, asked_at, steady);
    if (tells ? !observe_clock(tables, feed, outcome, steady)
              : clock->doubted) {
        return ERR_NONE;
    }
    bool found =
        feed->user[0] == '\0' && find_gap(tables, feed, outcome, steady, &gap);
    int64_t heard = service_time(tables, feed, outcome, steady);
    feed->heard = heard > feed->heard ? heard : feed->heard;
    feed->read_at = steady;
    feed->failed_at = 0;
    feed->outage = 0;
    /* What time it is has to be told, and agree with what was told before: at a
     * start it may be known by our clock alone, which may be wrong. */
    bool ahead = tells && clock->others == 0 && any_ahead(tables, feed, now);
    bool leapt = tells && service_clock_leapt(clock, &before);
    bool note = feed->user[0] == '\0' &&
                (found || ahead || leapt || readings_due(tables, feed, steady));
    if (!note) {
        return ERR_NONE;
    }
    enum err err = store_begin(tables->store, why);
    if (err == ERR_NONE) {
        err = readings_save(tables, feed, found || ahead || leapt, steady, why);
    }
    if (err == ERR_NONE && ahead) {
        err = set_right(tables, feed, now, why);
    }
    if (err == ERR_NONE && leapt) {
        err = make_up_for(tables, feed->service, &before, now, why);
    }
    if (err == ERR_NONE && found) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.service = feed->service->name,
                                        .event = "gap"},
                  "%s: nothing of %s could be read for %lld minutes",
                  feed->service->name, feed->name,
                  (long long)((gap.to - gap.from) / MINUTE_MS));
        err = tell(tables, feed, &gap, now, why);
    }
    return tables_end(tables, err, why);
}

enum err
tables_taken(struct tables *tables, struct feed *feed,
             const struct outcome *outcome, int64_t now, struct buf *why)
{
    bool took = feed->state == FEED_TAKING;
    int64_t steady = tables_steady(tables, now);
    note_page(feed, outcome, false);
    if (!took || feed->user[0] != '\0' || feed->read_at != steady ||
        !readings_due(tables, feed, steady)) {
        return ERR_NONE;
    }
    enum err err = store_begin(tables->store, why);
    if (err == ERR_NONE) {
        err = readings_save(tables, feed, false, steady, why);
    }
    return tables_end(tables, err, why);
}
