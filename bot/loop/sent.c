#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/base/memory.h"
#include "bot/host/table/refusal.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/reader.h"
#include "bot/loop/sending.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/delivery/unreachable.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/timers.h"

/* How long a game waits for a thread of its own that is refused; and somebody
 * to be let into its gallery: longer than it takes until whoever runs the host
 * is told (SENDING_ALARM_AFTER). */
#define OPEN_LATEST   MINUTE_MS
#define INVITE_LATEST (15 * MINUTE_MS)

/* How long a search pauses between two looks. */
#define SEARCH_PAUSE SECOND_MS

/* ---- looking for a message ----------------------------------------------- */

/* Keep how far a message was looked for.  A look that fails begins where it
 * was; but anew if the service does not take the cursor. */
static void
note_search(struct queued_message *queued, const struct delivery *delivery,
            int64_t now)
{
    const struct buf *cursor = &delivery->outcome.cursor;
    bool look = delivery->kind == OP_FIND;
    bool failed = look && delivery->err != ERR_NONE;
    bool cut = delivery->err == ERR_LATER || delivery->err == ERR_LIMITED;
    if (!failed || cursor->len > 0 ||
        (!cut && queued->job.failures + 1 >= SENDING_TRIES)) {
        free(queued->cursor);
        queued->cursor =
            look && cursor->len > 0 ? must_copy(buf_text(cursor)) : NULL;
    }
    if (queued->cursor == NULL && !failed) {
        queued->searched = 0;
    } else if (queued->cursor != NULL && queued->searched == 0) {
        queued->searched = now;
    }
}

/* What a look for a message has told. */
static enum found
found_by(const struct delivery *delivery)
{
    return delivery->kind == OP_FIND && delivery->err == ERR_NONE
               ? delivery->outcome.found
               : FOUND_UNTOLD;
}

/* ---- failures ------------------------------------------------------------ */

/* Was the whole account refused?  Then nothing follows for the message. */
static bool
is_of_account(const struct delivery *delivery)
{
    return delivery->unauthorized ||
           (delivery->err == ERR_DENIED &&
            refusal_whom(delivery->outcome.refused) == REFUSAL_ACCOUNT);
}

/* Was the message refused for its own sake, or for that of its place? */
static bool
is_refused(const struct delivery *delivery)
{
    return (delivery->err == ERR_DENIED || delivery->err == ERR_FULL) &&
           !is_of_account(delivery);
}

/* In a session, when a message was sent may tell who has acted; not if a post
 * of the same ruling goes out with it. */
static bool
is_time_secret(const struct loop *loop, const struct queued_message *queued)
{
    const struct queued_message *other = NULL;
    bool secret = delivery_is_secret(loop->tables, queued);
    size_t at = 0;
    while (secret && (other = outbox_next_of_game(&loop->tables->outbox,
                                                  queued->game, &at)) != NULL) {
        secret = other->batch != queued->batch ||
                 other->message.kind != MESSAGE_POST;
    }
    return secret;
}

static void
set_silenced(struct loop *loop, const struct service *service, const char *text)
{
    loop->services[service->number].silenced = text != NULL;
    store_note(loop->tables->store, "refused", service->name, 0, text);
}

/* That an account may write nothing is told once: the service answers as if it
 * could, and only what is sent shows it. */
static void
tell_silenced(struct loop *loop, const struct queued_message *queued,
              const struct delivery *delivery)
{
    const struct service *service = delivery->service;
    if (delivery->outcome.refused != REFUSED_WRITING ||
        delivery->err != ERR_DENIED ||
        loop->services[service->number].silenced ||
        is_time_secret(loop, queued)) {
        return;
    }
    log_about(LOG_LEVEL_WARNING,
              &(struct log_subject){.service = service->name},
              "%s; nothing is written there until then (this is told once)",
              buf_text(&delivery->why));
    set_silenced(loop, service, buf_text(&delivery->why));
    delivery_alarm(loop->tables, buf_text(&delivery->why), loop->now);
}

/* That a service limits what is sent is logged once: it is no fault of a
 * message, and lasts for as long as there is much to send. */
