/*
 * A turn of the loop: what has come is taken in, what is due is begun.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/loop/authorize.h"
#include "bot/loop/loop.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/reader.h"
#include "bot/loop/sender.h"
#include "bot/loop/sending.h"
#include "bot/loop/sent.h"
#include "bot/loop/waiting.h"
#include "bot/tables/delivery.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/intake.h"
#include "bot/tables/outages.h"
#include "bot/tables/places.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/timers.h"

/* How long an account that is refused is left alone; and the longest such pause
 * that we believe a service about. */
#define REFUSED_PAUSE (10 * MINUTE_MS)

#define LIMIT_LONGEST (15 * MINUTE_MS)

/* ---- asking -------------------------------------------------------------- */

/* The ticket of what is asked about a service, or a place. */
static struct ticket
ticket_of(enum ticket_kind kind, unsigned number)
{
    return (struct ticket){.kind = kind, .of = {.number = number}};
}

/* Who are we there?  Until a service has told us, nothing else is asked of
 * it. */
static enum err
ask_services(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < loop->tables->service_count;
         i++) {
        struct asking *asking = &loop->services[i];
        const struct service *service = &loop->tables->services[i];
        struct op op = {.kind = OP_WHO};
        if (!asking->done && !asking->busy && asking->next <= now) {
            asking->busy = true;
            err = loop_ask(loop, service, &op, ticket_of(TICKET_WHO, i), why);
        }
    }
    return err;
}

/* Where are the places that were not found yet? */
static enum err
ask_places(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct conf *conf = loop->tables->conf;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct asking *asking = &loop->places[i];
        const struct service *service = tables_service_of(loop->tables, i);
        struct op op = {.kind = OP_PLACE, .text = conf->places[i].address};
        if (loop->tables->places[i].thread[0] == '\0' &&
            loop_is_open(loop, service) && !asking->busy &&
            asking->next <= now) {
            asking->busy = true;
            err = loop_ask(loop, service, &op, ticket_of(TICKET_PLACE, i), why);
        }
    }
    return err;
}

/* And where do their moderators talk? */
static enum err
ask_dms(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct conf *conf = loop->tables->conf;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct asking *asking = &loop->dms[i];
        const struct service *service = tables_service_of(loop->tables, i);
        struct op op = {.kind = OP_PLACE,
                        .text = conf->places[i].moderators_channel};
        if (op.text[0] != '\0' &&
            loop->tables->places[i].moderators_channel[0] == '\0' &&
            loop_is_open(loop, service) && !asking->busy &&
            asking->next <= now) {
            asking->busy = true;
            err = loop_ask(loop, service, &op, ticket_of(TICKET_MODERATORS, i),
                           why);
        }
    }
    return err;
}

/* How long may posts be at the places that were found? */
static enum err
ask_lengths(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct conf *conf = loop->tables->conf;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct asking *asking = &loop->probes[i];
        const struct service *service = tables_service_of(loop->tables, i);
        struct op op = {.kind = OP_PROBE,
                        .place = loop->tables->places[i].thread};
        if (op.place[0] != '\0' && !asking->done && !asking->busy &&
            asking->next <= now && loop_is_open(loop, service)) {
            asking->busy = true;
            err =
                loop_ask(loop, service, &op, ticket_of(TICKET_LENGTHS, i), why);
        }
    }
    return err;
}

/* Has the thread of a game moved to where its place is now? */
static enum err
ask_trails(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < loop->tables->conf->place_count;
         i++) {
        struct asking *asking = &loop->trails[i];
        const struct service *service = tables_service_of(loop->tables, i);
        const char *thread = tables_astray(loop->tables, i);
        struct op op = {.kind = OP_PLACE, .text = thread};
        if (thread != NULL && !asking->done && loop_is_open(loop, service) &&
            !asking->busy && asking->next <= now) {
            asking->busy = true;
            err = loop_ask(loop, service, &op, ticket_of(TICKET_TRAIL, i), why);
        }
    }
    return err;
}

/* By when a reading should be answered: when something is due, unless that has
 * been due for a while and can't happen for another reason. */
static int64_t
answer_due(const struct loop *loop)
{
    int64_t due = tables_due(loop->tables);
    return due > loop->now - MINUTE_MS / 2 ? due : 0;
}

static enum err
read_feed(struct loop *loop, struct feed *feed, struct buf *why)
{
    struct ticket ticket = {.kind = TICKET_FEED, .of = {.feed = feed}};
    struct op op = {.kind = OP_READ,
                    .feed = feed->name,
                    .cursor = feed->cursor,
                    .since = reader_since(loop->tables, feed, loop->now),
                    .due = answer_due(loop)};
    feeds_set_busy(&loop->tables->feeds, feed, true);
    return loop_ask(loop, feed->service, &op, ticket, why);
}

