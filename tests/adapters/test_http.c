/*
 * The HTTP client against a server in this process: whatever a service, or what
 * stands between, can do to a reply.
 *
 * The test is both ends: it lets each do what it can until what it waits for is
 * there.  Nothing sleeps; time that matters is handed in.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "adapters/http/http.h"
#include "bot/base/files.h"
#include "bot/base/version.h"
#include "tests/base/scratch.h"
#include "tests/support/httpd.h"
#include "tests/support/runner.h"

#define TOKEN "canary.T0ken_0f-the/acc0unt=="

enum {
    NOW = 1000000000,
    REQUESTS_MAX = 400
};

static const struct adapter plain = {
    .name = "plain", .token_header = "Authorization: Bearer %s"};

static struct httpd *server;
static struct http *http;
static struct service service;
static int64_t now;
static struct buf why;
/* Requests lie still until they are given back. */
static struct request requests[REQUESTS_MAX];
static unsigned asked;

static void
unset_proxies(void)
{
    static const char *const names[] = {
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
        "ALL_PROXY",  "no_proxy",    "NO_PROXY"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        (void)unsetenv(names[i]);
    }
}

static void
set_up(void)
{
    unset_proxies();
    server = httpd_new();
    http = http_new();
    service = (struct service){.adapter = &plain, .name = "plain"};
    snprintf(service.base, sizeof(service.base), "%s/base", httpd_url(server));
    http_set_token(http, "plain", TOKEN);
    now = NOW;
    asked = 0;
}

static void
tear_down(void)
{
    http_free(http);
    httpd_free(server);
    for (unsigned i = 0; i < asked; i++) {
        request_clear(&requests[i]);
    }
    buf_release(&why);
}

/* ---- both ends ----------------------------------------------------------- */

/* A request to be filled in, then asked. */
static struct request *
prepare(const char *method, const char *path)
{
    struct request *request = &requests[asked++];

    ck_assert_uint_le(asked, REQUESTS_MAX);
    *request = (struct request){.authorized = true};
    snprintf(request->method, sizeof(request->method), "%s", method);
    buf_addf(&request->url, "%s/base%s", httpd_url(server), path);
    return request;
}

