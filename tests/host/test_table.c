/*
 * The table: what follows from moves.  No board, no store: moves go in, record
 * lines and a table come out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/name.h"
#include "bot/host/table/deadline.h"
#include "bot/host/table/table.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define START INT64_C(1795255200000)

/* A table with the lines it made and the rows it was made of. */
static struct played {
    struct table table;
    struct settings settings;
    bool fair; /* dealt by SH-DEAL-1 */
    struct events events;
    struct buf lines, rows; /* a row a line */
    int64_t now, at;        /* of the next move */
} played;

static void
set_up(void)
{
    memset(&played, 0, sizeof played);
    table_init(&played.table);
    settings_defaults(&played.settings);
    played.now = START;
    played.at = START - 500; /* the service's clock is another */
}

static void
tear_down(void)
{
    table_release(&played.table);
    buf_release(&played.lines);
    buf_release(&played.rows);
}

static void
option(const char *key, const char *value)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(settings_set(&played.settings, key, value, &why),
                     ERR_NONE);
}

static struct move
blank(enum move_kind kind)
{
    struct move move;
    memset(&move, 0, sizeof move);
    move.kind = kind;
    move.now = played.now;
    move.at = played.at;
    return move;
}

static enum refusal
apply(const struct move *move)
{
    /* As the ruling does it. */
    struct move timed = *move;
    ck_assert(table_may(&played.table, move));
    deadline_give(&played.table, &timed, zone_utc());
    struct buf lines = BUF_INIT;
    enum refusal refusal =
        table_apply(&played.table, &timed, &played.events, &lines);
    record_add(&played.lines, buf_text(&lines), lines.len);
    buf_release(&lines);
    if (refusal == REFUSAL_NONE) {
        move_write(&timed, &played.rows);
        buf_add_char(&played.rows, '\n');
    }
    return refusal;
}

static void
must(const struct move *move)
{
    enum refusal refusal = apply(move);
    ck_assert_msg(refusal == REFUSAL_NONE, "%s", refusal_key(refusal));
}

static void
open_table(unsigned least, unsigned most)
{
    struct move move = blank(MOVE_OPEN);
    TEXT_COPY(move.id, "1");
    TEXT_COPY(move.place, "board");
    TEXT_COPY(move.thread, "thread");
    TEXT_COPY(move.user, "Mo");
    move.players_min = least;
    move.players_max = most;
    move.fair = played.fair;
    memset(move.secret, 7, sizeof move.secret);
    move.settings = played.settings;
    must(&move);
}

static void
someone(enum move_kind kind, const char *name)
{
    struct move move = blank(kind);
    snprintf(move.user, sizeof move.user, "@%s", name);
    if (kind == MOVE_JOIN) {
        TEXT_COPY(move.name, name);
    }
    must(&move);
}

static enum refusal
try(struct command command)
{
    struct move move = blank(MOVE_PLAY);
    move.command = command;
    return apply(&move);
}

static void
play(struct command command)
{
    ck_assert_str_eq(refusal_key(try(command)), "none");
}

/* A game of so many, dealt as in tests/support/engine_game.h. */
static void
begin(unsigned players)
{
    open_table(players, players);
    for (unsigned i = 0; i < players; i++) {
        someone(MOVE_JOIN, room_player(i));
    }
    struct move move = blank(MOVE_START);
    must(&move);
    play(deal(players, "FFLFFLFFLFFLFFLFL"));
}

static void
ring(void)
{
    struct move move = blank(MOVE_RING);
    move.until =
        played.now + deadline_length((enum question)played.table.game.question,
                                     &played.table.settings);
    TEXT_COPY(move.text, "why");
    must(&move);
}

static void
vote_all(bool ja)
{
    while (played.table.game.question == QUESTION_VOTE) {
        seat_set seats = game_awaits(&played.table.game).seats;
        unsigned seat = 0;
        while (!seat_in(seat, seats)) {
            seat++;
        }
        play(vote(seat, ja));
    }
}

/* Chance alternates between fascist and liberal. */
static void
chance(void)
{
    struct awaits awaits = game_awaits(&played.table.game);
    char tiles[TILES + 1] = "";
    if (awaits.question == QUESTION_RESHUFFLE) {
        memset(tiles, 'F', awaits.due_fascist);
        memset(tiles + awaits.due_fascist, 'L', awaits.due_liberal);
        play(reshuffle(tiles));
    }
}

static void
elect(unsigned chancellor)
{
    play(nominate(played.table.game.president, chancellor));
    vote_all(true);
}

static unsigned
position(bool liberal)
{
    struct pile hand = played.table.game.hand;
    unsigned card = 0;
    while (card + 1 < hand.count && pile_is_liberal(hand, card) != liberal) {
        card++;
    }
    return card;
}

/* Elect whoever can be, and enact a policy of this colour if it is there. */
static void
govern(bool liberal)
{
    seat_set eligible = game_eligible(&played.table.game);
    unsigned chancellor = 0;
    while (!seat_in(chancellor, eligible)) {
        chancellor++;
    }
    elect(chancellor);
    play(discard(played.table.game.president, position(!liberal)));
    play(enact(chancellor, position(liberal)));
    chance();
}

/* ---- sign-up ------------------------------------------------------------- */

START_TEST(an_opened_table_is_as_it_was_opened)
{
    option("rules", "official");
    open_table(6, 9);
    const struct table *table = &played.table;
    ck_assert_int_eq(table->state, TABLE_SIGNUP);
    ck_assert_str_eq(table->id, "1");
    ck_assert_str_eq(table->place, "board");
    ck_assert_str_eq(table->thread, "thread");
    ck_assert_str_eq(table->opener, "Mo");
    ck_assert_uint_eq(table->players_min, 6);
    ck_assert_uint_eq(table->players_max, 9);
    ck_assert_uint_eq(table->seated, 0);
    ck_assert_int_eq(table_due(table), 0);
    ck_assert_ptr_null(table_round(table));
    ck_assert(!table_is_secret(table));
    assert_holds(buf_text(&played.lines),
                 "{\"seq\":0,\"at\":\"2026-11-21T09:59:59Z\",\"event\":"
                 "\"opened\",\"format\":\"placard-record/1\",\"game\":\"1\","
                 "\"rules\":{\"preset\":\"official\"");
}
END_TEST

