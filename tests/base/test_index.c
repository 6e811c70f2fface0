/* What is listed under a key is found there, and nothing else is. */
#include <stdbool.h>
#include <stdio.h>

#include "bot/base/index.h"
#include "tests/support/runner.h"

enum {
    NAMES = 500,
    ROUNDS = 3000
};

static uint64_t
key_of(unsigned number)
{
    char name[16];
    (void)snprintf(name, sizeof name, "@%u", number);
    return index_key("matrix", name);
}

static unsigned
count_under(const struct index *index, uint64_t key, uintptr_t value)
{
    size_t at = 0;
    unsigned count = 0;
    uintptr_t found;
    while ((found = index_next(index, key, &at)) != 0) {
        count += found == value;
    }
    return count;
}

START_TEST(nothing_is_found_in_an_empty_index)
{
    struct index index = {.room = 0};
    size_t at = 0;
    ck_assert_uint_eq(index_next(&index, key_of(1), &at), 0);
    index_release(&index);
}
END_TEST

START_TEST(a_name_has_another_key_in_another_group)
{
    ck_assert_uint_ne(index_key("a", "bc"), index_key("ab", "c"));
    ck_assert_uint_ne(index_key("board", "1"), index_key("matrix", "1"));
    ck_assert_uint_eq(index_key("board", "1"), index_key("board", "1"));
}
END_TEST

START_TEST(a_key_has_all_its_values)
{
    struct index index = {.room = 0};
    size_t at = 0;
    uintptr_t sum = 0;
    uintptr_t found;
    for (uintptr_t value = 1; value <= 100; value++) {
        index_add(&index, key_of(0), value);
    }
    while ((found = index_next(&index, key_of(0), &at)) != 0) {
        sum += found;
    }
    ck_assert_uint_eq(sum, 5050);
    index_release(&index);
}
END_TEST

/* Many share a home, and the last homes' neighbours are the first. */
static uint64_t
crowded_key(unsigned number)
{
    if (number % 7 == 0) {
        return 1023;
    }
    return number % 3 == 0 ? 1000 + number % 24 : number;
}

START_TEST(what_comes_and_goes_is_found_while_it_is_there)
{
    struct index index = {.room = 0};
    static bool there[NAMES];
    unsigned random = 1;
    for (unsigned i = 0; i < ROUNDS; i++) {
        random = random * 1103515245U + 12345U;
        unsigned number = random / 65536 % NAMES;
        if (there[number]) {
            index_remove(&index, crowded_key(number), number + 1);
        } else {
            index_add(&index, crowded_key(number), number + 1);
        }
        there[number] = !there[number];
        for (unsigned other = i % 16; other < NAMES; other += 16) {
            ck_assert_uint_eq(
                count_under(&index, crowded_key(other), other + 1),
                there[other]);
        }
    }
    index_release(&index);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/index");
    TCase *tcase = tcase_create("index");
    tcase_add_test(tcase, nothing_is_found_in_an_empty_index);
    tcase_add_test(tcase, a_name_has_another_key_in_another_group);
    tcase_add_test(tcase, a_key_has_all_its_values);
    tcase_add_test(tcase, what_comes_and_goes_is_found_while_it_is_there);
    suite_add_tcase(suite, tcase);
    return suite;
}
