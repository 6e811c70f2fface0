/*
 * Discord's slash commands: what the gateway tells when one is given or typed,
 * and how the list of a server is kept.  Interactions and commands have the
 * members that the documentation gives them ("Interaction Object", "Application
 * Command Object", "Autocomplete").
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <json-c/json.h>

#include "adapters/doorbell.h"
#include "bot/base/json.h"
#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

#define TOKEN       "aW50ZXJhY3Rpb246canary"
#define ID          "1573718880000000077"
#define APPLICATION "{\"id\":\"400000000000000009\",\"name\":\"placard\"}"
#define ADDRESS                                                                \
    "/api/v10/applications/400000000000000009/guilds/500000000000000001/"      \
    "commands"

static struct bell_output heard;
static struct buf why;
static struct slash_commands commands;

static void
hear(int type, const char *data)
{
    static char session[4096];
    struct buf text = BUF_INIT;

    buf_addf(&text,
             "{\"op\":0,\"t\":\"INTERACTION_CREATE\",\"s\":7,\"d\":{"
             "\"version\":1,\"type\":%d,\"token\":\"" TOKEN "\",\"id\":\"" ID
             "\",\"application_id\":\"400000000000000009\","
             "\"guild_id\":\"500000000000000001\","
             "\"channel_id\":\"500000000000000002\","
             "\"member\":{\"user\":{\"id\":\"300000000000000002\","
             "\"username\":\"anna\"}},\"data\":%s}}",
             type, data);
    struct bell_input input = {
        .event = BELL_TEXT, .now = 1, .text = buf_text(&text), .len = text.len};
    memset(session, 0, sizeof(session));
    bell_output_release(&heard);
    buf_clear(&why);
    adapter_discord.doorbell->take(&script_service, session, &input, &heard,
                                   &why);
    buf_release(&text);
}

static void
set_words(struct slash_words words[SLASH_LANGUAGES_MAX], const char *name,
          const char *text)
{
    static const char *const languages[] = {"en", "de", "nb"};

    for (unsigned i = 0; i < 3; i++) {
        snprintf(words[i].language, sizeof(words[i].language), "%s",
                 languages[i]);
        snprintf(words[i].name, sizeof(words[i].name), "%s%s", name,
                 i == 0 ? "" : languages[i]);
        snprintf(words[i].text, sizeof(words[i].text), "%s.", text);
    }
}

static void
set_up(void)
{
    memset(&commands, 0, sizeof(commands));
    commands.count = 4;
    commands.languages = 3;
    set_words(commands.list[0].words, "join", "Join");
    set_words(commands.list[1].words, "vote", "Vote");
    set_words(commands.list[1].option, "vote", "Yours");
    commands.list[1].required = true;
    commands.list[1].choice_count = 2;
    commands.list[1].choices[0].value = "ja";
    commands.list[1].choices[1].value = "nein";
    for (unsigned i = 0; i < 3; i++) {
        strcpy(commands.list[1].choices[0].labels[i], "Ja");
        strcpy(commands.list[1].choices[1].labels[i], "Nein");
    }
    set_words(commands.list[2].words, "extend", "More time");
    set_words(commands.list[2].option, "player", "Who");
    commands.list[2].suggests = true;
    commands.list[2].moderators = true;
    set_words(commands.list[3].words, "Their votes", "");
    commands.list[3].person = true;
    for (unsigned i = 0; i < 3; i++) {
        commands.list[3].words[i].text[0] = '\0';
    }
}

static void
tear_down(void)
{
    bell_output_release(&heard);
    buf_release(&why);
}

/* ---- what is given ------------------------------------------------------- */

/* D "Message Commands", "Application Command Data Structure": target_id. */
START_TEST(a_command_of_a_post_brings_its_id)
{
    hear(2, "{\"id\":\"1\",\"type\":3,\"name\":\"How was this read?\","
            "\"target_id\":\"1573718880000000011\"}");
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].body, "/why 1573718880000000011");
    hear(2, "{\"id\":\"1\",\"type\":3,\"name\":\"How was this read?\"}");
    ck_assert_uint_eq(heard.pressed.count, 0);
}
END_TEST

