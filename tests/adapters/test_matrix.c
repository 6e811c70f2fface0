/*
 * The Matrix adapter, all but its reading: what it asks, and what it makes of
 * replies that Synapse gave.
 */
#include <stdio.h>

#include <check.h>

#include "bot/base/civil.h"
#include "tests/adapters/matrix_script.h"
#include "tests/support/fake_matrix.h"
#include "tests/support/runner.h"

static const char password[] = "a secret word";

static const struct service with_password = {
    .adapter = &adapter_matrix,
    .name = "matrix",
    .base = "https://hs.test",
    .user = "bot",
    .password = password,
    .self = "@bot:hs.test",
};

/* A message is sent, and is there. */
#define ARRIVED                                                                \
    {"sent", 0},                                                               \
    {                                                                          \
        "event_sent", 0                                                        \
    }

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

static unsigned
requests_of(const struct script *script)
{
    unsigned count = 0;

    for (const char *at = buf_text(&script->asked); *at != '\0'; at++) {
        count += *at == '\n';
    }
    return count;
}

static const char *
note_of(const struct script *script, const char *key)
{
    return adapter_states_find(script->out.states.list,
                               script->out.states.count, key);
}

/* ---- the account --------------------------------------------------------- */

START_TEST(a_token_says_whose_it_is_and_of_which_device)
{
    struct op op = script_op(OP_WHO);
    struct script script = run(&op, HEARD({"whoami", 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.asked),
                     "GET /_matrix/client/v3/account/whoami\n");
    ck_assert_str_eq(buf_text(&script.out.id), "@bot:hs.test");
    ck_assert_str_eq(note_of(&script, "device"), "TRRFTRKFJA");
    ck_assert_str_eq(note_of(&script, "secret.token"), "");
    script_release(&script);
}
END_TEST

START_TEST(a_password_is_asked_for_a_token_once)
{
    struct op op = script_op(OP_WHO);
    struct script script;

    script_begin(&script, &with_password, &op);
    ck_assert(!script.out.request.authorized);
    assert_asked(&script, "GET /_matrix/client/v3/login\n");
    script_answer(&script, &(struct scripted_reply){"login_flows", 0});
    ck_assert(!script.out.request.authorized);
    assert_asked(&script, "POST /_matrix/client/v3/login ");
    assert_asked(&script, "\"password\":\"a secret word\"");
    assert_asked(&script, "\"user\":\"bot\"");
    ck_assert(strstr(buf_text(&script.asked), "device_id") == NULL);
    script_answer(&script, &(struct scripted_reply){"login", 0});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_eq(note_of(&script, "secret.token"), "SECRET");
    ck_assert_str_eq(note_of(&script, "device"), "REMEMBERED");
    ck_assert_uint_eq(requests_of(&script), 2);
    script_release(&script);
}
END_TEST

START_TEST(a_token_that_is_no_more_is_asked_for_again_for_the_same_device)
{
    static const struct adapter_state states[] = {{"device", "REMEMBERED"},
                                                  {"secret.token", "syt_old"}};
    struct op op = script_op(OP_WHO);
    struct script script;

    op.states = states;
    op.state_count = 2;
    script_begin(&script, &with_password, &op);
    assert_asked(&script, "GET /_matrix/client/v3/account/whoami");
    ck_assert(script.out.request.authorized);
    script_answer(&script, &(struct scripted_reply){"unknown_token", 401});
    script_answer(&script, &(struct scripted_reply){"login_flows", 0});
    assert_asked(&script, "\"device_id\":\"REMEMBERED\"");
    script_answer(&script, &(struct scripted_reply){"login", 0});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_eq(note_of(&script, "secret.token"), "SECRET");
    /* What is as it was is not saved again. */
    ck_assert_uint_eq(script.out.states.count, 1);
    script_release(&script);
}
END_TEST

/* What is no homeserver, or one without passwords, is sent none. */
START_TEST(a_password_is_sent_to_a_homeserver_that_takes_it)
{
    static const struct {
        const char *what;
        int status;
        enum err err;
        const char *words;
    } others[] = {
        {"{\"flows\":[{\"type\":\"m.login.sso\"},7,{}]}", 200, ERR_DENIED,
         "has no log-in by password: give the host an access token"},
        {"unrecognized", 404, ERR_DENIED, "has no log-in by password"},
        {"{\"flows\":7}", 200, ERR_GARBLED, "not what was asked for"},
        {"<html>Welcome</html>", 200, ERR_GARBLED, "not what was asked for"},
        {"<html>404</html>", 404, ERR_GONE, "status 404"},
        {"<html>502</html>", 502, ERR_LATER, "status 502"},
    };
    struct op op = script_op(OP_WHO);

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct script script;

        script_run(&script, &with_password, &op,
                   HEARD({others[i].what, others[i].status}));
        assert_said(&script, others[i].err, others[i].words);
        ck_assert_ptr_null(strstr(buf_text(&script.asked), password));
        script_release(&script);
    }
}
END_TEST

START_TEST(a_wrong_password_and_a_dead_token_are_said)
{
    struct op op = script_op(OP_WHO);
    struct script script;

    script_run(&script, &with_password, &op,
               HEARD({"login_flows", 0}, {"login_limited", 0}));
    assert_said(&script, ERR_LIMITED, "may log in again in 6 minutes");
    ck_assert(strstr(buf_text(&script.why), "lift") == NULL);
    script_release(&script);
    script_run(&script, &with_password, &op,
               HEARD({"login_flows", 0}, {"login_refused", 403}));
    assert_said(&script, ERR_DENIED, "is the password right?");
    ck_assert(strstr(buf_text(&script.why), password) == NULL);
    script_release(&script);
    script = run(&op, HEARD({"unknown_token", 401}), ADVANCE_FAILED);
    assert_said(&script, ERR_DENIED, "not valid any more");
    script_release(&script);
}
END_TEST

START_TEST(a_token_too_long_to_be_kept_is_not_cut)
{
    struct op op = script_op(OP_WHO);
    struct script script;
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{\"user_id\":\"@bot:hs.test\",\"access_token\":\"");
    for (int i = 0; i < 300; i++) {
        buf_add_char(&body, 't');
    }
    buf_add_text(&body, "\"}");
    script_run(&script, &with_password, &op,
               HEARD({"login_flows", 0}, {buf_text(&body), 0}));
    assert_said(&script, ERR_GARBLED, "not what was asked for");
    script_release(&script);
    buf_release(&body);
}
END_TEST

/* ---- places -------------------------------------------------------------- */

static const struct {
    const char *address, *asked; /* NULL: no address */
} addresses[] = {
    {"#table:hs.test", "/join/%23table%3Ahs.test {}"},
    {"!abc:other.test",
     "/join/%21abc%3Aother.test?server_name=other.test&via=other.test {}"},
    {"!KduY3Su4-1gcxaG0CzMxDbfuyK4dgs8mz2cYKX7xAjo",
     "/join/%21KduY3Su4-1gcxaG0CzMxDbfuyK4dgs8mz2cYKX7xAjo {}"},
    {"https://matrix.to/#/#table:hs.test", "/join/%23table%3Ahs.test {}"},
    {"https://matrix.to/#/%23table%3Ahs.test", "/join/%23table%3Ahs.test {}"},
    {"https://matrix.to/#/!abc?via=one.test&via=two.test",
     "/join/%21abc?server_name=one.test&via=one.test {}"},
    {"https://matrix.to/#/!abc:hs.test/$post?via=one.test",
     "/join/%21abc%3Ahs.test?server_name=one.test&via=one.test {}"},
    {"https://matrix.to/#/@anna:hs.test", NULL},
    {"https://matrix.to/#/", NULL},
    {"https://example.org/room", NULL},
    {"table", NULL},
    {"#ta ble:hs.test", NULL},
    {"matrix:r/table:hs.test", "/join/%23table%3Ahs.test {}"},
    {"matrix:roomid/abc?via=one.test",
     "/join/%21abc?server_name=one.test&via=one.test {}"},
    {"matrix:roomid/abc:hs.test/e/post?via=one.test",
     "/join/%21abc%3Ahs.test?server_name=one.test&via=one.test {}"},
    {"https://matrix.to/#/%21abc%3Ahs.test/%24post",
     "/join/%21abc%3Ahs.test?server_name=hs.test&via=hs.test {}"},
    {"matrix:u/anna:hs.test", NULL},
    {"!abc%00", "/join/%21abc%2500 {}"},
    {"!%zz%", "/join/%21%25zz%25 {}"},
    {"https://matrix.to/#/!abc%00d", NULL},
    {"", NULL},
};

START_TEST(an_address_is_an_alias_an_id_or_a_link)
{
    struct op op = script_op(OP_PLACE);
    struct script script;

    op.text = addresses[_i].address;
    script_begin(&script, &script_service, &op);
    if (addresses[_i].asked == NULL) {
        assert_said(&script, ERR_CONFIG, "is no room");
    } else {
        assert_asked(&script, addresses[_i].asked);
    }
    script_release(&script);
}
END_TEST

