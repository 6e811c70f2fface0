/*
 * The host is stopped, for a minute to forty hours, at every point of a game,
 * while who is awaited acts: nothing of that is lost, and nobody has missed
 * anything.
 */
#include <stdio.h>

#include <check.h>

#include "tests/support/hosts.h"
#include "tests/support/runner.h"

static const int64_t times[] = {
    MINUTE_MS,    29 * MINUTE_MS, 3 * HOUR_MS,
    13 * HOUR_MS, 32 * HOUR_MS,   40 * HOUR_MS,
};

enum {
    TIMES = sizeof times / sizeof times[0],
    POINTS = 14 /* a round and a half */
};

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFFFFFFFFFF";
    hall.no_leaps = true;
    hall_open(&hall);
    hall_begin(&hall, 5);
}

static void
tear_down(void)
{
    hall_release(&hall);
}

/* Who is awaited does what is asked; the host does not settle. */
static void
act(void)
{
    char who[RECORD_NAME_MAX + 1];
    char text[RECORD_NAME_MAX + 32];
    snprintf(who, sizeof who, "%s", hall_awaited(&hall));
    switch (hall_game(&hall)->question) {
    case QUESTION_VOTE:
        hall_posts(&hall, who, "**Ja!**");
        break;
    case QUESTION_DISCARD:
        hall_writes(&hall, who, "discard 1");
        break;
    case QUESTION_ENACT:
        hall_writes(&hall, who, "enact 1");
        break;
    default:
        snprintf(text, sizeof text, "[b][color=red]%s[/color][/b]",
                 hall_name(&hall, hall_choice(&hall)));
        hall_posts(&hall, who, text);
        break;
    }
}

/* How far the game is: each act moves it. */
static unsigned
progress(void)
{
    const struct table *table = hall_table(&hall);
    unsigned votes = 0;
    for (seat_set rest = table->game.voted; rest != 0;
         rest &= (seat_set)(rest - 1)) {
        votes++;
    }
    return 100 * table->phase + votes;
}

START_TEST(who_acts_while_the_host_is_stopped_loses_nothing)
{
    int64_t time = times[_i % TIMES];
    for (int point = 0; point < _i / TIMES; point++) {
        act();
        hall_settle(&hall);
    }
    unsigned before = progress();
    hall.stage->now += time / 3;
    act();
    hall.stage->now += time - time / 3;
    hall_reopen(&hall);
    hall_settle(&hall);
    const struct table *table = hall_table(&hall);
    ck_assert_uint_gt(progress(), before);
    ck_assert_int_gt(table->deadline, hall.stage->now);
    ck_assert_uint_eq(hall_count_said(&hall, "Time is up"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "lots were drawn"), 0);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        ck_assert_uint_eq(table_misses(table, seat), 0);
    }
}
END_TEST

START_TEST(who_does_not_act_meanwhile_still_has_time)
{
    int64_t time = times[_i % TIMES];
    for (int point = 0; point < _i / TIMES; point++) {
        act();
        hall_settle(&hall);
    }
    unsigned before = progress();
    int64_t left = hall_table(&hall)->deadline - hall.stage->now;
    hall.stage->now += time;
    hall_reopen(&hall);
    hall_settle(&hall);
    const struct table *table = hall_table(&hall);
    ck_assert_uint_eq(progress(), before);
    ck_assert_int_gt(table->deadline, hall.stage->now);
    /* A quarter of it, where as much was left. */
    ck_assert_int_ge(table->deadline - hall.stage->now,
                     (left < table->length ? left : table->length) / 4 -
                         30 * MINUTE_MS);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("sim/absence");
    TCase *tcase = tcase_create("absence");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, who_acts_while_the_host_is_stopped_loses_nothing,
                        0, TIMES * POINTS);
    tcase_add_loop_test(tcase, who_does_not_act_meanwhile_still_has_time, 0,
                        TIMES * POINTS);
    suite_add_tcase(suite, tcase);
    return suite;
}
