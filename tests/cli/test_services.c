/*
 * The real program and a service in this process: check and run, with accounts,
 * tokens and passwords, and what becomes of these.
 *
 * The program is build/tests/support/placard, whose only difference is that it
 * knows the service of tests/support/made_up.h.  Nothing sleeps: the test waits
 * for requests and for lines of output.  Where the program pauses before it
 * asks again, its clock is moved on until it does.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/base/files.h"
#include "tests/base/scratch.h"
#include "tests/support/httpd.h"
#include "tests/support/runner.h"
#include "tests/support/scenario.h"

#define TOKEN    "canary-T0ken-in-the-mine"
#define PASSWORD "canary-P4ssword-in-the-mine"
#define LOGGED   "canary-T0ken-by-password"

enum {
    PATIENCE_MS = 600000,
    STEP_MS = 1000, /* of a clock that is moved on */
    QUIET_MS = 20   /* how long nothing has come by then */
};

static struct httpd *server;
static struct buf why;

/* The program, and what it has said on both outputs. */
static struct {
    pid_t process;
    int output; /* -1: at its end */
    struct buf said;
    struct scenario clock; /* by which it goes, if that is moved on */
    int64_t ahead;         /* ms; 0: it is not moved */
    const char *form;      /* of its log; NULL: not said */
} run;

/* ---- files --------------------------------------------------------------- */

static void
put(const char *name, const char *text, unsigned mode)
{
    const char *path = scratch_path(name);

    ck_assert_int_eq(file_write(path, text, strlen(text), mode, &why),
                     ERR_NONE);
    ck_assert_int_eq(chmod(path, mode), 0);
}

/* A configuration: one service, by the lines of its block, and places. */
static void
configure(const char *account, const char *places)
{
    struct buf text = BUF_INIT;

    buf_addf(&text,
             "services = ( { name = \"loft\"; kind = \"made_up\";\n"
             "  url = \"%s\"; %s } );\nplaces = ( %s );\n",
             httpd_url(server), account, places);
    put("placard.cfg", buf_text(&text), 0644);
    buf_release(&text);
}

#define CLUB                                                                   \
    "{ name = \"club\"; service = \"loft\"; address = \"room 1\"; "            \
    "moderators = [ \"Mo\" ]; }"
#define WITH_TOKEN    "token_file = \"token\";"
#define WITH_PASSWORD "token_file = \"password\"; user = \"host\";"

/* ---- the program --------------------------------------------------------- */

static void
become(const char *command, int output)
{
    char beside[] = TEST_PROGRAM;
    char program[512];

    snprintf(program, sizeof(program), "%s/tests/support/placard",
             dirname(beside));
    int nothing = open("/dev/null", O_RDONLY);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(output, STDOUT_FILENO);
    (void)dup2(output, STDERR_FILENO);
    (void)setenv("PLACARD_DATA", "config", 1);
    (void)unsetenv("http_proxy");
    (void)alarm(1200);
    scenario_set_clock(&run.clock);
    (void)execl(program, "placard", command, "-c", scratch_path("placard.cfg"),
                run.form == NULL ? NULL : "--log", run.form, (char *)NULL);
    fprintf(stderr, "%s is not there: `make test` builds it\n", program);
    _exit(126);
}

static void
start(const char *command)
{
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    buf_clear(&run.said);
    run.process = fork();
    ck_assert_int_ge(run.process, 0);
    if (run.process == 0) {
        (void)close(ends[0]);
        become(command, ends[1]);
    }
    (void)close(ends[1]);
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    run.output = ends[0];
}

static void
read_output(void)
{
    char chunk[4096];
    ssize_t got = 1;

    while (run.output >= 0 && got > 0) {
        got = read(run.output, chunk, sizeof(chunk));
        if (got > 0) {
            buf_add(&run.said, chunk, (size_t)got);
        } else if (got == 0) {
            (void)close(run.output);
            run.output = -1;
        }
    }
}

/* From the program's start on its pauses are cut short. */
static void
hurry(void)
{
    snprintf(run.clock.clock, sizeof(run.clock.clock), "%s",
             scratch_path("clock"));
    run.ahead = STEP_MS;
    scenario_shift(&run.clock, run.ahead);
}

/* Wait for a request or a line, and take in what there is. */
static void
turn(void)
{
    struct pollfd doors[2] = {
        {.fd = httpd_descriptor(server), .events = POLLIN},
        {.fd = run.output, .events = POLLIN}};
    int ready = poll(doors, 2, run.ahead > 0 ? QUIET_MS : PATIENCE_MS);

    while (ready == 0 && run.ahead > 0 && run.ahead < PATIENCE_MS) {
        run.ahead += STEP_MS;
        scenario_shift(&run.clock, run.ahead);
        ready = poll(doors, 2, QUIET_MS);
    }
    ck_assert_msg(ready > 0, "nothing comes; so far: %s", buf_text(&run.said));
    httpd_work(server, 0);
    read_output();
}

static void
until_said(const char *text)
{
    while (strstr(buf_text(&run.said), text) == NULL) {
        ck_assert_msg(run.output >= 0, "it has ended: %s", buf_text(&run.said));
        turn();
    }
}

/* The next request.  A host asks what it may do whenever it has found a place:
 * where the test waits for something else, that is answered here. */
static struct httpd_request *
next_request(const char *wanted)
{
    for (;;) {
        struct httpd_request *request = httpd_next(server);
        const char *target = request == NULL ? "" : buf_text(&request->target);

        if (request == NULL) {
            ck_assert_msg(run.output >= 0, "it has ended: %s",
                          buf_text(&run.said));
            turn();
        } else if (strncmp(target, "/probe?", 7) == 0 &&
                   strcmp(target, wanted) != 0) {
            httpd_answer(request, 200, "", "511\n");
        } else {
            return request;
        }
    }
}

