/*
 * `board`, `report` and `stats` as they are typed: of a record, and of a
 * store's games.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "tests/cli/command_line.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"

static int
run(const char *line)
{
    if (strncmp(line, "stats", 5) == 0) {
        return command_line_run(command_stats, line);
    }
    return command_line_run(
        strncmp(line, "board", 5) == 0 ? command_board : command_report, line);
}

static bool
is_png(const struct buf *bytes)
{
    static const unsigned char begin[] = {0x89, 'P', 'N', 'G'};
    return bytes->len > sizeof begin &&
           memcmp(bytes->data, begin, sizeof begin) == 0;
}

static void
put(const char *name, const struct buf *text)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        file_write(scratch_path(name), buf_text(text), text->len, 0600, &why),
        ERR_NONE);
}

/* game.jsonl: two rounds, of which the first enacts; it ends, or goes on. */
static void
put_game(bool over)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    scripted_policy(scripted, scripted_nominee(scripted), false);
    scripted_rejected(scripted);
    if (over) {
        scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    }
    put("game.jsonl", &scripted->text);
    scripted_end(scripted);
}

/* ---- the board ----------------------------------------------------------- */

START_TEST(a_board_is_a_picture_on_standard_output_or_in_a_file)
{
    struct buf file = BUF_INIT;
    put_game(false);
    ck_assert_int_eq(run("board @game.jsonl"), EXIT_DONE);
    ck_assert(is_png(&said));
    ck_assert_int_eq(run("board @game.jsonl -o @board.png"), EXIT_DONE);
    ck_assert_uint_eq(said.len, 0);
    command_line_read("board.png", &file);
    ck_assert(is_png(&file));
    buf_release(&file);
}
END_TEST

static const struct {
    const char *line, *says;
} states[] = {
    {"board @game.jsonl --alt", "Round 3. "},
    {"board @game.jsonl --alt --round 1", "Fascist: 1 of 6; "},
    {"board @game.jsonl --alt --round 2", "Tracker: 1 of 3."},
    {"board @game.jsonl --alt --line 4", "Round 1. "},
    {"board @game.jsonl --alt --line 5", "(nominee)"},
    {"board @game.jsonl --alt --line 3", "Deck: 17"},
    {"board @game.jsonl --alt --line 999999", "Round 3. "},
    {"board @game.jsonl --alt --language en", "The board."},
    {"board @game.jsonl --alt --language fr", "Le plateau."},
    {"board @game.jsonl --alt --theme prison", "Sanction: 1 of 6; "},
    {"board @game.jsonl --alt --language fr --theme prison", "Sanctions"},
};

START_TEST(any_state_of_a_record_can_be_drawn)
{
    put_game(false);
    ck_assert_int_eq(run(states[_i].line), EXIT_DONE);
    ck_assert_msg(strstr(buf_text(&said), states[_i].says) != NULL, "%s: %s",
                  states[_i].line, buf_text(&said));
    ck_assert_uint_eq(errors.len, 0);
}
END_TEST

static const struct {
    const char *line;
    int code;
    const char *says;
} mistakes[] = {
    {"board", EXIT_USAGE, "of which game?"},
    {"board @game.jsonl more", EXIT_USAGE, "of which game?"},
    {"board @game.jsonl --line 4 --round 1", EXIT_USAGE, "not both"},
    {"board @game.jsonl --line", EXIT_USAGE, "needs a value"},
    {"board @game.jsonl --colour", EXIT_USAGE, "unknown option"},
    {"board @game.jsonl --line 1", EXIT_FAULT, "there is no board at line 1"},
    {"board @game.jsonl --line x", EXIT_FAULT, "there is no board at line x"},
    {"board @game.jsonl --line -4", EXIT_FAULT, "there is no board at line -4"},
    {"board @game.jsonl --round 9", EXIT_FAULT, "there is no board at round 9"},
    {"board @game.jsonl --game other", EXIT_FAULT, "there is no game other"},
    {"board @game.jsonl --language xx", EXIT_FAULT, "there is no language"},
    {"board @game.jsonl --theme space", EXIT_FAULT, "one of the themes"},
    {"board @none.jsonl", EXIT_FAULT, "none.jsonl"},
    {"board @game.jsonl -o @no/folder.png", EXIT_FAULT, "folder.png"},
    {"report", EXIT_USAGE, "of which game?"},
    {"report @game.jsonl", EXIT_FAULT, "has not ended"},
    {"report @none.jsonl", EXIT_FAULT, "none.jsonl"},
};

