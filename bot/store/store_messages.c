/* Messages: loading those that are not sent, and questions about any. */
#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"
#include "bot/store/store_session.h"

/* ---- the outbox ---------------------------------------------------------- */

/* Load the current row's message, unless it is a session's that has ended. */
static void
load_message(const struct store *store, sqlite3_stmt *rows,
             struct outbox *outbox)
{
    struct queued_message queued;
    struct buf trouble = BUF_INIT;
    enum err err = store_load_queued(store, rows, &queued, &trouble);
    if (err == ERR_NONE && queued.state != QUEUED_SENT) {
        queued.state = store->copied != 0 ? QUEUED_DOUBTFUL : queued.state;
        (void)outbox_add(outbox, &queued);
    } else if (err != ERR_NONE) {
        log_line(LOG_LEVEL_ERROR, "%s; it is not sent", buf_text(&trouble));
    }
    message_release(&queued.message);
    buf_release(&trouble);
}

void
store_load_outbox(struct store *store, struct outbox *outbox)
{
    sqlite3_stmt *rows = db_query(
        store->db,
        "SELECT " QUEUED_COLUMNS " FROM message INDEXED BY message_waiting"
        " WHERE state <> 2 AND " MESSAGE_FITS " ORDER BY id",
        "");
    while (db_next(store->db, rows)) {
        load_message(store, rows, outbox);
    }
}

enum err
store_check_messages(struct store *store, const char *game, struct buf *why)
{
    int64_t id = 0;
    bool odd = db_row(store->db,
                      "SELECT id FROM message WHERE game = ?1 AND kind <> 2"
                      " AND " MESSAGE_UNFIT
                      " UNION ALL SELECT id FROM message WHERE game = ?1"
                      " AND kind = 2 AND " MESSAGE_UNFIT,
                      "t>i", game, &id);
    return odd ? err_say(why, ERR_GARBLED,
                         "game %s: row %lld of the table \"message\" can't be "
                         "right, so the game is on hold; restore the store "
                         "from a backup",
                         game, (long long)id)
               : store_err(store, why);
}

void
store_alarmed(struct store *store, const struct queued_message *queued)
{
    if (!queued->hidden) {
        db_run(store->db, "UPDATE message SET alarmed = 1 WHERE id = ?", "i",
               queued->id);
    }
}

/* Have a delivered call of the current row edited, or posted `anew` as a
 * message of its own.  One that can't be opened stays as it is. */
static void
recall(struct store *store, sqlite3_stmt *rows, struct outbox *outbox,
       bool anew)
{
    struct queued_message queued;
    struct buf trouble = BUF_INIT;
    if (store_load_queued(store, rows, &queued, &trouble) != ERR_NONE) {
        log_line(LOG_LEVEL_ERROR, "%s; it is not edited", buf_text(&trouble));
    } else if (outbox_find(outbox, queued.id) == NULL) {
        struct queued_message *recalled = outbox_add(outbox, &queued);
        recalled->state = QUEUED_WAITING;
        if (anew) {
            recalled->sent[0] = '\0';
            recalled->part = QUEUED_ANEW;
        }
        outbox_changed(outbox, recalled);
        store_save_queued(store, recalled);
    }
    message_release(&queued.message);
    buf_release(&trouble);
}

/* What was posted anew is not posted once more. */
void
store_recall(struct store *store, const char *game, unsigned calls,
             const char *gone, struct outbox *outbox)
{
    sqlite3_stmt *rows = db_query(
        store->db,
        "SELECT " QUEUED_COLUMNS " FROM message WHERE game = ? AND calls = ?"
        " AND calls <> 0 AND kind = 0 AND state = 2 AND sent <> ''"
        " AND CASE ? WHEN '' THEN deadline <> 0 ELSE sent = ? AND part < ? END"
        " AND text IS NOT NULL",
        "titti", game, (int64_t)calls, gone, gone, (int64_t)QUEUED_ANEW);
    while (db_next(store->db, rows)) {
        recall(store, rows, outbox, gone[0] != '\0');
    }
}

