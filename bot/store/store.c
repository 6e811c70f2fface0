#include "bot/store/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/store/store_inner.h"

/* schema.sql has these numbers. */
_Static_assert(QUEUED_SENT == 2 && MESSAGE_STATUS == 2 &&
                   MESSAGE_PRIVATE == 1 && MESSAGE_POST == 0,
               "the store's format has these numbers");

/* ---- opening ------------------------------------------------------------- */

enum err
store_open_db(const char *path, enum db_mode mode, struct db **db,
              struct buf *why)
{
    return db_open(path, mode, STORE_FORMAT, bot_store_schema_sql, db, why);
}

static enum err
make_id(struct store *store, struct buf *why)
{
    bool there = false;
    enum err err = db_row(store->db, why, &there, "SELECT id FROM host", ">s",
                          store->id, sizeof store->id);
    if (err != ERR_NONE || there) {
        return err;
    }
    unsigned char draw[DEAL_SECRET];
    deal_generate_secret(draw);
    (void)snprintf(store->id, sizeof store->id, "%02x%02x%02x%02x", draw[0],
                   draw[1], draw[2], draw[3]);
    return db_run(store->db, why, "INSERT INTO host(id) VALUES(?)", "t",
                  store->id);
}

/* Take the lock; *died: its last owner did not release it. */
static enum err
take_lock(struct store *store, const char *path, bool *died, struct buf *why)
{
    struct buf lock = BUF_INIT;
    struct buf holder = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    buf_addf(&lock, "%s.lock", path);
    *died = file_read(buf_text(&lock), &holder, &unsaid) == ERR_NONE &&
            holder.len > 0;
    enum err err = file_lock(buf_text(&lock), &store->lock, why);
    buf_release(&lock);
    buf_release(&holder);
    buf_release(&unsaid);
    return err;
}

/* What a host tried without dying of it does not count as tried.  (It could not
 * save that itself: perhaps the disk was full.) */
static enum err
forget_attempts(struct store *store, struct buf *why)
{
    return db_run(store->db, why, "DELETE FROM attempt WHERE count > 0", "");
}

/* Open the key's file; a reader may do without, and is told why there is
 * none. */
static enum err
open_key(struct store *store, const char *path, const char *key_file,
         bool reads, bool *made, struct buf *why)
{
    struct buf beside = BUF_INIT;
    buf_addf(&beside, "%s.key", path);
    enum err err =
        seal_open(key_file[0] == '\0' ? buf_text(&beside) : key_file, !reads,
                  &store->seal, made, reads ? &store->no_key : why);
    if (reads && err == ERR_CONFIG) {
        buf_add_buf(why, &store->no_key);
    } else if (reads) {
        err = ERR_NONE;
    }
    buf_release(&beside);
    return err;
}

/* Log it if a key was made for a store that already had one. */
static enum err
tell_new_key(struct store *store, const char *path, struct buf *why)
{
    int64_t count = 0;
    enum err err = store_count_games(store, &count, why);
    if (err == ERR_NONE && count > 0) {
        log_line(LOG_LEVEL_WARNING,
                 "%s: its key file was missing, and a new one is made; what "
                 "was sealed with the lost one can't be read any more",
                 path);
    }
    return err;
}

/* A store left by a host of an earlier version is rebuilt first; a reader
 * leaves that to the host. */
static enum err
open_older(struct store *store, const char *path, const char *key_file,
           enum store_mode mode, bool *made, struct buf *why)
{
    int format = 0;
    enum err err = db_format(path, &format, why);
    if (err != ERR_NONE || !store_can_upgrade(format)) {
        return err;
    }
    if (mode == STORE_READ) {
        return err_say(why, ERR_GARBLED,
                       "%s: was made by an earlier version of placard (its "
                       "format is %d, this one's %d); start `placard run` "
                       "once, which rebuilds it",
                       path, format, STORE_FORMAT);
    }
    err = open_key(store, path, key_file, false, made, why);
    return err == ERR_NONE ? store_upgrade(store, path, format, why) : err;
}

