/*
 * How the Discord adapter reads: whose posts count, in which order, from where
 * on; where something is new; and for each operation, replies that are not what
 * they should be.
 */
#include <inttypes.h>
#include <stdio.h>

#include <check.h>

#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

enum {
    OVERLAP_MS = 30000,
    MARGIN_MS = 5000,
};

static uint64_t
snowflake(int64_t time)
{
    return (uint64_t)(time - INT64_C(1420070400000)) << 22;
}

static struct script
read_from(const char *cursor, const struct scripted_reply *replies,
          size_t count)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.cursor = cursor;
    script_run(&script, &script_service, &op, replies, count);
    ck_assert_msg(script.advance == ADVANCE_DONE, "%s%s",
                  buf_text(&script.asked), buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    return script;
}

#define HEARD(...)                                                             \
    (const struct scripted_reply[]){__VA_ARGS__},                              \
        sizeof((const struct scripted_reply[]){__VA_ARGS__}) /                 \
            sizeof(struct scripted_reply)
#define CURSOR  "1573718880000000001"
#define LAST_ID "1573718880000000009"

/* ---- messages ------------------------------------------------------------ */

static const struct {
    const char *author, *name, *body;
    enum post_kind kind;
    bool own, machine, edited, reply;
} expected[] = {
    {"300000000000000002", "Anna", POST_OBJECT, POST_WRITTEN, false, false,
     false, false},
    {"300000000000000002", "Anna", "**Ja!** I say", POST_WRITTEN, false, false,
     true, false},
    {"300000000000000004", "carl", "**Nein!**", POST_WRITTEN, false, false,
     false, true},
    {"400000000000000001", "placard", "Round two begins.", POST_WRITTEN, true,
     true, false, false},
    /* Somebody has pinned something. */
    {"300000000000000002", "Anna", "", POST_WRITTEN, false, true, false, true},
    {"700000000000000001", "Anna", "**Ja!**", POST_WRITTEN, false, true, false,
     false},
    /* Anna hands on what somebody has written. */
    {"300000000000000002", "Anna", POST_OBJECT, POST_WRITTEN, false, false,
     false, false},
    /* Ben's words are kept from the bot. */
    {"300000000000000003", "Ben", "", POST_HIDDEN, false, false, false, false},
};

enum {
    EXPECTED = sizeof(expected) / sizeof(expected[0])
};

START_TEST(people_are_told_from_webhooks_bots_and_the_service)
{
    struct script script = read_from(CURSOR, HEARD({"discord_messages", 0}));

    ck_assert_uint_eq(script.out.page.count, EXPECTED);
    for (size_t i = 0; i < EXPECTED; i++) {
        const struct post *post = &script.out.page.posts[i];

        ck_assert_str_eq(post->author, expected[i].author);
        ck_assert_str_eq(post->author_name, expected[i].name);
        ck_assert_str_eq(post->body, expected[i].body);
        ck_assert_str_eq(post->place, PLACE);
        ck_assert_int_eq(post->kind, expected[i].kind);
        ck_assert(post->own == expected[i].own);
        ck_assert_msg(post->machine == expected[i].machine, "%zu", i);
        ck_assert((post->edited != 0) == expected[i].edited);
        ck_assert((*post->reply_to != '\0') == expected[i].reply);
        ck_assert(post->unmet);
        ck_assert(!post->dm);
    }
    /* Oldest first, by their ids; edits by their own time. */
    ck_assert_str_eq(script.out.page.posts[0].id, "1573718880000000002");
    ck_assert_int_eq(script.out.page.posts[0].stamp, INT64_C(1795274219274));
    ck_assert_int_eq(script.out.page.posts[1].edited, INT64_C(1795255650250));
    script_release(&script);
}
END_TEST

START_TEST(in_a_private_dm_nothing_is_hidden)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.feed = DM;
    script_run(&script, &script_service, &op, HEARD({"discord_messages", 0}));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    for (size_t i = 0; i < script.out.page.count; i++) {
        ck_assert(script.out.page.posts[i].dm);
        ck_assert_int_eq(script.out.page.posts[i].kind, POST_WRITTEN);
        ck_assert_str_eq(script.out.page.posts[i].place, DM);
    }
    script_release(&script);
}
END_TEST

