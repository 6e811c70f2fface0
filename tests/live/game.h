/*
 * A whole game at a forum, or a server of Discord's kind, played by
 * ordinary accounts, which act on what they see: the host's posts in the topic,
 * as the first of them sees them, and each one's DMs.
 *
 * The service is told by variables of the environment, whose names begin with
 * PLACARD_LIVE_ and the kind's: DISCOURSE, NODEBB, PHPBB, DISCORD.
 *
 *   …_URL      "https://forum.example"
 *   …_TOPIC    the number of the topic, or channel, that is played in
 *   …_HOST     the host's account, "placard:SECRET"
 *   …_PLAYERS  six to eleven accounts with blanks between, "mo:SECRET anna:…":
 *              the first opens the tables as a moderator, the others play
 *
 *   …_HOST_BASE  where the host finds the service, if not at …_URL: a proxy,
 * say, that is away for a minute
 *
 * PLACARD_LIVE_VOTES=sealed: votes are private.  PLACARD_LIVE_KILLS: in so many
 * rounds the host is killed as soon as the vote is open, and started again.
 * PLACARD_LIVE_NIGHT: so many posts are written while it is down the first
 * time.
 *
 * What is secret is a key (Discourse), a token (NodeBB, Discord) or a password
 * without blanks (phpBB).  PLACARD_LIVE_PAUSE: ms between two looks of all
 * accounts, 5000 where it is unset.
 */
#ifndef TESTS_LIVE_GAME_H
#define TESTS_LIVE_GAME_H

#include "tests/live/guest.h"
#include "tests/live/homes.h"

enum {
    GUESTS_MAX = 11
};

struct live_game {
    const struct guest_kind *kind;
    const char *base, *topic; /* borrowed from the environment */
    const char *host_base;    /* the host's */
    const char *votes;        /* "open", "sealed" */
    long kills;               /* to come */
    long night;               /* posts while the host is down first */
    char host_name[64], host_secret[SECRET_SIZE];
    struct guest guests[GUESTS_MAX]; /* the first is the moderator */
    unsigned count;
    struct host host;
    int64_t pause;

    /* What they have seen. */
    bool opened, seated, over, edited, told;
    unsigned hitler;   /* a guest's number; 0: unknown */
    unsigned executed; /* bits */
    unsigned rounds, said;
    char president[64], chancellor[64];
    char thought[32]; /* a post that is edited; "": none */
    int64_t due;      /* when it is */
    char last[256];
    int64_t begun, ended;
};

/* Read the variables of a kind of service; false: they are not set, which is
 * printed. */
bool game_is_set(struct live_game *game, const struct guest_kind *kind);

/* Configure a host there by an account, in a folder of PLACARD_LIVE's. */
void game_set_host(const struct live_game *game, struct host *host,
                   const char *name, const char *user, const char *secret);

/* Play a game, and stop the host; everybody has seen all there is then.  Fails
 * the test where it does not come to its end. */
void game_play(struct live_game *game);

void game_release(struct live_game *game);

/* How many posts that an account sees hold a text: the host's, in its DM or
 * in the topic. */
unsigned game_count(const struct guest *guest, bool dm, const char *text);

#endif
