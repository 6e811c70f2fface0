#include "adapters/markup/discord_scan.h"

#include <string.h>

#include "adapters/markup/ascii.h"

enum {
    LEAST_MAX = 3 /* of a byte, in the table below */
};

/* How each of them looks. */
static const struct run_kind {
    size_t least; /* how many of the byte */
    char byte;
    bool counted;   /* it matters how many there are */
    bool escapable; /* a backslash before it makes it text */
} kinds[] = {
    [CLOSER_STARS] = {2, '*', false, true},
    [CLOSER_STAR] = {1, '*', true, true},
    [CLOSER_LINES] = {2, '_', false, true},
    [CLOSER_LINE] = {1, '_', true, true},
    [CLOSER_TILDES] = {2, '~', false, false},
    [CLOSER_BARS] = {2, '|', false, false},
    [CLOSER_FENCE] = {DISCORD_FENCE, '`', false, false},
    [CLOSER_ANGLE] = {1, '>', false, false},
    [CLOSER_BLANK] = {1, ' ', false, false},
    [CLOSER_TICKS] = {1, '`', true, false},
};

/* ---- what stands where --------------------------------------------------- */

bool
scanner_starts_with(const struct discord_scanner *scanner, size_t at,
                    const char *text)
{
    size_t len = strlen(text);
    size_t end = scanner_frame(scanner)->end;

    return at <= end && len <= end - at &&
           memcmp(scanner->body + at, text, len) == 0;
}

size_t
scanner_run(const struct discord_scanner *scanner, size_t at, size_t end)
{
    size_t past = at + 1;

    while (past < end && scanner->body[past] == scanner->body[at]) {
        past++;
    }
    return past - at;
}

size_t
scanner_skip(const struct discord_scanner *scanner, size_t at, char byte)
{
    while (scanner_byte(scanner, at) == byte) {
        at++;
    }
    return at;
}

size_t
scanner_skip_digits(const struct discord_scanner *scanner, size_t at)
{
    while (ascii_is_digit(scanner_byte(scanner, at))) {
        at++;
    }
    return at;
}

/* ---- what lies ahead ----------------------------------------------------- */

static const struct run_kind *
kind_of(size_t closer)
{
    return &kinds[closer < CLOSER_TICKS ? closer : CLOSER_TICKS];
}

/* Is the run of a closer's byte at a place, up to `behind`, one? */
static bool
closes(const struct discord_scanner *scanner, size_t closer, size_t at,
       size_t behind)
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
search(const struct discord_scanner *scanner, size_t closer, size_t from)
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
            size_t behind = at + scanner_run(scanner, at, at + most);
            if (closes(scanner, closer, at, behind)) {
                return at;
            }
            at = behind;
        }
    }
    return scanner->len;
}

size_t
scanner_find(struct discord_scanner *scanner, size_t closer, size_t from)
{
    size_t *ahead = &scanner->ahead[closer];

    if (*ahead < from) {
        *ahead = search(scanner, closer, from);
    }
    return *ahead;
}

/* ---- showing ------------------------------------------------------------- */

unsigned
scanner_marks(const struct discord_scanner *scanner, size_t at)
{
    return scanner_frame(scanner)->marks |
           (at < scanner->quoted ? MARK_QUOTED : 0U);
}

void
scanner_show_to(struct discord_scanner *scanner, size_t at, size_t behind)
{
    if (at > scanner->from) {
        rich_add(scanner->out, scanner->body + scanner->from,
                 at - scanner->from, scanner_marks(scanner, scanner->from));
    }
    scanner->from = behind;
    scanner->at = behind;
}

void
scanner_show_object(struct discord_scanner *scanner, size_t end)
{
    scanner_show_to(scanner, scanner->at, scanner->at);
    rich_add_object(scanner->out, scanner_marks(scanner, scanner->at));
    scanner_show_to(scanner, scanner->at, end);
}

void
scanner_show_code(struct discord_scanner *scanner, size_t from, size_t to,
                  size_t behind)
{
    scanner_show_to(scanner, scanner->at, from);
    rich_add(scanner->out, scanner->body + from, to - from,
             scanner_marks(scanner, from) | MARK_CODE);
    scanner_show_to(scanner, from, behind);
}

void
scanner_enter(struct discord_scanner *scanner, size_t from, size_t end,
              size_t behind, unsigned mark)
{
    unsigned marks = scanner_frame(scanner)->marks | mark;

    scanner_show_to(scanner, scanner->at, from);
    if (scanner->depth == RICH_DEPTH_MAX) {
        scanner->too_deep = true;
        return;
    }
    scanner->depth++;
    scanner->frames[scanner->depth] =
        (struct discord_frame){.end = end, .behind = behind, .marks = marks};
}

void
scanner_leave(struct discord_scanner *scanner)
{
    size_t behind = scanner_frame(scanner)->behind;

    scanner_show_to(scanner, scanner->at, behind);
    scanner->depth--;
    scanner->line_start = false;
}
