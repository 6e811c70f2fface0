/*
 * The buttons under the host's posts.
 */
#ifndef BOT_HOST_WORDS_BUTTONS_H
#define BOT_HOST_WORDS_BUTTONS_H

#include "bot/host/reading/press.h"
#include "bot/host/table/table.h"
#include "bot/host/words/speech.h"

/* Set the buttons that answer the open question of a table; none if nobody may
 * answer.  In a session it is the same one for both choices. */
void buttons_of_question(const struct host_env *env, const struct table *table,
                         struct buttons *buttons);

/* Set those of the status post: of a sign-up, of a ready check, of a game. */
void buttons_of_status(const struct host_env *env, const struct table *table,
                       struct buttons *buttons);

/* Set one for each card of the hand that is out, for whoever is asked now. */
void buttons_of_hand(const struct speech *speech, struct buttons *buttons);

/* Set the one with which a press is confirmed, and the one that leads back. */
void buttons_to_confirm(const struct speech *speech, const struct press *press,
                        struct buttons *buttons);

#endif
