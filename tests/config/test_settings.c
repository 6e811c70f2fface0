#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "config/settings.h"
#include "tests/support/runner.h"

static struct settings settings;
static struct buf why;

static void
set_up(void)
{
    setenv("PLACARD_DATA", "tests/fixtures/config/data", 1);
    settings_defaults(&settings);
    buf_init(&why, 0);
}

static void
tear_down(void)
{
    buf_release(&why);
}

/* ---- the table ----------------------------------------------------------- */

START_TEST(every_row_is_whole)
{
    const struct setting *setting = setting_at(0);
    size_t i = 0;

    for (; setting != NULL; setting = setting_at(++i)) {
        bool choice =
            setting->type == SETTING_CHOICE || setting->type == SETTING_BOOL;
        size_t help = strlen(setting->help);
        ck_assert_ptr_eq(setting_find(setting->key, setting->scope), setting);
        ck_assert_ptr_nonnull(setting->normal);
        ck_assert_msg(help > 20 && setting->help[help - 1] == '.', "%s",
                      setting->key);
        ck_assert_msg(choice == (setting->choices[0] != NULL), "%s",
                      setting->key);
        ck_assert_msg(setting->min <= setting->max ||
                          (setting->type != SETTING_DURATION &&
                           setting->type != SETTING_NUMBER),
                      "%s", setting->key);
        for (size_t j = 0; choice && setting->choices[j] != NULL; j++) {
            ck_assert_msg(setting->type == SETTING_BOOL ||
                              strlen(setting->choices[j]) < setting->size,
                          "%s", setting->choices[j]);
        }
    }
    ck_assert_uint_gt(i, 25);
    ck_assert_ptr_null(setting_find("nothing", SCOPE_TOP));
}
END_TEST

/* ---- setting ------------------------------------------------------------- */

static const struct {
    const char *key, *value;
    const char *got; /* NULL: as set */
} right[] = {
    {"election", "36h", "1d 12h"},
    {"Nomination", " 90 m ", "1h 30m"},
    {"president", "1m", NULL},
    {"veto", "20s", NULL},
    {"power", "30d", NULL},
    {"grace", "0", NULL},
    {"misses", "0", NULL},
    {"misses", "099", "99"},
    {"cards_timeout", "WAIT", "wait"},
    {"power_timeout", "lots", NULL},
    {"seats", "Random", "random"},
    {"seats", "signup", NULL},
    {"rules", "Official", "official"},
    {"ballot", "sealed", NULL},
    {"ballot", "", NULL},
    {"president_term_limit", "over_five_living", NULL},
    {"vote_closes", "all", NULL},
    {"zone", "America/New_York", NULL},
    {"zone", "UTC", NULL},
    {"language", "nl", NULL},
    {"prefix", "p!", NULL},
    {"red", "Accepted", "accepted"},
    {"red", "required", NULL},
    {"red", "", NULL},
    {"words", "oui/non", NULL},
    {"words", "Ja!/Nee,Nein", NULL},
    {"words", "1,2,3,4,5,6,7,8/é", NULL},
};

enum {
    RIGHT = sizeof(right) / sizeof(right[0])
};

static const char *const no_votes[] = {
    "",
    "/",
    "ja/",
    "/nein",
    "ja/nein/no",
    "ja,/nein",
    "!/?",
    "ja/n o",
    ",/,",
    "ja/\tno",
    "ja/0123456789012345678901234",
};

START_TEST(words_of_a_vote_are_two_lists_of_words)
{
    struct vote_words words;

    for (size_t i = 0; i < sizeof(no_votes) / sizeof(no_votes[0]); i++) {
        ck_assert_msg(!vote_words_read(no_votes[i], &words), "%s", no_votes[i]);
    }
    ck_assert(vote_words_read("Ja!/Nee,nein,012345678901234567890123", &words));
    ck_assert_uint_eq(words.ja_count, 1);
    ck_assert_str_eq(words.ja[0], "Ja!");
    ck_assert_uint_eq(words.nein_count, 3);
    ck_assert_str_eq(words.nein[0], "Nee");
    ck_assert_str_eq(words.nein[1], "nein");
    ck_assert_str_eq(words.nein[2], "012345678901234567890123");
}
END_TEST

START_TEST(a_right_value_is_set_and_read_back)
{
    struct buf got = BUF_INIT;
    enum err err =
        settings_set(&settings, right[_i].key, right[_i].value, &why);

    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    ck_assert_str_eq(buf_text(&why), "");
    ck_assert(settings_get(&settings, right[_i].key, &got));
    ck_assert_str_eq(buf_text(&got),
                     right[_i].got == NULL ? right[_i].value : right[_i].got);
    buf_release(&got);
}
END_TEST