static struct move
setting(const char *key, const char *value)
{
    struct move move = blank(MOVE_SET);
    snprintf(move.name, sizeof move.name, "%s", key);
    snprintf(move.text, sizeof move.text, "%s", value);
    return move;
}

START_TEST(rules_that_are_set_before_the_start_are_as_if_it_had_been_opened_so)
{
    struct buf lines = BUF_INIT;
    static const char *const wishes[][2] = {
        {"term_limit", "last_elected"}, /* which the preset overrides */
        {"rules", "french"},
        {"ballot", "open"},
    };
    for (unsigned set = 0; set < 2; set++) {
        for (unsigned i = 0; set == 1 && i < 3; i++) {
            option(wishes[i][0], wishes[i][1]);
        }
        if (set == 1) {
            option("term_limit", "");
        }
        played.fair = true;
        open_table(5, 5);
        for (unsigned i = 0; set == 0 && i < 3; i++) {
            struct move move = setting(wishes[i][0], wishes[i][1]);
            move.at += HOUR_MS;
            must(&move);
        }
        for (unsigned i = 0; i < 5; i++) {
            someone(MOVE_JOIN, room_player(i));
        }
        struct move move = blank(MOVE_START);
        must(&move);
        ck_assert_int_eq(played.table.game.rules.ballot, BALLOT_OPEN);
        ck_assert_int_eq(played.table.game.rules.vote_closes, VOTE_CLOSES_ALL);
        if (set == 0) {
            buf_add_buf(&lines, &played.lines);
            tear_down();
            set_up();
        }
    }
    ck_assert_str_eq(buf_text(&played.lines), buf_text(&lines));
    buf_release(&lines);
}
END_TEST

START_TEST(rules_are_set_before_the_start_alone_and_times_at_any_time)
{
    struct move rule = setting("ballot", "sealed");
    struct move players = blank(MOVE_PLAYERS);
    players.players_min = 5;
    players.players_max = 6;
    open_table(5, 5);
    ck_assert(table_may(&played.table, &rule));
    ck_assert(table_may(&played.table, &players));
    for (unsigned i = 0; i < 5; i++) {
        someone(MOVE_JOIN, room_player(i));
    }
    struct move check = blank(MOVE_CHECK);
    check.until = played.now + HOUR_MS;
    must(&check);
    ck_assert(table_may(&played.table, &rule));
    struct move start = blank(MOVE_START);
    must(&start);
    ck_assert(!table_may(&played.table, &rule)); /* the transcript has them */
    ck_assert(!table_may(&played.table, &players));
    play(deal(5, "FFLFFLFFLFFLFFLFL"));
    ck_assert(!table_may(&played.table, &rule));
    rule = setting("rules", "french");
    ck_assert(!table_may(&played.table, &rule));
    struct move time = setting("power", "2h");
    must(&time);
    ck_assert_int_eq(played.table.settings.power, 2 * HOUR_MS);
}
END_TEST

START_TEST(a_table_has_room_for_all_who_have_joined)
{
    static const struct {
        unsigned least, most;
        bool signup, check; /* may it be so then? */
    } cases[] = {
        {5, 10, true, true},  {6, 6, true, true},    {5, 6, true, true},
        {7, 8, true, false},  {5, 5, false, false},  {4, 8, false, false},
        {8, 7, false, false}, {6, 11, false, false},
    };
    open_table(5, 7);
    for (unsigned i = 0; i < 6; i++) {
        someone(MOVE_JOIN, room_player(i));
    }
    for (unsigned check = 0; check < 2; check++) {
        struct move move = blank(MOVE_CHECK);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct move players = blank(MOVE_PLAYERS);
            players.players_min = cases[i].least;
            players.players_max = cases[i].most;
            ck_assert_msg(table_may(&played.table, &players) ==
                              (check ? cases[i].check : cases[i].signup),
                          "%u-%u", cases[i].least, cases[i].most);
        }
        move.until = played.now + HOUR_MS;
        must(&move);
    }
    struct move players = blank(MOVE_PLAYERS);
    players.players_min = 5;
    players.players_max = 10;
    must(&players);
    ck_assert_uint_eq(played.table.players_min, 5);
    ck_assert_uint_eq(played.table.players_max, 10);
}
END_TEST

START_TEST(people_stand_in_the_order_in_which_they_came)
{
    const char *names[PLAYERS_MAX];
    open_table(5, 10);
    someone(MOVE_JOIN, "Anna");
    someone(MOVE_JOIN, "Bob");
    someone(MOVE_JOIN, "Carl");
    ck_assert_uint_eq(table_seat(&played.table, "@Bob"), 1);
    ck_assert_uint_eq(table_seat(&played.table, "Bob"), NO_SEAT);
    someone(MOVE_LEAVE, "Bob");
    ck_assert_uint_eq(table_seat(&played.table, "@Bob"), NO_SEAT);
    ck_assert_uint_eq(table_seat(&played.table, "@Carl"), 1);
    someone(MOVE_JOIN, "Bob");
    table_names(&played.table, names);
    ck_assert_str_eq(names[0], "Anna");
    ck_assert_str_eq(names[1], "Carl");
    ck_assert_str_eq(names[2], "Bob");
    ck_assert_str_eq(names[3], "");
}
END_TEST

