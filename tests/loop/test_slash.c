/*
 * Slash commands, through a whole host: each does what the post does that says
 * the same, and is answered to its author alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/record/verify.h"
#include "bot/tables/places/places.h"
#include "tests/support/pressing.h"
#include "tests/support/runner.h"

static struct pressing *pressing;
static struct room *room;

static void
set_up(void)
{
    pressing = pressing_new();
    pressing->commands = true;
    room = &pressing->room;
}

static void
tear_down(void)
{
    pressing_free(pressing);
}

static void
assert_shown(const char *part)
{
    ck_assert(pressing->shown.there);
    assert_holds(pressing->shown.text, part);
}

/* A game whose first candidate, Anna, has named Bob. */
static void
begin_vote(void)
{
    pressing_open(pressing);
    room_begin(room, 5);
    room_names(room, 1);
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
}

/* The time after which votes that no post shows are told. */
static void
wait_until_told(void)
{
    room_waits(room, 5 * SECOND_MS);
}

/* ---- the sign-up --------------------------------------------------------- */

START_TEST(a_table_is_opened_joined_and_left)
{
    pressing_open(pressing);
    pressing_slash(pressing, "Mo", "/new players=5-7");
    assert_shown("Table 1 is open:");
    ck_assert_int_eq(room_table(room)->state, TABLE_SIGNUP);
    ck_assert_uint_eq(room_table(room)->players_max, 7);
    pressing_slash(pressing, "Anna", "/join");
    assert_shown("You're in: table 1");
    ck_assert_uint_eq(room_table(room)->seated, 1);
    pressing_slash(pressing, "Anna", "/join");
    assert_shown("already");
    pressing_slash(pressing, "Anna", "/leave");
    ck_assert_uint_eq(room_table(room)->seated, 0);
}
END_TEST

START_TEST(what_is_wrong_with_it_is_told_to_its_author_alone)
{
    pressing_open(pressing);
    unsigned posts = room_count_said(room, "");
    pressing_slash(pressing, "Mo", "/new players=99");
    ck_assert(pressing->shown.there);
    ck_assert_uint_eq(room_count_said(room, ""), posts);
    pressing_slash(pressing, "Anna", "/join");
    assert_shown("no table is open");
    ck_assert_uint_eq(room_count_said(room, ""), posts);
}
END_TEST

START_TEST(where_no_games_are_hosted_nothing_happens)
{
    pressing_open(pressing);
    pressing_slash_in(pressing, "elsewhere", "Mo", "/new");
    assert_shown("No games are hosted in this channel");
    ck_assert_ptr_null(stage_table(room->stage));
    pressing_slash_in(pressing, "elsewhere", "Mo", "/help");
    assert_shown("No games are hosted in this channel");
}
END_TEST

static const struct adapter *found;

static enum advance
find_nothing(const struct service *service, const struct op *op,
             struct buf *scratch, const struct reply *reply,
             struct outcome *out, struct buf *why)
{
    return op->kind == OP_PLACE
               ? outcome_fail(out, why, ERR_GONE, "there is no such place")
               : found->advance(service, op, scratch, reply, out, why);
}

static void
feed_of_place(const struct service *service, const char *place,
              struct buf *feed)
{
    (void)service;
    buf_add_text(feed, place);
}

/* As it may be one of hundreds. */
START_TEST(where_no_games_are_hosted_it_is_told_though_a_place_is_missing)
{
    static struct adapter adapter;
    pressing_open(pressing);
    struct tables *tables = &room->stage->tables;
    found = tables->services.list[0].adapter;
    adapter = *found;
    adapter.advance = find_nothing;
    adapter.feed = feed_of_place;
    tables->services.list[0].adapter = &adapter;
    places_set_id(&tables->places, tables->places.list[0], PLACE_THREAD, "");
    places_change(&tables->places);
    pressing_slash_in(pressing, "elsewhere", "Mo", "/new");
    assert_shown("No games are hosted in this channel");
}
END_TEST

