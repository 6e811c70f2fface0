/*
 * Rate limits, as replies tell them: a table of headers, and requests that may
 * or may not go.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/http/rate_limits.h"
#include "tests/support/runner.h"

enum {
    NOW = 1000000000
};

static struct limits limits;

static void
set_up(void)
{
    limits = (struct limits){0};
}

static void
tear_down(void)
{
    limits_release(&limits);
}

/* When a request of a route may go, without that it goes. */
static int64_t
when(const char *route, int64_t now)
{
    struct permit permit;

    limits_join(&limits, route, now, &permit);
    int64_t time = limits_when(&limits, &permit, now);
    limits_end(&limits, &permit, NULL, now);
    return time;
}

static bool
may_go(const char *route, int64_t now)
{
    return when(route, now) <= now;
}

/* A request goes; it is under way. */
static void
go(const char *route, int64_t now, struct permit *permit)
{
    limits_join(&limits, route, now, permit);
    ck_assert_int_le(limits_when(&limits, permit, now), now);
    limits_go(&limits, permit, now);
}

static void
answer(struct permit *permit, int status, const char *headers, int64_t now)
{
    struct reply reply = {.status = status, .headers = headers};

    limits_read_times(&reply, now);
    limits_end(&limits, permit, &reply, now);
}

/* A request goes and is answered. */
static void
exchange(const char *route, int status, const char *headers, int64_t now)
{
    struct permit permit;

    go(route, now, &permit);
    answer(&permit, status, headers, now);
}

/* ---- times --------------------------------------------------------------- */

static const struct {
    const char *headers;
    int64_t retry_after;
} times[] = {
    {"", -1},
    {"retry-after: 3\n", 3000},
    {"retry-after: 0\n", 0},
    {"retry-after:12\n", 12000},
    {"retry-after: 0.25\n", 250},
    {"retry-after: 0.2501\n", 251},
    {"retry-after: 1.0000\n", 1000},
    {"retry-after: 64.57\n", 64570},
    {"retry-after: 3.\n", 3000},
    {"retry-after: 7 \n", 7000},
    {"retry-after: 900\n", 900000},
    {"retry-after: 901\n", 900000},
    {"retry-after: 99999999999999999999999999999999\n", 900000},
    {"retry-after: -3\n", -1},
    {"retry-after: \n", -1},
    {"retry-after: soon\n", -1},
    {"retry-after: 3 seconds\n", -1},
    {"retry-after: 0x10\n", -1},
    {"retry-after: 1e3\n", -1},
    {"retry-after: .5\n", -1},
    {"x-retry-after: 3\n", -1},
    /* A date is meant by the service's own clock. */
    {"date: Sun, 06 Nov 1994 08:49:37 GMT\n"
     "retry-after: Sun, 06 Nov 1994 08:49:47 GMT\n",
     10000},
    {"date: Sun, 06 Nov 1994 08:49:37 GMT\n"
     "retry-after: Sun, 06 Nov 1994 08:49:36 GMT\n",
     0},
    {"date: Sun, 06 Nov 1994 08:49:37 GMT\n"
     "retry-after: Sun, 06 Nov 2034 08:49:37 GMT\n",
     900000},
    /* Without that, by ours: 1970-01-12 13:46:40. */
    {"retry-after: Mon, 12 Jan 1970 13:46:42 GMT\n", 2000},
};

START_TEST(the_time_to_wait_is_read_as_services_write_it)
{
    struct reply reply = {.status = 429, .headers = times[_i].headers};

    limits_read_times(&reply, NOW);
    ck_assert_msg(reply.retry_after == times[_i].retry_after, "%s: %lld",
                  times[_i].headers, (long long)reply.retry_after);
}
END_TEST

