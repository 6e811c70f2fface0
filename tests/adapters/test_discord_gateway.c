/*
 * Discord's gateway as a doorbell: what the adapter says to each thing that it
 * hears.  Texts of the service are as the documentation gives them, or as a
 * real Spacebar sent them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/doorbell.h"
#include "bot/base/files.h"
#include "bot/base/json.h"
#include "tests/support/runner.h"

enum {
    NOW = 1700000000
};
#define HELLO                                                                  \
    "{\"t\":null,\"s\":null,\"op\":10,\"d\":{\"heartbeat_interval\":41250}}"
#define ACK "{\"t\":null,\"s\":null,\"op\":11,\"d\":null}"
#define READY                                                                    \
    "{\"op\":0,\"t\":\"READY\",\"s\":1,\"d\":{\"v\":10,\"user\":{\"id\":\"7\"}," \
    "\"session_id\":\"abc123\",\"resume_gateway_url\":"                          \
    "\"wss://gateway-us-east1-b.discord.gg\",\"guilds\":[]}}"
#define IDENTIFY                                                               \
    "{\"op\":2,\"d\":{\"token\":\"TOKEN\",\"intents\":4609,\"properties\":{"   \
    "\"os\":\"linux\",\"browser\":\"placard\",\"device\":\"placard\"}}}"
#define RESUME(seq)                                                                \
    "{\"op\":6,\"d\":{\"token\":\"TOKEN\",\"session_id\":\"abc123\",\"seq\":" #seq \
    "}}"
#define SAVED "12 abc123 wss://gateway-us-east1-b.discord.gg"

static struct service service;
static void *session;
static struct bell_output out;
static struct buf why;
static struct adapter_state states[2];
static unsigned state_count;
static int64_t now;

static void
set_up(void)
{
    service = (struct service){
        .adapter = &adapter_discord, .name = "discord", .self = "7"};
    snprintf(service.base, sizeof service.base, "https://discord.com");
    session = calloc(1, adapter_discord.doorbell->size);
    state_count = 0;
    now = NOW;
}

static void
tear_down(void)
{
    bell_output_release(&out);
    buf_release(&why);
    free(session);
}

static void
happen(enum bell_event event, const char *text, unsigned code)
{
    struct bell_input input = {.event = event,
                               .now = now,
                               .chance = 0.5,
                               .text = text,
                               .len = strlen(text),
                               .code = code,
                               .states = states,
                               .state_count = state_count};

    bell_output_release(&out);
    buf_clear(&why);
    adapter_discord.doorbell->take(&service, session, &input, &out, &why);
}

static void
hear(const char *text)
{
    happen(BELL_TEXT, text, 0);
}

/* The only text that it sends, with the token in it. */
static void
assert_says(const char *expected)
{
    struct buf whole = BUF_INIT;

    ck_assert_uint_eq(out.text_count, 1);
    const struct bell_text *text = &out.texts[0];
    size_t at =
        text->token_at < text->text.len ? text->token_at : text->text.len;
    buf_add(&whole, text->text.data, at);
    buf_add_text(&whole, text->token_at != SIZE_MAX ? "TOKEN" : "");
    buf_add_text(&whole, buf_text(&text->text) + at);
    ck_assert_str_eq(buf_text(&whole), expected);
    buf_release(&whole);
}

static const char *
saved(const char *key)
{
    for (unsigned i = 0; i < out.states.count; i++) {
        if (strcmp(out.states.list[i].key, key) == 0) {
            return out.states.list[i].value;
        }
    }
    return NULL;
}

static void
begin(void)
{
    happen(BELL_OPENED, "", 0);
    hear(HELLO);
}

static void
get_ready(void)
{
    begin();
    hear(READY);
}

/* ---- opening a session --------------------------------------------------- */

START_TEST(it_identifies_without_privileged_intents)
{
    begin();
    assert_says(IDENTIFY);
    ck_assert_str_eq(saved("gateway.identified"), "1700000000");
    ck_assert(!out.listens);
}
END_TEST

START_TEST(nothing_is_said_before_hello)
{
    happen(BELL_OPENED, "", 0);
    ck_assert_uint_eq(out.text_count, 0);
    ck_assert_int_eq(out.wake, NOW + 20000);
    now += 20000;
    happen(BELL_TIME, "", 0);
    ck_assert(out.shut);
    ck_assert(strstr(buf_text(&why), "does not answer") != NULL);
}
END_TEST