static void
ask(struct request *request)
{
    ck_assert_msg(http_ask(http, &service, request, request, now, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
}

static struct request *
get(const char *path)
{
    struct request *request = prepare("GET", path);

    ask(request);
    return request;
}

/* Let both ends do what they can, waiting for it where there is nothing. */
static void
advance(void)
{
    http_work(http, now);
    http_wait(http, now, 10000, httpd_descriptor(server));
    httpd_work(server, 0);
}

/* All that can be done at once. */
static void
settle(void)
{
    for (int i = 0; i < 20; i++) {
        http_work(http, now);
        httpd_work(server, 1);
    }
}

/* The next request at the server. */
static struct httpd_request *
arrive(void)
{
    struct httpd_request *request = httpd_next(server);

    while (request == NULL) {
        advance();
        request = httpd_next(server);
    }
    return request;
}

static struct http_result *
come_back(void)
{
    struct http_result *result = NULL;

    while ((result = http_next(http)) == NULL) {
        advance();
    }
    return result;
}

/* Ask for a path and answer; the reply is the caller's. */
static struct http_result *
exchange(const char *path, int status, const char *headers, const char *body)
{
    get(path);
    httpd_answer(arrive(), status, headers, body);
    return come_back();
}

static bool
has_header(const struct httpd_request *request, const char *name,
           const char *expected)
{
    struct buf value = BUF_INIT;
    bool there = httpd_header(request, name, &value);

    if (expected != NULL && there) {
        ck_assert_str_eq(buf_text(&value), expected);
    }
    buf_release(&value);
    return there;
}

/* There is no reply, and the sentence says why. */
static void
assert_no_reply(struct http_result *result, const char *trouble)
{
    ck_assert_int_eq(result->reply.status, 0);
    ck_assert_uint_eq(result->reply.len, 0);
    ck_assert_int_eq(result->reply.retry_after, -1);
    ck_assert_ptr_nonnull(result->reply.trouble);
    ck_assert_msg(strstr(result->reply.trouble, trouble) != NULL, "%s",
                  result->reply.trouble);
    http_result_free(result);
}

/* ---- requests and replies ------------------------------------------------ */

START_TEST(a_reply_comes_back_with_its_status_headers_and_body)
{
    struct http_result *result = exchange(
        "/a?b=c", 201,
        "Date: Sun, 06 Nov 1994 08:49:37 GMT\nX-Mixed-CASE:  Some Value\n",
        "{\"a\":1}");
    struct buf value = BUF_INIT;

    ck_assert_int_eq(result->reply.status, 201);
    ck_assert_ptr_eq(result->owner, &requests[0]);
    ck_assert_uint_eq(result->reply.len, 7);
    ck_assert_mem_eq(result->reply.body, "{\"a\":1}", 7);
    ck_assert_int_eq(result->reply.date, 784111777000);
    ck_assert_int_eq(result->reply.retry_after, -1);
    ck_assert_ptr_null(result->reply.trouble);
    ck_assert(reply_header(&result->reply, "x-mixed-case", &value));
    ck_assert_str_eq(buf_text(&value), "Some Value");
    ck_assert(strstr(result->reply.headers, "HTTP/") == NULL);
    buf_release(&value);
    http_result_free(result);
}
END_TEST

START_TEST(a_request_says_what_it_is_and_who_asks)
{
    get("/a?b=c");
    struct httpd_request *request = arrive();

    ck_assert_str_eq(request->method, "GET");
    ck_assert_str_eq(buf_text(&request->target), "/base/a?b=c");
    ck_assert(has_header(request, "authorization", "Bearer " TOKEN));
    ck_assert(has_header(request, "accept-encoding", NULL));
    struct buf agent = BUF_INIT;
    ck_assert(httpd_header(request, "user-agent", &agent));
    ck_assert_int_eq(strncmp(buf_text(&agent), "placard (https://", 17), 0);
    ck_assert(!has_header(request, "content-type", NULL));
    ck_assert(!has_header(request, "content-length", NULL));
    ck_assert(!has_header(request, "cookie", NULL));
    buf_release(&agent);
}
END_TEST

START_TEST(methods_bodies_and_types_go_out_as_they_are)
{
    static const struct {
        const char *method, *type, *body, *length;
    } sent[] = {
        {"POST", "application/json", "{\"text\":\"a\\nb\"}", "15"},
        {"POST", "", "", "0"},
        {"PUT", "image/png", "\x89PNG", "4"},
        {"PUT", "", "", "0"},
        {"PATCH", "application/json", "{}", "2"},
        {"DELETE", "application/json", "{}", "2"},
        {"DELETE", "", "", NULL},
    };

    for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
        struct request *request = prepare(sent[i].method, "/x");
        snprintf(request->type, sizeof(request->type), "%s", sent[i].type);
        buf_add_text(&request->body, sent[i].body);
        ask(request);
        struct httpd_request *came = arrive();
        ck_assert_str_eq(came->method, sent[i].method);
        ck_assert_str_eq(buf_text(&came->body), sent[i].body);
        ck_assert(has_header(came, "content-type", sent[i].type) ==
                  (sent[i].type[0] != '\0'));
        ck_assert(has_header(came, "content-length", sent[i].length) ==
                  (sent[i].length != NULL));
        httpd_answer(came, 200, "", "");
        struct http_result *result = come_back();
        ck_assert_int_eq(result->reply.status, 200);
        http_result_free(result);
    }
}
END_TEST

START_TEST(a_large_body_goes_out_without_asking_for_leave)
{
    struct request *request = prepare("POST", "/x");
    struct buf body = BUF_INIT;

    for (int i = 0; i < 3000000; i++) {
        buf_add_char(&body, (char)('a' + i % 26));
    }
    buf_add_buf(&request->body, &body);
    ask(request);
    struct httpd_request *came = arrive();
    ck_assert_uint_eq(came->body.len, 3000000);
    ck_assert_mem_eq(came->body.data, body.data, 3000000);
    ck_assert(!has_header(came, "expect", NULL));
    buf_release(&body);
}
END_TEST

START_TEST(a_requests_own_headers_go_out)
{
    struct request *request = prepare("GET", "/x");

    buf_add_text(&request->headers, "Api-Username: system\nX-Two: 2\n");
    ask(request);
    struct httpd_request *came = arrive();
    ck_assert(has_header(came, "api-username", "system"));
    ck_assert(has_header(came, "x-two", "2"));
}
END_TEST

/* D "User Agent": DiscordBot ($url, $versionNumber). */
START_TEST(discord_sees_the_user_agent_that_it_asks_for)
{
    struct buf agent = BUF_INIT;

    buf_addf(&agent, "DiscordBot (%s, %s)", placard_url, placard_version);
    service.adapter = &adapter_discord;
    get("/x");
    ck_assert(has_header(arrive(), "user-agent", buf_text(&agent)));
    buf_release(&agent);
}
END_TEST

START_TEST(a_header_that_is_none_is_not_sent)
{
    static const char *const headers[] = {
        "X-A: 1\r\nX-B: 2\n", "X-A: 1\rX-B: 2\n", "X-A 1\n",    ": 1\n", "\n\n",
        " X-A: 1\n",          "X A: 1\n",         "X-A: \x01\n"};

    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        struct request *request = prepare("GET", "/x");
        buf_add_text(&request->headers, headers[i]);
        ck_assert_int_eq(http_ask(http, &service, request, NULL, now, &why),
                         ERR_CONFIG);
    }
    struct request *nul = prepare("GET", "/x");
    buf_add(&nul->headers, "X-A: 1\0: 2\n", 11);
    ck_assert_int_eq(http_ask(http, &service, nul, NULL, now, &why),
                     ERR_CONFIG);
    struct request *type = prepare("POST", "/x");
    snprintf(type->type, sizeof(type->type), "text/plain\r\nX-A: 1");
    ck_assert_int_eq(http_ask(http, &service, type, NULL, now, &why),
                     ERR_CONFIG);
    settle();
    ck_assert_ptr_null(httpd_next(server));
}
END_TEST

START_TEST(bytes_of_a_reply_come_as_they_are)
{
    get("/x");
    httpd_answer_bytes(arrive(), 200, "", "a\0b\xff", 4);
    struct http_result *result = come_back();

    ck_assert_uint_eq(result->reply.len, 4);
    ck_assert_mem_eq(result->reply.body, "a\0b\xff", 4);
    http_result_free(result);
}
END_TEST

START_TEST(a_packed_reply_is_unpacked)
{
    /* gzip of "packed" */
    static const unsigned char packed[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
        0x03, 0x2b, 0x48, 0x4c, 0xce, 0x4e, 0x4d, 0x01, 0x00,
        0x10, 0xb4, 0xf6, 0x21, 0x06, 0x00, 0x00, 0x00};

    get("/x");
    httpd_answer_bytes(arrive(), 200, "Content-Encoding: gzip\n", packed,
                       sizeof(packed));
    struct http_result *result = come_back();
    ck_assert_msg(result->reply.status == 200, "%s", result->reply.trouble);
    ck_assert_str_eq(result->reply.body, "packed");
    http_result_free(result);
}
END_TEST

