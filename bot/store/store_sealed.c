#include "bot/store/store_sealed.h"

#include <string.h>

#include "bot/store/store_inner.h"

size_t
padded(size_t len, size_t room)
{
    return (len + room - 1) / room * room;
}

void
store_seal(const struct store *store, const char *place, const void *bytes,
           size_t len, size_t size, struct buf *out)
{
    seal_put(store->seal, place, bytes, len, size, out);
}

enum err
store_unseal(const struct store *store, const char *place, sqlite3_stmt *rows,
             int column, struct buf *out, struct buf *why)
{
    size_t len = 0;
    const void *sealed = db_blob(rows, column, &len);
    if (db_is_null(rows, column)) {
        return ERR_NONE;
    }
    if (store->seal == NULL) {
        return err_say(why, ERR_DENIED, "%s can't be read: %s", place,
                       buf_text(&store->no_key));
    }
    return seal_take(store->seal, place, sealed, len, out, why);
}

void
store_name_row(const char *game, int64_t row, const char *part, struct buf *out)
{
    buf_clear(out);
    buf_addf(out, "game %s: row %lld of its journal (%s)", game, (long long)row,
             part);
}

void
store_add_part(struct buf *out, const char *what, const char *part)
{
    const char *text = part == NULL ? "" : part;
    size_t len = strlen(text);
    buf_add_text(out, what);
    buf_add_number(out, (int64_t)len);
    buf_add_char(out, ':');
    buf_add(out, text, len);
}

void
store_name_message(const struct queued_message *queued, struct buf *out)
{
    const struct message *message = &queued->message;
    buf_addf(out, "message %lld, kind %d", (long long)queued->id,
             (int)message->kind);
    /* In a session these are sealed as part of its delivery. */
    bool hidden = queued->hidden;
    store_add_part(out, ", to ", hidden ? NULL : message->user);
    store_add_part(out, ", at ", queued->place);
    store_add_part(out, ", in ", queued->thread);
    store_add_part(out, ", on ", hidden ? NULL : message->post);
    store_add_part(out, " in ", hidden ? NULL : message->place);
}

void
store_name_delivery(const struct queued_message *queued, struct buf *out)
{
    buf_addf(out, "the delivery of message %lld, ", (long long)queued->id);
    store_add_part(out, "at ", queued->place);
    store_add_part(out, ", in ", queued->thread);
}

void
store_name_deferred(int64_t number, struct buf *out)
{
    buf_addf(out, "deferred post %lld", (long long)number);
}

void
store_name_outline(const char *game, struct buf *out)
{
    buf_addf(out, "game %s: its outline", game);
}

void
store_name_state(const char *service, const char *key, struct buf *out)
{
    buf_addf(out, "%s: the adapter state %s", service, key);
}

void
store_name_dm(const char *service, const char *user, const char *place,
              struct buf *out)
{
    buf_add_text(out, "DM");
    store_add_part(out, ", at ", service);
    store_add_part(out, ", of ", user);
    store_add_part(out, ", in ", place);
}

void
store_seal_text(const struct store *store, const struct queued_message *queued,
                struct buf *out)
{
    const struct message *message = &queued->message;
    struct buf place = BUF_INIT;
    size_t len = strlen(message->text);
    store_name_message(queued, &place);
    store_seal(store, buf_text(&place), message->text, len,
               message->kind == MESSAGE_PRIVATE ? padded(len + 1, ROOM_PRIVATE)
                                                : len,
               out);
    buf_release(&place);
}
