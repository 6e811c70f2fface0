/*
 * `placard read` as a process: from a file, from standard input, in a pipe, for
 * a place; and its exit codes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/cli/post_line.h"
#include "bot/tables/places/services.h"
#include "tests/cli/command_line.h"
#include "tests/support/runner.h"

enum {
    WORDS_MAX = 10
};

#define JA                                                                     \
    "{\"id\":\"1\",\"dialect\":\"bbcode\",\"phase\":\"voting\","               \
    "\"text\":\"[b]Ja![/b]\"}\n"
#define DM                                                                     \
    "{\"id\":\"2\",\"dialect\":\"bbcode\",\"phase\":\"voting\","               \
    "\"text\":\"Nein!\"}\n"
#define JA_READ                                                                \
    "{\"id\":\"1\",\"kind\":\"vote\",\"value\":\"ja\",\"why\":\"R4: "
#define DM_READ "{\"id\":\"2\",\"kind\":\"none\",\"value\":null,\"why\":\"R3: "

/* ---- the process --------------------------------------------------------- */

static void
write_file(const char *name, const char *text, size_t len)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(file_write(scratch_path(name), text, len, 0600, &why),
                     ERR_NONE);
}

/* Become `placard read` with these words, blanks between them. */
static void
become(const char *words, int in, int out, int err)
{
    char line[256];
    char *argv[WORDS_MAX] = {(char[]){TEST_PROGRAM}, (char[]){"read"}};
    unsigned count = 2;
    char *rest = NULL;
    snprintf(line, sizeof line, "%s", words);
    for (char *word = strtok_r(line, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        argv[count++] = word;
    }
    (void)dup2(in, STDIN_FILENO);
    (void)dup2(out, STDOUT_FILENO);
    (void)dup2(err, STDERR_FILENO);
    (void)execv(TEST_PROGRAM, argv);
    _exit(127);
}

static int
exit_code(pid_t child)
{
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int
open_here(const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC, 0600);
    ck_assert_int_ge(file, 0);
    return file;
}

/* Run it with this on standard input; its exit code. */
static int
run(const char *words, const char *input, size_t len)
{
    write_file("in", input, len);
    int in = open_here(scratch_path("in"), O_RDONLY);
    int out = open_here(scratch_path("out"), O_WRONLY | O_CREAT | O_TRUNC);
    int err = open_here(scratch_path("err"), O_WRONLY | O_CREAT | O_TRUNC);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        become(words, in, out, err);
    }
    int code = exit_code(child);
    (void)close(in);
    (void)close(out);
    (void)close(err);
    command_line_read("out", &said);
    command_line_read("err", &errors);
    return code;
}

/* Does the n-th line said (from 1) begin like this? */
static void
assert_line(unsigned number, const char *begin)
{
    const char *at = buf_text(&said);
    while (--number > 0 && at != NULL) {
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    ck_assert_ptr_nonnull(at);
    ck_assert_msg(strncmp(at, begin, strlen(begin)) == 0, "%s:\n%s", begin, at);
}

static unsigned
count_lines(void)
{
    unsigned count = 0;
    for (size_t i = 0; i < said.len; i++) {
        count += said.data[i] == '\n';
    }
    return count;
}

/* ---- reading ------------------------------------------------------------- */

START_TEST(posts_are_read_from_a_file_or_standard_input)
{
    static const char posts[] = JA DM;
    char words[400];
    write_file("posts", posts, strlen(posts));
    snprintf(words, sizeof words, "%s", scratch_path("posts"));
    const char *const ways[] = {words, "", "-"};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(
            run(ways[i], i == 0 ? "" : posts, i == 0 ? 0 : strlen(posts)),
            EXIT_DONE);
        assert_line(1, JA_READ);
        assert_line(2, DM_READ);
        ck_assert_uint_eq(count_lines(), 2);
        ck_assert_str_eq(buf_text(&errors), "");
    }
}
END_TEST