/* Generate the first part of this start's keys. */
static void
make_epoch(struct store *store)
{
    unsigned char draw[DEAL_SECRET];
    deal_generate_secret(draw);
    (void)snprintf(store->epoch, sizeof store->epoch, "%02x%02x%02x%02x",
                   draw[0], draw[1], draw[2], draw[3]);
}

enum err
store_open(const char *path, const char *key_file, enum store_mode mode,
           struct store **store, struct buf *why)
{
    struct store *opened = must_alloc(sizeof *opened);
    enum err err = ERR_NONE;
    bool died = false;
    bool made = false;
    opened->lock = -1;
    if (mode == STORE_HOST) {
        err = take_lock(opened, path, &died, why);
    }
    if (err == ERR_NONE) {
        err = open_older(opened, path, key_file, mode, &made, why);
    }
    if (err == ERR_NONE) {
        err = store_open_db(path, mode == STORE_HOST ? DB_CREATE : DB_READ,
                            &opened->db, why);
    }
    if (err == ERR_NONE && opened->seal == NULL) {
        err = open_key(opened, path, key_file, mode == STORE_READ, &made, why);
    }
    if (err == ERR_NONE && made) {
        err = tell_new_key(opened, path, why);
    }
    if (err == ERR_NONE && mode == STORE_HOST) {
        make_epoch(opened);
        err = make_id(opened, why);
    }
    if (err == ERR_NONE && mode == STORE_HOST && !died) {
        err = forget_attempts(opened, why);
    }
    if (err != ERR_NONE) {
        store_close(opened);
        return err;
    }
    *store = opened;
    return ERR_NONE;
}

void
store_close(struct store *store)
{
    if (store == NULL) {
        return;
    }
    if (store->db != NULL) {
        db_close(store->db);
    }
    if (store->lock >= 0) {
        file_unlock(store->lock);
    }
    seal_close(store->seal);
    buf_release(&store->no_key);
    free(store);
}

enum err
store_begin(struct store *store, struct buf *why)
{
    return db_begin(store->db, why);
}

enum err
store_commit(struct store *store, struct buf *why)
{
    return db_commit(store->db, why);
}

void
store_rollback(struct store *store)
{
    db_rollback(store->db);
}

const char *
store_id(const struct store *store)
{
    return store->id;
}

/* ---- games and their journal --------------------------------------------- */

#define GAME_COLUMNS "id, place, thread, over, held, ended"

static void
read_game(sqlite3_stmt *rows, struct store_game *game)
{
    (void)snprintf(game->id, sizeof game->id, "%s", db_text(rows, 0));
    (void)snprintf(game->place, sizeof game->place, "%s", db_text(rows, 1));
    (void)snprintf(game->thread, sizeof game->thread, "%s", db_text(rows, 2));
    game->over = db_int(rows, 3) != 0;
    game->held = db_int(rows, 4) != 0;
    game->ended = db_int(rows, 5);
}

/* Call `each` for every row of a query that has read_game's columns, unless it
 * has failed. */
static enum err
each_game(struct store *store, sqlite3_stmt *rows, enum err err,
          store_game_reader *each, void *context, struct buf *why)
{
    while (db_next(store->db, rows, &err, why)) {
        struct store_game game;
        read_game(rows, &game);
        err = each(context, &game, why);
    }
    return err;
}

enum err
store_games(struct store *store, store_game_reader *each, void *context,
            struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(
        store->db, why, &rows,
        "SELECT " GAME_COLUMNS " FROM game ORDER BY length(id), id", "");
    return each_game(store, rows, err, each, context, why);
}

enum err
store_games_since(struct store *store, int64_t past, store_game_reader *each,
                  void *context, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " GAME_COLUMNS " FROM game"
                            " WHERE over = 1 AND ended <> 0 AND ended + ? >"
                            " (SELECT coalesce(max(read), 0) FROM feed)",
                            "i", past);
    return each_game(store, rows, err, each, context, why);
}

/* Read the first row of such a query, if there is one. */
static enum err
only_game(struct store *store, sqlite3_stmt *rows, enum err err,
          struct store_game *game, bool *found, struct buf *why)
{
    *found = db_next(store->db, rows, &err, why);
    if (*found) {
        read_game(rows, game);
        db_done(rows);
    }
    return err;
}

