/*
 * Many games at once on Discord: how long a post waits for its answer, what is
 * asked of the service and whether it ever had to say no, what the host takes
 * of the processor, of memory and of the disk.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/loop/dispatch.h"
#include "tests/bench/bench.h"
#include "tests/bench/fake_curl.h"
#include "tests/bench/month.h"
#include "tests/support/virtual_host.h"

enum {
    FAILING = 100, /* one request in so many */
    REST_TURNS = 100,
    OPERATIONS = OPS_MAX / 2,
    GAMES = 1000,
    GUILDS = 20,
};

/* One row of the table of games and guilds. */
struct cell {
    struct month_plan plan;
    char folder[128];
    double memory_goal; /* bytes */
};

/* ---- the rows ------------------------------------------------------------ */

static int
compare(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

/* Of figures that are put in order: one that so many of a hundred are not
 * above. */
static double
percentile(double *list, size_t count, double percent)
{
    if (count == 0) {
        return 0;
    }
    qsort(list, count, sizeof *list, compare);
    size_t at = (size_t)((double)count * percent / 100);
    return list[at < count ? at : count - 1];
}

static void
print_delays(const char *what, const struct delays *delays)
{
    static const struct {
        const char *name;
        double percent;
    } parts[] = {{"median", 50}, {"99 of 100", 99}, {"worst", 100}};
    char row[64];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        (void)snprintf(row, sizeof row, "%s, %s, s", what, parts[i].name);
        bench_alone(row,
                    percentile(delays->list, delays->count, parts[i].percent) /
                        1000,
                    "of so many: ", (double)delays->count);
    }
}

static void
print_turns(const char *when, struct turns *turns)
{
    char row[64];
    (void)snprintf(row, sizeof row, "a turn %s, 99 of 100, ms", when);
    bench_limit(row, 1000 * percentile(turns->list, turns->count, 99), 50,
                "the goal, of the worst");
    (void)snprintf(row, sizeof row, "a turn %s, worst, ms", when);
    bench_limit(row, 1000 * percentile(turns->list, turns->count, 100), 50,
                "the goal");
    (void)snprintf(row, sizeof row, "of a core %s, percent", when);
    bench_limit(row, turns->time == 0 ? 0 : 100 * turns->sum / turns->time, 1,
                "the goal, where it is quiet");
}

static void
print_result(struct month_result *result, bool missed)
{
    static const char *const deeds[DEEDS] = {"a vote's mark",
                                             "an answer in public",
                                             "an answer to cards",
                                             "without its bell, a vote's mark",
                                             "without its bell, in public",
                                             "without its bell, to cards"};
    static const char *const kinds[ASKED_KINDS] = {
        "lists of guilds a second", "pages of threads a second",
        "pages of DMs a second", "others a second"};
    const struct players_count *players = result->players;
    for (unsigned i = 0; i < (missed ? DEEDS : DEEDS_TOLD); i++) {
        print_delays(deeds[i], &players->delays[i]);
    }
    bench_alone("not answered in ten minutes", (double)players->unanswered,
                "the goal: ", 0);
    bench_limit("requests a second", result->requests / result->seconds, 50,
                "that Discord allows");
    for (unsigned i = 0; i < ASKED_KINDS; i++) {
        bench_alone(kinds[i], result->asked[i] / result->seconds,
                    "of them: ", result->asked[i]);
    }
    bench_alone("requests refused for their pace", result->refused,
                "the goal: ", 0);
    bench_alone("requests that failed", result->failed,
                "as was planned, of: ", result->requests);
    print_turns("on the way", &result->steady);
    print_turns("after a start", &result->starting);
    bench_limit("first page asked for after a kill, s", result->first_read, 1,
                "the goal");
    bench_limit("first answer after a kill, s", result->first_answer, 2,
                "the goal");
    bench_limit("syncs for a page with posts",
                result->writes.syncs / (double)players->pages, 1.5, "the goal");
    bench_limit("bytes written for a post, kB",
                result->writes.bytes / (double)players->deeds / 1000, 40,
                "the goal");
}

/* ---- a month ------------------------------------------------------------- */

static void
pass_month(void *context)
{
    const struct cell *cell = context;
    struct month *month = month_new(&cell->plan, cell->folder);
    struct month_result result = *month_pass(month);
    print_result(&result, cell->plan.missed > 0);
    bench_limit("heap of the host in the end, MB", result.heap / 1e6,
                cell->memory_goal / 1e6, "the goal, of all its memory");
}

/* Nobody answers. */
static bool
stay_silent(void *context, int64_t now, const struct request *request,
            struct buf *body, struct reply *reply)
{
    (void)context;
    (void)now;
    (void)request;
    (void)body;
    (void)reply;
    return false;
}

/* What is on the heap for each of many pages of one thread that were asked for,
 * most of which still wait for their turn.  libcurl in memory is not counted:
 * there is next to nothing of it, and the addresses are the real one's. */
