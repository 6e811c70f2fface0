/* What a docket leaves in the store: journal rows, and letters to send. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/store_inner.h"

/* A ballot may not be told by how long its line is: every one is as long as
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
save_row(struct store *store, const char *game, const struct docket_row *row,
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
save_rows(struct store *store, const struct docket *docket, int64_t *batch,
          struct buf *why)
{
    const struct table *table = docket->table;
    bool over = table->state == TABLE_OVER;
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < docket->row_count; i++) {
        err = store_next_row(store, "journal", batch, why);
        if (err == ERR_NONE) {
            err = save_row(store, table->id, &docket->rows[i], *batch, why);
        }
    }
    if (err == ERR_NONE && docket->row_count > 0) {
        err = db_run(store->db, why,
                     "INSERT INTO game(id, place, thread, over, rows, ended)"
                     " VALUES(?, ?, ?, ?, ?, ?)"
                     " ON CONFLICT(id) DO UPDATE SET over = excluded.over,"
                     " thread = excluded.thread, rows = excluded.rows,"
                     " ended = excluded.ended",
                     "tttiii", table->id, table->place, table->thread,
                     (int64_t)over, (int64_t)table->rows,
                     over && table->home[0] != '\0' ? docket->house->now : 0);
    }
    return err;
}

/* Was this said before? */
static enum err
was_said(struct store *store, const struct letter *letter, bool *said,
         struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    *said = false;
    if (letter->once == NULL) {
        return ERR_NONE;
    }
    struct buf sign = BUF_INIT;
    store_sign_once(store, letter->once, &sign);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT 1 FROM letter WHERE once = ? OR once = ?",
                            "tt", letter->once, buf_text(&sign));
    buf_release(&sign);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, said, why);
    }
    if (err == ERR_NONE && *said) {
        db_done(rows);
    }
    return err;
}

/* Copy a letter; what a piece shares with the first of them is `first`'s. */
static void
copy_letter(const struct letter *text, const struct letter *first,
            struct letter *to)
{
    const struct letter *from = first;
    *to = *from;
    to->text = text->text == NULL ? NULL : must_copy(text->text);
    to->user = from->user == NULL ? NULL : must_copy(from->user);
    to->post = from->post == NULL ? NULL : must_copy(from->post);
    to->place = from->place == NULL ? NULL : must_copy(from->place);
    to->rings = text->rings == NULL ? NULL : must_copy(text->rings);
    to->once =
        text != first || from->once == NULL ? NULL : must_copy(from->once);
    to->picture = text == first && from->picture;
    to->report =
        text != first || from->report == NULL ? NULL : must_copy(from->report);
}

static enum err
insert_letter(struct store *store, const struct envelope *envelope,
              struct buf *why)
{
    const struct letter *letter = &envelope->letter;
    struct buf sealed = BUF_INIT;
    if (envelope->veiled) {
        return store_insert_veiled(store, envelope, why);
    }
    store_seal_text(store, envelope, &sealed);
    enum err err = db_run(
        store->db, why,
        "INSERT INTO letter(id, batch, game, place, thread, kind, state, text,"
        " user, post, post_place, rings, once, waits, not_after, written,"
        " picture, report, sent, changed, key, calls, deadline)"
        " VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0,"
        " ?, ?, ?)",
        "iitttibtttttiiiittii", envelope->id, envelope->batch, envelope->game,
        envelope->place, envelope->thread, (int64_t)letter->kind, sealed.data,
        sealed.len, letter->user, letter->post, letter->place, letter->rings,
        letter->once, (int64_t)letter->waits, letter->not_after,
        letter->written, (int64_t)letter->picture, letter->report,
        envelope->key, (int64_t)letter->calls, letter->deadline);
    buf_release(&sealed);
    return err;
}

static char *
copy_column(sqlite3_stmt *rows, int column)
{
    return db_is_null(rows, column) ? NULL : must_copy(db_text(rows, column));
}

