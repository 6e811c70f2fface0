/*
 * An operation with all that it points to, for as long as it is under way.
 */
#ifndef BOT_LOOP_OP_COPY_H
#define BOT_LOOP_OP_COPY_H

#include "adapters/adapter.h"

struct op_copy {
    struct op op;
    struct buf texts; /* its texts and pings, one after another */
    struct buf picture;
    struct adapter_states states;
    const char **pings;
    struct buttons *buttons;
};

/* Copy an operation into one that is zeroed. */
void op_copy_init(struct op_copy *copy, const struct op *op);
void op_copy_release(struct op_copy *copy);

#endif
