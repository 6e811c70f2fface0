/*
 * The Discord adapter, all but its reading: what it asks, and what it makes of
 * replies, and of refusals by their codes.
 */
#include <stdio.h>

#include <check.h>

#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

#define HEARD(...)                                                             \
    (const struct heard[]){__VA_ARGS__},                                       \
        sizeof((const struct heard[]){__VA_ARGS__}) / sizeof(struct heard)

/* Run an errand of a kind to its end, which must be the one named. */
static struct script
run(const struct errand *errand, const struct heard *heard, size_t count,
    enum turn end)
{
    struct script script;

    script_run(&script, &script_service, errand, heard, count);
    ck_assert_msg(script.turn == end, "%s%s", buf_text(&script.asked),
                  buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    return script;
}

static struct script
run_kind(enum errand_kind kind, const struct heard *heard, size_t count,
         enum turn end)
{
    struct errand errand = script_errand(kind);

    return run(&errand, heard, count, end);
}

static void
assert_said(const struct script *script, enum err err, const char *words)
{
    ck_assert_int_eq(script->turn, TURN_FAILED);
    ck_assert_msg(script->out.err == err, "%s: %s", err_name(script->out.err),
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

/* ---- who ------------------------------------------------------------------
 */

START_TEST(the_bot_is_told_by_its_id_and_its_name)
{
    struct script script = run_kind(
        ERRAND_WHO, HEARD({"discord_me", 0}, {"discord_application", 0}),
        TURN_DONE);

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
        ERRAND_WHO, HEARD({"discord_me", 0}, {"discord_application_blind", 0}),
        TURN_DONE);

    assert_advised(&script, "turn \"Message Content Intent\" on");
    script_release(&script);
}
END_TEST

START_TEST(a_server_without_applications_will_do)
{
    struct script script = run_kind(
        ERRAND_WHO, HEARD({"discord_me", 0}, {"spacebar_threads_active", 404}),
        TURN_DONE);

    ck_assert_uint_eq(script.out.advice.len, 0);
    script_release(&script);
}
END_TEST

START_TEST(a_token_that_is_not_valid_is_told_as_such)
{
    struct script script = run_kind(
        ERRAND_WHO, HEARD({"discord_me_unauthorized", 401}), TURN_FAILED);

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
        struct errand errand = script_errand(ERRAND_WHO);
        struct script script;

        snprintf(service.base, sizeof(service.base), "%s", bases[i].base);
        script_begin(&script, &service, &errand);
        ck_assert_int_eq(strncmp(buf_text(&script.out.request.url),
                                 bases[i].asked, strlen(bases[i].asked)),
                         0);
        ck_assert(script.out.request.authorized);
        ck_assert_ptr_nonnull(strstr(buf_text(&script.out.request.headers),
                                     "User-Agent: DiscordBot (https://"));
        script_release(&script);
    }
}
END_TEST

/* ---- places ---------------------------------------------------------------
 */

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
    struct errand errand = script_errand(ERRAND_PLACE);

    errand.text = addresses[_i];
    struct script script =
        run(&errand,
            HEARD({"discord_channel", 0}, {"discord_member", 0},
                  {"discord_guild", 0}, {"discord_channel", 0}),
            TURN_DONE);

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
        struct errand errand = script_errand(ERRAND_PLACE);

        errand.text = wrong[i];
        struct script script = run(&errand, NULL, 0, TURN_FAILED);

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
            run_kind(ERRAND_PLACE, HEARD({wrong[i].body, 0}), TURN_FAILED);

        assert_said(&script, ERR_CONFIG, wrong[i].words);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_channel_that_the_bot_can_not_see_asks_to_be_let_in)
{
    struct script hidden = run_kind(
        ERRAND_PLACE, HEARD({"discord_channel_no_access", 403}), TURN_FAILED);
    struct script gone = run_kind(
        ERRAND_PLACE, HEARD({"discord_channel_no_channel", 404}), TURN_FAILED);

    assert_said(&hidden, ERR_DENIED, "\"View Channel\"");
    assert_said(&hidden, ERR_DENIED, "is the bot in the server");
    assert_said(&gone, ERR_GONE, "is the bot in the server");
    script_release(&hidden);
    script_release(&gone);
}
END_TEST

/* ---- rights ---------------------------------------------------------------
 */

