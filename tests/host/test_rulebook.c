/*
 * The rules as they are told: from the options, in each language, and by topic.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/words/rulebook.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
enum {
    LANGUAGES = sizeof languages / sizeof languages[0]
};

static struct catalogue catalogues[LANGUAGES];
static struct table table;
static struct buf texts[2];

static void
set_up(void)
{
    struct buf why = BUF_INIT;
    for (unsigned i = 0; i < LANGUAGES; i++) {
        ck_assert_msg(catalogue_load(&catalogues[i], languages[i],
                                     THEME_ORIGINAL, &why) == ERR_NONE,
                      "%s", buf_text(&why));
    }
    table_init(&table);
    settings_defaults(&table.settings);
}

static void
tear_down(void)
{
    for (unsigned i = 0; i < LANGUAGES; i++) {
        catalogue_release(&catalogues[i]);
    }
    buf_release(&texts[0]);
    buf_release(&texts[1]);
}

static void
set(const char *key, const char *value)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(settings_set(&table.settings, key, value, &why) == ERR_NONE,
                  "%s", buf_text(&why));
}

/* What is told in a language, as people see it. */
static const char *
told(unsigned language, const char *topic, struct buf *text)
{
    const struct host_env env = {.catalogue = &catalogues[language],
                                 .dialect = &dialect_board,
                                 .capabilities = &adapter_board.capabilities,
                                 .zone = zone_utc()};
    struct rich said = {.count = 0};
    rulebook_say(&env, &table, topic, &said);
    buf_clear(text);
    buf_add_buf(text, &said.text);
    rich_release(&said);
    return buf_text(text);
}

/* What differs from the printed rules; "" of none. */
static void
find_differences(unsigned language, struct buf *text)
{
    const struct host_env env = {.catalogue = &catalogues[language],
                                 .dialect = &dialect_board,
                                 .capabilities = &adapter_board.capabilities,
                                 .zone = zone_utc()};
    struct speech speech;
    speech_init(&speech, &env, &table, NULL);
    rulebook_set(&speech);
    buf_clear(text);
    for (unsigned i = 0; i < speech.params.count; i++) {
        if (strcmp(speech.params.list[i].name, "differences") == 0) {
            buf_add_buf(text, speech.params.list[i].is.buf);
        }
    }
    speech_release(&speech);
}

static size_t
letters_of(const char *text)
{
    size_t letters = 0;
    for (; *text != '\0'; text++) {
        letters += ((unsigned char)*text & 0xC0U) != 0x80U;
    }
    return letters;
}

static void
assert_ends_in_a_letter(const char *text)
{
    size_t len = strlen(text);
    ck_assert_msg(len == 0 || (strchr(" ;:.,", text[0]) == NULL &&
                               strchr(" ;:.,", text[len - 1]) == NULL),
                  "“%s”", text);
}

/* The printed rules are those of the preset "official"; whatever value differs
 * from theirs is named, in words. */
START_TEST(each_option_that_differs_from_the_printed_rules_is_named)
{
    unsigned language = (unsigned)_i;
    struct rules printed;
    ck_assert(rules_set_preset(&printed, "official"));
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        for (unsigned j = 0; option->values[j] != NULL; j++) {
            bool same =
                strcmp(option->values[j], rules_get(&printed, option)) == 0;
            settings_defaults(&table.settings);
            set("rules", "official");
            set(option->name, option->values[j]);
            find_differences(language, &texts[0]);
            ck_assert_msg((texts[0].len == 0) == same, "%s=%s: “%s”",
                          option->name, option->values[j], buf_text(&texts[0]));
            ck_assert_ptr_null(strpbrk(buf_text(&texts[0]), "=_{"));
            /* It is one part of a sentence, without a mark around it. */
            ck_assert_ptr_null(strchr(buf_text(&texts[0]), ';'));
            assert_ends_in_a_letter(buf_text(&texts[0]));
            assert_holds(told(language, "", &texts[1]), buf_text(&texts[0]));
        }
    }
}
END_TEST

