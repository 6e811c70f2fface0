/* Is a store whole, and can its games be replayed? */
#include <stdlib.h>

#include "bot/store/recover.h"
#include "bot/store/store_inner.h"

/* ---- the schema ---------------------------------------------------------- */

/* SQLite keeps the text of a table as it was made, but for renamings, which
 * leave quotation marks.  We may not know a table of a later version, but a
 * trigger or a view is never ours. */
static const char not_ours[] =
    "WITH schema(ours) AS (SELECT replace(replace(replace(?,"
    " 'IF NOT EXISTS', ''), ' ', ''), char(10), '')),"
    " part AS (SELECT type, name, upper(type) || name ||"
    " iif(type = 'table', '(', 'ON') AS begins,"
    " replace(replace(replace(sql, '\"', ''), ' ', ''), char(10), '') AS plain"
    " FROM sqlite_schema WHERE sql IS NOT NULL)"
    " SELECT 'the ' || type || ' \"' || name || '\" in it is not placard''s,"
    " and may change what is saved' FROM part, schema"
    " WHERE type IN ('trigger', 'view')"
    " OR instr(ours, begins) > 0 AND instr(ours, plain) = 0";

/* The store lists its tables, so that one that is new in this version can be
 * told from one that is gone.  An earlier version has no such list. */
static const char gone[] =
    "SELECT 'its table \"' || name || '\" is missing' FROM made"
    " WHERE name NOT IN (SELECT name FROM sqlite_schema)";

enum err
store_check_schema(struct db *db, const char *path, struct buf *why)
{
    struct buf wrong = BUF_INIT;
    bool listed = false;
    enum err err =
        db_row(db, why, NULL, not_ours, "t>t", bot_store_schema_sql, &wrong);
    if (err == ERR_NONE && wrong.len == 0) {
        err = db_row(db, why, &listed,
                     "SELECT 1 FROM sqlite_schema WHERE name = 'made'", "");
    }
    if (err == ERR_NONE && listed) {
        err = db_row(db, why, NULL, gone, ">t", &wrong);
    }
    if (err == ERR_NONE && wrong.len > 0) {
        err = err_say(why, ERR_GARBLED,
                      "%s: %s; restore the store from a backup, or take out a "
                      "trigger or a view by sqlite3's DROP",
                      path, buf_text(&wrong));
    }
    buf_release(&wrong);
    return err;
}

/* ---- rows ---------------------------------------------------------------- */

/* Append how many rows of a table have values of other types than their
 * columns, or don't fulfil a condition, and which is the first; nothing if
 * there are none. */
static enum err
add_odd(struct db *db, const char *table, const char *key, const char *fits,
        struct buf *odd, struct buf *why)
{
    struct buf sql = BUF_INIT;
    bool there = false; /* not in a store of before it */
    buf_addf(&sql,
             "SELECT count(*) || ' (the first: ' || substr(min(%s), 1, 80)"
             " || ')' FROM %s WHERE (%s AND ",
             key, table, fits);
    enum err err = db_row(
        db, why, &there,
        "SELECT group_concat('typeof(' || name || ') IN (' || quote(CASE type"
        " WHEN 'INTEGER' THEN 'integer' WHEN 'TEXT' THEN 'text' ELSE 'blob'"
        " END) || iif(\"notnull\", '', ',' || quote('null')) || ')', ' AND ')"
        " FROM pragma_table_info(?) HAVING count(*) > 0",
        "t>t", table, &sql);
    buf_add_text(&sql, ") IS NOT TRUE HAVING count(*) > 0");
    if (err == ERR_NONE && there) {
        err = db_row(db, why, NULL, buf_text(&sql), ">t", odd);
    }
    buf_release(&sql);
    return err;
}

