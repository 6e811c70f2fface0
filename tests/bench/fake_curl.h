/*
 * A libcurl in memory, which the bench and some tests are linked with: the
 * product's own HTTP client (adapters/http) runs on it, with its limits and its
 * order, and asks a service of the tests' own at a clock that is ours.
 *
 * A request is under way for as long as the line says, there and back; several
 * are side by side, as on one HTTP/2 connection.  curl_multi_poll does not
 * wait: it notes until when the client would have slept.  Only what the client
 * uses is here; WebSockets are not.
 */
#ifndef TESTS_BENCH_FAKE_CURL_H
#define TESTS_BENCH_FAKE_CURL_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/adapter.h"

/* What is at the other end. */
struct fake_line {
    /* Answer a request that has come at a time; `reply` points into `body`, or
     * to memory that lasts until the next.  False: the connection breaks, and
     * no reply comes. */
    bool (*serve)(void *context, int64_t now, const struct request *request,
                  struct buf *body, struct reply *reply);
    void *context;
    /* MAY be NULL: does a request that came at a time wait for something new?
     */
    bool (*holds)(void *context, int64_t now, const char *url, int64_t begun);
    int64_t there, back; /* ms, at least */
    int64_t jitter;      /* ms, at most: more than that, there */
    int64_t late;        /* ms: more than that, back; set as it is served */
    const char *token_header; /* "Authorization: Bot …": who has it is known;
                                 NULL: who is known otherwise */
};

/* Begin, or begin anew: nothing is under way.  `line` is borrowed. */
void fake_curl_open(struct fake_line *line);

/* The client is dead: nothing comes back to it.  `arrives`: what it has sent
 * comes to the service all the same. */
void fake_curl_drop(bool arrives);

/* The time is so much: what was under way comes to the service.  Its replies
 * are there in the client's next turn. */
void fake_curl_tell(int64_t now);

/* When the next request comes to the service, and the next reply to the client;
 * INT64_MAX: none is under way. */
int64_t fake_curl_next_request(void);
int64_t fake_curl_next_reply(void);

/* Until when the client sleeps that has polled since this was asked last; 0: it
 * has not. */
int64_t fake_curl_polled(void);

/* Requests that were sent so far, and those under way. */
unsigned fake_curl_sent(void);
unsigned fake_curl_under_way(void);

#endif
