/*
 * Whole files: what is read from a right one, and what is said of each way to
 * get one wrong.  Run in the source folder; PLACARD_WRITE_SAMPLE=1 rewrites
 * config/placard.cfg.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "config/config.h"
#include "config/sample.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

#define FIXTURES "tests/fixtures/config/"
#define SAMPLE   "config/placard.cfg"

static const struct conf_kind kinds[] = {
    {"forum", false}, {"hub", true}, {NULL, false}};

static struct conf *conf;
static struct buf why;

static void
set_up(void)
{
    setenv("PLACARD_DATA", FIXTURES "data", 1);
    conf = must_alloc(sizeof(*conf));
    buf_init(&why, 0);
}

static void
tear_down(void)
{
    conf_release(conf);
    free(conf);
    buf_release(&why);
}

static void
load(const char *file)
{
    ck_assert_msg(conf_load(conf, file, kinds, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    ck_assert_str_eq(buf_text(&why), "");
}

/* ---- right files --------------------------------------------------------- */

START_TEST(an_empty_file_gives_the_defaults)
{
    load(FIXTURES "empty.cfg");
    ck_assert_str_eq(conf->store, FIXTURES "placard.db");
    ck_assert_str_eq(conf->board, FIXTURES "board.db");
    ck_assert_uint_eq(conf->place_count, 0);

    const struct settings *settings = &conf->settings;
    ck_assert_int_eq(settings->election, 24 * HOUR_MS);
    ck_assert_int_eq(settings->nomination, 12 * HOUR_MS);
    ck_assert_int_eq(settings->president, 12 * HOUR_MS);
    ck_assert_int_eq(settings->chancellor, 12 * HOUR_MS);
    ck_assert_int_eq(settings->veto, 12 * HOUR_MS);
    ck_assert_int_eq(settings->power, 24 * HOUR_MS);
    ck_assert_int_eq(settings->grace, 0);
    ck_assert_str_eq(settings->zone, "UTC");
    ck_assert_str_eq(settings->language, "en");
    ck_assert_str_eq(settings->prefix, "!");
    ck_assert_str_eq(settings->preset, "play-by-post");
    for (size_t i = 0; i < 6; i++) {
        ck_assert_str_eq(settings->rules[i], "");
    }
    ck_assert_str_eq(settings->cards_timeout, "lots");
    ck_assert_str_eq(settings->power_timeout, "forfeit");
    ck_assert_int_eq(settings->misses, 2);
    ck_assert(!settings->random_seats);
}
END_TEST

START_TEST(every_kind_of_setting_is_read)
{
    load(FIXTURES "whole.cfg");
    ck_assert_str_eq(conf->file, FIXTURES "whole.cfg");
    ck_assert_str_eq(conf->store, FIXTURES "games/all.db");
    ck_assert_str_eq(conf->board, "/var/lib/placard/board.db");
    ck_assert_uint_eq(conf->place_count, 2);

    const struct place *one = conf_place(conf, "table one");
    ck_assert_ptr_eq(one, &conf->places[0]);
    ck_assert_str_eq(one->service, "board");
    ck_assert_str_eq(one->address, "");
    ck_assert_uint_eq(one->moderator_count, 2);
    ck_assert_str_eq(one->moderators[0], "Mo");
    ck_assert_str_eq(one->moderators[1], "Zo\xC3\xAB");
    ck_assert_int_eq(one->min_account_age, 30 * DAY_MS);
    ck_assert_uint_eq(one->join_role_count, 2);
    ck_assert_str_eq(one->join_roles[1], "82");

    const struct place *two = conf_place(conf, "table two");
    ck_assert_str_eq(two->service, "forum");
    ck_assert_str_eq(two->address, "t/17");
    ck_assert_uint_eq(two->moderator_count, 0);
    ck_assert_int_eq(two->min_account_age, 0);
    ck_assert_uint_eq(two->join_role_count, 0);
    ck_assert_ptr_null(conf_place(conf, "table three"));
}
END_TEST

