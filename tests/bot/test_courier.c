/*
 * The courier: errands at a real board, and at adapters made up here that
 * misbehave.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/courier.h"
#include "tests/support/runner.h"

/* A courier with a board in a folder of its own. */
struct desk {
    char folder[32];
    char path[64];
    struct board *board;
    struct courier *courier;
    struct buf why;
};

static void
desk_open(struct desk *desk)
{
    *desk = (struct desk){.folder = "/tmp/placard-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(desk->folder));
    snprintf(desk->path, sizeof(desk->path), "%s/board.db", desk->folder);
    ck_assert_int_eq(board_open(desk->path, true, &desk->board, &desk->why),
                     ERR_NONE);
    desk->courier = courier_new(desk->board);
}

static void
desk_close(struct desk *desk)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[80];

    courier_free(desk->courier);
    board_close(desk->board);
    buf_release(&desk->why);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s%s", desk->path, ends[i]);
        (void)unlink(path);
    }
    ck_assert_int_eq(rmdir(desk->folder), 0);
}

static const struct service board_service = {
    .adapter = &adapter_board,
    .name = "board",
    .base = "board:",
    .self = "placard",
};

/* Submit, work, and take the one delivery there must be. */
static struct delivery
deliver(struct courier *courier, const struct service *service,
        const struct errand *errand)
{
    struct delivery delivery;

    courier_submit(courier, service, errand, 42);
    ck_assert_uint_eq(courier_busy(courier), 1);
    courier_work(courier, 5000, 0);
    ck_assert_uint_eq(courier_busy(courier), 0);
    ck_assert(courier_next(courier, &delivery));
    ck_assert_int_eq(delivery.ticket, 42);
    ck_assert_int_eq(delivery.kind, errand->kind);
    ck_assert((delivery.err == ERR_NONE) == (delivery.why.len == 0));
    return delivery;
}

START_TEST(an_errand_at_the_board_is_done_at_once)
{
    struct desk desk;

    desk_open(&desk);
    struct errand errand = {.kind = ERRAND_WHO};
    struct delivery delivery = deliver(desk.courier, &board_service, &errand);

    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_str_eq(buf_text(&delivery.outcome.id), "placard");
    delivery_release(&delivery);
    ck_assert(!courier_next(desk.courier, &delivery));
    desk_close(&desk);
}
END_TEST

START_TEST(posts_are_stamped_with_the_time_that_was_told)
{
    struct desk desk;
    int64_t newest = 0;

    desk_open(&desk);
    struct errand errand = {.kind = ERRAND_SEND,
                            .place = "thread",
                            .text = "Round one.",
                            .key = "g1-1-0"};
    struct delivery delivery = deliver(desk.courier, &board_service, &errand);

    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_str_eq(buf_text(&delivery.outcome.id), "1");
    /* What was sent may be secret: nothing of it comes back. */
    ck_assert_uint_eq(delivery.outcome.request.body.len, 0);
    ck_assert_int_eq(board_newest(desk.board, &newest, &desk.why), ERR_NONE);
    ck_assert_int_eq(newest, 5000);
    delivery_release(&delivery);
    desk_close(&desk);
}
END_TEST

START_TEST(what_an_errand_says_is_copied)
{
    struct desk desk;
    struct delivery delivery;
    char text[] = "first";
    char place[] = "thread";
    struct errand errand = {.kind = ERRAND_SEND, .place = place, .text = text};

    desk_open(&desk);
    courier_submit(desk.courier, &board_service, &errand, 1);
    memset(text, 'x', sizeof(text) - 1);
    memset(place, 'x', sizeof(place) - 1);
    courier_work(desk.courier, 5000, 0);
    ck_assert(courier_next(desk.courier, &delivery));
    ck_assert_int_eq(delivery.err, ERR_NONE);
    delivery_release(&delivery);

    errand = (struct errand){.kind = ERRAND_READ};
    delivery = deliver(desk.courier, &board_service, &errand);
    ck_assert_int_eq(delivery.err, ERR_NONE);
    ck_assert_uint_eq(delivery.outcome.page.count, 1);
    ck_assert_str_eq(delivery.outcome.page.posts[0].body, "first");
    delivery_release(&delivery);
    desk_close(&desk);
}
END_TEST

