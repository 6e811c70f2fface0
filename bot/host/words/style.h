/*
 * The style of a message: in its full form it says how to do what it asks, in
 * its short form only what is asked.  It follows from the setting `style` and
 * the rounds played so far, and changes words alone.
 */
#ifndef BOT_HOST_WORDS_STYLE_H
#define BOT_HOST_WORDS_STYLE_H

#include <stdbool.h>

#include "bot/host/table/table.h"

/*
 * Is a message in the full form that asks these seats' players a question in a
 * round, or tells what came of it?  With style=auto it is before the deal
 * (`round` NULL), in the first two rounds, and where it is the first or second
 * time for one of the players: a vacant seat's has done nothing yet, and
 * neither has one who took the seat over.  All powers are one thing; for votes,
 * it is a player's first two rounds at the table.
 */
bool style_is_full(const struct table *table, const struct past_round *round,
                   enum question question, seat_set seats);

/* The same of what the thread is told about a session: for either of the
 * government, because it does not tell which of them is waited for. */
bool style_is_full_session(const struct table *table,
                           const struct past_round *round);

#endif
