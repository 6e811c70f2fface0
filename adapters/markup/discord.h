/*
 * Discord's mark-up.
 *
 * Read as Discord's own clients show it: `**bold**` (blanks inside allowed),
 * `__underlined__`, `*slanted*` and `_slanted_`, which show but mean nothing,
 * `~~struck~~`, `||spoiler||`, code between any number of backticks and between
 * fences, `> ` quoted lines and `>>> ` for the rest of the post, headings,
 * small print (`-# `), lists, links behind words, `\` before a mark, and
 * `<@ID>`, a mention.  Where two marks could begin at the same place the longer
 * wins, and no mark extends beyond the one that it is in.  An address gets
 * MARK_ADDRESS.  Anything that is shown as something other than its text is an
 * object: `<@&ROLE>`, `<#CHANNEL>`, `<:EMOJI:ID>`, `<t:TIME>`, `@everyone`,
 * `@here`.
 *
 * A post gives only the id of the user it mentions, not the name: a mention's
 * text is "@ID", and it is written as `<@ID>` whatever its text was.  There are
 * no colours: red is not written.  An instant is written twice as time mark-up
 * and never as text: each reader sees it in their own zone, and how far away it
 * is.
 *
 * The writer puts a backslash before anything that would act as mark-up, and a
 * U+200B where a backslash can't be used: in code, and after an "@" that would
 * ping people.  Text marked as an address is written as a link that can be
 * clicked; an address in other text is not.
 *
 * Sources: Discord's documentation, "Message Formatting"; the behaviour of the
 * npm packages discord-markdown 2.5.1 and discord-markdown-parser 1.3.1, which
 * copy the client's rules.
 */
#ifndef ADAPTERS_MARKUP_DISCORD_H
#define ADAPTERS_MARKUP_DISCORD_H

#include "adapters/markup/rich.h"

enum {
    DISCORD_ID_MAX = 20, /* digits of a user's id, an unsigned 64-bit number */
};

/* What dialect_discord writes with. */
void discord_write(const struct rich *rich, struct buf *out);

#endif
