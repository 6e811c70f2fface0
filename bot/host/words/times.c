#include "bot/host/words/times.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "bot/base/calendar.h"
#include "bot/base/civil.h"
#include "bot/host/reading/names.h"

/* ---- words ---------------------------------------------------------------
 */

enum list {
    LIST_WEEKDAYS,
    LIST_MONTHS,
    LIST_AHEAD,
    LIST_UNTIL,
    LIST_FILLER,
    LIST_CLOCK,
    LIST_NUMBERS,
    LIST_ONE,
};

/* The catalogue's key, and the English words, which are always understood; a
 * word's position says what it means, and other words for the same stand
 * behind "/". */
static const struct {
    const char *key, *english;
    size_t least; /* letters of a word that may be cut short; 0: none may */
} lists[] = {
    [LIST_WEEKDAYS] = {"read_weekdays",
                       "sunday monday tuesday wednesday thursday friday "
                       "saturday",
                       3},
    [LIST_MONTHS] = {"read_months",
                     "january february march april may june july august "
                     "september october november december",
                     3},
    [LIST_AHEAD] = {"read_ahead", "today tomorrow", 0},
    [LIST_UNTIL] = {"read_until", "until till til to", 0},
    [LIST_FILLER] = {"read_filler", "at on by for in of the and next this", 0},
    [LIST_CLOCK] = {"read_clock", "oclock", 0},
    [LIST_NUMBERS] = {"read_numbers", "two three four five six seven", 0},
    [LIST_ONE] = {"read_one", "a an one", 0},
};

/* The position of a word in one text of a list; -1: it is not there, or cut so
 * short that it may be several. */
static int
place_in(const char *words, const struct buf *word, size_t least)
{
    int place = 0;
    int found = -1;
    unsigned fit = 0;
    while (words != NULL && *words != '\0') {
        size_t len = strcspn(words, " /");
        bool begins =
            len >= word->len && memcmp(words, word->data, word->len) == 0;
        if (begins && len == word->len) {
            return place;
        }
        if (begins && least > 0 && word->len >= least && found != place) {
            found = place;
            fit++;
        }
        words += len;
        place += *words == ' ';
        words += *words != '\0';
    }
    return fit == 1 ? found : -1;
}

/* The position of a word in a list, compared without accents, or -1. */
static int
find(const struct catalogue *catalogue, enum list list, const char *word,
     size_t len)
{
    struct buf loose = BUF_INIT;
    int place = -1;
    name_loose_key(word, len, &loose);
    if (loose.len > 0) {
        place = place_in(language_find(&catalogue->language, lists[list].key),
                         &loose, lists[list].least);
    }
    if (loose.len > 0 && place < 0) {
        place = place_in(lists[list].english, &loose, lists[list].least);
    }
    buf_release(&loose);
    return place;
}

static bool
is_digit(char byte)
{
    return isdigit((unsigned char)byte) != 0;
}

/* The bytes of the letters that a text begins with, and of an apostrophe or a
 * hyphen between two. */
static size_t
word_len(const char *text)
{
    size_t len = strlen(text);
    size_t end = 0;
    for (size_t at = 0; at < len;) {
        int32_t letter = 0;
        size_t used = letter_next(text, len, at, &letter);
        bool joins = end > 0 && end == at &&
                     (letter == '\'' || letter == 0x2019 || letter == '-');
        bool word = letter_is_word(letter) && !is_digit(text[at]);
        if (!word && !joins) {
            break;
        }
        at += used;
        end = word ? at : end;
    }
    return end;
}

/* The bytes of the blanks that a text begins with. */
static size_t
blanks(const char *text)
{
    size_t len = strlen(text);
    int32_t letter = 0;
    size_t at = 0;
    size_t used = 0;
    while (at < len && (used = letter_next(text, len, at, &letter)) > 0 &&
           letter_is_blank(letter)) {
        at += used;
    }
    return at;
}

size_t
times_gap(const char *text)
{
    size_t len = strlen(text);
    size_t at = 0;
    while (at < len) {
        int32_t letter = 0;
        size_t used = letter_next(text, len, at, &letter);
        if (letter_is_word(letter) || letter_is_symbol(letter) ||
            strchr("(+-", text[at]) != NULL) {
            break;
        }
        at += used;
    }
    return at;
}

/* ---- lengths ------------------------------------------------------------- */

