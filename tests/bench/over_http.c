/*
 * What a thousand posts cost the host over real HTTP: the product's loop,
 * reader, dispatch and adapter on libcurl and sockets, and its store with all
 * its syncs.  A program of its own: the other rows have a libcurl in memory.
 *
 * The other end is the Discord of tests/support/fake_discord.h on loopback,
 * with its gateway.  It has a thread of its own, which is not counted.  Nothing
 * waits for real time but for the other end: the clock that both are told jumps
 * to what is due next.
 */
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>
#include <json-c/json.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/base/log.h"
#include "tests/bench/bench.h"
#include "tests/bench/writes.h"
#include "tests/support/fake_discord.h"
#include "tests/support/httpd.h"
#include "tests/support/virtual_host.h"
#include "tests/support/web_server.h"

enum {
    POSTS = 1000,
    ANSWERS = 31,
    PLAYERS = 5,
    APART_MS = 1000, /* between two posts */
    GLANCE_MS = 1,   /* real time, until it is looked whether anything comes */
};

#define GOAL 0.06 /* seconds */

static void
must(enum err err, const struct buf *why)
{
    if (err != ERR_NONE) {
        die("the bench's host: %s", buf_text(why));
    }
}

/* ---- the service --------------------------------------------------------- */

/* A request that came, and what it was answered. */
struct talk {
    char method[8], type[64];
    char *target, *body, *reply;
    int status;
};

static struct {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    struct fake_discord *discord;
    struct httpd *httpd;
    struct web_server *gateway; /* NULL: nobody is connected */
    int64_t seq;
    size_t told; /* messages, by the gateway */
    struct talk *talks;
    size_t talk_count, talk_room;
    bool replays; /* the talks once more */
    size_t replayed;
    atomic_bool busy;
    int waker[2]; /* a byte: look at it; its end: stop */
    atomic_int_fast64_t now;
    atomic_uint_fast64_t newest, read; /* messages of people, by their ids */
} site = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Under the lock. */
static void
tell_gateway(const char *name, const char *data)
{
    struct buf text = BUF_INIT;
    buf_addf(&text, "{\"t\":\"%s\",\"s\":%" PRId64 ",\"op\":0,\"d\":%s}", name,
             ++site.seq, data);
    web_server_say(site.gateway, buf_text(&text));
    buf_release(&text);
}

static bool
ring(void)
{
    struct buf data = BUF_INIT;
    size_t told = site.told;
    for (; site.gateway != NULL && site.told < fake_discord_count(site.discord);
         site.told++) {
        buf_clear(&data);
        fake_discord_announce(site.discord,
                              fake_discord_at(site.discord, site.told), &data);
        tell_gateway("MESSAGE_CREATE", buf_text(&data));
    }
    buf_release(&data);
    return site.told > told;
}

static bool
listen_to_gateway(void)
{
    struct buf text = BUF_INIT;
    bool any = false;
    while (site.gateway != NULL && web_server_next(site.gateway, &text)) {
        any = true;
        if (strstr(buf_text(&text), "\"op\":1,") != NULL) {
            web_server_say(site.gateway, "{\"op\":11}");
        } else if (strncmp(buf_text(&text), "close", 5) == 0) {
            die("the bench's host has left the gateway");
        } else if (strstr(buf_text(&text), "\"op\":2,") != NULL) {
            tell_gateway("READY",
                         "{\"v\":10,\"user\":{\"id\":\"" GUILD_BOT
                         "\"},\"guilds\":[],\"session_id\":\"session\","
                         "\"resume_gateway_url\":\"ws://127.0.0.1:9\"}");
        }
    }
    buf_release(&text);
    return any;
}

static void
open_gateway(struct httpd_request *from)
{
    site.gateway = web_server_new(from);
    site.told = fake_discord_count(site.discord);
    web_server_say(site.gateway,
                   "{\"op\":10,\"d\":{\"heartbeat_interval\":41250}}");
}

