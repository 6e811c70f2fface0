/*
 * The Discord adapter, all but its reading: what it asks, and what it makes of
 * replies, and of refusals by their codes.
 */
#include <stdio.h>

#include <check.h>

#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

#define HEARD(...)                                                             \
    (const struct scripted_reply[]){__VA_ARGS__},                              \
        sizeof((const struct scripted_reply[]){__VA_ARGS__}) /                 \
            sizeof(struct scripted_reply)

/* Run an operation of a kind to its end, which must be the one named. */
static struct script
run(const struct op *op, const struct scripted_reply *replies, size_t count,
    enum advance end)
{
    struct script script;

    script_run(&script, &script_service, op, replies, count);
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

    return run(&op, replies, count, end);
}

static void
assert_said(const struct script *script, enum err err, const char *words)
{
    ck_assert_int_eq(script->advance, ADVANCE_FAILED);
    ck_assert_msg(script->out.err == err, "%d: %s", (int)script->out.err,
                  buf_text(&script->why));
    ck_assert_msg(strstr(buf_text(&script->why), words) != NULL, "%s",
                  buf_text(&script->why));
}

static void
assert_asked(const struct script *script, const char *words)
{
    ck_assert_msg(strstr(buf_text(&script->asked), words) != NULL, "%s",
                  buf_text(&script->asked));
}

static void
assert_advised(const struct script *script, const char *words)
{
    ck_assert_msg(strstr(buf_text(&script->out.advice), words) != NULL, "%s",
                  buf_text(&script->out.advice));
}

/* ---- who ----------------------------------------------------------------- */

START_TEST(the_bot_is_told_by_its_id_and_its_name)
{
    struct script script =
        run_kind(OP_WHO, HEARD({"discord_me", 0}, {"discord_application", 0}),
                 ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "400000000000000001");
    ck_assert_str_eq(buf_text(&script.out.shown), "placard");
    ck_assert_uint_eq(script.out.advice.len, 0);
    assert_asked(&script, "GET /api/v10/users/@me\n");
    assert_asked(&script, "GET /api/v10/applications/@me\n");
    script_release(&script);
}
END_TEST

START_TEST(without_the_message_content_intent_it_is_said_what_to_turn_on)
{
    struct script script = run_kind(
        OP_WHO, HEARD({"discord_me", 0}, {"discord_application_blind", 0}),
        ADVANCE_DONE);

    assert_advised(&script, "turn \"Message Content Intent\" on");
    script_release(&script);
}
END_TEST

/* D "Message Content Intent": with presses both ways are whole. */
START_TEST(it_is_said_whether_all_words_can_be_read)
{
    struct op op = script_op(OP_WHO);

    op.presses = true;
    struct script all =
        run(&op, HEARD({"discord_me", 0}, {"discord_application", 0}),
            ADVANCE_DONE);
    struct script few =
        run(&op, HEARD({"discord_me", 0}, {"discord_application_blind", 0}),
            ADVANCE_DONE);

    ck_assert_ptr_nonnull(
        strstr(buf_text(&all.out.limits), "reads what people"));
    ck_assert_ptr_nonnull(strstr(buf_text(&few.out.limits), "Intent is off"));
    ck_assert_uint_eq(all.out.advice.len + few.out.advice.len, 0);
    script_release(&all);
    script_release(&few);
}
END_TEST

/* D "Error Messages", with the example's nesting; the sentence may repeat what
 * was sent. */
START_TEST(a_form_that_is_refused_is_told_with_the_member_at_fault)
{
    struct op op = script_op(OP_SEND);
    struct script script =
        run(&op,
            HEARD({"{\"code\":50035,\"errors\":{\"components\":{\"0\":{"
                   "\"components\":{\"1\":{\"_errors\":[{\"code\":"
                   "\"BASE_TYPE_REQUIRED\",\"message\":\"canary\"}]}}}}},"
                   "\"message\":\"Invalid Form Body\"}",
                   400}),
            ADVANCE_FAILED);
    const char *why = buf_text(&script.why);

    ck_assert_msg(
        strstr(why, "(components.0.components.1: BASE_TYPE_REQUIRED)") != NULL,
        "%s", why);
    ck_assert_ptr_null(strstr(why, "canary"));
    script_release(&script);
}
END_TEST

/* D "JSON Error Codes". */
START_TEST(what_a_forum_or_a_full_server_wants_is_said)
{
    struct script tag =
        run_kind(OP_OPEN, HEARD({"{\"code\":40066,\"message\":\"x\"}", 400}),
                 ADVANCE_FAILED);
    struct script full =
        run_kind(OP_OPEN, HEARD({"{\"code\":160007,\"message\":\"x\"}", 400}),
                 ADVANCE_FAILED);

    ck_assert_int_eq(tag.out.err, ERR_DENIED);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&tag.why), "add a tag for everybody"));
    ck_assert_int_eq(full.out.err, ERR_DENIED);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&full.why), "announcement threads as it can have"));
    script_release(&tag);
    script_release(&full);
}
END_TEST

/* D "Application Object", interactions_endpoint_url. */
START_TEST(an_address_that_gets_presses_instead_is_to_be_emptied)
{
    static const char application[] =
        "{\"id\":\"400000000000000001\",\"flags\":262144,"
        "\"interactions_endpoint_url\":\"https://elsewhere.example/\"}";
    struct scripted_reply replies[] = {
        {"{\"id\":\"400000000000000001\",\"username\":\"placard\"}", 200},
        {application, 200}};
    struct op op = script_op(OP_WHO);
    struct script script = run(&op, replies, 2, ADVANCE_DONE);

    ck_assert_uint_eq(script.out.advice.len, 0);
    script_release(&script);
    op.presses = true;
    script = run(&op, replies, 2, ADVANCE_DONE);
    assert_advised(&script, "empty \"Interactions Endpoint URL\"");
    script_release(&script);
}
END_TEST

