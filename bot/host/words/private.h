/*
 * Private messages: roles, hands, results, ballots and the echo of an answer.
 * Who may see what, engine/event_list.h decides; here it is put into words.
 */
#ifndef BOT_HOST_WORDS_PRIVATE_H
#define BOT_HOST_WORDS_PRIVATE_H

#include "bot/host/table/ruling.h"

/* Write the private messages for the events gathered on a ruling. */
void private_write(struct ruling *ruling);

/* Tell a player what is asked of them in private now; false: nothing. */
bool private_question(const struct host_env *env, const struct table *table,
                      unsigned seat, struct rich *out);

/* Ask the player of a seat what is asked of them in private now, if anything;
 * the deadline is a slot. */
void private_ask(struct ruling *ruling, unsigned seat);

/* Say all that the player of a seat may know in private: role, past hands and
 * results, and what is asked of them now.  The game MUST have been dealt. */
void private_memory(const struct host_env *env, const struct table *table,
                    unsigned seat, struct rich *out);

/* Send it to the player who sits there now. */
void private_hand_over(struct ruling *ruling, unsigned seat);

#endif