/* The unit of time that a word means; '\0': none. */
static char
unit_of(const struct catalogue *catalogue, const char *word, size_t len)
{
    static const struct {
        const char *key;
        char unit;
    } units[] = {{"read_weeks", 'w'},
                 {"read_days", 'd'},
                 {"read_hours", 'h'},
                 {"read_minutes", 'm'},
                 {"read_seconds", 's'}};
    struct buf loose = BUF_INIT;
    struct buf one = BUF_INIT;
    int64_t length = 0;
    char unit = '\0';
    name_loose_key(word, len, &loose);
    for (unsigned i = 0; loose.len > 0 && i < 5 && unit == '\0'; i++) {
        const char *words = language_find(&catalogue->language, units[i].key);
        if (place_in(words, &loose, 0) >= 0) {
            unit = units[i].unit;
        }
    }
    buf_add_char(&one, '1');
    buf_add(&one, word, len);
    if (len > 0 && unit == '\0' && duration_read(buf_text(&one), &length)) {
        unit = word[0]; /* in whatever case: duration_read knows */
    }
    buf_release(&loose);
    buf_release(&one);
    return unit;
}

/* The number that a word means; 0: none. */
static unsigned
number_of(const struct catalogue *catalogue, const char *word, size_t len)
{
    int place = find(catalogue, LIST_NUMBERS, word, len);
    if (place >= 0) {
        return (unsigned)place + 2;
    }
    return find(catalogue, LIST_ONE, word, len) >= 0 ? 1 : 0;
}

/* Append the number and the unit that a text begins with, "24h".  Returns the
 * bytes; 0: there are none. */
static size_t
read_part(const struct catalogue *catalogue, const char *text,
          struct buf *plain)
{
    size_t digits = strspn(text, "0123456789");
    size_t at = digits > 0 ? digits : word_len(text);
    unsigned number = digits > 0 ? 0 : number_of(catalogue, text, at);
    size_t next = at + times_gap(text + at);
    size_t len = word_len(text + next);
    char unit = unit_of(catalogue, text + next, len);
    bool after_hours = plain->len > 0 && plain->data[plain->len - 1] == 'h';
    if (digits == 0 && number == 0) {
        return 0;
    }
    if (digits > 0) {
        buf_add(plain, text, digits);
    } else {
        buf_add_number(plain, number);
    }
    if (unit == '\0' && digits == 2 && after_hours) { /* "1 h 30" */
        buf_add_char(plain, 'm');
        return at;
    }
    if (unit == '\0') {
        return 0;
    }
    buf_add_char(plain, unit);
    return next + len;
}

/* Append the length that a text begins with; returns its bytes. */
static size_t
read_length(const struct catalogue *catalogue, const char *text,
            struct buf *plain)
{
    struct buf tried = BUF_INIT;
    int64_t length = 0;
    size_t used = 0;
    for (size_t at = times_gap(text); text[at] != '\0';) {
        size_t len = word_len(text + at);
        if (len > 0 && find(catalogue, LIST_FILLER, text + at, len) >= 0) {
            at += len + times_gap(text + at + len);
            continue;
        }
        len = read_part(catalogue, text + at, &tried);
        if (len == 0 || !duration_read(buf_text(&tried), &length)) {
            break;
        }
        at += len;
        used = at;
        at += times_gap(text + at);
        buf_clear(plain);
        buf_add_buf(plain, &tried);
    }
    buf_release(&tried);
    return used;
}

size_t
times_read_length(const struct catalogue *catalogue, const char *text,
                  int64_t *length)
{
    struct buf plain = BUF_INIT;
    size_t used = read_length(catalogue, text, &plain);
    if (used > 0 && !duration_read(buf_text(&plain), length)) {
        used = 0;
    }
    buf_release(&plain);
    return used;
}

bool
times_plain_length(const struct catalogue *catalogue, const char *text,
                   struct buf *plain)
{
    struct buf read = BUF_INIT;
    size_t used = read_length(catalogue, text, &read);
    bool whole = used > 0 && text[used + times_gap(text + used)] == '\0';
    if (whole) {
        buf_add_buf(plain, &read);
    }
    buf_release(&read);
    return whole;
}

/* ---- moments ------------------------------------------------------------- */

/* What is said of a moment. */
struct said {
    int weekday, ahead;   /* days from today on; -1: not said */
    int year, month, day; /* 0: not said */
    int clock;            /* in seconds after midnight; -1: not said */
    const struct zone *zone;
};

