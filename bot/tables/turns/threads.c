/*
 * A service that closes a place may say which one replaces it.  The host looks
 * for the configured place again, is led to the new one, and takes the old
 * one's games along.
 */
#include "bot/tables/turns/threads.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/words/notice.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/deferred.h"

/* ---- places that are looked for again ------------------------------------ */

/* Forget where a configured place is, and where its moderators talk. */
static void
forget_place(struct tables *tables, const struct service *service,
             const char *thread, enum place_id which, const char *of,
             const char *words)
{
    struct hosted_place *place = NULL;
    size_t at = 0;
    while ((place = places_next_at(&tables->places, service, which, thread,
                                   &at)) != NULL) {
        log_about(
            LOG_LEVEL_WARNING,
            &(struct log_subject){.service = service->name, .place = place->id},
            "place \"%s\"%s: %s", place->id, of, words);
        places_set_id(&tables->places, place, which, "");
        hosted_note_place(tables, place);
        at = 0;
    }
}

void
threads_leave_place(struct tables *tables, const struct service *service,
                    const struct post *post)
{
    const char *words =
        post->kind == POST_MOVED
            ? "it was closed; the host looks for what replaces it"
        : post->own && post->kind == POST_LEFT
            ? "the host has left it, or was put out"
            : NULL;
    if (words != NULL) {
        forget_place(tables, service, post->place, PLACE_THREAD, "", words);
        forget_place(tables, service, post->place, PLACE_MODERATORS,
                     ", moderators_talk", words);
    }
}

/* ---- games that go along ------------------------------------------------- */

/* Is a post of its thread to be judged first?  Where the open question could
 * not be put there any more, its time does not end, and later posts would wait
 * for ever. */
static bool
is_any_waiting(struct tables *tables, struct hosted_table *hosted)
{
    return deferred_is_any_in(tables, hosted->service, hosted->table.thread) &&
           calls_is_asked(tables, hosted, INT64_MAX);
}

const char *
threads_astray(struct tables *tables, const struct hosted_place *place)
{
    bool any = place->service->adapter->capabilities.moves && place->astray > 0;
    for (size_t i = 0; any && i < tables->hosted.count; i++) {
        struct hosted_table *hosted = tables->hosted.list[i];
        if (hosted->astray && hosted->place == place &&
            !is_any_waiting(tables, hosted)) {
            return hosted->table.thread;
        }
    }
    return NULL;
}

/* A status post stands where its game was: it is edited no more.  The edit that
 * is in flight ends when its outcome comes (delivery_wants). */
static void
leave_status(struct tables *tables, struct queued_message *queued)
{
    queued->changed = false;
    if (!queued_flies(queued)) {
        outbox_done(&tables->outbox, queued->id);
    }
}

/* What was not sent yet goes to the new place, except edits of a status post
 * that stands in the old one. */
static void
move_messages(struct tables *tables, const char *place, const char *old,
              const char *new)
{
    for (size_t i = tables->outbox.count; i-- > 0;) {
        struct queued_message *queued = tables->outbox.list[i];
        if (strcmp(queued->place, place) != 0 ||
            strcmp(queued->thread, old) != 0) {
            continue;
        }
        if (queued->message.kind == MESSAGE_STATUS && queued->sent[0] != '\0') {
            leave_status(tables, queued);
            continue;
        }
        outbox_move(&tables->outbox, queued, new);
        store_move_message(tables->store, queued);
        outbox_hasten(&tables->outbox, queued);
    }
}

/* A game goes on in the new place; say so there. */
static void
move_table(struct tables *tables, struct hosted_table *hosted, const char *new,
           int64_t now)
{
    struct rule rule;
    table_set_thread(&hosted->table, new);
    rule_begin_now(tables, hosted, now, &rule);
    reach_moved(&rule.ruling);
    notice_status(&rule.ruling);
    rule_end(tables, &rule);
}

void
threads_move(struct tables *tables, struct hosted_place *place, const char *old,
             int64_t now)
{
    const char *new = place->ids[PLACE_THREAD];
    char from[ADAPTER_ID_MAX + 1];
    (void)snprintf(from, sizeof from, "%s", old);
    store_begin(tables->store);
    store_move_games(tables->store, place->id, from, new);
    move_messages(tables, place->id, from, new);
    for (size_t i = 0; i < tables->hosted.count; i++) {
        struct hosted_table *hosted = tables->hosted.list[i];
        if (hosted->astray && hosted->place == place &&
            strcmp(hosted->table.thread, from) == 0) {
            log_about(LOG_LEVEL_INFO,
                      &(struct log_subject){.table = hosted->table.id,
                                            .place = place->id},
                      "table %s goes on in %s", hosted->table.id, new);
            move_table(tables, hosted, new, now);
        }
    }
    tables->acted = true;
    store_commit(tables->store);
}

/* ---- posts of a place that a game has left ------------------------------- */

void
threads_follow_post(struct tables *tables, const struct table *table,
                    struct read_post *post)
{
    struct buf status = BUF_INIT;
    if (strcmp(post->place, table->thread) != 0) {
        store_status_post(tables->store, table->id, post->place, &status);
    }
    if (status.len > 0) {
        (void)snprintf(post->place, sizeof post->place, "%s", table->thread);
    }
    buf_release(&status);
}

/* ---- threads that are no more ---------------------------------------------
 */

static void
tell_gone(struct tables *tables, const struct feed *feed, int64_t now)
{
    store_begin(tables->store);
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    while ((hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        if (hosted->table.state == TABLE_RUNNING) {
            struct rule rule;
            rule_begin_now(tables, hosted, now, &rule);
            reach_thread_gone(&rule.ruling);
            rule_end(tables, &rule);
        }
    }
    store_commit(tables->store);
}

void
threads_note_gone(struct tables *tables, struct feed *feed, enum err read,
                  int64_t now)
{
    if (read == ERR_NONE) {
        feed_find_again(feed);
    }
    bool tells = read == ERR_GONE && feed->user[0] == '\0' &&
                 feed_note_gone(feed, tables_steady(tables, now));
    if (tells) {
        tell_gone(tables, feed, now);
    }
}

/* ---- encryption ---------------------------------------------------------- */

void
threads_encrypt(struct tables *tables, struct service *service,
                const struct post *post, int64_t now)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    struct buf text = BUF_INIT;
    struct rule rule;
    if (store_see(tables->store, service->name, post, 0, "") ||
        (hosted == NULL && places_at(&tables->places, service, PLACE_THREAD,
                                     post->place) == NULL)) {
        return;
    }
    buf_addf(&text,
             "%s: the room %s is encrypted from now on, so the host can read "
             "nothing there, and that can't be undone",
             service->name, post->place);
    const struct log_subject subject = {
        .service = service->name,
        .table = hosted == NULL ? NULL : hosted->table.id};
    int64_t here =
        service_clock_when(feeds_clock(&tables->feeds, service), now) -
        tables->clock.back;
    delivery_warn(tables, &subject, buf_text(&text), here);
    buf_release(&text);
    if (hosted == NULL) {
        return;
    }
    rule_begin(tables, hosted, now, &rule);
    rule.ruling.cause = post->id;
    reach_encrypted(&rule.ruling);
    rule_end(tables, &rule);
}
