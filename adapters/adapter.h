/*
 * The adapter interface: a manual for people who write one.
 *
 * An adapter translates between the host and one kind of service.  The host
 * gives it an *operation* (read a feed, send a message, open a DM …); the
 * adapter answers with the HTTP requests that do it and reads the replies.  It
 * does no I/O, keeps no state and knows nothing about the game, so it can be
 * tested with recorded replies, fuzzed without a network, and simulated with
 * any fault.
 *
 * What you write.  A `struct adapter`, at the end of this file: functions,
 * above all advance(), and the service's capabilities, each with its source.
 * Beside it a `struct service_kind`, which says how the service is set up. Both
 * are explained in adapters/service.h; adapters/README.md lists all steps. What
 * requests and replies in JSON need is in adapters/exchange.h.
 *
 * Which operations.  WHO, PLACE, READ, SEND, DM and PROBE are needed
 * everywhere; USER and PLACES are for `placard check` and `placard setup`. Each
 * of the others is asked for only where a capability (or, of UPDATES and BELL,
 * a member of the struct) says that the service has it.  One that it lacks
 * fails with ERR_DENIED.
 *
 * How an operation runs.  advance() takes one step.  The first step has no
 * reply; it returns ADVANCE_REQUEST with out->request filled in, and is called
 * again with the reply to that request, until it returns ADVANCE_DONE (`out`
 * holds the result) or ADVANCE_FAILED (out->err, and a sentence in `why`).
 * `out` starts zeroed and is the same in all steps; only its request is cleared
 * before each step.  `scratch` is text for the adapter's own use (at most
 * ADAPTER_SCRATCH_MAX bytes), empty at the start and never saved: an
 * interrupted operation starts over, so each step MUST be safe to repeat, or it
 * must be possible to find out that it was done.  After ADVANCES_MAX requests
 * the caller gives up, and the operation fails as garbled.
 *
 * How it fails.  By what the caller should do (`enum err`), and if that is
 * nothing for now, by what was refused (`enum refused`).  outcome_refused reads
 * the status; where a service says more, the adapter knows its codes or words.
 * A reply that is not as documented is garbled: never guess at its meaning, and
 * never use part of it.
 *
 * State.  Values that must outlive the process (a device id, the next
 * transaction number) are *adapter state*: returned with ADVANCE_DONE, saved by
 * the host in the same transaction as what was read, sealed, and passed to each
 * later operation of the service.
 *
 * Secrets.  An adapter never sees a token that is configured: the transport
 * adds it to a request that is `authorized`, in the header that `token_header`
 * names or, where that is NULL, in the place of "%s" in the URL, and only if
 * the URL begins with the service's base.  A second header, which is no secret,
 * is one of request.headers.  If the account has to log in, the adapter puts
 * the service's `password` into the body of that request alone, and marks it
 * `login` where any operation may lead there.  What comes of it is state: a
 * token as `secret.token`, which the transport uses from then on, or a
 * session's cookies, which the adapter sends itself.  A password that begins
 * with GRANT_PREFIX is what came of OP_GRANT, and is used once: what replaces
 * it is STATE_GRANT.  None of it may be in `why`.
 *
 * Ids (of places, posts, users) are the service's own, opaque, at most
 * ADAPTER_ID_MAX bytes; an adapter fails with ERR_GARBLED rather than truncate
 * one.  Where the id of a user is a name that people may change, an adapter
 * gives their number too (post.member), and the host tells it to the adapter
 * (op.member): it knows people by the names under which it met them
 * (bot/tables/places/members.h).  Times are milliseconds since 1970 UTC, by the
 * service's clock.
 */
#ifndef ADAPTERS_ADAPTER_H
#define ADAPTERS_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/rich.h"
#include "adapters/service.h"
#include "adapters/states.h"
#include "bot/base/buf.h"
#include "bot/base/err.h"

struct service;
struct doorbell;

enum {
    ADAPTER_ID_MAX = 255,
    ADAPTER_SCRATCH_MAX = 65536,
    ADAPTER_ROUTE_MAX = 96,
    ADVANCES_MAX = 64,
};

/* Adapter states that others know: the account's token, and what it logs in
 * with next. */
