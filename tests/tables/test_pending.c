/*
 * Posts that wait for a moderator's approval: the host sees them, the players
 * do not.
 */
#include <check.h>

#include "bot/tables/tables.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define WAITS "waits for a moderator's approval"
#define LATE  "approved after its question was over"

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall_names(&hall, 1);
    hall_waits(&hall, SECOND_MS);
}

static void
tear_down(void)
{
    hall_release(&hall);
}

/* A post of Carl's, written at a time, as it is read now. */
static void
reads(const char *id, const char *text, int64_t stamp, bool pending)
{
    hall_delivers(&hall, &(struct odd_post){.id = id,
                                            .who = "Carl",
                                            .text = text,
                                            .stamp = stamp,
                                            .pending = pending});
}

static bool
has_voted(void)
{
    return seat_in(table_seat(hall_table(&hall), "Carl"),
                   hall_game(&hall)->voted);
}

static bool
said_ja(void)
{
    return seat_in(table_seat(hall_table(&hall), "Carl"), hall_game(&hall)->ja);
}

START_TEST(a_post_that_waits_for_approval_counts_nothing)
{
    reads("one", "**Ja!**", hall.stage->now, true);
    ck_assert(!has_voted());
    ck_assert_uint_eq(hall_count_said(&hall, WAITS), 1);
    assert_holds(hall_said(&hall), "Carl has posted");
}
END_TEST

START_TEST(the_moderators_hear_of_it_once)
{
    int64_t stamp = hall.stage->now;

    for (int i = 0; i < 3; i++) {
        reads("one", "**Ja!**", stamp, true);
        hall_waits(&hall, SECOND_MS);
    }
    hall_shut(&hall);
    hall_reopen(&hall);
    reads("one", "**Ja!**", stamp, true);
    ck_assert_uint_eq(hall_count_said(&hall, WAITS), 1);
}
END_TEST

START_TEST(nobody_hears_of_one_that_is_not_waited_for)
{
    hall_says(&hall, "Carl", "**Nein!**");
    hall_waits(&hall, SECOND_MS);
    reads("one", "Well.", hall.stage->now, true);
    ck_assert_uint_eq(hall_count_said(&hall, WAITS), 0);
}
END_TEST

START_TEST(one_that_is_approved_in_time_counts_as_it_was_written)
{
    int64_t stamp = hall.stage->now;

    reads("one", "**Ja!**", stamp, true);
    hall_waits(&hall, MINUTE_MS);
    reads("one", "**Ja!**", stamp, false);
    ck_assert(has_voted());
    ck_assert(said_ja());
    ck_assert_uint_eq(hall_count_said(&hall, LATE), 0);
}
END_TEST

START_TEST(it_takes_the_place_of_no_vote_that_counted)
{
    int64_t stamp = hall.stage->now;

    reads("one", "**Ja!**", stamp, true);
    hall_waits(&hall, MINUTE_MS);
    hall_says(&hall, "Carl", "**Nein!**");
    ck_assert(has_voted());
    reads("one", "**Ja!**", stamp, false);
    ck_assert(has_voted());
    ck_assert(!said_ja());
}
END_TEST

START_TEST(one_that_is_approved_later_changes_nothing_and_its_author_is_told)
{
    int64_t stamp = hall.stage->now;

    reads("one", "**Ja!**", stamp, true);
    hall_votes(&hall, false);
    hall_names(&hall, 4);
    ck_assert(!has_voted());
    hall_waits(&hall, SECOND_MS);
    reads("one", "**Ja!**", stamp, false);
    reads("one", "**Ja!**", stamp, false);
    ck_assert(!has_voted());
    ck_assert_uint_eq(hall_count_said(&hall, LATE), 1);
}
END_TEST

START_TEST(a_vote_that_counted_stays_though_an_edit_of_it_waits)
{
    int64_t stamp = hall.stage->now;

    reads("one", "**Ja!**", stamp, false);
    reads("one", "**Nein!**", stamp, true);
    ck_assert(said_ja());
    ck_assert_uint_eq(hall_count_said(&hall, WAITS), 0);
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