enum err
store_game_of(struct store *store, const char *thread, struct store_game *game,
              bool *found, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " GAME_COLUMNS " FROM game"
                            " WHERE thread = ?"
                            " ORDER BY length(id) DESC, id DESC LIMIT 1",
                            "t", thread);
    return only_game(store, rows, err, game, found, why);
}

enum err
store_last_game(struct store *store, const char *thread, const char *place,
                struct store_game *game, bool *found, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " GAME_COLUMNS " FROM game"
                            " WHERE place = ? AND over = 1 ORDER BY thread = ?"
                            " DESC, length(id) DESC, id DESC LIMIT 1",
                            "tt", place, thread);
    return only_game(store, rows, err, game, found, why);
}

enum err
store_count_games(struct store *store, int64_t *count, struct buf *why)
{
    return db_row(store->db, why, NULL, "SELECT count(*) FROM game", ">i",
                  count);
}

/* Open a row of the journal and hand it on. */
static enum err
read_row(struct store *store, const char *game, sqlite3_stmt *rows,
         store_row_reader *each, void *context, struct buf *why)
{
    struct buf place = BUF_INIT;
    struct buf move = BUF_INIT;
    struct buf lines = BUF_INIT;
    store_name_row(game, db_int(rows, 0), "move", &place);
    enum err err = store_unseal(store, buf_text(&place), rows, 1, &move, why);
    if (err == ERR_NONE) {
        store_name_row(game, db_int(rows, 0), "lines", &place);
        err = store_unseal(store, buf_text(&place), rows, 2, &lines, why);
    }
    if (err == ERR_NONE) {
        err = each(context, buf_text(&move), move.len, buf_text(&lines),
                   lines.len, why);
    }
    buf_release(&place);
    buf_wipe(&move);
    buf_wipe(&lines);
    return err;
}

/* Up to a row. */
static enum err
read_journal(struct store *store, const char *game, int64_t last,
             store_row_reader *each, void *context, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT row, move, lines,"
                            " sum = checksum(row, game, move, lines)"
                            " FROM journal WHERE game = ? AND row <= ?"
                            " ORDER BY row",
                            "ti", game, last);
    while (db_next(store->db, rows, &err, why)) {
        if (db_int(rows, 3) == 0) {
            err = err_say(why, ERR_GARBLED,
                          "game %s: its journal is damaged; the game is held "
                          "(restore the store from a backup)",
                          game);
        } else {
            err = read_row(store, game, rows, each, context, why);
        }
    }
    return err;
}

enum err
store_journal_rows(struct store *store, const char *game, bool *there,
                   unsigned *count, struct buf *why)
{
    int64_t rows = 0;
    enum err err =
        db_row(store->db, why, there, "SELECT rows FROM game WHERE id = ?",
               "t>i", game, &rows);
    *count = (unsigned)rows;
    return err;
}

enum err
store_journal(struct store *store, const char *game, store_row_reader *each,
              void *context, struct buf *why)
{
    return read_journal(store, game, INT64_MAX, each, context, why);
}

static enum err
add_lines(void *context, const char *move, size_t move_len, const char *lines,
          size_t lines_len, struct buf *why)
{
    (void)move;
    (void)move_len;
    (void)why;
    record_add(context, lines, lines_len);
    return ERR_NONE;
}

enum err
store_record(struct store *store, const char *game, struct buf *out,
             struct buf *why)
{
    return store_journal(store, game, add_lines, out, why);
}

enum err
store_record_to(struct store *store, const char *game, int64_t batch,
                struct buf *out, struct buf *why)
{
    return read_journal(store, game, batch, add_lines, out, why);
}

enum err
store_hold(struct store *store, const char *game, struct buf *why)
{
    return db_run(store->db, why, "UPDATE game SET held = 1 WHERE id = ?", "t",
                  game);
}

/* ---- attempts ------------------------------------------------------------ */

enum err
store_try(struct store *store, const char *what, const char *at, int64_t *tries,
          struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "INSERT INTO attempt(what, at, count) VALUES(?, ?, 1)"
                  " ON CONFLICT DO UPDATE SET"
                  " count = CASE at WHEN excluded.at THEN count + 1 ELSE 1 END,"
                  " at = excluded.at RETURNING count",
                  "tt>i", what, at, tries);
}

