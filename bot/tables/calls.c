/*
 * The desk: the time that a question names, and when it was asked.
 *
 * A question's time runs from the moment at which it stands in the thread, one
 * that is asked in private from the last message that was delivered or refused.
 * So its deadline is a slot in the message (bot/host/table/slot.h), filled as
 * that is sent; and where it came late, one move sets the deadline on.  Until
 * it has come no time runs out.
 *
 * During a pause no time passes: what comes then came as it began.
 *
 * The chancellor's cards are the exception: nothing that is seen may tell when
 * they were sent, for that is when the president chose.  If they came late, the
 * session goes on, and that is told when it would have ended.
 */
#include <string.h>

#include "bot/host/table/deadline.h"
#include "bot/host/table/slot.h"
#include "bot/host/words/notice.h"
#include "bot/host/words/speech.h"
#include "bot/tables/tables_inner.h"

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

/* Does a message ask what is open?  In a session the one in public asks for
 * both choices. */
static bool
asks_now(const struct letter *letter, const struct table *table)
{
    return letter->calls != 0 && table->state == TABLE_RUNNING &&
           letter->calls == (letter->kind == LETTER_PRIVATE
                                 ? table->phase
                                 : table_phase(table));
}

int64_t
desk_names(struct desk *desk, const struct envelope *envelope, int64_t now)
{
    const struct letter *letter = &envelope->letter;
    const struct table *table = desk_table_named(desk, envelope->game);
    if (letter->deadline == 0 || table == NULL || table->deadline == 0 ||
        !asks_now(letter, table)) {
        return letter->deadline;
    }
    struct house house = desk_house(desk, table, now);
    bool opens = envelope->delivered == 0 && !table->paused &&
                 letter->calls == table->phase;
    house.now = desk_service_now(desk, desk_service(desk, table->place), now);
    int64_t due =
        opens ? deadline_called(table, house.now, house.zone) : table->deadline;
    return letter->kind == LETTER_PRIVATE ? due
                                          : told_of(table, due, house.zone);
}

bool
desk_misnames(struct desk *desk, const struct envelope *envelope, int64_t now)
{
    const struct letter *letter = &envelope->letter;
    const struct table *table = desk_table_named(desk, envelope->game);
    return letter->kind == LETTER_POST && letter->deadline != 0 &&
           table != NULL && !table->paused && asks_now(letter, table) &&
           desk_names(desk, envelope, now) != envelope->named;
}

/* A time as a message says it, in its dialect and its reader's language. */
static void
write_time(struct desk *desk, const struct envelope *envelope,
           const struct table *table, int64_t now, struct buf *out)
{
    struct house house = desk_house(desk, table, now);
    const char *user = envelope->letter.user;
    unsigned seat = user == NULL ? NO_SEAT : table_seat(table, user);
    struct buf time = BUF_INIT;
    struct rich text = {.count = 0};
    house.catalogue = speech_catalogue(&house, table, seat);
    speech_time(&house, table, envelope->named, &time);
    rich_add_text(&text, buf_text(&time), 0);
    house.dialect->write(&text, out);
    rich_release(&text);
    buf_release(&time);
}

void
desk_fill(struct desk *desk, const struct envelope *envelope, int64_t now,
          struct buf *text)
{
    const struct letter *letter = &envelope->letter;
    const struct table *table = desk_table_named(desk, envelope->game);
    int64_t named = envelope->named;
    struct buf time = BUF_INIT;
    if (table == NULL || named == 0 || letter->deadline == 0) {
        named = letter->deadline;
    } else if (named != letter->deadline) {
        write_time(desk, envelope, table, now, &time);
    }
    slot_fill(letter->text, letter->deadline, named, buf_text(&time), text);
    buf_release(&time);
}

/* ---- whether it was asked -------------------------------------------------
 */

void
desk_note_unasked(const struct desk *desk, struct docket *docket)
{
    const struct table *table = docket->table;
    docket->unasked = 0;
    docket->closed = 0;
    for (size_t i = 0; table_is_secret(table) && i < desk->outbox.count; i++) {
        const struct envelope *envelope = desk->outbox.list[i];
        unsigned seat = envelope->letter.kind == LETTER_PRIVATE &&
                                envelope->letter.calls == table->phase &&
                                envelope->delivered == 0 &&
                                strcmp(envelope->game, table->id) == 0
                            ? table_seat(table, envelope->letter.user)
                            : NO_SEAT;
        bool closed =
            envelope->refused_at != 0 && envelope->refused == REFUSED_PERSON;
        docket->unasked |= seat == NO_SEAT ? 0 : seat_bit(seat);
        docket->closed |= seat == NO_SEAT || !closed ? 0 : seat_bit(seat);
    }
}

bool
desk_is_asked(const struct desk *desk, const struct table *table,
              int64_t through)
{
    const struct outbox *outbox = &desk->outbox;
    if (table->state != TABLE_RUNNING) {
        return true;
    }
    if (outbox_call(outbox, table->id, table_phase(table)) != NULL) {
        return false;
    }
    return table->game.question == QUESTION_ENACT ||
           outbox_private_calls(outbox, table->id, table->phase) == 0 ||
           through >= table->opened + table->settings.undeliverable;
}

