#include "tests/bench/fake_curl.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Without its macros, whose names are defined here. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

#include "bot/base/splitmix.h"

enum {
    HOLD_MS = 10000 /* until a request that waits is looked at again */
};

/* An easy handle: a request, and its reply once it is there. */
struct easy {
    struct easy *next; /* in the list of those under way */
    CURLU *url;
    const char *method, *body;
    size_t body_len;
    const struct curl_slist *headers;
    void *private;
    curl_write_callback write, take_header;
    void *write_to, *header_to;
    char *error;
    struct multi *multi;
    int64_t comes, returns; /* to the service, and from it */
    int64_t held;           /* it waits there, and is looked at then; 0: no */
    bool served, broken, over;
    int status;
    struct buf reply, reply_headers;
};

struct multi {
    struct easy *told; /* whose end is told next */
    CURLMsg message;
};

static struct {
    struct fake_line *line;
    int64_t now, polled;
    struct easy *flight; /* the newest first */
    unsigned sent, under_way;
    uint64_t chance;
} wire;

/* ---- the line ------------------------------------------------------------ */

void
fake_curl_open(struct fake_line *line)
{
    wire.line = line;
    wire.polled = 0;
}

static void
add_header_line(struct request *request, const char *line)
{
    static const char type[] = "Content-Type:";
    if (strncmp(line, type, sizeof type - 1) == 0) {
        const char *value = line + sizeof type - 1;
        (void)snprintf(request->type, sizeof request->type, "%s",
                       value + strspn(value, " "));
    } else if (wire.line->token_header != NULL &&
               strcmp(line, wire.line->token_header) == 0) {
        request->authorized = true;
    } else {
        buf_addf(&request->headers, "%s\n", line);
    }
}

static void
take_request(const struct easy *easy, struct request *request)
{
    char *url = NULL;
    memset(request, 0, sizeof *request);
    request->authorized = wire.line->token_header == NULL;
    (void)snprintf(request->method, sizeof request->method, "%s", easy->method);
    if (curl_url_get(easy->url, CURLUPART_URL, &url, 0) != CURLUE_OK) {
        die("a request of the bench has no address");
    }
    buf_add_text(&request->url, url);
    curl_free(url);
    if (easy->body != NULL) {
        buf_add(&request->body, easy->body, easy->body_len);
    }
    for (const struct curl_slist *at = easy->headers; at != NULL;
         at = at->next) {
        add_header_line(request, at->data);
    }
}

/* It has come to the service. */
static void
serve(struct easy *easy)
{
    struct request request;
    struct reply reply = {.status = 0};
    take_request(easy, &request);
    easy->served = true;
    wire.line->late = 0;
    easy->broken = !wire.line->serve(wire.line->context, easy->comes, &request,
                                     &easy->reply, &reply);
    easy->status = reply.status;
    buf_add_text(&easy->reply_headers,
                 reply.headers == NULL ? "" : reply.headers);
    easy->returns =
        easy->held == 0 ? easy->returns : wire.now + wire.line->back;
    easy->returns += wire.line->late;
    request_clear(&request);
    buf_release(&request.url);
    buf_release(&request.body);
    buf_release(&request.headers);
}

void
fake_curl_drop(bool arrives)
{
    while (wire.flight != NULL) {
        struct easy *first = wire.flight;
        for (struct easy *at = wire.flight; at != NULL; at = at->next) {
            first = at->comes <= first->comes ? at : first;
        }
        if (arrives && !first->served) {
            serve(first);
        }
        (void)(curl_multi_remove_handle)(first->multi, first);
    }
}

/* Does it wait for something new? */
static bool
is_held(struct easy *easy)
{
    char *url = NULL;
    if (wire.line->holds == NULL) {
        return false;
    }
    if (curl_url_get(easy->url, CURLUPART_URL, &url, 0) != CURLUE_OK) {
        die("a request of the bench has no address");
    }
    bool held =
        wire.line->holds(wire.line->context, wire.now, url, easy->comes);
    curl_free(url);
    easy->held = held ? wire.now + HOLD_MS : easy->held;
    return held;
}