START_TEST(nothing_gives_nothing)
{
    ck_assert_int_eq(run("", "", 0), EXIT_DONE);
    ck_assert_uint_eq(said.len, 0);
}
END_TEST

START_TEST(the_last_line_needs_no_end)
{
    ck_assert_int_eq(run("", JA, strlen(JA) - 1), EXIT_DONE);
    assert_line(1, JA_READ);
    ck_assert_uint_eq(count_lines(), 1);
}
END_TEST

START_TEST(a_line_that_cant_be_read_does_not_stop_the_others)
{
    static const char posts[] = JA "\n{}\nhello\n" DM;
    ck_assert_int_eq(run("", posts, strlen(posts)), EXIT_FAULT);
    ck_assert_uint_eq(count_lines(), 5);
    assert_line(1, JA_READ);
    assert_line(2, "{\"id\":null,\"kind\":\"error\",\"value\":null,\"why\":"
                   "\"line 2: it is empty");
    assert_line(3, "{\"id\":null,\"kind\":\"error\",\"value\":null,\"why\":"
                   "\"line 3: \\\"phase\\\" is missing");
    assert_line(4, "{\"id\":null,\"kind\":\"error\",\"value\":null,\"why\":"
                   "\"line 4: JSON: ");
    assert_line(5, DM_READ);
    ck_assert_str_eq(buf_text(&errors), "");
}
END_TEST

START_TEST(a_line_of_ten_megabytes_is_passed_over)
{
    struct buf posts = BUF_INIT;
    buf_add_text(&posts, JA);
    for (unsigned i = 0; i < 10000000 / 10; i++) {
        buf_add_text(&posts, "0123456789");
    }
    buf_add_text(&posts, "\n" DM);
    ck_assert_int_eq(run("", posts.data, posts.len), EXIT_FAULT);
    ck_assert_uint_eq(count_lines(), 3);
    assert_line(1, JA_READ);
    assert_line(2, "{\"id\":null,\"kind\":\"error\",\"value\":null,\"why\":"
                   "\"line 2: it is longer than");
    assert_line(3, DM_READ);
    buf_release(&posts);
}
END_TEST

START_TEST(a_line_of_the_longest_length_is_read)
{
    struct buf posts = BUF_INIT;
    buf_add_text(&posts, JA);
    buf_truncate(&posts, posts.len - 1);
    while (posts.len < POST_LINE_MAX) {
        buf_add_char(&posts, ' ');
    }
    buf_add_text(&posts, "\n");
    ck_assert_int_eq(run("", posts.data, posts.len), EXIT_DONE);
    assert_line(1, JA_READ);
    buf_release(&posts);
}
END_TEST

/* Write a line, and wait for what is read in it before the next. */
START_TEST(in_a_pipe_each_verdict_comes_at_once)
{
    int to[2];
    int from[2];
    char line[256];
    ck_assert_int_eq(pipe(to), 0);
    ck_assert_int_eq(pipe(from), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        (void)close(to[1]);
        (void)close(from[0]);
        become("", to[0], from[1], STDERR_FILENO);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    FILE *verdicts = fdopen(from[0], "r");
    ck_assert_ptr_nonnull(verdicts);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(write(to[1], JA, strlen(JA)), strlen(JA));
        ck_assert_ptr_nonnull(fgets(line, sizeof line, verdicts));
        ck_assert_int_eq(strncmp(line, JA_READ, strlen(JA_READ)), 0);
    }
    (void)close(to[1]);
    ck_assert_ptr_null(fgets(line, sizeof line, verdicts));
    (void)fclose(verdicts);
    ck_assert_int_eq(exit_code(child), EXIT_DONE);
}
END_TEST

