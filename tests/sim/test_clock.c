/*
 * A host that runs (`placard run`), people who post (`placard post`), and a
 * clock that jumps by an hour, a day, ten years, ahead and back: each deadline
 * fires once, by the board's clock, nothing is posted twice, the host is never
 * deaf, the game comes to its end, and its record is legal.
 *
 * Time passes when a test says so, and a little while it waits for the host.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/board_server.h"
#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/files.h"
#include "tests/support/runner.h"
#include "tests/support/scene.h"

enum {
    PLAYERS = 5,
    PATIENCE = 50000, /* ms of real time */
    GLANCE = 5,
    STEPS_MAX = 200 /* deadlines of one game */
};

static const char *const people[PLAYERS] = {"Anna", "Bob", "Carl", "Dora",
                                            "Emil"};

/* Longer than all the waiting of a test, shorter than the least jump. */
static const char settings[] =
    "nomination = \"30m\";\nelection = \"40m\";\npresident = \"30m\";\n"
    "chancellor = \"30m\";\npower = \"30m\";\nveto = \"30m\";\n"
    "grace = \"5m\";\nmisses = 0;\nred = \"accepted\";\nready_check = \"off\";\n"
    "reminders = \"10m\";\nsecond_thought = \"5m\";\n"
    "store = \"store.db\";\nboard = \"board.db\";\n"
    "places = ({ name = \"table\"; service = \"board\"; "
    "thread = \"here\"; "
    "moderators = [ \"Mo\" ]; });\n";

static struct scene scene;
static char config[128];
static pid_t host;
static int64_t shift;

/* What the host has posted: in the thread, and in all. */
static struct buf thread;
static unsigned posts;
static struct buf all;
static struct buf twice; /* the post that was there before; "" none */

/* ---- the board ----------------------------------------------------------- */

static void
add_post(void *context, const struct board_post *post)
{
    struct buf line = BUF_INIT;
    (void)context;
    if (strcmp(post->author, BOARD_HOST) != 0) {
        return;
    }
    posts++;
    if (strcmp(post->place, "thread") == 0) {
        buf_addf(&thread, "%s\n\n", post->text);
    }
    buf_addf(&line, "\f%s: %s\f", post->place, post->text);
    /* Every post names its round or its time, but for who had lots drawn. */
    if (strstr(buf_text(&all), buf_text(&line)) != NULL &&
        strncmp(post->text, "Time was up", 11) != 0) {
        buf_add_text(&twice, post->text);
    }
    buf_add_text(&all, buf_text(&line));
    buf_release(&line);
}

static void
read_board(void)
{
    char path[128];
    struct board *board = NULL;
    struct buf why = BUF_INIT;
    (void)snprintf(path, sizeof path, "%s/board.db", scene.folder);
    buf_clear(&thread);
    buf_clear(&all);
    posts = 0;
    enum err err = board_open(path, false, &board, &why);
    if (err == ERR_NONE) {
        err = board_read(board, 0, "*", add_post, NULL, &why);
        board_close(board);
    }
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    ck_assert_msg(twice.len == 0, "posted twice: %s", buf_text(&twice));
    buf_release(&why);
}

static unsigned
count(const char *text)
{
    unsigned found = 0;
    for (const char *at = buf_text(&thread); (at = strstr(at, text)) != NULL;
         at += strlen(text)) {
        found++;
    }
    return found;
}

static void
let_pass(int64_t time)
{
    shift += time;
    scene_shift(&scene, shift);
}

static bool
has_posted(const char *text, unsigned more_than)
{
    read_board();
    return text == NULL ? posts > more_than : count(text) > more_than;
}

/* Wait until the host has said this in the thread (NULL: anything, anywhere)
 * more often than so.  Meanwhile the few seconds pass after which it reads the
 * board again, and is sure of what it has read. */
static void
await(const char *text, unsigned more_than)
{
    for (int waited = 0; waited < PATIENCE; waited += GLANCE) {
        if (has_posted(text, more_than)) {
            return;
        }
        if (waited < 10 * GLANCE) {
            let_pass(SECOND_MS);
        }
        (void)poll(NULL, 0, GLANCE);
    }
    ck_abort_msg("never said: %s\n%.2000s", text == NULL ? "anything" : text,
                 buf_text(&thread));
}

static void
await_once(const char *text)
{
    await(text, 0);
    ck_assert_msg(count(text) == 1, "more than once: \"%s\"\n%.2000s", text,
                  buf_text(&thread));
}

