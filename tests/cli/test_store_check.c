/*
 * A store that is damaged: what `check --store` says of it, and what a host
 * does that has taken up its games at once and finds out later.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;
static struct buf backup; /* the store as it was */

static void
configure(void)
{
    struct buf conf = BUF_INIT;
    buf_addf(&conf,
             "store = \"%s/store.db\";\nboard = \"%s/board.db\";\n"
             "places = ( { name = \"board\"; service = \"board\"; } );\n",
             room.folder, room.folder);
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&conf),
                                conf.len, 0600, &why),
                     ERR_NONE);
    buf_release(&conf);
}

static void
set_up(void)
{
    command_line_set_up();
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    room_shut(&room);
    configure();
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
    buf_release(&backup);
    command_line_tear_down();
}

static void
damage_game(void)
{
    room_alter(&room, "store.db",
               "UPDATE journal SET move = zeroblob(80) WHERE row = 5");
}

/* A message that waits without its text. */
static void
damage_message(void)
{
    room_alter(&room, "store.db",
               "UPDATE message SET state = 1, text = NULL WHERE id = 3");
}

/* Flip a bit in each value that is Anna's. */
static void
damage_file(void)
{
    struct buf file = BUF_INIT;
    const char *path = room_path(&room, "store.db");
    unsigned count = 0;
    ck_assert_int_eq(file_read(path, &backup, &why), ERR_NONE);
    buf_add_buf(&file, &backup);
    for (size_t i = 0; i + 4 <= file.len; i++) {
        if (memcmp(file.data + i, "Anna", 4) == 0) {
            file.data[i] = '@';
            count++;
        }
    }
    ck_assert_uint_gt(count, 0);
    ck_assert_int_eq(file_write(path, file.data, file.len, 0600, &why),
                     ERR_NONE);
    buf_release(&file);
}

static void
restore_file(void)
{
    ck_assert_int_eq(file_write(room_path(&room, "store.db"), backup.data,
                                backup.len, 0600, &why),
                     ERR_NONE);
}

static int
check_store(void)
{
    return command_line_run(command_check, "check -c @placard.cfg --store");
}

/* ---- a host ---------------------------------------------------------------
 */

static pid_t host;
static FILE *host_says;

static void
start_host(void)
{
    int ends[2];
    char file[400];
    (void)snprintf(file, sizeof file, "%s", scratch_path("placard.cfg"));
    ck_assert_int_eq(pipe(ends), 0);
    host = fork();
    if (host == 0) {
        char run[] = "run";
        char option[] = "-c";
        char *words[] = {run, option, file, NULL};
        (void)alarm(60);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        _exit(command_run(3, words));
    }
    (void)close(ends[1]);
    host_says = fdopen(ends[0], "r");
}

/* Read what the host says up to a line with these words; false: it has ended
 * before. */
static bool
host_says_so(const char *words)
{
    char line[1000];
    while (fgets(line, sizeof line, host_says) != NULL) {
        buf_add_text(&errors, line);
        if (strstr(line, words) != NULL) {
            return true;
        }
    }
    return false;
}

