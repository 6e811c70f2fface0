/* What is read first by a host that has started again. */
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/loop/reader.h"
#include "bot/tables/entry.h"
#include "bot/tables/feeds.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct adapter adapter; /* the board's, with an updates feed */
static struct reader reader;
static bool rings[8];

static void
updates_of_board(const struct service *service, const char *feed,
                 struct buf *name)
{
    (void)service;
    (void)feed;
    buf_add_text(name, "updates");
}

static void
use_adapter(void)
{
    adapter = *room.stage->tables.services[0].adapter;
    adapter.updates_feed = updates_of_board;
    room.stage->tables.services[0].adapter = &adapter;
}

static void
set_up(void)
{
    memset(&reader, 0, sizeof reader);
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    room_waits(&room, HOUR_MS);
    room_reopen(&room);
    use_adapter();
    reader.rings = rings;
}

static void
tear_down(void)
{
    reader.rings = NULL;
    reader_release(&reader);
    room_release(&room);
}

/* The updates feed says when something was last posted in the board's feed. */
static struct feed *
look_up(int64_t last)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    struct outcome outcome = {.through = room.stage->now - SECOND_MS};
    feed->through = 0;
    struct updates *updates =
        reader_updates(&reader, tables, feed, room.stage->now);
    ck_assert_ptr_nonnull(updates);
    reader_look_up(&reader, tables, feed, updates, room.stage->now);
    ck_assert(outcome_add_update(&outcome, feed->name, last));
    reader_take_updates(tables, updates, &outcome, room.stage->now);
    outcome_release(&outcome);
    return feed;
}

START_TEST(a_feed_in_which_nothing_was_posted_is_not_read)
{
    struct feed *feed = look_up(room.stage->now - HOUR_MS);
    ck_assert(!feed->changed);
    ck_assert_int_eq(feed->through, room.stage->now - SECOND_MS);
}
END_TEST

START_TEST(a_feed_in_which_something_was_posted_is_read_at_once)
{
    struct feed *feed = look_up(room.stage->now + MINUTE_MS);
    ck_assert(feed->changed);
    ck_assert_int_eq(feed->through, 0);
    ck_assert_int_le(feed->next_read, room.stage->now);
}
END_TEST

START_TEST(a_feed_that_was_never_read_is_read_itself)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    feed->through = 0;
    feed->saved = 0;
    ck_assert_ptr_null(reader_updates(&reader, tables, feed, room.stage->now));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/reader_start");
    TCase *tcase = tcase_create("start");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_feed_in_which_nothing_was_posted_is_not_read);
    tcase_add_test(tcase, a_feed_in_which_something_was_posted_is_read_at_once);
    tcase_add_test(tcase, a_feed_that_was_never_read_is_read_itself);
    suite_add_tcase(suite, tcase);
    return suite;
}
