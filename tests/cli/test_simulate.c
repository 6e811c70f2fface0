/*
 * `simulate` and `verify`, as they are typed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/cli/command.h"
#include "engine/rules.h"
#include "tests/cli/command_line.h"
#include "tests/support/runner.h"

static int
run(const char *line)
{
    return command_line_run(strncmp(line, "verify", 6) == 0 ? command_verify
                                                            : command_simulate,
                            line);
}

static int
verify(const char *name)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "verify %s", scratch_path(name));
    int code = run(buf_text(&line));
    buf_release(&line);
    return code;
}

static void
save(const char *name, const struct buf *text)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        file_write(scratch_path(name), buf_text(text), text->len, 0600, &why),
        ERR_NONE);
}

/* Not by strstr, which sanitizers make slow on long texts. */
static unsigned
count_of(const struct buf *text, const char *word)
{
    size_t len = strlen(word);
    unsigned count = 0;
    const char *at = buf_text(text);
    const char *end = at + text->len;
    while ((at = memchr(at, *word, (size_t)(end - at))) != NULL) {
        count += (size_t)(end - at) >= len && memcmp(at, word, len) == 0;
        at++;
    }
    return count;
}

static void
assert_says(const struct buf *text, const char *words)
{
    ck_assert_msg(strstr(buf_text(text), words) != NULL, "%s, not %s",
                  buf_text(text), words);
}

/* ---- simulate ------------------------------------------------------------ */

START_TEST(games_of_any_number_of_players_and_rules_are_legal)
{
    const char *preset = rules_preset_name((unsigned)_i % RULES_PRESETS);
    struct buf line = BUF_INIT;
    buf_addf(&line,
             "simulate --games 40 --players %d --rules %s --record - --json",
             5 + _i / 3, preset);
    ck_assert_int_eq(run(buf_text(&line)), EXIT_DONE);
    assert_says(&errors, "{\"games\":40,");
    save("games", &said);
    ck_assert_int_eq(verify("games"), EXIT_DONE);
    ck_assert_uint_eq(count_of(&said, "legal and finished; no fairness proof"),
                      40);
    ck_assert_uint_eq(errors.len, 0);
    buf_release(&line);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_games)
{
    struct buf first = BUF_INIT;
    ck_assert_int_eq(run("simulate --games 20 --seed 5EC7e7 --record -"),
                     EXIT_DONE);
    buf_add_buf(&first, &said);
    ck_assert_int_eq(run("simulate --games 20 --seed 00005ec7e7 --record -"),
                     EXIT_DONE);
    ck_assert(buf_equals(&said, buf_text(&first)));
    ck_assert_int_eq(run("simulate --games 20 --seed 5ec7e8 --record -"),
                     EXIT_DONE);
    ck_assert(!buf_equals(&said, buf_text(&first)));
    /* A record makes no difference to the games. */
    ck_assert_int_eq(run("simulate --games 20 --seed 5ec7e7 --json"),
                     EXIT_DONE);
    json_object *object = NULL;
    struct buf why = BUF_INIT;
    int64_t won = 0;
    ck_assert_int_eq(jdoc_parse(buf_text(&said), said.len, true, &object, &why),
                     ERR_NONE);
    ck_assert(
        jdoc_integer(jdoc_get(object, "fascist"), "hitler_chancellor", &won));
    ck_assert_int_eq(won, count_of(&first, "\"reason\":\"hitler_chancellor\""));
    json_object_put(object);
    buf_release(&first);
}
END_TEST

START_TEST(a_record_is_as_the_format_has_it)
{
    ck_assert_int_eq(run("simulate --games 2 --players 5 --seed 1 --record -"),
                     EXIT_DONE);
    assert_says(&said,
                "{\"seq\":0,\"at\":\"2000-01-01T00:00:00Z\",\"event\":"
                "\"opened\",\"format\":\"placard-record/1\",\"game\":\"sim-1\","
                "\"rules\":{\"preset\":\"play-by-post\",");
    assert_says(&said, "\"commitment\":null}\n"
                       "{\"seq\":1,\"at\":\"2000-01-01T00:00:00Z\",\"event\":"
                       "\"seated\",\"players\":[\"Player 1\",\"Player 2\","
                       "\"Player 3\",\"Player 4\",\"Player 5\"],"
                       "\"transcript\":null}\n");
    assert_says(&said, "\"game\":\"sim-2\"");
    assert_says(&said, "\"event\":\"revealed\",\"seed\":null,");
    assert_says(&errors, "games a second");
}
END_TEST

