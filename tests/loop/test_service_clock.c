/* When a service's clock is believed. */
#include <check.h>

#include "bot/base/civil.h"
#include "bot/tables/feeds/service_clock.h"
#include "tests/support/runner.h"

#define START (1000 * DAY_MS)

static struct service_clock clock;

static void
set_up(void)
{
    clock = (struct service_clock){0};
    ck_assert_int_eq(service_clock_now(&clock, 7), 7);
    ck_assert(service_clock_observe(&clock, START, 5000));
}

START_TEST(one_that_agrees_to_two_minutes_is_believed)
{
    ck_assert(service_clock_observe(&clock, START + HOUR_MS + 2 * MINUTE_MS,
                                    5000 + HOUR_MS));
    ck_assert(!service_clock_observe(
        &clock, START + 2 * HOUR_MS + 5 * MINUTE_MS, 5000 + 2 * HOUR_MS));
    ck_assert(clock.doubted);
    ck_assert_int_eq(service_clock_shown(&clock), 0);
    ck_assert(service_clock_observe(&clock, START + 2 * HOUR_MS + 3 * MINUTE_MS,
                                    5000 + 2 * HOUR_MS + MINUTE_MS));
    ck_assert(!clock.doubted);
    ck_assert_int_eq(service_clock_shown(&clock),
                     START + 2 * HOUR_MS + MINUTE_MS);
}
END_TEST

START_TEST(one_that_is_ahead_is_believed_after_three_replies_in_ten_minutes)
{
    int64_t ahead = START + 10 * DAY_MS;
    ck_assert(!service_clock_observe(&clock, ahead, 5000));
    ck_assert(
        !service_clock_observe(&clock, ahead + MINUTE_MS, 5000 + MINUTE_MS));
    ck_assert(!service_clock_observe(&clock, ahead + 9 * MINUTE_MS,
                                     5000 + 9 * MINUTE_MS));
    ck_assert(service_clock_observe(&clock, ahead + 10 * MINUTE_MS,
                                    5000 + 10 * MINUTE_MS));
    ck_assert_int_eq(service_clock_now(&clock, 5000 + 11 * MINUTE_MS),
                     ahead + 11 * MINUTE_MS);
}
END_TEST

START_TEST(two_replies_are_too_few)
{
    int64_t ahead = START + 10 * DAY_MS;
    ck_assert(!service_clock_observe(&clock, ahead, 5000));
    ck_assert(!service_clock_observe(&clock, ahead + 12 * MINUTE_MS,
                                     5000 + 12 * MINUTE_MS));
    ck_assert(service_clock_observe(&clock, ahead + 13 * MINUTE_MS,
                                    5000 + 13 * MINUTE_MS));
}
END_TEST

START_TEST(replies_that_contradict_each_other_count_anew)
{
    ck_assert(!service_clock_observe(&clock, START + 10 * DAY_MS, 5000));
    ck_assert(!service_clock_observe(&clock, START + 20 * DAY_MS,
                                     5000 + 6 * MINUTE_MS));
    ck_assert(!service_clock_observe(&clock, START + 10 * DAY_MS,
                                     5000 + 12 * MINUTE_MS));
    ck_assert(clock.doubted);
    ck_assert_int_eq(service_clock_now(&clock, 5000 + HOUR_MS),
                     START + HOUR_MS);
}
END_TEST

/* If it is right after all, nobody's time is over once it is believed. */
START_TEST(what_is_asked_while_one_is_ahead_is_asked_by_what_it_shows)
{
    int64_t ahead = START + 21 * HOUR_MS;
    ck_assert_int_eq(service_clock_latest(&clock, 5000), START);
    ck_assert(!service_clock_observe(&clock, ahead, 5000));
    ck_assert_int_eq(service_clock_latest(&clock, 5000 + MINUTE_MS),
                     ahead + MINUTE_MS);
    ck_assert_int_eq(service_clock_now(&clock, 5000 + MINUTE_MS),
                     START + MINUTE_MS);
    ck_assert(service_clock_observe(&clock, START + 2 * MINUTE_MS,
                                    5000 + 2 * MINUTE_MS));
    ck_assert_int_eq(service_clock_latest(&clock, 5000 + 2 * MINUTE_MS),
                     START + 2 * MINUTE_MS);
}
END_TEST

