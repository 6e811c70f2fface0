/* Who is to be forgotten, and the marks of those who were. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/store/forget.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"
#include "bot/store/store_sealed.h"

enum err
forget_last(struct store *store, int64_t *at, struct buf *why)
{
    char text[24] = "";
    enum err err = db_row(store->db, why, NULL,
                          "SELECT at FROM attempt WHERE what = 'forgot'", ">s",
                          text, sizeof text);
    *at = strtoll(text, NULL, 10);
    return err;
}

static enum err
note_forgotten(const struct forget *forget, const struct forgetting *whom,
               struct buf *why)
{
    struct buf at = BUF_INIT;
    buf_addf(&at, "%lld", (long long)forget->now);
    /* A count of 0: a host does not forget it with what it has tried. */
    enum err err = db_run(forget->store->db, why,
                          "INSERT INTO attempt(what, at, count)"
                          " VALUES('forgot', ?, 0)"
                          " ON CONFLICT DO UPDATE SET at = excluded.at",
                          "t", buf_text(&at));
    buf_release(&at);
    return err == ERR_NONE
               ? db_run(forget->store->db, why,
                        "UPDATE forgotten SET service = NULL, user = NULL"
                        " WHERE service = ? AND user = ?",
                        "tt", whom->service, whom->user)
               : err;
}

/* Somebody's mark: without the key nobody can tell whose it is. */
static void
mark_of(const struct store *store, const char *service, const char *user,
        char mark[17])
{
    struct buf who = BUF_INIT;
    store_add_part(&who, "who is forgotten, at ", service);
    (void)snprintf(mark, 17, "%016llx",
                   (unsigned long long)seal_number(store->seal, buf_text(&who),
                                                   user, strlen(user)));
    buf_release(&who);
}

enum err
forget_ask(struct store *store, const char *path, const char *service,
           const char *user, struct buf *why)
{
    struct db *db = store->db;
    char mark[17];
    mark_of(store, service, user, mark);
    enum err err = path == NULL
                       ? ERR_NONE
                       : store_open_db(path, DB_CREATE_UNCHECKED, &db, why);
    if (err == ERR_NONE && path != NULL) {
        err = db_make(db, bot_store_schema_sql, why);
    }
    if (err == ERR_NONE) {
        err = db_run(db, why,
                     "INSERT INTO forgotten(mark, service, user)"
                     " VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET"
                     " service = excluded.service, user = excluded.user",
                     "ttt", mark, service, user);
    }
    if (path != NULL && db != NULL && db != store->db) {
        db_close(db);
    }
    return err;
}

enum err
forget_waiting(struct store *store, int64_t *count, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT count(*) FROM forgotten WHERE user IS NOT NULL", ">i",
                  count);
}

/* Somebody of the store: are they among those of whom the file alone knows? */
static enum err
meet(struct store *store, const char *service, const char *user,
     struct buf *why)
{
    char mark[17];
    mark_of(store, service, user, mark);
    return db_run(store->db, why,
                  "UPDATE forgotten SET service = ?, user = ?"
                  " WHERE mark = ? AND service = ''",
                  "ttt", service, user, mark);
}

/* The people of a game's moves. */
struct meeting {
    struct store *store;
    const char *service;
    struct buf *why;
    enum err err;
};

static void
meet_move(void *context, const struct move *move)
{
    struct meeting *meeting = context;
    const char *const people[] = {move->user, move->out};
    for (unsigned i = 0; meeting->err == ERR_NONE && i < 2; i++) {
        meeting->err =
            meet(meeting->store, meeting->service, people[i], meeting->why);
    }
}

static enum err
meet_game(void *context, const struct store_game *game, struct buf *why)
{
    const struct forget *const *of = context;
    const struct forget *forget = *of;
    struct buf unsaid = BUF_INIT;
    struct meeting meeting = {
        .store = forget->store,
        .service = forget->service_of(forget->context, game->place),
        .why = why};
    (void)!store_moves(forget->store, game->id, meet_move, &meeting, &unsaid);
    buf_release(&unsaid);
    return meeting.err;
}

/* Those of whom the file alone knows are in this store, which is a copy, as
 * they were before. */