/* The next request, which must be this one. */
static struct httpd_request *
arrive(const char *method, const char *target)
{
    struct httpd_request *request = next_request(target);

    ck_assert_msg(strcmp(request->method, method) == 0 &&
                      strcmp(buf_text(&request->target), target) == 0,
                  "%s %s, not %s %s; said: %s", request->method,
                  buf_text(&request->target), method, target,
                  buf_text(&run.said));
    return request;
}

static void
answer(const char *method, const char *target, const char *body)
{
    httpd_answer(arrive(method, target), 200, "", body);
}

/* The exit code of the program, once it has ended. */
static int
ended(void)
{
    int status = 0;

    while (run.output >= 0) {
        turn();
    }
    ck_assert_int_eq(waitpid(run.process, &status, 0), run.process);
    run.process = 0;
    ck_assert_msg(WIFEXITED(status), "%s", buf_text(&run.said));
    return WEXITSTATUS(status);
}

static int
stop(void)
{
    ck_assert_int_eq(kill(run.process, SIGTERM), 0);
    return ended();
}

static void
set_up(void)
{
    scratch_make();
    server = httpd_new();
    run.process = 0;
    run.output = -1;
    run.ahead = 0;
    run.clock.clock[0] = '\0';
    put("token", TOKEN "\n", 0600);
    put("password", PASSWORD "\n", 0600);
    configure(WITH_TOKEN, CLUB);
}

static void
tear_down(void)
{
    if (run.process > 0) {
        (void)kill(run.process, SIGKILL);
        (void)waitpid(run.process, NULL, 0);
    }
    if (run.output >= 0) {
        (void)close(run.output);
    }
    httpd_free(server);
    buf_release(&run.said);
    buf_release(&why);
    scratch_remove();
}

static void
assert_said(const char *text)
{
    ck_assert_msg(strstr(buf_text(&run.said), text) != NULL, "%s",
                  buf_text(&run.said));
}

/* How often a text was said. */
static unsigned
count_said(const char *text)
{
    unsigned count = 0;
    const char *at = strstr(buf_text(&run.said), text);

    for (; at != NULL; at = strstr(at + 1, text)) {
        count++;
    }
    return count;
}

/* ---- check --------------------------------------------------------------- */

START_TEST(check_tells_account_rights_lengths_and_what_to_change)
{
    configure(WITH_TOKEN, CLUB ", { name = \"hall\"; service = \"loft\"; "
                               "address = \"room 2\"; }");
    start("check");
    answer("GET", "/who", "@host:loft");
    answer("GET", "/place?room%201", "!1");
    answer("GET", "/probe?%211",
           "11\n20\n300\nLet it edit its posts.\nLet it pin.");
    answer("GET", "/user?Mo", "Mo The Moderator");
    answer("GET", "/place?room%202", "!2");
    answer("GET", "/probe?%212", "1023\n");
    ck_assert_int_eq(ended(), 0);
    assert_said("service loft: account @host:loft\n"
                "place club (loft)\n"
                "  may:     read, post, send private messages\n"
                "  may not: edit its posts, react, "
                "delete posts, pin, upload, lock posts, open threads\n"
                "  posts:   20 to 300 characters\n"
                "  short:   a command alone, such as `!why`, is too short "
                "there: people add a few words, on its line or the next\n"
                "  names:   in bold; people have no colour there\n"
                "  change:  Let it edit its posts.\n"
                "  change:  Let it pin.\n"
                "  moderator Mo (The Moderator)\n"
                "place hall (loft)\n"
                "  may:     read, post, edit its posts, send private messages, "
                "react, delete posts, pin, upload, lock posts, open threads\n");
    assert_said("  posts:   2 to 5000 characters\n");
}
END_TEST

START_TEST(check_says_which_settings_do_nothing_there)
{
    static const char words[] = "min_account_age does nothing there";

    configure(
        WITH_TOKEN,
        "{ name = \"club\"; service = \"loft\"; "
        "address = \"1\"; min_account_age = \"9d\"; "
        "join_roles = [ \"7\" ]; moderator_role = \"@Mods\"; "
        "recruit = \"7\"; gallery = \"on\"; }, { name = \"hall\"; service = \"loft\"; "
        "address = \"2\"; recruit = \"everybody\"; "
        "gallery = \"roles\"; }");
    start("check");
    answer("GET", "/who", "@host:loft");
    answer("GET", "/place?1", "!1");
    answer("GET", "/probe?%211", "511\n");
    answer("GET", "/place?2", "!2");
    answer("GET", "/probe?%212", "511\n");
    ck_assert_int_eq(ended(), 0);
    assert_said("can't notify a role there");
    assert_said("join_roles does nothing there");
    assert_said("moderator_role does nothing there");
    assert_said("can't notify everybody there");
    assert_said("so gallery does nothing");
    assert_said("gallery = \"roles\" only tells the executed the roles");
    assert_said(words);
    ck_assert_uint_eq(count_said(words), 1);
}
END_TEST

START_TEST(check_says_where_posts_were_to_be_locked_and_can_not_be)
{
    static const char words[] = "edits = \"lock\" does no more than";

    configure(WITH_TOKEN, "{ name = \"club\"; service = \"loft\"; "
                          "address = \"1\"; edits = \"lock\"; }, "
                          "{ name = \"hall\"; service = \"loft\"; "
                          "address = \"2\"; edits = \"lock\"; }");
    start("check");
    answer("GET", "/who", "@host:loft");
    answer("GET", "/place?1", "!1");
    answer("GET", "/probe?%211", "511\n");
    answer("GET", "/place?2", "!2");
    answer("GET", "/probe?%212", "255\n");
    ck_assert_int_eq(ended(), 0);
    assert_said(words);
    ck_assert_uint_eq(count_said(words), 1);
}
END_TEST

