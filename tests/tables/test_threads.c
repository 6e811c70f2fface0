/* Games in threads of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/reader.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room_set(&room, "thread", "new");
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
join(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        room_says(&room, room_player(i), "!join");
    }
}

/* The newest post of the host in a thread, as it stands. */
static const char *
said_in(const char *thread)
{
    room.thread = thread;
    return room_said(&room);
}

static int64_t
threads(void)
{
    return room_query(&room, "board.db", "SELECT count(*) FROM threads");
}

/* ---- one game ------------------------------------------------------------ */

START_TEST(a_game_is_opened_where_it_was_called_for_and_has_its_own_thread)
{
    room_says(&room, "Mo", "!new players=5");
    assert_holds(said_in("thread"), "is over there");
    assert_holds(said_in("thread"), "Sign-up is open");
    assert_holds(said_in("thread/1"), "A table of Secret Hitler is open");
    ck_assert_int_eq(threads(), 1);
    ck_assert_str_eq(room_table(&room)->thread, "thread/1");
    ck_assert_str_eq(room_table(&room)->home, "thread");
    ck_assert_int_eq(
        room_query(&room, "board.db",
                   "SELECT count(*) FROM posts WHERE place = 'thread'"
                   " AND author = 'placard'"),
        1);
}
END_TEST

START_TEST(it_is_played_there_and_nowhere_else)
{
    room_says(&room, "Mo", "!new players=5");
    join(0, 5);
    room.thread = "thread/1";
    room_names(&room, 1);
    room_says_in(&room, "thread", "Anna", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_said(&room, "Elected, 3 to 0"), 1);
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 0);
    assert_lacks(said_in("thread"), "Sign-up is open");
}
END_TEST

START_TEST(who_joins_in_the_place_is_at_the_table_too)
{
    room_says(&room, "Mo", "!new players=5-6");
    room_says_in(&room, "thread", "Anna", "!join");
    room_says_in(&room, "thread/1", "Bob", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
    room_says_in(&room, "thread", "Anna", "!join");
    assert_holds(said_in("thread"), "you're already at the table");
    room_says_in(&room, "thread", "Anna", "!leave");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
}
END_TEST

START_TEST(a_place_without_own_threads_is_as_it_was)
{
    room_shut(&room);
    room_set(&room, "thread", "here");
    room_open(&room);
    room_begin(&room, 5);
    ck_assert_int_eq(threads(), 0);
    ck_assert_str_eq(room_table(&room)->thread, "thread");
    ck_assert_str_eq(room_table(&room)->home, "");
}
END_TEST

START_TEST(a_game_that_has_begun_before_its_thread_came_opens_none)
{
    room_posts(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_posts(&room, room_player(i), "!join");
    }
    room_settle(&room);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_str_eq(room_table(&room)->thread, "thread");
    ck_assert_int_eq(threads(), 0);
    room_elects(&room, 1);
}
END_TEST

/* ---- several games ------------------------------------------------------- */

START_TEST(two_tables_of_a_place_are_told_apart)
{
    room_says(&room, "Mo", "!new players=5");
    room_says_in(&room, "thread", "Mo", "!new players=5");
    ck_assert_int_eq(threads(), 2);
    room_says_in(&room, "thread", "Anna", "!join");
    assert_holds(said_in("thread"), "more than one table is open");
    for (unsigned i = 0; i < 5; i++) {
        room_says_in(&room, "thread/1", room_player(i), "!join");
        room_says_in(&room, "thread/2", room_player(i + 5), "!join");
    }
    struct tables *tables = &room.stage->tables;
    ck_assert_uint_eq(tables->hosted.count, 2);
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_int_eq(tables->hosted.list[i]->table.state, TABLE_RUNNING);
    }
    room_says_in(&room, "thread/2", "Frida", "[b][color=red]Gert[/color][/b]");
    ck_assert_int_eq(tables->hosted.list[0]->table.game.question,
                     QUESTION_NOMINATE);
    ck_assert_int_eq(tables->hosted.list[1]->table.game.question,
                     QUESTION_VOTE);
    assert_holds(said_in("thread/2"), "Frida nominates Gert");
    assert_lacks(said_in("thread/1"), "Gert");
}
END_TEST

