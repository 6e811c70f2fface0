/*
 * What the files of the phpBB adapter share; nobody else includes it.
 *
 * phpBB has no API: what a person would do in a browser is done here, forms and
 * all.  Facts were asked of phpBB 3.3.15.
 *
 * The session is three cookies, kept as a note.  A page that is not a member's
 * is answered by logging in, and then the errand begins anew.
 */
#ifndef ADAPTERS_PHPBB_INNER_H
#define ADAPTERS_PHPBB_INNER_H

#include "adapters/forum/forum.h"
#include "adapters/phpbb/phpbb_page.h"

enum {
    /* A form that comes back in the second in which it was given is refused. */
    PHPBB_APART_MS = 1200,
    PHPBB_COOKIES_MAX = 250, /* bytes, as a note has them */
    PHPBB_PATH_MAX = 128
};

/* All posts of a topic, the first first, however the account likes it. */
#define PHPBB_ORDER "&st=0&sk=t&sd=a"

/* The cursor with which a topic is read from its first post on. */
#define PHPBB_FROM_FIRST "0.0.0"

/* What limits requests that give a form, and send it. */
#define PHPBB_ROUTE_FORM "form"

/* Begin a request as the account, as its cookies have it. */
void phpbb_get(struct trip *trip, const char *path);
/* The same of what is no page: it need not be a member's. */
void phpbb_get_feed(struct trip *trip, const char *path);
/* Send a form that was got just now to the same address, a while later; its
 * fields are taken. */
void phpbb_post(struct trip *trip, const char *path, struct buf *fields);

/* The page that was heard. */
struct html_span phpbb_page(const struct trip *trip);

/* Fail because of what was heard: the board's own words, where it has some. */
enum turn phpbb_refused(struct trip *trip);

/* What is posted: the errand's text, with the tags that a board has, and its
 * mark.  `text` is empty. */
void phpbb_add_text(const struct trip *trip, struct buf *text);

/* Send the form of a post that was got, to a path, with the errand's text;
 * `title`: of a new topic, "" for a reply.  false: the page has none. */
bool phpbb_send_post(struct trip *trip, const char *path, const char *title);
/* Answer Yes to a page that asks whether something is meant; the key of the
 * answer stands in the address of its form.  false: the page asks nothing. */
bool phpbb_confirm(struct trip *trip, const char *path);
/* Of what is not there any more the board says that it does not exist. */
bool phpbb_is_missing(const struct trip *trip);

/* An errand's own memory; zeroed when it begins anew. */
enum {
    PHPBB_MEMORY = 1024
};
void *phpbb_memory(struct trip *trip, size_t size);

enum turn phpbb_read(struct trip *trip);
enum turn phpbb_send(struct trip *trip);
enum turn phpbb_edit(struct trip *trip);
enum turn phpbb_delete(struct trip *trip);
enum turn phpbb_find(struct trip *trip);
enum turn phpbb_talk(struct trip *trip);
enum turn phpbb_open(struct trip *trip);

#endif