START_TEST(interim_replies_leave_no_headers)
{
    static const char text[] = "HTTP/1.1 103 Early\r\nX-Early: yes\r\n\r\n"
                               "HTTP/1.1 200 OK\r\nX-Late: yes\r\n"
                               "Content-Length: 2\r\n\r\nok";

    get("/x");
    struct httpd_request *request = arrive();
    httpd_send(request, text, sizeof(text) - 1);
    httpd_done(request);
    struct http_result *result = come_back();
    ck_assert_int_eq(result->reply.status, 200);
    ck_assert(strstr(result->reply.headers, "x-early") == NULL);
    ck_assert(strstr(result->reply.headers, "x-late: yes\n") != NULL);
    http_result_free(result);
}
END_TEST

/* ---- replies that are not what they should be ---------------------------- */

START_TEST(whatever_status_and_type_comes_is_passed_on)
{
    static const struct {
        int status;
        const char *headers, *body;
    } replies[] = {
        {500, "", "oops"},
        {502, "Content-Type: text/html\n", "<html>Bad gateway</html>"},
        {200, "Content-Type: text/html\n", "<html>Log in</html>"},
        {200, "Content-Type: image/png\n", "{}"},
        {401, "WWW-Authenticate: Basic realm=\"x\"\n", "{}"},
        {407, "Proxy-Authenticate: Basic\n", ""},
        {404, "", ""},
    };

    for (size_t i = 0; i < sizeof(replies) / sizeof(replies[0]); i++) {
        struct http_result *result = exchange(
            "/x", replies[i].status, replies[i].headers, replies[i].body);
        ck_assert_int_eq(result->reply.status, replies[i].status);
        ck_assert_str_eq(result->reply.body, replies[i].body);
        http_result_free(result);
    }
    /* None of them was tried again. */
    settle();
    ck_assert_uint_eq(httpd_count(server),
                      sizeof(replies) / sizeof(replies[0]));
}
END_TEST

START_TEST(a_reply_cut_short_is_none)
{
    static const char *const cut[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\"",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nrot!",
        "SSH-2.0-OpenSSH_9.2\r\n",
        "\r\n\r\n",
        "{\"posts\":[]}",
        "",
    };

    for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
        get("/x");
        struct httpd_request *request = arrive();
        httpd_send(request, cut[i], strlen(cut[i]));
        httpd_hang_up(request);
        struct http_result *result = come_back();
        ck_assert_msg(result->reply.status == 0, "%s", cut[i]);
        assert_no_reply(result, "");
    }
}
END_TEST

/* libcurl sends a request again that it has sent on a connection that was left
 * open, when that is closed without an answer. */
START_TEST(what_may_have_been_done_is_not_done_again)
{
    struct http_result *first = exchange("/x", 200, "", "");

    http_result_free(first);
    ask(prepare("POST", "/posts"));
    httpd_hang_up(arrive());
    struct http_result *result = come_back();

    assert_no_reply(result, "");
    ck_assert_uint_eq(httpd_count(server), 2);
}
END_TEST

START_TEST(a_redirect_is_not_followed)
{
    struct httpd *other = httpd_new();
    struct buf header = BUF_INIT;

    buf_addf(&header, "Location: %s/base/elsewhere\n", httpd_url(other));
    struct http_result *result = exchange("/x", 302, buf_text(&header), "");
    ck_assert_int_eq(result->reply.status, 302);
    http_result_free(result);
    settle();
    httpd_work(other, 0);
    ck_assert_ptr_null(httpd_next(other));
    ck_assert_uint_eq(httpd_open(other), 0);
    ck_assert_uint_eq(httpd_count(server), 1);
    buf_release(&header);
    httpd_free(other);
}
END_TEST

START_TEST(a_reply_that_does_not_come_is_given_up)
{
    struct request *request = prepare("GET", "/x");

    request->timeout = 50;
    ask(request);
    struct httpd_request *came = arrive();
    httpd_send(came, "HTTP/1.1 200 OK\r\n", 17);
    struct http_result *result = come_back();
    assert_no_reply(result, "did not answer in time");
    while (!came->gone) {
        advance();
    }
}
END_TEST

START_TEST(a_reply_of_eight_megabytes_is_the_longest)
{
    char *body = must_alloc(REPLY_MAX + 1);

    memset(body, 'x', REPLY_MAX);
    get("/x");
    httpd_answer_bytes(arrive(), 200, "", body, REPLY_MAX);
    struct http_result *result = come_back();
    ck_assert_int_eq(result->reply.status, 200);
    ck_assert_uint_eq(result->reply.len, REPLY_MAX);
    http_result_free(result);
    get("/x");
    httpd_answer_bytes(arrive(), 200, "", body, REPLY_MAX + 1);
    result = come_back();
    assert_no_reply(result, "longer than 8388608 bytes");
    free(body);
}
END_TEST

START_TEST(a_reply_without_end_is_given_up)
{
    enum {
        CHUNK = 0x10000
    };
    char *chunk = must_alloc(CHUNK);
    struct http_result *result = NULL;

    memset(chunk, 'x', CHUNK);
    get("/x");
    struct httpd_request *request = arrive();
    httpd_send(request, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
               47);
    while ((result = http_next(http)) == NULL) {
        if (httpd_unsent(request) == 0) {
            httpd_send(request, "10000\r\n", 7);
            httpd_send(request, chunk, CHUNK);
            httpd_send(request, "\r\n", 2);
        }
        http_work(http, now);
        httpd_work(server, 0);
    }
    assert_no_reply(result, "longer than 8388608 bytes");
    free(chunk);
}
END_TEST

