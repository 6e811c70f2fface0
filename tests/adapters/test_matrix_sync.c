/*
 * The Matrix adapter's reading: what it makes of what a homeserver delivers,
 * and of what others put into it.
 */
#include <stdio.h>
#include <stdlib.h>

#include <check.h>
#include <json-c/json.h>

#include "bot/base/civil.h"
#include "tests/adapters/matrix_script.h"
#include "tests/support/runner.h"

#define ROOM  "!YVrBvWksYhEouISSDt:hs.test"
#define START INT64_C(1795276000000) /* of script_op's cursor */

static struct script
run(const struct scripted_reply *replies, size_t count, enum advance end)
{
    struct op op = script_op(OP_READ);
    struct script script;

    script_run(&script, &script_service, &op, replies, count);
    ck_assert_msg(script.advance == end, "%s%s", buf_text(&script.asked),
                  buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    return script;
}

static struct script
run_one(const char *what)
{
    return run(&(struct scripted_reply){what, 0}, 1, ADVANCE_DONE);
}

static const struct post *
post_at(const struct script *script, size_t at)
{
    ck_assert_uint_lt(at, script->out.page.count);
    return &script->out.page.posts[at];
}

/* ---- asking -------------------------------------------------------------- */

START_TEST(a_first_reading_only_finds_out_where_to_begin)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.cursor = "";
    script_begin(&script, &script_service, &op);
    ck_assert(strstr(buf_text(&script.asked), "since=") == NULL);
    ck_assert(!script.out.request.long_poll);
    script_answer(&script, &(struct scripted_reply){"sync_begin", 0});
    page_finish(&script.out.page);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.page.count, 0);
    ck_assert_str_eq(buf_text(&script.out.cursor),
                     "1795276040000 s22_1_0_1_1_1_1_10_0_1_1_1_1_1");
    ck_assert_int_eq(script.out.through,
                     SCRIPT_DATE - adapter_matrix.capabilities.margin);
    script_release(&script);
}
END_TEST

START_TEST(a_reading_waits_for_news_on_a_connection_of_its_own)
{
    struct op op = script_op(OP_READ);
    struct script script;

    script_begin(&script, &script_service, &op);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "&since=s1\n"));
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "&timeout=10000"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.asked), "&set_presence=offline"));
    ck_assert(script.out.request.long_poll);
    ck_assert(script.out.request.authorized);
    ck_assert_int_gt(script.out.request.timeout, 10000);
    script_release(&script);
}
END_TEST

/* How long a read waits for something new if something is due so much later. */
static long
waits_for(int64_t due)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.due = op.now + due;
    script_begin(&script, &script_service, &op);
    const char *timeout = strstr(buf_text(&script.asked), "&timeout=");

    ck_assert_ptr_nonnull(timeout);
    long wait = strtol(timeout + strlen("&timeout="), NULL, 10);

    script_release(&script);
    return wait;
}

START_TEST(a_reading_waits_no_longer_than_until_something_is_due)
{
    ck_assert_int_ge(waits_for(3 * SECOND_MS), 3000);
    ck_assert_int_lt(waits_for(3 * SECOND_MS), 6000);
    ck_assert_int_ge(waits_for(-SECOND_MS), 1000);
    ck_assert_int_lt(waits_for(-SECOND_MS), 3000);
    ck_assert_int_ge(waits_for(HOUR_MS), 10000);
}
END_TEST

/* Synapse gives an answer of up to two minutes ago to who asks the same, and
 * its Date would be a lie. */
START_TEST(no_two_readings_ask_the_same)
{
    struct op op = script_op(OP_READ);
    struct buf first = BUF_INIT;

    for (int way = 0; way < 3; way++) {
        buf_clear(&first);
        op.cursor = way == 0 ? "" : "1795276000000 s1";
        op.due = way < 2 ? 0 : SCRIPT_DATE + 5 * SECOND_MS;
        for (int64_t later = 0; later < 120000; later += 400) {
            struct script script;

            op.now = SCRIPT_DATE + later;
            script_begin(&script, &script_service, &op);
            ck_assert_str_ne(buf_text(&script.asked), buf_text(&first));
            ck_assert_int_lt(script.out.request.timeout, 60000);
            if (later == 0) {
                buf_add_buf(&first, &script.asked);
            }
            script_release(&script);
        }
    }
    buf_release(&first);
}
END_TEST

START_TEST(a_cursor_that_is_none_is_garbled)
{
    static const char *const cursors[] = {
        "s1", "x s1",  "-5 s1",     "5",
        "5 ", "5 a b", "5 a b c d", "99999999999999999999 s1",
    };

    for (size_t i = 0; i < sizeof(cursors) / sizeof(cursors[0]); i++) {
        struct op op = script_op(OP_READ);
        struct script script;

        op.cursor = cursors[i];
        script_begin(&script, &script_service, &op);
        ck_assert_int_eq(script.advance, ADVANCE_FAILED);
        ck_assert_int_eq(script.out.err, ERR_GARBLED);
        script_release(&script);
    }
}
END_TEST

START_TEST(nothing_new_keeps_the_cursor_for_a_minute)
{
    struct op op = script_op(OP_READ);
    struct script script;

    for (int age = 0; age <= 60; age += 60) {
        struct buf cursor = BUF_INIT;

        buf_addf(&cursor, "%lld s1",
                 (long long)(SCRIPT_DATE - age * INT64_C(1000)));
        op.cursor = buf_text(&cursor);
        script_run(&script, &script_service, &op,
                   &(struct scripted_reply){"{\"next_batch\":\"s1\"}", 0}, 1);
        ck_assert_int_eq(script.advance, ADVANCE_DONE);
        ck_assert_str_eq(buf_text(&script.out.cursor), "1795276040000 s1");
        ck_assert(!script.out.more);
        script_release(&script);
        buf_release(&cursor);
    }
    op.cursor = "1795276030000 s1";
    script_run(&script, &script_service, &op,
               &(struct scripted_reply){"{\"next_batch\":\"s1\"}", 0}, 1);
    ck_assert_str_eq(buf_text(&script.out.cursor), op.cursor);
    ck_assert_int_eq(script.out.through,
                     SCRIPT_DATE - adapter_matrix.capabilities.margin);
    script_release(&script);
}
END_TEST

/* ---- posts --------------------------------------------------------------- */

