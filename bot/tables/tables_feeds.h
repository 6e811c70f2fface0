/*
 * Which feeds are read for which tables.
 */
#ifndef BOT_TABLES_TABLES_FEEDS_H
#define BOT_TABLES_TABLES_FEEDS_H

#include "bot/tables/tables.h"

/* A configured place was found at its service: from now on it is read. */
void tables_feeds_found(struct tables *tables, struct hosted_place *place,
                        const char *thread);

/* From now on read the feed of a game's own thread. */
void tables_feeds_add_thread(struct tables *tables,
                             const struct hosted_table *hosted,
                             const char *cursor);

/* Is a feed to be read?  A DM's is while its user sits at a table; that of a
 * game's own thread is during the game, and after it until the place's next
 * game has one. */
bool tables_feeds_read(const struct tables *tables, const struct feed *feed);

/* Has a thread a game, or a sign-up?  *asked: and an answer is due in it. */
bool tables_feeds_game(const struct tables *tables, const struct feed *feed,
                       bool *asked);

/* Is a table's thread gone, and were its moderators told?  Then nobody gets a
 * seat there, and what its players write in private waits for nothing that was
 * written in it. */
bool tables_feeds_is_gone(const struct tables *tables,
                          const struct hosted_table *hosted);

#endif
