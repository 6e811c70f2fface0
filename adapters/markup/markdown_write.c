#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/markdown.h"
#include "adapters/markup/writer.h"

enum {
    TICKS_MAX = 16,    /* backticks around code */
    BRACKETS_MAX = 64, /* in all code: more may be too many to be read */
    MARKS_OF_LINE = MARK_QUOTED | MARK_SPOILER | MARK_CODE,
    DELIMITERS = MARK_STRUCK | MARK_BOLD, /* need the right neighbours */
};

/* Of a writer's state. */
enum {
    BLOCK_ENDED = 1 << 0, /* a quote has, on this line */
    MENTIONED = 1 << 1,   /* the last thing written is a mention */
    BRACKETED = 1 << 2,   /* there is much code with brackets, to be escaped */
    FENCED = 1 << 3,      /* a fence has ended the line */
};

static void
add_guard(struct writer *writer)
{
    buf_add_text(writer->out, WRITER_GUARD);
    writer->blank = false;
}

/* ---- what a run needs ---------------------------------------------------- */

/* The most backticks that stand together in a text. */
static size_t
longest_ticks(const char *text, size_t len)
{
    size_t longest = 0;
    size_t ticks = 0;

    for (size_t i = 0; i < len; i++) {
        ticks = text[i] == '`' ? ticks + 1 : 0;
        longest = ticks > longest ? ticks : longest;
    }
    return longest;
}

/* Is this run of code one between backticks? */
static bool
is_ticked(const struct writer *writer, const struct run *run)
{
    const char *text = rich_run_text(writer->rich, run);

    return (run->marks & MARK_CODE) != 0 &&
           memchr(text, '\n', run->len) == NULL &&
           ((writer->state & BRACKETED) == 0 ||
            memchr(text, '[', run->len) == NULL) &&
           longest_ticks(text, run->len) < TICKS_MAX;
}

/* Is this run the end of a line, outside of everything that spans lines; or
 * the end of the text? */
static bool
is_plain_line_end(const struct writer *writer, size_t index)
{
    const struct rich *rich = writer->rich;

    return index == rich->count ||
           ((rich->runs[index].marks & MARKS_OF_LINE) == 0 &&
            rich_run_text(rich, &rich->runs[index])[0] == '\n');
}

/* Is the quote that begins with this run one of whole lines? */
static bool
is_block(const struct writer *writer)
{
    return writer->open == MARK_QUOTED && writer->out->len == writer->line &&
           is_plain_line_end(writer, writer_end_of(writer, MARK_QUOTED));
}

/* ---- marks --------------------------------------------------------------- */

/* Characters that are not ASCII are letters, whatever they are: tables of
 * Unicode differ. */
static enum markdown_class
class_outside(const char *text, size_t len)
{
    if (len > 0 && ((unsigned char)text[0] & 0x80) != 0) {
        return MARKDOWN_LETTER;
    }
    return markdown_class_at(text, len);
}

/* Do these neighbours let a delimiter act as one? */
static bool
is_delimiter(enum markdown_class inside, enum markdown_class outside)
{
    return inside == MARKDOWN_LETTER ||
           (inside != MARKDOWN_SPACE && outside < MARKDOWN_SYMBOL);
}

static enum markdown_class
class_written(const struct writer *writer)
{
    const char *line = buf_text(writer->out) + writer->line;

    return markdown_class_before(line, writer->out->len - writer->line);
}

/* `inside` is what will be written next. */
static void
open_delimiter(struct writer *writer, const char *delimiter,
               enum markdown_class inside)
{
    if (writer_last(writer) == delimiter[0]) {
        add_guard(writer);
    }
    char before = writer_last(writer);
    enum markdown_class outside = class_outside(&before, 1);
    buf_add_text(writer->out, delimiter);
    if (!is_delimiter(inside, outside)) {
        add_guard(writer);
    }
}