/* What sync_posts and the originals of its edits are read as. */
static const struct expected {
    const char *author, *name, *body;
    enum post_kind kind;
    bool html, machine, edited;
} expected[] = {
    {"@ben:hs.test", "Ben", "", POST_CAME, true, false, false},
    {"@anna:hs.test", "Anna", "<strong>Ja!</strong>", POST_WRITTEN, true, false,
     false},
    {"@ben:hs.test", "Ben", "Nein, for now", POST_WRITTEN, false, false, false},
    {"@ben:hs.test", "Ben",
     "<mx-reply><blockquote><a href=\"https://matrix.to/#/x\">In reply to</a> "
     "<strong>Ja!</strong></blockquote></mx-reply>Really?",
     POST_WRITTEN, true, false, false},
    {"@anna:hs.test", "Anna", "in a thread", POST_WRITTEN, false, false, false},
    {"@ben:hs.test", "Ben", "<strong>Ja!</strong>", POST_WRITTEN, true, true,
     false},
    {"@ben:hs.test", "Ben", "shrugs", POST_WRITTEN, false, false, false},
    {"@ben:hs.test", "Ben", POST_OBJECT, POST_WRITTEN, false, false, false},
    {"@ben:hs.test", "Ben", POST_OBJECT "\n> the board", POST_WRITTEN, false,
     false, false},
    {"@bot:hs.test", "Bot", "Three have voted.", POST_WRITTEN, false, true,
     false},
    {"@bot:hs.test", "Bot", "Four have voted.", POST_WRITTEN, false, false,
     true},
    {"@anna:hs.test", "Anna", "**Nein!**", POST_WRITTEN, false, false, true},
    {"@anna:hs.test", "Anna", "", POST_DELETED, true, false, false},
    {"", "", "", POST_DELETED, true, false, false},
    {"@anna:hs.test", "Anna", "", POST_SEALED, true, false, false},
    {"@ben:hs.test", "Benjamin", "I have another name", POST_WRITTEN, false,
     false, false},
    {"@carl:hs.test", "Carl", "", POST_CAME, true, false, false},
    {"@carl:hs.test", "Carl", "", POST_LEFT, true, false, false},
};

enum {
    EXPECTED = sizeof(expected) / sizeof(expected[0])
};

static void
assert_post(const struct post *post, const struct expected *row)
{
    ck_assert_int_eq(post->kind, row->kind);
    ck_assert_str_eq(post->author, row->author);
    ck_assert_str_eq(post->author_name, row->name);
    ck_assert_str_eq(post->body, row->body);
    ck_assert_uint_eq(post->body_len, strlen(row->body));
    ck_assert_ptr_eq(post->dialect, row->html ? NULL : &dialect_plain);
    ck_assert_int_eq(post->machine, row->machine);
    ck_assert_int_eq(post->edited != 0, row->edited);
    ck_assert_str_eq(post->place, ROOM);
    ck_assert(!post->dm);
}

static struct script
run_posts(void)
{
    /* The edit by Anna is looked at, then that by Ben, who did not write it. */
    static const struct scripted_reply replies[] = {
        {"sync_posts", 0}, {"event_of_anna", 0}, {"event_of_anna", 0}};

    return run(replies, 3, ADVANCE_DONE);
}

START_TEST(every_kind_of_event_is_read_as_what_it_is)
{
    struct script script = run_posts();

    /* And a text with U+0000 in it, and the rooms that were entered. */
    ck_assert_uint_ge(script.out.page.count, EXPECTED + 1);
    for (size_t i = 0; i < EXPECTED; i++) {
        assert_post(post_at(&script, i), &expected[i]);
    }
    const struct post *odd = post_at(&script, EXPECTED);

    ck_assert_uint_eq(odd->body_len, 3);
    ck_assert_int_eq(memcmp(odd->body, "a\0b", 4), 0);
    script_release(&script);
}
END_TEST

/* Stickers, polls, voice messages and pictures; a caption is a quote. */
START_TEST(what_is_shown_without_words_is_something_said)
{
    static const struct {
        const char *body;
        enum post_kind kind;
    } shown[] = {
        {POST_OBJECT, POST_WRITTEN},
        {POST_OBJECT, POST_WRITTEN},
        {POST_OBJECT "\n> **Ja!**\n> all of you", POST_WRITTEN},
        {POST_OBJECT, POST_WRITTEN},
        {POST_OBJECT, POST_WRITTEN},
        {"", POST_REACTED},
        {POST_OBJECT, POST_WRITTEN},
    };
    struct script script = run_one("sync_shown");

    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "m.sticker"));
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "m.poll."));
    ck_assert_uint_eq(script.out.page.count, sizeof(shown) / sizeof(*shown));
    for (size_t i = 0; i < script.out.page.count; i++) {
        const struct post *post = post_at(&script, i);

        ck_assert_int_eq(post->kind, shown[i].kind);
        ck_assert_str_eq(post->body, shown[i].body);
        ck_assert(post->kind != POST_WRITTEN ||
                  post->dialect == &dialect_plain);
        ck_assert(!post->machine);
    }
    ck_assert_str_eq(post_at(&script, 5)->reply_to, post_at(&script, 4)->id);
    script_release(&script);
}
END_TEST

START_TEST(a_reply_names_what_it_answers_and_a_thread_nothing)
{
    struct script script = run_posts();

    ck_assert_str_eq(post_at(&script, 3)->reply_to, post_at(&script, 1)->id);
    ck_assert_str_eq(post_at(&script, 4)->reply_to, "");
    script_release(&script);
}
END_TEST

START_TEST(an_edit_has_the_id_and_the_stamp_of_the_first_version)
{
    struct script script = run_posts();
    const struct post *first = post_at(&script, 1);
    const struct post *edit = post_at(&script, 11);

    ck_assert_str_eq(edit->id, first->id);
    ck_assert_int_eq(edit->stamp, first->stamp);
    ck_assert_int_gt(edit->edited, edit->stamp);
    ck_assert_str_eq(post_at(&script, 10)->id, post_at(&script, 9)->id);
    ck_assert(post_at(&script, 10)->own);
    script_release(&script);
}
END_TEST

START_TEST(an_edit_of_somebody_elses_message_is_none)
{
    struct script script = run_posts();

    for (size_t i = 0; i < script.out.page.count; i++) {
        const struct post *post = post_at(&script, i);

        ck_assert(strstr(post->body, "by another") == NULL);
    }
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "/event/%24"));
    script_release(&script);
}
END_TEST

#define TEXT(id, ts, sender, content)                                          \
    "{\"type\":\"m.room.message\",\"event_id\":\"" id                          \
    "\",\"origin_server_ts\":" ts ",\"sender\":\"" sender                      \
    "\",\"content\":" content "}"
#define SAID(id, ts, sender)                                                   \
    TEXT(id, ts, sender, "{\"msgtype\":\"m.text\",\"body\":\"x\"}")
#define EDIT(id, of)                                                           \
    TEXT(id, "1795276030000", "@anna:hs.test",                                 \
         "{\"msgtype\":\"m.text\",\"body\":\"* y\",\"m.new_content\":"         \
         "{\"msgtype\":\"m.text\",\"body\":\"y\"},\"m.relates_to\":"           \
         "{\"rel_type\":\"m.replace\",\"event_id\":\"" of "\"}}")
