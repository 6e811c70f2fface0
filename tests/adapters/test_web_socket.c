/*
 * A WebSocket against a server in this process: what a service, or what stands
 * between, can do to it.  The test is both ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/http/http.h"
#include "tests/support/httpd.h"
#include "tests/support/runner.h"
#include "tests/support/web_server.h"

#define TOKEN "canary.T0ken_0f-the-acc0unt"

enum {
    NOW = 1000000000
};

static const struct adapter plain = {.name = "plain",
                                     .token_header = "Authorization: Bot %s"};

static struct httpd *server;
static struct web_server *other;
static struct http *http;
static struct web_socket *client;
static struct service service;
static int64_t now;
static struct buf why, said;

static void
set_up(void)
{
    (void)unsetenv("http_proxy");
    server = httpd_new();
    http = http_new();
    service = (struct service){.adapter = &plain, .name = "plain"};
    http_set_token(http, "plain", TOKEN);
    now = NOW;
}

static void
tear_down(void)
{
    web_server_free(other);
    other = NULL;
    http_free(http);
    httpd_free(server);
    buf_release(&why);
    buf_release(&said);
}

/* ---- both ends ----------------------------------------------------------- */

static void
open_at(const char *url)
{
    client = http_open_socket(http, &service, url, now, &why);
}

static void
open_here(void)
{
    char url[128];

    (void)snprintf(url, sizeof url, "ws%s/gate?v=10", httpd_url(server) + 4);
    open_at(url);
    ck_assert_msg(client != NULL, "%s", buf_text(&why));
}

static void
advance(void)
{
    http_work(http, now);
    http_wait(http, now, 10, httpd_descriptor(server));
    httpd_work(server, 0);
}

static struct httpd_request *
arrive(void)
{
    struct httpd_request *request = NULL;

    while ((request = httpd_next(server)) == NULL) {
        advance();
    }
    return request;
}

static struct socket_event
next_event(void)
{
    struct socket_event event;

    while (!web_socket_next(client, &event)) {
        advance();
    }
    return event;
}

static void
connect_both(void)
{
    open_here();
    other = web_server_new(arrive());
    ck_assert_int_eq(next_event().kind, SOCKET_OPENED);
}

static const char *
server_hears(void)
{
    while (!web_server_next(other, &said)) {
        advance();
    }
    return buf_text(&said);
}

static void
say_to_server(const char *text, size_t token_at)
{
    struct buf frame = BUF_INIT;

    buf_add_text(&frame, text);
    http_send_text(http, client, &frame, token_at);
    buf_release(&frame);
}

/* It never opens, or is closed, and says why. */
static void
assert_closed(unsigned code, const char *trouble)
{
    struct socket_event event = next_event();

    ck_assert_int_eq(event.kind, SOCKET_CLOSED);
    ck_assert_uint_eq(event.code, code);
    ck_assert_msg(strstr(event.trouble, trouble) != NULL, "%s", event.trouble);
    ck_assert(!web_socket_next(client, &event));
}

/* ---- opening ------------------------------------------------------------- */

START_TEST(it_asks_for_an_upgrade)
{
    struct buf value = BUF_INIT;

    open_here();
    struct httpd_request *request = arrive();
    ck_assert_str_eq(request->method, "GET");
    ck_assert_str_eq(buf_text(&request->target), "/gate?v=10");
    ck_assert(httpd_header(request, "sec-websocket-version", &value));
    ck_assert_str_eq(buf_text(&value), "13");
    buf_clear(&value);
    ck_assert(httpd_header(request, "host", &value));
    ck_assert_str_eq(buf_text(&value), httpd_url(server) + 7);
    ck_assert(!httpd_header(request, "authorization", &value));
    ck_assert(httpd_header(request, "user-agent", &value));
    buf_release(&value);
}
END_TEST

START_TEST(an_address_that_must_not_be_used_is_refused)
{
    static const char *const urls[] = {
        "",
        "http://127.0.0.1/",
        "ws:127.0.0.1",
        "ws://gateway.example/",
        "ws://user:secret@127.0.0.1/",
        "wsss://gateway.example/",
    };

    for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
        buf_clear(&why);
        open_at(urls[i]);
        ck_assert_msg(client == NULL, "%s", urls[i]);
        ck_assert_uint_gt(why.len, 0);
    }
}
END_TEST

START_TEST(nobody_there_is_said)
{
    open_at("ws://127.0.0.1:1/");
    assert_closed(0, "127.0.0.1");
}
END_TEST

START_TEST(what_is_no_web_socket_is_said)
{
    open_here();
    httpd_answer(arrive(), 503, "", "busy");
    assert_closed(0, "no WebSocket; what answered is: HTTP/1.1 503");
}
END_TEST

