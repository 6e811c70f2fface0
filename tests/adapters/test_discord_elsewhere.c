/*
 * The Discord adapter at other servers of the same API: what they lack, refuse
 * or write otherwise, each by itself, and that Discord's own refusals are not
 * gone by in the same way.
 */
#include <inttypes.h>
#include <stdio.h>

#include <check.h>

#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

#define HEARD(...)                                                             \
    (const struct scripted_reply[]){__VA_ARGS__},                              \
        sizeof((const struct scripted_reply[]){__VA_ARGS__}) /                 \
            sizeof(struct scripted_reply)

/* What a web framework says of an address that it does not know. */
#define NO_SUCH "<!DOCTYPE html><pre>Cannot do that</pre>"

static struct script
run(const struct service *service, const struct op *op,
    const struct scripted_reply *replies, size_t count, enum advance end)
{
    struct script script;

    script_run(&script, service, op, replies, count);
    ck_assert_msg(script.advance == end, "%s%s", buf_text(&script.asked),
                  buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    return script;
}

static struct script
run_kind(enum op_kind kind, const struct scripted_reply *replies, size_t count,
         enum advance end)
{
    struct op op = script_op(kind);

    return run(&other_service, &op, replies, count, end);
}

static bool
has_asked(const struct script *script, const char *words)
{
    return strstr(buf_text(&script->asked), words) != NULL;
}

static void
assert_asked(const struct script *script, const char *words)
{
    ck_assert_msg(has_asked(script, words), "%s", buf_text(&script->asked));
}

static void
assert_advised(const struct script *script, const char *words)
{
    ck_assert_msg(strstr(buf_text(&script->out.advice), words) != NULL, "%s",
                  buf_text(&script->out.advice));
}

static void
assert_failed(const struct script *script, enum err err)
{
    ck_assert_msg(script->out.err == err, "%d: %s", (int)script->out.err,
                  buf_text(&script->why));
}

/* ---- the account --------------------------------------------------------- */

START_TEST(an_address_without_the_path_to_the_api_is_given_it)
{
    static const struct {
        const char *base, *asked;
    } bases[] = {
        {"https://chat.test/api/v9", "https://chat.test/api/v9/users/@me"},
        {"https://chat.test/v", "https://chat.test/v/api/v10/users/@me"},
        {"https://chat.test/there", "https://chat.test/there/api/v10/users/"},
    };

    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        struct service service = other_service;
        struct op op = script_op(OP_WHO);
        struct script script;

        (void)snprintf(service.base, sizeof(service.base), "%s", bases[i].base);
        script_begin(&script, &service, &op);
        ck_assert_int_eq(strncmp(buf_text(&script.out.request.url),
                                 bases[i].asked, strlen(bases[i].asked)),
                         0);
        script_release(&script);
    }
}
END_TEST

START_TEST(where_nothing_is_said_of_an_intent_it_is_told_what_to_look_for)
{
    static const struct scripted_reply ways[] = {
        {"spacebar_threads_active", 404},
        {NO_SUCH, 404},
        {"{\"flags\":0}", 0},
        {"{}", 0}};

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct script script =
            run_kind(OP_WHO, HEARD({"discord_me", 0}, ways[i]), ADVANCE_DONE);

        assert_advised(&script, "where the host answers to nobody");
        script_release(&script);
    }
    struct script told =
        run_kind(OP_WHO, HEARD({"discord_me", 0}, {"discord_application", 0}),
                 ADVANCE_DONE);

    ck_assert_uint_eq(told.out.advice.len, 0);
    script_release(&told);
}
END_TEST

START_TEST(a_token_that_is_refused_as_a_wrong_request_is_no_messages_fault)
{
    static const char body[] = "{\"code\":400,\"message\":\"Error: Invalid "
                               "Token\",\"errors\":null}";
    struct script who = run_kind(OP_WHO, HEARD({body, 400}), ADVANCE_FAILED);
    struct script sent = run_kind(OP_SEND, HEARD({body, 400}), ADVANCE_FAILED);
    struct script opened =
        run_kind(OP_OPEN, HEARD({body, 400}, {body, 400}), ADVANCE_FAILED);

    assert_failed(&who, ERR_DENIED);
    assert_failed(&sent, ERR_DENIED);
    assert_failed(&opened, ERR_DENIED);
    ck_assert_int_eq(sent.out.refused, REFUSED_ACCOUNT);
    ck_assert_int_eq(opened.out.refused, REFUSED_ACCOUNT);
    ck_assert_ptr_nonnull(strstr(buf_text(&who.why), "token is not valid"));
    script_release(&who);
    script_release(&sent);
    script_release(&opened);
}
END_TEST

