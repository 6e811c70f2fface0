#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/bbcode_pieces.h"
#include "bot/base/err.h"

enum {
    ROOM_FIRST = 32,
    NAME_MAX_LEN = 10, /* bytes of the longest name below */
    TAG_MAX = 1024,    /* bytes of a tag: a longer one is text */
    FENCE = 3,         /* backticks */
};

static const struct tag {
    const char *name;
    enum effect effect;
} tags[] = {
    {"b", EFFECT_BOLD},           {"color", EFFECT_COLOUR},
    {"mention", EFFECT_MENTION},  {"quote", EFFECT_QUOTE},
    {"q", EFFECT_QUOTE},          {"s", EFFECT_STRUCK},
    {"strike", EFFECT_STRUCK},    {"del", EFFECT_STRUCK},
    {"-", EFFECT_STRUCK},         {"spoiler", EFFECT_SPOILER},
    {"ispoiler", EFFECT_SPOILER}, {"hide", EFFECT_SPOILER},
    {"code", EFFECT_CODE},        {"icode", EFFECT_CODE},
    {"php", EFFECT_CODE},         {"html", EFFECT_CODE},
    {"noparse", EFFECT_CODE},     {"plain", EFFECT_CODE},
    {"pre", EFFECT_CODE},         {"img", EFFECT_OBJECT},
    {"media", EFFECT_OBJECT},     {"youtube", EFFECT_OBJECT},
    {"video", EFFECT_OBJECT},     {"attach", EFFECT_OBJECT},
    {"*", EFFECT_ITEM},           {"li", EFFECT_BLOCK},
    {"list", EFFECT_BLOCK},       {"center", EFFECT_BLOCK},
    {"left", EFFECT_BLOCK},       {"right", EFFECT_BLOCK},
    {"justify", EFFECT_BLOCK},    {"align", EFFECT_BLOCK},
    {"indent", EFFECT_BLOCK},     {"table", EFFECT_BLOCK},
    {"tr", EFFECT_BLOCK},         {"td", EFFECT_BLOCK},
    {"th", EFFECT_BLOCK},         {"i", EFFECT_NONE},
    {"u", EFFECT_NONE},           {"size", EFFECT_NONE},
    {"font", EFFECT_NONE},        {"url", EFFECT_NONE},
    {"email", EFFECT_NONE},       {"sub", EFFECT_NONE},
    {"sup", EFFECT_NONE},         {"highlight", EFFECT_NONE},
    {"user", EFFECT_NONE},
};

enum {
    TAG_COUNT = sizeof tags / sizeof tags[0],
    TOGGLE_COUNT = 3,
};

/* The chat marks that open and close alike, doubled. */
static const struct toggle {
    char byte;
    enum effect effect;
} toggles[TOGGLE_COUNT] = {
    {'*', EFFECT_BOLD},
    {'~', EFFECT_STRUCK},
    {'|', EFFECT_SPOILER},
};

struct scanner {
    const char *body;
    size_t len, at;
    bool chat; /* the board's marks too */
    struct piece *pieces;
    size_t count, room;
    size_t open[TAG_COUNT];       /* the innermost piece of a name, plus 1 */
    size_t pending[TOGGLE_COUNT]; /* the opening mark, plus 1 */
    bool absent[TAG_COUNT];       /* no closing tag lies ahead */
    bool line_start;              /* nothing but blanks on this line so far */
    bool quoted_line;
};

static struct piece *
add_piece(struct scanner *scanner, enum piece_kind kind, enum effect effect,
          size_t at, size_t len)
{
    if (scanner->count == scanner->room) {
        scanner->room = scanner->room == 0 ? ROOM_FIRST : 2 * scanner->room;
        scanner->pieces = must_grow(scanner->pieces,
                                    scanner->room * sizeof scanner->pieces[0]);
    }
    struct piece *piece = &scanner->pieces[scanner->count++];
    *piece =
        (struct piece){.at = at, .len = len, .kind = kind, .effect = effect};
    return piece;
}

/* The byte at a place; a line feed beyond the end. */
static char
byte_at(const struct scanner *scanner, size_t at)
{
    if (at >= scanner->len) {
        return '\n';
    }
    return scanner->body[at];
}

/* Such regions begin even if nothing closes them: we can't tell where a reader
 * sees them end. */
bool
effect_is_exclusion(enum effect effect)
{
    return effect == EFFECT_QUOTE || effect == EFFECT_STRUCK ||
           effect == EFFECT_SPOILER || effect == EFFECT_CODE;
}

/* Chat marks don't cross the edge of a quote. */
static void
forget_pending(struct scanner *scanner)
{
    memset(scanner->pending, 0, sizeof scanner->pending);
}

