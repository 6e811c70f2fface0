/* Who is to be forgotten, and the marks of those who were. */
#include <string.h>

#include "bot/base/files.h"
#include "bot/store/forget.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"

/* Somebody's mark: without the key nobody can tell whose it is. */
static int64_t
mark_of(const struct store *store, const char *service, const char *user)
{
    struct buf who = BUF_INIT;
    buf_addf(&who, "who is forgotten, at " PART, PART_OF(service));
    uint64_t mark =
        seal_number(store->seal, buf_text(&who), user, strlen(user));
    buf_release(&who);
    return (int64_t)mark;
}

static const char ask[] = "INSERT INTO forgotten(mark, waits) VALUES(?1, ?2)"
                          " ON CONFLICT DO UPDATE SET waits = excluded.waits";

void
forget_note(struct store *store, const char *service, const char *user,
            const char *game)
{
    db_run(store->db, ask, "it", mark_of(store, service, user), game);
}

enum err
forget_ask(struct store *store, const char *path, const char *service,
           const char *user, struct buf *why)
{
    return store_run_beside(path, ask, mark_of(store, service, user), "", why);
}

int64_t
forget_waiting(struct store *store)
{
    int64_t count = 0;
    (void)db_row(store->db,
                 "SELECT count(*) FROM forgotten WHERE waits IS NOT NULL"
                 " AND NOT EXISTS (SELECT 1 FROM game"
                 " WHERE id = waits AND over = 0)"
                 " AND NOT EXISTS (SELECT 1 FROM message"
                 " WHERE game = waits AND state <> 2)",
                 ">i", &count);
    return count;
}

/* Listing those who are to be forgotten: services and ids, each with its
 * NUL. */
struct listing {
    const struct forget *forget;
    const char *service;
    struct buf list;
};

static void
list_person(struct listing *listing, const char *service, const char *user)
{
    struct store *store = listing->forget->store;
    db_run(store->db,
           "UPDATE forgotten SET waits = NULL"
           " WHERE mark = ? AND waits IS NOT NULL",
           "i", mark_of(store, service, user));
    if (db_changes(store->db) > 0) {
        buf_add(&listing->list, service, strlen(service) + 1);
        buf_add(&listing->list, user, strlen(user) + 1);
    }
}

static enum err
list_row(void *context, const struct store_row *row, struct buf *why)
{
    struct listing *listing = context;
    struct move move;
    enum err err = move_read(row->move, row->move_len, &move, why);
    if (err == ERR_NONE) {
        list_person(listing, listing->service, move.user);
        list_person(listing, listing->service, move.out);
    }
    wipe(&move, sizeof move);
    return err;
}

static enum err
list_game(void *context, const struct store_game *game, struct buf *why)
{
    struct listing *listing = context;
    const struct forget *forget = listing->forget;
    (void)why;
    listing->service = forget->service_of(forget->context, game->place);
    (void)!store_journal(forget->store, game->id, list_row, listing, NULL);
    return ERR_NONE;
}

/* A mark has no id, so look at everybody whom the store knows. */
static enum err
list_people(struct listing *listing, struct buf *why)
{
    struct store *store = listing->forget->store;
    if (!db_row(store->db, "SELECT 1 FROM forgotten WHERE waits IS NOT NULL",
                "")) {
        return ERR_NONE;
    }
    sqlite3_stmt *rows = db_query(store->db,
                                  "SELECT service, author FROM post"
                                  " JOIN post_place ON number = post.place"
                                  " UNION SELECT service, user FROM dm"
                                  " UNION SELECT service, user FROM member"
                                  " UNION SELECT service, author FROM deferred",
                                  "");
    while (db_next(store->db, rows)) {
        list_person(listing, db_text(rows, 0), db_text(rows, 1));
    }
    enum err err = store_games(store, list_game, listing, why);
    db_run(store->db, "UPDATE forgotten SET waits = NULL", "");
    return err;
}

static enum err
forget_listed(struct forget *forget, unsigned *count, struct buf *why)
{
    struct listing listing = {.forget = forget};
    enum err err = list_people(&listing, why);
    for (size_t at = 0; err == ERR_NONE && at < listing.list.len;
         at = (size_t)(forget->user - listing.list.data) +
              strlen(forget->user) + 1) {
        struct buf game = BUF_INIT;
        forget->service = listing.list.data + at;
        forget->user = forget->service + strlen(forget->service) + 1;
        err = forget_person(forget, &game, why);
        if (err == ERR_NONE && game.len > 0) {
            forget_note(forget->store, forget->service, forget->user,
                        buf_text(&game));
        } else if (err == ERR_NONE) {
            ++*count;
            store_note(forget->store, "forgot", "", forget->now, NULL);
        }
        buf_release(&game);
    }
    buf_release(&listing.list);
    return err;
}

/* Those whose marks are only in that file are in the store as they were before.
 * Each step may be done again. */
static enum err
forget_kept(struct forget *forget, const char *file, unsigned *count,
            struct buf *why)
{
    struct db *db = forget->store->db;
    db_run(db, "ATTACH ? AS kept", "t", file);
    db_make(db, "CREATE TABLE IF NOT EXISTS"
                " kept.forgotten(mark INTEGER PRIMARY KEY);"
                "INSERT OR IGNORE INTO main.forgotten(mark, waits)"
                " SELECT mark, '' FROM kept.forgotten");
    db_begin(db);
    enum err err = forget_listed(forget, count, why);
    if (err == ERR_NONE) {
        db_commit(db);
        /* The log has the old pages. */
        db_make(db, "INSERT OR IGNORE INTO kept.forgotten SELECT mark"
                    " FROM main.forgotten WHERE waits IS NULL;"
                    "DETACH kept; PRAGMA wal_checkpoint(TRUNCATE)");
        err = db_err(db, why);
    }
    db_rollback(db); /* after a commit this does nothing */
    return err;
}

enum err
forget_all(struct forget *forget, unsigned *count, struct buf *why)
{
    struct db *db = forget->store->db;
    struct buf file = store_beside(forget->path, ".forgotten");
    *count = 0;
    bool any = db_row(db, "SELECT 1 FROM forgotten", "");
    enum err err = db_err(db, why);
    if (err == ERR_NONE && any && !file_exists(buf_text(&file))) {
        err = file_write(buf_text(&file), "", 0, 0600, why);
    }
    if (err == ERR_NONE && file_exists(buf_text(&file))) {
        err = forget_kept(forget, buf_text(&file), count, why);
    }
    buf_release(&file);
    return err;
}
