/*
 * A copy of an operation outlives all that the operation points to.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/op_copy.h"
#include "tests/support/runner.h"

START_TEST(a_copy_has_all_that_an_operation_points_to)
{
    char text[] = "Round one.";
    char anna[] = "anna";
    char value[] = "t0ken";
    unsigned char bytes[] = {0x89, 'P', 'N', 'G'};
    const char *users[] = {anna, "ben"};
    struct adapter_state states[] = {{"device", "DEVICE"},
                                     {"secret.token", value}};
    struct buttons buttons = {.count = 1, .list = {{.id = "14.41.v1"}}};
    struct op_copy copy;

    op_copy_make(
        &copy,
        &(struct op){.kind = OP_SEND,
                     .text = text,
                     .since = 7,
                     .pings = {.users = users, .count = 2, .role = "wolves"},
                     .picture = {.bytes = bytes,
                                 .len = sizeof(bytes),
                                 .caption = "a board"},
                     .buttons = &buttons,
                     .states = states,
                     .state_count = 2});

    memset(text, 'x', sizeof(text) - 1);
    memset(anna, 'x', sizeof(anna) - 1);
    memset(value, 'x', sizeof(value) - 1);
    memset(bytes, 'x', sizeof(bytes));
    memset(users, 0, sizeof(users));
    memset(states, 0, sizeof(states));
    memset(&buttons, 0, sizeof(buttons));

    const struct op *op = &copy.op;
    ck_assert_int_eq(op->kind, OP_SEND);
    ck_assert_str_eq(op->text, "Round one.");
    ck_assert_int_eq(op->since, 7);
    ck_assert_uint_eq(op->pings.count, 2);
    ck_assert_str_eq(op->pings.users[0], "anna");
    ck_assert_str_eq(op->pings.users[1], "ben");
    ck_assert_str_eq(op->pings.role, "wolves");
    ck_assert_uint_eq(op->picture.len, 4);
    ck_assert_mem_eq(op->picture.bytes, "\x89PNG", 4);
    ck_assert_str_eq(op->picture.caption, "a board");
    ck_assert_uint_eq(op->buttons->count, 1);
    ck_assert_str_eq(op->buttons->list[0].id, "14.41.v1");
    ck_assert_uint_eq(op->state_count, 2);
    ck_assert_str_eq(op->states[0].key, "device");
    ck_assert_str_eq(op->states[0].value, "DEVICE");
    ck_assert_str_eq(op->states[1].key, "secret.token");
    ck_assert_str_eq(op->states[1].value, "t0ken");
    op_copy_wipe(&copy);
}
END_TEST

START_TEST(a_text_that_an_operation_lacks_is_empty)
{
    struct op_copy copy;

    op_copy_make(&copy, &(struct op){.kind = OP_WHO});
    const struct op *op = &copy.op;
    const char *const texts[] = {op->feed,        op->cursor,
                                 op->place,       op->post,
                                 op->user,        op->text,
                                 op->key,         op->secret,
                                 op->pings.role,  op->picture.caption,
                                 op->picture.page};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        ck_assert_str_eq(texts[i], "");
    }
    ck_assert_ptr_null(op->picture.bytes);
    ck_assert_ptr_null(op->buttons);
    ck_assert_uint_eq(op->pings.count, 0);
    ck_assert_uint_eq(op->state_count, 0);
    op_copy_wipe(&copy);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/op_copy");
    TCase *tcase = tcase_create("op_copy");

    tcase_add_test(tcase, a_copy_has_all_that_an_operation_points_to);
    tcase_add_test(tcase, a_text_that_an_operation_lacks_is_empty);
    suite_add_tcase(suite, tcase);
    return suite;
}
