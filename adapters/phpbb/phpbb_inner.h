/*
 * What the files of the phpBB adapter share; nobody else includes it.
 *
 * phpBB has no API: the adapter does what a person would do in a browser, forms
 * and all.  Facts come from trying phpBB 3.3.15.
 *
 * The session is three cookies, kept as adapter state.  If a page is not a
 * member's, the adapter logs in and starts the operation over.
 */
#ifndef ADAPTERS_PHPBB_INNER_H
#define ADAPTERS_PHPBB_INNER_H

#include <stddef.h>

#include "adapters/forum/forum.h"
#include "adapters/phpbb/phpbb_page.h"

enum {
    /* A form sent back in the same second in which it was fetched is refused.
     * And all forms that an account fetches in one second count as the same,
     * whatever they are for: the first one sent is accepted, the others are
     * refused (phpbb/lock/posting.php, since 3.3.12). */
    PHPBB_APART_MS = 1200,
    PHPBB_FORMS_MAX = 3,     /* forms fetched for one post */
    PHPBB_COOKIES_MAX = 250, /* bytes, as kept in the adapter state */
    PHPBB_PATH_MAX = 128,
    PHPBB_BEHIND = 999999999 /* as a start: the last page of any topic */
};

/* All posts of a topic, oldest first, whatever the account's preference. */
#define PHPBB_ORDER "&st=0&sk=t&sd=a"

/* The cursor that reads a topic from its first post on. */
#define PHPBB_FROM_FIRST "0.0.0"

/* The updates feed of all topics, and the inbox. */
#define PHPBB_ACTIVE "active"

/* Routes: of requests that fetch or send a form, and of all others. */
#define PHPBB_ROUTE_FORM "form"
#define PHPBB_ROUTE_PAGE "page"

/* Start a request as the account, with its cookies. */
void phpbb_get(struct exchange *exchange, const char *path);
/* The same for a form that will be sent: a while after the last one. */
void phpbb_get_form(struct exchange *exchange, const char *path);
/* The same for what is not a page, so need not be a member's. */
void phpbb_get_feed(struct exchange *exchange, const char *path);
/* Send the form just fetched to the same address, a while later; takes over its
 * fields. */
void phpbb_post(struct exchange *exchange, const char *path,
                struct buf *fields);

/* The page in the reply. */
struct html_span phpbb_page(const struct exchange *exchange);

/* Append the board's own words on a page: an error beside a form, or a message
 * in place of the page. */
void phpbb_add_words(const struct exchange *exchange, struct buf *words);
/* Fail because of the reply, with the board's own words if there are any. */
enum advance phpbb_refused(struct exchange *exchange);
/* Was a form refused only because it has to be fetched again?  The page has the
 * new one. */
bool phpbb_wants_new_form(const struct exchange *exchange);
/* Was the post accepted, but waits for a moderator's approval? */
bool phpbb_is_unapproved(const struct exchange *exchange);

/* Write what is posted: the operation's text in the board's tags, and the mark.
 * `text` starts empty. */
void phpbb_add_text(const struct exchange *exchange, struct buf *text);

/* How far sending is. */
struct phpbb_form {
    enum {
        FORM_BEGIN,
        FORM_GOT,
        FORM_SENT,
        FORM_UNAPPROVED /* it was accepted: where is it? */
    } step;
    unsigned tries; /* forms that were sent */
};

/* Send the form of a post in the reply to a path, with the operation's text;
 * `title`: of a new topic, "" for a reply.  false: the page has no form. */
bool phpbb_send_post(struct exchange *exchange, const char *path,
                     const char *title);
/* Answer Yes to a page that asks for confirmation; the key of the answer is in
 * the address of its form.  false: the page asks nothing. */
bool phpbb_confirm(struct exchange *exchange, const char *path);
/* Does the board say that it does not exist? */
bool phpbb_is_missing(const struct exchange *exchange);

/* An operation's own memory; zeroed when it starts over. */
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
    bool anybody; /* a guest gets the same reply */
    char cookies[PHPBB_COOKIES_MAX + 1];
    max_align_t memory[PHPBB_MEMORY / sizeof(max_align_t)];
};
struct phpbb_session *phpbb_session(struct exchange *exchange);

/* The account's number in its cookies; 0: not logged in. */
long long phpbb_member_of(const struct phpbb_session *session);

enum advance phpbb_who(struct exchange *exchange);
enum advance phpbb_probe(struct exchange *exchange);
enum advance phpbb_person(struct exchange *exchange);
enum advance phpbb_read(struct exchange *exchange);
enum advance phpbb_updates(struct exchange *exchange);
enum advance phpbb_places(struct exchange *exchange);
enum advance phpbb_send(struct exchange *exchange);
enum advance phpbb_edit(struct exchange *exchange);
enum advance phpbb_delete(struct exchange *exchange);
enum advance phpbb_find(struct exchange *exchange);
enum advance phpbb_dm(struct exchange *exchange);
enum advance phpbb_open(struct exchange *exchange);

/* The account's number; 0: nobody is logged in. */
long long phpbb_member(struct exchange *exchange);

#endif
