/*
 * Games in which everything goes wrong, each from a seed.  A game that fails is
 * made smaller: kinds of faults are left out, and the time in which they
 * strike, until what remains is what it takes; then its story is told.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "tests/base/scratch.h"
#include "tests/sim/fault_plan.h"
#include "tests/sim/fault_twins.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

enum {
    GAMES = 24,         /* in `make test` */
    TWINS_OF_TEN = 3,   /* pairs of twins, to ten of them */
    GAME_SECONDS = 600, /* of the processor: a game that takes more hangs */
};

static struct fault_tally *shared; /* from the game's process */
static unsigned parted;            /* pairs of twins, by what they did */
static int ended;                  /* how the last game's process did */
static const char *last_log;       /* the name of its log */
static char difference[4096]; /* between it and the same without faults, or its
                                 twin */

static void
play(const struct fault_plan *plan, const char *log)
{
    if (freopen(log, "w", stderr) == NULL) {
        _exit(2);
    }
    (void)setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    const struct rlimit limit = {GAME_SECONDS, GAME_SECONDS};
    (void)setrlimit(RLIMIT_CPU, &limit);
    fault_game_play(plan, shared);
    (void)fflush(stderr);
    _exit(0);
}

/* Play it in a process of its own; true: all was as it has to be.  Its files
 * and its log are in the scratch folder. */
static bool
plays_well(const struct fault_plan *plan, const char *files, const char *name)
{
    struct fault_plan here = *plan;
    int status = 0;
    char log[128];
    (void)snprintf(log, sizeof log, "%s", scratch_path(name));
    char folder[128];
    (void)snprintf(folder, sizeof folder, "%s", scratch_path(files));
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    here.folder = folder;
    here.log = log;
    memset(shared, 0, sizeof *shared);
    (void)fflush(NULL); /* the child flushes what it says itself */
    pid_t game = fork();
    ck_assert_int_ge(game, 0);
    if (game == 0) {
        play(&here, log);
    }
    ck_assert_int_eq(waitpid(game, &status, 0), game);
    ended = status;
    last_log = name;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Where two games differ, from 0; SIZE_MAX: nowhere. */
static size_t
differs_at(const char *one, const char *other)
{
    size_t at = 0;
    while (one[at] == other[at] || one[at] == '.' || other[at] == '.') {
        if (one[at] == '\0' || other[at] == '\0') {
            return SIZE_MAX;
        }
        at++;
    }
    return at;
}

/* Append the line of a text in which a byte stands. */
static void
add_line(const char *before, const char *text, size_t at)
{
    size_t len = strlen(difference);
    while (at > 0 && text[at - 1] != '\n') {
        at--;
    }
    (void)snprintf(difference + len, sizeof difference - len, "%s%.*s", before,
                   (int)strcspn(text + at, "\n"), text + at);
}

/* Play it without any fault: does the same come of it? */
static bool
comes_out_the_same(const struct fault_plan *plan)
{
    static struct fault_tally faulty;
    struct fault_plan calm = *plan;
    memcpy(&faulty, shared, sizeof faulty);
    memset(calm.one_in, 0, sizeof calm.one_in);
    calm.recordings = NULL;
    bool held = plays_well(&calm, "host without faults", "log without faults");
    size_t at = differs_at(faulty.result, shared->result);
    if (!held) {
        (void)snprintf(difference, sizeof difference,
                       "without faults it fails");
    } else if (at != SIZE_MAX) {
        add_line("without faults “", shared->result, at);
        add_line("”, and with them “", faulty.result, at);
        add_line("”", "", 0);
    }
    memcpy(shared, &faulty, sizeof faulty);
    last_log = held ? "log" : last_log;
    return difference[0] == '\0';
}

/* Play one of two twins, and take what the public saw, and what was logged by
 * then. */
static bool
plays_twin(const struct fault_plan *plan, unsigned twin, struct buf *seen,
           struct buf *log)
{
    static const char *const names[][2] = {{"log", "seen"},
                                           {"other log", "other seen"}};
    const char *const *name = names[twin - 1];
    struct fault_plan here = *plan;
    struct buf why = BUF_INIT;
    char path[128];
    (void)snprintf(path, sizeof path, "%s", scratch_path(name[1]));
    here.twin = twin;
    here.seen = path;
    bool held = plays_well(&here, "host", name[0]) &&
                file_read(path, seen, &why) == ERR_NONE &&
                file_read(scratch_path(name[0]), log, &why) == ERR_NONE;
    scratch_remove_tree(scratch_path("host"));
    buf_truncate(log, held ? shared->logged : 0);
    buf_release(&why);
    return held;
}

/* The line that tells of a policy next, behind where a line begins; "": none.
 */
static const char *
next_policy(const char *text)
{
    const char *next = strstr(text, FAULT_TWINS_ENACTED);
    return next == NULL ? "" : next;
}

/* Is another policy enacted than in the other text, and that before anything
 * else differs?  What somebody has answered before an undo may count for other
 * cards: then they are twins no more. */
static bool
have_parted(const char *one, const char *other, size_t at)
{
    while (at > 0 && one[at - 1] != '\n') {
        at--;
    }
    const char *policies[] = {next_policy(one + at), next_policy(other + at)};
    bool next = policies[0] == one + at || policies[1] == other + at;
    size_t len = strcspn(policies[0], "\n");
    return next && (strncmp(policies[0], policies[1], len) != 0 ||
                    policies[1][len] != policies[0][len]);
}

/* True: two texts are the same, as far as they are those of twins. */
static bool
are_the_same(const char *what, const struct buf *one, const struct buf *other)
{
    size_t at = 0;
    const char *text[] = {buf_text(one), buf_text(other)};
    while (text[0][at] == text[1][at] && text[0][at] != '\0') {
        at++;
    }
    if (text[0][at] == text[1][at]) {
        return true;
    }
    if (have_parted(text[0], text[1], at)) {
        parted++;
        return true;
    }
    (void)snprintf(difference, sizeof difference, "of twins %s: “", what);
    add_line("", text[0], at);
    add_line("”, and “", text[1], at);
    add_line("”", "", 0);
    return false;
}

/* Do twins differ in nothing that the public sees? */
static bool
are_alike(const struct fault_plan *plan)
{
    struct buf seen[2] = {BUF_INIT, BUF_INIT};
    struct buf log[2] = {BUF_INIT, BUF_INIT};
    unsigned before = parted;
    bool held = plays_twin(plan, 1, &seen[0], &log[0]) &&
                plays_twin(plan, 2, &seen[1], &log[1]) &&
                are_the_same("the public sees", &seen[0], &seen[1]) &&
                (plan->told || parted > before ||
                 are_the_same("is logged", &log[0], &log[1]));
    for (unsigned i = 0; i < 2; i++) {
        buf_release(&seen[i]);
        buf_release(&log[i]);
    }
    return held;
}

static bool
holds(const struct fault_plan *plan)
{
    scratch_make();
    difference[0] = '\0';
    if (plan->twin != 0) {
        return are_alike(plan);
    }
    return plays_well(plan, "host", "log") &&
           (!plan->compared || comes_out_the_same(plan));
}

static bool
still_fails(const struct fault_plan *plan)
{
    bool fails = !holds(plan);
    scratch_remove_tree(scratch);
    return fails;
}

/* Leave out what the failure does not need. */
static void
shrink(struct fault_plan *plan)
{
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        unsigned one_in = plan->one_in[i];
        plan->one_in[i] = 0;
        if (one_in != 0 && !still_fails(plan)) {
            plan->one_in[i] = one_in;
        }
    }
    for (int64_t step = plan->until / 2; step >= MINUTE_MS; step /= 2) {
        plan->until -= step;
        if (!still_fails(plan)) {
            plan->until += step;
        }
    }
    for (int64_t step = plan->until / 2; step >= MINUTE_MS; step /= 2) {
        plan->from += step;
        if (plan->from >= plan->until || !still_fails(plan)) {
            plan->from -= step;
        }
    }
}

