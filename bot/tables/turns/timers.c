#include "bot/tables/turns/timers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/timers.h"
#include "bot/host/words/notice.h"
#include "bot/store/forget.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/deferred.h"
#include "bot/tables/turns/turns_inner.h"

enum {
    FORGET_PAUSE_MS = 10 * 60 * 1000 /* since the host was opened */
};

/* ---- what is next -------------------------------------------------------- */

static int64_t
earlier_due(const struct service *service, int64_t at, int64_t next)
{
    at += service->adapter->capabilities.margin;
    return next == 0 || at < next ? at : next;
}

int64_t
timers_due(const struct tables *tables)
{
    int64_t next = 0;
    for (unsigned i = 0; i < tables->services.count; i++) {
        const struct service *service = &tables->services.list[i];
        const struct hosted_table *hosted = hosted_next_due(tables, service);
        if (hosted != NULL) {
            next = earlier_due(service, hosted->timer.at, next);
        }
    }
    for (size_t i = 0; i < tables->order.count; i++) {
        const struct deferred_post *deferred = tables->order.list[i];
        if (next != 0 && deferred_time(deferred) >= next) {
            break;
        }
        next = earlier_due(services_find(&tables->services, deferred->service),
                           deferred_time(deferred), next);
    }
    return next;
}

void
timers_deal(struct tables *tables, const char *game, int64_t now)
{
    struct hosted_table *hosted = hosted_named(tables, game);
    struct rule rule;
    if (hosted == NULL || hosted->table.state != TABLE_SEATED) {
        return;
    }
    rule_begin_now(tables, hosted, now, &rule);
    ruling_deal(&rule.ruling);
    notice_write(&rule.ruling);
    rule_end(tables, &rule);
}

static void
fire(struct tables *tables, struct hosted_table *hosted, int64_t through,
     int64_t now)
{
    struct rule rule;
    rule_begin(tables, hosted, now, &rule);
    calls_note_unasked(tables, &rule.ruling);
    timers_fire(&rule.ruling, through);
    notice_write(&rule.ruling);
    rule_end(tables, &rule);
}

static void
fire_in_transaction(struct tables *tables, struct hosted_table *hosted,
                    int64_t through, int64_t now)
{
    struct table *table = &hosted->table;
    struct buf what = BUF_INIT;
    struct buf phase = BUF_INIT;
    buf_addf(&what, "deadline of %s", table->id);
    buf_add_number(&phase, table->phase);
    now = tables_service_now(tables, hosted->service, now);
    int64_t tries = attempt_begin(tables, buf_text(&what), buf_text(&phase));
    if (tries > ALONE_TRIES) {
        attempt_hold(tables, hosted, now);
    } else {
        fire(tables, hosted, through, now);
    }
    attempt_end(tables, buf_text(&what));
    buf_release(&what);
    buf_release(&phase);
    tables->acted = true;
}

/* Judge the deferred post at `at`, whose turn has come. */
static void
take_deferred(struct tables *tables, size_t at, int64_t now)
{
    int64_t number = tables->order.list[at]->number;
    struct service *service =
        services_find(&tables->services, tables->order.list[at]->service);
    struct page page = {NULL, 0};
    store_deferred_post(tables->store, number, &page);
    deferred_remove(tables, at);
    if (page.count > 0) {
        attempt_post(tables, service, &page.posts[0], number, ALONE_TRIES,
                     tables_asking_time(tables, service, now));
    }
    page_release(&page);
    tables->acted = true;
}

/* Judge the deferred posts whose turn has come, in order. */
static void
judge_deferred_posts(struct tables *tables, int64_t now)
{
    size_t at = 0;
    while (at < tables->order.count) {
        if (deferred_is_due(tables, tables->order.list[at])) {
            take_deferred(tables, at, now);
        } else {
            at++;
        }
    }
}

/* Take the tables of a service whose timer is due off the heap; yours to
 * free. */
