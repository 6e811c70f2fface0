/*
 * The verifier: what the record itself asks of its lines, of rewinding above
 * all.
 */
#include <string.h>

#include <check.h>

#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"
#include "tests/support/verdicts.h"

static const struct record_line noted = {.kind = RECORD_NOTED, .text = "so"};

/* ---- the record's own rules ---------------------------------------------- */

START_TEST(lines_of_a_round_stand_in_order)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_policy(scripted, 1, false);
    struct record_game *game = scripted_game(scripted);
    unsigned seq = line_of(game, EVENT_HAND, 1)->seq;
    drop(game, line_of(game, EVENT_HAND, 1));
    assert_broken(game, seq, "record: order within a round");
    scripted_end(scripted);
}
END_TEST

START_TEST(lines_of_the_host_stand_anywhere)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 2);
    scripted_policy(scripted, 4, false);
    scripted_do(scripted, target(2, 6));
    struct record_game *game = scripted_game(scripted);
    for (size_t i = game->line_count; i > 1; i--) {
        insert(game, &game->lines[i - 1], noted);
    }
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(after_the_end_the_table_talks_and_nothing_else)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_do(scripted, plain(COMMAND_ABANDON));
    record_write_revealed(&scripted->text, scripted_head(scripted), NULL,
                          &scripted->engine.game, scripted_names);
    scripted_noted(scripted);
    scripted_write(scripted, (struct record_line){.kind = RECORD_CLAIMED,
                                                  .event = {.cards = {1, 3}}});
    struct record_game *game = scripted_game(scripted);
    struct record_line *claimed = line_of(game, RECORD_CLAIMED, 1);
    assert_legal(game);
    *claimed = (struct record_line){.kind = RECORD_PAUSED};
    renumber(game);
    assert_broken(game, claimed->seq, "record: after the end");
    *claimed = *line_of(game, RECORD_REVEALED, 1);
    renumber(game);
    assert_broken(game, claimed->seq, "record: revealed");
    *claimed = (struct record_line){.kind = RECORD_REWOUND, .to = 3};
    renumber(game);
    assert_broken(game, claimed->seq, "record: after the end");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_roles_revealed_are_those_dealt)
{
    struct scripted *scripted = scripted_begin(7, "official", "FFF");
    scripted_do(scripted, plain(COMMAND_ABANDON));
    record_write_revealed(&scripted->text, scripted_head(scripted), NULL,
                          &scripted->engine.game, scripted_names);
    struct record_game *game = scripted_game(scripted);
    struct record_line *revealed = line_of(game, RECORD_REVEALED, 1);
    revealed->event.target = 0;
    assert_broken(game, revealed->seq, "record: revealed");
    revealed->event.target = NO_SEAT;
    assert_broken(game, revealed->seq, "record: revealed");
    revealed->event.target = 6;
    revealed->event.seats = 3;
    assert_broken(game, revealed->seq, "record: revealed");
    scripted_end(scripted);
}
END_TEST

