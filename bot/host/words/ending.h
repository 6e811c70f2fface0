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

#endif
