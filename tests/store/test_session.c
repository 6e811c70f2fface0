/*
 * What the store's file tells in a session to somebody who has not got its key:
 * not that the president has chosen.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

static void
set_up(void)
{
    room_init(&room);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

/* ---- reading as a stranger ----------------------------------------------- */

/* Append a column as it shows: of a sealed value its length, of a number made
 * with the key that it is one. */
static void
list_column(sqlite3_stmt *rows, int column, struct buf *out)
{
    const char *name = sqlite3_column_name(rows, column);
    if (sqlite3_column_type(rows, column) == SQLITE_BLOB) {
        buf_addf(out, " %s=%d bytes", name, sqlite3_column_bytes(rows, column));
        return;
    }
    const char *text = (const char *)sqlite3_column_text(rows, column);
    buf_addf(out, " %s=%s", name,
             text == NULL     ? "null"
             : text[0] == '~' ? "a number"
                              : text);
}

/* Append the rows of private messages that a session shows.  What differs from
 * row to row and from start to start is left out: the row's and its journal's
 * number, the key made of them, and the checksum. */
static unsigned
list_hidden(const char *where, struct buf *out)
{
    char sql[160];
    unsigned count = 0;
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    ck_assert_int_eq(sqlite3_open(room_path(&room, "store.db"), &db),
                     SQLITE_OK);
    snprintf(
        sql, sizeof sql,
        "SELECT * FROM message WHERE delivery IS NOT NULL AND %s ORDER BY id",
        where);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *name = sqlite3_column_name(rows, i);
            if (strcmp(name, "id") != 0 && strcmp(name, "batch") != 0 &&
                strcmp(name, "key") != 0 && strcmp(name, "sum") != 0) {
                list_column(rows, i, out);
            }
        }
        buf_add_char(out, '\n');
        count++;
    }
    sqlite3_finalize(rows);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    return count;
}

/* Fold what was written, and send nothing. */
static void
intake_only(void)
{
    for (size_t i = 0; i < room.stage->tables.feeds.count; i++) {
        feeds_plan(&room.stage->tables.feeds, room.stage->tables.feeds.list[i],
                   0);
    }
    ck_assert_int_eq(loop_turn(&room.stage->loop, room.stage->now, 0, &why),
                     ERR_NONE);
}

static void
begin_session(void)
{
    room.deck = "FFLFFLFFL";
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
}

/* ---- what it shows ------------------------------------------------------- */

START_TEST(a_message_that_was_delivered_shows_as_one_that_waits)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    begin_session();
    room_writes(&room, "Anna", "discard 1");
    intake_only();
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    ck_assert_uint_gt(room.stage->tables.outbox.count, 0);
    ck_assert_uint_ge(list_hidden("1", &before), 3);
    room_settle(&room);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    (void)list_hidden("1", &after);
    ck_assert(strcmp(buf_text(&after), buf_text(&before)) == 0);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

/* The president's cards, the chancellor's, and an answer to whoever asks for
 * help: a row of each says the same. */
START_TEST(the_chancellors_cards_show_as_any_private_message)
{
    struct buf rows = BUF_INIT;
    struct buf first = BUF_INIT;
    begin_session();
    room_tells(&room, "Emil", "!help");
    room_tells(&room, "Anna", "discard 1");
    (void)list_hidden(
        "id = (SELECT min(id) FROM message WHERE delivery NOT NULL)", &first);
    unsigned count = list_hidden("1", &rows);
    ck_assert_uint_ge(count, 4);
    ck_assert_uint_eq(rows.len, count * first.len);
    for (unsigned i = 0; i < count; i++) {
        ck_assert_int_eq(
            memcmp(rows.data + i * first.len, first.data, first.len), 0);
    }
    assert_holds(buf_text(&first), " user=null post=null");
    assert_holds(buf_text(&first), " written=0 ");
    assert_holds(buf_text(&first), " in_flight=0 refused_at=0 ");
    assert_holds(buf_text(&first), " delivered=0 ");
    buf_release(&rows);
    buf_release(&first);
}
END_TEST

/* Nor is it told afterwards when that was, nor who was written to. */
START_TEST(after_the_session_no_row_tells_when_it_was)
{
    struct buf rows = BUF_INIT;
    begin_session();
    room_discards(&room, false);
    room_enacts(&room, false);
    ck_assert_uint_eq(list_hidden("state <> 2", &rows), 0);
    ck_assert_uint_ge(list_hidden("text IS NULL AND written = 0"
                                  " AND user IS NULL AND in_flight = 0"
                                  " AND delivered = 0",
                                  &rows),
                      3);
    ck_assert_uint_eq(list_hidden("text IS NOT NULL", &rows), 0);
    buf_release(&rows);
}
END_TEST

/* ---- what the host knows all the same ------------------------------------ */

/* However many there are. */
START_TEST(after_a_long_session_none_is_left)
{
    struct buf rows = BUF_INIT;
    begin_session();
    for (unsigned i = 0; i < 70; i++) {
        room_tells(&room, room_player(i % 5), "!role");
        room_waits(&room, 6 * MINUTE_MS);
    }
    ck_assert_uint_gt(list_hidden("state <> 2", &rows), 64);
    room_discards(&room, false);
    room_enacts(&room, false);
    buf_clear(&rows);
    ck_assert_uint_eq(list_hidden("state <> 2", &rows), 0);
    buf_release(&rows);
}
END_TEST

START_TEST(a_start_in_the_session_sends_nothing_twice_and_loses_nothing)
{
    begin_session();
    ck_assert_uint_eq(room_count_told(&room, "Anna", "your cards are below"),
                      1);
    room_reopen(&room);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "your cards are below"),
                      1);
    room_writes(&room, "Anna", "discard 1");
    intake_only();
    room_reopen(&room);
    ck_assert_uint_eq(room_count_told(&room, "Bob", "two cards are below"), 1);
    room_reopen(&room);
    ck_assert_uint_eq(room_count_told(&room, "Bob", "two cards are below"), 1);
    room_enacts(&room, false);
    ck_assert_uint_eq(room_game(&room)->fascist, 1);
}
END_TEST

/* What became of one message can't be written over with what became of
 * another. */
START_TEST(deliveries_that_were_swapped_do_not_open)
{
    begin_session();
    room_writes(&room, "Anna", "discard 1");
    intake_only();
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE message SET delivery = (SELECT delivery FROM message"
               " WHERE delivery IS NOT NULL ORDER BY id LIMIT 1)"
               " WHERE delivery IS NOT NULL");
    room_open(&room);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "cards, below"), 0);
    ck_assert_uint_eq(room_count_told(&room, "Bob", "cards, below"), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/session");
    TCase *tcase = tcase_create("hidden");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_message_that_was_delivered_shows_as_one_that_waits);
    tcase_add_test(tcase, the_chancellors_cards_show_as_any_private_message);
    tcase_add_test(tcase, after_the_session_no_row_tells_when_it_was);
    tcase_add_test(tcase, after_a_long_session_none_is_left);
    tcase_add_test(
        tcase, a_start_in_the_session_sends_nothing_twice_and_loses_nothing);
    tcase_add_test(tcase, deliveries_that_were_swapped_do_not_open);
    suite_add_tcase(suite, tcase);
    return suite;
}
