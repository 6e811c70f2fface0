#include "bot/host/judge/lots.h"

#include <assert.h>
#include <stdio.h>

#include "bot/host/words/speech.h"

/* A decision of the clock counts from the deadline, even if that was noticed
 * later. */
void
lots_play(struct ruling *ruling, const struct command *command, const char *by,
          int64_t at)
{
    struct move move = ruling_move(ruling, MOVE_PLAY, at);
    move.command = *command;
    (void)snprintf(move.user, sizeof move.user, "%s", by);
    move.unasked = ruling->unasked;
    if (command->kind != COMMAND_DISCARD) { /* which asks in private */
        ruling_unseen(ruling, &move);
    }
    ruling->timed_out = true;
    enum refusal refusal = ruling_play(ruling, &move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
}

unsigned
lots_first_seat(seat_set seats)
{
    unsigned seat = 0;
    while (!(seats & seat_bit(seat))) {
        seat++;
        assert(seat < PLAYERS_MAX);
    }
    return seat;
}

/* Choices are in order: cards by position, seats in seat order. */
void
lots_draw(struct ruling *ruling, const char *by, int64_t at)
{
    const struct awaits awaits = game_awaits(&ruling->table->game);
    const struct dealer *dealer = ruling->env->dealer;
    struct command command = {.kind = COMMAND_TARGET, .lots = true};
    command.seat = (uint8_t)lots_first_seat(awaits.seats);
    if (awaits.cards > 0) {
        command.kind = awaits.question == QUESTION_DISCARD ? COMMAND_DISCARD
                                                           : COMMAND_ENACT;
        command.card =
            (uint8_t)dealer->lots(dealer->context, ruling->table, awaits.cards);
    } else {
        seat_set choices = awaits.choices;
        unsigned count = speech_count(choices);
        unsigned drawn = dealer->lots(dealer->context, ruling->table, count);
        while (drawn-- > 0) {
            choices &= (seat_set)(choices - 1);
        }
        command.target = (uint8_t)lots_first_seat(choices);
    }
    lots_play(ruling, &command, by, at);
}
