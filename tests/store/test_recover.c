/*
 * Recovery: a table is its journal, replayed; what does not play as it was
 * saved is held.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/store/recover.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

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
    buf_release(&why);
}

static void
alter(const char *sql)
{
    room_alter(&room, "store.db", sql);
}

static enum err
recover(struct table *table)
{
    table_init(table);
    struct store *store = NULL;
    ck_assert_msg(store_open(room_path(&room, "store.db"), "", STORE_READ,
                             &store, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    enum err err = recover_table(store, "1", table, &why);
    store_close(store);
    return err;
}

/* Up to the chancellor's choice in the third round. */
static void
play(void)
{
    room_open(&room);
    room_begin(&room, 7);
    room_govern_to(&room, 2);
    room_names(&room, 4);
    room_elects(&room, room_choice(&room));
    room_discards(&room, true);
}

START_TEST(a_recovered_table_is_the_one_that_was_played)
{
    struct table table;
    play();
    struct table played;
    table_clone(&played, room_table(&room));
    room_shut(&room);
    ck_assert_int_eq(recover(&table), ERR_NONE);
    ck_assert(table_equal(&table, &played));
    table_release(&table);
    table_release(&played);
}
END_TEST

START_TEST(a_game_that_is_not_there_is_an_empty_table)
{
    struct table none;
    struct table table;
    struct store *store = NULL;
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_NONE);
    table_init(&none);
    table_init(&table);
    ck_assert_int_eq(recover_table(store, "7", &table, &why), ERR_NONE);
    ck_assert(table_equal(&table, &none));
    store_close(store);
}
END_TEST

/* Rows: 1 opened, 2 to 8 joined, 9 started, 10 dealt, 11 nominated, 12 to 15
 * voted, … */
static const struct {
    const char *alteration;
    unsigned row;
} damages[] = {
    /* another vote than the record has */
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE ", '\"yes\":1', '\"lots\":0')") " WHERE row = 12",
     12},
    /* other lines than the move makes */
    {"UPDATE journal SET " SQL_SET_LINES("replace(" SQL_LINES
                                         ", 'Anna', 'Bob')") " WHERE row = 10",
     10},
    {"UPDATE journal SET " SQL_SET_LINES("''") " WHERE row = 11", 11},
    {"UPDATE journal SET " SQL_SET_LINES(SQL_LINES
                                         " || char(10)") " WHERE row = 11",
     11},
    /* no move at all */
    {"UPDATE journal SET " SQL_SET_MOVE("''") " WHERE row = 3", 3},
    {"UPDATE journal SET " SQL_SET_MOVE("'{}'") " WHERE row = 1", 1},
    {"UPDATE journal SET " SQL_SET_MOVE("substr(" SQL_MOVE
                                        ", 1, 20)") " WHERE row = 15",
     15},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE ", 'nominate', 'cheat')") " WHERE row = 11",
     11},
    /* moves that can't be there */
    {"DELETE FROM journal WHERE row = 1", 1},
    {"DELETE FROM journal WHERE row = 9", 9},
    {"DELETE FROM journal WHERE row IN (2, 3, 4)", 6},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "(SELECT " SQL_MOVE " FROM journal WHERE row = 2)") " WHERE row = 3",
     3},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "(SELECT " SQL_MOVE " FROM journal WHERE row = 1)") " WHERE row = 3",
     3},
    {"UPDATE journal SET " SQL_SET_MOVE("replace(" SQL_MOVE
                                        ", 'join', 'leave')") " WHERE row = 2",
     2},
    {"UPDATE journal SET " SQL_SET_MOVE("replace(" SQL_MOVE
                                        ", 'play', 'ring')") " WHERE row = 11",
     11},
    {"UPDATE journal SET " SQL_SET_MOVE("replace(" SQL_MOVE
                                        ", 'play', 'close')") " WHERE row = 11",
     11},
    {"UPDATE journal SET " SQL_SET_MOVE("replace(" SQL_MOVE
                                        ", 'play', 'start')") " WHERE row = 11",
     11},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE ", 'nominate', 'fill')") " WHERE row = 11",
     11},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE ", 'nominate', 'vote')") " WHERE row = 11",
     11},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE ", '\"players_max\":7',"
         " '\"players_max\":6')") " WHERE row = 1",
     8},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE ", 'play-by-post', 'official')") " WHERE row = 1",
     1},
    {"UPDATE journal SET " SQL_SET_MOVE(
         "replace(" SQL_MOVE
         ", '\"tiles\":17', '\"tiles\":16')") " WHERE row = 10",
     10},
};

