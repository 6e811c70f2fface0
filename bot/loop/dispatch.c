#include "bot/loop/dispatch.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/http/http.h"
#include "bot/loop/op_copy.h"

enum {
    SPARE_PART = 60 * 8, /* of a minute's requests: an eighth of a second's */
    NEWS_PART = 60 * 4,
    NEWS_LEAST = 4,
};

enum run_state {
    RUN_READY,    /* it can advance */
    RUN_AWAITING, /* a transport has its request */
    RUN_DELAYED,  /* it would log in, but another one is doing so */
    RUN_DONE,     /* its outcome waits to be fetched */
};

/* An operation under way. */
struct running {
    struct running *next;
    const struct service *service;
    struct usage *usage; /* of the service */
    struct op_copy *copy;
    struct buf scratch; /* the adapter's */
    enum run_state state;
    unsigned char turns; /* one more than ADVANCES_MAX at most */
    bool authorized;     /* its last request is sent with a token, */
    bool login;          /* or is one to log in */
    bool unauthorized;   /* the reply to it was 401, though it was authorized */
    uint64_t number;     /* rises in the order in which they were submitted */
    struct ticket ticket;
    struct http_result *result; /* with the reply to it; NULL: none yet */
    struct delivery *delivery;  /* NULL: nothing has come of it yet */
};

/*
 * What carries the requests of one scheme.  carry() takes the request of a run
 * whose state is RUN_AWAITING.  Once the reply is there (before carry returns,
 * or later), the transport calls run_answered; or it fails the run.
 */
struct transport {
    const char *scheme;
    void (*carry)(struct dispatch *dispatch, struct running *run, int64_t now);
};

/* Which operations share a part of the room. */
enum share {
    SHARE_MANY,  /* feeds, and what is asked of each place */
    SHARE_LOOKS, /* updates feeds */
    SHARE_FEW,   /* messages, and what is asked of a whole service */
    SHARES,
};

/* What is under way at a service.  Its operations log in one after the
 * other. */
struct usage {
    struct usage *next;
    char service[64];
    unsigned busy[SHARES];
    const struct running *login; /* that logs in; NULL: none does */
    uint64_t refused;            /* all runs up to this number were refused */
    enum refused how;
    struct buf why;
    unsigned sent; /* requests, since dispatch_take_left was last called */
};

struct dispatch {
    struct usage *usages;
    uint64_t submitted;
    struct board *board;
    struct http *http; /* NULL: not needed yet */
    int waker;
    struct running *first,
        *last; /* in the order in which they were submitted */
    unsigned busy[SHARES];
    struct running *done_first,
        *done_last; /* in the order in which they ended */
};

/* ---- runs ---------------------------------------------------------------- */

static void
free_delivery(struct running *run)
{
    if (run->delivery != NULL) {
        delivery_release(run->delivery);
        free(run->delivery);
        run->delivery = NULL;
    }
}

/* Most operations have nothing to deliver before their last reply: then no
 * delivery is kept while they wait. */
static void
drop_empty_delivery(struct running *run)
{
    static const size_t size = sizeof(*run->delivery);
    const unsigned char *bytes = (const unsigned char *)run->delivery;
    size_t empty = 0;

    while (empty < size && bytes[empty] == 0) {
        empty++;
    }
    if (empty == size) {
        free_delivery(run);
    }
}

static void
run_free(struct running *run)
{
    op_copy_free(run->copy);
    buf_wipe(&run->scratch);
    http_result_free(run->result);
    free_delivery(run);
    free(run);
}

/* Does a password look like a word?  A sentence of ours may contain that word,
 * so it is hidden only in what the service said (outcome_refused). */
static bool
is_word(const char *password)
{
    while (isalpha((unsigned char)*password)) {
        password++;
    }
    return *password == '\0';
}

/* A service may have repeated what it was told. */
static void
hide_secrets(struct dispatch *dispatch, struct running *run)
{
    struct buf *why = &run->delivery->why;

    if (dispatch->http != NULL && why->len > 0) {
        http_hide_token(dispatch->http, run->service->name, why);
    }
    if (run->service->password != NULL && !is_word(run->service->password)) {
        buf_hide(why, run->service->password);
    }
}

/* ---- how much is under way ----------------------------------------------- */

