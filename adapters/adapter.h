/*
 * The adapter interface: a manual for people who write one.
 *
 * An adapter translates between the host and one kind of service.  The host
 * gives it an *operation* (read a feed, send a message, open a DM …);
 * the adapter answers with the HTTP requests that do it and reads the replies.
 * It never does I/O itself, keeps no state and knows nothing of the game: so it
 * is tested with recorded replies, fuzzed without a network, and simulated
 * with any fault.
 *
 * Adding an adapter, five things to do:
 *   1. adapters/<name>.c with one `const struct adapter adapter_<name>`;
 *   2. its line in the registry (here at the end, in registry.c) and in the
 *      Makefile;
 *   3. a folder tests/fixtures/<name>/ of recorded replies, and its row in the
 *      contract test tests/adapters/test_contract.c;
 *   4. its block in the sample configuration (config/settings.c);
 *   5. its capabilities in the table below, each with the source of the fact.
 *
 * How an operation runs.  advance() is called first without a reply; it answers
 * ADVANCE_REQUEST with out->request filled in, is called again with the reply
 * to it, and so on until ADVANCE_DONE (out holds the result) or ADVANCE_FAILED
 * (out->err, and a sentence in `why`).  `out` is the same from the first turn
 * to the last and begins zeroed; before each turn its request is cleared, what
 * else was put into it stays.  `work` is the adapter's own scrap of text (at
 * most ADAPTER_SCRATCH_MAX bytes), empty at the start of the operation and
 * never saved: an operation that is cut off begins anew, so each step MUST be
 * repeatable or findable.  After ADVANCES_MAX requests whoever runs the
 * operation gives it up as garbled.  What must outlive the process (cursor,
 * device id, next transaction number) is a *note*: returned with ADVANCE_DONE,
 * saved by the host in the same transaction as what it read, handed in with
 * each later operation of its service. A note whose key begins with `secret.`
 * is never shown and lies sealed.
 *
 * Secrets.  The account's token never passes an adapter: a request that is
 * `authorized` gets it from the transport, in the header that the adapter's
 * `token_header` names, and only where its URL begins with the service's base.
 * Where an account has to log in, the adapter puts the service's `password`
 * into the body of that one request and returns the token as the note
 * `secret.token`, which from then on is the token.
 *
 * Ids (of places, posts, users) are the service's own, opaque, at most
 * ADAPTER_ID_MAX bytes; an adapter answers ERR_GARBLED rather than cut one.
 * Times are milliseconds since 1970 UTC, by the service's clock.
 */
#ifndef ADAPTERS_ADAPTER_H
#define ADAPTERS_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/rich.h"
#include "bot/base/buf.h"
#include "bot/base/err.h"

struct service;

enum {
    ADAPTER_ID_MAX = 255,
    ADAPTER_SCRATCH_MAX = 65536,
    ADAPTER_ROUTE_MAX = 96,
    ADAPTER_STATES_MAX = 16,
    ADAPTER_STATE_MAX = 2047, /* of a value: tokens that are signed are long */
    ADVANCES_MAX = 64,
};

enum op_kind {
    OP_WHO,     /* who am I?  Logs in where it must -> id, shown */
    OP_PLACE,   /* text: a configured address, or the id of a place -> id of
                       the place; joined where the service has that.  One that
                       was moved is followed */
    OP_READ,    /* feed, cursor, since -> page, cursor, more, through */
    OP_SEND,    /* place, text, key, rings, picture -> id of the post; done
                       also where the picture alone is refused (unpictured) */
    OP_EDIT,    /* place, post, text, key: never rings */
    OP_FIND,    /* place, text, key, since: what I sent with it -> id, "" if
                       not there; post: its id, if that was told as it was queued
                     */
    OP_DM,      /* user, text (what the DM is for, in plain words): open a
                         DM, or find the one there is -> id of its place
                       */
    OP_OPEN,    /* place, post, text (a title), key: a thread of its own for
                       a game, on that post of ours where threads hang on posts
                       -> id of its place; a cursor, unless an empty one begins
                       with the thread.  The same key opens it once */
    OP_REACT,   /* place, post, text (an emoji), key */
    OP_DELETE,  /* place, post, key: of anybody */
    OP_PIN,     /* place, post, key, text (ids of posts of ours, a line each,
                       that are pinned no more) */
    OP_PROBE,   /* place: what may I do there? -> rights, lengths, advice;
                       asked by `check`, and once by a host that starts */
    OP_UPDATES, /* feed (an updates feed): when was something last posted in
                   each of its feeds? -> news, through */
    OP_LOCK,    /* place, post, key: against edits by its author */
    OP_USER,    /* text: a person as the operator wrote it, an id or a name
                       -> id, shown; ERR_GONE: there is nobody of that name */
};

