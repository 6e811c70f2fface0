#include "adapters/http/http.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "adapters/http/http_curl.h"
#include "adapters/http/http_stream.h"
#include "adapters/http/http_transfer.h"
#include "adapters/http/rate_limits.h"
#include "bot/base/job.h"

enum {
    LONGEST_WAIT_MS = 60000,
    DESCRIPTORS_MAX = 64, /* of long polls */
};

/* A service, as the client knows it. */
struct peer {
    struct peer *next;
    char name[64];
    char token[TOKEN_MAX + 1];
    const struct adapter *adapter; /* NULL: nothing was asked of it yet */
    struct limits limits;
    unsigned active;  /* requests under way, without long polls */
    unsigned urgent;  /* urgent ones among them */
    bool multiplexed; /* its last reply came by HTTP/2 */
};

/* Transfers, first come first. */
struct queue {
    struct transfer *first, *last;
};

/* A WebSocket, and whose it is. */
struct socket_item {
    struct socket_item *next;
    struct web_socket *socket;
    const struct peer *peer;
};

struct http {
    CURLM *multi;
    CURLM *polls; /* of long polls: they share no connection with others */
    struct socket_item *sockets;
    struct http_stream *streams;
    struct steady clock; /* by which all of it waits */
    struct peer *peers;
    struct queue waiting, sent, done;
};

static void
queue_add(struct queue *queue, struct transfer *transfer)
{
    transfer->next = NULL;
    if (queue->last != NULL) {
        queue->last->next = transfer;
    } else {
        queue->first = transfer;
    }
    queue->last = transfer;
}

static void
queue_drop(struct queue *queue, const struct transfer *transfer)
{
    struct transfer *before = NULL;
    struct transfer *at = queue->first;

    while (at != transfer) {
        before = at;
        at = at->next;
    }
    if (before != NULL) {
        before->next = at->next;
    } else {
        queue->first = at->next;
    }
    if (queue->last == at) {
        queue->last = before;
    }
}

/* ---- services ------------------------------------------------------------ */

static struct peer *
find_peer(struct http *http, const char *name)
{
    struct peer *peer = http->peers;

    while (peer != NULL && strcmp(peer->name, name) != 0) {
        peer = peer->next;
    }
    if (peer == NULL) {
        peer = must_alloc(sizeof(*peer));
        snprintf(peer->name, sizeof(peer->name), "%s", name);
        peer->next = http->peers;
        http->peers = peer;
    }
    return peer;
}

static struct peer *
peer_of(struct http *http, const struct service *service)
{
    struct peer *peer = find_peer(http, service->name);

    peer->adapter = service->adapter;
    return peer;
}

void
http_set_token(struct http *http, const char *service, const char *token)
{
    struct peer *peer = find_peer(http, service);
    size_t len = strlen(token);

    wipe(peer->token, sizeof(peer->token));
    if (len <= TOKEN_MAX) {
        memcpy(peer->token, token, len);
    }
}

void
http_hide_token(struct http *http, const char *service, struct buf *text)
{
    const char *token = find_peer(http, service)->token;

    if (token[0] != '\0') {
        buf_hide(text, token);
    }
}

/* ---- taking a request on ------------------------------------------------- */

