#include <string.h>

#include "bot/record/record.h"
#include "tests/support/record_lines.h"
#include "tests/support/runner.h"

/* 2026-11-21T10:00:00.999Z: the record has whole seconds. */
#define AT INT64_C(1795255200999)

static const struct record_head head = {7, AT};

static const char *const names[] = {"Ann",   "Bob", "Zo\xC3\xAB", "D \"J\"",
                                    "Eve\\", "Fay", "Gus",        "Hal",
                                    "Ida",   "Joe"};

/* One whole line was written, and its head is that of all. */
static void
assert_line(struct buf *out, const char *rest)
{
    struct buf line = BUF_INIT;
    buf_add_text(&line, "{\"seq\":7,\"at\":\"2026-11-21T10:00:00Z\",");
    buf_add_text(&line, rest);
    buf_add_text(&line, "}\n");
    ck_assert_str_eq(buf_text(out), buf_text(&line));
    buf_release(&line);
    buf_release(out);
}

static struct pile
pile_of(const char *tiles)
{
    struct pile pile = {0, 0};
    for (; *tiles != '\0'; tiles++) {
        pile_add(&pile, *tiles == 'L');
    }
    return pile;
}

START_TEST(opened_has_the_preset_and_all_options)
{
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "play-by-post"));
    struct buf out = BUF_INIT;
    record_write_opened(&out, head, "tuesday-3", "play-by-post", &rules, NULL);
    assert_line(&out,
                "\"event\":\"opened\",\"format\":\"placard-record/1\","
                "\"game\":\"tuesday-3\",\"rules\":{\"preset\":\"play-by-post\","
                "\"hitler_knows_fascists\":\"never\","
                "\"term_limit\":\"last_enacted\","
                "\"president_term_limit\":\"always\","
                "\"tracker_resets_on\":\"election\",\"ballot\":\"open\","
                "\"vote_closes\":\"majority\"},\"commitment\":null");
    ck_assert(rules_set_preset(&rules, "official"));
    record_write_opened(&out, head, "x", "official", &rules, "abc");
    assert_line(&out, "\"event\":\"opened\",\"format\":\"placard-record/1\","
                      "\"game\":\"x\",\"rules\":{\"preset\":\"official\","
                      "\"hitler_knows_fascists\":\"small\","
                      "\"term_limit\":\"last_elected\","
                      "\"president_term_limit\":\"over_five_living\","
                      "\"tracker_resets_on\":\"policy\",\"ballot\":\"sealed\","
                      "\"vote_closes\":\"all\"},\"commitment\":\"abc\"");
}
END_TEST

START_TEST(opened_has_the_house_rules_that_are_on)
{
    struct rules rules;
    struct buf out = BUF_INIT;
    ck_assert(rules_set_preset(&rules, "official"));
    ck_assert(rules_set(&rules, "chaos_power", "on"));
    record_write_opened(&out, head, "x", "official", &rules, NULL);
    ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"vote_closes\":\"all\","
                                                 "\"chaos_power\":\"on\"},"));
    buf_release(&out);
    ck_assert(rules_set(&rules, "tie_elects_hitler", "on"));
    record_write_opened(&out, head, "x", "official", &rules, NULL);
    ck_assert_ptr_nonnull(strstr(buf_text(&out), "\"vote_closes\":\"all\","
                                                 "\"tie_elects_hitler\":\"on\","
                                                 "\"chaos_power\":\"on\"},"));
    buf_release(&out);
}
END_TEST