START_TEST(the_services_clock_is_read_from_its_date)
{
    static const struct {
        const char *headers;
        int64_t date;
    } dates[] = {
        {"date: Sun, 06 Nov 1994 08:49:37 GMT\n", 784111777000},
        {"server: x\ndate:Sun, 06 Nov 1994 08:49:37 GMT\n", 784111777000},
        {"date: yesterday\n", 0},
        {"date: Sun, 06 Nov 1941 08:49:37 GMT\n", 0},
        {"date: Sun, 06 Nov 968401094 08:4:37\n", 0},
        {"date: \n", 0},
        {"", 0},
    };

    for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++) {
        struct reply reply = {.headers = dates[i].headers};
        limits_read_times(&reply, NOW);
        ck_assert_int_eq(reply.date, dates[i].date);
    }
}
END_TEST

/* ---- waiting ------------------------------------------------------------- */

START_TEST(a_route_of_which_nothing_is_known_is_not_limited)
{
    struct permit permits[50];

    for (int i = 0; i < 50; i++) {
        go("GET /a", NOW, &permits[i]);
    }
    for (int i = 0; i < 50; i++) {
        answer(&permits[i], 200, "", NOW);
    }
    ck_assert(may_go("GET /a", NOW));
}
END_TEST

START_TEST(a_route_that_was_turned_away_waits_and_others_do_not)
{
    exchange("GET /a", 429, "retry-after: 3\n", NOW);
    ck_assert_int_eq(when("GET /a", NOW), NOW + 3000);
    ck_assert(!may_go("GET /a", NOW + 2999));
    ck_assert(may_go("GET /a", NOW + 3000));
    ck_assert(may_go("GET /b", NOW));
    ck_assert(may_go("", NOW));
}
END_TEST

START_TEST(without_a_time_to_wait_it_is_five_seconds)
{
    exchange("GET /a", 429, "", NOW);
    ck_assert_int_eq(when("GET /a", NOW), NOW + 5000);
}
END_TEST

START_TEST(a_time_to_wait_with_another_status_is_none)
{
    exchange("GET /a", 503, "retry-after: 3\n", NOW);
    ck_assert(may_go("GET /a", NOW));
}
END_TEST

START_TEST(a_request_of_no_route_limits_none)
{
    exchange("", 429, "retry-after: 3\nx-ratelimit-bucket: b\n", NOW);
    ck_assert(may_go("", NOW));
    ck_assert(may_go("GET /a", NOW));
}
END_TEST

START_TEST(where_the_limit_is_not_told_one_goes_at_a_time_after_it_was_met)
{
    struct permit permit;

    exchange("GET /a", 429, "retry-after: 3\n", NOW);
    go("GET /a", NOW + 3000, &permit);
    ck_assert_int_eq(when("GET /a", NOW + 3000), INT64_MAX);
    answer(&permit, 200, "", NOW + 3100);
    ck_assert(may_go("GET /a", NOW + 3100));
}
END_TEST

START_TEST(what_is_left_may_go_and_no_more_until_the_time_is_over)
{
    struct permit permits[2];

    exchange("GET /a", 200,
             "x-ratelimit-limit: 5\nx-ratelimit-remaining: 2\n"
             "x-ratelimit-reset-after: 1.5\n",
             NOW);
    go("GET /a", NOW, &permits[0]);
    go("GET /a", NOW, &permits[1]);
    ck_assert_int_eq(when("GET /a", NOW), NOW + 1500);
    answer(&permits[0], 200,
           "x-ratelimit-limit: 5\nx-ratelimit-remaining: 1\n"
           "x-ratelimit-reset-after: 1.2\n",
           NOW + 300);
    answer(&permits[1], 200,
           "x-ratelimit-limit: 5\nx-ratelimit-remaining: 0\n"
           "x-ratelimit-reset-after: 1.2\n",
           NOW + 300);
    ck_assert_int_eq(when("GET /a", NOW + 1499), NOW + 1500);
    ck_assert(may_go("GET /a", NOW + 1500));
}
END_TEST

START_TEST(when_the_time_is_over_as_many_go_as_the_limit_says)
{
    struct permit permits[2];

    exchange("GET /a", 200,
             "x-ratelimit-limit: 2\nx-ratelimit-remaining: 0\n"
             "x-ratelimit-reset-after: 1\n",
             NOW);
    go("GET /a", NOW + 1000, &permits[0]);
    go("GET /a", NOW + 1000, &permits[1]);
    ck_assert_int_eq(when("GET /a", NOW + 1000), INT64_MAX);
    answer(&permits[0], 0, "", NOW + 1100);
    ck_assert(may_go("GET /a", NOW + 1100));
    answer(&permits[1], 0, "", NOW + 1100);
}
END_TEST

