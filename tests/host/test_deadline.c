#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/host/table/deadline.h"
#include "tests/support/runner.h"

/* Each question's length tells which setting it is. */
static const struct settings settings = {
    .election = 24 * HOUR_MS,
    .nomination = 12 * HOUR_MS,
    .president = 1 * HOUR_MS,
    .chancellor = 2 * HOUR_MS,
    .veto = 3 * HOUR_MS,
    .power = 4 * HOUR_MS,
    .grace = 5 * HOUR_MS, /* is no part of a deadline */
};

enum {
    ROUND = 100000000,
    OPENED = 200000000
};

static const struct {
    enum question question;
    int64_t length, deadline;
} cases[] = {
    {QUESTION_DEAL, 0, 0},
    {QUESTION_RESHUFFLE, 0, 0},
    {QUESTION_NOMINATE, 12 * HOUR_MS, OPENED + 12 * HOUR_MS},
    {QUESTION_VOTE, 24 * HOUR_MS, OPENED + 12 * HOUR_MS}, /* called late */
    {QUESTION_DISCARD, 1 * HOUR_MS, OPENED + 1 * HOUR_MS},
    {QUESTION_ENACT, 2 * HOUR_MS, OPENED + 2 * HOUR_MS},
    {QUESTION_VETO, 3 * HOUR_MS, OPENED + 3 * HOUR_MS},
    {QUESTION_INVESTIGATE, 4 * HOUR_MS, OPENED + 4 * HOUR_MS},
    {QUESTION_SPECIAL_ELECTION, 4 * HOUR_MS, OPENED + 4 * HOUR_MS},
    {QUESTION_EXECUTION, 4 * HOUR_MS, OPENED + 4 * HOUR_MS},
    {QUESTION_NONE, 0, 0},
};

START_TEST(each_question_has_its_own_time)
{
    ck_assert_int_eq(deadline_length(cases[_i].question, &settings),
                     cases[_i].length);
    ck_assert_int_eq(
        deadline_of(cases[_i].question, OPENED, ROUND, &settings, zone_utc()),
        cases[_i].deadline);
}
END_TEST

/* ---- one table of cases -------------------------------------------------- */

#define N QUESTION_NOMINATE
#define V QUESTION_VOTE
#define D QUESTION_DISCARD
#define P QUESTION_EXECUTION

