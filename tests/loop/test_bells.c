/*
 * Doorbells: what the loop does when one rings, falls silent or never opens.
 *
 * The service is the board with a doorbell, at a server in this process: a
 * WebSocket, or a long poll for the feeds.  What it says is plain: "listen",
 * "missed", "ring FEED POST", "say TEXT", "save VALUE", "shut", "never",
 * "twice".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/doorbell.h"
#include "bot/base/civil.h"
#include "bot/loop/loop.h"
#include "bot/tables/feeds/feeds.h"
#include "tests/support/httpd.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"
#include "tests/support/web_server.h"

static struct room room;
static struct buf why, said;
static struct httpd *server;
static struct web_server *other;
static unsigned asked[OP_ROLES + 1]; /* operations begun, by kind */
static enum err bell_err, read_err;
static bool repeats; /* a poll that has ended */
static unsigned told_twice;

/* ---- the service --------------------------------------------------------- */

static void
plain_take(const struct service *service, void *session,
           const struct bell_input *input, struct bell_output *output,
           struct buf *reason)
{
    char word[16] = "";
    (void)service;
    *(int *)session += 1;
    if (input->event != BELL_TEXT) {
        output->pause = 2 * SECOND_MS;
        output->again = input->event == BELL_CLOSED && repeats;
        output->wake = input->event == BELL_OPENED ? input->now + MINUTE_MS : 0;
        if (input->event == BELL_TIME) {
            buf_add_text(&bell_add_text(output)->text, "beat");
        }
        return;
    }
    (void)sscanf(input->text, "%15s", word);
    output->listens =
        strcmp(word, "listen") == 0 || strcmp(word, "missed") == 0;
    output->missed = strcmp(word, "missed") == 0;
    output->rings =
        sscanf(input->text, "ring %255s %255s", output->feed, output->post) > 0;
    output->shut = strcmp(word, "shut") == 0 || strcmp(word, "never") == 0;
    output->never = strcmp(word, "never") == 0;
    output->code = 4000;
    output->pause = 2 * SECOND_MS;
    told_twice += strcmp(word, "twice") == 0;
    output->more = told_twice == 1;
    if (strcmp(word, "save") == 0) {
        bell_set_state(output, "secret.bell", input->text + 5);
        buf_add_text(&bell_add_text(output)->text, "saved");
    }
    buf_add_text(reason, output->never ? "it is over" : "");
}

static const struct doorbell plain_doorbell = {.size = sizeof(int),
                                               .take = plain_take};

static bool
plain_poll(const struct service *service, void *session,
           const struct bell_feeds *feeds, int64_t now, struct request *request,
           struct buf *reason)
{
    (void)service;
    (void)session;
    (void)now;
    (void)snprintf(request->method, sizeof request->method, "POST");
    buf_addf(&request->url, "%s/poll", httpd_url(server));
    request->long_poll = true;
    ck_assert_ptr_nonnull(strstr(feeds->address, "/bell"));
    for (size_t i = 0; i < feeds->count; i++) {
        buf_addf(&request->body, "%s;", feeds->names[i]);
    }
    buf_add_text(reason, bell_err == ERR_FULL ? "they are too many" : "");
    return bell_err != ERR_FULL;
}

static const struct doorbell polled_doorbell = {.size = sizeof(int),
                                                .poll = plain_poll,
                                                .delimiter = "\n",
                                                .take = plain_take};
static struct adapter plain;

static enum advance
plain_advance(const struct service *service, const struct op *op,
              struct buf *scratch, const struct reply *reply,
              struct outcome *out, struct buf *trouble)
{
    asked[op->kind] += reply == NULL;
    if (op->kind == OP_READ && read_err != ERR_NONE) {
        return outcome_fail(out, trouble, read_err, "not now");
    }
    if (op->kind != OP_BELL) {
        return adapter_board.advance(service, op, scratch, reply, out, trouble);
    }
    if (bell_err != ERR_NONE && bell_err != ERR_FULL) {
        out->wait = 5 * SECOND_MS;
        return outcome_fail(out, trouble, bell_err, "no bell today");
    }
    buf_addf(&out->id, "ws%s/bell", httpd_url(server) + 4);
    return ADVANCE_DONE;
}

