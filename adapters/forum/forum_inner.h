/*
 * What the files that do a forum's jobs share; nobody else includes it.
 */
#ifndef ADAPTERS_FORUM_FORUM_INNER_H
#define ADAPTERS_FORUM_FORUM_INNER_H

#include <stddef.h>

#include "adapters/forum/forum.h"

/* The looking up of one reading's addresses. */
struct forum_lookup {
    unsigned count;               /* asked for so far */
    char topic[FORUM_ID_MAX + 1]; /* the last one: … */
    int64_t position;
};

/* The session of a forum without tokens. */
struct forum_session {
    bool enters;  /* the request is one of the log-in */
    bool renewed; /* it has logged in just now */
    bool anybody; /* a guest gets the same reply */
    char cookies[FORUM_COOKIES_MAX + 1];
};

/* What is kept from step to step, before the job's own memory. */
struct forum_job {
    /* Aligned as what is behind it: the job's own memory. */
    _Alignas(max_align_t) const struct forum *forum;
    forum_step *next; /* takes the reply; NULL: the job has not begun */
    bool doubted;     /* the failure, which is only to be explained */
    struct forum_lookup lookup;
    struct forum_session session;
};

/* Borrowed until the job's own memory is first asked for. */
struct forum_job *forum_job(const struct exchange *exchange);

/* Begin a job, whose scratch is empty. */
void forum_begin(struct exchange *exchange, const struct forum *forum);
/* Take a step of the operation's own. */
enum advance forum_take(struct exchange *exchange);
/* Take a step where there is a session: it may have to log in first. */
enum advance forum_take_inside(struct exchange *exchange);
/* Forget all that the operation has remembered. */
void forum_begin_again(struct exchange *exchange);

/* Is the page what guests see, because the token is not valid? */
bool forum_is_guest(const struct exchange *exchange);

/* Begin a reading: of a topic, of the inbox. */
enum advance forum_read_topic(struct exchange *exchange);
enum advance forum_read_inbox(struct exchange *exchange);

/* Put the addresses of posts into the page that was read: see
 * forum_address.c. */
enum advance forum_look_up(struct exchange *exchange);

#endif