static struct hosted_table **
take_due(struct tables *tables, const struct service *service, size_t *count)
{
    struct heap *heap = &tables->hosted.timers[service->number];
    int64_t latest = tables->feeds.by_service[service->number].latest;
    struct hosted_table **due = NULL;
    struct heap_item *first = NULL;
    *count = 0;
    while ((first = heap_first(heap)) != NULL && first->at <= latest) {
        heap_remove(heap, first);
        due = must_grow(due, (*count + 1) * sizeof(struct hosted_table *));
        due[(*count)++] = first->owner;
    }
    return due;
}

/* Let the next timers of a service's tables fire if their turn has come; those
 * whose turn has not are due again. */
static void
fire_timers_of(struct tables *tables, const struct service *service,
               int64_t now)
{
    size_t count = 0;
    struct hosted_table **due = take_due(tables, service, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t through = deferred_timer_due(tables, due[i]);
        if (through != 0) {
            fire_in_transaction(tables, due[i], through, now);
        }
        hosted_schedule(tables, due[i]);
    }
    free(due);
}

/* Do what is next at each table, once: first posts, then timers. */
static void
take_turns(struct tables *tables, int64_t now)
{
    judge_deferred_posts(tables, now);
    for (unsigned i = 0; i < tables->services.count; i++) {
        fire_timers_of(tables, &tables->services.list[i], now);
    }
}

/* ---- what the operator has done ------------------------------------------ */

/* The operator looked at a running game's secrets: tell its thread. */
static void
notify_look(struct tables *tables, const char *game, int64_t now)
{
    store_begin(tables->store);
    struct table *table = hosted_find(tables, game);
    if (table != NULL) {
        int64_t time = tables_asking_time(
            tables, places_service(&tables->places, table->place), now);
        attempt_tell(tables, table, "looked", false, time);
    }
    store_forget_look(tables->store, game);
    store_commit(tables->store);
}

/* Somebody is to be forgotten.  That is done when the host is opened, so not
 * too often. */
static void
notice_forgetting(struct tables *tables, int64_t now)
{
    if (tables->upkeep.opened_at == 0) {
        tables->upkeep.opened_at = now;
    }
    tables->upkeep.reopen = now - tables->upkeep.opened_at >= FORGET_PAUSE_MS &&
                            forget_waiting(tables->store) > 0;
}

/* Another process notes the looks, so the store has to be asked: not at each
 * turn. */
static void
notify_looks(struct tables *tables, int64_t now)
{
    struct buf game = BUF_INIT;
    if (now >= tables->upkeep.looks_asked &&
        now - tables->upkeep.looks_asked < SECOND_MS) {
        return;
    }
    tables->upkeep.looks_asked = now;
    store_next_look(tables->store, &game);
    if (game.len > 0) {
        notify_look(tables, buf_text(&game), now);
    }
    buf_release(&game);
    notice_forgetting(tables, now);
}

/* Hold the games whose key is lost, and say so. */
static void
notify_lost(struct tables *tables, int64_t now)
{
    while (tables->upkeep.lost_count > 0) {
        const struct store_game *game =
            &tables->upkeep.lost[--tables->upkeep.lost_count];
        struct table table;
        const struct hosted_place *place =
            places_find(&tables->places, game->place);
        table_blank(&table, &place->conf->settings, game->place, game->thread);
        (void)snprintf(table.id, sizeof table.id, "%s", game->id);
        int64_t time = tables_asking_time(tables, place->service, now);
        store_begin(tables->store);
        attempt_tell(tables, &table, "held_key", true, time);
        store_commit(tables->store);
        table_release(&table);
    }
}

void
timers_work(struct tables *tables, int64_t now)
{
    notify_looks(tables, now);
    notify_lost(tables, now);
    bool acted = tables->acted;
    for (tables->acted = true; tables->acted;) {
        tables->acted = false;
        take_turns(tables, now);
        acted = acted || tables->acted;
        hosted_clear(tables);
    }
    tables->acted = acted;
}
