#include "adapters/markup/discord.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/unicode.h"
#include "bot/base/err.h"

enum {
    FENCE = 3,       /* backticks */
    LEAST_MAX = 3,   /* of a byte, in the table below */
    TICKS_MAX = 100, /* backticks before inline code; more are text */
    HASHES_MAX = 3,  /* of a heading */
};

/* What may end something: a run of a byte. */
enum closer {
    CLOSER_STARS,
    CLOSER_STAR,
    CLOSER_LINES, /* of "_" */
    CLOSER_LINE,
    CLOSER_TILDES,
    CLOSER_BARS,
    CLOSER_FENCE,
    CLOSER_ANGLE,
    CLOSER_BLANK,
    CLOSER_TICKS, /* and what follows: of 0, 1, 2 … backticks exactly */
    CLOSERS = CLOSER_TICKS + TICKS_MAX + 1,
};

static const struct run_kind {
    size_t least; /* how many of the byte */
    char byte;
    bool counted;   /* it matters how many there are */
    bool escapable; /* a backslash before takes its meaning */
} kinds[] = {
    [CLOSER_STARS] = {2, '*', false, true},
    [CLOSER_STAR] = {1, '*', true, true},
    [CLOSER_LINES] = {2, '_', false, true},
    [CLOSER_LINE] = {1, '_', true, true},
    [CLOSER_TILDES] = {2, '~', false, false},
    [CLOSER_BARS] = {2, '|', false, false},
    [CLOSER_FENCE] = {FENCE, '`', false, false},
    [CLOSER_ANGLE] = {1, '>', false, false},
    [CLOSER_BLANK] = {1, ' ', false, false},
    [CLOSER_TICKS] = {1, '`', true, false},
};

/* Something that has begun and not ended. */
struct frame {
    size_t end;    /* of its content: nothing in it reaches further */
    size_t behind; /* where reading goes on after it */
    unsigned marks;
};

struct scanner {
    const char *body;
    size_t len, at;
    size_t from; /* the text from here to `at` is not yet shown */
    struct rich *out;
    struct frame frames[RICH_DEPTH_MAX + 1]; /* the first is the post */
    size_t depth;
    bool too_deep;
    bool line_start;
    bool fresh;    /* nothing but openings stands on the line so far */
    size_t quoted; /* what stands before this place is quoted */
    /* The next of each closer as far as it was looked for.  Places asked for
     * only grow, so the post is searched once for each. */
    size_t ahead[CLOSERS];
    uint32_t *brackets; /* of each "[": its "]", if that is further on */
};

/* ---- what stands where --------------------------------------------------- */

static const struct frame *
now_in(const struct scanner *scanner)
{
    return &scanner->frames[scanner->depth];
}

/* The byte at a place; a line feed beyond what is being read. */
static char
byte_at(const struct scanner *scanner, size_t at)
{
    if (at >= now_in(scanner)->end) {
        return '\n';
    }
    return scanner->body[at];
}

static bool
starts_with(const struct scanner *scanner, size_t at, const char *text)
{
    size_t len = strlen(text);
    size_t end = now_in(scanner)->end;

    return at <= end && len <= end - at &&
           memcmp(scanner->body + at, text, len) == 0;
}

/* How often the byte at a place stands there, up to an end. */
static size_t
run_length(const struct scanner *scanner, size_t at, size_t end)
{
    size_t past = at + 1;

    while (past < end && scanner->body[past] == scanner->body[at]) {
        past++;
    }
    return past - at;
}

static size_t
skip_byte(const struct scanner *scanner, size_t at, char byte)
{
    while (byte_at(scanner, at) == byte) {
        at++;
    }
    return at;
}

static size_t
skip_digits(const struct scanner *scanner, size_t at)
{
    while (ascii_is_digit(byte_at(scanner, at))) {
        at++;
    }
    return at;
}

static bool
is_word(char byte)
{
    return ascii_is_letter(byte) || ascii_is_digit(byte) || byte == '_';
}

