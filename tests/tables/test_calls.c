/*
 * Questions that come late, or not at all: time runs from when they are there,
 * and nobody pays for what they were not asked.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/table/slot.h"
#include "tests/support/runner.h"
#include "tests/tables/bad_board.h"

/* What is posted has no slots. */
static void
tear_down(void)
{
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        assert_lacks(room.posts[i].raw, SLOT_BEGIN);
        assert_lacks(room.posts[i].raw, SLOT_END);
    }
    room_release(&room);
}

static void
begin(struct room *of, unsigned players)
{
    room_open(of);
    of->stage->tables.services.list[0].adapter = &odd;
    room_begin(of, players);
}

static void
refuse(const char *text, enum err err, enum refused refused)
{
    bad_board.text = text;
    bad_board.err = err;
    bad_board.refused = refused;
}

/* Time passes, and the host is there. */
static void
goes_on(struct room *of, int64_t time)
{
    int64_t ends = of->stage->now + time;
    while (of->stage->now < ends) {
        int64_t left = ends - of->stage->now;
        room_waits(of, left < 10 * MINUTE_MS ? left : 10 * MINUTE_MS);
    }
}

/* The newest post that holds this text names an instant. */
static void
assert_names(const char *text, int64_t instant)
{
    struct buf time = BUF_INIT;
    const struct table *table = room_table(&room);
    catalogue_time(stage_catalogue(room.stage, table), instant, zone_utc(),
                   &time);
    room_read(&room);
    size_t i = room.post_count;
    while (i > 0 && strstr(room.posts[i - 1].text, text) == NULL) {
        i--;
    }
    ck_assert_uint_gt(i, 0);
    assert_holds(room.posts[i - 1].text, buf_text(&time));
    buf_release(&time);
}

static unsigned
count_in_record(const char *text)
{
    struct buf record = BUF_INIT;
    unsigned count = 0;
    room_record(&room, "1", &record);
    for (const char *at = buf_text(&record); (at = strstr(at, text)) != NULL;
         at++) {
        count++;
    }
    buf_release(&record);
    return count;
}

/* ---- in the thread ------------------------------------------------------- */

