/* Transactions, and statements: what they are given, and the rows they find. */
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/db.h"
#include "bot/base/db_inner.h"

/* ---- transactions -------------------------------------------------------- */

/* In WAL mode a commit is synced with FULL, and not with NORMAL
 * (sqlite.org/pragma.html, "synchronous"); that can't be changed within a
 * transaction. */
static void
set_unsynced(struct db *db, bool unsynced)
{
    if (db->err == ERR_NONE && db->unsynced != unsynced) {
        db->unsynced = unsynced;
        db_run(db,
               unsynced ? "PRAGMA synchronous = NORMAL"
                        : "PRAGMA synchronous = FULL",
               "");
    }
}

/* Begin a transaction, unless that of what is gathered is under way. */
static void
begin(struct db *db, bool unsynced)
{
    bool gathers = db->gathers;

    if (db->err != ERR_NONE ||
        (gathers && !sqlite3_get_autocommit(db->handle))) {
        return;
    }
    assert(sqlite3_get_autocommit(db->handle));
    db->gathers = false;
    set_unsynced(db, unsynced || gathers);
    db_run(db, "BEGIN IMMEDIATE", "");
    db->gathers = gathers;
}

void
db_begin_unsynced(struct db *db)
{
    begin(db, true);
}

void
db_begin(struct db *db)
{
    begin(db, false);
}

void
db_commit(struct db *db)
{
    if (!db->gathers) {
        db_run(db, "COMMIT", "");
        set_unsynced(db, false);
    }
}

void
db_rollback(struct db *db)
{
    db->gathers = false;
    db->err = ERR_NONE;
    buf_clear(&db->why);
    /* After some errors SQLite has rolled back by itself. */
    if (!sqlite3_get_autocommit(db->handle)) {
        db_run(db, "ROLLBACK", "");
    }
    set_unsynced(db, false);
    if (db->err != ERR_NONE) {
        die("%s", buf_text(&db->why));
    }
}

/* ---- what is gathered ---------------------------------------------------- */

void
db_gather(struct db *db)
{
    assert(!db->gathers && sqlite3_get_autocommit(db->handle));
    db->gathers = true;
}

/* A commit has written it all into the WAL: what is missing is the sync. */
static void
sync_wal(struct db *db)
{
    sqlite3_file *file = NULL;
    int code = sqlite3_file_control(db->handle, "main",
                                    SQLITE_FCNTL_JOURNAL_POINTER, &file);

    if (code == SQLITE_OK && file->pMethods != NULL) {
        errno = 0;
        code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    }
    db_note(db, code);
}

/* Commit what was gathered, if anything; did it write? */
static bool
commit_gathered(struct db *db)
{
    bool wrote = db->err == ERR_NONE && !sqlite3_get_autocommit(db->handle);

    db->gathers = false;
    if (wrote) {
        db_run(db, "COMMIT", "");
    }
    return wrote && db->err == ERR_NONE;
}

void
db_flush(struct db *db, bool synced)
{
    assert(db->gathers || db->err != ERR_NONE);
    if (commit_gathered(db) && synced) {
        sync_wal(db);
    }
}

void
db_save(struct db *db)
{
    bool gathers = db->gathers;

    if (gathers) {
        (void)commit_gathered(db);
        db->gathers = true;
    }
}

/* ---- failures ------------------------------------------------------------ */

void
db_note(struct db *db, int code)
{
    if (code != SQLITE_OK && db->err == ERR_NONE) {
        db->err = db_fail(db, code, &db->why);
    }
}

void
db_keep(struct db *db, enum err err, const struct buf *why)
{
    if (db->err == ERR_NONE) {
        db->err = err;
        buf_add_buf(&db->why, why);
    }
}

enum err
db_err(const struct db *db, struct buf *why)
{
    if (db->err != ERR_NONE && why != NULL) {
        buf_add_buf(why, &db->why);
    }
    return db->err;
}

/* ---- statements ---------------------------------------------------------- */

