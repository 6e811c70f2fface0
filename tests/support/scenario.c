#include "tests/support/scenario.h"

#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "adapters/board/board_server.h"
#include "bot/base/err.h"
#include "bot/base/files.h"

enum {
    WORDS_MAX = 32,
    PATIENCE = 600, /* s */
    WORK = 5        /* s of the processor: a game takes a tenth of one */
};

const char *const scenario_game[] = {"--players", "5", "--seed", "8", NULL};

/* ---- the folder ---------------------------------------------------------- */

void
scenario_set(struct scenario *scenario)
{
    memset(scenario, 0, sizeof *scenario);
    (void)snprintf(scenario->folder, sizeof scenario->folder,
                   "%s/placard-test-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(scenario->folder));
    (void)snprintf(scenario->state, sizeof scenario->state, "%s/state",
                   scenario->folder);
    (void)snprintf(scenario->record, sizeof scenario->record, "%s/game.jsonl",
                   scenario->folder);
    (void)snprintf(scenario->clock, sizeof scenario->clock, "%s/clock",
                   scenario->folder);
    struct buf why = BUF_INIT;
    ck_assert_msg(folder_make(scenario->state, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    buf_release(&why);
}

static void
shell(const char *command)
{
    ck_assert_int_eq(system(command), 0);
}

void
scenario_strike(struct scenario *scenario)
{
    char command[96];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", scenario->folder);
    shell(command);
    buf_release(&scenario->said);
}

const char *
scenario_file(const struct scenario *scenario, const char *name)
{
    static char paths[4][160];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, sizeof paths[0], "%s/placard/play/%s", scenario->state,
                   name);
    return path;
}

void
scenario_copy(const struct scenario *from, struct scenario *to)
{
    char command[320];
    (void)snprintf(command, sizeof command, "rm -rf '%s' && cp -r '%s' '%s'",
                   to->state, from->state, to->state);
    shell(command);
}

/* ---- running ------------------------------------------------------------- */

/* The library lies beside the program's tests. */
static void
set_shim(void)
{
    char program[] = TEST_PROGRAM;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/support/fault_shim.so",
                   dirname(program));
    if (access(path, R_OK) != 0) {
        (void)fprintf(stderr, "%s is not there: `make test` builds it\n", path);
        _exit(126);
    }
    (void)setenv("LD_PRELOAD", path, 1);
    /* A sanitizer wants to be first; it still is before libc. */
    (void)setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
}

static void
set_fault(const struct scenario *scenario, const struct fault *fault)
{
    char at[16];
    char trace[128];
    (void)snprintf(at, sizeof at, "%u", fault->at);
    (void)snprintf(trace, sizeof trace, "%s/trace", scenario->folder);
    (void)unlink(trace);
    (void)setenv("FAULT_FOLDER", scenario->state, 1);
    (void)setenv("FAULT_TRACE", trace, 1);
    (void)setenv("FAULT_AT", at, 1);
    (void)setenv("FAULT_DO", fault->what == NULL ? "" : fault->what, 1);
    if (fault->unsynced != NULL) {
        (void)setenv("FAULT_UNSYNCED", fault->unsynced, 1);
    }
    set_shim();
}

/* Where the n-th program's standard error goes. */
static void
name_said(const struct scenario *scenario, unsigned number, char path[128])
{
    (void)snprintf(path, 128, "%s/said-%u", scenario->folder, number);
}

void
scenario_set_clock(const struct scenario *scenario)
{
    if (access(scenario->clock, R_OK) == 0) {
        (void)setenv("FAULT_CLOCK", scenario->clock, 1);
        (void)setenv("FAULT_NAP", "5", 1);
        set_shim();
    }
}

/* The child's way from here into the program. */
static void
become(const struct scenario *scenario, const struct fault *fault,
       const char *const *words)
{
    char said[128];
    char *list[WORDS_MAX + 2] = {must_copy(TEST_PROGRAM)};
    for (unsigned i = 0; words[i] != NULL; i++) {
        list[i + 1] = must_copy(words[i]);
    }
    name_said(scenario, scenario->number, said);
    int errors = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int nothing = open("/dev/null", O_RDWR);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    (void)dup2(errors, STDERR_FILENO);
    (void)setenv("XDG_STATE_HOME", scenario->state, 1);
    (void)setenv("PLACARD_DATA", "config", 1);
    (void)alarm(PATIENCE);
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){WORK, WORK});
    scenario_set_clock(scenario);
    if (fault != NULL) {
        set_fault(scenario, fault);
    }
    (void)execv(TEST_PROGRAM, list);
    _exit(127);
}

pid_t
scenario_start(struct scenario *scenario, const struct fault *fault,
               const char *const *words)
{
    unsigned count = 0;
    while (words[count] != NULL) {
        count++;
    }
    ck_assert_uint_le(count, WORDS_MAX);
    scenario->number++;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        become(scenario, fault, words);
    }
    return child;
}

int
scenario_wait(pid_t program)
{
    int status = 0;
    ck_assert_int_eq(waitpid(program, &status, 0), program);
    if (WIFSIGNALED(status)) {
        return -WTERMSIG(status);
    }
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) < 126);
    return WEXITSTATUS(status);
}

