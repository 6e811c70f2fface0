/*
 * Errands of the Matrix adapter, run against recorded replies.
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

/* An errand with all its texts, as the courier hands it on. */
static inline struct errand
script_errand(enum errand_kind kind)
{
    return (struct errand){
        .kind = kind,
        .feed = "sync",
        .cursor = "1795276000000 s1",
        .place = "!room:hs.test",
        .post = "$post",
        .user = "@anna:hs.test",
        .text = kind == ERRAND_PLACE   ? "#table:hs.test"
                : kind == ERRAND_REACT ? "\xe2\x9c\x85"
                                       : "<strong>Round 2</strong> begins.",
        .key = "a1b2.31",
    };
}

#endif
