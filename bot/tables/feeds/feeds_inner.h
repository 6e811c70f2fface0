/*
 * What the files of bot/feeds share.
 */
#ifndef BOT_TABLES_FEEDS_FEEDS_INNER_H
#define BOT_TABLES_FEEDS_FEEDS_INNER_H

#include "bot/tables/feeds/feed.h"

/* Set one of a feed's texts, which it owns. */
void feed_set_text(char **text, const char *to);

void feed_free(struct feed *feed);

#endif