static void
close_delimiter(struct writer *writer, const char *delimiter,
                enum markdown_class outside)
{
    if (!is_delimiter(class_written(writer), outside)) {
        add_guard(writer);
    }
    buf_add_text(writer->out, delimiter);
}

/* What will be written next, if that is not a mark. */
static enum markdown_class
class_next(const struct writer *writer)
{
    const struct rich *rich = writer->rich;

    if (writer->index == rich->count) {
        return MARKDOWN_SPACE;
    }
    const struct run *run = &rich->runs[writer->index];
    if ((run->marks & MARK_MENTION) != 0) {
        return MARKDOWN_LETTER; /* it may be guarded */
    }
    return class_outside(rich_run_text(rich, run), run->len);
}

static enum markdown_class
class_of_run(const struct writer *writer)
{
    const struct run *run = &writer->rich->runs[writer->index];
    bool marked = is_ticked(writer, run) || (run->marks & MARK_MENTION) != 0;

    return marked
               ? MARKDOWN_PUNCTUATION
               : markdown_class_at(rich_run_text(writer->rich, run), run->len);
}

/* Code across lines that is shown as it is, between the fences. */
static void
open_fence(struct writer *writer)
{
    const struct rich *rich = writer->rich;
    size_t end = writer_end_of(writer, MARK_CODE);
    struct buf code = BUF_INIT;

    for (size_t i = writer->index; i < end; i++) {
        buf_add(&code, rich_run_text(rich, &rich->runs[i]), rich->runs[i].len);
    }
    writer->code = strstr(buf_text(&code), "```") == NULL ? "```\n" : "~~~\n";
    buf_addf(writer->out, "%s%s", writer_last(writer) == '\n' ? "" : "\n",
             writer->code);
    writer->blank = false;
    buf_wipe(&code);
}

static void
close_fence(struct writer *writer)
{
    buf_add_text(writer->out, writer_last(writer) == '\n' ? "" : "\n");
    buf_add_text(writer->out, writer->code);
    writer->line = writer->out->len;
    writer->state |= FENCED;
}

static void
open_tag(struct writer *writer, const struct tag *tag)
{
    writer->state &= ~(unsigned)(FENCED | MENTIONED);
    if ((tag->mark & DELIMITERS) != 0) {
        open_delimiter(writer, tag->open,
                       writer->open != writer->want ? MARKDOWN_PUNCTUATION
                                                    : class_of_run(writer));
        return;
    }
    if (tag->mark == MARK_QUOTED && is_block(writer)) {
        writer->block = true;
        buf_add_text(writer->out, "> ");
        writer->line = writer->out->len;
        return;
    }
    if (tag->mark == MARK_CODE && writer->tags->boxes) {
        open_fence(writer);
        return;
    }
    if (tag->mark == MARK_CODE && writer->out->len == writer->line) {
        add_guard(writer);
    }
    buf_add_text(writer->out, tag->open);
}

static void
close_tag(struct writer *writer, const struct tag *tag)
{
    writer->state &= ~(unsigned)(FENCED | MENTIONED);
    if ((tag->mark & DELIMITERS) != 0) {
        close_delimiter(writer, tag->close,
                        writer->open != writer->want ? MARKDOWN_LETTER
                                                     : class_next(writer));
        return;
    }
    if (tag->mark == MARK_QUOTED && writer->block) {
        writer->block = false;
        writer->state |= BLOCK_ENDED;
        return;
    }
    if (tag->mark == MARK_CODE && writer->tags->boxes) {
        close_fence(writer);
        return;
    }
    if (tag->mark == MARK_CODE && writer->out->len == writer->line) {
        add_guard(writer);
    }
    buf_add_text(writer->out, tag->close);
}

/* ---- text ---------------------------------------------------------------- */

/* Hold a line that has no text or ends with a blank. */
static void
end_line(struct writer *writer)
{
    if (writer->blank || ascii_is_blank(writer_last(writer))) {
        add_guard(writer);
    }
}

