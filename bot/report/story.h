/*
 * What a recorded game comes to: its rounds, the deck, who sat where and what
 * became of them; only of lines that still stand.
 */
#ifndef BOT_REPORT_STORY_H
#define BOT_REPORT_STORY_H

#include "bot/base/buf.h"
#include "bot/host/words/catalogue.h"
#include "bot/record/record.h"

/* Somebody who held a seat.  The name is cleaned, and between PAGE_NAME and
 * PAGE_NAME_END. */
struct told_person {
    unsigned seat;
    struct buf name;
};

/* One round.  Seats, piles and flags as in struct event; `…_is`: who held that
 * seat then, in struct story's people. */
struct told_round {
    uint32_t round;
    int64_t at;
    unsigned president, chancellor;     /* chancellor: or NO_SEAT */
    size_t president_is, chancellor_is; /* who passed cards on, enacted */
    size_t voter_is[PLAYERS_MAX];
    bool closed; /* the vote is */
    seat_set voted, ja, pressed;
    seat_set executed;         /* before its vote */
    struct pile drawn, passed; /* count 0: there was no session */
    struct pile peeked;        /* count 0: there was no peek */
    bool enacted, liberal;     /* by the government */
    bool chaos, chaos_liberal;
};

/* Tiles as they lay, from when they were shuffled. */
struct told_deck {
    uint32_t round; /* it was shuffled in; 0: dealt */
    struct pile tiles;
};

/* Tiles that left a deck together. */
struct told_draw {
    size_t deck; /* which */
    uint32_t round;
    unsigned count;
    bool chaos;
};

struct told_claim {
    uint32_t round;
    size_t player_is;
    enum power power; /* POWER_NONE: of a session */
    unsigned target;  /* of an investigation */
    size_t target_is; /* who had that seat */
    struct pile cards;
    size_t order; /* in which they were made */
};

struct story {
    const struct record_game *game;   /* borrowed, as the next */
    const struct catalogue *numbered; /* NULL: people have their names */
    bool *stands;                     /* by line: is it told? */
    struct told_round *rounds;
    struct told_deck *decks;
    struct told_draw *draws;
    struct told_claim *claims; /* by round, then as they were made */
    size_t round_count, deck_count, draw_count, claim_count;

    struct told_person *people; /* those at sign-up first, in seat order */
    size_t person_count;
    size_t holders[PLAYERS_MAX]; /* of each seat at the end */
    unsigned hitler;             /* NO_SEAT: nothing was dealt */
    seat_set fascists;
    uint32_t executed_in[PLAYERS_MAX]; /* 0: never */
    seat_set vacant;
    enum ending ending;
    int64_t began, ended;
};

/* Read a game; it MUST have players.  `numbered`: people are "Player 3" in
 * these words, by their seats, whoever comes later by the numbers after those;
 * NULL: they have their names.  Release the story. */
void story_read(const struct record_game *game,
                const struct catalogue *numbered, struct story *story);
void story_release(struct story *story);

/* How many policies of a party are on the board at the end. */
unsigned story_policies(const struct story *story, bool liberal);

/* The name of somebody; of the player before them in their seat ("": nobody).
 * Borrowed. */
const char *story_person(const struct story *story, size_t person);
const char *story_before(const struct story *story, size_t person);

#endif