/* At a table, and where one can be opened, the host speaks its language. */
START_TEST(where_no_games_are_hosted_people_are_told_so_in_their_language)
{
    pressing_open(pressing);
    pressing->language = "nl";
    pressing_slash_in(pressing, "elsewhere", "Mo", "/help");
    assert_shown("In dit kanaal worden geen spellen geleid");
    pressing->language = "es";
    pressing_slash_in(pressing, "elsewhere", "Mo", "/help");
    assert_shown("No games are hosted in this channel");
    pressing->language = "nl";
    pressing_slash(pressing, "Anna", "/join");
    assert_shown("no table is open");
    pressing_slash(pressing, "Zoe", "/hand");
    assert_shown("isn't yours");
}
END_TEST

/* ---- questions ----------------------------------------------------------- */

START_TEST(questions_are_answered_to_whoever_asks)
{
    begin_vote();
    unsigned posts = room_count_said(room, "");
    pressing_slash(pressing, "Carl", "/status");
    assert_shown("Anna");
    pressing_slash(pressing, "Carl", "/help");
    assert_shown("vote");
    pressing_slash(pressing, "Zoe", "/help");
    ck_assert(pressing->shown.there);
    ck_assert_uint_eq(room_count_said(room, ""), posts);
}
END_TEST

START_TEST(strangers_are_told_that_it_is_not_theirs)
{
    begin_vote();
    pressing_slash(pressing, "Zoe", "/pause");
    assert_shown("for players of this game");
    ck_assert(!room_table(room)->paused);
    pressing_slash(pressing, "Zoe", "/vote ja");
    assert_shown("isn't yours right now");
    pressing_slash(pressing, "Zoe", "/hand");
    assert_shown("isn't yours right now");
}
END_TEST

START_TEST(the_hand_is_shown_to_whoever_has_it)
{
    pressing_open(pressing);
    room_begin(room, 5);
    pressing_slash(pressing, "Emil", "/hand");
    assert_shown("Hitler");
    room_elects(room, 1);
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    unsigned told = room_count_told(room, "Anna", "");
    pressing_slash(pressing, "Anna", "/hand");
    ck_assert_uint_eq(pressing->shown.buttons.count, 3);
    pressing_slash(pressing, "Bob", "/hand");
    ck_assert_uint_eq(pressing->shown.buttons.count, 0);
    ck_assert_uint_eq(room_count_told(room, "Anna", ""), told);

    pressing_slash(pressing, "Anna", "/hand");
    char first[BUTTON_ID_MAX + 1];
    TEXT_COPY(first, pressing->shown.buttons.list[0].id);
    pressing_press(pressing, "Anna", first);
    pressing_press(pressing, "Anna", pressing_answer(pressing, "Yes"));
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
}
END_TEST

START_TEST(the_cards_have_buttons_though_posts_have_none)
{
    pressing_open(pressing);
    room->stage->conf.accounts[0].buttons = false;
    room_begin(room, 5);
    room_elects(room, 1);
    ck_assert_uint_eq(pressing->under.count, 0);
    pressing_slash(pressing, "Anna", "/hand");
    char first[BUTTON_ID_MAX + 1];
    TEXT_COPY(first, pressing->shown.buttons.list[0].id);
    pressing_press(pressing, "Anna", first);
    assert_shown("discard it?");
}
END_TEST

/* ---- acts ---------------------------------------------------------------- */

START_TEST(a_vote_counts_at_once_and_is_told)
{
    begin_vote();
    pressing_slash(pressing, "Carl", "/vote ja");
    assert_shown("Ja for Anna and Bob: your vote counts.");
    pressing_slash(pressing, "Dora", "/vote nein");
    ck_assert(seat_in(2, room_game(room)->ja));
    ck_assert(seat_in(3, room_game(room)->voted));
    ck_assert(!seat_in(3, room_game(room)->ja));
    wait_until_told();
    ck_assert_uint_eq(room_count_said(room, "Votes, 2 of 5: Carl: Ja ("), 1);
    ck_assert_uint_eq(room_count_said(room, "), Dora: Nein ("), 1);
}
END_TEST

