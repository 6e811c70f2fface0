/*
 * The real program, killed at its writes, syncs and sends, and started again:
 * the same record, the same posts, none doubled, none missing.
 *
 * A point is a call that changes a file.  A program that is killed leaves what
 * it has written; when the power fails, what was not synced is lost as well.
 * `make test` takes a sample of the points of a game, PLACARD_EFFORT=99999 all
 * of them (an hour or less).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"
#include "tests/support/scenario.h"

enum {
    SAMPLE = 6, /* points a kind of death */
    KILLS = 20, /* in one game */
    UNSYNCED_TRIES = 6
};

static const char *const deaths[] = {"kill", "torn", "cut", "partly"};

enum {
    DEATHS = sizeof deaths / sizeof deaths[0]
};

/* What a game comes to if nobody disturbs it. */
struct quiet {
    struct buf record, board;
    unsigned points;
};

/* The game has ended. */
static void
remember(struct scenario *scenario, struct quiet *quiet)
{
    memset(quiet, 0, sizeof *quiet);
    quiet->points = scenario_points(scenario);
    scenario_record(scenario, &quiet->record);
    scenario_board(scenario, true, &quiet->board);
}

static void
play_quietly(const char *const *game, struct quiet *quiet)
{
    static const struct fault none;
    struct scenario scenario;
    scenario_set(&scenario);
    ck_assert_int_eq(scenario_play(&scenario, &none, game), 0);
    remember(&scenario, quiet);
    scenario_strike(&scenario);
}

static void
forget(struct quiet *quiet)
{
    buf_release(&quiet->record);
    buf_release(&quiet->board);
}

/* It has come to the same end. */
static void
assert_same(const struct scenario *scenario, const struct quiet *quiet,
            const char *when)
{
    struct buf record = BUF_INIT;
    struct buf board = BUF_INIT;
    scenario_record(scenario, &record);
    scenario_board(scenario, true, &board);
    scenario_same(buf_text(&record), buf_text(&quiet->record), when);
    scenario_same(buf_text(&board), buf_text(&quiet->board), when);
    buf_release(&record);
    buf_release(&board);
}

static void
die_at(const char *death, unsigned at, const struct quiet *quiet)
{
    const struct fault fault = {.what = death, .at = at};
    struct scenario scenario;
    struct buf when = BUF_INIT;
    scenario_set(&scenario);
    int ended = scenario_play(&scenario, &fault, scenario_game);
    buf_addf(&when, "%s at point ", death);
    scenario_point(&scenario, at, &when);
    ck_assert_msg(ended == -SIGKILL, "%s: ended with %d", buf_text(&when),
                  ended);
    ended = scenario_go_on(&scenario, scenario_game);
    ck_assert_msg(ended == 0, "%s: then %d: %s", buf_text(&when), ended,
                  buf_text(&scenario.said));
    assert_same(&scenario, quiet, buf_text(&when));
    buf_release(&when);
    scenario_strike(&scenario);
}

START_TEST(whatever_point_it_dies_at_it_plays_the_same_game)
{
    struct quiet quiet;
    play_quietly(scenario_game, &quiet);
    unsigned count = effort_of(SAMPLE);
    count = count < quiet.points ? count : quiet.points;
    for (unsigned i = 0; i < count; i++) {
        /* Each kind of death has points of its own in the sample. */
        unsigned at =
            1 + (i * DEATHS + (unsigned)_i) * quiet.points / (count * DEATHS);
        die_at(deaths[_i], at, &quiet);
    }
    forget(&quiet);
}
END_TEST

static const char *const seeds[] = {"5ec7e7", "b0a2d"};