#define GUILD_WITH(bits)                                                       \
    "{\"id\":\"500000000000000001\",\"owner_id\":\"3\",\"roles\":[{\"id\":"    \
    "\"500000000000000001\",\"permissions\":\"" bits "\"}]}"

START_TEST(all_that_the_guide_says_is_enough)
{
    struct script script =
        run_kind(ERRAND_PROBE,
                 HEARD({"discord_member", 0}, {"discord_guild", 0},
                       {"discord_channel", 0}),
                 TURN_DONE);

    ck_assert_uint_eq(script.out.rights, RIGHT_READ | RIGHT_POST | RIGHT_EDIT |
                                             RIGHT_TALK | RIGHT_REACT |
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
        run_kind(ERRAND_PROBE,
                 HEARD({"discord_member", 0}, {GUILD_WITH("0"), 0},
                       {"discord_channel", 0}),
                 TURN_DONE);
    char words[128];

    ck_assert_uint_eq(script.out.rights, RIGHT_TALK);
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
        run_kind(ERRAND_PLACE,
                 HEARD({"discord_channel", 0}, {"discord_member", 0},
                       {GUILD_WITH("3072"), 0}, {"discord_channel", 0}),
                 TURN_FAILED);

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
        ERRAND_PROBE,
        HEARD({"discord_member", 0}, {"discord_guild", 0}, {denied, 0}),
        TURN_DONE);

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
        run_kind(ERRAND_PROBE,
                 HEARD({"discord_member", 0}, {GUILD_WITH("8"), 0},
                       {"discord_channel", 0}),
                 TURN_DONE);

    ck_assert_uint_eq(script.out.rights, 255 | RIGHT_OPEN);
    script_release(&script);
}
END_TEST

START_TEST(a_thread_is_judged_by_its_channel_and_tells_what_is_in_the_way)
{
    struct script script =
        run_kind(ERRAND_PROBE,
                 HEARD({"discord_member", 0}, {"discord_guild", 0},
                       {"discord_thread", 0}, {"discord_channel_forum", 0}),
                 TURN_DONE);

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
        run_kind(ERRAND_PROBE,
                 HEARD({"spacebar_threads_active", 404}, {"discord_guild", 0},
                       {"discord_channel", 0}),
                 TURN_DONE);

    ck_assert_uint_eq(script.out.rights, 255 | RIGHT_OPEN);
    assert_advised(&script, "does not say what the bot may do there");
    script_release(&script);
}
END_TEST

/* ---- refusals -------------------------------------------------------------
 */

static const struct {
    enum errand_kind kind;
    enum err err;
    const char *reply, *words;
} refusals[] = {
    {ERRAND_SEND, ERR_DENIED, "discord_sent_closed", "\"Direct Messages\""},
    {ERRAND_SEND, ERR_DENIED, "discord_sent_no_mutual",
     "in no server together"},
    {ERRAND_TALK, ERR_LIMITED, "discord_talk_fast", "opened too fast"},
    {ERRAND_TALK, ERR_GONE, "discord_user_unknown", "there is no such user"},
    {ERRAND_SEND, ERR_DENIED, "discord_edit_forbidden", "\"Send Messages\""},
    {ERRAND_REACT, ERR_DENIED, "discord_edit_forbidden", "\"Add Reactions\""},
    {ERRAND_DELETE, ERR_DENIED, "discord_edit_forbidden",
     "\"Manage Messages\""},
    {ERRAND_PIN, ERR_DENIED, "discord_edit_forbidden", "\"Pin Messages\""},
    {ERRAND_READ, ERR_DENIED, "discord_channel_no_access", "\"View Channel\""},
    {ERRAND_READ, ERR_GONE, "discord_channel_no_channel",
     "put out of its server"},
    {ERRAND_EDIT, ERR_GONE, "discord_edit_no_message", "was deleted"},
    {ERRAND_SEND, ERR_DENIED, "discord_sent_locked", "\"Manage Threads\""},
    {ERRAND_SEND, ERR_DENIED, "discord_sent_automod", "AutoMod"},
    {ERRAND_SEND, ERR_FULL, "discord_sent_too_large", "too large"},
    {ERRAND_SEND, ERR_GARBLED, "spacebar_sent_form", "Invalid Form Body"},
};

