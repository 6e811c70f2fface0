/*
 * Slash commands: which the host offers at a service, and what can be chosen
 * while somebody types one.
 */
#ifndef BOT_TABLES_SLASH_H
#define BOT_TABLES_SLASH_H

#include "bot/tables/tables.h"

/* Are slash commands offered at a service? */
bool tables_has_commands(const struct tables *tables,
                         const struct service *service);

/* All of them; borrowed until the tables are closed.  NULL: a language's file
 * is wrong, which was logged. */
const struct slash_commands *tables_commands(struct tables *tables);

/* Set what can be chosen for the command that somebody types (POST_TYPED). */
void tables_suggest(struct tables *tables, const struct service *service,
                    const struct post *post, struct buttons *choices);

#endif
