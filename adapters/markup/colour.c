#include "adapters/markup/colour.h"

#include <stdint.h>
#include <string.h>

#include "adapters/markup/ascii.h"

enum {
    WORD_MAX = 24,    /* bytes of a name that still matters */
    THOUSAND = 1000,  /* numbers are read in thousandths */
    DIGITS_MAX = 7,   /* before the point: more is no colour */
    TURN = 360 * 1000 /* of hue, in thousandths of a degree */
};

/* The names of CSS whose colour is red by the rule below. */
static const char *const red_names[] = {
    "red",    "darkred",   "firebrick", "crimson",
    "maroon", "indianred", "brown",     "tomato",
};

/* Words that mean "as outside". */
static const char *const outside_names[] = {
    "inherit",
    "unset",
    "revert",
    "currentcolor",
};

static bool
is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The rule for red, in integers: of red, green and blue from 0 to 255, red is
 * the greatest; the hue is within 15 degrees of 0; lightness is 25 to 65 %;
 * saturation is 50 % at least. */
static enum colour
judge_rgb(int32_t red, int32_t green, int32_t blue)
{
    int32_t least = green < blue ? green : blue;
    int32_t apart = green < blue ? blue - green : green - blue;
    int32_t sum = red + least;
    int32_t span = red - least;
    int32_t room = sum < 510 - sum ? sum : 510 - sum;

    bool is_red = red >= green && red >= blue && 4 * apart <= span &&
                  sum >= 128 && sum <= 331 && 2 * span >= room;
    return is_red ? COLOUR_RED : COLOUR_OTHER;
}

/* The same rule where hue, saturation and lightness are given. */
static enum colour
judge_hsl(int32_t hue, int32_t saturation, int32_t lightness)
{
    int32_t turned = hue % TURN;

    if (turned < 0) {
        turned += TURN;
    }
    bool is_red = (turned <= 15 * THOUSAND || turned >= 345 * THOUSAND) &&
                  saturation >= 50 * THOUSAND && lightness >= 25 * THOUSAND &&
                  lightness <= 65 * THOUSAND;
    return is_red ? COLOUR_RED : COLOUR_OTHER;
}