#define SYNC(events)                                                           \
    "{\"next_batch\":\"s9\",\"rooms\":{\"join\":{\"!r:hs.test\":{"             \
    "\"timeline\":{\"events\":[" events "]}}}}}"

START_TEST(an_edit_whose_first_version_is_no_message_is_none)
{
    static const struct scripted_reply first[] = {
        {"event_unknown", 404},
        {"send_refused", 403},
        {"encryption", 0},
        {EDIT("$1", "$0"), 0},
        {"{\"type\":\"m.room.encrypted\",\"sender\":\"@anna:hs.test\","
         "\"origin_server_ts\":1}",
         0},
        {"{\"type\":\"m.room.message\",\"sender\":\"@anna:hs.test\","
         "\"origin_server_ts\":1,\"state_key\":\"\"}",
         0},
    };

    for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
        const struct scripted_reply replies[] = {{SYNC(EDIT("$2", "$1")), 0},
                                                 first[i]};
        struct script script = run(replies, 2, ADVANCE_DONE);

        ck_assert_uint_eq(script.out.page.count, 0);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_flood_of_edits_does_not_end_the_reading)
{
    struct buf body = BUF_INIT;
    struct op op = script_op(OP_READ);
    struct script script;
    unsigned asked = 0;

    buf_add_text(&body, "{\"next_batch\":\"s9\",\"rooms\":{\"join\":{"
                        "\"!r:hs.test\":{\"timeline\":{\"events\":[");
    for (int i = 0; i < 100; i++) {
        buf_addf(&body, "%s" EDIT("$2", "$1"), i > 0 ? "," : "");
    }
    buf_add_text(&body,
                 "," SAID("$3", "1795276031000", "@ben:hs.test") "]}}}}}");
    script_begin(&script, &script_service, &op);
    script_reply(&script, 200, buf_text(&body), body.len);
    for (; script.advance == ADVANCE_REQUEST; asked++) {
        script_answer(&script, &(struct scripted_reply){"event_unknown", 404});
    }
    page_finish(&script.out.page);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_lt(asked, 20);
    ck_assert_uint_eq(script.out.page.count, 1);
    script_release(&script);
    buf_release(&body);
}
END_TEST

/* ---- rooms --------------------------------------------------------------- */

START_TEST(a_room_is_read_from_the_bots_arrival_on)
{
    struct script script = run_one("sync_arrived");

    ck_assert_uint_eq(script.out.page.count, 2);
    ck_assert_int_eq(post_at(&script, 0)->kind, POST_CAME);
    ck_assert(post_at(&script, 0)->own);
    ck_assert_str_eq(post_at(&script, 1)->body, "Said after the host came");
    script_release(&script);
}
END_TEST

START_TEST(a_direct_invitation_is_a_dm_that_nobody_reads)
{
    struct script script = run_one("sync_invites");

    /* Two are direct, of which one is encrypted; the third is a group's, in
     * which the bot is not. */
    ck_assert_uint_eq(script.out.page.count, 3);
    ck_assert_int_eq(post_at(&script, 2)->kind, POST_LEFT);
    ck_assert(post_at(&script, 2)->own);
    for (size_t i = 0; i < 2; i++) {
        const struct post *post = post_at(&script, i);

        ck_assert_int_eq(post->kind, POST_SEALED);
        ck_assert(post->dm);
        ck_assert_str_eq(post->author, "@anna:hs.test");
        ck_assert_str_eq(post->author_name, "Anna");
        ck_assert_str_eq(post->id, post->place);
    }
    ck_assert(strstr(buf_text(&script.asked), "/join") == NULL);
    script_release(&script);
}
END_TEST

START_TEST(a_room_that_the_bot_was_put_out_of_is_told)
{
    struct script script = run_one("sync_put_out");

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_int_eq(post_at(&script, 0)->kind, POST_LEFT);
    ck_assert(post_at(&script, 0)->own);
    script_release(&script);
}
END_TEST

/* What was written before that is read, too. */
START_TEST(a_room_that_the_bot_was_put_out_of_and_asked_back_is_told)
{
    struct script script = run_one("sync_put_out_invited");

    ck_assert_uint_eq(script.out.page.count, 3);
    ck_assert_str_eq(post_at(&script, 0)->body, "Read last");
    for (size_t i = 1; i < 3; i++) {
        ck_assert_int_eq(post_at(&script, i)->kind, POST_LEFT);
        ck_assert(post_at(&script, i)->own);
    }
    script_release(&script);
}
END_TEST

/* Nothing of it had been read since it was put out for the first time. */
START_TEST(what_the_bot_missed_is_read_although_it_was_put_out_again)
{
    static const char *const bodies[] = {"", "Read last", "Nobody there?", "",
                                         "Welcome back"};
    struct op op = script_op(OP_READ);
    struct script script;

    op.cursor = "1795794377600 s54_1_0_1_1_1_1_4_0_1_1_1_1_1";
    script_run(&script, &script_service, &op,
               &(struct scripted_reply){"sync_back_put_out", 0}, 1);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.page.count, 6);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_str_eq(post_at(&script, i)->body, bodies[i]);
    }
    ck_assert_int_eq(post_at(&script, 3)->kind, POST_CAME);
    ck_assert_int_eq(post_at(&script, 5)->kind, POST_LEFT);
    ck_assert(post_at(&script, 5)->own);
    script_release(&script);
}
END_TEST

#define CREATED                                                                \
    "{\"event_id\":\"$0\",\"type\":\"m.room.create\",\"sender\":"              \
    "\"@mo:hs.test\",\"state_key\":\"\",\"origin_server_ts\":1,"               \
    "\"content\":{}},"
#define OWN_AT(stamp, id, is, was)                                               \
    "{\"event_id\":\"" id "\",\"type\":\"m.room.member\",\"sender\":"            \
    "\"@mo:hs.test\",\"state_key\":\"@bot:hs.test\",\"origin_server_ts\":" stamp \
    ",\"content\":{\"membership\":\"" is "\"},\"unsigned\":"                     \
    "{\"prev_content\":{\"membership\":\"" was "\"}}}"
#define OWN(id, is, was)       OWN_AT("1795276000000", id, is, was)
#define OWN_LATER(id, is, was) OWN_AT("1795276000001", id, is, was)
#define SAID_THERE(id)         SAID(id, "1795276000000", "@ben:hs.test")

