#include "adapters/http.h"

#include <arpa/inet.h>
#include <assert.h>
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/select.h>

#include <curl/curl.h>

#include "adapters/limits.h"
#include "bot/base/version.h"

enum {
    CONNECT_TIMEOUT_MS = 15000,
    LONGEST_WAIT_MS = 60000,
    DOORS_MAX = 64
};

/* A service, as the client knows it. */
struct peer {
    struct peer *next;
    char name[64];
    char token[TOKEN_MAX + 1];
    struct limits limits;
    unsigned active;  /* requests under way, without long polls */
    unsigned urgent;  /* urgent ones among them */
    bool multiplexed; /* its last reply came by HTTP/2 */
};

/* A request from http_ask to http_next. */
struct transfer {
    struct transfer *next;
    struct peer *peer;
    const struct request *request;
    const char *token_header; /* NULL: it needs no token */
    CURLU *url;
    CURL *easy; /* NULL: it waits, or is over */
    struct curl_slist *headers;
    struct permit permit;
    bool encrypted;
    bool once;    /* a second one would be another post */
    bool headed;  /* its reply's headers are whole */
    bool flooded; /* with more than may come */
    char error[CURL_ERROR_SIZE];
    struct http_result result;
};

/* Transfers, first come first. */
struct queue {
    struct transfer *first, *last;
};

struct http {
    CURLM *multi;
    CURLM *polls; /* of long polls: they share no connection with others */
    int64_t now;  /* of the last work */
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

/* ---- addresses ----------------------------------------------------------- */

/* A part of a parsed URL; "" where it has none. */
static void
url_part(CURLU *url, CURLUPart part, struct buf *out)
{
    char *text = NULL;

    if (curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) == CURLUE_OK) {
        buf_add_text(out, text);
    }
    curl_free(text);
}

static bool
part_is(CURLU *url, CURLUPart part, const char *text)
{
    struct buf found = BUF_INIT;

    url_part(url, part, &found);
    bool same = strcasecmp(buf_text(&found), text) == 0;
    buf_release(&found);
    return same;
}

static bool
same_part(CURLU *a, CURLU *b, CURLUPart part)
{
    struct buf text = BUF_INIT;

    url_part(a, part, &text);
    bool same = part_is(b, part, buf_text(&text));
    buf_release(&text);
    return same;
}

/* Is this host the machine itself, whatever a name service says? */
static bool
is_loopback(CURLU *url)
{
    struct in_addr address;
    struct buf host = BUF_INIT;

    url_part(url, CURLUPART_HOST, &host);
    bool here = inet_pton(AF_INET, buf_text(&host), &address) == 1
                    ? ntohl(address.s_addr) >> 24 == 127
                    : strcasecmp(buf_text(&host), "localhost") == 0 ||
                          strcmp(buf_text(&host), "[::1]") == 0;
    buf_release(&host);
    return here;
}

/* Does the path of a URL begin with all parts of another's? */
static bool
path_is_below(CURLU *url, CURLU *base)
{
    struct buf path = BUF_INIT;
    struct buf above = BUF_INIT;

    /* Parsed paths have no "." and ".." any more. */
    url_part(url, CURLUPART_PATH, &path);
    url_part(base, CURLUPART_PATH, &above);
    while (above.len > 0 && above.data[above.len - 1] == '/') {
        buf_truncate(&above, above.len - 1);
    }
    bool below = strncmp(buf_text(&path), buf_text(&above), above.len) == 0 &&
                 strchr("/", buf_text(&path)[above.len]) != NULL;
    buf_release(&path);
    buf_release(&above);
    return below;
}

/* Is a URL at the service, so that it may see its token? */
static bool
is_at(const struct service *service, CURLU *url)
{
    CURLU *base = curl_url();

    assert(base != NULL);
    bool at =
        curl_url_set(base, CURLUPART_URL, service->base, 0) == CURLUE_OK &&
        same_part(url, base, CURLUPART_SCHEME) &&
        same_part(url, base, CURLUPART_HOST) &&
        same_part(url, base, CURLUPART_PORT) && path_is_below(url, base);
    curl_url_cleanup(base);
    return at;
}

/* Parse and judge the URL of a request. */
static enum err
take_url(struct transfer *transfer, const struct service *service,
         struct buf *why)
{
    const char *text = buf_text(&transfer->request->url);

