#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bot/base/err.h"
#include "bot/base/log.h"

double
bench_seconds(void)
{
    struct timespec own;
    struct rusage others;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own) != 0 ||
        getrusage(RUSAGE_CHILDREN, &others) != 0) {
        die("no clock tells the time of the processor");
    }
    return (double)own.tv_sec + 1e-9 * (double)own.tv_nsec +
           (double)(others.ru_utime.tv_sec + others.ru_stime.tv_sec) +
           1e-6 * (double)(others.ru_utime.tv_usec + others.ru_stime.tv_usec);
}

/* ---- the table ----------------------------------------------------------- */

void
bench_heading(const char *heading)
{
    printf("\n%s\n", heading);
}

/* Three digits of what is small. */
static void
print_figure(double figure)
{
    if (figure < 100) {
        printf(" %11.3g", figure);
    } else {
        printf(" %11.0f", figure);
    }
}

void
bench_row(const char *what, double ours, double baseline, const char *beside)
{
    printf("  %-44s", what);
    print_figure(ours);
    print_figure(baseline);
    printf(" %9.3g  %s\n", ours / baseline, beside);
    (void)fflush(stdout);
}

void
bench_limit(const char *what, double ours, double limit, const char *beside)
{
    char marked[64];
    (void)snprintf(marked, sizeof marked, "%s: over", beside);
    bench_row(what, ours, limit, ours > limit ? marked : beside);
}

void
bench_alone(const char *what, double ours, const char *beside, double other)
{
    printf("  %-44s", what);
    print_figure(ours);
    printf(" %11s %9s  %s%.6g\n", "", "", beside, other);
    (void)fflush(stdout);
}

static int
compare(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

double
bench_median(double *figures, unsigned count)
{
    qsort(figures, count, sizeof figures[0], compare);
    return figures[count / 2];
}

double
bench_compare(const char *what, bench_work *ours, bench_work *baseline,
              void *context, const char *beside)
{
    double figures[2][BENCH_REPEATS];
    for (unsigned i = 0; i < BENCH_REPEATS; i++) {
        figures[0][i] = ours(context);
        figures[1][i] = baseline(context);
    }
    double median = bench_median(figures[0], BENCH_REPEATS);
    bench_row(what, median, bench_median(figures[1], BENCH_REPEATS), beside);
    return median;
}

/* ---- memory -------------------------------------------------------------- */

double
bench_resident(void)
{
    char line[128] = "";
    char *second = NULL;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) {
        die("/proc/self/statm: can't be read");
    }
    (void)fclose(file);
    (void)strtoul(line, &second, 10);
    return (double)strtoul(second, NULL, 10) * (double)sysconf(_SC_PAGESIZE);
}

/* ---- running ------------------------------------------------------------- */

void
bench_apart(void (*what)(void *context), void *context)
{
    int status = 0;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        what(context);
        (void)fflush(stdout);
        _exit(EXIT_SUCCESS);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        die("the bench has come to no end");
    }
}

/* As in tests/support/runner.c: without it Check would write a line at every
 * assertion of what the bench has of the tests.  NOLINTBEGIN */
void __wrap__mark_point(const char *file, int line);

void
__wrap__mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}
/* NOLINTEND */
