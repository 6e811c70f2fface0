/*
 * The status post: the one post that always says where a game stands.  At first
 * it is the opening post of the sign-up, and from then on it is edited in
 * place.
 */
#ifndef BOT_HOST_WORDS_STATUS_H
#define BOT_HOST_WORDS_STATUS_H

#include "bot/host/table/ruling.h"

/* Say the whole status of a table, nothing secret. */
void status_say(const struct host_env *env, const struct table *table,
                struct rich *out);

/* Say where to find a table that has its own thread, for people who look for it
 * where it was opened. */
void status_pointer(const struct host_env *env, const struct table *table,
                    struct rich *out);

/* Say in one line what has to be done, by whom and by when. */
void status_line(const struct host_env *env, const struct table *table,
                 struct rich *out);

/* The key of what somebody whose answer is due can do now. */
const char *status_asks(const struct game *game);

/* Say on a line of its own what came of a round, and where it is; `claims`: and
 * what was claimed about it. */
void status_round(const struct host_env *env, const struct table *table,
                  const struct past_round *round, bool claims,
                  struct rich *out);

/* Say all rounds that are over, and the claims about the sessions' cards. */
void status_history(const struct host_env *env, const struct table *table,
                    struct rich *out);

#endif