START_TEST(ready_saves_the_session_and_reads_everything)
{
    get_ready();
    ck_assert(out.listens);
    ck_assert(out.missed);
    ck_assert_str_eq(saved("secret.gateway"),
                     "1 abc123 wss://gateway-us-east1-b.discord.gg");
}
END_TEST

/* Spacebar does not tell of DMs that were made after the log-in. */
START_TEST(elsewhere_it_rings_and_the_host_goes_on_polling)
{
    snprintf(service.base, sizeof service.base, "http://127.0.0.1:3001");
    get_ready();
    ck_assert(!out.listens);
    ck_assert(out.missed);
    ck_assert(out.presses);
    hear("{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"901\","
         "\"channel_id\":\"82\",\"guild_id\":null,\"author\":{\"id\":\"8\"}}}");
    ck_assert(out.rings);
    ck_assert_str_eq(out.feed, "82");
}
END_TEST

START_TEST(a_saved_session_is_resumed_and_nothing_is_read)
{
    states[0] = (struct adapter_state){.key = "secret.gateway", .value = SAVED};
    state_count = 1;
    begin();
    assert_says(RESUME(12));
    ck_assert_ptr_null(saved("gateway.identified"));
    hear("{\"op\":0,\"t\":\"RESUMED\",\"s\":13,\"d\":{}}");
    ck_assert(out.listens);
    ck_assert(out.presses);
    ck_assert(!out.missed);
}
END_TEST

START_TEST(a_saved_session_that_is_damaged_is_none)
{
    static const char *const damaged[] = {"",
                                          "12",
                                          "12 ",
                                          "12 abc",
                                          "x abc wss://a",
                                          "-3 abc wss://a",
                                          " 3 abc wss://a",
                                          "12  wss://a"};

    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        memset(session, 0, adapter_discord.doorbell->size);
        states[0] = (struct adapter_state){"secret.gateway", damaged[i]};
        state_count = 1;
        begin();
        assert_says(IDENTIFY);
    }
}
END_TEST

START_TEST(a_lost_connection_is_resumed_from_the_last_event)
{
    get_ready();
    hear("{\"op\":0,\"t\":\"TYPING_START\",\"s\":42,\"d\":{}}");
    happen(BELL_CLOSED, "", 0);
    ck_assert(!out.never);
    ck_assert_int_ge(out.pause, 1000);
    ck_assert_str_eq(saved("secret.gateway"),
                     "42 abc123 wss://gateway-us-east1-b.discord.gg");
    begin();
    assert_says(RESUME(42));
}
END_TEST

/* ---- heartbeats ---------------------------------------------------------- */

START_TEST(the_first_beat_comes_at_a_random_moment_and_then_regularly)
{
    begin();
    ck_assert_int_eq(out.wake, NOW + 20625);
    now = NOW + 20625;
    happen(BELL_TIME, "", 0);
    assert_says("{\"op\":1,\"d\":null}");
    ck_assert_int_eq(out.wake, now + 41250);
    hear(ACK);
    hear(READY);
    now += 41250;
    happen(BELL_TIME, "", 0);
    assert_says("{\"op\":1,\"d\":1}");
}
END_TEST

START_TEST(a_beat_waits_no_longer_for_a_clock_that_was_set_back)
{
    get_ready();
    now = NOW + 10000;
    happen(BELL_TIME, "", 0);
    ck_assert_uint_eq(out.text_count, 0);
    ck_assert_int_eq(out.wake, NOW + 20625);
    now = NOW - INT64_C(4200000);
    happen(BELL_TIME, "", 0);
    assert_says("{\"op\":1,\"d\":1}");
    ck_assert_int_eq(out.wake, now + 41250);
}
END_TEST

START_TEST(a_beat_that_is_asked_for_is_sent_at_once)
{
    get_ready();
    hear("{\"op\":1,\"d\":null}");
    assert_says("{\"op\":1,\"d\":1}");
}
END_TEST

START_TEST(without_an_answer_the_connection_is_dead)
{
    get_ready();
    now = NOW + 20625;
    happen(BELL_TIME, "", 0);
    ck_assert(!out.shut);
    now += 41250;
    happen(BELL_TIME, "", 0);
    ck_assert(out.shut);
    ck_assert_uint_eq(out.code, 4000); /* with 1000 the session would end */
    begin();
    assert_says(RESUME(1));
}
END_TEST

