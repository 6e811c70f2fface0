/*
 * What the host answers to a post that was to be an act, and is none or can't
 * be one: what was wrong with it, and how it is done, never in a way that could
 * count (READING.md E9).  The referee's judging, too, is here; nobody else
 * includes it.
 */
#ifndef BOT_HOST_JUDGE_ANSWER_H
#define BOT_HOST_JUDGE_ANSWER_H

#include "bot/host/judge/referee.h"
#include "bot/host/words/speech.h"

/* The judging of one post. */
struct judging {
    struct ruling *ruling;
    const struct table *table;
    const struct input *input;
    unsigned seat;
    struct awaits awaits;
    struct vocabulary vocabulary; /* which the reading borrows */
    struct reading reading;
    struct intent intent;
    bool speaks; /* an answer was begun: */
    struct speech speech;
};

/* Begin an answer, in the author's own language: a speech that is borrowed
 * until it has ended, which answer_say does. */
struct speech *answer_begin(struct judging *judging);
void answer_end(struct judging *judging);

/* Answer with what the author has to mend: in the thread once per matter and
 * question, and in private too, for who looks in twice a day must not lose half
 * a day; in a DM if the post came there; a press as often as it comes.
 * AGAIN_DROP: only once in any case.  AGAIN_ATTEMPT: all matters are one.
 * HEARD_ANSWERED. */
enum judgement answer_say(struct judging *judging, const char *key,
                          enum message_again again);

/* The same with a sentence that needs no parameters of its own. */
enum judgement answer_simply(struct judging *judging, const char *key,
                             enum message_again again);

/* Tell in private that a vote is secret: in the thread it would show who has
 * not voted yet. */
enum judgement answer_sealed(struct judging *judging);

/* Tell that the rules refuse it, and why. */
enum judgement answer_refusal(struct judging *judging, enum refusal refusal,
                              unsigned target);

/* Would the rules refuse a command?  Then tell so. */
bool answer_if_refused(struct judging *judging, const struct command *command);

/* Ask about an unclear post. */
enum judgement answer_unclear(struct judging *judging);

/* Reply once to an answer that nobody asked for. */
enum judgement answer_unasked(struct judging *judging);

/* Tell a player who almost acted what was wrong and how to do it. */
enum judgement answer_attempt(struct judging *judging);

/* Is it somebody's name, nearly, or a name that is nobody's?  It then becomes
 * the intent, which asks about it. */
bool answer_guess(struct judging *judging);

#endif
