/*
 * Presses of buttons, through a whole host: what is asked about, what counts,
 * who is told what, and what is left of it when the host dies.
 */
/* For memmem.  NOLINTNEXTLINE */
#define _GNU_SOURCE
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/record/verify.h"
#include "bot/tables/hosted.h"
#include "bot/tables/turns/turns_inner.h"
#include "tests/support/fault_disk.h"
#include "tests/support/pressing.h"
#include "tests/support/runner.h"

static struct pressing *pressing;
static struct room *room;

static void
set_up(void)
{
    pressing = pressing_new();
    room = &pressing->room;
}

static void
tear_down(void)
{
    pressing_free(pressing);
}

/* A game whose first candidate, Anna, has named Bob. */
static void
begin_vote(unsigned players)
{
    pressing_open(pressing);
    room_begin(room, players);
    room_names(room, 1);
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
}

static void
assert_shown(const char *part)
{
    ck_assert(pressing->shown.there);
    assert_holds(pressing->shown.text, part);
}

static bool
has_voted(unsigned seat)
{
    return seat_in(seat, room_game(room)->voted);
}

static unsigned
count_in_record(const char *part)
{
    struct buf record = BUF_INIT;
    unsigned count = 0;
    room_record(room, "1", &record);
    for (const char *at = strstr(buf_text(&record), part); at != NULL;
         at = strstr(at + 1, part)) {
        count++;
    }
    buf_release(&record);
    return count;
}

/* ---- votes --------------------------------------------------------------- */

START_TEST(a_vote_is_asked_about_once_and_then_counts)
{
    begin_vote(5);
    ck_assert_uint_eq(pressing->under.count, 2);
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    assert_shown("Ja for Anna and Bob: sure?");
    ck_assert(!has_voted(2));
    ck_assert_uint_eq(pressing->shown.buttons.count, 2);

    pressing_press(pressing, "Carl", pressing_answer(pressing, "No, go back"));
    assert_shown("Nothing was counted");
    ck_assert(!has_voted(2));
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    pressing_press(pressing, "Carl", pressing_answer(pressing, "Yes"));
    assert_shown("Ja for Anna and Bob: your vote counts.");
    ck_assert_uint_eq(pressing->shown.buttons.count, 0);
    ck_assert(has_voted(2));
    ck_assert(seat_in(2, room_game(room)->ja));
}
END_TEST

START_TEST(the_record_says_which_votes_were_pressed)
{
    begin_vote(5);
    pressing_act(pressing, "Carl", "Nein!");
    room_says(room, "Dora", "**Ja!**");
    ck_assert_uint_eq(count_in_record("\"player\":\"Carl\",\"vote\":\"nein\","
                                      "\"by\":\"press\"}"),
                      1);
    ck_assert_uint_eq(count_in_record("\"player\":\"Dora\",\"vote\":\"ja\"}"),
                      1);
}
END_TEST

START_TEST(votes_stand_under_the_call_in_order_pressed_or_posted)
{
    begin_vote(7);
    unsigned before = room_count_said(room, "");
    pressing_act(pressing, "Dora", "Ja!");
    room_says(room, "Carl", "**Nein!**");
    pressing_act(pressing, "Bob", "Ja!");
    room_settle(room);
    ck_assert_uint_eq(room_count_said(room, ""), before);
    const char *call = room_said(room);
    const char *votes =
        strstr(call, "Votes, 3 of 7: Dora: Ja (Sat 21 Nov, 10:00 UTC), "
                     "Carl: Nein (Sat 21 Nov, 10:00 UTC), "
                     "Bob: Ja (Sat 21 Nov, 10:00 UTC).");
    ck_assert_msg(votes != NULL, "%s", call);
    ck_assert_ptr_nonnull(strstr(call, "please vote by"));
    ck_assert_ptr_null(strstr(call, "This vote is over."));
}
END_TEST

START_TEST(the_result_repeats_them_and_the_call_has_no_buttons_then)
{
    begin_vote(5);
    pressing_act(pressing, "Carl", "Ja!");
    room_says(room, "Dora", "**Ja!**");
    pressing_act(pressing, "Emil", "Ja!");
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    room_settle(room);
    ck_assert_uint_eq(room_count_said(room, "Votes, 3 of 5:"), 1);
    ck_assert_uint_eq(room_count_said(room, "Votes, 2 of 5:"), 0);
    ck_assert_uint_eq(room_count_said(room, "Emil: Ja ("), 2);
    ck_assert_uint_eq(room_count_said(room, "Elected"), 1);
    ck_assert_uint_eq(room_count_said(room, "). This vote is over."), 1);
    /* Nor has the call for a nomination. */
    ck_assert_uint_eq(pressing->bared, 2);
}
END_TEST

START_TEST(a_vote_that_nobody_else_answers_is_repeated_when_time_is_up)
{
    begin_vote(5);
    pressing_act(pressing, "Carl", "Nein!");
    room_expires(room);
    ck_assert_uint_eq(room_count_said(room, "Carl: Nein ("), 2);
    ck_assert_uint_eq(room_count_said(room, "Time is up"), 1);
}
END_TEST

START_TEST(a_sealed_ballot_is_told_to_nobody)
{
    room_set(room, "ballot", "sealed");
    begin_vote(5);
    unsigned before = room_count_said(room, "");
    pressing_act(pressing, "Carl", "Nein!");
    ck_assert(has_voted(2));
    ck_assert_uint_eq(room_count_said(room, ""), before);
    ck_assert_uint_eq(room_count_said(room, "Votes, 1 of 5."), 1);
    ck_assert_uint_eq(room_count_said(room, ": Nein ("), 0);
    /* Nor when: all are shown together. */
    room_expires(room);
    ck_assert_uint_eq(room_count_said(room, "Nein: Carl"), 1);
    ck_assert_uint_eq(room_count_said(room, ": Nein ("), 0);
}
END_TEST

START_TEST(whichever_comes_first_counts)
{
    begin_vote(5);
    room_says(room, "Carl", "**Ja!**");
    pressing_press(pressing, "Carl", pressing_button(pressing, "Nein!"));
    ck_assert(pressing->shown.there);
    ck_assert_uint_eq(pressing->shown.buttons.count, 0);
    ck_assert(seat_in(2, room_game(room)->ja));

    pressing_act(pressing, "Dora", "Nein!");
    room_says(room, "Dora", "**Ja!**");
    ck_assert(!seat_in(3, room_game(room)->ja));
    ck_assert_uint_eq(count_in_record("\"event\":\"voted\""), 2);
}
END_TEST

