/*
 * Plain text, for services without mark-up.  By convention `**bold**` is bold,
 * and a line that begins with ">" is quoted; all else is what it is.  Bold is
 * on one line, not inside a word, without blanks or asterisks right inside, and
 * of exactly two asterisks on either side.
 *
 * A U+200B ZERO WIDTH SPACE is neither a blank nor part of a word: the writer
 * puts it between asterisks that are text, before a ">" that quotes nothing,
 * inside bold that has blanks at its ends, beside bold that touches a word, and
 * after the "@" of what pings everybody.  An asterisk itself is never bold.
 * Code, struck and folded text have no form here, and are not written in bold
 * either, so that they don't count for more than before.
 */
#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/quotes.h"
#include "adapters/markup/rich.h"
#include "adapters/markup/unicode.h"

/* ---- reading ------------------------------------------------------------- */

/* A line: where its text begins, past the ">" of a quoted one, and ends. */
struct line {
    const char *body;
    size_t from, end;
    unsigned marks;
};

/* The next asterisks on the line, and behind them; the end of it: none. */
struct stars {
    size_t at, behind;
};

static struct stars
next_stars(const struct line *line, size_t from)
{
    size_t at = from;

    while (at < line->end && line->body[at] != '*') {
        at++;
    }
    size_t behind = at;
    while (behind < line->end && line->body[behind] == '*') {
        behind++;
    }
    return (struct stars){at, behind};
}

static bool
may_open(const struct line *line, struct stars stars)
{
    return stars.behind - stars.at == 2 && stars.behind < line->end &&
           !unicode_is_blank(unicode_at(line->body, stars.behind, line->end)) &&
           (stars.at == line->from ||
            !unicode_is_word(unicode_before(line->body, stars.at)));
}

static bool
may_close(const struct line *line, struct stars stars)
{
    return stars.behind - stars.at == 2 &&
           !unicode_is_blank(unicode_before(line->body, stars.at)) &&
           (stars.behind == line->end ||
            !unicode_is_word(unicode_at(line->body, stars.behind, line->end)));
}

static void
read_line(const struct line *line, struct rich *out)
{
    size_t shown = line->from;
    struct stars stars = next_stars(line, line->from);

    while (stars.at < line->end) {
        struct stars next = next_stars(line, stars.behind);
        if (!may_open(line, stars) || !may_close(line, next)) {
            stars = next;
            continue;
        }
        rich_add(out, line->body + shown, stars.at - shown, line->marks);
        rich_add(out, line->body + stars.behind, next.at - stars.behind,
                 line->marks | MARK_BOLD);
        shown = next.behind;
        stars = next_stars(line, next.behind);
    }
    rich_add(out, line->body + shown, line->end - shown, line->marks);
}

static void
skip_quote_mark(struct line *line)
{
    size_t at = line->from;

    while (at < line->end && ascii_is_blank(line->body[at])) {
        at++;
    }
    if (at == line->end || line->body[at] != '>') {
        return;
    }
    at++;
    line->from = at < line->end && line->body[at] == ' ' ? at + 1 : at;
    line->marks = MARK_QUOTED;
}

static void
read_plain(const char *body, size_t len, struct rich *out, bool *unread)
{
    rich_clear(out);
    *unread = len > POST_MAX || (len > 0 && memchr(body, '\0', len) != NULL);
    if (*unread) {
        return;
    }
    for (size_t at = 0; at < len;) {
        const char *feed = memchr(body + at, '\n', len - at);
        size_t end = feed == NULL ? len : (size_t)(feed - body);
        struct line line = {.body = body, .from = at, .end = end};

        line.end -= end > at && feed != NULL && body[end - 1] == '\r';
        skip_quote_mark(&line);
        read_line(&line, out);
        if (feed != NULL) {
            rich_add_text(out, "\n", 0);
            end++;
        }
        at = end;
    }
}

/* ---- writing ------------------------------------------------------------- */

static const char guard[] = "\xE2\x80\x8B"; /* U+200B */

/* After an "@" these ping a whole room, at one service or another. */
static const char *const everybody[] = {"all", "channel", "everyone", "here",
                                        "room"};

