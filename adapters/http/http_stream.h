/*
 * A reply that is taken text by text while it still comes.  http.c owns these;
 * only it includes this.
 */
#ifndef ADAPTERS_HTTP_HTTP_STREAM_H
#define ADAPTERS_HTTP_HTTP_STREAM_H

#include <stdbool.h>

#include "adapters/http/http.h"
#include "adapters/http/http_transfer.h"

struct http_stream {
    struct http_stream *next; /* the client's */
    struct transfer *transfer;
    char delimiter[STREAM_DELIMITER_MAX + 1];
    struct buf shown; /* the text that was given last */
    bool over;        /* the transfer has ended, and is in no queue any more */
    bool opened_told, closed_told;
};

/* Take over a transfer. */
struct http_stream *http_stream_new(struct transfer *transfer,
                                    const char *delimiter);
/* Its transfer is freed too, which MUST be in no queue. */
void http_stream_free(struct http_stream *stream);

/* Is there an event that was not taken yet? */
bool http_stream_has_event(const struct http_stream *stream);

#endif