/* D "User Commands": target_id is that of a user. */
START_TEST(a_command_of_a_person_brings_their_id)
{
    hear(2, "{\"id\":\"1\",\"type\":2,\"name\":\"Their votes\","
            "\"target_id\":\"300000000000000003\"}");
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].body, "/votes @300000000000000003");
    hear(2, "{\"id\":\"1\",\"type\":2,\"name\":\"Their votes\"}");
    ck_assert_uint_eq(heard.pressed.count, 0);
}
END_TEST

START_TEST(a_command_is_a_press_with_a_slash)
{
    hear(2, "{\"id\":\"1\",\"type\":1,\"name\":\"join\"}");
    ck_assert_uint_eq(heard.pressed.count, 1);
    const struct post *post = &heard.pressed.posts[0];
    ck_assert_int_eq(post->kind, POST_PRESSED);
    ck_assert_str_eq(post->body, "/join");
    ck_assert_str_eq(post->id, ID);
    ck_assert_str_eq(post->place, PLACE);
    ck_assert_str_eq(post->author, "300000000000000002");
    ck_assert_str_eq(buf_text(&heard.secret), "5 400000000000000009 " TOKEN);

    hear(2,
         "{\"id\":\"1\",\"type\":1,\"name\":\"claim\",\"options\":[{\"type\":3,"
         "\"name\":\"cards\",\"value\":\"FFL\\nFL\"}]}");
    ck_assert_str_eq(heard.pressed.posts[0].body, "/claim FFL FL");
}
END_TEST

START_TEST(what_is_typed_is_no_press)
{
    hear(
        4,
        "{\"id\":\"1\",\"type\":1,\"name\":\"nominate\",\"options\":[{\"type\":3,"
        "\"name\":\"player\",\"value\":\"bo\",\"focused\":true}]}");
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_int_eq(heard.pressed.posts[0].kind, POST_TYPED);
    ck_assert_str_eq(heard.pressed.posts[0].body, "/nominate bo");
    ck_assert_str_eq(buf_text(&heard.secret), "8 400000000000000009 " TOKEN);
}
END_TEST

START_TEST(what_is_not_a_whole_command_is_none)
{
    static const char *const wrong[] = {
        "{\"type\":1}",
        "{\"type\":3,\"name\":\"join\"}",
        "{\"name\":\"join\"}",
        "{\"type\":1,\"name\":\"\"}",
        "{\"type\":1,\"name\":7}",
        "{\"type\":1,\"name\":\"vote\",\"options\":[7]}",
        "{\"type\":1,\"name\":\"vote\",\"options\":[{\"value\":7}]}",
        "[]",
        "null",
    };
    char text[1200];
    char data[1300];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        hear(2, wrong[i]);
        ck_assert_msg(heard.pressed.count == 0, "%s", wrong[i]);
    }
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    snprintf(data, sizeof(data),
             "{\"type\":1,\"name\":\"away\",\"options\":[{\"value\":\"%s\"}]}",
             text);
    hear(2, data);
    ck_assert_uint_eq(heard.pressed.count, 0);
    hear(3, "{\"custom_id\":\"/join\",\"component_type\":2}");
    ck_assert_uint_eq(heard.pressed.count, 0);
}
END_TEST

START_TEST(what_can_be_chosen_is_told_at_once)
{
    struct buttons choices = {.count = 2};
    struct op op = {.kind = OP_SUGGEST,
                    .post = ID,
                    .secret = "8 400000000000000009 " TOKEN,
                    .buttons = &choices};
    struct scripted_reply reply = {"", 204};
    struct script script;

    strcpy(choices.list[0].label, "Anna");
    strcpy(choices.list[1].label, "Bob");
    script_run(&script, &script_service, &op, &reply, 1);
    ck_assert_str_eq(
        buf_text(&script.asked),
        "POST /api/v10/interactions/" ID "/" TOKEN
        "/callback {\"data\":{\"choices\":[{\"name\":\"Anna\","
        "\"value\":\"Anna\"},{\"name\":\"Bob\",\"value\":\"Bob\"}]}"
        ",\"type\":8}\n");
    ck_assert(!script.out.request.authorized);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);
}
END_TEST

/* ---- the list of a server ------------------------------------------------ */

static void
run(struct script *script, const char *list, int status, const char *put,
    int put_status)
{
    struct op op = script_op(OP_COMMANDS);
    struct scripted_reply replies[] = {
        {APPLICATION, 200}, {list, status}, {put, put_status}};

    op.commands = &commands;
    script_run(script, &script_service, &op, replies, put == NULL ? 2 : 3);
}

