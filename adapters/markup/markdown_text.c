#include <utf8proc.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/markdown.h"

enum {
    NAME_LETTERS_MAX = 60,
    REPLACEMENT = 0xFFFD,
};

/* The first character of a text; a byte that begins none is one. */
static size_t
decode(const char *text, size_t len, int32_t *codepoint)
{
    utf8proc_ssize_t used = utf8proc_iterate((const utf8proc_uint8_t *)text,
                                             (utf8proc_ssize_t)len, codepoint);
    if (used <= 0) {
        *codepoint = REPLACEMENT;
        return 1;
    }
    return (size_t)used;
}

/* Where the last character of a text begins. */
static size_t
last_character(const char *text, size_t len)
{
    size_t at = len - 1;

    while (at > 0 && len - at < 4 && ((unsigned char)text[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

static enum markdown_class
class_of_ascii(char byte)
{
    if (byte == ' ' || (byte >= '\t' && byte <= '\r')) {
        return MARKDOWN_SPACE;
    }
    if (byte < ' ' || byte == 0x7F || ascii_is_letter(byte) ||
        ascii_is_digit(byte)) {
        return MARKDOWN_LETTER;
    }
    return MARKDOWN_PUNCTUATION;
}

static enum markdown_class
class_of(int32_t codepoint)
{
    utf8proc_category_t category = utf8proc_category(codepoint);

    if (codepoint < 0x80) {
        return class_of_ascii((char)codepoint);
    }
    if (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP) {
        return MARKDOWN_SPACE;
    }
    if (category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO) {
        return MARKDOWN_PUNCTUATION;
    }
    if (category >= UTF8PROC_CATEGORY_SM && category <= UTF8PROC_CATEGORY_SO) {
        return MARKDOWN_SYMBOL;
    }
    return MARKDOWN_LETTER;
}

enum markdown_class
markdown_class_at(const char *text, size_t len)
{
    int32_t codepoint;

    if (len == 0) {
        return MARKDOWN_SPACE;
    }
    (void)decode(text, len, &codepoint);
    return class_of(codepoint);
}

enum markdown_class
markdown_class_before(const char *text, size_t len)
{
    if (len == 0) {
        return MARKDOWN_SPACE;
    }
    size_t at = last_character(text, len);
    return markdown_class_at(text + at, len - at);
}

/* ---- names --------------------------------------------------------------- */

static bool
is_alphanumeric(int32_t codepoint)
{
    utf8proc_category_t category = utf8proc_category(codepoint);

    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ND;
}

size_t
markdown_name_len(const char *text, size_t len)
{
    size_t letters = 0;
    size_t name = 0; /* up to the last letter or digit */
    size_t at = 0;

    while (at < len) {
        int32_t codepoint;
        size_t used = decode(text + at, len - at, &codepoint);
        bool between = at > 0 && (codepoint == '.' || codepoint == '-');
        if (!is_alphanumeric(codepoint) && codepoint != '_' && !between) {
            break;
        }
        at += used;
        letters++;
        if (is_alphanumeric(codepoint)) {
            name = at;
        }
        if (name == at && letters > NAME_LETTERS_MAX) {
            return 0;
        }
    }
    return name;
}

bool
markdown_begins_with_letter(const char *text, size_t len)
{
    int32_t codepoint;

    if (len == 0) {
        return false;
    }
    (void)decode(text, len, &codepoint);
    return is_alphanumeric(codepoint);
}

bool
markdown_ends_in_letter(const char *text, size_t len)
{
    if (len == 0) {
        return false;
    }
    size_t at = last_character(text, len);
    return markdown_begins_with_letter(text + at, len - at);
}

void
markdown_add_id(struct buf *id, const char *name, size_t len)
{
    size_t at = 0;

    while (at < len) {
        int32_t codepoint;
        at += decode(name + at, len - at, &codepoint);
        buf_add_codepoint(id, (uint32_t)utf8proc_tolower(codepoint));
    }
}