START_TEST(the_executed_are_not_replaced)
{
    struct scripted *scripted = scripted_begin(5, "official", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_policy(scripted, scripted_nominee(scripted), false);
    scripted_do(scripted, target(3, 2));
    scripted_write(scripted, (struct record_line){
                                 .kind = EVENT_FILLED, .out = "D", .in = "X"});
    struct record_game *game = scripted_game(scripted);
    struct record_line *replaced = line_of(game, EVENT_FILLED, 1);
    assert_legal(game); /* a seat need not be vacant to be taken over */
    replaced->event.seat = 2;
    assert_broken(game, replaced->seq, "record: replaced");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_newcomer_is_meant_by_the_new_name)
{
    struct scripted *scripted = scripted_begin(7, "play-by-post", "");
    scripted_do(scripted, vacate(1));
    scripted_write(scripted, (struct record_line){.kind = EVENT_FILLED,
                                                  .out = "B",
                                                  .in = "New \"1\""});
    struct record_game *game = scripted_game(scripted);
    struct record_line round = {.kind = EVENT_ELECTION,
                                .event = {.kind = EVENT_ELECTION,
                                          .reason = ELECTION_DEADLINE,
                                          .tracker = 1}};
    game->lines[game->line_count++] = round;
    round = (struct record_line){.kind = EVENT_ROUND,
                                 .event = {.kind = EVENT_ROUND, .round = 2}};
    game->lines[game->line_count++] = round;
    renumber(game);
    struct verdict verdict;
    verify_game(game, &verdict);
    ck_assert_str_eq(buf_text(&verdict.why),
                     "`president` must be \"New \\\"1\\\"\"");
    verdict_release(&verdict);
    scripted_end(scripted);
}
END_TEST

/* Seq of the lines of rewinding_tale. */
enum {
    REWIND_ROUND = 3,
    REWIND_NOMINATED = 4,
    REWIND_ELECTION = 12,
    REWIND_HAND = 13,
    REWIND_PASSED = 14,
};

/* A government is elected, and has its hand. */
static struct scripted *
rewinding_scripted(void)
{
    struct scripted *scripted = scripted_begin(7, "official", "LFLFLF");
    scripted_elected(scripted, 1);
    scripted_do(scripted, discard(0, 0));
    return scripted;
}

static struct record_line
known_line(const struct record_game *game)
{
    struct record_line line = {.kind = EVENT_RESHUFFLED,
                               .event = {.kind = EVENT_RESHUFFLED}};
    line.event.cards = game->lines[2].event.cards;
    return line;
}

static void
add(struct record_game *game, struct record_line line)
{
    game->lines[game->line_count++] = line;
    renumber(game);
}

static void
add_rewound(struct record_game *game, unsigned to)
{
    add(game, (struct record_line){.kind = RECORD_REWOUND, .to = to});
}

START_TEST(what_was_rewound_is_played_again)
{
    struct scripted *scripted = rewinding_scripted();
    struct record_game *game = scripted_game(scripted);
    add_rewound(game, REWIND_HAND);
    struct record_line passed = game->lines[REWIND_PASSED];
    add(game, passed);
    assert_legal(game);
    add(game, passed);
    assert_broken(game, REWIND_PASSED + 3, "record: order within a round");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_known_draw_pile_is_reshuffled_at_once)
{
    struct scripted *scripted = rewinding_scripted();
    struct record_game *game = scripted_game(scripted);
    unsigned next = (unsigned)game->line_count + 1;
    add_rewound(game, REWIND_NOMINATED);
    assert_legal(game);
    add(game, noted);
    assert_broken(game, next, "record: rewound");
    game->lines[next] = game->lines[5];
    renumber(game);
    assert_broken(game, next, "record: rewound");
    game->lines[next] = known_line(game);
    game->lines[next].event.cards.liberal ^= 1;
    renumber(game);
    assert_broken(game, next, "record: rewound");
    game->lines[next] = known_line(game);
    renumber(game);
    assert_legal(game);
    add(game, game->lines[next]);
    assert_broken(game, next + 1, "Legislative session 4");
    scripted_end(scripted);
}
END_TEST

/* Between the election and its hand nobody is awaited, and yet it stands. */
START_TEST(rewinding_may_lead_between_the_lines_of_one_step)
{
    struct scripted *scripted = rewinding_scripted();
    struct record_game *game = scripted_game(scripted);
    add_rewound(game, REWIND_ELECTION);
    add(game, known_line(game));
    struct pile *pile = &game->lines[game->line_count - 1].event.cards;
    pile->liberal = 0x3F;
    struct record_line hand = game->lines[REWIND_HAND];
    hand.event.cards.liberal = 7;
    add(game, hand);
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(what_was_undone_does_not_stand)
{
    struct scripted *scripted = rewinding_scripted();
    struct record_game *game = scripted_game(scripted);
    unsigned at = (unsigned)game->line_count;
    add_rewound(game, REWIND_HAND);
    add_rewound(game, REWIND_PASSED);
    assert_broken(game, at + 1, "record: rewound");
    game->lines[at + 1].to = at;
    assert_legal(game);
    game->lines[at + 1].to = at + 1;
    assert_broken(game, at + 1, "record: rewound");
    game->lines[at + 1].to = REWIND_ROUND - 1;
    assert_broken(game, at + 1, "record: rewound");
    scripted_end(scripted);
}
END_TEST

/* The reshuffle that hid what somebody knew was undone with the rest. */
START_TEST(rewinding_a_reshuffle_of_the_known_takes_another)
{
    struct scripted *scripted = rewinding_scripted();
    struct record_game *game = scripted_game(scripted);
    add_rewound(game, REWIND_NOMINATED);
    add(game, known_line(game));
    unsigned reshuffled = (unsigned)game->line_count - 1;
    add(game, game->lines[5]);
    add_rewound(game, reshuffled);
    add(game, game->lines[5]);
    assert_legal(game);
    add_rewound(game, REWIND_ROUND);
    add(game, game->lines[REWIND_NOMINATED]);
    assert_broken(game, (unsigned)game->line_count - 1, "record: rewound");
    scripted_end(scripted);
}
END_TEST

START_TEST(a_vacated_seat_is_not_rewound)
{
    struct scripted *scripted = rewinding_scripted();
    scripted_do(scripted, vacate(5));
    struct record_game *game = scripted_game(scripted);
    add_rewound(game, REWIND_HAND);
    assert_broken(game, (unsigned)game->line_count - 1, "record: rewound");
    game->lines[game->line_count - 1].to = REWIND_PASSED + 1;
    assert_legal(game);
    scripted_end(scripted);
}
END_TEST

START_TEST(a_game_that_is_won_is_not_rewound)
{
    struct scripted *scripted = scripted_begin(7, "official", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_elected(scripted, 6);
    struct record_game *game = scripted_game(scripted);
    struct record_line *ended = line_of(game, EVENT_ENDED, 1);
    unsigned seq = ended->seq;
    insert(game, ended, noted);
    assert_legal(game);
    game->lines[seq] = (struct record_line){.kind = RECORD_REWOUND, .to = 5};
    renumber(game);
    assert_broken(game, seq, "Election 4");
    scripted_end(scripted);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("verify: record");
    TCase *tcase = tcase_create("verify: record");
    tcase_add_test(tcase, lines_of_a_round_stand_in_order);
    tcase_add_test(tcase, lines_of_the_host_stand_anywhere);
    tcase_add_test(tcase, after_the_end_the_table_talks_and_nothing_else);
    tcase_add_test(tcase, the_roles_revealed_are_those_dealt);
    tcase_add_test(tcase, the_executed_are_not_replaced);
    tcase_add_test(tcase, a_newcomer_is_meant_by_the_new_name);
    tcase_add_test(tcase, what_was_rewound_is_played_again);
    tcase_add_test(tcase, a_known_draw_pile_is_reshuffled_at_once);
    tcase_add_test(tcase, rewinding_may_lead_between_the_lines_of_one_step);
    tcase_add_test(tcase, what_was_undone_does_not_stand);
    tcase_add_test(tcase, rewinding_a_reshuffle_of_the_known_takes_another);
    tcase_add_test(tcase, a_vacated_seat_is_not_rewound);
    tcase_add_test(tcase, a_game_that_is_won_is_not_rewound);
    suite_add_tcase(suite, tcase);
    return suite;
}