START_TEST(rules_are_set_one_by_one)
{
    ck_assert_int_eq(run("simulate --games 5 --rules official "
                         "--set vote_closes=decided --set=ballot=open "
                         "--record -"),
                     EXIT_DONE);
    ck_assert_uint_eq(count_of(&said, "\"preset\":\"official\""), 5);
    ck_assert_uint_eq(
        count_of(&said, "\"ballot\":\"open\",\"vote_closes\":\"decided\""), 5);
    save("games", &said);
    ck_assert_int_eq(verify("games"), EXIT_DONE);
}
END_TEST

START_TEST(a_record_goes_to_a_file)
{
    struct buf line = BUF_INIT;
    buf_addf(&line, "simulate --games 30 --record %s", scratch_path("games"));
    ck_assert_int_eq(run(buf_text(&line)), EXIT_DONE);
    assert_says(&said, "30 games of 7 players");
    ck_assert_uint_eq(errors.len, 0);
    ck_assert_int_eq(verify("games"), EXIT_DONE);
    ck_assert_uint_eq(count_of(&said, "\n"), 30);
    buf_release(&line);
    buf_addf(&line, "simulate --record %s/none/games", scratch_path("x"));
    ck_assert_int_eq(run(buf_text(&line)), EXIT_FAULT);
    assert_says(&errors, "No such file");
    buf_release(&line);
}
END_TEST

/* Late votes and names, vetoes and their answers: about as often as told. */
START_TEST(players_are_late_as_often_as_they_should_be)
{
    ck_assert_int_eq(
        run("simulate --games 2000 --rules official --seed 7 --record -"),
        EXIT_DONE);
    double rounds = count_of(&said, "\"event\":\"round\"");
    double named = count_of(&said, "\"event\":\"nominated\"");
    ck_assert_double_ge(named / rounds, 0.93);
    ck_assert_double_le(named / rounds, 0.945);
    double ja = count_of(&said, "\"vote\":\"ja\"");
    double nein = count_of(&said, "\"vote\":\"nein\"");
    ck_assert_double_ge(ja / (ja + nein), 0.495);
    ck_assert_double_le(ja / (ja + nein), 0.505);
    double asked = count_of(&said, "\"event\":\"veto_asked\"");
    double agreed = count_of(&said, "\"agreed\":true");
    ck_assert_double_ge(asked, 50);
    ck_assert_double_ge(agreed / asked, 0.4);
    ck_assert_double_le(agreed / asked, 0.6);
}
END_TEST

static const struct {
    const char *line;
    const char *words;
} misuses[] = {
    {"simulate --games 0", "--games must be a number from 1"},
    {"simulate --games 12x", "--games must be a number from 1"},
    {"simulate --games 99999999999999999999", "--games must be a number"},
    {"simulate --games -1", "--games must be a number"},
    {"simulate --players 4", "--players must be a number from 5 to 10"},
    {"simulate --players 11", "--players must be a number from 5 to 10"},
    {"simulate --rules german", "play-by-post, official and french"},
    {"simulate --set ballot", "term_limit"},
    {"simulate --set ballot=shut", "ballot=open ballot=sealed"},
    {"simulate --set colour=red", "tracker_resets_on"},
    {"simulate --seed xyz", "1 to 64 hex digits"},
    {"simulate --seed=", "1 to 64 hex digits"},
    {"simulate --colour", "unknown option --colour"},
    {"simulate 7", "\"7\" is no option"},
    {"verify", "which record?"},
    {"verify a b", "which record?"},
    {"verify --loud a", "unknown option --loud"},
};

START_TEST(wrong_use_is_told)
{
    ck_assert_int_eq(run(misuses[_i].line), EXIT_USAGE);
    assert_says(&errors, misuses[_i].words);
    ck_assert_uint_eq(said.len, 0);
}
END_TEST

/* ---- verify -------------------------------------------------------------- */

/* Some games, of which the text `from` is once changed into `to`. */
static void
save_changed(const char *from, const char *to)
{
    struct buf text = BUF_INIT;
    ck_assert_int_eq(
        run("simulate --games 3 --players 7 --seed 3 --rules official "
            "--record -"),
        EXIT_DONE);
    const char *at = strstr(buf_text(&said), from);
    ck_assert_ptr_nonnull(at);
    buf_add(&text, buf_text(&said), (size_t)(at - buf_text(&said)));
    buf_add_text(&text, to);
    buf_add_text(&text, at + strlen(from));
    save("games", &text);
    buf_release(&text);
}

