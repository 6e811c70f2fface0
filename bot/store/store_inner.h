/*
 * What the store's files share; nobody else includes it.
 */
#ifndef BOT_STORE_STORE_INNER_H
#define BOT_STORE_STORE_INNER_H

#include "bot/base/db.h"
#include "bot/base/seal.h"
#include "bot/store/store.h"

/* The format of the file.  A change of the schema raises it, and
 * store_upgrade.c must learn to rebuild the format before. */
enum {
    STORE_FORMAT = 10
};
enum err store_open_db(const char *path, enum db_mode mode, struct db **db,
                       struct buf *why) MUST_USE;

/* schema.sql, embedded; it makes the tables and indices that are missing. */
extern const char bot_store_schema_sql[];

struct store {
    struct db *db;
    struct seal *seal; /* NULL: a reader without the key */
    struct buf no_key; /* why not */
    int lock;          /* -1: none */
    char id[9];
    /* Keys of messages begin with it.  It differs at each start, because a
     * store that was restored from a backup says other things in the same
     * rows. */
    char epoch[9];
};

/* Sealed values are padded to a multiple of these, in bytes, so that their
 * length tells nothing secret. */
enum {
    ROOM_ROW = 64,       /* moves and lines */
    ROOM_VERDICT = 512,  /* how a private post was read */
    ROOM_NOTE = 2048,    /* adapter states */
    ROOM_PRIVATE = 4096, /* private messages, and deferred private posts */
    ROOM_FATE = 2048,    /* what became of a session's message */
};
size_t padded(size_t len, size_t room);

/* Append a value sealed for its place in the store.  The place's name begins
 * with what it is: "message 17". */
void store_seal(const struct store *store, const char *place, const void *bytes,
                size_t len, size_t size, struct buf *out);

/* Append what is sealed in a column of the current row; "" if it is null.
 * Errors as for seal_take, and ERR_DENIED without a key. */
enum err store_unseal(const struct store *store, const char *place,
                      sqlite3_stmt *rows, int column, struct buf *out,
                      struct buf *why) MUST_USE;

/* The name of a row of a journal, with `part` "move" or "lines"; `out` is
 * emptied first. */
void store_name_row(const char *game, int64_t row, const char *part,
                    struct buf *out);

/* What a message's text, and a DM, is sealed for: somebody who can write to the
 * store can't have it sent to somebody else. */
void store_name_message(const struct queued_message *queued, struct buf *out);
void store_name_dm(const char *service, const char *user, const char *place,
                   struct buf *out);

/* Seal the text of a message; private ones all get one length. */
void store_seal_text(const struct store *store,
                     const struct queued_message *queued, struct buf *out);

/* Append a part of a name so that no two lists of parts make the same name. */
void store_add_part(struct buf *out, const char *what, const char *part);

/* ---- store_session.c ----------------------------------------------------- */

/* Write a session's message, and what became of it. */
enum err store_insert_veiled(struct store *store,
                             const struct queued_message *queued,
                             struct buf *why) MUST_USE;
enum err store_save_veiled(struct store *store,
                           const struct queued_message *queued,
                           struct buf *why) MUST_USE;
void store_seal_fate(const struct store *store,
                     const struct queued_message *queued, struct buf *out);

/* Read it into a queued message that has its id, place and thread. */
enum err store_open_fate(const struct store *store, sqlite3_stmt *rows,
                         int column, struct queued_message *queued,
                         struct buf *why) MUST_USE;

/* Append what the columns `once` and `sent` of such a message contain. */
void store_sign_once(const struct store *store, const char *once,
                     struct buf *out);
void store_sign_sent(const struct store *store, const char *sent,
                     struct buf *out);

/* The session of a game is over: its messages that have ended show that. */
enum err store_unveil(struct store *store, const char *game,
                      struct outbox *outbox, struct buf *why) MUST_USE;

/* Can stores of a format be rebuilt? */
bool store_can_upgrade(int format);

/* Rebuild the store at `path`, which has such a format, and keep the old one
 * beside it as <path>.format-<format>.  The key MUST be open. */
enum err store_upgrade(const struct store *store, const char *path, int format,
                       struct buf *why) MUST_USE;

/* The number of the next row of a table that never uses a number again. */
enum err store_next_row(struct store *store, const char *table, int64_t *row,
                        struct buf *why) MUST_USE;

#endif