static enum err
ask_updates(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < loop->reader.count; i++) {
        struct updates *updates = loop->reader.updates[i];
        struct ticket ticket = {.kind = TICKET_UPDATES,
                                .of = {.updates = updates}};
        struct op op = {.kind = OP_UPDATES, .feed = updates->name};
        if (updates->wanted && !updates->busy && updates->next <= now &&
            loop_is_open(loop, updates->service)) {
            updates->busy = true;
            updates->wanted = false;
            err = loop_ask(loop, updates->service, &op, ticket, why);
        }
    }
    return err;
}

/* Read the feeds of a service whose time has come. */
static enum err
read_feeds_of(struct loop *loop, const struct service *service, int64_t now,
              struct buf *why)
{
    struct tables *tables = loop->tables;
    struct feed *feed = NULL;
    enum err err = ERR_NONE;
    while (err == ERR_NONE &&
           (feed = reader_next(tables, service, now)) != NULL) {
        struct updates *updates =
            reader_updates(&loop->reader, tables, feed, now);
        if (updates != NULL) {
            reader_look_up(tables, feed, updates, now);
        } else {
            err = read_feed(loop, feed, why);
        }
    }
    return err;
}

static enum err
read_feeds(struct loop *loop, int64_t now, struct buf *why)
{
    const struct tables *tables = loop->tables;
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < tables->service_count; i++) {
        if (loop_can_read(loop, &tables->services[i])) {
            err = read_feeds_of(loop, &tables->services[i], now, why);
        }
    }
    return err == ERR_NONE ? ask_updates(loop, now, why) : err;
}

/* ---- what comes back ----------------------------------------------------- */

/* How long to wait after so many failures in a row. */
static int64_t
pause_of(unsigned failures)
{
    int64_t steps = failures < 100 ? failures : 100;
    int64_t pause = steps * steps * SECOND_MS;
    return pause < 5 * MINUTE_MS ? pause : 5 * MINUTE_MS;
}

/* What failed together should not come back together; and never before the time
 * that the service has given. */
static int64_t
pause_after(struct loop *loop, unsigned failures,
            const struct delivery *delivery)
{
    bool limited = delivery->err == ERR_LIMITED;
    int64_t wait = delivery->outcome.wait;
    int64_t told = wait < LIMIT_LONGEST ? wait : LIMIT_LONGEST;
    int64_t pause = limited ? told : pause_of(failures);
    int64_t jitter = (int64_t)(loop_chance(loop) * (double)pause / 5);
    return pause + (limited ? jitter : -jitter);
}

/* Only the first failure of a row is told. */
static enum log_level
level_after(unsigned failures)
{
    return failures == 1 ? LOG_LEVEL_WARNING : LOG_LEVEL_DEBUG;
}

/* What is refused because of the token is told where the token is asked for,
 * and only there. */
static enum log_level
level_of(unsigned failures, const struct delivery *delivery)
{
    return delivery->unauthorized ? LOG_LEVEL_DEBUG : level_after(failures);
}

static void
take_asking(struct loop *loop, struct asking *asking,
            const struct delivery *delivery, int64_t now)
{
    asking->busy = false;
    asking->done = delivery->err == ERR_NONE;
    if (asking->done) {
        asking->failures = 0;
        return;
    }
    asking->failures++;
    asking->next = now + pause_after(loop, asking->failures, delivery);
}

/* An account that is refused, or may not log in, is left alone for a while:
 * going on trying would only make it worse. */
static void
let_alone(struct loop *loop, struct asking *asking,
          const struct delivery *delivery, int64_t now)
{
    if (delivery->err == ERR_DENIED) {
        asking->next = now + REFUSED_PAUSE +
                       (int64_t)(loop_chance(loop) * (double)MINUTE_MS);
    }
}

/* The first failure of a row is also told to the operator, if somebody has to
 * do something about it. */
static enum err
alarm_once(struct loop *loop, unsigned failures, enum err trouble,
           const char *sentence, int64_t now, struct buf *why)
{
    bool needs_somebody = trouble == ERR_DENIED || trouble == ERR_GONE;
    return failures == 1 && needs_somebody
               ? tables_alarm(loop->tables, sentence, now, why)
               : ERR_NONE;
}

