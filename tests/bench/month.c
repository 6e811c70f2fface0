#include "tests/bench/month.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/base/splitmix.h"
#include "tests/bench/fake_curl.h"
#include "tests/bench/fake_gateway.h"
#include "tests/bench/writes.h"
#include "tests/support/virtual_host.h"

enum {
    STILL_TURNS = 4, /* at one time, then it goes on by a millisecond */
    START_MS = 10 * 60000,
    GATEWAY_MS = 60, /* from a post to the gateway's word of it */
    DOWN_MS = 60000, /* until a host that was killed is started again */
    OPENING_MAX_MS = 12 * 60 * 60000,
    ANY_NUMBER = 1 << 30 /* of requests at once */
};

struct month {
    struct month_plan plan;
    struct fake_discord *discord;
    struct fake_discord_guild *guilds;
    struct players *players;
    struct virtual_host host;
    char conf[160], store[160];
    struct fake_line line;
    int64_t now;
    unsigned still; /* turns that led to the next at once */
    bool opening, failing;
    uint64_t chance;
    int64_t opened; /* when the host was started last */
    double begun;   /* and the processor's time then */
    int64_t next_kill, next_break;
    unsigned breaks;
    bool awaits_read, awaits_answer;
    struct month_result result;
};

/* Stop where something failed; `why` is released. */
static void
must(enum err err, struct buf *why)
{
    if (err != ERR_NONE) {
        die("the bench's host: %s", buf_text(why));
    }
    buf_release(why);
}

static double
cpu(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the service --------------------------------------------------------- */

/* Something has happened for the first time after a start, and could not have
 * before that time. */
static void
note_longest(const struct month *month, int64_t possible, double *longest)
{
    int64_t since = possible > month->opened ? possible : month->opened;
    double took =
        (double)(month->now - since) / SECOND_MS + cpu() - month->begun;
    *longest = took > *longest ? took : *longest;
}

static enum request_kind
kind_of(const struct month *month, const struct request *request)
{
    const char *url = buf_text(&request->url);
    const char *channel = strstr(url, "/channels/");
    if (strstr(url, "/guilds/") != NULL &&
        strcmp(request->method, "GET") == 0) {
        return ASKED_LISTS;
    }
    if (channel == NULL || strstr(url, "/messages?") == NULL) {
        return ASKED_ELSE;
    }
    uint64_t number = strtoull(channel + strlen("/channels/"), NULL, 10);
    return *fake_discord_dm(month->discord, number) == '\0' ? ASKED_PUBLIC
                                                            : ASKED_PRIVATE;
}

/* One in so many fails, one in three after it was carried out. */
static bool
serve(void *context, int64_t now, const struct request *request,
      struct buf *body, struct reply *reply)
{
    struct month *month = context;
    bool fails = month->failing && month->plan.failing > 0 &&
                 splitmix_below(&month->chance, month->plan.failing) == 0;
    unsigned how = fails ? splitmix_below(&month->chance, 3) : 3;
    month->result.failed += fails;
    month->result.asked[kind_of(month, request)]++;
    if (how == 0) {
        *reply = (struct reply){.status = 500, .retry_after = -1};
        return true;
    }
    if (how == 1) {
        return false;
    }
    if (month->awaits_read && strstr(buf_text(&request->url), "/messages?")) {
        month->awaits_read = false;
        note_longest(month, 0, &month->result.first_read);
    }
    fake_discord_serve(month->discord, now, request, body, reply);
    return how != 2;
}

/*
 * While the games are made the service has no limits, and the client is without
 * its own: else days would pass with requests, for all that it is only a
 * beginning.  The reader keeps to the rate: it looks no more often than that.
 */
static struct adapter hasty;

static enum advance
ask_hastily(const struct service *service, const struct op *op,
            struct buf *scratch, const struct reply *reply, struct outcome *out,
            struct buf *why)
{
    enum advance advance =
        adapter_discord.advance(service, op, scratch, reply, out, why);
    if (op->kind == OP_DM) {
        out->request.apart = 0;
    }
    return advance;
}

static void
set_hasty(struct month *month, bool now_hasty)
{
    month->opening = now_hasty;
    fake_discord_habits(month->discord)->limits = !now_hasty;
    month->line.there = now_hasty ? 1 : 25;
    month->line.back = now_hasty ? 1 : 35;
    month->line.jitter = now_hasty ? 0 : 40;
    hasty = adapter_discord;
    hasty.advance = ask_hastily;
    hasty.capabilities.burst = ANY_NUMBER;
}

/* ---- the host ------------------------------------------------------------ */

static void
write_conf(const struct month *month)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    buf_addf(&text,
             "store = \"store.db\";\n"
             "ready_check = \"off\";\n"
             "style = \"full\";\n"
             "services = ( { name = \"discord\"; "
             "token_env = \"PLACARD_BENCH_TOKEN\"; doorbell = \"%s\"; } "
             ");\nplaces = (",
             month->plan.polls ? "off" : "on");
    for (unsigned i = 0; i < month->plan.guilds; i++) {
        buf_addf(&text,
                 "%s { name = \"parlour %u\"; service = \"discord\"; "
                 "address = \"%s/%s\"; }\n",
                 i == 0 ? "" : ",", i + 1, month->guilds[i].id,
                 month->guilds[i].channel);
    }
    buf_add_text(&text, ");\n");
    must(file_write(month->conf, buf_text(&text), text.len, 0600, &why), &why);
    buf_release(&text);
}