START_TEST(deliveries_come_in_order_with_their_tickets)
{
    struct desk desk;
    struct delivery delivery;
    char text[16];
    char id[16];

    desk_open(&desk);
    for (int i = 0; i < 300; i++) {
        snprintf(text, sizeof(text), "post %d", i);
        courier_submit(desk.courier, &board_service,
                       &(struct errand){.kind = ERRAND_SEND,
                                        .place = "thread",
                                        .text = text},
                       1000 + i);
    }
    ck_assert_uint_eq(courier_busy(desk.courier), 300);
    ck_assert(!courier_next(desk.courier, &delivery));
    courier_work(desk.courier, 5000, 0);
    for (int i = 0; i < 300; i++) {
        ck_assert(courier_next(desk.courier, &delivery));
        snprintf(id, sizeof(id), "%d", i + 1);
        ck_assert_int_eq(delivery.ticket, 1000 + i);
        ck_assert_str_eq(buf_text(&delivery.outcome.id), id);
        delivery_release(&delivery);
    }
    ck_assert(!courier_next(desk.courier, &delivery));
    desk_close(&desk);
}
END_TEST

START_TEST(with_the_board_alone_nothing_waits)
{
    struct desk desk;
    struct delivery delivery;

    desk_open(&desk);
    /* An hour's patience: were it used up, the test would run out of time. */
    courier_work(desk.courier, 5000, 3600000);
    courier_submit(desk.courier, &board_service,
                   &(struct errand){.kind = ERRAND_WHO}, 1);
    courier_work(desk.courier, 5000, 3600000);
    ck_assert(courier_next(desk.courier, &delivery));
    delivery_release(&delivery);
    desk_close(&desk);
}
END_TEST

START_TEST(a_failure_is_delivered_with_a_sentence)
{
    struct desk desk;

    desk_open(&desk);
    struct errand errand = {
        .kind = ERRAND_EDIT, .place = "thread", .post = "77", .text = "x"};
    struct delivery delivery = deliver(desk.courier, &board_service, &errand);

    ck_assert_int_eq(delivery.err, ERR_GONE);
    ck_assert_str_eq(buf_text(&delivery.why),
                     "board: status 404: there is no such post");
    delivery_release(&delivery);
    desk_close(&desk);
}
END_TEST

START_TEST(without_a_board_its_errands_fail_as_misconfigured)
{
    struct courier *courier = courier_new(NULL);
    struct errand errand = {.kind = ERRAND_WHO};
    struct delivery delivery = deliver(courier, &board_service, &errand);

    ck_assert_int_eq(delivery.err, ERR_CONFIG);
    delivery_release(&delivery);
    courier_free(courier);
}
END_TEST

START_TEST(an_address_that_nothing_carries_is_misconfigured)
{
    static const char *const bases[] = {"gopher://old", "board", "", ":",
                                        "boards:",      "BOARD:"};
    struct desk desk;

    desk_open(&desk);
    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        struct service service = board_service;
        struct errand errand = {.kind = ERRAND_WHO};

        snprintf(service.base, sizeof(service.base), "%s", bases[i]);
        struct delivery delivery = deliver(desk.courier, &service, &errand);

        ck_assert_int_eq(delivery.err, ERR_CONFIG);
        ck_assert_uint_eq(delivery.outcome.request.url.len, 0);
        delivery_release(&delivery);
    }
    desk_close(&desk);
}
END_TEST

/* ---- adapters that misbehave --------------------------------------------- */

/* Never content: asks who it is, again and again. */
static enum turn
endless_turn(const struct service *service, const struct errand *errand,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *why)
{
    (void)errand;
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
    return TURN_REQUEST;
}

static const struct adapter endless = {.name = "endless", .turn = endless_turn};

START_TEST(an_errand_without_end_is_given_up)
{
    struct service service = {
        .adapter = &endless, .name = "endless", .base = "board:"};
    struct errand errand = {.kind = ERRAND_WHO};
    struct desk desk;

    desk_open(&desk);
    struct delivery delivery = deliver(desk.courier, &service, &errand);

    ck_assert_int_eq(delivery.err, ERR_GARBLED);
    ck_assert_uint_eq(delivery.outcome.shown.len, TURNS_MAX + 1);
    delivery_release(&delivery);
    desk_close(&desk);
}
END_TEST

