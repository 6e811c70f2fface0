/*
 * What one person is called: their names, as they are compared
 * (bot/host/reading/names.h), and where they stand in a text as words, in
 * whatever case.
 */
#ifndef BOT_STORE_FORGET_NAMES_H
#define BOT_STORE_FORGET_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"

enum {
    FORGET_NAMES_MAX = 32 /* more are left out */
};

/* Owned keys.  Zeroed: none. */
struct forget_names {
    char *keys[FORGET_NAMES_MAX];
    unsigned count;
};

/* Add a name.  An id is one like any other, unless it is only a number. */
void forget_names_add(struct forget_names *names, const char *name);
void forget_names_release(struct forget_names *names);

/* Put another name in the place of each in a text, which is cut to `size`
 * bytes. */
void forget_names_replace(const struct forget_names *names,
                          const char *new_name, char *text, size_t size);

/* Does a text have a name, or the id `user`?  An id that is only a number is
 * none within a word or a row of digits: it stands alone, quoted, in a path, or
 * as a mention. */
bool forget_names_find(const struct forget_names *names, const char *user,
                       const struct buf *text);

#endif
