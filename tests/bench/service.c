/*
 * A thousand games at once on a service with limits, Discord, for a month of
 * its time: what is asked a second, how long a post waits for its answer, and
 * whether the service ever had to say no.
 *
 * The host's side of it is the product's: its pauses (bot/loop/reader.c), its
 * limits (adapters/http/rate_limits.c), how far apart requests are and of which
 * route, as the adapter asks for them.  The games are made up: who is asked
 * answers after hours, all at times of their own.  The service counts by rules
 * of its own and tells half of them (tests/support/fake_discord.c has the
 * same): fifty requests a second, five posts in five seconds in a channel, one
 * page of a channel a second, one DM opened in three.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/http/rate_limits.h"
#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/loop/reader.h"
#include "tests/bench/bench.h"

enum {
    GAMES = 1000,
    SEATS = 7,
    GUILDS = 20,
    DMS = GAMES * SEATS,
    DAYS = 30,
    LATENCY_MS = 80,
    SIDE_BY_SIDE = 16,
    HEAP_MAX = 1 << 16,
    WAITING_MAX = 1 << 14,
};

/* What happens at a time. */
enum happening {
    HAPPENS_UPDATES, /* a guild is asked where something is new */
    HAPPENS_DM,      /* a DM's turn has come */
    HAPPENS_POST,    /* a player posts in a thread */
    HAPPENS_ANSWER,  /* or answers in a DM */
    HAPPENS_REPLY,   /* to a request */
    HAPPENS_PUMP,    /* a limit has ended */
};

struct moment {
    int64_t at;
    enum happening what;
    int number;
};

enum want {
    WANT_CHANNELS,
    WANT_THREADS,
    WANT_THREAD,
    WANT_DM,
    WANT_SEND,
    WANT_TELL, /* a private message */
    WANT_REACT,
    WANT_EDIT,
};

/* A request. */
struct ask {
    enum want want;
    int number;
    int64_t since; /* when the post was written that it answers; 0: none */
    struct permit permit;
    char route[ADAPTER_ROUTE_MAX];
    char headers[160];
};

/* A limit of the service's. */
struct count {
    int64_t since;
    int count;
};

/* A game: its question, who has not answered, and what stands unread. */
struct played {
    int phase; /* 0 names, 1 vote, 2 president, 3 chancellor */
    int left;
    int64_t unread; /* the oldest post that was not read; 0: none */
    int posts;
    bool asked; /* its thread is being read */
};

struct dm {
    int64_t next;
    int64_t unread;
    bool awaited, asked;
};

static struct {
    struct moment heap[HEAP_MAX];
    int events;
    struct ask *waiting[WAITING_MAX];
    int waiting_count, flying;
    struct ask *flight[SIDE_BY_SIDE];
    struct limits limits;
    struct played tables[GAMES];
    struct dm dms[DMS];
    int awaited;
    struct count global, reads[GAMES + DMS], sends[GAMES + DMS], reacts[GAMES];
    uint64_t chance;
    int64_t now, requests, refused, pump;
    int64_t worst, answers, sum;
} month;

static int64_t
dice(int64_t bound)
{
    month.chance += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t mixed = month.chance;
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return (int64_t)((mixed ^ mixed >> 31) % (uint64_t)bound);
}

/* ---- events -------------------------------------------------------------- */

static void
happen(enum happening what, int number, int64_t at)
{
    int here = month.events++;
    if (month.events > HEAP_MAX) {
        die("the bench's events are too many");
    }
    while (here > 0 && month.heap[(here - 1) / 2].at > at) {
        month.heap[here] = month.heap[(here - 1) / 2];
        here = (here - 1) / 2;
    }
    month.heap[here] = (struct moment){at, what, number};
}

static struct moment
next_event(void)
{
    struct moment first = month.heap[0];
    struct moment last = month.heap[--month.events];
    int here = 0;
    for (;;) {
        int below = 2 * here + 1;
        if (below + 1 < month.events &&
            month.heap[below + 1].at < month.heap[below].at) {
            below++;
        }
        if (below >= month.events || month.heap[below].at >= last.at) {
            break;
        }
        month.heap[here] = month.heap[below];
        here = below;
    }
    month.heap[here] = last;
    return first;
}

/* ---- the service --------------------------------------------------------- */

/* Count one; false: it is beyond `most` in `time` ms. */
static bool
count(struct count *count, int most, int64_t time)
{
    if (month.now - count->since >= time) {
        *count = (struct count){month.now, 0};
    }
    return ++count->count <= most;
}

