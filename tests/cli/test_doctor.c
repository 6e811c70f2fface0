/*
 * `status` and `doctor`, as they are typed, beside a store that a room has left
 * and whose times are set to those of this machine.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;
static int lock = -1;

static void
set_up(void)
{
    struct buf conf = BUF_INIT;
    command_line_set_up();
    room_init(&room);
    buf_addf(&conf,
             "store = \"%s/store.db\";\nboard = \"%s/board.db\";\n"
             "places = ( { name = \"board\"; service = \"board\"; } );\n",
             room.folder, room.folder);
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&conf),
                                conf.len, 0600, &why),
                     ERR_NONE);
    buf_release(&conf);
    room.now = clock_now();
    room_open(&room);
    room_begin(&room, 5);
    room_shut(&room);
}

static void
tear_down(void)
{
    file_unlock(lock);
    room_release(&room);
    buf_release(&why);
    command_line_tear_down();
}

/* A host has the store, and has polled its place so long ago. */
static void
run_host(int64_t ago)
{
    char sql[160];
    int64_t at = clock_now() - ago;
    (void)snprintf(sql, sizeof sql,
                   "UPDATE note SET text = %lld WHERE kind = 'polled'",
                   (long long)at);
    room_alter(&room, "store.db", sql);
    (void)snprintf(sql, sizeof sql,
                   "UPDATE reading SET read = %lld, through = %lld",
                   (long long)at, (long long)at);
    room_alter(&room, "store.db", sql);
    if (lock < 0) {
        ck_assert_int_eq(
            file_lock(room_path(&room, "store.db.lock"), &lock, &why),
            ERR_NONE);
    }
}

static int
status(void)
{
    return command_line_run(command_status, "status -c @placard.cfg");
}

static int
doctor(const char *option)
{
    char line[64];
    (void)snprintf(line, sizeof line, "doctor -c @placard.cfg %s", option);
    return command_line_run(command_doctor, line);
}

START_TEST(a_host_that_reads_is_well)
{
    run_host(MINUTE_MS);
    ck_assert_int_eq(status(), EXIT_DONE);
    assert_holds(buf_text(&said), "running (process ");
    assert_holds(buf_text(&said), "; 1 table on; 0 messages not delivered; "
                                  "board: last read 6");
    ck_assert_uint_eq(strcspn(buf_text(&said), "\n") + 1, said.len);
    ck_assert_msg(doctor("") == EXIT_DONE, "%s", buf_text(&said));
    assert_holds(buf_text(&said), "  board: last read 6");
    assert_holds(buf_text(&said), "MB free");
    assert_lacks(buf_text(&said), "! ");
}
END_TEST

static int
status_with(const char *options)
{
    char line[96];
    (void)snprintf(line, sizeof line, "status -c @placard.cfg %s", options);
    return command_line_run(command_status, line);
}

static void
assert_printed(const char *line)
{
    char whole[160];
    (void)snprintf(whole, sizeof whole, "\n%s\n", line);
    assert_holds(buf_text(&said), whole);
}

START_TEST(metrics_tell_what_is_known_and_leave_out_what_is_not)
{
    ck_assert_int_eq(status_with("--prometheus"), EXIT_DONE);
    assert_printed("placard_up 0");
    run_host(MINUTE_MS);
    room_alter(&room, "store.db",
               "INSERT INTO note(kind, about, text) VALUES"
               " ('operations', 'board', '7 12'),"
               " ('refused', 'board', 'ask Olga')");
    ck_assert_int_eq(status_with("--prometheus"), EXIT_DONE);
    assert_printed("placard_up 1");
    assert_printed("placard_places 1");
    assert_printed("placard_games{state=\"running\"} 1");
    assert_printed("placard_games{state=\"over\"} 0");
    assert_printed("placard_undelivered_messages 0");
    assert_printed("placard_undelivered_age_seconds 0");
    assert_printed("placard_store_damaged 0");
    assert_printed("placard_account_refused{service=\"board\"} 1");
    assert_printed("placard_failed_operations_total{service=\"board\"} 7");
    assert_printed("# TYPE placard_failed_operations_total counter");
    assert_printed("# TYPE placard_requests_left gauge");
    assert_printed("placard_requests_left{service=\"board\"} 12");
    assert_holds(buf_text(&said),
                 "\nplacard_last_poll_timestamp_seconds{place=\"board\","
                 "service=\"board\"} 1");
    assert_lacks(buf_text(&said), "placard_store_bytes 0\n");
    assert_lacks(buf_text(&said), "placard_disk_left_bytes -");
    room_alter(&room, "store.db",
               "UPDATE note SET text = '7 -1' WHERE kind = 'operations'");
    room_alter(&room, "store.db", "UPDATE game SET held = 1");
    ck_assert_int_eq(status_with("--prometheus"), EXIT_DONE);
    assert_lacks(buf_text(&said), "\nplacard_requests_left{");
    assert_printed("placard_games{state=\"held\"} 1");
}
END_TEST

