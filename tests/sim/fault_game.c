#include <setjmp.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/base/memory.h"
#include "bot/base/splitmix.h"
#include "bot/host/table/outbox.h"
#include "bot/store/store_copied.h"
#include "bot/store/store_inner.h"
#include "tests/bench/fake_curl.h"
#include "tests/bench/fake_gateway.h"
#include "tests/sim/fault_checks.h"
#include "tests/sim/fault_older.h"
#include "tests/sim/fault_pages.h"
#include "tests/sim/fault_people.h"
#include "tests/sim/fault_places.h"
#include "tests/sim/fault_recording.h"
#include "tests/sim/fault_twins.h"
#include "tests/sim/fault_world.h"
#include "tests/support/fault_disk.h"
#include "tests/support/httpd.h"
#include "tests/support/recordings.h"
#include "tests/support/virtual_host.h"

enum {
    STARTS_MAX = 3,  /* that the disk may spoil, one after the other */
    STILL_TURNS = 4, /* at one time, then it goes on by a millisecond */
    THERE_MS = 25,
    BACK_MS = 35,
    GATEWAY_MS = 60,
    REQUEST_TIMEOUT_MS = 30000,
    CALM_MS = 10000,
};

#define SOON_MS   (15 * MINUTE_MS) /* after a start: it may still catch up */
#define LINGER_MS (2 * HOUR_MS)    /* after the end: nothing comes twice */
/* The longest that the host believes it is to wait, and how much longer it does
 * (bot/loop/asking.c). */
#define BELIEVED_MS (18 * MINUTE_MS)
#define STUCK_MS    (8 * DAY_MS) /* without a new post: nothing comes */
#define LONGEST_MS  (120 * DAY_MS)

/* What the service answers for a while. */
struct spell {
    enum fault_kind kind;
    int64_t until;
    unsigned status, one_in;
};

static struct {
    struct virtual_host host;
    struct catalogues catalogues; /* of all hosts: reading them takes long */
    struct fake_line line;
    struct spell spell;
    int64_t full_until;    /* the disk */
    int64_t written;       /* of twins: when it was, last */
    int64_t limited_until; /* the host was told to wait for very long */
    int64_t next_jump;     /* of a clock */
    int64_t next_act;      /* of the operator */
    int64_t next_break;    /* of the gateway */
    bool ends;         /* the host, for something is done while it is down */
    int64_t copied;    /* when a backup was made, by the host's clock; 0: no */
    bool before_cards; /* … it is older than the games */
    unsigned tables;   /* … and so many had been asked for by then */
    bool puts_back;    /* it is put in the place of the store */
    bool upgrades;     /* the store is of an earlier format */
    struct twin {      /* a host with the same token and a copy of the store */
        int64_t until; /* 0: there is none */
        int64_t next;  /* when it and the first take turns */
        bool begun;    /* it has its copy */
        bool acts;     /* the first is cut off */
    } twin;
    char secret[320];   /* that the host is started with */
    unsigned secrets;   /* so many there were before the service's */
    int64_t token_told; /* when the host is told the service's; 0: it knows */
    unsigned still;
    bool runs, opened;
    int64_t started;      /* the host, last */
    int64_t died[2];      /* at a write: the last times */
    bool soon;            /* … and soon after it was started */
    unsigned failed;      /* starts in a row */
    enum fault_kind dies; /* as soon as it may; FAULT_KINDS: no */
    jmp_buf death;
    char token[400], conf[400], store[400], backup[416];
    char other_conf[400], other_store[400]; /* of who is cut off */
} game;

/* ---- the disk -------------------------------------------------------------
 */

static void
die_of(enum fault_kind kind)
{
    game.dies = kind;
    game.soon = world.now < game.started + SOON_MS;
    game.died[1] = game.died[0];
    game.died[0] = world.now;
    longjmp(game.death, 1);
}

/* A host that dies three times in one place leaves it alone from then on, for
 * it can't tell that this is nobody's fault but ours. */
static bool
may_die(void)
{
    bool again = game.soon && world.now < game.started + SOON_MS;
    return game.died[1] == 0 ||
           (!again && world.now > game.died[1] + DAY_MS / 4);
}

/* Twins write at the same moments, but not the same number of pages: that
 * depends on keys, which are random.  So their disk is struck at a moment's
 * first write, by dice of that moment. */
static bool
throws_dice_now(void)
{
    if (world.now == game.written) {
        return false;
    }
    game.written = world.now;
    world_about("moment", "", (unsigned)world.now, (unsigned)(world.now >> 32));
    return true;
}

