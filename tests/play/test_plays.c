/*
 * Every play in this folder, performed; and what is said of a play that is
 * wrong.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/effort.h"
#include "tests/support/plays.h"
#include "tests/support/runner.h"

#define FOLDER "tests/play"

enum {
    PLAYS_MAX = 300,
    PLAYS_LEAST = 24
};

/* The plays' files, sorted. */
static struct dirent **files;
static int file_count;

static int
is_play(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 5 && strcmp(entry->d_name + len - 5, ".play") == 0;
}

/* A play's path, borrowed until the next. */
static const char *
play_path(int number)
{
    static char path[300];
    snprintf(path, sizeof path, FOLDER "/%s", files[number]->d_name);
    return path;
}

/* Perform a file; it MUST go as written. */
static void
perform(int number, bool restarts, struct performance *performance)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    const char *path = play_path(number);
    ck_assert_msg(file_read(path, &text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    if (!play_perform(path, buf_text(&text), restarts, performance)) {
        ck_abort_msg("%s", buf_text(&performance->fault));
    }
    buf_release(&text);
}

static void
must_be_legal(const char *path, const struct buf *lines)
{
    struct record record = {.game_count = 0};
    struct verdict verdict;
    struct buf why = BUF_INIT;
    ck_assert_msg(record_read(buf_text(lines), lines->len, &record, &why) ==
                      ERR_NONE,
                  "%s: %s", path, buf_text(&why));
    ck_assert_uint_eq(record.game_count, 1);
    verify_game(&record.games[0], &verdict);
    ck_assert_msg(verdict.legality != LEGALITY_BROKEN,
                  "%s: seq %u of the record, %s (%s): %s", path, verdict.seq,
                  verdict.kind, verdict.rule, buf_text(&verdict.why));
    bool ended = strstr(buf_text(lines), "\"event\":\"ended\"") != NULL;
    ck_assert_int_eq(verdict.legality,
                     ended ? LEGALITY_FINISHED : LEGALITY_SO_FAR);
    verdict_release(&verdict);
    record_release(&record);
}

static void
must_be_the_same(const char *path, const char *text, const char *other,
                 const char *one, const char *two)
{
    size_t same = 0;
    size_t line = 0; /* where it begins */
    while (text[same] == other[same] && text[same] != '\0') {
        line = text[same] == '\n' ? same + 1 : line;
        same++;
    }
    ck_assert_msg(text[same] == other[same],
                  "%s: %s\n  | %.*s\nand %s\n  | %.*s", path, one,
                  (int)strcspn(text + line, "\n"), text + line, two,
                  (int)strcspn(other + line, "\n"), other + line);
}

START_TEST(a_play_goes_as_it_is_written)
{
    struct performance performance;
    perform(_i, false, &performance);
    must_be_legal(play_path(_i), &performance.record);
    performance_release(&performance);
}
END_TEST

START_TEST(a_host_that_dies_after_every_act_plays_the_same)
{
    struct performance whole;
    struct performance restarted;
    if ((unsigned)_i % effort_one_in(4) != 0) {
        return;
    }
    perform(_i, false, &whole);
    perform(_i, true, &restarted);
    must_be_the_same(play_path(_i), buf_text(&whole.record),
                     buf_text(&restarted.record), "without restarts",
                     "with them");
    must_be_the_same(play_path(_i), buf_text(&whole.board),
                     buf_text(&restarted.board), "without restarts",
                     "with them");
    performance_release(&whole);
    performance_release(&restarted);
}
END_TEST

/* Whoever is awaited in a session, the public sees the same at the same
 * moments: posts, their edits, reactions, answers. */
START_TEST(nothing_public_tells_whose_turn_it_is)
{
    struct performance early;
    struct performance late;
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    const char *path = play_path(_i);
    if ((unsigned)_i % effort_one_in(1) != 0) {
        return;
    }
    ck_assert_int_eq(file_read(path, &text, &why), ERR_NONE);
    for (unsigned seed = 0; seed < effort_of(2); seed++) {
        unsigned dice = seed * 1000 + (unsigned)_i;
        (void)play_twin(path, buf_text(&text), false, dice, &early);
        (void)play_twin(path, buf_text(&text), true, dice, &late);
        must_be_the_same(path, buf_text(&early.board), buf_text(&late.board),
                         "the president chose early", "late");
        performance_release(&early);
        performance_release(&late);
    }
    buf_release(&text);
}
END_TEST

START_TEST(the_plays_are_found)
{
    ck_assert_int_ge(file_count, PLAYS_LEAST);
    ck_assert_int_le(file_count, PLAYS_MAX);
}
END_TEST

/* ---- plays that are wrong ------------------------------------------------ */

#define SCENARIO                                                               \
    "players Anna Bob Carl Dora=fascist Emil=hitler\n"                         \
    "deck FFL FLF\n"

static const struct {
    const char *text;
    const char *fault; /* how it begins */
} wrong[] = {
    {"", "a:0: the play has no `end`"},
    {"# a title\n\nAnna: hello\n", "a:3: nobody is at the table yet"},
    {"players Anna Bob\n", "a:1: `players` names five to ten, once"},
    {"players A B C D E\n", "a:1: of 5 players one is hitler and 1 fascist"},
    {"players A B C D E=duck\n", "a:1: “duck” is no role"},
    {"players A B A D E\n", "a:1: “A” can't be at the table"},
    {"deck FFX\n", "a:1: no deck begins like that"},
    {"deck LLLLLLL\n", "a:1: no deck begins like that"},
    {"set power\n", "a:1: `set` has a setting and its value"},
    {"set power soon\n", "a:1: power: can't be \"soon\""},
    {"first Anna\n", "a:1: “Anna” is not a player"},
    {"dance\n", "a:1: “dance” is no word of a play"},
    {"lots 0\n", "a:1: `lots` has the number"},
    {"reshuffle X\n", "a:1: `reshuffle` has tiles"},
    {SCENARIO "Anna:\n", "a:3: there is nothing behind “:”"},
    {SCENARIO "Anna: hello\ndeck F\n",
     "a:4: `deck` comes before the first act"},
    {SCENARIO "ja Anna\n", "a:3: Anna's vote is not awaited"},
    {SCENARIO "ja all\n", "a:3: nobody's vote is awaited"},
    {SCENARIO "Anna: **Bob**\nja Zoe\n", "a:4: “Zoe” is not a player"},
    {SCENARIO "+soon\n", "a:3: “+soon” is no time"},
    {SCENARIO "round Bob+Anna elected\n", "a:3: Bob is not to name"},
    {SCENARIO "round Anna+Anna elected\n", "a:3: Anna can't name Anna"},
    {SCENARIO "round Anna+Bob LLL>LL>L\n", "a:3: Anna draws FFL"},
    {SCENARIO "round Anna+Bob FFL>LF>L\n", "a:3: FFL>LF>L passes on"},
    {SCENARIO "round Anna+Bob FFL>FF>L\n", "a:3: FFL>FF>L passes on"},
    {SCENARIO "round Anna+Bob FFL\n", "a:3: “FFL” is no session"},
    {SCENARIO "round Anna\n", "a:3: `round` is like"},
    {SCENARIO "host: Bananas\n",
     "a:3: the host has not said “Bananas”; there is:\n  | Welcome"},
    {SCENARIO "host: Welcome\nhost: Welcome\n", "a:4: the host has not said"},
    {SCENARIO "host: Welcome\nhost! Welcome\n", "a:4: the host has said"},
    {SCENARIO "Zoe < hello\n", "a:3: “Zoe” is not a player"},
    {SCENARIO "Anna < Bananas\n", "a:3: the host has not said “Bananas”"},
    {SCENARIO "Anna ! Liberal\n", "a:3: the host has said “Liberal”"},
    {SCENARIO "status: Bananas\n", "a:3: the status post has not “Bananas”"},
    {SCENARIO "status! table 1\n", "a:3: the status post has “table 1”"},
    {SCENARIO "record: round round=2\n",
     "a:3: the record has not “round round=2”"},
    {SCENARIO "record! round president=Anna\n", "a:3: the record has “round"},
    {SCENARIO "record! powr\n", "a:3: “powr” is no line of a record"},
    {SCENARIO "round Anna+Bob elected\nend liberal five_liberal\n",
     "a:4: the record has not “ended winner=liberal reason=five_liberal”"},
    {SCENARIO "Anna > hello\nAnna < What I'm asking\nAnna < Everything\n",
     "a:5: the host has not said “Everything”"},
    {SCENARIO "end\n", "a:3: `end` has a winner and the reason"},
    {SCENARIO "end unfinished\nAnna: wait!\n", "a:4: the play goes on"},
    {SCENARIO "Anna: hello\n", "a:3: the play has no `end`"},
    {SCENARIO "lots 1\nend unfinished\n",
     "a:4: there is a `reshuffle` or `lots`"},
    {SCENARIO "round Anna+Bob elected\ndeadline\n", "a:4: lots are drawn"},
    {SCENARIO "lots 4\nround Anna+Bob elected\ndeadline\n",
     "a:5: there are fewer choices"},
};

START_TEST(a_fault_names_its_line_and_what_is_there)
{
    struct performance performance;
    ck_assert(!play_perform("a", wrong[_i].text, false, &performance));
    const char *fault = buf_text(&performance.fault);
    ck_assert_msg(strncmp(fault, wrong[_i].fault, strlen(wrong[_i].fault)) == 0,
                  "“%s” has the fault “%s”", wrong[_i].text, fault);
    performance_release(&performance);
}
END_TEST

START_TEST(checks_look_at_what_the_last_act_brought)
{
    struct performance performance;
    bool good = play_perform("a",
                             SCENARIO "host: Welcome, all five!\n"
                                      "host: is up for President\n"
                                      "Anna < your role is below,\n"
                                      "record: seated players=Anna,Bob,Carl,"
                                      "Dora,Emil transcript=null\n"
                                      "record: round round=1 special=false\n"
                                      "Anna: Hm.\\n**Bob**\n"
                                      "host! Welcome\n"
                                      "host: Anna nominates Bob\n"
                                      "host! is the candidate\n"
                                      "Anna ! role\n"
                                      "record! round\n"
                                      "record: nominated chancellor=Bob\n"
                                      "nein Dora\n"
                                      "ja all\n"
                                      "record: hand to=Anna cards=FFL\n"
                                      "+13h\n"
                                      "lots 3\n"
                                      "end unfinished\n",
                             false, &performance);
    ck_assert(!good);
    ck_assert_str_eq(buf_text(&performance.fault),
                     "a:18: lots are drawn that no `lots` tells of");
    performance_release(&performance);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("plays");
    TCase *plays = tcase_create("plays");
    TCase *restarts = tcase_create("restarts");
    TCase *twins = tcase_create("twins");
    TCase *faults = tcase_create("faults");
    file_count = scandir(FOLDER, &files, is_play, alphasort);
    tcase_add_test(plays, the_plays_are_found);
    tcase_add_loop_test(plays, a_play_goes_as_it_is_written, 0, file_count);
    suite_add_tcase(suite, plays);
    tcase_add_loop_test(restarts,
                        a_host_that_dies_after_every_act_plays_the_same, 0,
                        file_count);
    suite_add_tcase(suite, restarts);
    tcase_add_loop_test(twins, nothing_public_tells_whose_turn_it_is, 0,
                        file_count);
    suite_add_tcase(suite, twins);
    tcase_add_loop_test(faults, a_fault_names_its_line_and_what_is_there, 0,
                        sizeof wrong / sizeof wrong[0]);
    tcase_add_test(faults, checks_look_at_what_the_last_act_brought);
    suite_add_tcase(suite, faults);
    return suite;
}
