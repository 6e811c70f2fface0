#include "bot/tables/feeds/reached.h"

#include "bot/base/civil.h"
#include "bot/base/log.h"

#define LATE_REPLY MINUTE_MS /* it does not tell what time it is now */

/* ---- what time it is ----------------------------------------------------- */

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
service_time(const struct feeds *feeds, const struct feed *feed,
             const struct outcome *outcome, int64_t steady)
{
    const struct service_clock *clock = feeds_clock(feeds, feed->service);
    int64_t time = told_time(feed, outcome);
    int64_t shown = service_clock_now(clock, steady);
    bool ahead = clock->at != 0 && time > shown;
    return ahead || (outcome->more && time < shown) ? shown : time;
}

/* The feed of a service of which is saved that it was heard last; NULL: none
 * is. */
static const struct feed *
saved_last(const struct feeds *feeds, const struct service *service)
{
    const struct feed *last = NULL;
    for (size_t i = 0; i < feeds->count; i++) {
        const struct feed *feed = feeds->list[i];
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
restore_clock(struct feeds *feeds, const struct service *service,
              int64_t steady)
{
    struct service_clock *clock = feeds_clock(feeds, service);
    const struct feed *last =
        clock->at == 0 ? saved_last(feeds, service) : NULL;
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
observe_clock(struct feeds *feeds, const struct feed *feed,
              const struct outcome *outcome, int64_t steady)
{
    struct service_clock *clock = feeds_clock(feeds, feed->service);
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
        time + CLOCK_FAR_BACK <
            feeds->by_service[feed->service->number].latest) {
        feeds_unread(feeds, feed->service, outcome->through);
    }
    return believed;
}

bool
reached_note(struct feeds *feeds, struct feed *feed,
             const struct outcome *outcome, int64_t asked_at, int64_t now,
             struct reached *reached)
{
    int64_t steady = now + feeds->steady->back;
    feed->polled_at = now;
    if (!feed_is_lost(feed)) { /* it is so until it was read itself */
        feed->state = outcome->more ? FEED_BEHIND : FEED_CURRENT;
    }
    restore_clock(feeds, feed->service, steady);
    const struct service_clock *clock = feeds_clock(feeds, feed->service);
    const struct service_clock before = *clock;
    bool tells = tells_time(feed, outcome, asked_at, steady);
    if (tells ? !observe_clock(feeds, feed, outcome, steady) : clock->doubted) {
        return false;
    }
    int64_t time = service_time(feeds, feed, outcome, steady);
    *reached = (struct reached){
        .from = feed->through > feed->heard ? feed->through : feed->heard,
        .to = time,
        .outage = feed_missed(feed, steady),
        .tells = tells && clock->others == 0,
        .leapt = tells && service_clock_leapt(clock, &before),
        .before = before,
    };
    feed->heard = time > feed->heard ? time : feed->heard;
    feed->read_at = steady;
    feed->failed_at = 0;
    feed->outage = 0;
    return true;
}

/* ---- how far a feed was read --------------------------------------------- */

/* The time up to which a page has brought everything.  A service that tells its
 * time in whole seconds makes it seem up to a second earlier: it was asked at
 * `asked_at`, and what the service's clock showed then we know better.  It
 * is the clock less the margin, so what was written in the margin was read too,
 * if maybe not all of it; not so if another page follows. */
static int64_t
read_through(const struct feeds *feeds, const struct feed *feed,
             const struct outcome *outcome)
{
    const struct capabilities *capabilities =
        &feed->service->adapter->capabilities;
    const struct service_clock *clock = feeds_clock(feeds, feed->service);
    int64_t asked =
        service_clock_now(clock, feed->asked_at) - capabilities->margin;
    bool closer = capabilities->disorder > 0 && feed->asked_at != 0 &&
                  asked > outcome->through &&
                  asked - outcome->through < SECOND_MS;
    if (outcome->more) {
        return outcome->through - capabilities->margin;
    }
    return closer ? asked : outcome->through;
}

/* Nothing was read beyond what the service's clock shows: the reply may have
 * told a time that is far from it. */
static int64_t
not_ahead(const struct service_clock *clock, int64_t through, int64_t steady)
{
    int64_t time = clock->at == 0 ? through : service_clock_now(clock, steady);
    return through < time ? through : time;
}

void
reached_read(struct feeds *feeds, struct feed *feed,
             const struct outcome *outcome, int64_t now)
{
    const struct service_clock *clock = feeds_clock(feeds, feed->service);
    feed_note_page(feed, outcome);
    if (!clock->doubted) {
        feeds_read_through(feeds, feed,
                           not_ahead(clock, read_through(feeds, feed, outcome),
                                     now + feeds->steady->back));
    }
}