struct adapter_state {
    char key[32];
    char value[ADAPTER_STATE_MAX + 1];
};

/* A picture that goes with a post; or a page of HTML, to be saved. */
struct picture {
    const unsigned char *bytes; /* a PNG file, or a page; NULL: none */
    size_t len;
    unsigned width, height; /* pixels */
    const char *caption;    /* says what it shows: its alternative text */
    const char *page; /* "table-14.html" ([a-z0-9.-]): it is a page, called so;
                         "" or NULL: it is a picture */
};

/* Is it a page?  What it is called, and its media type. */
bool picture_is_page(const struct picture *picture);
const char *picture_name(const struct picture *picture);
const char *picture_type(const struct picture *picture);

/* Whom a post rings; nobody else, whatever its text names. */
struct pings {
    const char *const *users; /* ids */
    unsigned count;
    bool everybody; /* at the place */
};

/* What is to be done.  Texts are never NULL in advance(): those that the
 * operation does not use are "" (the dispatch sees to it).  A cursor of "" is
 * the adapter's choice of where to begin: at a service that is there without
 * us, now (a bot that joins a thread reads nothing old); at the board, the
 * first post. */
struct op {
    enum op_kind kind;
    const char *feed, *cursor;
    const char *place, *post, *user, *text;
    /* Of a message; the same message sent twice has the same one.  At most 25
     * bytes of [A-Za-z0-9.-] (Discord's nonce is 25 at most). */
    const char *key;
    /* FIND: it was not sent before.  READ: what was posted from then on is to
     * be read once more, for it may have been edited; 0: nothing is. */
    int64_t since;
    int64_t due; /* READ: by when an answer is wanted though there is nothing
                    to read, for something is due then; 0: whenever */
    int64_t now; /* READ, NEWS, FIND: when it is begun, by our clock: no two
                    readings of a feed are at the same time */
    bool dm;     /* the place is the DM of `user` */
    bool urgent; /* EDIT: it has waited for long, and goes before reactions */
    struct pings pings;
    struct picture picture;
    const struct adapter_state *states;
    unsigned state_count;
};

/* What came in a feed. */
enum post_kind {
    POST_WRITTEN, /* by somebody */
    POST_DELETED, /* `id` is not there any more; its author may be unknown */
    POST_SEALED,  /* nobody but people can read it: end-to-end encrypted, or
                     in a DM that `author` has opened and the bot not
                     entered */
    POST_HIDDEN,  /* the service keeps its words from the bot, which lacks a
                     permission for them */
    POST_CAME,    /* `author` has come into `place` */
    POST_LEFT,    /* `author` has left it, or was put out */
    POST_REACTED, /* `author` has put a reaction to `reply_to`; where a service
                     brings them unasked, nowhere else */
    POST_ENCRYPTED, /* `author` has turned on end-to-end encryption in `place`,
                       for good: nobody but people can read what follows */
    POST_MOVED,     /* `place` is closed, and nobody can post there any more; it
                       goes on as the place `reply_to` ("": nowhere), which
                       OP_PLACE enters for the old one */
};

/* One post as the service delivered it.  Strings are owned by the page; none is
 * NULL in a page that is done.  A post MAY come again with the same id: edited,
 * deleted, or because a feed is read with an overlap where its service shows
 * posts out of order.  No post is left out. */