/* What read_envelope reads. */
#define ENVELOPE_COLUMNS                                                       \
    "id, batch, game, place, thread, kind, state, text, user, post,"           \
    " post_place, waits, not_after, sent, changed, rings, written,"            \
    " picture, report, key, calls, deadline, named, in_flight, delivered,"     \
    " refused_at, refused, trouble, shape, part, queued, fate,"                \
    " alarmed"

/* Read what came of it so far. */
static void
read_fate(sqlite3_stmt *rows, struct envelope *envelope)
{
    (void)snprintf(envelope->key, sizeof envelope->key, "%s",
                   db_text(rows, 19));
    envelope->named = db_int(rows, 22);
    envelope->in_flight = db_int(rows, 23);
    envelope->delivered = db_int(rows, 24);
    envelope->refused_at = db_int(rows, 25);
    envelope->refused = (enum refused)db_int(rows, 26);
    (void)snprintf(envelope->trouble, sizeof envelope->trouble, "%s",
                   db_text(rows, 27));
    envelope->shape = (enum shape)db_int(rows, 28);
    envelope->part = (unsigned)db_int(rows, 29);
    envelope->queued = db_int(rows, 30);
    envelope->alarmed = db_int(rows, 32) != 0;
}

/* Read the current row's envelope, all but its text.  Release its letter. */
static enum err
read_envelope(const struct store *store, sqlite3_stmt *rows,
              struct envelope *read, struct buf *why)
{
    struct envelope envelope;
    memset(&envelope, 0, sizeof envelope);
    envelope.id = db_int(rows, 0);
    envelope.batch = db_int(rows, 1);
    (void)snprintf(envelope.game, sizeof envelope.game, "%s", db_text(rows, 2));
    (void)snprintf(envelope.place, sizeof envelope.place, "%s",
                   db_text(rows, 3));
    (void)snprintf(envelope.thread, sizeof envelope.thread, "%s",
                   db_text(rows, 4));
    envelope.letter.kind = (enum letter_kind)db_int(rows, 5);
    envelope.state = (enum envelope_state)db_int(rows, 6);
    envelope.letter.user = copy_column(rows, 8);
    envelope.letter.post = copy_column(rows, 9);
    envelope.letter.place = copy_column(rows, 10);
    envelope.letter.waits = db_int(rows, 11) != 0;
    envelope.letter.not_after = db_int(rows, 12);
    (void)snprintf(envelope.sent, sizeof envelope.sent, "%s",
                   db_text(rows, 13));
    envelope.changed = db_int(rows, 14) != 0;
    envelope.letter.rings = copy_column(rows, 15);
    envelope.letter.written = db_int(rows, 16);
    envelope.letter.picture = db_int(rows, 17) != 0;
    envelope.letter.report = copy_column(rows, 18);
    envelope.letter.calls = (unsigned)db_int(rows, 20);
    envelope.letter.deadline = db_int(rows, 21);
    read_fate(rows, &envelope);
    enum err err = db_is_null(rows, 31)
                       ? ERR_NONE
                       : store_open_fate(store, rows, 31, &envelope, why);
    envelope.waiting = envelope.letter.written;
    envelope.doubtful = envelope.queued != 0;
    if (envelope.state == ENVELOPE_IN_FLIGHT) {
        envelope.state = ENVELOPE_WAITING;
        envelope.doubtful = true;
    }
    *read = envelope;
    return err;
}

/* Open the text of the current row's letter, sealed for what it is called. */
static enum err
open_text(const struct store *store, sqlite3_stmt *rows,
          struct envelope *envelope, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf text = BUF_INIT;
    store_name_letter(envelope, &name);
    enum err err = store_unseal(store, buf_text(&name), rows, 7, &text, why);
    if (err == ERR_NONE && !db_is_null(rows, 7)) {
        envelope->letter.text = must_copy(buf_text(&text));
    }
    buf_release(&name);
    buf_wipe(&text);
    return err;
}

/* The envelope of a game's status post in a thread: one that was sent is
 * fetched back, for it may have to be edited.  NULL: none was written yet. */