#define STATE_TOKEN  "secret.token"
#define STATE_GRANT  "secret.grant"
#define GRANT_PREFIX "device-grant "

enum op_kind {
    OP_WHO,   /* who am I?  Logs in if needed -> id, shown */
    OP_PLACE, /* text: a configured address or a place's id -> id of the place;
                 joins it if the service needs that, and follows one that was
                 moved.  ERR_CONFIG with an id: the host is there, but nothing
                 can be read there */
    OP_READ,  /* feed, cursor, since; post: what the doorbell rang for, a post's
                 id or a DM's ("": not known), so that this may be read alone ->
                 page, cursor, more, through */
    OP_SEND, /* place, text, key, pings, picture -> id of the post; also done if
                only the picture is refused (unpictured) */
    OP_EDIT, /* place, post, text, key: never pings; text "": only its buttons
                are others */
    OP_FIND, /* place, text, key, since, tried, others, cursor: what I sent with
                that key, from the newest post back (or from where the cursor of
                an earlier FIND leads) -> found (enum found); id, if it is
                found; else a cursor, if older posts may be it.  A FIND that
                fails may have a cursor, too.  post: its id, if the service gave
                one when it held the post for approval */
    OP_DM,   /* user, text (what the DM is for, in plain words): open a DM, or
                find the existing one -> id of its place; a cursor, if reading
                it is to begin elsewhere than with an empty one */
    OP_OPEN, /* place, post, text (a title), key: open a thread for one game,
                under that post of ours if the service starts threads from posts
                -> id of its place; a cursor, unless an empty one starts with
                the thread.  The same key opens one thread only */
    OP_REACT,   /* place, post, text (an emoji), key */
    OP_DELETE,  /* place, post, key: any author's post */
    OP_PIN,     /* place, post, key, text (ids of posts of ours to unpin, a line
                   each) */
    OP_PROBE,   /* place; text: the role of those who moderate there (its name
                   or id, or ROLE_MANAGES; "": none): what may I do there? ->
                   rights, lengths, roles, advice; for `placard check`, and when
                   a host starts */
    OP_UPDATES, /* feed (an updates feed): when was something last posted in
                   each of its feeds? -> updates, rest, through */
    OP_LOCK,    /* place, post, key: stop its author from editing it */
    OP_USER, /* text: a person as the operator wrote it, an id or a name; place:
                where people of that name are looked for, "" if nowhere -> id,
                shown; ERR_GONE: nobody has that name */
    OP_BELL, /* where the service's doorbell hangs (adapters/doorbell.h) -> id:
                its address.  ERR_GONE, ERR_DENIED: it has none */
    OP_ACKNOWLEDGE, /* post (a press), secret: it has arrived.  ERR_GONE: that
                       comes too late, and its author is told that it failed */
    OP_REPLY,   /* post (a press that was acknowledged), secret, text, buttons:
                   what its author, and nobody else, sees */
    OP_SUGGEST, /* post (a POST_TYPED), secret, buttons: the labels are what can
                   be chosen */
    OP_COMMANDS, /* place, commands: what people may type there is these slash
                    commands, and no others; if there are none, those that it
                    gave are taken away.  ERR_DENIED: the bot may have none
                    there, and `why` says how it may */
    OP_PLACES,   /* in which channels, rooms or topics could games be hosted? ->
                    places; not all of them, where there are many */
    OP_SITE, /* text: the service's address as somebody typed it: is it one of
                its kind?  Asked without a secret -> id: its base, which may be
                elsewhere (ask there, too).  ERR_GONE, ERR_GARBLED: it is none
              */
    OP_MAKE, /* text (its name), everybody: make a place to host games in, which
                people enter if they are invited, or everybody may -> id: what
                may be configured as its address.  ERR_FULL: there is one of
                that name */
    OP_APPOINT, /* place (one that MAKE made), user: invite them, as a
                   moderator there */
    OP_GRANT,   /* log in by a browser -> shown: where to allow it; asked again
                   with the states that it gave -> id, and STATE_GRANT among the
                   states: the secret that is to be kept.  ERR_LATER: it was not
                   allowed yet.  Where a SITE grants it */
    OP_INVITE,  /* place (a game's thread), post (a place apart that was opened
                   for it; "": none yet), user, text (its title), key, since:
                   let that user into a place that only those read who were let
                   in, which is opened first if there is none -> id of it.  The
                   same key opens one only, and none that is older than `since`
                   is taken for it.  What people post there is not in any feed
                   that is read, or comes as posts of a place that is no
                   game's */
    OP_ROLES, /* place, user: they have the role `text` from now on, and not the
                 role `others`, each by its name or id, "": none.  Done if they
                 are not there.  ERR_CONFIG: there is no such role */
};