static int32_t
hex_value(char byte)
{
    if (ascii_is_digit(byte)) {
        return byte - '0';
    }
    char letter = ascii_lower(byte);
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Three, four, six or eight hexadecimal digits. */
static enum colour
read_hex(const char *text, size_t len)
{
    int32_t digits[8];
    int32_t parts[4] = {0, 0, 0, 255};

    if (len != 3 && len != 4 && len != 6 && len != 8) {
        return COLOUR_NONE;
    }
    for (size_t i = 0; i < len; i++) {
        digits[i] = hex_value(text[i]);
        if (digits[i] < 0) {
            return COLOUR_NONE;
        }
    }
    if (len <= 4) {
        for (size_t i = 0; i < len; i++) {
            parts[i] = 17 * digits[i];
        }
    } else {
        for (size_t i = 0; i < len / 2; i++) {
            parts[i] = 16 * digits[2 * i] + digits[2 * i + 1];
        }
    }
    /* Nobody sees a fully transparent colour. */
    if (parts[3] == 0) {
        return COLOUR_OTHER;
    }
    return judge_rgb(parts[0], parts[1], parts[2]);
}

/* A number in thousandths and whether a percent sign follows; moves on.
 * false: there is none. */
static bool
read_number(const char **next, const char *end, int32_t *value, bool *percent)
{
    const char *at = *next;
    bool minus = at < end && *at == '-';
    int32_t whole = 0;
    int32_t part = 0;
    int32_t unit = THOUSAND;

    if (at < end && (*at == '-' || *at == '+')) {
        at++;
    }
    const char *digits = at;
    for (; at < end && ascii_is_digit(*at) && at - digits < DIGITS_MAX; at++) {
        whole = 10 * whole + (*at - '0');
    }
    bool any = at > digits;
    if (whole > INT32_MAX / THOUSAND - 1) {
        return false;
    }
    if (at < end && *at == '.') {
        for (at++; at < end && ascii_is_digit(*at); at++) {
            unit /= 10;
            part += unit * (*at - '0');
            any = true;
        }
    }
    *percent = at < end && *at == '%';
    *value = (minus ? -1 : 1) * (whole * THOUSAND + part);
    *next = *percent ? at + 1 : at;
    return any;
}

/* Skip the separators between two parts: blanks, commas, a slash. */
static void
skip_between(const char **next, const char *end)
{
    while (*next < end &&
           (is_blank(**next) || **next == ',' || **next == '/')) {
        (*next)++;
    }
}

/* Skip the unit of a hue; no palette uses the other units. */
static void
skip_degrees(const char **next, const char *end)
{
    static const char unit[] = "deg";
    size_t at = 0;

    while (at < 3 && *next + at < end && ascii_lower((*next)[at]) == unit[at]) {
        at++;
    }
    if (at == 3) {
        *next += 3;
    }
}

struct part {
    int32_t value; /* thousandths */
    bool percent;
};

/* Between the brackets of rgb() and hsl(): three or four numbers. */
static size_t
read_parts(const char *text, size_t len, struct part parts[4])
{
    const char *next = text;
    const char *end = text + len;
    size_t count = 0;

    for (skip_between(&next, end); next < end; skip_between(&next, end)) {
        if (count == 4 || !read_number(&next, end, &parts[count].value,
                                       &parts[count].percent)) {
            return 0;
        }
        if (count == 0) {
            skip_degrees(&next, end);
        }
        count++;
    }
    return count;
}

/* One part of rgb() as a number from 0 to 255. */
static int32_t
channel(struct part part)
{
    int64_t value = part.value;

    if (part.percent) {
        value = value * 255 / 100;
    }
    value = (value + THOUSAND / 2) / THOUSAND;
    if (value < 0) {
        return 0;
    }
    return value > 255 ? 255 : (int32_t)value;
}

/* rgb(…) or hsl(…), `word` the name before the bracket. */
static enum colour
read_function(const char *word, const char *text, size_t len)
{
    struct part parts[4] = {{0, false}};

    if (len == 0 || text[len - 1] != ')') {
        return COLOUR_NONE;
    }
    size_t count = read_parts(text, len - 1, parts);
    if (count < 3) {
        return COLOUR_NONE;
    }
    if (count == 4 && parts[3].value <= 0) {
        return COLOUR_OTHER;
    }
    if (strcmp(word, "rgb") == 0 || strcmp(word, "rgba") == 0) {
        return judge_rgb(channel(parts[0]), channel(parts[1]),
                         channel(parts[2]));
    }
    if (strcmp(word, "hsl") == 0 || strcmp(word, "hsla") == 0) {
        return judge_hsl(parts[0].value, parts[1].value, parts[2].value);
    }
    return COLOUR_NONE;
}

static bool
is_listed(const char *word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

static enum colour
judge_name(const char *word)
{
    if (is_listed(word, red_names, sizeof red_names / sizeof red_names[0])) {
        return COLOUR_RED;
    }
    if (is_listed(word, outside_names,
                  sizeof outside_names / sizeof outside_names[0])) {
        return COLOUR_OUTSIDE;
    }
    return COLOUR_OTHER;
}

enum colour
colour_read(const char *text, size_t len, bool bare)
{
    char word[WORD_MAX + 1] = "";
    size_t letters = 0;

    while (len > 0 && is_blank(text[len - 1])) {
        len--;
    }
    while (len > 0 && is_blank(*text)) {
        text++;
        len--;
    }
    if (len > 0 && *text == '#') {
        return read_hex(text + 1, len - 1);
    }
    if (bare && (len == 3 || len == 6)) {
        enum colour colour = read_hex(text, len);
        if (colour != COLOUR_NONE) {
            return colour;
        }
    }
    while (letters < len && letters < WORD_MAX &&
           ascii_is_letter(text[letters])) {
        word[letters] = ascii_lower(text[letters]);
        letters++;
    }
    if (letters == 0) {
        return COLOUR_NONE;
    }
    if (letters == len) {
        return judge_name(word);
    }
    if (text[letters] == '(') {
        return read_function(word, text + letters + 1, len - letters - 1);
    }
    return COLOUR_NONE;
}
