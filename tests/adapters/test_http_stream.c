/*
 * Replies that are taken while they come, against a server in this process
 * (as in tests/adapters/test_http.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/http/http.h"
#include "tests/support/httpd.h"
#include "tests/support/runner.h"

#define TOKEN  "canary.T0ken"
#define HEADER "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

enum {
    NOW = 1000000000
};

static const struct adapter plain = {.name = "plain",
                                     .token_header = "Api-Key: %s",
                                     .capabilities = {.rate = 60, .burst = 2}};

static struct httpd *server;
static struct http *http;
static struct service service;
static struct http_stream *stream;
static struct httpd_request *held;
static struct buf why, told;

static void
set_up(void)
{
    (void)unsetenv("http_proxy");
    server = httpd_new();
    http = http_new();
    service = (struct service){.adapter = &plain, .name = "plain"};
    (void)snprintf(service.base, sizeof(service.base), "%s", httpd_url(server));
    http_set_token(http, "plain", TOKEN);
    stream = NULL;
}

static void
tear_down(void)
{
    http_free(http);
    httpd_free(server);
    buf_release(&why);
    buf_release(&told);
}

static struct http_stream *
open_at(const char *base)
{
    struct request request = {.authorized = true, .long_poll = true};

    (void)snprintf(request.method, sizeof(request.method), "POST");
    buf_addf(&request.url, "%s/poll", base);
    buf_add_text(&request.body, "/topic/3=9");
    struct http_stream *opened =
        http_open_stream(http, &service, &request, "\r\n|\r\n", NOW, &why);
    ck_assert_uint_eq(request.body.len, 0);
    request_clear(&request);
    return opened;
}

static struct httpd_request *
arrive(void)
{
    struct httpd_request *request = NULL;

    for (int i = 0; i < 1000 && request == NULL; i++) {
        http_work(http, NOW);
        httpd_work(server, 1);
        request = httpd_next(server);
    }
    ck_assert_ptr_nonnull(request);
    return request;
}

static void
begin(void)
{
    stream = open_at(httpd_url(server));
    ck_assert_ptr_nonnull(stream);
    held = arrive();
}

static void
send_out(const char *bytes)
{
    httpd_send(held, bytes, strlen(bytes));
}

/* As a chunk of its own. */
static void
send_chunk(const char *text)
{
    struct buf chunk = BUF_INIT;

    buf_addf(&chunk, "%zx\r\n%s\r\n", strlen(text), text);
    send_out(buf_text(&chunk));
    buf_release(&chunk);
}

/* All that comes is told, in so many words. */
static void
expect(const char *words)
{
    struct socket_event event;

    buf_clear(&told);
    for (int i = 0; i < 50; i++) {
        httpd_work(server, 1);
        http_work(http, NOW);
        while (http_stream_next(stream, &event)) {
            buf_addf(&told, "%s",
                     event.kind == SOCKET_OPENED   ? "opened;"
                     : event.kind == SOCKET_CLOSED ? "closed"
                                                   : event.text);
            if (event.kind == SOCKET_TEXT) {
                ck_assert_uint_eq(event.len, strlen(event.text));
                buf_add_char(&told, ';');
            } else if (event.kind == SOCKET_CLOSED) {
                buf_addf(&told, " %u%s", event.code,
                         event.trouble[0] != '\0' ? " in trouble" : "");
            }
        }
    }
    ck_assert_str_eq(buf_text(&told), words);
}

START_TEST(texts_come_while_the_reply_goes_on)
{
    struct buf key = BUF_INIT;

    begin();
    ck_assert(httpd_header(held, "api-key", &key));
    ck_assert_str_eq(buf_text(&key), TOKEN);
    ck_assert_str_eq(buf_text(&held->body), "/topic/3=9");
    expect("");
    send_out(HEADER);
    expect("opened;");
    send_chunk("[]\r\n|\r\n");
    expect("[];");
    send_chunk("[1]\r\n|\r\n[2]\r\n|");
    expect("[1];");
    send_chunk("\r\n[3]");
    expect("[2];");
    send_chunk("\r\n|\r\n");
    expect("[3];");
    send_out("0\r\n\r\n");
    httpd_done(held);
    expect("closed 0");
    expect("");
    buf_release(&key);
}
END_TEST

