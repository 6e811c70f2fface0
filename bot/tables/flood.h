/*
 * Nobody floods the host: within a while a person gets a few answers, and after
 * that a reaction.  This is kept in memory only; a restarted host counts anew.
 */
#ifndef BOT_TABLES_FLOOD_H
#define BOT_TABLES_FLOOD_H

#include "adapters/adapter.h"
#include "bot/host/table/ruling.h"
#include "bot/tables/tables.h"

/*
 * If the author of a post has had enough answers, take the answers to it off a
 * ruling and put a reaction there instead.  This never touches an act, which
 * has rows or goes to others, nor what is said only once, nor answers to a
 * moderator or to somebody whom the table waits for.  In a session it waits for
 * the government, whichever of them it is.
 */
void flood_limit(struct tables *tables, const struct service *service,
                 struct ruling *ruling, const struct post *post);

#endif
