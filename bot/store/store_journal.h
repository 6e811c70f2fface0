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
enum err store_add_row(struct store *store, const char *game,
                       const struct ruling_row *row, int64_t number,
                       struct buf *why) MUST_USE;

/* A game is over: what was sent of it goes, and its rows become one value, but
 * stay if they can't be read. */
enum err store_put_away(struct store *store, const char *game,
                        struct buf *why) MUST_USE;

/* Call `each` for the move of every row of a game in order.  Errors are those
 * of store_journal, and that a row holds no move. */
typedef void store_move_reader(void *context, const struct move *move);
enum err store_moves(struct store *store, const char *game,
                     store_move_reader *each, void *context,
                     struct buf *why) MUST_USE;

/* What a row becomes, appended to two empty buffers.  Texts are borrowed. */
typedef enum err store_row_changer(void *context, const char *move,
                                   size_t move_len, struct buf *new_move,
                                   const char *lines, size_t lines_len,
                                   struct buf *new_lines, struct buf *why);

/* Change every row of the journal of a game that is over, in order.  At an
 * error nothing is changed. */
enum err store_change_journal(struct store *store, const char *game,
                              store_row_changer *change, void *context,
                              struct buf *why) MUST_USE;

#endif
