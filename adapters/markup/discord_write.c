#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/discord.h"
#include "adapters/markup/writer.h"

enum {
    MARKS_OF_TAGS = MARK_SPOILER | MARK_STRUCK | MARK_BOLD | MARK_CODE,
};

/* What stands on the line so far, besides blanks (writer->state). */
enum line {
    LINE_BLANK,
    LINE_NUMBER, /* nothing but digits */
    LINE_BEGUN,
};

/* ---- marks --------------------------------------------------------------- */

/* Write a sign so that it does not merge with the text before it. */
static void
add_sign(struct writer *writer, const char *sign)
{
    if (writer_last(writer) == sign[0]) {
        buf_add_text(writer->out, WRITER_GUARD);
    }
    buf_add_text(writer->out, sign);
}

/* One backtick, or two around code that has some itself; a fence around lines
 * of it. */
static const char *
ticks_for(const struct writer *writer)
{
    const struct rich *rich = writer->rich;
    unsigned marks = rich->runs[writer->index].marks & MARKS_OF_TAGS;
    size_t feeds = 0;
    size_t len = 0;
    bool ticks = false;

    for (size_t i = writer->index; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        if ((run->marks & MARKS_OF_TAGS) != marks) {
            break;
        }
        for (size_t at = 0; at < run->len; at++) {
            feeds += text[at] == '\n';
            ticks = ticks || text[at] == '`';
        }
        len += run->len;
    }
    if (feeds > 0 && feeds < len) {
        return "```";
    }
    return ticks ? "``" : "`";
}

static void
open_tag(struct writer *writer, const struct tag *tag)
{
    if (tag->mark != MARK_CODE) {
        add_sign(writer, tag->open);
        return;
    }
    writer->code = ticks_for(writer);
    add_sign(writer, writer->code);
    buf_add_text(writer->out, strlen(writer->code) == 3 ? "\n" : "");
}

static void
close_tag(struct writer *writer, const struct tag *tag)
{
    add_sign(writer, tag->mark == MARK_CODE ? writer->code : tag->close);
}

/* ---- text ---------------------------------------------------------------- */

/* Nothing can be escaped in code: would this byte complete a closing mark? */
static bool
ends_something(const struct writer *writer, char byte)
{
    if (byte == '`') {
        return writer_last(writer) == '`';
    }
    for (const struct tag *tag = writer->tags->list; tag->mark != 0; tag++) {
        if ((writer->open & tag->mark) != 0 && byte == tag->close[0]) {
            return writer_last(writer) == byte;
        }
    }
    return false;
}

/* Would this byte act where it stands? */
static bool
acts(const struct writer *writer, const char *text, size_t len)
{
    switch (text[0]) {
    case '\\':
    case '*':
    case '_':
    case '~':
    case '|':
    case '`':
    case '<':
    case '[':
        return true;
    case '#':
    case '-':
    case '>':
        return writer->state == LINE_BLANK;
    case '.':
        return writer->state == LINE_NUMBER;
    case ':':
        return writer_begins(text, len, "://");
    default:
        return false;
    }
}

/* Does what follows an "@" ping people? */
static bool
pings(const struct writer *writer, const char *text, size_t len)
{
    return writer_begins(text, len, "everyone") ||
           writer_begins(text, len, "here") || writer_last(writer) == '<';
}

static unsigned
line_after(unsigned line, char byte)
{
    if (byte == '\n') {
        return LINE_BLANK;
    }
    if (ascii_is_blank(byte) && line == LINE_BLANK) {
        return LINE_BLANK;
    }
    return ascii_is_digit(byte) && line != LINE_BEGUN ? LINE_NUMBER
                                                      : LINE_BEGUN;
}

static void
write_text(struct writer *writer, const char *text, size_t len)
{
    bool code = (writer->open & MARK_CODE) != 0;

    for (size_t i = 0; i < len; i++) {
        bool ping = text[i] == '@' && pings(writer, text + i + 1, len - i - 1);
        if (code && ends_something(writer, text[i])) {
            buf_add_text(writer->out, WRITER_GUARD);
        }
        if (!code && acts(writer, text + i, len - i)) {
            buf_add_char(writer->out, '\\');
        }
        buf_add_char(writer->out, text[i]);
        if (ping) {
            buf_add_text(writer->out, WRITER_GUARD);
        }
        writer->state = line_after(writer->state, text[i]);
    }
}

