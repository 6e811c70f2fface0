/*
 * Plainer messages: what a service refuses as it was written, it may take in
 * another form (enum shape, bot/host/table/outbox.h).
 */
#ifndef BOT_HOST_TABLE_PLAINER_H
#define BOT_HOST_TABLE_PLAINER_H

#include <stdbool.h>

#include "adapters/markup/rich.h"

/* Append a text of a dialect without emoji and links. */
void plainer_text(const struct dialect *dialect, const char *text,
                  struct buf *out);

/* Append one line of that text, counted from 0, blank ones left out; *more:
 * others follow.  False: there are not so many.  A line of more than 150
 * characters counts as several: how a text is cut depends on nothing but the
 * text, so lines that were sent stay the same whatever the service takes. */
bool plainer_line(const struct dialect *dialect, const char *text,
                  unsigned number, struct buf *out, bool *more);

#endif
