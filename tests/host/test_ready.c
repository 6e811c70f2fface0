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

/* The word that somebody was sent last. */
static void
find_word(const char *who, char word[40])
{
    const char *told = room_told(&room, who);
    const char *blank = strrchr(told, ' ');
    ck_assert_ptr_nonnull(blank);
    assert_holds(told, "Please post this word in the thread, in bold");
    snprintf(word, 40, "%s", blank + 1);
}

/* Somebody posts the word that they were sent. */
static void
answers(const char *who)
{
    char word[40];
    char text[60];
    find_word(who, word);
    snprintf(text, sizeof text, "**%s**", word);
    room_says(&room, who, text);
}

/* The time of the check is up, after its reminders. */
static void
time_is_up(void)
{
    while (room_table(&room)->remind != 0) {
        room_expires(&room);
    }
    room_expires(&room);
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
    assert_holds(room_said(&room), "Frida, you have Emil's seat!");
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
        time_is_up(); /* Emil has never answered */
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
    time_is_up();
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(table_seat(room_table(&room), "Frida"), NO_SEAT);
}
END_TEST

START_TEST(who_never_answers_makes_room_for_the_reserve)
{
    check(5, "5");
    room_says(&room, "Frida", "!reserve");
    all_answer(0, 4);
    time_is_up();
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    ck_assert_uint_eq(table_seat(room_table(&room), "Emil"), NO_SEAT);
    assert_holds(room_said(&room), "No word from Emil, so Frida is in. Emil, "
                                   "no hard feelings");
    assert_holds(room_said(&room), "Frida, you have Emil's seat!");
    assert_lacks(room_said(&room), "Anna");
    ck_assert_uint_eq(room_count_said(&room, "Sign-up is closed"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "Please post this word"),
                      1);
    answers("Frida");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

/* Emil leaves when the check is nearly over. */
START_TEST(a_reserve_gets_time_of_their_own)
{
    check(5, "5");
    int64_t whole = room_table(&room)->check_ends - room.stage->now;
    room_says(&room, "Frida", "!reserve");
    all_answer(0, 4);
    while (room_table(&room)->remind != 0) {
        room_expires(&room);
    }
    room_says(&room, "Emil", "!leave");
    ck_assert_int_gt(room_table(&room)->check_ends,
                     room.stage->now + whole - MINUTE_MS);
    assert_holds(room_said(&room),
                 "Whoever has answered already needn't do so again");
}
END_TEST

START_TEST(two_who_move_up_are_told_whose_seats_they_have)
{
    check(6, "6");
    room_says(&room, "Gert", "!reserve");
    room_says(&room, "Hanna", "!reserve");
    all_answer(0, 4);
    time_is_up();
    assert_holds(room_said(&room),
                 "No word from Emil and Frida, so Gert and Hanna are in");
    assert_holds(room_said(&room),
                 "Gert, Hanna, you have Emil and Frida's seats!");
    answers("Gert");
    answers("Hanna");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

/* There are too few all the same: the reserve has nothing to answer yet. */
START_TEST(who_moves_up_into_an_open_sign_up_has_no_word_yet)
{
    check(5, "5");
    room_says(&room, "Frida", "!reserve");
    all_answer(0, 3);
    time_is_up();
    ck_assert_int_eq(room_table(&room)->state, TABLE_SIGNUP);
    assert_lacks(room_said(&room), "you have");
    ck_assert_uint_eq(room_count_told(&room, "Frida", "Please post this word"),
                      0);
}
END_TEST

/* ---- what is no answer, or half of one ----------------------------------- */

START_TEST(the_word_in_private_shows_that_messages_arrive)
{
    static const char *const forms[][2] = {
        {"", ""}, {"**", "**"}, {"My word is ", "!"}};
    char word[40];
    char text[80];
    check(6, "5-6");
    all_answer(0, 5);
    find_word("Frida", word);
    snprintf(text, sizeof text, "%s%s%s", forms[_i][0], word, forms[_i][1]);
    room_tells(&room, "Frida", text);
    assert_holds(room_told(&room, "Frida"), "so my messages reach you");
    assert_holds(room_told(&room, "Frida"),
                 "Now the same in the thread, please, in bold");
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    room_reopen(&room);
    if (_i == 0) {
        snprintf(text, sizeof text, "**%s**", word);
        room_says(&room, "Frida", text);
    } else {
        time_is_up();
        assert_lacks(room_said(&room), "No word from");
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_ne(table_seat(room_table(&room), "Frida"), NO_SEAT);
}
END_TEST

/* Who has answered in private stays so when another leaves; and a moderator may
 * begin with them. */
START_TEST(who_has_answered_in_private_can_play)
{
    char word[40];
    check(7, "5-7");
    all_answer(0, 4);
    find_word("Gert", word);
    room_tells(&room, "Gert", word);
    room_says(&room, "Emil", "!leave");
    room_says(&room, "Mo", "!start");
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_count_said(&room, "We begin without Frida"), 1);
    ck_assert_uint_eq(table_seat(room_table(&room), "Frida"), NO_SEAT);
    ck_assert_uint_ne(table_seat(room_table(&room), "Gert"), NO_SEAT);
}
END_TEST

START_TEST(another_word_in_private_is_answered_with_the_right_one)
{
    char word[40];
    check(5, "5");
    find_word("Anna", word);
    room_tells(&room, "Anna", "umbrella");
    assert_holds(room_told(&room, "Anna"), "that isn't the word I sent you");
    assert_holds(room_told(&room, "Anna"), word);
    room_tells(&room, "Anna", "!role");
    assert_lacks(room_told(&room, "Anna"), "that isn't the word");
}
END_TEST

START_TEST(a_word_that_is_not_bold_is_answered)
{
    static const char *const forms[][2] = {
        {"", ""},
        {"`**", "**`"},
        {"[code]", "[/code]"},
        {"**my word is ", "**"},
        {"it said ", ", I think"},
    };
    char word[40];
    char text[80];
    check(5, "5");
    find_word("Anna", word);
    snprintf(text, sizeof text, "%s%s%s", forms[_i][0], word, forms[_i][1]);
    room_says(&room, "Anna", text);
    assert_holds(room_said(&room),
                 "Anna, that's the word, but it only counts in bold");
    room_says(&room, "Anna", text);
    ck_assert_uint_eq(room_count_said(&room, "Anna, that's the word"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "Anna, that's the word"),
                      1);
    snprintf(text, sizeof text, "**%s**", word);
    room_says(&room, "Anna", text);
    ck_assert(seat_in(0, room_table(&room)->ready));
}
END_TEST

START_TEST(a_hint_is_dropped_when_its_check_is_over)
{
    char word[40];
    char text[80];
    check(5, "5");
    for (unsigned i = 1; i < 5; i++) {
        answers(room_player(i));
    }
    find_word("Anna", word);
    room_posts(&room, "Anna", word);
    snprintf(text, sizeof text, "**%s**", word);
    room_says(&room, "Anna", text);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_count_said(&room, "Anna, that's the word"), 0);
}
END_TEST

START_TEST(a_wrong_word_is_answered)
{
    static const char *const wrong[] = {"**umbrella**", "umbrella",
                                        "**I'm here!**"};
    static const char *const talk[] = {"Hello everybody", "!help",
                                       "> **umbrella**\nReally?"};
    check(5, "5");
    room_says(&room, "Anna", talk[_i]);
    assert_lacks(room_said(&room), "isn't the word");
    room_says(&room, "Anna", wrong[_i]);
    assert_holds(room_said(&room), "Anna, that isn't the word I sent you");
    room_says(&room, "Zed", wrong[_i]);
    ck_assert_uint_eq(room_count_said(&room, "isn't the word"), 1);
}
END_TEST

START_TEST(who_is_not_ready_is_reminded_twice)
{
    static const char reminder[] = "I'm still waiting for the word";
    check(6, "5-6");
    int64_t began = room.stage->now;
    int64_t half = (room_table(&room)->check_ends - began) / 2;
    all_answer(0, 5);
    room_expires(&room);
    ck_assert_int_ge(room.stage->now, began + half);
    ck_assert_int_lt(room.stage->now, began + half + MINUTE_MS);
    assert_holds(room_said(&room), "Frida, I'm still waiting for the word");
    ck_assert_uint_eq(room_count_said(&room, reminder), 1);
    room_reopen(&room);
    time_is_up();
    ck_assert_uint_eq(room_count_said(&room, reminder), 2);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

/* The host was away when they were due. */
START_TEST(nobody_is_reminded_of_a_check_that_is_over)
{
    check(6, "5-6");
    all_answer(0, 5);
    room_waits(&room,
               room_table(&room)->check_ends - room.stage->now + MINUTE_MS);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(room_count_said(&room, "I'm still waiting"), 0);
}
END_TEST

START_TEST(no_two_have_the_same_word)
{
    char words[10][40];
    check(10, "5-10");
    for (unsigned round = 0; round < 8; round++) {
        for (unsigned i = 0; i < 10; i++) {
            find_word(room_player(i), words[i]);
            for (unsigned j = 0; j < i; j++) {
                ck_assert_str_ne(words[i], words[j]);
            }
        }
        /* Whoever has another one now is told. */
        room_says(&room, room_player(round), "!leave");
        room_says(&room, room_player(round), "!join");
    }
    all_answer(0, 10);
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
    tcase_add_test(tcase, a_reserve_gets_time_of_their_own);
    tcase_add_test(tcase, two_who_move_up_are_told_whose_seats_they_have);
    tcase_add_test(tcase, who_moves_up_into_an_open_sign_up_has_no_word_yet);
    tcase_add_loop_test(tcase, the_word_in_private_shows_that_messages_arrive,
                        0, 3);
    tcase_add_test(tcase, who_has_answered_in_private_can_play);
    tcase_add_test(tcase,
                   another_word_in_private_is_answered_with_the_right_one);
    tcase_add_loop_test(tcase, a_word_that_is_not_bold_is_answered, 0, 5);
    tcase_add_test(tcase, a_hint_is_dropped_when_its_check_is_over);
    tcase_add_loop_test(tcase, a_wrong_word_is_answered, 0, 3);
    tcase_add_test(tcase, who_is_not_ready_is_reminded_twice);
    tcase_add_test(tcase, nobody_is_reminded_of_a_check_that_is_over);
    tcase_add_test(tcase, no_two_have_the_same_word);
    tcase_add_test(tcase, somebody_may_join_while_a_seat_is_free);
    tcase_add_test(
        tcase, start_begins_with_those_who_have_answered_if_they_are_enough);
    tcase_add_test(tcase, a_moderator_moves_the_end_of_the_check);
    tcase_add_test(tcase, help_tells_where_one_stands);
    suite_add_tcase(suite, tcase);
    return suite;
}
