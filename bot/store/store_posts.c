/* Posts: those that were read, and those that are deferred. */
#include <stdio.h>
#include <string.h>

#include "adapters/markup/dialects.h"
#include "bot/base/log.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"

/* ---- posts that were read ------------------------------------------------ */

/* Seal how a post was read.  The verdict on a private post tells a card or a
 * vote, so all of them have one length, and none is left out. */
static struct buf
seal_verdict(const struct store *store, const char *service,
             const struct post *post, const char *verdict)
{
    size_t len = strlen(verdict);
    if (len == 0 && !post->dm) {
        return (struct buf)BUF_INIT;
    }
    return store_seal(store, verdict, len,
                      post->dm ? padded(len + 1, ROOM_VERDICT) : len,
                      NAME_VERDICT, service, post->id, post->place);
}

/* A place's number, by its service and its name. */
#define PLACE_NUMBER                                                           \
    "(SELECT number FROM post_place WHERE service = ? AND place = ?)"

/* A post, by its service, its place and its id. */
#define OF_POST " WHERE place = " PLACE_NUMBER " AND id = ?"

/* Posts, by their ids, with their places. */
#define FROM_POST_AND_PLACE                                                    \
    " FROM post CROSS JOIN post_place ON post_place.number = post.place"

bool
store_was_seen(struct store *store, const char *service,
               const struct post *post)
{
    return db_row(store->db, "SELECT 1 FROM post" OF_POST, "ttt", service,
                  post->place, post->id);
}

static void
add_place(struct store *store, const char *service, const char *place)
{
    db_run(store->db,
           "INSERT INTO post_place(service, place) VALUES(?, ?)"
           " ON CONFLICT DO NOTHING",
           "tt", service, place);
}

bool
store_see(struct store *store, const char *service, const struct post *post,
          int64_t fingerprint, const char *verdict)
{
    bool again = store_was_seen(store, service, post);
    struct buf sealed = seal_verdict(store, service, post, verdict);
    if (!again) {
        add_place(store, service, post->place);
    }
    if (!again || verdict[0] != '\0') {
        db_run(store->db,
               "INSERT INTO post(place, id, author, stamp, verdict,"
               " fingerprint)"
               " VALUES(" PLACE_NUMBER ", ?, ?, ?, ?, nullif(?, 0))"
               " ON CONFLICT DO UPDATE SET verdict = excluded.verdict",
               "ttttibi", service, post->place, post->id, post->author,
               post->stamp, sealed.data, sealed.len, fingerprint);
    }
    buf_release(&sealed);
    return again;
}

int64_t
store_fingerprint(const struct store *store, const char *service,
                  const struct post *post, const struct buf *words)
{
    struct buf place = BUF_INIT;
    buf_addf(&place, "%s: what post %s in %s says", service, post->id,
             post->place);
    uint64_t number =
        seal_number(store->seal, buf_text(&place), buf_text(words), words->len);
    buf_release(&place);
    return number == 0 ? 1 : (int64_t)number;
}

bool
store_look(struct store *store, const char *service, const struct post *post,
           int64_t fingerprint, enum wording *before)
{
    int64_t old = 0;
    bool again = db_row(store->db, "SELECT fingerprint FROM post" OF_POST,
                        "ttt>i", service, post->place, post->id, &old);
    *before = old == 0 || fingerprint == 0 ? WORDING_UNKNOWN
              : old == fingerprint         ? WORDING_SAME
                                           : WORDING_OTHER;
    if (again && fingerprint != 0 && old != fingerprint) {
        db_run(store->db, "UPDATE post SET fingerprint = ?" OF_POST, "ittt",
               fingerprint, service, post->place, post->id);
    }
    return again;
}

bool
store_set_pending(struct store *store, const char *service,
                  const struct post *post)
{
    add_place(store, service, post->place);
    db_run(store->db,
           "INSERT INTO pending_post(place, id, author, stamp)"
           " VALUES(" PLACE_NUMBER ", ?, ?, ?)"
           " ON CONFLICT DO NOTHING",
           "tttti", service, post->place, post->id, post->author, post->stamp);
    return db_changes(store->db) == 0;
}

bool
store_was_pending(struct store *store, const char *service,
                  const struct post *post)
{
    return db_row(store->db, "SELECT 1 FROM pending_post" OF_POST, "ttt",
                  service, post->place, post->id);
}

/* They are written anew, for rows that become shorter leave gaps. */
void
store_forget_readings(struct store *store, const char *service,
                      const char *place)
{
    db_run(store->db,
           "REPLACE INTO post(place, id, author, stamp)"
           " SELECT place, id, author, stamp FROM post"
           " WHERE place = " PLACE_NUMBER
           " AND (fingerprint IS NOT NULL OR verdict IS NOT NULL)",
           "tt", service, place);
}

