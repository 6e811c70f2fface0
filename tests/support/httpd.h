/*
 * A small HTTP/1.1 server on loopback, for tests.
 *
 * It runs in the test's own process and thread: httpd_work takes in what came
 * and sends what is to go, httpd_next gives the requests that came, in their
 * order, and the test answers each when it likes: at once, later (a long poll),
 * never, in pieces, or with bytes that are no HTTP.  So nothing is ever waited
 * for but the other side, and nothing is left to chance.  All requests are kept
 * until the end, answered or not.
 *
 * Connections stay open from one request to the next, as HTTP/1.1 has it; one
 * carries a request at a time.  Requests have a Content-Length or no body.
 * What is not like that fails the test.  Linux alone (epoll).
 */
#ifndef TESTS_HTTPD_H
#define TESTS_HTTPD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"

struct httpd;

/* One that came.  Borrowed for the server's life. */
struct httpd_request {
    char method[16];
    struct buf target;  /* "/posts?after=7" */
    struct buf headers; /* "name: value" lines ended by LF, names in lower case
                         */
    struct buf body;
    unsigned connection; /* rising from 1; the same: on the same connection */
    bool gone;           /* the client has hung up without its answer */
    /* The server's own: */
    struct httpd *httpd;
    bool answered;
};

/* Listen on 127.0.0.1, on a port that is free. */
struct httpd *httpd_new(void);
void httpd_free(struct httpd *httpd);

/* "http://127.0.0.1:4711". */
const char *httpd_url(const struct httpd *httpd);

/* Can be read when httpd_work has something to do. */
int httpd_descriptor(const struct httpd *httpd);

/* The system keeps little of what comes on connections from now on, until
 * httpd_work takes it. */
void httpd_keep_little(struct httpd *httpd);

/* Do what can be done, after waiting at most so many ms for it. */
void httpd_work(struct httpd *httpd, int patience);

/* The next request that came; NULL: none yet. */
struct httpd_request *httpd_next(struct httpd *httpd);

/* How many requests were given by httpd_next. */
unsigned httpd_count(const struct httpd *httpd);

/* Append the value of a request's header (in lower case); false: none. */
bool httpd_header(const struct httpd_request *request, const char *name,
                  struct buf *value);

/* Answer with a whole reply.  `headers`: more lines ended by LF ("Retry-After:
 * 3\n"), or "". */
void httpd_answer(struct httpd_request *request, int status,
                  const char *headers, const char *body);
void httpd_answer_bytes(struct httpd_request *request, int status,
                        const char *headers, const void *body, size_t len);

/* Answer with bytes as they are, as often as liked; then httpd_done: the reply
 * is whole, or httpd_hang_up. */
void httpd_send(struct httpd_request *request, const void *bytes, size_t len);
void httpd_done(struct httpd_request *request);

/* What came on the connection of a request that is not answered yet, beyond the
 * request: for a connection that was upgraded.  Yours to take from. */
struct buf *httpd_beyond(struct httpd_request *request);

/* Append the header that tells the time in ms since 1970. */
void httpd_add_date(int64_t now, struct buf *headers);

/* Close the connection when what was sent is out. */
void httpd_hang_up(struct httpd_request *request);

/* Bytes that still have to go out to a client. */
size_t httpd_unsent(const struct httpd_request *request);

/* Connections that are open. */
unsigned httpd_open(const struct httpd *httpd);

#endif
