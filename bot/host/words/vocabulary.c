#include "bot/host/words/vocabulary.h"

#include <string.h>

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
    vocabulary->abstain = language_find(language, "reading_abstain");
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
    reading->abstain = vocabulary->abstain;
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
        } else if (letter[0] == 'b' || letter[0] == 'r') { /* by its colour */
            buf_add_char(cards, letter[0] == 'b' ? 'L' : 'F');
        } else {
            good = false;
        }
    }
    buf_release(&key);
    return good && count >= 1 && count <= 3;
}
