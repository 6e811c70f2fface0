/*
 * An operation with all that it points to, for as long as it is under way.
 */
#ifndef BOT_LOOP_OP_COPY_H
#define BOT_LOOP_OP_COPY_H

#include "adapters/adapter.h"

/* One piece of memory: all that the operation points to lies behind it. */
struct op_copy {
    struct op op;
    size_t size; /* bytes, in all */
};

/* Copy an operation (a text that is NULL: ""); owned. */
struct op_copy *op_copy_new(const struct op *op);
/* Free a copy, and wipe it: a message may hold a role or a hand. */
void op_copy_free(struct op_copy *copy);

#endif
