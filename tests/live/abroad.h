/*
 * A game elsewhere: in French, set in a prison, at the first homeserver of
 * evening.h, which MUST have been started.  Five players vote with the
 * setting's words as French people write them; one of them has DMs in English.
 */
#ifndef TESTS_LIVE_ABROAD_H
#define TESTS_LIVE_ABROAD_H

#include "tests/live/evening.h"

enum {
    ABROAD_PLAYERS = 5,
    ABROAD_ENGLISH = 2, /* the player who reads English */
    ABROAD_AVERSE = 1,  /* the player who votes against all */
};

extern struct party abroad;

/* Play it to its end, and stop the host.  Fails the test where that does not
 * come. */
void abroad_play(void);
void abroad_release(void);

#endif