START_TEST(a_wrong_answer_to_the_key_is_no_web_socket)
{
    static const char reply[] =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\n"
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    open_here();
    httpd_send(arrive(), reply, strlen(reply));
    assert_closed(0, "no WebSocket");
}
END_TEST

START_TEST(an_endless_answer_is_no_web_socket)
{
    char junk[32768];

    open_here();
    memset(junk, 'x', sizeof junk);
    httpd_send(arrive(), junk, sizeof junk);
    assert_closed(0, "no WebSocket");
}
END_TEST

START_TEST(a_connection_cut_before_it_is_open_is_said)
{
    open_here();
    httpd_hang_up(arrive());
    assert_closed(0, "cut before");
}
END_TEST

START_TEST(silence_ends_after_a_while)
{
    open_here();
    (void)arrive();
    now += 14999;
    advance();
    struct socket_event event;
    ck_assert(!web_socket_next(client, &event));
    now += 1;
    assert_closed(0, "not open in time");
}
END_TEST

/* ---- texts --------------------------------------------------------------- */

START_TEST(texts_go_both_ways_in_order)
{
    connect_both();
    web_server_say(other, "one");
    web_server_say(other, "");
    web_server_say(other, "three \xe2\x9c\x93");
    ck_assert_str_eq(next_event().text, "one");
    ck_assert_uint_eq(next_event().len, 0);
    ck_assert_str_eq(next_event().text, "three \xe2\x9c\x93");
    say_to_server("first", SIZE_MAX);
    say_to_server("second", SIZE_MAX);
    ck_assert_str_eq(server_hears(), "first");
    ck_assert_str_eq(server_hears(), "second");
}
END_TEST

START_TEST(a_long_text_comes_whole)
{
    const size_t len = (size_t)3 << 20;
    char *text = calloc(len + 1, 1);

    memset(text, 'a', len);
    connect_both();
    web_server_say(other, text);
    struct socket_event event = next_event();
    ck_assert_uint_eq(event.len, len);
    ck_assert_str_eq(event.text, text);
    free(text);
}
END_TEST

START_TEST(what_comes_with_the_upgrade_is_not_lost)
{
    open_here();
    other = web_server_new(arrive());
    web_server_say(other, "hello"); /* likely in one packet with the reply */
    ck_assert_int_eq(next_event().kind, SOCKET_OPENED);
    ck_assert_str_eq(next_event().text, "hello");
}
END_TEST

START_TEST(the_token_goes_where_it_belongs)
{
    connect_both();
    say_to_server("{\"token\":\"\",\"a\":1}", 10);
    ck_assert_str_eq(server_hears(), "{\"token\":\"" TOKEN "\",\"a\":1}");
    http_set_token(http, "plain", "Bot " TOKEN);
    say_to_server("{\"token\":\"\"}", 10);
    ck_assert_str_eq(server_hears(), "{\"token\":\"" TOKEN "\"}");
    http_set_token(http, "plain", "a\",\"b\":\"");
    say_to_server("{\"token\":\"\"}", 10);
    ck_assert_str_eq(server_hears(), "{\"token\":\"\"}");
}
END_TEST

START_TEST(a_ping_is_answered)
{
    connect_both();
    web_server_ping(other, "are you there");
    ck_assert_str_eq(server_hears(), "pong are you there");
}
END_TEST

/* ---- the end ------------------------------------------------------------- */

START_TEST(a_close_comes_with_its_code_behind_the_last_text)
{
    connect_both();
    web_server_say(other, "last");
    web_server_close(other, 4004);
    ck_assert_str_eq(next_event().text, "last");
    assert_closed(4004, "");
}
END_TEST

START_TEST(a_cut_has_no_code)
{
    open_here();
    struct httpd_request *request = arrive();
    other = web_server_new(request);
    ck_assert_int_eq(next_event().kind, SOCKET_OPENED);
    httpd_hang_up(request);
    assert_closed(0, "cut");
}
END_TEST