START_TEST(other_servers_may_leave_out_or_write_otherwise)
{
    struct script script = read_from(CURSOR, HEARD({"messages_elsewhere", 0}));

    ck_assert_uint_eq(script.out.page.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct post *post = &script.out.page.posts[i];

        ck_assert(!post->machine && !post->own);
        ck_assert_int_eq(post->kind, POST_WRITTEN);
        ck_assert_str_eq(post->body, i == 0 ? "**Ja!**" : "**Nein!**");
        ck_assert((post->edited > 0) == (i == 1));
    }
    script_release(&script);
}
END_TEST

static const struct {
    const char *text;
    int64_t time; /* -1: it was edited, and nobody knows when */
} timestamps[] = {
    {"\"2026-11-21T10:07:30.250000+00:00\"", INT64_C(1795255650250)},
    {"\"2026-11-21T10:07:30.250Z\"", INT64_C(1795255650250)},
    {"\"2026-11-21T10:07:30Z\"", INT64_C(1795255650000)},
    {"\"2026-11-21T11:07:30.2500009+01:00\"", INT64_C(1795255650250)},
    {"\"2026-11-21T06:37:30.250-03:30\"", INT64_C(1795255650250)},
    {"\"\"", 0},
    {"null", 0},
    {"\"yesterday\"", -1},
    {"\"2026-11-21T10:07\"", -1},
    {"\"2026-11-21T10:07:30\"", -1},
    {"1795255650250", -1},
    {"true", -1},
};

START_TEST(the_time_of_an_edit_is_read_as_servers_write_it)
{
    char body[512];

    snprintf(body, sizeof(body),
             "[{\"id\":\"1573718880000000002\",\"content\":\"x\",\"author\":"
             "{\"id\":\"3\"},\"edited_timestamp\":%s}]",
             timestamps[_i].text);
    struct script script = read_from(CURSOR, HEARD({body, 0}));

    ck_assert_int_eq(script.out.page.posts[0].edited, timestamps[_i].time);
    script_release(&script);
}
END_TEST

static const struct {
    const char *author, *message; /* members of them */
    bool machine, hidden;
} signs[] = {
    {"", "", false, true},
    {",\"bot\":true", "", true, false},
    {",\"system\":true", "", true, false},
    {"", ",\"webhook_id\":\"7\"", true, false},
    {"", ",\"type\":7", true, false},
    {"", ",\"flags\":64", true, false},
    {"", ",\"message_reference\":{\"type\":1}", false, false},
    {"", ",\"message_snapshots\":[{}]", false, false},
    {"", ",\"attachments\":[{}]", false, false},
    {"", ",\"embeds\":[{}]", false, false},
    {"", ",\"components\":[{}]", false, false},
    {"", ",\"sticker_items\":[{}]", false, false},
    {"", ",\"stickers\":[{}]", false, false},
    {"", ",\"poll\":{}", false, false},
};

START_TEST(each_sign_of_a_machine_or_of_hidden_words_is_seen)
{
    char body[512];

    snprintf(body, sizeof(body),
             "[{\"id\":\"1573718880000000002\",\"content\":\"\",\"author\":"
             "{\"id\":\"3\"%s}%s}]",
             signs[_i].author, signs[_i].message);
    struct script script = read_from(CURSOR, HEARD({body, 0}));

    const struct post *post = &script.out.page.posts[0];
    ck_assert(post->machine == signs[_i].machine);
    ck_assert((post->kind == POST_HIDDEN) == signs[_i].hidden);
    if (!post->machine) { /* a picture, a sticker, a poll is something said */
        ck_assert_str_eq(post->body, signs[_i].hidden ? "" : POST_OBJECT);
    }
    script_release(&script);
}
END_TEST

/* ---- from where on ------------------------------------------------------- */

