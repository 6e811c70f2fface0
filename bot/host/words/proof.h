/*
 * The posts with which a deal can be checked (FAIRNESS.md): its commitment when
 * sign-up opens, its transcript when sign-up closes, its secret after the end.
 * Each is a post of its own, folded if the service can do that, with its text
 * in code so that it can be copied byte for byte.  If a game has no fair deal,
 * nothing is posted.
 */
#ifndef BOT_HOST_WORDS_PROOF_H
#define BOT_HOST_WORDS_PROOF_H

#include "bot/host/table/ruling.h"

void proof_post_commitment(struct ruling *ruling);

/* MUST be called before MOVE_START is played, while seats can still be
 * drawn. */
void proof_post_transcript(struct ruling *ruling);

/* For a table that is over. */
void proof_post_secret(struct ruling *ruling);

/* Append C as it is shown: in code. */
void proof_say_commitment(const struct table *table, struct rich *out);

#endif