START_TEST(of_two_confirmed_at_the_same_moment_the_first_counts)
{
    begin_vote(5);
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    char ja[BUTTON_ID_MAX + 1];
    TEXT_COPY(ja, pressing_answer(pressing, "Yes"));
    pressing_press(pressing, "Carl", pressing_button(pressing, "Nein!"));
    char nein[BUTTON_ID_MAX + 1];
    TEXT_COPY(nein, pressing_answer(pressing, "Yes"));
    int64_t now = room->stage->now;
    pressing_comes(pressing, "one", "Carl", nein, now);
    pressing_comes(pressing, "two", "Carl", ja, now);
    pressing_comes(pressing, "three", "Dora", ja, now);
    room_settle(room);
    ck_assert_uint_eq(pressing->acknowledged, 5);
    ck_assert(has_voted(2) && !seat_in(2, room_game(room)->ja));
    ck_assert(has_voted(3) && seat_in(3, room_game(room)->ja));
    ck_assert_uint_eq(count_in_record("\"event\":\"voted\""), 2);
}
END_TEST

/* Two moderators, a player who writes and one who presses: none of them knows
 * of the others yet. */
START_TEST(what_comes_at_the_same_moment_is_judged_in_one_order_and_told_to_all)
{
    begin_vote(5);
    struct place *place = &room->stage->conf.places[0];
    TEXT_COPY(place->moderators[place->moderator_count], "Nora");
    place->moderator_count++;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    char ja[BUTTON_ID_MAX + 1];
    TEXT_COPY(ja, pressing_answer(pressing, "Yes"));
    int64_t deadline = room_table(room)->deadline;
    int64_t now = room->stage->now;
    room_posts(room, "Mo", "!extend 2h");
    room_posts(room, "Dora", "**Nein!**");
    pressing_comes(pressing, "one", "Carl", ja, now);
    room_posts(room, "Nora", "!pause tea");
    room_settle(room);
    ck_assert(has_voted(2) && seat_in(2, room_game(room)->ja));
    ck_assert(has_voted(3) && !seat_in(3, room_game(room)->ja));
    ck_assert_int_ne(room_table(room)->paused, false);
    ck_assert_uint_eq(count_in_record("\"event\":\"extended\""), 1);
    ck_assert_uint_eq(count_in_record("\"event\":\"paused\""), 1);
    ck_assert_uint_eq(count_in_record("\"event\":\"voted\""), 2);
    ck_assert_uint_eq(room_count_said(room, "Carl: Ja ("), 1);
    ck_assert_uint_eq(room_count_said(room, "The game is paused: tea"), 1);
    room_says(room, "Mo", "!resume");
    ck_assert_int_ge(room_table(room)->deadline, deadline + 2 * HOUR_MS);
}
END_TEST

START_TEST(people_who_are_not_asked_are_told_so)
{
    begin_vote(5);
    pressing_press(pressing, "Zoe", pressing_button(pressing, "Ja!"));
    assert_shown("isn't yours");
    ck_assert_uint_eq(pressing->shown.buttons.count, 0);
}
END_TEST

START_TEST(an_answer_to_a_press_is_said_nowhere_else)
{
    begin_vote(5);
    unsigned posts = room_count_said(room, "");
    unsigned told = room_count_told(room, "Carl", "");
    room_says(room, "Carl", "**Ja!**");
    pressing_press(pressing, "Carl", pressing_button(pressing, "Nein!"));
    ck_assert(pressing->shown.there);
    pressing_press(pressing, "Carl", "1.2.n3");
    assert_shown("isn't yours");
    ck_assert_uint_eq(room_count_said(room, ""), posts);
    ck_assert_uint_eq(room_count_told(room, "Carl", ""), told);
}
END_TEST

START_TEST(an_old_button_says_that_it_is_over)
{
    begin_vote(5);
    char ja[BUTTON_ID_MAX + 1];
    TEXT_COPY(ja, pressing_button(pressing, "Ja!"));
    room_votes(room, false);
    pressing_press(pressing, "Carl", ja);
    assert_shown("settled");
    unsigned votes = count_in_record("\"event\":\"voted\"");
    /* One of the vote, with the confirmation that was shown in time. */
    pressing_press(pressing, "Carl", "1.2.v1!");
    assert_shown("settled");
    ck_assert_uint_eq(count_in_record("\"event\":\"voted\""), votes);
    /* Of another game, and of nobody's. */
    pressing_press(pressing, "Carl", "99.2.v1!");
    assert_shown("settled");
    pressing_press(pressing, "Carl", "something else");
    assert_shown("settled");
}
END_TEST

/* A moderator gives a command, and confirms it. */
static void
moderates(const char *command)
{
    char yes[24];
    room_says(room, "Mo", command);
    snprintf(yes, sizeof yes, "!yes %u", room_table(room)->asked[0].number);
    room_says(room, "Mo", yes);
}

START_TEST(a_button_of_a_game_on_hold_says_so)
{
    pressing->commands = true;
    begin_vote(5);
    struct tables *tables = &room->stage->tables;
    store_begin(tables->store);
    attempt_hold(tables, hosted_named(tables, "1"), room->stage->now);
    store_commit(tables->store);
    hosted_clear(tables);
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    assert_shown("on hold");
    pressing_press(pressing, "Carl", "99.2.v1!");
    assert_shown("settled");
    pressing_slash(pressing, "Carl", "/vote ja");
    assert_shown("on hold");
}
END_TEST

START_TEST(an_undo_leaves_no_button_of_before)
{
    begin_vote(5);
    char ja[BUTTON_ID_MAX + 1];
    TEXT_COPY(ja, pressing_button(pressing, "Ja!"));
    moderates("!undo");
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    room_names(room, 1);
    ck_assert_str_ne(pressing_button(pressing, "Ja!"), ja);
    pressing_press(pressing, "Carl", ja);
    assert_shown("settled");
    snprintf(ja + strlen(ja), 2, "!");
    pressing_press(pressing, "Carl", ja);
    assert_shown("settled");
    ck_assert(!has_voted(2));
}
END_TEST

START_TEST(a_button_of_a_game_that_is_over_does_nothing)
{
    begin_vote(5);
    moderates("!end");
    pressing_press(pressing, "Anna", pressing->role);
    assert_shown("your role is below");
    pressing_press(pressing, "Zoe", pressing->role);
    assert_shown("isn't yours");
    pressing_press(pressing, "Carl", "1.2.v1!");
    assert_shown("settled");
}
END_TEST

