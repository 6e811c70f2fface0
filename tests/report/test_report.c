/*
 * The report: a whole page, whatever the game and its names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/record/verify.h"
#include "bot/report/report.h"
#include "bot/report/report_inner.h"
#include "tests/support/random_record.h"
#include "tests/support/runner.h"
#include "tests/support/scripted.h"

static struct catalogue catalogue;
static struct buf why;
static struct buf html;

static void
load_theme(const char *language, const char *theme)
{
    catalogue_release(&catalogue);
    ck_assert_msg(catalogue_load(&catalogue, language, theme, &why) == ERR_NONE,
                  "%s", buf_text(&why));
}

static void
load(const char *language)
{
    load_theme(language, THEME_ORIGINAL);
}

static void
set_up(void)
{
    load("en");
}

static void
tear_down(void)
{
    catalogue_release(&catalogue);
    buf_release(&why);
    buf_release(&html);
}

static void
report(const struct record_game *game)
{
    buf_clear(&html);
    report_write(game, &catalogue, (struct report_form){.site = false}, "en",
                 zone_utc(), &html);
}

static bool
has(const char *words)
{
    return strstr(buf_text(&html), words) != NULL;
}

static unsigned
count(const char *words)
{
    unsigned found = 0;
    for (const char *at = buf_text(&html); (at = strstr(at, words)) != NULL;
         at++) {
        found++;
    }
    return found;
}

/* ---- a page that a browser takes ----------------------------------------- */

enum {
    DEPTH_MAX = 32,
    NAME_MAX_LEN = 16
};

static bool
is_void(const char *name)
{
    return strcmp(name, "meta") == 0 || strcmp(name, "!DOCTYPE") == 0;
}

/* Does a tag have an attribute that runs a script, "onclick"?  In a value the
 * letters mean nothing. */
static bool
has_event(const char *tag, const char *end)
{
    bool quoted = false;
    for (; tag < end; tag++) {
        quoted = quoted != (*tag == '"');
        if (!quoted && strncmp(tag, " on", 3) == 0) {
            return true;
        }
    }
    return false;
}

/* Every element is closed where it was opened; every `&` begins a reference. */
static void
assert_well_formed(void)
{
    char open[DEPTH_MAX][NAME_MAX_LEN + 1];
    unsigned depth = 0;
    for (const char *at = buf_text(&html); *at != '\0'; at++) {
        if (*at == '&') {
            ck_assert_msg(strncmp(at, "&amp;", 5) == 0 ||
                              strncmp(at, "&lt;", 4) == 0 ||
                              strncmp(at, "&gt;", 4) == 0 ||
                              strncmp(at, "&quot;", 6) == 0 ||
                              strncmp(at, "&#39;", 5) == 0,
                          "%.40s", at);
        }
        if (*at != '<') {
            continue;
        }
        bool closes = at[1] == '/';
        const char *name = at + 1 + closes;
        size_t len = strcspn(name, " >");
        char copy[NAME_MAX_LEN + 1];
        ck_assert_uint_le(len, NAME_MAX_LEN);
        memcpy(copy, name, len);
        copy[len] = '\0';
        at = strchr(name, '>');
        ck_assert_ptr_nonnull(at);
        ck_assert(!has_event(name, at));
        if (closes) {
            ck_assert_uint_gt(depth, 0);
            ck_assert_str_eq(open[--depth], copy);
        } else if (!is_void(copy)) {
            ck_assert_uint_lt(depth, DEPTH_MAX);
            memcpy(open[depth++], copy, sizeof copy);
        }
    }
    ck_assert_uint_eq(depth, 0);
}