START_TEST(the_first_wrong_line_is_named_and_its_rule)
{
    save_changed("\"reason\":\"rejected\",\"tracker\":1",
                 "\"reason\":\"rejected\",\"tracker\":2");
    ck_assert_int_eq(verify("games"), EXIT_FAULT);
    ck_assert_uint_eq(count_of(&said, "\n"), 3);
    ck_assert_uint_eq(count_of(&said, "legal and finished"), 2);
    assert_says(&said, ": election breaks Election 5: `tracker` must be 1\n");
    assert_says(&said, "sim-1: line ");
    assert_says(&said, ", seq ");
}
END_TEST

START_TEST(an_unfinished_game_is_legal_so_far)
{
    struct buf text = BUF_INIT;
    ck_assert_int_eq(run("simulate --games 1 --record -"), EXIT_DONE);
    buf_add_buf(&text, &said);
    for (unsigned i = 0; i < 4; i++) {
        const char *end = strrchr(buf_text(&text), '\n');
        buf_truncate(&text, (size_t)(end - buf_text(&text)));
    }
    buf_add_char(&text, '\n');
    save("games", &text);
    ck_assert_int_eq(verify("games"), EXIT_DONE);
    ck_assert_str_eq(buf_text(&said),
                     "sim-1: legal so far (unfinished); no fairness proof\n");
    buf_release(&text);
}
END_TEST

START_TEST(what_is_no_record_is_told)
{
    save_changed("\"event\":\"election\"", "\"event\":\"erection\"");
    ck_assert_int_eq(verify("games"), EXIT_FAULT);
    ck_assert_uint_eq(said.len, 0);
    assert_says(&errors, "games: line ");
    assert_says(&errors, "is none of the record's");
    save_changed("sim-2\"", "sim-2\",\"game\":\"sim-2\"");
    ck_assert_int_eq(verify("games"), EXIT_FAULT);
    ck_assert_str_eq(buf_text(&said),
                     "sim-1: legal and finished; no fairness proof\n");
    assert_says(&errors, "the same key twice");
    ck_assert_int_eq(verify("none"), EXIT_FAULT);
    assert_says(&errors, "No such file");
    ck_assert_int_eq(run("verify /tmp"), EXIT_FAULT);
    assert_says(&errors, "directory");
}
END_TEST

/* A rule is broken before the line that can't be read: both are told. */
START_TEST(a_broken_rule_is_told_of_a_game_that_breaks_off)
{
    save_changed("\"tracker\":1", "\"tracker\":2");
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_int_eq(file_read(scratch_path("games"), &text, &why), ERR_NONE);
    const char *second = strstr(buf_text(&text), "sim-2");
    const char *ended = strstr(buf_text(&text), "\"event\":\"ended\"");
    ck_assert(ended < second);
    buf_truncate(&text, (size_t)(ended - buf_text(&text)));
    save("games", &text);
    ck_assert_int_eq(verify("games"), EXIT_FAULT);
    assert_says(&said, "sim-1: line ");
    assert_says(&errors, "no line feed");
    buf_release(&text);
}
END_TEST

/* ---- the suite ----------------------------------------------------------- */

Suite *
test_suite(void)
{
    Suite *suite = suite_create("simulate");
    TCase *tcase = tcase_create("simulate");
    tcase_add_checked_fixture(tcase, command_line_set_up,
                              command_line_tear_down);
    tcase_add_loop_test(
        tcase, games_of_any_number_of_players_and_rules_are_legal, 0, 18);
    tcase_add_test(tcase, the_same_seed_gives_the_same_games);
    tcase_add_test(tcase, a_record_is_as_the_format_has_it);
    tcase_add_test(tcase, rules_are_set_one_by_one);
    tcase_add_test(tcase, a_record_goes_to_a_file);
    tcase_add_test(tcase, players_are_late_as_often_as_they_should_be);
    tcase_add_loop_test(tcase, wrong_use_is_told, 0,
                        sizeof misuses / sizeof misuses[0]);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("verify");
    tcase_add_checked_fixture(tcase, command_line_set_up,
                              command_line_tear_down);
    tcase_add_test(tcase, the_first_wrong_line_is_named_and_its_rule);
    tcase_add_test(tcase, an_unfinished_game_is_legal_so_far);
    tcase_add_test(tcase, what_is_no_record_is_told);
    tcase_add_test(tcase, a_broken_rule_is_told_of_a_game_that_breaks_off);
    suite_add_tcase(suite, tcase);
    return suite;
}
