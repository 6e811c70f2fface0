#include "adapters/markup/discord.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/discord_scan.h"
#include "adapters/markup/discord_things.h"

enum {
    HASHES_MAX = 3 /* of a heading */
};

/* ---- the beginnings of lines --------------------------------------------- */

/* The end of the line in which a place is, or of what is being read. */
static size_t
line_end(const struct discord_scanner *scanner, size_t at)
{
    size_t end = scanner_frame(scanner)->end;
    const char *feed =
        end > at ? memchr(scanner->body + at, '\n', end - at) : NULL;

    return feed == NULL ? end : (size_t)(feed - scanner->body);
}

/* Past blanks and a "- " or "* " of a list; 0: there is none. */
static size_t
past_bullet(const struct discord_scanner *scanner, size_t at)
{
    size_t mark = scanner_skip(scanner, at, ' ');
    char byte = scanner_byte(scanner, mark);

    if ((byte != '-' && byte != '*') ||
        scanner_byte(scanner, mark + 1) != ' ') {
        return 0;
    }
    return scanner_skip(scanner, mark + 1, ' ');
}

/* Past "# " and its like, and "-# "; 0: there is none. */
static size_t
past_heading(const struct discord_scanner *scanner, size_t at)
{
    size_t past = scanner_skip(scanner, at, '#');
    bool heading = past > at && past - at <= HASHES_MAX;

    if (scanner_starts_with(scanner, at, "-#")) {
        heading = true;
        past = at + 2;
    }
    if (!heading || scanner_byte(scanner, past) != ' ') {
        return 0;
    }
    return scanner_skip(scanner, past, ' ');
}

/* Past "1. " and its like, which stay visible; `at` itself: there is none.
 */
static size_t
past_number(const struct discord_scanner *scanner, size_t at)
{
    size_t digits = scanner_skip(scanner, at, ' ');
    size_t past = scanner_skip_digits(scanner, digits);

    return past > digits && scanner_starts_with(scanner, past, ". ") ? past + 2
                                                                     : at;
}

/* Past "> " or ">>> ", blanks allowed before; from there on the line, or the
 * rest of the post, is quoted.  `at` itself: it is not. */
static size_t
begin_quote(struct discord_scanner *scanner, size_t at)
{
    size_t mark = scanner_skip(scanner, at, ' ');

    if (at < scanner->quoted) {
        return at;
    }
    if (scanner_starts_with(scanner, mark, ">>> ")) {
        scanner->quoted = scanner->len;
        return mark + 4;
    }
    if (scanner_starts_with(scanner, mark, "> ")) {
        /* To the end of the line, whatever ends within it. */
        const char *feed =
            memchr(scanner->body + mark, '\n', scanner->len - mark);
        scanner->quoted =
            feed == NULL ? scanner->len : (size_t)(feed - scanner->body);
        return mark + 2;
    }
    return at;
}

/* Whatever begins in a quoted line, a heading or an item ends there.  A quote
 * inside one of them is a quote too: where clients differ, take the reading in
 * which nothing counts. */
