/*
 * A game in French, with the prison theme, at the first homeserver of
 * matrix_run.h, which MUST have been started.  Five players vote with the
 * theme's words as French people write them; one of them has DMs in English.
 * Two more watch it from the gallery, where one of the players would like to
 * be.
 */
#ifndef TESTS_LIVE_FRENCH_H
#define TESTS_LIVE_FRENCH_H

#include "tests/live/matrix_run.h"

enum {
    FRENCH_PLAYERS = 5,
    FRENCH_ENGLISH = 2, /* the player who reads English */
    FRENCH_AVERSE = 1,  /* the player who votes against all */
    FRENCH_CURIOUS = 0, /* the player who tries to get into the gallery */
    FRENCH_WATCHERS = 2,
};

/* What the watchers write in the gallery. */
#define FRENCH_VOTE  "**Pour !**"
#define FRENCH_ORDER "!galerie"

extern struct group french;

/* The gallery as its people know it. */
struct gallery {
    struct account *watchers[FRENCH_WATCHERS];
    char room[128]; /* "": nobody was let in */
    unsigned in;    /* bits: who has read the host's words there */
    /* What the server answered to the curious player, who tried to join it and
     * to read it, and to a watcher who invited them; 0: nothing was tried. */
    long joined, read, invited;
};
extern struct gallery gallery;

/* Play it to its end, and stop the host.  Fails the test where that does not
 * come. */
void french_play(void);
void french_release(void);

#endif
