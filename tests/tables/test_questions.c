/*
 * Between players and moderators: questions and their answers, receipts, the
 * next table; and what the operator is told.
 */
#include <string.h>

#include <check.h>

#include "bot/tables/delivery/delivery.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

/* The id of the host's newest message to somebody. */
static const char *
newest_to(const char *who)
{
    static char id[24];
    char place[64];
    snprintf(place, sizeof place, "talk/%s", who);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].place, place) == 0 &&
            strcmp(room.posts[i].author, BOARD_HOST) == 0) {
            snprintf(id, sizeof id, "%lld", (long long)room.posts[i].id);
        }
    }
    return id;
}

/* ---- ask and answer ------------------------------------------------------ */

START_TEST(a_question_goes_to_the_moderators_and_the_answer_comes_back)
{
    room_begin(&room, 5);
    unsigned public = room_count_said(&room, "");
    room_tells(&room, "Anna", "!ask may I have a day more?");
    assert_holds(
        room_told(&room, "Mo"),
        "Table 1: Anna has a question for the moderators.\n\n“may I have a day "
        "more?”");
    assert_holds(room_told(&room, "Anna"), "I've asked the moderators");
    room_tells(&room, "Mo", "!answer Anna yes, until Friday");
    assert_holds(room_told(&room, "Anna"),
                 "the moderators' answer is below.\n\n“yes, until Friday”");
    assert_holds(room_told(&room, "Mo"), "Passed on to Anna.");
    ck_assert_uint_eq(room_count_said(&room, ""), public);
}
END_TEST

START_TEST(an_answer_may_be_a_reply_to_the_question)
{
    struct odd_post reply = {
        .id = "x1", .who = "Mo", .text = "of course", .dm = true};
    room_begin(&room, 5);
    room_tells(&room, "Bob", "!ask is that allowed?");
    room_tells(&room, "Anna", "!ask and this?");
    reply.reply_to = newest_to("Mo");
    reply.stamp = room.stage->now;
    room_delivers(&room, &reply);
    assert_holds(room_told(&room, "Anna"), "“of course”");
    assert_lacks(room_told(&room, "Bob"), "of course");
}
END_TEST

START_TEST(a_question_is_passed_on_to_where_the_moderators_talk)
{
    room_shut(&room);
    room_open(&room);
    TEXT_COPY(room.stage->conf.places[0].moderators_channel, "talk/Zoe");
    places_change(&room.stage->tables.places);
    room_begin(&room, 5);
    room_tells(&room, "Anna", "!ask is this read?");
    assert_holds(room_told(&room, "Zoe"), "Anna has a question");
    ck_assert_uint_eq(room_count_told(&room, "Mo", ""), 0);
}
END_TEST

START_TEST(a_moderator_who_plays_gets_no_question_of_that_game)
{
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Mo", "!join");
    for (unsigned i = 0; i < 4; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_tells(&room, "Anna", "!ask who is it?");
    assert_holds(room_told(&room, "Anna"), "I can't ask anybody");
    ck_assert_uint_eq(room_count_told(&room, "Mo", "has a question"), 0);
    room_tells(&room, "Mo", "!answer Anna me");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "answer you"), 0);
}
END_TEST

START_TEST(only_moderators_answer_and_only_players_ask)
{
    room_begin(&room, 5);
    room_tells(&room, "Bob", "!answer Anna I am the moderator");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "answer you"), 0);
    room_tells(&room, "Zed", "!ask hello?");
    ck_assert_uint_eq(room_count_told(&room, "Mo", ""), 0);
    room_says(&room, "Anna", "!ask in public?");
    assert_holds(room_said(&room), "please write that to me by private "
                                   "message");
    ck_assert_uint_eq(room_count_told(&room, "Mo", ""), 0);
    room_tells(&room, "Anna", "!ask");
    assert_holds(room_told(&room, "Anna"), "Please add your question");
    room_tells(&room, "Mo", "!answer Nobody hello");
    assert_holds(room_told(&room, "Mo"), "Please say who gets the answer");
}
END_TEST

START_TEST(a_long_question_is_cut_and_its_marks_do_nothing)
{
    char text[3000] = "!ask **x** [b]y[/b] ";
    size_t len = strlen(text);
    memset(text + len, 'z', sizeof text - len - 1);
    text[sizeof text - 1] = '\0';
    room_begin(&room, 5);
    room_tells(&room, "Anna", text);
    ck_assert_uint_lt(strlen(room_told(&room, "Mo")), 1300);
    room_tells(&room, "Anna", "!ask @everybody [b]**Ja!**[/b]");
    assert_lacks(room_told(&room, "Mo"), "[b]");
}
END_TEST

/* ---- flags --------------------------------------------------------------- */

/* Somebody flags the newest post of another, in the thread or in private. */
static void
flag_newest(const char *who, const char *author, bool dm)
{
    char text[40] = "";
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].author, author) == 0 &&
            (strncmp(room.posts[i].place, "talk/", 5) == 0) == dm) {
            snprintf(text, sizeof text, "!flag %lld so rude",
                     (long long)room.posts[i].id);
        }
    }
    ck_assert_uint_gt(strlen(text), 0);
    room_tells(&room, who, text);
}

