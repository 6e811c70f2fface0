/*
 * How far feeds were read, as a host finds it that starts again: most feeds
 * share one row.
 */
#include <check.h>

#include "bot/tables/feeds/feeds.h"
#include "bot/tables/feeds/readings.h"
#include "bot/tables/turns/outages.h"
#include "bot/tables/turns/tables_open.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;
static struct feed *one, *other;
static int64_t now;

static void
must(enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

/* Each place has a feed of its own. */
static void
feed_of_place(const struct service *service, const char *place,
              struct buf *feed)
{
    (void)service;
    buf_add_text(feed, place);
}

/* The host reads that feed from now on. */
static struct feed *
take_up(const char *name)
{
    static struct adapter adapter;
    struct tables *tables = &room.stage->tables;
    struct service *service = &tables->services.list[0];
    adapter = adapter_board;
    adapter.feed = feed_of_place;
    service->adapter = &adapter;
    feeds_read(&tables->feeds, service, name, "");
    return feeds_find(&tables->feeds, service, name);
}

static void
set_up(void)
{
    room_init(&room);
    room_open(&room);
    now = room.stage->now + HOUR_MS;
    one = take_up("one");
    other = take_up("other");
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

/* A page of a feed comes. */
static void
reach(struct feed *feed, bool more)
{
    struct outcome outcome = {.through = now, .more = more};
    outages_reached(&room.stage->tables, feed, &outcome, now, now);
}

/* With a post on it. */
static void
reach_post(struct feed *feed)
{
    struct outcome outcome = {.through = now, .page.count = 1};
    outages_reached(&room.stage->tables, feed, &outcome, now, now);
}

static void
take_post(struct feed *feed)
{
    struct outcome outcome = {.through = now, .page.count = 1};
    readings_taken(&room.stage->tables.feeds, feed, &outcome, now);
}

/* Both are read every minute. */
static void
go_on(int64_t minutes)
{
    for (int64_t i = 0; i < minutes; i++) {
        now += MINUTE_MS;
        reach(one, false);
        reach(other, false);
    }
}

static int64_t
count(const char *sql)
{
    return room_query(&room, "store.db", sql);
}

/* What a host that starts knows of a feed. */
static struct feed_reading
after_a_start(const char *feed)
{
    struct buf cursor = BUF_INIT;
    struct feed_reading known;
    room_reopen(&room);
    const struct tables *tables = &room.stage->tables;
    store_feed(tables->store, tables->services.list[0].name, feed, &cursor,
               &known);
    buf_release(&cursor);
    return known;
}

START_TEST(feeds_that_are_read_are_saved_in_one_row)
{
    go_on(2);
    int64_t begun = count("SELECT max(through) FROM feed");
    go_on(60);
    ck_assert_int_eq(count("SELECT count(*) FROM feed WHERE read = -1"), 2);
    ck_assert_int_eq(count("SELECT max(through) FROM feed"), begun);
    ck_assert_int_ge(count("SELECT through FROM reading"),
                     one->heard - MINUTE_MS);
}
END_TEST

START_TEST(each_is_known_as_far_after_a_start)
{
    go_on(60);
    int64_t heard = one->heard;
    int64_t when = now;
    struct feed_reading known = after_a_start("one");
    ck_assert_int_le(known.through, heard);
    ck_assert_int_ge(known.through, heard - 5 * MINUTE_MS);
    ck_assert_int_eq(when - known.at, heard - known.through);
    ck_assert_int_eq(after_a_start("other").through, known.through);
}
END_TEST

START_TEST(posts_are_known_as_read_once_they_are_taken_in)
{
    go_on(10);
    for (unsigned i = 0; i < 10; i++) {
        now += MINUTE_MS;
        reach_post(one);
        take_post(one);
        reach_post(other);
        take_post(other);
    }
    int64_t heard = one->heard;
    ck_assert_int_ge(after_a_start("one").through, heard - 5 * MINUTE_MS);
}
END_TEST

START_TEST(posts_that_a_host_died_of_are_not_known_as_read)
{
    go_on(10);
    int64_t heard = one->heard;
    for (unsigned i = 0; i < 10; i++) {
        now += MINUTE_MS;
        reach_post(one);
    }
    ck_assert_int_gt(one->heard, heard);
    ck_assert_int_le(after_a_start("one").through, heard);
}
END_TEST

/* It has to be saved that they were told of the outage before those. */
START_TEST(posts_after_an_outage_are_not_known_as_read)
{
    go_on(10);
    int64_t heard = one->heard;
    now += HOUR_MS;
    reach_post(one);
    struct feed_reading known = after_a_start("one");
    ck_assert_int_gt(known.through, heard);
    ck_assert_int_eq(known.at, 0);
}
END_TEST

/* What is saved of both is that of the one which was read less far. */
START_TEST(nothing_is_known_as_read_that_was_not)
{
    go_on(10);
    int64_t heard = other->heard;
    for (unsigned i = 0; i < 4; i++) {
        now += MINUTE_MS;
        reach(one, false);
        ck_assert_int_le(count("SELECT through FROM reading"), heard);
    }
    ck_assert_int_eq(count("SELECT count(*) FROM feed WHERE read = -1"), 2);
}
END_TEST

START_TEST(one_that_is_read_no_more_keeps_its_time)
{
    go_on(10);
    int64_t heard = other->heard;
    for (unsigned i = 0; i < 60; i++) {
        now += MINUTE_MS;
        reach(one, false);
    }
    ck_assert_int_eq(after_a_start("other").through, heard);
    ck_assert_int_ge(after_a_start("one").through, now - 5 * MINUTE_MS);
}
END_TEST

START_TEST(one_that_is_read_every_seven_minutes_shares_the_row)
{
    go_on(10);
    int64_t saved = count("SELECT max(through) FROM feed");
    for (unsigned i = 0; i < 70; i++) {
        now += MINUTE_MS;
        reach(one, false);
        if (i % 7 == 6) {
            reach(other, false);
        }
    }
    ck_assert_int_eq(count("SELECT max(through) FROM feed"), saved);
    ck_assert_int_ge(after_a_start("one").through, now - 13 * MINUTE_MS);
}
END_TEST

START_TEST(one_that_is_read_again_shares_the_row_again)
{
    go_on(10);
    for (unsigned i = 0; i < 20; i++) {
        now += MINUTE_MS;
        reach(one, false);
    }
    ck_assert(!other->shares_reading);
    go_on(6);
    ck_assert(other->shares_reading);
    ck_assert_int_ge(after_a_start("other").through, now - 5 * MINUTE_MS);
}
END_TEST

START_TEST(one_of_which_more_is_to_be_read_has_no_time)
{
    go_on(10);
    now += MINUTE_MS;
    reach(one, true);
    ck_assert_int_eq(after_a_start("one").at, 0);
    ck_assert_int_ne(after_a_start("other").at, 0);
}
END_TEST

/* It does not find the outage anew. */
START_TEST(one_whose_outage_was_told_is_saved_at_once)
{
    go_on(10);
    now += HOUR_MS;
    reach(one, false);
    int64_t heard = one->heard;
    ck_assert_int_eq(after_a_start("one").through, heard);
    ck_assert_int_lt(after_a_start("other").through, heard - 50 * MINUTE_MS);
}
END_TEST

/* A host starts again, and has read nothing yet. */
static void
start_again(void)
{
    struct stage *stage = room.stage;
    tables_close(&stage->tables);
    must(tables_open(&stage->tables, &stage->conf, &stage->catalogues, NULL,
                     &stage->dealer, stage->opening, &why));
    one = take_up("one");
}

START_TEST(feeds_share_the_row_again_after_a_start)
{
    go_on(60);
    start_again();
    other = take_up("other");
    go_on(10);
    ck_assert_int_eq(count("SELECT count(*) FROM feed WHERE read = -1"), 2);
    ck_assert_int_ge(after_a_start("one").through, now - 5 * MINUTE_MS);
}
END_TEST

START_TEST(one_that_is_not_read_after_a_start_keeps_its_time)
{
    go_on(10);
    int64_t saved = count("SELECT through FROM reading");
    start_again();
    for (unsigned i = 0; i < 10; i++) {
        now += MINUTE_MS;
        reach(one, false);
    }
    struct feed_reading known = after_a_start("other");
    ck_assert_int_eq(known.through, saved);
    ck_assert_int_ne(known.at, 0);
    ck_assert_int_gt(after_a_start("one").through, saved);
}
END_TEST

START_TEST(a_dm_begins_where_it_was_opened)
{
    struct tables *tables = &room.stage->tables;
    struct service *service = &tables->services.list[0];
    struct buf cursor = BUF_INIT;
    struct feed_reading known;
    feeds_open_dm(&tables->feeds, service, "Anna", "dm", "17");
    feeds_open_dm(&tables->feeds, service, "Anna", "dm", "23");
    store_feed(tables->store, service->name, "dm", &cursor, &known);
    ck_assert_str_eq(feeds_find(&tables->feeds, service, "dm")->cursor, "17");
    ck_assert_str_eq(buf_text(&cursor), "17");
    buf_release(&cursor);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/readings");
    TCase *tcase = tcase_create("readings");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, feeds_that_are_read_are_saved_in_one_row);
    tcase_add_test(tcase, each_is_known_as_far_after_a_start);
    tcase_add_test(tcase, posts_are_known_as_read_once_they_are_taken_in);
    tcase_add_test(tcase, posts_that_a_host_died_of_are_not_known_as_read);
    tcase_add_test(tcase, posts_after_an_outage_are_not_known_as_read);
    tcase_add_test(tcase, nothing_is_known_as_read_that_was_not);
    tcase_add_test(tcase, one_that_is_read_no_more_keeps_its_time);
    tcase_add_test(tcase, one_that_is_read_every_seven_minutes_shares_the_row);
    tcase_add_test(tcase, one_that_is_read_again_shares_the_row_again);
    tcase_add_test(tcase, one_of_which_more_is_to_be_read_has_no_time);
    tcase_add_test(tcase, one_whose_outage_was_told_is_saved_at_once);
    tcase_add_test(tcase, feeds_share_the_row_again_after_a_start);
    tcase_add_test(tcase, one_that_is_not_read_after_a_start_keeps_its_time);
    tcase_add_test(tcase, a_dm_begins_where_it_was_opened);
    suite_add_tcase(suite, tcase);
    return suite;
}
