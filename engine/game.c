#include "engine/game.h"

#include <assert.h>
#include <string.h>
/* So that games and piles can be compared by their bytes. */
static_assert(sizeof(struct pile) == 2 * sizeof(uint32_t), "padding");

static_assert(sizeof(struct game) ==
                  sizeof(struct rules) + 19 * sizeof(uint8_t) +
                      4 * sizeof(bool) + sizeof(uint32_t) +
                      6 * sizeof(seat_set) + 2 * sizeof(struct pile),
              "padding");

const struct event_fact event_facts[EVENT_KINDS] = {
#define EVENT(kind, name, line, secret, notice)                                \
    {name, AUDIENCE_##line, AUDIENCE_##secret, notice},
#include "engine/event_list.h"
#undef EVENT
};

const char *
refusal_key(enum refusal refusal)
{
    static const char *const keys[REFUSALS] = {
        "none",
#define REFUSAL(kind, key) key,
#include "engine/refusal_list.h"
#undef REFUSAL
    };
    assert(refusal < REFUSALS);
    return keys[refusal];
}

/* ---- set-up -------------------------------------------------------------- */

unsigned
game_fascist_count(unsigned players)
{
    assert(players >= PLAYERS_MIN && players <= PLAYERS_MAX);
    return (players - 3) / 2;
}

void
game_init(struct game *game, unsigned players, const struct rules *rules)
{
    assert(players >= PLAYERS_MIN && players <= PLAYERS_MAX);
    memset(game, 0, sizeof *game);
    game->rules = *rules;
    game->players = (uint8_t)players;
    game->question = QUESTION_DEAL;
    game->rotation = NO_SEAT;
    game->president = NO_SEAT;
    game->chancellor = NO_SEAT;
    game->limited_president = NO_SEAT;
    game->limited_chancellor = NO_SEAT;
    game->living = (seat_set)((1U << players) - 1);
}

bool
game_hitler_knows(const struct game *game)
{
    return game->rules.hitler_knows_fascists == HITLER_KNOWS_SMALL &&
           game->players <= 6;
}

enum role
game_role(const struct game *game, unsigned seat)
{
    assert(seat < game->players && game->round > 0);
    if (seat == game->hitler) {
        return ROLE_HITLER;
    }
    return seat_in(seat, game->fascists) ? ROLE_FASCIST : ROLE_LIBERAL;
}

enum party
game_party(const struct game *game, unsigned seat)
{
    return game_role(game, seat) == ROLE_LIBERAL ? PARTY_LIBERAL
                                                 : PARTY_FASCIST;
}
