/*
 * Which messages say how to do what they ask: by the setting, by the round, and
 * by what the players who are asked have done before.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/words/style.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    ANNA,
    BOB,
    CARL,
    DORA,
    SEATS = 7
};

static struct table table;
static struct past_round rounds[TABLE_PAST_MAX];

static void
set_up(void)
{
    memset(rounds, 0, sizeof rounds);
    table_init(&table);
    settings_defaults(&table.settings);
    table.seated = SEATS;
    table.game.players = SEATS;
    table.game.living = (seat_set)((1U << SEATS) - 1);
}

static void
set_style(const char *style)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(settings_set(&table.settings, "style", style, &why),
                     ERR_NONE);
    buf_release(&why);
}

/* Add a round to the history, in which nobody has been named yet. */
static struct past_round *
add_round(unsigned president)
{
    table.past = rounds;
    struct past_round *round = &table.past[table.past_count++];
    round->round = table.past_count;
    round->president = (uint8_t)president;
    round->chancellor = NO_SEAT;
    return round;
}

/* The round ends: the chancellor is rejected, or enacts a policy. */
static void
add_rejected(unsigned president, unsigned chancellor)
{
    struct past_round *round = add_round(president);
    round->chancellor = (uint8_t)chancellor;
    round->present = table.game.living;
    round->outcome = PAST_REJECTED;
}

static void
add_enacted(unsigned president, unsigned chancellor, bool liberal)
{
    add_rejected(president, chancellor);
    struct past_round *round = &table.past[table.past_count - 1];
    round->outcome = PAST_ENACTED;
    round->liberal = liberal;
    round->drawn.count = 3;
    round->passed.count = 2;
    table.game.liberal = (uint8_t)(table.game.liberal + liberal);
    table.game.fascist = (uint8_t)(table.game.fascist + !liberal);
}

/* Two rounds of others, so that the next ones are full only for some. */
static void
pass_the_first_rounds(void)
{
    add_rejected(5, 6);
    add_rejected(6, 5);
}

static bool
is_full(enum question question, unsigned seat)
{
    return style_is_full_for(&table, table_round(&table), question, seat);
}

START_TEST(a_style_that_is_set_holds_in_every_round)
{
    for (unsigned i = 0; i < 12; i++) {
        add_rejected(ANNA, BOB);
        set_style("full");
        ck_assert(is_full(QUESTION_NOMINATE, ANNA));
        set_style("short");
        ck_assert(!is_full(QUESTION_NOMINATE, ANNA));
        ck_assert(!is_full(QUESTION_NOMINATE, CARL));
    }
    ck_assert(!style_is_full(&table, NULL));
}
END_TEST

START_TEST(sign_up_and_the_first_two_rounds_are_full)
{
    ck_assert(style_is_full(&table, NULL));
    add_rejected(ANNA, BOB);
    ck_assert(is_full(QUESTION_VOTE, CARL));
    add_rejected(BOB, ANNA);
    ck_assert(is_full(QUESTION_VOTE, CARL));
    ck_assert(style_is_full(&table, table_round(&table)));
    add_rejected(CARL, ANNA);
    ck_assert(!is_full(QUESTION_VOTE, CARL));
    ck_assert(is_full(QUESTION_NOMINATE, DORA));
    ck_assert(!style_is_full(&table, table_round(&table)));
}
END_TEST

START_TEST(a_candidate_gets_the_full_call_twice)
{
    pass_the_first_rounds();
    add_rejected(ANNA, BOB);
    ck_assert(is_full(QUESTION_NOMINATE, ANNA));
    add_rejected(ANNA, BOB);
    ck_assert(is_full(QUESTION_NOMINATE, ANNA));
    add_round(ANNA);
    ck_assert(!is_full(QUESTION_NOMINATE, ANNA));
    ck_assert(is_full(QUESTION_NOMINATE, BOB));
}
END_TEST

START_TEST(who_named_nobody_has_not_done_it)
{
    pass_the_first_rounds();
    add_rejected(ANNA, BOB);
    add_round(ANNA)->outcome = PAST_NO_NAME;
    add_round(ANNA);
    ck_assert(is_full(QUESTION_NOMINATE, ANNA));
}
END_TEST

START_TEST(sessions_are_counted_for_each_office)
{
    pass_the_first_rounds();
    add_enacted(ANNA, BOB, true);
    add_enacted(ANNA, BOB, true);
    add_rejected(ANNA, BOB);
    ck_assert(!is_full(QUESTION_DISCARD, ANNA));
    ck_assert(is_full(QUESTION_ENACT, ANNA));
    ck_assert(!is_full(QUESTION_ENACT, BOB));
    ck_assert(is_full(QUESTION_DISCARD, BOB));
}
END_TEST