static const struct {
    const char *key, *value, *why;
} wrong[] = {
    {"election", "",
     "election: can't be \"\"; write a time from 1s to 30d, such as \"24h\""},
    {"election", "0s",
     "election: can't be \"0s\"; write a time from 1s to 30d, such as "
     "\"24h\""},
    {"GRACE", "8d",
     "grace: can't be \"8d\"; write a time from 0 to 7d, such as \"90m\""},
    {"misses", "100",
     "misses: can't be \"100\"; write a whole number from 0 to 99, such as 2"},
    {"misses", "99999999999999999999",
     "misses: can't be \"99999999999999999999\"; write a whole number from 0 "
     "to 99, such as 2"},
    {"misses", "-1",
     "misses: can't be \"-1\"; write a whole number from 0 to 99, such as 2"},
    {"misses", "",
     "misses: can't be \"\"; write a whole number from 0 to 99, such as 2"},
    {"seats", "sign",
     "seats: can't be \"sign\"; write \"signup\" or \"random\""},
    {"seats", "", "seats: can't be \"\"; write \"signup\" or \"random\""},
    {"rules", "dutch",
     "rules: can't be \"dutch\"; write \"play-by-post\", \"official\" or "
     "\"french\""},
    {"rules", "",
     "rules: can't be \"\"; write \"play-by-post\", \"official\" or "
     "\"french\""},
    {"zone", "CEST",
     "zone: can't be \"CEST\"; write a time zone, such as \"Europe/Berlin\""},
    {"language", "notes",
     "language: can't be \"notes\"; write one of the languages \"en\", "
     "\"nl\""},
    {"prefix", "12345678",
     "prefix: can't be \"12345678\"; write 1 to 7 bytes in quotes without a "
     "space"},
    {"prefix", "\n",
     "prefix: can't be \" \"; write 1 to 7 bytes in quotes without a space"},
    {"veto", "0123456789012345678901234567890123456789\xC3\xA9",
     "veto: can't be \"0123456789012345678901234567890123456789…\"; write a "
     "time from 1s to 30d, such as \"12h\""},
    {"veto", "012345678901234567890123456789012345678\xC3\xA9",
     "veto: can't be \"012345678901234567890123456789012345678…\"; write a "
     "time from 1s to 30d, such as \"12h\""},
    {"red", "never",
     "red: can't be \"never\"; write \"required\" or \"accepted\""},
    {"words", "ja",
     "words: can't be \"ja\"; write words of up to 24 bytes, such as "
     "\"Oui/Non\" or \"Ja/Nee,Nein\", or \"language\""},
    {"words", "1,2,3,4,5,6,7,8,9/0",
     "words: can't be \"1,2,3,4,5,6,7,8,9/0\"; write words of up to 24 "
     "bytes, such as \"Oui/Non\" or \"Ja/Nee,Nein\", or \"language\""},
    {"tracker_resets_on", "never",
     "tracker_resets_on: can't be \"never\"; write \"election\" or "
     "\"policy\""},
    {"Elction", "1h",
     "\"Elction\": unknown setting; did you mean \"election\"?"},
    {"zoen", "UTC", "\"zoen\": unknown setting; did you mean \"zone\"?"},
    {"store", "a.db", "\"store\": unknown setting"},
    {"places", "", "\"places\": unknown setting"},
    {"moderators", "Mo",
     "\"moderators\": unknown setting; did you mean \"moderation\"?"},
    {"", "", "\"\": unknown setting"},
    {"a_key_that_is_much_longer_than_any_key_we_know", "",
     "\"a_key_that_is_much_longer_than_any_key_w…\": unknown setting"},
};

enum {
    WRONG = sizeof(wrong) / sizeof(wrong[0])
};

START_TEST(a_wrong_value_changes_nothing_and_is_told_what_would_be_right)
{
    struct settings before = settings;
    enum err err =
        settings_set(&settings, wrong[_i].key, wrong[_i].value, &why);

    ck_assert_int_eq(err, ERR_CONFIG);
    ck_assert_str_eq(buf_text(&why), wrong[_i].why);
    ck_assert_mem_eq(&settings, &before, sizeof(before));
}
END_TEST

START_TEST(an_option_set_to_nothing_is_as_the_preset_has_it)
{
    ck_assert_int_eq(settings_set(&settings, "ballot", "sealed", &why),
                     ERR_NONE);
    ck_assert_str_eq(settings.rules[4], "sealed");
    ck_assert_int_eq(settings_set(&settings, "ballot", "", &why), ERR_NONE);
    ck_assert_str_eq(settings.rules[4], "");
}
END_TEST