static enum share
share_of(enum ticket_kind kind)
{
    switch (kind) {
    case TICKET_FEED:
    case TICKET_PLACE:
    case TICKET_MODERATORS:
    case TICKET_TRAIL:
    case TICKET_LENGTHS:
    case TICKET_COMMANDS:
    case TICKET_RIGHT:
        return SHARE_MANY;
    case TICKET_UPDATES:
        return SHARE_LOOKS;
    case TICKET_MESSAGE:
    case TICKET_WHO:
    case TICKET_BELL:
    case TICKET_PRESS:
    case TICKET_PIN:
        break;
    }
    return SHARE_FEW;
}

/* What is under way at a service; NULL: nothing ever was. */
static struct usage *
find_usage(const struct dispatch *dispatch, const struct service *service)
{
    struct usage *usage = dispatch->usages;

    while (usage != NULL && strcmp(usage->service, service->name) != 0) {
        usage = usage->next;
    }
    return usage;
}

static struct usage *
make_usage(struct dispatch *dispatch, const struct service *service)
{
    struct usage *usage = find_usage(dispatch, service);

    if (usage == NULL) {
        usage = must_alloc(sizeof(*usage));
        memcpy(usage->service, service->name, sizeof(usage->service));
        usage->next = dispatch->usages;
        dispatch->usages = usage;
    }
    return usage;
}

/* Add a run to what is under way, or remove it. */
static void
count_run(struct dispatch *dispatch, const struct running *run, int by)
{
    enum share share = share_of(run->ticket.kind);

    run->usage->busy[share] += by;
    dispatch->busy[share] += by;
}

/* How many operations of a share a service has under way. */
static unsigned
busy_at(const struct dispatch *dispatch, const struct service *service,
        enum share share)
{
    const struct usage *usage = find_usage(dispatch, service);

    return usage == NULL ? 0 : usage->busy[share];
}

bool
dispatch_has_room(const struct dispatch *dispatch,
                  const struct service *service, enum ticket_kind kind)
{
    enum share share = share_of(kind);
    unsigned own = busy_at(dispatch, service, share);
    unsigned many = dispatch->busy[SHARE_MANY];

    /* They leave room for urgent messages, and for feeds. */
    if (kind == TICKET_MESSAGE || kind == TICKET_LENGTHS) {
        own *= 2;
    }
    return own + dispatch_busy(dispatch) < OPS_MAX &&
           (share != SHARE_MANY || own + many < OPS_MAX - OPS_RESERVED);
}

/* Is there room, and do fewer of its share wait for the service's rate than a
 * part of a minute's, or than `least`? */
static bool
has_room_within(const struct dispatch *dispatch, const struct service *service,
                enum ticket_kind kind, unsigned part, unsigned least)
{
    unsigned rate = service->adapter->capabilities.rate;
    unsigned most = rate / part > least ? rate / part : least;

    return dispatch_has_room(dispatch, service, kind) &&
           (rate == 0 || busy_at(dispatch, service, share_of(kind)) < most);
}

bool
dispatch_has_room_for_news(const struct dispatch *dispatch,
                           const struct service *service, enum ticket_kind kind)
{
    return has_room_within(dispatch, service, kind, NEWS_PART, NEWS_LEAST);
}

bool
dispatch_has_spare_room(const struct dispatch *dispatch,
                        const struct service *service, enum ticket_kind kind)
{
    return has_room_within(dispatch, service, kind, SPARE_PART, 1);
}

bool
dispatch_has_room_for_urgent(const struct dispatch *dispatch,
                             const struct service *service)
{
    return busy_at(dispatch, service, SHARE_FEW) + dispatch_busy(dispatch) <
           OPS_MAX;
}

/* ---- how runs end ---------------------------------------------------------
 */

/* A run has ended, or now asks for something else.  If it was refused, so are
 * all that have begun by then. */
static void
end_login(struct dispatch *dispatch, const struct running *run, bool refused)
{
    struct usage *usage = run->usage;

    if (usage->login != run) {
        return;
    }
    usage->login = NULL;
    if (refused) {
        usage->refused = dispatch->submitted;
        usage->how = run->delivery->outcome.refused;
        buf_clear(&usage->why);
        buf_add_buf(&usage->why, &run->delivery->why);
    }
}