static int
watch_disk(void *context, bool sync)
{
    (void)context;
    if (!game.runs || (!game.opened && game.failed >= STARTS_MAX)) {
        return SQLITE_OK; /* a start that upgrades the store writes much */
    }
    world_about_write(sync);
    if (world.plan->twin != 0 && !throws_dice_now()) {
        return !sync && world.spoiled && world.now < game.full_until
                   ? SQLITE_FULL
                   : SQLITE_OK;
    }
    if (may_die() && world_strikes(FAULT_KILL_WRITE)) {
        die_of(FAULT_KILL_WRITE);
    }
    if (may_die() && world_strikes(FAULT_POWER)) {
        die_of(FAULT_POWER);
    }
    if (world_strikes(FAULT_DISK_FULL)) {
        game.full_until =
            world.now + (int64_t)world_dice(FAULT_DISK_FULL, HOUR_MS);
    }
    if (!sync && world.spoiled && world.now < game.full_until) {
        return SQLITE_FULL;
    }
    if (world_strikes(FAULT_DISK_ERROR)) {
        return sync ? SQLITE_IOERR_FSYNC : SQLITE_IOERR_WRITE;
    }
    return SQLITE_OK;
}

/* ---- the network ----------------------------------------------------------
 */

static void
answer(struct buf *body, struct reply *reply, int status, const char *headers,
       const char *text)
{
    buf_clear(body);
    buf_add_text(body, text);
    *reply = (struct reply){.status = status,
                            .retry_after = -1,
                            .headers = headers,
                            .body = buf_text(body),
                            .len = body->len};
}

/* A while in which the service does not answer as it should begins. */
static void
begin_spell(enum fault_kind kind, unsigned status)
{
    /* Mostly short, at times for half a day. */
    int64_t most = world_dice(kind, 8) == 0 ? 6 * HOUR_MS : 5 * MINUTE_MS;
    game.spell = (struct spell){
        .kind = kind,
        .until = world.now + (int64_t)world_dice(kind, (unsigned)most),
        .status = status,
        .one_in = 1 + world_dice(kind, 2)};
    world_tell("--- %s (%u), one in %u, for %lld s", fault_names[kind], status,
               game.spell.one_in,
               (long long)(game.spell.until - world.now) / SECOND_MS);
}

static void
cast_spell(void)
{
    static const unsigned broken[] = {500, 502, 503, 504, 520};
    static const unsigned denied[] = {401, 403};
    if (world_strikes(FAULT_DOWN)) {
        begin_spell(FAULT_DOWN, 0);
    } else if (world_strikes(FAULT_BROKEN)) {
        begin_spell(FAULT_BROKEN, broken[world_dice(FAULT_BROKEN, 5)]);
    } else if (world_strikes(FAULT_DENIED)) {
        begin_spell(FAULT_DENIED, denied[world_dice(FAULT_DENIED, 2)]);
    } else if (world_strikes(FAULT_MISSING)) {
        begin_spell(FAULT_MISSING, 404);
    } else if (world_strikes(FAULT_LIMITED)) {
        begin_spell(FAULT_LIMITED, 429);
    }
}

/* True: a spell has answered, or (reply->status 0) broken the connection. */
static bool
is_spellbound(struct buf *body, struct reply *reply)
{
    enum {
        A_DAY = 3,
        FOR_EVER = 4
    };
    static const char *const waits[] = {
        "",
        "retry-after: 0\n",
        "retry-after: 3\n",
        [A_DAY] = "retry-after: 86400\n",
        [FOR_EVER] = "retry-after: 99999999999999999999\n",
        "retry-after: -5\n",
        "retry-after: soon\n",
        "retry-after: Thu, 01 Jan 1970 00:00:00 GMT\n"};
    const struct spell *spell = &game.spell;
    if (world.spoiled && world.now < spell->until) {
        world.troubled = world.now;
    }
    if (!world.spoiled || world.now >= spell->until ||
        world_dice(spell->kind, spell->one_in) != 0) {
        return false;
    }
    unsigned wait =
        spell->kind == FAULT_LIMITED ? world_dice(FAULT_LIMITED, 8) : 0;
    if (wait == A_DAY || wait == FOR_EVER) {
        game.limited_until = world.now + BELIEVED_MS;
    }
    answer(body, reply, (int)spell->status, waits[wait],
           world_dice(spell->kind, 2) == 0
               ? "<html><body><h1>Sorry</h1></body></html>"
               : "");
    return true;
}

/* Replies to GET, by what was asked. */
struct kept_reply {
    struct kept_reply *next;
    char *url, *headers, *body;
    size_t len;
    int status;
};
static struct kept_reply *kept_replies;

static struct kept_reply *
kept_reply(const char *url)
{
    struct kept_reply *at = kept_replies;
    while (at != NULL && strcmp(at->url, url) != 0) {
        at = at->next;
    }
    return at;
}

