/*
 * What a game waits for.
 */
#include "engine/game.h"
#include "engine/moves.h"

/* ---- what is awaited ----------------------------------------------------- */

/* The tiles due of a reshuffle: after an undone hand or peek those of the draw
 * pile alone, else all that are not on the board. */
unsigned
due_liberal(const struct game *game)
{
    unsigned discarded =
        game->resume == RESUME_QUESTION ? 0 : game->discarded_liberal;
    return pile_liberals(game->draw) + discarded;
}

unsigned
due_fascist(const struct game *game)
{
    unsigned discarded =
        game->resume == RESUME_QUESTION ? 0 : game->discarded_fascist;
    return game->draw.count - pile_liberals(game->draw) + discarded;
}

struct awaits
game_awaits(const struct game *game)
{
    struct awaits awaits = {.question = (enum question)game->question};
    switch (awaits.question) {
    case QUESTION_DEAL:
        awaits.due_liberal = LIBERAL_TILES;
        awaits.due_fascist = FASCIST_TILES;
        break;
    case QUESTION_RESHUFFLE:
        awaits.due_liberal = due_liberal(game);
        awaits.due_fascist = due_fascist(game);
        break;
    case QUESTION_NOMINATE:
        awaits.seats = seat_bit(game->president);
        awaits.choices = game_eligible(game);
        break;
    case QUESTION_VOTE:
        awaits.seats = game_present(game) & (seat_set)~game->voted;
        break;
    case QUESTION_DISCARD:
        awaits.seats = seat_bit(game->president);
        awaits.cards = game->hand.count;
        break;
    case QUESTION_ENACT:
        awaits.seats = seat_bit(game->chancellor);
        awaits.cards = game->hand.count;
        awaits.may_veto = game->veto_power && !game->veto_declined;
        break;
    case QUESTION_VETO:
        awaits.seats = seat_bit(game->president);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        awaits.seats = seat_bit(game->president);
        awaits.choices = power_choices(game);
        break;
    case QUESTION_NONE:
        break;
    }
    return awaits;
}
