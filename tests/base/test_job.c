/* Something that is tried again, by a clock that is never set back. */
#include "bot/base/civil.h"
#include "bot/base/job.h"
#include "tests/support/runner.h"

START_TEST(a_steady_clock_goes_on_as_the_other_but_is_never_set_back)
{
    struct steady steady = {.last = 0};
    ck_assert_int_eq(steady_follow(&steady, 5000), 5000);
    ck_assert_int_eq(steady_follow(&steady, 1000), 5000);
    ck_assert_int_eq(steady_follow(&steady, 1700), 5700);
    ck_assert_int_eq(steady_follow(&steady, 900), 5700);
    ck_assert_int_eq(steady_follow(&steady, 9000), 13800);
}
END_TEST

START_TEST(pauses_grow_with_the_failures_and_what_is_done_begins_anew)
{
    struct job job = {.next = 0};
    ck_assert(job_is_due(&job, 0));
    job_fail(&job, job_pause(1, SECOND_MS, MINUTE_MS), 0, 100);
    ck_assert_int_eq(job.next, 1100);
    job_fail(&job, job_pause(2, SECOND_MS, MINUTE_MS), 0, 1100);
    ck_assert_int_eq(job.next, 5100);
    ck_assert_uint_eq(job.failures, 2);
    ck_assert(!job_is_due(&job, 5099));
    ck_assert(job_is_due(&job, 5100));
    ck_assert_int_eq(job_wake(&job, 9000), 5100);
    ck_assert_int_eq(job_wake(&job, 5000), 5000);
    job_end(&job);
    ck_assert(job.done);
    ck_assert_uint_eq(job.failures, 0);
    ck_assert_int_eq(job_pause(100000, SECOND_MS, MINUTE_MS), MINUTE_MS);
}
END_TEST

START_TEST(what_is_under_way_is_not_due_until_it_failed)
{
    struct job job = {.busy = true};
    ck_assert(!job_is_due(&job, 10));
    ck_assert_int_eq(job_wake(&job, 10), 10);
    job_fail(&job, 5, 0, 10);
    ck_assert(job_is_due(&job, 15));
}
END_TEST

START_TEST(chance_takes_up_to_a_fifth_of_a_pause_but_never_of_a_limit)
{
    struct job job = {.next = 0};
    job_fail(&job, 1000, 1, 0);
    ck_assert_int_eq(job.next, 800);
    job_limit(&job, 1000, 1, 0);
    ck_assert_int_eq(job.next, 1200);
    job_limit(&job, DAY_MS, 0, 0);
    ck_assert_int_eq(job.next, 15 * MINUTE_MS);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/job");
    TCase *tcase = tcase_create("job");
    tcase_add_test(tcase,
                   a_steady_clock_goes_on_as_the_other_but_is_never_set_back);
    tcase_add_test(tcase,
                   pauses_grow_with_the_failures_and_what_is_done_begins_anew);
    tcase_add_test(tcase, what_is_under_way_is_not_due_until_it_failed);
    tcase_add_test(tcase,
                   chance_takes_up_to_a_fifth_of_a_pause_but_never_of_a_limit);
    suite_add_tcase(suite, tcase);
    return suite;
}
