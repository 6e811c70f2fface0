#include "adapters/markup/unicode.h"

#include <utf8proc.h>

enum {
    CODEPOINT_UNKNOWN = 0xFFFD,
    CHARACTER_MAX = 4, /* bytes */
};

/* Decode the character at a place; returns its bytes, 0: it is none. */
static size_t
decode(const char *text, size_t at, size_t len, utf8proc_int32_t *codepoint)
{
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                         (utf8proc_ssize_t)(len - at), codepoint);

    return used > 0 ? (size_t)used : 0;
}

int32_t
unicode_at(const char *text, size_t at, size_t len)
{
    utf8proc_int32_t codepoint = 0;

    return decode(text, at, len, &codepoint) > 0 ? codepoint
                                                 : CODEPOINT_UNKNOWN;
}

int32_t
unicode_before(const char *text, size_t at)
{
    utf8proc_int32_t codepoint = 0;
    size_t first = at - 1;

    while (first > 0 && at - first < CHARACTER_MAX &&
           ((unsigned char)text[first] & 0xC0) == 0x80) {
        first--;
    }
    return decode(text, first, at, &codepoint) == at - first
               ? codepoint
               : CODEPOINT_UNKNOWN;
}

bool
unicode_is_blank(int32_t codepoint)
{
    if (codepoint < 0x80) {
        return codepoint == ' ' || (codepoint >= '\t' && codepoint <= '\r');
    }
    utf8proc_category_t category = utf8proc_category(codepoint);
    return category == UTF8PROC_CATEGORY_ZS ||
           category == UTF8PROC_CATEGORY_ZL || category == UTF8PROC_CATEGORY_ZP;
}

bool
unicode_is_word(int32_t codepoint)
{
    if (codepoint == '_') {
        return true;
    }
    utf8proc_category_t category = utf8proc_category(codepoint);
    return (category >= UTF8PROC_CATEGORY_LU &&
            category <= UTF8PROC_CATEGORY_NO);
}
