#include "bot/base/zone.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/calendar.h"
#include "bot/base/files.h"

#define ZONE_FOLDER "/usr/share/zoneinfo"

enum {
    ZONE_BYTES_MAX = 256 * 1024,
    ZONE_NAME_MAX = 63,
    TYPES_MAX = 256,
    HOUR_S = 3600,
    DAY_S = 24 * HOUR_S,
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
    struct zone_kind normal_kind, summer_kind;
    struct yearly begins, ends; /* of summer time */
};

struct zone {
    size_t count;
    int64_t *at;             /* seconds: transitions, rising */
    unsigned char *to;       /* the kind from then on */
    struct zone_kind *kinds; /* the first: before all transitions */
    struct forever forever;
};

/* ---- reading a TZif file (RFC 8536) -------------------------------------- */

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
        struct zone_kind *kind = &zone->kinds[i];
        kind->offset = (int32_t)take_number(&row, 4);
        take(&row, 1);
        size_t from = (size_t)take_number(&row, 1);
        if (from >= header->chars ||
            memchr(names + from, '\0', header->chars - from) == NULL ||
            kind->offset <= -ZONE_OFFSET_MAX_S ||
            kind->offset >= ZONE_OFFSET_MAX_S) {
            in->bad = true;
            return;
        }
        strncpy(kind->name, (const char *)names + from, sizeof(kind->name) - 1);
    }
}

/* ---- reading its footer, a TZ text of POSIX ------------------------------ */

static bool
skip_char(const char **text, char wanted)
{
    if (**text != wanted) {
        return false;
    }
    ++*text;
    return true;
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
    if (!read_in_range(text, 0, 167, &hours)) {
        return false;
    }
    if (skip_char(text, ':')) {
        if (!read_in_range(text, 0, 59, &minutes)) {
            return false;
        }
        if (skip_char(text, ':') && !read_in_range(text, 0, 59, &rest)) {
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
    if (!read_clock(text, offset) || *offset <= -ZONE_OFFSET_MAX_S ||
        *offset >= ZONE_OFFSET_MAX_S) {
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
        read =
            read_in_range(text, 1, 12, &yearly->month) &&
            skip_char(text, '.') && read_in_range(text, 1, 5, &yearly->week) &&
            skip_char(text, '.') && read_in_range(text, 0, 6, &yearly->weekday);
    } else if (skip_char(text, 'J')) {
        yearly->by = BY_DAY_NO_LEAP;
        read = read_in_range(text, 1, 365, &yearly->day);
    } else {
        yearly->by = BY_DAY;
        read = read_in_range(text, 0, 365, &yearly->day);
    }
    if (read && skip_char(text, '/')) {
        read = read_clock(text, &yearly->seconds);
    }
    return read;
}

static bool
read_forever(const char *text, struct forever *forever)
{
    struct zone_kind *normal = &forever->normal_kind;
    struct zone_kind *summer = &forever->summer_kind;

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
    ERR_THEN(err, zone_read(name, buf_text(&bytes), bytes.len, zone, &unsaid));
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

/* ---- which kind of time holds -------------------------------------------- */

/* Local seconds since 1970 at which a yearly change falls in a year. */
static int64_t
yearly_in(const struct yearly *yearly, int64_t year)
{
    int64_t day = days_before(year, 1, 1);

    switch (yearly->by) {
    case BY_MONTH: {
        int64_t first = days_before(year, yearly->month, 1);
        /* 1970-01-01 was a Thursday. */
        int64_t ahead = floor_modulo(yearly->weekday - (first + 4), 7);
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
        day += yearly->day - 1 + (is_leap_year(year) && yearly->day >= 60);
        break;
    }
    return day * DAY_S + yearly->seconds;
}

/* Lower *next to `moment`, if that lies between `second` and *next. */
static void
keep_next(int64_t moment, int64_t second, int64_t *next)
{
    if (moment > second && moment < *next) {
        *next = moment;
    }
}

static struct zone_stretch
forever_at(const struct forever *forever, int64_t second)
{
    struct zone_stretch stretch = {.kind = &forever->normal_kind,
                                   .until = INT64_MAX};
    int normal = forever->normal_kind.offset;
    int summer = forever->summer_kind.offset;
    int64_t latest = INT64_MIN;

    if (!forever->summer) {
        return stretch;
    }
    int64_t year = year_of_day(floor_divide(second + normal, DAY_S));
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

struct zone_stretch
zone_at(const struct zone *zone, int64_t second)
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
    return (struct zone_stretch){
        .kind = &zone->kinds[low == 0 ? 0 : zone->to[low - 1]],
        .until = low == zone->count ? INT64_MAX : zone->at[low],
    };
}

/* ---- by their names ------------------------------------------------------ */

struct named_zone {
    char *name;
    struct zone *zone;
};

const struct zone *
zones_find(struct zones *zones, const char *name)
{
    struct zone *zone = NULL;
    struct buf unsaid = BUF_INIT;
    bool utc = strcmp(name, "UTC") == 0;

    for (size_t i = 0; i < zones->count; i++) {
        if (strcmp(zones->list[i].name, name) == 0) {
            return zones->list[i].zone;
        }
    }
    if (!utc && zone_load(name, &zone, &unsaid) == ERR_NONE) {
        zones->list =
            must_grow(zones->list, (zones->count + 1) * sizeof(zones->list[0]));
        zones->list[zones->count++] =
            (struct named_zone){must_copy(name), zone};
    }
    buf_release(&unsaid);
    return utc ? zone_utc() : zone;
}

void
zones_release(struct zones *zones)
{
    for (size_t i = 0; i < zones->count; i++) {
        free(zones->list[i].name);
        zone_free(zones->list[i].zone);
    }
    free(zones->list);
    *zones = (struct zones){NULL, 0};
}
