#include "tests/support/engine_game.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

/* ---- commands ------------------------------------------------------------ */

struct command
plain(enum command_kind kind)
{
    return (struct command){.kind = (uint8_t)kind};
}

static struct command
naming(enum command_kind kind, unsigned seat, unsigned named)
{
    return (struct command){
        .kind = (uint8_t)kind, .seat = (uint8_t)seat, .target = (uint8_t)named};
}

static struct command
saying(enum command_kind kind, unsigned seat, bool yes)
{
    return (struct command){
        .kind = (uint8_t)kind, .seat = (uint8_t)seat, .yes = yes};
}

static struct command
picking(enum command_kind kind, unsigned seat, unsigned card)
{
    return (struct command){
        .kind = (uint8_t)kind, .seat = (uint8_t)seat, .card = (uint8_t)card};
}

struct command
nominate(unsigned seat, unsigned nominee)
{
    return naming(COMMAND_NOMINATE, seat, nominee);
}

struct command
vote(unsigned seat, bool ja)
{
    return saying(COMMAND_VOTE, seat, ja);
}

struct command
discard(unsigned seat, unsigned card)
{
    return picking(COMMAND_DISCARD, seat, card);
}

struct command
enact(unsigned seat, unsigned card)
{
    return picking(COMMAND_ENACT, seat, card);
}

struct command
ask_veto(unsigned seat)
{
    return saying(COMMAND_ASK_VETO, seat, false);
}

struct command
answer_veto(unsigned seat, bool agreed)
{
    return saying(COMMAND_ANSWER_VETO, seat, agreed);
}

struct command
target(unsigned seat, unsigned target)
{
    return naming(COMMAND_TARGET, seat, target);
}

struct command
vacate(unsigned seat)
{
    return naming(COMMAND_VACATE, 0, seat);
}

struct command
fill(unsigned seat)
{
    return naming(COMMAND_FILL, 0, seat);
}

static struct pile
pile_of(const char *tiles)
{
    struct pile pile = {0, 0};
    for (; *tiles != '\0'; tiles++) {
        ck_assert(*tiles == 'L' || *tiles == 'F');
        pile_add(&pile, *tiles == 'L');
    }
    return pile;
}

struct command
reshuffle(const char *tiles)
{
    return (struct command){.kind = COMMAND_RESHUFFLE, .tiles = pile_of(tiles)};
}

struct command
deal(unsigned players, const char *deck)
{
    struct command command = {.kind = COMMAND_DEAL};
    command.hitler = (uint8_t)(players - 1);
    for (unsigned i = 0; i < game_fascist_count(players); i++) {
        command.fascists |= seat_bit(players - 2 - i);
    }
    command.tiles = pile_of(deck);
    while (pile_liberals(command.tiles) < LIBERAL_TILES) {
        pile_add(&command.tiles, true);
    }
    while (command.tiles.count < TILES) {
        pile_add(&command.tiles, false);
    }
    return command;
}

struct command
by_lots(struct command command)
{
    command.lots = true;
    return command;
}

/* ---- a game -------------------------------------------------------------- */

void
engine_game_open(struct engine_game *played, unsigned players,
                 const char *preset)
{
    struct rules rules;
    ck_assert(rules_set_preset(&rules, preset));
    memset(played, 0, sizeof *played);
    game_init(&played->game, players, &rules);
    assert_sane_game(&played->game);
}

void
engine_game_set(struct engine_game *played, const char *option,
                const char *value)
{
    ck_assert(rules_set(&played->game.rules, option, value));
}

void
engine_game_begin(struct engine_game *played, unsigned players,
                  const char *preset, const char *deck)
{
    engine_game_open(played, players, preset);
    engine_game_do(played, deal(players, deck));
}

void
engine_game_do(struct engine_game *played, struct command command)
{
    enum refusal refusal = game_step(&played->game, &command, &played->events);
    ck_assert_msg(refusal == REFUSAL_NONE, "command %u was refused: %s",
                  command.kind, refusal_key(refusal));
    assert_sane_game(&played->game);
    for (unsigned i = 0; i < played->events.count; i++) {
        bool last = i + 1 == played->events.count;
        bool ended = played->events.list[i].kind == EVENT_ENDED;
        ck_assert_int_eq(ended, last && game_is_over(&played->game));
    }
}

void
engine_game_refuse(struct engine_game *played, struct command command,
                   enum refusal refusal)
{
    struct game before = played->game;
    enum refusal got = game_step(&played->game, &command, &played->events);
    ck_assert_str_eq(refusal_key(got), refusal_key(refusal));
    ck_assert_uint_eq(played->events.count, 0);
    ck_assert_mem_eq(&played->game, &before, sizeof before);
}

void
engine_game_told(const struct engine_game *played, const char *names)
{
    char told[32 * EVENTS_MAX] = "";
    size_t length = 0;
    for (unsigned i = 0; i < played->events.count; i++) {
        unsigned kind = played->events.list[i].kind;
        ck_assert_uint_lt(kind, EVENT_KINDS);
        int written = snprintf(told + length, sizeof told - length, "%s%s",
                               i > 0 ? " " : "", event_facts[kind].name);
        length += (size_t)written;
    }
    ck_assert_str_eq(told, names);
}

const struct event *
engine_game_event(const struct engine_game *played, enum event_kind kind)
{
    const struct event *found = NULL;
    for (unsigned i = 0; i < played->events.count; i++) {
        if (played->events.list[i].kind == kind) {
            ck_assert_ptr_null(found);
            found = &played->events.list[i];
        }
    }
    ck_assert_msg(found != NULL, "no event %s", event_facts[kind].name);
    return found;
}

