/*
 * `backup` and `restore`, as they are typed, beside a room: while its host is
 * there, and after it has left.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

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
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
    command_line_tear_down();
}

static int
back_up(const char *words)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "backup -c @placard.cfg %s", words);
    int code = command_line_run(command_backup, buf_text(&line));
    buf_release(&line);
    return code;
}

static int
restore(const char *words)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "restore -c @placard.cfg %s", words);
    int code = command_line_run(command_restore, buf_text(&line));
    buf_release(&line);
    return code;
}

static void
assert_done(int code)
{
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
}

static bool
is_there(const char *name)
{
    return access(scratch_path(name), F_OK) == 0;
}

/* ---- making one ----------------------------------------------------------
 */

START_TEST(
    a_backup_is_a_file_for_its_owner_alone_and_says_that_it_lacks_the_key)
{
    struct stat there;
    room_begin(&room, 5);
    assert_done(back_up("@copy.db"));
    assert_holds(buf_text(&said), "The key is not in it: ");
    assert_holds(buf_text(&said), "store.db.key. Without it");
    ck_assert_int_eq(stat(scratch_path("copy.db"), &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0600);
    ck_assert(!is_there("copy.db.new"));
    ck_assert(!is_there("copy.db-wal"));
}
END_TEST

START_TEST(a_file_that_is_there_is_replaced_only_if_that_is_said)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    room_begin(&room, 5);
    assert_done(back_up("@copy.db"));
    command_line_read("copy.db", &before);
    room_names(&room, 1);
    ck_assert_int_eq(back_up("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "there already; name another file");
    command_line_read("copy.db", &after);
    ck_assert(before.len == after.len &&
              memcmp(before.data, after.data, before.len) == 0);
    assert_done(back_up("--replace @copy.db"));
    command_line_read("copy.db", &after);
    ck_assert(before.len != after.len ||
              memcmp(before.data, after.data, before.len) != 0);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

START_TEST(the_store_is_not_copied_onto_itself)
{
    char words[400];
    room_begin(&room, 5);
    (void)snprintf(words, sizeof words, "--replace %s",
                   room_path(&room, "store.db"));
    ck_assert_int_eq(back_up(words), EXIT_FAULT);
    assert_holds(buf_text(&errors), "is the store itself");
    ck_assert_int_eq(restore(room_path(&room, "store.db")), EXIT_FAULT);
    assert_holds(buf_text(&errors), "is the store itself");
    room_names(&room, 1);
}
END_TEST

START_TEST(what_can_not_be_copied_leaves_nothing_and_says_why)
{
    const struct rlimit small = {4096, RLIM_INFINITY};
    struct rlimit before;
    room_begin(&room, 5);
    ck_assert_int_eq(back_up("@nowhere/copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "nowhere/copy.db");
    assert_holds(buf_text(&errors), "no such file or folder");

    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    int code = back_up("@copy.db");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(code, EXIT_FAULT);
    assert_holds(buf_text(&errors), "copy.db");
    ck_assert(!is_there("copy.db"));
    ck_assert(!is_there("copy.db.new"));
    ck_assert(!is_there("copy.db.new.part"));
}
END_TEST

START_TEST(without_a_store_there_is_no_backup)
{
    room_shut(&room);
    ck_assert_int_eq(unlink(room_path(&room, "store.db")), 0);
    ck_assert_int_eq(back_up("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "store.db: no such file");
    ck_assert(!is_there("copy.db"));
}
END_TEST

/* ---- putting one back ----------------------------------------------------
 */

START_TEST(nothing_is_restored_while_a_host_runs)
{
    room_begin(&room, 5);
    assert_done(back_up("@copy.db"));
    ck_assert_int_eq(restore("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "is hosting with this store");
    room_names(&room, 1);
}
END_TEST

/* How many files of that beginning are in the room? */
static bool
is_kept(const char *output, char *path, size_t size)
{
    const char *kept = strstr(output, "is kept: ");
    if (kept == NULL) {
        return false;
    }
    (void)snprintf(path, size, "%.*s", (int)strcspn(kept + 9, "\n") - 1,
                   kept + 9);
    return access(path, F_OK) == 0;
}

START_TEST(the_store_that_was_there_is_kept)
{
    char old[400] = "";
    room_begin(&room, 5);
    assert_done(back_up("@copy.db"));
    room_names(&room, 1);
    room_shut(&room);
    int64_t rows =
        room_query(&room, "store.db", "SELECT count(*) FROM journal");
    assert_done(restore("@copy.db"));
    ck_assert_msg(is_kept(buf_text(&said), old, sizeof old), "%s",
                  buf_text(&said));
    assert_holds(buf_text(&said), ", 1 game on.");
    assert_holds(buf_text(&said), "Next: `placard run`.");
    ck_assert_int_lt(
        room_query(&room, "store.db", "SELECT count(*) FROM journal"), rows);
    ck_assert_int_eq(room_query(&room, strrchr(old, '/') + 1,
                                "SELECT count(*) FROM journal"),
                     rows);
    ck_assert(!file_exists(room_path(&room, "store.db.restored")));
}
END_TEST

START_TEST(a_backup_that_is_damaged_or_none_changes_nothing)
{
    struct buf file = BUF_INIT;
    unsigned flipped = 0;
    room_begin(&room, 5);
    assert_done(back_up("@copy.db"));
    room_names(&room, 1);
    room_shut(&room);
    int64_t rows =
        room_query(&room, "store.db", "SELECT count(*) FROM journal");

    command_line_read("copy.db", &file);
    for (size_t i = 0; i + 4 <= file.len; i++) {
        if (memcmp(file.data + i, "Anna", 4) == 0) {
            file.data[i] = '@';
            flipped++;
        }
    }
    ck_assert_uint_gt(flipped, 0);
    ck_assert_int_eq(
        file_write(scratch_path("copy.db"), file.data, file.len, 0600, &why),
        ERR_NONE);
    ck_assert_int_eq(restore("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "damaged");
    ck_assert_int_eq(restore("@placard.cfg"), EXIT_FAULT);
    ck_assert_int_eq(restore("@nothing.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "nothing.db: no such file");
    ck_assert_int_eq(restore(room_path(&room, "board.db")), EXIT_FAULT);

    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM journal"), rows);
    ck_assert(!file_exists(room_path(&room, "store.db.restored")));
    buf_release(&file);
}
END_TEST

START_TEST(a_backup_of_a_later_version_is_refused)
{
    room_begin(&room, 5);
    room_shut(&room);
    assert_done(back_up("@copy.db"));
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(scratch_path("copy.db"), &db), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL),
        SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    ck_assert_int_eq(restore("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "made by a later version");
}
END_TEST

START_TEST(a_backup_that_the_key_does_not_open_is_refused)
{
    static const char other[] =
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";
    room_begin(&room, 5);
    room_shut(&room);
    assert_done(back_up("@copy.db"));
    const char *key = room_path(&room, "store.db.key");
    ck_assert_int_eq(unlink(key), 0);
    ck_assert_int_eq(restore("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "store.db.key: the key is missing");
    ck_assert(!file_exists(key));
    ck_assert_int_eq(file_write(key, other, sizeof other - 1, 0600, &why),
                     ERR_NONE);
    ck_assert_int_eq(restore("@copy.db"), EXIT_FAULT);
    assert_holds(buf_text(&errors), "was made with another key");
}
END_TEST

START_TEST(a_file_must_be_named)
{
    ck_assert_int_eq(back_up(""), EXIT_USAGE);
    ck_assert_int_eq(restore(""), EXIT_USAGE);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/backup");
    TCase *tcase = tcase_create("backup");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(
        tcase,
        a_backup_is_a_file_for_its_owner_alone_and_says_that_it_lacks_the_key);
    tcase_add_test(tcase,
                   a_file_that_is_there_is_replaced_only_if_that_is_said);
    tcase_add_test(tcase, the_store_is_not_copied_onto_itself);
    tcase_add_test(tcase, what_can_not_be_copied_leaves_nothing_and_says_why);
    tcase_add_test(tcase, without_a_store_there_is_no_backup);
    tcase_add_test(tcase, nothing_is_restored_while_a_host_runs);
    tcase_add_test(tcase, the_store_that_was_there_is_kept);
    tcase_add_test(tcase, a_backup_that_is_damaged_or_none_changes_nothing);
    tcase_add_test(tcase, a_backup_of_a_later_version_is_refused);
    tcase_add_test(tcase, a_backup_that_the_key_does_not_open_is_refused);
    tcase_add_test(tcase, a_file_must_be_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
