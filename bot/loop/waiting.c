#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/sending.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"

#define PROBE_FIRST (15 * SECOND_MS)

/* Does a message wait for a right in its thread? */
static bool
waits_for_right(const struct queued_message *queued)
{
    enum message_kind kind = queued->message.kind;
    return queued->job.failures > 0 && queued->refused_at != 0 &&
           queued->refused == REFUSED_RIGHT &&
           (kind == MESSAGE_POST || kind == MESSAGE_STATUS ||
            kind == MESSAGE_TRANSCRIPT || kind == MESSAGE_OPEN);
}

/* The job that asks whether a right is back in a place; NULL: it is not
 * configured. */
static struct job *
right_job(struct loop *loop, const struct queued_message *queued)
{
    struct loop_place *place = sending_place(loop, queued);
    return place == NULL ? NULL : &place->jobs[TICKET_RIGHT];
}

void
waiting_note_refused(struct loop *loop, const struct queued_message *queued)
{
    struct job *job = right_job(loop, queued);
    if (job == NULL || !waits_for_right(queued)) {
        return;
    }
    job->done = false;
    if (!job->busy && job->next <= loop->steady) {
        job->next = loop->steady + PROBE_FIRST;
    }
}

/* Probe where rights are missing.  One probe of a place's thread serves all
 * that waits there. */
static void
probe_places(struct loop *loop)
{
    const struct heap *refused = &loop->tables->outbox.refused;
    for (size_t i = 0; i < refused->count; i++) {
        const struct queued_message *queued = refused->items[i]->owner;
        const struct service *service = sending_service(loop, queued);
        struct job *job = right_job(loop, queued);
        if (job == NULL || !waits_for_right(queued) ||
            !job_is_due(job, loop->steady) || !loop_is_open(loop, service) ||
            !dispatch_has_room(loop->dispatch, service, TICKET_RIGHT,
                               ROOM_DUE)) {
            continue;
        }
        struct op op = {.kind = OP_PROBE, .place = queued->thread};
        struct ticket ticket = {
            .kind = TICKET_RIGHT,
            .of.place = places_find(&loop->tables->places, queued->place)};
        job->busy = true;
        job->next = loop->steady + MINUTE_MS;
        (void)snprintf(sending_place(loop, queued)->refusing,
                       ADAPTER_ID_MAX + 1, "%s", queued->thread);
        loop_ask(loop, service, &op, ticket);
    }
}

/* Tell of everything that waits in that thread, or for that person. */
static enum err
mark_alarmed(struct loop *loop, const struct queued_message *first,
             struct buf *why)
{
    struct outbox *outbox = &loop->tables->outbox;
    bool private = first->message.kind == MESSAGE_PRIVATE;
    struct queued_message *other = NULL;
    size_t at = 0;
    enum err err = ERR_NONE;
    while (err == ERR_NONE &&
           (other = private ? outbox_next_to(outbox, first->message.user, &at)
                            : outbox_next_in_thread(outbox, first->thread,
                                                    &at)) != NULL) {
        if ((other->message.kind == MESSAGE_PRIVATE) == private &&
            strcmp(other->place, first->place) == 0 && !other->alarmed) {
            other->alarmed = true;
            outbox_changed(outbox, other);
            err = store_alarmed(loop->tables->store, other, why);
        }
    }
    return err;
}

static enum err
raise_alarm(struct loop *loop, const struct queued_message *queued,
            struct buf *why)
{
    struct buf line = BUF_INIT;
    delivery_describe(loop->tables, queued, &line);
    if (queued->searched != 0) {
        buf_addf(&line,
                 "; it may have arrived: the posts since then are looked "
                 "through; if you see it, `placard undelivered --there %lld`, "
                 "if it is not there, `placard undelivered --again %lld`",
                 (long long)queued->id, (long long)queued->id);
    } else if (queued->trouble[0] != '\0') {
        buf_addf(&line, ": %s", queued->trouble);
    }
    struct log_subject subject = delivery_subject(loop->tables, queued);
    log_about(LOG_LEVEL_WARNING, &subject, "%s", buf_text(&line));
    enum err err = mark_alarmed(loop, queued, why);
    if (err == ERR_NONE) {
        err = delivery_alarm(loop->tables, buf_text(&line), loop->now, why);
    }
    buf_release(&line);
    return err;
}

