#include "adapters/markup/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/html/html_effect.h"
#include "adapters/markup/html/html_elements.h"
#include "adapters/markup/html/html_tokens.h"
#include "bot/base/err.h"

enum {
    NONE = -1,
    TWINS_MAX = 3, /* open formatting elements that are the same */
};

/* How text looks. */
struct look {
    unsigned marks;
    bool hidden, pre;
    size_t id, id_len;
};

/* An open element, and what it makes of the look around it. */
struct open {
    const struct html_element *element;
    struct html_span name;
    struct html_effect effect;
    struct look look;
    unsigned serial;
    bool again;   /* opened again behind a block */
    size_t shown; /* how much text stood before it */
};

/* A formatting element that no tag has closed: open, or to be opened again
 * before the next text. */
struct formatting {
    const struct html_element *element;
    struct html_effect effect;
    unsigned serial;
    unsigned cells; /* how many it stands in */
};

struct reader {
    const char *body;
    size_t len, at;
    bool matrix;
    const char *bold_classes;
    struct rich *out;
    struct html_attributes attributes; /* of the tag that is read */
    struct buf ids;                    /* of all mentions */
    struct buf text;                   /* since the last tag */
    struct buf decoded;
    struct open open[RICH_DEPTH_MAX];
    int depth;
    struct formatting formatting[RICH_DEPTH_MAX];
    int formattings;
    unsigned cells; /* open elements that formatting does not pass */
    unsigned serial;
    bool too_deep;
    bool blank_done;     /* white space is not shown here */
    bool line_ended;     /* before the next text */
    unsigned line_marks; /* those all of the line's end has */
    bool skip_feed;      /* the line feed behind <pre> */
};

/* ---- showing ------------------------------------------------------------- */

static struct look
look_now(const struct reader *reader)
{
    if (reader->depth == 0) {
        return (struct look){.marks = 0};
    }
    return reader->open[reader->depth - 1].look;
}

static struct look
look_inside(struct look look, const struct html_effect *effect)
{
    look.marks = (look.marks & ~effect->clear) | effect->set;
    look.hidden = look.hidden || effect->hidden;
    look.pre = look.pre || effect->pre;
    if (effect->id_len > 0) {
        look.id = effect->id;
        look.id_len = effect->id_len;
    }
    return look;
}

/* The line ends here, before whatever comes next. */
static void
end_line(struct reader *reader)
{
    struct look look = look_now(reader);

    if (look.hidden) {
        return;
    }
    reader->line_marks =
        reader->line_ended ? reader->line_marks & look.marks : look.marks;
    reader->line_ended = true;
    reader->blank_done = true;
}

static void
begin_line(struct reader *reader)
{
    if (reader->line_ended) {
        rich_end_line(reader->out, reader->line_marks);
    }
    reader->line_ended = false;
}

/* Show the text since the last tag. */
static void
flush(struct reader *reader)
{
    struct look look = look_now(reader);

    if (reader->text.len == 0) {
        return;
    }
    begin_line(reader);
    rich_add_mention_len(reader->out, buf_text(&reader->ids) + look.id,
                         look.id_len, reader->text.data, reader->text.len,
                         look.marks);
    buf_clear(&reader->text);
}

/* Show something that is not text. */
static void
show_object(struct reader *reader, struct look look)
{
    if (look.hidden) {
        return;
    }
    begin_line(reader);
    rich_add_object(reader->out, look.marks);
    reader->blank_done = false;
}

static void
show_feed(struct reader *reader)
{
    struct look look = look_now(reader);

    if (look.hidden) {
        return;
    }
    begin_line(reader);
    rich_add_text(reader->out, "\n", look.marks);
    reader->blank_done = true;
}

/* Add characters in the current look. */
static void
take_characters(struct reader *reader, const char *text, size_t len)
{
    struct look look = look_now(reader);

    for (size_t i = 0; i < len && !look.hidden; i++) {
        bool space = html_is_space(text[i]) && !look.pre;
        if (space && reader->blank_done) {
            continue;
        }
        bool feed = text[i] == '\n' || text[i] == '\r';
        if (space && feed) {
            buf_add_char(&reader->text, ' ');
        } else {
            buf_add_char(&reader->text, text[i]);
        }
        reader->blank_done = space;
    }
}

/* ---- elements that are open ---------------------------------------------- */

static bool
is_special(const struct open *open)
{
    return open->element->kind >= HTML_BLOCK;
}