START_TEST(a_vote_is_as_final_as_one_in_bold)
{
    begin_vote();
    pressing_slash(pressing, "Carl", "/vote ja");
    pressing_slash(pressing, "Carl", "/vote nein");
    ck_assert(pressing->shown.there);
    ck_assert(seat_in(2, room_game(room)->ja));
    room_says(room, "Dora", "**Nein!**");
    pressing_slash(pressing, "Dora", "/vote ja");
    ck_assert(!seat_in(3, room_game(room)->ja));
}
END_TEST

START_TEST(what_nobody_offered_is_no_vote)
{
    begin_vote();
    pressing_slash(pressing, "Carl", "/vote perhaps");
    assert_shown("isn't yours right now");
    pressing_slash(pressing, "Carl", "/vote");
    assert_shown("isn't yours right now");
    ck_assert(!seat_in(2, room_game(room)->voted));
}
END_TEST

START_TEST(a_vote_is_for_the_question_that_was_open)
{
    begin_vote();
    int64_t before = room_table(room)->since - 1;
    pressing_comes(pressing, "early", "Carl", "/vote ja", before);
    room_settle(room);
    assert_shown("isn't yours right now");
    ck_assert(!seat_in(2, room_game(room)->voted));
}
END_TEST

START_TEST(a_chancellor_is_nominated_by_name)
{
    pressing_open(pressing);
    room_begin(room, 5);
    pressing_slash(pressing, "Bob", "/nominate Carl");
    assert_shown("isn't yours right now");
    pressing_slash(pressing, "Anna", "/nominate Anna");
    ck_assert(pressing->shown.there);
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    pressing_slash(pressing, "Anna", "/nominate Nobody");
    assert_shown("I don't know who");
    pressing_slash(pressing, "Anna", "/nominate carl");
    assert_shown("Carl as your Chancellor is nominated.");
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_game(room)->chancellor, 2);
    ck_assert_uint_gt(room_count_said(room, "Carl"), 0);
    pressing_slash(pressing, "Anna", "/nominate Bob");
    assert_shown("isn't yours right now");
}
END_TEST

START_TEST(whoever_is_there_is_told_how_things_stand_and_how_a_post_was_read)
{
    char why[64];
    begin_vote();
    pressing_slash(pressing, "Zoe", "/status");
    assert_shown("Vote on President Anna and Chancellor Bob");
    room_says(room, "Carl", "[b]Ja![/b]");
    (void)room_said(room);
    size_t at = room->post_count;
    while (strcmp(room->posts[--at].author, "Carl") != 0) {
    }
    snprintf(why, sizeof why, "/why %lld", (long long)room->posts[at].id);
    pressing_slash(pressing, "Carl", why);
    assert_shown("“Ja!” is bold and exactly one of the words");
}
END_TEST

/* Anybody may read in the thread how a closed vote ended.  What was voted
 * before that is not repeated, and a replacement has not cast it. */
START_TEST(whoever_asks_is_told_how_a_player_has_voted)
{
    begin_vote();
    pressing_slash(pressing, "Carl", "/vote ja");
    pressing_slash(pressing, "Zoe", "/votes @Carl");
    assert_shown("Carl has not had a vote in this game yet.");
    pressing_slash(pressing, "Anna", "/vote nein");
    pressing_slash(pressing, "Bob", "/vote ja");
    pressing_slash(pressing, "Dora", "/vote nein");
    pressing_slash(pressing, "Emil", "/vote nein");
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    unsigned posts = room_count_said(room, "");
    pressing_slash(pressing, "Zoe", "/votes @Carl");
    ck_assert_str_eq(pressing->shown.text,
                     "Carl, votes so far:\nRound 1, Anna and Bob: Ja");
    pressing_slash(pressing, "Emil", "/votes Anna");
    ck_assert_str_eq(pressing->shown.text,
                     "Anna, votes so far:\nRound 1, Anna and Bob: Nein");
    pressing_slash(pressing, "Emil", "/votes @Zoe");
    assert_shown("that isn't a player of this game. Players: Anna");
    ck_assert_uint_eq(room_count_said(room, ""), posts);
    room_says(room, "Emil", "!votes bob");
    ck_assert_str_eq(room_said(room),
                     "Bob, votes so far:\nRound 1, Anna and Bob: Ja");
}
END_TEST