START_TEST(what_is_wrong_is_said_on_standard_error)
{
    put_game(false);
    ck_assert_int_eq(run(mistakes[_i].line), mistakes[_i].code);
    ck_assert_msg(strstr(buf_text(&errors), mistakes[_i].says) != NULL,
                  "%s: %s", mistakes[_i].line, buf_text(&errors));
    ck_assert_uint_eq(said.len, 0);
}
END_TEST

START_TEST(a_record_of_several_games_needs_a_word_which)
{
    struct buf text = BUF_INIT;
    struct buf two = BUF_INIT;
    put_game(true);
    command_line_read("game.jsonl", &text);
    buf_add_buf(&two, &text);
    buf_add_buf(&two, &text);
    put("game.jsonl", &two);
    ck_assert_int_eq(run("report @game.jsonl"), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "--game ID"));
    ck_assert_uint_eq(said.len, 0);
    buf_release(&text);
    buf_release(&two);
}
END_TEST

START_TEST(a_file_that_is_no_record_is_refused)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, "no record\n");
    put("game.jsonl", &text);
    ck_assert_int_eq(run("board @game.jsonl"), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "line 1"));
    ck_assert_int_eq(run("report @game.jsonl"), EXIT_FAULT);
    ck_assert_uint_eq(said.len, 0);
    buf_release(&text);
}
END_TEST

/* ---- the report ---------------------------------------------------------- */

START_TEST(a_finished_record_makes_a_page)
{
    struct buf file = BUF_INIT;
    put_game(true);
    ck_assert_int_eq(run("report @game.jsonl"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "<!DOCTYPE html>"));
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "</html>"));
    ck_assert_int_eq(run("report @game.jsonl -o @page.html"), EXIT_DONE);
    ck_assert_uint_eq(said.len, 0);
    command_line_read("page.html", &file);
    ck_assert_ptr_nonnull(strstr(buf_text(&file), "</html>"));
    ck_assert_int_eq(run("report @game.jsonl --language nl --theme prison"),
                     EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "lang=\"nl\""));
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "Secret Directeur"));
    ck_assert_ptr_null(strstr(buf_text(&said), "Hitler<"));
    buf_release(&file);
}
END_TEST

/* ---- of the store -------------------------------------------------------- */

/* A configuration for the room's store. */
static void
put_conf_with(const struct room *room, const char *publish)
{
    struct buf text = BUF_INIT;
    buf_addf(&text,
             "store = \"%s\";\nboard = \"%s\";\n"
             "places = ( { name = \"board\"; service = \"board\"; "
             "publish = \"%s\"; } );\n",
             room_path(room, "store.db"), room_path(room, "board.db"), publish);
    put("placard.cfg", &text);
    buf_release(&text);
}

static void
put_conf(const struct room *room)
{
    put_conf_with(room, "names");
}

/* A moderator ends the game that is on. */
static void
abandon(struct room *room)
{
    room_says(room, "Mo", "!end enough");
    room_read(room);
    const char *yes = strstr(room_said(room), "!yes ");
    ck_assert_ptr_nonnull(yes);
    char confirm[32];
    (void)snprintf(confirm, sizeof confirm, "%.*s",
                   5 + (int)strspn(yes + 5, "0123456789"), yes);
    room_says(room, "Mo", confirm);
}

START_TEST(a_game_of_the_store_is_drawn_and_told_after_its_end_alone)
{
    struct room room;
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    room_rejects(&room);
    put_conf(&room);
    ck_assert_int_eq(run("board -c @placard.cfg 1 --alt"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "1 Anna, 2 Bob (candidate)"));
    ck_assert_int_eq(run("report -c @placard.cfg 1"), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "has not ended"));
    ck_assert_uint_eq(said.len, 0);
    abandon(&room);
    ck_assert_int_eq(run("report -c @placard.cfg 1"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "<bdi>Anna</bdi>"));
    ck_assert_int_eq(run("report -c @placard.cfg 77"), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "no game is called"));
    room_release(&room);
}
END_TEST

