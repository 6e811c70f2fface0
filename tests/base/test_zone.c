#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/zone.h"
#include "tests/support/runner.h"

#define JANUARY INT64_C(1893542400) /* 2030-01-02T00:00:00Z */
#define JULY    INT64_C(1909094400) /* 2030-07-01T00:00:00Z */

/* ---- zones that can't be ------------------------------------------------- */

static const char *const no_zones[] = {
    "",      "Europa/Berlin",      "Europe",     "Europe/",     "/etc/passwd",
    "..",    "../../../etc/hosts", "Europe/B\n", "leapseconds", "Europe//..",
    "utc.0", "zone.tab",
};

enum {
    NO_ZONES = sizeof(no_zones) / sizeof(no_zones[0])
};

START_TEST(what_is_no_zone_is_refused_with_an_example)
{
    struct buf why = BUF_INIT;
    struct zone *loaded = NULL;

    ck_assert_int_eq(zone_load(no_zones[_i], &loaded, &why), ERR_CONFIG);
    ck_assert_ptr_null(loaded);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "\"Europe/Berlin\""));
    buf_release(&why);
}
END_TEST

/* A TZif file of version 2 with one kind of time, UTC, and a footer. */
static size_t
make_file(unsigned char *bytes, const char *footer)
{
    static const unsigned char header[44] = {'T', 'Z',      'i',     'f',
                                             '2', [39] = 1, [43] = 4};
    static const unsigned char kind[] = {0, 0, 0, 0, 0, 0, 'U', 'T', 'C', 0};
    size_t len = 0;

    for (int block = 0; block < 2; block++) {
        memcpy(bytes + len, header, sizeof(header));
        memcpy(bytes + len + sizeof(header), kind, sizeof(kind));
        len += sizeof(header) + sizeof(kind);
    }
    bytes[len++] = '\n';
    for (; *footer != '\0'; footer++) {
        bytes[len++] = (unsigned char)*footer;
    }
    bytes[len++] = '\n';
    return len;
}

static const struct {
    const char *footer, *shown; /* at JANUARY; NULL: refused */
} footers[] = {
    {"", "UTC +0"},
    {"CET-1", "CET +3600"},
    {"<+0330>-3:30:15", "+0330 +12615"},
    {"AAA0BBB,0/0,J365/23", "BBB +3600"},
    {"AAA0BBB,J2/12,J60", "AAA +0"},
    {"AAA0BBB-2,0,59", "BBB +7200"},
    {"AAA0BBB,59,0", "AAA +0"},
    {"AAA0BBB,M12.5.1/167,M6.1.0/-167", "AAA +0"},
    {"CET", NULL},
    {"AB-1", NULL},
    {"<+01-1", NULL},
    {"CET-1x", NULL},
    {"CET-27", NULL},
    {"CET-1:60", NULL},
    {"CET-1CEST", NULL},
    {"CET-1CEST,M3.5.0", NULL},
    {"CET-1CEST,M13.5.0,M10.5.0", NULL},
    {"CET-1CEST,M3.0.0,M10.5.0", NULL},
    {"CET-1CEST,M3.5.7,M10.5.0", NULL},
    {"CET-1CEST,J0,M10.5.0", NULL},
    {"CET-1CEST,366,M10.5.0", NULL},
    {"CET-1CEST,M3.5.0/168,M10.5.0", NULL},
    {"CET-1CEST,M3.5.0,M10.5.0/3 ", NULL},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZ-1", NULL},
};

enum {
    FOOTERS = sizeof(footers) / sizeof(footers[0])
};

START_TEST(a_footer_says_what_holds_for_ever)
{
    unsigned char bytes[512];
    struct buf why = BUF_INIT;
    struct buf shown = BUF_INIT;
    struct zone *made;
    size_t len = make_file(bytes, footers[_i].footer);
    enum err err = zone_read("test", bytes, len, &made, &why);

    if (footers[_i].shown == NULL) {
        ck_assert_int_eq(err, ERR_GARBLED);
        ck_assert_ptr_null(made);
    } else {
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
        const struct zone_kind *kind = zone_at(made, JANUARY).kind;
        buf_addf(&shown, "%s %+d", kind->name, kind->offset);
        ck_assert_str_eq(buf_text(&shown), footers[_i].shown);
    }
    zone_free(made);
    buf_release(&why);
    buf_release(&shown);
}
END_TEST