START_TEST(the_last_and_the_first_can_leave)
{
    struct seat nobody;
    seat_init(&nobody);
    open_table(5, 5);
    for (unsigned i = 0; i < 5; i++) {
        someone(MOVE_JOIN, room_player(i));
    }
    someone(MOVE_LEAVE, "Emil");
    someone(MOVE_LEAVE, "Anna");
    ck_assert_uint_eq(played.table.seated, 3);
    ck_assert_str_eq(played.table.seats[0].name, "Bob");
    ck_assert_str_eq(played.table.seats[2].name, "Dora");
    ck_assert_mem_eq(&played.table.seats[3], &nobody, sizeof nobody);
}
END_TEST

START_TEST(a_closed_sign_up_is_over)
{
    open_table(5, 5);
    struct move move = blank(MOVE_CLOSE);
    must(&move);
    ck_assert_int_eq(played.table.state, TABLE_OVER);
}
END_TEST

START_TEST(seats_are_those_of_the_sign_up)
{
    begin(5);
    ck_assert_str_eq(played.table.seats[0].name, "Anna");
    ck_assert_str_eq(played.table.seats[4].name, "Emil");
    assert_holds(buf_text(&played.lines),
                 "\"event\":\"seated\",\"players\":[\"Anna\",\"Bob\",\"Carl\","
                 "\"Dora\",\"Emil\"],\"transcript\":null}");
}
END_TEST

START_TEST(seats_are_drawn_where_that_is_set)
{
    uint8_t order[PLAYERS_MAX];
    unsigned char key[DEAL_KEY];
    unsigned char secret[DEAL_SECRET];
    struct buf transcript = BUF_INIT;
    option("seats", "random");
    played.fair = true;
    open_table(10, 10);
    for (unsigned i = 0; i < 10; i++) {
        someone(MOVE_JOIN, room_player(i));
    }
    table_transcript(&played.table, &transcript);
    struct move move = blank(MOVE_START);
    must(&move);
    memset(secret, 7, sizeof secret);
    deal_key(secret, buf_text(&transcript), transcript.len, key);
    deal_seats(key, 10, order);
    buf_release(&transcript);
    unsigned moved = 0;
    for (unsigned seat = 0; seat < 10; seat++) {
        const struct seat *person = &played.table.seats[seat];
        ck_assert_str_eq(person->name, room_player(order[seat]));
        ck_assert_uint_eq(table_seat(&played.table, person->user), seat);
        moved += order[seat] != seat;
    }
    ck_assert_uint_gt(moved, 0);
    char line[64];
    snprintf(line, sizeof line, "\"players\":[\"%s\",\"%s\",",
             room_player(order[0]), room_player(order[1]));
    assert_holds(buf_text(&played.lines), line);
}
END_TEST

START_TEST(the_rules_are_the_presets_but_for_the_options)
{
    option("rules", "french");
    option("ballot", "open");
    begin(5);
    ck_assert_int_eq(played.table.game.rules.ballot, BALLOT_OPEN);
    ck_assert_int_eq(played.table.game.rules.vote_closes, VOTE_CLOSES_ALL);
}
END_TEST

/* ---- questions ----------------------------------------------------------- */

static void
assert_question(enum question question, unsigned phase, int64_t deadline)
{
    ck_assert_int_eq(played.table.game.question, question);
    ck_assert_uint_eq(played.table.phase, phase);
    ck_assert_int_eq(played.table.deadline, deadline);
    ck_assert_int_eq(table_due(&played.table), deadline);
}

/* The next move comes an hour later. */
static void
an_hour_later(void)
{
    played.now += HOUR_MS;
    played.at += HOUR_MS;
}

START_TEST(each_question_has_its_number_its_time_and_its_deadline)
{
    begin(5);
    assert_question(QUESTION_NOMINATE, 1, START + 12 * HOUR_MS);
    ck_assert_int_eq(played.table.opened, START);
    ck_assert_int_eq(played.table.since, START - 500);
    an_hour_later();
    play(nominate(0, 1));
    assert_question(QUESTION_VOTE, 2, START + 24 * HOUR_MS);
    ck_assert_int_eq(played.table.opened, START + HOUR_MS);
    ck_assert_int_eq(played.table.since, START + HOUR_MS - 500);
    an_hour_later();
    play(vote(0, true)); /* a vote opens no question */
    assert_question(QUESTION_VOTE, 2, START + 24 * HOUR_MS);
    ck_assert_int_eq(played.table.since, START + HOUR_MS - 500);
    vote_all(true);
    assert_question(QUESTION_DISCARD, 3, START + 14 * HOUR_MS);
    an_hour_later();
    play(discard(0, 0));
    assert_question(QUESTION_ENACT, 4, START + 26 * HOUR_MS);
    an_hour_later();
    play(enact(1, 0));
    assert_question(QUESTION_NOMINATE, 5, START + 16 * HOUR_MS);
    ck_assert_int_eq(played.table.opened, START + 4 * HOUR_MS);
    /* A round that fails opens the next question, though it is the same. */
    an_hour_later();
    play(plain(COMMAND_CLOSE));
    assert_question(QUESTION_NOMINATE, 6, START + 17 * HOUR_MS);
}
END_TEST

START_TEST(the_end_of_a_session_is_told_once_for_both)
{
    option("president", "6h");
    option("chancellor", "3h");
    begin(5);
    elect(1);
    int64_t told = START + 9 * HOUR_MS;
    ck_assert_int_eq(played.table.session_ends, told);
    an_hour_later();
    play(discard(0, 0));
    /* The chancellor's time does not tell when the president chose. */
    ck_assert_int_eq(played.table.deadline, told);
    ck_assert_int_eq(played.table.session_ends, told);
}
END_TEST

START_TEST(a_session_in_which_lots_were_late_ends_later)
{
    option("grace", "2h");
    begin(5);
    elect(1);
    played.now = table_due(&played.table) + HOUR_MS;
    play(by_lots(discard(0, 0)));
    ck_assert_int_eq(played.table.session_ends, played.now + 12 * HOUR_MS);
}
END_TEST