/* ---- rights -------------------------------------------------------------- */

#define GUILD_WITH(bits)                                                       \
    "{\"id\":\"500000000000000001\",\"owner_id\":\"3\",\"roles\":[{\"id\":"    \
    "\"500000000000000001\",\"permissions\":\"" bits "\"}]}"
#define BARE_GUILD "{\"id\":\"500000000000000001\",\"owner_id\":\"3\"}"
#define ROLES                                                                  \
    "[{\"id\":\"500000000000000001\",\"permissions\":\"3072\"},"               \
    "{\"id\":\"600000000000000001\",\"permissions\":\"65536\"}]"

START_TEST(a_place_is_tried_whatever_its_permissions_seem_to_be)
{
    struct script script =
        run_kind(OP_PLACE,
                 HEARD({"discord_channel", 0}, {"discord_member", 0},
                       {GUILD_WITH("0"), 0}, {"discord_channel", 0}),
                 ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), PLACE);
    script_release(&script);
}
END_TEST

START_TEST(roles_may_be_kept_apart_or_written_out)
{
    static const char member[] =
        "{\"roles\":[{\"id\":\"600000000000000001\",\"name\":\"bots\"}]}";
    struct script script = run_kind(OP_PROBE,
                                    HEARD({member, 0}, {BARE_GUILD, 0},
                                          {ROLES, 0}, {"discord_channel", 0},
                                          {"discord_threads", 0}, {"[]", 0}),
                                    ADVANCE_DONE);

    assert_asked(&script, "GET /api/v10/guilds/500000000000000001/roles\n");
    ck_assert_uint_eq(script.out.rights,
                      RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_DM);
    script_release(&script);
}
END_TEST

START_TEST(where_roles_are_not_told_everything_may_be_tried)
{
    struct script none = run_kind(
        OP_PROBE,
        HEARD({"{}", 0}, {BARE_GUILD, 0}, {"spacebar_threads_active", 404},
              {"discord_channel", 0}, {"discord_threads", 0}, {"[]", 0}),
        ADVANCE_DONE);
    /* "You are not a member of the guild", says Spacebar with 401. */
    struct script refused =
        run_kind(OP_PROBE,
                 HEARD({"discord_me_unauthorized", 401},
                       {"discord_me_unauthorized", 401}, {"discord_channel", 0},
                       {"discord_threads", 0}, {"[]", 0}),
                 ADVANCE_DONE);

    ck_assert_uint_eq(none.out.rights, 255 | RIGHT_OPEN);
    ck_assert_uint_eq(refused.out.rights, 255 | RIGHT_OPEN);
    assert_advised(&none, "does not say what the bot may do there");
    script_release(&none);
    script_release(&refused);
}
END_TEST

START_TEST(who_manages_messages_may_pin_where_no_permission_is_for_pins)
{
    /* View, send, read history, manage messages. */
    static const char fake_discord[] = GUILD_WITH("76800");
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {fake_discord, 0},
                       {"discord_channel", 0}, {"discord_threads", 0},
                       {"spacebar_threads_active", 404}, {"[]", 0}),
                 ADVANCE_DONE);
    struct op op = script_op(OP_PROBE);
    struct script home = run(
        &script_service, &op,
        HEARD({"discord_member", 0}, {fake_discord, 0}, {"discord_channel", 0}),
        ADVANCE_DONE);

    ck_assert_uint_ne(script.out.rights & RIGHT_PIN, 0);
    ck_assert_uint_eq(home.out.rights & RIGHT_PIN, 0);
    ck_assert_ptr_null(strstr(buf_text(&script.out.advice), "Pin Messages"));
    script_release(&script);
    script_release(&home);
}
END_TEST

START_TEST(what_the_service_lacks_altogether_is_told_in_plain_words)
{
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {"discord_guild", 0},
                       {"discord_channel", 0}, {NO_SUCH, 404}, {NO_SUCH, 404},
                       {"{\"message\":\"Not Implemented\"}", 501}),
                 ADVANCE_DONE);

    assert_advised(&script, "Where it has none, games are played in the "
                            "channel itself.");
    assert_advised(&script, "the service has no pins");
    ck_assert_uint_eq(script.out.rights & RIGHT_PIN, 0);
    ck_assert_uint_ne(script.out.rights & RIGHT_POST, 0);
    script_release(&script);
}
END_TEST

