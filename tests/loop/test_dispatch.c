/*
 * The dispatch: operations at a real board, at adapters made up here that
 * misbehave, and over HTTP to a server in this process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/loop/dispatch.h"
#include "tests/support/httpd.h"
#include "tests/support/made_up.h"
#include "tests/support/runner.h"

/* A dispatch with a board in a folder of its own. */
struct setup {
    char folder[32];
    char path[64];
    struct board *board;
    struct dispatch *dispatch;
    struct buf why;
};

static void
setup_open(struct setup *setup)
{
    *setup = (struct setup){.folder = "/tmp/placard-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(setup->folder));
    snprintf(setup->path, sizeof(setup->path), "%s/board.db", setup->folder);
    ck_assert_int_eq(board_open(setup->path, true, &setup->board, &setup->why),
                     ERR_NONE);
    setup->dispatch = dispatch_new(setup->board);
}

static void
setup_close(struct setup *setup)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[80];

    dispatch_free(setup->dispatch);
    board_close(setup->board);
    buf_release(&setup->why);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s%s", setup->path, ends[i]);
        (void)unlink(path);
    }
    ck_assert_int_eq(rmdir(setup->folder), 0);
}

static const struct service board_service = {
    .adapter = &adapter_board,
    .name = "board",
    .base = "board:",
    .self = "placard",
};

static void
submit(struct dispatch *dispatch, const struct service *service,
       const struct op *op, int64_t message)
{
    dispatch_submit(
        dispatch, service, op,
        (struct ticket){.kind = TICKET_MESSAGE, .of = {.message = message}});
}

/* Submit, work, and take the one delivery there must be. */
static struct delivery
deliver(struct dispatch *dispatch, const struct service *service,
        const struct op *op)
{
    struct delivery delivery;

    submit(dispatch, service, op, 42);
    ck_assert_uint_eq(dispatch_busy(dispatch), 1);
    dispatch_work(dispatch, 5000, 0);
    ck_assert_uint_eq(dispatch_busy(dispatch), 0);
    ck_assert(dispatch_next(dispatch, &delivery));
    ck_assert_int_eq(delivery.ticket.of.message, 42);
    ck_assert_int_eq(delivery.kind, op->kind);
    ck_assert((delivery.err == ERR_NONE) == (delivery.why.len == 0));
    return delivery;
}

START_TEST(an_operation_at_the_board_is_done_at_once)
{
    struct setup setup;

    setup_open(&setup);
    struct op op = {.kind = OP_WHO};
    struct delivery delivery = deliver(setup.dispatch, &board_service, &op);

    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_str_eq(buf_text(&delivery.outcome.id), "placard");
    delivery_release(&delivery);
    ck_assert(!dispatch_next(setup.dispatch, &delivery));
    setup_close(&setup);
}
END_TEST

START_TEST(posts_are_stamped_with_the_time_that_was_told)
{
    struct setup setup;
    int64_t newest = 0;

    setup_open(&setup);
    struct op op = {.kind = OP_SEND,
                    .place = "thread",
                    .text = "Round one.",
                    .key = "g1-1-0"};
    struct delivery delivery = deliver(setup.dispatch, &board_service, &op);

    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_str_eq(buf_text(&delivery.outcome.id), "1");
    /* What was sent may be secret: nothing of it comes back. */
    ck_assert_uint_eq(delivery.outcome.request.body.len, 0);
    ck_assert_int_eq(board_newest(setup.board, &newest, &setup.why), ERR_NONE);
    ck_assert_int_eq(newest, 5000);
    delivery_release(&delivery);
    setup_close(&setup);
}
END_TEST

START_TEST(what_an_operation_says_is_copied)
{
    struct setup setup;
    struct delivery delivery;
    char text[] = "first";
    char place[] = "thread";
    struct op op = {.kind = OP_SEND, .place = place, .text = text};

    setup_open(&setup);
    submit(setup.dispatch, &board_service, &op, 1);
    memset(text, 'x', sizeof(text) - 1);
    memset(place, 'x', sizeof(place) - 1);
    dispatch_work(setup.dispatch, 5000, 0);
    ck_assert(dispatch_next(setup.dispatch, &delivery));
    ck_assert_int_eq(delivery.err, ERR_NONE);
    delivery_release(&delivery);

    op = (struct op){.kind = OP_READ};
    delivery = deliver(setup.dispatch, &board_service, &op);
    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_uint_eq(delivery.outcome.page.count, 1);
    ck_assert_str_eq(delivery.outcome.page.posts[0].body, "first");
    delivery_release(&delivery);
    setup_close(&setup);
}
END_TEST

