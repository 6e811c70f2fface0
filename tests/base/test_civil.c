#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "tests/support/runner.h"

static int64_t
at(const char *text)
{
    int64_t instant;

    ck_assert_msg(instant_read(text, &instant), "no instant: %s", text);
    return instant;
}

static struct zone *
zone(const char *name)
{
    struct buf why = BUF_INIT;
    struct zone *loaded;

    ck_assert_msg(zone_load(name, &loaded, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    return loaded;
}

/* "Sun 2026-03-29 03:00:00 CEST +7200" */
static void
write_civil(const struct civil *civil, struct buf *out)
{
    static const char days[] = "SunMonTueWedThuFriSat";

    buf_addf(out, "%.3s %d-%02d-%02d %02d:%02d:%02d %s %+d",
             days + (size_t)civil->weekday * 3, civil->year, civil->month,
             civil->day, civil->hour, civil->minute, civil->second, civil->zone,
             civil->offset);
}

/* ---- what the clocks show ------------------------------------------------ */

static const struct {
    const char *zone, *instant, *shown;
} clocks[] = {
    {"UTC", "1970-01-01T00:00:00Z", "Thu 1970-01-01 00:00:00 UTC +0"},
    {"UTC", "2000-02-29T23:59:59Z", "Tue 2000-02-29 23:59:59 UTC +0"},
    {"UTC", "1900-03-01T00:00:00Z", "Thu 1900-03-01 00:00:00 UTC +0"},
    {"UTC", "0000-01-01T00:00:00Z", "Sat 0-01-01 00:00:00 UTC +0"},
    {"UTC", "9999-12-31T23:59:59Z", "Fri 9999-12-31 23:59:59 UTC +0"},

    /* The night in spring, and that in autumn. */
    {"Europe/Berlin", "2026-03-29T00:59:59Z",
     "Sun 2026-03-29 01:59:59 CET +3600"},
    {"Europe/Berlin", "2026-03-29T01:00:00Z",
     "Sun 2026-03-29 03:00:00 CEST +7200"},
    {"Europe/Berlin", "2026-10-25T00:59:59Z",
     "Sun 2026-10-25 02:59:59 CEST +7200"},
    {"Europe/Berlin", "2026-10-25T01:00:00Z",
     "Sun 2026-10-25 02:00:00 CET +3600"},
    {"America/New_York", "2026-03-08T06:59:59Z",
     "Sun 2026-03-08 01:59:59 EST -18000"},
    {"America/New_York", "2026-03-08T07:00:00Z",
     "Sun 2026-03-08 03:00:00 EDT -14400"},
    {"America/New_York", "2026-11-01T05:59:59Z",
     "Sun 2026-11-01 01:59:59 EDT -14400"},
    {"America/New_York", "2026-11-01T06:00:00Z",
     "Sun 2026-11-01 01:00:00 EST -18000"},

    /* Beyond the table, by the footer's rule. */
    {"Europe/Berlin", "2100-03-28T00:59:59Z",
     "Sun 2100-03-28 01:59:59 CET +3600"},
    {"Europe/Berlin", "2100-03-28T01:00:00Z",
     "Sun 2100-03-28 03:00:00 CEST +7200"},
    {"Europe/Berlin", "2100-10-31T01:00:00Z",
     "Sun 2100-10-31 02:00:00 CET +3600"},
    {"America/New_York", "2400-07-04T12:00:00Z",
     "Tue 2400-07-04 08:00:00 EDT -14400"},
    /* Summer lasts over New Year in the south. */
    {"Australia/Sydney", "2100-12-31T13:30:00Z",
     "Sat 2101-01-01 00:30:00 AEDT +39600"},
    {"Australia/Sydney", "2101-07-01T00:00:00Z",
     "Fri 2101-07-01 10:00:00 AEST +36000"},
    /* Its winter is what the rule calls summer, with less and not more. */
    {"Europe/Dublin", "2101-01-15T12:00:00Z", "Sat 2101-01-15 12:00:00 GMT +0"},
    {"Europe/Dublin", "2101-07-15T12:00:00Z",
     "Fri 2101-07-15 13:00:00 IST +3600"},
    /* A change on the eve of the day named: M3.5.0/-1. */
    {"America/Nuuk", "2100-03-28T00:59:59Z",
     "Sat 2100-03-27 22:59:59 -02 -7200"},
    {"America/Nuuk", "2100-03-28T01:00:00Z",
     "Sun 2100-03-28 00:00:00 -01 -3600"},

    /* A day that was left out, and a zone without summer time since. */
    {"Pacific/Apia", "2011-12-30T09:59:59Z",
     "Thu 2011-12-29 23:59:59 -10 -36000"},
    {"Pacific/Apia", "2011-12-30T10:00:00Z",
     "Sat 2011-12-31 00:00:00 +14 +50400"},
    {"Pacific/Apia", "2100-01-01T00:00:00Z",
     "Fri 2100-01-01 13:00:00 +13 +46800"},
    {"Asia/Kathmandu", "2026-01-01T00:00:00Z",
     "Thu 2026-01-01 05:45:00 +0545 +20700"},
    /* Before all transitions: the sun's own time. */
    {"Europe/Berlin", "1800-01-01T00:00:00Z",
     "Wed 1800-01-01 00:53:28 LMT +3208"},
};

enum {
    CLOCKS = sizeof(clocks) / sizeof(clocks[0])
};

START_TEST(a_zones_clocks_show_the_right_time)
{
    struct zone *loaded = zone(clocks[_i].zone);
    struct buf shown = BUF_INIT;
    struct civil civil = civil_at(at(clocks[_i].instant), loaded);

    write_civil(&civil, &shown);
    ck_assert_str_eq(buf_text(&shown), clocks[_i].shown);
    buf_release(&shown);
    zone_free(loaded);
}
END_TEST

START_TEST(a_part_of_a_second_belongs_to_the_second_before)
{
    ck_assert_int_eq(civil_at(-1, zone_utc()).second, 59);
    ck_assert_int_eq(civil_at(-1, zone_utc()).year, 1969);
    ck_assert_int_eq(civil_at(999, zone_utc()).second, 0);
}
END_TEST

/* ---- from a clock's time to the instant ---------------------------------- */

static const struct {
    const char *zone;
    struct civil civil;
    const char *instant;
} times[] = {
    {"UTC", {2026, 11, 21, 10, 0, 0, 0, 0, ""}, "2026-11-21T10:00:00Z"},
    {"UTC", {2026, 14, 0, 25, -1, 60, 0, 0, ""}, "2027-02-01T01:00:00Z"},
    {"UTC", {2026, -1, 1, 0, 0, 0, 0, 0, ""}, "2025-11-01T00:00:00Z"},
    {"UTC", {2027, 1, -30, 0, 0, 0, 0, 0, ""}, "2026-12-01T00:00:00Z"},
    {"Europe/Berlin", {2026, 7, 1, 12, 0, 0, 0, 0, ""}, "2026-07-01T10:00:00Z"},
    /* 02:30 does not exist: half an hour after the gap. */
    {"Europe/Berlin",
     {2026, 3, 29, 1, 59, 59, 0, 0, ""},
     "2026-03-29T00:59:59Z"},
    {"Europe/Berlin", {2026, 3, 29, 2, 0, 0, 0, 0, ""}, "2026-03-29T01:00:00Z"},
    {"Europe/Berlin",
     {2026, 3, 29, 2, 30, 0, 0, 0, ""},
     "2026-03-29T01:30:00Z"},
    {"Europe/Berlin", {2026, 3, 29, 3, 0, 0, 0, 0, ""}, "2026-03-29T01:00:00Z"},
    /* 02:30 comes twice: the first. */
    {"Europe/Berlin",
     {2026, 10, 25, 2, 30, 0, 0, 0, ""},
     "2026-10-25T00:30:00Z"},
    {"Europe/Berlin",
     {2026, 10, 25, 3, 0, 0, 0, 0, ""},
     "2026-10-25T02:00:00Z"},
    {"America/New_York",
     {2026, 3, 8, 2, 15, 0, 0, 0, ""},
     "2026-03-08T07:15:00Z"},
    {"America/New_York",
     {2026, 11, 1, 1, 15, 0, 0, 0, ""},
     "2026-11-01T05:15:00Z"},
    /* The same by the footer's rule. */
    {"Europe/Berlin",
     {2100, 3, 28, 2, 30, 0, 0, 0, ""},
     "2100-03-28T01:30:00Z"},
    {"Europe/Berlin",
     {2100, 10, 31, 2, 30, 0, 0, 0, ""},
     "2100-10-31T00:30:00Z"},
    {"Australia/Sydney",
     {2101, 1, 1, 0, 30, 0, 0, 0, ""},
     "2100-12-31T13:30:00Z"},
    /* A whole day that does not exist. */
    {"Pacific/Apia",
     {2011, 12, 30, 12, 0, 0, 0, 0, ""},
     "2011-12-30T22:00:00Z"},
    {"Pacific/Apia", {2011, 12, 31, 0, 0, 0, 0, 0, ""}, "2011-12-30T10:00:00Z"},
};

enum {
    TIMES = sizeof(times) / sizeof(times[0])
};

START_TEST(a_clocks_time_is_one_instant)
{
    struct zone *loaded = zone(times[_i].zone);
    struct buf text = BUF_INIT;

    instant_write(civil_instant(&times[_i].civil, loaded), &text);
    ck_assert_str_eq(buf_text(&text), times[_i].instant);
    buf_release(&text);
    zone_free(loaded);
}
END_TEST

START_TEST(there_and_back_is_the_same_instant_but_in_the_doubled_hour)
{
    static const char *const names[] = {"Europe/Berlin", "America/New_York",
                                        "Australia/Lord_Howe", "Pacific/Apia",
                                        "America/Nuuk"};
    struct zone *loaded = zone(names[_i]);

    /* From 1990 to 2090, in steps that meet all hours and days. */
    for (int64_t t = at("1990-01-01T00:00:00Z"); t < at("2090-01-01T00:00:00Z");
         t += 37 * HOUR_MS + 17 * MINUTE_MS) {
        struct civil civil = civil_at(t, loaded);
        int64_t back = civil_instant(&civil, loaded);
        if (back != t) {
            struct civil again = civil_at(back, loaded);
            ck_assert_int_lt(back, t);
            ck_assert_int_le(t - back, HOUR_MS);
            ck_assert_int_eq(again.hour, civil.hour);
            ck_assert_int_eq(again.minute, civil.minute);
            ck_assert_int_ne(again.offset, civil.offset);
        }
    }
    zone_free(loaded);
}
END_TEST

START_TEST(the_ends_of_time_do_no_harm)
{
    struct zone *berlin = zone("Europe/Berlin");
    struct civil far = {.year = INT32_MAX, .month = INT32_MAX};
    struct civil past = {.year = INT32_MIN, .month = INT32_MIN};

    ck_assert_int_gt(civil_at(INT64_MAX, berlin).year, 200000000);
    ck_assert_int_lt(civil_at(INT64_MIN, berlin).year, -200000000);
    ck_assert_int_gt(civil_instant(&far, berlin), 0);
    ck_assert_int_lt(civil_instant(&past, berlin), 0);
    zone_free(berlin);
}
END_TEST

/* ---- texts --------------------------------------------------------------- */

static const char *const no_instants[] = {
    "",
    "2026-11-21",
    "2026-11-21T10:00:00",
    "2026-11-21T10:00:00z",
    "2026-11-21 10:00:00Z",
    "2026-11-21T10:00:00+00:00",
    "2026-11-21T10:00:00.5Z",
    "2026-11-21T10:00:00Z ",
    " 2026-11-21T10:00:00Z",
    "2026-1-021T10:00:00Z",
    "2026-00-21T10:00:00Z",
    "2026-13-21T10:00:00Z",
    "2026-11-00T10:00:00Z",
    "2026-11-31T10:00:00Z",
    "2026-02-29T10:00:00Z",
    "1900-02-29T10:00:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T10:60:00Z",
    "2026-12-31T23:59:60Z",
    "+026-11-21T10:00:00Z",
};

enum {
    NO_INSTANTS = sizeof(no_instants) / sizeof(no_instants[0])
};

START_TEST(what_is_no_instant_is_refused)
{
    int64_t instant = 7;

    ck_assert_msg(!instant_read(no_instants[_i], &instant), "taken: %s",
                  no_instants[_i]);
    ck_assert_int_eq(instant, 7);
}
END_TEST

static const struct {
    const char *text;
    int64_t instant; /* -1: it is none */
} timestamps[] = {
    {"2026-11-21T10:00:00Z", 1795255200 * SECOND_MS},
    {"2026-11-21T10:00:00.5Z", 1795255200 * SECOND_MS + 500},
    {"2026-11-21T10:00:00.250999Z", 1795255200 * SECOND_MS + 250},
    {"2026-11-21T10:00:00.Z", 1795255200 * SECOND_MS},
    {"2026-11-21T12:00:00+02:00", 1795255200 * SECOND_MS},
    {"2026-11-21T06:30:00.001-03:30", 1795255200 * SECOND_MS + 1},
    {"1970-01-01T02:00:00+02:00", 0},
    {"1970-01-01T01:59:59+02:00", -1},
    {"1969-12-31T23:59:59Z", -1},
    {"2026-11-21T10:00:00", -1},
    {"2026-11-21T10:00:00z", -1},
    {"2026-11-21T10:00:00ZZ", -1},
    {"2026-11-21T10:00:00.5", -1},
    {"2026-11-21T10:00:00+0200", -1},
    {"2026-11-21T10:00:00+02:00Z", -1},
    {"2026-11-21T10:00:00 02:00", -1},
    {"2026-11-31T10:00:00Z", -1},
    {"2026-11-21", -1},
    {"", -1},
};

enum {
    TIMESTAMPS = sizeof(timestamps) / sizeof(timestamps[0])
};

START_TEST(a_timestamp_has_decimals_and_an_offset)
{
    int64_t instant = -1;

    ck_assert_int_eq(timestamp_read(timestamps[_i].text, &instant),
                     timestamps[_i].instant >= 0);
    ck_assert_int_eq(instant, timestamps[_i].instant);
}
END_TEST

START_TEST(an_instant_is_written_as_it_is_read)
{
    static const char *const instants[] = {
        "0000-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z",
        "2000-02-29T12:34:56Z", "2026-11-21T10:00:00Z", "9999-12-31T23:59:59Z"};
    struct buf text = BUF_INIT;

    ck_assert_int_eq(at("2026-11-21T10:00:00Z"), 1795255200 * SECOND_MS);
    for (size_t i = 0; i < sizeof(instants) / sizeof(instants[0]); i++) {
        buf_clear(&text);
        instant_write(at(instants[i]), &text);
        ck_assert_str_eq(buf_text(&text), instants[i]);
        buf_clear(&text);
        instant_write(at(instants[i]) + 999, &text);
        ck_assert_str_eq(buf_text(&text), instants[i]);
    }
    buf_release(&text);
}
END_TEST

static const struct {
    const char *text;
    int64_t length;      /* -1: refused */
    const char *written; /* NULL: as read */
} durations[] = {
    {"0", 0, NULL},
    {"45s", 45 * SECOND_MS, NULL},
    {"90m", 90 * MINUTE_MS, "1h 30m"},
    {"24h", DAY_MS, "1d"},
    {"2d", 2 * DAY_MS, NULL},
    {"1d 12h", 36 * HOUR_MS, NULL},
    {"1h30m", 90 * MINUTE_MS, "1h 30m"},
    {" 1 D 2 H ", 26 * HOUR_MS, "1d 2h"},
    {"0s", 0, "0"},
    {"1d 0h 1s", DAY_MS + SECOND_MS, "1d 1s"},
    {"366d", 366 * DAY_MS, NULL},
    {"366d 1s", -1, NULL},
    {"367d", -1, NULL},
    {"99999999999999999999h", -1, NULL},
    {"", -1, NULL},
    {" ", -1, NULL},
    {"24", -1, NULL},
    {"h", -1, NULL},
    {"24 hours", DAY_MS, "1d"},
    {"2w", 14 * DAY_MS, "14d"},
    {"12hrs", 12 * HOUR_MS, "12h"},
    {"1 Day 12hours", 36 * HOUR_MS, "1d 12h"},
    {"90 min", 90 * MINUTE_MS, "1h 30m"},
    {"45 seconds", 45 * SECOND_MS, "45s"},
    {"24 hrsx", -1, NULL},
    {"hours", -1, NULL},
    {"1 hour 1 hours", -1, NULL},
    {"-1h", -1, NULL},
    {"1.5h", -1, NULL},
    {"1m 1h", -1, NULL},
    {"1h 1h", -1, NULL},
    {"1d 0", -1, NULL},
    {"0 0", -1, NULL},
    {"1x", -1, NULL},
    {"1h,", -1, NULL},
};

enum {
    DURATIONS = sizeof(durations) / sizeof(durations[0])
};

START_TEST(a_duration_is_read_as_people_write_it)
{
    const char *text = durations[_i].text;
    struct buf written = BUF_INIT;
    int64_t length = -1;
    bool read = duration_read(text, &length);

    ck_assert_msg(read == (durations[_i].length >= 0), "\"%s\"", text);
    ck_assert_int_eq(length, durations[_i].length);
    if (read) {
        duration_write(length, &written);
        ck_assert_str_eq(buf_text(&written), durations[_i].written == NULL
                                                 ? text
                                                 : durations[_i].written);
    }
    buf_release(&written);
}
END_TEST

static const struct {
    const char *text;
    int count; /* -1: refused */
    int64_t first, last;
} lists[] = {
    {"", 0, 0, 0},
    {"6h, 1h", 2, 6 * HOUR_MS, HOUR_MS},
    {"6h,1h", 2, 6 * HOUR_MS, HOUR_MS},
    {"90m", 1, 90 * MINUTE_MS, 90 * MINUTE_MS},
    {"1d 12h,30m,5m", 3, 36 * HOUR_MS, 5 * MINUTE_MS},
    {"1h,2h,3h,4h", -1, 0, 0}, /* more than there is room for */
    {",", -1, 0, 0},
    {"1h,", -1, 0, 0},
    {",1h", -1, 0, 0},
    {"1h,,2h", -1, 0, 0},
    {"1h;2h", -1, 0, 0},
    {"1h 2h", -1, 0, 0},
    {"111111111111111111111111111111111111h", -1, 0, 0},
};

START_TEST(durations_stand_between_commas)
{
    int64_t list[3] = {0, 0, 0};
    unsigned count = 0;
    bool read = durations_read(lists[_i].text, list, 3, &count);

    ck_assert_msg(read == (lists[_i].count >= 0), "\"%s\"", lists[_i].text);
    if (read) {
        ck_assert_int_eq(count, lists[_i].count);
        ck_assert_int_eq(list[0], lists[_i].first);
        ck_assert_int_eq(list[count == 0 ? 0 : count - 1], lists[_i].last);
    }
}
END_TEST

static const struct {
    const char *text;
    int from, to; /* -1: refused; `to` -1: an hour alone */
} hours[] = {
    {"21:00", 21 * 60, -1},
    {"7:30", 7 * 60 + 30, -1},
    {"07:30", 7 * 60 + 30, -1},
    {"0:00", 0, -1},
    {"23:59", 23 * 60 + 59, -1},
    {"24:00", -1, -1},
    {"21:60", -1, -1},
    {"21", -1, -1},
    {"21:0", -1, -1},
    {"21:000", -1, -1},
    {"21.00", -1, -1},
    {":30", -1, -1},
    {"-1:00", -1, -1},
    {"9pm", -1, -1},
    {" 21:00", -1, -1},
    {"21:00 ", -1, -1},
    {"", -1, -1},
    {"23:00-07:00", 23 * 60, 7 * 60},
    {"23:00 - 7:00", 23 * 60, 7 * 60},
    {"12:00-14:30", 12 * 60, 14 * 60 + 30},
    {"0:00-0:01", 0, 1},
    {"7:00-7:00", -1, 0},
    {"23:00-", -1, 0},
    {"-07:00", -1, 0},
    {"23:00-24:00", -1, 0},
    {"23:00-07:00-08:00", -1, 0},
    {"23:00 07:00", -1, 0},
    {"23:00–07:00", -1, 0},
};

START_TEST(hours_are_read_by_a_clock_of_24)
{
    const char *text = hours[_i].text;
    int from = -1;
    int to = -1;
    bool read = hours[_i].to == -1 ? hour_read(text, &from)
                                   : hours_read(text, &from, &to);

    ck_assert_msg(read == (hours[_i].from >= 0), "\"%s\"", text);
    if (read) {
        ck_assert_int_eq(from, hours[_i].from);
        ck_assert_int_eq(to, hours[_i].to);
    }
}
END_TEST

START_TEST(hours_that_span_midnight_hold_both_sides)
{
    ck_assert(hours_hold(23 * 60, 7 * 60, 23 * 60));
    ck_assert(hours_hold(23 * 60, 7 * 60, 0));
    ck_assert(hours_hold(23 * 60, 7 * 60, 7 * 60 - 1));
    ck_assert(!hours_hold(23 * 60, 7 * 60, 7 * 60));
    ck_assert(!hours_hold(23 * 60, 7 * 60, 23 * 60 - 1));
    ck_assert(hours_hold(12 * 60, 14 * 60, 12 * 60));
    ck_assert(!hours_hold(12 * 60, 14 * 60, 14 * 60));
    ck_assert(!hours_hold(12 * 60, 14 * 60, 0));
}
END_TEST

static const struct {
    const char *text;
    int days; /* -1: refused */
} weeks[] = {
    {"", 0},
    {"Sun", 1},
    {"Sat Sun", 1 | 64},
    {"sat,sun", 1 | 64},
    {"SAT, SUN", 1 | 64},
    {"mon tue wed thu fri", 62},
    {"Sun Sun", 1},
    {"sun mon tue wed thu fri sat", -1},
    {"Sunday", -1},
    {"Su", -1},
    {"SunMon", -1},
    {"dim", -1},
    {"Sun;Mon", -1},
    {" Sun", -1},
};

START_TEST(days_of_the_week_are_read_as_a_set)
{
    unsigned days = 0;
    bool read = weekdays_read(weeks[_i].text, &days);

    ck_assert_msg(read == (weeks[_i].days >= 0), "\"%s\"", weeks[_i].text);
    if (read) {
        ck_assert_int_eq((int)days, weeks[_i].days);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/civil");
    TCase *tcase = tcase_create("civil");

    tcase_add_loop_test(tcase, a_zones_clocks_show_the_right_time, 0, CLOCKS);
    tcase_add_test(tcase, a_part_of_a_second_belongs_to_the_second_before);
    tcase_add_loop_test(tcase, a_clocks_time_is_one_instant, 0, TIMES);
    tcase_add_loop_test(
        tcase, there_and_back_is_the_same_instant_but_in_the_doubled_hour, 0,
        5);
    tcase_add_test(tcase, the_ends_of_time_do_no_harm);
    tcase_add_loop_test(tcase, what_is_no_instant_is_refused, 0, NO_INSTANTS);
    tcase_add_loop_test(tcase, a_timestamp_has_decimals_and_an_offset, 0,
                        TIMESTAMPS);
    tcase_add_test(tcase, an_instant_is_written_as_it_is_read);
    tcase_add_loop_test(tcase, a_duration_is_read_as_people_write_it, 0,
                        DURATIONS);
    tcase_add_loop_test(tcase, durations_stand_between_commas, 0,
                        sizeof(lists) / sizeof(lists[0]));
    tcase_add_loop_test(tcase, hours_are_read_by_a_clock_of_24, 0,
                        sizeof(hours) / sizeof(hours[0]));
    tcase_add_test(tcase, hours_that_span_midnight_hold_both_sides);
    tcase_add_loop_test(tcase, days_of_the_week_are_read_as_a_set, 0,
                        sizeof(weeks) / sizeof(weeks[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
