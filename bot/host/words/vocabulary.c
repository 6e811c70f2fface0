#include "bot/host/words/vocabulary.h"

#include <string.h>
#include <strings.h>

#include "bot/host/reading/names.h"

/* Is a word in the list already, ignoring case and marks? */
static bool
has_word(char words[][VOTE_WORD_MAX + 1], unsigned count, const char *word)
{
    for (unsigned i = 0; i < count; i++) {
        /* Most games vote as it is written here: that is seen at a glance. */
        if (strcmp(words[i], word) == 0 ||
            names_compare(words[i], word) != NAMES_APART) {
            return true;
        }
    }
    return false;
}

/* Ja! and Nein! count in every game, whatever other words do. */
static void
add_always(char words[][VOTE_WORD_MAX + 1], unsigned *count, const char *word)
{
    if (!has_word(words, *count, word)) {
        *count -= *count == VOTE_WORDS_MAX;
        memcpy(words[(*count)++], word, strlen(word) + 1);
    }
}

static const char *
votes_of(const struct catalogue *catalogue, const struct settings *settings)
{
    const struct language *language = &catalogue->language;
    if (strcmp(settings->words, VOTE_WORDS_LANGUAGE) == 0) {
        return language_find(language, "vote_words_language");
    }
    return settings->words[0] == '\0' ? language_find(language, "vote_words")
                                      : settings->words;
}

static const char *const formula_keys[FORMULAS] = {
    [FORMULA_OPENING] = "reading_opening",
    [FORMULA_NOMINATION] = "reading_formula",
    [FORMULA_POWER] = "reading_formula_power",
    [FORMULA_SPECIAL] = "reading_formula_special",
    [FORMULA_VETO] = "reading_veto",
    [FORMULA_APPROVED] = "reading_approved",
    [FORMULA_DECLINED] = "reading_declined",
};

void
vocabulary_init(struct vocabulary *vocabulary,
                const struct catalogue *catalogue,
                const struct settings *settings)
{
    const struct language *language = &catalogue->language;
    const char *votes = votes_of(catalogue, settings);
    memset(vocabulary, 0, sizeof *vocabulary);
    if (votes == NULL || !vote_words_read(votes, &vocabulary->votes)) {
        (void)vote_words_read("Ja!/Nein!", &vocabulary->votes);
    }
    add_always(vocabulary->votes.ja, &vocabulary->votes.ja_count, "Ja!");
    add_always(vocabulary->votes.nein, &vocabulary->votes.nein_count, "Nein!");
    vocabulary->approved = language_find(language, "veto_approved");
    vocabulary->declined = language_find(language, "veto_declined");
    vocabulary->question = language_find(language, "reading_question");
    vocabulary->doubt = language_find(language, "reading_doubt");
    vocabulary->but = language_find(language, "reading_but");
    vocabulary->naming = language_find(language, "reading_naming");
    for (unsigned i = 0; i < FORMULAS; i++) {
        vocabulary->formulas[i] = language_find(language, formula_keys[i]);
    }
    vocabulary->voting = language_find(language, "reading_voting");
    vocabulary_set_cards(vocabulary, catalogue);
}

void
vocabulary_set_cards(struct vocabulary *vocabulary,
                     const struct catalogue *catalogue)
{
    memcpy(vocabulary->cards, catalogue->cards, sizeof vocabulary->cards);
}

void
vocabulary_lend(const struct vocabulary *vocabulary, struct reading *reading)
{
    const struct vote_words *votes = &vocabulary->votes;
    for (unsigned i = 0; i < votes->ja_count; i++) {
        reading->ja[i] = votes->ja[i];
    }
    for (unsigned i = 0; i < votes->nein_count; i++) {
        reading->nein[i] = votes->nein[i];
    }
    reading->ja_count = votes->ja_count;
    reading->nein_count = votes->nein_count;
    reading->approved = vocabulary->approved;
    reading->declined = vocabulary->declined;
    reading->question = vocabulary->question;
    reading->doubt = vocabulary->doubt;
    reading->but = vocabulary->but;
    reading->naming = vocabulary->naming;
    memcpy(reading->formulas, vocabulary->formulas, sizeof reading->formulas);
    reading->voting = vocabulary->voting;
    memcpy(reading->cards, vocabulary->cards, sizeof reading->cards);
}

void
vocabulary_bare(const char *shown, struct buf *out)
{
    size_t len = strlen(shown);
    size_t end = 0;
    for (size_t at = 0; at < len;) {
        int32_t letter = 0;
        at += letter_next(shown, len, at, &letter);
        end = letter_is_word(letter) ? at : end;
    }
    buf_add(out, shown, end);
}

bool
vocabulary_read_cards(const struct catalogue *catalogue, const char *text,
                      struct buf *cards)
{
    struct buf key = BUF_INIT;
    unsigned count = 0;
    bool good = true;
    name_key(text, strlen(text), &key);
    for (size_t at = 0; good && at < key.len; count++) {
        int32_t codepoint = 0;
        char letter[8] = "";
        size_t used = letter_next(key.data, key.len, at, &codepoint);
        memcpy(letter, key.data + at, used);
        at += used;
        if (catalogue_is_word(catalogue, "read_liberal", letter)) {
            buf_add_char(cards, 'L');
        } else if (catalogue_is_word(catalogue, "read_fascist", letter)) {
            buf_add_char(cards, 'F');
        } else if (letter[0] == 'l' || letter[0] == 'f') {
            buf_add_char(cards, letter[0] == 'l' ? 'L' : 'F');
        } else {
            good = false;
        }
    }
    buf_release(&key);
    return good && count >= 1 && count <= 3;
}

/* ---- times ----------------------------------------------------------------
 */

