/* Texts are asked how they begin, how often a part stands in them, and what
 * their hexadecimal digits say. */
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

START_TEST(a_hexadecimal_digit_has_a_value_small_or_capital)
{
    ck_assert_int_eq(text_hex_digit('0'), 0);
    ck_assert_int_eq(text_hex_digit('9'), 9);
    ck_assert_int_eq(text_hex_digit('a'), 10);
    ck_assert_int_eq(text_hex_digit('f'), 15);
    ck_assert_int_eq(text_hex_digit('A'), 10);
    ck_assert_int_eq(text_hex_digit('F'), 15);
    ck_assert_int_eq(text_hex_digit('g'), -1);
    ck_assert_int_eq(text_hex_digit('\0'), -1);
}
END_TEST

START_TEST(bytes_are_read_from_twice_as_many_small_digits)
{
    unsigned char bytes[2] = {0, 0};
    ck_assert(text_read_hex("0fa5", bytes, 2));
    ck_assert_uint_eq(bytes[0], 0x0F);
    ck_assert_uint_eq(bytes[1], 0xA5);
    ck_assert(!text_read_hex("0FA5", bytes, 2));
    ck_assert(!text_read_hex("0fa", bytes, 2));
    ck_assert(!text_read_hex("0fa55", bytes, 2));
    ck_assert(!text_read_hex("0fg5", bytes, 2));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/text");
    TCase *tcase = tcase_create("text");
    tcase_add_test(tcase, a_text_begins_with_itself_and_with_nothing);
    tcase_add_test(tcase, a_part_is_counted_without_overlaps);
    tcase_add_test(tcase, a_hexadecimal_digit_has_a_value_small_or_capital);
    tcase_add_test(tcase, bytes_are_read_from_twice_as_many_small_digits);
    suite_add_tcase(suite, tcase);
    return suite;
}