START_TEST(seated_has_the_names_in_seat_order)
{
    struct buf out = BUF_INIT;
    record_write_seated(&out, head, names, 5, NULL, NULL);
    assert_line(&out, "\"event\":\"seated\",\"players\":[\"Ann\",\"Bob\","
                      "\"Zo\xC3\xAB\",\"D \\\"J\\\"\",\"Eve\\\\\"],"
                      "\"transcript\":null");
    record_write_seated(&out, head, names, 10, "SH-DEAL-1\ngame: x\n", NULL);
    assert_line(&out, "\"event\":\"seated\",\"players\":[\"Ann\",\"Bob\","
                      "\"Zo\xC3\xAB\",\"D \\\"J\\\"\",\"Eve\\\\\",\"Fay\","
                      "\"Gus\",\"Hal\",\"Ida\",\"Joe\"],"
                      "\"transcript\":\"SH-DEAL-1\\ngame: x\\n\"");
    record_write_seated(&out, head, names, 5, NULL, "00ff");
    assert_line(&out, "\"event\":\"seated\",\"players\":[\"Ann\",\"Bob\","
                      "\"Zo\xC3\xAB\",\"D \\\"J\\\"\",\"Eve\\\\\"],"
                      "\"transcript\":null,\"key\":\"00ff\"");
}
END_TEST

struct line_case {
    struct event event;
    const char *tiles; /* of event.cards, or NULL */
    const char *line;
};

