/*
 * The real process, killed (SIGKILL) at thirty points of one game and started
 * again each time: the same record, the same posts, none doubled, none missing.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "adapters/board/board_server.h"
#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "bot/base/files.h"
#include "tests/support/runner.h"

enum {
    KILLS = 30,
    SEEDS = 2
};

static const char *const seeds[SEEDS] = {"5ec7e7", "b0a2d"};

/* A folder for one game's state and record. */
struct scenario {
    char folder[64];
    char record[96];
};

static void
scenario_set(struct scenario *scenario, const char *name)
{
    (void)snprintf(scenario->folder, sizeof scenario->folder,
                   "/tmp/placard-%s-XXXXXX", name);
    ck_assert_ptr_nonnull(mkdtemp(scenario->folder));
    (void)snprintf(scenario->record, sizeof scenario->record, "%s/game.jsonl",
                   scenario->folder);
}

static void
scenario_strike(const struct scenario *scenario)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", scenario->folder);
    ck_assert_int_eq(system(command), 0);
}

/* Start a play of the scenario; its output comes through *output. */
static pid_t
start(const struct scenario *scenario, const char *seed, bool resume,
      FILE **output)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char *const fresh[] = {(char[]){TEST_PROGRAM},
                               (char[]){"play"},
                               (char[]){"--auto"},
                               (char[]){"--seed"},
                               must_copy(seed),
                               (char[]){"--record"},
                               must_copy(scenario->record),
                               NULL};
        char *const again[] = {(char[]){TEST_PROGRAM},
                               (char[]){"play"},
                               (char[]){"--resume"},
                               (char[]){"--auto"},
                               (char[]){"--record"},
                               must_copy(scenario->record),
                               NULL};
        int nothing = open("/dev/null", O_RDONLY);
        (void)dup2(nothing, STDIN_FILENO);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)setenv("XDG_STATE_HOME", scenario->folder, 1);
        (void)setenv("PLACARD_DATA", "config", 1);
        (void)execv(TEST_PROGRAM, resume ? again : fresh);
        _exit(127);
    }
    (void)close(ends[1]);
    *output = fdopen(ends[0], "r");
    ck_assert_ptr_nonnull(*output);
    return child;
}

/* Read `lines` lines of its output (all, where there are fewer), then kill it.
 * True: it had come to its end before. */
static bool
run_and_kill(const struct scenario *scenario, const char *seed, bool resume,
             unsigned lines)
{
    FILE *output = NULL;
    char *line = NULL;
    size_t size = 0;
    int status = 0;
    pid_t child = start(scenario, seed, resume, &output);
    while (lines > 0 && getline(&line, &size, output) >= 0) {
        lines--;
    }
    bool all_read = lines > 0;
    if (!all_read) {
        (void)kill(child, SIGKILL);
    }
    free(line);
    (void)fclose(output);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
        ck_assert_int_eq(WEXITSTATUS(status), 0);
    }
    return WIFEXITED(status) && all_read;
}

/* Every post of the board in order, without numbers and times. */
static void
add_post(void *context, const struct board_post *post)
{
    struct buf *out = context;
    buf_addf(out, "%s > %s %s\n%s\n", post->author, post->place,
             post->reactions, post->text);
}

static void
read_board(const struct scenario *scenario, struct buf *out)
{
    struct board *board = NULL;
    struct buf why = BUF_INIT;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/placard/play/board.db",
                   scenario->folder);
    ck_assert_msg(board_open(path, false, &board, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    ck_assert(board_read(board, 0, "*", add_post, out, &why) == ERR_NONE);
    board_close(board);
    buf_release(&why);
}

static void
read_record(const struct scenario *scenario, struct buf *out)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(file_read(scenario->record, out, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    ck_assert_uint_gt(out->len, 0);
    buf_release(&why);
}

START_TEST(killed_at_thirty_points_it_plays_the_same_game)
{
    const char *seed = seeds[_i];
    struct scenario quiet;
    struct scenario killed;
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    struct buf boards[2] = {BUF_INIT, BUF_INIT};
    scenario_set(&quiet, "quiet");
    scenario_set(&killed, "killed");
    ck_assert(run_and_kill(&quiet, seed, false, 1000000));
    bool over = false;
    unsigned kills = 0;
    for (unsigned i = 0; i < KILLS && !over; i++) {
        /* A different, uneven stretch of the game each time. */
        over = run_and_kill(&killed, seed, i > 0, 3 + (i * 7 + _i) % 23);
        kills += !over;
    }
    ck_assert_uint_eq(kills, KILLS);
    ck_assert(run_and_kill(&killed, seed, true, 1000000));
    read_record(&quiet, &records[0]);
    read_record(&killed, &records[1]);
    ck_assert_str_eq(buf_text(&records[0]), buf_text(&records[1]));
    read_board(&quiet, &boards[0]);
    read_board(&killed, &boards[1]);
    ck_assert_str_eq(buf_text(&boards[0]), buf_text(&boards[1]));
    for (unsigned i = 0; i < 2; i++) {
        buf_release(&records[i]);
        buf_release(&boards[i]);
    }
    scenario_strike(&quiet);
    scenario_strike(&killed);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("kill");
    TCase *tests = tcase_create("kill");
    tcase_add_loop_test(tests, killed_at_thirty_points_it_plays_the_same_game,
                        0, SEEDS);
    suite_add_tcase(suite, tests);
    return suite;
}