static enum err
find_status(struct store *store, const char *game, const char *thread,
            struct outbox *outbox, struct envelope **status, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    *status = outbox_status(outbox, game, thread);
    if (*status != NULL) {
        return ERR_NONE;
    }
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " ENVELOPE_COLUMNS
                            " FROM letter WHERE game = ? AND thread = ?"
                            " AND kind = 2",
                            "tt", game, thread);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &there, why);
    }
    if (err == ERR_NONE && there) {
        struct envelope envelope;
        struct buf trouble = BUF_INIT;
        /* One that can't be opened is another than the new one. */
        if (read_envelope(store, rows, &envelope, &trouble) != ERR_NONE ||
            open_text(store, rows, &envelope, &trouble) != ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&trouble));
            envelope.letter.text = must_copy("");
        }
        *status = outbox_add(outbox, &envelope);
        db_done(rows);
        buf_release(&trouble);
    }
    return err;
}

/* A status post that is there already gets the new text.  The same text is not
 * sent again: in a session even an edit would tell that somebody has acted. */
static enum err
update_status(struct store *store, struct outbox *outbox,
              struct envelope *there, const struct letter *letter,
              struct buf *why)
{
    const char *text = letter->text;
    if (strcmp(there->letter.text, text) == 0) {
        if (there->state == ENVELOPE_SENT) {
            outbox_done(outbox, there->id); /* fetched back for nothing */
        }
        return ERR_NONE;
    }
    free(there->letter.text);
    there->letter.text = must_copy(text);
    if (there->state == ENVELOPE_IN_FLIGHT) {
        there->changed = true;
    } else {
        if (there->state == ENVELOPE_SENT) {
            there->letter.written = letter->written;
            there->waiting = letter->written;
        }
        there->state = ENVELOPE_WAITING;
    }
    struct buf sealed = BUF_INIT;
    store_seal_text(store, there, &sealed);
    enum err err =
        db_run(store->db, why,
               "UPDATE letter SET text = ?, changed = ?, state = ?, written = ?"
               " WHERE id = ?",
               "biiii", sealed.data, sealed.len, (int64_t)there->changed,
               (int64_t)there->state, there->letter.written, there->id);
    buf_release(&sealed);
    return err;
}

/* Is a letter that is said once about a post that did not count, and to this
 * person? */
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
    HINTS_MAX = 16 /* that are withdrawn at once */
};

/* The same of veiled ones, which no query finds. */
static void
find_veiled_hints(const struct docket *docket, const struct outbox *outbox,
                  const char *from, int64_t *ids, unsigned *count)
{
    for (size_t i = 0; i < outbox->count && *count < HINTS_MAX; i++) {
        const struct envelope *envelope = outbox->list[i];
        const char *once = envelope->letter.once;
        if (envelope->veiled && once != NULL &&
            strncmp(once, from, strlen(from)) == 0 &&
            is_hint(once, docket->answered)) {
            ids[(*count)++] = envelope->id;
        }
    }
}

/* Find what was written to somebody about the question that they have answered
 * now, and is not sent. */
static enum err
find_hints(struct store *store, const struct docket *docket,
           const struct outbox *outbox, int64_t *ids, unsigned *count,
           struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool more = false;
    struct buf from = BUF_INIT;
    struct buf past = BUF_INIT;
    /* '0' is the next character after '/'. */
    buf_addf(&from, "%s/%u/", docket->table->id, docket->answered_phase);
    buf_addf(&past, "%s/%u0", docket->table->id, docket->answered_phase);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT id, once FROM letter"
                            " WHERE once >= ? AND once < ? AND state <> 2",
                            "tt", buf_text(&from), buf_text(&past));
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &more, why)) == ERR_NONE && more) {
        if (*count < HINTS_MAX && is_hint(db_text(rows, 1), docket->answered)) {
            ids[(*count)++] = db_int(rows, 0);
        }
    }
    buf_release(&past);
    if (err == ERR_NONE) {
        find_veiled_hints(docket, outbox, buf_text(&from), ids, count);
    }
    buf_release(&from);
    return err;
}

