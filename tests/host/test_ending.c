/*
 * The last post, for every way in which a game can end.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/name.h"
#include "bot/host/words/ending.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
begin(unsigned players)
{
    room_open(&room);
    room_begin(&room, players);
}

/* The game is over; its last post. */
static const char *
last_post(void)
{
    ck_assert_ptr_null(stage_table(room.stage));
    ck_assert_int_eq(stage_due(room.stage), 0);
    return room_said(&room);
}

START_TEST(six_fascist_policies_win)
{
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_discards(&room, true);
    room_tells(&room, room_awaited(&room), "enact F");
    const char *post = last_post();
    assert_holds(post, "enact a FASCIST policy.");
    assert_holds(post, "Fascist 6 of 6 🟥🟥🟥🟥🟥🟥");
    assert_lacks(post, "you may talk again");
    assert_lacks(post, "brings");
    assert_holds(post, "The Fascists win with six Fascist policies!");
    assert_holds(post, "Gert was Hitler. Fascists: Emil, Frida. Liberals: "
                       "Anna, Bob, Carl, Dora.");
    assert_holds(post, "\nRound 1, Anna and Bob: FFL → FF → F\n");
    assert_holds(post, "Thank you, all seven");
    ck_assert_uint_eq(room_count_said(&room, "What was really"), 1);
}
END_TEST

START_TEST(five_liberal_policies_win)
{
    room.deck = "LFFLFFLFFLFFLFFLF";
    begin(5);
    for (unsigned i = 0; i < 5; i++) {
        room_governs(&room, room_choice(&room), true);
    }
    const char *post = last_post();
    assert_holds(post, "The Liberals win with five Liberal policies!");
    assert_holds(post, "Emil was Hitler. Fascist: Dora. Liberals: Anna, Bob, "
                       "Carl.");
    assert_holds(post, "\nRound 1, Anna and Bob: LFF → LF → L");
}
END_TEST

