/* What a ruling leaves in the store: journal rows, and messages to send. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"
#include "bot/store/store_session.h"

/* ---- journal rows -------------------------------------------------------- */

/* The number of the next row of a table that never uses a number again. */
static enum err
next_row(struct store *store, const char *table, int64_t *row, struct buf *why)
{
    int64_t last = 0;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT seq FROM sqlite_sequence WHERE name = ?",
                          "t>i", table, &last);
    *row = last + 1;
    return err;
}

/* Seal the outline of a table; nothing of one that is over. */
static void
seal_outline(struct store *store, const struct table *table, struct buf *sealed)
{
    struct outline outline = {.texts = NULL};
    struct buf name = BUF_INIT;
    struct buf text = BUF_INIT;
    if (table->state == TABLE_OVER) {
        return;
    }
    outline_take(&outline, table);
    outline_write(&outline, &text);
    store_name_outline(table->id, &name);
    store_seal(store, buf_text(&name), text.data, text.len,
               padded(text.len, ROOM_ROW), sealed);
    outline_release(&outline);
    buf_release(&name);
    buf_wipe(&text);
}

/* A game's place in the list of games. */
static enum err
save_game(struct store *store, const struct ruling *ruling, struct buf *why)
{
    const struct table *table = ruling->table;
    bool over = table->state == TABLE_OVER;
    struct buf outline = BUF_INIT;
    seal_outline(store, table, &outline);
    enum err err = db_run(
        store->db, why,
        "INSERT INTO game(id, place, thread, over, rows, ended, round,"
        " ending, outline) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT(id) DO UPDATE SET over = excluded.over,"
        " rows = excluded.rows, ended = excluded.ended,"
        " round = excluded.round, ending = excluded.ending,"
        " outline = excluded.outline",
        "tttiiiiib", table->id, table->place, table->thread, (int64_t)over,
        (int64_t)table->rows,
        over && table->home[0] != '\0' ? ruling->env->now : 0,
        over ? (int64_t)table->game.round : 0,
        over ? (int64_t)table->game.ending : -1, outline.data, outline.len);
    buf_release(&outline);
    /* Apart: SQLite writes an index whose column is set, changed or not. */
    return err == ERR_NONE ? db_run(store->db, why,
                                    "UPDATE game SET thread = ?1"
                                    " WHERE id = ?2 AND thread <> ?1",
                                    "tt", table->thread, table->id)
                           : err;
}

static enum err
save_rows(struct store *store, const struct ruling *ruling, int64_t *batch,
          struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < ruling->row_count; i++) {
        err = next_row(store, "journal", batch, why);
        if (err == ERR_NONE) {
            err = store_add_row(store, ruling->table->id, &ruling->rows[i],
                                *batch, why);
        }
    }
    return err == ERR_NONE && ruling->row_count > 0
               ? save_game(store, ruling, why)
               : err;
}

/* ---- status posts -------------------------------------------------------- */

/* The queued message of a game's status post in a thread.  One that was sent is
 * loaded again, for it may have to be edited.  NULL: none was written yet. */
static enum err
find_status(struct store *store, const char *game, const char *thread,
            struct outbox *outbox, struct queued_message **status,
            struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    *status = outbox_status(outbox, game, thread);
    if (*status != NULL) {
        return ERR_NONE;
    }
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS
                            " FROM message WHERE game = ? AND thread = ?"
                            " AND kind = 2",
                            "tt", game, thread);
    if (db_next(store->db, rows, &err, why)) {
        struct queued_message queued;
        struct buf trouble = BUF_INIT;
        /* One that can't be opened differs from the new one. */
        if (store_load_queued(store, rows, &queued, &trouble) != ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&trouble));
            queued.message.text = must_copy("");
        }
        *status = outbox_add(outbox, &queued);
        db_done(rows);
        buf_release(&trouble);
    }
    return err;
}

/* If the status post exists, it gets the new text.  The same text is not sent
 * again: in a session even an edit would tell that somebody has acted. */
