/*
 * The public board, from a record: as the engine has it after each step.
 */
#include <string.h>

#include <check.h>

#include "bot/record/record_board.h"
#include "tests/support/random_record.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"

static struct public_board board;

static void
look(struct scripted *scripted)
{
    const struct record_game *game = scripted_game(scripted);
    record_board(game, game->line_count, &board);
}

/* What everybody may count is what the engine counts. */
static void
assert_same(struct scripted *scripted)
{
    const struct game *game = &scripted->engine.game;
    look(scripted);
    ck_assert_uint_eq(board.players, game->players);
    ck_assert_uint_eq(board.round, game->round);
    ck_assert_uint_eq(board.liberal, game->liberal);
    ck_assert_uint_eq(board.fascist, game->fascist);
    ck_assert_uint_eq(board.tracker, game->tracker);
    ck_assert_uint_eq(board.deck, game->draw.count);
    ck_assert(board.over == game_is_over(game));
    if (!game->in_session) {
        ck_assert_uint_eq(board.discards,
                          game->discarded_liberal + game->discarded_fascist);
    }
}

START_TEST(a_board_follows_the_game_from_line_to_line)
{
    struct scripted *scripted =
        scripted_begin(7, "play-by-post", scripted_deck);
    assert_same(scripted);
    scripted_rejected(scripted);
    assert_same(scripted);
    scripted_elected(scripted, scripted_nominee(scripted));
    assert_same(scripted);
    scripted_session(scripted, false);
    assert_same(scripted);
    for (int i = 0; i < 3; i++) { /* the third brings chaos */
        scripted_rejected(scripted);
        scripted_reshuffled(scripted);
        assert_same(scripted);
    }
    scripted_fascist(scripted, 1);
    assert_same(scripted);
    scripted_end(scripted);
}
END_TEST

START_TEST(who_is_named_is_candidate_and_nominee_then_president_and_chancellor)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    look(scripted);
    ck_assert_int_eq(board.seats[0].mark, SEAT_CANDIDATE);
    ck_assert_int_eq(board.seats[2].mark, SEAT_PLAIN);
    scripted_do(
        scripted,
        (struct command){.kind = COMMAND_NOMINATE, .seat = 0, .target = 2});
    look(scripted);
    ck_assert_int_eq(board.seats[0].mark, SEAT_CANDIDATE);
    ck_assert_int_eq(board.seats[2].mark, SEAT_NOMINEE);
    scripted_votes(scripted, true);
    look(scripted);
    ck_assert_int_eq(board.seats[0].mark, SEAT_PRESIDENT);
    ck_assert_int_eq(board.seats[2].mark, SEAT_CHANCELLOR);
    scripted_session(scripted, false);
    look(scripted);
    ck_assert_int_eq(board.seats[0].mark, SEAT_LIMITED);
    ck_assert_int_eq(board.seats[1].mark, SEAT_CANDIDATE);
    ck_assert_int_eq(board.seats[2].mark, SEAT_LIMITED);
    scripted_end(scripted);
}
END_TEST

START_TEST(in_a_session_nobody_sees_whether_the_president_has_discarded)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    struct public_board before;
    scripted_elected(scripted, 2);
    look(scripted);
    before = board;
    scripted_do(scripted, (struct command){.kind = COMMAND_DISCARD, .seat = 0});
    look(scripted);
    ck_assert_mem_eq(&before, &board, sizeof board);
    scripted_end(scripted);
}
END_TEST

START_TEST(how_somebody_votes_changes_no_board)
{
    struct scripted *scripted = scripted_begin(5, "official", scripted_deck);
    struct public_board before;
    scripted_do(
        scripted,
        (struct command){.kind = COMMAND_NOMINATE, .seat = 0, .target = 2});
    look(scripted);
    before = board;
    scripted_do(scripted,
                (struct command){.kind = COMMAND_VOTE, .seat = 3, .yes = true});
    look(scripted);
    ck_assert_mem_eq(&before, &board, sizeof board);
    scripted_end(scripted);
}
END_TEST

START_TEST(a_line_that_was_undone_changes_no_board)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    struct public_board before;
    unsigned seq = scripted->seq - 1;
    look(scripted);
    before = board;
    scripted_rejected(scripted);
    look(scripted);
    ck_assert_uint_eq(board.tracker, 1);
    scripted_write(scripted,
                   (struct record_line){.kind = RECORD_REWOUND, .to = seq});
    look(scripted);
    ck_assert_mem_eq(&before, &board, sizeof board);
    scripted_end(scripted);
}
END_TEST

START_TEST(a_line_undone_inside_of_what_is_undone_stands_again_nowhere)
{
    struct record_line lines[] = {
        {.kind = RECORD_NOTED},
        {.kind = RECORD_NOTED},
        {.kind = RECORD_REWOUND, .to = 0},
        {.kind = RECORD_NOTED},
        {.kind = RECORD_REWOUND, .to = 2},
        {.kind = RECORD_NOTED},
    };
    const struct record_game game = {.lines = lines, .line_count = 6};
    const bool expected[] = {true, false, true, false, true, true};
    bool stands[6];
    record_standing(&game, 6, stands);
    ck_assert_mem_eq(stands, expected, sizeof stands);
}
END_TEST

START_TEST(a_seat_that_is_vacant_is_marked_until_somebody_takes_it)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    scripted_do(scripted,
                (struct command){.kind = COMMAND_VACATE, .target = 3});
    look(scripted);
    ck_assert_int_eq(board.seats[3].mark, SEAT_VACANT);
    scripted_end(scripted);
}
END_TEST

START_TEST(whatever_the_record_the_board_has_its_form)
{
    struct buf text = BUF_INIT;
    struct record record;
    struct buf why = BUF_INIT;
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "play-by-post"));
    random_record_write(&text, 5 + (unsigned)_i % 6, "play-by-post", &rules,
                        (uint64_t)_i);
    ck_assert_int_eq(record_read(buf_text(&text), text.len, &record, &why),
                     ERR_NONE);
    const struct record_game *game = &record.games[0];
    for (size_t count = 0; count <= game->line_count; count++) {
        record_board(game, count, &board);
        ck_assert_uint_le(board.liberal, LIBERAL_WIN);
        ck_assert_uint_le(board.fascist, FASCIST_WIN);
        ck_assert_uint_le(board.tracker, TRACKER_CHAOS);
        unsigned tiles =
            board.deck + board.discards + board.liberal + board.fascist;
        ck_assert(tiles == TILES || tiles == TILES - HAND_TILES);
    }
    record_release(&record);
    buf_release(&text);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("record_board");
    TCase *tests = tcase_create("record_board");
    tcase_add_test(tests, a_board_follows_the_game_from_line_to_line);
    tcase_add_test(
        tests,
        who_is_named_is_candidate_and_nominee_then_president_and_chancellor);
    tcase_add_test(
        tests, in_a_session_nobody_sees_whether_the_president_has_discarded);
    tcase_add_test(tests, how_somebody_votes_changes_no_board);
    tcase_add_test(tests, a_line_that_was_undone_changes_no_board);
    tcase_add_test(tests,
                   a_line_undone_inside_of_what_is_undone_stands_again_nowhere);
    tcase_add_test(tests,
                   a_seat_that_is_vacant_is_marked_until_somebody_takes_it);
    tcase_add_loop_test(tests, whatever_the_record_the_board_has_its_form, 0,
                        40);
    suite_add_tcase(suite, tests);
    return suite;
}