START_TEST(a_journal_that_was_altered_is_refused_with_a_sentence)
{
    struct table table;
    char expected[240];
    play();
    room_shut(&room);
    alter(damages[_i].alteration);
    ck_assert_int_eq(recover(&table), ERR_GARBLED);
    table_release(&table);
    snprintf(expected, sizeof expected,
             "game 1: row %u of its journal gives something else now than when "
             "it was saved, so the game is on hold; use the version of placard "
             "that saved it, or restore the store from a backup",
             damages[_i].row);
    ck_assert_str_eq(buf_text(&why), expected);
}
END_TEST

static int64_t
count(const char *sql)
{
    return room_query(&room, "store.db", sql);
}

/* The log of this test goes into a file of the room's. */
static void
catch_log(void)
{
    ck_assert_ptr_nonnull(freopen(room_path(&room, "log"), "w", stderr));
    ck_assert_int_eq(setvbuf(stderr, NULL, _IONBF, 0), 0);
}

/* The last rows of a journal are gone, or all of them. */
START_TEST(a_journal_that_has_lost_its_end_is_refused_with_a_sentence)
{
    static const char *const losses[][2] = {
        {"DELETE FROM journal WHERE row = (SELECT max(row) FROM journal)",
         " were saved, so the game is on hold"},
        {"DELETE FROM journal", "journal is missing from the store, so"},
    };
    struct table table;
    struct buf log = BUF_INIT;
    play();
    room_shut(&room);
    alter(losses[_i][0]);
    ck_assert_int_eq(recover(&table), ERR_GARBLED);
    table_release(&table);
    assert_holds(buf_text(&why), losses[_i][1]);
    catch_log();
    room.checks = true;
    room_open(&room);
    ck_assert_ptr_null(stage_table(room.stage));
    ck_assert_int_eq(file_read(room_path(&room, "log"), &log, &why), ERR_NONE);
    assert_holds(buf_text(&log), losses[_i][1]);
    buf_release(&log);
    room_says(&room, "Mo", "!new");
    ck_assert_str_eq(room_table(&room)->id, "2");
}
END_TEST

START_TEST(what_was_decided_before_a_crash_is_told_at_its_time)
{
    play();
    struct stage *stage = room.stage;
    int64_t before = stage->now;
    int64_t due = stage_due(stage);
    ck_assert_int_gt(due, before);
    stage->now = due;
    for (int turns = 0; turns < 3 && stage->tables.outbox.count == 0; turns++) {
        ck_assert(loop_turn(&stage->loop, due, 0, &why) == ERR_NONE);
    }
    ck_assert_uint_gt(stage->tables.outbox.count, 0);
    room_shut(&room);
    room.now = before;
    room_open(&room);
    ck_assert_int_eq(room.stage->now, due);
}
END_TEST

START_TEST(the_tables_holds_such_a_game_without_touching_it)
{
    struct buf log = BUF_INIT;
    play();
    room_shut(&room);
    catch_log();
    alter("UPDATE journal SET " SQL_SET_LINES("''") " WHERE row = 11");
    int64_t rows = count("SELECT count(*) FROM journal");
    int64_t messages = count("SELECT count(*) FROM message WHERE game = '1'");
    room.checks = true;
    room_open(&room);
    ck_assert_ptr_null(stage_table(room.stage));
    ck_assert_int_eq(stage_due(room.stage), 0);
    ck_assert_int_eq(file_read(room_path(&room, "log"), &log, &why), ERR_NONE);
    assert_holds(buf_text(&log), "game 1: row 11 of its journal");
    buf_release(&log);
    room_waits(&room, 30 * DAY_MS);
    room_tells(&room, "Dora", "enact F");
    room_says(&room, "Anna", "**Ja!**");
    room_shut(&room);
    ck_assert_int_eq(count("SELECT count(*) FROM journal"), rows);
    ck_assert_int_eq(count("SELECT count(*) FROM message WHERE game = '1'"),
                     messages);
    ck_assert_int_eq(count("SELECT count(*) FROM game WHERE over = 0"), 1);
    /* Another game can be opened meanwhile, under another number. */
    room_open(&room);
    room_says(&room, "Mo", "!new");
    ck_assert_str_eq(room_table(&room)->id, "2");
}
END_TEST

