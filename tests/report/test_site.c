/*
 * The pages of a site: counts, links, and names that are only text.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/report/site.h"
#include "tests/support/runner.h"

static struct catalogue catalogue;
static struct buf why, html;
static struct site_place places[2];
static struct site_game games[3];
static struct site site;
static struct site_words words;

static void
set_up(void)
{
    struct result result = {.ending = ENDING_SIX_FASCIST, .players = 1};
    ck_assert_int_eq(catalogue_load(&catalogue, "en", THEME_ORIGINAL, &why),
                     ERR_NONE);
    memset(places, 0, sizeof places);
    (void)snprintf(places[0].name, sizeof places[0].name, "%s", "Town <b>& co");
    (void)snprintf(places[1].name, sizeof places[1].name, "%s", "town");
    places[0].wins = (struct wins){.liberal = 1, .fascist = 1};
    places[1].wins = (struct wins){.abandoned = 1};
    (void)snprintf(result.seats[0].user, sizeof result.seats[0].user, "%s",
                   "id-77");
    (void)snprintf(result.seats[0].name, sizeof result.seats[0].name, "%s",
                   "<script>Eve");
    result.seats[0].role = ROLE_HITLER;
    standings_add(&places[0].standings, "", &result);
    for (unsigned i = 0; i < 3; i++) {
        games[i] = (struct site_game){.place = i / 2,
                                      .ended = INT64_C(86400000) * (3 - i),
                                      .rounds = 11 + i,
                                      .players = 7,
                                      .ending = ENDING_SIX_FASCIST,
                                      .has_page = i != 1};
        (void)snprintf(games[i].id, sizeof games[i].id, "%u", i + 1);
    }
    site = (struct site){places, 2, games, 3};
    words = (struct site_words){&catalogue, "en", zone_utc()};
}

static void
tear_down(void)
{
    standings_release(&places[0].standings);
    catalogue_release(&catalogue);
    buf_release(&why);
    buf_release(&html);
}

static const char *
find(const char *text)
{
    const char *at = strstr(buf_text(&html), text);
    ck_assert_msg(at != NULL, "%s", text);
    return at;
}

static void
assert_missing(const char *text)
{
    ck_assert_msg(strstr(buf_text(&html), text) == NULL, "%s", text);
}

static void
assert_safe(void)
{
    assert_missing("<script");
    assert_missing("<b>&");
    assert_missing("id-77");
    assert_missing("http:");
    assert_missing("src=");
    find("default-src 'none'");
    find("</html>");
}

START_TEST(the_index_counts_by_place_and_shows_the_latest_first)
{
    site_write_index(&site, &words, &html);
    assert_safe();
    find("3 finished games: 1 won by the Liberals, 1 by the Fascists, 1 "
         "without a winner.");
    find("<a href=\"place-_54own_20_3cb_3e_26_20co.html\"><bdi>Town "
         "&lt;b&gt;&amp; co</bdi></a></th><td>2</td><td>1</td><td>1</td>"
         "<td>0</td>");
    find("<a href=\"place-town.html\">");
    const char *first = find("<a href=\"game-1.html\">Table 1</a>");
    const char *second = find("<th scope=\"row\">Table 2</th>");
    const char *third = find("<a href=\"game-3.html\">Table 3</a>");
    ck_assert(first < second && second < third);
}
END_TEST

START_TEST(a_place_has_its_players_and_its_games_alone)
{
    site_write_place(&site, 0, &words, &html);
    assert_safe();
    find("<a href=\"index.html\">");
    find("<bdi>&lt;script&gt;Eve</bdi></th><td>1</td><td>1</td><td>–</td>"
         "<td>–</td><td>1/1</td>");
    find("game-1.html");
    assert_missing("game-3.html");
    find("Fascists win: six Fascist policies.");
    find(">11</td>");
}
END_TEST

START_TEST(a_site_without_games_says_so)
{
    site.place_count = site.game_count = 0;
    site_write_index(&site, &words, &html);
    find("No game has ended yet.");
    assert_missing("<table");
    find("</html>");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("report/site");
    TCase *tests = tcase_create("site");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_index_counts_by_place_and_shows_the_latest_first);
    tcase_add_test(tests, a_place_has_its_players_and_its_games_alone);
    tcase_add_test(tests, a_site_without_games_says_so);
    suite_add_tcase(suite, tests);
    return suite;
}
