/*
 * Operations of the Discord adapter, run against replies as its documentation
 * has them.
 */
#ifndef TESTS_DISCORD_SCRIPT_H
#define TESTS_DISCORD_SCRIPT_H

#include "tests/adapters/script.h"

#define PLACE "500000000000000001/500000000000000002"
#define DM    "500000000000000005"

static const struct service script_service = {
    .adapter = &adapter_discord,
    .name = "discord",
    .base = "https://discord.com",
    .self = "400000000000000001",
};

/* Another server of the same API. */
static const struct service other_service = {
    .adapter = &adapter_discord,
    .name = "chat",
    .base = "https://chat.test",
    .self = "400000000000000001",
};

/* Append a file of the fixtures. */
static inline void
script_read(const char *name, struct buf *body)
{
    script_fixture(&script_service, name, body);
}

/* An operation with all its texts, as the dispatch hands it on. */
static inline struct op
script_op(enum op_kind kind)
{
    return (struct op){
        .kind = kind,
        .feed = kind == OP_UPDATES ? "500000000000000001" : PLACE,
        .cursor = kind == OP_FIND ? "" : "1573718880000000001",
        .place = PLACE,
        .post = "1573718880000000001",
        .user = "300000000000000002",
        .text = kind == OP_PLACE   ? "500000000000000002"
                : kind == OP_PROBE ? ""
                : kind == OP_REACT ? "\xe2\x9c\x85"
                                   : "**Round 2** begins.",
        .key = "a1b2.31",
        .others = "",
    };
}

#endif