/* Each kind of the engine's events, and each form it has. */
static const struct line_case line_cases[] = {
    {{.kind = EVENT_DEALT, .target = 3, .seats = 1U << 1},
     "LFFFFFFFFFFFLLLLL",
     "\"dealt\",\"roles\":{\"Ann\":\"liberal\",\"Bob\":\"fascist\","
     "\"Zo\xC3\xAB\":\"liberal\",\"D \\\"J\\\"\":\"hitler\","
     "\"Eve\\\\\":\"liberal\"},\"deck\":[\"L\",\"F\",\"F\",\"F\",\"F\",\"F\","
     "\"F\",\"F\",\"F\",\"F\",\"F\",\"F\",\"L\",\"L\",\"L\",\"L\",\"L\"]"},
    {{.kind = EVENT_ROUND, .round = 12, .seat = 1, .seats = 1U << 0 | 1U << 4},
     NULL,
     "\"round\",\"round\":12,\"president\":\"Bob\",\"special\":false,"
     "\"eligible\":[\"Ann\",\"Eve\\\\\"]"},
    {{.kind = EVENT_ROUND, .round = 1, .seat = 0, .yes = true},
     NULL,
     "\"round\",\"round\":1,\"president\":\"Ann\",\"special\":true,"
     "\"eligible\":[]"},
    {{.kind = EVENT_NOMINATED, .seat = 0, .target = 1},
     NULL,
     "\"nominated\",\"president\":\"Ann\",\"chancellor\":\"Bob\""},
    {{.kind = EVENT_VOTED, .seat = 0, .yes = true},
     NULL,
     "\"voted\",\"player\":\"Ann\",\"vote\":\"ja\""},
    {{.kind = EVENT_VOTED, .seat = 1},
     NULL,
     "\"voted\",\"player\":\"Bob\",\"vote\":\"nein\""},
    {{.kind = EVENT_ELECTION,
      .target = 1,
      .yes = true,
      .ja = 3,
      .nein = 2,
      .reason = ELECTION_MAJORITY,
      .seats = 7},
     NULL,
     "\"election\",\"elected\":true,\"ja\":3,\"nein\":2,"
     "\"reason\":\"majority\",\"tracker\":0"},
    {{.kind = EVENT_ELECTION,
      .nein = 3,
      .reason = ELECTION_REJECTED,
      .tracker = 2},
     NULL,
     "\"election\",\"elected\":false,\"ja\":0,\"nein\":3,"
     "\"reason\":\"rejected\",\"tracker\":2"},
    {{.kind = EVENT_ELECTION,
      .target = NO_SEAT,
      .reason = ELECTION_DEADLINE,
      .tracker = 3},
     NULL,
     "\"election\",\"elected\":false,\"ja\":0,\"nein\":0,"
     "\"reason\":\"deadline\",\"tracker\":3"},
    {{.kind = EVENT_CLEARED, .seat = 1},
     NULL,
     "\"cleared\",\"player\":\"Bob\""},
    {{.kind = EVENT_HAND, .seat = 0},
     "FLF",
     "\"hand\",\"to\":\"Ann\",\"cards\":[\"F\",\"L\",\"F\"]"},
    {{.kind = EVENT_PASSED, .seat = 0, .target = 1},
     "LF",
     "\"passed\",\"president\":\"Ann\",\"discarded\":\"F\","
     "\"cards\":[\"L\",\"F\"]"},
    {{.kind = EVENT_PASSED, .seat = 0, .target = 1, .is_liberal = true},
     "FF",
     "\"passed\",\"president\":\"Ann\",\"discarded\":\"L\","
     "\"cards\":[\"F\",\"F\"]"},
    {{.kind = EVENT_VETO_ASKED, .seat = 1},
     NULL,
     "\"veto_asked\",\"chancellor\":\"Bob\""},
    {{.kind = EVENT_VETO_ANSWERED, .seat = 0, .yes = true, .tracker = 1},
     NULL,
     "\"veto_answered\",\"president\":\"Ann\",\"agreed\":true,\"tracker\":1"},
    {{.kind = EVENT_VETO_ANSWERED, .seat = 0},
     NULL,
     "\"veto_answered\",\"president\":\"Ann\",\"agreed\":false,\"tracker\":0"},
    {{.kind = EVENT_ENACTED, .target = 1, .fascist = 5},
     NULL,
     "\"enacted\",\"policy\":\"F\",\"by\":\"government\",\"liberal\":0,"
     "\"fascist\":5,\"tracker\":0"},
    {{.kind = EVENT_ENACTED,
      .seat = NO_SEAT,
      .target = NO_SEAT,
      .is_liberal = true,
      .by_chaos = true,
      .liberal = 2},
     NULL,
     "\"enacted\",\"policy\":\"L\",\"by\":\"chaos\",\"liberal\":2,"
     "\"fascist\":0,\"tracker\":0"},
    {{.kind = EVENT_RESHUFFLED},
     "FFLF",
     "\"reshuffled\",\"deck\":[\"F\",\"F\",\"L\",\"F\"]"},
    {{.kind = EVENT_POWER, .seat = 0, .power = POWER_SPECIAL_ELECTION},
     NULL,
     "\"power\",\"power\":\"special_election\",\"president\":\"Ann\""},
    {{.kind = EVENT_POWER, .seat = 0, .power = POWER_PEEK},
     NULL,
     "\"power\",\"power\":\"peek\",\"president\":\"Ann\""},
    {{.kind = EVENT_INVESTIGATED,
      .seat = 0,
      .target = 1,
      .party = PARTY_FASCIST},
     NULL,
     "\"investigated\",\"president\":\"Ann\",\"target\":\"Bob\","
     "\"party\":\"fascist\""},
    {{.kind = EVENT_SPECIAL_CALLED, .seat = 0, .target = 1},
     NULL,
     "\"special_called\",\"president\":\"Ann\",\"target\":\"Bob\""},
    {{.kind = EVENT_PEEKED, .seat = 0},
     "LLF",
     "\"peeked\",\"president\":\"Ann\",\"cards\":[\"L\",\"L\",\"F\"]"},
    {{.kind = EVENT_EXECUTED, .seat = 0, .target = 1},
     NULL,
     "\"executed\",\"president\":\"Ann\",\"target\":\"Bob\""},
    {{.kind = EVENT_FORFEITED, .seat = 0, .power = POWER_INVESTIGATE},
     NULL,
     "\"forfeited\",\"president\":\"Ann\",\"power\":\"investigate\""},
    {{.kind = EVENT_LOTS, .seat = 0, .discarding = true},
     NULL,
     "\"lots\",\"player\":\"Ann\",\"for\":\"discard\""},
    {{.kind = EVENT_LOTS, .seat = 1},
     NULL,
     "\"lots\",\"player\":\"Bob\",\"for\":\"enact\""},
    {{.kind = EVENT_LOTS, .seat = 1, .power = POWER_EXECUTION},
     NULL,
     "\"lots\",\"player\":\"Bob\",\"for\":\"execution\""},
    {{.kind = EVENT_VACATED, .seat = 1},
     NULL,
     "\"vacated\",\"player\":\"Bob\""},
    {{.kind = EVENT_ENDED,
      .party = PARTY_FASCIST,
      .reason = ENDING_HITLER_CHANCELLOR},
     NULL,
     "\"ended\",\"winner\":\"fascist\",\"reason\":\"hitler_chancellor\""},
    {{.kind = EVENT_ENDED,
      .party = PARTY_LIBERAL,
      .reason = ENDING_FIVE_LIBERAL},
     NULL,
     "\"ended\",\"winner\":\"liberal\",\"reason\":\"five_liberal\""},
    {{.kind = EVENT_ENDED, .reason = ENDING_ABANDONED},
     NULL,
     "\"ended\",\"winner\":null,\"reason\":\"abandoned\""},
};

