/*
 * What the adapters of forums share.
 *
 * Each topic is a feed of its own.  All DMs of an account are one feed,
 * "inbox": the list of DMs says where something is new, and those are visited
 * one after the other.  A DM's place is "pm" and the number of its topic or
 * room, so that its feed can be told from its name.
 *
 * No forum knows keys for posts, so each post of the host ends in a mark with
 * its key; the host looks for the mark before it sends a post again.
 */
#ifndef ADAPTERS_FORUM_H
#define ADAPTERS_FORUM_H

#include "adapters/exchange.h"

/* The feed of all DMs, and what their places begin with. */
#define FORUM_INBOX "inbox"
#define FORUM_DM    "pm"

enum {
    /* For so long, posts may appear out of order: a post is stamped before it
     * is committed. */
    FORUM_MARGIN_MS = 2000,
    FORUM_ASTRAY_MS = 5000,       /* clocks that agree differ by less */
    FORUM_PAUSE_MS = 10000,       /* between two looks at a topic */
    FORUM_EDITS_MS = 60000,       /* between two looks for edits */
    FORUM_FIND_SLACK_MS = 600000, /* our clock may have been set since */
    FORUM_VISITS_MAX = 8,         /* DMs visited in one reading */
    /* How far back the first reading of the inbox goes: a DM is opened, and may
     * be answered, before the inbox is read. */
    FORUM_FIRST_MS = 600000,
    /* A DM that doesn't show the post of which the list tells is looked at
     * again for so long. */
    FORUM_MISSING_MS = 600000,
    FORUM_ID_MAX = 19, /* digits of a number that is an id */
};

/* Can it be an id: 1 to FORUM_ID_MAX digits, not all 0? */
bool forum_is_number(const char *text);

/* Read so many numbers separated by dots, as in cursors; false: it is something
 * else. */
bool forum_read_numbers(const char *text, int64_t *numbers, unsigned count);

/* Read a member that is such a number, a JSON number; false, and "" in `text`:
 * it is none. */
bool forum_parse_number(json_object *object, const char *key,
                        char text[FORUM_ID_MAX + 1]);

/* Is a member true, or a number other than 0 (as some versions write it)? */
bool forum_is_set(json_object *object, const char *key);

/* The number of a place's topic or room; NULL: it is no such place.  `dm`: it
 * is to be a DM. */
const char *forum_number_of(const char *place, bool *dm);

/* The feed of a place, for adapter.feed(). */
void forum_feed(const struct service *service, const char *place,
                struct buf *feed);

/* A user's id: the name in lower case, for a mention holds nothing else
 * (adapters/markup/markdown.h).  NULL or owned. */
char *forum_user(const char *name);

/* Read a member that is a timestamp (bot/base/civil.h); false: it is none. */
bool forum_parse_time(json_object *object, const char *key, int64_t *time);

/* Append the mark with a message's key after its text, on a line of its own
 * between what hides it there. */
void forum_add_mark(const struct op *op, const char *before, const char *after,
                    struct buf *text);
/* The subject of a private message, with the mark: what it is about, which its
 * text begins with, up to a colon. */
void forum_add_subject(const struct op *op, struct buf *subject);
/* Has a post of ours the key of the operation's message, in its source or its
 * rendered form?  All keys in it are noted (outcome.marks), with this id. */
bool forum_is_marked(struct exchange *exchange, const char *text,
                     const char *id);

/* Is that member, and of one without a number this name (NULL: nobody's), the
 * account itself? */
bool forum_is_self(const struct exchange *exchange, int64_t member,
                   const char *name);

/* Answer who somebody is: the id, which is taken, and the name that is shown.
 */
enum advance forum_answer_user(struct exchange *exchange, char *id,
                               const char *shown);
/* Answer with the number of a DM's topic or room. */
enum advance forum_answer_dm(struct exchange *exchange, const char *number);

/* Note that a topic or room is a gallery, and not a DM; was it noted?  The
 * latest are remembered. */
void forum_note_gallery(struct exchange *exchange, const char *number);
bool forum_is_gallery(const struct exchange *exchange, const char *number);

/* Fail because the configured address is no topic's.  `form`: the path of one,
 * "/t/name/NUMBER". */
enum advance forum_no_topic(struct exchange *exchange, const char *form);
/* Fail because the operation's place is none of this service's. */
enum advance forum_no_place(struct exchange *exchange);

/* Note when the reply was given, by the forum's clock; false: it doesn't say
 * (and the operation fails). */
bool forum_parse_date(const struct exchange *exchange, int64_t *date);
enum advance forum_undated(struct exchange *exchange);

