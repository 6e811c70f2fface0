/*
 * The HTTP client: runs the requests of all services side by side, and never
 * blocks.
 *
 * http_ask accepts a request, which is sent when its turn comes; http_next
 * gives it back with its reply.  A service has at most SIDE_BY_SIDE_1 requests
 * under way with HTTP/1.1, a connection each, or SIDE_BY_SIDE_2 on one HTTP/2
 * connection; a long poll is not counted and has its own connection.  Other
 * requests wait here (for a free place, or for a rate limit:
 * adapters/http/rate_limits.h), urgent ones first, the others in order; a
 * waiting request does not hold up one that can go.  While an urgent one is
 * under way, nothing else is sent to its service: it may lead to another urgent
 * one, which would find the limit used up.  Requests are never retried here:
 * the caller decides whether a failure is worth another try.  (libcurl alone
 * repeats a request, on a new connection, if the reused one was closed before a
 * byte came back.  The service may already have carried it out, so a POST to a
 * service that can't recognize a repeated post, capabilities.dedupe 0, gets a
 * connection of its own.)
 *
 * For each request: certificates are checked; `http:` goes to loopback only
 * (127.0.0.0/8, ::1, localhost) and never through a proxy, others use the
 * environment's proxies (curl's http_proxy and others); no redirect is
 * followed; a reply has at most REPLY_MAX bytes, unpacked, and
 * REPLY_HEADERS_MAX of headers; one that is cut off, too long or late is no
 * reply (status 0, `trouble`).  A request's timeout starts when it is sent.
 *
 * Secrets.  A service's token is put into an `authorized` request: into the
 * header that its adapter's `token_header` names, or, where it names none, in
 * the place of "%s" in the URL.  Such a request is refused if its URL does not
 * begin with the service's base (scheme, host, port, and whole parts of its
 * path).  These are wiped after use: the copies of the token here, the header
 * or URL made with it, the reply's body and headers.  The buffers of libcurl
 * (for a request's URL and headers), OpenSSL and the kernel can't be wiped, so
 * the process MUST NOT leave a core dump (bot/cli/main.c).
 *
 * Times are in ms; `now` is the caller's clock, which may be set back.
 */
#ifndef ADAPTERS_HTTP_HTTP_H
#define ADAPTERS_HTTP_HTTP_H

#include <stdint.h>

#include "adapters/adapter.h"
#include "adapters/http/web_socket.h"
#include "bot/base/err.h"

enum {
    SIDE_BY_SIDE_1 = 4,
    SIDE_BY_SIDE_2 = 16,
    REPLY_MAX = 8 << 20,
    REPLY_HEADERS_MAX = 256 << 10,
    TOKEN_MAX = 4095,
    REQUEST_TIMEOUT_MS = 30000,
    LONG_POLL_TIMEOUT_MS = 120000, /* if it has no timeout of its own */
    SOCKETS_MAX = 64,              /* WebSockets open at a time */
    STREAM_DELIMITER_MAX = 7,      /* bytes */
};

struct http;

/* Make a client; owned.  From then on SIGPIPE is ignored: a service that hangs
 * up must not end the process. */
struct http *http_new(void);
/* Requests under way are broken off. */
void http_free(struct http *http);

/* Set the token of a service, by its name, from now on; "": none, and
 * authorized requests go without one.  Copied; a token that is longer than
 * TOKEN_MAX, or has control characters, counts as none. */
void http_set_token(struct http *http, const char *service, const char *token);

/* Overwrite services' tokens in a text that will be shown: a service may have
 * echoed one. */
void http_hide_token(struct http *http, const char *service, struct buf *text);

/*
 * Accept a request.  `request` is taken over, and empty afterwards; `service`
 * is borrowed for the call; `owner` is the caller's.  ERR_CONFIG with a
 * sentence: it can't be sent as it is.
 */
enum err http_ask(struct http *http, const struct service *service,
                  struct request *request, void *owner, int64_t now,
                  struct buf *why) MUST_USE;

/* Do whatever can be done at once: send, and read the data that has arrived. */
void http_work(struct http *http, int64_t now);

/* A request that is over. */
struct http_result {
    void *owner;
    struct reply reply; /* points into what follows */
    struct buf body, headers, trouble;
};

/* The next request that is over, in the order in which they ended; owned; NULL:
 * none. */
struct http_result *http_next(struct http *http);
void http_result_free(struct http_result *result);

/* ---- WebSockets ---------------------------------------------------------- */

/* Begin to open a WebSocket of a service; the client's, until
 * http_close_socket.  It is worked by http_work, and waited for by http_wait:
 * what comes is taken by web_socket_next.  NULL with a sentence: it can't be
 * opened as it is. */
struct web_socket *http_open_socket(struct http *http,
                                    const struct service *service,
                                    const char *url, int64_t now,
                                    struct buf *why) MUST_USE;

/* Send a text, with the service's token inserted at that byte (beyond its end:
 * nowhere).  Only its printable ASCII is, for it stands in a JSON string. */
void http_send_text(struct http *http, struct web_socket *socket,
                    const struct buf *text, size_t token_at);

/* Cut it, and free it. */
void http_close_socket(struct http *http, struct web_socket *socket);

/* ---- replies that are taken while they come ------------------------------ */

/* Begin a long poll whose reply is taken text by text; the client's, until
 * http_close_stream.  The request is taken over, and waits for its turn like
 * any other.  `delimiter` stands behind each text but the last.  NULL with a
 * sentence: it can't be sent as it is. */
struct http_stream *http_open_stream(struct http *http,
                                     const struct service *service,
                                     struct request *request,
                                     const char *delimiter, int64_t now,
                                     struct buf *why) MUST_USE;

/* What happened next, as web_socket_next says it; false: nothing more yet.
 * OPENED: it was accepted.  CLOSED: the reply is at its end; the code is 0, or
 * the status of a reply that was no success. */
bool http_stream_next(struct http_stream *stream, struct socket_event *event);

/* Cut it, and free it. */
void http_close_stream(struct http *http, struct http_stream *stream);

/* Is a WebSocket or such a reply open? */
bool http_has_sockets(const struct http *http);

/* Wait at most `patience` ms for something to do; less if a signal comes, if
 * `waker` (a descriptor, -1: none) can be read, or if there is something to do
 * already. */
void http_wait(struct http *http, int64_t now, int64_t patience, int waker);

#endif