START_TEST(one_game_at_a_time_is_on_in_a_thread)
{
    room_says(&room, "Mo", "!new players=5");
    room_says_in(&room, "thread/1", "Mo", "!new players=5");
    assert_holds(said_in("thread/1"), "still signing up here");
    ck_assert_int_eq(threads(), 1);
}
END_TEST

START_TEST(a_finished_table_still_listens)
{
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_begin(&room, 5);
    room_rejects(&room);
    struct tables *tables = &room.stage->tables;
    struct feed *feed =
        feeds_add(&tables->feeds, &tables->services.list[0], "of the thread");
    feed_set_thread(feed, "thread/1");
    ck_assert(reader_is_due(tables, feed, room.stage->now));
    feeds_set_busy(&tables->feeds, feed, true); /* the board has no such feed */
    room_says(&room, "Mo", "!end");
    char yes[24];
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asked[0].number);
    room_says(&room, "Mo", yes);
    ck_assert_ptr_null(stage_table(room.stage));
    room_says_in(&room, "thread", "Mo", "!new players=5");
    ck_assert_str_eq(room_table(&room)->thread, "thread/2");
    feeds_set_busy(&tables->feeds, feed, false);
    ck_assert(reader_is_due(tables, feed, room.stage->now + 6 * DAY_MS));
    ck_assert(!reader_is_due(tables, feed, room.stage->now + 8 * DAY_MS));
    feeds_set_busy(&tables->feeds, feed, true);
    room_says_in(&room, "thread/1", "Anna", "!history");
    assert_holds(said_in("thread/1"), "Round 1");
    room_waits(&room, 6 * DAY_MS);
    room_reopen(&room);
    room_says_in(&room, "thread/1", "Bob", "!report");
    assert_holds(said_in("thread/1"), "Table 1: all hands, votes and claims.");
}
END_TEST

START_TEST(a_command_in_the_thread_of_a_game_on_hold_is_told_so)
{
    room_begin(&room, 5);
    room_shut(&room);
    room_alter(&room, "store.db", "UPDATE game SET held = 1");
    room_reopen(&room);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
    room_says_in(&room, "thread/1", "Anna", "!status");
    assert_holds(said_in("thread/1"), "Anna, table 1 is on hold");
    room_says_in(&room, "thread/1", "Mo", "!extend 1d");
    assert_holds(said_in("thread/1"), "Mo, table 1 is on hold");
    room_says_in(&room, "thread/1", "Zed", "!join");
    assert_holds(said_in("thread/1"), "Zed, table 1 is on hold");
    room_says_in(&room, "thread", "Anna", "!join");
    assert_holds(said_in("thread"), "no table is open here");
    room_says_in(&room, "thread/1", "Mo", "!rules");
    assert_lacks(said_in("thread/1"), "on hold");
    room_says_in(&room, "thread/1", "Mo", "!new players=5");
    ck_assert_str_eq(room_table(&room)->id, "2");
}
END_TEST

START_TEST(after_its_game_a_thread_still_answers_and_opens_the_next_elsewhere)
{
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Mo", "!end");
    room_says(&room, "Mo", "!yes 1");
    ck_assert_ptr_null(stage_table(room.stage));
    assert_holds(said_in("thread"),
                 "Sign-up is closed, and there was no game.");
    room_reopen(&room);
    room_says_in(&room, "thread/1", "Zed", "!help");
    assert_holds(said_in("thread/1"), "I host Secret Hitler here");
    room_says_in(&room, "thread/1", "Mo", "!new players=5");
    ck_assert_int_eq(threads(), 2);
    ck_assert_str_eq(room_table(&room)->home, "thread");
    ck_assert_str_eq(room_table(&room)->thread, "thread/2");
}
END_TEST

/* ---- several questions in one DM --------------------------------------- */