static void
log_limit(struct loop *loop, const struct delivery *delivery)
{
    struct loop_service *at = &loop->services[delivery->service->number];
    log_about(at->limited ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING,
              &(struct log_subject){.service = delivery->service->name},
              "%s; whatever is to be sent there waits its turn, what is "
              "urgent first (this is told once)",
              buf_text(&delivery->why));
    at->limited = true;
}

/* Only the first failure of a row is told; of a private message none while its
 * game is on, for what waits before it tells who has acted (waiting.c tells of
 * it, later). */
static void
log_failure(struct loop *loop, struct queued_message *queued,
            const struct delivery *delivery)
{
    const struct hosted_table *hosted =
        queued->message.kind == MESSAGE_PRIVATE
            ? hosted_named(loop->tables, queued->game)
            : NULL;
    struct buf said = BUF_INIT;
    bool quiet = is_of_account(delivery) || queued->job.failures > 1 ||
                 (hosted != NULL && hosted->table.state == TABLE_RUNNING);
    if (delivery->err == ERR_LIMITED) {
        log_limit(loop, delivery);
        return;
    }
    /* A service may quote the words that it refuses. */
    bool words = queued->message.kind == MESSAGE_PRIVATE &&
                 queued->refused == REFUSED_WORDS &&
                 (delivery->err == ERR_DENIED || delivery->err == ERR_FULL);
    queued->logged = queued->logged || !quiet;
    buf_addf(&said, ": %s; it is tried again",
             words ? "its words are refused" : buf_text(&delivery->why));
    sending_log(loop, queued, quiet ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING,
                "waiting", buf_text(&said));
    buf_release(&said);
}

/* What the log said to wait has arrived.  Of what was written in a session, or
 * arrives in one, this is not told. */
static void
log_arrival(struct loop *loop, struct queued_message *queued)
{
    if ((queued->logged || queued->alarmed) && !queued->hidden &&
        !delivery_is_secret(loop->tables, queued)) {
        sending_log(loop, queued, LOG_LEVEL_INFO, "delivered",
                    ", and is delivered now");
    }
    queued->logged = false;
}

/* A status post that is gone is replaced by another one, with another key; and
 * so is one that is there, but can't be edited in a thread that takes other
 * posts, unless the other one is refused as well.  Nothing is decided while it
 * may have arrived. */
static void
turn_status(const struct outbox *outbox, struct queued_message *queued,
            const struct delivery *delivery)
{
    bool edit = delivery->kind == OP_EDIT;
    bool gone = edit && delivery->err == ERR_GONE;
    bool refused = is_refused(delivery);
    if (queued->message.kind != MESSAGE_STATUS) {
        return;
    }
    if (refused && queued->replaces != NULL && delivery->kind == OP_SEND) {
        (void)snprintf(queued->sent, sizeof queued->sent, "%s",
                       queued->replaces);
        free(queued->replaces);
        queued->replaces = NULL;
    } else if (gone ||
               (refused && edit && queued->job.failures >= SENDING_TRIES &&
                !outbox_is_shut(outbox, queued->place, queued->thread))) {
        queued->replaces = gone ? queued->replaces : must_copy(queued->sent);
        queued->sent[0] = '\0';
        queued->part++;
    }
    if (gone) {
        queued->job.failures = 0;
        queued->job.next = 0;
        queued->state = QUEUED_WAITING;
    }
}

/* Does a refusal end the message?  A post that is gone needs no mark; and an
 * edit that is refused again and again is given up: what it would have said is
 * in the status post.  Whoever is not let into a gallery for long is told so,
 * and does not hold up those who asked later.  A game that can't have a thread
 * of its own is played where it was opened; but a right that is missing only
 * for a moment is waited for. */
static bool
ends_it(const struct queued_message *queued, const struct delivery *delivery,
        int64_t now)
{
    bool refused = is_refused(delivery);
    switch (queued->message.kind) {
    case MESSAGE_REACT:
    case MESSAGE_LOCK:
    case MESSAGE_DELETE:
    case MESSAGE_BARE:
        return delivery->err == ERR_GONE;
    case MESSAGE_POST:
        return queued->delivered != 0 &&
               (delivery->err == ERR_GONE ||
                (refused && queued->job.failures >= SENDING_TRIES));
    case MESSAGE_INVITE:
        return delivery->err == ERR_GONE || delivery->err == ERR_CONFIG ||
               (refused && (queued->refused == REFUSED_PERSON ||
                            (queued->refused == REFUSED_RIGHT &&
                             now - queued->refused_at >= INVITE_LATEST)));
    case MESSAGE_OPEN:
        return delivery->err == ERR_GONE || delivery->err == ERR_FULL ||
               delivery->err == ERR_CONFIG ||
               (refused && now - queued->refused_at >= OPEN_LATEST &&
                queued->job.failures >= SENDING_TRIES);
    case MESSAGE_PRIVATE:
    case MESSAGE_STATUS:
    case MESSAGE_TRANSCRIPT:
        break;
    }
    return false;
}

