#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/host/table/message.h"
#include "tests/support/runner.h"

START_TEST(a_message_that_is_released_is_empty_and_can_be_released_again)
{
    static const struct message empty;
    struct message message = {.kind = MESSAGE_REACT,
                              .text = must_copy("x"),
                              .user = must_copy("Anna"),
                              .post = must_copy("7"),
                              .place = must_copy("thread"),
                              .once = must_copy("1/2/hint/Anna"),
                              .again = AGAIN_PRIVATE,
                              .waits = true,
                              .not_after = 5};
    message_release(&message);
    ck_assert_mem_eq(&message, &empty, sizeof message);
    message_release(&message);
    ck_assert_ptr_null(message.text);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/message");
    TCase *tcase = tcase_create("letter");
    tcase_add_test(
        tcase, a_message_that_is_released_is_empty_and_can_be_released_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
