/* Posts that a moderator moves into another thread. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct adapter moving; /* the board, where posts may be moved */

/* A game of five in a thread of its own, whose vote on Bob is open. */
static void
set_up(void)
{
    room_init(&room);
    room_set(&room, "thread", "new");
    room_open(&room);
    moving = adapter_board;
    moving.capabilities.merges = true;
    room.stage->tables.services.list[0].adapter = &moving;
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says_in(&room, "thread", room_player(i), "!join");
    }
    room.thread = "thread/1";
    room_names(&room, 1);
    room_waits(&room, MINUTE_MS);
}

static void
tear_down(void)
{
    room_release(&room);
}

/* A post, and the same where it was moved to. */
static void
deliver(const struct odd_post *post, const char *place)
{
    struct odd_post there = *post;
    there.place = place;
    room_delivers(&room, &there);
}

static void
deliver_both(const struct odd_post *post)
{
    deliver(post, "thread");
    room_waits(&room, MINUTE_MS);
    deliver(post, "thread/1");
}

static struct odd_post
by(const char *who, const char *id, const char *text)
{
    return (struct odd_post){
        .id = id, .who = who, .text = text, .stamp = room.stage->now};
}

/* What the host answers to `!why` of a post. */
static const char *
why(const char *id)
{
    char text[40];
    snprintf(text, sizeof text, "!why %s", id);
    room_says(&room, "Carl", text);
    return room_said(&room);
}

START_TEST(a_vote_counts_where_it_is_moved_to)
{
    struct odd_post vote = by("Carl", "m1", "**Ja!**");
    deliver(&vote, "thread");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    room_waits(&room, HOUR_MS);
    deliver(&vote, "thread/1");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
    ck_assert_int_eq(room_table(&room)->seats[2].acted, vote.stamp);
    assert_holds(why("m1"), "exactly one of the words that count");
    room_says(&room, "Mo", "!void m1");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    deliver(&vote, "thread/1");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

START_TEST(a_post_is_judged_anew_once_in_its_life)
{
    struct odd_post vote = by("Zoe", "m1", "**Ja!**");
    deliver_both(&vote);
    deliver(&vote, "thread/2");
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM " SQL_POSTS
                                " WHERE id = 'm1' AND " SQL_VERDICT
                                " = 'moved here'"),
                     1);
}
END_TEST

/* Whoever is executed may write with the sign-ups. */
START_TEST(nobody_is_warned_of_what_was_moved)
{
    room_votes(&room, true);
    room_waits(&room, HOUR_MS);
    unsigned said = room_count_said(&room, "");
    struct odd_post talk = by("Anna", "m1", "Who plays next?");
    deliver_both(&talk);
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    talk = by("Anna", "m2", "Who plays next?");
    deliver(&talk, "thread/1");
    ck_assert_uint_eq(room_count_said(&room, ""), said + 1);
}
END_TEST

START_TEST(a_command_is_not_given_again)
{
    struct odd_post command = by("Mo", "m1", "!extend 3h");
    deliver(&command, "thread/1");
    int64_t deadline = room_table(&room)->deadline;
    ck_assert_uint_eq(room_count_said(&room, "deadline was moved"), 1);
    deliver(&command, "thread/2");
    deliver(&command, "thread");
    command = by("Mo", "m2", "!extend 3h");
    deliver_both(&command);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    assert_holds(why("m2"), "moved here after I had read it elsewhere");
}
END_TEST

/* One that reads as a command only there: by its prefix, in its language. */
START_TEST(nor_is_what_was_no_command_where_it_stood)
{
    struct odd_post command = by("Mo", "m1", "!extend 3h");
    int64_t deadline = room_table(&room)->deadline;
    struct place *place = &room.stage->conf.places[0];
    place->settings.prefix[0] = '?';
    deliver(&command, "thread");
    place->settings.prefix[0] = '!';
    deliver(&command, "thread/1");
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
}
END_TEST

START_TEST(a_vote_that_is_moved_late_does_not_count)
{
    struct odd_post vote = by("Carl", "m1", "**Ja!**");
    deliver(&vote, "thread");
    room_says(&room, "Anna", "**Ja!**");
    room_says(&room, "Bob", "**Nein!**");
    room_says(&room, "Dora", "**Nein!**");
    room_says(&room, "Emil", "**Nein!**");
    ck_assert_uint_eq(room_count_said(&room, "Rejected"), 1);
    deliver(&vote, "thread/1");
    ck_assert_uint_eq(room_count_said(&room, "Carl, your vote was moved here"),
                      1);
    assert_holds(why("m1"), "a late answer never counts");
}
END_TEST

