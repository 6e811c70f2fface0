/*
 * What the files of bot/feeds share.
 */
#ifndef BOT_TABLES_FEEDS_FEEDS_INNER_H
#define BOT_TABLES_FEEDS_FEEDS_INNER_H

#include "bot/tables/feeds/feed.h"

/* Set one of a feed's texts, which it owns. */
void feed_set_text(char **text, const char *to);

void feed_free(struct feed *feed);

/* A page has come, whose posts are yet to be saved, or not any more.  One that
 * is lost is so until it was read itself. */
void feed_set_taking(struct feed *feed, const struct outcome *outcome,
                     bool taking);

#endif
