/*
 * `placard setup` at a terminal, with the services of the tests over HTTP: what
 * somebody types, what is said to it, and the file that comes of it.
 *
 * Nothing sleeps: the test waits for what is shown and for requests.
 */
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "config/sample.h"
#include "tests/cli/command_line.h"
#include "tests/support/on_loopback.h"
#include "tests/support/runner.h"
#include "tests/support/terminal.h"

enum {
    PATIENCE_MS = 600000,
    TOO_LONG = 4200 /* and than a secret */
};

static struct httpd *server;
static struct terminal terminal;
static struct buf program, environment_data;

/* The service that is asked, of which there is one at a time. */
static struct discourse *discourse;
static struct nodebb *nodebb;
static struct phpbb *phpbb;
static struct fake_discord *fake_discord;
static struct homeserver *homeserver;
static struct fake_grants grants;
static bool granting; /* it has log-ins by a browser */

/* ---- the service --------------------------------------------------------- */

static void
answer_request(struct httpd_request *request)
{
    int64_t now = clock_now();

    if (discourse != NULL) {
        loopback_discourse(discourse, now, request);
    } else if (nodebb != NULL) {
        loopback_nodebb(nodebb, now, request);
    } else if (phpbb != NULL) {
        loopback_phpbb(phpbb, now, request);
    } else if (fake_discord != NULL) {
        loopback_discord(fake_discord, now, request);
    } else {
        loopback_matrix_with(homeserver, granting ? &grants : NULL, now,
                             request);
    }
}

static void
serve_matrix(void)
{
    homeserver = homeserver_new();
}

static void
serve_discord(void)
{
    fake_discord = fake_discord_new();
    (void)fake_discord_user(fake_discord, "Mo");
}

static void
serve_discourse(void)
{
    discourse = discourse_new();
    discourse_admit(discourse, "Mo");
}

static void
serve_nodebb(void)
{
    nodebb = nodebb_new();
}

static void
serve_phpbb(void)
{
    phpbb = phpbb_new();
    (void)phpbb_user(phpbb, "Mo");
}

/* ---- the terminal -------------------------------------------------------- */

static void
set_up(void)
{
    char here[PATH_MAX];

    command_line_set_up();
    ck_assert_ptr_nonnull(getcwd(here, sizeof(here)));
    buf_addf(&program, "%s/%s", TEST_PROGRAM[0] == '/' ? "" : here,
             TEST_PROGRAM);
    buf_addf(&environment_data, "PLACARD_DATA=%s/config", here);
    (void)unsetenv("http_proxy");
    server = httpd_new();
    terminal.screen = -1;
}

static void
tear_down(void)
{
    terminal_close(&terminal);
    httpd_free(server);
    buf_release(&program);
    buf_release(&environment_data);
    if (discourse != NULL) {
        discourse_free(discourse);
    }
    if (nodebb != NULL) {
        nodebb_free(nodebb);
    }
    if (phpbb != NULL) {
        phpbb_free(phpbb);
    }
    if (fake_discord != NULL) {
        fake_discord_free(fake_discord);
    }
    if (homeserver != NULL) {
        homeserver_free(homeserver);
    }
    command_line_tear_down();
}

static void
start(const char *command)
{
    const char *const words[] = {buf_text(&program), command, "-c",
                                 "placard.cfg", NULL};
    const char *const environment[] = {buf_text(&environment_data), "TERM=dumb",
                                       NULL};

    terminal_close(&terminal);
    terminal_open(&terminal, scratch, words, environment);
}

/* Wait for a request or for something to be shown, and take in what there is.
 */
static void
turn(void)
{
    struct pollfd doors[2] = {
        {.fd = httpd_descriptor(server), .events = POLLIN},
        {.fd = terminal.screen, .events = POLLIN}};
    struct httpd_request *request;

    ck_assert_msg(poll(doors, 2, PATIENCE_MS) > 0, "nothing comes; so far: %s",
                  buf_text(&terminal.seen));
    httpd_work(server, 0);
    while ((request = httpd_next(server)) != NULL) {
        if (!request->gone) {
            answer_request(request);
        }
    }
    while (terminal_work(&terminal)) {
    }
}

static void
until(const char *text)
{
    while (!terminal_has_shown(&terminal, text)) {
        ck_assert_msg(terminal.screen >= 0, "it has ended without \"%s\": %s",
                      text, buf_text(&terminal.seen));
        turn();
    }
}

static int
ended(void)
{
    while (terminal.screen >= 0) {
        turn();
    }
    return terminal_end(&terminal);
}

/* Wait for a question, and answer it. */
static void
answer(const char *question, const char *typed)
{
    until(question);
    terminal_type(&terminal, typed);
    terminal_type(&terminal, "\r");
}

