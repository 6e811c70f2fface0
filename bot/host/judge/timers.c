#include "bot/host/judge/timers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/lots.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/speech.h"

enum {
    LAST_MINUTES = 5
};

/* ---- deadlines ------------------------------------------------------------
 */

/* A power that is not used: those awaited are rung and have once more as
 * long; then it is forfeited, or decided by lots. */
static void
power_time(struct docket *docket, const struct awaits *awaits)
{
    struct table *table = docket->table;
    int64_t due = table_due(table);
    bool lots = strcmp(table->settings.power_timeout, "lots") == 0;
    if (table->rung) {
        if (lots && awaits->choices != 0) {
            lots_draw(docket, "", due);
        } else {
            struct command command = {.kind = COMMAND_FORFEIT};
            lots_play(docket, &command, "", due);
        }
        return;
    }
    struct move move = docket_move(docket, MOVE_RING, due);
    move.until = deadline_from(
        move.now, deadline_length(awaits->question, &table->settings),
        &table->settings, docket->house->zone);
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, docket->house, table, NULL);
    speech_reason(&speech, "ring_reason", &move);
    speech_release(&speech);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    speech_open_slots(&speech);
    params_set_number(&speech.params, "lots", lots);
    speech_say(&speech, "ring_power", &text);
    struct letter *letter = docket_post(docket, &text);
    letter->calls = table->phase;
    letter->deadline = table_told(table);
    rich_release(&text);
    speech_release(&speech);
}

static bool
has_missed_too_many(const struct docket *docket, unsigned seat)
{
    const struct table *table = docket->table;
    const struct dealer *dealer = docket->house->dealer;
    int64_t most = table->settings.misses;
    if (dealer->vacates != NULL) {
        return dealer->vacates(dealer->context, table, seat);
    }
    return most > 0 && table_misses(table, seat) >= most;
}

/* Whoever has missed too many deadlines loses the seat, for the time being. */
static void
vacate_absent(struct docket *docket, int64_t due)
{
    struct table *table = docket->table;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (table->state != TABLE_RUNNING ||
            !(game_present(&table->game) & seat_bit(seat)) ||
            !has_missed_too_many(docket, seat)) {
            continue;
        }
        struct move move = docket_move(docket, MOVE_PLAY, due);
        move.command.kind = COMMAND_VACATE;
        move.command.target = (uint8_t)seat;
        (void)docket_play(docket, &move); /* the last one present stays */
    }
}

