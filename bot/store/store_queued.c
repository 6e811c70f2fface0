#include "bot/store/store_queued.h"

#include <stdio.h>
#include <string.h>

#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"
#include "bot/store/store_session.h"

int64_t
store_question(const struct message *message)
{
    return message->about != 0 ? -(int64_t)message->about
                               : (int64_t)message->calls;
}

void
store_set_question(struct message *message, int64_t question)
{
    message->calls = question > 0 ? (unsigned)question : 0;
    message->about = question < 0 ? (unsigned)-question : 0;
}

enum err
store_insert_queued(struct store *store, const struct queued_message *queued,
                    struct buf *why)
{
    const struct message *message = &queued->message;
    struct buf sealed = BUF_INIT;
    if (queued->hidden) {
        return store_insert_hidden(store, queued, why);
    }
    store_seal_text(store, queued, &sealed);
    enum err err = db_run(
        store->db, why,
        "INSERT INTO message(id, batch, game, place, thread, kind, state, text,"
        " user, post, post_place, pings, once, waits, not_after, written,"
        " picture, report, sent, changed, key, calls, deadline)"
        " VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0,"
        " ?, ?, ?)",
        "iitttibtttttiiiittii", queued->id, queued->batch, queued->game,
        queued->place, queued->thread, (int64_t)message->kind, sealed.data,
        sealed.len, message->user, message->post, message->place,
        message->pings, message->once, (int64_t)message->waits,
        message->not_after, message->written, (int64_t)message->picture,
        message->report, queued->key, store_question(message),
        message->deadline);
    buf_release(&sealed);
    return err;
}

/* Read what became of it so far. */
static void
read_delivery(sqlite3_stmt *rows, struct queued_message *queued)
{
    (void)snprintf(queued->key, sizeof queued->key, "%s", db_text(rows, 19));
    queued->named = db_int(rows, 22);
    queued->in_flight = db_int(rows, 23);
    queued->delivered = db_int(rows, 24);
    queued->refused_at = db_int(rows, 25);
    queued->refused = (enum refused)db_int(rows, 26);
    (void)snprintf(queued->trouble, sizeof queued->trouble, "%s",
                   db_text(rows, 27));
    queued->shape = (enum shape)db_int(rows, 28);
    queued->part = (unsigned)db_int(rows, 29);
    queued->unapproved = db_int(rows, 30);
    queued->alarmed = db_int(rows, 32) != 0;
}

enum err
store_read_queued(const struct store *store, sqlite3_stmt *rows,
                  struct queued_message *read, struct buf *why)
{
    struct queued_message queued;
    memset(&queued, 0, sizeof queued);
    queued.id = db_int(rows, 0);
    queued.batch = db_int(rows, 1);
    (void)snprintf(queued.game, sizeof queued.game, "%s", db_text(rows, 2));
    (void)snprintf(queued.place, sizeof queued.place, "%s", db_text(rows, 3));
    (void)snprintf(queued.thread, sizeof queued.thread, "%s", db_text(rows, 4));
    queued.message.kind = (enum message_kind)db_int(rows, 5);
    queued.state = (enum queued_state)db_int(rows, 6);
    queued.message.user = db_copy_text(rows, 8);
    queued.message.post = db_copy_text(rows, 9);
    queued.message.place = db_copy_text(rows, 10);
    queued.message.waits = db_int(rows, 11) != 0;
    queued.message.not_after = db_int(rows, 12);
    (void)snprintf(queued.sent, sizeof queued.sent, "%s", db_text(rows, 13));
    queued.changed = db_int(rows, 14) != 0;
    queued.message.pings = db_copy_text(rows, 15);
    queued.message.written = db_int(rows, 16);
    queued.message.picture = db_int(rows, 17) != 0;
    queued.message.report = db_copy_text(rows, 18);
    store_set_question(&queued.message, db_int(rows, 20));
    queued.message.deadline = db_int(rows, 21);
    read_delivery(rows, &queued);
    enum err err = db_is_null(rows, 31)
                       ? ERR_NONE
                       : store_open_delivery(store, rows, 31, &queued, why);
    queued.waiting = queued.message.written;
    if (queued.state == QUEUED_IN_FLIGHT ||
        (queued.state == QUEUED_WAITING && queued.unapproved != 0)) {
        queued.state = QUEUED_DOUBTFUL;
    }
    *read = queued;
    return err;
}

/* Open the text, which is sealed for the name of its message. */
static enum err
open_text(const struct store *store, sqlite3_stmt *rows,
          struct queued_message *queued, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf text = BUF_INIT;
    store_name_message(queued, &name);
    enum err err =
        store_unseal(store, buf_text(&name), rows, QUEUED_TEXT, &text, why);
    if (err == ERR_NONE && !db_is_null(rows, QUEUED_TEXT)) {
        queued->message.text = must_copy(buf_text(&text));
    }
    buf_release(&name);
    buf_wipe(&text);
    return err;
}