/* Pair an opening and a closing piece as one element. */
static void
pair(struct scanner *scanner, size_t opening, struct piece *closing)
{
    scanner->pieces[opening].kind = PIECE_OPEN;
    closing->kind = PIECE_CLOSE;
    closing->effect = scanner->pieces[opening].effect;
    closing->partner = opening;
}

/* The name of the tag at a place, in lower case; returns its length. */
static size_t
read_name(const struct scanner *scanner, size_t at, char name[NAME_MAX_LEN + 1])
{
    size_t len = 0;
    char first = byte_at(scanner, at);

    if (first == '*' || first == '-') {
        name[len++] = first;
    } else {
        while (len < NAME_MAX_LEN &&
               ascii_is_letter(byte_at(scanner, at + len))) {
            name[len] = ascii_lower(byte_at(scanner, at + len));
            len++;
        }
    }
    name[len] = '\0';
    return len;
}

static size_t
find_tag(const char *name)
{
    size_t tag = 0;

    while (tag < TAG_COUNT && strcmp(tags[tag].name, name) != 0) {
        tag++;
    }
    return tag;
}

/* The end of a quoted attribute value that begins at `at`: the same quotation
 * mark before a blank or the end of the tag; 0: there is none. */
static size_t
quoted_end(const struct scanner *scanner, size_t at, size_t limit)
{
    char mark = byte_at(scanner, at);

    for (size_t i = at + 1; i < limit; i++) {
        char byte = byte_at(scanner, i);
        if (byte == '\n') {
            return 0;
        }
        if (byte == '\\') {
            i++;
        } else if (byte == mark) {
            char next = byte_at(scanner, i + 1);
            return ascii_is_blank(next) || next == ']' ? i : 0;
        }
    }
    return 0;
}

/* The "]" of a tag whose attributes begin at `at`; 0: there is none.  A quoted
 * value may contain one. */
static size_t
tag_end(const struct scanner *scanner, size_t at)
{
    size_t limit = at + TAG_MAX < scanner->len ? at + TAG_MAX : scanner->len;

    for (size_t i = at; i < limit; i++) {
        char byte = scanner->body[i];
        char next = byte_at(scanner, i + 1);
        if (byte == ']') {
            return i;
        }
        if (byte == '\n') {
            return 0;
        }
        if (byte == '=' && (next == '"' || next == '\'')) {
            size_t end = quoted_end(scanner, i + 1, limit);
            if (end > 0) {
                i = end;
            }
        }
    }
    return 0;
}

/* Note the value of [name=value], without blanks and quotation marks. */
static void
set_value(struct scanner *scanner, struct piece *piece, size_t at, size_t end)
{
    if (byte_at(scanner, at) != '=') {
        return;
    }
    at++;
    while (at < end && ascii_is_blank(scanner->body[at])) {
        at++;
    }
    while (end > at && ascii_is_blank(scanner->body[end - 1])) {
        end--;
    }
    char first = byte_at(scanner, at);
    if (end - at >= 2 && (first == '"' || first == '\'') &&
        scanner->body[end - 1] == first) {
        at++;
        end--;
    }
    piece->value = at;
    piece->value_len = end - at;
}

/* Does "[/name]" stand here? */
static bool
closes_here(const struct scanner *scanner, size_t at, const char *name,
            size_t len)
{
    if (scanner->len - at < len + 3 || byte_at(scanner, at + 1) != '/' ||
        byte_at(scanner, at + 2 + len) != ']') {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        if (ascii_lower(scanner->body[at + 2 + i]) != name[i]) {
            return false;
        }
    }
    return true;
}

/* The next "[/name]"; the end of the body: none. */
static size_t
find_closing(const struct scanner *scanner, size_t from, const char *name)
{
    size_t len = strlen(name);
    size_t at = from;

    while (at < scanner->len) {
        const char *next = memchr(scanner->body + at, '[', scanner->len - at);
        if (next == NULL) {
            break;
        }
        at = (size_t)(next - scanner->body);
        if (closes_here(scanner, at, name, len)) {
            return at;
        }
        at++;
    }
    return scanner->len;
}

/* Add an element in which nothing is mark-up: from here, its content from
 * `inside`, to its end of `len` bytes at `closing` (the body's end: none). */
static void
add_code(struct scanner *scanner, size_t inside, size_t closing, size_t len)
{
    size_t opening = scanner->count;

    add_piece(scanner, PIECE_OPEN, EFFECT_CODE, scanner->at,
              inside - scanner->at);
    scanner->at = closing;
    if (closing < scanner->len) {
        pair(scanner, opening,
             add_piece(scanner, PIECE_CLOSE, EFFECT_CODE, closing, len));
        scanner->at = closing + len;
    }
}