struct post {
    enum post_kind kind;
    char *id, *place, *author, *author_name, *body;
    char *reply_to; /* id of the post that it answers; "": none */
    /* In which dialect the body is; NULL: the adapter's. */
    const struct dialect *dialect;
    size_t body_len;
    int64_t stamp;  /* when the service took it in */
    int64_t edited; /* 0: never; when, else; -1: edited, time unknown */
    bool dm;        /* in a DM; of a service that does not tell
                         (capabilities.tells_dms), set by whoever knows the DMs
                         that were opened */
    bool own;       /* the bot's own */
    bool machine;   /* of a bot, a webhook, the service: never counts */
    bool pending;   /* it waits for a moderator's approval: the bot sees it, the
                       other players do not.  It comes again once approved */
};

/* When a post counts by the service's clock: when it was written, or when it
 * was last edited before it was ever seen (READING.md E1). */
int64_t post_time(const struct post *post);

struct page {
    struct post *posts; /* in the order in which the service delivered them */
    size_t count;
};

/* Add an empty post; borrowed until the next is added. */
struct post *page_add(struct page *page);
/* Give each text of the posts that is NULL as "". */
void page_finish(struct page *page);
void page_release(struct page *page);

enum right {
    RIGHT_READ = 1 << 0,
    RIGHT_POST = 1 << 1,
    RIGHT_EDIT = 1 << 2,
    RIGHT_DM = 1 << 3,
    RIGHT_REACT = 1 << 4,
    RIGHT_DELETE = 1 << 5,
    RIGHT_PIN = 1 << 6,
    RIGHT_UPLOAD = 1 << 7,
    RIGHT_LOCK = 1 << 8,
    RIGHT_OPEN = 1 << 9, /* open a thread or topic of its own for a game */
};

/* What a service has refused, where an operation fails with ERR_DENIED or
 * ERR_FULL.  It decides what is tried next, and when. */
enum refused {
    REFUSED_RIGHT,   /* at that place: a right is missing, it is locked, the
                        account is muted; until somebody changes it */
    REFUSED_ACCOUNT, /* the token or the password is not accepted: nothing of
                        this account works */
    REFUSED_LOGIN,   /* to log in, for now: a captcha, too many attempts */
    REFUSED_PERSON,  /* that person takes no private messages from the bot */
    REFUSED_WORDS,   /* this text: a word filter, too long, too much like an
                        earlier one */
    REFUSED_EXTRA,   /* what goes with the text (a picture, a link, an emoji, a
                        mention): without that it may be taken */
};

/* An HTTP request, or one to the embedded board (scheme `board:`). */
struct request {
    char method[8];
    struct buf url, body;
    struct buf headers; /* further ones, "Name: value" lines ended by LF */
    char type[96];      /* content type of the body; "": none */
    /* What its rate limit is kept by, beside the service's own for all that it
     * is asked: "POST /channels/81"; "": that one alone. */
    char route[ADAPTER_ROUTE_MAX];
    int64_t apart;   /* ms at least since the last of its route was sent, and
                        answered */
    bool authorized; /* send the account's token, in its header alone */
    bool long_poll;  /* may wait long: on a connection of its own */
    bool urgent;     /* goes before others where requests have to wait */
    bool login; /* of a log-in with the password: one operation at a time logs
                   in, and those that wait share a refusal */
    int64_t timeout; /* ms; 0: the transport's own */
};

/* Make a request empty for the next one; what it held is wiped. */
void request_clear(struct request *request);

/* Append a text as one part of a URL's path or query: every byte but
 * [A-Za-z0-9._~-] as %XX (RFC 3986, section 2.3). */
void url_add_part(struct buf *url, const char *text);

