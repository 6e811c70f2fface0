/*
 * What the files that do a forum's jobs share; nobody else includes it.
 */
#ifndef ADAPTERS_FORUM_FORUM_INNER_H
#define ADAPTERS_FORUM_FORUM_INNER_H

#include <stddef.h>

#include "adapters/forum/forum.h"
#include "adapters/forum/page.h"

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

/* A form that is being sent. */
struct forum_sending {
    const struct forum_endpoint *endpoint;
    int64_t number;
    unsigned tries;
    forum_step *next; /* takes the reply */
};

/* What is kept from step to step, before the job's own memory. */
struct forum_job {
    /* Aligned as what is behind it: the job's own memory. */
    _Alignas(max_align_t) const struct forum *forum;
    forum_step *next; /* takes the reply; NULL: the job has not begun */
    bool doubted;     /* the failure, which is only to be explained */
    struct forum_lookup lookup;
    struct forum_session session;
    struct forum_sending sending;
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

/* The id of an item's author; owned.  Is that the account itself? */
char *forum_author(const struct forum *forum, const struct forum_item *item);
bool forum_is_own(const struct exchange *exchange,
                  const struct forum_item *item);
/* Is it the account's own, with the operation's mark?  All marks in it are
 * noted, with this id. */
bool forum_is_mine(struct exchange *exchange, const struct forum_item *item,
                   const char *id);
/* Look through posts or messages for the operation's; false: all there are
 * older than that. */
bool forum_look_through(struct exchange *exchange,
                        const struct forum_shape *shape, json_object *posts);

/* The same jobs where a topic is read from its nth post on. */
enum advance forum_read_on(struct exchange *exchange);
enum advance forum_find_back(struct exchange *exchange);
/* A post of ours that was sent waits for approval: look for its number. */
enum advance forum_seek_unapproved(struct exchange *exchange);

/* Is the page what guests see, because the token is not valid? */
bool forum_is_guest(const struct exchange *exchange);

/* Begin a reading: of a topic, of the inbox. */
enum advance forum_read_topic(struct exchange *exchange);
enum advance forum_read_inbox(struct exchange *exchange);

/* Put the addresses of posts into the page that was read: see
 * forum_address.c. */
enum advance forum_look_up(struct exchange *exchange);

#endif