static bool
is_method(const char *text)
{
    return text[0] != '\0' &&
           text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

/* Put a request, which is empty afterwards, where it waits for its turn; NULL:
 * it can't be sent as it is. */
static struct transfer *
take_on(struct http *http, const struct service *service,
        struct request *request, int64_t now, struct buf *why)
{
    struct transfer *transfer = must_alloc(sizeof(*transfer));

    assert(is_method(request->method));
    transfer->peer = peer_of(http, service);
    if (transfer_take(transfer, service, request, why) != ERR_NONE) {
        request_clear(request);
        transfer_free(transfer);
        return NULL;
    }
    now = steady_follow(&http->clock, now);
    transfer->peer->limits.rate = service->adapter->capabilities.rate;
    transfer->peer->limits.burst = service->adapter->capabilities.burst;
    limits_join(&transfer->peer->limits, request->route, now,
                &transfer->permit);
    transfer->permit.apart = (int)request->apart;
    transfer->permit.urgent = request->urgent;
    request_clear(request);
    queue_add(&http->waiting, transfer);
    return transfer;
}

enum err
http_ask(struct http *http, const struct service *service,
         struct request *request, void *owner, int64_t now, struct buf *why)
{
    struct transfer *transfer = take_on(http, service, request, now, why);

    if (transfer == NULL) {
        return ERR_CONFIG;
    }
    transfer->owner = owner;
    return ERR_NONE;
}

/* ---- sending ------------------------------------------------------------- */

static CURLM *
multi_of(const struct http *http, const struct transfer *transfer)
{
    return transfer->long_poll ? http->polls : http->multi;
}

/* Add a transfer to the count of those under way, or remove it. */
static void
count_active(struct transfer *transfer, bool begins)
{
    struct peer *peer = transfer->peer;

    if (transfer->long_poll) {
        return;
    }
    if (begins) {
        peer->active++;
        peer->urgent += transfer->permit.urgent;
    } else {
        peer->active--;
        peer->urgent -= transfer->permit.urgent;
    }
}

static void
send_out(struct http *http, struct transfer *transfer, int64_t now)
{
    transfer_call(transfer, transfer->peer->adapter, transfer->peer->token);
    if (curl_multi_add_handle(multi_of(http, transfer), transfer->call->easy) !=
        CURLM_OK) {
        die("out of memory");
    }
    limits_go(&transfer->peer->limits, &transfer->permit, now);
    count_active(transfer, true);
    queue_add(&http->sent, transfer);
}

/* The time at which a waiting request may go; INT64_MAX: not before another has
 * ended. */
static int64_t
when(const struct transfer *transfer, int64_t now)
{
    struct peer *peer = transfer->peer;
    unsigned room = peer->multiplexed ? SIDE_BY_SIDE_2 : SIDE_BY_SIDE_1;

    if (!transfer->long_poll &&
        (peer->active >= room ||
         (peer->urgent > 0 && !transfer->permit.urgent))) {
        return INT64_MAX;
    }
    return limits_when(&peer->limits, &transfer->permit, now);
}

/* Send the waiting requests that may go: the urgent ones, or the others. */
static void
send_some(struct http *http, bool urgent, int64_t now)
{
    struct transfer *next = NULL;
    struct queue left = {NULL, NULL};

    for (struct transfer *at = http->waiting.first; at != NULL; at = next) {
        next = at->next;
        if (at->permit.urgent == urgent && when(at, now) <= now) {
            send_out(http, at, now);
        } else {
            queue_add(&left, at);
        }
    }
    http->waiting = left;
}

/* ---- what is over -------------------------------------------------------- */

static void
hang_up(struct http *http, struct transfer *transfer)
{
    (void)curl_multi_remove_handle(multi_of(http, transfer),
                                   transfer->call->easy);
    transfer_hang_up(transfer);
    count_active(transfer, false);
}

static void
end(struct http *http, struct transfer *transfer, CURLcode code, int64_t now)
{
    queue_drop(&http->sent, transfer);
    transfer_receive(transfer, code, http->clock.last);
    if (transfer->result->reply.trouble == NULL && !transfer->long_poll) {
        transfer->peer->multiplexed = transfer->multiplexed;
    }
    hang_up(http, transfer);
    limits_end(&transfer->peer->limits, &transfer->permit,
               &transfer->result->reply, now);
    if (transfer->streams) {
        struct http_stream *stream = transfer->owner;
        stream->over = true;
    } else {
        queue_add(&http->done, transfer);
    }
}

/* Let all transfers of a kind proceed, and end those that are over. */
static void
perform(struct http *http, CURLM *multi, int64_t now)
{
    int left = 0;
    const CURLMsg *message = NULL;
    CURLMcode failed = curl_multi_perform(multi, &left);

    if (failed != CURLM_OK) {
        die("libcurl: %s", curl_multi_strerror(failed));
    }
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        void *private = NULL;
        assert(message->msg == CURLMSG_DONE);
        CURLcode code = message->data.result;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE,
                                &private);
        end(http, private, code, now);
    }
}

