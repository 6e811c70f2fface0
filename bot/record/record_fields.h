/*
 * The keys of each kind of line, as a table that the writer and the readers of
 * the record share; nobody else includes it.  The order of a kind's fields is
 * the order in which they are written.
 */
#ifndef BOT_RECORD_RECORD_FIELDS_H
#define BOT_RECORD_RECORD_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "bot/record/record.h"

#define RECORD_FORMAT "placard-record/1"

/* How a value looks in the record, and in struct record_line. */
enum form {
    FORM_SEAT,    /* a player's name; a seat (uint8_t) */
    FORM_SEATS,   /* names in seat order; a seat_set */
    FORM_PLAYERS, /* names in any order; a seat_set */
    FORM_ROLES,   /* an object name: role; event.target and event.seats */
    FORM_REVEAL,  /* the same, or null: never dealt; event.target NO_SEAT */
    FORM_FLAG,    /* true or false; a bool */
    FORM_SMALL,   /* a number; a uint8_t */
    FORM_NUMBER,  /* a number; a uint32_t */
    FORM_WORD,    /* one of `words`; its value (uint8_t or bool) */
    FORM_WINNER,  /* a party, null where nobody won; event.party */
    FORM_LOTS,    /* one of `words`; event.power and event.discarding */
    FORM_TILES,   /* `least` … `most` policies; a struct pile */
    FORM_TIME,    /* a time, or null; an instant (int64_t), or 0 */
    FORM_TEXT,    /* a text; a const char * */
    FORM_REASON,  /* a text, or null; a const char *, or NULL */
    FORM_BY,      /* the one of `words`, or not there; a uint8_t */
    FORM_OF,      /* one of `words`, or not there: POWER_NONE; a uint8_t */
    FORM_TARGET,  /* a player; not there unless event.power investigates; a
                     uint8_t */
};

/* A word and the value it stands for. */
struct record_word {
    const char *name; /* NULL after the last */
    uint8_t value;
};

struct record_field {
    const char *key; /* NULL after the last */
    enum form form;
    size_t offset; /* of its member in struct record_line */
    const struct record_word *words;
    unsigned least, most;
};

/* The fields of a kind of line after the head; none of `opened`, `seated` and
 * `seed` of `revealed`, which belong to the game. */
const struct record_field *record_fields(int kind);

/* The kind of that name, or RECORD_KINDS. */
int record_kind_find(const char *name);

extern const struct record_word record_roles[];
extern const struct record_word record_endings[];
extern const struct record_word record_tiles[]; /* value: is it liberal? */

/* The name of a value (MUST be there); the word of a name, or NULL. */
const char *record_word_name(const struct record_word *words, unsigned value);
const struct record_word *record_word_find(const struct record_word *words,
                                           const char *name);

#endif
