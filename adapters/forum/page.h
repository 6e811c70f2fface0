/*
 * Reads pages of HTML: single tags, elements, links, forms.
 */
#ifndef ADAPTERS_FORUM_PAGE_H
#define ADAPTERS_FORUM_PAGE_H

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
/* The content of the element whose opening tag was taken last, up to its
 * closing tag; the rest of the page, where that is missing. */
struct html_span page_content(const struct html_tag *tag,
                              struct html_span rest);

/* Go on so many bytes further; behind some content. */
void page_cut(struct html_span *rest, size_t len);
void page_pass(struct html_span *rest, struct html_span content);

/* Append the text of a stretch of the page without tags, trimmed, each run of
 * blanks reduced to one. */
void page_add_text(struct html_span content, struct buf *text);

/*
 * Elements are named as style sheets name them:
 *
 *     div.post       of that name and class; one of the two is enough
 *     div.post!gone  … and without that class
 *     #message       with that id
 *     a[href*=f=2]   whose attribute has that in it ("^=": begins with it, "=":
 *                    is it), references replaced
 *     a,span         one of these
 *     #message p     what is in what is named before the blank
 *     p >strong      … if it is the first tag in there
 *
 * A word has at most 63 bytes.
 */

/* Does a tag open one of those that stand before the first blank? */
bool page_is(const struct html_tag *tag, const char *at);

/* An element: its opening tag, and what is behind that. */
struct page_element {
    struct html_tag tag;
    struct html_span rest;
};

enum page_which {
    PAGE_FIRST,
    PAGE_LAST
};
enum {
    PAGE_TRIES_MAX = 16 /* elements in which others are looked for */
};

/* Find the first such element, or the last.  Returns how many were seen; 0:
 * there is none. */
unsigned page_find(struct html_span page, const char *at, enum page_which which,
                   struct page_element *found);

/* The same from a tag on that page_is; `rest` is behind it. */
unsigned page_find_at(const struct html_tag *tag, struct html_span rest,
                      const char *at, enum page_which which,
                      struct page_element *found);

/* Take the next one, and go on behind it; false: none is left. */
bool page_next(struct html_span *rest, const char *at, struct html_tag *tag,
               struct html_span *content);

/* The number of at most 18 digits behind a text such as "p=" that begins a
 * field of an address's query, or the text itself; "": the first number.
 * false: there is none. */
bool page_number(const char *text, const char *before, int64_t *number);

/* Find the content of the form that has a field of that name. */
bool page_find_form(struct html_span page, const char *field,
                    struct html_span *form);
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

#endif