/* With seven players the second fascist policy brings the first power; one
 * that chaos brings has none. */
START_TEST(powers_are_counted_by_the_policies_that_brought_them)
{
    pass_the_first_rounds();
    add_enacted(ANNA, BOB, false);
    add_enacted(ANNA, BOB, false);
    add_rejected(ANNA, BOB);
    ck_assert(is_full(QUESTION_EXECUTION, ANNA));
    add_enacted(ANNA, BOB, false);
    add_round(ANNA);
    ck_assert(!is_full(QUESTION_EXECUTION, ANNA));
    ck_assert(is_full(QUESTION_EXECUTION, BOB));
}
END_TEST

START_TEST(the_policy_of_chaos_brings_no_power)
{
    pass_the_first_rounds();
    add_enacted(ANNA, BOB, false);
    add_rejected(ANNA, BOB);
    table.past[table.past_count - 1].chaos = true;
    table.game.fascist++;
    add_enacted(ANNA, BOB, false);
    add_round(ANNA);
    ck_assert(is_full(QUESTION_EXECUTION, ANNA));
}
END_TEST

START_TEST(vetoes_that_were_agreed_to_are_counted)
{
    pass_the_first_rounds();
    for (unsigned i = 0; i < 2; i++) {
        add_enacted(ANNA, BOB, true);
        ck_assert(is_full(QUESTION_VETO, ANNA));
        table.past[table.past_count - 1].outcome = PAST_VETOED;
    }
    add_rejected(ANNA, BOB);
    ck_assert(!is_full(QUESTION_VETO, ANNA));
}
END_TEST

START_TEST(what_happens_later_does_not_count)
{
    pass_the_first_rounds();
    add_enacted(ANNA, BOB, true);
    add_enacted(ANNA, BOB, true);
    const struct past_round *then = &table.past[table.past_count - 1];
    add_enacted(ANNA, BOB, true);
    ck_assert(style_is_full_for(&table, then, QUESTION_DISCARD, ANNA));
}
END_TEST

START_TEST(a_replacement_has_done_nothing_yet)
{
    pass_the_first_rounds();
    add_enacted(ANNA, BOB, true);
    add_enacted(ANNA, BOB, true);
    add_enacted(ANNA, BOB, true);
    for (unsigned i = 0; i < table.past_count; i++) {
        struct past_round *round = &table.past[i];
        bool hers = round->president == ANNA;
        round->voter_was[ANNA] = 1;
        round->president_was = hers;
        round->passed_was = hers;
    }
    add_rejected(ANNA, BOB);
    ck_assert(is_full(QUESTION_NOMINATE, ANNA));
    ck_assert(is_full(QUESTION_DISCARD, ANNA));
    ck_assert(!is_full(QUESTION_ENACT, BOB));
}
END_TEST

START_TEST(votes_are_full_in_a_newcomers_first_two_rounds)
{
    pass_the_first_rounds();
    add_rejected(ANNA, BOB);
    table.past[table.past_count - 1].voter_was[CARL] = 1;
    for (unsigned i = 0; i < 3; i++) {
        add_rejected(BOB, ANNA);
        ck_assert_int_eq(is_full(QUESTION_VOTE, CARL), i < 2);
        ck_assert(!is_full(QUESTION_VOTE, DORA));
    }
}
END_TEST

/* ---- what is said -------------------------------------------------------- */

static struct room room;

static void
set_up_room(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down_room(void)
{
    room_release(&room);
}

/* Each of these posts says its key, and in which form it is. */
static void
begin_marked(const char *style)
{
    static const char *const keys[] = {
        "signup",        "started",         "role",
        "call_nominate", "call_vote",       "call_session",
        "elected",       "rejected",        "enacted",
        "hand",          "hand_chancellor", "echo_discard",
        "vote_timeout"};
    room_set(&room, "style", style);
    room_open(&room);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char text[80];
        snprintf(text, sizeof text, "%s: {full?full}{full!short}.", keys[i]);
        room_word(&room, keys[i], text);
    }
    room_begin(&room, 5);
}

