/* What a ruling leaves in the store: journal rows, and messages to send. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"

/* The length of a ballot's line may not give it away: every one is as long as
 * Nein. */
static size_t
public_len(const struct buf *lines)
{
    static const char ja[] = "\"vote\":\"ja\"";
    size_t len = lines->len;
    const char *at = buf_text(lines);
    while ((at = strstr(at, ja)) != NULL) {
        len += strlen("nein") - strlen("ja");
        at += sizeof ja - 1;
    }
    return len;
}

static enum err
save_row(struct store *store, const char *game, const struct ruling_row *row,
         int64_t number, struct buf *why)
{
    struct buf place = BUF_INIT;
    struct buf move = BUF_INIT;
    struct buf lines = BUF_INIT;
    store_name_row(game, number, "move", &place);
    store_seal(store, buf_text(&place), buf_text(&row->move), row->move.len,
               padded(row->move.len, ROOM_ROW), &move);
    store_name_row(game, number, "lines", &place);
    store_seal(store, buf_text(&place), buf_text(&row->lines), row->lines.len,
               padded(public_len(&row->lines), ROOM_ROW), &lines);
    enum err err = db_run(
        store->db, why,
        "INSERT INTO journal(row, game, move, lines) VALUES(?, ?, ?, ?)",
        "itbb", number, game, move.data, move.len, lines.data, lines.len);
    buf_release(&place);
    buf_release(&move);
    buf_release(&lines);
    return err;
}

static enum err
save_rows(struct store *store, const struct ruling *ruling, int64_t *batch,
          struct buf *why)
{
    const struct table *table = ruling->table;
    bool over = table->state == TABLE_OVER;
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < ruling->row_count; i++) {
        err = store_next_row(store, "journal", batch, why);
        if (err == ERR_NONE) {
            err = save_row(store, table->id, &ruling->rows[i], *batch, why);
        }
    }
    if (err == ERR_NONE && ruling->row_count > 0) {
        err = db_run(store->db, why,
                     "INSERT INTO game(id, place, thread, over, rows, ended)"
                     " VALUES(?, ?, ?, ?, ?, ?)"
                     " ON CONFLICT(id) DO UPDATE SET over = excluded.over,"
                     " thread = excluded.thread, rows = excluded.rows,"
                     " ended = excluded.ended",
                     "tttiii", table->id, table->place, table->thread,
                     (int64_t)over, (int64_t)table->rows,
                     over && table->home[0] != '\0' ? ruling->env->now : 0);
    }
    return err;
}

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
                          "SELECT 1 FROM letter WHERE once = ? OR once = ?",
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

static enum err
insert_message(struct store *store, const struct queued_message *queued,
               struct buf *why)
{
    const struct message *message = &queued->message;
    struct buf sealed = BUF_INIT;
    if (queued->veiled) {
        return store_insert_veiled(store, queued, why);
    }
    store_seal_text(store, queued, &sealed);
    enum err err = db_run(
        store->db, why,
        "INSERT INTO letter(id, batch, game, place, thread, kind, state, text,"
        " user, post, post_place, rings, once, waits, not_after, written,"
        " picture, report, sent, changed, key, calls, deadline)"
        " VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0,"
        " ?, ?, ?)",
        "iitttibtttttiiiittii", queued->id, queued->batch, queued->game,
        queued->place, queued->thread, (int64_t)message->kind, sealed.data,
        sealed.len, message->user, message->post, message->place,
        message->pings, message->once, (int64_t)message->waits,
        message->not_after, message->written, (int64_t)message->picture,
        message->report, queued->key, (int64_t)message->calls,
        message->deadline);
    buf_release(&sealed);
    return err;
}

static char *
copy_column(sqlite3_stmt *rows, int column)
{
    return db_is_null(rows, column) ? NULL : must_copy(db_text(rows, column));
}

