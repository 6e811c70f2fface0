/*
 * A game that a test plays move by move on the engine, and its record, of which
 * the test may then alter a line.
 */
#ifndef TESTS_SCRIPTED_H
#define TESTS_SCRIPTED_H

#include "bot/base/buf.h"
#include "bot/record/record.h"
#include "tests/support/trial.h"

enum {
    TALE_LINES_MAX = 512
};

struct tale {
    struct trial trial;
    struct buf text;
    unsigned seq;
    struct record record;
    struct record_game game; /* a copy of what was told, to be altered */
    struct record_line lines[TALE_LINES_MAX];
};

/* "A", "B" … in seat order. */
extern const char *const tale_names[PLAYERS_MAX];

/* Five hands with a fascist policy in each, and two tiles. */
extern const char tale_deck[];

/* Open and deal a tale: seat 0 is the first candidate, Hitler sits in the last
 * seat, the fascists before it; `top` is the top of the deck. */
struct tale *tale_begin(unsigned players, const char *preset, const char *top);
void tale_end(struct tale *tale);

/* The head of the next line. */
struct record_head tale_head(struct tale *tale);

/* Move the game (not by COMMAND_FILL), or write a line of the host's. */
void tell(struct tale *tale, struct command command);
void tell_line(struct tale *tale, struct record_line line);
void tell_noted(struct tale *tale);

/* All vote alike; a government is elected; the first who may be nominated is
 * rejected. */
void tell_votes(struct tale *tale, bool ja);
void tell_elected(struct tale *tale, unsigned chancellor);
void tell_rejected(struct tale *tale);

/* The first who may be nominated. */
unsigned tale_nominee(const struct tale *tale);

/* A reshuffle, where one is awaited, the fascist policies on top. */
void tell_reshuffled(struct tale *tale);

/* The government enacts such a policy, which it MUST have; the same from the
 * nomination on; so many fascist ones, whose powers are forfeited. */
void tell_session(struct tale *tale, bool liberal);
void tell_policy(struct tale *tale, unsigned chancellor, bool liberal);
void tell_fascist(struct tale *tale, unsigned count);

/* What was told so far, to be altered; borrowed until the next call. */
struct record_game *told(struct tale *tale);

/* The nth line of a kind, from 1; 0: the last. */
struct record_line *line_of(struct record_game *game, int kind, unsigned nth);

/* Take a line out; put one before another. */
void drop(struct record_game *game, struct record_line *line);
void insert(struct record_game *game, const struct record_line *before,
            struct record_line line);

#endif
