/*
 * The words with which people answer in a place: votes, answers to a veto
 * and cards, in its language and theme, and always in English too.
 */
#ifndef BOT_HOST_WORDS_VOCABULARY_H
#define BOT_HOST_WORDS_VOCABULARY_H

#include "bot/host/reading/intent.h"
#include "bot/host/words/catalogue.h"
#include "config/settings.h"

/* Needs no release; its texts are borrowed from the catalogue.  A zeroed one is
 * English. */
struct vocabulary {
    struct vote_words votes; /* Ja! and Nein! are always among them */
    const char *approved, *declined;
    const char *question, *doubt, *but, *naming; /* used in sentences */
    const char *formulas[FORMULAS];
    const char *voting, *abstain;
    const char *cards[CARD_WORDS];
};

/* Set the words of a catalogue; the words for votes come from the settings. */
void vocabulary_init(struct vocabulary *vocabulary,
                     const struct catalogue *catalogue,
                     const struct settings *settings);

/* Name cards in the words of another catalogue: a player's own. */
void vocabulary_set_cards(struct vocabulary *vocabulary,
                          const struct catalogue *catalogue);

/* Read posts with these words; the reading borrows them. */
void vocabulary_lend(const struct vocabulary *vocabulary,
                     struct reading *reading);

/* Append a vote word as it is used in a sentence: "Ja" for "Ja!". */
void vocabulary_bare(const char *shown, struct buf *out);

/* Read cards that somebody wrote, "FFL" in the catalogue's letters or in
 * English, or "RRB" by their colours, and append them as F and L; false: there
 * are none, or more than three. */
bool vocabulary_read_cards(const struct catalogue *catalogue, const char *text,
                           struct buf *cards);

#endif
