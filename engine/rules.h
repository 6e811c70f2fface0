/*
 * The options in which the rule texts differ, and the presets that set them.
 *
 * The names are those of the game record (`opened.rules`) and of the settings.
 * A struct rules MUST hold values of the enums named beside its members; both
 * setters below leave it so.
 */
#ifndef ENGINE_RULES_H
#define ENGINE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does Hitler learn the fascists: never, or in games of five or six? */
enum hitler_knows {
    HITLER_KNOWS_NEVER,
    HITLER_KNOWS_SMALL,
};

/* Which government the term limit binds. */
enum term_limit {
    TERM_LIMIT_LAST_ENACTED, /* the last that enacted a policy */
    TERM_LIMIT_LAST_ELECTED, /* the last that was elected */
};

/* When it binds that government's president too (its chancellor: always). */
enum president_limit {
    PRESIDENT_LIMIT_ALWAYS,
    PRESIDENT_LIMIT_OVER_FIVE_LIVING, /* while more than five are present */
    PRESIDENT_LIMIT_OVER_SIX_SEATED,  /* in games that began with seven up */
};

/* When the tracker returns to 0, besides whenever a policy is enacted. */
enum tracker_resets {
    TRACKER_RESETS_ON_ELECTION,
    TRACKER_RESETS_ON_POLICY,
};

/* Votes are public as they come, or secret until the vote closes. */
enum ballot {
    BALLOT_OPEN,
    BALLOT_SEALED,
};

/* When a vote closes before its deadline, besides when all have voted. */
enum vote_closes {
    VOTE_CLOSES_MAJORITY, /* Ja or Nein is more than half of the present */
    VOTE_CLOSES_DECIDED,  /* also Nein at exactly half */
    VOTE_CLOSES_ALL,      /* never */
};

/* A rule that some communities add to the texts: off in every preset. */
enum house_rule {
    HOUSE_RULE_OFF,
    HOUSE_RULE_ON,
};

/* Who is the first candidate.  As of a house rule: "lot" in every preset. */
enum first {
    FIRST_LOT,
    FIRST_SEAT_1,
};

struct rules {
    uint8_t hitler_knows_fascists; /* enum hitler_knows */
    uint8_t term_limit;            /* enum term_limit */
    uint8_t president_term_limit;  /* enum president_limit */
    uint8_t tracker_resets_on;     /* enum tracker_resets */
    uint8_t ballot;                /* enum ballot */
    uint8_t vote_closes;           /* enum vote_closes */
    uint8_t tie_elects_hitler;     /* enum house_rule: from the third fascist
                                      policy on, a tie on Hitler elects */
    uint8_t chaos_power;           /* enum house_rule: a fascist policy of chaos
                                      brings its power to the last candidate */
    uint8_t first;                 /* enum first */
};

enum {
    RULES_OPTIONS = 9,
    RULES_PRESETS = 3,
    RULES_VALUES_MAX = 3,
};

/* One option: its name, its values' names (NULL after the last), its place. */
struct rules_option {
    const char *name;
    const char *values[RULES_VALUES_MAX + 1];
    size_t offset; /* of its byte in struct rules */
    bool is_house; /* a house rule: off, or drawn by lot, where it is 0 */
};

/* The options, in the order in which the record writes them. */
extern const struct rules_option rules_options[RULES_OPTIONS];

/*
 * Name a preset by its number, which MUST be below RULES_PRESETS.
 * `play-by-post`, the default, is 0.
 */
const char *rules_preset_name(unsigned preset);

/* Set all options as the preset of that name has them; false: no such. */
bool rules_set_preset(struct rules *rules, const char *preset);

/* Set one option by the names of option and value; false: no such pair. */
bool rules_set(struct rules *rules, const char *option, const char *value);

/* Name the value that `rules` has for an option. */
const char *rules_get(const struct rules *rules,
                      const struct rules_option *option);

/* Does a record name this option?  A house rule only while it is on: so the
 * records and proofs of games without one are as they were before there was
 * any. */
bool rules_is_named(const struct rules *rules,
                    const struct rules_option *option);

#endif
