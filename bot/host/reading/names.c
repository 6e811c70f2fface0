#include "bot/host/reading/names.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "bot/base/err.h"

enum {
    CODEPOINT_UNKNOWN = 0xFFFD,
    CODEPOINT_OBJECT = 0xFFFC,
    DOTLESS_I = 0x0131,
    DOT_ABOVE = 0x0307,
    JOINER = 0x200D,
    NON_JOINER = 0x200C,
    VARIATION_FIRST = 0xFE00,
    VARIATION_LAST = 0xFE0F,
    MARKS_IN_KEY = 30,
    MARKS_IN_NAME = 4,
    SLIP_MAX = 64, /* code points of a key in which a slip is looked for */
};

/*
 * Letters that look like Latin ones, after the idea of Unicode's UTS #39: the
 * Greek and Cyrillic ones of everyday fonts and keyboards, and a few others
 * that name generators use.  Capitals stand here as such, for some only look
 * alike as capitals (H and eta).  Ascending.
 */
static const struct alike {
    uint16_t codepoint;
    char latin;
} alikes[] = {
    {0x0251, 'a'}, {0x0261, 'g'}, {0x0269, 'i'}, {0x037F, 'j'}, {0x0391, 'a'},
    {0x0392, 'b'}, {0x0395, 'e'}, {0x0396, 'z'}, {0x0397, 'h'}, {0x0399, 'i'},
    {0x039A, 'k'}, {0x039C, 'm'}, {0x039D, 'n'}, {0x039F, 'o'}, {0x03A1, 'p'},
    {0x03A4, 't'}, {0x03A5, 'y'}, {0x03A7, 'x'}, {0x03B1, 'a'}, {0x03B3, 'y'},
    {0x03B7, 'n'}, {0x03B9, 'i'}, {0x03BA, 'k'}, {0x03BD, 'v'}, {0x03BF, 'o'},
    {0x03C1, 'p'}, {0x03C5, 'u'}, {0x03C7, 'x'}, {0x03F2, 'c'}, {0x03F3, 'j'},
    {0x03F9, 'c'}, {0x0405, 's'}, {0x0406, 'i'}, {0x0408, 'j'}, {0x0410, 'a'},
    {0x0412, 'b'}, {0x0415, 'e'}, {0x041A, 'k'}, {0x041C, 'm'}, {0x041D, 'h'},
    {0x041E, 'o'}, {0x0420, 'p'}, {0x0421, 'c'}, {0x0422, 't'}, {0x0423, 'y'},
    {0x0425, 'x'}, {0x0430, 'a'}, {0x0432, 'b'}, {0x0435, 'e'}, {0x043A, 'k'},
    {0x043C, 'm'}, {0x043D, 'h'}, {0x043E, 'o'}, {0x0440, 'p'}, {0x0441, 'c'},
    {0x0442, 't'}, {0x0443, 'y'}, {0x0445, 'x'}, {0x0455, 's'}, {0x0456, 'i'},
    {0x0458, 'j'}, {0x04AE, 'y'}, {0x04BA, 'h'}, {0x04BB, 'h'}, {0x04C0, 'i'},
    {0x04CF, 'l'}, {0x0501, 'd'}, {0x051B, 'q'}, {0x051D, 'w'}, {0x0570, 'h'},
    {0x0575, 'j'}, {0x0578, 'n'}, {0x057D, 'u'}, {0x0585, 'o'}, {0x13A5, 'i'},
    {0x13AA, 'a'}, {0x13AB, 'j'}, {0x13AC, 'e'},
};

/* The blocks with Latin letters, of those that a key may still have. */
static const struct range {
    int32_t first, last;
} latin[] = {
    {0x0041, 0x024F}, {0x0250, 0x02FF}, {0x1D00, 0x1DBF}, {0x1E00, 0x1EFF},
    {0x2C60, 0x2C7F}, {0xA720, 0xA7FF}, {0xAB30, 0xAB6F}, {0xFF21, 0xFF5A},
};

/* ---- characters ---------------------------------------------------------- */

static bool
category_is(int32_t codepoint, utf8proc_category_t first,
            utf8proc_category_t last)
{
    utf8proc_category_t category = utf8proc_category(codepoint);

    return category >= first && category <= last;
}