/* Nothing runs, nothing is fetched, each link leads somewhere in the page. */
static void
assert_self_contained(void)
{
    static const char *const never[] = {
        "<script", "src=",    "@import", "url(",     "<link",
        "<iframe", "<object", "http://", "https://", "<img"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        ck_assert_msg(!has(never[i]), "%s", never[i]);
    }
    for (const char *at = buf_text(&html);
         (at = strstr(at, "href=\"#")) != NULL; at++) {
        char id[64];
        const char *name = at + strlen("href=\"#");
        snprintf(id, sizeof id, "id=\"%.*s\"", (int)strcspn(name, "\""), name);
        ck_assert_msg(has(id), "%s", id);
    }
}

START_TEST(every_game_makes_a_page_that_needs_nothing_but_itself)
{
    struct buf text = BUF_INIT;
    struct record record;
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "official"));
    random_record_write(&text, PLAYERS_MIN + (unsigned)_i % 6, "official",
                        &rules, (uint64_t)_i);
    ck_assert_int_eq(record_read(buf_text(&text), text.len, &record, &why),
                     ERR_NONE);
    report(&record.games[0]);
    assert_well_formed();
    assert_self_contained();
    record_release(&record);
    buf_release(&text);
}
END_TEST

/* ---- what it tells ------------------------------------------------------- */

static const char *const tells[] = {
    "<h1>Secret Hitler, table every-kind</h1>",
    "There&#39;s no winner.",
    "5 players, one round, rules “play-by-post”, 2026.",
    "What came next was taken back and played again.",
    "The game pauses: the forum is down.",
    "The game goes on.",
    "The seat of <bdi>Eve</bdi> is vacant from here on.",
    "<bdi>Zoë &quot;Z&quot; 🦊</bdi> takes the seat of <bdi>Eve</bdi>.",
    "Note: Zoë has Eve&#39;s seat.\nWelcome!",
    "for <bdi>Eve</bdi>",
    "<time datetime=\"2026-11-21T10:00:00Z\">",
    "printf &#39;SH-DEAL-1 every-kind 0001",
};

START_TEST(what_the_host_did_is_told)
{
    struct buf text = BUF_INIT;
    struct record record;
    ck_assert_int_eq(
        file_read("tests/fixtures/record/every-kind.jsonl", &text, &why),
        ERR_NONE);
    ck_assert_int_eq(record_read(buf_text(&text), text.len, &record, &why),
                     ERR_NONE);
    report(&record.games[0]);
    for (size_t i = 0; i < sizeof tells / sizeof tells[0]; i++) {
        ck_assert_msg(has(tells[i]), "%s\n%s", tells[i], buf_text(&html));
    }
    /* What was undone is not. */
    ck_assert(!has("nominates <bdi>Bob</bdi>"));
    record_release(&record);
    buf_release(&text);
}
END_TEST

START_TEST(a_round_is_told_with_its_votes_and_its_hand)
{
    struct scripted *scripted = scripted_begin(5, "play-by-post", "FLFFL");
    scripted_do(
        scripted,
        (struct command){.kind = COMMAND_NOMINATE, .seat = 0, .target = 2});
    scripted_votes(scripted, true);
    scripted_do(scripted, (struct command){.kind = COMMAND_DISCARD, .seat = 0});
    scripted_do(scripted, (struct command){.kind = COMMAND_ENACT, .seat = 2});
    scripted_write(
        scripted, (struct record_line){
                      .kind = RECORD_CLAIMED,
                      .event = {.seat = 0, .round = 1, .cards = {.count = 3}}});
    /* B is liberal, and nobody has peeked. */
    scripted_write(scripted,
                   (struct record_line){.kind = RECORD_CLAIMED,
                                        .event = {.seat = 0,
                                                  .round = 1,
                                                  .power = POWER_INVESTIGATE,
                                                  .target = 1,
                                                  .cards = {.count = 1}}});
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    report(scripted_game(scripted));
    assert_well_formed();
    ck_assert(has("<h3>Round 1: <bdi>A</bdi> and <bdi>C</bdi>"));
    ck_assert(has("<bdi>A</bdi> nominates <bdi>C</bdi> as Chancellor."));
    ck_assert(has(
        "<bdi>A</bdi> draws <span class=\"tiles\"><b class=\"tile fas\">F</b>"
        "<b class=\"tile lib\">L</b><b class=\"tile fas\">F</b></span>"));
    ck_assert(has("The government enacts <span class=\"tiles\">"
                  "<b class=\"tile lib\">L</b></span>"));
    /* A hand that is claimed stands on one line. */
    ck_assert(has("<bdi>A</bdi> claims <span class=\"tiles\">"
                  "<b class=\"tile fas\">F</b><b class=\"tile fas\">F</b>"
                  "<b class=\"tile fas\">F</b></span>"));
    ck_assert(has("<bdi>A</bdi> claims about <bdi>B</bdi>: "));
    ck_assert_uint_eq(count("<small>wins the game</small>"), 2);
    ck_assert_uint_eq(count("<li class=\"empty danger\">"), 1);
    ck_assert(has("With 3 Fascist policies out, electing Hitler ends"));
    ck_assert(has("<em>(it wasn&#39;t)</em>"));
    /* A majority closes the vote: three of five. */
    ck_assert_uint_eq(count("<td class=\"ja\">"), 3);
    ck_assert_uint_eq(count("<td class=\"none\">"), 2 + 5); /* round 2 */
    scripted_end(scripted);
}
END_TEST