START_TEST(a_refusal_is_known_by_its_code_whatever_its_status)
{
    static const int statuses[] = {400, 403, 404};

    for (size_t i = 0; i < 3; i++) {
        struct script script =
            run_kind(refusals[_i].kind,
                     HEARD({refusals[_i].reply, statuses[i]}), TURN_FAILED);

        if (refusals[_i].err != ERR_GARBLED || statuses[i] == 400) {
            assert_said(&script, refusals[_i].err, refusals[_i].words);
        }
        script_release(&script);
    }
}
END_TEST

START_TEST(whoever_opens_talks_too_fast_waits_for_minutes)
{
    struct script script =
        run_kind(ERRAND_TALK, HEARD({"discord_talk_fast", 403}), TURN_FAILED);

    ck_assert_int_ge(script.out.wait, 600000);
    script_release(&script);
}
END_TEST

START_TEST(a_limit_waits_as_long_as_the_body_says)
{
    struct script script = run_kind(
        ERRAND_SEND, HEARD({"discord_channel_limited", 429}), TURN_FAILED);

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
            run_kind(ERRAND_SEND, HEARD({page, statuses[i]}), TURN_FAILED);

        ck_assert_int_eq(script.out.err, ERR_LATER);
        script_release(&script);
    }
}
END_TEST

/* ---- sending --------------------------------------------------------------
 */

START_TEST(a_letter_has_a_nonce_and_says_whom_it_rings)
{
    static const char *const users[] = {"300000000000000002"};
    struct errand errand = script_errand(ERRAND_SEND);

    struct script silent = run(&errand, HEARD({"discord_sent", 0}), TURN_DONE);
    errand.rings = (struct rings){users, 1, false};
    struct script rings = run(&errand, HEARD({"discord_sent", 0}), TURN_DONE);

    assert_asked(&silent, "POST /api/v10/channels/500000000000000002/messages "
                          "{\"content\":\"**Round 2** begins.\",\"nonce\":"
                          "\"a1b2.31\",\"enforce_nonce\":true,\"allowed_"
                          "mentions\":{\"parse\":[],\"users\":[]},\"flags\":"
                          "4100}");
    assert_asked(&rings, "begins. <@300000000000000002>\"");
    assert_asked(&rings, "\"users\":[\"300000000000000002\"]},\"flags\":4}");
    ck_assert_str_eq(buf_text(&silent.out.id), "1573720000000000001");
    script_release(&silent);
    script_release(&rings);
}
END_TEST

START_TEST(who_is_named_in_the_text_is_not_named_twice)
{
    static const char *const users[] = {"300000000000000002"};
    struct errand errand = script_errand(ERRAND_SEND);

    errand.text = "<@300000000000000002>: your turn";
    errand.rings = (struct rings){users, 1, false};
    struct script script = run(&errand, HEARD({"discord_sent", 0}), TURN_DONE);

    assert_asked(&script, "{\"content\":\"<@300000000000000002>: your turn\"");
    script_release(&script);
}
END_TEST

START_TEST(a_private_message_goes_to_no_channel)
{
    struct errand errand = script_errand(ERRAND_SEND);

    errand.talk = true;
    struct script wrong = run(&errand, NULL, 0, TURN_FAILED);
    errand.place = TALK;
    struct script right = run(&errand, HEARD({"discord_sent", 0}), TURN_DONE);

    assert_said(&wrong, ERR_CONFIG, "for a private talk alone");
    script_release(&wrong);
    script_release(&right);
}
END_TEST

static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0, '\r', '\n', 0x1A};

static struct errand
errand_with_picture(void)
{
    struct errand errand = script_errand(ERRAND_SEND);

    errand.picture =
        (struct picture){png, sizeof(png), 4, 4, "The \"board\"", NULL};
    return errand;
}