/* "Yours is not counted yet" is not said any more to who has voted since. */
static enum err
withdraw_hints(struct store *store, const struct docket *docket,
               struct outbox *outbox, struct buf *why)
{
    int64_t ids[HINTS_MAX];
    unsigned count = 0;
    enum err err = find_hints(store, docket, outbox, ids, &count, why);
    for (unsigned i = 0; err == ERR_NONE && i < count; i++) {
        struct envelope *envelope = outbox_find(outbox, ids[i]);
        if (envelope != NULL && envelope->state != ENVELOPE_IN_FLIGHT &&
            !envelope->doubtful) {
            envelope->state = ENVELOPE_SENT;
            err = store_save_envelope(store, envelope, why);
            outbox_done(outbox, envelope->id);
        }
    }
    return err;
}

/* What the pieces of a letter share. */
struct saving {
    const struct docket *docket;
    const struct letter *first; /* of the pieces */
    bool said;                  /* it was said before */
    int64_t batch;
    unsigned index; /* of the piece in its batch */
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

/* The key of a message: of what game, which row of its journal, which of those
 * that the row makes; of an answer, which makes no row, its number. */
static void
make_key(const struct store *store, unsigned index, struct envelope *envelope)
{
    struct buf key = BUF_INIT;
    bool answer = envelope->batch <= 0;
    buf_addf(&key, "%s.", store->epoch);
    if (strlen(envelope->game) <= 5) {
        buf_addf(&key, "%s.", envelope->game);
    }
    buf_add_text(&key, answer ? "a" : "");
    add_number(&key, answer ? envelope->id : envelope->batch);
    buf_add_char(&key, '.');
    add_number(&key, index);
    assert(key.len <= KEY_MAX);
    (void)snprintf(envelope->key, sizeof envelope->key, "%s", buf_text(&key));
    buf_release(&key);
}

/* What asked the question before is not edited any more: its words are not
 * kept. */
static enum err
forget_calls(struct store *store, const struct envelope *envelope,
             struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE letter SET text = NULL WHERE game = ? AND state = 2"
                  " AND kind = 0 AND calls <> 0 AND calls <> ?"
                  " AND text IS NOT NULL",
                  "ti", envelope->game, (int64_t)envelope->letter.calls);
}

static enum err
save_letter(struct store *store, const struct saving *saving,
            const struct letter *letter, struct outbox *outbox, struct buf *why)
{
    const struct table *table = saving->docket->table;
    const struct letter *first = saving->first;
    bool placed = letter->kind == LETTER_POST || letter->kind == LETTER_STATUS;
    const char *thread =
        placed && first->place != NULL ? first->place : table->thread;
    struct envelope envelope;
    enum err err = ERR_NONE;
    if (saving->said && first->again == AGAIN_DROP) {
        return ERR_NONE;
    }
    struct envelope *status = NULL;
    if (letter->kind == LETTER_STATUS) {
        err = find_status(store, table->id, thread, outbox, &status, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    if (status != NULL) {
        return update_status(store, outbox, status, letter, why);
    }
    memset(&envelope, 0, sizeof envelope);
    copy_letter(letter, first, &envelope.letter);
    if (saving->said) {
        /* In public once per matter; more of it by private message. */
        if (first->again == AGAIN_PRIVATE) {
            envelope.letter.kind = LETTER_PRIVATE;
        }
        free(envelope.letter.once);
        envelope.letter.once = NULL;
    }
    envelope.veiled = envelope.letter.kind == LETTER_PRIVATE &&
                      table->state == TABLE_RUNNING && table_is_secret(table);
    envelope.batch = saving->batch;
    (void)snprintf(envelope.game, sizeof envelope.game, "%s", table->id);
    (void)snprintf(envelope.place, sizeof envelope.place, "%s", table->place);
    (void)snprintf(envelope.thread, sizeof envelope.thread, "%s", thread);
    err = store_next_row(store, "letter", &envelope.id, why);
    if (err == ERR_NONE) {
        make_key(store, saving->index, &envelope);
        err = insert_letter(store, &envelope, why);
    }
    if (err == ERR_NONE && letter->kind == LETTER_POST &&
        envelope.letter.calls != 0) {
        err = forget_calls(store, &envelope, why);
    }
    if (err == ERR_NONE) {
        envelope.waiting = envelope.letter.written;
        (void)outbox_add(outbox, &envelope);
    } else {
        letter_release(&envelope.letter);
    }
    return err;
}

/* A batch's number is that of its newest row; letters without a row (answers)
 * belong to no batch that another could wait for: each its own. */
static enum err
next_batch(struct store *store, int64_t *batch, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool more = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT -1 - coalesce(max(id), 0) FROM letter", "");
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &more, why);
    }
    if (err == ERR_NONE) {
        *batch = db_int(rows, 0);
        db_done(rows);
    }
    return err;
}

