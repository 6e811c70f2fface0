#include "adapters/markup/html/html_mention.h"

#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/html/html_tokens.h"
#include "bot/base/text.h"

enum {
    ID_MAX = 255
};

/* ---- reading ------------------------------------------------------------- */

bool
html_class_has(const struct buf *class, const char *words)
{
    const char *text = buf_text(class);
    size_t at = 0;

    while (at < class->len) {
        size_t end = at;
        while (end < class->len && !html_is_space(text[end])) {
            end++;
        }
        for (const char *word = words; end > at && *word != '\0';) {
            size_t len = strcspn(word, " ");
            if (end - at == len && memcmp(text + at, word, len) == 0) {
                return true;
            }
            word += len + (word[len] == ' ' ? 1U : 0U);
        }
        at = end + 1;
    }
    return false;
}

/* Append a part of an address, decoded. */
static void
add_decoded(struct buf *out, const char *text, size_t len)
{
    for (size_t at = 0; at < len; at++) {
        int high = at + 2 < len ? text_hex_digit(text[at + 1]) : -1;
        int low = at + 2 < len ? text_hex_digit(text[at + 2]) : -1;
        if (text[at] == '%' && high >= 0 && low >= 0) {
            buf_add_char(out, (char)(16 * high + low));
            at += 2;
        } else {
            buf_add_char(out, text[at]);
        }
    }
}

/* Keep the id appended since `start`, if it can be one. */
static bool
keep_id(struct buf *ids, size_t start,
        bool (*is_writable)(const char *id, size_t len))
{
    if (!is_writable(buf_text(ids) + start, ids->len - start)) {
        buf_truncate(ids, start);
        return false;
    }
    return true;
}

/* Does an address begin like this, in any case? */
static bool
begins_with(const struct buf *href, const char *beginning)
{
    size_t len = strlen(beginning);
    size_t at = 0;

    while (at < len && at < href->len &&
           ascii_lower(href->data[at]) == beginning[at]) {
        at++;
    }
    return at == len;
}

bool
matrix_mention_read(const struct buf *href, struct buf *ids)
{
    static const char link[] = "https://matrix.to/#/";
    static const char uri[] = "matrix:u/";
    const char *text = buf_text(href);
    const char *end = memchr(text, '?', href->len);
    size_t len = end == NULL ? href->len : (size_t)(end - text);
    size_t start = ids->len;
    size_t from = 0;

    if (begins_with(href, link)) {
        from = sizeof link - 1;
    } else if (begins_with(href, uri)) {
        from = sizeof uri - 1;
        buf_add_char(ids, '@');
    } else {
        return false;
    }
    add_decoded(ids, text + from, len > from ? len - from : 0);
    return keep_id(ids, start, matrix_id_is_writable);
}

/* Is this the part of a path that comes before a user's name? */
static bool
leads_to_users(const char *text, size_t len)
{
    static const char *const parts[] = {"u", "user", "users", "uid"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (len == strlen(parts[i]) && memcmp(text, parts[i], len) == 0) {
            return true;
        }
    }
    return false;
}

/* The start of the last part of a path. */
static size_t
last_part(const char *text, size_t len)
{
    while (len > 0 && text[len - 1] != '/') {
        len--;
    }
    return len;
}

bool
html_mention_read(const struct buf *href, const struct buf *class,
                  struct buf *ids)
{
    const char *text = buf_text(href);
    size_t start = ids->len;
    size_t len = 0;

    if (!html_class_has(class, "mention plugin-mentions-user")) {
        return false;
    }
    while (len < href->len && text[len] != '?' && text[len] != '#') {
        len++;
    }
    size_t name = last_part(text, len);
    if (name < 2) {
        return false;
    }
    size_t before = last_part(text, name - 1);
    if (!leads_to_users(text + before, name - 1 - before)) {
        return false;
    }
    add_decoded(ids, text + name, len - name);
    return keep_id(ids, start, html_id_is_writable);
}

/* ---- writing ------------------------------------------------------------- */

bool
html_id_is_writable(const char *id, size_t len)
{
    return len > 0 && len <= ID_MAX && memchr(id, '\0', len) == NULL;
}

bool
matrix_id_is_writable(const char *id, size_t len)
{
    return len > 1 && id[0] == '@' && html_id_is_writable(id, len);
}

void
html_mention_add_id(const char *id, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (ascii_is_letter(id[i]) || ascii_is_digit(id[i]) ||
            (id[i] != '\0' && strchr("-._~@:", id[i]) != NULL)) {
            buf_add_char(out, id[i]);
        } else {
            buf_addf(out, "%%%02X", (unsigned)(unsigned char)id[i]);
        }
    }
}
