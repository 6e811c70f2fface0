#include "bot/store/store_upgrade.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"

enum {
    OLDEST = 9,
    HELD = 3 /* a state of format 9: refused, and never tried again */
};

/* Format 11 had no outlines. */
static const char *const rename_11[] = {
    "DROP INDEX game_thread",
    "ALTER TABLE game RENAME TO game_old",
};

static const char *const copy_11[] = {
    "INSERT INTO game(number, id, place, thread, over, held, rows, ended,"
    " round, ending)"
    " SELECT number, id, place, thread, over, held, rows, ended, round, ending"
    " FROM game_old ORDER BY number",
    "DROP TABLE game_old",
};

/* In format 12 DMs had no row ids, which their rows are too long for.  Format 9
 * had them in a table of another name. */
static const char *const rename_12[] = {
    "DROP INDEX IF EXISTS dm_place",
    "ALTER TABLE dm RENAME TO dm_old",
};

static const char *const copy_12[] = {
    ("INSERT INTO dm(service, user, place, proof)"
     " SELECT service, user, place, proof FROM dm_old"),
    "DROP TABLE dm_old",
};

/* In format 13 each post had the names of its service and its place. */
static const char *const rename_13[] = {
    "DROP INDEX IF EXISTS post_id",
    "ALTER TABLE post RENAME TO post_old",
};

static const char *const copy_13[] = {
    ("INSERT INTO post_place(service, place)"
     " SELECT DISTINCT service, place FROM post_old"),
    ("INSERT INTO post(place, id, author, stamp, verdict, fingerprint)"
     " SELECT number, id, author, stamp, verdict, fingerprint"
     " FROM post_old JOIN post_place USING (service, place) ORDER BY stamp"),
    "DROP TABLE post_old",
};

/* Formats 9 and 10 had other names.  What is renamed keeps its rows; indices
 * are made anew. */
static const char *const rename_all[] = {
    "ALTER TABLE kept RENAME TO deferred",
    "ALTER TABLE deferred RENAME COLUMN n TO number",
    "ALTER TABLE deferred RENAME COLUMN talk TO dm",
    "ALTER TABLE look RENAME TO operator_look",
    "ALTER TABLE operator_look RENAME COLUMN n TO number",
    "ALTER TABLE note RENAME TO adapter_state",
    "ALTER TABLE post RENAME COLUMN words TO fingerprint",
    "DROP INDEX letter_open",
    "DROP INDEX letter_once",
    "DROP INDEX letter_sent",
    "DROP INDEX letter_status",
    "DROP INDEX talk_place",
    "ALTER TABLE game RENAME TO game_old",
};

static const char *const rename_10[] = {
    "DROP INDEX letter_calls",
    "DROP INDEX letter_veiled",
    "ALTER TABLE letter RENAME TO message",
    "ALTER TABLE message RENAME COLUMN rings TO pings",
    "ALTER TABLE message RENAME COLUMN queued TO unapproved",
    "ALTER TABLE message RENAME COLUMN fate TO delivery",
    "ALTER TABLE talk RENAME TO dm",
};

/* Tables of format 9 that lack columns, as `game` does in both: the new ones
 * get their rows. */
static const char *const rename_9[] = {
    "ALTER TABLE letter RENAME TO letter_9",
    "ALTER TABLE talk RENAME TO talk_9",
    "ALTER TABLE feed RENAME TO feed_9",
};

/* The numbers of messages go on, because none may be used again. */
static const char *const copy_9[] = {
    "INSERT INTO feed(service, name, cursor, read)"
    " SELECT service, name, cursor, read FROM feed_9",
    "INSERT INTO game(id, place, thread, over, held, rows)"
    " SELECT id, place, thread, over, held,"
    " (SELECT count(*) FROM journal WHERE journal.game = game_old.id)"
    " FROM game_old ORDER BY length(id), id",
    "INSERT INTO sqlite_sequence(name, seq)"
    " SELECT 'message', seq FROM sqlite_sequence WHERE name = 'letter_9'"
    " AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'message')",
    "UPDATE sqlite_sequence SET seq ="
    " (SELECT max(seq) FROM sqlite_sequence"
    " WHERE name IN ('message', 'letter_9')) WHERE name = 'message'",
    "DROP TABLE letter_9",
    "DROP TABLE talk_9",
    "DROP TABLE feed_9",
    "DROP TABLE game_old",
};

static const char *const copy_10[] = {
    "INSERT INTO game(id, place, thread, over, held, rows, ended)"
    " SELECT id, place, thread, over, held, rows, ended"
    " FROM game_old ORDER BY length(id), id",
    "DROP TABLE game_old",
};