START_TEST(a_power_and_a_veto_have_their_commands)
{
    char power[64];
    room->deck = "FFLFFLFFLFFLFFLFL";
    pressing_open(pressing);
    room_begin(room, 7);
    room_govern_to(room, 5);
    ck_assert_int_eq(room_game(room)->question, QUESTION_EXECUTION);
    snprintf(power, sizeof power, "/power %s", "Anna");
    pressing_slash(pressing, "Zoe", power);
    assert_shown("isn't yours");
    pressing_types(pressing, room_awaited(room), "/power an");
    ck_assert_uint_eq(pressing->suggested.count, 1);
    pressing_slash(pressing, room_awaited(room), "/nominate Anna");
    assert_shown("isn't yours");
    pressing_slash(pressing, room_awaited(room), power);
    assert_shown("Anna, done.");
    room_elects(room, room_choice(room));
    room_discards(room, false);
    pressing_slash(pressing, room_awaited(room), "/veto");
    assert_shown("You ask for a veto, and I pass it on.");
    ck_assert_int_eq(room_game(room)->question, QUESTION_VETO);
    pressing_slash(pressing, room_awaited(room), "/veto nein");
    assert_shown("You decline the veto.");
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
}
END_TEST

START_TEST(the_names_that_can_be_chosen_are_suggested)
{
    pressing_open(pressing);
    room_begin(room, 5);
    unsigned acknowledged = pressing->acknowledged;
    pressing_types(pressing, "Anna", "/nominate ");
    ck_assert_uint_eq(pressing->suggested.count, 4);
    ck_assert_str_eq(pressing->suggested.list[0].label, "Bob");
    pressing_types(pressing, "Anna", "/nominate d");
    ck_assert_uint_eq(pressing->suggested.count, 1);
    ck_assert_str_eq(pressing->suggested.list[0].label, "Dora");
    ck_assert_uint_eq(pressing->acknowledged, acknowledged);
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    room_names(room, 1);
    pressing_types(pressing, "Anna", "/nominate ");
    ck_assert_uint_eq(pressing->suggested.count, 0);
}
END_TEST

START_TEST(others_see_what_no_post_shows)
{
    pressing_open(pressing);
    room_begin(room, 5);
    room_governs(room, 1, true);
    pressing_slash(pressing, "Anna", "/claim FFL FL");
    assert_shown("Done, at table 1.");
    ck_assert_str_eq(room_said(room), "Anna claims: FFL FL");
    ck_assert_uint_eq(room_table(room)->claim_count, 1);
    pressing_slash(pressing, "Bob", "/away 3d");
    ck_assert_uint_eq(room_count_said(room, "Bob is away until"), 1);
    pressing_slash(pressing, "Carl", "/leave");
    ck_assert(seat_in(2, room_table(room)->leaving));
    ck_assert_uint_eq(room_count_said(room, "Carl can't go on"), 1);
    pressing_slash(pressing, "Carl", "/join");
    ck_assert_uint_eq(room_count_said(room, "Carl is staying"), 1);
}
END_TEST

START_TEST(a_claim_that_is_only_repeated_is_not_told_again)
{
    pressing_open(pressing);
    room_begin(room, 5);
    room_governs(room, 1, true);
    pressing_slash(pressing, "Anna", "/claim FFL FL");
    pressing_slash(pressing, "Anna", "/claim FFL FL");
    assert_shown("Done, at table 1.");
    ck_assert_uint_eq(room_count_said(room, "Anna claims: FFL FL"), 1);
    ck_assert_uint_eq(room_table(room)->claim_count, 1);
    pressing_slash(pressing, "Anna", "/claim FLL FL");
    ck_assert_uint_eq(room_count_said(room, "Anna claims: FLL FL"), 1);
    pressing_slash(pressing, "Anna", "/claim FFL FL");
    ck_assert_uint_eq(room_count_said(room, "Anna claims: FFL FL"), 2);
}
END_TEST

