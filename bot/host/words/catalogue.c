#include "bot/host/words/catalogue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "config/settings.h"

/* Placeholders nested deeper than this are refused at loading. */
enum {
    DEPTH_MAX = 4
};

/* ---- parameters ---------------------------------------------------------- */

static struct param *
add_param(struct params *params, const char *name)
{
    assert(params->count < PARAMS_MAX);
    struct param *param = &params->list[params->count++];
    *param = (struct param){.name = name};
    return param;
}

void
params_text(struct params *params, const char *name, const char *text)
{
    struct param *param = add_param(params, name);
    param->kind = PARAM_TEXT;
    param->is.text = text;
}

void
params_buf(struct params *params, const char *name, const struct buf *text)
{
    struct param *param = add_param(params, name);
    param->kind = PARAM_BUF;
    param->is.buf = text;
}

void
params_number(struct params *params, const char *name, int64_t number)
{
    struct param *param = add_param(params, name);
    param->kind = PARAM_NUMBER;
    param->is.number = number;
}

void
params_rich(struct params *params, const char *name, const struct rich *rich)
{
    struct param *param = add_param(params, name);
    param->kind = PARAM_RICH;
    param->is.rich = rich;
}

/* The last one with that name: a sentence's own parameter overrides a shared
 * one. */
static const struct param *
find_param(const struct params *params, const char *name, size_t len)
{
    for (unsigned i = params == NULL ? 0 : params->count; i-- > 0;) {
        const struct param *param = &params->list[i];
        if (strlen(param->name) == len && memcmp(param->name, name, len) == 0) {
            return param;
        }
    }
    return NULL;
}

/* The same of parameters that may change; or a new one. */
static struct param *
find_or_add(struct params *params, const char *name)
{
    const struct param *found = find_param(params, name, strlen(name));
    return found == NULL ? add_param(params, name)
                         : &params->list[found - params->list];
}

void
params_set_number(struct params *params, const char *name, int64_t number)
{
    struct param *param = find_or_add(params, name);
    param->kind = PARAM_NUMBER;
    param->is.number = number;
}

void
params_person(struct params *params, const char *name, const char *id,
              const char *shown)
{
    struct param *param = find_or_add(params, name);
    if (param->kind != PARAM_PEOPLE) {
        *param = (struct param){.name = name, .kind = PARAM_PEOPLE};
    }
    assert(params->people_count < PARAM_PEOPLE_MAX);
    params->people[params->people_count].name = shown;
    params->people[params->people_count].id = id;
    params->people[params->people_count++].list =
        (unsigned)(param - params->list);
    param->is.people++;
}

static int64_t
param_amount(const struct param *param)
{
    switch (param->kind) {
    case PARAM_TEXT:
        return param->is.text != NULL && param->is.text[0] != '\0';
    case PARAM_BUF:
        return (int64_t)param->is.buf->len;
    case PARAM_NUMBER:
        return param->is.number;
    case PARAM_PEOPLE:
        return param->is.people;
    case PARAM_RICH:
        return (int64_t)param->is.rich->text.len;
    }
    return 0;
}

/* ---- words in lists ------------------------------------------------------ */

/* Take the next word of a list with blanks or line ends between; NULL: no more.
 */
static const char *
next_word(const char **list, size_t *len)
{
    const char *word = *list + strspn(*list, " \n");
    *len = strcspn(word, " \n");
    *list = word + *len;
    return *len == 0 ? NULL : word;
}

bool
catalogue_lists(const char *list, const char *word)
{
    size_t len = 0;
    const char *found = next_word(&list, &len);
    while (found != NULL &&
           (strlen(word) != len || memcmp(found, word, len) != 0)) {
        found = next_word(&list, &len);
    }
    return found != NULL;
}

bool
catalogue_is_word(const struct catalogue *catalogue, const char *key,
                  const char *word)
{
    const char *list = language_find(&catalogue->language, key);
    return list != NULL && catalogue_lists(list, word);
}

/* The n-th word (from 0) of a list, or its number if the list is too short. */
static void
add_nth_word(const struct catalogue *catalogue, const char *key, int nth,
             struct buf *out)
{
    const char *list = language_find(&catalogue->language, key);
    size_t len = 0;
    const char *word = NULL;
    for (int i = 0; list != NULL && i <= nth; i++) {
        word = next_word(&list, &len);
        if (word == NULL) {
            break;
        }
    }
    if (word == NULL) {
        buf_add_number(out, nth);
    } else {
        buf_add(out, word, len);
    }
}

