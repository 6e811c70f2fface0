#include "bot/host/words/rulebook.h"

#include <string.h>

#include "bot/host/reading/names.h"
#include "bot/host/words/times.h"

/* The topics, in the order in which all of them are said. */
static const struct {
    const char *words; /* the catalogue's key */
    const char *english;
    const char *key;
} topics[] = {
    {"topic_deck", "deck", "rules_deck"},
    {"topic_votes", "votes", "rules_votes"},
    {"topic_limits", "limits", "rules_limits"},
    {"topic_tracker", "tracker", "rules_tracker"},
    {"topic_powers", "powers", "rules_powers"},
    {"topic_veto", "veto", "rules_veto"},
    {"topic_times", "times", "rules_times"},
};
enum {
    TOPICS = sizeof topics / sizeof topics[0]
};

/* Set each value of an option by its name, whether it is the one in force; a
 * house rule by the name of the rule. */
static void
set_options(struct params *params, const struct settings *settings)
{
    struct rules rules;
    table_rules(settings, &rules);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        const char *value = rules_get(&rules, option);
        for (unsigned j = 0; option->values[j] != NULL; j++) {
            params_number(params,
                          option->is_house ? option->name : option->values[j],
                          strcmp(value, option->values[j]) == 0);
        }
    }
    params_number(params, "held",
                  settings->vote_min > 0 &&
                      rules.vote_closes != VOTE_CLOSES_ALL);
}

static void
set_lengths(struct speech *speech)
{
    const struct settings *settings = &speech->table->settings;
    const struct {
        const char *name;
        int64_t length;
    } lengths[] = {
        {"for_name", settings->nomination},
        {"for_vote", settings->election},
        {"for_president", settings->president},
        {"for_chancellor", settings->chancellor},
        {"for_veto", settings->veto},
        {"for_power", settings->power},
        {"second_thought", settings->second_thought},
        {"vote_min", settings->vote_min},
    };
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        catalogue_duration(speech->env->catalogue, lengths[i].length,
                           speech_text(speech, lengths[i].name));
    }
}

static void
set_times(struct params *params, const struct settings *settings)
{
    params_text(params, "daily", settings->daily);
    params_text(params, "quiet", settings->quiet);
    params_text(params, "days_off", settings->days_off);
    params_text(params, "zone", settings->zone);
    params_number(params, "misses", settings->misses);
}

/* Which of the three tracks of powers there may be: of five or six players, of
 * seven or eight, of nine or ten. */
static void
set_tracks(struct params *params, const struct table *table)
{
    unsigned seated = table->game.players;
    unsigned least = seated > 0 ? seated : table->players_min;
    unsigned most = seated > 0               ? seated
                    : table->players_max > 0 ? table->players_max
                                             : (unsigned)PLAYERS_MAX;
    params_number(params, "five", least <= 6);
    params_number(params, "seven", least <= 8 && most >= 7);
    params_number(params, "nine", most >= 9);
    params_number(params, "large", most >= 7);
}

void
rulebook_set(struct speech *speech)
{
    const struct catalogue *catalogue = speech->env->catalogue;
    const struct settings *settings = &speech->table->settings;
    struct params *params = &speech->params;
    set_lengths(speech);
    set_times(params, settings);
    set_tracks(params, speech->table);
    catalogue_preset(catalogue, settings->preset, speech_text(speech, "rules"));
    set_options(params, settings);
    /* Each difference begins with a separator; the first needs none. */
    struct buf list = BUF_INIT;
    catalogue_text(catalogue, "differences", params, &list);
    buf_add_text(speech_text(speech, "differences"),
                 buf_text(&list) + times_gap(buf_text(&list)));
    buf_release(&list);
}

/* The number of a topic; TOPICS: there is none of that name. */
static unsigned
find_topic(const struct catalogue *catalogue, const char *topic)
{
    struct buf word = BUF_INIT;
    unsigned i = 0;
    name_key(topic, strlen(topic), &word);
    while (i < TOPICS && strcmp(buf_text(&word), topics[i].english) != 0 &&
           !catalogue_is_word(catalogue, topics[i].words, buf_text(&word))) {
        i++;
    }
    buf_release(&word);
    return i;
}

void
rulebook_say(const struct host_env *env, const struct table *table,
             const char *topic, struct rich *out)
{
    struct speech speech;
    unsigned found = find_topic(env->catalogue, topic);
    speech_init(&speech, env, table, NULL);
    rulebook_set(&speech);
    params_number(&speech.params, "topic", *topic != '\0');
    if (*topic == '\0') {
        speech_say(&speech, "rules_round", out);
        for (unsigned i = 0; i < TOPICS; i++) {
            speech_say(&speech, topics[i].key, out);
        }
        speech_say(&speech, "rules_table", out);
    }
    speech_say(&speech, found < TOPICS ? topics[found].key : "rules_topics",
               out);
    speech_release(&speech);
}
