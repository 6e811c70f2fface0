/* What a docket leaves in the store: journal rows, and letters to send. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store_inner.h"

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
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < docket->row_count; i++) {
        err = store_next_row(store, "journal", batch, why);
        if (err == ERR_NONE) {
            err = save_row(store, table->id, &docket->rows[i], *batch, why);
        }
    }
    if (err == ERR_NONE && docket->row_count > 0) {
        err = db_run(store->db, why,
                     "INSERT INTO game(id, place, thread, over)"
                     " VALUES(?, ?, ?, ?)"
                     " ON CONFLICT(id) DO UPDATE SET over = excluded.over,"
                     " thread = excluded.thread",
                     "ttti", table->id, table->place, table->thread,
                     (int64_t)(table->state == TABLE_OVER));
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
    enum err err =
        db_query(store->db, why, &rows, "SELECT 1 FROM letter WHERE once = ?",
                 "t", letter->once);
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

static void
name_letter(int64_t id, struct buf *out)
{
    buf_addf(out, "letter %lld", (long long)id);
}

/* Private letters are of one length, whatever is in them. */
static void
seal_text(const struct store *store, int64_t id, const struct letter *letter,
          struct buf *out)
{
    struct buf place = BUF_INIT;
    size_t len = strlen(letter->text);
    name_letter(id, &place);
    store_seal(store, buf_text(&place), letter->text, len,
               letter->kind == LETTER_PRIVATE ? padded(len + 1, ROOM_PRIVATE)
                                              : len,
               out);
    buf_release(&place);
}

static enum err
insert_letter(struct store *store, const struct envelope *envelope,
              struct buf *why)
{
    const struct letter *letter = &envelope->letter;
    struct buf sealed = BUF_INIT;
    seal_text(store, envelope->id, letter, &sealed);
    enum err err = db_run(
        store->db, why,
        "INSERT INTO letter(id, batch, game, place, thread, kind, state, text,"
        " user, post, post_place, rings, once, waits, not_after, written,"
        " picture, report, sent, changed)"
        " VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', 0)",
        "iitttibtttttiiiit", envelope->id, envelope->batch, envelope->game,
        envelope->place, envelope->thread, (int64_t)letter->kind, sealed.data,
        sealed.len, letter->user, letter->post, letter->place, letter->rings,
        letter->once, (int64_t)letter->waits, letter->not_after,
        letter->written, (int64_t)letter->picture, letter->report);
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
    " picture, report"

static struct envelope *
read_envelope(sqlite3_stmt *rows, const struct buf *text, struct outbox *outbox)
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
    envelope.letter.text =
        db_is_null(rows, 7) ? NULL : must_copy(buf_text(text));
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
    if (envelope.state == ENVELOPE_IN_FLIGHT) {
        envelope.state = ENVELOPE_WAITING;
        envelope.doubtful = true;
    }
    return outbox_add(outbox, &envelope);
}

/* Open the text of the current row's letter. */
static enum err
open_text(const struct store *store, sqlite3_stmt *rows, struct buf *text,
          struct buf *why)
{
    struct buf place = BUF_INIT;
    name_letter(db_int(rows, 0), &place);
    enum err err = store_unseal(store, buf_text(&place), rows, 7, text, why);
    buf_release(&place);
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
        struct buf text = BUF_INIT;
        struct buf trouble = BUF_INIT;
        /* One that can't be opened is another than the new one. */
        if (open_text(store, rows, &text, &trouble) != ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&trouble));
        }
        *status = read_envelope(rows, &text, outbox);
        db_done(rows);
        buf_release(&text);
        buf_release(&trouble);
    }
    return err;
}

/* A status post that is there already gets the new text.  The same text is not
 * sent again: in a session even an edit would tell that somebody has acted. */
