#include "tests/support/markdown/markdown_reader.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/html/html_tokens.h"
#include "adapters/markup/markdown.h"
#include "tests/support/markdown/markdown_pieces.h"

enum {
    MARK_COUNT = 8,
};

struct reader {
    const char *source;
    struct pieces pieces;
    struct rich *out;
    unsigned open[MARK_COUNT]; /* the pieces that set each mark */
    unsigned depth;
    bool edge;       /* a block has begun or ended since the last text */
    unsigned common; /* the marks that were set all the while */
};

/* ---- the text with its marks --------------------------------------------- */

static unsigned
marks_now(const struct reader *reader)
{
    unsigned marks = 0;

    for (unsigned i = 0; i < MARK_COUNT; i++) {
        marks |= reader->open[i] > 0 ? 1U << i : 0U;
    }
    return marks;
}

/* What stands on both sides of an edge stands on lines of its own. */
static void
pass_edge(struct reader *reader)
{
    if (reader->edge) {
        rich_end_line(reader->out, reader->common);
        reader->edge = false;
    }
}

static void
note_edge(struct reader *reader)
{
    unsigned marks = marks_now(reader);

    reader->common = reader->edge ? reader->common & marks : marks;
    reader->edge = true;
}

static void
show(struct reader *reader, const char *text, size_t len)
{
    pass_edge(reader);
    rich_add(reader->out, text, len, marks_now(reader));
}

static void
show_object(struct reader *reader)
{
    pass_edge(reader);
    rich_add_object(reader->out, marks_now(reader));
}

/* Before code.  The most there can be are four tabulators, and have been that
 * or more: no text is much longer than its post. */
static void
show_blanks(struct reader *reader, size_t count)
{
    if (count == PIECES_INDENT) {
        show(reader, "\t\t\t\t", 4);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        show(reader, " ", 1);
    }
}

static void
show_reference(struct reader *reader, const char *text, size_t len)
{
    struct buf known = BUF_INIT;

    if (html_read_reference(text, len, false, &known) != len) {
        show(reader, text, len);
    } else if (buf_equals(&known, "\n")) {
        show(reader, " ", 1); /* as browsers have it */
    } else {
        show(reader, known.data, known.len);
    }
    buf_release(&known);
}

/* Not in code, nor right behind a letter: that is an address. */
static void
show_mention(struct reader *reader, const char *text, size_t len)
{
    const struct buf *before = &reader->out->text;
    struct buf id = BUF_INIT;

    pass_edge(reader);
    if ((marks_now(reader) & MARK_CODE) != 0 ||
        markdown_ends_in_letter(buf_text(before), before->len)) {
        show(reader, text, len);
        return;
    }
    markdown_add_id(&id, text + 1, len - 1);
    rich_add_mention_len(reader->out, id.data, id.len, text, len,
                         marks_now(reader));
    buf_release(&id);
}

/* Begin a piece's marks (`by` 1) or end them (-1). */
static void
apply(struct reader *reader, unsigned marks, int by)
{
    for (unsigned i = 0; i < MARK_COUNT; i++) {
        if ((marks >> i & 1U) != 0) {
            reader->open[i] += (unsigned)by;
        }
    }
    reader->depth += (unsigned)by;
}

static void
begin_piece(struct reader *reader, struct piece *opening)
{
    apply(reader, opening->marks, 1);
    opening->shown = reader->out->text.len;
}

static void
end_piece(struct reader *reader, const struct piece *opening)
{
    /* An empty region still parts what stands on both sides of it. */
    if ((opening->marks & MARKS_EXCLUDED) != 0 &&
        opening->shown == reader->out->text.len) {
        show_object(reader);
    }
    apply(reader, opening->marks, -1);
}

static void
show_piece(struct reader *reader, struct piece *piece)
{
    const char *text = reader->source + piece->at;

    switch (piece->kind) {
    case PIECE_TEXT:
        show(reader, text, piece->len);
        break;
    case PIECE_REFERENCE:
        show_reference(reader, text, piece->len);
        break;
    case PIECE_MENTION:
        show_mention(reader, text, piece->len);
        break;
    case PIECE_BLANKS:
        show_blanks(reader, piece->len);
        break;
    case PIECE_FEED:
        show(reader, "\n", 1);
        break;
    case PIECE_EDGE:
        note_edge(reader);
        break;
    case PIECE_OBJECT:
        show_object(reader);
        break;
    case PIECE_OPEN:
        begin_piece(reader, piece);
        break;
    case PIECE_CLOSE:
        end_piece(reader, &reader->pieces.all[piece->partner]);
        break;
    }
}