START_TEST(a_server_without_applications_will_do)
{
    struct script script = run_kind(
        OP_WHO, HEARD({"discord_me", 0}, {"spacebar_threads_active", 404}),
        ADVANCE_DONE);

    ck_assert_uint_eq(script.out.advice.len, 0);
    script_release(&script);
}
END_TEST

START_TEST(a_token_that_is_not_valid_is_told_as_such)
{
    struct script script = run_kind(
        OP_WHO, HEARD({"discord_me_unauthorized", 401}), ADVANCE_FAILED);

    assert_said(&script, ERR_DENIED, "make a new one in the Developer Portal");
    script_release(&script);
}
END_TEST

START_TEST(the_api_is_asked_where_the_address_says_it_is)
{
    static const struct {
        const char *base, *asked;
    } bases[] = {
        {"https://discord.com", "https://discord.com/api/v10/users/@me"},
        {"https://api.example", "https://api.example/api/v10/users/@me"},
        {"http://127.0.0.1:3001/api/v9", "http://127.0.0.1:3001/api/v9/users/"},
    };

    for (size_t i = 0; i < sizeof(bases) / sizeof(bases[0]); i++) {
        struct service service = script_service;
        struct op op = script_op(OP_WHO);
        struct script script;

        snprintf(service.base, sizeof(service.base), "%s", bases[i].base);
        script_begin(&script, &service, &op);
        ck_assert_int_eq(strncmp(buf_text(&script.out.request.url),
                                 bases[i].asked, strlen(bases[i].asked)),
                         0);
        ck_assert(script.out.request.authorized);
        script_release(&script);
    }
}
END_TEST

/* ---- places -------------------------------------------------------------- */

static const char *const addresses[] = {
    "500000000000000002",
    PLACE,
    "<#500000000000000002>",
    "https://discord.com/channels/" PLACE,
    "https://discord.com/channels/" PLACE "/1573718880000000001",
    "https://canary.discord.com/channels/" PLACE "?x#y",
};

START_TEST(a_channel_is_configured_as_people_copy_it)
{
    struct op op = script_op(OP_PLACE);

    op.text = addresses[_i];
    struct script script =
        run(&op,
            HEARD({"discord_channel", 0}, {"discord_member", 0},
                  {"discord_guild", 0}, {"discord_channel", 0}),
            ADVANCE_DONE);

    assert_asked(&script, "GET /api/v10/channels/500000000000000002\n");
    ck_assert_str_eq(buf_text(&script.out.id), PLACE);
    script_release(&script);
}
END_TEST

START_TEST(what_is_no_channel_is_told_as_such)
{
    static const char *const wrong[] = {
        "",
        "parlour",
        "#parlour",
        "<#parlour>",
        "0",
        "-5",
        "5000000000000000021234567890",
        "12/",
        "/12",
        "https://discord.com/channels/@me/12",
        "12/34/56",
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct op op = script_op(OP_PLACE);

        op.text = wrong[i];
        struct script script = run(&op, NULL, 0, ADVANCE_FAILED);

        assert_said(&script, ERR_CONFIG, "is no channel: write its link");
        script_release(&script);
    }
}
END_TEST

START_TEST(a_channel_that_can_not_be_used_says_what_to_configure_instead)
{
    static const struct {
        const char *body, *words;
    } wrong[] = {
        {"{\"id\":\"500000000000000002\",\"type\":15,\"guild_id\":\"5\"}",
         "write a post in it for signing up"},
        {"{\"id\":\"500000000000000002\",\"type\":4,\"guild_id\":\"5\"}",
         "configure a channel in it"},
        {"{\"id\":\"500000000000000002\",\"type\":1}",
         "configure a channel of a server"},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct script script =
            run_kind(OP_PLACE, HEARD({wrong[i].body, 0}), ADVANCE_FAILED);

        assert_said(&script, ERR_CONFIG, wrong[i].words);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_channel_that_the_bot_can_not_see_asks_to_be_let_in)
{
    struct script hidden = run_kind(
        OP_PLACE, HEARD({"discord_channel_no_access", 403}), ADVANCE_FAILED);
    struct script gone = run_kind(
        OP_PLACE, HEARD({"discord_channel_no_channel", 404}), ADVANCE_FAILED);

    assert_said(&hidden, ERR_DENIED, "\"View Channel\"");
    assert_said(&hidden, ERR_DENIED, "is the bot in the server");
    assert_said(&gone, ERR_GONE, "is the bot in the server");
    script_release(&hidden);
    script_release(&gone);
}
END_TEST

/* ---- rights -------------------------------------------------------------- */

#define GUILD_WITH(bits)                                                       \
    "{\"id\":\"500000000000000001\",\"owner_id\":\"3\",\"roles\":[{\"id\":"    \
    "\"500000000000000001\",\"permissions\":\"" bits "\"}]}"

START_TEST(all_that_the_guide_says_is_enough)
{
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {"discord_guild", 0},
                       {"discord_channel", 0}),
                 ADVANCE_DONE);

    ck_assert_uint_eq(script.out.rights, RIGHT_READ | RIGHT_POST | RIGHT_EDIT |
                                             RIGHT_DM | RIGHT_REACT |
                                             RIGHT_DELETE | RIGHT_PIN |
                                             RIGHT_UPLOAD | RIGHT_OPEN);
    ck_assert_str_eq(buf_text(&script.out.advice), "");
    script_release(&script);
}
END_TEST

