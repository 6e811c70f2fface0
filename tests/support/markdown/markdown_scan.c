#include <md4c.h>
#include <stdint.h>
#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/html/html_effect.h"
#include "adapters/markup/html/html_tokens.h"
#include "adapters/markup/markdown.h"
#include "bot/base/err.h"
#include "tests/support/markdown/markdown_pieces.h"
#include "tests/support/markdown/markdown_reader.h"

enum {
    ROOM_FIRST = 64,
    NAME_MAX_LEN = 7,      /* bytes of the longest name below */
    TAG_MAX = 1024,        /* bytes of a tag: a longer one is text */
    TYPES_OF_BLOCKS = 256, /* before them are those of spans */
    MARKS_OF_REGIONS = MARK_QUOTED | MARK_CODE | MARK_STRUCK | MARK_SPOILER,
};

/* What opens and closes outside of CommonMark and HTML. */
enum sign {
    SIGN_B,
    SIGN_CODE,
    SIGN_TILDES, /* no tag */
    SIGN_CHAT,
    SIGN_DETAILS,
    SIGN_QUOTE,
    SIGN_S,
    SIGN_SPOILER,
    SIGN_COUNT
};

static const struct {
    const char *name;
    unsigned marks;
} signs[SIGN_COUNT] = {
    [SIGN_B] = {"b", MARK_BOLD},
    [SIGN_CODE] = {"code", MARK_CODE},
    [SIGN_TILDES] = {"~~", MARK_STRUCK},
    [SIGN_CHAT] = {"chat", MARK_QUOTED},
    [SIGN_DETAILS] = {"details", MARK_SPOILER},
    [SIGN_QUOTE] = {"quote", MARK_QUOTED},
    [SIGN_S] = {"s", MARK_STRUCK},
    [SIGN_SPOILER] = {"spoiler", MARK_SPOILER},
};

struct scanner {
    const char *source;
    size_t len;
    size_t taken; /* the source up to here has been made pieces */
    struct pieces *pieces;
    /* The innermost pieces that are open, plus 1: of md4c, of each sign, of
     * HTML. */
    size_t nest;
    size_t open[SIGN_COUNT];
    size_t tags;
    unsigned tag_count;
    size_t linked;     /* bytes of addresses and titles */
    unsigned pictures; /* whose descriptions we are in */
    bool feed;         /* a line of code has ended: of the block, if its last */
    bool lost;         /* the post is not to be read */
    struct buf html;   /* of md4c, not yet made pieces */
    struct html_attributes attributes;
};

/* ---- pieces -------------------------------------------------------------- */

static struct piece *
piece_of(const struct scanner *scanner, size_t open)
{
    return &scanner->pieces->all[open - 1];
}

static struct piece *
add_piece(struct scanner *scanner, enum piece_kind kind, size_t at, size_t len)
{
    struct pieces *pieces = scanner->pieces;

    if (pieces->count == pieces->room) {
        pieces->room = pieces->room == 0 ? ROOM_FIRST : 2 * pieces->room;
        pieces->all =
            must_grow(pieces->all, pieces->room * sizeof pieces->all[0]);
    }
    struct piece *piece = &pieces->all[pieces->count++];
    *piece = (struct piece){.kind = kind, .at = at, .len = len};
    return piece;
}

/* Add a piece that does not stand in the source. */
static struct piece *
add_mark(struct scanner *scanner, enum piece_kind kind)
{
    return add_piece(scanner, kind, 0, 0);
}

/* The piece just added is the innermost of those open. */
static void
push(struct scanner *scanner, size_t *innermost, unsigned marks)
{
    struct piece *piece = piece_of(scanner, scanner->pieces->count);

    piece->marks = marks;
    piece->below = *innermost;
    *innermost = scanner->pieces->count;
}