/* Of those that have come by now, and were not served, the one that came
 * first. */
static struct easy *
first_to_serve(void)
{
    struct easy *first = NULL;
    for (struct easy *at = wire.flight; at != NULL; at = at->next) {
        if (!at->served && at->comes <= wire.now &&
            (first == NULL || at->comes <= first->comes) && !is_held(at)) {
            first = at;
        }
    }
    return first;
}

void
fake_curl_tell(int64_t now)
{
    struct easy *easy = NULL;
    wire.now = now;
    while ((easy = first_to_serve()) != NULL) {
        serve(easy);
    }
}

int64_t
fake_curl_next_request(void)
{
    int64_t next = INT64_MAX;
    for (const struct easy *at = wire.flight; at != NULL; at = at->next) {
        int64_t comes = at->held > at->comes ? at->held : at->comes;
        next = !at->served && comes < next ? comes : next;
    }
    return next;
}

int64_t
fake_curl_next_reply(void)
{
    int64_t next = INT64_MAX;
    for (const struct easy *at = wire.flight; at != NULL; at = at->next) {
        bool held = !at->served && at->held > 0;
        next = !held && at->returns < next ? at->returns : next;
    }
    return next;
}

int64_t
fake_curl_polled(void)
{
    int64_t polled = wire.polled;
    wire.polled = 0;
    return polled;
}

unsigned
fake_curl_sent(void)
{
    return wire.sent;
}

unsigned
fake_curl_under_way(void)
{
    return wire.under_way;
}

/* The parameters have names of ours.
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

/* ---- libcurl: easy handles ----------------------------------------------- */

CURLcode(curl_global_init)(long flags)
{
    (void)flags;
    return CURLE_OK;
}

void(curl_global_cleanup)(void)
{
}

CURL *(curl_easy_init)(void)
{
    return must_alloc(sizeof(struct easy));
}

void(curl_easy_cleanup)(CURL *handle)
{
    struct easy *easy = handle;
    buf_release(&easy->reply);
    buf_release(&easy->reply_headers);
    free(easy);
}

static void
set_pointer(struct easy *easy, CURLoption option, void *value)
{
    switch ((int)option) {
    case CURLOPT_CURLU:
        easy->url = value;
        break;
    case CURLOPT_CUSTOMREQUEST:
        easy->method = value;
        break;
    case CURLOPT_POSTFIELDS:
        easy->body = value;
        break;
    case CURLOPT_HTTPHEADER:
        easy->headers = value;
        break;
    case CURLOPT_PRIVATE:
        easy->private = value;
        break;
    case CURLOPT_WRITEDATA:
        easy->write_to = value;
        break;
    case CURLOPT_HEADERDATA:
        easy->header_to = value;
        break;
    case CURLOPT_ERRORBUFFER:
        easy->error = value;
        break;
    default:
        break; /* nothing here depends on it */
    }
}

CURLcode(curl_easy_setopt)(CURL *handle, CURLoption option, ...)
{
    struct easy *easy = handle;
    va_list values;
    va_start(values, option);
    if (option == CURLOPT_WRITEFUNCTION) {
        easy->write = va_arg(values, curl_write_callback);
    } else if (option == CURLOPT_HEADERFUNCTION) {
        easy->take_header = va_arg(values, curl_write_callback);
    } else if (option == CURLOPT_POSTFIELDSIZE_LARGE) {
        easy->body_len = (size_t)va_arg(values, curl_off_t);
    } else if (option < CURLOPTTYPE_OBJECTPOINT) {
        (void)va_arg(values, long);
    } else if (option < CURLOPTTYPE_FUNCTIONPOINT) {
        set_pointer(easy, option, va_arg(values, void *));
    }
    va_end(values);
    return CURLE_OK;
}

CURLcode(curl_easy_getinfo)(CURL *handle, CURLINFO info, ...)
{
    const struct easy *easy = handle;
    va_list values;
    va_start(values, info);
    if (info == CURLINFO_PRIVATE) {
        *va_arg(values, void **) = easy->private;
    } else if (info == CURLINFO_RESPONSE_CODE) {
        *va_arg(values, long *) = easy->status;
    } else if (info == CURLINFO_HTTP_VERSION) {
        *va_arg(values, long *) = CURL_HTTP_VERSION_2_0;
    } else {
        die("the bench's libcurl does not know what it is asked");
    }
    va_end(values);
    return CURLE_OK;
}

