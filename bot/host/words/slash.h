/*
 * The slash commands that the host offers, in all languages that Discord and
 * the host speak.  What one does is bot/host/judge/slash.c's.
 */
#ifndef BOT_HOST_WORDS_SLASH_H
#define BOT_HOST_WORDS_SLASH_H

#include "bot/host/table/table.h"
#include "bot/host/words/catalogue.h"

/* Set all of them.  ERR_CONFIG: a language's file is wrong. */
enum err slash_commands_make(struct catalogues *catalogues,
                             struct slash_commands *commands,
                             struct buf *why) MUST_USE;

/* Set what can be chosen for the option of the command in `body`, of which a
 * part is typed; none, if nobody may choose there now. */
void slash_suggest(const struct table *table, const char *body,
                   struct buttons *choices);

#endif