START_TEST(a_beat_saves_how_far_it_has_heard)
{
    get_ready();
    hear("{\"op\":0,\"t\":\"TYPING_START\",\"s\":9,\"d\":{}}");
    ck_assert_ptr_null(saved("secret.gateway"));
    now = NOW + 20625;
    happen(BELL_TIME, "", 0);
    ck_assert_str_eq(saved("secret.gateway"),
                     "9 abc123 wss://gateway-us-east1-b.discord.gg");
}
END_TEST

START_TEST(a_heartbeat_interval_has_limits)
{
    happen(BELL_OPENED, "", 0);
    hear("{\"op\":10,\"d\":{\"heartbeat_interval\":0}}");
    ck_assert_int_eq(out.wake, NOW + 500);
}
END_TEST

/* ---- what rings ---------------------------------------------------------- */

START_TEST(a_message_rings_its_channel)
{
    get_ready();
    hear("{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"900\","
         "\"channel_id\":\"81\",\"guild_id\":\"41\",\"author\":{\"id\":\"8\"},"
         "\"content\":\"\"}}");
    ck_assert(out.rings);
    ck_assert_str_eq(out.feed, "41/81");
    ck_assert_str_eq(out.post, "900");
}
END_TEST

/* D "Message Create": `member` stands in no message that is read. */
START_TEST(a_message_tells_what_its_author_is_called_and_has_there)
{
    get_ready();
    hear(
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"900\","
        "\"channel_id\":\"81\",\"guild_id\":\"41\",\"author\":{\"id\":\"8\","
        "\"username\":\"anna\",\"global_name\":\"Anna\"},\"member\":{"
        "\"nick\":\"Annie\",\"roles\":[\"91\",\"92\"],\"joined_at\":null,"
        "\"deaf\":false,\"mute\":false,\"flags\":0},\"mentions\":[{\"id\":\"9\","
        "\"username\":\"bob\",\"member\":{\"nick\":\"Bobby\"}}],"
        "\"content\":\"hello\"}}");
    ck_assert(out.rings);
    ck_assert_uint_eq(out.pressed.count, 1);
    const struct post *post = &out.pressed.posts[0];
    ck_assert_int_eq(post->kind, POST_AUTHOR);
    ck_assert_str_eq(post->id, "900");
    ck_assert_str_eq(post->place, "41/81");
    ck_assert_str_eq(post->author, "8");
    ck_assert_str_eq(post->author_name, "Annie");
    ck_assert_str_eq(post->roles, "91\n92\n");
    ck_assert(!post->unmet);
    ck_assert_str_eq(post->body, "");
    hear("{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":3,\"d\":{\"id\":\"901\","
         "\"channel_id\":\"81\",\"guild_id\":\"41\",\"author\":{\"id\":\"8\","
         "\"username\":\"anna\",\"global_name\":null},\"member\":{"
         "\"nick\":null,\"roles\":[]}}}");
    ck_assert_uint_eq(out.pressed.count, 1);
    ck_assert_str_eq(out.pressed.posts[0].author_name, "anna");
}
END_TEST

/* A webhook's has no member, and what the bot wrote is not read. */
START_TEST(of_other_authors_nothing_is_told)
{
    static const char *const texts[] = {
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"900\","
        "\"channel_id\":\"81\",\"guild_id\":\"41\",\"author\":{\"id\":\"8\"}}}",
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"900\","
        "\"channel_id\":\"81\",\"guild_id\":\"41\",\"author\":{\"id\":\"7\"},"
        "\"member\":{\"nick\":\"Host\",\"roles\":[]}}}",
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"900\","
        "\"channel_id\":\"81\",\"guild_id\":\"41\","
        "\"member\":{\"nick\":\"Who\",\"roles\":[]}}}",
    };

    get_ready();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hear(texts[i]);
        ck_assert_uint_eq(out.pressed.count, 0);
    }
}
END_TEST

START_TEST(a_direct_message_rings_its_dm)
{
    get_ready();
    hear("{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"901\","
         "\"channel_id\":\"82\",\"author\":{\"id\":\"8\"}}}");
    ck_assert(out.rings);
    ck_assert_str_eq(out.feed, "82");
}
END_TEST

START_TEST(an_edit_rings_without_a_post)
{
    get_ready();
    hear("{\"op\":0,\"t\":\"MESSAGE_UPDATE\",\"s\":2,\"d\":{\"id\":\"900\","
         "\"channel_id\":\"81\",\"guild_id\":\"41\"}}");
    ck_assert(out.rings);
    ck_assert_str_eq(out.post, "");
}
END_TEST

