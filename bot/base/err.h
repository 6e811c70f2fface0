/*
 * Something outside failed: what the caller should do about it.
 *
 * A function that can fail this way returns enum err and has a last argument
 * `struct buf *why`, never NULL and untouched on success, to which it appends
 * one whole sentence for a person ("board.db: disk full; free some space").  A
 * broken invariant, or no memory, is no such failure: assert or die.
 */
#ifndef BOT_BASE_ERR_H
#define BOT_BASE_ERR_H

#include "bot/base/buf.h"
#include "bot/base/memory.h"

enum err {
    ERR_NONE,
    ERR_LATER,   /* try again in a while */
    ERR_LIMITED, /* try again after the time given */
    ERR_DENIED,  /* a person must change something there */
    ERR_GONE,    /* what it was about does not exist any more */
    ERR_GARBLED, /* what came back is not what it should be */
    ERR_FULL,    /* no room: disk, or a length limit */
    ERR_CONFIG,  /* what the operator wrote is wrong */
};

#define MUST_USE __attribute__((warn_unused_result))

/* The next of some steps, of which each is done only if all before it were:
 *
 *   enum err err = db_begin(db, why);
 *   ERR_THEN(err, save(db, why));
 *   ERR_THEN(err, db_commit(db, why));
 */
#define ERR_THEN(err, step) ((err) = (err) == ERR_NONE ? (step) : (err))

/* Append a sentence (`why` is NULL: nobody wants it) and return the error:
 * `return err_say(why, …)`. */
enum err err_say(struct buf *why, enum err err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