enum err
store_check_rows(struct store *store,
                 void (*each)(void *context, const char *game,
                              const char *trouble),
                 void *context, struct buf *why)
{
    /* What is read at the start. */
    static const struct {
        const char *table, *key, *fits;
    } tables[] = {
        {"game", "id", GAME_FITS},
        {"message", "id", MESSAGE_FITS},
        {"deferred", "number", DEFERRED_FITS},
        {"feed", "name", "read >= -1"},
        {"reading", "service", "read >= 0"},
        {"member", "user", "number > 0"},
        {"dm", "user", "1"},
        {"adapter_state", "key", "1"},
        {"operator_look", "game", "1"},
        {"attempt", "what", "count >= 0"},
        {"forgotten", "mark", "1"},
    };
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < sizeof tables / sizeof tables[0];
         i++) {
        struct buf odd = BUF_INIT;
        struct buf trouble = BUF_INIT;
        err = add_odd(store->db, tables[i].table, tables[i].key, tables[i].fits,
                      &odd, why);
        if (odd.len > 0) {
            buf_addf(&trouble,
                     "the store's table \"%s\" has rows that can't be right, "
                     "and are left out: %s; restore the store from a backup",
                     tables[i].table, buf_text(&odd));
            each(context, "", buf_text(&trouble));
        }
        buf_release(&odd);
        buf_release(&trouble);
    }
    return err;
}

#define ODD_MESSAGES "FROM message WHERE " MESSAGE_FITS " IS NOT TRUE"

enum err
store_check_messages(struct store *store, const char *game, struct buf *why)
{
    int64_t id = 0;
    bool odd = false;
    enum err err = db_row(store->db, why, &odd,
                          "SELECT id " ODD_MESSAGES " AND game = ?1 AND EXISTS"
                          " (SELECT 1 FROM game WHERE id = ?1 AND over = 0)",
                          "t>i", game, &id);
    return err != ERR_NONE || !odd
               ? err
               : err_say(why, ERR_GARBLED,
                         "game %s: row %lld of the table \"message\" can't be "
                         "right, so the game is on hold; restore the store "
                         "from a backup",
                         game, (long long)id);
}

enum err
store_doubt_games(struct store *store, struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE game SET outline = NULL WHERE outline IS NOT NULL"
                  " AND id IN (SELECT game " ODD_MESSAGES ")",
                  "");
}

/* ---- a whole store ------------------------------------------------------- */

struct checking {
    const struct store_check *check;
    struct store *store;
    struct table *table; /* to replay on */
    unsigned count;
};

/* A game that is held was reported before, and a host passes over it. */
static enum err
check_game(void *context, const struct store_game *game, struct buf *why)
{
    struct checking *checking = context;
    const struct store_check *check = checking->check;
    struct buf trouble = BUF_INIT;
    if (game->over || game->held) {
        return ERR_NONE;
    }
    if (check->stop != NULL && atomic_load(check->stop)) {
        return err_say(why, ERR_LATER, "%s: the check was stopped",
                       check->path);
    }
    checking->count++;
    enum err err =
        recover_table(checking->store, game->id, checking->table, &trouble);
    if (err == ERR_GARBLED || err == ERR_DENIED) {
        check->each(check->context, game->id, buf_text(&trouble));
        err = ERR_NONE;
    } else {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

static void
stop_when(struct db *db, const struct store_check *check)
{
    if (check->stop != NULL) {
        db_stop_when(db, check->stop);
    }
}

/* A connection that could write is needed: with one that can only read, SQLite
 * 3.40's integrity_check leaves out the CHECKs. */
static enum err
check_file(const struct store_check *check, struct buf *why)
{
    struct db *db = NULL;
    enum err err = store_open_db(check->path, DB_WRITE, &db, why);
    if (err == ERR_NONE) {
        stop_when(db, check);
        err = db_check(db, why);
        if (err == ERR_NONE) {
            err = store_check_schema(db, check->path, why);
        }
        db_close(db);
    }
    return err;
}

static enum err
check_games(struct checking *checking, struct buf *why)
{
    const struct store_check *check = checking->check;
    enum err err = store_open(check->path, check->key_file, STORE_READ,
                              &checking->store, why);
    if (err == ERR_NONE) {
        stop_when(checking->store->db, check);
        err =
            store_check_rows(checking->store, check->each, check->context, why);
        if (err == ERR_NONE) {
            err = store_games(checking->store, check_game, checking, why);
        }
        store_close(checking->store);
    }
    return err;
}

enum err
store_check(const struct store_check *check, unsigned *count, struct buf *why)
{
    struct checking checking = {.check = check};
    checking.table = must_alloc(sizeof *checking.table);
    enum err err = check_file(check, why);
    if (err == ERR_NONE) {
        err = check_games(&checking, why);
    }
    *count = checking.count;
    wipe(checking.table, sizeof *checking.table);
    free(checking.table);
    return err;
}