enum {
    LINE_CASES = sizeof line_cases / sizeof line_cases[0]
};

START_TEST(an_event_is_one_line_with_its_keys_in_order)
{
    struct game game = {.players = 5};
    for (unsigned i = 0; i < LINE_CASES; i++) {
        const struct line_case *row = &line_cases[i];
        struct event event = row->event;
        if (row->tiles != NULL) {
            event.cards = pile_of(row->tiles);
        }
        struct buf out = BUF_INIT;
        record_write_event(&out, head, &event, &game, names);
        struct buf line = BUF_INIT;
        buf_addf(&line, "\"event\":%s", row->line);
        assert_line(&out, buf_text(&line));
        buf_release(&line);
    }
}
END_TEST

START_TEST(a_vote_that_was_pressed_says_so_and_nothing_else_does)
{
    struct game game = {.players = 5};
    struct event voted = {.kind = EVENT_VOTED, .seat = 0, .yes = true};
    struct event cleared = {.kind = EVENT_CLEARED, .seat = 1};
    struct buf out = BUF_INIT;
    record_write_event_by(&out, head, &voted, &game, names, RECORD_BY_PRESS);
    assert_line(&out, "\"event\":\"voted\",\"player\":\"Ann\","
                      "\"vote\":\"ja\",\"by\":\"press\"");
    record_write_event_by(&out, head, &cleared, &game, names, RECORD_BY_PRESS);
    assert_line(&out, "\"event\":\"cleared\",\"player\":\"Bob\"");
}
END_TEST

START_TEST(a_nomination_that_was_planned_says_so_and_nothing_else_does)
{
    struct game game = {.players = 5};
    struct event nominated = {.kind = EVENT_NOMINATED, .seat = 0, .target = 1};
    struct event voted = {.kind = EVENT_VOTED, .seat = 0, .yes = true};
    struct buf out = BUF_INIT;
    record_write_event_by(&out, head, &nominated, &game, names, RECORD_BY_PLAN);
    assert_line(&out, "\"event\":\"nominated\",\"president\":\"Ann\","
                      "\"chancellor\":\"Bob\",\"by\":\"plan\"");
    record_write_event_by(&out, head, &voted, &game, names, RECORD_BY_PLAN);
    assert_line(&out, "\"event\":\"voted\",\"player\":\"Ann\","
                      "\"vote\":\"ja\"");
    record_write_event_by(&out, head, &nominated, &game, names,
                          RECORD_BY_PRESS);
    assert_line(&out, "\"event\":\"nominated\",\"president\":\"Ann\","
                      "\"chancellor\":\"Bob\"");
}
END_TEST

START_TEST(every_event_of_the_engine_is_among_the_cases)
{
    bool seen[EVENT_KINDS] = {[EVENT_FILLED] = true};
    for (unsigned i = 0; i < LINE_CASES; i++) {
        seen[line_cases[i].event.kind] = true;
    }
    for (unsigned kind = 0; kind < EVENT_KINDS; kind++) {
        ck_assert_msg(seen[kind], "%s is not", event_facts[kind].name);
    }
}
END_TEST