/* ---- WebSockets ---------------------------------------------------------- */

/* The item of a socket, or where the list ends. */
static struct socket_item **
find_socket(struct http *http, const struct web_socket *socket)
{
    struct socket_item **at = &http->sockets;

    while (*at != NULL && (*at)->socket != socket) {
        at = &(*at)->next;
    }
    return at;
}

struct web_socket *
http_open_socket(struct http *http, const struct service *service,
                 const char *url, int64_t now, struct buf *why)
{
    unsigned count = 0;

    for (struct socket_item *at = http->sockets; at != NULL; at = at->next) {
        count++;
    }
    if (count == SOCKETS_MAX) {
        (void)err_say(why, ERR_CONFIG, "there are too many doorbells");
        return NULL;
    }
    struct web_socket *socket =
        web_socket_new(url, steady_follow(&http->clock, now), why);
    if (socket != NULL) {
        struct socket_item *item = must_alloc(sizeof(*item));
        item->socket = socket;
        item->peer = peer_of(http, service);
        item->next = http->sockets;
        http->sockets = item;
    }
    return socket;
}

void
http_send_text(struct http *http, struct web_socket *socket,
               const struct buf *text, size_t token_at)
{
    const struct socket_item *item = *find_socket(http, socket);
    struct buf whole = BUF_INIT;

    assert(item != NULL);
    if (token_at > text->len) {
        web_socket_send(socket, buf_text(text), text->len);
        return;
    }
    buf_init(&whole, 0);
    buf_add(&whole, buf_text(text), token_at);
    transfer_add_token(item->peer->adapter->token_header, item->peer->token,
                       &whole);
    buf_add(&whole, buf_text(text) + token_at, text->len - token_at);
    web_socket_send(socket, buf_text(&whole), whole.len);
    buf_wipe(&whole);
}

void
http_close_socket(struct http *http, struct web_socket *socket)
{
    struct socket_item **at = find_socket(http, socket);
    struct socket_item *item = *at;

    assert(item != NULL);
    *at = item->next;
    web_socket_free(item->socket);
    free(item);
}

/* ---- streams ------------------------------------------------------------- */

struct http_stream *
http_open_stream(struct http *http, const struct service *service,
                 struct request *request, const char *delimiter, int64_t now,
                 struct buf *why)
{
    struct transfer *transfer = take_on(http, service, request, now, why);

    if (transfer == NULL) {
        return NULL;
    }
    struct http_stream *stream = http_stream_new(transfer, delimiter);
    transfer->owner = stream;
    transfer->streams = true;
    stream->next = http->streams;
    http->streams = stream;
    return stream;
}

/* Take a transfer that has not ended out of its queue. */
static void
break_off(struct http *http, struct transfer *transfer)
{
    if (transfer->call != NULL) {
        queue_drop(&http->sent, transfer);
        hang_up(http, transfer);
    } else {
        queue_drop(&http->waiting, transfer);
    }
    limits_end(&transfer->peer->limits, &transfer->permit, NULL, 0);
}

void
http_close_stream(struct http *http, struct http_stream *stream)
{
    struct http_stream **at = &http->streams;

    while (*at != stream) {
        at = &(*at)->next;
    }
    *at = stream->next;
    if (!stream->over) {
        break_off(http, stream->transfer);
    }
    http_stream_free(stream);
}

bool
http_has_sockets(const struct http *http)
{
    return http->sockets != NULL || http->streams != NULL;
}

/* ---- the client ---------------------------------------------------------- */

