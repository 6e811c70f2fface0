/*
 * A configuration that is wrong: every sub-command that reads it says so and
 * ends with 2, so that systemd does not start a host again and again.
 */
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/runner.h"

static const struct {
    int (*run)(int argc, char **argv);
    const char *line; /* behind its -c FILE */
} readers[] = {
    {command_run, "run"},
    {command_check, "check"},
    {command_check, "check --store"},
    {command_status, "status"},
    {command_doctor, "doctor"},
    {command_games, "games"},
    {command_show, "show 1"},
    {command_record, "record 1"},
    {command_board, "board 1"},
    {command_report, "report 1"},
    {command_report, "report --site @site"},
    {command_stats, "stats"},
    {command_undelivered, "undelivered"},
    {command_forget, "forget 17"},
    {command_backup, "backup @copy.db"},
    {command_restore, "restore @copy.db"},
    {command_thread, "thread"},
    {command_post, "post --as Anna hello"},
    {command_read, "read --place hall"},
};

static void
put(const char *name, const char *text)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        file_write(scratch_path(name), text, strlen(text), 0600, &why),
        ERR_NONE);
}

/* Run one with a configuration; its exit code. */
static int
run(int reader, const char *file)
{
    char line[128];
    const char *words = strchr(readers[reader].line, ' ');
    (void)snprintf(line, sizeof line, "%.*s -c %s%s",
                   (int)strcspn(readers[reader].line, " "),
                   readers[reader].line, file, words == NULL ? "" : words);
    return command_line_run(readers[reader].run, line);
}

static void
assert_error(const char *part)
{
    ck_assert_msg(strstr(buf_text(&errors), part) != NULL, "%s",
                  buf_text(&errors));
}

START_TEST(a_mistake_in_the_configuration_is_wrong_use_everywhere)
{
    put("placard.cfg", "elektion = \"24h\";\nnomination = \"never\";\n");
    ck_assert_int_eq(run(_i, "@placard.cfg"), EXIT_USAGE);
    assert_error("placard.cfg:1: elektion: unknown setting");
    assert_error("placard.cfg:2: nomination: ");
    ck_assert_int_eq(run(_i, "@none.cfg"), EXIT_USAGE);
    assert_error("none.cfg: no such file");
}
END_TEST

START_TEST(a_secret_that_is_not_there_is_wrong_use)
{
    put("placard.cfg",
        "services = ( { name = \"club\"; kind = \"matrix\";\n"
        "  url = \"https://matrix.example\"; token_file = \"none\"; } );\n");
    for (int reader = 0; reader < 2; reader++) {
        ck_assert_int_eq(run(reader, "@placard.cfg"), EXIT_USAGE);
        assert_error("services[0].token_file: ");
    }
}
END_TEST

START_TEST(mistakes_are_lines_of_the_log_in_every_form)
{
    static const struct {
        const char *line, *begin, *level;
    } forms[] = {
        {"run --log text -c @placard.cfg", "error: ", NULL},
        {"run --log journal -c @placard.cfg", "<3>error: ", NULL},
        {"run --log json -c @placard.cfg", "{", "error"},
    };
    unsigned lines = 0;
    put("placard.cfg", "elektion = \"24h\";\nnomination = \"never\";\n");
    ck_assert_int_eq(command_line_run(command_run, forms[_i].line), EXIT_USAGE);
    for (const char *at = buf_text(&errors); *at != '\0'; lines++) {
        size_t len = strcspn(at, "\n");
        struct buf why = BUF_INIT;
        json_object *read = NULL;
        ck_assert_int_eq(strncmp(at, forms[_i].begin, strlen(forms[_i].begin)),
                         0);
        if (forms[_i].level != NULL) {
            ck_assert_int_eq(jdoc_parse(at, len, true, &read, &why), ERR_NONE);
            ck_assert_str_eq(jdoc_string(read, "level"), forms[_i].level);
            ck_assert_str_eq(jdoc_string(read, "event"), "configuration");
            json_object_put(read);
        }
        at += len + 1;
    }
    ck_assert_uint_eq(lines, 2);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/configuration");
    TCase *tests = tcase_create("configuration");
    tcase_add_checked_fixture(tests, command_line_set_up,
                              command_line_tear_down);
    tcase_add_loop_test(tests,
                        a_mistake_in_the_configuration_is_wrong_use_everywhere,
                        0, sizeof readers / sizeof readers[0]);
    tcase_add_test(tests, a_secret_that_is_not_there_is_wrong_use);
    tcase_add_loop_test(tests, mistakes_are_lines_of_the_log_in_every_form, 0,
                        3);
    suite_add_tcase(suite, tests);
    return suite;
}
