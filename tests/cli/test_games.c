/*
 * `games`, and the looks of the operator at one, as they are typed, beside a
 * store that a room has left.
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

/* Type a command with that configuration; `rest` goes behind it. */
static int
run(int (*command)(int argc, char **argv), const char *name, const char *rest)
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
    buf_addf(&line, "%s -c %s %s", name, scratch_path("placard.cfg"), rest);
    int code = command_line_run(command, buf_text(&line));
    buf_release(&line);
    buf_release(&conf);
    buf_release(&why);
    return code;
}

static void
list_games(void)
{
    ck_assert_msg(run(command_games, "games", "") == EXIT_DONE, "%s",
                  buf_text(&errors));
}

/* End the game that is on. */
static void
end_game(void)
{
    char yes[32];
    room_says(&room, "Mo", "!end");
    const char *asked = strstr(room_said(&room), "!yes ");
    ck_assert_msg(asked != NULL, "%s", room_said(&room));
    (void)snprintf(yes, sizeof yes, "!yes %u",
                   (unsigned)strtoul(asked + 5, NULL, 10));
    room_says(&room, "Mo", yes);
}

START_TEST(a_game_that_never_began_is_listed)
{
    room_says(&room, "Mo", "!new players=5");
    list_games();
    ck_assert_msg(strstr(buf_text(&said), "1      board ") == buf_text(&said),
                  "%s", buf_text(&said));
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "0 of 5 are here"));

    end_game();
    list_games();
    ck_assert_str_eq(buf_text(&said),
                     "1      board            round 0: over, closed before it "
                     "began\n");
}
END_TEST

/* Its journal is not read for that, unless its row lacks how it ended, as in
 * stores of earlier formats. */
START_TEST(a_finished_game_is_listed_from_its_row)
{
    static const char abandoned[] =
        "1      board            round 1: over, abandoned\n";
    room_begin(&room, 5);
    end_game();
    room_shut(&room);
    list_games();
    ck_assert_str_eq(buf_text(&said), abandoned);
    room_alter(&room, "store.db", "UPDATE game SET round = 0, ending = -1");
    list_games();
    ck_assert_str_eq(buf_text(&said), abandoned);
    room_alter(&room, "store.db", "UPDATE game SET round = 1, ending = 5");
    room_alter(&room, "store.db", "UPDATE packed_journal SET rows = x'00'");
    list_games();
    ck_assert_str_eq(buf_text(&said), abandoned);
}
END_TEST

/* In the order in which they were opened, the tenth after the ninth. */
START_TEST(games_are_listed_in_their_order)
{
    struct buf expected = BUF_INIT;
    for (unsigned i = 1; i <= 11; i++) {
        room_says(&room, "Mo", "!new players=5");
        end_game();
        room_waits(&room, MINUTE_MS);
        buf_addf(
            &expected,
            "%-6u board            round 0: over, closed before it began\n", i);
    }
    list_games();
    ck_assert_str_eq(buf_text(&said), buf_text(&expected));
    buf_release(&expected);
}
END_TEST

/* The whole of what --json tells of a game that is on: when it has to go on,
 * and not by whom. */
static void
assert_tells_nobody(void)
{
    static const char begins[] =
        "{\"games\":[{\"table\":\"1\",\"place\":\"board\",\"state\":\"running\","
        "\"held\":false,\"round\":1,\"deadline\":\"20";
    ck_assert_int_eq(run(command_games, "games", "--json"), EXIT_DONE);
    const char *text = buf_text(&said);
    ck_assert_msg(strncmp(text, begins, strlen(begins)) == 0, "%s", text);
    ck_assert_uint_eq(strlen(text), strlen(begins) + strlen("26-11-21T10:00:00Z"
                                                            "\"}]}\n"));
}

START_TEST(as_json_no_game_tells_who_is_awaited)
{
    ck_assert_int_eq(run(command_games, "games", "--json"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "{\"games\":[]}\n");
    room_says(&room, "Mo", "!new players=5 ballot=sealed vote_closes=all");
    ck_assert_int_eq(run(command_games, "games", "--json"), EXIT_DONE);
    ck_assert_str_eq(
        buf_text(&said),
        "{\"games\":[{\"table\":\"1\",\"place\":\"board\",\"state\":"
        "\"signup\",\"held\":false,\"round\":0,\"deadline\":null}]}"
        "\n");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    assert_tells_nobody();
    room_names(&room, room_choice(&room));
    assert_tells_nobody();
    room_tells(&room, room_awaited(&room), "ja");
    assert_tells_nobody();
    room_votes(&room, true);
    assert_tells_nobody();
    room_shut(&room);
    room_alter(&room, "store.db", "UPDATE game SET held = 1");
    ck_assert_int_eq(run(command_games, "games", "--json"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(
        buf_text(&said), "\"state\":\"held\",\"held\":true,\"round\":1,"));
    room_alter(&room, "store.db", "UPDATE game SET held = 0");
    room_open(&room);
    end_game();
    ck_assert_int_eq(run(command_games, "games", "--json"), EXIT_DONE);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&said), "\"state\":\"over\",\"held\":false,\"round\":1,"
                                "\"deadline\":null,\"ending\":\"abandoned\"}"));
}
END_TEST

/* Before the deal there are no roles and no cards to be told of; from then on
 * every look is. */
START_TEST(a_look_at_a_game_is_told_once_there_is_something_to_see)
{
    room_says(&room, "Mo", "!new players=5");
    ck_assert_int_eq(run(command_show, "show", "1 --host"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "Nothing is dealt yet."));
    ck_assert_int_eq(run(command_record, "record", "1"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "\"event\":\"opened\""));
    ck_assert_int_eq(run(command_record, "record", "1 --host"), EXIT_DONE);
    room_waits(&room, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 0);
    end_game();

    room_begin(&room, 5);
    ck_assert_int_eq(run(command_record, "record", "2"), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "all roles and cards"));
    ck_assert_int_eq(run(command_show, "show", "2 --host"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "Deck, top first: "));
    room_waits(&room, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "has looked"), 1);
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
    tcase_add_test(tests, a_finished_game_is_listed_from_its_row);
    tcase_add_test(tests, games_are_listed_in_their_order);
    tcase_add_test(tests, as_json_no_game_tells_who_is_awaited);
    tcase_add_test(tests,
                   a_look_at_a_game_is_told_once_there_is_something_to_see);
    suite_add_tcase(suite, tests);
    return suite;
}