/* The list that a request replaces a server's with. */
static void
replaced(const struct script *script, struct buf *list)
{
    const char *at = strstr(buf_text(&script->asked), "PUT " ADDRESS " ");

    if (at == NULL) {
        ck_abort_msg("%s", buf_text(&script->asked));
    }
    at += strlen("PUT " ADDRESS " ");
    buf_add(list, at, strcspn(at, "\n"));
}

/* A list as Discord has it then: with ids, in another order, and without what
 * is false, empty or null. */
static void
keep(const char *list, struct buf *kept)
{
    json_object *sent = json_tokener_parse(list);
    json_object *there = json_object_new_array();

    for (size_t i = json_object_array_length(sent); i-- > 0;) {
        json_object *command = json_object_array_get_idx(sent, i);
        json_object *options = jdoc_get(command, "options");

        json_object_object_add(command, "id", json_object_new_string("77"));
        json_object_object_add(command, "version",
                               json_object_new_string("78"));
        if (options != NULL && json_object_array_length(options) == 0) {
            json_object_object_del(command, "options");
        } else if (options != NULL) {
            json_object *option = json_object_array_get_idx(options, 0);
            bool yes = false;

            if (jdoc_bool(option, "required", &yes) && !yes) {
                json_object_object_del(option, "required");
            }
            if (jdoc_bool(option, "autocomplete", &yes) && !yes) {
                json_object_object_del(option, "autocomplete");
            }
        }
        json_object_array_add(there, json_object_get(command));
    }
    buf_add_text(kept, json_object_to_json_string(there));
    json_object_put(there);
    json_object_put(sent);
}

START_TEST(a_list_that_differs_is_replaced)
{
    struct buf list = BUF_INIT;
    struct script script;

    run(&script, "[]", 200, "[]", 200);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked),
                                 "GET " ADDRESS "?with_localizations=true"));
    replaced(&script, &list);
    ck_assert_ptr_nonnull(strstr(
        buf_text(&list),
        "{\"type\":1,\"name\":\"join\",\"name_localizations\":{"
        "\"de\":\"joinde\",\"no\":\"joinnb\"},\"description\":\"Join.\","
        "\"description_localizations\":{\"de\":\"Join.\",\"no\":\"Join.\"},"
        "\"default_member_permissions\":null,\"options\":[]}"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&list), "\"choices\":[{\"name\":\"Ja\""));
    ck_assert_ptr_nonnull(strstr(
        buf_text(&list), "{\"type\":2,\"name\":\"Their votes\","
                         "\"name_localizations\":{\"de\":\"Their votesde\","
                         "\"no\":\"Their votesnb\"},"
                         "\"default_member_permissions\":null}"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&list), "\"default_member_permissions\":\"8192\""));
    ck_assert_ptr_nonnull(strstr(buf_text(&list), "\"autocomplete\":true"));
    script_release(&script);
    buf_release(&list);
}
END_TEST

START_TEST(a_list_that_is_the_same_is_left_alone)
{
    struct buf list = BUF_INIT;
    struct buf kept = BUF_INIT;
    struct script script;

    run(&script, "[]", 200, "[]", 200);
    replaced(&script, &list);
    script_release(&script);
    keep(buf_text(&list), &kept);
    run(&script, buf_text(&kept), 200, NULL, 0);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_ptr_null(strstr(buf_text(&script.asked), "PUT"));
    script_release(&script);

    /* Each difference shows. */
    commands.list[0].moderators = true;
    run(&script, buf_text(&kept), 200, "[]", 200);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "PUT"));
    script_release(&script);
    set_up();
    strcpy(commands.list[1].words[1].name, "stimme");
    run(&script, buf_text(&kept), 200, "[]", 200);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "PUT"));
    script_release(&script);
    set_up();
    commands.list[2].option[0].name[0] = '\0';
    run(&script, buf_text(&kept), 200, "[]", 200);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "PUT"));
    script_release(&script);
    set_up();
    commands.count = 2;
    run(&script, buf_text(&kept), 200, "[]", 200);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "PUT"));
    script_release(&script);
    buf_release(&list);
    buf_release(&kept);
}
END_TEST