/* An element that is not shown as its content. */
static void
scan_object(struct scanner *scanner, size_t tag, size_t inside)
{
    const char *name = tags[tag].name;
    size_t closing = scanner->len;

    if (!scanner->absent[tag]) {
        closing = find_closing(scanner, inside, name);
    }
    if (closing == scanner->len) {
        scanner->absent[tag] = true;
        scanner->at = inside;
        return;
    }
    size_t end = closing + strlen(name) + 3;
    add_piece(scanner, PIECE_OBJECT, EFFECT_OBJECT, scanner->at,
              end - scanner->at);
    scanner->at = end;
}

/* An opening tag whose name has been read, up to `at`. */
static bool
scan_opening(struct scanner *scanner, size_t tag, size_t at)
{
    enum effect effect = tags[tag].effect;
    size_t end = tag_end(scanner, at);

    /* These take no attributes: with one, it is not the tag. */
    bool bare = effect == EFFECT_BOLD || effect == EFFECT_ITEM;
    if (end == 0 ||
        (end > at && byte_at(scanner, at) != '=' &&
         !ascii_is_blank(byte_at(scanner, at))) ||
        (bare && end > at)) {
        return false;
    }
    size_t inside = end + 1;
    if (effect == EFFECT_CODE) {
        const char *name = tags[tag].name;
        add_code(scanner, inside, find_closing(scanner, inside, name),
                 strlen(name) + 3);
        return true;
    }
    if (effect == EFFECT_OBJECT) {
        scan_object(scanner, tag, inside);
        return true;
    }
    enum piece_kind kind =
        effect_is_exclusion(effect) ? PIECE_OPEN : PIECE_TEXT;
    if (effect == EFFECT_ITEM) {
        kind = PIECE_BREAK;
    }
    if (effect == EFFECT_QUOTE) {
        forget_pending(scanner);
    }
    struct piece *piece =
        add_piece(scanner, kind, effect, scanner->at, inside - scanner->at);
    set_value(scanner, piece, at, end);
    piece->below = scanner->open[tag];
    scanner->open[tag] = scanner->count;
    scanner->at = inside;
    return true;
}

/* A closing tag whose name has been read, up to `at`: it belongs to the nearest
 * open tag of its name. */
static bool
scan_closing(struct scanner *scanner, size_t tag, size_t at)
{
    if (byte_at(scanner, at) != ']' || scanner->open[tag] == 0) {
        return false;
    }
    size_t opening = scanner->open[tag] - 1;
    size_t inside = at + 1;
    struct piece *closing = add_piece(scanner, PIECE_CLOSE, EFFECT_NONE,
                                      scanner->at, inside - scanner->at);

    scanner->open[tag] = scanner->pieces[opening].below;
    if (tags[tag].effect == EFFECT_ITEM) {
        /* [*] needs no closing tag: if there is one, it shows nothing. */
        closing->kind = PIECE_BREAK;
    } else {
        pair(scanner, opening, closing);
    }
    if (tags[tag].effect == EFFECT_QUOTE) {
        forget_pending(scanner);
    }
    scanner->at = inside;
    return true;
}

/* A "[": a tag, or text. */
static void
scan_bracket(struct scanner *scanner)
{
    char name[NAME_MAX_LEN + 1];
    size_t at = scanner->at + 1;
    bool closing = byte_at(scanner, at) == '/';

    if (closing) {
        at++;
    }
    at += read_name(scanner, at, name);
    size_t tag = find_tag(name);
    bool found = false;
    if (tag < TAG_COUNT) {
        found = closing ? scan_closing(scanner, tag, at)
                        : scan_opening(scanner, tag, at);
    }
    if (!found) {
        scanner->at++;
    }
}

/* How many times in a row the byte at a place stands there. */
static size_t
run_length(const struct scanner *scanner, size_t at)
{
    size_t end = at + 1;

    while (end < scanner->len && scanner->body[end] == scanner->body[at]) {
        end++;
    }
    return end - at;
}

/* Does a U+200B before it make a backtick plain text? */
static bool
is_guarded(const struct scanner *scanner, size_t at)
{
    return at >= 3 && memcmp(scanner->body + at - 3, "\xE2\x80\x8B", 3) == 0;
}

/* The next backticks that end code begun with `ticks`: as many on the same
 * line, or for a fence three or more anywhere.  The end of the body: none. */