static bool
is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool
is_punctuation(char byte)
{
    return byte > ' ' && byte <= '~' && !ascii_is_letter(byte) &&
           !ascii_is_digit(byte);
}

/* ---- what lies ahead ----------------------------------------------------- */

static const struct run_kind *
kind_of(size_t closer)
{
    return &kinds[closer < CLOSER_TICKS ? closer : CLOSER_TICKS];
}

/* Is the run of a closer's byte at a place, up to `behind`, one? */
static bool
closes(const struct scanner *scanner, size_t closer, size_t at, size_t behind)
{
    size_t len = behind - at;

    if (closer >= CLOSER_TICKS) {
        return len == closer - CLOSER_TICKS;
    }
    if (closer == CLOSER_TILDES && len == 2 && behind < scanner->len &&
        scanner->body[behind] == '_') {
        return false;
    }
    return kind_of(closer)->counted ? len % 2 == 1
                                    : len >= kind_of(closer)->least;
}

static size_t
search(const struct scanner *scanner, size_t closer, size_t from)
{
    const struct run_kind *kind = kind_of(closer);
    size_t at = from;

    while (at < scanner->len) {
        char byte = scanner->body[at];
        if (byte == '\\' && kind->escapable) {
            at += 2;
        } else if (byte != kind->byte) {
            at++;
        } else {
            size_t most = scanner->len - at;
            if (!kind->counted && most > LEAST_MAX) {
                most = LEAST_MAX;
            }
            size_t behind = at + run_length(scanner, at, at + most);
            if (closes(scanner, closer, at, behind)) {
                return at;
            }
            at = behind;
        }
    }
    return scanner->len;
}

/* The next such closer from a place on; the post's end: none.  It may lie
 * beyond what is being read. */
static size_t
find(struct scanner *scanner, size_t closer, size_t from)
{
    size_t *ahead = &scanner->ahead[closer];

    if (*ahead < from) {
        *ahead = search(scanner, closer, from);
    }
    return *ahead;
}

/* Note of each "[" where its "]" is. */
static void
pair_brackets(struct scanner *scanner)
{
    uint32_t open = 0; /* the innermost open one, plus 1; it holds the next */

    scanner->brackets =
        must_grow(NULL, scanner->len * sizeof scanner->brackets[0]);
    for (uint32_t at = 0; at < scanner->len; at++) {
        if (scanner->body[at] == '[') {
            scanner->brackets[at] = open;
            open = at + 1;
        } else if (scanner->body[at] == ']' && open > 0) {
            uint32_t opening = open - 1;
            open = scanner->brackets[opening];
            scanner->brackets[opening] = at;
        }
    }
}

/* ---- showing ------------------------------------------------------------- */

static unsigned
marks_at(const struct scanner *scanner, size_t at)
{
    return now_in(scanner)->marks | (at < scanner->quoted ? MARK_QUOTED : 0U);
}

/* Show the text up to a place, and go on behind it. */
static void
show_to(struct scanner *scanner, size_t at, size_t behind)
{
    if (at > scanner->from) {
        rich_add(scanner->out, scanner->body + scanner->from,
                 at - scanner->from, marks_at(scanner, scanner->from));
    }
    scanner->from = behind;
    scanner->at = behind;
}

static void
show_object(struct scanner *scanner, size_t end)
{
    show_to(scanner, scanner->at, scanner->at);
    rich_add_object(scanner->out, marks_at(scanner, scanner->at));
    show_to(scanner, scanner->at, end);
}

static void
show_code(struct scanner *scanner, size_t from, size_t to, size_t behind)
{
    show_to(scanner, scanner->at, from);
    rich_add(scanner->out, scanner->body + from, to - from,
             marks_at(scanner, from) | MARK_CODE);
    show_to(scanner, from, behind);
}

/* Something begins: its content from one place to another, and what is behind
 * it. */
