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
#include "config/setting.h"

/*
 * The settings of a game, as they may stand at the top level (for all places)
 * and in a place.  A plain value: a game keeps its own copy from `!new` on.
 * Durations are milliseconds.
 */
struct settings {
    int64_t election, nomination, president, chancellor, veto, power;
    int64_t grace, vote_min, prod, second_thought, undeliverable;
    char daily[8];      /* "21:00", or "" */
    char quiet[16];     /* "23:00-07:00", or "" */
    char days_off[32];  /* "Sat Sun", or "" */
    char reminders[40]; /* "6h, 1h", or "" */
    char zone[64];
    char language[16];
    char theme[16];
    char style[8];         /* of the posts: auto, full, short */
    char prefix[8];        /* of commands: "!" */
    char red[12];          /* required, accepted; "": as the service has it */
    char words[64];        /* of votes: "Ja!/Nein!", "language"; "": as the
                              theme has them */
    char preset[16];       /* its key is `rules` */
    char rules[9][24];     /* the options in the record's order, by name; "":
                              as the preset has it */
    char cards_timeout[8]; /* lots, wait */
    char power_timeout[8]; /* forfeit, lots, wait */
    int64_t misses;        /* 0: never */
    bool random_seats;     /* its key is `seats` */
    bool ready_check, reactions, emoji;
    bool reports;    /* its key is `report`: posted at the end */
    char gallery[8]; /* off, on, roles */
    bool new_thread; /* its key is `thread` */
    bool advertises; /* its key is `vacancies` */
    bool start_reminder;
    bool deletes;         /* its key is `removal`: posts are deleted, not only
                             warned about */
    bool locks;           /* its key is `edits`: posts that have counted are
                             locked against them */
    bool table_moderates; /* its key is `moderation` */
    bool claims;          /* are asked for, and stand in the status post */
};

/* The rows, in the order of the sample file; NULL after the last. */
const struct setting *setting_at(size_t index);

/* Find the row of a key in a scope, or in another scope if this one has
 * none; NULL: there is none. */
const struct setting *setting_find(const char *key, enum setting_scope scope);

/* The defaults of every setting of a game. */
void settings_defaults(struct settings *settings);

/* Set what a new game has by its other settings: in French, by the French
 * rules, votes are in French too. */
void settings_complete(struct settings *settings);

/* What is wrong with a setting, for callers that have their own words for
 * it. */
struct complaint {
    enum complaint_kind {
        COMPLAINT_NONE,
        COMPLAINT_KEY,        /* text: no setting of a game is called that */
        COMPLAINT_VALUE,      /* text: what the setting can't be */
        COMPLAINT_NOMINATION, /* it is longer than the election */
        COMPLAINT_DAILY,      /* the daily hour is a quiet one */
        COMPLAINT_THEME,      /* the theme has no words in the language */
        COMPLAINT_SEALED,     /* sealed votes may close early */
    } kind;
    const struct setting *setting; /* of COMPLAINT_VALUE */
    char text[COMPLAINT_MAX + 1];  /* its beginning, on one line */
};

/* As settings_set and settings_check, below. */
bool settings_try(struct settings *settings, const char *key, const char *value,
                  struct complaint *complaint) MUST_USE;
bool settings_fit(const struct settings *settings,
                  struct complaint *complaint) MUST_USE;

/* Find the key of a scope that is close to this unknown one; NULL: none is. */
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

/* Is this the key of a setting that is part of the rules, and stays as it was
 * when the game began?  `rules`, the preset, is one too. */
bool settings_is_rule(const char *key);

/* Check that the settings fit each other.  Call it once all are set.
 * ERR_CONFIG with a sentence that begins with the key at fault. */
enum err settings_check(const struct settings *settings,
                        struct buf *why) MUST_USE;

/* Append `; did you mean "…"?` where there is a nearest key. */
void settings_suggest(const char *key, enum setting_scope scope,
                      struct buf *out);

#endif
