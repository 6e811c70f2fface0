/*
 * The bench: what the product does in a second, beside the least that could be
 * done in its place, measured in the same run.
 *
 * A figure alone says as much of the machine as of the program; the ratio of
 * the two can be compared with another day's and another machine's.  So every
 * row has a baseline of our own, and both are measured by turns, BENCH_REPEATS
 * times each; the medians are printed.  Seconds are the processor's, of this
 * process and of those it has waited for: what else runs on the machine counts
 * as little as may be.  Nothing here is asserted of a speed; a bench that can't
 * measure at all ends with a sentence.  Where there is a limit, a row says so
 * if it is passed.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <stdbool.h>

enum {
    BENCH_REPEATS = 5
};

/* Seconds of processor time used so far. */
double bench_seconds(void);

/* Do a piece of work and answer a figure of it: how much a second, say. */
typedef double bench_work(void *context);

/* Measure both alternately and print their row; `beside` tells what the
 * baseline is.  Ours as it was measured. */
double bench_compare(const char *what, bench_work *ours, bench_work *baseline,
                     void *context, const char *beside);

/* Print a row of figures that were measured already. */
void bench_row(const char *what, double ours, double baseline,
               const char *beside);

/* Print a row of a figure beside a limit; one that is above it is marked as
 * `over`. */
void bench_limit(const char *what, double ours, double limit,
                 const char *beside);

/* Print a row of a figure without a baseline, with words and another figure
 * beside it. */
void bench_alone(const char *what, double ours, const char *beside,
                 double other);

/* Bytes of memory that this process is in. */
double bench_resident(void);

/* Print a line above the rows that follow. */
void bench_heading(const char *heading);

/* Do something in a process of its own: what others have left in memory is not
 * counted with it, and all that it takes is given back. */
void bench_apart(void (*what)(void *context), void *context);

/* The middle one of `count` figures, which are put in order. */
double bench_median(double *figures, unsigned count);

/* ---- the rows, a source file each ---------------------------------------- */

/* `scratch`: a folder for files; whoever made it removes it. */
void bench_games(void *unused);
void bench_deals(void *unused);
void bench_records(void *scratch);
void bench_host(void *scratch);
void bench_finished(void *scratch);
void bench_posts(void *unused);
void bench_disk(void *scratch);
void bench_service(void *scratch);

/* Games of games.c through game_step, a second: more than that is compared with
 * it. */
double games_a_second(void *unused);

/* Games a second of the program that YARDSTICK in the environment names: it is
 * given the players, the seconds and a seed, and prints "games/s=" and a
 * number.  MUST NOT be called where none is named. */
double yardstick_a_second(void *unused);
bool bench_has_yardstick(void);

#endif