/* What it answers; false: it says no. */
static bool
serve(struct ask *ask)
{
    struct count *sends = ask->want == WANT_TELL
                              ? &month.sends[GAMES + ask->number]
                              : &month.sends[ask->number % GAMES];
    bool good = count(&month.global, 50, SECOND_MS);
    ask->headers[0] = '\0';
    switch (ask->want) {
    case WANT_CHANNELS:
    case WANT_THREADS:
        break;
    case WANT_THREAD:
        good = count(&month.reads[ask->number], 1, 900) && good;
        break;
    case WANT_DM:
        good = count(&month.reads[GAMES + ask->number], 1, 900) && good;
        break;
    case WANT_REACT:
        good = count(&month.reacts[ask->number], 1, 250) && good;
        break;
    case WANT_SEND:
    case WANT_TELL:
    case WANT_EDIT:
        good = count(sends, 5, 5 * SECOND_MS) && good;
        (void)snprintf(ask->headers, sizeof ask->headers,
                       "x-ratelimit-limit: 5\nx-ratelimit-remaining: %d\n"
                       "x-ratelimit-reset-after: %.3f\n",
                       sends->count < 5 ? 5 - sends->count : 0,
                       (double)(5 * SECOND_MS - (month.now - sends->since)) /
                           SECOND_MS);
        break;
    }
    return good;
}

/* ---- the host ------------------------------------------------------------ */

/* The routes and distances of the adapter's requests. */
static void
ask_for(enum want want, int number, int64_t since)
{
    static const struct {
        const char *kind;
        int64_t apart;
    } kinds[] = {
        [WANT_CHANNELS] = {"channels", 1000},
        [WANT_THREADS] = {"threads", 1000},
        [WANT_THREAD] = {"read", 1000},
        [WANT_DM] = {"read", 1000},
        [WANT_SEND] = {"send", 0},
        [WANT_TELL] = {"send", 0},
        [WANT_REACT] = {"react", 300},
        [WANT_EDIT] = {"send", 0},
    };
    struct ask *ask = must_alloc(sizeof *ask);
    bool dm = want == WANT_DM || want == WANT_TELL;
    *ask = (struct ask){.want = want, .number = number, .since = since};
    (void)snprintf(ask->route, sizeof ask->route, "%s %d", kinds[want].kind,
                   dm ? GAMES + number : number);
    limits_join(&month.limits, ask->route, month.now, &ask->permit);
    ask->permit.apart = kinds[want].apart;
    if (month.waiting_count == WAITING_MAX) {
        die("the bench's requests are too many");
    }
    /* What is urgent goes first. */
    int at = month.waiting_count++;
    bool urgent = want == WANT_SEND || want == WANT_TELL;
    while (urgent && at > 0 && month.waiting[at - 1]->want != WANT_SEND &&
           month.waiting[at - 1]->want != WANT_TELL) {
        month.waiting[at] = month.waiting[at - 1];
        at--;
    }
    month.waiting[at] = ask;
}

/* Send what may go; when the next may. */
static void
pump(void)
{
    int64_t next = INT64_MAX;
    int kept = 0;
    for (int i = 0; i < month.waiting_count; i++) {
        struct ask *ask = month.waiting[i];
        int64_t when =
            month.flying == SIDE_BY_SIDE
                ? INT64_MAX
                : limits_when(&month.limits, &ask->permit, month.now);
        if (when > month.now) {
            next = when < next ? when : next;
            month.waiting[kept++] = ask;
            continue;
        }
        limits_go(&month.limits, &ask->permit, month.now);
        month.requests++;
        int slot = 0;
        while (month.flight[slot] != NULL) {
            slot++;
        }
        month.flight[slot] = ask;
        month.flying++;
        month.refused += !serve(ask);
        happen(HAPPENS_REPLY, slot, month.now + LATENCY_MS);
        /* The answer to a vote is its mark. */
        if (ask->since != 0) {
            int64_t delay = month.now + LATENCY_MS - ask->since;
            month.worst = delay > month.worst ? delay : month.worst;
            month.sum += delay;
            month.answers++;
        }
    }
    month.waiting_count = kept;
    if (next != INT64_MAX && (month.pump <= month.now || next < month.pump)) {
        month.pump = next;
        happen(HAPPENS_PUMP, 0, next);
    }
}

/* ---- the games ----------------------------------------------------------- */

static void
await(int dm, bool awaited)
{
    if (month.dms[dm].awaited != awaited) {
        month.awaited += awaited ? 1 : -1;
        month.dms[dm].awaited = awaited;
    }
}

static int
whose_turn(int game)
{
    return game * SEATS + (int)dice(SEATS);
}

/* The next question of a game is put; whoever is asked answers in hours. */
static void
open_question(int game, int64_t since)
{
    struct played *table = &month.tables[game];
    int dm = whose_turn(game);
    table->left = table->phase == 1 ? SEATS : 1;
    ask_for(WANT_SEND, game, since);
    ask_for(WANT_EDIT, game, 0);
    if (table->phase >= 2) {
        ask_for(WANT_TELL, dm, since);
        await(dm, true);
        /* feeds_hasten */
        int64_t soon = month.now + adapter_discord.capabilities.pause;
        if (month.dms[dm].next > soon && !month.dms[dm].asked) {
            month.dms[dm].next = soon;
            happen(HAPPENS_DM, dm, soon);
        }
        happen(HAPPENS_ANSWER, dm, month.now + MINUTE_MS + dice(8 * HOUR_MS));
        return;
    }
    for (int i = 0; i < table->left; i++) {
        happen(HAPPENS_POST, game, month.now + MINUTE_MS + dice(10 * HOUR_MS));
    }
}

