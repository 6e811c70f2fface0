#include "adapters/board/board_file.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "bot/base/files.h"

enum {
    BOARD_FORMAT = 2
};

/* schema.sql, embedded. */
extern const char adapters_board_schema_sql[];

enum err
board_open(const char *path, bool create, struct board **board, struct buf *why)
{
    struct db *db;

    if (!create && !file_exists(path)) {
        return err_say(why, ERR_GONE, "%s: there is no such board", path);
    }
    enum err err = db_open(path, DB_CREATE, BOARD_FORMAT,
                           adapters_board_schema_sql, &db, why);

    if (err != ERR_NONE) {
        return err;
    }
    db_make(db, adapters_board_schema_sql);
    err = db_err(db, why);
    if (err != ERR_NONE) {
        db_close(db);
        return err;
    }
    *board = must_alloc(sizeof(**board));
    (*board)->db = db;
    return ERR_NONE;
}

void
board_close(struct board *board)
{
    if (board != NULL) {
        db_close(board->db);
        free(board);
    }
}

#define FAR_AHEAD (INT64_C(2) * 24 * 3600 * 1000) /* ms */

/* ---- what is allowed ----------------------------------------------------- */

/* Is a text UTF-8 of the given length, without control characters unless they
 * are allowed? */
bool
board_is_text(const char *text, size_t max, bool controls)
{
    size_t len = strlen(text);

    if (len == 0 || len > max) {
        return false;
    }
    while (len > 0) {
        utf8proc_int32_t point;
        utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text,
                                                 (utf8proc_ssize_t)len, &point);

        if (used <= 0) {
            return false;
        }
        if (!controls && (point < 0x20 || (point >= 0x7F && point < 0xA0))) {
            return false;
        }
        text += used;
        len -= (size_t)used;
    }
    return true;
}

/* "*" means everybody's DMs to board_read, so nobody may have that name. */
bool
board_is_name(const char *name)
{
    return board_is_text(name, BOARD_NAME_MAX, false) && strcmp(name, "*") != 0;
}

/* The place of a DM with a user. */
void
board_dm(const char *user, struct buf *place)
{
    buf_addf(place, "talk/%s", user);
}

/* Is it "thread/7", or another that begins so? */
static bool
is_numbered(const char *place, const char *kind)
{
    const char *number = place + strlen(kind);

    if (strncmp(place, kind, strlen(kind)) != 0) {
        return false;
    }
    return *number >= '1' && *number <= '9' &&
           strspn(number, "0123456789") == strlen(number) &&
           strlen(number) <= BOARD_DIGITS_MAX;
}

/* Is it the name of a thread, open or not? */
bool
board_is_thread(const char *place)
{
    return strcmp(place, "thread") == 0 || is_numbered(place, "thread/");
}

static bool
is_gallery(const char *place)
{
    return is_numbered(place, "gallery/");
}

bool
board_is_place(const char *place)
{
    if (strncmp(place, "talk/", 5) == 0) {
        return board_is_name(place + 5) && strcmp(place + 5, BOARD_HOST) != 0;
    }
    return board_is_thread(place) || is_gallery(place);
}

enum err
board_check_text(const char *text, struct buf *why)
{
    if (*text == '\0') {
        return err_say(why, ERR_CONFIG, "a post must not be empty");
    }
    if (strlen(text) > BOARD_TEXT_MAX) {
        return err_say(why, ERR_FULL, "a post has at most %d bytes",
                       BOARD_TEXT_MAX);
    }
    if (!board_is_text(text, BOARD_TEXT_MAX, true)) {
        return err_say(why, ERR_CONFIG, "a post must be UTF-8 text");
    }
    return ERR_NONE;
}

enum err
board_check_draft(const struct board_draft *draft, struct buf *why)
{
    if (draft->key != NULL &&
        !board_is_text(draft->key, BOARD_SHORT_MAX, false)) {
        return err_say(why, ERR_CONFIG, "a key has 1 to %d bytes of text",
                       BOARD_SHORT_MAX);
    }
    return board_check_text(draft->text, why);
}

/* ---- the file ------------------------------------------------------------ */

enum err
board_err(struct board *board, struct buf *why)
{
    enum err err = db_err(board->db, why);

    if (err != ERR_NONE) {
        db_rollback(board->db);
    }
    return err;
}

static int64_t
newest_stamp(struct board *board)
{
    int64_t stamp = 0;

    (void)db_row(board->db, "SELECT stamp FROM posts ORDER BY id DESC LIMIT 1",
                 ">i", &stamp);
    return stamp;
}

