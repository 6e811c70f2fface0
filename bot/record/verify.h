/*
 * A second opinion on a recorded game: its lines are checked against the rules
 * and the record's own format, one by one.
 *
 * It is written apart from the engine, with bookkeeping of its own, so that a
 * mistake in one is not a mistake in both. It takes the host's word only for
 * the time (`at` is not judged: only the host knows whether a deadline had
 * passed) and for what chance gave: the deal, the order of a reshuffle, lots.
 * If there is a fairness proof, those are judged too.
 */
#ifndef BOT_RECORD_VERIFY_H
#define BOT_RECORD_VERIFY_H

#include <stddef.h>

#include "bot/base/buf.h"
#include "bot/record/record.h"

enum legality {
    LEGALITY_FINISHED, /* every line is legal, and the game has ended */
    LEGALITY_SO_FAR,   /* every line is legal, and the game goes on */
    LEGALITY_BROKEN,   /* a line breaks a rule */
};

/* What there is of the fairness proof (FAIRNESS.md); one that does not hold is
 * LEGALITY_BROKEN. */
enum proof {
    PROOF_NONE,  /* nothing was committed to */
    PROOF_OPEN,  /* the seed is not shown yet */
    PROOF_KEY,   /* somebody was forgotten, and the transcript with them: chance
                    gave what follows from the key that the record has; that
                    the key follows from the seed, the transcript as it was
                    posted would show */
    PROOF_HOLDS, /* chance gave what was committed to, as far as the game went
                  */
};

/* Members below `proof` describe the first wrong line, if there is one. */
struct verdict {
    enum legality legality;
    enum proof proof;
    size_t number;    /* of the line in the file, from 1 */
    unsigned seq;     /* of the line in the game */
    const char *kind; /* its `event` */
    const char *rule; /* "Election 2", "record: rewound" … */
    struct buf why;   /* what is wrong, without a final stop */
};

/* Judge a game that was read; release the verdict. */
void verify_game(const struct record_game *game, struct verdict *verdict);
void verdict_release(struct verdict *verdict);

#endif
