/*
 * A game elsewhere: in French, set in a prison, at the evening's first
 * homeserver (evening.h), which MUST have been started.  Five players vote by
 * the setting's words as French people write them; one of them has private
 * messages in English.
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