/* What it has read already comes again: it is known by its id. */
START_TEST(what_was_written_while_the_bot_was_outside_is_read_once_it_is_back)
{
    static const struct scripted_reply reply = {
        SYNC(CREATED SAID_THERE("$1") "," OWN("$2", "join", "invite") "," SAID_THERE("$3") "," OWN(
            "$4", "leave",
            "join") "," SAID_THERE("$5") "," OWN("$6", "invite",
                                                 "leave") "," SAID_THERE("$7") "," OWN("$8",
                                                                                       "join",
                                                                                       "invite")),
        0};
    static const char *const ids[] = {"$3", "$5", "$7", "$8"};
    struct script script = run(&reply, 1, ADVANCE_DONE);

    ck_assert_uint_eq(script.out.page.count, 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(post_at(&script, i)->id, ids[i]);
        ck_assert_int_eq(post_at(&script, i)->stamp, INT64_C(1795276000000));
    }
    ck_assert_int_eq(post_at(&script, 3)->kind, POST_CAME);
    script_release(&script);
}
END_TEST

START_TEST(where_the_bot_was_outside_twice_since_it_read_both_are_read)
{
    static const struct scripted_reply reply = {
        SYNC(CREATED OWN("$1", "join", "invite") "," OWN("$2", "leave", "join") "," SAID_THERE(
            "$3") "," OWN_LATER("$4", "join",
                                "leave") "," OWN_LATER("$5", "leave",
                                                       "join") "," OWN_LATER("$6",
                                                                             "join",
                                                                             "leave")),
        0};
    struct script script = run(&reply, 1, ADVANCE_DONE);

    ck_assert_uint_ge(script.out.page.count, 1);
    ck_assert_str_eq(post_at(&script, 0)->id, "$3");
    script_release(&script);
}
END_TEST

#define PUT_OUT(more)                                                               \
    "{\"next_batch\":\"s9\",\"rooms\":{\"leave\":{\"!r:hs.test\":{"                 \
    "\"timeline\":{\"limited\":true,\"prev_batch\":\"s5\",\"events\":[" SAID_THERE( \
        "$2") "," OWN("$3", "leave", "join") "]}}}" more "}}"
#define ASKED_BACK                                                             \
    ",\"invite\":{\"!r:hs.test\":{\"invite_state\":{\"events\":[" OWN(         \
        "$4", "invite", "leave") "]}}}"

/* What it left out can't be read until the bot is back, and comes first. */
START_TEST(a_room_that_asks_the_bot_back_is_read_in_order)
{
    static const struct scripted_reply asked = {PUT_OUT(ASKED_BACK), 0};
    static const struct scripted_reply out[] = {
        {PUT_OUT(""), 0}, {"{\"chunk\":[" SAID_THERE("$1") "]}", 0}};
    struct script script = run(&asked, 1, ADVANCE_DONE);

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_int_eq(post_at(&script, 0)->kind, POST_LEFT);
    ck_assert(post_at(&script, 0)->own);
    script_release(&script);
    script = run(out, 2, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.page.count, 3);
    ck_assert_str_eq(post_at(&script, 0)->id, "$1");
    ck_assert_str_eq(post_at(&script, 1)->id, "$2");
    script_release(&script);
}
END_TEST

START_TEST(an_invitation_that_is_declined_is_told)
{
    struct script script = run_one("sync_declined");

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_int_eq(post_at(&script, 0)->kind, POST_LEFT);
    ck_assert_str_eq(post_at(&script, 0)->author, "@anna:hs.test");
    ck_assert_str_eq(post_at(&script, 0)->place, "!JyTVrPDGzDGNyMBlgt:hs.test");
    ck_assert(!post_at(&script, 0)->own);
    script_release(&script);
}
END_TEST

/* ---- gaps ---------------------------------------------------------------- */

static void
assert_fifteen(const struct script *script)
{
    ck_assert_uint_eq(script->out.page.count, 15);
    for (size_t i = 0; i < 15; i++) {
        char body[16];

        snprintf(body, sizeof(body), "post %zu!", i);
        ck_assert_str_eq(post_at(script, i)->body, body);
        ck_assert_str_eq(post_at(script, i)->author_name,
                         i % 2 == 0 ? "Benjamin" : "Anna");
    }
}

START_TEST(what_a_timeline_leaves_out_is_read_before_it)
{
    static const struct scripted_reply replies[] = {{"sync_gap", 0},
                                                    {"messages_1", 0},
                                                    {"messages_2", 0},
                                                    {"messages_3", 0}};
    struct script script = run(replies, 4, ADVANCE_DONE);
    const char *asked = buf_text(&script.asked);

    assert_fifteen(&script);
    ck_assert_ptr_nonnull(strstr(asked, "/messages?dir=f&from=s1&to=s62_"));
    ck_assert_ptr_nonnull(strstr(asked, "/messages?dir=f&from=t50-58_"));
    /* How long the server took for so much is not known. */
    ck_assert_int_eq(script.out.through, 0);
    ck_assert(script.out.more);
    script_release(&script);
}
END_TEST

#define LIMITED(room, id, batch)                                               \
    "\"" room "\":{\"timeline\":{\"limited\":true,\"prev_batch\":\"" batch     \
    "\",\"events\":[" SAID(id, "1795276030000", "@anna:hs.test") "]}}"
#define CHUNK(end, events) "{\"chunk\":[" events "]" end "}"

START_TEST(the_gaps_of_several_rooms_are_kept_apart)
{
    static const struct scripted_reply replies[] = {
        {"{\"next_batch\":\"s9\",\"rooms\":{\"join\":{" LIMITED(
             "!a:hs.test", "$a3", "p1") "," LIMITED("!b:hs.test", "$b3",
                                                    "p2") "}}}",
         0},
        {CHUNK(",\"end\":\"e1\"", SAID("$b1", "1", "@anna:hs.test")), 0},
        {CHUNK("", SAID("$b2", "2", "@anna:hs.test")), 0},
        {CHUNK(",\"end\":\"p1\"", SAID("$a1", "3", "@anna:hs.test") "," SAID(
                                      "$a2", "4", "@anna:hs.test")),
         0},
    };
    static const char *const ids[] = {"$a1", "$a2", "$a3", "$b1", "$b2", "$b3"};
    struct script script = run(replies, 4, ADVANCE_DONE);

    ck_assert_uint_eq(script.out.page.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const struct post *post = post_at(&script, i);

        ck_assert_str_eq(post->id, ids[i]);
        ck_assert_int_eq(post->place[1], ids[i][1]);
    }
    script_release(&script);
}
END_TEST

#define LATER(id)                                                                                 \
    "{\"next_batch\":\"s9\",\"rooms\":{\"join\":{\"!r:hs.test\":{"                                \
    "\"state\":{\"events\":[" CREATED OWN(                                                        \
        "$s", "join",                                                                             \
        "invite") "]},"                                                                           \
                  "\"timeline\":{\"limited\":true,\"prev_batch\":\"p1\",\"events\":[" SAID_THERE( \
                      id) "]}}}}}"

