/*
 * Whole games of seven at random, through game_step and played bare.
 *
 * Both throw the same dice in the same order, so they play the same games, card
 * for card; that each ends the same way is checked.  The bare one is the least
 * that plays such a game: nothing is asked whether it is allowed, nobody is
 * told anything, chance is thrown where it is due, and a vote is a bit of a
 * random word, so that an election is one count of bits.  What game_step costs
 * beside it is the price of rules that are enforced and told move by move.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/base/splitmix.h"
#include "engine/game.h"
#include "tests/bench/bench.h"

enum {
    GAMES = 150000, /* a run */
    SEATS = 7,
    VETO = 3, /* one time in so many it is asked for */
};

/* ---- dice ---------------------------------------------------------------- */

struct dice {
    uint64_t state;
};

static inline unsigned
random_below(struct dice *dice, unsigned bound)
{
    return splitmix_below(&dice->state, bound);
}

/* One of a set of seats (MUST NOT be empty). */
static inline unsigned
random_seat(struct dice *dice, unsigned seats)
{
    for (unsigned skip = random_below(dice, seat_count((seat_set)seats));
         skip > 0; skip--) {
        seats &= seats - 1;
    }
    return (unsigned)__builtin_ctz(seats);
}

/* So many tiles, the top first: a set bit is a liberal one. */
static inline uint32_t
random_tiles(struct dice *dice, unsigned liberal, unsigned fascist)
{
    uint32_t tiles = 0;
    for (unsigned i = 0; liberal + fascist > 0; i++) {
        unsigned is_liberal = random_below(dice, liberal + fascist) < liberal;
        tiles |= is_liberal << i;
        liberal -= is_liberal;
        fascist -= 1 - is_liberal;
    }
    return tiles;
}

/* ---- through game_step --------------------------------------------------- */

static void
deal(struct dice *dice, struct command *command)
{
    unsigned left = (1U << SEATS) - 1;
    command->kind = COMMAND_DEAL;
    command->hitler = (uint8_t)random_seat(dice, left);
    left &= ~(1U << command->hitler);
    for (unsigned i = 0; i < 2; i++) {
        unsigned seat = random_seat(dice, left);
        left &= ~(1U << seat);
        command->fascists |= seat_bit(seat);
    }
    command->first = (uint8_t)random_below(dice, SEATS);
    command->tiles.count = TILES;
    command->tiles.liberal = random_tiles(dice, LIBERAL_TILES, FASCIST_TILES);
}

static void
reshuffle(const struct game *game, struct dice *dice, struct command *command)
{
    struct awaits awaits = game_awaits(game);
    command->kind = COMMAND_RESHUFFLE;
    command->tiles.count = awaits.due_liberal + awaits.due_fascist;
    command->tiles.liberal =
        random_tiles(dice, awaits.due_liberal, awaits.due_fascist);
}

static void
enact(const struct game *game, struct dice *dice, struct command *command)
{
    command->seat = game->chancellor;
    if (game->veto_power && !game->veto_declined &&
        random_below(dice, VETO) == 0) {
        command->kind = COMMAND_ASK_VETO;
    } else {
        command->kind = COMMAND_ENACT;
        command->card = (uint8_t)random_below(dice, HAND_TILES - 1);
    }
}

/* Upon whom the president may use a power: all are present here. */
static unsigned
targets(const struct game *game)
{
    unsigned others = game->living & ~(1U << game->president);
    return game->question == QUESTION_INVESTIGATE
               ? others & ~(unsigned)game->investigated
               : others;
}

/* The votes of a round, a bit each, in the order of the seats yet to vote. */
struct ballots {
    uint64_t votes;
    unsigned voters;
};

/* Answer whatever is awaited; `command` keeps what it held besides. */
static void
answer(const struct game *game, struct dice *dice, struct ballots *ballots,
       struct command *command)
{
    command->seat = game->president;
    switch ((enum question)game->question) {
    case QUESTION_DEAL:
        deal(dice, command);
        break;
    case QUESTION_RESHUFFLE:
        reshuffle(game, dice, command);
        break;
    case QUESTION_NOMINATE:
        command->kind = COMMAND_NOMINATE;
        command->target = (uint8_t)random_seat(dice, game_eligible(game));
        ballots->votes = splitmix_next(&dice->state);
        ballots->voters = game->living;
        break;
    case QUESTION_VOTE:
        command->kind = COMMAND_VOTE;
        command->seat = (uint8_t)__builtin_ctz(ballots->voters);
        command->yes = ballots->votes & 1;
        ballots->voters &= ballots->voters - 1;
        ballots->votes >>= 1;
        break;
    case QUESTION_DISCARD:
        command->kind = COMMAND_DISCARD;
        command->card = (uint8_t)random_below(dice, HAND_TILES);
        break;
    case QUESTION_ENACT:
        enact(game, dice, command);
        break;
    case QUESTION_VETO:
        command->kind = COMMAND_ANSWER_VETO;
        command->yes = random_below(dice, 2);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        command->kind = COMMAND_TARGET;
        command->target = (uint8_t)random_seat(dice, targets(game));
        break;
    case QUESTION_NONE:
        break;
    }
}