START_TEST(each_permission_that_is_missing_is_named)
{
    static const char *const names[] = {
        "View Channel",          "Read Message History",
        "Send Messages",         "Send Messages in Threads",
        "Create Public Threads", "Add Reactions",
        "Attach Files",          "Manage Messages",
        "Pin Messages",
    };
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {GUILD_WITH("0"), 0},
                       {"discord_channel", 0}),
                 ADVANCE_DONE);
    char words[128];

    ck_assert_uint_eq(script.out.rights, RIGHT_DM);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(words, sizeof(words), "the permission \"%s\" there", names[i]);
        assert_advised(&script, words);
    }
    script_release(&script);
}
END_TEST

START_TEST(a_place_in_which_nothing_can_be_read_is_refused_by_name)
{
    /* View Channel and Send Messages: Discord shows an empty page then. */
    struct script script =
        run_kind(OP_PLACE,
                 HEARD({"discord_channel", 0}, {"discord_member", 0},
                       {GUILD_WITH("3072"), 0}, {"discord_channel", 0}),
                 ADVANCE_FAILED);

    assert_said(&script, ERR_DENIED,
                "it lacks the permission \"Read Message History\"");
    script_release(&script);
}
END_TEST

START_TEST(what_a_channel_denies_everybody_its_own_role_may_have)
{
    static const char denied[] =
        "{\"id\":\"500000000000000002\",\"type\":0,\"guild_id\":"
        "\"500000000000000001\",\"permission_overwrites\":["
        "{\"id\":\"500000000000000001\",\"type\":0,\"allow\":\"0\",\"deny\":"
        "\"68608\"},"
        "{\"id\":\"600000000000000001\",\"type\":0,\"allow\":\"68608\",\"deny\""
        ":\"64\"},"
        "{\"id\":\"400000000000000001\",\"type\":1,\"allow\":\"64\",\"deny\":"
        "\"8192\"}]}";
    struct script script = run_kind(
        OP_PROBE,
        HEARD({"discord_member", 0}, {"discord_guild", 0}, {denied, 0}),
        ADVANCE_DONE);

    ck_assert_uint_eq(script.out.rights & (RIGHT_READ | RIGHT_POST),
                      RIGHT_READ | RIGHT_POST);
    ck_assert_uint_ne(script.out.rights & RIGHT_REACT, 0);
    ck_assert_uint_eq(script.out.rights & RIGHT_DELETE, 0);
    assert_advised(&script, "Manage Messages");
    script_release(&script);
}
END_TEST

START_TEST(an_administrator_may_everything)
{
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {GUILD_WITH("8"), 0},
                       {"discord_channel", 0}),
                 ADVANCE_DONE);

    ck_assert_uint_eq(script.out.rights, 255 | RIGHT_OPEN);
    script_release(&script);
}
END_TEST

START_TEST(a_thread_is_judged_by_its_channel_and_tells_what_is_in_the_way)
{
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {"discord_guild", 0},
                       {"discord_thread", 0}, {"discord_channel_forum", 0}),
                 ADVANCE_DONE);

    assert_asked(&script, "GET /api/v10/channels/500000000000000003\n");
    assert_advised(&script, "The thread was put away");
    assert_advised(&script, "slow mode, a post every 21600 seconds");
    ck_assert_uint_ne(script.out.rights & RIGHT_POST, 0);
    script_release(&script);
}
END_TEST

START_TEST(a_server_that_does_not_tell_rights_may_be_hosted_on)
{
    struct script script =
        run_kind(OP_PROBE,
                 HEARD({"spacebar_threads_active", 404}, {"discord_guild", 0},
                       {"discord_channel", 0}),
                 ADVANCE_DONE);

    ck_assert_uint_eq(script.out.rights, 255 | RIGHT_OPEN);
    assert_advised(&script, "does not say what the bot may do there");
    script_release(&script);
}
END_TEST

/* ---- refusals ------------------------------------------------------------ */

static const struct {
    enum op_kind kind;
    enum err err;
    const char *reply, *words;
} refusals[] = {
    {OP_SEND, ERR_DENIED, "discord_sent_closed", "\"Direct Messages\""},
    {OP_SEND, ERR_DENIED, "discord_sent_no_mutual", "in no server together"},
    {OP_DM, ERR_LIMITED, "discord_talk_fast", "opened too fast"},
    {OP_DM, ERR_GONE, "discord_user_unknown", "there is no such user"},
    {OP_SEND, ERR_DENIED, "discord_edit_forbidden", "\"Send Messages\""},
    {OP_REACT, ERR_DENIED, "discord_edit_forbidden", "\"Add Reactions\""},
    {OP_DELETE, ERR_DENIED, "discord_edit_forbidden", "\"Manage Messages\""},
    {OP_PIN, ERR_DENIED, "discord_edit_forbidden", "\"Pin Messages\""},
    {OP_READ, ERR_DENIED, "discord_channel_no_access", "\"View Channel\""},
    {OP_READ, ERR_GONE, "discord_channel_no_channel", "put out of its server"},
    {OP_EDIT, ERR_GONE, "discord_edit_no_message", "was deleted"},
    {OP_SEND, ERR_DENIED, "discord_sent_locked", "\"Manage Threads\""},
    {OP_SEND, ERR_DENIED, "discord_sent_automod", "AutoMod"},
    {OP_SEND, ERR_FULL, "discord_sent_too_large", "too large"},
    {OP_SEND, ERR_GARBLED, "spacebar_sent_form", "Invalid Form Body"},
};

