/*
 * Feeds: which of those that are due is read first.
 */
#include <check.h>

#include "bot/tables/feeds/feeds.h"
#include "tests/support/runner.h"

static struct service service = {.name = "board"};
static const struct services services = {
    .list = &service, .count = 1, .room = 1};
static struct feeds feeds;

static void
set_up(void)
{
    feeds_init(&feeds, &services, NULL, NULL);
}

static void
tear_down(void)
{
    feeds_release(&feeds);
}

static struct feed *
add(const char *name, const char *user)
{
    struct feed *feed = feeds_add(&feeds, &service, name);
    feeds_set_user(&feeds, feed, user);
    return feed;
}

/* It is the only one of its queue. */
static void
assert_alone_in(enum feed_queue queue, const struct feed *feed)
{
    for (unsigned i = 0; i < FEED_QUEUES; i++) {
        ck_assert_ptr_eq(feeds_first(&feeds, &service, (enum feed_queue)i),
                         i == (unsigned)queue ? feed : NULL);
    }
}

START_TEST(threads_and_dms_have_queues_of_their_own)
{
    struct feed *dm = add("dm", "Anna");
    assert_alone_in(QUEUE_CALM, dm);
    feeds_set_turns(&feeds, dm, TURNS_AWAITED);
    assert_alone_in(QUEUE_AWAITED, dm);
    feeds_share(&feeds, dm, false);
    assert_alone_in(QUEUE_THREADS, dm);
}
END_TEST

START_TEST(what_is_hurried_has_a_queue_of_its_own_until_it_is_planned)
{
    struct feed *dm = add("dm", "Anna");
    feeds_hurry(&feeds, dm, 5);
    assert_alone_in(QUEUE_NEWS, dm);
    ck_assert_int_eq(dm->job.next, 5);
    feeds_plan(&feeds, dm, 9);
    assert_alone_in(QUEUE_CALM, dm);
}
END_TEST

START_TEST(what_rings_goes_before_all_that_is_new)
{
    struct feed *thread = add("thread", "");
    feed_set_rung(thread, "7");
    feeds_hurry(&feeds, thread, 5);
    assert_alone_in(QUEUE_RUNG, thread);
    feed_set_rung(thread, NULL);
    feeds_hurry(&feeds, thread, 6);
    assert_alone_in(QUEUE_NEWS, thread);
}
END_TEST

START_TEST(what_is_being_read_is_in_no_queue)
{
    struct feed *thread = add("thread", "");
    feeds_set_busy(&feeds, thread, true);
    feeds_hurry(&feeds, thread, 5);
    assert_alone_in(FEED_QUEUES, NULL);
    feeds_set_busy(&feeds, thread, false);
    assert_alone_in(QUEUE_NEWS, thread);
}
END_TEST

START_TEST(in_a_queue_the_earlier_is_first)
{
    struct feed *one = add("one", "");
    struct feed *other = add("other", "");
    feeds_plan(&feeds, one, 2);
    feeds_plan(&feeds, other, 1);
    assert_alone_in(QUEUE_THREADS, other);
    feeds_plan(&feeds, other, 3);
    assert_alone_in(QUEUE_THREADS, one);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/feeds");
    TCase *tcase = tcase_create("queues");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, threads_and_dms_have_queues_of_their_own);
    tcase_add_test(tcase,
                   what_is_hurried_has_a_queue_of_its_own_until_it_is_planned);
    tcase_add_test(tcase, what_rings_goes_before_all_that_is_new);
    tcase_add_test(tcase, what_is_being_read_is_in_no_queue);
    tcase_add_test(tcase, in_a_queue_the_earlier_is_first);
    suite_add_tcase(suite, tcase);
    return suite;
}