static enum err
update_status(struct store *store, struct outbox *outbox,
              struct envelope *there, const char *text, struct buf *why)
{
    if (strcmp(there->letter.text, text) == 0 &&
        there->state != ENVELOPE_HELD) {
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
        there->state = ENVELOPE_WAITING;
    }
    struct buf sealed = BUF_INIT;
    seal_text(store, there->id, &there->letter, &sealed);
    enum err err =
        db_run(store->db, why,
               "UPDATE letter SET text = ?, changed = ?, state = ?"
               " WHERE id = ?",
               "biii", sealed.data, sealed.len, (int64_t)there->changed,
               (int64_t)there->state, there->id);
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

/* Find what was written to somebody about the question that they have answered
 * now, and is not sent. */
static enum err
find_hints(struct store *store, const struct docket *docket, int64_t *ids,
           unsigned *count, struct buf *why)
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
    buf_release(&from);
    buf_release(&past);
    return err;
}

/* "Yours is not counted yet" is not said any more to who has voted since. */
static enum err
withdraw_hints(struct store *store, const struct docket *docket,
               struct outbox *outbox, struct buf *why)
{
    int64_t ids[HINTS_MAX];
    unsigned count = 0;
    enum err err = find_hints(store, docket, ids, &count, why);
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
};

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
        return update_status(store, outbox, status, letter->text, why);
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
    envelope.batch = saving->batch;
    (void)snprintf(envelope.game, sizeof envelope.game, "%s", table->id);
    (void)snprintf(envelope.place, sizeof envelope.place, "%s", table->place);
    (void)snprintf(envelope.thread, sizeof envelope.thread, "%s", thread);
    err = store_next_row(store, "letter", &envelope.id, why);
    if (err == ERR_NONE) {
        err = insert_letter(store, &envelope, why);
    }
    if (err == ERR_NONE) {
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
        if (!letter->follows) {
            saving.first = letter;
            err = was_said(store, letter, &saving.said, why);
        }
        if (err == ERR_NONE) {
            err = save_letter(store, &saving, letter, outbox, why);
        }
    }
    return err;
}

/* ---- letters ------------------------------------------------------------- */

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
        struct buf text = BUF_INIT;
        struct buf trouble = BUF_INIT;
        if (open_text(store, rows, &text, &trouble) == ERR_NONE) {
            (void)read_envelope(rows, &text, outbox);
        } else {
            log_line(LOG_LEVEL_ERROR, "%s; it is not sent", buf_text(&trouble));
        }
        buf_wipe(&text);
        buf_release(&trouble);
    }
    return err;
}

enum err
store_save_envelope(struct store *store, const struct envelope *envelope,
                    struct buf *why)
{
    bool wipe = envelope->state == ENVELOPE_SENT &&
                envelope->letter.kind != LETTER_STATUS;
    return db_run(store->db, why,
                  wipe ? "UPDATE letter SET state = ?, sent = ?, changed = ?,"
                         " text = NULL WHERE id = ?"
                       : "UPDATE letter SET state = ?, sent = ?, changed = ?"
                         " WHERE id = ?",
                  "itii", (int64_t)envelope->state, envelope->sent,
                  (int64_t)envelope->changed, envelope->id);
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
store_game_of_letter(struct store *store, const char *user, const char *post,
                     struct buf *game, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    enum err err =
        db_query(store->db, why, &rows,
                 "SELECT game FROM letter WHERE sent = ? AND sent <> ''"
                 " AND user = ? AND kind = 1 LIMIT 1",
                 "tt", post, user);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &there, why);
    }
    if (err == ERR_NONE && there) {
        buf_add_text(game, db_text(rows, 0));
        db_done(rows);
    }
    return err;
}

enum err
store_asker(struct store *store, const char *post, struct buf *game,
            struct buf *user, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    bool there = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT game, post FROM letter WHERE sent = ?"
                            " AND sent <> '' AND kind <= 1"
                            " AND post IS NOT NULL LIMIT 1",
                            "t", post);
    if (err == ERR_NONE) {
        err = db_next(store->db, rows, &there, why);
    }
    if (err == ERR_NONE && there) {
        buf_add_text(game, db_text(rows, 0));
        buf_add_text(user, db_text(rows, 1));
        db_done(rows);
    }
    return err;
}

void
store_letter_key(const struct store *store, const struct envelope *envelope,
                 struct buf *key)
{
    buf_addf(key, "%s.%lld", store->id, (long long)envelope->id);
}