START_TEST(a_room_is_entered_and_looked_at)
{
    struct op op = script_op(OP_PLACE);
    struct script script =
        run(&op, HEARD({"join", 0}, {"nothing", 404}, {"nothing", 404}),
            ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "!YVrBvWksYhEouISSDt:hs.test");
    assert_asked(&script, "%3Ahs.test/state/m.room.encryption\n");
    assert_asked(&script, "%3Ahs.test/state/m.room.tombstone\n");
    ck_assert_uint_eq(requests_of(&script), 3);
    ck_assert_uint_eq(script.out.advice.len, 0);
    script_release(&script);
}
END_TEST

START_TEST(a_room_that_was_upgraded_is_followed_where_the_new_one_says_so)
{
    struct op op = script_op(OP_PLACE);
    struct script script =
        run(&op,
            HEARD({"{\"room_id\":\"!JoaZggWvBKiWgchIFI:hs.test\"}", 0},
                  {"tombstone", 0}, {"join_replacement", 0},
                  {"create_replacement", 0}, {"tombstone_nothing", 0},
                  {"nothing", 0}),
            ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "!iwYGfeDuDOaVqkHvEW:hs.test");
    assert_asked(&script, "/join/%21iwYGfeDuDOaVqkHvEW%3Ahs.test?server_name="
                          "hs.test&via=hs.test {}");
    ck_assert_ptr_nonnull(strstr(buf_text(&script.out.advice),
                                 "!iwYGfeDuDOaVqkHvEW:hs.test: write that"));
    script_release(&script);
}
END_TEST

START_TEST(upgrades_that_go_round_in_a_circle_come_to_an_end)
{
    struct op op = script_op(OP_PLACE);
    struct script script;
    unsigned asked = 0;

    script_begin(&script, &script_service, &op);
    for (; script.advance == ADVANCE_REQUEST; asked++) {
        script_answer(&script,
                      &(struct scripted_reply){
                          "{\"room_id\":\"!a\",\"predecessor\":{"
                          "\"room_id\":\"!a\"},\"replacement_room\":\"!a\"}",
                          0});
        ck_assert_uint_lt(asked, ADVANCES_MAX - 1);
    }
    assert_said(&script, ERR_GONE, "was closed");
    script_release(&script);
}
END_TEST

static const struct {
    struct scripted_reply replies[4];
    size_t count;
    enum err err;
    const char *words;
} no_places[] = {
    {{{"join_refused", 403}, {"knock_refused", 0}},
     2,
     ERR_DENIED,
     "@bot:hs.test is not invited"},
    {{{"join_knock", 0}, {"knock", 0}},
     2,
     ERR_DENIED,
     "@bot:hs.test has asked to be let into #table:hs.test"},
    {{{"join_knock", 0}, {"limited", 429}}, 2, ERR_LIMITED, "Too Many"},
    {{{"join_unknown", 404}}, 1, ERR_GONE, "there is no room #table:hs.test"},
    {{{"join_kicked", 0}, {"knock_refused", 0}},
     2,
     ERR_DENIED,
     "@bot:hs.test is not invited"},
    {{{"join_banned", 0}}, 1, ERR_DENIED, "or banned there"},
    {{{"join", 0}, {"nothing", 404}, {"encryption", 0}},
     3,
     ERR_CONFIG,
     "is encrypted"},
    {{{"join", 0}, {"nothing", 404}, {"{}", 0}}, 3, ERR_CONFIG, "is encrypted"},
    {{{"join", 0},
      {"tombstone", 0},
      {"join_replacement_refused", 0},
      {"knock_refused", 0}},
     4,
     ERR_DENIED,
     "is not invited into the new one, !"},
    {{{"join", 0}, {"tombstone", 0}, {"join", 0}, {"create", 0}},
     4,
     ERR_GONE,
     "which does not say that it replaces it"},
    {{{"join", 0}, {"{\"body\":\"closed\"}", 0}},
     2,
     ERR_GONE,
     "nothing replaces it"},
    {{{"join", 0}, {"<html>404</html>", 404}}, 2, ERR_GONE, "status 404"},
};

START_TEST(a_room_that_can_not_be_used_is_refused_in_words)
{
    struct op op = script_op(OP_PLACE);
    struct script script =
        run(&op, no_places[_i].replies, no_places[_i].count, ADVANCE_FAILED);

    assert_said(&script, no_places[_i].err, no_places[_i].words);
    script_release(&script);
}
END_TEST

/* ---- people -------------------------------------------------------------- */

static const struct {
    const char *text;
    struct scripted_reply replies[2];
    size_t count;
    const char *id;    /* NULL: nobody */
    const char *shown; /* or what is said */
} people[] = {
    {"@anna:hs.test", {{"profile", 0}}, 1, "@anna:hs.test", "Anna"},
    {"https://matrix.to/#/%40anna%3Ahs.test",
     {{"profile", 0}},
     1,
     "@anna:hs.test",
     "Anna"},
    {"matrix:u/anna:hs.test", {{"profile", 0}}, 1, "@anna:hs.test", "Anna"},
    {"anna", {{"profile", 0}}, 1, "@anna:hs.test", "Anna"},
    {"Anna",
     {{"profile_nothing", 0}, {"directory_search", 0}},
     2,
     "@anna:hs.test",
     "Anna"},
    {"Anna Maria",
     {{"directory_search_nobody", 0}},
     1,
     NULL,
     "nobody is called \"Anna Maria\""},
    {"An", {{"profile_nothing", 0}, {"directory_search", 0}}, 2, NULL, "@name"},
    {"@nobody:hs.test", {{"profile_nothing", 0}}, 1, NULL, "nobody is called"},
    {"@anna", {{"directory_search_nobody", 0}}, 1, NULL, "@name:server"},
    {"@anna:elsewhere.test",
     {{"profile_elsewhere", 0}},
     1,
     "@anna:elsewhere.test",
     "@anna:elsewhere.test"},
};

START_TEST(a_person_is_found_by_an_id_a_link_or_a_name)
{
    struct op op = script_op(OP_USER);
    bool found = people[_i].id != NULL;

    op.text = people[_i].text;
    struct script script = run(&op, people[_i].replies, people[_i].count,
                               found ? ADVANCE_DONE : ADVANCE_FAILED);

    if (found) {
        ck_assert_str_eq(buf_text(&script.out.id), people[_i].id);
        ck_assert_str_eq(buf_text(&script.out.shown), people[_i].shown);
    } else {
        assert_said(&script, ERR_GONE, people[_i].shown);
    }
    script_release(&script);
}
END_TEST

/* ---- rights -------------------------------------------------------------- */

START_TEST(a_guest_is_told_what_to_change)
{
    struct op op = script_op(OP_PROBE);
    struct script script = run(&op, HEARD({"power_levels", 0}), ADVANCE_DONE);

    ck_assert_uint_eq(script.out.rights, RIGHT_READ | RIGHT_POST | RIGHT_EDIT |
                                             RIGHT_DM | RIGHT_REACT |
                                             RIGHT_UPLOAD);
    ck_assert_str_eq(
        buf_text(&script.out.advice),
        "Give @bot:hs.test the power level 50 in the room's settings (it has "
        "0), for what the host can't do yet: pin its status post, delete posts "
        "that break the silence. It hosts without that, too.\n");
    script_release(&script);
}
END_TEST

START_TEST(a_moderator_may_everything)
{
    struct op op = script_op(OP_PROBE);
    struct script script =
        run(&op, HEARD({"power_levels_moderator", 0}), ADVANCE_DONE);

    ck_assert_uint_eq(script.out.rights, RIGHT_READ | RIGHT_POST | RIGHT_EDIT |
                                             RIGHT_DM | RIGHT_REACT |
                                             RIGHT_DELETE | RIGHT_PIN |
                                             RIGHT_UPLOAD);
    ck_assert_str_eq(buf_text(&script.out.advice), "");
    script_release(&script);
}
END_TEST

/* Since version 12 of rooms creators have all power, and none of it stands in
 * the power levels. */
START_TEST(a_creator_may_everything_without_a_level)
{
    static const struct {
        const char *creation;
        bool all;
    } rooms[] = {
        {"create_event_12", true},
        {"create_event_12_additional", true},
        {"create_event_12_other", false},
        {"{\"sender\":\"@mod:hs.test\",\"content\":{\"additional_creators\":"
         "[7,\"@bot:hs.tes\",null]}}",
         false},
        {"{\"content\":{\"additional_creators\":\"@bot:hs.test\"}}", false},
        {"{\"room_version\":\"12\"}", false},
    };
    struct op op = script_op(OP_PROBE);

    op.place = "!TJZvfgPrWW7TmQErA95y5S2JqNSdcjdcfEUkiqVmffc";
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        struct script script =
            run(&op, HEARD({rooms[i].creation, 0}, {"power_levels_12_own", 0}),
                ADVANCE_DONE);
        bool pins = (script.out.rights & RIGHT_PIN) != 0;
        bool deletes = (script.out.rights & RIGHT_DELETE) != 0;

        assert_asked(&script, "/state/m.room.create?format=event\nGET ");
        ck_assert_msg(pins == rooms[i].all && deletes == rooms[i].all, "%s",
                      rooms[i].creation);
        ck_assert((script.out.advice.len == 0) == rooms[i].all);
        script_release(&script);
    }
}
END_TEST

