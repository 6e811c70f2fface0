/*
 * A second opinion on a recorded game: its lines against the rules and the
 * record's own format, one by one.
 *
 * Written apart from the engine, with bookkeeping of its own, so that a fault
 * of one is not a fault of both.  It takes the host's word for nothing but the
 * time (`at` is not judged: whether a deadline had passed is the host's to
 * say) and for what chance gave: the deal, the order of a reshuffle, lots.
 * Where there is a fairness proof, those are judged too.
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

/* What is there of the fairness proof (FAIRNESS.md); one that does not hold
 * is LEGALITY_BROKEN. */
enum proof {
    PROOF_NONE,  /* nothing was committed to */
    PROOF_OPEN,  /* the seed is not shown yet */
    PROOF_HOLDS, /* chance was as committed to, as far as the game went */
};

/* Members below `proof` tell of the first wrong line, if there is one. */
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