struct writer {
    struct buf *out;
    bool bold;
    bool closed; /* the last thing written was the end of bold */
    bool blank;  /* nothing but blanks on this line so far */
};

/* The last character written; a line feed before the first. */
static int32_t
last(const struct writer *writer)
{
    size_t len = writer->out->len;

    return len == 0 ? '\n' : unicode_before(writer->out->data, len);
}

static void
add_guard(struct writer *writer)
{
    buf_add(writer->out, guard, 3);
}

static void
end_bold(struct writer *writer)
{
    if (!writer->bold) {
        return;
    }
    if (unicode_is_blank(last(writer))) {
        add_guard(writer);
    }
    buf_add_text(writer->out, "**");
    writer->bold = false;
    writer->closed = true;
}

static void
begin_bold(struct writer *writer, int32_t first)
{
    if (writer->bold) {
        return;
    }
    if (unicode_is_word(last(writer)) || last(writer) == '*') {
        add_guard(writer);
    }
    buf_add_text(writer->out, "**");
    if (unicode_is_blank(first)) {
        add_guard(writer);
    }
    writer->bold = true;
    writer->closed = false;
    writer->blank = false;
}

/* Would this character, plain text, be more where it stands? */
static bool
acts(const struct writer *writer, int32_t codepoint)
{
    if (codepoint == '*') {
        return last(writer) == '*';
    }
    return (codepoint == '>' && writer->blank) ||
           (writer->closed && unicode_is_word(codepoint));
}

/* Does what follows an "@" ping everybody? */
static bool
pings(const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof everybody / sizeof everybody[0]; i++) {
        size_t at = 0;
        while (at < len && everybody[i][at] != '\0' &&
               ascii_lower(text[at]) == everybody[i][at]) {
            at++;
        }
        if (everybody[i][at] == '\0') {
            return true;
        }
    }
    return false;
}

static void
write_text(struct writer *writer, const char *text, size_t len, bool bold)
{
    for (size_t at = 0; at < len;) {
        int32_t codepoint = unicode_at(text, at, len);
        size_t next = at + 1;

        while (next < len && ((unsigned char)text[next] & 0xC0) == 0x80) {
            next++;
        }
        if (bold && codepoint != '*') {
            begin_bold(writer, codepoint);
        } else {
            end_bold(writer);
        }
        if (acts(writer, codepoint)) {
            add_guard(writer);
        }
        buf_add(writer->out, text + at, next - at);
        if (codepoint == '@' && pings(text + next, len - next)) {
            add_guard(writer);
        }
        writer->closed = false;
        writer->blank =
            codepoint == '\n' || (writer->blank && ascii_is_blank(text[at]));
        at = next;
    }
}

/* Append what this dialect can express: bold, quoted, nothing else. */
static void
add_expressible(const struct rich *rich, struct rich *expressible)
{
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        unsigned marks = run->marks & (MARK_QUOTED | MARK_BOLD);

        if ((run->marks & (MARK_CODE | MARK_STRUCK | MARK_SPOILER)) != 0) {
            marks &= ~(unsigned)MARK_BOLD;
        }
        rich_add(expressible, rich_run_text(rich, run), run->len, marks);
    }
}

static void
write_plain(const struct rich *rich, struct buf *out)
{
    struct rich expressible = {.count = 0};
    struct rich lines = {.count = 0};
    struct writer writer = {.out = out, .blank = true};

    add_expressible(rich, &expressible);
    quotes_part(&expressible, &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const struct run *run = &lines.runs[i];

        if (quotes_begin(&lines, i)) {
            if (last(&writer) != '\n') {
                buf_add_char(out, '\n');
            }
            buf_add_text(out, "> ");
            writer.blank = false;
        }
        write_text(&writer, rich_run_text(&lines, run), run->len,
                   (run->marks & MARK_BOLD) != 0);
    }
    end_bold(&writer);
    rich_wipe(&expressible);
    rich_wipe(&lines);
}

const struct dialect dialect_plain = {
    .name = "plain",
    .read = read_plain,
    .write = write_plain,
    .bold_example = "**%s**",
    .bold_names = true,
};
