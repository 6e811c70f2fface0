#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "bot/base/files.h"
#include "bot/host/words/catalogue.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

/* The language "xx" in a folder of its own. */
static struct catalogue catalogue;
static struct buf why;

static void
set_up(void)
{
    scratch_make();
    ck_assert_int_eq(mkdir(scratch_path("languages"), 0700), 0);
    ck_assert_int_eq(setenv("PLACARD_DATA", scratch, 1), 0);
    memset(&catalogue, 0, sizeof catalogue);
}

static void
tear_down(void)
{
    catalogue_release(&catalogue);
    buf_release(&why);
    (void)!remove(scratch_path("languages/xx.cfg"));
    (void)!remove(scratch_path("themes/space.cfg"));
    (void)!remove(scratch_path("themes"));
    scratch_remove();
}

static enum err
load(const char *text)
{
    ck_assert_int_eq(file_write(scratch_path("languages/xx.cfg"), text,
                                strlen(text), 0600, &why),
                     ERR_NONE);
    return catalogue_load(&catalogue, "xx", THEME_ORIGINAL, &why);
}

static void
must_load(const char *text)
{
    ck_assert_msg(load(text) == ERR_NONE, "%s", buf_text(&why));
}

/* A rich text with its marks written as tags: <b>, <c>, <@id>. */
static void
show(const struct rich *rich, struct buf *out)
{
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *tag = run->marks & MARK_CODE ? "c" : "b";
        if (run->marks & MARK_MENTION) {
            buf_addf(out, "<@%.*s>", (int)run->id_len, rich_run_id(rich, run));
        }
        if (run->marks & (MARK_BOLD | MARK_CODE)) {
            buf_addf(out, "<%s>", tag);
        }
        buf_add(out, rich_run_text(rich, run), run->len);
        if (run->marks & (MARK_BOLD | MARK_CODE)) {
            buf_addf(out, "</%s>", tag);
        }
    }
}

static void
assert_said(const struct params *params, const char *expected)
{
    struct rich rich = {.count = 0};
    struct buf shown = BUF_INIT;
    catalogue_say(&catalogue, "k", params, &rich);
    show(&rich, &shown);
    ck_assert_str_eq(buf_text(&shown), expected);
    buf_release(&shown);
    rich_release(&rich);
}

/* ---- saying -------------------------------------------------------------- */

/* The parameters of all cases below. */
static void
set_params(struct params *params)
{
    memset(params, 0, sizeof *params);
    params_text(params, "name", "Anna");
    params_text(params, "empty", "");
    params_text(params, "null", NULL);
    params_number(params, "nought", 0);
    params_number(params, "one", 1);
    params_number(params, "many", 12);
    params_number(params, "minus", -3);
    params_person(params, "people", "@a:x", "Anna");
    params_person(params, "people", "@b:x", "Bob");
    params_person(params, "somebody", "@c:x", "Carl");
    params_person(params, "jr", "@j:x", "J.R.");
}

