/*
 * HTML, of forums and of Matrix, read as browsers show it, and written.
 *
 * Reading: tags nest as the HTML Living Standard has it (13.2.6), so that an
 * unclosed `<b>` is bold to the end of the post, across paragraphs; where tags
 * cross, both marks apply to the text inside both.  No tree is built: where the
 * standard would move text already read (text between the cells of a table, a
 * paragraph out of a `<span>` that a crossed tag ends), it stays where it was.
 * White space collapses to its first character, a line feed to a blank, except
 * in `<pre>`.  Blocks, items and cells stand on lines of their own; the last
 * line of a post has no line feed, unless there is a `<br>`.
 *
 * Which elements and attributes mark what: html_elements.h, html_effect.h.
 *
 * Writing: `<br>` for a line feed, `<blockquote>` where a quote stands on lines
 * of its own, U+200B where white space would collapse.
 */
#ifndef ADAPTERS_MARKUP_HTML_H
#define ADAPTERS_MARKUP_HTML_H

#include "adapters/markup/rich.h"

/* What dialect_html reads with (dialects_read). */
void html_read(const char *body, size_t len, const char *bold_classes,
               struct rich *out, bool *unread);

/* What dialect_html and dialect_matrix write with. */
void html_write(const struct rich *rich, struct buf *out);
void matrix_write(const struct rich *rich, struct buf *out);

#endif