START_TEST(the_longer_of_two_waits_holds)
{
    exchange("GET /a", 429,
             "retry-after: 1\nx-ratelimit-limit: 5\n"
             "x-ratelimit-remaining: 0\nx-ratelimit-reset-after: 4\n",
             NOW);
    ck_assert_int_eq(when("GET /a", NOW), NOW + 4000);
    exchange("GET /b", 429,
             "retry-after: 4\nx-ratelimit-limit: 5\n"
             "x-ratelimit-remaining: 3\nx-ratelimit-reset-after: 1\n",
             NOW);
    ck_assert_int_eq(when("GET /b", NOW), NOW + 4000);
}
END_TEST

START_TEST(a_global_limit_is_that_of_the_whole_service)
{
    static const char *const headers[] = {
        "retry-after: 2\nx-ratelimit-global: true\n",
        "retry-after: 2\nX-RateLimit-Scope: user\nx-ratelimit-scope: global\n"};

    for (int i = 0; i < 2; i++) {
        int64_t now = NOW + i * 10000;
        exchange("GET /a", 429, headers[i], now);
        ck_assert_int_eq(when("GET /b", now), now + 2000);
        ck_assert_int_eq(when("", now), now + 2000);
        ck_assert(may_go("", now + 2000));
        ck_assert(may_go("GET /a", now + 2000));
    }
}
END_TEST

START_TEST(a_shared_limit_is_that_of_its_route)
{
    exchange("GET /a", 429, "retry-after: 2\nx-ratelimit-scope: shared\n", NOW);
    ck_assert(!may_go("GET /a", NOW));
    ck_assert(may_go("GET /b", NOW));
}
END_TEST

#define BUCKET                                                                  \
    "x-ratelimit-limit: 5\nx-ratelimit-reset-after: 3\nx-ratelimit-bucket: abc" \
    "\n"

START_TEST(routes_of_one_bucket_and_place_share_it)
{
    exchange("POST /channels/81", 200, BUCKET "x-ratelimit-remaining: 4\n",
             NOW);
    exchange("PATCH /channels/81", 200, BUCKET "x-ratelimit-remaining: 3\n",
             NOW);
    exchange("POST /channels/82", 200, BUCKET "x-ratelimit-remaining: 4\n",
             NOW);
    exchange("POST /channels/81", 200, BUCKET "x-ratelimit-remaining: 0\n",
             NOW);
    ck_assert_int_eq(when("POST /channels/81", NOW), NOW + 3000);
    ck_assert_int_eq(when("PATCH /channels/81", NOW), NOW + 3000);
    ck_assert(may_go("POST /channels/82", NOW));
    ck_assert(may_go("GET /channels/81", NOW));
}
END_TEST

START_TEST(headers_that_are_not_what_they_should_be_limit_nothing)
{
    static const char *const headers[] = {
        "x-ratelimit-remaining: 0\n",
        "x-ratelimit-limit: 5\nx-ratelimit-remaining: 0\n",
        "x-ratelimit-limit: 5\nx-ratelimit-remaining: none\n"
        "x-ratelimit-reset-after: 3\n",
        "x-ratelimit-limit: 0\nx-ratelimit-remaining: 0\n"
        "x-ratelimit-reset-after: 3\n",
        "x-ratelimit-limit: 5\nx-ratelimit-remaining: 0\n"
        "x-ratelimit-reset-after: -3\n",
        "x-ratelimit-bucket: \n",
        "x-ratelimit-bucket\n",
    };

    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        exchange("GET /a", 200, headers[i], NOW);
        ck_assert_msg(may_go("GET /a", NOW), "%s", headers[i]);
    }
}
END_TEST

