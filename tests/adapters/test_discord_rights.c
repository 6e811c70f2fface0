/* The Discord adapter: what players may do in a place, threads, and people. */
#include <check.h>

#include "tests/adapters/discord_script.h"
#include "tests/support/runner.h"

#define HEARD(...)                                                             \
    (const struct scripted_reply[]){__VA_ARGS__},                              \
        sizeof((const struct scripted_reply[]){__VA_ARGS__}) /                 \
            sizeof(struct scripted_reply)

#define GUILD_WITH(bits)                                                       \
    "{\"id\":\"500000000000000001\",\"owner_id\":\"3\",\"roles\":[{\"id\":"    \
    "\"500000000000000001\",\"permissions\":\"" bits "\"}]}"

static struct script
run_kind(enum op_kind kind, const struct scripted_reply *replies, size_t count,
         enum advance end)
{
    struct op op = script_op(kind);
    struct script script;

    script_run(&script, &script_service, &op, replies, count);
    ck_assert_msg(script.advance == end, "%s%s", buf_text(&script.asked),
                  buf_text(&script.why));
    ck_assert(script_is_sane(&script));
    return script;
}

/* A server in which everybody, and whoever has the role of players, may that;
 * the third role is an administrator's. */
#define GUILD_FOR(everybody, players)                                          \
    "{\"id\":\"500000000000000001\",\"owner_id\":\"3\",\"roles\":[{\"id\":"    \
    "\"500000000000000001\",\"permissions\":\"" everybody "\"},{\"id\":"       \
    "\"600000000000000001\",\"permissions\":\"2252109051440192\"},{\"id\":"    \
    "\"600000000000000007\",\"permissions\":\"" players "\"},{\"id\":"         \
    "\"600000000000000008\",\"permissions\":\"8\"}]}"

START_TEST(it_is_told_what_players_may_not)
{
    static const struct {
        const char *fake_discord, *channel, *advice;
    } cases[] = {
        {GUILD_FOR("274877975552", "0"), "discord_channel", ""},
        {GUILD_FOR("0", "274877975552"), "discord_channel", ""},
        {GUILD_FOR("68608", "0"), "discord_channel",
         "Players can't write in threads"},
        {GUILD_FOR("274877973504", "0"), "discord_channel",
         "Players can't write there"},
        {GUILD_FOR("274877908992", "0"), "discord_channel",
         "Players can't read there"},
        {GUILD_FOR("274877975552", "0"),
         "{\"id\":\"500000000000000002\",\"type\":0,\"permission_overwrites\":[{"
         "\"id\":\"500000000000000001\",\"allow\":\"0\",\"deny\":\"2048\"},{"
         "\"id\":\"600000000000000001\",\"allow\":\"2048\",\"deny\":\"0\"}]}",
         "Players can't write there"},
        {GUILD_FOR("274877975552", "0"),
         "{\"id\":\"500000000000000002\",\"type\":0,\"permission_overwrites\":[{"
         "\"id\":\"500000000000000001\",\"allow\":\"0\",\"deny\":\"2048\"},{"
         "\"id\":\"600000000000000007\",\"allow\":\"2048\",\"deny\":\"0\"},{"
         "\"id\":\"600000000000000001\",\"allow\":\"2048\",\"deny\":\"0\"}]}",
         ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct script script =
            run_kind(OP_PROBE,
                     HEARD({"discord_member", 0}, {cases[i].fake_discord, 0},
                           {cases[i].channel, 0}),
                     ADVANCE_DONE);

        if (*cases[i].advice == '\0') {
            ck_assert_str_eq(buf_text(&script.out.advice), "");
        }
        ck_assert_msg(strstr(buf_text(&script.out.advice), cases[i].advice) !=
                          NULL,
                      "%s", buf_text(&script.out.advice));
        script_release(&script);
    }
}
END_TEST

/* D "Role Object". */
START_TEST(it_is_told_which_roles_moderate)
{
    static const char guild[] =
        "{\"id\":\"500000000000000001\",\"owner_id\":\"3\",\"roles\":["
        "{\"id\":\"500000000000000001\",\"name\":\"@everyone\","
        "\"permissions\":\"274877975552\"},"
        "{\"id\":\"81\",\"name\":\"Mods\",\"permissions\":\"0\"},"
        "{\"id\":\"82\",\"name\":\"Admins\",\"permissions\":\"8\"},"
        "{\"id\":\"83\",\"name\":\"Cleaners\",\"permissions\":\"8192\"}]}";
    static const struct {
        const char *role, *roles;
    } cases[] = {
        {"", ""},
        {"@mods", "81\n"},
        {"Mods", "81\n"},
        {"82", "82\n"},
        {ROLE_MANAGES, "82\n83\n3\n"},
        {"@everyone", ""},
        {"Mod", ""},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct op op = script_op(OP_PROBE);
        struct script script;

        op.text = cases[i].role;
        script_run(
            &script, &script_service, &op,
            HEARD({"discord_member", 0}, {guild, 0}, {"discord_channel", 0}));
        ck_assert_int_eq(script.advance, ADVANCE_DONE);
        ck_assert_str_eq(buf_text(&script.out.roles), cases[i].roles);
        ck_assert_int_eq(strstr(buf_text(&script.out.advice),
                                "write its name, or its id") != NULL,
                         *cases[i].role != '\0' && *cases[i].roles == '\0');
        script_release(&script);
    }
}
END_TEST

/* D "Guild Member": null or a time in the past is no timeout.  The replies are
 * of no known time, so the host's clock counts. */
START_TEST(only_a_timeout_that_lasts_is_told)
{
    static const char *const ends[] = {"2001-09-09T01:46:40.000000+00:00",
                                       "2201-09-09T01:46:40.000000+00:00"};

    for (size_t i = 0; i < 2; i++) {
        struct buf member = BUF_INIT;

        buf_addf(&member,
                 "{\"roles\":[],\"communication_disabled_until\":\"%s\"}",
                 ends[i]);
        struct script script = run_kind(
            OP_PROBE,
            HEARD({buf_text(&member), 0}, {GUILD_FOR("274877975552", "0"), 0},
                  {"discord_channel", 0}),
            ADVANCE_DONE);
        bool told = strstr(buf_text(&script.out.advice), "timed out") != NULL;

        ck_assert_int_eq(told, i == 1);
        script_release(&script);
        buf_release(&member);
    }
}
END_TEST

START_TEST(whether_threads_may_be_opened_is_a_right)
{
    struct script without =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {GUILD_WITH("274878041152"), 0},
                       {"discord_channel", 0}),
                 ADVANCE_DONE);
    struct script beside =
        run_kind(OP_PROBE,
                 HEARD({"discord_member", 0}, {GUILD_WITH("274877975552"), 0},
                       {"discord_thread", 0},
                       {"{\"id\":\"500000000000000003\",\"type\":15}", 0}),
                 ADVANCE_DONE);

    ck_assert_uint_eq(without.out.rights & (RIGHT_POST | RIGHT_OPEN),
                      RIGHT_POST);
    ck_assert_uint_ne(beside.out.rights & RIGHT_OPEN, 0);
    script_release(&without);
    script_release(&beside);
}
END_TEST

