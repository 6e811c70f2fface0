/*
 * The real program on disks that are full, broken or read-only, with files that
 * are damaged, and with a store that another host has.
 *
 * In each case it stops with one line that says what to do, and nothing is
 * lost: once the fault is mended, the game goes on to the same end.  Or it goes
 * on to that end at once.  It never crashes, and never plays another game.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "adapters/board/board_server.h"
#include "bot/base/files.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"
#include "tests/support/scenario.h"

static struct scenario quiet; /* a game that nobody disturbed */
static struct scenario mid;   /* one that was left in the middle */
static unsigned points;
static struct buf record, board;

/* Once for all tests: they read it alone. */
static void
set_up(void)
{
    static const struct fault none;
    scenario_set(&quiet);
    scenario_set(&mid);
    ck_assert_int_eq(scenario_play(&quiet, &none, scenario_game), 0);
    points = scenario_points(&quiet);
    const struct fault stop = {.what = "stop", .at = points / 2};
    ck_assert_int_eq(scenario_play(&mid, &stop, scenario_game), 0);
    ck_assert(!file_exists(mid.record));
    scenario_record(&quiet, &record);
    scenario_board(&quiet, true, &board);
}

static void
tear_down(void)
{
    scenario_strike(&quiet);
    scenario_strike(&mid);
    buf_release(&record);
    buf_release(&board);
}

/* How many of something are tried. */
static unsigned
sample(unsigned few, unsigned all)
{
    unsigned count = effort_of(few);
    return count < all ? count : all;
}

static void
assert_same_game(const struct scenario *scenario, const char *when)
{
    struct buf found = BUF_INIT;
    scenario_record(scenario, &found);
    scenario_same(buf_text(&found), buf_text(&record), when);
    buf_clear(&found);
    scenario_board(scenario, true, &found);
    scenario_same(buf_text(&found), buf_text(&board), when);
    buf_release(&found);
}

/* The fault is mended. */
static void
assert_goes_on(struct scenario *scenario, const char *when)
{
    int ended = scenario_go_on(scenario, scenario_game);
    ck_assert_msg(ended == 0, "%s: then %d: %s", when, ended,
                  buf_text(&scenario->said));
    assert_same_game(scenario, when);
}

/* ---- the disk ------------------------------------------------------------ */

static const struct {
    const char *fault, *line;
} disks[] = {
    {"full", ": disk full; free some space"},
    {"broken", ": the disk answers with an error; look at it"},
    {"readonly", ": the disk may only be read; mount it for writing"},
};

enum {
    DISKS = sizeof disks / sizeof disks[0],
    TIDYING = 500 /* points */
};

/* Play on a disk that fails from a point on. */
static void
fail_at(unsigned disk, unsigned at)
{
    const struct fault fault = {.what = disks[disk].fault, .at = at};
    struct scenario scenario;
    struct buf when = BUF_INIT;
    scenario_set(&scenario);
    int ended = scenario_play(&scenario, &fault, scenario_game);
    buf_addf(&when, "%s from point ", fault.what);
    scenario_point(&scenario, at, &when);
    if (ended != 0) {
        ck_assert_msg(ended == 1, "%s: %d", buf_text(&when), ended);
        scenario_said(&scenario, disks[disk].line, buf_text(&when));
        assert_goes_on(&scenario, buf_text(&when));
    } else {
        /* What fails when all is done is tidying up: each page that the end of
         * the game has changed goes from the log into the file. */
        ck_assert_msg(at + TIDYING > points, "%s: %s", buf_text(&when),
                      buf_text(&scenario.said));
        ck_assert_str_eq(buf_text(&scenario.said), "");
        assert_same_game(&scenario, buf_text(&when));
    }
    buf_release(&when);
    scenario_strike(&scenario);
}

START_TEST(a_disk_that_fails_stops_it_with_one_line)
{
    unsigned count = sample(10, points);
    for (unsigned i = 0; i < count; i++) {
        fail_at((unsigned)_i,
                1 + (i * DISKS + (unsigned)_i) * points / (count * DISKS));
    }
}
END_TEST