/* Two tables of the same five; Anna is President at both, and to discard. */
static void
ask_twice(void)
{
    for (unsigned table = 1; table <= 2; table++) {
        char thread[16];
        snprintf(thread, sizeof thread, "thread/%u", table);
        room_says_in(&room, "thread", "Mo", "!new players=5");
        for (unsigned i = 0; i < 5; i++) {
            room_says_in(&room, thread, room_player(i), "!join");
        }
        room_says_in(&room, thread, "Anna", "[b][color=red]Bob[/color][/b]");
        for (unsigned i = 0; i < 3; i++) {
            room_says_in(&room, thread, room_player(i), "**Ja!**");
        }
    }
}

static enum question
question_of(unsigned table)
{
    struct tables *tables = &room.stage->tables;
    return (enum question)tables->hosted.list[table - 1]->table.game.question;
}

START_TEST(with_two_questions_open_an_answer_says_which_or_is_asked)
{
    ask_twice();
    room_tells(&room, "Anna", "discard 1");
    assert_holds(room_told(&room, "Anna"),
                 "You're at more than one table: #1 (board, round 1), #2 "
                 "(board, round 1).");
    ck_assert_int_eq(question_of(1), QUESTION_DISCARD);
    room_tells(&room, "Anna", "#3 discard 1");
    assert_holds(room_told(&room, "Anna"), "more than one table");
    room_tells(&room, "Anna", "#2 discard 1");
    ck_assert_int_eq(question_of(1), QUESTION_DISCARD);
    ck_assert_int_eq(question_of(2), QUESTION_ENACT);
    /* One question is left, so nothing needs to be said. */
    room_tells(&room, "Anna", "discard 1");
    ck_assert_int_eq(question_of(1), QUESTION_ENACT);
}
END_TEST

START_TEST(an_answer_to_a_question_is_for_the_game_that_asked_it)
{
    struct odd_post answer = {
        .id = "x1", .who = "Anna", .text = "discard 1", .dm = true};
    char id[24] = "";
    ask_twice();
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->place, "talk/Anna") == 0 &&
            strstr(post->text, "table 2, round 1: you're President") != NULL) {
            snprintf(id, sizeof id, "%lld", (long long)post->id);
        }
    }
    answer.reply_to = id;
    answer.stamp = room.stage->now;
    room_delivers(&room, &answer);
    ck_assert_int_eq(question_of(1), QUESTION_DISCARD);
    ck_assert_int_eq(question_of(2), QUESTION_ENACT);
}
END_TEST

START_TEST(a_private_command_says_which_game_it_is_about_or_is_asked)
{
    ask_twice();
    room_tells(&room, "Carl", "!role");
    assert_holds(room_told(&room, "Carl"), "more than one table");
    room_tells(&room, "Carl", "#2 !role");
    assert_holds(room_told(&room, "Carl"), "table 2");
    assert_holds(room_told(&room, "Carl"), "your role");
    room_tells(&room, "Carl", " #1  !status");
    assert_holds(room_told(&room, "Carl"), "Secret Hitler, table 1");
}
END_TEST

static void
end_game_in(const char *thread, unsigned table)
{
    struct tables *tables = &room.stage->tables;
    char yes[24];
    room_says_in(&room, thread, "Mo", "!end");
    const struct table *ended = &tables->hosted.list[table - 1]->table;
    snprintf(yes, sizeof yes, "!yes %u", ended->asked[0].number);
    room_says_in(&room, thread, "Mo", yes);
}

/* How a private post was read keeps its length while its author still plays. */
START_TEST(secrets_end_with_the_last_game_of_somebody)
{
    static const char padded[] = "SELECT count(*) FROM post"
                                 " WHERE length(verdict) > 256";
    ask_twice();
    room_tells(&room, "Anna", "#1 discard 1");
    end_game_in("thread/1", 1);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 1);
    ck_assert_int_eq(room_query(&room, "store.db", padded), 1);
    end_game_in("thread/2", 1);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
    ck_assert_int_eq(room_query(&room, "store.db", padded), 0);
}
END_TEST

