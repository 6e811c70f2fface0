/*
 * A game that a test plays move by move on the engine, and its record, of which
 * the test may then alter a line.
 */
#ifndef TESTS_SCRIPTED_H
#define TESTS_SCRIPTED_H

#include "bot/base/buf.h"
#include "bot/record/record.h"
#include "tests/support/engine_game.h"

enum {
    SCRIPTED_LINES_MAX = 512
};

struct scripted {
    struct engine_game engine;
    struct buf text;
    unsigned seq;
    struct record record;
    struct record_game game; /* a copy of the record, to be altered */
    struct record_line lines[SCRIPTED_LINES_MAX];
};

/* "A", "B" … in seat order. */
extern const char *const scripted_names[PLAYERS_MAX];

/* Five hands with a fascist policy in each, and two tiles. */
extern const char scripted_deck[];

/* Open and deal a scripted game: seat 0 is the first candidate, Hitler has the
 * last seat, the fascists those before; `top` is the top of the deck. */
struct scripted *scripted_begin(unsigned players, const char *preset,
                                const char *top);
void scripted_end(struct scripted *scripted);

/* The head of the next line. */
struct record_head scripted_head(struct scripted *scripted);

/* Move the game (not by COMMAND_FILL), or write a line of the host's. */
void scripted_do(struct scripted *scripted, struct command command);
void scripted_write(struct scripted *scripted, struct record_line line);
void scripted_noted(struct scripted *scripted);

/* All vote alike; a government is elected; the first who may be nominated is
 * rejected. */
void scripted_votes(struct scripted *scripted, bool ja);
void scripted_elected(struct scripted *scripted, unsigned chancellor);
void scripted_rejected(struct scripted *scripted);

/* The first who may be nominated. */
unsigned scripted_nominee(const struct scripted *scripted);

/* A reshuffle, where one is awaited, the fascist policies on top. */
void scripted_reshuffled(struct scripted *scripted);

/* The government enacts such a policy, which it MUST have; the same from the
 * nomination on; so many fascist ones, whose powers are forfeited. */
void scripted_session(struct scripted *scripted, bool liberal);
void scripted_policy(struct scripted *scripted, unsigned chancellor,
                     bool liberal);
void scripted_fascist(struct scripted *scripted, unsigned count);

/* The record so far, to be altered; borrowed until the next call. */
struct record_game *scripted_game(struct scripted *scripted);

/* The nth line of a kind, from 1; 0: the last. */
struct record_line *line_of(struct record_game *game, int kind, unsigned nth);

/* Take a line out; put one before another. */
void drop(struct record_game *game, struct record_line *line);
void insert(struct record_game *game, const struct record_line *before,
            struct record_line line);

#endif