START_TEST(a_moderator_starts_the_game)
{
    static const char *const players[] = {"Anna", "Bob", "Carl", "Dora",
                                          "Emil"};
    room_set(room, "ready_check", "off");
    pressing_open(pressing);
    pressing_slash(pressing, "Mo", "/new players=5-10");
    for (unsigned i = 0; i < 5; i++) {
        pressing_slash(pressing, players[i], "/join");
    }
    pressing_slash(pressing, "Anna", "/start");
    ck_assert_int_eq(room_table(room)->state, TABLE_SIGNUP);
    pressing_slash(pressing, "Mo", "/start");
    ck_assert_int_eq(room_table(room)->state, TABLE_RUNNING);
}
END_TEST

START_TEST(moderators_pause_resume_and_extend)
{
    begin_vote();
    int64_t deadline = room_table(room)->deadline;
    pressing_slash(pressing, "Mo", "/extend 24h");
    ck_assert_int_eq(room_table(room)->deadline, deadline + DAY_MS);
    pressing_slash(pressing, "Mo", "/pause");
    ck_assert(room_table(room)->paused);
    assert_shown("Done, at table 1.");
    pressing_slash(pressing, "Mo", "/resume");
    ck_assert(!room_table(room)->paused);
    pressing_slash(pressing, "Anna", "/pause");
    ck_assert(!room_table(room)->paused);
}
END_TEST

/* What can't be taken back is asked about, to the moderator alone, and is done
 * by the word that is told there. */
START_TEST(moderators_set_a_deadline_take_a_move_back_and_end_the_game)
{
    char yes[24];
    begin_vote();
    pressing_slash(pressing, "Mo", "/deadline Sat 23:30");
    assert_shown("Done, at table 1.");
    assert_holds(room_said(room), "the deadline was moved by Mo");
    pressing_slash(pressing, "Mo", "/undo");
    assert_shown("one move would be undone");
    ck_assert_int_eq(room_game(room)->question, QUESTION_VOTE);
    snprintf(yes, sizeof yes, "!yes %u", room_table(room)->asked[0].number);
    room_says(room, "Mo", yes);
    ck_assert_int_eq(room_game(room)->question, QUESTION_NOMINATE);
    pressing_slash(pressing, "Mo", "/end");
    assert_shown("The game would end");
    ck_assert_int_eq(room_table(room)->state, TABLE_RUNNING);
}
END_TEST

/* A table that moderates itself is asked in the thread. */
START_TEST(what_the_table_has_to_agree_to_is_asked_of_everybody)
{
    room_set(room, "moderation", "table");
    begin_vote();
    pressing_slash(pressing, "Anna", "/pause");
    ck_assert(!room_table(room)->paused);
    ck_assert_uint_eq(room_count_said(room, "!agree"), 1);
}
END_TEST

/* ---- what goes wrong ----------------------------------------------------- */

START_TEST(what_comes_twice_counts_once)
{
    pressing_open(pressing);
    pressing_slash(pressing, "Mo", "/new");
    unsigned acknowledged = pressing->acknowledged;
    int64_t now = room->stage->now;
    pressing_comes(pressing, "one", "Anna", "/join", now);
    pressing_comes(pressing, "one", "Anna", "/join", now);
    room_settle(room);
    ck_assert_uint_eq(room_table(room)->seated, 1);
    ck_assert_uint_eq(pressing->acknowledged, acknowledged + 1);
}
END_TEST