START_TEST(services_are_read_with_their_kinds_and_where_their_secrets_are)
{
    load(FIXTURES "whole.cfg");
    ck_assert_uint_eq(conf->account_count, 3);

    const struct account *forum = conf_account(conf, "forum");
    ck_assert_ptr_eq(forum, &conf->accounts[0]);
    ck_assert_str_eq(forum->kind, "forum");
    ck_assert_str_eq(forum->url, "https://forum.example/board");
    ck_assert_str_eq(forum->token_file, FIXTURES "forum.token");
    ck_assert_str_eq(forum->token_env, "");
    ck_assert_str_eq(forum->user, "");
    ck_assert(forum->doorbell);
    ck_assert_str_eq(forum->where,
                     FIXTURES "whole.cfg:19: services[0].token_file");

    const struct account *second = conf_account(conf, "second");
    ck_assert_str_eq(second->kind, "hub");
    ck_assert_str_eq(second->url, "");
    ck_assert_str_eq(second->token_file, "");
    ck_assert_str_eq(second->token_env, "SECOND_PASSWORD");
    ck_assert_str_eq(second->user, "@host:hub.example");
    ck_assert(!second->doorbell);

    const struct account *third = conf_account(conf, "third");
    ck_assert_str_eq(third->kind, "forum");
    ck_assert_str_eq(third->url, "http://127.0.0.1:8008");
    ck_assert_str_eq(third->token_file, "/run/secrets/third");

    ck_assert_ptr_null(conf_account(conf, "board"));
    ck_assert_str_eq(conf_kind_of(conf, "second"), "hub");
    ck_assert_str_eq(conf_kind_of(conf, "board"), "board");
}
END_TEST

START_TEST(a_place_has_the_top_levels_settings_but_for_its_own)
{
    load(FIXTURES "whole.cfg");
    const struct settings *one = &conf->places[0].settings;
    ck_assert_int_eq(one->election, 24 * HOUR_MS);
    ck_assert_int_eq(one->nomination, 6 * HOUR_MS);
    ck_assert_str_eq(one->language, "en");
    ck_assert_str_eq(one->rules[5], "decided");
    ck_assert_int_eq(one->misses, 3);

    const struct settings *two = &conf->places[1].settings;
    ck_assert_mem_eq(two, &conf->settings, sizeof(*two));
    ck_assert_int_eq(two->election, 48 * HOUR_MS);
    ck_assert_int_eq(two->nomination, 36 * HOUR_MS);
    ck_assert_int_eq(two->grace, 0);
    ck_assert_str_eq(two->zone, "Europe/Berlin");
    ck_assert_str_eq(two->language, "nl");
    ck_assert_str_eq(two->prefix, "?");
    ck_assert_str_eq(two->preset, "official");
    ck_assert_str_eq(two->rules[4], "open");
    ck_assert_str_eq(two->rules[5], "");
    ck_assert(two->random_seats);
}
END_TEST

START_TEST(a_place_has_also_what_stands_below_it)
{
    load(FIXTURES "places_first.cfg");
    ck_assert_int_eq(conf->places[0].settings.election, 36 * HOUR_MS);
}
END_TEST

/* ---- wrong files --------------------------------------------------------- */

#define HOW                                                                    \
    " here or just before; a setting is written key = value; with a text in "  \
    "\"quotes\""

#define URL_RIGHT                                                              \
    "an address that begins with https://, or on this machine "                \
    "http://localhost, such as \"https://matrix.example\""