enum err
board_newest(struct board *board, int64_t *stamp, struct buf *why)
{
    *stamp = newest_stamp(board);
    return board_err(board, why);
}

enum err
board_latest(struct board *board, int64_t *stamp, struct buf *why)
{
    (void)db_row(board->db, "SELECT max(stamp) FROM posts", ">i", stamp);
    return board_err(board, why);
}

/* The board's clock: never behind the newest post, unless that was written
 * while the machine's clock was days ahead. */
int64_t
board_time(struct board *board, int64_t now)
{
    int64_t newest = newest_stamp(board);

    return now > newest || newest - now > FAR_AHEAD ? now : newest;
}

/* The post that an author sent with a key; 0: none. */
int64_t
board_find_key(struct board *board, const char *author, const char *key)
{
    int64_t id = 0;

    (void)db_row(board->db, "SELECT id FROM posts WHERE author = ? AND key = ?",
                 "tt>i", author, key, &id);
    return id;
}

static void
insert_post(struct board *board, const struct board_draft *draft, int64_t now,
            int64_t *id, int64_t *time)
{
    *time = board_time(board, now);
    *id = draft->key == NULL ? 0
                             : board_find_key(board, draft->author, draft->key);
    if (*id != 0) {
        return;
    }
    db_run(board->db,
           "INSERT INTO posts (place, author, text, key, stamp)"
           " VALUES (?, ?, ?, ?, ?)",
           "tttti", draft->place, draft->author, draft->text, draft->key,
           *time);
    *id = db_last_row(board->db);
    if (draft->reply != 0) {
        db_run(board->db, "INSERT INTO replies (post, target) VALUES (?, ?)",
               "ii", *id, draft->reply);
    }
}

enum err
board_add(struct board *board, const struct board_draft *draft, int64_t now,
          int64_t *id, int64_t *time, struct buf *why)
{
    db_begin(board->db);
    insert_post(board, draft, now, id, time);
    db_commit(board->db);
    return board_err(board, why);
}

/* ---- threads ------------------------------------------------------------- */

static void
add_title(struct board *board, const char *thread, struct buf *title)
{
    (void)db_row(board->db,
                 "SELECT title FROM threads WHERE 'thread/' || id = ?", "t>t",
                 thread, title);
}

enum err
board_title(struct board *board, const char *thread, struct buf *title,
            struct buf *why)
{
    add_title(board, thread, title);
    return board_err(board, why);
}

/* Does a place exist that people can post in? */
bool
board_has_place(struct board *board, const char *place)
{
    struct buf title = BUF_INIT;
    bool has = board_is_place(place);

    if (has && is_gallery(place)) {
        has = db_row(board->db,
                     "SELECT 1 FROM galleries WHERE 'gallery/' || id = ?", "t>",
                     place);
    } else if (has && strncmp(place, "thread/", strlen("thread/")) == 0) {
        add_title(board, place, &title);
        has = title.len > 0;
    }
    buf_release(&title);
    return has;
}

static void
add_newest_thread(struct board *board, struct buf *place)
{
    int64_t id = 0;

    buf_add_text(place, "thread");
    if (db_row(board->db, "SELECT id FROM threads ORDER BY id DESC LIMIT 1",
               ">i", &id)) {
        buf_addf(place, "/%lld", (long long)id);
    }
}

int64_t
board_open_thread(struct board *board, const char *title, const char *key)
{
    int64_t id = 0;

    if (db_row(board->db, "SELECT id FROM threads WHERE key = ?", "t>i", key,
               &id)) {
        return id;
    }
    db_run(board->db, "INSERT INTO threads (title, key) VALUES (?, ?)", "tt",
           title, key);
    return db_last_row(board->db);
}

int64_t
board_open_gallery(struct board *board, const char *title, const char *key,
                   const char *user)
{
    int64_t id = 0;

    if (!db_row(board->db, "SELECT id FROM galleries WHERE key = ?", "t>i", key,
                &id)) {
        db_run(board->db, "INSERT INTO galleries (title, key) VALUES (?, ?)",
               "tt", title, key);
        id = db_last_row(board->db);
    }
    db_run(board->db,
           "INSERT OR IGNORE INTO members (gallery, user)"
           " VALUES ('gallery/' || ?, ?)",
           "it", id, user);
    return id;
}

bool
board_is_member(struct board *board, const char *gallery, const char *user)
{
    return db_row(board->db,
                  "SELECT 1 FROM members WHERE gallery = ? AND user = ?", "tt>",
                  gallery, user);
}

/* ---- for people ---------------------------------------------------------- */