static void
run_done(struct dispatch *dispatch, struct running *run)
{
    struct delivery *delivery = run->delivery;
    const struct outcome *outcome = &delivery->outcome;

    hide_secrets(dispatch, run);
    run->state = RUN_DONE;
    delivery->ticket = run->ticket;
    delivery->service = run->service;
    delivery->kind = op_copy_read(run->copy).kind;
    delivery->err = outcome->err;
    bool locked_out = outcome->err == ERR_DENIED && run->login;
    bool refused = locked_out || (outcome->err == ERR_DENIED &&
                                  (outcome->refused == REFUSED_ACCOUNT ||
                                   outcome->refused == REFUSED_LOCKED ||
                                   outcome->refused == REFUSED_LOGIN));
    delivery->unauthorized =
        (run->unauthorized || refused) && delivery->err != ERR_NONE;
    delivery->locked_out = locked_out;
    end_login(dispatch, run, locked_out);
    request_clear(&delivery->outcome.request);
    run->next = NULL;
    if (dispatch->done_last != NULL) {
        dispatch->done_last->next = run;
    } else {
        dispatch->done_first = run;
    }
    dispatch->done_last = run;
    count_run(dispatch, run, -1);
}

static void
run_fail(struct dispatch *dispatch, struct running *run, enum err err,
         const char *sentence)
{
    outcome_fail(&run->delivery->outcome, &run->delivery->why, err, "%s: %s",
                 run->service->name, sentence);
    run_done(dispatch, run);
}

/* May a run log in now?  It waits while another one does, and fails if that one
 * has failed. */
static bool
may_log_in(struct dispatch *dispatch, struct running *run)
{
    struct usage *usage = run->usage;
    struct delivery *delivery = run->delivery;

    if (usage->login == run) {
        return true;
    }
    if (run->number <= usage->refused) {
        delivery->outcome.err = ERR_DENIED;
        delivery->outcome.refused = usage->how;
        buf_clear(&delivery->why);
        buf_add_buf(&delivery->why, &usage->why);
        run_done(dispatch, run);
        return false;
    }
    if (usage->login != NULL) {
        run->state = RUN_DELAYED;
        return false;
    }
    usage->login = run;
    return true;
}

/* Give a run the reply to its request, which is taken. */
static void
run_answered(struct running *run, struct http_result *result)
{
    assert(run->state == RUN_AWAITING && run->result == NULL);
    run->result = result;
    run->unauthorized = result->reply.status == 401 && run->authorized;
    run->state = RUN_READY;
}

/* ---- transports ---------------------------------------------------------- */

static void
board_carry(struct dispatch *dispatch, struct running *run, int64_t now)
{
    if (dispatch->board == NULL) {
        run_fail(dispatch, run, ERR_CONFIG, "no board is open");
        return;
    }
    struct http_result *result = must_alloc(sizeof(*result));
    buf_init(&result->body, REPLY_MAX);
    board_serve(dispatch->board, BOARD_HOST, now,
                &run->delivery->outcome.request, &result->body, &result->reply);
    run_answered(run, result);
}

static struct http *
client(struct dispatch *dispatch)
{
    if (dispatch->http == NULL) {
        dispatch->http = http_new();
    }
    return dispatch->http;
}

static void
http_carry(struct dispatch *dispatch, struct running *run, int64_t now)
{
    struct buf why = BUF_INIT;

    run->usage->sent++;
    if (http_ask(client(dispatch), run->service,
                 &run->delivery->outcome.request, run, now, &why) != ERR_NONE) {
        run_fail(dispatch, run, ERR_CONFIG, buf_text(&why));
    }
    buf_release(&why);
}

/* Take in the replies that came. */
static void
http_take(struct dispatch *dispatch, int64_t now)
{
    struct http_result *result = NULL;

    http_work(dispatch->http, now);
    while ((result = http_next(dispatch->http)) != NULL) {
        run_answered(result->owner, result);
    }
}

static const struct transport transports[] = {
    {.scheme = "board", .carry = board_carry},
    {.scheme = "https", .carry = http_carry},
    {.scheme = "http", .carry = http_carry},
};

enum {
    TRANSPORTS = sizeof(transports) / sizeof(transports[0])
};