static int
host_ends(void)
{
    int status = 0;
    (void)host_says_so("nothing says this");
    (void)fclose(host_says);
    ck_assert_int_eq(waitpid(host, &status, 0), host);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static bool
is_marked(void)
{
    return access(room_path(&room, "store.db.damaged"), F_OK) == 0;
}

/* ---- tests ----------------------------------------------------------------
 */

START_TEST(a_store_that_is_whole_is_said_to_be)
{
    char expected[400];
    ck_assert_int_eq(check_store(), EXIT_DONE);
    (void)snprintf(expected, sizeof expected,
                   "%s: the file is whole, and the running game can go on\n",
                   room_path(&room, "store.db"));
    ck_assert_str_eq(buf_text(&said), expected);
}
END_TEST

START_TEST(a_game_that_does_not_replay_is_named)
{
    damage_game();
    ck_assert_int_eq(check_store(), EXIT_FAULT);
    assert_holds(buf_text(&said), "game 1: row 5 of its journal");
    assert_holds(buf_text(&said),
                 "whole, but 1 of 1 running games can't go on");
}
END_TEST

START_TEST(a_damaged_file_is_named)
{
    damage_file();
    ck_assert_int_eq(check_store(), EXIT_FAULT);
    assert_holds(buf_text(&errors), "store.db: damaged, or no database; "
                                    "restore it from a backup");
}
END_TEST

START_TEST(a_host_holds_a_game_that_does_not_replay_and_goes_on)
{
    damage_game();
    start_host();
    ck_assert(host_says_so("hosting 1 place, 0 games on"));
    assert_holds(buf_text(&errors), "game 1: row 5 of its journal");
    (void)kill(host, SIGTERM);
    ck_assert_int_eq(host_ends(), EXIT_DONE);
    ck_assert(!is_marked());
}
END_TEST

START_TEST(a_host_on_a_damaged_file_ends_and_the_next_one_does_not_begin)
{
    damage_file();
    start_host();
    ck_assert(host_says_so("hosting 1 place, 1 game on"));
    ck_assert(host_says_so("store.db: damaged, or no database"));
    ck_assert_int_eq(host_ends(), EXIT_FAULT);
    ck_assert(is_marked());

    buf_clear(&errors);
    start_host();
    ck_assert_int_eq(host_ends(), EXIT_FAULT);
    assert_holds(buf_text(&errors), "store.db: damaged, or no database");
    ck_assert_ptr_null(strstr(buf_text(&errors), "hosting"));
    ck_assert(is_marked());

    /* Restored, it is hosted, and the mark is gone. */
    restore_file();
    start_host();
    ck_assert(host_says_so("hosting 1 place, 1 game on"));
    (void)kill(host, SIGTERM);
    ck_assert_int_eq(host_ends(), EXIT_DONE);
    ck_assert(!is_marked());
}
END_TEST

/* ---- rows and tables that no host has made --------------------------------
 */

static void
assert_odd(const char *words)
{
    ck_assert_int_eq(check_store(), EXIT_FAULT);
    buf_add_buf(&said, &errors);
    assert_holds(buf_text(&said), words);
}

START_TEST(a_host_holds_a_game_with_an_odd_message_and_hosts_another)
{
    damage_message();
    assert_odd("game 1: row 3 of the table \"message\" can't be right");
    assert_holds(buf_text(&said), "1 of 1 running games can't go on");
    start_host();
    ck_assert(host_says_so("game 1: row 3 of the table \"message\""));
    ck_assert(host_says_so("hosting 1 place, 0 games on"));
    assert_lacks(buf_text(&errors), "1 game on");
    (void)kill(host, SIGTERM);
    ck_assert_int_eq(host_ends(), EXIT_DONE);
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_str_eq(room_table(&room)->id, "2");
}
END_TEST

static void
alter_schema(const char *sql)
{
    sqlite3 *file = room_open_file(&room, "store.db");
    ck_assert_int_eq(sqlite3_exec(file, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(file), SQLITE_OK);
}

static const struct {
    const char *sql, *words;
} schemas[] = {
    {"CREATE TRIGGER t AFTER UPDATE ON game BEGIN DELETE FROM dm; END",
     "the trigger \"t\" in it is not placard's"},
    {"CREATE VIEW v AS SELECT * FROM game",
     "the view \"v\" in it is not placard's"},
    {"DROP TABLE journal", "its table \"journal\" is missing"},
    {"DROP TABLE member; CREATE TABLE member(service TEXT NOT NULL,"
     " number INTEGER NOT NULL, user TEXT NOT NULL)",
     "its table \"member\" is not as placard makes it"},
    {"DROP TABLE blocked; CREATE TABLE blocked(place TEXT NOT NULL, user"
     " BLOB NOT NULL, name TEXT NOT NULL, PRIMARY KEY(place, user))",
     "its table \"blocked\" is not as placard makes it"},
    {"DROP INDEX message_once; CREATE INDEX message_once ON message(once)",
     "its index \"message_once\" is not as placard makes it"},
    {"CREATE UNIQUE INDEX mine ON post(author, stamp, id)",
     "the index \"mine\" in it is not placard's"},
};
enum {
    SCHEMAS = sizeof schemas / sizeof schemas[0]
};

START_TEST(a_schema_that_is_not_ours_is_named_and_not_hosted)
{
    alter_schema(schemas[_i].sql);
    assert_odd(schemas[_i].words);
    start_host();
    ck_assert(host_says_so(schemas[_i].words));
    ck_assert_int_eq(host_ends(), EXIT_FAULT);
}
END_TEST

/* The table takes it, and its checksum is right. */
START_TEST(a_row_with_another_type_is_found_in_every_table)
{
    room_alter(&room, "store.db",
               "INSERT INTO operator_look(game) VALUES(x'31');"
               "UPDATE feed SET read = 'soon'; UPDATE dm SET proof = 'x'");
    assert_odd(
        "rows of the table \"operator_look\" that no host has written: 1;");
    assert_holds(buf_text(&said), "of the table \"feed\" that no host");
    assert_holds(buf_text(&said), "of the table \"dm\" that no host");
    assert_lacks(buf_text(&said), "of the table \"message\"");
    assert_holds(buf_text(&said), "and the running game can go on");
    /* It is logged, and what can be hosted is. */
    start_host();
    ck_assert(host_says_so("rows of the table \"operator_look\""));
    /* The check may be done first. */
    ck_assert(strstr(buf_text(&errors), "hosting 1 place, 1 game on") != NULL ||
              host_says_so("hosting 1 place, 1 game on"));
    (void)kill(host, SIGTERM);
    ck_assert_int_eq(host_ends(), EXIT_DONE);
    ck_assert(!is_marked());
}
END_TEST

/* An earlier version of the format lacks tables; a later one has others. */
START_TEST(a_table_that_is_new_in_a_version_is_none_that_is_gone)
{
    alter_schema(
        "DROP TABLE blocked; DROP TABLE forgotten;"
        "CREATE TABLE later(x TEXT); CREATE UNIQUE INDEX later_x ON later(x);"
        "CREATE INDEX quick ON post(author); DROP INDEX dm_place");
    ck_assert_int_eq(check_store(), EXIT_DONE);
    room_reopen(&room);
    room_shut(&room);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM sqlite_schema"
                                " WHERE name IN ('blocked', 'later')"),
                     2);
}
END_TEST