/* Who comes into a room for the first time asks nobody what was said before. */
START_TEST(a_gap_in_a_room_that_the_bot_is_back_in_is_read)
{
    static const struct {
        const char *chunks[2], *ids;
    } rows[] = {
        {{OWN("$5", "join", "invite") "," OWN("$4", "invite", "leave"),
          SAID_THERE("$3") "," OWN("$2", "leave", "join") "," SAID_THERE("$1")},
         "$1 $3 $5 $9 "},
        {{OWN("$4", "join", "invite") "," SAID_THERE("$3"),
          OWN("$2", "invite", "leave") "," SAID_THERE("$1")},
         "$1 $3 $4 $9 "},
        {{OWN("$5", "join", "leave") "," SAID_THERE("$4"),
          OWN_AT("1795275000000", "$3", "join", "invite") "," SAID_THERE("$2")},
         "$4 $5 $9 "},
        {{SAID_THERE("$4") "," OWN("$3", "join", "invite"),
          SAID_THERE("$2") "," SAID_THERE("$1")},
         "$3 $4 $9 "},
        {{SAID_THERE("$2"), SAID_THERE("$1")}, "$9 "},
    };
    char chunks[2][2048];
    struct buf ids = BUF_INIT;
    (void)snprintf(chunks[0], sizeof chunks[0],
                   "{\"chunk\":[%s],\"end\":\"e1\"}", rows[_i].chunks[0]);
    (void)snprintf(chunks[1], sizeof chunks[1], "{\"chunk\":[%s]}",
                   rows[_i].chunks[1]);
    const struct scripted_reply replies[] = {
        {LATER("$9"), 0}, {chunks[0], 0}, {chunks[1], 0}};
    struct script script = run(replies, 3, ADVANCE_DONE);

    for (size_t i = 0; i < script.out.page.count; i++) {
        buf_addf(&ids, "%s ", post_at(&script, i)->id);
    }
    ck_assert_str_eq(buf_text(&ids), rows[_i].ids);
    buf_release(&ids);
    script_release(&script);
}
END_TEST

START_TEST(a_gap_without_an_end_comes_to_one)
{
    struct op op = script_op(OP_READ);
    struct script script;
    unsigned asked = 0;

    script_begin(&script, &script_service, &op);
    script_answer(&script,
                  &(struct scripted_reply){
                      "{\"next_batch\":\"s9\",\"rooms\":{\"join\":{" LIMITED(
                          "!a:hs.test", "$a", "p1") "}}}",
                      0});
    for (; script.advance == ADVANCE_REQUEST; asked++) {
        struct buf body = BUF_INIT;

        ck_assert_uint_lt(asked, ADVANCES_MAX - 1);
        buf_addf(&body, "{\"chunk\":[{}],\"end\":\"e%u\"}", asked);
        script_reply(&script, 200, buf_text(&body), body.len);
        buf_release(&body);
    }
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);
}
END_TEST

START_TEST(a_gap_that_may_not_be_read_is_none)
{
    static const struct scripted_reply replies[] = {{"sync_gap", 0},
                                                    {"send_refused", 403}};
    struct script script = run(replies, 2, ADVANCE_DONE);

    ck_assert_uint_eq(script.out.page.count, 5);
    script_release(&script);
}
END_TEST

START_TEST(what_is_too_long_is_asked_for_in_smaller_pieces)
{
    struct op op = script_op(OP_READ);
    struct reply reply = {.too_long = true, .retry_after = -1};
    struct script script;

    script_begin(&script, &script_service, &op);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "limit%22%3A100"));
    script.advance =
        adapter_matrix.advance(&script_service, &op, &script.scratch, &reply,
                               &script.out, &script.why);
    note_request(&script);
    ck_assert_int_eq(script.advance, ADVANCE_REQUEST);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "limit%22%3A10%2C"));
    script.advance =
        adapter_matrix.advance(&script_service, &op, &script.scratch, &reply,
                               &script.out, &script.why);
    ck_assert_int_eq(script.advance, ADVANCE_FAILED);
    ck_assert_int_eq(script.out.err, ERR_LATER);
    script_release(&script);
}
END_TEST

START_TEST(a_token_that_is_not_known_any_more_is_given_up)
{
    static const struct scripted_reply replies[] = {
        {"bad_token", 400},
        {SYNC(SAID("$old", "1795275900000", "@anna:hs.test") "," SAID(
             "$new", "1795276010000", "@anna:hs.test")),
         0}};
    struct script script = run(replies, 2, ADVANCE_DONE);

    /* What is older than the last reading was read then. */
    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_str_eq(post_at(&script, 0)->id, "$new");
    ck_assert_str_eq(buf_text(&script.out.cursor),
                     "1795276040000 s9 !r:hs.test $new");
    script_release(&script);
}
END_TEST

/* ---- a server that was restored from a backup ---------------------------- */

#define KNOWN "1795276000000 s91_1 " ROOM " $known"

/* Read from a cursor, at a time of ours. */
static struct script
read_from(const char *cursor, int64_t now, const struct scripted_reply *replies,
          size_t count)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.cursor = cursor;
    op.now = now;
    script_run(&script, &script_service, &op, replies, count);
    ck_assert_msg(script.advance == ADVANCE_DONE, "%s%s",
                  buf_text(&script.asked), buf_text(&script.why));
    return script;
}

/* It takes a token of its future, and begins behind its newest event: what was
 * written there since it was restored is in no sync from then on. */
START_TEST(a_server_that_has_gone_back_is_read_from_the_last_reading_on)
{
    static const struct scripted_reply restored[] = {
        {"sync_restored", 0},
        {"event_unknown", 404},
        {SYNC(SAID("$old", "1795275900000", "@anna:hs.test") "," SAID(
             "$vote", "1795276010000", "@anna:hs.test")),
         0}};
    struct script script = read_from(KNOWN, START, restored, 3);

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_str_eq(post_at(&script, 0)->id, "$vote");
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "/event/%24known\n"));
    ck_assert_str_eq(buf_text(&script.out.cursor),
                     "1795276040000 s9 !r:hs.test $vote");
    script_release(&script);
    /* An older cursor names no event: then the token says enough. */
    const struct scripted_reply unknown[] = {restored[0], restored[2]};

    script = read_from("1795276000000 s91_1", START, unknown, 2);
    ck_assert_uint_eq(script.out.page.count, 1);
    script_release(&script);
}
END_TEST

