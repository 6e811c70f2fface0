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

/* What a delivery holds, in this order: numbers, one of them the question, and
 * texts; behind them, as which post it was sent. */
#define DELIVERY(NUMBER, QUESTION, TEXT)                                       \
    NUMBER(enum queued_state, state)                                           \
    NUMBER(int64_t, named)                                                     \
    NUMBER(int64_t, in_flight)                                                 \
    NUMBER(int64_t, delivered)                                                 \
    NUMBER(int64_t, refused_at)                                                \
    NUMBER(enum refused, refused)                                              \
    NUMBER(enum shape, shape)                                                  \
    NUMBER(unsigned, part)                                                     \
    NUMBER(bool, message.waits)                                                \
    NUMBER(int64_t, message.not_after)                                         \
    NUMBER(int64_t, message.written)                                           \
    QUESTION(message)                                                          \
    NUMBER(int64_t, message.deadline)                                          \
    TEXT(message.user)                                                         \
    TEXT(message.post)                                                         \
    TEXT(message.place)                                                        \
    TEXT(message.pings)                                                        \
    TEXT(message.once)

static struct buf
seal_delivery(const struct store *store, const struct queued_message *queued)
{
#define NUMBER(type, member)                                                   \
    buf_addf(&delivery, "%lld ", (long long)saved.member);
#define QUESTION(member)                                                       \
    buf_addf(&delivery, "%lld ", (long long)store_question(&saved.member));
#define TEXT(member) put_text(&delivery, saved.member);
    struct queued_message saved = *queued;
    struct buf delivery = BUF_INIT;
    saved.state = queued_saved_state(queued);
    DELIVERY(NUMBER, QUESTION, TEXT)
    put_text(&delivery, queued->sent);
    struct buf sealed = store_seal(
        store, delivery.data, delivery.len,
        padded(delivery.len + 1, ROOM_DELIVERY), NAME_DELIVERY,
        (long long)queued->id, PART_OF(queued->place), PART_OF(queued->thread));
    buf_wipe(&delivery);
    return sealed;
#undef NUMBER
#undef QUESTION
#undef TEXT
}

void
store_sign(const struct store *store, const char *what, const char *text,
           char sign[SIGN_SIZE])
{
    (void)snprintf(
        sign, SIGN_SIZE, "~%016llx",
        (unsigned long long)seal_number(store->seal, what, text, strlen(text)));
}

/* A message that is not sent has a sign, too, so that it looks like any
 * other. */
struct buf
store_hide(const struct store *store, const struct queued_message *queued,
           struct queued_message *shown, char once[SIGN_SIZE])
{
    char unsent[40];
    bool sent = queued->sent[0] != '\0';
    (void)snprintf(unsent, sizeof unsent, "message %lld",
                   (long long)queued->id);
    memset(shown, 0, sizeof *shown);
    shown->id = queued->id;
    shown->batch = queued->batch;
    shown->message.kind = queued->message.kind;
    memcpy(shown->game, queued->game, sizeof shown->game);
    memcpy(shown->place, queued->place, sizeof shown->place);
    memcpy(shown->thread, queued->thread, sizeof shown->thread);
    memcpy(shown->key, queued->key, sizeof shown->key);
    store_sign(store, sent ? SIGN_SENT : "what was not sent",
               sent ? queued->sent : unsent, shown->sent);
    if (queued->message.once != NULL) {
        store_sign(store, SIGN_ONCE, queued->message.once, once);
        shown->message.once = once;
    }
    return seal_delivery(store, queued);
}

void
store_save_sent(struct store *store, int64_t id, const char *sent)
{
    db_run(store->db,
           "UPDATE message SET sent = ?1 WHERE id = ?2 AND sent <> ?1", "ti",
           sent, id);
}

/* The text of a sent message is wiped, and another one of its length takes its
 * place. */
void
store_save_hidden(struct store *store, const struct queued_message *queued)
{
    struct queued_message blank = *queued;
    struct queued_message shown;
    char nothing[] = "";
    char once[SIGN_SIZE];
    if (queued->state == QUEUED_SENT) {
        blank.message.text = nothing;
    }
    struct buf text = store_seal_text(store, &blank);
    struct buf delivery = store_hide(store, queued, &shown, once);
    db_run(store->db,
           "UPDATE message SET text = ?, delivery = ?"
           " WHERE id = ?",
           "bbi", text.data, text.len, delivery.data, delivery.len, queued->id);
    store_save_sent(store, queued->id, shown.sent);
    buf_release(&text);
    buf_release(&delivery);
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

static bool
read_delivery(const struct buf *delivery, struct queued_message *queued)
{
#define NUMBER(type, member)                                                   \
    good = good && store_take_number(&at, ' ', &number);                       \
    queued->member = (type)number;
#define QUESTION(member)                                                       \
    good = good && store_take_number(&at, ' ', &number);                       \
    store_set_question(&queued->member, number);
#define TEXT(member) good = good && take_text(&at, past, &queued->member);
    const char *at = buf_text(delivery);
    const char *past = at + delivery->len;
    char *sent = NULL;
    int64_t number = 0;
    bool good = true;
    DELIVERY(NUMBER, QUESTION, TEXT)
    good = good && take_text(&at, past, &sent);
    (void)snprintf(queued->sent, sizeof queued->sent, "%s",
                   sent == NULL ? "" : sent);
    free(sent);
    return good;
#undef NUMBER
#undef QUESTION
#undef TEXT
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