static bool
is_shown(const char *text)
{
    return strstr(buf_text(&terminal.seen), text) != NULL;
}

static void
read_conf(struct buf *text)
{
    command_line_read("placard.cfg", text);
}

static void
assert_has(const struct buf *text, const char *words)
{
    ck_assert_msg(strstr(buf_text(text), words) != NULL, "no %s in %s", words,
                  buf_text(text));
}

static bool
is_there(const char *name)
{
    return file_exists(scratch_path(name));
}

static void
put(const char *name, const char *text)
{
    struct buf why = BUF_INIT;

    ck_assert_int_eq(
        file_write(scratch_path(name), text, strlen(text), 0644, &why),
        ERR_NONE);
}

/* ---- whole conversations ------------------------------------------------- */

/* The answers with which each service is set up. */
static const struct way {
    const char *number; /* of the service */
    void (*serve)(void);
    const char *login, *user, *prompt, *secret; /* NULL: not asked for */
    const char *place, *moderator;
    const char *file; /* of the secret */
    const char *account, *settings;
} ways[] = {
    {"2", serve_matrix, "1", "placard", "Password: ", "pass-of-placard", "1",
     "Mo", "matrix.password", "user = \"placard\";",
     "address = \"#table:hs.test\";"},
    {"matrix", serve_matrix, "2", NULL, "Access token: ", "key-of-placard",
     "#table:hs.test", "@Mo:hs.test", "matrix.token",
     "token_file = \"matrix.token\";", "moderators = [ \"@Mo:hs.test\" ];"},
    {"3", serve_discourse, NULL, "@placard", "API key: ", "key-of-placard", "1",
     "Mo", "discourse.token", "user = \"placard\";",
     "moderators = [ \"mo\" ];"},
    {"4.", serve_nodebb, NULL, NULL, "Token: ", "Bearer key-of-placard", "(1)",
     "@Mo", "nodebb.token", "token_file = \"nodebb.token\";",
     "moderators = [ \"mo\" ];"},
    {"phpBB", serve_phpbb, NULL, "placard", "Password: ", PHPBB_PASSWORD, "1",
     "Mo", "phpbb.password", "user = \"placard\";", "service = \"phpbb\";"},
    {"6", serve_discord, NULL, NULL, "Token: ", "Bot " GUILD_TOKEN, "1", "mo",
     "discord.token", "name = \"discord\";", "/channels/" GUILD_PLACE "\";"},
};
enum {
    WAYS = sizeof(ways) / sizeof(ways[0])
};

/* Answer as far as the place is asked for. */
static void
sign_in(const struct way *way)
{
    way->serve();
    start("setup");
    answer("Number: ", way->number);
    answer("Address: ", httpd_url(server));
    if (way->login != NULL) {
        answer("Number [1]: ", way->login);
    }
    if (way->user != NULL) {
        answer("Name of the account: ", way->user);
    }
    answer(way->prompt, way->secret);
    until("It works: the account is");
}

static void
answer_the_rest(void)
{
    answer("Number [2]: ", "english");
    answer("Time zone [", "berlin");
    answer("Quiet hours [23:00-07:00]: ", "22-6:30");
    answer("Votes stay open for [8h]: ", "");
}

static void
set_up_by(const struct way *way)
{
    sign_in(way);
    answer("Number or address: ", way->place);
    answer("Moderators: ", way->moderator);
    until("Found: ");
    answer_the_rest();
    answer("Write it? [yes]: ", "");
    until("Written.");
    ck_assert_int_eq(ended(), EXIT_DONE);
}

static mode_t
mode_of(const char *name)
{
    struct stat stat_of;

    ck_assert_int_eq(stat(scratch_path(name), &stat_of), 0);
    return stat_of.st_mode & 0777;
}

START_TEST(each_service_is_set_up_and_its_configuration_works)
{
    const struct way *way = &ways[_i];
    const char *blank = strchr(way->secret, ' ');
    const char *token = strcmp(way->prompt, "Password: ") == 0 || blank == NULL
                            ? way->secret
                            : blank + 1;
    struct buf text = BUF_INIT;

    set_up_by(way);
    ck_assert_msg(!is_shown(token), "%s", buf_text(&terminal.seen));
    ck_assert(is_shown("!new players=5-10\n"));
    read_conf(&text);
    assert_has(&text, way->account);
    assert_has(&text, way->settings);
    assert_has(&text, "zone = \"Europe/Berlin\";");
    assert_has(&text, "quiet = \"22:00-06:30\";");
    if (strstr(way->account, "discord") != NULL) {
        assert_has(&text, "buttons = \"on\";");
        assert_has(&text, "commands = \"on\";");
    } else {
        ck_assert_ptr_null(strstr(buf_text(&text), "        buttons ="));
    }
    assert_has(&text, "vote_min = \"8h\";");
    ck_assert_ptr_null(strstr(buf_text(&text), token));
    command_line_read(way->file, &text);
    ck_assert_int_eq(strncmp(buf_text(&text), token, strlen(token)), 0);
    ck_assert_str_eq(buf_text(&text) + strlen(token), "\n");
    ck_assert_int_eq(mode_of(way->file), 0600);
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
    buf_release(&text);
}
END_TEST

