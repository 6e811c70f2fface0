/*
 * The style of a message: in its full form it says how to do what it asks, in
 * its short form only what is asked.  It follows from the setting `style` and
 * the rounds played so far, and changes words alone.
 */
#ifndef BOT_HOST_WORDS_STYLE_H
#define BOT_HOST_WORDS_STYLE_H

#include <stdbool.h>

#include "bot/host/table/table.h"

/* Is what everybody reads about a round in the full form?  With style=auto it
 * is before the deal (`round` NULL) and in the first two rounds. */
bool style_is_full(const struct table *table, const struct past_round *round);

/*
 * Is a private message in the full form that asks a seat's player a question in
 * a round, or tells what came of it?  With style=auto also later, where it is
 * the first or second time for this player: one who took the seat over has done
 * nothing yet.  All powers are one thing; for votes, it is a player's first two
 * rounds at the table.
 */
bool style_is_full_for(const struct table *table,
                       const struct past_round *round, enum question question,
                       unsigned seat);

#endif
