/*
 * Posts that wait for a moderator's approval: the host sees them, the players
 * do not.
 */
#include <check.h>

#include "bot/tables/tables.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define WAITS "needs a moderator's approval"
#define LATE  "approved after its question was settled"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    room_waits(&room, SECOND_MS);
}

static void
tear_down(void)
{
    room_release(&room);
}

/* A post of Carl's, written at a time, as it is read now. */
static void
reads(const char *id, const char *text, int64_t stamp, bool pending)
{
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = "Carl",
                                            .text = text,
                                            .stamp = stamp,
                                            .pending = pending});
}

static bool
has_voted(void)
{
    return seat_in(table_seat(room_table(&room), "Carl"),
                   room_game(&room)->voted);
}

static bool
said_ja(void)
{
    return seat_in(table_seat(room_table(&room), "Carl"), room_game(&room)->ja);
}

START_TEST(a_post_that_waits_for_approval_counts_nothing)
{
    reads("one", "**Ja!**", room.stage->now, true);
    ck_assert(!has_voted());
    ck_assert_uint_eq(room_count_said(&room, WAITS), 1);
    assert_holds(room_said(&room), "Carl has posted");
}
END_TEST

START_TEST(the_moderators_hear_of_it_once)
{
    int64_t stamp = room.stage->now;

    for (int i = 0; i < 3; i++) {
        reads("one", "**Ja!**", stamp, true);
        room_waits(&room, SECOND_MS);
    }
    room_shut(&room);
    room_reopen(&room);
    reads("one", "**Ja!**", stamp, true);
    ck_assert_uint_eq(room_count_said(&room, WAITS), 1);
}
END_TEST

START_TEST(nobody_hears_of_one_that_is_not_waited_for)
{
    room_says(&room, "Carl", "**Nein!**");
    room_waits(&room, SECOND_MS);
    reads("one", "Well.", room.stage->now, true);
    ck_assert_uint_eq(room_count_said(&room, WAITS), 0);
}
END_TEST

START_TEST(one_that_is_approved_in_time_counts_as_it_was_written)
{
    int64_t stamp = room.stage->now;

    reads("one", "**Ja!**", stamp, true);
    room_waits(&room, MINUTE_MS);
    reads("one", "**Ja!**", stamp, false);
    ck_assert(has_voted());
    ck_assert(said_ja());
    ck_assert_uint_eq(room_count_said(&room, LATE), 0);
}
END_TEST

START_TEST(it_takes_the_place_of_no_vote_that_counted)
{
    int64_t stamp = room.stage->now;

    reads("one", "**Ja!**", stamp, true);
    room_waits(&room, MINUTE_MS);
    room_says(&room, "Carl", "**Nein!**");
    ck_assert(has_voted());
    reads("one", "**Ja!**", stamp, false);
    ck_assert(has_voted());
    ck_assert(!said_ja());
}
END_TEST

START_TEST(one_that_is_approved_later_changes_nothing_and_its_author_is_told)
{
    int64_t stamp = room.stage->now;

    reads("one", "**Ja!**", stamp, true);
    room_votes(&room, false);
    room_names(&room, 4);
    ck_assert(!has_voted());
    room_waits(&room, SECOND_MS);
    reads("one", "**Ja!**", stamp, false);
    reads("one", "**Ja!**", stamp, false);
    ck_assert(!has_voted());
    ck_assert_uint_eq(room_count_said(&room, LATE), 1);
}
END_TEST

START_TEST(a_vote_that_counted_stays_though_an_edit_of_it_waits)
{
    int64_t stamp = room.stage->now;

    reads("one", "**Ja!**", stamp, false);
    reads("one", "**Nein!**", stamp, true);
    ck_assert(said_ja());
    ck_assert_uint_eq(room_count_said(&room, WAITS), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/pending");
    TCase *tcase = tcase_create("pending");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_post_that_waits_for_approval_counts_nothing);
    tcase_add_test(tcase, the_moderators_hear_of_it_once);
    tcase_add_test(tcase, nobody_hears_of_one_that_is_not_waited_for);
    tcase_add_test(tcase,
                   one_that_is_approved_in_time_counts_as_it_was_written);
    tcase_add_test(tcase, it_takes_the_place_of_no_vote_that_counted);
    tcase_add_test(
        tcase,
        one_that_is_approved_later_changes_nothing_and_its_author_is_told);
    tcase_add_test(tcase, a_vote_that_counted_stays_though_an_edit_of_it_waits);
    suite_add_tcase(suite, tcase);
    return suite;
}
