#include "adapters/markup/markdown.h"

#include <string.h>

struct reader {
    const char *text;
    size_t len, at;
    unsigned marks; /* that are open, but for the quote of a line */
    bool quoted;    /* the line begins with "> " */
    struct rich *out;
};

static const char guard[] = "\xE2\x80\x8B"; /* U+200B */

/* Every mark that the writer knows but backticks and "> ". */
static const struct sign {
    const char *text;
    unsigned set, clear;
} signs[] = {
    {"[quote]", MARK_QUOTED, 0},      {"[/quote]", 0, MARK_QUOTED},
    {"[spoiler]", MARK_SPOILER, 0},   {"[/spoiler]", 0, MARK_SPOILER},
    {"<code>", MARK_CODE, 0},         {"</code>", 0, MARK_CODE},
    {"~~", MARK_STRUCK, MARK_STRUCK}, {"**", MARK_BOLD, MARK_BOLD},
};

static bool
follows(const struct reader *reader, const char *text)
{
    size_t len = strlen(text);

    return reader->len - reader->at >= len &&
           memcmp(reader->text + reader->at, text, len) == 0;
}

static unsigned
marks_now(const struct reader *reader)
{
    return reader->marks | (reader->quoted ? (unsigned)MARK_QUOTED : 0);
}

static void
take(struct reader *reader, size_t len)
{
    rich_add(reader->out, reader->text + reader->at, len, marks_now(reader));
    reader->at += len;
}

/* "**" and "~~" open and close in turn.  false: there is no mark here. */
static bool
take_sign(struct reader *reader)
{
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const struct sign *sign = &signs[i];
        if (follows(reader, sign->text)) {
            unsigned set = sign->set & ~(reader->marks & sign->clear);
            reader->marks = (reader->marks & ~sign->clear) | set;
            reader->at += strlen(sign->text);
            return true;
        }
    }
    return false;
}

static size_t
count_ticks(const struct reader *reader, size_t at)
{
    size_t ticks = 0;

    while (at + ticks < reader->len && reader->text[at + ticks] == '`') {
        ticks++;
    }
    return ticks;
}

/* Do blanks stand on both sides of this code for the backticks' sake?  Not if
 * it is nothing else. */
static bool
is_padded(const char *text, size_t len)
{
    size_t blanks = 0;

    while (blanks < len && text[blanks] == ' ') {
        blanks++;
    }
    return blanks > 0 && blanks < len && text[len - 1] == ' ';
}

/* Code between two runs of backticks of the same length; false: the second is
 * missing. */
static bool
take_ticked(struct reader *reader)
{
    size_t ticks = count_ticks(reader, reader->at);
    size_t from = reader->at + ticks;
    size_t end = from;
    size_t found = 0;

    while (end < reader->len && (found = count_ticks(reader, end)) != ticks) {
        end += found > 0 ? found : 1;
    }
    if (end == reader->len) {
        return false;
    }
    size_t pad = is_padded(reader->text + from, end - from) ? 1 : 0;
    rich_add(reader->out, reader->text + from + pad, end - from - 2 * pad,
             marks_now(reader) | MARK_CODE);
    reader->at = end + ticks;
    return true;
}

/* The end of a line is quoted if the next line is, too.  Behind a quote stands
 * an empty line that is not one of the text. */
static void
take_feed(struct reader *reader)
{
    bool quoted = reader->quoted;

    reader->at++;
    reader->quoted = quoted && follows(reader, "> ");
    rich_add_text(reader->out, "\n", marks_now(reader));
    reader->at += quoted && follows(reader, "\n") ? 1 : 0;
}

static bool
at_fence(const struct reader *reader)
{
    return follows(reader, "```\n") || follows(reader, "~~~\n");
}

/* Code between fences; false: there is no second one. */
static bool
take_fenced(struct reader *reader)
{
    struct reader end = *reader;
    size_t from = reader->at + sizeof("```\n") - 1;

    end.at = from;
    while (end.at < end.len &&
           !(end.text[end.at - 1] == '\n' && at_fence(&end) &&
             end.text[end.at] == reader->text[reader->at])) {
        end.at++;
    }
    if (end.at == end.len) {
        return false;
    }
    rich_add(reader->out, reader->text + from,
             end.at > from ? end.at - from - 1 : 0,
             marks_now(reader) | MARK_CODE);
    reader->at = end.at + sizeof("```") - 1;
    reader->at += reader->at + 1 == reader->len ? 1 : 0;
    return true;
}

static void
begin_line(struct reader *reader)
{
    reader->quoted = follows(reader, "> ");
    reader->at += reader->quoted ? 2 : 0;
}

static void
take_at(struct reader *reader)
{
    const char *text = reader->text + reader->at;
    size_t name = markdown_name_len(text + 1, reader->len - reader->at - 1);
    struct buf id = BUF_INIT;

    if (name == 0 || markdown_ends_in_letter(reader->text, reader->at)) {
        take(reader, 1);
        return;
    }
    markdown_add_id(&id, text + 1, name);
    rich_add_mention_len(reader->out, id.data, id.len, text, 1 + name,
                         marks_now(reader));
    reader->at += 1 + name;
    buf_release(&id);
}

/* How much is plain text from here on. */
static size_t
plain_len(const struct reader *reader)
{
    const char *text = reader->text + reader->at;
    size_t left = reader->len - reader->at;
    size_t len = 0;

    while (len < left && strchr("\n\\`[<*~@", text[len]) == NULL &&
           (left - len < 3 || memcmp(text + len, guard, 3) != 0)) {
        len++;
    }
    return len;
}

/* false: the writer writes no such thing. */
static bool
take_piece(struct reader *reader)
{
    size_t plain = plain_len(reader);

    if (plain > 0) {
        take(reader, plain);
        return true;
    }
    if (follows(reader, guard)) {
        reader->at += 3;
        return true;
    }
    if (at_fence(reader)) {
        return take_fenced(reader);
    }
    switch (reader->text[reader->at]) {
    case '\n':
        take_feed(reader);
        begin_line(reader);
        return true;
    case '\\':
        reader->at++;
        take(reader, reader->at < reader->len ? 1 : 0);
        return true;
    case '@':
        take_at(reader);
        return true;
    case '`':
        return take_ticked(reader);
    default:
        return take_sign(reader);
    }
}

/* Read what markdown_write has written; nothing else. */
static void
read_written(const char *body, size_t len, struct rich *out, bool *unread)
{
    struct reader reader = {.text = body, .len = len, .out = out};

    rich_clear(out);
    *unread = len > POST_MAX || (len > 0 && memchr(body, '\0', len) != NULL);
    if (!*unread && len > 0) {
        begin_line(&reader);
    }
    while (!*unread && reader.at < len) {
        *unread = !take_piece(&reader);
    }
    if (*unread) {
        rich_clear(out);
    }
}

const struct dialect dialect_markdown = {
    .name = "markdown",
    .read = read_written,
    .write = markdown_write,
    .bold_names = true,
    .mention_names = true,
    .bold_example = "**%s**",
    .red_example = NULL,
};

const struct dialect dialect_nodebb = {
    .name = "nodebb",
    .read = read_written,
    .write = markdown_write_nodebb,
    .bold_names = true,
    .mention_names = true,
    .bold_example = "**%s**",
    .red_example = NULL,
};
