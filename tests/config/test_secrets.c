/*
 * Tokens and passwords: where they are read from, what is refused, and that a
 * variable leaves no trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "config/secrets.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

#define WHERE "placard.cfg:3: services[0].token_file"

enum {
    ACCOUNTS = 8 /* at most, in a test */
};

static struct conf *conf;
static struct secrets secrets;
static struct buf why;

static void
set_up(void)
{
    scratch_make();
    conf = must_alloc(sizeof(*conf));
    conf_make_accounts(conf, ACCOUNTS);
    conf->account_count = 0;
    secrets = (struct secrets){NULL};
}

static void
tear_down(void)
{
    secrets_release(&secrets);
    conf_release(conf);
    free(conf);
    buf_release(&why);
    scratch_remove();
}

/* One more account, whose secret lies in a file or a variable. */
static struct account *
add_account(const char *file, const char *variable)
{
    struct account *account = &conf->accounts[conf->account_count++];

    snprintf(account->token_file, sizeof(account->token_file), "%s", file);
    snprintf(account->token_env, sizeof(account->token_env), "%s", variable);
    snprintf(account->where, sizeof(account->where), WHERE);
    return account;
}

/* A file of the scratch folder with these bytes. */
static const char *
put(const char *name, const void *bytes, size_t len, unsigned mode)
{
    const char *path = scratch_path(name);

    ck_assert_int_eq(file_write(path, bytes, len, mode, &why), ERR_NONE);
    ck_assert_int_eq(chmod(path, mode), 0);
    return path;
}

static const char *
put_text(const char *name, const char *text)
{
    return put(name, text, strlen(text), 0600);
}

static void
load(void)
{
    ck_assert_msg(secrets_load(&secrets, conf, &why) == ERR_NONE, "%s",
                  buf_text(&why));
}

/* What is said of it when it can't be loaded, without where. */
static const char *
refused(void)
{
    buf_clear(&why);
    ck_assert_int_eq(secrets_load(&secrets, conf, &why), ERR_CONFIG);
    ck_assert_int_eq(strncmp(buf_text(&why), WHERE ": ", strlen(WHERE ": ")),
                     0);
    return buf_text(&why) + strlen(WHERE ": ");
}

/* ---- files --------------------------------------------------------------- */

START_TEST(a_secret_is_a_files_line)
{
    struct account *with = add_account(put_text("with", "s3cr et\n"), "");
    struct account *without = add_account(put_text("without", "s3cret"), "");

    load();
    ck_assert_str_eq(secrets_find(&secrets, with), "s3cr et");
    ck_assert_str_eq(secrets_find(&secrets, without), "s3cret");
}
END_TEST

START_TEST(a_file_that_others_may_read_is_refused_with_what_to_type)
{
    static const unsigned modes[] = {0640, 0604, 0620, 0602, 0644, 0660, 0777};
    const char *path = scratch_path("token");
    struct buf right = BUF_INIT;

    add_account(path, "");
    buf_addf(&right, "others may read %s; type: chmod 600 %s", path, path);
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        put("token", "s3cret", 6, modes[i]);
        ck_assert_str_eq(refused(), buf_text(&right));
    }
    put("token", "s3cret", 6, 0400);
    load();
    buf_release(&right);
}
END_TEST

START_TEST(a_file_that_is_not_one_line_of_text_is_refused)
{
    static const struct {
        const char *bytes;
        size_t len;
    } wrong[] = {
        {"", 0},      {"\n", 1},     {"a\nb", 3}, {"a\n\n", 3},
        {"a\r\n", 3}, {"a\0b\n", 4}, {"\0", 1},   {"a\tb", 3},
    };

    add_account(scratch_path("token"), "");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        put("token", wrong[i].bytes, wrong[i].len, 0600);
        ck_assert(strstr(refused(), "token") != NULL);
        ck_assert(strstr(buf_text(&why), "s3cret") == NULL);
    }
}
END_TEST

START_TEST(a_file_that_is_too_long_is_refused)
{
    char bytes[SECRET_MAX + 1];

    memset(bytes, 'x', sizeof(bytes));
    add_account(put("token", bytes, SECRET_MAX, 0600), "");
    load();
    put("token", bytes, SECRET_MAX + 1, 0600);
    ck_assert(strstr(refused(), "too long") != NULL);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    struct buf right = BUF_INIT;

    add_account(scratch_path("token"), "");
    buf_addf(&right, "%s: no such file or folder", scratch_path("token"));
    ck_assert_str_eq(refused(), buf_text(&right));
    buf_release(&right);
}
END_TEST

START_TEST(a_folder_is_no_secret)
{
    ck_assert_int_eq(chmod(scratch, 0700), 0);
    add_account(scratch, "");
    (void)refused();
}
END_TEST

/* ---- variables ----------------------------------------------------------- */