START_TEST(a_refusal_is_known_by_its_code_whatever_its_status)
{
    static const int statuses[] = {400, 403, 404};

    for (size_t i = 0; i < 3; i++) {
        struct script script =
            run_kind(refusals[_i].kind,
                     HEARD({refusals[_i].reply, statuses[i]}), ADVANCE_FAILED);

        if (refusals[_i].err != ERR_GARBLED || statuses[i] == 400) {
            assert_said(&script, refusals[_i].err, refusals[_i].words);
        }
        script_release(&script);
    }
}
END_TEST

START_TEST(whoever_opens_dms_too_fast_waits_for_minutes)
{
    struct script script =
        run_kind(OP_DM, HEARD({"discord_talk_fast", 403}), ADVANCE_FAILED);

    ck_assert_int_ge(script.out.wait, 600000);
    script_release(&script);
}
END_TEST

START_TEST(a_limit_waits_as_long_as_the_body_says)
{
    struct script script = run_kind(
        OP_SEND, HEARD({"discord_channel_limited", 429}), ADVANCE_FAILED);

    ck_assert_int_eq(script.out.err, ERR_LIMITED);
    ck_assert_int_ge(script.out.wait, 64570);
    ck_assert_int_le(script.out.wait, 65000);
    script_release(&script);
}
END_TEST

START_TEST(a_page_of_what_stands_before_it_is_no_answer)
{
    static const char page[] = "<html><h1>Access denied: 1015</h1></html>";
    static const int statuses[] = {403, 404, 502};

    for (size_t i = 0; i < 3; i++) {
        struct script script =
            run_kind(OP_SEND, HEARD({page, statuses[i]}), ADVANCE_FAILED);

        ck_assert_int_eq(script.out.err, ERR_LATER);
        script_release(&script);
    }
}
END_TEST

/* ---- sending ------------------------------------------------------------- */

START_TEST(a_message_has_a_nonce_and_says_whom_it_pings)
{
    static const char *const users[] = {"300000000000000002"};
    struct op op = script_op(OP_SEND);

    struct script silent = run(&op, HEARD({"discord_sent", 0}), ADVANCE_DONE);
    op.pings = (struct pings){users, 1, false, NULL};
    struct script pings = run(&op, HEARD({"discord_sent", 0}), ADVANCE_DONE);

    assert_asked(&silent, "POST /api/v10/channels/500000000000000002/messages "
                          "{\"content\":\"**Round 2** begins.\",\"nonce\":"
                          "\"a1b2.31\",\"enforce_nonce\":true,\"allowed_"
                          "mentions\":{\"parse\":[],\"users\":[]},\"flags\":"
                          "4100}");
    assert_asked(&pings, "begins. <@300000000000000002>\"");
    assert_asked(&pings, "\"users\":[\"300000000000000002\"]},\"flags\":4}");
    ck_assert_str_eq(buf_text(&silent.out.id), "1573720000000000001");
    script_release(&silent);
    script_release(&pings);
}
END_TEST

START_TEST(a_role_is_pinged_and_no_other)
{
    struct op op = script_op(OP_SEND);

    op.pings.role = "700000000000000007";
    struct script script = run(&op, HEARD({"discord_sent", 0}), ADVANCE_DONE);

    assert_asked(&script, "{\"content\":\"<@&700000000000000007>\\n**Round 2** "
                          "begins.\"");
    assert_asked(&script, "\"allowed_mentions\":{\"parse\":[],\"users\":[],"
                          "\"roles\":[\"700000000000000007\"]},\"flags\":4}");
    script_release(&script);
}
END_TEST

START_TEST(who_is_named_in_the_text_is_not_named_twice)
{
    static const char *const users[] = {"300000000000000002"};
    struct op op = script_op(OP_SEND);

    op.text = "<@300000000000000002>: your turn";
    op.pings = (struct pings){users, 1, false, NULL};
    struct script script = run(&op, HEARD({"discord_sent", 0}), ADVANCE_DONE);

    assert_asked(&script, "{\"content\":\"<@300000000000000002>: your turn\"");
    script_release(&script);
}
END_TEST

START_TEST(a_private_message_goes_to_no_channel)
{
    struct op op = script_op(OP_SEND);

    op.dm = true;
    struct script wrong = run(&op, NULL, 0, ADVANCE_FAILED);
    op.place = DM;
    struct script right = run(&op, HEARD({"discord_sent", 0}), ADVANCE_DONE);

    assert_said(&wrong, ERR_CONFIG, "for a DM alone");
    script_release(&wrong);
    script_release(&right);
}
END_TEST

static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0, '\r', '\n', 0x1A};

static struct op
op_with_picture(void)
{
    struct op op = script_op(OP_SEND);

    op.picture =
        (struct picture){png, sizeof(png), 4, 4, "The \"board\"", NULL};
    return op;
}