START_TEST(a_disk_that_fails_from_the_start_stops_it_with_one_line)
{
    const struct fault fault = {.what = disks[_i].fault, .at = 1};
    struct scenario scenario;
    scenario_set(&scenario);
    scenario_copy(&mid, &scenario);
    ck_assert_int_eq(scenario_resume(&scenario, &fault), 1);
    scenario_said(&scenario, disks[_i].line, fault.what);
    assert_goes_on(&scenario, fault.what);
    scenario_strike(&scenario);
}
END_TEST

/* A message whose sending fails is sent again later. */
static void
assert_same_but_times(const struct scenario *scenario, const char *when)
{
    struct buf found = BUF_INIT;
    struct buf expected = BUF_INIT;
    scenario_record(scenario, &found);
    scenario_same(buf_text(&found), buf_text(&record), when);
    buf_clear(&found);
    scenario_board(scenario, false, &found);
    scenario_board(&quiet, false, &expected);
    scenario_same(buf_text(&found), buf_text(&expected), when);
    buf_release(&found);
    buf_release(&expected);
}

static void
fail_once_at(unsigned at)
{
    const struct fault fault = {.what = "once", .at = at};
    struct scenario scenario;
    struct buf when = BUF_INIT;
    scenario_set(&scenario);
    int ended = scenario_play(&scenario, &fault, scenario_game);
    buf_add_text(&when, "failed once at ");
    scenario_point(&scenario, at, &when);
    if (ended != 0) {
        ck_assert_msg(ended == 1, "%s: %d", buf_text(&when), ended);
        scenario_said(&scenario, "; ", buf_text(&when));
        ck_assert_int_eq(scenario_go_on(&scenario, scenario_game), 0);
    }
    assert_same_but_times(&scenario, buf_text(&when));
    buf_release(&when);
    scenario_strike(&scenario);
}

START_TEST(one_write_or_sync_that_fails_loses_nothing)
{
    unsigned count = sample(12, points);
    for (unsigned i = 0; i < count; i++) {
        fail_once_at(1 + (2 * i + 1) * points / (2 * count));
    }
}
END_TEST

/* Does the program write on the board there? */
static bool
is_post(unsigned at)
{
    struct buf point = BUF_INIT;
    scenario_point(&quiet, at, &point);
    bool found = strstr(buf_text(&point), " write board.db-wal") != NULL;
    buf_release(&point);
    return found;
}

START_TEST(the_last_posts_are_made_although_a_write_fails)
{
    unsigned count = sample(4, 60);
    unsigned at = points;
    for (unsigned i = 0; i < count; i++) {
        do {
            at--;
        } while (!is_post(at));
        fail_once_at(at);
    }
}
END_TEST

START_TEST(writes_that_write_but_half_change_nothing)
{
    const struct fault fault = {.what = "short", .at = 1};
    struct scenario scenario;
    scenario_set(&scenario);
    ck_assert_int_eq(scenario_play(&scenario, &fault, scenario_game), 0);
    ck_assert_str_eq(buf_text(&scenario.said), "");
    assert_same_game(&scenario, "short writes");
    scenario_strike(&scenario);
}
END_TEST

/* ---- damaged files ------------------------------------------------------- */

static const char *const databases[] = {"store.db", "board.db"};

enum {
    DATABASES = sizeof databases / sizeof databases[0]
};

static void
read_file(const struct scenario *scenario, const char *name, struct buf *out)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(file_read(scenario_file(scenario, name), out, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
}

static void
write_file(const struct scenario *scenario, const char *name, const char *bytes,
           size_t len)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(file_write(scenario_file(scenario, name), bytes, len, 0600,
                             &why) == ERR_NONE,
                  "%s", buf_text(&why));
}

/* Go on with the game that was left, one file of which is this. */
static void
damage(const char *name, const char *bytes, size_t len, const char *line)
{
    struct scenario scenario;
    struct buf intact = BUF_INIT;
    struct buf when = BUF_INIT;
    buf_addf(&when, "%s, %zu bytes", name, len);
    scenario_set(&scenario);
    scenario_copy(&mid, &scenario);
    read_file(&mid, name, &intact);
    write_file(&scenario, name, bytes, len);
    int ended = scenario_resume(&scenario, NULL);
    ck_assert_msg(ended == 1, "%s: %d", buf_text(&when), ended);
    scenario_said(&scenario, line, buf_text(&when));
    ck_assert(!file_exists(scenario.record));
    /* Nothing was changed meanwhile: with the file restored it goes on. */
    write_file(&scenario, name, intact.data, intact.len);
    assert_goes_on(&scenario, buf_text(&when));
    buf_release(&intact);
    buf_release(&when);
    scenario_strike(&scenario);
}

