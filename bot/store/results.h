/*
 * What came of finished games: saved at the end of each, and made again from
 * its journal where it is missing.
 */
#ifndef BOT_STORE_RESULTS_H
#define BOT_STORE_RESULTS_H

#include "bot/host/table/ruling.h"
#include "bot/store/store.h"

/*
 * Call `each` with the result of every game that is over and was dealt, oldest
 * first: of a place, or (NULL) of all.  The result is borrowed.  A game whose
 * journal is damaged is left out, and the log says so.  ERR_DENIED: the store's
 * key is not there.  It stops at an error of `each`.
 *
 * Nothing is replayed.
 */
typedef enum err store_result_reader(void *context, const struct result *result,
                                     struct buf *why);
enum err store_results(struct store *store, const char *place,
                       store_result_reader *each, void *context,
                       struct buf *why) MUST_USE;

/* Save the result of a game that is over, as its journal tells it now.  A game
 * that never began has none; of one whose journal can't be read nothing is
 * saved. */
enum err store_save_result(struct store *store, const char *game,
                           struct buf *why) MUST_USE;

#endif