START_TEST(a_seat_is_pressed_for_by_whoever_has_it_now)
{
    room->deck = "FLFFLF";
    pressing_open(pressing);
    room_begin(room, 5);
    room_elects(room, 2);
    char show[BUTTON_ID_MAX + 1];
    TEXT_COPY(show, pressing_button(pressing, "Show my cards"));
    pressing_press(pressing, "Anna", show);
    char card[BUTTON_ID_MAX + 1];
    TEXT_COPY(card, pressing_answer(pressing, "1 Fascist"));
    room_says(room, "Zoe", "!reserve");
    moderates("!replace Anna with Zoe");
    pressing_press(pressing, "Anna", show);
    assert_shown("no cards");
    pressing_press(pressing, "Anna", pressing->role);
    assert_shown("isn't yours");
    snprintf(card + strlen(card), 2, "!");
    pressing_press(pressing, "Anna", card);
    assert_shown("isn't yours");
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    pressing_press(pressing, "Zoe", show);
    ck_assert_uint_eq(pressing->shown.buttons.count, 3);
}
END_TEST

/* ---- names, answers, before the game ------------------------------------- */

START_TEST(a_chancellor_is_named_from_a_menu_of_those_who_can_be)
{
    pressing_open(pressing);
    room_begin(room, 5);
    ck_assert_str_eq(pressing->under.menu, "Name your Chancellor");
    ck_assert_uint_eq(pressing->under.count, 4);
    pressing_press(pressing, "Bob", pressing_button(pressing, "Carl"));
    assert_shown("isn't yours");
    pressing_press(pressing, "Anna", pressing_button(pressing, "Carl"));
    assert_shown("Carl as your Chancellor: sure?");
    pressing_press(pressing, "Anna", pressing_answer(pressing, "Yes"));
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_game(room)->chancellor, 2);
}
END_TEST

START_TEST(a_power_is_used_from_a_menu)
{
    room->deck = "FFFFFFFFFFF";
    pressing_open(pressing);
    room_begin(room, 9);
    room_governs(room, room_choice(room), false);
    ck_assert_int_eq(room_game(room)->question, QUESTION_INVESTIGATE);
    ck_assert_str_eq(pressing->under.menu, "Investigate a player");
    const char *president = room_awaited(room);
    pressing_act(pressing, president, "Emil");
    ck_assert_uint_eq(room_count_said(room, "looked at Emil"), 1);
}
END_TEST

START_TEST(an_execution_is_announced_first)
{
    room_set(room, "second_thought", "15m");
    room->deck = "FFFFFFFFFFF";
    pressing_open(pressing);
    room_begin(room, 5);
    room_govern_to(room, 4);
    ck_assert_int_eq(room_game(room)->question, QUESTION_EXECUTION);
    ck_assert_str_eq(pressing->under.menu, "Execute a player");
    const char *president = room_awaited(room);
    unsigned first = strcmp(president, "Bob") == 0 ? 2 : 1;
    pressing_act(pressing, president, room_name(room, first));
    ck_assert_uint_eq(room_table(room)->announced, first);
    ck_assert_int_eq(room_game(room)->question, QUESTION_EXECUTION);
}
END_TEST

START_TEST(people_join_and_leave_with_buttons)
{
    pressing_open(pressing);
    room_says(room, "Mo", "!new players=5");
    pressing_press(pressing, "Anna", pressing_button(pressing, "Join"));
    assert_shown("You're in: table 1");
    ck_assert_uint_eq(room_table(room)->seated, 1);
    pressing_press(pressing, "Anna", pressing_button(pressing, "Join"));
    ck_assert(pressing->shown.there);
    ck_assert_uint_eq(room_table(room)->seated, 1);
    pressing_press(pressing, "Anna", pressing_button(pressing, "Leave"));
    ck_assert_uint_eq(room_table(room)->seated, 0);
    unsigned posts = room_count_said(room, "");
    pressing_press(pressing, "Bob", pressing_button(pressing, "Leave"));
    assert_shown("isn't yours");
    ck_assert_uint_eq(room_count_said(room, ""), posts);
}
END_TEST

START_TEST(where_a_role_is_needed_only_who_has_it_joins)
{
    pressing_open(pressing);
    struct place *place = &room->stage->conf.places[0];
    TEXT_COPY(place->join_roles[0], "8");
    TEXT_COPY(place->join_roles[1], "81");
    place->join_role_count = 2;
    room_says(room, "Mo", "!new players=5");
    const char *join = pressing_button(pressing, "Join");
    pressing_press(pressing, "Anna", join);
    assert_shown("you need a role that you don't have");
    pressing->roles = "7\n811\n";
    pressing_press(pressing, "Anna", join);
    assert_shown("you need a role that you don't have");
    ck_assert_uint_eq(room_table(room)->seated, 0);
    pressing->roles = "7\n81\n";
    pressing_press(pressing, "Anna", join);
    assert_shown("You're in: table 1");
    ck_assert_uint_eq(room_table(room)->seated, 1);
    room_says(room, "Bob", "!join");
    assert_holds(room_said(room), "I only see yours if you press");
    ck_assert_uint_eq(room_table(room)->seated, 1);

    /* The same of a press that waits its turn. */
    pressing->disordered = true;
    char id[BUTTON_ID_MAX + 1];
    TEXT_COPY(id, join);
    room->stage->now += SECOND_MS;
    pressing_comes(pressing, "waits", "Carl", id, room->stage->now + 1);
    ck_assert_uint_eq(room_table(room)->seated, 1);
    room_waits(room, MINUTE_MS);
    ck_assert_uint_eq(room_table(room)->seated, 2);
}
END_TEST

START_TEST(the_buttons_of_the_sign_up_go_when_it_ends)
{
    pressing_open(pressing);
    room_says(room, "Mo", "!new players=5");
    char join[BUTTON_ID_MAX + 1];
    TEXT_COPY(join, pressing_button(pressing, "Join"));
    for (unsigned i = 0; i < 5; i++) {
        pressing_press(pressing, room_player(i), join);
    }
    ck_assert_int_eq(room_table(room)->state, TABLE_RUNNING);
    ck_assert_uint_eq(pressing->edited.count, 1);
    ck_assert_str_eq(pressing->edited.list[0].label, "Show my role");
    pressing_press(pressing, "Frida", join);
    assert_shown("settled");
}
END_TEST