/* The message, without the fixtures' folder. */
static const struct {
    const char *fixture, *why;
} wrong[] = {
    {"syntax", "syntax.cfg:2: syntax error" HOW},
    {"unclosed", "unclosed.cfg:2: syntax error" HOW},
    {"doubled", "doubled.cfg:2: duplicate setting name" HOW},
    {"unknown", "unknown.cfg:2: nominaton: unknown setting; did you mean "
                "\"nomination\"?"},
    {"unknown_far", "unknown_far.cfg:3: colour: unknown setting"},
    {"unknown_in_place",
     "unknown_in_place.cfg:4: places[0].moderator: unknown setting; did you "
     "mean \"moderators\"?"},
    {"wrong_level",
     "wrong_level.cfg:1: moderators: unknown setting here; it stands in a "
     "place\n"
     "wrong_level.cfg:4: places[0].store: unknown setting here; it stands at "
     "the top level"},
    {"no_time", "no_time.cfg:1: election: can't be \"a day\"; write a time "
                "from 1s to 30d, such as \"24h\""},
    {"bare_time", "bare_time.cfg:1: election: can't be a number; write a time "
                  "from 1s to 30d, such as \"24h\""},
    {"time_range",
     "time_range.cfg:1: president: can't be \"31d\"; write a time from 1s to "
     "30d, such as \"12h\"\n"
     "time_range.cfg:2: chancellor: can't be \"0\"; write a time from 1s to "
     "30d, such as \"12h\""},
    {"no_number", "no_number.cfg:1: misses: can't be a text in quotes; write "
                  "a whole number from 0 to 99, such as 2"},
    {"number_range", "number_range.cfg:1: misses: can't be \"-1\"; write a "
                     "whole number from 0 to 99, such as 2"},
    {"no_choice", "no_choice.cfg:1: ballot: can't be \"secret\"; write "
                  "\"open\" or \"sealed\""},
    {"sealed_early", "sealed_early.cfg:2: ballot: sealed votes need "
                     "vote_closes = \"all\": one that can end early tells the "
                     "last voters how the others voted; set that too, or "
                     "ballot = \"open\""},
    {"bool_choice", "bool_choice.cfg:1: seats: can't be true or false; write "
                    "\"signup\" or \"random\""},
    {"no_zone", "no_zone.cfg:1: zone: can't be \"Europe/Belrin\"; write a "
                "time zone, such as \"Europe/Berlin\""},
    {"no_language", "no_language.cfg:1: language: can't be \"../en\"; write "
                    "one of the languages \"en\", \"nl\""},
    {"prefix", "prefix.cfg:1: prefix: can't be \"\"; write 1 to 7 bytes in "
               "quotes without a space"},
    {"prefix_space", "prefix_space.cfg:1: prefix: can't be \"! \"; write 1 to "
                     "7 bytes in quotes without a space"},
    {"long_text",
     "long_text.cfg:2: places[0].name: can't be "
     "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\"; write a text of 1 to 63 "
     "bytes in quotes"},
    {"control", "control.cfg:1: store: can't be \"a b\"; write a file's path, "
                "such as \"placard.db\""},
    {"group_for_text", "group_for_text.cfg:1: board: can't be a group; write "
                       "a file's path, such as \"board.db\""},
    {"no_list",
     "no_list.cfg:2: places[0].moderators: can't be a text in quotes; write a "
     "list of at most 16 texts, such as [ \"Mo\" ]"},
    {"list_of_numbers",
     "list_of_numbers.cfg:2: places[0].moderators[1]: must be a text of 1 to "
     "255 bytes in quotes\n"
     "list_of_numbers.cfg:2: places[0].moderators[2]: must be a text of 1 to "
     "255 bytes in quotes"},
    {"long_list", "long_list.cfg:2: places[0].moderators: can't be a list; "
                  "write a list of at most 16 texts, such as [ \"Mo\" ]"},
    {"places_group",
     "places_group.cfg:1: places: can't be a group; write a list of groups, "
     "such as ( { name = \"board\"; service = \"board\"; } )"},
    {"places_empty",
     "places_empty.cfg:2: places: is empty; write at least one place, such as "
     "( { name = \"board\"; service = \"board\"; } )"},
    {"place_text", "place_text.cfg:1: places[0]: must be a group, such as "
                   "{ name = \"board\"; service = \"board\"; }"},
    {"nameless", "nameless.cfg:2: places[0].name: is missing; write what the "
                 "place is to be called, such as \"board\""},
    {"serviceless", "serviceless.cfg:1: places[0].service: is missing; write "
                    "what kind of place it is, such as \"board\""},
    {"unknown_service",
     "unknown_service.cfg:3: places[0].service: there is no service \"bord\"; "
     "write \"board\""},
    {"twins", "twins.cfg:3: places[1].name: another place is called \"board\" "
              "too; write another name"},
    {"same_address", "same_address.cfg:4: places[1].address: is that of the "
                     "place \"one\" too; write another address"},
    {"starved", "starved.cfg:1: nomination: is longer (1d 1h) than election "
                "(1d), of which it is a part; write at most 1d"},
    {"starved_by_election",
     "starved_by_election.cfg:2: nomination: is longer (12h) than election "
     "(6h), of which it is a part; write at most 6h"},
    {"starved_place",
     "starved_place.cfg:3: places[0].nomination: is longer (12h) than "
     "election (6h), of which it is a part; write at most 6h"},
    {"included", "part.inc:1: misses: can't be \"100\"; write a whole number "
                 "from 0 to 99, such as 2"},
    {"services_text",
     "services_text.cfg:1: services: can't be a text in quotes; write a list of "
     "groups, such as ( { name = \"matrix\"; token_file = \"matrix.token\"; } "
     ")"},
    {"service_text",
     "service_text.cfg:1: services[0]: must be a group, such as { name = "
     "\"matrix\"; token_file = \"matrix.token\"; }"},
    {"service_nameless",
     "service_nameless.cfg:2: services[0].name: is missing; write what the "
     "service is to be called, such as \"matrix\""},
    {"service_board",
     "service_board.cfg:2: services[0].name: \"board\" is the embedded board, "
     "which needs no account; write another name"},
    {"service_twins",
     "service_twins.cfg:3: services[1].name: another service is called \"hub\" "
     "too; write another name"},
    {"service_kind",
     "service_kind.cfg:2: services[0].kind: there is no kind of service called "
     "\"matrx\"; write \"forum\" or \"hub\"\n"
     "service_kind.cfg:5: services[1].kind: there is no kind of service called "
     "\"board\"; write \"forum\" or \"hub\""},
    {"service_bad_url",
     "service_bad_url.cfg:2: services[0].url: can't be \"forum.example\"; "
     "write " URL_RIGHT},
    {"service_urlless",
     "service_urlless.cfg:1: services[0].url: is missing; write " URL_RIGHT},
    {"service_url",
     "service_url.cfg:3: services[0].url: can't be \"http://forum.example\"; "
     "write " URL_RIGHT "\n"
     "service_url.cfg:5: services[1].url: can't be "
     "\"https://bot@forum.example\"; write " URL_RIGHT "\n"
     "service_url.cfg:7: services[2].url: can't be "
     "\"http://127.0.0.1.example\"; write " URL_RIGHT "\n"
     "service_url.cfg:9: services[3].url: can't be "
     "\"http://localhost.example\"; write " URL_RIGHT "\n"
     "service_url.cfg:11: services[4].url: can't be \"forum.example\"; write " URL_RIGHT},
    {"service_secretless",
     "service_secretless.cfg:2: services[0].token_file: is missing; write where "
     "the account's token is, such as \"matrix.token\", or name a variable in "
     "token_env"},
    {"service_two_secrets",
     "service_two_secrets.cfg:3: services[0].token_env: token_file says where "
     "the token is, too; leave one of the two out"},
    {"service_buttons",
     "service_buttons.cfg:4: services[0].buttons: they need the doorbell; "
     "write doorbell = \"on\""},
    {"service_commands",
     "service_commands.cfg:4: services[0].commands: they need the doorbell; "
     "write doorbell = \"on\""},
    {"service_classes",
     "service_classes.cfg:4: services[0].bold_classes: write only names of "
     "classes, with blanks between and no dots, such as \"strong-text\""},
    {"service_misspelt",
     "service_misspelt.cfg:2: services[0].tokenfile: unknown setting; did you "
     "mean \"token_file\"?\n"
     "service_misspelt.cfg:4: services[0].election: unknown setting here; it "
     "stands at the top level or in a place\n"
     "service_misspelt.cfg:5: services[0].address: unknown setting here; it "
     "stands in a place"},
    {"place_misspelt_service",
     "place_misspelt_service.cfg:3: places[0].service: there is no service "
     "\"hab\"; write \"board\" or \"hub\""},
    {"many",
     "many.cfg:1: election: can't be \"x\"; write a time from 1s to 30d, such "
     "as \"24h\"\n"
     "many.cfg:2: colour: unknown setting\n"
     "many.cfg:6: places[0].misses: can't be a text in quotes; write a whole "
     "number from 0 to 99, such as 2\n"
     "many.cfg:7: places[0].power_timout: unknown setting; did you mean "
     "\"power_timeout\"?\n"
     "many.cfg:5: places[0].service: there is no service \"nowhere\"; write "
     "\"board\""},
};