START_TEST(a_flood_of_headers_is_given_up)
{
    struct buf header = BUF_INIT;
    struct http_result *result = NULL;

    buf_add_text(&header, "X-Flood: ");
    for (int i = 0; i < 5000; i++) {
        buf_add_char(&header, 'x');
    }
    buf_add_text(&header, "\r\n");
    get("/x");
    struct httpd_request *request = arrive();
    httpd_send(request, "HTTP/1.1 200 OK\r\n", 17);
    while ((result = http_next(http)) == NULL) {
        if (httpd_unsent(request) == 0) {
            httpd_send(request, buf_text(&header), header.len);
        }
        http_work(http, now);
        httpd_work(server, 0);
    }
    assert_no_reply(result, "header");
    buf_release(&header);
}
END_TEST

START_TEST(a_small_reply_that_unpacks_without_end_is_given_up)
{
    struct buf packed = BUF_INIT;
    char chunk[4096];
    size_t got = 0;
    FILE *pipe = popen("head -c 20000000 /dev/zero | gzip", "r");

    ck_assert_ptr_nonnull(pipe);
    while ((got = fread(chunk, 1, sizeof(chunk), pipe)) > 0) {
        buf_add(&packed, chunk, got);
    }
    ck_assert_int_eq(pclose(pipe), 0);
    ck_assert_uint_lt(packed.len, 100000);
    get("/x");
    httpd_answer_bytes(arrive(), 200, "Content-Encoding: gzip\n", packed.data,
                       packed.len);
    struct http_result *result = come_back();
    assert_no_reply(result, "longer than 8388608 bytes");
    buf_release(&packed);
}
END_TEST

START_TEST(nobody_at_the_address_is_no_reply)
{
    struct httpd *gone = httpd_new();
    struct request *request = prepare("GET", "/x");

    buf_clear(&request->url);
    buf_addf(&request->url, "%s/x", httpd_url(gone));
    snprintf(service.base, sizeof(service.base), "%s", httpd_url(gone));
    httpd_free(gone);
    ask(request);
    struct http_result *result = come_back();
    assert_no_reply(result, "127.0.0.1 can't be reached");
}
END_TEST

START_TEST(a_name_that_is_not_known_is_no_reply)
{
    struct request *request = prepare("GET", "/x");

    /* Longer than a name's part may be: no name service need be asked. */
    snprintf(service.base, sizeof(service.base),
             "https://%070d.placard.invalid", 1);
    buf_clear(&request->url);
    buf_addf(&request->url, "%s/x", service.base);
    ask(request);
    struct http_result *result = come_back();
    assert_no_reply(result, "no address is known for 0000");
}
END_TEST

/* ---- addresses ----------------------------------------------------------- */

START_TEST(only_encrypted_addresses_and_this_machine_are_asked)
{
    static const char *const refused[] = {
        "http://forum.example/x",
        "http://128.0.0.1/x",
        "http://10.127.0.1/x",
        "http://127.0.0.1.example/x",
        "http://localhost.example/x",
        "http://localhost@forum.example/x",
        "http://[::2]/x",
        "http://0.0.0.0/x",
        "ftp://127.0.0.1/x",
        "file:///etc/passwd",
        "gopher://127.0.0.1/x",
        "https://user:password@forum.example/x",
        "https://user@forum.example/x",
        "https://",
        "forum.example/x",
        "/x",
        "",
        "https://forum.example/a b",
        "https://forum.example/a\r\nX-A: 1",
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct request *request = prepare("GET", "");
        request->authorized = false;
        buf_clear(&request->url);
        buf_add_text(&request->url, refused[i]);
        ck_assert_msg(http_ask(http, &service, request, NULL, now, &why) ==
                          ERR_CONFIG,
                      "%s", refused[i]);
        ck_assert_uint_gt(why.len, 0);
        buf_clear(&why);
    }
}
END_TEST

START_TEST(this_machine_is_asked_by_any_of_its_names)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "LocalHost",
                                        "127.1.2.3"};
    const char *port = strrchr(httpd_url(server), ':');

    for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
        struct request *request = prepare("GET", "");
        request->authorized = false;
        buf_clear(&request->url);
        buf_addf(&request->url, "http://%s%s/x", hosts[i], port);
        ask(request);
    }
    struct request *six = prepare("GET", "");
    six->authorized = false;
    buf_clear(&six->url);
    buf_addf(&six->url, "http://[::1]%s/x", port);
    ask(six);
}
END_TEST

/* ---- the token ----------------------------------------------------------- */

static const struct {
    const char *base, *url;
} elsewhere[] = {
    {"https://a.example", "https://a.example.evil/x"},
    {"https://a.example", "https://a.example:444/x"},
    {"https://a.example", "https://b.a.example/x"},
    {"https://a.example", "https://a.exampl/x"},
    {"https://a.example:8448", "https://a.example/x"},
    {"https://127.0.0.1", "http://127.0.0.1/x"},
    {"http://127.0.0.1:8008", "http://127.0.0.1:8009/x"},
    {"http://127.0.0.1:8008", "http://localhost:8008/x"},
    {"https://a.example/forum", "https://a.example/"},
    {"https://a.example/forum", "https://a.example/forums"},
    {"https://a.example/forum", "https://a.example/x/forum"},
    {"https://a.example/forum", "https://a.example/forum/../x"},
    {"https://a.example/forum", "https://a.example/Forum/x"},
    {"nonsense", "https://a.example/x"},
};

