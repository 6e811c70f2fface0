/* What is read first by a host that has started again, and what is looked up
 * with one request. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/loop/loop.h"
#include "bot/loop/pages.h"
#include "bot/loop/reader.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct adapter adapter; /* the board's, with an updates feed */
static struct loop reading;    /* a loop that only reads */
static bool rings[8];
static size_t looks[8];

/* The loop at that time. */
static struct loop *
loop_at(int64_t now)
{
    reading.now = reading.steady = now;
    return &reading;
}

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
    adapter = *room.stage->tables.services.list[0].adapter;
    adapter.updates_feed = updates_of_board;
    room.stage->tables.services.list[0].adapter = &adapter;
}

static void
set_up(void)
{
    memset(&reading, 0, sizeof reading);
    memset(looks, 0, sizeof looks);
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    room_waits(&room, HOUR_MS);
    room_reopen(&room);
    use_adapter();
    reading.tables = &room.stage->tables;
    reading.reader.rings = rings;
    reading.reader.looks = looks;
}

static void
tear_down(void)
{
    reading.reader.rings = NULL;
    reading.reader.looks = NULL;
    reader_release(&reading.reader);
    room_release(&room);
}

/* The board's feed waits for its updates feed. */
static struct updates *
wait_for_updates(void)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    feed->through = 0;
    reading.tables = tables;
    struct updates *updates = reader_updates(loop_at(room.stage->now), feed);
    ck_assert_ptr_nonnull(updates);
    reader_look_up(&reading, feed, updates);
    return updates;
}

/* The updates feed says when something was last posted in the board's feed. */
static struct feed *
look_up(int64_t last)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    struct outcome outcome = {.through = room.stage->now - SECOND_MS};
    struct updates *updates = wait_for_updates();
    ck_assert(outcome_add_update(&outcome, feed->name, last));
    updates->asked_at = room.stage->now;
    reader_take_updates(loop_at(room.stage->now), updates, &outcome);
    outcome_release(&outcome);
    return feed;
}

START_TEST(a_feed_in_which_nothing_was_posted_is_not_read)
{
    struct feed *feed = look_up(room.stage->now - HOUR_MS);
    ck_assert(!feed->hurried);
    ck_assert_int_eq(feed->through, room.stage->now - SECOND_MS);
}
END_TEST

START_TEST(a_feed_in_which_something_was_posted_is_read_at_once)
{
    struct feed *feed = look_up(room.stage->now + MINUTE_MS);
    ck_assert(feed->hurried);
    ck_assert_int_eq(feed->through, 0);
    ck_assert_int_le(feed->job.next, room.stage->now);
}
END_TEST

/* One look that is yet to come serves it, one that is under way does not. */
START_TEST(a_feed_that_waits_for_a_look_is_not_looked_up_twice)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    int64_t now = room.stage->now;
    struct updates *updates = wait_for_updates();
    ck_assert_int_gt(feed->job.next, now);
    reader_read_all(loop_at(now), feed->service);
    ck_assert_int_gt(feed->job.next, now);
    reader_begin_look(loop_at(now), updates);
    reader_read_all(loop_at(now), feed->service);
    ck_assert_int_eq(feed->job.next, now);
}
END_TEST

/* Nor does it have to wait if the updates feed can't be had. */
START_TEST(a_feed_that_rings_waits_for_no_updates_feed)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    const struct updates *updates = wait_for_updates();
    ck_assert_ptr_null(feeds_first(&tables->feeds, feed->service, QUEUE_RUNG));
    reader_ring(tables, feed->service, feed->name, "");
    ck_assert_ptr_null(updates->waiting);
    ck_assert_ptr_eq(feeds_first(&tables->feeds, feed->service, QUEUE_RUNG),
                     feed);
    ck_assert_ptr_null(reader_updates(loop_at(room.stage->now), feed));
}
END_TEST

