/*
 * Forums: what they share, and how one of them is described.
 *
 * A forum is a `struct forum`: its requests, what its replies look like, what
 * it refuses in which words.  The files of this folder do each job (read a
 * topic, read the inbox, send …) by such a description, one step at a time;
 * what only one service does stands in its own folder, as hooks and steps.
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

/* The cursor that reads a topic by pages from its first post on. */
#define FORUM_FROM_FIRST "0.0.1.0.0"
/* … and that which reads it from the nth on. */
#define FORUM_FROM_START "0.0.0"

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
    FORUM_ID_MAX = 19,    /* digits of a number that is an id */
    FORUM_LIST_MAX = 500, /* more than a forum ever gives at once */
};

/* Can it be an id: 1 to FORUM_ID_MAX digits, not all 0? */
bool forum_is_number(const char *text);

/* Read so many numbers separated by dots, as in cursors; false: it is something
 * else. */
bool forum_read_numbers(const char *text, int64_t *numbers, unsigned count);

/* The three numbers that a cursor begins with; *rest is behind them.  The next
 * one behind those.  Append one to the outcome's cursor, if there is room. */
bool forum_read_head(const char **rest, int64_t numbers[3]);
bool forum_read_next(const char **rest, int64_t *number);
void forum_add_next(struct outcome *out, int64_t number);

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

/* Note the number of a topic or room under a key of the adapter state; was it
 * noted there?  The latest are remembered. */
void forum_note(struct exchange *exchange, const char *key, const char *number);
bool forum_is_noted(const struct exchange *exchange, const char *key,
                    const char *number);

/* The number of a topic in an address, behind a path such as "/topic/" or
 * behind that and the topic's name; a number alone is one.  Owned; NULL: none.
 */
char *forum_topic_of(const char *address, const char *path);
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
    int64_t shown;  /* the newest of the DM that is visited, anybody's; 0: none
                       yet */
    unsigned pages; /* pages of the list that were read */
    unsigned count, next;
    bool stale; /* a reply was older than the list */
    bool more;  /* some DMs with something new are not visited now */
    struct forum_dm dms[FORUM_VISITS_MAX]; /* the earliest first */
};

/* ---- a description --------------------------------------------------------
 */

struct forum_item;

/* Takes a reply and goes on; the first step of a job has no reply. */
typedef enum advance forum_step(struct exchange *exchange);

/*
 * A kind of request.  Its path and its body have places in them:
 *
 *     {topic}    the number of a topic, or of a DM's topic or room
 *     {user}     somebody's name in addresses
 *     {number}   a page, a position, a member's number …
 *     {account}  the name of the account, as configured
 *     {password} … and the password
 *     {post}     the operation's post
 *     {text}     its message, with the mark
 *     {title}    its text as it is
 *     {about}    what a private message is about, with the mark
 *     {…}        any other word: that member of the reply before
 *
 * In a path they are written as parts of an address, and what stands in
 * brackets is left out if {number} is 0; in a body, as in a string of JSON, or
 * in a form.
 *
 * A form is sent from the page that has it: first that is asked for, unless it
 * is the reply before.  What stands in its hidden fields is sent, too.
 */
struct forum_endpoint {
    const char *method, *path;
    const char *body; /* JSON, or a query that `form` goes with; NULL: none */
    const char
        *form; /* a field that its form has; NULL: it is sent from none */
    const char *page;  /* the path of its page; NULL: the reply is that */
    const char *own;   /* fields of its that are not sent (" a b ") */
    const char *route; /* request.route; NULL: none */
    int64_t apart;     /* request.apart */
    bool urgent;       /* request.urgent */
    bool anybody;      /* of pages: a guest gets the same */
};

/* One that only asks. */
#define FORUM_GET(address)                                                     \
    {                                                                          \
        .method = "GET", .path = (address)                                     \
    }

/* What stands in the places, if it isn't what the operation has. */
struct forum_values {
    const char *topic, *user;
    int64_t number;
};

/* How a forum writes times: milliseconds, or a timestamp. */
enum forum_time {
    FORUM_MILLISECONDS,
    FORUM_TIMESTAMP,
};

/*
 * Where the members of a post are in a reply; or those of a message, a topic, a
 * DM, a person.  A path is the keys on the way: "user.username".  NULL: it has
 * none.
 */
