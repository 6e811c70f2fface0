/*
 * What the log says of games: a line for each event that everybody sees.
 *
 * People are named by the numbers of their seats, for a log is kept and passed
 * on.  What isn't for everybody (AUDIENCE_ALL), at the moment when it happens,
 * has no line: who is awaited in a session, roles, hands, votes.
 */
#ifndef BOT_TABLES_GAME_LOG_H
#define BOT_TABLES_GAME_LOG_H

#include "bot/host/table/ruling.h"

/* Log what a ruling that was saved has brought. */
void game_log(const struct ruling *ruling);

#endif