START_TEST(a_variable_is_taken_out_of_the_environment)
{
    struct account *account = add_account("", "PLACARD_TEST_TOKEN");

    ck_assert_int_eq(setenv("PLACARD_TEST_TOKEN", "s3cret", 1), 0);
    const char *there = getenv("PLACARD_TEST_TOKEN");
    load();
    ck_assert_str_eq(secrets_find(&secrets, account), "s3cret");
    ck_assert_ptr_null(getenv("PLACARD_TEST_TOKEN"));
    ck_assert_str_eq(there, ""); /* wiped where it lay */
}
END_TEST

START_TEST(a_variable_that_was_taken_is_there_for_later_readings)
{
    struct account *account = add_account("", "PLACARD_TEST_TOKEN");

    ck_assert_int_eq(setenv("PLACARD_TEST_TOKEN", "s3cret", 1), 0);
    load();
    load();
    ck_assert_str_eq(secrets_find(&secrets, account), "s3cret");
    /* Also where a reading between did not need it, or failed. */
    struct conf *other = must_alloc(sizeof(*other));
    ck_assert_int_eq(secrets_load(&secrets, other, &why), ERR_NONE);
    add_account(scratch_path("none"), "");
    (void)refused();
    conf->account_count--;
    load();
    ck_assert_str_eq(secrets_find(&secrets, account), "s3cret");
    free(other);
}
END_TEST

START_TEST(a_variable_that_is_not_set_or_no_text_is_refused)
{
    add_account("", "PLACARD_TEST_TOKEN");
    (void)unsetenv("PLACARD_TEST_TOKEN");
    ck_assert_str_eq(refused(), "the environment has no variable "
                                "PLACARD_TEST_TOKEN; set it to the token");
    ck_assert_int_eq(setenv("PLACARD_TEST_TOKEN", "", 1), 0);
    (void)refused();
    ck_assert_int_eq(setenv("PLACARD_TEST_TOKEN", "s3cret\nmore", 1), 0);
    ck_assert(strstr(refused(), "s3cret") == NULL);
}
END_TEST

/* ---- several ------------------------------------------------------------- */

START_TEST(two_accounts_may_have_one_secret)
{
    struct account *first = add_account("", "PLACARD_TEST_TOKEN");
    struct account *second = add_account("", "PLACARD_TEST_TOKEN");
    struct account *third = add_account(put_text("token", "in a file"), "");
    struct account *fourth = add_account(scratch_path("token"), "");

    ck_assert_int_eq(setenv("PLACARD_TEST_TOKEN", "s3cret", 1), 0);
    load();
    ck_assert_str_eq(secrets_find(&secrets, first), "s3cret");
    ck_assert_str_eq(secrets_find(&secrets, second), "s3cret");
    ck_assert_str_eq(secrets_find(&secrets, third), "in a file");
    ck_assert_str_eq(secrets_find(&secrets, fourth), "in a file");
}
END_TEST

START_TEST(all_that_can_not_be_had_is_said_at_once)
{
    struct buf right = BUF_INIT;

    add_account(scratch_path("none"), "");
    add_account("", "PLACARD_TEST_NONE");
    (void)unsetenv("PLACARD_TEST_NONE");
    buf_addf(&right,
             "%s: no such file or folder\n" WHERE
             ": the environment has no variable PLACARD_TEST_NONE; set it to "
             "the token",
             scratch_path("none"));
    ck_assert_str_eq(refused(), buf_text(&right));
    buf_release(&right);
}
END_TEST

START_TEST(a_reading_that_fails_leaves_what_there_was)
{
    struct account *account = add_account(put_text("token", "old"), "");

    load();
    put("token", "new", 3, 0644);
    (void)refused();
    ck_assert_str_eq(secrets_find(&secrets, account), "old");
    put("token", "new", 3, 0600);
    load();
    ck_assert_str_eq(secrets_find(&secrets, account), "new");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("config/secrets");
    TCase *tcase = tcase_create("secrets");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_secret_is_a_files_line);
    tcase_add_test(tcase,
                   a_file_that_others_may_read_is_refused_with_what_to_type);
    tcase_add_test(tcase, a_file_that_is_not_one_line_of_text_is_refused);
    tcase_add_test(tcase, a_file_that_is_too_long_is_refused);
    tcase_add_test(tcase, a_file_that_is_not_there_is_named);
    tcase_add_test(tcase, a_folder_is_no_secret);
    tcase_add_test(tcase, a_variable_is_taken_out_of_the_environment);
    tcase_add_test(tcase,
                   a_variable_that_was_taken_is_there_for_later_readings);
    tcase_add_test(tcase, a_variable_that_is_not_set_or_no_text_is_refused);
    tcase_add_test(tcase, two_accounts_may_have_one_secret);
    tcase_add_test(tcase, all_that_can_not_be_had_is_said_at_once);
    tcase_add_test(tcase, a_reading_that_fails_leaves_what_there_was);
    suite_add_tcase(suite, tcase);
    return suite;
}