START_TEST(the_posts_of_a_thread_are_forgotten_once_it_is_not_read_any_more)
{
    static const char first[] =
        "SELECT count(*) FROM " SQL_POSTS " WHERE place = 'thread/1'";
    ask_twice();
    end_game_in("thread/1", 1);
    end_game_in("thread/2", 1);
    ck_assert_int_gt(room_query(&room, "store.db", first), 5);
    room.stage->now += 7 * DAY_MS;
    room_says_in(&room, "thread", "Mo", "!new players=5");
    end_game_in("thread/3", 1);
    ck_assert_int_eq(room_query(&room, "store.db", first), 0);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM post_place"
                                " WHERE place IN ('thread/1', 'thread/2')"),
                     0);
    ck_assert_int_gt(room_query(&room, "store.db",
                                "SELECT count(*) FROM " SQL_POSTS
                                " WHERE place = 'thread/3'"),
                     1);
}
END_TEST

/* ---- killed -------------------------------------------------------------- */

START_TEST(a_host_that_dies_in_the_middle_of_opening_opens_it_once)
{
    for (unsigned turns = 0; turns < 6; turns++) {
        struct buf why = BUF_INIT;
        room_posts(&room, "Mo", "!new players=5");
        for (unsigned i = 0; i < turns; i++) {
            ck_assert(loop_turn(&room.stage->loop, room.stage->now, 0, &why) ==
                      ERR_NONE);
        }
        room_reopen(&room);
        ck_assert_int_eq(threads(), 1);
        ck_assert_str_eq(room_table(&room)->thread, "thread/1");
        assert_holds(said_in("thread"), "is over there");
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
    room_posts(&room, "Mo", "!new players=5");
    while (room_query(&room, "store.db",
                      "SELECT count(*) FROM message WHERE kind = 6") == 0) {
        ck_assert(loop_turn(&room.stage->loop, room.stage->now, 0, &why) ==
                  ERR_NONE);
    }
    ck_assert_int_eq(threads(), 0);
    const struct outbox *outbox = &room.stage->tables.outbox;
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->list[i]->message.kind == MESSAGE_OPEN) {
            TEXT_COPY(key, outbox->list[i]->key);
        }
    }
    room_shut(&room);
    /* The service has opened it, and the host died before it knew. */
    snprintf(sql, sizeof sql,
             "INSERT INTO threads(title, key) VALUES('Table 1', '%s')", key);
    room_alter(&room, "board.db", sql);
    room_open(&room);
    ck_assert_int_eq(threads(), 1);
    ck_assert_str_eq(room_table(&room)->thread, "thread/1");
    join(0, 5);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    buf_release(&why);
}
END_TEST

START_TEST(a_game_in_its_own_thread_goes_on_after_a_restart)
{
    room_says(&room, "Mo", "!new players=5");
    join(0, 5);
    room_reopen(&room);
    room.thread = "thread/1";
    room_elects(&room, 1);
    room_reopen(&room);
    ck_assert_str_eq(room_table(&room)->thread, "thread/1");
    room_discards(&room, true);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    ck_assert_int_eq(threads(), 1);
}
END_TEST

/* ---- free seats ---------------------------------------------------------- */

/* A game in its own thread, and Carl wants to leave it. */
static void
begin_and_leave(void)
{
    room_says(&room, "Mo", "!new players=5");
    join(0, 5);
    room.thread = "thread/1";
    room_says_in(&room, "thread/1", "Carl", "!leave");
}

START_TEST(a_free_seat_is_offered_in_the_place_until_it_is_taken)
{
    room_shut(&room);
    room_set(&room, "vacancies", "place");
    room_open(&room);
    begin_and_leave();
    room_reopen(&room);
    assert_holds(
        said_in("thread"),
        "Secret Hitler, table 1, round 1: a seat is free, in the "
        "thread “Secret Hitler, table 1”. Whoever posts !join first, there or here");
    room_says_in(&room, "thread/1", "Mo", "!vacate Bob");
    assert_holds(said_in("thread"), "2 seats are free");
    room_says_in(&room, "thread/1", "Zed", "!join");
    assert_holds(said_in("thread"), "a seat is free");
    room_says_in(&room, "thread/1", "Carl", "!join");
    assert_holds(said_in("thread"), "no seat is free any more");
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "Secret Hitler, table 1"), 2);

    /* the next one is a post of its own */
    room_says_in(&room, "thread/1", "Dora", "!leave");
    assert_holds(said_in("thread"), "a seat is free");
    room.thread = "thread/1";
    room_says(&room, "Mo", "!end");
    room_says(&room, "Mo", "!yes 1");
    assert_holds(said_in("thread"), "the game is over");
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "Secret Hitler, table 1"), 3);
}
END_TEST