START_TEST(check_asks_a_service_that_refuses_once_and_none_of_its_places)
{
    configure(WITH_TOKEN,
              CLUB ", { name = \"hall\"; service = \"loft\"; address = \"2\"; "
                   "}, { name = \"here\"; service = \"board\"; }");
    start("check");
    httpd_answer(arrive("GET", "/who"), 401, "",
                 "no such token: " TOKEN " \033[31m");
    ck_assert_int_eq(ended(), 1);
    assert_said("placard: service \"loft\": loft: status 401: no such token: "
                "************************  [31m; put the right token into ");
    assert_said("place here (board)\n  may:     read");
    ck_assert_uint_eq(httpd_count(server), 1);
}
END_TEST

START_TEST(check_says_of_a_place_what_is_wrong_and_goes_on)
{
    configure(WITH_TOKEN,
              CLUB ", { name = \"hall\"; service = \"loft\"; address = \"2\"; "
                   "}");
    start("check");
    answer("GET", "/who", "me");
    httpd_answer(arrive("GET", "/place?room%201"), 404, "", "no such room");
    answer("GET", "/user?Mo", "Mo");
    answer("GET", "/place?2", "!2");
    answer("GET", "/probe?%212", "1\n");
    ck_assert_int_eq(ended(), 1);
    assert_said(
        "placard: place \"club\": loft: status 404: no such room; look at "
        "the place's address\n");
    assert_said("place hall (loft)\n  may:     read\n");
}
END_TEST

/* What the service says of a place, and what comes of it. */
static const struct {
    const char *place, *rights;
    int code;
    const char *said;
} verdicts[] = {
    {"", "1023", 0, "open threads\n"},
    {"", "1022", 1, "no game can be hosted there, for the bot may not read\n"},
    {"", "1021", 1, "for the bot may not post\n"},
    {"", "1013", 1, "for the bot may not post, send private messages\n"},
    {"", "0", 1, "for the bot may not read, post, send private messages\n"},
    /* It needs a thread only where the service has them and games want them. */
    {"", "511", 0, "may not: open threads"},
};

START_TEST(check_fails_where_no_game_can_be_hosted)
{
    struct buf place = BUF_INIT;

    buf_addf(&place,
             "{ name = \"club\"; service = \"loft\"; address = \"1\"; %s}",
             verdicts[_i].place);
    configure(WITH_TOKEN, buf_text(&place));
    start("check");
    answer("GET", "/who", "@host:loft");
    answer("GET", "/place?1", "!1");
    answer("GET", "/probe?%211", verdicts[_i].rights);
    ck_assert_int_eq(ended(), verdicts[_i].code);
    assert_said(verdicts[_i].said);
    buf_release(&place);
}
END_TEST

#define HOUSE(more)                                                            \
    "{ name = \"club\"; service = \"loft\"; address = \"1\"; " more " }"

/* Run check as far as the people of a place. */
static void
check_until_people(const char *place)
{
    configure(WITH_TOKEN, place);
    start("check");
    answer("GET", "/who", "@host:loft");
    answer("GET", "/place?1", "!1");
    answer("GET", "/probe?%211", "1023");
}

START_TEST(check_shows_each_moderator_and_says_who_is_none)
{
    check_until_people(
        HOUSE("moderators = [ \"Mo\", \"Anna\", \"Nobody\", \"Ben\" ];"));
    answer("GET", "/user?Mo", "Mo The Moderator");
    answer("GET", "/user?Anna", "@7 Anna");
    httpd_answer(arrive("GET", "/user?Nobody"), 404, "", "who?");
    httpd_answer(arrive("GET", "/user?Ben"), 503, "", "busy");
    ck_assert_int_eq(ended(), 1);
    assert_said("  moderator Mo (The Moderator)\n");
    assert_said("placard: place \"club\": moderator \"Anna\": is no id there; "
                "that of Anna is \"@7\": write that\n");
    assert_said("placard: place \"club\": moderator \"Nobody\": loft: status "
                "404: who?\n");
    assert_said("  moderator Ben (not looked up)\n");
}
END_TEST

START_TEST(check_that_can_not_look_people_up_is_content)
{
    check_until_people(HOUSE("moderators = [ \"Ben\" ];"));
    httpd_answer(arrive("GET", "/user?Ben"), 503, "", "busy");
    ck_assert_int_eq(ended(), 0);
}
END_TEST

START_TEST(check_looks_whether_moderators_can_be_written_to)
{
    check_until_people(HOUSE("moderators_talk = \"2\";"));
    answer("GET", "/place?2", "!2");
    answer("GET", "/probe?%212", "1023");
    ck_assert_int_eq(ended(), 0);
    assert_said("  moderators talk in !2\n");
    check_until_people(HOUSE("moderators_talk = \"2\";"));
    answer("GET", "/place?2", "!2");
    answer("GET", "/probe?%212", "1");
    ck_assert_int_eq(ended(), 1);
    assert_said("moderators_talk \"2\": the bot may not read or post there\n");
    check_until_people(HOUSE("moderators_talk = \"2\";"));
    httpd_answer(arrive("GET", "/place?2"), 404, "", "no such room");
    ck_assert_int_eq(ended(), 1);
    assert_said("moderators_talk \"2\": loft: status 404: no such room\n");
}
END_TEST

START_TEST(check_takes_no_word_of_its_own_for_the_password)
{
    put("password", "right\n", 0600);
    configure(WITH_PASSWORD, CLUB);
    start("check");
    httpd_answer(arrive("POST", "/login"), 401, "", "right is wrong");
    ck_assert_int_eq(ended(), 1);
    assert_said(
        "loft: status 401: ***** is wrong; put the right password into");
}
END_TEST