START_TEST(deliveries_come_in_order_with_their_tickets)
{
    struct setup setup;
    struct delivery delivery;
    char text[24];
    char id[16];

    setup_open(&setup);
    for (int i = 0; i < OPS_MAX; i++) {
        snprintf(text, sizeof(text), "post %d", i);
        submit(setup.dispatch, &board_service,
               &(struct op){.kind = OP_SEND, .place = "thread", .text = text},
               1000 + i);
    }
    ck_assert_uint_eq(dispatch_busy(setup.dispatch), OPS_MAX);
    ck_assert(!dispatch_next(setup.dispatch, &delivery));
    dispatch_work(setup.dispatch, 5000, 0);
    for (int i = 0; i < OPS_MAX; i++) {
        ck_assert(dispatch_next(setup.dispatch, &delivery));
        snprintf(id, sizeof(id), "%d", i + 1);
        ck_assert_int_eq(delivery.ticket.of.message, 1000 + i);
        ck_assert_str_eq(buf_text(&delivery.outcome.id), id);
        delivery_release(&delivery);
    }
    ck_assert(!dispatch_next(setup.dispatch, &delivery));
    setup_close(&setup);
}
END_TEST

/* Submit as many operations of a service as there is room for. */
static unsigned
fill(struct dispatch *dispatch, const struct service *service,
     enum ticket_kind kind, bool urgent)
{
    unsigned count = 0;

    while (dispatch_has_room(dispatch, service, kind,
                             urgent ? ROOM_URGENT : ROOM_DUE)) {
        dispatch_submit(dispatch, service, &(struct op){.kind = OP_WHO},
                        (struct ticket){.kind = kind});
        count++;
    }
    return count;
}

START_TEST(no_service_and_no_feeds_take_all_the_room)
{
    static const struct {
        unsigned service;
        enum ticket_kind kind;
        bool urgent;
        unsigned count;
    } steps[] = {
        /* Half of what is left for feeds, each time. */
        {0, TICKET_LENGTHS, false, 32},
        {0, TICKET_FEED, false, 16},
        {1, TICKET_FEED, false, 24},
        {2, TICKET_PLACE, false, 12},
        /* Messages have more than that, and urgent ones still more. */
        {0, TICKET_MESSAGE, false, 15},
        {0, TICKET_MESSAGE, true, 7},
        {1, TICKET_WHO, false, 11},
        {2, TICKET_MESSAGE, true, 6},
    };
    struct service services[3] = {board_service, board_service, board_service};
    struct setup setup;
    struct delivery delivery;

    setup_open(&setup);
    for (unsigned i = 0; i < 3; i++) {
        snprintf(services[i].name, sizeof(services[i].name), "%u", i);
    }
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        ck_assert_uint_eq(fill(setup.dispatch, &services[steps[i].service],
                               steps[i].kind, steps[i].urgent),
                          steps[i].count);
    }
    ck_assert_uint_eq(dispatch_busy(setup.dispatch), 123);
    dispatch_work(setup.dispatch, 5000, 0);
    ck_assert_uint_eq(dispatch_busy(setup.dispatch), 0);
    ck_assert_uint_eq(fill(setup.dispatch, &services[0], TICKET_FEED, false),
                      48);
    while (dispatch_next(setup.dispatch, &delivery)) {
        delivery_release(&delivery);
    }
    setup_close(&setup);
}
END_TEST

/* How many fit that are merely due, or are on a list of what is new. */
static unsigned
fill_within(struct setup *setup, const struct service *service, bool news)
{
    unsigned count = 0;

    while (count < 20 &&
           dispatch_has_room(setup->dispatch, service, TICKET_FEED,
                             news ? ROOM_NEWS : ROOM_SPARE)) {
        dispatch_submit(setup->dispatch, service, &(struct op){.kind = OP_WHO},
                        (struct ticket){.kind = TICKET_FEED});
        count++;
    }
    return count;
}

/* It would otherwise hold up what comes next. */
START_TEST(where_requests_have_a_rate_little_that_can_wait_is_under_way)
{
    static const struct {
        unsigned rate, due, news;
    } rates[] = {{0, 20, 0}, {2400, 5, 5}, {40, 1, 3}};
    for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
        struct adapter adapter = adapter_board;
        struct service service = board_service;
        struct setup setup;

        setup_open(&setup);
        adapter.capabilities.rate = rates[i].rate;
        service.adapter = &adapter;
        ck_assert_uint_eq(fill_within(&setup, &service, false), rates[i].due);
        if (rates[i].rate != 0) {
            ck_assert_uint_eq(fill_within(&setup, &service, true),
                              rates[i].news);
        }
        ck_assert(
            dispatch_has_room(setup.dispatch, &service, TICKET_FEED, ROOM_DUE));
        ck_assert(dispatch_has_room(setup.dispatch, &service, TICKET_UPDATES,
                                    ROOM_SPARE));
        setup_close(&setup);
    }
}
END_TEST