/* ---- reading a feed ------------------------------------------------------ */

/* Is the inbox to be read? */
bool forum_is_inbox(const struct exchange *exchange);
/* Fail because the cursor is none of this service's. */
enum advance forum_lost_cursor(struct exchange *exchange);

/* Add a post of the topic or DM of that number, whose body is HTML as readers
 * see it; you set everything else. */
struct post *forum_add_post(struct page *page, const char *number, bool dm);

/* Set `through` for a feed whose page was given at `date`; if there is more,
 * the next post may have the same time as the last one. */
void forum_end_page(struct outcome *out, int64_t date, bool more);

/* Sort the posts from the nth on by their ids, rising. */
void forum_sort_posts(struct page *page, size_t from);

/* ---- the inbox ------------------------------------------------------------
 *
 * A round goes through all DMs with something new.  Each reading asks for the
 * list and visits the FORUM_VISITS_MAX DMs whose last post is the earliest
 * after `done`.  All posts of a visited DM after `from` are given.  When none
 * is left, `from` and `done` become the time of the newest post in the list, or
 * that of the list, if it is earlier: a list that tells a wrong time makes
 * nobody wait to be heard. */
struct forum_dm {
    int64_t last; /* when its last post was written; 0: never */
    char number[FORUM_ID_MAX + 1];
    bool company; /* more than two read it, if the list tells */
};

struct forum_inbox {
    bool first;
    int64_t from, done, date;
    int64_t newest; /* when the newest post of all DMs was written; 0: never */
    int64_t shown;  /* the newest of the DM that is visited; 0: none yet */
    unsigned pages; /* pages of the list that were read */
    unsigned count, next;
    bool stale; /* a reply was older than the list */
    bool more;  /* some DMs with something new are not visited now */
    struct forum_dm dms[FORUM_VISITS_MAX]; /* the earliest first */
};

/* Start a reading; false: the cursor is not of this kind. */
bool forum_inbox_begin(struct forum_inbox *inbox, const char *cursor);

/* How a forum's lists are read. */
struct forum_list {
    /* Read one DM of the list into a zeroed one; false: it is none. */
    bool (*read)(json_object *from, struct forum_dm *dm);
    /* Fail because of the reply. */
    enum advance (*refused)(struct exchange *exchange);
};

/* Take a page of the list, the DMs with the newest posts first (NULL: it is no
 * list). ADVANCE_REQUEST: ask for the next page, if there is one; ADVANCE_DONE:
 * visit the DMs. */
enum advance forum_inbox_parse(struct forum_inbox *inbox,
                               struct exchange *exchange,
                               const struct forum_list *list, json_object *dms);
/* Go on with another list of DMs: those in both lists count once. */
void forum_inbox_advance(struct forum_inbox *inbox);
/* Take note of when a post of the visited DM was written, anybody's. */
void forum_inbox_see(struct forum_inbox *inbox, int64_t stamp);
/* Take note of when a reply was given, one of several of a DM; the last one's
 * time is taken by forum_inbox_visit. */
void forum_inbox_note(struct forum_inbox *inbox,
                      const struct exchange *exchange);
/* ADVANCE_REQUEST: visit the DM whose number is now in `number`.  ADVANCE_DONE:
 * none is left, and the reading has ended: sets cursor, more and through. */
enum advance forum_inbox_visit(struct forum_inbox *inbox,
                               const struct exchange *exchange,
                               char number[FORUM_ID_MAX + 1]);
/* Do more than two read the visited DM, as the list tells? */
bool forum_inbox_has_company(const struct forum_inbox *inbox);

/* ---- addresses (forum_address.c) ----------------------------------------- */

/* How a forum's address bars name a post by its place in a topic. */
struct forum_addresses {
    const char *path; /* which such an address begins with: "/topic/" */
    const char *post; /* the same of one that holds a post's id: "/post/" */
    enum advance (*read)(struct exchange *exchange); /* without all that */
    /* Ask for the post that stands there; find its id in the reply, owned (""
     * or NULL: none that can be seen). */
    void (*ask)(struct exchange *exchange, const char *topic, int64_t position);
    char *(*find)(const struct exchange *exchange, int64_t position);
};

/* The looking up of one reading's addresses; zeroed when that begins. */
struct forum_lookup {
    unsigned count;               /* asked for so far */
    char topic[FORUM_ID_MAX + 1]; /* the last one: … */
    int64_t position;
};

/* Read, and put the post's own address in the place of each such address that a
 * command on the outcome's page holds. */
enum advance forum_read(struct forum_lookup *lookup, struct exchange *exchange,
                        const struct forum_addresses *kind);

#endif
