/*
 * HTML, of forums and of Matrix, read as browsers show it, and written.
 *
 * Reading: tags nest as the HTML Living Standard has it (13.2.6), so that a
 * `<b>` nobody closes is bold to the end of the post, across paragraphs; tags
 * that cross mark what both have inside.  No tree is built: where the standard
 * moves what was read before to another place (text between the cells of a
 * table, a paragraph out of a `<span>` that a crossed tag ends), it stays where
 * it was.  White space collapses to its first character, a line feed to a
 * blank, except in `<pre>`.  Blocks, items and cells stand on lines of their
 * own; the last line of a post has no end, unless a `<br>` is there.
 *
 * Which elements and attributes mark what: html_elements.h, html_effect.h.
 *
 * Writing: `<br>` for a line feed, `<blockquote>` where what is quoted stands
 * on lines of its own, U+200B where white space would collapse.
 */
#ifndef ADAPTERS_MARKUP_HTML_H
#define ADAPTERS_MARKUP_HTML_H

#include "adapters/markup/rich.h"

/* What dialect_html and dialect_matrix write with. */
void html_write(const struct rich *rich, struct buf *out);
void matrix_write(const struct rich *rich, struct buf *out);

#endif