static void
answer_gateway(struct httpd_request *from)
{
    struct buf body = BUF_INIT;
    buf_addf(&body,
             "{\"url\":\"ws%s\",\"shards\":1,\"session_start_limit\":{"
             "\"total\":1000,\"remaining\":999,\"reset_after\":14400000,"
             "\"max_concurrency\":1}}",
             httpd_url(site.httpd) + strlen("http"));
    httpd_answer(from, 200, "", buf_text(&body));
    buf_release(&body);
}

static void
note_talk(const struct request *request, const char *target, int status,
          const struct buf *reply)
{
    if (site.talk_count == site.talk_room) {
        site.talk_room = site.talk_room == 0 ? 1024 : 2 * site.talk_room;
        site.talks = must_grow(site.talks, site.talk_room * sizeof *site.talks);
    }
    struct talk *talk = &site.talks[site.talk_count++];
    memset(talk, 0, sizeof *talk);
    (void)snprintf(talk->method, sizeof talk->method, "%s", request->method);
    (void)snprintf(talk->type, sizeof talk->type, "%.63s", request->type);
    talk->target = must_copy(target);
    talk->body = must_copy(buf_text(&request->body));
    talk->reply = must_copy(buf_text(reply));
    talk->status = status;
}

static void
serve(struct httpd_request *from)
{
    struct request request = {.authorized = true};
    struct reply reply;
    struct buf body = BUF_INIT, headers = BUF_INIT, value = BUF_INIT;
    int64_t now = atomic_load(&site.now);
    (void)snprintf(request.method, sizeof request.method, "%.7s", from->method);
    buf_addf(&request.url, GUILD_BASE "%s", buf_text(&from->target));
    buf_add_buf(&request.body, &from->body);
    (void)httpd_header(from, "user-agent", &value);
    buf_addf(&request.headers, "User-Agent: %s\n", buf_text(&value));
    buf_clear(&value);
    (void)httpd_header(from, "content-type", &value);
    (void)snprintf(request.type, sizeof request.type, "%.63s",
                   buf_text(&value));
    fake_discord_serve(site.discord, now, &request, &body, &reply);
    buf_add_text(&headers, reply.headers == NULL ? "" : reply.headers);
    httpd_add_date(now, &headers);
    httpd_answer_bytes(from, reply.status, buf_text(&headers), buf_text(&body),
                       body.len);
    note_talk(&request, buf_text(&from->target), reply.status, &body);
    request_clear(&request);
    buf_release(&request.url);
    buf_release(&request.body);
    buf_release(&request.headers);
    buf_release(&body);
    buf_release(&headers);
    buf_release(&value);
}

static void
receive(struct httpd_request *from)
{
    struct buf upgrade = BUF_INIT;
    if (site.replays) {
        const struct talk *talk =
            &site.talks[site.replayed++ % site.talk_count];
        httpd_answer(from, talk->status, "", talk->reply);
    } else if (httpd_header(from, "sec-websocket-key", &upgrade)) {
        open_gateway(from);
    } else if (strstr(buf_text(&from->target), "/gateway/bot") != NULL) {
        answer_gateway(from);
    } else {
        serve(from);
    }
    buf_release(&upgrade);
}

/* False: nothing came. */
static bool
serve_what_came(void)
{
    struct httpd_request *request = NULL;
    bool any = false;
    httpd_work(site.httpd, 0);
    while ((request = httpd_next(site.httpd)) != NULL) {
        any = true;
        receive(request);
    }
    any = listen_to_gateway() || any;
    return ring() || any;
}

static void *
work(void *unused)
{
    struct pollfd waits[] = {
        {.fd = httpd_descriptor(site.httpd), .events = POLLIN},
        {.fd = site.waker[0], .events = POLLIN}};
    char byte = 0;
    ssize_t woken = 1;
    (void)unused;
    (void)prctl(PR_SET_NAME, "service"); /* as profilers show it */
    while (woken != 0) {
        (void)poll(waits, 2, -1);
        atomic_store(&site.busy, true);
        (void)pthread_mutex_lock(&site.lock);
        if (waits[1].revents != 0) {
            woken = read(site.waker[0], &byte, 1);
        }
        while (serve_what_came()) {
        }
        (void)pthread_mutex_unlock(&site.lock);
        atomic_store(&site.busy, false);
    }
    return NULL;
}