/* Close the innermost of those open. */
static void
pop(struct scanner *scanner, size_t *innermost)
{
    struct piece *opening = piece_of(scanner, *innermost);
    size_t partner = *innermost - 1;

    opening->kind = PIECE_OPEN;
    *innermost = opening->below;
    add_mark(scanner, PIECE_CLOSE)->partner = partner;
}

/* ---- tags of HTML -------------------------------------------------------- */

/* Where the innermost open tag of this element is noted. */
static size_t *
find_tag(struct scanner *scanner, const struct html_element *element)
{
    size_t *tag = &scanner->tags;

    while (*tag > 0 && piece_of(scanner, *tag)->element != element) {
        tag = &piece_of(scanner, *tag)->below;
    }
    return tag;
}

static unsigned
marks_of_tag(struct scanner *scanner, const struct html_element *element,
             const struct html_tag *tag)
{
    struct buf ids = BUF_INIT;

    html_attributes_read(&scanner->attributes, tag);
    struct html_effect effect =
        html_effect_of(element, &scanner->attributes, false, "", &ids);
    buf_release(&ids);
    unsigned bold = element->marks & MARK_BOLD;
    return (effect.set & (MARKS_OF_REGIONS | bold)) |
           (effect.hidden ? MARK_SPOILER : 0U);
}

static void
open_tag(struct scanner *scanner, const struct html_tag *tag)
{
    const struct html_element *element = html_element_find(tag->name);
    unsigned marks = marks_of_tag(scanner, element, tag);

    if (html_is(tag->name, "br")) {
        add_mark(scanner, PIECE_FEED);
    }
    if ((element->flags & HTML_LINES) != 0) {
        add_mark(scanner, PIECE_EDGE);
    }
    if ((element->flags & HTML_OBJECT) != 0) {
        add_mark(scanner, PIECE_OBJECT);
    }
    /* One that marks nothing matters where another of its name is open. */
    if (element->kind == HTML_VOID ||
        (marks == 0 && *find_tag(scanner, element) == 0)) {
        return;
    }
    scanner->lost = scanner->lost || scanner->tag_count == RICH_DEPTH_MAX;
    if (!scanner->lost) {
        scanner->tag_count++;
        add_mark(scanner, PIECE_OPEN)->element = element;
        push(scanner, &scanner->tags, marks);
    }
}

/* A closing tag belongs to the nearest open one of its name, wherever that
 * is. */
static void
close_tag(struct scanner *scanner, const struct html_tag *tag)
{
    const struct html_element *element = html_element_find(tag->name);
    size_t *open = find_tag(scanner, element);

    if (*open == 0 || element->name == NULL) {
        return;
    }
    scanner->tag_count--;
    pop(scanner, open);
    if ((element->flags & HTML_LINES) != 0) {
        add_mark(scanner, PIECE_EDGE);
    }
}

static bool
begins_tag(const char *text)
{
    return text[0] == '<' && ascii_is_letter(text[text[1] == '/' ? 2 : 1]);
}

/* The tag or comment, or the byte that is none, at the beginning of a text;
 * returns its length. */
static size_t
scan_tag(struct scanner *scanner, const char *text, size_t len)
{
    struct html_tag tag;
    size_t comment = html_comment_len(text, len);

    if (comment > 0) {
        return comment;
    }
    if (html_read_tag(text, len, &tag)) {
        if (tag.closing) {
            close_tag(scanner, &tag);
        } else {
            open_tag(scanner, &tag);
        }
        return tag.len;
    }
    if (begins_tag(text)) {
        /* Nobody knows how much of the post a tag without end hides. */
        add_mark(scanner, PIECE_OPEN)->marks = MARK_SPOILER;
        return len;
    }
    return 1;
}

/* Make pieces of the tags that md4c has handed over; text between them is
 * nothing. */
static void
scan_html(struct scanner *scanner)
{
    const char *text = buf_text(&scanner->html);
    size_t len = scanner->html.len;
    size_t at = 0;

    while (at < len) {
        at += scan_tag(scanner, text + at, len - at);
    }
    buf_clear(&scanner->html);
}

