/*
 * Events of a room as posts: between matrix_sync.c, which has them from the
 * service, and matrix_event.c, which judges them; nobody else includes it.
 */
#ifndef ADAPTERS_MATRIX_EVENT_H
#define ADAPTERS_MATRIX_EVENT_H

#include "adapters/matrix/matrix_inner.h"

/* The events of one room, in the order in which they came there. */
struct stretch {
    const char *room;
    json_object *events, *state; /* state: the members that it needs */
    size_t count;
    int64_t *stamps;    /* of each event, while it is heard */
    int64_t last, date; /* when the service was read last, and now */
    bool lost;          /* what is older than the last reading is in it too */
};

/* Add the posts that a stretch makes, from one event on, to the page; those
 * older than the last reading are passed over where it is lost. */
void parse_stretch(struct exchange *exchange, struct stretch *stretch,
                   size_t first);

/* Add the posts that tell, from the state of a stretch, that nothing can be
 * read in its room any more: it was encrypted, or closed. */
void parse_shut(struct exchange *exchange, const struct stretch *stretch);

/* Add a post of one kind, with what every one has: its stamp is that of an
 * event of the stretch.  Borrowed until the next is added. */
struct post *parse_post(struct exchange *exchange,
                        const struct stretch *stretch, size_t at,
                        enum post_kind kind, const char *id,
                        const char *author);

/* A time that is told by a server that may lie, held between two. */
int64_t hold_stamp(int64_t told, int64_t earliest, int64_t latest);

/* What an event says of a user's membership, "" where it is none of that; what
 * it was before. */
const char *membership_in(json_object *event, const char *user);
const char *membership_before(json_object *event);

#endif