/* Does it keep tags inside from ending elements outside? */
static bool
encloses(const struct open *open)
{
    enum html_kind kind = open->element->kind;

    return kind == HTML_ENCLOSED || kind == HTML_TABLE || kind == HTML_CELL;
}

/* Does the formatting inside end with it? */
static bool
keeps_formatting(const struct html_element *element)
{
    return element->kind == HTML_ENCLOSED || element->kind == HTML_CELL;
}

static bool
same_name(struct html_span one, struct html_span other)
{
    size_t at = 0;

    while (at < one.len && at < other.len &&
           ascii_lower(one.text[at]) == ascii_lower(other.text[at])) {
        at++;
    }
    return at == one.len && at == other.len;
}

static bool
is_element(const struct open *open, const struct html_element *element,
           struct html_span name)
{
    return open->element == element &&
           (element->name != NULL || same_name(open->name, name));
}

/* Where the element with this serial number is open. */
static int
find_open(const struct reader *reader, unsigned serial)
{
    int at = reader->depth - 1;

    while (at >= 0 && reader->open[at].serial != serial) {
        at--;
    }
    return at;
}

/* Is the formatting element listed here one of the innermost cell? */
static bool
is_of_cell(const struct reader *reader, int at)
{
    return at >= 0 && reader->formatting[at].cells == reader->cells;
}

/* The last formatting element of this kind in the innermost cell. */
static int
find_formatting(const struct reader *reader, const struct html_element *element)
{
    int at = reader->formattings - 1;

    while (is_of_cell(reader, at) &&
           reader->formatting[at].element != element) {
        at--;
    }
    return is_of_cell(reader, at) ? at : NONE;
}

static bool
is_listed(const struct reader *reader, unsigned serial)
{
    int at = reader->formattings - 1;

    while (at >= 0 && reader->formatting[at].serial != serial) {
        at--;
    }
    return at >= 0;
}

static void
drop_formatting(struct reader *reader, int at)
{
    reader->formattings--;
    memmove(&reader->formatting[at], &reader->formatting[at + 1],
            (size_t)(reader->formattings - at) * sizeof reader->formatting[0]);
}

static void
add_formatting(struct reader *reader, const struct open *open)
{
    if (reader->formattings == RICH_DEPTH_MAX) {
        reader->too_deep = true;
        return;
    }
    reader->formatting[reader->formattings++] =
        (struct formatting){.element = open->element,
                            .effect = open->effect,
                            .serial = open->serial,
                            .cells = reader->cells};
}

static bool
same_effect(const struct html_effect *one, const struct html_effect *other)
{
    return one->set == other->set && one->clear == other->clear &&
           one->hidden == other->hidden && one->pre == other->pre &&
           one->id_len == 0 && other->id_len == 0;
}

/* The standard keeps only the last three of the same formatting elements, so
 * that one left open in every paragraph does not nest ever deeper. */
static void
drop_twins(struct reader *reader, const struct open *open)
{
    int twins = 0;

    for (int at = reader->formattings - 1; is_of_cell(reader, at); at--) {
        const struct formatting *other = &reader->formatting[at];
        if (other->element == open->element &&
            same_effect(&other->effect, &open->effect) &&
            ++twins == TWINS_MAX) {
            drop_formatting(reader, at);
            return;
        }
    }
}

static void
push(struct reader *reader, const struct open *opening)
{
    struct look outside = look_now(reader);

    if (reader->depth == RICH_DEPTH_MAX) {
        reader->too_deep = true;
        return;
    }
    if ((opening->element->flags & HTML_LINES) != 0) {
        end_line(reader);
    }
    if (opening->effect.hidden && !opening->again) {
        show_object(reader, outside);
    }
    struct open *open = &reader->open[reader->depth++];
    *open = *opening;
    open->look = look_inside(outside, &open->effect);
    open->shown = reader->out->text.len;
    reader->cells += keeps_formatting(open->element) ? 1U : 0U;
}

/* Before an element ends: even an empty region separates the text on its two
 * sides. */
static void
part(struct reader *reader, const struct open *open)
{
    if ((open->effect.set & MARKS_EXCLUDED) != 0 && !open->again &&
        open->shown == reader->out->text.len) {
        show_object(reader, open->look);
    }
}

static void
pop(struct reader *reader)
{
    struct open *open = &reader->open[reader->depth - 1];

    part(reader, open);
    reader->depth--;
    if ((open->element->flags & HTML_LINES) != 0) {
        end_line(reader);
    }
    if (keeps_formatting(open->element)) {
        while (is_of_cell(reader, reader->formattings - 1)) {
            reader->formattings--;
        }
        reader->cells--;
    }
}