START_TEST(check_advises_no_other_password_where_a_captcha_stands)
{
    configure(WITH_PASSWORD, CLUB);
    start("check");
    httpd_answer(arrive("POST", "/login"), 403, "", "pass the captcha");
    ck_assert_int_eq(ended(), 1);
    assert_said("loft: status 403: pass the captcha\n");
}
END_TEST

/* One service, by its kind, with a password. */
static void
configure_with_password(const char *kind)
{
    struct buf text = BUF_INIT;

    buf_addf(&text,
             "services = ( { name = \"loft\"; kind = \"%s\";\n  url = "
             "\"%s\"; " WITH_PASSWORD " } );\nplaces = ( " CLUB " );\n",
             kind, httpd_url(server));
    put("placard.cfg", buf_text(&text), 0644);
    buf_release(&text);
}

/* Once a check has logged in well, and the host has a session. */
static void
check_twice(const char *kind)
{
    configure_with_password(kind);
    for (int i = 0; i < 2; i++) {
        start(i == 0 ? "run" : "check");
        answer("POST", "/login", "a-session");
        answer("GET", "/place?room%201", "!1");
        if (i == 0) {
            (void)arrive("GET", "/feed");
            ck_assert_int_eq(stop(), 0);
        }
    }
    answer("GET", "/probe?%211", "1023\n");
    answer("GET", "/user?Mo", "Mo");
    ck_assert_int_eq(ended(), 0);
}

START_TEST(check_finds_the_embedded_board_fit_to_play_at)
{
    struct buf text = BUF_INIT;

    buf_addf(&text,
             "board = \"%s\";\n"
             "places = ( { name = \"parlour\"; service = \"board\"; } );\n",
             scratch_path("board.db"));
    put("placard.cfg", buf_text(&text), 0644);
    start("check");
    ck_assert_int_eq(ended(), 0);
    assert_said("  may:     read, post, edit its posts, send private messages, "
                "react, delete posts, open threads\n");
    buf_release(&text);
}
END_TEST

START_TEST(check_logs_in_anew_where_the_host_has_a_session)
{
    check_twice("made_up_session");
    put("password", "mistyped-one\n", 0600);
    start("check");
    httpd_answer(arrive("POST", "/login"), 401, "", "wrong");
    ck_assert_int_eq(ended(), 1);
    assert_said("put the right password into");
    /* The session of the host is as it was. */
    start("run");
    answer("GET", "/who", "host");
    answer("GET", "/place?room%201", "!1");
    (void)arrive("GET", "/feed");
    ck_assert_int_eq(stop(), 0);
}
END_TEST

START_TEST(a_token_that_was_copied_with_a_word_before_it_is_one)
{
    put("token", "Bot " TOKEN "\n", 0600);
    start("check");
    struct httpd_request *who = arrive("GET", "/who");
    ck_assert_ptr_nonnull(strstr(buf_text(&who->headers), ": Key " TOKEN "\n"));
    httpd_answer(who, 401, "", "no");
    ck_assert_int_eq(ended(), 1);
}
END_TEST

START_TEST(check_says_that_nobody_is_there)
{
    struct httpd *there = server;

    server = httpd_new();
    configure(WITH_TOKEN, CLUB);
    httpd_free(server);
    server = there;
    start("check");
    ck_assert_int_eq(ended(), 1);
    assert_said("placard: service \"loft\": loft: no answer: 127.0.0.1 can't "
                "be reached; it is down, or elsewhere; try again later\n");
}
END_TEST

START_TEST(check_refuses_a_token_that_others_may_read)
{
    put("token", TOKEN, 0644);
    start("check");
    ck_assert_int_eq(ended(), 2);
    assert_said("placard.cfg:2: services[0].token_file: others may read ");
    assert_said("; type: chmod 600 ");
    ck_assert_uint_eq(httpd_count(server), 0);
}
END_TEST

START_TEST(check_logs_in_once_and_the_host_goes_on_with_that)
{
    configure(WITH_PASSWORD, CLUB);
    start("check");
    struct httpd_request *login = arrive("POST", "/login");
    ck_assert_str_eq(buf_text(&login->body), "host\n" PASSWORD);
    httpd_answer(login, 200, "", LOGGED);
    struct httpd_request *place = arrive("GET", "/place?room%201");
    struct buf value = BUF_INIT;
    ck_assert(httpd_header(place, "authorization", &value));
    ck_assert_str_eq(buf_text(&value), "Key " LOGGED);
    httpd_answer(place, 200, "", "!1");
    answer("GET", "/probe?%211", "1023\n");
    answer("GET", "/user?Mo", "Mo");
    ck_assert_int_eq(ended(), 0);

    start("run");
    struct httpd_request *who = arrive("GET", "/who");
    buf_clear(&value);
    ck_assert(httpd_header(who, "authorization", &value));
    ck_assert_str_eq(buf_text(&value), "Key " LOGGED);
    httpd_answer(who, 200, "", "host");
    answer("GET", "/place?room%201", "!1");
    (void)arrive("GET", "/feed");
    /* And a check beside it does not log in either. */
    ck_assert_int_eq(stop(), 0);
    buf_release(&value);
}
END_TEST

/* ---- run ----------------------------------------------------------------- */

/* Host, as far as the first long poll. */
static struct httpd_request *
host(void)
{
    start("run");
    answer("GET", "/who", "host");
    answer("GET", "/place?room%201", "!1");
    return arrive("GET", "/feed");
}