enum err
store_forget_attempt(struct store *store, const char *what, struct buf *why)
{
    return db_run(store->db, why, "DELETE FROM attempt WHERE what = ?", "t",
                  what);
}

/* ---- the operator looks at secrets --------------------------------------- */

enum err
store_note_look(const char *path, const char *game, struct buf *why)
{
    struct db *db = NULL;
    enum err err = store_open_db(path, DB_CREATE, &db, why);
    if (err == ERR_NONE) {
        err = db_run(db, why, "INSERT INTO look(game) VALUES(?)", "t", game);
        db_close(db);
    }
    return err;
}

enum err
store_next_look(struct store *store, struct buf *game, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT game FROM look ORDER BY n LIMIT 1", ">t", game);
}

enum err
store_forget_look(struct store *store, const char *game, struct buf *why)
{
    return db_run(store->db, why, "DELETE FROM look WHERE game = ?", "t", game);
}

/* ---- posts --------------------------------------------------------------- */

static void
name_verdict(const char *service, const char *place, const char *id,
             struct buf *out)
{
    buf_addf(out, "%s: how post %s in %s was read", service, id, place);
}

/* Something written in private was read as a card or a vote: its verdict is as
 * long as any other, and never absent. */
static void
seal_verdict(const struct store *store, const char *service,
             const struct post *post, const char *verdict, struct buf *out)
{
    struct buf place = BUF_INIT;
    size_t len = strlen(verdict);
    if (len == 0 && !post->dm) {
        return;
    }
    name_verdict(service, post->place, post->id, &place);
    store_seal(store, buf_text(&place), verdict, len,
               post->dm ? padded(len + 1, ROOM_VERDICT) : len, out);
    buf_release(&place);
}

enum err
store_was_seen(struct store *store, const char *service,
               const struct post *post, bool *seen, struct buf *why)
{
    return db_row(store->db, why, seen,
                  "SELECT 1 FROM post WHERE service = ? AND place = ?"
                  " AND id = ?",
                  "ttt", service, post->place, post->id);
}

enum err
store_see(struct store *store, const char *service, const struct post *post,
          const char *verdict, bool *again, struct buf *why)
{
    enum err err = store_was_seen(store, service, post, again, why);
    if (err != ERR_NONE) {
        return err;
    }
    struct buf sealed = BUF_INIT;
    seal_verdict(store, service, post, verdict, &sealed);
    err = db_run(store->db, why,
                 verdict[0] == '\0'
                     ? "INSERT INTO post(service, place, id, author, stamp,"
                       " verdict) VALUES(?, ?, ?, ?, ?, ?)"
                       " ON CONFLICT DO NOTHING"
                     : "INSERT INTO post(service, place, id, author, stamp,"
                       " verdict) VALUES(?, ?, ?, ?, ?, ?)"
                       " ON CONFLICT DO UPDATE SET verdict = excluded.verdict",
                 "ttttib", service, post->place, post->id, post->author,
                 post->stamp, sealed.data, sealed.len);
    buf_release(&sealed);
    return err;
}

enum err
store_note_words(struct store *store, const char *service,
                 const struct post *post, const struct buf *words,
                 enum wording *before, struct buf *why)
{
    struct buf place = BUF_INIT;
    int64_t known = 0;
    int64_t old = 0;
    buf_addf(&place, "%s: what post %s in %s says", service, post->id,
             post->place);
    int64_t number = (int64_t)seal_number(store->seal, buf_text(&place),
                                          buf_text(words), words->len);
    buf_release(&place);
    *before = WORDING_UNKNOWN;
    enum err err =
        db_row(store->db, why, NULL,
               "SELECT words IS NOT NULL, words FROM post"
               " WHERE service = ? AND place = ? AND id = ?",
               "ttt>ii", service, post->place, post->id, &known, &old);
    if (known != 0) {
        *before = old == number ? WORDING_SAME : WORDING_OTHER;
    }
    return err != ERR_NONE || *before == WORDING_SAME
               ? err
               : db_run(store->db, why,
                        "UPDATE post SET words = ? WHERE service = ?"
                        " AND place = ? AND id = ?",
                        "ittt", number, service, post->place, post->id);
}