void
store_move_games(struct store *store, const char *place, const char *old,
                 const char *new)
{
    db_run(store->db,
           "UPDATE game SET thread = ?"
           " WHERE thread = ? AND place = ? AND over = 0",
           "ttt", new, old, place);
    db_run(store->db,
           "UPDATE message SET changed = 0, state = 2"
           " WHERE thread = ? AND place = ? AND state <> 2"
           " AND kind = 2 AND sent <> ''",
           "tt", old, place);
}

void
store_move_message(struct store *store, const struct queued_message *queued)
{
    struct buf sealed = store_seal_text(store, queued);
    db_run(store->db, "UPDATE message SET thread = ?, text = ? WHERE id = ?",
           "tbi", queued->thread, sealed.data, sealed.len, queued->id);
    buf_release(&sealed);
}

/* ---- what is undelivered ------------------------------------------------- */

/* Count a session's message that waits among those of its game. */
static void
count_hidden(const struct queued_message *queued, struct store_message *message)
{
    int64_t written = queued->message.written;
    if (message->count == 0) {
        *message =
            (struct store_message){.kind = MESSAGE_PRIVATE, .written = written};
        (void)snprintf(message->game, sizeof message->game, "%s", queued->game);
        (void)snprintf(message->place, sizeof message->place, "%s",
                       queued->place);
    }
    message->calls = message->calls || queued->message.calls != 0;
    message->written = written < message->written ? written : message->written;
    message->count++;
}

/* Call `each` for the sessions' messages, game by game.  A reader without the
 * key learns nothing of them. */
static enum err
hidden_undelivered(struct store *store, int64_t before,
                   store_message_reader *each, void *context, struct buf *why)
{
    struct store_message message = {.count = 0};
    enum err err = ERR_NONE;
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT " QUEUED_COLUMNS " FROM message WHERE state <> 2"
                 " AND delivery IS NOT NULL ORDER BY game, id",
                 "");
    while (err == ERR_NONE && db_next(store->db, rows)) {
        struct queued_message queued;
        bool read = store_read_queued(store, rows, &queued, NULL) == ERR_NONE;
        if (message.count > 0 && strcmp(message.game, queued.game) != 0) {
            err = each(context, &message, why);
            message.count = 0;
        }
        if (read && queued.state != QUEUED_SENT && queued.delivered == 0 &&
            (queued.refused_at != 0 || queued.message.written < before)) {
            count_hidden(&queued, &message);
        }
        message_release(&queued.message);
    }
    err = db_end(store->db, rows, err, why);
    return err == ERR_NONE && message.count > 0 ? each(context, &message, why)
                                                : err;
}

enum err
store_undelivered(struct store *store, int64_t before,
                  store_message_reader *each, void *context, struct buf *why)
{
    sqlite3_stmt *rows = db_query(
        store->db,
        "SELECT game, place, max(trouble), kind, max(calls > 0), min(written),"
        " count(*), sum(unapproved <> 0),"
        " iif(state = 1 AND kind IN (0, 1, 5), id, 0) AS doubtful FROM message"
        " WHERE state <> 2 AND delivered = 0 AND delivery IS NULL"
        " AND (refused_at <> 0 OR unapproved <> 0 OR written < ?)"
        " GROUP BY game, place, kind, doubtful ORDER BY min(id)",
        "i", before);
    enum err err = ERR_NONE;
    while (err == ERR_NONE && db_next(store->db, rows)) {
        struct store_message message;
        int64_t kind = 0;
        db_read(rows, "sssiyiiii", message.game, sizeof message.game,
                message.place, sizeof message.place, message.trouble,
                sizeof message.trouble, &kind, &message.calls, &message.written,
                &message.count, &message.unapproved, &message.id);
        message.kind = (enum message_kind)kind;
        err = each(context, &message, why);
    }
    err = db_end(store->db, rows, err, why);
    return err == ERR_NONE
               ? hidden_undelivered(store, before, each, context, why)
               : err;
}

/* ---- what the operator says of them ------------------------------------- */