static enum err
meet_all(const struct forget *forget, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(forget->store->db, why, &rows,
                            "SELECT DISTINCT service, author FROM post"
                            " JOIN post_place ON number = post.place"
                            " UNION SELECT service, user FROM dm"
                            " UNION SELECT service, user FROM member",
                            "");
    while (db_next(forget->store->db, rows, &err, why)) {
        err = meet(forget->store, db_text(rows, 0), db_text(rows, 1), why);
    }
    if (err == ERR_NONE) {
        err = store_games(forget->store, meet_game, &forget, why);
    }
    return err == ERR_NONE ? db_run(forget->store->db, why,
                                    "UPDATE forgotten SET service = NULL"
                                    " WHERE service = ''",
                                    "")
                           : err;
}

static enum err
take_file(const struct forget *forget, const char *file, struct buf *marks,
          struct buf *why)
{
    struct buf missing = BUF_INIT;
    bool news = false;
    char mark[17];
    enum err err = file_read(file, marks, &missing);
    if (err != ERR_NONE && err != ERR_GONE) {
        buf_add_buf(why, &missing);
    } else {
        err = ERR_NONE;
    }
    for (const char *at = buf_text(marks);
         err == ERR_NONE && sscanf(at, "%16[0-9a-f]", mark) == 1; at += 17) {
        err = db_run(forget->store->db, why,
                     "INSERT OR IGNORE INTO forgotten(mark, service)"
                     " VALUES(?, '')",
                     "t", mark);
        news = news || db_changes(forget->store->db) > 0;
    }
    buf_release(&missing);
    return err == ERR_NONE && news ? meet_all(forget, why) : err;
}

static enum err
write_file(struct store *store, const char *file, const struct buf *before,
           struct buf *why)
{
    struct buf marks = BUF_INIT;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT group_concat(mark || char(10), '') FROM"
                          " (SELECT mark FROM forgotten WHERE user IS NULL"
                          " ORDER BY mark)",
                          ">t", &marks);
    if (err == ERR_NONE && !buf_equals(before, buf_text(&marks))) {
        err = file_write(file, marks.data, marks.len, 0600, why);
    }
    buf_release(&marks);
    return err;
}

static enum err
forget_asked(const struct forget *forget, unsigned *count, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf list = BUF_INIT; /* services and ids, each with its NUL */
    enum err err = db_query(forget->store->db, why, &rows,
                            "SELECT service, user FROM forgotten"
                            " WHERE user IS NOT NULL",
                            "");
    while (db_next(forget->store->db, rows, &err, why)) {
        buf_add(&list, db_text(rows, 0), strlen(db_text(rows, 0)) + 1);
        buf_add(&list, db_text(rows, 1), strlen(db_text(rows, 1)) + 1);
    }
    for (const char *at = list.data;
         err == ERR_NONE && list.len > 0 && at < list.data + list.len;) {
        bool waits = false;
        struct forgetting whom = {.service = at,
                                  .user = at + strlen(at) + 1,
                                  .service_of = forget->service_of,
                                  .context = forget->context};
        err = forget_person(forget->store, &whom, &waits, forget->left, why);
        if (err == ERR_NONE && !waits) {
            ++*count;
            err = note_forgotten(forget, &whom, why);
        }
        at = whom.user + strlen(whom.user) + 1;
    }
    buf_release(&list);
    return err;
}

enum err
forget_all(const struct forget *forget, unsigned *count, struct buf *why)
{
    struct buf file = BUF_INIT;
    struct buf before = BUF_INIT;
    *count = 0;
    buf_addf(&file, "%s.forgotten", forget->path);
    enum err err = db_begin(forget->store->db, why);
    if (err == ERR_NONE) {
        err = take_file(forget, buf_text(&file), &before, why);
    }
    if (err == ERR_NONE) {
        err = forget_asked(forget, count, why);
    }
    /* The file first: who is in it and not in the store is forgotten again. */
    if (err == ERR_NONE) {
        err = write_file(forget->store, buf_text(&file), &before, why);
    }
    if (err == ERR_NONE) {
        err = db_commit(forget->store->db, why);
    } else {
        store_rollback(forget->store);
    }
    if (err == ERR_NONE && *count > 0) { /* the log has the old pages */
        err =
            db_make(forget->store->db, "PRAGMA wal_checkpoint(TRUNCATE)", why);
    }
    buf_release(&file);
    buf_release(&before);
    return err;
}