static enum err
run_each(struct db *db, const char *const *steps, size_t count, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < count; i++) {
        err = db_run(db, why, steps[i], "");
    }
    return err;
}

#define RUN_EACH(db, steps, why)                                               \
    run_each((db), (steps), sizeof(steps) / sizeof(steps)[0], (why))

/* ---- format 9 ------------------------------------------------------------ */

/* A message that was refused waits again; each keeps its key, which began with
 * the store's id. */
static enum err
copy_messages_9(struct db *db, struct buf *why)
{
    return db_run(db, why,
                  "INSERT INTO message(id, batch, game, place, thread, kind,"
                  " state, text, user, post, post_place, pings, once, waits,"
                  " not_after, written, picture, report, sent, changed, key,"
                  " refused_at)"
                  " SELECT id, batch, game, place, thread, kind,"
                  " CASE state WHEN ? THEN 0 ELSE state END, text, user, post,"
                  " post_place, rings, once, waits, not_after, written,"
                  " picture, report, sent, changed,"
                  " (SELECT host.id FROM host) || '.' || id,"
                  " CASE state WHEN ? THEN written ELSE 0 END"
                  " FROM letter_9",
                  "ii", (int64_t)HELD, (int64_t)HELD);
}

static enum err
copy_dms_9(const struct store *store, struct db *db, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err =
        db_query(db, why, &rows, "SELECT service, user, place FROM talk_9", "");
    while (db_next(db, rows, &err, why)) {
        struct buf name = BUF_INIT;
        struct buf proof = BUF_INIT;
        const char *service = db_text(rows, 0);
        const char *user = db_text(rows, 1);
        const char *place = db_text(rows, 2);
        store_name_dm(service, user, place, &name);
        store_seal(store, buf_text(&name), "", 0, 0, &proof);
        err = db_run(db, why,
                     "INSERT INTO dm(service, user, place, proof)"
                     " VALUES(?, ?, ?, ?)",
                     "tttb", service, user, place, proof.data, proof.len);
        buf_release(&name);
        buf_release(&proof);
    }
    return err;
}

static enum err
copy_from_9(const struct store *store, struct db *db, struct buf *why)
{
    enum err err = copy_messages_9(db, why);
    if (err == ERR_NONE) {
        err = copy_dms_9(store, db, why);
    }
    return err == ERR_NONE ? RUN_EACH(db, copy_9, why) : err;
}

/* ---- sealed values ------------------------------------------------------- */

/* A sealed value, and the names that it is sealed for. */
struct resealing {
    struct buf old, new;
    struct buf sealed; /* for the new one */
};

static void
resealing_release(struct resealing *resealing)
{
    buf_release(&resealing->old);
    buf_release(&resealing->new);
    buf_release(&resealing->sealed);
}

/* The old name is the new one with another beginning. */
static void
name_old(struct resealing *resealing, const char *old, const char *new)
{
    buf_addf(&resealing->old, "%s%s", old,
             buf_text(&resealing->new) + strlen(new));
}

/* Seal the value of a column of the current row for its new name, in the same
 * length.  One that can't be opened stays as it is: it could not be read
 * before either, and whoever reads it is told. */
static void
reseal(const struct store *store, sqlite3_stmt *rows, int column,
       struct resealing *resealing)
{
    struct buf value = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    size_t len = 0;
    const void *sealed = db_blob(rows, column, &len);
    if (store_unseal(store, buf_text(&resealing->old), rows, column, &value,
                     &unsaid) == ERR_NONE) {
        store_seal(store, buf_text(&resealing->new), buf_text(&value),
                   value.len, len - SEAL_LONGER, &resealing->sealed);
    } else {
        buf_add(&resealing->sealed, sealed, len);
    }
    buf_wipe(&value);
    buf_release(&unsaid);
}

static enum err
reseal_deliveries(const struct store *store, struct db *db, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(db, why, &rows,
                            "SELECT id, place, thread, delivery FROM message"
                            " WHERE delivery IS NOT NULL ORDER BY id",
                            "");
    while (db_next(db, rows, &err, why)) {
        struct resealing resealing = {.sealed = BUF_INIT};
        struct queued_message queued = {.id = db_int(rows, 0)};
        (void)snprintf(queued.place, sizeof queued.place, "%s",
                       db_text(rows, 1));
        (void)snprintf(queued.thread, sizeof queued.thread, "%s",
                       db_text(rows, 2));
        store_name_delivery(&queued, &resealing.new);
        name_old(&resealing, "what became of letter",
                 "the delivery of message");
        reseal(store, rows, 3, &resealing);
        err = db_run(db, why, "UPDATE message SET delivery = ? WHERE id = ?",
                     "bi", resealing.sealed.data, resealing.sealed.len,
                     queued.id);
        resealing_release(&resealing);
    }
    return err;
}