/* ---- templates ----------------------------------------------------------- */

/* Find the end of the placeholder that opens at text[0] = '{'; 0: none. */
static size_t
placeholder_len(const char *text, size_t len)
{
    size_t depth = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '{') {
            depth++;
        } else if (text[i] == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* The first `|` that is not inside a placeholder; len: none. */
static size_t
find_bar(const char *text, size_t len)
{
    size_t depth = 0;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '{') {
            depth++;
        } else if (text[i] == '}') {
            depth--;
        } else if (text[i] == '|' && depth == 0) {
            return i;
        }
    }
    return len;
}

/* Take apart what is between the braces. */
static bool
placeholder_read(const char *inner, size_t len, struct placeholder *holder)
{
    memset(holder, 0, sizeof *holder);
    holder->ring = len > 0 && inner[0] == '@';
    holder->name = inner + holder->ring;
    size_t at = holder->ring;
    while (at < len &&
           ((inner[at] >= 'a' && inner[at] <= 'z') || inner[at] == '_')) {
        at++;
    }
    holder->name_len = at - holder->ring;
    if (holder->name_len == 0) {
        return false;
    }
    if (at == len) {
        return true;
    }
    holder->sort = inner[at++];
    holder->text = inner + at;
    holder->text_len = len - at;
    if (holder->sort == '#') {
        size_t bar = find_bar(holder->text, holder->text_len);
        if (bar == holder->text_len) {
            return false;
        }
        holder->other = holder->text + bar + 1;
        holder->other_len = holder->text_len - bar - 1;
        holder->text_len = bar;
        return true;
    }
    if (holder->sort == '&' || holder->sort == '|') {
        return holder->text_len == 0;
    }
    return holder->sort == '?' || holder->sort == '!';
}

const char *
catalogue_placeholder(const char *text, struct placeholder *holder)
{
    while ((text = strchr(text, '{')) != NULL) {
        size_t len = placeholder_len(text, strlen(text));
        text++;
        if (len > 2 && placeholder_read(text, len - 2, holder)) {
            return text;
        }
    }
    return NULL;
}

/* Does the plural form "one" fit a number in this language? */
static bool
is_singular(const struct catalogue *catalogue, int64_t number)
{
    const char *rule = language_find(&catalogue->language, "plural_rule");
    bool zero_too = rule != NULL && strcmp(rule, "zero_and_one") == 0;
    return number == 1 || (zero_too && number == 0);
}

struct speaker {
    const struct catalogue *catalogue;
    const struct params *params; /* NULL: none */
    struct rich *out;
    unsigned marks;
    size_t filled; /* where the last value ended in `out` */
};

/* What stands before the last of a list: '&' "and", '|' "or", else a comma. */
static const char *
last_separator(char sort)
{
    switch (sort) {
    case '&':
        return "and";
    case '|':
        return "or";
    default:
        return "list_separator";
    }
}

static const char *
separator(const struct speaker *speaker, const char *key)
{
    const char *found = language_find(&speaker->catalogue->language, key);
    return found == NULL ? ", " : found;
}

/* A text may be somebody's own: nothing in it turns the sentence around, or
 * hides. */
static void
say_text(struct speaker *speaker, const char *text)
{
    struct buf clean = BUF_INIT;
    text_clean(text, &clean);
    rich_add_text(speaker->out, buf_text(&clean), speaker->marks);
    buf_release(&clean);
}

static void
say_person(struct speaker *speaker, const char *id, const char *name)
{
    struct buf clean = BUF_INIT;
    text_clean(name, &clean);
    rich_add_mention(speaker->out, id, buf_text(&clean), speaker->marks);
    buf_release(&clean);
}

static void
say_people(struct speaker *speaker, const struct param *param, bool ring,
           char sort)
{
    const struct params *params = speaker->params;
    unsigned said = 0;
    for (unsigned i = 0; said < param->is.people; i++) {
        if (&params->list[params->people[i].list] != param) {
            continue;
        }
        if (said > 0) {
            bool last = said + 1 == param->is.people;
            const char *key = last ? last_separator(sort) : "list_separator";
            rich_add_text(speaker->out, separator(speaker, key),
                          speaker->marks);
        }
        if (ring) {
            say_person(speaker, params->people[i].id, params->people[i].name);
        } else {
            say_text(speaker, params->people[i].name);
        }
        said++;
    }
}

