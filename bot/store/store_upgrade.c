#include "bot/store/store_upgrade.h"

#include <stdlib.h>

#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"
#include "bot/store/store_sealed.h"

enum {
    OLDEST = 9
};

_Static_assert(STORE_FORMAT == 15, "the steps lead to it");

/* ---- steps --------------------------------------------------------------- */

/* What is done to stores of some formats; a step without SQL is the end. */
struct step {
    int first, last;
    const char *sql;
};

/* Before the tables of today are made: what is renamed keeps its rows, and of
 * what becomes another table the old one is put aside.  Indices are made
 * anew. */
static const struct step before[] = {
    /* formats 9 and 10 had other names */
    {9, 10,
     "ALTER TABLE kept RENAME TO deferred;"
     "ALTER TABLE deferred RENAME COLUMN n TO number;"
     "ALTER TABLE deferred RENAME COLUMN talk TO dm;"
     "ALTER TABLE look RENAME TO operator_look;"
     "ALTER TABLE operator_look RENAME COLUMN n TO number;"
     "ALTER TABLE note RENAME TO adapter_state;"
     "ALTER TABLE post RENAME COLUMN words TO fingerprint;"
     "ALTER TABLE talk RENAME TO dm;"
     "DROP INDEX talk_place;"
     "DROP INDEX letter_open;"
     "DROP INDEX letter_once;"
     "DROP INDEX letter_sent;"
     "DROP INDEX letter_status"},
    {10, 10,
     "DROP INDEX letter_calls;"
     "DROP INDEX letter_veiled;"
     "ALTER TABLE letter RENAME TO message;"
     "ALTER TABLE message RENAME COLUMN rings TO pings;"
     "ALTER TABLE message RENAME COLUMN queued TO unapproved;"
     "ALTER TABLE message RENAME COLUMN fate TO delivery"},
    /* tables of format 9 lacked columns */
    {9, 9,
     "ALTER TABLE letter RENAME TO letter_9;"
     "ALTER TABLE feed RENAME TO feed_9;"
     "ALTER TABLE dm ADD COLUMN proof BLOB NOT NULL DEFAULT x''"},
    /* formats 12 to 14 had outlines of games, and the ones before lacked
       columns */
    {9, 14,
     "DROP INDEX IF EXISTS game_thread;"
     "DROP INDEX IF EXISTS game_ended;"
     "ALTER TABLE game RENAME TO game_old"},
    /* each post had the names of its service and its place */
    {9, 13,
     "DROP INDEX IF EXISTS post_id;"
     "ALTER TABLE post RENAME TO post_old"},
    /* that somebody had left their DM was a DM of "left" and their id */
    {9, 14,
     "DROP INDEX IF EXISTS dm_place;"
     "ALTER TABLE dm RENAME TO dm_old;"
     "DROP TABLE IF EXISTS result"},
    {0},
};

/* A part of a name, as PART in store_sealed.h. */
#define PART_SQL(what, column)                                                 \
    "||'" what "'||length(CAST(ifnull(" column                                 \
    ", '') AS BLOB))||':'||ifnull(" column ", '')"
#define MESSAGE                                                                \
    "id||', kind '||kind" PART_SQL(", to ", "user") PART_SQL(", at ", "place") \
        PART_SQL(", in ", "thread") PART_SQL(", on ", "post")                  \
            PART_SQL(" in ", "post_place")
#define DELIVERY "id||', '" PART_SQL("at ", "place") PART_SQL(", in ", "thread")
#define DM                                                                     \
    PART_SQL(", at ", "service")                                               \
    PART_SQL(", of ", "user") PART_SQL(", in ", "place")

/* Then the rows are copied; resealed(old, new, value) is what is sealed for an
 * old name, sealed for a new one.  A state of 3 in format 9: refused, and never
 * tried again; such messages wait again.  Each keeps its key, which began with
 * the store's id.  The numbers of messages go on, because none may be used
 * again. */
