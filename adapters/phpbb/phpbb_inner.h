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

#include "adapters/forum/forum.h"
#include "adapters/phpbb/phpbb_page.h"

enum {
    /* A form sent back in the same second in which it was fetched is refused.
     * And all forms that an account fetches in one second count as the same,
     * whatever they are for: the first one sent is accepted, the others are
     * refused (phpbb/lock/posting.php, since 3.3.12). */
    PHPBB_APART_MS = 1200,
    PHPBB_FORMS_MAX = 3,     /* forms fetched for one post */
    PHPBB_BEHIND = 999999999 /* as a start: the last page of any topic */
};

/* All posts of a topic, oldest first, whatever the account's preference. */
#define PHPBB_ORDER "&st=0&sk=t&sd=a"

/* The cursor that reads a topic from its first post on. */
#define PHPBB_FROM_FIRST "0.0.0"

/* The updates feed of all topics, and the inbox. */
#define PHPBB_ACTIVE "active"

/* Requests for pages; for forms that will be sent, a while after the last one;
 * and for sending them.  Forms have a route of their own. */
#define PHPBB_PAGE(address)                                                    \
    {                                                                          \
        .method = "GET", .path = (address), .route = "page"                    \
    }
#define PHPBB_FORM(address)                                                    \
    {                                                                          \
        .method = "GET", .path = (address), .route = "form",                   \
        .apart = PHPBB_APART_MS                                                \
    }
#define PHPBB_SEND(address)                                                    \
    {                                                                          \
        .method = "POST", .path = (address), .route = "form",                  \
        .apart = PHPBB_APART_MS                                                \
    }

extern const struct forum forum_phpbb;
extern const struct forum_refusal phpbb_refusals[]; /* phpbb_refused.c */

/* The page in the reply. */
struct html_span phpbb_page(const struct exchange *exchange);

/* Append the board's own words on a page: an error beside a form, or a message
 * in place of the page. */
void phpbb_add_words(const struct exchange *exchange, struct buf *words);
void phpbb_explain(struct exchange *exchange);
/* Was a form refused only because it has to be fetched again?  The page has the
 * new one. */
bool phpbb_wants_new_form(const struct exchange *exchange);
/* Was the post accepted, but waits for a moderator's approval? */
bool phpbb_is_unapproved(const struct exchange *exchange);

/* Send the form of a post in the reply, with the operation's text; `title`: of
 * a new topic, "" for a reply.  It fails if the page has none. */
enum advance phpbb_send_post(struct exchange *exchange,
                             const struct forum_endpoint *endpoint,
                             struct forum_values values, const char *title,
                             forum_step *next);
/* Answer Yes to a page that asks for confirmation; the key of the answer is in
 * the address of its form.  false: the page asks nothing. */
bool phpbb_confirm(struct exchange *exchange,
                   const struct forum_endpoint *endpoint,
                   struct forum_values values, forum_step *next);
/* Does the board say that it does not exist? */
bool phpbb_is_missing(const struct exchange *exchange);

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

#endif
