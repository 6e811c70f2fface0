/* What is due first is found, whatever was put in, moved or taken out. */
#include <stdint.h>
#include <string.h>

#include "bot/base/heap.h"
#include "tests/support/runner.h"

enum {
    ITEMS = 60,
    ROUNDS = 5000
};

/* Of the items that are in, the one that is due first, by looking at all. */
static const struct heap_item *
first_of(const struct heap_item items[ITEMS])
{
    const struct heap_item *first = NULL;
    for (unsigned i = 0; i < ITEMS; i++) {
        if (items[i].place != 0 && (first == NULL || items[i].at < first->at)) {
            first = &items[i]; /* of several, the one with the lowest number */
        }
    }
    return first;
}

static void
number_items(struct heap_item items[ITEMS])
{
    memset(items, 0, ITEMS * sizeof items[0]);
    for (unsigned i = 0; i < ITEMS; i++) {
        items[i].number = i;
        items[i].owner = &items[i];
    }
}

START_TEST(an_empty_heap_has_no_first)
{
    struct heap heap = {.count = 0};
    struct heap_item item = {.number = 1};
    ck_assert_ptr_null(heap_first(&heap));
    heap_remove(&heap, &item); /* it is in no heap */
    heap_release(&heap);
}
END_TEST

START_TEST(items_come_out_in_the_order_of_their_times_and_numbers)
{
    struct heap heap = {.count = 0};
    struct heap_item items[ITEMS];
    number_items(items);
    for (unsigned i = 0; i < ITEMS; i++) {
        heap_set(&heap, &items[i], (int64_t)(i * 7919 % ITEMS) / 3);
    }
    for (unsigned left = ITEMS; left > 0; left--) {
        struct heap_item *first = heap_first(&heap);
        ck_assert_ptr_eq(first, first_of(items));
        ck_assert_ptr_eq(first->owner, first);
        heap_remove(&heap, first);
    }
    ck_assert_ptr_null(heap_first(&heap));
    heap_release(&heap);
}
END_TEST

START_TEST(the_first_is_right_after_each_of_many_random_changes)
{
    struct heap heap = {.count = 0};
    struct heap_item items[ITEMS];
    uint32_t chance = 5;
    number_items(items);
    for (unsigned round = 0; round < ROUNDS; round++) {
        chance = chance * 1664525 + 1013904223;
        struct heap_item *item = &items[(chance >> 8) % ITEMS];
        if (chance >> 30 == 0) {
            heap_remove(&heap, item);
        } else {
            heap_set(&heap, item, (int64_t)((chance >> 16) % 40) - 20);
        }
        ck_assert_ptr_eq(heap_first(&heap), first_of(items));
    }
    heap_release(&heap);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/heap");
    TCase *tcase = tcase_create("heap");
    tcase_add_test(tcase, an_empty_heap_has_no_first);
    tcase_add_test(tcase,
                   items_come_out_in_the_order_of_their_times_and_numbers);
    tcase_add_test(tcase, the_first_is_right_after_each_of_many_random_changes);
    suite_add_tcase(suite, tcase);
    return suite;
}