START_TEST(with_the_board_alone_nothing_waits)
{
    struct setup setup;
    struct delivery delivery;

    setup_open(&setup);
    /* An hour's patience: were it used up, the test would run out of time. */
    dispatch_work(setup.dispatch, 5000, 3600000);
    submit(setup.dispatch, &board_service, &(struct op){.kind = OP_WHO}, 1);
    dispatch_work(setup.dispatch, 5000, 3600000);
    ck_assert(dispatch_next(setup.dispatch, &delivery));
    delivery_release(&delivery);
    setup_close(&setup);
}
END_TEST

START_TEST(a_failure_is_delivered_with_a_sentence)
{
    struct setup setup;

    setup_open(&setup);
    struct op op = {
        .kind = OP_EDIT, .place = "thread", .post = "77", .text = "x"};
    struct delivery delivery = deliver(setup.dispatch, &board_service, &op);

    ck_assert_int_eq(delivery.err, ERR_GONE);
    ck_assert_str_eq(buf_text(&delivery.why),
                     "board: status 404: there is no such post");
    delivery_release(&delivery);
    setup_close(&setup);
}
END_TEST

START_TEST(without_a_board_its_operations_fail_as_misconfigured)
{
    struct dispatch *dispatch = dispatch_new(NULL);
    struct op op = {.kind = OP_WHO};
    struct delivery delivery = deliver(dispatch, &board_service, &op);

    ck_assert_int_eq(delivery.err, ERR_CONFIG);
    delivery_release(&delivery);
    dispatch_free(dispatch);
}
END_TEST

START_TEST(an_address_that_nothing_carries_is_misconfigured)
{
    static const char *const bases[] = {"gopher://old", "board", "", ":",
                                        "boards:",      "BOARD:"};
    struct setup setup;

    setup_open(&setup);
    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        struct service service = board_service;
        struct op op = {.kind = OP_WHO};

        snprintf(service.base, sizeof(service.base), "%s", bases[i]);
        struct delivery delivery = deliver(setup.dispatch, &service, &op);

        ck_assert_int_eq(delivery.err, ERR_CONFIG);
        ck_assert_uint_eq(delivery.outcome.request.url.len, 0);
        delivery_release(&delivery);
    }
    setup_close(&setup);
}
END_TEST

/* ---- adapters that misbehave --------------------------------------------- */

/* Never content: asks who it is, again and again. */
static enum advance
endless_turn(const struct service *service, const struct op *op,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *why)
{
    (void)op;
    (void)why;

    ck_assert((reply == NULL) == (work->len == 0));
    ck_assert_uint_eq(out->request.url.len, 0);
    ck_assert_str_eq(out->request.method, "");
    buf_add_char(work, '+');
    snprintf(out->request.method, sizeof(out->request.method), "GET");
    buf_addf(&out->request.url, "%s/who", service->base);
    /* What is put into the outcome stays. */
    ck_assert_uint_eq(out->shown.len, work->len - 1);
    buf_add_char(&out->shown, 'x');
    return ADVANCE_REQUEST;
}

static const struct adapter endless = {.name = "endless",
                                       .advance = endless_turn};

START_TEST(an_operation_without_end_is_given_up)
{
    struct service service = {
        .adapter = &endless, .name = "endless", .base = "board:"};
    struct op op = {.kind = OP_WHO};
    struct setup setup;

    setup_open(&setup);
    struct delivery delivery = deliver(setup.dispatch, &service, &op);

    ck_assert_int_eq(delivery.err, ERR_GARBLED);
    ck_assert_uint_eq(delivery.outcome.shown.len, ADVANCES_MAX + 1);
    delivery_release(&delivery);
    setup_close(&setup);
}
END_TEST