START_TEST(a_picture_goes_with_its_post_and_says_what_it_shows)
{
    struct op op = op_with_picture();
    struct script script;

    script_begin(&script, &script_service, &op);
    const struct request *request = &script.out.request;

    ck_assert_int_eq(
        strncmp(request->type, "multipart/form-data; boundary=", 30), 0);
    assert_asked(&script, "name=\"payload_json\"\r\nContent-Type: "
                          "application/json\r\n\r\n{\"content\":");
    assert_asked(&script, "\"attachments\":[{\"id\":0,\"filename\":"
                          "\"board.png\",\"description\":\"The "
                          "\\\"board\\\"\"}]");
    assert_asked(&script, "name=\"files[0]\"; filename=\"board.png\"");
    bool whole = false;
    for (size_t i = 0; i + sizeof(png) <= request->body.len; i++) {
        whole = whole || memcmp(request->body.data + i, png, sizeof(png)) == 0;
    }
    ck_assert(whole);
    script_release(&script);
}
END_TEST

START_TEST(where_the_picture_can_not_be_had_the_post_goes_without)
{
    struct op op = op_with_picture();
    struct script one =
        run(&op, HEARD({"discord_sent_form", 400}, {"discord_sent", 0}),
            ADVANCE_DONE);
    struct script two =
        run(&op,
            HEARD({"discord_edit_forbidden", 403},
                  {"discord_edit_forbidden", 403}, {"discord_sent", 0}),
            ADVANCE_DONE);
    struct script three = run(&op,
                              HEARD({"discord_sent_too_large", 413},
                                    {"discord_sent_too_large", 413},
                                    {"discord_sent_closed", 403}),
                              ADVANCE_FAILED);

    assert_said(&three, ERR_DENIED, "Direct Messages");
    /* The first server knows no descriptions, and takes pictures. */
    ck_assert(!one.out.unpictured);
    ck_assert(two.out.unpictured);
    ck_assert_str_eq(buf_text(&two.out.shown), "HTTP 403");
    script_release(&one);
    script_release(&two);
    script_release(&three);
}
END_TEST

/* ---- finding ------------------------------------------------------------- */