START_TEST(the_ready_check_is_passed_with_a_button)
{
    room_set(room, "ready_check", "on");
    pressing_open(pressing);
    room_says(room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says(room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_table(room)->state, TABLE_CHECK);
    char ready[BUTTON_ID_MAX + 1];
    TEXT_COPY(ready, pressing_button(pressing, "I'm ready"));
    pressing_press(pressing, "Zoe", ready);
    assert_shown("isn't yours");
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_int_eq(room_table(room)->state, TABLE_CHECK);
        pressing_press(pressing, room_player(i), ready);
        assert_shown("you're ready for table 1");
    }
    ck_assert_int_eq(room_table(room)->state, TABLE_RUNNING);
}
END_TEST

START_TEST(a_sign_up_that_is_open_again_has_its_buttons)
{
    room_set(room, "ready_check", "on");
    pressing_open(pressing);
    room_says(room, "Mo", "!new players=5");
    assert_holds(room_said(room), "press “Join” or post");
    for (unsigned i = 0; i < 5; i++) {
        room_says(room, room_player(i), "!join");
    }
    assert_holds(room_said(room), "please press “I'm ready” by");
    pressing->under.count = 0;
    room_waits(room, 2 * DAY_MS);
    ck_assert_int_eq(room_table(room)->state, TABLE_SIGNUP);
    ck_assert_uint_eq(room_count_said(room, "sign-up is open again until"), 1);
    pressing_press(pressing, "Frida", pressing_button(pressing, "Join"));
    assert_shown("You're in: table 1");
}
END_TEST

/* ---- roles and cards ----------------------------------------------------- */

/* The session of Anna and Carl: three cards, which are known. */
static void
begin_session(const char *deck)
{
    room->deck = deck;
    pressing_open(pressing);
    room_begin(room, 5);
    room_elects(room, 2);
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
}

START_TEST(a_role_is_shown_to_whoever_has_it_as_often_as_they_like)
{
    begin_session("FLF");
    /* It is under the status post, which was edited since. */
    for (unsigned i = 0; i < 2; i++) {
        pressing_press(pressing, "Anna", pressing->edited.list[0].id);
        assert_shown("your role is below");
        assert_shown("a Liberal");
    }
    pressing_press(pressing, "Zoe", "1.0.s0");
    assert_shown("isn't yours");
}
END_TEST

START_TEST(a_role_is_shown_after_the_end_too)
{
    char role[BUTTON_ID_MAX + 1];
    begin_session("FLF");
    TEXT_COPY(role, pressing->edited.list[0].id);
    moderates("!end");
    pressing_press(pressing, "Anna", role);
    assert_shown("a Liberal");
    pressing_press(pressing, "Zoe", role);
    assert_shown("isn't yours");
}
END_TEST

/* The hint is about a vote, not about the session. */
START_TEST(who_votes_too_late_is_told_without_a_button)
{
    begin_session("FLF");
    pressing->under.count = 0;
    room_says(room, "Emil", "[b]Ja![/b]");
    assert_holds(room_said(room), "voting had already closed");
    ck_assert_uint_eq(pressing->under.count, 0);
}
END_TEST

START_TEST(a_press_shows_that_somebody_is_there)
{
    pressing->closed = "Anna";
    begin_session("FLF");
    ck_assert_uint_eq(room_count_told(room, "Anna", ""), 0);
    pressing->closed = NULL;
    pressing_press(pressing, "Anna", pressing->edited.list[0].id);
    ck_assert_uint_eq(room_count_told(room, "Anna", "your role is below"), 1);
    ck_assert_uint_eq(room_count_told(room, "Anna", "you're President"), 1);
}
END_TEST

START_TEST(the_president_is_shown_cards_and_discards_one)
{
    begin_session("FLF");
    char show[BUTTON_ID_MAX + 1];
    TEXT_COPY(show, pressing_button(pressing, "Show my cards"));
    pressing_press(pressing, "Bob", show);
    assert_shown("no cards");
    ck_assert_uint_eq(pressing->shown.buttons.count, 0);
    pressing_press(pressing, "Carl", show);
    assert_shown("no cards");

    pressing_press(pressing, "Anna", show);
    ck_assert_uint_eq(pressing->shown.buttons.count, 3);
    pressing_press(pressing, "Anna", pressing_answer(pressing, "2 Liberal"));
    assert_shown("Card 2, Liberal: discard it?");
    /* The way back leads to the cards. */
    pressing_press(pressing, "Anna", pressing_answer(pressing, "No, go back"));
    ck_assert_uint_eq(pressing->shown.buttons.count, 3);
    pressing_press(pressing, "Anna", pressing_answer(pressing, "2 Liberal"));
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    pressing_press(pressing, "Anna", pressing_answer(pressing, "Yes"));
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
    ck_assert_uint_eq(pile_liberals(room_game(room)->hand), 0);

    /* The same button shows the chancellor theirs. */
    pressing_press(pressing, "Anna", show);
    assert_shown("no cards");
    pressing_press(pressing, "Carl", show);
    ck_assert_uint_eq(pressing->shown.buttons.count, 2);
    pressing_press(pressing, "Carl", pressing_answer(pressing, "1 Fascist"));
    assert_shown("Card 1, Fascist: enact it?");
    pressing_press(pressing, "Carl", pressing_answer(pressing, "Yes"));
    ck_assert_uint_eq(room_count_said(room, "enact a"), 1);
    ck_assert_uint_eq(room_count_said(room, "Card 2"), 0);
}
END_TEST

START_TEST(the_chancellor_is_shown_cards_liberal_first)
{
    begin_session("FLF");
    room_discards(room, false);
    pressing_press(pressing, "Carl",
                   pressing_button(pressing, "Show my cards"));
    ck_assert_str_eq(pressing->shown.buttons.list[0].label, "1 Liberal");
    pressing_press(pressing, "Carl", pressing_answer(pressing, "1 Liberal"));
    pressing_press(pressing, "Carl", pressing_answer(pressing, "Yes"));
    ck_assert_uint_eq(room_game(room)->liberal, 1);
}
END_TEST

/* Anna and Carl take no private messages: neither is waited for any longer than
 * others, and nothing in the thread tells that they don't. */
