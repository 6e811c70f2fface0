/*
 * The catalogue file of one language, and the theme laid over it: keys and
 * their templates.
 *
 * Reads config/languages/<language>.cfg: a flat libconfig file, one string
 * setting a key (adjacent string literals are one string, as in C), and one
 * group `words` of such settings: the words of the game's setting.  In a text
 * <liberals> is that word, <Liberals> the word with a capital.  A theme,
 * config/themes/<theme>.cfg, has a group of words for each language it speaks,
 * by the language's name; they are laid over the language's own.
 */
#ifndef CONFIG_LANGUAGE_H
#define CONFIG_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

struct language_entry {
    char *key;
    char *text;
    int line;  /* in the file */
    bool word; /* one that a theme may replace */
    bool used; /* a word that a text was filled with */
};

/* A zeroed struct is one without entries. */
struct language {
    struct language_entry *entries; /* sorted by key */
    size_t count;
};

/* The name of the theme that changes nothing: the game's original words. */
#define THEME_ORIGINAL "original"

/* Load a file; ERR_CONFIG with a line "file:line: …" for each setting that is
 * not a string, or for the first doubled key or syntax error. */
enum err language_load(struct language *language, const char *file,
                       struct buf *why) MUST_USE;

/* Lay a theme's words over a language that was loaded, before it is filled;
 * `name` is the language's.  ERR_CONFIG with a line for each that is no word of
 * the language, or where the theme has none in it. */
enum err language_dress(struct language *language, const char *file,
                        const char *name, struct buf *why) MUST_USE;

/* Put the words into the texts, once; `file` is named in what is wrong: a word
 * that there is not. */
enum err language_fill(struct language *language, const char *file,
                       struct buf *why) MUST_USE;

void language_release(struct language *language);

/* The text of a key, borrowed; NULL: none. */
const char *language_find(const struct language *language, const char *key);

/* The entry of a key, borrowed; NULL: none. */
struct language_entry *language_entry(const struct language *language,
                                      const char *key);

/* Append a line "file:line: key: wrong" to `why`; return ERR_CONFIG. */
enum err language_fail(struct buf *why, const char *file, int line,
                       const char *key, const char *wrong);

/*
 * Append the path of a language's file.  The languages lie in the folder
 * `languages` of: $PLACARD_DATA; else `config` beside the folder of the
 * program (build/placard in its source folder), where that has one; else the
 * folder that was set when the program was built (PLACARD_DATADIR), without it
 * ./config.  A name with a dot or a slash is a path already.
 */
void language_path(const char *name, struct buf *path);

/* The same for a theme's file, in the folder `themes` beside `languages`. */
void theme_path(const char *name, struct buf *path);

/* The path of the sample configuration, beside `languages`. */
void sample_path(struct buf *path);

/* Is this the name of a language ("nl", "pt-BR") that has a file? */
bool language_exists(const char *name);
bool theme_exists(const char *name);

/* Does a theme have words in a language?  The original has them in all. */
bool theme_speaks(const char *theme, const char *language);

/* Append the names of the languages there are: `"en", "nl"`, by alphabet; of
 * the themes, the original first. */
void language_names(struct buf *out);
void theme_names(struct buf *out);

#endif