static void
tell_plan(const struct fault_plan *plan)
{
    (void)printf("seed %" PRIu64 ", %s, %u tables, %s%s, faults from minute "
                 "%" PRId64 " to %" PRId64 ":",
                 plan->seed, plan->service, plan->tables,
                 plan->lazy ? "some stay away" : "all answer",
                 plan->compared ? ", as without faults" : "",
                 plan->from / MINUTE_MS, plan->until / MINUTE_MS);
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        if (plan->one_in[i] != 0) {
            (void)printf(" %s(%u)", fault_names[i], plan->one_in[i]);
        }
    }
    (void)printf("\n");
}

static void
tell_difference(void)
{
    if (difference[0] != '\0') {
        (void)printf("FAILED: %s\n", difference);
    }
}

static void
tell_story(struct fault_plan *plan)
{
    char line[4096];
    plan->told = true;
    bool held = holds(plan);
    FILE *log = fopen(scratch_path(last_log), "r");
    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        (void)fputs(line, stdout);
    }
    if (log != NULL) {
        (void)fclose(log);
    }
    scratch_remove_tree(scratch);
    if (WIFSIGNALED(ended)) {
        (void)printf("FAILED: signal %d\n", WTERMSIG(ended));
    }
    tell_difference();
    (void)printf(held ? "It held when it was played once more.\n" : "");
}

static uint64_t
number(const char *name, uint64_t otherwise)
{
    const char *said = getenv(name);
    return said == NULL ? otherwise : strtoull(said, NULL, 10);
}