/* By then it may have as many events as before. */
START_TEST(after_an_outage_the_server_is_asked_for_the_newest_event)
{
    static const struct scripted_reply restored[] = {
        {"event_unknown", 404},
        {SYNC(SAID("$vote", "1795276010000", "@anna:hs.test")), 0}};
    static const struct scripted_reply same[][2] = {
        {{"event_sent", 0}, {"{\"next_batch\":\"s99_1\"}", 0}},
        {{"messages_refused", 403}, {"{\"next_batch\":\"s99_1\"}", 0}}};
    struct script script = read_from(KNOWN, START + 2 * MINUTE_MS, restored, 2);

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert(strstr(buf_text(&script.asked), "&since=") == NULL);
    script_release(&script);
    for (size_t i = 0; i < 2; i++) {
        script = read_from(KNOWN, START + 2 * MINUTE_MS, same[i], 2);
        ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "&since=s91_1"));
        ck_assert_str_eq(buf_text(&script.out.cursor),
                         "1795276040000 s99_1 " ROOM " $known");
        script_release(&script);
    }
    script = read_from(KNOWN, START + 2 * MINUTE_MS - 1, &same[0][1], 1);
    script_release(&script);
}
END_TEST

/* If it has that event, its tokens do not rise: they are opaque. */
START_TEST(a_token_that_falls_is_no_sign_by_itself)
{
    static const struct scripted_reply replies[] = {
        {"{\"next_batch\":\"s90_1\"}", 0},
        {"event_sent", 0},
        {"{\"next_batch\":\"s90_1\"}", 0}};
    struct script script = read_from(KNOWN, START, replies, 3);

    ck_assert_uint_eq(script.out.page.count, 0);
    ck_assert_str_eq(buf_text(&script.out.cursor),
                     "1795276040000 s90_1 " ROOM " $known");
    script_release(&script);
}
END_TEST

/* The newest is one of the bot's own server: others would bring theirs again.
 */
START_TEST(the_newest_event_goes_into_the_cursor_if_there_is_room)
{
    char body[300];
    struct script script =
        run_one(SYNC(SAID("$1", "1795276030000", "@anna:hs.test") "," SAID(
            "$2", "1795276030001", "@eve:other.test")));

    ck_assert_str_eq(buf_text(&script.out.cursor),
                     "1795276040000 s9 !r:hs.test $1");
    script_release(&script);
    snprintf(body, sizeof(body), "{\"next_batch\":\"s%0210d\"}", 92);
    script = read_from(KNOWN, START, &(struct scripted_reply){body, 0}, 1);
    ck_assert_ptr_null(strstr(buf_text(&script.out.cursor), "known"));
    script_release(&script);
}
END_TEST

/* ---- stamps -------------------------------------------------------------- */

/* Posts by Anna of the bot's server, and by Eve of another, who may lie:
 * what their servers say, and what it counts as. */
static const struct claim {
    const char *sender;
    int64_t told, counts;
} claims[] = {
    {"@eve:other.test", 0, START}, /* not before the last reading */
    {"@eve:other.test", START + 1000, START + 1000},
    {"@anna:hs.test", START + 5000, START + 5000},
    {"@eve:other.test", START + 1000, START + 5000},
    {"@eve:other.test", START + 6000, START + 6000},
    {"@eve:other.test", START + 90000, START + 8500},
    {"@anna:hs.test", START + 9000, START + 9000},
    {"@anna:hs.test", START + 8500, START + 8500}, /* a trusted disorder */
    {"@eve:hs.test.evil", START + 90000, SCRIPT_DATE + 999},
    {"@eve:other.test", START, START + 9000},
};

enum {
    CLAIMS = sizeof(claims) / sizeof(claims[0])
};

START_TEST(a_stamp_of_another_server_is_held_between_those_of_our_own)
{
    struct buf body = BUF_INIT;
    struct op op = script_op(OP_READ);
    struct script script;

    buf_add_text(&body, "{\"next_batch\":\"s9\",\"rooms\":{\"join\":{"
                        "\"!r:hs.test\":{\"timeline\":{\"events\":[");
    for (size_t i = 0; i < CLAIMS; i++) {
        buf_addf(&body,
                 "%s{\"type\":\"m.room.message\",\"event_id\":\"$%zu\","
                 "\"origin_server_ts\":%lld,\"sender\":\"%s\",\"content\":{}}",
                 i > 0 ? "," : "", i, (long long)claims[i].told,
                 claims[i].sender);
    }
    buf_add_text(&body, "]}}}}}");
    script_begin(&script, &script_service, &op);
    script_reply(&script, 200, buf_text(&body), body.len);
    page_finish(&script.out.page);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.page.count, CLAIMS);
    for (size_t i = 0; i < CLAIMS; i++) {
        ck_assert_msg(post_at(&script, i)->stamp == claims[i].counts,
                      "%zu: %lld", i, (long long)post_at(&script, i)->stamp);
    }
    script_release(&script);
    buf_release(&body);
}
END_TEST

START_TEST(a_reply_that_does_not_say_the_time_is_garbled)
{
    struct op op = script_op(OP_READ);
    struct script script;
    struct reply reply = {.status = 200,
                          .body = "{\"next_batch\":\"s2\"}",
                          .len = 19,
                          .retry_after = -1};

    script_begin(&script, &script_service, &op);
    script.advance =
        adapter_matrix.advance(&script_service, &op, &script.scratch, &reply,
                               &script.out, &script.why);
    ck_assert_int_eq(script.advance, ADVANCE_FAILED);
    ck_assert_int_eq(script.out.err, ERR_GARBLED);
    script_release(&script);
}
END_TEST

/* ---- whatever else may come ---------------------------------------------- */

/* Events that are none, or of other types than they should be: the page goes
 * on to the one behind them. */
static const char *const odd_events[] = {
    "7",
    "null",
    "[]",
    "{}",
    "{\"type\":7,\"event_id\":\"$1\",\"sender\":\"@a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":7,\"sender\":\"@a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"\",\"sender\":\"@a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$1\\u0000\",\"sender\":"
    "\"@a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$ 1\",\"sender\":\"@a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$1\",\"sender\":\"a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$1\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$1\",\"sender\":\"@a:b\","
    "\"state_key\":\"\"}",
    "{\"type\":\"m.room.redaction\",\"event_id\":\"$1\",\"sender\":\"@a:b\"}",
    "{\"type\":\"m.room.redaction\",\"event_id\":\"$1\",\"sender\":\"@a:b\","
    "\"content\":{\"redacts\":[]},\"redacts\":7}",
    "{\"type\":\"m.room.member\",\"event_id\":\"$1\",\"sender\":\"@a:b\","
    "\"content\":{\"membership\":\"join\"}}",
    "{\"type\":\"m.room.member\",\"event_id\":\"$1\",\"sender\":\"@a:b\","
    "\"state_key\":\"@a:b\",\"content\":{\"membership\":\"invite\"}}",
    "{\"type\":\"m.room.create\",\"event_id\":\"$1\",\"sender\":\"@a:b\"}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$1\",\"sender\":\"@a:b\","
    "\"content\":{\"m.relates_to\":{\"rel_type\":\"m.replace\"}}}",
    "{\"type\":\"m.room.message\",\"event_id\":\"$1\",\"sender\":\"@a:b\","
    "\"content\":{\"m.new_content\":[],\"m.relates_to\":{\"rel_type\":"
    "\"m.replace\",\"event_id\":\"$0\"}}}",
};

