#include <string.h>

#include "adapters/markup/html/html.h"
#include "adapters/markup/html/html_mention.h"
#include "adapters/markup/html/html_tokens.h"
#include "adapters/markup/nesting.h"

/* How one of the two dialects is written.  A line feed has only the first three
 * marks. */
struct form {
    struct nesting_level levels[8];
    bool (*id_is_writable)(const char *id, size_t len);
    void (*write_mention)(const char *id, size_t len, struct buf *out);
};

static const struct form html = {
    .levels = {{MARK_QUOTED, "<span class=\"quote\">", "</span>"},
               {MARK_SPOILER, "<span class=\"spoiler\">", "</span>"},
               {MARK_CODE, "<code>", "</code>"},
               {MARK_STRUCK, "<del>", "</del>"},
               {MARK_BOLD, "<strong>", "</strong>"},
               {MARK_RED, "<span style=\"color:red\">", "</span>"},
               {MARK_MENTION, NULL, "</a>"}},
    .id_is_writable = html_id_is_writable,
    .write_mention = html_mention_write,
};

/* Some clients follow one way to say red, some the other. */
static const struct form matrix = {
    .levels = {{MARK_QUOTED, "<span class=\"quote\">", "</span>"},
               {MARK_SPOILER, "<span data-mx-spoiler>", "</span>"},
               {MARK_CODE, "<code>", "</code>"},
               {MARK_STRUCK, "<del>", "</del>"},
               {MARK_BOLD, "<strong>", "</strong>"},
               {MARK_RED, "<font color=\"#ff0000\" data-mx-color=\"#ff0000\">",
                "</font>"},
               {MARK_MENTION, NULL, "</a>"}},
    .id_is_writable = matrix_id_is_writable,
    .write_mention = matrix_mention_write,
};

struct writer {
    const struct rich *rich;
    const struct form *form;
    struct buf *out;
    struct nesting nesting;
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
        !writer->form->id_is_writable(id, run->id_len)) {
        marks &= ~(unsigned)MARK_MENTION;
    }
    return marks;
}

/* Does the quote from this run on stand on lines of its own?  Then it is
 * written as a block, which ends the lines before and after it. */
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
open_level(struct writer *writer, const struct nesting_level *level,
           size_t index)
{
    const struct run *run = &writer->rich->runs[index];

    if (level->mark == MARK_QUOTED) {
        writer->block = stands_alone(writer, index);
    }
    if (level->mark == MARK_MENTION) {
        writer->form->write_mention(rich_run_id(writer->rich, run), run->id_len,
                                    writer->out);
    } else if (level->mark == MARK_QUOTED && writer->block) {
        buf_add_text(writer->out, "<blockquote>");
    } else {
        buf_add_text(writer->out, level->open);
    }
}

static void
close_marks(struct writer *writer, const struct run *next, unsigned want)
{
    const struct nesting_level *level = NULL;

    while ((level = nesting_close(&writer->nesting, next, want)) != NULL) {
        bool block = level->mark == MARK_QUOTED && writer->block;
        buf_add_text(writer->out, block ? "</blockquote>" : level->close);
        writer->skip_feed = writer->skip_feed || block;
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
write_rich(const struct rich *rich, const struct form *form, struct buf *out)
{
    struct writer writer = {.rich = rich,
                            .form = form,
                            .out = out,
                            .nesting = {.levels = form->levels, .rich = rich},
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
    close_marks(&writer, NULL, 0);
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
