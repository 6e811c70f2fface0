/*
 * The forums' adapters and what forums answer: replies as they come, replies
 * that look like a success and are none, cut ones, and ones in which a value is
 * another.  Whatever is not understood is told as a failure with a sentence,
 * and is then asked for again: of a page that is taken no post is missing.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/forum/forum.h"
#include "tests/adapters/script.h"
#include "tests/support/runner.h"

static const struct note session = {"secret.cookies", "x_u=2; x_sid=0f1e2d"};

static const struct service services[] = {
    {.adapter = &adapter_phpbb,
     .name = "forum",
     .base = "https://board.test",
     .user = "placard",
     .password = "a secret word",
     .self = "2"},
};

enum forum {
    PHPBB
};

static const unsigned char png[] = {0x89, 'P', 'N', 'G'};

enum where {
    TOPIC,
    TALK,
    PICTURE /* a post in the topic with one */
};

static struct errand
errand_of(enum forum forum, enum errand_kind kind, enum where where)
{
    static const char *const cursors[] = {"0.100.0"};
    static const char *const inboxes[] = {"0.20.0"};
    bool talk = where == TALK;
    struct errand errand = {
        .kind = kind,
        .feed = talk ? FORUM_INBOX : "7",
        .cursor = talk ? inboxes[forum] : cursors[forum],
        .place = talk ? forum == PHPBB ? "pm4" : "pm8" : "7",
        .post = "1004",
        .user = forum == PHPBB ? "4" : "anna",
        .text = kind == ERRAND_PLACE ? "7" : "Round 2 begins.",
        .key = "a1b2.31",
        .talk = talk,
        .now = SCRIPT_DATE,
        .notes = &session,
        .note_count = forum == PHPBB ? 1 : 0,
    };

    if (where == PICTURE) {
        errand.picture =
            (struct picture){png, sizeof(png), 720, 944, "The board.", NULL};
    }
    return errand;
}

/* ---- as they come -------------------------------------------------------- */

/* An errand with the replies that it takes, and what comes of it. */
static const struct recording {
    enum forum forum;
    enum errand_kind kind;
    enum where where;
    struct heard replies[5];
    size_t count;
    enum turn turn;
    enum err err;
    const char *words; /* of its id, or of what it says */
    size_t posts;
} recordings[] = {
    {PHPBB, ERRAND_PLACE, TOPIC, {{"topic.html", 0}}, 1, TURN_DONE, 0, "7", 0},
    {PHPBB,
     ERRAND_PROBE,
     TOPIC,
     {{"topic.html", 0},
      {"reply.html", 0},
      {"reply.html", 0},
      {"compose.html", 0},
      {"message_refused.html", 0}},
     5,
     TURN_DONE,
     0,
     "",
     0},
    {PHPBB,
     ERRAND_READ,
     TOPIC,
     {{"topic.html", 0}, {"feed.xml", 0}},
     2,
     TURN_DONE,
     0,
     "",
     4},
    {PHPBB,
     ERRAND_READ,
     TALK,
     {{"list.html", 0}, {"message.html", 0}},
     2,
     TURN_DONE,
     0,
     "",
     1},
    {PHPBB,
     ERRAND_SEND,
     TALK,
     {{"compose.html", 0}, {"message_sent.html", 0}},
     2,
     TURN_DONE,
     0,
     "pm-a1b2.31",
     0},
    {PHPBB,
     ERRAND_SEND,
     TALK,
     {{"compose.html", 0}, {"message_sent_nl.html", 0}},
     2,
     TURN_DONE,
     0,
     "pm-a1b2.31",
     0},
    {PHPBB,
     ERRAND_TALK,
     TOPIC,
     {{"compose.html", 0}},
     1,
     TURN_DONE,
     0,
     "pm4",
     0},

    /* Such as look like a success. */
    {PHPBB,
     ERRAND_SEND,
     TALK,
     {{"compose.html", 0}, {"message_refused.html", 0}},
     2,
     TURN_FAILED,
     ERR_DENIED,
     "disabled private message receipt",
     0},
    {PHPBB,
     ERRAND_SEND,
     TOPIC,
     {{"reply.html", 0}, {"queued.html", 0}},
     2,
     TURN_DONE,
     0,
     "",
     0},
    {PHPBB,
     ERRAND_SEND,
     TOPIC,
     {{"reply.html", 0}, {"too_soon.html", 0}},
     2,
     TURN_FAILED,
     ERR_LIMITED,
     "so soon after your last",
     0},
    {PHPBB,
     ERRAND_SEND,
     TOPIC,
     {{"locked.html", 0}},
     1,
     TURN_FAILED,
     ERR_DENIED,
     "This topic is locked",
     0},
    {PHPBB,
     ERRAND_PLACE,
     TOPIC,
     {{"no_topic.html", 404}},
     1,
     TURN_FAILED,
     ERR_GONE,
     "does not exist",
     0},
    {PHPBB,
     ERRAND_READ,
     TOPIC,
     {{"topic_guest.html", 0}, {"topic_guest.html", 0}},
     2,
     TURN_FAILED,
     ERR_GARBLED,
     "not what was asked for",
     0},
    {PHPBB,
     ERRAND_READ,
     TOPIC,
     {{"topic_guest.html", 0}, {"login.html", 0}, {"login.html", 0}},
     3,
     TURN_FAILED,
     ERR_GARBLED,
     "not what was asked for",
     0},
    /* Its feed is not for everybody: when a post was edited nobody tells. */
    {PHPBB,
     ERRAND_READ,
     TOPIC,
     {{"topic.html", 0}, {"<html>", 401}},
     2,
     TURN_DONE,
     0,
     "",
     4},
    {PHPBB,
     ERRAND_READ,
     TOPIC,
     {{"topic.html", 0}, {"login.html", 0}},
     2,
     TURN_DONE,
     0,
     "",
     4},
};