static void
end_refused(struct loop *loop, struct queued_message *queued,
            const struct delivery *delivery)
{
    if (queued->message.kind == MESSAGE_INVITE) {
        delivery_uninvited(loop->tables, queued, delivery->err == ERR_CONFIG,
                           loop->now);
    } else if (queued->message.kind == MESSAGE_OPEN) {
        delivery_opened(loop->tables, queued, "", "", loop->now);
    }
    store_end_queued(loop->tables->store, &loop->tables->outbox, queued);
}

/* What a person does not accept is told at their table, and counts as refused.
 * What is only to be put in other words is not told. */
static void
notify_refused(struct loop *loop, const struct queued_message *queued)
{
    bool words =
        queued->refused == REFUSED_WORDS || queued->refused == REFUSED_EXTRA;
    enum reachability reach =
        queued->refused == REFUSED_PERSON ? REACH_REFUSED : REACH_BARRED;
    if (!words) {
        unreachable_missed(loop->tables, queued, reach, loop->now);
    }
    if (queued->message.calls != 0) {
        calls_delivered(loop->tables, queued, true, loop->now, loop->now);
    }
}

static void
note_failure(struct loop *loop, struct queued_message *queued,
             const struct delivery *delivery)
{
    struct failure failure = {
        .err = delivery->err,
        .refused = delivery->outcome.refused,
        .wait = delivery->outcome.wait,
        .chance = loop_chance(loop),
    };
    if (delivery->unauthorized) {
        failure.err = ERR_DENIED;
        failure.refused = refusal_whom(failure.refused) == REFUSAL_ACCOUNT
                              ? failure.refused
                              : REFUSED_ACCOUNT;
    }
    queued_fail(queued, &failure, loop->now, loop->steady);
    if (delivery->kind == OP_FIND) {
        queued->state = QUEUED_DOUBTFUL; /* whatever became of looking */
    } else if (queued->state == QUEUED_DOUBTFUL) {
        queued->lost_at = loop->now;
    }
    (void)snprintf(queued->trouble, sizeof queued->trouble, "%s",
                   queued->message.kind == MESSAGE_PRIVATE
                       ? ""
                       : buf_text(&delivery->why));
}

static void
message_failed(struct loop *loop, struct queued_message *queued,
               const struct delivery *delivery)
{
    bool private = queued->message.kind == MESSAGE_PRIVATE;
    bool no_dm =
        delivery->err == ERR_GONE && delivery->kind == OP_SEND && private;
    bool first = queued->refused_at == 0;
    note_failure(loop, queued, delivery);
    log_failure(loop, queued, delivery);
    tell_silenced(loop, queued, delivery);
    if (no_dm) { /* it is opened anew */
        queued->refused_at = first ? 0 : queued->refused_at;
        queued->job.next = loop->steady + 2 * SECOND_MS * queued->job.failures;
        store_set_dm(loop->tables->store, delivery->service->name,
                     queued->message.user, "");
        return;
    }
    if (ends_it(queued, delivery, loop->now)) {
        end_refused(loop, queued, delivery);
        return;
    }
    turn_status(&loop->tables->outbox, queued, delivery);
    /* If it waits for another reason, it stays in flight on disk: it may have
     * arrived. */
    if (queued->state != QUEUED_DOUBTFUL) {
        store_save_queued(loop->tables->store, queued);
    }
    if (private && first && queued->refused_at != 0) {
        notify_refused(loop, queued);
    }
    waiting_note_refused(loop, queued);
}

/* ---- successes ----------------------------------------------------------- */

/* A status post is pinned if possible, instead of the one that it replaces, and
 * of those of games that are over; if that is denied, it stands there all the
 * same. */
