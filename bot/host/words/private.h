/*
 * Private messages: roles, hands, results, ballots and the echo of an answer.
 * Who may see what is engine/event_list.h's to say; here it is put into words.
 */
#ifndef BOT_HOST_WORDS_PRIVATE_H
#define BOT_HOST_WORDS_PRIVATE_H

#include "bot/host/table/ruling.h"

/* Write the private messages for the events gathered on a docket. */
void secrets_write(struct docket *docket);

/* Say to a player what is asked of them in private now; false: nothing. */
bool secrets_question(const struct house *house, const struct table *table,
                      unsigned seat, struct rich *out);

/* Ask the player of a seat what is asked of them in private now, if anything:
 * its deadline is a slot. */
void secrets_ask(struct docket *docket, unsigned seat);

/* Say all that the player of a seat may know in private: role, past hands and
 * results, and what is asked of them now.  The game MUST have been dealt. */
void secrets_memory(const struct house *house, const struct table *table,
                    unsigned seat, struct rich *out);

/* Send it to whoever sits there now. */
void secrets_hand_over(struct docket *docket, unsigned seat);

#endif