START_TEST(which_questions_are_secret)
{
    begin(5);
    ck_assert(!table_is_secret(&played.table));
    play(nominate(0, 1));
    ck_assert(!table_is_secret(&played.table));
    vote_all(true);
    ck_assert(table_is_secret(&played.table));
    play(discard(0, 0));
    ck_assert(table_is_secret(&played.table));
}
END_TEST

START_TEST(a_sealed_ballot_is_secret)
{
    option("ballot", "sealed");
    begin(5);
    ck_assert(!table_is_secret(&played.table));
    play(nominate(0, 1));
    ck_assert(table_is_secret(&played.table));
}
END_TEST

/* What is awaited when the second fascist policy of seven players is out. */
static void
begin_power(void)
{
    begin(7);
    govern(false);
    govern(false);
    ck_assert_int_eq(played.table.game.question, QUESTION_INVESTIGATE);
}

START_TEST(grace_lengthens_cards_and_powers_alone)
{
    option("grace", "2h");
    begin_power();
    ck_assert_int_eq(table_due(&played.table),
                     played.table.deadline + 2 * HOUR_MS);
    play(target(1, 0));
    ck_assert_int_eq(table_due(&played.table), played.table.deadline);
    play(nominate(2, 0));
    ck_assert_int_eq(table_due(&played.table), played.table.deadline);
    vote_all(true);
    ck_assert_int_eq(table_due(&played.table),
                     played.table.deadline + 2 * HOUR_MS);
}
END_TEST

START_TEST(what_waits_is_never_due)
{
    option("cards_timeout", "wait");
    option("power_timeout", "wait");
    begin_power();
    ck_assert_int_ne(played.table.deadline, 0);
    ck_assert_int_eq(table_due(&played.table), 0);
    play(target(1, 0));
    ck_assert_int_ne(table_due(&played.table), 0);
    elect(0);
    ck_assert_int_eq(table_due(&played.table), 0);
}
END_TEST

START_TEST(a_power_is_rung_once_and_has_as_long_again)
{
    begin_power();
    unsigned phase = played.table.phase;
    played.now = played.table.deadline + MINUTE_MS;
    played.at = played.table.deadline;
    ring();
    ck_assert(played.table.rung);
    ck_assert_int_eq(played.table.deadline, played.now + 24 * HOUR_MS);
    ck_assert_uint_eq(played.table.phase, phase);
    assert_holds(buf_text(&played.lines), "\"event\":\"extended\",\"deadline\":"
                                          "\"2026-11-23T10:01:00Z\",\"reason\":"
                                          "\"why\"}\n");
    ck_assert_uint_eq(played.table.seats[1].misses, 0);
    play(plain(COMMAND_FORFEIT));
    ck_assert(!played.table.rung);
    ck_assert_uint_eq(played.table.seats[1].misses, 1);
}
END_TEST

/* ---- misses -------------------------------------------------------------- */

static void
assert_misses(const char *expected)
{
    char got[PLAYERS_MAX + 1] = "";
    for (unsigned seat = 0; seat < played.table.seated; seat++) {
        got[seat] = (char)('0' + table_misses(&played.table, seat));
    }
    ck_assert_str_eq(got, expected);
}

START_TEST(whoever_is_awaited_when_the_clock_decides_has_missed)
{
    begin(5);
    play(plain(COMMAND_CLOSE)); /* Anna named nobody */
    assert_misses("10000");
    play(nominate(1, 2));
    play(vote(1, true));
    play(vote(4, false));
    play(plain(COMMAND_CLOSE)); /* Anna, Carl, Dora did not vote */
    assert_misses("20110");
    elect(0); /* Anna, Bob and Carl vote: they start over */
    play(by_lots(discard(2, 0)));
    assert_misses("10110");
    play(by_lots(enact(0, 0)));
    assert_misses("20110");
}
END_TEST

START_TEST(who_acts_in_time_has_missed_nothing)
{
    begin(5);
    govern(false);
    govern(false);
    elect(0);
    assert_misses("00000");
}
END_TEST

START_TEST(a_vacant_seat_misses_nothing)
{
    begin(5);
    play(plain(COMMAND_CLOSE));
    play(vacate(0));
    assert_misses("10000");
    play(nominate(1, 2));
    play(plain(COMMAND_CLOSE));
    assert_misses("11111");
}
END_TEST

/* ---- rounds -------------------------------------------------------------- */

START_TEST(rounds_are_remembered_as_they_went)
{
    begin(5);
    ck_assert_uint_eq(played.table.past_count, 1);
    ck_assert_int_eq(played.table.past[0].outcome, PAST_NOT_YET);
    ck_assert_uint_eq(played.table.past[0].chancellor, NO_SEAT);
    play(plain(COMMAND_CLOSE));
    ck_assert_int_eq(played.table.past[0].outcome, PAST_NO_NAME);
    play(nominate(1, 2));
    play(vote(0, true));
    vote_all(false);
    ck_assert_int_eq(played.table.past[1].outcome, PAST_REJECTED);
    ck_assert_uint_eq(played.table.past[1].president, 1);
    ck_assert_uint_eq(played.table.past[1].chancellor, 2);
    ck_assert_uint_eq(played.table.past[1].ja, seat_bit(0));
    assert_seats(played.table.past[1].voted, "0 1 2 3");
    assert_seats(played.table.past[1].present, "0 1 2 3 4");
    ck_assert(!played.table.past[1].chaos);
    play(plain(COMMAND_CLOSE));
    ck_assert(played.table.past[2].chaos);
    ck_assert(!played.table.past[2].chaos_liberal);
    elect(0);
    ck_assert_uint_eq(played.table.past[3].drawn.count, 3);
    assert_pile(played.table.past[3].drawn, "FLF");
    play(discard(3, 1));
    assert_pile(played.table.past[3].passed, "FF");
    play(enact(0, 0));
    ck_assert_int_eq(played.table.past[3].outcome, PAST_ENACTED);
    ck_assert(!played.table.past[3].liberal);
    ck_assert_uint_eq(played.table.past_count, 5);
    ck_assert_uint_eq(table_round(&played.table)->round, 5);
}
END_TEST