/* The next request that is not a long poll: that one stays open. */
static struct httpd_request *
arrive_beside_polls(const char *method, const char *begins)
{
    struct httpd_request *request = NULL;

    do {
        request = next_request(begins);
    } while (strncmp(buf_text(&request->target), "/feed", 5) == 0);
    ck_assert_str_eq(request->method, method);
    ck_assert_msg(strncmp(buf_text(&request->target), begins, strlen(begins)) ==
                      0,
                  "%s", buf_text(&request->target));
    return request;
}

START_TEST(the_host_answers_what_is_posted_and_ends_while_it_listens)
{
    struct httpd_request *poll = host();

    httpd_answer(poll, 200, "",
                 "c1\n1700000009000\n7 !1 Mo 1700000000000 !new\n");
    httpd_answer(arrive_beside_polls("POST", "/posts?%211&"), 200, "", "p1");
    ck_assert_int_eq(stop(), 0);
}
END_TEST

/* Start a host at two services of a kind. */
static void
start_at_two(const struct httpd *other)
{
    struct buf text = BUF_INIT;

    put("second", "second-token", 0600);
    buf_addf(&text,
             "services = (\n"
             "  { name = \"one\"; kind = \"made_up\"; url = \"%s\";\n"
             "    token_file = \"token\"; },\n"
             "  { name = \"two\"; kind = \"made_up\"; url = \"%s\";\n"
             "    token_file = \"second\"; } );\n"
             "places = (\n"
             "  { name = \"a\"; service = \"one\"; address = \"room\"; },\n"
             "  { name = \"b\"; service = \"two\"; address = \"room\"; } );"
             "\n",
             httpd_url(server), httpd_url(other));
    put("placard.cfg", buf_text(&text), 0644);
    buf_release(&text);
    start("run");
}

START_TEST(two_services_of_a_kind_are_hosted_side_by_side)
{
    struct httpd *other = httpd_new();
    struct httpd *first = server;
    struct buf value = BUF_INIT;

    start_at_two(other);
    for (int i = 0; i < 2; i++) {
        server = i == 0 ? first : other;
        struct httpd_request *who = arrive("GET", "/who");
        buf_clear(&value);
        ck_assert(httpd_header(who, "authorization", &value));
        ck_assert_str_eq(buf_text(&value),
                         i == 0 ? "Key " TOKEN : "Key second-token");
        httpd_answer(who, 200, "", "host");
        answer("GET", "/place?room", "!1");
        httpd_answer(arrive("GET", "/feed"), 200, "",
                     "c1\n1700000009000\n7 !1 Mo 1700000000000 !new\n");
        /* The same post id, place and person as at the other. */
        httpd_answer(arrive_beside_polls("POST", "/posts?%211&"), 200, "",
                     "p1");
    }
    ck_assert_int_eq(stop(), 0);
    server = first;
    httpd_free(other);
    buf_release(&value);
}
END_TEST

START_TEST(an_account_that_is_refused_stops_no_other)
{
    struct httpd *other = httpd_new();
    struct httpd *first = server;

    start_at_two(other);
    httpd_answer(arrive("GET", "/who"), 401, "", "no such token");
    until_said("it is asked again and again\n");
    server = other;
    answer("GET", "/who", "host");
    answer("GET", "/place?room", "!1");
    httpd_answer(arrive("GET", "/feed"), 200, "",
                 "c1\n1700000009000\n7 !1 Mo 1700000000000 !new\n");
    httpd_answer(arrive_beside_polls("POST", "/posts?%211&"), 200, "", "p1");
    ck_assert_int_eq(stop(), 0);
    server = first;
    httpd_free(other);
}
END_TEST

START_TEST(a_service_that_is_down_is_asked_again_and_told_of_once)
{
    hurry();
    start("run");
    httpd_answer(arrive("GET", "/who"), 503, "", "in repair");
    httpd_answer(arrive("GET", "/who"), 503, "", "in repair");
    answer("GET", "/who", "host");
    until_said("loft: answers now\n");
    answer("GET", "/place?room%201", "!1");
    ck_assert_int_eq(stop(), 0);
    assert_said("warning: loft: status 503: in repair; it is asked again and "
                "again\n");
    ck_assert_uint_eq(count_said("503"), 1);
}
END_TEST

START_TEST(a_log_of_json_names_the_service_and_the_place)
{
    hurry();
    run.form = "json";
    start("run");
    httpd_answer(arrive("GET", "/who"), 503, "", "in repair");
    answer("GET", "/who", "host");
    until_said("\"level\":\"info\",\"service\":\"loft\",\"text\":"
               "\"loft: answers now\"}\n");
    httpd_answer(arrive("GET", "/place?room%201"), 404, "", "no such room");
    until_said("\"level\":\"warning\",\"place\":\"club\",\"text\":");
    ck_assert_int_eq(stop(), 0);
    assert_said("{\"time\":\"");
    assert_said(
        "Z\",\"level\":\"warning\",\"service\":\"loft\",\"text\":"
        "\"loft: status 503: in repair; it is asked again and again\"}");
}
END_TEST

START_TEST(a_token_that_is_revoked_is_told_of_once_and_taken_anew_by_a_reload)
{
    struct buf value = BUF_INIT;
    struct httpd_request *poll = host();

    httpd_answer(poll, 401, "", "no such token");
    httpd_answer(arrive("GET", "/who"), 401, "", "no such token");
    until_said("/token, then reload (SIGHUP); it is asked again and again\n");
    assert_said("loft: status 401: no such token; put the right token into ");
    ck_assert_uint_eq(count_said("401"), 1);

    put("token", "another-one\n", 0600);
    ck_assert_int_eq(kill(run.process, SIGHUP), 0);
    struct httpd_request *who = arrive("GET", "/who");
    ck_assert(httpd_header(who, "authorization", &value));
    while (strcmp(buf_text(&value), "Key another-one") != 0) {
        /* It may just have been asked again. */
        httpd_answer(who, 401, "", "no such token");
        who = arrive("GET", "/who");
        buf_clear(&value);
        ck_assert(httpd_header(who, "authorization", &value));
    }
    httpd_answer(who, 200, "", "host");
    answer("GET", "/place?room%201", "!1");
    (void)arrive("GET", "/feed");
    ck_assert_int_eq(stop(), 0);
    buf_release(&value);
}
END_TEST