/* The game was taken back: what was written since and is not on its way yet is
 * not sent any more.  The status post is, for it is written anew. */
static enum err
withdraw_letters(struct store *store, const struct docket *docket,
                 struct outbox *outbox, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool more = false;
    int64_t last = 0;
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT row FROM journal WHERE game = ?"
                 " ORDER BY row LIMIT 1 OFFSET ?",
                 "ti", docket->table->id, (int64_t)docket->undone_to - 1);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &more, why);
    }
    if (err != ERR_NONE || !more) {
        return err;
    }
    last = db_int(rows, 0);
    db_done(rows);
    for (size_t i = outbox->count; err == ERR_NONE && i-- > 0;) {
        struct envelope *envelope = outbox->list[i];
        if (envelope->state != ENVELOPE_WAITING || envelope->doubtful ||
            envelope->batch <= last ||
            strcmp(envelope->game, docket->table->id) != 0 ||
            envelope->letter.kind == LETTER_STATUS) {
            continue;
        }
        envelope->state = ENVELOPE_SENT;
        err = store_save_envelope(store, envelope, why);
        outbox_done(outbox, envelope->id);
    }
    return err;
}

static bool
is_dismissed(const struct docket *docket, const struct envelope *envelope)
{
    return envelope->letter.kind == LETTER_PRIVATE &&
           strcmp(envelope->game, docket->table->id) == 0 &&
           strcmp(envelope->letter.user, docket->dismissed) == 0;
}

/* Who has lost a seat gets nothing of it any more, not even what could not be
 * delivered before. */
static enum err
withdraw_dismissed(struct store *store, const struct docket *docket,
                   struct outbox *outbox, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = outbox->count; err == ERR_NONE && i-- > 0;) {
        struct envelope *envelope = outbox->list[i];
        if (envelope->state != ENVELOPE_IN_FLIGHT &&
            is_dismissed(docket, envelope)) {
            envelope->state = ENVELOPE_SENT;
            err = store_save_envelope(store, envelope, why);
            outbox_done(outbox, envelope->id);
        }
    }
    return err;
}

enum err
store_save_docket(struct store *store, const struct docket *docket,
                  struct outbox *outbox, struct buf *why)
{
    int64_t batch = 0;
    enum err err = ERR_NONE;
    if (docket->undone) {
        err = withdraw_letters(store, docket, outbox, why);
    }
    if (err == ERR_NONE && docket->dismissed[0] != '\0') {
        err = withdraw_dismissed(store, docket, outbox, why);
    }
    if (err == ERR_NONE && docket->answered[0] != '\0') {
        err = withdraw_hints(store, docket, outbox, why);
    }
    if (err == ERR_NONE) {
        err = save_rows(store, docket, &batch, why);
    }
    if (err == ERR_NONE && batch == 0 && docket->letter_count > 0) {
        err = next_batch(store, &batch, why);
    }
    struct saving saving = {
        .docket = docket, .first = docket->letters, .batch = batch};
    for (unsigned i = 0; err == ERR_NONE && i < docket->letter_count; i++) {
        const struct letter *letter = &docket->letters[i];
        saving.index = i;
        if (!letter->follows) {
            saving.first = letter;
            err = was_said(store, letter, &saving.said, why);
        }
        if (err == ERR_NONE) {
            err = save_letter(store, &saving, letter, outbox, why);
        }
    }
    const struct table *table = docket->table;
    bool hidden = table->state == TABLE_RUNNING && table_is_secret(table);
    return err == ERR_NONE && !hidden
               ? store_unveil(store, table->id, outbox, why)
               : err;
}

