/*
 * Discourse's message bus: recorded polls, and what the host is to do about
 * them.  In these, the account has the number 2, games are in topic 3, and
 * private messages in topics 5 and 7.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/discourse/discourse_bus.h"
#include "adapters/forum/forum.h"
#include "bot/base/civil.h"
#include "tests/adapters/script.h"
#include "tests/support/recordings.h"
#include "tests/support/runner.h"

enum {
    NOW = 1000000000
};

#define INBOX "%2Fprivate-message-topic-tracking-state%2Fuser%2F2="
#define TOPIC "%2Ftopic%2F3="

static const struct service service = {.adapter = &adapter_discourse,
                                       .name = "forum",
                                       .base = "http://127.0.0.1/forum",
                                       .user = "placard",
                                       .self = "placard"};
static void *session;
static struct request request;
static struct bell_output output;
static struct buf why, rung;
static bool listens;

static void
set_up(void)
{
    session = must_alloc(discourse_bus.size);
    listens = false;
}

static void
tear_down(void)
{
    free(session);
    request_clear(&request);
    bell_output_release(&output);
    buf_release(&why);
    buf_release(&rung);
}

static void
poll_for(const char *const *names, size_t count)
{
    struct bell_feeds feeds = {"2/0123abcd", names, count};

    request_clear(&request);
    ck_assert(
        discourse_bus.poll(&service, session, &feeds, NOW, &request, &why));
}

static void
poll_topic(void)
{
    static const char *const names[] = {FORUM_INBOX, "3"};

    poll_for(names, 2);
}

/* Something happens; all feeds that ring are added to `rung`. */
static void
happen(const struct bell_input *input)
{
    do {
        bell_output_release(&output);
        buf_clear(&why);
        discourse_bus.take(&service, session, input, &output, &why);
        if (output.rings) {
            buf_addf(&rung, "%s:%s ", output.feed, output.post);
        }
        listens = listens || output.listens;
    } while (output.more);
    listens = listens && !output.shut;
}

static void
event(enum bell_event kind, int64_t now, unsigned code)
{
    struct bell_input input = {.event = kind, .now = now, .code = code};

    happen(&input);
}

static void
say(const char *text, size_t len)
{
    struct bell_input input = {
        .event = BELL_TEXT, .now = NOW + 10, .text = text, .len = len};

    happen(&input);
}

/* All texts of a recorded poll come. */
static void
hear(const char *name)
{
    const struct recording *recording =
        recordings_named(recordings_of("discourse"), name);
    const char *at = buf_text(&recording->body);

    event(BELL_OPENED, NOW, 0);
    while (*at != '\0') {
        const char *end = strstr(at, discourse_bus.delimiter);
        size_t len = end == NULL ? strlen(at) : (size_t)(end - at);

        say(at, len);
        at += len + (end == NULL ? 0 : strlen(discourse_bus.delimiter));
    }
}

static void
expect_rung(const char *feeds)
{
    ck_assert_str_eq(buf_text(&rung), feeds);
    buf_clear(&rung);
}

static void
expect_body(const char *inbox, const char *topic)
{
    struct buf body = BUF_INIT;

    buf_addf(&body, "%s%s&%s%s", INBOX, inbox, TOPIC, topic);
    ck_assert_str_eq(buf_text(&request.body), buf_text(&body));
    buf_release(&body);
}

static bool
is_whole(void)
{
    return strstr(buf_text(&request.headers), "Dont-Chunk: true\n") != NULL;
}

/* It was told where everything is. */
static void
begin(void)
{
    poll_topic();
    hear("bus_first");
    buf_clear(&rung);
    poll_topic();
}

/* A proxy was found that holds replies back. */
static void
begin_whole(void)
{
    begin();
    hear("bus_short_streamed");
    event(BELL_CLOSED, NOW + 20, 0);
    ck_assert(output.again);
    poll_topic();
    ck_assert(is_whole());
}

/* ---- asking -------------------------------------------------------------- */

START_TEST(the_account_has_a_number)
{
    struct script script;
    struct op op = {.kind = OP_BELL, .now = NOW};

    script_begin(&script, &service, &op);
    struct reply reply = recording_reply(
        recordings_named(recordings_of("discourse"), "account_moderator"));
    request_clear(&script.out.request);
    ck_assert_int_eq(adapter_discourse.advance(&service, &op, &script.scratch,
                                               &reply, &script.out,
                                               &script.why),
                     ADVANCE_DONE);
    const char *id = buf_text(&script.out.id);
    size_t digits = strspn(id, "0123456789");
    ck_assert_uint_gt(digits, 0);
    ck_assert_int_eq(id[digits], '/');
    ck_assert_uint_eq(strlen(id + digits + 1), 32);
    script_release(&script);
}
END_TEST