/* Threads of games of a place that were over by some time. */
#define FROM_OLD_THREAD                                                        \
    " FROM post_place WHERE service = ? AND place IN"                          \
    " (SELECT thread FROM game WHERE game.place = ? AND over = 1"              \
    " AND ended <> 0 AND ended <= ?)"
static const char *const forget_threads[] = {
    "DELETE FROM post WHERE place IN (SELECT number" FROM_OLD_THREAD ")",
    "DELETE FROM pending_post WHERE place IN (SELECT number" FROM_OLD_THREAD
    ")",
    "DELETE" FROM_OLD_THREAD,
};

void
store_forget_threads(struct store *store, const char *service,
                     const char *place, int64_t over_by)
{
    for (size_t i = 0; i < 3; i++) {
        db_run(store->db, forget_threads[i], "tti", service, place, over_by);
    }
}

/* What is known of a post. */
#define READ_POST                                                              \
    "SELECT post_place.place, author, stamp, verdict" FROM_POST_AND_PLACE

/* Its verdict is "" if that can't be opened. */
static void
read_post(const struct store *store, const char *service, const char *id,
          sqlite3_stmt *rows, struct read_post *post)
{
    struct buf verdict = BUF_INIT;
    memset(post, 0, sizeof *post);
    (void)snprintf(post->id, sizeof post->id, "%s", id);
    db_read(rows, "ssi", post->place, sizeof post->place, post->author,
            sizeof post->author, &post->stamp);
    if (store_unseal(store, rows, 3, &verdict, NULL, NAME_VERDICT, service, id,
                     post->place) == ERR_NONE) {
        (void)snprintf(post->verdict, sizeof post->verdict, "%s",
                       buf_text(&verdict));
    }
    buf_wipe(&verdict);
}

bool
store_find_post(struct store *store, const char *service, const char *thread,
                const char *id, struct read_post *post)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 READ_POST " WHERE post.id = ? AND service = ?"
                           " ORDER BY post_place.place = ? DESC LIMIT 1",
                 "ttt", id, service, thread);
    bool found = db_next(store->db, rows);
    if (found) {
        read_post(store, service, id, rows, post);
        db_done(rows);
    }
    return found;
}

unsigned
store_find_elsewhere(struct store *store, const char *service,
                     const struct post *post, struct read_post *before)
{
    unsigned count = 0;
    sqlite3_stmt *rows = db_query(
        store->db,
        READ_POST " WHERE post.id = ? AND author = ? AND stamp = ?"
                  " AND service = ? AND post_place.place <> ?",
        "ttitt", post->id, post->author, post->stamp, service, post->place);
    while (db_next(store->db, rows)) {
        read_post(store, service, post->id, rows, before);
        count++;
    }
    return count;
}

bool
store_has_author(struct store *store, const char *service, const char *user)
{
    return db_row(store->db,
                  "SELECT 1" FROM_POST_AND_PLACE
                  " WHERE author = ? AND service = ? LIMIT 1",
                  "tt", user, service);
}

int64_t
store_wrote(struct store *store, const char *service, const char *thread,
            const char *user, int64_t before)
{
    int64_t stamp = 0;
    (void)db_row(store->db,
                 "SELECT max(stamp) FROM (SELECT place, author, stamp FROM post"
                 " UNION ALL SELECT place, author, stamp FROM pending_post)"
                 " WHERE place = " PLACE_NUMBER " AND author = ? AND stamp < ?",
                 "ttti>i", service, thread, user, before, &stamp);
    return stamp;
}

int64_t
store_newest_post(struct store *store, const char *service)
{
    int64_t stamp = 0;
    (void)db_row(store->db,
                 "SELECT max(stamp)" FROM_POST_AND_PLACE " WHERE service = ?",
                 "t>i", service, &stamp);
    return stamp;
}

/* ---- deferred posts ------------------------------------------------------ */

/* What is pressed or commanded is between its author and us, as a private post
 * is: "/vote ja" is shorter than "/vote nein". */
static bool
is_private(const struct post *post)
{
    return post->dm || post->kind == POST_PRESSED;
}

/* A press answers no post: its author's roles are kept there instead. */
static const char *
answered_or_roles(const struct post *post)
{
    return post->kind != POST_PRESSED ? post->reply_to
           : post->roles != NULL      ? post->roles
                                      : "";
}

int64_t
store_defer(struct store *store, const char *service, const char *feed,
            const struct post *post)
{
    const struct dialect *dialect = post->dialect;
    int64_t number = 0;
    (void)db_row(store->db, "SELECT coalesce(max(number), 0) + 1 FROM deferred",
                 ">i", &number);
    struct buf sealed =
        store_seal(store, post->body, post->body_len,
                   is_private(post) ? padded(post->body_len + 1, ROOM_PRIVATE)
                                    : post->body_len,
                   NAME_DEFERRED, (long long)number);
    db_run(
        store->db,
        "INSERT INTO deferred(number, service, feed, kind, place, id, author,"
        " author_name, body, dialect, reply_to, stamp, edited, dm)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "ittittttbttiii", number, service, feed, (int64_t)post->kind,
        post->place, post->id, post->author, post->author_name, sealed.data,
        sealed.len, dialect == NULL ? "" : dialect->name,
        answered_or_roles(post), post->stamp, post->edited,
        (int64_t)post->dm | (int64_t)post->unmet << 1);
    buf_release(&sealed);
    return number;
}

