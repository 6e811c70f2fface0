#include <string.h>

#include <check.h>

#include "bot/host/words/speech.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct host_env env;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    env = (struct host_env){.catalogue = stage_catalogue(room.stage, NULL),
                            .dialect = &dialect_board,
                            .capabilities = &adapter_board.capabilities,
                            .zone = zone_utc()};
}

static void
tear_down(void)
{
    room_release(&room);
}

START_TEST(players_who_are_mentioned_are_named)
{
    static struct table table = {.seated = 2,
                                 .seats = {{.user = "30", .name = "Anna"},
                                           {.user = "300", .name = "Bob"}}};
    struct buf quote = BUF_INIT;

    speech_quote(&table, "ask @300 and @30, not @31; 30 @ me@x", &quote);
    ck_assert_str_eq(buf_text(&quote), "ask Bob and Anna, not @31; 30 @ me@x");
    buf_release(&quote);
}
END_TEST

/* The last parameter of a name; NULL: none. */
static const struct param *
param(const struct speech *speech, const char *name)
{
    const struct param *found = NULL;
    for (unsigned i = 0; i < speech->params.count; i++) {
        if (strcmp(speech->params.list[i].name, name) == 0) {
            found = &speech->params.list[i];
        }
    }
    return found;
}

static int64_t
number(const struct speech *speech, const char *name)
{
    const struct param *found = param(speech, name);
    ck_assert_msg(found != NULL && found->kind == PARAM_NUMBER, "%s", name);
    return found->is.number;
}

static const char *
own_text(const struct speech *speech, const char *name)
{
    const struct param *found = param(speech, name);
    ck_assert_msg(found != NULL && found->kind == PARAM_BUF, "%s", name);
    return buf_text(found->is.buf);
}

static const struct rich *
rich(const struct speech *speech, const char *name)
{
    const struct param *found = param(speech, name);
    ck_assert_msg(found != NULL && found->kind == PARAM_RICH, "%s", name);
    return found->is.rich;
}

static void
assert_people(const struct speech *speech, const char *name,
              const char *expected)
{
    struct buf got = BUF_INIT;
    const struct param *found = param(speech, name);
    for (unsigned i = 0; i < speech->params.people_count; i++) {
        if (found == &speech->params.list[speech->params.people[i].list]) {
            buf_addf(&got, "%s%s", got.len > 0 ? " " : "",
                     speech->params.people[i].name);
        }
    }
    ck_assert_str_eq(buf_text(&got), expected);
    buf_release(&got);
}

START_TEST(a_speech_in_the_sign_up_knows_of_the_sign_up)
{
    struct speech speech;
    room_says(&room, "Mo", "!new players=6-8");
    room_says(&room, "Anna", "!join");
    room_says(&room, "Bob", "!join");
    speech_init(&speech, &env, room_table(&room), NULL);
    ck_assert_int_eq(number(&speech, "least"), 6);
    ck_assert_int_eq(number(&speech, "most"), 8);
    ck_assert_int_eq(number(&speech, "fewer"), 1);
    ck_assert_int_eq(number(&speech, "count"), 2);
    ck_assert_str_eq(param(&speech, "opener")->is.text, "Mo");
    ck_assert_str_eq(param(&speech, "prefix")->is.text, "!");
    assert_people(&speech, "players", "Anna Bob");
    ck_assert_ptr_null(param(&speech, "president"));
    speech_release(&speech);
}
END_TEST

