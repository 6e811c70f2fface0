#include <string.h>

#include "tests/support/engine_game.h"
#include "tests/support/runner.h"

/* ---- what is dealt ------------------------------------------------------- */

START_TEST(roles_are_as_many_as_the_table_says)
{
    static const unsigned liberals[] = {3, 4, 4, 5, 5, 6};
    static const unsigned fascists[] = {1, 1, 2, 2, 3, 3};
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct engine_game t;
        engine_game_begin(&t, players, "play-by-post", "");
        unsigned count[3] = {0, 0, 0};
        for (unsigned seat = 0; seat < players; seat++) {
            count[game_role(&t.game, seat)]++;
        }
        unsigned row = players - PLAYERS_MIN;
        ck_assert_uint_eq(count[ROLE_LIBERAL], liberals[row]);
        ck_assert_uint_eq(count[ROLE_FASCIST], fascists[row]);
        ck_assert_uint_eq(count[ROLE_HITLER], 1);
        ck_assert_uint_eq(game_fascist_count(players), fascists[row]);
    }
}
END_TEST

START_TEST(hitler_is_of_the_fascist_party)
{
    struct engine_game t;
    engine_game_begin(&t, 7, "play-by-post", "");
    static const enum role roles[] = {
        ROLE_LIBERAL, ROLE_LIBERAL, ROLE_LIBERAL, ROLE_LIBERAL,
        ROLE_FASCIST, ROLE_FASCIST, ROLE_HITLER,
    };
    for (unsigned seat = 0; seat < 7; seat++) {
        ck_assert_uint_eq(game_role(&t.game, seat), roles[seat]);
        ck_assert_uint_eq(game_party(&t.game, seat),
                          seat < 4 ? PARTY_LIBERAL : PARTY_FASCIST);
    }
}
END_TEST

START_TEST(hitler_knows_the_fascist_by_the_option_in_small_games_only)
{
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct engine_game t;
        engine_game_open(&t, players, "play-by-post");
        ck_assert(!game_hitler_knows(&t.game));
        engine_game_set(&t, "hitler_knows_fascists", "small");
        ck_assert_int_eq(game_hitler_knows(&t.game), players <= 6);
    }
}
END_TEST

START_TEST(the_powers_are_those_of_the_table)
{
    static const enum power powers[][5] = {
        {POWER_NONE, POWER_NONE, POWER_PEEK, POWER_EXECUTION, POWER_EXECUTION},
        {POWER_NONE, POWER_INVESTIGATE, POWER_SPECIAL_ELECTION, POWER_EXECUTION,
         POWER_EXECUTION},
        {POWER_INVESTIGATE, POWER_INVESTIGATE, POWER_SPECIAL_ELECTION,
         POWER_EXECUTION, POWER_EXECUTION},
    };
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        for (unsigned nth = 1; nth <= 5; nth++) {
            ck_assert_uint_eq(game_track_power(players, nth),
                              powers[(players - PLAYERS_MIN) / 2][nth - 1]);
        }
    }
}
END_TEST

/* ---- the deal ------------------------------------------------------------ */

START_TEST(a_new_game_awaits_the_deal)
{
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct engine_game t;
        engine_game_open(&t, players, "french");
        struct awaits awaits = game_awaits(&t.game);
        ck_assert_uint_eq(awaits.question, QUESTION_DEAL);
        ck_assert_uint_eq(awaits.due_liberal, 6);
        ck_assert_uint_eq(awaits.due_fascist, 11);
        ck_assert_uint_eq(awaits.seats, 0);
        ck_assert_uint_eq(game_eligible(&t.game), 0);
        ck_assert_uint_eq(seat_count(game_present(&t.game)), players);
    }
}
END_TEST

