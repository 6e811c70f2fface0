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

enum err
timers_deal(struct tables *tables, const char *game, int64_t now,
            struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, game);
    struct rule rule;
    if (hosted == NULL || hosted->table.state != TABLE_SEATED) {
        return ERR_NONE;
    }
    rule_begin_now(tables, hosted, now, &rule);
    ruling_deal(&rule.ruling);
    notice_write(&rule.ruling);
    return rule_end(tables, &rule, why);
}

static enum err
fire(struct tables *tables, struct hosted_table *hosted, int64_t through,
     int64_t now, struct buf *why)
{
    struct rule rule;
    rule_begin(tables, hosted, now, &rule);
    calls_note_unasked(tables, &rule.ruling);
    timers_fire(&rule.ruling, through);
    notice_write(&rule.ruling);
    return rule_end(tables, &rule, why);
}

static enum err
fire_in_transaction(struct tables *tables, struct hosted_table *hosted,
                    int64_t through, int64_t now, struct buf *why)
{
    struct table *table = &hosted->table;
    struct buf what = BUF_INIT;
    struct buf phase = BUF_INIT;
    int64_t tries = 0;
    buf_addf(&what, "deadline of %s", table->id);
    buf_add_number(&phase, table->phase);
    now = tables_service_now(tables, hosted->service, now);
    enum err err =
        attempt_begin(tables, buf_text(&what), buf_text(&phase), &tries, why);
    if (err == ERR_NONE) {
        err = tries > ALONE_TRIES ? attempt_hold(tables, hosted, now, why)
                                  : fire(tables, hosted, through, now, why);
    }
    err = attempt_end(tables, buf_text(&what), err, why);
    buf_release(&what);
    buf_release(&phase);
    tables->acted = true;
    return err;
}

/* Judge the deferred post at `at`, whose turn has come. */
static enum err
take_deferred(struct tables *tables, size_t at, int64_t now, struct buf *why)
{
    int64_t number = tables->order.list[at]->number;
    struct service *service =
        services_find(&tables->services, tables->order.list[at]->service);
    struct page page = {NULL, 0};
    enum err err = store_deferred_post(tables->store, number, &page, why);
    deferred_remove(tables, at);
    if (err == ERR_NONE && page.count > 0) {
        err = attempt_post(tables, service, &page.posts[0], number, ALONE_TRIES,
                           tables_asking_time(tables, service, now), why);
    }
    page_release(&page);
    tables->acted = true;
    return err;
}