static enum ending
play(const struct rules *rules, struct dice *dice)
{
    struct game game;
    struct command command = {.kind = COMMAND_DEAL};
    struct events events;
    struct ballots ballots = {0, 0};
    game_init(&game, SEATS, rules);
    while (!game_is_over(&game)) {
        answer(&game, dice, &ballots, &command);
        if (game_step(&game, &command, &events) != REFUSAL_NONE) {
            die("a legal move was refused");
        }
    }
    return (enum ending)game.ending;
}

/* ---- bare ---------------------------------------------------------------- */

/* What must be known of a game of seven by the default rules; a compiler keeps
 * it in registers. */
struct bare {
    unsigned living, hitler;
    unsigned rotation, president, chancellor;
    unsigned limited; /* seats of the last government, its chancellor alone */
    unsigned limited_chancellor;
    unsigned tracker, liberal, fascist, investigated;
    uint32_t deck; /* the top is the lowest bit */
    unsigned tiles, discarded, discarded_liberal;
};

static inline void
bare_deal(struct bare *bare, struct dice *dice)
{
    unsigned left = (1U << SEATS) - 1;
    *bare = (struct bare){.living = left, .tiles = TILES};
    bare->hitler = random_seat(dice, left);
    left &= ~(1U << bare->hitler);
    left &= ~(1U << random_seat(dice, left));
    (void)random_seat(dice, left);
    bare->rotation = (random_below(dice, SEATS) + SEATS - 1) % SEATS;
    bare->deck = random_tiles(dice, LIBERAL_TILES, FASCIST_TILES);
}

static inline void
bare_reshuffle(struct bare *bare, struct dice *dice)
{
    if (bare->tiles < HAND_TILES) {
        unsigned liberal =
            (unsigned)__builtin_popcount(bare->deck) + bare->discarded_liberal;
        bare->tiles += bare->discarded;
        bare->deck = random_tiles(dice, liberal, bare->tiles - liberal);
        bare->discarded = 0;
        bare->discarded_liberal = 0;
    }
}

static inline void
bare_discard(struct bare *bare, unsigned liberal)
{
    bare->discarded++;
    bare->discarded_liberal += liberal;
}

static inline enum ending
bare_enact(struct bare *bare, unsigned liberal)
{
    bare->tracker = 0;
    if (liberal) {
        return ++bare->liberal == LIBERAL_WIN ? ENDING_FIVE_LIBERAL
                                              : ENDING_NONE;
    }
    return ++bare->fascist == FASCIST_WIN ? ENDING_SIX_FASCIST : ENDING_NONE;
}

/* The tracker moves on, the third time into chaos. */
static inline enum ending
bare_fail(struct bare *bare, struct dice *dice)
{
    if (++bare->tracker < TRACKER_CHAOS) {
        return ENDING_NONE;
    }
    unsigned liberal = bare->deck & 1;
    bare->deck >>= 1;
    bare->tiles--;
    bare->limited = 0;
    bare->limited_chancellor = 0;
    enum ending ending = bare_enact(bare, liberal);
    if (ending == ENDING_NONE) {
        bare_reshuffle(bare, dice);
    }
    return ending;
}

/* The power of the fascist policy just enacted, in a game of seven. */
static inline enum ending
bare_power(struct bare *bare, struct dice *dice, bool *special)
{
    unsigned others = bare->living & ~(1U << bare->president);
    unsigned target;
    switch (bare->fascist) {
    case 2:
        target = random_seat(dice, others & ~bare->investigated);
        bare->investigated |= 1U << target;
        break;
    case 3:
        bare->president = random_seat(dice, others);
        *special = true;
        break;
    case 4:
    case 5:
        target = random_seat(dice, others);
        bare->living &= ~(1U << target);
        return target == bare->hitler ? ENDING_HITLER_EXECUTED : ENDING_NONE;
    default:
        break;
    }
    return ENDING_NONE;
}