START_TEST(of_many_routes_those_are_kept_that_wait_or_are_used)
{
    struct permit permit;
    char route[32];

    exchange("GET /waits", 429, "retry-after: 899\n", NOW);
    go("GET /used", NOW, &permit);
    for (int i = 0; i < 5000; i++) {
        snprintf(route, sizeof(route), "GET /%d", i);
        exchange(route, 200, BUCKET "x-ratelimit-remaining: 0\n",
                 NOW + (int64_t)i * 100);
        ck_assert_uint_le(limits.count, 300);
    }
    ck_assert_int_eq(when("GET /waits", NOW), NOW + 899000);
    answer(&permit, 429, "retry-after: 7\n", NOW);
    ck_assert_int_eq(when("GET /used", NOW), NOW + 7000);
}
END_TEST

/* A request of a route goes that wants to be so far from the last. */
static void
go_apart(const char *route, int apart, int64_t now)
{
    struct permit permit;

    limits_join(&limits, route, now, &permit);
    permit.apart = apart;
    ck_assert_int_le(limits_when(&limits, &permit, now), now);
    limits_go(&limits, &permit, now);
    limits_end(&limits, &permit, NULL, now);
}

/* A service may call each bucket as the address that was asked, with its
 * query, which hardly ever comes again. */
START_TEST(buckets_that_are_named_once_are_not_kept)
{
    char headers[128];

    for (unsigned i = 0; i < 1000; i++) {
        snprintf(headers, sizeof(headers),
                 "x-ratelimit-bucket: channels/81/messages?after=%u\n"
                 "x-ratelimit-limit: 10\nx-ratelimit-remaining: 9\n"
                 "x-ratelimit-reset-after: 5\n",
                 i);
        exchange("read 81", 200, headers, NOW + i);
    }
    ck_assert_uint_eq(limits.count, 1);
    ck_assert_uint_eq(limits.bucket_count, 1);
    ck_assert(may_go("read 81", NOW + 1000));
}
END_TEST

/* When one may go that wants to be so far from the last. */
static int64_t
when_apart(const char *route, int apart, int64_t now)
{
    struct permit permit;

    limits_join(&limits, route, now, &permit);
    permit.apart = apart;
    int64_t when = limits_when(&limits, &permit, now);

    limits_end(&limits, &permit, NULL, now);
    return when;
}

START_TEST(a_request_goes_as_long_after_the_last_as_it_asks)
{
    go_apart("form", 0, NOW);
    ck_assert(may_go("form", NOW + 1));
    ck_assert_int_eq(when_apart("form", 4000, NOW + 1), NOW + 4000);
    ck_assert_int_le(when_apart("form", 4000, NOW + 4000), NOW + 4000);
    ck_assert_int_le(when_apart("read 81", 4000, NOW + 1), NOW + 1);
}
END_TEST

START_TEST(one_that_keeps_apart_waits_for_the_answer_to_the_last)
{
    struct permit permit;

    limits_join(&limits, "post", NOW, &permit);
    limits_go(&limits, &permit, NOW);
    ck_assert_int_eq(when_apart("post", 250, NOW + 9000), INT64_MAX);
    ck_assert_int_le(when_apart("post", 0, NOW + 9000), NOW + 9000);
    ck_assert_int_le(when_apart("chat", 250, NOW + 9000), NOW + 9000);
    limits_end(&limits, &permit, NULL, NOW + 9000);
    ck_assert_int_le(when_apart("post", 250, NOW + 9000), NOW + 9000);
}
END_TEST

/* A service that is slow has not given its form before it answers. */
START_TEST(the_answer_to_the_last_counts_as_well)
{
    struct permit permit;
    struct reply reply = {.status = 200, .retry_after = -1, .headers = ""};

    limits_join(&limits, "form", NOW, &permit);
    limits_go(&limits, &permit, NOW);
    limits_end(&limits, &permit, &reply, NOW + 3000);
    ck_assert_int_eq(when_apart("form", 1200, NOW + 3000), NOW + 4200);
}
END_TEST

/* When a request may go that is urgent, or not. */
static int64_t
when_urgent(const char *route, bool urgent, int64_t now)
{
    struct permit permit;

    limits_join(&limits, route, now, &permit);
    permit.urgent = urgent;
    int64_t when = limits_when(&limits, &permit, now);

    limits_end(&limits, &permit, NULL, now);
    return when;
}

