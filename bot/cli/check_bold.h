/*
 * How a forum shows a bold word: what `check` says of the posts of a page.
 */
#ifndef BOT_CLI_CHECK_BOLD_H
#define BOT_CLI_CHECK_BOLD_H

#include "adapters/adapter.h"
#include "bot/base/buf.h"

/* Say in one line whether a word in bold, in no quote, is read as such, and
 * append to `advice`, a sentence a line, what to change if none is. */
void check_bold_say(const struct service *service, const struct page *page,
                    struct buf *said, struct buf *advice);

#endif
