/*
 * Journals: row by row while a game is on; packed once it is over.
 */
#ifndef BOT_STORE_STORE_JOURNAL_H
#define BOT_STORE_STORE_JOURNAL_H

#include "bot/store/store.h"

enum {
    PACKED_MAX = 64 * 1024 * 1024 /* bytes of a journal when it is unpacked;
                                     games have 100 kB */
};

/* Add a row, which gets that number. */
void store_add_row(struct store *store, const char *game,
                   const struct ruling_row *row, int64_t number);

/* A game is over: what was sent of it goes, and its rows become one value, but
 * stay if they can't be read. */
void store_put_away(struct store *store, const char *game, const char *thread);

/* Append a row as it is packed; hand on packed rows up to a number, as
 * store_journal does; and save those of a game that is over in place of its
 * journal. */
void store_pack_row(const struct store_row *row, struct buf *text);
enum err store_take_rows(const char *game, const struct buf *text, int64_t last,
                         store_row_reader *each, void *context,
                         struct buf *why) MUST_USE;
void store_save_packed(struct store *store, const char *game,
                       const struct buf *text);

#endif
