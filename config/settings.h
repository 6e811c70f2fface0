/*
 * The table of settings: a row says what a setting is called, what it may be,
 * where it may stand, what it is by default and what it is for.
 *
 * Reader, checker, sample file and manual all read the rows; to add a setting,
 * add a row in settings.c and a member where the row says it is kept.
 */
#ifndef CONFIG_SETTINGS_H
#define CONFIG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

enum {
    SETTING_TEXT_MAX = 256,
    SETTING_LIST_MAX = 16,
    SETTING_CHOICES_MAX = 4,
    VOTE_WORDS_MAX = 8,
    VOTE_WORD_MAX = 24
};

/*
 * The settings of a game, as they may stand at the top level (for all places)
 * and in a place.  A plain value: a game keeps its own copy from `!new` on.
 * Durations are milliseconds.
 */
struct settings {
    int64_t election, nomination, president, chancellor, veto, power;
    int64_t grace, second_thought, undeliverable;
    char daily[8];      /* "21:00", or "" */
    char quiet[16];     /* "23:00-07:00", or "" */
    char days_off[32];  /* "Sat Sun", or "" */
    char reminders[40]; /* "6h, 1h", or "" */
    char zone[64];
    char language[16];
    char theme[16];
    char prefix[8];        /* of commands: "!" */
    char red[12];          /* required, accepted; "": as the service has it */
    char words[64];        /* of votes: "Ja!/Nein!", "language"; "": as the
                              theme has them */
    char preset[16];       /* its key is `rules` */
    char rules[6][24];     /* the options in the record's order, by name; "":
                              as the preset has it */
    char cards_timeout[8]; /* lots, wait */
    char power_timeout[8]; /* forfeit, lots, wait */
    int64_t misses;        /* 0: never */
    bool random_seats;     /* its key is `seats` */
    bool ready_check, reactions, emoji;
    bool new_thread;      /* its key is `thread` */
    bool deletes;         /* its key is `removal`: posts are deleted, not only
                             warned about */
    bool locks;           /* its key is `edits`: posts that have counted are
                             locked against them */
    bool table_moderates; /* its key is `moderation` */
};

enum {
    REMINDERS_MAX = 4
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
    bool rule;          /* an option of the rules */
};

/* The rows, in the order of the sample file; NULL after the last. */
const struct setting *setting_at(size_t index);

/* The row of a key that may stand in a scope, else that of another scope; NULL:
 * none. */
const struct setting *setting_find(const char *key, enum setting_scope scope);

/* May a setting stand in a scope? */
bool setting_stands_in(const struct setting *setting, enum setting_scope scope);

/* Append what would be right: `a time from 1m to 30d, such as "24h"`. */
void setting_say_right(const struct setting *setting, struct buf *out);

/* Read a value as people write it into the struct of the setting's scope (not
 * for lists and places).  ERR_CONFIG: what is wrong and what would be right,
 * without the key. */
enum err setting_read(const struct setting *setting, const char *value,
                      void *into, struct buf *why) MUST_USE;

/* Append a setting's value in such a struct as people write it. */
void setting_write(const struct setting *setting, const void *from,
                   struct buf *out);

/* The defaults of every setting of a game. */
void settings_defaults(struct settings *settings);

/* What is wrong with a setting, for whoever says it in words of their own. */
enum {
    COMPLAINT_MAX = 47
};
struct complaint {
    enum complaint_kind {
        COMPLAINT_NONE,
        COMPLAINT_KEY,        /* text: no setting of a game is called that */
        COMPLAINT_VALUE,      /* text: what the setting can't be */
        COMPLAINT_NOMINATION, /* it is longer than the election */
        COMPLAINT_DAILY,      /* the daily hour is a quiet one */
        COMPLAINT_THEME,      /* the theme has no words in the language */
    } kind;
    const struct setting *setting; /* of COMPLAINT_VALUE */
    char text[COMPLAINT_MAX + 1];  /* its beginning, on one line */
};

/* As settings_set and settings_check, below. */
bool settings_try(struct settings *settings, const char *key, const char *value,
                  struct complaint *complaint) MUST_USE;
bool settings_fit(const struct settings *settings,
                  struct complaint *complaint) MUST_USE;

/* The key that may stand in a scope and is close to this unknown one; NULL:
 * none is. */
const char *settings_nearest(const char *key, enum setting_scope scope);

/*
 * Set one setting of a game by its key, as `!new` and `--set` do (the key is
 * case-blind here); `value` as people write it, "" of an option of the rules:
 * as the preset has it.
 * ERR_CONFIG with a sentence that begins with the key and says what would be
 * right.
 */
enum err settings_set(struct settings *settings, const char *key,
                      const char *value, struct buf *why) MUST_USE;

/* As settings_try, for a table that is open: a preset of the rules sets all of
 * their options, and none that was set before holds beside it. */
bool settings_change(struct settings *settings, const char *key,
                     const char *value, struct complaint *complaint) MUST_USE;

/* Append the value of a game's setting by its key, as people write it; false:
 * no such key. */
bool settings_get(const struct settings *settings, const char *key,
                  struct buf *out);

/* Is this the key of a setting that is an option of the rules?  `rules`, the
 * preset, is one too. */
bool settings_is_rule(const char *key);

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

/* Do the settings fit each other?  To be asked once all are set; ERR_CONFIG
 * with a sentence that begins with the key at fault. */
enum err settings_check(const struct settings *settings,
                        struct buf *why) MUST_USE;

/* Append `; did you mean "…"?` where there is a nearest key. */
void settings_suggest(const char *key, enum setting_scope scope,
                      struct buf *out);

#endif
