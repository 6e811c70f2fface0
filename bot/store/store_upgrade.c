#include "bot/store/store_upgrade.h"

#include <stdlib.h>

#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"

enum {
    OLDEST = 13
};

_Static_assert(STORE_FORMAT == 15, "the steps lead to it");

/* ---- steps --------------------------------------------------------------- */

/* What is done to stores of some formats, up to the last; a step without SQL is
 * the end. */
struct step {
    int last;
    const char *sql;
};

/* Before the tables of today are made: what is to become another table is put
 * aside.  Indices are made anew. */
static const struct step before[] = {
    /* games had outlines; that somebody had left their DM was a DM of "left"
       and their id */
    {14, "DROP INDEX IF EXISTS game_thread;"
         "DROP INDEX IF EXISTS game_ended;"
         "ALTER TABLE game RENAME TO game_old;"
         "DROP INDEX IF EXISTS dm_place;"
         "ALTER TABLE dm RENAME TO dm_old;"
         "DROP TABLE IF EXISTS result"},
    /* each post had the names of its service and its place */
    {13, "DROP INDEX IF EXISTS post_id;"
         "ALTER TABLE post RENAME TO post_old"},
    {0},
};

/* Then the rows are copied. */
static const struct step after[] = {
    {14, "INSERT INTO game(number, id, place, thread, over, held, rows, ended,"
         " round, ending)"
         " SELECT number, id, place, thread, over, held, rows, ended, round,"
         " ending FROM game_old ORDER BY number;"
         "DROP TABLE game_old"},
    {13, "INSERT INTO post_place(service, place)"
         " SELECT DISTINCT service, place FROM post_old;"
         "INSERT INTO post(place, id, author, stamp, verdict, fingerprint)"
         " SELECT number, id, author, stamp, verdict, fingerprint"
         " FROM post_old JOIN post_place USING (service, place)"
         " ORDER BY stamp;"
         "DROP TABLE post_old"},
    /* a post that waited for approval was a post of "pending" and its id, and a
       note was an attempt that was never made */
    {14,
     "INSERT INTO dm(service, user, place, proof, absent)"
     " SELECT service, user, place, proof, place <> '' AND EXISTS"
     " (SELECT 1 FROM dm_old AS left WHERE left.service = dm_old.service"
     " AND left.user = 'left ' || dm_old.user AND left.place = dm_old.place)"
     " FROM dm_old WHERE user NOT LIKE 'left %';"
     "DROP TABLE dm_old;"
     "INSERT INTO note(kind, about, text)"
     " SELECT rtrim(substr(what, 1, instr(what || ' ', ' '))),"
     " substr(what, instr(what || ' ', ' ') + 1), at"
     " FROM attempt WHERE count = 0;"
     "DELETE FROM attempt WHERE count = 0;"
     "INSERT INTO pending_post(place, id, author, stamp)"
     " SELECT place, substr(id, 9), author, stamp FROM post"
     " WHERE id LIKE 'pending %';"
     "DELETE FROM post WHERE id LIKE 'pending %'"},
    {0},
};

static void
run_steps(struct db *db, int format, const struct step *step)
{
    for (; step->sql != NULL; step++) {
        if (format <= step->last) {
            db_make(db, step->sql);
        }
    }
}

/* ---- the store ----------------------------------------------------------- */

/* Copy the store, and rebuild it in one transaction. */
static enum err
rebuild(struct db *db, int format, const char *copy, struct buf *why)
{
    enum err err = db_copy(db, copy, why);
    if (err == ERR_NONE) {
        db_begin(db);
        run_steps(db, format, before);
        db_make(db, bot_store_schema_sql);
        run_steps(db, format, after);
        db_run(db, "PRAGMA user_version = 15", "");
        db_commit(db);
        err = db_err(db, why);
        db_rollback(db); /* after a commit this does nothing */
    }
    return err;
}

bool
store_can_upgrade(int format)
{
    return format >= OLDEST && format < STORE_FORMAT;
}

enum err
store_upgrade(const char *path, int format, struct buf *why)
{
    struct db *db = NULL;
    struct buf copy = BUF_INIT;
    buf_addf(&copy, "%s.format-%d", path, format);
    enum err err = db_open(path, DB_CREATE, format, "", &db, why);
    if (err == ERR_NONE) {
        err = rebuild(db, format, buf_text(&copy), why);
        db_close(db);
    }
    if (err == ERR_NONE) {
        log_line(LOG_LEVEL_INFO,
                 "%s: rebuilt in format %d; it is kept as it was, of format "
                 "%d, in %s",
                 path, STORE_FORMAT, format, buf_text(&copy));
    }
    buf_release(&copy);
    return err;
}

/* ---- games that were over ------------------------------------------------ */

/* Save what came of a game, which format 14 did not tell. */
static void
upgrade_game(struct store *store, const char *game)
{
    struct table table;
    struct buf trouble = BUF_INIT;
    table_init(&table);
    enum err err = recover_table(store, game, &table, &trouble);
    store_pass_over(store, err, &trouble);
    store_save_result(store, game, err == ERR_NONE ? &table : NULL);
    table_release(&table);
}

enum err
store_upgrade_games(struct store *store, struct buf *why)
{
    store_begin(store); /* sorted, so that it is read before rows change */
    sqlite3_stmt *rows = db_query(
        store->db, "SELECT id FROM game WHERE over = 1 ORDER BY +number", "");
    while (db_next(store->db, rows)) {
        upgrade_game(store, db_text(rows, 0));
    }
    store_commit(store);
    enum err err = store_err(store, why);
    store_rollback(store); /* after a commit this does nothing */
    return err;
}
