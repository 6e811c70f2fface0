/*
 * Quoted text, for writers of dialects that can only quote whole lines.
 */
#ifndef ADAPTERS_MARKUP_QUOTES_H
#define ADAPTERS_MARKUP_QUOTES_H

#include "adapters/markup/rich.h"

/*
 * Append a text so that no line of it is partly quoted: where a quote begins or
 * ends within a line, the line is ended.  A line feed is never quoted, and
 * before or after a quoted line it carries no marks at all.
 */
void quotes_part(const struct rich *rich, struct rich *out);

/* Does a quoted line begin with this run of a text from quotes_part? */
bool quotes_begin(const struct rich *parted, size_t index);

#endif
