/*
 * A table whose host is barred: a player declines its DM, it is muted
 * for twenty seconds in mid-vote, and put out of the room in mid-vote.
 */
#ifndef TESTS_LIVE_BARRED_H
#define TESTS_LIVE_BARRED_H

#include "tests/live/party.h"

enum {
    BARRED_SHY = 0, /* the player who declines */
    BARRED_MUTE_MS = 20000,
    BARRED_PHASE_S = 120, /* so that twenty seconds are more than a part of it
                             that is let pass */
};

struct barred {
    struct party party;
    int64_t muted, lifted; /* when, by our clock */
    bool over;
};

extern struct barred barred;

/* Say who declines, before anybody is asked in. */
void barred_set(void);

/* Do what is due now. */
void barred_play(void);

#endif
