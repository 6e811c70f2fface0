#include "bot/loop/pages.h"

#include "bot/base/log.h"
#include "bot/loop/authorize.h"
#include "bot/loop/locating.h"
#include "bot/loop/loop_inner.h"
#include "bot/tables/feeds.h"
#include "bot/tables/intake.h"
#include "bot/tables/outages.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

/* ---- asking -------------------------------------------------------------- */

/* By when a reading should be answered: when something is due, unless that has
 * been due for a while and can't happen for another reason. */
static int64_t
answer_due(const struct loop *loop)
{
    int64_t due = tables_due(loop->tables);
    return due > loop->now - MINUTE_MS / 2 ? due : 0;
}

static void
read_feed(struct loop *loop, struct feed *feed)
{
    struct ticket ticket = {.kind = TICKET_FEED, .of = {.feed = feed}};
    struct op op = {.kind = OP_READ,
                    .feed = feed->name,
                    .cursor = feed->cursor,
                    .since = reader_since(loop->tables, feed, loop->now),
                    .due = answer_due(loop)};
    feeds_set_busy(&loop->tables->feeds, feed, true);
    feed->asked_at = loop->now;
    loop_ask(loop, feed->service, &op, ticket);
}

static void
ask_updates(struct loop *loop, int64_t now)
{
    for (size_t i = 0; i < loop->reader.count; i++) {
        struct updates *updates = loop->reader.updates[i];
        struct ticket ticket = {.kind = TICKET_UPDATES,
                                .of = {.updates = updates}};
        struct op op = {.kind = OP_UPDATES, .feed = updates->name};
        if (updates->wanted && !updates->busy && updates->next <= now &&
            loop_is_open(loop, updates->service) &&
            dispatch_has_room(loop->dispatch, updates->service,
                              TICKET_UPDATES)) {
            reader_begin_look(&loop->reader, loop->tables, updates, now);
            loop_ask(loop, updates->service, &op, ticket);
        }
    }
}

/* Read the feeds of a service whose time has come, as long as there is room.
 * The others stay due. */
static void
read_feeds_of(struct loop *loop, const struct service *service, int64_t now)
{
    struct tables *tables = loop->tables;
    struct feed *feed = NULL;
    while (dispatch_has_room(loop->dispatch, service, TICKET_FEED) &&
           (feed = reader_next(tables, service, now)) != NULL) {
        struct updates *updates =
            reader_updates(&loop->reader, tables, feed, now);
        if (updates != NULL) {
            reader_look_up(&loop->reader, tables, feed, updates, now);
        } else {
            read_feed(loop, feed);
        }
    }
}

void
pages_ask(struct loop *loop, int64_t now)
{
    const struct tables *tables = loop->tables;
    for (unsigned i = 0; i < tables->service_count; i++) {
        if (locating_can_read(loop, &tables->services[i])) {
            read_feeds_of(loop, &tables->services[i], now);
        }
    }
    ask_updates(loop, now);
}

/* ---- what comes back ----------------------------------------------------- */

/* Is it the service's fault that nothing could be read? */
static bool
is_outage(const struct delivery *delivery)
{
    return delivery->err == ERR_LATER || delivery->err == ERR_LIMITED ||
           delivery->err == ERR_GARBLED;
}

static void
put_off(struct loop *loop, struct feed *feed, const struct delivery *delivery,
        int64_t now)
{
    if (is_outage(delivery)) {
        tables_waits(feed, now);
    }
    feed->failures++;
    feeds_plan(
        &loop->tables->feeds, feed,
        now + asking_pause_after(loop_chance(loop), feed->failures, delivery));
    log_line(asking_level_of(feed->failures, delivery), "%s: reading %s: %s",
             feed->service->name, feed->name, buf_text(&delivery->why));
    bool denied = delivery->err == ERR_DENIED && !delivery->unauthorized;
    if (denied || delivery->err == ERR_GONE) {
        tables_lose(feed, buf_text(&delivery->why));
    }
}

/* An updates feed has answered for the feeds that wait for it, or has failed
 * to. */
static enum err
answer_feeds(struct loop *loop, const struct updates *updates,
             const struct delivery *delivery, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (struct feed *feed = updates->waiting; err == ERR_NONE && feed != NULL;
         feed = feed->behind) {
        if (delivery->err == ERR_NONE) {
            err = tables_reached(loop->tables, feed, &delivery->outcome, now,
                                 why);
        } else if (is_outage(delivery)) {
            tables_waits(feed, now);
        }
    }
    return err;
}

enum err
pages_take_updates(struct loop *loop, const struct delivery *delivery,
                   int64_t now, struct buf *why)
{
    struct updates *updates = delivery->ticket.of.updates;
    enum err err = answer_feeds(loop, updates, delivery, now, why);
    updates->busy = false;
    if (delivery->err == ERR_NONE) {
        reader_take_updates(loop->tables, updates, &delivery->outcome, now);
        return err;
    }
    updates->failures++;
    log_line(asking_level_of(updates->failures, delivery),
             "%s: the updates of %s: %s", updates->service->name, updates->name,
             buf_text(&delivery->why));
    reader_lack_updates(
        loop->tables, updates,
        asking_pause_after(loop_chance(loop), updates->failures, delivery),
        delivery->err != ERR_LATER && delivery->err != ERR_LIMITED &&
            !delivery->unauthorized,
        now);
    return err;
}

/* What was just taken in may change when the feed is to be read again. */
static void
plan_next(struct loop *loop, struct feed *feed, const struct outcome *outcome,
          int64_t now)
{
    int64_t again = reader_again(feed, &outcome->page);
    int64_t pause = again >= 0
                        ? again
                        : reader_pause(&loop->reader, loop->tables, feed, now);
    feeds_plan(&loop->tables->feeds, feed, outcome->more ? now : now + pause);
    reader_hurry(loop->tables, feed, now);
}

enum err
pages_take(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    struct feed *feed = delivery->ticket.of.feed;
    feeds_set_busy(&loop->tables->feeds, feed, false);
    feed->changed = false;
    if (delivery->err != ERR_NONE) {
        put_off(loop, feed, delivery, now);
        return delivery->unauthorized || feed->user[0] != '\0'
                   ? ERR_NONE
                   : asking_alarm(loop->tables, feed->failures, delivery, now,
                                  why);
    }
    if (feed->failures > 0) {
        log_line(LOG_LEVEL_INFO, "%s: reading %s goes on", feed->service->name,
                 feed->name);
    }
    feed->failures = 0;
    feed->lost = false;
    reader_note_end(feed, &delivery->outcome);
    service_authorize_by(feed->service, &delivery->outcome.states,
                         loop->dispatch);
    enum err err =
        tables_reached(loop->tables, feed, &delivery->outcome, now, why);
    if (err != ERR_NONE) {
        return err;
    }
    err = tables_take_page(loop->tables, feed, &delivery->outcome, now, why);
    if (err == ERR_NONE) {
        plan_next(loop, feed, &delivery->outcome, now);
    }
    return err;
}