/* What read_queued reads. */
#define QUEUED_COLUMNS                                                         \
    "id, batch, game, place, thread, kind, state, text, user, post,"           \
    " post_place, waits, not_after, sent, changed, rings, written,"            \
    " picture, report, key, calls, deadline, named, in_flight, delivered,"     \
    " refused_at, refused, trouble, shape, part, queued, fate,"                \
    " alarmed"

/* Read what became of it so far. */
static void
read_fate(sqlite3_stmt *rows, struct queued_message *queued)
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

/* Read the current row's queued message, without its text.  Release its
 * message. */
static enum err
read_queued(const struct store *store, sqlite3_stmt *rows,
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
    queued.message.user = copy_column(rows, 8);
    queued.message.post = copy_column(rows, 9);
    queued.message.place = copy_column(rows, 10);
    queued.message.waits = db_int(rows, 11) != 0;
    queued.message.not_after = db_int(rows, 12);
    (void)snprintf(queued.sent, sizeof queued.sent, "%s", db_text(rows, 13));
    queued.changed = db_int(rows, 14) != 0;
    queued.message.pings = copy_column(rows, 15);
    queued.message.written = db_int(rows, 16);
    queued.message.picture = db_int(rows, 17) != 0;
    queued.message.report = copy_column(rows, 18);
    queued.message.calls = (unsigned)db_int(rows, 20);
    queued.message.deadline = db_int(rows, 21);
    read_fate(rows, &queued);
    enum err err = db_is_null(rows, 31)
                       ? ERR_NONE
                       : store_open_fate(store, rows, 31, &queued, why);
    queued.waiting = queued.message.written;
    queued.doubtful = queued.unapproved != 0;
    if (queued.state == QUEUED_IN_FLIGHT) {
        queued.state = QUEUED_WAITING;
        queued.doubtful = true;
    }
    *read = queued;
    return err;
}

/* Open the text of the current row's message, sealed for its name. */
static enum err
open_text(const struct store *store, sqlite3_stmt *rows,
          struct queued_message *queued, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf text = BUF_INIT;
    store_name_message(queued, &name);
    enum err err = store_unseal(store, buf_text(&name), rows, 7, &text, why);
    if (err == ERR_NONE && !db_is_null(rows, 7)) {
        queued->message.text = must_copy(buf_text(&text));
    }
    buf_release(&name);
    buf_wipe(&text);
    return err;
}

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
                            " FROM letter WHERE game = ? AND thread = ?"
                            " AND kind = 2",
                            "tt", game, thread);
    if (db_next(store->db, rows, &err, why)) {
        struct queued_message queued;
        struct buf trouble = BUF_INIT;
        /* One that can't be opened differs from the new one. */
        if (read_queued(store, rows, &queued, &trouble) != ERR_NONE ||
            open_text(store, rows, &queued, &trouble) != ERR_NONE) {
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
    }
    struct buf sealed = BUF_INIT;
    store_seal_text(store, there, &sealed);
    enum err err =
        db_run(store->db, why,
               "UPDATE letter SET text = ?, changed = ?, state = ?, written = ?"
               " WHERE id = ?",
               "biiii", sealed.data, sealed.len, (int64_t)there->changed,
               (int64_t)there->state, there->message.written, there->id);
    buf_release(&sealed);
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
find_veiled_hints(const struct ruling *ruling, const struct outbox *outbox,
                  const char *from, int64_t *ids, unsigned *count)
{
    for (size_t i = 0; i < outbox->count && *count < HINTS_MAX; i++) {
        const struct queued_message *queued = outbox->list[i];
        const char *once = queued->message.once;
        if (queued->veiled && once != NULL &&
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
                            "SELECT id, once FROM letter"
                            " WHERE once >= ? AND once < ? AND state <> 2",
                            "tt", buf_text(&from), buf_text(&past));
    while (db_next(store->db, rows, &err, why)) {
        if (*count < HINTS_MAX && is_hint(db_text(rows, 1), ruling->answered)) {
            ids[(*count)++] = db_int(rows, 0);
        }
    }
    buf_release(&past);
    if (err == ERR_NONE) {
        find_veiled_hints(ruling, outbox, buf_text(&from), ids, count);
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
            queued->state = QUEUED_SENT;
            err = store_save_queued(store, queued, why);
            outbox_done(outbox, queued->id);
        }
    }
    return err;
}

/* What the pieces of a message share. */
struct saving {
    const struct ruling *ruling;
    const struct message *first; /* the first of the pieces */
    bool said;                   /* it was said before */
    int64_t batch;
    unsigned index; /* of the piece within its batch */
};

/* In 36 digits. */
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

/* What asked the question before is not edited any more: its words are not
 * kept. */
static enum err
forget_calls(struct store *store, const struct queued_message *queued,
             struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE letter SET text = NULL WHERE game = ? AND state = 2"
                  " AND kind = 0 AND calls <> 0 AND calls <> ?"
                  " AND text IS NOT NULL",
                  "ti", queued->game, (int64_t)queued->message.calls);
}

