/*
 * The fair deal, SH-DEAL-1 (fairness.md): a secret R of 32 bytes and the
 * transcript of the sign-up give a stream for each thing that chance decides:
 * roles, first candidate, deck, each reshuffle, each lots.  Deterministic: the
 * same R and transcript deal the same game for ever, and anybody who has both
 * can check it with standard tools.
 */
#ifndef BOT_RECORD_DEAL_H
#define BOT_RECORD_DEAL_H

#include <stddef.h>
#include <stdint.h>

#include "engine/game.h"

enum {
    DEAL_SECRET = 32,
    DEAL_KEY = 32
};

/* Fill R from the system's generator. */
void deal_throw(unsigned char secret[DEAL_SECRET]);

/* K = HMAC-SHA256(R, transcript). */
void deal_key(const unsigned char secret[DEAL_SECRET], const char *transcript,
              size_t len, unsigned char key[DEAL_KEY]);

/* The seat order drawn: order[i] is who (by sign-up) takes seat i. */
void deal_seats(const unsigned char key[DEAL_KEY], unsigned players,
                uint8_t *order);

/* The COMMAND_DEAL of a game. */
struct command deal_game(const unsigned char key[DEAL_KEY], unsigned players);

/* The COMMAND_RESHUFFLE number k (from 1) of the tiles that are due. */
struct command deal_reshuffle(const unsigned char key[DEAL_KEY], unsigned k,
                              unsigned liberal, unsigned fascist);

/* Lots number k (from 1): one of `choices` (MUST be at least 1), from 0. */
unsigned deal_lots(const unsigned char key[DEAL_KEY], unsigned k,
                   unsigned choices);

#endif
