/*
 * The gallery: a place apart, where the executed and people without a seat talk
 * about a game.  The host lets them in, says what the place is for and when the
 * game is over, and nothing else there.
 */
#ifndef BOT_HOST_WORDS_GALLERY_H
#define BOT_HOST_WORDS_GALLERY_H

#include <stdbool.h>

#include "bot/host/table/ruling.h"

/* Does a game have one, as it is set, and where its service has such a place?
 */
bool gallery_is_offered(const struct host_env *env, const struct table *table);

/* Is there anything for the executed who ask: a gallery, or the roles? */
bool gallery_has_something(const struct host_env *env,
                           const struct table *table);

/* Have somebody let in. */
void gallery_invite(struct ruling *ruling, const char *user);

/* The service does not let somebody in, or has no place for a gallery (`none`):
 * say so in the thread. */
void gallery_refuse(struct ruling *ruling, const char *user, bool none);

/* Say there what the place is for; and, if there is one, that the game is
 * over.  What can't be posted there within a day is given up. */
void gallery_begin(struct ruling *ruling);
void gallery_end(struct ruling *ruling);

#endif