static void
weigh_operation(void *unused)
{
    static const struct service service = {.adapter = &adapter_discord,
                                           .name = "discord",
                                           .base = GUILD_BASE,
                                           .self = "900000000000000001"};
    const struct op op = {.kind = OP_READ,
                          .feed = GUILD_CHANNEL,
                          .cursor = GUILD_CHANNEL,
                          .now = GUILD_START};
    struct fake_line line = {.serve = stay_silent};
    struct dispatch *dispatch = dispatch_new(NULL);
    (void)unused;
    fake_curl_open(&line);
    size_t before = 0;
    /* The first ones make what all share. */
    for (unsigned i = 0; i < 2 * OPERATIONS; i++) {
        if (i == OPERATIONS) {
            dispatch_work(dispatch, GUILD_START, 0);
            before = mallinfo2().uordblks;
        }
        dispatch_submit(dispatch, &service, &op,
                        (struct ticket){.kind = TICKET_FEED});
    }
    dispatch_work(dispatch, GUILD_START, 0);
    bench_limit("heap of an operation under way, bytes",
                (double)(mallinfo2().uordblks - before) / OPERATIONS, 2500,
                "the goal: of 128 at most");
    dispatch_free(dispatch);
}

/* What a host is in of memory that was opened with the same store, and has
 * asked what it asks first. */
static void
weigh_process(void *context)
{
    const struct cell *cell = context;
    struct fake_line line = {.serve = stay_silent};
    struct virtual_host host = {.sleeps = true};
    struct buf why = BUF_INIT;
    char conf[160];
    (void)snprintf(conf, sizeof conf, "%s/placard.cfg", cell->folder);
    (void)setenv("PLACARD_BENCH_TOKEN", "unknown", 1);
    fake_curl_open(&line);
    enum err err = virtual_host_open(&host, conf, &why);
    for (int i = 0; err == ERR_NONE && i < REST_TURNS; i++) {
        int64_t now = GUILD_START + HOUR_MS + i * SECOND_MS;
        err = virtual_host_turn(&host, now, &why);
        fake_curl_tell(now);
    }
    if (err != ERR_NONE) {
        die("%s", buf_text(&why));
    }
    bench_limit("memory of the process, started, MB", bench_resident() / 1e6,
                cell->memory_goal / 1e6, "the goal");
}

static void
measure(struct cell *cell, const char *scratch)
{
    char heading[128];
    (void)snprintf(cell->folder, sizeof cell->folder, "%s/%u-%u", scratch,
                   cell->plan.games, cell->plan.guilds);
    if (mkdir(cell->folder, 0700) != 0) {
        die("%s: can't be made", cell->folder);
    }
    (void)snprintf(heading, sizeof heading,
                   "%u games at once in %u guilds of Discord, %.1f hours of "
                   "its time%s",
                   cell->plan.games, cell->plan.guilds,
                   (double)cell->plan.span / HOUR_MS,
                   cell->plan.polls ? ", without its gateway" : "");
    bench_heading(heading);
    bench_apart(pass_month, cell);
    bench_apart(weigh_process, cell);
}

/* The service's time: PLACARD_BENCH_HOURS, or so many. */
static int64_t
span(double hours)
{
    const char *set = getenv("PLACARD_BENCH_HOURS");
    return (int64_t)((set == NULL ? hours : strtod(set, NULL)) * HOUR_MS);
}

/* The number that a variable is set to; 0: it is not. */
static unsigned
number_of(const char *variable)
{
    const char *set = getenv(variable);
    return set == NULL ? 0 : (unsigned)strtoul(set, NULL, 10);
}

/* PLACARD_BENCH_GAMES, PLACARD_BENCH_GUILDS: only where there are so many; 0:
 * all. */
static bool
is_wanted(const char *variable, unsigned normal, unsigned number)
{
    const char *set = getenv(variable);
    unsigned long wanted = set == NULL ? normal : strtoul(set, NULL, 10);
    return wanted == 0 || wanted == number;
}

void
bench_service(void *scratch)
{
    static const struct {
        unsigned games;
        double hours, memory;
    } sizes[] = {{GAMES, 4, 30e6}, {10 * GAMES, 2, 120e6}};
    static const unsigned guilds[] = {20, 200, 1000};
    bench_apart(weigh_operation, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof guilds / sizeof guilds[0]; j++) {
            struct cell cell = {.plan = {.games = sizes[i].games,
                                         .guilds = guilds[j],
                                         .span = span(sizes[i].hours),
                                         .think = 8 * HOUR_MS},
                                .memory_goal = sizes[i].memory};
            if (getenv("PLACARD_BENCH_CALM") == NULL) {
                cell.plan.failing = FAILING;
                cell.plan.kill_every = cell.plan.span / 2;
                cell.plan.break_every = cell.plan.span / 5;
            }
            cell.plan.polls = getenv("PLACARD_BENCH_POLLS") != NULL;
            cell.plan.missed = number_of("PLACARD_BENCH_MISSED");
            if (is_wanted("PLACARD_BENCH_GAMES", GAMES, cell.plan.games) &&
                is_wanted("PLACARD_BENCH_GUILDS", GUILDS, cell.plan.guilds)) {
                measure(&cell, scratch);
            }
        }
    }
}