static enum err
save_message(struct store *store, const struct saving *saving,
             const struct message *message, struct outbox *outbox,
             struct buf *why)
{
    const struct table *table = saving->ruling->table;
    const struct message *first = saving->first;
    bool placed =
        message->kind == MESSAGE_POST || message->kind == MESSAGE_STATUS;
    const char *thread =
        placed && first->place != NULL ? first->place : table->thread;
    struct queued_message queued;
    enum err err = ERR_NONE;
    if (saving->said && first->again == AGAIN_DROP) {
        return ERR_NONE;
    }
    struct queued_message *status = NULL;
    if (message->kind == MESSAGE_STATUS) {
        err = find_status(store, table->id, thread, outbox, &status, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    if (status != NULL) {
        return update_status(store, outbox, status, message, why);
    }
    memset(&queued, 0, sizeof queued);
    copy_message(message, first, &queued.message);
    if (saving->said) {
        /* In public once per matter; after that by private message. */
        if (first->again == AGAIN_PRIVATE) {
            queued.message.kind = MESSAGE_PRIVATE;
        }
        free(queued.message.once);
        queued.message.once = NULL;
    }
    queued.veiled = queued.message.kind == MESSAGE_PRIVATE &&
                    table->state == TABLE_RUNNING && table_is_secret(table);
    queued.batch = saving->batch;
    (void)snprintf(queued.game, sizeof queued.game, "%s", table->id);
    (void)snprintf(queued.place, sizeof queued.place, "%s", table->place);
    (void)snprintf(queued.thread, sizeof queued.thread, "%s", thread);
    err = store_next_row(store, "letter", &queued.id, why);
    if (err == ERR_NONE) {
        make_key(store, saving->index, &queued);
        err = insert_message(store, &queued, why);
    }
    if (err == ERR_NONE && message->kind == MESSAGE_POST &&
        queued.message.calls != 0) {
        err = forget_calls(store, &queued, why);
    }
    if (err == ERR_NONE) {
        queued.waiting = queued.message.written;
        (void)outbox_add(outbox, &queued);
    } else {
        message_release(&queued.message);
    }
    return err;
}

/* A batch's number is that of its newest row.  A message without a row (an
 * answer) is a batch by itself, because no other message waits for it. */
static enum err
next_batch(struct store *store, int64_t *batch, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT -1 - coalesce(max(id), 0) FROM letter", ">i", batch);
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
        queued->state = QUEUED_SENT;
        err = store_save_queued(store, queued, why);
        outbox_done(outbox, queued->id);
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
            queued->state = QUEUED_SENT;
            err = store_save_queued(store, queued, why);
            outbox_done(outbox, queued->id);
        }
    }
    return err;
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
    return err == ERR_NONE && !hidden
               ? store_unveil(store, table->id, outbox, why)
               : err;
}