/* ---- libcurl: multi handles ---------------------------------------------- */

CURLM *(curl_multi_init)(void)
{
    return must_alloc(sizeof(struct multi));
}

CURLMcode(curl_multi_cleanup)(CURLM *handle)
{
    free(handle);
    return CURLM_OK;
}

CURLMcode(curl_multi_setopt)(CURLM *handle, CURLMoption option, ...)
{
    (void)handle;
    (void)option;
    return CURLM_OK;
}

CURLMcode(curl_multi_add_handle)(CURLM *multi, CURL *handle)
{
    struct easy *easy = handle;
    uint64_t jitter = splitmix_next(&wire.chance) % (wire.line->jitter + 1);
    easy->multi = multi;
    easy->comes = wire.now + wire.line->there + (int64_t)jitter;
    easy->returns = easy->comes + wire.line->back;
    easy->next = wire.flight;
    wire.flight = easy;
    wire.sent++;
    wire.under_way++;
    return CURLM_OK;
}

CURLMcode(curl_multi_remove_handle)(CURLM *multi, CURL *handle)
{
    struct easy **at = &wire.flight;
    (void)multi;
    while (*at != NULL && *at != handle) {
        at = &(*at)->next;
    }
    if (*at != NULL) {
        *at = (*at)->next;
        wire.under_way--;
    }
    return CURLM_OK;
}

/* Hand the client the lines of a reply's headers, and its body. */
static void
hand_over(struct easy *easy)
{
    static char status[] = "HTTP/2 200 \r\n"; /* the client asks for the number
                                                 elsewhere */
    char *line = easy->reply_headers.data;
    (void)easy->take_header(status, 1, sizeof status - 1, easy->header_to);
    while (line != NULL && *line != '\0') {
        size_t len = strcspn(line, "\n") + 1;
        (void)easy->take_header(line, 1, len, easy->header_to);
        line += len;
    }
    static char end[] = "\r\n";
    (void)easy->take_header(end, 1, 2, easy->header_to);
    if (easy->reply.len > 0) {
        (void)easy->write(easy->reply.data, 1, easy->reply.len, easy->write_to);
    }
}

CURLMcode(curl_multi_perform)(CURLM *multi, int *running)
{
    for (struct easy *at = wire.flight; at != NULL; at = at->next) {
        if (at->multi == multi && at->served && !at->over &&
            at->returns <= wire.now) {
            at->over = true;
            if (!at->broken) {
                hand_over(at);
            }
        }
    }
    *running = (int)wire.under_way;
    return CURLM_OK;
}

CURLMsg *(curl_multi_info_read)(CURLM *handle, int *left)
{
    struct multi *multi = handle;
    *left = 0;
    for (struct easy *at = wire.flight; at != NULL; at = at->next) {
        if (at->multi == handle && at->over) {
            multi->message = (CURLMsg){
                .msg = CURLMSG_DONE,
                .easy_handle = at,
                .data.result = at->broken ? CURLE_RECV_ERROR : CURLE_OK};
            return &multi->message;
        }
    }
    return NULL;
}

CURLMcode(curl_multi_poll)(CURLM *multi, struct curl_waitfd more[],
                           unsigned count, int timeout, int *ready)
{
    (void)multi;
    (void)more;
    (void)count;
    wire.polled = wire.now + timeout;
    if (ready != NULL) {
        *ready = 0;
    }
    return CURLM_OK;
}

CURLMcode(curl_multi_fdset)(CURLM *multi, fd_set *in, fd_set *out, fd_set *odd,
                            int *highest)
{
    (void)multi;
    (void)in;
    (void)out;
    (void)odd;
    *highest = -1;
    return CURLM_OK;
}

CURLMcode(curl_multi_timeout)(CURLM *multi, long *timeout)
{
    (void)multi;
    *timeout = -1;
    return CURLM_OK;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
