#include "bot/loop/pages.h"

#include <stdio.h>

#include "bot/base/log.h"
#include "bot/loop/authorize.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/feeds/readings.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/outages.h"
#include "bot/tables/turns/threads.h"
#include "bot/tables/turns/timers.h"

enum {
    LOOKS_AT_ONCE = 1000 /* feeds of a queue that begin to wait for an updates
                            feed in a turn; the next takes the rest, without
                            waiting: thousands are due when a doorbell falls
                            silent */
};

/* ---- asking -------------------------------------------------------------- */

/* By when a reading should be answered: when something is due, unless that has
 * been due for a while and can't happen for another reason. */
static int64_t
answer_due(const struct loop *loop)
{
    int64_t due = timers_due(loop->tables);
    return due > loop->now - MINUTE_MS / 2 ? due : 0;
}

static void
read_feed(struct loop *loop, struct feed *feed)
{
    struct ticket ticket = {.kind = TICKET_FEED, .of = {.feed = feed}};
    struct op op = {.kind = OP_READ,
                    .feed = feed->name,
                    .cursor = feed->cursor,
                    .post = feed->rung,
                    .since = reader_since(loop, feed),
                    .due = answer_due(loop)};
    feeds_ask(&loop->tables->feeds, feed, op.since, loop->steady);
    loop_ask(loop, feed->service, &op, ticket);
}

bool
pages_may_look(const struct loop *loop, const struct updates *updates)
{
    return updates->waiting != NULL && !updates->job.busy &&
           loop_is_open(loop, updates->service) &&
           dispatch_has_room(loop->dispatch, updates->service, TICKET_UPDATES,
                             ROOM_SPARE);
}

static void
ask_updates(struct loop *loop)
{
    for (size_t i = 0; i < loop->reader.count; i++) {
        struct updates *updates = loop->reader.updates[i];
        if (updates->job.next <= loop->steady &&
            pages_may_look(loop, updates)) {
            struct ticket ticket = {.kind = TICKET_UPDATES,
                                    .of = {.updates = updates}};
            struct op op = {.kind = OP_UPDATES, .feed = updates->name};
            reader_begin_look(loop, updates);
            loop_ask(loop, updates->service, &op, ticket);
        }
    }
}

/* What is merely due leaves room for what comes next. */
bool
pages_have_room(const struct loop *loop, const struct service *service,
                enum feed_queue queue)
{
    enum dispatch_room room = queue == QUEUE_RUNG   ? ROOM_DUE
                              : queue == QUEUE_NEWS ? ROOM_NEWS
                                                    : ROOM_SPARE;
    return dispatch_has_room(loop->dispatch, service, TICKET_FEED, room);
}

/* Read the feeds of a queue whose time has come, or have them wait for their
 * updates feeds, as long as there is room.  The others stay due. */
static void
read_queue(struct loop *loop, const struct service *service,
           enum feed_queue queue)
{
    struct feed *feed = NULL;
    unsigned looks = 0;
    while (looks < LOOKS_AT_ONCE &&
           (feed = reader_next(loop, service, queue)) != NULL) {
        struct updates *updates = reader_updates(loop, feed);
        if (updates != NULL) {
            reader_look_up(loop, feed, updates);
            looks++;
        } else if (pages_have_room(loop, service, queue)) {
            read_feed(loop, feed);
        } else {
            return;
        }
    }
}

void
pages_ask(struct loop *loop)
{
    for (unsigned i = 0; i < loop->tables->services.count; i++) {
        const struct service *service = &loop->tables->services.list[i];
        unsigned queues =
            locating_can_read(loop, service) ? (unsigned)FEED_QUEUES : 0;
        for (unsigned queue = 0; queue < queues; queue++) {
            read_queue(loop, service, (enum feed_queue)queue);
        }
    }
    ask_updates(loop);
}

/* ---- what comes back ----------------------------------------------------- */

/* Is it the service's fault that nothing could be read? */
static bool
is_outage(const struct delivery *delivery)
{
    return delivery->err == ERR_LATER || delivery->err == ERR_LIMITED ||
           delivery->err == ERR_GARBLED;
}

