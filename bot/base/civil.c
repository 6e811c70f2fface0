#include "bot/base/civil.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bot/base/files.h"

#define ZONE_FOLDER "/usr/share/zoneinfo"

enum {
    ZONE_BYTES_MAX = 256 * 1024,
    ZONE_NAME_MAX = 63,
    TYPES_MAX = 256,
    HOUR_S = 3600,
    DAY_S = 24 * HOUR_S,
    OFFSET_MAX_S =
        26 * HOUR_S, /* RFC 8536, section 3.2: -25:59:59 … 25:59:59 */
};

/* One kind of local time: "CEST", two hours east, say. */
struct kind {
    int offset;
    char name[16];
};

/* A day and time of every year at which the clocks change (POSIX, Base
 * Definitions, 8.3, TZ). */
struct yearly {
    enum {
        BY_MONTH,
        BY_DAY,
        BY_DAY_NO_LEAP
    } by;
    int month, week, weekday; /* BY_MONTH: the week-th weekday, 5: the last */
    int day;     /* of the year: from 0 (BY_DAY), from 1 without 29 February */
    int seconds; /* after midnight, also negative or more than a day */
};

/* What holds for good after the last transition. */
struct forever {
    bool known;
    bool summer; /* clocks change */
    struct kind normal_kind, summer_kind;
    struct yearly begins, ends; /* of summer time */
};

struct zone {
    size_t count;
    int64_t *at;        /* seconds: transitions, rising */
    unsigned char *to;  /* the kind from then on */
    struct kind *kinds; /* the first: before all transitions */
    struct forever forever;
};

