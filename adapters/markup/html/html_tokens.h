/*
 * The tokens of HTML, one at a time, as browsers read them (HTML Living
 * Standard, 13.2.5 "Tokenization"): people and servers often write invalid
 * HTML, and yet all browsers show the same.
 *
 * All functions take any bytes, read each of them a fixed number of times, and
 * point into the text they are given.  Text is cut into tags first; references
 * (`&lt;`) are replaced afterwards, in text and in the values of attributes,
 * never before.
 */
#ifndef ADAPTERS_MARKUP_HTML_TOKENS_H
#define ADAPTERS_MARKUP_HTML_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"

/* A stretch of the text, borrowed; not terminated. */
struct html_span {
    const char *text;
    size_t len;
};

struct html_tag {
    size_t len; /* of all of it, from "<" to ">" */
    bool closing;
    bool self_closing;      /* ends with "/>" */
    struct html_span name;  /* as written: compare with html_is */
    struct html_span inner; /* what html_next_attribute has not yet taken */
};

struct html_attribute {
    struct html_span name;
    struct html_span value; /* without quotation marks, references in it */
};

/*
 * Read the tag that begins with this text: "<" or "</", a letter, up to the
 * first ">" outside quoted values. false: the text begins with no tag, or the
 * tag has no end (browsers then show nothing of the rest).
 */
bool html_read_tag(const char *text, size_t len, struct html_tag *tag);

/* Take the next attribute of a tag; false: there is none left.  The first one
 * of a name is the one that counts. */
bool html_next_attribute(struct html_tag *tag,
                         struct html_attribute *attribute);

/* The length of the comment that this text begins with, or of what browsers
 * take for one (`<!DOCTYPE …>`, `<?…>`, `</3>`), up to the end of the text if
 * nothing ends it; 0: there is none. */
size_t html_comment_len(const char *text, size_t len);

/* The bytes of this text before the closing tag of this name; all of them if
 * there is none.  For elements in which no other tag counts. */
size_t html_raw_len(const char *text, size_t len, struct html_span name);

/* The most bytes that one reference stands for. */
enum {
    HTML_REFERENCE_MAX = 4
};

/*
 * Append what the reference that this text begins with stands for, as UTF-8:
 * `&lt;`, `&#60;`, `&#x3c;`.  Returns the length of the reference; 0: "&" is
 * text here.  The known names are those of HTML 4, those of ASCII's signs and,
 * as in browsers, the oldest names without ";" (`&lt`), but in the `value` of
 * an attribute only if no letter, digit or "=" follows.  A number that is not a
 * character becomes U+FFFD; 128 to 159 are those of windows-1252.
 */
size_t html_read_reference(const char *text, size_t len, bool value,
                           struct buf *out);

/* Append a stretch of text or the `value` of an attribute, each reference in
 * it replaced. */
void html_add_decoded(struct buf *out, struct html_span span, bool value);

/* Is this the name?  `name` in lower case. */
bool html_is(struct html_span span, const char *name);

/* A blank, tabulator, line feed, form feed or carriage return. */
bool html_is_space(char byte);

#endif