/* ---- a room to host in --------------------------------------------------- */

START_TEST(a_room_to_host_in_is_made_without_encryption)
{
    struct op op = script_op(OP_MAKE);

    op.text = "Secret  Hitler \xe2\x80\x93 2!";
    struct script script =
        run(&op, HEARD({"create_hall", 0}, {"state_hall", 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "#secret-hitler-2:hs.test");
    assert_asked(&script, "\"preset\":\"public_chat\"");
    assert_asked(&script, "\"visibility\":\"private\"");
    assert_asked(&script, "\"join_rule\":\"invite\"");
    assert_asked(&script, "\"name\":\"Secret  Hitler");
    assert_asked(&script, "\"room_alias_name\":\"secret-hitler-2\"");
    ck_assert_ptr_null(strstr(buf_text(&script.asked), "creation_content"));
    ck_assert_ptr_null(strstr(buf_text(&script.asked), "power_level"));
    ck_assert_ptr_null(strstr(buf_text(&script.asked), "canonical_alias"));
    ck_assert_uint_eq(script.out.states.count, 0);
    script_release(&script);

    /* One whose name has no letter of ASCII has no alias; anybody enters. */
    op.text = "\xe5\xbb\xb3";
    op.everybody = true;
    script =
        run(&op, HEARD({"create_hall", 0}, {"state_hall", 0}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.id), "!fCuEMhHNVqCIpXzSfL:hs.test");
    assert_asked(&script, "\"join_rule\":\"public\"");
    ck_assert_ptr_null(strstr(buf_text(&script.asked), "room_alias_name"));
    script_release(&script);
}
END_TEST

START_TEST(a_room_that_is_there_or_encrypted_is_told)
{
    struct op op = script_op(OP_MAKE);

    op.text = "Secret Hitler";
    struct script script = run(&op, HEARD({"hall_in_use", 0}), ADVANCE_FAILED);

    assert_said(&script, ERR_FULL,
                "there is a room #secret-hitler:hs.test already");
    script_release(&script);

    /* It is left, and its alias is free again. */
    script = run(
        &op,
        HEARD({"create_hall", 0}, {"state_encrypted", 0}, {"{}", 0}, {"{}", 0}),
        ADVANCE_FAILED);
    assert_asked(&script, "DELETE /_matrix/client/v3/directory/room/"
                          "%23secret-hitler%3Ahs.test\nPOST ");
    assert_asked(&script, "/leave {}\n");
    assert_said(&script, ERR_DENIED, "encrypts every room");
    script_release(&script);
}
END_TEST

START_TEST(a_moderator_is_invited_with_their_power)
{
    struct op op = script_op(OP_APPOINT);

    op.user = "@mod:hs.test";
    struct script script =
        run(&op,
            HEARD({"invite_moderator", 0}, {"power_levels_hall", 0},
                  {"power_levels_set", 0}),
            ADVANCE_DONE);

    assert_asked(&script, "/invite {\"user_id\":\"@mod:hs.test\"}\n");
    assert_asked(&script, "PUT /_matrix/client/v3/rooms/%21room%3Ahs.test/"
                          "state/m.room.power_levels {");
    assert_asked(&script, "\"@bot:hs.test\":100");
    assert_asked(&script, "\"@mod:hs.test\":50");
    assert_asked(&script, "\"m.room.encryption\":100");
    assert_asked(&script, "\"state_default\":50");
    script_release(&script);

    /* Where the creators' power stands nowhere, it is not written either. */
    script = run(&op,
                 HEARD({"invite_moderator", 0}, {"power_levels_12_own", 0},
                       {"power_levels_12_set", 0}),
                 ADVANCE_DONE);
    ck_assert_ptr_null(strstr(buf_text(&script.asked), "@bot:hs.test"));
    assert_asked(&script, "\"@mod:hs.test\":50");
    script_release(&script);

    /* Who is there can't be invited; who has more power keeps it. */
    op.user = "@bot:hs.test";
    script = run(&op, HEARD({"invite_joined", 0}, {"power_levels_hall", 0}),
                 ADVANCE_DONE);
    script_release(&script);
    op.user = "@anna:hs.test";
    script = run(&op, HEARD({"invite_blocked", 0}), ADVANCE_FAILED);
    script_release(&script);
}
END_TEST

/* ---- a log-in by a browser ----------------------------------------------- */

#define METADATA                                                               \
    "{\"token_endpoint\":\"https://account.hs.test/token\","                   \
    "\"registration_endpoint\":\"https://account.hs.test/register\","          \
    "\"device_authorization_endpoint\":\"https://account.hs.test/device\","    \
    "\"grant_types_supported\":[\"refresh_token\","                            \
    "\"urn:ietf:params:oauth:grant-type:device_code\"]}"
#define TOKENS                                                                 \
    "{\"access_token\":\"mat_2\",\"token_type\":\"Bearer\","                   \
    "\"expires_in\":300,\"refresh_token\":\"mar_2\"}"

static const struct service with_grant = {
    .adapter = &adapter_matrix,
    .name = "matrix",
    .base = "https://hs.test",
    .user = "@bot:hs.test",
    .password = "device-grant CLIENT DEVICE mar_1",
};

static void
keep(struct adapter_states *states, const struct script *script)
{
    for (unsigned i = 0; i < script->out.states.count; i++) {
        ck_assert(adapter_states_set(states, script->out.states.list[i].key,
                                     script->out.states.list[i].value));
    }
}

/* Ask who it is, and renew the token with that reply. */
static struct script
renew(const struct adapter_states *states, int64_t now,
      const struct scripted_reply *answer)
{
    struct op op = script_op(OP_WHO);
    struct script script;

    op.states = states->list;
    op.state_count = states->count;
    op.now = now;
    script_begin(&script, &with_grant, &op);
    ck_assert(!script.out.request.authorized);
    assert_asked(&script, "GET /_matrix/client/v1/auth_metadata");
    script_answer(&script, &(struct scripted_reply){METADATA, 0});
    ck_assert(!script.out.request.authorized);
    script_answer(&script, answer);
    return script;
}

/* The first time. */
static void
log_in_by_grant(struct adapter_states *states, int64_t now)
{
    struct script script =
        renew(states, now, &(struct scripted_reply){TOKENS, 0});

    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    assert_asked(
        &script,
        "POST https://account.hs.test/token grant_type=refresh_token&refresh_token=mar_1&"
        "client_id=CLIENT");
    ck_assert_str_eq(buf_text(&script.out.id), "@bot:hs.test");
    ck_assert_int_eq(script.out.wait, 4 * MINUTE_MS);
    keep(states, &script);
    script_release(&script);
    ck_assert_str_eq(adapter_states_find(states->list, states->count, "device"),
                     "DEVICE");
}

/* Begin with such states. */
static struct script
ask_who(const struct service *service, const struct adapter_states *states,
        int64_t now, bool guest)
{
    struct op op = script_op(OP_WHO);
    struct script script;

    op.states = states->list;
    op.state_count = states->count;
    op.now = now;
    op.guest = guest;
    script_begin(&script, service, &op);
    return script;
}

#define THEN INT64_C(1795276000000)

START_TEST(a_token_of_a_browsers_log_in_is_renewed_in_time)
{
    struct adapter_states states = {.count = 0};
    struct script script;

    log_in_by_grant(&states, THEN);
    /* With what came last, not with the file's. */
    script = renew(&states, THEN + 4 * MINUTE_MS,
                   &(struct scripted_reply){"{\"error\":\"busy\"}", 503});
    ck_assert_int_eq(script.out.err, ERR_LATER);
    assert_asked(&script, "refresh_token=mar_2&");
    script_release(&script);
    script =
        renew(&states, THEN + 5 * MINUTE_MS,
              &(struct scripted_reply){"{\"error\":\"invalid_grant\"}", 400});
    ck_assert_int_eq(script.out.err, ERR_DENIED);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.why), "the host was logged out"));
    ck_assert_ptr_null(strstr(buf_text(&script.why), "mar_"));
    script_release(&script);
    adapter_states_release(&states);
}
END_TEST

START_TEST(another_log_in_in_the_file_is_the_newest)
{
    struct adapter_states states = {.count = 0};
    struct service other = with_grant;

    log_in_by_grant(&states, THEN);
    other.password = "device-grant OTHER DEVICE-2 mar_9";
    struct script script = ask_who(&other, &states, THEN + 1, false);

    script_answer(&script, &(struct scripted_reply){METADATA, 0});
    assert_asked(&script, "refresh_token=mar_9&client_id=OTHER");
    script_release(&script);
    adapter_states_release(&states);
}
END_TEST

