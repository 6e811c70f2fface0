/*
 * Between players and moderators: questions and their answers, receipts, the
 * next table; and what the operator is told.
 */
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
    hall_open(&hall);
}

static void
tear_down(void)
{
    hall_release(&hall);
}

/* The id of the host's newest message to somebody. */
static const char *
newest_to(const char *who)
{
    static char id[24];
    char place[64];
    snprintf(place, sizeof place, "talk/%s", who);
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        if (strcmp(hall.posts[i].place, place) == 0 &&
            strcmp(hall.posts[i].author, BOARD_HOST) == 0) {
            snprintf(id, sizeof id, "%lld", (long long)hall.posts[i].id);
        }
    }
    return id;
}

/* ---- ask and answer ------------------------------------------------------ */

START_TEST(a_question_goes_to_the_moderators_and_the_answer_comes_back)
{
    hall_begin(&hall, 5);
    unsigned public = hall_count_said(&hall, "");
    hall_tells(&hall, "Anna", "!ask may I have a day more?");
    assert_holds(hall_told(&hall, "Mo"),
                 "Table 1, Anna asks the moderators: “may I have a day more?”");
    assert_holds(hall_told(&hall, "Anna"), "I have asked the moderators");
    hall_tells(&hall, "Mo", "!answer Anna yes, until Friday");
    assert_holds(hall_told(&hall, "Anna"),
                 "the moderators answer you: “yes, until Friday”");
    assert_holds(hall_told(&hall, "Mo"), "Passed on to Anna.");
    ck_assert_uint_eq(hall_count_said(&hall, ""), public);
}
END_TEST

START_TEST(an_answer_may_be_a_reply_to_the_question)
{
    struct odd_post reply = {
        .id = "x1", .who = "Mo", .text = "of course", .talk = true};
    hall_begin(&hall, 5);
    hall_tells(&hall, "Bob", "!ask is that allowed?");
    hall_tells(&hall, "Anna", "!ask and this?");
    reply.reply_to = newest_to("Mo");
    reply.stamp = hall.stage->now;
    hall_delivers(&hall, &reply);
    assert_holds(hall_told(&hall, "Anna"), "“of course”");
    assert_lacks(hall_told(&hall, "Bob"), "of course");
}
END_TEST

START_TEST(a_question_is_passed_on_to_where_the_moderators_talk)
{
    hall_shut(&hall);
    hall_open(&hall);
    TEXT_COPY(hall.stage->conf.places[0].moderators_talk, "talk/Zoe");
    hall_begin(&hall, 5);
    hall_tells(&hall, "Anna", "!ask is this read?");
    assert_holds(hall_told(&hall, "Zoe"), "Anna asks the moderators");
    ck_assert_uint_eq(hall_count_told(&hall, "Mo", ""), 0);
}
END_TEST

START_TEST(a_moderator_who_plays_gets_no_question_of_that_game)
{
    hall_says(&hall, "Mo", "!new players=5");
    hall_says(&hall, "Mo", "!join");
    for (unsigned i = 0; i < 4; i++) {
        hall_says(&hall, hall_player(i), "!join");
    }
    hall_tells(&hall, "Anna", "!ask who is it?");
    assert_holds(hall_told(&hall, "Anna"), "I can ask nobody");
    ck_assert_uint_eq(hall_count_told(&hall, "Mo", "asks the moderators"), 0);
    hall_tells(&hall, "Mo", "!answer Anna me");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "answer you"), 0);
}
END_TEST

START_TEST(only_moderators_answer_and_only_players_ask)
{
    hall_begin(&hall, 5);
    hall_tells(&hall, "Bob", "!answer Anna I am the moderator");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "answer you"), 0);
    hall_tells(&hall, "Zed", "!ask hello?");
    ck_assert_uint_eq(hall_count_told(&hall, "Mo", ""), 0);
    hall_says(&hall, "Anna", "!ask in public?");
    assert_holds(hall_said(&hall), "write that to me by private message");
    ck_assert_uint_eq(hall_count_told(&hall, "Mo", ""), 0);
    hall_tells(&hall, "Anna", "!ask");
    assert_holds(hall_told(&hall, "Anna"), "Say what you want to ask");
    hall_tells(&hall, "Mo", "!answer Nobody hello");
    assert_holds(hall_told(&hall, "Mo"), "Say who gets the answer");
}
END_TEST

START_TEST(a_long_question_is_cut_and_its_marks_do_nothing)
{
    char text[3000] = "!ask **x** [b]y[/b] ";
    size_t len = strlen(text);
    memset(text + len, 'z', sizeof text - len - 1);
    text[sizeof text - 1] = '\0';
    hall_begin(&hall, 5);
    hall_tells(&hall, "Anna", text);
    ck_assert_uint_lt(strlen(hall_told(&hall, "Mo")), 1300);
    hall_tells(&hall, "Anna", "!ask @everybody [b]**Ja!**[/b]");
    assert_lacks(hall_told(&hall, "Mo"), "[b]");
}
END_TEST

/* ---- receipts ------------------------------------------------------------ */

