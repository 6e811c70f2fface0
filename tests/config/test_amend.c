/* Changes to the text of a configuration: the rest stays as it was written. */
#include <string.h>

#include <check.h>

#include "config/amend.h"
#include "config/sample.h"
#include "tests/support/runner.h"

static struct buf text;

static void
set_up(void)
{
    text = (struct buf)BUF_INIT;
}

static void
tear_down(void)
{
    buf_release(&text);
}

static const struct {
    const char *before, *after;
} additions[] = {
    {"places = (\n    { a = 1; }\n);\n",
     "places = (\n    { a = 1; },\nNEW\n);\n"},
    {"places = ( { a = 1; } );", "places = ( { a = 1; }, \nNEW\n);"},
    {"places=();", "places=(\nNEW\n);"},
    {"places = (\n    # { none yet }\n);\n",
     "places = (\n    # { none yet }\nNEW\n);\n"},
    {"places : ( { a = 1; }, );", "places : ( { a = 1; }, \nNEW\n);"},
    {"a = 1;\n", "a = 1;\n\nplaces = (\nNEW\n);\n"},
    {"", "\nplaces = (\nNEW\n);\n"},
    /* What only looks like it is passed over. */
    {"# places = (\nx = { places = ( 1 ); };\nplaces = ( 2 ); // )\n",
     "# places = (\nx = { places = ( 1 ); };\nplaces = ( 2, \nNEW\n); // )\n"},
    {"a = \"places = (\\\" )\";\nplaces = ( \")\" );",
     "a = \"places = (\\\" )\";\nplaces = ( \")\", \nNEW\n);"},
    {"/* places = (\n */ places = ( ( 1 ) /* ) */ );",
     "/* places = (\n */ places = ( ( 1 ), /* ) */ \nNEW\n);"},
    {"places = ( { a = 1; } # the last )\n);",
     "places = ( { a = 1; }, # the last )\nNEW\n);"},
};

START_TEST(a_group_is_added_behind_the_others)
{
    buf_add_text(&text, additions[_i].before);
    amend_add(&text, "places", "NEW");
    ck_assert_str_eq(buf_text(&text), additions[_i].after);
}
END_TEST

START_TEST(a_list_is_emptied)
{
    buf_add_text(&text, "a = 1;\nplaces = ( { b = \")\"; } );\nc = 2;\n");
    amend_empty(&text, "places");
    ck_assert_str_eq(buf_text(&text), "a = 1;\nplaces = (\n);\nc = 2;\n");
    amend_empty(&text, "services");
    ck_assert_str_eq(buf_text(&text), "a = 1;\nplaces = (\n);\nc = 2;\n");
}
END_TEST

static const struct {
    const char *before, *after;
} settings[] = {
    {"store = \"x\";\n", "store = \"x\";\n"},
    {"# what\n#store = \"x\";\nb = 1;\n", "# what\nstore = \"y\";\nb = 1;\n"},
    {"b = 1;\n", "b = 1;\n\nstore = \"y\";\n"},
    {"x = { store = \"x\"; };\n",
     "x = { store = \"x\"; };\n\nstore = \"y\";\n"},
};

START_TEST(a_setting_is_set_where_its_default_stands_in_a_comment)
{
    buf_add_text(&text, settings[_i].before);
    amend_set_unset(&text, "store", "\"y\"");
    ck_assert_str_eq(buf_text(&text), settings[_i].after);
}
END_TEST

START_TEST(a_group_explains_each_of_its_settings)
{
    static const struct conf_value values[] = {
        {"name", "\"hall\""}, {"zone", "\"Europe/Oslo\""}, {NULL, NULL}};

    conf_add_group(&text, SCOPE_PLACE, values);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&text), "\n        name = \"hall\";\n"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&text), "\n        zone = \"Europe/Oslo\";\n"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&text), "\n        #address = \"\";\n"));
    ck_assert_ptr_null(strstr(buf_text(&text), "quiet"));
}
END_TEST

START_TEST(quotes_and_backslashes_are_escaped)
{
    conf_quote(&text, "a \"b\" \\ c");
    ck_assert_str_eq(buf_text(&text), "\"a \\\"b\\\" \\\\ c\"");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("config/amend");
    TCase *tcase = tcase_create("amend");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, a_group_is_added_behind_the_others, 0,
                        sizeof(additions) / sizeof(additions[0]));
    tcase_add_test(tcase, a_list_is_emptied);
    tcase_add_loop_test(tcase,
                        a_setting_is_set_where_its_default_stands_in_a_comment,
                        0, sizeof(settings) / sizeof(settings[0]));
    tcase_add_test(tcase, a_group_explains_each_of_its_settings);
    tcase_add_test(tcase, quotes_and_backslashes_are_escaped);
    suite_add_tcase(suite, tcase);
    return suite;
}