START_TEST(what_the_bot_wrote_itself_rings_nothing)
{
    get_ready();
    hear(
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":2,\"d\":{\"id\":\"900\","
        "\"channel_id\":\"81\",\"guild_id\":\"41\",\"author\":{\"id\":\"7\"}}}");
    ck_assert(!out.rings);
}
END_TEST

START_TEST(other_events_and_nonsense_ring_nothing)
{
    static const char *const texts[] = {
        "{\"op\":0,\"t\":\"GUILD_CREATE\",\"s\":3,\"d\":{\"id\":\"41\"}}",
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":4,\"d\":null}",
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"s\":4,\"d\":{\"id\":\"1\"}}",
        "{\"op\":0,\"t\":\"MESSAGE_CREATE\",\"d\":{\"channel_id\":\"x\"}}",
        "{\"op\":0,\"t\":7,\"s\":\"x\",\"d\":[]}",
        "{\"op\":0}",
        "{\"op\":99,\"d\":{}}",
    };

    get_ready();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        hear(texts[i]);
        ck_assert_msg(!out.rings && !out.shut, "%s", texts[i]);
        ck_assert_uint_eq(out.text_count, 0);
    }
}
END_TEST

START_TEST(what_can_not_be_read_closes_the_connection)
{
    static const char *const texts[] = {"", "nonsense", "[]", "{\"op\":\"x\"}",
                                        "{\"op\":10"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        get_ready();
        hear(texts[i]);
        ck_assert_msg(out.shut, "%s", texts[i]);
        ck_assert_uint_gt(why.len, 0);
    }
}
END_TEST

/* ---- the end of a connection or session ---------------------------------- */

START_TEST(a_reconnect_is_obeyed_and_resumed)
{
    get_ready();
    hear("{\"op\":7,\"d\":null}");
    ck_assert(out.shut);
    ck_assert_uint_eq(out.code, 4000);
    begin();
    assert_says(RESUME(1));
}
END_TEST

START_TEST(an_invalid_session_is_forgotten)
{
    get_ready();
    hear("{\"op\":9,\"d\":false}");
    ck_assert(out.shut);
    ck_assert_int_ge(out.pause, 1000);
    ck_assert_str_eq(saved("secret.gateway"), "");
    begin();
    assert_says(IDENTIFY);
}
END_TEST

START_TEST(an_invalid_session_that_may_be_resumed_is_kept)
{
    get_ready();
    hear("{\"op\":9,\"d\":true}");
    ck_assert(out.shut);
    begin();
    assert_says(RESUME(1));
}
END_TEST

static const struct {
    unsigned code;
    bool never, fresh;
} codes[] = {
    {4000, false, false}, {4001, false, false}, {4003, false, false},
    {4004, false, true},  {4005, false, false}, {4007, false, true},
    {4008, false, false}, {4009, false, true},  {4010, true, true},
    {4011, true, true},   {4012, true, true},   {4013, true, true},
    {4014, true, true},   {1006, false, false}, {0, false, false},
};

START_TEST(a_close_code_says_whether_to_come_back)
{
    get_ready();
    happen(BELL_CLOSED, "", codes[_i].code);
    ck_assert(out.never == codes[_i].never);
    ck_assert((codes[_i].never || codes[_i].code == 4004) == (why.len > 0));
    /* Each try counts towards a day's thousand, so a token is tried rarely. */
    ck_assert((out.pause >= 600000) == (codes[_i].code == 4004));
    begin();
    if (codes[_i].fresh) {
        assert_says(IDENTIFY);
    } else {
        assert_says(RESUME(1));
    }
}
END_TEST

START_TEST(an_address_that_never_answers_is_given_up)
{
    get_ready();
    happen(BELL_CLOSED, "", 0);
    happen(BELL_CLOSED, "", 0);
    happen(BELL_CLOSED, "", 0);
    ck_assert_ptr_null(saved("secret.gateway"));
    happen(BELL_CLOSED, "", 0);
    ck_assert_str_eq(saved("secret.gateway"), "");
}
END_TEST

/* ---- where it is --------------------------------------------------------- */

static enum advance
ask_where(const char *key, const char *value, int64_t at, struct outcome *found)
{
    struct op op = {.kind = OP_BELL, .states = states, .now = at};
    struct buf scratch = BUF_INIT;

    states[0] = (struct adapter_state){.key = key, .value = value};
    op.state_count = key[0] == '\0' ? 0 : 1;
    enum advance advance =
        adapter_discord.advance(&service, &op, &scratch, NULL, found, &why);
    buf_release(&scratch);
    return advance;
}

