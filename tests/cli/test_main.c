/*
 * The program itself: its version, and what it says to words that are none of
 * its sub-commands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <check.h>

#include "bot/base/buf.h"
#include "bot/base/version.h"
#include "bot/cli/command.h"
#include "bot/store/store.h"
#include "tests/support/runner.h"

static struct buf said;

static void
tear_down(void)
{
    buf_release(&said);
}

/* Run the line of the shell that `line` is, and release it; the exit code, and
 * all that it printed in `said`. */
static int
run(struct buf *line)
{
    char text[512];
    FILE *pipe = popen(buf_text(line), "r"); /* NOLINT(cert-env33-c) */
    buf_release(line);
    buf_clear(&said);
    ck_assert_ptr_nonnull(pipe);
    while (fgets(text, sizeof text, pipe) != NULL) {
        buf_add_text(&said, text);
    }
    return WEXITSTATUS(pclose(pipe));
}

static int
run_program(const char *words)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "%s %s 2>&1", TEST_PROGRAM, words);
    return run(&line);
}

/* "placard 0.9.0 (2b9b73bd, store 14)", as config/commit.sh says the commit. */
START_TEST(the_version_tells_the_commit_and_the_format_of_the_store)
{
    struct buf expected = BUF_INIT;
    struct buf line = BUF_INIT;
    buf_add_text(&line, "sh config/commit.sh");
    ck_assert_int_eq(run(&line), 0);
    char *commit = buf_take(&said);
    commit[strcspn(commit, "\n")] = '\0';
    buf_addf(&expected, "placard %s (%s%sstore %d)\n", placard_version, commit,
             commit[0] == '\0' ? "" : ", ", STORE_FORMAT);
    free(commit);
    ck_assert_int_eq(run_program("--version"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), buf_text(&expected));
    ck_assert_int_eq(run_program("-V"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), buf_text(&expected));
    buf_release(&expected);
}
END_TEST

/* A copy of the sources without git, as an archive is: each line of
 * config/commit, and what is said. */
static const struct {
    const char *line, *says;
} archives[] = {
    {"2b9b73bd0123456789012345678901234567abcd", "2b9b73bd\n"},
    {"2b9b73bd with changes", "2b9b73bd with changes\n"},
    {"\\$Format:%H\\$", ""},
};

START_TEST(an_archive_without_git_says_its_commit)
{
    struct buf line = BUF_INIT;
    buf_addf(
        &line,
        "d=$(mktemp -d) && mkdir $d/config && cp config/commit.sh $d/config "
        "&& echo \"%s\" >$d/config/commit && sh $d/config/commit.sh; rm -r "
        "$d",
        archives[_i].line);
    ck_assert_int_eq(run(&line), 0);
    ck_assert_str_eq(buf_text(&said), archives[_i].says);
}
END_TEST

static const struct {
    const char *typed, *says;
} unknown[] = {
    {"chekc",
     "placard chekc: there's no such command; did you mean `check`?\n"},
    {"rn", "placard rn: there's no such command; did you mean `run`?\n"},
    {"backups", "placard backups: there's no such command; did you mean "
                "`backup`?\n"},
    {"serve", "placard serve: there's no such command; `placard --help` lists "
              "them\n"},
};

START_TEST(an_unknown_command_gets_a_suggestion)
{
    ck_assert_int_eq(run_program(unknown[_i].typed), EXIT_USAGE);
    ck_assert_str_eq(buf_text(&said), unknown[_i].says);
}
END_TEST

START_TEST(each_command_has_its_page_and_is_completed)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "sh tests/cli/pages.sh %s 2>&1", TEST_PROGRAM);
    int code = run(&line);
    ck_assert_msg(code == 0, "%s", buf_text(&said));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/main");
    TCase *tests = tcase_create("main");
    tcase_add_checked_fixture(tests, NULL, tear_down);
    tcase_add_test(tests,
                   the_version_tells_the_commit_and_the_format_of_the_store);
    tcase_add_loop_test(tests, an_archive_without_git_says_its_commit, 0,
                        sizeof archives / sizeof archives[0]);
    tcase_add_loop_test(tests, an_unknown_command_gets_a_suggestion, 0,
                        sizeof unknown / sizeof unknown[0]);
    tcase_add_test(tests, each_command_has_its_page_and_is_completed);
    tcase_set_timeout(tests, 60);
    suite_add_tcase(suite, tests);
    return suite;
}