START_TEST(who_takes_no_private_messages_has_buttons_and_nobody_can_tell)
{
    room->deck = "FLFFLF";
    pressing->closed = "Anna, Carl";
    pressing_open(pressing);
    room_begin(room, 5);
    pressing_press(pressing, "Anna", pressing->role);
    assert_shown("your role is below");
    room_elects(room, 2);
    char show[BUTTON_ID_MAX + 1];
    TEXT_COPY(show, pressing_button(pressing, "Show my cards"));
    pressing_press(pressing, "Anna", show);
    pressing_press(pressing, "Anna", pressing_answer(pressing, "1 Fascist"));
    pressing_press(pressing, "Anna", pressing_answer(pressing, "Yes"));
    pressing_press(pressing, "Carl", show);
    pressing_press(pressing, "Carl", pressing_answer(pressing, "1 Liberal"));
    pressing_press(pressing, "Carl", pressing_answer(pressing, "Yes"));
    ck_assert_uint_eq(room_game(room)->liberal, 1);
    ck_assert_uint_eq(room_count_said(room, "don't reach"), 0);
    ck_assert_uint_eq(count_in_record("\"extended\""), 0);
}
END_TEST

/* Until time is up for the open question, reminders and all. */
static void
wait_until_due(void)
{
    room_waits(room, room_table(room)->deadline - room->stage->now + MINUTE_MS);
}

/* Who neither takes messages nor presses has as long as everybody. */
START_TEST(cards_that_a_button_shows_are_not_waited_for)
{
    room->deck = "FLFFLF";
    pressing->closed = "Anna, Carl";
    pressing_open(pressing);
    room_begin(room, 5);
    room_elects(room, 2);
    wait_until_due();
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
    room_waits(room, DAY_MS + MINUTE_MS);
    ck_assert_uint_eq(room_count_said(room, "enact a"), 1);
    ck_assert_uint_eq(room_count_said(room, "don't reach"), 0);
    ck_assert_uint_eq(count_in_record("\"extended\""), 0);
}
END_TEST

static bool
presses_are_lost(void)
{
    const struct tables *tables = &room->stage->tables;
    return services_presses_lost(&tables->services, &tables->services.list[0]);
}

/* Anna's cards are behind a button that does nothing: the thread says what she
 * can do, and a moderator is asked to help. */
START_TEST(where_nothing_pressed_comes_who_takes_no_messages_is_waited_for)
{
    pressing->closed = "Anna";
    pressing_open(pressing);
    pressing_hears(pressing, false);
    room_begin(room, 5);
    room_waits(room, 6 * MINUTE_MS);
    ck_assert(presses_are_lost());
    ck_assert_uint_eq(
        room_count_said(room, "Anna, my private messages don't reach you, and "
                              "the buttons don't work at the moment"),
        1);
    ck_assert_uint_eq(room_count_said(room, "Mo: please tell"), 1);
    room_elects(room, 2);
    ck_assert_uint_eq(room_count_said(room, "behind"), 0);
    wait_until_due();
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    ck_assert_uint_eq(room_count_said(room, "I'm waiting for you"), 1);
    ck_assert_uint_eq(count_in_record("\"extended\""), 1);
    ck_assert_int_gt(room_table(room)->deadline, room->stage->now);
    wait_until_due();
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
    ck_assert_uint_eq(room_table(room)->seats[0].misses, 0);
}
END_TEST

/* They came when her cards were dealt, and don't any more. */
START_TEST(what_a_button_asked_is_told_when_nothing_pressed_comes_any_more)
{
    pressing->closed = "Anna";
    pressing_open(pressing);
    room_begin(room, 5);
    room_elects(room, 2);
    ck_assert_uint_eq(room_count_said(room, "behind “Show my cards” below"), 1);
    room_waits(room, HOUR_MS);
    ck_assert_uint_eq(room_count_said(room, "don't reach"), 0);
    pressing_hears(pressing, false);
    room_waits(room, 4 * MINUTE_MS);
    ck_assert(!presses_are_lost());
    ck_assert_uint_eq(room_count_said(room, "don't reach"), 0);
    room_waits(room, MINUTE_MS);
    ck_assert(presses_are_lost());
    ck_assert_uint_eq(room_count_said(room, "the buttons don't work"), 1);
    ck_assert_uint_eq(count_in_record("\"extended\""), 1);

    pressing_hears(pressing, true);
    room_settle(room);
    ck_assert(!presses_are_lost());
    pressing_press(pressing, "Anna",
                   pressing_button(pressing, "Show my cards"));
    ck_assert_uint_eq(pressing->shown.buttons.count, 3);
}
END_TEST

/* The same button stands under the post of a session whether the president has
 * chosen by then or not: it must not tell. */
START_TEST(a_session_that_is_posted_late_has_its_button)
{
    room->deck = "FLFFLF";
    pressing_open(pressing);
    room_begin(room, 5);
    room_names(room, 2);
    memset(&pressing->under, 0, sizeof pressing->under);
    pressing->mute = true;
    room_votes(room, true);
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    room_discards(room, false);
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
    pressing->mute = false;
    room_waits(room, 10 * MINUTE_MS);
    pressing_press(pressing, "Carl",
                   pressing_button(pressing, "Show my cards"));
    ck_assert_uint_eq(pressing->shown.buttons.count, 2);
}
END_TEST

START_TEST(nobody_chooses_for_another)
{
    begin_session("FLF");
    pressing_press(pressing, "Anna",
                   pressing_button(pressing, "Show my cards"));
    char card[BUTTON_ID_MAX + 1];
    TEXT_COPY(card, pressing_answer(pressing, "1 Fascist"));
    pressing_press(pressing, "Bob", card);
    assert_shown("isn't yours");
    snprintf(card + strlen(card), 2, "!");
    pressing_press(pressing, "Carl", card);
    assert_shown("isn't yours");
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    pressing_press(pressing, "Anna", "1.3.c9!");
    assert_shown("isn't yours");
}
END_TEST

START_TEST(a_veto_is_asked_for_and_answered_with_buttons)
{
    room->deck = "FFLFFLFFLFFLFFLFL";
    pressing_open(pressing);
    room_begin(room, 7);
    room_govern_to(room, 5);
    pressing_act(pressing, room_awaited(room), "Anna");
    room_elects(room, room_choice(room));
    room_discards(room, false);
    const char *chancellor = room_awaited(room);
    char show[BUTTON_ID_MAX + 1];
    TEXT_COPY(show, pressing_button(pressing, "Show my cards"));
    pressing_press(pressing, chancellor, show);
    pressing_press(pressing, chancellor,
                   pressing_answer(pressing, "Ask for a veto"));
    assert_shown("You ask for a veto: sure?");
    pressing_press(pressing, chancellor, pressing_answer(pressing, "Yes"));
    ck_assert_int_eq(room_game(room)->question, QUESTION_VETO);
    pressing_press(pressing, chancellor, show);
    assert_shown("no cards to choose from");
    pressing_act(pressing, room_awaited(room), "Decline");
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);

    /* Whoever takes no private messages can go on, by the old button too. */
    pressing_press(pressing, chancellor, show);
    ck_assert_uint_eq(pressing->shown.buttons.count, 2);
    pressing_press(pressing, chancellor,
                   pressing_button(pressing, "Show my cards"));
    pressing_press(pressing, chancellor, pressing->shown.buttons.list[1].id);
    pressing_press(pressing, chancellor, pressing_answer(pressing, "Yes"));
    assert_shown("is enacted.");
}
END_TEST

