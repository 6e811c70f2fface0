/*
 * The last post: who won and how, the roles, and the cards that were really
 * drawn.
 */
#ifndef BOT_HOST_WORDS_ENDING_H
#define BOT_HOST_WORDS_ENDING_H

#include "bot/host/table/ruling.h"

/* The most characters of the last post, for what was in the hands to stand in
 * it too. */
enum {
    ENDING_CHARACTERS = 990
};

/* Say who has won, and why: the first words of the last post.  Nothing, if
 * nobody has. */
void ending_begin(const struct host_env *env, const struct table *table,
                  struct rich *out);

/* Say the rest of the end of a game that is over.  What was in the hands goes
 * into `hands`, for a post of its own, if the last post would be too long; else
 * `hands`, which MUST be empty, stays so. */
void ending_say(const struct host_env *env, const struct table *table,
                struct rich *out, struct rich *hands);

/* Say what goes with the report of a game that is over: of a page that is
 * attached, what it is; where the service takes none, all hands, votes and
 * claims. */
void ending_report(const struct host_env *env, const struct table *table,
                   struct rich *out);

/* Post the report of the game that has just ended, where it is set. */
void ending_post_report(struct ruling *ruling);

#endif
