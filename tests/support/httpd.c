#include "tests/support/httpd.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"

enum {
    REQUEST_MAX = 16 << 20,
    EVENTS = 64
};

struct connection {
    struct connection *next;
    struct httpd *httpd;
    int socket; /* -1: closed */
    unsigned number;
    struct buf in, out;
    size_t out_done;               /* bytes of `out` that are out */
    struct httpd_request *request; /* under way; NULL: none */
    bool ending;                   /* closed when all is out */
};

/* A request, and where it stands. */
struct hosted_table {
    struct hosted_table *next;
    struct connection *connection;
    struct httpd_request request;
};

struct httpd {
    int listener, epoll;
    char url[64];
    unsigned connection_count, open, given;
    struct connection *connections;
    struct hosted_table *first, **last, *next; /* `next`: to be given */
};

/* ---- opening and closing ------------------------------------------------- */

static void
watch(const struct httpd *httpd, int operation, int socket, uint32_t events,
      void *what)
{
    struct epoll_event event = {.events = events, .data.ptr = what};

    ck_assert_int_eq(epoll_ctl(httpd->epoll, operation, socket, &event), 0);
}

struct httpd *
httpd_new(void)
{
    struct httpd *httpd = must_alloc(sizeof(*httpd));
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    httpd->last = &httpd->first;
    httpd->epoll = epoll_create1(EPOLL_CLOEXEC);
    httpd->listener =
        socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(httpd->listener, 0);
    ck_assert_int_eq(
        bind(httpd->listener, (struct sockaddr *)&address, sizeof(address)), 0);
    ck_assert_int_eq(listen(httpd->listener, 512), 0);
    ck_assert_int_eq(
        getsockname(httpd->listener, (struct sockaddr *)&address, &size), 0);
    snprintf(httpd->url, sizeof(httpd->url), "http://127.0.0.1:%u",
             (unsigned)ntohs(address.sin_port));
    watch(httpd, EPOLL_CTL_ADD, httpd->listener, EPOLLIN, NULL);
    return httpd;
}

static void
close_connection(struct connection *connection)
{
    if (connection->socket >= 0) {
        (void)close(connection->socket);
        connection->socket = -1;
        connection->httpd->open--;
    }
    if (connection->request != NULL) {
        connection->request->gone = !connection->request->answered;
        connection->request = NULL;
    }
}

void
httpd_free(struct httpd *httpd)
{
    while (httpd->connections != NULL) {
        struct connection *connection = httpd->connections;
        httpd->connections = connection->next;
        close_connection(connection);
        buf_release(&connection->in);
        buf_release(&connection->out);
        free(connection);
    }
    while (httpd->first != NULL) {
        struct hosted_table *entry = httpd->first;
        httpd->first = entry->next;
        buf_release(&entry->request.target);
        buf_release(&entry->request.headers);
        buf_release(&entry->request.body);
        free(entry);
    }
    (void)close(httpd->listener);
    (void)close(httpd->epoll);
    free(httpd);
}

/* ---- taking in ----------------------------------------------------------- */

static void
take_connections(struct httpd *httpd)
{
    int socket = 0;

    /* accept4 is not POSIX; a test's server may be inherited. */
    while ((socket = accept(httpd->listener, NULL, NULL)) >= 0) {
        /* What is sent goes out at once, whatever the client has confirmed. */
        int at_once = 1;
        (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once,
                         sizeof at_once);
        struct connection *connection = must_alloc(sizeof(*connection));
        connection->httpd = httpd;
        connection->socket = socket;
        connection->number = ++httpd->connection_count;
        buf_init(&connection->in, REQUEST_MAX);
        connection->next = httpd->connections;
        httpd->connections = connection;
        httpd->open++;
        watch(httpd, EPOLL_CTL_ADD, socket, EPOLLIN, connection);
    }
}

