#include <assert.h>

#include "engine/moves.h"

enum {
    TRACKS = 3,
    TRACK_POWERS = 5
};

/* What the first five fascist policies bring, to 5–6, 7–8 and 9–10 players. */
static const uint8_t tracks[TRACKS][TRACK_POWERS] = {
    {POWER_NONE, POWER_NONE, POWER_PEEK, POWER_EXECUTION, POWER_EXECUTION},
    {POWER_NONE, POWER_INVESTIGATE, POWER_SPECIAL_ELECTION, POWER_EXECUTION,
     POWER_EXECUTION},
    {POWER_INVESTIGATE, POWER_INVESTIGATE, POWER_SPECIAL_ELECTION,
     POWER_EXECUTION, POWER_EXECUTION},
};

enum power
game_track_power(unsigned players, unsigned nth)
{
    assert(players >= PLAYERS_MIN && players <= PLAYERS_MAX);
    assert(nth >= 1 && nth <= TRACK_POWERS);
    return (enum power)tracks[(players - PLAYERS_MIN) / 2][nth - 1];
}

void
power_grant(struct game *game)
{
    game->due_power = (uint8_t)game_track_power(game->players, game->fascist);
    if (game->due_power != POWER_NONE) {
        game->resume = RESUME_POWER;
    }
}

/* The president looks at once; nothing is awaited. */
static void
peek(struct game *game, struct events *events)
{
    assert(game->draw.count >= HAND_TILES);
    struct pile top = game->draw;
    struct event *event = events_add(events, EVENT_PEEKED);
    event->seat = game->president;
    event->cards = pile_lift(&top, HAND_TILES);
    game->due_power = POWER_NONE;
    game->resume = RESUME_ROUND;
}

void
power_begin(struct game *game, struct events *events)
{
    assert(game->due_power != POWER_NONE);
    struct event *event = events_add(events, EVENT_POWER);
    event->seat = game->president;
    event->power = game->due_power;

    switch ((enum power)game->due_power) {
    case POWER_INVESTIGATE:
        game->question = QUESTION_INVESTIGATE;
        break;
    case POWER_SPECIAL_ELECTION:
        game->question = QUESTION_SPECIAL_ELECTION;
        break;
    case POWER_PEEK:
        peek(game, events);
        break;
    case POWER_EXECUTION:
        game->question = QUESTION_EXECUTION;
        break;
    case POWER_NONE:
        break;
    }
}

bool
power_is_awaited(const struct game *game)
{
    return game->question == QUESTION_INVESTIGATE ||
           game->question == QUESTION_SPECIAL_ELECTION ||
           game->question == QUESTION_EXECUTION;
}

seat_set
power_choices(const struct game *game)
{
    seat_set present = game_present(game);
    seat_set choices = game->living;
    if (game->due_power == POWER_INVESTIGATE) {
        /* Nobody is investigated twice in a game. */
        choices &= (seat_set)~game->investigated;
    } else if (game->due_power == POWER_SPECIAL_ELECTION) {
        /* A candidate has to be there, term-limited or not. */
        choices = present;
    } else if (seat_count(present) == 1) {
        /* Somebody must be left to play when lots choose for the president. */
        choices &= (seat_set)~present;
    }
    return choices & (seat_set)~seat_bit(game->president);
}

enum refusal
power_may_target(const struct game *game, const struct command *command)
{
    enum refusal refusal =
        seat_may_act(game, command, power_is_awaited(game), game->president);
    if (refusal == REFUSAL_NONE) {
        refusal = seat_may_be_named(game, game->president, command->target,
                                    game->due_power != POWER_SPECIAL_ELECTION);
    }
    if (refusal == REFUSAL_NONE &&
        !seat_in(command->target, power_choices(game))) {
        refusal = game->due_power == POWER_INVESTIGATE ? REFUSAL_INVESTIGATED
                                                       : REFUSAL_LAST_PRESENT;
    }
    return refusal;
}

static void
investigate(struct game *game, unsigned target, struct events *events)
{
    struct event *event = events_add(events, EVENT_INVESTIGATED);
    event->seat = game->president;
    event->target = (uint8_t)target;
    event->party = (uint8_t)game_party(game, target);
    game->investigated |= seat_bit(target);
    game->resume = RESUME_ROUND;
}

static void
call_special(struct game *game, unsigned target, struct events *events)
{
    struct event *event = events_add(events, EVENT_SPECIAL_CALLED);
    event->seat = game->president;
    event->target = (uint8_t)target;
    round_begin_special(game, target, events);
}

static void
execute(struct game *game, unsigned target, struct events *events)
{
    struct event *event = events_add(events, EVENT_EXECUTED);
    event->seat = game->president;
    event->target = (uint8_t)target;
    game->living &= (seat_set)~seat_bit(target);
    game->vacant &= (seat_set)~seat_bit(target);
    if (target == game->hitler) {
        game_end(game, ENDING_HITLER_EXECUTED, events);
    } else {
        game->resume = RESUME_ROUND;
    }
}

void
power_target(struct game *game, const struct command *command,
             struct events *events)
{
    assert(power_is_awaited(game));
    enum power power = (enum power)game->due_power;
    game->due_power = POWER_NONE;
    switch (power) {
    case POWER_INVESTIGATE:
        investigate(game, command->target, events);
        break;
    case POWER_SPECIAL_ELECTION:
        call_special(game, command->target, events);
        break;
    case POWER_EXECUTION:
        execute(game, command->target, events);
        break;
    case POWER_PEEK:
    case POWER_NONE:
        break;
    }
}

enum refusal
power_may_forfeit(const struct game *game, const struct command *command)
{
    (void)command;
    return power_is_awaited(game) ? REFUSAL_NONE : REFUSAL_NOT_NOW;
}

void
power_forfeit(struct game *game, const struct command *command,
              struct events *events)
{
    (void)command;
    struct event *event = events_add(events, EVENT_FORFEITED);
    event->seat = game->president;
    event->power = game->due_power;
    game->due_power = POWER_NONE;
    game->resume = RESUME_ROUND;
}
