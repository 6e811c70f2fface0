/*
 * The fair deal, SH-DEAL-1 (FAIRNESS.md).  A secret R of 32 bytes and the
 * transcript of the sign-up give a stream for each thing that chance decides:
 * roles, first candidate, deck, each reshuffle, each lots.  Deterministic: the
 * same R and transcript always deal the same game, and anybody who has both can
 * check it with standard tools.
 */
#ifndef BOT_RECORD_DEAL_H
#define BOT_RECORD_DEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "engine/game.h"

enum {
    DEAL_SECRET = 32,
    DEAL_KEY = 32,
    DEAL_HEX = 64,       /* digits of R, and of C */
    DEAL_WORDS_MAX = 64, /* bytes of one player's own words */
};

/* Fill R from the system's generator. */
void deal_generate_secret(unsigned char secret[DEAL_SECRET]);

/* Read R from 1 to 64 hexadecimal digits, padded on the left; false: it is not
 * that, and R is of no use. */
bool deal_read_secret(const char *hex, unsigned char secret[DEAL_SECRET]);

/* C = SHA-256("SH-DEAL-1 " game " " hex(R) "\n"), in hex. */
void deal_commit(const unsigned char secret[DEAL_SECRET], const char *game,
                 char commitment[DEAL_HEX + 1]);

/* Somebody who has signed up: the service's id of the user and of the post in
 * which they did so, and their own words ("": none). */
struct deal_player {
    const char *user, *post, *words;
};

/* Append the transcript T.  What a record can say of it, up to the players, is
 * its heading.  In ids blanks, control characters, "`" and "%" are written as
 * %XX, and an id that is "" as "-"; words MUST be as deal_clean makes them. */
void deal_heading(const char *game, const char *commitment, const char *preset,
                  const struct rules *rules, struct buf *out);
void deal_transcript(const char *game, const char *commitment,
                     const char *preset, const struct rules *rules,
                     const struct deal_player *players, unsigned count,
                     struct buf *out);

/* Make somebody's own words fit for the transcript: in NFC, on one line, single
 * blanks, none at the ends, at most DEAL_WORDS_MAX bytes.  Control and format
 * characters are dropped, and so are "`[]<>@*|", which some service would not
 * show as they are in a block of code.  What is not UTF-8 gives "". */
void deal_clean(const char *words, char clean[DEAL_WORDS_MAX + 1]);

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
