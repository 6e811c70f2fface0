#include "engine/rules.h"

#include <assert.h>
#include <string.h>

const struct rules_option rules_options[RULES_OPTIONS] = {
    {
        .name = "hitler_knows_fascists",
        .values =
            {[HITLER_KNOWS_NEVER] = "never", [HITLER_KNOWS_SMALL] = "small"},
        .offset = offsetof(struct rules, hitler_knows_fascists),
    },
    {
        .name = "term_limit",
        .values = {[TERM_LIMIT_LAST_ENACTED] = "last_enacted",
                   [TERM_LIMIT_LAST_ELECTED] = "last_elected"},
        .offset = offsetof(struct rules, term_limit),
    },
    {
        .name = "president_term_limit",
        .values = {[PRESIDENT_LIMIT_ALWAYS] = "always",
                   [PRESIDENT_LIMIT_OVER_FIVE_LIVING] = "over_five_living",
                   [PRESIDENT_LIMIT_OVER_SIX_SEATED] = "over_six_seated"},
        .offset = offsetof(struct rules, president_term_limit),
    },
    {
        .name = "tracker_resets_on",
        .values = {[TRACKER_RESETS_ON_ELECTION] = "election",
                   [TRACKER_RESETS_ON_POLICY] = "policy"},
        .offset = offsetof(struct rules, tracker_resets_on),
    },
    {
        .name = "ballot",
        .values = {[BALLOT_OPEN] = "open", [BALLOT_SEALED] = "sealed"},
        .offset = offsetof(struct rules, ballot),
    },
    {
        .name = "vote_closes",
        .values = {[VOTE_CLOSES_MAJORITY] = "majority",
                   [VOTE_CLOSES_DECIDED] = "decided",
                   [VOTE_CLOSES_ALL] = "all"},
        .offset = offsetof(struct rules, vote_closes),
    },
    {
        .name = "tie_elects_hitler",
        .values = {[HOUSE_RULE_OFF] = "off", [HOUSE_RULE_ON] = "on"},
        .offset = offsetof(struct rules, tie_elects_hitler),
        .is_house = true,
    },
    {
        .name = "chaos_power",
        .values = {[HOUSE_RULE_OFF] = "off", [HOUSE_RULE_ON] = "on"},
        .offset = offsetof(struct rules, chaos_power),
        .is_house = true,
    },
    {
        .name = "first",
        .values = {[FIRST_LOT] = "lot", [FIRST_SEAT_1] = "seat 1"},
        .offset = offsetof(struct rules, first),
        .is_house = true,
    },
};

static const struct {
    const char *name;
    struct rules rules;
} presets[RULES_PRESETS] = {
    {"play-by-post",
     {
         .hitler_knows_fascists = HITLER_KNOWS_NEVER,
         .term_limit = TERM_LIMIT_LAST_ENACTED,
         .president_term_limit = PRESIDENT_LIMIT_ALWAYS,
         .tracker_resets_on = TRACKER_RESETS_ON_ELECTION,
         .ballot = BALLOT_OPEN,
         .vote_closes = VOTE_CLOSES_MAJORITY,
         .tie_elects_hitler = HOUSE_RULE_OFF,
         .chaos_power = HOUSE_RULE_OFF,
     }},
    {"official",
     {
         .hitler_knows_fascists = HITLER_KNOWS_SMALL,
         .term_limit = TERM_LIMIT_LAST_ELECTED,
         .president_term_limit = PRESIDENT_LIMIT_OVER_FIVE_LIVING,
         .tracker_resets_on = TRACKER_RESETS_ON_POLICY,
         .ballot = BALLOT_SEALED,
         .vote_closes = VOTE_CLOSES_ALL,
         .tie_elects_hitler = HOUSE_RULE_OFF,
         .chaos_power = HOUSE_RULE_OFF,
     }},
    {"french",
     {
         .hitler_knows_fascists = HITLER_KNOWS_SMALL,
         .term_limit = TERM_LIMIT_LAST_ELECTED,
         .president_term_limit = PRESIDENT_LIMIT_OVER_SIX_SEATED,
         .tracker_resets_on = TRACKER_RESETS_ON_ELECTION,
         .ballot = BALLOT_SEALED,
         .vote_closes = VOTE_CLOSES_ALL,
         .tie_elects_hitler = HOUSE_RULE_OFF,
         .chaos_power = HOUSE_RULE_OFF,
     }},
};

const char *
rules_preset_name(unsigned preset)
{
    assert(preset < RULES_PRESETS);
    return presets[preset].name;
}

bool
rules_set_preset(struct rules *rules, const char *preset)
{
    for (unsigned i = 0; i < RULES_PRESETS; i++) {
        if (strcmp(presets[i].name, preset) == 0) {
            *rules = presets[i].rules;
            return true;
        }
    }
    return false;
}

bool
rules_set(struct rules *rules, const char *option, const char *value)
{
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *row = &rules_options[i];
        if (strcmp(row->name, option) != 0) {
            continue;
        }
        for (unsigned j = 0; row->values[j] != NULL; j++) {
            if (strcmp(row->values[j], value) == 0) {
                ((uint8_t *)rules)[row->offset] = (uint8_t)j;
                return true;
            }
        }
    }
    return false;
}

const char *
rules_get(const struct rules *rules, const struct rules_option *option)
{
    unsigned value = ((const uint8_t *)rules)[option->offset];
    assert(value < RULES_VALUES_MAX && option->values[value] != NULL);
    return option->values[value];
}

bool
rules_is_named(const struct rules *rules, const struct rules_option *option)
{
    return !option->is_house ||
           ((const uint8_t *)rules)[option->offset] != HOUSE_RULE_OFF;
}
