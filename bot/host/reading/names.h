/*
 * Comparing what people write: words and names (READING.md R9, R14, R16).
 * Locale-free; by utf8proc.
 *
 * Keys are made in linear time whatever the text: of more than thirty marks
 * in a row on one letter the rest is dropped, as Unicode's stream-safe format
 * (UAX #15) bounds them.  A key has at most eleven times the bytes of its text
 * (U+FDFA is the worst).  Bytes that are not UTF-8 count as U+FFFD.
 */
#ifndef BOT_HOST_READING_NAMES_H
#define BOT_HOST_READING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"

enum {
    NAME_CODEPOINTS_MAX = 32,
    NAME_BYTES_MAX = 60,
};

/* Append the comparison key (R9) of a text: NFKC_Casefold, the Turkish i,
 * white space to one blank, trimmed. */
void name_key(const char *text, size_t len, struct buf *key);

/* Append the loose key (R14): without accents, blanks and punctuation. */
void name_loose_key(const char *text, size_t len, struct buf *key);

/* Append the look-alike skeleton (R10) of a text. */
void name_skeleton(const char *text, size_t len, struct buf *skeleton);

/* Does it contain a letter that is not Latin? */
bool name_has_foreign_letter(const char *text, size_t len);

/* Is one of two keys the other with one code point changed, left out, added,
 * or two neighbours swapped (Damerau-Levenshtein distance 1)?  Never of keys
 * longer than 64 code points. */
bool name_is_slip(const char *one, size_t one_len, const char *other,
                  size_t other_len);

/* How two names of one game relate: a clash is refused at sign-up, likeness
 * gets a warning.  A leading "@" is not part of a name. */
enum name_relation {
    NAMES_APART,
    NAMES_ALIKE,
    NAMES_CLASH
};
enum name_relation names_compare(const char *one, const char *other);

/* Make a display name fit to be a player's, and append it: control characters
 * and line breaks become blanks; marks of writing direction and other invisible
 * characters are dropped (except the joiners of emoji); at most four marks on a
 * letter; trimmed; at most 32 code points and 60 bytes.  False: nothing is left
 * by which others could name the player (a letter, digit or symbol). */
bool name_clean(const char *shown, struct buf *name);

/* Append a text without the marks of writing direction and the other invisible
 * characters that a name may not have either. */
void text_clean(const char *text, struct buf *out);

/* The kinds of characters that the reading rules tell apart. */
bool letter_is_word(int32_t codepoint);   /* letter, digit, mark */
bool letter_is_symbol(int32_t codepoint); /* mathematical, currency, emoji … */
bool letter_is_blank(int32_t codepoint);  /* white space */
bool letter_is_unseen(int32_t codepoint); /* default ignorable */

/* Decode the character at `at` (MUST be below len); returns its bytes.  A byte
 * that begins none counts as one byte, U+FFFD. */
size_t letter_next(const char *text, size_t len, size_t at, int32_t *codepoint);

#endif