/* ---- counts -------------------------------------------------------------- */

/* The liberals win a game of five: Hitler is Emil, the fascist is Dora. */
static void
play_to_the_end(struct room *room)
{
    room_begin(room, 5);
    while (room_game(room)->liberal < 4) {
        room_governs(room, room_choice(room), true);
    }
    room_governs(room, room_choice(room), true);
}

START_TEST(finished_games_are_counted_by_place_and_by_player)
{
    struct room room;
    room_init(&room);
    room.deck = "LFFLFFLFFLFFLFFLF";
    room_open(&room);
    room_begin(&room, 5);
    put_conf(&room);
    ck_assert_int_eq(run("stats -c @placard.cfg"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "No game has ended yet."));
    ck_assert_int_eq(run("stats -c @placard.cfg --json"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "{\"places\":[],\"players\":[]}\n");
    abandon(&room);
    play_to_the_end(&room);
    ck_assert_int_eq(run("stats -c @placard.cfg"), EXIT_DONE);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&said), "      1        0          1  "));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&said),
               "    1    1    1 of   1    0 of   0    0 of   0  Anna\n"));
    ck_assert_int_eq(run("stats -c @placard.cfg --json"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(
        buf_text(&said), "\"liberal\":1,\"fascist\":0,\"abandoned\":1}]"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&said),
               "{\"service\":\"board\",\"user\":\"Emil\",\"name\":\"Emil\","
               "\"games\":1,\"won\":0,\"roles\":{"
               "\"liberal\":{\"games\":0,\"won\":0},"
               "\"fascist\":{\"games\":0,\"won\":0},"
               "\"hitler\":{\"games\":1,\"won\":0}}}"));
    ck_assert_int_eq(run("stats 1 -c @placard.cfg"), EXIT_USAGE);
    room_release(&room);
}
END_TEST

/* ---- the site ------------------------------------------------------------ */

static void
put_text(const char *name, const char *words)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, words);
    put(name, &text);
    buf_release(&text);
}

static void
assert_file(const char *name, const char *holds)
{
    struct buf text = BUF_INIT;
    command_line_read(name, &text);
    ck_assert_msg(strstr(buf_text(&text), holds) != NULL, "%s: %s", name,
                  buf_text(&text));
    buf_release(&text);
}

#define SITE "report -c @placard.cfg --site @site"

START_TEST(a_site_has_the_finished_games_and_is_written_where_it_changed)
{
    struct room room;
    struct buf page = BUF_INIT;
    room_init(&room);
    room.deck = "LFFLFFLFFLFFLFFLF";
    room_open(&room);
    play_to_the_end(&room);
    room_begin(&room, 5);
    put_conf(&room);
    ck_assert_int_eq(run(SITE), EXIT_DONE);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&said), "/site: 1 games, 3 pages written\n"));
    ck_assert_int_eq(run("report -c @placard.cfg 1"), EXIT_DONE);
    ck_assert_ptr_null(strstr(buf_text(&said), "index.html"));
    command_line_read("site/game-1.html", &page);
    ck_assert_uint_gt(page.len, said.len);
    assert_file("site/game-1.html", "<a href=\"index.html\">");
    assert_file("site/index.html", "game-1.html");
    ck_assert(!file_exists(scratch_path("site/game-2.html")));
    /* A report that is there is not made again; the index is mended. */
    put_text("site/game-1.html", "kept");
    put_text("site/index.html", "old");
    ck_assert_int_eq(run(SITE), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "1 games, 1 pages written"));
    assert_file("site/game-1.html", "kept");
    assert_file("site/index.html", "game-1.html");
    /* In another language all of them are. */
    ck_assert_int_eq(run(SITE " --language nl"), EXIT_DONE);
    assert_file("site/game-1.html", "lang=\"nl\"");
    assert_file("site/index.html", "lang=\"nl\"");
    abandon(&room);
    ck_assert_int_eq(run(SITE " --language nl"), EXIT_DONE);
    assert_file("site/game-2.html", "</html>");
    command_line_remove("site");
    buf_release(&page);
    room_release(&room);
}
END_TEST

