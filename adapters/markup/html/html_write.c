#include <string.h>

#include "adapters/markup/html/html.h"
#include "adapters/markup/html/html_mention.h"
#include "adapters/markup/html/html_tokens.h"
#include "adapters/markup/writer.h"

/* Of a writer's state. */
enum {
    SKIPS_FEED = 1 << 0,  /* a block has ended the line: no line feed does */
    LINE_BEGUN = 1 << 1,  /* there is something on this line */
    AFTER_SPACE = 1 << 2, /* and it ends with white space */
};

/* Does the quote from this run on stand on lines of its own?  Then it is
 * written as a block, which ends the lines before and after it. */
static bool
stands_alone(const struct writer *writer)
{
    const struct rich *rich = writer->rich;
    size_t end = writer_end_of(writer, MARK_QUOTED);
    const struct run *last = &rich->runs[end - 1];

    if ((writer->state & LINE_BEGUN) != 0 ||
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
open_tag(struct writer *writer, const struct tag *tag)
{
    if (tag->mark == MARK_QUOTED) {
        writer->block = stands_alone(writer);
    }
    bool block = tag->mark == MARK_QUOTED && writer->block;

    buf_add_text(writer->out, block ? "<blockquote>" : tag->open);
    if (tag->mark == MARK_MENTION) {
        html_mention_add_id(writer->id, writer->id_len, writer->out);
        buf_add_text(writer->out, "\">");
    }
}

static void
close_tag(struct writer *writer, const struct tag *tag)
{
    bool block = tag->mark == MARK_QUOTED && writer->block;

    buf_add_text(writer->out, block ? "</blockquote>" : tag->close);
    writer->state |= block ? SKIPS_FEED : 0U;
}

static void
write_char(struct writer *writer, char byte)
{
    bool space = html_is_space(byte);

    /* A U+200B keeps white space that would not be shown. */
    if (space && ((writer->state & LINE_BEGUN) == 0 ||
                  (writer->state & AFTER_SPACE) != 0)) {
        buf_add_text(writer->out, WRITER_GUARD);
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
    writer->state = (writer->state & SKIPS_FEED) | LINE_BEGUN |
                    (space ? (unsigned)AFTER_SPACE : 0);
}

static void
write_text(struct writer *writer, const struct run *run)
{
    const char *text = rich_run_text(writer->rich, run);

    for (size_t at = 0; at < run->len; at++) {
        if (text[at] != '\n') {
            write_char(writer, text[at]);
            continue;
        }
        buf_add_text(writer->out,
                     (writer->state & SKIPS_FEED) != 0 ? "" : "<br>");
        writer->state = 0;
    }
}

/* A line feed has only the first three marks. */
static const struct tags html = {
    .list = {{MARK_QUOTED, "<span class=\"quote\">", "</span>"},
             {MARK_SPOILER, "<span class=\"spoiler\">", "</span>"},
             {MARK_CODE, "<code>", "</code>"},
             {MARK_STRUCK, "<del>", "</del>"},
             {MARK_BOLD, "<strong>", "</strong>"},
             {MARK_RED, "<span style=\"color:red\">", "</span>"},
             {MARK_MENTION, "<a class=\"mention\" href=\"/u/", "</a>"}},
    .is_user = html_id_is_writable,
    .open = open_tag,
    .close = close_tag,
    .write = write_text,
};

/* Some clients follow one way to say red, some the other. */
static const struct tags matrix = {
    .list = {{MARK_QUOTED, "<span class=\"quote\">", "</span>"},
             {MARK_SPOILER, "<span data-mx-spoiler>", "</span>"},
             {MARK_CODE, "<code>", "</code>"},
             {MARK_STRUCK, "<del>", "</del>"},
             {MARK_BOLD, "<strong>", "</strong>"},
             {MARK_RED, "<font color=\"#ff0000\" data-mx-color=\"#ff0000\">",
              "</font>"},
             {MARK_MENTION, "<a href=\"https://matrix.to/#/", "</a>"}},
    .is_user = matrix_id_is_writable,
    .open = open_tag,
    .close = close_tag,
    .write = write_text,
};

void
html_write(const struct rich *rich, struct buf *out)
{
    writer_write(&html, rich, out);
}

void
matrix_write(const struct rich *rich, struct buf *out)
{
    writer_write(&matrix, rich, out);
}