/* The session goes on with more time than was announced. */
static void
prolong(struct docket *docket)
{
    const struct table *table = docket->table;
    struct move move = docket_move(docket, MOVE_EXTEND, table_due(table));
    struct speech speech;
    struct rich text = {.count = 0};
    move.number = EXTENDED_FOR_CALL;
    move.until = table->called_until;
    move.session = table->called_until;
    speech_init(&speech, docket->house, table, NULL);
    speech_reason(&speech, "call_reason", &move);
    speech_release(&speech);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    speech_say(&speech, "call_late", &text);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

/* The chancellor's time is up; but they may have got their cards late, or not
 * at all, of which nothing was told so far. */
static void
end_session(struct docket *docket)
{
    const struct table *table = docket->table;
    unsigned seat = table->game.chancellor;
    int64_t due = table_due(table);
    if (table->called_until > table->deadline) {
        prolong(docket);
    } else if (seat_in(seat, docket->unasked)) {
        reach_missed(docket, table->people[seat].user,
                     seat_in(seat, docket->closed) ? REACH_REFUSED
                                                   : REACH_BARRED);
    }
    if (table_due(table) == due) {
        lots_draw(docket, "", due);
    }
}

/* Time is up for the open question (RULES.md, "When time runs out"). */
static void
end_question(struct docket *docket)
{
    struct awaits awaits = game_awaits(&docket->table->game);
    struct command close = {.kind = COMMAND_CLOSE};
    int64_t due = table_due(docket->table);
    switch (awaits.question) {
    case QUESTION_NOMINATE:
    case QUESTION_VOTE:
    case QUESTION_VETO:
        lots_play(docket, &close, "", due);
        break;
    case QUESTION_DISCARD:
        lots_draw(docket, "", due);
        break;
    case QUESTION_ENACT:
        end_session(docket);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        power_time(docket, &awaits);
        break;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        assert(false && "nothing that is awaited has a deadline");
        break;
    }
    vacate_absent(docket, due);
}

/* ---- reminders ------------------------------------------------------------
 */

/* The key of the reminder; NULL: it goes by private message, for who dawdles in
 * a session is a tell. */
static const char *
reminder_key(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "remind_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? "remind_vote_sealed"
                                                   : "remind_vote";
    case QUESTION_VETO:
        return "remind_veto";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "remind_power";
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return NULL;
}

/* Append how much time is left: to the minute, and the last minutes to the
 * second. */
static void
say_left(const struct speech *speech, int64_t now, struct buf *out)
{
    int64_t left = speech->table->deadline - now;
    int64_t unit = left < LAST_MINUTES * MINUTE_MS ? SECOND_MS : MINUTE_MS;
    int64_t units = (left + unit / 2) / unit;
    catalogue_duration(speech->house->catalogue, (units > 0 ? units : 1) * unit,
                       out);
}

static void
remind(struct docket *docket)
{
    const struct table *table = docket->table;
    const struct game *game = &table->game;
    seat_set awaited = game_awaits(game).seats & game_present(game);
    struct move move = docket_move(docket, MOVE_REMIND, table->remind);
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf left = BUF_INIT;
    const char *key = reminder_key(game);
    struct letter *letter = NULL;
    (void)docket_play(docket, &move);
    if (awaited == 0) {
        return; /* a vacant seat: nobody to remind */
    }
    speech_init_for(&speech, docket->house, table, NULL,
                    key == NULL ? lots_first_seat(awaited) : NO_SEAT);
    say_left(&speech, docket->house->now, &left);
    params_text(&speech.params, "left", buf_text(&left));
    speech_seats(&speech, "late", awaited);
    params_number(&speech.params, "ja", speech_count(game->ja));
    params_number(&speech.params, "nein",
                  speech_count((seat_set)(game->voted & ~game->ja)));
    if (key != NULL) {
        speech_say(&speech, key, &text);
        letter = docket_post(docket, &text);
    } else {
        speech_say(&speech, "remind_cards", &text);
        letter = docket_private(
            docket, table->people[lots_first_seat(awaited)].user, &text);
    }
    letter->not_after = table->deadline;
    buf_release(&left);
    rich_release(&text);
    speech_release(&speech);
}

/* ---- second thoughts ------------------------------------------------------
 */

/* The execution that was announced is done. */
static void
execute(struct docket *docket)
{
    struct table *table = docket->table;
    struct move move = docket_move(docket, MOVE_PLAY, table->aim_due);
    move.command = (struct command){.kind = COMMAND_TARGET,
                                    .seat = table->game.president,
                                    .target = table->aim};
    enum refusal refusal = docket_play(docket, &move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
}

void
clock_fire(struct docket *docket, int64_t through)
{
    int64_t due = table_due(docket->table);
    enum timer_kind kind = table_timer(docket->table).kind;
    if (kind == TIMER_REMIND && due != 0 && due <= through) {
        kind = TIMER_DEADLINE; /* nobody has to be reminded of what is over */
    }
    switch (kind) {
    case TIMER_DEADLINE:
        end_question(docket);
        break;
    case TIMER_REMIND:
        remind(docket);
        break;
    case TIMER_AIM:
        execute(docket);
        break;
    case TIMER_START:
    case TIMER_CHECK:
        signup_time(docket);
        break;
    case TIMER_ASKED:
        moderators_time(docket);
        break;
    case TIMER_NONE:
        assert(false && "a timer is due");
        break;
    }
}
