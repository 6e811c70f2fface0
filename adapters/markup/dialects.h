/*
 * The list of dialects in which posts are read.
 */
#ifndef ADAPTERS_MARKUP_DIALECTS_H
#define ADAPTERS_MARKUP_DIALECTS_H

#include "adapters/markup/rich.h"

/* Find a dialect by its name; NULL: none. */
const struct dialect *dialects_find(const char *name);

/* By index; NULL after the last. */
const struct dialect *dialects_at(size_t index);

/* Read as the dialect's `read` does; of HTML these classes, with blanks
 * between, are bold as well: a site's own (READING.md R1).  NULL: it has none.
 */
void dialects_read(const struct dialect *dialect, const char *body, size_t len,
                   const char *bold_classes, struct rich *out, bool *unread);

#endif