static void
open_host(struct month *month)
{
    struct buf why = BUF_INIT;
    (void)setenv("PLACARD_BENCH_TOKEN", GUILD_TOKEN, 1);
    fake_curl_open(&month->line);
    fake_gateway_open(GATEWAY_MS);
    month->begun = cpu();
    month->opened = month->now;
    must(virtual_host_open(&month->host, month->conf, &why), &why);
    month->host.sleeps = true;
    if (month->opening) {
        month->host.tables.services.list[0].adapter = &hasty;
    }
    month->awaits_read = month->awaits_answer = true;
    month->result.starts++;
}

static void
add_turn(struct turns *turns, double took)
{
    if (turns->count == turns->room) {
        turns->room = turns->room == 0 ? 1 << 16 : 2 * turns->room;
        turns->list = must_grow(turns->list, turns->room * sizeof(double));
    }
    turns->list[turns->count++] = took;
    turns->sum += took;
}

static struct turns *
turns_of_now(struct month *month)
{
    return month->now < month->opened + START_MS ? &month->result.starting
                                                 : &month->result.steady;
}

static void
take_turn(struct month *month)
{
    struct buf why = BUF_INIT;
    double begun = cpu();
    must(virtual_host_turn(&month->host, month->now, &why), &why);
    add_turn(turns_of_now(month), cpu() - begun);
    int64_t posted = 0;
    if (month->awaits_answer &&
        players_answered(month->players, &posted) > month->opened) {
        month->awaits_answer = false;
        note_longest(month, posted, &month->result.first_answer);
    }
}

/* ---- time ---------------------------------------------------------------- */

/* Until when the host sleeps: what a turn took in after it had polled may be
 * due before that.  A turn takes no time by this clock, so one that
 * leads to the next at once, again and again, is taken to last a millisecond
 * with it. */
static int64_t
wake_of_host(struct month *month)
{
    int64_t polled = fake_curl_polled();
    int64_t wake = month->host.wake;
    if (polled > 0 && polled < wake) {
        wake = polled;
    }
    if (polled == 0 && month->host.busy > 0) {
        wake = month->now;
    }
    if (wake > month->now) {
        month->still = 0;
        return wake;
    }
    return ++month->still < STILL_TURNS ? month->now : month->now + 1;
}