static void
pin(struct loop *loop, const struct queued_message *queued)
{
    struct hosted_place *place =
        places_find(&loop->tables->places, queued->place);
    struct ticket ticket = {.kind = TICKET_PIN, .of = {.place = place}};
    struct op op = {
        .kind = OP_PIN, .place = queued->thread, .post = queued->sent};
    struct buf old = BUF_INIT;
    if (!place->service->adapter->capabilities.pins) {
        return;
    }
    store_old_status(loop->tables->store, queued->thread, &old);
    if (queued->replaces != NULL) {
        buf_addf(&old, "%s\n", queued->replaces);
    }
    op.text = buf_text(&old);
    loop_ask(loop, place->service, &op, ticket);
    buf_release(&old);
}

/* Messages that have waited for long have arrived: once the last of them has,
 * their thread is told. */
static void
notify_arrived(struct loop *loop, struct queued_message *queued)
{
    const struct outbox *outbox = &loop->tables->outbox;
    const struct queued_message *other = NULL;
    size_t at = 0;
    bool told = queued->alarmed && queued->message.kind == MESSAGE_POST &&
                queued->refused_at != 0;
    while (told && (other = outbox_next_in_thread(outbox, queued->thread,
                                                  &at)) != NULL) {
        told = other == queued || !other->alarmed ||
               other->message.kind != MESSAGE_POST ||
               strcmp(other->place, queued->place) != 0;
    }
    queued->alarmed = false;
    if (told) {
        delivery_works_again(loop->tables, queued, loop->now);
    }
}

/* What is done once a message has arrived. */
static void
after_delivery(struct loop *loop, struct queued_message *queued,
               const struct delivery *delivery)
{
    struct tables *tables = loop->tables;
    if (delivery->outcome.unseen && !queued->opened) {
        unreachable_missed(tables, queued, REACH_UNSEEN, loop->now);
    }
    if (queued->message.kind == MESSAGE_PRIVATE) {
        reader_hasten(loop, delivery->service, queued->message.user);
    }
    if (queued->message.kind == MESSAGE_TRANSCRIPT) {
        timers_deal(tables, queued->game, loop->now);
    }
    if (queued->message.kind == MESSAGE_STATUS && delivery->kind != OP_EDIT &&
        delivery_pins(tables, queued)) {
        pin(loop, queued);
    }
    if (delivery->kind != OP_EDIT) {
        free(queued->replaces);
        queued->replaces = NULL;
    }
    if (delivery->kind == OP_OPEN) {
        delivery_opened(tables, queued, buf_text(&delivery->outcome.id),
                        buf_text(&delivery->outcome.cursor), loop->now);
    }
    if (delivery->kind == OP_INVITE) {
        delivery_invited(tables, queued, buf_text(&delivery->outcome.id),
                         loop->now);
    }
    notify_arrived(loop, queued);
}

/* When a message that was found came, as far as is known: it may have been
 * marked long before its request went out, but it was there when the reply was
 * missed. */
static int64_t
arrived_at(const struct queued_message *queued, int64_t now)
{
    int64_t at = queued->lost_at != 0 ? queued->lost_at : queued->in_flight;
    /* Nobody saw it before it was approved. */
    return at == 0 || queued->unapproved != 0 ? now : at;
}

/* Of the next that waits for approval in its place it is told again. */
static void
note_approved(struct loop *loop, struct queued_message *queued)
{
    if (queued->unapproved != 0) {
        sending_place(loop, queued)->unapproved_told = false;
    }
    queued->unapproved = 0;
}

