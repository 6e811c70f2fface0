/*
 * A turn of the loop: what is due is begun, what has come is taken in.
 */
#include <stdlib.h>
#include <string.h>

#include "bot/loop/loop_inner.h"
#include "bot/loop/notes.h"
#include "bot/loop/pages.h"
#include "bot/loop/presses.h"
#include "bot/loop/sending.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/timers.h"

/* Where what came of an operation is taken. */
static void (*const takes[])(struct loop *, const struct delivery *) = {
    [TICKET_PLACE] = locating_take,
    [TICKET_TRAIL] = locating_take,
    [TICKET_MODERATORS] = locating_take,
    [TICKET_LENGTHS] = locating_take,
    [TICKET_COMMANDS] = locating_take,
    [TICKET_MESSAGE] = sent_take,
    [TICKET_FEED] = pages_take,
    [TICKET_UPDATES] = pages_take_updates,
    [TICKET_WHO] = login_take,
    [TICKET_BELL] = bells_take,
    [TICKET_PRESS] = presses_take,
    [TICKET_PIN] = NULL, /* it stands there all the same */
};

static void
take_delivery(struct loop *loop, const struct delivery *delivery)
{
    enum ticket_kind kind = delivery->ticket.kind;
    bool aside = kind == TICKET_PIN || kind == TICKET_PRESS;
    /* When a message or a press fails may tell who has acted in a session. */
    if (delivery->err != ERR_NONE && kind != TICKET_MESSAGE &&
        kind != TICKET_PRESS) {
        loop->services[delivery->service->number].failed++;
    }
    if (delivery->unauthorized && !aside) {
        login_close(loop, delivery);
    }
    if (takes[kind] == NULL && delivery->err != ERR_NONE) {
        log_line(LOG_LEVEL_DEBUG, "%s", buf_text(&delivery->why));
    }
    if (takes[kind] != NULL) {
        takes[kind](loop, delivery);
    }
}

static void
take_deliveries(struct loop *loop)
{
    struct delivery delivery;
    while (dispatch_next(loop->dispatch, &delivery)) {
        take_delivery(loop, &delivery);
        delivery_release(&delivery);
    }
}

/* Begin what is due, except messages: first what shows whether anything is
 * new. */
static void
ask(struct loop *loop)
{
    if (loop->tables->places.changed) {
        locating_follow(loop);
    }
    login_ask(loop);
    bells_ask(loop);
    pages_ask(loop);
    locating_ask(loop);
}

/* Take in what has come, and submit what is said to it; *synced: see
 * sender.h. */
static void
take_and_send(struct loop *loop, bool *synced)
{
    take_deliveries(loop);
    bells_follow_presses(loop);
    timers_work(loop->tables, loop->now);
    sent_settle(loop);
    sender_send(loop, synced);
    waiting_look_after(loop);
}

/* Has all been read that there was at the start, and is nothing of it undecided
 * or looked for? */
static bool
has_caught_up(const struct tables *tables)
{
    bool all = tables->order.count == 0;
    for (size_t i = 0; all && i < tables->feeds.count; i++) {
        const struct feed *feed = tables->feeds.list[i];
        all = feed_is_lost(feed) ||
              (feed->through != 0 && feed->job.next > feed->read_at);
    }
    for (size_t i = 0; all && i < tables->outbox.count; i++) {
        all = !queued_is_doubtful(tables->outbox.list[i]);
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
    ask(loop);
    dispatch_work(loop->dispatch, now, patience);
    store_gather(store);
    take_and_send(loop, &synced);
    notes_save(loop);
    if (store_copied(store) != 0 && has_caught_up(loop->tables)) {
        store_note_caught_up(store);
    }
    store_flush(store, synced || loop->tables->replies.count > 0);
    enum err err = store_err(store, why);
    if (err != ERR_NONE) {
        store_rollback(store);
        return err;
    }
    presses_answer(loop);
    bells_work(loop);
    return store_err(store, why);
}

void
loop_open(struct loop *loop, struct tables *tables, struct dispatch *dispatch)
{
    unsigned services = tables->services.count;
    memset(loop, 0, sizeof *loop);
    loop->tables = tables;
    loop->dispatch = dispatch;
    loop->disk_left = -1;
    loop->reader.rings = must_alloc((services + 1) * sizeof(bool));
    loop->reader.looks = must_alloc((services + 1) * sizeof(size_t));
    bells_open(loop);
    loop->services = must_alloc((services + 1) * sizeof(struct loop_service));
    loop->places = must_alloc(((size_t)tables->conf->place_count + 1) *
                              sizeof(struct loop_place));
}

void
loop_close(struct loop *loop)
{
    bells_release(loop);
    presses_release(&loop->presses);
    reader_release(&loop->reader);
    searches_release(loop);
    free(loop->services);
    free(loop->places);
    buf_release(&loop->told_commands);
    loop->services = NULL;
    loop->places = NULL;
}

enum err
loop_settle(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct feeds *feeds = &loop->tables->feeds;
    for (size_t i = 0; i < feeds->count; i++) {
        feeds_plan(feeds, feeds->list[i], tables_steady(loop->tables, now));
    }
    do {
        loop->tables->acted = false;
        err = loop_turn(loop, now, 0, why);
    } while (err == ERR_NONE &&
             (loop->tables->acted || dispatch_busy(loop->dispatch) > 0 ||
              loop_wake(loop, now) <= now));
    return err;
}
