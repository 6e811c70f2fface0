/*
 * A queued message as a row of the store.
 */
#ifndef BOT_STORE_STORE_QUEUED_H
#define BOT_STORE_STORE_QUEUED_H

#include <sqlite3.h>

#include "bot/store/store.h"

/* The columns that a query selects for store_read_queued. */
#define QUEUED_COLUMNS                                                         \
    "id, batch, game, place, thread, kind, state, text, user, post,"           \
    " post_place, waits, not_after, sent, changed, pings, written,"            \
    " picture, report, key, calls, deadline, named, in_flight, delivered,"     \
    " refused_at, refused, trouble, shape, part, unapproved, delivery,"        \
    " alarmed"

enum {
    QUEUED_GAME = 2, /* the column of the game's id */
    QUEUED_TEXT = 7  /* of its text */
};

/* Which question a message asks, or (negative) is about, as one number. */
int64_t store_question(const struct message *message);
void store_set_question(struct message *message, int64_t question);

/* Forget what was sent of a game in a thread, and of others there, if they are
 * over. */
enum err store_forget_sent(struct store *store, const char *game,
                           const char *thread, struct buf *why) MUST_USE;

enum err store_insert_queued(struct store *store,
                             const struct queued_message *queued,
                             struct buf *why) MUST_USE;

/* Read the current row, without its text.  Release its message, also after an
 * error: what could be read is there. */
enum err store_read_queued(const struct store *store, sqlite3_stmt *rows,
                           struct queued_message *read,
                           struct buf *why) MUST_USE;

/* The same with its text, which is NULL if it was wiped. */
enum err store_load_queued(const struct store *store, sqlite3_stmt *rows,
                           struct queued_message *queued,
                           struct buf *why) MUST_USE;

#endif