START_TEST(a_speech_of_a_nomination_knows_who_may_be_named)
{
    struct speech speech;
    room_begin(&room, 6);
    room_governs(&room, 1, false);
    speech_init(&speech, &env, room_table(&room), NULL);
    ck_assert_int_eq(number(&speech, "round"), 2);
    assert_people(&speech, "president", "Bob");
    assert_people(&speech, "chancellor", "");
    assert_people(&speech, "eligible", "Carl Dora Emil Frida");
    assert_people(&speech, "choices", "Carl Dora Emil Frida");
    assert_people(&speech, "limited", "Anna");
    assert_people(&speech, "awaited", "Bob");
    assert_people(&speech, "next", "Carl");
    assert_people(&speech, "everybody", "Anna Bob Carl Dora Emil Frida");
    ck_assert_int_eq(number(&speech, "present"), 6);
    ck_assert_int_eq(number(&speech, "majority"), 4);
    ck_assert_int_eq(number(&speech, "enacting"), 1);
    ck_assert_int_eq(number(&speech, "danger"), 0);
    ck_assert_int_eq(number(&speech, "tracker"), 0);
    ck_assert_int_eq(number(&speech, "last_chance"), 0);
    ck_assert_int_eq(number(&speech, "fascist"), 1);
    ck_assert_int_eq(number(&speech, "deck"), 14);
    ck_assert_int_eq(number(&speech, "discards"), 2);
    ck_assert_str_eq(buf_text(&rich(&speech, "deadline")->text),
                     "Sat 21 Nov, 22:00 UTC");
    ck_assert_str_eq(own_text(&speech, "fascist_tiles"), "🟥⬜⬜⬜⬜⬜");
    ck_assert_str_eq(own_text(&speech, "power"), "");
    speech_release(&speech);
}
END_TEST

START_TEST(a_speech_can_be_of_a_round_that_is_over)
{
    struct speech speech;
    room_begin(&room, 6);
    room_governs(&room, 1, false);
    const struct table *table = room_table(&room);
    ck_assert_ptr_eq(speech_round(table, 1), &table->past[0]);
    ck_assert_ptr_null(speech_round(table, 3));
    speech_init(&speech, &env, table, speech_round(table, 1));
    ck_assert_int_eq(number(&speech, "round"), 1);
    assert_people(&speech, "president", "Anna");
    assert_people(&speech, "chancellor", "Bob");
    speech_release(&speech);
}
END_TEST

START_TEST(examples_show_both_words_as_code)
{
    struct speech speech;
    room_begin(&room, 5);
    speech_init(&speech, &env, room_table(&room), NULL);
    const struct rich *vote = rich(&speech, "vote_example");
    ck_assert_str_eq(buf_text(&vote->text), "**Ja!** or **Nein!**");
    ck_assert_str_eq(buf_text(&rich(&speech, "veto_example")->text),
                     "**Approved** or **Declined**");
    ck_assert_uint_eq(vote->runs[0].marks, MARK_CODE);
    ck_assert_uint_eq(vote->runs[1].marks, 0);
    speech_release(&speech);
}
END_TEST

/* Is what is to be typed long enough for the service, or is it said that it is
 * not? */
static void
assert_long_enough(const struct rich *example,
                   const struct capabilities *capabilities)
{
    char least[16];
    bool is_short = false;
    (void)snprintf(least, sizeof least, " %zu ", capabilities->shortest);
    for (size_t i = 0; i < example->count; i++) {
        const struct run *run = &example->runs[i];
        is_short =
            is_short || (run->marks == MARK_CODE &&
                         length_of(LENGTH_POINTS, rich_run_text(example, run),
                                   run->len) < capabilities->shortest);
    }
    ck_assert_msg(is_short == (strstr(buf_text(&example->text), least) != NULL),
                  "%s", buf_text(&example->text));
}

static void
assert_examples_fit(const struct adapter *adapter)
{
    struct speech speech;
    struct table table = *room_table(&room);
    size_t shortest = adapter->capabilities.shortest;
    env.capabilities = &adapter->capabilities;
    env.dialect = adapter->dialect;
    speech_init(&speech, &env, &table, NULL);
    const struct rich *vote = rich(&speech, "vote_example");
    for (size_t i = 0; i < vote->count; i++) {
        const struct run *run = &vote->runs[i];
        ck_assert_msg(run->marks != MARK_CODE ||
                          length_of(LENGTH_POINTS, rich_run_text(vote, run),
                                    run->len) >= shortest,
                      "%s: %s", adapter->name, buf_text(&vote->text));
    }
    assert_long_enough(rich(&speech, "veto_example"), &adapter->capabilities);
    assert_long_enough(rich(&speech, "name_example"), &adapter->capabilities);
    ck_assert_int_eq(number(&speech, "shortest"),
                     shortest > strlen("!join") ? (int64_t)shortest : 0);
    speech_release(&speech);
}

