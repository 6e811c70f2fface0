/* Changes settings of an open table: times and language at any time, the rules
 * before the start. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/words/problem.h"
#include "bot/host/words/times.h"

/* Say that a setting can't have that value. */
static void
refuse(struct chat_command *chat, const struct complaint *complaint,
       const struct settings *tried)
{
    struct buf problem = BUF_INIT;
    problem_say(chat->ruling->env->catalogue, complaint, tried, &problem);
    chat_refuse_setting(chat, buf_text(&problem));
    buf_release(&problem);
}

static void
play(struct chat_command *chat, const char *key, const char *value)
{
    struct move move = chat_begin_move(chat, MOVE_SET);
    (void)snprintf(move.name, sizeof move.name, "%s", key);
    (void)snprintf(move.text, sizeof move.text, "%.200s", value);
    (void)ruling_play(chat->ruling, &move);
}

/* Set it, and say so in the language that the table now has. */
static void
set(struct chat_command *chat, const char *key, const char *value)
{
    struct ruling *ruling = chat->ruling;
    play(chat, key, value);
    struct speech *speech = chat_speech(chat);
    params_text(&speech->params, "key", key);
    params_text(&speech->params, "value", value);
    chat_tell(chat, "set_done");
    if (ruling->table->state == TABLE_CHECK &&
        (strcmp(key, "language") == 0 || strcmp(key, "theme") == 0)) {
        signup_send_words(ruling); /* each language has words of its own */
    }
}

/* ---- the rules ----------------------------------------------------------- */

static void
add_change(const struct chat_command *chat, const char *key, const char *before,
           const char *value, struct rich *changes)
{
    const struct catalogue *catalogue = chat->ruling->env->catalogue;
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

/* The changes, and the values before: the preset's name, and each option that
 * changes with it. */
static void
list_changes(const struct chat_command *chat, const struct settings *after,
             struct rich *changes)
{
    const struct settings *before = &chat->ruling->table->settings;
    struct rules was;
    struct rules will_be;
    table_rules(before, &was);
    table_rules(after, &will_be);
    add_change(chat, "rules", before->preset, after->preset, changes);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        add_change(chat, option->name, rules_get(&was, option),
                   rules_get(&will_be, option), changes);
    }
    struct buf min_was = BUF_INIT;
    struct buf min_will_be = BUF_INIT;
    (void)settings_get(before, "vote_min", &min_was);
    (void)settings_get(after, "vote_min", &min_will_be);
    add_change(chat, "vote_min", buf_text(&min_was), buf_text(&min_will_be),
               changes);
    buf_release(&min_was);
    buf_release(&min_will_be);
}

/* Tell everybody what changes: some have signed up for other rules. */
static void
set_rule(struct chat_command *chat, const struct settings *after,
         const char *key, const char *value)
{
    struct rich changes = {.count = 0};
    list_changes(chat, after, &changes);
    if (changes.text.len == 0) {
        (void)chat_answer(chat, "set_same");
    } else {
        play(chat, key, value);
        params_rich(&chat_speech(chat)->params, "changes", &changes);
        chat_tell(chat, "set_rules");
    }
    rich_release(&changes);
}

/* ---- the command --------------------------------------------------------- */

/* Split "key=value"; false: it has no value. */
static bool
split_option(const struct chat_command *chat, struct buf *option,
             struct buf *value)
{
    char *mark = strchr(option->data, '=');
    if (mark == NULL) {
        return false;
    }
    *mark = '\0';
    for (char *at = option->data; *at != '\0'; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    buf_clear(value);
    if (!times_plain_length(chat->ruling->env->catalogue, mark + 1, value)) {
        buf_add_text(value, mark + 1);
    }
    return true;
}

/* Can all of it be set together?  If not, say why. */
static bool
may_set_all(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const char *rest = buf_text(&chat->rest);
    struct settings tried = table->settings;
    struct complaint complaint = {.kind = COMPLAINT_NONE};
    struct buf option = BUF_INIT;
    struct buf value = BUF_INIT;
    const char *wrong = *rest == '\0' ? "set_bad" : NULL;
    bool rules = false;
    bool good = true;
    while (wrong == NULL && good && chat_next_option(&rest, &option)) {
        if (!split_option(chat, &option, &value)) {
            wrong = "set_bad";
            break;
        }
        bool players = strcmp(option.data, "players") == 0;
        bool rule = settings_is_rule(option.data);
        rules = rules || rule;
        if ((players || rule) && !table_is_coming(table)) {
            wrong = "set_rule";
        } else if (!players) {
            good = settings_change(&tried, option.data, buf_text(&value),
                                   &complaint);
        }
    }
    if (good && wrong == NULL && !settings_fit(&tried, &complaint)) {
        good = !rules && complaint.kind == COMPLAINT_SEALED;
    }
    if (wrong != NULL) {
        (void)chat_answer(chat, wrong);
    } else if (!good) {
        refuse(chat, &complaint, &tried);
    }
    buf_release(&option);
    buf_release(&value);
    return good && wrong == NULL;
}

static void
set_option(struct chat_command *chat, const char *key, const char *value)
{
    const struct table *table = chat->ruling->table;
    struct settings after = table->settings;
    struct complaint complaint;
    if (strcmp(key, "players") == 0) {
        chat_set_players(chat, value);
    } else if (!settings_is_rule(key)) {
        set(chat, key, value);
    } else if (!table_is_coming(table)) {
        (void)chat_answer(chat, "set_rule"); /* with `players` it began */
    } else if (settings_change(&after, key, value, &complaint)) {
        set_rule(chat, &after, key, value);
    }
}

void
chat_set(struct chat_command *chat)
{
    const char *rest = buf_text(&chat->rest);
    struct buf option = BUF_INIT;
    struct buf value = BUF_INIT;
    struct move move = chat_begin_move(chat, MOVE_SET);
    if (!table_may(chat->ruling->table, &move)) {
        (void)chat_answer_quoting(chat, "command_late");
    } else if (may_set_all(chat)) {
        while (chat_next_option(&rest, &option) &&
               split_option(chat, &option, &value)) {
            set_option(chat, option.data, buf_text(&value));
        }
    }
    buf_release(&option);
    buf_release(&value);
}
