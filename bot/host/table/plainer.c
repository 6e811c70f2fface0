#include "bot/host/table/plainer.h"

#include <string.h>
#include <utf8proc.h>

/* Is a character an emoji, a square in place of one, or does it only join or
 * colour one? */
static bool
is_emoji(int32_t point)
{
    return (point >= 0x1F000 && point <= 0x1FAFF) ||
           (point >= 0x25A0 && point <= 0x27BF) ||
           (point >= 0x2B00 && point <= 0x2BFF) || point == 0xFE0F ||
           point == 0x200D || point == 0xFFFC;
}

/* How many bytes from here on are a link: up to the next blank. */
static size_t
link_len(const char *text, size_t len)
{
    static const char *const schemes[] = {"https://", "http://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t start = strlen(schemes[i]);
        if (len > start && strncmp(text, schemes[i], start) == 0) {
            size_t end = start;
            while (end < len && strchr(" \n\t", text[end]) == NULL) {
                end++;
            }
            return end;
        }
    }
    return 0;
}

/* Append a run's text without emoji and links. */
static void
add_plain(const char *text, size_t len, unsigned marks, struct rich *out)
{
    while (len > 0) {
        int32_t point = 0;
        utf8proc_ssize_t width = utf8proc_iterate(
            (const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &point);
        size_t step = width > 0 ? (size_t)width : 1;
        size_t link = link_len(text, len);
        if (link > 0) {
            step = link;
        } else if (!is_emoji(point)) {
            rich_add(out, text, step, marks);
        }
        text += step;
        len -= step;
    }
}

static void
make_plain(const struct dialect *dialect, const char *text, struct rich *out)
{
    struct rich rich = {.count = 0};
    bool unread = false;
    dialect->read(text, strlen(text), &rich, &unread);
    for (size_t i = 0; i < rich.count; i++) {
        const struct run *run = &rich.runs[i];
        const char *at = rich_run_text(&rich, run);
        if ((run->marks & MARK_MENTION) != 0) {
            rich_add_mention_len(out, rich_run_id(&rich, run), run->id_len, at,
                                 run->len, run->marks & ~MARK_MENTION);
        } else {
            add_plain(at, run->len,
                      run->marks & ~(unsigned)(MARK_OBJECT | MARK_TIME), out);
        }
    }
    rich_wipe(&rich);
}

void
plainer_text(const struct dialect *dialect, const char *text, struct buf *out)
{
    struct rich plain = {.count = 0};
    make_plain(dialect, text, &plain);
    dialect->write(&plain, out);
    rich_wipe(&plain);
}

/* Where the line from `at` on ends; *blank: there is nothing on it. */
static size_t
end_of_line(const struct buf *text, size_t at, bool *blank)
{
    *blank = true;
    while (at < text->len && text->data[at] != '\n') {
        *blank = *blank && strchr(" \t", text->data[at]) != NULL;
        at++;
    }
    return at;
}

bool
plainer_line(const struct dialect *dialect, const char *text, unsigned number,
             struct buf *out, bool *more)
{
    static const struct measure longest = {.longest = 150,
                                           .unit = LENGTH_POINTS};
    struct rich plain = {.count = 0};
    struct rich line = {.count = 0};
    unsigned lines = 0;
    make_plain(dialect, text, &plain);
    for (size_t at = 0; at < plain.text.len;) {
        bool blank = true;
        size_t end = end_of_line(&plain.text, at, &blank);
        size_t next = end + 1;
        if (!blank) {
            size_t cut = rich_piece(&plain, at, dialect, &longest, &next);
            next = cut < end ? next : end + 1;
            end = cut < end ? cut : end;
        }
        if (!blank && lines++ == number) {
            rich_add_part(&line, &plain, at, end - at);
        }
        at = next;
    }
    *more = lines > number + 1;
    dialect->write(&line, out);
    rich_wipe(&plain);
    rich_wipe(&line);
    return lines > number;
}
