/*
 * A turn of the loop: what is due is begun, what has come is taken in.
 */
#include <assert.h>
#include <stdlib.h>

#include "bot/loop/bells.h"
#include "bot/loop/locating.h"
#include "bot/loop/login.h"
#include "bot/loop/loop.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/notes.h"
#include "bot/loop/pages.h"
#include "bot/loop/presses.h"
#include "bot/loop/searches.h"
#include "bot/loop/sender.h"
#include "bot/loop/sent.h"
#include "bot/loop/waiting.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "bot/tables/tables.h"
#include "bot/tables/timers.h"

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
        return places_service(&tables->places, queued->place);
    case TICKET_FEED:
        return ticket->of.feed->service;
    case TICKET_UPDATES:
        return ticket->of.updates->service;
    case TICKET_PRESS:
        return presses_service(loop, ticket->of.press);
    case TICKET_WHO:
    case TICKET_BELL:
        return &tables->services.list[ticket->of.service];
    case TICKET_PLACE:
    case TICKET_MODERATORS:
    case TICKET_TRAIL:
    case TICKET_LENGTHS:
    case TICKET_COMMANDS:
    case TICKET_RIGHT:
    case TICKET_PIN:
        break;
    }
    return ticket->of.place->service;
}

static enum err
take_delivery(struct loop *loop, const struct delivery *delivery, int64_t now,
              struct buf *why)
{
    enum ticket_kind kind = delivery->ticket.kind;
    bool aside =
        kind == TICKET_PIN || kind == TICKET_RIGHT || kind == TICKET_PRESS;
    enum err err = ERR_NONE;
    /* When a message or a press fails may tell who has acted in a session. */
    if (delivery->err != ERR_NONE && kind != TICKET_MESSAGE &&
        kind != TICKET_PRESS) {
        loop_asking(loop, service_of(loop, &delivery->ticket))->failed++;
    }
    if (delivery->unauthorized && !aside) {
        err = login_close(loop, service_of(loop, &delivery->ticket), delivery,
                          now, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    switch (kind) {
    case TICKET_MESSAGE:
        return sent_take(loop, delivery, now, why);
    case TICKET_FEED:
        return pages_take(loop, delivery, now, why);
    case TICKET_UPDATES:
        return pages_take_updates(loop, delivery, now, why);
    case TICKET_WHO:
        return login_take(loop, delivery, now, why);
    case TICKET_PLACE:
    case TICKET_MODERATORS:
    case TICKET_TRAIL:
    case TICKET_LENGTHS:
    case TICKET_COMMANDS:
        return locating_take(loop, delivery, now, why);
    case TICKET_RIGHT:
        return waiting_take_right(loop, delivery, now, why);
    case TICKET_BELL:
        bells_take(loop, delivery, now);
        break;
    case TICKET_PRESS:
        return presses_take(loop, delivery, now, why);
    case TICKET_PIN:
        sent_take_pin(delivery);
        break;
    }
    return ERR_NONE;
}

static enum err
take_deliveries(struct loop *loop, int64_t now, struct buf *why)
{
    struct delivery delivery;
    enum err err = ERR_NONE;
    while (err == ERR_NONE && dispatch_next(loop->dispatch, &delivery)) {
        err = take_delivery(loop, &delivery, now, why);
        delivery_release(&delivery);
    }
    return err;
}

/* Begin what is due, except messages: first what shows whether anything is
 * new. */
static void
ask(struct loop *loop, int64_t now)
{
    login_ask(loop, now);
    bells_ask(loop, now);
    pages_ask(loop, now);
    locating_ask(loop);
}

/* Take in what has come, and submit what is said to it; *synced: see
 * sender.h. */
static enum err
take_and_send(struct loop *loop, int64_t now, bool *synced, struct buf *why)
{
    enum err err = take_deliveries(loop, now, why);
    if (err == ERR_NONE) {
        err = bells_follow_presses(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = tables_time(loop->tables, now, why);
    }
    if (err == ERR_NONE) {
        err = waiting_settle(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = sender_send(loop, now, synced, why);
    }
    if (err == ERR_NONE) {
        err = waiting_look_after(loop, now, why);
    }
    return err;
}

/* Has all been read that there was at the start, and is nothing of it undecided
 * or looked for? */
static bool
has_caught_up(const struct tables *tables)
{
    bool all = tables->deferred_count == 0;
    for (size_t i = 0; all && i < tables->feeds.count; i++) {
        const struct feed *feed = tables->feeds.list[i];
        all = feed->lost ||
              (feed->through != 0 && feed->next_read > feed->read_at);
    }
    for (size_t i = 0; all && i < tables->outbox.count; i++) {
        all = !tables->outbox.list[i]->doubtful;
    }
    return all;
}

/* All that a turn writes is one transaction.  No request is made within it: the
 * dispatch works before it. */
enum err
loop_turn(struct loop *loop, int64_t now, int64_t patience, struct buf *why)
{
    struct store *store = loop->tables->store;
    bool synced = false;
    loop_follow_clock(loop, now);
    ask(loop, now);
    dispatch_work(loop->dispatch, now, patience);
    store_gather(store);
    enum err err = take_and_send(loop, now, &synced, why);
    if (err == ERR_NONE) {
        err = notes_save(loop, now, why);
    }
    if (err == ERR_NONE && store_copied(store) != 0 &&
        has_caught_up(loop->tables)) {
        err = store_note_caught_up(store, why);
    }
    if (err == ERR_NONE) {
        err =
            store_flush(store, synced || loop->tables->replies.count > 0, why);
    }
    if (err != ERR_NONE) {
        store_rollback(store);
    }
    if (err == ERR_NONE) {
        presses_answer(loop, now);
        err = bells_work(loop, why);
    }
    return err;
}

void
loop_close(struct loop *loop)
{
    bells_release(loop);
    presses_release(&loop->presses);
    reader_release(&loop->reader);
    searches_release(loop);
    free(loop->services);
    free(loop->unknown);
    free(loop->places);
    buf_release(&loop->told_commands);
    loop->services = NULL;
    loop->unknown = NULL;
    loop->places = NULL;
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
