/*
 * A WebSocket (RFC 6455): a connection to a service on which both sides send
 * texts whenever they want.
 *
 * libcurl connects it, with the same checks as every request: certificates, no
 * address without encryption but loopback's, proxies, no redirect.  The upgrade
 * is done here, and wslay does the frames: it masks, joins fragments and
 * answers pings.  Nothing is retried, and nothing here blocks.
 */
#ifndef ADAPTERS_HTTP_WEB_SOCKET_H
#define ADAPTERS_HTTP_WEB_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "bot/base/err.h"

enum {
    SOCKET_TEXT_MAX = 8 << 20, /* bytes of one text that comes in */
    SOCKET_TEXTS_MAX = 1000,   /* that wait to be taken: no more is read then */
    SOCKET_BYTES_MAX = 16 << 20, /* of them together, likewise */
    SOCKET_UNSENT_MAX = 64,      /* frames of ours that the other side has not
                                    read: no more of its own are read then */
    SOCKET_DESCRIPTORS_MAX = 4,  /* descriptors that it may wait for */
    SOCKET_CODE_NORMAL = 1000,   /* RFC 6455, section 7.4.1 */
};

struct web_socket;

/* Begin to connect to a `ws:` or `wss:` address.  NULL with ERR_CONFIG and a
 * sentence: that is no such address, or must not be used. */
struct web_socket *web_socket_new(const char *address, int64_t now,
                                  struct buf *why) MUST_USE;
/* A connection that is still open is cut. */
void web_socket_free(struct web_socket *socket);

/* Send a text; nothing happens unless it is open.  Copied: like the buffers of
 * libcurl, that of wslay can't be wiped. */
void web_socket_send(struct web_socket *socket, const char *text, size_t len);

/* Tell the other side that we close, and why.  Nothing comes after that. */
void web_socket_close(struct web_socket *socket, unsigned code);

/* Do what can be done at once. */
void web_socket_work(struct web_socket *socket, int64_t now);

enum socket_event_kind {
    SOCKET_OPENED,
    SOCKET_TEXT,
    SOCKET_CLOSED, /* or it was never open; the last event */
};

/* What happened; borrowed until the next call for this socket. */
struct socket_event {
    enum socket_event_kind kind;
    const char *text; /* TEXT; it has no NUL inside */
    size_t len;
    unsigned code;       /* CLOSED: that of the other side; 0: it gave none */
    const char *trouble; /* CLOSED: a sentence that says why; "": they closed */
};

/* What happened next; false: nothing more yet. */
bool web_socket_next(struct web_socket *socket, struct socket_event *event);

/* Add the descriptors that it waits for, at most SOCKET_DESCRIPTORS_MAX, and
 * cut the patience (ms) to its next timeout.  Returns how many were added. */
unsigned web_socket_descriptors(struct web_socket *socket, int64_t now,
                                struct curl_waitfd *descriptors,
                                int64_t *patience);

#endif
