/*
 * Markdown as Discourse and NodeBB have it: CommonMark 0.30, `~~struck~~`,
 * inline HTML, and of Discourse `[quote]`, `[chat quote=…]`, `[spoiler]`,
 * `[details]`, `[code]`, `[s]`, `[b]`; mentions are `@name`.  Each line feed of
 * a paragraph is a new line, as both show it.
 *
 * The id of a mention is the name in lower case, for nothing else stands in the
 * text: an adapter whose places are written so MUST give its users such ids.  A
 * name is letters, marks, digits and "_", with "." and "-" between them, at
 * most 60 code points (Discourse, pretty-text/addon/mentions.js, with Unicode
 * names; in NodeBB's, "-" stands for a blank).
 *
 * Where the two differ, or md4c (0.4.8) from both, what counts nothing is read:
 *   - `[b]` and `[s]` are tags if they are closed in the same paragraph; `[b]`
 *     does not cross a mark of CommonMark;
 *   - a region to leave out (`[quote]`, `<s>`) that nothing ends goes on to the
 *     end of the post; so does `<b>`, of which NodeBB shows the letters;
 *   - a block of HTML is one object, but an element that is open at its end
 *     (`<details>`) goes on;
 *   - tables are lines of text: md4c and markdown-it see different ones, and
 *     leave out what has no column.
 *
 * md4c takes time that grows with the square of some texts: brackets in
 * brackets, many links to one long address, blank lines in a deep list.  So a
 * post is not read that has more than MARKDOWN_BRACKETS_MAX opening brackets,
 * more than RICH_DEPTH_MAX of them open in a paragraph, links to more than
 * MARKDOWN_LINKS_MAX bytes, or a line that opens more than RICH_DEPTH_MAX
 * quotes and lists.
 *
 * What is written shows the same in both: `**`, `~~`, backticks, `> ` for
 * quoted lines, a backslash before what would act, and U+200B where a mark
 * needs a letter beside it or a line would be more than text.  The rest is
 * Discourse's: `[spoiler]`, `[quote]` within a line, `<code>` across lines.
 */
#ifndef ADAPTERS_MARKUP_MARKDOWN_H
#define ADAPTERS_MARKUP_MARKDOWN_H

#include "adapters/markup/rich.h"

enum {
    MARKDOWN_BRACKETS_MAX = 4000,
    MARKDOWN_LINKS_MAX = 16 * POST_MAX, /* of addresses and titles */
};

/* What a character is beside a mark: what may open and close depends on it
 * (CommonMark 0.30, "Emphasis and strong emphasis"). */
enum markdown_class {
    MARKDOWN_SPACE, /* or the edge of the line */
    MARKDOWN_PUNCTUATION,
    MARKDOWN_SYMBOL, /* to CommonMark 0.31 the same as punctuation */
    MARKDOWN_LETTER, /* anything else */
};

/* What a text begins with, or ends with; an empty one is an edge. */
enum markdown_class markdown_class_at(const char *text, size_t len);
enum markdown_class markdown_class_before(const char *text, size_t len);

/* The bytes of the name that a text begins with; 0: there is none. */
size_t markdown_name_len(const char *text, size_t len);

/* Does the text begin, or end, with a letter, mark or digit? */
bool markdown_begins_with_letter(const char *text, size_t len);
bool markdown_ends_in_letter(const char *text, size_t len);

/* Append a name as an id. */
void markdown_add_id(struct buf *id, const char *name, size_t len);

void markdown_write(const struct rich *rich, struct buf *out);

#endif