enum err
store_load_queued(const struct store *store, sqlite3_stmt *rows,
                  struct queued_message *queued, struct buf *why)
{
    enum err err = store_read_queued(store, rows, queued, why);
    return err == ERR_NONE ? open_text(store, rows, queued, why) : err;
}

static enum err
update_queued(struct store *store, const struct queued_message *queued,
              struct buf *why)
{
#define SAVE                                                                   \
    "UPDATE message SET state = ?, changed = ?, named = ?, in_flight = ?,"     \
    " delivered = ?, refused_at = ?, refused = ?, trouble = ?, shape = ?,"     \
    " part = ?, unapproved = ?"
    const struct message *message = &queued->message;
    if (queued->hidden) {
        return store_save_hidden(store, queued, why);
    }
    bool kept = message->kind == MESSAGE_STATUS ||
                (message->kind == MESSAGE_POST && message->deadline != 0 &&
                 queued->delivered != 0);
    bool wipe = queued->state == QUEUED_SENT && !kept;
    /* What stays is seldom sent anew: the index of `sent` is left alone. */
    enum err err = db_run(
        store->db, why,
        wipe ? SAVE ", text = NULL, sent = ?13 WHERE id = ?12"
             : SAVE " WHERE id = ?12",
        wipe ? "iiiiiiitiiiit" : "iiiiiiitiiii",
        (int64_t)queued_saved_state(queued), (int64_t)queued->changed,
        queued->named, queued->in_flight, queued->delivered, queued->refused_at,
        (int64_t)queued->refused, queued->trouble, (int64_t)queued->shape,
        (int64_t)queued->part, queued->unapproved, queued->id, queued->sent);
    return err == ERR_NONE && !wipe
               ? store_save_sent(store, queued->id, queued->sent, why)
               : err;
#undef SAVE
}

/* Of a game that is over nobody asks any more what was sent, but where its
 * status post is; and, while a post waits that may be looked for in its thread,
 * which of the posts like it are others. */
enum err
store_forget_sent(struct store *store, const char *game, const char *thread,
                  struct buf *why)
{
    return db_run(store->db, why,
                  "DELETE FROM message WHERE game IN"
                  " (SELECT id FROM game WHERE over = 1 AND id IN"
                  " (SELECT ?1 UNION SELECT game FROM message"
                  " WHERE thread = ?2 AND kind = 2))"
                  " AND kind <> 2 AND state = 2"
                  " AND (kind <> 0 OR NOT EXISTS (SELECT 1 FROM message"
                  " WHERE thread = ?2 AND kind = 0 AND state <> 2)"
                  " AND NOT EXISTS (SELECT 1 FROM message"
                  " WHERE game = ?1 AND kind = 0 AND kind <> 2"
                  " AND state <> 2))",
                  "tt", game, thread);
}

/* The same of answers to whoever was at no table. */
static enum err
forget_answers(struct store *store, const char *thread, struct buf *why)
{
    return db_run(store->db, why,
                  "DELETE FROM message WHERE game = '' AND thread = ?1"
                  " AND kind <> 2 AND state = 2 AND once IS NULL"
                  " AND NOT EXISTS (SELECT 1 FROM message"
                  " WHERE thread = ?1 AND kind = 0 AND state <> 2)",
                  "t", thread);
}

/* A message was sent.  If it is none of a game that is on, nobody may need any
 * more what was sent in its thread. */
static enum err
forget_if_over(struct store *store, const struct queued_message *queued,
               struct buf *why)
{
    int64_t over = 1;
    enum err err = ERR_NONE;
    if (queued->game[0] != '\0') {
        err = db_row(store->db, why, NULL, "SELECT over FROM game WHERE id = ?",
                     "t>i", queued->game, &over);
    }
    if (err != ERR_NONE || over != 1) {
        return err;
    }
    bool status = queued->message.kind == MESSAGE_STATUS;
    if (status || queued->hidden) {
        err = db_run(store->db, why,
                     status ? "UPDATE message SET text = NULL WHERE id = ?"
                            : "DELETE FROM message WHERE id = ?",
                     "i", queued->id);
    }
    if (err == ERR_NONE) {
        err = store_forget_sent(store, queued->game, queued->thread, why);
    }
    return err == ERR_NONE && queued->game[0] == '\0'
               ? forget_answers(store, queued->thread, why)
               : err;
}

enum err
store_end_queued(struct store *store, struct outbox *outbox,
                 struct queued_message *queued, struct buf *why)
{
    queued->state = QUEUED_SENT;
    enum err err = store_save_queued(store, queued, why);
    outbox_done(outbox, queued->id);
    return err;
}

enum err
store_save_queued(struct store *store, const struct queued_message *queued,
                  struct buf *why)
{
    enum err err = update_queued(store, queued, why);
    return err == ERR_NONE && queued->state == QUEUED_SENT
               ? forget_if_over(store, queued, why)
               : err;
}
