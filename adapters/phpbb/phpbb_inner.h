/*
 * What the files of the phpBB adapter share; nobody else includes it.
 *
 * phpBB has no API: what a person would do in a browser is done here, forms and
 * all.  Facts were asked of phpBB 3.3.15.
 *
 * The session is three cookies, kept as a note.  A page that is not a member's
 * is answered by logging in, and then the operation begins anew.
 */
#ifndef ADAPTERS_PHPBB_INNER_H
#define ADAPTERS_PHPBB_INNER_H

#include <stddef.h>

#include "adapters/forum/forum.h"
#include "adapters/phpbb/phpbb_page.h"

enum {
    /* A form that comes back in the second in which it was given is refused.
     * And all that an account is given in one second are alike, whatever they
     * are for: the first that comes back is taken, the others are refused
     * (phpbb/lock/posting.php, since 3.3.12). */
    PHPBB_APART_MS = 1200,
    PHPBB_FORMS_MAX = 3,     /* forms fetched for one post */
    PHPBB_COOKIES_MAX = 250, /* bytes, as a note has them */
    PHPBB_PATH_MAX = 128,
    PHPBB_BEHIND = 999999999 /* as a start: the last page of any topic */
};

/* All posts of a topic, the first first, however the account likes it. */
#define PHPBB_ORDER "&st=0&sk=t&sd=a"

/* The cursor with which a topic is read from its first post on. */
#define PHPBB_FROM_FIRST "0.0.0"

/* What limits requests that give a form, and send it; and all others. */
#define PHPBB_ROUTE_FORM "form"
#define PHPBB_ROUTE_PAGE "page"

/* Begin a request as the account, as its cookies have it. */
void phpbb_get(struct exchange *exchange, const char *path);
/* The same of a form that will be sent: a while after the last. */
void phpbb_get_form(struct exchange *exchange, const char *path);
/* The same of what is no page: it need not be a member's. */
void phpbb_get_feed(struct exchange *exchange, const char *path);
/* Send a form that was got just now to the same address, a while later; its
 * fields are taken. */
void phpbb_post(struct exchange *exchange, const char *path,
                struct buf *fields);

/* The page that was heard. */
struct html_span phpbb_page(const struct exchange *exchange);

/* Append the board's own words on a page: an error beside a form, or what it
 * says instead of what was asked for. */
void phpbb_add_words(const struct exchange *exchange, struct buf *words);
/* Fail because of the reply: the board's own words, where it has some. */
enum advance phpbb_refused(struct exchange *exchange);
/* Was a form refused that needs only to be fetched anew?  The page has the new
 * one. */
bool phpbb_wants_new_form(const struct exchange *exchange);
/* Was a post taken that waits for a moderator's approval? */
bool phpbb_is_unapproved(const struct exchange *exchange);

/* What is posted: the operation's text, with the tags that a board has, and its
 * mark.  `text` is empty. */
void phpbb_add_text(const struct exchange *exchange, struct buf *text);

/* What is sent: how far it is. */
struct phpbb_form {
    enum {
        FORM_BEGIN,
        FORM_GOT,
        FORM_SENT,
        FORM_UNAPPROVED /* it was taken: where is it? */
    } step;
    unsigned tries; /* forms that were sent */
};

/* Send the form of a post that was got, to a path, with the operation's text;
 * `title`: of a new topic, "" for a reply.  false: the page has none. */
bool phpbb_send_post(struct exchange *exchange, const char *path,
                     const char *title);
/* Answer Yes to a page that asks whether something is meant; the key of the
 * answer stands in the address of its form.  false: the page asks nothing. */
bool phpbb_confirm(struct exchange *exchange, const char *path);
/* Of what is not there any more the board says that it does not exist. */
bool phpbb_is_missing(const struct exchange *exchange);

/* An operation's own memory; zeroed when it begins anew. */
enum {
    PHPBB_MEMORY = 1024
};
void *phpbb_memory(struct exchange *exchange, size_t size);

/* What an operation remembers of the session, around its own memory. */
enum phpbb_step {
    SESSION_OWN,  /* the operation's own requests */
    SESSION_FORM, /* the log-in's form was asked for */
    SESSION_SENT  /* and sent */
};

struct phpbb_session {
    enum phpbb_step step;
    bool renewed; /* logged in just now */
    bool anybody; /* what was asked for is the same for a guest */
    char cookies[PHPBB_COOKIES_MAX + 1];
    max_align_t memory[PHPBB_MEMORY / sizeof(max_align_t)];
};
struct phpbb_session *phpbb_session(struct exchange *exchange);

/* The account's number as its cookies have it; 0: not logged in. */
long long phpbb_member_of(const struct phpbb_session *session);

enum advance phpbb_who(struct exchange *exchange);
enum advance phpbb_probe(struct exchange *exchange);
enum advance phpbb_person(struct exchange *exchange);
enum advance phpbb_read(struct exchange *exchange);
enum advance phpbb_send(struct exchange *exchange);
enum advance phpbb_edit(struct exchange *exchange);
enum advance phpbb_delete(struct exchange *exchange);
enum advance phpbb_find(struct exchange *exchange);
enum advance phpbb_dm(struct exchange *exchange);
enum advance phpbb_open(struct exchange *exchange);

/* The account's number; 0: nobody is logged in. */
long long phpbb_member(struct exchange *exchange);

#endif