/* Looks at how it is called, asks twice, and answers with what it got. */
static enum advance
careful_turn(const struct service *service, const struct op *op,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *why)
{
    (void)why;
    ck_assert_str_eq(op->feed, "");
    ck_assert_str_eq(op->cursor, "");
    ck_assert_str_eq(op->place, "");
    ck_assert_str_eq(op->post, "");
    ck_assert_str_eq(op->user, "");
    ck_assert_str_eq(op->text, "");
    ck_assert_str_eq(op->key, "k");
    ck_assert_uint_eq(op->state_count, 1);
    ck_assert_str_eq(op->states[0].value, "noted");
    ck_assert_uint_eq(op->pings.count, 2);
    ck_assert_str_eq(op->pings.users[0], "anna");
    ck_assert_str_eq(op->pings.users[1], "bob");
    ck_assert_str_eq(op->picture.caption, "the boards");
    ck_assert_str_eq(op->picture.page, "table-1.html");
    ck_assert_uint_eq(op->picture.len, 3);
    ck_assert_mem_eq(op->picture.bytes, "PNG", 3);
    if (reply == NULL) {
        ck_assert_uint_eq(work->len, 0);
        ck_assert_uint_eq(work->max, ADAPTER_SCRATCH_MAX);
    } else {
        ck_assert_int_eq(reply->status, 200);
        buf_add(&out->shown, reply->body, reply->len);
    }
    buf_add_char(work, '+');
    if (work->len == 3) {
        ck_assert(adapter_states_set(&out->states, op->states[0].key,
                                     op->states[0].value));
        return ADVANCE_DONE;
    }
    snprintf(out->request.method, sizeof(out->request.method), "GET");
    buf_addf(&out->request.url, "%s/posts", service->base);
    return ADVANCE_REQUEST;
}

static const struct adapter careful = {.name = "careful",
                                       .advance = careful_turn};

START_TEST(an_operation_of_several_turns_has_its_work_notes_and_replies)
{
    static const char page[] = "{\"posts\":[],\"more\":false,\"time\":5000}";
    struct service service = {
        .adapter = &careful, .name = "careful", .base = "board:"};
    char noted[] = "noted";
    struct adapter_state state = {"device", noted};
    const char *users[] = {"anna", "bob"};
    unsigned char bytes[] = {'P', 'N', 'G'};
    struct op op = {.kind = OP_WHO,
                    .key = "k",
                    .pings = {.users = users, .count = 2},
                    .picture = {.bytes = bytes,
                                .len = sizeof(bytes),
                                .caption = "the boards",
                                .page = "table-1.html"},
                    .states = &state,
                    .state_count = 1};
    struct delivery delivery;
    struct setup setup;
    struct buf twice = BUF_INIT;

    setup_open(&setup);
    submit(setup.dispatch, &service, &op, 1);
    memset(noted, 'x', sizeof(noted));
    state = (struct adapter_state){NULL, NULL};
    memset(bytes, 'x', sizeof(bytes));
    users[0] = "x";
    dispatch_work(setup.dispatch, 5000, 0);
    ck_assert(dispatch_next(setup.dispatch, &delivery));
    ck_assert_int_eq(delivery.err, ERR_NONE);
    buf_addf(&twice, "%s%s", page, page);
    ck_assert_str_eq(buf_text(&delivery.outcome.shown), buf_text(&twice));
    ck_assert_uint_eq(delivery.outcome.states.count, 1);
    ck_assert_str_eq(delivery.outcome.states.list[0].value, "noted");
    buf_release(&twice);
    delivery_release(&delivery);
    setup_close(&setup);
}
END_TEST

START_TEST(operations_and_deliveries_nobody_fetched_are_freed)
{
    struct setup setup;

    setup_open(&setup);
    for (int i = 0; i < 3; i++) {
        submit(setup.dispatch, &board_service, &(struct op){.kind = OP_WHO}, i);
    }
    dispatch_work(setup.dispatch, 5000, 0);
    for (int i = 0; i < 3; i++) {
        submit(setup.dispatch, &board_service, &(struct op){.kind = OP_WHO}, i);
    }
    ck_assert_uint_eq(dispatch_busy(setup.dispatch), 3);
    /* setup_close frees; the sanitizer or valgrind would tell. */
    setup_close(&setup);
    dispatch_free(NULL);
}
END_TEST

/* ---- over HTTP ----------------------------------------------------------- */

/* A dispatch to a service in this process. */
struct way {
    struct httpd *server;
    struct dispatch *dispatch;
    struct service service;
    int64_t now;
};

static void
way_open(struct way *way)
{
    (void)unsetenv("http_proxy");
    *way =
        (struct way){.server = httpd_new(),
                     .dispatch = dispatch_new(NULL),
                     .service = {.adapter = &adapter_made_up, .name = "loft"},
                     .now = 5000};
    snprintf(way->service.base, sizeof(way->service.base), "%s/api",
             httpd_url(way->server));
    dispatch_set_token(way->dispatch, "loft", "s3cret");
    /* Whoever waits for a reply is woken by a request at the server. */
    dispatch_wake_by(way->dispatch, httpd_descriptor(way->server));
}

