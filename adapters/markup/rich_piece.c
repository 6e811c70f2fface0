/* Cuts a rich text into pieces that fit in a service's posts. */
#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "adapters/markup/rich.h"

enum {
    WORD_MAX = 40 /* bytes, with its blanks; what is longer is no word */
};

size_t
length_of(enum length unit, const char *text, size_t len)
{
    size_t length = 0;

    if (unit == LENGTH_BYTES) {
        return len;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool begins = (byte & 0xC0) != 0x80;
        bool is_long = byte >= 0xF0 && unit == LENGTH_UTF16;

        length += begins ? 1U + is_long : 0;
    }
    return length;
}

static bool
fits(const struct rich *rich, size_t from, size_t end,
     const struct dialect *dialect, enum length unit, size_t longest)
{
    struct rich part = {.count = 0};
    struct buf out = BUF_INIT;

    rich_add_part(&part, rich, from, end - from);
    dialect->write(&part, &out);
    bool good = length_of(unit, buf_text(&out), out.len) <= longest;

    rich_wipe(&part);
    buf_wipe(&out);
    return good;
}

/* The beginning of the character that a byte is in. */
static size_t
begin_of(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80) {
        at--;
    }
    return at;
}

/* The furthest end of a piece that fits; one character at least. */
static size_t
furthest(const struct rich *rich, size_t from, const struct dialect *dialect,
         enum length unit, size_t longest)
{
    const char *text = buf_text(&rich->text);
    size_t first = from + 1;
    size_t most = rich->text.len - from;
    size_t low = 0;

    while (first < rich->text.len &&
           ((unsigned char)text[first] & 0xC0) == 0x80) {
        first++;
    }
    /* No character has more than four bytes, and only invisible ones are
     * written as nothing. */
    if (longest < most / 4) {
        most = 4 * longest;
    }
    low = first - from;
    while (low < most) {
        size_t middle = low + (most - low + 1) / 2;

        if (fits(rich, from, begin_of(text, from + middle), dialect, unit,
                 longest)) {
            low = middle;
        } else {
            most = middle - 1;
        }
    }
    size_t end = begin_of(text, from + low);

    return end > from ? end : first;
}

static const struct run *
run_at(const struct rich *rich, size_t at)
{
    size_t low = 0;
    size_t high = rich->count;

    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;

        if (rich->runs[middle].start <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &rich->runs[low];
}

/* Do two pieces of code stand on either side of a plain run, with a word
 * between them at most?  "`Ja!` or `Nein!`" is one example: half of it would
 * act. */
static bool
joins_code(const struct rich *rich, const struct run *run)
{
    const char *text = buf_text(&rich->text) + run->start;
    bool between = run > rich->runs && run + 1 < rich->runs + rich->count &&
                   (run[-1].marks & MARK_CODE) && (run[1].marks & MARK_CODE);
    unsigned blanks = 0;

    if (!between || run->len > WORD_MAX) {
        return false;
    }
    for (size_t i = 0; i < run->len; i++) {
        blanks += text[i] == ' ';
    }
    return blanks <= 2 && memchr(text, '\n', run->len) == NULL;
}

static bool
is_plain_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (unsigned char)byte >= 0x80;
}

/* May a line be cut at its blank there? */
static bool
is_gap(const struct rich *rich, size_t at)
{
    const char *text = buf_text(&rich->text);

    return text[at] == ' ' && run_at(rich, at)->marks == 0 &&
           at + 1 < rich->text.len && is_plain_letter(text[at + 1]) &&
           run_at(rich, at + 1)->marks == 0 &&
           !joins_code(rich, run_at(rich, at));
}

/* The last line end, or the last empty line, before a place; 0: none. */
static size_t
last_line(const char *text, size_t from, size_t end, bool empty)
{
    for (size_t at = end; at > from + 1; at--) {
        bool ends = text[at] == '\n';

        if (ends && (!empty || text[at - 1] == '\n' || text[at + 1] == '\n')) {
            return at;
        }
    }
    return 0;
}

/* May a piece begin there, where there is no gap?  Only with a letter outside
 * marks, which can't act as a sign. */
static bool
is_plain(const struct rich *rich, size_t at)
{
    const struct run *run = run_at(rich, at);

    return is_plain_letter(buf_text(&rich->text)[at]) && run->marks == 0 &&
           !joins_code(rich, run);
}

/* The last place between characters that are seen as two, before a letter
 * where that is asked for; 0: none. */
static size_t
last_grapheme(const struct rich *rich, size_t from, size_t end, bool plain)
{
    const char *text = buf_text(&rich->text);

    for (size_t at = end; at > from; at = begin_of(text, at - 1)) {
        utf8proc_int32_t before = 0;
        utf8proc_int32_t after = 0;

        (void)utf8proc_iterate((const utf8proc_uint8_t *)text +
                                   begin_of(text, at - 1),
                               -1, &before);
        (void)utf8proc_iterate((const utf8proc_uint8_t *)text + at, -1, &after);
        if (utf8proc_grapheme_break(before, after) &&
            (!plain || is_plain(rich, at))) {
            return at;
        }
    }
    return 0;
}

static size_t
choose(const struct rich *rich, size_t from, size_t end)
{
    const char *text = buf_text(&rich->text);
    size_t cut = last_line(text, from, end, true);

    if (cut > from + (end - from) / 2) {
        return cut;
    }
    cut = last_line(text, from, end, false);
    if (cut != 0) {
        return cut;
    }
    for (size_t at = end; at > from; at--) {
        if (is_gap(rich, at)) {
            return at;
        }
    }
    const struct run *run = run_at(rich, end);

    if (run->start == end && (run->marks & MARK_MENTION)) {
        return end;
    }
    cut = last_grapheme(rich, from, end, true);
    cut = cut != 0 ? cut : last_grapheme(rich, from, end, false);
    return cut != 0 ? cut : end;
}

/* Where the first mention begins, from a byte on, that is one too many; the end
 * of the text if none is. */
static size_t
mention_limit(const struct rich *rich, size_t from, unsigned mentions)
{
    const struct run *known[MENTIONS_MAX];
    unsigned count = 0;

    assert(mentions <= MENTIONS_MAX);
    for (size_t i = 0; mentions > 0 && i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        unsigned at = 0;

        if (run->start < from || !(run->marks & MARK_MENTION)) {
            continue;
        }
        while (at < count &&
               (known[at]->id_len != run->id_len ||
                memcmp(rich_run_id(rich, known[at]), rich_run_id(rich, run),
                       run->id_len) != 0)) {
            at++;
        }
        if (at == mentions) {
            return run->start;
        }
        known[at] = run;
        count += at == count ? 1 : 0;
    }
    return rich->text.len;
}

size_t
rich_piece(const struct rich *rich, size_t from, const struct dialect *dialect,
           const struct measure *measure, size_t *next)
{
    const char *text = buf_text(&rich->text);
    size_t len = rich->text.len;
    size_t longest = measure->longest;

    assert(from < len && longest > 0);
    size_t limit = mention_limit(rich, from, measure->mentions);

    *next = len;
    if (limit == len && len - from <= 4 * longest &&
        fits(rich, from, len, dialect, measure->unit, longest)) {
        return len;
    }
    size_t end = furthest(rich, from, dialect, measure->unit, longest);

    end = choose(rich, from, end < limit ? end : limit);
    *next = end;
    while (*next < len && strchr(" \n", text[*next]) != NULL) {
        ++*next;
    }
    while (end > from + 1 && strchr(" \n", text[end - 1]) != NULL) {
        end--;
    }
    return end;
}