static void
choose_board(void)
{
    start("setup");
    answer("Number: ", "7");
    answer("Moderators: ", "Mo, Anna");
}

START_TEST(the_board_is_set_up_and_hosts)
{
    struct buf text = BUF_INIT;

    choose_board();
    answer("Number [2]: ", "nor");
    answer("Time zone [", "Europe/Oslo");
    answer("Quiet hours [", "none");
    answer("Votes stay open for [8h]: ", "0");
    answer("Write it? [yes]: ", "y");
    until("placard run\n");
    until("placard post --as Mo '!new players=5'\n");
    ck_assert_int_eq(ended(), EXIT_DONE);
    read_conf(&text);
    assert_has(&text, "moderators = [ \"Mo\", \"Anna\" ];");
    assert_has(&text, "language = \"nb\";");
    /* It is the sample, with a place in the stead of the sample's. */
    assert_has(&text, "\n#election = \"24h\";\n");
    ck_assert_ptr_null(strstr(buf_text(&text), "[ \"Mo\" ]"));
    ck_assert_ptr_null(strstr(buf_text(&text), "        quiet ="));
    ck_assert_ptr_null(strstr(buf_text(&text), "        vote_min ="));
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
    buf_release(&text);
}
END_TEST

/* ---- again --------------------------------------------------------------- */

START_TEST(a_place_is_added_to_what_is_there_and_nothing_of_it_is_lost)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;

    set_up_by(&ways[1]);
    read_conf(&before);
    buf_add_text(&before, "# Mine: a ( in a comment.\n");
    put("placard.cfg", buf_text(&before));
    start("setup");
    until("What is in it stays as it is");
    until("table (matrix) #table:hs.test");
    until("Here, without a network");
    answer("Number: ", "8");
    answer("Moderators: ", "");
    until("Anybody may open games there.");
    answer("Number [2]: ", "");
    answer("Time zone [", "");
    answer("Quiet hours [", "");
    answer("Votes stay open for [8h]: ", "");
    answer("Write it? [yes]: ", "yes");
    ck_assert_int_eq(ended(), EXIT_DONE);
    command_line_read("placard.cfg.old", &after);
    ck_assert_str_eq(buf_text(&after), buf_text(&before));
    read_conf(&after);
    /* Line for line, but for the comma behind the first place. */
    const char *end = strstr(buf_text(&before), "\n    }\n);\n# Mine");

    ck_assert_ptr_nonnull(end);
    ck_assert_int_eq(memcmp(buf_text(&after), buf_text(&before),
                            (size_t)(end - buf_text(&before))),
                     0);
    assert_has(&after, "# Mine: a ( in a comment.\n");
    assert_has(&after, "name = \"table\";");
    assert_has(&after, "name = \"board\";");
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
    buf_release(&before);
    buf_release(&after);
}
END_TEST

START_TEST(an_account_that_is_configured_is_not_asked_for_its_token)
{
    set_up_by(&ways[2]);
    start("setup");
    until("discourse, as it is configured");
    answer("Number: ", "1");
    until("It works: the account is placard.");
    until("In which topic are games opened?");
    answer("Number or address: ", "back");
    answer("Number: ", "1");
    answer("Number or address: ", "quit");
    until("Nothing was written.");
    ck_assert(!is_shown("API key: "));
    ck_assert_int_eq(ended(), EXIT_FAULT);
}
END_TEST

START_TEST(a_token_that_has_become_wrong_is_replaced)
{
    struct buf text = BUF_INIT;

    set_up_by(&ways[WAYS - 1]);
    put("discord.token", "MTA.an-old-token\n");
    ck_assert_int_eq(chmod(scratch_path("discord.token"), 0600), 0);
    start("setup");
    answer("Number: ", "1");
    answer("Number [2]: ", "");
    answer("Token: ", GUILD_TOKEN);
    answer("Put this one there in its place now? [yes]: ", "");
    answer("Number or address: ", "quit");
    until("Nothing else was written.");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    command_line_read("discord.token", &text);
    ck_assert_str_eq(buf_text(&text), GUILD_TOKEN "\n");
    ck_assert_int_eq(mode_of("discord.token"), 0600);
    buf_release(&text);
}
END_TEST