static void
enter(struct scanner *scanner, size_t from, size_t end, size_t behind,
      unsigned mark)
{
    unsigned marks = now_in(scanner)->marks | mark;

    show_to(scanner, scanner->at, from);
    if (scanner->depth == RICH_DEPTH_MAX) {
        scanner->too_deep = true;
        return;
    }
    scanner->depth++;
    scanner->frames[scanner->depth] =
        (struct frame){.end = end, .behind = behind, .marks = marks};
}

static void
leave(struct scanner *scanner)
{
    size_t behind = now_in(scanner)->behind;

    show_to(scanner, scanner->at, behind);
    scanner->depth--;
    scanner->line_start = false;
}

/* ---- the beginnings of lines --------------------------------------------- */

/* The end of the line in which a place is, or of what is being read. */
static size_t
line_end(const struct scanner *scanner, size_t at)
{
    size_t end = now_in(scanner)->end;
    const char *feed =
        end > at ? memchr(scanner->body + at, '\n', end - at) : NULL;

    return feed == NULL ? end : (size_t)(feed - scanner->body);
}

/* Past blanks and a "- " or "* " of a list; 0: there is none. */
static size_t
past_bullet(const struct scanner *scanner, size_t at)
{
    size_t mark = skip_byte(scanner, at, ' ');
    char byte = byte_at(scanner, mark);

    if ((byte != '-' && byte != '*') || byte_at(scanner, mark + 1) != ' ') {
        return 0;
    }
    return skip_byte(scanner, mark + 1, ' ');
}

/* Past "# " and its like, and "-# "; 0: there is none. */
static size_t
past_heading(const struct scanner *scanner, size_t at)
{
    size_t past = skip_byte(scanner, at, '#');
    bool heading = past > at && past - at <= HASHES_MAX;

    if (starts_with(scanner, at, "-#")) {
        heading = true;
        past = at + 2;
    }
    if (!heading || byte_at(scanner, past) != ' ') {
        return 0;
    }
    return skip_byte(scanner, past, ' ');
}

/* Past "1. " and its like, which stay to be seen; `at` itself: there is none.
 */
static size_t
past_number(const struct scanner *scanner, size_t at)
{
    size_t digits = skip_byte(scanner, at, ' ');
    size_t past = skip_digits(scanner, digits);

    return past > digits && starts_with(scanner, past, ". ") ? past + 2 : at;
}

/* Past "> " or ">>> ", blanks allowed before; from there on the line, or the
 * rest of the post, is quoted.  `at` itself: it is not. */
static size_t
begin_quote(struct scanner *scanner, size_t at)
{
    size_t mark = skip_byte(scanner, at, ' ');

    if (at < scanner->quoted) {
        return at;
    }
    if (starts_with(scanner, mark, ">>> ")) {
        scanner->quoted = scanner->len;
        return mark + 4;
    }
    if (starts_with(scanner, mark, "> ")) {
        /* To the end of the line, whatever ends within it. */
        const char *feed =
            memchr(scanner->body + mark, '\n', scanner->len - mark);
        scanner->quoted =
            feed == NULL ? scanner->len : (size_t)(feed - scanner->body);
        return mark + 2;
    }
    return at;
}

/* Quoted lines, headings and items stand for themselves: what begins in them
 * ends in them.  A quote within another of them is one too: where clients
 * differ, what counts nothing. */
static void
begin_line(struct scanner *scanner)
{
    show_to(scanner, scanner->at, scanner->at);
    size_t first = scanner->at;
    size_t at = begin_quote(scanner, first);
    size_t end = line_end(scanner, at);
    size_t past = past_heading(scanner, at);
    past = past > 0 ? past : past_bullet(scanner, at);
    show_to(scanner, first, at);
    if (past > 0 && past < end) {
        show_to(scanner, at, past);
    } else {
        scanner->at = past_number(scanner, at);
    }
    scanner->line_start = false;
    scanner->fresh = true;
    if (scanner->at > first) {
        enter(scanner, begin_quote(scanner, scanner->at), end, end, 0);
    }
}

/* ---- bold, slanted, underlined ------------------------------------------- */

/* Where the content of something ends, and where reading goes on; `behind` 0:
 * there is no such thing. */
