/* Games in threads of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/reader.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
    hall_set(&hall, "thread", "new");
    hall_open(&hall);
}

static void
tear_down(void)
{
    hall_release(&hall);
}

static void
join(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        hall_says(&hall, hall_player(i), "!join");
    }
}

/* The newest post of the host in a thread, as it stands. */
static const char *
said_in(const char *thread)
{
    hall.thread = thread;
    return hall_said(&hall);
}

static int64_t
threads(void)
{
    return hall_query(&hall, "board.db", "SELECT count(*) FROM threads");
}

/* ---- one game ------------------------------------------------------------ */

START_TEST(a_game_is_opened_where_it_was_called_for_and_has_its_own_thread)
{
    hall_says(&hall, "Mo", "!new players=5");
    assert_holds(said_in("thread"), "has a thread of its own");
    assert_holds(said_in("thread"), "Sign-up is open");
    assert_holds(said_in("thread/1"), "A table of Secret Hitler is open");
    ck_assert_int_eq(threads(), 1);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread/1");
    ck_assert_str_eq(hall_table(&hall)->home, "thread");
    ck_assert_int_eq(
        hall_query(&hall, "board.db",
                   "SELECT count(*) FROM posts WHERE place = 'thread'"
                   " AND author = 'placard'"),
        1);
}
END_TEST

START_TEST(it_is_played_there_and_nowhere_else)
{
    hall_says(&hall, "Mo", "!new players=5");
    join(0, 5);
    hall.thread = "thread/1";
    hall_names(&hall, 1);
    hall_says_in(&hall, "thread", "Anna", "**Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    hall_votes(&hall, true);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with 3 to 0"), 1);
    hall.thread = "thread";
    ck_assert_uint_eq(hall_count_said(&hall, "Elected"), 0);
    assert_lacks(said_in("thread"), "Sign-up is open");
}
END_TEST

START_TEST(who_joins_in_the_place_is_at_the_table_too)
{
    hall_says(&hall, "Mo", "!new players=5-6");
    hall_says_in(&hall, "thread", "Anna", "!join");
    hall_says_in(&hall, "thread/1", "Bob", "!join");
    ck_assert_uint_eq(hall_table(&hall)->seated, 2);
    hall_says_in(&hall, "thread", "Anna", "!join");
    assert_holds(said_in("thread"), "you are at the table already");
    hall_says_in(&hall, "thread", "Anna", "!leave");
    ck_assert_uint_eq(hall_table(&hall)->seated, 1);
}
END_TEST

START_TEST(a_place_without_own_threads_is_as_it_was)
{
    hall_shut(&hall);
    hall_set(&hall, "thread", "here");
    hall_open(&hall);
    hall_begin(&hall, 5);
    ck_assert_int_eq(threads(), 0);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread");
    ck_assert_str_eq(hall_table(&hall)->home, "");
}
END_TEST

START_TEST(a_game_that_has_begun_before_its_thread_came_opens_none)
{
    hall_posts(&hall, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        hall_posts(&hall, hall_player(i), "!join");
    }
    hall_settle(&hall);
    ck_assert_int_eq(hall_table(&hall)->state, TABLE_RUNNING);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread");
    ck_assert_int_eq(threads(), 0);
    hall_elects(&hall, 1);
}
END_TEST

/* ---- several games ------------------------------------------------------- */

START_TEST(two_tables_of_a_place_are_told_apart)
{
    hall_says(&hall, "Mo", "!new players=5");
    hall_says_in(&hall, "thread", "Mo", "!new players=5");
    ck_assert_int_eq(threads(), 2);
    hall_says_in(&hall, "thread", "Anna", "!join");
    assert_holds(said_in("thread"), "more than one table is open");
    for (unsigned i = 0; i < 5; i++) {
        hall_says_in(&hall, "thread/1", hall_player(i), "!join");
        hall_says_in(&hall, "thread/2", hall_player(i + 5), "!join");
    }
    const struct desk *desk = &hall.stage->desk;
    ck_assert_uint_eq(desk->table_count, 2);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(desk->tables[i]->state, TABLE_RUNNING);
    }
    hall_says_in(&hall, "thread/2", "Frida", "[b][color=red]Gert[/color][/b]");
    ck_assert_int_eq(desk->tables[0]->game.question, QUESTION_NOMINATE);
    ck_assert_int_eq(desk->tables[1]->game.question, QUESTION_VOTE);
    assert_holds(said_in("thread/2"), "Frida names Gert");
    assert_lacks(said_in("thread/1"), "Gert");
}
END_TEST

START_TEST(one_game_at_a_time_is_on_in_a_thread)
{
    hall_says(&hall, "Mo", "!new players=5");
    hall_says_in(&hall, "thread/1", "Mo", "!new players=5");
    assert_holds(said_in("thread/1"), "one game at a time");
    ck_assert_int_eq(threads(), 1);
}
END_TEST