/* ---- messages -------------------------------------------------------------
 */

/* Skip a session's message that has ended. */
static void
load_message(const struct store *store, sqlite3_stmt *rows,
             struct outbox *outbox)
{
    struct queued_message queued;
    struct buf trouble = BUF_INIT;
    enum err err = read_queued(store, rows, &queued, &trouble);
    if (err == ERR_NONE) {
        err = open_text(store, rows, &queued, &trouble);
    }
    if (err == ERR_NONE && queued.state != QUEUED_SENT) {
        (void)outbox_add(outbox, &queued);
    } else if (err != ERR_NONE) {
        log_line(LOG_LEVEL_ERROR, "%s; it is not sent", buf_text(&trouble));
    }
    message_release(&queued.message);
    buf_release(&trouble);
}

enum err
store_load_outbox(struct store *store, struct outbox *outbox, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS
                            " FROM letter WHERE state <> 2 ORDER BY id",
                            "");
    while (db_next(store->db, rows, &err, why)) {
        load_message(store, rows, outbox);
    }
    return err;
}

enum err
store_save_queued(struct store *store, const struct queued_message *queued,
                  struct buf *why)
{
#define FATE                                                                   \
    "UPDATE letter SET state = ?, sent = ?, changed = ?, named = ?,"           \
    " in_flight = ?, delivered = ?, refused_at = ?, refused = ?, trouble = ?," \
    " shape = ?, part = ?, queued = ?"
    const struct message *message = &queued->message;
    if (queued->veiled) {
        return store_save_veiled(store, queued, why);
    }
    bool deferred = message->kind == MESSAGE_STATUS ||
                    (message->kind == MESSAGE_POST && message->deadline != 0 &&
                     queued->delivered != 0);
    bool wipe = queued->state == QUEUED_SENT && !deferred;
    return db_run(
        store->db, why,
        wipe ? FATE ", text = NULL WHERE id = ?" : FATE " WHERE id = ?",
        "itiiiiiitiiii", (int64_t)queued->state, queued->sent,
        (int64_t)queued->changed, queued->named, queued->in_flight,
        queued->delivered, queued->refused_at, (int64_t)queued->refused,
        queued->trouble, (int64_t)queued->shape, (int64_t)queued->part,
        queued->unapproved, queued->id);
#undef FATE
}

enum err
store_alarmed(struct store *store, const struct queued_message *queued,
              struct buf *why)
{
    return queued->veiled ? ERR_NONE
                          : db_run(store->db, why,
                                   "UPDATE letter SET alarmed = 1 WHERE id = ?",
                                   "i", queued->id);
}

/* Have a delivered call of the current row edited. */
static enum err
recall(struct store *store, sqlite3_stmt *rows, struct outbox *outbox,
       struct buf *why)
{
    struct queued_message queued;
    enum err err = read_queued(store, rows, &queued, why);
    if (err == ERR_NONE) {
        err = open_text(store, rows, &queued, why);
    }
    if (err == ERR_NONE && outbox_find(outbox, queued.id) == NULL) {
        struct queued_message *recalled = outbox_add(outbox, &queued);
        recalled->state = QUEUED_WAITING;
        err = store_save_queued(store, recalled, why);
    }
    message_release(&queued.message);
    return err;
}

enum err
store_recall(struct store *store, const char *game, unsigned calls,
             struct outbox *outbox, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS
                            " FROM letter WHERE game = ? AND calls = ?"
                            " AND kind = 0 AND state = 2 AND sent <> ''"
                            " AND deadline <> 0 AND text IS NOT NULL",
                            "ti", game, (int64_t)calls);
    while (db_next(store->db, rows, &err, why)) {
        err = recall(store, rows, outbox, why);
    }
    return err;
}

/* ---- what is undelivered ------------------------------------------------- */

/* Count the current row's message, one of a session, among those of its
 * game. */