struct match {
    size_t end, behind;
};

/* Does an odd number of backslashes stand before a place? */
static bool
is_escaped(const struct scanner *scanner, size_t at)
{
    size_t first = at;

    while (first > 0 && scanner->body[first - 1] == '\\') {
        first--;
    }
    return (at - first) % 2 == 1;
}

/* "**" or "__" here, of so many: to the last two of the next run of two or
 * more; of five or more, which have that in them. */
static struct match
match_double(struct scanner *scanner, enum closer closer, size_t len)
{
    size_t limit = now_in(scanner)->end;
    size_t past = scanner->at + len;

    if (len < 2) {
        return (struct match){0, 0};
    }
    if (len < 5) {
        size_t next = find(scanner, closer, past);
        past = next < limit ? next + run_length(scanner, next, limit) : 0;
        if (past < next + 2) {
            return (struct match){0, 0};
        }
    }
    return (struct match){past - 2, past};
}

/* "*" or "_" here, of so many: to the last of the next odd run, for two
 * together stand for themselves; of four, six …, which have that in them. */
static struct match
match_single(struct scanner *scanner, enum closer closer, size_t len)
{
    bool star = closer == CLOSER_STAR;
    size_t limit = now_in(scanner)->end;
    size_t past = scanner->at + len;

    if (len == 2 || (star && is_space(byte_at(scanner, scanner->at + 1)))) {
        return (struct match){0, 0};
    }
    if (len % 2 == 1) {
        size_t next = find(scanner, closer, past);
        len = next < limit ? run_length(scanner, next, limit) : 0;
        past = next + len;
        if (len % 2 == 0 ||
            (star && len == 1 && is_space(scanner->body[next - 1]) &&
             !is_escaped(scanner, next - 1))) {
            return (struct match){0, 0};
        }
    }
    if (!star && is_word(byte_at(scanner, past))) {
        return (struct match){0, 0};
    }
    return (struct match){past - 1, past};
}

static void
scan_emphasis(struct scanner *scanner, bool stars)
{
    size_t len = run_length(scanner, scanner->at, now_in(scanner)->end);
    struct match twice =
        match_double(scanner, stars ? CLOSER_STARS : CLOSER_LINES, len);
    struct match once =
        match_single(scanner, stars ? CLOSER_STAR : CLOSER_LINE, len);
    bool single = once.behind > 0 && once.behind >= twice.behind;
    struct match match = single ? once : twice;

    if (match.behind == 0) {
        scanner->at++;
    } else if (match.behind == scanner->at + len) {
        /* Nothing but marks: a line drawn with them. */
        scanner->at = match.behind;
    } else if (single) {
        enter(scanner, scanner->at + 1, match.end, match.behind, 0);
    } else {
        enter(scanner, scanner->at + 2, match.end, match.behind,
              stars ? MARK_BOLD : 0U);
    }
}

/* ---- struck, folded, code ------------------------------------------------ */

/* "~~" or "||" here, up to the next that leaves at least a byte between. */
static void
scan_pair(struct scanner *scanner, enum closer closer, unsigned mark)
{
    size_t inside = scanner->at + 2;
    size_t limit = now_in(scanner)->end;

    if (byte_at(scanner, scanner->at + 1) != byte_at(scanner, scanner->at)) {
        scanner->at++;
        return;
    }
    size_t end = find(scanner, closer, inside + 1);
    /* The "_" behind "~~" may be what ends all this. */
    if (closer == CLOSER_TILDES && end >= limit && limit > inside + 2 &&
        memcmp(scanner->body + limit - 2, "~~", 2) == 0) {
        end = limit - 2;
    }
    if (end + 2 > limit) {
        scanner->at++;
        return;
    }
    enter(scanner, inside, end, end + 2, mark);
}

/* Past the word behind a fence ("```diff") and its line feed. */
static size_t
skip_info(const struct scanner *scanner, size_t at)
{
    size_t end = at;

    while (is_word(byte_at(scanner, end)) ||
           strchr("+-.#", byte_at(scanner, end)) != NULL) {
        end++;
    }
    return end < now_in(scanner)->end && byte_at(scanner, end) == '\n' ? end + 1
                                                                       : at;
}