enum {
    WRONG = sizeof(wrong) / sizeof(wrong[0])
};

/* Drop every mention of the fixtures' folder. */
static void
shorten(const char *text, struct buf *out)
{
    const char *found = strstr(text, FIXTURES);

    while (found != NULL) {
        buf_add(out, text, (size_t)(found - text));
        text = found + strlen(FIXTURES);
        found = strstr(text, FIXTURES);
    }
    buf_add_text(out, text);
}

START_TEST(every_mistake_is_named_with_its_line_and_what_would_be_right)
{
    struct buf path = BUF_INIT;
    struct buf said = BUF_INIT;

    buf_addf(&path, FIXTURES "%s.cfg", wrong[_i].fixture);
    ck_assert_int_eq(conf_load(conf, buf_text(&path), kinds, &why), ERR_CONFIG);
    shorten(buf_text(&why), &said);
    ck_assert_str_eq(buf_text(&said), wrong[_i].why);
    buf_release(&path);
    buf_release(&said);
}
END_TEST

START_TEST(a_file_that_is_not_there_is_gone)
{
    ck_assert_int_eq(conf_load(conf, FIXTURES "none.cfg", kinds, &why),
                     ERR_GONE);
    ck_assert_str_eq(buf_text(&why),
                     FIXTURES "none.cfg: no such file or folder");
}
END_TEST