START_TEST(the_election_of_hitler_is_remembered)
{
    begin(5);
    govern(false);
    govern(false);
    govern(false);
    elect(4);
    ck_assert_int_eq(played.table.state, TABLE_OVER);
    ck_assert_int_eq(table_round(&played.table)->outcome, PAST_WON);
    ck_assert_int_eq(table_due(&played.table), 0);
    assert_holds(buf_text(&played.lines),
                 "\"event\":\"ended\",\"winner\":\"fascist\",\"reason\":"
                 "\"hitler_chancellor\"}\n");
    assert_holds(buf_text(&played.lines),
                 "\"event\":\"revealed\",\"seed\":null,\"roles\":{\"Anna\":"
                 "\"liberal\"");
}
END_TEST

/* Had they been Hitler, the game would be over. */
START_TEST(chancellors_are_cleared_once_three_fascist_policies_lie)
{
    struct past_round rounds[] = {
        {.outcome = PAST_ENACTED, .chancellor = 1}, /* the third */
        {.outcome = PAST_ENACTED, .chancellor = 2, .liberal = true},
        {.outcome = PAST_REJECTED, .chancellor = 3},
        {.outcome = PAST_ENACTED, .chancellor = 4},
    };
    struct table table = {
        .past = rounds, .past_count = 4, .game = {.fascist = 4}};
    assert_seats(table_cleared(&table), "2 4");
}
END_TEST

START_TEST(who_was_investigated_by_whom_is_remembered)
{
    begin_power();
    ck_assert_uint_eq(played.table.seats[6].investigated_by, NO_SEAT);
    play(target(1, 6));
    ck_assert_uint_eq(played.table.seats[6].investigated_by, 1);
    ck_assert_uint_eq(played.table.seats[0].investigated_by, NO_SEAT);
}
END_TEST

/* One round that ends with an agreed veto. */
static void
veto_round(void)
{
    seat_set eligible = game_eligible(&played.table.game);
    unsigned chancellor = 0;
    while (!seat_in(chancellor, eligible) ||
           chancellor == played.table.game.hitler) {
        chancellor++;
    }
    elect(chancellor);
    play(discard(played.table.game.president, 0));
    play(ask_veto(chancellor));
    play(answer_veto(played.table.game.president, true));
    chance();
}

START_TEST(of_very_many_rounds_the_newest_are_kept)
{
    begin(10);
    /* Vetoes can go on for ever where an election resets the tracker. */
    played.table.game.fascist = 5;
    played.table.game.draw.count = 12;
    played.table.game.draw.liberal = 0x3f;
    game_check(&played.table.game);
    for (unsigned i = 0; i < TABLE_PAST_MAX + 10; i++) {
        veto_round();
    }
    ck_assert_uint_eq(played.table.past_count, TABLE_PAST_MAX);
    ck_assert_uint_eq(played.table.past[0].round, 12);
    ck_assert_int_eq(played.table.past[0].outcome, PAST_VETOED);
    ck_assert_uint_eq(table_round(&played.table)->round, TABLE_PAST_MAX + 11);
}
END_TEST

/* ---- the played ------------------------------------------------------------
 */

START_TEST(a_plan_is_a_list_of_seats_at_the_table)
{
    static const struct {
        const char *text;
        unsigned count; /* of seats; 99: it is no plan */
    } cases[] = {{"", 0},
                 {"5", 1},
                 {"5 2 3", 3},
                 {"0", 99},
                 {"6", 99},
                 {"x", 99},
                 {"5,2", 99},
                 {" 5", 99},
                 {"99999", 99},
                 {"-1", 99},
                 {"1 2 3 4 5 1 2 3 4 5 1", 99}};
    struct table seats;
    table_init(&seats);
    seats.seated = 5;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct plan plan;
        bool good = table_read_plan(&seats, cases[i].text, &plan);
        ck_assert_msg(good == (cases[i].count != 99), "%s", cases[i].text);
        ck_assert(!good || plan.count == cases[i].count);
    }
    struct plan plan;
    ck_assert(table_read_plan(&seats, "5 2", &plan));
    ck_assert_uint_eq(plan.seats[0], 4);
    ck_assert_uint_eq(plan.seats[1], 1);
}
END_TEST

START_TEST(a_refusal_changes_nothing)
{
    begin(5);
    struct table before;
    table_clone(&before, &played.table);
    size_t len = played.lines.len;
    ck_assert_int_eq(try(nominate(0, 0)), REFUSAL_SELF);
    ck_assert_int_eq(try(nominate(1, 2)), REFUSAL_NOT_YOUR_TURN);
    ck_assert_int_eq(try(vote(1, true)), REFUSAL_NOT_NOW);
    ck_assert_int_eq(try(plain(200)), REFUSAL_MALFORMED);
    ck_assert(table_equal(&before, &played.table));
    table_release(&before);
    ck_assert_uint_eq(played.lines.len, len);
    ck_assert_uint_eq(played.events.count, 0);
}
END_TEST

/* A clone keeps nothing of the table's but names, and those are counted. */
START_TEST(a_clone_is_a_table_of_its_own)
{
    struct table clone;
    begin(7);
    govern(true);
    size_t names = names_count();
    table_clone(&clone, &played.table);
    ck_assert_uint_eq(names_count(), names);
    ck_assert(table_equal(&clone, &played.table));
    govern(false);
    ck_assert(!table_equal(&clone, &played.table));
    ck_assert_uint_eq(clone.past_count, 2);
    table_release(&played.table);
    ck_assert_str_eq(clone.seats[6].name, room_player(6));
    ck_assert_int_eq(clone.past[0].outcome, PAST_ENACTED);
    table_release(&clone);
    ck_assert_uint_eq(names_count(), 0);
}
END_TEST

