/*
 * What came of a finished game, and what came of many: wins by side, games and
 * wins by role for each player.
 */
#ifndef BOT_RECORD_RESULT_H
#define BOT_RECORD_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/index.h"
#include "bot/record/record.h"

enum {
    RESULT_USER_MAX = 255, /* bytes of a user id */
    RESULT_PLACE_MAX = 63,
    RESULT_ROLES = 3 /* of enum role */
};

/* Who held a seat at the end. */
struct result_seat {
    char user[RESULT_USER_MAX + 1]; /* the service's id; "": unknown */
    char name[RECORD_NAME_MAX + 1];
    enum role role;
};

struct result {
    int64_t began, ended; /* ms: its first line, its end */
    unsigned rounds;
    enum ending ending; /* ENDING_NONE: it has not ended */
    unsigned players;   /* 0: nothing was dealt */
    char game[RECORD_GAME_MAX + 1];
    char place[RESULT_PLACE_MAX + 1];
    struct result_seat seats[PLAYERS_MAX];
};

/* Read what a line of a record, with or without its LF, tells of the result;
 * most tell nothing.  `result` is zeroed before the first line; lines MUST come
 * in their order.  User ids and the place are in no record, and are left
 * alone.  False: it is no line of a record. */
bool result_read_line(struct result *result, const char *line, size_t len);

/* Does a line tell anything of a result? */
bool result_is_told_by(const char *line, size_t len);

/* Has a side won?  An abandoned game has no winner.  Has the player of a seat
 * won? */
bool result_is_won(const struct result *result);
bool result_seat_won(const struct result *result, unsigned seat);

/* Games by who won them. */
struct wins {
    unsigned liberal, fascist, abandoned;
};
void wins_add(struct wins *wins, const struct result *result);
unsigned wins_games(const struct wins *wins);

/* One player's games that a side has won, by the player's role; and how many of
 * them their own side has. */
struct score {
    unsigned games[RESULT_ROLES], won[RESULT_ROLES];
};
void score_add(struct score *score, const struct result *result, unsigned seat);
unsigned score_games(const struct score *score);
unsigned score_won(const struct score *score);

/* A player with their score. */
struct standing {
    char *group, *user; /* owned */
    char *name;         /* owned: the name in the latest game */
    struct score score;
};

/* Everybody's.  A zeroed struct is empty. */
struct standings {
    struct standing *list;
    size_t count, room;
    struct index index;
};

/* Add a game, later ones after earlier ones.  Players are told apart by their
 * user ids within a group (of the service that gives the ids); who has none is
 * left out, and so is a game that nobody has won. */
void standings_add(struct standings *standings, const char *group,
                   const struct result *result);

/* Put those with the most games first; of equals, who has won more.  Nothing
 * may be added after that. */
void standings_sort(struct standings *standings);
void standings_release(struct standings *standings);

#endif
