#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/base/log.h"
#include "tests/support/runner.h"

static struct buf said;
static FILE *caught;
static int terminal;

/* Standard error goes to a file. */
static void
set_up(void)
{
    caught = tmpfile();
    ck_assert_ptr_nonnull(caught);
    terminal = dup(STDERR_FILENO);
    ck_assert_int_ge(dup2(fileno(caught), STDERR_FILENO), 0);
    buf_init(&said, 0);
    log_set_level(LOG_LEVEL_DEBUG);
}

static void
tear_down(void)
{
    (void)dup2(terminal, STDERR_FILENO);
    (void)close(terminal);
    (void)fclose(caught);
    buf_release(&said);
}

/* What was written since. */
static const char *
take(void)
{
    char chunk[4096];
    size_t got;

    buf_clear(&said);
    (void)fflush(stderr);
    ck_assert_int_eq(fseek(caught, 0, SEEK_SET), 0);
    while ((got = fread(chunk, 1, sizeof(chunk), caught)) > 0) {
        buf_add(&said, chunk, got);
    }
    ck_assert_int_eq(ftruncate(fileno(caught), 0), 0);
    ck_assert_int_eq(fseek(caught, 0, SEEK_SET), 0);
    return buf_text(&said);
}

static void
say_all(void)
{
    log_line(LOG_LEVEL_ERROR, "a");
    log_line(LOG_LEVEL_WARNING, "b");
    log_line(LOG_LEVEL_INFO, "c");
    log_about(LOG_LEVEL_DEBUG, &(struct log_subject){.service = "s"}, "%d", 4);
}

START_TEST(a_line_of_text_has_its_level)
{
    log_set_form(LOG_FORM_TEXT);
    say_all();
    ck_assert_str_eq(take(), "error: a\nwarning: b\ninfo: c\ndebug: 4\n");
    log_set_level(LOG_LEVEL_WARNING);
    say_all();
    ck_assert_str_eq(take(), "error: a\nwarning: b\n");
}
END_TEST

START_TEST(the_journal_reads_priorities)
{
    log_set_form(LOG_FORM_JOURNAL);
    say_all();
    ck_assert_str_eq(take(),
                     "<3>error: a\n<4>warning: b\n<6>info: c\n<7>debug: 4\n");
}
END_TEST

START_TEST(json_has_an_object_a_line_with_what_it_is_about)
{
    struct buf why = BUF_INIT;
    json_object *line = NULL;
    int64_t time = 0;

    log_set_form(LOG_FORM_JSON);
    log_about(LOG_LEVEL_WARNING,
              &(struct log_subject){.service = "",
                                    .place = "the \"hall\"",
                                    .table = "3",
                                    .person = "4\\5"},
              "a\nb \033[31m%s\xff", "c");
    const char *text = take();
    size_t len = strlen(text);

    ck_assert_ptr_eq(strchr(text, '\n'), text + len - 1);
    ck_assert_int_eq(jdoc_parse(text, len - 1, true, &line, &why), ERR_NONE);
    ck_assert(instant_read(jdoc_string(line, "time"), &time));
    ck_assert_int_lt(llabs(clock_now() - time), HOUR_MS);
    ck_assert_str_eq(jdoc_string(line, "level"), "warning");
    ck_assert_ptr_null(jdoc_get(line, "service"));
    ck_assert_str_eq(jdoc_string(line, "place"), "the \"hall\"");
    ck_assert_str_eq(jdoc_string(line, "table"), "3");
    ck_assert_str_eq(jdoc_string(line, "person"), "4\\5");
    ck_assert_str_eq(jdoc_string(line, "text"), "a b  [31mc\xef\xbf\xbd");
    json_object_put(line);
    buf_release(&why);
}
END_TEST

START_TEST(a_long_line_says_that_it_was_cut)
{
    char *text = must_alloc(5001);

    memset(text, 'x', 5000);
    log_set_form(LOG_FORM_TEXT);
    log_line(LOG_LEVEL_INFO, "%s", text);
    const char *line = take();

    ck_assert_uint_lt(strlen(line), 2100);
    ck_assert_ptr_nonnull(strstr(line, "xx …\n"));
    free(text);
}
END_TEST

START_TEST(standard_error_may_lead_to_the_journal)
{
    enum log_form form = LOG_FORM_JSON;
    struct stat info;
    char here[64];

    ck_assert_int_eq(unsetenv("JOURNAL_STREAM"), 0);
    ck_assert(log_find_form(NULL, &form));
    ck_assert_int_eq(form, LOG_FORM_TEXT);
    ck_assert_int_eq(fstat(STDERR_FILENO, &info), 0);
    snprintf(here, sizeof(here), "%llu:%llu", (unsigned long long)info.st_dev,
             (unsigned long long)info.st_ino);
    ck_assert_int_eq(setenv("JOURNAL_STREAM", here, 1), 0);
    ck_assert(log_find_form(NULL, &form));
    ck_assert_int_eq(form, LOG_FORM_JOURNAL);
    ck_assert_int_eq(setenv("JOURNAL_STREAM", "1:1", 1), 0);
    ck_assert(log_find_form(NULL, &form));
    ck_assert_int_eq(form, LOG_FORM_TEXT);
    ck_assert(log_find_form("json", &form));
    ck_assert_int_eq(form, LOG_FORM_JSON);
    ck_assert(!log_find_form("xml", &form));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/log");
    TCase *tcase = tcase_create("lines");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_line_of_text_has_its_level);
    tcase_add_test(tcase, the_journal_reads_priorities);
    tcase_add_test(tcase, json_has_an_object_a_line_with_what_it_is_about);
    tcase_add_test(tcase, a_long_line_says_that_it_was_cut);
    tcase_add_test(tcase, standard_error_may_lead_to_the_journal);
    suite_add_tcase(suite, tcase);
    return suite;
}
