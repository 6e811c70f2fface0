/*
 * Nobody floods the host: a person gets so many answers in a while, and then a
 * reaction.  It is kept in memory alone; a host that starts begins anew.
 */
#ifndef BOT_TABLES_FLOOD_H
#define BOT_TABLES_FLOOD_H

#include "adapters/adapter.h"
#include "bot/host/table/ruling.h"
#include "bot/tables/tables.h"

/*
 * Take the answers to a post off a ruling, and put a reaction there, where its
 * author has had enough of them.  Never of an act, which has rows or goes to
 * others, nor of what is said once only; nor of a moderator, or of somebody
 * whom the table waits for.  In a session it waits for the government, whoever
 * of them it is.
 */
void flood_limit(struct tables *tables, const struct service *service,
                 struct ruling *ruling, const struct post *post);

#endif