static void
begin_line(struct discord_scanner *scanner)
{
    scanner_show_to(scanner, scanner->at, scanner->at);
    size_t first = scanner->at;
    size_t at = begin_quote(scanner, first);
    size_t end = line_end(scanner, at);
    size_t past = past_heading(scanner, at);
    past = past > 0 ? past : past_bullet(scanner, at);
    scanner_show_to(scanner, first, at);
    if (past > 0 && past < end) {
        scanner_show_to(scanner, at, past);
    } else {
        scanner->at = past_number(scanner, at);
    }
    scanner->line_start = false;
    scanner->fresh = true;
    if (scanner->at > first) {
        scanner_enter(scanner, begin_quote(scanner, scanner->at), end, end, 0);
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
is_escaped(const struct discord_scanner *scanner, size_t at)
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
match_double(struct discord_scanner *scanner, enum closer closer, size_t len)
{
    size_t limit = scanner_frame(scanner)->end;
    size_t past = scanner->at + len;

    if (len < 2) {
        return (struct match){0, 0};
    }
    if (len < 5) {
        size_t next = scanner_find(scanner, closer, past);
        past = next < limit ? next + scanner_run(scanner, next, limit) : 0;
        if (past < next + 2) {
            return (struct match){0, 0};
        }
    }
    return (struct match){past - 2, past};
}

/* "*" or "_" here, of so many: to the last of the next odd run, for two
 * together stand for themselves; of four, six …, which have that in them. */
static struct match
match_single(struct discord_scanner *scanner, enum closer closer, size_t len)
{
    bool star = closer == CLOSER_STAR;
    size_t limit = scanner_frame(scanner)->end;
    size_t past = scanner->at + len;

    if (len == 2 ||
        (star && ascii_is_space(scanner_byte(scanner, scanner->at + 1)))) {
        return (struct match){0, 0};
    }
    if (len % 2 == 1) {
        size_t next = scanner_find(scanner, closer, past);
        len = next < limit ? scanner_run(scanner, next, limit) : 0;
        past = next + len;
        if (len % 2 == 0 ||
            (star && len == 1 && ascii_is_space(scanner->body[next - 1]) &&
             !is_escaped(scanner, next - 1))) {
            return (struct match){0, 0};
        }
    }
    if (!star && ascii_is_word(scanner_byte(scanner, past))) {
        return (struct match){0, 0};
    }
    return (struct match){past - 1, past};
}

static void
scan_emphasis(struct discord_scanner *scanner, bool stars)
{
    size_t len = scanner_run(scanner, scanner->at, scanner_frame(scanner)->end);
    struct match twice =
        match_double(scanner, stars ? CLOSER_STARS : CLOSER_LINES, len);
    struct match once =
        match_single(scanner, stars ? CLOSER_STAR : CLOSER_LINE, len);
    bool single = once.behind > 0 && once.behind >= twice.behind;
    struct match match = single ? once : twice;

    if (match.behind == 0) {
        scanner->at++;
    } else if (match.behind == scanner->at + len) {
        /* Nothing but marks: a rule drawn with them. */
        scanner->at = match.behind;
    } else if (single) {
        scanner_enter(scanner, scanner->at + 1, match.end, match.behind, 0);
    } else {
        scanner_enter(scanner, scanner->at + 2, match.end, match.behind,
                      stars ? MARK_BOLD : 0U);
    }
}

/* ---- struck, folded, code ------------------------------------------------ */

/* "~~" or "||" here, up to the next that leaves at least a byte between. */
static void
scan_pair(struct discord_scanner *scanner, enum closer closer, unsigned mark)
{
    size_t inside = scanner->at + 2;
    size_t limit = scanner_frame(scanner)->end;

    if (scanner_byte(scanner, scanner->at + 1) !=
        scanner_byte(scanner, scanner->at)) {
        scanner->at++;
        return;
    }
    size_t end = scanner_find(scanner, closer, inside + 1);
    /* The "_" behind "~~" may be what ends all this. */
    if (closer == CLOSER_TILDES && end >= limit && limit > inside + 2 &&
        memcmp(scanner->body + limit - 2, "~~", 2) == 0) {
        end = limit - 2;
    }
    if (end + 2 > limit) {
        scanner->at++;
        return;
    }
    scanner_enter(scanner, inside, end, end + 2, mark);
}

/* Past the word behind a fence ("```diff") and its line feed. */
static size_t
skip_info(const struct discord_scanner *scanner, size_t at)
{
    size_t end = at;

    while (ascii_is_word(scanner_byte(scanner, end)) ||
           strchr("+-.#", scanner_byte(scanner, end)) != NULL) {
        end++;
    }
    return end < scanner_frame(scanner)->end &&
                   scanner_byte(scanner, end) == '\n'
               ? end + 1
               : at;
}

/* A fence here; false: nothing ends it, or there is nothing in it. */
static bool
scan_fence(struct discord_scanner *scanner)
{
    size_t limit = scanner_frame(scanner)->end;
    size_t inside = scanner->at + DISCORD_FENCE;
    size_t shown = skip_info(scanner, inside);
    size_t first = shown;

    while (first < limit && scanner->body[first] == '\n') {
        first++;
    }
    size_t end = scanner_find(scanner, CLOSER_FENCE, first + 1);
    if (end >= limit) {
        /* Then the fence may close at the first byte that is not a line
         * feed. */
        end = first;
        if (first == inside || !scanner_starts_with(scanner, first, "```")) {
            return false;
        }
    }
    scanner_show_code(scanner, shown < end ? shown : inside, end,
                      end + DISCORD_FENCE);
    return true;
}

/* Backticks here: a fence, or as many as end it.  In a long run a fence ends
 * within a few bytes, so the run is not counted before that fails. */
static void
scan_ticks(struct discord_scanner *scanner)
{
    if (scanner_starts_with(scanner, scanner->at, "```") &&
        scan_fence(scanner)) {
        return;
    }
    size_t limit = scanner_frame(scanner)->end;
    size_t ticks = scanner_run(scanner, scanner->at, limit);
    size_t past = scanner->at + ticks;

    for (size_t i = ticks < DISCORD_TICKS_MAX ? ticks : DISCORD_TICKS_MAX;
         i > 0; i--) {
        size_t end = scanner_find(scanner, CLOSER_TICKS + i, past);
        if (end < limit) {
            scanner_show_code(scanner, scanner->at + i, end, end + i);
            return;
        }
    }
    scanner->at = past;
}

/* ---- the post ------------------------------------------------------------ */

static void
scan_backslash(struct discord_scanner *scanner)
{
    if (ascii_is_punctuation(scanner_byte(scanner, scanner->at + 1))) {
        scanner_show_to(scanner, scanner->at, scanner->at + 1);
    }
    scanner->at++;
}

static void
scan_line_feed(struct discord_scanner *scanner)
{
    if (scanner->at == scanner->quoted) {
        scanner_show_to(scanner, scanner->at, scanner->at);
    }
    scanner->line_start = true;
    scanner->at++;
}

static void
scan_mark(struct discord_scanner *scanner)
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
        discord_scan_angle(scanner);
        break;
    case '[':
        discord_scan_bracket(scanner);
        break;
    case '@':
        discord_scan_at(scanner);
        break;
    case 'h':
        discord_scan_address(scanner);
        break;
    default:
        scanner->at++;
        break;
    }
}

/* A quote mark right after marks that open at the beginning of a line quotes
 * too: where clients differ, take the reading in which nothing counts. */
static void
begin_content(struct discord_scanner *scanner)
{
    scanner_show_to(scanner, scanner->at, begin_quote(scanner, scanner->at));
}

static void
scan(struct discord_scanner *scanner)
{
    while (!scanner->too_deep) {
        if (scanner->at >= scanner_frame(scanner)->end) {
            scanner_show_to(scanner, scanner->at, scanner->at);
            if (scanner->depth == 0) {
                break;
            }
            scanner_leave(scanner);
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
    struct discord_scanner scanner = {
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