START_TEST(who_wants_receipts_gets_one_of_each_vote)
{
    hall_begin(&hall, 5);
    hall_tells(&hall, "Bob", "!receipts on");
    assert_holds(hall_told(&hall, "Bob"), "each vote of yours");
    hall_names(&hall, 1);
    hall_says(&hall, "Bob", "**Nein!**");
    assert_holds(hall_told(&hall, "Bob"), "Your vote: Nein!");
    hall_says(&hall, "Carl", "**Nein!**");
    ck_assert_uint_eq(hall_count_told(&hall, "Carl", "is counted"), 0);
    hall_reopen(&hall);
    hall_tells(&hall, "Bob", "!receipts off");
    hall_says(&hall, "Dora", "**Nein!**");
    hall_names(&hall, 2);
    hall_says(&hall, "Bob", "**Ja!**");
    ck_assert_uint_eq(hall_count_told(&hall, "Bob", "your vote is in"), 1);
    hall_tells(&hall, "Bob", "!receipts perhaps");
    assert_holds(hall_told(&hall, "Bob"), "receipts on or");
}
END_TEST

/* ---- again --------------------------------------------------------------- */

/* ---- names --------------------------------------------------------------- */

START_TEST(a_name_is_frozen_and_a_new_one_stands_beside_it)
{
    struct odd_post post = {.who = "Bob", .text = "hello"};
    hall_begin(&hall, 5);
    post.id = "x1";
    post.shown = "Robert";
    post.stamp = hall.stage->now;
    hall_delivers(&hall, &post);
    assert_holds(hall_status(&hall)->text, "2 Bob (now Robert)");
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_game(&hall)->chancellor, 1);
    hall_reopen(&hall);
    post.id = "x2";
    post.shown = NULL;
    post.stamp = hall.stage->now;
    hall_delivers(&hall, &post);
    assert_holds(hall_status(&hall)->text, "2 Bob (nominee)");
}
END_TEST

START_TEST(names_that_are_words_are_warned_about)
{
    hall_says(&hall, "Mo", "!new players=5");
    hall_says(&hall, "Will", "!join");
    assert_holds(hall_said(&hall), "Will, your name is also a word");
    hall_says(&hall, "Nein", "!join");
    assert_holds(hall_said(&hall), "Nein, your name is also a word");
    hall_says(&hall, "Veto", "!join");
    assert_holds(hall_said(&hall), "Veto, your name is also a word");
    hall_says(&hall, "Anna", "!join");
    ck_assert_uint_eq(hall_count_said(&hall, "is also a word"), 3);
    ck_assert_uint_eq(hall_table(&hall)->seated, 4);
}
END_TEST

START_TEST(
    what_is_told_of_a_question_does_not_tell_who_of_the_government_dawdles)
{
    unsigned said[2];
    for (unsigned dawdles = 0; dawdles < 2; dawdles++) {
        hall_begin(&hall, 5);
        hall_elects(&hall, 1);
        hall_says(&hall, "Carl", "!dance");
        hall_says(&hall, "Mo", "!end");
        const char *first = strstr(hall_said(&hall), "!yes ");
        ck_assert_ptr_nonnull(first);
        char number[16];
        snprintf(number, sizeof number, "%.7s", first);
        if (dawdles == 0) {
            hall_discards(&hall, true);
        }
        hall_says(&hall, "Carl", "!dance");
        hall_says(&hall, "Mo", "!end");
        ck_assert_ptr_nonnull(strstr(hall_said(&hall), "!yes "));
        ck_assert_int_eq(strstr(hall_said(&hall), "!yes ")[5],
                         number[5] + 1); /* the next request, no more */
        said[dawdles] = hall_count_said(&hall, "");
        hall_says(&hall, "Mo", number);
        ck_assert_ptr_null(stage_table(hall.stage));
        tear_down();
        set_up();
    }
    ck_assert_uint_eq(said[0], said[1]);
}
END_TEST

START_TEST(again_opens_the_same_table_and_calls_the_same_people)
{
    hall_says(&hall, "Mo", "!again");
    assert_holds(hall_said(&hall), "no game has ended here");
    hall_says(&hall, "Mo", "!new players=5 ballot=sealed power=36h");
    hall_says(&hall, "Mo", "!set rules=french");
    hall_says(&hall, "Mo", "!set ballot=open");
    hall_says(&hall, "Mo", "!set players=5-6");
    hall_says(&hall, "Mo", "!set players=5");
    for (unsigned i = 0; i < 5; i++) {
        hall_says(&hall, hall_player(i), "!join");
    }
    hall_says(&hall, "Mo", "!again");
    assert_holds(hall_said(&hall), "one game at a time");
    hall_says(&hall, "Mo", "!end");
    hall_says(&hall, "Mo", "!yes 1");
    ck_assert_ptr_null(stage_table(hall.stage));
    hall_says(&hall, "Anna", "!again");
    assert_holds(hall_said(&hall), "the moderators open the tables");
    hall_says(&hall, "Mo", "!again power=12h");
    ck_assert_uint_eq(
        hall_count_said(&hall, "another "
                               "table of Secret Hitler is open, table 2, with "
                               "the options of table 1"),
        1);
    const struct table *table = hall_table(&hall);
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
    struct buf why = BUF_INIT;
    struct desk *desk = &hall.stage->desk;
    ck_assert(desk_alarm(desk, "nobody hears", hall.stage->now, &why) ==
              ERR_NONE);
    hall_settle(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, ""), 0);
    TEXT_COPY(hall.stage->conf.alarm, "board Otto");
    ck_assert(desk_alarm(desk, "the token [b]x[/b] is dead", hall.stage->now,
                         &why) == ERR_NONE);
    hall_settle(&hall);
    assert_holds(hall_told(&hall, "Otto"), "To the operator of this host: the "
                                           "token [b]x[/b] is dead");
    TEXT_COPY(hall.stage->conf.alarm, "board");
    ck_assert(desk_alarm(desk, "a place is denied", hall.stage->now, &why) ==
              ERR_NONE);
    hall_settle(&hall);
    assert_holds(hall_said(&hall), "a place is denied");
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
