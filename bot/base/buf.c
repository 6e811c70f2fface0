#include "bot/base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"

enum {
    ROOM_FIRST = 64
};

void
buf_init(struct buf *buf, size_t max)
{
    *buf = (struct buf){.max = max};
}

void
buf_release(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){.max = buf->max};
}

void
wipe(void *bytes, size_t len)
{
    /* Through a pointer about which the compiler may assume nothing: it would
     * leave out a memset before free. */
    static void *(*const volatile set)(void *, int, size_t) = memset;

    (void)set(bytes, 0, len);
}

void
buf_wipe(struct buf *buf)
{
    if (buf->data != NULL) {
        wipe(buf->data, buf->room);
    }
    buf_release(buf);
}

void
buf_hide(struct buf *buf, const char *secret)
{
    size_t len = strlen(secret);
    char *found = buf->data == NULL ? NULL : strstr(buf->data, secret);

    while (len > 0 && found != NULL) {
        memset(found, '*', len);
        found = strstr(found + len, secret);
    }
}

void
buf_clear(struct buf *buf)
{
    buf->len = 0;
    buf->cut = false;
    if (buf->data != NULL) {
        buf->data[0] = '\0';
    }
}

const char *
buf_text(const struct buf *buf)
{
    return buf->data == NULL ? "" : buf->data;
}

/* Make room for `more` bytes and the NUL. */
static void
grow(struct buf *buf, size_t more)
{
    if (more >= SIZE_MAX / 2 - buf->len) {
        die("out of memory");
    }
    size_t need = buf->len + more + 1;
    if (need <= buf->room) {
        return;
    }
    size_t room = buf->room == 0 ? ROOM_FIRST : 2 * buf->room;
    room = room < need ? need : room;
    buf->data = must_grow(buf->data, room);
    buf->room = room;
    buf->data[buf->len] = '\0';
}

char *
buf_take(struct buf *buf)
{
    grow(buf, 0);
    char *text = buf->data;
    *buf = (struct buf){.max = buf->max};
    return text;
}

/* How many of `len` bytes still fit; sets `cut` if that is not all. */
static size_t
fitting(struct buf *buf, size_t len)
{
    if (buf->max == 0) {
        return len;
    }
    size_t left = buf->max > buf->len ? buf->max - buf->len : 0;
    if (len > left) {
        buf->cut = true;
        return left;
    }
    return len;
}

void
buf_add(struct buf *buf, const void *bytes, size_t len)
{
    size_t fits = fitting(buf, len);

    grow(buf, fits);
    if (fits > 0) {
        memcpy(buf->data + buf->len, bytes, fits);
    }
    buf->len += fits;
    buf->data[buf->len] = '\0';
}

void
buf_add_text(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void
buf_add_char(struct buf *buf, char byte)
{
    if (buf->max != 0 || buf->len + 2 > buf->room) {
        buf_add(buf, &byte, 1);
        return;
    }
    buf->data[buf->len++] = byte;
    buf->data[buf->len] = '\0';
}

void
buf_add_buf(struct buf *buf, const struct buf *other)
{
    assert(buf != other);
    buf_add(buf, buf_text(other), other->len);
}

void
buf_add_number(struct buf *buf, int64_t number)
{
    char digits[20]; /* of INT64_MIN, with its sign */
    size_t at = sizeof(digits);
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (number < 0) {
        digits[--at] = '-';
    }
    buf_add(buf, digits + at, sizeof(digits) - at);
}

void
buf_add_hex(struct buf *buf, const void *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *next = bytes;

    for (size_t i = 0; i < len; i++) {
        buf_add_char(buf, digits[next[i] >> 4]);
        buf_add_char(buf, digits[next[i] & 15]);
    }
}

void
buf_addf(struct buf *buf, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vaddf(buf, format, args);
    va_end(args);
}

void
buf_vaddf(struct buf *buf, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    grow(buf, 0);
    size_t left = buf->room - buf->len;
    int len = vsnprintf(buf->data + buf->len, left, format, args);
    assert(len >= 0);
    if ((size_t)len >= left) {
        grow(buf, (size_t)len);
        vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
    }
    va_end(again);
    buf->len += fitting(buf, (size_t)len);
    buf->data[buf->len] = '\0';
}

void
buf_add_codepoint(struct buf *buf, uint32_t codepoint)
{
    char bytes[4];
    size_t len = 0;
    uint32_t rest = codepoint;

    if (codepoint < 0x80) {
        buf_add_char(buf, (char)codepoint);
        return;
    }
    if ((rest >= 0xD800 && rest <= 0xDFFF) || rest > 0x10FFFF) {
        rest = 0xFFFD;
    }
    if (rest < 0x800) {
        bytes[len++] = (char)(0xC0 | (rest >> 6));
        bytes[len++] = (char)(0x80 | (rest & 0x3F));
    } else if (rest < 0x10000) {
        bytes[len++] = (char)(0xE0 | (rest >> 12));
        bytes[len++] = (char)(0x80 | ((rest >> 6) & 0x3F));
        bytes[len++] = (char)(0x80 | (rest & 0x3F));
    } else {
        bytes[len++] = (char)(0xF0 | (rest >> 18));
        bytes[len++] = (char)(0x80 | ((rest >> 12) & 0x3F));
        bytes[len++] = (char)(0x80 | ((rest >> 6) & 0x3F));
        bytes[len++] = (char)(0x80 | (rest & 0x3F));
    }
    if (fitting(buf, len) == len) {
        buf_add(buf, bytes, len);
    }
}

void
buf_truncate(struct buf *buf, size_t len)
{
    assert(len <= buf->len);
    buf->len = len;
    if (buf->data != NULL) {
        buf->data[len] = '\0';
    }
}

bool
buf_equals(const struct buf *buf, const char *text)
{
    return strlen(text) == buf->len &&
           memcmp(buf_text(buf), text, buf->len) == 0;
}