/* In format 9 a text was sealed for the number alone. */
static void
name_text(const struct queued_message *queued, int format,
          struct resealing *resealing)
{
    store_name_message(queued, &resealing->new);
    if (format == 9) {
        buf_addf(&resealing->old, "letter %lld", (long long)queued->id);
    } else {
        name_old(resealing, "letter", "message");
    }
}

/* The deliveries MUST be sealed anew by then. */
static enum err
reseal_texts(const struct store *store, struct db *db, int format,
             struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(db, why, &rows,
                            "SELECT " QUEUED_COLUMNS " FROM message"
                            " WHERE text IS NOT NULL ORDER BY id",
                            "");
    while (db_next(db, rows, &err, why)) {
        struct resealing resealing = {.sealed = BUF_INIT};
        struct queued_message queued;
        struct buf unsaid = BUF_INIT;
        /* What a text's name needs is read, even if the rest can't be. */
        (void)!store_read_queued(store, rows, &queued, &unsaid);
        name_text(&queued, format, &resealing);
        reseal(store, rows, QUEUED_TEXT, &resealing);
        err = db_run(db, why, "UPDATE message SET text = ? WHERE id = ?", "bi",
                     resealing.sealed.data, resealing.sealed.len, queued.id);
        message_release(&queued.message);
        buf_release(&unsaid);
        resealing_release(&resealing);
    }
    return err;
}

static enum err
reseal_deferred(const struct store *store, struct db *db, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err =
        db_query(db, why, &rows,
                 "SELECT number, body FROM deferred ORDER BY number", "");
    while (db_next(db, rows, &err, why)) {
        struct resealing resealing = {.sealed = BUF_INIT};
        store_name_deferred(db_int(rows, 0), &resealing.new);
        name_old(&resealing, "kept", "deferred");
        reseal(store, rows, 1, &resealing);
        err = db_run(db, why, "UPDATE deferred SET body = ? WHERE number = ?",
                     "bi", resealing.sealed.data, resealing.sealed.len,
                     db_int(rows, 0));
        resealing_release(&resealing);
    }
    return err;
}

static enum err
reseal_states(const struct store *store, struct db *db, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(db, why, &rows,
                            "SELECT service, key, value FROM adapter_state"
                            " ORDER BY service, key",
                            "");
    while (db_next(db, rows, &err, why)) {
        struct resealing resealing = {.sealed = BUF_INIT};
        const char *service = db_text(rows, 0);
        const char *key = db_text(rows, 1);
        store_name_state(service, key, &resealing.new);
        buf_addf(&resealing.old, "%s: the note %s", service, key);
        reseal(store, rows, 2, &resealing);
        err = db_run(db, why,
                     "UPDATE adapter_state SET value = ?"
                     " WHERE service = ? AND key = ?",
                     "btt", resealing.sealed.data, resealing.sealed.len,
                     service, key);
        resealing_release(&resealing);
    }
    return err;
}

static enum err
reseal_dms(const struct store *store, struct db *db, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(db, why, &rows,
                            "SELECT service, user, place, proof FROM dm"
                            " ORDER BY service, user",
                            "");
    while (db_next(db, rows, &err, why)) {
        struct resealing resealing = {.sealed = BUF_INIT};
        const char *service = db_text(rows, 0);
        const char *user = db_text(rows, 1);
        store_name_dm(service, user, db_text(rows, 2), &resealing.new);
        name_old(&resealing, "private talk", "DM");
        reseal(store, rows, 3, &resealing);
        err = db_run(
            db, why, "UPDATE dm SET proof = ? WHERE service = ? AND user = ?",
            "btt", resealing.sealed.data, resealing.sealed.len, service, user);
        resealing_release(&resealing);
    }
    return err;
}

static enum err
reseal_all(const struct store *store, struct db *db, int format,
           struct buf *why)
{
    enum err err = reseal_deliveries(store, db, why);
    if (err == ERR_NONE) {
        err = reseal_texts(store, db, format, why);
    }
    if (err == ERR_NONE) {
        err = reseal_deferred(store, db, why);
    }
    if (err == ERR_NONE) {
        err = reseal_states(store, db, why);
    }
    return err == ERR_NONE && format > 9 ? reseal_dms(store, db, why) : err;
}

/* ---- the store ----------------------------------------------------------- */

static enum err
rename_names(struct db *db, int format, struct buf *why)
{
    if (format > 11) {
        return ERR_NONE;
    }
    if (format == 11) {
        return RUN_EACH(db, rename_11, why);
    }
    enum err err = RUN_EACH(db, rename_all, why);
    if (err != ERR_NONE) {
        return err;
    }
    return format == 9 ? RUN_EACH(db, rename_9, why)
                       : RUN_EACH(db, rename_10, why);
}