/* Buttons under a post of ours. */
enum {
    BUTTONS_MAX = 10,
    BUTTON_ID_MAX = 100,   /* bytes; Discord's limit */
    BUTTON_LABEL_MAX = 80, /* code points; Discord's limit */
};
struct button {
    char id[BUTTON_ID_MAX + 1]; /* the body of the press; players can read it */
    char label[4 * BUTTON_LABEL_MAX + 1];
    bool alarming; /* shown as one to think about */
};
struct buttons {
    struct button list[BUTTONS_MAX];
    unsigned count;
    char menu[4 * BUTTON_LABEL_MAX + 1]; /* "": buttons; else they are the
                                            choices of a menu that says this */
};

/*
 * Slash commands: what people choose by typing "/" and its name.  Names are in
 * lower case, without blanks; texts say what a thing is.
 */
enum {
    SLASH_COMMANDS_MAX = 21,
    SLASH_LANGUAGES_MAX = 5,
    SLASH_CHOICES_MAX = 2,
    SLASH_NAME_MAX = 32,  /* code points; Discord's limit */
    SLASH_TEXT_MAX = 100, /* code points; Discord's limit */
};
struct slash_words {
    char language[8]; /* as in config/languages: "en" */
    char name[4 * SLASH_NAME_MAX + 1];
    char text[4 * SLASH_TEXT_MAX + 1];
};
struct slash_choice {
    const char *value;                                    /* static */
    char labels[SLASH_LANGUAGES_MAX][SLASH_NAME_MAX + 1]; /* as the words */
};
struct slash_command {
    /* The first is English: its name is that of the press. */
    struct slash_words words[SLASH_LANGUAGES_MAX];
    /* What is given with it; its first name "": nothing. */
    struct slash_words option[SLASH_LANGUAGES_MAX];
    bool required; /* the option */
    bool suggests; /* … what can be chosen is asked for (POST_TYPED) */
    struct slash_choice choices[SLASH_CHOICES_MAX]; /* … is one of these */
    unsigned choice_count;                          /* 0: any text */
    bool moderators; /* offered to people who may manage messages */
    /* In the menu of a post or a person, which is what is given with it: by its
     * id behind the word "why", by theirs behind "votes @".  It has no text. */
    bool post, person;
};
struct slash_commands {
    struct slash_command list[SLASH_COMMANDS_MAX];
    unsigned count;
    unsigned languages; /* in all words and labels */
};

/* A picture attached to a post, or an HTML page for people to save. */
struct picture {
    const unsigned char *bytes; /* a PNG file, or a page; NULL: none */
    size_t len;
    unsigned width, height; /* pixels */
    const char *caption;    /* its alternative text */
    const char *page; /* "table-14.html" ([a-z0-9.-]): a page of that name; ""
                         or NULL: a picture */
};

/* Is it a page?  Its file name, and its media type. */
bool picture_is_page(const struct picture *picture);
const char *picture_name(const struct picture *picture);
const char *picture_type(const struct picture *picture);

/* The people whom a post pings.  It pings nobody else, even if its text names
 * them. */
struct pings {
    const char *const *users; /* ids */
    unsigned count;
    bool everybody;   /* in the place (capabilities.pings_all) */
    const char *role; /* all who have that role, by its id
                         (capabilities.pings_roles); "" or NULL: none */
};

/* What to do.  Texts are never NULL in advance(): the dispatch sets those that
 * the operation does not use to "".  With the cursor "" the adapter chooses
 * where to start: at an outside service, now (a bot that joins a thread reads
 * nothing old); at the board, at the first post. */
