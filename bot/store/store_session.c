/*
 * Veiled letters: private ones of a table whose cards or ballots are out.
 *
 * When the president chooses, the chancellor is written to.  So whom such a
 * letter goes to, when it was written and what became of it lie sealed, of one
 * length, in the column `fate`; the columns that have them in the clear
 * elsewhere are empty.  Until the session is over the row waits as far as it
 * shows, and its text is as long as it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/store/store_inner.h"

static void
name_fate(const struct envelope *envelope, struct buf *out)
{
    buf_addf(out, "what became of letter %lld, ", (long long)envelope->id);
    store_add_part(out, "at ", envelope->place);
    store_add_part(out, ", in ", envelope->thread);
}

/* ---- writing ------------------------------------------------------------- */

static void
put_text(struct buf *out, const char *text)
{
    if (text == NULL) {
        buf_add_text(out, "-:");
    } else {
        buf_addf(out, "%zu:%s", strlen(text), text);
    }
}

void
store_seal_fate(const struct store *store, const struct envelope *envelope,
                struct buf *out)
{
    const struct letter *letter = &envelope->letter;
    const int64_t numbers[] = {
        envelope->state,     envelope->named,      envelope->in_flight,
        envelope->delivered, envelope->refused_at, envelope->refused,
        envelope->shape,     envelope->part,       letter->waits,
        letter->not_after,   letter->written,      letter->calls,
        letter->deadline,
    };
    const char *const texts[] = {
        letter->user,  letter->post, letter->place,
        letter->rings, letter->once, envelope->sent,
    };
    struct buf fate = BUF_INIT;
    struct buf name = BUF_INIT;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        buf_addf(&fate, "%lld ", (long long)numbers[i]);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_text(&fate, texts[i]);
    }
    name_fate(envelope, &name);
    store_seal(store, buf_text(&name), fate.data, fate.len,
               padded(fate.len + 1, ROOM_FATE), out);
    buf_wipe(&fate);
    buf_release(&name);
}

/* Append what stands for a text in a column in the clear: without the key it
 * tells nothing. */
static void
add_sign(const struct store *store, const char *what, const char *text,
         struct buf *out)
{
    buf_addf(
        out, "~%016llx",
        (unsigned long long)seal_number(store->seal, what, text, strlen(text)));
}

void
store_sign_once(const struct store *store, const char *once, struct buf *out)
{
    add_sign(store, "what is said once", once, out);
}

void
store_sign_sent(const struct store *store, const char *sent, struct buf *out)
{
    add_sign(store, "what was sent", sent, out);
}

/* One that is not sent has a sign like any other. */
static void
sign_envelope(const struct store *store, const struct envelope *envelope,
              struct buf *out)
{
    char unsent[40];
    (void)snprintf(unsent, sizeof unsent, "letter %lld",
                   (long long)envelope->id);
    if (envelope->sent[0] == '\0') {
        add_sign(store, "what was not sent", unsent, out);
    } else {
        store_sign_sent(store, envelope->sent, out);
    }
}

enum err
store_insert_veiled(struct store *store, const struct envelope *envelope,
                    struct buf *why)
{
    const struct letter *letter = &envelope->letter;
    struct buf text = BUF_INIT;
    struct buf fate = BUF_INIT;
    struct buf once = BUF_INIT;
    struct buf sent = BUF_INIT;
    store_seal_text(store, envelope, &text);
    store_seal_fate(store, envelope, &fate);
    sign_envelope(store, envelope, &sent);
    if (letter->once != NULL) {
        store_sign_once(store, letter->once, &once);
    }
    enum err err = db_run(
        store->db, why,
        "INSERT INTO letter(id, batch, game, place, thread, kind, state, text,"
        " once, waits, not_after, written, picture, sent, changed, key, fate)"
        " VALUES(?, ?, ?, ?, ?, ?, 0, ?, ?, 0, 0, 0, 0, ?, 0, ?, ?)",
        "iitttibtttb", envelope->id, envelope->batch, envelope->game,
        envelope->place, envelope->thread, (int64_t)letter->kind, text.data,
        text.len, letter->once == NULL ? NULL : buf_text(&once),
        buf_text(&sent), envelope->key, fate.data, fate.len);
    buf_release(&text);
    buf_release(&fate);
    buf_release(&once);
    buf_release(&sent);
    return err;
}

/* The text of one that was sent is wiped, and another of its length put
 * there. */
enum err
store_save_veiled(struct store *store, const struct envelope *envelope,
                  struct buf *why)
{
    struct envelope blank = *envelope;
    char nothing[] = "";
    struct buf text = BUF_INIT;
    struct buf fate = BUF_INIT;
    struct buf sent = BUF_INIT;
    if (envelope->state == ENVELOPE_SENT) {
        blank.letter.text = nothing;
    }
    store_seal_text(store, &blank, &text);
    store_seal_fate(store, envelope, &fate);
    sign_envelope(store, envelope, &sent);
    enum err err = db_run(store->db, why,
                          "UPDATE letter SET text = ?, fate = ?, sent = ?"
                          " WHERE id = ?",
                          "bbti", text.data, text.len, fate.data, fate.len,
                          buf_text(&sent), envelope->id);
    buf_release(&text);
    buf_release(&fate);
    buf_release(&sent);
    return err;
}