START_TEST(the_cursor_stays_behind_the_clock_and_moves_with_posts_alone)
{
    char cursor[32];
    char late[128];
    uint64_t last = snowflake(SCRIPT_DATE - OVERLAP_MS / 2);

    snprintf(late, sizeof(late),
             "[{\"id\":\"%" PRIu64 "\",\"type\":0,\"author\":{\"id\":\"3\"}}]",
             last);
    struct script posts = read_from(CURSOR, HEARD({late, 0}));
    struct script none = read_from(CURSOR, HEARD({"[]", 0}));

    snprintf(cursor, sizeof(cursor), "%" PRIu64,
             snowflake(SCRIPT_DATE - OVERLAP_MS));
    ck_assert_str_eq(buf_text(&posts.out.cursor), cursor);
    ck_assert_str_eq(buf_text(&none.out.cursor), CURSOR);
    ck_assert_int_eq(posts.out.through, SCRIPT_DATE - MARGIN_MS);
    ck_assert_int_eq(none.out.through, SCRIPT_DATE - MARGIN_MS);
    ck_assert(!posts.out.more && !none.out.more);
    script_release(&posts);
    script_release(&none);
}
END_TEST

/* Else a service whose clock was wrong once would never be read again. */
START_TEST(the_cursor_never_goes_beyond_the_last_post)
{
    struct script script = read_from(CURSOR, HEARD({"discord_messages", 0}));

    ck_assert_str_eq(buf_text(&script.out.cursor), LAST_ID);
    script_release(&script);
}
END_TEST

START_TEST(what_stands_there_already_is_not_read_at_the_beginning)
{
    char cursor[32];
    struct script script = read_from("", HEARD({"[]", 0}));

    snprintf(cursor, sizeof(cursor), "%" PRIu64,
             snowflake(SCRIPT_DATE - MARGIN_MS));
    ck_assert_str_eq(buf_text(&script.out.cursor), cursor);
    script_release(&script);
    script = read_from("", HEARD({"discord_messages", 0}));
    ck_assert_str_eq(buf_text(&script.out.cursor), LAST_ID);
    ck_assert_uint_eq(script.out.page.count, 0);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.asked), "/messages?limit=1\n"));
    script_release(&script);
}
END_TEST

START_TEST(a_place_that_is_new_is_read_from_its_beginning)
{
    static const int64_t ages[] = {1000, 599000, 601000};

    for (size_t i = 0; i < 3; i++) {
        struct op op = script_op(OP_READ);
        struct script script;
        char feed[64];
        char first[32];

        snprintf(first, sizeof(first), "%" PRIu64,
                 snowflake(SCRIPT_DATE - ages[i]));
        snprintf(feed, sizeof(feed), "500000000000000001/%s", first);
        op.feed = feed;
        op.cursor = "";
        script_run(&script, &script_service, &op, HEARD({"[]", 0}));
        ck_assert((strcmp(buf_text(&script.out.cursor), first) == 0) ==
                  (i < 2));
        script_release(&script);
    }
}
END_TEST

START_TEST(an_answer_in_a_dm_may_stand_there_before_it_is_first_read)
{
    struct op op = script_op(OP_READ);
    struct script script;
    char cursor[32];
    char last[128];

    op.feed = DM;
    op.cursor = "";
    snprintf(last, sizeof(last),
             "[{\"id\":\"%" PRIu64 "\",\"content\":\"x\","
             "\"author\":{\"id\":\"3\"}}]",
             snowflake(SCRIPT_DATE - 1000));
    script_run(&script, &script_service, &op, HEARD({last, 0}));
    snprintf(cursor, sizeof(cursor), "%" PRIu64,
             snowflake(SCRIPT_DATE - 600000));
    ck_assert_str_eq(buf_text(&script.out.cursor), cursor);
    script_release(&script);
}
END_TEST

/* Else one that was opened at a wrong date would not be read up to then. */
START_TEST(a_dm_in_which_nothing_was_said_is_read_from_its_beginning)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.feed = DM;
    op.cursor = "";
    script_run(&script, &script_service, &op, HEARD({"[]", 0}));
    ck_assert_str_eq(buf_text(&script.out.cursor), DM);
    script_release(&script);
}
END_TEST

/* The same, told when it is opened: ms before that. */
static const struct {
    int64_t channel, last; /* 0: nothing was said there */
    int64_t first;
} opened_dms[] = {
    {1000, 0, 1000},
    {86400000, 0, 86400000},
    {86400000, 599000, 600000},
    {86400000, 601000, 601000},
};

