/*
 * The engine's opinion of a recorded game: each line is brought about again by
 * the command that would have made it.
 */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "bot/record/record.h"

enum opinion {
    OPINION_LEGAL,
    OPINION_ILLEGAL,
    /* What the engine has no word for: somebody comes, goes, takes back or
     * gives up between two lines that one command makes, or before the deal. */
    OPINION_NONE,
};

/* Judge the game; *at: the line at which it turned out so. */
enum opinion oracle_judge(const struct record_game *game, size_t *at);

#endif
