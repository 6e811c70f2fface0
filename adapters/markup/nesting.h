/*
 * Marks as a writer nests them: each is opened and closed around a stretch, and
 * a mark further up the writer's list is always outside of one further down.
 * So a mark in the way of one that ends is closed and opened again.
 *
 * From run to run, first close until there is nothing left to close, then open
 * likewise; at the end of the text, close for no run and no marks.
 */
#ifndef ADAPTERS_MARKUP_NESTING_H
#define ADAPTERS_MARKUP_NESTING_H

#include "adapters/markup/rich.h"

/* A mark, and what is written where it begins and ends.  A list of them ends
 * with a zeroed one. */
struct nesting_level {
    unsigned mark;
    const char *open, *close;
};

struct nesting {
    const struct nesting_level *levels; /* borrowed; the outermost first */
    const struct rich *rich;            /* borrowed; what is written */
    unsigned open;                      /* marks */
    size_t id, id_len; /* of the mention that is open, in the rich text's ids */
};

/* The next mark to close before a run whose marks are to be `want`; NULL: none
 * is left.  It counts as closed from then on. */
const struct nesting_level *nesting_close(struct nesting *nesting,
                                          const struct run *run, unsigned want);

/* The next mark to open for this run, likewise. */
const struct nesting_level *nesting_open(struct nesting *nesting,
                                         const struct run *run, unsigned want);

#endif
