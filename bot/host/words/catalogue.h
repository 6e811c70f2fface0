/*
 * The catalogue: every sentence the host says, in one language and the words of
 * one theme, by key.
 *
 * A template is text with marks and placeholders:
 *   **bold**  `code`            marks, as typed
 *   {name}                      the parameter's value
 *   {@people}                   each person, mentioned so that they get a ping
 *   {people&}                   as a phrase: "Anna, Bob and Carl"
 *   {people|}                   as a choice: "Anna, Bob or Carl"
 *   {number&}                   as a word: "seven" (the language's `numbers`)
 *   {name?text}                 the text, if the parameter has a value
 *   {name!text}                 the text, if it has none
 *   {number#one|many}           the plural form for a number
 * The text after ? ! # may contain placeholders itself.  A value is never read
 * as mark-up: a player's words stay text.  <word> is replaced by the theme's
 * word when the catalogue is loaded (config/language.h).
 */
#ifndef BOT_HOST_WORDS_CATALOGUE_H
#define BOT_HOST_WORDS_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/rich.h"
#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "config/language.h"
#include "engine/game.h"

enum {
    CATALOGUE_CARDS = 14 /* CARD_WORDS (bot/host/reading/intent.h) */
};

/* A placeholder, taken apart; texts are borrowed from the template. */
struct placeholder {
    const char *name, *text, *other; /* text, other: after ? ! or # */
    size_t name_len, text_len, other_len;
    char sort; /* 0, ? ! # & or | */
    bool ring;
};

/* Find the first placeholder of a template, and return where the next one is to
 * be looked for, which may lie within it; NULL: there is none. */
const char *catalogue_placeholder(const char *text, struct placeholder *holder);

struct catalogue {
    struct language language;
    const char *cards[CATALOGUE_CARDS]; /* words for cards, as they are read */
};

/* Load a language by name, in a theme's words (THEME_ORIGINAL: its own); every
 * template is checked.  ERR_CONFIG names the file, the key and what is wrong.
 */
enum err catalogue_load(struct catalogue *catalogue, const char *language,
                        const char *theme, struct buf *why) MUST_USE;
void catalogue_release(struct catalogue *catalogue);

/* Check the templates and words of a language.  ERR_CONFIG with a line for
 * each that is wrong, as language_fail writes it. */
enum err catalogue_check(const struct language *language, const char *file,
                         struct buf *why) MUST_USE;

/* The catalogues opened so far, each loaded once.  A zeroed struct is empty. */
struct volume;
struct catalogues {
    struct volume **volumes;
    unsigned count;
};

/* Find a catalogue, or load it; *catalogue is borrowed until `catalogues` is
 * released. */
enum err catalogues_open(struct catalogues *catalogues, const char *language,
                         const char *theme, const struct catalogue **catalogue,
                         struct buf *why) MUST_USE;
void catalogues_release(struct catalogues *catalogues);

enum {
    PARAMS_MAX = 128,
    PARAM_PEOPLE_MAX = 160 /* in all lists of a sentence */
};

struct param {
    const char *name;
    enum {
        PARAM_TEXT,
        PARAM_BUF,
        PARAM_NUMBER,
        PARAM_PEOPLE,
        PARAM_RICH
    } kind;
    union {
        const char *text;      /* borrowed */
        const struct buf *buf; /* borrowed */
        int64_t number;
        const struct rich *rich; /* borrowed */
        unsigned people;         /* how many */
    } is;
};

/* Parameters of one sentence.  A zeroed struct is empty.  Texts and rich texts
 * are borrowed until the sentence has been said.  Of two with the same name the
 * later counts. */
struct params {
    struct param list[PARAMS_MAX];
    unsigned count;
    unsigned people_count;
    struct {
        const char *name, *id;
        unsigned list; /* of which parameter they are */
    } people[PARAM_PEOPLE_MAX];
};

void params_text(struct params *params, const char *name, const char *text);
/* A text that may still be filled in. */
void params_buf(struct params *params, const char *name,
                const struct buf *text);
void params_number(struct params *params, const char *name, int64_t number);
/* Change a number, or add it. */
void params_set_number(struct params *params, const char *name, int64_t number);
void params_rich(struct params *params, const char *name,
                 const struct rich *rich);
/* Begin a list of people under a name, or add to it. */
void params_person(struct params *params, const char *name, const char *id,
                   const char *shown);

/* Append the sentence for a key.  A missing key is a mistake in the catalogue,
 * which `make test` finds; the key itself is appended then. */
void catalogue_say(const struct catalogue *catalogue, const char *key,
                   const struct params *params, struct rich *out);

/* As plain text, without marks. */
void catalogue_text(const struct catalogue *catalogue, const char *key,
                    const struct params *params, struct buf *out);

/* Append an instant for people: "Sat 22 Nov, 09:00 CET (08:00 UTC)"; the part
 * in UTC is left out if it would be the same. */
void catalogue_time(const struct catalogue *catalogue, int64_t instant,
                    const struct zone *zone, struct buf *out);

/* The same to the second: "Sat 22 Nov, 09:00:05 CET (08:00:05 UTC)". */
void catalogue_time_exact(const struct catalogue *catalogue, int64_t instant,
                          const struct zone *zone, struct buf *out);

/* Append a date in UTC, with its year: "Sat 22 Nov 2026, UTC". */
void catalogue_date(const struct catalogue *catalogue, int64_t instant,
                    struct buf *out);

/* Append the name of a preset of the rules for people; one that the catalogue
 * has no word for, as in an old record, stands as it is. */
void catalogue_preset(const struct catalogue *catalogue, const char *preset,
                      struct buf *out);

/* The key of what is said of an ending: a sentence, or in `brief` a line
 * without names. */
const char *catalogue_ending_key(enum ending ending, bool brief);

/* The key of a power's name; NULL: POWER_NONE.  `nth`: the fascist policy that
 * gives it, for the fifth gives the veto too; 0: any. */
const char *catalogue_power_key(enum power power, unsigned nth);

const char *catalogue_role_key(enum role role);

/* Append a length of time for people, in days, hours, minutes and
 * seconds: "1h30m". */
void catalogue_duration(const struct catalogue *catalogue, int64_t length,
                        struct buf *out);

/* Is `word` in a list with blanks or line ends between? */
bool catalogue_lists(const char *list, const char *word);

/* Is `word` in the blank-separated list of words of a key? */
bool catalogue_is_word(const struct catalogue *catalogue, const char *key,
                       const char *word);

#endif
