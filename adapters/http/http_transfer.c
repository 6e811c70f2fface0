#include "adapters/http/http_transfer.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "adapters/http/http_curl.h"
#include "adapters/http/http_url.h"
#include "bot/base/version.h"

/* ---- addresses ----------------------------------------------------------- */

/* Is a URL at the service, so that it may be sent the token? */
static bool
is_at(const struct service *service, CURLU *url)
{
    CURLU *base = curl_url();

    assert(base != NULL);
    bool at =
        curl_url_set(base, CURLUPART_URL, service->base, 0) == CURLUE_OK &&
        url_shares(url, base, CURLUPART_SCHEME) &&
        url_shares(url, base, CURLUPART_HOST) &&
        url_shares(url, base, CURLUPART_PORT) && url_path_is_below(url, base);
    curl_url_cleanup(base);
    return at;
}

static CURLU *
parse_url(const char *text)
{
    CURLU *url = curl_url();

    assert(url != NULL);
    if (curl_url_set(url, CURLUPART_URL, text, CURLU_DISALLOW_USER) !=
        CURLUE_OK) {
        curl_url_cleanup(url);
        return NULL;
    }
    return url;
}

static enum err
check_url(CURLU *url, const struct service *service, bool authorized,
          struct buf *why)
{
    if (url == NULL) {
        return err_say(why, ERR_CONFIG,
                       "its address is not valid; look at the service's url");
    }
    if (!url_is(url, CURLUPART_SCHEME, "https") &&
        !(url_is(url, CURLUPART_SCHEME, "http") && url_is_loopback(url))) {
        return err_say(why, ERR_CONFIG,
                       "its address is not encrypted; write one that begins "
                       "with https://");
    }
    if (authorized && !is_at(service, url)) {
        return err_say(
            why, ERR_CONFIG,
            "a request with the token would have gone elsewhere than to "
            "the service's url; it was not sent");
    }
    return ERR_NONE;
}

