/*
 * A queued message as a row of the store.
 */
#ifndef BOT_STORE_STORE_QUEUED_H
#define BOT_STORE_STORE_QUEUED_H

#include <sqlite3.h>

#include "bot/store/store.h"

/* The columns that hold a member of struct queued_message as it is:
 * TEXT(column, member) an array of char, OWNED(column, member) an owned text or
 * NULL, NUMBER(column, type, member) any number.  First those that are saved
 * once, then those that say what became of it. */
#define QUEUED_TEXTS(TEXT)                                                     \
    TEXT("game", game)                                                         \
    TEXT("place", place)                                                       \
    TEXT("thread", thread)                                                     \
    TEXT("sent", sent)                                                         \
    TEXT("key", key)                                                           \
    TEXT("trouble", trouble)
#define QUEUED_OWNED(OWNED)                                                    \
    OWNED("user", message.user)                                                \
    OWNED("post", message.post)                                                \
    OWNED("post_place", message.place)                                         \
    OWNED("pings", message.pings)                                              \
    OWNED("report", message.report)
#define QUEUED_NUMBERS(NUMBER)                                                 \
    NUMBER("id", int64_t, id)                                                  \
    NUMBER("batch", int64_t, batch)                                            \
    NUMBER("kind", enum message_kind, message.kind)                            \
    NUMBER("waits", bool, message.waits)                                       \
    NUMBER("not_after", int64_t, message.not_after)                            \
    NUMBER("written", int64_t, message.written)                                \
    NUMBER("picture", bool, message.picture)                                   \
    NUMBER("deadline", int64_t, message.deadline)                              \
    NUMBER("alarmed", bool, alarmed)
#define QUEUED_FATE(NUMBER)                                                    \
    NUMBER("state", enum queued_state, state)                                  \
    NUMBER("changed", bool, changed)                                           \
    NUMBER("named", int64_t, named)                                            \
    NUMBER("in_flight", int64_t, in_flight)                                    \
    NUMBER("delivered", int64_t, delivered)                                    \
    NUMBER("refused_at", int64_t, refused_at)                                  \
    NUMBER("refused", enum refused, refused)                                   \
    NUMBER("shape", enum shape, shape)                                         \
    NUMBER("part", unsigned, part)                                             \
    NUMBER("unapproved", int64_t, unapproved)

/* What a query selects for store_read_queued. */
#define QUEUED_COLUMN(column, ...) column ", "
#define QUEUED_COLUMNS                                                         \
    QUEUED_TEXTS(QUEUED_COLUMN)                                                \
    QUEUED_OWNED(QUEUED_COLUMN)                                                \
    QUEUED_NUMBERS(QUEUED_COLUMN)                                              \
    QUEUED_FATE(QUEUED_COLUMN) "calls, delivery, text"

/* Forget what was sent of a game in a thread, and of others there, if they are
 * over. */
void store_forget_sent(struct store *store, const char *game,
                       const char *thread);

void store_insert_queued(struct store *store,
                         const struct queued_message *queued);

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