START_TEST(votes_that_were_pressed_are_underlined)
{
    struct scripted *scripted = scripted_begin(5, "play-by-post", "FLFFL");
    scripted_elected(scripted, 2);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    report(game);
    ck_assert(!has("Underlined"));
    ck_assert_uint_eq(count("<td class=\"ja\">"), 3);
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind == EVENT_VOTED &&
            game->lines[i].event.seat == 1) {
            game->lines[i].by = RECORD_BY_PRESS;
        }
    }
    report(game);
    assert_well_formed();
    ck_assert(has("Underlined: by button or command."));
    ck_assert_uint_eq(count("<td class=\"ja\">"), 2);
    ck_assert_uint_eq(count("<td class=\"ja pressed\">"), 1);
    ck_assert_uint_eq(count("voted Ja, by button or command</span>"), 1);
    scripted_end(scripted);
}
END_TEST

START_TEST(the_executed_are_told_with_their_round)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    scripted_fascist(scripted, 3);
    scripted_do(scripted, (struct command){
                              .kind = COMMAND_NOMINATE,
                              .seat = scripted->engine.game.president,
                              .target = (uint8_t)scripted_nominee(scripted)});
    scripted_votes(scripted, true);
    scripted_session(scripted, false);
    unsigned victim = scripted->engine.game.president == 0 ? 1 : 0;
    scripted_do(scripted,
                (struct command){.kind = COMMAND_TARGET,
                                 .seat = scripted->engine.game.president,
                                 .target = (uint8_t)victim});
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    report(scripted_game(scripted));
    ck_assert(has("<small>executed in round 4</small>"));
    ck_assert(has("<td class=\"gone\">"));
    scripted_end(scripted);
}
END_TEST

/* Seat 0 claims and changes hands after the first round; who then sits there
 * votes in the second. */
static void
replace_after_round_one(struct record_game *game)
{
    insert(game, line_of(game, EVENT_ROUND, 2),
           (struct record_line){
               .kind = RECORD_CLAIMED,
               .event = {.seat = 0, .round = 1, .cards = {.count = 3}}});
    insert(game, line_of(game, EVENT_ROUND, 2),
           (struct record_line){.kind = EVENT_FILLED,
                                .at = game->lines[0].at,
                                .event = {.kind = EVENT_FILLED, .seat = 0},
                                .out = "A",
                                .in = "Zoe"});
}