    transfer->url = curl_url();
    assert(transfer->url != NULL);
    if (curl_url_set(transfer->url, CURLUPART_URL, text, CURLU_DISALLOW_USER) !=
        CURLUE_OK) {
        return err_say(why, ERR_CONFIG,
                       "its address is none; look at the service's url");
    }
    transfer->encrypted = part_is(transfer->url, CURLUPART_SCHEME, "https");
    if (!transfer->encrypted &&
        !(part_is(transfer->url, CURLUPART_SCHEME, "http") &&
          is_loopback(transfer->url))) {
        return err_say(why, ERR_CONFIG,
                       "its address is not encrypted; write one that begins "
                       "with https://");
    }
    if (transfer->request->authorized && !is_at(service, transfer->url)) {
        return err_say(why, ERR_CONFIG,
                       "a request with the token was to go elsewhere than to "
                       "the service's url; it was not sent");
    }
    return ERR_NONE;
}

/* ---- headers ------------------------------------------------------------- */

static bool
is_printable(const char *text)
{
    for (; *text != '\0'; text++) {
        if (iscntrl((unsigned char)*text)) {
            return false;
        }
    }
    return true;
}

/* Add a header as it is. */
static void
add_header(struct transfer *transfer, const char *line)
{
    struct curl_slist *more = curl_slist_append(transfer->headers, line);

    if (more == NULL) {
        die("out of memory");
    }
    transfer->headers = more;
}

static void
wipe_headers(struct transfer *transfer)
{
    for (struct curl_slist *at = transfer->headers; at != NULL; at = at->next) {
        wipe(at->data, strlen(at->data));
    }
    curl_slist_free_all(transfer->headers);
    transfer->headers = NULL;
}

/* Add a request's own headers; false: one is none. */
static bool
add_own_headers(struct transfer *transfer)
{
    const char *at = buf_text(&transfer->request->headers);
    struct buf line = BUF_INIT;
    bool good = true;

    while (good && *at != '\0') {
        size_t len = strcspn(at, "\n");
        buf_clear(&line);
        buf_add(&line, at, len);
        size_t name = strcspn(buf_text(&line), ": \t");
        good = is_printable(buf_text(&line)) && name > 0 &&
               buf_text(&line)[name] == ':';
        add_header(transfer, buf_text(&line));
        at += len + (at[len] == '\n');
    }
    buf_wipe(&line);
    return good;
}

static enum err
take_headers(struct transfer *transfer, struct buf *why)
{
    const struct request *request = transfer->request;
    struct buf line = BUF_INIT;
    bool good = is_printable(request->type) &&
                request->headers.len == strlen(buf_text(&request->headers)) &&
                add_own_headers(transfer);

    /* Without a type curl would name one of its own. */
    buf_addf(&line, "Content-Type:%s%s", request->type[0] != '\0' ? " " : "",
             request->type);
    add_header(transfer, buf_text(&line));
    buf_release(&line);
    /* It would wait a second for leave to send a large body. */
    add_header(transfer, "Expect:");
    return good ? ERR_NONE
                : err_say(why, ERR_CONFIG,
                          "a header of a request is none; it was not sent");
}

/* The token goes in only when the request goes out: it may change meanwhile. */
static void
add_token(struct transfer *transfer)
{
    const char *form = transfer->token_header;
    const char *hole = form == NULL ? NULL : strstr(form, "%s");
    struct buf line = BUF_INIT;

    if (hole != NULL && transfer->peer->token[0] != '\0' &&
        is_printable(transfer->peer->token)) {
        buf_init(&line, 0);
        buf_add(&line, form, (size_t)(hole - form));
        buf_add_text(&line, transfer->peer->token);
        buf_add_text(&line, hole + 2);
        add_header(transfer, buf_text(&line));
        buf_wipe(&line);
    }
}

/* ---- taking a request on ------------------------------------------------- */

void
http_result_release(struct http_result *result)
{
    /* A reply may hold a role, or a token. */
    buf_wipe(&result->body);
    buf_wipe(&result->headers);
    buf_release(&result->trouble);
    *result = (struct http_result){0};
}

static void
transfer_free(struct transfer *transfer)
{
    assert(transfer->easy == NULL);
    curl_url_cleanup(transfer->url);
    wipe_headers(transfer);
    http_result_release(&transfer->result);
    free(transfer);
}

