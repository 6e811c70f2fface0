/*
 * Recovery: a table is the moves of its journal, replayed.
 */
#ifndef BOT_STORE_RECOVER_H
#define BOT_STORE_RECOVER_H

#include "bot/host/table/ruling.h"
#include "bot/host/table/table.h"
#include "bot/store/store.h"

/*
 * Replay a game's journal into a table that was made (table_init), and whose
 * content is replaced; compare the record lines it makes
 * with those that were saved.  ERR_GARBLED with a sentence if a row can't be
 * read, can't be played, or makes other lines than it did (because a rule was
 * corrected, say); ERR_DENIED if its key is not there.  The game must then be
 * held, not silently changed.
 */
enum err recover_table(struct store *store, const char *game,
                       struct table *table, struct buf *why) MUST_USE;

/*
 * Find how a game was before the act that a post was (its id; "": before its
 * last act at the time of the request `asked`, 0: by now), if that act still
 * stands.  Errors as above.
 */
enum err recover_before(struct store *store, const char *game, const char *post,
                        unsigned asked, struct before *before, bool *found,
                        struct buf *why) MUST_USE;

/*
 * Change the moves of a game that is over, and save it with what they then
 * make, replayed into *table.  `change` gets each move before it is played,
 * with the table as it is by then and its row as it was saved.
 * ERR_GARBLED, and nothing is changed: the moves can't be played, or make more
 * lines or fewer; ERR_DENIED as above.
 */
typedef void recover_changer(void *context, const struct table *table,
                             struct move *move, const struct store_row *row);
enum err recover_changed(struct store *store, const char *game,
                         recover_changer *change, void *context,
                         struct table *table, struct buf *why) MUST_USE;

#endif