static void
pop_to(struct reader *reader, int depth)
{
    while (reader->depth > depth) {
        pop(reader);
    }
}

/* Remove an element; those open inside it stay open. */
static void
take_out(struct reader *reader, int at)
{
    part(reader, &reader->open[at]);
    reader->depth--;
    memmove(&reader->open[at], &reader->open[at + 1],
            (size_t)(reader->depth - at) * sizeof reader->open[0]);
    for (int i = at; i < reader->depth; i++) {
        struct look outside =
            i > 0 ? reader->open[i - 1].look : (struct look){.marks = 0};
        reader->open[i].look = look_inside(outside, &reader->open[i].effect);
    }
}

/* Open again the formatting that blocks have ended but no tag has closed. */
static void
reopen(struct reader *reader)
{
    int from = reader->formattings;

    while (is_of_cell(reader, from - 1) &&
           find_open(reader, reader->formatting[from - 1].serial) < 0) {
        from--;
    }
    for (int at = from; at < reader->formattings; at++) {
        const struct formatting *formatting = &reader->formatting[at];
        struct open open = {.element = formatting->element,
                            .effect = formatting->effect,
                            .serial = formatting->serial,
                            .again = true};
        push(reader, &open);
    }
}

/* ---- tags ---------------------------------------------------------------- */

/* Where the element that a closing tag ends is open; none if an element that
 * shields it from the tag is open inside. */
static int
find_in_scope(const struct reader *reader, const struct html_element *element,
              struct html_span name)
{
    enum html_kind kind = element->kind;

    for (int at = reader->depth - 1; at >= 0; at--) {
        const struct open *open = &reader->open[at];
        bool heading =
            kind == HTML_HEADING && open->element->kind == HTML_HEADING;
        if (heading || is_element(open, element, name)) {
            return at;
        }
        /* A table's parts end whatever is open in its cells. */
        bool passes = kind >= HTML_TABLE && open->element->kind == HTML_CELL;
        if ((encloses(open) && !passes) ||
            (kind == HTML_ITEM && open->element->kind == HTML_LIST)) {
            return NONE;
        }
    }
    return NONE;
}

/* An inline element's closing tag does not reach beyond a block. */
static void
close_inline(struct reader *reader, const struct html_element *element,
             struct html_span name)
{
    for (int at = reader->depth - 1; at >= 0; at--) {
        if (is_element(&reader->open[at], element, name)) {
            pop_to(reader, at);
            return;
        }
        if (is_special(&reader->open[at])) {
            return;
        }
    }
}

/*
 * The closing tag of a formatting element ("adoption agency algorithm"): inline
 * elements that are open inside end, and the formatting ones among them are
 * opened again; blocks that are open inside stay open, without it.
 */
static void
close_formatting(struct reader *reader, const struct html_element *element,
                 struct html_span name)
{
    int listed = find_formatting(reader, element);
    int top = reader->depth - 1;

    bool twin = top >= 0 && reader->open[top].element == element &&
                !is_listed(reader, reader->open[top].serial);
    if (listed < 0 || twin) {
        close_inline(reader, element, name);
        return;
    }
    int from = find_open(reader, reader->formatting[listed].serial);
    if (from < 0) {
        drop_formatting(reader, listed);
        return;
    }
    int last = from;
    for (int at = from + 1; at < reader->depth; at++) {
        if (encloses(&reader->open[at])) {
            return;
        }
        last = is_special(&reader->open[at]) ? at : last;
    }
    drop_formatting(reader, listed);
    if (last == from) {
        pop_to(reader, from);
        return;
    }
    pop_to(reader, last + 1);
    for (int at = last - 1; at >= from; at--) {
        const struct open *open = &reader->open[at];
        if (!is_special(open) && !is_listed(reader, open->serial)) {
            take_out(reader, at);
        }
    }
}

static void
close_element(struct reader *reader, const struct html_element *element,
              struct html_span name)
{
    switch (element->kind) {
    case HTML_FORMATTING:
    case HTML_ANCHOR:
        close_formatting(reader, element, name);
        return;
    case HTML_INLINE:
    case HTML_FOREIGN:
        close_inline(reader, element, name);
        return;
    case HTML_VOID:
        if ((element->flags & HTML_FEED) != 0) {
            show_feed(reader);
        }
        return;
    case HTML_RAW:
    case HTML_IGNORED:
        return;
    case HTML_BLOCK:
    case HTML_LIST:
    case HTML_ITEM:
    case HTML_TERM:
    case HTML_PARAGRAPH:
    case HTML_HEADING:
    case HTML_ENCLOSED:
    case HTML_TABLE:
    case HTML_SECTION:
    case HTML_ROW:
    case HTML_CELL:
        break;
    }
    int at = find_in_scope(reader, element, name);
    if (at >= 0) {
        pop_to(reader, at);
    } else if (element->kind == HTML_PARAGRAPH) {
        end_line(reader);
    }
}