static void
note_read(void *unused, const struct fake_discord_message *message,
          enum fake_discord_act act, int64_t now)
{
    (void)unused;
    (void)now;
    if (act == FAKE_DISCORD_READ && message->id > atomic_load(&site.read)) {
        atomic_store(&site.read, message->id);
    }
}

static void
site_open(void)
{
    site.discord = fake_discord_new();
    fake_discord_habits(site.discord)->unheld = true;
    fake_discord_tell(site.discord, note_read, NULL);
    site.httpd = httpd_new();
    atomic_store(&site.now, GUILD_START);
    if (pipe(site.waker) != 0 ||
        pthread_create(&site.thread, NULL, work, NULL) != 0) {
        die("the bench's service can't be opened");
    }
}

static void
forget_talks(void)
{
    (void)pthread_mutex_lock(&site.lock);
    for (size_t i = 0; i < site.talk_count; i++) {
        free(site.talks[i].target);
        free(site.talks[i].body);
        free(site.talks[i].reply);
    }
    site.talk_count = 0;
    site.replays = false;
    (void)pthread_mutex_unlock(&site.lock);
}

static void
site_close(void)
{
    (void)close(site.waker[1]);
    (void)pthread_join(site.thread, NULL);
    (void)close(site.waker[0]);
    web_server_free(site.gateway);
    httpd_free(site.httpd);
    fake_discord_free(site.discord);
    forget_talks();
    free(site.talks);
}

/* ---- the host ------------------------------------------------------------ */

static struct {
    struct virtual_host host;
    int64_t now;
    double used; /* seconds of the processor, in turns */
    unsigned turns;
} bot;

/* Discord, but the requests go to the bench's service, which asks for no token.
 * The host must take it for the real one: others have no doorbell that tells of
 * everything. */
static struct adapter redirected;

static enum advance
redirect(const struct service *service, const struct op *op,
         struct buf *scratch, const struct reply *reply, struct outcome *out,
         struct buf *why)
{
    static const size_t base = sizeof GUILD_BASE - 1;
    enum advance advance =
        adapter_discord.advance(service, op, scratch, reply, out, why);
    struct buf *url = &out->request.url;
    struct buf target = BUF_INIT;
    if (advance == ADVANCE_REQUEST &&
        strncmp(buf_text(url), GUILD_BASE, base) == 0) {
        buf_add_text(&target, buf_text(url) + base);
        buf_clear(url);
        buf_add_text(url, httpd_url(site.httpd));
        buf_add_buf(url, &target);
        buf_release(&target);
        out->request.authorized = false;
    }
    return advance;
}