START_TEST(what_is_no_event_is_passed_over)
{
    struct buf body = BUF_INIT;

    buf_addf(&body, SYNC("%s," SAID("$2", "1795276030000", "@ben:hs.test")),
             odd_events[_i]);
    struct script script = run_one(buf_text(&body));

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_str_eq(post_at(&script, 0)->id, "$2");
    script_release(&script);
    buf_release(&body);
}
END_TEST

/* Contents whose parts are of other types, or missing: nobody's words. */
static const char *const wordless[] = {
    "[]",
    "7",
    "{}",
    "{\"body\":\"x\"}",
    "{\"msgtype\":7,\"body\":\"x\"}",
    "{\"msgtype\":\"m.text\",\"body\":[\"x\"]}",
    "{\"msgtype\":\"m.text\",\"formatted_body\":[\"x\"]}",
    "{\"msgtype\":\"m.key.verification.request\",\"body\":\"x\"}",
};

START_TEST(a_message_without_words_is_empty)
{
    struct buf body = BUF_INIT;

    buf_addf(&body, SYNC(TEXT("$1", "1795276030000", "@ben:hs.test", "%s")),
             wordless[_i]);
    struct script script = run_one(buf_text(&body));

    ck_assert_uint_eq(script.out.page.count, 1);
    ck_assert_str_eq(post_at(&script, 0)->body, "");
    script_release(&script);
    buf_release(&body);
}
END_TEST

START_TEST(a_format_of_another_name_is_plain_text)
{
    struct script script = run_one(
        SYNC(TEXT("$1", "1795276030000", "@ben:hs.test",
                  "{\"msgtype\":\"m.text\",\"body\":\"a\",\"format\":\"x\","
                  "\"formatted_body\":\"<b>Ja!</b>\"}")));

    ck_assert_str_eq(post_at(&script, 0)->body, "a");
    ck_assert_ptr_eq(post_at(&script, 0)->dialect, &dialect_plain);
    script_release(&script);
}
END_TEST

START_TEST(deep_nesting_within_what_a_server_lets_through_is_read)
{
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{\"next_batch\":\"s9\",\"rooms\":{\"join\":{"
                        "\"!r:hs.test\":{\"timeline\":{\"events\":["
                        "{\"type\":\"m.room.message\",\"event_id\":\"$1\","
                        "\"sender\":\"@ben:hs.test\",\"content\":{\"x\":");
    for (int i = 0; i < 200; i++) {
        buf_add_char(&body, '[');
    }
    for (int i = 0; i < 200; i++) {
        buf_add_char(&body, ']');
    }
    buf_add_text(&body, "}}]}}}}}");
    struct script script = run_one(buf_text(&body));

    ck_assert_uint_eq(script.out.page.count, 1);
    script_release(&script);
    buf_release(&body);
}
END_TEST

/* Every recorded reply, and to which operation it is an answer, after others.
 */
static const struct recording {
    enum op_kind kind;
    struct scripted_reply before[4];
    size_t count;
    const char *name;
} recordings[] = {
    {OP_WHO, {{NULL, 0}}, 0, "whoami"},
    {OP_PLACE, {{NULL, 0}}, 0, "join"},
    {OP_PLACE, {{"join", 0}}, 1, "tombstone"},
    {OP_PLACE, {{"join", 0}, {"nothing", 404}}, 2, "encryption"},
    {OP_PLACE, {{"join", 0}, {"tombstone", 0}}, 2, "join_replacement"},
    {OP_PLACE,
     {{"join", 0}, {"tombstone", 0}, {"join_replacement", 0}},
     3,
     "create_replacement"},
    {OP_USER, {{NULL, 0}}, 0, "directory_search"},
    {OP_PROBE, {{NULL, 0}}, 0, "power_levels"},
    {OP_DM, {{NULL, 0}}, 0, "directory"},
    {OP_DM, {{"directory_nothing", 404}}, 1, "profile"},
    {OP_DM, {{"directory_nothing", 404}, {"profile", 0}}, 2, "create_room"},
    {OP_DM, {{"directory", 0}}, 1, "state_joined"},
    {OP_DM, {{"directory", 0}}, 1, "state_left"},
    {OP_DM, {{"directory", 0}}, 1, "state_encrypted"},
    {OP_SEND, {{NULL, 0}}, 0, "sent"},
    {OP_EDIT, {{NULL, 0}}, 0, "event_edited"},
    {OP_EDIT, {{"event_edited", 0}}, 1, "sent"},
    {OP_REACT, {{NULL, 0}}, 0, "sent"},
    {OP_DELETE, {{NULL, 0}}, 0, "sent"},
    {OP_PIN, {{NULL, 0}}, 0, "pinned"},
    {OP_READ, {{NULL, 0}}, 0, "sync_posts"},
    {OP_READ, {{"sync_posts", 0}}, 1, "event_of_anna"},
    {OP_READ, {{NULL, 0}}, 0, "sync_arrived"},
    {OP_READ, {{NULL, 0}}, 0, "sync_gap"},
    {OP_READ, {{"sync_gap", 0}}, 1, "messages_1"},
    {OP_READ, {{NULL, 0}}, 0, "sync_invites"},
    {OP_READ, {{NULL, 0}}, 0, "sync_put_out"},
    {OP_READ, {{NULL, 0}}, 0, "sync_encryption"},
    {OP_READ, {{NULL, 0}}, 0, "sync_upgraded"},
};

/* Bring an operation to where it waits for the recorded reply. */
static void
begin_recording(const struct recording *row, struct script *script)
{
    struct op op = script_op(row->kind);

    script_run(script, &script_service, &op, row->before, row->count);
    ck_assert_int_eq(script->advance, ADVANCE_REQUEST);
}

START_TEST(a_reply_cut_short_anywhere_is_garbled)
{
    const struct recording *row = &recordings[_i];
    struct buf body = BUF_INIT;

    script_read(row->name, &body);
    buf_truncate(&body, body.len - 1); /* its line feed */
    for (size_t len = 0; len < body.len; len += 1 + len / 40) {
        struct script script;

        begin_recording(row, &script);
        script_reply(&script, 200, buf_text(&body), len);
        page_finish(&script.out.page);
        ck_assert_msg(script.advance == ADVANCE_FAILED, "%s cut at %zu",
                      row->name, len);
        ck_assert_int_eq(script.out.err, ERR_GARBLED);
        ck_assert(script_is_sane(&script));
        script_release(&script);
    }
    buf_release(&body);
}
END_TEST

