#include "bot/base/seal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/files.h"

enum {
    KEY = crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
    NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
    TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES,
    NUMBER = 4,
    LENGTH = 4, /* of the value, before it, big-endian */
    DIGITS = 2 * KEY
};

_Static_assert(NUMBER + NONCE + LENGTH + TAG == SEAL_LONGER,
               "the header tells how much longer a sealed value is");

struct seal {
    unsigned char *key; /* in memory of its own */
    unsigned char number[NUMBER];
    char *path;
};

/* ---- the key file -------------------------------------------------------- */

static struct seal *
new_seal(const char *path)
{
    struct seal *seal = must_alloc(sizeof(*seal));

    if (sodium_init() < 0) {
        die("the system's random generator is not to be had");
    }
    seal->path = must_copy(path);
    seal->key = sodium_malloc(KEY);
    if (seal->key == NULL) {
        die("out of memory");
    }
    return seal;
}

void
seal_close(struct seal *seal)
{
    if (seal != NULL) {
        sodium_free(seal->key); /* wipes it */
        free(seal->path);
        free(seal);
    }
}

/* The key's number, which tells nothing about the key. */
static void
number_key(struct seal *seal)
{
    static const unsigned char label[] = "placard: number of a key";
    unsigned char hash[crypto_generichash_BYTES];

    (void)crypto_generichash(hash, sizeof(hash), label, sizeof(label) - 1,
                             seal->key, KEY);
    memcpy(seal->number, hash, NUMBER);
}

static enum err
make_key(struct seal *seal, struct buf *why)
{
    char line[DIGITS + 2];

    randombytes_buf(seal->key, KEY);
    (void)sodium_bin2hex(line, sizeof(line), seal->key, KEY);
    line[DIGITS] = '\n';
    enum err err = file_write(seal->path, line, DIGITS + 1, 0600, why);
    sodium_memzero(line, sizeof(line));
    return err;
}

