/*
 * One run at real homeservers: ten tables, played by ordinary accounts in
 * several rooms at once, while hosts are killed and homeservers stopped.
 * Everything is played once; afterwards the tests look at what the accounts
 * saw.
 */
#ifndef TESTS_LIVE_MATRIX_RUN_H
#define TESTS_LIVE_MATRIX_RUN_H

#include "tests/live/group.h"
#include "tests/live/homes.h"

enum {
    KILLS = 50,
    SLOW_ROUNDS = 3, /* two, and the vote of a third */
    FRENCH = 4,      /* the host of another run (french.h) */
    HOSTS,
    PRESIDENT_MS = 30000, /* for a card at the table of the absent, */
    CHANCELLOR_MS = 30000,
    AWAITED_MS = 45000, /* and for who does not come to the DM */
    LATE_MS = 90000,    /* for a vote at the table where some are late */
};

struct matrix_run {
    char folder[200];
    /* One without limits; one with Synapse's own; one that encrypts whatever
     * room is private, and later every room. */
    struct home home, limited, encrypting;
    struct account accounts[ACCOUNTS_MAX_LIVE];
    struct account *list[ACCOUNTS_MAX_LIVE];
    unsigned count;
    struct account bots[HOSTS];
    struct account *mo, *zach, *mo_limited, *mo_encrypting;
    /* Seven, ten; five whose host is killed; seven of whom some do not come to
     * their DMs; five who vote late; seven with phases of seconds, of whom
     * three are gone once they have joined; five where the homeserver limits;
     * five where private rooms are encrypted, and five where all are. */
    struct group seven, ten, killed, absent, late, quick, slow, secret, locked;
    /* Of seven, ten and quick; of killed, absent and late; of slow; of the last
     * two, and of a room that is encrypted. */
    struct host hosts[HOSTS];
    char sealed_room[128];
    char staff_room[128];  /* where the moderators of seven talk */
    unsigned kills, stops; /* of the second host; of its homeserver */
    int64_t begun, ended;
    long cpu, memory;
    double minutes;
    unsigned seed;
};

extern struct matrix_run run;

/* What a player of seven asks the moderators, and what they answer. */
#define QUESTION "May I have a day more?"
#define ANSWER   "Yes, you may have that."

/* Start what is needed, in a folder; false: there is no homeserver to be had,
 * which has been printed.  Whatever runs is ended with this process. */
bool matrix_run_set_up(const char *folder);

/* Play all of it, and stop the hosts.  Fails the test, and says what it waited
 * for and what came, where that does not come to its end. */
void matrix_run_play(void);

void matrix_run_release(void);

#endif
