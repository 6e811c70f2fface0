/*
 * Lots, and other decisions for a player who did not act in time.
 */
#ifndef BOT_HOST_JUDGE_LOTS_H
#define BOT_HOST_JUDGE_LOTS_H

#include "bot/host/table/ruling.h"

/* Play a command for a player whose time is up.  `by`: the moderator who
 * ordered it; "": the clock.  It counts from `at`. */
void lots_play(struct ruling *ruling, const struct command *command,
               const char *by, int64_t at);

/* Draw lots among the legal choices of the open question, for the player who
 * must answer it.  `by`: the moderator who ordered it; "": time is up. */
void lots_draw(struct ruling *ruling, const char *by, int64_t at);

/* The first seat of a set, which MUST hold one. */
unsigned lots_first_seat(seat_set seats);

#endif
