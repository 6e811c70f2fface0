/*
 * What db.c (files), db_rows.c (transactions, statements) and db_fail.c share.
 */
#ifndef BOT_BASE_DB_INNER_H
#define BOT_BASE_DB_INNER_H

#include "bot/base/db.h"

struct statement {
    char *sql;
    const char *from; /* where its text was given last */
    sqlite3_stmt *handle;
};

struct db {
    sqlite3 *handle;
    char *path;
    struct statement *statements;
    size_t count;
    bool unsynced;  /* the transaction under way is */
    bool gathers;   /* until db_flush */
    enum err err;   /* the first failure … */
    struct buf why; /* … and what it says */
};

/* Note one of SQLite's codes, if it is a failure and the first. */
void db_note(struct db *db, int code);

/* Say what one of SQLite's codes means for this database; returns what the
 * caller is to do. */
enum err db_fail(struct db *db, int code, struct buf *why) MUST_USE;

#endif