static double
cpu(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is the other end at work, or has it something to read? */
static bool
is_site_busy(void)
{
    struct pollfd waits[] = {
        {.fd = httpd_descriptor(site.httpd), .events = POLLIN},
        {.fd = site.waker[0], .events = POLLIN}};
    return poll(waits, 2, 0) > 0 || atomic_load(&site.busy);
}

/* Where the host would sleep, its clock jumps, unless the other end has
 * something for it.
 * NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
CURLMcode __real_curl_multi_poll(CURLM *multi, struct curl_waitfd more[],
                                 unsigned count, int timeout, int *ready);
CURLMcode __wrap_curl_multi_poll(CURLM *multi, struct curl_waitfd more[],
                                 unsigned count, int timeout, int *ready);

CURLMcode
__wrap_curl_multi_poll(CURLM *multi, struct curl_waitfd more[], unsigned count,
                       int timeout, int *ready)
{
    int found = 0;
    bool busy = true;
    CURLMcode code = CURLM_OK;
    while (found == 0 && busy) {
        busy = is_site_busy();
        code = __real_curl_multi_poll(
            multi, more, count, busy && timeout > 0 ? GLANCE_MS : 0, &found);
        busy = busy && timeout > 0;
    }
    bot.now += found == 0 ? timeout : 0;
    if (ready != NULL) {
        *ready = found;
    }
    return code;
}
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

/* A turn as `placard run` takes them, with a sleep that ends at `until`. */
static void
take_turn(int64_t until)
{
    struct buf why = BUF_INIT;
    int64_t now = bot.now;
    atomic_store(&site.now, now);
    double begun = cpu();
    bool waits = dispatch_waits(bot.host.dispatch);
    int64_t wake = loop_wake(&bot.host.loop, now);
    wake = wake < until ? wake : until;
    must(loop_turn(&bot.host.loop, now, waits ? wake - now : 0, &why), &why);
    bot.used += cpu() - begun;
    bot.turns++;
    if (!waits) {
        bot.now = wake;
    }
}

/* All that is to be done until a time. */
static void
host_until(int64_t until)
{
    while (bot.now < until) {
        take_turn(until);
    }
}

/* Somebody posts, and the gateway tells of it. */
static void
post(const char *who, const char *text)
{
    uint64_t channel = strtoull(GUILD_CHANNEL, NULL, 10);
    (void)pthread_mutex_lock(&site.lock);
    const struct fake_discord_message *message =
        fake_discord_post(site.discord, who, channel, text, bot.now);
    atomic_store(&site.newest, message->id);
    (void)pthread_mutex_unlock(&site.lock);
    if (write(site.waker[1], "", 1) != 1) {
        die("the bench's service is gone");
    }
}

static const char *const people[PLAYERS] = {"Anna", "Ben", "Carl", "Dora",
                                            "Emil"};

/* A game in the channel, up to its first question. */
static void
open_game(void)
{
    char text[32];
    (void)snprintf(text, sizeof text, "!new players=%d", PLAYERS);
    post("Mo", text);
    for (unsigned i = 0; i < PLAYERS; i++) {
        host_until(bot.now + MINUTE_MS);
        post(people[i], "!join");
    }
    host_until(bot.now + 5 * MINUTE_MS);
    if (bot.host.tables.hosted.count != 1 ||
        bot.host.tables.hosted.list[0]->table.state != TABLE_RUNNING) {
        die("the bench's game has not begun");
    }
}

static void
bot_open(const char *folder)
{
    struct buf text = BUF_INIT, why = BUF_INIT;
    char conf[160];
    static char store[160];
    (void)snprintf(conf, sizeof conf, "%s/placard.cfg", folder);
    (void)snprintf(store, sizeof store, "%s/store.db", folder);
    (void)setenv("PLACARD_BENCH_TOKEN", GUILD_TOKEN, 1);
    store_writes_count(store);
    buf_addf(&text,
             "store = \"store.db\";\nready_check = \"off\";\n"
             "services = ( { name = \"discord\"; token_env = "
             "\"PLACARD_BENCH_TOKEN\"; } );\n"
             "places = ( { name = \"parlour\"; service = \"discord\"; "
             "address = \"%s\"; thread = \"here\"; moderators = [ \"%s\" ]; "
             "} );\n",
             GUILD_PLACE, fake_discord_user(site.discord, "Mo"));
    must(file_write(conf, buf_text(&text), text.len, 0600, &why), &why);
    must(virtual_host_open(&bot.host, conf, &why), &why);
    buf_release(&text);
    redirected = adapter_discord;
    redirected.advance = redirect;
    bot.host.tables.services.list[0].adapter = &redirected;
    bot.now = GUILD_START;
    host_until(bot.now + MINUTE_MS);
    open_game();
}

/* ---- the rows ------------------------------------------------------------ */

static size_t
count_own(void)
{
    size_t count = 0;
    (void)pthread_mutex_lock(&site.lock);
    for (size_t i = 0; i < fake_discord_count(site.discord); i++) {
        count += fake_discord_at(site.discord, i)->author[0] == '\0';
    }
    (void)pthread_mutex_unlock(&site.lock);
    return count;
}

struct posting {
    bool asleep; /* the host takes no turns meanwhile: it finds all at once */
    struct store_writes writes; /* of the last run, for all its posts */
    size_t requests;
    unsigned turns;
};

/* What people say; one post in so many asks the host for something. */
static void
chat(const struct posting *posting)
{
    static const char talk[] = "I do not believe a word of what you say, and "
                               "whoever does should look at the votes again.";
    char text[160];
    for (unsigned i = 0; i < POSTS; i++) {
        bool asks =
            i % (POSTS / ANSWERS) == 0 && i / (POSTS / ANSWERS) < ANSWERS;
        (void)snprintf(text, sizeof text, "%u: %s", i, talk);
        post(asks ? "Mo" : people[i % PLAYERS], asks ? "!help" : text);
        if (posting->asleep) {
            bot.now += APART_MS;
        } else {
            host_until(bot.now + APART_MS);
        }
    }
    host_until(bot.now + MINUTE_MS);
    if (atomic_load(&site.read) < atomic_load(&site.newest)) {
        die("the bench's host has not read all posts");
    }
}

static double
host_posts(void *context)
{
    struct posting *posting = context;
    struct store_writes before = *store_writes();
    size_t own = count_own();
    forget_talks();
    double begun = bot.used;
    bot.turns = 0;
    chat(posting);
    if (count_own() < own + ANSWERS) {
        die("the bench's host has answered %zu posts of %d", count_own() - own,
            ANSWERS);
    }
    posting->turns = bot.turns;
    posting->requests = site.talk_count;
    posting->writes.bytes = store_writes()->bytes - before.bytes;
    posting->writes.syncs = store_writes()->syncs - before.syncs;
    return bot.used - begun;
}

static size_t
take_bytes(char *bytes, size_t size, size_t count, void *context)
{
    buf_add(context, bytes, size * count);
    return size * count;
}

static void
ask_barely(CURL *easy, const struct talk *talk, struct buf *reply)
{
    struct buf url = BUF_INIT;
    bool body = strcmp(talk->method, "GET") != 0;
    buf_addf(&url, "%s%s", httpd_url(site.httpd), talk->target);
    buf_clear(reply);
    (void)curl_easy_setopt(easy, CURLOPT_URL, buf_text(&url));
    if (body) {
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, talk->body);
    } else {
        (void)curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L);
    }
    (void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, talk->method);
    if (curl_easy_perform(easy) != CURLE_OK) {
        die("the bench's service does not answer");
    }
    json_object_put(json_tokener_parse(buf_text(reply)));
    buf_release(&url);
}

