/*
 * Journals: row by row while a game is on; packed once it is over.
 */
#ifndef BOT_STORE_STORE_JOURNAL_H
#define BOT_STORE_STORE_JOURNAL_H

#include "bot/store/store.h"

/* Add a row, which gets that number. */
enum err store_add_row(struct store *store, const char *game,
                       const struct ruling_row *row, int64_t number,
                       struct buf *why) MUST_USE;

/* A game is over: its rows become one value.  Those that can't be read stay. */
enum err store_pack_journal(struct store *store, const char *game,
                            struct buf *why) MUST_USE;

#endif