START_TEST(a_stretch_lasts_until_the_clocks_change)
{
    struct buf why = BUF_INIT;
    struct zone *berlin;

    ck_assert_int_eq(zone_load("Europe/Berlin", &berlin, &why), ERR_NONE);
    struct zone_stretch stretch = zone_at(berlin, JANUARY);
    ck_assert_int_eq(stretch.until, 1901149200); /* 2030-03-31T01:00:00Z */
    stretch = zone_at(berlin, stretch.until);
    ck_assert_str_eq(stretch.kind->name, "CEST");
    ck_assert_int_eq(stretch.until, 1919293200); /* 2030-10-27T01:00:00Z */
    ck_assert_str_eq(zone_at(berlin, stretch.until).kind->name, "CET");
    ck_assert_int_eq(zone_at(zone_utc(), JANUARY).until, INT64_MAX);
    zone_free(berlin);
}
END_TEST

START_TEST(zones_are_found_by_their_names)
{
    struct zones zones = {NULL, 0};
    const struct zone *oslo = zones_find(&zones, "Europe/Oslo");

    ck_assert_ptr_nonnull(oslo);
    ck_assert_ptr_nonnull(zones_find(&zones, "America/New_York"));
    ck_assert_ptr_eq(zones_find(&zones, "Europe/Oslo"), oslo);
    ck_assert_ptr_eq(zones_find(&zones, "UTC"), zone_utc());
    ck_assert_ptr_null(zones_find(&zones, "Mars/Olympus"));
    ck_assert_ptr_null(zones_find(&zones, "../../etc/passwd"));
    ck_assert_ptr_null(zones_find(&zones, ""));
    ck_assert_uint_eq(zones.count, 2);
    zones_release(&zones);
    zones_release(&zones);
}
END_TEST

START_TEST(a_file_cut_anywhere_is_garbled)
{
    unsigned char bytes[512];
    size_t len = make_file(bytes, "CET-1CEST,M3.5.0,M10.5.0/3");

    for (size_t cut = 0; cut < len; cut++) {
        struct buf why = BUF_INIT;
        struct zone *made;
        /* A copy of its own, so that a reader that goes too far is caught. */
        unsigned char *part = malloc(cut + 1);
        ck_assert_ptr_nonnull(part);
        memcpy(part, bytes, cut);
        ck_assert_int_eq(zone_read("test", part, cut, &made, &why),
                         ERR_GARBLED);
        buf_release(&why);
        free(part);
    }
}
END_TEST

START_TEST(a_file_with_one_wrong_byte_does_no_harm)
{
    unsigned char bytes[512];
    size_t len = make_file(bytes, "CET-1CEST,M3.5.0,M10.5.0/3");

    for (size_t i = 0; i < len * 8; i++) {
        struct buf why = BUF_INIT;
        struct zone *made;
        bytes[i / 8] ^= (unsigned char)(1U << (i % 8));
        if (zone_read("test", bytes, len, &made, &why) == ERR_NONE) {
            struct zone_stretch stretch = zone_at(made, JULY);
            ck_assert(stretch.until > JULY);
            zone_free(made);
        }
        bytes[i / 8] ^= (unsigned char)(1U << (i % 8));
        buf_release(&why);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/zone");
    TCase *tcase = tcase_create("zone");

    tcase_add_loop_test(tcase, what_is_no_zone_is_refused_with_an_example, 0,
                        NO_ZONES);
    tcase_add_loop_test(tcase, a_footer_says_what_holds_for_ever, 0, FOOTERS);
    tcase_add_test(tcase, a_stretch_lasts_until_the_clocks_change);
    tcase_add_test(tcase, zones_are_found_by_their_names);
    tcase_add_test(tcase, a_file_cut_anywhere_is_garbled);
    tcase_add_test(tcase, a_file_with_one_wrong_byte_does_no_harm);
    suite_add_tcase(suite, tcase);
    return suite;
}
