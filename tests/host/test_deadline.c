#include <check.h>

#include "bot/base/civil.h"
#include "bot/host/deadline.h"
#include "tests/support/runner.h"

/* Each question's length tells which setting it is. */
static const struct settings settings = {
    .election = 24 * HOUR_MS,
    .nomination = 12 * HOUR_MS,
    .president = 1 * HOUR_MS,
    .chancellor = 2 * HOUR_MS,
    .veto = 3 * HOUR_MS,
    .power = 4 * HOUR_MS,
    .grace = 5 * HOUR_MS, /* is no part of a deadline */
};

enum {
    ROUND = 100000000,
    OPENED = 200000000
};

static const struct {
    enum question question;
    int64_t length, deadline;
} cases[] = {
    {QUESTION_DEAL, 0, 0},
    {QUESTION_RESHUFFLE, 0, 0},
    /* Of an election both parts run from the round on: who names late does not
     * lengthen it. */
    {QUESTION_NOMINATE, 12 * HOUR_MS, ROUND + 12 * HOUR_MS},
    {QUESTION_VOTE, 24 * HOUR_MS, ROUND + 24 * HOUR_MS},
    {QUESTION_DISCARD, 1 * HOUR_MS, OPENED + 1 * HOUR_MS},
    {QUESTION_ENACT, 2 * HOUR_MS, OPENED + 2 * HOUR_MS},
    {QUESTION_VETO, 3 * HOUR_MS, OPENED + 3 * HOUR_MS},
    {QUESTION_INVESTIGATE, 4 * HOUR_MS, OPENED + 4 * HOUR_MS},
    {QUESTION_SPECIAL_ELECTION, 4 * HOUR_MS, OPENED + 4 * HOUR_MS},
    {QUESTION_EXECUTION, 4 * HOUR_MS, OPENED + 4 * HOUR_MS},
    {QUESTION_NONE, 0, 0},
};

START_TEST(each_question_has_its_own_time)
{
    ck_assert_int_eq(deadline_length(cases[_i].question, &settings),
                     cases[_i].length);
    ck_assert_int_eq(
        deadline_of(cases[_i].question, OPENED, ROUND, &settings, zone_utc()),
        cases[_i].deadline);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/deadline");
    TCase *tcase = tcase_create("deadline");
    tcase_add_loop_test(tcase, each_question_has_its_own_time, 0,
                        sizeof cases / sizeof cases[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