/* ---- when it was asked ----------------------------------------------------
 */

/* A message that was sent with a time is right about it, within bounds. */
static int64_t
as_named(const struct table *table, const struct envelope *envelope,
         int64_t due, const struct zone *zone)
{
    int64_t told = envelope->letter.kind == LETTER_PRIVATE
                       ? due
                       : told_of(table, due, zone);
    int64_t by = envelope->named == 0 ? 0 : envelope->named - told;
    int64_t most = table->length / 20;
    return by >= -most && by <= most ? due + by : due;
}

/* Say that the question came late, and until when there is time. */
static void
tell_late(struct docket *docket)
{
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_say(&speech, "call_late", &text);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

/* The deadline is set on.  A message that has just been delivered, and names
 * the new one, needs no line beside it. */
static void
set_on(struct docket *docket, const struct envelope *envelope, int64_t due)
{
    const struct table *table = docket->table;
    const struct zone *zone = docket->house->zone;
    bool hidden = table->game.question == QUESTION_ENACT || table->paused;
    struct move move = docket_move(docket, MOVE_CALLED, 0);
    struct speech speech;
    move.until = due;
    move.session = table->game.question == QUESTION_DISCARD
                       ? told_of(table, due, zone)
                       : 0;
    speech_init(&speech, docket->house, table, NULL);
    speech_reason(&speech, "call_reason", &move);
    speech_release(&speech);
    (void)docket_play(docket, &move);
    if (hidden) {
        return;
    }
    if (envelope->letter.kind == LETTER_PRIVATE ||
        envelope->named != table_told(table)) {
        tell_late(docket);
    }
    notice_status(docket);
}

/* An execution was announced late: the president has the whole time to think
 * again. */
static void
think_on(struct docket *docket, int64_t asked)
{
    struct table *table = docket->table;
    int64_t thought = table->settings.second_thought;
    struct move move = docket_move(docket, MOVE_AIM, 0);
    struct speech speech;
    struct buf until = BUF_INIT;
    struct rich text = {.count = 0};
    move.number = table->aim + 1U;
    move.until = asked + thought;
    if (move.until - table->aim_due <= thought / 20) {
        return;
    }
    (void)docket_play(docket, &move);
    if (table->paused) {
        return;
    }
    speech_init(&speech, docket->house, table, NULL);
    speech_seat(&speech, "target", table->aim);
    speech_time(docket->house, table, table->aim_due, &until);
    params_text(&speech.params, "until", buf_text(&until));
    params_number(&speech.params, "again", 0);
    speech_say(&speech, "aimed", &text);
    docket_post(docket, &text);
    notice_status(docket);
    rich_release(&text);
    buf_release(&until);
    speech_release(&speech);
}

/* Is a message the last by which the open question is asked? */
static bool
is_last(const struct desk *desk, const struct envelope *envelope,
        const struct table *table)
{
    const struct outbox *outbox = &desk->outbox;
    return envelope->letter.calls == table->phase &&
           asks_now(&envelope->letter, table) &&
           outbox_call(outbox, table->id, table->phase) == NULL &&
           outbox_private_calls(outbox, table->id, table->phase) == 0;
}

enum err
desk_called(struct desk *desk, const struct envelope *envelope, bool refused,
            int64_t at, int64_t now, struct buf *why)
{
    struct table *table = desk_table_named(desk, envelope->game);
    enum err err = ERR_NONE;
    if (table == NULL || !is_last(desk, envelope, table)) {
        return ERR_NONE;
    }
    struct docket docket;
    struct house house = desk_house(
        desk, table,
        desk_service_now(desk, desk_service(desk, table->place), now));
    int64_t asked = house.now - (now - at);
    if (table->paused && asked > table->paused_at) {
        asked = table->paused_at; /* no time has passed since */
    }
    int64_t due = deadline_called(table, asked, house.zone);
    if (due != table->deadline && !refused) {
        due = as_named(table, envelope, due, house.zone);
    }
    docket_init(&docket, &house, table);
    desk_unlist(desk, table);
    if (table->aim != NO_SEAT) {
        think_on(&docket, asked);
    } else if (due != table->deadline) {
        set_on(&docket, envelope, due);
    }
    desk_list(desk, table);
    if (docket.row_count > 0) {
        err = desk_save(desk, &docket, why);
        desk->acted = true;
    }
    docket_release(&docket);
    return err;
}

enum err
desk_save(struct desk *desk, const struct docket *docket, struct buf *why)
{
    const struct table *table = docket->table;
    enum err err = store_save_docket(desk->store, docket, &desk->outbox, why);
    bool moved = table->state == TABLE_RUNNING && docket->first_told != 0 &&
                 table_phase(table) == docket->first_phase &&
                 table_told(table) != docket->first_told;
    return err == ERR_NONE && moved
               ? store_recall(desk->store, table->id, table_phase(table),
                              &desk->outbox, why)
               : err;
}
