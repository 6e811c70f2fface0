#include "bot/host/clock.h"

#include <assert.h>
#include <string.h>

#include "bot/host/deadline.h"
#include "bot/host/words/speech.h"

/* What the clock decides counts from the deadline on, whenever it was seen. */
static void
play_clock(struct docket *docket, const struct command *command)
{
    struct move move = docket_move(docket, MOVE_PLAY, table_due(docket->table));
    move.command = *command;
    docket->timed_out = true;
    enum refusal refusal = docket_play(docket, &move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
}

static unsigned
first_seat(seat_set seats)
{
    unsigned seat = 0;
    while (!(seats & seat_bit(seat))) {
        seat++;
        assert(seat < PLAYERS_MAX);
    }
    return seat;
}

/* Draw lots among the legal choices, in order, for who is awaited. */
static void
play_lots(struct docket *docket, const struct awaits *awaits)
{
    const struct dealer *dealer = docket->house->dealer;
    struct command command = {.kind = COMMAND_TARGET, .lots = true};
    command.seat = (uint8_t)first_seat(awaits->seats);
    if (awaits->cards > 0) {
        command.kind = awaits->question == QUESTION_DISCARD ? COMMAND_DISCARD
                                                            : COMMAND_ENACT;
        command.card = (uint8_t)dealer->lots(dealer->context, docket->table,
                                             awaits->cards);
    } else {
        seat_set choices = awaits->choices;
        unsigned count = speech_count(choices);
        unsigned drawn = dealer->lots(dealer->context, docket->table, count);
        while (drawn-- > 0) {
            choices &= (seat_set)(choices - 1);
        }
        command.target = (uint8_t)first_seat(choices);
    }
    play_clock(docket, &command);
}

/* A power that is not used: those awaited are rung and have once more as
 * long; then it is forfeited, or decided by lots. */
static void
power_time(struct docket *docket, const struct awaits *awaits)
{
    struct table *table = docket->table;
    bool lots = strcmp(table->settings.power_timeout, "lots") == 0;
    if (table->rung) {
        if (lots && awaits->choices != 0) {
            play_lots(docket, awaits);
        } else {
            struct command command = {.kind = COMMAND_FORFEIT};
            play_clock(docket, &command);
        }
        return;
    }
    struct move move = docket_move(docket, MOVE_RING, table_due(table));
    move.until = move.now + deadline_length(awaits->question, &table->settings);
    struct buf reason = BUF_INIT;
    buf_init(&reason, sizeof move.text - 1);
    catalogue_text(docket->house->catalogue, "ring_reason", NULL, &reason);
    memcpy(move.text, buf_text(&reason), reason.len + 1);
    buf_release(&reason);
    (void)docket_play(docket, &move);
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, docket->house, table, NULL);
    params_set_number(&speech.params, "lots", lots);
    speech_say(&speech, "ring_power", &text);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

/* Whoever has missed too many deadlines loses the seat, for the time being. */
static void
vacate_absent(struct docket *docket, int64_t due)
{
    struct table *table = docket->table;
    int64_t misses = table->settings.misses;
    for (unsigned seat = 0; misses > 0 && seat < table->seated; seat++) {
        if (table->state != TABLE_RUNNING || table->misses[seat] < misses ||
            !(game_present(&table->game) & seat_bit(seat))) {
            continue;
        }
        struct move move = docket_move(docket, MOVE_PLAY, due);
        move.command.kind = COMMAND_VACATE;
        move.command.target = (uint8_t)seat;
        (void)docket_play(docket, &move); /* the last one present stays */
    }
}

/* Time is up for the open question (rules.md, "When time runs out"). */
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
        play_clock(docket, &close);
        break;
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        play_lots(docket, &awaits);
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

void
clock_fire(struct docket *docket)
{
    switch (table_timer(docket->table).kind) {
    case TIMER_DEADLINE:
        end_question(docket);
        break;
    case TIMER_NONE:
    case TIMER_START:
    case TIMER_CHECK:
    case TIMER_REMIND:
    case TIMER_AIM:
    case TIMER_ASKED:
        break;
    }
}
