/*
 * Markdown as Discourse and NodeBB show it, read with md4c: CommonMark 0.30,
 * `~~struck~~`, inline HTML, and of Discourse `[quote]`, `[chat quote=…]`,
 * `[spoiler]`, `[details]`, `[code]`, `[s]`, `[b]`; mentions are `@name`.  Each
 * line feed of a paragraph is a new line, as both show it.
 *
 * It judges what the program writes (adapters/markup/markdown.h), and is what
 * the tests' own forums show.
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
 */
#ifndef TESTS_MARKDOWN_READER_H
#define TESTS_MARKDOWN_READER_H

#include "adapters/markup/rich.h"

enum {
    MARKDOWN_BRACKETS_MAX = 4000,
    MARKDOWN_LINKS_MAX = 16 * POST_MAX, /* of addresses and titles */
};

/* Written as the program does, read as forums show it. */
extern const struct dialect forum_markdown;

/* The dialect in which people see what is written in this one. */
const struct dialect *shown_as(const struct dialect *dialect);

/* The dialects in a row, Markdown as above among them; NULL after the last. */
const struct dialect *tested_dialect_at(size_t index);

#endif
