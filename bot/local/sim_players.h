/*
 * The simulated players of a local table: what they will post, and when.
 *
 * They act only by posting on the board, in the thread or in their DMs, as
 * people do: they vote, nominate, discard, and are sometimes late.  They say
 * little, so that it works in every language: the cards that they claim to have
 * seen, and the name of somebody they would choose. strategy.h decides for
 * them; this file chooses the words and the times.
 *
 * A schedule is made anew each time, and stays the same as long as a question
 * is open: it depends only on the cast, and on the table as it was when the
 * question opened.  Each post has a key that the board accepts only once, so
 * posting a schedule again adds only the missing posts.
 */
#ifndef BOT_LOCAL_SIM_PLAYERS_H
#define BOT_LOCAL_SIM_PLAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"
#include "bot/local/strategy.h"

enum {
    SCHEDULE_MAX =
        4 * PLAYERS_MAX,   /* posts: for each player an answer and some talk */
    POSTING_TEXT_MAX = 256 /* bytes */
};

struct posting {
    int64_t at;      /* ms: when it is posted */
    unsigned number; /* of the author: the seat, or the position at sign-up */
    char author[ADAPTER_ID_MAX + 1];
    char key[32]; /* of the board: "<phase>.<seat>.<purpose>" */
    bool in_private;
    bool opening; /* talk in the first minutes, posted before a person is asked
                   */
    char text[POSTING_TEXT_MAX];
};

struct schedule {
    unsigned count;
    struct posting list[SCHEDULE_MAX]; /* by time */
};

/* Names for simulated players, NULL after the last; no two read alike. */
extern const char *const actor_names[];

/* The posts until the table is full: the moderator opens it with `command`
 * (without its prefix), then these people join in order; a human among them
 * uses the plain command. */
struct signup {
    const struct catalogue *catalogue; /* whose words they use */
    const char *moderator, *command, *prefix;
    const char *const *people;
    unsigned count;
    int64_t start; /* ms */
};
void sim_players_signup(const struct cast *cast, const struct signup *signup,
                        struct schedule *schedule);

/* Copy the first word of a key's list into `word`: the one that the host
 * shows. */
void actor_word(const struct catalogue *catalogue, const char *key, char *word,
                size_t size);

/* Schedule the posts of each simulated player while the current question of a
 * running table is open.  Posts after its end are left out. */
void sim_players_schedule(const struct cast *cast, const struct table *table,
                          const struct catalogue *catalogue,
                          struct schedule *schedule);

#endif
