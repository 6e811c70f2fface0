#include "adapters/http/rate_limits.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <curl/curl.h>

#include "bot/base/civil.h"

enum {
    BUCKET_MAX = 64,
    ROUTES_KEPT = 256,
    DEFAULT_WAIT_MS = 5000,
    AT_ONCE = 4, /* this part of a second's requests may go at once */
    REFUSALS_MS = 10 * 60000,
    LONGEST_MS = 15 * 60 * 1000, /* the longest wait that we accept */
    /* A refused request comes back at most a fifth later than the service said
     * (bot/host/table/outbox.c), plus one round of the loop. */
    BACK_PART = 5,
    BACK_SLACK_MS = 1000,
};

#define END_OF_9999 INT64_C(253402300800) /* seconds */

struct bucket {
    struct bucket *next;
    /* A route's name, or the service's name for the bucket and the part that
     * tells routes apart. */
    char name[BUCKET_MAX + ADAPTER_ROUTE_MAX];
    int64_t size; /* requests per period; 0: no known limit */
    int64_t left; /* of them, until then */
    int64_t until;
    int64_t reserved; /* for an urgent request that was refused: no other goes
                         until then */
    unsigned active;  /* requests that are under way */
    unsigned routes;  /* that use this bucket */
};

struct route {
    struct route *next;
    char name[ADAPTER_ROUTE_MAX];
    struct bucket *bucket;
    int64_t last;   /* when one of its requests was last sent, or answered */
    int64_t apart;  /* the most that one of its requests has asked for */
    unsigned users; /* permits */
    unsigned sent;  /* of them, that are under way */
};

/* ---- routes and buckets -------------------------------------------------- */

/* The number of the chain for a name (FNV-1a). */
static unsigned
chain_of(const char *name)
{
    uint32_t hash = UINT32_C(2166136261);

    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619);
    }
    return (hash ^ hash >> 16) % LIMITS_CHAINS;
}

static struct bucket *
take_bucket(struct limits *limits, const char *name)
{
    struct bucket **chain = &limits->buckets[chain_of(name)];
    struct bucket *bucket = *chain;

    while (bucket != NULL && strcmp(bucket->name, name) != 0) {
        bucket = bucket->next;
    }
    if (bucket == NULL) {
        bucket = must_alloc(sizeof(*bucket));
        snprintf(bucket->name, sizeof(bucket->name), "%s", name);
        bucket->next = *chain;
        *chain = bucket;
        limits->bucket_count++;
    }
    return bucket;
}

static void
forget_buckets(struct limits *limits, struct bucket **bucket)
{
    while (*bucket != NULL) {
        struct bucket *old = *bucket;
        if (old->routes > 0 || old->active > 0) {
            bucket = &old->next;
            continue;
        }
        *bucket = old->next;
        limits->bucket_count--;
        free(old);
    }
}

/* An unused bucket may never be named again: Spacebar names them after the
 * address with its query (src/api/middlewares/RateLimit.ts). */
static void
set_bucket(struct limits *limits, struct route *route, const char *name)
{
    struct bucket *left = route->bucket;

    route->bucket = take_bucket(limits, name);
    route->bucket->routes++;
    if (left != NULL && --left->routes == 0) {
        forget_buckets(limits, &limits->buckets[chain_of(left->name)]);
    }
}

static struct route *
take_route(struct limits *limits, const char *name)
{
    struct route **chain = &limits->routes[chain_of(name)];
    struct route *route = *chain;

    while (route != NULL && strcmp(route->name, name) != 0) {
        route = route->next;
    }
    if (route == NULL) {
        route = must_alloc(sizeof(*route));
        snprintf(route->name, sizeof(route->name), "%s", name);
        set_bucket(limits, route, name);
        route->next = *chain;
        *chain = route;
        limits->count++;
    }
    return route;
}

static void
forget_routes(struct limits *limits, struct route **route, int64_t now)
{
    while (*route != NULL) {
        struct route *old = *route;
        if (old->users > 0 || old->bucket->until > now ||
            old->bucket->reserved > now || old->last + old->apart > now) {
            route = &old->next;
            continue;
        }
        *route = old->next;
        old->bucket->routes--;
        limits->count--;
        free(old);
    }
}

/* Forget routes that are not in use and don't wait.  Not again before there are
 * twice as many, or each request would look through all of them. */
static void
forget_unused(struct limits *limits, int64_t now)
{
    for (unsigned i = 0; i < LIMITS_CHAINS; i++) {
        forget_routes(limits, &limits->routes[i], now);
    }
    for (unsigned i = 0; i < LIMITS_CHAINS; i++) {
        forget_buckets(limits, &limits->buckets[i]);
    }
    limits->many = 2 * limits->count;
}

