/*
 * Whole games at each service, of seven and of ten, smooth and with everything
 * that goes wrong.
 */
#include <check.h>

#include "tests/support/effort.h"
#include "tests/support/evening.h"
#include "tests/support/runner.h"

static const struct evening_plan evenings[] = {
    /* Seven, and nothing out of the ordinary. */
    {.venue = &venue_discord, .tables = 1, .players = {7}},
    /* Two tables at once, with everything that goes wrong. */
    {.venue = &venue_discord,
     .own = true,
     .tables = 2,
     .players = {10, 7},
     .kills = 250,
     .losses = 25,
     .storms = 90},
    {.venue = &venue_discord_alike,
     .tables = 1,
     .players = {7},
     .kills = 250,
     .losses = 25},
    {.venue = &venue_discourse, .tables = 1, .players = {7}},
    {.venue = &venue_discourse,
     .own = true,
     .tables = 2,
     .players = {10, 7},
     .kills = 250,
     .losses = 25,
     .storms = 90},
    {.venue = &venue_nodebb, .tables = 1, .players = {7}},
    {.venue = &venue_nodebb,
     .own = true,
     .tables = 2,
     .players = {10, 7},
     .kills = 250,
     .losses = 25,
     .storms = 90},
    {.venue = &venue_phpbb_slow, .tables = 1, .players = {7}},
    {.venue = &venue_phpbb,
     .own = true,
     .tables = 2,
     .players = {10, 7},
     .kills = 250,
     .losses = 25,
     .storms = 90},
};

enum {
    EVENINGS = sizeof evenings / sizeof evenings[0]
};

START_TEST(a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret)
{
    evening_play(&evenings[_i % EVENINGS], 7919 * (uint64_t)(_i + 1));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("bot/evenings");
    TCase *tests = tcase_create("evenings");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(
        tests, a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret,
        0, (int)effort_of(EVENINGS));
    suite_add_tcase(suite, tests);
    return suite;
}
