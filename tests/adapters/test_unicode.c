#include <string.h>

#include <check.h>

#include "adapters/markup/unicode.h"
#include "tests/support/runner.h"

START_TEST(a_character_is_found_from_either_side)
{
    static const char text[] = "a\xC3\xA9\xF0\x9F\x8E\x89";

    ck_assert_int_eq(unicode_at(text, 0, 7), 'a');
    ck_assert_int_eq(unicode_at(text, 1, 7), 0xE9);
    ck_assert_int_eq(unicode_at(text, 3, 7), 0x1F389);
    ck_assert_int_eq(unicode_before(text, 1), 'a');
    ck_assert_int_eq(unicode_before(text, 3), 0xE9);
    ck_assert_int_eq(unicode_before(text, 7), 0x1F389);
}
END_TEST

START_TEST(bytes_that_are_no_character_are_unknown)
{
    ck_assert_int_eq(unicode_at("\xC3\xA9", 0, 1), 0xFFFD);
    ck_assert_int_eq(unicode_at("\xC3\xA9", 1, 2), 0xFFFD);
    ck_assert_int_eq(unicode_before("\x80\x80\x80\x80\x80", 5), 0xFFFD);
    ck_assert_int_eq(unicode_before("\xC3\xA9\x80", 3), 0xFFFD);
    ck_assert_int_eq(unicode_before("\x80", 1), 0xFFFD);
}
END_TEST

START_TEST(blanks_are_told_from_words_and_from_what_has_no_width)
{
    static const int32_t blanks[] = {' ',  '\t',   '\n',   '\r',
                                     0xA0, 0x2003, 0x3000, 0x2028};
    static const int32_t words[] = {'a',   'Z',    '7',   '_',  0xE9,
                                    0x3B1, 0x4E00, 0x301, 0x661};
    static const int32_t neither[] = {'*',    '!',     0x200B, 0x2060, 0xFFFD,
                                      0xFFFC, 0x1F389, 0x201C, 0};

    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        ck_assert(unicode_is_blank(blanks[i]) && !unicode_is_word(blanks[i]));
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        ck_assert(!unicode_is_blank(words[i]) && unicode_is_word(words[i]));
    }
    for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++) {
        ck_assert(!unicode_is_blank(neither[i]) &&
                  !unicode_is_word(neither[i]));
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/markup/unicode");
    TCase *tcase = tcase_create("unicode");

    tcase_add_test(tcase, a_character_is_found_from_either_side);
    tcase_add_test(tcase, bytes_that_are_no_character_are_unknown);
    tcase_add_test(tcase,
                   blanks_are_told_from_words_and_from_what_has_no_width);
    suite_add_tcase(suite, tcase);
    return suite;
}