/* Are its DMs in a table of that name, without row ids? */
static bool
has_dms_12(int format)
{
    return format > 9 && format <= 12;
}

static enum err
rename_tables(struct db *db, int format, struct buf *why)
{
    enum err err = rename_names(db, format, why);
    if (err == ERR_NONE && has_dms_12(format)) {
        err = RUN_EACH(db, rename_12, why);
    }
    return err == ERR_NONE ? RUN_EACH(db, rename_13, why) : err;
}

_Static_assert(STORE_FORMAT == 14, "the last step says so");

static enum err
copy_rows(const struct store *store, struct db *db, int format, struct buf *why)
{
    enum err err = RUN_EACH(db, copy_13, why);
    if (err == ERR_NONE && has_dms_12(format)) {
        err = RUN_EACH(db, copy_12, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    switch (format) {
    case 9:
        return copy_from_9(store, db, why);
    case 10:
        return RUN_EACH(db, copy_10, why);
    case 11:
        return RUN_EACH(db, copy_11, why);
    default:
        return ERR_NONE;
    }
}

static enum err
rebuild(const struct store *store, struct db *db, int format, struct buf *why)
{
    enum err err = rename_tables(db, format, why);
    if (err == ERR_NONE) {
        err = db_make(db, bot_store_schema_sql, why);
    }
    if (err == ERR_NONE) {
        err = copy_rows(store, db, format, why);
    }
    if (err == ERR_NONE && format < 11) {
        err = reseal_all(store, db, format, why);
    }
    return err == ERR_NONE ? db_run(db, why, "PRAGMA user_version = 14", "")
                           : err;
}

/* Copy the store, and rebuild it in one transaction. */
static enum err
upgrade(const struct store *store, struct db *db, int format, const char *copy,
        struct buf *why)
{
    enum err err = db_copy(db, copy, why);
    if (err == ERR_NONE) {
        err = db_begin(db, why);
    }
    if (err == ERR_NONE) {
        err = rebuild(store, db, format, why);
        if (err == ERR_NONE) {
            return db_commit(db, why);
        }
        db_rollback(db);
    }
    return err;
}

bool
store_can_upgrade(int format)
{
    return format >= OLDEST && format < STORE_FORMAT;
}

enum err
store_upgrade(const struct store *store, const char *path, int format,
              struct buf *why)
{
    struct db *db = NULL;
    struct buf copy = BUF_INIT;
    buf_addf(&copy, "%s.format-%d", path, format);
    enum err err = db_open(path, DB_CREATE, format, "", &db, why);
    if (err == ERR_NONE) {
        err = upgrade(store, db, format, buf_text(&copy), why);
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

static enum err
list_over(struct store *store, struct buf *ids, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT id FROM game WHERE over = 1 AND ending = -1"
                            " ORDER BY number",
                            "");
    while (db_next(store->db, rows, &err, why)) {
        buf_add(ids, db_text(rows, 0), strlen(db_text(rows, 0)) + 1);
    }
    return err;
}

/* Note how a game ended, and put it away. */
static enum err
put_away(struct store *store, const char *game, struct table *table,
         struct buf *why)
{
    struct buf trouble = BUF_INIT;
    enum err err = recover_table(store, game, table, &trouble);
    if (err == ERR_NONE) {
        err = db_run(store->db, &trouble,
                     "UPDATE game SET round = ?, ending = ? WHERE id = ?",
                     "iit", (int64_t)table->game.round,
                     (int64_t)table->game.ending, game);
        if (err == ERR_NONE) {
            err = store_put_away(store, game, &trouble);
        }
        if (err == ERR_NONE) {
            err = store_save_result(store, game, &trouble);
        }
    } else if (err == ERR_GARBLED || err == ERR_DENIED) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&trouble));
        buf_clear(&trouble);
        err = ERR_NONE;
    }
    buf_add_buf(why, &trouble);
    buf_release(&trouble);
    return err;
}

enum err
store_upgrade_games(struct store *store, struct buf *why)
{
    struct table table;
    struct buf ids = BUF_INIT;
    table_init(&table);
    enum err err = list_over(store, &ids, why);
    if (err == ERR_NONE) {
        err = store_begin(store, why);
    }
    for (size_t at = 0; err == ERR_NONE && at < ids.len;
         at += strlen(ids.data + at) + 1) {
        err = put_away(store, ids.data + at, &table, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(store, why);
    } else {
        store_rollback(store);
    }
    table_release(&table);
    buf_release(&ids);
    return err;
}