struct forum_shape {
    const char *id;     /* its number */
    const char *member; /* its author's, or the person's own */
    const char *name;   /* … who is called so; or the topic's title */
    const char *slug;   /* … and so in addresses */
    const char *body;
    const char *stamp;    /* when it was written, or last written in */
    const char *edited;   /* when it was edited */
    const char *deleted;  /* is set if it was deleted */
    const char *pending;  /* … if it waits for approval */
    const char *answers;  /* the id of the post that it answers, */
    const char *answered; /* or that one's place in the topic */
    const char *machine;  /* is set if the forum itself wrote it */
    const char *count;    /* posts of a topic, people in a DM */
    const char *last;     /* the number of a topic's last post */
    const char *position; /* its place in the topic, */
    int64_t first;        /* and the first one's */
    enum forum_time time;
    /* MAY be NULL.  Correct what was read. */
    void (*finish)(struct forum_item *item);
};

/*
 * A part of a page of HTML, or of an item of a list on it.  It is made a member
 * that paths lead to, as of a reply in JSON; of several rows with one key the
 * first that finds something counts.
 */
enum forum_take {
    FORUM_THERE,   /* true: it is there */
    FORUM_WORDS,   /* an attribute, or the text of the element; `before`: what
                      stands behind that, up to the next field */
    FORUM_NUMBER,  /* the number behind `before` in that: page_number */
    FORUM_COUNT,   /* how many there are in the element before a blank */
    FORUM_BODY,    /* what people wrote, as HTML; no other part is in there */
    FORUM_LOCATION /* of a reply that leads on: the number in that address */
};
enum {
    FORUM_PARTS_MAX = 32 /* of a page, of an item */
};
struct forum_part {
    const char *key;
    const char *at; /* which element (page.h); "$…": the last of those, "&…":
                       the item's own */
    enum forum_take take;
    const char *attribute; /* NULL: the text is taken */
    const char *before;
};

/* A list on a page. */
struct forum_list {
    const char *key;
    const char *at;    /* its items, which are not within each other */
    const char *after; /* without which the page has no such list; NULL: each
                          page has it */
    const struct forum_part *parts;
};

/* What was read by a shape; borrowed from the reply. */
struct forum_item {
    json_object *from;
    char id[FORUM_ID_MAX + 1]; /* "": it has none */
    int64_t number;            /* the same; 0: none */
    int64_t member;            /* 0: nobody's who has one */
    const char *name, *slug;   /* NULL: it doesn't say */
    const char *body;          /* NULL: none */
    int64_t stamp;             /* 0: none; -1: it is no time */
    int64_t edited;            /* 0: never; -1: unknown */
    char answers[FORUM_ID_MAX + 1];
    int64_t count, position; /* -1: it doesn't say */
    int64_t last;            /* 0: it doesn't say */
    bool authored;           /* it says who wrote it, or that nobody did */
    bool elsewhere;          /* its id is an address: it is on another server */
    bool deleted, machine;
    bool pending;  /* it waits for approval */
    bool left;     /* it is a note that its author has left the DM */
    bool closed;   /* nobody can post in the topic */
    bool as_typed; /* the body is what was written, in the board's dialect */
};

/* What a forum refuses: the first row that a reply matches. */
struct forum_refusal {
    int status;
    const char *words; /* of the forum; "": any, NULL: even none */
    enum err err;      /* ERR_NONE: the status's own */
    enum refused refused;
    int64_t wait; /* ERR_LIMITED: ms; FORUM_TOLD: the words go on with it
                     ("10 second(s)"), and if they do not, the row doesn't
                     match */
};
enum {
    FORUM_TOLD = -1,
    FORUM_WAYS = 3, /* to find somebody */
    FORUM_LISTS = 2
};

/* A row about the account's rights: what the reply says, and what follows.
 * Facts are bits of the forum's own, noted by rows before, and
 * FORUM_UNTOLD. */