/* Post as a person in a place. */
static enum err
write_as(struct board *board, const struct board_draft *draft, int64_t now,
         int64_t *id, struct buf *why)
{
    int64_t new_id;
    int64_t time;
    enum err err = board_check_draft(draft, why);

    if (err == ERR_NONE && !board_has_place(board, draft->place)) {
        err =
            err_say(why, ERR_GONE, "%s: there is no such thread", draft->place);
    }
    ERR_THEN(err, board_add(board, draft, now, &new_id, &time, why));
    if (err == ERR_NONE && id != NULL) {
        *id = new_id;
    }
    return err;
}

static enum err
author_check(const char *author, struct buf *why)
{
    if (!board_is_name(author)) {
        return err_say(why, ERR_CONFIG,
                       "a name has 1 to %d bytes of text, and is not \"*\"",
                       BOARD_NAME_MAX);
    }
    if (strcmp(author, BOARD_HOST) == 0) {
        return err_say(why, ERR_CONFIG, "%s is the host's own name",
                       BOARD_HOST);
    }
    return ERR_NONE;
}

enum err
board_write_in(struct board *board, const char *author, const char *thread,
               const char *text, const char *key, int64_t now, int64_t *id,
               struct buf *why)
{
    struct board_draft draft = {author, thread, text, key, 0};
    enum err err = author_check(author, why);

    if (err == ERR_NONE && !board_is_thread(thread) &&
        !board_is_member(board, thread, author)) {
        err = err_say(why, ERR_GONE, "%s: there is no such thread", thread);
    }
    return err != ERR_NONE ? err : write_as(board, &draft, now, id, why);
}

enum err
board_write(struct board *board, const char *author, bool in_private,
            const char *text, const char *key, int64_t now, int64_t *id,
            struct buf *why)
{
    struct buf place = BUF_INIT;
    enum err err = author_check(author, why);

    if (err == ERR_NONE && in_private) {
        board_dm(author, &place);
    } else {
        add_newest_thread(board, &place);
    }
    if (err == ERR_NONE) {
        struct board_draft draft = {author, buf_text(&place), text, key, 0};

        err = write_as(board, &draft, now, id, why);
    }
    buf_release(&place);
    return err;
}

/* Append the place of a post that a user can read; ERR_GONE: there is none. */
static enum err
place_of_post(struct board *board, const char *user, int64_t id,
              struct buf *place, struct buf *why)
{
    bool found = db_row(board->db,
                        "SELECT place FROM posts WHERE id = ?1 AND hidden = 0"
                        " AND " BOARD_VISIBLE,
                        "iti>t", id, user, (int64_t)0, place);
    enum err err = board_err(board, why);

    return err != ERR_NONE || found
               ? err
               : err_say(why, ERR_GONE, "%lld: there is no such post",
                         (long long)id);
}

enum err
board_reply(struct board *board, const char *author, int64_t reply,
            const char *text, int64_t now, int64_t *id, struct buf *why)
{
    struct buf place = BUF_INIT;
    enum err err = author_check(author, why);

    ERR_THEN(err, place_of_post(board, author, reply, &place, why));
    if (err == ERR_NONE) {
        struct board_draft draft = {author, buf_text(&place), text, NULL,
                                    reply};

        err = write_as(board, &draft, now, id, why);
    }
    buf_release(&place);
    return err;
}

enum err
board_read(struct board *board, int64_t after, const char *dms,
           void (*each)(void *context, const struct board_post *post),
           void *context, struct buf *why)
{
    bool all = dms != NULL && strcmp(dms, "*") == 0;
    sqlite3_stmt *rows =
        db_query(board->db,
                 "SELECT id, stamp, edited, place, author, text,"
                 " (SELECT group_concat(text || ' by ' || author, ', ') FROM"
                 "  (SELECT text, author FROM reactions WHERE post = posts.id"
                 "   ORDER BY id)),"
                 " (SELECT target FROM replies WHERE post = posts.id)"
                 " FROM posts WHERE id > ?1 AND hidden = 0 AND " BOARD_VISIBLE
                 " ORDER BY id",
                 "iti", after, dms == NULL ? "" : dms, (int64_t)all);

    while (db_next(board->db, rows)) {
        struct board_post post = {
            .id = db_int(rows, 0),
            .stamp = db_int(rows, 1),
            .edited = db_int(rows, 2),
            .place = db_text(rows, 3),
            .author = db_text(rows, 4),
            .text = db_text(rows, 5),
            .reactions = db_text(rows, 6),
            .reply = db_int(rows, 7),
        };

        each(context, &post);
    }
    return board_err(board, why);
}