/* Judge the deferred posts whose turn has come, in order. */
static enum err
judge_deferred_posts(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    size_t at = 0;
    while (err == ERR_NONE && at < tables->order.count) {
        if (deferred_is_due(tables, tables->order.list[at])) {
            err = take_deferred(tables, at, now, why);
        } else {
            at++;
        }
    }
    return err;
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
static enum err
fire_timers_of(struct tables *tables, const struct service *service,
               int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    size_t count = 0;
    struct hosted_table **due = take_due(tables, service, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t through =
            err == ERR_NONE ? deferred_timer_due(tables, due[i]) : 0;
        if (through != 0) {
            err = fire_in_transaction(tables, due[i], through, now, why);
        }
        hosted_schedule(tables, due[i]);
    }
    free(due);
    return err;
}

/* Do what is next at each table, once: first posts, then timers. */
static enum err
take_turns(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = judge_deferred_posts(tables, now, why);
    for (unsigned i = 0; err == ERR_NONE && i < tables->services.count; i++) {
        err = fire_timers_of(tables, &tables->services.list[i], now, why);
    }
    return err;
}

/* ---- votes that were pressed --------------------------------------------- */

static enum err
tell_votes(struct tables *tables, struct hosted_table *hosted, int64_t now,
           struct buf *why)
{
    struct rule rule;
    enum err err = store_begin(tables->store, why);
    if (err != ERR_NONE) {
        return err;
    }
    rule_begin(tables, hosted, tables_service_now(tables, hosted->service, now),
               &rule);
    notice_votes(&rule.ruling);
    err = rule_end(tables, &rule, why);
    return tables_end(tables, err, why);
}

/* No post shows them, so the thread is told, of those of a few seconds at once.
 * Nothing in the game waits for that. */
static enum err
tell_all_votes(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct heap_item *first = NULL;
    while (err == ERR_NONE &&
           (first = heap_first(&tables->hosted.tellings)) != NULL &&
           first->at <= now) {
        heap_remove(&tables->hosted.tellings, first);
        err = tell_votes(tables, first->owner, now, why);
    }
    return err;
}

int64_t
timers_wake(const struct tables *tables, int64_t wake)
{
    const struct heap_item *first = heap_first(&tables->hosted.tellings);
    return first != NULL && first->at < wake ? first->at : wake;
}

/* ---- what the operator has done ------------------------------------------ */

/* The operator looked at a running game's secrets: tell its thread. */
static enum err
notify_look(struct tables *tables, const char *game, int64_t now,
            struct buf *why)
{
    enum err err = store_begin(tables->store, why);
    struct table *table = hosted_find(tables, game);
    if (err != ERR_NONE) {
        return err;
    }
    if (table != NULL) {
        int64_t time = tables_asking_time(
            tables, places_service(&tables->places, table->place), now);
        err = attempt_tell(tables, table, "looked", false, time, why);
    }
    if (err == ERR_NONE) {
        err = store_forget_look(tables->store, game, why);
    }
    return tables_end(tables, err, why);
}

/* Somebody is to be forgotten.  That is done when the host is opened, so not
 * too often. */
static enum err
notice_forgetting(struct tables *tables, int64_t now, struct buf *why)
{
    int64_t count = 0;
    enum err err = forget_waiting(tables->store, &count, why);
    if (tables->upkeep.opened_at == 0) {
        tables->upkeep.opened_at = now;
    }
    tables->upkeep.reopen =
        count > 0 && now - tables->upkeep.opened_at >= FORGET_PAUSE_MS;
    return err;
}

/* Another process notes the looks, so the store has to be asked: not at each
 * turn. */
static enum err
notify_looks(struct tables *tables, int64_t now, struct buf *why)
{
    struct buf game = BUF_INIT;
    if (now >= tables->upkeep.looks_asked &&
        now - tables->upkeep.looks_asked < SECOND_MS) {
        return ERR_NONE;
    }
    tables->upkeep.looks_asked = now;
    enum err err = store_next_look(tables->store, &game, why);
    if (err == ERR_NONE && game.len > 0) {
        err = notify_look(tables, buf_text(&game), now, why);
    }
    buf_release(&game);
    return err == ERR_NONE ? notice_forgetting(tables, now, why) : err;
}

/* Hold the games whose key is lost, and say so. */
static enum err
notify_lost(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    while (err == ERR_NONE && tables->upkeep.lost_count > 0) {
        const struct store_game *game =
            &tables->upkeep.lost[--tables->upkeep.lost_count];
        struct table table;
        const struct hosted_place *place =
            places_find(&tables->places, game->place);
        table_blank(&table, &place->conf->settings, game->place, game->thread);
        (void)snprintf(table.id, sizeof table.id, "%s", game->id);
        int64_t time = tables_asking_time(tables, place->service, now);
        err = store_begin(tables->store, why);
        if (err == ERR_NONE) {
            err = attempt_tell(tables, &table, "held_key", true, time, why);
            err = tables_end(tables, err, why);
        }
        table_release(&table);
    }
    return err;
}

enum err
timers_work(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = notify_looks(tables, now, why);
    if (err == ERR_NONE) {
        err = notify_lost(tables, now, why);
    }
    if (err == ERR_NONE) {
        err = tell_all_votes(tables, now, why);
    }
    bool acted = tables->acted;
    for (tables->acted = true; err == ERR_NONE && tables->acted;) {
        tables->acted = false;
        err = take_turns(tables, now, why);
        acted = acted || tables->acted;
        hosted_clear(tables);
    }
    tables->acted = acted;
    return err;
}