/* Two programs with one log-in would log each other out. */
START_TEST(what_a_running_host_is_logged_in_by_is_not_renewed_by_others)
{
    struct adapter_states states = {.count = 0};

    log_in_by_grant(&states, THEN);
    struct script script = ask_who(&with_grant, &states, THEN + HOUR_MS, true);

    assert_asked(&script, "GET /_matrix/client/v3/account/whoami");
    script_answer(&script, &(struct scripted_reply){"unknown_token", 401});
    ck_assert_int_eq(script.advance, ADVANCE_FAILED);
    ck_assert_uint_eq(requests_of(&script), 1);
    script_release(&script);
    script = ask_who(&with_grant, &states, THEN, true);
    script_answer(&script, &(struct scripted_reply){"whoami", 0});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);
    adapter_states_release(&states);
}
END_TEST

/* ---- which homeserver ---------------------------------------------------- */

static const struct {
    struct scripted_reply replies[3];
    size_t count;
    enum advance end;
    const char *told; /* the base, or what is said */
} sites[] = {
    {{{"{\"m.homeserver\":{\"base_url\":\"https://hs.test/\"}}", 0},
      {"versions", 0},
      {"auth_metadata_none", 404}},
     3,
     ADVANCE_DONE,
     "https://hs.test"},
    {{{"<html>404</html>", 404}, {"versions", 0}, {"<html>404</html>", 404}},
     3,
     ADVANCE_DONE,
     "https://hs.test"},
    {{{"well_known", 0}}, 1, ADVANCE_DONE, "http://127.0.0.1"},
    {{{"<html>404</html>", 404}, {"<html>404</html>", 404}},
     2,
     ADVANCE_FAILED,
     "there is no homeserver at https://hs.test"},
    {{{"<html>Welcome</html>", 200}, {"<html>Welcome</html>", 200}},
     2,
     ADVANCE_FAILED,
     "there is no homeserver at https://hs.test"},
    {{{"{\"m.homeserver\":7}", 0}, {"{\"versions\":\"all\"}", 0}},
     2,
     ADVANCE_FAILED,
     "there is no homeserver at https://hs.test"},
    {{{NULL, 0}}, 1, ADVANCE_FAILED, "cut off"},
};

START_TEST(an_address_stands_for_a_homeserver_or_for_none)
{
    struct op op = script_op(OP_SITE);
    struct script script =
        run(&op, sites[_i].replies, sites[_i].count, sites[_i].end);

    if (sites[_i].end == ADVANCE_DONE) {
        ck_assert_str_eq(buf_text(&script.out.id), sites[_i].told);
    } else {
        ck_assert_ptr_nonnull(strstr(buf_text(&script.why), sites[_i].told));
    }
    script_release(&script);
}
END_TEST

START_TEST(a_closed_room_and_odd_levels_are_told)
{
    struct op op = script_op(OP_PROBE);
    struct script script =
        run(&op, HEARD({"state_refused", 403}), ADVANCE_DONE);
    ck_assert_uint_eq(script.out.rights, 0);
    ck_assert_str_eq(buf_text(&script.out.advice),
                     "Invite @bot:hs.test into the room.\n");
    script_release(&script);

    /* Old rooms have levels as text; what is missing has its default. */
    script = run(&op,
                 HEARD({"{\"users\":{\"@bot:hs.test\":\"40\"},\"events\":"
                        "{\"m.room.message\":\"30\",\"m.reaction\":\"41\"},"
                        "\"redact\":[]}",
                        0}),
                 ADVANCE_DONE);
    ck_assert_uint_eq(script.out.rights, RIGHT_READ | RIGHT_POST | RIGHT_EDIT |
                                             RIGHT_DM | RIGHT_UPLOAD);
    script_release(&script);

    script = run(&op, HEARD({"{\"events_default\":50,\"redact\":0}", 0}),
                 ADVANCE_DONE);
    ck_assert_uint_eq(script.out.rights, RIGHT_READ | RIGHT_DM | RIGHT_UPLOAD);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.out.advice),
                                 "can't do yet: write. Without that it can't "
                                 "host there.\n"));
    script_release(&script);
}
END_TEST

/* ---- DMs ------------------------------------------------------- */

START_TEST(a_dm_is_made_private_for_one_user)
{
    struct op op = script_op(OP_DM);
    struct script script = run(&op,
                               HEARD({"directory_nothing", 404}, {"profile", 0},
                                     {"create_room", 0}, {"state_invited", 0}),
                               ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "!JyTVrPDGzDGNyMBlgt:hs.test");
    assert_asked(&script, "GET /_matrix/client/v3/directory/room/"
                          "%23placard_");
    assert_asked(&script, "GET /_matrix/client/v3/profile/%40anna%3Ahs.test\n");
    assert_asked(&script, "\"preset\":\"private_chat\"");
    assert_asked(&script, "\"invite\":[\"@anna:hs.test\"]");
    assert_asked(&script, "{\"invite\":100}");
    assert_asked(&script, "\"is_direct\":true");
    assert_asked(&script, "\"topic\":\"<strong>Round 2</strong> begins.\"");
    assert_asked(&script, "{\"org.placard.talk\":\"@anna:hs.test\"}");
    assert_asked(&script, "\"m.room.canonical_alias\",\"state_key\":\"\","
                          "\"content\":{}");
    script_release(&script);
}
END_TEST

