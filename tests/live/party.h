/*
 * A table of players who act on what their accounts see: the host's posts in
 * the room, as Mo sees them, and each one's DMs.  They write as people's apps
 * do, and answer as scripted players (tests/support/player.h).
 */
#ifndef TESTS_LIVE_PARTY_H
#define TESTS_LIVE_PARTY_H

#include "tests/live/account.h"
#include "tests/support/player.h"

enum {
    PARTY_PLAYERS_MAX = 10,
    PARTY_VOTES_MAX = 512,
    FIRST_LOOK_MS = 2000
};

/* A vote, and how long its acknowledgement took. */
struct vote_sent {
    char id[128];
    int64_t sent, seen; /* seen: 0: not yet */
};

struct party {
    const char *options; /* of `!new` */
    const char *bot;     /* the host's user id */
    struct account *mo;  /* opens the tables, and reads the room */
    struct account *players[PARTY_PLAYERS_MAX];
    unsigned count;
    char room[128];
    const struct phrases *phrases; /* of the table; NULL: English */
    /* Some have asked for another language in their DMs, by a line that they
     * write there before they show that the DMs reach them. */
    const struct phrases *other;
    const char *asks;
    unsigned others; /* bits */

    /* How they play. */
    bool all_nein;   /* nobody is ever elected */
    unsigned averse; /* bits: who votes against all */
    bool mischief;   /* once, before the first vote: what must not
                        count */
    bool moderated;  /* the host may delete what others post there */
    unsigned gone;   /* bits: who does nothing once all are ready */
    unsigned deaf;   /* bits: who answers no DM */
    bool defers;     /* they are named before others */
    unsigned silent; /* bits: who does not vote */
    bool tired;      /* nobody answers any more */
    struct account *stranger;
    const char *watch; /* a text; NULL: none */

    /* What they have seen. */
    int64_t came;      /* when the host was in the room first; 0: not yet */
    unsigned hitler;   /* a player's number; count: unknown */
    unsigned executed; /* bits */
    unsigned games, rounds, calls;
    unsigned heard;   /* posts of the host */
    unsigned watched; /* those with that text, DMs as well */
    bool over;        /* the game that was on has ended */
    char last[4096];  /* the last call, as a text */
    char call[128];   /* its event */
    char president[64], chancellor[64];
    int64_t opened, called; /* when the round was, and the call, by the server's
                               clock */
    bool waits;             /* for the answer to `!status`, before the votes */
    char status[4096];
    struct vote_sent votes[PARTY_VOTES_MAX];
    unsigned vote_count;
};

/* Make the room, and have everybody in it. */
void party_meet(struct party *party);

/* Is the host in its room, and has it been for two seconds?  It reads from its
 * first look on, which follows its arrival: nobody begins before. */
bool party_is_open(struct party *party);

/* Open a table, and sign up. */
void party_begin(struct party *party);

/* Take an event that an account has seen; false: it is none of the party's. */
bool party_hear(struct party *party, struct account *account, const char *room,
                json_object *event);

/* A player's number by name; count: none. */
unsigned party_find(const struct party *party, const char *name);

/* Post in the party's room: plain words, or with HTML. */
void party_say(const struct party *party, const struct account *account,
               const char *body, const char *html, char *id);

/* Vote, in the way of that player's app. */
void party_vote(struct party *party, unsigned player, bool ja);

#endif
