/*
 * The store from inside.  Only the files of bot/store include this and the
 * other headers whose names begin with `store_`.
 */
#ifndef BOT_STORE_STORE_INNER_H
#define BOT_STORE_STORE_INNER_H

#include "bot/base/db.h"
#include "bot/base/seal.h"
#include "bot/store/store.h"

/* The format of the file.  A change of the schema raises it, and
 * store_upgrade.c must learn to rebuild the format before. */
enum {
    STORE_FORMAT = 12
};

/* schema.sql, embedded; it makes the tables and indices that are missing. */
extern const char bot_store_schema_sql[];

struct store {
    struct db *db;
    struct seal *seal; /* NULL: a reader without the key */
    struct buf no_key; /* why not */
    int lock;          /* -1: none */
    bool died;         /* the last host did: what is tried is written down */
    char id[9];
    /* Keys of messages begin with it.  It differs at each start, because a
     * store that was restored from a backup says other things in the same
     * rows. */
    char epoch[9];
};

/* Open the database of a store, which must have STORE_FORMAT. */
enum err store_open_db(const char *path, enum db_mode mode, struct db **db,
                       struct buf *why) MUST_USE;

#endif
