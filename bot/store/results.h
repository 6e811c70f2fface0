/*
 * What came of finished games: saved at the end of each.
 */
#ifndef BOT_STORE_RESULTS_H
#define BOT_STORE_RESULTS_H

#include "bot/host/table/ruling.h"
#include "bot/store/store.h"

/* Call `each` with the result of every game that is over and was dealt, oldest
 * first: of a place, or (NULL) of all.  The result is borrowed.  It stops at an
 * error of `each`.  Nothing is replayed, and no key is needed. */
typedef enum err store_result_reader(void *context, const struct result *result,
                                     struct buf *why);
enum err store_results(struct store *store, const char *place,
                       store_result_reader *each, void *context,
                       struct buf *why) MUST_USE;

/* Save the result of a game that is over, as its journal tells it now; a game
 * that never began has none, and one whose journal can't be read, which is
 * logged.  `table`: who sits there; NULL: that is not known. */
void store_save_result(struct store *store, const char *game,
                       const struct table *table);

#endif