static const struct {
    const char *what, *zone, *settings; /* "key=value;…" */
    enum question question;
    const char *round, *opened, *deadline;
} zoned[] = {
    /* Lengths alone: an instant is an instant, whatever the clocks show. */
    {"24 h over the spring night", "Europe/Berlin", "", P,
     "2026-03-28T20:00:00Z", "2026-03-28T20:00:00Z", "2026-03-29T20:00:00Z"},
    {"24 h over the autumn night", "Europe/Berlin", "", P,
     "2026-10-24T19:00:00Z", "2026-10-24T19:00:00Z", "2026-10-25T19:00:00Z"},
    {"over the end of a month", "UTC", "", D, "2026-04-30T18:00:00Z",
     "2026-04-30T18:00:00Z", "2026-05-01T06:00:00Z"},
    {"over the end of a year", "UTC", "", V, "2026-12-31T10:00:00Z",
     "2026-12-31T11:00:00Z", "2027-01-01T10:00:00Z"},
    {"a name in seconds", "UTC", "nomination=10s;election=20s", N,
     "2026-11-21T23:59:55Z", "2026-11-21T23:59:55Z", "2026-11-22T00:00:05Z"},
    {"and its vote", "UTC", "nomination=10s;election=20s", V,
     "2026-11-21T23:59:55Z", "2026-11-21T23:59:58Z", "2026-11-22T00:00:15Z"},
    {"seconds into the night", "UTC", "power=20s;quiet=23:00-07:00", P,
     "2026-11-21T22:59:50Z", "2026-11-21T22:59:50Z", "2026-11-22T07:00:00Z"},
    {"into 29 February", "UTC", "", P, "2028-02-28T10:00:00Z",
     "2028-02-28T10:00:00Z", "2028-02-29T10:00:00Z"},
    {"past a February without one", "UTC", "", P, "2026-02-28T10:00:00Z",
     "2026-02-28T10:00:00Z", "2026-03-01T10:00:00Z"},

    /* A daily hour, at least the phase's time away. */
    {"the next one is far enough", "UTC", "daily=21:00", P,
     "2026-11-21T20:00:00Z", "2026-11-21T20:00:00Z", "2026-11-22T21:00:00Z"},
    {"it is too near", "UTC", "daily=21:00", P, "2026-11-21T23:00:00Z",
     "2026-11-21T23:00:00Z", "2026-11-23T21:00:00Z"},
    {"12 h fit before it", "UTC", "daily=21:00", D, "2026-11-21T08:00:00Z",
     "2026-11-21T08:00:00Z", "2026-11-21T21:00:00Z"},
    {"exactly as far", "UTC", "daily=21:00", P, "2026-11-21T21:00:00Z",
     "2026-11-21T21:00:00Z", "2026-11-22T21:00:00Z"},
    {"opened as the last one fired", "UTC", "daily=21:00", V,
     "2026-11-21T21:01:30Z", "2026-11-22T03:00:00Z", "2026-11-22T21:00:00Z"},
    {"a 24th of the time may be missing", "UTC", "daily=21:00", P,
     "2026-11-21T22:00:00Z", "2026-11-21T22:00:00Z", "2026-11-22T21:00:00Z"},
    {"and no more", "UTC", "daily=21:00", P, "2026-11-21T22:00:01Z",
     "2026-11-21T22:00:01Z", "2026-11-23T21:00:00Z"},
    {"the hour stays over the spring night", "Europe/Berlin", "daily=21:00", P,
     "2026-03-28T20:00:00Z", "2026-03-28T20:00:00Z", "2026-03-29T19:00:00Z"},
    {"and over the autumn night", "Europe/Berlin", "daily=21:00", P,
     "2026-10-24T19:00:00Z", "2026-10-24T19:00:00Z", "2026-10-25T20:00:00Z"},
    {"in New York", "America/New_York", "daily=21:00", P,
     "2026-03-08T01:00:00Z", "2026-03-08T01:00:00Z", "2026-03-09T01:00:00Z"},
    {"where spring is in October", "Australia/Sydney", "daily=21:00", P,
     "2026-10-03T11:00:00Z", "2026-10-03T11:00:00Z", "2026-10-04T10:00:00Z"},
    {"where autumn is in April", "Australia/Sydney", "daily=21:00", P,
     "2026-04-04T10:00:00Z", "2026-04-04T10:00:00Z", "2026-04-05T11:00:00Z"},
    {"by half an hour, in October", "Australia/Lord_Howe", "daily=21:00", P,
     "2026-10-03T10:30:00Z", "2026-10-03T10:30:00Z", "2026-10-04T10:00:00Z"},
    {"by half an hour, in April", "Australia/Lord_Howe", "daily=21:00", P,
     "2026-04-04T10:00:00Z", "2026-04-04T10:00:00Z", "2026-04-05T10:30:00Z"},
    {"half an hour beside the others", "Asia/Kolkata", "daily=21:00", P,
     "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z", "2026-11-22T15:30:00Z"},
    {"an hour that is skipped", "Europe/Berlin", "daily=02:30", P,
     "2026-03-28T01:00:00Z", "2026-03-28T01:00:00Z", "2026-03-29T01:30:00Z"},
    {"an hour that comes twice", "Europe/Berlin", "daily=02:30", P,
     "2026-10-24T00:00:00Z", "2026-10-24T00:00:00Z", "2026-10-25T00:30:00Z"},
    {"at midnight", "Europe/Berlin", "daily=0:00", P, "2026-12-30T22:00:00Z",
     "2026-12-30T22:00:00Z", "2026-12-31T23:00:00Z"},
    {"on no day off", "UTC", "daily=21:00;days_off=Sun Mon", P,
     "2026-11-21T20:00:00Z", "2026-11-21T20:00:00Z", "2026-11-24T21:00:00Z"},

    /* Quiet hours: their end. */
    {"before them", "UTC", "quiet=23:00-07:00", D, "2026-11-21T10:59:59Z",
     "2026-11-21T10:59:59Z", "2026-11-21T22:59:59Z"},
    {"at their beginning, over midnight", "UTC", "quiet=23:00-07:00", D,
     "2026-11-21T11:00:00Z", "2026-11-21T11:00:00Z", "2026-11-22T07:00:00Z"},
    {"after midnight", "UTC", "quiet=23:00-07:00", D, "2026-11-21T14:00:00Z",
     "2026-11-21T14:00:00Z", "2026-11-22T07:00:00Z"},
    {"at their end", "UTC", "quiet=23:00-07:00", D, "2026-11-21T19:00:00Z",
     "2026-11-21T19:00:00Z", "2026-11-22T07:00:00Z"},
    {"within a day", "UTC", "quiet=12:00-14:00", D, "2026-11-21T01:00:00Z",
     "2026-11-21T01:00:00Z", "2026-11-21T14:00:00Z"},
    {"over the end of a year", "UTC", "quiet=23:00-07:00", D,
     "2026-12-31T11:30:00Z", "2026-12-31T11:30:00Z", "2027-01-01T07:00:00Z"},
    {"over the spring night", "Europe/Berlin", "quiet=23:00-07:00", D,
     "2026-03-28T12:00:00Z", "2026-03-28T12:00:00Z", "2026-03-29T05:00:00Z"},
    {"over the autumn night", "Europe/Berlin", "quiet=23:00-07:00", D,
     "2026-10-24T12:00:00Z", "2026-10-24T12:00:00Z", "2026-10-25T06:00:00Z"},
    {"an end that is skipped", "Europe/Berlin", "quiet=22:00-02:30", D,
     "2026-03-28T12:00:00Z", "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"},
    {"in the hour that comes twice", "Europe/Berlin", "quiet=22:00-02:30", D,
     "2026-10-24T13:10:00Z", "2026-10-24T13:10:00Z", "2026-10-25T01:30:00Z"},

    /* Days off: their end. */
    {"on a Sunday off", "UTC", "days_off=Sun", P, "2026-11-21T20:00:00Z",
     "2026-11-21T20:00:00Z", "2026-11-23T00:00:00Z"},
    {"by the zone's days", "Pacific/Auckland", "days_off=Sun", P,
     "2026-11-20T20:00:00Z", "2026-11-20T20:00:00Z", "2026-11-22T11:00:00Z"},
    {"a weekend", "UTC", "days_off=Sat Sun", P, "2026-11-20T20:00:00Z",
     "2026-11-20T20:00:00Z", "2026-11-23T00:00:00Z"},
    {"all week but a day", "UTC", "days_off=Mon Tue Wed Thu Fri Sat", P,
     "2026-11-22T10:00:00Z", "2026-11-22T10:00:00Z", "2026-11-29T00:00:00Z"},
    {"then quiet hours", "UTC", "days_off=Sat Sun;quiet=23:00-07:00", P,
     "2026-11-20T20:00:00Z", "2026-11-20T20:00:00Z", "2026-11-23T07:00:00Z"},
    {"quiet hours, then a day off", "UTC", "days_off=Sat;quiet=23:00-07:00", D,
     "2026-11-20T11:30:00Z", "2026-11-20T11:30:00Z", "2026-11-22T07:00:00Z"},
    {"a day off with a skipped midnight", "America/Asuncion", "days_off=Sat", P,
     "2023-09-29T20:00:00Z", "2023-09-29T20:00:00Z", "2023-10-01T04:00:00Z"},

    /* An election: the name is due first, and the vote is never starved. */
    {"the name is due at no daily hour", "UTC", "daily=21:00", N,
     "2026-11-21T20:00:00Z", "2026-11-21T20:00:00Z", "2026-11-22T08:00:00Z"},
    {"the name is due at no quiet hour", "UTC", "quiet=23:00-07:00", N,
     "2026-11-21T13:00:00Z", "2026-11-21T13:00:00Z", "2026-11-22T07:00:00Z"},
    {"called at night, time from the morning on", "UTC", "quiet=23:00-07:00", N,
     "2026-11-21T03:08:00Z", "2026-11-21T03:08:00Z", "2026-11-21T19:00:00Z"},
    {"called late, eight waking hours", "UTC", "quiet=23:00-07:00", N,
     "2026-11-21T20:00:00Z", "2026-11-21T20:00:00Z", "2026-11-22T12:00:00Z"},
    {"in hours of the zone", "Europe/Berlin", "quiet=23:00-07:00", N,
     "2026-11-21T19:00:00Z", "2026-11-21T19:00:00Z", "2026-11-22T11:00:00Z"},
    {"as many as there are", "UTC", "nomination=2h;quiet=23:00-07:00", N,
     "2026-11-21T22:00:00Z", "2026-11-21T22:00:00Z", "2026-11-22T08:00:00Z"},
    {"and the vote has its time after that", "UTC", "quiet=23:00-07:00", V,
     "2026-11-21T20:00:00Z", "2026-11-22T11:00:00Z", "2026-11-23T07:00:00Z"},
    {"who names late lengthens nothing", "UTC", "", V, "2026-11-21T10:00:00Z",
     "2026-11-21T21:59:00Z", "2026-11-22T10:00:00Z"},
    {"as much is left after the name", "UTC", "quiet=20:00-07:00", V,
     "2026-11-21T09:00:00Z", "2026-11-21T20:00:00Z", "2026-11-22T19:00:00Z"},
    {"be it into the next night", "UTC", "quiet=19:00-07:00", V,
     "2026-11-21T08:00:00Z", "2026-11-21T20:00:00Z", "2026-11-23T07:00:00Z"},
    {"after a weekend too", "UTC", "days_off=Sat Sun", V,
     "2026-11-20T20:00:00Z", "2026-11-20T20:00:00Z", "2026-11-23T12:00:00Z"},
    {"and then the daily hour", "UTC", "days_off=Sat Sun;daily=10:00", V,
     "2026-11-20T20:00:00Z", "2026-11-20T20:00:00Z", "2026-11-24T10:00:00Z"},
};
enum {
    ZONED = sizeof zoned / sizeof zoned[0]
};