static void
way_close(struct way *way)
{
    dispatch_free(way->dispatch);
    httpd_free(way->server);
}

static void
way_turn(struct way *way)
{
    dispatch_work(way->dispatch, way->now, 10000);
    httpd_work(way->server, 0);
}

static struct httpd_request *
way_arrive(struct way *way)
{
    struct httpd_request *request = httpd_next(way->server);

    while (request == NULL) {
        way_turn(way);
        request = httpd_next(way->server);
    }
    return request;
}

static struct delivery
way_deliver(struct way *way)
{
    struct delivery delivery;

    while (!dispatch_next(way->dispatch, &delivery)) {
        way_turn(way);
    }
    return delivery;
}

static void
assert_target(const struct httpd_request *request, const char *target)
{
    ck_assert_str_eq(buf_text(&request->target), target);
}

START_TEST(an_operation_over_http_is_done_when_its_reply_is_there)
{
    struct buf value = BUF_INIT;
    struct way way;

    way_open(&way);
    submit(way.dispatch, &way.service,
           &(struct op){.kind = OP_SEND,
                        .place = "a place",
                        .key = "k-1",
                        .text = "Round one."},
           42);
    struct httpd_request *request = way_arrive(&way);
    ck_assert_str_eq(request->method, "POST");
    assert_target(request, "/api/posts?a%20place&k-1");
    ck_assert_str_eq(buf_text(&request->body), "Round one.");
    ck_assert(httpd_header(request, "authorization", &value));
    ck_assert_str_eq(buf_text(&value), "Key s3cret");
    ck_assert_uint_eq(dispatch_busy(way.dispatch), 1);
    httpd_answer(request, 200, "", "post-7");
    struct delivery delivery = way_deliver(&way);
    ck_assert_int_eq(delivery.ticket.of.message, 42);
    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_str_eq(buf_text(&delivery.outcome.id), "post-7");
    ck_assert_uint_eq(dispatch_busy(way.dispatch), 0);
    buf_release(&value);
    delivery_release(&delivery);
    way_close(&way);
}
END_TEST

START_TEST(what_is_left_of_a_rate_is_counted_from_one_look_to_the_next)
{
    struct adapter adapter;
    struct way way;

    way_open(&way);
    ck_assert_int_eq(dispatch_take_left(way.dispatch, &way.service), -1);
    adapter = *way.service.adapter;
    adapter.capabilities.rate = 40;
    adapter.capabilities.burst = 5;
    way.service.adapter = &adapter;
    for (unsigned i = 0; i < 5; i++) {
        submit(way.dispatch, &way.service,
               &(struct op){.kind = OP_SEND, .place = "a place", .key = "k"},
               i);
        httpd_answer(way_arrive(&way), 200, "", "post-7");
        struct delivery delivery = way_deliver(&way);
        delivery_release(&delivery);
    }
    ck_assert_int_eq(dispatch_take_left(way.dispatch, &way.service), 36);
    ck_assert_int_eq(dispatch_take_left(way.dispatch, &way.service), 40);
    way_close(&way);
}
END_TEST

START_TEST(what_a_service_answers_is_what_the_adapter_makes_of_it)
{
    static const struct {
        int status;
        enum err err;
        const char *headers, *body, *why;
    } answers[] = {
        {500, ERR_LATER, "", "oops", "loft: status 500: oops"},
        {404, ERR_GONE, "", "", "loft: status 404"},
        {403, ERR_DENIED, "", "no", "loft: status 403: no"},
        {401, ERR_DENIED, "", "who?", "loft: status 401: who?"},
        {302, ERR_GARBLED, "Location: /x\n", "", "loft: status 302"},
        {200, ERR_GARBLED, "", "<html>", "loft: that is HTML"},
        {429, ERR_LIMITED, "Retry-After: 7\n", "", "loft: status 429"},
        {403, ERR_DENIED, "", "Key s3cret may not",
         "loft: status 403: Key ****** may not"},
    };

    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        struct way way;
        way_open(&way);
        submit(way.dispatch, &way.service,
               &(struct op){.kind = OP_PROBE, .place = "p"}, 1);
        httpd_answer(way_arrive(&way), answers[i].status, answers[i].headers,
                     answers[i].body);
        struct delivery delivery = way_deliver(&way);
        ck_assert_int_eq(delivery.err, answers[i].err);
        ck_assert_str_eq(buf_text(&delivery.why), answers[i].why);
        ck_assert(delivery.unauthorized == (answers[i].status == 401));
        if (answers[i].err == ERR_LIMITED) {
            ck_assert_int_eq(delivery.outcome.wait, 7000);
        }
        delivery_release(&delivery);
        way_close(&way);
    }
}
END_TEST