/* Is a word in a list, or (`begins`) does it begin with a word of the list?
 * Its position in the list from 0, or -1.  Compared without accents. */
static int
place_in(const struct catalogue *catalogue, const char *key, const char *word,
         size_t len, bool begins)
{
    const char *list = language_find(&catalogue->language, key);
    struct buf loose = BUF_INIT;
    int place = 0;
    int found = -1;
    name_loose_key(word, len, &loose);
    while (list != NULL && *list != '\0' && found < 0) {
        size_t own = strcspn(list, " ");
        bool same = own > 0 && (begins ? loose.len >= own : loose.len == own) &&
                    memcmp(loose.data, list, own) == 0;
        found = same ? place : -1;
        list += own;
        list += strspn(list, " ");
        place++;
    }
    buf_release(&loose);
    return found;
}

/* The bytes of the letters that a text begins with. */
static size_t
letters_len(const char *text)
{
    size_t len = strlen(text);
    size_t at = 0;
    while (at < len) {
        int32_t letter = 0;
        size_t used = letter_next(text, len, at, &letter);
        if (!letter_is_word(letter) || (letter >= '0' && letter <= '9')) {
            break;
        }
        at += used;
    }
    return at;
}

static bool
is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Append a word of a moment in English. */
static void
add_english_day(const struct catalogue *catalogue, const char *word, size_t len,
                struct buf *out)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed",
                                       "Thu", "Fri", "Sat"};
    int day = place_in(catalogue, "read_weekdays", word, len, true);
    bool hour = len == 1 && (*word == 'h' || *word == 'H');
    if (day >= 0 && day < 7) {
        buf_add_text(out, days[day]);
    } else if (hour) { /* "21h30", "21 h" */
        buf_add_text(out, is_digit(word[1]) ? ":" : ":00");
    } else {
        buf_add(out, word, len);
    }
}

bool
vocabulary_read_moment(const struct catalogue *catalogue, const char *text,
                       int64_t now, const struct zone *zone, int64_t *moment)
{
    struct buf english = BUF_INIT;
    while (*text != '\0') {
        size_t len = letters_len(text);
        if (len > 0) {
            add_english_day(catalogue, text, len, &english);
            text += len;
            text += *text == '.'; /* "sam." */
        } else if (*text == '.' && is_digit(text[1])) {
            buf_add_char(&english, ':'); /* "21.30" */
            text++;
        } else {
            buf_add_char(&english, *text++);
        }
    }
    bool good = moment_read(buf_text(&english), now, zone, moment);
    buf_release(&english);
    return good;
}

/* The unit of time that a word means, in the catalogue's words or in English;
 * '\0': none. */
static char
unit_of(const struct catalogue *catalogue, const char *word, size_t len)
{
    static const struct {
        const char *key;
        char unit;
    } units[] = {{"read_days", 'd'},
                 {"read_hours", 'h'},
                 {"read_minutes", 'm'},
                 {"read_seconds", 's'}};
    for (unsigned i = 0; len > 0 && i < 4; i++) {
        if (place_in(catalogue, units[i].key, word, len, false) >= 0) {
            return units[i].unit;
        }
    }
    struct buf one = BUF_INIT;
    int64_t length = 0;
    buf_add_char(&one, '1');
    buf_add(&one, word, len);
    bool english = len > 0 && duration_read(buf_text(&one), &length);
    buf_release(&one);
    char unit = '\0';
    if (english) {
        unit = *word; /* in whatever case: duration_read knows */
    }
    return unit;
}

/* The number that a word means: "two", in the catalogue's words or in English;
 * 0: none. */
static unsigned
number_of(const struct catalogue *catalogue, const char *word, size_t len)
{
    static const char *const english[] = {"two",  "three", "four",
                                          "five", "six",   "seven"};
    static const char *const one[] = {"a", "an", "one"};
    int place = place_in(catalogue, "read_numbers", word, len, false);
    if (place >= 0) {
        return (unsigned)place + 2;
    }
    if (place_in(catalogue, "read_one", word, len, false) >= 0) {
        return 1;
    }
    for (unsigned i = 0; i < sizeof one / sizeof one[0]; i++) {
        if (strlen(one[i]) == len && strncasecmp(one[i], word, len) == 0) {
            return 1;
        }
    }
    for (unsigned i = 0; i < sizeof english / sizeof english[0]; i++) {
        if (strlen(english[i]) == len &&
            strncasecmp(english[i], word, len) == 0) {
            return i + 2;
        }
    }
    return 0;
}

bool
vocabulary_plain_duration(const struct catalogue *catalogue, const char *text,
                          struct buf *plain)
{
    struct buf english = BUF_INIT;
    int64_t duration = 0;
    while (*text != '\0') {
        size_t len = letters_len(text);
        char unit = unit_of(catalogue, text, len);
        bool digit = english.len > 0 && is_digit(english.data[english.len - 1]);
        unsigned number =
            unit == '\0' && !digit ? number_of(catalogue, text, len) : 0;
        size_t used = len > 0 ? len : 1;
        if (unit != '\0') {
            buf_add_char(&english, unit);
        } else if (number > 0) {
            buf_add_number(&english, number);
        } else if (*text != ' ') {
            buf_add(&english, text, used);
        }
        text += used;
    }
    bool good = duration_read(buf_text(&english), &duration);
    if (good) {
        buf_add_buf(plain, &english);
    }
    buf_release(&english);
    return good;
}

bool
vocabulary_read_duration(const struct catalogue *catalogue, const char *text,
                         int64_t *duration)
{
    struct buf plain = BUF_INIT;
    bool good = vocabulary_plain_duration(catalogue, text, &plain) &&
                duration_read(buf_text(&plain), duration);
    buf_release(&plain);
    return good;
}