struct forum_check {
    /* Set in the reply, or a number over or under that; NULL: it need not
     * say. */
    const char *path;
    int64_t over, under;   /* 0: that doesn't matter */
    int64_t otherwise;     /* the number, if it doesn't say */
    unsigned when, unless; /* facts: one of these, and none of those */
    /* If all of that is so: */
    unsigned notes;              /* facts */
    unsigned gives, takes;       /* rights */
    const char *limits, *advice; /* sentences; "{account}", "{number}";
                                    "{said}": what the reply says */
};
enum {
    FORUM_UNTOLD = 1 << 30 /* the forum keeps it from the account */
};

/* A request whose reply tells of the rights. */
struct forum_stage {
    struct forum_endpoint ask; /* {number}: the topic's category */
    const char *path;          /* which the reply has, unless it is untold */
    int untold[2];             /* statuses that mean that; 0: none */
    bool missing;              /* that it doesn't exist is an answer, too */
    unsigned when; /* one of these facts, or it is left out; 0: any */
    /* MAY be NULL.  Take more from the reply; without a request, begin there.
     * ADVANCE_REQUEST: it asks for more, and ends with forum_probe_next. */
    forum_step *take;
    /* Then these, up to one with no effect; NULL: none. */
    const struct forum_check *rows;
};

/* What a probe remembers; that of a service's own begins with it. */
struct forum_probing {
    unsigned stage, facts;
    int64_t category;
};

/* How an account logs in where a forum has no API: by a form, after which some
 * cookies are its session.  They are kept as the state "secret.cookies". */
enum {
    FORUM_NAMES_MAX = 4,
    FORUM_COOKIES_MAX = 250 /* bytes of all, as they are kept */
};
struct forum_login {
    struct forum_endpoint send;
    const char *cookies[FORUM_NAMES_MAX]; /* what their names end in */
    const char *member; /* the one that holds the account's number: "_u=" */
    /* Is the page in the reply a member's? */
    bool (*is_inside)(const struct exchange *exchange);
};

struct forum {
    /* How each kind of operation begins. */
    const struct exchange_op *ops;
    const char *headers; /* of each request, with places; NULL: none */
    /* Of a forum without an API, whose replies are pages; up to one without a
     * key. */
    const struct forum_login *login;
    const struct forum_part *parts;
    const struct forum_list *lists;
    struct {
        struct forum_endpoint self;
        struct forum_endpoint users[FORUM_WAYS]; /* of that {user}, in turn: a
                                                    name in addresses, a name,
                                                    a number */
        struct forum_endpoint topic;             /* in short: has it changed? */
        struct forum_endpoint page;     /* the topic's page of that {number} */
        struct forum_endpoint position; /* its page with that post */
        struct forum_endpoint newest;   /* its page with the last post first */
        struct forum_endpoint recent;   /* topics, the newest posts first */
        /* Lists of DMs, the newest posts first: from {number} on, or the page
         * {number}, the first one's 0. */
        struct forum_endpoint dms[FORUM_LISTS];
        struct forum_endpoint messages; /* of one, less the last {number} */
        struct forum_endpoint send, send_dm, edit, edit_dm;
        struct forum_endpoint create; /* a topic, in the category {number} */
        struct forum_endpoint erase;  /* {post} */
        struct forum_endpoint queue;  /* {post}, if it waits for approval */
        struct forum_endpoint own;    /* {user}'s latest posts, the account's,
                                         or those in {topic} */
    } ask;
    struct {
        struct forum_shape person, topic, post, message, dm;
    } shape;
    /* Where in a reply the things are that those shapes describe, and others.
     */
    struct {
        const char *topic, *recent, *posts, *dms, *messages;
        const char *further;  /* numbers of topics, those of `recent` first */
        const char *pages;    /* how many a topic has */
        const char *next_dms; /* the {number} of more of them; NULL:
                                 the next page's */
        const char *category; /* of the topic */
        const char *probed;   /* … on the page that a probe begins with */
        const char *sent, *sent_dm, *created; /* the new one's number */
        const char *edited;                   /* is there if it was edited */
        const char *erased; /* of pages: is set if it was deleted */
        const char *queue;  /* is empty if it does not wait */
        const char *own;    /* the account's latest posts */
        const char *said;   /* the words of a refusal */
        const char *wait;   /* seconds that it asks to wait */
        const char *unread; /* DMs, where the list of recent topics says so */
        const char *known;  /* is false where a page is what guests see */
    } path;
    const struct forum_refusal *refusals; /* up to one of status 0 */
    /* Words of a form that has to be sent again, from the page that says so;
     * of one that was sent, and waits for approval; and of what does not exist.
     * Of pages. */
    const char *stale, *queued, *missing;
    const struct forum_stage *stages; /* of a probe, up to one without a path */
    struct {
        const char *topic, *post; /* what their addresses begin with */
        const char *query;        /* what a topic's number stands behind in an
                                     address's query; NULL: in none */
        const char *form;         /* a topic's, for people: "/topic/NUMBER" */
    } address;
    struct {
        const char *before, *after; /* what hides it */
    } mark;
    unsigned messages; /* in a page of a DM */
    unsigned twice;    /* posts of a topic that are read once more, where it
                          is read from the nth on */
    int64_t behind;    /* an nth that is behind the end of any */
    int64_t quiet;     /* ms: how far the list of recent topics goes back; 0:
                          it has the newest at least */
    int64_t members;   /* people are known by their numbers, of which that is
                          the first; 0: by their names */
    bool titled;       /* only in topics of its title a game's is looked for */
    bool dm_by_key;    /* a private message's id is its key */
    bool self_by_name; /* the account is asked for by its name */
    bool escaped;      /* titles have references as in HTML */
    const char *no_inbox; /* the state with the DMs that are none, but
                             galleries; NULL: there are no galleries */