/* A statement that has been prepared, and is free; NULL: none.  Most texts come
 * from where they came the last time; `alike`: look for one from elsewhere. */
static struct statement *
find_statement(const struct db *db, const char *sql, bool alike)
{
    for (size_t i = 0; i < db->count; i++) {
        struct statement *known = &db->statements[i];
        if ((alike || known->from == sql) && strcmp(known->sql, sql) == 0 &&
            !sqlite3_stmt_busy(known->handle)) {
            return known;
        }
    }
    return NULL;
}

/* The prepared statement of a text, from an earlier use if it is free; NULL:
 * it failed. */
static sqlite3_stmt *
prepare(struct db *db, const char *sql)
{
    struct statement *known = find_statement(db, sql, false);
    sqlite3_stmt *statement = NULL;
    const char *rest;

    known = known != NULL ? known : find_statement(db, sql, true);
    if (known != NULL) {
        known->from = sql;
        return known->handle;
    }
    errno = 0;
    int code = sqlite3_prepare_v3(db->handle, sql, -1,
                                  SQLITE_PREPARE_PERSISTENT, &statement, &rest);
    db_note(db, code);
    if (code != SQLITE_OK) {
        return NULL;
    }
    assert(statement != NULL && *rest == '\0');
    db->statements =
        must_grow(db->statements, (db->count + 1) * sizeof(*db->statements));
    db->statements[db->count++] = (struct statement){
        .sql = must_copy(sql), .from = sql, .handle = statement};
    return statement;
}

/* The letters of a statement's columns, which follow those of its arguments. */
static const char *
column_types(const char *types)
{
    const char *end = strchr(types, '>');

    return end == NULL ? "" : end + 1;
}

/* `args` is a pointer, because the arguments of the columns are read after
 * this.  `keep`: what SQLite does with texts and bytes.  A null is bound where
 * there are none. */
static int
bind_all(sqlite3_stmt *statement, const char *types, va_list *args,
         sqlite3_destructor_type keep)
{
    int code = SQLITE_OK;
    int count = (int)strcspn(types, ">");

    assert(count == sqlite3_bind_parameter_count(statement));
    for (int i = 1; i <= count && code == SQLITE_OK; i++, types++) {
        const void *bytes;
        switch (*types) {
        case 'i':
            code = sqlite3_bind_int64(statement, i, va_arg(*args, int64_t));
            break;
        case 't':
            code = sqlite3_bind_text(statement, i, va_arg(*args, const char *),
                                     -1, keep);
            break;
        case 'b':
            bytes = va_arg(*args, const void *);
            code = sqlite3_bind_blob64(statement, i, bytes,
                                       va_arg(*args, size_t), keep);
            break;
        default:
            die("db: no type has the letter %c", *types);
        }
    }
    return code;
}

/* NULL: it failed. */
static sqlite3_stmt *
begin_query(struct db *db, const char *sql, const char *types, va_list *args,
            sqlite3_destructor_type keep)
{
    sqlite3_stmt *rows = db->err == ERR_NONE ? prepare(db, sql) : NULL;

    if (rows == NULL) {
        return NULL;
    }
    db_note(db, bind_all(rows, types, args, keep));
    if (db->gathers && !sqlite3_stmt_readonly(rows)) {
        /* What writes outside of db_begin and db_commit is gathered, too. */
        begin(db, true);
    }
    if (db->err != ERR_NONE) {
        db_done(rows);
        rows = NULL;
    }
    return rows;
}

void
db_run(struct db *db, const char *sql, const char *types, ...)
{
    va_list args;

    va_start(args, types);
    sqlite3_stmt *rows = begin_query(db, sql, types, &args, SQLITE_STATIC);
    va_end(args);
    while (db_next(db, rows)) {
    }
}

