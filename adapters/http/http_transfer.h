/*
 * One request on its way, as libcurl carries it: its address and headers, which
 * are judged first, what comes in, and why nothing does.  When it goes is
 * http.c's, which alone includes this.
 */
#ifndef ADAPTERS_HTTP_HTTP_TRANSFER_H
#define ADAPTERS_HTTP_HTTP_TRANSFER_H

#include <curl/curl.h>

#include "adapters/http/http.h"
#include "adapters/http/rate_limits.h"

/* From http_ask to http_next.  `next`, `peer` and `permit` are the client's. */
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
    bool multiplexed; /* its reply came by HTTP/2 */
    bool once;        /* a second one would be another post */
    bool headed;      /* its reply's headers are whole */
    bool flooded;     /* with more than may come */
    char error[CURL_ERROR_SIZE];
    struct http_result result;
};

/* Judge a request, which is borrowed, and take it up in a zeroed transfer.
 * ERR_CONFIG: it is not to be sent, and why. */
enum err transfer_take(struct transfer *transfer, const struct service *service,
                       const struct request *request, struct buf *why) MUST_USE;

/* Make what libcurl sends of it, with the service's token as it is now. */
void transfer_call(struct transfer *transfer, const char *token);

/* Fill in the result of one that came to its end. */
void transfer_receive(struct transfer *transfer, CURLcode code, int64_t now);

/* Take from it what transfer_call made; libcurl MUST NOT hold it any more. */
void transfer_hang_up(struct transfer *transfer);

/* Free one that is hung up, with its result. */
void transfer_free(struct transfer *transfer);

#endif
