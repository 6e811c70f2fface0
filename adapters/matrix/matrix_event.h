/*
 * Turns a room's events into posts: matrix_sync.c gets them from the service,
 * matrix_event.c judges them; nobody else includes this.
 */
#ifndef ADAPTERS_MATRIX_EVENT_H
#define ADAPTERS_MATRIX_EVENT_H

#include "adapters/matrix/matrix_inner.h"

/* A stretch of one room's events, in the order in which they arrived there. */
struct stretch {
    const char *room;
    json_object *events, *state; /* state: the members that it needs */
    size_t count;
    int64_t *stamps;    /* of the event being read */
    int64_t last, date; /* when the service was last read, and now */
    bool lost;          /* it also holds events older than the last reading */
    size_t arrival; /* of the bot, who is back: what it missed stands before; 0:
                       it was there all the time, or never */
};

/* Add the posts of a stretch, from one event on, to the page; where `lost`,
 * skip those older than the last reading. */
void parse_stretch(struct exchange *exchange, struct stretch *stretch,
                   size_t first);

/* From the state of a stretch, add the posts that say that its room can no
 * longer be read: it was encrypted or closed. */
void parse_shut(struct exchange *exchange, const struct stretch *stretch);

/* Add a post of one kind, with what every post has; the stamp is that of an
 * event of the stretch.  Borrowed until the next is added. */
struct post *parse_post(struct exchange *exchange,
                        const struct stretch *stretch, size_t at,
                        enum post_kind kind, const char *id,
                        const char *author);

/* Was an event sent from the bot's own server?  Then *stamp is true. */
bool is_trusted(const struct exchange *exchange, json_object *event,
                int64_t *stamp);

/* A time given by a server that may lie, clamped between two others. */
int64_t hold_stamp(int64_t told, int64_t earliest, int64_t latest);

/* The membership of a user that an event sets, "" if it sets none; what it was
 * before. */
const char *membership_in(json_object *event, const char *user);
const char *membership_before(json_object *event);

#endif