/* ---- late, twice, refused ------------------------------------------------ */

START_TEST(what_comes_more_than_three_seconds_late_is_left_alone)
{
    begin_vote(5);
    int64_t now = room->stage->now;
    pressing_comes(pressing, "late", "Carl", pressing_button(pressing, "Ja!"),
                   now - 3001);
    room_settle(room);
    ck_assert_uint_eq(pressing->acknowledged, 0);
    pressing_comes(pressing, "just", "Carl", pressing_button(pressing, "Ja!"),
                   now - 3000);
    room_settle(room);
    ck_assert_uint_eq(pressing->acknowledged, 1);
}
END_TEST

START_TEST(who_presses_without_end_keeps_nobody_else_out)
{
    begin_vote(5);
    char ja[BUTTON_ID_MAX + 1];
    TEXT_COPY(ja, pressing_button(pressing, "Ja!"));
    unsigned acknowledged = pressing->acknowledged;
    for (unsigned i = 0; i < 600; i++) {
        char press[32];
        snprintf(press, sizeof press, "zoe-%u", i);
        room->stage->now += 10;
        pressing_comes(pressing, press, "Zoe", ja, room->stage->now);
        room_settle(room);
    }
    ck_assert_uint_le(pressing->acknowledged, acknowledged + 100);
    pressing_press(pressing, "Carl", ja);
    assert_shown("sure?");
}
END_TEST

START_TEST(what_comes_twice_counts_once)
{
    pressing_open(pressing);
    room_says(room, "Mo", "!new players=5");
    const char *join = pressing_button(pressing, "Join");
    int64_t now = room->stage->now;
    pressing_comes(pressing, "same", "Anna", join, now);
    pressing_comes(pressing, "same", "Anna", join, now);
    room_settle(room);
    pressing_comes(pressing, "same", "Anna", join, now);
    room_settle(room);
    ck_assert_uint_eq(pressing->acknowledged, 1);
    ck_assert_uint_eq(pressing->replied, 1);
    /* By a host that knows nothing of it but what is saved. */
    room_says(room, "Anna", "!leave");
    pressing_reopen(pressing);
    pressing_comes(pressing, "same", "Anna", join, room->stage->now);
    room_settle(room);
    ck_assert_uint_eq(room_table(room)->seated, 0);
}
END_TEST

START_TEST(what_discord_does_not_take_has_not_happened)
{
    begin_vote(5);
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    char yes[BUTTON_ID_MAX + 1];
    TEXT_COPY(yes, pressing_answer(pressing, "Yes"));
    pressing->refuse = ERR_GONE;
    pressing->refusals = 1;
    pressing_press(pressing, "Carl", yes);
    ck_assert(!pressing->shown.there);
    ck_assert(!has_voted(2));
    pressing_press(pressing, "Carl", yes);
    ck_assert(has_voted(2));
}
END_TEST

START_TEST(a_lost_acknowledgement_is_said_once_more)
{
    begin_vote(5);
    pressing->refuse = ERR_LATER;
    pressing->refusals = 1;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    ck_assert_uint_eq(pressing->acknowledged, 2);
    assert_shown("sure?");
    pressing->refusals = 2;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    ck_assert_uint_eq(pressing->acknowledged, 4);
    /* It may have been taken: then nobody goes on waiting. */
    assert_shown("I was interrupted");
}
END_TEST

START_TEST(an_answer_that_fails_is_tried_for_as_long_as_it_can_be_given)
{
    begin_vote(5);
    pressing->unanswered = ERR_LATER;
    pressing->failures = 2;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    ck_assert(!pressing->shown.there);
    room_waits(room, SECOND_MS);
    room_waits(room, 5 * SECOND_MS);
    assert_shown("sure?");
    /* For twelve minutes. */
    pressing->failures = 1000;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    for (int i = 0; i < 12; i++) {
        room_waits(room, MINUTE_MS);
        ck_assert(!pressing->shown.there);
    }
    pressing->failures = 0;
    room_waits(room, MINUTE_MS);
    assert_shown("sure?");
    /* And no longer than Discord takes it. */
    pressing->failures = 1000;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    room_waits(room, 16 * MINUTE_MS);
    unsigned left = pressing->failures;
    ck_assert_uint_gt(left, 950);
    room_waits(room, 10 * MINUTE_MS);
    ck_assert_uint_eq(pressing->failures, left);
}
END_TEST

START_TEST(an_answer_waits_no_longer_for_a_clock_that_was_set_back)
{
    begin_vote(5);
    pressing->unanswered = ERR_LATER;
    pressing->failures = 1;
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    ck_assert(!pressing->shown.there);
    struct loop *loop = &room->stage->loop;
    struct buf why = BUF_INIT;
    int64_t now = room->stage->now - 70 * MINUTE_MS;
    ck_assert(loop_turn(loop, now, 0, &why) == ERR_NONE);
    ck_assert(loop_turn(loop, now + SECOND_MS, 0, &why) == ERR_NONE);
    ck_assert(loop_settle(loop, now + SECOND_MS, &why) == ERR_NONE);
    assert_shown("sure?");
    buf_release(&why);
}
END_TEST

START_TEST(without_the_setting_nothing_is_offered_or_taken)
{
    pressing_open(pressing);
    room->stage->conf.accounts[0].buttons = false;
    room_begin(room, 5);
    ck_assert_uint_eq(pressing->under.count, 0);
    pressing_comes(pressing, "one", "Anna", "1.1.n2", room->stage->now);
    room_settle(room);
    ck_assert_uint_eq(pressing->acknowledged, 0);
}
END_TEST

/* ---- in order ------------------------------------------------------------ */