static const struct {
    const char *template, *said;
} cases[] = {
    {"plain", "plain"},
    {"", ""},
    {"{name}", "Anna"},
    {"<{name}> and {name}!", "<Anna> and Anna!"},
    {"{empty}{null}{unknown}", ""},
    {"{nought} {one} {many} {minus}", "0 1 12 -3"},
    {"{people}", "Anna, Bob"},
    {"{@people}", "<@@a:x>Anna, <@@b:x>Bob"},
    {"{@somebody}", "<@@c:x>Carl"},
    {"{@name} {@many}", "Anna 12"},
    /* lists as one says them */
    {"{people&}", "Anna, Bob"},
    {"{@somebody&}", "<@@c:x>Carl"},
    {"{name&}{unknown&}", "Anna"},
    /* conditions */
    {"{name?yes}{name!no}", "yes"},
    {"{empty?yes}{empty!no}", "no"},
    {"{null?yes}{null!no}", "no"},
    {"{unknown?yes}{unknown!no}", "no"},
    {"{nought?yes}{nought!no}", "no"},
    {"{one?yes}{one!no}", "yes"},
    {"{minus?yes}{minus!no}", "yes"},
    {"{people?yes}{people!no}", "yes"},
    {"{one?}{one!no}x", "x"},
    {"{one?a?b!c#d|e}", "a?b!c#d|e"},
    /* plurals */
    {"{one#one card|{one} cards}", "one card"},
    {"{many#one card|{many} cards}", "12 cards"},
    {"{nought#one card|{nought} cards}", "0 cards"},
    {"{people#one person|{people}}", "Anna, Bob"},
    {"{somebody#one person|several}", "one person"},
    {"{unknown#one|many}", "many"},
    /* numbers as words, as far as there are words */
    {"{one&} of {many&}", "one of 12"},
    {"{one#{name?a|b}|c}", "a|b"},
    {"{many#a|b|c}", "b|c"},
    /* nesting */
    {"{one?{name} has {many#one|{many}}{empty? or {empty}}}", "Anna has 12"},
    {"{one?{one?{one?{one?deep}}}}", "deep"},
    /* marks */
    {"**bold** and `code`", "<b>bold</b> and <c>code</c>"},
    {"**{name}**", "<b>Anna</b>"},
    {"**{@somebody}**", "<@@c:x><b>Carl</b>"},
    {"`{name} **{name}**`", "<c>Anna **Anna**</c>"},
    {"{one?**yes** or}", "<b>yes</b> or"},
    {"**{one?yes}{empty!, no}**", "<b>yes, no</b>"},
    {"a * b ** c", "a * b <b> c</b>"},
    /* a name that ends in a full stop ends a sentence, too */
    {"{jr}. Next.", "J.R. Next."},
    {"**{jr}**.", "<b>J.R.</b>"},
    {"{@jr}{one?.}", "<@@j:x>J.R."},
    {"{jr}{empty?}{one?.}\n", "J.R.\n"},
    {"{jr}, {jr}: {jr}... {jr}?", "J.R., J.R.: J.R.... J.R.?"},
    {"`{jr}`.", "<c>J.R.</c>."},
    {"End..", "End.."},
};

START_TEST(templates_say_what_they_should)
{
    struct params params;
    struct buf file = BUF_INIT;
    buf_addf(&file,
             "k = \"%s\";\nlist_separator = \", \";\n"
             "numbers = \"no one two\";\n",
             cases[_i].template);
    must_load(buf_text(&file));
    set_params(&params);
    assert_said(&params, cases[_i].said);
    buf_release(&file);
}
END_TEST

START_TEST(what_a_player_wrote_stays_text)
{
    static const char *const values[] = {
        "**bold**", "`code`",   "{name}",    "{@people}", "}{",
        "{one?x}",  "[b]x[/b]", "@everyone", "a\nb",      "!join",
    };
    must_load("k = \"I am {name}, **{name}**, `{name}`.\";");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct params params = {.count = 0};
        struct buf expected = BUF_INIT;
        struct rich rich = {.count = 0};
        params_number(&params, "one", 1);
        params_text(&params, "name", values[i]);
        buf_addf(&expected, "I am %s, %s, %s.", values[i], values[i],
                 values[i]);
        catalogue_say(&catalogue, "k", &params, &rich);
        ck_assert_str_eq(buf_text(&rich.text), buf_text(&expected));
        /* unmarked, bold, unmarked, code (but for its line break), unmarked */
        ck_assert_uint_ge(rich.count, 5);
        ck_assert_uint_eq(rich.runs[0].marks, 0);
        ck_assert_uint_eq(rich.runs[0].len, 5 + strlen(values[i]) + 2);
        buf_release(&expected);
        rich_release(&rich);
    }
}
END_TEST