START_TEST(the_deal_begins_the_first_round)
{
    struct engine_game t;
    engine_game_open(&t, 8, "play-by-post");
    struct command command = deal(8, "LLLFFF");
    command.first = 5;
    engine_game_do(&t, command);
    engine_game_told(&t, "dealt round");

    const struct event *dealt = engine_game_event(&t, EVENT_DEALT);
    ck_assert_uint_eq(dealt->target, 7);
    assert_seats(dealt->seats, "5 6");
    assert_pile(dealt->cards, "LLLFFFLLLFFFFFFFF");

    const struct event *round = engine_game_event(&t, EVENT_ROUND);
    ck_assert_uint_eq(round->round, 1);
    ck_assert_uint_eq(round->seat, 5);
    ck_assert(!round->yes);
    assert_seats(round->seats, "0 1 2 3 4 6 7");
    ck_assert_uint_eq(t.game.question, QUESTION_NOMINATE);
    ck_assert_uint_eq(game_next_candidate(&t.game), 6);
}
END_TEST

START_TEST(any_seat_may_be_the_first_candidate)
{
    for (unsigned first = 0; first < 10; first++) {
        struct engine_game t;
        engine_game_open(&t, 10, "official");
        struct command command = deal(10, "");
        command.first = (uint8_t)first;
        engine_game_do(&t, command);
        ck_assert_uint_eq(t.game.president, first);
        ck_assert_uint_eq(game_next_candidate(&t.game), (first + 1) % 10);
    }
}
END_TEST

START_TEST(a_deal_of_wrong_roles_is_refused)
{
    struct engine_game t;
    engine_game_open(&t, 7, "play-by-post");
    struct command good = deal(7, "");
    struct command bad = good;
    bad.fascists = seat_bit(4);
    engine_game_refuse(&t, bad, REFUSAL_WRONG_ROLES);
    bad.fascists = seat_bit(4) | seat_bit(5) | seat_bit(3);
    engine_game_refuse(&t, bad, REFUSAL_WRONG_ROLES);
    bad.fascists = seat_bit(5) | seat_bit(6);
    engine_game_refuse(&t, bad, REFUSAL_WRONG_ROLES);
    bad.fascists = seat_bit(5) | seat_bit(7);
    engine_game_refuse(&t, bad, REFUSAL_WRONG_ROLES);
    bad.fascists = (seat_set)(seat_bit(5) | 1U << 15);
    engine_game_refuse(&t, bad, REFUSAL_WRONG_ROLES);
    bad = good;
    bad.hitler = 7;
    engine_game_refuse(&t, bad, REFUSAL_NO_SUCH_SEAT);
    bad.hitler = NO_SEAT;
    engine_game_refuse(&t, bad, REFUSAL_NO_SUCH_SEAT);
    engine_game_do(&t, good);
}
END_TEST

START_TEST(a_deal_of_wrong_tiles_is_refused)
{
    struct engine_game t;
    engine_game_open(&t, 5, "play-by-post");
    struct command good = deal(5, "");
    static const struct pile wrong[] = {
        {0x3f, 16},                   /* one too few */
        {0x3f, 18},       {0x1f, 17}, /* five liberal */
        {0x7f, 17},                   /* seven */
        {0x2001f, 17},                /* the sixth beneath the pile */
        {0x2003f, 17},                /* one more beneath it */
        {0, 0},                       /* none */
        {0x3f, 0xffffff},             /* nonsense */
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct command bad = good;
        bad.tiles = wrong[i];
        engine_game_refuse(&t, bad, REFUSAL_WRONG_TILES);
    }
    engine_game_do(&t, good);
}
END_TEST

START_TEST(a_first_candidate_must_have_a_seat)
{
    struct engine_game t;
    engine_game_open(&t, 6, "play-by-post");
    struct command bad = deal(6, "");
    bad.first = 6;
    engine_game_refuse(&t, bad, REFUSAL_NO_SUCH_SEAT);
}
END_TEST