static int64_t
earlier(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* While the host sleeps, people act, and requests come to the service; it is
 * woken by a reply, too. */
static void
sleep_until(struct month *month, int64_t wake)
{
    for (;;) {
        int64_t people = players_next(month->players);
        int64_t next = earlier(people, fake_curl_next_request());
        int64_t woken =
            earlier(wake, earlier(fake_curl_next_reply(), fake_gateway_next()));
        if (woken <= next) {
            month->now = woken > month->now ? woken : month->now;
            fake_curl_tell(month->now);
            fake_gateway_tell(month->discord, month->now);
            return;
        }
        month->now = next > month->now ? next : month->now;
        players_act(month->players, month->now);
        fake_curl_tell(month->now);
        fake_gateway_tell(month->discord, month->now);
    }
}

/* The host is killed; people go on, and it is started again. */
static void
kill_host(struct month *month)
{
    virtual_host_close(&month->host);
    sleep_until(month, month->now + DOWN_MS);
    open_host(month);
    month->next_kill = month->now + month->plan.kill_every;
}

static void
break_bell(struct month *month)
{
    fake_gateway_break(month->breaks++ % 2 == 0, month->now);
    month->next_break = month->now + month->plan.break_every;
}

static void
pass_until(struct month *month, int64_t end)
{
    while (month->now < end) {
        if (month->next_kill > 0 && month->now >= month->next_kill) {
            kill_host(month);
        }
        if (month->next_break > 0 && month->now >= month->next_break) {
            break_bell(month);
        }
        int64_t before = month->now;
        struct turns *turns = turns_of_now(month);
        take_turn(month);
        sleep_until(month, wake_of_host(month));
        turns->time += (double)(month->now - before) / SECOND_MS;
    }
}

static void
open_games(struct month *month)
{
    int64_t step = MINUTE_MS;
    while (players_count(month->players, month->now)->running <
           month->plan.games) {
        pass_until(month, month->now + step);
        if (month->now > GUILD_START + OPENING_MAX_MS) {
            die("only %zu of the bench's games are open",
                players_count(month->players, month->now)->running);
        }
    }
}

struct month *
month_new(const struct month_plan *plan, const char *folder)
{
    struct month *month = must_alloc(sizeof *month);
    month->plan = *plan;
    month->now = GUILD_START;
    month->discord = fake_discord_new();
    fake_discord_habits(month->discord)->unheld = true;
    month->guilds = must_alloc(plan->guilds * sizeof *month->guilds);
    for (unsigned i = 0; i < plan->guilds; i++) {
        fake_discord_add_guild(month->discord, &month->guilds[i]);
    }
    (void)snprintf(month->conf, sizeof month->conf, "%s/placard.cfg", folder);
    (void)snprintf(month->store, sizeof month->store, "%s/store.db", folder);
    month->line =
        (struct fake_line){.serve = serve,
                           .context = month,
                           .token_header = "Authorization: Bot " GUILD_TOKEN};
    store_writes_count(month->store);
    write_conf(month);
    month->players =
        players_new(month->discord, month->guilds, plan->guilds, plan->games,
                    GUILD_START + 5 * MINUTE_MS, plan->think);
    set_hasty(month, true);
    open_host(month);
    open_games(month);
    virtual_host_close(&month->host);
    return month;
}

/* Forget what was counted while the games were made. */
static void
clear(struct month *month)
{
    struct month_result *result = &month->result;
    result->starting.count = result->steady.count = 0;
    result->starting.sum = result->steady.sum = 0;
    result->starting.time = result->steady.time = 0;
    result->starts = 0;
    result->first_read = result->first_answer = 0;
    players_clear(month->players);
}

/* What the host has of memory ends with it. */
static void
weigh_host(struct month *month)
{
    double before = (double)mallinfo2().uordblks;
    virtual_host_close(&month->host);
    month->result.heap = before - (double)mallinfo2().uordblks;
}

const struct month_result *
month_pass(struct month *month)
{
    struct month_result *result = &month->result;
    set_hasty(month, false);
    clear(month);
    open_host(month);
    /* What waits to be sent is more than limits would ever have let come
     * together: how soon this start reads says nothing. */
    month->awaits_read = month->awaits_answer = false;
    pass_until(month, month->now + START_MS);
    players_clear(month->players);
    month->failing = true;
    fake_gateway_miss(month->plan.missed);
    month->next_kill =
        month->plan.kill_every > 0 ? month->now + month->plan.kill_every : 0;
    month->next_break =
        month->plan.break_every > 0 ? month->now + month->plan.break_every : 0;
    struct store_writes before = *store_writes();
    unsigned refused = fake_discord_beyond(month->discord);
    unsigned sent = fake_curl_sent();
    memset(result->asked, 0, sizeof result->asked);
    int64_t begun = month->now;
    pass_until(month, month->now + month->plan.span);
    result->seconds = (double)(month->now - begun) / SECOND_MS;
    result->requests = fake_curl_sent() - sent;
    result->refused = fake_discord_beyond(month->discord) - refused;
    result->writes.bytes = store_writes()->bytes - before.bytes;
    result->writes.syncs = store_writes()->syncs - before.syncs;
    result->players = players_count(month->players, month->now);
    weigh_host(month);
    return result;
}

void
month_free(struct month *month)
{
    players_free(month->players);
    fake_discord_free(month->discord);
    free(month->guilds);
    free(month->result.starting.list);
    free(month->result.steady.list);
    free(month);
}