/* ---- refusals ------------------------------------------------------------ */

START_TEST(a_code_that_repeats_the_status_is_none)
{
    struct script script = run_kind(
        OP_PIN,
        HEARD({"{\"message\":\"Endpoint not found\",\"code\":404}", 404},
              {"", 204}),
        ADVANCE_DONE);

    assert_asked(&script, "500000000000000002/pins/1573718880000000001\n");
    script_release(&script);
}
END_TEST

START_TEST(what_there_is_not_is_not_tried_for_ever)
{
    static const enum op_kind kinds[] = {OP_REACT, OP_PIN, OP_DELETE};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct script page = run_kind(
            kinds[i], HEARD({NO_SUCH, 404}, {NO_SUCH, 404}), ADVANCE_FAILED);
        struct script method = run_kind(
            kinds[i], HEARD({NO_SUCH, 405}, {NO_SUCH, 405}), ADVANCE_FAILED);

        assert_failed(&page, ERR_DENIED);
        assert_failed(&method, ERR_DENIED);
        script_release(&page);
        script_release(&method);
    }
}
END_TEST

START_TEST(a_message_waits_for_a_server_that_only_its_proxy_answers_for)
{
    struct script script = run_kind(
        OP_SEND, HEARD({"<p>404 page not found", 404}), ADVANCE_FAILED);

    assert_failed(&script, ERR_LATER);
    script_release(&script);
}
END_TEST

/* ---- sending ------------------------------------------------------------- */

START_TEST(a_server_that_knows_no_newer_members_gets_a_message_without_them)
{
    static const char strict[] =
        "{\"code\":50035,\"message\":\"Invalid Form Body\"}";
    struct script message = run_kind(
        OP_SEND, HEARD({strict, 400}, {"discord_sent", 0}), ADVANCE_DONE);
    struct script edit = run_kind(
        OP_EDIT, HEARD({strict, 422}, {"discord_sent", 0}), ADVANCE_DONE);
    struct op op = script_op(OP_SEND);
    struct script home =
        run(&script_service, &op, HEARD({"spacebar_sent_form", 400}),
            ADVANCE_FAILED);

    assert_asked(&message,
                 "{\"content\":\"**Round 2** begins.\",\"nonce\":\"a1b2.31\","
                 "\"allowed_mentions\":{\"parse\":[],\"users\":[]}}\n");
    assert_asked(&edit, "{\"content\":\"**Round 2** begins.\",\"allowed_"
                        "mentions\":{\"parse\":[],\"users\":[]}}\n");
    assert_failed(&home, ERR_GARBLED);
    script_release(&message);
    script_release(&edit);
    script_release(&home);
}
END_TEST

START_TEST(a_message_that_is_refused_for_what_it_says_is_sent_once)
{
    struct script script =
        run_kind(OP_SEND, HEARD({"discord_sent_automod", 400}), ADVANCE_FAILED);

    assert_failed(&script, ERR_DENIED);
    script_release(&script);
}
END_TEST

static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0, '\r', '\n', 0x1A};

START_TEST(a_server_that_breaks_over_a_file_gets_the_words)
{
    static const char broken[] = "{\"message\":\"Internal Server Error\"}";
    struct op op = script_op(OP_SEND);

    op.picture = (struct picture){png, sizeof(png), 4, 4, "The board", NULL};
    struct script script = run(
        &other_service, &op,
        HEARD({broken, 500}, {broken, 500}, {broken, 500}, {"discord_sent", 0}),
        ADVANCE_DONE);
    struct script strict =
        run(&other_service, &op,
            HEARD({"spacebar_sent_form", 400}, {"spacebar_sent_form", 400},
                  {"discord_sent", 0}),
            ADVANCE_DONE);
    struct script home =
        run(&script_service, &op, HEARD({broken, 500}), ADVANCE_FAILED);

    assert_asked(&script, "\"flags\":4100}\n");
    assert_failed(&home, ERR_LATER);
    script_release(&script);
    script_release(&strict);
    script_release(&home);
}
END_TEST

/* ---- DMs and threads ----------------------------------------------------- */

START_TEST(whom_to_dm_to_may_have_to_stand_in_a_list)
{
    struct script script =
        run_kind(OP_DM, HEARD({"spacebar_sent_form", 400}, {"discord_talk", 0}),
                 ADVANCE_DONE);
    struct op op = script_op(OP_DM);
    struct script home =
        run(&script_service, &op, HEARD({"spacebar_sent_form", 400}),
            ADVANCE_FAILED);

    assert_asked(&script, "{\"recipient_id\":\"300000000000000002\"}\n");
    assert_asked(&script, "{\"recipients\":[\"300000000000000002\"]}\n");
    ck_assert_uint_eq(script.out.cursor.len, 0);
    script_release(&script);
    script_release(&home);
}
END_TEST