START_TEST(a_message_that_waits_has_an_age)
{
    char sql[160];
    (void)snprintf(sql, sizeof sql,
                   "UPDATE message SET state = 0, delivered = 0, written = %lld"
                   " WHERE id = (SELECT max(id) FROM message WHERE kind = 0)",
                   (long long)(clock_now() - 30 * MINUTE_MS));
    room_alter(&room, "store.db", sql);
    ck_assert_int_eq(status_with("--prometheus"), EXIT_DONE);
    assert_printed("placard_undelivered_messages 1");
    assert_holds(buf_text(&said), "\nplacard_undelivered_age_seconds 180");
}
END_TEST

START_TEST(a_label_has_whatever_a_place_is_called)
{
    struct buf conf = BUF_INIT;
    buf_addf(
        &conf,
        "store = \"%s/store.db\";\n"
        "places = ( { name = \"a \\\"b\\\" \\\\ é\"; service = \"board\"; } );\n",
        room.folder);
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&conf),
                                conf.len, 0600, &why),
                     ERR_NONE);
    buf_release(&conf);
    ck_assert_int_eq(status_with("--prometheus"), EXIT_DONE);
    assert_printed("placard_last_poll_timestamp_seconds{"
                   "place=\"a \\\"b\\\" \\\\ é\",service=\"board\"} 0");
}
END_TEST

/* The name at the beginning of a text, all of whose characters are such. */
static void
name_at(const char *text, char name[64])
{
    size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_");
    (void)snprintf(name, 64, "%.*s", (int)len, text);
}

START_TEST(each_metric_is_explained_and_each_alert_has_its_metrics)
{
    struct buf alerts = BUF_INIT;
    char name[64];
    char line[96];
    unsigned count = 0;
    run_host(MINUTE_MS);
    ck_assert_int_eq(status_with("--prometheus"), EXIT_DONE);
    buf_add_char(&said, '\n');
    for (const char *at = buf_text(&said);
         (at = strstr(at, "\nplacard_")) != NULL; at++) {
        name_at(at + 1, name);
        (void)snprintf(line, sizeof line, "# HELP %s ", name);
        assert_holds(buf_text(&said), line);
        (void)snprintf(line, sizeof line, "\n# TYPE %s ", name);
        assert_holds(buf_text(&said), line);
    }
    ck_assert_int_eq(file_read("config/alerts.yml", &alerts, &why), ERR_NONE);
    for (const char *at = buf_text(&alerts);
         (at = strstr(at, "placard_")) != NULL; at++, count++) {
        name_at(at, name);
        (void)snprintf(line, sizeof line, "\n# TYPE %s ", name);
        ck_assert_msg(strstr(buf_text(&said), line) != NULL,
                      "no metric is called %s", name);
    }
    ck_assert_uint_ge(count, 12);
    buf_release(&alerts);
}
END_TEST

