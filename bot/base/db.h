/*
 * The thin wrapper of SQLite: open, prepare once, bind by a format, step.
 *
 * The first failure lasts: until db_rollback, every function does nothing, and
 * no row is found.  So a chain of statements needs no look at each of them:
 * db_err tells the failure at its end, as a sentence with the file's name.
 *
 * The statements of a struct db are found again by their text, and db_close
 * finalizes them.
 */
#ifndef BOT_BASE_DB_H
#define BOT_BASE_DB_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

struct db;

/* Open a database for writing (if it is missing, `create` makes it with mode
 * 0600; WAL, synchronous FULL, secure_delete), or read-only beside a writer.
 * The schema (statements in one string) is run once, on a new one.  `format` is
 * saved in user_version, and a file of another format is ERR_GARBLED with a
 * sentence that names both.  With DB_CREATE the file is first read whole: a
 * damaged one is ERR_GARBLED.  A file to read that is missing, or empty
 * (another process is about to make it), is ERR_GONE.  Any number of processes
 * may open a new file at once.  Another's lock is waited for for five seconds,
 * then ERR_LATER.  *db is owned.
 *
 * A bit that flipped in a value does not damage a database.  A schema can find
 * it by checksum(…), a number made from all its arguments, in a stored column
 * with a CHECK. */
enum db_mode {
    DB_CREATE,
    DB_CREATE_UNCHECKED, /* the caller has it checked (db_check) */
    DB_WRITE, /* a file that is there; what a crash left half written in it is
                 put right */
    DB_READ
};
enum err db_open(const char *path, enum db_mode mode, int format,
                 const char *schema, struct db **db, struct buf *why) MUST_USE;
void db_close(struct db *db);

/* Read the whole file: its structure, and every CHECK of its tables.  This
 * takes a third of a second for a hundred megabytes.  ERR_GARBLED: it is
 * damaged. */
enum err db_check(struct db *db, struct buf *why) MUST_USE;

/* What has failed; ERR_NONE: nothing.  It lasts.  `why` may be NULL. */
enum err db_err(const struct db *db, struct buf *why) MUST_USE;

/* From now on, statements of this connection end with an error soon after
 * another thread has set `stop` (borrowed, or NULL: they do not). */
void db_stop_when(struct db *db, const atomic_bool *stop);

/* The format of a database; 0: it is missing, or new.  `mode`: DB_WRITE or
 * DB_READ. */
enum err db_format(const char *path, enum db_mode mode, int *format,
                   struct buf *why) MUST_USE;

/* Run the statements of a schema, within a transaction or not. */
void db_make(struct db *db, const char *schema);

/* Copy a database as it is, outside a transaction, into a file of mode 0600
 * that appears whole or not at all; one of that name is replaced. */
enum err db_copy(struct db *db, const char *to, struct buf *why) MUST_USE;

/* Give a connection of one's own the functions that schemas may use; returns
 * SQLite's code. */
int db_add_functions(sqlite3 *handle);

/* Give statements of this connection a function with that many arguments, which
 * gets `context` (borrowed) as its user data. */
void db_add_function(struct db *db, const char *name, int arguments,
                     void (*call)(sqlite3_context *context, int count,
                                  sqlite3_value **values),
                     void *context);

/* Transactions.  db_begin takes the write lock at once.  If anything has failed
 * db_commit does nothing, as all others.  db_rollback, which forgets failures,
 * may also be called outside one. */
void db_begin(struct db *db);

/* The same, but its commit does not wait for the disk: it outlives the process,
 * and a power cut once a later transaction was synced.  What is on disk is
 * always what some commits in a row have made. */
void db_begin_unsynced(struct db *db);
void db_commit(struct db *db);
void db_rollback(struct db *db);

/* From now on all that is written is one transaction, which db_flush commits:
 * db_begin only begins it, if it has not begun, db_commit does nothing, and
 * db_rollback gives up all of it. */
void db_gather(struct db *db);

/* Commit what was gathered so far, unsynced; it goes on. */
void db_save(struct db *db);

/* Commit what was gathered, if anything; `synced`: it outlives a power cut. */
void db_flush(struct db *db, bool synced);

/*
 * Run one statement, dropping its result.  `types` has a letter per argument:
 *   i int64_t   t const char * (NULL: SQL null)   b const void *, size_t
 */
void db_run(struct db *db, const char *sql, const char *types, ...);

/*
 * Run a statement and read the first columns of its first row.  Behind the
 * arguments' letters, `types` has a `>` and a letter per column, and the
 * arguments are followed by where the columns go:
 *   i int64_t *   n int *   u unsigned *   y bool *: not 0
 *   t struct buf *, appended to   s char *, size_t: cut to fit
 *   o char **: a copy, which is owned
 *
 *   found = db_row(db, "SELECT a, b FROM t WHERE c = ?", "t>ii", c, &a, &b);
 *
 * False: there is no row, and nothing is written.  A null is 0 or "".
 */
bool db_row(struct db *db, const char *sql, const char *types, ...);

/*
 * Begin a query with arguments as for db_run, and step it with db_next:
 *
 *   sqlite3_stmt *rows = db_query(db, "SELECT a FROM t", "");
 *   while (db_next(db, rows)) {
 *       …
 *   }
 *
 * It MUST be stepped once before the same text is queried again.  NULL, which
 * has no rows: it failed.
 */
sqlite3_stmt *db_query(struct db *db, const char *sql, const char *types, ...);

/* Step to the next row.  False at the end, or at a failure: then the query has
 * ended, and the statement is ready for its next use. */
bool db_next(struct db *db, sqlite3_stmt *rows);

/* End a query whose rows somebody had to take, and in which `err` has happened,
 * if anything.  What has failed since it began is told here, and lasts no
 * longer: it may concern a few rows alone. */
enum err db_end(struct db *db, sqlite3_stmt *rows, enum err err,
                struct buf *why) MUST_USE;

/* What db_end told lasts after all. */
void db_keep(struct db *db, enum err err, const struct buf *why);

/* End a query before its last row: the statement is ready for its next use, and
 * what was bound to it is forgotten. */
void db_done(sqlite3_stmt *rows);

/* Read the first columns of the current row, by letters as for db_row. */
void db_read(sqlite3_stmt *rows, const char *types, ...);

/* Columns of the current row, borrowed until the next step; "" if null. */
const char *db_text(sqlite3_stmt *rows, int column);
int64_t db_int(sqlite3_stmt *rows, int column);
bool db_is_null(sqlite3_stmt *rows, int column);
const void *db_blob(sqlite3_stmt *rows, int column, size_t *len);

/* A copy of a text, which is owned; NULL if null. */
char *db_copy_text(sqlite3_stmt *rows, int column);

/* How many rows the last INSERT, UPDATE or DELETE wrote. */
int db_changes(struct db *db);

/* The row id of the last INSERT. */
int64_t db_last_row(struct db *db);

#endif