START_TEST(without_private_dms_whoever_gets_no_message_is_told_of)
{
    struct script script =
        run_kind(OP_DM, HEARD({NO_SUCH, 404}), ADVANCE_FAILED);

    assert_failed(&script, ERR_DENIED);
    script_release(&script);
}
END_TEST

#define OURS(name)                                                             \
    "{\"threads\":[{\"id\":\"500000000000000004\",\"name\":\"" name            \
    "\",\"parent_id\":\"500000000000000002\",\"owner_id\":"                    \
    "\"400000000000000001\"}]}"
#define NO_THREADS "{\"threads\":[]}"

START_TEST(a_thread_is_looked_for_before_it_is_opened)
{
    struct script found = run_kind(
        OP_OPEN, HEARD({OURS("**Round 2** begins."), 0}), ADVANCE_DONE);
    struct script unlisted = run_kind(
        OP_OPEN, HEARD({NO_SUCH, 404}, {"discord_thread", 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&found.out.id),
                     "500000000000000001/500000000000000004");
    ck_assert(!has_asked(&found, "POST"));
    assert_asked(&unlisted, "/messages/1573718880000000001/threads ");
    script_release(&found);
    script_release(&unlisted);
}
END_TEST

START_TEST(a_thread_that_stands_there_is_taken_whatever_the_refusal_is_called)
{
    static const char there[] =
        "{\"id\":\"1573718880000000001\",\"type\":11,\"parent_id\":"
        "\"500000000000000002\"}";
    struct script named =
        run_kind(OP_OPEN, HEARD({NO_THREADS, 0}, {"{\"code\":160004}", 400}),
                 ADVANCE_DONE);
    struct script conflict = run_kind(
        OP_OPEN, HEARD({NO_THREADS, 0}, {"{}", 409}, {there, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&named.out.id),
                     "500000000000000001/1573718880000000001");
    ck_assert_str_eq(buf_text(&conflict.out.id),
                     "500000000000000001/1573718880000000001");
    script_release(&named);
    script_release(&conflict);
}
END_TEST

START_TEST(without_threads_a_game_does_not_wait_for_one)
{
    static const struct scripted_reply ways[] = {
        {NO_SUCH, 404},
        {NO_SUCH, 405},
        {"{\"message\":\"Not Implemented\"}", 501},
        {"{\"message\":\"Internal Server Error\"}", 500},
        {"{\"message\":\"Not Found\",\"code\":\"NOT_FOUND\"}", 404},
    };

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        struct script script = run_kind(
            OP_OPEN,
            HEARD({NO_SUCH, 404}, ways[i], {"discord_channel_no_channel", 404}),
            ADVANCE_FAILED);

        assert_failed(&script, ERR_DENIED);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_server_that_is_down_is_asked_for_the_thread_again)
{
    struct script script = run_kind(
        OP_OPEN, HEARD({NO_THREADS, 0}, {NO_SUCH, 502}), ADVANCE_FAILED);

    assert_failed(&script, ERR_LATER);
    script_release(&script);
}
END_TEST

/* ---- reading ------------------------------------------------------------- */

/* A page of messages, the newest first, from `last` down. */
static void
write_page(struct buf *page, uint64_t last, uint64_t count)
{
    buf_clear(page);
    buf_add_char(page, '[');
    for (uint64_t i = 0; i < count; i++) {
        buf_addf(page,
                 "%s{\"id\":\"%" PRIu64
                 "\",\"content\":\"x\",\"author\":{\"id\":\"3\"}}",
                 i == 0 ? "" : ",", last - i);
    }
    buf_add_char(page, ']');
}

static struct script
read_from(const char *cursor, const struct scripted_reply *replies,
          size_t count)
{
    struct op op = script_op(OP_READ);

    op.cursor = cursor;
    return run(&other_service, &op, replies, count, ADVANCE_DONE);
}

/* All that was read, each once, in order. */
static void
assert_row(const struct script *script, uint64_t first, uint64_t last)
{
    ck_assert_uint_eq(script->out.page.count, last - first + 1);
    for (uint64_t i = 0; i <= last - first; i++) {
        ck_assert_uint_eq(strtoull(script->out.page.posts[i].id, NULL, 10),
                          first + i);
    }
}

START_TEST(what_stands_before_a_page_of_the_newest_is_read_too)
{
    struct buf pages[4] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};

    /* 2001 to 2240 are new; the last page has what was read before, too. */
    write_page(&pages[0], 2240, 100);
    write_page(&pages[1], 2140, 100);
    write_page(&pages[2], 2040, 100);
    write_page(&pages[3], 2240, 0);
    struct script script = read_from(
        "2000", HEARD({buf_text(&pages[0]), 0}, {buf_text(&pages[1]), 0},
                      {buf_text(&pages[2]), 0}, {buf_text(&pages[3]), 0}));

    assert_row(&script, 2001, 2240);
    ck_assert(!script.out.more);
    assert_asked(&script, "?after=2000&");
    assert_asked(&script, "?before=2141&");
    assert_asked(&script, "?before=2041&");
    assert_asked(&script, "?after=2240&");
    script_release(&script);
    for (size_t i = 0; i < 4; i++) {
        buf_release(&pages[i]);
    }
}
END_TEST

START_TEST(behind_a_page_of_the_nearest_nothing_is_missing)
{
    struct buf pages[3] = {BUF_INIT, BUF_INIT, BUF_INIT};

    write_page(&pages[0], 2100, 100);
    write_page(&pages[1], 2000, 100);
    write_page(&pages[2], 2107, 7);
    struct script script = read_from("2000", HEARD({buf_text(&pages[0]), 0},
                                                   {buf_text(&pages[1]), 0},
                                                   {buf_text(&pages[2]), 0}));

    assert_row(&script, 2001, 2107);
    script_release(&script);
    for (size_t i = 0; i < 3; i++) {
        buf_release(&pages[i]);
    }
}
END_TEST

START_TEST(a_server_may_give_less_at_a_time_than_is_asked_for)
{
    struct buf pages[3] = {BUF_INIT, BUF_INIT, BUF_INIT};

    write_page(&pages[0], 2050, 50);
    write_page(&pages[1], 2000, 50);
    write_page(&pages[2], 2057, 7);
    struct script script = read_from("2000", HEARD({buf_text(&pages[0]), 0},
                                                   {buf_text(&pages[1]), 0},
                                                   {buf_text(&pages[2]), 0}));

    assert_row(&script, 2001, 2057);
    script_release(&script);
    for (size_t i = 0; i < 3; i++) {
        buf_release(&pages[i]);
    }
}
END_TEST

START_TEST(a_server_that_heeds_neither_end_is_not_asked_for_ever)
{
    struct buf page = BUF_INIT;

    write_page(&page, 2200, 100);
    struct script script =
        read_from("2000", HEARD({buf_text(&page), 0}, {buf_text(&page), 0},
                                {buf_text(&page), 0}));

    assert_row(&script, 2101, 2200);
    script_release(&script);
    buf_release(&page);
}
END_TEST

/* Run a reading of which no reply says what time it is; our clock is an hour
 * ahead of the service's. */
static struct script
read_timeless(const char *cursor, const struct scripted_reply *replies,
              size_t count)
{
    struct op op = script_op(OP_READ);
    struct script script;

    op.cursor = cursor;
    op.now = SCRIPT_DATE + 3600000;
    script_begin(&script, &other_service, &op);
    script.timeless = true;
    for (size_t i = 0; i < count && script.advance == ADVANCE_REQUEST; i++) {
        script_answer(&script, &replies[i]);
    }
    page_finish(&script.out.page);
    ck_assert_msg(script.advance == ADVANCE_DONE, "%s", buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    return script;
}

START_TEST(where_the_time_is_not_told_the_cursor_stays_behind_the_posts)
{
    /* It was posted at SCRIPT_DATE. */
    static const char page[] =
        "[{\"id\":\"1573726516674560000\",\"content\":\"x\",\"author\":{"
        "\"id\":\"3\"}}]";
    struct script begun = read_timeless("", HEARD({page, 0}));
    struct script empty = read_timeless("", HEARD({"[]", 0}));
    struct script read = read_timeless("1573718880000000001", HEARD({page, 0}));

    ck_assert_str_eq(buf_text(&begun.out.cursor), "1573726516674560000");

    ck_assert_str_eq(buf_text(&empty.out.cursor), "1");
    ck_assert_uint_eq(strtoull(buf_text(&read.out.cursor), NULL, 10),
                      UINT64_C(1573726516674560000) - (UINT64_C(30000) << 22));
    ck_assert_int_gt(read.out.through, 0);
    script_release(&begun);
    script_release(&empty);
    script_release(&read);
}
END_TEST

/* Three messages whose ids are counted. */
#define COUNTED                                                                   \
    "[{\"id\":\"1003\",\"content\":\"c\",\"timestamp\":\"2026-11-21T15:46:58Z\"," \
    "\"author\":{\"id\":\"3\"}},"                                                 \
    "{\"id\":\"1002\",\"content\":\"**Round 2** begins.\",\"timestamp\":"         \
    "\"2026-11-21T15:46:57Z\",\"author\":{\"id\":\"400000000000000001\"}},"       \
    "{\"id\":\"1001\",\"content\":\"a\",\"timestamp\":\"2026-11-21T15:46:56Z\","  \
    "\"author\":{\"id\":\"3\"}}]"

START_TEST(ids_that_are_counted_tell_no_time)
{
    struct op again = script_op(OP_READ);
    struct script begun = read_from("", HEARD({COUNTED, 0}));
    struct script read = read_from("1000", HEARD({COUNTED, 0}));

    again.cursor = "1003";
    again.since = SCRIPT_DATE;
    struct script edited =
        run(&other_service, &again, HEARD({COUNTED, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&begun.out.cursor), "1003");
    ck_assert_str_eq(buf_text(&read.out.cursor), "1003");
    ck_assert_int_eq(read.out.page.posts[0].stamp, INT64_C(1795276016000));
    ck_assert_uint_eq(edited.out.page.count, 3);
    script_release(&begun);
    script_release(&read);
    script_release(&edited);
}
END_TEST

START_TEST(a_message_is_found_whose_id_tells_no_time)
{
    struct op op = script_op(OP_FIND);

    op.since = INT64_C(1795276017000);
    op.now = SCRIPT_DATE;
    struct script found =
        run(&other_service, &op, HEARD({COUNTED, 0}), ADVANCE_DONE);

    op.since += 60000;
    struct script later =
        run(&other_service, &op, HEARD({COUNTED, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&found.out.id), "1002");
    ck_assert_uint_eq(later.out.id.len, 0);
    script_release(&found);
    script_release(&later);
}
END_TEST

START_TEST(every_place_is_read_where_news_need_not_be_kept)
{
    struct buf updates = BUF_INIT;

    adapter_discord.updates_feed(&other_service, PLACE, &updates);
    ck_assert_uint_eq(updates.len, 0);
    buf_release(&updates);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_elsewhere");
    TCase *tcase = tcase_create("discord_elsewhere");
    const TTest *const cases[] = {
        an_address_without_the_path_to_the_api_is_given_it,
        where_nothing_is_said_of_an_intent_it_is_told_what_to_look_for,
        a_token_that_is_refused_as_a_wrong_request_is_no_messages_fault,
        a_place_is_tried_whatever_its_permissions_seem_to_be,
        roles_may_be_kept_apart_or_written_out,
        where_roles_are_not_told_everything_may_be_tried,
        who_manages_messages_may_pin_where_no_permission_is_for_pins,
        what_the_service_lacks_altogether_is_told_in_plain_words,
        a_code_that_repeats_the_status_is_none,
        what_there_is_not_is_not_tried_for_ever,
        a_message_waits_for_a_server_that_only_its_proxy_answers_for,
        a_server_that_knows_no_newer_members_gets_a_message_without_them,
        a_message_that_is_refused_for_what_it_says_is_sent_once,
        a_server_that_breaks_over_a_file_gets_the_words,
        whom_to_dm_to_may_have_to_stand_in_a_list,
        without_private_dms_whoever_gets_no_message_is_told_of,
        a_thread_is_looked_for_before_it_is_opened,
        a_thread_that_stands_there_is_taken_whatever_the_refusal_is_called,
        without_threads_a_game_does_not_wait_for_one,
        a_server_that_is_down_is_asked_for_the_thread_again,
        what_stands_before_a_page_of_the_newest_is_read_too,
        behind_a_page_of_the_nearest_nothing_is_missing,
        a_server_may_give_less_at_a_time_than_is_asked_for,
        a_server_that_heeds_neither_end_is_not_asked_for_ever,
        where_the_time_is_not_told_the_cursor_stays_behind_the_posts,
        ids_that_are_counted_tell_no_time,
        a_message_is_found_whose_id_tells_no_time,
        every_place_is_read_where_news_need_not_be_kept,
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