/* ---- reading ------------------------------------------------------------- */

/* Take a number off the front; false: there is none. */
static bool
take_number(const char **at, char end, int64_t *number)
{
    char *after = NULL;
    *number = strtoll(*at, &after, 10);
    if (after == *at || *after != end) {
        return false;
    }
    *at = after + 1;
    return true;
}

/* Take a text off; NULL where there is none.  It is owned. */
static bool
take_text(const char **at, const char *past, char **text)
{
    int64_t len = 0;
    *text = NULL;
    if (strncmp(*at, "-:", 2) == 0) {
        *at += 2;
        return true;
    }
    if (!take_number(at, ':', &len) || len < 0 || len > past - *at) {
        return false;
    }
    *text = must_alloc((size_t)len + 1);
    memcpy(*text, *at, (size_t)len);
    *at += len;
    return true;
}

static void
set_numbers(const int64_t *numbers, struct envelope *envelope)
{
    struct letter *letter = &envelope->letter;
    envelope->state = (enum envelope_state)numbers[0];
    envelope->named = numbers[1];
    envelope->in_flight = numbers[2];
    envelope->delivered = numbers[3];
    envelope->refused_at = numbers[4];
    envelope->refused = (enum refused)numbers[5];
    envelope->shape = (enum shape)numbers[6];
    envelope->part = (unsigned)numbers[7];
    letter->waits = numbers[8] != 0;
    letter->not_after = numbers[9];
    letter->written = numbers[10];
    letter->calls = (unsigned)numbers[11];
    letter->deadline = numbers[12];
}

static bool
read_fate(const struct buf *fate, struct envelope *envelope)
{
    enum {
        NUMBERS = 13,
        TEXTS = 6
    };
    struct letter *letter = &envelope->letter;
    int64_t numbers[NUMBERS];
    char *texts[TEXTS] = {NULL};
    const char *at = buf_text(fate);
    const char *past = at + fate->len;
    bool good = true;
    for (size_t i = 0; good && i < NUMBERS; i++) {
        good = take_number(&at, ' ', &numbers[i]);
    }
    for (size_t i = 0; good && i < TEXTS; i++) {
        good = take_text(&at, past, &texts[i]);
    }
    if (good) {
        set_numbers(numbers, envelope);
        /* What stands in the clear there is none of ours. */
        free(letter->user);
        free(letter->post);
        free(letter->place);
        free(letter->rings);
        free(letter->once);
        letter->user = texts[0];
        letter->post = texts[1];
        letter->place = texts[2];
        letter->rings = texts[3];
        letter->once = texts[4];
        (void)snprintf(envelope->sent, sizeof envelope->sent, "%s",
                       texts[5] == NULL ? "" : texts[5]);
        texts[0] = texts[1] = texts[2] = texts[3] = texts[4] = NULL;
    }
    for (size_t i = 0; i < TEXTS; i++) {
        free(texts[i]);
    }
    return good;
}

enum err
store_open_fate(const struct store *store, sqlite3_stmt *rows, int column,
                struct envelope *envelope, struct buf *why)
{
    struct buf name = BUF_INIT;
    struct buf fate = BUF_INIT;
    name_fate(envelope, &name);
    enum err err =
        store_unseal(store, buf_text(&name), rows, column, &fate, why);
    if (err == ERR_NONE && !read_fate(&fate, envelope)) {
        err = err_say(why, ERR_GARBLED, "%s: it can't be understood",
                      buf_text(&name));
    }
    envelope->veiled = true;
    buf_release(&name);
    buf_wipe(&fate);
    return err;
}

/* ---- after the session --------------------------------------------------- */

enum {
    UNVEILED_MAX = 64 /* at once; what is left, next time */
};

enum err
store_unveil(struct store *store, const char *game, struct outbox *outbox,
             struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    int64_t ids[UNVEILED_MAX];
    unsigned count = 0;
    bool more = false;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT id FROM letter WHERE state <> 2"
                            " AND fate IS NOT NULL AND game = ?",
                            "t", game);
    while (err == ERR_NONE &&
           (err = db_next(store->db, rows, &more, why)) == ERR_NONE && more) {
        if (count < UNVEILED_MAX &&
            outbox_find(outbox, db_int(rows, 0)) == NULL) {
            ids[count++] = db_int(rows, 0);
        }
    }
    for (unsigned i = 0; err == ERR_NONE && i < count; i++) {
        err = db_run(store->db, why,
                     "UPDATE letter SET state = 2, text = NULL WHERE id = ?",
                     "i", ids[i]);
    }
    return err;
}