START_TEST(a_message_refused_for_the_tokens_sake_goes_when_that_is_mended)
{
    hurry();
    httpd_answer(host(), 200, "",
                 "c1\n1700000009000\n7 !1 Mo 1700000000000 !new\n");
    struct httpd_request *message = arrive_beside_polls("POST", "/posts?");
    httpd_answer(message, 401, "", "no such token");
    /* Nothing else is asked before the service has said who we are. */
    httpd_answer(arrive_beside_polls("GET", "/who"), 503, "", "in repair");
    httpd_answer(arrive_beside_polls("GET", "/who"), 200, "", "host");
    /* The same, with the same key; it is not looked for. */
    struct httpd_request *again = arrive_beside_polls("POST", "/posts?");
    ck_assert_str_eq(buf_text(&again->target), buf_text(&message->target));
    ck_assert_int_eq(stop(), 0);
    ck_assert_uint_eq(count_said("held"), 0);
}
END_TEST

START_TEST(a_reload_with_a_secret_that_can_not_be_had_changes_nothing)
{
    struct httpd_request *poll = host();

    put("token", TOKEN, 0644);
    ck_assert_int_eq(kill(run.process, SIGHUP), 0);
    until_said("hosting goes on with the old one\n");
    assert_said("services[0].token_file: others may read ");
    httpd_answer(poll, 200, "", "c1\n1\n");
    (void)arrive("GET", "/feed?c1");
    ck_assert_int_eq(stop(), 0);
}
END_TEST

START_TEST(with_a_password_the_host_logs_in_again_by_itself)
{
    struct buf value = BUF_INIT;

    configure(WITH_PASSWORD, CLUB);
    hurry();
    start("run");
    answer("POST", "/login", "first-token");
    answer("GET", "/place?room%201", "!1");
    httpd_answer(arrive("GET", "/feed"), 401, "", "no such token");
    httpd_answer(arrive("GET", "/who"), 401, "", "no such token");
    answer("POST", "/login", LOGGED);
    struct httpd_request *poll = arrive("GET", "/feed");
    ck_assert(httpd_header(poll, "authorization", &value));
    ck_assert_str_eq(buf_text(&value), "Key " LOGGED);
    ck_assert_int_eq(stop(), 0);
    ck_assert_uint_eq(count_said("401"), 0);
    buf_release(&value);
}
END_TEST

/* ---- another configuration ----------------------------------------------- */

#define HALL                                                                   \
    "{ name = \"hall\"; service = \"loft\"; address = \"room 2\"; "            \
    "moderators = [ \"Mo\" ]; }"

static void
reload(void)
{
    buf_clear(&run.said);
    ck_assert_int_eq(kill(run.process, SIGHUP), 0);
}

/* The host asks who it is, and where its so many places are, in any order (room
 * 1 is !1), and among that for so many messages that may have been sent. */
static void
find_rooms(unsigned places, unsigned messages)
{
    answer("GET", "/who", "host");
    while (places > 0 || messages > 0) {
        struct httpd_request *request = next_request("");
        const char *target = buf_text(&request->target);
        char id[] = "!0";

        if (messages > 0 && strncmp(target, "/find?", 6) == 0) {
            messages--;
            httpd_answer(request, 200, "", "");
            continue;
        }
        ck_assert_uint_gt(places, 0);
        ck_assert_msg(strncmp(target, "/place?room%20", 14) == 0, "%s", target);
        places--;
        id[1] = target[14];
        httpd_answer(request, 200, "", id);
    }
}

START_TEST(a_reload_takes_in_new_services_places_and_settings)
{
    struct buf text = BUF_INIT;
    struct httpd *first = server;
    struct httpd *other = httpd_new();

    configure(WITH_TOKEN, "{ name = \"club\"; service = \"loft\"; "
                          "address = \"room 1\"; election = \"2d\"; }");
    (void)host();
    put("second", "second-token\n", 0600);
    buf_addf(&text,
             "prefix = \"?\";\nelection = \"2d\";\nservices = (\n"
             "  { name = \"cellar\"; kind = \"made_up\"; url = \"%s\";\n"
             "    token_file = \"second\"; },\n"
             "  { name = \"loft\"; kind = \"made_up\"; url = \"%s\";\n"
             "    token_file = \"token\"; } );\n"
             "places = ( { name = \"vault\"; service = \"cellar\"; address = "
             "\"room 3\"; },\n  " HALL ",\n  " CLUB " );\n",
             httpd_url(other), httpd_url(server));
    put("placard.cfg", buf_text(&text), 0644);
    reload();
    find_rooms(2, 0);
    httpd_answer(arrive("GET", "/feed"), 200, "",
                 "c1\n1700000009000\n7 !1 Mo 1700000000000 !new\n"
                 "8 !2 Mo 1700000001000 ?new\n");
    httpd_answer(arrive_beside_polls("POST", "/posts?%212&"), 200, "", "p1");
    server = other;
    find_rooms(1, 0);
    (void)arrive("GET", "/feed");
    assert_said("hosting 3 places, 0 games on\n");
    assert_said("info: prefix = ? is new\n");
    /* It was in a place before. */
    assert_said("info: election = 2d is new\n");
    assert_said("info: places[0].election = 2d is gone\n");
    assert_said("info: services[0].name = loft is gone\n");
    assert_said("info: services[0].name = cellar is new\n");
    assert_said("info: places[1].moderators has Mo is new\n");
    ck_assert_uint_eq(count_said("kind = made_up is gone"), 0);
    ck_assert_int_eq(stop(), 0);
    server = first;
    httpd_free(other);
    buf_release(&text);
}
END_TEST

