#include <string.h>

#include "adapters/markup/html/html.h"
#include "adapters/markup/html/html_mention.h"
#include "adapters/markup/html/html_tokens.h"

/* The marks that are written, the outermost first: a line feed has the first
 * three alone. */
static const unsigned levels[] = {
    MARK_QUOTED, MARK_SPOILER, MARK_CODE,    MARK_STRUCK,
    MARK_BOLD,   MARK_RED,     MARK_MENTION,
};

enum {
    LEVELS = sizeof levels / sizeof levels[0]
};

/* How one of the two is written. */
struct tongue {
    const char *open[LEVELS], *close[LEVELS];
    bool (*id_is_writable)(const char *id, size_t len);
    void (*write_mention)(const char *id, size_t len, struct buf *out);
};

static const struct tongue html = {
    .open = {"<span class=\"quote\">", "<span class=\"spoiler\">", "<code>",
             "<del>", "<strong>", "<span style=\"color:red\">"},
    .close = {"</span>", "</span>", "</code>", "</del>", "</strong>", "</span>",
              "</a>"},
    .id_is_writable = html_id_is_writable,
    .write_mention = html_mention_write,
};

/* Clients follow the one or the other way to say red. */
static const struct tongue matrix = {
    .open = {"<span class=\"quote\">", "<span data-mx-spoiler>", "<code>",
             "<del>", "<strong>",
             "<font color=\"#ff0000\" data-mx-color=\"#ff0000\">"},
    .close = {"</span>", "</span>", "</code>", "</del>", "</strong>", "</font>",
              "</a>"},
    .id_is_writable = matrix_id_is_writable,
    .write_mention = matrix_mention_write,
};

struct writer {
    const struct rich *rich;
    const struct tongue *tongue;
    struct buf *out;
    unsigned open; /* the marks of the open levels */
    size_t id, id_len;
    bool block;      /* what is quoted is written as a block */
    bool skip_feed;  /* the next line feed: a block has ended the line */
    bool line_start; /* nothing on this line so far */
    bool after_space;
};

static unsigned
wanted(const struct writer *writer, const struct run *run)
{
    unsigned marks = run->marks & ~(unsigned)MARK_OBJECT;
    const char *id = rich_run_id(writer->rich, run);

    if ((marks & MARK_MENTION) != 0 &&
        !writer->tongue->id_is_writable(id, run->id_len)) {
        marks &= ~(unsigned)MARK_MENTION;
    }
    return marks;
}

static bool
same_user(const struct writer *writer, const struct run *run)
{
    const char *ids = buf_text(&writer->rich->ids);

    return writer->id_len == run->id_len &&
           memcmp(ids + writer->id, ids + run->id, run->id_len) == 0;
}

/* The outermost level that cannot stay as it is. */
static size_t
first_change(const struct writer *writer, const struct run *run, unsigned want)
{
    size_t level = 0;

    while (level < LEVELS && ((writer->open ^ want) & levels[level]) == 0 &&
           (levels[level] != MARK_MENTION || (want & MARK_MENTION) == 0 ||
            same_user(writer, run))) {
        level++;
    }
    return level;
}

/* Does what is quoted from this run on stand on lines of its own?  Then a
 * block says so, and ends the lines before it and behind it. */
static bool
stands_alone(const struct writer *writer, size_t index)
{
    const struct rich *rich = writer->rich;
    size_t end = index;

    while (end < rich->count && (rich->runs[end].marks & MARK_QUOTED) != 0) {
        end++;
    }
    const struct run *last = &rich->runs[end - 1];
    if (!writer->line_start ||
        rich_run_text(rich, last)[last->len - 1] == '\n') {
        return false;
    }
    if (end == rich->count) {
        return true;
    }
    const struct run *next = &rich->runs[end];
    bool more = next->len > 1 || end + 1 < rich->count;
    return next->marks == 0 && rich_run_text(rich, next)[0] == '\n' && more;
}

static void
open_level(struct writer *writer, size_t level, size_t index)
{
    const struct run *run = &writer->rich->runs[index];

    writer->open |= levels[level];
    if (levels[level] == MARK_QUOTED) {
        writer->block = stands_alone(writer, index);
    }
    if (levels[level] == MARK_MENTION) {
        writer->id = run->id;
        writer->id_len = run->id_len;
        writer->tongue->write_mention(rich_run_id(writer->rich, run),
                                      run->id_len, writer->out);
    } else if (levels[level] == MARK_QUOTED && writer->block) {
        buf_add_text(writer->out, "<blockquote>");
    } else {
        buf_add_text(writer->out, writer->tongue->open[level]);
    }
}

static void
close_level(struct writer *writer, size_t level)
{
    if ((writer->open & levels[level]) == 0) {
        return;
    }
    writer->open &= ~levels[level];
    if (levels[level] == MARK_QUOTED && writer->block) {
        buf_add_text(writer->out, "</blockquote>");
        writer->skip_feed = true;
    } else {
        buf_add_text(writer->out, writer->tongue->close[level]);
    }
}

/* From the marks of the run before to those of this one. */
static void
change_marks(struct writer *writer, size_t index)
{
    const struct run *run = &writer->rich->runs[index];
    unsigned want = wanted(writer, run);
    size_t first = first_change(writer, run, want);

    for (size_t level = LEVELS; level-- > first;) {
        close_level(writer, level);
    }
    for (size_t level = first; level < LEVELS; level++) {
        if ((want & levels[level]) != 0) {
            open_level(writer, level, index);
        }
    }
}

static void
write_feed(struct writer *writer)
{
    buf_add_text(writer->out, writer->skip_feed ? "" : "<br>");
    writer->skip_feed = false;
    writer->line_start = true;
    writer->after_space = true;
}

static void
write_char(struct writer *writer, char byte)
{
    bool space = html_is_space(byte);

    /* A U+200B keeps white space that would not be shown. */
    if (space && writer->after_space) {
        buf_add_text(writer->out, "\xE2\x80\x8B");
    }
    if (byte == '&') {
        buf_add_text(writer->out, "&amp;");
    } else if (byte == '<') {
        buf_add_text(writer->out, "&lt;");
    } else if (byte == '>') {
        buf_add_text(writer->out, "&gt;");
    } else {
        buf_add_char(writer->out, byte);
    }
    writer->line_start = false;
    writer->after_space = space;
}

static void
write_rich(const struct rich *rich, const struct tongue *tongue,
           struct buf *out)
{
    struct writer writer = {.rich = rich,
                            .tongue = tongue,
                            .out = out,
                            .line_start = true,
                            .after_space = true};

    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);

        change_marks(&writer, i);
        for (size_t at = 0; at < run->len; at++) {
            if (text[at] == '\n') {
                write_feed(&writer);
            } else {
                write_char(&writer, text[at]);
            }
        }
    }
    for (size_t level = LEVELS; level-- > 0;) {
        close_level(&writer, level);
    }
}

void
html_write(const struct rich *rich, struct buf *out)
{
    write_rich(rich, &html, out);
}

void
matrix_write(const struct rich *rich, struct buf *out)
{
    write_rich(rich, &matrix, out);
}