START_TEST(a_file_is_replaced_and_others_may_read_it)
{
    struct buf before = BUF_INIT;
    struct stat file;
    run_host(MINUTE_MS);
    ck_assert_int_eq(status_with("--prometheus -o @placard.prom"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "");
    ck_assert_int_eq(stat(scratch_path("placard.prom"), &file), 0);
    ck_assert_uint_eq(file.st_mode & 0777, 0644);
    ck_assert_int_eq(file_read(scratch_path("placard.prom"), &before, &why),
                     ERR_NONE);
    assert_holds(buf_text(&before), "\nplacard_up 1\n");
    ck_assert_int_eq(status_with("--prometheus -o @none/placard.prom"),
                     EXIT_FAULT);
    ck_assert_int_eq(status_with("--prometheus --json"), EXIT_USAGE);
    assert_holds(buf_text(&errors), "Give one of both");
    buf_release(&before);
}
END_TEST

START_TEST(the_status_is_told_as_json_too)
{
    json_object *value = NULL;
    bool good = true;
    int64_t number = -1;
    ck_assert_int_eq(status_with("--json"), EXIT_FAULT);
    assert_holds(buf_text(&said), "\"good\":false}\n");
    run_host(MINUTE_MS);
    ck_assert_int_eq(status_with("--json"), EXIT_DONE);
    ck_assert_int_eq(jdoc_parse(buf_text(&said), said.len, true, &value, &why),
                     ERR_NONE);
    ck_assert(jdoc_bool(value, "good", &good) && good);
    ck_assert(jdoc_bool(value, "damaged", &good) && !good);
    ck_assert(jdoc_integer(jdoc_get(value, "games"), "running", &number));
    ck_assert_int_eq(number, 1);
    ck_assert(jdoc_integer(value, "undelivered_messages", &number));
    ck_assert_int_eq(number, 0);
    ck_assert(jdoc_integer(value, "free_bytes", &number) && number > 0);
    ck_assert(jdoc_integer(value, "store_bytes", &number) && number > 0);
    json_object *service =
        json_object_array_get_idx(jdoc_get(value, "services"), 0);
    ck_assert_str_eq(jdoc_string(service, "name"), "board");
    ck_assert(jdoc_integer(service, "failed_operations", &number));
    ck_assert_int_eq(number, 0);
    json_object *place =
        json_object_array_get_idx(jdoc_get(value, "places"), 0);
    ck_assert_str_eq(jdoc_string(place, "service"), "board");
    ck_assert_ptr_nonnull(jdoc_string(place, "read"));
    json_object_put(value);
}
END_TEST

/* Another program has the store, such as a shell of SQLite. */
START_TEST(a_store_that_is_in_use_can_not_be_told_of)
{
    run_host(MINUTE_MS);
    sqlite3 *other = room_open_file(&room, "store.db");
    ck_assert_int_eq(sqlite3_exec(other,
                                  "PRAGMA locking_mode = EXCLUSIVE;"
                                  "BEGIN EXCLUSIVE",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(status(), EXIT_UNKNOWN);
    assert_holds(buf_text(&errors), "store.db: in use by another program; try "
                                    "again in a while; a host runs, process ");
    ck_assert_str_eq(buf_text(&said), "");
    ck_assert_int_eq(sqlite3_close(other), SQLITE_OK);
    ck_assert_int_eq(status(), EXIT_DONE);
}
END_TEST

/* A link that leads to itself: root may read all else. */
START_TEST(what_may_not_be_read_can_not_be_told_of)
{
    (void)unlink(room_path(&room, "store.db.lock"));
    ck_assert_int_eq(
        symlink("store.db.lock", room_path(&room, "store.db.lock")), 0);
    ck_assert_int_eq(status(), EXIT_UNKNOWN);
    assert_holds(buf_text(&errors), "ask as the user who hosts");
    ck_assert_int_eq(doctor("--json"), EXIT_UNKNOWN);
    ck_assert_str_eq(buf_text(&said), "");
    (void)unlink(room_path(&room, "store.db.lock"));
}
END_TEST

START_TEST(a_host_that_is_not_there_is_missed)
{
    ck_assert_int_eq(status(), EXIT_FAULT);
    assert_holds(buf_text(&said), "not running; 1 table on");
    ck_assert_int_eq(doctor(""), EXIT_FAULT);
    assert_holds(buf_text(&said), "! placard ");
    assert_holds(buf_text(&said), "no host runs");
}
END_TEST

START_TEST(a_lock_that_a_dead_host_left_is_no_host)
{
    ck_assert_int_eq(
        file_write(room_path(&room, "store.db.lock"), "1\n", 2, 0600, &why),
        ERR_NONE);
    ck_assert_int_eq(status(), EXIT_FAULT);
    assert_holds(buf_text(&said), "not running");
}
END_TEST

START_TEST(a_host_that_has_long_read_nothing_is_not_well)
{
    run_host(14 * MINUTE_MS);
    ck_assert_int_eq(status(), EXIT_DONE);
    run_host(16 * MINUTE_MS);
    ck_assert_int_eq(status(), EXIT_FAULT);
    assert_holds(buf_text(&said), "board: last read 16 minutes ago");
    ck_assert_int_eq(doctor(""), EXIT_FAULT);
    assert_holds(buf_text(&said), "! board: last read 16 minutes ago");
}
END_TEST

START_TEST(what_waits_is_told_with_its_reason)
{
    char sql[200];
    (void)snprintf(
        sql, sizeof sql,
        "UPDATE message SET state = 0, delivered = 0, written = %lld,"
        " refused_at = written, trouble = 'the thread is locked'"
        " WHERE id = (SELECT max(id) FROM message WHERE kind = 0)",
        (long long)(clock_now() - 30 * MINUTE_MS));
    room_alter(&room, "store.db", sql);
    run_host(0);
    ck_assert_int_eq(status(), EXIT_DONE);
    assert_holds(buf_text(&said), "1 message not delivered");
    ck_assert_int_eq(doctor(""), EXIT_FAULT);
    assert_holds(buf_text(&said), "! board: 1 post not delivered for 30 "
                                  "minutes: the thread is locked");
}
END_TEST

START_TEST(a_clock_that_is_wrong_is_told)
{
    run_host(0);
    char sql[120];
    (void)snprintf(sql, sizeof sql, "UPDATE reading SET through = read - %d",
                   (int)(5 * MINUTE_MS));
    room_alter(&room, "store.db", sql);
    ck_assert_int_eq(doctor(""), EXIT_FAULT);
    assert_holds(buf_text(&said),
                 "! board: its clock is 5 minutes behind this machine's");
}
END_TEST

START_TEST(an_account_that_is_refused_is_told_with_what_to_do)
{
    room_alter(&room, "store.db",
               "INSERT INTO note(kind, about, text) VALUES"
               " ('refused', 'board', 'the account is locked: ask Olga')");
    ck_assert_int_eq(status(), EXIT_FAULT);
    assert_lacks(buf_text(&said), "locked"); /* nobody asks any more */
    run_host(0);
    ck_assert_int_eq(status(), EXIT_FAULT);
    assert_holds(buf_text(&said), "; refused: the account is locked: ask Olga");
    ck_assert_int_eq(doctor(""), EXIT_FAULT);
    assert_holds(buf_text(&said), "! the account is locked: ask Olga\n");
    ck_assert_int_eq(doctor("--json"), EXIT_FAULT);
    assert_holds(buf_text(&said),
                 "\"refused\":\"the account is locked: ask Olga\"");
    room_alter(&room, "store.db", "DELETE FROM note WHERE kind = 'refused'");
    ck_assert_int_eq(status(), EXIT_DONE);
    ck_assert_int_eq(doctor(""), EXIT_DONE);
}
END_TEST

START_TEST(the_last_backup_is_told)
{
    run_host(0);
    ck_assert_int_eq(doctor(""), EXIT_DONE);
    assert_holds(buf_text(&said), "backup: none by `placard backup` is known");
    ck_assert_int_eq(
        command_line_run(command_backup, "backup -c @placard.cfg @copy.db"),
        EXIT_DONE);
    ck_assert_int_eq(doctor(""), EXIT_DONE);
    assert_holds(buf_text(&said), " ago, ");
    assert_holds(buf_text(&said), "/copy.db\n");
}
END_TEST

START_TEST(a_damaged_store_is_told)
{
    run_host(0);
    ck_assert_int_eq(
        file_write(room_path(&room, "store.db.damaged"), "", 0, 0600, &why),
        ERR_NONE);
    ck_assert_int_eq(status(), EXIT_FAULT);
    ck_assert_int_eq(doctor(""), EXIT_FAULT);
    assert_holds(buf_text(&said), "store.db is damaged; restore a backup");
}
END_TEST

static int
undelivered(const char *options)
{
    char line[96];
    (void)snprintf(line, sizeof line, "undelivered -c @placard.cfg %s",
                   options);
    return command_line_run(command_undelivered, line);
}

START_TEST(what_may_have_arrived_has_a_number_by_which_it_is_settled)
{
    char options[48];
    ck_assert_int_eq(undelivered(""), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "No message waits.\n");
    room_alter(&room, "store.db",
               "UPDATE message SET state = 1, delivered = 0, written = 1000"
               " WHERE kind = 0");
    int64_t first = room_query(&room, "store.db",
                               "SELECT min(id) FROM message WHERE state = 1");
    ck_assert_int_eq(undelivered(""), EXIT_DONE);
    (void)snprintf(options, sizeof options,
                   "; it may have arrived: number %d\n", (int)first);
    assert_holds(buf_text(&said), options);
    assert_holds(buf_text(&said), " 1 post, since 1970");
    ck_assert_int_eq(undelivered("--there 999"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "999: no message of that number");
    ck_assert_int_eq(undelivered("--again no"), EXIT_FAULT);
    ck_assert_int_eq(undelivered("--again 1 --there 1"), EXIT_USAGE);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM operator_settled"),
        0);
    (void)snprintf(options, sizeof options, "--there %d", (int)first);
    ck_assert_int_eq(undelivered(options), EXIT_DONE);
    assert_holds(buf_text(&said), "counts as delivered");
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT message FROM operator_settled"
                                " WHERE there = 1"),
                     first);
    /* Who has changed their mind says so. */
    (void)snprintf(options, sizeof options, "--again %d", (int)first);
    ck_assert_int_eq(undelivered(options), EXIT_DONE);
    assert_holds(buf_text(&said), "counts as not sent yet");
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM operator_settled"
                                " WHERE there = 0"),
                     1);
}
END_TEST