enum err
store_forget_words(struct store *store, const char *service, const char *thread,
                   struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE post SET words = NULL WHERE service = ?"
                  " AND place = ? AND words IS NOT NULL",
                  "tt", service, thread);
}

/* The verdict in the fourth column; "" if it can't be opened. */
static void
read_verdict(const struct store *store, const char *service, sqlite3_stmt *rows,
             struct read_post *post)
{
    struct buf place = BUF_INIT;
    struct buf verdict = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    name_verdict(service, post->place, post->id, &place);
    if (store_unseal(store, buf_text(&place), rows, 3, &verdict, &unsaid) ==
        ERR_NONE) {
        (void)snprintf(post->verdict, sizeof post->verdict, "%s",
                       buf_text(&verdict));
    }
    buf_release(&place);
    buf_wipe(&verdict);
    buf_release(&unsaid);
}

enum err
store_find_post(struct store *store, const char *service, const char *thread,
                const char *id, struct read_post *post, bool *found,
                struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT place, author, stamp, verdict FROM post"
                            " WHERE service = ? AND id = ?"
                            " ORDER BY place = ? DESC LIMIT 1",
                            "ttt", service, id, thread);
    memset(post, 0, sizeof *post);
    *found = db_next(store->db, rows, &err, why);
    if (*found) {
        (void)snprintf(post->id, sizeof post->id, "%s", id);
        (void)snprintf(post->place, sizeof post->place, "%s", db_text(rows, 0));
        (void)snprintf(post->author, sizeof post->author, "%s",
                       db_text(rows, 1));
        post->stamp = db_int(rows, 2);
        read_verdict(store, service, rows, post);
        db_done(rows);
    }
    return err;
}

enum err
store_newest_post(struct store *store, const char *service, int64_t *stamp,
                  struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT max(stamp) FROM post WHERE service = ?", "t>i",
                  service, stamp);
}

static void
name_deferred(int64_t number, struct buf *out)
{
    buf_addf(out, "kept post %lld", (long long)number);
}

enum err
store_keep(struct store *store, const char *service, const char *feed,
           const struct post *post, int64_t *number, struct buf *why)
{
    const struct dialect *dialect = post->dialect;
    struct buf place = BUF_INIT;
    struct buf sealed = BUF_INIT;
    enum err err =
        db_row(store->db, why, NULL, "SELECT coalesce(max(n), 0) + 1 FROM kept",
               ">i", number);
    if (err == ERR_NONE) {
        name_deferred(*number, &place);
        store_seal(store, buf_text(&place), post->body, post->body_len,
                   post->dm ? padded(post->body_len + 1, ROOM_PRIVATE)
                            : post->body_len,
                   &sealed);
        err = db_run(
            store->db, why,
            "INSERT INTO kept(n, service, feed, kind, place, id, author,"
            " author_name, body, dialect, reply_to, stamp, edited, talk)"
            " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            "ittittttbttiii", *number, service, feed, (int64_t)post->kind,
            post->place, post->id, post->author, post->author_name, sealed.data,
            sealed.len, dialect == NULL ? "" : dialect->name, post->reply_to,
            post->stamp, post->edited, (int64_t)post->dm);
    }
    buf_release(&place);
    buf_release(&sealed);
    return err;
}

enum err
store_deferred(struct store *store, store_deferred_reader *each, void *context,
               struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT n, service, feed, place, author, stamp,"
                            " edited, talk FROM kept ORDER BY n",
                            "");
    while (db_next(store->db, rows, &err, why)) {
        struct deferred_post deferred = {.number = db_int(rows, 0),
                                         .stamp = db_int(rows, 5),
                                         .edited = db_int(rows, 6),
                                         .dm = db_int(rows, 7) != 0};
        (void)snprintf(deferred.service, sizeof deferred.service, "%s",
                       db_text(rows, 1));
        (void)snprintf(deferred.feed, sizeof deferred.feed, "%s",
                       db_text(rows, 2));
        (void)snprintf(deferred.place, sizeof deferred.place, "%s",
                       db_text(rows, 3));
        (void)snprintf(deferred.author, sizeof deferred.author, "%s",
                       db_text(rows, 4));
        each(context, &deferred);
    }
    return err;
}

