/*
 * A catalogue file of one language: keys and their templates.
 * Reads config/languages/<language>.cfg: a flat libconfig file, one string
 * setting a key (adjacent string literals are one string, as in C).
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
    int line; /* in the file */
};

/* A zeroed struct is one without entries. */
struct language {
    struct language_entry *entries; /* sorted by key */
    size_t count;
};

/* Load a file; ERR_CONFIG with a line "file:line: …" for each setting that is
 * not a string, or for the first doubled key or syntax error. */
enum err language_load(struct language *language, const char *file,
                       struct buf *why) MUST_USE;
void language_release(struct language *language);

/* The text of a key, borrowed; NULL: none. */
const char *language_find(const struct language *language, const char *key);

/*
 * Append the path of a language's file.  The languages lie in the folder
 * `languages` of: $PLACARD_DATA; else `config` beside the folder of the
 * program (build/placard in its source folder), where that has one; else the
 * folder that was set when the program was built (PLACARD_DATADIR), without it
 * ./config.
 */
void language_path(const char *name, struct buf *path);

/* Is this the name of a language ("nl", "pt-BR") that has a file? */
bool language_exists(const char *name);

/* Append the names of the languages there are: `"en", "nl"`, by alphabet. */
void language_names(struct buf *out);

#endif