static void
parse_value(const struct recording *row, json_object *value)
{
    struct script script;
    const char *text = json_object_to_json_string(value);

    begin_recording(row, &script);
    script_reply(&script, 200, text, strlen(text));
    for (int i = 0; script.advance == ADVANCE_REQUEST && i < 4; i++) {
        script_answer(&script, &(struct scripted_reply){"nothing", 404});
    }
    page_finish(&script.out.page);
    ck_assert_msg(script_is_sane(&script), "%s: %s\n%s", row->name,
                  buf_text(&script.why), text);
    script_release(&script);
}

enum {
    STANDINS = 8
};

static json_object *
standin(int number)
{
    switch (number) {
    case 0:
        return NULL;
    case 1:
        return json_object_new_int64(-7);
    case 2:
        return json_object_new_string("");
    case 3:
        return json_object_new_string_len("a\0b", 3);
    case 4:
        return json_object_new_string("two words\n");
    case 5:
        return json_object_new_array();
    case 6:
        return json_object_new_object();
    default:
        return json_object_new_boolean(1);
    }
}

/* Put something else into the n-th place of a value, counted as they stand:
 * false where it has fewer. */
static bool
put_elsewhere(json_object *value, int *left, int number)
{
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, member)
        {
            if ((*left)-- == 0) {
                json_object_object_add(value, key, standin(number));
                return true;
            }
            if (put_elsewhere(member, left, number)) {
                return true;
            }
        }
    }
    for (size_t i = 0; json_object_is_type(value, json_type_array) &&
                       i < json_object_array_length(value);
         i++) {
        if ((*left)-- == 0) {
            json_object_array_put_idx(value, i, standin(number));
            return true;
        }
        if (put_elsewhere(json_object_array_get_idx(value, i), left, number)) {
            return true;
        }
    }
    return false;
}

START_TEST(whatever_stands_in_a_reply_it_is_read_or_refused)
{
    const struct recording *row = &recordings[_i];
    struct buf body = BUF_INIT;

    script_read(row->name, &body);
    for (int number = 0; number < STANDINS; number++) {
        bool there = true;

        for (int place = 0; there; place++) {
            json_object *value = json_tokener_parse(buf_text(&body));
            int left = place;

            there = put_elsewhere(value, &left, number);
            if (there) {
                parse_value(row, value);
            }
            json_object_put(value);
        }
    }
    buf_release(&body);
}
END_TEST

#define LOOP(tcase, test, table)                                               \
    tcase_add_loop_test(tcase, test, 0, sizeof(table) / sizeof((table)[0]))

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/matrix_sync");
    TCase *asking = tcase_create("asking");
    TCase *posts = tcase_create("posts");
    TCase *odd = tcase_create("odd");

    tcase_add_test(asking, a_first_reading_only_finds_out_where_to_begin);
    tcase_add_test(asking, a_reading_waits_for_news_on_a_connection_of_its_own);
    tcase_add_test(asking,
                   a_reading_waits_no_longer_than_until_something_is_due);
    tcase_add_test(asking, no_two_readings_ask_the_same);
    tcase_add_test(asking, a_cursor_that_is_none_is_garbled);
    tcase_add_test(asking, nothing_new_keeps_the_cursor_for_a_minute);
    suite_add_tcase(suite, asking);

    tcase_add_test(posts, every_kind_of_event_is_read_as_what_it_is);
    tcase_add_test(posts, a_reply_names_what_it_answers_and_a_thread_nothing);
    tcase_add_test(posts,
                   an_edit_has_the_id_and_the_stamp_of_the_first_version);
    tcase_add_test(posts, an_edit_of_somebody_elses_message_is_none);
    tcase_add_test(posts, an_edit_whose_first_version_is_no_message_is_none);
    tcase_add_test(posts, a_flood_of_edits_does_not_end_the_reading);
    tcase_add_test(posts, a_room_is_read_from_the_bots_arrival_on);
    tcase_add_test(posts, a_direct_invitation_is_a_dm_that_nobody_reads);
    tcase_add_test(posts, a_room_that_the_bot_was_put_out_of_is_told);
    tcase_add_test(posts,
                   a_room_that_the_bot_was_put_out_of_and_asked_back_is_told);
    tcase_add_test(posts,
                   what_the_bot_missed_is_read_although_it_was_put_out_again);
    tcase_add_test(
        posts,
        what_was_written_while_the_bot_was_outside_is_read_once_it_is_back);
    tcase_add_test(posts,
                   where_the_bot_was_outside_twice_since_it_read_both_are_read);
    tcase_add_test(posts, a_room_that_asks_the_bot_back_is_read_in_order);
    tcase_add_test(posts, an_invitation_that_is_declined_is_told);
    tcase_add_test(posts, what_a_timeline_leaves_out_is_read_before_it);
    tcase_add_test(posts, the_gaps_of_several_rooms_are_kept_apart);
    tcase_add_loop_test(posts, a_gap_in_a_room_that_the_bot_is_back_in_is_read,
                        0, 5);
    tcase_add_test(posts, a_gap_without_an_end_comes_to_one);
    tcase_add_test(posts, a_gap_that_may_not_be_read_is_none);
    tcase_add_test(posts, what_is_too_long_is_asked_for_in_smaller_pieces);
    tcase_add_test(posts, a_token_that_is_not_known_any_more_is_given_up);
    tcase_add_test(
        posts, a_server_that_has_gone_back_is_read_from_the_last_reading_on);
    tcase_add_test(posts,
                   after_an_outage_the_server_is_asked_for_the_newest_event);
    tcase_add_test(posts, a_token_that_falls_is_no_sign_by_itself);
    tcase_add_test(posts,
                   the_newest_event_goes_into_the_cursor_if_there_is_room);
    tcase_add_test(posts, what_is_shown_without_words_is_something_said);
    tcase_add_test(posts,
                   a_stamp_of_another_server_is_held_between_those_of_our_own);
    tcase_add_test(posts, a_reply_that_does_not_say_the_time_is_garbled);
    suite_add_tcase(suite, posts);

    LOOP(odd, what_is_no_event_is_passed_over, odd_events);
    LOOP(odd, a_message_without_words_is_empty, wordless);
    tcase_add_test(odd, a_format_of_another_name_is_plain_text);
    tcase_add_test(odd, deep_nesting_within_what_a_server_lets_through_is_read);
    LOOP(odd, a_reply_cut_short_anywhere_is_garbled, recordings);
    LOOP(odd, whatever_stands_in_a_reply_it_is_read_or_refused, recordings);
    suite_add_tcase(suite, odd);
    return suite;
}