/* Check the URL of a request. */
static enum err
take_url(struct transfer *transfer, const struct service *service,
         const struct request *request, struct buf *why)
{
    CURLU *url = parse_url(buf_text(&request->url));
    enum err err = check_url(url, service, request->authorized, why);

    transfer->encrypted =
        err == ERR_NONE && url_is(url, CURLUPART_SCHEME, "https");
    curl_url_cleanup(url);
    return err;
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

/* Is a body sent, if only an empty one? */
static bool
has_body(const struct transfer *transfer)
{
    return transfer->body_len > 0 || strcmp(transfer->method, "POST") == 0 ||
           strcmp(transfer->method, "PUT") == 0;
}

/* Add a header as it is. */
static void
add_header(struct curl_slist **headers, const char *line)
{
    struct curl_slist *more = curl_slist_append(*headers, line);

    if (more == NULL) {
        die("out of memory");
    }
    *headers = more;
}

static void
wipe_headers(struct curl_slist *headers)
{
    for (struct curl_slist *at = headers; at != NULL; at = at->next) {
        wipe(at->data, strlen(at->data));
    }
    curl_slist_free_all(headers);
}

/* List headers, a line each; false: one is invalid. */
static bool
list_headers(const char *at, struct curl_slist **headers)
{
    struct buf line = BUF_INIT;
    bool good = true;

    while (good && *at != '\0') {
        size_t len = strcspn(at, "\n");
        buf_clear(&line);
        buf_add(&line, at, len);
        size_t name = strcspn(buf_text(&line), ": \t");
        good = is_printable(buf_text(&line)) && name > 0 &&
               buf_text(&line)[name] == ':';
        add_header(headers, buf_text(&line));
        at += len + (at[len] == '\n');
    }
    buf_wipe(&line);
    return good;
}

/* Take a request's address and its headers, if they are valid. */
static enum err
take_headers(struct transfer *transfer, const struct request *request,
             struct buf *why)
{
    const char *url = buf_text(&request->url);
    size_t address = strlen(url) + 1;
    struct buf texts = BUF_INIT;
    struct curl_slist *headers = NULL;

    buf_add(&texts, url, address);
    if (has_body(transfer)) {
        /* Without a type, curl would set its own.  With "Expect" it would wait
         * a second for permission to send a large body. */
        buf_addf(&texts, "Content-Type:%s%s\nExpect:\n",
                 request->type[0] != '\0' ? " " : "", request->type);
    }
    buf_add_buf(&texts, &request->headers);
    transfer->address = must_alloc(texts.len + 1);
    memcpy(transfer->address, buf_text(&texts), texts.len);
    bool good = is_printable(request->type) &&
                request->headers.len == strlen(buf_text(&request->headers)) &&
                list_headers(buf_text(&texts) + address, &headers);
    buf_wipe(&texts);
    wipe_headers(headers);
    return good
               ? ERR_NONE
               : err_say(why, ERR_CONFIG,
                         "a header of a request is not valid; it was not sent");
}

/* Its headers, but for the token. */
static char *
lines_of(const struct transfer *transfer)
{
    return transfer->address + strlen(transfer->address) + 1;
}

/* The token without the word that a header has before it, "Bot " or "Bearer ",
 * in case it was pasted with that. */
static const char *
bare_token(const char *form, const char *hole, const char *token)
{
    const char *word = strchr(form, ':');

    word = word == NULL || word > hole ? form : word + 1;
    word += *word == ' ';
    size_t len = (size_t)(hole - word);

    return len > 1 && strncmp(token, word, len) == 0 ? token + len : token;
}

void
transfer_add_token(const char *form, const char *token, struct buf *text)
{
    const char *hole = form == NULL ? NULL : strstr(form, "%s");

    if (hole != NULL) {
        token = bare_token(form, hole, token);
    }
    if (is_printable(token) && token[strcspn(token, "\"\\")] == '\0') {
        buf_add_text(text, token);
    }
}

/* The token goes in only when the request goes out: it may change meanwhile. */
static void
add_token(const char *form, const char *token, struct curl_slist **headers)
{
    const char *hole = form == NULL ? NULL : strstr(form, "%s");
    struct buf line = BUF_INIT;

    if (hole != NULL && token[0] != '\0' && is_printable(token)) {
        buf_init(&line, 0);
        buf_add(&line, form, (size_t)(hole - form));
        buf_add_text(&line, bare_token(form, hole, token));
        buf_add_text(&line, hole + 2);
        add_header(headers, buf_text(&line));
        buf_wipe(&line);
    }
}

/* The address, with the token in the place of "%s" where no header takes it. */
static CURLU *
address_of(const struct transfer *transfer, const struct adapter *adapter,
           const char *token)
{
    const char *hole = strstr(transfer->address, "%s");
    struct buf whole = BUF_INIT;

    if (hole == NULL || !transfer->authorized ||
        adapter->token_header != NULL) {
        return parse_url(transfer->address);
    }
    buf_init(&whole, 0);
    buf_add(&whole, transfer->address, (size_t)(hole - transfer->address));
    url_add_part(&whole, token);
    buf_add_text(&whole, hole + 2);
    CURLU *url = parse_url(buf_text(&whole));
    buf_wipe(&whole);
    return url;
}

/* ---- what comes in ------------------------------------------------------- */

static size_t
receive_body(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;

    (void)size; /* is 1 */
    buf_add(&transfer->result->body, bytes, count);
    transfer->flooded = transfer->flooded || transfer->result->body.cut;
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
    struct buf *headers = &transfer->result->headers;
    bool in_name = true;
    size_t len = count;

    (void)size;
    if (begins_blind(bytes, count, "HTTP/")) {
        /* The lines before belong to an interim reply (100). */
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

/* ---- how it is sent ------------------------------------------------------ */

static void
set_method(CURL *easy, const struct transfer *transfer)
{
    if (has_body(transfer)) {
        /* curl sends it from where it lies. */
        CURL_SET(easy, CURLOPT_POSTFIELDS,
                 transfer->body == NULL ? "" : transfer->body);
        CURL_SET(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                 (curl_off_t)transfer->body_len);
    }
    if (strcmp(transfer->method, "HEAD") == 0) {
        CURL_SET(easy, CURLOPT_NOBODY, 1L);
    } else {
        CURL_SET(easy, CURLOPT_CUSTOMREQUEST, transfer->method);
    }
}

static int
timeout_of(const struct request *request)
{
    if (request->timeout > 0) {
        return (int)request->timeout;
    }
    return request->long_poll ? LONG_POLL_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
}

static void
set_user_agent(CURL *easy, const struct adapter *adapter)
{
    const char *name =
        adapter->user_agent != NULL ? adapter->user_agent : "placard";
    struct buf agent = BUF_INIT;

    buf_addf(&agent, "%s (%s, %s)", name, placard_url, placard_version);
    CURL_SET(easy, CURLOPT_USERAGENT, buf_text(&agent));
    buf_release(&agent);
}

static void
set_ways(CURL *easy, const struct transfer *transfer)
{
    CURL_SET(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    /* Wait for a connection that may turn out to be HTTP/2 rather than open
     * another; without encryption we could not know. */
    CURL_SET(easy, CURLOPT_PIPEWAIT, transfer->encrypted ? 1L : 0L);
    CURL_SET(easy, CURLOPT_FRESH_CONNECT, transfer->once ? 1L : 0L);
    CURL_SET(easy, CURLOPT_ACCEPT_ENCODING, "");
    CURL_SET(easy, CURLOPT_TIMEOUT_MS, (long)transfer->timeout);
}

/* ---- from the request to the reply --------------------------------------- */

/* In no more memory than it needs: it may have to wait for long. */
static void
take_body(struct transfer *transfer, const struct request *request)
{
    assert(request->body.len <= UINT32_MAX);
    transfer->body_len = (uint32_t)request->body.len;
    if (transfer->body_len > 0) {
        transfer->body = must_alloc(transfer->body_len);
        memcpy(transfer->body, request->body.data, transfer->body_len);
    }
}

enum err
transfer_take(struct transfer *transfer, const struct service *service,
              const struct request *request, struct buf *why)
{
    memcpy(transfer->method, request->method, sizeof(transfer->method));
    take_body(transfer, request);
    transfer->timeout = timeout_of(request);
    transfer->long_poll = request->long_poll;
    transfer->authorized = request->authorized;
    transfer->once = strcmp(request->method, "POST") == 0 &&
                     service->adapter->capabilities.dedupe == 0;
    enum err err = take_url(transfer, service, request, why);
    return err == ERR_NONE ? take_headers(transfer, request, why) : err;
}

void
transfer_call(struct transfer *transfer, const struct adapter *adapter,
              const char *token)
{
    struct call *call = must_alloc(sizeof(*call));
    CURL *easy = curl_easy_init();

    if (easy == NULL) {
        die("out of memory");
    }
    transfer->call = call;
    call->easy = easy;
    call->url = address_of(transfer, adapter, token);
    assert(call->url != NULL); /* it was checked */
    (void)list_headers(lines_of(transfer), &call->headers);
    transfer->result = must_alloc(sizeof(*transfer->result));
    buf_init(&transfer->result->body, REPLY_MAX);
    buf_init(&transfer->result->headers, REPLY_HEADERS_MAX);
    if (transfer->authorized) {
        add_token(adapter->token_header, token, &call->headers);
    }
    CURL_SET(easy, CURLOPT_CURLU, call->url);
    set_method(easy, transfer);
    curl_set_safely(easy, transfer->encrypted);
    set_user_agent(easy, adapter);
    set_ways(easy, transfer);
    CURL_SET(easy, CURLOPT_HTTPHEADER, call->headers);
    CURL_SET(easy, CURLOPT_ERRORBUFFER, call->error);
    CURL_SET(easy, CURLOPT_PRIVATE, transfer);
    CURL_SET(easy, CURLOPT_WRITEFUNCTION, receive_body);
    CURL_SET(easy, CURLOPT_WRITEDATA, transfer);
    CURL_SET(easy, CURLOPT_HEADERFUNCTION, take_header);
    CURL_SET(easy, CURLOPT_HEADERDATA, transfer);
}

/* Say why no reply came. */
static void
say_trouble(struct transfer *transfer, CURLcode code)
{
    struct buf *trouble = &transfer->result->trouble;
    struct buf host = BUF_INIT;

    url_part(transfer->call->url, CURLUPART_HOST, &host);
    if (transfer->flooded) {
        buf_addf(trouble, "its reply is longer than %d bytes", REPLY_MAX);
        if (transfer->result->headers.cut) {
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
                 buf_text(&host), transfer->call->error);
    } else {
        buf_add_text(trouble, transfer->call->error[0] != '\0'
                                  ? transfer->call->error
                                  : curl_easy_strerror(code));
    }
    buf_release(&host);
}

void
transfer_receive(struct transfer *transfer, CURLcode code, int64_t now)
{
    struct http_result *result = transfer->result;
    long status = 0;
    long version = 0;

    if (code == CURLE_OK && !transfer->headed) {
        code = CURLE_RECV_ERROR; /* to curl, headers may end anywhere */
    }
    if (code == CURLE_OK) {
        (void)curl_easy_getinfo(transfer->call->easy, CURLINFO_RESPONSE_CODE,
                                &status);
        (void)curl_easy_getinfo(transfer->call->easy, CURLINFO_HTTP_VERSION,
                                &version);
        result->reply.status = (int)status;
        result->reply.headers = buf_text(&result->headers);
        limits_read_times(&result->reply, now);
        transfer->multiplexed = version == CURL_HTTP_VERSION_2_0;
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

void
transfer_hang_up(struct transfer *transfer)
{
    struct call *call = transfer->call;

    curl_easy_cleanup(call->easy);
    curl_url_cleanup(call->url);
    wipe_headers(call->headers);
    free(call);
    transfer->call = NULL;
}

void
http_result_free(struct http_result *result)
{
    if (result != NULL) {
        /* A reply may hold a role, or a token. */
        buf_wipe(&result->body);
        buf_wipe(&result->headers);
        buf_release(&result->trouble);
    }
    free(result);
}

void
transfer_free(struct transfer *transfer)
{
    assert(transfer->call == NULL);
    if (transfer->address != NULL) { /* the headers may hold a token */
        wipe(lines_of(transfer), strlen(lines_of(transfer)));
        wipe(transfer->address, strlen(transfer->address));
    }
    free(transfer->address);
    /* A message may hold a role or a hand. */
    if (transfer->body != NULL) {
        wipe(transfer->body, transfer->body_len);
    }
    free(transfer->body);
    http_result_free(transfer->result);
    free(transfer);
}
