/*
 * `games`, as it is typed, beside a store that a room has left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
list_games(void)
{
    struct buf line = BUF_INIT;
    struct buf conf = BUF_INIT;
    struct buf why = BUF_INIT;
    buf_addf(&conf, "store = \"%s/store.db\";\n", room.folder);
    buf_add_text(&conf, "places = ( { name = \"board\"; service = \"board\"; "
                        "} );\n");
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&conf),
                                conf.len, 0600, &why),
                     ERR_NONE);
    buf_addf(&line, "games -c %s", scratch_path("placard.cfg"));
    int code = command_line_run(command_games, buf_text(&line));
    ck_assert_msg(code == EXIT_DONE, "%s", buf_text(&errors));
    buf_release(&line);
    buf_release(&conf);
    buf_release(&why);
}

START_TEST(a_game_that_never_began_is_listed)
{
    char yes[32];
    room_says(&room, "Mo", "!new players=5");
    list_games();
    ck_assert_msg(strstr(buf_text(&said), "1      board ") == buf_text(&said),
                  "%s", buf_text(&said));
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "0 of 5 are here"));

    room_says(&room, "Mo", "!end");
    const char *asked = strstr(room_said(&room), "!yes ");
    ck_assert_msg(asked != NULL, "%s", room_said(&room));
    (void)snprintf(yes, sizeof yes, "!yes %u",
                   (unsigned)strtoul(asked + 5, NULL, 10));
    room_says(&room, "Mo", yes);
    list_games();
    ck_assert_str_eq(buf_text(&said),
                     "1      board            round 0: over, closed before it "
                     "began\n");
}
END_TEST

static void
set_up(void)
{
    command_line_set_up();
    room_init(&room);
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
    command_line_tear_down();
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("games");
    TCase *tests = tcase_create("games");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_game_that_never_began_is_listed);
    suite_add_tcase(suite, tests);
    return suite;
}