/* One of them is read alone; when a second has news too, all are. */
START_TEST(two_dms_that_ring_are_both_looked_at)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    feed->shared = true;
    reader_ring(tables, feed->service, feed->name, "pm5");
    ck_assert_str_eq(feed->rung, "pm5");
    reader_ring(tables, feed->service, feed->name, "pm5");
    ck_assert_str_eq(feed->rung, "pm5");
    reader_ring(tables, feed->service, feed->name, "pm7");
    ck_assert_str_eq(feed->rung, "");
}
END_TEST

START_TEST(a_feed_that_was_never_read_is_read_itself)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    feed->through = 0;
    feed->saved = 0;
    ck_assert_ptr_null(reader_updates(loop_at(room.stage->now), feed));
}
END_TEST

/* ---- a host that dies before it has read what is new --------------------- */

/* What is posted can't be read; but the updates feed tells of it, or a first
 * page has come. */
static struct {
    int64_t last; /* the updates feed says */
    bool paged;   /* the next page comes, and says that there is more */
} half;

static enum advance
advance_by_half(const struct service *service, const struct op *op,
                struct buf *scratch, const struct reply *reply,
                struct outcome *out, struct buf *why)
{
    if (op->kind == OP_UPDATES) {
        out->through = op->now - SECOND_MS;
        ck_assert(outcome_add_update(
            out, room.stage->tables.feeds.list[0]->name, half.last));
        return ADVANCE_DONE;
    }
    if (op->kind != OP_READ) {
        return adapter_board.advance(service, op, scratch, reply, out, why);
    }
    if (!half.paged) {
        return outcome_fail(out, why, ERR_LATER, "nobody answers");
    }
    half.paged = false;
    buf_add_text(&out->cursor, op->cursor);
    out->through = half.last;
    out->more = true;
    return ADVANCE_DONE;
}

/* Something was posted.  Ten minutes later the host sees that, but dies before
 * it has read it. */
static struct feed *
see_half(bool paged)
{
    struct buf why = BUF_INIT;
    room_posts(&room, "Mo", "is anybody there?");
    half.last = room.stage->now;
    half.paged = paged;
    adapter.advance = advance_by_half;
    adapter.updates_feed = paged ? NULL : updates_of_board;
    room.stage->loop.leaps = false;
    room.no_leaps = true;
    room.stage->now += 10 * MINUTE_MS;
    for (unsigned i = 0; i < 6; i++) {
        enum err err = loop_turn(&room.stage->loop, room.stage->now, 0, &why);
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    }
    ck_assert_uint_eq(room.stage->tables.feeds.list[0]->job.failures, 1);
    room_reopen(&room);
    use_adapter();
    return room.stage->tables.feeds.list[0];
}

START_TEST(what_an_updates_feed_told_is_read_after_a_crash)
{
    ck_assert(!see_half(false)->hurried);
    ck_assert(look_up(half.last)->hurried);
}
END_TEST

START_TEST(what_more_there_was_is_read_after_a_crash)
{
    struct feed *feed = see_half(true);
    feed->through = 0;
    feed->hurried = false;
    ck_assert_ptr_null(reader_updates(loop_at(room.stage->now), feed));
}
END_TEST

/* When a feed that was read at a time is due again. */
static int64_t
due_after(struct feed *feed, int64_t time)
{
    return time + reader_pause(loop_at(time), feed);
}

static void
updates_of_each(const struct service *service, const char *feed,
                struct buf *name)
{
    (void)service;
    buf_addf(name, "updates of %s", feed);
}

START_TEST(feeds_of_one_updates_feed_are_due_at_the_same_time)
{
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    struct feed *other =
        feeds_add(&tables->feeds, &tables->services.list[0], "other");
    adapter.capabilities.pause = 10 * SECOND_MS;
    rings[0] = true;
    int64_t due = due_after(feed, room.stage->now);
    ck_assert_int_le(due, room.stage->now + MINUTE_MS);
    ck_assert_int_eq(due_after(feed, due), due + MINUTE_MS);
    ck_assert_int_eq(due_after(feed, due - 1), due);
    ck_assert_int_eq(due_after(other, due - 20 * SECOND_MS), due);
    /* Those of another one at another time, or all would be asked at once. */
    adapter.updates_feed = updates_of_each;
    ck_assert_int_ne(due_after(other, due - 1) % MINUTE_MS,
                     due_after(feed, due - 1) % MINUTE_MS);
    /* Where a look tells of all feeds, whatever their pauses are, or none does,
     * each has its own. */
    adapter.capabilities.anyway = HOUR_MS;
    ck_assert_int_eq(due_after(other, due - 20 * SECOND_MS),
                     due + 40 * SECOND_MS);
    adapter.capabilities.anyway = 0;
    adapter.updates_feed = NULL;
    ck_assert_int_eq(due_after(other, due - 20 * SECOND_MS),
                     due + 40 * SECOND_MS);
    rings[0] = false;
}
END_TEST