START_TEST(a_finished_table_still_listens)
{
    hall.deck = "FFLFFLFFLFFLFFLFL";
    hall_begin(&hall, 5);
    hall_rejects(&hall);
    struct desk *desk = &hall.stage->desk;
    struct feed feed = {.service = &desk->services[0], .thread = "thread/1"};
    ck_assert(feeds_is_due(desk, &feed, hall.stage->now));
    hall_says(&hall, "Mo", "!end");
    char yes[24];
    snprintf(yes, sizeof yes, "!yes %u", hall_table(&hall)->asked[0].number);
    hall_says(&hall, "Mo", yes);
    ck_assert_ptr_null(stage_table(hall.stage));
    hall_says_in(&hall, "thread", "Mo", "!new players=5");
    ck_assert_str_eq(hall_table(&hall)->thread, "thread/2");
    struct feed later = feed;
    ck_assert(feeds_is_due(desk, &later, hall.stage->now + 6 * DAY_MS));
    later = feed;
    ck_assert(!feeds_is_due(desk, &later, hall.stage->now + 8 * DAY_MS));
    hall_says_in(&hall, "thread/1", "Anna", "!history");
    assert_holds(said_in("thread/1"), "Round 1");
    hall_waits(&hall, 6 * DAY_MS);
    hall_reopen(&hall);
    hall_says_in(&hall, "thread/1", "Bob", "!report");
    assert_holds(said_in("thread/1"), "as one page");
}
END_TEST

START_TEST(after_its_game_a_thread_still_answers_and_opens_the_next_elsewhere)
{
    hall_says(&hall, "Mo", "!new players=5");
    hall_says(&hall, "Mo", "!end");
    hall_says(&hall, "Mo", "!yes 1");
    ck_assert_ptr_null(stage_table(hall.stage));
    assert_holds(said_in("thread"), "The game is over");
    hall_reopen(&hall);
    hall_says_in(&hall, "thread/1", "Zed", "!help");
    assert_holds(said_in("thread/1"), "I host Secret Hitler here");
    hall_says_in(&hall, "thread/1", "Mo", "!new players=5");
    ck_assert_int_eq(threads(), 2);
    ck_assert_str_eq(hall_table(&hall)->home, "thread");
    ck_assert_str_eq(hall_table(&hall)->thread, "thread/2");
}
END_TEST

/* ---- several questions in one talk --------------------------------------- */

/* Two tables of the same five; Anna is President at both, and to discard. */
static void
ask_twice(void)
{
    for (unsigned table = 1; table <= 2; table++) {
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%u", table);
        hall_says_in(&hall, "thread", "Mo", "!new players=5");
        for (unsigned i = 0; i < 5; i++) {
            hall_says_in(&hall, thread, hall_player(i), "!join");
        }
        hall_says_in(&hall, thread, "Anna", "[b][color=red]Bob[/color][/b]");
        for (unsigned i = 0; i < 3; i++) {
            hall_says_in(&hall, thread, hall_player(i), "**Ja!**");
        }
    }
}

static enum question
question_of(unsigned table)
{
    return (enum question)hall.stage->desk.tables[table - 1]->game.question;
}

START_TEST(with_two_questions_open_an_answer_says_which_or_is_asked)
{
    ask_twice();
    hall_tells(&hall, "Anna", "discard 1");
    assert_holds(hall_told(&hall, "Anna"),
                 "You are at more than one table: #1 (board, round 1), #2 "
                 "(board, round 1).");
    ck_assert_int_eq(question_of(1), QUESTION_DISCARD);
    hall_tells(&hall, "Anna", "#3 discard 1");
    assert_holds(hall_told(&hall, "Anna"), "more than one table");
    hall_tells(&hall, "Anna", "#2 discard 1");
    ck_assert_int_eq(question_of(1), QUESTION_DISCARD);
    ck_assert_int_eq(question_of(2), QUESTION_ENACT);
    /* One question is left, so nothing needs to be said. */
    hall_tells(&hall, "Anna", "discard 1");
    ck_assert_int_eq(question_of(1), QUESTION_ENACT);
}
END_TEST

START_TEST(an_answer_to_a_question_is_for_the_game_that_asked_it)
{
    struct odd_post answer = {
        .id = "x1", .who = "Anna", .text = "discard 1", .talk = true};
    char id[24] = "";
    ask_twice();
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
        if (strcmp(post->place, "talk/Anna") == 0 &&
            strstr(post->text, "table 2, round 1: you are President") != NULL) {
            snprintf(id, sizeof id, "%lld", (long long)post->id);
        }
    }
    answer.reply_to = id;
    answer.stamp = hall.stage->now;
    hall_delivers(&hall, &answer);
    ck_assert_int_eq(question_of(1), QUESTION_DISCARD);
    ck_assert_int_eq(question_of(2), QUESTION_ENACT);
}
END_TEST

