/*
 * One setting: its row in the table of settings.c, and its value, as people
 * write it and as it is kept.
 */
#ifndef CONFIG_SETTING_H
#define CONFIG_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

enum {
    SETTING_TEXT_MAX = 256,
    SETTING_LIST_MAX = 16,
    SETTING_CHOICES_MAX = 4,
    REMINDERS_MAX = 4,
    VOTE_WORDS_MAX = 8,
    VOTE_WORD_MAX = 24,
    COMPLAINT_MAX = 47 /* bytes of a quotation */
};

enum setting_type {
    SETTING_DURATION, /* int64_t, milliseconds from min to max */
    SETTING_NUMBER,   /* int64_t, from min to max */
    SETTING_CHOICE,   /* char[], one of the choices */
    SETTING_BOOL,     /* bool, one of two choices: false, true */
    SETTING_TEXT,     /* char[], at least min bytes */
    SETTING_WORD,     /* char[], at least min bytes, no white space */
    SETTING_FILE,     /* char[], the path of a file */
    SETTING_URL,      /* char[], "https://…" */
    SETTING_ZONE,     /* char[], "Europe/Berlin" */
    SETTING_HOUR,     /* char[], "21:00", or "" */
    SETTING_HOURS,    /* char[], "23:00-07:00", or "" */
    SETTING_DAYS,     /* char[], "Sat Sun", or "" */
    SETTING_TIMES,    /* char[], "6h, 1h", or "" */
    SETTING_LANGUAGE, /* char[], "nl" */
    SETTING_THEME,    /* char[], "prison" */
    SETTING_VOTES,    /* char[], the words of a vote: "ja/nee,nein" */
    SETTING_LIST,     /* char[SETTING_LIST_MAX][SETTING_TEXT_MAX] */
    SETTING_SERVICES, /* the list of services, and that of places: */
    SETTING_PLACES,   /* read by config.c alone */
};

/* Where a setting may stand, and in which struct it is kept. */
enum setting_scope {
    SCOPE_TOP,     /* at the top level: struct conf */
    SCOPE_SERVICE, /* in a service: struct account */
    SCOPE_PLACE,   /* in a place: struct place */
    SCOPE_GAME,    /* at the top level and in a place: struct settings */
};

struct setting {
    const char *key;
    enum setting_type type;
    enum setting_scope scope;
    size_t offset; /* of its member in the struct of its scope */
    size_t size;   /* of that member */
    size_t count;  /* offset of a list's number of texts, an unsigned */
    int64_t min, max;
    const char *choices[SETTING_CHOICES_MAX + 1]; /* NULL after the last */
    const char *normal; /* the default, as people write it */
    const char *sample; /* in the sample as it stands here; NULL: the default
                           in a comment */
    const char *help;   /* one or two sentences */
    bool rule;          /* of the rules: not set in a game */
};

/* May a setting stand in a scope? */
bool setting_stands_in(const struct setting *setting, enum setting_scope scope);

/* Is it a list of groups: the services, or the places? */
bool setting_is_groups(const struct setting *setting);

/* Append a description of the values that are allowed: `a time from 1m to
 * 30d, such as "24h"`. */
void setting_say_right(const struct setting *setting, struct buf *out);

/* Read a value as people write it into the struct of the setting's scope (not
 * for lists and places).  ERR_CONFIG: what is wrong and what would be right,
 * without the key. */
enum err setting_read(const struct setting *setting, const char *value,
                      void *into, struct buf *why) MUST_USE;

/* Append a setting's value in such a struct as people write it. */
void setting_write(const struct setting *setting, const void *from,
                   struct buf *out);

/* The beginning of what a person wrote, on one line: 40 bytes, and "…" where it
 * is cut. */
void setting_quote(const char *value, char deferred[COMPLAINT_MAX + 1]);

/* The value of `words` by which they are those of the place's language. */
#define VOTE_WORDS_LANGUAGE "language"

/* The words of a vote, those of each side as they were written; the first is
 * the one that people are shown. */
struct vote_words {
    char ja[VOTE_WORDS_MAX][VOTE_WORD_MAX + 1];
    char nein[VOTE_WORDS_MAX][VOTE_WORD_MAX + 1];
    unsigned ja_count, nein_count; /* never 0 */
};

/* Read such words: "ja/nein", "ja/nee,nein".  false: they are none, and `words`
 * is not to be used. */
bool vote_words_read(const char *value, struct vote_words *words);

#endif
