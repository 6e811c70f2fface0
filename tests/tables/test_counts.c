/*
 * `!stats`: the games that have ended at a place, and one's own.
 */
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "LFFLFFLFFLFFLFFLF";
}

static void
tear_down(void)
{
    room_release(&room);
}

START_TEST(games_and_ones_own_are_counted_once_they_are_over)
{
    room.publish = "names";
    room_open(&room);
    room_says(&room, "Anna", "!stats");
    assert_holds(room_said(&room), "no game has ended here yet");
    room_begin(&room, 5);
    while (room_game(&room)->liberal < 4) {
        room_governs(&room, room_choice(&room), true);
    }
    room_says(&room, "Anna", "!stats");
    ck_assert_uint_eq(room_count_said(&room, "no game has ended here yet"), 2);
    room_governs(&room, room_choice(&room), true);
    room_says(&room, "Anna", "!stats");
    assert_holds(room_said(&room),
                 "One game ended here: 1 won by the Liberals, 0 by the "
                 "Fascists.");
    assert_holds(room_said(&room),
                 "you won 1 of 1: as a Liberal 1 of 1, as a Fascist 0 of 0, "
                 "as Hitler 0 of 0");
    room_says(&room, "Emil", "!stats");
    assert_holds(room_said(&room),
                 "you won 0 of 1: as a Liberal 0 of 0, as a Fascist 0 of 0, "
                 "as Hitler 0 of 1");
    room_says(&room, "Stranger", "!stats");
    assert_holds(room_said(&room), "you were in none that one side won");
    /* What is asked in private is answered there. */
    room_begin(&room, 5);
    unsigned said = room_count_said(&room, "ended here");
    room_tells(&room, "Anna", "!stats");
    assert_holds(room_told(&room, "Anna"), "you won 1 of 1");
    ck_assert_uint_eq(room_count_said(&room, "ended here"), said);
}
END_TEST

/* By default nothing is published: the asker alone is told. */
START_TEST(what_is_not_published_is_told_to_the_asker_alone)
{
    static const char *const quiet[] = {"off", "seats"};
    room.publish = quiet[_i];
    room_open(&room);
    room_begin(&room, 5);
    while (room_game(&room)->liberal < 4) {
        room_governs(&room, room_choice(&room), true);
    }
    room_governs(&room, room_choice(&room), true);
    room_says(&room, "Emil", "!stats");
    ck_assert_uint_eq(room_count_said(&room, "game ended here"), 0);
    assert_holds(room_told(&room, "Emil"), "you won 0 of 1");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you won"), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/counts");
    TCase *tests = tcase_create("counts");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, games_and_ones_own_are_counted_once_they_are_over);
    tcase_add_loop_test(tests, what_is_not_published_is_told_to_the_asker_alone,
                        0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