START_TEST(a_dm_begins_with_what_was_said_just_before_it_was_opened)
{
    struct op op = script_op(OP_DM);
    struct script script;
    char reply[128];
    char first[32];
    char last[32] = "null";

    if (opened_dms[_i].last != 0) {
        snprintf(last, sizeof(last), "\"%" PRIu64 "\"",
                 snowflake(SCRIPT_DATE - opened_dms[_i].last));
    }
    snprintf(reply, sizeof(reply),
             "{\"id\":\"%" PRIu64 "\",\"last_message_id\":%s}",
             snowflake(SCRIPT_DATE - opened_dms[_i].channel), last);
    snprintf(first, sizeof(first), "%" PRIu64,
             snowflake(SCRIPT_DATE - opened_dms[_i].first));
    script_run(&script, &script_service, &op, HEARD({reply, 0}));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.cursor), first);
    script_release(&script);
}
END_TEST

START_TEST(where_a_dm_begins_is_not_told_without_its_last_message)
{
    struct op op = script_op(OP_DM);
    struct script script;

    script_run(&script, &script_service, &op,
               HEARD({"{\"id\":\"" DM "\"}", 0}));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.id), DM);
    ck_assert_str_eq(buf_text(&script.out.cursor), "");
    script_release(&script);
}
END_TEST

START_TEST(where_it_is_to_be_read_once_more_it_is_asked_from_there)
{
    struct op op = script_op(OP_READ);
    struct script script;
    char after[64];

    op.since = SCRIPT_DATE - 86400000;
    op.cursor = "1573726516674560000";
    script_run(&script, &script_service, &op, HEARD({"[]", 0}));
    snprintf(after, sizeof(after), "?after=%" PRIu64 "&limit=100\n",
             snowflake(SCRIPT_DATE - 86400000));
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), after));
    ck_assert_str_eq(buf_text(&script.out.cursor), op.cursor);
    script_release(&script);
}
END_TEST

/* A page of messages with ids from `first` on. */
static void
write_page(struct buf *page, uint64_t first, int count)
{
    buf_clear(page);
    buf_add_char(page, '[');
    for (int i = 0; i < count; i++) {
        buf_addf(page,
                 "%s{\"id\":\"%" PRIu64
                 "\",\"content\":\"x\",\"author\":{\"id\":\"3\"}}",
                 i == 0 ? "" : ",", first + (uint64_t)(count - i));
    }
    buf_add_char(page, ']');
}

START_TEST(full_pages_are_read_on_to_the_end)
{
    struct buf pages[3] = {BUF_INIT, BUF_INIT, BUF_INIT};
    struct scripted_reply replies[3];

    for (unsigned i = 0; i < 3; i++) {
        write_page(&pages[i], 2000 + (uint64_t)i * 100, i < 2 ? 100 : 7);
        replies[i] = (struct scripted_reply){buf_text(&pages[i]), 0};
    }
    struct script script = read_from("2000", replies, 3);

    ck_assert_uint_eq(script.out.page.count, 207);
    ck_assert_str_eq(script.out.page.posts[206].id, "2207");
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "?after=2100&"));
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "?after=2200&"));
    script_release(&script);
    for (unsigned i = 0; i < 3; i++) {
        buf_release(&pages[i]);
    }
}
END_TEST

START_TEST(very_much_is_read_in_several_operations)
{
    struct buf pages[10];
    struct scripted_reply replies[10];

    for (unsigned i = 0; i < 10; i++) {
        buf_init(&pages[i], 0);
        write_page(&pages[i], 2000 + (uint64_t)i * 100, 100);
        replies[i] = (struct scripted_reply){buf_text(&pages[i]), 0};
    }
    struct script script = read_from("2000", replies, 10);

    ck_assert(script.out.more);
    /* All ids that are so small are of Discord's first millisecond. */
    ck_assert_int_eq(script.out.through, INT64_C(1420070400000) - 1);
    ck_assert_str_eq(buf_text(&script.out.cursor), "3000");
    ck_assert_uint_eq(script.out.page.count, 1000);
    script_release(&script);
    for (unsigned i = 0; i < 10; i++) {
        buf_release(&pages[i]);
    }
}
END_TEST