static void
read_columns(sqlite3_stmt *rows, const char *types, va_list *args)
{
    assert((int)strlen(types) <= sqlite3_column_count(rows));
    for (int i = 0; types[i] != '\0'; i++) {
        char *text;
        switch (types[i]) {
        case 'i':
            *va_arg(*args, int64_t *) = db_int(rows, i);
            break;
        case 'n':
            *va_arg(*args, int *) = (int)db_int(rows, i);
            break;
        case 'u':
            *va_arg(*args, unsigned *) = (unsigned)db_int(rows, i);
            break;
        case 'y':
            *va_arg(*args, bool *) = db_int(rows, i) != 0;
            break;
        case 't':
            buf_add_text(va_arg(*args, struct buf *), db_text(rows, i));
            break;
        case 's':
            text = va_arg(*args, char *);
            (void)snprintf(text, va_arg(*args, size_t), "%s", db_text(rows, i));
            break;
        case 'o':
            *va_arg(*args, char **) = must_copy(db_text(rows, i));
            break;
        default:
            die("db: no column has the letter %c", types[i]);
        }
    }
}

void
db_read(sqlite3_stmt *rows, const char *types, ...)
{
    va_list args;

    va_start(args, types);
    read_columns(rows, types, &args);
    va_end(args);
}

bool
db_row(struct db *db, const char *sql, const char *types, ...)
{
    va_list args;

    va_start(args, types);
    sqlite3_stmt *rows = begin_query(db, sql, types, &args, SQLITE_STATIC);
    bool there = db_next(db, rows);
    if (there) {
        read_columns(rows, column_types(types), &args);
        /* What a statement writes is committed when it ends. */
        if (db_next(db, rows)) {
            db_done(rows);
        }
    }
    va_end(args);
    return there;
}

sqlite3_stmt *
db_query(struct db *db, const char *sql, const char *types, ...)
{
    va_list args;

    va_start(args, types);
    /* The caller's texts may be gone when it is stepped. */
    sqlite3_stmt *rows = begin_query(db, sql, types, &args, SQLITE_TRANSIENT);
    va_end(args);
    return rows;
}

bool
db_next(struct db *db, sqlite3_stmt *rows)
{
    int code = SQLITE_DONE;

    if (rows != NULL && db->err == ERR_NONE) {
        errno = 0;
        code = sqlite3_step(rows);
    }
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code != SQLITE_DONE) {
        db_note(db, code);
    }
    if (rows != NULL) {
        db_done(rows);
    }
    return false;
}

enum err
db_end(struct db *db, sqlite3_stmt *rows, enum err err, struct buf *why)
{
    if (err != ERR_NONE) {
        db_done(rows);
        return err;
    }
    err = db_err(db, why);
    if (rows != NULL) {
        db->err = ERR_NONE;
        buf_clear(&db->why);
    }
    return err;
}

void
db_done(sqlite3_stmt *rows)
{
    sqlite3_reset(rows);
    sqlite3_clear_bindings(rows);
}

const char *
db_text(sqlite3_stmt *rows, int column)
{
    const unsigned char *text = sqlite3_column_text(rows, column);

    return text == NULL ? "" : (const char *)text;
}

char *
db_copy_text(sqlite3_stmt *rows, int column)
{
    return db_is_null(rows, column) ? NULL : must_copy(db_text(rows, column));
}

int64_t
db_int(sqlite3_stmt *rows, int column)
{
    return sqlite3_column_int64(rows, column);
}

bool
db_is_null(sqlite3_stmt *rows, int column)
{
    return sqlite3_column_type(rows, column) == SQLITE_NULL;
}

const void *
db_blob(sqlite3_stmt *rows, int column, size_t *len)
{
    const void *bytes = sqlite3_column_blob(rows, column);

    *len = (size_t)sqlite3_column_bytes(rows, column);
    return bytes == NULL ? "" : bytes;
}

int
db_changes(struct db *db)
{
    return sqlite3_changes(db->handle);
}

int64_t
db_last_row(struct db *db)
{
    return sqlite3_last_insert_rowid(db->handle);
}