/* A service refuses us, or is not there: tell it once, and go on asking. */
static void
tell_closed(struct loop *loop, const struct service *service,
            const struct delivery *delivery)
{
    const struct account *account =
        conf_account(loop->tables->conf, service->name);
    struct buf advice = BUF_INIT;
    /* a captcha does not mean that the password is wrong */
    bool captcha = delivery->outcome.refused == REFUSED_LOGIN;
    if (delivery->err != ERR_LATER && delivery->err != ERR_LIMITED &&
        !captcha) {
        service_advise(service, loop->tables->conf, delivery->err, &advice);
    }
    if (delivery->err == ERR_DENIED && !captcha && account != NULL &&
        account->token_env[0] == '\0') {
        buf_add_text(&advice, ", then reload (SIGHUP)");
    }
    log_line(level_after(loop_asking(loop, service)->failures),
             "%s%s; it is asked again and again", buf_text(&delivery->why),
             buf_text(&advice));
    buf_release(&advice);
}

/* What the operator has to change at a service. */
static void
tell_advice(const struct service *service, const struct outcome *outcome)
{
    const char *at = buf_text(&outcome->advice);
    while (*at != '\0') {
        size_t len = strcspn(at, "\n");
        log_line(LOG_LEVEL_WARNING, "%s: %.*s", service->name, (int)len, at);
        at += len + (at[len] == '\n');
    }
}

/* A service that does not answer at all: none of its feeds can be read. */
static void
no_feed(struct loop *loop, const struct service *service, int64_t now)
{
    struct feeds *feeds = &loop->tables->feeds;
    int64_t pause = pause_of(loop_asking(loop, service)->failures + 1);
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        if (feed->service == service) {
            tables_waits(feed, now);
            feeds_plan(feeds, feed, now + pause);
        }
    }
}

/* It answers again: read its feeds at once. */
static void
read_at_once(struct loop *loop, const struct service *service, int64_t now)
{
    struct feeds *feeds = &loop->tables->feeds;
    for (size_t i = 0; i < feeds->count; i++) {
        struct feed *feed = feeds->list[i];
        if (feed->service == service && feed->next_read > now) {
            feeds_plan(feeds, feed, now);
        }
    }
}

/* It does not know who we are; that is told once. */
static enum err
stay_out(struct loop *loop, const struct service *service,
         const struct delivery *delivery, int64_t now, struct buf *why)
{
    struct asking *asking = loop_asking(loop, service);
    take_asking(loop, asking, delivery, now);
    let_alone(loop, asking, delivery, now);
    tell_closed(loop, service, delivery);
    return alarm_once(loop, asking->failures, delivery->err,
                      buf_text(&delivery->why), now, why);
}

static enum err
take_who(struct loop *loop, const struct delivery *delivery, int64_t now,
         struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    struct service *service = &loop->tables->services[number];
    bool failed_before = loop->services[number].failures > 0;
    if (delivery->err == ERR_LATER) {
        no_feed(loop, service, now);
    }
    if (delivery->err != ERR_NONE) {
        return stay_out(loop, service, delivery, now, why);
    }
    take_asking(loop, &loop->services[number], delivery, now);
    if (failed_before) {
        log_line(LOG_LEVEL_INFO, "%s: answers now", service->name);
        read_at_once(loop, service, now);
    }
    (void)snprintf(service->self, sizeof service->self, "%s",
                   buf_text(&delivery->outcome.id));
    tell_advice(service, &delivery->outcome);
    return loop_take_states(loop, service, &delivery->outcome, why);
}

static enum err
take_place(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    const struct service *service = tables_service_of(loop->tables, number);
    bool failed_before = loop->places[number].failures > 0;
    take_asking(loop, &loop->places[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->places[number].failures, delivery),
                 "place \"%s\": %s", loop->tables->conf->places[number].name,
                 buf_text(&delivery->why));
        return delivery->unauthorized
                   ? ERR_NONE
                   : alarm_once(loop, loop->places[number].failures,
                                delivery->err, buf_text(&delivery->why), now,
                                why);
    }
    if (failed_before) {
        log_line(LOG_LEVEL_INFO, "place \"%s\": the host is there now",
                 loop->tables->conf->places[number].name);
    }
    tell_advice(service, &delivery->outcome);
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = tables_found(loop->tables, number,
                           buf_text(&delivery->outcome.id), why);
    }
    return err;
}