/* What came back.  Borrowed for the call. */
struct reply {
    int status; /* HTTP status; 0: no reply at all (refused, cut, timeout) */
    const char *body;
    size_t len;
    int64_t retry_after; /* ms, from the header; -1: none */
    int64_t date;        /* the service's clock, from the header; 0: none */
    const char *headers; /* "name: value" lines ended by LF, names in lower
                            case; NULL: none */
    const char *trouble; /* status 0: a sentence why */
    bool too_long;       /* status 0: there was one, longer than the transport
                            takes; less may be asked for */
};

/* Append the value of the first header of that name, in lower case; false: the
 * reply has none. */
bool reply_header(const struct reply *reply, const char *name,
                  struct buf *value);

/* What the status of a reply says to do, as most services mean it: 2xx
 * ERR_NONE; 0 and 5xx LATER; 429 LIMITED; 401 and 403 DENIED; 404 and 410 GONE;
 * 413 FULL; any other GARBLED (a 400 is a request of ours that is wrong). */
enum err reply_err(const struct reply *reply);

/* When something was last posted where a feed is read, by the service's clock.
 */
struct update {
    char feed[ADAPTER_ID_MAX + 1];
    int64_t last;
};

struct outcome {
    struct request request; /* ADVANCE_REQUEST */
    enum err err;           /* ADVANCE_FAILED */
    enum refused refused;   /* ERR_DENIED, ERR_FULL */
    int64_t wait;           /* ERR_LIMITED: ms until it may be tried again */
    struct buf id, shown;
    struct page page; /* READ */
    struct buf cursor;
    bool more;       /* another page is there already */
    int64_t through; /* the service's time up to which this feed has surely
                        been read: its own clock less the adapter's margin */
    struct update *updates; /* NEWS: a feed that is missing has to be read */
    size_t news_count;
    bool unseen;     /* SEND into a DM, FIND in one: it lies there, but the
                        user is not in the DM (an invitation is not taken) */
    bool unapproved; /* SEND: it was taken, but nobody sees it before a
                    moderator has approved it; its id may be unknown.  FIND: it
                    lies there so */
    bool rejected; /* FIND of a post that was queued: it is neither in the queue
                      nor in its place any more, and will not come */
    bool unpictured; /* SEND: done, but the service refused the picture, or the
                        page, that was to go with it; `shown` says how */
    unsigned rights; /* PROBE */
    size_t longest, shortest; /* PROBE: of a post there, as it may be written by
                                 us; 0: as the capabilities have it */
    size_t longest_private;   /* PROBE: the same of a private message */
    struct buf limits; /* PROBE: what else holds up the bot's posts there (a
                          pause between two, a queue), a sentence a line */
    struct buf advice; /* WHO, PLACE, PROBE: what to change, a sentence a
                          line */
    struct adapter_state states[ADAPTER_STATES_MAX];
    unsigned state_count;
};

/* Add news of a feed; false: its name is too long. */
bool outcome_add_update(struct outcome *outcome, const char *feed,
                        int64_t last);
void outcome_release(struct outcome *outcome);

enum advance {
    ADVANCE_REQUEST,
    ADVANCE_DONE,
    ADVANCE_FAILED
};

