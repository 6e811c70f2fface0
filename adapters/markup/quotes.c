#include "adapters/markup/quotes.h"

#include <string.h>

/* Line ends that wait until it is known what comes after them. */
struct lines {
    struct rich *out;
    struct rich feeds; /* not yet added */
    bool begun;        /* there is a line before */
    bool quoted;       /* and it is */
};

/* Quoted or unquoted text comes after the line feeds. */
static void
begin(struct lines *lines, bool quoted)
{
    bool parted = lines->quoted || quoted;

    if (lines->begun && lines->feeds.count == 0 && lines->quoted != quoted) {
        rich_add_text(lines->out, "\n", 0);
    } else if (parted) {
        rich_add(lines->out, lines->feeds.text.data, lines->feeds.text.len, 0);
    } else {
        rich_add_rich(lines->out, &lines->feeds);
    }
    rich_clear(&lines->feeds);
    lines->begun = true;
    lines->quoted = quoted;
}

static void
add_run(struct lines *lines, const struct rich *rich, const struct run *run)
{
    unsigned marks = run->marks & ~(unsigned)(MARK_MENTION | MARK_OBJECT);
    const char *text = rich_run_text(rich, run);
    const char *end = text + run->len;

    while (text < end) {
        const char *feed = memchr(text, '\n', (size_t)(end - text));
        const char *stop = feed == NULL ? end : feed;
        if (stop > text) {
            begin(lines, (marks & MARK_QUOTED) != 0);
            rich_add_mention_len(lines->out, rich_run_id(rich, run),
                                 run->id_len, text, (size_t)(stop - text),
                                 marks);
        }
        if (feed != NULL) {
            rich_add_text(&lines->feeds, "\n", marks & ~(unsigned)MARK_QUOTED);
            stop++;
        }
        text = stop;
    }
}

void
quotes_part(const struct rich *rich, struct rich *out)
{
    struct lines lines = {.out = out};

    for (size_t i = 0; i < rich->count; i++) {
        add_run(&lines, rich, &rich->runs[i]);
    }
    /* Line feeds at the end of the text are not part of a quote. */
    begin(&lines, lines.quoted && lines.feeds.count == 0);
    rich_wipe(&lines.feeds);
}

bool
quotes_begin(const struct rich *parted, size_t index)
{
    const struct run *run = &parted->runs[index];

    return (run->marks & MARK_QUOTED) != 0 &&
           (index == 0 || (run[-1].marks & MARK_QUOTED) == 0);
}