START_TEST(a_flag_of_a_game_without_other_moderators_goes_nowhere)
{
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Mo", "!join");
    for (unsigned i = 0; i < 4; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Bob", "you fools");
    flag_newest("Anna", "Bob", false);
    assert_holds(room_told(&room, "Anna"), "I can't ask anybody");
    ck_assert_int_eq(room_table(&room)->seats[1].flagged[2], 0);
}
END_TEST

START_TEST(nobody_is_shown_a_post_that_somebody_wrote_in_private)
{
    room_begin(&room, 5);
    room_tells(&room, "Bob", "my role is a secret");
    flag_newest("Anna", "Bob", true);
    assert_holds(room_told(&room, "Anna"), "I don't know that post");
    ck_assert_uint_eq(room_count_told(&room, "Mo", "flagged"), 0);
}
END_TEST

/* ---- blocks -------------------------------------------------------------- */

START_TEST(a_store_of_an_earlier_host_gets_what_it_lacks)
{
    room_begin(&room, 5);
    room_shut(&room);
    room_alter(&room, "store.db",
               "DROP TABLE blocked; UPDATE host SET id = id");
    room_open(&room);
    room_says(&room, "Zed", "hello");
    room_says(&room, "Mo", "!block Zed");
    assert_holds(room_said(&room), "Zed can't join games here any more");
    room_reopen(&room);
    room_says(&room, "Zed", "!join");
    assert_holds(room_said(&room), "Zed, the moderators have blocked you");
}
END_TEST

START_TEST(four_people_may_be_blocked_in_one_post)
{
    room_begin(&room, 5);
    for (unsigned i = 5; i < 9; i++) {
        room_says(&room, room_player(i), "!reserve");
    }
    room_says(&room, "Mo",
              "!block Frida\n!block Gert\n!block Hanna\n!block Ida");
    ck_assert_uint_eq(room_table(&room)->reserve_count, 0);
    room_says(&room, "Mo", "!block");
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM blocked"), 4);
}
END_TEST

/* ---- receipts ------------------------------------------------------------ */

START_TEST(who_wants_receipts_gets_one_of_each_vote)
{
    room_begin(&room, 5);
    room_tells(&room, "Bob", "!receipts on");
    assert_holds(room_told(&room, "Bob"), "each vote of yours");
    room_names(&room, 1);
    room_says(&room, "Bob", "**Nein!**");
    assert_holds(room_told(&room, "Bob"), "Your vote: Nein!");
    room_says(&room, "Carl", "**Nein!**");
    ck_assert_uint_eq(room_count_told(&room, "Carl", "is counted"), 0);
    room_reopen(&room);
    room_tells(&room, "Bob", "!receipts off");
    room_says(&room, "Dora", "**Nein!**");
    room_names(&room, 2);
    room_says(&room, "Bob", "**Ja!**");
    ck_assert_uint_eq(room_count_told(&room, "Bob", "your vote is in"), 1);
    room_tells(&room, "Bob", "!receipts perhaps");
    assert_holds(room_told(&room, "Bob"), "receipts on or");
}
END_TEST

/* ---- again --------------------------------------------------------------- */

/* ---- names --------------------------------------------------------------- */

START_TEST(a_name_is_frozen_and_a_new_one_stands_beside_it)
{
    struct odd_post post = {.who = "Bob", .text = "hello"};
    room_begin(&room, 5);
    post.id = "x1";
    post.shown = "Robert";
    post.stamp = room.stage->now;
    room_delivers(&room, &post);
    assert_holds(room_status(&room)->text, "2 Bob (now Robert)");
    room_names(&room, 1);
    ck_assert_uint_eq(room_game(&room)->chancellor, 1);
    room_reopen(&room);
    post.id = "x2";
    post.shown = NULL;
    post.stamp = room.stage->now;
    room_delivers(&room, &post);
    assert_holds(room_status(&room)->text, "2 Bob (nominee)");
}
END_TEST

START_TEST(names_that_are_words_are_warned_about)
{
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Will", "!join");
    assert_holds(room_said(&room), "Will, your name is also a word");
    room_says(&room, "Nein", "!join");
    assert_holds(room_said(&room), "Nein, your name is also a word");
    room_says(&room, "Veto", "!join");
    assert_holds(room_said(&room), "Veto, your name is also a word");
    room_says(&room, "Anna", "!join");
    ck_assert_uint_eq(room_count_said(&room, "is also a word"), 3);
    ck_assert_uint_eq(room_table(&room)->seated, 4);
}
END_TEST

START_TEST(
    what_is_told_of_a_question_does_not_tell_who_of_the_government_dawdles)
{
    unsigned said[2];
    for (unsigned dawdles = 0; dawdles < 2; dawdles++) {
        room_begin(&room, 5);
        room_elects(&room, 1);
        room_says(&room, "Carl", "!dance");
        room_says(&room, "Mo", "!end");
        const char *first = strstr(room_said(&room), "!yes ");
        ck_assert_ptr_nonnull(first);
        char number[16];
        snprintf(number, sizeof number, "%.7s", first);
        if (dawdles == 0) {
            room_discards(&room, true);
        }
        room_says(&room, "Carl", "!dance");
        room_says(&room, "Mo", "!end");
        ck_assert_ptr_nonnull(strstr(room_said(&room), "!yes "));
        ck_assert_int_eq(strstr(room_said(&room), "!yes ")[5],
                         number[5] + 1); /* the next request, no more */
        said[dawdles] = room_count_said(&room, "");
        room_says(&room, "Mo", number);
        ck_assert_ptr_null(stage_table(room.stage));
        tear_down();
        set_up();
    }
    ck_assert_uint_eq(said[0], said[1]);
}
END_TEST

START_TEST(again_opens_the_same_table_and_calls_the_same_people)
{
    room_says(&room, "Mo", "!again");
    assert_holds(room_said(&room), "no game has ended here");
    room_says(&room, "Mo", "!new players=5 rules=official power=36h");
    room_says(&room, "Mo", "!set rules=french");
    room_says(&room, "Mo", "!set ballot=open");
    room_says(&room, "Mo", "!set players=5-6");
    room_says(&room, "Mo", "!set players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Mo", "!again");
    assert_holds(room_said(&room), "one game at a time");
    room_says(&room, "Mo", "!end");
    room_says(&room, "Mo", "!yes 1");
    ck_assert_ptr_null(stage_table(room.stage));
    room_says(&room, "Anna", "!again");
    assert_holds(room_said(&room), "the moderators open the tables: Mo.");
    room_delivers(
        &room, &(struct odd_post){
                   .id = "4000", .who = "Mo", .text = "hm", .shown = "Moritz"});
    room_says(&room, "Anna", "!again");
    assert_holds(room_said(&room), "the moderators open the tables: Moritz.");
    room_says(&room, "Mo", "!again power=12h");
    ck_assert_uint_eq(
        room_count_said(&room, "another "
                               "table of Secret Hitler is open, table 2, with "
                               "the options of table 1"),
        1);
    const struct table *table = room_table(&room);
    ck_assert_uint_eq(table->players_max, 5);
    ck_assert_uint_eq(table->seated, 0);
    ck_assert_int_eq(table->settings.power, 12 * HOUR_MS);
    ck_assert_str_eq(table->settings.preset, "french");
    ck_assert_str_eq(table->settings.rules[4], "open");
}
END_TEST

/* ---- the operator -------------------------------------------------------- */

START_TEST(the_operator_is_told_of_trouble_where_that_is_configured)
{
    struct tables *tables = &room.stage->tables;
    delivery_alarm(tables, "nobody hears", room.stage->now);
    room_settle(&room);
    ck_assert_uint_eq(room_count_said(&room, ""), 0);
    TEXT_COPY(room.stage->conf.alarm, "board Otto");
    delivery_alarm(tables, "the token [b]x[/b] is dead", room.stage->now);
    room_settle(&room);
    assert_holds(room_told(&room, "Otto"), "For the operator of this host: the "
                                           "token [b]x[/b] is dead");
    TEXT_COPY(room.stage->conf.alarm, "board");
    delivery_alarm(tables, "a place is denied", room.stage->now);
    room_settle(&room);
    assert_holds(room_said(&room), "a place is denied");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/questions");
    TCase *tests = tcase_create("questions");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests,
                   a_question_goes_to_the_moderators_and_the_answer_comes_back);
    tcase_add_test(tests, an_answer_may_be_a_reply_to_the_question);
    tcase_add_test(tests, a_question_is_passed_on_to_where_the_moderators_talk);
    tcase_add_test(tests, a_moderator_who_plays_gets_no_question_of_that_game);
    tcase_add_test(tests, only_moderators_answer_and_only_players_ask);
    tcase_add_test(tests, a_long_question_is_cut_and_its_marks_do_nothing);
    tcase_add_test(tests,
                   a_flag_of_a_game_without_other_moderators_goes_nowhere);
    tcase_add_test(tests,
                   nobody_is_shown_a_post_that_somebody_wrote_in_private);
    tcase_add_test(tests, a_store_of_an_earlier_host_gets_what_it_lacks);
    tcase_add_test(tests, four_people_may_be_blocked_in_one_post);
    tcase_add_test(tests, who_wants_receipts_gets_one_of_each_vote);
    tcase_add_test(tests, a_name_is_frozen_and_a_new_one_stands_beside_it);
    tcase_add_test(tests, names_that_are_words_are_warned_about);
    tcase_add_test(
        tests,
        what_is_told_of_a_question_does_not_tell_who_of_the_government_dawdles);
    tcase_add_test(tests, again_opens_the_same_table_and_calls_the_same_people);
    tcase_add_test(tests,
                   the_operator_is_told_of_trouble_where_that_is_configured);
    suite_add_tcase(suite, tests);
    return suite;
}
