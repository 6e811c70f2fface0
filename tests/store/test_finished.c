/*
 * What the store keeps of a game that is over, and that nothing is missed.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/store/recover.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "LFFLFFLFFLFFLFFLF";
    room_open(&room);
    room_begin(&room, 5);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

static int64_t
count(const char *sql)
{
    return room_query(&room, "store.db", sql);
}

static void
govern(void)
{
    room_governs(&room, room_choice(&room), true);
}

/* Five liberal policies. */
static void
play_to_the_end(void)
{
    while (room_game(&room)->liberal < 4) {
        govern();
    }
    govern();
    ck_assert_uint_eq(room.stage->tables.table_count, 0);
}

/* ---- messages ------------------------------------------------------------ */

START_TEST(of_what_was_sent_the_status_post_stays)
{
    govern();
    ck_assert_int_gt(count("SELECT count(*) FROM message WHERE kind <> 2"), 20);
    play_to_the_end();
    assert_holds(room_said(&room), "Liberals win");
    ck_assert_int_eq(count("SELECT count(*) FROM message"), 1);
    ck_assert_int_eq(count("SELECT count(*) FROM message WHERE kind = 2"
                           " AND sent <> '' AND text IS NULL"),
                     1);
}
END_TEST

START_TEST(what_waits_at_the_end_is_sent_and_goes_then)
{
    room_says(&room, "Mo", "!end");
    char yes[32];
    const char *asked = strstr(room_said(&room), "!yes ");
    ck_assert_ptr_nonnull(asked);
    (void)snprintf(yes, sizeof yes, "%.7s", asked);
    unsigned before = room_count_said(&room, "");
    room_says(&room, "Mo", yes);
    ck_assert_uint_gt(room_count_said(&room, ""), before);
    ck_assert_int_eq(count("SELECT count(*) FROM message"), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

START_TEST(nothing_is_said_again)
{
    play_to_the_end();
    unsigned said = room_count_said(&room, "");
    room_reopen(&room);
    room_waits(&room, 3600 * 1000);
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    room_says(&room, "Mo", "!new players=5");
    ck_assert_int_gt(count("SELECT count(*) FROM message WHERE game = '2'"), 0);
    ck_assert_int_eq(count("SELECT count(*) FROM message WHERE game = '1'"), 1);
}
END_TEST

/* ---- posts --------------------------------------------------------------- */

#define PRIVATE_POSTS " FROM post WHERE place LIKE 'talk/%'"

START_TEST(how_private_posts_were_read_gets_its_own_length)
{
    govern();
    ck_assert_int_eq(
        count("SELECT count(DISTINCT length(verdict))" PRIVATE_POSTS), 1);
    ck_assert_int_ge(count("SELECT max(length(verdict))" PRIVATE_POSTS), 512);
    play_to_the_end();
    /* The last one comes with the end: its turn is at the next. */
    ck_assert_int_eq(
        count("SELECT count(*)" PRIVATE_POSTS " AND length(verdict) > 256"), 1);
    ck_assert_int_eq(count("SELECT count(*)" PRIVATE_POSTS), 10);
    ck_assert_int_eq(count("SELECT count(*)" PRIVATE_POSTS " AND " SQL_VERDICT
                           " LIKE 'D3:%'"),
                     10);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/finished");
    TCase *tcase = tcase_create("finished");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, of_what_was_sent_the_status_post_stays);
    tcase_add_test(tcase, what_waits_at_the_end_is_sent_and_goes_then);
    tcase_add_test(tcase, nothing_is_said_again);
    tcase_add_test(tcase, how_private_posts_were_read_gets_its_own_length);
    suite_add_tcase(suite, tcase);
    return suite;
}
