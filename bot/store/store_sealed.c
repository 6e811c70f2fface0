#include "bot/store/store_sealed.h"

#include <stdarg.h>
#include <string.h>

#include "bot/store/store_inner.h"

size_t
padded(size_t len, size_t room)
{
    return (len + room - 1) / room * room;
}

const char *
store_part(const char *text)
{
    return text == NULL ? "" : text;
}

size_t
store_part_len(const char *text)
{
    return strlen(store_part(text));
}

struct buf
store_seal(const struct store *store, const void *bytes, size_t len,
           size_t size, const char *name, ...)
{
    struct buf place = BUF_INIT;
    struct buf sealed = BUF_INIT;
    va_list args;
    va_start(args, name);
    buf_vaddf(&place, name, args);
    va_end(args);
    seal_put(store->seal, buf_text(&place), bytes, len, size, &sealed);
    buf_release(&place);
    return sealed;
}

enum err
store_unseal(const struct store *store, sqlite3_stmt *rows, int column,
             struct buf *out, struct buf *why, const char *name, ...)
{
    struct buf place = BUF_INIT;
    enum err err = ERR_NONE;
    size_t len = 0;
    const void *sealed = db_blob(rows, column, &len);
    va_list args;
    va_start(args, name);
    buf_vaddf(&place, name, args);
    va_end(args);
    if (!db_is_null(rows, column)) {
        err = store->seal == NULL
                  ? err_say(why, ERR_DENIED, "%s can't be read: %s",
                            buf_text(&place), buf_text(&store->no_key))
                  : seal_take(store->seal, buf_text(&place), sealed, len, out,
                              why);
    }
    buf_release(&place);
    return err;
}

struct buf
store_seal_text(const struct store *store, const struct queued_message *queued)
{
    const struct message *message = &queued->message;
    size_t len = strlen(message->text);
    bool private = message->kind == MESSAGE_PRIVATE;
    return store_seal(store, message->text, len,
                      private ? padded(len + 1, ROOM_PRIVATE) : len,
                      NAME_MESSAGE, NAME_MESSAGE_OF(queued, !queued->hidden));
}
