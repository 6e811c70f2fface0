#include "adapters/markup/discord_things.h"

#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/discord.h"
#include "adapters/markup/unicode.h"
#include "bot/base/err.h"

/* ---- things, and links --------------------------------------------------- */

static bool
begins_address(const struct discord_scanner *scanner, size_t at)
{
    return scanner_starts_with(scanner, at, "http://") ||
           scanner_starts_with(scanner, at, "https://");
}

/* The end of the address here; its beginning: there is none. */
static size_t
address_end(const struct discord_scanner *scanner)
{
    size_t limit = scanner_frame(scanner)->end;
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
show_address(struct discord_scanner *scanner, size_t end, size_t behind)
{
    size_t at = scanner->at;

    scanner_show_to(scanner, at, behind);
    rich_add(scanner->out, scanner->body + at, end - at,
             scanner_marks(scanner, at) | MARK_ADDRESS);
}

void
discord_scan_address(struct discord_scanner *scanner)
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
scan_mention(struct discord_scanner *scanner)
{
    char shown[DISCORD_ID_MAX + 2] = "@";
    size_t at = scanner->at + 2;

    if (!scanner_starts_with(scanner, scanner->at, "<@")) {
        return false;
    }
    at += scanner_byte(scanner, at) == '!';
    size_t end = scanner_skip_digits(scanner, at);
    size_t len = end - at;
    if (len == 0 || len > DISCORD_ID_MAX || scanner_byte(scanner, end) != '>') {
        return false;
    }
    const char *id = scanner->body + at;
    memcpy(shown + 1, id, len);
    scanner_show_to(scanner, scanner->at, end + 1);
    rich_add_mention_len(scanner->out, id, len, shown, len + 1,
                         scanner_marks(scanner, at));
    return true;
}

/* Past digits and a ">"; 0: they do not stand here. */
static size_t
past_digits(const struct discord_scanner *scanner, size_t at)
{
    size_t end = scanner_skip_digits(scanner, at);

    return end > at && scanner_byte(scanner, end) == '>' ? end + 1 : 0;
}

/* Past ":NUMBER>" behind the name of an emoji or of a command; 0: it does not
 * stand there. */
static size_t
past_named(const struct discord_scanner *scanner, size_t at, const char *also)
{
    size_t end = at;

    while (ascii_is_word(scanner_byte(scanner, end)) ||
           strchr(also, scanner_byte(scanner, end)) != NULL) {
        end++;
    }
    return end > at && scanner_byte(scanner, end) == ':'
               ? past_digits(scanner, end + 1)
               : 0;
}

/* Past "<t:TIME>" or "<t:TIME:FORMAT>", of which "<t:" has been read. */
static size_t
past_time(const struct discord_scanner *scanner, size_t at)
{
    at += scanner_byte(scanner, at) == '-';
    size_t end = scanner_skip_digits(scanner, at);

    if (end > at && scanner_byte(scanner, end) == ':' &&
        ascii_is_letter(scanner_byte(scanner, end + 1))) {
        end += 2;
    }
    return end > at && scanner_byte(scanner, end) == '>' ? end + 1 : 0;
}

/* Past an address between "<" and ">". */
static size_t
past_angled(struct discord_scanner *scanner, size_t at)
{
    size_t end = scanner_find(scanner, CLOSER_ANGLE, at);

    if (end >= scanner_frame(scanner)->end ||
        scanner_find(scanner, CLOSER_BLANK, at) < end ||
        !begins_address(scanner, at)) {
        return 0;
    }
    return end + 1;
}

/* Past the thing between "<" and ">" that begins here; 0: none does. */
static size_t
past_thing(struct discord_scanner *scanner)
{
    size_t at = scanner->at + 1;

    switch (scanner_byte(scanner, at)) {
    case '#':
        return past_digits(scanner, at + 1);
    case '@':
        return scanner_byte(scanner, at + 1) == '&'
                   ? past_digits(scanner, at + 2)
                   : 0;
    case ':':
        return past_named(scanner, at + 1, "");
    case 'a':
        return scanner_byte(scanner, at + 1) == ':'
                   ? past_named(scanner, at + 2, "")
                   : 0;
    case '/':
        return past_named(scanner, at + 1, "- '");
    case 't':
        return scanner_byte(scanner, at + 1) == ':' ? past_time(scanner, at + 2)
                                                    : 0;
    case 'h':
        return past_angled(scanner, at);
    default:
        return 0;
    }
}

void
discord_scan_angle(struct discord_scanner *scanner)
{
    if (scan_mention(scanner)) {
        return;
    }
    size_t end = past_thing(scanner);
    if (end > 0 && scanner_byte(scanner, scanner->at + 1) == 'h') {
        scanner_show_to(scanner, scanner->at, scanner->at + 1);
        show_address(scanner, end - 1, end);
    } else if (end > 0) {
        scanner_show_object(scanner, end);
    } else {
        scanner->at++;
    }
}

void
discord_scan_at(struct discord_scanner *scanner)
{
    if (scanner_starts_with(scanner, scanner->at, "@everyone")) {
        scanner_show_object(scanner, scanner->at + 9);
    } else if (scanner_starts_with(scanner, scanner->at, "@here")) {
        scanner_show_object(scanner, scanner->at + 5);
    } else {
        scanner->at++;
    }
}

/* Past a title in quotation marks, and blanks; `at`: there is none. */
static size_t
skip_title(const struct discord_scanner *scanner, size_t at)
{
    char mark = scanner_byte(scanner, at);
    size_t past = at + 1;

    if (mark != '"' && mark != '\'') {
        return at;
    }
    while (scanner_byte(scanner, past) != mark &&
           scanner_byte(scanner, past) != '\n') {
        past++;
    }
    return scanner_skip(scanner, past + 1, ' ');
}

/* Past the "(address)" of a link that begins here; 0: there is none. */
static size_t
past_target(const struct discord_scanner *scanner, size_t at)
{
    bool inner = false; /* one pair of brackets may stand in an address */
    char byte = scanner_byte(scanner, at);

    if (byte != '(') {
        return 0;
    }
    at = scanner_skip(scanner, at + 1, ' ');
    at += scanner_byte(scanner, at) == '<';
    if (!begins_address(scanner, at)) {
        return 0;
    }
    for (byte = scanner_byte(scanner, at);
         !ascii_is_space(byte) && byte != '<' && (inner || byte != ')');
         byte = scanner_byte(scanner, ++at)) {
        inner = byte == '(' || (inner && byte != ')');
    }
    at = scanner_skip(scanner, at, ' ');
    at = skip_title(scanner, at);
    return scanner_byte(scanner, at) == ')' ? at + 1 : 0;
}

/* Note for each "[" where its "]" is. */
static void
pair_brackets(struct discord_scanner *scanner)
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

/* A "[": words followed by an address, which is not shown; or plain text. */
void
discord_scan_bracket(struct discord_scanner *scanner)
{
    size_t inside = scanner->at + 1;

    if (scanner->brackets == NULL) {
        pair_brackets(scanner);
    }
    size_t end = scanner->brackets[scanner->at];
    size_t behind = 0;
    if (end > inside && end < scanner_frame(scanner)->end) {
        behind = past_target(scanner, end + 1);
    }
    if (behind > 0) {
        scanner_enter(scanner, inside, end, behind, 0);
    } else {
        scanner->at++;
    }
}