static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};

/* Discourse takes no post of less than 20 characters, NodeBB none of less than
 * 8, as they are set up. */
START_TEST(examples_are_long_enough_for_the_shortest_post_of_each_service)
{
    struct catalogue catalogue;
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        catalogue_load(&catalogue, languages[_i], THEME_ORIGINAL, &why),
        ERR_NONE);
    env.catalogue = &catalogue;
    room_begin(&room, 5);
    for (size_t i = 0; service_kinds[i] != NULL; i++) {
        assert_examples_fit(service_kinds[i]->adapter);
    }
    catalogue_release(&catalogue);
}
END_TEST

START_TEST(a_sealed_vote_is_one_word_however_short)
{
    struct speech speech;
    room_begin(&room, 5);
    struct table table = *room_table(&room);
    table.game.rules.ballot = BALLOT_SEALED;
    env.capabilities = &adapter_discourse.capabilities;
    speech_init(&speech, &env, &table, NULL);
    ck_assert_str_eq(buf_text(&rich(&speech, "vote_example")->text),
                     "**Ja!** or **Nein!**");
    speech_release(&speech);
}
END_TEST

START_TEST(the_examples_of_a_vote_are_the_games_own_words)
{
    struct speech speech;
    room_begin(&room, 5);
    struct table table = *room_table(&room);
    TEXT_COPY(table.settings.words, "Ja/Nee,Nein");
    speech_init(&speech, &env, &table, NULL);
    ck_assert_str_eq(buf_text(&rich(&speech, "vote_example")->text),
                     "**Ja** or **Nee**");
    ck_assert_str_eq(speech_vote(&speech, true), "Ja");
    ck_assert_str_eq(speech_vote(&speech, false), "Nee");
    speech_release(&speech);
}
END_TEST

static const struct {
    const char *setting;
    bool red; /* at the service */
    bool shown;
} reds[] = {
    {"", true, true},   {"accepted", true, false},  {"required", true, true},
    {"", false, false}, {"required", false, false},
};

START_TEST(the_example_of_a_name_is_red_where_red_is_required)
{
    struct speech speech;
    struct capabilities capabilities = adapter_board.capabilities;
    room_begin(&room, 5);
    struct table table = *room_table(&room);
    TEXT_COPY(table.settings.red, reds[_i].setting);
    capabilities.red = reds[_i].red;
    env.capabilities = &capabilities;
    speech_init(&speech, &env, &table, NULL);
    ck_assert_str_eq(buf_text(&rich(&speech, "name_example")->text),
                     reds[_i].shown ? "[b][color=red]name[/color][/b]"
                                    : "**name**");
    ck_assert_int_eq(number(&speech, "red"), reds[_i].shown);
    speech_release(&speech);
}
END_TEST

START_TEST(paragraphs_have_a_blank_line_between_them)
{
    struct speech speech;
    struct rich out = {.count = 0};
    room_begin(&room, 5);
    speech_init(&speech, &env, room_table(&room), NULL);
    speech_say(&speech, "power_peek", &out);
    speech_say(&speech, "power_peek", &out);
    speech_add(&speech, "and", &out);
    ck_assert_str_eq(buf_text(&out.text), "policy peek\n\npolicy peek and ");
    speech_release(&speech);
    rich_release(&out);
}
END_TEST

