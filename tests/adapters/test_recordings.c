#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/recordings.h"
#include "tests/support/runner.h"

static const struct recordings *recordings;

static void
set_up(void)
{
    recordings = recordings_of("recordings");
}

/* What is wrong with an answer; "" if nothing is. */
static const char *
json_fault(const char *path, int status, const char *answer)
{
    static char said[256];
    struct buf why = BUF_INIT;
    json_object *value = json_tokener_parse(answer);

    recordings_compare_json(recordings, "GET", path, status, value, &why);
    snprintf(said, sizeof(said), "%s", buf_text(&why));
    json_object_put(value);
    buf_release(&why);
    return said;
}

static const char *
text_fault(const char *path, int status, const char *text)
{
    static char said[256];
    struct buf why = BUF_INIT;

    recordings_compare_text(recordings, "GET", path, status, text, &why);
    snprintf(said, sizeof(said), "%s", buf_text(&why));
    buf_release(&why);
    return said;
}

static void
faulty(const char *said, const char *words)
{
    ck_assert_msg(strstr(said, words) != NULL, "\"%s\" is not in \"%s\"", words,
                  said);
}

START_TEST(a_file_is_read_as_an_exchange)
{
    const struct recording *limited = recordings_named(recordings, "limited");
    struct reply reply = recording_reply(limited);

    ck_assert_uint_eq(recordings_count(recordings), 5);
    ck_assert_str_eq(limited->method, "POST");
    ck_assert_str_eq(buf_text(&limited->path), "/posts");
    ck_assert_str_eq(buf_text(&limited->request),
                     "{\"text\":\"Hello\\nthere\"}");
    ck_assert(limited->documented);
    ck_assert_ptr_null(limited->value);
    ck_assert_int_eq(reply.status, 429);
    ck_assert_int_eq(reply.retry_after, 7000);
    ck_assert_str_eq(reply.body, "slow down");
    const struct recording *user = recordings_named(recordings, "user");

    ck_assert(!user->documented);
    ck_assert_ptr_nonnull(user->value);
    ck_assert_int_eq(recording_reply(user).date, INT64_C(1795366800000));
}
END_TEST

START_TEST(a_route_has_the_parts_and_the_query_that_it_names)
{
    ck_assert_str_eq(recordings_named(recordings, "form")->route,
                     "GET /page?mode=form");
    faulty(text_fault("/page?mode=other", 200, "x"), "was never seen");
    faulty(text_fault("/page", 200, "x"), "GET /page was never seen");
    faulty(json_fault("/user", 200, "{}"), "no route");
    faulty(json_fault("/user/anna/posts", 200, "{}"), "no route");
    faulty(json_fault("/user/anna", 500, "{}"), "was never seen");
}
END_TEST

START_TEST(what_was_recorded_may_be_answered)
{
    ck_assert_str_eq(json_fault("/user/carl", 200,
                                "{\"id\":9,\"picture\":\"c\",\"banned\":true,"
                                "\"tags\":[\"x\",\"y\"],\"by_id\":{\"4\":{}}}"),
                     "");
    ck_assert_str_eq(
        json_fault("/user/x", 404, "{\"error\":\"No user 4 here\"}"), "");
}
END_TEST

START_TEST(what_was_not_recorded_is_found)
{
    faulty(json_fault("/user/carl", 200, "{\"slug\":\"c\"}"),
           "no recording has a member at \"slug\"");
    faulty(json_fault("/user/carl", 200, "{\"id\":\"3\"}"),
           "has string at \"id\"");
    faulty(json_fault("/user/carl", 200, "{\"name\":null}"),
           "has null at \"name\"");
    faulty(json_fault("/user/carl", 200, "{\"tags\":[3]}"), "\"tags.[]\"");
    faulty(json_fault("/user/carl", 200, "{\"by_id\":{\"4\":{\"x\":1}}}"),
           "\"by_id.4.x\"");
    faulty(json_fault("/user/carl", 200, "[]"), "has array");
    faulty(json_fault("/user/x", 404, "{\"error\":\"Nobody\"}"),
           "has Nobody at \"error\"");
}
END_TEST

START_TEST(what_an_answer_lacks_is_added)
{
    struct buf why = BUF_INIT;
    json_object *answer = json_tokener_parse("{\"id\":9}");

    recordings_compare_json(recordings, "GET", "/user/carl", 200, answer, &why);
    ck_assert_str_eq(json_object_to_json_string_ext(answer, 0),
                     "{\"id\":9,\"name\":\"Anna\",\"picture\":null,"
                     "\"tags\":[\"a\"],\"by_id\":{\"17\":{\"seen\":true}}}");
    json_object_put(answer);
    buf_release(&why);
}
END_TEST

START_TEST(a_page_is_made_of_recorded_elements)
{
    ck_assert_str_eq(text_fault("/page?mode=form", 200,
                                "<body class='wide'><form id=f3></form>"),
                     "");
    faulty(text_fault("/page?mode=form", 200, "<p>Hello</p>"), "has p");
    faulty(text_fault("/page?mode=form", 200, "<form id=\"g12\">"), "form#g0");
    faulty(text_fault("/page?mode=form", 200, "<body class=\"main narrow\">"),
           "body.narrow");
    faulty(text_fault("/page?mode=form", 200, "<input name=\"user\">"),
           "input=user");
    faulty(text_fault("/page?mode=form", 200, "<b>"), "has b");
    faulty(text_fault("/page?mode=form", 200, "some words"), "some words");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("recordings");
    TCase *tcase = tcase_create("recordings");

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, a_file_is_read_as_an_exchange);
    tcase_add_test(tcase, a_route_has_the_parts_and_the_query_that_it_names);
    tcase_add_test(tcase, what_was_recorded_may_be_answered);
    tcase_add_test(tcase, what_was_not_recorded_is_found);
    tcase_add_test(tcase, what_an_answer_lacks_is_added);
    tcase_add_test(tcase, a_page_is_made_of_recorded_elements);
    suite_add_tcase(suite, tcase);
    return suite;
}