START_TEST(in_the_boards_dialect_it_reads_back_as_text)
{
    static const char *const values[] = {
        "**Ja!**",  "[b]Ja![/b]", "`x`", "[mention=Bob]Bob[/mention]",
        "> quoted", "[quote]"};
    must_load("k = \"{name} said so.\";");
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct params params = {.count = 0};
        struct rich rich = {.count = 0};
        struct rich back = {.count = 0};
        struct buf written = BUF_INIT;
        bool unread = false;
        params_text(&params, "name", values[i]);
        catalogue_say(&catalogue, "k", &params, &rich);
        dialect_board.write(&rich, &written);
        dialect_board.read(written.data, written.len, &back, &unread);
        ck_assert_uint_eq(back.count, 1);
        ck_assert_uint_eq(back.runs[0].marks, 0);
        buf_release(&written);
        rich_release(&rich);
        rich_release(&back);
    }
}
END_TEST

START_TEST(a_rich_value_keeps_its_marks)
{
    struct params params = {.count = 0};
    struct rich value = {.count = 0};
    must_load("k = \"a {example} b{none?, c}\";");
    rich_add_text(&value, "x{name}", MARK_CODE);
    rich_add_mention(&value, "7", "Anna", 0);
    params_rich(&params, "example", &value);
    struct rich none = {.count = 0};
    params_rich(&params, "none", &none);
    assert_said(&params, "a <c>x{name}</c><@7>Anna b");
    rich_release(&value);
}
END_TEST

START_TEST(of_two_parameters_of_one_name_the_later_is_said)
{
    struct params params = {.count = 0};
    must_load("k = \"{name} {number}\";");
    params_text(&params, "name", "shared");
    params_number(&params, "number", 1);
    params_text(&params, "name", "own");
    params_set_number(&params, "number", 2);
    ck_assert_uint_eq(params.count, 3);
    params_set_number(&params, "other", 3);
    ck_assert_uint_eq(params.count, 4);
    assert_said(&params, "own 2");
}
END_TEST

START_TEST(saying_changes_no_parameter_and_appends)
{
    struct params params;
    struct params before;
    struct rich rich = {.count = 0};
    must_load("k = \"{people?{people}}\"; list_separator = \" & \";");
    set_params(&params);
    before = params;
    rich_add_text(&rich, "Here: ", 0);
    catalogue_say(&catalogue, "k", &params, &rich);
    catalogue_say(&catalogue, "k", &params, &rich);
    ck_assert_str_eq(buf_text(&rich.text), "Here: Anna & BobAnna & Bob");
    ck_assert_mem_eq(&params, &before, sizeof params);
    rich_release(&rich);
}
END_TEST

START_TEST(without_parameters_and_without_a_key_something_is_said)
{
    struct buf out = BUF_INIT;
    must_load("k = \"{name}!\";");
    catalogue_text(&catalogue, "k", NULL, &out);
    catalogue_text(&catalogue, "missing_key", NULL, &out);
    ck_assert_str_eq(buf_text(&out), "!missing_key");
    buf_release(&out);
}
END_TEST

START_TEST(a_language_may_count_nought_as_one)
{
    struct params params;
    must_load("k = \"{nought#carte|cartes} {one#carte|cartes} "
              "{many#carte|cartes}\"; plural_rule = \"zero_and_one\";");
    set_params(&params);
    assert_said(&params, "carte carte cartes");
}
END_TEST

/* ---- words and times ----------------------------------------------------- */

START_TEST(words_stand_in_lists)
{
    must_load("words = \" join  rejoindre\tdeelnemen \"; empty = \"\";");
    ck_assert(catalogue_is_word(&catalogue, "words", "join"));
    ck_assert(catalogue_is_word(&catalogue, "words", "rejoindre\tdeelnemen"));
    ck_assert(!catalogue_is_word(&catalogue, "words", "joi"));
    ck_assert(!catalogue_is_word(&catalogue, "words", "joins"));
    ck_assert(!catalogue_is_word(&catalogue, "words", ""));
    ck_assert(!catalogue_is_word(&catalogue, "empty", "join"));
    ck_assert(!catalogue_is_word(&catalogue, "missing", "join"));
}
END_TEST

/* ---- words and themes ---------------------------------------------------- */

static const char words_of_xx[] =
    "words: { liberals = \"ébène folk\"; hitler = \"Hitler\"; };\n"
    "k = \"<Liberals> and <liberals> fear <hitler> <3 <B> < liberals>\";\n"
    "and = \" and \";\n";

