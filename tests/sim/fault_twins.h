/*
 * Twins of a game in which things go wrong: it is played once more, and what is
 * secret is otherwise: roles, and which card the president discards.  The same
 * is asked of the service at the same moments, so the same goes wrong; and all
 * that the public sees has to be the same, byte for byte.
 */
#ifndef TESTS_FAULT_TWINS_H
#define TESTS_FAULT_TWINS_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "bot/host/table/ruling.h"
#include "bot/tables/tables.h"

/* Begins the lines that tell of a policy that is enacted. */
#define FAULT_TWINS_ENACTED "enacted "

/* The dealer of a game.  That of a second twin gives one of the fascists' roles
 * to a liberal; all others deal fairly. */
const struct dealer *fault_twins_dealer(void);

/* Which card, from 1, the president discards to whom a message shows three, so
 * that both twins can enact what there is most of. */
unsigned fault_twins_discard(const char *text, bool *liberal);

/* Which of the two cards in a message is such a policy, from 1. */
unsigned fault_twins_enact(const char *text, bool liberal);

/* Begin to keep what the public sees, in plan->seen. */
void fault_twins_begin(void);

/* The host's tables are so: once a game has ended, or lots have chosen a card,
 * what was secret is so no longer, and nothing more is kept. */
void fault_twins_look(const struct tables *tables);

/* Is a request about a private message?  Its key, and what stands in it, may be
 * another for each twin. */
bool fault_twins_is_private(const struct request *request);

/* A request has come to the service. */
void fault_twins_note(const struct request *request);

/* Keep what `placard games` and `placard status` say of a store that nobody has
 * open. */
void fault_twins_ask(const char *conf);

/* Keep what was logged, too, and end. */
void fault_twins_end(void);

#endif
