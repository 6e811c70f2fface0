/*
 * The tables: the time that a question names, and when it was asked.
 *
 * A question's time runs from the moment when it stands in the thread.  If it
 * is asked in private, its time runs from the last message that was delivered
 * or refused.  So its deadline is a slot in the message
 * (bot/host/table/slot.h), filled when that is sent; and if it came late, one
 * move sets the deadline later. Until it has come no time runs out; nor while
 * one that was refused before may arrive at any moment.
 *
 * During a pause no time passes: what comes then counts as come when the pause
 * began.
 *
 * The chancellor's cards are the exception: nothing visible may tell when they
 * were sent, for that is when the president chose.  If they came late, the
 * session goes on, and this is told when it would have ended.
 */
#include "bot/tables/delivery/calls.h"

#include <string.h>

#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/table/deadline.h"
#include "bot/host/table/slot.h"
#include "bot/host/words/notice.h"
#include "bot/host/words/speech.h"
#include "bot/tables/delivery/buttons.h"
#include "bot/tables/game_log.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"

/* ---- what is named --------------------------------------------------------
 */

/* What is told in public if the open question's deadline is `due`. */
static int64_t
told_of(const struct table *table, int64_t due, const struct zone *zone)
{
    if (!table_in_session(table)) {
        return due;
    }
    return due == table->deadline
               ? table->session_ends
               : deadline_moved(table->session_ends, due - table->deadline,
                                &table->settings, zone);
}

/* Does a message ask the open question?  In a session the public one asks for
 * both choices. */
static bool
asks_now(const struct message *message, const struct table *table)
{
    return message->calls != 0 && table->state == TABLE_RUNNING &&
           message->calls == (message->kind == MESSAGE_PRIVATE
                                  ? table->phase
                                  : table_phase(table));
}

int64_t
calls_deadline(struct tables *tables, const struct queued_message *queued,
               int64_t now)
{
    const struct message *message = &queued->message;
    const struct table *table =
        message->deadline == 0 ? NULL : hosted_find(tables, queued->game);
    if (table == NULL || table->deadline == 0 || !asks_now(message, table)) {
        return message->deadline;
    }
    struct host_env env = tables_env(tables, table, now);
    env.now = tables_asking_time(tables, env.service, now);
    bool opens = queued->delivered == 0 && !table->paused &&
                 message->calls == table->phase;
    int64_t due =
        opens ? deadline_called(table, env.now, env.zone) : table->deadline;
    return message->kind == MESSAGE_PRIVATE ? due
                                            : told_of(table, due, env.zone);
}

bool
calls_is_outdated(struct tables *tables, const struct queued_message *queued,
                  int64_t now)
{
    const struct message *message = &queued->message;
    bool names = message->kind == MESSAGE_POST && message->deadline != 0;
    const struct table *table =
        names ? hosted_find(tables, queued->game) : NULL;
    return table != NULL && !table->paused && asks_now(message, table) &&
           calls_deadline(tables, queued, now) != queued->named;
}

/* A time as a message states it, in its dialect and its reader's language. */
static void
write_time(struct tables *tables, const struct queued_message *queued,
           const struct table *table, int64_t now, struct buf *out)
{
    struct host_env env = tables_env(tables, table, now);
    const char *user = queued->message.user;
    unsigned seat = user == NULL ? NO_SEAT : table_seat(table, user);
    struct buf time = BUF_INIT;
    struct rich text = {.count = 0};
    env.catalogue = speech_catalogue(&env, table, seat);
    env.reader_zone = speech_zone(&env, table, seat);
    speech_time(&env, table, queued->named, &time);
    rich_add_text(&text, buf_text(&time), 0);
    env.dialect->write(&text, out);
    rich_release(&text);
    buf_release(&time);
}

void
calls_fill(struct tables *tables, const struct queued_message *queued,
           int64_t now, struct buf *text)
{
    const struct message *message = &queued->message;
    bool names = queued->named != 0 && message->deadline != 0;
    const struct table *table =
        names ? hosted_find(tables, queued->game) : NULL;
    int64_t named = queued->named;
    struct buf time = BUF_INIT;
    if (table == NULL) {
        named = message->deadline;
    } else if (named != message->deadline) {
        write_time(tables, queued, table, now, &time);
    }
    slot_fill(message->text, message->deadline, named, buf_text(&time), text);
    buf_release(&time);
}

/* ---- whether it was asked -------------------------------------------------
 */

void
calls_note_unasked(struct tables *tables, struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct queued_message *queued = NULL;
    size_t at = 0;
    ruling->unasked = 0;
    ruling->closed = 0;
    while (table_is_secret(table) &&
           (queued = outbox_next_of_game(&tables->outbox, table->id, &at)) !=
               NULL) {
        unsigned seat = queued->message.kind == MESSAGE_PRIVATE &&
                                queued->message.calls == table->phase &&
                                queued->delivered == 0
                            ? table_seat(table, queued->message.user)
                            : NO_SEAT;
        bool closed = outbox_is_unwanted(queued);
        if (seat == NO_SEAT || (closed && buttons_ask(tables, table))) {
            continue;
        }
        ruling->unasked |= seat_bit(seat);
        ruling->closed |= closed ? seat_bit(seat) : 0;
    }
}

bool
calls_is_asked(struct tables *tables, struct hosted_table *hosted,
               int64_t through)
{
    const struct outbox *outbox = &tables->outbox;
    const struct table *table = &hosted->table;
    int64_t patience = table->settings.undeliverable;
    if (table->state == TABLE_CHECK) {
        return !outbox_awaits_private(outbox, table->id, CALLS_READY) ||
               through >= table->check_ends + patience;
    }
    if (table->state == TABLE_RUNNING &&
        outbox_call(outbox, table->id, table_phase(table)) != NULL) {
        return false;
    }
    return table->state != TABLE_RUNNING ||
           table->game.question == QUESTION_ENACT ||
           !outbox_awaits_private(outbox, table->id, table->phase) ||
           through >= table->opened + patience;
}

