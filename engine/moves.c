/* What several kinds of moves share. */
#include "engine/moves.h"

enum refusal
seat_may_be_named(const struct game *game, unsigned seat, unsigned target,
                  bool vacant_too)
{
    if (target >= game->players) {
        return REFUSAL_NO_SUCH_SEAT;
    }
    if (target == seat) {
        return REFUSAL_SELF;
    }
    if (!seat_in(target, game->living)) {
        return REFUSAL_EXECUTED;
    }
    if (seat_in(target, game->vacant) && !vacant_too) {
        return REFUSAL_VACANT;
    }
    return REFUSAL_NONE;
}

void
game_end(struct game *game, enum ending ending, struct events *events)
{
    game->question = QUESTION_NONE;
    game->resume = RESUME_NONE;
    game->resumed_question = 0;
    game->ending = (uint8_t)ending;
    game->winner =
        ending == ENDING_SIX_FASCIST || ending == ENDING_HITLER_CHANCELLOR
            ? PARTY_FASCIST
            : PARTY_LIBERAL;

    struct event *event = events_add(events, EVENT_ENDED);
    event->reason = game->ending;
    event->party = game->winner;
}