/* Say the words of a template.  After a name that ends in a full stop, "J.R.",
 * a sentence needs no second one. */
static void
say_words(struct speaker *speaker, const char *text, size_t len)
{
    const struct buf *said = &speaker->out->text;
    bool stop = len > 0 && text[0] == '.' && (len == 1 || text[1] != '.');

    if (stop && said->len > 0 && speaker->filled == said->len &&
        said->data[said->len - 1] == '.') {
        text++;
        len--;
    }
    rich_add(speaker->out, text, len, speaker->marks);
}

static void
say_param(struct speaker *speaker, const struct param *param, bool ring,
          char sort)
{
    switch (param->kind) {
    case PARAM_TEXT:
        if (param->is.text != NULL) {
            say_text(speaker, param->is.text);
        }
        break;
    case PARAM_BUF:
        say_text(speaker, buf_text(param->is.buf));
        break;
    case PARAM_NUMBER: {
        struct buf number = BUF_INIT;
        if (sort == '&') {
            add_nth_word(speaker->catalogue, "numbers", (int)param->is.number,
                         &number);
        } else {
            buf_add_number(&number, param->is.number);
        }
        rich_add_text(speaker->out, buf_text(&number), speaker->marks);
        buf_release(&number);
        break;
    }
    case PARAM_PEOPLE:
        say_people(speaker, param, ring, sort);
        break;
    case PARAM_RICH:
        rich_add_marked(speaker->out, param->is.rich, speaker->marks);
        break;
    }
}

/*
 * Say a piece of a template.  It calls itself for the text inside a
 * placeholder; templates are checked at loading to nest at most DEPTH_MAX deep.
 */
static void say_piece(struct speaker *speaker, const char *text, size_t len);

static void
say_placeholder(struct speaker *speaker, const struct placeholder *holder)
{
    const struct param *param =
        find_param(speaker->params, holder->name, holder->name_len);
    int64_t amount = param == NULL ? 0 : param_amount(param);
    if (holder->sort == '#') {
        bool one = is_singular(speaker->catalogue, amount);
        say_piece(speaker, one ? holder->text : holder->other,
                  one ? holder->text_len : holder->other_len);
    } else if (holder->sort == '?' || holder->sort == '!') {
        if ((amount != 0) == (holder->sort == '?')) {
            say_piece(speaker, holder->text, holder->text_len);
        }
    } else if (param != NULL) {
        say_param(speaker, param, holder->ring, holder->sort);
        if (!(speaker->marks & MARK_CODE)) {
            speaker->filled = speaker->out->text.len;
        }
    }
}

/* The bytes of mark-up at `text`: 2 for bold, 1 for code. */
static unsigned
mark_sign(const char *text, size_t len, unsigned *mark)
{
    if (len >= 2 && text[0] == '*' && text[1] == '*') {
        *mark = MARK_BOLD;
        return 2;
    }
    *mark = MARK_CODE;
    return len >= 1 && text[0] == '`';
}

static void
say_piece(struct speaker *speaker, const char *text, size_t len)
{
    size_t from = 0;
    for (size_t at = 0; at < len;) {
        unsigned mark = 0;
        unsigned sign = mark_sign(text + at, len - at, &mark);
        /* Inside code only the end of code counts. */
        if (sign > 0 && mark == MARK_BOLD && (speaker->marks & MARK_CODE)) {
            sign = 0;
        }
        if (sign == 0 && text[at] != '{') {
            at++;
            continue;
        }
        say_words(speaker, text + from, at - from);
        if (sign > 0) {
            speaker->marks ^= mark;
            at += sign;
        } else {
            size_t whole = placeholder_len(text + at, len - at);
            struct placeholder holder;
            if (whole > 0 &&
                placeholder_read(text + at + 1, whole - 2, &holder)) {
                say_placeholder(speaker, &holder);
            }
            at += whole > 0 ? whole : 1;
        }
        from = at;
    }
    say_words(speaker, text + from, len - from);
}