START_TEST(what_comes_more_than_three_seconds_late_is_left_alone)
{
    begin_vote();
    unsigned acknowledged = pressing->acknowledged;
    room_waits(room, 10 * SECOND_MS);
    pressing_comes(pressing, "late", "Carl", "/vote ja",
                   room->stage->now - 3 * SECOND_MS - 1);
    room_settle(room);
    ck_assert_uint_eq(pressing->acknowledged, acknowledged);
    ck_assert(!seat_in(2, room_game(room)->voted));
}
END_TEST

START_TEST(what_was_written_before_it_is_judged_before_it)
{
    pressing_open(pressing);
    room_begin(room, 5);
    pressing->disordered = true;
    room_posts(room, "Anna", "[b][color=red]Bob[/color][/b]");
    pressing_comes(pressing, "one", "Anna", "/nominate Carl",
                   room->stage->now + 1);
    room_waits(room, MINUTE_MS);
    ck_assert_uint_eq(room_game(room)->chancellor, 1);
    assert_shown("isn't yours right now");
}
END_TEST

START_TEST(without_the_setting_nothing_is_offered_or_taken)
{
    pressing->commands = false;
    begin_vote();
    unsigned acknowledged = pressing->acknowledged;
    pressing_slash(pressing, "Carl", "/vote ja");
    ck_assert(!pressing->shown.there);
    ck_assert_uint_eq(pressing->acknowledged, acknowledged);
    ck_assert_uint_eq(pressing->registered, 0);
    ck_assert_uint_eq(pressing->taken_away, 1);
}
END_TEST

/* ---- registering --------------------------------------------------------- */

START_TEST(a_host_registers_them_once)
{
    begin_vote();
    room_waits(room, DAY_MS);
    ck_assert_uint_eq(pressing->registered, 1);
}
END_TEST

START_TEST(where_they_are_refused_posts_go_on_and_it_is_tried_again)
{
    pressing->unregistered = ERR_DENIED;
    begin_vote();
    room_waits(room, HOUR_MS);
    room_says(room, "Carl", "**Ja!**");
    ck_assert(seat_in(2, room_game(room)->ja));
    ck_assert_uint_gt(pressing->registered, 1);
    pressing->unregistered = ERR_NONE;
    room_waits(room, DAY_MS);
    unsigned registered = pressing->registered;
    room_waits(room, DAY_MS);
    ck_assert_uint_eq(pressing->registered, registered);
}
END_TEST

/* ---- whole games --------------------------------------------------------- */

/* What somebody gives who uses slash commands; false: they have to write. */
static bool
choose_command(struct dice *dice, char *body, size_t size)
{
    struct awaits awaits = game_awaits(room_game(room));
    if (awaits.question == QUESTION_VOTE) {
        snprintf(body, size, "/vote %s",
                 dice_below(dice, 3) > 0 ? "ja" : "nein");
        return true;
    }
    if (awaits.question == QUESTION_NOMINATE) {
        snprintf(body, size, "/nominate %s",
                 room_name(room, dice_seat(dice, awaits.choices)));
        return true;
    }
    return false;
}

/* Every second seat gives commands where it can. */
static bool
play_on(struct dice *dice)
{
    const struct table *table = stage_table(room->stage);
    char body[256];
    if (table == NULL || table->state != TABLE_RUNNING) {
        return false;
    }
    struct awaits awaits = game_awaits(&table->game);
    seat_set seats = awaits.seats & game_present(&table->game);
    unsigned seat = seats == 0 ? NO_SEAT : dice_seat(dice, seats);
    if (seat != NO_SEAT && seat % 2 == 1 &&
        choose_command(dice, body, sizeof body)) {
        pressing_slash(pressing, room_name(room, seat), body);
        ck_assert(strstr(pressing->shown.text, "your vote counts") != NULL ||
                  strstr(pressing->shown.text, "is nominated") != NULL);
    } else {
        (void)room_improvise(room, dice);
        room_settle(room);
    }
    return true;
}