/* Looks at how it is called, asks twice, and answers with what it got. */
static enum turn
careful_turn(const struct service *service, const struct errand *errand,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *why)
{
    (void)why;
    ck_assert_str_eq(errand->feed, "");
    ck_assert_str_eq(errand->cursor, "");
    ck_assert_str_eq(errand->place, "");
    ck_assert_str_eq(errand->post, "");
    ck_assert_str_eq(errand->user, "");
    ck_assert_str_eq(errand->text, "");
    ck_assert_str_eq(errand->key, "k");
    ck_assert_uint_eq(errand->note_count, 1);
    ck_assert_str_eq(errand->notes[0].value, "noted");
    ck_assert_uint_eq(errand->rings.count, 2);
    ck_assert_str_eq(errand->rings.users[0], "anna");
    ck_assert_str_eq(errand->rings.users[1], "bob");
    ck_assert_str_eq(errand->picture.caption, "the boards");
    ck_assert_uint_eq(errand->picture.len, 3);
    ck_assert_mem_eq(errand->picture.bytes, "PNG", 3);
    if (reply == NULL) {
        ck_assert_uint_eq(work->len, 0);
        ck_assert_uint_eq(work->max, ADAPTER_WORK_MAX);
    } else {
        ck_assert_int_eq(reply->status, 200);
        buf_add(&out->shown, reply->body, reply->len);
    }
    buf_add_char(work, '+');
    if (work->len == 3) {
        out->notes[0] = errand->notes[0];
        out->note_count = 1;
        return TURN_DONE;
    }
    snprintf(out->request.method, sizeof(out->request.method), "GET");
    buf_addf(&out->request.url, "%s/posts", service->base);
    return TURN_REQUEST;
}

static const struct adapter careful = {.name = "careful", .turn = careful_turn};

START_TEST(an_errand_of_several_turns_has_its_work_notes_and_replies)
{
    static const char page[] = "{\"posts\":[],\"more\":false,\"time\":5000}";
    struct service service = {
        .adapter = &careful, .name = "careful", .base = "board:"};
    struct note note = {.key = "device", .value = "noted"};
    const char *users[] = {"anna", "bob"};
    unsigned char bytes[] = {'P', 'N', 'G'};
    struct errand errand = {.kind = ERRAND_WHO,
                            .key = "k",
                            .rings = {.users = users, .count = 2},
                            .picture = {.bytes = bytes,
                                        .len = sizeof(bytes),
                                        .caption = "the boards"},
                            .notes = &note,
                            .note_count = 1};
    struct delivery delivery;
    struct desk desk;
    struct buf twice = BUF_INIT;

    desk_open(&desk);
    courier_submit(desk.courier, &service, &errand, 1);
    memset(&note, 'x', sizeof(note));
    memset(bytes, 'x', sizeof(bytes));
    users[0] = "x";
    courier_work(desk.courier, 5000, 0);
    ck_assert(courier_next(desk.courier, &delivery));
    ck_assert_int_eq(delivery.err, ERR_NONE);
    buf_addf(&twice, "%s%s", page, page);
    ck_assert_str_eq(buf_text(&delivery.outcome.shown), buf_text(&twice));
    ck_assert_uint_eq(delivery.outcome.note_count, 1);
    ck_assert_str_eq(delivery.outcome.notes[0].value, "noted");
    buf_release(&twice);
    delivery_release(&delivery);
    desk_close(&desk);
}
END_TEST

START_TEST(errands_and_deliveries_nobody_fetched_are_freed)
{
    struct desk desk;

    desk_open(&desk);
    for (int i = 0; i < 3; i++) {
        courier_submit(desk.courier, &board_service,
                       &(struct errand){.kind = ERRAND_WHO}, i);
    }
    courier_work(desk.courier, 5000, 0);
    for (int i = 0; i < 3; i++) {
        courier_submit(desk.courier, &board_service,
                       &(struct errand){.kind = ERRAND_WHO}, i);
    }
    ck_assert_uint_eq(courier_busy(desk.courier), 3);
    /* desk_close frees; the sanitizer or valgrind would tell. */
    desk_close(&desk);
    courier_free(NULL);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("bot/courier");
    TCase *tcase = tcase_create("courier");

    tcase_add_test(tcase, an_errand_at_the_board_is_done_at_once);
    tcase_add_test(tcase, posts_are_stamped_with_the_time_that_was_told);
    tcase_add_test(tcase, what_an_errand_says_is_copied);
    tcase_add_test(tcase, deliveries_come_in_order_with_their_tickets);
    tcase_add_test(tcase, with_the_board_alone_nothing_waits);
    tcase_add_test(tcase, a_failure_is_delivered_with_a_sentence);
    tcase_add_test(tcase, without_a_board_its_errands_fail_as_misconfigured);
    tcase_add_test(tcase, an_address_that_nothing_carries_is_misconfigured);
    tcase_add_test(tcase, an_errand_without_end_is_given_up);
    tcase_add_test(tcase,
                   an_errand_of_several_turns_has_its_work_notes_and_replies);
    tcase_add_test(tcase, errands_and_deliveries_nobody_fetched_are_freed);
    suite_add_tcase(suite, tcase);
    return suite;
}