START_TEST(a_dm_that_is_there_is_found_and_left_as_it_is)
{
    struct op op = script_op(OP_DM);
    struct script script =
        run(&op, HEARD({"directory", 0}, {"state_joined", 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "!JyTVrPDGzDGNyMBlgt:hs.test");
    ck_assert_uint_eq(requests_of(&script), 2);
    script_release(&script);
}
END_TEST

START_TEST(who_has_left_a_dm_is_asked_in_again)
{
    struct op op = script_op(OP_DM);
    struct script script = run(
        &op, HEARD({"directory", 0}, {"state_left", 0}, {"invited_again", 0}),
        ADVANCE_DONE);

    assert_asked(&script, "/invite {\"user_id\":\"@anna:hs.test\"}");
    script_release(&script);
}
END_TEST

START_TEST(a_room_that_was_made_meanwhile_is_the_dm)
{
    struct op op = script_op(OP_DM);
    struct script script =
        run(&op,
            HEARD({"directory_nothing", 404}, {"profile", 0},
                  {"room_in_use", 400}, {"directory", 0}, {"state_invited", 0}),
            ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "!JyTVrPDGzDGNyMBlgt:hs.test");
    script_release(&script);
}
END_TEST

START_TEST(nobody_is_asked_in_who_is_not_there)
{
    struct op op = script_op(OP_DM);
    struct script script =
        run(&op, HEARD({"directory_nothing", 404}, {"profile_nothing", 404}),
            ADVANCE_FAILED);

    assert_said(&script, ERR_GONE, "there is no user @anna:hs.test");
    script_release(&script);
}
END_TEST

START_TEST(a_room_that_the_server_encrypts_is_given_up_for_one_that_is_not)
{
    struct op op = script_op(OP_DM);
    struct script script =
        run(&op,
            HEARD({"directory_nothing", 404}, {"profile", 0},
                  {"create_room", 0}, {"state_encrypted", 0}, {"{}", 0},
                  {"{}", 0}, {"{}", 0}, {"create_room", 0}),
            ADVANCE_REQUEST);

    assert_asked(&script, "/kick {\"user_id\":\"@anna:hs.test\"}\n"
                          "DELETE /_matrix/client/v3/directory/room/");
    assert_asked(&script, "/leave {}\nPOST /_matrix/client/v3/createRoom "
                          "{\"preset\":\"public_chat\"");
    script_answer(&script, &(struct scripted_reply){"state_invited", 0});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_eq(note_of(&script, "unlisted"), "yes");
    script_release(&script);
}
END_TEST

START_TEST(a_server_that_encrypts_every_room_is_told)
{
    static const struct adapter_state states[] = {{"unlisted", "yes"}};
    struct op op = script_op(OP_DM);

    op.states = states;
    op.state_count = 1;
    struct script script =
        run(&op,
            HEARD({"directory_nothing", 404}, {"profile", 0},
                  {"create_room", 0}, {"state_encrypted", 0}),
            ADVANCE_FAILED);

    assert_asked(&script, "{\"preset\":\"public_chat\"");
    assert_said(&script, ERR_DENIED, "encrypts every room");
    script_release(&script);
}
END_TEST

static const char *const no_dms[] = {
    /* A third person; somebody else's talk; a room that others may enter. */
    "[{\"type\":\"m.room.create\",\"state_key\":\"\",\"content\":"
    "{\"org.placard.talk\":\"@anna:hs.test\"}},{\"type\":\"m.room.join_rules\","
    "\"state_key\":\"\",\"content\":{\"join_rule\":\"invite\"}},{\"type\":"
    "\"m.room.member\",\"state_key\":\"@eve:hs.test\",\"content\":"
    "{\"membership\":\"invite\"}}]",
    "[{\"type\":\"m.room.create\",\"state_key\":\"\",\"content\":"
    "{\"org.placard.talk\":\"@eve:hs.test\"}},{\"type\":\"m.room.join_rules\","
    "\"state_key\":\"\",\"content\":{\"join_rule\":\"invite\"}}]",
    "[{\"type\":\"m.room.create\",\"state_key\":\"\",\"content\":"
    "{\"org.placard.talk\":\"@anna:hs.test\"}},{\"type\":\"m.room.join_rules\","
    "\"state_key\":\"\",\"content\":{\"join_rule\":\"public\"}}]",
    "[]",
    "[7,null,{},[],{\"type\":\"m.room.member\"}]",
};

START_TEST(a_room_that_is_not_private_is_no_dm)
{
    struct op op = script_op(OP_DM);
    struct script script =
        run(&op, HEARD({"directory", 0}, {no_dms[_i], 0}), ADVANCE_FAILED);

    assert_said(&script, ERR_DENIED, "is not private");
    script_release(&script);
}
END_TEST

START_TEST(a_dm_in_which_the_bot_is_not_is_made_anew)
{
    struct op op = script_op(OP_DM);
    struct script script = run(&op,
                               HEARD({"directory", 0}, {"state_refused", 403},
                                     {"{}", 0}, {"state_refused", 403},
                                     {"create_room", 0}, {"state_invited", 0}),
                               ADVANCE_DONE);

    assert_asked(&script, "DELETE /_matrix/client/v3/directory/room/");
    script_release(&script);
}
END_TEST

/* Carry a request of the operation to a homeserver, or lose what it answers. */
static void
carry(struct script *script, struct homeserver *server, bool lost)
{
    struct buf body = BUF_INIT;
    struct reply reply;

    homeserver_serve(server, 5000, &script->out.request, &body, &reply);
    if (lost) {
        script_reply(script, 0, "", 0);
    } else {
        script_reply(script, reply.status, reply.body, reply.len);
    }
    buf_release(&body);
}

START_TEST(a_lost_reply_never_makes_a_second_room)
{
    struct homeserver *server = homeserver_new();
    struct service service = script_service;
    struct op op = script_op(OP_DM);
    struct script script;
    unsigned losses = 0;

    snprintf(service.self, sizeof(service.self), "@placard:hs.test");
    do {
        script_begin(&script, &service, &op);
        for (unsigned i = 0; script.advance == ADVANCE_REQUEST; i++) {
            carry(&script, server, i == losses);
        }
        ck_assert_uint_le(homeserver_dms(server), 1);
        losses++;
    } while (script.advance == ADVANCE_FAILED &&
             (script_release(&script), losses < 20));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(homeserver_dms(server), 1);
    /* The lookup, the profile, the making and the look at what was made. */
    ck_assert_uint_ge(losses, 3);
    script_release(&script);
    homeserver_free(server);
}
END_TEST

START_TEST(an_alias_is_told_by_none_who_does_not_know_the_device)
{
    static const struct adapter_state states[] = {{"device", "ONE"},
                                                  {"device", "TWO"}};
    struct op op = script_op(OP_DM);
    struct script one;
    struct script two;

    op.state_count = 1;
    op.states = &states[0];
    script_begin(&one, &script_service, &op);
    op.states = &states[1];
    script_begin(&two, &script_service, &op);
    ck_assert_str_ne(buf_text(&one.asked), buf_text(&two.asked));
    ck_assert(strstr(buf_text(&one.asked), "anna") == NULL);
    script_release(&one);
    script_release(&two);
}
END_TEST

/* ---- messages ------------------------------------------------------------ */

START_TEST(a_post_has_its_words_with_and_without_marks)
{
    struct op op = script_op(OP_SEND);
    struct script script = run(&op, HEARD(ARRIVED), ADVANCE_DONE);

    ck_assert_str_eq(
        buf_text(&script.asked),
        "PUT /_matrix/client/v3/rooms/%21room%3Ahs.test/send/m.room.message/"
        "m.a1b2.31 {\"msgtype\":\"m.notice\",\"body\":\"Round 2 begins.\","
        "\"format\":\"org.matrix.custom.html\",\"formatted_body\":"
        "\"<strong>Round 2</strong> begins.\",\"m.mentions\":{}}\n"
        "GET /_matrix/client/v3/rooms/%21room%3Ahs.test/event/"
        "%24DnTMjFL-iLIWCPywsADb8IG5nhBQ8C4f7wn9pnCrFvY\n");
    ck_assert_uint_gt(script.out.id.len, 10);
    ck_assert(!script.out.unseen);
    script_release(&script);
}
END_TEST

START_TEST(a_post_that_pings_is_no_notice)
{
    static const char *const users[] = {"@anna:hs.test", "@ben:hs.test"};
    struct op op = script_op(OP_SEND);

    op.pings = (struct pings){users, 2, false, NULL};
    struct script script = run(&op, HEARD(ARRIVED), ADVANCE_DONE);

    assert_asked(&script, "\"msgtype\":\"m.text\"");
    assert_asked(&script, "\"m.mentions\":{\"user_ids\":[\"@anna:hs.test\","
                          "\"@ben:hs.test\"]}");
    script_release(&script);
    op.pings = (struct pings){NULL, 0, true, NULL};
    script = run(&op, HEARD(ARRIVED), ADVANCE_DONE);
    assert_asked(&script, "\"m.mentions\":{\"room\":true}");
    script_release(&script);
}
END_TEST

static struct op
private_message(void)
{
    struct op op = script_op(OP_SEND);

    op.dm = true;
    op.text = "You are Hitler.";
    return op;
}

/* A shadow-banned account is told that all is well (Synapse). */
START_TEST(a_message_that_the_room_does_not_have_was_not_sent)
{
    struct op op = script_op(OP_SEND);
    op.now = 5;
    struct script script =
        run(&op,
            HEARD({"sent_swallowed", 0}, {"event_swallowed", 0},
                  {"sent_swallowed", 0}, {"event_swallowed", 0}),
            ADVANCE_FAILED);

    ck_assert_int_eq(script.out.err, ERR_DENIED);
    ck_assert_int_eq(script.out.refused, REFUSED_WRITING);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.why), "shadow-banned"));
    script_release(&script);
    /* Once it may write the server still has its old answer to the first. */
    script =
        run(&op, HEARD({"sent_swallowed", 0}, {"event_swallowed", 0}, ARRIVED),
            ADVANCE_DONE);
    assert_asked(&script, "/send/m.room.message/m.a1b2.31 {");
    assert_asked(&script, "/send/m.room.message/m.a1b2.31~5 {");
    script_release(&script);
}
END_TEST

/* If it can't be told (the host was put out meanwhile), the reply counts. */
START_TEST(whether_a_message_is_there_can_be_unknown)
{
    struct op op = script_op(OP_SEND);
    struct script script =
        run(&op, HEARD({"sent", 0}, {"messages_refused", 403}), ADVANCE_DONE);

    ck_assert_uint_gt(script.out.id.len, 0);
    script_release(&script);
}
END_TEST

START_TEST(nothing_private_is_sent_before_the_members_were_looked_at)
{
    struct op op = private_message();
    struct script script;

    script_begin(&script, &script_service, &op);
    ck_assert_str_eq(buf_text(&script.asked),
                     "GET /_matrix/client/v3/rooms/%21room%3Ahs.test/members"
                     "?not_membership=leave\n");
    script_answer(&script, &(struct scripted_reply){"members_joined", 0});
    assert_asked(&script,
                 "\"msgtype\":\"m.text\",\"body\":\"You are Hitler.\"");
    script_answer(&script, &(struct scripted_reply){"sent", 0});
    script_answer(&script, &(struct scripted_reply){"event_sent", 0});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert(!script.out.unseen);
    script_release(&script);
}
END_TEST

START_TEST(a_private_message_with_a_third_person_there_is_not_sent)
{
    struct op op = private_message();
    struct script script =
        run(&op, HEARD({"members_three", 0}), ADVANCE_FAILED);

    assert_said(&script, ERR_DENIED, "is not private");
    ck_assert(strstr(buf_text(&script.asked), "Hitler") == NULL);
    script_release(&script);
}
END_TEST

START_TEST(a_message_to_who_has_not_come_is_unseen)
{
    struct op op = private_message();
    struct script script =
        run(&op, HEARD({"members_invited", 0}, ARRIVED), ADVANCE_DONE);

    ck_assert(script.out.unseen);
    script_release(&script);
}
END_TEST