START_TEST(the_token_goes_nowhere_but_to_the_services_address)
{
    struct request *request = prepare("GET", "");

    snprintf(service.base, sizeof(service.base), "%s", elsewhere[_i].base);
    buf_clear(&request->url);
    buf_add_text(&request->url, elsewhere[_i].url);
    ck_assert_msg(http_ask(http, &service, request, NULL, now, &why) ==
                      ERR_CONFIG,
                  "%s", elsewhere[_i].url);
    ck_assert(strstr(buf_text(&why), TOKEN) == NULL);
    /* Without the token it may be asked. */
    request = prepare("GET", "");
    request->authorized = false;
    buf_clear(&request->url);
    buf_add_text(&request->url, elsewhere[_i].url);
    ck_assert_int_eq(http_ask(http, &service, request, NULL, now, &why),
                     ERR_NONE);
}
END_TEST

START_TEST(all_below_the_services_address_may_see_the_token)
{
    static const struct {
        const char *base, *url;
    } below[] = {
        {"https://a.example", "https://a.example/x?y=z"},
        {"https://a.example", "https://a.example"},
        {"https://a.example", "https://a.example?y"},
        {"https://a.example", "https://A.Example:443/x"},
        {"https://a.example/", "https://a.example/x"},
        {"https://a.example:443", "https://a.example/x"},
        {"https://a.example/forum", "https://a.example/forum/x"},
        {"https://a.example/forum/", "https://a.example/forum/x"},
        {"https://a.example/forum", "https://a.example/forum?x"},
    };

    for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
        struct request *request = prepare("GET", "");
        snprintf(service.base, sizeof(service.base), "%s", below[i].base);
        buf_clear(&request->url);
        buf_add_text(&request->url, below[i].url);
        ck_assert_msg(http_ask(http, &service, request, NULL, now, &why) ==
                          ERR_NONE,
                      "%s: %s", below[i].url, buf_text(&why));
    }
}
END_TEST

START_TEST(only_an_authorized_request_has_the_token)
{
    struct request *request = prepare("GET", "/x");

    request->authorized = false;
    ask(request);
    struct httpd_request *came = arrive();
    ck_assert(!has_header(came, "authorization", NULL));
    ck_assert(strstr(buf_text(&came->headers), TOKEN) == NULL);
}
END_TEST

START_TEST(the_token_is_in_the_adapters_header)
{
    static const struct adapter keyed = {.name = "keyed",
                                         .token_header = "Api-Key: %s"};
    static const struct adapter bare = {.name = "bare", .token_header = NULL};

    service.adapter = &keyed;
    get("/x");
    struct httpd_request *came = arrive();
    ck_assert(has_header(came, "api-key", TOKEN));
    ck_assert(!has_header(came, "authorization", NULL));
    service.adapter = &bare;
    get("/x");
    ck_assert(strstr(buf_text(&arrive()->headers), TOKEN) == NULL);
}
END_TEST

START_TEST(a_token_may_be_a_part_of_the_address)
{
    static const struct adapter bare = {.name = "bare"};

    service.adapter = &bare;
    http_set_token(http, "plain", "12-a_b");
    get("/bot%s/x?y=%25s");
    struct httpd_request *came = arrive();
    ck_assert_str_eq(buf_text(&came->target), "/base/bot12-a_b/x?y=%25s");
    ck_assert(strstr(buf_text(&came->headers), "12-a_b") == NULL);
    /* Why no reply comes is told without it. */
    httpd_hang_up(came);
    struct http_result *result = come_back();
    ck_assert(strstr(result->reply.trouble, "12-a_b") == NULL);
    assert_no_reply(result, "");
    /* It stays one part, whatever is in it. */
    http_set_token(http, "plain", "12:a/../b?c");
    get("/bot%s/x");
    ck_assert_str_eq(buf_text(&arrive()->target),
                     "/base/bot12%3Aa%2F..%2Fb%3Fc/x");
    /* What is not to have it does not. */
    struct request *request = prepare("GET", "/bot%s/x");
    request->authorized = false;
    ask(request);
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/bot%s/x");
}
END_TEST

/* As it stands in documentation: "Authorization: Bot TOKEN". */
START_TEST(a_token_that_was_pasted_with_its_word_is_sent_with_one)
{
    http_set_token(http, "plain", "Bearer " TOKEN);
    get("/x");
    ck_assert(has_header(arrive(), "authorization", "Bearer " TOKEN));
    http_set_token(http, "plain", "Bearer");
    get("/y");
    ck_assert(has_header(arrive(), "authorization", "Bearer Bearer"));
}
END_TEST

START_TEST(a_token_is_used_from_when_it_is_told)
{
    http_set_token(http, "plain", "");
    get("/x");
    ck_assert(!has_header(arrive(), "authorization", NULL));
    get("/y");
    http_set_token(http, "plain", "new");
    ck_assert(has_header(arrive(), "authorization", "Bearer new"));
}
END_TEST

START_TEST(a_token_that_would_break_a_header_is_not_used)
{
    http_set_token(http, "plain", "a\r\nX-A: 1");
    get("/x");
    struct httpd_request *came = arrive();
    ck_assert(!has_header(came, "authorization", NULL));
    ck_assert(!has_header(came, "x-a", NULL));
}
END_TEST