START_TEST(revealed_has_the_seed_and_the_roles_under_the_last_names)
{
    struct game game = {
        .players = 5, .round = 3, .hitler = 0, .fascists = 1U << 4};
    struct buf out = BUF_INIT;
    record_write_revealed(&out, head, "00ff", &game, names + 5);
    assert_line(&out,
                "\"event\":\"revealed\",\"seed\":\"00ff\",\"roles\":{"
                "\"Fay\":\"hitler\",\"Gus\":\"liberal\",\"Hal\":\"liberal\","
                "\"Ida\":\"liberal\",\"Joe\":\"fascist\"}");
}
END_TEST

START_TEST(revealed_has_no_roles_where_none_were_dealt)
{
    struct rules rules;
    ck_assert(rules_set_preset(&rules, "official"));
    struct game game;
    game_init(&game, 5, &rules);
    struct buf out = BUF_INIT;
    record_write_revealed(&out, head, NULL, &game, names);
    assert_line(&out, "\"event\":\"revealed\",\"seed\":null,\"roles\":null");
}
END_TEST

static void
write_extended(struct buf *out, struct record_head at, int64_t deadline,
               const char *reason)
{
    struct record_line line = {.seq = at.seq,
                               .at = at.at,
                               .kind = RECORD_EXTENDED,
                               .deadline = deadline,
                               .text = reason};
    record_write_line(out, &line, NULL, 0);
}

START_TEST(host_events_have_their_keys_in_order)
{
    struct buf out = BUF_INIT;
    write_replaced(&out, head, "Bob", "Bea");
    assert_line(&out, "\"event\":\"replaced\",\"out\":\"Bob\",\"in\":\"Bea\"");
    write_extended(&out, head, AT + 3600000, "Ann is travelling");
    assert_line(&out,
                "\"event\":\"extended\",\"deadline\":\"2026-11-21T11:00:00Z\","
                "\"reason\":\"Ann is travelling\"");
    write_noted(&out, head, "a\tb");
    assert_line(&out, "\"event\":\"noted\",\"text\":\"a\\tb\"");
}
END_TEST

struct host_case {
    struct record_line line;
    const char *tiles;
    const char *text;
};

static const struct host_case host_cases[] = {
    {{.kind = RECORD_PAUSED, .text = "holidays"},
     NULL,
     "\"paused\",\"reason\":\"holidays\""},
    {{.kind = RECORD_PAUSED}, NULL, "\"paused\",\"reason\":null"},
    {{.kind = RECORD_RESUMED, .deadline = AT},
     NULL,
     "\"resumed\",\"deadline\":\"2026-11-21T10:00:00Z\""},
    {{.kind = RECORD_RESUMED}, NULL, "\"resumed\",\"deadline\":null"},
    {{.kind = RECORD_REMINDED, .event = {.seats = 1U << 0 | 1U << 2}},
     NULL,
     "\"reminded\",\"players\":[\"Ann\",\"Zo\xC3\xAB\"]"},
    {{.kind = RECORD_CLAIMED, .event = {.seat = 1, .round = 4}},
     "FFL",
     "\"claimed\",\"player\":\"Bob\",\"round\":4,"
     "\"cards\":[\"F\",\"F\",\"L\"]"},
    {{.kind = RECORD_CLAIMED,
      .event = {.seat = 1, .round = 4, .power = POWER_PEEK}},
     "FFL",
     "\"claimed\",\"player\":\"Bob\",\"round\":4,"
     "\"cards\":[\"F\",\"F\",\"L\"],\"of\":\"peek\""},
    {{.kind = RECORD_CLAIMED,
      .event =
          {.seat = 1, .round = 4, .power = POWER_INVESTIGATE, .target = 0}},
     "F",
     "\"claimed\",\"player\":\"Bob\",\"round\":4,\"cards\":[\"F\"],"
     "\"of\":\"investigate\",\"target\":\"Ann\""},
    {{.kind = RECORD_REWOUND, .to = 31}, NULL, "\"rewound\",\"to\":31"},
};

