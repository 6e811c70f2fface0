/*
 * Discord's buttons: how they go with a message, what the gateway tells when
 * one is pressed, and how that is answered.  Interactions have the members that
 * the documentation gives them ("Interaction Object", "Message Component Data
 * Structure").
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "adapters/doorbell.h"
#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

#define TOKEN  "aW50ZXJhY3Rpb246canary"
#define ID     "1573718880000000077"
#define SECRET "5 400000000000000009 " TOKEN

#define HEAD "{\"op\":0,\"t\":\"INTERACTION_CREATE\",\"s\":7,\"d\":{"
#define PRESSED                                                                \
    "\"version\":1,\"type\":3,\"token\":\"" TOKEN "\",\"id\":\"" ID "\","      \
    "\"application_id\":\"400000000000000009\","                               \
    "\"guild_id\":\"500000000000000001\","                                     \
    "\"channel_id\":\"500000000000000002\","                                   \
    "\"member\":{\"user\":{\"id\":\"300000000000000002\","                     \
    "\"username\":\"anna\",\"global_name\":\"Anna\"}},"
#define BUTTON "\"data\":{\"custom_id\":\"14.41.v1\",\"component_type\":2},"
#define PUBLIC "\"message\":{\"id\":\"1573718880000000001\",\"flags\":4}}}"
#define ASIDE  "\"message\":{\"id\":\"1573718880000000001\",\"flags\":68}}}"

static struct bell_output heard;
static struct buf why;

static void
hear(const char *text)
{
    static char session[4096];
    struct bell_input input = {
        .event = BELL_TEXT, .now = 1, .text = text, .len = strlen(text)};

    ck_assert_uint_le(adapter_discord.doorbell->size, sizeof(session));
    memset(session, 0, sizeof(session));
    bell_output_release(&heard);
    buf_clear(&why);
    adapter_discord.doorbell->take(&script_service, session, &input, &heard,
                                   &why);
}

static void
tear_down(void)
{
    bell_output_release(&heard);
    buf_release(&why);
}

/* ---- what is pressed ----------------------------------------------------- */

START_TEST(a_press_is_a_post_of_its_own_kind)
{
    hear(HEAD PRESSED BUTTON PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 1);
    const struct post *post = &heard.pressed.posts[0];
    ck_assert_int_eq(post->kind, POST_PRESSED);
    ck_assert_str_eq(post->id, ID);
    ck_assert_str_eq(post->place, PLACE);
    ck_assert_str_eq(post->author, "300000000000000002");
    ck_assert_str_eq(post->author_name, "Anna");
    ck_assert_str_eq(post->body, "14.41.v1");
    /* As the time of a message: of its id. */
    ck_assert_int_eq(post->stamp,
                     (int64_t)(UINT64_C(1573718880000000077) >> 22) +
                         INT64_C(1420070400000));
    ck_assert(!post->dm && !post->own && !post->machine);
    ck_assert_str_eq(buf_text(&heard.secret), SECRET);
    ck_assert(!heard.rings);
    ck_assert_uint_eq(why.len, 0);
}
END_TEST

START_TEST(what_is_pressed_under_an_answer_changes_that_answer)
{
    hear(HEAD PRESSED BUTTON ASIDE);
    ck_assert_int_eq(strncmp(buf_text(&heard.secret), "6 ", 2), 0);
}
END_TEST

START_TEST(what_is_chosen_from_a_menu_is_its_value)
{
    hear(HEAD PRESSED "\"data\":{\"custom_id\":\"menu\",\"component_type\":3,"
                      "\"values\":[\"14.41.n3\"]}," PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].body, "14.41.n3");
}
END_TEST

START_TEST(a_press_tells_the_roles_of_who_presses)
{
    hear(
        HEAD
        "\"type\":3,\"token\":\"" TOKEN "\",\"id\":\"" ID "\","
        "\"application_id\":\"400000000000000009\","
        "\"channel_id\":\"500000000000000005\","
        "\"guild_id\":\"200000000000000001\","
        "\"member\":{\"roles\":[\"81\",82,\"x\",\"83\"],"
        "\"user\":{\"id\":\"300000000000000002\",\"username\":\"anna\"}}," BUTTON
            PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].roles, "81\n82\n83\n");
}
END_TEST

#define PRESSED_BY(member)                                                     \
    HEAD "\"type\":3,\"token\":\"" TOKEN "\",\"id\":\"" ID "\","               \
         "\"application_id\":\"400000000000000009\","                          \
         "\"channel_id\":\"500000000000000005\","                              \
         "\"guild_id\":\"200000000000000001\",\"member\":{" member             \
         ",\"user\":{\"id\":\"300000000000000002\",\"username\":\"anna\","     \
         "\"global_name\":\"Anna\"}}," BUTTON PUBLIC