static bool
two_digits(const char *text, int most, int *number)
{
    if (!is_digit(text[0]) || !is_digit(text[1]) || is_digit(text[2])) {
        return false;
    }
    *number = 10 * (text[0] - '0') + text[1] - '0';
    return *number <= most;
}

/* Step over a word, and the blanks before it; false: it is another. */
static bool
step_over(const char **text, const char *word)
{
    const char *at = *text + blanks(*text);
    size_t len = strlen(word);
    if (word_len(at) != len || strncasecmp(at, word, len) != 0) {
        return false;
    }
    *text = at + len;
    return true;
}

/* Step over "pm", "a.m."; the hours to be added to those of twelve, or -1. */
static int
skip_half(const char **text)
{
    const char *at = *text + blanks(*text);
    int half = *at == 'p' || *at == 'P' ? 12 : 0;
    if (half == 0 && *at != 'a' && *at != 'A') {
        return -1;
    }
    at++;
    at += *at == '.';
    if ((*at != 'm' && *at != 'M') || word_len(at) != 1) {
        return -1;
    }
    at++;
    *text = at + (*at == '.');
    return half;
}

/* Minutes and seconds: ":30", ".30", " h 30 min 15 s". */
static bool
read_minutes(const char **text, int *seconds)
{
    const char *at = *text;
    char mark = *at;
    int minute = 0;
    int second = 0;
    bool good = false;
    if ((mark == ':' || mark == '.') && two_digits(at + 1, 59, &minute)) {
        at += 3;
        at += *at == mark && two_digits(at + 1, 59, &second) ? 3 : 0;
        good = true;
    } else if (step_over(&at, "h")) {
        const char *next = at + blanks(at);
        at = two_digits(next, 59, &minute) ? next + 2 : at;
        next = at;
        if (step_over(&next, "min")) {
            next += blanks(next);
            at = next;
            at += two_digits(next, 59, &second) ? 2 : 0;
            (void)step_over(&at, "s");
        }
        good = true;
    }
    *text = at;
    *seconds = 60 * minute + second;
    return good;
}

/* "21:00", "9pm", "21 h 30", "21 Uhr", "kl. 21".  Returns its bytes, or 0. */
static size_t
read_clock(const struct times *times, const char *text, int *clock)
{
    size_t before = word_len(text);
    const char *at = text + before + times_gap(text + before);
    int hour = 0;
    int seconds = 0;
    if (before > 0 && find(times->catalogue, LIST_CLOCK, text, before) < 0) {
        return 0;
    }
    if (!read_in_range(&at, 0, 23, &hour)) {
        return 0;
    }
    bool marked = read_minutes(&at, &seconds);
    int half = skip_half(&at);
    const char *word = at + blanks(at);
    size_t len = word_len(word);
    if (len > 0 && find(times->catalogue, LIST_CLOCK, word, len) >= 0) {
        at = word + len;
        marked = true;
    }
    marked = marked || before > 0;
    if ((!marked && half < 0) || (half >= 0 && (hour < 1 || hour > 12))) {
        return 0;
    }
    hour = half >= 0 ? hour % 12 + half : hour;
    *clock = hour * 3600 + seconds;
    return (size_t)(at - text);
}

/* A year behind a date, if there is one. */
static const char *
read_year(const char *text, struct said *said)
{
    const char *at = text + times_gap(text);
    bool year = strspn(at, "0123456789") == 4 && at[4] != ':' && at[4] != '.';
    return year && read_in_range(&at, 1970, 9999, &said->year) ? at : text;
}

/* A day of the month, and the ending of its number: "22", "22.", "1er",
 * "22nd". */
static bool
read_day(const char **text, int *day)
{
    static const char *const endings[] = {"st", "nd", "rd", "th", "er", "e"};
    if (!read_in_range(text, 1, 31, day)) {
        return false;
    }
    *text += **text == '.';
    size_t len = **text == ' ' ? 0 : word_len(*text);
    for (unsigned i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (strlen(endings[i]) == len &&
            strncasecmp(*text, endings[i], len) == 0) {
            *text += len;
            break;
        }
    }
    return true;
}

