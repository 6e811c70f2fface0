/*
 * Nests marks for a writer: each is opened and closed around a stretch of text,
 * and a mark further up the writer's list is always outside one further down.
 * So a mark that is open inside one that ends is closed first and opened again.
 *
 * From run to run, first close until there is nothing left to close, then open
 * likewise; at the end of the text, close with no run and no marks.
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
 * is left.  From then on it counts as closed. */
const struct nesting_level *nesting_close(struct nesting *nesting,
                                          const struct run *run, unsigned want);

/* The next mark to open for this run, likewise. */
const struct nesting_level *nesting_open(struct nesting *nesting,
                                         const struct run *run, unsigned want);

#endif
