/*
 * Who has said that they are away: named without a ping, and what the others
 * can do.
 */
#ifndef BOT_HOST_WORDS_ABSENCE_H
#define BOT_HOST_WORDS_ABSENCE_H

#include "bot/host/words/speech.h"

/* Name each of a set of seats under a parameter; who is away gets no ping. */
void absence_call(struct speech *speech, const char *name, seat_set seats);

/* Say that players whom the open question asks are away, and until when;
 * nothing if none is. */
void absence_add(struct speech *speech, struct rich *out);

/* Say how the table gets more time, or somebody else for a seat. */
void absence_say_remedy(struct speech *speech, struct rich *out);

#endif
