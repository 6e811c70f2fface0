/*
 * The outline of a table: all that the loop asks of a table that is not loaded.
 *
 * A table takes 63 kB, and replaying its journal a third of a millisecond; an
 * outline takes less than a kilobyte, and is saved with each ruling.  So a host
 * that starts knows at once what is due where, and replays a game only when
 * something happens there.
 *
 * It says who has to answer what in secret: it is a secret itself, and is
 * stored sealed.  Its length depends on names alone.
 */
#ifndef BOT_HOST_TABLE_OUTLINE_H
#define BOT_HOST_TABLE_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/host/table/table.h"

struct outline {
    char *texts; /* owned; the strings below are in it, each ended by a 0 */
    size_t texts_len;
    const char *thread, *home;                    /* as in struct table */
    const char *people[PLAYERS_MAX];              /* ids */
    const char *moderators[TABLE_MODERATORS_MAX]; /* the table's own */
    unsigned seated, moderator_count;
    enum table_state state;
    struct timer timer;
    int64_t since;          /* as in struct table */
    int64_t opened;         /* likewise, or when an execution was announced
                               since; 0: no time ends what is open */
    int64_t untold_since;   /* as in struct table; a saved one says only whether
                               it is 0 */
    seat_set private_seats; /* whose private posts are read for the question */
    seat_set asked;         /* whose answer is due */
    bool secret;            /* the open question is answered in secret */
    bool voting;            /* an open vote, which the next vote does not end */
    bool opening;           /* as in struct table */
    bool offers; /* a seat is free, and that is said where it was opened */
};

/* Take the outline of a table, into a zeroed one. */
void outline_take(struct outline *outline, const struct table *table);

/* Are the same people at the same places in two of them, in the same
 * threads? */
bool outline_same_people(const struct outline *one, const struct outline *two);

/* It is in another thread now. */
void outline_set_thread(struct outline *outline, const char *thread);

/* Append an outline as it is saved. */
void outline_write(const struct outline *outline, struct buf *out);

/* Read one into a zeroed outline.  False: it is none, or one of another
 * version; the journal has to be replayed. */
bool outline_read(const char *text, size_t len, struct outline *outline);

/* Free its texts, and zero it. */
void outline_release(struct outline *outline);

#endif