static const char *const emptied[DATABASES] = {
    ": knows nothing of the games on the board ",
    ": lacks posts that ",
};
static const char damaged[] = "damaged";

START_TEST(a_file_that_was_cut_off_is_found)
{
    const char *name = databases[_i];
    struct buf file = BUF_INIT;
    read_file(&mid, name, &file);
    const size_t lengths[] = {
        50, 100, 512, 4096, file.len / 2, file.len - 4096, file.len - 1};
    damage(name, "", 0, emptied[_i]);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        damage(name, file.data, lengths[i], damaged);
    }
    buf_release(&file);
}
END_TEST

START_TEST(a_file_that_is_no_database_is_found)
{
    static const char text[] = "Certainly a text, and none that is short.\n";
    const char *name = databases[_i];
    struct buf file = BUF_INIT;
    damage(name, text, sizeof text - 1, damaged);
    read_file(&mid, name, &file);
    memset(file.data, 0, file.len);
    damage(name, file.data, file.len, damaged);
    buf_release(&file);
}
END_TEST

START_TEST(a_file_of_another_format_is_told_so)
{
    const char *name = databases[_i];
    struct buf file = BUF_INIT;
    read_file(&mid, name, &file);
    /* SQLite's file format, 1.3: the user version, big-endian. */
    file.data[63] = 77;
    damage(name, file.data, file.len,
           ": was made by a later version of placard (its format is 77, ");
    buf_release(&file);
}
END_TEST

START_TEST(a_plan_that_is_damaged_is_told_so)
{
    damage("play.json", "{\"seed\":", 8, ": not the plan of a game; ");
}
END_TEST

static void
skip_post(void *context, const struct board_post *post)
{
    (void)context;
    (void)post;
}

/* What a reader of the board sees of a flipped bit. */
enum sight {
    SIGHT_NOTHING,
    SIGHT_CHANGE, /* a post says something else */
    SIGHT_DAMAGE, /* it can't be read */
};

static enum sight
look(const struct scenario *scenario)
{
    struct board *opened = NULL;
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    struct buf why = BUF_INIT;
    enum sight sight = SIGHT_DAMAGE;
    enum err err =
        board_open(scenario_file(scenario, "board.db"), false, &opened, &why);
    if (err == ERR_NONE) {
        err = board_read(opened, 0, "*", skip_post, NULL, &why);
    }
    board_close(opened);
    if (err == ERR_NONE) {
        scenario_board(&mid, true, &before);
        scenario_board(scenario, true, &after);
        bool same = strcmp(buf_text(&before), buf_text(&after)) == 0;
        sight = same ? SIGHT_NOTHING : SIGHT_CHANGE;
    }
    buf_release(&before);
    buf_release(&after);
    buf_release(&why);
    return sight;
}

/* It was told of the file, and what to do: once that is done it goes on. */
static void
restore(struct scenario *scenario, const char *name, const struct buf *intact,
        const char *when)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "%s: ", scenario_file(scenario, name));
    scenario_said(scenario, buf_text(&line), when);
    scenario_said(scenario, "; ", when);
    write_file(scenario, name, intact->data, intact->len);
    assert_goes_on(scenario, when);
    buf_release(&line);
}

/* One bit is another.  Of what a post on the board says nobody but its author
 * knows better; everything else is found, or does not matter. */