START_TEST(a_service_that_is_not_there_is_for_later)
{
    struct way way;

    way_open(&way);
    struct httpd *gone = httpd_new();
    snprintf(way.service.base, sizeof(way.service.base), "%s", httpd_url(gone));
    httpd_free(gone);
    submit(way.dispatch, &way.service, &(struct op){.kind = OP_WHO}, 1);
    struct delivery delivery = way_deliver(&way);
    ck_assert_int_eq(delivery.err, ERR_LATER);
    ck_assert_str_eq(buf_text(&delivery.why),
                     "loft: no answer: 127.0.0.1 can't be reached; it is down, "
                     "or elsewhere");
    delivery_release(&delivery);
    way_close(&way);
}
END_TEST

START_TEST(an_address_in_the_clear_is_misconfigured)
{
    struct way way;

    way_open(&way);
    snprintf(way.service.base, sizeof(way.service.base),
             "http://forum.example");
    struct op op = {.kind = OP_WHO};
    struct delivery delivery = deliver(way.dispatch, &way.service, &op);
    ck_assert_int_eq(delivery.err, ERR_CONFIG);
    ck_assert_str_eq(buf_text(&delivery.why),
                     "loft: its address is not encrypted; write one that "
                     "begins with https://");
    delivery_release(&delivery);
    way_close(&way);
}
END_TEST

START_TEST(a_long_poll_waits_while_messages_go)
{
    struct way way;

    way_open(&way);
    submit(way.dispatch, &way.service,
           &(struct op){.kind = OP_READ, .cursor = "c1"}, 1);
    struct httpd_request *poll = way_arrive(&way);
    assert_target(poll, "/api/feed?c1");
    for (int i = 0; i < 10; i++) {
        submit(way.dispatch, &way.service,
               &(struct op){.kind = OP_SEND, .place = "p", .text = "x"},
               100 + i);
        httpd_answer(way_arrive(&way), 200, "", "id");
        struct delivery delivery = way_deliver(&way);
        ck_assert_int_eq(delivery.ticket.of.message, 100 + i);
        delivery_release(&delivery);
    }
    httpd_answer(poll, 200, "", "c2\n9000\n7 p anna 8000 Ja! say I\n");
    struct delivery delivery = way_deliver(&way);
    ck_assert_int_eq(delivery.ticket.of.message, 1);
    ck_assert_str_eq(buf_text(&delivery.outcome.cursor), "c2");
    ck_assert_int_eq(delivery.outcome.through, 9000);
    ck_assert_uint_eq(delivery.outcome.page.count, 1);
    ck_assert_str_eq(delivery.outcome.page.posts[0].body, "Ja! say I");
    delivery_release(&delivery);
    way_close(&way);
}
END_TEST

START_TEST(two_services_of_a_kind_keep_their_tokens_and_limits_apart)
{
    struct buf value = BUF_INIT;
    struct service second;
    struct way way;

    way_open(&way);
    second = way.service;
    snprintf(second.name, sizeof(second.name), "second");
    dispatch_set_token(way.dispatch, "second", "other");
    struct op op = {.kind = OP_WHO};
    submit(way.dispatch, &way.service, &op, 1);
    httpd_answer(way_arrive(&way), 429, "Retry-After: 60\n", "");
    struct delivery delivery = way_deliver(&way);
    delivery_release(&delivery);

    submit(way.dispatch, &way.service, &op, 2);
    submit(way.dispatch, &second, &op, 3);
    struct httpd_request *request = way_arrive(&way);
    ck_assert(httpd_header(request, "authorization", &value));
    ck_assert_str_eq(buf_text(&value), "Key other");
    httpd_answer(request, 200, "", "me");
    delivery = way_deliver(&way);
    ck_assert_int_eq(delivery.ticket.of.message, 3);
    delivery_release(&delivery);
    way.now += 60000;
    httpd_answer(way_arrive(&way), 200, "", "me too");
    delivery = way_deliver(&way);
    ck_assert_int_eq(delivery.ticket.of.message, 2);
    delivery_release(&delivery);
    buf_release(&value);
    way_close(&way);
}
END_TEST

/* A message that was limited is taken up again at the moment at which all that
 * waits at the transport may go. */