static const struct step after[] = {
    {9, 9,
     "INSERT INTO game(id, place, thread, over, held, rows)"
     " SELECT id, place, thread, over, held,"
     " (SELECT count(*) FROM journal WHERE journal.game = game_old.id)"
     " FROM game_old ORDER BY length(id), id;"
     "INSERT INTO feed(service, name, cursor, read)"
     " SELECT service, name, cursor, read FROM feed_9;"
     "INSERT INTO message(id, batch, game, place, thread, kind, state, text,"
     " user, post, post_place, pings, once, waits, not_after, written, picture,"
     " report, sent, changed, key, refused_at)"
     " SELECT id, batch, game, place, thread, kind,"
     " CASE state WHEN 3 THEN 0 ELSE state END, text, user, post, post_place,"
     " rings, once, waits, not_after, written, picture, report, sent, changed,"
     " (SELECT host.id FROM host) || '.' || id,"
     " CASE state WHEN 3 THEN written ELSE 0 END FROM letter_9;"
     "INSERT INTO sqlite_sequence(name, seq)"
     " SELECT 'message', seq FROM sqlite_sequence WHERE name = 'letter_9'"
     " AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'message');"
     "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence"
     " WHERE name IN ('message', 'letter_9')) WHERE name = 'message';"
     "DROP TABLE letter_9;"
     "DROP TABLE feed_9;"
     "UPDATE message SET text = resealed('letter '||id, 'message '||" MESSAGE
     ", text) WHERE text IS NOT NULL;"
     "UPDATE dm_old SET proof = resealed(NULL, 'DM'" DM ", proof)"},
    {10, 10,
     "INSERT INTO game(id, place, thread, over, held, rows, ended)"
     " SELECT id, place, thread, over, held, rows, ended"
     " FROM game_old ORDER BY length(id), id;"
     "UPDATE message SET text = resealed('letter '||" MESSAGE
     ", 'message '||" MESSAGE ", text) WHERE text IS NOT NULL;"
     "UPDATE message SET delivery = resealed('what became of letter '||" DELIVERY
     ", 'the delivery of message '||" DELIVERY ", delivery)"
     " WHERE delivery IS NOT NULL;"
     "UPDATE dm_old SET proof = resealed('private talk'" DM ", 'DM'" DM
     ", proof)"},
    {9, 10,
     "UPDATE deferred SET body ="
     " resealed('kept post '||number, 'deferred post '||number, body);"
     "UPDATE adapter_state SET value = resealed(service||': the note '||key,"
     " service||': the adapter state '||key, value)"},
    {11, 14,
     "INSERT INTO game(number, id, place, thread, over, held, rows, ended,"
     " round, ending)"
     " SELECT number, id, place, thread, over, held, rows, ended, round, ending"
     " FROM game_old ORDER BY number"},
    {9, 14, "DROP TABLE game_old"},
    {9, 13,
     "INSERT INTO post_place(service, place)"
     " SELECT DISTINCT service, place FROM post_old;"
     "INSERT INTO post(place, id, author, stamp, verdict, fingerprint)"
     " SELECT number, id, author, stamp, verdict, fingerprint"
     " FROM post_old JOIN post_place USING (service, place) ORDER BY stamp;"
     "DROP TABLE post_old"},
    /* a post that waited for approval was a post of "pending" and its id, and a
       note was an attempt that was never made */
    {9, 14,
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

static enum err
run_steps(struct db *db, int format, const struct step *step, struct buf *why)
{
    enum err err = ERR_NONE;
    for (; err == ERR_NONE && step->sql != NULL; step++) {
        if (format >= step->first && format <= step->last) {
            err = db_make(db, step->sql, why);
        }
    }
    return err;
}

/* Seal a value for its new name, in the same length; without an old name,
 * nothing.  One that can't be opened stays as it is: it could not be read
 * before either, and whoever reads it is told. */
static void
reseal(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct store *store = sqlite3_user_data(context);
    const char *old = (const char *)sqlite3_value_text(values[0]);
    const char *new = (const char *)sqlite3_value_text(values[1]);
    const void *sealed = sqlite3_value_blob(values[2]);
    size_t len = (size_t)sqlite3_value_bytes(values[2]);
    struct buf value = BUF_INIT;
    struct buf resealed = BUF_INIT;
    (void)count;
    if (old == NULL) {
        resealed = store_seal(store, "", 0, 0, "%s", new);
    } else if (seal_take(store->seal, old, sealed, len, &value, NULL) ==
               ERR_NONE) {
        resealed = store_seal(store, buf_text(&value), value.len,
                              len - SEAL_LONGER, "%s", new);
    } else {
        buf_add(&resealed, sealed, len);
    }
    sqlite3_result_blob(context, buf_text(&resealed), (int)resealed.len,
                        SQLITE_TRANSIENT);
    buf_wipe(&value);
    buf_release(&resealed);
}

/* ---- the store ----------------------------------------------------------- */

/* Copy the store, and rebuild it in one transaction. */
static enum err
rebuild(struct store *store, struct db *db, int format, const char *copy,
        struct buf *why)
{
    enum err err = db_copy(db, copy, why);
    if (err == ERR_NONE) {
        err = db_add_function(db, "resealed", 3, reseal, store, why);
    }
    if (err == ERR_NONE) {
        err = db_begin(db, why);
    }
    if (err == ERR_NONE) {
        err = run_steps(db, format, before, why);
    }
    if (err == ERR_NONE) {
        err = db_make(db, bot_store_schema_sql, why);
    }
    if (err == ERR_NONE) {
        err = run_steps(db, format, after, why);
    }
    if (err == ERR_NONE) {
        err = db_run(db, why, "PRAGMA user_version = 15", "");
    }
    if (err == ERR_NONE) {
        err = db_commit(db, why);
    }
    db_rollback(db); /* after a commit this does nothing */
    return err;
}

bool
store_can_upgrade(int format)
{
    return format >= OLDEST && format < STORE_FORMAT;
}

enum err
store_upgrade(struct store *store, const char *path, int format,
              struct buf *why)
{
    struct db *db = NULL;
    struct buf copy = BUF_INIT;
    buf_addf(&copy, "%s.format-%d", path, format);
    enum err err = db_open(path, DB_CREATE, format, "", &db, why);
    if (err == ERR_NONE) {
        err = rebuild(store, db, format, buf_text(&copy), why);
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

/* Put a game away, and note how it ended, which earlier formats did not tell.
 */
static enum err
upgrade_game(struct store *store, const char *game, bool told, struct buf *why)
{
    struct table table;
    struct buf trouble = BUF_INIT;
    table_init(&table);
    enum err err = recover_table(store, game, &table, &trouble);
    bool replayed = err == ERR_NONE;
    err = store_pass_over(err, &trouble, why);
    if (replayed && !told) {
        err =
            db_run(store->db, why,
                   "UPDATE game SET round = ?, ending = ? WHERE id = ?", "iit",
                   (int64_t)table.game.round, (int64_t)table.game.ending, game);
    }
    if (err == ERR_NONE && replayed && !told) {
        err = store_put_away(store, game, table.thread, why);
    }
    if (err == ERR_NONE) {
        err = store_save_result(store, game, replayed ? &table : NULL, why);
    }
    table_release(&table);
    return err;
}

enum err
store_upgrade_games(struct store *store, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = store_begin(store, why);
    if (err == ERR_NONE) { /* sorted, so that it is read before rows change */
        err = db_query(store->db, why, &rows,
                       "SELECT id, ending FROM game WHERE over = 1"
                       " ORDER BY +number",
                       "");
    }
    while (db_next(store->db, rows, &err, why)) {
        err = upgrade_game(store, db_text(rows, 0), db_int(rows, 1) != -1, why);
    }
    if (err == ERR_NONE) {
        return store_commit(store, why);
    }
    store_rollback(store);
    return err;
}