/* What waits is tried once a probe finds that the right is back.  If it finds
 * that it is missing, that is told at once. */
enum err
waiting_take_right(struct loop *loop, const struct delivery *delivery,
                   struct buf *why)
{
    struct loop_place *place = &loop->places[delivery->ticket.of.place->number];
    struct job *job = &place->jobs[TICKET_RIGHT];
    bool may = delivery->err == ERR_NONE &&
               (delivery->outcome.rights & RIGHT_POST) != 0;
    bool lacks =
        !may && (delivery->err == ERR_NONE ||
                 (delivery->err == ERR_DENIED && !delivery->unauthorized) ||
                 delivery->err == ERR_GONE);
    bool came = may && !job->done;
    job->busy = false;
    /* If the probe does not see what is refused, that is no reason to try. */
    job->done = may;
    struct outbox *outbox = &loop->tables->outbox;
    const struct queued_message *first = NULL;
    struct queued_message *queued = NULL;
    size_t at = 0;
    while ((queued = outbox_next_in_thread(outbox, place->refusing, &at)) !=
           NULL) {
        bool waits =
            waits_for_right(queued) && sending_place(loop, queued) == place;
        first = waits && first == NULL ? queued : first;
        if (waits && came && queued_waits(queued)) {
            queued->job.next = 0;
            outbox_changed(outbox, queued);
        }
    }
    return lacks && first != NULL && !first->alarmed
               ? raise_alarm(loop, first, why)
               : ERR_NONE;
}

/* What was written in a session has waited since its end, as far as may be
 * told. */
static int64_t
later(int64_t from, const struct hosted_table *hosted)
{
    return hosted != NULL && table_put_at(&hosted->table) > from
               ? table_put_at(&hosted->table)
               : from;
}

/* Tell whoever runs the host of what has waited for ten minutes; of what is
 * secret only once it is not. */
static enum err
raise_alarms(struct loop *loop, struct buf *why)
{
    struct outbox *outbox = &loop->tables->outbox;
    struct queued_message *queued = NULL;
    int64_t since = loop->now - SENDING_ALARM_AFTER;
    enum err err = ERR_NONE;
    while (err == ERR_NONE &&
           (queued = outbox_overdue(outbox, since)) != NULL) {
        int64_t from = queued->searched != 0
                           ? queued->searched + SENDING_SEARCH_LONGER
                           : queued->waiting;
        if (queued->hidden) {
            from = later(from, hosted_named(loop->tables, queued->game));
        }
        if (from > since) {
            outbox_put_off(outbox, queued, from);
        } else if (delivery_is_secret(loop->tables, queued)) {
            outbox_put_off(outbox, queued, since + SECOND_MS);
        } else {
            err = raise_alarm(loop, queued, why);
        }
    }
    return err;
}

/* Another process notes it, so the store has to be asked: as often as for looks
 * (bot/tables/turns/timers.c).  A message in flight is settled once that is
 * over. The id of one that is there is not known: where it is to be edited
 * there is no such post. */
enum err
waiting_settle(struct loop *loop, struct buf *why)
{
    struct store *store = loop->tables->store;
    int64_t message = 0;
    bool there = false;
    if (loop->now != loop->tables->upkeep.looks_asked) {
        return ERR_NONE;
    }
    enum err err = store_next_settled(store, &message, &there, why);
    struct queued_message *queued = outbox_find(&loop->tables->outbox, message);
    if (err != ERR_NONE || message == 0 ||
        (queued != NULL && !queued_waits(queued))) {
        return err;
    }
    if (queued != NULL && queued->state == QUEUED_DOUBTFUL &&
        queued->service != NO_SERVICE) {
        struct delivery delivery = {.kind = OP_FIND,
                                    .ticket.of.message = message};
        buf_add_text(&delivery.outcome.id, there ? "unknown" : "");
        queued->job.next = 0;
        err = sent_take(loop, &delivery, why);
        buf_release(&delivery.outcome.id);
        if (err == ERR_NONE && !there) {
            err = store_save_queued(store, queued, why);
        }
    }
    return err == ERR_NONE ? store_forget_settled(store, message, why) : err;
}

enum err
waiting_look_after(struct loop *loop, struct buf *why)
{
    probe_places(loop);
    return raise_alarms(loop, why);
}