START_TEST(bytes_that_are_no_frames_end_it)
{
    open_here();
    struct httpd_request *request = arrive();
    other = web_server_new(request);
    ck_assert_int_eq(next_event().kind, SOCKET_OPENED);
    httpd_send(request, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
    assert_closed(0, "RFC 6455");
}
END_TEST

START_TEST(we_close_with_a_code)
{
    struct socket_event event;

    connect_both();
    web_socket_close(client, 4000);
    ck_assert(!web_socket_next(client, &event));
    ck_assert_str_eq(server_hears(), "close 4000");
}
END_TEST

START_TEST(while_nobody_takes_texts_no_more_are_read)
{
    connect_both();
    for (int i = 0; i < 2 * SOCKET_TEXTS_MAX; i++) {
        web_server_say(other, "flood");
        http_work(http, now);
        httpd_work(server, 0);
    }
    struct socket_event event;
    int count = 0;
    while (web_socket_next(client, &event)) {
        count++;
    }
    ck_assert_int_ge(count, SOCKET_TEXTS_MAX);
    while (count < 2 * SOCKET_TEXTS_MAX) {
        ck_assert_str_eq(next_event().text, "flood");
        count++;
    }
}
END_TEST

START_TEST(long_texts_that_nobody_takes_fill_no_memory)
{
    static char text[(1 << 20) + 1];
    struct socket_event event;
    int count = 0;

    memset(text, 'x', sizeof text - 1);
    connect_both();
    for (int i = 0; i < 40; i++) {
        web_server_say(other, text);
    }
    for (int i = 0; i < 4000; i++) {
        http_work(http, now);
        httpd_work(server, 0);
    }
    while (web_socket_next(client, &event)) {
        count++;
    }
    ck_assert_int_ge(count, SOCKET_BYTES_MAX >> 20);
    ck_assert_int_le(count, (SOCKET_BYTES_MAX >> 20) + 1);
    while (count < 40) {
        ck_assert_uint_eq(next_event().len, sizeof text - 1);
        count++;
    }
}
END_TEST

/* Each ping asks for an answer.  Who sends them without reading fills what the
 * system keeps for both of us, and no memory of ours. */
START_TEST(a_peer_that_does_not_read_is_not_read_either)
{
    char ping[120];
    unsigned sent = 0;

    memset(ping, 'p', sizeof ping - 1);
    ping[sizeof ping - 1] = '\0';
    httpd_keep_little(server);
    connect_both();
    struct httpd_request *request = web_server_request(other);
    while (sent < 100000 && httpd_unsent(request) < 1 << 20) {
        web_server_ping(other, ping);
        if (++sent % 16 == 0) {
            http_work(http, now);
        }
    }
    ck_assert_uint_lt(sent, 100000);
    struct curl_waitfd waits[SOCKET_DESCRIPTORS_MAX];
    int64_t patience = 1000;
    ck_assert_uint_eq(web_socket_descriptors(client, now, waits, &patience), 1);
    ck_assert_int_eq(waits[0].events, CURL_WAIT_POLLOUT);
    ck_assert_int_eq(patience, 1000);
    for (unsigned i = 0; i < sent; i++) { /* it reads: all is answered */
        ck_assert_int_eq(strncmp(server_hears(), "pong p", 6), 0);
    }
    web_server_say(other, "hello");
    ck_assert_str_eq(next_event().text, "hello");
}
END_TEST

START_TEST(a_peer_that_never_reads_loses_the_connection)
{
    char text[4096];
    struct socket_event event;

    memset(text, 't', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    httpd_keep_little(server);
    connect_both();
    for (unsigned i = 0; i < 10000 && !web_socket_next(client, &event); i++) {
        web_socket_send(client, text, sizeof text - 1);
    }
    ck_assert_int_eq(event.kind, SOCKET_CLOSED);
    ck_assert_str_eq(event.trouble,
                     "the other side does not read what is sent");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/web_socket");
    TCase *group = tcase_create("web_socket");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, it_asks_for_an_upgrade);
    tcase_add_test(group, an_address_that_must_not_be_used_is_refused);
    tcase_add_test(group, nobody_there_is_said);
    tcase_add_test(group, what_is_no_web_socket_is_said);
    tcase_add_test(group, a_wrong_answer_to_the_key_is_no_web_socket);
    tcase_add_test(group, an_endless_answer_is_no_web_socket);
    tcase_add_test(group, a_connection_cut_before_it_is_open_is_said);
    tcase_add_test(group, silence_ends_after_a_while);
    tcase_add_test(group, texts_go_both_ways_in_order);
    tcase_add_test(group, a_long_text_comes_whole);
    tcase_add_test(group, what_comes_with_the_upgrade_is_not_lost);
    tcase_add_test(group, the_token_goes_where_it_belongs);
    tcase_add_test(group, a_ping_is_answered);
    tcase_add_test(group, a_close_comes_with_its_code_behind_the_last_text);
    tcase_add_test(group, a_cut_has_no_code);
    tcase_add_test(group, bytes_that_are_no_frames_end_it);
    tcase_add_test(group, we_close_with_a_code);
    tcase_add_test(group, while_nobody_takes_texts_no_more_are_read);
    tcase_add_test(group, long_texts_that_nobody_takes_fill_no_memory);
    tcase_add_test(group, a_peer_that_does_not_read_is_not_read_either);
    tcase_add_test(group, a_peer_that_never_reads_loses_the_connection);
    suite_add_tcase(suite, group);
    return suite;
}