static void
count_veiled(const struct store *store, sqlite3_stmt *rows, int64_t before,
             struct store_message *message)
{
    struct queued_message queued;
    struct buf unsaid = BUF_INIT;
    bool waits = read_queued(store, rows, &queued, &unsaid) == ERR_NONE &&
                 queued.state != QUEUED_SENT && queued.delivered == 0 &&
                 (queued.refused_at != 0 || queued.message.written < before);
    if (waits) {
        (void)snprintf(message->game, sizeof message->game, "%s", queued.game);
        (void)snprintf(message->place, sizeof message->place, "%s",
                       queued.place);
        message->kind = MESSAGE_PRIVATE;
        message->calls = message->calls || queued.message.calls != 0;
        message->written =
            message->count == 0 || queued.message.written < message->written
                ? queued.message.written
                : message->written;
        message->count++;
    }
    message_release(&queued.message);
    buf_release(&unsaid);
}

/* Call `each` for the sessions' messages, game by game.  A reader without the
 * key learns nothing of them. */
static enum err
veiled_undelivered(struct store *store, int64_t before,
                   store_message_reader *each, void *context, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct store_message message = {.count = 0};
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT " QUEUED_COLUMNS " FROM letter WHERE state <> 2"
                 " AND fate IS NOT NULL ORDER BY game, id",
                 "");
    while (db_next(store->db, rows, &err, why)) {
        if (message.count > 0 && strcmp(message.game, db_text(rows, 2)) != 0) {
            err = each(context, &message, why);
            message = (struct store_message){.count = 0};
        }
        if (err == ERR_NONE) {
            count_veiled(store, rows, before, &message);
        }
    }
    return err == ERR_NONE && message.count > 0 ? each(context, &message, why)
                                                : err;
}

static void
read_undelivered(sqlite3_stmt *rows, struct store_message *message)
{
    *message = (struct store_message){
        .kind = (enum message_kind)db_int(rows, 2),
        .written = db_int(rows, 3),
        .calls = db_int(rows, 5) != 0,
        .count = db_int(rows, 6),
        .unapproved = db_int(rows, 7),
    };
    (void)snprintf(message->game, sizeof message->game, "%s", db_text(rows, 0));
    (void)snprintf(message->place, sizeof message->place, "%s",
                   db_text(rows, 1));
    (void)snprintf(message->trouble, sizeof message->trouble, "%s",
                   db_text(rows, 4));
}

enum err
store_undelivered(struct store *store, int64_t before,
                  store_message_reader *each, void *context, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT game, place, kind, min(written), max(trouble),"
                 " max(calls <> 0), count(*), sum(queued <> 0) FROM letter"
                 " WHERE state <> 2 AND delivered = 0 AND fate IS NULL"
                 " AND (refused_at <> 0 OR queued <> 0 OR written < ?)"
                 " GROUP BY game, place, kind ORDER BY min(id)",
                 "i", before);
    while (db_next(store->db, rows, &err, why)) {
        struct store_message message;
        read_undelivered(rows, &message);
        err = each(context, &message, why);
    }
    return err == ERR_NONE
               ? veiled_undelivered(store, before, each, context, why)
               : err;
}

enum err
store_status_post(struct store *store, const char *game, const char *thread,
                  struct buf *post, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT sent FROM letter"
                  " WHERE game = ? AND thread = ? AND kind = 2",
                  "tt>t", game, thread, post);
}

enum err
store_old_status(struct store *store, const char *thread, struct buf *posts,
                 struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT sent FROM letter JOIN game"
                            " ON game.id = letter.game AND game.over = 1"
                            " WHERE letter.thread = ? AND letter.kind = 2"
                            " AND letter.sent <> ''"
                            " ORDER BY letter.id DESC LIMIT 50",
                            "t", thread);
    while (db_next(store->db, rows, &err, why)) {
        buf_addf(posts, "%s\n", db_text(rows, 0));
    }
    return err;
}