/* A stretch of time with one kind, to `until` (exclusive). */
struct stretch {
    const struct kind *kind;
    int64_t until;
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

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static int64_t
floor_mod(int64_t a, int64_t b)
{
    return a - floor_div(a, b) * b;
}

static bool
is_leap(int64_t year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int
month_days(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01 to a date of the Gregorian calendar; months outside
 * 1 … 12 and any day are carried over.  Years begin in March here, so that the
 * odd day is a year's last. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
    int64_t months = year * 12 + (month - 1) - 2;
    int64_t march_year = floor_div(months, 12);
    int64_t march_month = floor_mod(months, 12);
    int64_t era = floor_div(march_year, 400);
    int64_t of_era = march_year - era * 400;
    int64_t of_year = (153 * march_month + 2) / 5;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year +
           (day - 1) - 719468;
}

static int64_t
year_of(int64_t days)
{
    int64_t year = 1970 + floor_div(days * 400, 146097);

    while (days < days_of(year, 1, 1)) {
        year--;
    }
    while (days >= days_of(year + 1, 1, 1)) {
        year++;
    }
    return year;
}

/* ---- zones: reading a TZif file (RFC 8536) ------------------------------- */

struct reader {
    const unsigned char *next;
    size_t left;
    bool bad; /* there were too few bytes, or they made no sense */
};

struct header {
    char version;
    uint32_t is_ut, is_std, leap, times, kinds, chars;
};

/* The next bytes, borrowed; NULL and `bad`: there are too few. */
static const unsigned char *
take(struct reader *in, size_t len)
{
    const unsigned char *bytes = in->next;

    if (in->bad || len > in->left) {
        in->bad = true;
        return NULL;
    }
    in->next += len;
    in->left -= len;
    return bytes;
}

static uint64_t
take_number(struct reader *in, size_t width)
{
    const unsigned char *bytes = take(in, width);
    uint64_t number = 0;

    for (size_t i = 0; bytes != NULL && i < width; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

static struct header
take_header(struct reader *in)
{
    struct header header = {0};
    const unsigned char *magic = take(in, 5);

    if (magic == NULL || memcmp(magic, "TZif", 4) != 0) {
        in->bad = true;
        return header;
    }
    header.version = (char)magic[4];
    take(in, 15);
    header.is_ut = (uint32_t)take_number(in, 4);
    header.is_std = (uint32_t)take_number(in, 4);
    header.leap = (uint32_t)take_number(in, 4);
    header.times = (uint32_t)take_number(in, 4);
    header.kinds = (uint32_t)take_number(in, 4);
    header.chars = (uint32_t)take_number(in, 4);
    if (header.times > ZONE_BYTES_MAX || header.chars > ZONE_BYTES_MAX ||
        header.leap > ZONE_BYTES_MAX || header.kinds == 0 ||
        header.kinds > TYPES_MAX || header.is_ut > TYPES_MAX ||
        header.is_std > TYPES_MAX) {
        in->bad = true;
    }
    return header;
}

static void
read_times(struct reader *in, const struct header *header, struct zone *zone)
{
    zone->count = header->times;
    zone->at = must_alloc(header->times * sizeof(*zone->at));
    zone->to = must_alloc(header->times);
    for (size_t i = 0; i < zone->count; i++) {
        zone->at[i] = (int64_t)take_number(in, 8);
        if (i > 0 && zone->at[i] <= zone->at[i - 1]) {
            in->bad = true;
        }
    }
    for (size_t i = 0; i < zone->count; i++) {
        zone->to[i] = (unsigned char)take_number(in, 1);
        if (zone->to[i] >= header->kinds) {
            in->bad = true;
        }
    }
}

static void
read_kinds(struct reader *in, const struct header *header, struct zone *zone)
{
    const unsigned char *rows = take(in, (size_t)header->kinds * 6);
    const unsigned char *names = take(in, header->chars);

    zone->kinds = must_alloc(header->kinds * sizeof(*zone->kinds));
    for (size_t i = 0; names != NULL && i < header->kinds; i++) {
        struct reader row = {.next = rows + i * 6, .left = 6};
        struct kind *kind = &zone->kinds[i];
        kind->offset = (int32_t)take_number(&row, 4);
        take(&row, 1);
        size_t from = take_number(&row, 1);
        if (from >= header->chars ||
            memchr(names + from, '\0', header->chars - from) == NULL ||
            kind->offset <= -OFFSET_MAX_S || kind->offset >= OFFSET_MAX_S) {
            in->bad = true;
            return;
        }
        strncpy(kind->name, (const char *)names + from, sizeof(kind->name) - 1);
    }
}

/* ---- zones: reading the footer, a TZ text of POSIX ----------------------- */

static int
take_char(const char **text)
{
    return **text == '\0' ? 0 : *(*text)++;
}

static bool
skip_char(const char **text, char wanted)
{
    if (**text != wanted) {
        return false;
    }
    ++*text;
    return true;
}

/* A number from min to max. */
static bool
read_number(const char **text, int min, int max, int *number)
{
    int sum = 0;

    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    while (isdigit((unsigned char)**text)) {
        sum = sum * 10 + (take_char(text) - '0');
        if (sum > max) {
            return false;
        }
    }
    *number = sum;
    return sum >= min;
}

/* "CET" or "<+03>". */
static bool
read_name(const char **text, char *name, size_t size)
{
    bool quoted = skip_char(text, '<');
    size_t len = 0;

    for (;; ++*text) {
        unsigned char byte = (unsigned char)**text;
        bool fits = isalpha(byte) ||
                    (quoted && (isdigit(byte) || byte == '+' || byte == '-'));
        if (!fits) {
            break;
        }
        if (len + 1 == size) {
            return false;
        }
        name[len++] = (char)byte;
    }
    name[len] = '\0';
    return len >= 3 && (!quoted || skip_char(text, '>'));
}

/* "3", "-1", "9:30", "26:00:00": seconds. */
static bool
read_clock(const char **text, int *seconds)
{
    bool negative = skip_char(text, '-');
    int hours = 0;
    int minutes = 0;
    int rest = 0;

    if (!negative) {
        (void)skip_char(text, '+');
    }
    /* RFC 8536, section 3.3.1: up to a week. */
    if (!read_number(text, 0, 167, &hours)) {
        return false;
    }
    if (skip_char(text, ':')) {
        if (!read_number(text, 0, 59, &minutes)) {
            return false;
        }
        if (skip_char(text, ':') && !read_number(text, 0, 59, &rest)) {
            return false;
        }
    }
    *seconds = hours * HOUR_S + minutes * 60 + rest;
    if (negative) {
        *seconds = -*seconds;
    }
    return true;
}

/* POSIX counts what must be added to local time: west. */
static bool
read_offset(const char **text, int *offset)
{
    if (!read_clock(text, offset) || *offset <= -OFFSET_MAX_S ||
        *offset >= OFFSET_MAX_S) {
        return false;
    }
    *offset = -*offset;
    return true;
}

/* "M3.5.0/3", "J60", "59": when the clocks change. */
static bool
read_yearly(const char **text, struct yearly *yearly)
{
    bool read;

    *yearly = (struct yearly){.seconds = 2 * HOUR_S};
    if (skip_char(text, 'M')) {
        yearly->by = BY_MONTH;
        read = read_number(text, 1, 12, &yearly->month) &&
               skip_char(text, '.') && read_number(text, 1, 5, &yearly->week) &&
               skip_char(text, '.') &&
               read_number(text, 0, 6, &yearly->weekday);
    } else if (skip_char(text, 'J')) {
        yearly->by = BY_DAY_NO_LEAP;
        read = read_number(text, 1, 365, &yearly->day);
    } else {
        yearly->by = BY_DAY;
        read = read_number(text, 0, 365, &yearly->day);
    }
    if (read && skip_char(text, '/')) {
        read = read_clock(text, &yearly->seconds);
    }
    return read;
}

static bool
read_forever(const char *text, struct forever *forever)
{
    struct kind *normal = &forever->normal_kind;
    struct kind *summer = &forever->summer_kind;

    forever->known = true;
    if (!read_name(&text, normal->name, sizeof(normal->name)) ||
        !read_offset(&text, &normal->offset)) {
        return false;
    }
    if (*text == '\0') {
        return true;
    }
    forever->summer = true;
    summer->offset = normal->offset + HOUR_S;
    if (!read_name(&text, summer->name, sizeof(summer->name))) {
        return false;
    }
    if (*text != ',' && !read_offset(&text, &summer->offset)) {
        return false;
    }
    return skip_char(&text, ',') && read_yearly(&text, &forever->begins) &&
           skip_char(&text, ',') && read_yearly(&text, &forever->ends) &&
           *text == '\0';
}

static void
read_footer(struct reader *in, struct zone *zone)
{
    char text[128];
    size_t len = 0;

    if (take_number(in, 1) != '\n') {
        in->bad = true;
    }
    while (!in->bad) {
        char byte = (char)take_number(in, 1);
        if (byte == '\n') {
            break;
        }
        if (len + 1 == sizeof(text) || byte == '\0') {
            in->bad = true;
            return;
        }
        text[len++] = byte;
    }
    text[len] = '\0';
    if (len > 0 && !read_forever(text, &zone->forever)) {
        in->bad = true;
    }
}

enum err
zone_read(const char *name, const void *bytes, size_t len, struct zone **zone,
          struct buf *why)
{
    struct reader in = {.next = bytes, .left = len};
    struct zone *made = must_alloc(sizeof(*made));
    struct header header = take_header(&in);

    *zone = NULL;
    /* The first block is for readers of version 1, with 32-bit times. */
    take(&in, (size_t)header.times * 5 + (size_t)header.kinds * 6 +
                  header.chars + (size_t)header.leap * 8 + header.is_std +
                  header.is_ut);
    if (header.version < '2') {
        in.bad = true;
    }
    header = take_header(&in);
    if (header.leap > 0) {
        in.bad = true; /* its times would not be POSIX's */
    }
    if (!in.bad) {
        read_times(&in, &header, made);
        read_kinds(&in, &header, made);
        take(&in, (size_t)header.is_std + header.is_ut);
        read_footer(&in, made);
    }
    if (in.bad) {
        zone_free(made);
        return err_say(why, ERR_GARBLED,
                       "%s: not a time zone file that placard can read", name);
    }
    *zone = made;
    return ERR_NONE;
}

static bool
may_be_zone(const char *name)
{
    size_t len = strlen(name);

    if (len == 0 || len > ZONE_NAME_MAX || name[0] == '/' ||
        name[len - 1] == '/') {
        return false;
    }
    for (const char *next = name; *next != '\0'; next++) {
        if (!isalnum((unsigned char)*next) && strchr("_+-/", *next) == NULL) {
            return false;
        }
    }
    return true;
}

static enum err
say_no_zone(const char *name, struct buf *why)
{
    return err_say(why, ERR_CONFIG,
                   "there is no time zone \"%.*s\"; an example: "
                   "\"Europe/Berlin\"",
                   ZONE_NAME_MAX, name);
}

enum err
zone_load(const char *name, struct zone **zone, struct buf *why)
{
    struct buf path = BUF_INIT;
    struct buf bytes;
    struct buf unsaid = BUF_INIT;

    *zone = NULL;
    if (strcmp(name, "UTC") == 0) {
        *zone = must_alloc(sizeof(**zone));
        **zone = *zone_utc();
        return ERR_NONE;
    }
    if (!may_be_zone(name)) {
        return say_no_zone(name, why);
    }
    buf_init(&bytes, ZONE_BYTES_MAX);
    buf_addf(&path, "%s/%s", ZONE_FOLDER, name);
    enum err err = file_read(buf_text(&path), &bytes, &unsaid);
    if (err == ERR_NONE) {
        err = zone_read(name, buf_text(&bytes), bytes.len, zone, &unsaid);
    }
    if (err != ERR_NONE) {
        err = say_no_zone(name, why);
    }
    buf_release(&path);
    buf_release(&bytes);
    buf_release(&unsaid);
    return err;
}

const struct zone *
zone_utc(void)
{
    static const struct zone utc = {
        .forever = {.known = true, .normal_kind = {.name = "UTC"}}};

    return &utc;
}

void
zone_free(struct zone *zone)
{
    if (zone == NULL) {
        return;
    }
    free(zone->at);
    free(zone->to);
    free(zone->kinds);
    free(zone);
}

/* ---- zones: which kind of time holds ------------------------------------- */

/* Local seconds since 1970 at which a yearly change falls in a year. */
static int64_t
yearly_in(const struct yearly *yearly, int64_t year)
{
    int64_t day = days_of(year, 1, 1);

    switch (yearly->by) {
    case BY_MONTH: {
        int64_t first = days_of(year, yearly->month, 1);
        /* 1970-01-01 was a Thursday. */
        int64_t ahead = floor_mod(yearly->weekday - (first + 4), 7);
        int64_t into = ahead + 7 * (int64_t)(yearly->week - 1);
        if (into >= month_days(year, yearly->month)) {
            into -= 7;
        }
        day = first + into;
        break;
    }
    case BY_DAY:
        day += yearly->day;
        break;
    case BY_DAY_NO_LEAP:
        day += yearly->day - 1 + (is_leap(year) && yearly->day >= 60);
        break;
    }
    return day * DAY_S + yearly->seconds;
}

/* Keep the earliest moment after `second`. */
static void
keep_next(int64_t moment, int64_t second, int64_t *next)
{
    if (moment > second && moment < *next) {
        *next = moment;
    }
}

static struct stretch
forever_at(const struct forever *forever, int64_t second)
{
    struct stretch stretch = {.kind = &forever->normal_kind,
                              .until = INT64_MAX};
    int normal = forever->normal_kind.offset;
    int summer = forever->summer_kind.offset;
    int64_t latest = INT64_MIN;

    if (!forever->summer) {
        return stretch;
    }
    int64_t year = year_of(floor_div(second + normal, DAY_S));
    /* The last change up to now says what holds, also across New Year. */
    for (int64_t y = year - 1; y <= year + 1; y++) {
        int64_t begins = yearly_in(&forever->begins, y) - normal;
        int64_t ends = yearly_in(&forever->ends, y) - summer;
        if (ends <= second && ends > latest) {
            latest = ends;
            stretch.kind = &forever->normal_kind;
        }
        if (begins <= second && begins >= latest) {
            latest = begins;
            stretch.kind = &forever->summer_kind;
        }
        keep_next(begins, second, &stretch.until);
        keep_next(ends, second, &stretch.until);
    }
    return stretch;
}

static struct stretch
stretch_at(const struct zone *zone, int64_t second)
{
    size_t low = 0;
    size_t high = zone->count;

    /* How many transitions are at or before it. */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (zone->at[middle] <= second) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == zone->count && zone->forever.known) {
        return forever_at(&zone->forever, second);
    }
    return (struct stretch){
        .kind = &zone->kinds[low == 0 ? 0 : zone->to[low - 1]],
        .until = low == zone->count ? INT64_MAX : zone->at[low],
    };
}

/* ---- instants ------------------------------------------------------------ */

struct civil
civil_at(int64_t instant, const struct zone *zone)
{
    int64_t second = floor_div(instant, SECOND_MS);
    const struct kind *kind = stretch_at(zone, second).kind;
    int64_t local = second + kind->offset;
    int64_t days = floor_div(local, DAY_S);
    int64_t of_day = floor_mod(local, DAY_S);
    struct civil civil = {.offset = kind->offset};

    memcpy(civil.zone, kind->name, sizeof(civil.zone));
    civil.year = (int)year_of(days);
    /* No month has fewer than 28 days, so it is this one or one before. */
    int64_t month = 1 + (days - days_of(civil.year, 1, 1)) / 28;
    civil.month = month < 12 ? (int)month : 12;
    while (days < days_of(civil.year, civil.month, 1)) {
        civil.month--;
    }
    civil.day = (int)(days - days_of(civil.year, civil.month, 1)) + 1;
    civil.hour = (int)(of_day / HOUR_S);
    civil.minute = (int)(of_day % HOUR_S / 60);
    civil.second = (int)(of_day % 60);
    civil.weekday = (int)floor_mod(days + 4, 7);
    return civil;
}

/* The second at which a zone's clocks first show `local`. */
static int64_t
second_of(int64_t local, const struct zone *zone)
{
    int64_t from = local - OFFSET_MAX_S;
    int64_t before = 0;

    /* Every offset is less than OFFSET_MAX_S, so the answer lies after `from`,
     * and in the first stretch it can't lie before its beginning. */
    for (;;) {
        struct stretch stretch = stretch_at(zone, from);
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
    const int64_t limit = INT64_MAX / SECOND_MS - (int64_t)2 * OFFSET_MAX_S;
    int64_t local = days_of(civil->year, civil->month, civil->day) * DAY_S +
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

bool
instant_read(const char *text, int64_t *instant)
{
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";

    if (strlen(text) != sizeof(form) - 1) {
        return false;
    }
    for (size_t i = 0; form[i] != '\0'; i++) {
        bool fits = form[i] == 'd' ? isdigit((unsigned char)text[i]) != 0
                                   : text[i] == form[i];
        if (!fits) {
            return false;
        }
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

/* ---- durations ----------------------------------------------------------- */

static const struct unit {
    char letter;
    int64_t length;
} units[] = {{'d', DAY_MS}, {'h', HOUR_MS}, {'m', MINUTE_MS}, {'s', SECOND_MS}};

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
        if (!read_number(&text, 0, 366 * 24 * 3600, &number)) {
            return false;
        }
        skip_spaces(&text);
        if (*text == '\0' && number == 0 && unit == 0) {
            break; /* zero needs no unit */
        }
        int letter = tolower((unsigned char)*text);
        while (unit < UNITS && units[unit].letter != letter) {
            unit++;
        }
        if (unit == UNITS) {
            return false;
        }
        text++;
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

    if (!read_number(text, 0, 23, &hour) || **text != ':') {
        return false;
    }
    ++*text;
    if (!isdigit((unsigned char)(*text)[0]) ||
        !isdigit((unsigned char)(*text)[1]) ||
        isdigit((unsigned char)(*text)[2]) ||
        !read_number(text, 0, 59, &minute)) {
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

/* Read "2026-11-27" and step over it. */
static bool
read_date(const char **text, struct civil *civil)
{
    int *const parts[] = {&civil->year, &civil->month, &civil->day};
    static const int least[] = {1970, 1, 1};
    static const int most[] = {9999, 12, 31};

    for (int i = 0; i < 3; i++) {
        if (!read_number(text, least[i], most[i], parts[i])) {
            return false;
        }
        if (i < 2 && *(*text)++ != '-') {
            return false;
        }
    }
    return civil->day <= month_days(civil->year, civil->month);
}

bool
moment_read(const char *text, int64_t now, const struct zone *zone,
            int64_t *instant)
{
    struct civil civil = civil_at(now, zone);
    int minutes;
    int step = 1; /* days, if the hour of that day is over; 0: none */

    skip_spaces(&text);
    int weekday = read_weekday(&text);
    if (weekday >= 0) {
        text += strspn(text, "abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        civil.day += (weekday - civil.weekday + 7) % 7;
        step = 7;
    } else if (strchr(text, '-') != NULL) {
        step = 0;
        if (!read_date(&text, &civil)) {
            return false;
        }
    }
    if (step != 1 && *text != ' ' && *text != ',') {
        return false;
    }
    text += strspn(text, " ,");
    if (!read_hour(&text, &minutes)) {
        return false;
    }
    skip_spaces(&text);
    civil.hour = minutes / 60;
    civil.minute = minutes % 60;
    civil.second = 0;
    *instant = civil_instant(&civil, zone);
    if (*instant <= now) {
        civil.day += step;
        *instant = civil_instant(&civil, zone);
    }
    return *text == '\0' && *instant > now;
}

void
duration_write(int64_t duration, struct buf *out)
{
    bool any = false;
    int64_t rest = duration;

    assert(duration >= 0);
    for (size_t unit = 0; unit < UNITS; unit++) {
        int64_t number = rest / units[unit].length;
        rest %= units[unit].length;
        if (number > 0) {
            buf_addf(out, "%s%lld%c", any ? " " : "", (long long)number,
                     units[unit].letter);
            any = true;
        }
    }
    if (!any) {
        buf_add_char(out, '0');
    }
}