START_TEST(when_a_limit_ends_the_urgent_goes_first_though_it_comes_last)
{
    struct op patient = {.kind = OP_DM, .user = "anna"};
    struct op urgent = {.kind = OP_SEND, .place = "p", .text = "x"};
    struct way way;

    way_open(&way);
    submit(way.dispatch, &way.service, &urgent, 1);
    httpd_answer(way_arrive(&way), 429,
                 "Retry-After: 60\nX-RateLimit-Global: true\n", "");
    struct delivery delivery = way_deliver(&way);
    delivery_release(&delivery);
    submit(way.dispatch, &way.service, &patient, 2);
    dispatch_work(way.dispatch, way.now, 0);
    way.now += 59999;
    dispatch_work(way.dispatch, way.now, 0);
    httpd_work(way.server, 0);
    ck_assert_ptr_null(httpd_next(way.server));
    way.now += 1;
    submit(way.dispatch, &way.service, &urgent, 3);
    struct httpd_request *request = way_arrive(&way);
    assert_target(request, "/api/posts?p&");
    httpd_answer(request, 200, "", "id");
    assert_target(way_arrive(&way), "/api/talks?anna");
    way_close(&way);
}
END_TEST

START_TEST(logging_in_takes_two_requests_and_gives_a_token)
{
    struct buf value = BUF_INIT;
    struct adapter_state state = {.key = "secret.token", .value = "old"};
    struct way way;

    way_open(&way);
    way.service.password = "p4ssword";
    snprintf(way.service.user, sizeof(way.service.user), "host");
    submit(way.dispatch, &way.service,
           &(struct op){.kind = OP_WHO, .states = &state, .state_count = 1}, 1);
    struct httpd_request *request = way_arrive(&way);
    assert_target(request, "/api/who");
    httpd_answer(request, 401, "", "no such token");
    request = way_arrive(&way);
    assert_target(request, "/api/login");
    ck_assert_str_eq(buf_text(&request->body), "host\np4ssword");
    ck_assert(!httpd_header(request, "authorization", &value));
    httpd_answer(request, 200, "", "t0ken");
    struct delivery delivery = way_deliver(&way);
    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert(!delivery.unauthorized);
    ck_assert_str_eq(buf_text(&delivery.outcome.id), "host");
    ck_assert_uint_eq(delivery.outcome.states.count, 1);
    ck_assert_str_eq(delivery.outcome.states.list[0].value, "t0ken");
    delivery_release(&delivery);
    way_close(&way);
}
END_TEST

/* Three operations of an account that has to log in, as tickets 1 to 3. */
static struct httpd_request *
begin_logins(struct way *way)
{
    way_open(way);
    way->service.password = "p4ssword";
    snprintf(way->service.user, sizeof(way->service.user), "host");
    for (int ticket = 1; ticket <= 3; ticket++) {
        submit(way->dispatch, &way->service, &(struct op){.kind = OP_WHO},
               ticket);
    }
    struct httpd_request *request = way_arrive(way);
    assert_target(request, "/api/login");
    return request;
}

START_TEST(a_log_in_that_is_refused_is_so_for_all_that_have_begun)
{
    struct way way;
    struct httpd_request *request = begin_logins(&way);

    ck_assert_ptr_null(httpd_next(way.server));
    httpd_answer(request, 401, "", "wrong");
    for (int ticket = 1; ticket <= 3; ticket++) {
        struct delivery delivery = way_deliver(&way);

        ck_assert_int_eq(delivery.ticket.of.message, ticket);
        ck_assert_int_eq(delivery.err, ERR_DENIED);
        ck_assert(delivery.unauthorized && delivery.locked_out);
        ck_assert_str_eq(buf_text(&delivery.why), "loft: status 401: wrong");
        delivery_release(&delivery);
    }
    ck_assert_uint_eq(httpd_count(way.server), 1);
    /* Who begins later may try. */
    submit(way.dispatch, &way.service, &(struct op){.kind = OP_WHO}, 4);
    assert_target(way_arrive(&way), "/api/login");
    way_close(&way);
}
END_TEST

START_TEST(one_operation_at_a_time_logs_in)
{
    struct way way;
    struct httpd_request *request = begin_logins(&way);

    for (int ticket = 1; ticket <= 3; ticket++) {
        ck_assert_ptr_null(httpd_next(way.server));
        httpd_answer(request, 200, "", "t0ken");
        struct delivery delivery = way_deliver(&way);

        ck_assert_int_eq(delivery.ticket.of.message, ticket);
        ck_assert_int_eq(delivery.err, ERR_NONE);
        delivery_release(&delivery);
        request = ticket < 3 ? way_arrive(&way) : NULL;
    }
    ck_assert_uint_eq(dispatch_busy(way.dispatch), 0);
    way_close(&way);
}
END_TEST