START_TEST(mended_it_goes_on_where_it_stood)
{
    play();
    struct table played;
    table_clone(&played, room_table(&room));
    room_shut(&room);
    catch_log();
    alter("UPDATE journal SET " SQL_SET_MOVE(
        "replace(" SQL_MOVE ", 'nominate', 'cheat')") " WHERE row = 11");
    room.checks = true;
    room_open(&room);
    ck_assert_ptr_null(stage_table(room.stage));
    room_shut(&room);
    alter("UPDATE journal SET " SQL_SET_MOVE(
        "replace(" SQL_MOVE ", 'cheat', 'nominate')") " WHERE row = 11");
    room_open(&room);
    ck_assert(table_equal(room_table(&room), &played));
    table_release(&played);
    room_enacts(&room, false);
    assert_holds(room_said(&room), "enact a FASCIST policy");
}
END_TEST

/* ---- in every phase ------------------------------------------------------ */

static void
reach_signup(void)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5-7 seats=random");
    room_says(&room, "Anna", "!join");
    room_says(&room, "Bob", "!join");
}

static void
reach_nomination(void)
{
    room_open(&room);
    room_begin(&room, 7);
}

static void
reach_vote(void)
{
    reach_nomination();
    room_names(&room, 1);
    room_says(&room, "Anna", "**Ja!**");
    room_says(&room, "Bob", "**Nein!**");
}

static void
reach_sealed_vote(void)
{
    room_set(&room, "ballot", "sealed");
    reach_nomination();
    room_names(&room, 1);
    room_tells(&room, "Anna", "Ja!");
}

static void
reach_discard(void)
{
    reach_nomination();
    room_elects(&room, 1);
}

static void
reach_power(void)
{
    reach_nomination();
    room_govern_to(&room, 2);
}

static void
reach_rung_power(void)
{
    reach_power();
    room_expires(&room);
}

static void
reach_execution(void)
{
    reach_nomination();
    room_govern_to(&room, 4);
}

static void
reach_veto(void)
{
    reach_nomination();
    room_govern_to(&room, 5);
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto!**");
}

static void
reach_declined_veto(void)
{
    reach_veto();
    room_says(&room, room_awaited(&room), "**Declined**");
}

static void
reach_vacancies(void)
{
    room_set(&room, "misses", "1");
    reach_nomination();
    room_expires(&room);
    room_names(&room, 2);
    room_says(&room, "Bob", "**Ja!**");
    room_says(&room, "Carl", "**Ja!**");
    room_expires(&room);
}

static void (*const reach[])(void) = {
    reach_signup,      reach_nomination,    reach_vote,
    reach_sealed_vote, reach_discard,       play,
    reach_power,       reach_rung_power,    reach_execution,
    reach_veto,        reach_declined_veto, reach_vacancies,
};

START_TEST(a_new_start_in_any_phase_changes_nothing)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    reach[_i]();
    room_settle(&room);
    struct table table;
    table_clone(&table, room_table(&room));
    room_transcript(&room, "thread", &before);
    size_t posts = room.post_count;
    int64_t edited = room_status(&room)->edited;
    for (unsigned i = 0; i < 2; i++) {
        room.checks = i > 0;
        room_reopen(&room);
        ck_assert(table_equal(room_table(&room), &table));
        buf_clear(&after);
        room_transcript(&room, "thread", &after);
        ck_assert_str_eq(buf_text(&before), buf_text(&after));
        ck_assert_uint_eq(room.post_count, posts);
        ck_assert_int_eq(room_status(&room)->edited, edited);
    }
    table_release(&table);
    buf_release(&before);
    buf_release(&after);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/recover");
    TCase *tcase = tcase_create("recover");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_recovered_table_is_the_one_that_was_played);
    tcase_add_test(tcase, a_game_that_is_not_there_is_an_empty_table);
    tcase_add_loop_test(tcase,
                        a_journal_that_was_altered_is_refused_with_a_sentence,
                        0, sizeof damages / sizeof damages[0]);
    tcase_add_loop_test(
        tcase, a_journal_that_has_lost_its_end_is_refused_with_a_sentence, 0,
        2);
    tcase_add_test(tcase, what_was_decided_before_a_crash_is_told_at_its_time);
    tcase_add_test(tcase, the_tables_holds_such_a_game_without_touching_it);
    tcase_add_test(tcase, mended_it_goes_on_where_it_stood);
    tcase_add_loop_test(tcase, a_new_start_in_any_phase_changes_nothing, 0,
                        sizeof reach / sizeof reach[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