/* D "Guild Member Object", "Interaction Object". */
START_TEST(a_press_tells_what_its_presser_is_called_and_may_there)
{
    static const struct {
        const char *text, *name, *roles;
    } cases[] = {
        {PRESSED_BY("\"nick\":\"Annie\",\"roles\":[],\"permissions\":\"0\""),
         "Annie", ""},
        {PRESSED_BY(
             "\"nick\":null,\"roles\":[\"81\"],\"permissions\":\"8192\""),
         "Anna", ROLE_MANAGES "\n81\n"},
        {PRESSED_BY("\"nick\":\"\",\"roles\":[],\"permissions\":\"8\""), "Anna",
         ROLE_MANAGES "\n"},
        {PRESSED_BY("\"roles\":[],\"permissions\":\"274877975552\""), "Anna",
         ""},
    };

    hear(cases[_i].text);
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].author_name, cases[_i].name);
    ck_assert_str_eq(heard.pressed.posts[0].roles, cases[_i].roles);
    ck_assert(!heard.pressed.posts[0].unmet);
}
END_TEST

static const struct {
    const char *locale, *language;
} locales[] = {
    {"\"nl\"", "nl"},    {"\"en-GB\"", "en"}, {"\"no\"", "nb"},
    {"\"zh-CN\"", "zh"}, {"\"../nl\"", ""},   {"\"nl/\"", ""},
    {"\"deutsch\"", ""}, {"\"\"", ""},        {"7", ""},
    {"null", ""},
};

START_TEST(a_press_tells_the_language_of_who_presses)
{
    struct buf text = BUF_INIT;
    buf_addf(&text, HEAD PRESSED "\"locale\":%s," BUTTON PUBLIC,
             locales[_i].locale);
    hear(buf_text(&text));
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].language, locales[_i].language);
    buf_release(&text);
}
END_TEST

START_TEST(a_press_in_a_dm_names_its_user_elsewhere)
{
    hear(
        HEAD
        "\"type\":3,\"token\":\"" TOKEN "\",\"id\":\"" ID "\","
        "\"application_id\":\"400000000000000009\","
        "\"channel_id\":\"500000000000000005\","
        "\"user\":{\"id\":\"300000000000000002\",\"username\":\"anna\"}," BUTTON
            PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 1);
    ck_assert_str_eq(heard.pressed.posts[0].place, DM);
    ck_assert_str_eq(heard.pressed.posts[0].author_name, "anna");
    ck_assert_str_eq(heard.pressed.posts[0].roles, "");
    ck_assert(heard.pressed.posts[0].dm);
    ck_assert(heard.pressed.posts[0].unmet);
}
END_TEST

START_TEST(what_is_not_a_whole_press_is_none)
{
    static const char *const members[] = {
        "type",       "token",  "id",  "application_id",
        "channel_id", "member", "data"};
    static const char whole[] = HEAD PRESSED BUTTON PUBLIC;

    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        char name[32];
        char text[sizeof(whole)];

        /* The member has another name, so it is missing. */
        memcpy(text, whole, sizeof(whole));
        snprintf(name, sizeof(name), "\"%s\":", members[i]);
        char *at = strstr(strstr(text, "\"d\":") + 5, name);
        ck_assert_ptr_nonnull(at);
        at[1] = '-';
        hear(text);
        ck_assert_msg(heard.pressed.count == 0, "%s", members[i]);
        ck_assert_uint_eq(heard.secret.len, 0);
    }
    hear(HEAD PRESSED
         "\"data\":{\"custom_id\":\"menu\",\"values\":[]}," PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 0);
    hear(HEAD PRESSED "\"data\":{\"custom_id\":\"\"}," PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 0);
}
END_TEST

START_TEST(a_token_that_would_lead_elsewhere_is_none)
{
    hear(HEAD "\"type\":3,\"token\":\"a/../../channels/5\",\"id\":\"" ID "\","
              "\"application_id\":\"400000000000000009\","
              "\"channel_id\":\"500000000000000005\","
              "\"user\":{\"id\":\"300000000000000002\"}," BUTTON PUBLIC);
    ck_assert_uint_eq(heard.pressed.count, 0);
}
END_TEST

/* ---- how it is answered -------------------------------------------------- */

static struct op
press_op(enum op_kind kind, const char *secret)
{
    return (struct op){
        .kind = kind, .post = ID, .text = "Sure?", .secret = secret};
}

static struct script
run(const struct op *op, const char *body, int status)
{
    struct scripted_reply reply = {body, status};
    struct script script;

    script_run(&script, &script_service, op, &reply, 1);
    return script;
}