START_TEST(a_seat_that_is_taken_before_anybody_read_of_it_is_not_offered)
{
    room_shut(&room);
    room_set(&room, "vacancies", "place");
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    join(0, 5);
    room.thread = "thread/1";
    room_posts(&room, "Carl", "!leave");
    room_posts(&room, "Carl", "!join");
    room_settle(&room);
    assert_holds(said_in("thread"), "no seat is free any more");
}
END_TEST

START_TEST(the_place_hears_of_no_seat_unless_that_is_set)
{
    begin_and_leave();
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "is free"), 0);
}
END_TEST

/* The newest post in the place that has these words. */
static void
post_in_place(const char *words, char *id, size_t size)
{
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->place, "thread") == 0 &&
            strstr(post->text, words) != NULL) {
            snprintf(id, size, "%lld", (long long)post->id);
        }
    }
}

START_TEST(
    of_two_seats_that_are_offered_the_one_is_taken_whose_offer_is_answered)
{
    struct odd_post join = {.id = "x1", .who = "Zed", .text = "!join"};
    char id[24] = "";
    room_shut(&room);
    room_set(&room, "vacancies", "place");
    room_open(&room);
    ask_twice();
    room_says_in(&room, "thread/1", "Carl", "!leave");
    room_says_in(&room, "thread/2", "Carl", "!leave");
    room_says_in(&room, "thread", "Zed", "!join");
    assert_holds(said_in("thread"), "or as a reply to its post here");
    post_in_place("table 2, round 1", id, sizeof id);
    join.reply_to = id;
    join.stamp = room.stage->now;
    room.thread = "thread";
    room_delivers(&room, &join);
    assert_holds(said_in("thread/2"), "Welcome, Zed! You take Carl's seat");
    room_says_in(&room, "thread", "Yan", "!join");
    assert_holds(said_in("thread/1"), "Welcome, Yan! You take Carl's seat");
}
END_TEST

START_TEST(a_signup_goes_before_a_seat_that_is_offered)
{
    room_shut(&room);
    room_set(&room, "vacancies", "place");
    room_open(&room);
    ask_twice();
    room_says_in(&room, "thread/1", "Carl", "!leave");
    room_says_in(&room, "thread", "Mo", "!new players=5");
    room_says_in(&room, "thread", "Zed", "!join");
    struct tables *tables = &room.stage->tables;
    ck_assert_uint_eq(tables->hosted.list[2]->table.seated, 1);
    room.thread = "thread/1";
    ck_assert_uint_eq(room_count_said(&room, "Welcome, Zed"), 0);
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
    tcase_add_test(tests, secrets_end_with_the_last_game_of_somebody);
    tcase_add_test(
        tests,
        the_posts_of_a_thread_are_forgotten_once_it_is_not_read_any_more);
    tcase_add_test(tests, one_game_at_a_time_is_on_in_a_thread);
    tcase_add_test(tests, a_finished_table_still_listens);
    tcase_add_test(tests, a_command_in_the_thread_of_a_game_on_hold_is_told_so);
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
    tcase_add_test(tests,
                   a_free_seat_is_offered_in_the_place_until_it_is_taken);
    tcase_add_test(
        tests, a_seat_that_is_taken_before_anybody_read_of_it_is_not_offered);
    tcase_add_test(tests, the_place_hears_of_no_seat_unless_that_is_set);
    tcase_add_test(
        tests,
        of_two_seats_that_are_offered_the_one_is_taken_whose_offer_is_answered);
    tcase_add_test(tests, a_signup_goes_before_a_seat_that_is_offered);
    suite_add_tcase(suite, tests);
    return suite;
}