static bool
is_letter(int32_t codepoint)
{
    return category_is(codepoint, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LO);
}

static bool
is_mark(int32_t codepoint)
{
    return category_is(codepoint, UTF8PROC_CATEGORY_MN, UTF8PROC_CATEGORY_ME);
}

static bool
is_number(int32_t codepoint)
{
    return category_is(codepoint, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO);
}

bool
letter_is_word(int32_t codepoint)
{
    if (codepoint >= 0 && codepoint < 0x80) {
        return (codepoint >= 'a' && codepoint <= 'z') ||
               (codepoint >= 'A' && codepoint <= 'Z') ||
               (codepoint >= '0' && codepoint <= '9');
    }
    return category_is(codepoint, UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_NO);
}

bool
letter_is_symbol(int32_t codepoint)
{
    return category_is(codepoint, UTF8PROC_CATEGORY_SM, UTF8PROC_CATEGORY_SO);
}

bool
letter_is_blank(int32_t codepoint)
{
    if (codepoint > ' ' && codepoint < 0x7F) {
        return false;
    }
    return (codepoint >= '\t' && codepoint <= '\r') || codepoint == 0x85 ||
           category_is(codepoint, UTF8PROC_CATEGORY_ZS, UTF8PROC_CATEGORY_ZP);
}

bool
letter_is_unseen(int32_t codepoint)
{
    return utf8proc_get_property(codepoint)->ignorable;
}

size_t
letter_next(const char *text, size_t len, size_t at, int32_t *codepoint)
{
    if (at < len && (unsigned char)text[at] < 0x80) {
        *codepoint = (unsigned char)text[at];
        return 1;
    }
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                         (utf8proc_ssize_t)(len - at), codepoint);
    if (used <= 0) {
        *codepoint = CODEPOINT_UNKNOWN;
        return 1;
    }
    return (size_t)used;
}

/* ---- keys ---------------------------------------------------------------- */

/* Most text is: of what utf8proc does to it, only folding case changes it. */
static bool
is_ascii(const char *text, size_t len)
{
    size_t at = 0;

    while (at < len && (unsigned char)text[at] < 0x80) {
        at++;
    }
    return at == len;
}

/* Copy the text as valid UTF-8 without floods of marks, which would take
 * utf8proc quadratic time to sort. */
static void
tame(const char *text, size_t len, struct buf *tamed)
{
    unsigned marks = 0;

    if (is_ascii(text, len)) {
        buf_add(tamed, text, len);
        return;
    }
    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        at += letter_next(text, len, at, &codepoint);
        if (is_mark(codepoint)) {
            marks++;
        } else if (!letter_is_unseen(codepoint)) {
            marks = 0;
        }
        if (marks <= MARKS_IN_KEY) {
            buf_add_codepoint(tamed, (uint32_t)codepoint);
        }
    }
}

/* Append ASCII as utf8proc would map it. */
static void
map_ascii(const struct buf *text, utf8proc_option_t options, struct buf *mapped)
{
    size_t from = mapped->len;

    buf_add(mapped, text->data, text->len);
    for (size_t at = from; (options & UTF8PROC_CASEFOLD) && at < mapped->len;
         at++) {
        char *byte = &mapped->data[at];
        if (*byte >= 'A' && *byte <= 'Z') {
            *byte = (char)(*byte + ('a' - 'A'));
        }
    }
}

/* Append a text as utf8proc maps it. */
static void
map(const struct buf *text, utf8proc_option_t options, struct buf *mapped)
{
    utf8proc_uint8_t *result = NULL;

    if (is_ascii(text->data, text->len)) {
        map_ascii(text, options, mapped);
        return;
    }
    utf8proc_ssize_t len =
        utf8proc_map((const utf8proc_uint8_t *)buf_text(text),
                     (utf8proc_ssize_t)text->len, &result, options);
    if (len < 0) {
        die("out of memory");
    }
    buf_add(mapped, result, (size_t)len);
    free(result);
}

/* Append a text with white space runs as one blank, trimmed, and every kind of
 * Turkish i as i. */