/* The month that a text begins with, from 1, behind "of", "de"; 0: none. */
static int
read_month(const struct times *times, const char **text)
{
    const char *at = *text + times_gap(*text);
    size_t len = word_len(at);
    if (len > 0 && find(times->catalogue, LIST_FILLER, at, len) >= 0) {
        at += len + times_gap(at + len);
        len = word_len(at);
    }
    int month = find(times->catalogue, LIST_MONTHS, at, len) + 1;
    *text = month > 0 ? at + len : *text;
    return month;
}

/* "2026-11-22", "22.11.", "22 Nov 2026".  Returns its bytes, or 0. */
static size_t
read_date(const struct times *times, const char *text, struct said *said)
{
    const char *at = text;
    int month = 0;
    int day = 0;
    if (strspn(at, "0123456789") == 4 && at[4] == '-') {
        int year = 0;
        if (!read_in_range(&at, 1970, 9999, &year) ||
            !two_digits(at + 1, 12, &month) || at[3] != '-' ||
            !two_digits(at + 4, 31, &day)) {
            return 0;
        }
        said->year = year;
        at += 6;
    } else if (!read_day(&at, &day)) {
        return 0;
    } else if (at[-1] == '.' && read_in_range(&at, 1, 12, &month) &&
               *at == '.') {
        at = read_year(at + 1, said);
    } else {
        at = text;
        (void)read_day(&at, &day);
        month = read_month(times, &at);
        at = month == 0 ? at : read_year(at, said);
    }
    said->month = month;
    said->day = day;
    return month == 0 ? 0 : (size_t)(at - text);
}

/* A zone by what people call it, in summer and in winter alike: by "CET" they
 * mean the clocks of a place, whatever these show that day.  GMT is UTC.
 * NULL: there is none of that name. */
static const struct zone *
find_zone(struct zones *zones, const char *text, size_t len)
{
    static const char *const names[][2] = {
        {"gmt", "UTC"},
        {"bst", "Europe/London"},
        {"wet", "Europe/Lisbon"},
        {"cet cest mez mesz", "Europe/Berlin"},
        {"eet eest", "Europe/Helsinki"},
        {"est edt", "America/New_York"},
        {"cst cdt", "America/Chicago"},
        {"mst mdt", "America/Denver"},
        {"pst pdt", "America/Los_Angeles"},
    };
    const struct zone *zone = NULL;
    struct buf word = BUF_INIT;
    name_loose_key(text, len, &word);
    for (size_t i = 0; zones != NULL && word.len > 0 && zone == NULL &&
                       i < sizeof names / sizeof *names;
         i++) {
        if (place_in(names[i][0], &word, 0) >= 0) {
            zone = zones_find(zones, names[i][1]);
        }
    }
    buf_release(&word);
    return zone;
}

/* The zone that a text names: one of those whose clocks are meant, UTC, or one
 * that is well known.  Returns its bytes, or 0. */
static size_t
read_zone(const struct times *times, const char *text, struct said *said)
{
    const struct zone *const zones[] = {times->zone, times->own, zone_utc()};
    size_t len = *text == '+' || *text == '-'
                     ? 1 + strspn(text + 1, "0123456789:")
                     : word_len(text);
    for (unsigned i = 0; i < 12; i++) {
        const struct zone *zone = zones[i / 4];
        if (zone != NULL) {
            struct civil civil =
                civil_at(times->now + i % 4 * (91 * DAY_MS), zone);
            if (strlen(civil.zone) == len &&
                strncasecmp(civil.zone, text, len) == 0) {
                said->zone = zone;
                return len;
            }
        }
    }
    said->zone = find_zone(times->zones, text, len);
    return said->zone == NULL ? 0 : len;
}

/* A word of a moment; its bytes, or 0. */
static size_t
read_word(const struct times *times, const char *text, struct said *said)
{
    const struct catalogue *catalogue = times->catalogue;
    size_t len = word_len(text);
    int weekday = find(catalogue, LIST_WEEKDAYS, text, len);
    int ahead = find(catalogue, LIST_AHEAD, text, len);
    int month = find(catalogue, LIST_MONTHS, text, len);
    if (weekday >= 0 && said->weekday < 0) {
        said->weekday = weekday;
        return len;
    }
    if (ahead >= 0 && said->ahead < 0) {
        said->ahead = ahead;
        return len;
    }
    const char *at = text + len + times_gap(text + len);
    if (month >= 0 && said->month == 0 && read_day(&at, &said->day)) {
        said->month = month + 1;
        return (size_t)(read_year(at, said) - text);
    }
    return 0;
}