    /* All MAY be NULL. */
    /* Append the message, but for its mark. */
    void (*write)(const struct exchange *exchange, struct buf *out);
    /* The name in addresses that a name makes. */
    void (*add_slug)(const char *name, struct buf *slug);
    /* Fail because the account is not who it is to be, or isn't known. */
    forum_step *refuse_self;
    /* Before a message goes into a DM: who is in there?  Ends with
     * forum_send_message. */
    forum_step *check_dm;
    /* Does what was sent wait for approval?  Then its id is in the outcome. */
    bool (*is_unapproved)(struct exchange *exchange);
    /* Some posts were edited, but nobody says when: ask, and then
     * forum_end_topic. */
    forum_step *date_edits;
    /* Is it the id of such a post? */
    bool (*is_queue_id)(const char *id);
    /* Can no games be hosted in the topic of the reply?  Then fail; else
     * ADVANCE_DONE. */
    forum_step *check_place;
    /* Can't the topic be read from the page in the reply?  Then fail; else
     * ADVANCE_DONE. */
    forum_step *check_page;
    /* A page of the list of DMs was read, as it was at that time. */
    void (*see_dms)(struct exchange *exchange, int64_t date);
    /* Ask for the messages of the DM that is visited.  Ends with
     * forum_visit_next. */
    forum_step *visit;
    /* Say more of a refusal, or something else. */
    void (*explain)(struct exchange *exchange);
    /* The operation has failed with this reply: is that the reason? */
    forum_step *doubt;
};

/* ---- jobs ---------------------------------------------------------------- */

/* Take a step, for adapter.advance(). */
enum advance forum_advance(const struct forum *forum,
                           const struct service *service, const struct op *op,
                           struct buf *scratch, const struct reply *reply,
                           struct outcome *out, struct buf *why);

/* The description of the forum whose job it is. */
const struct forum *forum_of(const struct exchange *exchange);
/* The job's own memory, zeroed at first; borrowed until more of it is asked
 * for. */
void *forum_memory(const struct exchange *exchange, size_t size);

/* Ask, and take the reply in the next step; what stands in the places is the
 * operation's own, or else is given. */
enum advance forum_ask(struct exchange *exchange,
                       const struct forum_endpoint *endpoint, forum_step *next);
enum advance forum_ask_for(struct exchange *exchange,
                           const struct forum_endpoint *endpoint,
                           struct forum_values values, forum_step *next);

/* The cookies of the session, and the account's number in them; 0: nobody is
 * logged in. */
const char *forum_cookies(const struct exchange *exchange);
int64_t forum_member(const struct exchange *exchange);

/* Fail because of the reply, with the forum's own words. */
enum advance forum_refused(struct exchange *exchange);
/* Append those; does a page say this? */
void forum_add_words(const struct exchange *exchange, struct buf *words);
bool forum_says(const struct exchange *exchange, const char *words);
/* Does the forum say that there is no such thing? */
bool forum_is_missing(const struct exchange *exchange);

