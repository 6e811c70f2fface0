/*
 * What the adapters of forums share.
 *
 * Topics are feeds of their own.  The DMs of an account are one feed,
 * "inbox": its list of DMs says where something is new, and those are visited
 * one after the other.  A talk's place is "pm" and the number of its topic or
 * room, so that its feed can be told from its name.
 *
 * No forum has keys for what is sent, so each post of the host ends in a mark
 * with its key, by which it is found before it is sent again.
 */
#ifndef ADAPTERS_FORUM_H
#define ADAPTERS_FORUM_H

#include "adapters/exchange.h"

/* The feed of all DMs, and what their places begin with. */
#define FORUM_INBOX "inbox"
#define FORUM_DM    "pm"

enum {
    /* What is written at the same time may be seen in another order for so
     * long: a post is stamped before it is committed. */
    FORUM_MARGIN_MS = 2000,
    FORUM_PAUSE_MS = 10000,      /* between two looks at a topic */
    FORUM_EDITS_MS = 60000,      /* between two looks for edits */
    FORUM_FIND_SLACK_MS = 60000, /* between our clock and a forum's */
    FORUM_VISITS_MAX = 8,        /* DMs visited in one reading */
    /* So far back the first reading of the inbox goes: a DM is opened, and
     * may be answered, before it is read. */
    FORUM_FIRST_MS = 600000,
    FORUM_ID_MAX = 19,   /* digits of a number that is an id */
    FORUM_MARK_MAX = 28, /* bytes of a message's mark that is shown */
};

/* Is it a number that can be an id: 1 to FORUM_ID_MAX digits, not all 0? */
bool forum_is_number(const char *text);

/* Read so many numbers with dots between them, as cursors have them; false: it
 * is something else. */
bool forum_read_numbers(const char *text, int64_t *numbers, unsigned count);

/* A member that is such a number, as JSON has numbers; "" in `text` and false:
 * it is none. */
bool forum_hear_number(json_object *object, const char *key,
                       char text[FORUM_ID_MAX + 1]);

/* Is a member true, or a number other than 0, as some versions write it? */
bool forum_is_set(json_object *object, const char *key);

/* The number of the topic or room that a place is; NULL: it is no such place.
 * `talk`: of a DM. */
const char *forum_number_of(const char *place, bool *dm);

/* The feed of a place, for adapter.feed(). */
void forum_feed(const struct service *service, const char *place,
                struct buf *feed);

/* The id of a user: the name in lower case, for that alone stands in a mention
 * (adapters/markup/markdown/markdown.h).  NULL or owned. */
char *forum_user(const char *name);

/* Read ISO 8601 with a date, a time with or without a fraction, and "Z" or an
 * offset; false: it is none. */
bool forum_time_read(const char *text, int64_t *time);
/* The same of a member. */
bool forum_hear_time(json_object *object, const char *key, int64_t *time);

/* Append the mark with a message's key, behind its text: in a line of its own,
 * or where `hidden`, in a comment that is in the source alone. */
void forum_add_mark(const struct op *op, bool hidden, struct buf *text);
/* Append a message's key alone, as it stands in marks. */
void forum_add_key(struct buf *text, const char *key);
/* The subject of a private message, with the mark. */
void forum_add_subject(const struct op *op, struct buf *subject);
/* Does a post's source, or what is shown of it, end in the mark of a key? */
bool forum_is_marked(const char *text, const char *key);

/* Fail an operation of a kind that forums have nothing for: "reactions". */
enum advance forum_deny(struct exchange *exchange, const char *what);

/* Note when the reply was given, by the forum's clock; false: it doesn't say
 * (then the operation fails: trip_undated). */
bool forum_hear_date(const struct exchange *exchange, int64_t *date);
enum advance forum_undated(struct exchange *exchange);

/* ---- reading a feed ------------------------------------------------------ */

/* Is the inbox to be read? */
bool forum_is_inbox(const struct exchange *exchange);
/* Fail because its cursor is none of this service's. */
enum advance forum_lost_cursor(struct exchange *exchange);

/* Add a post of a topic, or of a DM, of that number: HTML, as readers see it;
 * all else is yours. */
struct post *forum_add_post(struct page *page, const char *number, bool dm);

/* Say up to when a feed is read, whose page was given at `date`; where there is
 * more, what comes next may be of the same time as what came last. */
void forum_end_page(struct outcome *out, int64_t date, bool more);

/* Put the posts from the nth on into the order of their ids, which rise. */
void forum_sort_posts(struct page *page, size_t from);

/* ---- the inbox ------------------------------------------------------------
 *
 * A round goes through all talks with something new.  In each reading the list
 * is asked for, and those FORUM_VISITS_MAX of it are visited whose last post is
 * the earliest after `done`.  Of a DM that is visited all posts after `from`
 * are given.  When none is left, `from` and `done` become the time of the list.
 */
struct forum_dm {
    int64_t last; /* when its last post was written */
    char number[FORUM_ID_MAX + 1];
};

struct forum_inbox {
    bool first;
    int64_t from, done, date;
    unsigned pages; /* of the list, that were read */
    unsigned count, next;
    bool more; /* talks with something new that are not visited now */
    struct forum_dm dms[FORUM_VISITS_MAX]; /* the earliest first */
};

/* Begin a reading; false: the cursor is none of this kind. */
bool forum_inbox_begin(struct forum_inbox *inbox, const char *cursor);

/* How a forum's lists are taken apart. */
struct forum_list {
    /* Read one talk of it: its number, and when something was last written in
     * it (0: nothing was); false: it is none. */
    bool (*read)(json_object *from, char number[FORUM_ID_MAX + 1],
                 int64_t *last);
    /* Fail because of the reply. */
    enum advance (*refused)(struct exchange *exchange);
};

/* A page of the list was heard, those DMs first in which something was
 * written last (NULL: it is none).  ADVANCE_REQUEST: the next page is to be
 * asked for, if there is one; ADVANCE_DONE: the DMs are to be visited. */
enum advance forum_inbox_hear(struct forum_inbox *inbox,
                              struct exchange *exchange,
                              const struct forum_list *list, json_object *dms);
/* Go on with another list of DMs: what stands in both counts once. */
void forum_inbox_advance(struct forum_inbox *inbox);
/* The next talk to visit; NULL: none. */
const struct forum_dm *forum_inbox_next(struct forum_inbox *inbox);
/* End it: cursor, more and through. */
enum advance forum_inbox_end(struct forum_inbox *inbox, struct outcome *out);

#endif
