/*
 * The last post: who won and how, the roles, and the cards that were really
 * drawn.
 */
#ifndef BOT_HOST_WORDS_ENDING_H
#define BOT_HOST_WORDS_ENDING_H

#include "bot/host/table/ruling.h"

/* Say the end of a game that is over. */
void ending_say(const struct host_env *env, const struct table *table,
                struct rich *out);

/* Say what goes with the report of a game that is over: of a page that is
 * attached, what it is; where the service takes none, all hands, votes and
 * claims. */
void ending_report(const struct host_env *env, const struct table *table,
                   struct rich *out);

/* Post the report of the game that has just ended, where it is set. */
void ending_post_report(struct ruling *ruling);

#endif
