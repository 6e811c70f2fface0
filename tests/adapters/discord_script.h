/*
 * Errands of the Discord adapter, run against replies as its documentation has
 * them.
 */
#ifndef TESTS_DISCORD_SCRIPT_H
#define TESTS_DISCORD_SCRIPT_H

#include "tests/adapters/script.h"

#define PLACE "500000000000000001/500000000000000002"
#define TALK  "500000000000000005"

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

/* An errand with all its texts, as the courier hands it on. */
static inline struct errand
script_errand(enum errand_kind kind)
{
    return (struct errand){
        .kind = kind,
        .feed = kind == ERRAND_NEWS ? "500000000000000001" : PLACE,
        .cursor = "1573718880000000001",
        .place = PLACE,
        .post = "1573718880000000001",
        .user = "300000000000000002",
        .text = kind == ERRAND_PLACE   ? "500000000000000002"
                : kind == ERRAND_REACT ? "\xe2\x9c\x85"
                                       : "**Round 2** begins.",
        .key = "a1b2.31",
    };
}

#endif