/* ---- people -------------------------------------------------------------- */

static void
post(const char *who, const char *text)
{
    const char *const words[] = {"post", "-c", config, "--as", who, text, NULL};
    ck_assert_msg(scene_run(&scene, NULL, words) == 0, "%s: %s: %s", who, text,
                  buf_text(&scene.said));
}

/* Somebody whose own clock is ahead of the host's. */
static void
post_ahead(const char *who, const char *text, int64_t ahead)
{
    char clock[sizeof scene.clock];
    memcpy(clock, scene.clock, sizeof clock);
    (void)snprintf(scene.clock, sizeof scene.clock, "%s/ahead", scene.folder);
    scene_shift(&scene, shift + ahead);
    post(who, text);
    memcpy(scene.clock, clock, sizeof clock);
}

/* The host has read all there is: it has answered. */
static void
await_answer(void)
{
    static unsigned asked;
    char name[16];
    char answer[32];
    (void)snprintf(name, sizeof name, "Guest%u", ++asked);
    (void)snprintf(answer, sizeof answer, "[mention=%s]", name);
    post(name, "!join");
    await_once(answer);
}

/* ---- the host ------------------------------------------------------------ */

static void
start_host(void)
{
    const char *const words[] = {"run", "-c", config, NULL};
    host = scene_start(&scene, NULL, words);
}

static void
stop_host(int signal)
{
    ck_assert_int_eq(kill(host, signal), 0);
    ck_assert_int_eq(scene_wait(host), signal == SIGKILL ? -SIGKILL : 0);
}

/* A table of five, up to the first nomination. */
static void
set_up(void)
{
    struct buf why = BUF_INIT;
    scene_set(&scene);
    shift = 0;
    let_pass(0);
    (void)snprintf(config, sizeof config, "%s/placard.cfg", scene.folder);
    ck_assert(file_write(config, settings, strlen(settings), 0600, &why) ==
              ERR_NONE);
    start_host();
    post("Mo", "!new players=5");
    for (unsigned i = 0; i < PLAYERS; i++) {
        post(people[i], "!join");
    }
    await_once("[b]Round 1[/b] · Candidate");
}

static void
tear_down(void)
{
    scene_strike(&scene);
    buf_release(&thread);
    buf_release(&all);
    buf_release(&twice);
}

/* It stops when it is told to, and the record is legal. */
static void
end_well(void)
{
    char path[128];
    const char *const export[] = {"record", "-c", config, "1",
                                  "--host", "-o", path,   NULL};
    const char *const verify[] = {"verify", path, NULL};
    await_answer();
    stop_host(SIGTERM);
    (void)snprintf(path, sizeof path, "%s/game.jsonl", scene.folder);
    ck_assert_int_eq(scene_run(&scene, NULL, export), 0);
    ck_assert_msg(scene_run(&scene, NULL, verify) == 0, "%s",
                  buf_text(&scene.said));
}

/* ---- the table ----------------------------------------------------------- */

/* Whose name stands first behind the last text of this kind. */
static const char *
named_after(const char *text)
{
    const char *found = NULL;
    read_board();
    for (const char *at = buf_text(&thread); (at = strstr(at, text)) != NULL;) {
        at += strlen(text);
        found = at;
    }
    ck_assert_ptr_nonnull(found);
    for (unsigned i = 0; i < PLAYERS; i++) {
        if (strncmp(found, people[i], strlen(people[i])) == 0) {
            return people[i];
        }
    }
    ck_abort_msg("nobody: %.100s", found);
    return NULL;
}

/* The candidate names the first who is possible. */
static void
nominate(void)
{
    unsigned before = count("shall President");
    const char *candidate = named_after("Candidate for president: [mention=");
    char text[32];
    (void)snprintf(text, sizeof text, "[b]%s[/b]", named_after("Possible: "));
    post(candidate, text);
    await("shall President", before);
}

/* All vote Ja; the dead vote too, and are not counted. */
static void
elect(void)
{
    unsigned before = count("[b]Elected[/b]");
    for (unsigned i = 0; i < PLAYERS; i++) {
        post(people[i], "[b]Ja![/b]");
    }
    await("[b]Elected[/b]", before);
}

static bool
is_over(void)
{
    read_board();
    return count("The game is over") > 0;
}

/* ---- jumps --------------------------------------------------------------- */

static const int64_t jumps[] = {HOUR_MS, DAY_MS, 3653 * DAY_MS};

enum {
    JUMPS = sizeof jumps / sizeof jumps[0]
};