/* The transport of a URL; NULL: none. */
static const struct transport *
transport_find(const char *url)
{
    size_t len = strcspn(url, ":");

    for (size_t i = 0; i < TRANSPORTS; i++) {
        const char *scheme = transports[i].scheme;

        if (url[len] == ':' && strlen(scheme) == len &&
            memcmp(scheme, url, len) == 0) {
            return &transports[i];
        }
    }
    return NULL;
}

/* ---- running ------------------------------------------------------------- */

/* Give a run's request to the transport of its scheme. */
static void
run_ask(struct dispatch *dispatch, struct running *run, int64_t now)
{
    const struct request *request = &run->delivery->outcome.request;
    const struct transport *transport = transport_find(buf_text(&request->url));

    if (!request->login) {
        end_login(dispatch, run, false);
    } else if (!may_log_in(dispatch, run)) {
        return;
    }
    if (transport == NULL) {
        run_fail(dispatch, run, ERR_CONFIG,
                 "its address has a scheme that nothing here can reach");
    } else if (run->turns > ADVANCES_MAX) {
        run_fail(dispatch, run, ERR_GARBLED,
                 "an operation did not end; too many requests");
    } else {
        run->state = RUN_AWAITING;
        transport->carry(dispatch, run, now);
    }
}

/* Let the adapter take its next step. */
static enum advance
run_advance(struct running *run)
{
    struct outcome *out = &run->delivery->outcome;
    struct http_result *result = run->result;
    struct op op = op_copy_read(run->copy);

    request_clear(&out->request);
    run->turns++;
    enum advance advance = run->service->adapter->advance(
        run->service, &op, &run->scratch,
        result == NULL ? NULL : &result->reply, out, &run->delivery->why);
    run->result = NULL;
    http_result_free(result);
    return advance;
}

/* Advance a run for as long as its replies come at once. */
static void
run_go_on(struct dispatch *dispatch, struct running *run, int64_t now)
{
    if (run->state == RUN_DELAYED) {
        run_ask(dispatch, run, now);
    }
    while (run->state == RUN_READY) {
        if (run->delivery == NULL) {
            run->delivery = must_alloc(sizeof(*run->delivery));
        }
        struct outcome *out = &run->delivery->outcome;
        switch (run_advance(run)) {
        case ADVANCE_REQUEST:
            run->authorized = out->request.authorized;
            run->login = out->request.login;
            run_ask(dispatch, run, now);
            break;
        case ADVANCE_DONE:
            out->err = ERR_NONE;
            page_finish(&out->page);
            run_done(dispatch, run);
            break;
        case ADVANCE_FAILED:
            assert(out->err != ERR_NONE);
            run_done(dispatch, run);
            break;
        }
    }
    if (run->state == RUN_AWAITING && run->delivery != NULL) {
        drop_empty_delivery(run);
    }
}

/* ---- the dispatch ---------------------------------------------------------
 */

struct dispatch *
dispatch_new(struct board *board)
{
    struct dispatch *dispatch = must_alloc(sizeof(*dispatch));

    dispatch->board = board;
    dispatch->waker = -1;
    return dispatch;
}

static void
free_runs(struct running *run)
{
    while (run != NULL) {
        struct running *next = run->next;

        run_free(run);
        run = next;
    }
}

void
dispatch_free(struct dispatch *dispatch)
{
    if (dispatch != NULL) {
        /* First: its requests lie in the runs. */
        http_free(dispatch->http);
        free_runs(dispatch->first);
        free_runs(dispatch->done_first);
        while (dispatch->usages != NULL) {
            struct usage *usage = dispatch->usages;

            dispatch->usages = usage->next;
            buf_release(&usage->why);
            free(usage);
        }
        free(dispatch);
    }
}

void
dispatch_set_token(struct dispatch *dispatch, const char *service,
                   const char *token)
{
    http_set_token(client(dispatch), service, token);
}

int64_t
dispatch_take_left(struct dispatch *dispatch, const struct service *service)
{
    struct usage *usage = make_usage(dispatch, service);
    int64_t rate = service->adapter->capabilities.rate;
    int64_t left = rate > usage->sent ? rate - usage->sent : 0;
    int64_t step = rate < 10 ? 1 : rate / 10;

    usage->sent = 0;
    return rate == 0 ? -1 : (left + step - 1) / step * step;
}

void
dispatch_wake_by(struct dispatch *dispatch, int descriptor)
{
    dispatch->waker = descriptor;
}