/* false: nested too deeply. */
static bool
show_pieces(struct reader *reader)
{
    for (size_t i = 0; i < reader->pieces.count; i++) {
        show_piece(reader, &reader->pieces.all[i]);
        if (reader->depth > RICH_DEPTH_MAX) {
            return false;
        }
    }
    return true;
}

/* ---- the post ------------------------------------------------------------ */

/* Copy a post as md4c needs it: see markdown_scan. */
static void
copy_source(struct buf *source, const char *body, size_t len)
{
    static const char padding[PIECES_PADDING];

    for (size_t at = 0; at < len; at++) {
        bool pair = at + 1 < len && body[at + 1] == '\n';
        if (body[at] != '\r') {
            buf_add_char(source, body[at]);
        } else if (!pair) {
            buf_add_char(source, '\n');
        }
    }
    buf_add_char(source, '\n');
    buf_add(source, padding, PIECES_PADDING);
}

static bool
is_one_of(char byte, const char *bytes)
{
    return byte != '\0' && strchr(bytes, byte) != NULL;
}

/* The length of the mark of a quote or an item that a text begins with. */
static size_t
container_mark(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    if (text[0] == '>') {
        return 1;
    }
    bool mark = is_one_of(text[digits], digits > 0 ? ".)" : "-+*") &&
                is_one_of(text[digits + 1], " \t\n");
    return mark ? digits + 1 : 0;
}

/* How many quotes and items a line opens. */
static unsigned
depth_of_line(const char *line)
{
    unsigned depth = 0;
    size_t mark = 0;

    do {
        line += mark;
        line += strspn(line, " \t");
        mark = container_mark(line);
        depth += mark > 0 ? 1U : 0U;
    } while (mark > 0);
    return depth;
}

/* Does any line open too many? */
static bool
has_deep_line(const char *source)
{
    while (*source != '\0' && depth_of_line(source) <= RICH_DEPTH_MAX) {
        source += strcspn(source, "\n") + 1;
    }
    return *source != '\0';
}

/* Are there too many brackets that may belong to links: in all, or open at a
 * time in a paragraph? */
static bool
has_many_brackets(const char *source)
{
    unsigned count = 0;
    unsigned open = 0;

    for (const char *at = source; *at != '\0'; at++) {
        if (at[0] == '\\' && is_one_of(at[1], "[]\\")) {
            at++;
        } else if (*at == '[') {
            count++;
            open++;
        } else if (*at == ']' && open > 0) {
            open--;
        } else if (at[0] == '\n' && at[1] == '\n') {
            open = 0;
        }
        if (open > RICH_DEPTH_MAX || count > MARKDOWN_BRACKETS_MAX) {
            return true;
        }
    }
    return false;
}

static void
read_markdown(const char *body, size_t len, struct rich *out, bool *unread)
{
    struct buf source = BUF_INIT;
    struct reader reader = {.out = out};

    rich_clear(out);
    *unread = len > POST_MAX || (len > 0 && memchr(body, '\0', len) != NULL);
    if (*unread || len == 0) {
        return;
    }
    copy_source(&source, body, len);
    reader.source = source.data;
    *unread = has_deep_line(source.data) || has_many_brackets(source.data) ||
              !markdown_scan(source.data, source.len - PIECES_PADDING,
                             &reader.pieces) ||
              !show_pieces(&reader);
    if (*unread) {
        rich_clear(out);
    }
    free(reader.pieces.all);
    buf_wipe(&source);
}

const struct dialect forum_markdown = {
    .name = "markdown",
    .read = read_markdown,
    .write = markdown_write,
    .bold_names = true,
    .mention_names = true,
    .bold_example = "**%s**",
    .red_example = NULL,
};

const struct dialect *
shown_as(const struct dialect *dialect)
{
    return dialect == &dialect_markdown || dialect == &dialect_nodebb
               ? &forum_markdown
               : dialect;
}

const struct dialect *
tested_dialect_at(size_t index)
{
    if (index == 0) {
        return &forum_markdown;
    }
    return dialects_at(index - 1);
}