START_TEST(old_talk_that_is_moved_is_no_answer_to_what_is_asked_now)
{
    struct odd_post talk = by("Bob", "m1", "**Carl**");
    deliver(&talk, "thread");
    room_votes(&room, false);
    unsigned said = room_count_said(&room, "");
    deliver(&talk, "thread/1");
    ck_assert_uint_eq(room_game(&room)->question, QUESTION_NOMINATE);
    ck_assert_uint_eq(room_count_said(&room, ""), said);
}
END_TEST

START_TEST(what_had_an_effect_where_it_stood_has_none_elsewhere)
{
    struct odd_post vote = by("Carl", "m1", "**Ja!**");
    deliver(&vote, "thread/1");
    room_says(&room, "Mo", "!void m1");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    deliver(&vote, "thread/2");
    room_says(&room, "Mo", "!count m1 ja");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
}
END_TEST

/* ---- reasons ------------------------------------------------------------- */

START_TEST(no_reason_is_guessed)
{
    struct odd_post unread = by("Dora", "m1", "");
    unread.kind = POST_SEALED;
    deliver(&unread, "thread/1");
    assert_holds(why("m1"), "haven't judged it");
    struct odd_post talk = by("Carl", "m2", "**Nein!**");
    deliver(&talk, "thread");
    assert_holds(why("m2"), "where no game was being played");
    room_says(&room, "Mo", "!count m4 nein");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    assert_holds(room_said(&room), "Was it moved into the thread just now?");
    deliver(&talk, "thread/1");
    assert_holds(why("m2"), "exactly one of the words that count");
    talk = by("Zoe", "m3", "**Ja!**");
    deliver(&talk, "thread/1");
    assert_holds(why("m3"), "isn't playing in this game");
}
END_TEST

/* ---- the way to the table ------------------------------------------------ */

START_TEST(who_votes_with_the_sign_ups_is_shown_the_way_once)
{
    room_says_in(&room, "thread", "Carl", "**Ja!**");
    room_says_in(&room, "thread", "Carl", "**Ja!**");
    room_says_in(&room, "thread", "Dora", "I like Bob.");
    room_says_in(&room, "thread", "Zoe", "**Ja!**");
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "a thread of its own"), 1);
    assert_holds(room_said(&room), "Carl, what you posted with the sign-ups");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "with the sign-ups"), 1);
    room.thread = "thread/1";
    ck_assert_uint_eq(room_count_said(&room, "with the sign-ups"), 0);
    room_votes(&room, false);
    room_says_in(&room, "thread", "Carl", "**Ja!**");
    room_says_in(&room, "thread", "Bob", "**Carl**");
    room.thread = "thread";
    assert_holds(room_said(&room), "Bob, what you posted with the sign-ups");
    ck_assert_uint_eq(room_count_said(&room, "with the sign-ups"), 2);
}
END_TEST

START_TEST(nobody_is_shown_the_way_in_a_session)
{
    room_votes(&room, true);
    for (unsigned i = 0; i < 5; i++) {
        room_says_in(&room, "thread", room_player(i), "**discard 1**");
        room_says_in(&room, "thread", room_player(i), "**Ja!**");
    }
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "with the sign-ups"), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/moved");
    TCase *tests = tcase_create("moved");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_vote_counts_where_it_is_moved_to);
    tcase_add_test(tests, a_post_is_judged_anew_once_in_its_life);
    tcase_add_test(tests, nobody_is_warned_of_what_was_moved);
    tcase_add_test(tests, a_command_is_not_given_again);
    tcase_add_test(tests, nor_is_what_was_no_command_where_it_stood);
    tcase_add_test(tests, a_vote_that_is_moved_late_does_not_count);
    tcase_add_test(tests,
                   old_talk_that_is_moved_is_no_answer_to_what_is_asked_now);
    tcase_add_test(tests, what_had_an_effect_where_it_stood_has_none_elsewhere);
    tcase_add_test(tests, no_reason_is_guessed);
    tcase_add_test(tests, who_votes_with_the_sign_ups_is_shown_the_way_once);
    tcase_add_test(tests, nobody_is_shown_the_way_in_a_session);
    suite_add_tcase(suite, tests);
    return suite;
}