START_TEST(after_a_jump_the_deadline_fires_once_and_the_game_goes_on)
{
    let_pass(jumps[_i]);
    await_once("[b]Round 2[/b] · Candidate");
    await_answer();
    ck_assert_uint_eq(count("[b]Round 3[/b]"), 0);
    nominate();
    let_pass(jumps[_i]);
    await_once("[b]Round 3[/b] · Candidate");
    await_answer();
    ck_assert_uint_eq(count("[b]Round 4[/b]"), 0);
    end_well();
}
END_TEST

START_TEST(a_clock_that_is_set_back_delays_nothing_but_deadlines)
{
    let_pass(-jumps[_i]);
    nominate();
    await_answer();
    ck_assert_uint_eq(count("[b]Round 2[/b]"), 0);
    elect();
    await_answer();
    ck_assert_uint_eq(count("lots"), 0);
    /* It is set right again: the president's time is over, once. */
    let_pass(jumps[_i] + 36 * MINUTE_MS);
    await_once("lots");
    await_answer();
    ck_assert_uint_eq(count("lots"), 1);
    end_well();
}
END_TEST

START_TEST(a_jump_there_and_back_doubles_nothing)
{
    let_pass(jumps[_i]);
    await_once("[b]Round 2[/b] · Candidate");
    let_pass(-jumps[_i]);
    nominate();
    await_answer();
    elect();
    await_answer();
    ck_assert_uint_eq(count("[b]Round 3[/b]"), 0);
    end_well();
}
END_TEST

static const int ends[] = {SIGTERM, SIGKILL};

START_TEST(while_no_host_runs_the_clock_may_jump_as_well)
{
    int64_t jump = jumps[_i % JUMPS];
    int end = ends[_i / JUMPS];
    stop_host(end);
    let_pass(jump);
    start_host();
    await_once("[b]Round 2[/b] · Candidate");
    await_answer();
    stop_host(end);
    let_pass(-jump);
    start_host();
    nominate();
    await_answer();
    ck_assert_uint_eq(count("[b]Round 3[/b]"), 0);
    elect();
    end_well();
}
END_TEST

/* The board is as late as its newest post; but that is not believed before as
 * much time has passed here. */
START_TEST(a_board_that_is_ahead_ends_no_time)
{
    post_ahead("Mo", "Good morning!", jumps[_i]);
    post_ahead("Mo", "Is anybody there?", jumps[_i] + MINUTE_MS);
    let_pass(MINUTE_MS);
    read_board();
    ck_assert_uint_eq(count("[b]Round 2[/b]"), 0);
    let_pass(jumps[_i]);
    await_once("[b]Round 2[/b] · Candidate");
    ck_assert_uint_eq(count("[b]Round 3[/b]"), 0);
    end_well();
}
END_TEST

/* In every question the clock jumps ahead, and often back: two governments of
 * three are elected, and all else is left to its deadline. */
START_TEST(a_game_among_jumps_comes_to_its_end)
{
    int64_t back = 0;
    unsigned rounds = 1;
    for (unsigned step = 0; !is_over(); step++) {
        unsigned before = posts;
        ck_assert_uint_lt(step, STEPS_MAX);
        let_pass(back + jumps[step % JUMPS]);
        await(NULL, before);
        back = step % 2 == 0 ? jumps[step / 2 % JUMPS] : 0;
        let_pass(-back);
        await_answer();
        unsigned calls = count("· Candidate for president");
        ck_assert_uint_le(calls, rounds + 1);
        if (calls > rounds && calls % 3 != 0) {
            nominate();
            elect();
        }
        rounds = calls;
    }
    end_well();
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("sim/clock");
    TCase *tcase = tcase_create("clock");
    tcase_set_timeout(tcase, 600);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(
        tcase, after_a_jump_the_deadline_fires_once_and_the_game_goes_on, 0,
        JUMPS);
    tcase_add_loop_test(
        tcase, a_clock_that_is_set_back_delays_nothing_but_deadlines, 0, JUMPS);
    tcase_add_loop_test(tcase, a_jump_there_and_back_doubles_nothing, 0, JUMPS);
    tcase_add_loop_test(tcase, while_no_host_runs_the_clock_may_jump_as_well, 0,
                        2 * JUMPS);
    tcase_add_loop_test(tcase, a_board_that_is_ahead_ends_no_time, 0, JUMPS);
    tcase_add_test(tcase, a_game_among_jumps_comes_to_its_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
