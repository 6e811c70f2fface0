/*
 * What a host saves once a minute for the commands beside it, and what it tells
 * of its disk.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/log.h"
#include "bot/loop/notes.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define MB INT64_C(1000000)

static struct room room;
static struct buf why;
static struct adapter failing;
static enum op_kind fails; /* OP_WHO: nothing does */

static enum advance
failing_advance(const struct service *service, const struct op *op,
                struct buf *work, const struct reply *reply,
                struct outcome *out, struct buf *trouble)
{
    return fails != OP_WHO && op->kind == fails
               ? outcome_fail(out, trouble, ERR_LATER, "it is down")
               : adapter_board.advance(service, op, work, reply, out, trouble);
}

static void
set_up(void)
{
    failing = adapter_board;
    failing.advance = failing_advance;
    fails = OP_WHO;
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    room.stage->tables.services.list[0].adapter = &failing;
    TEXT_COPY(room.stage->conf.alarm, "board Olga");
}

static void
tear_down(void)
{
    log_set_level(LOG_LEVEL_WARNING);
    room_release(&room);
    buf_release(&why);
}

/* The disk has so much left for the next two minutes. */
static void
leave(int64_t bytes)
{
    room.stage->loop.disk_left = bytes;
    room_waits(&room, MINUTE_MS);
    room_waits(&room, MINUTE_MS);
}

static unsigned
count_told(void)
{
    return room_count_told(&room, "Olga", "its disk has");
}

START_TEST(a_disk_that_is_nearly_full_is_told_once_and_when_it_is_over)
{
    leave(101 * MB);
    ck_assert_uint_eq(count_told(), 0);
    leave(99 * MB);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "has 99 MB left; make"),
                      1);
    leave(50 * MB);
    leave(150 * MB); /* not much more than what was too little */
    leave(90 * MB);
    ck_assert_uint_eq(count_told(), 1);
    leave(200 * MB);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "has 200 MB left again"),
                      1);
    ck_assert_uint_eq(count_told(), 2);
    leave(99 * MB);
    ck_assert_uint_eq(count_told(), 3);
    leave(-1); /* it is not known: nothing is told */
    ck_assert_uint_eq(count_told(), 3);
}
END_TEST

/* systemd starts a host every ten seconds whose disk is full. */
START_TEST(a_start_tells_nothing_of_it_again)
{
    leave(99 * MB);
    ck_assert_uint_eq(count_told(), 1);
    room_reopen(&room);
    TEXT_COPY(room.stage->conf.alarm, "board Olga");
    leave(98 * MB);
    ck_assert_uint_eq(count_told(), 1);
    leave(500 * MB);
    ck_assert_uint_eq(count_told(), 2);
}
END_TEST

static void
assert_noted(const char *expected)
{
    struct buf noted = BUF_INIT;
    store_noted(room.stage->tables.store, "operations", "board", &noted);
    ck_assert_str_eq(buf_text(&noted), expected);
    buf_release(&noted);
}

/* What is sent does not count: when that fails may be a secret. */
START_TEST(what_fails_is_counted_but_for_messages)
{
    char expected[32];
    fails = OP_SEND;
    room_says(&room, "Anna", "!status");
    room_waits(&room, MINUTE_MS);
    room_waits(&room, MINUTE_MS);
    assert_noted("");
    fails = OP_READ;
    room_waits(&room, MINUTE_MS);
    room_waits(&room, MINUTE_MS);
    unsigned failed = room.stage->loop.services[0].failed;
    ck_assert_uint_gt(failed, 0);
    (void)snprintf(expected, sizeof expected, "%u -1", failed);
    assert_noted(expected);
}
END_TEST

START_TEST(what_is_left_of_a_rate_is_noted)
{
    failing.capabilities.rate = 40;
    room_waits(&room, 2 * MINUTE_MS);
    assert_noted("0 40"); /* the board takes no requests of the network */
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/notes");
    TCase *tcase = tcase_create("notes");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase,
                   a_disk_that_is_nearly_full_is_told_once_and_when_it_is_over);
    tcase_add_test(tcase, a_start_tells_nothing_of_it_again);
    tcase_add_test(tcase, what_fails_is_counted_but_for_messages);
    tcase_add_test(tcase, what_is_left_of_a_rate_is_noted);
    suite_add_tcase(suite, tcase);
    return suite;
}
