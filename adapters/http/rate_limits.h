/*
 * When a service may be asked again: its rate limits, as learned from its
 * replies.
 *
 * A request waits for two things: the service as a whole, which may have a rate
 * that is known beforehand (capabilities.rate: at most so many a minute, and
 * after a rest capabilities.burst more, or a quarter of a second's share, at
 * once), and its *route* (request.route).  A
 * *bucket* holds what is known about a route: how many requests are left, and
 * until when.  Routes share a bucket if the service says so
 * (X-RateLimit-Bucket) and if they are the same after their first word ("POST
 * /channels/81" and "DELETE /channels/81").
 *
 * These headers of a reply are read:
 *   Retry-After (RFC 9110, 10.2.3): seconds, with decimals if Discord sends
 * them, or an HTTP date; it counts only with status 429.  A 429 without it
 * means five seconds. X-RateLimit-Limit, -Remaining, -Reset-After (seconds with
 * decimals), -Bucket, -Global, -Scope (Discord's documentation, "Rate Limits"):
 * a global 429 applies to the whole service. If a service answers 429 without
 * giving its limit, requests on that route go one at a time from then on.  A
 * time of more than fifteen minutes counts as fifteen.  A request goes at least
 * request.apart after the last one of its route and after the reply to that. An
 * urgent request that was refused comes back once its time is over.  Until then
 * the others of its bucket wait, because each could use up the slot that the
 * urgent one waits for.
 *
 * A service that has refused REFUSALS_MAX requests within ten minutes (401,
 * 403, 429 that is not "shared") is left alone until they are over: Discord
 * blocks an address after 10,000 ("Invalid Request Limit"), and other bots may
 * share ours.
 *
 * Pure: no clock, no I/O.  Times are ms by the caller's clock.  Routes that are
 * not in use and not limited are forgotten when there are many.
 */
#ifndef ADAPTERS_HTTP_RATE_LIMITS_H
#define ADAPTERS_HTTP_RATE_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

enum {
    REFUSALS_MAX = 1000,
    LIMITS_CHAINS = 256 /* of routes, and of buckets, by their names */
};

struct bucket;
struct route;

/* Of one service; begins zeroed. */
struct limits {
    unsigned rate;         /* requests a minute; 0: none is known */
    unsigned burst;        /* of them, at once after a rest; 0: as above */
    int64_t until;         /* nothing is sent before */
    int64_t slot;          /* when the next may go, by the rate */
    int64_t refused_since; /* the ten minutes began, in which */
    unsigned refused;      /* so many were refused */
    struct route *routes[LIMITS_CHAINS];
    struct bucket *buckets[LIMITS_CHAINS];
    unsigned count; /* of routes */
    unsigned bucket_count;
    unsigned many; /* at this count, routes are searched for ones to forget */
};

/* A request holds one from when it starts to wait until it ends.  It starts
 * zeroed; its limits MUST live as long. */
struct permit {
    struct route *route;   /* NULL: none */
    struct bucket *bucket; /* the one it was counted in; NULL: not sent */
    int apart; /* ms from the last of its route: set by limits_join's caller */
    bool urgent; /* as request.urgent: set by limits_join's caller */
};

/* Every permit MUST be over. */
void limits_release(struct limits *limits);

/* A request of a route ("": none) starts to wait. */
void limits_join(struct limits *limits, const char *route, int64_t now,
                 struct permit *permit);

/* The time at which it may be sent; `now` or earlier: at once; INT64_MAX: not
 * before another of its route has ended. */
int64_t limits_when(struct limits *limits, const struct permit *permit,
                    int64_t now);

/* It is being sent. */
void limits_go(struct limits *limits, struct permit *permit, int64_t now);

/* It is over, with this reply to it (NULL: it was given up). */
void limits_end(struct limits *limits, struct permit *permit,
                const struct reply *reply, int64_t now);

/* Fill in `date` and `retry_after` of a reply from its headers. */
void limits_read_times(struct reply *reply, int64_t now);

#endif