static void
add_settled(const struct buf *text, struct buf *key)
{
    size_t begin = key->len;
    bool gap = false;
    bool after_i = false;

    for (size_t at = 0; at < text->len;) {
        int32_t codepoint = 0;
        at += letter_next(text->data, text->len, at, &codepoint);
        if (letter_is_blank(codepoint)) {
            gap = key->len > begin;
            after_i = false;
            continue;
        }
        if (codepoint == DOT_ABOVE && after_i) {
            after_i = false;
            continue;
        }
        if (gap) {
            buf_add_char(key, ' ');
            gap = false;
        }
        codepoint = codepoint == DOTLESS_I ? 'i' : codepoint;
        after_i = codepoint == 'i';
        buf_add_codepoint(key, (uint32_t)codepoint);
    }
}

static void
key_of_tamed(const struct buf *tamed, struct buf *key)
{
    struct buf folded = BUF_INIT;

    map(tamed,
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
            UTF8PROC_CASEFOLD | UTF8PROC_IGNORE,
        &folded);
    add_settled(&folded, key);
    buf_release(&folded);
}

void
name_key(const char *text, size_t len, struct buf *key)
{
    struct buf tamed = BUF_INIT;

    tame(text, len, &tamed);
    key_of_tamed(&tamed, key);
    buf_release(&tamed);
}

void
name_loose_key(const char *text, size_t len, struct buf *key)
{
    struct buf strict = BUF_INIT;
    struct buf parts = BUF_INIT;

    name_key(text, len, &strict);
    map(&strict, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT,
        &parts);
    for (size_t at = 0; at < parts.len;) {
        int32_t codepoint = 0;
        at += letter_next(parts.data, parts.len, at, &codepoint);
        if (is_letter(codepoint) || is_number(codepoint) ||
            utf8proc_category(codepoint) == UTF8PROC_CATEGORY_SO) {
            buf_add_codepoint(key, (uint32_t)codepoint);
        }
    }
    buf_release(&strict);
    buf_release(&parts);
}

static int32_t
look(int32_t codepoint)
{
    size_t low = 0;
    size_t high = sizeof alikes / sizeof alikes[0];

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (alikes[middle].codepoint == codepoint) {
            return alikes[middle].latin;
        }
        if (alikes[middle].codepoint < codepoint) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return codepoint;
}

void
name_skeleton(const char *text, size_t len, struct buf *skeleton)
{
    struct buf tamed = BUF_INIT;
    struct buf parts = BUF_INIT;

    /* Compare letters by how they look before their case is folded. */
    tame(text, len, &tamed);
    map(&tamed,
        UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
            UTF8PROC_IGNORE,
        &parts);
    buf_clear(&tamed);
    for (size_t at = 0; at < parts.len;) {
        int32_t codepoint = 0;
        at += letter_next(parts.data, parts.len, at, &codepoint);
        buf_add_codepoint(&tamed, (uint32_t)look(codepoint));
    }
    key_of_tamed(&tamed, skeleton);
    buf_release(&tamed);
    buf_release(&parts);
}

bool
name_has_foreign_letter(const char *text, size_t len)
{
    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        at += letter_next(text, len, at, &codepoint);
        bool found = !is_letter(codepoint);
        for (size_t i = 0; i < sizeof latin / sizeof latin[0]; i++) {
            found = found ||
                    (codepoint >= latin[i].first && codepoint <= latin[i].last);
        }
        if (!found) {
            return true;
        }
    }
    return false;
}

/* ---- likeness ------------------------------------------------------------ */

/* Decode a key; SLIP_MAX + 1: it is too long. */
static size_t
decode(const char *key, size_t len, int32_t letters[SLIP_MAX])
{
    size_t count = 0;

    for (size_t at = 0; at < len;) {
        if (count == SLIP_MAX) {
            return SLIP_MAX + 1;
        }
        at += letter_next(key, len, at, &letters[count++]);
    }
    return count;
}

