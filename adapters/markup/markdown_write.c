#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/markdown.h"
#include "adapters/markup/nesting.h"

static const struct nesting_level levels[] = {
    {MARK_QUOTED, "[quote]", "[/quote]"},
    {MARK_SPOILER, "[spoiler]", "[/spoiler]"},
    {MARK_CODE, "<code>", "</code>"},
    {MARK_STRUCK, "~~", "~~"},
    {MARK_BOLD, "**", "**"},
    {0},
};

enum {
    TICKS_MAX = 16,    /* backticks around code */
    BRACKETS_MAX = 64, /* in all code: more may be too many to be read */
    MARKS_OF_LINE = MARK_QUOTED | MARK_SPOILER | MARK_CODE,
    DELIMITERS = MARK_STRUCK | MARK_BOLD, /* need the right neighbours */
    MARKS_OF_LEVELS = MARKS_OF_LINE | DELIMITERS,
};

/* It is invisible, and a letter to Markdown. */
static const char guard[] = "\xE2\x80\x8B";

struct writer {
    const struct rich *rich;
    struct buf *out;
    size_t index; /* of the run that is written */
    struct nesting nesting;
    size_t line;      /* where in `out` the line begins, behind "> " */
    bool begun;       /* there is text on it */
    bool block;       /* the open quote is one of lines with "> " */
    bool block_ended; /* and has ended on this line */
    bool mentioned;   /* the last thing written is a mention */
    bool bracketed;   /* there is much code with brackets, to be escaped */
};

static void
add_guard(struct writer *writer)
{
    buf_add_text(writer->out, guard);
    writer->begun = true;
}