START_TEST(words_stand_in_texts_with_a_capital_if_written_so)
{
    must_load("words: { liberals = \"ébène folk\"; b = \"\"; };"
              "k = \"<Liberals>, <liberals><b>! <3 < liberals> <\";");
    assert_said(NULL, "Ébène folk, ébène folk! <3 < liberals> <");
    ck_assert_str_eq(language_find(&catalogue.language, "liberals"),
                     "ébène folk");
}
END_TEST

START_TEST(a_word_that_there_is_not_is_named_with_its_line)
{
    ck_assert_int_eq(load(words_of_xx), ERR_CONFIG);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&why), "xx.cfg:2: k: there is no word <b>"));
}
END_TEST

static enum err
load_dressed(const char *language, const char *theme)
{
    (void)mkdir(scratch_path("themes"), 0700);
    ck_assert_int_eq(file_write(scratch_path("languages/xx.cfg"), language,
                                strlen(language), 0600, &why),
                     ERR_NONE);
    ck_assert_int_eq(file_write(scratch_path("themes/space.cfg"), theme,
                                strlen(theme), 0600, &why),
                     ERR_NONE);
    return catalogue_load(&catalogue, "xx", "space", &why);
}

#define WORDS                                                                  \
    "words: { liberals = \"Liberals\"; hitler = \"Hitler\"; };"                \
    "k = \"The <liberals> fear <hitler>. <Hitler>!\";"

START_TEST(a_theme_lays_its_words_over_those_of_the_language)
{
    ck_assert_int_eq(load_dressed(WORDS, "xx: { hitler = \"the Emperor\"; };"
                                         "yy: { hitler = \"other\"; };"),
                     ERR_NONE);
    assert_said(NULL, "The Liberals fear the Emperor. The Emperor!");
    ck_assert(theme_speaks("space", "xx"));
    ck_assert(theme_speaks("space", "yy"));
    ck_assert(!theme_speaks("space", "zz"));
    ck_assert(!theme_speaks("nowhere", "xx"));
    ck_assert(theme_speaks(THEME_ORIGINAL, "zz"));
}
END_TEST

static const struct {
    const char *theme, *why;
} wrong_themes[] = {
    {"xx: { hitlers = \"x\"; };",
     "space.cfg:1: hitlers: the language has no such word"},
    {"xx: { k = \"x\"; };", "space.cfg:1: k: the language has no such word"},
    {"yy: { hitler = \"x\"; };", "has no words in the language \"xx\""},
    {"xx: { hitler = 1; };", "space.cfg:1: hitler: must be a text in quotes"},
    {"xx: { hitler = \"{x}\"; };", "hitler: a word is text alone"},
    {"xx: { hitler = \"**x**\"; };", "hitler: a word is text alone"},
    {"xx: {", "syntax error"},
};

START_TEST(a_wrong_theme_is_told_with_its_line)
{
    ck_assert_int_eq(load_dressed(WORDS, wrong_themes[_i].theme), ERR_CONFIG);
    ck_assert_msg(strstr(buf_text(&why), wrong_themes[_i].why) != NULL, "%s",
                  buf_text(&why));
}
END_TEST

START_TEST(a_word_is_no_text_too)
{
    ck_assert_int_eq(load("words: { k = \"x\"; }; k = \"y\";"), ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "k: is a word and a text"));
}
END_TEST

START_TEST(vote_words_must_be_such)
{
    ck_assert_int_eq(load("words: { vote_words = \"Ja\"; };"), ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "these are no vote words"));
}
END_TEST

START_TEST(people_are_joined_as_the_language_does)
{
    must_load("list_separator = \"; \"; and = \" & \"; or = \" / \"; "
              "k = \"{people&}, {people|}\";");
    struct params params;
    set_params(&params);
    params_person(&params, "people", "@d:x", "Dora");
    assert_said(&params, "Anna; Bob & Dora, Anna; Bob / Dora");
}
END_TEST

