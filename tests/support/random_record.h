/*
 * Records of random games in which everything happens that may: late and lost
 * votes, lots, forfeits, vetoes, vacated seats, newcomers, lines taken back,
 * and lines of the host wherever they may stand.  Played on the engine, so
 * legal by it; the same seed gives the same record.
 */
#ifndef TESTS_RANDOM_RECORD_H
#define TESTS_RANDOM_RECORD_H

#include "bot/base/buf.h"
#include "engine/game.h"

/* Append the record of one game; not all of them come to their end. */
void random_record_write(struct buf *out, unsigned players, const char *preset,
                         const struct rules *rules, uint64_t seed);

#endif