enum err
store_note_settled(const char *path, int64_t message, bool there,
                   struct buf *why)
{
    return store_run_beside(path,
                            "INSERT OR REPLACE INTO operator_settled(message,"
                            " there) VALUES(?1, ?2)",
                            message, there ? "1" : "0", why);
}

int64_t
store_next_settled(struct store *store, bool *there)
{
    int64_t message = 0;
    (void)db_row(store->db,
                 "SELECT message, there FROM operator_settled LIMIT 1", ">iy",
                 &message, there);
    return message;
}

void
store_forget_settled(struct store *store, int64_t message)
{
    db_run(store->db, "DELETE FROM operator_settled WHERE message = ?", "i",
           message);
}

/* ---- posts of the host --------------------------------------------------- */

void
store_status_post(struct store *store, const char *game, const char *thread,
                  struct buf *post)
{
    (void)db_row(store->db,
                 "SELECT sent FROM message"
                 " WHERE game = ? AND thread = ? AND kind = 2",
                 "tt>t", game, thread, post);
}

/* Append the first column of all rows, a line each. */
static void
list_posts(struct store *store, sqlite3_stmt *rows, struct buf *posts)
{
    while (db_next(store->db, rows)) {
        buf_addf(posts, "%s\n", db_text(rows, 0));
    }
}

/* `kind <> 2` says nothing new, but the index has it.  Answers to whoever is at
 * no table belong to no game. */
void
store_sent_posts(struct store *store, const char *game, const char *thread,
                 struct buf *posts)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT sent FROM message WHERE game IN"
                 " (SELECT ?1 UNION SELECT '' UNION SELECT game"
                 " FROM message WHERE thread = ?2 AND kind = 2)"
                 " AND thread = ?2 AND kind = 0 AND kind <> 2"
                 " AND state = 2 AND sent <> ''"
                 " ORDER BY id DESC LIMIT 200",
                 "tt", game, thread);
    list_posts(store, rows, posts);
}

void
store_old_status(struct store *store, const char *thread, struct buf *posts)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT sent FROM message JOIN game"
                 " ON game.id = message.game AND game.over = 1"
                 " WHERE message.thread = ? AND message.kind = 2"
                 " AND message.sent <> ''"
                 " ORDER BY message.id DESC LIMIT 50",
                 "t", thread);
    list_posts(store, rows, posts);
}

void
store_game_of_message(struct store *store, const char *post, const char *to,
                      struct buf *game, struct buf *asker)
{
    char sign[SIGN_SIZE];
    bool found = false;
    store_sign(store, SIGN_SENT, post, sign);
    sqlite3_stmt *rows = db_query(store->db,
                                  "SELECT " QUEUED_COLUMNS
                                  " FROM message WHERE kind <= 1 AND sent <> ''"
                                  " AND (sent = ? OR sent = ?)",
                                  "tt", post, sign);
    while (!found && db_next(store->db, rows)) {
        struct queued_message queued;
        const struct message *message = &queued.message;
        found = store_read_queued(store, rows, &queued, NULL) == ERR_NONE &&
                (to == NULL ? message->post != NULL
                            : message->kind == MESSAGE_PRIVATE &&
                                  message->user != NULL &&
                                  strcmp(message->user, to) == 0);
        if (found) {
            buf_add_text(game, queued.game);
            db_done(rows);
        }
        if (found && to == NULL) {
            buf_add_text(asker, message->post);
        }
        message_release(&queued.message);
    }
}

void
store_game_of_post(struct store *store, const char *thread, const char *post,
                   struct buf *game)
{
    (void)db_row(store->db,
                 "SELECT game FROM message WHERE sent = ? AND sent <> ''"
                 " AND thread = ? AND kind IN (0, 2)",
                 "tt>t", post, thread, game);
}

unsigned
store_request(struct store *store, const char *game, const char *post)
{
    unsigned number = 0;
    (void)db_row(store->db,
                 "SELECT substr(once, length(game) + 10) FROM message"
                 " WHERE sent = ? AND sent <> '' AND game = ?"
                 " AND kind = 0 AND once LIKE game || '/request %'",
                 "tt>u", post, game, &number);
    return number;
}
