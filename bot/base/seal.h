/*
 * Sealed values: secrets in a file or a database that does not give them away.
 *
 * A value is encrypted with a key from a file of its own (XChaCha20 and
 * Poly1305, a random nonce for each), and bound to the place where it is saved:
 * it opens nowhere else, and not with a bit changed. It begins with the number
 * of its key, so that a value of another key can be told from one that was
 * changed.
 *
 *   key's number, 4 bytes | nonce, 24 | the value, padded | tag, 16
 *
 * What need not be read again, but recognized, is a number made with the key.
 *
 * The file contains the key as one line of 64 hex digits, and nobody else may
 * be able to read it.  In memory the key is where it is not swapped out, as far
 * as the system allows, and is wiped when it is given up.
 */
#ifndef BOT_BASE_SEAL_H
#define BOT_BASE_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

enum {
    SEAL_LONGER = 48 /* bytes more than the padded value */
};

struct seal;

/* Read a key file; if it is missing, make it, mode 0600, if `make` says so
 * (*made: it was). ERR_GONE: it is missing.  ERR_CONFIG, with what to do:
 * others can read it, or it is no key file. *seal is owned. */
enum err seal_open(const char *path, bool make, struct seal **seal, bool *made,
                   struct buf *why) MUST_USE;
void seal_close(struct seal *seal); /* MAY be NULL */

/* Append `len` bytes sealed for a place.  The result shows nothing but the
 * place's name and `size`, to which they are padded (at least `len`). */
void seal_put(const struct seal *seal, const char *place, const void *bytes,
              size_t len, size_t size, struct buf *out);

/* Append what was sealed for that place; wipe it after use.  ERR_DENIED: it was
 * sealed with another key.  ERR_GARBLED: it was changed, or is no sealed value,
 * or one of another place.  The sentence begins with `place`. */
enum err seal_take(const struct seal *seal, const char *place,
                   const void *sealed, size_t len, struct buf *out,
                   struct buf *why) MUST_USE;

/* For a search alone: append what is sealed, wherever it belongs, and without
 * any proof that it was not changed; wipe it after use.  False: it is not
 * sealed with this key. */
bool seal_look(const struct seal *seal, const void *sealed, size_t len,
               struct buf *out) MUST_USE;

/* A number that stands for bytes at a place: the same bytes give the same
 * number. Without the key it tells nothing about them, and numbers of two
 * places can't be compared.  Other bytes have the same number by chance,
 * once in 2^64. */
uint64_t seal_number(const struct seal *seal, const char *place,
                     const void *bytes, size_t len) MUST_USE;

#endif