void
dispatch_submit(struct dispatch *dispatch, const struct service *service,
                const struct op *op, struct ticket ticket)
{
    struct running *run = must_alloc(sizeof(*run));

    assert(dispatch_busy(dispatch) < OPS_MAX);
    run->service = service;
    run->usage = make_usage(dispatch, service);
    run->number = ++dispatch->submitted;
    run->copy = op_copy_new(op);
    buf_init(&run->scratch, ADAPTER_SCRATCH_MAX);
    run->ticket = ticket;
    if (dispatch->last != NULL) {
        dispatch->last->next = run;
    } else {
        dispatch->first = run;
    }
    dispatch->last = run;
    count_run(dispatch, run, 1);
}

/* Run every run that is ready; those that end leave the list. */
static void
run_ready(struct dispatch *dispatch, int64_t now)
{
    struct running *run = dispatch->first;

    dispatch->first = NULL;
    dispatch->last = NULL;
    while (run != NULL) {
        struct running *next = run->next;

        run->next = NULL;
        run_go_on(dispatch, run, now);
        if (run->state != RUN_DONE) {
            if (dispatch->last != NULL) {
                dispatch->last->next = run;
            } else {
                dispatch->first = run;
            }
            dispatch->last = run;
        }
        run = next;
    }
}

static bool
is_ready(const struct running *run)
{
    return run->state == RUN_READY ||
           (run->state == RUN_DELAYED && run->usage->login == NULL);
}

/* Can a run go on at once? */
static bool
has_ready(const struct dispatch *dispatch)
{
    const struct running *run = dispatch->first;

    while (run != NULL && !is_ready(run)) {
        run = run->next;
    }
    return run != NULL;
}

struct web_socket *
dispatch_open_socket(struct dispatch *dispatch, const struct service *service,
                     const char *url, int64_t now, struct buf *why)
{
    return http_open_socket(client(dispatch), service, url, now, why);
}

void
dispatch_send_text(struct dispatch *dispatch, struct web_socket *socket,
                   const struct buf *text, size_t token_at)
{
    http_send_text(dispatch->http, socket, text, token_at);
}

void
dispatch_close_socket(struct dispatch *dispatch, struct web_socket *socket)
{
    http_close_socket(dispatch->http, socket);
}

struct http_stream *
dispatch_open_stream(struct dispatch *dispatch, const struct service *service,
                     struct request *request, const char *delimiter,
                     int64_t now, struct buf *why)
{
    return http_open_stream(client(dispatch), service, request, delimiter, now,
                            why);
}

void
dispatch_close_stream(struct dispatch *dispatch, struct http_stream *stream)
{
    http_close_stream(dispatch->http, stream);
}

bool
dispatch_waits(const struct dispatch *dispatch)
{
    return dispatch->http != NULL &&
           (dispatch_busy(dispatch) > 0 || http_has_sockets(dispatch->http));
}

void
dispatch_work(struct dispatch *dispatch, int64_t now, int64_t patience)
{
    /* What is new makes its requests before anything is sent: it may be more
     * urgent than what has waited for the same moment.  And a reply is taken at
     * the time when it came: the pause that it asks for begins then. */
    do {
        run_ready(dispatch, now);
        if (dispatch->http != NULL) {
            http_take(dispatch, now);
        }
    } while (has_ready(dispatch));
    if (dispatch_waits(dispatch) && dispatch->done_first == NULL) {
        http_wait(dispatch->http, now, patience, dispatch->waker);
    }
}

bool
dispatch_next(struct dispatch *dispatch, struct delivery *delivery)
{
    struct running *run = dispatch->done_first;

    if (run == NULL) {
        return false;
    }
    dispatch->done_first = run->next;
    if (dispatch->done_first == NULL) {
        dispatch->done_last = NULL;
    }
    *delivery = *run->delivery;
    wipe(run->delivery, sizeof(*run->delivery));
    run_free(run);
    return true;
}

void
delivery_release(struct delivery *delivery)
{
    outcome_release(&delivery->outcome);
    buf_release(&delivery->why);
    *delivery = (struct delivery){0};
}

unsigned
dispatch_busy(const struct dispatch *dispatch)
{
    return dispatch->busy[SHARE_MANY] + dispatch->busy[SHARE_LOOKS] +
           dispatch->busy[SHARE_FEW];
}