static enum err
take_moderators(struct loop *loop, const struct delivery *delivery, int64_t now,
                struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    const struct service *service = tables_service_of(loop->tables, number);
    take_asking(loop, &loop->dms[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->dms[number].failures, delivery),
                 "place \"%s\", moderators_talk: %s",
                 loop->tables->conf->places[number].name,
                 buf_text(&delivery->why));
        return ERR_NONE;
    }
    enum err err = loop_take_states(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = tables_found_dm(loop->tables, number,
                              buf_text(&delivery->outcome.id), why);
    }
    return err;
}

/* What the host may not do there shows when it is refused; `check` tells it in
 * advance. */
static enum err
take_lengths(struct loop *loop, const struct delivery *delivery, int64_t now,
             struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    const struct service *service = tables_service_of(loop->tables, number);
    take_asking(loop, &loop->probes[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->probes[number].failures, delivery),
                 "place \"%s\": how long posts may be is not known yet: %s",
                 loop->tables->conf->places[number].name,
                 buf_text(&delivery->why));
        return ERR_NONE;
    }
    tables_measure(loop->tables, number, &delivery->outcome);
    return loop_take_states(loop, service, &delivery->outcome, why);
}

/* A game whose thread was closed goes on in that of its place.  A game whose
 * thread is still there stays: its place was configured anew. */
