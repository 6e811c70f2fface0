/*
 * What came of finished games, as the store tells it without a replay.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    RESULTS_MAX = 8
};

static struct room room;
static struct buf why;
static struct store *store;
static struct result results[RESULTS_MAX];
static unsigned count;

static void
set_up(void)
{
    room_init(&room);
    room_open(&room);
}

static void
tear_down(void)
{
    store_close(store);
    store = NULL;
    room_release(&room);
    buf_release(&why);
}

static enum err
keep(void *context, const struct result *result, struct buf *unused)
{
    (void)context;
    (void)unused;
    ck_assert_uint_lt(count, RESULTS_MAX);
    results[count++] = *result;
    return ERR_NONE;
}

static enum err
read_results(const char *place)
{
    count = 0;
    store_close(store);
    store = NULL;
    ck_assert_msg(store_open(room_path(&room, "store.db"), "", STORE_READ,
                             &store, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    return store_results(store, place, keep, NULL, &why);
}

/* Random players play a game to its end, and seats may change hands. */
static void
play(unsigned players, uint64_t seed)
{
    struct dice dice = {seed};
    room_begin(&room, players);
    while (room_improvise(&room, &dice)) {
        room_settle(&room);
    }
}

static void
assert_as_replayed(const struct result *result)
{
    struct table table;
    table_init(&table);
    ck_assert_int_eq(recover_table(store, result->game, &table, &why),
                     ERR_NONE);
    ck_assert_uint_eq(result->players, table.game.players);
    ck_assert_uint_eq(result->rounds, table.game.round);
    ck_assert_int_eq((int)result->ending, table.game.ending);
    ck_assert_str_eq(result->place, table.place);
    for (unsigned seat = 0; seat < result->players; seat++) {
        ck_assert_str_eq(result->seats[seat].user, table.seats[seat].user);
        ck_assert_str_eq(result->seats[seat].name, table.seats[seat].name);
        ck_assert_int_eq(result->seats[seat].role,
                         game_role(&table.game, seat));
    }
    table_release(&table);
}

/* What was saved at the end is what the journals tell without it. */
static void
assert_as_journal_tells(void)
{
    struct result saved[RESULTS_MAX];
    unsigned saved_count = count;
    memcpy(saved, results, sizeof saved);
    room_shut(&room);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM result"),
        saved_count);
    room_alter(&room, "store.db", "DELETE FROM result");
    ck_assert_int_eq(read_results(NULL), ERR_NONE);
    ck_assert_uint_eq(count, saved_count);
    ck_assert_mem_eq(results, saved, count * sizeof results[0]);
}

START_TEST(the_results_are_those_that_a_replay_gives)
{
    play(7, 11 + (uint64_t)_i);
    play(5, 5 + (uint64_t)_i);
    ck_assert_int_eq(read_results(NULL), ERR_NONE);
    ck_assert_uint_eq(count, 2);
    for (unsigned i = 0; i < count; i++) {
        assert_as_replayed(&results[i]);
    }
    assert_as_journal_tells();
    ck_assert_int_eq(read_results(results[0].place), ERR_NONE);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(read_results("elsewhere"), ERR_NONE);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(a_game_that_is_on_or_never_began_has_no_result)
{
    room_begin(&room, 5);
    room_rejects(&room);
    ck_assert_int_eq(read_results(NULL), ERR_NONE);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(a_damaged_journal_is_left_out_where_no_result_was_saved)
{
    play(5, 3);
    play(5, 4);
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE packed_journal SET rows = x'00' WHERE game = '1'");
    ck_assert_int_eq(read_results(NULL), ERR_NONE);
    ck_assert_uint_eq(count, 2);
    room_alter(&room, "store.db",
               "UPDATE result SET text = replace(text, 'role', 'roll')");
    ck_assert_int_eq(read_results(NULL), ERR_NONE);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(results[0].game, "2");
    ck_assert_uint_eq(results[0].players, 5);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/results");
    TCase *tests = tcase_create("results");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, the_results_are_those_that_a_replay_gives, 0, 4);
    tcase_add_test(tests, a_game_that_is_on_or_never_began_has_no_result);
    tcase_add_test(tests,
                   a_damaged_journal_is_left_out_where_no_result_was_saved);
    suite_add_tcase(suite, tests);
    return suite;
}