void
limits_release(struct limits *limits)
{
    forget_unused(limits, INT64_MAX);
    assert(limits->count == 0 && limits->bucket_count == 0);
    *limits = (struct limits){0};
}

/* ---- permits ------------------------------------------------------------- */

void
limits_join(struct limits *limits, const char *route, int64_t now,
            struct permit *permit)
{
    if (limits->count >= ROUTES_KEPT && limits->count >= limits->many) {
        forget_unused(limits, now);
    }
    *permit = (struct permit){0};
    if (route[0] != '\0') {
        permit->route = take_route(limits, route);
        permit->route->users++;
    }
}

static int64_t
later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* By the rate, one request goes every so many ms; some may go early. */
static int64_t
gap_of(const struct limits *limits)
{
    return MINUTE_MS / limits->rate;
}

/* How many go early, before the one whose time it is. */
static int64_t
count_early(const struct limits *limits)
{
    return limits->burst > 0 ? limits->burst - 1
                             : limits->rate / (60 * AT_ONCE);
}

/* The time at which the service as a whole may be asked, and the route, with
 * the pause between two of its requests. */
static int64_t
when_in_general(const struct limits *limits, const struct permit *permit)
{
    int64_t when = limits->until;

    if (limits->rate > 0) {
        when = later(when, limits->slot - count_early(limits) * gap_of(limits));
    }
    return permit->route == NULL
               ? when
               : later(when, permit->route->last + permit->apart);
}

int64_t
limits_when(struct limits *limits, const struct permit *permit, int64_t now)
{
    int64_t when = when_in_general(limits, permit);

    if (when > now || permit->route == NULL) {
        return when;
    }
    if (permit->apart > 0 && permit->route->sent > 0) {
        return INT64_MAX;
    }
    struct bucket *bucket = permit->route->bucket;
    if (!permit->urgent && bucket->reserved > now) {
        return bucket->reserved;
    }
    if (bucket->until <= now) {
        bucket->left = bucket->size; /* a new period has begun */
    }
    if (bucket->size == 0 || bucket->left > (int64_t)bucket->active) {
        return 0;
    }
    return bucket->until > now ? bucket->until : INT64_MAX;
}

void
limits_go(struct limits *limits, struct permit *permit, int64_t now)
{
    if (limits->rate > 0) {
        limits->slot = later(limits->slot, now) + gap_of(limits);
    }
    if (permit->route != NULL) {
        permit->route->last = later(permit->route->last, now);
        permit->route->apart = later(permit->route->apart, permit->apart);
        permit->bucket = permit->route->bucket;
        permit->bucket->active++;
        permit->route->sent++;
    }
}

/* ---- what replies tell --------------------------------------------------- */

/* Seconds with or without decimals as ms, rounded up; -1: not a number. */
static int64_t
read_seconds(const char *text)
{
    int64_t ms = 0;
    int64_t unit = 1000;
    bool more = false;

    if (!isdigit((unsigned char)*text)) {
        return -1;
    }
    for (; isdigit((unsigned char)*text); text++) {
        ms = ms > LONGEST_MS ? ms : ms * 10 + (int64_t)(*text - '0') * 1000;
    }
    if (*text == '.') {
        for (text++; isdigit((unsigned char)*text); text++) {
            unit /= 10;
            ms += (*text - '0') * unit;
            more = more || (unit == 0 && *text != '0');
        }
    }
    if (text[strspn(text, " \t")] != '\0') {
        return -1;
    }
    ms += more;
    return ms < LONGEST_MS ? ms : LONGEST_MS;
}

/* A time in a header as ms; -1: there is none. */
static int64_t
read_time(const struct reply *reply, const char *name)
{
    struct buf value = BUF_INIT;
    int64_t ms = -1;

    if (reply_header(reply, name, &value)) {
        ms = read_seconds(buf_text(&value));
    }
    buf_release(&value);
    return ms;
}

/* A count in a header, at most as many as a day has seconds. */
static int64_t
read_count(const struct reply *reply, const char *name)
{
    int64_t thousands = read_time(reply, name);

    return thousands < 0 ? -1 : thousands / 1000;
}

static bool
says(const struct reply *reply, const char *name, const char *word)
{
    struct buf value = BUF_INIT;
    bool said = reply_header(reply, name, &value) &&
                strcasecmp(buf_text(&value), word) == 0;

    buf_release(&value);
    return said;
}