/* Ours was set ahead: nothing can fire too early. */
START_TEST(one_that_is_behind_does_no_harm)
{
    ck_assert(service_clock_observe(&clock, START + MINUTE_MS, 5000 + DAY_MS));
    ck_assert(!clock.doubted);
    ck_assert_int_eq(service_clock_now(&clock, 5000 + DAY_MS),
                     START + MINUTE_MS);
}
END_TEST

/* Ours was set ahead, and one reply is ahead, too: it would end questions too
 * early. */
START_TEST(one_reply_that_is_ahead_of_the_one_before_is_not_believed)
{
    int64_t ours = 5000 + DAY_MS;
    ck_assert(service_clock_observe(&clock, START, ours));
    ck_assert(
        !service_clock_observe(&clock, START + 5 * HOUR_MS, ours + MINUTE_MS));
    ck_assert(clock.doubted);
    ck_assert(service_clock_observe(&clock, START + 2 * MINUTE_MS,
                                    ours + 2 * MINUTE_MS));
    ck_assert_int_eq(service_clock_now(&clock, ours + 2 * MINUTE_MS),
                     START + 2 * MINUTE_MS);
}
END_TEST

/* Not even if it is as far ahead as ours. */
START_TEST(one_reply_after_one_that_was_behind_is_not_believed)
{
    int64_t ours = 5000 + DAY_MS;
    ck_assert(service_clock_observe(&clock, START, ours));
    ck_assert(!service_clock_observe(&clock, START + DAY_MS, ours));
    ck_assert(service_clock_observe(&clock, START, ours));
    ck_assert(!service_clock_observe(&clock, START + DAY_MS, ours));
    ck_assert(service_clock_observe(&clock, START + DAY_MS, ours));
    ck_assert_int_eq(service_clock_shown(&clock),
                     START + DAY_MS - 2 * MINUTE_MS);
}
END_TEST

/* It was the one before that was wrong. */
START_TEST(two_that_are_ahead_of_the_one_before_are_believed)
{
    int64_t ours = 5000 + DAY_MS;
    ck_assert(service_clock_observe(&clock, START, ours));
    ck_assert(
        !service_clock_observe(&clock, START + 5 * HOUR_MS, ours + MINUTE_MS));
    ck_assert(service_clock_observe(&clock, START + 5 * HOUR_MS + MINUTE_MS,
                                    ours + 2 * MINUTE_MS));
    ck_assert(!clock.doubted);
    ck_assert_int_eq(service_clock_now(&clock, ours + 2 * MINUTE_MS),
                     START + 5 * HOUR_MS + MINUTE_MS);
}
END_TEST

/* At a start the store tells what it showed before: or what our clock had it
 * show, if that was wrong then. */
START_TEST(one_that_has_told_nothing_since_the_start_shows_nothing)
{
    clock = (struct service_clock){.time = START, .at = 5000};
    ck_assert_int_eq(service_clock_now(&clock, 6000), START + 1000);
    ck_assert_int_eq(service_clock_shown(&clock), 0);
    ck_assert(service_clock_observe(&clock, START + 1000, 6000));
    ck_assert_int_eq(service_clock_shown(&clock), START + 1000 - 2 * MINUTE_MS);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/service_clock");
    TCase *tcase = tcase_create("clock");
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, one_that_agrees_to_two_minutes_is_believed);
    tcase_add_test(
        tcase,
        one_that_is_ahead_is_believed_after_three_replies_in_ten_minutes);
    tcase_add_test(tcase, two_replies_are_too_few);
    tcase_add_test(tcase,
                   what_is_asked_while_one_is_ahead_is_asked_by_what_it_shows);
    tcase_add_test(tcase, replies_that_contradict_each_other_count_anew);
    tcase_add_test(tcase, one_that_is_behind_does_no_harm);
    tcase_add_test(tcase,
                   one_reply_that_is_ahead_of_the_one_before_is_not_believed);
    tcase_add_test(tcase, one_reply_after_one_that_was_behind_is_not_believed);
    tcase_add_test(tcase, two_that_are_ahead_of_the_one_before_are_believed);
    tcase_add_test(tcase,
                   one_that_has_told_nothing_since_the_start_shows_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