START_TEST(a_game_waits_while_a_reload_leaves_its_place_out)
{
    configure(WITH_TOKEN, CLUB ", " HALL);
    start("run");
    find_rooms(2, 0);
    httpd_answer(arrive("GET", "/feed"), 200, "",
                 "c1\n1700000009000\n7 !2 Mo 1700000000000 !new\n");
    (void)arrive_beside_polls("POST", "/posts?%212&"); /* under way */

    configure(WITH_TOKEN, CLUB);
    reload();
    find_rooms(1, 0);
    httpd_answer(arrive("GET", "/feed?c1"), 200, "", "c2\n1700000009001\n");
    struct httpd_request *poll = arrive("GET", "/feed?c2");
    assert_said("waits: its place \"hall\" is not in the configuration\n");
    assert_said("hosting 1 place, 0 games on\n");
    httpd_answer(poll, 200, "",
                 "c3\n1700000009002\n9 !2 Mo 1700000002000 !new\n");
    (void)arrive("GET", "/feed?c3"); /* nobody is answered there */

    configure(WITH_TOKEN, HALL ", " CLUB);
    reload();
    find_rooms(2, 1);
    httpd_answer(arrive_beside_polls("POST", "/posts?%212&"), 200, "", "p1");
    assert_said("hosting 2 places, 1 game on\n");
    ck_assert_int_eq(stop(), 0);
}
END_TEST

START_TEST(a_reload_with_a_mistake_in_the_configuration_changes_nothing)
{
    struct httpd_request *poll = host();

    configure(WITH_TOKEN, CLUB ", { name = \"hall\"; service = \"attic\"; }");
    reload();
    until_said("hosting goes on with the old one\n");
    assert_said("placard.cfg:3: places[1].service: there is no service "
                "\"attic\"");
    httpd_answer(poll, 200, "", "c1\n1\n");
    (void)arrive("GET", "/feed?c1");
    ck_assert_int_eq(stop(), 0);
}
END_TEST

START_TEST(where_a_reload_can_not_host_the_host_goes_back)
{
    struct buf text = BUF_INIT;

    (void)host();
    buf_addf(&text,
             "store = \"none/placard.db\";\nservices = ( { name = \"loft\"; "
             "kind = \"made_up\";\n  url = \"%s\"; token_file = \"second\"; } "
             ");\nplaces = ( " HALL " );\n",
             httpd_url(server));
    put("second", "second-token\n", 0600);
    put("placard.cfg", buf_text(&text), 0644);
    reload();
    until_said("hosting goes on with the old configuration\n");
    assert_said("none/placard.db");
    answer("GET", "/who", "host");
    answer("GET", "/place?room%201", "!1");
    (void)arrive("GET", "/feed");
    ck_assert_int_eq(stop(), 0);
    buf_release(&text);
}
END_TEST

/* ---- canaries ------------------------------------------------------------ */

/* Nothing of a file of /proc is a secret (unreadable is as good). */
static void
assert_clean_proc(const char *name)
{
    char path[64];
    char chunk[65536];

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)run.process, name);
    FILE *file = fopen(path, "r");
    size_t len = file == NULL ? 0 : fread(chunk, 1, sizeof(chunk), file);
    for (size_t i = 0; i + 6 <= len; i++) {
        ck_assert_msg(memcmp(chunk + i, "canary", 6) != 0, "%s: %.40s", path,
                      chunk + i);
    }
    if (file != NULL) {
        ck_assert_uint_gt(len, 0);
        (void)fclose(file);
    }
}

/* Nor is it in a file that the program has written. */
static void
assert_clean_files(const char *secret)
{
    struct buf command = BUF_INIT;

    buf_addf(&command, "grep -qa '%s' %s/*.db*", secret, scratch);
    ck_assert_int_ne(system(buf_text(&command)), 0);
    buf_release(&command);
}

static void
assert_clean_words(void)
{
    ck_assert_msg(count_said("canary") == 0, "%s", buf_text(&run.said));
}

/* What a service might echo. */
#define ECHO "authorization: Key " TOKEN ", user host, password " PASSWORD

START_TEST(no_secret_gets_out_of_a_host)
{
    bool password = _i == 1;
    struct httpd *other = httpd_new();
    struct buf elsewhere = BUF_INIT;

    buf_addf(&elsewhere, "Location: %s/login\n", httpd_url(other));
    ck_assert_int_eq(setenv("PLACARD_CANARY", password ? PASSWORD : TOKEN, 1),
                     0);
    configure(password ? "token_env = \"PLACARD_CANARY\"; user = \"host\";"
                       : "token_env = \"PLACARD_CANARY\";",
              CLUB);
    hurry();
    start("run");
    (void)unsetenv("PLACARD_CANARY");
    /* Nobody is followed to where the secret does not belong. */
    if (password) {
        httpd_answer(arrive("POST", "/login"), 307, buf_text(&elsewhere),
                     "echo: " PASSWORD);
        answer("POST", "/login", TOKEN);
    } else {
        httpd_answer(arrive("GET", "/who"), 307, buf_text(&elsewhere),
                     "echo: " TOKEN);
        answer("GET", "/who", "host");
    }
    assert_clean_proc("cmdline");
    assert_clean_proc("environ");
    httpd_answer(arrive("GET", "/place?room%201"), 403, "", "echo: " TOKEN);
    answer("GET", "/place?room%201", "!1");
    httpd_answer(arrive("GET", "/feed"), 500, "", "echo: " TOKEN);
    httpd_answer(arrive("GET", "/feed"), 401, "", "echo: " TOKEN);
    httpd_answer(arrive("GET", "/who"), 401, "", "echo: " TOKEN);
    if (password) {
        httpd_answer(arrive("POST", "/login"), 403, "", "echo: " PASSWORD);
    }
    until_said("; set the variable PLACARD_CANARY to the right ");
    assert_clean_proc("cmdline");
    assert_clean_proc("environ");
    ck_assert_int_eq(stop(), 0);
    assert_clean_words();
    assert_clean_files(PASSWORD);
    assert_clean_files(TOKEN);
    httpd_work(other, 0);
    ck_assert_ptr_null(httpd_next(other));
    httpd_free(other);
    buf_release(&elsewhere);
}
END_TEST