/* ---- letters ------------------------------------------------------------- */

/* A veiled letter that has ended is passed over. */
static void
load_letter(const struct store *store, sqlite3_stmt *rows,
            struct outbox *outbox)
{
    struct envelope envelope;
    struct buf trouble = BUF_INIT;
    enum err err = read_envelope(store, rows, &envelope, &trouble);
    if (err == ERR_NONE) {
        err = open_text(store, rows, &envelope, &trouble);
    }
    if (err == ERR_NONE && envelope.state != ENVELOPE_SENT) {
        (void)outbox_add(outbox, &envelope);
    } else if (err != ERR_NONE) {
        log_line(LOG_LEVEL_ERROR, "%s; it is not sent", buf_text(&trouble));
    }
    letter_release(&envelope.letter);
    buf_release(&trouble);
}

enum err
store_load_outbox(struct store *store, struct outbox *outbox, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool more = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " ENVELOPE_COLUMNS
                            " FROM letter WHERE state <> 2 ORDER BY id",
                            "");
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &more, why)) == ERR_NONE && more) {
        load_letter(store, rows, outbox);
    }
    return err;
}

enum err
store_save_envelope(struct store *store, const struct envelope *envelope,
                    struct buf *why)
{
#define FATE                                                                   \
    "UPDATE letter SET state = ?, sent = ?, changed = ?, named = ?,"           \
    " in_flight = ?, delivered = ?, refused_at = ?, refused = ?, trouble = ?," \
    " shape = ?, part = ?, queued = ?"
    const struct letter *letter = &envelope->letter;
    if (envelope->veiled) {
        return store_save_veiled(store, envelope, why);
    }
    bool kept = letter->kind == LETTER_STATUS ||
                (letter->kind == LETTER_POST && letter->deadline != 0 &&
                 envelope->delivered != 0);
    bool wipe = envelope->state == ENVELOPE_SENT && !kept;
    return db_run(
        store->db, why,
        wipe ? FATE ", text = NULL WHERE id = ?" : FATE " WHERE id = ?",
        "itiiiiiitiiii", (int64_t)envelope->state, envelope->sent,
        (int64_t)envelope->changed, envelope->named, envelope->in_flight,
        envelope->delivered, envelope->refused_at, (int64_t)envelope->refused,
        envelope->trouble, (int64_t)envelope->shape, (int64_t)envelope->part,
        envelope->queued, envelope->id);
#undef FATE
}

enum err
store_alarmed(struct store *store, const struct envelope *envelope,
              struct buf *why)
{
    return envelope->veiled
               ? ERR_NONE
               : db_run(store->db, why,
                        "UPDATE letter SET alarmed = 1 WHERE id = ?", "i",
                        envelope->id);
}

/* Have a delivered call of the current row edited. */
static enum err
recall(struct store *store, sqlite3_stmt *rows, struct outbox *outbox,
       struct buf *why)
{
    struct envelope envelope;
    enum err err = read_envelope(store, rows, &envelope, why);
    if (err == ERR_NONE) {
        err = open_text(store, rows, &envelope, why);
    }
    if (err == ERR_NONE && outbox_find(outbox, envelope.id) == NULL) {
        struct envelope *recalled = outbox_add(outbox, &envelope);
        recalled->state = ENVELOPE_WAITING;
        err = store_save_envelope(store, recalled, why);
    }
    letter_release(&envelope.letter);
    return err;
}

enum err
store_recall(struct store *store, const char *game, unsigned calls,
             struct outbox *outbox, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool more = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " ENVELOPE_COLUMNS
                            " FROM letter WHERE game = ? AND calls = ?"
                            " AND kind = 0 AND state = 2 AND sent <> ''"
                            " AND deadline <> 0 AND text IS NOT NULL",
                            "ti", game, (int64_t)calls);
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &more, why)) == ERR_NONE && more) {
        err = recall(store, rows, outbox, why);
        if (err != ERR_NONE) {
            db_done(rows);
        }
    }
    return err;
}

