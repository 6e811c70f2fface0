/*
 * The status post: one a game, edited in place, right in every phase.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/words/status.h"
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

static const char *
status(void)
{
    return room_status(&room)->text;
}

START_TEST(before_a_round_has_ended_the_history_says_so)
{
    begin(5);
    room_says(&room, "Anna", "!history");
    assert_holds(room_said(&room), "no round has ended yet");
    room_governs(&room, 1, false);
    room_says(&room, "Anna", "!history");
    assert_lacks(room_said(&room), "no round has ended yet");
}
END_TEST

START_TEST(where_posts_are_short_the_oldest_rounds_make_room)
{
    struct rich out = {.count = 0};
    struct buf body = BUF_INIT;
    begin(5);
    room_governs(&room, 1, false);
    room_governs(&room, 3, false);
    struct capabilities capabilities = adapter_board.capabilities;
    struct host_env env = {.catalogue = stage_catalogue(room.stage, NULL),
                           .dialect = &dialect_board,
                           .capabilities = &capabilities,
                           .zone = zone_utc()};
    status_say(&env, room_table(&room), &out);
    assert_holds(buf_text(&out.text), "Round 1:");
    assert_holds(buf_text(&out.text), "So far:");
    dialect_board.write(&out, &body);
    capabilities.longest =
        length_of(LENGTH_POINTS, buf_text(&body), body.len) - 1;
    status_say(&env, room_table(&room), &out);
    assert_lacks(buf_text(&out.text), "Round 1:");
    assert_holds(buf_text(&out.text), "Round 2:");
    assert_holds(buf_text(&out.text), "So far (one round before: !history)");
    buf_release(&body);
    rich_release(&out);
}
END_TEST

/* Of a story that goes on changing, the first and the last three are kept: a
 * player can't fill the post, nor push out what others have said. */
START_TEST(the_first_story_stays_and_the_latest_three)
{
    static const char *const stories[] = {"FFF", "FFL", "FLF", "LFF",
                                          "LLF", "LLF", "FFF"};
    begin(5);
    room_governs(&room, 1, false);
    room_says(&room, "Bob", "!claim FF");
    for (size_t i = 0; i < sizeof stories / sizeof stories[0]; i++) {
        char post[32];
        snprintf(post, sizeof post, "!claim %s", stories[i]);
        room_says(&room, "Anna", post);
    }
    assert_holds(status(), "Bob says FF · Anna");
    assert_holds(status(), "Anna says FFF, then LFF, then LLF, then FFF");
}
END_TEST

/* At many services a user's id is a number. */
START_TEST(who_may_start_is_called_by_name)
{
    room_open(&room);
    room_delivers(&room, &(struct odd_post){.id = "p1",
                                            .who = "Mo",
                                            .shown = "Maureen",
                                            .text = "!new players=5-6",
                                            .stamp = room.stage->now});
    assert_holds(status(), "or when Maureen posts !start ");
    room_delivers(&room, &(struct odd_post){.id = "p2",
                                            .who = "Mo",
                                            .shown = "Momo",
                                            .text = "!join",
                                            .stamp = room.stage->now});
    assert_holds(status(), "or when Momo posts !start ");
}
END_TEST

START_TEST(the_opening_post_tells_how_long_a_round_takes)
{
    static const struct {
        const char *options, *said;
    } cases[] = {
        {"",
         "a round takes up to 2d (3d12h with a veto and a power), a whole game "
         "two to four weeks. Ten minutes twice a day is plenty."},
        {" election=7d nomination=3d power=2d",
         "a round takes up to 8d (10d12h with a veto and a power), a whole game "
         "eight to 16 weeks. Ten minutes twice a day is plenty."},
        {" daily=21:00 veto=1d",
         "a round takes up to 3d (5d with a veto and a power), a whole game "
         "three to six weeks. Ten minutes twice a day is plenty."},
        {" quiet=23:00-07:00 president=6h",
         "a round takes up to 1d18h (3d6h with a veto and a power; nights and "
         "days off not counted), a whole game two to four weeks.\n"},
        {" election=10m nomination=5m president=5m chancellor=5m veto=5m "
         "power=10m",
         "a round takes up to 20m (35m with a veto and a power).\n"},
    };
    struct buf order = BUF_INIT;
    buf_addf(&order, "!new players=5%s", cases[_i].options);
    room_open(&room);
    room_says(&room, "Mo", buf_text(&order));
    assert_holds(room_status(&room)->text, cases[_i].said);
    buf_release(&order);
}
END_TEST