START_TEST(who_has_left_is_asked_in_again_before_the_message)
{
    struct op op = private_message();
    struct script script =
        run(&op, HEARD({"members_left", 0}, {"invited_again", 0}, ARRIVED),
            ADVANCE_DONE);

    assert_asked(&script, "/invite {\"user_id\":\"@anna:hs.test\"}\nPUT ");
    ck_assert(script.out.unseen);
    script_release(&script);
    /* Who takes no invitations finds the message there, if ever. */
    script =
        run(&op, HEARD({"members_left", 0}, {"state_refused", 403}, ARRIVED),
            ADVANCE_DONE);
    ck_assert(script.out.unseen);
    script_release(&script);
}
END_TEST

START_TEST(a_dm_that_the_bot_is_not_in_is_gone)
{
    struct op op = private_message();
    struct script script =
        run(&op, HEARD({"members_refused", 403}), ADVANCE_FAILED);

    assert_said(&script, ERR_GONE, "not in its DM");
    script_release(&script);
}
END_TEST

START_TEST(a_picture_follows_its_post)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0};
    struct op op = script_op(OP_SEND);

    op.picture =
        (struct picture){png, sizeof(png), 640, 480, "The board", NULL};
    struct script script =
        run(&op, HEARD(ARRIVED, {"upload", 0}), ADVANCE_REQUEST);

    assert_asked(&script, "/send/m.room.message/m.a1b2.31 ");
    assert_asked(&script, "POST /_matrix/media/v3/upload?filename=board.png");
    assert_asked(&script, "/send/m.room.message/i.a1b2.31 "
                          "{\"msgtype\":\"m.image\",\"url\":\"mxc://");
    assert_asked(&script, "\"body\":\"The board\"");
    assert_asked(&script, "\"size\":5,\"w\":640,\"h\":480}");
    script_answer(&script,
                  &(struct scripted_reply){"{\"event_id\":\"$picture\"}", 0});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_ne(buf_text(&script.out.id), "$picture");
    script_release(&script);
    /* Without it the post still stands. */
    script = run(&op, HEARD(ARRIVED, {"upload_too_large", 413}), ADVANCE_DONE);
    ck_assert(script.out.unpictured);
    ck_assert_str_eq(buf_text(&script.out.shown), "HTTP 413");
    script_release(&script);
    script = run(&op, HEARD(ARRIVED, {"{}", 400}), ADVANCE_DONE);
    script_release(&script);
    /* A server in trouble may take the next. */
    script = run(&op, HEARD(ARRIVED, {"{}", 502}), ADVANCE_DONE);
    ck_assert(!script.out.unpictured);
    script_release(&script);
    script = run(&op, HEARD(ARRIVED, {"{}", 0}), ADVANCE_DONE);
    script_release(&script);
    script = run(&op, HEARD(ARRIVED, {"upload", 0}, {"{}", 403}), ADVANCE_DONE);
    script_release(&script);
    /* But it is worth a second try. */
    script = run(&op, HEARD(ARRIVED, {"limited", 429}), ADVANCE_FAILED);
    ck_assert_int_eq(script.out.err, ERR_LIMITED);
    script_release(&script);
    script = run(&op, HEARD(ARRIVED, {NULL, 0}), ADVANCE_FAILED);
    assert_said(&script, ERR_LATER, "no answer");
    script_release(&script);
}
END_TEST

START_TEST(a_page_follows_its_post_as_a_file)
{
    static const unsigned char html[] = "<!DOCTYPE html>";
    struct op op = script_op(OP_SEND);

    op.picture =
        (struct picture){html, sizeof(html) - 1, 0, 0, "", "table-14.html"};
    struct script script =
        run(&op, HEARD(ARRIVED, {"upload", 0}, {"sent", 0}), ADVANCE_DONE);

    assert_asked(&script, "upload?filename=table-14.html");
    assert_asked(&script, "{\"msgtype\":\"m.file\",\"url\":\"mxc://");
    assert_asked(&script, "\"body\":\"table-14.html\"");
    assert_asked(&script, "\"info\":{\"mimetype\":\"text/html\",\"size\":15}");
    script_release(&script);
}
END_TEST

START_TEST(a_picture_reaches_the_room_with_its_size_and_its_words)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0, 1, 2};
    struct homeserver *server = homeserver_new();
    struct service service = script_service;
    struct op place = {.kind = OP_PLACE, .text = HOMESERVER_ROOM};
    struct op op = script_op(OP_SEND);
    struct script script;
    struct buf room = BUF_INIT;

    snprintf(service.self, sizeof(service.self), "@placard:hs.test");
    script_begin(&script, &service, &place);
    while (script.advance == ADVANCE_REQUEST) {
        carry(&script, server, false);
    }
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    buf_add_buf(&room, &script.out.id);
    script_release(&script);
    op.place = buf_text(&room);
    op.picture = (struct picture){
        png, sizeof(png), 720, 944, "The board: “L” 1 of 5", NULL};
    script_begin(&script, &service, &op);
    while (script.advance == ADVANCE_REQUEST) {
        carry(&script, server, false);
    }
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(homeserver_upload(server), sizeof(png));
    ck_assert_ptr_nonnull(homeserver_message(server, "m.notice"));
    const char *image = homeserver_message(server, "m.image");
    ck_assert_ptr_nonnull(image);
    ck_assert_ptr_nonnull(strstr(image, "mxc:\\/\\/hs.test\\/board"));
    ck_assert_ptr_nonnull(strstr(image, "The board: “L” 1 of 5"));
    ck_assert_ptr_nonnull(strstr(image, "\"size\": 7, \"w\": 720, \"h\": 944"));
    buf_release(&room);
    script_release(&script);
    homeserver_free(server);
}
END_TEST

#define SENT(id, transaction, text)                                            \
    "{\"event_id\":\"" id "\",\"sender\":\"@bot:hs.test\","                    \
    "\"origin_server_ts\":2000000,\"unsigned\":{" transaction                  \
    "},\"content\":{\"formatted_body\":\"" text "\"}}"
#define BY(transaction) "\"transaction_id\":\"" transaction "\""

static const struct {
    const char *chunk, *end, *found;
} findings[] = {
    /* By the key, whatever it says; not by another's. */
    {SENT("$1", BY("m.a1b2.31"), "other"), "", "$1"},
    {SENT("$1", BY("m.a1b2.31~5"), "other"), "", "$1"},
    {SENT("$1", BY("m.a1b2.312"), "<strong>Round 2</strong> begins."), "", ""},
    {SENT("$1", BY("m.a1b2.32"), "<strong>Round 2</strong> begins."), "", ""},
    {SENT("$1", BY("e.a1b2.31"), "<strong>Round 2</strong> begins."), "", ""},
    /* By the text where the key is forgotten, but sooner by the key. */
    {SENT("$1", "", "<strong>Round 2</strong> begins."), "", "$1"},
    {SENT("$1", "", "<strong>Round 2</strong> begins.") "," SENT(
         "$2", BY("m.a1b2.31"), "other"),
     "", "$2"},
    {SENT("$1", "", "other"), "", ""},
    {"7,null,{},{\"event_id\":\"$1\"}", "", ""},
    {"", ",\"end\":\"t1\"", ""},
};

