/*
 * The status post: the one place that always tells where a game stands.  It
 * is the opening post of the sign-up first, and edited in place from then on.
 */
#ifndef BOT_HOST_WORDS_STATUS_H
#define BOT_HOST_WORDS_STATUS_H

#include "bot/host/table/ruling.h"

/* Say the whole status of a table, nothing secret. */
void status_say(const struct host_env *env, const struct table *table,
                struct rich *out);

/* Say where a table is that has a thread of its own, for those who look for it
 * where it was opened. */
void status_pointer(const struct host_env *env, const struct table *table,
                    struct rich *out);

/* Say in one line what is awaited of whom, until when. */
void status_line(const struct host_env *env, const struct table *table,
                 struct rich *out);

/* Say all rounds that are over, and what people said that sessions held. */
void status_history(const struct host_env *env, const struct table *table,
                    struct rich *out);

#endif