START_TEST(a_second_place_at_an_account_has_a_name_of_its_own)
{
    struct fake_discord_guild another;
    struct buf text = BUF_INIT;

    set_up_by(&ways[WAYS - 1]);
    fake_discord_add_guild(fake_discord, &another);
    start("setup");
    answer("Number: ", "1");
    answer("Number or address: ", "2");
    answer("Moderators: ", "Mo");
    answer_the_rest();
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    read_conf(&text);
    assert_has(&text, "name = \"parlour\";");
    assert_has(&text, "name = \"parlour-2\";");
    assert_has(&text, another.channel);
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
    buf_release(&text);
}
END_TEST

START_TEST(the_sample_as_it_was_installed_is_no_configuration_to_keep)
{
    struct buf sample = BUF_INIT;
    struct buf text = BUF_INIT;

    conf_sample(&sample);
    put("placard.cfg", buf_text(&sample));
    choose_board();
    ck_assert(!is_shown("What is in it stays"));
    answer_the_rest();
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    ck_assert(!is_there("placard.cfg.old"));
    read_conf(&text);
    ck_assert_ptr_null(strstr(buf_text(&text), "[ \"Mo\" ]"));
    buf_release(&sample);
    buf_release(&text);
}
END_TEST

/* ---- wrong answers ------------------------------------------------------- */

enum question {
    ASK_SERVICE,
    ASK_ADDRESS,
    ASK_LOGIN,
    ASK_USER,
    ASK_PASSWORD,
    ASK_ROOM,
    ASK_TOKEN,
    ASK_CHANNEL,
    ASK_MODERATORS,
    ASK_LANGUAGE,
    ASK_ZONE,
    ASK_QUIET,
    ASK_VOTES,
    ASK_WRITE,
    QUESTIONS
};

static const char *const prompts[QUESTIONS] = {
    [ASK_SERVICE] = "Number: ",        [ASK_ADDRESS] = "Address",
    [ASK_LOGIN] = "Number [1]: ",      [ASK_USER] = "Name of the account: ",
    [ASK_PASSWORD] = "Password: ",     [ASK_ROOM] = "Number or address: ",
    [ASK_TOKEN] = "Token: ",           [ASK_CHANNEL] = "Number or address: ",
    [ASK_MODERATORS] = "Moderators: ", [ASK_LANGUAGE] = "Number [2]: ",
    [ASK_ZONE] = "Time zone [",        [ASK_QUIET] = "Quiet hours [",
    [ASK_VOTES] = "Votes stay open",   [ASK_WRITE] = "Write it? [yes]: ",
};

#define TEN "0123456789"
#define LONG_TEXT                                                              \
    TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN    \
        TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