START_TEST(a_message_that_was_sent_is_found)
{
    struct op op = script_op(OP_FIND);
    struct buf body = BUF_INIT;

    buf_addf(&body, "{\"chunk\":[%s]%s}", findings[_i].chunk, findings[_i].end);
    struct script script = run(&op, HEARD({buf_text(&body), 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), findings[_i].found);
    assert_asked(&script, "/messages?dir=b&limit=100&filter=");
    script_release(&script);
    buf_release(&body);
}
END_TEST

START_TEST(of_messages_with_the_same_text_each_is_another_post)
{
    struct op op = script_op(OP_FIND);
    const char *two =
        "{\"chunk\":[" SENT("$2", "", "<strong>Round 2</strong> begins.") "," SENT(
            "$1", "", "<strong>Round 2</strong> begins.") "]}";
    const char *keyed = "{\"chunk\":[" SENT("$1", BY("m.a1b2.31"), "x") "]}";

    op.others = "$10\n$1\n";
    struct script script = run(&op, HEARD({two, 0}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.id), "$2");
    script_release(&script);
    op.others = "$1\n$2\n";
    script = run(&op, HEARD({two, 0}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.id), "");
    script_release(&script);
    script = run(&op, HEARD({keyed, 0}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.id), "$1");
    script_release(&script);
}
END_TEST

/* Also of a message that is found: is its reader there? */
START_TEST(a_message_that_is_found_in_a_dm_may_be_unseen)
{
    struct op op = private_message();
    const char *found = "{\"chunk\":[" SENT("$1", BY("m.a1b2.31"), "x") "]}";
    const char *other = "{\"chunk\":[" SENT("$1", "", "other") "]}";

    op.kind = OP_FIND;
    struct script script =
        run(&op, HEARD({found, 0}, {"members_invited", 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.id), "$1");
    ck_assert(script.out.unseen);
    script_release(&script);
    script = run(&op, HEARD({found, 0}, {"members_joined", 0}), ADVANCE_DONE);
    ck_assert(!script.out.unseen);
    script_release(&script);
    script = run(&op, HEARD({other, 0}), ADVANCE_DONE);
    ck_assert(!script.out.unseen);
    script_release(&script);
}
END_TEST

START_TEST(nothing_is_looked_for_before_it_was_written)
{
    struct op op = script_op(OP_FIND);
    const char *body =
        "{\"chunk\":[" SENT("$1", "", "other") "],\"end\":\"t1\"}";

    op.since = 0;
    struct script script = run(&op, HEARD({body, 0}), ADVANCE_DONE);

    ck_assert_str_eq(buf_text(&script.out.cursor), "t1");
    script_release(&script);
    op.cursor = "t1";
    script = run(&op, HEARD({body, 0}), ADVANCE_DONE);
    assert_asked(&script, "dir=b&from=t1&limit=100");
    /* A server that gives the same page again has no older one. */
    ck_assert_str_eq(buf_text(&script.out.cursor), "");
    script_release(&script);
    op.cursor = "";
    op.since = 2000000 + 3600000;
    script = run(&op, HEARD({body, 0}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.id), "");
    ck_assert_str_eq(buf_text(&script.out.cursor), "");
    script_release(&script);
    /* No event of ours may be on a page before one that is. */
    op.since = 0;
    script =
        run(&op, HEARD({"{\"chunk\":[],\"end\":\"t2\"}", 0}), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.cursor), "t2");
    script_release(&script);
}
END_TEST

START_TEST(an_edit_replaces_the_first_version)
{
    struct op op = script_op(OP_EDIT);
    struct script script =
        run(&op, HEARD({"event_edited", 0}, {"sent", 0}), ADVANCE_DONE);

    assert_asked(&script, "GET /_matrix/client/v3/rooms/%21room%3Ahs.test/"
                          "event/%24post\n");
    assert_asked(&script, "\"body\":\"* Round 2 begins.\"");
    assert_asked(&script,
                 "\"m.new_content\":{\"msgtype\":\"m.notice\",\"body\":"
                 "\"Round 2 begins.\"");
    assert_asked(&script,
                 "{\"rel_type\":\"m.replace\",\"event_id\":\"$post\"}");
    script_release(&script);
}
END_TEST

START_TEST(an_edit_goes_before_reactions_where_it_has_waited_for_long)
{
    struct op op = script_op(OP_EDIT);
    struct script script =
        run(&op, HEARD({"event_edited", 0}), ADVANCE_REQUEST);

    ck_assert(!script.out.request.urgent);
    script_release(&script);
    op.urgent = true;
    script = run(&op, HEARD({"event_edited", 0}), ADVANCE_REQUEST);
    ck_assert(script.out.request.urgent);
    script_release(&script);
}
END_TEST

/* The transaction id of the last request. */
static void
transaction_of(const struct script *script, char id[64])
{
    const char *asked = buf_text(&script->asked);
    const char *last = strstr(asked, "PUT ");

    ck_assert_ptr_nonnull(last);
    last += 4;
    size_t end = strcspn(last, " ");
    size_t start = end;

    while (last[start - 1] != '/') {
        start--;
    }
    snprintf(id, 64, "%.*s", (int)(end - start), last + start);
}

static void
edit_after(const char *latest, const char *text, char id[64])
{
    struct op op = script_op(OP_EDIT);
    struct buf body = BUF_INIT;
    struct script script;

    buf_addf(&body,
             "{\"event_id\":\"$post\",\"unsigned\":{\"m.relations\":"
             "{\"m.replace\":{\"event_id\":\"%s\",\"content\":{}}}}}",
             latest);
    op.text = text;
    script = run(&op, HEARD({buf_text(&body), 0}), ADVANCE_REQUEST);
    transaction_of(&script, id);
    script_release(&script);
    buf_release(&body);
}

START_TEST(what_was_written_earlier_can_be_written_again)
{
    char first[64];
    char second[64];
    char again[64];

    edit_after("$1", "A", first);
    edit_after("$2", "A", second);
    edit_after("$1", "A", again);
    ck_assert_str_ne(first, second);
    ck_assert_str_eq(first, again);
    edit_after("$1", "B", again);
    ck_assert_str_ne(first, again);
}
END_TEST

START_TEST(an_edit_that_is_there_is_not_sent_again)
{
    struct op op = script_op(OP_EDIT);
    struct script script =
        run(&op,
            HEARD({"{\"event_id\":\"$post\",\"unsigned\":{\"m.relations\":{"
                   "\"m.replace\":{\"event_id\":\"$2\",\"content\":{"
                   "\"m.new_content\":{\"formatted_body\":"
                   "\"<strong>Round 2</strong> begins.\"}}}}}}",
                   0}),
            ADVANCE_DONE);

    script_release(&script);
}
END_TEST

START_TEST(acts_of_different_kinds_never_share_a_transaction)
{
    static const struct {
        enum op_kind kind;
        const char *before; /* the first reply; NULL: none */
    } acts[] = {{OP_SEND, NULL},
                {OP_EDIT, "event_edited"},
                {OP_REACT, NULL},
                {OP_DELETE, NULL}};
    enum {
        ACTS = sizeof(acts) / sizeof(acts[0])
    };
    char ids[ACTS][64];

    for (size_t i = 0; i < ACTS; i++) {
        struct op op = script_op(acts[i].kind);
        struct script script;

        op.text = "x";
        struct scripted_reply replies = {acts[i].before, 0};

        script_run(&script, &script_service, &op, &replies,
                   replies.what != NULL);
        ck_assert_int_eq(script.advance, ADVANCE_REQUEST);
        transaction_of(&script, ids[i]);
        ck_assert_uint_gt(strlen(ids[i]), 3);
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(ids[i], ids[j]);
        }
        script_release(&script);
    }
}
END_TEST

START_TEST(a_reaction_that_stands_there_is_done)
{
    struct op op = script_op(OP_REACT);
    struct script script =
        run(&op, HEARD({"reaction_there", 400}), ADVANCE_DONE);

    assert_asked(&script, "/send/m.reaction/r.");
    assert_asked(&script, "{\"rel_type\":\"m.annotation\",\"event_id\":"
                          "\"$post\",\"key\":\"\xe2\x9c\x85\"}");
    script_release(&script);
}
END_TEST

START_TEST(a_post_is_deleted_where_the_host_may)
{
    struct op op = script_op(OP_DELETE);
    struct script script = run(&op, HEARD({"sent", 0}), ADVANCE_DONE);

    assert_asked(&script, "/redact/%24post/d.");
    script_release(&script);
    script = run(&op, HEARD({"redact_refused", 403}), ADVANCE_FAILED);
    assert_said(&script, ERR_DENIED, "permission to redact");
    script_release(&script);
}
END_TEST

START_TEST(a_pin_keeps_those_of_others)
{
    struct op op = script_op(OP_PIN);
    struct script script =
        run(&op, HEARD({"{\"pinned\":[\"$1\",7,\"$2\"]}", 0}, {"sent", 0}),
            ADVANCE_DONE);

    assert_asked(&script, "{\"pinned\":[\"$1\",\"$2\",\"$post\"]}");
    script_release(&script);
    script = run(&op, HEARD({"nothing", 404}, {"sent", 0}), ADVANCE_DONE);
    assert_asked(&script, "{\"pinned\":[\"$post\"]}");
    script_release(&script);
    /* But for our own of games that are over. */
    op.text = "$2\n$3\n";
    script = run(
        &op, HEARD({"{\"pinned\":[\"$1\",\"$2\",\"$post\"]}", 0}, {"sent", 0}),
        ADVANCE_DONE);
    assert_asked(&script, "{\"pinned\":[\"$1\",\"$post\"]}");
    op.text = "";
    script_release(&script);
    script =
        run(&op, HEARD({"{\"pinned\":[\"$1\",\"$post\"]}", 0}), ADVANCE_DONE);
    script_release(&script);
}
END_TEST

/* ---- refusals ------------------------------------------------------------ */

