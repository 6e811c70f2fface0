#include "bot/base/civil.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "bot/base/calendar.h"
#include "bot/base/memory.h"

enum {
    HOUR_S = 3600,
    DAY_S = 24 * HOUR_S,
};

int64_t
clock_now(void)
{
    struct timespec now;

    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        die("the system has no clock");
    }
    return (int64_t)now.tv_sec * SECOND_MS + now.tv_nsec / 1000000;
}

/* ---- instants ------------------------------------------------------------ */

struct civil
civil_at(int64_t instant, const struct zone *zone)
{
    int64_t second = floor_divide(instant, SECOND_MS);
    const struct zone_kind *kind = zone_at(zone, second).kind;
    int64_t local = second + kind->offset;
    int64_t days = floor_divide(local, DAY_S);
    int64_t of_day = floor_modulo(local, DAY_S);
    struct civil civil = {.offset = kind->offset};

    memcpy(civil.zone, kind->name, sizeof(civil.zone));
    civil.year = (int)year_of_day(days);
    /* No month has fewer than 28 days, so it is this one or one before. */
    int64_t month = 1 + (days - days_before(civil.year, 1, 1)) / 28;
    civil.month = month < 12 ? (int)month : 12;
    while (days < days_before(civil.year, civil.month, 1)) {
        civil.month--;
    }
    civil.day = (int)(days - days_before(civil.year, civil.month, 1)) + 1;
    civil.hour = (int)(of_day / HOUR_S);
    civil.minute = (int)(of_day % HOUR_S / 60);
    civil.second = (int)(of_day % 60);
    civil.weekday = (int)floor_modulo(days + 4, 7);
    return civil;
}

/* The second at which a zone's clocks first show `local`. */
static int64_t
second_of(int64_t local, const struct zone *zone)
{
    int64_t from = local - ZONE_OFFSET_MAX_S;
    int64_t before = 0;

    /* Every offset is less than ZONE_OFFSET_MAX_S, so the answer lies after
     * `from`, and in the first stretch it can't lie before its beginning. */
    for (;;) {
        struct zone_stretch stretch = zone_at(zone, from);
        int64_t second = local - stretch.kind->offset;
        if (second < from) {
            return local - before; /* skipped when this stretch began */
        }
        if (second < stretch.until) {
            return second;
        }
        before = stretch.kind->offset;
        from = stretch.until;
    }
}

int64_t
civil_instant(const struct civil *civil, const struct zone *zone)
{
    const int64_t limit =
        INT64_MAX / SECOND_MS - (int64_t)2 * ZONE_OFFSET_MAX_S;
    int64_t local = days_before(civil->year, civil->month, civil->day) * DAY_S +
                    (int64_t)civil->hour * HOUR_S +
                    (int64_t)civil->minute * 60 + civil->second;

    if (local > limit) {
        local = limit;
    } else if (local < -limit) {
        local = -limit;
    }
    return second_of(local, zone) * SECOND_MS;
}

void
instant_write(int64_t instant, struct buf *out)
{
    struct civil civil = civil_at(instant, zone_utc());

    buf_addf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", civil.year, civil.month,
             civil.day, civil.hour, civil.minute, civil.second);
}