static void
flip(unsigned database, const struct buf *file, size_t bit)
{
    const char *name = databases[database];
    struct scenario scenario;
    struct buf when = BUF_INIT;
    buf_addf(&when, "%s, byte %zu, bit %zu", name, bit / 8, bit % 8);
    scenario_set(&scenario);
    scenario_copy(&mid, &scenario);
    char byte = file->data[bit / 8];
    file->data[bit / 8] = (char)(byte ^ 1 << bit % 8);
    write_file(&scenario, name, file->data, file->len);
    file->data[bit / 8] = byte;
    enum sight sight = look(&scenario);
    int ended = scenario_resume(&scenario, NULL);
    ck_assert_msg(ended == 1 || (ended == 0 && sight != SIGHT_DAMAGE),
                  "%s: %d: %s", buf_text(&when), ended,
                  buf_text(&scenario.said));
    if (sight == SIGHT_DAMAGE) {
        restore(&scenario, name, file, buf_text(&when));
    } else if (ended == 1) {
        scenario_said(&scenario, "; ", buf_text(&when));
    } else if (sight == SIGHT_NOTHING) {
        assert_same_game(&scenario, buf_text(&when));
    }
    buf_release(&when);
    scenario_strike(&scenario);
}

START_TEST(a_bit_that_flipped_is_found_or_does_not_matter)
{
    struct buf file = BUF_INIT;
    uint64_t dice = 1;
    read_file(&mid, databases[_i], &file);
    unsigned count = sample(12, 4000);
    for (unsigned i = 0; i < count; i++) {
        /* Knuth's multiplier; its high bits are good. */
        dice = dice * UINT64_C(6364136223846793005) + 1442695040888963407U;
        size_t bits =
            i % 10 == 0 ? (size_t)100 * 8 : file.len * 8; /* the header */
        flip((unsigned)_i, &file, (size_t)(dice >> 32) % bits);
    }
    buf_release(&file);
}
END_TEST

/* ---- another host -------------------------------------------------------- */

START_TEST(a_store_that_another_host_has_is_left_alone)
{
    struct scenario scenario;
    struct buf why = BUF_INIT;
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;
    int lock = -1;
    char line[100];
    scenario_set(&scenario);
    scenario_copy(&mid, &scenario);
    ck_assert(file_lock(scenario_file(&scenario, "store.db.lock"), &lock,
                        &why) == ERR_NONE);
    (void)snprintf(line, sizeof line,
                   ": another placard, process %ld, is hosting with this "
                   "store; stop it first",
                   (long)getpid());
    read_file(&scenario, "store.db", &before);
    ck_assert_int_eq(scenario_resume(&scenario, NULL), 1);
    scenario_said(&scenario, line, "locked");
    read_file(&scenario, "store.db", &after);
    ck_assert_uint_eq(before.len, after.len);
    ck_assert_mem_eq(before.data, after.data, after.len);
    file_unlock(lock);
    assert_goes_on(&scenario, "unlocked");
    buf_release(&before);
    buf_release(&after);
    scenario_strike(&scenario);
}
END_TEST

static TCase *
add_case(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_add_unchecked_fixture(tcase, set_up, tear_down);
    suite_add_tcase(suite, tcase);
    return tcase;
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("sim/faults");
    TCase *tcase = add_case(suite, "disk");
    tcase_add_loop_test(tcase, a_disk_that_fails_stops_it_with_one_line, 0,
                        DISKS);
    tcase_add_loop_test(tcase,
                        a_disk_that_fails_from_the_start_stops_it_with_one_line,
                        0, DISKS);
    tcase_add_test(tcase, one_write_or_sync_that_fails_loses_nothing);
    tcase_add_test(tcase, the_last_posts_are_made_although_a_write_fails);
    tcase_add_test(tcase, writes_that_write_but_half_change_nothing);
    tcase = add_case(suite, "files");
    tcase_add_loop_test(tcase, a_file_that_was_cut_off_is_found, 0, DATABASES);
    tcase_add_loop_test(tcase, a_file_that_is_no_database_is_found, 0,
                        DATABASES);
    tcase_add_loop_test(tcase, a_file_of_another_format_is_told_so, 0,
                        DATABASES);
    tcase_add_test(tcase, a_plan_that_is_damaged_is_told_so);
    tcase_add_test(tcase, a_store_that_another_host_has_is_left_alone);
    tcase = add_case(suite, "bits");
    tcase_add_loop_test(tcase, a_bit_that_flipped_is_found_or_does_not_matter,
                        0, DATABASES);
    return suite;
}
