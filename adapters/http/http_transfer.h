/*
 * One request carried by libcurl: it checks the address and headers, collects
 * the reply, and says why none came. http.c decides when a request is sent;
 * only http.c includes this.
 */
#ifndef ADAPTERS_HTTP_HTTP_TRANSFER_H
#define ADAPTERS_HTTP_HTTP_TRANSFER_H

#include <curl/curl.h>

#include "adapters/http/http.h"
#include "adapters/http/rate_limits.h"

/* What libcurl has of a request that is under way. */
struct call {
    CURL *easy;
    CURLU *url;
    struct curl_slist *headers;
    char error[CURL_ERROR_SIZE];
};

/* From http_ask to http_next.  `next`, `peer` and `permit` are the client's.
 * While it waits it holds texts, and nothing of libcurl's. */
struct transfer {
    struct transfer *next;
    struct peer *peer;
    void *owner; /* as given to http_ask; or the stream whose reply it is */
    char method[REQUEST_METHOD_MAX + 1];
    char *address; /* owned; behind its NUL are its headers, but for the token,
                      a line each */
    char *body;    /* owned; NULL: it has none */
    struct permit permit;
    uint32_t body_len;
    int timeout;     /* ms */
    bool authorized; /* it is sent with the token */
    bool streams;
    bool long_poll;
    bool encrypted;
    bool multiplexed;  /* its reply came over HTTP/2 */
    bool once;         /* MUST NOT be repeated: that would post twice */
    bool headed;       /* its reply's headers are complete */
    bool flooded;      /* its reply exceeded a limit */
    struct call *call; /* NULL: it waits, or is over */
    struct http_result *result; /* NULL: it waits */
};

/* Check a request and put what is needed of it into a zeroed transfer.
 * ERR_CONFIG: it must not be sent, and why. */
enum err transfer_take(struct transfer *transfer, const struct service *service,
                       const struct request *request, struct buf *why) MUST_USE;

/* Prepare what libcurl sends, with the service's current token. */
void transfer_call(struct transfer *transfer, const struct adapter *adapter,
                   const char *token);

/* Append a token without the word before it in the form of its header (NULL: no
 * header); nothing if it does not fit into a JSON string as it is. */
void transfer_add_token(const char *form, const char *token, struct buf *text);

/* Fill in the result of a transfer that has ended. */
void transfer_receive(struct transfer *transfer, CURLcode code, int64_t now);

/* Undo transfer_call; libcurl MUST NOT hold the transfer any more. */
void transfer_hang_up(struct transfer *transfer);

/* Free a transfer after that, with its result. */
void transfer_free(struct transfer *transfer);

#endif