START_TEST(of_an_open_table_a_preset_sets_all_options)
{
    struct complaint complaint;

    ck_assert(settings_change(&settings, "ballot", "sealed", &complaint));
    ck_assert_str_eq(settings.rules[4], "sealed");
    ck_assert(settings_change(&settings, "election", "48h", &complaint));
    ck_assert(!settings_change(&settings, "rules", "chess", &complaint));
    ck_assert_int_eq(complaint.kind, COMPLAINT_VALUE);
    ck_assert_str_eq(settings.rules[4], "sealed");
    ck_assert(settings_change(&settings, "Rules", "official", &complaint));
    ck_assert_str_eq(settings.preset, "official");
    for (size_t i = 0; i < sizeof(settings.rules) / sizeof(settings.rules[0]);
         i++) {
        ck_assert_str_eq(settings.rules[i], "");
    }
    ck_assert_int_eq(settings.election, 48 * HOUR_MS);
}
END_TEST

START_TEST(what_is_written_is_read_back_the_same)
{
    struct settings copy;
    const struct setting *setting = setting_at(0);

    ck_assert_int_eq(settings_set(&settings, "zone", "Europe/Oslo", &why),
                     ERR_NONE);
    ck_assert_int_eq(settings_set(&settings, "rules", "french", &why),
                     ERR_NONE);
    ck_assert_int_eq(settings_set(&settings, "veto", "7h 3s", &why), ERR_NONE);
    memset(&copy, 0, sizeof(copy));
    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        struct buf text = BUF_INIT;
        if (settings_get(&settings, setting->key, &text)) {
            ck_assert_int_eq(
                settings_set(&copy, setting->key, buf_text(&text), &why),
                ERR_NONE);
        }
        buf_release(&text);
    }
    ck_assert_mem_eq(&copy, &settings, sizeof(copy));
}
END_TEST

START_TEST(only_a_games_settings_are_got)
{
    struct buf text = BUF_INIT;

    ck_assert(!settings_get(&settings, "store", &text));
    ck_assert(!settings_get(&settings, "moderators", &text));
    ck_assert(!settings_get(&settings, "", &text));
    ck_assert_str_eq(buf_text(&text), "");
}
END_TEST

START_TEST(the_rules_are_the_preset_nine_options_and_vote_min)
{
    const struct setting *setting = setting_at(0);
    int count = 0;

    for (size_t i = 0; setting != NULL; setting = setting_at(++i)) {
        count += settings_is_rule(setting->key);
    }
    ck_assert_int_eq(count, 11);
    ck_assert(settings_is_rule("rules"));
    ck_assert(settings_is_rule("vote_min"));
    ck_assert(settings_is_rule("vote_closes"));
    ck_assert(settings_is_rule("tie_elects_hitler"));
    ck_assert(settings_is_rule("chaos_power"));
    ck_assert(!settings_is_rule("election"));
    ck_assert(!settings_is_rule("nothing"));
}
END_TEST

START_TEST(the_name_must_be_there_before_the_vote_ends)
{
    settings.election = 6 * HOUR_MS;
    settings.nomination = 6 * HOUR_MS;
    ck_assert_int_eq(settings_check(&settings, &why), ERR_NONE);
    ck_assert_str_eq(buf_text(&why), "");
    settings.nomination++;
    ck_assert_int_eq(settings_check(&settings, &why), ERR_CONFIG);
    ck_assert_ptr_eq(strstr(buf_text(&why), "nomination: is longer"),
                     buf_text(&why));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("config/settings");
    TCase *tcase = tcase_create("settings");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_row_is_whole);
    tcase_add_test(tcase, words_of_a_vote_are_two_lists_of_words);
    tcase_add_loop_test(tcase, a_right_value_is_set_and_read_back, 0, RIGHT);
    tcase_add_loop_test(
        tcase, a_wrong_value_changes_nothing_and_is_told_what_would_be_right, 0,
        WRONG);
    tcase_add_test(tcase, an_option_set_to_nothing_is_as_the_preset_has_it);
    tcase_add_test(tcase, of_an_open_table_a_preset_sets_all_options);
    tcase_add_test(tcase, what_is_written_is_read_back_the_same);
    tcase_add_test(tcase, only_a_games_settings_are_got);
    tcase_add_test(tcase, the_rules_are_the_preset_nine_options_and_vote_min);
    tcase_add_test(tcase, the_name_must_be_there_before_the_vote_ends);
    suite_add_tcase(suite, tcase);
    return suite;
}
