/* What of a table that is open may be set otherwise: times and language at any
 * time, the rules before the start. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/words/problem.h"

/* Say that a setting can't be that. */
static void
refuse(struct order *order, const struct complaint *complaint,
       const struct settings *tried)
{
    struct buf problem = BUF_INIT;
    problem_say(order->docket->house->catalogue, complaint, tried, &problem);
    order_refuse_setting(order, buf_text(&problem));
    buf_release(&problem);
}

static void
play(struct order *order, const char *key, const char *value)
{
    struct move move =
        docket_move(order->docket, MOVE_SET, order->hearing->post->stamp);
    (void)snprintf(move.name, sizeof move.name, "%s", key);
    (void)snprintf(move.text, sizeof move.text, "%.200s", value);
    (void)docket_play(order->docket, &move);
}

/* Set it and tell, in the language that the table has from then on. */
static void
set(struct order *order, const char *key, const char *value)
{
    struct docket *docket = order->docket;
    struct speech speech;
    play(order, key, value);
    speech_init(&speech, docket->house, docket->table, NULL);
    params_text(&speech.params, "key", key);
    params_text(&speech.params, "value", value);
    order_tell(order, &speech, "set_done");
    speech_release(&speech);
    if (docket->table->state == TABLE_CHECK &&
        (strcmp(key, "language") == 0 || strcmp(key, "theme") == 0)) {
        signup_send_words(docket); /* each language has words of its own */
    }
}

/* ---- the rules ----------------------------------------------------------- */

static void
add_change(const struct order *order, const char *key, const char *before,
           const char *value, struct rich *changes)
{
    const struct catalogue *catalogue = order->docket->house->catalogue;
    struct params params = {.count = 0};
    if (strcmp(before, value) == 0) {
        return;
    }
    if (changes->text.len > 0) {
        catalogue_say(catalogue, "list_separator", NULL, changes);
    }
    params_text(&params, "key", key);
    params_text(&params, "before", before);
    params_text(&params, "value", value);
    catalogue_say(catalogue, "set_change", &params, changes);
}

/* What will be otherwise, and how it was: the preset's name, and each option
 * that changes with it. */
static void
list_changes(const struct order *order, const struct settings *after,
             struct rich *changes)
{
    const struct settings *before = &order->docket->table->settings;
    struct rules was;
    struct rules will_be;
    table_rules(before, &was);
    table_rules(after, &will_be);
    add_change(order, "rules", before->preset, after->preset, changes);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        add_change(order, option->name, rules_get(&was, option),
                   rules_get(&will_be, option), changes);
    }
}

/* Everybody sees what changes, for some have signed up to other rules. */
static void
set_rule(struct order *order, const struct settings *after, const char *key,
         const char *value)
{
    struct rich changes = {.count = 0};
    struct speech speech;
    list_changes(order, after, &changes);
    if (changes.text.len == 0) {
        (void)order_answer(order, "set_same");
    } else {
        play(order, key, value);
        speech_init(&speech, order->docket->house, order->docket->table, NULL);
        params_rich(&speech.params, "changes", &changes);
        order_tell(order, &speech, "set_rules");
        speech_release(&speech);
    }
    rich_release(&changes);
}

/* ---- the command --------------------------------------------------------- */

/* Set what the words say. */
static void
set_option(struct order *order, const char *key, const char *value)
{
    const struct table *table = order->docket->table;
    struct settings tried = table->settings;
    struct complaint complaint;
    bool players = strcmp(key, "players") == 0;
    bool rule = settings_is_rule(key);
    if ((players || rule) && !table_is_coming(table)) {
        (void)order_answer(order, "set_rule");
    } else if (players) {
        order_set_players(order, value);
    } else if (!settings_change(&tried, key, value, &complaint) ||
               !settings_fit(&tried, &complaint)) {
        refuse(order, &complaint, &tried);
    } else if (rule) {
        set_rule(order, &tried, key, value);
    } else {
        set(order, key, value);
    }
}

void
order_set(struct order *order)
{
    char *option = must_copy(buf_text(&order->rest));
    char *value = strchr(option, '=');
    struct move move =
        docket_move(order->docket, MOVE_SET, order->hearing->post->stamp);
    if (!table_may(order->docket->table, &move)) {
        (void)order_answer_quoting(order, "command_late");
    } else if (value == NULL) {
        (void)order_answer(order, "set_bad");
    } else {
        *value++ = '\0';
        for (char *at = option; *at != '\0'; at++) {
            *at = (char)tolower((unsigned char)*at);
        }
        set_option(order, option, value);
    }
    free(option);
}
