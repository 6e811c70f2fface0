/*
 * Random games: all player counts, all options, players who come and go, and
 * commands that must be refused among those that must not.
 */
#include <stdlib.h>
#include <string.h>

#include "bot/base/splitmix.h"
#include "tests/support/effort.h"
#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* As ck_assert, but Check writes down each of those that is passed, and these
 * are passed millions of times. */
#define ENSURE(condition)                                                      \
    ((condition) ? (void)0 : ck_abort_msg("not so: %s", #condition))

enum {
    GAMES_EACH = 10,   /* of each number of players under each options */
    STEPS_MAX = 20000, /* by then a game has ended, far and away */
};

/* ---- dice ---------------------------------------------------------------- */

struct dice {
    uint64_t state;
};

static uint8_t
below(struct dice *dice, unsigned bound)
{
    return (uint8_t)splitmix_below(&dice->state, bound);
}

/* One time in n. */
static bool
once_in(struct dice *dice, unsigned n)
{
    return below(dice, n) == 0;
}

static uint8_t
one_of(struct dice *dice, seat_set seats)
{
    unsigned skip = below(dice, seat_count(seats));
    unsigned seat = 0;
    while (!seat_in(seat, seats) || skip-- > 0) {
        seat++;
    }
    return (uint8_t)seat;
}

static struct pile
shuffled(struct dice *dice, unsigned liberal, unsigned fascist)
{
    struct pile pile = {0, 0};
    while (liberal + fascist > 0) {
        bool is_liberal = below(dice, liberal + fascist) < liberal;
        pile_add(&pile, is_liberal);
        liberal -= is_liberal ? 1 : 0;
        fascist -= is_liberal ? 0 : 1;
    }
    return pile;
}

/* ---- commands ------------------------------------------------------------ */

static struct command
random_deal(struct dice *dice, const struct game *game)
{
    struct command command = {.kind = COMMAND_DEAL};
    seat_set others = game->living;
    command.hitler = one_of(dice, others);
    others &= (seat_set)~seat_bit(command.hitler);
    while (seat_count(command.fascists) < game_fascist_count(game->players)) {
        unsigned fascist = one_of(dice, others);
        command.fascists |= seat_bit(fascist);
        others &= (seat_set)~seat_bit(fascist);
    }
    command.first = below(dice, game->players);
    command.tiles = shuffled(dice, LIBERAL_TILES, FASCIST_TILES);
    return command;
}

/* What the players or chance may answer. */
static struct command
random_answer(struct dice *dice, const struct game *game)
{
    struct awaits awaits = game_awaits(game);
    struct command command = {0};
    switch (awaits.question) {
    case QUESTION_DEAL:
        return random_deal(dice, game);
    case QUESTION_RESHUFFLE:
        command.kind = COMMAND_RESHUFFLE;
        command.tiles = shuffled(dice, awaits.due_liberal, awaits.due_fascist);
        return command;
    case QUESTION_NOMINATE:
        command.kind = COMMAND_NOMINATE;
        break;
    case QUESTION_VOTE:
        command.kind = COMMAND_VOTE;
        command.yes = !once_in(dice, 3);
        break;
    case QUESTION_DISCARD:
        command.kind = COMMAND_DISCARD;
        break;
    case QUESTION_ENACT:
        command.kind = awaits.may_veto && once_in(dice, 2) ? COMMAND_ASK_VETO
                                                           : COMMAND_ENACT;
        break;
    case QUESTION_VETO:
        command.kind = COMMAND_ANSWER_VETO;
        command.yes = once_in(dice, 2);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        command.kind = COMMAND_TARGET;
        break;
    case QUESTION_NONE:
        ck_abort_msg("the game is over");
    }
    command.seat = one_of(dice, awaits.seats);
    command.target = awaits.choices != 0 ? one_of(dice, awaits.choices) : 0;
    command.card = awaits.cards != 0 ? below(dice, awaits.cards) : 0;
    bool by_lots = command.kind == COMMAND_DISCARD ||
                   command.kind == COMMAND_ENACT ||
                   command.kind == COMMAND_TARGET;
    command.lots = by_lots && once_in(dice, 4);
    return command;
}

/* Anything at all, or an answer in which something is wrong, or nothing. */
static struct command
random_nonsense(struct dice *dice, const struct game *game)
{
    struct command command = {
        .fascists = (seat_set)splitmix_next(&dice->state),
        .tiles = shuffled(dice, below(dice, 7), below(dice, 12)),
        .yes = once_in(dice, 2),
    };
    if (!game_is_over(game)) {
        command = random_answer(dice, game);
    }
    if (once_in(dice, 2)) {
        command.kind = below(dice, COMMAND_ABANDON);
    }
    if (once_in(dice, 64)) {
        command.kind = below(dice, 255);
    }
    if (once_in(dice, 3)) {
        command.seat = below(dice, game->players + 1U);
    }
    if (once_in(dice, 3)) {
        command.target = below(dice, game->players + 1U);
        command.hitler = command.target;
    }
    if (once_in(dice, 3)) {
        command.card = below(dice, 4);
        command.tiles.liberal ^= 1U << below(dice, 32);
    }
    command.lots = command.lots || once_in(dice, 8);
    return command;
}

/* What the host may do out of turn; a game with many gaps still goes on. */
static struct command
random_act_of_host(struct dice *dice, const struct game *game)
{
    static const enum command_kind kinds[] = {
        COMMAND_CLOSE, COMMAND_FORFEIT, COMMAND_VACATE,
        COMMAND_FILL,  COMMAND_FILL,    COMMAND_KNOWN,
    };
    struct command command = {0};
    command.kind = (uint8_t)kinds[below(dice, sizeof kinds / sizeof kinds[0])];
    command.target = below(dice, game->players);
    return command;
}

static struct command
random_command(struct dice *dice, const struct game *game)
{
    unsigned thrown = below(dice, 16);
    if (thrown < 4) {
        return random_nonsense(dice, game);
    }
    if (thrown < 6) {
        return random_act_of_host(dice, game);
    }
    return random_answer(dice, game);
}

/* ---- what must be accepted ----------------------------------------------- */

static bool
tiles_fit(struct pile tiles, unsigned liberal, unsigned fascist)
{
    return tiles.count == liberal + fascist &&
           tiles.liberal >> tiles.count == 0 && pile_liberals(tiles) == liberal;
}

static bool
roles_fit(const struct game *game, const struct command *command)
{
    seat_set evil = command->fascists;
    unsigned count = 0;
    for (unsigned seat = 0; seat < 16; seat++) {
        if (seat_in(seat, evil)) {
            count++;
            if (seat >= game->players || seat == command->hitler) {
                return false;
            }
        }
    }
    return command->hitler < game->players && command->first < game->players &&
           count == game_fascist_count(game->players);
}

/* Is the command an answer of this seat to this question? */
static bool
answers(const struct game *game, const struct command *command,
        enum question question)
{
    struct awaits awaits = game_awaits(game);
    return awaits.question == question && command->seat < game->players &&
           seat_in(command->seat, awaits.seats) &&
           (command->lots || !seat_in(command->seat, game->vacant));
}

static bool
names_a_choice(const struct game *game, const struct command *command)
{
    return command->target < game->players &&
           seat_in(command->target, game_awaits(game).choices);
}

static bool
is_power(enum question question)
{
    return question == QUESTION_INVESTIGATE ||
           question == QUESTION_SPECIAL_ELECTION ||
           question == QUESTION_EXECUTION;
}

/* What game_awaits promises of the acts of players and chance. */
static bool
answer_is_due(const struct game *game, const struct command *command)
{
    struct awaits awaits = game_awaits(game);
    switch ((enum command_kind)command->kind) {
    case COMMAND_DEAL:
        return awaits.question == QUESTION_DEAL && roles_fit(game, command) &&
               tiles_fit(command->tiles, 6, 11);
    case COMMAND_RESHUFFLE:
        return awaits.question == QUESTION_RESHUFFLE &&
               tiles_fit(command->tiles, awaits.due_liberal,
                         awaits.due_fascist);
    case COMMAND_NOMINATE:
        return answers(game, command, QUESTION_NOMINATE) &&
               names_a_choice(game, command);
    case COMMAND_VOTE:
        return answers(game, command, QUESTION_VOTE);
    case COMMAND_DISCARD:
        return answers(game, command, QUESTION_DISCARD) &&
               command->card < awaits.cards;
    case COMMAND_ENACT:
        return answers(game, command, QUESTION_ENACT) &&
               command->card < awaits.cards;
    case COMMAND_ASK_VETO:
        return answers(game, command, QUESTION_ENACT) && awaits.may_veto;
    case COMMAND_ANSWER_VETO:
        return answers(game, command, QUESTION_VETO);
    case COMMAND_TARGET:
        return is_power(awaits.question) &&
               answers(game, command, awaits.question) &&
               names_a_choice(game, command);
    case COMMAND_CLOSE:
    case COMMAND_FORFEIT:
    case COMMAND_VACATE:
    case COMMAND_FILL:
    case COMMAND_KNOWN:
    case COMMAND_ABANDON:
        break;
    }
    return false;
}

/* What the rules promise of the acts of the host. */
static bool
host_may(const struct game *game, const struct command *command)
{
    enum question question = game_awaits(game).question;
    bool dealt = question != QUESTION_DEAL;
    unsigned seat = command->target;
    switch ((enum command_kind)command->kind) {
    case COMMAND_CLOSE:
        return question == QUESTION_NOMINATE || question == QUESTION_VOTE ||
               question == QUESTION_VETO;
    case COMMAND_FORFEIT:
        return is_power(question);
    case COMMAND_VACATE:
        return dealt && seat < game->players &&
               seat_in(seat, game_present(game)) &&
               game_present(game) != seat_bit(seat);
    case COMMAND_FILL:
        return dealt && seat < game->players && seat_in(seat, game->vacant);
    case COMMAND_KNOWN:
        return dealt && question != QUESTION_RESHUFFLE && game->draw.count > 0;
    case COMMAND_ABANDON:
        return true;
    case COMMAND_DEAL:
    case COMMAND_RESHUFFLE:
    case COMMAND_NOMINATE:
    case COMMAND_VOTE:
    case COMMAND_DISCARD:
    case COMMAND_ENACT:
    case COMMAND_ASK_VETO:
    case COMMAND_ANSWER_VETO:
    case COMMAND_TARGET:
        break;
    }
    return false;
}

static bool
must_be_accepted(const struct game *game, const struct command *command)
{
    bool lots_fit = command->kind == COMMAND_DISCARD ||
                    command->kind == COMMAND_ENACT ||
                    command->kind == COMMAND_TARGET;
    if (game_is_over(game) || (command->lots && !lots_fit)) {
        return false;
    }
    return answer_is_due(game, command) || host_may(game, command);
}

/* ---- one who knows the game by its events alone -------------------------- */

struct witness {
    struct rules rules;
    unsigned players;
    unsigned hitler;
    unsigned round;
    unsigned president;
    unsigned chancellor;
    unsigned tracker;
    unsigned liberal;
    unsigned fascist;
    unsigned discarded_liberal;
    unsigned discarded_fascist;
    seat_set living, vacant, investigated, ja, nein;
    struct pile draw;
    struct pile hand;
    bool by_chaos; /* the last policy was laid by it */
    bool over;
};

static void
witness_puts_aside(struct witness *witness, bool liberal)
{
    witness->discarded_liberal += liberal ? 1 : 0;
    witness->discarded_fascist += liberal ? 0 : 1;
}

static bool
same_pile(struct pile a, struct pile b)
{
    return a.liberal == b.liberal && a.count == b.count;
}

static void
witness_sees_election(struct witness *witness, const struct event *event)
{
    ENSURE(event->seat == witness->president);
    ENSURE(event->target == witness->chancellor);
    ENSURE(event->seats == witness->ja);
    ENSURE(event->against == witness->nein);
    ENSURE(event->ja == seat_count(witness->ja));
    ENSURE(event->nein == seat_count(witness->nein));
    ENSURE(event->yes || event->tracker == witness->tracker + 1);
    seat_set present = witness->living & (seat_set)~witness->vacant;
    ENSURE(event->present == seat_count(present));
    bool majority = 2 * event->ja > event->present;
    bool tie =
        witness->rules.tie_elects_hitler == HOUSE_RULE_ON &&
        witness->fascist >= 3 && witness->chancellor == witness->hitler &&
        2 * event->ja == event->present && 2 * event->nein == event->present;
    ENSURE(event->yes == (majority || tie));
    ENSURE(majority == (event->reason == ELECTION_MAJORITY));
    ENSURE(tie == (event->reason == ELECTION_TIE));
    witness->tracker = event->tracker;
}

static void
witness_sees_enacted(struct witness *witness, const struct event *event)
{
    if (event->by_chaos) {
        ENSURE(witness->tracker == 3);
        ENSURE(pile_take(&witness->draw, 0) == event->is_liberal);
    } else {
        unsigned card =
            pile_is_liberal(witness->hand, 0) == event->is_liberal ? 0 : 1;
        ENSURE(pile_take(&witness->hand, card) == event->is_liberal);
        witness_puts_aside(witness, pile_take(&witness->hand, 0));
    }
    witness->liberal += event->is_liberal ? 1 : 0;
    witness->fascist += event->is_liberal ? 0 : 1;
    witness->tracker = 0;
    witness->by_chaos = event->by_chaos;
    ENSURE(event->liberal == witness->liberal);
    ENSURE(event->fascist == witness->fascist);
    ENSURE(event->tracker == 0);
}

static void
witness_sees_reshuffled(struct witness *witness, const struct event *event)
{
    unsigned all = witness->draw.count + witness->discarded_liberal +
                   witness->discarded_fascist;
    if (event->cards.count == all) {
        witness->discarded_liberal = 0;
        witness->discarded_fascist = 0;
    } else {
        ENSURE(event->cards.count == witness->draw.count);
        ENSURE(pile_liberals(event->cards) == pile_liberals(witness->draw));
    }
    witness->draw = event->cards;
}

static void
witness_sees_round(struct witness *witness, const struct event *event)
{
    ENSURE(event->round == witness->round + 1);
    ENSURE(!seat_in(event->seat, event->seats));
    seat_set present = witness->living & (seat_set)~witness->vacant;
    ENSURE((event->seats & ~present) == 0);
    ENSURE(seat_in(event->seat, present));
    witness->round = event->round;
    witness->president = event->seat;
    witness->chancellor = NO_SEAT;
    witness->ja = 0;
    witness->nein = 0;
}

static void
witness_sees(struct witness *witness, const struct event *event)
{
    ENSURE(!witness->over);
    struct pile top = witness->draw;
    switch ((enum event_kind)event->kind) {
    case EVENT_DEALT:
        witness->draw = event->cards;
        witness->hitler = event->target;
        break;
    case EVENT_ROUND:
        witness_sees_round(witness, event);
        break;
    case EVENT_NOMINATED:
        witness->chancellor = event->target;
        break;
    case EVENT_VOTED:
        witness->ja |= event->yes ? seat_bit(event->seat) : 0;
        witness->nein |= event->yes ? 0 : seat_bit(event->seat);
        break;
    case EVENT_ELECTION:
        witness_sees_election(witness, event);
        break;
    case EVENT_HAND:
        witness->hand = pile_lift(&witness->draw, 3);
        ENSURE(same_pile(witness->hand, event->cards));
        break;
    case EVENT_PASSED:
        witness_puts_aside(witness, event->is_liberal);
        witness->hand = event->cards;
        break;
    case EVENT_VETO_ANSWERED:
        witness->tracker += event->yes ? 1 : 0;
        ENSURE(event->tracker == witness->tracker);
        while (event->yes && witness->hand.count > 0) {
            witness_puts_aside(witness, pile_take(&witness->hand, 0));
        }
        break;
    case EVENT_ENACTED:
        witness_sees_enacted(witness, event);
        break;
    case EVENT_RESHUFFLED:
        witness_sees_reshuffled(witness, event);
        break;
    case EVENT_PEEKED:
        ENSURE(same_pile(pile_lift(&top, 3), event->cards));
        break;
    case EVENT_INVESTIGATED:
        ENSURE(!seat_in(event->target, witness->investigated));
        witness->investigated |= seat_bit(event->target);
        break;
    case EVENT_EXECUTED:
        witness->living &= (seat_set)~seat_bit(event->target);
        witness->vacant &= (seat_set)~seat_bit(event->target);
        break;
    case EVENT_VACATED:
        witness->vacant |= seat_bit(event->seat);
        break;
    case EVENT_FILLED:
        witness->vacant &= (seat_set)~seat_bit(event->seat);
        break;
    case EVENT_ENDED:
        witness->over = true;
        break;
    case EVENT_POWER:
        ENSURE(event->seat == witness->president);
        ENSURE(!witness->by_chaos ||
               witness->rules.chaos_power == HOUSE_RULE_ON);
        break;
    case EVENT_CLEARED:
    case EVENT_VETO_ASKED:
    case EVENT_SPECIAL_CALLED:
    case EVENT_FORFEITED:
    case EVENT_LOTS:
    case EVENT_KINDS:
        break;
    }
}

/* The events have told all there is to the game. */
static void
witness_agrees(const struct witness *witness, const struct game *game)
{
    ENSURE(witness->round == game->round);
    ENSURE(witness->president == game->president);
    ENSURE(witness->chancellor == game->chancellor);
    ENSURE(witness->tracker == game->tracker);
    ENSURE(witness->liberal == game->liberal);
    ENSURE(witness->fascist == game->fascist);
    ENSURE(witness->discarded_liberal == game->discarded_liberal);
    ENSURE(witness->discarded_fascist == game->discarded_fascist);
    ENSURE(witness->living == game->living);
    ENSURE(witness->vacant == game->vacant);
    ENSURE(witness->investigated == game->investigated);
    ENSURE(witness->ja == game->ja);
    ENSURE((witness->ja | witness->nein) == game->voted);
    ENSURE(same_pile(witness->draw, game->draw));
    ENSURE(same_pile(witness->hand, game->hand));
    ENSURE(witness->over == game_is_over(game));
}

/* ---- games --------------------------------------------------------------- */

/* How often each event and refusal has been seen. */
struct tally {
    unsigned events[EVENT_KINDS];
    unsigned refusals[REFUSALS];
    unsigned endings[ENDING_ABANDONED + 1];
    unsigned ties;   /* that elected */
    unsigned powers; /* that chaos brought */
};

/* The options by number: 576 ways to combine them. */
enum {
    COMBINATIONS = 2 * 2 * 3 * 2 * 2 * 3 * 2 * 2
};

static struct rules
combination(unsigned number)
{
    struct rules rules;
    memset(&rules, 0, sizeof rules);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        unsigned values = 1;
        while (rules_options[i].values[values] != NULL) {
            values++;
        }
        const char *value = rules_options[i].values[number % values];
        ENSURE(rules_set(&rules, rules_options[i].name, value));
        number /= values;
    }
    return rules;
}

/* Step, and see that it is accepted or refused as it must be. */
static void
step(struct engine_game *played, struct witness *witness, struct tally *tally,
     const struct command *command)
{
    struct game before = played->game;
    bool accepted = must_be_accepted(&before, command);
    enum refusal refusal = game_step(&played->game, command, &played->events);
    ENSURE((refusal == REFUSAL_NONE) == accepted);
    tally->refusals[refusal]++;
    if (!accepted) {
        ENSURE(played->events.count == 0);
        ENSURE(memcmp(&played->game, &before, sizeof before) == 0);
        return;
    }
    assert_sane_game(&played->game);
    for (unsigned i = 0; i < played->events.count; i++) {
        tally->events[played->events.list[i].kind]++;
        witness_sees(witness, &played->events.list[i]);
        tally->ties += played->events.list[i].kind == EVENT_ELECTION &&
                       played->events.list[i].reason == ELECTION_TIE;
        tally->powers +=
            played->events.list[i].kind == EVENT_POWER && witness->by_chaos;
    }
    witness_agrees(witness, &played->game);
}

static void
play_out(struct dice *dice, unsigned players, const struct rules *rules,
         struct tally *tally)
{
    struct engine_game played;
    game_init(&played.game, players, rules);
    struct witness witness = {
        .rules = *rules,
        .players = players,
        .president = NO_SEAT,
        .chancellor = NO_SEAT,
        .living = played.game.living,
    };
    unsigned steps = 0;
    while (!game_is_over(&played.game)) {
        struct command command = random_command(dice, &played.game);
        step(&played, &witness, tally, &command);
        ENSURE(++steps < STEPS_MAX);
    }
    tally->endings[played.game.ending]++;
    for (unsigned i = 0; i < 4; i++) {
        struct command command = random_nonsense(dice, &played.game);
        step(&played, &witness, tally, &command);
    }
}

START_TEST(any_game_under_any_options_keeps_the_rules)
{
    struct dice dice = {(uint64_t)_i};
    struct tally tally;
    memset(&tally, 0, sizeof tally);
    for (unsigned number = 0; number < COMBINATIONS; number++) {
        struct rules rules = combination(number);
        for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX;
             players++) {
            for (unsigned i = 0; i < GAMES_EACH; i++) {
                play_out(&dice, players, &rules, &tally);
            }
        }
    }
    /* Nothing has been left out. */
    for (unsigned i = 0; i < EVENT_KINDS; i++) {
        ck_assert_msg(tally.events[i] > 0, "no event %s", event_facts[i].name);
    }
    for (unsigned i = 0; i < REFUSALS; i++) {
        ck_assert_msg(tally.refusals[i] > 0, "no refusal %s",
                      refusal_key((enum refusal)i));
    }
    for (unsigned i = ENDING_FIVE_LIBERAL; i < ENDING_ABANDONED; i++) {
        ck_assert_uint_gt(tally.endings[i], 0);
    }
    ck_assert_uint_gt(tally.ties, 0);
    ck_assert_uint_gt(tally.powers, 0);
}
END_TEST