/* A date in a header as ms; 0: none. */
static int64_t
read_date(const struct reply *reply, const char *name)
{
    struct buf value = BUF_INIT;
    int64_t date = 0;

    if (reply_header(reply, name, &value)) {
        /* -1 means no date; dates before 1970 and after 9999 are nonsense. */
        int64_t seconds = curl_getdate(buf_text(&value), NULL);
        date = seconds > 0 && seconds < END_OF_9999 ? seconds * 1000 : 0;
    }
    buf_release(&value);
    return date;
}

void
limits_read_times(struct reply *reply, int64_t now)
{
    reply->date = read_date(reply, "date");
    reply->retry_after = read_time(reply, "retry-after");
    if (reply->retry_after < 0) {
        int64_t at = read_date(reply, "retry-after");
        int64_t from = reply->date > 0 ? reply->date : now;
        int64_t wait = at - from;
        if (at > 0) {
            wait = wait > 0 ? wait : 0;
            reply->retry_after = wait < LONGEST_MS ? wait : LONGEST_MS;
        }
    }
}

/* Follow the bucket that a reply names, for this route and those that differ
 * only in the first word. */
static void
follow_bucket(struct limits *limits, struct route *route,
              const struct reply *reply)
{
    struct buf name;
    const char *tail = strchr(route->name, ' ');

    buf_init(&name, BUCKET_MAX - 1);
    if (reply_header(reply, "x-ratelimit-bucket", &name) && name.len > 0) {
        char whole[BUCKET_MAX + ADAPTER_ROUTE_MAX];
        snprintf(whole, sizeof(whole), "%s%s", buf_text(&name),
                 tail == NULL ? route->name : tail);
        set_bucket(limits, route, whole);
    }
    buf_release(&name);
}

/* Note that a request was refused. */
static void
turned_away(struct limits *limits, struct bucket *bucket,
            const struct reply *reply, bool urgent, int64_t now)
{
    int64_t wait =
        reply->retry_after >= 0 ? reply->retry_after : (int64_t)DEFAULT_WAIT_MS;

    if (says(reply, "x-ratelimit-global", "true") ||
        says(reply, "x-ratelimit-scope", "global")) {
        limits->until = later(limits->until, now + wait);
    } else if (bucket != NULL) {
        bucket->until = later(bucket->until, now + wait);
        bucket->left = 0;
        bucket->size = bucket->size == 0 ? 1 : bucket->size;
        if (urgent) {
            bucket->reserved = now + wait + wait / BACK_PART + BACK_SLACK_MS;
        }
    }
}

/* Count refusals; after many, nothing is asked for a while. */
static void
count_refusal(struct limits *limits, const struct reply *reply, int64_t now)
{
    bool refused =
        reply->status == 401 || reply->status == 403 ||
        (reply->status == 429 && !says(reply, "x-ratelimit-scope", "shared"));

    if (!refused) {
        return;
    }
    if (now - limits->refused_since >= REFUSALS_MS) {
        limits->refused_since = now;
        limits->refused = 0;
    }
    if (++limits->refused >= REFUSALS_MAX) {
        limits->until =
            later(limits->until, limits->refused_since + REFUSALS_MS);
    }
}

static void
learn(struct limits *limits, const struct permit *permit,
      const struct reply *reply, int64_t now)
{
    struct route *route = permit->route;
    int64_t size = read_count(reply, "x-ratelimit-limit");
    int64_t left = read_count(reply, "x-ratelimit-remaining");
    int64_t reset = read_time(reply, "x-ratelimit-reset-after");

    if (route != NULL) {
        follow_bucket(limits, route, reply);
        if (size > 0 && left >= 0 && reset >= 0) {
            route->bucket->size = size;
            route->bucket->left = left;
            route->bucket->until = now + reset;
        }
    }
    if (reply->status == 429) {
        turned_away(limits, route == NULL ? NULL : route->bucket, reply,
                    permit->urgent, now);
    }
}

void
limits_end(struct limits *limits, struct permit *permit,
           const struct reply *reply, int64_t now)
{
    if (permit->bucket != NULL) {
        permit->bucket->active--;
        permit->route->sent--;
    }
    if (reply != NULL && reply->status != 0) {
        count_refusal(limits, reply, now);
        learn(limits, permit, reply, now);
    }
    if (permit->route != NULL) {
        permit->route->users--;
        if (reply != NULL) {
            permit->route->last = later(permit->route->last, now);
        }
    }
    *permit = (struct permit){0};
}
