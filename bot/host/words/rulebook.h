/*
 * The rules in force at a table, as its options have them: all of them, or one
 * topic, and how they differ from the printed ones.
 */
#ifndef BOT_HOST_WORDS_RULEBOOK_H
#define BOT_HOST_WORDS_RULEBOOK_H

#include "bot/host/words/speech.h"

/*
 * Set what sentences about the rules may refer to, in a speech about a table:
 * {rules}, their name; {differences} from the printed ones ("": there is none);
 * each value of an option that is in force by its name, such as {sealed}, and
 * each house rule by its own; which tracks of powers there may be; the times.
 */
void rulebook_set(struct speech *speech);

/*
 * Say the rules of a table, which need not be open: its settings count, and how
 * many play or may play.  `topic` is a word of the catalogue or an English one:
 * powers, tracker, deck, veto, votes, times, limits; "": all of them, in short.
 * Of any other word it is said which topics there are.
 */
void rulebook_say(const struct host_env *env, const struct table *table,
                  const char *topic, struct rich *out);

#endif