START_TEST(the_opening_post_becomes_the_status_post)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5-6");
    int64_t id = room_status(&room)->id;
    assert_holds(
        status(),
        "A table of Secret Hitler is open, for 5 to 6 players: table 1.");
    assert_holds(status(), "Signed up so far: nobody yet.");
    assert_holds(status(), "as soon as 6 have joined, or when Mo posts !start "
                           "with at least 5.");
    room_says(&room, "Anna", "!join");
    room_says(&room, "Bob", "!join");
    assert_holds(status(), "Signed up so far (2): Anna, Bob.");
    for (unsigned i = 2; i < 6; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_status(&room)->id, id);
    assert_holds(status(), "Secret Hitler, table 1 · round 1\n");
    room_governs(&room, 1, false);
    room_governs(&room, 2, false);
    ck_assert_int_eq(room_status(&room)->id, id);
    ck_assert_uint_eq(room_count_said(&room, "Secret Hitler, table 1"), 1);
}
END_TEST

START_TEST(a_sign_up_of_one_number_says_it_once)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=7");
    assert_holds(status(), "for 7 players: table 1.");
    assert_holds(status(), "We start as soon as 7 have joined. ");
}
END_TEST

START_TEST(each_phase_has_its_line)
{
    begin(7);
    assert_holds(status(), "Anna has to name a Chancellor by Sat 21 Nov, "
                           "22:00 UTC.");
    room_names(&room, 1);
    assert_holds(status(), "Vote on President Anna and Chancellor Bob, until "
                           "Sun 22 Nov, 10:00 UTC. 0 of 7 have voted; 4 Ja "
                           "elect. Missing: Anna, Bob, Carl, Dora, Emil, "
                           "Frida, Gert.");
    room_says(&room, "Carl", "**Ja!**");
    assert_holds(status(), "1 of 7 has voted; 4 Ja elect. Missing: Anna, "
                           "Bob, Dora, Emil, Frida, Gert.");
    room_votes(&room, true);
    assert_holds(status(), "President Anna and Chancellor Bob are in "
                           "session, until Sun 22 Nov, 10:00 UTC.");
    room_discards(&room, true);
    assert_holds(status(), "are in session, until Sun 22 Nov, 10:00 UTC.");
    room_enacts(&room, false);
    room_govern_to(&room, 2);
    assert_holds(status(), "President Bob has a power to use "
                           "(investigation), by Sun 22 Nov, 10:00 UTC.");
}
END_TEST

START_TEST(a_veto_has_its_line)
{
    begin(7);
    room_govern_to(&room, 5);
    assert_holds(status(), "has a power to use (execution), by");
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto**");
    assert_holds(status(), "wants a veto; President ");
    assert_holds(status(), " has until ");
}
END_TEST

START_TEST(seats_stand_in_order_with_their_marks)
{
    begin(7);
    assert_holds(status(), "Seats: 1 Anna (candidate), 2 Bob, 3 Carl, 4 Dora, "
                           "5 Emil, 6 Frida, 7 Gert\n");
    room_names(&room, 1);
    assert_holds(status(), "1 Anna (candidate), 2 Bob (nominee), 3 Carl,");
    room_votes(&room, true);
    assert_holds(status(), "1 Anna (President), 2 Bob (Chancellor), 3 Carl,");
    room_discards(&room, true);
    room_enacts(&room, false);
    assert_holds(status(), "1 Anna (not eligible), 2 Bob "
                           "(candidate), 3 Carl,");
    room_govern_to(&room, 4);
    room_names(&room, 5);
    assert_holds(status(), "6 Frida (executed)");
}
END_TEST

