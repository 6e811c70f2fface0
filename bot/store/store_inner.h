/*
 * The store from inside.  Only the files of bot/store include this and the
 * other headers whose names begin with `store_`.
 */
#ifndef BOT_STORE_STORE_INNER_H
#define BOT_STORE_STORE_INNER_H

#include "bot/base/db.h"
#include "bot/base/seal.h"
#include "bot/store/store.h"

enum {
    ID_SIZE = 9 /* four bytes in hex, and a NUL */
};

/* schema.sql, embedded; it makes the tables and indices that are missing. */
extern const char bot_store_schema_sql[];

/* Which games are read (SQL): of ids that no host has made none could be held.
 */
#define GAME_READ "typeof(id) = 'text' AND length(id) <= 32"

/* What is true of every message that a host has saved (SQL).  SQLite takes any
 * value in any column, so one of which it is not true is not read.  The numbers
 * are those of the enums. */
#define MESSAGE_UNFIT MESSAGE_FITS " IS NOT TRUE"
#define MESSAGE_FITS                                                           \
    "(kind BETWEEN 0 AND 9 AND state BETWEEN 0 AND 2"                          \
    " AND (state = 2 OR text IS NOT NULL AND (delivery IS NOT NULL"            \
    " OR CASE WHEN kind IN (1, 8) THEN user IS NOT NULL"                       \
    " WHEN kind IN (3, 4, 7, 9) THEN post IS NOT NULL ELSE 1 END))"            \
    " AND refused BETWEEN 0 AND 7 AND shape BETWEEN 0 AND 3"                   \
    " AND part BETWEEN 0 AND 2147483647"                                       \
    " AND calls BETWEEN -2147483647 AND 2147483647)"

struct store {
    struct db *db;
    struct seal *seal; /* NULL: a reader without the key */
    struct buf no_key; /* why not */
    int lock;          /* -1: none */
    bool absent;       /* STORE_TRY: it is still to be made */
    bool died;         /* the last host did: what is tried is written down */
    char id[ID_SIZE];
    /* Keys of messages that are of no game that is on begin with it. */
    char epoch[ID_SIZE];
    int64_t copied; /* this is a copy of a store as it was then, and has not
                       caught up; 0: it is none, or has */
};

/* The name of a file beside the one at `path`; owned. */
struct buf store_beside(const char *path, const char *ending);

/* Take the number before `end` off the front of a text; false: there is none.
 */
bool store_take_number(const char **at, char end, int64_t *number);

/* Which question a message asks, or (negative) is about, as one number. */
int64_t store_question(const struct message *message);
void store_set_question(struct message *message, int64_t question);

/* Are a database's tables as schema.sql makes them, does nothing else act on
 * them, and is none missing that it had when a host last opened it?
 * ERR_GARBLED, with what to do. */
enum err store_check_schema(struct db *db, const char *path,
                            struct buf *why) MUST_USE;

/* ERR_GARBLED: a message of a game that is on does not fit. */
enum err store_check_messages(struct store *store, const char *game,
                              struct buf *why) MUST_USE;

/* Open the database of a store, which must have STORE_FORMAT. */
enum err store_open_db(const char *path, enum db_mode mode, struct db **db,
                       struct buf *why) MUST_USE;

/* One game that can't be read, which is logged, does not keep others from being
 * looked at: it is passed over after ERR_GARBLED or ERR_DENIED.  Other errors
 * are the store's, and last.  `trouble`, which says why, is released. */
void store_pass_over(struct store *store, enum err err, struct buf *trouble);

/* Run a statement with a number, ?1, and a text, ?2, beside a host or without
 * one. */
enum err store_run_beside(const char *path, const char *sql, int64_t number,
                          const char *text, struct buf *why) MUST_USE;

#endif