static void
answered(int game, int64_t since)
{
    struct played *table = &month.tables[game];
    if (--table->left == 0) {
        table->phase = (table->phase + 1) % 4;
        open_question(game, since);
    }
}

/* The pages that were asked for have come. */
static void
hear_thread(int game)
{
    struct played *table = &month.tables[game];
    int64_t since = table->unread;
    int posts = table->posts;
    table->asked = false;
    table->unread = 0;
    table->posts = 0;
    for (int i = 0; i < posts; i++) {
        ask_for(WANT_REACT, game, since);
        answered(game, since);
    }
}

static void
hear_dm(int number)
{
    struct dm *dm = &month.dms[number];
    int64_t since = dm->unread;
    dm->asked = false;
    dm->unread = 0;
    if (since != 0) {
        await(number, false);
        ask_for(WANT_TELL, number, since);
        answered(number / SEATS, since);
    }
    int64_t dms = dm->awaited ? month.awaited : DMS - month.awaited;
    dm->next = month.now +
               reader_round(&adapter_discord.capabilities, dm->awaited, dms);
    happen(HAPPENS_DM, number, dm->next);
}

/* Of a guild: read what has something new, or had half a minute ago. */
static void
parse_updates(int fake_discord)
{
    for (int game = fake_discord; game < GAMES; game += GUILDS) {
        if (month.tables[game].unread != 0 && !month.tables[game].asked) {
            month.tables[game].asked = true;
            ask_for(WANT_THREAD, game, 0);
        }
    }
    happen(HAPPENS_UPDATES, fake_discord,
           month.now + adapter_discord.capabilities.pause);
}

static void
hear_reply(int slot)
{
    struct ask *ask = month.flight[slot];
    struct reply reply = {.status = 200, .retry_after = -1};
    enum want want = ask->want;
    int number = ask->number;
    reply.headers = ask->headers;
    limits_end(&month.limits, &ask->permit, &reply, month.now);
    month.flight[slot] = NULL;
    month.flying--;
    free(ask);
    if (want == WANT_CHANNELS) {
        ask_for(WANT_THREADS, number, 0);
    } else if (want == WANT_THREADS) {
        parse_updates(number);
    } else if (want == WANT_THREAD) {
        hear_thread(number);
    } else if (want == WANT_DM) {
        hear_dm(number);
    }
}

static void
take_event(const struct moment *event)
{
    struct played *table = &month.tables[event->number % GAMES];
    struct dm *dm = &month.dms[event->number % DMS];
    switch (event->what) {
    case HAPPENS_UPDATES:
        ask_for(WANT_CHANNELS, event->number, 0);
        break;
    case HAPPENS_DM:
        if (!dm->asked && dm->next <= month.now) {
            dm->asked = true;
            ask_for(WANT_DM, event->number, 0);
        }
        break;
    case HAPPENS_POST:
        table->unread = table->unread == 0 ? month.now : table->unread;
        table->posts++;
        break;
    case HAPPENS_ANSWER:
        dm->unread = dm->unread == 0 ? month.now : dm->unread;
        break;
    case HAPPENS_REPLY:
        hear_reply(event->number);
        break;
    case HAPPENS_PUMP:
        break;
    }
}

static void
live_through(int64_t end)
{
    while (month.events > 0 && month.heap[0].at < end) {
        struct moment event = next_event();
        month.now = event.at;
        take_event(&event);
        pump();
    }
}

void
bench_service(void *unused)
{
    int64_t start = INT64_C(1795276800000);
    (void)unused;
    month.now = start;
    month.limits.rate = adapter_discord.capabilities.rate;
    for (int i = 0; i < GUILDS; i++) {
        happen(HAPPENS_UPDATES, i, start + dice(10000));
    }
    for (int i = 0; i < DMS; i++) {
        month.dms[i].next = start + dice(MINUTE_MS);
        happen(HAPPENS_DM, i, month.dms[i].next);
    }
    for (int i = 0; i < GAMES; i++) {
        open_question(i, 0);
    }
    live_through(start + DAYS * DAY_MS);
    printf("\n%d games at once on Discord, %d days of its time:\n", GAMES,
           DAYS);
    printf("  requests a second          %11.1f  of 50 that it allows\n",
           (double)month.requests / (DAYS * 86400.0));
    printf("  refused for their pace     %11" PRId64 "\n", month.refused);
    printf("  from a post to its answer  %11.1f s at worst, %.1f s on average "
           "(%" PRId64 " answers)\n",
           (double)month.worst / SECOND_MS,
           (double)month.sum / (double)month.answers / SECOND_MS,
           month.answers);
    printf("  a talk in which nobody is asked is read every %" PRId64 " s\n",
           reader_round(&adapter_discord.capabilities, false, DMS) / SECOND_MS);
}