/* Append the lines of a head, names in lower case. */
static void
take_headers(const char *at, const char *end, struct buf *out)
{
    while (at < end) {
        size_t len = strcspn(at, "\r\n");
        size_t name = strcspn(at, ":");
        ck_assert_uint_lt(name, len);
        for (size_t i = 0; i < len; i++) {
            buf_add_char(
                out, (char)(i < name ? tolower((unsigned char)at[i]) : at[i]));
        }
        buf_add_char(out, '\n');
        at += len + 2;
    }
}

bool
httpd_header(const struct httpd_request *request, const char *name,
             struct buf *value)
{
    const char *line = buf_text(&request->headers);
    size_t len = strlen(name);

    while (*line != '\0') {
        size_t whole = strcspn(line, "\n");
        if (strncmp(line, name, len) == 0 && line[len] == ':') {
            size_t from = len + 1 + strspn(line + len + 1, " ");
            buf_add(value, line + from, whole - from);
            return true;
        }
        line += whole + 1;
    }
    return false;
}

static size_t
content_length(const struct httpd_request *request)
{
    struct buf value = BUF_INIT;
    size_t length = 0;

    if (httpd_header(request, "content-length", &value)) {
        length = strtoul(buf_text(&value), NULL, 10);
    }
    buf_release(&value);
    return length;
}

/* Take the request out of what came, if it is whole. */
static void
take_request(struct connection *connection)
{
    struct httpd *httpd = connection->httpd;
    const char *in = buf_text(&connection->in);
    const char *end = strstr(in, "\r\n\r\n");

    if (end == NULL || connection->request != NULL) {
        return;
    }
    struct hosted_table *entry = must_alloc(sizeof(*entry));
    struct httpd_request *request = &entry->request;
    size_t method = strcspn(in, " ");
    size_t target = strcspn(in + method + 1, " ");
    ck_assert_uint_lt(method, sizeof(request->method));
    memcpy(request->method, in, method);
    buf_add(&request->target, in + method + 1, target);
    take_headers(strchr(in, '\n') + 1, end + 2, &request->headers);
    size_t length = content_length(request);
    size_t whole = (size_t)(end - in) + 4 + length;
    if (connection->in.len < whole) {
        buf_release(&request->target);
        buf_release(&request->headers);
        free(entry);
        return;
    }
    buf_add(&request->body, end + 4, length);
    request->connection = connection->number;
    request->httpd = httpd;
    entry->connection = connection;
    connection->request = request;
    memmove(connection->in.data, connection->in.data + whole,
            connection->in.len - whole);
    buf_truncate(&connection->in, connection->in.len - whole);
    *httpd->last = entry;
    httpd->last = &entry->next;
    if (httpd->next == NULL) {
        httpd->next = entry;
    }
}

static void
take_bytes(struct connection *connection)
{
    char chunk[65536];
    ssize_t got = recv(connection->socket, chunk, sizeof(chunk), MSG_DONTWAIT);

    if (got > 0) {
        buf_add(&connection->in, chunk, (size_t)got);
        ck_assert(!connection->in.cut);
        take_request(connection);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_connection(connection);
    }
}

/* ---- sending ------------------------------------------------------------- */

static size_t
unsent(const struct connection *connection)
{
    return connection->out.len - connection->out_done;
}