/* The board delivers in disorder, as Discord does. */
static void
begin_disordered(void)
{
    pressing_open(pressing);
    room_begin(room, 5);
    pressing->disordered = true;
    pressing_press(pressing, "Anna", pressing_button(pressing, "Carl"));
    assert_shown("sure?");
}

START_TEST(what_was_written_before_a_press_is_judged_before_it)
{
    begin_disordered();
    char yes[BUTTON_ID_MAX + 1];
    TEXT_COPY(yes, pressing_answer(pressing, "Yes"));
    room_posts(room, "Anna", "[b][color=red]Bob[/color][/b]");
    pressing_comes(pressing, "one", "Anna", yes, room->stage->now + 1);
    room_waits(room, MINUTE_MS);
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_game(room)->chancellor, 1);
    assert_shown("settled");
}
END_TEST

START_TEST(whoever_waits_for_their_turn_is_told_so_and_then_the_rest)
{
    begin_disordered();
    pressing->unread = true;
    pressing_press(pressing, "Anna", pressing_answer(pressing, "Yes"));
    ck_assert(!pressing->shown.there);
    room_waits(room, 3 * SECOND_MS);
    assert_shown("Noted.");
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    pressing->unread = false;
    room_waits(room, MINUTE_MS);
    assert_shown("is nominated");
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
}
END_TEST

START_TEST(a_press_that_waits_its_turn_outlives_the_host)
{
    begin_disordered();
    pressing->unread = true;
    pressing_press(pressing, "Anna", pressing_answer(pressing, "Yes"));
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    ck_assert(!pressing->shown.there);
    pressing->unread = false;
    pressing_reopen(pressing);
    room_waits(room, MINUTE_MS);
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_game(room)->chancellor, 2);
}
END_TEST

/* ---- the host dies ------------------------------------------------------- */

START_TEST(a_press_that_was_not_taken_in_is_lost_with_the_host_and_no_more)
{
    begin_vote(5);
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    char yes[BUTTON_ID_MAX + 1];
    TEXT_COPY(yes, pressing_answer(pressing, "Yes"));
    pressing_comes(pressing, "one", "Carl", yes, room->stage->now);
    pressing_reopen(pressing);
    ck_assert(!has_voted(2));
    pressing_press(pressing, "Carl", yes);
    ck_assert(has_voted(2));
}
END_TEST

START_TEST(a_vote_that_was_not_told_is_told_by_the_next_host)
{
    begin_vote(5);
    pressing_act(pressing, "Carl", "Ja!");
    pressing_reopen(pressing);
    ck_assert(has_voted(2));
    ck_assert_uint_eq(room_count_said(room, "Carl: Ja ("), 1);
    pressing_reopen(pressing);
    ck_assert_uint_eq(room_count_said(room, "Carl: Ja ("), 1);
}
END_TEST

static bool unsaved; /* has the disk more than a power cut would leave? */

static int
note_sync(void *context, bool sync)
{
    (void)context;
    unsaved = !sync;
    return SQLITE_OK;
}

/* Though nothing that has to be saved first is sent just then. */
START_TEST(nobody_is_told_that_a_vote_counts_before_it_outlives_a_power_cut)
{
    fault_disk_open(note_sync, NULL);
    begin_vote(7);
    pressing->mute = true;
    pressing->unsaved = &unsaved;
    pressing_act(pressing, "Carl", "Ja!");
    pressing_act(pressing, "Dora", "Ja!");
    pressing_act(pressing, "Emil", "Nein!");
    assert_shown("your vote counts");
    ck_assert(has_voted(2) && has_voted(3) && has_voted(4));
}
END_TEST

START_TEST(a_press_that_counted_counts_though_its_answer_was_never_sent)
{
    begin_vote(5);
    pressing_press(pressing, "Carl", pressing_button(pressing, "Ja!"));
    pressing->unanswered = ERR_LATER;
    pressing->failures = 1;
    pressing_press(pressing, "Carl", pressing_answer(pressing, "Yes"));
    ck_assert(!pressing->shown.there);
    pressing_reopen(pressing);
    ck_assert(has_voted(2));
    ck_assert_uint_eq(room_count_said(room, "Carl: Ja ("), 1);
}
END_TEST

/* ---- whole games --------------------------------------------------------- */

