/*
 * `placard simulate` and `placard verify`, run as anybody runs them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bot/base/err.h"
#include "tests/bench/bench.h"

/* How many games are simulated; with a record of each, and verified. */
enum {
    GAMES = 100000,
    RECORDED = 2000
};

/* Run the program with these words, its output thrown away; it MUST succeed.
 * Seconds that it took. */
__attribute__((format(printf, 1, 2))) static double
run(const char *format, ...)
{
    struct buf command = BUF_INIT;
    va_list args;
    buf_add_text(&command, TEST_PROGRAM " ");
    va_start(args, format);
    buf_vaddf(&command, format, args);
    va_end(args);
    buf_add_text(&command, " >/dev/null");
    double begun = bench_seconds();
    if (system(buf_text(&command)) != 0) {
        die("%s: it has failed", buf_text(&command));
    }
    buf_release(&command);
    return bench_seconds() - begun;
}

/* Each of these answers games a second. */

static double
simulate(void *unused)
{
    (void)unused;
    return GAMES / run("simulate --seed 1 --games %d", GAMES);
}

static double
record(void *path)
{
    return RECORDED / run("simulate --seed 1 --games %d --record %s", RECORDED,
                          (const char *)path);
}

static double
verify(void *path)
{
    return RECORDED / run("verify %s", (const char *)path);
}

void
bench_records(void *scratch)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/record.jsonl", (char *)scratch);
    bench_compare("placard simulate", simulate, games_a_second, NULL,
                  "through game_step");
    if (bench_has_yardstick()) {
        bench_compare("placard simulate", simulate, yardstick_a_second, NULL,
                      "the yardstick");
    }
    bench_compare("placard simulate --record", record, simulate, path,
                  "placard simulate");
    /* The last of these records lies there. */
    bench_compare("placard verify", verify, record, path,
                  "placard simulate --record");
}