enum err
store_move_games(struct store *store, const char *place, const char *old,
                 const char *new, struct buf *why)
{
    enum err err = db_run(store->db, why,
                          "UPDATE game SET thread = ?"
                          " WHERE thread = ? AND place = ? AND over = 0",
                          "ttt", new, old, place);
    if (err == ERR_NONE) {
        err = db_run(store->db, why,
                     "UPDATE letter SET changed = 0, state = 2"
                     " WHERE thread = ? AND place = ? AND state <> 2"
                     " AND kind = 2 AND sent <> ''",
                     "tt", old, place);
    }
    return err;
}

enum err
store_move_message(struct store *store, struct queued_message *queued,
                   const char *thread, struct buf *why)
{
    struct buf sealed = BUF_INIT;
    (void)snprintf(queued->thread, sizeof queued->thread, "%s", thread);
    store_seal_text(store, queued, &sealed);
    enum err err = db_run(
        store->db, why, "UPDATE letter SET thread = ?, text = ? WHERE id = ?",
        "tbi", queued->thread, sealed.data, sealed.len, queued->id);
    buf_release(&sealed);
    return err;
}

/* Is the current row a message to this user? */
static bool
is_message_of(const struct store *store, sqlite3_stmt *rows, const char *user)
{
    struct queued_message queued;
    struct buf unsaid = BUF_INIT;
    bool same = read_queued(store, rows, &queued, &unsaid) == ERR_NONE &&
                queued.message.user != NULL &&
                strcmp(queued.message.user, user) == 0;
    message_release(&queued.message);
    buf_release(&unsaid);
    return same;
}

enum err
store_game_of_message(struct store *store, const char *user, const char *post,
                      struct buf *game, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf sign = BUF_INIT;
    store_sign_sent(store, post, &sign);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS
                            " FROM letter WHERE kind = 1 AND sent <> ''"
                            " AND (sent = ? OR sent = ?)",
                            "tt", post, buf_text(&sign));
    while (game->len == 0 && db_next(store->db, rows, &err, why)) {
        if (is_message_of(store, rows, user)) {
            buf_add_text(game, db_text(rows, 2));
            db_done(rows);
        }
    }
    buf_release(&sign);
    return err;
}

/* What a question asked, and whom, in the current row. */
static void
read_asker(const struct store *store, sqlite3_stmt *rows, struct buf *game,
           struct buf *user)
{
    struct queued_message queued;
    struct buf unsaid = BUF_INIT;
    if (read_queued(store, rows, &queued, &unsaid) == ERR_NONE &&
        queued.message.post != NULL) {
        buf_add_text(game, queued.game);
        buf_add_text(user, queued.message.post);
    }
    message_release(&queued.message);
    buf_release(&unsaid);
}

enum err
store_asker(struct store *store, const char *post, struct buf *game,
            struct buf *user, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf sign = BUF_INIT;
    store_sign_sent(store, post, &sign);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS
                            " FROM letter WHERE kind <= 1 AND sent <> ''"
                            " AND (sent = ? OR sent = ?)"
                            " AND (post IS NOT NULL OR fate IS NOT NULL)",
                            "tt", post, buf_text(&sign));
    while (user->len == 0 && db_next(store->db, rows, &err, why)) {
        read_asker(store, rows, game, user);
        if (user->len > 0) {
            db_done(rows);
        }
    }
    buf_release(&sign);
    return err;
}

enum err
store_request(struct store *store, const char *game, const char *post,
              unsigned *number, struct buf *why)
{
    int64_t request = 0;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT substr(once, length(game) + 10) FROM letter"
                          " WHERE sent = ? AND sent <> '' AND game = ?"
                          " AND kind = 0 AND once LIKE game || '/request %'",
                          "tt>i", post, game, &request);
    *number = (unsigned)request;
    return err;
}
