/*
 * `placard rules`: the text that a game's `!rules` is, for options.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

/* Append a text without marks, blanks as one. */
static void
fold(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        bool blank = strchr(" \n", *text) != NULL;
        if (!blank && strchr("*`", *text) == NULL) {
            buf_add_char(out, *text);
        } else if (blank && out->len > 0 && out->data[out->len - 1] != ' ') {
            buf_add_char(out, ' ');
        }
    }
}

START_TEST(it_is_what_a_game_with_these_options_is_told)
{
    struct room room;
    struct buf in_game = BUF_INIT;
    struct buf printed = BUF_INIT;
    room_init(&room);
    room_open(&room);
    room_says(&room, "Mo",
              "!new players=7-8 rules=french language=nl ballot=open "
              "vote_closes=decided vote_min=8h power=2d");
    room_says(&room, "Anna", "!regels");
    fold(room_said(&room), &in_game);
    room_release(&room);
    ck_assert_int_eq(
        command_line_run(command_rules,
                         "rules --language nl players=7-8 rules=french "
                         "ballot=open vote_closes=decided vote_min=8h "
                         "power=2d second_thought=0 reminders="),
        EXIT_DONE);
    fold(buf_text(&said), &printed);
    buf_add_char(&in_game, ' ');
    /* They are too long to be told. */
    ck_assert(strcmp(buf_text(&printed), buf_text(&in_game)) == 0);
    ck_assert_ptr_nonnull(strstr(buf_text(&printed), "8 uur open"));
    ck_assert_int_eq(
        command_line_run(command_rules, "rules --topic veto --language nl"),
        EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "tweede keer vragen"));
    ck_assert_ptr_null(strstr(buf_text(&said), "trekstapel"));
    buf_release(&in_game);
    buf_release(&printed);
}
END_TEST

static const struct {
    const char *line, *says;
    int code;
} wrong[] = {
    {"rules chess", "\"chess\" is not option=value", EXIT_FAULT},
    {"rules rules=chess", "rules: can't be \"chess\"", EXIT_FAULT},
    {"rules hitler=knows", "\"hitler\": unknown setting", EXIT_FAULT},
    {"rules players=4", "players is a number from 5 to 10", EXIT_FAULT},
    {"rules players=8-7", "players is a number from 5 to 10", EXIT_FAULT},
    {"rules players=7x8", "players is a number from 5 to 10", EXIT_FAULT},
    {"rules players=7-8-9", "players is a number from 5 to 10", EXIT_FAULT},
    {"rules ballot=sealed", "ballot: sealed votes need", EXIT_FAULT},
    {"rules --language xx", "language: ", EXIT_FAULT},
    {"rules --theme prison", "unknown option --theme", EXIT_USAGE},
};

START_TEST(wrong_use_is_said)
{
    ck_assert_int_eq(command_line_run(command_rules, wrong[_i].line),
                     wrong[_i].code);
    ck_assert_msg(strstr(buf_text(&errors), wrong[_i].says) != NULL, "%s",
                  buf_text(&errors));
    ck_assert_str_eq(buf_text(&said), "");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/rules");
    TCase *tcase = tcase_create("rules");
    tcase_add_checked_fixture(tcase, command_line_set_up,
                              command_line_tear_down);
    tcase_add_test(tcase, it_is_what_a_game_with_these_options_is_told);
    tcase_add_loop_test(tcase, wrong_use_is_said, 0,
                        sizeof wrong / sizeof wrong[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
