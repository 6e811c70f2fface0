#include "bot/host/words/translation.h"

#include <string.h>

#include "bot/base/text.h"
#include "bot/host/words/catalogue.h"
#include "bot/host/words/slash.h"

struct check {
    struct catalogue english;
    struct language own; /* filled */
    const char *file;
    struct buf *why;
};

static void
fail(struct check *check, const struct language_entry *entry, const char *wrong)
{
    (void)language_fail(check->why, check->file, entry->line, entry->key,
                        wrong);
}

/* ---- placeholders -------------------------------------------------------- */

static bool
is_group(const struct placeholder *holder)
{
    return holder->sort == '?' || holder->sort == '!';
}

/* Does a text speak of what a placeholder does?  A group needs a group, and
 * who is pinged is pinged; a plural form tells its number, too. */
static bool
speaks_of(const char *text, const struct placeholder *wanted)
{
    struct placeholder holder;
    while ((text = catalogue_placeholder(text, &holder)) != NULL) {
        if (holder.name_len == wanted->name_len &&
            memcmp(holder.name, wanted->name, holder.name_len) == 0 &&
            (wanted->sort == '#' || (is_group(&holder) == is_group(wanted) &&
                                     holder.ring >= wanted->ring))) {
            return true;
        }
    }
    return false;
}

/* Whatever one text speaks of, the other does too, but for the plural forms of
 * English. */
static void
compare(struct check *check, const struct language_entry *entry, bool english,
        const char *one, const char *other)
{
    struct placeholder holder;
    while ((one = catalogue_placeholder(one, &holder)) != NULL) {
        if ((!english || holder.sort != '#') && !speaks_of(other, &holder)) {
            fail(check, entry, "{");
            buf_addf(check->why, "%s%.*s%s} is %s", holder.ring ? "@" : "",
                     (int)holder.name_len, holder.name,
                     is_group(&holder) ? "?…" : "",
                     english ? "missing" : "not in the English text");
        }
    }
}

/* ---- signs and lengths --------------------------------------------------- */

/* What people type is in lists, with signs of their own. */
static bool
has_wide_space(const struct check *check, const struct language_entry *entry)
{
    static const char *const wide[] = {" !", " ?", " :", " ;", " »", "« "};
    const char *slash = strrchr(check->file, '/');
    unsigned count = 0;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        count += text_count(entry->text, wide[i]);
    }
    return text_begins(slash == NULL ? check->file : slash + 1, "fr") &&
           !text_begins(entry->key, "reading_") && count > 0;
}

static bool
is_too_long(const struct language_entry *entry)
{
    bool button =
        text_begins(entry->key, "button_") || text_begins(entry->key, "menu_");
    size_t len = length_of(LENGTH_POINTS, entry->text, strlen(entry->text));
    return (button && len > BUTTON_LABEL_MAX) ||
           (text_begins(entry->key, "slash_") && len > SLASH_TEXT_MAX);
}

static void
check_text(struct check *check, const struct language_entry *entry,
           const struct language_entry *same)
{
    static const char lists[] =
        "numbers weekdays months read_weekdays read_months";
    const char *text = entry->text;
    const struct {
        bool wrong;
        const char *why;
    } faults[] = {
        {text_count(text, "**") % 2 != 0 || text_count(text, "`") % 2 != 0,
         "a ** or ` that opens is not closed"},
        {text_begins(text, "{prefix}") || text_count(text, "\n{prefix}") > 0,
         "a line begins with a command"},
        {has_wide_space(check, entry),
         "the space before ! ? : ; » and after « has to be U+202F"},
        {is_too_long(entry), "is too long for a button or a slash command"},
        {catalogue_lists(lists, entry->key) &&
             text_count(text, " ") != text_count(same->text, " "),
         "has to be as many words as in English"},
        {strcmp(entry->key, "plural_rule") == 0 &&
             !catalogue_lists("one zero_and_one", text),
         "has to be \"one\" or \"zero_and_one\""},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        if (faults[i].wrong) {
            fail(check, entry, faults[i].why);
        }
    }
    /* How a language writes its hours and lengths is its own. */
    if (!catalogue_lists("clock duration", entry->key)) {
        compare(check, entry, false, text, same->text);
        compare(check, entry, true, same->text, text);
    }
}

/* ---- a file -------------------------------------------------------------- */

/* Does the code say this entry of English?  Texts, and words that are in no
 * text; and these. */
static bool
is_said(const struct language_entry *english)
{
    return !english->used ||
           catalogue_lists("hitler liberal fascist letter_liberal "
                           "letter_fascist role_liberal role_fascist",
                           english->key);
}

static void
check_entries(struct check *check)
{
    const struct language *english = &check->english.language;
    for (size_t i = 0; i < english->count; i++) {
        const struct language_entry *entry = &english->entries[i];
        if (is_said(entry) && language_entry(&check->own, entry->key) == NULL) {
            buf_addf(check->why, "%s%s: %s: is missing",
                     check->why->len > 0 ? "\n" : "", check->file, entry->key);
        }
    }
    for (size_t i = 0; i < check->own.count; i++) {
        const struct language_entry *entry = &check->own.entries[i];
        const struct language_entry *same = language_entry(english, entry->key);
        if (!entry->used &&
            (same == NULL || same->word != entry->word || !is_said(same))) {
            fail(check, entry, "nothing uses this");
        } else if (!entry->word) {
            check_text(check, entry, same);
        }
    }
}

enum err
translation_check(const char *language, struct buf *why)
{
    struct check check = {.why = why};
    struct buf file = BUF_INIT;
    language_path(language, &file);
    check.file = buf_text(&file);
    enum err err = catalogue_load(&check.english, "en", THEME_ORIGINAL, why);
    err = err != ERR_NONE ? err : language_load(&check.own, check.file, why);
    if (err == ERR_NONE) {
        (void)!language_fill(&check.own, check.file, why);
        (void)!catalogue_check(&check.own, check.file, why);
        check_entries(&check);
        err = why->len > 0 ? ERR_CONFIG : ERR_NONE;
    }
    catalogue_release(&check.english);
    language_release(&check.own);
    buf_release(&file);
    return err;
}
