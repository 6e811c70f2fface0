/*
 * A round begins, and what one leaves to the next: who may be named, and the
 * tracker.
 */
#include <assert.h>

#include "engine/moves.h"

/* The set of a seat that may be nobody. */
static seat_set
bit_or_none(unsigned seat)
{
    return seat == NO_SEAT ? 0 : seat_bit(seat);
}

/*
 * The president of the last government is bound always, or only while more
 * than five are left, or only in games that began with more than six.
 */
static bool
president_is_limited(const struct game *game)
{
    switch ((enum president_limit)game->rules.president_term_limit) {
    case PRESIDENT_LIMIT_ALWAYS:
        return true;
    case PRESIDENT_LIMIT_OVER_FIVE_LIVING:
        return seat_count(game_present(game)) > 5;
    case PRESIDENT_LIMIT_OVER_SIX_SEATED:
        return game->players > 6;
    }
    return true;
}

seat_set
game_eligible(const struct game *game)
{
    if (game->president == NO_SEAT) {
        return 0;
    }
    seat_set barred =
        seat_bit(game->president) | bit_or_none(game->limited_chancellor);
    seat_set others = game_present(game) & (seat_set)~barred;
    if (!president_is_limited(game)) {
        return others;
    }
    /* With nobody else left the former president may be nominated after all. */
    seat_set eligible =
        others & (seat_set)~bit_or_none(game->limited_president);
    return eligible != 0 ? eligible : others;
}

unsigned
game_next_candidate(const struct game *game)
{
    seat_set present = game_present(game);
    assert(game->rotation < game->players && present != 0);
    unsigned seat = game->rotation;
    do {
        seat = seat + 1 == game->players ? 0 : seat + 1;
    } while (!seat_in(seat, present));
    return seat;
}

static void
begin_with(struct game *game, unsigned candidate, bool special,
           struct events *events)
{
    game->round++;
    game->president = (uint8_t)candidate;
    game->chancellor = NO_SEAT;
    game->special = special;
    game->voted = 0;
    game->ja = 0;
    game->question = QUESTION_NOMINATE;

    struct event *event = events_add(events, EVENT_ROUND);
    event->round = game->round;
    event->seat = game->president;
    event->yes = special;
    event->seats = game_eligible(game);
}

void
round_begin(struct game *game, struct events *events)
{
    unsigned candidate = game_next_candidate(game);
    game->rotation = (uint8_t)candidate;
    begin_with(game, candidate, false, events);
}

void
round_begin_special(struct game *game, unsigned candidate,
                    struct events *events)
{
    /* The rotation stays where it is, so that nobody is skipped. */
    begin_with(game, candidate, true, events);
}

void
election_limit(struct game *game)
{
    game->limited_president = game->president;
    game->limited_chancellor = game->chancellor;
}

void
tracker_advance(struct game *game)
{
    game->tracker++;
    game->resume = game->tracker == TRACKER_CHAOS ? RESUME_CHAOS : RESUME_ROUND;
}