/* The same requests with libcurl alone, one after the other on one connection,
 * and json-c for the replies. */
static double
ask_for_posts(void *context)
{
    struct buf reply = BUF_INIT;
    (void)context;
    site.replays = true;
    site.replayed = 0;
    double begun = cpu();
    CURL *easy = curl_easy_init();
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, &reply);
    for (size_t i = 0; i < site.talk_count; i++) {
        ask_barely(easy, &site.talks[i], &reply);
    }
    curl_easy_cleanup(easy);
    double took = cpu() - begun;
    buf_release(&reply);
    return took;
}

static void
measure(const char *how, bool asleep)
{
    struct posting posting = {.asleep = asleep};
    char row[64];
    (void)snprintf(row, sizeof row, "1,000 posts %s, 31 answers, s", how);
    double took = bench_compare(row, host_posts, ask_for_posts, &posting,
                                "libcurl and json-c");
    (void)snprintf(row, sizeof row, "%s: beside the goal, s", how);
    bench_limit(row, took, GOAL, "the goal");
    (void)snprintf(row, sizeof row, "%s: requests", how);
    bench_alone(row, (double)posting.requests,
                "syncs of the store: ", posting.writes.syncs);
    (void)snprintf(row, sizeof row, "%s: turns of the loop", how);
    bench_alone(row, (double)posting.turns, "posts: ", POSTS);
    (void)snprintf(row, sizeof row, "%s: bytes written for a post", how);
    bench_alone(row, posting.writes.bytes / POSTS, "posts: ", POSTS);
}

int
main(int argc, char **argv)
{
    const char *part = getenv("PLACARD_BENCH");
    if (argc != 2) {
        die("the bench needs a folder for its files: make bench gives it one");
    }
    if (part != NULL && strcmp(part, "over_http") != 0) {
        return EXIT_SUCCESS;
    }
    log_set_level(LOG_LEVEL_WARNING);
    bench_heading("Over HTTP on loopback");
    site_open();
    bot_open(argv[1]);
    measure("at once", true);
    measure("one by one", false);
    virtual_host_close(&bot.host);
    site_close();
    return EXIT_SUCCESS;
}