START_TEST(a_path_that_is_too_long_is_refused)
{
    char path[SETTING_TEXT_MAX + 1];

    memset(path, 'x', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    ck_assert_int_eq(conf_load(conf, path, kinds, &why), ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "the path is too long"));
}
END_TEST

/* ---- very many ----------------------------------------------------------- */

enum {
    MANY_SERVICES = 300,
    MANY_PLACES = 10000
};

/* The path of a file with so many services and places, and one more place. */
static const char *
write_many(const char *one_more)
{
    struct buf text = BUF_INIT;

    buf_add_text(&text, "services = (\n");
    for (int i = 0; i < MANY_SERVICES; i++) {
        buf_addf(&text,
                 "%s{ name = \"s%d\"; kind = \"hub\"; token_env = \"T%d\"; }",
                 i == 0 ? "" : ",\n", i, i);
    }
    buf_add_text(&text, ");\nplaces = (\n");
    for (int i = 0; i < MANY_PLACES; i++) {
        buf_addf(&text,
                 "  { name = \"p%d\"; service = \"s%d\"; address = "
                 "\"room %d\"; misses = %d; },\n",
                 i, i % MANY_SERVICES, i / MANY_SERVICES, i % 90);
    }
    buf_addf(&text, "  %s );\n", one_more);
    const char *path = scratch_path("many.cfg");
    ck_assert_int_eq(file_write(path, buf_text(&text), text.len, 0644, &why),
                     ERR_NONE);
    buf_release(&text);
    return path;
}

START_TEST(as_many_services_and_places_are_read_as_there_are)
{
    scratch_make();
    load(write_many("{ name = \"last\"; service = \"board\"; }"));
    ck_assert_uint_eq(conf->account_count, MANY_SERVICES);
    ck_assert_uint_eq(conf->place_count, MANY_PLACES + 1);
    ck_assert_str_eq(conf_kind_of(conf, "s299"), "hub");
    const struct place *place = conf_place(conf, "p9999");
    ck_assert_ptr_eq(place, &conf->places[9999]);
    ck_assert_str_eq(place->service, "s99");
    ck_assert_str_eq(place->address, "room 33");
    ck_assert_int_eq(place->settings.misses, 9999 % 90);
    ck_assert_ptr_eq(conf_place(conf, "last"), &conf->places[MANY_PLACES]);
    scratch_remove();
}
END_TEST

START_TEST(two_alike_are_found_among_very_many)
{
    scratch_make();
    const char *path =
        write_many("{ name = \"p0\"; service = \"s7\"; address = "
                   "\"room 1\"; }, { name = \"x\"; service = "
                   "\"s300\"; }");
    ck_assert_int_eq(conf_load(conf, path, kinds, &why), ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(
        buf_text(&why), ": places[10000].name: another place is called \"p0\" "
                        "too; write another name\n"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&why), ": places[10000].address: is that of the place "
                               "\"p307\" too; write another address\n"));
    ck_assert_ptr_nonnull(
        strstr(buf_text(&why),
               ": places[10001].service: there is no service \"s300\""));
    scratch_remove();
}
END_TEST

