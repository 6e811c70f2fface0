#include "bot/store/store_upgrade.h"

#include <stdio.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"

enum {
    OLDEST = 9,
    HELD = 3 /* a state of format 9: refused, and never tried again */
};

/* What is rebuilt: the tables are renamed, so that new ones can have their
 * names. */
static const char *const rename_tables[] = {
    "DROP INDEX letter_open",
    "DROP INDEX letter_once",
    "DROP INDEX letter_sent",
    "DROP INDEX letter_status",
    "DROP INDEX talk_place",
    "ALTER TABLE letter RENAME TO letter_9",
    "ALTER TABLE talk RENAME TO talk_9",
    "ALTER TABLE feed RENAME TO feed_9",
    "ALTER TABLE game RENAME TO game_9",
};

/* Copy the other tables and drop the old ones.  The numbers of messages go
 * on, because none may be used again. */
static const char *const finish[] = {
    "INSERT INTO feed(service, name, cursor, read)"
    " SELECT service, name, cursor, read FROM feed_9",
    "INSERT INTO game(id, place, thread, over, held, rows)"
    " SELECT id, place, thread, over, held,"
    " (SELECT count(*) FROM journal WHERE journal.game = game_9.id)"
    " FROM game_9",
    "INSERT INTO sqlite_sequence(name, seq)"
    " SELECT 'letter', seq FROM sqlite_sequence WHERE name = 'letter_9'"
    " AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'letter')",
    "UPDATE sqlite_sequence SET seq ="
    " (SELECT max(seq) FROM sqlite_sequence"
    " WHERE name IN ('letter', 'letter_9')) WHERE name = 'letter'",
    "DROP TABLE letter_9",
    "DROP TABLE talk_9",
    "DROP TABLE feed_9",
    "DROP TABLE game_9",
    "PRAGMA user_version = 10",
};

_Static_assert(STORE_FORMAT == 10, "the last step says so");

static enum err
run_each(struct db *db, const char *const *steps, size_t count, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < count; i++) {
        err = db_run(db, why, steps[i], "");
    }
    return err;
}

/* ---- messages ------------------------------------------------------------ */

/* A message that was refused waits again; each keeps its key. */
static enum err
copy_messages(struct db *db, const char *store, struct buf *why)
{
    return db_run(
        db, why,
        "INSERT INTO letter(id, batch, game, place, thread, kind,"
        " state, text, user, post, post_place, rings, once, waits,"
        " not_after, written, picture, report, sent, changed, key,"
        " refused_at)"
        " SELECT id, batch, game, place, thread, kind,"
        " CASE state WHEN ? THEN 0 ELSE state END, text, user, post,"
        " post_place, rings, once, waits, not_after, written, picture,"
        " report, sent, changed, ? || '.' || id,"
        " CASE state WHEN ? THEN written ELSE 0 END"
        " FROM letter_9",
        "iti", (int64_t)HELD, store, (int64_t)HELD);
}

/* Seal the text of the current row for its new name.  One that can't be opened
 * stays as it is: it can't be sent either, and that is told then. */
static enum err
reseal_message(const struct store *store, struct db *db, sqlite3_stmt *rows,
               struct buf *why)
{
    struct queued_message queued = {.id = db_int(rows, 0)};
    struct buf old = BUF_INIT;
    struct buf text = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    struct buf sealed = BUF_INIT;
    enum err err = ERR_NONE;
    buf_addf(&old, "letter %lld", (long long)queued.id);
    if (store_unseal(store, buf_text(&old), rows, 1, &text, &unsaid) ==
        ERR_NONE) {
        queued.message.kind = (enum message_kind)db_int(rows, 2);
        queued.message.user = db_copy_text(rows, 3);
        (void)snprintf(queued.place, sizeof queued.place, "%s",
                       db_text(rows, 4));
        (void)snprintf(queued.thread, sizeof queued.thread, "%s",
                       db_text(rows, 5));
        queued.message.post = db_copy_text(rows, 6);
        queued.message.place = db_copy_text(rows, 7);
        queued.message.text = must_copy(buf_text(&text));
        store_seal_text(store, &queued, &sealed);
        err = db_run(db, why, "UPDATE letter SET text = ? WHERE id = ?", "bi",
                     sealed.data, sealed.len, queued.id);
        message_release(&queued.message);
    }
    buf_release(&old);
    buf_wipe(&text);
    buf_release(&unsaid);
    buf_release(&sealed);
    return err;
}

static enum err
reseal_messages(const struct store *store, struct db *db, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(db, why, &rows,
                            "SELECT id, text, kind, user, place, thread, post,"
                            " post_place FROM letter_9 WHERE text IS NOT NULL",
                            "");
    while (db_next(db, rows, &err, why)) {
        err = reseal_message(store, db, rows, why);
    }
    return err;
}

/* ---- DMs ------------------------------------------------------- */

static enum err
copy_dms(const struct store *store, struct db *db, struct buf *why)
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
                     "INSERT INTO talk(service, user, place, proof)"
                     " VALUES(?, ?, ?, ?)",
                     "tttb", service, user, place, proof.data, proof.len);
        buf_release(&name);
        buf_release(&proof);
    }
    return err;
}

/* ---- the store ----------------------------------------------------------- */

static enum err
rebuild(const struct store *store, struct db *db, struct buf *why)
{
    struct buf id = BUF_INIT; /* the keys of its messages began with it */
    enum err err = db_row(db, why, NULL, "SELECT id FROM host", ">t", &id);
    if (err == ERR_NONE) {
        err = run_each(db, rename_tables,
                       sizeof rename_tables / sizeof rename_tables[0], why);
    }
    if (err == ERR_NONE) {
        err = db_make(db, bot_store_schema_sql, why);
    }
    if (err == ERR_NONE) {
        err = copy_messages(db, buf_text(&id), why);
    }
    if (err == ERR_NONE) {
        err = reseal_messages(store, db, why);
    }
    if (err == ERR_NONE) {
        err = copy_dms(store, db, why);
    }
    if (err == ERR_NONE) {
        err = run_each(db, finish, sizeof finish / sizeof finish[0], why);
    }
    buf_release(&id);
    return err;
}

/* Rebuild what was copied. */
static enum err
upgrade(const struct store *store, struct db *db, const char *deferred,
        struct buf *why)
{
    enum err err = db_copy(db, deferred, why);
    if (err == ERR_NONE) {
        err = db_begin(db, why);
    }
    if (err == ERR_NONE) {
        err = rebuild(store, db, why);
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
    struct buf deferred = BUF_INIT;
    buf_addf(&deferred, "%s.format-%d", path, format);
    enum err err = db_open(path, DB_CREATE, format, "", &db, why);
    if (err == ERR_NONE) {
        err = upgrade(store, db, buf_text(&deferred), why);
        db_close(db);
    }
    if (err == ERR_NONE) {
        log_line(LOG_LEVEL_INFO,
                 "%s: rebuilt in format %d; it is kept as it was, of format "
                 "%d, in %s",
                 path, STORE_FORMAT, format, buf_text(&deferred));
    }
    buf_release(&deferred);
    return err;
}