void
store_deferred(struct store *store, store_deferred_reader *each, void *context)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT number, service, feed, place, author, stamp,"
                 " edited, dm & 1, kind = ? FROM deferred ORDER BY number",
                 "i", (int64_t)POST_PRESSED);
    while (db_next(store->db, rows)) {
        struct deferred_post deferred = {.command = true};
        db_read(rows, "issssiiyy", &deferred.number, deferred.service,
                sizeof deferred.service, deferred.feed, sizeof deferred.feed,
                deferred.place, sizeof deferred.place, deferred.author,
                sizeof deferred.author, &deferred.stamp, &deferred.edited,
                &deferred.dm, &deferred.pressed);
        each(context, &deferred);
    }
}

/* The body and the dialect are the last columns. */
static void
read_deferred(sqlite3_stmt *rows, struct buf *body, struct page *page)
{
    struct post *post = page_add(page);
    int64_t kind = 0;
    int64_t dm = 0;
    db_read(rows, "iooooiiio", &kind, &post->place, &post->id, &post->author,
            &post->author_name, &post->stamp, &post->edited, &dm,
            &post->reply_to);
    post->dm = (dm & 1) != 0;
    post->unmet = (dm & 2) != 0;
    post->kind = (enum post_kind)kind;
    post->body_len = body->len;
    post->body = buf_take(body);
    post->dialect = dialects_find(db_text(rows, 10));
    if (post->kind == POST_PRESSED) {
        post->roles = post->reply_to;
        post->reply_to = must_copy("");
    }
}

void
store_deferred_post(struct store *store, int64_t number, struct page *page)
{
    sqlite3_stmt *rows = db_query(store->db,
                                  "SELECT kind, place, id, author, author_name,"
                                  " stamp, edited, dm, reply_to, body, dialect"
                                  " FROM deferred WHERE number = ?",
                                  "i", number);
    if (db_next(store->db, rows)) {
        struct buf body = BUF_INIT;
        struct buf trouble = BUF_INIT;
        if (store_unseal(store, rows, 9, &body, &trouble, NAME_DEFERRED,
                         (long long)number) == ERR_NONE) {
            read_deferred(rows, &body, page);
        } else {
            log_line(LOG_LEVEL_ERROR, "%s", buf_text(&trouble));
        }
        db_done(rows);
        buf_wipe(&body);
        buf_release(&trouble);
    }
}

bool
store_is_deferred(struct store *store, const char *service, const char *id)
{
    return db_row(store->db,
                  "SELECT 1 FROM deferred WHERE service = ? AND id = ? LIMIT 1",
                  "tt", service, id);
}

void
store_forget_deferred(struct store *store, int64_t number)
{
    db_run(store->db, "DELETE FROM deferred WHERE number = ?", "i", number);
}

/* ---- presses ------------------------------------------------------------- */

/* Nothing is lost with them in a power cut but an answer. */

void
store_set_press(struct store *store, const char *service,
                const struct post *post, int64_t came, const char *secret)
{
    size_t len = strlen(secret);
    struct buf sealed =
        store_seal(store, secret, len, padded(len + 1, ROOM_STATE), NAME_PRESS,
                   service, post->id);
    db_begin_unsynced(store->db);
    db_run(store->db,
           "INSERT OR REPLACE INTO press(service, id, place,"
           " came, secret) VALUES(?, ?, ?, ?, ?)",
           "tttib", service, post->id, post->place, came, sealed.data,
           sealed.len);
    db_commit(store->db);
    buf_release(&sealed);
}

void
store_forget_press(struct store *store, const char *service, const char *id)
{
    db_begin_unsynced(store->db);
    db_run(store->db, "DELETE FROM press WHERE service = ? AND id = ?", "tt",
           service, id);
    db_commit(store->db);
}

void
store_presses(struct store *store, store_press_reader *each, void *context)
{
    sqlite3_stmt *rows = db_query(
        store->db, "SELECT service, id, place, came, secret FROM press", "");
    while (db_next(store->db, rows)) {
        struct buf secret = BUF_INIT;
        if (store_unseal(store, rows, 4, &secret, NULL, NAME_PRESS,
                         db_text(rows, 0), db_text(rows, 1)) == ERR_NONE) {
            each(context, db_text(rows, 0), db_text(rows, 1), db_text(rows, 2),
                 db_int(rows, 3), buf_text(&secret));
        }
        buf_wipe(&secret);
    }
}