/* ---- tags in brackets, tildes, mentions ---------------------------------- */

/* Take a stretch of the source: what stands before it is text. */
static void
take(struct scanner *scanner, size_t at, size_t len)
{
    if (at > scanner->taken) {
        add_piece(scanner, PIECE_TEXT, scanner->taken, at - scanner->taken);
    }
    scanner->taken = at + len;
}

static enum sign
find_sign(const char *text, size_t len)
{
    char name[NAME_MAX_LEN + 1] = "";
    unsigned sign = 0;

    for (size_t i = 0; i < len && i < NAME_MAX_LEN; i++) {
        name[i] = ascii_lower(text[i]);
    }
    while (sign < SIGN_COUNT &&
           (len > NAME_MAX_LEN || strcmp(signs[sign].name, name) != 0)) {
        sign++;
    }
    return (enum sign)sign;
}

/* Does it stand inside one text, and mean nothing unless it is closed there?
 * Others mark regions, which go on to the end of the post. */
static bool
is_inline(enum sign sign)
{
    return sign == SIGN_B || sign == SIGN_S || sign == SIGN_TILDES;
}

/* The "]" of an opening tag of which the name ends at `at`; 0: it is none. */
static size_t
tag_end(const struct scanner *scanner, enum sign sign, size_t at)
{
    const char *source = scanner->source;
    size_t limit = at + TAG_MAX;

    /* Inline tags have no attributes; one without a name is no chat's. */
    if (source[at] == ']') {
        return sign == SIGN_CHAT ? 0 : at;
    }
    if (is_inline(sign) || (source[at] != '=' && !ascii_is_blank(source[at]))) {
        return 0;
    }
    while (at < limit && source[at] != ']' && source[at] != '\n') {
        at++;
    }
    return source[at] == ']' ? at : 0;
}

/* Open with a sign; what is inline is text until it is closed. */
static void
open_sign(struct scanner *scanner, enum sign sign, size_t at, size_t len)
{
    take(scanner, at, len);
    add_piece(scanner, is_inline(sign) ? PIECE_TEXT : PIECE_OPEN, at, len);
    push(scanner, &scanner->open[sign], signs[sign].marks);
}

static void
close_sign(struct scanner *scanner, enum sign sign, size_t at, size_t len)
{
    take(scanner, at, len);
    pop(scanner, &scanner->open[sign]);
}

/* A "[": a tag, or text. */
static void
scan_bracket(struct scanner *scanner, size_t at)
{
    const char *source = scanner->source;
    bool closing = source[at + 1] == '/';
    size_t name = closing ? at + 2 : at + 1;
    size_t end = name;

    while (ascii_is_letter(source[end])) {
        end++;
    }
    enum sign sign = find_sign(source + name, end - name);
    bool code = scanner->open[SIGN_CODE] > 0;
    if (sign == SIGN_COUNT || (code && (sign != SIGN_CODE || !closing))) {
        return;
    }
    if (!closing) {
        end = tag_end(scanner, sign, end);
        if (end > 0) {
            open_sign(scanner, sign, at, end + 1 - at);
        }
    } else if (source[end] == ']' && scanner->open[sign] > 0) {
        close_sign(scanner, sign, at, end + 1 - at);
    }
}

/* Two tildes and more open before what is no blank, and close behind it, as
 * asterisks do.  Returns how many there are. */
static size_t
scan_tildes(struct scanner *scanner, size_t at)
{
    const char *source = scanner->source;
    size_t len = strspn(source + at, "~");

    if (len < 2) {
        return len;
    }
    enum markdown_class before = markdown_class_before(source, at);
    enum markdown_class behind =
        markdown_class_at(source + at + len, scanner->len - at - len);
    bool closes = before != MARKDOWN_SPACE &&
                  (before != MARKDOWN_PUNCTUATION || behind != MARKDOWN_LETTER);
    bool opens = behind != MARKDOWN_SPACE &&
                 (behind != MARKDOWN_PUNCTUATION || before != MARKDOWN_LETTER);
    if (closes && scanner->open[SIGN_TILDES] > 0) {
        close_sign(scanner, SIGN_TILDES, at, len);
    } else if (opens) {
        open_sign(scanner, SIGN_TILDES, at, len);
    }
    return len;
}