static enum err
update_status(struct store *store, struct outbox *outbox,
              struct queued_message *there, const struct message *message,
              struct buf *why)
{
    const char *text = message->text;
    if (strcmp(there->message.text, text) == 0) {
        if (there->state == QUEUED_SENT) {
            outbox_done(outbox, there->id); /* loaded for nothing */
        }
        return ERR_NONE;
    }
    free(there->message.text);
    there->message.text = must_copy(text);
    if (there->state == QUEUED_IN_FLIGHT) {
        there->changed = true;
    } else {
        if (there->state == QUEUED_SENT) {
            there->message.written = message->written;
            there->waiting = message->written;
        }
        there->state = QUEUED_WAITING;
        outbox_changed(outbox, there);
    }
    struct buf sealed = BUF_INIT;
    store_seal_text(store, there, &sealed);
    enum err err = db_run(
        store->db, why,
        "UPDATE message SET text = ?, changed = ?, state = ?, written = ?"
        " WHERE id = ?",
        "biiii", sealed.data, sealed.len, (int64_t)there->changed,
        (int64_t)there->state, there->message.written, there->id);
    buf_release(&sealed);
    return err;
}

/* ---- messages that are withdrawn ----------------------------------------- */

/* A message that is withdrawn counts as sent. */
static enum err
withdraw(struct store *store, struct outbox *outbox,
         struct queued_message *queued, struct buf *why)
{
    queued->state = QUEUED_SENT;
    enum err err = store_save_queued(store, queued, why);
    outbox_done(outbox, queued->id);
    return err;
}

/* The game was taken back: what was written since and is not in flight yet is
 * not sent any more, except the status post, which is written anew. */
static enum err
withdraw_messages(struct store *store, const struct ruling *ruling,
                  struct outbox *outbox, struct buf *why)
{
    int64_t last = INT64_MAX;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT row FROM journal WHERE game = ?"
                          " ORDER BY row LIMIT 1 OFFSET ?",
                          "ti>i", ruling->table->id,
                          (int64_t)ruling->undone_to - 1, &last);
    for (size_t i = outbox->count; err == ERR_NONE && i-- > 0;) {
        struct queued_message *queued = outbox->list[i];
        if (queued->state != QUEUED_WAITING || queued->doubtful ||
            queued->batch <= last ||
            strcmp(queued->game, ruling->table->id) != 0 ||
            queued->message.kind == MESSAGE_STATUS) {
            continue;
        }
        err = withdraw(store, outbox, queued, why);
    }
    return err;
}

static bool
is_dismissed(const struct ruling *ruling, const struct queued_message *queued)
{
    return queued->message.kind == MESSAGE_PRIVATE &&
           strcmp(queued->game, ruling->table->id) == 0 &&
           strcmp(queued->message.user, ruling->dismissed) == 0;
}

/* Somebody who has lost a seat gets nothing more about it, not even what could
 * not be delivered before. */
static enum err
withdraw_dismissed(struct store *store, const struct ruling *ruling,
                   struct outbox *outbox, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = outbox->count; err == ERR_NONE && i-- > 0;) {
        struct queued_message *queued = outbox->list[i];
        if (queued->state != QUEUED_IN_FLIGHT && is_dismissed(ruling, queued)) {
            err = withdraw(store, outbox, queued, why);
        }
    }
    return err;
}

/* Is it a message to this person, said once about a post that did not count? */
static bool
is_hint(const char *once, const char *user)
{
    const char *matter = strchr(once, '/');
    matter = matter == NULL ? NULL : strchr(matter + 1, '/');
    const char *to = matter == NULL ? NULL : strchr(matter + 1, '/');
    return to != NULL && strcmp(to + 1, user) == 0 &&
           (strncmp(matter, "/hint_", strlen("/hint_")) == 0 ||
            strncmp(matter, "/ask_", strlen("/ask_")) == 0);
}

enum {
    HINTS_MAX = 16 /* how many are withdrawn at once */
};

/* The same for a session's messages, which no query finds. */
static void
find_hidden_hints(const struct ruling *ruling, const struct outbox *outbox,
                  const char *from, int64_t *ids, unsigned *count)
{
    const struct queued_message *queued = NULL;
    size_t at = 0;
    while (*count < HINTS_MAX &&
           (queued = outbox_next_of_game(outbox, ruling->table->id, &at)) !=
               NULL) {
        const char *once = queued->message.once;
        if (queued->hidden && once != NULL &&
            strncmp(once, from, strlen(from)) == 0 &&
            is_hint(once, ruling->answered)) {
            ids[(*count)++] = queued->id;
        }
    }
}

/* Find the unsent messages to somebody about the question that they have just
 * answered. */