static int
digits(const char *text, size_t count)
{
    int number = 0;

    for (size_t i = 0; i < count; i++) {
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

/* Is a text, whole, of this form, in which "d" is a digit? */
static bool
has_form(const char *text, const char *form)
{
    while (*form != '\0' && (*form == 'd' ? isdigit((unsigned char)*text) != 0
                                          : *text == *form)) {
        text++;
        form++;
    }
    return *form == '\0' && *text == '\0';
}

bool
instant_read(const char *text, int64_t *instant)
{
    if (!has_form(text, "dddd-dd-ddTdd:dd:ddZ")) {
        return false;
    }
    struct civil civil = {
        .year = digits(text, 4),
        .month = digits(text + 5, 2),
        .day = digits(text + 8, 2),
        .hour = digits(text + 11, 2),
        .minute = digits(text + 14, 2),
        .second = digits(text + 17, 2),
    };
    if (civil.month < 1 || civil.month > 12 || civil.day < 1 ||
        civil.day > month_days(civil.year, civil.month) || civil.hour > 23 ||
        civil.minute > 59 || civil.second > 59) {
        return false;
    }
    *instant = civil_instant(&civil, zone_utc());
    return true;
}

/* "Z", or an offset such as "+02:00". */
static bool
offset_read(const char *text, int64_t *offset)
{
    bool east = text[0] == '+';

    *offset = 0;
    if (strcmp(text, "Z") == 0) {
        return true;
    }
    if ((!east && text[0] != '-') || !has_form(text + 1, "dd:dd")) {
        return false;
    }
    *offset = digits(text + 1, 2) * HOUR_MS + digits(text + 4, 2) * MINUTE_MS;
    *offset *= east ? 1 : -1;
    return true;
}

bool
timestamp_read(const char *text, int64_t *instant)
{
    char whole[] = "2026-11-21T10:00:00Z";
    size_t at = sizeof(whole) - 2; /* of "Z" */
    int64_t unit = SECOND_MS / 10;
    int64_t offset;
    int64_t found;

    if (strlen(text) <= at) {
        return false;
    }
    memcpy(whole, text, at);
    if (!instant_read(whole, &found)) {
        return false;
    }
    if (text[at] == '.') {
        for (at++; isdigit((unsigned char)text[at]); at++, unit /= 10) {
            found += digits(text + at, 1) * unit;
        }
    }
    if (!offset_read(text + at, &offset) || found < offset) {
        return false;
    }
    *instant = found - offset;
    return true;
}

/* ---- durations ----------------------------------------------------------- */

static const struct unit {
    const char *words; /* that mean it, the letter first, blanks between */
    int64_t length;
} units[] = {{"w wk wks week weeks", 7 * DAY_MS},
             {"d day days", DAY_MS},
             {"h hr hrs hour hours", HOUR_MS},
             {"m min mins minute minutes", MINUTE_MS},
             {"s sec secs second seconds", SECOND_MS}};

enum {
    UNITS = sizeof(units) / sizeof(units[0])
};

static void
skip_spaces(const char **text)
{
    while (**text == ' ') {
        ++*text;
    }
}

/* Is a word one of a unit's, whatever its case? */
static bool
unit_is(const struct unit *unit, const char *word, size_t len)
{
    const char *words = unit->words;
    bool found = false;

    while (*words != '\0' && !found) {
        size_t own = strcspn(words, " ");

        found = own == len && strncasecmp(words, word, len) == 0;
        words += own;
        words += *words == ' ';
    }
    return found;
}

bool
duration_read(const char *text, int64_t *duration)
{
    const int64_t longest = 366 * DAY_MS;
    int64_t sum = 0;
    size_t unit = 0;
    int number;

    skip_spaces(&text);
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; skip_spaces(&text)) {
        if (!read_in_range(&text, 0, 366 * 24 * 3600, &number)) {
            return false;
        }
        skip_spaces(&text);
        if (*text == '\0' && number == 0 && unit == 0) {
            break; /* zero needs no unit */
        }
        size_t len = 0;
        while (isalpha((unsigned char)text[len])) {
            len++;
        }
        while (unit < UNITS && !unit_is(&units[unit], text, len)) {
            unit++;
        }
        if (unit == UNITS) {
            return false;
        }
        text += len;
        sum += number * units[unit++].length;
        if (sum > longest) {
            return false;
        }
    }
    *duration = sum;
    return true;
}

bool
durations_read(const char *text, int64_t *list, unsigned max, unsigned *count)
{
    char one[32];

    *count = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, ",");

        if (*count == max || len >= sizeof(one)) {
            return false;
        }
        memcpy(one, text, len);
        one[len] = '\0';
        if (!duration_read(one, &list[(*count)++])) {
            return false;
        }
        text += len;
        if (*text == ',' && *++text == '\0') {
            return false;
        }
    }
    return true;
}

/* Read "7:30" and step over it. */
static bool
read_hour(const char **text, int *minutes)
{
    int hour;
    int minute;

    if (!read_in_range(text, 0, 23, &hour) || **text != ':') {
        return false;
    }
    ++*text;
    if (!isdigit((unsigned char)(*text)[0]) ||
        !isdigit((unsigned char)(*text)[1]) ||
        isdigit((unsigned char)(*text)[2]) ||
        !read_in_range(text, 0, 59, &minute)) {
        return false;
    }
    *minutes = hour * 60 + minute;
    return true;
}

bool
hour_read(const char *text, int *minutes)
{
    return read_hour(&text, minutes) && *text == '\0';
}

bool
hours_read(const char *text, int *from, int *to)
{
    if (!read_hour(&text, from)) {
        return false;
    }
    skip_spaces(&text);
    if (*text++ != '-') {
        return false;
    }
    skip_spaces(&text);
    return read_hour(&text, to) && *text == '\0' && *from != *to;
}

bool
hours_hold(int from, int to, int minute)
{
    return from < to ? minute >= from && minute < to
                     : minute >= from || minute < to;
}

/* Read a day of the week by its first three letters and step over them; -1:
 * none. */
static int
read_weekday(const char **text)
{
    static const char names[] = "sunmontuewedthufrisat";

    for (int day = 0; day < 7; day++) {
        size_t i = 0;

        while (i < 3 && tolower((unsigned char)(*text)[i]) ==
                            names[(size_t)3 * (size_t)day + i]) {
            i++;
        }
        if (i == 3) {
            *text += 3;
            return day;
        }
    }
    return -1;
}

bool
weekdays_read(const char *text, unsigned *days)
{
    const unsigned all = (1U << 7) - 1;

    *days = 0;
    for (; *text != '\0'; text += strspn(text, " ,")) {
        int day = read_weekday(&text);

        if (day < 0 || (*text != '\0' && strchr(" ,", *text) == NULL)) {
            return false;
        }
        *days |= 1U << day;
    }
    return *days != all;
}

void
duration_write(int64_t duration, struct buf *out)
{
    bool any = false;
    int64_t rest = duration;

    assert(duration >= 0);
    for (size_t unit = 1; unit < UNITS; unit++) { /* weeks as days */
        int64_t number = rest / units[unit].length;
        rest %= units[unit].length;
        if (number > 0) {
            buf_addf(out, "%s%lld%c", any ? " " : "", (long long)number,
                     units[unit].words[0]);
            any = true;
        }
    }
    if (!any) {
        buf_add_char(out, '0');
    }
}