START_TEST(a_session_is_resumed_where_it_was)
{
    struct outcome found = {.err = ERR_NONE};

    ck_assert_int_eq(ask_where("secret.gateway", SAVED, NOW, &found),
                     ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&found.id),
                     "wss://gateway-us-east1-b.discord.gg/?v=10&encoding=json");
    outcome_release(&found);
}
END_TEST

START_TEST(a_new_session_is_opened_once_a_minute_at_most)
{
    struct outcome found = {.err = ERR_NONE};

    ck_assert_int_eq(
        ask_where("gateway.identified", "1700000000", NOW + 59000, &found),
        ADVANCE_FAILED);
    ck_assert_int_eq(found.err, ERR_LIMITED);
    ck_assert_int_eq(found.wait, 1000);
    outcome_release(&found);
    found = (struct outcome){.err = ERR_NONE};
    ck_assert_int_eq(
        ask_where("gateway.identified", "1700000000", NOW + 60000, &found),
        ADVANCE_REQUEST);
    ck_assert_str_eq(buf_text(&found.request.url),
                     "https://discord.com/api/v10/gateway/bot");
    outcome_release(&found);
    /* A clock that was set back keeps nothing closed. */
    found = (struct outcome){.err = ERR_NONE};
    ck_assert_int_eq(
        ask_where("gateway.identified", "1700000000", NOW - 3600000, &found),
        ADVANCE_REQUEST);
    outcome_release(&found);
}
END_TEST

static enum advance
answer_where(const char *body, struct outcome *found)
{
    struct op op = {.kind = OP_BELL, .now = NOW};
    struct buf scratch = BUF_INIT;
    struct reply reply = {
        .status = 200, .body = body, .len = strlen(body), .retry_after = -1};

    *found = (struct outcome){.err = ERR_NONE};
    (void)adapter_discord.advance(&service, &op, &scratch, NULL, found, &why);
    request_clear(&found->request);
    enum advance advance =
        adapter_discord.advance(&service, &op, &scratch, &reply, found, &why);
    buf_release(&scratch);
    return advance;
}

START_TEST(a_day_with_too_many_sessions_is_waited_out)
{
    struct outcome found;

    ck_assert_int_eq(
        answer_where(
            "{\"url\":\"wss://gateway.discord.gg\",\"session_start_limit\":"
            "{\"total\":1000,\"remaining\":20,\"reset_after\":7200000}}",
            &found),
        ADVANCE_FAILED);
    ck_assert_int_eq(found.err, ERR_LIMITED);
    ck_assert_int_eq(found.wait, 7200000);
    outcome_release(&found);
    ck_assert_int_eq(
        answer_where("{\"url\":\"wss://gateway.discord.gg/\"}", &found),
        ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&found.id),
                     "wss://gateway.discord.gg/?v=10&encoding=json");
    outcome_release(&found);
    ck_assert_int_eq(answer_where("{\"url\":7}", &found), ADVANCE_FAILED);
    outcome_release(&found);
}
END_TEST

/* ---- what a real server said ---------------------------------------------
 *
 * Gateway sessions of a Spacebar (tests/fixtures/discord/gateway), frame by
 * frame: one file a case, its first line says of what.
 */

static const char *const recorded[] = {
    "session",     "dm_new",         "thread_private",      "op7_reconnect",
    "kill_9",      "resume_good",    "op9_session_removed", "resume_unknown",
    "token_empty", "identify_twice",
};

/* Does a frame tell of a message that somebody else wrote or changed? */
static bool
tells_of_message(json_object *frame)
{
    const char *name = jdoc_string(frame, "t");
    const char *author =
        jdoc_string(jdoc_get(jdoc_get(frame, "d"), "author"), "id");

    return name != NULL && strncmp(name, "MESSAGE_", 8) == 0 &&
           (strcmp(name + 8, "CREATE") == 0 ||
            strcmp(name + 8, "UPDATE") == 0 ||
            strcmp(name + 8, "DELETE") == 0) &&
           (author == NULL || strcmp(author, service.self) != 0);
}

static void
learn_self(json_object *frame)
{
    const char *id = jdoc_string(jdoc_get(jdoc_get(frame, "d"), "user"), "id");

    if (id != NULL && strcmp(jdoc_string(frame, "t"), "READY") == 0) {
        snprintf(service.self, sizeof service.self, "%s", id);
    }
}