START_TEST(no_other_takes_the_turn_of_an_urgent_one_that_was_turned_away)
{
    struct permit permit;

    go("send", NOW, &permit);
    permit.urgent = true;
    answer(&permit, 429, "retry-after: 5\n", NOW);
    ck_assert_int_eq(when_urgent("send", true, NOW), NOW + 5000);
    ck_assert_int_eq(when_urgent("send", false, NOW), NOW + 7000);
    ck_assert_int_le(when_urgent("send", true, NOW + 5000), NOW + 5000);
    ck_assert_int_eq(when_urgent("send", false, NOW + 5000), NOW + 7000);
    ck_assert_int_le(when_urgent("send", false, NOW + 7000), NOW + 7000);
    ck_assert_int_le(when_urgent("read 81", false, NOW), NOW);
}
END_TEST

START_TEST(one_that_was_turned_away_and_is_not_urgent_keeps_no_turn)
{
    exchange("send", 429, "retry-after: 5\n", NOW);
    ck_assert_int_eq(when_urgent("send", false, NOW), NOW + 5000);
    ck_assert_int_le(when_urgent("send", false, NOW + 5000), NOW + 5000);
}
END_TEST

START_TEST(a_rate_lets_a_quarter_go_at_once_and_then_one_after_another)
{
    limits.rate = 40 * 60;
    for (int i = 0; i < 11; i++) {
        ck_assert_msg(may_go("read 81", NOW), "%d", i);
        go_apart("read 81", 0, NOW);
    }
    ck_assert_int_eq(when("read 82", NOW), NOW + 25);
    ck_assert_int_eq(when("", NOW), NOW + 25);
}
END_TEST

START_TEST(in_no_second_go_more_than_the_rate_and_a_quarter)
{
    int64_t sent[2000];
    size_t count = 0;

    limits.rate = 40 * 60;
    for (int64_t now = NOW; now < NOW + 30000 && count < 2000; now += 7) {
        /* At times nobody asks for a while. */
        while (now / 1000 % 5 != 0 && may_go("read 81", now)) {
            go_apart("read 81", 0, now);
            sent[count++] = now;
        }
    }
    ck_assert_uint_gt(count, 800);
    for (size_t i = 51; i < count; i++) {
        ck_assert_int_gt(sent[i] - sent[i - 51], 1000);
    }
}
END_TEST

START_TEST(a_rate_may_be_below_one_a_second)
{
    limits.rate = 45;
    for (int64_t i = 0; i < 3; i++) {
        ck_assert_int_eq(when("read 82", NOW), i == 0 ? 0 : NOW + i * 1333);
        go_apart("read 81", 0, NOW + i * 1333);
    }
}
END_TEST

START_TEST(after_a_rest_a_burst_goes_at_once)
{
    limits.rate = 40;
    limits.burst = 12;
    for (int round = 0; round < 2; round++) {
        int64_t now = NOW + round * 60000;

        for (int i = 0; i < 12; i++) {
            ck_assert_msg(may_go("read 81", now), "%d", i);
            go_apart("read 81", 0, now);
        }
        ck_assert_int_eq(when("read 82", now), now + 1500);
    }
}
END_TEST

START_TEST(in_no_minute_go_more_than_the_rate_and_the_burst)
{
    int64_t sent[400];
    size_t count = 0;

    limits.rate = 40;
    limits.burst = 12;
    for (int64_t now = NOW; now < NOW + 300000; now += 70) {
        /* At times nobody asks for a while. */
        while (now / 1000 % 50 > 13 && may_go("read 81", now)) {
            go_apart("read 81", 0, now);
            sent[count++] = now;
        }
    }
    ck_assert_uint_gt(count, 150);
    for (size_t i = 52; i < count; i++) {
        ck_assert_int_ge(sent[i] - sent[i - 52], 60000);
    }
}
END_TEST

