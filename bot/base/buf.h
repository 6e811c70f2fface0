/*
 * A growing string of bytes with a ceiling.
 *
 * Invariants: `data` is never NULL and always ends with a NUL that `len` does
 * not count; a zeroed struct is a legal empty buffer without a ceiling (its
 * data is NULL until the first use: read it with buf_text).  Bytes beyond the
 * ceiling `max` (0: none) are dropped and `cut` is set, so that nothing from
 * outside makes memory grow without a stated limit.  Out of memory ends the
 * program (die).
 */
#ifndef BOT_BASE_BUF_H
#define BOT_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    char *data;
    size_t len;
    size_t room; /* bytes allocated */
    size_t max;  /* ceiling of len in bytes, 0: none */
    bool cut;    /* something was dropped */
};

#define BUF_INIT                                                               \
    {                                                                          \
        NULL, 0, 0, 0, false                                                   \
    }

/* Begin an empty buffer of at most `max` bytes (0: no ceiling). */
void buf_init(struct buf *buf, size_t max);

/* Drop the contents and the memory; the buffer is empty and usable again. */
void buf_release(struct buf *buf);

/* As buf_release, but wipe the memory first: for secrets. */
void buf_wipe(struct buf *buf);

/* Overwrite memory in a way that the compiler may not leave out. */
void wipe(void *bytes, size_t len);

/* Overwrite a secret with asterisks, wherever it is in the text. */
void buf_hide(struct buf *buf, const char *secret);

/* Empty it, keep the memory. */
void buf_clear(struct buf *buf);

/* The text, borrowed until the buffer changes; "" if it is zeroed. */
const char *buf_text(const struct buf *buf);

/* Take the text out; free it.  The buffer is empty afterwards. */
char *buf_take(struct buf *buf);

void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_add_text(struct buf *buf, const char *text);
void buf_add_char(struct buf *buf, char byte);
void buf_add_buf(struct buf *buf, const struct buf *other);
void buf_add_number(struct buf *buf, int64_t number);
void buf_add_hex(struct buf *buf, const void *bytes, size_t len);

/* Append as printf does. */
void buf_addf(struct buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Append one code point as UTF-8 (surrogates and > 10FFFF: U+FFFD). */
void buf_add_codepoint(struct buf *buf, uint32_t codepoint);

/* Shorten to `len` bytes (MUST NOT be more than there are). */
void buf_truncate(struct buf *buf, size_t len);

bool buf_equals(const struct buf *buf, const char *text);

#endif
