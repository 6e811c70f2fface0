#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "bot/base/files.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

static struct buf why;

static void
set_up(void)
{
    scratch_make();
    buf_init(&why, 0);
}

static void
tear_down(void)
{
    buf_release(&why);
    scratch_remove();
}

static void
assert_contents(const char *path, const char *wanted)
{
    struct buf text = BUF_INIT;

    ck_assert_msg(file_read(path, &text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    ck_assert_str_eq(buf_text(&text), wanted);
    buf_release(&text);
}

static void
put(const char *path, const char *text)
{
    ck_assert_msg(file_write(path, text, strlen(text), 0600, &why) == ERR_NONE,
                  "%s", buf_text(&why));
}

START_TEST(a_written_file_is_read_back_with_its_mode)
{
    const char *path = scratch_path("a");
    struct stat there;

    ck_assert_int_eq(file_write(path, "old", 3, 0644, &why), ERR_NONE);
    ck_assert_int_eq(file_write(path, "", 0, 0640, &why), ERR_NONE);
    assert_contents(path, "");
    put(path, "new text");
    assert_contents(path, "new text");
    ck_assert_int_eq(stat(path, &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0600);
    ck_assert_int_eq(scratch_count(), 1);
    ck_assert_str_eq(buf_text(&why), "");
}
END_TEST

START_TEST(a_write_that_fails_leaves_nothing_behind)
{
    ck_assert_int_eq(mkdir(scratch_path("folder"), 0700), 0);
    ck_assert_int_eq(file_write(scratch_path("folder"), "text", 4, 0600, &why),
                     ERR_DENIED);
    ck_assert_int_eq(file_write(scratch_path("none/a"), "text", 4, 0600, &why),
                     ERR_GONE);
    ck_assert_int_eq(scratch_count(), 1);
}
END_TEST

START_TEST(a_link_stays_a_link)
{
    const char *link = scratch_path("link");
    struct stat there;

    put(scratch_path("file"), "old");
    ck_assert_int_eq(symlink("file", link), 0);
    put(link, "new");
    assert_contents(scratch_path("file"), "new");
    ck_assert_int_eq(lstat(link, &there), 0);
    ck_assert(S_ISLNK(there.st_mode));
}
END_TEST

START_TEST(a_device_is_written_to_and_not_replaced)
{
    struct stat there;

    put("/dev/null", "text");
    ck_assert_int_eq(stat("/dev/null", &there), 0);
    ck_assert(S_ISCHR(there.st_mode));
}
END_TEST

START_TEST(a_full_disk_is_said_so)
{
    ck_assert_int_eq(file_write("/dev/full", "text", 4, 0600, &why), ERR_FULL);
    ck_assert_str_eq(buf_text(&why), "/dev/full: disk full; free some space");
}
END_TEST

START_TEST(a_file_longer_than_the_ceiling_is_full)
{
    struct buf text;

    put(scratch_path("a"), "123456");
    buf_init(&text, 6);
    ck_assert_int_eq(file_read(scratch_path("a"), &text, &why), ERR_NONE);
    buf_release(&text);
    buf_init(&text, 5);
    ck_assert_int_eq(file_read(scratch_path("a"), &text, &why), ERR_FULL);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "longer than 5 bytes"));
    buf_release(&text);
}
END_TEST

START_TEST(what_is_not_there_is_gone_and_a_folder_denied)
{
    struct buf text = BUF_INIT;

    ck_assert_int_eq(file_read(scratch_path("none"), &text, &why), ERR_GONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "/none: no such file"));
    ck_assert_int_eq(file_read(scratch, &text, &why), ERR_DENIED);
    ck_assert(!file_exists(scratch_path("none")));
    ck_assert(file_exists(scratch));
    buf_release(&text);
}
END_TEST

START_TEST(a_size_is_in_bytes_and_a_disk_has_something_left)
{
    ck_assert_int_eq(file_size(scratch_path("none")), 0);
    ck_assert_int_eq(file_disk_left(scratch_path("none")), -1);
    ck_assert_int_eq(file_write(scratch_path("five"), "12345", 5, 0600, &why),
                     ERR_NONE);
    ck_assert_int_eq(file_size(scratch_path("five")), 5);
    ck_assert_int_gt(file_disk_left(scratch_path("five")), 0);
}
END_TEST