void
catalogue_say(const struct catalogue *catalogue, const char *key,
              const struct params *params, struct rich *out)
{
    const char *text = language_find(&catalogue->language, key);
    struct speaker speaker = {catalogue, params, out, 0, 0};
    if (text == NULL) {
        rich_add_text(out, key, 0);
        return;
    }
    say_piece(&speaker, text, strlen(text));
}

void
catalogue_text(const struct catalogue *catalogue, const char *key,
               const struct params *params, struct buf *out)
{
    struct rich rich = {.count = 0};
    catalogue_say(catalogue, key, params, &rich);
    buf_add_buf(out, &rich.text);
    rich_release(&rich);
}

/* Append an hour and a minute, and if `exact` the second, as the language
 * writes them. */
static void
add_clock(const struct catalogue *catalogue, const struct civil *civil,
          bool exact, struct buf *out)
{
    struct params params = {.count = 0};
    struct buf two_digits = BUF_INIT;
    struct buf minutes = BUF_INIT;
    struct buf seconds = BUF_INIT;
    buf_addf(&two_digits, "%02d", civil->hour);
    buf_addf(&minutes, "%02d", civil->minute);
    if (exact) {
        buf_addf(&seconds, "%02d", civil->second);
    }
    params_number(&params, "hour", civil->hour);
    params_text(&params, "hour_two", buf_text(&two_digits));
    params_text(&params, "minute", buf_text(&minutes));
    params_text(&params, "second", buf_text(&seconds));
    catalogue_text(catalogue, "clock", &params, out);
    buf_release(&two_digits);
    buf_release(&minutes);
    buf_release(&seconds);
}

static void
add_time(const struct catalogue *catalogue, int64_t instant,
         const struct zone *zone, bool exact, struct buf *out)
{
    struct civil local = civil_at(instant, zone);
    struct civil utc = civil_at(instant, zone_utc());
    struct buf weekday = BUF_INIT;
    struct buf month = BUF_INIT;
    struct buf clock = BUF_INIT;
    struct buf utc_clock = BUF_INIT;
    add_nth_word(catalogue, "weekdays", local.weekday, &weekday);
    add_nth_word(catalogue, "months", local.month - 1, &month);
    add_clock(catalogue, &local, exact, &clock);
    add_clock(catalogue, &utc, exact, &utc_clock);
    struct params params = {.count = 0};
    params_text(&params, "weekday", buf_text(&weekday));
    params_number(&params, "day", local.day);
    params_text(&params, "month", buf_text(&month));
    params_text(&params, "clock", buf_text(&clock));
    params_text(&params, "zone", local.zone);
    if (zone != zone_utc()) {
        params_text(&params, "utc", buf_text(&utc_clock));
    }
    catalogue_text(catalogue, "time", &params, out);
    buf_release(&weekday);
    buf_release(&month);
    buf_release(&clock);
    buf_release(&utc_clock);
}

void
catalogue_time(const struct catalogue *catalogue, int64_t instant,
               const struct zone *zone, struct buf *out)
{
    add_time(catalogue, instant, zone, false, out);
}

void
catalogue_time_exact(const struct catalogue *catalogue, int64_t instant,
                     const struct zone *zone, struct buf *out)
{
    add_time(catalogue, instant, zone, true, out);
}

void
catalogue_date(const struct catalogue *catalogue, int64_t instant,
               struct buf *out)
{
    struct civil civil = civil_at(instant, zone_utc());
    struct params params = {.count = 0};
    struct buf weekday = BUF_INIT;
    struct buf month = BUF_INIT;
    add_nth_word(catalogue, "weekdays", civil.weekday, &weekday);
    add_nth_word(catalogue, "months", civil.month - 1, &month);
    params_text(&params, "weekday", buf_text(&weekday));
    params_number(&params, "day", civil.day);
    params_text(&params, "month", buf_text(&month));
    params_number(&params, "year", civil.year);
    catalogue_text(catalogue, "play_date", &params, out);
    buf_release(&weekday);
    buf_release(&month);
}

void
catalogue_duration(const struct catalogue *catalogue, int64_t length,
                   struct buf *out)
{
    struct params params = {.count = 0};
    struct buf minutes = BUF_INIT;
    buf_addf(&minutes, "%02d", (int)(length % HOUR_MS / MINUTE_MS));
    params_number(&params, "days", length / DAY_MS);
    params_number(&params, "hours", length % DAY_MS / HOUR_MS);
    params_number(&params, "minutes", length % HOUR_MS / MINUTE_MS);
    params_text(&params, "minutes_two", buf_text(&minutes));
    params_number(&params, "seconds", length % MINUTE_MS / SECOND_MS);
    catalogue_text(catalogue, "duration", &params, out);
    buf_release(&minutes);
}