/* Can nobody else read the file? */
static enum err
check_mode(int file, const char *path, struct buf *why)
{
    struct stat there;

    if (fstat(file, &there) != 0) {
        return file_fail(why, path, errno);
    }
    if ((there.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return err_say(why, ERR_CONFIG,
                       "%s: others may read the key of all secrets; type: "
                       "chmod 600 %s",
                       path, path);
    }
    return ERR_NONE;
}

/* Read 64 hex digits, and nothing else but the end of their line. */
static enum err
read_key(struct seal *seal, int file, struct buf *why)
{
    char line[DIGITS + 2];
    ssize_t got = read(file, line, sizeof(line));
    bool ends = got == DIGITS || (got == DIGITS + 1 && line[DIGITS] == '\n');
    size_t len = 0;
    bool good =
        ends &&
        sodium_hex2bin(seal->key, KEY, line, DIGITS, NULL, &len, NULL) == 0 &&
        len == KEY;

    sodium_memzero(line, sizeof(line));
    return good ? ERR_NONE
                : err_say(why, ERR_CONFIG,
                          "%s: is no key (one line of %d hex digits); put the "
                          "right file back, from where you keep a copy",
                          seal->path, DIGITS);
}

static enum err
open_key(struct seal *seal, struct buf *why)
{
    int file = open(seal->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (file < 0) {
        return file_fail(why, seal->path, errno);
    }
    enum err err = check_mode(file, seal->path, why);
    ERR_THEN(err, read_key(seal, file, why));
    (void)!close(file);
    return err;
}

enum err
seal_open(const char *path, bool make, struct seal **seal, bool *made,
          struct buf *why)
{
    struct seal *opened = new_seal(path);
    struct buf missing = BUF_INIT;
    enum err err = open_key(opened, &missing);

    *made = err == ERR_GONE && make;
    if (*made) {
        err = make_key(opened, why);
    } else {
        buf_add_buf(why, &missing);
    }
    buf_release(&missing);
    if (err != ERR_NONE) {
        seal_close(opened);
        return err;
    }
    number_key(opened);
    *seal = opened;
    return ERR_NONE;
}

/* ---- values -------------------------------------------------------------- */

void
seal_put(const struct seal *seal, const char *place, const void *bytes,
         size_t len, size_t size, struct buf *out)
{
    unsigned char nonce[NONCE];
    size_t clear_len = LENGTH + size;
    unsigned char *clear = must_alloc(clear_len);
    unsigned char *sealed = must_alloc(clear_len + TAG);

    assert(len <= size && size < UINT32_MAX);
    for (unsigned i = 0; i < LENGTH; i++) {
        clear[i] = (unsigned char)(len >> 8 * (LENGTH - 1 - i));
    }
    if (len > 0) {
        memcpy(clear + LENGTH, bytes, len);
    }
    randombytes_buf(nonce, sizeof(nonce));
    (void)crypto_aead_xchacha20poly1305_ietf_encrypt(
        sealed, NULL, clear, clear_len, (const unsigned char *)place,
        strlen(place), NULL, nonce, seal->key);
    buf_add(out, seal->number, NUMBER);
    buf_add(out, nonce, NONCE);
    buf_add(out, sealed, clear_len + TAG);
    sodium_memzero(clear, clear_len);
    free(clear);
    free(sealed);
}

/* How long the value is that is sealed in so many bytes; more than that: it is
 * none. */
static size_t
value_len(const unsigned char *clear)
{
    size_t len = 0;

    for (unsigned i = 0; i < LENGTH; i++) {
        len = len << 8 | clear[i];
    }
    return len;
}

/* Open a value; `place` NULL: whatever place it is of, and unproven. */
static enum err
take(const struct seal *seal, const char *place, const void *sealed, size_t len,
     struct buf *out)
{
    const unsigned char *from = sealed;
    const unsigned char *nonce = from + NUMBER;
    if (len < SEAL_LONGER) {
        return ERR_GARBLED;
    }
    if (memcmp(from, seal->number, NUMBER) != 0) {
        return ERR_DENIED;
    }
    size_t clear_len = len - NUMBER - NONCE - TAG;
    unsigned char *clear = must_alloc(clear_len);
    /* The stream's first block is the key of the tag (RFC 8439, 2.8). */
    int failed = place == NULL
                     ? crypto_stream_xchacha20_xor_ic(
                           clear, nonce + NONCE, clear_len, nonce, 1, seal->key)
                     : crypto_aead_xchacha20poly1305_ietf_decrypt(
                           clear, NULL, NULL, nonce + NONCE,
                           len - NUMBER - NONCE, (const unsigned char *)place,
                           strlen(place), nonce, seal->key);
    failed = failed != 0 || value_len(clear) > clear_len - LENGTH;
    buf_add(out, clear + LENGTH, failed ? 0 : value_len(clear));
    sodium_memzero(clear, clear_len);
    free(clear);
    return failed ? ERR_GARBLED : ERR_NONE;
}

enum err
seal_take(const struct seal *seal, const char *place, const void *sealed,
          size_t len, struct buf *out, struct buf *why)
{
    enum err err = take(seal, place, sealed, len, out);
    if (err == ERR_DENIED) {
        return err_say(why, err,
                       "%s was sealed with another key than that in %s; put "
                       "the key file back that belongs to the store",
                       place, seal->path);
    }
    return err == ERR_NONE ? err
                           : err_say(why, err,
                                     "%s was changed, or belongs elsewhere; "
                                     "restore the store from a backup",
                                     place);
}

bool
seal_look(const struct seal *seal, const void *sealed, size_t len,
          struct buf *out)
{
    return take(seal, NULL, sealed, len, out) == ERR_NONE;
}

uint64_t
seal_number(const struct seal *seal, const char *place, const void *bytes,
            size_t len)
{
    static const unsigned char label[] = "placard: number of bytes";
    unsigned char hash[crypto_generichash_BYTES];
    crypto_generichash_state state;
    uint64_t number;

    (void)crypto_generichash_init(&state, seal->key, KEY, sizeof(hash));
    (void)crypto_generichash_update(&state, label, sizeof(label));
    (void)crypto_generichash_update(&state, (const unsigned char *)place,
                                    strlen(place) + 1);
    (void)crypto_generichash_update(&state, bytes, len);
    (void)crypto_generichash_final(&state, hash, sizeof(hash));
    memcpy(&number, hash, sizeof(number));
    return number;
}