/* ---- what is undelivered ------------------------------------------------- */

/* Count the current row's veiled letter among those of its game. */
static void
count_veiled(const struct store *store, sqlite3_stmt *rows, int64_t before,
             struct store_letter *letter)
{
    struct envelope envelope;
    struct buf unsaid = BUF_INIT;
    bool waits = read_envelope(store, rows, &envelope, &unsaid) == ERR_NONE &&
                 envelope.state != ENVELOPE_SENT && envelope.delivered == 0 &&
                 (envelope.refused_at != 0 || envelope.letter.written < before);
    if (waits) {
        (void)snprintf(letter->game, sizeof letter->game, "%s", envelope.game);
        (void)snprintf(letter->place, sizeof letter->place, "%s",
                       envelope.place);
        letter->kind = LETTER_PRIVATE;
        letter->calls = letter->calls || envelope.letter.calls != 0;
        letter->written =
            letter->count == 0 || envelope.letter.written < letter->written
                ? envelope.letter.written
                : letter->written;
        letter->count++;
    }
    letter_release(&envelope.letter);
    buf_release(&unsaid);
}

/* Call `each` for the veiled ones, game by game.  A reader without the key
 * learns nothing of them. */
static enum err
veiled_undelivered(struct store *store, int64_t before,
                   store_letter_reader *each, void *context, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct store_letter letter = {.count = 0};
    bool more = false;
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT " ENVELOPE_COLUMNS " FROM letter WHERE state <> 2"
                 " AND fate IS NOT NULL ORDER BY game, id",
                 "");
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &more, why)) == ERR_NONE && more) {
        if (letter.count > 0 && strcmp(letter.game, db_text(rows, 2)) != 0) {
            err = each(context, &letter, why);
            letter = (struct store_letter){.count = 0};
        }
        if (err == ERR_NONE) {
            count_veiled(store, rows, before, &letter);
        } else {
            db_done(rows);
        }
    }
    return err == ERR_NONE && letter.count > 0 ? each(context, &letter, why)
                                               : err;
}

static void
read_undelivered(sqlite3_stmt *rows, struct store_letter *letter)
{
    *letter = (struct store_letter){
        .kind = (enum letter_kind)db_int(rows, 2),
        .written = db_int(rows, 3),
        .calls = db_int(rows, 5) != 0,
        .count = db_int(rows, 6),
        .queued = db_int(rows, 7),
    };
    (void)snprintf(letter->game, sizeof letter->game, "%s", db_text(rows, 0));
    (void)snprintf(letter->place, sizeof letter->place, "%s", db_text(rows, 1));
    (void)snprintf(letter->trouble, sizeof letter->trouble, "%s",
                   db_text(rows, 4));
}

enum err
store_undelivered(struct store *store, int64_t before,
                  store_letter_reader *each, void *context, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool more = false;
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT game, place, kind, min(written), max(trouble),"
                 " max(calls <> 0), count(*), sum(queued <> 0) FROM letter"
                 " WHERE state <> 2 AND delivered = 0 AND fate IS NULL"
                 " AND (refused_at <> 0 OR queued <> 0 OR written < ?)"
                 " GROUP BY game, place, kind ORDER BY min(id)",
                 "i", before);
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &more, why)) == ERR_NONE && more) {
        struct store_letter letter;
        read_undelivered(rows, &letter);
        err = each(context, &letter, why);
        if (err != ERR_NONE) {
            db_done(rows);
        }
    }
    return err == ERR_NONE
               ? veiled_undelivered(store, before, each, context, why)
               : err;
}

enum err
store_status_post(struct store *store, const char *game, const char *thread,
                  struct buf *post, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT sent FROM letter"
                            " WHERE game = ? AND thread = ? AND kind = 2",
                            "tt", game, thread);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &there, why);
    }
    if (err == ERR_NONE && there) {
        buf_add_text(post, db_text(rows, 0));
        db_done(rows);
    }
    return err;
}

