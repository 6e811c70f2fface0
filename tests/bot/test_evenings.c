/*
 * Whole games at each service, of seven and of ten, smooth and with everything
 * that goes wrong.
 */
#include <check.h>

#include "tests/support/effort.h"
#include "tests/support/evening.h"
#include "tests/support/runner.h"

/* At each service two tables at once, with everything that goes wrong; and one
 * with nothing out of the ordinary. */
#define MISHAPS                                                                \
    .own = true, .tables = 2, .players = {10, 7}, .kills = 250, .losses = 25,  \
    .storms = 90
#define QUIET .tables = 1, .players = {7}
/* Servers of other makes. */
#define ELSEWHERE .tables = 1, .players = {7}, .kills = 250, .losses = 25

static const struct evening_plan evenings[] = {
    {.venue = &venue_discord, MISHAPS},
    {.venue = &venue_discourse, MISHAPS},
    {.venue = &venue_nodebb, MISHAPS},
    {.venue = &venue_phpbb, MISHAPS},
    {.venue = &venue_discord, QUIET},
    {.venue = &venue_discourse, QUIET},
    {.venue = &venue_nodebb, QUIET},
    {.venue = &venue_phpbb_slow, QUIET},
    {.venue = &venue_discord_alike, ELSEWHERE},
    {.venue = &venue_discord_other, ELSEWHERE, .own = true},
    {.venue = &venue_discord_bare, ELSEWHERE, .own = true, .denied = true},
};

enum {
    EVENINGS = sizeof evenings / sizeof evenings[0],
    LEAST = 4,          /* one at each service */
    USUAL_REFUSALS = 5, /* the others take minutes each */
};

START_TEST(a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret)
{
    evening_play(&evenings[_i % EVENINGS], 7919 * (uint64_t)(_i + 1));
}
END_TEST

/* The venue at which a kind of refusal is met. */
static const struct venue *
venue_of(const struct refused_request *refusal)
{
    static const struct venue *const venues[] = {
        &venue_discord, &venue_discourse, &venue_nodebb, &venue_phpbb_slow};
    for (size_t i = 0; i < sizeof venues / sizeof venues[0]; i++) {
        if (strcmp(venues[i]->adapter, refusal->adapter) == 0) {
            return venues[i];
        }
    }
    return NULL;
}

START_TEST(what_is_refused_at_every_message_in_turn_is_told_once_and_in_order)
{
    const struct refused_request *refusal =
        &refused_requests[(unsigned)_i % refused_request_count];
    struct evening_plan plan = {
        .venue = venue_of(refusal),
        .refusal = refusal,
        .tables = 1,
        .players = {7},
        .kills = (unsigned)_i < refused_request_count ? 0 : 400};
    ck_assert_ptr_nonnull(plan.venue);
    evening_play(&plan, 104729 * (uint64_t)(_i + 1));
}
END_TEST

Suite *
test_suite(void)
{
    int count = (int)effort_of(EVENINGS);
    Suite *suite = suite_create("bot/evenings");
    TCase *tests = tcase_create("evenings");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(
        tests, a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret,
        0, count > LEAST ? count : LEAST);
    suite_add_tcase(suite, tests);
    tests = tcase_create("refusals");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(
        tests,
        what_is_refused_at_every_message_in_turn_is_told_once_and_in_order, 0,
        (int)effort_of(USUAL_REFUSALS));
    suite_add_tcase(suite, tests);
    return suite;
}