static enum err
find_hints(struct store *store, const struct ruling *ruling,
           const struct outbox *outbox, int64_t *ids, unsigned *count,
           struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf from = BUF_INIT;
    struct buf past = BUF_INIT;
    /* '0' is the next character after '/'. */
    buf_addf(&from, "%s/%u/", ruling->table->id, ruling->answered_phase);
    buf_addf(&past, "%s/%u0", ruling->table->id, ruling->answered_phase);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT id, once FROM message"
                            " WHERE once >= ? AND once < ? AND state <> 2",
                            "tt", buf_text(&from), buf_text(&past));
    while (db_next(store->db, rows, &err, why)) {
        if (*count < HINTS_MAX && is_hint(db_text(rows, 1), ruling->answered)) {
            ids[(*count)++] = db_int(rows, 0);
        }
    }
    buf_release(&past);
    if (err == ERR_NONE) {
        find_hidden_hints(ruling, outbox, buf_text(&from), ids, count);
    }
    buf_release(&from);
    return err;
}

/* "Yours is not counted yet" is no longer said to somebody who has voted
 * since. */
static enum err
withdraw_hints(struct store *store, const struct ruling *ruling,
               struct outbox *outbox, struct buf *why)
{
    int64_t ids[HINTS_MAX];
    unsigned count = 0;
    enum err err = find_hints(store, ruling, outbox, ids, &count, why);
    for (unsigned i = 0; err == ERR_NONE && i < count; i++) {
        struct queued_message *queued = outbox_find(outbox, ids[i]);
        if (queued != NULL && queued->state != QUEUED_IN_FLIGHT &&
            !queued->doubtful) {
            err = withdraw(store, outbox, queued, why);
        }
    }
    return err;
}

/* ---- messages ------------------------------------------------------------ */

/* Was this said before? */
static enum err
was_said(struct store *store, const struct message *message, bool *said,
         struct buf *why)
{
    struct buf sign = BUF_INIT;
    *said = false;
    if (message->once == NULL) {
        return ERR_NONE;
    }
    store_sign_once(store, message->once, &sign);
    enum err err = db_row(store->db, why, said,
                          "SELECT 1 FROM message WHERE once = ? OR once = ?",
                          "tt", message->once, buf_text(&sign));
    buf_release(&sign);
    return err;
}

/* Copy a message; what a piece shares with the first one comes from `first`. */
static void
copy_message(const struct message *text, const struct message *first,
             struct message *to)
{
    const struct message *from = first;
    *to = *from;
    to->text = text->text == NULL ? NULL : must_copy(text->text);
    to->user = from->user == NULL ? NULL : must_copy(from->user);
    to->post = from->post == NULL ? NULL : must_copy(from->post);
    to->place = from->place == NULL ? NULL : must_copy(from->place);
    to->pings = text->pings == NULL ? NULL : must_copy(text->pings);
    to->once =
        text != first || from->once == NULL ? NULL : must_copy(from->once);
    to->picture = text == first && from->picture;
    to->report =
        text != first || from->report == NULL ? NULL : must_copy(from->report);
}

/* What the pieces of a message share. */
struct saving {
    const struct ruling *ruling;
    const struct message *first; /* the first of the pieces */
    bool said;                   /* it was said before */
    int64_t batch;
    unsigned index; /* of the piece within its batch */
};

/* Append a number in base 36. */
static void
add_number(struct buf *out, int64_t number)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char text[16];
    size_t at = sizeof text;
    do {
        text[--at] = digits[number % 36];
        number /= 36;
    } while (number > 0);
    buf_add(out, text + at, sizeof text - at);
}

/* The key of a message: which game, which row of its journal, and which of that
 * row's messages; for an answer, which makes no row, its number. */
static void
make_key(const struct store *store, unsigned index,
         struct queued_message *queued)
{
    struct buf key = BUF_INIT;
    bool answer = queued->batch <= 0;
    buf_addf(&key, "%s.", store->epoch);
    if (strlen(queued->game) <= 5) {
        buf_addf(&key, "%s.", queued->game);
    }
    buf_add_text(&key, answer ? "a" : "");
    add_number(&key, answer ? queued->id : queued->batch);
    buf_add_char(&key, '.');
    add_number(&key, index);
    assert(key.len <= KEY_MAX);
    (void)snprintf(queued->key, sizeof queued->key, "%s", buf_text(&key));
    buf_release(&key);
}

/* The posts that asked the question before are not edited any more, so their
 * texts are wiped. */
static enum err
forget_calls(struct store *store, const struct queued_message *queued,
             struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE message SET text = NULL WHERE game = ? AND state = 2"
                  " AND kind = 0 AND calls <> 0 AND calls <> ?"
                  " AND text IS NOT NULL",
                  "ti", queued->game, (int64_t)queued->message.calls);
}

/* Make the queued message of a piece, without its id and key; release its
 * message. */
