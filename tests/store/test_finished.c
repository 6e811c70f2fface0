/*
 * What the store keeps of a game that is over, and that nothing is missed.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/log.h"
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
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
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
    room_waits(&room, HOUR_MS);
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    room_says(&room, "Mo", "!new players=5");
    ck_assert_int_gt(count("SELECT count(*) FROM message WHERE game = '2'"), 0);
    ck_assert_int_eq(count("SELECT count(*) FROM message WHERE game = '1'"), 1);
}
END_TEST

/* ---- posts --------------------------------------------------------------- */

#define PRIVATE_POSTS " FROM " SQL_POSTS " WHERE place LIKE 'talk/%'"

START_TEST(how_posts_were_read_is_forgotten)
{
    govern();
    ck_assert_int_eq(
        count("SELECT count(DISTINCT length(verdict))" PRIVATE_POSTS), 1);
    ck_assert_int_ge(count("SELECT max(length(verdict))" PRIVATE_POSTS), 256);
    int64_t posts = count("SELECT count(*) FROM post");
    play_to_the_end();
    ck_assert_int_eq(count("SELECT count(*)" PRIVATE_POSTS), 10);
    ck_assert_int_gt(count("SELECT count(*) FROM post"), posts);
    /* The last one comes with the end: its turn is at the next. */
    ck_assert_int_eq(
        count("SELECT count(*) FROM post WHERE verdict IS NOT NULL"), 1);
}
END_TEST

/* ---- the journal --------------------------------------------------------- */

static enum err
recover(struct table *table)
{
    table_init(table);
    struct store *store = NULL;
    ck_assert_msg(store_open(room_path(&room, "store.db"), "", STORE_READ,
                             &store, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    enum err err = recover_table(store, "1", table, &why);
    store_close(store);
    return err;
}

static enum err
note_row(void *context, const struct store_row *row, struct buf *unused)
{
    (void)unused;
    buf_addf(context, "%zu %zu ", row->move_len, row->lines_len);
    buf_add(context, row->move, row->move_len);
    buf_add(context, row->lines, row->lines_len);
    return ERR_NONE;
}

/* The whole journal of the game. */
static void
read_rows(struct buf *rows)
{
    struct store *store = NULL;
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_READ, &store,
                         &why) == ERR_NONE);
    ck_assert_msg(store_journal(store, "1", note_row, rows, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    store_close(store);
}

START_TEST(a_packed_journal_begins_with_every_row_it_had)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    while (room_game(&room)->liberal < 4) {
        govern();
    }
    read_rows(&before);
    play_to_the_end();
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), 0);
    ck_assert_int_eq(count("SELECT count(*) FROM packed_journal"), 1);
    read_rows(&after);
    ck_assert_uint_gt(before.len, 1000);
    ck_assert_uint_gt(after.len, before.len);
    ck_assert_mem_eq(buf_text(&after), buf_text(&before), before.len);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

START_TEST(a_packed_journal_is_replayed)
{
    struct table table;
    struct buf lines = BUF_INIT;
    play_to_the_end();
    ck_assert_msg(recover(&table) == ERR_NONE, "%s", buf_text(&why));
    ck_assert_int_eq(table.state, TABLE_OVER);
    ck_assert_int_eq(table.game.ending, ENDING_FIVE_LIBERAL);
    table_release(&table);
    room_record(&room, "1", &lines);
    assert_holds(buf_text(&lines), "five_liberal");
    buf_release(&lines);
}
END_TEST

START_TEST(a_packed_journal_takes_a_few_kilobytes)
{
    play_to_the_end();
    ck_assert_int_lt(count("SELECT length(rows) FROM packed_journal"), 6000);
}
END_TEST

static const struct {
    const char *what, *sql, *said;
} damages[] = {
    {"cut short",
     "UPDATE packed_journal SET rows = substr(rows, 1, length(rows) - 1)",
     "game 1: its journal"},
    {"another game's",
     "INSERT INTO packed_journal(game, rows) SELECT '2', rows FROM"
     " packed_journal; UPDATE game SET id = '2'",
     "belongs elsewhere"},
    {"none", "DELETE FROM packed_journal", "journal is missing"},
    {"no such thing",
     "UPDATE packed_journal SET rows = closed('game 1: its journal', 'x')",
     "is damaged"},
};

START_TEST(a_packed_journal_that_was_changed_is_not_read)
{
    struct table table;
    table_init(&table);
    play_to_the_end();
    room_shut(&room);
    room_alter(&room, "store.db", damages[_i].sql);
    struct store *store = NULL;
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_READ, &store,
                         &why) == ERR_NONE);
    enum err err = recover_table(store, _i == 1 ? "2" : "1", &table, &why);
    ck_assert_msg(err == ERR_GARBLED, "%s", damages[_i].what);
    assert_holds(buf_text(&why), damages[_i].said);
    table_release(&table);
    store_close(store);
}
END_TEST

/* A journal that can't be read when its game ends stays as it is. */
START_TEST(a_damaged_journal_is_not_packed)
{
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE journal SET move = x'00' WHERE row = 1");
    struct store *store = NULL;
    struct outbox outbox = {.count = 0};
    struct host_env env = {.now = 1};
    struct table table;
    static struct ruling ruling;
    table_init(&table);
    ck_assert(store_open(room_path(&room, "store.db"), "", STORE_HOST, &store,
                         &why) == ERR_NONE);
    TEXT_COPY(table.id, "1");
    table.state = TABLE_OVER;
    ruling_init(&ruling, &env, &table);
    int64_t rows = count("SELECT count(*) FROM journal");
    log_set_level(LOG_LEVEL_NONE);
    store_save_ruling(store, &ruling, &outbox);
    ck_assert_msg(store_err(store, &why) == ERR_NONE, "%s", buf_text(&why));
    log_set_level(LOG_LEVEL_ERROR);
    ruling_release(&ruling);
    store_close(store);
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), rows);
    ck_assert_int_eq(count("SELECT count(*) FROM packed_journal"), 0);
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
    tcase_add_test(tcase, how_posts_were_read_is_forgotten);
    tcase_add_test(tcase, a_packed_journal_begins_with_every_row_it_had);
    tcase_add_test(tcase, a_packed_journal_is_replayed);
    tcase_add_test(tcase, a_packed_journal_takes_a_few_kilobytes);
    tcase_add_loop_test(tcase, a_packed_journal_that_was_changed_is_not_read, 0,
                        sizeof damages / sizeof damages[0]);
    tcase_add_test(tcase, a_damaged_journal_is_not_packed);
    suite_add_tcase(suite, tcase);
    return suite;
}