START_TEST(a_first_poll_asks_where_everything_is)
{
    poll_topic();
    ck_assert_str_eq(request.method, "POST");
    ck_assert_str_eq(buf_text(&request.url),
                     "http://127.0.0.1/forum/message-bus/0123abcd/poll");
    ck_assert(request.authorized && request.long_poll && !is_whole());
    expect_body("-2", "-1");
}
END_TEST

START_TEST(what_was_there_before_is_read_once)
{
    poll_topic();
    hear("bus_first");
    ck_assert(listens);
    expect_rung("inbox:pm5 3: ");
    poll_topic();
    expect_body("3", "9");
}
END_TEST

START_TEST(a_feed_that_comes_later_is_read_once)
{
    static const char *const names[] = {"3", FORUM_INBOX, "11"};

    begin();
    poll_for(names, 3);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&request.body), TOPIC "9&%2Ftopic%2F11=-1"));
    event(BELL_OPENED, NOW, 0);
    static const char text[] =
        "[{\"channel\":\"/__status\",\"data\":{\"/topic/11\":4}}]";
    say(text, strlen(text));
    expect_rung("11: ");
}
END_TEST

START_TEST(there_are_at_most_a_thousand_topics)
{
    static char names[1001][16];
    static const char *list[1001];
    struct bell_feeds feeds = {"2/0123abcd", list, 1001};

    for (int i = 0; i < 1001; i++) {
        (void)snprintf(names[i], sizeof(names[i]), "%d", i + 1);
        list[i] = names[i];
    }
    ck_assert(
        !discourse_bus.poll(&service, session, &feeds, NOW, &request, &why));
    ck_assert_str_ne(buf_text(&why), "");
}
END_TEST

/* ---- what rings ---------------------------------------------------------- */

/* Neither what the host writes itself, nor edits, nor what only browsers show;
 * nor the private message that comes once more. */
START_TEST(what_others_write_rings)
{
    begin();
    hear("bus_news");
    ck_assert(listens);
    expect_rung("3:16 inbox:pm5 inbox:pm7 ");
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 0);
    ck_assert(output.again);
    ck_assert_int_eq(output.pause, 0);
    poll_topic();
    expect_body("5", "15");
}
END_TEST

START_TEST(what_was_missed_rings_once_for_each_feed)
{
    begin_whole();
    hear("bus_whole_old");
    expect_rung("inbox: 3:16 ");
}
END_TEST

START_TEST(where_nothing_happens_nothing_rings)
{
    begin();
    hear("bus_quiet");
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 0);
    expect_rung("");
    ck_assert(listens && output.again);
    ck_assert_int_eq(output.pause, 0);
}
END_TEST

/* A deletion takes nothing back, and is seen at the next poll. */
START_TEST(what_moderators_bring_back_rings)
{
    begin();
    hear("bus_moderated");
    ck_assert_ptr_nonnull(strstr(buf_text(&rung), "3: "));
    ck_assert_ptr_null(strstr(buf_text(&rung), "96"));
}
END_TEST

START_TEST(a_channel_that_was_emptied_is_read_once)
{
    begin();
    static const char text[] =
        "[{\"channel\":\"/topic/3\",\"message_id\":1017,\"data\":{}},"
        "{\"channel\":\"/private-message-topic-tracking-state/user/2\","
        "\"message_id\":1006,\"data\":{}}]";
    event(BELL_OPENED, NOW, 0);
    say(text, strlen(text));
    expect_rung("");
    poll_topic();
    expect_body("1005", "1017");
    hear("bus_ahead");
    expect_rung("inbox: 3: ");
    ck_assert(listens);
    poll_topic();
    expect_body("5", "17");
}
END_TEST

START_TEST(a_channel_that_was_not_asked_for_is_ignored)
{
    begin();
    hear("bus_notification");
    expect_rung("");
    ck_assert(listens);
}
END_TEST

/* ---- strangers ----------------------------------------------------------- */

static const char *const strange[] = {"bus_stranger", "bus_stranger_first"};