static size_t
count_waiting(void)
{
    const struct feeds *feeds = &room.stage->tables.feeds;
    size_t count = 0;
    for (size_t i = 0; i < feeds->count; i++) {
        count += feeds->list[i]->updates != NULL;
    }
    return count;
}

START_TEST(thousands_of_feeds_are_looked_up_in_several_turns)
{
    struct loop *loop = &room.stage->loop;
    struct tables *tables = &room.stage->tables;
    int64_t now = room.stage->now;
    char name[16];
    for (unsigned i = 0; i < 2500; i++) {
        (void)snprintf(name, sizeof name, "thread %u", i);
        feeds_add(&tables->feeds, &tables->services.list[0], name)->through =
            now;
    }
    pages_ask(loop);
    ck_assert_uint_eq(count_waiting(), 1000);
    ck_assert_int_eq(loop_wake(loop, now), now);
    pages_ask(loop);
    ck_assert_uint_eq(count_waiting(), 2000);
    pages_ask(loop);
    ck_assert_uint_ge(count_waiting(), 2500);
    ck_assert_int_gt(loop_wake(loop, now), now);
}
END_TEST

/* The kinds of the first operations of a start. */
static enum op_kind begun[8];
static size_t begun_count;

static enum advance
note_begun(const struct service *service, const struct op *op,
           struct buf *scratch, const struct reply *reply, struct outcome *out,
           struct buf *why)
{
    if (reply == NULL && begun_count < sizeof begun / sizeof begun[0]) {
        begun[begun_count++] = op->kind;
    }
    return adapter_board.advance(service, op, scratch, reply, out, why);
}

START_TEST(a_start_reads_before_it_asks_about_places)
{
    struct loop *loop = &room.stage->loop;
    struct tables *tables = &room.stage->tables;
    struct buf why = BUF_INIT;
    adapter.updates_feed = NULL;
    adapter.advance = note_begun;
    begun_count = 0;
    memset(&loop->services[0], 0, sizeof loop->services[0]);
    memset(&loop->places[0], 0, sizeof loop->places[0]);
    places_change(&tables->places);
    feeds_plan(&tables->feeds, tables->feeds.list[0], room.stage->now);
    for (unsigned i = 0; i < 3; i++) {
        enum err err = loop_turn(loop, room.stage->now, 0, &why);
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    }
    ck_assert_uint_ge(begun_count, 3);
    ck_assert_int_eq(begun[0], OP_WHO);
    ck_assert_int_eq(begun[1], OP_READ);
    ck_assert_int_eq(begun[2], OP_PROBE);
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
    tcase_add_test(tcase, a_feed_that_waits_for_a_look_is_not_looked_up_twice);
    tcase_add_test(tcase, a_feed_that_rings_waits_for_no_updates_feed);
    tcase_add_test(tcase, a_feed_that_was_never_read_is_read_itself);
    tcase_add_test(tcase, two_dms_that_ring_are_both_looked_at);
    tcase_add_test(tcase, thousands_of_feeds_are_looked_up_in_several_turns);
    tcase_add_test(tcase, what_an_updates_feed_told_is_read_after_a_crash);
    tcase_add_test(tcase, what_more_there_was_is_read_after_a_crash);
    tcase_add_test(tcase, feeds_of_one_updates_feed_are_due_at_the_same_time);
    tcase_add_test(tcase, a_start_reads_before_it_asks_about_places);
    suite_add_tcase(suite, tcase);
    return suite;
}