static void
compose(const struct saving *saving, const struct message *message,
        const char *thread, struct queued_message *queued)
{
    const struct table *table = saving->ruling->table;
    memset(queued, 0, sizeof *queued);
    copy_message(message, saving->first, &queued->message);
    if (saving->said) {
        /* The same is said in public only once, after that by private
         * message. */
        if (saving->first->again == AGAIN_PRIVATE) {
            queued->message.kind = MESSAGE_PRIVATE;
        }
        free(queued->message.once);
        queued->message.once = NULL;
    }
    queued->hidden = queued->message.kind == MESSAGE_PRIVATE &&
                     table->state == TABLE_RUNNING && table_is_secret(table);
    queued->batch = saving->batch;
    queued->waiting = queued->message.written;
    (void)snprintf(queued->game, sizeof queued->game, "%s", table->id);
    (void)snprintf(queued->place, sizeof queued->place, "%s", table->place);
    (void)snprintf(queued->thread, sizeof queued->thread, "%s", thread);
}

static enum err
save_new_message(struct store *store, const struct saving *saving,
                 const struct message *message, const char *thread,
                 struct outbox *outbox, struct buf *why)
{
    struct queued_message queued;
    compose(saving, message, thread, &queued);
    enum err err = next_row(store, "message", &queued.id, why);
    if (err == ERR_NONE) {
        make_key(store, saving->index, &queued);
        err = store_insert_queued(store, &queued, why);
    }
    if (err == ERR_NONE && message->kind == MESSAGE_POST &&
        queued.message.calls != 0) {
        err = forget_calls(store, &queued, why);
    }
    if (err == ERR_NONE) {
        (void)outbox_add(outbox, &queued);
    } else {
        message_release(&queued.message);
    }
    return err;
}

static enum err
save_message(struct store *store, const struct saving *saving,
             const struct message *message, struct outbox *outbox,
             struct buf *why)
{
    const struct table *table = saving->ruling->table;
    const char *place = saving->first->place;
    struct queued_message *status = NULL;
    enum err err = ERR_NONE;
    bool placed =
        message->kind == MESSAGE_POST || message->kind == MESSAGE_STATUS;
    const char *thread = placed && place != NULL ? place : table->thread;
    if (saving->said && saving->first->again == AGAIN_DROP) {
        return ERR_NONE;
    }
    if (message->kind == MESSAGE_STATUS) {
        err = find_status(store, table->id, thread, outbox, &status, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    return status != NULL
               ? update_status(store, outbox, status, message, why)
               : save_new_message(store, saving, message, thread, outbox, why);
}

/* A batch's number is that of its newest row.  A message without a row (an
 * answer) is a batch by itself, because no other message waits for it. */
static enum err
next_batch(struct store *store, int64_t *batch, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT -1 - coalesce(max(seq), 0) FROM sqlite_sequence"
                  " WHERE name = 'message'",
                  ">i", batch);
}

enum err
store_save_ruling(struct store *store, const struct ruling *ruling,
                  struct outbox *outbox, struct buf *why)
{
    int64_t batch = 0;
    enum err err = ERR_NONE;
    if (ruling->undone) {
        err = withdraw_messages(store, ruling, outbox, why);
    }
    if (err == ERR_NONE && ruling->dismissed[0] != '\0') {
        err = withdraw_dismissed(store, ruling, outbox, why);
    }
    if (err == ERR_NONE && ruling->answered[0] != '\0') {
        err = withdraw_hints(store, ruling, outbox, why);
    }
    if (err == ERR_NONE) {
        err = save_rows(store, ruling, &batch, why);
    }
    if (err == ERR_NONE && batch == 0 && ruling->message_count > 0) {
        err = next_batch(store, &batch, why);
    }
    struct saving saving = {
        .ruling = ruling, .first = ruling->messages, .batch = batch};
    for (unsigned i = 0; err == ERR_NONE && i < ruling->message_count; i++) {
        const struct message *message = &ruling->messages[i];
        saving.index = i;
        if (!message->follows) {
            saving.first = message;
            err = was_said(store, message, &saving.said, why);
        }
        if (err == ERR_NONE) {
            err = save_message(store, &saving, message, outbox, why);
        }
    }
    const struct table *table = ruling->table;
    bool hidden = table->state == TABLE_RUNNING && table_is_secret(table);
    if (err == ERR_NONE && !hidden) {
        err = store_reveal(store, table->id, outbox, why);
    }
    return err == ERR_NONE && table->state == TABLE_OVER
               ? store_put_away(store, table->id, why)
               : err;
}
