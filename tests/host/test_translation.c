/*
 * What a translator has to put right: a language's file with one mistake, and
 * the line that tells of it.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/host/words/translation.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

static struct buf why;

static void
set_up(void)
{
    scratch_make();
    ck_assert_int_eq(setenv("PLACARD_DATA", "config", 1), 0);
}

static void
tear_down(void)
{
    buf_release(&why);
    scratch_remove();
}

/* A text of French with one piece of it replaced. */
static void
make_text(const char *piece, const char *instead, struct buf *changed)
{
    struct buf text = BUF_INIT;
    ck_assert_int_eq(file_read("config/languages/fr.cfg", &text, &why),
                     ERR_NONE);
    const char *at = strstr(buf_text(&text), piece);
    ck_assert_msg(at != NULL, "%s", piece);
    buf_add(changed, text.data, (size_t)(at - text.data));
    buf_addf(changed, "%s%s", instead, at + strlen(piece));
    buf_release(&text);
}

/* The number of the line that begins so. */
static int
line_of(const char *text, const char *start)
{
    int line = 1;
    while (strncmp(text, start, strlen(start)) != 0) {
        text = strchr(text, '\n');
        ck_assert_msg(text != NULL, "%s", start);
        text++;
        line++;
    }
    return line;
}

static const struct {
    const char *piece, *instead;
    const char *line; /* how the line that is told begins; NULL: none is */
    const char *told; /* NULL: nothing, for this is right */
} mistakes[] = {
    {"and = \" et \";", "and = ;", "and =", "syntax error"},
    {"and = \" et \";", "and = 3;", "and =", "and: must be a text in quotes"},
    {"and = \" et \";", "", NULL, "and: is missing"},
    {"and = \" et \";", "and = \" et \"; nad = \"\";",
     "and =", "nad: nothing uses this"},
    {"    tile_empty = ", "    tile_full = ", NULL, "tile_empty: is missing"},
    {"    tile_empty = ", "    tile_full = ", "    tile_full =",
     "tile_full: nothing uses this"},
    {"    letter_liberal = ", "    letter = ", NULL,
     "letter_liberal: is missing"},
    {"    game = ", "    gmae = ", "thread_title =",
     "thread_title: there is no word <game>"},
    {"\nthread_title = \"", "\nthread_title = \"{table?",
     "thread_title =", "thread_title: a placeholder is not closed"},
    {"\nthread_title = \"", "\nthread_title = \"{table#un}", "thread_title =",
     "thread_title: a placeholder is not closed, has no name, is a plural "
     "form without |"},
    {"\nthread_title = \"", "\nthread_title = \"{tables#un|des}",
     "thread_title =", "thread_title: {tables} is not in the English text"},
    {"\nthread_title = \"", "\nthread_title = \"{table?a}",
     "thread_title =", "thread_title: {table?…} is not in the English text"},
    {"\nthread_title = \"", "\nthread_title = \"{@table}",
     "thread_title =", "thread_title: {@table} is not in the English text"},
    {"\nstays = \"{player}", "\nstays = \"Anna",
     "stays =", "stays: {player} is missing"},
    {"\nstays = \"{player}", "\nstays = \"{player?Anna}",
     "stays =", "stays: {player} is missing"},
    {"\nstart_near =\n    \"", "\nstart_near = \"{count#un|deux} \" \"", NULL,
     NULL}, /* plural forms may be where they are needed */
    {"\nthread_title = \"", "\nthread_title = \"** ",
     "thread_title =", "thread_title: a ** or ` that opens is not closed"},
    {"\nthread_title = \"", "\nthread_title = \"`",
     "thread_title =", "thread_title: a ** or ` that opens is not closed"},
    {"\nthread_title = \"", "\nthread_title = \"{prefix}",
     "thread_title =", "thread_title: a line begins with a command"},
    {"\nthread_title = \"", "\nthread_title = \"Jeu : ", "thread_title =",
     "thread_title: the space before ! ? : ; » and after « has to be "
     "U+202F"},
    {"\nbutton_join = \"",
     "\nbutton_join = \"Une phrase qui n'entre jamais dans un bouton, parce "
     "qu'elle n'en finit pas du tout ",
     "button_join =",
     "button_join: is too long for a button or a slash command"},
    {"\nmonths = \"", "\nmonths = \"undecimber ",
     "months =", "months: has to be as many words as in English"},
    {"\nplural_rule = \"", "\nplural_rule = \"two_and_",
     "plural_rule =", "plural_rule: has to be \"one\" or \"zero_and_one\""},
};

START_TEST(a_mistake_is_told_with_its_line)
{
    const char *file = scratch_path("fr-CA.cfg");
    struct buf text = BUF_INIT;
    struct buf told = BUF_INIT;
    make_text(mistakes[_i].piece, mistakes[_i].instead, &text);
    ck_assert_int_eq(file_write(file, text.data, text.len, 0600, &why),
                     ERR_NONE);
    enum err err = translation_check(file, &why);
    if (mistakes[_i].told == NULL) {
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    } else {
        buf_add_text(&told, file);
        if (mistakes[_i].line != NULL) {
            buf_addf(&told, ":%d", line_of(buf_text(&text), mistakes[_i].line));
        }
        buf_addf(&told, ": %s", mistakes[_i].told);
        ck_assert_int_eq(err, ERR_CONFIG);
        ck_assert_msg(strstr(buf_text(&why), buf_text(&told)) != NULL,
                      "%s\nand not:\n%s", buf_text(&told), buf_text(&why));
    }
    buf_release(&text);
    buf_release(&told);
}
END_TEST

START_TEST(all_mistakes_are_told_at_once)
{
    const char *file = scratch_path("xx.cfg");
    static const char text[] = "and = \"{\";\nor = \" <nobody> \";\n";
    ck_assert_int_eq(file_write(file, text, strlen(text), 0600, &why),
                     ERR_NONE);
    ck_assert_int_eq(translation_check(file, &why), ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "xx.cfg:1: and: "));
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "xx.cfg:2: or: "));
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "xx.cfg: signup: is missing"));
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "xx.cfg: hitler: is missing"));
}
END_TEST

START_TEST(the_spaces_of_french_are_not_asked_of_others)
{
    const char *file = scratch_path("xx.cfg");
    struct buf text = BUF_INIT;
    make_text("\nthread_title = \"", "\nthread_title = \"Jeu : ", &text);
    ck_assert_int_eq(file_write(file, text.data, text.len, 0600, &why),
                     ERR_NONE);
    ck_assert_msg(translation_check(file, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    buf_release(&text);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_no_mistake_of_the_translator)
{
    enum err err = translation_check(scratch_path("sv.cfg"), &why);
    ck_assert(err != ERR_NONE && err != ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "sv.cfg"));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/translation");
    TCase *tcase = tcase_create("translation");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, a_mistake_is_told_with_its_line, 0,
                        sizeof mistakes / sizeof mistakes[0]);
    tcase_add_test(tcase, all_mistakes_are_told_at_once);
    tcase_add_test(tcase, the_spaces_of_french_are_not_asked_of_others);
    tcase_add_test(tcase,
                   a_file_that_is_not_there_is_no_mistake_of_the_translator);
    suite_add_tcase(suite, tcase);
    return suite;
}