START_TEST(the_last_text_needs_nothing_behind_it)
{
    begin();
    httpd_answer(held, 200, "", "[1]\r\n|\r\n[2]");
    expect("opened;[1];[2];closed 0");
}
END_TEST

START_TEST(an_empty_reply_has_no_text)
{
    begin();
    httpd_answer(held, 200, "", "");
    expect("opened;closed 0");
}
END_TEST

START_TEST(one_that_is_refused_never_opens)
{
    begin();
    httpd_answer(held, 429, "Retry-After: 3\n", "too many\r\n|\r\n");
    expect("closed 429");
}
END_TEST

START_TEST(one_that_is_cut_is_in_trouble)
{
    begin();
    send_out(HEADER);
    send_chunk("[1]\r\n|\r\n[2");
    expect("opened;[1];");
    httpd_hang_up(held);
    expect("closed 0 in trouble");
}
END_TEST

START_TEST(who_waits_is_woken_by_a_text)
{
    struct socket_event event;

    begin();
    send_out(HEADER);
    send_chunk("[1]\r\n|\r\n");
    for (int i = 0; i < 50; i++) {
        httpd_work(server, 1);
        http_work(http, NOW);
    }
    http_wait(http, NOW, 60000, -1); /* or this takes a minute */
    ck_assert(http_stream_next(stream, &event));
    ck_assert(http_has_sockets(http));
}
END_TEST

START_TEST(what_is_closed_is_cut)
{
    begin();
    send_out(HEADER);
    expect("opened;");
    http_close_stream(http, stream);
    ck_assert(!http_has_sockets(http));
    for (int i = 0; i < 1000 && !held->gone; i++) {
        httpd_work(server, 1);
    }
    ck_assert(held->gone);
}
END_TEST

/* The rate lets two go at once. */
START_TEST(it_waits_for_its_turn_and_may_be_closed_meanwhile)
{
    (void)open_at(httpd_url(server));
    (void)open_at(httpd_url(server));
    stream = open_at(httpd_url(server));
    (void)arrive();
    (void)arrive();
    for (int i = 0; i < 20; i++) {
        http_work(http, NOW + 900);
        httpd_work(server, 1);
    }
    ck_assert_ptr_null(httpd_next(server));
    http_close_stream(http, stream);
    for (int i = 0; i < 20; i++) {
        http_work(http, NOW + 2000);
        httpd_work(server, 1);
    }
    ck_assert_ptr_null(httpd_next(server));
}
END_TEST

START_TEST(it_goes_nowhere_else_with_the_token)
{
    ck_assert_ptr_null(open_at("https://elsewhere.test"));
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "elsewhere"));
    ck_assert(!http_has_sockets(http));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/http_stream");
    TCase *tcase = tcase_create("streams");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, texts_come_while_the_reply_goes_on);
    tcase_add_test(tcase, the_last_text_needs_nothing_behind_it);
    tcase_add_test(tcase, an_empty_reply_has_no_text);
    tcase_add_test(tcase, one_that_is_refused_never_opens);
    tcase_add_test(tcase, one_that_is_cut_is_in_trouble);
    tcase_add_test(tcase, who_waits_is_woken_by_a_text);
    tcase_add_test(tcase, what_is_closed_is_cut);
    tcase_add_test(tcase, it_waits_for_its_turn_and_may_be_closed_meanwhile);
    tcase_add_test(tcase, it_goes_nowhere_else_with_the_token);
    suite_add_tcase(suite, tcase);
    return suite;
}