/* What somebody is asked who presses; NULL: they have to write. */
static const char *
button_for(unsigned seat, struct dice *dice)
{
    struct awaits awaits = game_awaits(room_game(room));
    (void)seat;
    switch (awaits.question) {
    case QUESTION_VOTE:
        return dice_below(dice, 3) > 0 ? "Ja!" : "Nein!";
    case QUESTION_VETO:
        return dice_below(dice, 2) > 0 ? "Approve" : "Decline";
    case QUESTION_NOMINATE:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return awaits.choices == 0
                   ? NULL
                   : room_name(room, dice_seat(dice, awaits.choices));
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return NULL;
}

/* Every second seat presses where there is a button; the host dies at times. */
static bool
play_on(struct dice *dice)
{
    const struct table *table = stage_table(room->stage);
    if (table == NULL || table->state != TABLE_RUNNING) {
        return false;
    }
    struct awaits awaits = game_awaits(&table->game);
    seat_set seats = awaits.seats & game_present(&table->game);
    unsigned seat = seats == 0 ? NO_SEAT : dice_seat(dice, seats);
    const char *label =
        seat != NO_SEAT && seat % 2 == 1 ? button_for(seat, dice) : NULL;
    if (label != NULL) {
        pressing_act(pressing, room_name(room, seat), label);
    } else {
        (void)room_improvise(room, dice);
        room_settle(room);
    }
    return true;
}

START_TEST(in_whole_games_half_of_the_players_press)
{
    unsigned players = (unsigned[]){5, 7, 10}[_i % 3];
    struct dice dice = {.state = (uint64_t)_i + 1};
    room->fair = false;
    room->prompt = true;
    pressing_open(pressing);
    room_begin(room, players);
    unsigned steps = 0;
    while (play_on(&dice)) {
        ck_assert_uint_lt(++steps, 5000);
    }
    struct buf record = BUF_INIT;
    struct buf why = BUF_INIT;
    struct record read = {.games = NULL};
    struct verdict verdict = {.number = 0};
    room_record(room, "1", &record);
    ck_assert_int_eq(record_read(record.data, record.len, &read, &why),
                     ERR_NONE);
    verify_game(&read.games[0], &verdict);
    ck_assert_int_eq(verdict.legality, LEGALITY_FINISHED);
    unsigned by_press = 0;
    unsigned written = 0;
    for (size_t i = 0; i < read.games[0].line_count; i++) {
        const struct record_line *line = &read.games[0].lines[i];
        if (line->kind == EVENT_VOTED) {
            ck_assert(line->by != RECORD_BY_PRESS || line->event.seat % 2 == 1);
            by_press += line->by == RECORD_BY_PRESS;
            written += line->by != RECORD_BY_PRESS;
        }
    }
    ck_assert_uint_gt(by_press, 0);
    ck_assert_uint_gt(written, 0);
    /* What only one of them may see is in no public post. */
    ck_assert_uint_eq(room_count_said(room, "sure?"), 0);
    verdict_release(&verdict);
    record_release(&read);
    buf_release(&record);
    buf_release(&why);
}
END_TEST

/* ---- secrets ------------------------------------------------------------- */

static void
assert_file_lacks(const char *name, const char *part)
{
    struct buf bytes = BUF_INIT;
    struct buf why = BUF_INIT;
    if (file_read(room_path(room, name), &bytes, &why) == ERR_NONE) {
        ck_assert_ptr_null(
            memmem(buf_text(&bytes), bytes.len, part, strlen(part)));
    }
    buf_release(&bytes);
    buf_release(&why);
}

START_TEST(no_file_holds_what_a_press_is_answered_with)
{
    begin_vote(5);
    pressing_act(pressing, "Carl", "Ja!");
    pressing_comes(pressing, "open", "Dora", pressing_button(pressing, "Ja!"),
                   room->stage->now);
    assert_file_lacks("store.db", "5ecret");
    assert_file_lacks("store.db-wal", "5ecret");
    assert_file_lacks("store.db", "sure?");
    assert_file_lacks("store.db-wal", "sure?");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/presses");
    TCase *group = tcase_create("presses");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, a_vote_is_asked_about_once_and_then_counts);
    tcase_add_test(group, the_record_says_which_votes_were_pressed);
    tcase_add_test(group,
                   votes_stand_under_the_call_in_order_pressed_or_posted);
    tcase_add_test(group,
                   the_result_repeats_them_and_the_call_has_no_buttons_then);
    tcase_add_test(group,
                   a_vote_that_nobody_else_answers_is_repeated_when_time_is_up);
    tcase_add_test(group, a_sealed_ballot_is_told_to_nobody);
    tcase_add_test(group, whichever_comes_first_counts);
    tcase_add_test(group, of_two_confirmed_at_the_same_moment_the_first_counts);
    tcase_add_test(
        group,
        what_comes_at_the_same_moment_is_judged_in_one_order_and_told_to_all);
    tcase_add_test(group, people_who_are_not_asked_are_told_so);
    tcase_add_test(group, an_answer_to_a_press_is_said_nowhere_else);
    tcase_add_test(group, an_old_button_says_that_it_is_over);
    tcase_add_test(group, a_button_of_a_game_on_hold_says_so);
    tcase_add_test(group, an_undo_leaves_no_button_of_before);
    tcase_add_test(group, a_button_of_a_game_that_is_over_does_nothing);
    tcase_add_test(group, a_seat_is_pressed_for_by_whoever_has_it_now);
    tcase_add_test(group,
                   a_chancellor_is_named_from_a_menu_of_those_who_can_be);
    tcase_add_test(group, a_power_is_used_from_a_menu);
    tcase_add_test(group, an_execution_is_announced_first);
    tcase_add_test(group, people_join_and_leave_with_buttons);
    tcase_add_test(group, where_a_role_is_needed_only_who_has_it_joins);
    tcase_add_test(group, a_role_is_shown_after_the_end_too);
    tcase_add_test(group, who_votes_too_late_is_told_without_a_button);
    tcase_add_test(group, a_sign_up_that_is_open_again_has_its_buttons);
    tcase_add_test(group, the_buttons_of_the_sign_up_go_when_it_ends);
    tcase_add_test(group, the_ready_check_is_passed_with_a_button);
    tcase_add_test(group,
                   a_role_is_shown_to_whoever_has_it_as_often_as_they_like);
    tcase_add_test(group, a_press_shows_that_somebody_is_there);
    tcase_add_test(group, the_president_is_shown_cards_and_discards_one);
    tcase_add_test(group, the_chancellor_is_shown_cards_liberal_first);
    tcase_add_test(
        group, who_takes_no_private_messages_has_buttons_and_nobody_can_tell);
    tcase_add_test(group, cards_that_a_button_shows_are_not_waited_for);
    tcase_add_test(
        group, where_nothing_pressed_comes_who_takes_no_messages_is_waited_for);
    tcase_add_test(
        group, what_a_button_asked_is_told_when_nothing_pressed_comes_any_more);
    tcase_add_test(group, a_session_that_is_posted_late_has_its_button);
    tcase_add_test(group, nobody_chooses_for_another);
    tcase_add_test(group, a_veto_is_asked_for_and_answered_with_buttons);
    tcase_add_test(group,
                   what_comes_more_than_three_seconds_late_is_left_alone);
    tcase_add_test(group, who_presses_without_end_keeps_nobody_else_out);
    tcase_add_test(group, what_comes_twice_counts_once);
    tcase_add_test(group, what_discord_does_not_take_has_not_happened);
    tcase_add_test(group, a_lost_acknowledgement_is_said_once_more);
    tcase_add_test(
        group, an_answer_that_fails_is_tried_for_as_long_as_it_can_be_given);
    tcase_add_test(group,
                   an_answer_waits_no_longer_for_a_clock_that_was_set_back);
    tcase_add_test(group, without_the_setting_nothing_is_offered_or_taken);
    tcase_add_test(group, what_was_written_before_a_press_is_judged_before_it);
    tcase_add_test(group,
                   whoever_waits_for_their_turn_is_told_so_and_then_the_rest);
    tcase_add_test(group, a_press_that_waits_its_turn_outlives_the_host);
    tcase_add_test(
        group, a_press_that_was_not_taken_in_is_lost_with_the_host_and_no_more);
    tcase_add_test(group, a_vote_that_was_not_told_is_told_by_the_next_host);
    tcase_add_test(
        group, a_press_that_counted_counts_though_its_answer_was_never_sent);
    tcase_add_test(
        group,
        nobody_is_told_that_a_vote_counts_before_it_outlives_a_power_cut);
    tcase_add_loop_test(group, in_whole_games_half_of_the_players_press, 0, 9);
    tcase_add_test(group, no_file_holds_what_a_press_is_answered_with);
    suite_add_tcase(suite, group);
    return suite;
}