void
catalogue_preset(const struct catalogue *catalogue, const char *preset,
                 struct buf *out)
{
    static const struct {
        const char *preset;
        const char *key;
    } names[] = {
        {"play-by-post", "preset_play_by_post"},
        {"official", "preset_official"},
        {"french", "preset_french"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].preset, preset) == 0) {
            catalogue_text(catalogue, names[i].key, NULL, out);
            return;
        }
    }
    buf_add_text(out, preset);
}

/* ---- loading ------------------------------------------------------------- */

/* Check that every placeholder of a template can be read, down to a depth. */
static bool
check_piece(const char *text, size_t len, unsigned depth)
{
    if (depth > DEPTH_MAX) {
        return false;
    }
    for (size_t at = 0; at < len; at++) {
        if (text[at] == '}') {
            return false;
        }
        if (text[at] != '{') {
            continue;
        }
        size_t whole = placeholder_len(text + at, len - at);
        struct placeholder holder;
        if (whole < 3 || !placeholder_read(text + at + 1, whole - 2, &holder) ||
            !check_piece(holder.text, holder.text_len, depth + 1) ||
            !check_piece(holder.other, holder.other_len, depth + 1)) {
            return false;
        }
        at += whole - 1;
    }
    return true;
}

/* Read the file of a language and apply a theme to it. */
static enum err
load_texts(struct language *texts, const char *language, const char *theme,
           const char *file, struct buf *why)
{
    struct buf path = BUF_INIT;
    enum err err = language_load(texts, file, why);
    if (err == ERR_NONE && strcmp(theme, THEME_ORIGINAL) != 0) {
        theme_path(theme, &path);
        err = language_dress(texts, buf_text(&path), language, why);
    }
    if (err == ERR_NONE) {
        err = language_fill(texts, file, why);
    }
    buf_release(&path);
    return err;
}

/* A theme has words, not templates. */
static bool
is_plain(const char *text)
{
    return strpbrk(text, "{}*`<>\n") == NULL;
}

static enum err
check_entry(const struct language_entry *entry, const char *file,
            struct buf *why)
{
    struct vote_words words;
    const char *wrong = NULL;
    if (!check_piece(entry->text, strlen(entry->text), 0)) {
        wrong = "a placeholder is not closed, has no name, is a plural form "
                "without |, or nests more than 4 deep";
    } else if (entry->word && !is_plain(entry->text)) {
        wrong = "a word is text alone, without { } * ` < > and line breaks";
    } else if (strncmp(entry->key, "vote_words", 10) == 0 &&
               !vote_words_read(entry->text, &words)) {
        wrong = "these are no vote words; write \"Ja!/Nein!\"";
    }
    return wrong == NULL
               ? ERR_NONE
               : language_fail(why, file, entry->line, entry->key, wrong);
}

enum err
catalogue_check(const struct language *language, const char *file,
                struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; i < language->count; i++) {
        enum err wrong = check_entry(&language->entries[i], file, why);
        err = wrong != ERR_NONE ? wrong : err;
    }
    return err;
}

/* The keys of the words for cards, in the order of enum card_word. */
_Static_assert(CATALOGUE_CARDS == (int)CARD_WORDS, "each has a list of words");
static const char *const card_keys[CARD_WORDS] = {
    [CARD_WORD_PLAIN] = "read_plain",     [CARD_WORD_DISCARD] = "read_discard",
    [CARD_WORD_AWAY] = "read_away",       [CARD_WORD_PASS] = "read_pass",
    [CARD_WORD_FASCIST] = "read_fascist", [CARD_WORD_LIBERAL] = "read_liberal",
    [CARD_WORD_ONE] = "read_one",         [CARD_WORD_TWO] = "read_two",
    [CARD_WORD_THREE] = "read_three",     [CARD_WORD_NOT] = "read_not",
    [CARD_WORD_NO] = "read_no",           [CARD_WORD_VETO] = "read_veto",
    [CARD_WORD_UNIT] = "read_unit",       [CARD_WORD_ELIDED] = "read_elided",
};

