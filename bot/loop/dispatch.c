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
    struct usage *usage; /* of its service */
    struct op_copy copy;
    struct buf scratch; /* the adapter's */
    enum run_state state;
    unsigned char turns; /* one more than ADVANCES_MAX at most */
    bool authorized;     /* its last request is sent with a token, */
    bool login;          /* or is one to log in */
    uint64_t number;     /* rises in the order in which they were submitted */
    struct http_result *result; /* with the reply to it; NULL: none yet */
    struct delivery delivery;   /* what has come of it */
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

struct queue {
    struct running *first, *last;
};

struct dispatch {
    struct usage *usages;
    uint64_t submitted;
    struct board *board;
    struct http *http; /* NULL: not needed yet */
    int waker;
    struct queue under_way; /* in the order in which they were submitted */
    struct queue done;      /* in the order in which they ended */
    unsigned busy[SHARES];
};

/* ---- runs ---------------------------------------------------------------- */

static void
queue_add(struct queue *queue, struct running *run)
{
    run->next = NULL;
    if (queue->last != NULL) {
        queue->last->next = run;
    } else {
        queue->first = run;
    }
    queue->last = run;
}

static struct running *
queue_take(struct queue *queue)
{
    struct running *run = queue->first;

    queue->first = run == NULL ? NULL : run->next;
    queue->last = queue->first == NULL ? NULL : queue->last;
    return run;
}

static void
run_free(struct running *run)
{
    op_copy_wipe(&run->copy);
    buf_wipe(&run->scratch);
    http_result_free(run->result);
    delivery_release(&run->delivery);
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
    struct buf *why = &run->delivery.why;

    if (dispatch->http != NULL && why->len > 0) {
        http_hide_token(dispatch->http, run->delivery.service->name, why);
    }
    if (run->delivery.service->password != NULL &&
        !is_word(run->delivery.service->password)) {
        buf_hide(why, run->delivery.service->password);
    }
}

/* ---- how much is under way ----------------------------------------------- */

static enum share
share_of(enum ticket_kind kind)
{
    return kind == TICKET_UPDATES                        ? SHARE_LOOKS
           : kind == TICKET_FEED || kind <= TICKET_ROLES ? SHARE_MANY
                                                         : SHARE_FEW;
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
    enum share share = share_of(run->delivery.ticket.kind);

    run->usage->busy[share] += by;
    dispatch->busy[share] += by;
}

/* How many of its share may wait for a service's rate. */
static unsigned
most_within(const struct service *service, enum dispatch_room room)
{
    unsigned rate = service->adapter->capabilities.rate;
    unsigned part = rate / (room == ROOM_NEWS ? NEWS_PART : SPARE_PART);
    unsigned least = room == ROOM_NEWS ? NEWS_LEAST : 1;

    return rate == 0 || room == ROOM_DUE ? OPS_MAX
           : part > least                ? part
                                         : least;
}

bool
dispatch_has_room(const struct dispatch *dispatch,
                  const struct service *service, enum ticket_kind kind,
                  enum dispatch_room room)
{
    enum share share = share_of(kind);
    const struct usage *usage = find_usage(dispatch, service);
    unsigned own = usage == NULL ? 0 : usage->busy[share];
    unsigned many = dispatch->busy[SHARE_MANY];
    bool within = room == ROOM_URGENT || own < most_within(service, room);

    /* They leave room for urgent messages, and for feeds. */
    if ((kind == TICKET_MESSAGE && room != ROOM_URGENT) ||
        kind == TICKET_LENGTHS) {
        own *= 2;
    }
    return within && own + dispatch_busy(dispatch) < OPS_MAX &&
           (share != SHARE_MANY || own + many < OPS_MAX - OPS_RESERVED);
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
        usage->how = run->delivery.outcome.refused;
        buf_clear(&usage->why);
        buf_add_buf(&usage->why, &run->delivery.why);
    }
}

static void
run_done(struct dispatch *dispatch, struct running *run)
{
    struct delivery *delivery = &run->delivery;
    const struct outcome *outcome = &delivery->outcome;

    hide_secrets(dispatch, run);
    run->state = RUN_DONE;
    delivery->err = outcome->err;
    bool locked_out = outcome->err == ERR_DENIED && run->login;
    bool refused = locked_out || (outcome->err == ERR_DENIED &&
                                  (outcome->refused == REFUSED_ACCOUNT ||
                                   outcome->refused == REFUSED_LOCKED ||
                                   outcome->refused == REFUSED_LOGIN));
    delivery->unauthorized =
        (delivery->unauthorized || refused) && delivery->err != ERR_NONE;
    delivery->locked_out = locked_out;
    end_login(dispatch, run, locked_out);
    request_clear(&delivery->outcome.request);
    queue_add(&dispatch->done, run);
    count_run(dispatch, run, -1);
}

static void
run_fail(struct dispatch *dispatch, struct running *run, enum err err,
         const char *sentence)
{
    outcome_fail(&run->delivery.outcome, &run->delivery.why, err, "%s: %s",
                 run->delivery.service->name, sentence);
    run_done(dispatch, run);
}

/* May a run log in now?  It waits while another one does, and fails if that one
 * has failed. */