/* An "@" in a text that ends at `end`: a mention, if a name follows and what is
 * shown before it allows. */
static void
scan_mention(struct scanner *scanner, size_t at, size_t end)
{
    size_t len = markdown_name_len(scanner->source + at + 1, end - at - 1);

    if (len > 0) {
        take(scanner, at, 1 + len);
        add_piece(scanner, PIECE_MENTION, at, 1 + len);
    }
}

/* A stretch of the source in which md4c has found nothing. */
static void
scan_text(struct scanner *scanner, size_t at, size_t end)
{
    while (at < end) {
        size_t used = 1;
        switch (scanner->source[at]) {
        case '[':
            scan_bracket(scanner, at);
            break;
        case '~':
            used = scan_tildes(scanner, at);
            break;
        case '@':
            scan_mention(scanner, at, end);
            break;
        default:
            break;
        }
        at = at + used > scanner->taken ? at + used : scanner->taken;
    }
    if (end > scanner->taken) {
        take(scanner, end, 0);
    }
}

/* ---- what md4c calls ----------------------------------------------------- */

static void
enter(struct scanner *scanner, int type, unsigned marks)
{
    add_mark(scanner, PIECE_OPEN)->type = type;
    push(scanner, &scanner->nest, marks);
}

/* Give the post up: md4c ends the parsing on what is less than 0 alone. */
static int
lose(struct scanner *scanner)
{
    scanner->lost = true;
    return -1;
}

/* Where marks of links and of emphasis cross, md4c can end what it has not
 * begun. */
static int
leave(struct scanner *scanner, int type)
{
    size_t *b = &scanner->open[SIGN_B];

    if (scanner->nest == 0 || piece_of(scanner, scanner->nest)->type != type) {
        return lose(scanner);
    }
    /* `[b]` stays inside the mark it is in. */
    while (*b > scanner->nest) {
        *b = piece_of(scanner, *b)->below;
    }
    pop(scanner, &scanner->nest);
    return 0;
}

/* Inline signs do not reach beyond the text they are in. */
static void
end_leaf(struct scanner *scanner)
{
    scan_html(scanner);
    for (unsigned sign = 0; sign < SIGN_COUNT; sign++) {
        if (is_inline((enum sign)sign)) {
            scanner->open[sign] = 0;
        }
    }
}

static unsigned
marks_of_block(MD_BLOCKTYPE type)
{
    if (type == MD_BLOCK_QUOTE) {
        return MARK_QUOTED;
    }
    return type == MD_BLOCK_CODE ? MARK_CODE : 0;
}

static unsigned
marks_of_span(MD_SPANTYPE type)
{
    if (type == MD_SPAN_STRONG) {
        return MARK_BOLD;
    }
    return type == MD_SPAN_CODE ? MARK_CODE : 0;
}

static int
enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct scanner *scanner = data;

    (void)detail;
    end_leaf(scanner);
    add_mark(scanner, PIECE_EDGE);
    enter(scanner, TYPES_OF_BLOCKS + (int)type, marks_of_block(type));
    return 0;
}

static int
leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
    struct scanner *scanner = data;

    (void)detail;
    end_leaf(scanner);
    if (type == MD_BLOCK_HTML) {
        add_mark(scanner, PIECE_OBJECT);
    }
    scanner->feed = false;
    int lost = leave(scanner, TYPES_OF_BLOCKS + (int)type);
    add_mark(scanner, PIECE_EDGE);
    return lost;
}

/* A few bytes can be a link to many, as often as one likes. */
static int
count_link(struct scanner *scanner, const MD_ATTRIBUTE *address,
           const MD_ATTRIBUTE *title)
{
    scanner->linked += (size_t)address->size + title->size;
    return scanner->linked > MARKDOWN_LINKS_MAX ? lose(scanner) : 0;
}