START_TEST(killed_twenty_times_it_plays_the_same_game)
{
    const char *const game[] = {"--seed", seeds[_i], NULL};
    struct quiet quiet;
    struct scenario scenario;
    play_quietly(game, &quiet);
    scenario_set(&scenario);
    for (unsigned i = 0; i < KILLS; i++) {
        /* A different, uneven stretch of the game each time, in which it gets
         * further (a host holds a game on which it has died three times); all
         * are shorter than it. */
        unsigned least = quiet.points / (2 * KILLS);
        const struct fault fault = {
            .what = deaths[i % DEATHS],
            .at = least + (i * 7919 + (unsigned)_i * 31) % least,
        };
        int ended = i == 0 ? scenario_play(&scenario, &fault, game)
                           : scenario_resume(&scenario, &fault);
        ck_assert_msg(ended == -SIGKILL, "kill %u: %d: %s", i, ended,
                      buf_text(&scenario.said));
    }
    ck_assert_int_eq(scenario_resume(&scenario, NULL), 0);
    assert_same(&scenario, &quiet, "killed twenty times");
    scenario_strike(&scenario);
    forget(&quiet);
}
END_TEST

/* Of these a sync is left out. */
static const char *const unsynced[] = {"store.db-wal", "board.db-wal",
                                       "play.json"};

/* Is it noticed, at the latest by what is on the board, that a file was not
 * synced when it died at that point? */
static bool
is_noticed(const char *file, unsigned at, const struct quiet *quiet)
{
    const struct fault fault = {.what = "cut", .at = at, .unsynced = file};
    struct scenario scenario;
    struct buf board = BUF_INIT;
    bool noticed = true;
    scenario_set(&scenario);
    ck_assert_int_eq(scenario_play(&scenario, &fault, scenario_game), -SIGKILL);
    int ended = scenario_go_on(&scenario, scenario_game);
    if (ended == 0) {
        scenario_board(&scenario, true, &board);
        noticed = strcmp(buf_text(&board), buf_text(&quiet->board)) != 0;
    } else {
        ck_assert_int_eq(ended, 1);
        scenario_said(&scenario, "restore it from a backup", file);
    }
    buf_release(&board);
    scenario_strike(&scenario);
    return noticed;
}

/* At some points nothing is lost with it. */
START_TEST(a_sync_that_is_left_out_is_noticed)
{
    struct quiet quiet;
    bool noticed = false;
    play_quietly(scenario_game, &quiet);
    for (unsigned i = 0; i < UNSYNCED_TRIES && !noticed; i++) {
        noticed = is_noticed(unsynced[_i], quiet.points / 2 + 7 * i, &quiet);
    }
    ck_assert_msg(noticed, "%s", unsynced[_i]);
    forget(&quiet);
}
END_TEST

/* Play, and keep the record on the disk that fails. */
static int
play_for_record(struct scenario *scenario, const struct fault *fault)
{
    scenario_set(scenario);
    (void)snprintf(scenario->record, sizeof scenario->record, "%s/game.jsonl",
                   scenario->state);
    return scenario_play(scenario, fault, scenario_game);
}

/* The last point at which this is done; 0: none. */
static unsigned
last_point(const struct scenario *scenario, const char *what)
{
    unsigned at = scenario_points(scenario);
    bool found = false;
    while (at > 0 && !found) {
        struct buf line = BUF_INIT;
        scenario_point(scenario, at, &line);
        found = strstr(buf_text(&line), what) != NULL;
        at -= found ? 0 : 1;
        buf_release(&line);
    }
    return at;
}

/* Has the record got its name, and was its folder synced, before the last
 * point? */
static bool
has_record(const struct scenario *scenario)
{
    unsigned at = last_point(scenario, "rename game.jsonl");
    return at > 0 && at + 1 < scenario_points(scenario);
}

START_TEST(a_record_that_was_saved_outlives_a_power_cut)
{
    static const struct fault none;
    struct scenario quiet;
    struct scenario scenario;
    struct buf expected = BUF_INIT;
    struct buf found = BUF_INIT;
    ck_assert_int_eq(play_for_record(&quiet, &none), 0);
    scenario_record(&quiet, &expected);
    /* The plan is saved next, and none of it lies on the disk yet. */
    struct fault fault = {.what = "cut",
                          .at = last_point(&quiet, "make play.json.")};
    ck_assert_uint_gt(fault.at, last_point(&quiet, "rename game.jsonl"));
    ck_assert_int_eq(play_for_record(&scenario, &fault), -SIGKILL);
    /* Another run may pass some dozens of points more by then: ids are random.
     * Two points on, the plan is not synced yet. */
    for (unsigned tries = 0; !has_record(&scenario) && tries < 100; tries++) {
        scenario_strike(&scenario);
        fault.at += 2;
        ck_assert_int_eq(play_for_record(&scenario, &fault), -SIGKILL);
    }
    ck_assert(has_record(&scenario));
    scenario_record(&scenario, &found);
    scenario_same(buf_text(&found), buf_text(&expected),
                  "cut behind the record");
    buf_release(&expected);
    buf_release(&found);
    scenario_strike(&quiet);
    scenario_strike(&scenario);
}
END_TEST

