/*
 * Times and lengths as people type them, and as the host writes them: what it
 * writes is read back, in every language and zone.
 */
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/memory.h"
#include "bot/host/words/times.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
enum {
    LANGUAGES = sizeof languages / sizeof languages[0],
    NOON = 12 * 60,
};
static struct catalogue catalogue;

static void
load(const char *language)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(catalogue_load(&catalogue, language, THEME_ORIGINAL, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
}

static struct zone *
zone(const char *name)
{
    struct buf why = BUF_INIT;
    struct zone *found = NULL;
    ck_assert_msg(zone_load(name, &found, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    return found;
}

static int64_t
at(const char *text)
{
    int64_t instant = 0;
    ck_assert(instant_read(text, &instant));
    return instant;
}

/* ---- moments ------------------------------------------------------------- */

/* On Saturday 21 November, 11:00 in Berlin; what is left of the text. */
static const struct {
    const char *language, *text, *instant, *left;
} moments[] = {
    {"en", "20:00", "2026-11-21T19:00:00Z", ""},
    {"en", "11:00", "2026-11-22T10:00:00Z", ""}, /* not now: tomorrow */
    {"en", "7:30", "2026-11-22T06:30:00Z", ""},
    {"en", "Fri 20:00", "2026-11-27T19:00:00Z", ""},
    {"en", "20:00 Fri", "2026-11-27T19:00:00Z", ""},
    {"en", "FRIDAY, 20:00", "2026-11-27T19:00:00Z", ""},
    {"en", "Sat 20:00", "2026-11-21T19:00:00Z", ""},
    {"en", "Sat 10:00", "2026-11-28T09:00:00Z", ""}, /* a week on */
    {"en", "  Sun  9:00 ", "2026-11-22T08:00:00Z", ""},
    {"en", "2026-11-27 20:00", "2026-11-27T19:00:00Z", ""},
    {"en", "2027-03-28 20:00", "2027-03-28T18:00:00Z", ""}, /* summer */
    {"en", "2028-02-29 12:00", "2028-02-29T11:00:00Z", ""},
    {"en", "Sun 22 Nov, 21:00", "2026-11-22T20:00:00Z", ""},
    {"en", "\"Sun 22 Nov, 21:00\"", "2026-11-22T20:00:00Z", ""},
    {"en", "Sun 22 Nov, 21:00 CET (20:00 UTC)", "2026-11-22T20:00:00Z", ""},
    {"en", "Sun 22 Nov, 21:00 UTC", "2026-11-22T21:00:00Z", ""},
    {"en", "Sun 21:00 CEST", "2026-11-22T20:00:00Z", ""},
    {"en", "Sun 15:00 EST", "2026-11-22T20:00:00Z", ""}, /* their own */
    {"en", "November 22nd at 9pm", "2026-11-22T20:00:00Z", ""},
    {"en", "the 22nd of November 2027, 9.30 p.m.", "2027-11-22T20:30:00Z", ""},
    {"en", "3 Jan 12am", "2027-01-02T23:00:00Z", ""}, /* next year */
    {"en", "Sun 9pm", "2026-11-22T20:00:00Z", ""},
    {"en", "tomorrow 21:00", "2026-11-22T20:00:00Z", ""},
    {"en", "by tomorrow at 21:00", "2026-11-22T20:00:00Z", ""},
    {"en", "today 20:00", "2026-11-21T19:00:00Z", ""},
    {"en", "until Monday family visit", "2026-11-23T11:00:00Z", "family visit"},
    {"en", "until Saturday", "2026-11-28T11:00:00Z", ""}, /* not today */
    {"en", "Fri 20:00 PST", "2026-11-28T04:00:00Z", ""},
    {"en", "30 June, 20:00 PST", "2027-07-01T03:00:00Z", ""}, /* in summer */
    {"en", "Sun 9pm eet", "2026-11-22T19:00:00Z", ""},
    {"en", "30 June 20:00 GMT", "2027-06-30T20:00:00Z", ""},
    {"en", "30 June 20:00 BST", "2027-06-30T19:00:00Z", ""},
    {"en", "Fri 20:00 XST", "2026-11-27T19:00:00Z", "XST"},
    {"en", "Fri 20:00 est-ce que", "2026-11-27T19:00:00Z", "est-ce que"},
    {"en", "Fri 20:00 21:00", "2026-11-27T19:00:00Z", "21:00"},
    {"en", "until spring", NULL, ""},
    {"en", "Mon 22 Nov, 21:00", NULL, ""}, /* it's a Sunday */
    {"en", "2026-11-21 11:00", NULL, ""},  /* now, and over */
    {"en", "2026-11-20 20:00", NULL, ""},
    {"en", "1999-01-01 20:00", NULL, ""},
    {"en", "2026-02-30 20:00", NULL, ""},
    {"en", "2026-13-01 20:00", NULL, ""},
    {"en", "2026-12-00 20:00", NULL, ""},
    {"en", "2026-12 20:00", NULL, ""},
    {"en", "Fri 24:00", "2026-11-27T11:00:00Z", "24:00"},
    {"en", "13pm", NULL, ""},
    {"en", "0am", NULL, ""},
    {"en", "20", NULL, ""},
    {"en", "-1:00", NULL, ""},
    {"en", "", NULL, ""},
    {"en", " ", NULL, ""},
    {"en", "(", NULL, ""},
    {"en", "99999999999999999999-01-01 20:00", NULL, ""},
    {"nl", "zo 22 nov, 21:00 uur", "2026-11-22T20:00:00Z", ""},
    {"nl", "overmorgen om 21 uur", "2026-11-23T20:00:00Z", ""},
    {"nl", "tot maandag", "2026-11-23T11:00:00Z", ""},
    {"nl", "22 mrt 9:00", "2027-03-22T08:00:00Z", ""},
    {"nb", "i morgen kl. 21", "2026-11-22T20:00:00Z", ""},
    {"nb", "til søndag", "2026-11-22T11:00:00Z", ""},
    {"nb", "tirs. 24. november kl. 21.30", "2026-11-24T20:30:00Z", ""},
    {"fr", "jusqu’à lundi", "2026-11-23T11:00:00Z", ""},
    {"fr", "après-demain à 21 h 30", "2026-11-23T20:30:00Z", ""},
    {"fr", "mar. 24 nov. à 21h", "2026-11-24T20:00:00Z", ""},
    {"fr", "le 1er mars à 9 heures", "2027-03-01T08:00:00Z", ""},
    {"de", "So, 22. Nov., 21:00 Uhr", "2026-11-22T20:00:00Z", ""},
    {"de", "bis übermorgen um 21 Uhr", "2026-11-23T20:00:00Z", ""},
    {"de", "am 24.11. 9.15", "2026-11-24T08:15:00Z", ""},
    {"de", "24.11.2027, 9 Uhr", "2027-11-24T08:00:00Z", ""},
    {"de", "tomorrow 9pm", "2026-11-22T20:00:00Z", ""}, /* English always */
};

START_TEST(a_moment_to_come_is_the_first_such_one)
{
    struct zone *berlin = zone("Europe/Berlin");
    struct zone *york = zone("America/New_York");
    const char *text = moments[_i].text;
    struct buf read = BUF_INIT;
    int64_t instant = 0;
    struct zones zones = {.count = 0};
    load(moments[_i].language);
    const struct times times = {
        &catalogue, at("2026-11-21T10:00:00Z"), berlin, york, NOON, &zones};
    size_t used = times_read_moment(&times, text, &instant);
    ck_assert_msg((used > 0) == (moments[_i].instant != NULL), "\"%s\"", text);
    if (used > 0) {
        instant_write(instant, &read);
        ck_assert_msg(strcmp(buf_text(&read), moments[_i].instant) == 0,
                      "\"%s\": %s", text, buf_text(&read));
        ck_assert_str_eq(text + used + times_gap(text + used),
                         moments[_i].left);
    }
    buf_release(&read);
    catalogue_release(&catalogue);
    zones_release(&zones);
    zone_free(berlin);
    zone_free(york);
}
END_TEST

START_TEST(a_day_alone_may_need_an_hour)
{
    load("en");
    int64_t instant = 0;
    const struct times times = {
        &catalogue, at("2026-11-21T10:00:00Z"), zone_utc(), NULL, -1, NULL};
    ck_assert_uint_eq(times_read_moment(&times, "Monday", &instant), 0);
    ck_assert_uint_ne(times_read_moment(&times, "Monday 0:00", &instant), 0);
    ck_assert(times_says_until(&catalogue, "until Monday"));
    ck_assert(!times_says_until(&catalogue, "Monday"));
    catalogue_release(&catalogue);
}
END_TEST

/* ---- lengths ------------------------------------------------------------- */

static const struct {
    const char *language, *text, *plain, *left;
} lengths[] = {
    {"en", "12h", "12h", ""},
    {"en", "24 hours", "24h", ""},
    {"en", "12hrs", "12h", ""},
    {"en", "by 12 hours", "12h", ""},
    {"en", "2w", "2w", ""},
    {"en", "2 weeks and 3 days", "2w3d", ""},
    {"en", "a week", "1w", ""},
    {"en", "An hour.", "1h", ""},
    {"en", "two days: a wedding", "2d", "a wedding"},
    {"en", "3d for a wedding", "3d", "for a wedding"},
    {"en", "1h30", "1h30m", ""},
    {"en", "3 players are ill", "", "3 players are ill"},
    {"en", "12 parsecs", "", "12 parsecs"},
    {"en", "", "", ""},
    {"en", "-2h", "", "-2h"},
    {"en", "0", "", "0"},
    {"en", "800d", "", "800d"},
    {"en", "2h 3d", "2h", "3d"}, /* the largest first */
    {"nl", "een week en twee dagen", "1w2d", ""},
    {"nl", "12u", "12h", ""},
    {"nb", "to uker", "2w", ""},
    {"nb", "i 3 døgn", "3d", ""},
    {"fr", "une semaine", "1w", ""},
    {"fr", "pendant 3 jours", "3d", ""},
    {"fr", "2 h 05", "2h05m", ""},
    {"de", "eine Woche", "1w", ""},
    {"de", "um 12 Std.", "12h", ""},
    {"de", "2 Wochen und einen Tag", "2w1d", ""},
    {"de", "12hrs", "12h", ""},
};

START_TEST(a_length_is_read_as_people_write_it)
{
    const char *text = lengths[_i].text;
    struct buf plain = BUF_INIT;
    int64_t length = 0;
    int64_t wanted = 0;
    load(lengths[_i].language);
    size_t used = times_read_length(&catalogue, text, &length);
    ck_assert_msg((used > 0) == (lengths[_i].plain[0] != '\0'), "\"%s\"", text);
    ck_assert_msg(
        strcmp(text + used + times_gap(text + used), lengths[_i].left) == 0,
        "\"%s\"", text);
    if (used > 0) {
        ck_assert(duration_read(lengths[_i].plain, &wanted));
        ck_assert_msg(length == wanted, "\"%s\"", text);
    }
    if (times_plain_length(&catalogue, text, &plain)) {
        ck_assert_str_eq(buf_text(&plain), lengths[_i].plain);
        ck_assert_str_eq(lengths[_i].left, "");
    }
    buf_release(&plain);
    catalogue_release(&catalogue);
}
END_TEST

/* ---- what the host writes ------------------------------------------------ */

/* A moment as the host writes it, read back on a day before it. */
static void
must_come_back(int64_t instant, const struct zone *place,
               const struct zone *own, bool exact)
{
    struct buf text = BUF_INIT;
    struct times times = {&catalogue, instant - 5 * DAY_MS, place, own, -1,
                          NULL};
    int64_t read = 0;
    const struct zone *shown = own == NULL ? place : own;
    if (exact) {
        catalogue_time_exact(&catalogue, instant, shown, &text);
    } else {
        catalogue_time(&catalogue, instant, shown, &text);
    }
    size_t used = times_read_moment(&times, buf_text(&text), &read);
    ck_assert_msg(buf_text(&text)[used] == '\0' && read == instant, "%s: %s",
                  language_find(&catalogue.language, "and"), buf_text(&text));
    buf_release(&text);
}

/* Of the hour that comes twice in autumn the first is meant. */
static bool
is_doubled(int64_t instant, const struct zone *place)
{
    struct civil now = civil_at(instant, place);
    struct civil before = civil_at(instant - HOUR_MS, place);
    return now.hour == before.hour && now.day == before.day;
}

START_TEST(every_time_that_the_host_writes_is_understood)
{
    static const char *const names[] = {"UTC", "Europe/Oslo",
                                        "America/New_York", "Asia/Kathmandu",
                                        "Australia/Lord_Howe"};
    struct zone *place = zone(names[_i]);
    struct zone *own = zone("America/Chicago");
    for (unsigned i = 0; i < LANGUAGES; i++) {
        load(languages[i]);
        int64_t instant = at("2026-11-21T10:00:00Z");
        for (unsigned hours = 0; hours < 366 * 24; hours += 7) {
            int64_t then = instant + hours * HOUR_MS + hours % 60 * MINUTE_MS;
            if (!is_doubled(then, place) && !is_doubled(then, own)) {
                must_come_back(then, place, NULL, false);
                must_come_back(then + hours % 50 * SECOND_MS, place, NULL,
                               true);
                must_come_back(then, place, own, false);
            }
        }
        catalogue_release(&catalogue);
    }
    zone_free(place);
    zone_free(own);
}
END_TEST

START_TEST(every_length_that_the_host_writes_is_understood)
{
    static const int64_t steps[] = {SECOND_MS,      7 * SECOND_MS, MINUTE_MS,
                                    13 * MINUTE_MS, HOUR_MS,       5 * HOUR_MS,
                                    DAY_MS};
    load(languages[_i]);
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        for (int64_t k = 1; k < 30; k++) {
            struct buf text = BUF_INIT;
            int64_t read = 0;
            int64_t length = k * steps[i] + (k % 3) * DAY_MS;
            catalogue_duration(&catalogue, length, &text);
            size_t used = times_read_length(&catalogue, buf_text(&text), &read);
            const char *left = buf_text(&text) + used;
            ck_assert_msg(read == length && left[times_gap(left)] == '\0',
                          "%s: %s", languages[_i], buf_text(&text));
            buf_release(&text);
        }
    }
    catalogue_release(&catalogue);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/times");
    TCase *tcase = tcase_create("times");
    tcase_add_loop_test(tcase, a_moment_to_come_is_the_first_such_one, 0,
                        sizeof moments / sizeof moments[0]);
    tcase_add_test(tcase, a_day_alone_may_need_an_hour);
    tcase_add_loop_test(tcase, a_length_is_read_as_people_write_it, 0,
                        sizeof lengths / sizeof lengths[0]);
    tcase_add_loop_test(tcase, every_time_that_the_host_writes_is_understood, 0,
                        5);
    tcase_add_loop_test(tcase, every_length_that_the_host_writes_is_understood,
                        0, LANGUAGES);
    suite_add_tcase(suite, tcase);
    return suite;
}
