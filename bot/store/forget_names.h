/*
 * What one person is called: their names' keys (bot/host/reading/names.h) in a
 * buffer, each between two line feeds, and where these stand in a text as whole
 * words, in whatever case.
 */
#ifndef BOT_STORE_FORGET_NAMES_H
#define BOT_STORE_FORGET_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"

/* Add a name, or an id: one that is only a number is no name. */
void forget_names_add(struct buf *names, const char *name);

/* Put another name in the place of each in a text, which is cut to `size`
 * bytes. */
void forget_names_replace(const struct buf *names, const char *new_name,
                          char *text, size_t size);

/* Does a text have a name, or the id `user`?  An id that is only a number is
 * none within a word or a row of digits: it stands alone, quoted, in a path, or
 * as a mention. */
bool forget_names_find(const struct buf *names, const char *user,
                       const char *text, size_t len);

#endif