enum {
    TABLE_BYTES = 6000
};

START_TEST(a_game_of_seven_in_its_tenth_round_is_small)
{
    begin(7);
    while (played.table.past_count < 10) {
        play(plain(COMMAND_CLOSE));
        chance();
    }
    const struct table *table = &played.table;
    size_t lists = 16 * sizeof table->past[0] + 16 * sizeof table->claims[0];
    ck_assert_uint_lt(sizeof *table + lists + names_size(), TABLE_BYTES);
}
END_TEST

/* Read the rows again and played them: the same table, the same lines. */
static void
assert_folds_again(void)
{
    struct table table;
    struct buf lines = BUF_INIT;
    struct buf why = BUF_INIT;
    table_init(&table);
    const char *row = buf_text(&played.rows);
    while (*row != '\0') {
        size_t len = strcspn(row, "\n");
        struct move move;
        struct events events;
        ck_assert_msg(move_read(row, len, &move, &why) == ERR_NONE, "%s",
                      buf_text(&why));
        ck_assert_int_eq(table_apply(&table, &move, &events, &lines),
                         REFUSAL_NONE);
        row += len + 1;
    }
    ck_assert_str_eq(buf_text(&lines), buf_text(&played.lines));
    ck_assert(table_equal(&table, &played.table));
    table_release(&table);
    buf_release(&lines);
}

static unsigned
one_of(struct dice *dice, seat_set seats)
{
    unsigned skip = dice_below(dice, seat_count(seats));
    unsigned seat = 0;
    while (!seat_in(seat, seats) || skip-- > 0) {
        seat++;
    }
    return seat;
}

/* What the clock might decide; false: nothing of it now. */
static bool
random_clock(struct dice *dice, const struct awaits *awaits)
{
    bool closes = awaits->question == QUESTION_NOMINATE ||
                  awaits->question == QUESTION_VOTE ||
                  awaits->question == QUESTION_VETO;
    if (closes) {
        play(plain(COMMAND_CLOSE));
    } else if (played.table.game.due_power == POWER_NONE) {
        return false;
    } else if (!played.table.rung) {
        ring();
    } else {
        play(plain(COMMAND_FORFEIT));
    }
    unsigned seat = dice_below(dice, played.table.seated);
    if (played.table.state == TABLE_RUNNING && dice_below(dice, 4) == 0) {
        (void)try(vacate(seat)); /* refused of one who is dead or alone */
    }
    return true;
}

static void
random_answer(struct dice *dice, const struct awaits *awaits)
{
    static const enum command_kind kinds[] = {
        [QUESTION_NOMINATE] = COMMAND_NOMINATE,
        [QUESTION_VOTE] = COMMAND_VOTE,
        [QUESTION_DISCARD] = COMMAND_DISCARD,
        [QUESTION_ENACT] = COMMAND_ENACT,
        [QUESTION_VETO] = COMMAND_ANSWER_VETO,
        [QUESTION_INVESTIGATE] = COMMAND_TARGET,
        [QUESTION_SPECIAL_ELECTION] = COMMAND_TARGET,
        [QUESTION_EXECUTION] = COMMAND_TARGET,
    };
    struct command command = {.kind = (uint8_t)kinds[awaits->question]};
    command.seat = (uint8_t)one_of(dice, awaits->seats);
    command.yes = dice_below(dice, 3) > 0;
    if (awaits->choices != 0) {
        command.target = (uint8_t)one_of(dice, awaits->choices);
    }
    if (awaits->cards > 0) {
        command.card = (uint8_t)dice_below(dice, awaits->cards);
        command.lots = seat_in(command.seat, played.table.game.vacant) ||
                       dice_below(dice, 5) == 0;
    }
    if (awaits->may_veto && dice_below(dice, 2) == 0 && !command.lots) {
        command.kind = COMMAND_ASK_VETO;
    }
    (void)try(command); /* a vacant seat's own answer is refused */
}

static void
random_move(struct dice *dice)
{
    struct awaits awaits = game_awaits(&played.table.game);
    played.now += dice_below(dice, 10000000);
    played.at = played.now - 500;
    if (awaits.question == QUESTION_RESHUFFLE) {
        play(deal_reshuffle(played.table.key, played.table.reshuffles + 1,
                            awaits.due_liberal, awaits.due_fascist));
        return;
    }
    bool vacant = (awaits.seats & played.table.game.vacant) == awaits.seats;
    if (vacant || dice_below(dice, 8) == 0) {
        if (random_clock(dice, &awaits)) {
            return;
        }
    }
    random_answer(dice, &awaits);
}