/* Fail an operation: `return outcome_fail(out, why, ERR_…, "sentence")`. */
enum advance outcome_fail(struct outcome *out, struct buf *why, enum err err,
                          const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fail an operation because of its reply's status (MUST NOT be 2xx), with what
 * reply_err says, the service's name and `said`: the service's own words about
 * it, "" where it had none; cut and made printable here.  A limit without a
 * time in the header is one of five seconds. */
enum advance outcome_refused(const struct service *service,
                             const struct reply *reply, const char *said,
                             struct outcome *out, struct buf *why);

/* One account at one service, as configured.  Borrowed for its lifetime. */
struct service {
    const struct adapter *adapter;
    char name[64];  /* of the configuration: "board" */
    char base[256]; /* URL that requests begin with, without a slash at its end:
                       "board:", "https://matrix.org" */
    char user[ADAPTER_ID_MAX + 1]; /* the account, where it has to be told */
    const char *password; /* borrowed; NULL: none, the token is configured */
    char self[ADAPTER_ID_MAX + 1]; /* the bot's user id; "" before WHO */
};

struct capabilities {
    size_t longest, shortest; /* of a post, as it is written; 0: no limit */
    size_t longest_private;   /* of one in a DM; 0: as of a post */
    unsigned mentions; /* of so many people in one post; 0: of any number */
    enum length unit;  /* in which they are measured */
    int64_t dedupe;    /* ms for which a repeated key does not post twice */
    int64_t margin;    /* ms of disorder that `through` allows for */
    int64_t pause;     /* ms between two reads of a feed that had nothing new */
    unsigned rate;     /* requests a minute, at most; 0: no limit is known */
    bool reactions, edits, deletes, pins, threads;
    bool uploads;        /* takes pictures */
    bool pages;          /* and pages of HTML, as files */
    bool locks;          /* OP_LOCK works, where the account may */
    bool pictures_apart; /* a post's picture is a post of its own behind it */
    bool shows_edits;    /* post.edited is told; not of each edit everywhere */
    bool edits_follow;   /* a post comes as it was written first, then each edit
                             of it: an edit that is seen first is of a post from
                             before our time */
    bool rereads;        /* an edit shows only where a post is read once more */
    bool tells_dms;      /* post.dm is told */
    bool hides_own;      /* what the bot writes in a DM is not in its feed */
    bool disorder;     /* a feed may bring a post that is stamped before one it
                           has brought already: then `through` alone tells what
                           is surely read */
    bool red;          /* people can write red there */
    bool red_required; /* by default a name must be red (READING.md R12) */
    bool finds;        /* OP_FIND works */
    bool moves;        /* a place may be closed for another (POST_MOVED) */
};

/* What one post takes, in a thread or in a DM; the longest is 0 where
 * there is no limit. */
struct measure capabilities_measure(const struct capabilities *capabilities,
                                    bool dm);

/* Must a name be red in a place of such a service?  `red` is the setting of
 * that name, "" where it is unset; where people have no colour it has no say.
 */
bool capabilities_require_red(const struct capabilities *capabilities,
                              const char *red);

struct adapter {
    const char *name;
    const struct dialect *dialect;
    struct capabilities capabilities;
    /* The header that has the token, "%s" for it: "Authorization: Bearer %s";
     * NULL: there is none. */
    const char *token_header;
    /* The account's name goes beside its token, in `user`; else a name says
     * that what is configured is no token but the account's password. */
    bool token_names_user;
    /* The base of its URLs where that is one for all: "https://discord.com";
     * NULL: the operator writes it. */
    const char *base;

    /* MUST.  Take one turn of an operation, as told above. */
    enum advance (*advance)(const struct service *service, const struct op *op,
                            struct buf *scratch, const struct reply *reply,
                            struct outcome *out, struct buf *why);

    /* MUST.  Append the name of the feed in which posts of a place come. */
    void (*feed)(const struct service *service, const char *place,
                 struct buf *feed);

    /* MAY be NULL: there are none.  Append the name of the updates feed that
     * has news of a feed, of many feeds at once; nothing: it is in none. */
    void (*updates_feed)(const struct service *service, const char *feed,
                         struct buf *updates);

    /* MAY be NULL: posts have no addresses.  Append the link to a post of a
     * place, as people can follow it; post "": to the place itself. */
    void (*link)(const struct service *service, const char *place,
                 const char *post, struct buf *link);
};

/* The adapters there are. */
extern const struct adapter adapter_board;     /* the embedded board */
extern const struct adapter adapter_discord;   /* Discord */
extern const struct adapter adapter_discourse; /* a Discourse forum */
extern const struct adapter adapter_matrix;    /* a Matrix homeserver */
extern const struct adapter adapter_nodebb;    /* a NodeBB forum */
extern const struct adapter adapter_phpbb;     /* a phpBB board */

/* The registry: an adapter by its name; NULL: none. */
const struct adapter *adapter_find(const char *name);

/* All adapters' names, NULL after the last. */
extern const char *const adapter_names[];

#endif