static char *
copy(const char *text, size_t len)
{
    char *copied = must_alloc(len + 1);
    memcpy(copied, text, len);
    return copied;
}

static void
keep_reply(const char *url, const struct buf *body, const struct reply *reply)
{
    struct kept_reply *kept = kept_reply(url);
    if (kept == NULL) {
        kept = must_alloc(sizeof *kept);
        kept->url = copy(url, strlen(url));
        kept->next = kept_replies;
        kept_replies = kept;
    }
    free(kept->headers);
    free(kept->body);
    kept->headers = copy(reply->headers, strlen(reply->headers));
    kept->body = copy(buf_text(body), body->len);
    kept->len = body->len;
    kept->status = reply->status;
}

static void
forget_replies(void)
{
    while (kept_replies != NULL) {
        struct kept_reply *kept = kept_replies;
        kept_replies = kept->next;
        free(kept->url);
        free(kept->headers);
        free(kept->body);
        free(kept);
    }
}

/* Something on the way answers with what was true a while ago. */
static bool
is_stale(const struct request *request, struct buf *body, struct reply *reply)
{
    const struct kept_reply *kept =
        strcmp(request->method, "GET") == 0 && world.spoiled
            ? kept_reply(buf_text(&request->url))
            : NULL;
    if (kept == NULL || !world_strikes(FAULT_STALE_REPLY)) {
        return false;
    }
    buf_clear(body);
    buf_add(body, kept->body, kept->len);
    *reply = (struct reply){.status = kept->status,
                            .retry_after = -1,
                            .headers = kept->headers,
                            .body = buf_text(body),
                            .len = body->len};
    return true;
}

/* A clock that is no clock. */
static void
add_absurd_date(struct buf *headers)
{
    static const char *const dates[] = {
        "date: soon\n", "date: Thu, 01 Jan 1970 00:00:00 GMT\n",
        "date: Fri, 31 Dec 9999 23:59:59 GMT\n", ""};
    unsigned which = world_dice(FAULT_DATE, 6);
    if (which < 4) {
        buf_add_text(headers, dates[which]);
    } else {
        int64_t most = which == 4 ? DAY_MS : HOUR_MS;
        int64_t off = (int64_t)world_dice(FAULT_DATE, (unsigned)most);
        httpd_add_date(world_service_now() + off - most / 2, headers);
    }
}

/* The same reply, with what tells its time, and with the rest of its body
 * lost. */
static void
finish(const struct request *request, struct buf *body, struct reply *reply)
{
    static struct buf headers;
    buf_clear(&headers);
    buf_add_text(&headers, reply->headers == NULL ? "" : reply->headers);
    if (world_strikes(FAULT_DATE)) {
        add_absurd_date(&headers);
    } else if (reply->date != 0) {
        httpd_add_date(world_service_now(), &headers);
    }
    reply->headers = buf_text(&headers);
    if (world.plan->one_in[FAULT_STALE_REPLY] > 0 &&
        strcmp(request->method, "GET") == 0) {
        keep_reply(buf_text(&request->url), body, reply);
    }
    if (world_strikes(FAULT_CUT_REPLY) && body->len > 0) {
        buf_truncate(body, world_dice(FAULT_CUT_REPLY, (unsigned)body->len));
    }
}

/* A token stands in one header, a password in the form that asks for it. */
static void
check_request(const struct request *request)
{
    const char *secret = world.people.service->secret;
    const char *url = buf_text(&request->url);
    bool login = strstr(url, "login") != NULL;
    if (strstr(url, secret) != NULL ||
        (!login && strstr(buf_text(&request->body), secret) != NULL)) {
        world_fail("a secret is sent to %s", url);
    }
}

