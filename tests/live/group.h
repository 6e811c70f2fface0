/*
 * A table of players who act on what their accounts see: the host's posts in
 * the room, as Mo sees them, and each one's DMs.  They write as people's apps
 * do, and answer as scripted players (tests/support/player.h).
 */
#ifndef TESTS_LIVE_GROUP_H
#define TESTS_LIVE_GROUP_H

#include "tests/live/account.h"
#include "tests/support/player.h"

enum {
    GROUP_PLAYERS_MAX = 10,
    GROUP_VOTES_MAX = 512,
    FIRST_LOOK_MS = 2000
};

/* A vote, and how long its acknowledgement took. */
struct vote_sent {
    char id[128];
    int64_t sent, seen; /* seen: 0: not yet */
};

struct group {
    const char *options; /* of `!new` */
    const char *bot;     /* the host's user id */
    struct account *mo;  /* opens the tables, and reads the room */
    struct account *players[GROUP_PLAYERS_MAX];
    unsigned count;
    char room[128];
    const struct phrases *phrases; /* of the table; NULL: English */
    /* Some ask in their DMs for another language there, before they pass the
     * ready check. */
    const struct phrases *other;
    const char *asks;
    unsigned others; /* bits */

    /* How they play. */
    bool all_nein;   /* nobody is ever elected */
    unsigned averse; /* bits: who votes against all */
    bool mischief;   /* before the first vote: posts that must not
                        count */
    bool moderated;  /* the host may delete what others post there */
    unsigned gone;   /* bits: who does nothing once all are ready */
    unsigned deaf;   /* bits: who answers no DM */
    bool defers;     /* those are named before others */
    unsigned silent; /* bits: who does not vote */
    bool stopped;    /* nobody answers any more */
    struct account *stranger;
    const char *watch; /* a text; NULL: none */

    /* What they have seen. */
    int64_t came;      /* when the host was in the room first; 0: not yet */
    unsigned hitler;   /* a player's number; count: unknown */
    unsigned executed; /* bits */
    unsigned games, rounds, calls;
    unsigned posts;   /* posts of the host */
    unsigned watched; /* those with that text, DMs as well */
    bool over;        /* the last game that began has ended */
    char last[4096];  /* the last call, as a text */
    char call[128];   /* its event */
    char president[64], chancellor[64];
    int64_t opened, called; /* when the round began, and the call, by the
                               server's clock */
    bool waits;             /* for the answer to `!status`, before the votes */
    char status[4096];
    struct vote_sent votes[GROUP_VOTES_MAX];
    unsigned vote_count;
};

/* Make the room and let everybody join it. */
void group_meet(struct group *group);

/* Has the host been in its room for two seconds?  It counts only what is posted
 * after its first look, which follows its arrival. */
bool group_is_open(struct group *group);

/* Open a table, and sign up. */
void group_begin(struct group *group);

/* Take an event that an account has received; false: it is not this group's. */
bool group_take_event(struct group *group, struct account *account,
                      const char *room, json_object *event);

/* A player's number by name; count: none. */
unsigned group_find(const struct group *group, const char *name);

/* Post in the group's room: plain words, or with HTML. */
void group_say(const struct group *group, const struct account *account,
               const char *body, const char *html, char *id);

/* Vote, in the way that player's app does. */
void group_vote(struct group *group, unsigned player, bool ja);

#endif
