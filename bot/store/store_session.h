/*
 * A session's messages: private ones of a table whose cards or ballots are out.
 *
 * When the president chooses, the chancellor is written to.  So three things
 * about such a message are sealed, with one length, in the column `delivery`:
 * whom it goes to, when it was written and what became of it.  The columns that
 * hold these of other messages are empty.  Until the session is over the row
 * looks like a message that waits, and its text keeps its length.
 */
#ifndef BOT_STORE_STORE_SESSION_H
#define BOT_STORE_STORE_SESSION_H

#include <sqlite3.h>

#include "bot/store/store.h"

/* Save as which post any message was sent, or what stands for it.  Apart from
 * all else: SQLite writes an index whose column is set, changed or not. */
void store_save_sent(struct store *store, int64_t id, const char *sent);

enum {
    SIGN_SIZE = 18
};

/* Make what is shown of a session's message, its `once` in an array, and seal
 * the rest, which is returned, and owned; save what became of it. */
struct buf store_hide(const struct store *store,
                      const struct queued_message *queued,
                      struct queued_message *shown, char once[SIGN_SIZE]);
void store_save_hidden(struct store *store,
                       const struct queued_message *queued);

/* Read a column `delivery` into a queued message that has its id, place and
 * thread. */
enum err store_open_delivery(const struct store *store, sqlite3_stmt *rows,
                             int column, struct queued_message *queued,
                             struct buf *why) MUST_USE;

/* Write what stands for a text in a column in the clear of such a message, its
 * `once` or `sent`: without the key it tells nothing. */
#define SIGN_ONCE "what is said once"
#define SIGN_SENT "what was sent"
void store_sign(const struct store *store, const char *what, const char *text,
                char sign[SIGN_SIZE]);

#endif