START_TEST(what_is_said_once_follows_from_the_setting)
{
    static const char *const styles[] = {"auto", "full", "short"};
    static const char *const expected[] = {"full", "full", "short"};
    char text[40];
    begin_marked(styles[_i]);
    snprintf(text, sizeof text, "started: %s.", expected[_i]);
    ck_assert_uint_eq(room_count_said(&room, text), 1);
    snprintf(text, sizeof text, "role: %s.", expected[_i]);
    ck_assert_uint_eq(room_count_told(&room, "Anna", text), 1);
}
END_TEST

START_TEST(a_post_has_the_form_that_each_of_its_parts_needs)
{
    begin_marked("auto");
    room_rejects(&room);
    room_rejects(&room);
    assert_holds(room_said(&room), "rejected: full.");
    room_names(&room, 0);
    assert_holds(room_said(&room), "call_vote: short.");
    room_votes(&room, false);
    assert_holds(room_said(&room), "rejected: short.");
    assert_holds(room_said(&room), "call_nominate: short.");
    room_elects(&room, 0);
    assert_holds(room_said(&room), "elected: short.");
    assert_holds(room_said(&room), "call_session: short.");
    assert_holds(room_told(&room, "Dora"), "hand: full.");
    room_discards(&room, false);
    assert_holds(room_told(&room, "Dora"), "echo_discard: full.");
    assert_holds(room_told(&room, "Anna"), "hand_chancellor: full.");
}
END_TEST

START_TEST(who_is_new_to_it_is_told_in_private_how_to_do_it)
{
    room_open(&room);
    room_word(&room, "howto_nominate", "how to nominate");
    room_word(&room, "howto_power", "how to use a power");
    room_word(&room, "howto_vote", "how to vote");
    room_begin(&room, 5);
    room_rejects(&room);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "how to"), 0);
    ck_assert_uint_eq(room_count_told(&room, "Bob", "how to"), 0);
    for (unsigned round = 2; round < 13; round++) {
        room_rejects(&room);
    }
    /* The third round is Carl's, the thirteenth, too. */
    ck_assert_uint_eq(room_count_told(&room, "Carl", "how to nominate"), 2);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "how to nominate"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "how to vote"), 0);
    assert_holds(room_said(&room), "Round 13");
}
END_TEST

START_TEST(the_style_that_is_set_in_a_game_holds_from_the_next_post_on)
{
    begin_marked("full");
    room_names(&room, 1);
    assert_holds(room_said(&room), "call_vote: full.");
    room_says(&room, "Mo", "!set style=short");
    assert_holds(room_said(&room), "style");
    room_votes(&room, true);
    assert_holds(room_said(&room), "elected: short.");
    assert_holds(room_told(&room, "Anna"), "hand: short.");
    room_says(&room, "Mo", "!set style=long");
    assert_holds(room_said(&room), "“long”");
    room_discards(&room, false);
    assert_holds(room_told(&room, "Bob"), "hand_chancellor: short.");
    room_enacts(&room, false);
    assert_holds(room_said(&room), "enacted: short.");
    assert_holds(room_said(&room), "call_nominate: short.");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/style");
    TCase *tests = tcase_create("style");

    tcase_add_checked_fixture(tests, set_up, NULL);
    tcase_add_test(tests, a_style_that_is_set_holds_in_every_round);
    tcase_add_test(tests, sign_up_and_the_first_two_rounds_are_full);
    tcase_add_test(tests, a_candidate_gets_the_full_call_twice);
    tcase_add_test(tests, who_named_nobody_has_not_done_it);
    tcase_add_test(tests, sessions_are_counted_for_each_office);
    tcase_add_test(tests, powers_are_counted_by_the_policies_that_brought_them);
    tcase_add_test(tests, the_policy_of_chaos_brings_no_power);
    tcase_add_test(tests, vetoes_that_were_agreed_to_are_counted);
    tcase_add_test(tests, what_happens_later_does_not_count);
    tcase_add_test(tests, a_replacement_has_done_nothing_yet);
    tcase_add_test(tests, votes_are_full_in_a_newcomers_first_two_rounds);
    suite_add_tcase(suite, tests);

    TCase *said = tcase_create("said");
    tcase_add_checked_fixture(said, set_up_room, tear_down_room);
    tcase_add_loop_test(said, what_is_said_once_follows_from_the_setting, 0, 3);
    tcase_add_test(said, a_post_has_the_form_that_each_of_its_parts_needs);
    tcase_add_test(said, who_is_new_to_it_is_told_in_private_how_to_do_it);
    tcase_add_test(said,
                   the_style_that_is_set_in_a_game_holds_from_the_next_post_on);
    suite_add_tcase(suite, said);
    return suite;
}
