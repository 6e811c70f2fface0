/*
 * Quoted text where a quote is whole lines: for the writers of such dialects.
 */
#ifndef ADAPTERS_MARKUP_QUOTES_H
#define ADAPTERS_MARKUP_QUOTES_H

#include "adapters/markup/rich.h"

/*
 * Append a text so that no line of it is quoted in part: where a quote begins
 * or ends within a line, the line is ended.  A line feed is never quoted, and
 * before a quoted line or behind one it carries no marks at all.
 */
void quotes_part(const struct rich *rich, struct rich *out);

/* Does a quoted line begin with this run of a text so parted? */
bool quotes_begin(const struct rich *parted, size_t index);

#endif
