/*
 * What of any text the dialects of a chat can express: by it their writers are
 * judged.  Whatever else is in a text, what is written of it is what is written
 * of this, and this is read back as it is.
 */
#ifndef TESTS_ADAPTERS_EXPRESSIBLE_H
#define TESTS_ADAPTERS_EXPRESSIBLE_H

#include <string.h>
#include <strings.h>

#include "adapters/markup/quotes.h"
#include "tests/adapters/rich_sane.h"

/* Some digits, not too many. */
static inline bool
is_snowflake(const char *id, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (strchr("0123456789", id[i]) == NULL) {
            return false;
        }
    }
    return len > 0 && len <= 20;
}

/* An address that can be written: it has nothing that ends it, nor a mark that
 * is open around it. */
static inline bool
is_link(const char *text, size_t len, unsigned marks)
{
    bool marked =
        (marks & (MARK_SPOILER | MARK_STRUCK | MARK_BOLD | MARK_CODE)) != 0;

    for (size_t i = 0; i < len; i++) {
        if (text[i] <= ' ' || text[i] > '~' ||
            strchr(marked ? "<>*_~|`" : "<>", text[i]) != NULL) {
            return false;
        }
    }
    return (marks & MARK_CODE) == 0 &&
           ((len > 8 && strncasecmp(text, "http://", 7) == 0) ||
            (len > 9 && strncasecmp(text, "https://", 8) == 0));
}

/* Discord: no colour, no mention but of its own users and outside code, whole
 * lines quoted; and of a mention only whom it is of. */
static inline void
expressible_discord(const struct rich *rich, struct rich *expressible)
{
    struct rich marked = {.count = 0};
    struct rich lines = {.count = 0};

    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *id = rich_run_id(rich, run);
        bool mention = (run->marks & (MARK_CODE | MARK_OBJECT)) == 0 &&
                       is_snowflake(id, run->id_len);
        const char *text = rich_run_text(rich, run);
        unsigned lost =
            MARK_RED | MARK_MENTION | MARK_OBJECT |
            (is_link(text, run->len, run->marks) ? 0 : MARK_ADDRESS);

        rich_add_mention_len(&marked, id, mention ? run->id_len : 0, text,
                             run->len, run->marks & ~lost);
    }
    quotes_part(&marked, &lines);
    for (size_t i = 0; i < lines.count; i++) {
        const struct run *run = &lines.runs[i];
        const char *id = rich_run_id(&lines, run);
        unsigned marks = run->marks & ~(unsigned)(MARK_MENTION | MARK_OBJECT);

        if ((run->marks & MARK_MENTION) == 0) {
            rich_add(expressible, rich_run_text(&lines, run), run->len, marks);
            continue;
        }
        rich_add_mention_len(expressible, id, run->id_len, "@", 1, marks);
        rich_add_mention_len(expressible, id, run->id_len, id, run->id_len,
                             marks);
    }
    rich_release(&marked);
    rich_release(&lines);
}

/* Plain text: whole lines quoted, and what is bold and counts, but no asterisk
 * in it. */
static inline void
expressible_plain(const struct rich *rich, struct rich *expressible)
{
    struct rich marked = {.count = 0};

    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        unsigned hidden = run->marks & (MARK_CODE | MARK_STRUCK | MARK_SPOILER);
        unsigned bold = hidden == 0 ? run->marks & MARK_BOLD : 0;
        size_t from = 0;

        while (from < run->len) {
            size_t len = 1;
            while (from + len < run->len && text[from] != '*' &&
                   text[from + len] != '*') {
                len++;
            }
            rich_add(&marked, text + from, len,
                     (run->marks & MARK_QUOTED) |
                         (text[from] == '*' ? 0 : bold));
            from += len;
        }
    }
    quotes_part(&marked, expressible);
    rich_release(&marked);
}

#endif
