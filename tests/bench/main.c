/*
 * The parts of the bench, one after the other, each in a process of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/base/log.h"
#include "tests/bench/bench.h"

static const struct {
    const char *name;
    void (*bench)(void *scratch);
} parts[] = {
    {"games", bench_games},       {"deals", bench_deals},
    {"records", bench_records},   {"host", bench_host},
    {"finished", bench_finished}, {"posts", bench_posts},
    {"disk", bench_disk},         {"service", bench_service},
};

/* PLACARD_BENCH names the one part that is wanted. */
int
main(int argc, char **argv)
{
    const char *part = getenv("PLACARD_BENCH");
    if (argc != 2) {
        die("the bench needs a folder for its files: make bench gives it one");
    }
    log_set_level(LOG_LEVEL_ERROR);
    printf(
        "Medians of %d runs, in seconds of the processor. The figures are "
        "this machine's;\nwhat other machines and other days can be compared "
        "with is the ratio.\n\n",
        BENCH_REPEATS);
    printf("  %-44s %11s %11s %9s  %s\n", "", "ours", "baseline", "ratio",
           "the baseline");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (part == NULL || strcmp(part, parts[i].name) == 0) {
            bench_apart(parts[i].bench, argv[1]);
        }
    }
    return EXIT_SUCCESS;
}