/* A member on a path ("" is the value itself); NULL: absent. */
json_object *forum_get(json_object *from, const char *path);
/* The same as a string (NULL: none), a number, a number that may be written as
 * text; is it true, or a number other than 0? */
const char *forum_text(json_object *from, const char *path);
bool forum_number(json_object *from, const char *path, int64_t *number);
bool forum_id(json_object *from, const char *path, char id[FORUM_ID_MAX + 1]);
bool forum_flag(json_object *from, const char *path);

/* The list on a path of the reply, of at most 500; NULL: it has none, or shows
 * what guests see. */
json_object *forum_list(const struct exchange *exchange, const char *path);
/* Read the object; the nth of a list. */
void forum_read_item(const struct forum_shape *shape, json_object *from,
                     struct forum_item *item);
bool forum_read_nth(const struct forum_shape *shape, json_object *list,
                    size_t nth, struct forum_item *item);
/* Add a post of the topic or DM of that number; false: it lacks something that
 * each post has. */
bool forum_add_item(struct exchange *exchange, const struct forum_item *item,
                    const char *number, bool dm, bool company);

/* The item that the reply about one topic is; false: it is none. */
bool forum_read_reply(const struct exchange *exchange,
                      struct forum_item *topic);
/* The posts of a topic's page, and how many pages there are; NULL: it is no
 * such page. */
json_object *forum_posts(const struct exchange *exchange, int64_t *pages);

/* Make a page of HTML what a reply in JSON is, an object; owned. */
json_object *forum_read_page(const struct forum *forum,
                             const struct reply *reply);

/* A reading of the inbox; what a job of a service's own remembers begins with
 * it. */
struct forum_reading {
    struct forum_inbox inbox;
    unsigned list;             /* which is asked for */
    char dm[FORUM_ID_MAX + 1]; /* that is visited */
    bool alone;                /* no others are: the doorbell rang for it */
    bool company;              /* others read it, too */
    unsigned pages;            /* of it that were asked for */
    size_t from;               /* where its posts begin in the page */
};

/* Take in the messages that were not read before; false: one of them is none
 * that a forum gives.  *older: some were read before. */
bool forum_take_messages(struct exchange *exchange, json_object *messages,
                         bool *older);
/* Take note of when a reply was given, one of several of a DM; the last one's
 * time is taken by forum_visit_next. */
void forum_note_date(struct forum_inbox *inbox,
                     const struct exchange *exchange);
/* Visit the next DM, after one was read or can't be read; or end. */
enum advance forum_visit_next(struct exchange *exchange);

/* FIND: end a look whose cursor leads on: the first one of a search looks
 * through the account's own latest posts before. */
enum advance forum_look_on(struct exchange *exchange);

/* Each of these begins a job (enum op_kind). */
enum advance forum_who(struct exchange *exchange);
enum advance forum_user_of(struct exchange *exchange);
enum advance forum_place(struct exchange *exchange);
enum advance forum_places(struct exchange *exchange);
enum advance forum_updates(struct exchange *exchange);
enum advance forum_read_feed(struct exchange *exchange);
enum advance forum_send(struct exchange *exchange);
enum advance forum_edit(struct exchange *exchange);
enum advance forum_delete(struct exchange *exchange);
enum advance forum_find(struct exchange *exchange);

/* Send the message itself. */
enum advance forum_send_message(struct exchange *exchange);
/* After forum.date_edits: the topic was read. */
enum advance forum_end_topic(struct exchange *exchange);
/* Answer with the number on that path of the reply. */
enum advance forum_answer_number(struct exchange *exchange, const char *path);

/* Fail because nobody has that name. */
enum advance forum_nobody(struct exchange *exchange, const char *name);

/* Look for a game's topic among the first of those in the list on that path of
 * the reply; open one if it is none of them.  `category`: in which; 0: in that
 * of the operation's place. */
enum advance forum_open_unless(struct exchange *exchange, const char *path,
                               int64_t category);

/* Probe the account's rights, stage by stage. */
enum advance forum_probe(struct exchange *exchange);
enum advance forum_probe_next(struct exchange *exchange);

#endif