enum err
catalogue_load(struct catalogue *catalogue, const char *language,
               const char *theme, struct buf *why)
{
    struct buf path = BUF_INIT;
    language_path(language, &path);
    enum err err =
        load_texts(&catalogue->language, language, theme, buf_text(&path), why);
    if (err == ERR_NONE) {
        err = catalogue_check(&catalogue->language, buf_text(&path), why);
    }
    for (size_t i = 0; err == ERR_NONE && i < CARD_WORDS; i++) {
        catalogue->cards[i] = language_find(&catalogue->language, card_keys[i]);
    }
    if (err == ERR_NONE && catalogue->language.count == 0) {
        err = err_say(why, ERR_CONFIG, "%s: is empty; put the whole file back",
                      buf_text(&path));
    }
    if (err != ERR_NONE) {
        language_release(&catalogue->language);
    }
    buf_release(&path);
    return err;
}

void
catalogue_release(struct catalogue *catalogue)
{
    language_release(&catalogue->language);
}

/* ---- catalogues ---------------------------------------------------------- */

/* A catalogue among those loaded. */
struct volume {
    char language[16], theme[16];
    struct catalogue catalogue;
};

static struct volume *
find_volume(const struct catalogues *catalogues, const char *language,
            const char *theme)
{
    for (unsigned i = 0; i < catalogues->count; i++) {
        struct volume *volume = catalogues->volumes[i];
        if (strcmp(volume->language, language) == 0 &&
            strcmp(volume->theme, theme) == 0) {
            return volume;
        }
    }
    return NULL;
}

enum err
catalogues_open(struct catalogues *catalogues, const char *language,
                const char *theme, const struct catalogue **catalogue,
                struct buf *why)
{
    struct volume *volume = find_volume(catalogues, language, theme);
    if (volume == NULL) {
        volume = must_alloc(sizeof *volume);
        assert(strlen(language) < sizeof volume->language);
        assert(strlen(theme) < sizeof volume->theme);
        memcpy(volume->language, language, strlen(language) + 1);
        memcpy(volume->theme, theme, strlen(theme) + 1);
        enum err err = catalogue_load(&volume->catalogue, language, theme, why);
        if (err != ERR_NONE) {
            free(volume);
            return err;
        }
        catalogues->volumes =
            must_grow(catalogues->volumes,
                      (catalogues->count + 1) * sizeof(struct volume *));
        catalogues->volumes[catalogues->count++] = volume;
    }
    *catalogue = &volume->catalogue;
    return ERR_NONE;
}

void
catalogues_release(struct catalogues *catalogues)
{
    for (unsigned i = 0; i < catalogues->count; i++) {
        catalogue_release(&catalogues->volumes[i]->catalogue);
        free(catalogues->volumes[i]);
    }
    free(catalogues->volumes);
    *catalogues = (struct catalogues){.count = 0};
}

const char *
catalogue_power_key(enum power power, unsigned nth)
{
    static const char *const keys[] = {
        [POWER_INVESTIGATE] = "power_investigate",
        [POWER_SPECIAL_ELECTION] = "power_special_election",
        [POWER_PEEK] = "power_peek",
        [POWER_EXECUTION] = "power_execution",
    };
    return power == POWER_EXECUTION && nth == FASCIST_VETO
               ? "power_execution_veto"
               : keys[power];
}

const char *
catalogue_role_key(enum role role)
{
    static const char *const keys[] = {[ROLE_LIBERAL] = "role_liberal",
                                       [ROLE_FASCIST] = "role_fascist",
                                       [ROLE_HITLER] = "hitler"};
    return keys[role];
}

const char *
catalogue_ending_key(enum ending ending, bool brief)
{
    static const char *const keys[][2] = {
        [ENDING_NONE] = {"end_abandoned", "play_abandoned"},
        [ENDING_FIVE_LIBERAL] = {"end_five_liberal", "play_five_liberal"},
        [ENDING_HITLER_EXECUTED] = {"end_hitler_executed",
                                    "play_hitler_executed"},
        [ENDING_SIX_FASCIST] = {"end_six_fascist", "play_six_fascist"},
        [ENDING_HITLER_CHANCELLOR] = {"end_hitler_chancellor",
                                      "play_hitler_chancellor"},
        [ENDING_ABANDONED] = {"end_abandoned", "play_abandoned"},
    };
    return keys[ending][brief];
}