/* Is what was asked for no more, or may the host not read it? */
static bool
is_out_of_sight(const struct delivery *delivery)
{
    return delivery->err == ERR_GONE ||
           (delivery->err == ERR_DENIED && !delivery->unauthorized);
}

static void
put_off(struct loop *loop, struct feed *feed, const struct delivery *delivery)
{
    if (is_outage(delivery)) {
        feed_miss(feed, loop->steady);
    }
    feed_note_failure(feed);
    loop_fail(loop, &feed->job, delivery);
    if (feed->rung != NULL) {
        feeds_hurry(&loop->tables->feeds, feed, feed->job.next);
    } else {
        feeds_plan(&loop->tables->feeds, feed, feed->job.next);
    }
    log_about(loop_level_of(feed->job.failures, delivery),
              &(struct log_subject){.service = feed->service->name,
                                    .event = "unreadable"},
              "%s: reading %s: %s", feed->service->name, feed->name,
              buf_text(&delivery->why));
    if (is_out_of_sight(delivery)) {
        feed_lose(feed, buf_text(&delivery->why));
    }
}

void
pages_take_updates(struct loop *loop, const struct delivery *delivery)
{
    struct updates *updates = delivery->ticket.of.updates;
    updates->job.busy = false;
    if (delivery->err == ERR_NONE) {
        if (updates->job.failures > 0) {
            log_about(LOG_LEVEL_INFO,
                      &(struct log_subject){.service = updates->service->name},
                      "%s: the updates of %s go on", updates->service->name,
                      updates->name);
        }
        loop_take_states(loop, updates->service, &delivery->outcome);
        reader_take_updates(loop, updates, &delivery->outcome);
        return;
    }
    loop_fail(loop, &updates->job, delivery);
    log_about(loop_level_of(updates->job.failures, delivery),
              &(struct log_subject){.service = updates->service->name},
              "%s: the updates of %s: %s", updates->service->name,
              updates->name, buf_text(&delivery->why));
    reader_lack_updates(loop, updates, is_outage(delivery),
                        loop_lacks(delivery));
}

/* What was just taken in may change when the feed is to be read again. */
static void
plan_next(struct loop *loop, struct feed *feed, const struct outcome *outcome)
{
    int64_t now = loop->steady;
    int64_t again = feed_rings_again(feed, &outcome->page);
    if (outcome->more || again >= 0) {
        feeds_hurry(&loop->tables->feeds, feed,
                    outcome->more ? now : now + again);
    } else {
        reader_plan(loop, feed);
    }
    reader_hurry(loop, feed);
}

/* Where ids are names, the host's own posts show what it is called by now. */
static void
follow_name(struct service *service, const struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct post *post = &page->posts[i];
        if (post->own && post->kind == POST_WRITTEN) {
            (void)snprintf(service->self, sizeof service->self, "%s",
                           post->author);
        }
    }
}

void
pages_take(struct loop *loop, const struct delivery *delivery)
{
    int64_t now = loop->now;
    struct feed *feed = delivery->ticket.of.feed;
    feeds_set_busy(&loop->tables->feeds, feed, false);
    enum err read = is_out_of_sight(delivery) ? ERR_GONE : delivery->err;
    threads_note_gone(loop->tables, feed, read, now);
    if (delivery->err != ERR_NONE) {
        put_off(loop, feed, delivery);
        if (!delivery->unauthorized && feed->user[0] == '\0') {
            loop_alarm(loop, feed->job.failures, delivery);
        }
        return;
    }
    if (feed->job.failures > 0) {
        log_about(LOG_LEVEL_INFO,
                  &(struct log_subject){.service = feed->service->name,
                                        .event = "readable"},
                  "%s: reading %s goes on", feed->service->name, feed->name);
    }
    feed->job.failures = 0;
    follow_name(feed->service, &delivery->outcome.page);
    service_authorize_by(feed->service, &delivery->outcome.states,
                         loop->dispatch);
    outages_reached(loop->tables, feed, &delivery->outcome, feed->asked_at,
                    now);
    intake_take_page(loop->tables, feed, &delivery->outcome, now);
    readings_taken(&loop->tables->feeds, feed, &delivery->outcome,
                   loop->steady);
    plan_next(loop, feed, &delivery->outcome);
}