/* Of a picture nothing is seen of what it says in its place. */
static int
enter_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct scanner *scanner = data;
    int lost = 0;

    scan_html(scanner);
    if (type == MD_SPAN_A) {
        const MD_SPAN_A_DETAIL *link = detail;
        lost = count_link(scanner, &link->href, &link->title);
    } else if (type == MD_SPAN_IMG) {
        const MD_SPAN_IMG_DETAIL *picture = detail;
        lost = count_link(scanner, &picture->src, &picture->title);
        scanner->pictures++;
    }
    if (scanner->pictures == 0) {
        enter(scanner, (int)type, marks_of_span(type));
    }
    return lost;
}

static int
leave_span(MD_SPANTYPE type, void *detail, void *data)
{
    struct scanner *scanner = data;

    (void)detail;
    scan_html(scanner);
    if (scanner->pictures == 0) {
        return leave(scanner, (int)type);
    }
    scanner->pictures -= type == MD_SPAN_IMG ? 1U : 0U;
    if (scanner->pictures == 0) {
        add_mark(scanner, PIECE_OBJECT);
    }
    return 0;
}

static bool
stands_in_source(const struct scanner *scanner, const char *text)
{
    uintptr_t from = (uintptr_t)scanner->source;

    return (uintptr_t)text >= from && (uintptr_t)text < from + scanner->len;
}

/* Is a text one in which nothing is more: an address between "<" and ">", or a
 * character behind its backslash, which come alone? */
static bool
is_verbatim(const struct scanner *scanner, size_t at, size_t end)
{
    if (at <= scanner->taken) {
        return false;
    }
    char before = scanner->source[at - 1];
    return before == '<' || (before == '\\' && end == at + 1);
}

/* Text of the source; what a tag has taken of it already is left out. */
static void
take_source(struct scanner *scanner, MD_TEXTTYPE type, size_t at, size_t end)
{
    bool verbatim = type != MD_TEXT_NORMAL || is_verbatim(scanner, at, end);

    at = at > scanner->taken ? at : scanner->taken;
    if (at >= end) {
        return;
    }
    scanner->taken = at;
    if (type == MD_TEXT_ENTITY) {
        take(scanner, at, end - at);
        add_piece(scanner, PIECE_REFERENCE, at, end - at);
    } else if (verbatim) {
        take(scanner, end, 0);
    } else {
        scan_text(scanner, at, end);
    }
}

static int
take_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *data)
{
    struct scanner *scanner = data;

    if (scanner->pictures > 0) {
        return 0;
    }
    if (type == MD_TEXT_HTML) {
        buf_add(&scanner->html, text, size);
        return 0;
    }
    scan_html(scanner);
    if (scanner->feed) {
        add_mark(scanner, PIECE_FEED);
    }
    scanner->feed = type == MD_TEXT_CODE && text[0] == '\n';
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) {
        add_mark(scanner, PIECE_FEED);
    } else if (stands_in_source(scanner, text)) {
        size_t at = (size_t)(text - scanner->source);
        take_source(scanner, type, at, at + size);
    } else if (!scanner->feed) {
        add_piece(scanner, PIECE_BLANKS, 0, size);
    }
    return 0;
}

bool
markdown_scan(const char *source, size_t len, struct pieces *pieces)
{
    static const MD_PARSER parser = {
        .enter_block = enter_block,
        .leave_block = leave_block,
        .enter_span = enter_span,
        .leave_span = leave_span,
        .text = take_text,
    };
    struct scanner scanner = {.source = source, .len = len, .pieces = pieces};

    if (md_parse(source, (MD_SIZE)len, &parser, &scanner) != 0 &&
        !scanner.lost) {
        die("out of memory");
    }
    buf_wipe(&scanner.html);
    html_attributes_release(&scanner.attributes);
    return !scanner.lost;
}
