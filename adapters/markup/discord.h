/*
 * Discord's mark-up.
 *
 * Read as Discord's own clients show it: `**bold**` (blanks inside allowed),
 * `__underlined__`, `*slanted*` and `_slanted_`, which are seen and mean
 * nothing, `~~struck~~`, `||spoiler||`, code between any number of backticks
 * and between fences, `> ` quoted lines and `>>> ` for the rest of the post,
 * headings, `-# ` small print, lists, links behind words, `\` before a mark,
 * and `<@ID>`, a mention.  Where two could begin at one place the longer wins,
 * and nothing reaches out of what it is in.  An address is one (MARK_ADDRESS).
 * What shows something else than its text is an object: `<@&ROLE>`,
 * `<#CHANNEL>`, `<:EMOJI:ID>`,
 * `<t:TIME>`, `@everyone`, `@here`.
 *
 * A post does not say whom it mentions, only whose id it is: a mention's text
 * is "@ID", and it is written as `<@ID>` whatever its text was.  There is no
 * colour: red is not written.  An instant is written twice as time mark-up and
 * never as text: each reader sees it in their own zone, and how far off it is.
 *
 * The writer puts a backslash before what would act, and a U+200B where none
 * can stand: in code, and after the "@" of what pings people.  What is marked
 * as an address is written as one, which a click follows; one in other text is
 * not.
 *
 * Sources: Discord's documentation, "Message Formatting"; how the npm packages
 * discord-markdown 2.5.1 and discord-markdown-parser 1.3.1 read, which are
 * copies of the client's rules.
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