START_TEST(a_person_is_looked_up_by_id)
{
    static const char *const ways[] = {"300000000000000002",
                                       "<@300000000000000002>",
                                       "<@!300000000000000002>"};
    static const char anna[] =
        "{\"id\":\"300000000000000002\",\"username\":\"anna\"}";
    struct op op = script_op(OP_USER);

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        op.text = ways[i];
        struct script script;

        script_run(&script, &script_service, &op, HEARD({anna, 0}));

        ck_assert_str_eq(buf_text(&script.asked),
                         "GET /api/v10/users/300000000000000002\n");
        ck_assert_str_eq(buf_text(&script.out.id), "300000000000000002");
        ck_assert_str_eq(buf_text(&script.out.shown), "anna");
        script_release(&script);
    }
    op.text = "anna";
    op.place = "";
    struct script named;

    script_run(&named, &script_service, &op, NULL, 0);
    ck_assert_int_eq(named.out.err, ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&named.why), "Copy User ID"));
    script_release(&named);
}
END_TEST

#define MEMBER(id, name, nick)                                                 \
    "{\"user\":{\"id\":\"" id "\",\"username\":\"" name "\"},\"nick\":" nick "}"

START_TEST(a_name_is_looked_up_among_the_members_of_the_server)
{
    static const struct {
        const char *members, *id;
    } cases[] = {
        {"[" MEMBER("31", "anna", "null") "," MEMBER("32", "annabel",
                                                     "null") "]",
         "31"},
        {"[" MEMBER("33", "berta7", "\"Anna\"") "]", "33"},
        /* Several have it, or nobody does. */
        {"[" MEMBER("31", "anna", "null") "," MEMBER("33", "b", "\"Anna\"") "]",
         NULL},
        {"[" MEMBER("32", "annabel", "null") "]", NULL},
        {"[]", NULL},
    };
    struct op op = script_op(OP_USER);

    op.text = "@anna";
    op.place = "500000000000000001/500000000000000002";
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct script script;

        script_run(&script, &script_service, &op, HEARD({cases[i].members, 0}));
        ck_assert_str_eq(buf_text(&script.asked),
                         "GET /api/v10/guilds/500000000000000001/members/"
                         "search?query=anna&limit=100\n");
        ck_assert_str_eq(buf_text(&script.out.id),
                         cases[i].id == NULL ? "" : cases[i].id);
        ck_assert_int_eq(script.out.err,
                         cases[i].id == NULL ? ERR_GONE : ERR_NONE);
        script_release(&script);
    }
}
END_TEST

START_TEST(the_channels_of_all_servers_are_told)
{
    struct op op = script_op(OP_PLACES);
    struct script script;

    script_run(&script, &script_service, &op,
               HEARD({"[{\"id\":\"51\",\"name\":\"Club\"},"
                      "{\"id\":\"52\",\"name\":\"Pub\"}]",
                      0},
                     {"[{\"id\":\"61\",\"type\":0,\"name\":\"games\"},"
                      "{\"id\":\"62\",\"type\":2,\"name\":\"voice\"},"
                      "{\"id\":\"63\",\"type\":5,\"name\":\"news\"}]",
                      0},
                     {"[{\"id\":\"64\",\"type\":0,\"name\":\"bar\"}]", 0}));
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&script.out.places),
                     "51/61\t#games in Club\n51/63\t#news in Club\n"
                     "52/64\t#bar in Pub\n");
    script_release(&script);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discord_rights");
    TCase *tcase = tcase_create("rights");

    tcase_add_test(tcase, it_is_told_what_players_may_not);
    tcase_add_test(tcase, it_is_told_which_roles_moderate);
    tcase_add_test(tcase, only_a_timeout_that_lasts_is_told);
    tcase_add_test(tcase, whether_threads_may_be_opened_is_a_right);
    tcase_add_test(tcase, a_person_is_looked_up_by_id);
    tcase_add_test(tcase, a_name_is_looked_up_among_the_members_of_the_server);
    tcase_add_test(tcase, the_channels_of_all_servers_are_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