static bool
is_method(const char *text)
{
    return text[0] != '\0' &&
           text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

enum err
http_ask(struct http *http, const struct service *service,
         const struct request *request, void *owner, int64_t now,
         struct buf *why)
{
    struct transfer *transfer = must_alloc(sizeof(*transfer));

    assert(is_method(request->method));
    transfer->request = request;
    transfer->peer = find_peer(http, service->name);
    transfer->token_header =
        request->authorized ? service->adapter->token_header : NULL;
    transfer->once = strcmp(request->method, "POST") == 0 &&
                     service->adapter->traits.dedupe == 0;
    transfer->result.owner = owner;
    buf_init(&transfer->result.body, REPLY_MAX);
    buf_init(&transfer->result.headers, REPLY_HEADERS_MAX);
    enum err err = take_url(transfer, service, why);
    if (err == ERR_NONE) {
        err = take_headers(transfer, why);
    }
    if (err != ERR_NONE) {
        transfer_free(transfer);
        return err;
    }
    transfer->peer->limits.rate = service->adapter->traits.rate;
    limits_join(&transfer->peer->limits, request->route, now,
                &transfer->permit);
    transfer->permit.apart = request->apart;
    queue_add(&http->waiting, transfer);
    return ERR_NONE;
}

/* ---- what comes in ------------------------------------------------------- */

static size_t
take_body(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;

    (void)size; /* is 1 */
    buf_add(&transfer->result.body, bytes, count);
    transfer->flooded = transfer->flooded || transfer->result.body.cut;
    return transfer->flooded ? 0 : count;
}

static bool
begins_blind(const char *bytes, size_t len, const char *with)
{
    return len >= strlen(with) && strncasecmp(bytes, with, strlen(with)) == 0;
}

/* Keep a header's line, its name in lower case. */
static size_t
take_header(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    struct buf *headers = &transfer->result.headers;
    bool in_name = true;
    size_t len = count;

    (void)size;
    if (begins_blind(bytes, count, "HTTP/")) {
        /* What came before was of an interim reply (100). */
        buf_clear(headers);
        transfer->headed = false;
        return count;
    }
    while (len > 0 && strchr("\r\n", bytes[len - 1]) != NULL) {
        len--;
    }
    transfer->headed = transfer->headed || len == 0;
    if (len == 0 || memchr(bytes, ':', len) == NULL || bytes[0] == ' ' ||
        bytes[0] == '\t') {
        return count;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        in_name = in_name && byte != ':';
        buf_add_char(headers, iscntrl(byte) ? ' '
                              : in_name     ? (char)tolower(byte)
                                            : (char)byte);
    }
    buf_add_char(headers, '\n');
    transfer->flooded = transfer->flooded || headers->cut;
    return transfer->flooded ? 0 : count;
}

/* ---- sending ------------------------------------------------------------- */

/* Only a mistake in this file can make an option fail. */
#define SET(easy, option, value)                                               \
    do {                                                                       \
        CURLcode set = curl_easy_setopt((easy), (option), (value));            \
        if (set == CURLE_OUT_OF_MEMORY) {                                      \
            die("out of memory");                                              \
        }                                                                      \
        assert(set == CURLE_OK);                                               \
    } while (0)

static void
set_method(CURL *easy, const struct request *request)
{
    bool body = request->body.len > 0 || strcmp(request->method, "POST") == 0 ||
                strcmp(request->method, "PUT") == 0;

    if (body) {
        /* curl sends it from where it lies. */
        SET(easy, CURLOPT_POSTFIELDS, buf_text(&request->body));
        SET(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len);
    }
    if (strcmp(request->method, "HEAD") == 0) {
        SET(easy, CURLOPT_NOBODY, 1L);
    } else {
        SET(easy, CURLOPT_CUSTOMREQUEST, request->method);
    }
}

static long
timeout_of(const struct request *request)
{
    if (request->timeout > 0) {
        return (long)request->timeout;
    }
    return request->long_poll ? LONG_POLL_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
}

static void
set_safety(CURL *easy, const struct transfer *transfer)
{
    SET(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    SET(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    SET(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    SET(easy, CURLOPT_FOLLOWLOCATION, 0L);
    SET(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    /* An unencrypted request must not leave the machine for a proxy. */
    if (!transfer->encrypted) {
        SET(easy, CURLOPT_NOPROXY, "*");
    }
}

static void
set_ways(CURL *easy, const struct transfer *transfer)
{
    char agent[128];

    SET(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    /* Rather wait for a connection that may turn out to be HTTP/2 than open
     * another; without encryption that could not be known. */
    SET(easy, CURLOPT_PIPEWAIT, transfer->encrypted ? 1L : 0L);
    SET(easy, CURLOPT_FRESH_CONNECT, transfer->once ? 1L : 0L);
    SET(easy, CURLOPT_ACCEPT_ENCODING, "");
    snprintf(agent, sizeof(agent), "placard (+%s, %s)", placard_url,
             placard_version);
    SET(easy, CURLOPT_USERAGENT, agent);
    SET(easy, CURLOPT_TIMEOUT_MS, timeout_of(transfer->request));
    SET(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    SET(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    SET(easy, CURLOPT_NOSIGNAL, 1L);
    /* A name service that hangs must not hold up the end of the process. */
    SET(easy, CURLOPT_QUICK_EXIT, 1L);
}

static CURLM *
multi_of(const struct http *http, const struct transfer *transfer)
{
    return transfer->request->long_poll ? http->polls : http->multi;
}

/* Count a transfer among those under way, or out of them. */
static void
count_active(struct transfer *transfer, bool begins)
{
    struct peer *peer = transfer->peer;

    if (transfer->request->long_poll) {
        return;
    }
    if (begins) {
        peer->active++;
        peer->urgent += transfer->request->urgent;
    } else {
        peer->active--;
        peer->urgent -= transfer->request->urgent;
    }
}

static void
send_out(struct http *http, struct transfer *transfer, int64_t now)
{
    CURL *easy = curl_easy_init();

    if (easy == NULL) {
        die("out of memory");
    }
    transfer->easy = easy;
    add_token(transfer);
    SET(easy, CURLOPT_CURLU, transfer->url);
    set_method(easy, transfer->request);
    set_safety(easy, transfer);
    set_ways(easy, transfer);
    SET(easy, CURLOPT_HTTPHEADER, transfer->headers);
    SET(easy, CURLOPT_ERRORBUFFER, transfer->error);
    SET(easy, CURLOPT_PRIVATE, transfer);
    SET(easy, CURLOPT_WRITEFUNCTION, take_body);
    SET(easy, CURLOPT_WRITEDATA, transfer);
    SET(easy, CURLOPT_HEADERFUNCTION, take_header);
    SET(easy, CURLOPT_HEADERDATA, transfer);
    if (curl_multi_add_handle(multi_of(http, transfer), easy) != CURLM_OK) {
        die("out of memory");
    }
    limits_go(&transfer->peer->limits, &transfer->permit, now);
    count_active(transfer, true);
    queue_add(&http->sent, transfer);
}

/* When a request that waits may go; INT64_MAX: not before another has ended. */
static int64_t
when(const struct transfer *transfer, int64_t now)
{
    struct peer *peer = transfer->peer;
    unsigned room = peer->multiplexed ? SIDE_BY_SIDE_2 : SIDE_BY_SIDE_1;

    if (!transfer->request->long_poll &&
        (peer->active >= room ||
         (peer->urgent > 0 && !transfer->request->urgent))) {
        return INT64_MAX;
    }
    return limits_when(&peer->limits, &transfer->permit, now);
}

/* Send of those that wait what may go: the urgent ones, or the others. */
static void
send_some(struct http *http, bool urgent, int64_t now)
{
    struct transfer *next = NULL;
    struct queue left = {NULL, NULL};

    for (struct transfer *at = http->waiting.first; at != NULL; at = next) {
        next = at->next;
        if (at->request->urgent == urgent && when(at, now) <= now) {
            send_out(http, at, now);
        } else {
            queue_add(&left, at);
        }
    }
    http->waiting = left;
}

/* ---- what is over -------------------------------------------------------- */

/* Say why there is no reply. */
static void
say_trouble(struct transfer *transfer, CURLcode code)
{
    struct buf *trouble = &transfer->result.trouble;
    struct buf host = BUF_INIT;

    url_part(transfer->url, CURLUPART_HOST, &host);
    if (transfer->flooded) {
        buf_addf(trouble, "its reply is longer than %d bytes", REPLY_MAX);
        if (transfer->result.headers.cut) {
            buf_clear(trouble);
            buf_addf(trouble, "its reply's headers are longer than %d bytes",
                     REPLY_HEADERS_MAX);
        }
    } else if (code == CURLE_COULDNT_RESOLVE_HOST) {
        buf_addf(trouble,
                 "no address is known for %s; look at the service's url and "
                 "at this machine's network",
                 buf_text(&host));
    } else if (code == CURLE_COULDNT_CONNECT) {
        buf_addf(trouble, "%s can't be reached; it is down, or elsewhere",
                 buf_text(&host));
    } else if (code == CURLE_OPERATION_TIMEDOUT) {
        buf_addf(trouble, "%s did not answer in time", buf_text(&host));
    } else if (code == CURLE_PEER_FAILED_VERIFICATION) {
        buf_addf(trouble, "the certificate of %s is not to be trusted: %s",
                 buf_text(&host), transfer->error);
    } else {
        buf_add_text(trouble, transfer->error[0] != '\0'
                                  ? transfer->error
                                  : curl_easy_strerror(code));
    }
    buf_release(&host);
}

/* Fill in the reply of a transfer that came to its end. */
static void
take_reply(struct transfer *transfer, CURLcode code, int64_t now)
{
    struct http_result *result = &transfer->result;
    long status = 0;
    long version = 0;

    if (code == CURLE_OK && !transfer->headed) {
        code = CURLE_RECV_ERROR; /* to curl, headers may end anywhere */
    }
    if (code == CURLE_OK) {
        (void)curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE,
                                &status);
        (void)curl_easy_getinfo(transfer->easy, CURLINFO_HTTP_VERSION,
                                &version);
        result->reply.status = (int)status;
        result->reply.headers = buf_text(&result->headers);
        limits_read_times(&result->reply, now);
        if (!transfer->request->long_poll) {
            transfer->peer->multiplexed = version == CURL_HTTP_VERSION_2_0;
        }
    } else {
        say_trouble(transfer, code);
        buf_wipe(&result->body);
        buf_wipe(&result->headers);
        result->reply.retry_after = -1;
        result->reply.trouble = buf_text(&result->trouble);
        result->reply.too_long = transfer->flooded;
    }
    result->reply.body = buf_text(&result->body);
    result->reply.len = result->body.len;
}

static void
hang_up(struct http *http, struct transfer *transfer)
{
    (void)curl_multi_remove_handle(multi_of(http, transfer), transfer->easy);
    curl_easy_cleanup(transfer->easy);
    transfer->easy = NULL;
    count_active(transfer, false);
    wipe_headers(transfer);
}

static void
end(struct http *http, struct transfer *transfer, CURLcode code, int64_t now)
{
    queue_drop(&http->sent, transfer);
    take_reply(transfer, code, now);
    limits_end(&transfer->peer->limits, &transfer->permit,
               &transfer->result.reply, now);
    hang_up(http, transfer);
    queue_add(&http->done, transfer);
}

/* Let all of a kind do what they can, and end those that are over. */
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
        if (transfer->easy != NULL) {
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
    free_queue(http, &http->waiting);
    free_queue(http, &http->sent);
    free_queue(http, &http->done);
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

/* Where the clock was set back, whatever waits still waits as long as it would
 * have. */
static void
follow_clock(struct http *http, int64_t now)
{
    for (struct peer *peer = http->peers; now < http->now && peer != NULL;
         peer = peer->next) {
        limits_set_back(&peer->limits, http->now - now);
    }
    http->now = now;
}

void
http_work(struct http *http, int64_t now)
{
    follow_clock(http, now);
    send_some(http, true, now);
    send_some(http, false, now);
    perform(http, http->multi, now);
    perform(http, http->polls, now);
}

bool
http_next(struct http *http, struct http_result *result)
{
    struct transfer *transfer = http->done.first;

    if (transfer == NULL) {
        return false;
    }
    queue_drop(&http->done, transfer);
    *result = transfer->result;
    transfer->result = (struct http_result){0};
    transfer_free(transfer);
    return true;
}

/* The time at which the next of those that wait may go. */
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

/* Whatever a long poll waits for; the patience is cut to what else it has to
 * do.
 */
static unsigned
add_doors(CURLM *polls, struct curl_waitfd *doors, int64_t *patience)
{
    fd_set in;
    fd_set out;
    fd_set odd;
    int highest = -1;
    long timeout = -1;
    unsigned count = 0;

    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&odd);
    (void)curl_multi_fdset(polls, &in, &out, &odd, &highest);
    for (int i = 0; i <= highest && count < DOORS_MAX; i++) {
        int events = (FD_ISSET(i, &in) ? CURL_WAIT_POLLIN : 0) |
                     (FD_ISSET(i, &out) ? CURL_WAIT_POLLOUT : 0);
        if (events != 0) {
            doors[count++] =
                (struct curl_waitfd){.fd = i, .events = (short)events};
        }
    }
    (void)curl_multi_timeout(polls, &timeout);
    if (timeout >= 0 && timeout < *patience) {
        *patience = timeout;
    }
    return count;
}

void
http_wait(struct http *http, int64_t now, int64_t patience, int waker)
{
    struct curl_waitfd doors[DOORS_MAX + 1];
    int64_t next = next_time(http, now);

    if (http->done.first != NULL || next <= now) {
        return;
    }
    patience = patience < LONGEST_WAIT_MS ? patience : LONGEST_WAIT_MS;
    patience = patience < next - now ? patience : next - now;
    unsigned count = add_doors(http->polls, doors, &patience);
    if (waker >= 0) {
        doors[count++] =
            (struct curl_waitfd){.fd = waker, .events = CURL_WAIT_POLLIN};
    }
    (void)curl_multi_poll(http->multi, doors, count, (int)patience, NULL);
}