/* The next item of a list ends the one before it. */
static void
end_item(struct reader *reader, enum html_kind kind)
{
    for (int at = reader->depth - 1; at >= 0; at--) {
        const struct open *open = &reader->open[at];
        if (open->element->kind == kind) {
            pop_to(reader, at);
            return;
        }
        if (is_special(open) && (open->element->flags & HTML_PASSED) == 0) {
            return;
        }
    }
}

static void
end_paragraph(struct reader *reader)
{
    for (int at = reader->depth - 1; at >= 0; at--) {
        const struct open *open = &reader->open[at];
        if (open->element->kind == HTML_PARAGRAPH) {
            pop_to(reader, at);
            return;
        }
        if (encloses(open)) {
            return;
        }
    }
}

/* End everything up to the parent of a part of a table; false: there is no
 * table. */
static bool
end_table_parts(struct reader *reader, enum html_kind kind)
{
    for (int at = reader->depth - 1; at >= 0; at--) {
        enum html_kind other = reader->open[at].element->kind;
        if (other >= HTML_TABLE && other < kind) {
            pop_to(reader, at + 1);
            return true;
        }
        if (other == HTML_ENCLOSED) {
            return false;
        }
    }
    return false;
}

/* A link ends one that is still open. */
static void
end_anchor(struct reader *reader, const struct html_element *element,
           struct html_span name)
{
    int listed = find_formatting(reader, element);

    if (listed < 0) {
        return;
    }
    unsigned serial = reader->formatting[listed].serial;
    close_formatting(reader, element, name);
    int at = find_open(reader, serial);
    if (is_listed(reader, serial)) {
        drop_formatting(reader, listed);
    }
    if (at >= 0) {
        take_out(reader, at);
    }
}

/* End the elements that can't be open around the one that begins; false: its
 * tag means nothing here. */
static bool
end_others(struct reader *reader, const struct html_element *element,
           struct html_span name)
{
    enum html_kind kind = element->kind;

    if (kind == HTML_ITEM || kind == HTML_TERM) {
        end_item(reader, kind);
    }
    if ((element->flags & HTML_ENDS_P) != 0) {
        end_paragraph(reader);
    }
    if (kind == HTML_HEADING && reader->depth > 0 &&
        reader->open[reader->depth - 1].element->kind == HTML_HEADING) {
        pop(reader);
    }
    if (kind == HTML_ANCHOR) {
        end_anchor(reader, element, name);
    }
    if (kind > HTML_TABLE && !end_table_parts(reader, kind)) {
        end_line(reader);
        return false;
    }
    if (kind < HTML_BLOCK || kind == HTML_ENCLOSED) {
        reopen(reader);
    }
    return kind != HTML_IGNORED;
}

static void
show_void(struct reader *reader, const struct html_element *element,
          const struct html_effect *effect)
{
    const struct buf *alt = &reader->attributes.values[HTML_ALT];

    if ((element->flags & HTML_FEED) != 0) {
        show_feed(reader);
    } else if ((element->flags & HTML_LINES) != 0) {
        end_line(reader);
    } else if ((element->flags & HTML_OBJECT) == 0) {
        return;
    } else if (html_is_emoji(&reader->attributes) && !effect->hidden) {
        take_characters(reader, buf_text(alt), alt->len);
        flush(reader);
    } else {
        show_object(reader, look_now(reader));
    }
}

/* An element in which nothing is a tag: its closing tag comes next. */
static void
show_raw(struct reader *reader, const struct open *opening)
{
    const char *text = reader->body + reader->at;
    size_t len = html_raw_len(text, reader->len - reader->at, opening->name);

    reader->at += len;
    push(reader, opening);
    if (!reader->too_deep) {
        take_characters(reader, text, len);
        flush(reader);
        pop(reader);
    }
}

