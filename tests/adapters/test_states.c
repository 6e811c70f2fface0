/*
 * Lists of adapter states.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/states.h"
#include "tests/support/runner.h"

static struct adapter_states states;

static void
tear_down(void)
{
    adapter_states_release(&states);
}

static const char *
value_of(const char *key)
{
    return adapter_states_find(states.list, states.count, key);
}

START_TEST(a_key_has_the_value_that_was_set_last)
{
    ck_assert_str_eq(value_of("device"), "");
    ck_assert(adapter_states_set(&states, "device", "one"));
    ck_assert(adapter_states_set(&states, "secret.token", "t0ken"));
    ck_assert(adapter_states_set(&states, "device", "another"));
    ck_assert_uint_eq(states.count, 2);
    ck_assert_str_eq(value_of("device"), "another");
    ck_assert_str_eq(value_of("secret.token"), "t0ken");
    ck_assert_str_eq(value_of("secret"), "");
}
END_TEST

START_TEST(a_value_may_come_from_the_list_itself)
{
    ck_assert(adapter_states_set(&states, "a", "one"));
    ck_assert(adapter_states_set(&states, states.list[0].value, value_of("a")));
    ck_assert(adapter_states_set(&states, "a", value_of("one")));
    ck_assert_uint_eq(states.count, 2);
    ck_assert_str_eq(value_of("a"), "one");
    ck_assert_str_eq(value_of("one"), "one");
}
END_TEST

START_TEST(a_value_that_is_too_long_changes_nothing)
{
    char value[ADAPTER_STATE_MAX + 2] = "";

    memset(value, 'v', ADAPTER_STATE_MAX);
    ck_assert(adapter_states_set(&states, "a", value));
    value[ADAPTER_STATE_MAX] = 'v';
    ck_assert(!adapter_states_set(&states, "a", value));
    ck_assert(!adapter_states_set(&states, "b", value));
    ck_assert_uint_eq(states.count, 1);
    ck_assert_uint_eq(strlen(value_of("a")), ADAPTER_STATE_MAX);
}
END_TEST

START_TEST(a_full_list_takes_no_new_key)
{
    char key[16];

    for (int i = 0; i < ADAPTER_STATES_MAX; i++) {
        snprintf(key, sizeof key, "%d", i);
        ck_assert(adapter_states_set(&states, key, key));
    }
    ck_assert(!adapter_states_set(&states, "one more", "x"));
    ck_assert(adapter_states_set(&states, "7", "seven"));
    ck_assert_uint_eq(states.count, ADAPTER_STATES_MAX);
    ck_assert_str_eq(value_of("7"), "seven");
    ck_assert_str_eq(value_of("15"), "15");
}
END_TEST

START_TEST(a_copy_is_as_large_as_its_texts)
{
    char value[] = "one";
    const struct adapter_state list[] = {{"device", value}, {"b", ""}};

    adapter_states_copy(&states, list, 2);
    memset(value, 'x', 3);
    ck_assert_str_eq(value_of("device"), "one");
    ck_assert_uint_eq(states.size, sizeof list + sizeof "device" +
                                       sizeof "one" + sizeof "b" + sizeof "");
    adapter_states_release(&states);
    adapter_states_copy(&states, NULL, 0);
    ck_assert_uint_eq(states.count, 0);
    ck_assert_ptr_null(states.list);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/states");
    TCase *tcase = tcase_create("states");

    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, a_key_has_the_value_that_was_set_last);
    tcase_add_test(tcase, a_value_may_come_from_the_list_itself);
    tcase_add_test(tcase, a_value_that_is_too_long_changes_nothing);
    tcase_add_test(tcase, a_full_list_takes_no_new_key);
    tcase_add_test(tcase, a_copy_is_as_large_as_its_texts);
    suite_add_tcase(suite, tcase);
    return suite;
}