START_TEST(a_password_that_is_echoed_is_not_told)
{
    struct way way;

    way_open(&way);
    way.service.password = "p4ssword";
    submit(way.dispatch, &way.service, &(struct op){.kind = OP_WHO}, 1);
    httpd_answer(way_arrive(&way), 403, "", "wrong: p4ssword");
    struct delivery delivery = way_deliver(&way);
    ck_assert_str_eq(buf_text(&delivery.why),
                     "loft: status 403: wrong: ********");
    delivery_release(&delivery);
    way_close(&way);
}
END_TEST

START_TEST(waiting_ends_when_something_else_calls)
{
    struct delivery delivery;
    int bell[2];
    struct way way;

    way_open(&way);
    ck_assert_int_eq(pipe(bell), 0);
    submit(way.dispatch, &way.service, &(struct op){.kind = OP_READ}, 1);
    (void)way_arrive(&way);
    dispatch_wake_by(way.dispatch, bell[0]);
    ck_assert_int_eq(write(bell[1], "!", 1), 1);
    /* An hour's patience: were it used up, the test would run out of time. */
    dispatch_work(way.dispatch, way.now, 3600000);
    ck_assert(!dispatch_next(way.dispatch, &delivery));
    dispatch_wake_by(way.dispatch, -1);
    (void)close(bell[0]);
    (void)close(bell[1]);
    way_close(&way);
}
END_TEST

START_TEST(operations_under_way_are_broken_off_at_the_end)
{
    struct way way;

    way_open(&way);
    for (int i = 0; i < 20; i++) {
        submit(way.dispatch, &way.service, &(struct op){.kind = OP_READ}, i);
        submit(way.dispatch, &way.service, &(struct op){.kind = OP_WHO}, i);
    }
    (void)way_arrive(&way);
    way_close(&way);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/dispatch");
    TCase *tcase = tcase_create("dispatch");

    tcase_add_test(tcase, an_operation_at_the_board_is_done_at_once);
    tcase_add_test(tcase, posts_are_stamped_with_the_time_that_was_told);
    tcase_add_test(tcase, what_an_operation_says_is_copied);
    tcase_add_test(tcase, deliveries_come_in_order_with_their_tickets);
    tcase_add_test(tcase, no_service_and_no_feeds_take_all_the_room);
    tcase_add_test(
        tcase, where_requests_have_a_rate_little_that_can_wait_is_under_way);
    tcase_add_test(tcase, with_the_board_alone_nothing_waits);
    tcase_add_test(tcase, a_failure_is_delivered_with_a_sentence);
    tcase_add_test(tcase, without_a_board_its_operations_fail_as_misconfigured);
    tcase_add_test(tcase, an_address_that_nothing_carries_is_misconfigured);
    tcase_add_test(tcase, an_operation_without_end_is_given_up);
    tcase_add_test(
        tcase, an_operation_of_several_turns_has_its_work_notes_and_replies);
    tcase_add_test(tcase, operations_and_deliveries_nobody_fetched_are_freed);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("over http");
    tcase_add_test(tcase,
                   an_operation_over_http_is_done_when_its_reply_is_there);
    tcase_add_test(tcase,
                   what_is_left_of_a_rate_is_counted_from_one_look_to_the_next);
    tcase_add_test(tcase,
                   what_a_service_answers_is_what_the_adapter_makes_of_it);
    tcase_add_test(tcase, a_service_that_is_not_there_is_for_later);
    tcase_add_test(tcase, an_address_in_the_clear_is_misconfigured);
    tcase_add_test(tcase, a_long_poll_waits_while_messages_go);
    tcase_add_test(tcase,
                   two_services_of_a_kind_keep_their_tokens_and_limits_apart);
    tcase_add_test(
        tcase, when_a_limit_ends_the_urgent_goes_first_though_it_comes_last);
    tcase_add_test(tcase, logging_in_takes_two_requests_and_gives_a_token);
    tcase_add_test(tcase,
                   a_log_in_that_is_refused_is_so_for_all_that_have_begun);
    tcase_add_test(tcase, one_operation_at_a_time_logs_in);
    tcase_add_test(tcase, a_password_that_is_echoed_is_not_told);
    tcase_add_test(tcase, waiting_ends_when_something_else_calls);
    tcase_add_test(tcase, operations_under_way_are_broken_off_at_the_end);
    suite_add_tcase(suite, tcase);
    return suite;
}