START_TEST(a_preset_is_told_with_what_differs)
{
    find_differences(0, &texts[0]);
    ck_assert_str_eq(
        buf_text(&texts[0]),
        "Hitler doesn't know the Fascists in games of five or six either; only "
        "the last government that enacted a policy can't be named; the last "
        "President can't be named even with five players left; the tracker "
        "goes back to 0 as soon as a government is elected; votes are open; a "
        "vote ends as soon as more than half agree");
    set("rules", "official");
    set("vote_min", "8h"); /* changes nothing, as no vote ends early */
    find_differences(0, &texts[0]);
    ck_assert_str_eq(buf_text(&texts[0]), "");
    set("vote_closes", "decided");
    set("vote_min", "8h");
    find_differences(0, &texts[0]);
    assert_holds(buf_text(&texts[0]), "; a vote stays open for 8h at least");
}
END_TEST

/* Change any one of these, and a topic is told otherwise. */
static const struct {
    const char *key, *one, *other, *topic;
} changes[] = {
    {"hitler_knows_fascists", "never", "small", ""},
    {"term_limit", "last_enacted", "last_elected", "limits"},
    {"president_term_limit", "always", "over_five_living", "limits"},
    {"president_term_limit", "over_five_living", "over_six_seated", "limits"},
    {"tracker_resets_on", "election", "policy", "tracker"},
    {"ballot", "open", "sealed", "votes"},
    {"vote_closes", "majority", "decided", "votes"},
    {"vote_closes", "decided", "all", "votes"},
    {"vote_min", "0", "8h", "votes"},
    {"tie_elects_hitler", "off", "on", "votes"},
    {"chaos_power", "off", "on", "tracker"},
    {"nomination", "1h", "2h", "times"},
    {"election", "1d", "2d", "times"},
    {"president", "1h", "2h", "times"},
    {"chancellor", "1h", "2h", "times"},
    {"veto", "1h", "2h", "times"},
    {"power", "1h", "2h", "times"},
    {"second_thought", "0", "1h", "times"},
    {"daily", "", "21:00", "times"},
    {"quiet", "", "23:00-07:00", "times"},
    {"days_off", "", "Sun", "times"},
    {"zone", "UTC", "Europe/Oslo", "times"},
    {"misses", "0", "2", "times"},
    {"cards_timeout", "lots", "wait", "times"},
    {"power_timeout", "forfeit", "lots", "times"},
};

START_TEST(every_option_shows_in_the_rules)
{
    unsigned language = (unsigned)_i;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        set(changes[i].key, changes[i].one);
        (void)told(language, changes[i].topic, &texts[0]);
        set(changes[i].key, changes[i].other);
        ck_assert_msg(strcmp(told(language, changes[i].topic, &texts[1]),
                             buf_text(&texts[0])) != 0,
                      "%s", changes[i].key);
        settings_defaults(&table.settings);
    }
}
END_TEST

START_TEST(powers_are_those_of_so_many_players)
{
    table.players_min = 6;
    table.players_max = 7;
    assert_holds(told(0, "powers", &texts[0]),
                 "\n5 or 6 players: – · – · policy peek · execution · "
                 "execution + veto\n"
                 "7 or 8 players: – · investigation · special election · ");
    ck_assert_ptr_null(strstr(buf_text(&texts[0]), "10 players"));
    table.players_max = 6;
    ck_assert_ptr_null(strstr(told(0, "powers", &texts[0]), "nvestigation"));
    table.game.players = 9;
    assert_holds(told(0, "powers", &texts[0]),
                 "\n9 or 10 players: investigation · investigation · special");
    ck_assert_ptr_null(strstr(buf_text(&texts[0]), "peek"));
}
END_TEST

