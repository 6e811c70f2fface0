#include "bot/store/store_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/store/store_inner.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"

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

static void
seal_delivery(const struct store *store, const struct queued_message *queued,
              struct buf *out)
{
    const struct message *message = &queued->message;
    const int64_t numbers[] = {
        queued_saved_state(queued),
        queued->named,
        queued->in_flight,
        queued->delivered,
        queued->refused_at,
        queued->refused,
        queued->shape,
        queued->part,
        message->waits,
        message->not_after,
        message->written,
        store_question(message),
        message->deadline,
    };
    const char *const texts[] = {
        message->user,  message->post, message->place,
        message->pings, message->once, queued->sent,
    };
    struct buf delivery = BUF_INIT;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        buf_addf(&delivery, "%lld ", (long long)numbers[i]);
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_text(&delivery, texts[i]);
    }
    store_seal(store, delivery.data, delivery.len,
               padded(delivery.len + 1, ROOM_DELIVERY), out, NAME_DELIVERY,
               (long long)queued->id, PART_OF(queued->place),
               PART_OF(queued->thread));
    buf_wipe(&delivery);
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

/* A message that is not sent has a sign, too, so that it looks like any
 * other. */
static void
sign_queued(const struct store *store, const struct queued_message *queued,
            struct buf *out)
{
    char unsent[40];
    (void)snprintf(unsent, sizeof unsent, "message %lld",
                   (long long)queued->id);
    if (queued->sent[0] == '\0') {
        add_sign(store, "what was not sent", unsent, out);
    } else {
        store_sign_sent(store, queued->sent, out);
    }
}

void
store_hide(const struct store *store, const struct queued_message *queued,
           struct queued_message *shown, struct buf *delivery, struct buf *once)
{
    struct buf sent = BUF_INIT;
    memset(shown, 0, sizeof *shown);
    shown->id = queued->id;
    shown->batch = queued->batch;
    shown->message.kind = queued->message.kind;
    memcpy(shown->game, queued->game, sizeof shown->game);
    memcpy(shown->place, queued->place, sizeof shown->place);
    memcpy(shown->thread, queued->thread, sizeof shown->thread);
    memcpy(shown->key, queued->key, sizeof shown->key);
    sign_queued(store, queued, &sent);
    (void)snprintf(shown->sent, sizeof shown->sent, "%s", buf_text(&sent));
    if (queued->message.once != NULL) {
        store_sign_once(store, queued->message.once, once);
        shown->message.once = once->data;
    }
    seal_delivery(store, queued, delivery);
    buf_release(&sent);
}

/* The text of a sent message is wiped, and another one of its length takes its
 * place. */
enum err
store_save_sent(struct store *store, int64_t id, const char *sent,
                struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE message SET sent = ?1 WHERE id = ?2 AND sent <> ?1",
                  "ti", sent, id);
}

enum err
store_save_hidden(struct store *store, const struct queued_message *queued,
                  struct buf *why)
{
    struct queued_message blank = *queued;
    char nothing[] = "";
    struct buf text = BUF_INIT;
    struct buf delivery = BUF_INIT;
    struct buf sent = BUF_INIT;
    if (queued->state == QUEUED_SENT) {
        blank.message.text = nothing;
    }
    store_seal_text(store, &blank, &text);
    seal_delivery(store, queued, &delivery);
    sign_queued(store, queued, &sent);
    enum err err = db_run(store->db, why,
                          "UPDATE message SET text = ?, delivery = ?"
                          " WHERE id = ?",
                          "bbi", text.data, text.len, delivery.data,
                          delivery.len, queued->id);
    if (err == ERR_NONE) {
        err = store_save_sent(store, queued->id, buf_text(&sent), why);
    }
    buf_release(&text);
    buf_release(&delivery);
    buf_release(&sent);
    return err;
}

/* ---- reading ------------------------------------------------------------- */

/* Take a text off the front, into one that is owned; what stands there in the
 * clear is not ours. */
static bool
take_text(const char **at, const char *past, char **text)
{
    int64_t len = 0;
    free(*text);
    *text = NULL;
    if (strncmp(*at, "-:", 2) == 0) {
        *at += 2;
        return true;
    }
    if (!store_take_number(at, ':', &len) || len < 0 || len > past - *at) {
        return false;
    }
    *text = must_alloc((size_t)len + 1);
    memcpy(*text, *at, (size_t)len);
    *at += len;
    return true;
}

static void
set_numbers(const int64_t *numbers, struct queued_message *queued)
{
    struct message *message = &queued->message;
    queued->state = (enum queued_state)numbers[0];
    queued->named = numbers[1];
    queued->in_flight = numbers[2];
    queued->delivered = numbers[3];
    queued->refused_at = numbers[4];
    queued->refused = (enum refused)numbers[5];
    queued->shape = (enum shape)numbers[6];
    queued->part = (unsigned)numbers[7];
    message->waits = numbers[8] != 0;
    message->not_after = numbers[9];
    message->written = numbers[10];
    store_set_question(message, numbers[11]);
    message->deadline = numbers[12];
}

static bool
read_delivery(const struct buf *delivery, struct queued_message *queued)
{
    enum {
        NUMBERS = 13,
        TEXTS = 6
    };
    struct message *message = &queued->message;
    int64_t numbers[NUMBERS];
    char *sent = NULL;
    char **const texts[TEXTS] = {
        &message->user,  &message->post, &message->place,
        &message->pings, &message->once, &sent,
    };
    const char *at = buf_text(delivery);
    const char *past = at + delivery->len;
    bool good = true;
    for (size_t i = 0; good && i < NUMBERS; i++) {
        good = store_take_number(&at, ' ', &numbers[i]);
    }
    for (size_t i = 0; good && i < TEXTS; i++) {
        good = take_text(&at, past, texts[i]);
    }
    if (good) {
        set_numbers(numbers, queued);
        (void)snprintf(queued->sent, sizeof queued->sent, "%s",
                       sent == NULL ? "" : sent);
    }
    free(sent);
    return good;
}

enum err
store_open_delivery(const struct store *store, sqlite3_stmt *rows, int column,
                    struct queued_message *queued, struct buf *why)
{
    struct buf delivery = BUF_INIT;
    enum err err = store_unseal(
        store, rows, column, &delivery, why, NAME_DELIVERY,
        (long long)queued->id, PART_OF(queued->place), PART_OF(queued->thread));
    if (err == ERR_NONE && !read_delivery(&delivery, queued)) {
        err = err_say(why, ERR_GARBLED,
                      "the delivery of message %lld can't be understood",
                      (long long)queued->id);
    }
    queued->hidden = true;
    buf_wipe(&delivery);
    return err;
}

/* ---- after the session --------------------------------------------------- */

/* The query is sorted, so that it is read before rows change. */
enum err
store_reveal(struct store *store, const char *game, struct outbox *outbox,
             struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT id FROM message WHERE state <> 2"
                            " AND delivery IS NOT NULL AND game = ?"
                            " ORDER BY +id",
                            "t", game);
    while (db_next(store->db, rows, &err, why)) {
        int64_t id = db_int(rows, 0);
        if (outbox_find(outbox, id) == NULL) {
            err = db_run(store->db, why,
                         "UPDATE message SET state = 2, text = NULL"
                         " WHERE id = ?",
                         "i", id);
        }
    }
    return err;
}