START_TEST(verdicts_that_cant_be_written_are_a_fault)
{
    int in = 0;
    write_file("in", JA, strlen(JA));
    in = open_here(scratch_path("in"), O_RDONLY);
    int out = open_here("/dev/full", O_WRONLY);
    int err = open_here(scratch_path("err"), O_WRONLY | O_CREAT | O_TRUNC);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        become("", in, out, err);
    }
    ck_assert_int_eq(exit_code(child), EXIT_FAULT);
    (void)close(in);
    (void)close(out);
    (void)close(err);
    command_line_read("err", &errors);
    ck_assert_ptr_nonnull(strstr(
        buf_text(&errors), "standard output: disk full; free some space"));
}
END_TEST

/* ---- for a place --------------------------------------------------------- */

#define NAME_BOB                                                               \
    "{\"id\":3,\"phase\":\"nomination\",\"players\":[\"Bob\"],"                \
    "\"text\":\"**Bob**\"}\n"
#define SAY_OUI "{\"id\":4,\"phase\":\"voting\",\"text\":\"**Oui!**\"}\n"

/* Places: as usual, at a forum, and with settings of its own. */
static void
write_conf(void)
{
    static const char conf[] =
        "services = ( { name = \"nodebb\"; url = \"https://forum.test\";\n"
        "  token_file = \"token\"; bold_classes = \"fat strong-text\"; } );\n"
        "places = ( { name = \"plain\"; service = \"board\"; },\n"
        "{ name = \"forum\"; service = \"nodebb\"; address = \"7\"; },\n"
        "{ name = \"own\"; service = \"board\"; address = \"x\";\n"
        "  red = \"accepted\"; words = \"Oui/Non\"; } );\n";
    write_file("placard.cfg", conf, strlen(conf));
}

static int
run_at(const char *place, const char *input)
{
    char words[512];
    snprintf(words, sizeof words, "--place %s -c %s", place,
             scratch_path("placard.cfg"));
    return run(words, input, strlen(input));
}

START_TEST(a_place_reads_with_its_settings_and_its_services_dialect)
{
    write_conf();
    ck_assert_int_eq(run_at("plain", NAME_BOB SAY_OUI), EXIT_DONE);
    assert_line(1, "{\"id\":3,\"kind\":\"none\"");
    assert_line(2, "{\"id\":4,\"kind\":\"ambiguous\",\"value\":null,\"why\":"
                   "\"R11: ");
    ck_assert_int_eq(run_at("own", NAME_BOB SAY_OUI JA), EXIT_DONE);
    assert_line(1, "{\"id\":3,\"kind\":\"nominate\",\"value\":\"Bob\"");
    assert_line(2, "{\"id\":4,\"kind\":\"vote\",\"value\":\"ja\"");
    assert_line(3, "{\"id\":\"1\",\"kind\":\"vote\",\"value\":\"ja\"");
}
END_TEST

/* What people post there comes as HTML. */
START_TEST(at_a_forum_that_is_written_in_markdown_html_is_read)
{
    static const char ja[] = "{\"id\":5,\"phase\":\"voting\","
                             "\"text\":\"<strong>Ja!</strong>\"}\n"
                             "{\"id\":6,\"phase\":\"voting\",\"text\":\"<i "
                             "class='strong-text'>Nein!</i>\"}\n"
                             "{\"id\":7,\"phase\":\"voting\",\"text\":\"<i "
                             "class='strong'>Nein!</i>\"}\n";
    write_conf();
    write_file("token", "secret\n", 7);
    ck_assert_int_eq(run_at("forum", ja), EXIT_DONE);
    assert_line(1, "{\"id\":5,\"kind\":\"vote\",\"value\":\"ja\"");
    assert_line(2, "{\"id\":6,\"kind\":\"vote\",\"value\":\"nein\"");
    assert_line(3, "{\"id\":7,\"kind\":\"none\"");
}
END_TEST