/* It is there. */
static void
message_delivered(struct loop *loop, struct queued_message *queued,
                  const struct delivery *delivery)
{
    char game[TABLE_ID_MAX + 1];
    bool found = delivery->kind == OP_FIND;
    bool call = queued->message.calls != 0 && queued->delivered == 0;
    bool again =
        queued->changed || (queued->message.kind == MESSAGE_STATUS && found);
    if (queued->message.kind != MESSAGE_STATUS && queued->delivered == 0) {
        queued->delivered = found ? arrived_at(queued, loop->now) : loop->now;
    }
    log_arrival(loop, queued);
    note_approved(loop, queued);
    queued->state = again ? QUEUED_WAITING : QUEUED_SENT;
    store_save_queued(loop->tables->store, queued);
    queued->changed = again;
    if (call && !calls_in_part(loop->tables, queued)) {
        calls_delivered(loop->tables, queued, false, queued->delivered,
                        loop->now);
    }
    after_delivery(loop, queued, delivery);
    /* Its time may have been moved before anybody knew that it had arrived. */
    unsigned calls = calls_is_outdated(loop->tables, queued, loop->now)
                         ? queued->message.calls
                         : 0;
    (void)snprintf(game, sizeof game, "%s", queued->game);
    outbox_done(&loop->tables->outbox, queued->id);
    if (calls != 0) {
        store_recall(loop->tables->store, game, calls, "",
                     &loop->tables->outbox);
    }
}

/* It waits for a moderator, and is looked for now and then; a second copy would
 * be approved, too. */
static void
message_unapproved(struct loop *loop, struct queued_message *queued,
                   const struct delivery *delivery)
{
    struct loop_place *place = sending_place(loop, queued);
    bool tells = queued->unapproved == 0 ||
                 queued->message.kind == MESSAGE_PRIVATE; /* it may be secret */
    if (delivery->kind == OP_SEND || delivery->outcome.id.len > 0) {
        (void)snprintf(queued->sent, sizeof queued->sent, "%s",
                       buf_text(&delivery->outcome.id));
    }
    if (queued->unapproved == 0) {
        queued->unapproved = loop->now;
    }
    queued->state = QUEUED_DOUBTFUL;
    queued->job.failures = 0;
    queued->trouble[0] = '\0';
    queued->job.next = loop->steady + MINUTE_MS;
    store_save_queued(loop->tables->store, queued);
    if (!tells || place->unapproved_told ||
        delivery_is_secret(loop->tables, queued)) {
        return;
    }
    place->unapproved_told = true;
    delivery_unapproved(loop->tables, queued, loop->now);
}

/* A moderator did not approve it: it is sent again.  If nothing has changed
 * that copy waits, too, and is looked for once a minute.  This is told together
 * with what is overdue. */
static void
message_rejected(struct loop *loop, struct queued_message *queued)
{
    sending_log(loop, queued, LOG_LEVEL_WARNING, NULL,
                ": a moderator has not approved it; it is sent again; let the "
                "host's account post without approval");
    queued->unapproved = 0;
    queued->sent[0] = '\0';
    queued->state = QUEUED_WAITING;
    queued->job.failures = 1;
    queued->job.next = loop->steady;
    (void)snprintf(queued->trouble, sizeof queued->trouble,
                   "a moderator has not approved it");
    store_save_queued(loop->tables->store, queued);
}

/* It was not found.  Only one that a queue has named can be missed there. */
static void
message_not_there(struct loop *loop, struct queued_message *queued,
                  const struct delivery *delivery)
{
    if (queued->unapproved == 0) {
        queued->state = QUEUED_WAITING; /* it never arrived: send it now */
        return;
    }
    if (queued->sent[0] != '\0') {
        message_rejected(loop, queued);
    } else {
        message_unapproved(loop, queued, delivery);
    }
}

/* It may be further back: it is looked for on, and stays in flight on disk. */
static void
search_on(const struct loop *loop, struct queued_message *queued)
{
    queued->state = QUEUED_DOUBTFUL;
    queued->job.failures = 0;
    queued->job.next = loop->steady + SEARCH_PAUSE;
}

static void
message_sent(struct loop *loop, struct queued_message *queued,
             const struct delivery *delivery)
{
    if (delivery->kind != OP_EDIT) {
        (void)snprintf(queued->sent, sizeof queued->sent, "%s",
                       buf_text(&delivery->outcome.id));
        delivery_note_written(loop->tables, queued, loop->now);
    }
    if (queued->refused == REFUSED_WRITING) {
        set_silenced(loop, delivery->service, NULL);
    }
    queued->job.failures = 0;
    queued->trouble[0] = '\0';
    if (delivery_says_more(loop->tables, queued,
                           delivery->service->adapter->dialect, loop->now)) {
        queued->unapproved = 0;
        queued->part++;
        queued->shape = SHAPE_SPLIT;
        queued->state = QUEUED_WAITING;
        store_save_queued(loop->tables->store, queued);
        return;
    }
    message_delivered(loop, queued, delivery);
}

