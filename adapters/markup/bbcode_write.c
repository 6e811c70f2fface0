#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/bbcode.h"
#include "adapters/markup/nesting.h"

static const struct nesting_level levels[] = {
    {MARK_QUOTED, "[quote]", "[/quote]"},
    {MARK_SPOILER, "[spoiler]", "[/spoiler]"},
    {MARK_STRUCK, "[s]", "[/s]"},
    {MARK_BOLD, "[b]", "[/b]"},
    {MARK_RED, "[color=red]", "[/color]"},
    {MARK_MENTION, "[mention=", "[/mention]"},
    {MARK_CODE, "[code]", "[/code]"},
    {0},
};

enum {
    ID_MAX = 255 /* bytes of a user's id */
};

static const char guard[] = "\xE2\x80\x8B"; /* U+200B */

struct writer {
    const struct rich *rich;
    struct buf *out;
    bool chat; /* the board's marks are escaped, its backticks written */
    struct nesting nesting;
    bool ticked; /* code is open with a backtick */
    bool blank;  /* nothing but blanks on this line so far */
};

static char
last_byte(const struct writer *writer)
{
    size_t len = writer->out->len;

    if (len == 0) {
        return '\n';
    }
    return writer->out->data[len - 1];
}

bool
bbcode_id_is_plain(const char *id, size_t len)
{
    if (len == 0 || len > ID_MAX) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (id[i] <= ' ' || id[i] > '~' || strchr("[]\"'\\", id[i]) != NULL) {
            return false;
        }
    }
    return true;
}

static unsigned
wanted(const struct writer *writer, const struct run *run)
{
    unsigned marks = run->marks & ~(unsigned)MARK_OBJECT;

    if ((marks & MARK_MENTION) != 0 &&
        (!writer->chat ||
         !bbcode_id_is_plain(rich_run_id(writer->rich, run), run->id_len))) {
        marks &= ~(unsigned)MARK_MENTION;
    }
    return marks;
}

static bool
is_code(const struct rich *rich, size_t index)
{
    return index < rich->count && (rich->runs[index].marks & MARK_CODE) != 0;
}

/* Can the code of this run stand between two backticks?  Not beside other
 * backticks: they would become one mark. */
static bool
fits_ticks(const struct writer *writer, size_t index)
{
    const struct run *run = &writer->rich->runs[index];
    const char *text = rich_run_text(writer->rich, run);

    return writer->chat && memchr(text, '`', run->len) == NULL &&
           memchr(text, '\n', run->len) == NULL && last_byte(writer) != '`' &&
           !is_code(writer->rich, index + 1) &&
           (index == 0 || !is_code(writer->rich, index - 1));
}

static void
open_level(struct writer *writer, const struct nesting_level *level,
           size_t index)
{
    const struct run *run = &writer->rich->runs[index];

    if (level->mark == MARK_CODE) {
        writer->ticked = fits_ticks(writer, index);
    }
    if (level->mark == MARK_CODE && writer->ticked) {
        buf_add_char(writer->out, '`');
        return;
    }
    buf_add_text(writer->out, level->open);
    if (level->mark == MARK_MENTION) {
        buf_add(writer->out, rich_run_id(writer->rich, run), run->id_len);
        buf_add_char(writer->out, ']');
    }
}

static void
close_marks(struct writer *writer, const struct run *next, unsigned want)
{
    const struct nesting_level *level = NULL;

    while ((level = nesting_close(&writer->nesting, next, want)) != NULL) {
        bool ticked = level->mark == MARK_CODE && writer->ticked;
        buf_add_text(writer->out, ticked ? "`" : level->close);
    }
}

/* From the marks of the run before to those of this one. */
static void
change_marks(struct writer *writer, size_t index)
{
    const struct run *run = &writer->rich->runs[index];
    const struct nesting_level *level = NULL;
    unsigned want = wanted(writer, run);

    close_marks(writer, run, want);
    while ((level = nesting_open(&writer->nesting, run, want)) != NULL) {
        open_level(writer, level, index);
    }
}

/* Would this byte of code, behind "[", end it? */
static bool
ends_code(const char *text, size_t len)
{
    static const char closing[] = "/code]";
    size_t at = 0;

    while (at < len && at < 6 && ascii_lower(text[at]) == closing[at]) {
        at++;
    }
    return at == 6;
}

/* Would the first byte of this text act as a mark where it stands? */
static bool
acts(const struct writer *writer, const char *text, size_t len)
{
    char byte = text[0];
    char before = last_byte(writer);

    if ((writer->nesting.open & MARK_CODE) != 0) {
        return !writer->ticked && before == '[' && ends_code(text, len);
    }
    if (before == '[' &&
        (ascii_is_letter(byte) || strchr("/*-", byte) != NULL)) {
        return true;
    }
    if (!writer->chat) {
        return false;
    }
    return byte == '`' || (byte == '>' && writer->blank) ||
           (byte == before && strchr("*~|", byte) != NULL);
}

static void
write_text(struct writer *writer, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (acts(writer, text + i, len - i)) {
            buf_add(writer->out, guard, 3);
        }
        buf_add_char(writer->out, text[i]);
        writer->blank =
            text[i] == '\n' || (writer->blank && ascii_is_blank(text[i]));
    }
}

/* Without U+200B, which is an escape here. */
static void
add_unguarded(const struct rich *rich, struct rich *plain)
{
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        unsigned marks = run->marks & ~(unsigned)(MARK_MENTION | MARK_OBJECT);
        size_t from = 0;

        for (size_t at = 0; at < run->len; at++) {
            if (run->len - at >= 3 && memcmp(text + at, guard, 3) == 0) {
                rich_add_mention_len(plain, rich_run_id(rich, run), run->id_len,
                                     text + from, at - from, marks);
                from = at + 3;
                at += 2;
            }
        }
        rich_add_mention_len(plain, rich_run_id(rich, run), run->id_len,
                             text + from, run->len - from, marks);
    }
}

static void
write_rich(const struct rich *rich, bool chat, struct buf *out)
{
    struct rich plain = {.count = 0};

    add_unguarded(rich, &plain);
    struct writer writer = {.rich = &plain,
                            .out = out,
                            .chat = chat,
                            .nesting = {.levels = levels, .rich = &plain},
                            .blank = true};
    for (size_t i = 0; i < plain.count; i++) {
        const struct run *run = &plain.runs[i];

        change_marks(&writer, i);
        write_text(&writer, rich_run_text(&plain, run), run->len);
    }
    close_marks(&writer, NULL, 0);
    rich_wipe(&plain);
}

void
bbcode_write(const struct rich *rich, struct buf *out)
{
    write_rich(rich, false, out);
}

void
board_dialect_write(const struct rich *rich, struct buf *out)
{
    write_rich(rich, true, out);
}
