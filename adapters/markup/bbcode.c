#include "adapters/markup/bbcode.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/markup/bbcode_pieces.h"
#include "adapters/markup/colour.h"

struct reader {
    const struct bbcode_post *post;
    struct rich *out;
    unsigned bold, quoted, struck, spoiler, code; /* open elements of each */
    bool line_quoted, rest_quoted;
    bool reds[RICH_DEPTH_MAX]; /* the open colours, the innermost last */
    size_t colours;
    size_t mentioned[RICH_DEPTH_MAX]; /* the pieces of the open mentions */
    size_t mentions;
    size_t depth;
};

static unsigned
marks_now(const struct reader *reader)
{
    unsigned marks = 0;

    marks |= reader->bold > 0 ? MARK_BOLD : 0U;
    marks |= reader->colours > 0 && reader->reds[reader->colours - 1] ? MARK_RED
                                                                      : 0U;
    marks |= reader->quoted > 0 || reader->line_quoted || reader->rest_quoted
                 ? MARK_QUOTED
                 : 0U;
    marks |= reader->struck > 0 ? MARK_STRUCK : 0U;
    marks |= reader->spoiler > 0 ? MARK_SPOILER : 0U;
    marks |= reader->code > 0 ? MARK_CODE : 0U;
    return marks;
}

static void
show(struct reader *reader, size_t from, size_t to)
{
    const struct bbcode_post *post = reader->post;
    const char *id = NULL;
    size_t id_len = 0;

    if (post->chat && reader->mentions > 0) {
        const struct piece *piece =
            &post->pieces[reader->mentioned[reader->mentions - 1]];
        id = post->body + piece->value;
        id_len =
            bbcode_id_is_plain(id, piece->value_len) ? piece->value_len : 0;
    }
    rich_add_mention_len(reader->out, id, id_len, post->body + from, to - from,
                         marks_now(reader));
}

/* The text between two pieces: a quoted line in it ends where the line does. */
static void
show_text(struct reader *reader, size_t from, size_t to)
{
    if (reader->line_quoted) {
        const char *text = reader->post->body + from;
        const char *feed = memchr(text, '\n', to - from);
        if (feed == NULL) {
            show(reader, from, to);
            return;
        }
        size_t end = from + (size_t)(feed - text);
        show(reader, from, end);
        reader->line_quoted = false;
        from = end;
    }
    if (to > from) {
        show(reader, from, to);
    }
}

/* Begin an element (`by` 1) or end it (-1). */
static void
apply(struct reader *reader, size_t opening, int by)
{
    const struct bbcode_post *post = reader->post;
    const struct piece *piece = &post->pieces[opening];

    switch (piece->effect) {
    case EFFECT_BOLD:
        reader->bold += (unsigned)by;
        break;
    case EFFECT_QUOTE:
        reader->quoted += (unsigned)by;
        break;
    case EFFECT_STRUCK:
        reader->struck += (unsigned)by;
        break;
    case EFFECT_SPOILER:
        reader->spoiler += (unsigned)by;
        break;
    case EFFECT_CODE:
        reader->code += (unsigned)by;
        break;
    case EFFECT_COLOUR:
        /* An invalid colour is not red: we can't tell what people see. */
        if (by > 0) {
            reader->reds[reader->colours] =
                colour_read(post->body + piece->value, piece->value_len,
                            true) == COLOUR_RED;
        }
        reader->colours += (size_t)by;
        break;
    case EFFECT_MENTION:
        if (by > 0) {
            reader->mentioned[reader->mentions] = opening;
        }
        reader->mentions += (size_t)by;
        break;
    case EFFECT_BLOCK:
        rich_end_line(reader->out, marks_now(reader));
        break;
    case EFFECT_NONE:
    case EFFECT_ITEM:
    case EFFECT_OBJECT:
        break;
    }
}

/* false: nested too deeply. */
static bool
begin(struct reader *reader, struct piece *pieces, size_t index)
{
    if (reader->depth == RICH_DEPTH_MAX) {
        return false;
    }
    reader->depth++;
    apply(reader, index, 1);
    pieces[index].shown = reader->out->text.len;
    return true;
}

static void
end(struct reader *reader, const struct piece *pieces, size_t index)
{
    const struct piece *opening = &pieces[pieces[index].partner];

    /* Even an empty region separates the text on its two sides. */
    if (effect_is_exclusion(opening->effect) &&
        opening->shown == reader->out->text.len) {
        rich_add_object(reader->out, marks_now(reader));
    }
    apply(reader, pieces[index].partner, -1);
    reader->depth--;
}

/* false: the post must not be read. */
static bool
read_piece(struct reader *reader, struct piece *pieces, size_t index)
{
    const struct piece *piece = &pieces[index];

    switch (piece->kind) {
    case PIECE_OPEN:
        return begin(reader, pieces, index);
    case PIECE_CLOSE:
        end(reader, pieces, index);
        break;
    case PIECE_BREAK:
        rich_end_line(reader->out, marks_now(reader));
        break;
    case PIECE_OBJECT:
        rich_add_object(reader->out, marks_now(reader));
        break;
    case PIECE_QUOTE_LINE:
        reader->line_quoted = true;
        break;
    case PIECE_QUOTE_REST:
        reader->rest_quoted = true;
        break;
    case PIECE_TEXT:
        break;
    }
    return true;
}

static bool
read_pieces(const struct bbcode_post *post, struct rich *out)
{
    struct reader reader = {.post = post, .out = out};
    size_t at = 0;

    for (size_t i = 0; i < post->count; i++) {
        const struct piece *piece = &post->pieces[i];
        if (piece->kind == PIECE_TEXT) {
            continue;
        }
        show_text(&reader, at, piece->at);
        if (!read_piece(&reader, post->pieces, i)) {
            return false;
        }
        at = piece->at + piece->len;
    }
    show_text(&reader, at, post->len);
    return true;
}

static void
read_body(const char *body, size_t len, bool chat, struct rich *out,
          bool *unread)
{
    struct bbcode_post post = {.body = body, .len = len, .chat = chat};

    rich_clear(out);
    *unread = len > POST_MAX || (len > 0 && memchr(body, '\0', len) != NULL);
    if (*unread || len == 0) {
        return;
    }
    bbcode_scan(&post);
    if (!read_pieces(&post, out)) {
        *unread = true;
        rich_clear(out);
    }
    free(post.pieces);
}

static void
read_bbcode(const char *body, size_t len, struct rich *out, bool *unread)
{
    read_body(body, len, false, out, unread);
}

static void
read_board(const char *body, size_t len, struct rich *out, bool *unread)
{
    read_body(body, len, true, out, unread);
}

const struct dialect dialect_bbcode = {
    .name = "bbcode",
    .read = read_bbcode,
    .write = bbcode_write,
    .bold_example = "[b]%s[/b]",
    .red_example = "[b][color=red]%s[/color][/b]",
};

const struct dialect dialect_phpbb = {
    .name = "bbcode",
    .read = read_bbcode,
    .write = bbcode_write_phpbb,
    .bold_example = "[b]%s[/b]",
    .red_example = "[b][color=red]%s[/color][/b]",
};

const struct dialect dialect_board = {
    .name = "board",
    .read = read_board,
    .write = bbcode_write_board,
    .bold_example = "**%s**",
    .red_example = "[b][color=red]%s[/color][/b]",
};
