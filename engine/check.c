/* What must be true of a game after every event. */
#include <assert.h>

#include "engine/moves.h"

static bool
is_seat_or_none(const struct game *game, unsigned seat)
{
    return seat == NO_SEAT || seat < game->players;
}

static bool
is_subset(seat_set part, seat_set whole)
{
    return (part & (seat_set)~whole) == 0;
}

static bool
pile_is_sound(struct pile pile)
{
    return pile.count <= TILES && pile.liberal >> pile.count == 0;
}

/* Draw pile, discards, hand and board are the seventeen tiles, always. */
static void
check_tiles(const struct game *game)
{
    assert(pile_is_sound(game->draw) && pile_is_sound(game->hand));
    unsigned liberal = pile_liberals(game->draw) + pile_liberals(game->hand) +
                       game->discarded_liberal + game->liberal;
    unsigned all = game->draw.count + game->hand.count +
                   game->discarded_liberal + game->discarded_fascist +
                   game->liberal + game->fascist;
    assert(liberal == (game->round > 0 ? LIBERAL_TILES : 0));
    assert(all == (game->round > 0 ? TILES : 0));
}

static void
check_seats(const struct game *game)
{
    seat_set all = (seat_set)((1U << game->players) - 1);
    assert(game->players >= PLAYERS_MIN && game->players <= PLAYERS_MAX);
    assert(is_subset(game->living, all) && game_present(game) != 0);
    assert(seat_count(game->living) + 2 >= game->players);
    assert(is_subset(game->vacant, game->living));
    assert(is_subset(game->investigated, all));
    assert(is_subset(game->voted, all) && is_subset(game->ja, game->voted));
    assert(is_seat_or_none(game, game->limited_president));
    assert(is_seat_or_none(game, game->limited_chancellor));
    assert(is_seat_or_none(game, game->chancellor));
    if (game->round > 0) {
        assert(game->hitler < game->players && is_subset(game->fascists, all));
        assert(!seat_in(game->hitler, game->fascists));
        assert(seat_count(game->fascists) == game_fascist_count(game->players));
        assert(game->rotation < game->players);
        assert(game->president < game->players);
        assert(game->president != game->chancellor);
        assert(game->special || game->president == game->rotation);
    }
}

static void
check_board(const struct game *game)
{
    assert(game->liberal <= LIBERAL_WIN && game->fascist <= FASCIST_WIN);
    assert((game->liberal == LIBERAL_WIN) ==
           (game->ending == ENDING_FIVE_LIBERAL));
    assert((game->fascist == FASCIST_WIN) ==
           (game->ending == ENDING_SIX_FASCIST));
    assert(
        game->tracker < TRACKER_CHAOS ||
        (game->tracker == TRACKER_CHAOS &&
         (game->resume == RESUME_CHAOS || game->ending == ENDING_ABANDONED)));
}

/* Between sessions the next hand, or a peek, can be drawn. */
static void
check_between_sessions(const struct game *game)
{
    assert(!game->in_session && game->hand.count == 0);
    assert(game->draw.count >= HAND_TILES);
}

static void
check_election(const struct game *game, bool voting)
{
    check_between_sessions(game);
    assert(game->due_power == POWER_NONE);
    assert(seat_in(game->president, game->living));
    assert(voting == (game->chancellor != NO_SEAT));
    assert(voting || game->voted == 0);
}

static void
check_session(const struct game *game, unsigned hand)
{
    assert(game->in_session && game->hand.count == hand);
    assert(game->due_power == POWER_NONE);
    assert(seat_in(game->president, game->living));
    assert(seat_in(game->chancellor, game->living));
    assert(game->veto_power == (game->fascist == FASCIST_VETO));
}

static void
check_power(const struct game *game, enum power power)
{
    check_between_sessions(game);
    assert(game->due_power == power && game->fascist > 0);
    assert(game_track_power(game->players, game->fascist) == power);
    assert(seat_in(game->president, game->living));
}

static void
check_reshuffle(const struct game *game)
{
    assert(game->resume != RESUME_NONE);
    assert((game->resume == RESUME_POWER) == (game->due_power != POWER_NONE) ||
           game->resume == RESUME_QUESTION);
    if (game->resume != RESUME_QUESTION) {
        assert(!game->in_session && game->hand.count == 0);
        assert(game->draw.count < HAND_TILES);
    }
}

/* What holds while `question` is, or will be again, awaited. */
static void
check_question(const struct game *game, enum question question)
{
    switch (question) {
    case QUESTION_DEAL:
        assert(game->round == 0);
        break;
    case QUESTION_RESHUFFLE:
        check_reshuffle(game);
        break;
    case QUESTION_NOMINATE:
        check_election(game, false);
        break;
    case QUESTION_VOTE:
        check_election(game, true);
        break;
    case QUESTION_DISCARD:
        check_session(game, HAND_TILES);
        break;
    case QUESTION_ENACT:
        check_session(game, HAND_TILES - 1);
        break;
    case QUESTION_VETO:
        check_session(game, HAND_TILES - 1);
        assert(game->veto_power && !game->veto_declined);
        break;
    case QUESTION_INVESTIGATE:
        check_power(game, POWER_INVESTIGATE);
        break;
    case QUESTION_SPECIAL_ELECTION:
        check_power(game, POWER_SPECIAL_ELECTION);
        break;
    case QUESTION_EXECUTION:
        check_power(game, POWER_EXECUTION);
        break;
    case QUESTION_NONE:
        break;
    }
}

static bool
is_fascist_ending(const struct game *game)
{
    return game->ending == ENDING_SIX_FASCIST ||
           game->ending == ENDING_HITLER_CHANCELLOR;
}

void
game_check(const struct game *game)
{
    enum question question = (enum question)game->question;
    check_tiles(game);
    check_seats(game);
    check_board(game);
    check_question(game, question);
    assert(game_is_over(game) == (game->ending != ENDING_NONE));
    assert((game->winner == PARTY_FASCIST) == is_fascist_ending(game));
    assert((question == QUESTION_RESHUFFLE) == (game->resume != RESUME_NONE));
    if (game->resume == RESUME_QUESTION) {
        assert(game->resumed_question != QUESTION_RESHUFFLE);
        check_question(game, (enum question)game->resumed_question);
    }
    if (question == QUESTION_VOTE) {
        assert(!election_is_closed(game));
    }
}