static bool
serve(void *context, int64_t now, const struct request *request,
      struct buf *body, struct reply *reply)
{
    const struct fake_people *people_there = context;
    (void)now;
    world.tally.requests++;
    check_request(request);
    fault_twins_note(request);
    /* A spell is one for all: it is of the moment, not of a request. */
    world_about("spells", "", (unsigned)(world.now / MINUTE_MS), 0);
    cast_spell();
    world_about_request(request);
    if (is_spellbound(body, reply)) {
        return reply->status != 0;
    }
    if (!request->authorized && game.token_told != 0) {
        answer(body, reply, 401, "content-type: application/json\n",
               "{\"errcode\":\"M_UNKNOWN_TOKEN\",\"message\":\"401: "
               "Unauthorized\",\"error\":\"Invalid access token passed.\"}");
        return true;
    }
    if (world_strikes(FAULT_LOST_REQUEST)) {
        return false;
    }
    if (world_strikes(FAULT_KILL_BEFORE)) {
        game.dies = FAULT_KILL_BEFORE;
        return false;
    }
    if (world_strikes(FAULT_STRANGE_REPLY)) {
        answer(body, reply, 200, "content-type: text/html\n",
               "<html><body>Please sign in to the network.</body></html>");
        return true;
    }
    if (is_stale(request, body, reply)) {
        return true;
    }
    if (fault_places_refuse(request, body, reply)) {
        world.troubled = world.now;
        finish(request, body, reply);
        return true;
    }
    if (world_strikes(FAULT_STORM)) {
        people_there->service->storm(people_there->server,
                                     1 + world_dice(FAULT_STORM, 12));
    }
    people_there->service->serve(people_there->server, world_service_now(),
                                 request, body, reply);
    if (strcmp(request->method, "GET") != 0) {
        /* A place that can't be entered is tried for ever. */
        bool enters = strstr(buf_text(&request->url), "/join/") != NULL;
        world.stirred = enters ? world.stirred : world.now;
        if (strcmp(request->method, "POST") == 0) {
            forget_replies(); /* who has written sees that it was */
        }
        world_tell("%s %s: %d", request->method, buf_text(&request->url),
                   reply->status);
        fault_rooms_note(buf_text(&request->url), reply->status,
                         buf_text(body));
    }
    fault_pages_disarrange(request, body, reply);
    finish(request, body, reply);
    if (world_strikes(FAULT_KILL_BEHIND)) {
        game.dies = FAULT_KILL_BEHIND;
    }
    if (world_strikes(FAULT_LATE_REPLY)) {
        int64_t late = (int64_t)world_dice(FAULT_LATE_REPLY, MINUTE_MS);
        game.line.late = late < REQUEST_TIMEOUT_MS ? late : REQUEST_TIMEOUT_MS;
        return late < REQUEST_TIMEOUT_MS;
    }
    return !world_strikes(FAULT_LOST_REPLY);
}

static bool
holds(void *context, int64_t now, const char *url, int64_t begun)
{
    const struct fake_people *there = context;
    return there->service->holds(there->server, now, url, begun);
}

/* ---- the host -------------------------------------------------------------
 */