START_TEST(random_games_fold_to_the_same_table_and_lines)
{
    struct dice dice = {(uint64_t)_i + 1};
    static const char *const presets[] = {"play-by-post", "official", "french"};
    option("rules", presets[_i % 3]);
    option("seats", _i % 2 == 0 ? "random" : "signup");
    unsigned players = 5 + (unsigned)_i % 6;
    open_table(players, players);
    for (unsigned i = 0; i < players; i++) {
        someone(MOVE_JOIN, room_player(i));
    }
    someone(MOVE_LEAVE, "Bob");
    someone(MOVE_JOIN, "Bob");
    struct move move = blank(MOVE_START);
    must(&move);
    play(deal_game(played.table.key, players));
    while (played.table.state == TABLE_RUNNING) {
        random_move(&dice);
        assert_sane_game(&played.table.game);
    }
    assert_folds_again();
    struct record record = {.games = NULL};
    struct buf why = BUF_INIT;
    ck_assert_msg(record_read(played.lines.data, played.lines.len, &record,
                              &why) == ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert_uint_eq(record.games[0].line_count, played.table.seq);
    record_release(&record);
}
END_TEST

/* ---- moves of every kind ------------------------------------------------- */

/* Counts of the moves that were made, and that were refused, by kind. */
static struct {
    unsigned made[MOVE_KINDS], refused[MOVE_KINDS];
} tally;

static const char *
any_of(struct dice *dice, const char *const *list, unsigned count)
{
    return list[dice_below(dice, count)];
}

#define ANY_OF(dice, list)                                                     \
    any_of(dice, list, (unsigned)(sizeof(list) / sizeof(list)[0]))

static struct command
random_command(struct dice *dice)
{
    struct command command = {
        .kind = (uint8_t)dice_below(dice, (unsigned)COMMAND_ABANDON + 1)};
    command.seat = (uint8_t)dice_below(dice, PLAYERS_MAX);
    command.target = (uint8_t)dice_below(dice, PLAYERS_MAX);
    command.card = (uint8_t)dice_below(dice, 4);
    command.yes = dice_below(dice, 2) == 0;
    command.lots = dice_below(dice, 4) == 0;
    return command;
}

/* A move with all its members set, some of which fit its kind. */
static struct move
any_move(struct dice *dice, enum move_kind kind, const struct table *past)
{
    static const char *const users[] = {"@Anna", "@Bob",  "@Carl", "@Dora",
                                        "@Emil", "@Yves", "@Zoe",  ""};
    static const char *const names[] = {"Anna", "Zoe",   "",     "quiet",
                                        "peek", "power", "rules"};
    static const char *const texts[] = {
        "", "FFL,FL", "1 2", "de", "UTC", "23:00-07:00", "12h", "official"};
    static const int64_t times[] = {0, -HOUR_MS, HOUR_MS, 2 * DAY_MS};
    struct move move = blank(kind);
    int64_t until = times[dice_below(dice, 4)];
    TEXT_COPY(move.post, dice_below(dice, 2) == 0 ? "post" : "");
    TEXT_COPY(move.user, ANY_OF(dice, users));
    TEXT_COPY(move.out, ANY_OF(dice, users));
    TEXT_COPY(move.name, ANY_OF(dice, names));
    TEXT_COPY(move.text, ANY_OF(dice, texts));
    TEXT_COPY(move.id, "1");
    TEXT_COPY(move.place, "board");
    TEXT_COPY(move.thread, dice_below(dice, 2) == 0 ? "its own" : "");
    move.until = until == 0 ? 0 : played.now + until;
    move.command = random_command(dice);
    move.caught_up = (seat_set)dice_below(dice, 1U << PLAYERS_MAX);
    move.announced = dice_below(dice, 4) == 0
                         ? NO_SEAT
                         : (uint8_t)dice_below(dice, PLAYERS_MAX);
    move.own_thread = dice_below(dice, 2) == 0;
    move.held = dice_below(dice, 2) == 0;
    move.replaces_held = dice_below(dice, 2) == 0;
    move.reached = dice_below(dice, 2) == 0;
    move.no_emoji = dice_below(dice, 2) == 0;
    move.receipts = dice_below(dice, 2) == 0;
    move.by_moderator = dice_below(dice, 2) == 0;
    move.reminders = (enum reminders)dice_below(dice, REMINDERS_OFF + 1);
    move.extended = (enum extended)dice_below(dice, EXTENDED_FOR_TOO_FEW + 1);
    move.called = (enum called)dice_below(dice, CALLED_ANEW + 1);
    move.prodded = (enum prodded)dice_below(dice, PRODDED_MODERATORS + 1);
    move.request = dice_below(dice, 2) == 0 ? dice_below(dice, 4)
                                            : table_next_ask(&played.table);
    move.round = dice_below(dice, 4);
    move.players_min = dice_below(dice, PLAYERS_MAX + 2);
    move.players_max = dice_below(dice, PLAYERS_MAX + 2);
    move.settings = played.settings;
    if (kind == MOVE_OPEN) {
        move.players_min = PLAYERS_MIN;
        move.players_max = PLAYERS_MAX;
    }
    if (kind == MOVE_REWIND) {
        move.row = past->rows;
        move.past = past->rows == 0 ? NULL : past;
    }
    return move;
}

/* Its row makes the same of a table as the move. */
static void
assert_row_does(const struct move *move, const struct table *after,
                const struct buf *lines)
{
    struct table table;
    struct move row;
    struct events events;
    struct buf text = BUF_INIT;
    struct buf again = BUF_INIT;
    struct buf why = BUF_INIT;
    move_write(move, &text);
    ck_assert_msg(move_read(text.data, text.len, &row, &why) == ERR_NONE,
                  "%s: %s", buf_text(&text), buf_text(&why));
    row.past = move->past;
    table_clone(&table, &played.table);
    ck_assert_msg(table_may(&table, &row), "%s", buf_text(&text));
    ck_assert_int_eq(table_apply(&table, &row, &events, &again), REFUSAL_NONE);
    ck_assert_msg(table_equal(&table, after), "%s", buf_text(&text));
    ck_assert_str_eq(buf_text(&again), buf_text(lines));
    table_release(&table);
    buf_release(&text);
    buf_release(&again);
}

/* Try a move at a clone; true: it can be made. */
static bool
try_at_clone(struct move *move)
{
    struct table clone;
    struct events events;
    struct buf lines = BUF_INIT;
    bool made = false;
    bool asks = move->kind == MOVE_SET && move->name[0] == '\0'; /* may it? */
    if (!asks && table_may(&played.table, move)) {
        table_clone(&clone, &played.table);
        deadline_give(&clone, move, zone_utc());
        made = table_apply(&clone, move, &events, &lines) == REFUSAL_NONE;
        if (made) {
            assert_row_does(move, &clone, &lines);
        } else {
            ck_assert_msg(table_equal(&clone, &played.table), "kind %d",
                          (int)move->kind);
            ck_assert_uint_eq(lines.len, 0);
            ck_assert_uint_eq(events.count, 0);
        }
        table_release(&clone);
    }
    tally.made[move->kind] += made;
    tally.refused[move->kind] += !made;
    buf_release(&lines);
    return made;
}

/* Does the game go on as before after such a move? */
static bool
goes_beside(enum move_kind kind)
{
    return kind != MOVE_PLAY && kind != MOVE_RING && kind != MOVE_REWIND;
}

static void
try_every_kind(struct dice *dice, const struct table *past)
{
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        struct move move = any_move(dice, (enum move_kind)kind, past);
        if (try_at_clone(&move) && played.table.state == TABLE_RUNNING &&
            goes_beside(move.kind) && dice_below(dice, 8) == 0) {
            must(&move);
        }
    }
}

