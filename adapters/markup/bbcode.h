/*
 * BBCode, and the board's dialect, which is BBCode with the marks of a chat as
 * well: `**bold**`, `~~struck~~`, `||spoiler||`, `` `code` `` and fences of
 * three backticks, `> ` quoted lines, `>>> ` for the rest of the post, and
 * mentions, `[mention=ID]name[/mention]`.
 *
 * Neither has an escape character.  A U+200B ZERO WIDTH SPACE inside a mark
 * ("[" U+200B "b]", "*" U+200B "*"), before the ">" of a quoted line, or before
 * a backtick makes it plain text.  The writer escapes in this way; readers
 * don't see the character, and comparisons ignore it.
 */
#ifndef ADAPTERS_MARKUP_BBCODE_H
#define ADAPTERS_MARKUP_BBCODE_H

#include "adapters/markup/rich.h"

/* Can a user's id stand in a tag as it is?  Anything else is not an id. */
bool bbcode_id_is_plain(const char *id, size_t len);

/* What these dialects write with. */
void bbcode_write(const struct rich *rich, struct buf *out);
void bbcode_write_board(const struct rich *rich, struct buf *out);
void bbcode_write_phpbb(const struct rich *rich, struct buf *out);

#endif