START_TEST(a_stranger_is_told_so_and_does_not_listen)
{
    if (_i == 0) {
        begin();
    } else {
        poll_topic();
    }
    hear(strange[_i]);
    ck_assert(!listens && output.shut && !output.again && !output.never);
    ck_assert_int_eq(output.pause, MINUTE_MS);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "does not know the account"));
    poll_topic();
    ck_assert_ptr_nonnull(strstr(buf_text(&request.body), INBOX "5&"));
}
END_TEST

START_TEST(without_private_messages_it_listens_all_the_same)
{
    static const char text[] =
        "[{\"channel\":\"/__status\",\"data\":{\"/topic/3\":4}}]";

    poll_topic();
    event(BELL_OPENED, NOW, 0);
    say(text, strlen(text));
    ck_assert(listens);
    poll_topic();
    expect_body("-2", "4");
}
END_TEST

/* ---- polls that are not streamed ----------------------------------------- */

START_TEST(a_reply_that_is_held_back_is_asked_for_whole)
{
    begin();
    event(BELL_OPENED, NOW, 0);
    ck_assert_int_eq(output.wake, NOW + 3 * SECOND_MS);
    event(BELL_TIME, NOW + 3 * SECOND_MS, 0);
    ck_assert(output.shut && output.again);
    poll_topic();
    ck_assert(is_whole());
    expect_body("4", "9");
    event(BELL_OPENED, NOW, 0);
    ck_assert_int_eq(output.wake, 0);
}
END_TEST

START_TEST(a_reply_whose_status_is_held_back_too_is_asked_for_whole)
{
    begin();
    event(BELL_OPENED, NOW + 25 * SECOND_MS, 0);
    say("[]", 2);
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 0);
    ck_assert(output.again);
    poll_topic();
    ck_assert(is_whole());
}
END_TEST

START_TEST(a_streamed_reply_is_left_open)
{
    begin();
    hear("bus_quiet");
    event(BELL_TIME, NOW + 3 * SECOND_MS, 0);
    ck_assert(!output.shut && !output.again);
}
END_TEST

START_TEST(what_comes_whole_comes_every_three_seconds)
{
    begin_whole();
    hear("bus_whole");
    expect_rung("3:20 ");
    event(BELL_CLOSED, NOW + 1800, 0);
    ck_assert(output.again);
    ck_assert_int_eq(output.pause, 1200);
    poll_topic();
    hear("bus_whole_quiet");
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 0);
    ck_assert(output.again);
    ck_assert_int_eq(output.pause, 0);
}
END_TEST

/* Its headers come with its end. */
START_TEST(
    a_quiet_poll_that_is_not_streamed_is_no_sign_that_long_polling_is_off)
{
    begin_whole();
    event(BELL_OPENED, NOW + 25 * SECOND_MS, 0);
    say("[]", 2);
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 0);
    ck_assert(output.again && !output.shut);
    ck_assert_int_eq(output.pause, 0);
}
END_TEST

START_TEST(news_at_once_are_no_sign_that_long_polling_is_off)
{
    begin_whole();
    hear("bus_whole");
    event(BELL_CLOSED, NOW + 20, 0);
    ck_assert(output.again && !output.shut);
    ck_assert_int_eq(output.pause, 2980);
}
END_TEST

START_TEST(where_long_polling_is_off_the_host_polls)
{
    begin_whole();
    hear("bus_short");
    event(BELL_CLOSED, NOW + 20, 0);
    ck_assert(output.shut && !output.again);
    ck_assert_int_eq(output.pause, HOUR_MS);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "long polling off"));
}
END_TEST

/* ---- what fails ---------------------------------------------------------- */

START_TEST(one_that_is_refused_or_never_opened_has_failed)
{
    begin();
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 0);
    ck_assert(!output.again);
    poll_topic();
    event(BELL_CLOSED, NOW + 25 * SECOND_MS, 429);
    ck_assert(!output.again);
    poll_topic();
    event(BELL_OPENED, NOW, 0);
    event(BELL_CLOSED, NOW + 5 * SECOND_MS, 0);
    ck_assert(!output.again);
}
END_TEST

START_TEST(one_that_is_cut_after_a_while_goes_on_where_it_was)
{
    static const char text[] =
        "[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":"
        "{\"id\":16,\"user_id\":4,\"type\":\"created\"}}]";

    begin();
    event(BELL_OPENED, NOW, 0);
    say(text, strlen(text));
    expect_rung("3:16 ");
    event(BELL_CLOSED, NOW + 5 * SECOND_MS, 0);
    ck_assert(output.again);
    poll_topic();
    expect_body("3", "10");
}
END_TEST