START_TEST(there_is_one_deal)
{
    struct engine_game t;
    engine_game_begin(&t, 6, "play-by-post", "");
    engine_game_refuse(&t, deal(6, ""), REFUSAL_NOT_NOW);
}
END_TEST

START_TEST(nothing_but_the_deal_or_the_end_comes_before_the_deal)
{
    struct engine_game t;
    engine_game_open(&t, 6, "play-by-post");
    engine_game_refuse(&t, reshuffle("LLLLLLFFFFFFFFFFF"), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, nominate(0, 1), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, vote(0, true), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, discard(0, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, enact(0, 0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, ask_veto(0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, answer_veto(0, true), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, target(0, 1), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_CLOSE), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_FORFEIT), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, vacate(0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, fill(0), REFUSAL_NOT_NOW);
    engine_game_refuse(&t, plain(COMMAND_KNOWN), REFUSAL_NOT_NOW);

    engine_game_do(&t, plain(COMMAND_ABANDON));
    engine_game_told(&t, "ended");
    engine_game_refuse(&t, deal(6, ""), REFUSAL_GAME_OVER);
}
END_TEST

/* ---- values and tables --------------------------------------------------- */

START_TEST(a_command_that_does_not_exist_is_refused)
{
    struct engine_game t;
    engine_game_begin(&t, 6, "play-by-post", "");
    struct command command = {.kind = COMMAND_ABANDON + 1};
    engine_game_refuse(&t, command, REFUSAL_MALFORMED);
    command.kind = 255;
    engine_game_refuse(&t, command, REFUSAL_MALFORMED);
    engine_game_do(&t, plain(COMMAND_ABANDON));
    engine_game_refuse(&t, command, REFUSAL_MALFORMED);
}
END_TEST

START_TEST(the_same_commands_make_the_same_game)
{
    struct engine_game a;
    struct engine_game b;
    memset(&a, 0xaa, sizeof a);
    memset(&b, 0x55, sizeof b);
    engine_game_begin(&a, 7, "official", "LFL");
    engine_game_begin(&b, 7, "official", "LFL");
    engine_game_govern(&a, 1, true);
    engine_game_govern(&b, 1, true);
    ck_assert_mem_eq(&a.game, &b.game, sizeof a.game);
    ck_assert_uint_eq(a.events.count, b.events.count);

    struct game saved = a.game;
    engine_game_reject(&a);
    ck_assert_mem_ne(&a.game, &saved, sizeof saved);
    a.game = saved;
    ck_assert_mem_eq(&a.game, &b.game, sizeof a.game);
}
END_TEST

START_TEST(each_event_and_refusal_has_a_name_of_its_own)
{
    for (unsigned i = 0; i < EVENT_KINDS; i++) {
        for (unsigned j = 0; j < i; j++) {
            ck_assert_str_ne(event_facts[i].name, event_facts[j].name);
        }
    }
    ck_assert_str_eq(refusal_key(REFUSAL_NONE), "none");
    for (unsigned i = 0; i < REFUSALS; i++) {
        for (unsigned j = 0; j < i; j++) {
            ck_assert_str_ne(refusal_key((enum refusal)i),
                             refusal_key((enum refusal)j));
        }
    }
}
END_TEST

START_TEST(what_is_secret_is_told_to_nobody_else)
{
    static const struct {
        enum event_kind kind;
        enum audience line;
        enum audience secret;
    } rows[] = {
        {EVENT_DEALT, AUDIENCE_HOST, AUDIENCE_HOST},
        {EVENT_VOTED, AUDIENCE_BALLOT, AUDIENCE_NONE},
        {EVENT_HAND, AUDIENCE_SEAT, AUDIENCE_SEAT},
        {EVENT_PASSED, AUDIENCE_SEAT, AUDIENCE_GOVERNMENT},
        {EVENT_RESHUFFLED, AUDIENCE_ALL, AUDIENCE_HOST},
        {EVENT_INVESTIGATED, AUDIENCE_ALL, AUDIENCE_SEAT},
        {EVENT_PEEKED, AUDIENCE_ALL, AUDIENCE_SEAT},
    };
    unsigned row = 0;
    for (unsigned kind = 0; kind < EVENT_KINDS; kind++) {
        const struct event_fact *fact = &event_facts[kind];
        if (row < sizeof rows / sizeof rows[0] && rows[row].kind == kind) {
            ck_assert_uint_eq(fact->line, rows[row].line);
            ck_assert_uint_eq(fact->secret, rows[row].secret);
            row++;
        } else {
            ck_assert_uint_eq(fact->line, AUDIENCE_ALL);
            ck_assert_uint_eq(fact->secret, AUDIENCE_NONE);
        }
    }
    ck_assert_uint_eq(row, sizeof rows / sizeof rows[0]);
}
END_TEST

START_TEST(a_pile_keeps_its_order)
{
    struct pile pile = {0, 0};
    for (const char *tile = "LFFLLF"; *tile != '\0'; tile++) {
        pile_add(&pile, *tile == 'L');
    }
    assert_pile(pile, "LFFLLF");
    ck_assert_uint_eq(pile_liberals(pile), 3);
    ck_assert(pile_is_liberal(pile, 0) && !pile_is_liberal(pile, 5));
    ck_assert(pile_take(&pile, 3));
    assert_pile(pile, "LFFLF");
    ck_assert(!pile_take(&pile, 4));
    assert_pile(pile, "LFFL");
    ck_assert(pile_take(&pile, 0));
    assert_pile(pile, "FFL");
    assert_pile(pile_lift(&pile, 2), "FF");
    assert_pile(pile, "L");
    assert_pile(pile_lift(&pile, 1), "L");
    assert_pile(pile, "");
    ck_assert_uint_eq(pile.liberal, 0);
}
END_TEST

START_TEST(seats_of_any_set_are_counted)
{
    for (unsigned seats = 0; seats < 1U << PLAYERS_MAX; seats++) {
        unsigned count = 0;
        for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
            count += seat_in(seat, (seat_set)seats) ? 1 : 0;
        }
        ck_assert_uint_eq(seat_count((seat_set)seats), count);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/setup");
    TCase *tables = tcase_create("tables");
    tcase_add_test(tables, roles_are_as_many_as_the_table_says);
    tcase_add_test(tables, hitler_is_of_the_fascist_party);
    tcase_add_test(tables,
                   hitler_knows_the_fascist_by_the_option_in_small_games_only);
    tcase_add_test(tables, the_powers_are_those_of_the_table);
    suite_add_tcase(suite, tables);

    TCase *dealing = tcase_create("deal");
    tcase_add_test(dealing, a_new_game_awaits_the_deal);
    tcase_add_test(dealing, the_deal_begins_the_first_round);
    tcase_add_test(dealing, any_seat_may_be_the_first_candidate);
    tcase_add_test(dealing, a_deal_of_wrong_roles_is_refused);
    tcase_add_test(dealing, a_deal_of_wrong_tiles_is_refused);
    tcase_add_test(dealing, a_first_candidate_must_have_a_seat);
    tcase_add_test(dealing, there_is_one_deal);
    tcase_add_test(dealing,
                   nothing_but_the_deal_or_the_end_comes_before_the_deal);
    suite_add_tcase(suite, dealing);

    TCase *values = tcase_create("values");
    tcase_add_test(values, a_command_that_does_not_exist_is_refused);
    tcase_add_test(values, the_same_commands_make_the_same_game);
    tcase_add_test(values, each_event_and_refusal_has_a_name_of_its_own);
    tcase_add_test(values, what_is_secret_is_told_to_nobody_else);
    tcase_add_test(values, a_pile_keeps_its_order);
    tcase_add_test(values, seats_of_any_set_are_counted);
    suite_add_tcase(suite, values);
    return suite;
}