static enum err
take_trail(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    unsigned number = delivery->ticket.of.number;
    struct tables *tables = loop->tables;
    const char *old = tables_astray(tables, number);
    const char *new = buf_text(&delivery->outcome.id);
    take_asking(loop, &loop->trails[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->trails[number].failures, delivery),
                 "place \"%s\", a game of another room: %s",
                 tables->conf->places[number].name, buf_text(&delivery->why));
        return ERR_NONE;
    }
    if (old == NULL || strcmp(new, old) == 0 ||
        strcmp(new, tables->places[number].thread) != 0) {
        return ERR_NONE;
    }
    loop->trails[number].done = false; /* there may be games of yet another */
    return tables_moved(tables, number, old, now, why);
}

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
    feeds_plan(&loop->tables->feeds, feed,
               now + pause_after(loop, feed->failures, delivery));
    log_line(level_of(feed->failures, delivery), "%s: reading %s: %s",
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

/* If an updates feed can't be had at all, each of its feeds is read. */
static enum err
take_updates(struct loop *loop, const struct delivery *delivery, int64_t now,
             struct buf *why)
{
    struct updates *updates = delivery->ticket.of.updates;
    enum err err = answer_feeds(loop, updates, delivery, now, why);
    updates->busy = false;
    if (delivery->err == ERR_NONE) {
        reader_take_updates(loop->tables, updates, &delivery->outcome, now);
        return err;
    }
    updates->failures++;
    log_line(level_of(updates->failures, delivery), "%s: the updates of %s: %s",
             updates->service->name, updates->name, buf_text(&delivery->why));
    reader_lack_updates(
        loop->tables, updates, pause_after(loop, updates->failures, delivery),
        delivery->err != ERR_LATER && delivery->err != ERR_LIMITED &&
            !delivery->unauthorized,
        now);
    return err;
}

static enum err
take_page(struct loop *loop, const struct delivery *delivery, int64_t now,
          struct buf *why)
{
    struct feed *feed = delivery->ticket.of.feed;
    feeds_set_busy(&loop->tables->feeds, feed, false);
    feed->changed = false;
    if (delivery->err != ERR_NONE) {
        put_off(loop, feed, delivery, now);
        return delivery->unauthorized || feed->user[0] != '\0'
                   ? ERR_NONE
                   : alarm_once(loop, feed->failures, delivery->err,
                                buf_text(&delivery->why), now, why);
    }
    if (feed->failures > 0) {
        log_line(LOG_LEVEL_INFO, "%s: reading %s goes on", feed->service->name,
                 feed->name);
    }
    feed->failures = 0;
    feed->lost = false;
    service_authorize_by(feed->service, delivery->outcome.states,
                         delivery->outcome.state_count, loop->dispatch);
    enum err err =
        tables_reached(loop->tables, feed, &delivery->outcome, now, why);
    if (err != ERR_NONE) {
        return err;
    }
    feeds_plan(&loop->tables->feeds, feed,
               delivery->outcome.more ? now
                                      : now + reader_pause(loop->tables, feed));
    return tables_take_page(loop->tables, feed, &delivery->outcome, now, why);
}

/* The service that a delivery comes from; NULL: it is no longer configured. */
static const struct service *
service_of(struct loop *loop, const struct ticket *ticket)
{
    struct tables *tables = loop->tables;
    const struct queued_message *queued = NULL;
    switch (ticket->kind) {
    case TICKET_MESSAGE:
        queued = outbox_find(&tables->outbox, ticket->of.message);
        assert(queued != NULL);
        return tables_service(tables, queued->place);
    case TICKET_FEED:
        return ticket->of.feed->service;
    case TICKET_UPDATES:
        return ticket->of.updates->service;
    case TICKET_WHO:
        return &tables->services[ticket->of.number];
    case TICKET_PLACE:
    case TICKET_MODERATORS:
    case TICKET_TRAIL:
    case TICKET_LENGTHS:
    case TICKET_RIGHT:
    case TICKET_PIN:
        break;
    }
    return tables_service_of(tables, ticket->of.number);
}

/* Its token is no longer accepted: find out, before anything else, whether we
 * can get a new one.  If that was tried already, it is no use. */
static enum err
close_service(struct loop *loop, const struct delivery *delivery, int64_t now,
              struct buf *why)
{
    if (!delivery->unauthorized) {
        return ERR_NONE;
    }
    const struct service *service = service_of(loop, &delivery->ticket);
    struct asking *asking = loop_asking(loop, service);
    if (!asking->done) {
        return ERR_NONE;
    }
    asking->done = false;
    asking->failures = 0;
    asking->next = 0;
    return delivery->locked_out ? stay_out(loop, service, delivery, now, why)
                                : ERR_NONE;
}

static enum err
take_delivery(struct loop *loop, const struct delivery *delivery, int64_t now,
              struct buf *why)
{
    enum ticket_kind kind = delivery->ticket.kind;
    bool aside = kind == TICKET_PIN || kind == TICKET_RIGHT;
    enum err err = aside ? ERR_NONE : close_service(loop, delivery, now, why);
    if (err != ERR_NONE) {
        return err;
    }
    switch (kind) {
    case TICKET_MESSAGE:
        return sent_take(loop, delivery, now, why);
    case TICKET_FEED:
        return take_page(loop, delivery, now, why);
    case TICKET_UPDATES:
        return take_updates(loop, delivery, now, why);
    case TICKET_WHO:
        return take_who(loop, delivery, now, why);
    case TICKET_PLACE:
        return take_place(loop, delivery, now, why);
    case TICKET_MODERATORS:
        return take_moderators(loop, delivery, now, why);
    case TICKET_TRAIL:
        return take_trail(loop, delivery, now, why);
    case TICKET_LENGTHS:
        return take_lengths(loop, delivery, now, why);
    case TICKET_RIGHT:
        waiting_take_right(loop, delivery);
        break;
    case TICKET_PIN:
        sent_take_pin(delivery);
        break;
    }
    return ERR_NONE;
}

/* Messages that have come back together are saved together; a page is saved by
 * itself. */
static enum err
take_deliveries(struct loop *loop, int64_t now, struct buf *why)
{
    struct delivery delivery;
    bool saving = false;
    enum err err = ERR_NONE;
    while (err == ERR_NONE && dispatch_next(loop->dispatch, &delivery)) {
        bool message = delivery.ticket.kind == TICKET_MESSAGE;
        if (message && !saving) {
            err = store_begin(loop->tables->store, why);
        } else if (saving && !message) {
            err = sending_end_saving(loop, err, why);
        }
        saving = message;
        if (err == ERR_NONE) {
            err = take_delivery(loop, &delivery, now, why);
        }
        delivery_release(&delivery);
        tables_rest(loop->tables);
    }
    return saving ? sending_end_saving(loop, err, why) : err;
}

/* ---- one turn ------------------------------------------------------------ */

enum err
loop_turn(struct loop *loop, int64_t now, int64_t patience, struct buf *why)
{
    loop_follow_clock(loop, now);
    enum err err = ask_services(loop, now, why);
    if (err == ERR_NONE) {
        err = ask_places(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = ask_trails(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = ask_dms(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = ask_lengths(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = read_feeds(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = sender_send(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = waiting_look_after(loop, now, why);
    }
    if (err == ERR_NONE) {
        dispatch_work(loop->dispatch, now, patience);
        err = take_deliveries(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = tables_time(loop->tables, now, why);
    }
    return err == ERR_NONE ? tables_check(loop->tables, why) : err;
}

enum err
loop_settle(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct feeds *feeds = &loop->tables->feeds;
    for (size_t i = 0; i < feeds->count; i++) {
        feeds_plan(feeds, feeds->list[i], now);
    }
    do {
        loop->tables->acted = false;
        err = loop_turn(loop, now, 0, why);
    } while (err == ERR_NONE &&
             (loop->tables->acted || dispatch_busy(loop->dispatch) > 0 ||
              loop_wake(loop, now) <= now));
    return err;
}