/* ---- when it was asked ----------------------------------------------------
 */

/* A message that was sent with a time is right about it, within bounds. */
static int64_t
as_named(const struct table *table, const struct queued_message *queued,
         int64_t due, const struct zone *zone)
{
    int64_t told = queued->message.kind == MESSAGE_PRIVATE
                       ? due
                       : told_of(table, due, zone);
    int64_t by = queued->named == 0 ? 0 : queued->named - told;
    int64_t most = table->length / 20;
    return by >= -most && by <= most ? due + by : due;
}

/* Say that the question came late, and how much time there is now. */
static void
notify_late(struct ruling *ruling)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_post(&speech, ruling, "call_late");
    speech_release(&speech);
}

/* The deadline is set later.  A message that has just been delivered and names
 * the new one needs no line beside it. */
static void
set_on(struct ruling *ruling, const struct queued_message *queued, int64_t due)
{
    const struct table *table = ruling->table;
    const struct zone *zone = ruling->env->zone;
    bool hidden = table->game.question == QUESTION_ENACT || table->paused;
    struct move move = ruling_move(ruling, MOVE_CALLED, 0);
    struct speech speech;
    move.until = due;
    move.session = table->game.question == QUESTION_DISCARD
                       ? told_of(table, due, zone)
                       : 0;
    speech_init(&speech, ruling->env, table, NULL);
    speech_reason(&speech, "call_reason", &move);
    speech_release(&speech);
    (void)ruling_play(ruling, &move);
    if (hidden) {
        return;
    }
    if (queued->message.kind == MESSAGE_PRIVATE ||
        queued->named != table_told(table)) {
        notify_late(ruling);
    }
    notice_status(ruling);
}

/* An execution was announced late: the president gets the whole time to think
 * again. */
static void
think_on(struct ruling *ruling, int64_t asked)
{
    struct table *table = ruling->table;
    int64_t thought = table->thought;
    struct move move = ruling_move(ruling, MOVE_ANNOUNCE, 0);
    struct speech speech;
    move.announced = table->announced;
    move.until = asked + thought;
    if (move.until - table->announced_due <= thought / 20) {
        return;
    }
    (void)ruling_play(ruling, &move);
    if (table->paused) {
        return;
    }
    speech_init(&speech, ruling->env, table, NULL);
    speech_set_time(&speech, "until", table->announced_due);
    speech_post(&speech, ruling, "aimed_late");
    notice_status(ruling);
    speech_release(&speech);
}

/* Is this the last of the messages by which the open question is asked? */
static bool
is_last(const struct tables *tables, const struct queued_message *queued,
        const struct table *table)
{
    const struct outbox *outbox = &tables->outbox;
    return queued->message.calls == table->phase &&
           asks_now(&queued->message, table) &&
           outbox_call(outbox, table->id, table->phase) == NULL &&
           outbox_private_calls(outbox, table->id, table->phase) == 0;
}

/* Is it the word of the ready check that is on? */
static bool
is_word(const struct queued_message *queued, const struct table *table)
{
    return queued->message.calls == CALLS_READY && table->state == TABLE_CHECK;
}

/* The open question was asked at that time, as far as it can be. */
static void
note_asked(struct ruling *ruling, const struct queued_message *queued,
           bool refused, int64_t asked)
{
    const struct table *table = ruling->table;
    const struct zone *zone = ruling->env->zone;
    int64_t due = deadline_called(table, asked, zone);
    if (due != table->deadline && !refused) {
        due = as_named(table, queued, due, zone);
    }
    if (table->announced != NO_SEAT) {
        think_on(ruling, asked);
    } else if (due != table->deadline) {
        set_on(ruling, queued, due);
    }
}

void
calls_delivered(struct tables *tables, const struct queued_message *queued,
                bool refused, int64_t at, int64_t now)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    const struct table *table = hosted == NULL ? NULL : &hosted->table;
    bool word = table != NULL && is_word(queued, table);
    if (table == NULL || (word ? refused : !is_last(tables, queued, table))) {
        return;
    }
    struct rule rule;
    /* By the clock that is believed: one that is far ahead just now would put
     * the deadline where it is never reached. */
    int64_t asked =
        tables_service_now(tables, hosted->service, now) - (now - at);
    if (table->paused && asked > table->paused_at) {
        asked = table->paused_at; /* no time has passed since */
    }
    rule_begin_now(tables, hosted, now, &rule);
    if (word) {
        ready_word_sent(&rule.ruling, queued->message.user, asked);
    } else {
        note_asked(&rule.ruling, queued, refused, asked);
    }
    rule_end(tables, &rule);
}

void
calls_deleted(struct tables *tables, const struct service *service,
              const struct post *post)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    const struct table *table = hosted == NULL ? NULL : &hosted->table;
    if (table == NULL || table->state != TABLE_RUNNING) {
        return;
    }
    store_recall(tables->store, table->id, table_phase(table), post->id,
                 &tables->outbox);
}

bool
calls_in_part(const struct tables *tables, const struct queued_message *queued)
{
    const struct outbox *outbox = &tables->outbox;
    const struct queued_message *other = NULL;
    size_t at = 0;
    bool more = false;
    while (!more &&
           (other = outbox_next_of_game(outbox, queued->game, &at)) != NULL) {
        more = other != queued && other->delivered == 0 &&
               other->message.calls == queued->message.calls &&
               other->message.kind == queued->message.kind &&
               (other->message.user == NULL ||
                strcmp(other->message.user, queued->message.user) == 0);
    }
    return more;
}
