/*
 * Games to test the engine with: one that is watched at each step, and words
 * to move it.
 *
 * A trial's cast is always the same: Hitler sits in the last seat, the fascists
 * in those before it, seat 0 is the first candidate.
 */
#ifndef TESTS_TRIAL_H
#define TESTS_TRIAL_H

#include <stdbool.h>

#include "engine/game.h"

/* A game, and what the last step made of it. */
struct trial {
    struct game game;
    struct events events;
};

/* ---- commands ------------------------------------------------------------ */

/* A command that reads nothing but its kind: CLOSE, FORFEIT, KNOWN, ABANDON. */
struct command plain(enum command_kind kind);
struct command nominate(unsigned seat, unsigned nominee);
struct command vote(unsigned seat, bool ja);
struct command discard(unsigned seat, unsigned card);
struct command enact(unsigned seat, unsigned card);
struct command ask_veto(unsigned seat);
struct command answer_veto(unsigned seat, bool agreed);
struct command target(unsigned seat, unsigned target);
struct command vacate(unsigned seat);
struct command fill(unsigned seat);

/* A reshuffle into this order, written as "LFF…", top first. */
struct command reshuffle(const char *tiles);

/* The trials' deal: `deck` is the top of the deck, the rest goes beneath it. */
struct command deal(unsigned players, const char *deck);

/* The same command, drawn by lots. */
struct command by_lots(struct command command);

/* ---- a trial ------------------------------------------------------------- */

/* Begin a game under a preset; it awaits the deal, and options may be set. */
void trial_open(struct trial *trial, unsigned players, const char *preset);
void trial_set(struct trial *trial, const char *option, const char *value);

/* Open a game and deal it. */
void trial_begin(struct trial *trial, unsigned players, const char *preset,
                 const char *deck);

/* Step: the command MUST be accepted, and the game is sane after it. */
void trial_do(struct trial *trial, struct command command);

/* Step: the command MUST be refused so, and the game is as it was. */
void trial_refuse(struct trial *trial, struct command command,
                  enum refusal refusal);

/* The last step told just these events, by name, a blank between them. */
void trial_told(const struct trial *trial, const char *names);

/* The last step's event of a kind, which MUST be there once. */
const struct event *trial_event(const struct trial *trial,
                                enum event_kind kind);

/* All present vote alike, in seat order, until the vote is closed. */
void trial_vote(struct trial *trial, bool ja);

/* The candidate's nominee is elected; the first eligible one is rejected. */
void trial_elect(struct trial *trial, unsigned chancellor);
void trial_reject(struct trial *trial);

/* Elect a chancellor; then this policy, which MUST be in hand, is enacted. */
void trial_govern(struct trial *trial, unsigned chancellor, bool liberal);

/* If a reshuffle is awaited, do it, the liberal tiles on top. */
void trial_reshuffle(struct trial *trial);

/*
 * Between sessions: lay out a board and a draw pile by hand, the other tiles
 * being discarded.  A short cut past rounds that a test does not tell of.
 */
void trial_board(struct trial *trial, unsigned liberal, unsigned fascist,
                 const char *draw);

/* As if a seat other than Hitler's had been executed earlier. */
void trial_execute(struct trial *trial, unsigned seat);

/* ---- checks -------------------------------------------------------------- */

/* Every invariant of a game: the engine's own check, and from outside. */
void assert_sane_game(const struct game *game);

/* A pile is this, written as "LFF…", top first. */
void assert_pile(struct pile pile, const char *tiles);

/* A set of seats is this, written as "0 2 3" (up to seat 9). */
void assert_seats(seat_set seats, const char *expected);

#endif
