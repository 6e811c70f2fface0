#include "bot/host/words/problem.h"

#include <string.h>

#include "config/language.h"

/* The key of the sentence that says what a type accepts; NULL: no setting of a
 * game has this type. */
static const char *
right_key(enum setting_type type)
{
    switch (type) {
    case SETTING_DURATION:
        return "right_duration";
    case SETTING_NUMBER:
        return "right_number";
    case SETTING_CHOICE:
    case SETTING_BOOL:
    case SETTING_LANGUAGE:
    case SETTING_THEME:
        return "right_choice";
    case SETTING_TEXT:
    case SETTING_WORD:
        return "right_word";
    case SETTING_ZONE:
        return "right_zone";
    case SETTING_HOUR:
        return "right_hour";
    case SETTING_HOURS:
        return "right_hours";
    case SETTING_DAYS:
        return "right_days";
    case SETTING_TIMES:
        return "right_times";
    case SETTING_VOTES:
        return "right_votes";
    case SETTING_FILE:
    case SETTING_URL:
    case SETTING_LIST:
    case SETTING_SERVICES:
    case SETTING_PLACES:
        break;
    }
    return NULL;
}

static void
list_choices(const struct catalogue *catalogue, const struct setting *setting,
             struct buf *out)
{
    if (setting->type == SETTING_LANGUAGE) {
        language_names(out);
    } else if (setting->type == SETTING_THEME) {
        theme_names(out);
    } else {
        for (unsigned i = 0; setting->choices[i] != NULL; i++) {
            bool last = setting->choices[i + 1] == NULL;
            if (i > 0) {
                catalogue_text(catalogue, last ? "or" : "list_separator", NULL,
                               out);
            }
            buf_addf(out, "\"%s\"", setting->choices[i]);
        }
    }
}

/* Append the values that would be right. */
static void
say_right(const struct catalogue *catalogue, const struct setting *setting,
          struct buf *out)
{
    const char *key = right_key(setting->type);
    bool number = setting->type == SETTING_NUMBER;
    struct params params = {.count = 0};
    struct buf choices = BUF_INIT;
    struct buf least = BUF_INIT;
    struct buf most = BUF_INIT;
    list_choices(catalogue, setting, &choices);
    if (number) {
        buf_add_number(&least, setting->min);
        buf_add_number(&most, setting->max);
    } else {
        duration_write(setting->min, &least);
        duration_write(setting->max, &most);
    }
    params_text(&params, "least", buf_text(&least));
    params_text(&params, "most", buf_text(&most));
    params_text(&params, "choices", buf_text(&choices));
    if (key != NULL) {
        catalogue_text(catalogue, key, &params, out);
    }
    buf_release(&choices);
    buf_release(&least);
    buf_release(&most);
}

static const char *
problem_key(enum complaint_kind kind)
{
    switch (kind) {
    case COMPLAINT_KEY:
        return "wrong_setting";
    case COMPLAINT_VALUE:
        return "wrong_value";
    case COMPLAINT_NOMINATION:
        return "wrong_nomination";
    case COMPLAINT_DAILY:
        return "wrong_daily";
    case COMPLAINT_SEALED:
        return "wrong_sealed";
    case COMPLAINT_THEME:
    case COMPLAINT_NONE:
        break;
    }
    return "wrong_theme";
}

void
problem_say(const struct catalogue *catalogue,
            const struct complaint *complaint, const struct settings *settings,
            struct buf *out)
{
    struct params params = {.count = 0};
    struct buf right = BUF_INIT;
    struct buf election = BUF_INIT;
    if (complaint->setting != NULL) {
        params_text(&params, "key", complaint->setting->key);
        say_right(catalogue, complaint->setting, &right);
    }
    duration_write(settings->election, &election);
    params_text(&params, "value", complaint->text);
    params_text(&params, "right", buf_text(&right));
    params_text(&params, "nearest",
                settings_nearest(complaint->text, SCOPE_GAME));
    params_text(&params, "election", buf_text(&election));
    params_text(&params, "quiet", settings->quiet);
    params_text(&params, "theme", settings->theme);
    params_text(&params, "language", settings->language);
    catalogue_text(catalogue, problem_key(complaint->kind), &params, out);
    buf_release(&right);
    buf_release(&election);
}