static const struct {
    const char *text, *rung;
    bool good;
} odd[] = {
    {"", "", false},
    {"{", "", false},
    {"{}", "", false},
    {"null", "", false},
    {"<html>busy</html>", "", false},
    {"[]", "", true},
    {"[1,null,[],{}]", "", true},
    {"[{\"channel\":3,\"message_id\":10,\"data\":{}}]", "", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10}]", "", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":7}]", "", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":\"10\",\"data\":"
     "{\"type\":\"created\"}}]",
     "", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":9,\"data\":"
     "{\"type\":\"created\"}}]",
     "", true},
    {"[{\"channel\":\"/topic/4\",\"message_id\":10,\"data\":"
     "{\"type\":\"created\"}}]",
     "", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":"
     "{\"type\":\"created\"}}]",
     "3: ", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":"
     "{\"type\":\"created\",\"id\":-5}}]",
     "3: ", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":"
     "{\"type\":\"recovered\",\"id\":16,\"user_id\":2}}]",
     "3: ", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":"
     "{\"reload_topic\":true}}]",
     "3: ", true},
    {"[{\"channel\":\"/topic/3\",\"message_id\":10,\"data\":"
     "{\"notification_level_change\":2}}]",
     "", true},
    {"[{\"channel\":\"/__status\",\"data\":[]}]", "", true},
    {"[{\"channel\":\"/__status\",\"data\":{\"/topic/3\":\"x\",\"/topic/3\":-7,"
     "\"/topic/\":1,\"\":2}}]",
     "", true},
    {"[{\"channel\":\"/__status\",\"data\":{\"/topic/3\":12}}]", "3: ", true},
};

START_TEST(odd_texts_do_no_harm)
{
    begin();
    event(BELL_OPENED, NOW, 0);
    say(odd[_i].text, strlen(odd[_i].text));
    expect_rung(odd[_i].rung);
    ck_assert_int_eq(output.shut, !odd[_i].good);
    ck_assert_int_eq(why.len == 0, odd[_i].good);
    ck_assert(listens == odd[_i].good || !odd[_i].good);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discourse_bus");
    TCase *tcase = tcase_create("bus");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_account_has_a_number);
    tcase_add_test(tcase, a_first_poll_asks_where_everything_is);
    tcase_add_test(tcase, what_was_there_before_is_read_once);
    tcase_add_test(tcase, a_feed_that_comes_later_is_read_once);
    tcase_add_test(tcase, there_are_at_most_a_thousand_topics);
    tcase_add_test(tcase, what_others_write_rings);
    tcase_add_test(tcase, what_was_missed_rings_once_for_each_feed);
    tcase_add_test(tcase, where_nothing_happens_nothing_rings);
    tcase_add_test(tcase, what_moderators_bring_back_rings);
    tcase_add_test(tcase, a_channel_that_was_emptied_is_read_once);
    tcase_add_test(tcase, a_channel_that_was_not_asked_for_is_ignored);
    tcase_add_loop_test(tcase, a_stranger_is_told_so_and_does_not_listen, 0, 2);
    tcase_add_test(tcase, without_private_messages_it_listens_all_the_same);
    tcase_add_test(tcase, a_reply_that_is_held_back_is_asked_for_whole);
    tcase_add_test(tcase,
                   a_reply_whose_status_is_held_back_too_is_asked_for_whole);
    tcase_add_test(tcase, a_streamed_reply_is_left_open);
    tcase_add_test(tcase, what_comes_whole_comes_every_three_seconds);
    tcase_add_test(
        tcase,
        a_quiet_poll_that_is_not_streamed_is_no_sign_that_long_polling_is_off);
    tcase_add_test(tcase, news_at_once_are_no_sign_that_long_polling_is_off);
    tcase_add_test(tcase, where_long_polling_is_off_the_host_polls);
    tcase_add_test(tcase, one_that_is_refused_or_never_opened_has_failed);
    tcase_add_test(tcase, one_that_is_cut_after_a_while_goes_on_where_it_was);
    tcase_add_loop_test(tcase, odd_texts_do_no_harm, 0,
                        sizeof(odd) / sizeof(odd[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