static size_t
find_ticks(const struct scanner *scanner, size_t from, size_t ticks)
{
    size_t at = from;

    while (at < scanner->len) {
        char byte = scanner->body[at];
        if (byte == '\n' && ticks < FENCE) {
            break;
        }
        size_t len = byte == '`' ? run_length(scanner, at) : 1;
        bool fits = ticks < FENCE ? len == ticks : len >= FENCE;
        if (byte == '`' && fits && !is_guarded(scanner, at)) {
            return at;
        }
        at += len;
    }
    return scanner->len;
}

/* Past the word behind a fence ("```diff"), if nothing else is on its line. */
static size_t
skip_info(const struct scanner *scanner, size_t at)
{
    size_t end = at;

    while (ascii_is_letter(byte_at(scanner, end)) ||
           ascii_is_digit(byte_at(scanner, end))) {
        end++;
    }
    if (byte_at(scanner, end) == '\r') {
        end++;
    }
    return end < scanner->len && scanner->body[end] == '\n' ? end + 1 : at;
}

static void
scan_ticks(struct scanner *scanner)
{
    size_t ticks = run_length(scanner, scanner->at);
    size_t inside = scanner->at + ticks;

    if (is_guarded(scanner, scanner->at)) {
        scanner->at = inside;
        return;
    }
    size_t closing = find_ticks(scanner, inside, ticks);
    if (ticks >= FENCE) {
        inside = skip_info(scanner, inside);
    } else if (closing == scanner->len) {
        scanner->at = inside;
        return;
    }
    size_t len = closing < scanner->len ? run_length(scanner, closing) : 0;
    add_code(scanner, inside, closing, len);
}

/* `**` and its like: the first opens, the next closes.  Where both are equally
 * long, all of them are marks (`***bold italics***`); otherwise those beyond
 * two are text inside. */
static void
scan_toggle(struct scanner *scanner, size_t which)
{
    size_t at = scanner->at;
    size_t len = run_length(scanner, at);
    size_t opening = scanner->pending[which];

    scanner->at = at + len;
    if (len < 2) {
        return;
    }
    struct piece *piece =
        add_piece(scanner, PIECE_TEXT, toggles[which].effect, at, len);
    scanner->pending[which] = scanner->count;
    if (opening == 0) {
        return;
    }
    struct piece *first = &scanner->pieces[opening - 1];
    if (first->len != len) {
        first->len = 2;
        piece->at = at + len - 2;
        piece->len = 2;
    }
    pair(scanner, opening - 1, piece);
    scanner->pending[which] = 0;
}

/* A ">" with nothing but blanks before it: a quoted line, or text. */
static void
scan_quote_line(struct scanner *scanner)
{
    size_t len = run_length(scanner, scanner->at);
    bool blank = ascii_is_blank(byte_at(scanner, scanner->at + len));

    if (!blank || (len != 1 && len != 3)) {
        scanner->at += len;
        return;
    }
    forget_pending(scanner);
    add_piece(scanner, len == 1 ? PIECE_QUOTE_LINE : PIECE_QUOTE_REST,
              EFFECT_QUOTE, scanner->at, len + 1);
    scanner->quoted_line = true;
    scanner->at += len + 1;
}

static void
scan_line_end(struct scanner *scanner)
{
    if (scanner->quoted_line) {
        forget_pending(scanner);
    }
    scanner->quoted_line = false;
    scanner->line_start = true;
    scanner->at++;
}

/* One step of a dialect that has the chat marks. */
static void
scan_chat(struct scanner *scanner)
{
    char byte = scanner->body[scanner->at];
    bool line_start = scanner->line_start;

    scanner->line_start = line_start && ascii_is_blank(byte);
    for (size_t i = 0; i < TOGGLE_COUNT; i++) {
        if (toggles[i].byte == byte) {
            scan_toggle(scanner, i);
            return;
        }
    }
    if (byte == '\n') {
        scan_line_end(scanner);
    } else if (byte == '`') {
        scan_ticks(scanner);
    } else if (byte == '>' && line_start) {
        scan_quote_line(scanner);
    } else if (byte == '[') {
        scan_bracket(scanner);
    } else {
        scanner->at++;
    }
}

static void
scan(struct scanner *scanner)
{
    while (scanner->at < scanner->len) {
        if (scanner->chat) {
            scan_chat(scanner);
        } else if (scanner->body[scanner->at] == '[') {
            scan_bracket(scanner);
        } else {
            scanner->at++;
        }
    }
}

void
bbcode_scan(struct bbcode_post *post)
{
    struct scanner scanner = {.body = post->body,
                              .len = post->len,
                              .chat = post->chat,
                              .line_start = true};

    scan(&scanner);
    post->pieces = scanner.pieces;
    post->count = scanner.count;
}