/* What the adapter keeps: the servers that have a list. */
static void
run_with(struct script *script, const char *kept, unsigned count,
         const char *put, int put_status)
{
    struct op op = script_op(OP_COMMANDS);
    struct adapter_state state = {"commands", kept};
    struct scripted_reply replies[] = {{APPLICATION, 200}, {put, put_status}};

    commands.count = count;
    op.commands = &commands;
    op.states = &state;
    op.state_count = 1;
    script_run(script, &script_service, &op, replies, put == NULL ? 0 : 2);
}

static const char *
kept_by(const struct script *script)
{
    return adapter_states_find(script->out.states.list,
                               script->out.states.count, "commands");
}

START_TEST(a_list_that_is_not_wanted_any_more_is_taken_away)
{
    static const char refusal[] =
        "{\"message\":\"Missing Access\",\"code\":50001}";
    struct script script;

    run(&script, "[]", 200, "[]", 200);
    ck_assert_str_eq(kept_by(&script), "500000000000000001");
    script_release(&script);

    run_with(&script, "7 500000000000000001 8", 0, "[]", 200);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.asked), "PUT " ADDRESS " []\n"));
    ck_assert_str_eq(kept_by(&script), "7 8");
    script_release(&script);

    /* The bot may have none there: then there is none. */
    run_with(&script, "500000000000000001", 0, refusal, 403);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.states.count, 1);
    ck_assert_str_eq(kept_by(&script), "");
    script_release(&script);

    run_with(&script, "500000000000000001", 0, "{\"message\":\"503\"}", 503);
    ck_assert_int_eq(script.out.err, ERR_LATER);
    script_release(&script);
}
END_TEST

/* A bot that shares its application with another program keeps off its list. */
START_TEST(a_list_that_is_not_ours_is_left_alone)
{
    struct script script;

    run_with(&script, "7 8", 0, NULL, 0);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.asked.len, 0);
    script_release(&script);
}
END_TEST

/* D "JSON Error Codes": 50001, missing access. */
START_TEST(without_the_scope_it_says_how_to_get_it)
{
    static const char refusal[] =
        "{\"message\":\"Missing Access\",\"code\":50001}";
    struct script script;

    run(&script, refusal, 403, NULL, 0);
    ck_assert_int_eq(script.advance, ADVANCE_FAILED);
    ck_assert_int_eq(script.out.err, ERR_DENIED);
    ck_assert_ptr_nonnull(strstr(
        buf_text(&script.why), "https://discord.com/oauth2/authorize?client_id="
                               "400000000000000009&scope=bot+applications."
                               "commands"));
    script_release(&script);
    run(&script, "[]", 200, refusal, 403);
    ck_assert_int_eq(script.out.err, ERR_DENIED);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.why), "applications.commands"));
    script_release(&script);
}
END_TEST

START_TEST(what_is_no_list_replaces_nothing)
{
    struct script script;

    run(&script, "{}", 200, NULL, 0);
    ck_assert_int_eq(script.advance, ADVANCE_FAILED);
    ck_assert_int_eq(script.out.err, ERR_GARBLED);
    script_release(&script);
    run(&script, "{\"message\":\"503\"}", 503, NULL, 0);
    ck_assert_int_eq(script.out.err, ERR_LATER);
    script_release(&script);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_slash");
    TCase *group = tcase_create("slash");

    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, a_command_of_a_post_brings_its_id);
    tcase_add_test(group, a_command_of_a_person_brings_their_id);
    tcase_add_test(group, a_command_is_a_press_with_a_slash);
    tcase_add_test(group, what_is_typed_is_no_press);
    tcase_add_test(group, what_is_not_a_whole_command_is_none);
    tcase_add_test(group, what_can_be_chosen_is_told_at_once);
    tcase_add_test(group, a_list_that_differs_is_replaced);
    tcase_add_test(group, a_list_that_is_the_same_is_left_alone);
    tcase_add_test(group, a_list_that_is_not_wanted_any_more_is_taken_away);
    tcase_add_test(group, a_list_that_is_not_ours_is_left_alone);
    tcase_add_test(group, without_the_scope_it_says_how_to_get_it);
    tcase_add_test(group, what_is_no_list_replaces_nothing);
    suite_add_tcase(suite, group);
    return suite;
}