START_TEST(what_somebody_did_before_they_were_replaced_stays_theirs)
{
    struct scripted *scripted = scripted_begin(5, "play-by-post", "FLFFLF");
    scripted_policy(scripted, 2, true);
    scripted_elected(scripted, 3);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    replace_after_round_one(game);
    report(game);
    assert_well_formed();
    ck_assert(has("<h3>Round 1: <bdi>A</bdi> and <bdi>C</bdi>"));
    ck_assert(has("Round 1: <bdi>A</bdi> and <bdi>C</bdi></span>"));
    ck_assert(has("<a href=\"#round-1\">1</a></th>"
                  "<td data-label=\"President\"><bdi>A</bdi></td>"
                  "<td data-label=\"Chancellor\"><bdi>C</bdi></td>"));
    ck_assert(has("<th scope=\"row\"><span class=\"seat\">1</span> "
                  "<bdi>A</bdi></th><td class=\"ja\">"));
    ck_assert(has("<th scope=\"row\"><span class=\"seat\">1</span> "
                  "<bdi>Zoe</bdi></th><td class=\"other\">"));
    ck_assert(has("<div><bdi>A</bdi> claims "));
    ck_assert_uint_eq(count("<td data-label=\"Claimed\">–</td>"), 1);
    ck_assert(has("for <bdi>A</bdi>"));
    ck_assert(has("Ja: <bdi>A</bdi>, <bdi>B</bdi>, <bdi>C</bdi>."));
    ck_assert(has("Ja: <bdi>Zoe</bdi>, <bdi>B</bdi>, <bdi>C</bdi>."));
    ck_assert(has("· is a round in which somebody else had the seat"));
    ck_assert_uint_eq(count("<td class=\"other\">"), 2);
    scripted_end(scripted);
}
END_TEST

/* Where a place publishes no names: neither those, nor notes and reasons. */
START_TEST(a_numbered_page_names_nobody)
{
    struct scripted *scripted = scripted_begin(5, "play-by-post", "FLFFLF");
    scripted_policy(scripted, 2, true);
    scripted_write(scripted,
                   (struct record_line){.kind = RECORD_NOTED, .text = "QXJ"});
    scripted_write(scripted,
                   (struct record_line){.kind = RECORD_PAUSED, .text = "QXJ"});
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    replace_after_round_one(game);
    game->transcript = "QXJ";
    buf_clear(&html);
    report_write(game, &catalogue,
                 (struct report_form){.site = true, .numbered = true}, "en",
                 zone_utc(), &html);
    assert_well_formed();
    ck_assert(has("<li><a href=\"index.html\">All places</a></li>"));
    ck_assert(has("<h3>Round 1: <bdi>Player 1</bdi> and <bdi>Player 3</bdi>"));
    ck_assert(has("<bdi>Player 6</bdi> takes the seat of "
                  "<bdi>Player 1</bdi>."));
    ck_assert(has("for <bdi>Player 1</bdi>"));
    ck_assert(has("The game pauses."));
    ck_assert(!has("<bdi>A</bdi>"));
    ck_assert(!has("Zoe"));
    ck_assert(!has("QXJ"));
    ck_assert(!has("Note:"));
    scripted_end(scripted);
}
END_TEST

START_TEST(whoever_comes_back_to_the_seat_is_no_newcomer)
{
    struct scripted *scripted = scripted_begin(5, "play-by-post", "FLFFLF");
    scripted_policy(scripted, 2, true);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    replace_after_round_one(game);
    line_of(game, EVENT_FILLED, 1)->in = "A";
    report(game);
    ck_assert(!has("in place of"));
    ck_assert(!has("<td class=\"other\">"));
    ck_assert(!has("somebody else had the seat"));
    scripted_end(scripted);
}
END_TEST

START_TEST(hitler_is_elected_with_as_many_policies_out_as_there_are)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    unsigned hitler = 4;
    scripted_fascist(scripted, 4);
    while (!seat_in(hitler, game_eligible(&scripted->engine.game))) {
        scripted_rejected(scripted);
    }
    scripted_elected(scripted, hitler);
    report(scripted_game(scripted));
    ck_assert(has("The Fascists win! Elected Chancellor, with four "
                  "Fascist policies out."));
    ck_assert(has("<h3>Fascist: 4 of 6</h3>"));
    scripted_end(scripted);
}
END_TEST