/* Try each command that differs in what is read of it. */
static void
probe(const struct game *game, enum command_kind kind)
{
    unsigned tries = 12 * 12 * 2;
    for (unsigned i = 0; i < tries; i++) {
        struct command command = {
            .kind = (uint8_t)kind,
            .seat = (uint8_t)(i % 12),
            .target = (uint8_t)(i / 12 % 12),
            .card = (uint8_t)(i / 12 % 12),
            .lots = i / 144 == 1,
        };
        struct game copy = *game;
        struct events events;
        bool accepted = game_step(&copy, &command, &events) == REFUSAL_NONE;
        ENSURE(accepted == must_be_accepted(game, &command));
        if (accepted) {
            game_check(&copy);
        } else {
            ENSURE(memcmp(&copy, game, sizeof copy) == 0);
        }
    }
}

START_TEST(what_is_awaited_is_accepted_and_nothing_else)
{
    struct dice dice = {(uint64_t)_i};
    struct rules rules;
    if ((unsigned)_i % effort_one_in(1) != 0) {
        return;
    }
    ck_assert(rules_set_preset(&rules, rules_preset_name((unsigned)_i % 3)));
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct engine_game played;
        game_init(&played.game, players, &rules);
        for (unsigned i = 0; i < STEPS_MAX && !game_is_over(&played.game);
             i++) {
            for (unsigned kind = COMMAND_NOMINATE; kind <= COMMAND_ABANDON;
                 kind++) {
                probe(&played.game, (enum command_kind)kind);
            }
            struct command command = random_command(&dice, &played.game);
            (void)game_step(&played.game, &command, &played.events);
        }
        ck_assert(game_is_over(&played.game));
    }
}
END_TEST