START_TEST(a_service_has_the_classes_of_its_account)
{
    struct conf conf;
    struct service service;

    conf_defaults(&conf);
    conf_make_accounts(&conf, 1);
    snprintf(conf.accounts[0].name, sizeof conf.accounts[0].name, "forum");
    snprintf(conf.accounts[0].kind, sizeof conf.accounts[0].kind, "nodebb");
    snprintf(conf.accounts[0].bold_classes,
             sizeof conf.accounts[0].bold_classes, "fat");
    service_set(&service, &conf, NULL, "forum");
    ck_assert_str_eq(service.bold_classes, "fat");
    service_set(&service, &conf, NULL, CONF_BOARD);
    ck_assert_ptr_null(service.bold_classes);
    conf_release(&conf);
}
END_TEST

START_TEST(a_place_that_is_not_there_is_a_fault_that_names_the_others)
{
    write_conf();
    ck_assert_int_eq(run_at("nowhere", JA), EXIT_FAULT);
    ck_assert_uint_eq(said.len, 0);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors),
                                 "there is no place \"nowhere\"; the places "
                                 "there: \"plain\", \"forum\", \"own\""));
}
END_TEST

START_TEST(a_configuration_with_a_mistake_is_wrong_use)
{
    static const char conf[] = "places = ( { name = \"own\"; service = "
                               "\"board\"; red = \"blue\"; } );\n";
    write_file("placard.cfg", conf, strlen(conf));
    ck_assert_int_eq(run_at("own", JA), EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(buf_text(&errors),
                                 "red: can't be \"blue\"; write \"required\" "
                                 "or \"accepted\""));
}
END_TEST

/* ---- use ----------------------------------------------------------------- */

static const struct {
    const char *words;
    int code;
    const char *error;
} uses[] = {
    {"-c placard.cfg", EXIT_USAGE, "-c needs the place"},
    {"one two", EXIT_USAGE, "one FILE, or - for standard input"},
    {"--place", EXIT_USAGE, "--place needs a value"},
    {"--where x", EXIT_USAGE, "unknown option --where"},
    {"/nowhere/posts", EXIT_FAULT, "/nowhere/posts: no such file or folder"},
    {"/tmp", EXIT_FAULT, "/tmp: Is a directory"},
    {"--place x -c /nowhere/placard.cfg", EXIT_USAGE, "no such file or folder"},
    {"--help", EXIT_DONE, ""},
};

START_TEST(wrong_use_is_said)
{
    ck_assert_int_eq(run(uses[_i].words, JA, strlen(JA)), uses[_i].code);
    ck_assert_msg(strstr(buf_text(&errors), uses[_i].error) != NULL, "%s",
                  buf_text(&errors));
    ck_assert(uses[_i].code == EXIT_DONE || said.len == 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/read");
    TCase *tcase = tcase_create("read");

    tcase_add_checked_fixture(tcase, command_line_set_up,
                              command_line_tear_down);
    tcase_add_test(tcase, posts_are_read_from_a_file_or_standard_input);
    tcase_add_test(tcase, nothing_gives_nothing);
    tcase_add_test(tcase, the_last_line_needs_no_end);
    tcase_add_test(tcase, a_line_that_cant_be_read_does_not_stop_the_others);
    tcase_add_test(tcase, a_line_of_ten_megabytes_is_passed_over);
    tcase_add_test(tcase, a_line_of_the_longest_length_is_read);
    tcase_add_test(tcase, in_a_pipe_each_verdict_comes_at_once);
    tcase_add_test(tcase, verdicts_that_cant_be_written_are_a_fault);
    tcase_add_test(tcase,
                   a_place_reads_with_its_settings_and_its_services_dialect);
    tcase_add_test(tcase, at_a_forum_that_is_written_in_markdown_html_is_read);
    tcase_add_test(tcase, a_service_has_the_classes_of_its_account);
    tcase_add_test(tcase,
                   a_place_that_is_not_there_is_a_fault_that_names_the_others);
    tcase_add_test(tcase, a_configuration_with_a_mistake_is_wrong_use);
    tcase_add_loop_test(tcase, wrong_use_is_said, 0,
                        sizeof uses / sizeof uses[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