/* What is typed, what is said, and what leads to the question once more. */
static const struct wrong {
    enum question question;
    const char *typed, *said, *then;
} wrongs[] = {
    {ASK_SERVICE, "", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "0", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "8", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "-1", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "1 2", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "99999999999999999999", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "disco", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "Telegram", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "setup", "! Type a number from 1 to 7.", NULL},
    {ASK_SERVICE, "\xf0\x9f\x8e\xb2", "! Type a number from 1 to 7.", NULL},
    {ASK_ADDRESS, "", "! Type its address", NULL},
    {ASK_ADDRESS, "http://hs.test", "begins with https://", NULL},
    {ASK_ADDRESS, "ftp://hs.test", "begins with https://", NULL},
    {ASK_ADDRESS, "the server of my friend", "begins with https://", NULL},
    {ASK_ADDRESS, "https://", "begins with https://", NULL},
    {ASK_ADDRESS, "http://127.0.0.1:9", "127.0.0.1 can't be reached", NULL},
    {ASK_ADDRESS, "https://" LONG_TEXT, "! It can't be", NULL},
    {ASK_LOGIN, "3", "! Type a number from 1 to 2.", NULL},
    {ASK_LOGIN, "pass-of-placard", "! Type a number from 1 to 2.", NULL},
    {ASK_USER, "", "! Type the name that it logs in with", NULL},
    {ASK_USER, "   ", "! Type the name that it logs in with", NULL},
    {ASK_USER, "@", "! Type the name that it logs in with", NULL},
    {ASK_USER, LONG_TEXT, "! Type the name that it logs in with", NULL},
    {ASK_PASSWORD, "", "! Nothing has arrived.", NULL},
    {ASK_PASSWORD, "   ", "! Nothing has arrived.", NULL},
    {ASK_PASSWORD, "pass\033[D", "! There is a sign in it", NULL},
    {ASK_PASSWORD, "pass-of-nobody", "Invalid username", "2"},
    {ASK_ROOM, "parlour", "\"parlour\" is no room: write its address", NULL},
    {ASK_ROOM, "77", "\"77\" is no room: write its address", NULL},
    {ASK_ROOM, "#nowhere:hs.test", "there is no room #nowhere:hs.test", NULL},
    {ASK_ROOM, LONG_TEXT, "! That is too long for an address.", NULL},
    {ASK_TOKEN, "MTA.no-token.of-the-bot", "status 401", "2"},
    {ASK_CHANNEL, "general", "\"general\" is no channel", NULL},
    {ASK_CHANNEL, "77", "! discord: ", NULL},
    {ASK_MODERATORS, "Zoe", "called \"Zoe\": write the id", NULL},
    {ASK_MODERATORS, "Mo, Zoe", "called \"Zoe\": write the id", NULL},
    {ASK_MODERATORS, "Mo and Anna", "called \"Mo and Anna\"", NULL},
    {ASK_MODERATORS, "123", "! discord: ", NULL},
    {ASK_LANGUAGE, "6", "! Type a number from 1 to 5.", NULL},
    {ASK_LANGUAGE, "n", "! Type a number from 1 to 5.", NULL},
    {ASK_LANGUAGE, "Spanish", "! Type a number from 1 to 5.", NULL},
    {ASK_ZONE, "Springfield", "! zone: can't be \"Springfield\"", NULL},
    {ASK_ZONE, "UTC+2", "! zone: can't be \"UTC+2\"; write a time zone", NULL},
    {ASK_ZONE, "America", "! zone: can't be \"America\"", NULL},
    {ASK_ZONE, "../../etc/passwd", "! zone: can't be", NULL},
    {ASK_ZONE, "14:30", "! zone: can't be \"14:30\"", NULL},
    {ASK_QUIET, "at night", "! quiet: can't be \"at night\"; write hours",
     NULL},
    {ASK_QUIET, "23", "! quiet: can't be \"23\"", NULL},
    {ASK_QUIET, "25-7", "! quiet: can't be", NULL},
    {ASK_QUIET, "23:00-07:61", "! quiet: can't be", NULL},
    {ASK_QUIET, "11pm-7am", "! quiet: can't be \"11pm-7am\"", NULL},
    {ASK_QUIET, "23:00", "! quiet: can't be", NULL},
    {ASK_VOTES, "long", "! vote_min: can't be \"long\"; write a time", NULL},
    {ASK_WRITE, "maybe", "! Type yes or no.", NULL},
    {ASK_WRITE, "1", "! Type yes or no.", NULL},
    {ASK_WRITE, "no", "`back` leads to the questions before", NULL},
};

/* Answer all questions before this one: Matrix as far as the room, Discord from
 * the token on. */
static void
reach(enum question question)
{
    const struct way *way = &ways[question < ASK_TOKEN ? 0 : WAYS - 1];
    const struct {
        enum question at;
        const char *typed;
    } steps[] = {
        {ASK_SERVICE, way->number},
        {ASK_ADDRESS, httpd_url(server)},
        {ASK_LOGIN, way->login},
        {ASK_USER, way->user},
        {ASK_PASSWORD, way->secret},
        {ASK_ROOM, NULL},
        {ASK_TOKEN, way->secret},
        {ASK_CHANNEL, way->place},
        {ASK_MODERATORS, "Mo"},
        {ASK_LANGUAGE, ""},
        {ASK_ZONE, ""},
        {ASK_QUIET, ""},
        {ASK_VOTES, ""},
    };

    way->serve();
    start("setup");
    for (size_t i = 0;
         i < sizeof(steps) / sizeof(steps[0]) && steps[i].at < question; i++) {
        bool matrix = steps[i].at >= ASK_LOGIN && steps[i].at <= ASK_ROOM;

        if (!(matrix && question >= ASK_TOKEN)) {
            answer(prompts[steps[i].at], steps[i].typed);
        }
    }
}

START_TEST(a_wrong_answer_is_told_what_to_type)
{
    enum question question = (enum question)_i;

    reach(question);
    for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
        if (wrongs[i].question == question) {
            answer(prompts[question], wrongs[i].typed);
            until(wrongs[i].said);
            if (wrongs[i].then != NULL) {
                answer("Number [2]: ", wrongs[i].then);
            }
        }
    }
    answer(prompts[question], "quit");
    until("Nothing was written.");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    ck_assert(!is_there("placard.cfg"));
}
END_TEST

START_TEST(fifty_wrong_answers_are_tried)
{
    ck_assert_uint_ge(sizeof(wrongs) / sizeof(wrongs[0]), 50);
}
END_TEST

START_TEST(a_secret_that_is_too_long_is_told_so)
{
    static char secret[TOO_LONG + 1];

    memset(secret, 'x', TOO_LONG);
    reach(ASK_PASSWORD);
    answer("Password: ", secret);
    until("! That is too long for a token or a password");
    answer("Password: ", "quit");
    until("Nothing was written.");
}
END_TEST

