/*
 * Thousands of people at the games of a Discord in memory
 * (tests/support/fake_discord.h): they read what the host posts, answer
 * within eight hours, at times of their own, and begin a new game with other
 * people where one has ended.
 */
#ifndef TESTS_BENCH_PLAYERS_H
#define TESTS_BENCH_PLAYERS_H

#include <stddef.h>
#include <stdint.h>

#include "tests/support/fake_discord.h"

enum {
    SEATS = 7
};

/* What somebody does, as far as its answers differ. */
enum deed {
    DEED_VOTE,   /* is answered by a mark */
    DEED_PUBLIC, /* names, commands: by a mark, or by the host's next post */
    DEED_CARD,   /* in a DM: likewise */
    DEEDS_TOLD,
    /* The same, where the gateway did not tell of it. */
    DEED_VOTE_MISSED = DEEDS_TOLD,
    DEED_PUBLIC_MISSED,
    DEED_CARD_MISSED,
    DEEDS
};

/* How long answers took, in ms. */
struct delays {
    double *list;
    size_t count, room;
};

struct players;

/* `guilds`: where they play, borrowed; a game is in one after the other.  The
 * first is opened at `begun`, the others soon after. */
struct players *players_new(struct fake_discord *discord,
                            const struct fake_discord_guild *guilds,
                            unsigned guild_count, unsigned games, int64_t begun,
                            int64_t think);
void players_free(struct players *players);

/* When somebody does something next; INT64_MAX: nobody does. */
int64_t players_next(const struct players *players);

/* Do what is due. */
void players_act(struct players *players, int64_t now);

/* From now on count anew. */
void players_clear(struct players *players);

struct players_count {
    struct delays delays[DEEDS];
    size_t deeds;      /* that were done */
    size_t unanswered; /* for ten minutes, at the time `now` */
    size_t pages;      /* that brought something new */
    size_t running;    /* games in which a first question was put */
    size_t ended;      /* games */
};
/* When the host last answered somebody, and when that was posted; 0: never. */
int64_t players_answered(const struct players *players, int64_t *posted);

const struct players_count *players_count(struct players *players, int64_t now);

#endif
