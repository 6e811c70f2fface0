/*
 * Slash commands: which the host offers, and what can be chosen
 * while somebody types one.
 */
#ifndef BOT_TABLES_COMMANDS_H
#define BOT_TABLES_COMMANDS_H

#include "bot/tables/tables.h"

/* All of them; borrowed until the tables are closed.  NULL: a language's file
 * is wrong, which was logged. */
const struct slash_commands *commands_all(struct tables *tables);

/* Add what can be chosen for the command that somebody types (POST_TYPED). */
void commands_suggest(struct tables *tables, const struct service *service,
                      const struct post *post, struct buttons *choices);

#endif