START_TEST(any_line_can_be_written_from_its_struct)
{
    for (unsigned i = 0; i < sizeof host_cases / sizeof host_cases[0]; i++) {
        struct record_line line = host_cases[i].line;
        line.seq = head.seq;
        line.at = head.at;
        if (host_cases[i].tiles != NULL) {
            line.event.cards = pile_of(host_cases[i].tiles);
        }
        struct buf out = BUF_INIT;
        record_write_line(&out, &line, names, 5);
        struct buf text = BUF_INIT;
        buf_addf(&text, "\"event\":%s", host_cases[i].text);
        assert_line(&out, buf_text(&text));
        buf_release(&text);
    }
}
END_TEST

START_TEST(lines_follow_each_other)
{
    struct buf out = BUF_INIT;
    write_noted(&out, head, "one");
    size_t len = out.len;
    write_noted(&out, head, "one");
    ck_assert_uint_eq(out.len, 2 * len);
    ck_assert_mem_eq(out.data, out.data + len, len);
    buf_release(&out);
}
END_TEST

START_TEST(a_first_line_takes_the_place_of_what_was_there)
{
    static const struct record_head first = {0, AT};
    static const struct record_head tenth = {10, AT};
    struct buf record = BUF_INIT;
    struct buf line = BUF_INIT;
    struct buf both = BUF_INIT;
    record_add(&record, "", 0);
    ck_assert_uint_eq(record.len, 0);
    write_noted(&line, first, "one");
    write_noted(&line, tenth, "two");
    record_add(&record, line.data, line.len);
    ck_assert_str_eq(buf_text(&record), buf_text(&line));
    buf_clear(&line);
    write_noted(&line, first, "three");
    record_add(&record, line.data, line.len);
    ck_assert_str_eq(buf_text(&record), buf_text(&line));
    buf_add_buf(&both, &line);
    buf_clear(&line);
    write_noted(&line, tenth, "{\"seq\":0,");
    record_add(&record, line.data, line.len);
    record_add(&record, "", 0);
    buf_add_buf(&both, &line);
    ck_assert_str_eq(buf_text(&record), buf_text(&both));
    buf_release(&record);
    buf_release(&line);
    buf_release(&both);
}
END_TEST

START_TEST(the_words_are_those_of_the_record)
{
    ck_assert_str_eq(record_role_name(ROLE_HITLER), "hitler");
    ck_assert_str_eq(record_role_name(ROLE_LIBERAL), "liberal");
    ck_assert_str_eq(record_party_name(PARTY_FASCIST), "fascist");
    ck_assert_str_eq(record_power_name(POWER_EXECUTION), "execution");
    ck_assert_str_eq(record_ending_name(ENDING_SIX_FASCIST), "six_fascist");
    ck_assert_str_eq(record_kind_name(EVENT_FILLED), "replaced");
    ck_assert_str_eq(record_kind_name(RECORD_REWOUND), "rewound");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("record_write");
    TCase *tcase = tcase_create("record_write");
    tcase_add_test(tcase, opened_has_the_preset_and_all_options);
    tcase_add_test(tcase, opened_has_the_house_rules_that_are_on);
    tcase_add_test(tcase, seated_has_the_names_in_seat_order);
    tcase_add_test(tcase, an_event_is_one_line_with_its_keys_in_order);
    tcase_add_test(tcase,
                   a_vote_that_was_pressed_says_so_and_nothing_else_does);
    tcase_add_test(tcase,
                   a_nomination_that_was_planned_says_so_and_nothing_else_does);
    tcase_add_test(tcase, every_event_of_the_engine_is_among_the_cases);
    tcase_add_test(tcase,
                   revealed_has_the_seed_and_the_roles_under_the_last_names);
    tcase_add_test(tcase, revealed_has_no_roles_where_none_were_dealt);
    tcase_add_test(tcase, host_events_have_their_keys_in_order);
    tcase_add_test(tcase, any_line_can_be_written_from_its_struct);
    tcase_add_test(tcase, lines_follow_each_other);
    tcase_add_test(tcase, a_first_line_takes_the_place_of_what_was_there);
    tcase_add_test(tcase, the_words_are_those_of_the_record);
    suite_add_tcase(suite, tcase);
    return suite;
}