START_TEST(a_picture_goes_with_its_post_and_says_what_it_shows)
{
    struct errand errand = errand_with_picture();
    struct script script;

    script_begin(&script, &script_service, &errand);
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
    struct errand errand = errand_with_picture();
    struct script one =
        run(&errand, HEARD({"discord_sent_form", 400}, {"discord_sent", 0}),
            TURN_DONE);
    struct script two =
        run(&errand,
            HEARD({"discord_edit_forbidden", 403},
                  {"discord_edit_forbidden", 403}, {"discord_sent", 0}),
            TURN_DONE);
    struct script three = run(&errand,
                              HEARD({"discord_sent_too_large", 413},
                                    {"discord_sent_too_large", 413},
                                    {"discord_sent_closed", 403}),
                              TURN_FAILED);

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

/* ---- finding --------------------------------------------------------------
 */

START_TEST(a_letter_is_found_by_its_nonce_or_by_its_text)
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
    struct errand errand = script_errand(ERRAND_FIND);

    errand.text = " **Round 2** begins.\n";
    struct script one = run(&errand, HEARD({with, 0}), TURN_DONE);
    struct script two = run(&errand, HEARD({without, 0}), TURN_DONE);
    struct script three = run(&errand, HEARD({other, 0}), TURN_DONE);

    ck_assert_str_eq(buf_text(&one.out.id), "1573720000000000001");
    ck_assert_str_eq(buf_text(&two.out.id), "1573720000000000001");
    ck_assert_str_eq(buf_text(&three.out.id), "");
    script_release(&one);
    script_release(&two);
    script_release(&three);
}
END_TEST

START_TEST(what_was_said_before_the_letter_was_written_is_not_the_letter)
{
    static const char page[] =
        "[{\"id\":\"1573726516674560000\",\"content\":\"**Round 2** begins.\","
        "\"author\":{\"id\":\"400000000000000001\"}}]";
    struct errand errand = script_errand(ERRAND_FIND);

    /* It was posted at SCRIPT_DATE. */
    errand.since = SCRIPT_DATE + 2000;
    struct script now = run(&errand, HEARD({page, 0}), TURN_DONE);
    errand.since = SCRIPT_DATE + 2001;
    struct script later = run(&errand, HEARD({page, 0}), TURN_DONE);
    /* Our clock is an hour ahead of the service's. */
    errand.since = SCRIPT_DATE + 3600000;
    errand.now = SCRIPT_DATE + 3600000;
    struct script ahead = run(&errand, HEARD({page, 0}), TURN_DONE);

    ck_assert_uint_gt(now.out.id.len, 0);
    ck_assert_uint_eq(later.out.id.len, 0);
    ck_assert_uint_gt(ahead.out.id.len, 0);
    script_release(&now);
    script_release(&later);
    script_release(&ahead);
}
END_TEST

/* ---- acts -----------------------------------------------------------------
 */

START_TEST(an_edit_rings_nobody)
{
    struct script script =
        run_kind(ERRAND_EDIT, HEARD({"discord_sent", 0}), TURN_DONE);

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
        run_kind(ERRAND_EDIT,
                 HEARD({"discord_edit_archived", 400}, {"discord_thread", 0},
                       {"discord_sent", 0}),
                 TURN_DONE);
    struct script locked = run_kind(
        ERRAND_EDIT,
        HEARD({"discord_edit_archived", 400}, {"discord_edit_forbidden", 403}),
        TURN_FAILED);
    struct script again =
        run_kind(ERRAND_EDIT,
                 HEARD({"discord_edit_archived", 400}, {"discord_thread", 0},
                       {"discord_edit_archived", 400}),
                 TURN_FAILED);

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
    struct errand errand = script_errand(ERRAND_REACT);

    errand.text = "\xe2\x9d\xa4\xef\xb8\x8f";
    struct script script =
        run(&errand, HEARD({"discord_react_emoji", 400}, {"", 204}), TURN_DONE);

    assert_asked(&script, "/reactions/%E2%9D%A4%EF%B8%8F/@me\n");
    assert_asked(&script, "/reactions/%E2%9D%A4/@me\n");
    script_release(&script);
}
END_TEST

START_TEST(a_pin_is_tried_at_its_old_address_too)
{
    struct script script =
        run_kind(ERRAND_PIN, HEARD({"spacebar_threads_active", 404}, {"", 204}),
                 TURN_DONE);
    struct script gone = run_kind(
        ERRAND_PIN, HEARD({"discord_edit_no_message", 404}), TURN_FAILED);

    assert_asked(&script, "/messages/pins/1573718880000000001\n");
    assert_asked(&script, "500000000000000002/pins/1573718880000000001\n");
    assert_said(&gone, ERR_GONE, "deleted");
    script_release(&script);
    script_release(&gone);
}
END_TEST

/* ---- threads --------------------------------------------------------------
 */