START_TEST(a_server_that_ignores_where_to_begin_is_not_asked_for_ever)
{
    struct buf page = BUF_INIT;

    write_page(&page, 2000, 100);
    struct script script =
        read_from("2050", HEARD({buf_text(&page), 0}, {buf_text(&page), 0}));

    ck_assert_uint_eq(script.out.page.count, 50);
    ck_assert(!script.out.more);
    script_release(&script);
    buf_release(&page);
}
END_TEST

/* ---- updates ------------------------------------------------------------- */

START_TEST(channels_and_threads_say_when_they_were_last_posted_in)
{
    struct op op = script_op(OP_UPDATES);
    struct script script;

    script_run(&script, &script_service, &op,
               HEARD({"discord_channels", 0}, {"discord_threads", 0}));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.news_count, 5);
    ck_assert_str_eq(script.out.updates[0].feed, PLACE);
    ck_assert_int_eq(script.out.updates[0].last, INT64_C(1795274219274));
    ck_assert_int_eq(script.out.updates[2].last, 0);
    ck_assert_str_eq(script.out.updates[3].feed,
                     "500000000000000001/500000000000000004");
    ck_assert_int_eq(script.out.through, SCRIPT_DATE - MARGIN_MS);
    script_release(&script);
}
END_TEST

START_TEST(without_a_list_of_threads_there_is_no_news_of_them)
{
    struct op op = script_op(OP_UPDATES);
    struct script script;

    script_run(
        &script, &script_service, &op,
        HEARD({"discord_channels", 0}, {"spacebar_threads_active", 404}));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.news_count, 3);
    script_release(&script);
}
END_TEST

/* ---- garbage ------------------------------------------------------------- */

static const struct {
    enum op_kind kind;
    struct scripted_reply before[4];
    size_t count;
    const char *reply;
} steps[] = {
    {OP_WHO, {{NULL, 0}}, 0, "discord_me"},
    {OP_WHO, {{"discord_me", 0}}, 1, "discord_application"},
    {OP_PLACE, {{NULL, 0}}, 0, "discord_channel"},
    {OP_PLACE, {{"discord_channel", 0}}, 1, "discord_member"},
    {OP_PROBE, {{NULL, 0}}, 0, "discord_member"},
    {OP_PROBE, {{"discord_member", 0}}, 1, "discord_guild"},
    {OP_PROBE,
     {{"discord_member", 0}, {"discord_guild", 0}},
     2,
     "discord_thread"},
    {OP_PROBE,
     {{"discord_member", 0}, {"discord_guild", 0}, {"discord_thread", 0}},
     3,
     "discord_channel_forum"},
    {OP_READ, {{NULL, 0}}, 0, "discord_messages"},
    {OP_READ, {{NULL, 0}}, 0, "messages_elsewhere"},
    {OP_UPDATES, {{NULL, 0}}, 0, "discord_channels"},
    {OP_UPDATES, {{"discord_channels", 0}}, 1, "discord_threads"},
    {OP_SEND, {{NULL, 0}}, 0, "discord_sent"},
    {OP_SEND, {{NULL, 0}}, 0, "discord_edit_forbidden"},
    {OP_EDIT, {{NULL, 0}}, 0, "discord_sent"},
    {OP_EDIT, {{NULL, 0}}, 0, "discord_edit_archived"},
    {OP_FIND, {{NULL, 0}}, 0, "discord_messages"},
    {OP_DM, {{NULL, 0}}, 0, "discord_talk"},
    {OP_OPEN, {{NULL, 0}}, 0, "discord_thread"},
    {OP_OPEN, {{"discord_thread_channel", 400}}, 1, "discord_thread"},
    {OP_OPEN,
     {{"discord_thread_channel", 400}, {"discord_thread", 0}},
     2,
     "discord_channel_forum"},
    {OP_OPEN,
     {{"discord_thread_channel", 400},
      {"discord_thread", 0},
      {"discord_channel_forum", 0}},
     3,
     "discord_threads"},
    {OP_REACT, {{NULL, 0}}, 0, "discord_react_emoji"},
    {OP_PIN, {{NULL, 0}}, 0, "spacebar_threads_active"},
    {OP_SEND, {{NULL, 0}}, 0, "discord_channel_limited"},
};