int
scenario_run(struct scenario *scenario, const struct fault *fault,
             const char *const *words)
{
    char said[128];
    struct buf why = BUF_INIT;
    int ended = scenario_wait(scenario_start(scenario, fault, words));
    name_said(scenario, scenario->number, said);
    buf_clear(&scenario->said);
    ck_assert_msg(file_read(said, &scenario->said, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    return ended;
}

void
scenario_shift(const struct scenario *scenario, int64_t shift)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    buf_add_number(&text, shift);
    ck_assert_msg(file_write(scenario->clock, buf_text(&text), text.len, 0600,
                             &why) == ERR_NONE,
                  "%s", buf_text(&why));
    buf_release(&text);
}

int
scenario_play(struct scenario *scenario, const struct fault *fault,
              const char *const *game)
{
    const char *words[WORDS_MAX] = {"play", "--auto", "--record",
                                    scenario->record};
    for (unsigned i = 0; game[i] != NULL; i++) {
        words[i + 4] = game[i];
    }
    return scenario_run(scenario, fault, words);
}

int
scenario_resume(struct scenario *scenario, const struct fault *fault)
{
    const char *const words[] = {"play",     "--resume",       "--auto",
                                 "--record", scenario->record, NULL};
    return scenario_run(scenario, fault, words);
}

int
scenario_go_on(struct scenario *scenario, const char *const *game)
{
    int ended = scenario_resume(scenario, NULL);
    if (ended == 1 &&
        strstr(buf_text(&scenario->said), "no game lies in") != NULL) {
        return scenario_play(scenario, NULL, game);
    }
    return ended;
}

/* ---- what is to be seen -------------------------------------------------- */

static void
read_trace(const struct scenario *scenario, struct buf *out)
{
    char path[128];
    struct buf why = BUF_INIT;
    (void)snprintf(path, sizeof path, "%s/trace", scenario->folder);
    ck_assert_msg(file_read(path, out, &why) == ERR_NONE, "%s", buf_text(&why));
}

unsigned
scenario_points(const struct scenario *scenario)
{
    unsigned lines = 0;
    struct buf trace = BUF_INIT;
    read_trace(scenario, &trace);
    for (size_t i = 0; i < trace.len; i++) {
        lines += trace.data[i] == '\n' ? 1 : 0;
    }
    buf_release(&trace);
    return lines;
}

void
scenario_point(const struct scenario *scenario, unsigned at, struct buf *out)
{
    struct buf trace = BUF_INIT;
    read_trace(scenario, &trace);
    const char *line = buf_text(&trace);
    for (unsigned i = 1; i < at && line[0] != '\0'; i++) {
        line += strcspn(line, "\n");
        line += line[0] == '\n' ? 1 : 0;
    }
    buf_add(out, line, strcspn(line, "\n"));
    buf_release(&trace);
}

/* A post on its way into a text in which each place stands by itself. */
struct line {
    char *place, *text;
    size_t number;
};

struct lines {
    struct line *list;
    size_t count;
    bool times;
};

static void
add_post(void *context, const struct board_post *post)
{
    struct lines *lines = context;
    struct buf text = BUF_INIT;
    buf_addf(&text, "%s > %s %s\n%s\n", post->author, post->place,
             post->reactions, post->text);
    if (lines->times) {
        buf_addf(&text, "(%lld, %lld)\n", (long long)post->stamp,
                 (long long)post->edited);
    }
    lines->list =
        must_grow(lines->list, (lines->count + 1) * sizeof *lines->list);
    lines->list[lines->count] =
        (struct line){must_copy(post->place), buf_take(&text), lines->count};
    lines->count++;
}

static int
compare_lines(const void *one, const void *two)
{
    const struct line *a = one;
    const struct line *b = two;
    int places = strcmp(a->place, b->place);
    return places != 0 ? places
                       : (a->number > b->number) - (a->number < b->number);
}

void
scenario_board(const struct scenario *scenario, bool times, struct buf *out)
{
    struct board *board = NULL;
    struct buf why = BUF_INIT;
    struct lines lines = {.times = times};
    ck_assert_msg(board_open(scenario_file(scenario, "board.db"), false, &board,
                             &why) == ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert(board_read(board, 0, "*", add_post, &lines, &why) == ERR_NONE);
    board_close(board);
    qsort(lines.list, lines.count, sizeof *lines.list, compare_lines);
    for (size_t i = 0; i < lines.count; i++) {
        buf_add_text(out, lines.list[i].text);
        free(lines.list[i].place);
        free(lines.list[i].text);
    }
    free(lines.list);
    buf_release(&why);
}

void
scenario_record(const struct scenario *scenario, struct buf *out)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(file_read(scenario->record, out, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    ck_assert_uint_gt(out->len, 0);
    buf_release(&why);
}

void
scenario_same(const char *found, const char *expected, const char *when)
{
    size_t line = 0;
    size_t at = 0;
    while (found[at] != '\0' && found[at] == expected[at]) {
        at++;
        line = found[at - 1] == '\n' ? at : line;
    }
    ck_assert_msg(found[at] == expected[at],
                  "%s: expected\n%.400s\nbut found\n%.400s", when,
                  expected + line, found + line);
}

void
scenario_said(const struct scenario *scenario, const char *text,
              const char *when)
{
    const char *said = buf_text(&scenario->said);
    const char *end = strchr(said, '\n');
    bool one_line = end != NULL && end[1] == '\0';
    ck_assert_msg(one_line && strstr(said, text) != NULL,
                  "%s: not one line about \"%s\":\n%.800s", when, text, said);
}