static void
begin_line(struct writer *writer)
{
    end_line(writer);
    /* An empty line, so that the next line is not taken as part of the
     * quote. */
    buf_add_text(writer->out,
                 (writer->state & BLOCK_ENDED) != 0 ? "\n\n" : "\n");
    buf_add_text(writer->out, writer->block ? "> " : "");
    writer->state &= ~(unsigned)BLOCK_ENDED;
    writer->line = writer->out->len;
    writer->blank = true;
}

/* Would a line that begins like this be more than text?  For what is escaped
 * everywhere, see is_escaped. */
static bool
begins_block(const char *text, size_t len)
{
    size_t digits = 0;

    while (digits < len && ascii_is_digit(text[digits])) {
        digits++;
    }
    if (digits > 0) {
        return digits < len && (text[digits] == '.' || text[digits] == ')');
    }
    return strchr(" \t#>+-=|:", text[0]) != NULL;
}

static bool
is_escaped(char byte)
{
    return strchr("\\`*_[<&~", byte) != NULL;
}

/* Does this text go on with the name of a mention? */
static bool
continues_name(const char *text, size_t len)
{
    size_t at = 0;

    while (at < len && (text[at] == '.' || text[at] == '-')) {
        at++;
    }
    return markdown_begins_with_letter(text + at, len - at);
}

/* Would the first byte of this text act where it stands? */
static bool
needs_guard(const struct writer *writer, const char *text, size_t len)
{
    const char *line = buf_text(writer->out) + writer->line;
    size_t at = writer->out->len - writer->line;

    if (at == 0) {
        return begins_block(text, len);
    }
    if (line[at - 1] == ']') {
        return text[0] == '(' || text[0] == ':'; /* of a link */
    }
    return line[at - 1] == '@' && !ascii_is_blank(text[0]) &&
           !markdown_ends_in_letter(line, at - 1);
}

static void
write_text(struct writer *writer, const char *text, size_t len)
{
    size_t from = 0;

    if ((writer->state & MENTIONED) != 0 && continues_name(text, len)) {
        add_guard(writer);
    }
    if ((writer->state & FENCED) != 0 && text[0] == '\n') {
        writer->blank = true;
        from = 1;
    }
    writer->state &= ~(unsigned)FENCED;
    for (size_t i = from; i < len; i++) {
        if (text[i] == '\n') {
            begin_line(writer);
            continue;
        }
        writer->blank = false;
        if (needs_guard(writer, text + i, len - i)) {
            add_guard(writer);
        }
        if (is_escaped(text[i])) {
            buf_add_char(writer->out, '\\');
        }
        buf_add_char(writer->out, text[i]);
    }
}

/* Would the backticks around a text run into it, or take a blank of it on
 * both sides, as they do unless there is nothing else? */
static bool
needs_blanks(const char *text, size_t len)
{
    size_t at = 0;

    while (at < len && text[at] == ' ') {
        at++;
    }
    return text[0] == '`' || text[len - 1] == '`' ||
           (at > 0 && at < len && text[len - 1] == ' ');
}

static void
write_ticked(struct writer *writer, const char *text, size_t len)
{
    size_t ticks = longest_ticks(text, len) + 1;
    bool pad = needs_blanks(text, len);

    if (writer_last(writer) == '`') {
        add_guard(writer);
    }
    for (size_t i = 0; i < ticks; i++) {
        buf_add_char(writer->out, '`');
    }
    buf_add_text(writer->out, pad ? " " : "");
    buf_add(writer->out, text, len);
    buf_add_text(writer->out, pad ? " " : "");
    for (size_t i = 0; i < ticks; i++) {
        buf_add_char(writer->out, '`');
    }
}

/* A mention shows the user's name: as it stands in the text, or else as in the
 * id. */