static const struct {
    int64_t length;
    const char *said;
} durations[] = {
    {30 * MINUTE_MS, "30 min"},
    {HOUR_MS, "1 h"},
    {90 * MINUTE_MS, "1 h 30"},
    {DAY_MS, "1 j"},
    {DAY_MS + 5 * MINUTE_MS, "1 j 5 min"},
    {2 * DAY_MS + HOUR_MS, "2 j 1 h"},
    {45 * SECOND_MS, "45 s"},
    {90 * SECOND_MS, "1 min 30 s"},
};

START_TEST(lengths_are_told_as_the_language_does)
{
    struct buf out = BUF_INIT;
    must_load("duration = \"{days?{days} j}{hours?{days? }{hours} h}"
              "{minutes?{days?{hours! }}{hours? {minutes}}"
              "{hours!{minutes} min}}{seconds?{minutes? }{seconds} s}\";");
    catalogue_duration(&catalogue, durations[_i].length, &out);
    ck_assert_str_eq(buf_text(&out), durations[_i].said);
    buf_release(&out);
}
END_TEST

START_TEST(a_library_loads_each_catalogue_once)
{
    struct catalogues catalogues = {.count = 0};
    const struct catalogue *one = NULL;
    const struct catalogue *two = NULL;
    must_load("k = \"x\";");
    ck_assert_int_eq(
        catalogues_open(&catalogues, "xx", THEME_ORIGINAL, &one, &why),
        ERR_NONE);
    ck_assert_int_eq(
        catalogues_open(&catalogues, "xx", THEME_ORIGINAL, &two, &why),
        ERR_NONE);
    ck_assert_ptr_eq(one, two);
    ck_assert_int_ne(
        catalogues_open(&catalogues, "yy", THEME_ORIGINAL, &two, &why),
        ERR_NONE);
    ck_assert_uint_eq(catalogues.count, 1);
    catalogues_release(&catalogues);
}
END_TEST

#define TIMES                                                                  \
    "weekdays = \"Sun Mon Tue Wed Thu Fri Sat\";"                              \
    "months = \"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec\";"            \
    "clock = \"{hour_two}:{minute}{second?:{second}}\";"                       \
    "time = \"{weekday} {day} {month}, {clock} {zone}{utc? ({utc} UTC)}\";"

static void
assert_time(int64_t instant, const struct zone *zone, const char *expected)
{
    struct buf out = BUF_INIT;
    catalogue_time(&catalogue, instant, zone, &out);
    ck_assert_str_eq(buf_text(&out), expected);
    buf_release(&out);
}

START_TEST(a_time_can_be_told_to_the_second)
{
    struct buf out = BUF_INIT;
    int64_t instant = 0;
    must_load(TIMES);
    ck_assert(instant_read("2026-11-22T23:05:09Z", &instant));
    catalogue_time_exact(&catalogue, instant, zone_utc(), &out);
    ck_assert_str_eq(buf_text(&out), "Sun 22 Nov, 23:05:09 UTC");
    buf_release(&out);
}
END_TEST

START_TEST(times_are_told_in_the_zone_and_in_utc)
{
    struct zone *berlin = NULL;
    int64_t winter = 0;
    int64_t summer = 0;
    must_load(TIMES);
    ck_assert_int_eq(zone_load("Europe/Berlin", &berlin, &why), ERR_NONE);
    ck_assert(instant_read("2026-11-22T23:05:59Z", &winter));
    ck_assert(instant_read("2026-07-01T08:00:00Z", &summer));
    assert_time(winter, zone_utc(), "Sun 22 Nov, 23:05 UTC");
    assert_time(winter, berlin, "Mon 23 Nov, 00:05 CET (23:05 UTC)");
    assert_time(summer, berlin, "Wed 1 Jul, 10:00 CEST (08:00 UTC)");
    zone_free(berlin);
}
END_TEST

START_TEST(a_month_without_a_word_is_told_as_its_number)
{
    int64_t instant = 0;
    must_load("weekdays = \"\"; months = \"Jan\";"
              "time = \"{weekday} {day} {month}\";");
    ck_assert(instant_read("2026-11-22T10:00:00Z", &instant));
    assert_time(instant, zone_utc(), "0 22 10");
}
END_TEST

