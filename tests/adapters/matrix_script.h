/*
 * Operations of the Matrix adapter, run against recorded replies.
 */
#ifndef TESTS_MATRIX_SCRIPT_H
#define TESTS_MATRIX_SCRIPT_H

#include "tests/adapters/script.h"

static const struct service script_service = {
    .adapter = &adapter_matrix,
    .name = "matrix",
    .base = "https://hs.test",
    .self = "@bot:hs.test",
};

/* Append a file of the fixtures. */
static inline void
script_read(const char *name, struct buf *body)
{
    (void)script_fixture(&script_service, name, body);
}

/* An operation with all its texts, as the dispatch hands it on. */
static inline struct op
script_op(enum op_kind kind)
{
    return (struct op){
        .kind = kind,
        .feed = "sync",
        .cursor = kind == OP_FIND ? "" : "1795276000000 s1",
        .place = "!room:hs.test",
        .post = "$post",
        .user = "@anna:hs.test",
        .text = kind == OP_PLACE   ? "#table:hs.test"
                : kind == OP_REACT ? "\xe2\x9c\x85"
                                   : "<strong>Round 2</strong> begins.",
        .key = "a1b2.31",
        .others = "",
    };
}

#endif
