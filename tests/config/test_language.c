#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "config/language.h"
#include "tests/support/runner.h"

#define FIXTURES "tests/fixtures/config/"

static struct language language;
static struct buf why;

static void
set_up(void)
{
    setenv("PLACARD_DATA", FIXTURES "data", 1);
    buf_init(&why, 0);
}

static void
tear_down(void)
{
    language_release(&language);
    buf_release(&why);
}

START_TEST(a_file_is_found_and_read)
{
    struct buf path = BUF_INIT;

    language_path("en", &path);
    ck_assert_str_eq(buf_text(&path), FIXTURES "data/languages/en.cfg");
    ck_assert_msg(language_load(&language, buf_text(&path), &why) == ERR_NONE,
                  "%s", buf_text(&why));
    buf_release(&path);

    ck_assert_uint_eq(language.count, 5);
    ck_assert_str_eq(language_find(&language, "hello"), "Hello, {name}!");
    ck_assert_str_eq(language_find(&language, "long"), "one text");
    ck_assert_str_eq(language_find(&language, "quote"), "\"so\" he said\n");
    ck_assert_str_eq(language_find(&language, "empty"), "");
    ck_assert_ptr_null(language_find(&language, "hell"));
    ck_assert_ptr_null(language_find(&language, ""));
}
END_TEST

START_TEST(the_entries_are_sorted_and_know_their_lines)
{
    static const struct {
        const char *key;
        int line;
    } wanted[] = {
        {"bye", 7}, {"empty", 6}, {"hello", 2}, {"long", 3}, {"quote", 5}};

    ck_assert_int_eq(
        language_load(&language, FIXTURES "data/languages/en.cfg", &why),
        ERR_NONE);
    for (size_t i = 0; i < language.count; i++) {
        ck_assert_str_eq(language.entries[i].key, wanted[i].key);
        ck_assert_int_eq(language.entries[i].line, wanted[i].line);
    }
}
END_TEST

START_TEST(an_empty_language_has_no_texts)
{
    ck_assert_ptr_null(language_find(&language, "hello"));
    ck_assert_int_eq(language_load(&language, FIXTURES "empty.cfg", &why),
                     ERR_NONE);
    ck_assert_uint_eq(language.count, 0);
    ck_assert_ptr_null(language_find(&language, "hello"));
}
END_TEST

static const struct {
    const char *file;
    enum err err;
    const char *why;
} wrong[] = {
    {"language_types.cfg", ERR_CONFIG,
     FIXTURES
     "language_types.cfg:2: number: must be a text in quotes\n" FIXTURES
     "language_types.cfg:3: list: must be a text in quotes\n" FIXTURES
     "language_types.cfg:4: group: must be a text in quotes"},
    {"language_doubled.cfg", ERR_CONFIG,
     FIXTURES "language_doubled.cfg:3: duplicate setting name"},
    {"language_syntax.cfg", ERR_CONFIG,
     FIXTURES "language_syntax.cfg:2: syntax error"},
    {"none.cfg", ERR_GONE, FIXTURES "none.cfg: no such file or folder"},
};

enum {
    WRONG = sizeof(wrong) / sizeof(wrong[0])
};

START_TEST(a_wrong_file_is_named_with_its_line)
{
    struct buf path = BUF_INIT;

    buf_addf(&path, FIXTURES "%s", wrong[_i].file);
    ck_assert_int_eq(language_load(&language, buf_text(&path), &why),
                     wrong[_i].err);
    ck_assert_str_eq(buf_text(&why), wrong[_i].why);
    ck_assert_uint_eq(language.count, 0);
    buf_release(&path);
}
END_TEST

START_TEST(a_language_exists_where_it_has_a_file)
{
    static const char *const none[] = {"",      "e",   "de",    "EN",
                                       "../en", "en.", "notes", "en/../nl"};
    struct buf names = BUF_INIT;

    ck_assert(language_exists("en"));
    ck_assert(language_exists("nl"));
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        ck_assert_msg(!language_exists(none[i]), "%s", none[i]);
    }
    language_names(&names);
    ck_assert_str_eq(buf_text(&names), "\"en\", \"nl\"");
    buf_release(&names);
}
END_TEST

START_TEST(without_a_folder_there_is_english)
{
    struct buf names = BUF_INIT;

    setenv("PLACARD_DATA", FIXTURES "nowhere", 1);
    language_names(&names);
    ck_assert_str_eq(buf_text(&names), "\"en\"");
    ck_assert(!language_exists("en"));
    buf_release(&names);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("config/language");
    TCase *tcase = tcase_create("language");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_file_is_found_and_read);
    tcase_add_test(tcase, the_entries_are_sorted_and_know_their_lines);
    tcase_add_test(tcase, an_empty_language_has_no_texts);
    tcase_add_loop_test(tcase, a_wrong_file_is_named_with_its_line, 0, WRONG);
    tcase_add_test(tcase, a_language_exists_where_it_has_a_file);
    tcase_add_test(tcase, without_a_folder_there_is_english);
    suite_add_tcase(suite, tcase);
    return suite;
}