START_TEST(a_private_command_says_which_game_it_is_about_or_is_asked)
{
    ask_twice();
    hall_tells(&hall, "Carl", "!role");
    assert_holds(hall_told(&hall, "Carl"), "more than one table");
    hall_tells(&hall, "Carl", "#2 !role");
    assert_holds(hall_told(&hall, "Carl"), "table 2");
    assert_holds(hall_told(&hall, "Carl"), "your role");
    hall_tells(&hall, "Carl", " #1  !status");
    assert_holds(hall_told(&hall, "Carl"), "Secret Hitler, table 1");
}
END_TEST

/* ---- killed -------------------------------------------------------------- */

START_TEST(a_host_that_dies_in_the_middle_of_opening_opens_it_once)
{
    for (unsigned turns = 0; turns < 6; turns++) {
        struct buf why = BUF_INIT;
        hall_posts(&hall, "Mo", "!new players=5");
        for (unsigned i = 0; i < turns; i++) {
            ck_assert(loop_turn(&hall.stage->loop, hall.stage->now, 0, &why) ==
                      ERR_NONE);
        }
        hall_reopen(&hall);
        ck_assert_int_eq(threads(), 1);
        ck_assert_str_eq(hall_table(&hall)->thread, "thread/1");
        assert_holds(said_in("thread"), "has a thread of its own");
        assert_holds(said_in("thread/1"), "A table of Secret Hitler is open");
        buf_release(&why);
        tear_down();
        set_up();
    }
}
END_TEST

START_TEST(a_thread_that_was_opened_and_not_noted_is_found_again)
{
    struct buf why = BUF_INIT;
    char sql[160];
    char key[32] = "";
    hall_posts(&hall, "Mo", "!new players=5");
    while (hall_query(&hall, "store.db",
                      "SELECT count(*) FROM letter WHERE kind = 6") == 0) {
        ck_assert(loop_turn(&hall.stage->loop, hall.stage->now, 0, &why) ==
                  ERR_NONE);
    }
    ck_assert_int_eq(threads(), 0);
    const struct outbox *outbox = &hall.stage->desk.outbox;
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->list[i]->letter.kind == LETTER_OPEN) {
            TEXT_COPY(key, outbox->list[i]->key);
        }
    }
    hall_shut(&hall);
    /* The service has opened it, and the host died before it heard so. */
    snprintf(sql, sizeof sql,
             "INSERT INTO threads(title, key) VALUES('Table 1', '%s')", key);
    hall_alter(&hall, "board.db", sql);
    hall_open(&hall);
    ck_assert_int_eq(threads(), 1);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread/1");
    join(0, 5);
    ck_assert_int_eq(hall_table(&hall)->state, TABLE_RUNNING);
    buf_release(&why);
}
END_TEST

START_TEST(a_game_in_its_own_thread_goes_on_after_a_restart)
{
    hall_says(&hall, "Mo", "!new players=5");
    join(0, 5);
    hall_reopen(&hall);
    hall.thread = "thread/1";
    hall_elects(&hall, 1);
    hall_reopen(&hall);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread/1");
    hall_discards(&hall, true);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_ENACT);
    ck_assert_int_eq(threads(), 1);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/threads");
    TCase *tests = tcase_create("threads");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(
        tests, a_game_is_opened_where_it_was_called_for_and_has_its_own_thread);
    tcase_add_test(tests, it_is_played_there_and_nowhere_else);
    tcase_add_test(tests, who_joins_in_the_place_is_at_the_table_too);
    tcase_add_test(tests, a_place_without_own_threads_is_as_it_was);
    tcase_add_test(tests,
                   a_game_that_has_begun_before_its_thread_came_opens_none);
    tcase_add_test(tests, two_tables_of_a_place_are_told_apart);
    tcase_add_test(tests, one_game_at_a_time_is_on_in_a_thread);
    tcase_add_test(tests, a_finished_table_still_listens);
    tcase_add_test(
        tests,
        after_its_game_a_thread_still_answers_and_opens_the_next_elsewhere);
    tcase_add_test(tests,
                   a_host_that_dies_in_the_middle_of_opening_opens_it_once);
    tcase_add_test(tests,
                   a_thread_that_was_opened_and_not_noted_is_found_again);
    tcase_add_test(tests, a_game_in_its_own_thread_goes_on_after_a_restart);
    tcase_add_test(tests,
                   with_two_questions_open_an_answer_says_which_or_is_asked);
    tcase_add_test(tests,
                   an_answer_to_a_question_is_for_the_game_that_asked_it);
    tcase_add_test(tests,
                   a_private_command_says_which_game_it_is_about_or_is_asked);
    suite_add_tcase(suite, tests);
    return suite;
}