static const struct {
    struct scripted_reply replies;
    enum err err;
    const char *words;
} refusals[] = {
    {{"limited", 429}, ERR_LIMITED, "admin can lift the limit"},
    {{"{\"errcode\":\"M_LIMIT_EXCEEDED\"}", 429}, ERR_LIMITED, "status 429"},
    {{"too_large", 413}, ERR_FULL, "event too large"},
    {{"send_refused", 403}, ERR_DENIED, "not in room"},
    {{"send_spam", 0}, ERR_DENIED, "takes it for spam"},
    {{"send_judged", 0}, ERR_DENIED, "takes it for spam"},
    {{"unknown_token", 401}, ERR_DENIED, "not valid any more"},
    {{"{\"errcode\":\"M_MISSING_TOKEN\"}", 401}, ERR_DENIED, "no access token"},
    {{"{\"errcode\":\"M_USER_DEACTIVATED\",\"error\":\"x\"}", 403},
     ERR_DENIED,
     "make another"},
    {{"{\"errcode\":\"M_USER_LOCKED\",\"soft_logout\":true}", 401},
     ERR_DENIED,
     "locked"},
    {{"{\"errcode\":\"M_USER_SUSPENDED\"}", 403}, ERR_DENIED, "suspended"},
    {{"{\"errcode\":\"M_RESOURCE_LIMIT_EXCEEDED\"}", 403},
     ERR_DENIED,
     "at its limits"},
    {{"{\"errcode\":\"M_CONSENT_NOT_GIVEN\"}", 403}, ERR_DENIED, "terms"},
    {{"{\"errcode\":\"M_UNRECOGNIZED\"}", 404}, ERR_GONE, "address"},
    {{"{\"errcode\":\"M_BAD_JSON\",\"error\":\"no\"}", 400},
     ERR_GARBLED,
     "M_BAD_JSON: no"},
    {{"{\"errcode\":\"M_UNKNOWN\"}", 500}, ERR_LATER, "status 500"},
    {{"<html>Bad gateway</html>", 502}, ERR_LATER, "status 502"},
    {{"<html>Hello</html>", 200}, ERR_GARBLED, "not what was asked for"},
    {{"", 200}, ERR_GARBLED, "not what was asked for"},
    {{"{\"event_id\":7}", 200}, ERR_GARBLED, "not what was asked for"},
    {{"{\"event_id\":\"\"}", 200}, ERR_GARBLED, "not what was asked for"},
    {{"{\"event_id\":\"$a b\"}", 200}, ERR_GARBLED, "not what was asked for"},
    {{NULL, 0}, ERR_LATER, "no answer: cut off"},
};

START_TEST(each_refusal_says_what_to_do)
{
    struct op op = script_op(OP_SEND);
    struct script script = run(&op, &refusals[_i].replies, 1, ADVANCE_FAILED);

    assert_said(&script, refusals[_i].err, refusals[_i].words);
    ck_assert_int_eq(strncmp(buf_text(&script.why), "matrix: ", 8), 0);
    script_release(&script);
}
END_TEST

START_TEST(a_limit_waits_for_the_longer_of_what_it_says)
{
    static const struct {
        const char *body;
        int64_t header, wait;
    } limits[] = {
        {"{\"retry_after_ms\":3903}", 4000, 4000},
        {"{\"retry_after_ms\":62500}", 4000, 62500},
        {"{\"retry_after_ms\":700}", -1, 700},
        {"{\"retry_after_ms\":\"700\"}", -1, 5000},
        {"{\"retry_after_ms\":-5}", 2000, 2000},
        {"{\"retry_after_ms\":9000000000000}", 2000, 2000},
        {"<html>", 1000, 1000},
    };

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct op op = script_op(OP_SEND);
        struct script script;
        struct reply reply = {.status = 429,
                              .body = limits[i].body,
                              .len = strlen(limits[i].body),
                              .retry_after = limits[i].header};

        script_begin(&script, &script_service, &op);
        script.advance =
            adapter_matrix.advance(&script_service, &op, &script.scratch,
                                   &reply, &script.out, &script.why);
        ck_assert_int_eq(script.advance, ADVANCE_FAILED);
        ck_assert_int_eq(script.out.err, ERR_LIMITED);
        ck_assert_int_eq(script.out.wait, limits[i].wait);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_link_leads_to_the_post)
{
    struct buf link = BUF_INIT;

    adapter_matrix.link(&script_service, "!room:hs.test", "$a/b+c", &link);
    ck_assert_str_eq(buf_text(&link),
                     "https://matrix.to/#/%21room%3Ahs.test/%24a%2Fb%2Bc");
    buf_release(&link);
}
END_TEST

#define LOOP(tcase, test, table)                                               \
    tcase_add_loop_test(tcase, test, 0, sizeof(table) / sizeof((table)[0]))

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/matrix");
    TCase *account = tcase_create("account");
    TCase *dm = tcase_create("talk");
    TCase *message = tcase_create("letter");

    tcase_add_test(account, a_token_says_whose_it_is_and_of_which_device);
    tcase_add_test(account, a_password_is_asked_for_a_token_once);
    tcase_add_test(
        account,
        a_token_that_is_no_more_is_asked_for_again_for_the_same_device);
    tcase_add_test(account, a_password_is_sent_to_a_homeserver_that_takes_it);
    tcase_add_test(account, a_wrong_password_and_a_dead_token_are_said);
    tcase_add_test(account, a_token_too_long_to_be_kept_is_not_cut);
    LOOP(account, an_address_is_an_alias_an_id_or_a_link, addresses);
    tcase_add_test(account, a_room_is_entered_and_looked_at);
    tcase_add_test(
        account,
        a_room_that_was_upgraded_is_followed_where_the_new_one_says_so);
    tcase_add_test(account, upgrades_that_go_round_in_a_circle_come_to_an_end);
    LOOP(account, a_person_is_found_by_an_id_a_link_or_a_name, people);
    LOOP(account, a_room_that_can_not_be_used_is_refused_in_words, no_places);
    tcase_add_test(account, a_guest_is_told_what_to_change);
    tcase_add_test(account, a_moderator_may_everything);
    tcase_add_test(account, a_creator_may_everything_without_a_level);
    tcase_add_test(account, a_room_to_host_in_is_made_without_encryption);
    tcase_add_test(account, a_room_that_is_there_or_encrypted_is_told);
    tcase_add_test(account, a_token_of_a_browsers_log_in_is_renewed_in_time);
    tcase_add_test(account, another_log_in_in_the_file_is_the_newest);
    tcase_add_test(
        account, what_a_running_host_is_logged_in_by_is_not_renewed_by_others);
    tcase_add_test(account, a_moderator_is_invited_with_their_power);
    LOOP(account, an_address_stands_for_a_homeserver_or_for_none, sites);
    tcase_add_test(account, a_closed_room_and_odd_levels_are_told);
    suite_add_tcase(suite, account);

    tcase_add_test(dm, a_dm_is_made_private_for_one_user);
    tcase_add_test(dm, a_dm_that_is_there_is_found_and_left_as_it_is);
    tcase_add_test(dm, who_has_left_a_dm_is_asked_in_again);
    tcase_add_test(dm, a_room_that_was_made_meanwhile_is_the_dm);
    tcase_add_test(dm, nobody_is_asked_in_who_is_not_there);
    tcase_add_test(
        dm, a_room_that_the_server_encrypts_is_given_up_for_one_that_is_not);
    tcase_add_test(dm, a_server_that_encrypts_every_room_is_told);
    LOOP(dm, a_room_that_is_not_private_is_no_dm, no_dms);
    tcase_add_test(dm, a_dm_in_which_the_bot_is_not_is_made_anew);
    tcase_add_test(dm, a_lost_reply_never_makes_a_second_room);
    tcase_add_test(dm, an_alias_is_told_by_none_who_does_not_know_the_device);
    suite_add_tcase(suite, dm);

    tcase_add_test(message, a_post_has_its_words_with_and_without_marks);
    tcase_add_test(message, a_post_that_pings_is_no_notice);
    tcase_add_test(message, a_message_that_the_room_does_not_have_was_not_sent);
    tcase_add_test(message, whether_a_message_is_there_can_be_unknown);
    tcase_add_test(message,
                   nothing_private_is_sent_before_the_members_were_looked_at);
    tcase_add_test(message,
                   a_private_message_with_a_third_person_there_is_not_sent);
    tcase_add_test(message, a_message_to_who_has_not_come_is_unseen);
    tcase_add_test(message, who_has_left_is_asked_in_again_before_the_message);
    tcase_add_test(message, a_dm_that_the_bot_is_not_in_is_gone);
    tcase_add_test(message, a_picture_follows_its_post);
    tcase_add_test(message, a_page_follows_its_post_as_a_file);
    tcase_add_test(message,
                   a_picture_reaches_the_room_with_its_size_and_its_words);
    LOOP(message, a_message_that_was_sent_is_found, findings);
    tcase_add_test(message,
                   of_messages_with_the_same_text_each_is_another_post);
    tcase_add_test(message, a_message_that_is_found_in_a_dm_may_be_unseen);
    tcase_add_test(message, nothing_is_looked_for_before_it_was_written);
    tcase_add_test(message, an_edit_replaces_the_first_version);
    tcase_add_test(message,
                   an_edit_goes_before_reactions_where_it_has_waited_for_long);
    tcase_add_test(message, what_was_written_earlier_can_be_written_again);
    tcase_add_test(message, an_edit_that_is_there_is_not_sent_again);
    tcase_add_test(message, acts_of_different_kinds_never_share_a_transaction);
    tcase_add_test(message, a_reaction_that_stands_there_is_done);
    tcase_add_test(message, a_post_is_deleted_where_the_host_may);
    tcase_add_test(message, a_pin_keeps_those_of_others);
    LOOP(message, each_refusal_says_what_to_do, refusals);
    tcase_add_test(message, a_limit_waits_for_the_longer_of_what_it_says);
    tcase_add_test(message, a_link_leads_to_the_post);
    suite_add_tcase(suite, message);
    return suite;
}