START_TEST(each_service_has_its_own_token)
{
    struct service second = service;

    snprintf(second.name, sizeof(second.name), "second");
    http_set_token(http, "second", "another");
    struct request *request = prepare("GET", "/second");
    ck_assert_int_eq(http_ask(http, &second, request, request, now, &why),
                     ERR_NONE);
    ck_assert(has_header(arrive(), "authorization", "Bearer another"));
    get("/first");
    ck_assert(has_header(arrive(), "authorization", "Bearer " TOKEN));
}
END_TEST

/* ---- proxies ------------------------------------------------------------- */

START_TEST(what_is_not_encrypted_goes_past_every_proxy)
{
    struct httpd *proxy = httpd_new();

    ck_assert_int_eq(setenv("http_proxy", httpd_url(proxy), 1), 0);
    ck_assert_int_eq(setenv("all_proxy", httpd_url(proxy), 1), 0);
    get("/x");
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/x");
    httpd_work(proxy, 0);
    ck_assert_uint_eq(httpd_open(proxy), 0);
    httpd_free(proxy);
}
END_TEST

START_TEST(a_proxy_learns_where_but_not_the_token)
{
    struct request *request = prepare("GET", "");

    ck_assert_int_eq(setenv("https_proxy", httpd_url(server), 1), 0);
    snprintf(service.base, sizeof(service.base), "https://forum.example");
    buf_clear(&request->url);
    buf_addf(&request->url, "%s/x", service.base);
    ask(request);
    struct httpd_request *came = arrive();
    ck_assert_str_eq(came->method, "CONNECT");
    ck_assert_str_eq(buf_text(&came->target), "forum.example:443");
    ck_assert(strstr(buf_text(&came->headers), TOKEN) == NULL);
    httpd_answer(came, 403, "", "no");
    struct http_result *result = come_back();
    assert_no_reply(result, "");
}
END_TEST

/* ---- side by side -------------------------------------------------------- */

START_TEST(hundreds_run_side_by_side_on_four_connections)
{
    struct http_result *result = NULL;
    unsigned back = 0;
    char path[24];

    for (int i = 0; i < 300; i++) {
        snprintf(path, sizeof(path), "/%d", i);
        get(path);
    }
    while (back < 300) {
        struct httpd_request *request = NULL;
        advance();
        while ((request = httpd_next(server)) != NULL) {
            ck_assert_uint_le(request->connection, SIDE_BY_SIDE_1);
            httpd_answer(request, 200, "", buf_text(&request->target));
        }
        while ((result = http_next(http)) != NULL) {
            const struct request *owner = result->owner;
            ck_assert_int_eq(result->reply.status, 200);
            snprintf(path, sizeof(path), "/base/%d", (int)(owner - requests));
            ck_assert_str_eq(result->reply.body, path);
            http_result_free(result);
            back++;
        }
    }
    ck_assert_uint_le(httpd_open(server), SIDE_BY_SIDE_1);
}
END_TEST

/* Four requests that are not answered fill the connections. */
static struct httpd_request *
fill(void)
{
    struct httpd_request *first = NULL;

    for (int i = 0; i < SIDE_BY_SIDE_1; i++) {
        get("/fills");
    }
    first = arrive();
    for (int i = 1; i < SIDE_BY_SIDE_1; i++) {
        (void)arrive();
    }
    return first;
}

START_TEST(a_fifth_request_waits_for_a_connection)
{
    struct httpd_request *first = fill();

    get("/fifth");
    settle();
    ck_assert_ptr_null(httpd_next(server));
    httpd_answer(first, 200, "", "");
    struct httpd_request *fifth = arrive();
    ck_assert_str_eq(buf_text(&fifth->target), "/base/fifth");
    ck_assert_uint_eq(fifth->connection, first->connection);
}
END_TEST

START_TEST(of_those_that_wait_the_urgent_go_first)
{
    struct httpd_request *first = fill();

    get("/patient");
    struct request *urgent = prepare("GET", "/urgent");
    urgent->urgent = true;
    ask(urgent);
    get("/patient");
    httpd_answer(first, 200, "", "");
    struct httpd_request *next = arrive();
    ck_assert_str_eq(buf_text(&next->target), "/base/urgent");
    httpd_answer(next, 200, "", "");
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/patient");
}
END_TEST

START_TEST(while_an_urgent_one_is_under_way_nothing_else_is_sent)
{
    struct request *urgent = prepare("GET", "/urgent");
    struct request *step = prepare("GET", "/urgent/next");

    urgent->urgent = true;
    step->urgent = true;
    ask(urgent);
    struct httpd_request *first = arrive();
    get("/patient");
    settle();
    ck_assert_ptr_null(httpd_next(server));
    ask(step);
    struct httpd_request *second = arrive();
    ck_assert_str_eq(buf_text(&second->target), "/base/urgent/next");
    httpd_answer(first, 200, "", "");
    settle();
    ck_assert_ptr_null(httpd_next(server));
    httpd_answer(second, 200, "", "");
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/patient");
}
END_TEST

START_TEST(a_long_poll_holds_up_nothing)
{
    struct request *poll = prepare("GET", "/sync");
    struct http_result *result = NULL;

    poll->long_poll = true;
    poll->timeout = 60000;
    ask(poll);
    struct httpd_request *held = arrive();
    for (int i = 0; i < 40; i++) {
        get("/send");
    }
    for (int i = 0; i < 40; i++) {
        struct httpd_request *came = arrive();
        ck_assert_uint_ne(came->connection, held->connection);
        httpd_answer(came, 200, "", "sent");
    }
    for (int i = 0; i < 40; i++) {
        result = come_back();
        ck_assert_str_eq(result->reply.body, "sent");
        http_result_free(result);
    }
    httpd_answer(held, 200, "", "news");
    result = come_back();
    ck_assert_ptr_eq(result->owner, poll);
    ck_assert_str_eq(result->reply.body, "news");
    http_result_free(result);
}
END_TEST

