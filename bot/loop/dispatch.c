#include "bot/loop/dispatch.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/http/http.h"

enum job_state {
    JOB_READY,    /* its next turn can be taken */
    JOB_AWAITING, /* its request is with a transport */
    JOB_PARKED,   /* it would log in, but another does so */
    JOB_DONE,     /* its delivery waits to be fetched */
};

/* One errand on its way.  Its texts are copies in one block. */
struct job {
    struct job *next;
    const struct service *service;
    struct errand errand;
    struct buf texts;
    struct buf picture;
    struct note *notes;
    const char **rings;
    struct buf work; /* the adapter's */
    enum job_state state;
    uint64_t number; /* rises in the order in which they were taken on */
    int turns;
    bool answered; /* `reply` is the one to its last request */
    bool
        unauthorized; /* that was 401, though there was a token to go with it */
    struct reply reply;
    struct buf body, headers, trouble; /* the reply's */
    struct delivery delivery;
};

/*
 * What carries the requests of one scheme.  carry() takes the request of a job
 * whose state is JOB_AWAITING; once the reply is there (before carry returns,
 * or later) the transport fills job->reply, whose texts are in the job's
 * buffers, and calls job_answered; or it fails the job.
 */
struct transport {
    const char *scheme;
    void (*carry)(struct courier *courier, struct job *job, int64_t now);
};

/* Where accounts of a service log in. */
struct entrance {
    struct entrance *next;
    char service[64];
    const struct job *inside; /* the one that logs in; NULL: none */
    uint64_t refused;         /* up to this number all jobs were refused */
    enum refused how;
    struct buf why;
};

struct courier {
    struct entrance *entrances;
    uint64_t submitted;
    struct board *board;
    struct http *http; /* NULL: not needed yet */
    int waker;
    struct job *first, *last; /* in the order in which they were taken on */
    unsigned busy;
    struct job *done_first, *done_last; /* in the order in which they ended */
};

/* ---- jobs ---------------------------------------------------------------- */

static void
job_free(struct job *job)
{
    /* A letter may hold a role or a hand. */
    buf_wipe(&job->texts);
    buf_wipe(&job->work);
    buf_release(&job->picture);
    buf_wipe(&job->body);
    buf_wipe(&job->headers);
    buf_release(&job->trouble);
    /* A note may be a token, and lies in the outcome, too. */
    if (job->notes != NULL) {
        wipe(job->notes, job->errand.note_count * sizeof(*job->notes));
    }
    free(job->notes);
    free(job->rings);
    delivery_release(&job->delivery);
    wipe(job, sizeof(*job));
    free(job);
}

/* Append a text with its NUL. */
static void
copy_text(struct job *job, const char *text)
{
    if (text != NULL) {
        buf_add_text(&job->texts, text);
    }
    buf_add_char(&job->texts, '\0');
}

/* Take the text at `*at` of the block, and go on to the next. */
static const char *
next_text(const struct job *job, size_t *at)
{
    const char *text = job->texts.data + *at;

    *at += strlen(text) + 1;
    return text;
}