/* A fence here; false: nothing ends it, or there is nothing in it. */
static bool
scan_fence(struct scanner *scanner)
{
    size_t limit = now_in(scanner)->end;
    size_t inside = scanner->at + FENCE;
    size_t shown = skip_info(scanner, inside);
    size_t first = shown;

    while (first < limit && scanner->body[first] == '\n') {
        first++;
    }
    size_t end = find(scanner, CLOSER_FENCE, first + 1);
    if (end >= limit) {
        /* Then it is the first that is not a line feed, if there are any. */
        end = first;
        if (first == inside || !starts_with(scanner, first, "```")) {
            return false;
        }
    }
    show_code(scanner, shown < end ? shown : inside, end, end + FENCE);
    return true;
}

static void
scan_ticks(struct scanner *scanner)
{
    size_t limit = now_in(scanner)->end;
    size_t ticks = run_length(scanner, scanner->at, limit);
    size_t past = scanner->at + ticks;

    if (ticks >= FENCE && scan_fence(scanner)) {
        return;
    }
    for (size_t i = ticks < TICKS_MAX ? ticks : TICKS_MAX; i > 0; i--) {
        size_t end = find(scanner, CLOSER_TICKS + i, past);
        if (end < limit) {
            show_code(scanner, scanner->at + i, end, end + i);
            return;
        }
    }
    scanner->at = past;
}

/* ---- things, and links --------------------------------------------------- */

static bool
begins_address(const struct scanner *scanner, size_t at)
{
    return starts_with(scanner, at, "http://") ||
           starts_with(scanner, at, "https://");
}

/* The end of the address here; its beginning: there is none. */
static size_t
address_end(const struct scanner *scanner)
{
    size_t limit = now_in(scanner)->end;
    size_t at = scanner->at;

    if (!begins_address(scanner, at)) {
        return at;
    }
    size_t first = at + (scanner->body[at + 4] == 's' ? 8 : 7);
    size_t past = first;
    while (past < limit && scanner->body[past] != '<' &&
           !unicode_is_blank(unicode_at(scanner->body, past, limit))) {
        past++;
    }
    while (past > first &&
           strchr(".,:;\"')]", scanner->body[past - 1]) != NULL) {
        past--;
    }
    return past >= first + 2 ? past : at;
}

/* Show the address that ends there, and go on behind it. */
static void
show_address(struct scanner *scanner, size_t end, size_t behind)
{
    size_t at = scanner->at;

    show_to(scanner, at, behind);
    rich_add(scanner->out, scanner->body + at, end - at,
             marks_at(scanner, at) | MARK_ADDRESS);
}

static void
scan_address(struct scanner *scanner)
{
    size_t end = address_end(scanner);

    if (end > scanner->at) {
        show_address(scanner, end, end);
    } else {
        scanner->at++;
    }
}

/* "<@ID>" or "<@!ID>" here: a mention. */
static bool
scan_mention(struct scanner *scanner)
{
    char shown[DISCORD_ID_MAX + 2] = "@";
    size_t at = scanner->at + 2;

    if (!starts_with(scanner, scanner->at, "<@")) {
        return false;
    }
    at += byte_at(scanner, at) == '!';
    size_t end = skip_digits(scanner, at);
    size_t len = end - at;
    if (len == 0 || len > DISCORD_ID_MAX || byte_at(scanner, end) != '>') {
        return false;
    }
    const char *id = scanner->body + at;
    memcpy(shown + 1, id, len);
    show_to(scanner, scanner->at, end + 1);
    rich_add_mention_len(scanner->out, id, len, shown, len + 1,
                         marks_at(scanner, at));
    return true;
}

/* Past digits and a ">"; 0: they do not stand here. */
static size_t
past_digits(const struct scanner *scanner, size_t at)
{
    size_t end = skip_digits(scanner, at);

    return end > at && byte_at(scanner, end) == '>' ? end + 1 : 0;
}

