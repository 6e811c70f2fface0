/*
 * A player's account at a Matrix homeserver: an ordinary client over HTTP that
 * knows nothing of placard.
 *
 * Requests wait for their replies.  All accounts listen side by side, each by a
 * long poll; accounts_wait hands on what they receive.  A request that fails
 * fails the test, unless the caller asks for the status.
 */
#ifndef TESTS_LIVE_ACCOUNT_H
#define TESTS_LIVE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>

#include <curl/curl.h>
#include <json-c/json.h>

#include "bot/base/buf.h"

enum {
    ACCOUNTS_MAX_LIVE = 72
};

struct account {
    const char *base; /* of the homeserver, borrowed */
    char user[128];   /* "@anna:hs.test" */
    char name[64];    /* as shown: "Anna" */
    char token[256];
    char ignored_room[128]; /* its events are left out; "": none */
    bool accepts;           /* accepts every invitation */
    bool declines;          /* or declines every one */
    void *context;          /* the caller's */
    CURL *poll;             /* the long poll under way; NULL: none */
    struct buf since, reply, url;
    struct curl_slist *headers;
    int64_t pause; /* until when it does not listen: a server that is down */
};

/* Takes an event of a room, which an account receives once.  Borrowed. */
typedef void account_taker(struct account *account, const char *room,
                           json_object *event);

/* Ask; the answer is yours to put.  `path` is below /_matrix/client/v3, `body`
 * JSON or NULL.  `status`: NULL: it must succeed. */
json_object *account_ask(const struct account *account, const char *method,
                         const char *path, const char *body, long *status);

/* Put an event into a room; its id is written to `id` (128 bytes, or NULL). */
void account_send(const struct account *account, const char *room,
                  const char *type, const char *content, char *id);

void account_join(const struct account *account, const char *room);
/* Leave a room, or decline to enter it. */
void account_leave(const struct account *account, const char *room);

/* Append a path's part, encoded. */
void path_add(struct buf *path, const char *text);

/* Begin to listen; earlier events are not received. */
void account_listen(struct account *account);

/* Listen for at most `patience` ms, or until something comes. */
void accounts_wait(struct account *const *accounts, size_t count,
                   int64_t patience, account_taker *take);

/* Stop listening. */
void account_close(struct account *account);

/* The clock, ms. */
int64_t live_now(void);

#endif