static int64_t
at(const char *text)
{
    int64_t instant = 0;
    ck_assert_msg(instant_read(text, &instant), "no instant: %s", text);
    return instant;
}

static struct zone *
load(const char *name)
{
    struct buf why = BUF_INIT;
    struct zone *zone = NULL;
    if (strcmp(name, "UTC") == 0) {
        return NULL;
    }
    ck_assert_msg(zone_load(name, &zone, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    return zone;
}

/* "key=value;key=value" */
static void
set_all(struct settings *set, const char *list)
{
    char text[128];
    char *save = NULL;
    struct buf why = BUF_INIT;
    settings_defaults(set);
    snprintf(text, sizeof text, "%s", list);
    for (char *key = strtok_r(text, ";", &save); key != NULL;
         key = strtok_r(NULL, ";", &save)) {
        char *value = strchr(key, '=');
        *value++ = '\0';
        ck_assert_msg(settings_set(set, key, value, &why) == ERR_NONE, "%s",
                      buf_text(&why));
    }
    ck_assert_msg(settings_check(set, &why) == ERR_NONE, "%s", buf_text(&why));
}

static void
assert_instant(const char *what, int64_t found, const char *expected)
{
    struct buf text = BUF_INIT;
    instant_write(found, &text);
    ck_assert_msg(strcmp(buf_text(&text), expected) == 0, "%s: %s, not %s",
                  what, buf_text(&text), expected);
    buf_release(&text);
}

START_TEST(a_deadline_is_what_the_settings_say)
{
    struct settings set;
    struct zone *loaded = load(zoned[_i].zone);
    const struct zone *zone = loaded == NULL ? zone_utc() : loaded;
    int64_t round = at(zoned[_i].round);
    set_all(&set, zoned[_i].settings);
    int64_t named = deadline_of(N, round, 0, &set, zone);
    assert_instant(zoned[_i].what,
                   deadline_of(zoned[_i].question, at(zoned[_i].opened),
                               table_round_from(round, named, &set), &set,
                               zone),
                   zoned[_i].deadline);
    zone_free(loaded);
}
END_TEST

/* Whatever is set, and whenever: it is never early but for the 24th that a
 * daily hour may take, and an hour where the clocks change; never in the quiet
 * hours, and never weeks away. */
START_TEST(no_deadline_is_early_or_at_a_quiet_hour)
{
    static const char *const zones[] = {"Europe/Berlin", "America/New_York",
                                        "Australia/Lord_Howe", "Asia/Kolkata"};
    static const char *const sets[] = {
        "quiet=23:00-07:00",
        "quiet=00:30-00:00;days_off=Sun",
        "daily=21:00;quiet=23:00-07:00;days_off=Sat Sun",
        "daily=02:30",
        "days_off=Mon Tue Wed Thu Fri Sat;quiet=01:00-23:00",
    };
    struct zone *zone = load(zones[_i]);
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        struct settings set;
        set_all(&set, sets[n]);
        int64_t slack = set.daily[0] == '\0' ? 0 : 2 * HOUR_MS;
        for (int64_t opened = at("2026-01-01T00:00:00Z");
             opened < at("2027-01-02T00:00:00Z"); opened += 47 * MINUTE_MS) {
            int64_t deadline = deadline_of(P, opened, opened, &set, zone);
            ck_assert_int_ge(deadline, opened + set.power - slack);
            ck_assert_int_le(deadline, opened + set.power + 8 * DAY_MS);
            ck_assert(!deadline_is_quiet(deadline, &set, zone));
        }
    }
    zone_free(zone);
}
END_TEST

/* ---- moved --------------------------------------------------------------- */

START_TEST(a_deadline_that_is_moved_leaves_the_quiet_hours)
{
    struct settings set;
    set_all(&set, "quiet=23:00-07:00;daily=21:00");
    assert_instant(
        "by day",
        deadline_moved(at("2026-11-21T21:00:00Z"), HOUR_MS, &set, zone_utc()),
        "2026-11-21T22:00:00Z");
    assert_instant("into the night",
                   deadline_moved(at("2026-11-21T21:00:00Z"), 5 * HOUR_MS, &set,
                                  zone_utc()),
                   "2026-11-22T07:00:00Z");
}
END_TEST

/* ---- waking hours -------------------------------------------------------- */

static const struct {
    const char *what, *zone, *settings;
    const char *start, *length, *end;
} wakings[] = {
    {"without quiet hours", "UTC", "", "2026-11-21T22:00:00Z", "8h",
     "2026-11-22T06:00:00Z"},
    {"by day", "UTC", "quiet=23:00-07:00", "2026-11-21T08:00:00Z", "8h",
     "2026-11-21T16:00:00Z"},
    {"over a night", "UTC", "quiet=23:00-07:00", "2026-11-21T21:30:00Z", "8h",
     "2026-11-22T13:30:00Z"},
    {"from a few minutes before one", "UTC", "quiet=23:00-07:00",
     "2026-11-21T22:45:00Z", "8h", "2026-11-22T14:45:00Z"},
    {"from within one", "UTC", "quiet=23:00-07:00", "2026-11-21T03:08:00Z",
     "8h", "2026-11-21T15:00:00Z"},
    {"over two", "UTC", "quiet=23:00-07:00", "2026-11-21T21:00:00Z", "20h",
     "2026-11-23T09:00:00Z"},
    {"over the spring night", "Europe/Berlin", "quiet=23:00-07:00",
     "2026-03-28T20:00:00Z", "8h", "2026-03-29T11:00:00Z"},
    {"over the autumn night", "Europe/Berlin", "quiet=23:00-07:00",
     "2026-10-24T19:00:00Z", "8h", "2026-10-25T12:00:00Z"},
};

START_TEST(waking_hours_are_those_outside_the_quiet_ones)
{
    struct settings set;
    struct zone *zone = load(wakings[_i].zone);
    int64_t length = 0;
    ck_assert(duration_read(wakings[_i].length, &length));
    set_all(&set, wakings[_i].settings);
    assert_instant(wakings[_i].what,
                   deadline_awake(at(wakings[_i].start), length, &set,
                                  zone == NULL ? zone_utc() : zone),
                   wakings[_i].end);
    zone_free(zone);
}
END_TEST

/* ---- reminders ----------------------------------------------------------- */

static const struct {
    const char *settings, *deadline, *after, *reminder; /* "": none */
} reminders[] = {
    {"", "2026-11-22T10:00:00Z", "2026-11-21T10:00:00Z",
     "2026-11-22T04:00:00Z"},
    {"", "2026-11-22T10:00:00Z", "2026-11-22T04:00:00Z",
     "2026-11-22T09:00:00Z"},
    {"", "2026-11-22T10:00:00Z", "2026-11-22T09:00:00Z", ""},
    {"reminders=1h,6h", "2026-11-22T10:00:00Z", "2026-11-21T10:00:00Z",
     "2026-11-22T04:00:00Z"},
    {"reminders=", "2026-11-22T10:00:00Z", "2026-11-21T10:00:00Z", ""},
    /* A phase that is shorter than they are has none. */
    {"", "2026-11-22T10:00:20Z", "2026-11-22T10:00:00Z", ""},
    {"reminders=1h,5s", "2026-11-22T10:00:20Z", "2026-11-22T10:00:00Z",
     "2026-11-22T10:00:15Z"},
    {"quiet=23:00-07:00", "2026-11-22T10:00:00Z", "2026-11-21T10:00:00Z",
     "2026-11-22T09:00:00Z"},
    {"quiet=23:00-07:00", "2026-11-22T07:00:00Z", "2026-11-21T19:00:00Z", ""},
};

START_TEST(reminders_come_before_the_deadline_and_not_at_night)
{
    struct settings set;
    set_all(&set, reminders[_i].settings);
    int64_t found = deadline_reminder(
        at(reminders[_i].deadline), at(reminders[_i].after), &set, zone_utc());
    if (reminders[_i].reminder[0] == '\0') {
        ck_assert_int_eq(found, 0);
    } else {
        assert_instant("reminder", found, reminders[_i].reminder);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/deadline");
    TCase *tcase = tcase_create("deadline");
    tcase_add_loop_test(tcase, each_question_has_its_own_time, 0,
                        sizeof cases / sizeof cases[0]);
    tcase_add_loop_test(tcase, a_deadline_is_what_the_settings_say, 0, ZONED);
    tcase_add_loop_test(tcase, no_deadline_is_early_or_at_a_quiet_hour, 0, 4);
    tcase_add_test(tcase, a_deadline_that_is_moved_leaves_the_quiet_hours);
    tcase_add_loop_test(tcase, waking_hours_are_those_outside_the_quiet_ones, 0,
                        sizeof wakings / sizeof wakings[0]);
    tcase_add_loop_test(tcase,
                        reminders_come_before_the_deadline_and_not_at_night, 0,
                        sizeof reminders / sizeof reminders[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