START_TEST(hands_that_make_the_last_post_too_long_get_their_own)
{
    char text[300];
    room.deck = "LFFLFFLFFLFFLFFLF";
    room_open(&room);
    snprintf(text, sizeof text, "Round {round} of %0200d", 0);
    room_word(&room, "end_session", text);
    room_begin(&room, 5);
    for (unsigned i = 0; i < 5; i++) {
        room_governs(&room, room_choice(&room), true);
    }
    const char *post = last_post();
    assert_holds(post, "What was really in the hands");
    assert_holds(post, "Round 5 of 000");
    assert_holds(post, "!report");
    assert_lacks(post, "The Liberals win");
    assert_lacks(post, "Thank you");
    ck_assert_uint_eq(room_count_said(&room, "What was really"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Thank you, all five"), 1);
}
END_TEST

START_TEST(the_execution_of_hitler_wins)
{
    begin(5);
    room_govern_to(&room, 4);
    room_names(&room, 4);
    const char *post = last_post();
    assert_holds(post, "Emil was Hitler. The Liberals win! Executed by "
                       "President Dora in round 4.");
    assert_lacks(post, "executes");
}
END_TEST

START_TEST(hitler_as_chancellor_wins)
{
    begin(5);
    room_govern_to(&room, 3);
    room_names(&room, 4);
    room_votes(&room, true);
    const char *post = last_post();
    assert_holds(post, "Emil is Hitler. The Fascists win! Elected "
                       "Chancellor 3 to 0, with three Fascist policies out.");
    assert_lacks(post, "is not Hitler");
    assert_lacks(post, "in session");
    assert_lacks(post, "Elected, ");
    ck_assert(strstr(post, "Liberals: Anna") < strstr(post, "Ja: Anna"));
}
END_TEST

START_TEST(chaos_can_end_a_game)
{
    room.deck = "LFFLFFLFFLFFLLFFF";
    begin(5);
    for (unsigned i = 0; i < 4; i++) {
        room_governs(&room, room_choice(&room), true);
    }
    for (unsigned i = 0; i < 3; i++) {
        room_rejects(&room);
    }
    const char *post = last_post();
    ck_assert_int_eq(strncmp(post, "The Liberals win with five Liberal", 34),
                     0);
    assert_holds(post, "is enacted unseen. It's LIBERAL");
}
END_TEST

START_TEST(an_agreed_veto_stands_in_the_list_of_sessions)
{
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto**");
    room_says(&room, room_awaited(&room), "**Approved**");
    room_elects(&room, room_choice(&room));
    bool liberal = pile_liberals(room_game(&room)->hand) > 0;
    room_discards(&room, liberal);
    room_tells(&room, room_awaited(&room), "enact F");
    assert_holds(last_post(), " → veto\n");
}
END_TEST

START_TEST(roles_are_out_with_the_last_post_and_not_before)
{
    begin(5);
    room_govern_to(&room, 4);
    ck_assert_uint_eq(room_count_said(&room, "Hitler: "), 0);
    ck_assert_uint_eq(room_count_said(&room, " > "), 0);
    room_names(&room, 4);
    ck_assert_uint_eq(room_count_said(&room, "Emil was Hitler. The"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Emil was Hitler. Fascist"), 0);
}
END_TEST

/* A game that the host ends; the table alone is played. */
static void
say_abandoned(bool dealt, struct buf *out)
{
    struct place place = {.moderator_count = 0};
    struct table table;
    struct host_env env = {.dialect = &dialect_board,
                           .capabilities = &adapter_board.capabilities,
                           .zone = zone_utc(),
                           .place = &place};
    struct rich text = {.count = 0};
    struct events events;
    struct rules rules;
    room_open(&room);
    env.catalogue = stage_catalogue(room.stage, NULL);
    table_init(&table);
    TEXT_COPY(table.id, "9");
    table.state = TABLE_OVER;
    settings_defaults(&table.settings);
    ck_assert(rules_set_preset(&rules, "official"));
    game_init(&table.game, 5, &rules);
    table.seated = 5;
    for (unsigned i = 0; i < 5; i++) {
        name_set(&table.seats[i].user, room_player(i));
        name_set(&table.seats[i].name, room_player(i));
    }
    struct command command = deal(5, "");
    if (dealt) {
        ck_assert_int_eq(game_step(&table.game, &command, &events),
                         REFUSAL_NONE);
    }
    command = plain(COMMAND_ABANDON);
    ck_assert_int_eq(game_step(&table.game, &command, &events), REFUSAL_NONE);
    struct rich hands = {.count = 0};
    ending_say(&env, &table, &text, &hands);
    ck_assert_uint_eq(hands.text.len, 0);
    buf_add_buf(out, &text.text);
    rich_release(&text);
    rich_release(&hands);
    table_release(&table);
}

START_TEST(an_abandoned_game_has_no_winner)
{
    struct buf said = BUF_INIT;
    say_abandoned(true, &said);
    assert_holds(buf_text(&said), "no winner.");
    assert_holds(buf_text(&said), "Emil was Hitler. Fascist: Dora.");
    assert_lacks(buf_text(&said), "What was really");
    buf_release(&said);
}
END_TEST

START_TEST(a_game_that_was_never_dealt_has_no_roles_to_tell)
{
    struct buf said = BUF_INIT;
    say_abandoned(false, &said);
    assert_holds(buf_text(&said), "no winner.");
    assert_lacks(buf_text(&said), "Hitler: ");
    buf_release(&said);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/ending");
    TCase *tcase = tcase_create("ending");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, hands_that_make_the_last_post_too_long_get_their_own);
    tcase_add_test(tcase, six_fascist_policies_win);
    tcase_add_test(tcase, five_liberal_policies_win);
    tcase_add_test(tcase, the_execution_of_hitler_wins);
    tcase_add_test(tcase, hitler_as_chancellor_wins);
    tcase_add_test(tcase, chaos_can_end_a_game);
    tcase_add_test(tcase, an_agreed_veto_stands_in_the_list_of_sessions);
    tcase_add_test(tcase, roles_are_out_with_the_last_post_and_not_before);
    tcase_add_test(tcase, an_abandoned_game_has_no_winner);
    tcase_add_test(tcase, a_game_that_was_never_dealt_has_no_roles_to_tell);
    suite_add_tcase(suite, tcase);
    return suite;
}
