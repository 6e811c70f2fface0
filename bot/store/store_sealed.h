/*
 * Values of the store that are encrypted, and the names that they are sealed
 * for.
 */
#ifndef BOT_STORE_STORE_SEALED_H
#define BOT_STORE_STORE_SEALED_H

#include <sqlite3.h>

#include "bot/store/store.h"

/* Sealed values are padded to a multiple of these, in bytes, so that their
 * length tells nothing secret. */
enum {
    ROOM_ROW = 64,        /* moves and lines */
    ROOM_VERDICT = 256,   /* how a private post was read */
    ROOM_STATE = 256,     /* adapter states */
    ROOM_PRIVATE = 1024,  /* private messages, and deferred private posts */
    ROOM_DELIVERY = 1024, /* what became of a session's message */
};

/* The next multiple of `room` that is at least `len`. */
size_t padded(size_t len, size_t room);

/* Append a value sealed for its place in the store, in `size` bytes.  The
 * place's name begins with what it is: "message 17". */
void store_seal(const struct store *store, const char *place, const void *bytes,
                size_t len, size_t size, struct buf *out);

/* Append what is sealed in a column of the current row; nothing if it is null.
 * Errors as for seal_take, and ERR_DENIED without a key. */
enum err store_unseal(const struct store *store, const char *place,
                      sqlite3_stmt *rows, int column, struct buf *out,
                      struct buf *why) MUST_USE;

/* The name of a row of a journal, with `part` "move" or "lines"; `out` is
 * emptied first. */
void store_name_row(const char *game, int64_t row, const char *part,
                    struct buf *out);

/* Append the names of a message's text and of a DM.  They contain whom it goes
 * to, so that somebody who can write to the store can't have it sent to
 * somebody else. */
void store_name_message(const struct queued_message *queued, struct buf *out);
void store_name_dm(const char *service, const char *user, const char *place,
                   struct buf *out);

/* Append the names of the delivery of a message (bot/store/store_session.h), of
 * a deferred post's body, of a game's outline and of an adapter state's
 * value. */
void store_name_delivery(const struct queued_message *queued, struct buf *out);
void store_name_deferred(int64_t number, struct buf *out);
void store_name_outline(const char *game, struct buf *out);
void store_name_state(const char *service, const char *key, struct buf *out);

/* Append a part of a name so that no two lists of parts make the same name. */
void store_add_part(struct buf *out, const char *what, const char *part);

/* Append the text of a message, sealed; private ones all get one length. */
void store_seal_text(const struct store *store,
                     const struct queued_message *queued, struct buf *out);

#endif
