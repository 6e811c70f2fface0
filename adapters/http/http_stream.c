#include "adapters/http/http_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct http_stream *
http_stream_new(struct transfer *transfer, const char *delimiter)
{
    struct http_stream *stream = must_alloc(sizeof(*stream));
    size_t len = strlen(delimiter);

    assert(len > 0 && len <= STREAM_DELIMITER_MAX);
    memcpy(stream->delimiter, delimiter, len + 1);
    stream->transfer = transfer;
    return stream;
}

void
http_stream_free(struct http_stream *stream)
{
    transfer_free(stream->transfer);
    buf_wipe(&stream->shown);
    free(stream);
}

/* The status of the reply; 0: its headers have not come yet, or it broke off.
 */
static int
status_of(const struct http_stream *stream)
{
    const struct transfer *transfer = stream->transfer;
    long status = 0;

    if (stream->over) {
        return transfer->result->reply.status;
    }
    if (transfer->call != NULL && transfer->headed) {
        (void)curl_easy_getinfo(transfer->call->easy, CURLINFO_RESPONSE_CODE,
                                &status);
    }
    return (int)status;
}

static bool
is_open(const struct http_stream *stream)
{
    int status = status_of(stream);

    return status >= 200 && status <= 299;
}

/* Where the first text of what has come ends, and how much follows before the
 * next one; false: it is not whole yet. */
static bool
find_end(const struct http_stream *stream, size_t *end, size_t *gap)
{
    const struct buf *body = &stream->transfer->result->body;
    const char *bytes = buf_text(body);

    *gap = strlen(stream->delimiter);
    for (*end = 0; *end + *gap <= body->len; (*end)++) {
        if (memcmp(bytes + *end, stream->delimiter, *gap) == 0) {
            return true;
        }
    }
    *end = body->len;
    *gap = 0;
    return stream->over && body->len > 0;
}

bool
http_stream_has_event(const struct http_stream *stream)
{
    size_t end;
    size_t gap;

    return !stream->closed_told &&
           (stream->over ||
            (is_open(stream) &&
             (!stream->opened_told || find_end(stream, &end, &gap))));
}

/* Move the first text out of what has come. */
static void
take_text(struct http_stream *stream, size_t end, size_t gap)
{
    struct buf *body = &stream->transfer->result->body;
    struct buf rest = BUF_INIT;

    buf_init(&rest, REPLY_MAX);
    buf_add(&rest, buf_text(body) + end + gap, body->len - end - gap);
    buf_truncate(body, end);
    buf_wipe(&stream->shown);
    stream->shown = *body;
    *body = rest;
}

static void
tell_closed(struct http_stream *stream, struct socket_event *event)
{
    const struct reply *reply = &stream->transfer->result->reply;

    stream->closed_told = true;
    event->kind = SOCKET_CLOSED;
    event->code = is_open(stream) ? 0 : (unsigned)reply->status;
    event->trouble = reply->trouble != NULL ? reply->trouble : "";
}

bool
http_stream_next(struct http_stream *stream, struct socket_event *event)
{
    size_t end;
    size_t gap;

    *event = (struct socket_event){.text = "", .trouble = ""};
    if (!http_stream_has_event(stream)) {
        return false;
    }
    if (is_open(stream) && !stream->opened_told) {
        stream->opened_told = true;
        event->kind = SOCKET_OPENED;
    } else if (is_open(stream) && find_end(stream, &end, &gap)) {
        take_text(stream, end, gap);
        event->kind = SOCKET_TEXT;
        event->text = buf_text(&stream->shown);
        event->len = stream->shown.len;
    } else {
        tell_closed(stream, event);
    }
    return true;
}