enum {
    RECORDINGS = sizeof(recordings) / sizeof(recordings[0])
};

START_TEST(each_reply_is_understood)
{
    const struct recording *row = &recordings[_i];
    struct errand errand = errand_of(row->forum, row->kind, row->where);
    struct script script;

    script_run(&script, &services[row->forum], &errand, row->replies,
               row->count);
    const char *said = row->turn == TURN_FAILED ? buf_text(&script.why)
                                                : buf_text(&script.out.id);

    ck_assert_msg(script.turn == row->turn && script.out.err == row->err,
                  "row %d: %s%s", _i, buf_text(&script.asked),
                  buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    ck_assert_msg(strstr(said, row->words) != NULL, "row %d: %s", _i, said);
    ck_assert_msg(script.out.page.count == row->posts, "row %d: %zu posts", _i,
                  script.out.page.count);
    script_release(&script);
}
END_TEST

START_TEST(a_board_tells_when_a_post_was_edited_in_its_feed_alone)
{
    struct errand errand = errand_of(PHPBB, ERRAND_READ, TOPIC);
    const struct heard heard[] = {{"topic.html", 0}, {"feed.xml", 0}};
    struct script script;

    script_run(&script, &services[PHPBB], &errand, heard, 2);
    ck_assert_uint_eq(script.out.page.count, 4);
    ck_assert_int_eq(script.out.page.posts[0].edited, 0);
    ck_assert_int_eq(script.out.page.posts[1].edited, INT64_C(1795275670000));
    ck_assert_str_eq(script.out.page.posts[1].author_name, "Ben & co");
    script_release(&script);
}
END_TEST

/* ---- as they may be ------------------------------------------------------ */

/* Run an errand with one of its replies replaced, then on as long as it asks
 * with those that are left. */
static void
hear_odd(const struct recording *row, size_t at, const char *body, size_t len,
         struct script *script)
{
    struct errand errand = errand_of(row->forum, row->kind, row->where);

    script_run(script, &services[row->forum], &errand, row->replies, at);
    ck_assert_int_eq(script->turn, TURN_REQUEST);
    script_hear(script, 200, body, len);
    for (size_t i = at + 1; i < row->count && script->turn == TURN_REQUEST;
         i++) {
        script_hear_one(script, &row->replies[i]);
    }
    page_finish(&script->out.page);
    ck_assert_msg(script_is_sane(script), "%s: %.*s: %s", row->replies[at].what,
                  (int)len, body, buf_text(&script->why));
}

/* Is it done as with the whole reply, or failed?  (A picture that can't be had
 * is done without.) */
static bool
lacks_nothing(const struct recording *row, const struct script *script)
{
    if (script->turn == TURN_REQUEST) {
        return script->out.page.count == 0 || row->kind != ERRAND_READ;
    }
    return script->turn == TURN_FAILED || script->out.page.count >= row->posts;
}

START_TEST(a_reply_that_is_cut_anywhere_is_never_trusted_half)
{
    const struct recording *row = &recordings[_i];
    struct buf body = BUF_INIT;
    struct script script;

    for (size_t at = 0; row->turn == TURN_DONE && at < row->count; at++) {
        if (row->replies[at].status != 0) {
            continue;
        }
        bool picture = row->where == PICTURE && at == 0;

        buf_clear(&body);
        script_fixture(&services[row->forum], row->replies[at].what, &body);
        buf_truncate(&body, body.len - 1); /* its line feed */
        for (size_t len = 0; len < body.len; len += 1 + len / 60) {
            hear_odd(row, at, buf_text(&body), len, &script);
            ck_assert_msg(
                picture ||
                    (script.turn == TURN_FAILED &&
                     script.out.err == ERR_GARBLED) ||
                    (row->forum == PHPBB && lacks_nothing(row, &script)),
                "%s cut at %zu", row->replies[at].what, len);
            script_release(&script);
        }
    }
    buf_release(&body);
}
END_TEST

/* A talk in which nobody has written, or all was deleted, has no last post. */
static bool
may_lack(const char *member)
{
    static const char *const members[] = {"\"teaser\"", "\"last_posted_at\""};

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        if (strncmp(member, members[i], strlen(members[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* The name of the member whose value begins at `at`. */
static const char *
begin_of_member(const struct buf *body, size_t at)
{
    for (at -= 3; at > 0 && body->data[at] != '"'; at--) {
    }
    return body->data + at;
}

START_TEST(with_a_value_of_another_type_no_post_is_lost)
{
    static const char *const values[] = {"null",
                                         "true",
                                         "-1",
                                         "1e99",
                                         "\"\"",
                                         "\"1005\"",
                                         "[]",
                                         "[{}]",
                                         "{}",
                                         "\"\\u0000\"",
                                         "9223372036854775807",
                                         "\"99999999999999999999\""};
    const struct recording *row = &recordings[_i];
    struct buf body = BUF_INIT;
    struct buf odd = BUF_INIT;
    struct script script;

    for (size_t reply = 0;
         row->forum != PHPBB && row->turn == TURN_DONE && reply < row->count;
         reply++) {
        buf_clear(&body);
        script_fixture(&services[row->forum], row->replies[reply].what, &body);
        for (size_t at = 1; at < body.len; at++) {
            if (body.data[at - 1] != ':' || body.data[at - 2] != '"' ||
                body.data[at] == '{' || body.data[at] == '[') {
                continue;
            }
            for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
                if (strcmp(values[i], "null") == 0 &&
                    may_lack(begin_of_member(&body, at))) {
                    continue;
                }
                script_swap_value(&body, at, values[i], &odd);
                hear_odd(row, reply, buf_text(&odd), odd.len, &script);
                ck_assert_msg(lacks_nothing(row, &script),
                              "%s: %s at %zu (%.30s): %zu posts",
                              row->replies[reply].what, values[i], at,
                              body.data + at - 20, script.out.page.count);
                script_release(&script);
            }
        }
    }
    buf_release(&body);
    buf_release(&odd);
}
END_TEST

/* A member that is not there at all. */
START_TEST(with_a_member_that_is_missing_no_post_is_lost)
{
    const struct recording *row = &recordings[_i];
    struct buf body = BUF_INIT;
    struct buf odd = BUF_INIT;
    struct script script;

    for (size_t reply = 0;
         row->forum != PHPBB && row->turn == TURN_DONE && reply < row->count;
         reply++) {
        buf_clear(&body);
        script_fixture(&services[row->forum], row->replies[reply].what, &body);
        for (size_t at = 1; at + 1 < body.len; at++) {
            if (body.data[at] != '"' ||
                strchr("{,", body.data[at - 1]) == NULL ||
                may_lack(body.data + at)) {
                continue;
            }
            /* Under another name nobody knows it. */
            buf_clear(&odd);
            buf_add(&odd, body.data, at + 1);
            buf_add_text(&odd, "no ");
            buf_add(&odd, body.data + at + 1, body.len - at - 1);
            hear_odd(row, reply, buf_text(&odd), odd.len, &script);
            ck_assert_msg(lacks_nothing(row, &script), "%s without %.20s",
                          row->replies[reply].what, body.data + at);
            script_release(&script);
        }
    }
    buf_release(&body);
    buf_release(&odd);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/forum_replies");
    TCase *tcase = tcase_create("replies");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, each_reply_is_understood, 0, RECORDINGS);
    tcase_add_test(tcase,
                   a_board_tells_when_a_post_was_edited_in_its_feed_alone);
    tcase_add_loop_test(tcase,
                        a_reply_that_is_cut_anywhere_is_never_trusted_half, 0,
                        RECORDINGS);
    tcase_add_loop_test(tcase, with_a_value_of_another_type_no_post_is_lost, 0,
                        RECORDINGS);
    tcase_add_loop_test(tcase, with_a_member_that_is_missing_no_post_is_lost, 0,
                        RECORDINGS);
    suite_add_tcase(suite, tcase);
    return suite;
}