/* ---- loading ------------------------------------------------------------- */

static const char *const bad_templates[] = {
    "{",           "}",        "{}",
    "{name",       "name}",    "{Name}",
    "{n4me}",      "{@}",      "{ name}",
    "{?x}",        "{name#}",  "{n#one}",
    "{name:x}",    "{name?{}", "{name?{x}",
    "{name|x}",    "{name=}",  "{a?{b!{c}}}}",
    "{a#{b|c}|d}", "{a?{}}",   "{a?{b?{c?{d?{e?{f}}}}}}",
};

START_TEST(a_bad_template_is_refused_with_its_file_line_and_key)
{
    struct buf file = BUF_INIT;
    char expected[200];
    buf_addf(&file, "good = \"{name}\";\n\n\nbad_one = \"%s\";\n",
             bad_templates[_i]);
    ck_assert_msg(load(buf_text(&file)) == ERR_CONFIG, "%s", bad_templates[_i]);
    snprintf(expected, sizeof expected,
             "%s/languages/xx.cfg:4: bad_one: ", scratch);
    ck_assert_msg(strstr(buf_text(&why), expected) == buf_text(&why), "%s",
                  buf_text(&why));
    ck_assert_uint_eq(catalogue.language.count, 0);
    buf_release(&file);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_refused)
{
    ck_assert_int_ne(catalogue_load(&catalogue, "yy", THEME_ORIGINAL, &why),
                     ERR_NONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "languages/yy.cfg"));
}
END_TEST

START_TEST(a_file_of_wrong_syntax_is_refused_with_its_line)
{
    ck_assert_int_eq(load("a = \"x\";\nb = ;\n"), ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "xx.cfg:2:"));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/catalogue");
    TCase *tcase = tcase_create("catalogue");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, templates_say_what_they_should, 0,
                        sizeof cases / sizeof cases[0]);
    tcase_add_test(tcase, what_a_player_wrote_stays_text);
    tcase_add_test(tcase, in_the_boards_dialect_it_reads_back_as_text);
    tcase_add_test(tcase, a_rich_value_keeps_its_marks);
    tcase_add_test(tcase, of_two_parameters_of_one_name_the_later_is_said);
    tcase_add_test(tcase, saying_changes_no_parameter_and_appends);
    tcase_add_test(tcase,
                   without_parameters_and_without_a_key_something_is_said);
    tcase_add_test(tcase, a_language_may_count_nought_as_one);
    tcase_add_test(tcase, words_stand_in_lists);
    tcase_add_test(tcase, times_are_told_in_the_zone_and_in_utc);
    tcase_add_test(tcase, a_time_can_be_told_to_the_second);
    tcase_add_test(tcase, a_month_without_a_word_is_told_as_its_number);
    tcase_add_loop_test(tcase,
                        a_bad_template_is_refused_with_its_file_line_and_key, 0,
                        sizeof bad_templates / sizeof bad_templates[0]);
    tcase_add_test(tcase, a_file_that_is_not_there_is_refused);
    tcase_add_test(tcase, a_file_of_wrong_syntax_is_refused_with_its_line);
    tcase_add_test(tcase, words_stand_in_texts_with_a_capital_if_written_so);
    tcase_add_test(tcase, a_word_that_there_is_not_is_named_with_its_line);
    tcase_add_test(tcase, a_theme_lays_its_words_over_those_of_the_language);
    tcase_add_loop_test(tcase, a_wrong_theme_is_told_with_its_line, 0,
                        sizeof wrong_themes / sizeof wrong_themes[0]);
    tcase_add_test(tcase, a_word_is_no_text_too);
    tcase_add_test(tcase, vote_words_must_be_such);
    tcase_add_test(tcase, people_are_joined_as_the_language_does);
    tcase_add_loop_test(tcase, lengths_are_told_as_the_language_does, 0,
                        sizeof durations / sizeof durations[0]);
    tcase_add_test(tcase, a_library_loads_each_catalogue_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
