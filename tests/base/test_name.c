/* A name is stored once, as long as somebody keeps it. */
#include <stdio.h>
#include <string.h>

#include "bot/base/name.h"
#include "tests/support/runner.h"

enum {
    NAMES = 300
};

START_TEST(equal_texts_are_one_name)
{
    char text[] = "@anna:example.org";
    const char *one = name_keep(text);
    const char *two = name_keep("@anna:example.org");
    ck_assert_ptr_eq(one, two);
    ck_assert_ptr_ne(one, text);
    ck_assert_uint_eq(names_count(), 1);
    name_drop(&one);
    ck_assert_str_eq(one, "");
    ck_assert_str_eq(two, "@anna:example.org");
    name_drop(&two);
    ck_assert_uint_eq(names_count(), 0);
    ck_assert_uint_eq(names_size(), 0);
}
END_TEST

START_TEST(no_name_is_not_counted)
{
    const char *none = name_keep("");
    ck_assert_str_eq(none, "");
    ck_assert_uint_eq(names_count(), 0);
    name_keep_again(&none);
    name_drop(&none);
    name_drop(&none);
    ck_assert_ptr_eq(none, name_keep(""));
}
END_TEST

START_TEST(a_name_is_replaced_even_by_itself)
{
    const char *name = name_keep("Anna");
    name_set(&name, name);
    ck_assert_str_eq(name, "Anna");
    name_set(&name, name + 2);
    ck_assert_str_eq(name, "na");
    name_set(&name, "");
    ck_assert_uint_eq(names_count(), 0);
}
END_TEST

START_TEST(each_of_many_lives_as_long_as_it_is_kept)
{
    const char *names[NAMES];
    char text[16];
    for (unsigned i = 0; i < NAMES; i++) {
        (void)snprintf(text, sizeof text, "name %u", i);
        names[i] = name_keep(text);
        name_keep_again(&names[i]);
    }
    ck_assert_uint_eq(names_count(), NAMES);
    for (unsigned i = 0; i < NAMES; i++) {
        const char *name = names[i];
        name_drop(&name);
    }
    for (unsigned i = 0; i < NAMES; i++) {
        (void)snprintf(text, sizeof text, "name %u", i);
        ck_assert_str_eq(names[i], text);
        name_drop(&names[i]);
    }
    ck_assert_uint_eq(names_count(), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/name");
    TCase *tcase = tcase_create("name");
    tcase_add_test(tcase, equal_texts_are_one_name);
    tcase_add_test(tcase, no_name_is_not_counted);
    tcase_add_test(tcase, a_name_is_replaced_even_by_itself);
    tcase_add_test(tcase, each_of_many_lives_as_long_as_it_is_kept);
    suite_add_tcase(suite, tcase);
    return suite;
}