START_TEST(a_dash_reads_standard_input)
{
    struct buf text = BUF_INIT;
    int pipes[2];
    int saved = dup(STDIN_FILENO);

    ck_assert_int_eq(pipe(pipes), 0);
    ck_assert_int_eq(write(pipes[1], "piped", 5), 5);
    (void)close(pipes[1]);
    ck_assert_int_ge(dup2(pipes[0], STDIN_FILENO), 0);
    (void)close(pipes[0]);
    ck_assert_int_eq(file_read("-", &text, &why), ERR_NONE);
    ck_assert_str_eq(buf_text(&text), "piped");
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        (void)close(saved);
    }
    buf_release(&text);
}
END_TEST

START_TEST(a_folder_is_made_with_those_above_it)
{
    struct stat there;

    ck_assert_int_eq(folder_make(scratch_path("a/b/c/"), &why), ERR_NONE);
    ck_assert_int_eq(folder_make(scratch_path("a/b"), &why), ERR_NONE);
    ck_assert_int_eq(folder_make(scratch, &why), ERR_NONE);
    ck_assert_int_eq(stat(scratch_path("a/b/c"), &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0700);
    put(scratch_path("file"), "");
    ck_assert_int_eq(folder_make(scratch_path("file/b"), &why), ERR_DENIED);
    ck_assert_int_eq(rmdir(scratch_path("a/b/c")), 0);
    ck_assert_int_eq(rmdir(scratch_path("a/b")), 0);
}
END_TEST

START_TEST(a_lock_keeps_a_second_host_out)
{
    const char *path = scratch_path("store.lock");
    int first;
    int second;

    ck_assert_int_eq(file_lock(path, &first, &why), ERR_NONE);
    ck_assert_int_ne(fcntl(first, F_GETFD) & FD_CLOEXEC, 0);
    ck_assert_int_eq(file_lock(path, &second, &why), ERR_DENIED);
    ck_assert_int_eq(second, -1);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "another placard, process "));
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "hosting with this store"));
    file_unlock(first);
    file_unlock(second);
    ck_assert_int_eq(file_lock(path, &second, &why), ERR_NONE);
    file_unlock(second);
}
END_TEST

START_TEST(a_lock_file_is_empty_once_it_is_let_go)
{
    const char *path = scratch_path("store.lock");
    char number[16];
    int lock;

    put(path, "a process that died\n");
    ck_assert_int_eq(file_lock(path, &lock, &why), ERR_NONE);
    (void)snprintf(number, sizeof(number), "%ld\n", (long)getpid());
    assert_contents(path, number);
    file_unlock(lock);
    assert_contents(path, "");
}
END_TEST

START_TEST(the_state_folder_follows_the_environment)
{
    struct buf path = BUF_INIT;

    setenv("HOME", "/home/mo", 1);
    setenv("XDG_STATE_HOME", "/var/mo", 1);
    ck_assert_int_eq(state_path("play", &path, &why), ERR_NONE);
    ck_assert_str_eq(buf_text(&path), "/var/mo/placard/play");

    buf_clear(&path);
    setenv("XDG_STATE_HOME", "not/full", 1);
    ck_assert_int_eq(state_path("", &path, &why), ERR_NONE);
    ck_assert_str_eq(buf_text(&path), "/home/mo/.local/state/placard");

    unsetenv("HOME");
    ck_assert_int_eq(state_path("", &path, &why), ERR_CONFIG);
    buf_release(&path);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/files");
    TCase *tcase = tcase_create("files");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_written_file_is_read_back_with_its_mode);
    tcase_add_test(tcase, a_write_that_fails_leaves_nothing_behind);
    tcase_add_test(tcase, a_link_stays_a_link);
    tcase_add_test(tcase, a_device_is_written_to_and_not_replaced);
    tcase_add_test(tcase, a_size_is_in_bytes_and_a_disk_has_something_left);
    tcase_add_test(tcase, a_full_disk_is_said_so);
    tcase_add_test(tcase, a_file_longer_than_the_ceiling_is_full);
    tcase_add_test(tcase, what_is_not_there_is_gone_and_a_folder_denied);
    tcase_add_test(tcase, a_dash_reads_standard_input);
    tcase_add_test(tcase, a_folder_is_made_with_those_above_it);
    tcase_add_test(tcase, a_lock_keeps_a_second_host_out);
    tcase_add_test(tcase, a_lock_file_is_empty_once_it_is_let_go);
    tcase_add_test(tcase, the_state_folder_follows_the_environment);
    suite_add_tcase(suite, tcase);
    return suite;
}
