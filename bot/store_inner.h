/*
 * What the store's files share; nobody else includes it.
 */
#ifndef BOT_STORE_INNER_H
#define BOT_STORE_INNER_H

#include "bot/base/db.h"
#include "bot/base/seal.h"
#include "bot/store.h"

struct store {
    struct db *db;
    struct seal *seal; /* NULL: of a reader, who has no key */
    struct buf no_key; /* why not */
    int lock;          /* -1: none */
    char id[9];
};

/* Sealed values are padded to a multiple of these, in bytes: so their length
 * tells nothing of what may not be known. */
enum {
    ROOM_ROW = 64,       /* moves and lines */
    ROOM_VERDICT = 512,  /* how a private post was read */
    ROOM_NOTE = 2048,    /* tokens */
    ROOM_PRIVATE = 4096, /* private letters, and private posts that are kept */
};
size_t padded(size_t len, size_t room);

/* Append a value sealed for its place in the store: the place's name begins
 * with what it is, "letter 17". */
void store_seal(const struct store *store, const char *place, const void *bytes,
                size_t len, size_t size, struct buf *out);

/* Append what is sealed in a column of the current row; "" of a null.  Errors
 * as seal_take's, and ERR_DENIED without a key. */
enum err store_unseal(const struct store *store, const char *place,
                      sqlite3_stmt *rows, int column, struct buf *out,
                      struct buf *why) MUST_USE;

/* What a row of a journal is called, its `part` "move" or "lines"; `out` is
 * emptied first. */
void store_name_row(const char *game, int64_t row, const char *part,
                    struct buf *out);

/* The number of the next row of a table that never uses one again. */
enum err store_next_row(struct store *store, const char *table, int64_t *row,
                        struct buf *why) MUST_USE;

#endif