START_TEST(a_thread_hangs_on_a_post_and_a_post_has_one)
{
    struct script made =
        run_kind(ERRAND_OPEN, HEARD({"discord_thread", 0}), TURN_DONE);
    struct script there =
        run_kind(ERRAND_OPEN, HEARD({"discord_thread_there", 400}), TURN_DONE);

    assert_asked(&made, "/messages/1573718880000000001/threads {\"name\":"
                        "\"**Round 2** begins.\",\"auto_archive_duration\":"
                        "10080}");
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
        ERRAND_OPEN,
        HEARD({"discord_thread_channel", 400}, {"discord_thread", 0},
              {"discord_channel_forum", 0}, {none, 0}, {"discord_thread", 0}),
        TURN_DONE);
    struct script found =
        run_kind(ERRAND_OPEN,
                 HEARD({"discord_thread_channel", 400}, {"discord_thread", 0},
                       {"discord_channel_forum", 0}, {"discord_threads", 0}),
                 TURN_DONE);

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

START_TEST(a_title_has_a_hundred_characters_at_most)
{
    struct errand errand = script_errand(ERRAND_OPEN);
    struct buf title = BUF_INIT;

    for (int i = 0; i < 120; i++) {
        buf_add_text(&title, "\xc3\xa9");
    }
    errand.text = buf_text(&title);
    struct script script =
        run(&errand, HEARD({"discord_thread", 0}), TURN_DONE);
    const char *at = strstr(buf_text(&script.asked), "\xc3\xa9");

    ck_assert_uint_eq(strspn(at, "\xc3\xa9"), 200);
    script_release(&script);
    buf_release(&title);
}
END_TEST

/* ---- addresses ------------------------------------------------------------
 */

START_TEST(links_lead_to_posts_places_and_talks)
{
    static const struct {
        const char *place, *post, *link;
    } links[] = {
        {PLACE, "81", "https://discord.com/channels/" PLACE "/81"},
        {PLACE, "", "https://discord.com/channels/" PLACE},
        {TALK, "81", "https://discord.com/channels/@me/" TALK "/81"},
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

START_TEST(the_channels_of_a_guild_are_in_one_digest_and_talks_in_none)
{
    struct buf digest = BUF_INIT;

    adapter_discord.digest(&script_service, TALK, &digest);
    ck_assert_uint_eq(digest.len, 0);
    adapter_discord.digest(&script_service, PLACE, &digest);
    ck_assert_str_eq(buf_text(&digest), "500000000000000001");
    buf_release(&digest);
}
END_TEST

/* Whatever was saved, or cut: a sentence, and nothing is asked. */
START_TEST(a_saved_id_that_is_none_is_told_as_such)
{
    static const enum errand_kind kinds[] = {
        ERRAND_READ,  ERRAND_SEND,   ERRAND_EDIT, ERRAND_FIND, ERRAND_OPEN,
        ERRAND_REACT, ERRAND_DELETE, ERRAND_PIN,  ERRAND_PROBE};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct errand errand = script_errand(kinds[i]);

        errand.place = errand.feed = "!room:hs.test";
        struct script script = run(&errand, NULL, 0, TURN_FAILED);

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
        without_the_message_content_intent_it_is_said_what_to_turn_on,
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
        whoever_opens_talks_too_fast_waits_for_minutes,
        a_limit_waits_as_long_as_the_body_says,
        a_page_of_what_stands_before_it_is_no_answer,
        a_letter_has_a_nonce_and_says_whom_it_rings,
        who_is_named_in_the_text_is_not_named_twice,
        a_private_message_goes_to_no_channel,
        a_picture_goes_with_its_post_and_says_what_it_shows,
        where_the_picture_can_not_be_had_the_post_goes_without,
        a_letter_is_found_by_its_nonce_or_by_its_text,
        what_was_said_before_the_letter_was_written_is_not_the_letter,
        an_edit_rings_nobody,
        a_thread_that_was_put_away_is_opened_again_for_an_edit,
        an_emoji_is_tried_in_both_its_forms,
        a_pin_is_tried_at_its_old_address_too,
        a_thread_hangs_on_a_post_and_a_post_has_one,
        from_a_thread_it_is_opened_beside_it,
        a_title_has_a_hundred_characters_at_most,
        links_lead_to_posts_places_and_talks,
        the_channels_of_a_guild_are_in_one_digest_and_talks_in_none,
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