void
engine_game_vote(struct engine_game *played, bool ja)
{
    for (unsigned seat = 0; played->game.question == QUESTION_VOTE; seat++) {
        ck_assert_uint_lt(seat, played->game.players);
        if (seat_in(seat, game_awaits(&played->game).seats)) {
            engine_game_do(played, vote(seat, ja));
        }
    }
}

void
engine_game_elect(struct engine_game *played, unsigned chancellor)
{
    engine_game_do(played, nominate(played->game.president, chancellor));
    engine_game_vote(played, true);
}

void
engine_game_reject(struct engine_game *played)
{
    seat_set eligible = game_eligible(&played->game);
    unsigned nominee = 0;
    while (!seat_in(nominee, eligible)) {
        nominee++;
    }
    engine_game_do(played, nominate(played->game.president, nominee));
    engine_game_vote(played, false);
}

/* Where in the hand the first tile of this colour is; 0 without any. */
static unsigned
position_of(struct pile hand, bool liberal)
{
    for (unsigned i = 0; i < hand.count; i++) {
        if (pile_is_liberal(hand, i) == liberal) {
            return i;
        }
    }
    return 0;
}

void
engine_game_govern(struct engine_game *played, unsigned chancellor,
                   bool liberal)
{
    engine_game_elect(played, chancellor);
    unsigned president = played->game.president;
    unsigned card = position_of(played->game.hand, !liberal);
    engine_game_do(played, discard(president, card));
    card = position_of(played->game.hand, liberal);
    ck_assert_int_eq(pile_is_liberal(played->game.hand, card), liberal);
    engine_game_do(played, enact(chancellor, card));
}

void
engine_game_reshuffle(struct engine_game *played)
{
    struct awaits awaits = game_awaits(&played->game);
    if (awaits.question != QUESTION_RESHUFFLE) {
        return;
    }
    char tiles[TILES + 1] = "";
    memset(tiles, 'L', awaits.due_liberal);
    memset(tiles + awaits.due_liberal, 'F', awaits.due_fascist);
    engine_game_do(played, reshuffle(tiles));
}

void
engine_game_board(struct engine_game *played, unsigned liberal,
                  unsigned fascist, const char *draw)
{
    struct game *game = &played->game;
    ck_assert_uint_eq(game->hand.count, 0);
    game->draw = pile_of(draw);
    game->liberal = (uint8_t)liberal;
    game->fascist = (uint8_t)fascist;
    unsigned drawn = pile_liberals(game->draw);
    game->discarded_liberal = (uint8_t)(LIBERAL_TILES - liberal - drawn);
    drawn = game->draw.count - drawn;
    game->discarded_fascist = (uint8_t)(FASCIST_TILES - fascist - drawn);
    assert_sane_game(game);
}

void
engine_game_execute(struct engine_game *played, unsigned seat)
{
    ck_assert_uint_ne(seat, played->game.hitler);
    ck_assert(seat_in(seat, played->game.living));
    played->game.living &= (seat_set)~seat_bit(seat);
    assert_sane_game(&played->game);
}

/* ---- checks -------------------------------------------------------------- */

/* As ck_assert, but Check writes down each of those that is passed, and these
 * are passed millions of times. */
#define ENSURE(condition)                                                      \
    ((condition) ? (void)0 : ck_abort_msg("not so: %s", #condition))

/* Something is awaited of somebody living until the game is over. */
static void
assert_sane_awaits(const struct game *game)
{
    struct awaits awaits = game_awaits(game);
    seat_set seats = awaits.seats | awaits.choices;
    bool of_chance = awaits.question == QUESTION_DEAL ||
                     awaits.question == QUESTION_RESHUFFLE;
    ENSURE(awaits.question == game->question);
    ENSURE((seats & ~game->living) == 0);
    ENSURE((awaits.due_liberal + awaits.due_fascist > 0) == of_chance);
    ENSURE((awaits.seats != 0) == (!of_chance && !game_is_over(game)));
    ENSURE(awaits.question == QUESTION_VOTE || seat_count(awaits.seats) <= 1);
}

/* Count the liberal tiles, one by one. */
static unsigned
liberals_of(struct pile pile)
{
    unsigned liberals = 0;
    for (unsigned i = 0; i < pile.count; i++) {
        liberals += pile_is_liberal(pile, i) ? 1 : 0;
    }
    return liberals;
}

void
assert_sane_game(const struct game *game)
{
    game_check(game);
    assert_sane_awaits(game);
    if (game->round == 0) {
        return;
    }
    /* Seventeen tiles, wherever they are; three to draw between sessions. */
    unsigned liberal = game->liberal + game->discarded_liberal +
                       liberals_of(game->draw) + liberals_of(game->hand);
    unsigned all = game->liberal + game->fascist + game->discarded_liberal +
                   game->discarded_fascist + game->draw.count +
                   game->hand.count;
    ENSURE(liberal == 6);
    ENSURE(all == 17);
    if (game->question == QUESTION_NOMINATE ||
        game->question == QUESTION_VOTE) {
        ENSURE(game->draw.count >= 3);
        ENSURE(game->tracker <= 2);
    }
}

void
assert_pile(struct pile pile, const char *tiles)
{
    char got[TILES + 1] = "";
    ck_assert_uint_le(pile.count, TILES);
    for (unsigned i = 0; i < pile.count; i++) {
        got[i] = pile_is_liberal(pile, i) ? 'L' : 'F';
    }
    ck_assert_str_eq(got, tiles);
}

void
assert_seats(seat_set seats, const char *expected)
{
    char got[2 * PLAYERS_MAX + 1] = "";
    size_t length = 0;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        if (seat_in(seat, seats)) {
            if (length > 0) {
                got[length++] = ' ';
            }
            got[length++] = (char)('0' + seat);
        }
    }
    ck_assert_str_eq(got, expected);
}