START_TEST(as_json_it_is_one_object)
{
    json_object *value = NULL;
    bool good = true;
    run_host(MINUTE_MS);
    ck_assert_int_eq(doctor("--json"), EXIT_DONE);
    ck_assert_int_eq(jdoc_parse(buf_text(&said), said.len, true, &value, &why),
                     ERR_NONE);
    ck_assert(jdoc_bool(value, "good", &good) && good);
    ck_assert(jdoc_bool(value, "running", &good) && good);
    json_object *tables = jdoc_get(value, "tables");
    ck_assert_uint_eq(json_object_array_length(tables), 1);
    json_object *table = json_object_array_get_idx(tables, 0);
    ck_assert_str_eq(jdoc_string(table, "table"), "1");
    ck_assert_ptr_nonnull(jdoc_string(table, "deadline"));
    ck_assert_uint_eq(json_object_array_length(jdoc_get(value, "places")), 1);
    ck_assert_uint_eq(json_object_array_length(jdoc_get(value, "undelivered")),
                      0);
    json_object_put(value);

    file_unlock(lock);
    lock = -1;
    ck_assert_int_eq(doctor("--json"), EXIT_FAULT);
    assert_holds(buf_text(&said), "\"good\":false");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/doctor");
    TCase *tcase = tcase_create("doctor");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_host_that_reads_is_well);
    tcase_add_test(tcase, metrics_tell_what_is_known_and_leave_out_what_is_not);
    tcase_add_test(tcase, a_message_that_waits_has_an_age);
    tcase_add_test(tcase, a_label_has_whatever_a_place_is_called);
    tcase_add_test(tcase,
                   each_metric_is_explained_and_each_alert_has_its_metrics);
    tcase_add_test(tcase, a_file_is_replaced_and_others_may_read_it);
    tcase_add_test(tcase, the_status_is_told_as_json_too);
    tcase_add_test(tcase, a_store_that_is_in_use_can_not_be_told_of);
    tcase_add_test(tcase, what_may_not_be_read_can_not_be_told_of);
    tcase_add_test(tcase, a_host_that_is_not_there_is_missed);
    tcase_add_test(tcase, a_lock_that_a_dead_host_left_is_no_host);
    tcase_add_test(tcase, a_host_that_has_long_read_nothing_is_not_well);
    tcase_add_test(tcase, what_waits_is_told_with_its_reason);
    tcase_add_test(tcase,
                   what_may_have_arrived_has_a_number_by_which_it_is_settled);
    tcase_add_test(tcase, a_clock_that_is_wrong_is_told);
    tcase_add_test(tcase, an_account_that_is_refused_is_told_with_what_to_do);
    tcase_add_test(tcase, the_last_backup_is_told);
    tcase_add_test(tcase, a_damaged_store_is_told);
    tcase_add_test(tcase, as_json_it_is_one_object);
    suite_add_tcase(suite, tcase);
    return suite;
}
