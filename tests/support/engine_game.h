/*
 * A game on the engine alone, which is checked at each step; and the commands
 * that move it.
 *
 * Its cast is always the same: Hitler sits in the last seat, the fascists
 * in those before it, seat 0 is the first candidate.
 */
#ifndef TESTS_SUPPORT_ENGINE_GAME_H
#define TESTS_SUPPORT_ENGINE_GAME_H

#include <stdbool.h>

#include "engine/game.h"

/* A game, and what the last step made of it. */
struct engine_game {
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

/* The deal of these games: `deck` is the top of the deck, the rest goes beneath
 * it. */
struct command deal(unsigned players, const char *deck);

/* The same command, drawn by lots. */
struct command by_lots(struct command command);

/* ---- a game -------------------------------------------------------------- */

/* Begin a game under a preset; it awaits the deal, and options may be set. */
void engine_game_open(struct engine_game *played, unsigned players,
                      const char *preset);
void engine_game_set(struct engine_game *played, const char *option,
                     const char *value);

/* Open a game and deal it. */
void engine_game_begin(struct engine_game *played, unsigned players,
                       const char *preset, const char *deck);

/* Step: the command MUST be accepted, and the game is sane after it. */
void engine_game_do(struct engine_game *played, struct command command);

/* Step: the command MUST be refused so, and the game is as it was. */
void engine_game_refuse(struct engine_game *played, struct command command,
                        enum refusal refusal);

/* The last step told just these events, by name, a blank between them. */
void engine_game_told(const struct engine_game *played, const char *names);

/* The last step's event of a kind, which MUST be there once. */
const struct event *engine_game_event(const struct engine_game *played,
                                      enum event_kind kind);

/* All present vote alike, in seat order, until the vote is closed. */
void engine_game_vote(struct engine_game *played, bool ja);

/* The candidate's nominee is elected; the first eligible one is rejected. */
void engine_game_elect(struct engine_game *played, unsigned chancellor);
void engine_game_reject(struct engine_game *played);

/* Elect a chancellor; then this policy, which MUST be in hand, is enacted. */
void engine_game_govern(struct engine_game *played, unsigned chancellor,
                        bool liberal);

/* If a reshuffle is awaited, do it, the liberal tiles on top. */
void engine_game_reshuffle(struct engine_game *played);

/*
 * Between sessions: lay out a board and a draw pile by hand, the other tiles
 * being discarded.  A short cut past rounds that a test does not tell of.
 */
void engine_game_board(struct engine_game *played, unsigned liberal,
                       unsigned fascist, const char *draw);

/* As if a seat other than Hitler's had been executed earlier. */
void engine_game_execute(struct engine_game *played, unsigned seat);

/* ---- checks -------------------------------------------------------------- */

/* Every invariant of a game: the engine's own check, and from outside. */
void assert_sane_game(const struct game *game);

/* A pile is this, written as "LFF…", top first. */
void assert_pile(struct pile pile, const char *tiles);

/* A set of seats is this, written as "0 2 3" (up to seat 9). */
void assert_seats(seat_set seats, const char *expected);

#endif
