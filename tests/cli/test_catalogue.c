/*
 * `placard catalogue`: what a translator is told of a file, and shown of it.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/runner.h"

static void
write_file(const char *name, const char *text)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        file_write(scratch_path(name), text, strlen(text), 0600, &why),
        ERR_NONE);
}

START_TEST(a_file_without_mistakes_is_said_to_be_so)
{
    ck_assert_int_eq(
        command_line_run(command_catalogue, "catalogue --check nl"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "nl: no mistakes\n");
    ck_assert_str_eq(buf_text(&errors), "");
    ck_assert_int_eq(
        command_line_run(command_catalogue,
                         "catalogue --check=config/languages/de.cfg"),
        EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "config/languages/de.cfg: no mistakes\n");
}
END_TEST

START_TEST(mistakes_are_listed_a_line_each)
{
    write_file("sv.cfg", "and = \" {och} \";\nor = \" <eller> \";\n");
    ck_assert_int_eq(
        command_line_run(command_catalogue, "catalogue --check @sv.cfg"),
        EXIT_FAULT);
    ck_assert_str_eq(buf_text(&said), "");
    ck_assert_ptr_nonnull(
        strstr(buf_text(&errors),
               "/sv.cfg:1: and: {och} is not in the English text\n"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&errors), "/sv.cfg:2: or: there is no word <eller>\n"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&errors), "/sv.cfg: signup: is missing\n"));
}
END_TEST

START_TEST(each_sentence_is_shown_below_the_english_one_in_each_form)
{
    write_file("sv.cfg",
               "// ---- Anmälan ----\n"
               "and = \" och \"; list_separator = \", \";\n"
               "plural_rule = \"one\"; numbers = \"noll en två\";\n"
               "words: { game = \"Hemlige Hitler\"; yes = \"Ja\"; };\n"
               "// Slutet:\n"
               "executed = \"{president} avrättar {target}.{gallery? "
               "`{prefix}läktare`} {present&} {present#är|äro} kvar.\";\n"
               "aimed = \"{yes} {again?nu}{again!siktar{until? till} "
               "{reason}}\";\n"
               "pointer = \"<game>: {reserves&}\";\n");
    ck_assert_int_eq(
        command_line_run(command_catalogue, "catalogue --preview @sv.cfg"),
        EXIT_DONE);
    ck_assert_str_eq(buf_text(&errors), "");
    static const char *const shown[] = {
        "\n// ---- Anmälan ----\n**and**\n**English**: and\n**here**: och\n\n",
        "\n// Slutet:\n\n**executed**\n**English**: President Bob executes "
        "Carl. ",
        "\n**here**: Bob avrättar Carl. `!läktare` två äro kvar.\n"
        "**without gallery**: Bob avrättar Carl. två äro kvar.\n"
        "**one**: Bob avrättar Carl. `!läktare` en är kvar.\n\n",
        "**here**: Ja nu\n**without again**: Ja siktar till ‹reason›\n"
        "**without until**: Ja nu\n"
        "**without again until**: Ja siktar ‹reason›\n\n",
        "**here**: Hemlige Hitler: Anna och Emil\n"
        "**one**: Hemlige Hitler: Anna\n"};
    const char *at = buf_text(&said);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const char *found = strstr(at, shown[i]);
        ck_assert_msg(found != NULL, "%s\nis not in\n%s", shown[i], at);
        at = found + strlen(shown[i]) - 1;
    }
}
END_TEST

/* Is a sign in a line that is no comment of the file? */
static bool
is_in_a_text(const char *text, char sign)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        if (strncmp(text, "//", 2) != 0 && memchr(text, sign, len) != NULL) {
            return true;
        }
        text += len + (text[len] == '\n');
    }
    return false;
}

START_TEST(every_language_is_shown_whole)
{
    static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        char line[40];
        snprintf(line, sizeof line, "catalogue --preview %s", languages[i]);
        ck_assert_int_eq(command_line_run(command_catalogue, line), EXIT_DONE);
        ck_assert(!is_in_a_text(buf_text(&said), '{'));
        ck_assert_ptr_nonnull(strstr(buf_text(&said), "**slash_not_yours**\n"));
    }
}
END_TEST

START_TEST(a_text_with_too_many_placeholders_is_shown_all_the_same)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, "a = \"{yes}{no}");
    for (int first = 'a'; first <= 'z'; first++) {
        for (int second = 'a'; second <= 'z'; second++) {
            buf_addf(&text, "{%c%c}", first, second);
        }
    }
    buf_add_text(&text, "\";\n");
    write_file("long.cfg", buf_text(&text));
    ck_assert_int_eq(
        command_line_run(command_catalogue, "catalogue --preview @long.cfg"),
        EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "JaNein‹aa›‹ab›"));
    buf_release(&text);
}
END_TEST

static const struct {
    const char *line, *says;
    int code;
} wrong[] = {
    {"catalogue", "give it --check FILE or --preview FILE", EXIT_USAGE},
    {"catalogue --check nl --preview nl", "give it --check FILE", EXIT_USAGE},
    {"catalogue --check nl de", "\"de\" is no option", EXIT_USAGE},
    {"catalogue --check @none.cfg", "none.cfg", EXIT_USAGE},
    {"catalogue --preview @none.cfg", "none.cfg", EXIT_USAGE},
    {"catalogue --preview xx", "languages/xx.cfg", EXIT_USAGE},
    {"catalogue --preview @bad.cfg", "bad.cfg:1: a: a placeholder is not",
     EXIT_FAULT},
};

START_TEST(wrong_use_is_said)
{
    write_file("bad.cfg", "a = \"{\";\n");
    ck_assert_int_eq(command_line_run(command_catalogue, wrong[_i].line),
                     wrong[_i].code);
    ck_assert_msg(strstr(buf_text(&errors), wrong[_i].says) != NULL, "%s",
                  buf_text(&errors));
    ck_assert_str_eq(buf_text(&said), "");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/catalogue");
    TCase *tcase = tcase_create("catalogue");
    tcase_add_checked_fixture(tcase, command_line_set_up,
                              command_line_tear_down);
    tcase_add_test(tcase, a_file_without_mistakes_is_said_to_be_so);
    tcase_add_test(tcase, mistakes_are_listed_a_line_each);
    tcase_add_test(tcase,
                   each_sentence_is_shown_below_the_english_one_in_each_form);
    tcase_add_test(tcase, every_language_is_shown_whole);
    tcase_add_test(tcase,
                   a_text_with_too_many_placeholders_is_shown_all_the_same);
    tcase_add_loop_test(tcase, wrong_use_is_said, 0,
                        sizeof wrong / sizeof wrong[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
