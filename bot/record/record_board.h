/*
 * The board as everybody at the table sees it, from the lines of a record.
 *
 * struct public_board is a plain value that has no place for a role, a hand,
 * the order of the deck or somebody's vote: code that gets one can tell no
 * secret, whatever it does with it.
 */
#ifndef BOT_RECORD_RECORD_BOARD_H
#define BOT_RECORD_RECORD_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/record/record.h"
#include "engine/game.h"

enum seat_mark {
    SEAT_PLAIN,
    SEAT_CANDIDATE,
    SEAT_NOMINEE,
    SEAT_PRESIDENT,
    SEAT_CHANCELLOR,
    SEAT_LIMITED, /* can't be named chancellor in this round */
    SEAT_EXECUTED,
    SEAT_VACANT,
    SEAT_MARKS,
};

struct public_seat {
    char name[RECORD_NAME_MAX + 1];
    enum seat_mark mark;
};

struct public_board {
    unsigned players; /* 5 to 10; 0: nobody is seated yet */
    uint32_t round;   /* from 1; 0: none is open yet */
    unsigned liberal; /* 0 … LIBERAL_WIN */
    unsigned fascist; /* 0 … FASCIST_WIN */
    unsigned tracker; /* 0 … TRACKER_CHAOS */
    unsigned deck, discards;
    bool over;
    enum ending ending; /* while over */
    struct public_seat seats[PLAYERS_MAX];
};

/*
 * Does each of the first `count` lines still stand after the last of them?  One
 * that a `rewound` has undone does not.  `stands` has room for `count`.
 */
void record_standing(const struct record_game *game, size_t count,
                     bool *stands);

/* The board after the first `count` lines of a game (at most line_count).
 * Lines that are no legal game still give a board of that form. */
void record_board(const struct record_game *game, size_t count,
                  struct public_board *board);

#endif
