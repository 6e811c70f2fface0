#include "bot/store/store_queued.h"

#include <stdio.h>
#include <string.h>

#include "bot/store/store_inner.h"
#include "bot/store/store_sealed.h"
#include "bot/store/store_session.h"

/* What stands in the clear of a session's message is the same for all. */
void
store_insert_queued(struct store *store, const struct queued_message *queued)
{
#define MARK(...)                    "?, "
#define LETTER_T(...)                "t"
#define LETTER_I(...)                "i"
#define TEXT(column, member)         shown.member,
#define NUMBER(column, type, member) (int64_t) shown.member,
    struct queued_message shown = *queued;
    shown.state = queued_saved_state(queued);
    struct buf text = store_seal_text(store, queued);
    struct buf delivery = BUF_INIT;
    char once[SIGN_SIZE];
    if (queued->hidden) {
        delivery = store_hide(store, queued, &shown, once);
    }
    db_run(store->db,
           "INSERT INTO message(" QUEUED_COLUMNS
           ", once) VALUES(" QUEUED_TEXTS(MARK) QUEUED_OWNED(MARK)
               QUEUED_NUMBERS(MARK) QUEUED_FATE(MARK) "?, ?, ?, ?)",
           QUEUED_TEXTS(LETTER_T) QUEUED_OWNED(LETTER_T)
               QUEUED_NUMBERS(LETTER_I) QUEUED_FATE(LETTER_I) "ibbt",
           QUEUED_TEXTS(TEXT) QUEUED_OWNED(TEXT) QUEUED_NUMBERS(NUMBER)
               QUEUED_FATE(NUMBER) store_question(&shown.message),
           delivery.data, delivery.len, text.data, text.len,
           shown.message.once);
    buf_release(&text);
    buf_release(&delivery);
#undef MARK
#undef LETTER_T
#undef LETTER_I
#undef TEXT
#undef NUMBER
}

enum err
store_read_queued(const struct store *store, sqlite3_stmt *rows,
                  struct queued_message *read, struct buf *why)
{
#define TEXT(column, member)                                                   \
    (void)snprintf(queued.member, sizeof queued.member, "%s",                  \
                   db_text(rows, at++));
#define OWNED(column, member)        queued.member = db_copy_text(rows, at++);
#define NUMBER(column, type, member) queued.member = (type)db_int(rows, at++);
    struct queued_message queued;
    int at = 0;
    memset(&queued, 0, sizeof queued);
    QUEUED_TEXTS(TEXT)
    QUEUED_OWNED(OWNED)
    QUEUED_NUMBERS(NUMBER)
    QUEUED_FATE(NUMBER)
    store_set_question(&queued.message, db_int(rows, at++));
    enum err err = db_is_null(rows, at)
                       ? ERR_NONE
                       : store_open_delivery(store, rows, at, &queued, why);
    queued.waiting = queued.message.written;
    if (queued.state == QUEUED_IN_FLIGHT ||
        (queued.state == QUEUED_WAITING && queued.unapproved != 0)) {
        queued.state = QUEUED_DOUBTFUL;
    }
    *read = queued;
    return err;
#undef TEXT
#undef OWNED
#undef NUMBER
}

enum err
store_load_queued(const struct store *store, sqlite3_stmt *rows,
                  struct queued_message *queued, struct buf *why)
{
    int column = sqlite3_column_count(rows) - 1;
    struct buf text = BUF_INIT;
    enum err err = store_read_queued(store, rows, queued, why);
    ERR_THEN(err, store_unseal(store, rows, column, &text, why, NAME_MESSAGE,
                               NAME_MESSAGE_OF(queued, !queued->hidden)));
    if (err == ERR_NONE && !db_is_null(rows, column)) {
        queued->message.text = must_copy(buf_text(&text));
    }
    buf_wipe(&text);
    return err;
}

static void
update_queued(struct store *store, const struct queued_message *queued)
{
#define SET(column, ...)             column " = ?, "
#define LETTER(...)                  "i"
#define NUMBER(column, type, member) (int64_t) saved.member,
    const struct message *message = &queued->message;
    if (queued->hidden) {
        store_save_hidden(store, queued);
        return;
    }
    bool kept = message->kind == MESSAGE_STATUS ||
                (message->kind == MESSAGE_POST && message->deadline != 0 &&
                 queued->delivered != 0);
    bool wipe = queued->state == QUEUED_SENT && !kept;
    struct queued_message saved = *queued;
    saved.state = queued_saved_state(queued);
    /* What stays is seldom sent anew: the index of `sent` is left alone. */
    db_run(store->db,
           wipe ? "UPDATE message SET " QUEUED_FATE(
                      SET) "trouble = ?11,"
                           " text = NULL, sent = ?13 WHERE id = ?12"
                : "UPDATE message SET " QUEUED_FATE(SET) "trouble = ?11"
                                                         " WHERE id = ?12",
           wipe ? QUEUED_FATE(LETTER) "tit" : QUEUED_FATE(LETTER) "ti",
           QUEUED_FATE(NUMBER) queued->trouble, queued->id, queued->sent);
    if (!wipe) {
        store_save_sent(store, queued->id, queued->sent);
    }
#undef SET
#undef LETTER
#undef NUMBER
}

/* Of a game that is over nobody asks any more what was sent, but where its
 * status post is; and, while a post waits that may be looked for in its thread,
 * which of the posts like it are others. */
void
store_forget_sent(struct store *store, const char *game, const char *thread)
{
    db_run(store->db,
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
static void
forget_answers(struct store *store, const char *thread)
{
    db_run(store->db,
           "DELETE FROM message WHERE game = '' AND thread = ?1"
           " AND kind <> 2 AND state = 2 AND once IS NULL"
           " AND NOT EXISTS (SELECT 1 FROM message"
           " WHERE thread = ?1 AND kind = 0 AND state <> 2)",
           "t", thread);
}

/* A message was sent.  If it is none of a game that is on, nobody may need any
 * more what was sent in its thread. */
static void
forget_if_over(struct store *store, const struct queued_message *queued)
{
    bool status = queued->message.kind == MESSAGE_STATUS;
    if (db_row(store->db, "SELECT 1 FROM game WHERE id = ? AND over = 0", "t",
               queued->game)) {
        return;
    }
    if (status || queued->hidden) {
        db_run(store->db,
               status ? "UPDATE message SET text = NULL WHERE id = ?"
                      : "DELETE FROM message WHERE id = ?",
               "i", queued->id);
    }
    store_forget_sent(store, queued->game, queued->thread);
    if (queued->game[0] == '\0') {
        forget_answers(store, queued->thread);
    }
}

void
store_end_queued(struct store *store, struct outbox *outbox,
                 struct queued_message *queued)
{
    queued->state = QUEUED_SENT;
    store_save_queued(store, queued);
    outbox_done(outbox, queued->id);
}

void
store_save_queued(struct store *store, const struct queued_message *queued)
{
    update_queued(store, queued);
    if (queued->state == QUEUED_SENT) {
        forget_if_over(store, queued);
    }
}