bool
name_is_slip(const char *one, size_t one_len, const char *other,
             size_t other_len)
{
    int32_t a[SLIP_MAX];
    int32_t b[SLIP_MAX];
    size_t a_end = decode(one, one_len, a);
    size_t b_end = decode(other, other_len, b);
    size_t same = 0;

    if (a_end > SLIP_MAX || b_end > SLIP_MAX) {
        return false;
    }
    while (same < a_end && same < b_end && a[same] == b[same]) {
        same++;
    }
    while (a_end > same && b_end > same && a[a_end - 1] == b[b_end - 1]) {
        a_end--;
        b_end--;
    }
    size_t a_left = a_end - same;
    size_t b_left = b_end - same;
    if (a_left == 2 && b_left == 2) {
        return a[same] == b[same + 1] && a[same + 1] == b[same];
    }
    return a_left <= 1 && b_left <= 1 && a_left + b_left > 0;
}

/* Skip the "@" that people write before a name. */
static const char *
without_at(const char *name)
{
    return *name == '@' ? name + 1 : name;
}

typedef void name_maker(const char *text, size_t len, struct buf *key);

/* Do two names give the same key, one that is not empty? */
static bool
same_by(name_maker *make, const char *one, const char *other)
{
    struct buf one_key = BUF_INIT;
    struct buf other_key = BUF_INIT;

    make(one, strlen(one), &one_key);
    make(other, strlen(other), &other_key);
    bool same = one_key.len > 0 && buf_equals(&other_key, buf_text(&one_key));
    buf_release(&one_key);
    buf_release(&other_key);
    return same;
}

enum name_relation
names_compare(const char *one, const char *other)
{
    const char *bare_one = without_at(one);
    const char *bare_other = without_at(other);

    if (same_by(name_key, bare_one, bare_other)) {
        return NAMES_CLASH;
    }
    if (same_by(name_loose_key, bare_one, bare_other) ||
        same_by(name_skeleton, bare_one, bare_other)) {
        return NAMES_ALIKE;
    }
    return NAMES_APART;
}

/* ---- cleaning ------------------------------------------------------------ */

/* Characters that no name keeps: nobody sees them, or they turn the text
 * around them.  Joiners and variation selectors make up emoji. */
static bool
is_unfit(int32_t codepoint)
{
    if (codepoint == JOINER || codepoint == NON_JOINER ||
        (codepoint >= VARIATION_FIRST && codepoint <= VARIATION_LAST)) {
        return false;
    }
    return letter_is_unseen(codepoint) || codepoint == CODEPOINT_OBJECT ||
           utf8proc_category(codepoint) == UTF8PROC_CATEGORY_CF;
}

static bool
is_gap(int32_t codepoint)
{
    return letter_is_blank(codepoint) ||
           utf8proc_category(codepoint) == UTF8PROC_CATEGORY_CC;
}

static size_t
encoded_len(int32_t codepoint)
{
    if (codepoint < 0x80) {
        return 1;
    }
    if (codepoint < 0x800) {
        return 2;
    }
    return codepoint < 0x10000 ? 3 : 4;
}

void
text_clean(const char *text, struct buf *out)
{
    size_t len = strlen(text);
    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        size_t used = letter_next(text, len, at, &codepoint);
        if (!is_unfit(codepoint)) {
            buf_add(out, text + at, used);
        }
        at += used;
    }
}

bool
name_clean(const char *shown, struct buf *name)
{
    size_t len = strlen(shown);
    size_t begin = name->len;
    size_t letters = 0;
    unsigned marks = 0;
    bool gap = false;
    bool fit = false;

    for (size_t at = 0; at < len;) {
        int32_t codepoint = 0;
        at += letter_next(shown, len, at, &codepoint);
        if (is_gap(codepoint)) {
            gap = letters > 0;
            continue;
        }
        marks = is_mark(codepoint) ? marks + 1 : 0;
        if (is_unfit(codepoint) || marks > (letters > 0 ? MARKS_IN_NAME : 0U)) {
            continue;
        }
        size_t more = gap ? 2 : 1;
        size_t bytes = more - 1 + encoded_len(codepoint);
        if (letters + more > NAME_CODEPOINTS_MAX ||
            name->len - begin + bytes > NAME_BYTES_MAX) {
            break;
        }
        if (gap) {
            buf_add_char(name, ' ');
        }
        gap = false;
        buf_add_codepoint(name, (uint32_t)codepoint);
        letters += more;
        fit = fit || is_letter(codepoint) || is_number(codepoint) ||
              letter_is_symbol(codepoint);
    }
    if (!fit) {
        buf_truncate(name, begin);
    }
    return fit;
}