static void
copy_texts(struct job *job, const struct errand *errand)
{
    struct errand *copy = &job->errand;
    const char **const texts[] = {
        &copy->feed,        &copy->cursor, &copy->place, &copy->post,
        &copy->user,        &copy->text,   &copy->key,   &copy->picture.caption,
        &copy->picture.page};
    enum {
        TEXTS = sizeof(texts) / sizeof(texts[0])
    };
    unsigned count = errand->rings.count;
    size_t at = 0;

    for (size_t i = 0; i < TEXTS; i++) {
        copy_text(job, *texts[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        copy_text(job, errand->rings.users[i]);
    }
    /* The block stands still only now. */
    for (size_t i = 0; i < TEXTS; i++) {
        *texts[i] = next_text(job, &at);
    }
    job->rings = count > 0 ? must_alloc(count * sizeof(*job->rings)) : NULL;
    for (unsigned i = 0; i < count; i++) {
        job->rings[i] = next_text(job, &at);
    }
    copy->rings.users = job->rings;
}

static void
copy_errand(struct job *job, const struct errand *errand)
{
    job->errand = *errand;
    copy_texts(job, errand);
    if (errand->note_count > 0) {
        size_t size = errand->note_count * sizeof(*job->notes);

        job->notes = must_alloc(size);
        memcpy(job->notes, errand->notes, size);
    }
    job->errand.notes = job->notes;
    if (errand->picture.bytes != NULL) {
        buf_add(&job->picture, errand->picture.bytes, errand->picture.len);
        job->errand.picture.bytes = (unsigned char *)job->picture.data;
    }
}

/* Does a password read like a word?  A sentence of ours may have that word, so
 * it is hidden in what the service said, and there alone (outcome_refused). */
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
hide_secrets(struct courier *courier, struct job *job)
{
    struct buf *why = &job->delivery.why;

    if (courier->http != NULL && why->len > 0) {
        http_hide_token(courier->http, job->service->name, why);
    }
    if (job->service->password != NULL && !is_word(job->service->password)) {
        buf_hide(why, job->service->password);
    }
}

/* The entrance of a job's service; NULL: nobody has logged in there. */
static struct entrance *
entrance_of(const struct courier *courier, const struct job *job)
{
    struct entrance *entrance = courier->entrances;

    while (entrance != NULL &&
           strcmp(entrance->service, job->service->name) != 0) {
        entrance = entrance->next;
    }
    return entrance;
}

static struct entrance *
open_entrance(struct courier *courier, const struct job *job)
{
    struct entrance *entrance = entrance_of(courier, job);

    if (entrance == NULL) {
        entrance = must_alloc(sizeof(*entrance));
        memcpy(entrance->service, job->service->name,
               sizeof(entrance->service));
        entrance->next = courier->entrances;
        courier->entrances = entrance;
    }
    return entrance;
}

/* A job has ended, or asks for something else by now.  If it was refused, so
 * are all that have begun by then. */
static void
leave_entrance(struct courier *courier, const struct job *job, bool refused)
{
    struct entrance *entrance = entrance_of(courier, job);

    if (entrance == NULL || entrance->inside != job) {
        return;
    }
    entrance->inside = NULL;
    if (refused) {
        entrance->refused = courier->submitted;
        entrance->how = job->delivery.outcome.refused;
        buf_clear(&entrance->why);
        buf_add_buf(&entrance->why, &job->delivery.why);
    }
}

static void
job_done(struct courier *courier, struct job *job)
{
    hide_secrets(courier, job);
    job->state = JOB_DONE;
    job->delivery.err = job->delivery.outcome.err;
    const struct outcome *outcome = &job->delivery.outcome;
    bool locked_out = outcome->err == ERR_DENIED && outcome->request.login;
    bool refused = locked_out || (outcome->err == ERR_DENIED &&
                                  (outcome->refused == REFUSED_ACCOUNT ||
                                   outcome->refused == REFUSED_LOGIN));
    job->delivery.unauthorized =
        (job->unauthorized || refused) && job->delivery.err != ERR_NONE;
    job->delivery.locked_out = locked_out;
    leave_entrance(courier, job, locked_out);
    request_clear(&job->delivery.outcome.request);
    job->next = NULL;
    if (courier->done_last != NULL) {
        courier->done_last->next = job;
    } else {
        courier->done_first = job;
    }
    courier->done_last = job;
    courier->busy--;
}

static void
job_fail(struct courier *courier, struct job *job, enum err err,
         const char *sentence)
{
    outcome_fail(&job->delivery.outcome, &job->delivery.why, err, "%s: %s",
                 job->service->name, sentence);
    job_done(courier, job);
}

/* May a job log in now?  It waits while another does, and fails as that has
 * failed. */
static bool
may_enter(struct courier *courier, struct job *job)
{
    struct entrance *entrance = open_entrance(courier, job);
    struct delivery *delivery = &job->delivery;

    if (entrance->inside == job) {
        return true;
    }
    if (job->number <= entrance->refused) {
        delivery->outcome.err = ERR_DENIED;
        delivery->outcome.refused = entrance->how;
        buf_clear(&delivery->why);
        buf_add_buf(&delivery->why, &entrance->why);
        job_done(courier, job);
        return false;
    }
    if (entrance->inside != NULL) {
        job->state = JOB_PARKED;
        return false;
    }
    entrance->inside = job;
    return true;
}

static void
job_answered(struct job *job)
{
    assert(job->state == JOB_AWAITING);
    job->answered = true;
    job->unauthorized =
        job->reply.status == 401 && job->delivery.outcome.request.authorized;
    job->state = JOB_READY;
}

/* ---- transports ---------------------------------------------------------- */

static void
board_carry(struct courier *courier, struct job *job, int64_t now)
{
    if (courier->board == NULL) {
        job_fail(courier, job, ERR_CONFIG, "no board is open");
        return;
    }
    board_serve(courier->board, BOARD_HOST, now, &job->delivery.outcome.request,
                &job->body, &job->reply);
    job_answered(job);
}

static struct http *
client(struct courier *courier)
{
    if (courier->http == NULL) {
        courier->http = http_new();
    }
    return courier->http;
}

static void
http_carry(struct courier *courier, struct job *job, int64_t now)
{
    struct buf why = BUF_INIT;

    if (http_ask(client(courier), job->service, &job->delivery.outcome.request,
                 job, now, &why) != ERR_NONE) {
        job_fail(courier, job, ERR_CONFIG, buf_text(&why));
    }
    buf_release(&why);
}

/* Take in the replies that came. */
static void
http_take(struct courier *courier, int64_t now)
{
    struct http_result result;

    http_work(courier->http, now);
    while (http_next(courier->http, &result)) {
        struct job *job = result.owner;
        buf_wipe(&job->body);
        buf_wipe(&job->headers);
        buf_release(&job->trouble);
        job->reply = result.reply;
        job->body = result.body;
        job->headers = result.headers;
        job->trouble = result.trouble;
        job_answered(job);
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

/* Give a job's request to the transport of its scheme. */
static void
job_ask(struct courier *courier, struct job *job, int64_t now)
{
    const struct request *request = &job->delivery.outcome.request;
    const struct transport *transport = transport_find(buf_text(&request->url));

    if (!request->login) {
        leave_entrance(courier, job, false);
    } else if (!may_enter(courier, job)) {
        return;
    }
    if (transport == NULL) {
        job_fail(courier, job, ERR_CONFIG,
                 "its address has a scheme that nothing here can reach");
    } else if (job->turns > TURNS_MAX) {
        job_fail(courier, job, ERR_GARBLED,
                 "an errand did not end; too many requests");
    } else {
        job->state = JOB_AWAITING;
        transport->carry(courier, job, now);
    }
}

/* Take turns of a job for as long as its replies come at once. */
static void
job_run(struct courier *courier, struct job *job, int64_t now)
{
    struct outcome *out = &job->delivery.outcome;
    struct buf *why = &job->delivery.why;

    if (job->state == JOB_PARKED) {
        job_ask(courier, job, now);
    }
    while (job->state == JOB_READY) {
        bool login = out->request.login;

        request_clear(&out->request);
        job->turns++;
        switch (job->service->adapter->turn(
            job->service, &job->errand, &job->work,
            job->answered ? &job->reply : NULL, out, why)) {
        case TURN_REQUEST:
            job_ask(courier, job, now);
            break;
        case TURN_DONE:
            out->err = ERR_NONE;
            page_finish(&out->page);
            job_done(courier, job);
            break;
        case TURN_FAILED:
            assert(out->err != ERR_NONE);
            out->request.login = login;
            job_done(courier, job);
            break;
        }
    }
}

/* ---- the courier --------------------------------------------------------- */

struct courier *
courier_new(struct board *board)
{
    struct courier *courier = must_alloc(sizeof(*courier));

    courier->board = board;
    courier->waker = -1;
    return courier;
}

static void
free_jobs(struct job *job)
{
    while (job != NULL) {
        struct job *next = job->next;

        job_free(job);
        job = next;
    }
}

void
courier_free(struct courier *courier)
{
    if (courier != NULL) {
        /* First: its requests lie in the jobs. */
        http_free(courier->http);
        free_jobs(courier->first);
        free_jobs(courier->done_first);
        while (courier->entrances != NULL) {
            struct entrance *entrance = courier->entrances;

            courier->entrances = entrance->next;
            buf_release(&entrance->why);
            free(entrance);
        }
        free(courier);
    }
}

void
courier_set_token(struct courier *courier, const char *service,
                  const char *token)
{
    http_set_token(client(courier), service, token);
}

void
courier_wake_by(struct courier *courier, int descriptor)
{
    courier->waker = descriptor;
}

void
courier_submit(struct courier *courier, const struct service *service,
               const struct errand *errand, int64_t ticket)
{
    struct job *job = must_alloc(sizeof(*job));

    job->service = service;
    job->number = ++courier->submitted;
    copy_errand(job, errand);
    buf_init(&job->body, REPLY_MAX);
    buf_init(&job->work, ADAPTER_WORK_MAX);
    job->delivery.ticket = ticket;
    job->delivery.kind = errand->kind;
    if (courier->last != NULL) {
        courier->last->next = job;
    } else {
        courier->first = job;
    }
    courier->last = job;
    courier->busy++;
}

/* Run every job that is ready; those that end leave the list. */
static void
run_ready(struct courier *courier, int64_t now)
{
    struct job *job = courier->first;

    courier->first = NULL;
    courier->last = NULL;
    while (job != NULL) {
        struct job *next = job->next;

        job->next = NULL;
        job_run(courier, job, now);
        if (job->state != JOB_DONE) {
            if (courier->last != NULL) {
                courier->last->next = job;
            } else {
                courier->first = job;
            }
            courier->last = job;
        }
        job = next;
    }
}

static bool
is_ready(const struct courier *courier, const struct job *job)
{
    const struct entrance *entrance =
        job->state == JOB_PARKED ? entrance_of(courier, job) : NULL;

    return job->state == JOB_READY ||
           (entrance != NULL && entrance->inside == NULL);
}

/* Can a job go on at once? */
static bool
has_ready(const struct courier *courier)
{
    const struct job *job = courier->first;

    while (job != NULL && !is_ready(courier, job)) {
        job = job->next;
    }
    return job != NULL;
}

void
courier_work(struct courier *courier, int64_t now, int64_t patience)
{
    /* What is new asks before anything is sent: it may be more urgent than what
     * has waited for the same moment.  And a reply is heard at the time at
     * which it came: what it says to wait begins then. */
    do {
        run_ready(courier, now);
        if (courier->http != NULL) {
            http_take(courier, now);
        }
    } while (has_ready(courier));
    if (courier->http != NULL && courier->busy > 0 &&
        courier->done_first == NULL) {
        http_wait(courier->http, now, patience, courier->waker);
    }
}

bool
courier_next(struct courier *courier, struct delivery *delivery)
{
    struct job *job = courier->done_first;

    if (job == NULL) {
        return false;
    }
    courier->done_first = job->next;
    if (courier->done_first == NULL) {
        courier->done_last = NULL;
    }
    *delivery = job->delivery;
    wipe(&job->delivery, sizeof(job->delivery));
    job_free(job);
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
courier_busy(const struct courier *courier)
{
    return courier->busy;
}
