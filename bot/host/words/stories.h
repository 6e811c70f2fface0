/*
 * What players say that they saw: in the status post and in the history, true
 * or not.
 */
#ifndef BOT_HOST_WORDS_STORIES_H
#define BOT_HOST_WORDS_STORIES_H

#include "bot/host/table/ruling.h"

/* Append what is claimed about a round, each player's stories in the order in
 * which they were told; nothing if nobody claims anything. */
void stories_add(const struct host_env *env, const struct table *table,
                 unsigned round, struct rich *out);

#endif