START_TEST(a_vacant_seat_is_marked)
{
    room_set(&room, "misses", "1");
    begin(5);
    room_expires(&room);
    assert_holds(status(), "1 Anna (vacant), 2 Bob (candidate)");
}
END_TEST

START_TEST(every_round_that_is_over_has_its_line)
{
    begin(5);
    assert_lacks(status(), "So far:");
    room_rejects(&room);
    assert_holds(status(), "\n\nSo far:\nRound 1: Anna and Bob, rejected 0 to "
                           "3");
    room_expires(&room);
    assert_holds(status(), "\nRound 2: Bob, nobody nominated");
    room_rejects(&room);
    assert_holds(status(), "\nRound 3: Carl and Anna, rejected 0 to 3; chaos: "
                           "Fascist");
    room_governs(&room, 4, false);
    assert_holds(status(), "\nRound 4: Dora and Emil, elected 3 to 0, Fascist "
                           "policy");
    assert_lacks(status(), "Round 5:");
    assert_holds(status(), "Tracker 0 of 3");
}
END_TEST

START_TEST(an_agreed_veto_has_its_line)
{
    begin(7);
    room_govern_to(&room, 5);
    room_names(&room, 0);
    uint32_t round = room_game(&room)->round;
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto**");
    room_says(&room, room_awaited(&room), "**Approved**");
    char line[32];
    snprintf(line, sizeof line, "Round %u: ", (unsigned)round);
    const char *at = strstr(status(), line);
    ck_assert_ptr_nonnull(at);
    assert_holds(at, "elected 3 to 0, veto");
}
END_TEST

START_TEST(after_the_end_it_says_so)
{
    begin(5);
    room_govern_to(&room, 3);
    room_names(&room, 4); /* Hitler */
    room_votes(&room, true);
    ck_assert_ptr_null(stage_table(room.stage));
    assert_holds(status(), "Secret Hitler, table 1\nThe game is over: the "
                           "Fascists won with Hitler as Chancellor.\n");
    assert_holds(status(), "Round 4: Dora and Emil, elected 3 to 0");
    assert_lacks(status(), "Hitler.");
}
END_TEST

START_TEST(the_status_is_told_on_demand_where_it_was_asked)
{
    begin(5);
    room_says(&room, "Bob", "!status");
    ck_assert_uint_eq(room_count_said(&room, "has to name a Chancellor"), 2);
    assert_holds(room_said(&room), "Secret Hitler, table 1 · round 1\nAnna");
    room_tells(&room, "Bob", "!status");
    assert_holds(room_told(&room, "Bob"), "Anna has to name a Chancellor");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/status");
    TCase *tcase = tcase_create("status");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, before_a_round_has_ended_the_history_says_so);
    tcase_add_test(tcase, where_posts_are_short_the_oldest_rounds_make_room);
    tcase_add_test(tcase, the_first_story_stays_and_the_latest_three);
    tcase_add_test(tcase, who_may_start_is_called_by_name);
    tcase_add_loop_test(tcase, the_opening_post_tells_how_long_a_round_takes, 0,
                        5);
    tcase_add_test(tcase, the_opening_post_becomes_the_status_post);
    tcase_add_test(tcase, a_sign_up_of_one_number_says_it_once);
    tcase_add_test(tcase, each_phase_has_its_line);
    tcase_add_test(tcase, a_veto_has_its_line);
    tcase_add_test(tcase, seats_stand_in_order_with_their_marks);
    tcase_add_test(tcase, a_vacant_seat_is_marked);
    tcase_add_test(tcase, every_round_that_is_over_has_its_line);
    tcase_add_test(tcase, an_agreed_veto_has_its_line);
    tcase_add_test(tcase, after_the_end_it_says_so);
    tcase_add_test(tcase, the_status_is_told_on_demand_where_it_was_asked);
    suite_add_tcase(suite, tcase);
    return suite;
}