struct http *
http_new(void)
{
    struct http *http = must_alloc(sizeof(*http));

    (void)signal(SIGPIPE, SIG_IGN);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        die("libcurl can't be used");
    }
    http->multi = curl_multi_init();
    http->polls = curl_multi_init();
    if (http->multi == NULL || http->polls == NULL) {
        die("out of memory");
    }
    (void)curl_multi_setopt(http->multi, CURLMOPT_PIPELINING,
                            (long)CURLPIPE_MULTIPLEX);
    (void)curl_multi_setopt(http->polls, CURLMOPT_PIPELINING,
                            (long)CURLPIPE_NOTHING);
    return http;
}

static void
free_queue(struct http *http, struct queue *queue)
{
    while (queue->first != NULL) {
        struct transfer *transfer = queue->first;
        queue_drop(queue, transfer);
        if (transfer->call != NULL) {
            hang_up(http, transfer);
        }
        limits_end(&transfer->peer->limits, &transfer->permit, NULL, 0);
        transfer_free(transfer);
    }
}

void
http_free(struct http *http)
{
    if (http == NULL) {
        return;
    }
    while (http->streams != NULL) {
        http_close_stream(http, http->streams);
    }
    free_queue(http, &http->waiting);
    free_queue(http, &http->sent);
    free_queue(http, &http->done);
    while (http->sockets != NULL) {
        http_close_socket(http, http->sockets->socket);
    }
    (void)curl_multi_cleanup(http->multi);
    (void)curl_multi_cleanup(http->polls);
    while (http->peers != NULL) {
        struct peer *peer = http->peers;
        http->peers = peer->next;
        limits_release(&peer->limits);
        wipe(peer, sizeof(*peer));
        free(peer);
    }
    free(http);
    curl_global_cleanup();
}

void
http_work(struct http *http, int64_t now)
{
    now = steady_follow(&http->clock, now);
    send_some(http, true, now);
    send_some(http, false, now);
    perform(http, http->multi, now);
    perform(http, http->polls, now);
    for (struct socket_item *at = http->sockets; at != NULL; at = at->next) {
        web_socket_work(at->socket, now);
    }
}

struct http_result *
http_next(struct http *http)
{
    struct transfer *transfer = http->done.first;

    if (transfer == NULL) {
        return NULL;
    }
    struct http_result *result = transfer->result;
    queue_drop(&http->done, transfer);
    result->owner = transfer->owner;
    transfer->result = NULL;
    transfer_free(transfer);
    return result;
}

/* The time at which the next waiting request may go. */
static int64_t
next_time(const struct http *http, int64_t now)
{
    int64_t next = INT64_MAX;

    for (const struct transfer *at = http->waiting.first; at != NULL;
         at = at->next) {
        int64_t time = when(at, now);
        next = time < next ? time : next;
    }
    return next;
}

void
http_wait(struct http *http, int64_t now, int64_t patience, int waker)
{
    struct curl_waitfd
        descriptors[DESCRIPTORS_MAX + SOCKETS_MAX * SOCKET_DESCRIPTORS_MAX + 1];
    now = steady_follow(&http->clock, now);
    int64_t next = next_time(http, now);

    if (http->done.first != NULL || next <= now) {
        return;
    }
    patience = patience < LONGEST_WAIT_MS ? patience : LONGEST_WAIT_MS;
    patience = patience < next - now ? patience : next - now;
    unsigned count =
        curl_descriptors(http->polls, descriptors, DESCRIPTORS_MAX, &patience);
    for (struct socket_item *at = http->sockets; at != NULL; at = at->next) {
        count += web_socket_descriptors(at->socket, now, descriptors + count,
                                        &patience);
    }
    for (struct http_stream *at = http->streams; at != NULL; at = at->next) {
        patience = http_stream_has_event(at) ? 0 : patience;
    }
    if (waker >= 0) {
        descriptors[count++] =
            (struct curl_waitfd){.fd = waker, .events = CURL_WAIT_POLLIN};
    }
    (void)curl_multi_poll(http->multi, descriptors, count, (int)patience, NULL);
}