START_TEST(a_call_that_comes_late_names_and_gets_a_later_deadline)
{
    begin(&room, 5);
    refuse(" nominates ", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    int64_t opened = room_table(&room)->opened;
    goes_on(&room, 3 * HOUR_MS);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    bad_board.text = NULL;
    goes_on(&room, 20 * MINUTE_MS);
    int64_t moved = room_table(&room)->deadline - deadline;
    ck_assert_int_ge(moved, 3 * HOUR_MS - MINUTE_MS);
    ck_assert_int_le(moved, 3 * HOUR_MS + 21 * MINUTE_MS);
    ck_assert_int_eq(room_table(&room)->opened, opened);
    assert_names(" nominates ", deadline + moved);
    ck_assert_uint_eq(count_in_record("\"event\":\"extended\""), 1);
    /* It says so itself. */
    ck_assert_uint_eq(room_count_said(&room, "came late"), 0);
    room_shut(&room);
    room_open(&room);
    ck_assert_int_eq(room_table(&room)->deadline, deadline + moved);
}
END_TEST

/* Another process sends it; the question is asked in public or in private. */
START_TEST(a_call_that_waits_while_nobody_hosts_gets_a_later_deadline)
{
    bool private = _i == 1;
    room_set(&room, "ballot", private ? "sealed" : "open");
    begin(&room, 5);
    refuse(private ? "Answer with one word" : " nominates ", ERR_LATER,
           REFUSED_RIGHT);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    goes_on(&room, 3 * HOUR_MS);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    room_shut(&room);
    room_open(&room);
    goes_on(&room, MINUTE_MS);
    int64_t moved = room_table(&room)->deadline - deadline;
    ck_assert_int_ge(moved, 3 * HOUR_MS - MINUTE_MS);
    ck_assert_int_le(moved, 3 * HOUR_MS + 2 * MINUTE_MS);
    assert_names(" nominates ", deadline + moved);
}
END_TEST

START_TEST(a_call_that_comes_a_little_late_moves_nothing)
{
    begin(&room, 5);
    refuse(" nominates ", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    goes_on(&room, 30 * MINUTE_MS);
    bad_board.text = NULL;
    goes_on(&room, 30 * MINUTE_MS);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    assert_names(" nominates ", deadline);
    ck_assert_uint_eq(count_in_record("\"event\":\"extended\""), 0);
}
END_TEST

START_TEST(no_time_runs_out_for_a_call_that_is_not_there)
{
    begin(&room, 5);
    refuse(" nominates ", ERR_DENIED, REFUSED_RIGHT);
    room_names(&room, 1);
    unsigned phase = room_table(&room)->phase;
    goes_on(&room, 40 * HOUR_MS);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    ck_assert_uint_eq(room_count_said(&room, "Time is up"), 0);
    bad_board.text = NULL;
    goes_on(&room, 30 * MINUTE_MS);
    ck_assert_int_ge(room_table(&room)->deadline,
                     room.stage->now + 23 * HOUR_MS);
    assert_names(" nominates ", room_table(&room)->deadline);
    /* Then it does. */
    room_expires(&room);
    ck_assert_uint_eq(room_count_said(&room, "Time is up"), 1);
}
END_TEST

/* What the candidate is given is taken from nobody. */
START_TEST(a_candidate_who_is_called_late_leaves_the_voters_their_time)
{
    begin(&room, 5);
    refuse("is up for", ERR_LATER, REFUSED_RIGHT);
    room_rejects(&room);
    int64_t deadline = room_table(&room)->deadline;
    int64_t opened = room_table(&room)->opened;
    goes_on(&room, 3 * HOUR_MS);
    bad_board.text = NULL;
    goes_on(&room, 20 * MINUTE_MS);
    int64_t moved = room_table(&room)->deadline - deadline;
    ck_assert_int_ge(moved, 3 * HOUR_MS - MINUTE_MS);
    room_names(&room, room_choice(&room));
    ck_assert_int_eq(room_table(&room)->deadline,
                     opened + room_table(&room)->settings.election + moved);
    assert_names(" nominates ", room_table(&room)->deadline);
}
END_TEST

/* Names have their time at any hour, a late one too, once little of it is left.
 */
START_TEST(a_candidate_who_is_called_late_is_given_no_daily_hour)
{
    room_set(&room, "daily", "10:00");
    begin(&room, 5);
    refuse("is up for", ERR_LATER, REFUSED_RIGHT);
    room_rejects(&room);
    int64_t length = room_table(&room)->length;
    goes_on(&room, length * 3 / 4);
    bad_board.text = NULL;
    goes_on(&room, 20 * MINUTE_MS);
    int64_t left = room_table(&room)->deadline - room.stage->now;
    ck_assert_int_ge(left, length - 21 * MINUTE_MS);
    ck_assert_int_le(left, length);
    assert_names("is up for", room_table(&room)->deadline);
}
END_TEST

/* The call is delivered while one reply tells an absurd time. */
START_TEST(a_clock_that_is_wrong_for_a_moment_puts_no_deadline_far_off)
{
    begin(&room, 5);
    refuse(" nominates ", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    goes_on(&room, HOUR_MS);
    const struct tables *tables = &room.stage->tables;
    bad_board.behind = -30 * DAY_MS;
    bad_board.text = NULL;
    for (unsigned i = 0; i < 9 && room_count_said(&room, " nominates ") == 0;
         i++) {
        goes_on(&room, MINUTE_MS);
    }
    ck_assert_uint_eq(room_count_said(&room, " nominates "), 1);
    ck_assert(feeds_clock(&tables->feeds, &tables->services.list[0])->doubted);
    bad_board.behind = 0;
    goes_on(&room, MINUTE_MS);
    ck_assert(!feeds_clock(&tables->feeds, &tables->services.list[0])->doubted);
    ck_assert_int_lt(room_table(&room)->deadline, room.stage->now + 2 * DAY_MS);
}
END_TEST

/* That of a name in a sentence, too, where there is no other. */
START_TEST(a_second_thought_begins_when_it_is_announced)
{
    bool formula = _i == 1;
    const char *aimed = formula ? "not what you meant" : "Any second thoughts";
    char text[RECORD_NAME_MAX + 32];
    room_set(&room, "second_thought", formula ? "0" : "15m");
    room.deck = "FFFFFFFFFFF";
    begin(&room, 5);
    room_govern_to(&room, 4);
    refuse(aimed, ERR_LATER, REFUSED_RIGHT);
    snprintf(text, sizeof text, "I execute **%s**",
             room_name(&room, room_choice(&room)));
    if (formula) {
        room_says(&room, room_awaited(&room), text);
    } else {
        room_names(&room, room_choice(&room));
    }
    ck_assert_uint_ne(room_table(&room)->announced, NO_SEAT);
    goes_on(&room, HOUR_MS);
    ck_assert_uint_ne(room_table(&room)->announced, NO_SEAT);
    bad_board.text = NULL;
    for (unsigned i = 0; i < 20 && room_count_said(&room, aimed) == 0; i++) {
        goes_on(&room, MINUTE_MS);
    }
    ck_assert_uint_ne(room_table(&room)->announced, NO_SEAT);
    ck_assert_int_ge(room_table(&room)->announced_due,
                     room.stage->now + 13 * MINUTE_MS);
    goes_on(&room, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, aimed), 1);
    ck_assert_uint_eq(room_count_said(&room, "so another name from"), 1);
}
END_TEST

START_TEST(where_a_deadline_is_moved_the_call_is_edited)
{
    begin(&room, 5);
    room_names(&room, 1);
    room_says(&room, "Mo", "!deadline \"2026-11-24 21:00\"");
    goes_on(&room, MINUTE_MS);
    assert_names(" nominates ", room_table(&room)->deadline);
    room_says(&room, "Mo", "!extend 3h");
    goes_on(&room, MINUTE_MS);
    assert_names(" nominates ", room_table(&room)->deadline);
}
END_TEST

START_TEST(a_deadline_that_people_have_set_stays_while_half_is_left)
{
    begin(&room, 5);
    refuse(" nominates ", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    room_says(&room, "Mo", "!deadline \"2026-11-22 09:00\"");
    int64_t deadline = room_table(&room)->deadline;
    goes_on(&room, 3 * HOUR_MS);
    bad_board.text = NULL;
    goes_on(&room, 20 * MINUTE_MS);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
}
END_TEST

/* The vote is asked on a Saturday at 10:00, for a day, and comes late. */
START_TEST(what_gives_deadlines_their_time_gives_it_to_a_late_call_too)
{
    static const struct {
        const char *key, *value;
        int64_t late;
        const char *deadline;
    } cases[] = {
        /* It would end in these. */
        {"quiet", "14:00-20:00", 5 * HOUR_MS, "2026-11-22T20:00:00Z"},
        {"days_off", "Mon", 15 * HOUR_MS, "2026-11-24T00:00:00Z"},
        /* After five hours more than half of the phase is left, not after 18.
         */
        {"daily", "10:00", 5 * HOUR_MS, NULL},
        {"daily", "10:00", 18 * HOUR_MS, "2026-11-23T10:00:00Z"},
    };
    int64_t expected = 0;
    room_set(&room, cases[_i].key, cases[_i].value);
    begin(&room, 5);
    refuse(" nominates ", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    goes_on(&room, cases[_i].late);
    bad_board.text = NULL;
    goes_on(&room, 20 * MINUTE_MS);
    ck_assert(cases[_i].deadline == NULL ||
              instant_read(cases[_i].deadline, &expected));
    ck_assert_int_eq(room_table(&room)->deadline,
                     cases[_i].deadline == NULL ? deadline : expected);
    assert_names(" nominates ", room_table(&room)->deadline);
}
END_TEST

START_TEST(a_call_that_comes_in_a_pause_has_all_its_time_after_it)
{
    begin(&room, 5);
    refuse(" nominates ", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    goes_on(&room, 2 * HOUR_MS);
    room_says(&room, "Mo", "!pause");
    goes_on(&room, 5 * HOUR_MS);
    bad_board.text = NULL;
    goes_on(&room, 10 * HOUR_MS);
    ck_assert_uint_eq(room_count_said(&room, "came late"), 0);
    ck_assert_uint_eq(count_in_record("\"event\":\"extended\""), 0);
    room_shut(&room);
    room_open(&room);
    room_says(&room, "Mo", "!resume");
    ck_assert(!room_table(&room)->paused);
    int64_t left = room_table(&room)->deadline - room.stage->now;
    ck_assert_int_ge(left, room_table(&room)->length - 2 * MINUTE_MS);
    ck_assert_int_le(left, room_table(&room)->length);
    goes_on(&room, MINUTE_MS);
    assert_names(" nominates ", room_table(&room)->deadline);
}
END_TEST

/* ---- in private ---------------------------------------------------------- */

START_TEST(who_gets_no_ballot_has_missed_no_vote)
{
    room_set(&room, "ballot", "sealed");
    begin(&room, 5);
    refuse("Answer with one word", ERR_DENIED, REFUSED_PERSON);
    room_names(&room, 1);
    for (unsigned i = 0; i < 60 && room_table(&room)->game.round == 1; i++) {
        goes_on(&room, HOUR_MS);
    }
    ck_assert_uint_eq(room_table(&room)->game.round, 2);
    for (unsigned seat = 0; seat < 5; seat++) {
        ck_assert_uint_eq(table_misses(room_table(&room), seat), 0);
    }
}
END_TEST

START_TEST(ballots_count_from_the_last_one_that_is_there)
{
    room_set(&room, "ballot", "sealed");
    begin(&room, 5);
    refuse("Answer with one word", ERR_LATER, REFUSED_RIGHT);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    goes_on(&room, 4 * HOUR_MS);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    bad_board.text = NULL;
    goes_on(&room, 20 * MINUTE_MS);
    ck_assert_int_ge(room_table(&room)->deadline,
                     deadline + 4 * HOUR_MS - MINUTE_MS);
}
END_TEST

/* What everybody sees of two games. */
static void
assert_look_alike(struct room *one, struct room *other)
{
    struct buf seen[2] = {BUF_INIT, BUF_INIT};
    room_transcript(one, "thread", &seen[0]);
    room_transcript(other, "thread", &seen[1]);
    ck_assert_str_eq(buf_text(&seen[0]), buf_text(&seen[1]));
    ck_assert_int_eq(table_told(room_table(one)),
                     table_told(room_table(other)));
    ck_assert_uint_eq(table_phase(room_table(one)),
                      table_phase(room_table(other)));
    buf_release(&seen[0]);
    buf_release(&seen[1]);
}

static const struct {
    enum err err;
    enum refused refused;
} kinds[] = {{ERR_DENIED, REFUSED_PERSON}, {ERR_LATER, REFUSED_RIGHT}};

START_TEST(nothing_tells_that_the_chancellors_cards_are_late)
{
    struct room other;
    room_init(&other);
    other.deck = room.deck;
    begin(&room, 5);
    begin(&other, 5);
    room_elects(&room, 1);
    room_elects(&other, 1);
    refuse("you're Chancellor", kinds[_i].err, kinds[_i].refused);
    goes_on(&room, HOUR_MS);
    goes_on(&other, HOUR_MS);
    room_discards(&room, false); /* in one of them the president has chosen */
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    other.stage->now = room.stage->now;
    for (unsigned i = 0; i < 10; i++) {
        goes_on(&room, HOUR_MS);
        goes_on(&other, HOUR_MS);
        assert_look_alike(&room, &other);
    }
    room_release(&other);
}
END_TEST

START_TEST(as_the_session_ends_a_chancellor_without_cards_is_waited_for)
{
    begin(&room, 5);
    room_elects(&room, 1);
    int64_t announced = room_table(&room)->session_ends;
    refuse("you're Chancellor", ERR_DENIED, REFUSED_PERSON);
    room_discards(&room, false);
    goes_on(&room, announced - room.stage->now - MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "don't reach you"), 0);
    goes_on(&room, 2 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Bob, my private messages"), 1);
    ck_assert_int_ge(room_table(&room)->deadline, announced + 23 * HOUR_MS);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    goes_on(&room, 25 * HOUR_MS);
    ck_assert_uint_eq(room_count_said(&room, "drew a card at random"), 1);
    ck_assert_uint_eq(table_misses(room_table(&room), 1), 0);
}
END_TEST

/* Only who does not let the host write to them is asked for that. */
START_TEST(as_the_session_ends_nobody_is_blamed_for_the_services_fault)
{
    static const struct {
        enum err err;
        enum refused refused;
        bool theirs;
    } cases[] = {{ERR_DENIED, REFUSED_PERSON, true},
                 {ERR_DENIED, REFUSED_RIGHT, false},
                 {ERR_LATER, REFUSED_RIGHT, false}};
    begin(&room, 5);
    room_elects(&room, 1);
    int64_t announced = room_table(&room)->session_ends;
    refuse("you're Chancellor", cases[_i].err, cases[_i].refused);
    room_discards(&room, false);
    goes_on(&room, announced - room.stage->now + MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Bob, my private messages"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Do you block"), cases[_i].theirs);
    ck_assert_uint_eq(room_count_said(&room, "It isn't your fault"),
                      !cases[_i].theirs);
}
END_TEST

START_TEST(as_the_session_ends_a_chancellor_with_late_cards_gets_their_time)
{
    begin(&room, 5);
    room_elects(&room, 1);
    int64_t announced = room_table(&room)->session_ends;
    refuse("you're Chancellor", ERR_LATER, REFUSED_RIGHT);
    room_discards(&room, false);
    goes_on(&room, announced - room.stage->now - 4 * HOUR_MS);
    bad_board.text = NULL;
    goes_on(&room, HOUR_MS);
    ck_assert_uint_eq(room_count_told(&room, "Bob", "you're Chancellor"), 1);
    ck_assert_int_eq(table_told(room_table(&room)), announced);
    if (_i == 1) {
        room_says(&room, "Mo", "!pause");
        goes_on(&room, 5 * HOUR_MS);
        room_says(&room, "Mo", "!resume");
        announced += 5 * HOUR_MS;
    }
    goes_on(&room, 3 * HOUR_MS + MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "came late"), 1);
    ck_assert_int_ge(room_table(&room)->deadline, announced + 8 * HOUR_MS);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    room_tells(&room, "Bob", "enact 1");
    ck_assert_int_eq(room_game(&room)->question, QUESTION_NOMINATE);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/calls");
    TCase *tcase = tcase_create("called");
    tcase_add_checked_fixture(tcase, bad_board_set_up, tear_down);
    tcase_add_test(tcase,
                   a_call_that_comes_late_names_and_gets_a_later_deadline);
    tcase_add_loop_test(
        tcase, a_call_that_waits_while_nobody_hosts_gets_a_later_deadline, 0,
        2);
    tcase_add_test(tcase, a_call_that_comes_a_little_late_moves_nothing);
    tcase_add_test(tcase,
                   a_candidate_who_is_called_late_leaves_the_voters_their_time);
    tcase_add_test(tcase,
                   a_candidate_who_is_called_late_is_given_no_daily_hour);
    tcase_add_test(tcase, no_time_runs_out_for_a_call_that_is_not_there);
    tcase_add_test(tcase,
                   a_clock_that_is_wrong_for_a_moment_puts_no_deadline_far_off);
    tcase_add_loop_test(tcase, a_second_thought_begins_when_it_is_announced, 0,
                        2);
    tcase_add_test(tcase, where_a_deadline_is_moved_the_call_is_edited);
    tcase_add_test(tcase,
                   a_deadline_that_people_have_set_stays_while_half_is_left);
    tcase_add_loop_test(
        tcase, what_gives_deadlines_their_time_gives_it_to_a_late_call_too, 0,
        4);
    tcase_add_test(tcase,
                   a_call_that_comes_in_a_pause_has_all_its_time_after_it);
    tcase_add_test(tcase, who_gets_no_ballot_has_missed_no_vote);
    tcase_add_test(tcase, ballots_count_from_the_last_one_that_is_there);
    tcase_add_loop_test(
        tcase, nothing_tells_that_the_chancellors_cards_are_late, 0, 2);
    tcase_add_test(
        tcase, as_the_session_ends_a_chancellor_without_cards_is_waited_for);
    tcase_add_loop_test(
        tcase, as_the_session_ends_nobody_is_blamed_for_the_services_fault, 0,
        3);
    tcase_add_loop_test(
        tcase, as_the_session_ends_a_chancellor_with_late_cards_gets_their_time,
        0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