START_TEST(it_is_acknowledged_for_its_presser_alone)
{
    struct op op = press_op(OP_ACKNOWLEDGE, SECRET);
    struct script script;

    script_begin(&script, &script_service, &op);
    ck_assert(!script.out.request.authorized);
    ck_assert(script.out.request.urgent);
    /* No limit of ours is named after a secret. */
    ck_assert_str_eq(script.out.request.route, "");
    ck_assert_str_eq(buf_text(&script.asked),
                     "POST /api/v10/interactions/" ID "/" TOKEN
                     "/callback {\"type\":5,\"data\":{\"flags\":64}}\n");
    script_answer(&script, &(struct scripted_reply){"", 204});
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);
}
END_TEST

START_TEST(under_an_answer_nothing_new_appears)
{
    struct op op = press_op(OP_ACKNOWLEDGE, "6 400000000000000009 " TOKEN);
    struct script script = run(&op, "", 204);

    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), " {\"type\":6}\n"));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);
}
END_TEST

START_TEST(what_was_acknowledged_already_is)
{
    struct op op = press_op(OP_ACKNOWLEDGE, SECRET);
    struct script script =
        run(&op,
            "{\"message\":\"Interaction has already been acknowledged.\","
            "\"code\":40060}",
            400);

    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);
}
END_TEST

START_TEST(what_comes_too_late_is_gone_and_no_words_tell_the_token)
{
    static const struct {
        const char *body;
        int status;
        enum err err;
    } refusals[] = {
        {"{\"message\":\"Unknown interaction " TOKEN "\",\"code\":10062}", 404,
         ERR_GONE},
        {"{\"message\":\"" TOKEN "\",\"code\":0}", 401, ERR_DENIED},
        {"{\"message\":\"" TOKEN "\"}", 500, ERR_LATER},
        {"<p>" TOKEN "</p>", 403, ERR_DENIED},
    };

    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct op acknowledge = press_op(OP_ACKNOWLEDGE, SECRET);
        struct op reply = press_op(OP_REPLY, SECRET);
        struct script one =
            run(&acknowledge, refusals[i].body, refusals[i].status);
        struct script two = run(&reply, refusals[i].body, refusals[i].status);

        ck_assert_int_eq(one.advance, ADVANCE_FAILED);
        ck_assert_int_eq(two.advance, ADVANCE_FAILED);
        ck_assert_int_eq(one.out.err, refusals[i].err);
        ck_assert_ptr_null(strstr(buf_text(&one.why), "canary"));
        ck_assert_ptr_null(strstr(buf_text(&two.why), "canary"));
        script_release(&one);
        script_release(&two);
    }
}
END_TEST

START_TEST(an_answer_has_its_buttons_and_pings_nobody)
{
    struct op op = press_op(OP_REPLY, SECRET);
    struct buttons buttons = {.count = 1,
                              .list = {{"14.41.v1!", "Yes", false}}};

    op.buttons = &buttons;
    struct script script = run(&op, "{\"id\":\"1573718880000000078\"}", 200);
    ck_assert_str_eq(
        buf_text(&script.asked),
        "PATCH /api/v10/webhooks/400000000000000009/" TOKEN
        "/messages/@original?with_components=true {\"content\":\"Sure?\","
        "\"allowed_mentions\":{\"parse\":[]},\"components\":[{\"type\":1,"
        "\"components\":[{\"type\":2,\"style\":2,\"label\":\"Yes\","
        "\"custom_id\":\"14.41.v1!\"}]}]}\n");
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    script_release(&script);

    /* Those of the answer before are taken away. */
    op.buttons = NULL;
    script = run(&op, "{}", 200);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.asked), "\"components\":[]}"));
    script_release(&script);
}
END_TEST

START_TEST(what_came_with_no_press_can_not_be_used)
{
    static const char *const secrets[] = {"", "5", "5 7", "nonsense"};

    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        struct op op = press_op(OP_REPLY, secrets[i]);
        struct script script = run(&op, "{}", 200);

        ck_assert_int_eq(script.advance, ADVANCE_FAILED);
        ck_assert_int_eq(script.out.err, ERR_GARBLED);
        script_release(&script);
    }
}
END_TEST

/* ---- under messages ------------------------------------------------------ */

static struct script
send(enum op_kind kind, const struct buttons *buttons)
{
    struct op op = script_op(kind);

    op.buttons = buttons;
    return run(&op, "{\"id\":\"1573718880000000078\"}", 200);
}