/* ---- ways out ------------------------------------------------------------ */

START_TEST(back_leads_to_the_question_before)
{
    reach(ASK_PASSWORD);
    answer("Password: ", "back");
    answer("Name of the account: ", "back");
    answer("Number [1]: ", "back");
    answer("Address [http://127.0.0.1", "BACK");
    answer("Number: ", "back");
    until("This is the first question.");
    answer("Number: ", "7");
    answer("Moderators: ", "back");
    answer("Number: ", "quit");
    ck_assert_int_eq(ended(), EXIT_FAULT);
}
END_TEST

START_TEST(who_goes_back_may_log_in_in_another_way)
{
    reach(ASK_PASSWORD);
    answer("Password: ", "back");
    answer("Name of the account: ", "back");
    answer("Number [1]: ", "2");
    answer("Access token: ", "key-of-placard");
    until("It works: the account is @placard:hs.test.");
    answer("Number or address: ", "1");
    answer("Moderators: ", "");
    answer_the_rest();
    until("The token goes into matrix.token");
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
}
END_TEST

START_TEST(an_end_at_a_question_leaves_everything_as_it_was)
{
    static const char *const ends[] = {"\004", "\003"};

    reach(ASK_PASSWORD);
    until("Password: ");
    terminal_type(&terminal, ends[_i]);
    until("Nothing was written.");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    ck_assert(!is_there("placard.cfg"));
    ck_assert(!is_there("matrix.password"));
}
END_TEST

START_TEST(without_a_terminal_it_says_how_to_write_the_file_by_hand)
{
    ck_assert_int_eq(
        command_line_run_with(command_setup, "setup -c @placard.cfg", "7\n"),
        EXIT_FAULT);
    ck_assert_str_eq(buf_text(&said), "");
    assert_has(&errors, "cp config/placard.cfg placard.cfg");
    assert_has(&errors, "placard check");
    ck_assert(!is_there("placard.cfg"));
}
END_TEST

/* ---- a room that is made ------------------------------------------------- */

/* Ask for a room as far as its moderators. */
static void
ask_for_room(const char *name, const char *who)
{
    answer("Number or address: ", "new");
    answer("What is it to be called [Secret Hitler]: ", name);
    until("Who may enter it?");
    answer("Number [1]: ", who);
}

START_TEST(a_room_is_made_and_its_moderators_are_invited)
{
    struct buf text = BUF_INIT;

    reach(ASK_ROOM);
    ask_for_room("The Parlour", "");
    answer("Moderators: ", "");
    until("! Nobody could enter it: name somebody.");
    answer("Moderators: ", "@Mo:hs.test");
    answer_the_rest();
    until("The Parlour, which is made then");
    answer("Write it? [yes]: ", "");
    until("The room #the-parlour:hs.test is there now.");
    until("Games can be hosted there.");
    until("@Mo:hs.test is invited, as a moderator.");
    until("Written.");
    ck_assert_int_eq(ended(), EXIT_DONE);
    read_conf(&text);
    assert_has(&text, "name = \"the-parlour\";");
    assert_has(&text, "address = \"#the-parlour:hs.test\";");
    assert_has(&text, "moderators = [ \"@Mo:hs.test\" ];");
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
    buf_release(&text);
}
END_TEST

/* Its address is taken; anybody may enter it, so nobody need be named. */
START_TEST(a_room_of_a_name_that_is_taken_is_made_by_another)
{
    struct buf text = BUF_INIT;

    reach(ASK_ROOM);
    answer("Number or address: ", "NEW");
    answer("called [Secret Hitler]: ", "back");
    ask_for_room("Table", "anybody");
    answer("Moderators: ", "");
    until("Anybody may open games there.");
    answer_the_rest();
    answer("Write it? [yes]: ", "");
    until("! matrix: there is a room #table:hs.test already");
    answer("What is it to be called [Table]: ", "Secret Hitler");
    until("The room #secret-hitler:hs.test is there now.");
    ck_assert_int_eq(ended(), EXIT_DONE);
    read_conf(&text);
    assert_has(&text, "name = \"secret-hitler\";");
    assert_has(&text, "address = \"#secret-hitler:hs.test\";");
    buf_release(&text);
}
END_TEST

START_TEST(a_room_that_was_not_agreed_to_is_not_made)
{
    reach(ASK_ROOM);
    ask_for_room("", "");
    answer("Moderators: ", "@Mo:hs.test");
    answer_the_rest();
    answer("Write it? [yes]: ", "no");
    answer("Write it? [yes]: ", "quit");
    until("Nothing was written.");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    ck_assert_uint_eq(homeserver_dms(homeserver), 0);
}
END_TEST

