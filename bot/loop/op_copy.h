/*
 * An operation with all that it points to, for as long as it is under way.
 */
#ifndef BOT_LOOP_OP_COPY_H
#define BOT_LOOP_OP_COPY_H

#include "adapters/adapter.h"

struct op_copy;

/* Copy an operation; owned. */
struct op_copy *op_copy_new(const struct op *op);
/* The operation, which borrows from the copy (a text that was NULL: ""). */
struct op op_copy_read(const struct op_copy *copy);
/* Free a copy, and wipe it: a message may hold a role or a hand. */
void op_copy_free(struct op_copy *copy);

#endif