/* Sign up, pass a ready check, and be dealt. */
static void
sign_up(struct dice *dice, const struct table *past)
{
    static const enum move_kind ends[] = {MOVE_CHECK, MOVE_START};
    try_every_kind(dice, past);
    struct move move = blank(MOVE_OPEN);
    TEXT_COPY(move.id, "1");
    move.players_min = 5;
    move.players_max = 5;
    move.own_thread = true;
    move.settings = played.settings;
    must(&move);
    for (unsigned i = 0; i < 5; i++) {
        try_every_kind(dice, past);
        someone(MOVE_JOIN, room_player(i));
    }
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 16; k++) {
            try_every_kind(dice, past);
        }
        move = blank(ends[i]);
        move.until = played.now + DAY_MS;
        must(&move);
    }
    try_every_kind(dice, past);
    play(deal_game(played.table.key, 5));
}

/* A move that the table takes is in its row as well, whatever its kind. */
START_TEST(a_move_of_any_kind_is_its_row_or_changes_nothing)
{
    for (unsigned game = 0; game < 8; game++) {
        struct dice dice = {game + 1};
        struct table past;
        table_init(&past);
        table_release(&played.table);
        option("gallery", game % 2 == 0 ? "roles" : "off");
        option("start_reminder", "on");
        sign_up(&dice, &past);
        while (played.table.state == TABLE_RUNNING) {
            try_every_kind(&dice, &past);
            if (played.table.game.question != QUESTION_RESHUFFLE &&
                dice_below(&dice, 16) == 0) {
                table_release(&past);
                table_clone(&past, &played.table);
            }
            random_move(&dice);
        }
        try_every_kind(&dice, &past);
        table_release(&past);
        buf_clear(&played.lines);
        buf_clear(&played.rows);
    }
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        ck_assert_msg(tally.made[kind] > 0, "kind %d was never made", kind);
        ck_assert_msg(tally.refused[kind] > 0, "kind %d was never refused",
                      kind);
    }
}
END_TEST

static void
add_tests(Suite *suite)
{
    TCase *tcase = tcase_create("sign-up");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, an_opened_table_is_as_it_was_opened);
    tcase_add_test(
        tcase,
        rules_that_are_set_before_the_start_are_as_if_it_had_been_opened_so);
    tcase_add_test(tcase,
                   rules_are_set_before_the_start_alone_and_times_at_any_time);
    tcase_add_test(tcase, a_table_has_room_for_all_who_have_joined);
    tcase_add_test(tcase, people_stand_in_the_order_in_which_they_came);
    tcase_add_test(tcase, the_last_and_the_first_can_leave);
    tcase_add_test(tcase, a_closed_sign_up_is_over);
    tcase_add_test(tcase, seats_are_those_of_the_sign_up);
    tcase_add_test(tcase, seats_are_drawn_where_that_is_set);
    tcase_add_test(tcase, the_rules_are_the_presets_but_for_the_options);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/table");
    add_tests(suite);
    TCase *tcase = tcase_create("game");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase,
                   each_question_has_its_number_its_time_and_its_deadline);
    tcase_add_test(tcase, the_end_of_a_session_is_told_once_for_both);
    tcase_add_test(tcase, a_session_in_which_lots_were_late_ends_later);
    tcase_add_test(tcase, which_questions_are_secret);
    tcase_add_test(tcase, a_sealed_ballot_is_secret);
    tcase_add_test(tcase, grace_lengthens_cards_and_powers_alone);
    tcase_add_test(tcase, what_waits_is_never_due);
    tcase_add_test(tcase, a_power_is_rung_once_and_has_as_long_again);
    tcase_add_test(tcase, whoever_is_awaited_when_the_clock_decides_has_missed);
    tcase_add_test(tcase, who_acts_in_time_has_missed_nothing);
    tcase_add_test(tcase, a_vacant_seat_misses_nothing);
    tcase_add_test(tcase, rounds_are_remembered_as_they_went);
    tcase_add_test(tcase, the_election_of_hitler_is_remembered);
    tcase_add_test(tcase,
                   chancellors_are_cleared_once_three_fascist_policies_lie);
    tcase_add_test(tcase, who_was_investigated_by_whom_is_remembered);
    tcase_add_test(tcase, of_very_many_rounds_the_newest_are_kept);
    tcase_add_test(tcase, a_plan_is_a_list_of_seats_at_the_table);
    tcase_add_test(tcase, a_refusal_changes_nothing);
    tcase_add_test(tcase, a_clone_is_a_table_of_its_own);
    tcase_add_test(tcase, a_game_of_seven_in_its_tenth_round_is_small);
    tcase_add_test(tcase, a_move_of_any_kind_is_its_row_or_changes_nothing);
    tcase_add_loop_test(tcase, random_games_fold_to_the_same_table_and_lines, 0,
                        30);
    suite_add_tcase(suite, tcase);
    return suite;
}
