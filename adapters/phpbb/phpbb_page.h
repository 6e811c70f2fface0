/*
 * Pages as phpBB makes them: tags one after the other, elements, forms, and the
 * posts of a topic.
 *
 * Facts were asked of phpBB 3.3.15 with its own style, prosilver, whose ids and
 * classes these are; other styles keep them, for extensions stand on them.
 * What a busy board shows besides was read in its templates
 * (styles/prosilver/template) and in phpbb/textformatter/s9e/utils.php.
 */
#ifndef ADAPTERS_PHPBB_PAGE_H
#define ADAPTERS_PHPBB_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/html/html_tokens.h"
#include "bot/base/buf.h"

/* Take the next tag of a page; `rest` is what stands behind it.  Comments, and
 * what is in scripts, styles and text fields, hold none.  false: none is left.
 */
bool page_next_tag(struct html_span *rest, struct html_tag *tag);

/* Put the value of an attribute into `value`, references replaced; false: the
 * tag has none, and `value` is empty. */
bool page_attribute(const struct html_tag *tag, const char *name,
                    struct buf *value);
/* Is that word one of the tag's classes? */
bool page_has_class(const struct html_tag *tag, const char *word);

/* The content of the element whose opening tag was taken last, up to its
 * closing tag; the rest of the page, where that is missing. */
struct html_span page_content(const struct html_tag *tag,
                              struct html_span rest);

/* Append the text of a stretch of the page without its tags, blanks at its ends
 * cut, and in it one for each row of them. */
void page_add_text(struct html_span content, struct buf *text);

/* Find the first element of that name with that class; its content. */
bool page_find(struct html_span page, const char *element, const char *class,
               struct html_span *content);

/* The same of the element with that id. */
bool page_find_id(struct html_span page, const char *id,
                  struct html_span *content);

/* The number of the forum that a page stands in, by the last of the links that
 * lead down to it; 0: it doesn't say. */
long long page_forum(struct html_span page);

/* Find the message that a page is for: what a board says instead of what was
 * asked for, or after it (message_body.html). */
bool page_find_message(struct html_span page, struct html_span *content);

/* What stands before the body of the page, which alone has what people wrote;
 * all of it, where the style doesn't tell. */
struct html_span page_head(struct html_span page);

/* Find the first link whose address has these words; put its address into
 * `href` (references replaced). */
bool page_find_link(struct html_span page, const char *words, struct buf *href);

/* The digits behind a text in an address, "p=" say, where that begins a field
 * of its query; 0 if there are none, or more than 18. */
long long page_number(const char *address, const char *key);

/* Find the form that has a field of that name: its content. */
bool page_find_form(struct html_span page, const char *field,
                    struct html_span *form);
/* Put the address that this form is sent to into `action` (references
 * replaced); false: there is no such form. */
bool page_form_action(struct html_span page, const char *field,
                      struct buf *action);
/* Append its hidden fields but those named in `own` ("a b", each with blanks
 * around), as a query. */
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
    bool pending; /* it waits for approval */
};

void page_post_release(struct page_post *post);

/* Take the next post of a topic's page, or the one message of a private
 * message's; false: none is left. */
bool page_next_post(struct html_span *rest, struct page_post *post);

/* When that was written which a text begins to quote, "[quote=Anna
 * time=1700000000 user_id=4]": milliseconds; false: it doesn't say. */
bool page_quote_time(const char *text, int64_t *time);

/* How many posts the topic has, by its pages' heading; -1: it doesn't say.
 * Before the number a link may stand, to the first post that is not read. */
long long page_total(struct html_span page);

#endif