/* The last byte on the line; a line feed: there is none. */
static char
last_byte(const struct writer *writer)
{
    if (writer->out->len == writer->line) {
        return '\n';
    }
    return writer->out->data[writer->out->len - 1];
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
is_ticked(const struct writer *writer, size_t index)
{
    const struct run *run = &writer->rich->runs[index];
    const char *text = rich_run_text(writer->rich, run);

    return (run->marks & MARK_CODE) != 0 &&
           memchr(text, '\n', run->len) == NULL &&
           (!writer->bracketed || memchr(text, '[', run->len) == NULL) &&
           longest_ticks(text, run->len) < TICKS_MAX;
}

/* The marks of the levels that a run stands in. */
static unsigned
wanted(const struct writer *writer, size_t index)
{
    unsigned marks = writer->rich->runs[index].marks & MARKS_OF_LEVELS;

    return is_ticked(writer, index) ? marks & ~(unsigned)MARK_CODE : marks;
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
    const struct rich *rich = writer->rich;
    size_t end = writer->index;

    if (writer->nesting.open != MARK_QUOTED ||
        writer->out->len > writer->line) {
        return false;
    }
    while (end < rich->count && (rich->runs[end].marks & MARK_QUOTED) != 0) {
        end++;
    }
    return is_plain_line_end(writer, end);
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
    if (last_byte(writer) == delimiter[0]) {
        add_guard(writer);
    }
    char before = last_byte(writer);
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
    bool marked =
        is_ticked(writer, writer->index) || (run->marks & MARK_MENTION) != 0;

    return marked
               ? MARKDOWN_PUNCTUATION
               : markdown_class_at(rich_run_text(writer->rich, run), run->len);
}

static void
open_level(struct writer *writer, const struct nesting_level *level,
           enum markdown_class inside)
{
    if ((level->mark & DELIMITERS) != 0) {
        open_delimiter(writer, level->open, inside);
        return;
    }
    if (level->mark == MARK_QUOTED && is_block(writer)) {
        writer->block = true;
        buf_add_text(writer->out, "> ");
        writer->line = writer->out->len;
        return;
    }
    if (level->mark == MARK_CODE && writer->out->len == writer->line) {
        add_guard(writer);
    }
    buf_add_text(writer->out, level->open);
}

static void
close_level(struct writer *writer, const struct nesting_level *level,
            enum markdown_class outside)
{
    if ((level->mark & DELIMITERS) != 0) {
        close_delimiter(writer, level->close, outside);
        return;
    }
    if (level->mark == MARK_QUOTED && writer->block) {
        writer->block = false;
        writer->block_ended = true;
        return;
    }
    if (level->mark == MARK_CODE && writer->out->len == writer->line) {
        add_guard(writer);
    }
    buf_add_text(writer->out, level->close);
}

/* From the marks of the run before to those of this one; NULL: at the end of
 * the text. */
static void
change_marks(struct writer *writer, const struct run *run, unsigned want)
{
    struct nesting *nesting = &writer->nesting;
    const struct nesting_level *level = NULL;

    while ((level = nesting_close(nesting, run, want)) != NULL) {
        close_level(writer, level,
                    nesting->open != want ? MARKDOWN_LETTER
                                          : class_next(writer));
    }
    while ((level = nesting_open(nesting, run, want)) != NULL) {
        open_level(writer, level,
                   nesting->open != want ? MARKDOWN_PUNCTUATION
                                         : class_of_run(writer));
    }
}

/* ---- text ---------------------------------------------------------------- */

/* Hold a line that has no text or ends with a blank. */
static void
end_line(struct writer *writer)
{
    if (!writer->begun || ascii_is_blank(last_byte(writer))) {
        add_guard(writer);
    }
}

static void
begin_line(struct writer *writer)
{
    end_line(writer);
    /* An empty line, so that the next line is not taken as part of the
     * quote. */
    buf_add_text(writer->out, writer->block_ended ? "\n\n" : "\n");
    buf_add_text(writer->out, writer->block ? "> " : "");
    writer->block_ended = false;
    writer->line = writer->out->len;
    writer->begun = false;
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
    if (writer->mentioned && continues_name(text, len)) {
        add_guard(writer);
    }
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n') {
            begin_line(writer);
            continue;
        }
        writer->begun = true;
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

    if (last_byte(writer) == '`') {
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
write_run(struct writer *writer)
{
    const struct run *run = &writer->rich->runs[writer->index];
    const char *text = rich_run_text(writer->rich, run);
    size_t before = writer->out->len;
    bool mention = (run->marks & MARK_MENTION) != 0;

    change_marks(writer, run, wanted(writer, writer->index));
    writer->mentioned = writer->mentioned && writer->out->len == before;
    if (is_ticked(writer, writer->index)) {
        write_ticked(writer, text, run->len);
        writer->begun = true;
    } else if (mention) {
        write_mention(writer, run);
        writer->begun = true;
    } else {
        write_text(writer, text, run->len);
    }
    writer->mentioned = mention;
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

/* A text with only the marks that can be written. */
static void
add_writable(const struct rich *rich, struct rich *writable)
{
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *id = rich_run_id(rich, run);
        unsigned marks = run->marks & ~(unsigned)(MARK_RED | MARK_MENTION |
                                                  MARK_OBJECT | MARK_ADDRESS);
        bool mention = (marks & MARK_CODE) == 0 && is_name(id, run->id_len);

        rich_add_mention_len(writable, id, mention ? run->id_len : 0,
                             rich_run_text(rich, run), run->len, marks);
    }
}

void
markdown_write(const struct rich *rich, struct buf *out)
{
    struct rich writable = {.count = 0};
    struct writer writer = {.rich = &writable,
                            .out = out,
                            .nesting = {.levels = levels, .rich = &writable},
                            .line = out->len};

    add_writable(rich, &writable);
    writer.bracketed = has_many_brackets(&writable);
    while (writer.index < writable.count) {
        write_run(&writer);
        writer.index++;
    }
    change_marks(&writer, NULL, 0);
    if (writable.count > 0) {
        end_line(&writer);
    }
    rich_wipe(&writable);
}