struct op {
    enum op_kind kind;
    const char *feed, *cursor;
    const char *place, *post, *user, *text;
    /* Identifies a message: it keeps its key when it is sent again.  At most 25
     * bytes of [A-Za-z0-9.-] (the limit of Discord's nonce). */
    const char *key;
    /* FIND: it was not sent before this time of the service's, unless it was
     * tried before it.  READ: read posts from this time
     * on again, because they may have been edited, or of DMs that were never
     * read those from this time on, too; 0: none. */
    int64_t since;
    int64_t tried; /* FIND: nor before this one, by our clock; 0: `since` tells
                      alone */
    int64_t due; /* READ: answer by this time even if there is nothing to read,
                    because something is due; 0: any time */
    int64_t now; /* when it starts, by our clock; no two reads of a feed have
                    the same time */
    const char *others; /* FIND: ids of posts that are known to be other
                           messages, a line each.  PROBE: names or ids of roles
                           that the bot is to give, likewise.  ROLES */
    bool changed;   /* FIND: all but the first line of the text may have been
                       another when it was sent */
    bool once;      /* FIND: it is part of a game, so no post but those has the
                       same text */
    bool dm;        /* the place is the DM of `user` */
    bool everybody; /* MAKE: may enter */
    int64_t member; /* SEND in a DM, DM, INVITE: the number of `user`, as in
                       struct post, if it is known: where the forum now calls
                       somebody else so, ERR_GONE */
    bool urgent;    /* EDIT: it has waited long, and goes before reactions */
    bool presses;   /* WHO: buttons or slash commands are on */
    bool guest;     /* WHO: another process is logged in by these states: do
                       not renew what it has */
    bool recent; /* READ at a forum, with the cursor "": the posts of the last
                    page, and no cursor that is of use */
    struct pings pings;
    struct picture picture;
    /* SEND, EDIT, REPLY: all that are under the post from then on; NULL: none,
     * or those that an edited post has already. */
    const struct buttons *buttons;
    const char *secret; /* ACKNOWLEDGE, REPLY, SUGGEST: that came with it */
    /* COMMANDS: borrowed until the operation is over. */
    const struct slash_commands *commands;
    const struct adapter_state *states;
    unsigned state_count;
};

/* What a look for a message (FIND) has told.  A message is sent again after
 * FOUND_NOTHING alone. */
enum found {
    FOUND_UNTOLD,  /* nothing: no FIND may be done with it */
    FOUND_IT,      /* it is there: id */
    FOUND_NOTHING, /* it is not there: all was read back to before it was sent,
                      and of a post that waited for approval the queue, too */
    FOUND_NOT_YET, /* it may be there: cursor, from where to look on; "": look
                      again later, where a queue can't be read */
};

/* What came in a feed. */
enum post_kind {
    POST_WRITTEN, /* by a person or bot */
    POST_DELETED, /* `id` is gone; its author may be unknown */
    POST_SEALED,  /* the bot can't read it: it is end-to-end encrypted, or in a
                     DM that `author` has opened and the bot has not joined */
    POST_HIDDEN,  /* the service hides its text from the bot, which lacks a
                     permission */
    POST_CAME,    /* `author` has joined `place` */
    POST_LEFT,    /* `author` has left it, or was removed; "" in a DM: whose it
                     is, if the service doesn't name them */
    POST_REACTED, /* `author` has reacted to `reply_to`; only from services that
                     send reactions in the feed */
    POST_ENCRYPTED, /* `author` has turned on end-to-end encryption in `place`,
                       for good: the bot can't read what follows */
    POST_MOVED, /* `place` is closed to posts; its successor is `reply_to` ("":
                   none), which OP_PLACE joins instead */
    POST_PRESSED, /* `author` has pressed the button `body` in `place`, or has
                     given the slash command `body`: a slash, its first name
                     and, after a blank, its option: "/vote ja" */
    POST_TYPED,   /* `author` is typing that slash command, and asks what can
                     be chosen; nothing else comes of it */
    POST_AUTHOR,  /* from a doorbell: what the author of the post `id` is called
                     in `place`, and their roles there */
};

/* In a body: something that everybody sees and that is no text (a picture, a
 * sticker, a poll, a voice message), in every dialect.  U+FFFC
 * (adapters/markup/rich.h). */
#define POST_OBJECT "\xef\xbf\xbc"

/* Whoever may delete other people's posts. */
#define ROLE_MANAGES "manage-messages"

