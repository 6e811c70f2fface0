/*
 * A table whose host is barred: a player declines its DM, it is muted for
 * twenty seconds during a vote, and removed from the room during a vote.
 */
#ifndef TESTS_LIVE_BARRED_H
#define TESTS_LIVE_BARRED_H

#include "tests/live/group.h"

enum {
    BARRED_SHY = 0, /* the player who declines */
    BARRED_MUTE_MS = 20000,
    BARRED_PHASE_S = 120, /* so that twenty seconds are more than a part of it
                             that is let pass */
};

struct barred {
    struct group group;
    int64_t muted, lifted; /* when, by our clock */
    int64_t called; /* when the second call came at last, by the server's */
    bool over;
};

extern struct barred barred;

/* Set who declines, before anybody is invited. */
void barred_set(void);

/* Do what is due now. */
void barred_play(void);

#endif