static void
read_deferred(sqlite3_stmt *rows, const struct buf *body, struct page *page)
{
    struct post *post = page_add(page);
    size_t len = body->len;
    post->kind = (enum post_kind)db_int(rows, 0);
    post->place = must_copy(db_text(rows, 1));
    post->id = must_copy(db_text(rows, 2));
    post->author = must_copy(db_text(rows, 3));
    post->author_name = must_copy(db_text(rows, 4));
    post->body = must_alloc(len + 1);
    memcpy(post->body, buf_text(body), len + 1);
    post->body_len = len;
    post->dialect = dialect_find(db_text(rows, 6));
    post->reply_to = must_copy(db_text(rows, 7));
    post->stamp = db_int(rows, 8);
    post->edited = db_int(rows, 9);
    post->dm = db_int(rows, 10) != 0;
}

enum err
store_deferred_post(struct store *store, int64_t number, struct page *page,
                    struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT kind, place, id, author, author_name,"
                            " body, dialect, reply_to, stamp, edited, talk"
                            " FROM kept WHERE n = ?",
                            "i", number);
    if (db_next(store->db, rows, &err, why)) {
        struct buf place = BUF_INIT;
        struct buf body = BUF_INIT;
        struct buf trouble = BUF_INIT;
        name_deferred(number, &place);
        if (store_unseal(store, buf_text(&place), rows, 5, &body, &trouble) ==
            ERR_NONE) {
            read_deferred(rows, &body, page);
        } else {
            log_line(LOG_LEVEL_ERROR, "%s", buf_text(&trouble));
        }
        db_done(rows);
        buf_release(&place);
        buf_wipe(&body);
        buf_release(&trouble);
    }
    return err;
}

enum err
store_is_deferred(struct store *store, const char *service, const char *id,
                  bool *deferred, struct buf *why)
{
    return db_row(store->db, why, deferred,
                  "SELECT 1 FROM kept WHERE service = ? AND id = ? LIMIT 1",
                  "tt", service, id);
}

enum err
store_forget_deferred(struct store *store, int64_t number, struct buf *why)
{
    return db_run(store->db, why, "DELETE FROM kept WHERE n = ?", "i", number);
}

/* ---- feeds, adapter states, DMs ------------------------------------------ */

enum err
store_cursor(struct store *store, const char *service, const char *feed,
             struct buf *cursor, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT cursor FROM feed WHERE service = ? AND name = ?",
                  "tt>t", service, feed, cursor);
}

enum err
store_set_cursor(struct store *store, const char *service, const char *feed,
                 const char *cursor, struct buf *why)
{
    return db_run(store->db, why,
                  "INSERT INTO feed(service, name, cursor) VALUES(?, ?, ?)"
                  " ON CONFLICT DO UPDATE SET cursor = excluded.cursor",
                  "ttt", service, feed, cursor);
}

static void
name_note(const char *service, const char *key, struct buf *out)
{
    buf_addf(out, "%s: the note %s", service, key);
}

/* False: it can't be opened; this is logged, and it has to be saved anew. */
static bool
read_note(const struct store *store, const char *service, sqlite3_stmt *rows,
          struct adapter_state *state)
{
    struct buf place = BUF_INIT;
    struct buf value = BUF_INIT;
    struct buf trouble = BUF_INIT;
    name_note(service, db_text(rows, 0), &place);
    bool good = store_unseal(store, buf_text(&place), rows, 1, &value,
                             &trouble) == ERR_NONE &&
                value.len < sizeof state->value;
    if (good) {
        (void)snprintf(state->key, sizeof state->key, "%s", db_text(rows, 0));
        memcpy(state->value, buf_text(&value), value.len + 1);
    } else {
        log_line(LOG_LEVEL_DEBUG, "%s", buf_text(&trouble));
    }
    buf_release(&place);
    buf_wipe(&value);
    buf_release(&trouble);
    return good;
}

