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
    ROOM_STATE = 256,     /* adapter states, secrets of presses */
    ROOM_PRIVATE = 1024,  /* private messages, and deferred private posts */
    ROOM_DELIVERY = 1024, /* what became of a session's message */
};

/* The names of values, as formats: their places in the store, which begin with
 * what they are.  A PART is written so that no two lists of parts make the same
 * name, and gets PART_OF a text, or NULL. */
#define PART          "%zu:%s"
#define PART_OF(text) store_part_len(text), store_part(text)
#define NAME_ROW                                                               \
    "game %s: row %lld of its journal (%s)" /* "move" or "lines"               \
                                             */
#define NAME_JOURNAL  "game %s: its journal"
#define NAME_VERDICT  "%s: how post %s in %s was read"
#define NAME_DEFERRED "deferred post %lld"
#define NAME_PRESS    "%s: the secret of press %s"
#define NAME_STATE    "%s: the adapter state %s"
#define NAME_DM       "DM, at " PART ", of " PART ", in " PART
#define NAME_DELIVERY "the delivery of message %lld, at " PART ", in " PART

/* A message's contains whom it goes to, so that somebody who can write to the
 * store can't have it sent to somebody else.  In a session that is sealed as
 * part of its delivery. */
#define NAME_MESSAGE                                                           \
    "message %lld, kind %d, to " PART ", at " PART ", in " PART ", on " PART   \
    " in " PART
#define NAME_MESSAGE_OF(queued, whom)                                          \
    (long long)(queued)->id, (int)(queued)->message.kind,                      \
        PART_OF((whom) ? (queued)->message.user : NULL),                       \
        PART_OF((queued)->place), PART_OF((queued)->thread),                   \
        PART_OF((whom) ? (queued)->message.post : NULL),                       \
        PART_OF((whom) ? (queued)->message.place : NULL)

/* The next multiple of `room` that is at least `len`. */
size_t padded(size_t len, size_t room);

const char *store_part(const char *text);
size_t store_part_len(const char *text);

/* A value sealed for the place of that name, in `size` bytes; owned. */
struct buf store_seal(const struct store *store, const void *bytes, size_t len,
                      size_t size, const char *name, ...)
    __attribute__((format(printf, 5, 6)));

/* Append what is sealed in a column of the current row; nothing if it is null.
 * Errors as for seal_take, and ERR_DENIED without a key. */
enum err store_unseal(const struct store *store, sqlite3_stmt *rows, int column,
                      struct buf *out, struct buf *why, const char *name, ...)
    __attribute__((format(printf, 6, 7))) MUST_USE;

/* The text of a message, sealed; private ones all get one length; owned. */
struct buf store_seal_text(const struct store *store,
                           const struct queued_message *queued);

#endif