static void
open_element(struct reader *reader, const struct html_element *element,
             const struct html_tag *tag)
{
    html_attributes_read(&reader->attributes, tag);
    struct open opening = {
        .element = element,
        .name = tag->name,
        .effect = html_effect_of(element, &reader->attributes, reader->matrix,
                                 reader->bold_classes, &reader->ids),
        .serial = ++reader->serial,
    };
    if (element->kind == HTML_VOID) {
        show_void(reader, element, &opening.effect);
        return;
    }
    if (element->kind == HTML_RAW) {
        show_raw(reader, &opening);
        return;
    }
    push(reader, &opening);
    if (element->kind == HTML_FORMATTING || element->kind == HTML_ANCHOR) {
        drop_twins(reader, &opening);
        add_formatting(reader, &opening);
    }
    if (element->kind == HTML_FOREIGN && tag->self_closing &&
        !reader->too_deep) {
        pop(reader);
    }
    reader->skip_feed = (element->flags & HTML_PRE) != 0;
}

/* ---- the post ------------------------------------------------------------ */

static void
read_tag(struct reader *reader, const struct html_tag *tag)
{
    const struct html_element *element = html_element_find(tag->name);

    reader->at += tag->len;
    if (tag->closing) {
        close_element(reader, element, tag->name);
    } else if (end_others(reader, element, tag->name)) {
        open_element(reader, element, tag);
    }
}

/* Read a tag or comment that begins with "<"; false: it is text. */
static bool
read_markup(struct reader *reader)
{
    const char *text = reader->body + reader->at;
    size_t len = reader->len - reader->at;
    size_t comment = html_comment_len(text, len);
    struct html_tag tag;

    if (html_read_tag(text, len, &tag)) {
        flush(reader);
        reader->skip_feed = false;
        read_tag(reader, &tag);
        return true;
    }
    size_t letter = len > 1 && text[1] == '/' ? 2 : 1;
    if (comment == 0 && (len <= letter || !ascii_is_letter(text[letter]))) {
        return false;
    }
    /* A tag without an end, and everything after it, is not shown. */
    flush(reader);
    reader->skip_feed = false;
    reader->at += comment > 0 ? comment : len;
    return true;
}

static void
read_text(struct reader *reader)
{
    const char *text = reader->body + reader->at;
    size_t left = reader->len - reader->at;
    const char *end = memchr(text + 1, '<', left - 1);
    size_t len = end == NULL ? left : (size_t)(end - text);
    size_t from = 0;

    reader->at += len;
    buf_clear(&reader->decoded);
    html_add_decoded(&reader->decoded, (struct html_span){text, len}, false);
    if (reader->skip_feed) {
        from += reader->decoded.data[from] == '\r' ? 1U : 0U;
        from += reader->decoded.data[from] == '\n' ? 1U : 0U;
    }
    reader->skip_feed = false;
    reopen(reader);
    take_characters(reader, reader->decoded.data + from,
                    reader->decoded.len - from);
}

static void
reader_free(struct reader *reader)
{
    html_attributes_release(&reader->attributes);
    buf_release(&reader->ids);
    buf_release(&reader->text);
    buf_release(&reader->decoded);
    free(reader);
}

static void
read_body(const char *body, size_t len, bool matrix, const char *bold_classes,
          struct rich *out, bool *unread)
{
    rich_clear(out);
    *unread = len > POST_MAX || (len > 0 && memchr(body, '\0', len) != NULL);
    if (*unread) {
        return;
    }
    struct reader *reader = must_alloc(sizeof *reader);
    reader->body = body;
    reader->len = len;
    reader->matrix = matrix;
    reader->bold_classes = bold_classes;
    reader->out = out;
    reader->blank_done = true;
    while (!reader->too_deep && reader->at < len) {
        if (body[reader->at] != '<' || !read_markup(reader)) {
            read_text(reader);
        }
    }
    flush(reader);
    *unread = reader->too_deep;
    if (*unread) {
        rich_clear(out);
    }
    reader_free(reader);
}

void
html_read(const char *body, size_t len, const char *bold_classes,
          struct rich *out, bool *unread)
{
    read_body(body, len, false, bold_classes, out, unread);
}

static void
read_html(const char *body, size_t len, struct rich *out, bool *unread)
{
    html_read(body, len, "", out, unread);
}

static void
read_matrix(const char *body, size_t len, struct rich *out, bool *unread)
{
    read_body(body, len, true, "", out, unread);
}

const struct dialect dialect_html = {
    .name = "html",
    .read = read_html,
    .write = html_write,
    .bold_example = "<b>%s</b>",
    .red_example = "<b><font color=\"red\">%s</font></b>",
};

/* Element has Markdown for what people type, and no colour. */
const struct dialect dialect_matrix = {
    .name = "matrix",
    .read = read_matrix,
    .write = matrix_write,
    .bold_example = "**%s**",
    .red_example = NULL,
    .mention_names = true,
};