START_TEST(a_room_keeps_its_number_when_another_goes)
{
    reach(ASK_ROOM);
    ask_for_room("", "");
    answer("Moderators: ", "@Mo:hs.test");
    answer_the_rest();
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    start("setup");
    answer("Number: ", "1");
    until(" 1 #secret-hitler:hs.test");
    until(" 2 #table:hs.test");
    until("Number or address: ");
    homeserver_encrypt(homeserver, 2, clock_now());
    terminal_type(&terminal, "\r");
    until("In which room are games opened?");
    size_t before = terminal.seen.len;

    until(" 2 #table:hs.test");
    ck_assert_ptr_null(strstr(buf_text(&terminal.seen) + before, "   1  "));
    answer("Number or address: ", "1");
    until("! That one is not there any more.");
    answer("Number or address: ", "quit");
    ck_assert_int_eq(ended(), EXIT_FAULT);
}
END_TEST

/* An account's id, and an address that names another one. */
START_TEST(a_homeserver_that_is_elsewhere_is_followed_there)
{
    struct buf address = BUF_INIT;
    struct buf told = BUF_INIT;

    buf_addf(&address, "%s/elsewhere", httpd_url(server));
    buf_addf(&told, "Its address is %s.", httpd_url(server));
    serve_matrix();
    start("setup");
    answer("Number: ", "matrix");
    answer("Address: ", "@placard:127.0.0.1:9");
    until("127.0.0.1 can't be reached");
    answer("Address", buf_text(&address));
    until(buf_text(&told));
    answer("Number [1]: ", "1");
    answer("Name of the account: ", "placard");
    answer("Password: ", "pass-of-placard");
    until("It works: the account is @placard:hs.test.");
    answer("Number or address: ", "quit");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    buf_release(&address);
    buf_release(&told);
}
END_TEST

/* ---- a log-in by a browser ----------------------------------------------- */

/* Log in by a browser, as far as the room. */
static void
allow(void)
{
    until("and allow it:");
    until("/link (code " GRANTS_CODE ")");
    answer("Then press Enter: ", "");
    until("! matrix: it is not allowed there yet (authorization_pending).");
    grants.allowed = true;
    answer("Then press Enter: ", "");
}

static void
set_up_by_browser(void)
{
    granting = true;
    serve_matrix();
    start("setup");
    answer("Number: ", "matrix");
    answer("Address: ", httpd_url(server));
    answer("Number [1]: ", "3");
    allow();
    until("It works: the account is @placard:hs.test.");
    answer("Number or address: ", "1");
    answer("Moderators: ", "Mo");
    answer_the_rest();
    until("The log-in goes into matrix.login");
}

/* The token of the file: the newest that there is. */
static void
assert_newest(void)
{
    struct buf text = BUF_INIT;
    struct buf wanted = BUF_INIT;

    command_line_read("matrix.login", &text);
    buf_addf(&wanted, "device-grant %s %s %s\n", grants.client, grants.device,
             grants.refresh);
    ck_assert_str_eq(buf_text(&text), buf_text(&wanted));
    buf_release(&text);
    buf_release(&wanted);
}

START_TEST(an_account_logs_in_by_a_browser_and_stays_logged_in)
{
    struct buf text = BUF_INIT;

    set_up_by_browser();
    ck_assert(!is_shown("mat_"));
    ck_assert(!is_shown("mar_"));
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    ck_assert_uint_eq(grants.renewals, 1);
    assert_newest();
    ck_assert_int_eq(mode_of("matrix.login"), 0600);
    read_conf(&text);
    assert_has(&text, "user = \"@placard:hs.test\";");
    /* The file's is used once, and what replaces it is kept in the store. */
    for (unsigned i = 0; i < 3; i++) {
        start("check");
        ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
        ck_assert_uint_eq(grants.renewals, 2 + i);
        ck_assert(!grants.ended);
        if (i == 1) {
            fake_grants_expire(&grants);
        }
    }
    buf_release(&text);
}
END_TEST

START_TEST(a_token_that_ends_while_questions_are_asked_is_renewed)
{
    granting = true;
    serve_matrix();
    start("setup");
    answer("Number: ", "matrix");
    answer("Address: ", httpd_url(server));
    answer("Number [1]: ", "3");
    allow();
    until("Number or address: ");
    fake_grants_expire(&grants);
    terminal_type(&terminal, "1\r");
    answer("Moderators: ", "Mo");
    answer_the_rest();
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    ck_assert_uint_eq(grants.renewals, 2);
    assert_newest();
}
END_TEST

