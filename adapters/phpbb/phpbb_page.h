/*
 * Reads phpBB's pages: their parts, and the posts of a topic.
 *
 * Facts come from trying phpBB 3.3.15 with its own style, prosilver.  Other
 * styles keep its ids and classes, for extensions rely on them.  What else a
 * busy board shows comes from its templates (styles/prosilver/template) and in
 * phpbb/textformatter/s9e/utils.php.
 */
#ifndef ADAPTERS_PHPBB_PAGE_H
#define ADAPTERS_PHPBB_PAGE_H

#include "adapters/forum/page.h"

/* The number of the forum that a page belongs to, from the last of its
 * breadcrumb links; 0: it doesn't say. */
long long page_forum(struct html_span page);

/* Find the page's message: what a board says in place of a page, or after an
 * action (message_body.html). */
bool page_find_message(struct html_span page, struct html_span *content);

/* The part before the page's body, with nothing in it that people wrote but
 * subjects, as text; the whole page if the style doesn't mark the body. */
struct html_span page_head(struct html_span page);

/* What is behind that; the whole page if the style doesn't mark it. */
struct html_span page_body(struct html_span page);

/* ---- posts --------------------------------------------------------------- */

struct page_post {
    long long id, author; /* the author's 0: a guest's */
    struct buf name, time;
    struct html_span content;
    bool edited, deleted;
    bool pending;    /* it waits for approval */
    unsigned people; /* of a private message: whom it names as its author and
                        those it is for */
};

void page_post_release(struct page_post *post);

/* Take the next post of a topic's page, or the message of a DM's page; false:
 * none is left. */
bool page_next_post(struct html_span *rest, struct page_post *post);

/* When the post was written that a text quotes at its start, "[quote=Anna
 * time=1700000000 user_id=4]": milliseconds; false: it doesn't say. */
bool page_quote_time(const char *text, int64_t *time);

/* How many posts the topic has, by the heading of its pages; -1: it doesn't
 * say. A link to the first unread post may come before the number. */
long long page_total(struct html_span page);

#endif
