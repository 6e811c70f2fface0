/*
 * A game in French, with the prison theme, at the first homeserver of
 * matrix_run.h, which MUST have been started.  Five players vote with the
 * theme's words as French people write them; one of them has DMs in English.
 */
#ifndef TESTS_LIVE_FRENCH_H
#define TESTS_LIVE_FRENCH_H

#include "tests/live/matrix_run.h"

enum {
    FRENCH_PLAYERS = 5,
    FRENCH_ENGLISH = 2, /* the player who reads English */
    FRENCH_AVERSE = 1,  /* the player who votes against all */
};

extern struct group french;

/* Play it to its end, and stop the host.  Fails the test where that does not
 * come. */
void french_play(void);
void french_release(void);

#endif
