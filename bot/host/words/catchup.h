/*
 * What has happened at a table since somebody last looked in: rounds, votes,
 * claims, and what they are asked now.
 */
#ifndef BOT_HOST_WORDS_CATCHUP_H
#define BOT_HOST_WORDS_CATCHUP_H

#include "bot/host/table/ruling.h"

/* Has a round been decided since an instant, or a claim been made? */
bool catchup_has_news(const struct table *table, int64_t since);

/* Say it to a seat's player, in their language and zone, or to a moderator
 * (NO_SEAT).  It tells nobody what others may not know, and is at most about
 * a thousand code points: the oldest rounds are left out. */
void catchup_say(const struct host_env *env, const struct table *table,
                 unsigned seat, int64_t since, struct rich *out);

#endif