START_TEST(a_long_poll_has_its_own_time)
{
    struct request *poll = prepare("GET", "/sync");
    struct request *quick = prepare("GET", "/quick");

    poll->long_poll = true;
    poll->timeout = 60000;
    quick->timeout = 50;
    ask(poll);
    (void)arrive();
    ask(quick);
    struct http_result *result = come_back();
    ck_assert_ptr_eq(result->owner, quick);
    assert_no_reply(result, "in time");
}
END_TEST

/* ---- rate limits --------------------------------------------------------- */

static struct request *
get_by(const char *path, const char *route)
{
    struct request *request = prepare("GET", path);

    snprintf(request->route, sizeof(request->route), "%s", route);
    ask(request);
    return request;
}

START_TEST(what_has_to_wait_waits_here_and_holds_up_nothing)
{
    get_by("/a", "GET /a");
    httpd_answer(arrive(), 429, "Retry-After: 600\n", "slow down");
    struct http_result *result = come_back();
    ck_assert_int_eq(result->reply.status, 429);
    ck_assert_int_eq(result->reply.retry_after, 600000);
    ck_assert_str_eq(result->reply.body, "slow down");
    http_result_free(result);

    get_by("/a", "GET /a");
    get_by("/b", "GET /b");
    struct httpd_request *came = arrive();
    ck_assert_str_eq(buf_text(&came->target), "/base/b");
    httpd_answer(came, 200, "", "");
    result = come_back();
    http_result_free(result);
    now += 600000 - 1;
    settle();
    ck_assert_ptr_null(httpd_next(server));
    now += 1;
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/a");
}
END_TEST

START_TEST(a_limit_is_that_of_one_service)
{
    struct service second = service;

    get_by("/a", "GET /a");
    httpd_answer(arrive(), 429, "Retry-After: 3600\nX-RateLimit-Global: true\n",
                 "");
    struct http_result *result = come_back();
    http_result_free(result);
    get_by("/a", "GET /b");
    snprintf(second.name, sizeof(second.name), "second");
    struct request *request = prepare("GET", "/second");
    ck_assert_int_eq(http_ask(http, &second, request, request, now, &why),
                     ERR_NONE);
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/second");
    settle();
    ck_assert_ptr_null(httpd_next(server));
}
END_TEST

START_TEST(the_client_wakes_when_a_limit_is_over)
{
    get_by("/a", "GET /a");
    httpd_answer(arrive(), 429, "Retry-After: 0.02\n", "");
    struct http_result *result = come_back();
    http_result_free(result);
    get_by("/a", "GET /a");
    http_work(http, now);
    /* An hour's patience: were it used up, the test would run out of time. */
    http_wait(http, now, 3600000, -1);
    now += 20;
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/a");
}
END_TEST

START_TEST(a_clock_set_back_keeps_nothing_waiting)
{
    get_by("/a", "GET /a");
    httpd_answer(arrive(), 429, "Retry-After: 10\n", "");
    struct http_result *result = come_back();
    http_result_free(result);
    get_by("/a", "GET /a");
    now -= 1000000;
    settle();
    ck_assert_ptr_null(httpd_next(server));
    now += 10000;
    ck_assert_str_eq(buf_text(&arrive()->target), "/base/a");
}
END_TEST

/* ---- ending -------------------------------------------------------------- */

START_TEST(what_is_under_way_is_broken_off_at_the_end)
{
    struct httpd_request *first = fill();

    get("/waits");
    httpd_answer(first, 200, "", "nobody fetches this");
    advance();
    advance();
    struct request *poll = prepare("GET", "/sync");
    poll->long_poll = true;
    ask(poll);
    http_work(http, now);
    http_free(http);
    http = http_new();
    while (httpd_open(server) > 0) {
        httpd_work(server, 1000);
    }
    http_free(NULL);
}
END_TEST

/* ---- certificates -------------------------------------------------------- */

/* A program that serves TLS with a certificate that nobody has signed. */
struct impostor {
    pid_t process;
    int input; /* open, for it ends where that ends */
    FILE *output;
    int port;
};

static bool
openssl_is_there(void)
{
    return system("openssl version >/dev/null 2>&1") == 0;
}