/* ---- the sample ---------------------------------------------------------- */

START_TEST(the_sample_file_is_what_the_table_prints)
{
    struct buf printed = BUF_INIT;
    struct buf kept = BUF_INIT;

    conf_sample(&printed);
    if (getenv("PLACARD_WRITE_SAMPLE") != NULL) {
        ck_assert_int_eq(
            file_write(SAMPLE, buf_text(&printed), printed.len, 0644, &why),
            ERR_NONE);
    }
    ck_assert_msg(file_read(SAMPLE, &kept, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    ck_assert_str_eq(buf_text(&kept), buf_text(&printed));
    buf_release(&printed);
    buf_release(&kept);
}
END_TEST

START_TEST(the_sample_works_as_it_stands)
{
    load(SAMPLE);
    ck_assert_str_eq(conf->store, "config/placard.db");
    ck_assert_uint_eq(conf->place_count, 1);
    ck_assert_str_eq(conf->places[0].name, "board");
    ck_assert_str_eq(conf->places[0].service, "board");
    ck_assert_uint_eq(conf->places[0].moderator_count, 1);
    ck_assert_str_eq(conf->places[0].moderators[0], "Mo");
    ck_assert_str_eq(conf->places[0].publish, "off");
}
END_TEST

/* Take the comment sign from before each setting in a comment. */
static void
uncomment(const char *text, struct buf *out)
{
    bool line_begins = true;

    for (; *text != '\0'; text++) {
        bool setting = line_begins && text[0] == '#' && text[1] != ' ';
        if (!setting) {
            buf_add_char(out, *text);
        }
        line_begins = *text == '\n' || (line_begins && *text == ' ');
    }
}

START_TEST(the_samples_comments_say_the_defaults)
{
    const char *path;
    struct buf printed = BUF_INIT;
    struct buf bare = BUF_INIT;
    struct settings defaults;

    scratch_make();
    path = scratch_path("sample.cfg");
    settings_defaults(&defaults);
    conf_sample(&printed);
    uncomment(buf_text(&printed), &bare);
    ck_assert_int_eq(file_write(path, buf_text(&bare), bare.len, 0600, &why),
                     ERR_NONE);
    load(path);
    ck_assert_str_eq(conf->store, scratch_path("placard.db"));
    scratch_remove();

    /* Red stands there as the board has it, the options as the default preset
     * has them. */
    ck_assert_str_eq(conf->settings.red, "required");
    memset(conf->settings.red, 0, sizeof(conf->settings.red));
    for (size_t i = 0;
         i < sizeof conf->settings.rules / sizeof conf->settings.rules[0];
         i++) {
        ck_assert_str_ne(conf->settings.rules[i], "");
        memset(conf->settings.rules[i], 0, sizeof(conf->settings.rules[i]));
    }
    ck_assert_mem_eq(&conf->settings, &defaults, sizeof(defaults));
    buf_release(&printed);
    buf_release(&bare);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("config/config");
    TCase *tcase = tcase_create("config");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, an_empty_file_gives_the_defaults);
    tcase_add_test(tcase, every_kind_of_setting_is_read);
    tcase_add_test(
        tcase, services_are_read_with_their_kinds_and_where_their_secrets_are);
    tcase_add_test(tcase, a_place_has_the_top_levels_settings_but_for_its_own);
    tcase_add_test(tcase, a_place_has_also_what_stands_below_it);
    tcase_add_loop_test(
        tcase, every_mistake_is_named_with_its_line_and_what_would_be_right, 0,
        WRONG);
    tcase_add_test(tcase, a_file_that_is_not_there_is_gone);
    tcase_add_test(tcase, a_path_that_is_too_long_is_refused);
    tcase_add_test(tcase, as_many_services_and_places_are_read_as_there_are);
    tcase_add_test(tcase, two_alike_are_found_among_very_many);
    tcase_add_test(tcase, the_sample_file_is_what_the_table_prints);
    tcase_add_test(tcase, the_sample_works_as_it_stands);
    tcase_add_test(tcase, the_samples_comments_say_the_defaults);
    suite_add_tcase(suite, tcase);
    return suite;
}