START_TEST(in_whole_games_half_of_the_players_give_commands)
{
    struct dice dice = {.state = (uint64_t)_i + 1};
    struct buf record = BUF_INIT;
    struct buf why = BUF_INIT;
    struct record read = {.games = NULL};
    struct verdict verdict = {.number = 0};
    unsigned steps = 0;
    unsigned commanded = 0;
    room->fair = false;
    room->prompt = true;
    pressing_open(pressing);
    room_begin(room, (unsigned[]){5, 7, 10}[_i % 3]);
    while (play_on(&dice)) {
        ck_assert_uint_lt(++steps, 5000);
    }
    room_record(room, "1", &record);
    ck_assert_int_eq(record_read(record.data, record.len, &read, &why),
                     ERR_NONE);
    verify_game(&read.games[0], &verdict);
    ck_assert_int_eq(verdict.legality, LEGALITY_FINISHED);
    for (size_t i = 0; i < read.games[0].line_count; i++) {
        const struct record_line *line = &read.games[0].lines[i];
        if (line->kind == EVENT_VOTED) {
            ck_assert(line->by != RECORD_BY_PRESS || line->event.seat % 2 == 1);
            commanded += line->by == RECORD_BY_PRESS;
        }
    }
    ck_assert_uint_gt(commanded, 0);
    verdict_release(&verdict);
    record_release(&read);
    buf_release(&record);
    buf_release(&why);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/slash");
    TCase *group = tcase_create("slash");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, a_table_is_opened_joined_and_left);
    tcase_add_test(group, what_is_wrong_with_it_is_told_to_its_author_alone);
    tcase_add_test(group, where_no_games_are_hosted_nothing_happens);
    tcase_add_test(
        group, where_no_games_are_hosted_it_is_told_though_a_place_is_missing);
    tcase_add_test(
        group, where_no_games_are_hosted_people_are_told_so_in_their_language);
    tcase_add_test(group, questions_are_answered_to_whoever_asks);
    tcase_add_test(group, strangers_are_told_that_it_is_not_theirs);
    tcase_add_test(group, the_hand_is_shown_to_whoever_has_it);
    tcase_add_test(group, the_cards_have_buttons_though_posts_have_none);
    tcase_add_test(group, a_vote_counts_at_once_and_is_told);
    tcase_add_test(group, a_vote_is_as_final_as_one_in_bold);
    tcase_add_test(group, what_nobody_offered_is_no_vote);
    tcase_add_test(group, a_vote_is_for_the_question_that_was_open);
    tcase_add_test(group, a_chancellor_is_nominated_by_name);
    tcase_add_test(
        group,
        whoever_is_there_is_told_how_things_stand_and_how_a_post_was_read);
    tcase_add_test(group, whoever_asks_is_told_how_a_player_has_voted);
    tcase_add_test(group, a_power_and_a_veto_have_their_commands);
    tcase_add_test(group, the_names_that_can_be_chosen_are_suggested);
    tcase_add_test(group, others_see_what_no_post_shows);
    tcase_add_test(group, a_claim_that_is_only_repeated_is_not_told_again);
    tcase_add_test(group, a_moderator_starts_the_game);
    tcase_add_test(group, moderators_pause_resume_and_extend);
    tcase_add_test(group,
                   moderators_set_a_deadline_take_a_move_back_and_end_the_game);
    tcase_add_test(group, what_the_table_has_to_agree_to_is_asked_of_everybody);
    tcase_add_test(group, what_comes_twice_counts_once);
    tcase_add_test(group,
                   what_comes_more_than_three_seconds_late_is_left_alone);
    tcase_add_test(group, what_was_written_before_it_is_judged_before_it);
    tcase_add_test(group, without_the_setting_nothing_is_offered_or_taken);
    tcase_add_test(group, a_host_registers_them_once);
    tcase_add_test(group,
                   where_they_are_refused_posts_go_on_and_it_is_tried_again);
    tcase_add_loop_test(group, in_whole_games_half_of_the_players_give_commands,
                        0, 6);
    suite_add_tcase(suite, group);
    return suite;
}