static void
replay_text(const char *text)
{
    json_object *frame = NULL;

    ck_assert_int_eq(jdoc_parse(text, strlen(text), false, &frame, &why),
                     ERR_NONE);
    if (jdoc_string(frame, "t") != NULL) {
        learn_self(frame);
    }
    hear(text);
    ck_assert_msg(out.rings == tells_of_message(frame), "%s", text);
    ck_assert_uint_le(out.text_count, 1);
    json_object_put(frame);
}

/* One line of a recording: what came. */
static void
replay_line(const char *line)
{
    json_object *value = NULL;
    int64_t code = 0;

    ck_assert_int_eq(jdoc_parse(line, strlen(line), false, &value, &why),
                     ERR_NONE);
    const char *came = jdoc_string(value, "came");
    if (came != NULL && strcmp(came, "upgrade") == 0) {
        happen(BELL_OPENED, "", 0);
    } else if (came != NULL && strcmp(came, "text") == 0) {
        replay_text(jdoc_string(value, "text"));
    } else if (came != NULL && strcmp(came, "close") == 0) {
        (void)jdoc_integer(value, "code", &code);
        happen(BELL_CLOSED, "", (unsigned)code);
        ck_assert(!out.never);
        ck_assert_int_ge(out.pause, 1000);
    }
    json_object_put(value);
}

START_TEST(recorded_sessions_ring_for_each_message_and_nothing_else)
{
    struct buf text = BUF_INIT;
    char path[128];

    snprintf(path, sizeof path, "tests/fixtures/discord/gateway/%s.jsonl",
             recorded[_i]);
    ck_assert_msg(file_read(path, &text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    char *rest = NULL;
    char *whole = buf_take(&text);
    for (char *line = strtok_r(whole, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        replay_line(line);
    }
    free(whole);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_gateway");
    TCase *group = tcase_create("gateway");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, it_identifies_without_privileged_intents);
    tcase_add_test(group, nothing_is_said_before_hello);
    tcase_add_test(group, ready_saves_the_session_and_reads_everything);
    tcase_add_test(group, elsewhere_it_rings_and_the_host_goes_on_polling);
    tcase_add_test(group, a_saved_session_is_resumed_and_nothing_is_read);
    tcase_add_test(group, a_saved_session_that_is_damaged_is_none);
    tcase_add_test(group, a_lost_connection_is_resumed_from_the_last_event);
    tcase_add_test(group,
                   the_first_beat_comes_at_a_random_moment_and_then_regularly);
    tcase_add_test(group, a_beat_waits_no_longer_for_a_clock_that_was_set_back);
    tcase_add_test(group, a_beat_that_is_asked_for_is_sent_at_once);
    tcase_add_test(group, without_an_answer_the_connection_is_dead);
    tcase_add_test(group, a_beat_saves_how_far_it_has_heard);
    tcase_add_test(group, a_heartbeat_interval_has_limits);
    tcase_add_test(group, a_message_rings_its_channel);
    tcase_add_test(group,
                   a_message_tells_what_its_author_is_called_and_has_there);
    tcase_add_test(group, of_other_authors_nothing_is_told);
    tcase_add_test(group, a_direct_message_rings_its_dm);
    tcase_add_test(group, an_edit_rings_without_a_post);
    tcase_add_test(group, what_the_bot_wrote_itself_rings_nothing);
    tcase_add_test(group, other_events_and_nonsense_ring_nothing);
    tcase_add_test(group, what_can_not_be_read_closes_the_connection);
    tcase_add_test(group, a_reconnect_is_obeyed_and_resumed);
    tcase_add_test(group, an_invalid_session_is_forgotten);
    tcase_add_test(group, an_invalid_session_that_may_be_resumed_is_kept);
    tcase_add_loop_test(group, a_close_code_says_whether_to_come_back, 0,
                        sizeof codes / sizeof codes[0]);
    tcase_add_test(group, an_address_that_never_answers_is_given_up);
    tcase_add_test(group, a_session_is_resumed_where_it_was);
    tcase_add_test(group, a_new_session_is_opened_once_a_minute_at_most);
    tcase_add_test(group, a_day_with_too_many_sessions_is_waited_out);
    tcase_add_loop_test(
        group, recorded_sessions_ring_for_each_message_and_nothing_else, 0,
        sizeof recorded / sizeof recorded[0]);
    suite_add_tcase(suite, group);
    return suite;
}