static void
write_mention(struct writer *writer, const struct run *run)
{
    const char *id = rich_run_id(writer->rich, run);
    const char *name = rich_run_text(writer->rich, run);
    size_t len = run->len;
    struct buf known = BUF_INIT;

    if (markdown_ends_in_letter(buf_text(&writer->rich->text), run->start)) {
        add_guard(writer);
    }
    if (name[0] == '@') {
        name++;
        len--;
    }
    markdown_add_id(&known, name, len);
    bool same = known.len == run->id_len &&
                memcmp(buf_text(&known), id, run->id_len) == 0;
    buf_add_char(writer->out, '@');
    buf_add(writer->out, same ? name : id, same ? len : run->id_len);
    buf_release(&known);
}

static void
write_run(struct writer *writer, const struct run *run)
{
    const char *text = rich_run_text(writer->rich, run);
    bool mention = (run->marks & MARK_MENTION) != 0;

    if (is_ticked(writer, run)) {
        write_ticked(writer, text, run->len);
        writer->blank = false;
    } else if (mention) {
        write_mention(writer, run);
        writer->blank = false;
    } else if (writer->tags->boxes && (run->marks & MARK_CODE) != 0) {
        buf_add(writer->out, text, run->len);
    } else {
        write_text(writer, text, run->len);
    }
    writer->state &= ~(unsigned)MENTIONED;
    writer->state |= mention ? MENTIONED : 0U;
}

/* ---- the whole ----------------------------------------------------------- */

/* Is this the id of somebody who can be mentioned? */
static bool
is_name(const char *id, size_t len)
{
    struct buf lower = BUF_INIT;

    markdown_add_id(&lower, id, len);
    bool same = lower.len == len && memcmp(buf_text(&lower), id, len) == 0;
    buf_release(&lower);
    return same && len > 0 && markdown_name_len(id, len) == len;
}

/* Does code have more opening brackets than may be open in a paragraph? */
static bool
has_many_brackets(const struct rich *rich)
{
    size_t count = 0;

    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        for (size_t at = 0; at < run->len; at++) {
            count += (run->marks & MARK_CODE) != 0 && text[at] == '[' ? 1U : 0U;
        }
    }
    return count > BRACKETS_MAX;
}

/* The tags that a run stands in. */
static unsigned
wanted(struct writer *writer)
{
    const struct run *run = &writer->rich->runs[writer->index];

    if (writer->index == 0 && has_many_brackets(writer->rich)) {
        writer->state |= BRACKETED;
    }
    if (is_ticked(writer, run)) {
        return run->marks & ~(unsigned)MARK_CODE;
    }
    return writer->tags->boxes && (run->marks & MARK_CODE) != 0
               ? run->marks & MARKS_OF_LINE
               : run->marks;
}

static const struct tags discourse = {
    .list = {{MARK_QUOTED, "[quote]", "[/quote]"},
             {MARK_SPOILER, "[spoiler]", "[/spoiler]"},
             {MARK_CODE, "<code>", "</code>"},
             {MARK_STRUCK, "~~", "~~"},
             {MARK_BOLD, "**", "**"}},
    .bare = MARK_CODE,
    .is_user = is_name,
    .want = wanted,
    .open = open_tag,
    .close = close_tag,
    .write = write_run,
    .end = end_line,
};

/* It folds nothing, and shows code across lines between fences. */
static const struct tags nodebb = {
    .list = {{MARK_QUOTED, "[quote]", "[/quote]"},
             {MARK_CODE, NULL, NULL},
             {MARK_STRUCK, "~~", "~~"},
             {MARK_BOLD, "**", "**"}},
    .bare = MARK_CODE,
    .boxes = true,
    .is_user = is_name,
    .want = wanted,
    .open = open_tag,
    .close = close_tag,
    .write = write_run,
    .end = end_line,
};

void
markdown_write(const struct rich *rich, struct buf *out)
{
    writer_write(&discourse, rich, out);
}

void
markdown_write_nodebb(const struct rich *rich, struct buf *out)
{
    writer_write(&nodebb, rich, out);
}