/* One post as the service delivered it.  The page owns the strings; none is
 * NULL in a finished page.  A post MAY come again with the same id: edited,
 * deleted, or because feeds overlap if a service shows posts out of order.  No
 * post is ever skipped. */
struct post {
    enum post_kind kind;
    char *id, *place, *author, *author_name, *body;
    char *reply_to; /* id of the post it answers; "": none */
    char *roles; /* the ids of its author's roles in that place, a line each, of
                    presses and POST_AUTHOR if the service tells them
                    (capabilities.roles); of a press also ROLE_MANAGES */
    char *language; /* of its author, as files of catalogues are named, "nl": of
                       presses, if the service tells it; "": not known */
    /* The body's dialect; NULL: the adapter's. */
    const struct dialect *dialect;
    size_t body_len;
    /* The number of its author as a member, where ids are names, which people
     * may change; 0: ids are for good, or the author has no number. */
    int64_t member;
    int64_t stamp;  /* when the service received it */
    int64_t edited; /* when; 0: never; -1: edited, time unknown */
    bool dm; /* in a DM; if the service does not say, set by the caller that
                knows the DMs */
    bool company; /* in a DM that others read, too, as far as the service
                     tells */
    bool own;     /* the bot's own */
    bool machine; /* by a bot, a webhook, the service: never counts */
    bool unmet;   /* what its author is called in that place, and which roles
                     they have there, does not come with it */
    bool quiet;   /* POST_PRESSED, set by the caller: its presser has written
                     nothing before it that was not read, as far as is known */
    bool pending; /* it awaits a moderator's approval: the bot sees it, the
                     other players do not; it comes again once approved */
};

/* The time at which a post counts, by the service's clock: when it was written,
 * or when it was last edited before the host first saw it (READING.md E1). */
int64_t post_time(const struct post *post);

/* Read what a post of a service says, as its dialect's `read` does. */
void post_read(const struct service *service, const struct post *post,
               struct rich *out, bool *unread);

struct page {
    struct post *posts; /* in the order of delivery */
    size_t count;
};

/* Add an empty post; borrowed until the next is added. */
struct post *page_add(struct page *page);
/* Set every text that is NULL to "". */
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
    RIGHT_OPEN = 1 << 9, /* open a thread or topic for a game */
};

/* What a service refused when an operation fails with ERR_DENIED or ERR_FULL.
 * It decides what to try next, and when (bot/host/table/refusal.h).  The
 * numbers are in stores: add new ones at the end. */
enum refused {
    REFUSED_RIGHT,   /* posting at that place: a right is missing, it is locked,
                        the account is muted; lasts until somebody changes it */
    REFUSED_ACCOUNT, /* the token or the password is not accepted: nothing of
                        this account works */
    REFUSED_LOGIN,   /* logging in, for now: a captcha, too many attempts */
    REFUSED_PERSON,  /* that person takes no DMs from the bot */
    REFUSED_WORDS,   /* this text: a word filter, too long, too much like an
                        earlier one */
    REFUSED_EXTRA,   /* something that goes with the text (a picture, a link, an
                        emoji, a mention): the post may be sent without it */
    REFUSED_LOCKED, /* the account, though its token or password is right: it is
                       locked, banned, or the whole service is at its limits;
                       nothing of this account works */
    REFUSED_WRITING, /* all that the account writes, anywhere: it is suspended,
                        muted or taken for a spammer; it may read */
};

/* An HTTP request, or one to the embedded board (scheme `board:`). */
enum {
    REQUEST_METHOD_MAX = 7
};
struct request {
    char method[REQUEST_METHOD_MAX + 1];
    struct buf url, body;
    struct buf headers; /* more headers, "Name: value" lines ended by LF */
    char type[96];      /* media type of the body; "": none */
    /* The rate limit that it counts towards, besides the service's overall
     * limit: "POST /channels/81"; "": only the overall limit. */
    char route[ADAPTER_ROUTE_MAX];
    int64_t apart;   /* ms, at least, since the last request of its route was
                        sent, and since that was answered */
    bool authorized; /* send the account's token, in its header or the URL */
    bool long_poll;  /* may wait long: gets its own connection */
    bool urgent;     /* goes first when requests have to wait */
    bool login; /* a log-in with the password: one operation at a time logs in;
                   if it is refused, those that wait for it fail too */
    int64_t timeout; /* ms; 0: the transport's own */
};