START_TEST(a_service_that_refuses_much_is_left_alone_for_ten_minutes)
{
    static const int statuses[] = {401, 403, 429};

    for (int i = 0; i < REFUSALS_MAX; i++) {
        ck_assert_msg(may_go("other", NOW + i), "%d", i);
        exchange("x", statuses[i % 2], "", NOW + i);
    }
    ck_assert_int_eq(when("other", NOW + REFUSALS_MAX), NOW + 600000);
    ck_assert_int_eq(when("", NOW + REFUSALS_MAX), NOW + 600000);
    ck_assert(may_go("other", NOW + 600000));
    exchange("x", statuses[2], "", NOW + 600000);
    ck_assert(may_go("other", NOW + 600001));
}
END_TEST

START_TEST(refusals_that_are_rare_or_shared_are_no_reason_to_stop)
{
    for (int i = 0; i < 2 * REFUSALS_MAX; i++) {
        exchange("x", 403, "", NOW + (int64_t)i * 1000);
        exchange("y", 429, "retry-after: 0\nx-ratelimit-scope: shared\n",
                 NOW + (int64_t)i * 1000);
    }
    ck_assert(may_go("other", NOW + (int64_t)2 * REFUSALS_MAX * 1000));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/rate_limits");
    TCase *tcase = tcase_create("limits");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, the_time_to_wait_is_read_as_services_write_it, 0,
                        sizeof(times) / sizeof(times[0]));
    tcase_add_test(tcase, the_services_clock_is_read_from_its_date);
    tcase_add_test(tcase, a_route_of_which_nothing_is_known_is_not_limited);
    tcase_add_test(tcase, a_route_that_was_turned_away_waits_and_others_do_not);
    tcase_add_test(tcase, without_a_time_to_wait_it_is_five_seconds);
    tcase_add_test(tcase, a_time_to_wait_with_another_status_is_none);
    tcase_add_test(tcase, a_request_of_no_route_limits_none);
    tcase_add_test(
        tcase, where_the_limit_is_not_told_one_goes_at_a_time_after_it_was_met);
    tcase_add_test(tcase,
                   what_is_left_may_go_and_no_more_until_the_time_is_over);
    tcase_add_test(tcase, when_the_time_is_over_as_many_go_as_the_limit_says);
    tcase_add_test(tcase, the_longer_of_two_waits_holds);
    tcase_add_test(tcase, a_global_limit_is_that_of_the_whole_service);
    tcase_add_test(tcase, a_shared_limit_is_that_of_its_route);
    tcase_add_test(tcase, routes_of_one_bucket_and_place_share_it);
    tcase_add_test(tcase,
                   headers_that_are_not_what_they_should_be_limit_nothing);
    tcase_add_test(tcase, of_many_routes_those_are_kept_that_wait_or_are_used);
    tcase_add_test(tcase, buckets_that_are_named_once_are_not_kept);
    tcase_add_test(tcase, a_request_goes_as_long_after_the_last_as_it_asks);
    tcase_add_test(tcase,
                   one_that_keeps_apart_waits_for_the_answer_to_the_last);
    tcase_add_test(tcase, the_answer_to_the_last_counts_as_well);
    tcase_add_test(
        tcase, no_other_takes_the_turn_of_an_urgent_one_that_was_turned_away);
    tcase_add_test(tcase,
                   one_that_was_turned_away_and_is_not_urgent_keeps_no_turn);
    tcase_add_test(tcase,
                   a_rate_lets_a_quarter_go_at_once_and_then_one_after_another);
    tcase_add_test(tcase, in_no_second_go_more_than_the_rate_and_a_quarter);
    tcase_add_test(tcase, a_rate_may_be_below_one_a_second);
    tcase_add_test(tcase, after_a_rest_a_burst_goes_at_once);
    tcase_add_test(tcase, in_no_minute_go_more_than_the_rate_and_the_burst);
    tcase_add_test(tcase,
                   a_service_that_refuses_much_is_left_alone_for_ten_minutes);
    tcase_add_test(tcase,
                   refusals_that_are_rare_or_shared_are_no_reason_to_stop);
    suite_add_tcase(suite, tcase);
    return suite;
}
