/*
 * An operation with all that it points to, for as long as it is under way.
 */
#ifndef BOT_LOOP_OP_COPY_H
#define BOT_LOOP_OP_COPY_H

#include "adapters/adapter.h"

struct piece;

struct op_copy {
    struct op op; /* borrows from the pieces; a text that was NULL is "" */
    struct piece *pieces;
};

void op_copy_make(struct op_copy *copy, const struct op *op);
/* Free what a copy owns, and wipe it: a message may hold a role or a hand. */
void op_copy_wipe(struct op_copy *copy);

#endif
