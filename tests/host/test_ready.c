/*
 * The ready check: it ends whoever leaves, stays away or comes, and what is
 * said while it is on is true.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_set(&room, "ready_check", "on");
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

/* So many have joined, of whom the table needs `least`; the check is on. */
static void
check(unsigned players, const char *range)
{
    char text[40];
    snprintf(text, sizeof text, "!new players=%s", range);
    room_says(&room, "Mo", text);
    for (unsigned i = 0; i < players; i++) {
        room_says(&room, room_player(i), "!join");
    }
    if (room_table(&room)->state == TABLE_SIGNUP) {
        room_says(&room, "Mo", "!start");
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
}

/* Somebody posts the word that they were sent. */
static void
answers(const char *who)
{
    const char *told = room_told(&room, who);
    const char *word = strrchr(told, ' ');
    char text[60];
    ck_assert_ptr_nonnull(word);
    assert_holds(told, "Please post this word in the thread, in bold");
    snprintf(text, sizeof text, "**%s**", word + 1);
    room_says(&room, who, text);
}

static void
all_answer(unsigned from, unsigned past)
{
    for (unsigned i = from; i < past; i++) {
        answers(room_player(i));
    }
}

START_TEST(the_game_begins_when_all_have_answered)
{
    check(5, "5");
    all_answer(0, 5);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

/* Their chat may be lost to them. */
START_TEST(who_asks_in_private_is_told_their_word_again)
{
    static const char first[] = "Please post this word";
    char word[200];
    check(5, "5");
    snprintf(word, sizeof word, "%s", strstr(room_told(&room, "Anna"), first));
    room.now += HOUR_MS;
    room_tells(&room, "Anna", "!role");
    ck_assert_uint_eq(room_count_told(&room, "Anna", first), 2);
    ck_assert_str_eq(strstr(room_told(&room, "Anna"), first), word);
    answers("Anna");
    room_tells(&room, "Anna", "!role");
    ck_assert_uint_eq(room_count_told(&room, "Anna", first), 2);
    assert_holds(room_told(&room, "Anna"), "the game hasn't begun");
}
END_TEST

START_TEST(who_leaves_makes_room_for_the_reserve)
{
    check(5, "5");
    room_says(&room, "Frida", "!reserve");
    all_answer(0, 4);
    room_says(&room, "Emil", "!leave");
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    assert_holds(room_said(&room), "Frida takes a free seat");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "Please post this word"),
                      1);
    answers("Frida");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(table_seat(room_table(&room), "Emil"), NO_SEAT);
}
END_TEST

START_TEST(when_all_who_remain_are_ready_and_enough_the_game_begins)
{
    check(6, "5-6");
    all_answer(0, 5);
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    room_says(&room, "Frida", "!leave");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
}
END_TEST

START_TEST(with_too_few_left_sign_up_is_open_again_for_a_day)
{
    check(5, "5-7");
    all_answer(0, 4);
    if (_i == 0) {
        room_says(&room, "Emil", "!leave");
    } else {
        room_expires(&room); /* Emil has never answered */
    }
    const struct table *table = room_table(&room);
    ck_assert_int_eq(table->state, TABLE_SIGNUP);
    ck_assert_int_le(table->starts - room.stage->now, DAY_MS);
    ck_assert_int_gt(table->starts - room.stage->now, DAY_MS - HOUR_MS);
    assert_holds(room_said(&room), "We need one more player");
    room_reopen(&room);
    room_says(&room, "Frida", "!join");
    room_says(&room, "Mo", "!start");
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "Please post this word"),
                      1);
    answers("Frida");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

START_TEST(a_reopened_sign_up_that_stays_small_closes)
{
    check(5, "5-7");
    room_says(&room, "Emil", "!leave");
    room_expires(&room);
    assert_holds(room_said(&room), "Sign-up is closed: we were one player");
}
END_TEST

START_TEST(who_has_not_answered_makes_room)
{
    check(6, "5-6");
    all_answer(0, 5);
    room_expires(&room);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(table_seat(room_table(&room), "Frida"), NO_SEAT);
}
END_TEST

START_TEST(who_never_answers_makes_room_for_the_reserve)
{
    check(5, "5");
    room_says(&room, "Frida", "!reserve");
    all_answer(0, 4);
    room_expires(&room);
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    ck_assert_uint_eq(table_seat(room_table(&room), "Emil"), NO_SEAT);
    answers("Frida");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

START_TEST(somebody_may_join_while_a_seat_is_free)
{
    check(5, "5-6");
    room_says(&room, "Frida", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 6);
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    room_says(&room, "Gert", "!join");
    assert_holds(room_said(&room), "every seat is taken just now");
    assert_lacks(room_said(&room), "has begun");
    all_answer(0, 6);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

START_TEST(start_begins_with_those_who_have_answered_if_they_are_enough)
{
    check(6, "5-6");
    all_answer(0, 4);
    room_says(&room, "Mo", "!start");
    assert_holds(
        room_said(&room),
        "Only 4 have answered the ready check, and we need at least 5");
    assert_holds(room_said(&room), "I'm still waiting for Emil, Frida");
    answers("Emil");
    room_says(&room, "Carl", "!start");
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    room_says(&room, "Mo", "!start");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_count_said(&room, "begin without Frida"), 1);
}
END_TEST

START_TEST(a_moderator_moves_the_end_of_the_check)
{
    check(5, "5");
    int64_t before = room_table(&room)->check_ends;
    room_says(&room, "Mo", "!deadline 2026-11-29 20:00");
    ck_assert_int_gt(room_table(&room)->check_ends, before);
    assert_holds(room_said(&room), "The ready check now ends on Sun 29 Nov");
    room_says(&room, "Mo", "!deadline soon");
    assert_lacks(room_said(&room), "no deadline is running");
}
END_TEST

START_TEST(help_tells_where_one_stands)
{
    check(5, "5-6");
    room_says(&room, "Anna", "!help");
    assert_holds(room_said(&room), "Please post the word from my private "
                                   "message");
    answers("Anna");
    room_says(&room, "Anna", "!help");
    assert_holds(room_said(&room), "You've answered the ready check");
    room_says(&room, "Gert", "!help");
    assert_holds(room_said(&room), "!join");
    room_says(&room, "Frida", "!join");
    room_says(&room, "Gert", "!help");
    assert_lacks(room_said(&room), "No table is open");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/ready");
    TCase *tcase = tcase_create("ready");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_game_begins_when_all_have_answered);
    tcase_add_test(tcase, who_asks_in_private_is_told_their_word_again);
    tcase_add_test(tcase, who_leaves_makes_room_for_the_reserve);
    tcase_add_test(tcase,
                   when_all_who_remain_are_ready_and_enough_the_game_begins);
    tcase_add_loop_test(
        tcase, with_too_few_left_sign_up_is_open_again_for_a_day, 0, 2);
    tcase_add_test(tcase, a_reopened_sign_up_that_stays_small_closes);
    tcase_add_test(tcase, who_has_not_answered_makes_room);
    tcase_add_test(tcase, who_never_answers_makes_room_for_the_reserve);
    tcase_add_test(tcase, somebody_may_join_while_a_seat_is_free);
    tcase_add_test(
        tcase, start_begins_with_those_who_have_answered_if_they_are_enough);
    tcase_add_test(tcase, a_moderator_moves_the_end_of_the_check);
    tcase_add_test(tcase, help_tells_where_one_stands);
    suite_add_tcase(suite, tcase);
    return suite;
}