/* From the hand to the end of the round. */
static inline enum ending
bare_session(struct bare *bare, struct dice *dice, bool *special)
{
    uint32_t hand = bare->deck & 7;
    bare->deck >>= HAND_TILES;
    bare->tiles -= HAND_TILES;
    unsigned card = random_below(dice, HAND_TILES);
    bare_discard(bare, hand >> card & 1);
    hand = (hand & ((1U << card) - 1)) | hand >> (card + 1) << card;
    if (bare->fascist == FASCIST_VETO && random_below(dice, VETO) == 0 &&
        random_below(dice, 2) == 1) {
        bare_discard(bare, hand & 1);
        bare_discard(bare, hand >> 1);
        bare_reshuffle(bare, dice);
        return bare_fail(bare, dice);
    }
    card = random_below(dice, HAND_TILES - 1);
    unsigned liberal = hand >> card & 1;
    bare_discard(bare, hand >> (1 - card) & 1);
    bare->limited_chancellor = 1U << bare->chancellor;
    bare->limited = bare->limited_chancellor | 1U << bare->president;
    enum ending ending = bare_enact(bare, liberal);
    if (ending != ENDING_NONE) {
        return ending;
    }
    bare_reshuffle(bare, dice);
    return liberal ? ENDING_NONE : bare_power(bare, dice, special);
}

static inline enum ending
bare_round(struct bare *bare, struct dice *dice, bool *special)
{
    unsigned others = bare->living & ~(1U << bare->president);
    unsigned eligible = others & ~bare->limited;
    if (eligible == 0) {
        eligible = others & ~bare->limited_chancellor;
    }
    bare->chancellor = random_seat(dice, eligible);
    *special = false;
    unsigned voters = seat_count((seat_set)bare->living);
    uint64_t ballots =
        splitmix_next(&dice->state) & ((UINT64_C(1) << voters) - 1);
    if (2 * seat_count((seat_set)ballots) <= voters) {
        return bare_fail(bare, dice);
    }
    bare->tracker = 0;
    if (bare->fascist >= FASCIST_DANGER && bare->chancellor == bare->hitler) {
        return ENDING_HITLER_CHANCELLOR;
    }
    return bare_session(bare, dice, special);
}

static enum ending
play_bare(struct dice *dice)
{
    struct bare bare;
    enum ending ending = ENDING_NONE;
    bool special = false;
    bare_deal(&bare, dice);
    while (ending == ENDING_NONE) {
        if (!special) {
            do {
                bare.rotation =
                    bare.rotation + 1 == SEATS ? 0 : bare.rotation + 1;
            } while ((bare.living >> bare.rotation & 1) == 0);
            bare.president = bare.rotation;
        }
        ending = bare_round(&bare, dice, &special);
    }
    return ending;
}

/* ---- the yardstick ------------------------------------------------------- */

bool
bench_has_yardstick(void)
{
    return getenv("YARDSTICK") != NULL;
}

double
yardstick_a_second(void *unused)
{
    char command[512];
    char line[512];
    (void)unused;
    (void)snprintf(command, sizeof command, "%s %d 0.3 1", getenv("YARDSTICK"),
                   SEATS);
    FILE *output = popen(command, "r");
    if (output == NULL || fgets(line, sizeof line, output) == NULL ||
        pclose(output) != 0) {
        die("%s: it has failed", command);
    }
    const char *told = strstr(line, "games/s=");
    if (told == NULL) {
        die("%s: it tells no games/s=", command);
    }
    return strtod(told + strlen("games/s="), NULL);
}

/* ---- the row ------------------------------------------------------------- */

/* How the games of one run ended. */
struct tally {
    unsigned endings[ENDING_ABANDONED];
};

static double
play_all(struct tally *tally)
{
    struct rules rules;
    struct dice dice = {1};
    (void)rules_set_preset(&rules, rules_preset_name(0));
    *tally = (struct tally){.endings = {0}};
    double begun = bench_seconds();
    for (unsigned i = 0; i < GAMES; i++) {
        tally->endings[play(&rules, &dice)]++;
    }
    return GAMES / (bench_seconds() - begun);
}

static double
play_all_bare(struct tally *tally)
{
    struct dice dice = {1};
    *tally = (struct tally){.endings = {0}};
    double begun = bench_seconds();
    for (unsigned i = 0; i < GAMES; i++) {
        tally->endings[play_bare(&dice)]++;
    }
    return GAMES / (bench_seconds() - begun);
}

double
games_a_second(void *unused)
{
    struct tally ignored;
    (void)unused;
    return play_all(&ignored);
}

static double
bare_games_a_second(void *context)
{
    struct tally ignored;
    (void)context;
    return play_all_bare(&ignored);
}

static void
check_sameness(void)
{
    struct tally ours;
    struct tally bare;
    (void)play_all(&ours);
    (void)play_all_bare(&bare);
    if (memcmp(&ours, &bare, sizeof ours) != 0) {
        die("the bare games are not the same games");
    }
}

void
bench_games(void *unused)
{
    (void)unused;
    check_sameness();
    bench_heading("Whole games of seven at random, a second");
    bench_compare("through game_step", games_a_second, bare_games_a_second,
                  NULL, "the same games, played bare");
    if (bench_has_yardstick()) {
        bench_compare("through game_step", games_a_second, yardstick_a_second,
                      NULL, "the yardstick");
    }
}
