#include <string.h>

#include "engine/rules.h"
#include "tests/support/runner.h"

/* What each preset sets, in the order of the options. */
static const struct {
    const char *name;
    const char *values[RULES_OPTIONS];
} presets[RULES_PRESETS] = {
    {"play-by-post",
     {"never", "last_enacted", "always", "election", "open", "majority", "off",
      "off", "lot"}},
    {"official",
     {"small", "last_elected", "over_five_living", "policy", "sealed", "all",
      "off", "off", "lot"}},
    {"french",
     {"small", "last_elected", "over_six_seated", "election", "sealed", "all",
      "off", "off", "lot"}},
};

START_TEST(the_options_come_in_the_order_of_the_record)
{
    static const char *const names[RULES_OPTIONS] = {
        "hitler_knows_fascists", "term_limit",  "president_term_limit",
        "tracker_resets_on",     "ballot",      "vote_closes",
        "tie_elects_hitler",     "chaos_power", "first",
    };
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        ck_assert_str_eq(rules_options[i].name, names[i]);
    }
}
END_TEST

START_TEST(play_by_post_is_the_default)
{
    ck_assert_str_eq(rules_preset_name(0), "play-by-post");
}
END_TEST

START_TEST(a_preset_sets_every_option)
{
    for (unsigned i = 0; i < RULES_PRESETS; i++) {
        struct rules rules;
        memset(&rules, 0xff, sizeof rules);
        ck_assert_str_eq(rules_preset_name(i), presets[i].name);
        ck_assert(rules_set_preset(&rules, presets[i].name));
        for (unsigned j = 0; j < RULES_OPTIONS; j++) {
            ck_assert_str_eq(rules_get(&rules, &rules_options[j]),
                             presets[i].values[j]);
        }
    }
}
END_TEST

START_TEST(a_record_names_a_house_rule_only_while_it_is_on)
{
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "official"));
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        ck_assert(rules_is_named(&rules, option) == (i < 6));
        ck_assert(option->is_house == (i >= 6));
        ck_assert(!option->is_house ||
                  rules_set(&rules, option->name, option->values[1]));
        ck_assert(rules_is_named(&rules, option));
    }
}
END_TEST

START_TEST(an_option_is_set_by_itself)
{
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        for (unsigned j = 0; option->values[j] != NULL; j++) {
            struct rules rules;
            ck_assert(rules_set_preset(&rules, "official"));
            struct rules before = rules;
            ck_assert(rules_set(&rules, option->name, option->values[j]));
            ck_assert_str_eq(rules_get(&rules, option), option->values[j]);
            ((uint8_t *)&rules)[option->offset] =
                ((uint8_t *)&before)[option->offset];
            ck_assert_mem_eq(&rules, &before, sizeof rules);
        }
    }
}
END_TEST

START_TEST(a_preset_that_does_not_exist_sets_nothing)
{
    struct rules rules;
    memset(&rules, 0xff, sizeof rules);
    struct rules before = rules;
    ck_assert(!rules_set_preset(&rules, "dutch"));
    ck_assert(!rules_set_preset(&rules, ""));
    ck_assert(!rules_set_preset(&rules, "Official"));
    ck_assert_mem_eq(&rules, &before, sizeof rules);
}
END_TEST

START_TEST(a_wrong_option_or_value_sets_nothing)
{
    static const char *const pairs[][2] = {
        {"ballots", "open"},      {"", ""},
        {"ballot", "always"},     {"ballot", ""},
        {"vote_closes", "Open"},  {"preset", "official"},
        {"term_limit", "always"}, {"BALLOT", "open"},
    };
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "french"));
    struct rules before = rules;
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        ck_assert(!rules_set(&rules, pairs[i][0], pairs[i][1]));
    }
    ck_assert_mem_eq(&rules, &before, sizeof rules);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("engine/rules");
    TCase *options = tcase_create("options");
    tcase_add_test(options, the_options_come_in_the_order_of_the_record);
    tcase_add_test(options, a_record_names_a_house_rule_only_while_it_is_on);
    tcase_add_test(options, an_option_is_set_by_itself);
    tcase_add_test(options, a_wrong_option_or_value_sets_nothing);
    suite_add_tcase(suite, options);

    TCase *presets_case = tcase_create("presets");
    tcase_add_test(presets_case, play_by_post_is_the_default);
    tcase_add_test(presets_case, a_preset_sets_every_option);
    tcase_add_test(presets_case, a_preset_that_does_not_exist_sets_nothing);
    suite_add_tcase(suite, presets_case);
    return suite;
}