START_TEST(what_holds_of_five_or_six_is_told_where_so_few_may_play)
{
    table.players_min = 6;
    find_differences(0, &texts[0]);
    assert_holds(buf_text(&texts[0]), "games of five or six");
    table.players_min = 7;
    find_differences(0, &texts[0]);
    ck_assert_ptr_null(strstr(buf_text(&texts[0]), "five or six"));
    set("rules", "official");
    ck_assert_ptr_null(strstr(told(0, "", &texts[0]), "five or six"));
    set("hitler_knows_fascists", "never"); /* as printed, of seven or more */
    assert_holds(told(0, "", &texts[0]), "They are the printed ones.");
}
END_TEST

/* In each language the tracks are the engine's. */
START_TEST(each_track_is_the_engines)
{
    unsigned language = (unsigned)_i;
    const struct host_env env = {.catalogue = &catalogues[language]};
    for (unsigned players = PLAYERS_MIN; players <= PLAYERS_MAX; players++) {
        struct buf track = BUF_INIT;
        table.game.players = (uint8_t)players;
        for (unsigned nth = 1; nth <= 5; nth++) {
            enum power power = game_track_power(players, nth);
            buf_add_text(&track, nth == 1 ? " " : " · ");
            buf_add_text(&track, power == POWER_NONE ? "–" : "");
            speech_power(&env, power, nth, &track);
        }
        buf_add_text(&track, "\n");
        assert_holds(told(language, "powers", &texts[0]), buf_text(&track));
        buf_release(&track);
    }
}
END_TEST

/* All of the rules fit two messages of a service that takes 2,000 characters,
 * and are quickly read where it is known how many play. */
START_TEST(all_rules_are_short)
{
    unsigned language = (unsigned)_i;
    for (unsigned preset = 0; preset < RULES_PRESETS; preset++) {
        for (unsigned players = 0; players <= PLAYERS_MAX; players += 5) {
            settings_defaults(&table.settings);
            set("rules", rules_preset_name(preset));
            table.game.players = (uint8_t)players;
            (void)told(language, "", &texts[0]);
            size_t most = players == 0 ? 3000 : language == 0 ? 2500 : 2750;
            ck_assert_uint_le(letters_of(buf_text(&texts[0])), most);
        }
    }
}
END_TEST

/* Each word that the list of topics shows is one, and its text is in all of the
 * rules, in short. */
START_TEST(every_topic_that_is_shown_is_one)
{
    unsigned language = (unsigned)_i;
    char *list = strdup(told(language, "chess", &texts[0]));
    const char *at = strchr(list, '!');
    unsigned count = 0;
    at = strchr(at, ' ') + 1;
    while (*at != '\0') {
        char word[32];
        size_t len = strcspn(at, " ,.");
        snprintf(word, sizeof word, "%.*s", (int)len, at);
        at += len;
        at += strspn(at, " ,.");
        if (strcmp(told(language, word, &texts[1]), list) != 0) {
            count++;
            char heading[16];
            snprintf(heading, sizeof heading, "%.8s", buf_text(&texts[1]));
            assert_holds(told(language, "", &texts[0]), heading);
        }
    }
    ck_assert_uint_eq(count, 7); /* the "or" between them is none */
    free(list);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/rulebook");
    TCase *tcase = tcase_create("rulebook");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(
        tcase, each_option_that_differs_from_the_printed_rules_is_named, 0,
        LANGUAGES);
    tcase_add_test(tcase, a_preset_is_told_with_what_differs);
    tcase_add_loop_test(tcase, every_option_shows_in_the_rules, 0, LANGUAGES);
    tcase_add_test(tcase, powers_are_those_of_so_many_players);
    tcase_add_test(tcase,
                   what_holds_of_five_or_six_is_told_where_so_few_may_play);
    tcase_add_loop_test(tcase, each_track_is_the_engines, 0, LANGUAGES);
    tcase_add_loop_test(tcase, all_rules_are_short, 0, LANGUAGES);
    tcase_add_loop_test(tcase, every_topic_that_is_shown_is_one, 0, LANGUAGES);
    suite_add_tcase(suite, tcase);
    return suite;
}
