/*
 * Rows that no host has written: each column of each table with values that it
 * can't have.  Whatever stands there, the host begins, and what it can't read
 * costs no other game.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;
static struct buf whole; /* the store as it was */

static const char *const odd_values[] = {
    "NULL",
    "-1",
    "0",
    "1",
    "2",
    "7",
    "99",
    "'x'",
    "''",
    "9223372036854775807",
    "1.5",
    "x'00ff'",
    "printf('%900s', 'long')",
};

static void
set_up(void)
{
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
    room_posts(&room, "Anna", "hello");
    room_shut(&room);
    room_alter(&room, "store.db",
               "INSERT INTO member(service, number, user, name)"
               " VALUES('board', 1, 'Anna', 'ann');"
               "INSERT INTO operator_look(game) VALUES('1');"
               "INSERT INTO forgotten(mark, waits) VALUES(12345678, '');"
               "INSERT INTO adapter_state(service, key, value)"
               " VALUES('board', 'key', x'00');"
               "INSERT OR IGNORE INTO reading(service, read, through)"
               " VALUES('board', 1, 1);"
               "INSERT INTO deferred(service, feed, kind, place, id, author,"
               " author_name, body, dialect, reply_to, stamp, edited, dm)"
               " VALUES('board', 'thread', 0, 'thread', '900', 'Anna', 'Anna',"
               " x'00', '', '', 1, 0, 0)");
    sqlite3 *file = room_open_file(&room, "store.db");
    ck_assert_int_eq(
        sqlite3_exec(file, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL),
        SQLITE_OK);
    (void)sqlite3_close(file);
    ck_assert_int_eq(file_read(room_path(&room, "store.db"), &whole, &why),
                     ERR_NONE);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&whole);
    buf_release(&why);
}

static void
put_back(void)
{
    (void)unlink(room_path(&room, "store.db-wal"));
    (void)unlink(room_path(&room, "store.db-shm"));
    ck_assert_int_eq(file_write(room_path(&room, "store.db"), whole.data,
                                whole.len, 0600, &why),
                     ERR_NONE);
}

/* Put a value into a column of all rows; false: the table does not take it. */
static bool
put(const char *table, const char *column, const char *value)
{
    struct buf sql = BUF_INIT;
    sqlite3 *file = room_open_file(&room, "store.db");
    buf_addf(&sql, "UPDATE OR IGNORE %s SET %s = %s", table, column, value);
    bool taken =
        sqlite3_exec(file, buf_text(&sql), NULL, NULL, NULL) == SQLITE_OK &&
        sqlite3_total_changes(file) > 0;
    (void)sqlite3_close(file);
    buf_release(&sql);
    return taken;
}

/* The columns of all tables that have rows, one after the other. */
static void
list_columns(struct buf *list)
{
    sqlite3 *file = room_open_file(&room, "store.db");
    sqlite3_stmt *rows = NULL;
    ck_assert_int_eq(
        sqlite3_prepare_v2(file,
                           "SELECT t.name, c.name FROM sqlite_schema t,"
                           " pragma_table_info(t.name) c"
                           " WHERE t.type = 'table'"
                           " AND t.name NOT LIKE 'sqlite%'",
                           -1, &rows, NULL),
        SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        buf_addf(list, "%s %s\n", (const char *)sqlite3_column_text(rows, 0),
                 (const char *)sqlite3_column_text(rows, 1));
    }
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(file);
}

/* Host in a process of its own, as `run` does. */
static enum err
host(void)
{
    static struct stage stage;
    conf_defaults(&stage.conf);
    stage.conf.settings = room.settings;
    stage.dealer = dealer_fair;
    stage.opening = OPEN_UNCHECKED;
    enum err err = stage_open(&stage, room.folder, room.now, &why);
    if (err == ERR_NONE) {
        err = stage_settle(&stage, &why);
        stage_close(&stage);
    }
    return err;
}

static void
host_alone(const char *table, const char *column, const char *value)
{
    int status = 0;
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        enum err err = host();
        /* The board refuses a store that does not know its posts, and a table
         * that is listed and missing is refused: the operator knows why. */
        _exit(err == ERR_NONE || strstr(buf_text(&why), "restore ") != NULL
                  ? 0
                  : 1);
    }
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  "%s.%s = %s ends the host", table, column, value);
}

START_TEST(no_value_of_any_column_ends_the_host)
{
    struct buf list = BUF_INIT;
    unsigned step = effort_one_in(1);
    unsigned seen = 0;
    unsigned tried = 0;
    list_columns(&list);
    for (char *at = list.data; *at != '\0';) {
        char table[40];
        char column[40];
        ck_assert_int_eq(sscanf(at, "%39s %39s", table, column), 2);
        for (unsigned i = 0; i < sizeof odd_values / sizeof odd_values[0];
             i++) {
            if (seen++ % step != 0) {
                continue;
            }
            put_back();
            if (put(table, column, odd_values[i])) {
                host_alone(table, column, odd_values[i]);
                tried++;
            }
        }
        at += strcspn(at, "\n") + 1;
    }
    ck_assert_uint_gt(tried, 500 / step);
    buf_release(&list);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/odd_rows");
    TCase *tcase = tcase_create("rows");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, no_value_of_any_column_ends_the_host);
    suite_add_tcase(suite, tcase);
    return suite;
}