/* Empty a request for reuse, and wipe what it held. */
void request_clear(struct request *request);

/* Append a text as one part of a URL's path or query: every byte but
 * [A-Za-z0-9._~-] as %XX (RFC 3986, section 2.3). */
void url_add_part(struct buf *url, const char *text);

/* What came back; borrowed for the call. */
struct reply {
    int status; /* HTTP status; 0: no reply at all (refused, cut, timeout) */
    const char *body;
    size_t len;
    int64_t retry_after; /* ms, from the header; -1: none */
    int64_t date;        /* the service's clock, from the header; 0: none */
    const char *headers; /* "name: value" lines ended by LF, names in lower
                            case; NULL: none */
    const char *trouble; /* status 0: a sentence that says why */
    bool too_long; /* status 0: the reply was longer than the transport accepts;
                      ask for less */
};

/* Append the value of the first header of that name (in lower case); false: the
 * reply has none. */
bool reply_header(const struct reply *reply, const char *name,
                  struct buf *value);

/* The error for a reply's status, as most services mean it: 2xx ERR_NONE; 0 and
 * 5xx LATER; 429 LIMITED; 401 and 403 DENIED; 404 and 410 GONE; 413 FULL; any
 * other GARBLED (a 400 means that our request is wrong). */
enum err reply_err(const struct reply *reply);

/* When something was last posted in a feed, by the service's clock. */
struct update {
    char feed[ADAPTER_ID_MAX + 1];
    int64_t last;
    /* Another number whenever something was posted there; 0: only `last` tells.
     * It needs no clock, so the time of a post may be coarse. */
    uint64_t state;
};

/* What somebody is called now, whose id is a name (struct post.member). */
struct member_name {
    int64_t member;
    char *name; /* owned */
};

struct outcome {
    struct request request; /* ADVANCE_REQUEST */
    enum err err;           /* ADVANCE_FAILED */
    enum refused refused;   /* ERR_DENIED, ERR_FULL */
    int64_t wait;           /* ERR_LIMITED: ms until it may be tried again; WHO
                               done: ms until the token has to be renewed, by
                               another WHO; 0: it lasts */
    struct buf id, shown;
    enum found found; /* FIND */
    int64_t member;   /* WHO: as in struct service */
    struct page page; /* READ */
    /* READ: names that the service tells beside posts */
    struct member_name *called;
    size_t called_count;
    struct buf cursor;
    bool more;       /* another page is there already */
    int64_t through; /* the service's time up to which this feed has surely been
                        read: its clock less the adapter's margin, at most; if
                        `more`, up to which the pages so far have brought it */
    int64_t forgotten; /* READ: what was posted since this feed was last read,
                          up to this time, can't be read any more: the service
                          has forgotten it; 0: it has all that */
    struct update *updates; /* UPDATES: a feed that is missing has to be read */
    size_t news_count;
    /* UPDATES: a feed that is missing, but was there earlier, has had no post
     * since then; 0: it has to be read, too */
    int64_t rest;
    bool unseen; /* SEND, FIND in a DM: the post is there, but the user is not
                    (has not accepted the invitation) */
    bool unapproved; /* SEND: accepted, but nobody sees it until a moderator
                        approves it; its id may be unknown.  FIND: it is there
                        in that state */
    /* FIND: a line for each message of ours that was read: its key, a blank,
     * the post's id ("": it waits for approval); empty: the service keeps no
     * keys */
    struct buf marks;
    bool grants;     /* SITE: OP_GRANT works there */
    bool unpictured; /* SEND: done, but the service refused the picture or page
                        that was to go with it; `shown` says how */
    unsigned rights; /* PROBE */
    size_t longest, shortest; /* PROBE: of a post of ours there; 0: as in the
                                 capabilities */
    size_t longest_private;   /* PROBE: the same for a DM */
    /* PROBE: what else holds up the bot's posts there (a pause between two, an
     * approval queue); WHO: which of people's words it may read; a sentence a
     * line */
    struct buf limits;
    struct buf roles;  /* PROBE: the ids of the roles that moderate there, and
                          of people who do, a line each */
    struct buf advice; /* WHO, PLACE, PROBE: what to change, a sentence a
                          line */
    struct buf places; /* PLACES: a line each: what may be configured as its
                          address, a tab, what people call it */
    struct adapter_states states; /* to be saved */
};