static void
assert_no_name(const char *file)
{
    static const char *const names[] = {"Anna", "Bob", "Carl", "Dora", "Emil"};
    struct buf text = BUF_INIT;
    command_line_read(file, &text);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert_msg(strstr(buf_text(&text), names[i]) == NULL, "%s: %s", file,
                      names[i]);
    }
    buf_release(&text);
}

START_TEST(a_place_publishes_names_seats_or_nothing)
{
    struct room room;
    room_init(&room);
    room.deck = "LFFLFFLFFLFFLFFLF";
    room.fair = true;
    room_open(&room);
    room_begin(&room, 5);
    room_says(&room, "Mo", "!extend 3h for Anna");
    abandon(&room);
    put_conf(&room);
    ck_assert_int_eq(run(SITE), EXIT_DONE);
    assert_file("site/game-1.html", "Anna");
    put_conf_with(&room, "seats");
    ck_assert_int_eq(run(SITE), EXIT_DONE);
    assert_no_name("site/game-1.html");
    assert_no_name("site/place-board.html");
    assert_file("site/game-1.html", "<bdi>Player 5</bdi>");
    assert_file("site/game-1.html", "Left out here: it has the players");
    ck_assert_int_eq(run("stats -c @placard.cfg"), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "board"));
    ck_assert_ptr_null(strstr(buf_text(&said), "player"));
    put_conf_with(&room, "off");
    ck_assert_int_eq(run(SITE), EXIT_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "0 games, 1 pages written"));
    ck_assert_ptr_nonnull(strstr(buf_text(&said), "2 removed"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&errors), "1 finished game is left out: `publish`"));
    ck_assert(!file_exists(scratch_path("site/game-1.html")));
    ck_assert(!file_exists(scratch_path("site/place-board.html")));
    assert_file("site/index.html", "No game has ended yet.");
    ck_assert_int_eq(run("stats -c @placard.cfg"), EXIT_DONE);
    ck_assert_uint_eq(said.len, 0);
    ck_assert_int_eq(run("stats -c @placard.cfg --json"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said), "{\"places\":[],\"players\":[]}\n");
    command_line_remove("site");
    room_release(&room);
}
END_TEST

START_TEST(a_site_takes_no_folder_that_holds_something_else)
{
    struct room room;
    room_init(&room);
    room_open(&room);
    room_begin(&room, 5);
    put_conf(&room);
    ck_assert_int_eq(run("report -c @placard.cfg --site @."), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "holds something else"));
    ck_assert(!file_exists(scratch_path("index.html")));
    ck_assert_int_eq(run(SITE), EXIT_DONE);
    put_text("site/.placard-site", "placard-site/1 of the store 00\n");
    ck_assert_int_eq(run(SITE), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "site of another store"));
    ck_assert_int_eq(run("report -c @placard.cfg --site @no/folder"),
                     EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "no/folder"));
    ck_assert_int_eq(run(SITE " 1"), EXIT_USAGE);
    ck_assert_int_eq(run(SITE " --language xx"), EXIT_FAULT);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors), "there is no language"));
    command_line_remove("site");
    room_release(&room);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/recorded");
    TCase *tests = tcase_create("recorded");
    tcase_add_checked_fixture(tests, command_line_set_up,
                              command_line_tear_down);
    tcase_add_test(tests, a_board_is_a_picture_on_standard_output_or_in_a_file);
    tcase_add_loop_test(tests, any_state_of_a_record_can_be_drawn, 0,
                        sizeof states / sizeof states[0]);
    tcase_add_loop_test(tests, what_is_wrong_is_said_on_standard_error, 0,
                        sizeof mistakes / sizeof mistakes[0]);
    tcase_add_test(tests, a_record_of_several_games_needs_a_word_which);
    tcase_add_test(tests, a_file_that_is_no_record_is_refused);
    tcase_add_test(tests, a_finished_record_makes_a_page);
    tcase_add_test(tests,
                   a_game_of_the_store_is_drawn_and_told_after_its_end_alone);
    tcase_add_test(tests, finished_games_are_counted_by_place_and_by_player);
    tcase_add_test(
        tests, a_site_has_the_finished_games_and_is_written_where_it_changed);
    tcase_add_test(tests, a_place_publishes_names_seats_or_nothing);
    tcase_add_test(tests, a_site_takes_no_folder_that_holds_something_else);
    suite_add_tcase(suite, tests);
    return suite;
}