START_TEST(policies_and_powers_have_their_words)
{
    struct buf out = BUF_INIT;
    struct pile pile = {0, 0};
    ck_assert_str_eq(speech_policy(&env, true, false), "Liberal");
    ck_assert_str_eq(speech_policy(&env, false, true), "FASCIST");
    pile_add(&pile, false);
    pile_add(&pile, true);
    pile_add(&pile, false);
    speech_letters(&env, pile, &out);
    speech_power(&env, POWER_NONE, 1, &out);
    ck_assert_str_eq(buf_text(&out), "FLF");
    buf_clear(&out);
    speech_power(&env, POWER_EXECUTION, 4, &out);
    buf_add_char(&out, '/');
    speech_power(&env, POWER_EXECUTION, 5, &out);
    ck_assert_str_eq(buf_text(&out), "execution/execution + veto");
    buf_release(&out);
}
END_TEST

START_TEST(a_chancellors_cards_are_shown_liberal_first)
{
    static const struct {
        const char *hand;
        bool chancellor;
        uint8_t first, second;
    } cases[] = {
        {"FL", true, 1, 0}, {"LF", true, 0, 1},   {"FF", true, 0, 1},
        {"LL", true, 0, 1}, {"FLF", false, 0, 1}, {"FFL", false, 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pile hand = reshuffle(cases[i].hand).tiles;
        uint8_t order[3];
        speech_order(hand, cases[i].chancellor, order);
        ck_assert_uint_eq(order[0], cases[i].first);
        ck_assert_uint_eq(order[1], cases[i].second);
        ck_assert_uint_eq(order[2], 2);
    }
}
END_TEST

START_TEST(seats_are_counted_and_named)
{
    struct speech speech;
    room_begin(&room, 5);
    ck_assert_uint_eq(speech_count(0), 0);
    ck_assert_uint_eq(speech_count(0x3ff), 10);
    ck_assert_uint_eq(speech_count(seat_bit(9) | seat_bit(0)), 2);
    speech_init(&speech, &env, room_table(&room), NULL);
    speech_seats(&speech, "some", seat_bit(0) | seat_bit(3));
    speech_seat(&speech, "some", 4);
    speech_seat(&speech, "nobody", NO_SEAT);
    assert_people(&speech, "some", "Anna Dora Emil");
    ck_assert_ptr_null(param(&speech, "nobody"));
    speech_release(&speech);
}
END_TEST

START_TEST(in_a_session_the_discards_are_those_from_before_it)
{
    struct speech speech;
    int64_t discards[3];
    room_begin(&room, 5);
    room_governs(&room, 1, false);
    room_elects(&room, 2);
    for (unsigned i = 0; i < 3; i++) {
        speech_init(&speech, &env, room_table(&room), NULL);
        discards[i] = number(&speech, "discards");
        speech_release(&speech);
        if (i == 0) {
            room_discards(&room, false);
        } else if (i == 1) {
            room_enacts(&room, false);
        }
    }
    ck_assert_int_eq(discards[0], 2);
    ck_assert_int_eq(discards[1], 2);
    ck_assert_int_eq(discards[2], 4);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/speech");
    TCase *tcase = tcase_create("speech");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_speech_in_the_sign_up_knows_of_the_sign_up);
    tcase_add_test(tcase, a_speech_of_a_nomination_knows_who_may_be_named);
    tcase_add_test(tcase, a_speech_can_be_of_a_round_that_is_over);
    tcase_add_test(tcase, examples_show_both_words_as_code);
    tcase_add_loop_test(
        tcase, examples_are_long_enough_for_the_shortest_post_of_each_service,
        0, sizeof languages / sizeof languages[0]);
    tcase_add_test(tcase, a_sealed_vote_is_one_word_however_short);
    tcase_add_test(tcase, the_examples_of_a_vote_are_the_games_own_words);
    tcase_add_loop_test(tcase,
                        the_example_of_a_name_is_red_where_red_is_required, 0,
                        sizeof reds / sizeof reds[0]);
    tcase_add_test(tcase, paragraphs_have_a_blank_line_between_them);
    tcase_add_test(tcase, policies_and_powers_have_their_words);
    tcase_add_test(tcase, a_chancellors_cards_are_shown_liberal_first);
    tcase_add_test(tcase, seats_are_counted_and_named);
    tcase_add_test(tcase, players_who_are_mentioned_are_named);
    tcase_add_test(tcase, in_a_session_the_discards_are_those_from_before_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
