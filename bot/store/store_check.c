/* Is a store whole, and can its games be replayed? */
#include <stdlib.h>

#include "bot/store/recover.h"
#include "bot/store/store_inner.h"

/* ---- rows ---------------------------------------------------------------- */

/* A query that tells how many rows of each table have values of other types
 * than its columns. */
static const char odd_rows[] =
    "SELECT group_concat(query, ' UNION ALL ') FROM (SELECT 'SELECT ''rows of"
    " the table \"' || t.name || '\" that no host has written: '' || count(*)"
    " || ''; restore the store from a backup'' FROM ' || t.name || ' WHERE ' ||"
    " group_concat('typeof(' || c.name || ') NOT IN (''' || CASE"
    " WHEN c.type LIKE '%BLOB' THEN 'blob' WHEN c.type = 'TEXT' THEN 'text'"
    " ELSE 'integer' END || CASE c.\"notnull\" WHEN 0 THEN ''',''null'')'"
    " ELSE ''')' END, ' OR ') || ' GROUP BY ''''' AS query"
    " FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'"
    " AND t.name NOT LIKE 'sqlite%' GROUP BY t.name)";

/* Such rows end no host, which reads what it can of them. */
static enum err
check_rows(const struct store_check *check, struct db *db, struct buf *why)
{
    struct buf query = BUF_INIT;
    (void)db_row(db, odd_rows, ">t", &query);
    sqlite3_stmt *odd = db_query(db, buf_text(&query), "");
    while (db_next(db, odd)) {
        check->each(check->context, "", db_text(odd, 0));
    }
    buf_release(&query);
    return db_err(db, why);
}

/* ---- a whole store ------------------------------------------------------- */

static enum err
check_game(const struct store_check *check, struct store *store,
           const char *game, struct table *table, struct buf *why)
{
    struct buf trouble = BUF_INIT;
    if (check->stop != NULL && atomic_load(check->stop)) {
        return err_say(why, ERR_LATER, "%s: the check was stopped",
                       check->path);
    }
    enum err err = recover_table(store, game, table, &trouble);
    if (err == ERR_GARBLED || err == ERR_DENIED) {
        check->each(check->context, game, buf_text(&trouble));
        err = ERR_NONE;
    } else {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

/* A game that is held was reported before, and a host passes over it. */
static enum err
check_games(const struct store_check *check, unsigned *count, struct buf *why)
{
    struct store *store = NULL;
    struct table table; /* to replay on */
    enum err err =
        store_open(check->path, check->key_file, STORE_READ, &store, why);
    if (err != ERR_NONE) {
        return err;
    }
    table_init(&table);
    db_stop_when(store->db, check->stop);
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT id FROM game WHERE over = 0 AND held = 0"
                 " AND " GAME_READ " ORDER BY number",
                 "");
    while (err == ERR_NONE && db_next(store->db, rows)) {
        ++*count;
        err = check_game(check, store, db_text(rows, 0), &table, why);
    }
    err = db_end(store->db, rows, err, why);
    table_release(&table);
    store_close(store);
    return err;
}

/* A connection that could write is needed: with one that can only read, SQLite
 * 3.40's integrity_check leaves out the CHECKs. */
static enum err
check_file(const struct store_check *check, struct buf *why)
{
    struct db *db = NULL;
    enum err err = store_open_db(check->path, DB_WRITE, &db, why);
    if (err == ERR_NONE) {
        db_stop_when(db, check->stop);
        err = db_check(db, why);
        ERR_THEN(err, store_check_schema(db, check->path, why));
        ERR_THEN(err, check_rows(check, db, why));
        db_close(db);
    }
    return err;
}

enum err
store_check(const struct store_check *check, unsigned *count, struct buf *why)
{
    *count = 0;
    enum err err = check_file(check, why);
    return err == ERR_NONE && check->key_file != NULL
               ? check_games(check, count, why)
               : err;
}
