/* The ids of buttons: what is written is read again, and nothing else is one.
 */
#include <string.h>

#include <check.h>

#include "adapters/adapter.h"
#include "bot/host/reading/press.h"
#include "bot/host/table/table.h"
#include "tests/support/runner.h"

static struct buf id;

static void
tear_down(void)
{
    buf_release(&id);
}

static const char *
write_id(const struct press *press)
{
    buf_clear(&id);
    press_write(press, &id);
    return buf_text(&id);
}

START_TEST(what_was_written_is_read_again)
{
    for (int choice = PRESS_JOIN; choice <= PRESS_ASK_VETO; choice++) {
        for (unsigned i = 0; i < 4; i++) {
            struct press press = {.table = "table-14",
                                  .phase = i * 4711,
                                  .choice = (enum press_choice)choice,
                                  .number = i * 3,
                                  .confirmed = i % 2 == 1};
            struct press got;

            ck_assert(press_read(write_id(&press), &got));
            ck_assert_str_eq(got.table, press.table);
            ck_assert_uint_eq(got.phase, press.phase);
            ck_assert_int_eq(got.choice, press.choice);
            ck_assert_uint_eq(got.number, press.number);
            ck_assert_int_eq(got.confirmed, press.confirmed);
        }
    }
}
END_TEST

START_TEST(the_longest_fits_a_button)
{
    struct press press = {.phase = 999999999, .number = 9, .confirmed = true};

    ck_assert_uint_eq(PRESS_TABLE_MAX, TABLE_ID_MAX);
    memset(press.table, 'x', PRESS_TABLE_MAX);
    ck_assert_uint_le(strlen(write_id(&press)), BUTTON_ID_MAX);
}
END_TEST

/* Of a deferred ballot the store shows how long it is. */
START_TEST(what_was_chosen_does_not_show_in_the_length)
{
    struct press press = {.table = "1", .phase = 2, .choice = PRESS_VOTE};
    size_t nein = strlen(write_id(&press));

    press.number = 1;
    ck_assert_uint_eq(strlen(write_id(&press)), nein);
    press.choice = PRESS_CARD;
    press.number = 2;
    ck_assert_uint_eq(strlen(write_id(&press)), nein);
}
END_TEST

START_TEST(what_is_no_button_of_ours_is_not_read)
{
    static const char *const others[] = {
        "",
        "14",
        "14.41",
        "14.41.",
        "14.41.v",
        ".41.v1",
        "14..v1",
        "14.4x.v1",
        "14.41.x1",
        "14.41.v11",
        "14.41.!",
        "14.41.v?",
        "14.41.v1?",
        "14.41.v1!!",
        "14.1234567890.v1",
        "menu",
        "14 41 v1",
        "14.-1.v1",
        "123456789012345678901234567890123.1.v1",
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct press press;

        ck_assert_msg(!press_read(others[i], &press), "%s", others[i]);
    }
}
END_TEST

START_TEST(what_can_not_be_taken_back_moves_nothing_until_it_is_confirmed)
{
    static const bool final[] = {
        [PRESS_VOTE] = true,        [PRESS_NAME] = true,
        [PRESS_ANSWER_VETO] = true, [PRESS_CARD] = true,
        [PRESS_ASK_VETO] = true,
    };

    for (int choice = PRESS_JOIN; choice <= PRESS_ASK_VETO; choice++) {
        struct press press = {.choice = (enum press_choice)choice};
        bool shows = choice == PRESS_SHOW_ROLE || choice == PRESS_SHOW_CARDS;

        ck_assert_int_eq(press_is_final(&press), final[choice]);
        ck_assert_int_eq(press_moves(&press), !final[choice] && !shows);
        press.confirmed = true;
        ck_assert_int_eq(press_moves(&press), !shows);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/press");
    TCase *group = tcase_create("press");

    tcase_add_checked_fixture(group, NULL, tear_down);
    tcase_add_test(group, what_was_written_is_read_again);
    tcase_add_test(group, the_longest_fits_a_button);
    tcase_add_test(group, what_was_chosen_does_not_show_in_the_length);
    tcase_add_test(group, what_is_no_button_of_ours_is_not_read);
    tcase_add_test(
        group, what_can_not_be_taken_back_moves_nothing_until_it_is_confirmed);
    suite_add_tcase(suite, group);
    return suite;
}