START_TEST(no_secret_gets_out_of_a_check)
{
    ck_assert_int_eq(setenv("PLACARD_CANARY", PASSWORD, 1), 0);
    configure("token_env = \"PLACARD_CANARY\"; user = \"host\";", CLUB);
    start("check");
    (void)unsetenv("PLACARD_CANARY");
    struct httpd_request *login = arrive("POST", "/login");
    assert_clean_proc("cmdline");
    assert_clean_proc("environ");
    httpd_answer(login, 200, "", TOKEN);
    httpd_answer(arrive("GET", "/place?room%201"), 403, "", ECHO);
    httpd_answer(arrive("GET", "/user?Mo"), 404, "", ECHO);
    ck_assert_int_eq(ended(), 1);
    assert_said("place \"club\"");
    assert_clean_words();
    assert_clean_files(PASSWORD);
    assert_clean_files(TOKEN);
}
END_TEST

START_TEST(no_core_is_left_of_a_host)
{
    char path[64];
    char limits[4096] = "";

    (void)host();
    snprintf(path, sizeof(path), "/proc/%d/limits", (int)run.process);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        ck_assert_uint_gt(fread(limits, 1, sizeof(limits) - 1, file), 0);
        (void)fclose(file);
        const char *core = strstr(limits, "Max core file size");
        ck_assert_ptr_nonnull(core);
        ck_assert_uint_eq(
            strtoul(core + strlen("Max core file size"), NULL, 10), 0);
    }
    ck_assert_int_eq(stop(), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("services");
    TCase *tcase = tcase_create("services");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase,
                   check_tells_account_rights_lengths_and_what_to_change);
    tcase_add_test(tcase, check_says_which_settings_do_nothing_there);
    tcase_add_test(tcase,
                   check_says_where_posts_were_to_be_locked_and_can_not_be);
    tcase_add_test(
        tcase, check_asks_a_service_that_refuses_once_and_none_of_its_places);
    tcase_add_test(tcase, check_says_of_a_place_what_is_wrong_and_goes_on);
    tcase_add_test(tcase, check_says_that_nobody_is_there);
    tcase_add_loop_test(tcase, check_fails_where_no_game_can_be_hosted, 0,
                        sizeof(verdicts) / sizeof(verdicts[0]));
    tcase_add_test(tcase, check_shows_each_moderator_and_says_who_is_none);
    tcase_add_test(tcase, check_that_can_not_look_people_up_is_content);
    tcase_add_test(tcase, check_looks_whether_moderators_can_be_written_to);
    tcase_add_test(tcase, check_takes_no_word_of_its_own_for_the_password);
    tcase_add_test(tcase,
                   check_advises_no_other_password_where_a_captcha_stands);
    tcase_add_test(tcase, check_finds_the_embedded_board_fit_to_play_at);
    tcase_add_test(tcase, check_logs_in_anew_where_the_host_has_a_session);
    tcase_add_test(tcase, a_token_that_was_copied_with_a_word_before_it_is_one);
    tcase_add_test(tcase, check_refuses_a_token_that_others_may_read);
    tcase_add_test(tcase, check_logs_in_once_and_the_host_goes_on_with_that);
    tcase_add_test(tcase,
                   the_host_answers_what_is_posted_and_ends_while_it_listens);
    tcase_add_test(tcase, two_services_of_a_kind_are_hosted_side_by_side);
    tcase_add_test(tcase, an_account_that_is_refused_stops_no_other);
    tcase_add_test(tcase,
                   a_service_that_is_down_is_asked_again_and_told_of_once);
    tcase_add_test(tcase, a_log_of_json_names_the_service_and_the_place);
    tcase_add_test(
        tcase,
        a_token_that_is_revoked_is_told_of_once_and_taken_anew_by_a_reload);
    tcase_add_test(tcase,
                   a_reload_with_a_secret_that_can_not_be_had_changes_nothing);
    tcase_add_test(
        tcase, a_message_refused_for_the_tokens_sake_goes_when_that_is_mended);
    tcase_add_test(tcase, with_a_password_the_host_logs_in_again_by_itself);
    tcase_add_test(tcase, a_reload_takes_in_new_services_places_and_settings);
    tcase_add_test(tcase, a_game_waits_while_a_reload_leaves_its_place_out);
    tcase_add_test(
        tcase, a_reload_with_a_mistake_in_the_configuration_changes_nothing);
    tcase_add_test(tcase, where_a_reload_can_not_host_the_host_goes_back);
    tcase_add_loop_test(tcase, no_secret_gets_out_of_a_host, 0, 2);
    tcase_add_test(tcase, no_secret_gets_out_of_a_check);
    tcase_add_test(tcase, no_core_is_left_of_a_host);
    suite_add_tcase(suite, tcase);
    return suite;
}
