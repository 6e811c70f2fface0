/* Texts are asked how they begin, and how often a part stands in them. */
#include "bot/base/text.h"
#include "tests/support/runner.h"

START_TEST(a_text_begins_with_itself_and_with_nothing)
{
    ck_assert(text_begins("votes", "vote"));
    ck_assert(text_begins("vote", "vote"));
    ck_assert(text_begins("vote", ""));
    ck_assert(!text_begins("vot", "vote"));
    ck_assert(!text_begins("a vote", "vote"));
}
END_TEST

START_TEST(a_part_is_counted_without_overlaps)
{
    ck_assert_uint_eq(text_count("**Ja!**", "**"), 2);
    ck_assert_uint_eq(text_count("***", "**"), 1);
    ck_assert_uint_eq(text_count("Ja!", "**"), 0);
    ck_assert_uint_eq(text_count("", "**"), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/text");
    TCase *tcase = tcase_create("text");
    tcase_add_test(tcase, a_text_begins_with_itself_and_with_nothing);
    tcase_add_test(tcase, a_part_is_counted_without_overlaps);
    suite_add_tcase(suite, tcase);
    return suite;
}