START_TEST(a_message_is_found_by_its_nonce_or_by_its_text)
{
    static const char with[] =
        "[{\"id\":\"1573720000000000001\",\"content\":\"else\",\"nonce\":"
        "\"a1b2.31\",\"author\":{\"id\":\"400000000000000001\"}}]";
    static const char without[] =
        "[{\"id\":\"1573720000000000001\",\"content\":\"**Round 2** begins.\","
        "\"author\":{\"id\":\"400000000000000001\"}}]";
    static const char other[] =
        "[{\"id\":\"1573720000000000001\",\"content\":\"**Round 2** begins.\","
        "\"nonce\":\"a1b2.32\",\"author\":{\"id\":\"400000000000000001\"}},"
        "{\"id\":\"1573720000000000002\",\"content\":\"**Round 2** begins.\","
        "\"author\":{\"id\":\"300000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    op.text = " **Round 2** begins.\n";
    struct script one = run(&op, HEARD({with, 0}), ADVANCE_DONE);
    struct script two = run(&op, HEARD({without, 0}), ADVANCE_DONE);
    struct script three = run(&op, HEARD({other, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&one.out.id), "1573720000000000001");
    ck_assert_str_eq(buf_text(&two.out.id), "1573720000000000001");
    ck_assert_str_eq(buf_text(&three.out.id), "");
    script_release(&one);
    script_release(&two);
    script_release(&three);
}
END_TEST

START_TEST(of_messages_with_the_same_text_each_is_another_post)
{
    static const char page[] =
        "[{\"id\":\"1573720000000000002\",\"content\":\"Nothing to resume.\","
        "\"author\":{\"id\":\"400000000000000001\"}},"
        "{\"id\":\"1573720000000000001\",\"content\":\"Nothing to resume.\","
        "\"author\":{\"id\":\"400000000000000001\"}}]";
    static const char keyed[] =
        "[{\"id\":\"1573720000000000001\",\"content\":\"Nothing to resume.\","
        "\"nonce\":\"a1b2.31\",\"author\":{\"id\":\"400000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    op.text = "Nothing to resume.";
    op.others = "157372000000000000\n1573720000000000002\n";
    struct script one = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.others = "1573720000000000002\n1573720000000000001\n";
    struct script none = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    struct script same = run(&op, HEARD({keyed, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&one.out.id), "1573720000000000001");
    ck_assert_str_eq(buf_text(&none.out.id), "");
    ck_assert_str_eq(buf_text(&same.out.id), "1573720000000000001");
    script_release(&one);
    script_release(&none);
    script_release(&same);
}
END_TEST

/* A status post goes on changing until it is found. */
START_TEST(a_message_that_has_changed_is_found_by_its_first_line)
{
    static const char page[] =
        "[{\"id\":\"1573726516674560000\",\"content\":\"Secret Hitler, table "
        "2\\n\\nNobody yet.\",\"author\":{\"id\":\"400000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    op.text = "Secret Hitler, table 2\n\nAnna, Ben.";
    struct script same = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.changed = true;
    struct script changed = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.text = "Secret Hitler, table 20\n\nAnna, Ben.";
    struct script other = run(&op, HEARD({page, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&same.out.id), "");
    ck_assert_str_eq(buf_text(&changed.out.id), "1573726516674560000");
    ck_assert_str_eq(buf_text(&other.out.id), "");
    script_release(&same);
    script_release(&changed);
    script_release(&other);
}
END_TEST

START_TEST(what_was_said_before_the_message_was_written_is_not_the_message)
{
    static const char page[] =
        "[{\"id\":\"1573726516674560000\",\"content\":\"**Round 2** begins.\","
        "\"author\":{\"id\":\"400000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    /* It was posted at SCRIPT_DATE. */
    op.since = SCRIPT_DATE + 2000;
    struct script now = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.since = SCRIPT_DATE + 2001;
    struct script later = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    /* Our clock is an hour ahead of the service's. */
    op.since = op.tried = SCRIPT_DATE + 3600000;
    op.now = SCRIPT_DATE + 3600000;
    struct script ahead = run(&op, HEARD({page, 0}), ADVANCE_DONE);

    ck_assert_uint_gt(now.out.id.len, 0);
    ck_assert_uint_eq(later.out.id.len, 0);
    ck_assert_uint_gt(ahead.out.id.len, 0);
    script_release(&now);
    script_release(&later);
    script_release(&ahead);
}
END_TEST

/* It was written at a time of the service's, and first tried at one of ours. */
START_TEST(
    what_said_the_same_an_hour_before_is_not_it_though_our_clock_is_ahead)
{
    static const char page[] =
        "[{\"id\":\"1573711417180160000\",\"content\":\"**Round 2** begins.\","
        "\"author\":{\"id\":\"400000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    op.now = SCRIPT_DATE + 57600000;
    op.since = SCRIPT_DATE - 1000;
    op.tried = op.now - 500;
    struct script old = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.tried = op.now - 3600000;
    struct script found = run(&op, HEARD({page, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&old.out.id), "");
    ck_assert_str_eq(buf_text(&found.out.id), "1573711417180160000");
    script_release(&old);
    script_release(&found);
}
END_TEST

/* Our clock was minutes ahead then, and is right now. */
START_TEST(what_is_said_once_is_found_though_our_clock_was_ahead)
{
    static const char page[] =
        "[{\"id\":\"1573726516674560000\",\"content\":\"**Round 2** begins.\","
        "\"author\":{\"id\":\"400000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    op.once = true;
    op.since = SCRIPT_DATE + 600000;
    struct script found = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.since++;
    struct script old = run(&op, HEARD({page, 0}), ADVANCE_DONE);
    op.since = SCRIPT_DATE + 600000;
    op.others = "1573726516674560000\n";
    struct script other = run(&op, HEARD({page, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&found.out.id), "1573726516674560000");
    ck_assert_str_eq(buf_text(&old.out.id), "");
    ck_assert_str_eq(buf_text(&other.out.id), "");
    script_release(&found);
    script_release(&old);
    script_release(&other);
}
END_TEST

/* Our clock was set back since it was written. */
START_TEST(a_message_that_has_its_nonce_is_found_before_it_was_written)
{
    static const char page[] =
        "[{\"id\":\"1573726516674560000\",\"content\":\"**Round 2** begins.\","
        "\"nonce\":\"a1b2.31\",\"author\":{\"id\":\"400000000000000001\"}}]";
    struct op op = script_op(OP_FIND);

    op.since = SCRIPT_DATE + 300000;
    struct script script = run(&op, HEARD({page, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "1573726516674560000");
    script_release(&script);
}
END_TEST

START_TEST(looking_for_a_message_keeps_as_far_from_a_reading_as_another_reading)
{
    struct op find = script_op(OP_FIND);
    struct op read = script_op(OP_READ);
    struct script finding;
    struct script reading;

    script_begin(&finding, &script_service, &find);
    script_begin(&reading, &script_service, &read);
    ck_assert_str_eq(finding.out.request.route, reading.out.request.route);
    ck_assert_int_gt(reading.out.request.apart, 0);
    ck_assert_int_eq(finding.out.request.apart, reading.out.request.apart);
    script_release(&finding);
    script_release(&reading);
}
END_TEST

/* ---- acts ---------------------------------------------------------------- */

START_TEST(an_edit_pings_nobody)
{
    struct script script =
        run_kind(OP_EDIT, HEARD({"discord_sent", 0}), ADVANCE_DONE);

    assert_asked(&script, "PATCH /api/v10/channels/500000000000000002/messages/"
                          "1573718880000000001 {\"content\":\"**Round 2** "
                          "begins.\",\"allowed_mentions\":{\"parse\":[],"
                          "\"users\":[]}");
    script_release(&script);
}
END_TEST

START_TEST(a_thread_that_was_put_away_is_opened_again_for_an_edit)
{
    struct script script =
        run_kind(OP_EDIT,
                 HEARD({"discord_edit_archived", 400}, {"discord_thread", 0},
                       {"discord_sent", 0}),
                 ADVANCE_DONE);
    struct script locked = run_kind(
        OP_EDIT,
        HEARD({"discord_edit_archived", 400}, {"discord_edit_forbidden", 403}),
        ADVANCE_FAILED);
    struct script again =
        run_kind(OP_EDIT,
                 HEARD({"discord_edit_archived", 400}, {"discord_thread", 0},
                       {"discord_edit_archived", 400}),
                 ADVANCE_FAILED);

    assert_asked(&script, "PATCH /api/v10/channels/500000000000000002 "
                          "{\"archived\":false}\n");
    assert_said(&again, ERR_DENIED, "put away");
    script_release(&script);
    script_release(&locked);
    script_release(&again);
}
END_TEST

START_TEST(an_emoji_is_tried_in_both_its_forms)
{
    struct op op = script_op(OP_REACT);

    op.text = "\xe2\x9d\xa4\xef\xb8\x8f";
    struct script script =
        run(&op, HEARD({"discord_react_emoji", 400}, {"", 204}), ADVANCE_DONE);

    assert_asked(&script, "/reactions/%E2%9D%A4%EF%B8%8F/@me\n");
    assert_asked(&script, "/reactions/%E2%9D%A4/@me\n");
    script_release(&script);
}
END_TEST

START_TEST(a_pin_is_tried_at_its_old_address_too)
{
    struct script script =
        run_kind(OP_PIN, HEARD({"spacebar_threads_active", 404}, {"", 204}),
                 ADVANCE_DONE);
    struct script gone = run_kind(
        OP_PIN, HEARD({"discord_edit_no_message", 404}), ADVANCE_FAILED);

    assert_asked(&script, "/messages/pins/1573718880000000001\n");
    assert_asked(&script, "500000000000000002/pins/1573718880000000001\n");
    assert_said(&gone, ERR_GONE, "deleted");
    script_release(&script);
    script_release(&gone);
}
END_TEST

/* ---- threads ------------------------------------------------------------- */

START_TEST(a_thread_hangs_on_a_post_and_a_post_has_one)
{
    struct script made =
        run_kind(OP_OPEN, HEARD({"discord_thread", 0}), ADVANCE_DONE);
    struct script there =
        run_kind(OP_OPEN, HEARD({"discord_thread_there", 400}), ADVANCE_DONE);

    assert_asked(&made, "/messages/1573718880000000001/threads {\"name\":"
                        "\"**Round 2** begins.\",\"auto_archive_duration\":"
                        "4320}");
    ck_assert_str_eq(buf_text(&made.out.id),
                     "500000000000000001/500000000000000004");
    ck_assert_str_eq(buf_text(&made.out.cursor), "500000000000000004");
    ck_assert_str_eq(buf_text(&there.out.id),
                     "500000000000000001/1573718880000000001");
    script_release(&made);
    script_release(&there);
}
END_TEST

START_TEST(from_a_thread_it_is_opened_beside_it)
{
    static const char none[] = "{\"threads\":[]}";
    struct script script = run_kind(
        OP_OPEN,
        HEARD({"discord_thread_channel", 400}, {"discord_thread", 0},
              {"discord_channel_forum", 0}, {none, 0}, {"discord_thread", 0}),
        ADVANCE_DONE);
    struct script found =
        run_kind(OP_OPEN,
                 HEARD({"discord_thread_channel", 400}, {"discord_thread", 0},
                       {"discord_channel_forum", 0}, {"discord_threads", 0}),
                 ADVANCE_DONE);

    /* In a forum it is a post, with a tag where the forum wants one. */
    assert_asked(&script, "POST /api/v10/channels/500000000000000003/threads ");
    assert_asked(&script, "\"message\":{\"content\":\"**Round 2** begins.\","
                          "\"allowed_mentions\":{\"parse\":[]}},\"applied_"
                          "tags\":[\"600000000000000012\"]}");
    ck_assert_str_eq(buf_text(&found.out.id),
                     "500000000000000001/500000000000000004");
    script_release(&script);
    script_release(&found);
}
END_TEST

/* The list has a thread of the same title, older than the game. */
START_TEST(a_gallery_is_a_private_thread_of_the_text_channel)
{
    static const char list[] =
        "{\"threads\":[{\"id\":\"1573718880000000001\",\"type\":12,"
        "\"name\":\"Gallery\",\"parent_id\":\"500000000000000002\","
        "\"owner_id\":\"400000000000000001\"}]}";
    struct op op = script_op(OP_INVITE);
    static const char forum[] = "{\"id\":\"500000000000000002\",\"type\":15}";

    op.post = "";
    op.text = "Gallery";
    op.since = adapter_discord.account_made("1573718880000000001");
    struct script found = run(
        &op, HEARD({"discord_channel", 0}, {list, 0}, {"", 204}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&found.out.id),
                     "500000000000000001/1573718880000000001");
    op.since++;
    struct script made = run(&op,
                             HEARD({"discord_channel", 0}, {list, 0},
                                   {"discord_thread", 0}, {"", 204}),
                             ADVANCE_DONE);
    assert_asked(&made, "\"type\":12,\"invitable\":false");
    assert_asked(&made, "PUT /api/v10/channels/500000000000000004/"
                        "thread-members/");
    op.post = "500000000000000001/500000000000000004";
    struct script woken = run(
        &op, HEARD({"{\"code\":50083}", 400}, {"discord_thread", 0}, {"", 204}),
        ADVANCE_DONE);
    assert_asked(&woken, "{\"archived\":false}");
    struct script anew =
        run(&op,
            HEARD({"{\"code\":10003}", 404}, {"discord_channel", 0}, {list, 0},
                  {"discord_thread", 0}, {"", 204}),
            ADVANCE_DONE);
    assert_asked(&anew, "\"type\":12");
    script_release(&anew);
    op.post = "";
    struct script none = run(&op, HEARD({forum, 0}), ADVANCE_FAILED);
    assert_said(&none, ERR_CONFIG, "only a text channel");
    script_release(&found);
    script_release(&made);
    script_release(&woken);
    script_release(&none);
}
END_TEST

START_TEST(a_title_has_a_hundred_characters_at_most)
{
    struct op op = script_op(OP_OPEN);
    struct buf title = BUF_INIT;

    for (int i = 0; i < 120; i++) {
        buf_add_text(&title, "\xc3\xa9");
    }
    op.text = buf_text(&title);
    struct script script = run(&op, HEARD({"discord_thread", 0}), ADVANCE_DONE);
    const char *at = strstr(buf_text(&script.asked), "\xc3\xa9");

    ck_assert_uint_eq(strspn(at, "\xc3\xa9"), 200);
    script_release(&script);
    buf_release(&title);
}
END_TEST

/* ---- addresses ----------------------------------------------------------- */

START_TEST(links_lead_to_posts_places_and_dms)
{
    static const struct {
        const char *place, *post, *link;
    } links[] = {
        {PLACE, "81", "https://discord.com/channels/" PLACE "/81"},
        {PLACE, "", "https://discord.com/channels/" PLACE},
        {DM, "81", "https://discord.com/channels/@me/" DM "/81"},
    };

    for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
        struct buf link = BUF_INIT;

        adapter_discord.link(&script_service, links[i].place, links[i].post,
                             &link);
        ck_assert_str_eq(buf_text(&link), links[i].link);
        buf_release(&link);
    }
}
END_TEST

START_TEST(an_account_is_as_old_as_its_id)
{
    /* the example of D "Snowflakes" */
    ck_assert_int_eq(adapter_discord.account_made("175928847299117063"),
                     INT64_C(1462015105796));
    ck_assert_int_eq(adapter_discord.account_made("Anna"), 0);
}
END_TEST

START_TEST(the_channels_of_a_guild_are_in_one_updates_and_dms_in_none)
{
    struct buf updates = BUF_INIT;

    adapter_discord.updates_feed(&script_service, DM, &updates);
    ck_assert_uint_eq(updates.len, 0);
    adapter_discord.updates_feed(&script_service, PLACE, &updates);
    ck_assert_str_eq(buf_text(&updates), "500000000000000001");
    buf_release(&updates);
}
END_TEST

/* Whatever was saved, or cut: a sentence, and nothing is asked. */
START_TEST(a_saved_id_that_is_none_is_told_as_such)
{
    static const enum op_kind kinds[] = {OP_READ,   OP_SEND, OP_EDIT,
                                         OP_FIND,   OP_OPEN, OP_REACT,
                                         OP_DELETE, OP_PIN,  OP_PROBE};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct op op = script_op(kinds[i]);

        op.place = op.feed = "!room:hs.test";
        struct script script = run(&op, NULL, 0, ADVANCE_FAILED);

        assert_said(&script, ERR_GARBLED, "none of this service's");
        script_release(&script);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord");
    TCase *tcase = tcase_create("discord");
    const TTest *const cases[] = {
        the_bot_is_told_by_its_id_and_its_name,
        it_is_said_whether_all_words_can_be_read,
        a_form_that_is_refused_is_told_with_the_member_at_fault,
        what_a_forum_or_a_full_server_wants_is_said,
        without_the_message_content_intent_it_is_said_what_to_turn_on,
        an_address_that_gets_presses_instead_is_to_be_emptied,
        a_server_without_applications_will_do,
        a_token_that_is_not_valid_is_told_as_such,
        the_api_is_asked_where_the_address_says_it_is,
        what_is_no_channel_is_told_as_such,
        a_channel_that_can_not_be_used_says_what_to_configure_instead,
        a_channel_that_the_bot_can_not_see_asks_to_be_let_in,
        all_that_the_guide_says_is_enough,
        each_permission_that_is_missing_is_named,
        a_place_in_which_nothing_can_be_read_is_refused_by_name,
        what_a_channel_denies_everybody_its_own_role_may_have,
        an_administrator_may_everything,
        a_thread_is_judged_by_its_channel_and_tells_what_is_in_the_way,
        a_server_that_does_not_tell_rights_may_be_hosted_on,
        whoever_opens_dms_too_fast_waits_for_minutes,
        a_limit_waits_as_long_as_the_body_says,
        a_page_of_what_stands_before_it_is_no_answer,
        a_message_has_a_nonce_and_says_whom_it_pings,
        a_role_is_pinged_and_no_other,
        who_is_named_in_the_text_is_not_named_twice,
        a_private_message_goes_to_no_channel,
        a_picture_goes_with_its_post_and_says_what_it_shows,
        where_the_picture_can_not_be_had_the_post_goes_without,
        a_message_is_found_by_its_nonce_or_by_its_text,
        of_messages_with_the_same_text_each_is_another_post,
        a_message_that_has_changed_is_found_by_its_first_line,
        what_was_said_before_the_message_was_written_is_not_the_message,
        what_said_the_same_an_hour_before_is_not_it_though_our_clock_is_ahead,
        what_is_said_once_is_found_though_our_clock_was_ahead,
        a_message_that_has_its_nonce_is_found_before_it_was_written,
        looking_for_a_message_keeps_as_far_from_a_reading_as_another_reading,
        an_edit_pings_nobody,
        a_thread_that_was_put_away_is_opened_again_for_an_edit,
        an_emoji_is_tried_in_both_its_forms,
        a_pin_is_tried_at_its_old_address_too,
        a_thread_hangs_on_a_post_and_a_post_has_one,
        from_a_thread_it_is_opened_beside_it,
        a_gallery_is_a_private_thread_of_the_text_channel,
        a_title_has_a_hundred_characters_at_most,
        links_lead_to_posts_places_and_dms,
        an_account_is_as_old_as_its_id,
        the_channels_of_a_guild_are_in_one_updates_and_dms_in_none,
        a_saved_id_that_is_none_is_told_as_such,
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    tcase_add_loop_test(tcase, a_channel_is_configured_as_people_copy_it, 0,
                        sizeof(addresses) / sizeof(addresses[0]));
    tcase_add_loop_test(tcase,
                        a_refusal_is_known_by_its_code_whatever_its_status, 0,
                        sizeof(refusals) / sizeof(refusals[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
