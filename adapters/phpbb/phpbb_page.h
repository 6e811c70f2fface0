/*
 * Reads phpBB's pages: single tags, elements, forms, and the posts of a topic.
 *
 * Facts come from trying phpBB 3.3.15 with its own style, prosilver.  Other
 * styles keep its ids and classes, for extensions rely on them.  What else a
 * busy board shows comes from its templates (styles/prosilver/template) and in
 * phpbb/textformatter/s9e/utils.php.
 */
#ifndef ADAPTERS_PHPBB_PAGE_H
#define ADAPTERS_PHPBB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/html/html_tokens.h"
#include "bot/base/buf.h"

/* Take the next tag of a page; `rest` is what follows it.  Tags in comments,
 * scripts, styles and text fields don't count.  false: none is left. */
bool page_next_tag(struct html_span *rest, struct html_tag *tag);

/* Put the value of an attribute into `value`, references replaced; false: the
 * tag has none, and `value` is empty. */
bool page_attribute(const struct html_tag *tag, const char *name,
                    struct buf *value);
/* Is this word one of the tag's classes? */
bool page_has_class(const struct html_tag *tag, const char *word);

/* The content of the element whose opening tag was taken last, up to its
 * closing tag; the rest of the page, where that is missing. */
struct html_span page_content(const struct html_tag *tag,
                              struct html_span rest);

/* Append the text of a stretch of the page without tags, trimmed, each run of
 * blanks reduced to one. */
void page_add_text(struct html_span content, struct buf *text);

/* Find the content of the first element of that name and class. */
bool page_find(struct html_span page, const char *element, const char *class,
               struct html_span *content);

/* The same for the element with that id. */
bool page_find_id(struct html_span page, const char *id,
                  struct html_span *content);

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

/* Find the first link whose address contains this text; put the address into
 * `href` (references replaced). */
bool page_find_link(struct html_span page, const char *words, struct buf *href);

/* The number after a text such as "p=" that begins a field of an address's
 * query; 0 if there are no digits, or more than 18. */
long long page_number(const char *address, const char *key);

/* Find the content of the form that has a field of that name. */
bool page_find_form(struct html_span page, const char *field,
                    struct html_span *form);
/* Put the address that such a form is sent to into `action` (references
 * replaced); false: there is no such form. */
bool page_form_action(struct html_span page, const char *field,
                      struct buf *action);
/* Append its hidden fields as a query, without those named in `own` (" a b ": a
 * blank before and after each). */
void page_add_hidden(struct html_span form, const char *own, struct buf *query);
/* Put the value of the first field of that name into `value`; false: the form
 * has none. */
bool page_field_value(struct html_span form, const char *field,
                      struct buf *value);
/* Put the text of the first text field of that name into `text`; false: the
 * form has none. */
bool page_field_text(struct html_span form, const char *field,
                     struct buf *text);
/* Append a field to a query. */
void page_add_field(struct buf *query, const char *name, const char *value);

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