/* Past ":NUMBER>" behind the name of an emoji or of a command; 0: it does not
 * stand there. */
static size_t
past_named(const struct scanner *scanner, size_t at, const char *also)
{
    size_t end = at;

    while (is_word(byte_at(scanner, end)) ||
           strchr(also, byte_at(scanner, end)) != NULL) {
        end++;
    }
    return end > at && byte_at(scanner, end) == ':'
               ? past_digits(scanner, end + 1)
               : 0;
}

/* Past "<t:TIME>" or "<t:TIME:FORMAT>", of which "<t:" has been read. */
static size_t
past_time(const struct scanner *scanner, size_t at)
{
    at += byte_at(scanner, at) == '-';
    size_t end = skip_digits(scanner, at);

    if (end > at && byte_at(scanner, end) == ':' &&
        ascii_is_letter(byte_at(scanner, end + 1))) {
        end += 2;
    }
    return end > at && byte_at(scanner, end) == '>' ? end + 1 : 0;
}

/* Past an address between "<" and ">". */
static size_t
past_angled(struct scanner *scanner, size_t at)
{
    size_t end = find(scanner, CLOSER_ANGLE, at);

    if (end >= now_in(scanner)->end || find(scanner, CLOSER_BLANK, at) < end ||
        !begins_address(scanner, at)) {
        return 0;
    }
    return end + 1;
}

/* Past the thing between "<" and ">" that begins here; 0: none does. */
static size_t
past_thing(struct scanner *scanner)
{
    size_t at = scanner->at + 1;

    switch (byte_at(scanner, at)) {
    case '#':
        return past_digits(scanner, at + 1);
    case '@':
        return byte_at(scanner, at + 1) == '&' ? past_digits(scanner, at + 2)
                                               : 0;
    case ':':
        return past_named(scanner, at + 1, "");
    case 'a':
        return byte_at(scanner, at + 1) == ':' ? past_named(scanner, at + 2, "")
                                               : 0;
    case '/':
        return past_named(scanner, at + 1, "- '");
    case 't':
        return byte_at(scanner, at + 1) == ':' ? past_time(scanner, at + 2) : 0;
    case 'h':
        return past_angled(scanner, at);
    default:
        return 0;
    }
}

static void
scan_angle(struct scanner *scanner)
{
    if (scan_mention(scanner)) {
        return;
    }
    size_t end = past_thing(scanner);
    if (end > 0 && byte_at(scanner, scanner->at + 1) == 'h') {
        show_to(scanner, scanner->at, scanner->at + 1);
        show_address(scanner, end - 1, end);
    } else if (end > 0) {
        show_object(scanner, end);
    } else {
        scanner->at++;
    }
}

static void
scan_at(struct scanner *scanner)
{
    if (starts_with(scanner, scanner->at, "@everyone")) {
        show_object(scanner, scanner->at + 9);
    } else if (starts_with(scanner, scanner->at, "@here")) {
        show_object(scanner, scanner->at + 5);
    } else {
        scanner->at++;
    }
}

/* Past a title in quotation marks, and blanks; `at`: there is none. */
static size_t
skip_title(const struct scanner *scanner, size_t at)
{
    char mark = byte_at(scanner, at);
    size_t past = at + 1;

    if (mark != '"' && mark != '\'') {
        return at;
    }
    while (byte_at(scanner, past) != mark && byte_at(scanner, past) != '\n') {
        past++;
    }
    return skip_byte(scanner, past + 1, ' ');
}

/* Past the "(address)" of a link that begins here; 0: it is none. */
static size_t
past_target(const struct scanner *scanner, size_t at)
{
    bool inner = false; /* one pair of brackets may stand in an address */
    char byte = byte_at(scanner, at);

    if (byte != '(') {
        return 0;
    }
    at = skip_byte(scanner, at + 1, ' ');
    at += byte_at(scanner, at) == '<';
    if (!begins_address(scanner, at)) {
        return 0;
    }
    for (byte = byte_at(scanner, at);
         !is_space(byte) && byte != '<' && (inner || byte != ')');
         byte = byte_at(scanner, ++at)) {
        inner = byte == '(' || (inner && byte != ')');
    }
    at = skip_byte(scanner, at, ' ');
    at = skip_title(scanner, at);
    return byte_at(scanner, at) == ')' ? at + 1 : 0;
}