/* ---- what strangers wrote ------------------------------------------------ */

static const struct {
    const char *name, *shown;
} odd_names[] = {
    {"<script>alert(1)</script>",
     "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>"},
    {"\"><b onclick='x'>",
     "<bdi>&quot;&gt;&lt;b onclick=&#39;x&#39;&gt;</bdi>"},
    {"a & b &amp; c", "<bdi>a &amp; b &amp;amp; c</bdi>"},
    {"דנה", "<bdi>דנה</bdi>"},
    {"\u202eevil", "<bdi>\u202eevil</bdi>"},
    {"🦊🦊", "<bdi>🦊🦊</bdi>"},
    {PAGE_LIBERAL "x" PAGE_NAME_END, "<bdi>x</bdi>"},
    {"\x01\x7f"
     "bell",
     "<bdi>bell</bdi>"},
    {"{player}", "<bdi>{player}</bdi>"},
    {"**bold** `code`", "<bdi>**bold** `code`</bdi>"},
    {"Bartholomäus-Maximilian von Übel",
     "<bdi>Bartholomäus-Maximilian von Übel</bdi>"},
};

START_TEST(a_name_is_text_whatever_it_is_made_of)
{
    struct scripted *scripted =
        scripted_begin(10, "play-by-post", scripted_deck);
    scripted_policy(scripted, scripted_nominee(scripted), true);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    for (unsigned seat = 0; seat < game->players; seat++) {
        snprintf(game->names[seat], sizeof game->names[seat], "%s",
                 odd_names[_i].name);
    }
    report(game);
    assert_well_formed();
    assert_self_contained();
    ck_assert_msg(has(odd_names[_i].shown), "%s", odd_names[_i].shown);
    scripted_end(scripted);
}
END_TEST

START_TEST(there_is_a_page_in_every_language)
{
    struct scripted *scripted =
        scripted_begin(7, "play-by-post", scripted_deck);
    struct buf names = BUF_INIT;
    char *save = NULL;
    scripted_policy(scripted, scripted_nominee(scripted), true);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    language_names(&names);
    for (char *name = strtok_r(names.data, "\", ", &save); name != NULL;
         name = strtok_r(NULL, "\", ", &save)) {
        load(name);
        report(game);
        assert_well_formed();
        assert_self_contained();
        /* Keys that are missing would be said as they are called. */
        ck_assert_msg(!has(">report_"), "%s", name);
        /* The rules have a name in each language. */
        ck_assert_msg(has("play-by-post") ==
                          (strcmp(name, "en") == 0 || strcmp(name, "nl") == 0),
                      "%s", name);
    }
    buf_release(&names);
    scripted_end(scripted);
}
END_TEST

/* ---- how it looks -------------------------------------------------------- */

START_TEST(tiles_have_the_colours_of_the_theme)
{
    struct scripted *scripted =
        scripted_begin(5, "play-by-post", scripted_deck);
    scripted_do(scripted, (struct command){.kind = COMMAND_ABANDON});
    struct record_game *game = scripted_game(scripted);
    report(game);
    ck_assert(has(":root{--lib:var(--blue)}"));
    ck_assert(has(":root{--fas:var(--red)}"));
    load_theme("en", "prison");
    report(game);
    ck_assert(has(":root{--lib:var(--green)}"));
    ck_assert(has(":root{--fas:var(--orange)}"));
    assert_self_contained();
    scripted_end(scripted);
}
END_TEST

/* The n-th colour of that name in the style: light, dark, print. */
static unsigned
colour_of(const char *name, unsigned nth)
{
    char property[32];
    snprintf(property, sizeof property, "--%s:#", name);
    const char *at = bot_report_report_css;
    while ((at = strstr(at, property)) != NULL) {
        at += strlen(property);
        if (nth-- > 0) {
            continue;
        }
        size_t len = strspn(at, "0123456789abcdef");
        unsigned value = (unsigned)strtoul(at, NULL, 16);
        return len == 6 ? value
                        : (value >> 8 & 15) * 0x110000 +
                              (value >> 4 & 15) * 0x1100 + (value & 15) * 0x11;
    }
    ck_abort_msg("no %s", name);
    return 0;
}

