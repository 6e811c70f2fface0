/*
 * Whole games at each service, of seven and of ten, smooth and with everything
 * that goes wrong.
 */
#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/effort.h"
#include "tests/support/runner.h"
#include "tests/support/service_game.h"

/* At each service two tables at once, with everything that goes wrong; and one
 * with nothing out of the ordinary. */
#define MISHAPS                                                                \
    .own = true, .tables = 2, .players = {10, 7}, .kills = 250, .losses = 25,  \
    .storms = 90
/* Where a place has one table at a time; a game takes a thousand requests. */
#define ALONE                                                                  \
    .tables = 1, .players = {7}, .kills = 120, .losses = 25, .storms = 90
#define QUIET .tables = 1, .players = {7}
/* Servers of other makes. */
#define ELSEWHERE .tables = 1, .players = {7}, .kills = 250, .losses = 25

static const struct service_game games[] = {
    {.fake_service = &fake_service_discord, MISHAPS},
    {.fake_service = &fake_service_discourse, MISHAPS},
    {.fake_service = &fake_service_nodebb, MISHAPS},
    {.fake_service = &fake_service_phpbb, MISHAPS},
    {.fake_service = &fake_service_matrix, ALONE},
    {.fake_service = &fake_service_discord, QUIET},
    {.fake_service = &fake_service_discourse, QUIET},
    {.fake_service = &fake_service_nodebb, QUIET},
    {.fake_service = &fake_service_phpbb_slow, QUIET},
    {.fake_service = &fake_service_discord_alike, ELSEWHERE},
    {.fake_service = &fake_service_discord_other, ELSEWHERE, .own = true},
    {.fake_service = &fake_service_discord_bare,
     ELSEWHERE,
     .own = true,
     .denied = true},
};

enum {
    GAMES = sizeof games / sizeof games[0],
    USUAL_GAMES = 5, /* one at each service */
    ORDER_MAX = 512,
    USUAL_REFUSALS = 2, /* of all kinds; another seed plays others */
    KILLED = 1,         /* the game in which the host is killed, too */
    KILLS = 250,
};

START_TEST(a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret)
{
    struct service_game plan = games[_i % GAMES];
    if (effort_percent() <= EFFORT_USUAL) {
        plan.tables = 1; /* two take twice as long */
    }
    service_game_play(&plan, 7919 * (uint64_t)(_i + 1));
}
END_TEST

/* The kinds of refusals of which this run plays the first. */
static unsigned order[ORDER_MAX];
static unsigned chat_count;
static unsigned long order_seed;

/* Only those of one adapter, where PLACARD_SERVICE names it, or of one
 * recording, where PLACARD_REFUSAL does; as a rule, none that takes long. */
static bool
is_wanted(const struct refused_request *refusal)
{
    const char *fake_service = getenv("PLACARD_SERVICE");
    const char *recording = getenv("PLACARD_REFUSAL");
    if (recording != NULL) {
        return strcmp(recording, refusal->recording) == 0;
    }
    return (effort_percent() > EFFORT_LONG || !refusal->long_game) &&
           (fake_service == NULL ||
            strcmp(fake_service, refusal->fake_service->adapter) == 0);
}

/* Shuffle them by a seed. */
static void
shuffle_refusals(void)
{
    const char *said = getenv("PLACARD_SEED");
    order_seed = said == NULL ? 1 : strtoul(said, NULL, 10);
    uint64_t chance = order_seed;
    assert(refused_request_count <= ORDER_MAX);
    for (unsigned i = 0; i < refused_request_count; i++) {
        if (!is_wanted(&refused_requests[i])) {
            continue;
        }
        chance = chance * UINT64_C(6364136223846793005) +
                 UINT64_C(1442695040888963407);
        unsigned at = (unsigned)((chance >> 33) % (chat_count + 1));
        order[chat_count++] = order[at];
        order[at] = i;
    }
    printf("refusals in the order of PLACARD_SEED=%lu\n", order_seed);
}

START_TEST(what_is_refused_at_every_message_in_turn_is_told_once_and_in_order)
{
    const struct refused_request *refusal =
        &refused_requests[order[(unsigned)_i % chat_count]];
    bool killed = (unsigned)_i >= chat_count || _i == KILLED;
    struct service_game plan = {.fake_service = refusal->fake_service,
                                .refusal = refusal,
                                .own = refusal->own,
                                .tables = 1,
                                .players = {7},
                                .kills = killed ? KILLS : 0};
    printf("%d: %s%s\n", _i, refusal->recording, killed ? ", killed" : "");
    (void)fflush(stdout);
    service_game_play(&plan, order_seed + 104729 * (uint64_t)(_i + 1));
}
END_TEST

Suite *
test_suite(void)
{
    shuffle_refusals();
    Suite *suite = suite_create("loop/services");
    TCase *tests = tcase_create("games");
    tcase_add_loop_test(
        tests, a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret,
        0, (int)effort_of(USUAL_GAMES));
    suite_add_tcase(suite, tests);
    tests = tcase_create("refusals");
    tcase_add_loop_test(
        tests,
        what_is_refused_at_every_message_in_turn_is_told_once_and_in_order, 0,
        (int)effort_of(USUAL_REFUSALS));
    suite_add_tcase(suite, tests);
    return suite;
}
