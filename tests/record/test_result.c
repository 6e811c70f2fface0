/*
 * What came of a game, read from its record's lines; and what came of many.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/record/result.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"

static void
read_lines(const char *lines, struct result *result)
{
    memset(result, 0, sizeof *result);
    while (*lines != '\0') {
        size_t len = strcspn(lines, "\n") + 1;
        ck_assert_msg(result_read_line(result, lines, len), "%.60s", lines);
        lines += len;
    }
}

static struct result
won_by(enum ending ending, const char *user, const char *name, enum role role)
{
    struct result result = {.ending = ending, .players = 1};
    (void)snprintf(result.seats[0].user, sizeof result.seats[0].user, "%s",
                   user);
    (void)snprintf(result.seats[0].name, sizeof result.seats[0].name, "%s",
                   name);
    result.seats[0].role = role;
    return result;
}

START_TEST(a_record_tells_its_end_and_its_roles)
{
    struct result result;
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    scripted_policy(scripted, scripted_nominee(scripted), false);
    scripted_rejected(scripted);
    read_lines(buf_text(&scripted->text), &result);
    ck_assert_int_eq(result.ending, ENDING_NONE);
    ck_assert_uint_eq(result.rounds, 3);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    read_lines(buf_text(&scripted->text), &result);
    ck_assert_int_eq(result.ending, ENDING_ABANDONED);
    ck_assert(!result_is_won(&result));
    ck_assert_int_ge(result.ended, result.began);
    scripted_end(scripted);
}
END_TEST

#define REVEALED                                                               \
    "{\"seq\":9,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"revealed\""

START_TEST(the_roles_are_those_that_were_revealed)
{
    struct result result;
    read_lines(REVEALED ",\"seed\":null,\"roles\":{\"An\\\"na\":\"hitler\","
                        "\"Bob\":\"fascist\",\"Carl\":\"liberal\"}}\n",
               &result);
    ck_assert_uint_eq(result.players, 3);
    ck_assert_str_eq(result.seats[0].name, "An\"na");
    ck_assert_int_eq(result.seats[0].role, ROLE_HITLER);
    ck_assert_int_eq(result.seats[2].role, ROLE_LIBERAL);
    read_lines(REVEALED ",\"seed\":null,\"roles\":null}\n", &result);
    ck_assert_uint_eq(result.players, 0);
}
END_TEST

static const char *const garbled[] = {
    REVEALED ",\"roles\":{\"Anna\":\"king\"}}",
    REVEALED ",\"roles\":[]}",
    REVEALED ",\"roles\":{",
    "{\"seq\":1,\"at\":\"noon\",\"event\":\"ended\",\"reason\":\"abandoned\"}",
    "{\"seq\":1,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"ended\"}",
    "{\"seq\":1,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"round\"}",
    "{\"seq\":0,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"opened\"}",
};

START_TEST(a_garbled_line_is_refused)
{
    struct result result = {.players = 0};
    ck_assert(!result_read_line(&result, garbled[_i], strlen(garbled[_i])));
}
END_TEST

START_TEST(each_end_is_a_win_of_one_side_or_none)
{
    struct wins wins = {0};
    for (int ending = ENDING_FIVE_LIBERAL; ending <= ENDING_ABANDONED;
         ending++) {
        struct result result =
            won_by((enum ending)ending, "1", "Anna", ROLE_LIBERAL);
        bool liberal =
            ending == ENDING_FIVE_LIBERAL || ending == ENDING_HITLER_EXECUTED;
        wins_add(&wins, &result);
        ck_assert_int_eq(result_seat_won(&result, 0), liberal);
        result.seats[0].role = ROLE_HITLER;
        ck_assert_int_eq(result_seat_won(&result, 0),
                         ending == ENDING_SIX_FASCIST ||
                             ending == ENDING_HITLER_CHANCELLOR);
    }
    ck_assert_uint_eq(wins.liberal, 2);
    ck_assert_uint_eq(wins.fascist, 2);
    ck_assert_uint_eq(wins.abandoned, 1);
}
END_TEST

static void
add(struct standings *standings, const char *group, struct result result)
{
    standings_add(standings, group, &result);
}

START_TEST(players_are_told_apart_by_their_ids_and_called_as_they_were_last)
{
    struct standings all = {.count = 0};
    add(&all, "x", won_by(ENDING_SIX_FASCIST, "2", "Bob", ROLE_LIBERAL));
    add(&all, "x", won_by(ENDING_SIX_FASCIST, "1", "Anna", ROLE_HITLER));
    add(&all, "x", won_by(ENDING_FIVE_LIBERAL, "1", "Bob", ROLE_FASCIST));
    add(&all, "y", won_by(ENDING_FIVE_LIBERAL, "1", "Carl", ROLE_LIBERAL));
    add(&all, "x", won_by(ENDING_ABANDONED, "1", "Dora", ROLE_LIBERAL));
    add(&all, "x", won_by(ENDING_SIX_FASCIST, "", "Emil", ROLE_LIBERAL));
    standings_sort(&all);
    ck_assert_uint_eq(all.count, 3);
    ck_assert_str_eq(all.list[0].user, "1");
    ck_assert_str_eq(all.list[0].name, "Bob");
    ck_assert_uint_eq(score_games(&all.list[0].score), 2);
    ck_assert_uint_eq(score_won(&all.list[0].score), 1);
    ck_assert_uint_eq(all.list[0].score.won[ROLE_HITLER], 1);
    ck_assert_uint_eq(all.list[0].score.games[ROLE_FASCIST], 1);
    ck_assert_str_eq(all.list[1].name, "Carl"); /* has won */
    ck_assert_str_eq(all.list[2].name, "Bob");
    standings_release(&all);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("record/result");
    TCase *tests = tcase_create("result");
    tcase_add_test(tests, a_record_tells_its_end_and_its_roles);
    tcase_add_test(tests, the_roles_are_those_that_were_revealed);
    tcase_add_loop_test(tests, a_garbled_line_is_refused, 0,
                        sizeof garbled / sizeof garbled[0]);
    tcase_add_test(tests, each_end_is_a_win_of_one_side_or_none);
    tcase_add_test(
        tests,
        players_are_told_apart_by_their_ids_and_called_as_they_were_last);
    suite_add_tcase(suite, tests);
    return suite;
}
