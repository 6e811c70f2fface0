/*
 * A month of many games on a Discord in memory, or a part of it: the product's
 * tables, loop, dispatch, HTTP client and adapter, at a clock that jumps to
 * whatever comes next.
 */
#ifndef TESTS_BENCH_MONTH_H
#define TESTS_BENCH_MONTH_H

#include <stdint.h>

#include "tests/bench/players.h"
#include "tests/bench/writes.h"

struct month_plan {
    unsigned games, guilds;
    bool polls;          /* without the doorbell */
    unsigned missed;     /* it never tells of one message in so many; 0: it
                            tells of all */
    int64_t span;        /* ms of the service's time that are measured */
    int64_t think;       /* ms in which people act, at most */
    int64_t kill_every;  /* the host is killed and started again; 0: never */
    int64_t break_every; /* the doorbell's connection is lost, every other time
                            with its session; 0: never */
    unsigned failing;    /* one request in so many is answered 500, or not at
                            all; 0: none */
};

/* What the turns of the loop have taken of the processor's time, in seconds. */
struct turns {
    double *list;
    size_t count, room;
    double sum;
    double time; /* of the service's, that has passed with them */
};

/* What a request asks for. */
enum request_kind {
    ASKED_LISTS,   /* what a guild has of channels, and of threads */
    ASKED_PUBLIC,  /* a page of a channel or thread */
    ASKED_PRIVATE, /* a page of a DM */
    ASKED_ELSE,
    ASKED_KINDS
};

struct month_result {
    const struct players_count *players; /* borrowed from the month */
    /* In the first ten minutes after a start, and in all the others. */
    struct turns starting, steady;
    double seconds; /* of the service's time, without the first ten minutes */
    double requests, refused, failed;
    double asked[ASKED_KINDS]; /* of the requests */
    struct store_writes writes;
    unsigned starts;
    /* After the start from a kill that took longest: until the first page was
     * asked for, and the first answer given, in seconds of the service's time
     * with those that the processor took. */
    double first_read, first_answer;
    double heap; /* bytes that the host has, in the end */
};

struct month;

/* Make the games, in a folder, which has the configuration in placard.cfg: all
 * of them run then. */
struct month *month_new(const struct month_plan *plan, const char *folder);

/* Let the time of the plan pass, and close the host. */
const struct month_result *month_pass(struct month *month);

void month_free(struct month *month);

#endif