/* ---- a store of an older format ------------------------------------------ */

/* Half of a game, as a host of format 14 has left it. */
static void
set_older(struct scenario *scenario)
{
    char command[400];
    scenario_set(scenario);
    (void)snprintf(command, sizeof command,
                   "mkdir -p '%s/placard/play' &&"
                   " cp tests/fixtures/store/format-14/random/*"
                   " '%s/placard/play' && chmod -R go= '%s/placard'",
                   scenario->state, scenario->state, scenario->state);
    ck_assert_int_eq(system(command), 0);
}

/* The format of a store, from the last byte of SQLite's user version. */
static int
format_of(const struct scenario *scenario, const char *name)
{
    struct buf file = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_msg(file_read(scenario_file(scenario, name), &file, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert_uint_gt(file.len, 100);
    int format = (unsigned char)file.data[63];
    buf_release(&file);
    return format;
}

/* Killed while it is rebuilt, the store is rebuilt at the next start. */
static void
die_rebuilding(const char *death, unsigned at, const struct quiet *quiet)
{
    const struct fault fault = {.what = death, .at = at};
    struct scenario scenario;
    struct buf when = BUF_INIT;
    set_older(&scenario);
    ck_assert_int_eq(scenario_resume(&scenario, &fault), -SIGKILL);
    buf_addf(&when, "%s at point ", death);
    scenario_point(&scenario, at, &when);
    int ended = scenario_resume(&scenario, NULL);
    ck_assert_msg(ended == 0, "%s: then %d: %s", buf_text(&when), ended,
                  buf_text(&scenario.said));
    assert_same(&scenario, quiet, buf_text(&when));
    ck_assert_int_eq(format_of(&scenario, "store.db.format-14"), 14);
    ck_assert_int_eq(format_of(&scenario, "store.db"), 15);
    buf_release(&when);
    scenario_strike(&scenario);
}

START_TEST(killed_while_its_store_is_rebuilt_it_plays_the_same_game)
{
    static const struct fault none;
    struct scenario scenario;
    struct quiet quiet;
    set_older(&scenario);
    ck_assert_int_eq(scenario_resume(&scenario, &none), 0);
    remember(&scenario, &quiet);
    /* As much again is done once the copy is there. */
    unsigned points = 2 * last_point(&scenario, "rename store.db.format-14");
    unsigned count = effort_of(SAMPLE);
    count = count < points ? count : points;
    ck_assert_uint_gt(points, 0);
    for (unsigned i = 0; i < count; i++) {
        unsigned at =
            1 + (i * DEATHS + (unsigned)_i) * points / (count * DEATHS);
        die_rebuilding(deaths[_i], at, &quiet);
    }
    forget(&quiet);
    scenario_strike(&scenario);
}
END_TEST

static TCase *
add_case(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    suite_add_tcase(suite, tcase);
    return tcase;
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("sim/kill_points");
    tcase_add_loop_test(add_case(suite, "once"),
                        whatever_point_it_dies_at_it_plays_the_same_game, 0,
                        DEATHS);
    tcase_add_loop_test(add_case(suite, "often"),
                        killed_twenty_times_it_plays_the_same_game, 0,
                        sizeof seeds / sizeof seeds[0]);
    tcase_add_loop_test(
        add_case(suite, "rebuilt"),
        killed_while_its_store_is_rebuilt_it_plays_the_same_game, 0, DEATHS);
    TCase *tcase = add_case(suite, "syncs");
    tcase_add_loop_test(tcase, a_sync_that_is_left_out_is_noticed, 0,
                        sizeof unsynced / sizeof unsynced[0]);
    tcase_add_test(tcase, a_record_that_was_saved_outlives_a_power_cut);
    return suite;
}