/* The next thing that a text says of a moment; its bytes, or 0. */
static size_t
read_next(const struct times *times, const char *text, struct said *said)
{
    size_t len = 0;
    if (is_digit(*text)) {
        len = said->month == 0 ? read_date(times, text, said) : 0;
    }
    if (len == 0 && said->clock < 0) {
        len = read_clock(times, text, &said->clock);
    }
    if (len > 0 || is_digit(*text)) {
        return len;
    }
    if (*text == '(' && said->clock >= 0) { /* "(20:00 UTC)", as we write it */
        size_t end = strcspn(text, ")");
        bool known = end > 4 && strncmp(text + end - 4, " UTC", 4) == 0;
        if (said->zone == NULL && read_zone(times, text + 1, said) > 0) {
            known = true; /* "(CET ; 20 h 00 UTC)" */
        }
        return known && text[end] == ')' ? end + 1 : 0;
    }
    len = said->clock >= 0 && said->zone == NULL ? read_zone(times, text, said)
                                                 : 0;
    return len == 0 ? read_word(times, text, said) : len;
}

/* The day that is said, of which `civil` has today's; the days after which it
 * comes again, 0: it does not.  False: there is no such day. */
static bool
find_day(const struct said *said, struct civil *civil, int *again)
{
    struct civil today = *civil;
    *again = 0;
    if (said->month != 0) {
        civil->month = said->month;
        civil->day = said->day;
        bool over = civil->month < today.month ||
                    (civil->month == today.month && civil->day < today.day);
        civil->year = said->year != 0 ? said->year : today.year + over;
        return said->day >= 1 &&
               said->day <= month_days(civil->year, said->month);
    }
    if (said->weekday >= 0) {
        *again = 7;
        civil->day += (said->weekday - today.weekday + 7) % 7;
    } else if (said->ahead >= 0) {
        civil->day += said->ahead;
    } else {
        *again = 1;
    }
    return true;
}

/* The moment that is said; false: none, or one that is over. */
static bool
find_moment(const struct times *times, const struct said *said, int64_t *moment)
{
    const struct zone *zone = said->zone != NULL ? said->zone : times->zone;
    struct civil civil = civil_at(times->now, zone);
    int today = civil.day;
    int again = 0;
    bool day = said->month != 0 || said->weekday >= 0 || said->ahead >= 0;
    int clock = said->clock < 0 && day && times->hour >= 0 ? 60 * times->hour
                                                           : said->clock;
    if (clock < 0 || !find_day(said, &civil, &again)) {
        return false;
    }
    civil.hour = 0;
    civil.minute = 0;
    civil.second = clock;
    *moment = civil_instant(&civil, zone);
    /* "Until Sunday", said on a Sunday, is the next one. */
    bool same = again == 7 && said->clock < 0 && civil.day == today;
    if (*moment <= times->now || same) {
        civil.day += again;
        *moment = civil_instant(&civil, zone);
    }
    bool right =
        said->weekday < 0 || civil_at(*moment, zone).weekday == said->weekday;
    return right && *moment > times->now;
}

/* The bytes of a word that means nothing here, or of "until". */
static size_t
skip_empty(const struct catalogue *catalogue, const char *text)
{
    size_t len = word_len(text);
    bool empty = len > 0 && (find(catalogue, LIST_UNTIL, text, len) >= 0 ||
                             find(catalogue, LIST_FILLER, text, len) >= 0);
    return empty ? len : 0;
}

size_t
times_read_moment(const struct times *times, const char *text, int64_t *moment)
{
    struct said said = {.weekday = -1, .ahead = -1, .clock = -1};
    size_t used = 0;
    size_t len = 1;
    for (size_t at = times_gap(text); text[at] != '\0' && len > 0;) {
        len = read_next(times, text + at, &said);
        if (len > 0) {
            used = at + len;
        } else {
            len = skip_empty(times->catalogue, text + at);
        }
        at += len;
        at += times_gap(text + at);
    }
    return used > 0 && find_moment(times, &said, moment) ? used : 0;
}

bool
times_says_until(const struct catalogue *catalogue, const char *text)
{
    const char *word = text + times_gap(text);
    size_t len = word_len(word);
    return len > 0 && find(catalogue, LIST_UNTIL, word, len) >= 0;
}
