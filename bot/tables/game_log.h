/*
 * What the log says of games: a line for each event that everybody sees.
 *
 * People are told by the numbers of their seats, for a log is kept and passed
 * on.  What not everybody sees (AUDIENCE_ALL), or
 * sees when it happens, has no line: not who is awaited in a session, no role,
 * hand or vote.
 */
#ifndef BOT_TABLES_GAME_LOG_H
#define BOT_TABLES_GAME_LOG_H

#include "bot/host/table/ruling.h"

/* Log what a ruling that was saved has brought. */
void game_log(const struct ruling *ruling);

#endif