enum err
store_reading(struct store *store, const char *service, const char *feed,
              int64_t *at, int64_t *through, struct buf *why)
{
    *at = 0;
    *through = 0;
    return db_row(
        store->db, why, NULL,
        "SELECT read, through FROM feed WHERE service = ? AND name = ?",
        "tt>ii", service, feed, at, through);
}

enum err
store_set_reading(struct store *store, const char *service, const char *feed,
                  int64_t at, int64_t through, struct buf *why)
{
    return db_run(store->db, why,
                  "INSERT INTO feed(service, name, cursor, read, through)"
                  " VALUES(?, ?, '', ?, ?)"
                  " ON CONFLICT DO UPDATE SET read = excluded.read,"
                  " through = excluded.through",
                  "ttii", service, feed, at, through);
}

enum err
store_states(struct store *store, const char *service,
             struct adapter_state states[ADAPTER_STATES_MAX], unsigned *count,
             struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT key, value FROM note WHERE service = ?"
                            " ORDER BY key LIMIT 16",
                            "t", service);
    *count = 0;
    while (db_next(store->db, rows, &err, why)) {
        assert(*count < ADAPTER_STATES_MAX);
        if (read_note(store, service, rows, &states[*count])) {
            ++*count;
        }
    }
    return err;
}

enum err
store_set_state(struct store *store, const char *service,
                const struct adapter_state *state, struct buf *why)
{
    struct buf place = BUF_INIT;
    struct buf sealed = BUF_INIT;
    size_t len = strlen(state->value);
    name_note(service, state->key, &place);
    store_seal(store, buf_text(&place), state->value, len,
               padded(len + 1, ROOM_NOTE), &sealed);
    enum err err =
        db_run(store->db, why,
               "INSERT INTO note(service, key, value) VALUES(?, ?, ?)"
               " ON CONFLICT DO UPDATE SET value = excluded.value",
               "ttb", service, state->key, sealed.data, sealed.len);
    buf_release(&place);
    buf_release(&sealed);
    return err;
}

/* Was the place of a DM, in the first column, saved by a host with our key?
 * Otherwise it is opened anew: somebody may have put another person's there. */
static bool
is_our_dm(const struct store *store, const char *service, const char *user,
          sqlite3_stmt *rows)
{
    struct buf name = BUF_INIT;
    struct buf nothing = BUF_INIT;
    struct buf trouble = BUF_INIT;
    store_name_dm(service, user, db_text(rows, 0), &name);
    bool ours = store_unseal(store, buf_text(&name), rows, 1, &nothing,
                             &trouble) == ERR_NONE;
    if (!ours) {
        log_line(LOG_LEVEL_WARNING, "%s; it does not count, and is opened anew",
                 buf_text(&trouble));
    }
    buf_release(&name);
    buf_release(&nothing);
    buf_release(&trouble);
    return ours;
}

enum err
store_dm(struct store *store, const char *service, const char *user,
         struct buf *place, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT place, proof FROM talk WHERE service = ?"
                            " AND user = ? AND place <> ''",
                            "tt", service, user);
    if (db_next(store->db, rows, &err, why)) {
        if (is_our_dm(store, service, user, rows)) {
            buf_add_text(place, db_text(rows, 0));
        }
        db_done(rows);
    }
    return err;
}

enum err
store_is_dm(struct store *store, const char *service, const char *place,
            bool *dm, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    *dm = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT place, proof, user FROM talk"
                            " WHERE service = ? AND place = ? AND place <> ''",
                            "tt", service, place);
    while (!*dm && db_next(store->db, rows, &err, why)) {
        *dm = is_our_dm(store, service, db_text(rows, 2), rows);
        if (*dm) {
            db_done(rows);
        }
    }
    return err;
}

enum err
store_set_dm(struct store *store, const char *service, const char *user,
             const char *place, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf proof = BUF_INIT;
    store_name_dm(service, user, place, &name);
    store_seal(store, buf_text(&name), "", 0, 0, &proof);
    enum err err = db_run(store->db, why,
                          "INSERT INTO talk(service, user, place, proof)"
                          " VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                          " place = excluded.place, proof = excluded.proof",
                          "tttb", service, user, place, proof.data, proof.len);
    buf_release(&name);
    buf_release(&proof);
    return err;
}