/* A refused picture is told once, and the next one is tried the day after. */
static void
note_unpictured(struct loop *loop, const struct queued_message *queued,
                const struct delivery *delivery)
{
    bool page = queued->message.report != NULL &&
                delivery->service->adapter->capabilities.pages;
    if (delivery->kind != OP_SEND || !delivery->outcome.unpictured ||
        sending_is_unpictured(loop, queued, page)) {
        return;
    }
    sending_place(loop, queued)->unpictured[page] = loop->steady + DAY_MS;
    log_about(LOG_LEVEL_WARNING, &(struct log_subject){.place = queued->place},
              "place \"%s\": the service refused the %s that went with a post "
              "(%s); for a day, or until the host is started or reloads its "
              "configuration, posts go there without one",
              queued->place, page ? "page" : "picture",
              buf_text(&delivery->outcome.shown));
}

static void
take(struct loop *loop, struct queued_message *queued,
     const struct delivery *delivery)
{
    note_search(queued, delivery, loop->now);
    if (delivery->err != ERR_NONE) {
        message_failed(loop, queued, delivery);
        return;
    }
    loop_take_states(loop, delivery->service, &delivery->outcome);
    note_unpictured(loop, queued, delivery);
    if (delivery->kind == OP_DM) {
        queued->state =
            queued->state == QUEUED_SOUGHT ? QUEUED_DOUBTFUL : QUEUED_WAITING;
        queued->opened = true;
        feeds_open_dm(&loop->tables->feeds, sending_service(loop, queued),
                      queued->message.user, buf_text(&delivery->outcome.id),
                      buf_text(&delivery->outcome.cursor));
        return;
    }
    switch (found_by(delivery)) {
    case FOUND_NOTHING:
        message_not_there(loop, queued, delivery);
        return;
    case FOUND_NOT_YET:
        if (queued->cursor == NULL) {
            message_unapproved(loop, queued, delivery);
            return;
        }
        search_on(loop, queued);
        return;
    case FOUND_IT:
    case FOUND_UNTOLD:
        break;
    }
    if (delivery->outcome.unapproved &&
        delivery->service->adapter->capabilities.finds) {
        message_unapproved(loop, queued, delivery);
    } else {
        message_sent(loop, queued, delivery);
    }
}

void
sent_take(struct loop *loop, const struct delivery *delivery)
{
    struct outbox *outbox = &loop->tables->outbox;
    int64_t id = delivery->ticket.of.message;
    struct queued_message *queued = outbox_find(outbox, id);
    assert(queued != NULL);
    searches_note(loop, queued, delivery);
    take(loop, queued, delivery);
    queued = outbox_find(outbox, id); /* unless it has ended */
    if (queued != NULL) {
        outbox_changed(outbox, queued);
    }
    if (loop->tables->places.astray > 0) {
        places_change(&loop->tables->places); /* its game may have waited */
    }
}

/* Another process notes it, so the store has to be asked: as often as for looks
 * (bot/tables/turns/timers.c).  A message in flight is settled once that is
 * over. The id of one that is there is not known: where it is to be edited
 * there is no such post. */
void
sent_settle(struct loop *loop)
{
    struct store *store = loop->tables->store;
    bool there = false;
    if (loop->now != loop->tables->upkeep.looks_asked) {
        return;
    }
    int64_t message = store_next_settled(store, &there);
    struct queued_message *queued = outbox_find(&loop->tables->outbox, message);
    if (message == 0 || (queued != NULL && !queued_waits(queued))) {
        return;
    }
    if (queued != NULL && queued->state == QUEUED_DOUBTFUL &&
        queued->service != NO_SERVICE) {
        struct delivery delivery = {.kind = OP_FIND,
                                    .service = sending_service(loop, queued),
                                    .ticket.of.message = message};
        delivery.outcome.found = there ? FOUND_IT : FOUND_NOTHING;
        buf_add_text(&delivery.outcome.id, there ? "unknown" : "");
        queued->job.next = 0;
        sent_take(loop, &delivery);
        buf_release(&delivery.outcome.id);
        if (!there) {
            store_save_queued(store, queued);
        }
    }
    store_forget_settled(store, message);
}