static void
write_conf(const char *path, const char *store)
{
    const struct fake_service *service = world.people.service;
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    struct buf names = BUF_INIT;
    unsigned count = world.plan->two_moderators ? MODERATORS : 1;
    for (unsigned i = 0; i < count; i++) {
        buf_add_text(&names, i == 0 ? "\"" : ", \"");
        service->user(world.people.server, moderators[i], &names);
        buf_add_text(&names, "\"");
    }
    buf_addf(
        &text,
        "store = \"%s\";\nkey_file = \"placard.db.key\";\n"
        "services = ( { name = \"%s\"; url = \"%s\"; "
        "token_env = \"PLACARD_TEST_TOKEN\"; doorbell = \"%s\"; "
        "%s%s%s } );\n"
        "places = ( { name = \"parlour\"; service = \"%s\"; "
        "address = \"%s\"; moderators = [ %s ]; "
        "thread = \"new\"; } );\n"
        "misses = 0;\nstyle = \"full\";\n",
        store, service->adapter, service->base, world.plan->bell ? "on" : "off",
        world.plan->buttons ? "buttons = \"on\"; " : "",
        world.plan->commands ? "commands = \"on\"; " : "", service->account,
        service->adapter, service->address, buf_text(&names));
    if (world.plan->lazy) {
        buf_add_text(&text, "election = \"2h\";\nnomination = \"1h\";\n"
                            "president = \"1h\";\nchancellor = \"1h\";\n"
                            "power = \"1h\";\n");
    }
    if (file_write(path, buf_text(&text), text.len, 0600, &why) != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
    buf_release(&text);
    buf_release(&names);
}

/* The host that had the store is dead, or has ended. */
static void
leave_lock(bool died)
{
    char path[512];
    struct buf why = BUF_INIT;
    (void)snprintf(path, sizeof path, "%s.lock", game.store);
    (void)unlink(path);
    if (file_write(path, "1\n", died ? 2 : 0, 0600, &why) != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
}

static int64_t
host_now(void)
{
    return world.now + world.skew;
}

/* A host that has died leaves what it had in memory. */
static void
bury_host(void)
{
    bool power = game.dies == FAULT_POWER;
    world_tell("--- the host is dead: %s", fault_names[game.dies]);
    world.misled += world.skew > HOUR_MS;
    game.runs = game.opened = false;
    fake_curl_drop(world_dice(game.dies, 2) == 0);
    uint64_t chance = world_chance(FAULT_POWER);
    fault_disk_kill(power, &chance);
    memset(&game.host, 0, sizeof game.host);
    leave_lock(true);
    game.dies = FAULT_KINDS;
}

/* It has ended by itself: where its disk is to blame, it is started again. */
static void
end_host(struct buf *why)
{
    world_tell("--- the host has ended: %s", buf_text(why));
    log_line(LOG_LEVEL_ERROR, "%s", buf_text(why));
    if (!world.spoiled || (world.plan->one_in[FAULT_DISK_FULL] == 0 &&
                           world.plan->one_in[FAULT_DISK_ERROR] == 0)) {
        world_fail("the host has ended: %s", buf_text(why));
    }
    virtual_host_close(&game.host);
    game.runs = game.opened = false;
}

/* The service has another token from now on. */
static void
change_token(void)
{
    const char *form =
        adapter_find(world.people.service->adapter)->token_header;
    const char *hole = form == NULL ? NULL : strstr(form, "%s");
    char suffix[16] = "";
    if (hole == NULL) {
        return; /* it is a password */
    }
    if (game.secrets > 0) {
        (void)snprintf(suffix, sizeof suffix, "%u", game.secrets);
    }
    (void)snprintf(game.token, sizeof game.token, "%.*s%s%s",
                   (int)(hole - form), form, world.people.service->secret,
                   suffix);
}

static void
learn_token(void)
{
    (void)snprintf(game.secret, sizeof game.secret, "%s",
                   world.people.service->secret);
    if (game.secrets > 0) {
        size_t len = strlen(game.secret);
        (void)snprintf(game.secret + len, sizeof game.secret - len, "%u",
                       game.secrets);
    }
    game.token_told = 0;
}

static void
mark_copied(int64_t at)
{
    struct buf why = BUF_INIT;
    struct db *db = NULL;
    enum err err = store_open_db(game.store, DB_WRITE, &db, &why);
    if (err == ERR_NONE) {
        store_mark_copied(db, STORE_FORMAT, at);
        err = db_err(db, &why);
    }
    if (err != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
    db_close(db);
}

static void
put_back(void)
{
    game.puts_back = false;
    /* Nobody puts back one that does not know of the games. */
    if (game.copied == 0 || game.tables != fault_people_asked_for() ||
        (game.before_cards && fault_people_have_cards())) {
        world_tell("--- a backup is made");
        fault_disk_copy(game.store, game.backup);
        game.copied = host_now();
        game.before_cards = !fault_people_have_cards();
        game.tables = fault_people_asked_for();
    } else {
        world_tell("--- the backup is put back");
        fault_disk_copy(game.backup, game.store);
        mark_copied(game.copied);
        world.restored = true;
        world.copies++;
        game.copied = 0;
    }
}

/* The host that was stopped was an older one. */
static void
upgrade(void)
{
    int formats = STORE_FORMAT - FAULT_OLDEST;
    int format =
        FAULT_OLDEST + (int)world_dice(FAULT_UPGRADE, (unsigned)formats);
    world_tell("--- the store is of format %d", format);
    fault_older_make(game.store, format);
    game.upgrades = false;
}

static void
swap_texts(char one[400], char other[400])
{
    char kept[400];
    memcpy(kept, one, sizeof kept);
    memcpy(one, other, sizeof kept);
    memcpy(other, kept, sizeof kept);
}

/* The first host and its twin take turns at the service.  Neither knows of the
 * other, so what time and chance decide both decide; but neither tells what is
 * not theirs to hear. */
static void
take_turns(void)
{
    bool over = world.now >= game.twin.until || !world.spoiled;
    if (!game.twin.acts && over) {
        memset(&game.twin, 0, sizeof game.twin);
        return;
    }
    if (!game.twin.begun) {
        game.twin.begun = world.restored = true;
        world.copies++;
        fault_disk_copy(game.store, game.other_store);
    }
    game.twin.acts = !game.twin.acts;
    game.twin.next =
        world.now + 1 + (int64_t)world_dice(FAULT_TWIN, 20 * MINUTE_MS);
    swap_texts(game.conf, game.other_conf);
    swap_texts(game.store, game.other_store);
    world_tell("--- %s acts", game.twin.acts ? "the twin" : "the first host");
}

/* It is stopped, and started by the next turn. */
static void
stop_host(void)
{
    world_tell("--- the host is stopped");
    world_about("stops", "", fault_people_rounds(), 0);
    fake_curl_drop(world_dice(FAULT_RESTART, 2) == 0);
    virtual_host_close(&game.host);
    fault_twins_ask(game.conf);
    game.opened = game.ends = false;
    if (world.now >= game.token_told) {
        learn_token();
    }
    if (game.puts_back) {
        put_back();
    }
    if (game.upgrades && game.twin.until == 0) {
        upgrade();
    }
    if (game.twin.until != 0 && world.now >= game.twin.next) {
        take_turns();
    }
}

/* Weeks are long: the host looks for what is new every other minute, and
 * pictures take long to draw. */
static void
spare_work(bool opened)
{
    static struct adapter seldom;
    if (opened) {
        struct service *service = &game.host.tables.services.list[0];
        seldom = *service->adapter;
        if (seldom.capabilities.pause > SECOND_MS) {
            seldom.capabilities.pause = 2 * MINUTE_MS;
        }
        seldom.capabilities.uploads &= world.plan->pictures;
        service->adapter = &seldom;
    }
}

/* Open it, or take a turn; it may die of either. */
static void
take_turn(void)
{
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    if (setjmp(game.death) != 0) {
        bury_host();
        return;
    }
    game.runs = true;
    if (!game.opened) {
        world.tally.starts++;
        game.started = world.now;
        game.failed++;
        /* It is taken out of the environment as it is read. */
        (void)setenv("PLACARD_TEST_TOKEN", game.secret, 1);
        fake_curl_open(&game.line);
        fake_gateway_open(GATEWAY_MS);
        game.host.lent = &game.catalogues;
        game.host.dealer = fault_twins_dealer();
        err = virtual_host_open(&game.host, game.conf, &why);
        game.host.sleeps = true;
        spare_work(err == ERR_NONE);
        game.opened = err == ERR_NONE;
        game.failed = game.opened ? 0 : game.failed;
        world.stirred = world.now;
    } else {
        world.tally.turns++;
        err = virtual_host_turn(&game.host, host_now(), &why);
    }
    if (err != ERR_NONE) {
        end_host(&why);
    } else {
        fault_twins_look(&game.host.tables);
    }
    game.runs = false;
    buf_release(&why);
}

/* ---- time -----------------------------------------------------------------
 */

static int64_t
earlier(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int64_t
later(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

/* Until when the host sleeps; see tests/bench/month.c. */
static int64_t
wake_of_host(void)
{
    if (!game.opened) {
        /* RestartSec of its unit; a disk stays full for longer. */
        bool full = world.spoiled && world.now < game.full_until;
        return world.now + (full ? MINUTE_MS : 5 * SECOND_MS);
    }
    int64_t polled = fake_curl_polled();
    int64_t wake = game.host.wake - world.skew;
    if (polled > 0 && polled < wake) {
        wake = polled;
    }
    if (polled == 0 && game.host.busy > 0) {
        wake = world.now;
    }
    if (wake > world.now) {
        game.still = 0;
        return wake;
    }
    return ++game.still < STILL_TURNS ? world.now : world.now + 1;
}

/* A clock jumps, ahead or back, seldom by `far`, or is set right. */
static void
jump(enum fault_kind kind, int64_t far, const char *whose, int64_t *skew)
{
    if (world_strikes(kind)) {
        int64_t most = world_dice(kind, 3) == 0 ? far : 10 * MINUTE_MS;
        *skew = (int64_t)world_dice(kind, (unsigned)most) - most / 2;
        *skew = world_dice(kind, 3) == 0 ? 0 : *skew;
        world_tell("--- the %s's clock is %lld s ahead", whose,
                   (long long)(*skew / SECOND_MS));
    }
}

/* Where time is short, the service's clock takes nobody's whole time away. */
static void
jump_clocks(void)
{
    if (world.skew != 0 || world.service_skew != 0) {
        world.troubled = world.now;
    }
    int64_t far = world.plan->lazy ? HOUR_MS / 2 : 6 * HOUR_MS;
    if (world.now >= game.next_jump) {
        game.next_jump = world.now + MINUTE_MS;
        jump(FAULT_CLOCK, 3 * DAY_MS, "host", &world.skew);
        jump(FAULT_SERVICE_CLOCK, far, "service", &world.service_skew);
    }
}

/* Somebody starts another host while the first one runs: it finds the store
 * taken, and ends. */
static void
start_second(void)
{
    static struct virtual_host second;
    struct buf why = BUF_INIT;
    if (!game.opened) {
        return;
    }
    (void)setenv("PLACARD_TEST_TOKEN", game.secret, 1);
    if (virtual_host_open(&second, game.conf, &why) != ERR_DENIED ||
        strstr(buf_text(&why), "another placard") == NULL) {
        world_fail("a second host was started: %s", buf_text(&why));
    }
    conf_release(&second.conf);
    secrets_release(&second.secrets);
    buf_release(&why);
}

/* What an operator does, once a minute. */
static void
operate(void)
{
    if (world.now < game.next_act) {
        return;
    }
    game.next_act = world.now + MINUTE_MS;
    if (world_strikes(FAULT_RESTART)) {
        game.ends = true;
    }
    if (world_strikes(FAULT_RESTORE)) {
        game.ends = game.puts_back = true;
    }
    if (world_strikes(FAULT_UPGRADE)) {
        game.ends = game.upgrades = true;
    }
    if (world_strikes(FAULT_SECOND)) {
        start_second();
    }
    if (game.twin.until == 0 && world_strikes(FAULT_TWIN)) {
        game.twin.until =
            world.now + (int64_t)world_dice(FAULT_TWIN, 6 * HOUR_MS);
    }
    if (game.twin.until != 0 && world.now >= game.twin.next) {
        game.ends = true;
    }
    if (game.token_told == 0 && game.line.token_header != NULL &&
        world_strikes(FAULT_TOKEN)) {
        game.secrets++;
        change_token();
        game.token_told =
            world.now + (int64_t)world_dice(FAULT_TOKEN, 2 * HOUR_MS);
    }
    if (game.token_told != 0 &&
        (world.now >= game.token_told || !world.spoiled)) {
        game.token_told = world.now;
        game.ends = true;
    }
}

static void
set_spoiled(void)
{
    int64_t since = world.now - WORLD_START;
    bool spoiled = since >= world.plan->from && since < world.plan->until &&
                   fault_people_begun() && !fault_people_are_done() &&
                   (!world.plan->compared || fault_people_have_cards());
    if (world.spoiled && !spoiled) {
        world_tell("--- all is well from now on");
        world.skew = world.service_skew = 0;
    }
    world.spoiled = spoiled;
}

/* Let Discord's gateway tell of what is new, or lose it. */
static void
ring(void)
{
    if (!world.plan->bell) {
        return;
    }
    if (world.now >= game.next_break) {
        game.next_break = world.now + MINUTE_MS;
        if (world_strikes(FAULT_BELL)) {
            fake_gateway_break(world_dice(FAULT_BELL, 2) == 0, world.now);
            world.stirred = world.now; /* the host is not kept from it */
        }
    }
    fake_gateway_tell(world.people.server, world.now);
}

/* When the gateway wakes the host. */
static int64_t
bell_rings(void)
{
    int64_t next = game.opened ? fake_gateway_next() : INT64_MAX;
    return next > world.now ? next : world.now + 100;
}

/* Is a message looked for, page by page? */
static bool
is_searching(void)
{
    const struct outbox *outbox = &game.host.tables.outbox;
    bool searching = outbox_flies(outbox, 0);
    for (size_t i = 0; !searching && i < outbox->count; i++) {
        searching = outbox->list[i]->cursor != NULL;
    }
    return searching;
}

/* Where nothing has happened for a while, the host finds nothing new: it is
 * woken as if the machine were busy with something else.  But while a message
 * is under way it takes no nap: to look for one it reads a topic page by page,
 * and after a restore it looks for dozens.  Nor does it nap between beginning
 * an operation and sending its request, where the loop never sleeps: a press
 * would be acknowledged too late, and a probe that is due again after each nap
 * would keep it from reading for ever. */
static int64_t
nap(int64_t since, int64_t earliest)
{
    bool begins = game.host.busy > 0 && earliest <= since + 1;
    bool calm = game.opened && !begins &&
                world.now > WORLD_START + world.plan->awake &&
                world.now > world.stirred + CALM_MS && !is_searching();
    return calm ? since + world.plan->nap : 0;
}

/* While the host sleeps people act, and requests come to the service. */
static void
sleep_until(int64_t earliest)
{
    int64_t since = world.now;
    for (;;) {
        int64_t wake = later(earliest, nap(since, earliest));
        int64_t people_act = fault_people_act();
        int64_t next = earlier(people_act, fake_curl_next_request());
        int64_t woken = earlier(wake, fake_curl_next_reply());
        woken = earlier(woken, bell_rings());
        int64_t then = earlier(woken, next);
        world.now = then > world.now ? then : world.now;
        set_spoiled();
        world_about("minute", "", fault_people_rounds(), 0);
        jump_clocks();
        operate();
        fake_curl_tell(world.now);
        world_about("bell", "", fault_people_rounds(), 0);
        ring();
        if (game.opened && game.dies != FAULT_KINDS) {
            bury_host();
            return;
        }
        if (!game.opened || game.token_told != 0 ||
            world.now < game.limited_until) {
            world.troubled = world.now;
        }
        if (woken <= next || game.ends) {
            return;
        }
    }
}

/* A host that is dead is started again after a while, mostly soon. */
static void
stay_down(int64_t now)
{
    bool long_one = world_hash(1, world.tally.starts, 0, 0) % 8 == 0;
    int64_t most = long_one ? 10 * HOUR_MS : MINUTE_MS;
    sleep_until(now + (int64_t)(world_hash(2, world.tally.starts, 0, 0) %
                                (uint64_t)most));
}

static void
take_turn_and_sleep(void)
{
    take_turn();
    if (!game.opened) {
        stay_down(world.now);
        return;
    }
    sleep_until(wake_of_host());
    if (game.ends && game.opened) {
        stop_host();
    }
}

/* Has nothing been heard for so long that nothing will be? */
static bool
is_stuck(void)
{
    return world.now > fault_people_heard() + STUCK_MS + world.plan->until ||
           world.now > WORLD_START + LONGEST_MS;
}

static void
pass(void)
{
    int64_t end = 0;
    while (end == 0 || world.now < end) {
        take_turn_and_sleep();
        if (!fault_people_are_done()) {
            end = 0;
        } else if (end == 0) {
            end = world.now + LINGER_MS;
        } else {
            end = later(end, world.stirred + LINGER_MS / 4);
        }
        /* How a game has ended can't be told in a thread that is gone; and Mo,
         * who was told to end it, is not told anew by a copy of the store. */
        if (is_stuck() &&
            (fault_places_one_is_gone() ||
             (world.restored && fault_places_one_is_encrypted()))) {
            return;
        }
        if (is_stuck()) {
            world_fail("the game is stuck");
        }
    }
}

/* ---- the game -------------------------------------------------------------
 */

static const struct fake_service *const services[] = {
    &fake_service_discord, &fake_service_discourse, &fake_service_nodebb,
    &fake_service_phpbb, &fake_service_matrix};

enum {
    SERVICES = sizeof services / sizeof services[0]
};

void
fault_games_prepare(void)
{
    struct settings settings;
    const struct catalogue *catalogue = NULL;
    struct buf why = BUF_INIT;
    settings_defaults(&settings);
    ck_assert_msg(catalogues_open(&game.catalogues, settings.language,
                                  settings.theme, &catalogue, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    for (unsigned i = 0; i < SERVICES; i++) {
        (void)recordings_of(services[i]->adapter);
    }
}

static const struct fake_service *
find_service(const char *name)
{
    for (unsigned i = 0; i < SERVICES; i++) {
        if (strcmp(services[i]->adapter, name) == 0) {
            return services[i];
        }
    }
    world_fail("no service is called %s", name);
}

static void
set_up(const struct fault_plan *plan)
{
    world_begin(plan);
    game.dies = FAULT_KINDS;
    if (!plan->held) {
        recordings_spare();
    }
    const struct fake_service *service = find_service(plan->service);
    world.people = (struct fake_people){service, service->open()};
    fault_pages_begin();
    (void)snprintf(game.conf, sizeof game.conf, "%s/placard.cfg", plan->folder);
    (void)snprintf(game.store, sizeof game.store, "%s/placard.db",
                   plan->folder);
    fault_disk_open(watch_disk, NULL);
    (void)snprintf(game.other_conf, sizeof game.other_conf, "%s/twin.cfg",
                   plan->folder);
    (void)snprintf(game.other_store, sizeof game.other_store, "%s/twin.db",
                   plan->folder);
    write_conf(game.conf, "placard.db");
    write_conf(game.other_conf, "twin.db");
    (void)snprintf(game.backup, sizeof game.backup, "%s.copy", game.store);
    bool token = adapter_find(service->adapter)->token_header != NULL;
    change_token();
    learn_token();
    game.line =
        (struct fake_line){.serve = serve,
                           .holds = service->holds == NULL ? NULL : holds,
                           .context = &world.people,
                           .there = THERE_MS,
                           .back = BACK_MS,
                           .token_header = token ? game.token : NULL};
    log_set_level(plan->verbose                   ? LOG_LEVEL_DEBUG
                  : plan->told || plan->twin != 0 ? LOG_LEVEL_INFO
                                                  : LOG_LEVEL_WARNING);
    if (plan->twin != 0) {
        fault_twins_begin();
    }
    fault_people_come();
}

void
fault_game_play(const struct fault_plan *plan, struct fault_tally *tally)
{
    set_up(plan);
    pass();
    virtual_host_close(&game.host);
    fault_twins_end();
    catalogues_release(&game.catalogues);
    if (plan->recordings != NULL) {
        fault_recording_write(game.store);
    }
    fault_checks(game.store);
    world.tally.lasted = world.now - WORLD_START;
    *tally = world.tally;
}
