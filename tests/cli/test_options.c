/*
 * Sub-commands that take options alone: what is typed besides is said.
 */
#include <string.h>

#include <check.h>

#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/runner.h"

static const struct {
    int (*run)(int argc, char **argv);
    const char *line;
    const char *says;
} mistakes[] = {
    {command_check, "check placard.cfg", "\"placard.cfg\" is no option"},
    {command_games, "games 1", "see `placard games --help`"},
    {command_run, "run placard.cfg", "\"placard.cfg\" is no option"},
    {command_thread, "thread 1", "\"1\" is no option"},
    {command_check, "check -c", "-c needs a value"},
};

START_TEST(a_word_too_many_is_said_on_standard_error)
{
    ck_assert_int_eq(command_line_run(mistakes[_i].run, mistakes[_i].line),
                     EXIT_USAGE);
    ck_assert_msg(strstr(buf_text(&errors), mistakes[_i].says) != NULL,
                  "%s: %s", mistakes[_i].line, buf_text(&errors));
    ck_assert_uint_eq(said.len, 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/options");
    TCase *tests = tcase_create("options");
    tcase_add_checked_fixture(tests, command_line_set_up,
                              command_line_tear_down);
    tcase_add_loop_test(tests, a_word_too_many_is_said_on_standard_error, 0,
                        sizeof mistakes / sizeof mistakes[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