/* The commands of one game, played out; gives how many. */
static unsigned
write_down(struct dice *dice, struct game *game, struct command *commands)
{
    struct events events;
    unsigned count = 0;
    while (!game_is_over(game)) {
        ENSURE(count < STEPS_MAX);
        commands[count] = random_command(dice, game);
        (void)game_step(game, &commands[count], &events);
        count++;
    }
    return count;
}

START_TEST(the_same_commands_give_the_same_events)
{
    struct dice dice = {4711};
    struct command *commands = calloc(STEPS_MAX, sizeof *commands);
    ck_assert_ptr_nonnull(commands);
    for (unsigned i = 0; i < 200; i++) {
        struct rules rules = combination(i % COMBINATIONS);
        struct game end;
        struct game a;
        struct game b;
        game_init(&a, PLAYERS_MIN + i % 6, &rules);
        b = a;
        end = a;
        unsigned count = write_down(&dice, &end, commands);
        for (unsigned j = 0; j < count; j++) {
            struct events told[2];
            memset(told, 0, sizeof told);
            enum refusal refusal = game_step(&a, &commands[j], &told[0]);
            ENSURE(game_step(&b, &commands[j], &told[1]) == refusal);
            ENSURE(memcmp(&told[0], &told[1], sizeof told[0]) == 0);
        }
        ck_assert_mem_eq(&a, &end, sizeof a);
        ck_assert_mem_eq(&b, &end, sizeof b);
    }
    free(commands);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/random");
    TCase *games = tcase_create("games");
    tcase_add_loop_test(games, any_game_under_any_options_keeps_the_rules, 0,
                        4);
    tcase_add_loop_test(games, what_is_awaited_is_accepted_and_nothing_else, 0,
                        12);
    tcase_add_test(games, the_same_commands_give_the_same_events);
    suite_add_tcase(suite, games);
    return suite;
}