START_TEST(five_buttons_stand_in_a_row)
{
    struct buttons buttons = {.count = 6};

    for (unsigned i = 0; i < buttons.count; i++) {
        snprintf(buttons.list[i].id, sizeof(buttons.list[i].id), "1.2.n%u", i);
        snprintf(buttons.list[i].label, sizeof(buttons.list[i].label), "B%u",
                 i);
    }
    buttons.list[5].alarming = true;
    struct script script = send(OP_SEND, &buttons);
    const char *asked = buf_text(&script.asked);
    ck_assert_ptr_nonnull(strstr(
        asked, "{\"type\":2,\"style\":2,\"label\":\"B4\",\"custom_id\":"
               "\"1.2.n4\"}]},{\"type\":1,\"components\":[{\"type\":2,"
               "\"style\":4,\"label\":\"B5\",\"custom_id\":\"1.2.n5\"}]}]"));
    script_release(&script);
}
END_TEST

START_TEST(a_menu_has_its_choices_as_values)
{
    struct buttons buttons = {
        .count = 2,
        .list = {{"1.2.n0", "Anna \"A\"", false}, {"1.2.n1", "Bob", false}},
        .menu = "Name one"};
    struct script script = send(OP_SEND, &buttons);

    ck_assert_ptr_nonnull(strstr(
        buf_text(&script.asked),
        "\"components\":[{\"type\":1,\"components\":[{\"type\":3,"
        "\"custom_id\":\"menu\",\"placeholder\":\"Name one\",\"options\":["
        "{\"label\":\"Anna \\\"A\\\"\",\"value\":\"1.2.n0\"},"
        "{\"label\":\"Bob\",\"value\":\"1.2.n1\"}]}]}]"));
    script_release(&script);
}
END_TEST

START_TEST(an_edit_leaves_the_buttons_unless_it_is_told_of_them)
{
    static const struct buttons none = {.count = 0};
    struct script script = send(OP_EDIT, NULL);

    ck_assert_ptr_null(strstr(buf_text(&script.asked), "components"));
    script_release(&script);
    script = send(OP_EDIT, &none);
    ck_assert_ptr_nonnull(strstr(buf_text(&script.asked), "\"components\":[]"));
    script_release(&script);
}
END_TEST

START_TEST(a_server_that_knows_no_buttons_gets_the_words)
{
    struct buttons buttons = {.count = 1, .list = {{"1.2.v1", "Ja!", false}}};
    struct op op = script_op(OP_SEND);
    struct scripted_reply replies[] = {
        {"{\"code\":50035,\"message\":\"Invalid Form Body\"}", 400},
        {"{\"id\":\"1573718880000000078\"}", 200}};
    struct script script;

    op.buttons = &buttons;
    script_run(&script, &other_service, &op, replies, 2);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    const char *again = strchr(buf_text(&script.asked), '\n');
    ck_assert_ptr_nonnull(again);
    ck_assert_ptr_null(strstr(again, "components"));
    script_release(&script);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_press");
    TCase *group = tcase_create("presses");

    tcase_add_checked_fixture(group, NULL, tear_down);
    tcase_add_test(group, a_press_is_a_post_of_its_own_kind);
    tcase_add_test(group, what_is_pressed_under_an_answer_changes_that_answer);
    tcase_add_test(group, what_is_chosen_from_a_menu_is_its_value);
    tcase_add_test(group, a_press_tells_the_roles_of_who_presses);
    tcase_add_loop_test(
        group, a_press_tells_what_its_presser_is_called_and_may_there, 0, 4);
    tcase_add_loop_test(group, a_press_tells_the_language_of_who_presses, 0,
                        sizeof locales / sizeof locales[0]);
    tcase_add_test(group, a_press_in_a_dm_names_its_user_elsewhere);
    tcase_add_test(group, what_is_not_a_whole_press_is_none);
    tcase_add_test(group, a_token_that_would_lead_elsewhere_is_none);
    tcase_add_test(group, it_is_acknowledged_for_its_presser_alone);
    tcase_add_test(group, under_an_answer_nothing_new_appears);
    tcase_add_test(group, what_was_acknowledged_already_is);
    tcase_add_test(group,
                   what_comes_too_late_is_gone_and_no_words_tell_the_token);
    tcase_add_test(group, an_answer_has_its_buttons_and_pings_nobody);
    tcase_add_test(group, what_came_with_no_press_can_not_be_used);
    tcase_add_test(group, five_buttons_stand_in_a_row);
    tcase_add_test(group, a_menu_has_its_choices_as_values);
    tcase_add_test(group, an_edit_leaves_the_buttons_unless_it_is_told_of_them);
    tcase_add_test(group, a_server_that_knows_no_buttons_gets_the_words);
    suite_add_tcase(suite, group);
    return suite;
}