/* Setup logs in by itself, and leaves the host's alone; or replaces it. */
START_TEST(a_log_in_that_is_configured_is_the_hosts)
{
    struct buf before = BUF_INIT;
    struct buf after = BUF_INIT;

    set_up_by_browser();
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    command_line_read("matrix.login", &before);
    start("setup");
    answer("Number: ", "1");
    allow();
    answer("Put this one there in its place now? [no]: ", "");
    answer("Number or address: ", "quit");
    until("Nothing was written.");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    command_line_read("matrix.login", &after);
    ck_assert_str_eq(buf_text(&before), buf_text(&after));
    start("setup");
    answer("Number: ", "1");
    allow();
    answer("Put this one there in its place now? [no]: ", "yes");
    until("Nothing else was written.");
    ck_assert_int_eq(ended(), EXIT_FAULT);
    assert_newest();
    start("check");
    ck_assert_msg(ended() == EXIT_DONE, "%s", buf_text(&terminal.seen));
    buf_release(&before);
    buf_release(&after);
}
END_TEST

START_TEST(who_was_logged_out_is_told_what_to_do)
{
    set_up_by_browser();
    answer("Write it? [yes]: ", "");
    ck_assert_int_eq(ended(), EXIT_DONE);
    grants.ended = true;
    start("check");
    until("matrix: the host was logged out: have "
          "`placard setup` log it in once more");
    ck_assert_int_eq(ended(), EXIT_FAULT);
}
END_TEST

START_TEST(a_file_with_a_mistake_is_not_added_to)
{
    put("placard.cfg", "places = ( { nam = \"board\"; } );\n");
    start("setup");
    until("placard.cfg:1: places[0].nam");
    until("Mend that in the file");
    ck_assert_int_eq(ended(), EXIT_USAGE);
}
END_TEST

START_TEST(a_place_that_is_configured_already_is_not_taken_again)
{
    set_up_by(&ways[1]);
    start("setup");
    answer("Number: ", "1");
    answer("Number or address: ", "1");
    until("! That place is configured already, as \"table\".");
    answer("Number or address: ", "quit");
    ck_assert_int_eq(ended(), EXIT_FAULT);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/setup");
    TCase *tcase = tcase_create("setup");

    suite_add_tcase(suite, tcase);
    if (!terminal_is_there()) {
        printf("  SKIP  cli/setup: there are no pseudo-terminals here\n");
        return suite;
    }
    tcase_set_timeout(tcase, 0);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(
        tcase, each_service_is_set_up_and_its_configuration_works, 0, WAYS);
    tcase_add_test(tcase, the_board_is_set_up_and_hosts);
    tcase_add_test(tcase,
                   a_place_is_added_to_what_is_there_and_nothing_of_it_is_lost);
    tcase_add_test(tcase,
                   an_account_that_is_configured_is_not_asked_for_its_token);
    tcase_add_test(tcase, a_token_that_has_become_wrong_is_replaced);
    tcase_add_test(tcase, a_second_place_at_an_account_has_a_name_of_its_own);
    tcase_add_test(tcase,
                   the_sample_as_it_was_installed_is_no_configuration_to_keep);
    tcase_add_loop_test(tcase, a_wrong_answer_is_told_what_to_type, 0,
                        QUESTIONS);
    tcase_add_test(tcase, fifty_wrong_answers_are_tried);
    tcase_add_test(tcase, a_secret_that_is_too_long_is_told_so);
    tcase_add_test(tcase, back_leads_to_the_question_before);
    tcase_add_test(tcase, who_goes_back_may_log_in_in_another_way);
    tcase_add_loop_test(tcase, an_end_at_a_question_leaves_everything_as_it_was,
                        0, 2);
    tcase_add_test(tcase,
                   without_a_terminal_it_says_how_to_write_the_file_by_hand);
    tcase_add_test(tcase, a_room_is_made_and_its_moderators_are_invited);
    tcase_add_test(tcase, a_room_of_a_name_that_is_taken_is_made_by_another);
    tcase_add_test(tcase, a_room_that_was_not_agreed_to_is_not_made);
    tcase_add_test(tcase, a_room_keeps_its_number_when_another_goes);
    tcase_add_test(tcase, a_homeserver_that_is_elsewhere_is_followed_there);
    tcase_add_test(tcase, an_account_logs_in_by_a_browser_and_stays_logged_in);
    tcase_add_test(tcase,
                   a_token_that_ends_while_questions_are_asked_is_renewed);
    tcase_add_test(tcase, a_log_in_that_is_configured_is_the_hosts);
    tcase_add_test(tcase, who_was_logged_out_is_told_what_to_do);
    tcase_add_test(tcase, a_file_with_a_mistake_is_not_added_to);
    tcase_add_test(tcase,
                   a_place_that_is_configured_already_is_not_taken_again);
    return suite;
}