/* A "[": words with an address behind them, which is not seen, or text. */
static void
scan_bracket(struct scanner *scanner)
{
    size_t inside = scanner->at + 1;

    if (scanner->brackets == NULL) {
        pair_brackets(scanner);
    }
    size_t end = scanner->brackets[scanner->at];
    size_t behind = 0;
    if (end > inside && end < now_in(scanner)->end) {
        behind = past_target(scanner, end + 1);
    }
    if (behind > 0) {
        enter(scanner, inside, end, behind, 0);
    } else {
        scanner->at++;
    }
}

/* ---- the post ------------------------------------------------------------ */

static void
scan_backslash(struct scanner *scanner)
{
    if (is_punctuation(byte_at(scanner, scanner->at + 1))) {
        show_to(scanner, scanner->at, scanner->at + 1);
    }
    scanner->at++;
}

static void
scan_line_feed(struct scanner *scanner)
{
    if (scanner->at == scanner->quoted) {
        show_to(scanner, scanner->at, scanner->at);
    }
    scanner->line_start = true;
    scanner->at++;
}

static void
scan_mark(struct scanner *scanner)
{
    switch (scanner->body[scanner->at]) {
    case '\\':
        scan_backslash(scanner);
        break;
    case '\n':
        scan_line_feed(scanner);
        break;
    case '*':
        scan_emphasis(scanner, true);
        break;
    case '_':
        scan_emphasis(scanner, false);
        break;
    case '~':
        scan_pair(scanner, CLOSER_TILDES, MARK_STRUCK);
        break;
    case '|':
        scan_pair(scanner, CLOSER_BARS, MARK_SPOILER);
        break;
    case '`':
        scan_ticks(scanner);
        break;
    case '<':
        scan_angle(scanner);
        break;
    case '[':
        scan_bracket(scanner);
        break;
    case '@':
        scan_at(scanner);
        break;
    case 'h':
        scan_address(scanner);
        break;
    default:
        scanner->at++;
        break;
    }
}

/* A quote mark right behind what opens at the beginning of a line is one too:
 * where clients differ, what counts nothing. */
static void
begin_content(struct scanner *scanner)
{
    show_to(scanner, scanner->at, begin_quote(scanner, scanner->at));
}

static void
scan(struct scanner *scanner)
{
    while (!scanner->too_deep) {
        if (scanner->at >= now_in(scanner)->end) {
            show_to(scanner, scanner->at, scanner->at);
            if (scanner->depth == 0) {
                break;
            }
            leave(scanner);
        } else if (scanner->line_start) {
            begin_line(scanner);
        } else {
            size_t depth = scanner->depth;
            scan_mark(scanner);
            scanner->fresh = scanner->fresh && scanner->depth > depth;
            if (scanner->fresh) {
                begin_content(scanner);
            }
        }
    }
}

static void
read_discord(const char *body, size_t len, struct rich *out, bool *unread)
{
    rich_clear(out);
    *unread = len > POST_MAX || (len > 0 && memchr(body, '\0', len) != NULL);
    if (*unread || len == 0) {
        return;
    }
    struct scanner scanner = {
        .body = body, .len = len, .out = out, .line_start = true};
    scanner.frames[0].end = len;
    scan(&scanner);
    if (scanner.too_deep) {
        *unread = true;
        rich_clear(out);
    }
    free(scanner.brackets);
}

const struct dialect dialect_discord = {
    .name = "discord",
    .read = read_discord,
    .write = discord_write,
    .bold_example = "**%s**",
    .bold_names = true,
    .mention_names = true,
    .times = true,
};