static bool
may_log_in(struct dispatch *dispatch, struct running *run)
{
    struct usage *usage = run->usage;
    struct delivery *delivery = &run->delivery;

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
    run->delivery.unauthorized = result->reply.status == 401 && run->authorized;
    run->state = RUN_READY;
}

struct http *
dispatch_http(struct dispatch *dispatch)
{
    if (dispatch->http == NULL) {
        dispatch->http = http_new();
    }
    return dispatch->http;
}

/* ---- transports ---------------------------------------------------------- */

/* Each takes the request of a run whose state is RUN_AWAITING.  Once the reply
 * is there, at once or later, it calls run_answered; or it fails the run. */

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
                &run->delivery.outcome.request, &result->body, &result->reply);
    run_answered(run, result);
}

static void
http_carry(struct dispatch *dispatch, struct running *run, int64_t now)
{
    struct buf why = BUF_INIT;

    run->usage->sent++;
    if (http_ask(dispatch_http(dispatch), run->delivery.service,
                 &run->delivery.outcome.request, run, now, &why) != ERR_NONE) {
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

/* ---- running ------------------------------------------------------------- */

static bool
has_scheme(const struct request *request, const char *scheme)
{
    return strncmp(buf_text(&request->url), scheme, strlen(scheme)) == 0;
}

/* Give a run's request to the transport of its scheme. */
static void
run_ask(struct dispatch *dispatch, struct running *run, int64_t now)
{
    const struct request *request = &run->delivery.outcome.request;
    bool board = has_scheme(request, "board:");

    if (!request->login) {
        end_login(dispatch, run, false);
    } else if (!may_log_in(dispatch, run)) {
        return;
    }
    if (!board && !has_scheme(request, "https:") &&
        !has_scheme(request, "http:")) {
        run_fail(dispatch, run, ERR_CONFIG,
                 "its address has a scheme that nothing here can reach");
    } else if (run->turns > ADVANCES_MAX) {
        run_fail(dispatch, run, ERR_GARBLED,
                 "an operation did not end; too many requests");
    } else {
        run->state = RUN_AWAITING;
        (board ? board_carry : http_carry)(dispatch, run, now);
    }
}

/* Let the adapter take its next step. */
static enum advance
run_advance(struct running *run)
{
    struct outcome *out = &run->delivery.outcome;
    struct http_result *result = run->result;

    request_clear(&out->request);
    run->turns++;
    enum advance advance = run->delivery.service->adapter->advance(
        run->delivery.service, &run->copy.op, &run->scratch,
        result == NULL ? NULL : &result->reply, out, &run->delivery.why);
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
        struct outcome *out = &run->delivery.outcome;
        switch (run_advance(run)) {
        case ADVANCE_REQUEST:
            run->authorized = out->request.authorized;
            run->login = out->request.login;
            run_ask(dispatch, run, now);
            break;
        case ADVANCE_DONE:
            if (!outcome_answers(out, &run->copy.op)) {
                run_fail(dispatch, run, ERR_GARBLED,
                         "a search does not say how far it looked");
                break;
            }
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
free_runs(struct queue *queue)
{
    struct running *run = NULL;

    while ((run = queue_take(queue)) != NULL) {
        run_free(run);
    }
}

void
dispatch_free(struct dispatch *dispatch)
{
    if (dispatch != NULL) {
        /* First: its requests lie in the runs. */
        http_free(dispatch->http);
        free_runs(&dispatch->under_way);
        free_runs(&dispatch->done);
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
    http_set_token(dispatch_http(dispatch), service, token);
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
    run->delivery.service = service;
    run->usage = make_usage(dispatch, service);
    run->number = ++dispatch->submitted;
    op_copy_make(&run->copy, op);
    buf_init(&run->scratch, ADAPTER_SCRATCH_MAX);
    run->delivery.ticket = ticket;
    run->delivery.kind = op->kind;
    queue_add(&dispatch->under_way, run);
    count_run(dispatch, run, 1);
}

/* Run every run that is ready; those that end leave the list. */
static void
run_ready(struct dispatch *dispatch, int64_t now)
{
    struct queue all = dispatch->under_way;
    struct running *run = NULL;

    dispatch->under_way = (struct queue){NULL, NULL};
    while ((run = queue_take(&all)) != NULL) {
        run_go_on(dispatch, run, now);
        if (run->state != RUN_DONE) {
            queue_add(&dispatch->under_way, run);
        }
    }
}

/* Can a run go on at once? */
static bool
has_ready(const struct dispatch *dispatch)
{
    const struct running *run = dispatch->under_way.first;

    while (run != NULL && run->state != RUN_READY &&
           (run->state != RUN_DELAYED || run->usage->login != NULL)) {
        run = run->next;
    }
    return run != NULL;
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
    if (dispatch_waits(dispatch) && dispatch->done.first == NULL) {
        http_wait(dispatch->http, now, patience, dispatch->waker);
    }
}

bool
dispatch_next(struct dispatch *dispatch, struct delivery *delivery)
{
    struct running *run = queue_take(&dispatch->done);

    if (run == NULL) {
        return false;
    }
    *delivery = run->delivery;
    wipe(&run->delivery, sizeof(run->delivery));
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