static void
flush(struct connection *connection)
{
    while (connection->socket >= 0 && unsent(connection) > 0) {
        ssize_t put = send(connection->socket,
                           connection->out.data + connection->out_done,
                           unsent(connection), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (put < 0 && errno == EAGAIN) {
            watch(connection->httpd, EPOLL_CTL_MOD, connection->socket,
                  EPOLLIN | EPOLLOUT, connection);
            return;
        }
        if (put < 0 && errno != EINTR) {
            close_connection(connection);
            return;
        }
        connection->out_done += put > 0 ? (size_t)put : 0;
    }
    buf_clear(&connection->out);
    connection->out_done = 0;
    if (connection->ending) {
        close_connection(connection);
    } else if (connection->socket >= 0) {
        watch(connection->httpd, EPOLL_CTL_MOD, connection->socket, EPOLLIN,
              connection);
    }
}

static struct connection *
connection_of(const struct httpd_request *request)
{
    const char *entry =
        (const char *)request - offsetof(struct hosted_table, request);

    return ((const struct hosted_table *)(const void *)entry)->connection;
}

void
httpd_send(struct httpd_request *request, const void *bytes, size_t len)
{
    struct connection *connection = connection_of(request);

    ck_assert(!request->answered);
    if (!request->gone) {
        buf_add(&connection->out, bytes, len);
        flush(connection);
    }
}

struct buf *
httpd_beyond(struct httpd_request *request)
{
    return &connection_of(request)->in;
}

void
httpd_done(struct httpd_request *request)
{
    struct connection *connection = connection_of(request);

    ck_assert(!request->answered);
    request->answered = true;
    if (!request->gone) {
        connection->request = NULL;
        take_request(connection); /* another may have come meanwhile */
    }
}

void
httpd_hang_up(struct httpd_request *request)
{
    struct connection *connection = connection_of(request);

    request->answered = true;
    connection->ending = true;
    flush(connection);
}

void
httpd_answer_bytes(struct httpd_request *request, int status,
                   const char *headers, const void *body, size_t len)
{
    struct buf reply = BUF_INIT;

    buf_addf(&reply, "HTTP/1.1 %d Told\r\nContent-Length: %zu\r\n", status,
             len);
    for (; *headers != '\0'; headers++) {
        buf_add_text(&reply, *headers == '\n' ? "\r" : "");
        buf_add_char(&reply, *headers);
    }
    buf_add_text(&reply, "\r\n");
    buf_add(&reply, body, len);
    httpd_send(request, buf_text(&reply), reply.len);
    httpd_done(request);
    buf_release(&reply);
}

void
httpd_answer(struct httpd_request *request, int status, const char *headers,
             const char *body)
{
    httpd_answer_bytes(request, status, headers, body, strlen(body));
}

/* ---- working ------------------------------------------------------------- */

void
httpd_work(struct httpd *httpd, int patience)
{
    struct epoll_event events[EVENTS];
    int count = epoll_wait(httpd->epoll, events, EVENTS, patience);

    for (int i = 0; i < count; i++) {
        struct connection *connection = events[i].data.ptr;
        if (connection == NULL) {
            take_connections(httpd);
            continue;
        }
        if (connection->socket >= 0 && (events[i].events & EPOLLOUT) != 0) {
            flush(connection);
        }
        if (connection->socket >= 0 &&
            (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
            take_bytes(connection);
        }
    }
}

struct httpd_request *
httpd_next(struct httpd *httpd)
{
    struct hosted_table *entry = httpd->next;

    if (entry == NULL) {
        return NULL;
    }
    httpd->next = entry->next;
    httpd->given++;
    return &entry->request;
}

/* ---- questions ----------------------------------------------------------- */

const char *
httpd_url(const struct httpd *httpd)
{
    return httpd->url;
}

int
httpd_descriptor(const struct httpd *httpd)
{
    return httpd->epoll;
}

void
httpd_keep_little(struct httpd *httpd)
{
    int size = 16 << 10; /* bytes; connections take it from the listener */

    ck_assert_int_eq(
        setsockopt(httpd->listener, SOL_SOCKET, SO_RCVBUF, &size, sizeof size),
        0);
}

unsigned
httpd_count(const struct httpd *httpd)
{
    return httpd->given;
}

unsigned
httpd_open(const struct httpd *httpd)
{
    return httpd->open;
}

size_t
httpd_unsent(const struct httpd_request *request)
{
    return unsent(connection_of(request));
}

void
httpd_add_date(int64_t now, struct buf *headers)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed",
                                       "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr",
                                         "May", "Jun", "Jul", "Aug",
                                         "Sep", "Oct", "Nov", "Dec"};
    struct civil civil = civil_at(now, zone_utc());

    buf_addf(headers, "date: %s, %02d %s %d %02d:%02d:%02d GMT\n",
             days[civil.weekday], civil.day, months[civil.month - 1],
             civil.year, civil.hour, civil.minute, civil.second);
}
