/*
 * Markdown as the host writes it for Discourse and NodeBB, so that both show
 * the same: `**`, `~~`, backticks, `> ` for quoted lines, a backslash before
 * anything that would act as mark-up, and U+200B where a mark needs a letter
 * beside it or a line would be more than text.  The rest is for Discourse:
 * `[spoiler]`, `[quote]` within a line, `<code>` across lines.  Mentions are
 * `@name`.
 *
 * People's posts there are read as the HTML that the forum makes of them.  The
 * only Markdown that can be read is the writer's own.
 *
 * The id of a mention is the name in lower case, because the text holds nothing
 * else: an adapter whose posts are written in this dialect MUST give its users
 * such ids, and their numbers where names may change (post.member).  A name is
 * letters, marks, digits and "_", with "." and "-" between them, at most 60
 * code points (Discourse, pretty-text/addon/mentions.js, with Unicode names; in
 * NodeBB's, "-" stands for a blank).
 */
#ifndef ADAPTERS_MARKUP_MARKDOWN_H
#define ADAPTERS_MARKUP_MARKDOWN_H

#include "adapters/markup/rich.h"

/* The class of a character beside a mark: it decides which marks may open and
 * close there (CommonMark 0.30, "Emphasis and strong emphasis"). */
enum markdown_class {
    MARKDOWN_SPACE, /* or the edge of the line */
    MARKDOWN_PUNCTUATION,
    MARKDOWN_SYMBOL, /* to CommonMark 0.31 the same as punctuation */
    MARKDOWN_LETTER, /* anything else */
};

/* The class of a text's first, or last, character; an empty text counts as an
 * edge. */
enum markdown_class markdown_class_at(const char *text, size_t len);
enum markdown_class markdown_class_before(const char *text, size_t len);

/* The bytes of the name that a text begins with; 0: there is none. */
size_t markdown_name_len(const char *text, size_t len);

/* Does the text begin, or end, with a letter, mark or digit? */
bool markdown_begins_with_letter(const char *text, size_t len);
bool markdown_ends_in_letter(const char *text, size_t len);

/* Append a name as an id. */
void markdown_add_id(struct buf *id, const char *name, size_t len);

/* What dialect_markdown and dialect_nodebb write with. */
void markdown_write(const struct rich *rich, struct buf *out);
void markdown_write_nodebb(const struct rich *rich, struct buf *out);

#endif