/* Run a step with a body of one's own, under a status. */
static void
parse_odd(size_t step, const char *body, size_t len, int status)
{
    struct op op = script_op(steps[step].kind);
    struct script script;

    script_run(&script, &script_service, &op, steps[step].before,
               steps[step].count);
    ck_assert_int_eq(script.advance, ADVANCE_REQUEST);
    script_reply(&script, status, body, len);
    page_finish(&script.out.page);
    ck_assert_msg(script_is_sane(&script), "step %zu, status %d: %.*s: %s",
                  step, status, (int)len, body, buf_text(&script.why));
    script_release(&script);
}

START_TEST(a_reply_that_is_cut_anywhere_is_never_trusted_half)
{
    static const int statuses[] = {200, 400, 429, 500};
    struct buf body = BUF_INIT;

    script_read(steps[_i].reply, &body);
    for (size_t len = 0; len <= body.len; len++) {
        parse_odd((size_t)_i, buf_text(&body), len, statuses[len % 4]);
        parse_odd((size_t)_i, buf_text(&body), len, 200);
    }
    buf_release(&body);
}
END_TEST

START_TEST(a_value_of_another_type_is_never_trusted)
{
    static const char *const values[] = {"null",
                                         "true",
                                         "-1",
                                         "1e99",
                                         "\"\"",
                                         "[]",
                                         "[{}]",
                                         "{}",
                                         "\"\\u0000\"",
                                         "9223372036854775807",
                                         "\"99999999999999999999\"",
                                         "\"-7\""};
    struct buf body = BUF_INIT;
    struct buf odd = BUF_INIT;

    script_read(steps[_i].reply, &body);
    for (size_t at = 1; at < body.len; at++) {
        if (body.data[at - 1] != ':' || body.data[at] == '{' ||
            body.data[at] == '[') {
            continue;
        }
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
            script_swap_value(&body, at, values[i], &odd);
            parse_odd((size_t)_i, buf_text(&odd), odd.len, 200);
            parse_odd((size_t)_i, buf_text(&odd), odd.len, 403);
        }
    }
    buf_release(&body);
    buf_release(&odd);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_read");
    TCase *tcase = tcase_create("discord_read");
    const TTest *const cases[] = {
        people_are_told_from_webhooks_bots_and_the_service,
        in_a_private_dm_nothing_is_hidden,
        other_servers_may_leave_out_or_write_otherwise,
        the_cursor_stays_behind_the_clock_and_moves_with_posts_alone,
        the_cursor_never_goes_beyond_the_last_post,
        what_stands_there_already_is_not_read_at_the_beginning,
        a_place_that_is_new_is_read_from_its_beginning,
        an_answer_in_a_dm_may_stand_there_before_it_is_first_read,
        a_dm_in_which_nothing_was_said_is_read_from_its_beginning,
        where_a_dm_begins_is_not_told_without_its_last_message,
        where_it_is_to_be_read_once_more_it_is_asked_from_there,
        full_pages_are_read_on_to_the_end,
        very_much_is_read_in_several_operations,
        a_server_that_ignores_where_to_begin_is_not_asked_for_ever,
        channels_and_threads_say_when_they_were_last_posted_in,
        without_a_list_of_threads_there_is_no_news_of_them,
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    tcase_add_loop_test(
        tcase, a_dm_begins_with_what_was_said_just_before_it_was_opened, 0,
        sizeof(opened_dms) / sizeof(opened_dms[0]));
    tcase_add_loop_test(tcase, the_time_of_an_edit_is_read_as_servers_write_it,
                        0, sizeof(timestamps) / sizeof(timestamps[0]));
    tcase_add_loop_test(tcase,
                        each_sign_of_a_machine_or_of_hidden_words_is_seen, 0,
                        sizeof(signs) / sizeof(signs[0]));
    tcase_add_loop_test(tcase,
                        a_reply_that_is_cut_anywhere_is_never_trusted_half, 0,
                        sizeof(steps) / sizeof(steps[0]));
    tcase_add_loop_test(tcase, a_value_of_another_type_is_never_trusted, 0,
                        sizeof(steps) / sizeof(steps[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
