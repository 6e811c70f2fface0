#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/bbcode.h"
#include "adapters/markup/writer.h"

enum {
    ID_MAX = 255 /* bytes of a user's id */
};

bool
bbcode_id_is_plain(const char *id, size_t len)
{
    if (len == 0 || len > ID_MAX) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (id[i] <= ' ' || id[i] > '~' || strchr("[]\"'\\", id[i]) != NULL) {
            return false;
        }
    }
    return true;
}

/* ---- tags ---------------------------------------------------------------- */

/* Can the code of this run stand between two backticks?  Not beside other
 * backticks: they would become one mark. */
static bool
fits_ticks(const struct writer *writer, const char *text, size_t len)
{
    return writer->tags->chat && memchr(text, '`', len) == NULL &&
           memchr(text, '\n', len) == NULL && writer_last(writer) != '`' &&
           !writer_has(writer, 1, MARK_CODE) &&
           !writer_has(writer, -1, MARK_CODE);
}

/* Does code stand within a line?  Where it is a box of its own, it is slanted
 * then instead. */
static bool
is_within_line(const struct writer *writer, const struct run *run)
{
    const char *text = rich_run_text(writer->rich, run);
    bool last = writer->index + 1 == writer->rich->count;
    unsigned next = last ? 0 : run[1].marks;

    return writer->tags->boxes && memchr(text, '\n', run->len) == NULL &&
           (writer_last(writer) != '\n' ||
            (!last && *rich_run_text(writer->rich, run + 1) != '\n') ||
            ((next ^ run->marks) & MARK_QUOTED) != 0);
}

static void
open_tag(struct writer *writer, const struct tag *tag)
{
    const struct run *run = &writer->rich->runs[writer->index];
    const char *opening = tag->open;

    if (tag->mark == MARK_CODE) {
        bool ticked =
            fits_ticks(writer, rich_run_text(writer->rich, run), run->len);
        bool slanted = is_within_line(writer, run);

        opening = ticked ? "`" : slanted ? "[i]" : opening;
        writer->code = ticked ? "`" : slanted ? "[/i]" : NULL;
    }
    buf_add_text(writer->out, opening);
    if (tag->mark == MARK_MENTION) {
        buf_add(writer->out, writer->id, writer->id_len);
        buf_add_char(writer->out, ']');
    }
}

/* ---- text ---------------------------------------------------------------- */

/* Would the first byte of this text act as a mark where it stands? */
static bool
acts(const struct writer *writer, const char *text, size_t len)
{
    char byte = text[0];
    char before = writer_last(writer);

    if ((writer->open & MARK_CODE) != 0) {
        return before == '[' &&
               (writer->code == NULL || *writer->code != '`') &&
               writer_begins(text, len, "/code]");
    }
    if (before == '[' &&
        (ascii_is_letter(byte) || strchr("/*-", byte) != NULL)) {
        return true;
    }
    return writer->tags->chat &&
           (byte == '`' || (byte == '>' && writer->blank) ||
            (byte == before && strchr("*~|", byte) != NULL));
}

/* In slanted text an empty pair of tags after each "[" keeps it from being one,
 * and is nothing to who copies it. */
static void
write_text(struct writer *writer, const struct run *run)
{
    const char *text = rich_run_text(writer->rich, run);
    bool code = (writer->open & MARK_CODE) != 0;
    bool slanted = code && writer->code != NULL && *writer->code == '[';

    for (size_t i = 0; i < run->len;) {
        size_t sign =
            code ? 0 : writer_add_sign(writer, text + i, run->len - i);

        if (sign == 0) {
            if (acts(writer, text + i, run->len - i)) {
                buf_add_text(writer->out, WRITER_GUARD);
            }
            buf_add_char(writer->out, text[i]);
            if (slanted && text[i] == '[') {
                buf_add_text(writer->out, "[i][/i]");
            }
            sign = 1;
        }
        writer->blank =
            text[i] == '\n' || (writer->blank && ascii_is_blank(text[i]));
        i += sign;
    }
}

/* ---- the dialects -------------------------------------------------------- */

static const struct tags bbcode = {
    .list = {{MARK_QUOTED, "[quote]", "[/quote]"},
             {MARK_SPOILER, "[spoiler]", "[/spoiler]"},
             {MARK_STRUCK, "[s]", "[/s]"},
             {MARK_BOLD, "[b]", "[/b]"},
             {MARK_RED, "[color=red]", "[/color]"},
             {MARK_CODE, "[code]", "[/code]"}},
    .escapes = true,
    .open = open_tag,
    .write = write_text,
};

static const struct tags board = {
    .list = {{MARK_QUOTED, "[quote]", "[/quote]"},
             {MARK_SPOILER, "[spoiler]", "[/spoiler]"},
             {MARK_STRUCK, "[s]", "[/s]"},
             {MARK_BOLD, "[b]", "[/b]"},
             {MARK_RED, "[color=red]", "[/color]"},
             {MARK_MENTION, "[mention=", "[/mention]"},
             {MARK_CODE, "[code]", "[/code]"}},
    .chat = true,
    .escapes = true,
    .is_user = bbcode_id_is_plain,
    .open = open_tag,
    .write = write_text,
};

/* phpBB shows emoji as pictures that another host has: where the host draws
 * with them, letters in colour stand in their place. */
static const char *const phpbb_signs[] = {
    "\U0001F7E5", "[color=#D02020]\u25A0[/color]", /* red square */
    "\U0001F7E6", "[color=#2060D0]\u25A0[/color]", /* blue */
    "\U0001F7E7", "[color=#E07000]\u25A0[/color]", /* orange */
    "\U0001F7E8", "[color=#D0B000]\u25A0[/color]", /* yellow */
    "\U0001F7E9", "[color=#208020]\u25A0[/color]", /* green */
    "\U0001F7EA", "[color=#8030C0]\u25A0[/color]", /* purple */
    "\U0001F7EB", "[color=#804020]\u25A0[/color]", /* brown */
    "\u2B1B",     "\u25A0",                        /* black */
    "\u2B1C",     "\u25A1",                        /* white */
    "\u2705",     "\u2713",                        /* a tick */
    NULL,
};

/* What a board has until an administrator makes more
 * (phpbb/textformatter/s9e/factory.php); its code is a box. */
static const struct tags phpbb = {
    .list = {{MARK_QUOTED, "[quote]", "[/quote]"},
             {MARK_BOLD, "[b]", "[/b]"},
             {MARK_RED, "[color=red]", "[/color]"},
             {MARK_CODE, "[code]", "[/code]"}},
    .escapes = true,
    .boxes = true,
    .signs = phpbb_signs,
    .open = open_tag,
    .write = write_text,
};

void
bbcode_write(const struct rich *rich, struct buf *out)
{
    writer_write(&bbcode, rich, out);
}

void
bbcode_write_board(const struct rich *rich, struct buf *out)
{
    writer_write(&board, rich, out);
}

void
bbcode_write_phpbb(const struct rich *rich, struct buf *out)
{
    writer_write(&phpbb, rich, out);
}