/* Of WCAG 2.2, "relative luminance"; pow(x, 2.4) as x² · x^0.4 by Newton. */
static double
linear(unsigned byte)
{
    double value = byte / 255.0;
    if (value <= 0.04045) {
        return value / 12.92;
    }
    double base = (value + 0.055) / 1.055;
    double square = base * base;
    double root = base; /* the fifth root of the square */
    for (int i = 0; i < 40; i++) {
        root -= (root * root * root * root * root - square) /
                (5 * root * root * root * root);
    }
    return square * root;
}

static double
luminance(unsigned colour)
{
    return 0.2126 * linear(colour >> 16 & 255) +
           0.7152 * linear(colour >> 8 & 255) + 0.0722 * linear(colour & 255);
}

static double
contrast(unsigned one, unsigned other)
{
    double light = luminance(one) + 0.05;
    double dark = luminance(other) + 0.05;
    return light > dark ? light / dark : dark / light;
}

static const struct {
    const char *ink, *ground;
    double least;
} pairs[] = {
    {"ink", "paper", 7},      {"ink", "sheet", 7},
    {"ink", "wash", 7},       {"faint", "paper", 4.5},
    {"faint", "sheet", 4.5},  {"faint", "wash", 4.5},
    {"blue", "sheet", 4.5},   {"on", "blue", 4.5},
    {"red", "sheet", 4.5},    {"on", "red", 4.5},
    {"green", "sheet", 4.5},  {"on", "green", 4.5},
    {"orange", "sheet", 4.5}, {"on", "orange", 4.5},
    {"yellow", "sheet", 4.5}, {"on", "yellow", 4.5},
    {"purple", "sheet", 4.5}, {"on", "purple", 4.5},
    {"brown", "sheet", 4.5},  {"on", "brown", 4.5},
};

START_TEST(whatever_is_read_stands_out_in_light_in_dark_and_on_screen)
{
    ck_assert(contrast(0, 0xFFFFFF) > 20.9 && contrast(0, 0xFFFFFF) < 21.1);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        double ratio = contrast(colour_of(pairs[i].ink, (unsigned)_i),
                                colour_of(pairs[i].ground, (unsigned)_i));
        ck_assert_msg(ratio >= pairs[i].least, "%s on %s: %.2f", pairs[i].ink,
                      pairs[i].ground, ratio);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(
        tests, every_game_makes_a_page_that_needs_nothing_but_itself, 0, 60);
    tcase_add_test(tests, what_the_host_did_is_told);
    tcase_add_test(tests, a_round_is_told_with_its_votes_and_its_hand);
    tcase_add_test(tests, votes_that_were_pressed_are_underlined);
    tcase_add_test(tests, the_executed_are_told_with_their_round);
    tcase_add_test(tests,
                   what_somebody_did_before_they_were_replaced_stays_theirs);
    tcase_add_test(tests, a_numbered_page_names_nobody);
    tcase_add_test(tests, whoever_comes_back_to_the_seat_is_no_newcomer);
    tcase_add_test(tests,
                   hitler_is_elected_with_as_many_policies_out_as_there_are);
    tcase_add_loop_test(tests, a_name_is_text_whatever_it_is_made_of, 0,
                        sizeof odd_names / sizeof odd_names[0]);
    tcase_add_test(tests, there_is_a_page_in_every_language);
    tcase_add_test(tests, tiles_have_the_colours_of_the_theme);
    tcase_add_loop_test(
        tests, whatever_is_read_stands_out_in_light_in_dark_and_on_screen, 0,
        3);
    suite_add_tcase(suite, tests);
    return suite;
}