/* PLACARD_FAULTS, "power,stale": these strike, and no others. */
static void
choose_faults(struct fault_plan *plan)
{
    char chosen[256];
    char *rest = chosen;
    const char *said = getenv("PLACARD_FAULTS");
    if (said == NULL) {
        return;
    }
    (void)snprintf(chosen, sizeof chosen, "%s", said);
    memset(plan->one_in, 0, sizeof plan->one_in);
    for (char *name = strtok_r(chosen, ",", &rest); name != NULL;
         name = strtok_r(NULL, ",", &rest)) {
        unsigned kind = 0;
        while (kind < FAULT_KINDS && strcmp(fault_names[kind], name) != 0) {
            kind++;
        }
        ck_assert_msg(kind < FAULT_KINDS, "no faults are called %s", name);
        plan->one_in[kind] = fault_usual[kind];
        plan->compared =
            plan->compared && !fault_changes_the_game((enum fault_kind)kind);
    }
    fault_plan_settle(plan);
}

static void
add_tally(struct fault_tally *sum)
{
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        sum->count[i] += shared->count[i];
    }
    sum->turns += shared->turns;
    sum->requests += shared->requests;
    sum->starts += shared->starts;
    sum->lasted += shared->lasted;
}

/* True: it is to be played. */
static bool
plan_seed(uint64_t seed, struct fault_plan *plan)
{
    const char *only = getenv("PLACARD_SERVICE");
    fault_plan_make(seed, plan);
    choose_faults(plan);
    return only == NULL || strcmp(plan->service, only) == 0;
}

/* True: it holds. */
static bool
play_plan(struct fault_plan *plan, struct fault_tally *sum)
{
    bool held = holds(plan);
    plan->recordings = NULL;
    scratch_remove_tree(scratch);
    add_tally(sum);
    if (held) {
        return true;
    }
    (void)printf("A game has failed: ");
    tell_plan(plan);
    tell_difference();
    if (getenv("PLACARD_QUICK") == NULL) {
        shrink(plan);
        (void)printf("It takes no more than: ");
        tell_plan(plan);
    }
    tell_story(plan);
    (void)fflush(stdout);
    return false;
}

/* Play games from that many seeds, or of each as many as PLACARD_SEEDS says:
 * pairs of twins, where they are. */
static void
play_seeds(uint64_t seeds, bool twins)
{
    uint64_t first = number("PLACARD_SEED", 1);
    struct fault_plan plan;
    struct fault_tally sum = {.turns = 0};
    unsigned failed = 0;
    uint64_t played = 0;
    for (uint64_t i = 0; i < seeds; i++) {
        if (plan_seed(first + i, &plan)) {
            plan.recordings = twins ? NULL : getenv("PLACARD_RECORDINGS");
            if (twins) {
                fault_plan_twins(&plan);
            }
            failed += !play_plan(&plan, &sum);
            played++;
        }
    }
    if (twins) {
        (void)printf("%u pairs of twins enacted different policies\n", parted);
    }
    (void)printf("%" PRIu64 " %s, %u failed: %" PRId64 " days, %" PRIu64
                 " turns, %" PRIu64 " requests, %u starts; struck:",
                 played, twins ? "twins" : "games", failed, sum.lasted / DAY_MS,
                 sum.turns, sum.requests, sum.starts);
    for (unsigned i = 0; i < FAULT_KINDS; i++) {
        (void)printf(" %s %u", fault_names[i], sum.count[i]);
    }
    (void)printf("\n");
    ck_assert_uint_eq(failed, 0);
}

START_TEST(a_game_in_which_everything_goes_wrong_is_played_as_it_should_be)
{
    play_seeds(number("PLACARD_SEEDS", effort_of(GAMES)), false);
}
END_TEST

START_TEST(nothing_public_tells_what_is_secret_whatever_goes_wrong)
{
    uint64_t games = number("PLACARD_SEEDS", effort_of(GAMES));
    play_seeds((games * TWINS_OF_TEN + 9) / 10, true);
}
END_TEST

static void
share(void)
{
    scratch_make();
    int file = open(scratch_path("shared"), O_RDWR | O_CREAT, 0600);
    ck_assert_int_eq(ftruncate(file, sizeof *shared), 0);
    shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    (void)close(file);
    scratch_remove();
    ck_assert_ptr_ne(shared, MAP_FAILED);
    fault_games_prepare();
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("fault games");
    TCase *cases = tcase_create("games");
    tcase_add_unchecked_fixture(cases, share, NULL);
    tcase_add_test(
        cases, a_game_in_which_everything_goes_wrong_is_played_as_it_should_be);
    suite_add_tcase(suite, cases);
    TCase *twins = tcase_create("twins");
    tcase_add_unchecked_fixture(twins, share, NULL);
    tcase_add_test(twins,
                   nothing_public_tells_what_is_secret_whatever_goes_wrong);
    suite_add_tcase(suite, twins);
    return suite;
}