/* Add when something was last posted in a feed, without a state; borrowed until
 * the next is added.  NULL: its name is too long. */
struct update *outcome_add_update(struct outcome *outcome, const char *feed,
                                  int64_t last);

/* Add what a member is called; takes the name. */
void outcome_add_called(struct outcome *outcome, int64_t member, char *name);

/* Add a place to `places`; one that can't be a line of it, or is one too many,
 * is left out. */
enum {
    PLACES_MAX = 100
};
void outcome_add_place(struct outcome *outcome, const char *address,
                       const char *name);
void outcome_release(struct outcome *outcome);

/* Is it an answer to the operation?  A search that doesn't say how far it
 * looked, or what it found, is none. */
bool outcome_answers(const struct outcome *outcome, const struct op *op);

enum advance {
    ADVANCE_REQUEST,
    ADVANCE_DONE,
    ADVANCE_FAILED
};

/* Fail an operation: `return outcome_fail(out, why, ERR_…, "sentence")`. */
enum advance outcome_fail(struct outcome *out, struct buf *why, enum err err,
                          const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fail an operation because of its reply's status (MUST NOT be 2xx): with the
 * error of reply_err, the service's name and `said`, the service's own words
 * ("": none), which are shortened and made printable here.  A rate limit
 * without a time in the header lasts five seconds. */
enum advance outcome_refused(const struct service *service,
                             const struct reply *reply, const char *said,
                             struct outcome *out, struct buf *why);

/* One account at one service, as configured.  Borrowed for its lifetime. */
struct service {
    const struct adapter *adapter;
    unsigned number; /* the caller's: for what it keeps of each service */
    char name[64];   /* as in the configuration: "board" */
    char base[256];  /* URL that requests begin with, no slash at the end:
                        "board:", "https://matrix.org" */
    char user[ADAPTER_ID_MAX + 1]; /* the account's name, if it is needed */
    const char *password; /* borrowed; NULL: none, the token is configured */
    char self[ADAPTER_ID_MAX + 1]; /* the bot's user id; "" before WHO */
    int64_t member; /* its number, as in struct post: where ids are names it is
                       the bot, whatever it is called by now */
    /* The site's own classes for bold in HTML, with blanks between; borrowed
     * from the configuration.  NULL: none. */
    const char *bold_classes;
};

struct adapter {
    const char *name;
    const struct dialect *dialect;
    struct capabilities capabilities;
    /* The header with the token as "%s": "Authorization: Bearer %s".  NULL: the
     * token is in the URL, or the account logs in to a session. */
    const char *token_header;
    /* What the User-Agent begins with, before our address and version; NULL:
     * "placard". */
    const char *user_agent;
    /* `user` holds the account's name beside its token.  Otherwise a name there
     * means that the configured secret is the password, not a token. */
    bool token_names_user;

    /* MUST.  Take one step of an operation, as described above. */
    enum advance (*advance)(const struct service *service, const struct op *op,
                            struct buf *scratch, const struct reply *reply,
                            struct outcome *out, struct buf *why);

    /* MUST.  Append the name of the feed that brings a place's posts. */
    void (*feed)(const struct service *service, const char *place,
                 struct buf *feed);

    /* MAY be NULL: there are none.  Append the name of the updates feed that
     * covers this feed (and many others at once), or nothing if none does. */
    void (*updates_feed)(const struct service *service, const char *feed,
                         struct buf *updates);

    /* MAY be NULL: posts have no addresses.  Append the link to a post in a
     * place, for people to follow; post "": to the place itself. */
    void (*link)(const struct service *service, const char *place,
                 const char *post, struct buf *link);

    /* MAY be NULL: it can't be told.  When a user's account was made, by the
     * service's clock; 0: unknown. */
    int64_t (*account_made)(const char *user);

    /* MAY be NULL: there is none (adapters/doorbell.h). */
    const struct doorbell *doorbell;
};

#endif
