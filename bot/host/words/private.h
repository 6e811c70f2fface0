/*
 * Private messages: roles, hands, results, ballots and the echo of an answer.
 * engine/event_list.h decides who may see what; this puts it into words.
 */
#ifndef BOT_HOST_WORDS_PRIVATE_H
#define BOT_HOST_WORDS_PRIVATE_H

#include "bot/host/table/ruling.h"

/* Write the private messages for the events gathered on a ruling. */
void private_write(struct ruling *ruling);

/* Say what a player is asked in private now; false: nothing. */
bool private_question(const struct host_env *env, const struct table *table,
                      unsigned seat, struct rich *out);

/* Send the player of a seat the private question that is open now, if there is
 * one; the deadline is a slot. */
void private_ask(struct ruling *ruling, unsigned seat);

/* Say all that the player of a seat may know in private: role, past hands and
 * results, and the question to them now.  The game MUST have been dealt. */
void private_memory(const struct host_env *env, const struct table *table,
                    unsigned seat, struct rich *out);

/* Send that to the player who sits there now; false: nobody does, or nothing is
 * dealt. */
bool private_hand_over(struct ruling *ruling, unsigned seat);

#endif
