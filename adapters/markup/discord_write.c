#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/discord.h"
#include "adapters/markup/nesting.h"
#include "adapters/markup/quotes.h"

/* Code is the innermost: nothing in it is a mark. */
static const struct nesting_level levels[] = {
    {MARK_SPOILER, "||", "||"},
    {MARK_STRUCK, "~~", "~~"},
    {MARK_BOLD, "**", "**"},
    {MARK_CODE, "`", "`"},
    {0},
};

enum {
    MARKS_OF_LEVELS = MARK_SPOILER | MARK_STRUCK | MARK_BOLD | MARK_CODE,
};

static const char guard[] = "\xE2\x80\x8B"; /* U+200B */

/* What stands on the line so far. */
enum line {
    LINE_BLANK,
    LINE_NUMBER, /* nothing but digits */
    LINE_BEGUN,
};

struct writer {
    const struct rich *rich;
    struct buf *out;
    struct nesting nesting;
    const char *ticks; /* around the code that is open */
    enum line line;
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

/* ---- marks --------------------------------------------------------------- */

/* Write a sign so that it does not merge with the text before it. */
static void
add_sign(struct writer *writer, const char *sign)
{
    if (last_byte(writer) == sign[0]) {
        buf_add(writer->out, guard, 3);
    }
    buf_add_text(writer->out, sign);
}

/* One backtick, or two around code that has some itself; a fence around lines
 * of it. */
static const char *
ticks_for(const struct writer *writer, size_t index)
{
    const struct rich *rich = writer->rich;
    unsigned marks = rich->runs[index].marks & MARKS_OF_LEVELS;
    size_t feeds = 0;
    size_t len = 0;
    bool ticks = false;

    for (size_t i = index; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        if ((run->marks & MARKS_OF_LEVELS) != marks) {
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
close_marks(struct writer *writer, const struct run *next, unsigned want)
{
    const struct nesting_level *level = NULL;

    while ((level = nesting_close(&writer->nesting, next, want)) != NULL) {
        add_sign(writer,
                 level->mark == MARK_CODE ? writer->ticks : level->close);
    }
}

/* From the marks of the run before to those of this one. */
static void
change_marks(struct writer *writer, size_t index)
{
    const struct run *run = &writer->rich->runs[index];
    const struct nesting_level *level = NULL;

    close_marks(writer, run, run->marks);
    while ((level = nesting_open(&writer->nesting, run, run->marks)) != NULL) {
        if (level->mark != MARK_CODE) {
            add_sign(writer, level->open);
            continue;
        }
        writer->ticks = ticks_for(writer, index);
        add_sign(writer, writer->ticks);
        buf_add_text(writer->out,
                     strcmp(writer->ticks, "```") == 0 ? "\n" : "");
    }
}

/* ---- text ---------------------------------------------------------------- */

static bool
begins(const char *text, size_t len, const char *with)
{
    size_t i = 0;

    while (i < len && with[i] != '\0' && ascii_lower(text[i]) == with[i]) {
        i++;
    }
    return with[i] == '\0';
}

/* Nothing can be escaped in code: would this byte complete a closing mark? */
static bool
ends_something(const struct writer *writer, char byte)
{
    if (byte == '`') {
        return last_byte(writer) == '`';
    }
    for (const struct nesting_level *level = levels; level->mark != 0;
         level++) {
        if ((writer->nesting.open & level->mark) != 0 &&
            byte == level->close[0]) {
            return last_byte(writer) == byte;
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
        return writer->line == LINE_BLANK;
    case '.':
        return writer->line == LINE_NUMBER;
    case ':':
        return begins(text, len, "://");
    default:
        return false;
    }
}

/* Does what follows an "@" ping people? */
static bool
pings(const struct writer *writer, const char *text, size_t len)
{
    return begins(text, len, "everyone") || begins(text, len, "here") ||
           last_byte(writer) == '<';
}

static enum line
line_after(enum line line, char byte)
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
    bool code = (writer->nesting.open & MARK_CODE) != 0;

    for (size_t i = 0; i < len; i++) {
        bool ping = text[i] == '@' && pings(writer, text + i + 1, len - i - 1);
        if (code && ends_something(writer, text[i])) {
            buf_add(writer->out, guard, 3);
        }
        if (!code && acts(writer, text + i, len - i)) {
            buf_add_char(writer->out, '\\');
        }
        buf_add_char(writer->out, text[i]);
        if (ping) {
            buf_add(writer->out, guard, 3);
        }
        writer->line = line_after(writer->line, text[i]);
    }
}

/* Does a mark begin between a run and the next one? */
static bool
begins_mark(const struct rich *rich, const struct run *run)
{
    const struct run *next = run + 1;

    return next < rich->runs + rich->count &&
           (next->marks & ~run->marks & MARKS_OF_LEVELS) != 0;
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
    writer->line = LINE_BEGUN;
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
    writer->line = LINE_BEGUN;
}

static void
write_run(struct writer *writer, size_t index)
{
    const struct run *run = &writer->rich->runs[index];

    if (quotes_begin(writer->rich, index)) {
        if (last_byte(writer) != '\n') {
            buf_add_char(writer->out, '\n');
        }
        buf_add_text(writer->out, "> ");
        writer->line = LINE_BLANK;
    }
    change_marks(writer, index);
    if ((run->marks & MARK_TIME) != 0) {
        write_time(writer, run);
        return;
    }
    if ((run->marks & MARK_ADDRESS) != 0) {
        write_address(writer, run);
        return;
    }
    if ((run->marks & MARK_MENTION) == 0) {
        write_text(writer, rich_run_text(writer->rich, run), run->len);
        return;
    }
    buf_add_text(writer->out, "<@");
    buf_add(writer->out, rich_run_id(writer->rich, run), run->id_len);
    buf_add_char(writer->out, '>');
    writer->line = LINE_BEGUN;
}

/* ---- the post ------------------------------------------------------------ */

/* Is it an address from end to end, as it would be read?  It must not contain
 * anything that could end an open mark. */
static bool
is_address(const char *text, size_t len, unsigned marks)
{
    const char *ends = (marks & MARKS_OF_LEVELS) == 0 ? "<>" : "<>*_~|`";
    size_t scheme = begins(text, len, "http://")    ? 7
                    : begins(text, len, "https://") ? 8
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

/* Append what this dialect can express: no colour; mentions of this service's
 * users and addresses, but not in code. */
static void
add_expressible(const struct rich *rich, struct rich *expressible)
{
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *id = rich_run_id(rich, run);
        bool mention = (run->marks & (MARK_CODE | MARK_OBJECT)) == 0 &&
                       is_user(id, run->id_len);
        bool time = mention && (run->marks & MARK_TIME) != 0;
        bool address =
            (run->marks & (MARK_ADDRESS | MARK_CODE)) == MARK_ADDRESS &&
            is_address(rich_run_text(rich, run), run->len, run->marks);
        unsigned marks = (run->marks & (MARKS_OF_LEVELS | MARK_QUOTED)) |
                         (time ? run->marks & (MARK_TIME | MARK_CLOCK) : 0) |
                         (address ? (unsigned)MARK_ADDRESS : 0);

        rich_add_mention_len(expressible, id, mention ? run->id_len : 0,
                             rich_run_text(rich, run), run->len, marks);
    }
}

void
discord_write(const struct rich *rich, struct buf *out)
{
    struct rich expressible = {.count = 0};
    struct rich lines = {.count = 0};

    add_expressible(rich, &expressible);
    quotes_part(&expressible, &lines);
    struct writer writer = {.rich = &lines,
                            .out = out,
                            .nesting = {.levels = levels, .rich = &lines},
                            .ticks = "`"};
    for (size_t i = 0; i < lines.count; i++) {
        write_run(&writer, i);
    }
    close_marks(&writer, NULL, 0);
    rich_wipe(&expressible);
    rich_wipe(&lines);
}