static void
set_up(void)
{
    (void)unsetenv("http_proxy");
    room_init(&room);
    server = httpd_new();
    plain = adapter_board;
    plain.advance = plain_advance;
    plain.doorbell = &plain_doorbell;
    plain.capabilities.pause = 10 * SECOND_MS;
    memset(asked, 0, sizeof asked);
    bell_err = read_err = ERR_NONE;
    repeats = false;
    told_twice = 0;
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &plain;
}

static void
tear_down(void)
{
    web_server_free(other);
    other = NULL;
    room_release(&room);
    httpd_free(server);
    buf_release(&why);
    buf_release(&said);
}

/* ---- turns --------------------------------------------------------------- */

static struct loop *
loop(void)
{
    return &room.stage->loop;
}

static struct feed *
feed(void)
{
    return room.stage->tables.feeds.list[0];
}

static void
turn(void)
{
    ck_assert_msg(loop_turn(loop(), room.stage->now, 1, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    httpd_work(server, 0);
}

static void
turns(void)
{
    for (int i = 0; i < 20; i++) {
        turn();
    }
}

static void
later(int64_t time)
{
    room.stage->now += time;
    turns();
}

static struct httpd_request *
arrive(void)
{
    struct httpd_request *request = httpd_next(server);
    for (int i = 0; i < 1000 && request == NULL; i++) {
        turn();
        request = httpd_next(server);
    }
    ck_assert_ptr_nonnull(request);
    return request;
}

static void
connect_bell(void)
{
    web_server_free(other);
    other = web_server_new(arrive());
    turns();
}

static void
says(const char *text)
{
    web_server_say(other, text);
    turns();
}

static const char *
hears(void)
{
    for (int i = 0; i < 1000 && !web_server_next(other, &said); i++) {
        turn();
    }
    return buf_text(&said);
}

static void
listen_to_all(void)
{
    connect_bell();
    says("listen");
    ck_assert(loop()->reader.rings[0]);
}

/* ---- reading ------------------------------------------------------------- */

START_TEST(while_it_listens_feeds_are_polled_rarely)
{
    room_begin(&room, 5);
    listen_to_all();
    later(10 * SECOND_MS);
    unsigned before = asked[OP_READ];
    later(59 * SECOND_MS);
    ck_assert_uint_eq(asked[OP_READ], before);
    later(SECOND_MS);
    ck_assert_uint_gt(asked[OP_READ], before);
}
END_TEST

START_TEST(a_ring_is_read_at_once)
{
    char ring[300];

    room_begin(&room, 5);
    listen_to_all();
    later(10 * SECOND_MS);
    room_posts(&room, "Anna", "[b][color=red]Bob[/color][/b]");
    turns();
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    (void)snprintf(ring, sizeof ring, "ring %s", feed()->name);
    says(ring);
    turns();
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

START_TEST(what_rang_and_is_not_there_is_looked_for_three_times)
{
    char ring[300];

    room_begin(&room, 5);
    listen_to_all();
    later(10 * SECOND_MS);
    unsigned before = asked[OP_READ];
    (void)snprintf(ring, sizeof ring, "ring %s 987654321", feed()->name);
    says(ring);
    ck_assert_uint_eq(asked[OP_READ], before + 1);
    later(SECOND_MS);
    ck_assert_uint_eq(asked[OP_READ], before + 2);
    later(SECOND_MS);
    ck_assert_uint_eq(asked[OP_READ], before + 3);
    later(10 * SECOND_MS);
    ck_assert_uint_eq(asked[OP_READ], before + 3);
}
END_TEST

START_TEST(what_rang_and_can_not_be_read_still_goes_before_the_rest)
{
    char ring[300];

    room_begin(&room, 5);
    listen_to_all();
    later(10 * SECOND_MS);
    read_err = ERR_LATER;
    (void)snprintf(ring, sizeof ring, "ring %s", feed()->name);
    says(ring);
    ck_assert_uint_eq(feed()->job.failures, 1);
    ck_assert(feed()->hurried);
    read_err = ERR_NONE;
    later(SECOND_MS);
    ck_assert_uint_eq(feed()->job.failures, 0);
    ck_assert(!feed()->hurried);
}
END_TEST

START_TEST(a_ring_for_what_nobody_hosts_costs_nothing)
{
    listen_to_all();
    later(10 * SECOND_MS);
    unsigned before = asked[OP_READ];
    says("ring elsewhere 1");
    turns();
    ck_assert_uint_eq(asked[OP_READ], before);
}
END_TEST

START_TEST(a_doorbell_that_may_have_missed_something_reads_everything)
{
    room_begin(&room, 5);
    listen_to_all();
    later(10 * SECOND_MS);
    unsigned before = asked[OP_READ];
    says("missed");
    ck_assert_uint_gt(asked[OP_READ], before);
}
END_TEST

/* ---- opening and closing ------------------------------------------------- */

START_TEST(what_is_to_be_saved_is_saved_before_anything_is_said)
{
    connect_bell();
    says("save canary");
    ck_assert_str_eq(hears(), "saved");
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM adapter_state WHERE key "
                                "= 'secret.bell'"),
                     1);
}
END_TEST

START_TEST(its_time_comes)
{
    connect_bell();
    later(MINUTE_MS - 1);
    ck_assert(!web_server_next(other, &said));
    later(1);
    ck_assert_str_eq(hears(), "beat");
}
END_TEST

START_TEST(when_it_falls_silent_feeds_are_polled_again)
{
    room_begin(&room, 5);
    listen_to_all();
    later(10 * SECOND_MS);
    unsigned before = asked[OP_READ];
    web_server_close(other, 4000);
    turns();
    ck_assert(!loop()->reader.rings[0]);
    ck_assert_uint_gt(asked[OP_READ], before);
    before = asked[OP_READ];
    later(3 * SECOND_MS);
    ck_assert_uint_gt(asked[OP_READ], before);
}
END_TEST

START_TEST(it_is_opened_again_after_the_pause_it_asks_for)
{
    listen_to_all();
    says("shut");
    ck_assert_str_eq(hears(), "close 4000");
    unsigned before = asked[OP_BELL];
    later(2 * SECOND_MS - 1);
    ck_assert_uint_eq(asked[OP_BELL], before);
    later(1);
    ck_assert_uint_eq(asked[OP_BELL], before + 1);
    listen_to_all();
}
END_TEST

START_TEST(pauses_grow_while_it_fails)
{
    for (int64_t failures = 1; failures < 6; failures++) {
        connect_bell();
        unsigned before = asked[OP_BELL];
        web_server_close(other, 4000);
        turns();
        int64_t pause = failures * failures * SECOND_MS;
        pause = pause > 2 * SECOND_MS ? pause : 2 * SECOND_MS;
        later(pause - 1);
        ck_assert_uint_eq(asked[OP_BELL], before);
        later(1);
        ck_assert_uint_eq(asked[OP_BELL], before + 1);
    }
}
END_TEST

START_TEST(one_that_must_stay_closed_stays_closed)
{
    room_begin(&room, 5);
    listen_to_all();
    unsigned before = asked[OP_BELL];
    says("never");
    later(HOUR_MS);
    ck_assert_uint_eq(asked[OP_BELL], before);
    ck_assert_ptr_null(httpd_next(server));
    room_posts(&room, "Anna", "[b][color=red]Bob[/color][/b]");
    later(10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

START_TEST(one_that_can_not_be_found_now_is_asked_for_again)
{
    bell_err = ERR_LIMITED;
    turns();
    ck_assert_uint_eq(asked[OP_BELL], 1);
    later(4 * SECOND_MS);
    ck_assert_uint_eq(asked[OP_BELL], 1);
    bell_err = ERR_NONE;
    later(2 * SECOND_MS);
    ck_assert_uint_eq(asked[OP_BELL], 2);
    listen_to_all();
}
END_TEST

START_TEST(a_service_without_one_is_asked_once)
{
    bell_err = ERR_GONE;
    turns();
    later(HOUR_MS);
    ck_assert_uint_eq(asked[OP_BELL], 1);
}
END_TEST

START_TEST(one_that_is_turned_off_is_not_asked_for)
{
    conf_make_accounts(&room.stage->conf, 1);
    struct account *account = &room.stage->conf.accounts[0];

    account->doorbell = false;
    TEXT_COPY(account->name, "board");
    turns();
    ck_assert_uint_eq(asked[OP_BELL], 0);
    account->doorbell = true;
    turns();
    ck_assert_uint_eq(asked[OP_BELL], 1);
}
END_TEST

START_TEST(a_clock_set_back_keeps_it_waiting_no_longer)
{
    listen_to_all();
    says("shut");
    unsigned before = asked[OP_BELL];
    room.stage->now -= HOUR_MS;
    turns();
    later(2 * SECOND_MS);
    ck_assert_uint_eq(asked[OP_BELL], before + 1);
}
END_TEST

START_TEST(one_that_is_open_is_closed_with_the_host_and_opened_by_the_next)
{
    struct httpd_request *first = arrive();
    other = web_server_new(first);
    says("listen");
    ck_assert(loop()->reader.rings[0]);
    unsigned before = asked[OP_BELL];
    room_reopen(&room);
    room.stage->tables.services.list[0].adapter = &plain;
    while (!first->gone) {
        turn();
    }
    ck_assert(!loop()->reader.rings[0]);
    listen_to_all();
    ck_assert_uint_eq(asked[OP_BELL], before + 1);
}
END_TEST

/* ---- long polls ---------------------------------------------------------- */

static struct httpd_request *
begin_polling(void)
{
    plain.doorbell = &polled_doorbell;
    struct httpd_request *poll = arrive();
    ck_assert_str_eq(buf_text(&poll->target), "/poll");
    return poll;
}

/* It says something and stays open. */
static void
poll_says(struct httpd_request *poll, const char *text)
{
    struct buf bytes = BUF_INIT;
    bool first = !loop()->reader.rings[0];
    buf_addf(&bytes, "%s%zx\r\n%s\r\n",
             first ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                   : "",
             strlen(text), text);
    httpd_send(poll, buf_text(&bytes), bytes.len);
    buf_release(&bytes);
    turns();
}

START_TEST(a_poll_rings_while_it_is_open)
{
    char ring[300];
    plain.doorbell = &polled_doorbell;
    room_begin(&room, 5);
    struct httpd_request *poll = begin_polling();
    poll_says(poll, "listen\n");
    ck_assert(loop()->reader.rings[0]);
    later(10 * SECOND_MS);
    room_posts(&room, "Anna", "[b][color=red]Bob[/color][/b]");
    turns();
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    (void)snprintf(ring, sizeof ring, "ring %s\n", feed()->name);
    poll_says(poll, ring);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert(!poll->gone);
}
END_TEST

START_TEST(a_poll_that_ends_well_is_repeated_and_listens_meanwhile)
{
    repeats = true;
    httpd_answer(begin_polling(), 200, "", "listen");
    turns();
    ck_assert(loop()->reader.rings[0]);
    later(2 * SECOND_MS - 1);
    ck_assert_ptr_null(httpd_next(server));
    ck_assert(loop()->reader.rings[0]);
    later(1);
    httpd_answer(arrive(), 200, "", "listen");
    turns();
    ck_assert(loop()->reader.rings[0]);
    ck_assert_uint_eq(asked[OP_BELL], 1);
}
END_TEST

START_TEST(a_poll_that_fails_is_asked_for_anew)
{
    httpd_answer(begin_polling(), 200, "", "listen");
    turns();
    ck_assert(!loop()->reader.rings[0]);
    later(2 * SECOND_MS - 1);
    ck_assert_uint_eq(asked[OP_BELL], 1);
    later(1);
    ck_assert_uint_eq(asked[OP_BELL], 2);
    httpd_answer(arrive(), 503, "", "listen");
    turns();
    ck_assert(!loop()->reader.rings[0]);
}
END_TEST

START_TEST(a_poll_names_all_feeds_and_a_new_one_as_soon_as_it_is_there)
{
    plain.doorbell = &polled_doorbell;
    room_begin(&room, 5);
    struct httpd_request *poll = begin_polling();
    ck_assert_ptr_nonnull(strstr(buf_text(&poll->body), feed()->name));
    poll_says(poll, "listen\n");
    (void)feeds_add(&room.stage->tables.feeds,
                    &room.stage->tables.services.list[0], "another");
    struct httpd_request *next = arrive();
    ck_assert_ptr_nonnull(strstr(buf_text(&next->body), "another;"));
    ck_assert_ptr_nonnull(strstr(buf_text(&next->body), feed()->name));
    for (int i = 0; i < 1000 && !poll->gone; i++) {
        turn();
    }
    ck_assert(poll->gone && loop()->reader.rings[0]);
    ck_assert_uint_eq(asked[OP_BELL], 1);
}
END_TEST

START_TEST(a_poll_that_can_not_name_all_feeds_is_none)
{
    plain.doorbell = &polled_doorbell;
    bell_err = ERR_FULL;
    turns();
    later(HOUR_MS);
    ck_assert_uint_eq(asked[OP_BELL], 1);
    ck_assert_ptr_null(httpd_next(server));
}
END_TEST

START_TEST(a_text_that_tells_more_is_handed_over_once_more)
{
    struct httpd_request *poll = begin_polling();
    poll_says(poll, "twice\n");
    ck_assert_uint_eq(told_twice, 2);
}
END_TEST

START_TEST(a_poll_is_cut_with_the_host)
{
    struct httpd_request *poll = begin_polling();
    poll_says(poll, "listen\n");
    room_reopen(&room);
    room.stage->tables.services.list[0].adapter = &plain;
    for (int i = 0; i < 1000 && !poll->gone; i++) {
        turn();
    }
    ck_assert(poll->gone);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/bells");
    TCase *group = tcase_create("bells");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, while_it_listens_feeds_are_polled_rarely);
    tcase_add_test(group, a_ring_is_read_at_once);
    tcase_add_test(group, what_rang_and_is_not_there_is_looked_for_three_times);
    tcase_add_test(group,
                   what_rang_and_can_not_be_read_still_goes_before_the_rest);
    tcase_add_test(group, a_ring_for_what_nobody_hosts_costs_nothing);
    tcase_add_test(group,
                   a_doorbell_that_may_have_missed_something_reads_everything);
    tcase_add_test(group, what_is_to_be_saved_is_saved_before_anything_is_said);
    tcase_add_test(group, its_time_comes);
    tcase_add_test(group, when_it_falls_silent_feeds_are_polled_again);
    tcase_add_test(group, it_is_opened_again_after_the_pause_it_asks_for);
    tcase_add_test(group, pauses_grow_while_it_fails);
    tcase_add_test(group, one_that_must_stay_closed_stays_closed);
    tcase_add_test(group, one_that_can_not_be_found_now_is_asked_for_again);
    tcase_add_test(group, a_service_without_one_is_asked_once);
    tcase_add_test(group, one_that_is_turned_off_is_not_asked_for);
    tcase_add_test(group, a_clock_set_back_keeps_it_waiting_no_longer);
    tcase_add_test(
        group, one_that_is_open_is_closed_with_the_host_and_opened_by_the_next);
    tcase_add_test(group, a_poll_rings_while_it_is_open);
    tcase_add_test(group,
                   a_poll_that_ends_well_is_repeated_and_listens_meanwhile);
    tcase_add_test(group, a_poll_that_fails_is_asked_for_anew);
    tcase_add_test(group,
                   a_poll_names_all_feeds_and_a_new_one_as_soon_as_it_is_there);
    tcase_add_test(group, a_poll_that_can_not_name_all_feeds_is_none);
    tcase_add_test(group, a_text_that_tells_more_is_handed_over_once_more);
    tcase_add_test(group, a_poll_is_cut_with_the_host);
    suite_add_tcase(suite, group);
    return suite;
}