static void
impostor_start(struct impostor *impostor)
{
    struct buf command = BUF_INIT;
    char line[256];
    int ends[2];
    int input[2];

    buf_addf(&command,
             "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "
             "/CN=localhost -addext subjectAltName=DNS:localhost -keyout "
             "%s/key.pem -out %s/cert.pem 2>/dev/null",
             scratch, scratch);
    ck_assert_int_eq(system(buf_text(&command)), 0);
    buf_release(&command);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pipe(input), 0);
    impostor->process = fork();
    ck_assert_int_ge(impostor->process, 0);
    if (impostor->process == 0) {
        (void)dup2(input[0], STDIN_FILENO);
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(input[1]);
        (void)execlp("openssl", "openssl", "s_server", "-accept", "127.0.0.1:0",
                     "-cert", scratch_path("cert.pem"), "-key",
                     scratch_path("key.pem"), "-naccept", "1", (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    (void)close(input[0]);
    impostor->input = input[1];
    impostor->output = fdopen(ends[0], "r");
    impostor->port = 0;
    /* It says where: "ACCEPT 127.0.0.1:4711". */
    while (impostor->port == 0 &&
           fgets(line, sizeof(line), impostor->output) != NULL) {
        const char *colon = strrchr(line, ':');
        if (strncmp(line, "ACCEPT", 6) == 0 && colon != NULL) {
            impostor->port = (int)strtol(colon + 1, NULL, 10);
        }
    }
    ck_assert_int_gt(impostor->port, 0);
}

/* All that it has read and said. */
static void
impostor_end(struct impostor *impostor, struct buf *output)
{
    char chunk[4096];
    size_t got = 0;

    (void)kill(impostor->process, SIGTERM);
    (void)close(impostor->input);
    while ((got = fread(chunk, 1, sizeof(chunk), impostor->output)) > 0) {
        buf_add(output, chunk, got);
    }
    (void)fclose(impostor->output);
    (void)waitpid(impostor->process, NULL, 0);
}

START_TEST(a_certificate_that_nobody_trusts_is_not_talked_to)
{
    struct impostor impostor;
    struct buf output = BUF_INIT;

    if (!openssl_is_there()) {
        fprintf(stderr, "skipped: there is no program openssl\n");
        return;
    }
    scratch_make();
    impostor_start(&impostor);
    struct request *request = prepare("GET", "");
    snprintf(service.base, sizeof(service.base), "https://localhost:%d",
             impostor.port);
    buf_clear(&request->url);
    buf_addf(&request->url, "%s/x", service.base);
    ask(request);
    struct http_result *result = come_back();
    assert_no_reply(result,
                    "the certificate of localhost is not to be trusted");
    impostor_end(&impostor, &output);
    ck_assert(strstr(buf_text(&output), "GET /x") == NULL);
    ck_assert(strstr(buf_text(&output), TOKEN) == NULL);
    buf_release(&output);
    scratch_remove();
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/http");
    TCase *tcase = tcase_create("http");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_reply_comes_back_with_its_status_headers_and_body);
    tcase_add_test(tcase, a_request_says_what_it_is_and_who_asks);
    tcase_add_test(tcase, methods_bodies_and_types_go_out_as_they_are);
    tcase_add_test(tcase, a_large_body_goes_out_without_asking_for_leave);
    tcase_add_test(tcase, a_requests_own_headers_go_out);
    tcase_add_test(tcase, discord_sees_the_user_agent_that_it_asks_for);
    tcase_add_test(tcase, a_header_that_is_none_is_not_sent);
    tcase_add_test(tcase, bytes_of_a_reply_come_as_they_are);
    tcase_add_test(tcase, a_packed_reply_is_unpacked);
    tcase_add_test(tcase, interim_replies_leave_no_headers);
    tcase_add_test(tcase, whatever_status_and_type_comes_is_passed_on);
    tcase_add_test(tcase, a_reply_cut_short_is_none);
    tcase_add_test(tcase, what_may_have_been_done_is_not_done_again);
    tcase_add_test(tcase, a_redirect_is_not_followed);
    tcase_add_test(tcase, a_reply_that_does_not_come_is_given_up);
    tcase_add_test(tcase, a_reply_of_eight_megabytes_is_the_longest);
    tcase_add_test(tcase, a_reply_without_end_is_given_up);
    tcase_add_test(tcase, a_flood_of_headers_is_given_up);
    tcase_add_test(tcase, a_small_reply_that_unpacks_without_end_is_given_up);
    tcase_add_test(tcase, nobody_at_the_address_is_no_reply);
    tcase_add_test(tcase, a_name_that_is_not_known_is_no_reply);
    tcase_add_test(tcase, only_encrypted_addresses_and_this_machine_are_asked);
    tcase_add_test(tcase, this_machine_is_asked_by_any_of_its_names);
    tcase_add_loop_test(tcase,
                        the_token_goes_nowhere_but_to_the_services_address, 0,
                        sizeof(elsewhere) / sizeof(elsewhere[0]));
    tcase_add_test(tcase, all_below_the_services_address_may_see_the_token);
    tcase_add_test(tcase, only_an_authorized_request_has_the_token);
    tcase_add_test(tcase, the_token_is_in_the_adapters_header);
    tcase_add_test(tcase, a_token_may_be_a_part_of_the_address);
    tcase_add_test(tcase,
                   a_token_that_was_pasted_with_its_word_is_sent_with_one);
    tcase_add_test(tcase, a_token_is_used_from_when_it_is_told);
    tcase_add_test(tcase, a_token_that_would_break_a_header_is_not_used);
    tcase_add_test(tcase, each_service_has_its_own_token);
    tcase_add_test(tcase, what_is_not_encrypted_goes_past_every_proxy);
    tcase_add_test(tcase, a_proxy_learns_where_but_not_the_token);
    tcase_add_test(tcase, hundreds_run_side_by_side_on_four_connections);
    tcase_add_test(tcase, a_fifth_request_waits_for_a_connection);
    tcase_add_test(tcase, of_those_that_wait_the_urgent_go_first);
    tcase_add_test(tcase,
                   while_an_urgent_one_is_under_way_nothing_else_is_sent);
    tcase_add_test(tcase, a_long_poll_holds_up_nothing);
    tcase_add_test(tcase, a_long_poll_has_its_own_time);
    tcase_add_test(tcase, what_has_to_wait_waits_here_and_holds_up_nothing);
    tcase_add_test(tcase, a_limit_is_that_of_one_service);
    tcase_add_test(tcase, the_client_wakes_when_a_limit_is_over);
    tcase_add_test(tcase, a_clock_set_back_keeps_nothing_waiting);
    tcase_add_test(tcase, what_is_under_way_is_broken_off_at_the_end);
    tcase_add_test(tcase, a_certificate_that_nobody_trusts_is_not_talked_to);
    suite_add_tcase(suite, tcase);
    return suite;
}