/* ---- what `check` says of what it is configured with ----------------------
 */

static int
check(void)
{
    return command_line_run(command_check, "check -c @placard.cfg");
}

/* What a host would refuse. */
static const struct {
    const char *name; /* of the file, in the room's folder */
    const char *text; /* that it has then; NULL: it is gone */
    unsigned mode;
    int code;
    const char *said;
} refused[] = {
    {"store.db.key", NULL, 0, EXIT_FAULT, "without the key no game"},
    {"store.db.key", "1234", 0600, EXIT_USAGE, "is no key"},
    {"store.db.key", "1234", 0644, EXIT_USAGE, "others may read the key"},
    {"store.db", "SQLite, or what?", 0600, EXIT_FAULT, "store.db: "},
    {"board.db", "SQLite, or what?", 0600, EXIT_FAULT, "board.db: "},
    {"languages/en.cfg", "", 0600, EXIT_USAGE, "en.cfg: is empty"},
};

START_TEST(check_says_what_run_refuses)
{
    (void)mkdir(room_path(&room, "languages"), 0700);
    if (strstr(refused[_i].name, "languages") != NULL) {
        ck_assert_int_eq(setenv("PLACARD_DATA", room.folder, 1), 0);
    } else {
        ck_assert_int_eq(check(), EXIT_DONE);
    }
    const char *path = room_path(&room, refused[_i].name);
    (void)unlink(path);
    if (refused[_i].text != NULL) {
        ck_assert_int_eq(file_write(path, refused[_i].text,
                                    strlen(refused[_i].text), refused[_i].mode,
                                    &why),
                         ERR_NONE);
        ck_assert_int_eq(chmod(path, refused[_i].mode), 0);
    }
    ck_assert_int_eq(check(), refused[_i].code);
    assert_holds(buf_text(&errors), refused[_i].said);
    ck_assert_int_eq(command_line_run(command_run, "run -c @placard.cfg"),
                     refused[_i].code);
    assert_holds(buf_text(&errors), refused[_i].said);
    (void)unlink(room_path(&room, "languages/en.cfg"));
}
END_TEST

START_TEST(check_says_that_a_folder_is_missing)
{
    static const char *const confs[] = {"store = \"none/store.db\";\n",
                                        "board = \"none/board.db\";\n",
                                        "key_file = \"none/key\";\n"};
    struct buf conf = BUF_INIT;
    buf_addf(&conf,
             "%splaces = ( { name = \"board\"; service = \"board\"; "
             "} );\n",
             confs[_i]);
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&conf),
                                conf.len, 0600, &why),
                     ERR_NONE);
    ck_assert_int_eq(check(), EXIT_FAULT);
    assert_holds(buf_text(&errors), "can't be made; make its folder first");
    assert_holds(buf_text(&errors), "/none/");
    ck_assert_int_eq(command_line_run(command_run, "run -c @placard.cfg"),
                     EXIT_FAULT);
    assert_holds(buf_text(&errors), "/none/");
    buf_release(&conf);
}
END_TEST

START_TEST(a_store_that_is_no_file_fails_the_check)
{
    char path[400];
    TEXT_COPY(path, room_path(&room, "store.db"));
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(check(), EXIT_DONE);
    /* Nothing is made. */
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(check(), EXIT_USAGE);
    assert_holds(buf_text(&errors), "store.db: is a folder or a device");
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(symlink("/dev/zero", path), 0);
    ck_assert_int_eq(check(), EXIT_USAGE);
    assert_holds(buf_text(&errors), "store.db: is a folder or a device");
    ck_assert_int_eq(unlink(path), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/store_check");
    TCase *tcase = tcase_create("check");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_store_that_is_whole_is_said_to_be);
    tcase_add_test(tcase, a_game_that_does_not_replay_is_named);
    tcase_add_test(tcase, a_damaged_file_is_named);
    tcase_add_test(tcase, a_host_holds_a_game_that_does_not_replay_and_goes_on);
    tcase_add_test(
        tcase, a_host_on_a_damaged_file_ends_and_the_next_one_does_not_begin);
    tcase_add_test(tcase,
                   a_host_holds_a_game_with_an_odd_message_and_hosts_another);
    tcase_add_loop_test(
        tcase, a_schema_that_is_not_ours_is_named_and_not_hosted, 0, SCHEMAS);
    tcase_add_test(tcase, a_row_with_another_type_is_found_in_every_table);
    tcase_add_test(tcase,
                   a_table_that_is_new_in_a_version_is_none_that_is_gone);
    tcase_add_loop_test(tcase, check_says_what_run_refuses, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_loop_test(tcase, check_says_that_a_folder_is_missing, 0, 3);
    tcase_add_test(tcase, a_store_that_is_no_file_fails_the_check);
    suite_add_tcase(suite, tcase);
    return suite;
}
