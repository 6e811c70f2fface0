/*
 * Presses of buttons: what one does at its table.
 *
 * A press is judged as a post would be that says the same.  Its presser, and
 * nobody else, is always answered: what has counted, what is asked once more,
 * or why nothing happened.
 */
#ifndef BOT_HOST_JUDGE_PRESS_H
#define BOT_HOST_JUDGE_PRESS_H

#include <stdbool.h>

#include "bot/host/judge/referee.h"

/* Is a post a press that gave a slash command? */
bool press_is_command(const struct post *post);

/* Must a press wait its turn, as posts do?  Not if it is only asked about. */
bool press_waits(const struct post *post);

/* Say something to the presser alone, in their own language. */
void press_answer(struct ruling *ruling, const struct post *post,
                  const char *key);
/* Was anything said to them?  If not, say what came of it, by whether anything
 * was done. */
bool press_is_answered(const struct ruling *ruling);
void press_tell_done(struct ruling *ruling, const struct post *post,
                     const char *done, const char *not_done);

/* Show a player the cards to choose from, with a button for each; who has none
 * is shown what else they know. */
void press_show_hand(struct ruling *ruling, const struct post *post);

/* Judge a press; input->post MUST be one, and the ruling's cause.  The table is
 * the one that it names, if there is such a one in that place; or another. */
void press_judge(struct ruling *ruling, const struct input *input);

#endif