/* Does a mark begin between a run and the next one? */
static bool
begins_mark(const struct rich *rich, const struct run *run)
{
    const struct run *next = run + 1;

    return next < rich->runs + rich->count &&
           (next->marks & ~run->marks & MARKS_OF_TAGS) != 0;
}

/* An address as it stands, or in angle brackets if its end could be taken for
 * text, or what follows for its end. */
static void
write_address(struct writer *writer, const struct run *run)
{
    const char *text = rich_run_text(writer->rich, run);
    const char *end = buf_text(&writer->rich->text) + writer->rich->text.len;
    const char *next = text + run->len;
    bool angled = strchr(".,:;\"')]", next[-1]) != NULL ||
                  (next < end && !ascii_is_blank(*next) && *next != '\n') ||
                  begins_mark(writer->rich, run);

    buf_add_text(writer->out, angled ? "<" : "");
    buf_add(writer->out, text, run->len);
    buf_add_text(writer->out, angled ? ">" : "");
    writer->state = LINE_BEGUN;
}

/* The time in each reader's own zone, and how far away it is; or the time of
 * day. */
static void
write_time(struct writer *writer, const struct run *run)
{
    const char *second = rich_run_id(writer->rich, run);
    int len = (int)run->id_len;

    if ((run->marks & MARK_CLOCK) != 0) {
        buf_addf(writer->out, "<t:%.*s:t>", len, second);
    } else {
        buf_addf(writer->out, "<t:%.*s:f> (<t:%.*s:R>)", len, second, len,
                 second);
    }
    writer->state = LINE_BEGUN;
}

static void
write_run(struct writer *writer, const struct run *run)
{
    if ((run->marks & MARK_TIME) != 0) {
        write_time(writer, run);
    } else if ((run->marks & MARK_ADDRESS) != 0) {
        write_address(writer, run);
    } else if ((run->marks & MARK_MENTION) == 0) {
        write_text(writer, rich_run_text(writer->rich, run), run->len);
    } else {
        buf_add_text(writer->out, "<@");
        buf_add(writer->out, rich_run_id(writer->rich, run), run->id_len);
        buf_add_char(writer->out, '>');
        writer->state = LINE_BEGUN;
    }
}

/* ---- the dialect --------------------------------------------------------- */

/* Is it an address from end to end, as it would be read?  It must not contain
 * anything that could end an open mark. */
static bool
is_address(const char *text, size_t len, unsigned marks)
{
    const char *ends = (marks & MARKS_OF_TAGS) == 0 ? "<>" : "<>*_~|`";
    size_t scheme = writer_begins(text, len, "http://")    ? 7
                    : writer_begins(text, len, "https://") ? 8
                                                           : len;
    size_t end = scheme;

    while (end < len && (unsigned char)text[end] > ' ' &&
           (unsigned char)text[end] < 0x7F && strchr(ends, text[end]) == NULL) {
        end++;
    }
    return end == len && len >= scheme + 2;
}

static bool
is_user(const char *id, size_t len)
{
    size_t digits = 0;

    while (digits < len && ascii_is_digit(id[digits])) {
        digits++;
    }
    return len > 0 && len <= DISCORD_ID_MAX && digits == len;
}

/* Code is the innermost: nothing in it is a mark. */
static const struct tags discord = {
    .list = {{MARK_SPOILER, "||", "||"},
             {MARK_STRUCK, "~~", "~~"},
             {MARK_BOLD, "**", "**"},
             {MARK_CODE, "`", "`"}},
    .lines = true,
    .times = true,
    .bare = MARK_CODE | MARK_OBJECT,
    .is_user = is_user,
    .is_address = is_address,
    .open = open_tag,
    .close = close_tag,
    .write = write_run,
};

void
discord_write(const struct rich *rich, struct buf *out)
{
    writer_write(&discord, rich, out);
}