enum err
store_old_status(struct store *store, const char *thread, struct buf *posts,
                 struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT sent FROM letter JOIN game"
                            " ON game.id = letter.game AND game.over = 1"
                            " WHERE letter.thread = ? AND letter.kind = 2"
                            " AND letter.sent <> ''"
                            " ORDER BY letter.id DESC LIMIT 50",
                            "t", thread);
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &there, why)) == ERR_NONE && there) {
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
store_move_letter(struct store *store, struct envelope *envelope,
                  const char *thread, struct buf *why)
{
    struct buf sealed = BUF_INIT;
    (void)snprintf(envelope->thread, sizeof envelope->thread, "%s", thread);
    store_seal_text(store, envelope, &sealed);
    enum err err = db_run(
        store->db, why, "UPDATE letter SET thread = ?, text = ? WHERE id = ?",
        "tbi", envelope->thread, sealed.data, sealed.len, envelope->id);
    buf_release(&sealed);
    return err;
}

/* Is the current row that of a letter of this user? */
static bool
is_letter_of(const struct store *store, sqlite3_stmt *rows, const char *user)
{
    struct envelope envelope;
    struct buf unsaid = BUF_INIT;
    bool same = read_envelope(store, rows, &envelope, &unsaid) == ERR_NONE &&
                envelope.letter.user != NULL &&
                strcmp(envelope.letter.user, user) == 0;
    letter_release(&envelope.letter);
    buf_release(&unsaid);
    return same;
}

enum err
store_game_of_letter(struct store *store, const char *user, const char *post,
                     struct buf *game, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    struct buf sign = BUF_INIT;
    store_sign_sent(store, post, &sign);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " ENVELOPE_COLUMNS
                            " FROM letter WHERE kind = 1 AND sent <> ''"
                            " AND (sent = ? OR sent = ?)",
                            "tt", post, buf_text(&sign));
    while (err == ERR_NONE && game->len == 0 &&
           (err = db_next(store->db, rows, &there, why)) == ERR_NONE && there) {
        if (is_letter_of(store, rows, user)) {
            buf_add_text(game, db_text(rows, 2));
            db_done(rows);
        }
    }
    buf_release(&sign);
    return err;
}

/* What a question asked, and of whom, in the current row. */
static void
read_asker(const struct store *store, sqlite3_stmt *rows, struct buf *game,
           struct buf *user)
{
    struct envelope envelope;
    struct buf unsaid = BUF_INIT;
    if (read_envelope(store, rows, &envelope, &unsaid) == ERR_NONE &&
        envelope.letter.post != NULL) {
        buf_add_text(game, envelope.game);
        buf_add_text(user, envelope.letter.post);
    }
    letter_release(&envelope.letter);
    buf_release(&unsaid);
}

enum err
store_asker(struct store *store, const char *post, struct buf *game,
            struct buf *user, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    struct buf sign = BUF_INIT;
    store_sign_sent(store, post, &sign);
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " ENVELOPE_COLUMNS
                            " FROM letter WHERE kind <= 1 AND sent <> ''"
                            " AND (sent = ? OR sent = ?)"
                            " AND (post IS NOT NULL OR fate IS NOT NULL)",
                            "tt", post, buf_text(&sign));
    while (err == ERR_NONE && user->len == 0 &&
           (err = db_next(store->db, rows, &there, why)) == ERR_NONE && there) {
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
    sqlite3_stmt *rows = NULL;
    bool there = false;
    *number = 0;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT substr(once, length(game) + 10) FROM letter"
                            " WHERE sent = ? AND sent <> '' AND game = ?"
                            " AND kind = 0 AND once LIKE game || '/request %'",
                            "tt", post, game);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &there, why);
    }
    if (err == ERR_NONE && there) {
        *number = (unsigned)db_int(rows, 0);
        db_done(rows);
    }
    return err;
}
