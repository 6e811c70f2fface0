/*
 * Times in which nothing could be read: what is an outage of the service, what
 * our own absence, and what neither.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/tables/feeds/feeds.h"
#include "bot/tables/feeds/service_clock.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/outages.h"
#include "tests/support/runner.h"
#include "tests/tables/bad_board.h"

/* A host at the clock of a machine: it does not leap. */
static void
install(void)
{
    room.stage->tables.services.list[0].adapter = &odd;
    room.stage->loop.leaps = false;
    room.no_leaps = true;
}

static void
tear_down(void)
{
    room_release(&room);
}

/* The vote is open, until 24 h from now. */
static void
begin(void)
{
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    install();
}

/* A turn of the loop at a time. */
static void
turn_at(int64_t now)
{
    struct buf why = BUF_INIT;
    for (unsigned i = 0; i < 6; i++) {
        enum err err = loop_turn(&room.stage->loop, now, 0, &why);
        ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    }
    room.stage->now = now;
}

/* The host takes so many steps in so long. */
static void
goes_on(int64_t time, int64_t every)
{
    int64_t ends = room.stage->now + time;
    while (room.stage->now < ends) {
        turn_at(room.stage->now + every);
    }
}

static void
assert_told(unsigned outages, unsigned absences)
{
    ck_assert_uint_eq(room_count_said(&room, "the service was down"), outages);
    ck_assert_uint_eq(room_count_said(&room, "I was away"), absences);
}

START_TEST(an_outage_in_the_last_quarter_moves_the_deadline_by_its_length)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    goes_on(20 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_LATER;
    goes_on(HOUR_MS, 20 * SECOND_MS);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, 20 * SECOND_MS);
    assert_told(1, 0);
    int64_t moved = room_table(&room)->deadline - deadline;
    ck_assert_int_ge(moved, HOUR_MS - MINUTE_MS);
    ck_assert_int_le(moved, HOUR_MS + 6 * MINUTE_MS);
}
END_TEST

/* As Telegram forgets an update that nobody asked for within a day: of the
 * last hour and a half it still has everything. */
START_TEST(what_the_service_has_forgotten_is_to_be_posted_again)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    goes_on(20 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.forgotten = room.stage->now + 2 * HOUR_MS;
    turn_at(room.stage->now + 3 * HOUR_MS + 30 * MINUTE_MS);
    goes_on(MINUTE_MS, 10 * SECOND_MS);
    ck_assert_int_eq(bad_board.forgotten, 0);
    ck_assert_uint_eq(room_count_said(&room, "no longer has what you posted"),
                      1);
    ck_assert_uint_eq(room_count_said(&room, "is lost: it all counts"), 0);
    int64_t moved = room_table(&room)->deadline - deadline;
    ck_assert_int_ge(moved, 2 * HOUR_MS - MINUTE_MS);
    ck_assert_int_le(moved, 2 * HOUR_MS + 11 * MINUTE_MS);
    turn_at(room.stage->now + HOUR_MS);
    ck_assert_uint_eq(room_count_said(&room, "no longer has what you posted"),
                      1);
    assert_told(0, 2);
}
END_TEST

START_TEST(a_short_time_that_is_forgotten_is_told_too)
{
    begin();
    goes_on(HOUR_MS, 10 * MINUTE_MS);
    bad_board.forgotten = room.stage->now + 5 * MINUTE_MS;
    goes_on(10 * MINUTE_MS, 10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "no longer has what you posted"),
                      1);
    ck_assert_uint_eq(room_count_said(&room, "The deadline is still"), 1);
}
END_TEST

START_TEST(each_absence_counts)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    goes_on(20 * HOUR_MS, 10 * MINUTE_MS);
    for (unsigned i = 1; i <= 3; i++) {
        turn_at(room.stage->now + 4 * HOUR_MS);
        goes_on(MINUTE_MS, 10 * SECOND_MS);
        assert_told(0, i);
        ck_assert_int_ge(room_table(&room)->deadline,
                         deadline + (int64_t)i * 4 * HOUR_MS);
    }
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
}
END_TEST

START_TEST(an_outage_is_no_part_of_the_next_absence)
{
    begin();
    for (unsigned i = 1; i <= 2; i++) {
        bad_board.reading = ERR_LATER;
        goes_on(40 * MINUTE_MS, 20 * SECOND_MS);
        bad_board.reading = ERR_NONE;
        goes_on(6 * MINUTE_MS, 20 * SECOND_MS);
        assert_told(i, i - 1);
        turn_at(room.stage->now + HOUR_MS);
        goes_on(MINUTE_MS, 10 * SECOND_MS);
        assert_told(i, i);
    }
}
END_TEST

/* The service takes the call before it can be read again. */
static void
assert_made_up_once(const char *call)
{
    bad_board.reading = ERR_LATER;
    goes_on(80 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.text = NULL;
    for (unsigned i = 0; i < 60 && room_count_said(&room, call) == 0; i++) {
        goes_on(MINUTE_MS, MINUTE_MS);
    }
    int64_t told = table_told(room_table(&room));
    ck_assert_uint_eq(room_count_said(&room, "the service was down"), 0);
    ck_assert_uint_eq(room_count_said(&room, call), 1);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, 20 * SECOND_MS);
    assert_told(1, 0);
    ck_assert_int_eq(table_told(room_table(&room)), told);
    ck_assert_int_le(told, room.stage->now + 24 * HOUR_MS);
}

START_TEST(an_outage_that_a_late_call_made_up_for_is_not_made_up_for_again)
{
    room_open(&room);
    room_begin(&room, 5);
    install();
    bad_board.text = " nominates ";
    bad_board.err = ERR_LATER;
    bad_board.refused = REFUSED_RIGHT;
    room_names(&room, 1);
    assert_made_up_once(" nominates ");
}
END_TEST

START_TEST(an_outage_before_the_cards_were_there_is_not_made_up_for_again)
{
    begin();
    bad_board.text = "you're President";
    bad_board.err = ERR_LATER;
    bad_board.refused = REFUSED_RIGHT;
    room_votes(&room, true);
    assert_made_up_once("Elected");
}
END_TEST

/* Where a service no longer tells which message was sent under which key, one
 * is looked for from when it was written. */
START_TEST(what_is_told_of_an_absence_is_written_at_the_services_time)
{
    begin();
    bad_board.behind = 2 * HOUR_MS;
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    turn_at(room.stage->now + 4 * HOUR_MS);
    assert_told(0, 1);
    int64_t written =
        room_query(&room, "store.db", "SELECT max(written) FROM message");
    ck_assert_int_le(written, room.stage->now - 2 * HOUR_MS + MINUTE_MS);
}
END_TEST

/* An outage in the last quarter of what is on before a game, which ends so much
 * later. */
static void
assert_ends_later(int64_t before, const char *told)
{
    int64_t end = table_coming_ends(room_table(&room));
    goes_on(end - room.stage->now - before, 10 * MINUTE_MS);
    bad_board.reading = ERR_LATER;
    goes_on(HOUR_MS, 20 * SECOND_MS);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, 20 * SECOND_MS);
    assert_told(1, 0);
    ck_assert_uint_eq(room_count_said(&room, told), 1);
    int64_t moved = table_coming_ends(room_table(&room)) - end;
    ck_assert_int_ge(moved, HOUR_MS - MINUTE_MS);
    ck_assert_int_le(moved, HOUR_MS + 6 * MINUTE_MS);
    room_shut(&room);
    room_reopen(&room);
    ck_assert_int_eq(table_coming_ends(room_table(&room)), end + moved);
}

START_TEST(an_outage_before_the_end_of_the_ready_check_moves_it)
{
    room_set(&room, "ready_check", "on");
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    install();
    assert_ends_later(2 * HOUR_MS, "the ready check ends on");
}
END_TEST

/* As a thread that was only just opened. */
static void
unread_feeds(void)
{
    const struct feeds *feeds = &room.stage->tables.feeds;
    for (size_t i = 0; i < feeds->count; i++) {
        feeds->list[i]->through = feeds->list[i]->heard = 0;
    }
}

START_TEST(a_ready_check_whose_thread_was_never_read_is_not_over)
{
    room_set(&room, "ready_check", "on");
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    install();
    int64_t end = table_coming_ends(room_table(&room));
    bad_board.reading = ERR_LATER;
    unread_feeds();
    goes_on(end - room.stage->now + HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, 20 * SECOND_MS);
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    ck_assert_int_gt(table_coming_ends(room_table(&room)),
                     room.stage->now + HOUR_MS);
}
END_TEST

START_TEST(an_outage_before_the_end_of_the_sign_up_moves_it)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5-8 start=\"2026-11-22 20:00\"");
    ck_assert_int_eq(room_table(&room)->state, TABLE_SIGNUP);
    install();
    assert_ends_later(30 * MINUTE_MS, "the sign-up ends on");
}
END_TEST

START_TEST(an_outage_over_the_deadline_lets_nothing_run_out)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    unsigned phase = room_table(&room)->phase;
    goes_on(23 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_LATER;
    goes_on(5 * HOUR_MS, MINUTE_MS);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, 20 * SECOND_MS);
    assert_told(1, 0);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    ck_assert_int_gt(room_table(&room)->deadline,
                     deadline + 5 * HOUR_MS - MINUTE_MS);
    ck_assert_int_gt(room_table(&room)->deadline, room.stage->now);
}
END_TEST

START_TEST(what_is_shorter_than_half_an_hour_is_not_told)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    goes_on(23 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_LATER;
    goes_on(24 * MINUTE_MS, 20 * SECOND_MS);
    bad_board.reading = ERR_NONE;
    goes_on(5 * MINUTE_MS, 20 * SECOND_MS);
    assert_told(0, 0);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
}
END_TEST

/* The machine sleeps; as it wakes, the line is not there at once. */
START_TEST(a_machine_that_slept_was_away_and_moves_the_deadline)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    goes_on(15 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_LATER;
    turn_at(room.stage->now + 8 * HOUR_MS);
    bad_board.reading = ERR_NONE;
    goes_on(MINUTE_MS, 10 * SECOND_MS);
    assert_told(0, 1);
    assert_holds(room_said(&room), "You have until");
    int64_t moved = room_table(&room)->deadline - deadline;
    ck_assert_int_ge(moved, 8 * HOUR_MS);
    ck_assert_int_le(moved, 8 * HOUR_MS + 11 * MINUTE_MS);
}
END_TEST

START_TEST(a_clock_that_jumps_forward_is_no_gap)
{
    begin();
    goes_on(HOUR_MS, 10 * MINUTE_MS);
    bad_board.behind = 2 * HOUR_MS;
    turn_at(room.stage->now + 2 * HOUR_MS);
    goes_on(HOUR_MS, MINUTE_MS);
    assert_told(0, 0);
}
END_TEST

START_TEST(a_service_whose_clock_is_ahead_for_a_while_ends_no_time)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    unsigned phase = room_table(&room)->phase;
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.behind = -10 * DAY_MS;
    goes_on(6 * SECOND_MS, 2 * SECOND_MS);
    bad_board.behind = 0;
    goes_on(HOUR_MS, MINUTE_MS);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    assert_told(0, 0);
    /* Then time runs out when it should. */
    goes_on(deadline - room.stage->now - 11 * MINUTE_MS, 10 * MINUTE_MS);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
}
END_TEST

/* No length can be added to the last time there is. */
START_TEST(a_service_at_the_last_time_there_is_ends_no_time)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    unsigned phase = room_table(&room)->phase;
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.through = INT64_MAX;
    goes_on(6 * SECOND_MS, 2 * SECOND_MS);
    bad_board.through = 0;
    goes_on(HOUR_MS, MINUTE_MS);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    assert_told(0, 0);
}
END_TEST

/* The record has four digits for a year. */
START_TEST(a_deadline_set_at_the_last_time_there_is_can_be_written)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    room_says(&room, "Mo", "!pause");
    bad_board.through = INT64_MAX;
    goes_on(6 * SECOND_MS, 2 * SECOND_MS);
    room_says(&room, "Mo", "!resume");
    goes_on(6 * SECOND_MS, 2 * SECOND_MS);
    ck_assert_int_gt(room_table(&room)->deadline,
                     room.stage->now + 365 * DAY_MS);
    ck_assert_int_le(room_table(&room)->deadline, TIME_LAST_MS);
}
END_TEST

/* The next question would be asked until then, and an execution wait for it. */
START_TEST(a_dm_whose_reply_told_a_time_far_ahead_sets_no_time)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    struct service *service = &room.stage->tables.services.list[0];
    struct feeds *feeds = &room.stage->tables.feeds;
    struct feed *dm = feeds_add(feeds, service, "dm");
    feeds_set_user(feeds, dm, "Anna");
    feeds_read_through(feeds, dm, INT64_MAX);
    feeds_set_busy(feeds, dm, true); /* it is not read again */
    ck_assert_int_gt(feeds->by_service[service->number].latest,
                     room.stage->now + 365 * DAY_MS);
    goes_on(2 * MINUTE_MS, MINUTE_MS);
    ck_assert_int_le(feeds->by_service[service->number].latest,
                     room.stage->now);
}
END_TEST

/* A deadline may fire before the next thread is read. */
START_TEST(a_dm_is_read_no_further_than_the_services_clock_shows)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    struct tables *tables = &room.stage->tables;
    struct service *service = &tables->services.list[0];
    struct feed *dm = feeds_add(&tables->feeds, service, "dm");
    struct outcome outcome = {.through = INT64_MAX};
    feeds_set_user(&tables->feeds, dm, "Anna");
    intake_take_page(tables, dm, &outcome, room.stage->now);
    ck_assert_int_le(tables->feeds.by_service[service->number].latest,
                     room.stage->now);
    ck_assert_int_gt(dm->through, room.stage->now - MINUTE_MS);
    feeds_set_busy(&tables->feeds, dm, true);
}
END_TEST

START_TEST(a_service_whose_clock_stays_ahead_is_believed_after_ten_minutes)
{
    begin();
    unsigned phase = room_table(&room)->phase;
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.behind = -3 * DAY_MS;
    goes_on(8 * MINUTE_MS, MINUTE_MS);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    assert_told(0, 0);
    goes_on(4 * MINUTE_MS, MINUTE_MS);
    assert_told(0, 1); /* and nobody loses time by it */
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    ck_assert_int_gt(room_table(&room)->deadline, room.stage->now + 3 * DAY_MS);
}
END_TEST

/* Our clock is set back, and set right before the service's was believed:
 * whoever was asked meanwhile has the whole time. */
START_TEST(what_is_asked_while_our_clock_is_behind_is_not_over_once_it_is_right)
{
    struct service_clock *clock;
    begin();
    clock = feeds_clock(&room.stage->tables.feeds,
                        room.stage->tables.services.list);
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.behind = -21 * HOUR_MS;
    turn_at(room.stage->now - 21 * HOUR_MS);
    goes_on(2 * MINUTE_MS, MINUTE_MS);
    ck_assert(clock->doubted);
    for (unsigned seat = 0; seat < 5; seat++) {
        room_posts(&room, room_table(&room)->seats[seat].name, "[b]Nein![/b]");
    }
    goes_on(MINUTE_MS, MINUTE_MS);
    unsigned phase = room_table(&room)->phase;
    ck_assert_int_eq(room_table(&room)->game.question, QUESTION_NOMINATE);
    bad_board.behind = 0;
    turn_at(room.stage->now + 21 * HOUR_MS);
    goes_on(5 * MINUTE_MS, MINUTE_MS);
    ck_assert(!clock->doubted);
    ck_assert_uint_eq(room_table(&room)->phase, phase);
    ck_assert_int_gt(room_table(&room)->deadline,
                     room.stage->now + 11 * HOUR_MS);
}
END_TEST

/* The service had told the time before a machine stood still and went on as if
 * no time had passed. */
START_TEST(what_was_asked_by_a_clock_that_was_behind_has_all_its_time)
{
    int64_t behind = 17 * HOUR_MS;
    begin();
    struct tables *tables = &room.stage->tables;
    struct service_clock *clock =
        feeds_clock(&tables->feeds, tables->services.list);
    int64_t time = room_table(&room)->opened - MINUTE_MS;
    *clock = (struct service_clock){.time = time, .at = room.stage->now};
    bad_board.behind = -behind;
    goes_on(2 * MINUTE_MS, MINUTE_MS);
    ck_assert(clock->doubted);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 0);
    goes_on(12 * MINUTE_MS, MINUTE_MS);
    ck_assert(!clock->doubted);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 1);
    ck_assert_int_gt(room_table(&room)->deadline,
                     room.stage->now + behind + 23 * HOUR_MS);
    /* What answered it before that counts. */
    ck_assert_int_le(room_table(&room)->since, room.stage->now);
    ck_assert_int_gt(room_table(&room)->since, 0);
    goes_on(HOUR_MS, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 1);
}
END_TEST

/* What was asked before the clock was behind has lost no time. */
START_TEST(what_was_asked_by_a_right_clock_does_not_begin_anew)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.behind = -3 * HOUR_MS;
    goes_on(14 * MINUTE_MS, MINUTE_MS);
    assert_told(0, 1);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 0);
}
END_TEST

/* A paused game has no deadline that could move. */
START_TEST(a_paused_game_hears_of_no_wrong_clock)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    room_says(&room, "Mo", "!pause");
    struct service_clock *clock = feeds_clock(&room.stage->tables.feeds,
                                              room.stage->tables.services.list);
    int64_t time = room_table(&room)->opened - MINUTE_MS;
    *clock = (struct service_clock){.time = time, .at = room.stage->now};
    goes_on(14 * MINUTE_MS, MINUTE_MS);
    ck_assert(!clock->doubted);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 0);
}
END_TEST

/* A machine starts with its clock behind: until the service has told its time,
 * what it told last counts for what is asked. */
START_TEST(at_a_start_with_our_clock_behind_the_store_tells_what_time_it_was)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    int64_t there = room.stage->now;
    room_shut(&room);
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    stage->conf.settings = room.settings;
    stage->opening = OPEN_UNCHECKED;
    ck_assert_int_eq(
        stage_open(stage, room.folder, there - 21 * HOUR_MS, &room.why),
        ERR_NONE);
    const struct tables *tables = &stage->tables;
    int64_t asked =
        tables_asking_time(tables, tables->services.list, there - 21 * HOUR_MS);
    ck_assert_int_gt(asked, there - 10 * MINUTE_MS);
    ck_assert_int_le(asked, there);
    ck_assert_int_eq(
        tables_asking_time(tables, tables->services.list, there + HOUR_MS),
        there + HOUR_MS);
    stage_close(stage);
    free(stage);
}
END_TEST

/* A machine wakes in a wrong year, and is set right. */
START_TEST(a_board_that_was_in_a_wrong_year_goes_on)
{
    int64_t years = INT64_C(50) * 365 * DAY_MS;
    room_open(&room);
    room_begin(&room, 5);
    room_shut(&room);
    int64_t now = room.now;
    room.now += years;
    room.no_leaps = true;
    room_open(&room);
    room_names(&room, 1);
    room_says(&room, "Mo", "is anybody there?");
    room_shut(&room);
    room.now = now + MINUTE_MS;
    room_open(&room);
    room.stage->now = now + MINUTE_MS; /* no later than its newest post */
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    const struct table *table = room_table(&room);
    ck_assert_int_gt(table->deadline, room.stage->now);
    ck_assert_int_lt(table->deadline, room.stage->now + 2 * DAY_MS);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 1);
    if (table->game.question == QUESTION_NOMINATE) {
        room_names(&room, room_choice(&room));
    }
    room_votes(&room, true);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
}
END_TEST

/* So does one whose game has not begun. */
START_TEST(a_ready_check_that_was_in_a_wrong_year_ends)
{
    int64_t years = INT64_C(50) * 365 * DAY_MS;
    room_set(&room, "ready_check", "on");
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    room_shut(&room);
    int64_t now = room.now;
    room.now += years;
    room.no_leaps = true;
    room_open(&room);
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    room_says(&room, "Mo", "is anybody there?");
    room_shut(&room);
    room.now = now + MINUTE_MS;
    room_open(&room);
    room.stage->now = now + MINUTE_MS;
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    ck_assert_int_gt(room_table(&room)->check_ends, room.stage->now);
    ck_assert_int_lt(room_table(&room)->check_ends,
                     room.stage->now + 2 * DAY_MS);
    ck_assert_uint_eq(room_count_said(&room, "the ready check ends on"), 1);
    room_reopen(&room);
    ck_assert_int_lt(room_table(&room)->check_ends,
                     room.stage->now + 2 * DAY_MS);
}
END_TEST

START_TEST(a_clock_that_is_set_back_during_an_outage_shortens_nothing)
{
    begin();
    goes_on(10 * MINUTE_MS, MINUTE_MS);
    bad_board.reading = ERR_LATER;
    goes_on(40 * MINUTE_MS, MINUTE_MS);
    turn_at(room.stage->now - 2 * HOUR_MS);
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    bad_board.reading = ERR_NONE;
    bad_board.behind = -2 * HOUR_MS;
    goes_on(16 * MINUTE_MS, MINUTE_MS);
    assert_told(1, 0);
}
END_TEST

/* A host that is not let in is not waiting for the service; but that was away.
 */
START_TEST(a_feed_that_is_denied_is_no_outage)
{
    begin();
    int64_t deadline = room_table(&room)->deadline;
    goes_on(22 * HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_DENIED;
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, MINUTE_MS);
    assert_told(0, 1);
    ck_assert_int_ge(room_table(&room)->deadline, deadline + HOUR_MS);
}
END_TEST

START_TEST(a_host_that_starts_again_knows_how_long_it_was_away)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    room_shut(&room);
    room.now += 20 * MINUTE_MS;
    room_open(&room);
    room_settle(&room);
    assert_told(0, 0);
    goes_on(HOUR_MS, MINUTE_MS);
    room_shut(&room);
    room.now += 3 * HOUR_MS;
    room_open(&room);
    room_settle(&room);
    assert_told(0, 1);
    room_shut(&room);
    room_open(&room);
    room_settle(&room);
    assert_told(0, 1);
}
END_TEST

/* A page that was under way while the machine slept tells an earlier time. */
START_TEST(a_page_that_came_late_makes_no_clock_wrong_after_a_restart)
{
    begin();
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.behind = 16 * MINUTE_MS;
    turn_at(room.stage->now + 6 * MINUTE_MS);
    room_shut(&room);
    bad_board.behind = 0;
    room_open(&room);
    struct tables *tables = &room.stage->tables;
    ck_assert(
        !feeds_clock(&tables->feeds, tables->feeds.list[0]->service)->doubted);
}
END_TEST

/* The first that is reached after a start may never have been read before. */
START_TEST(a_first_reply_that_tells_a_wrong_year_is_not_believed)
{
    begin();
    struct tables *tables = &room.stage->tables;
    struct feed *known = tables->feeds.list[0];
    struct feed *other = feeds_add(&tables->feeds, known->service, "other");
    struct service_clock *clock = feeds_clock(&tables->feeds, known->service);
    int64_t now = room.stage->now;
    struct outcome outcome = {.through = now + 10000 * DAY_MS};
    *clock = (struct service_clock){.at = 0};
    known->saved = known->heard = known->read_at = now - HOUR_MS;
    outages_reached(tables, other, &outcome, now, now);
    ck_assert(clock->doubted);
    ck_assert_int_eq(tables_service_now(tables, known->service, now), now);
}
END_TEST

START_TEST(a_first_reply_that_came_late_tells_no_time)
{
    begin();
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    struct service_clock *clock = feeds_clock(&tables->feeds, feed->service);
    int64_t now = room.stage->now;
    struct outcome outcome = {.through = now - 10 * MINUTE_MS};
    *clock = (struct service_clock){.at = 0};
    outages_reached(tables, feed, &outcome, now - 10 * MINUTE_MS, now);
    outcome.through = now;
    outages_reached(tables, feed, &outcome, now, now);
    ck_assert(!clock->doubted);
    ck_assert_int_eq(clock->at, now);
}
END_TEST

/* At a start the time is known by our own clock alone until a page tells it. */
START_TEST(a_page_that_tells_no_time_begins_no_question_anew)
{
    begin();
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    int64_t now = room.stage->now - 29 * HOUR_MS;
    int64_t deadline = room_table(&room)->deadline;
    struct outcome outcome = {.through = room.stage->now, .more = true};
    *feeds_clock(&tables->feeds, feed->service) =
        (struct service_clock){.at = 0};
    feed->saved = feed->heard = feed->through = 0;
    tables->feeds.by_service[0].latest = 0;
    outages_reached(tables, feed, &outcome, now, now);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    outcome = (struct outcome){.through = now};
    outages_reached(tables, feed, &outcome, now, now);
    ck_assert_int_ne(room_table(&room)->deadline, deadline);
}
END_TEST

/* As by a proxy that has an absurd time. */
START_TEST(a_page_that_comes_late_and_tells_an_absurd_time_moves_no_deadline)
{
    begin();
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    int64_t now = room.stage->now;
    int64_t deadline = room_table(&room)->deadline;
    struct outcome outcome = {.through = now + 1000 * DAY_MS};
    outages_reached(tables, feed, &outcome, now - 2 * MINUTE_MS, now);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    ck_assert_int_le(feed->heard, now + MINUTE_MS);
}
END_TEST

/* It was a day ahead when the host was stopped: what is asked by the first page
 * would have been over for a day. */
START_TEST(at_a_start_with_our_clock_set_back_it_is_no_earlier_than_before)
{
    begin();
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    int64_t now = room.stage->now;
    struct outcome outcome = {.through = now, .more = true};
    *feeds_clock(&tables->feeds, feed->service) =
        (struct service_clock){.at = 0};
    feed->saved = feed->heard = now - HOUR_MS;
    feed->read_at = now - HOUR_MS + DAY_MS;
    tables->feeds.by_service[0].latest = 0;
    outages_reached(tables, feed, &outcome, now, now);
    ck_assert_int_ge(tables_service_now(tables, feed->service, now),
                     now - HOUR_MS);
}
END_TEST

/* Or what is asked now would come before what was posted. */
START_TEST(at_a_service_it_is_no_earlier_than_it_was_when_it_was_read)
{
    begin();
    struct tables *tables = &room.stage->tables;
    struct feed *feed = tables->feeds.list[0];
    int64_t now = room.stage->now;
    *feeds_clock(&tables->feeds, feed->service) =
        (struct service_clock){.time = now - HOUR_MS, .at = now};
    feeds_read_through(&tables->feeds, feed, now);
    ck_assert_int_eq(tables_service_now(tables, feed->service, now), now);
}
END_TEST

/* An execution waits for a quarter of an hour once it is announced. */
static void
come_to_an_execution(void)
{
    room_set(&room, "second_thought", "15m");
    room.deck = "FFFFFFFFFFF";
    room_open(&room);
    room_begin(&room, 5);
    room_govern_to(&room, 4);
    install();
}

START_TEST(a_second_thought_gets_the_time_that_an_outage_took)
{
    come_to_an_execution();
    room_names(&room, room_choice(&room));
    ck_assert_uint_ne(room_table(&room)->announced, NO_SEAT);
    int64_t due = room_table(&room)->announced_due;
    bad_board.reading = ERR_LATER;
    goes_on(HOUR_MS, 20 * SECOND_MS);
    bad_board.reading = ERR_NONE;
    goes_on(5 * MINUTE_MS, 20 * SECOND_MS);
    assert_told(1, 0);
    assert_holds(room_said(&room),
                 "Another name for the execution counts until");
    ck_assert_int_gt(room_table(&room)->announced_due, due + 59 * MINUTE_MS);
    ck_assert_int_gt(room_table(&room)->announced_due, room.stage->now);
}
END_TEST

/* A single reply of the board is years ahead, as an execution is announced. */
START_TEST(a_second_thought_in_a_wrong_year_ends)
{
    come_to_an_execution();
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    bad_board.behind = INT64_C(-50) * 365 * DAY_MS;
    room_names(&room, room_choice(&room));
    ck_assert_uint_ne(room_table(&room)->announced, NO_SEAT);
    ck_assert_int_gt(room_table(&room)->announced_due,
                     room.stage->now + 365 * DAY_MS);
    bad_board.behind = 0;
    goes_on(10 * MINUTE_MS, MINUTE_MS);
    ck_assert_int_le(room_table(&room)->announced_due,
                     room.stage->now + 15 * MINUTE_MS);
    assert_holds(room_said(&room),
                 "Another name for the execution counts until");
    goes_on(30 * MINUTE_MS, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 1);
    ck_assert_int_ne(room_game(&room)->question, QUESTION_EXECUTION);
}
END_TEST

/* … as a president chooses: by it their session had ended long ago. */
START_TEST(a_session_in_a_wrong_year_ends)
{
    begin();
    room_votes(&room, true);
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    bad_board.behind = INT64_C(-50) * 365 * DAY_MS;
    room_discards(&room, true);
    ck_assert_int_gt(room_table(&room)->opened,
                     room_table(&room)->session_ends);
    bad_board.behind = 0;
    goes_on(20 * MINUTE_MS, MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "A clock was wrong"), 1);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_ENACT);
    ck_assert_int_gt(room_table(&room)->deadline, room.stage->now);
    ck_assert_int_lt(room_table(&room)->deadline, room.stage->now + 2 * DAY_MS);
    room_enacts(&room, false);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_NOMINATE);
}
END_TEST

START_TEST(a_sign_up_is_told_of_no_gap)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    install();
    goes_on(HOUR_MS, 10 * MINUTE_MS);
    bad_board.reading = ERR_LATER;
    goes_on(HOUR_MS, MINUTE_MS);
    bad_board.reading = ERR_NONE;
    goes_on(6 * MINUTE_MS, MINUTE_MS);
    assert_told(0, 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/outage");
    TCase *tcase = tcase_create("gap");
    tcase_add_checked_fixture(tcase, bad_board_set_up, tear_down);
    tcase_add_test(
        tcase, an_outage_in_the_last_quarter_moves_the_deadline_by_its_length);
    tcase_add_test(tcase, what_the_service_has_forgotten_is_to_be_posted_again);
    tcase_add_test(tcase, a_short_time_that_is_forgotten_is_told_too);
    tcase_add_test(tcase, each_absence_counts);
    tcase_add_test(tcase, an_outage_is_no_part_of_the_next_absence);
    tcase_add_test(
        tcase, an_outage_that_a_late_call_made_up_for_is_not_made_up_for_again);
    tcase_add_test(
        tcase, an_outage_before_the_cards_were_there_is_not_made_up_for_again);
    tcase_add_test(tcase,
                   what_is_told_of_an_absence_is_written_at_the_services_time);
    tcase_add_test(tcase, an_outage_before_the_end_of_the_ready_check_moves_it);
    tcase_add_test(tcase,
                   a_ready_check_whose_thread_was_never_read_is_not_over);
    tcase_add_test(tcase, an_outage_before_the_end_of_the_sign_up_moves_it);
    tcase_add_test(tcase, an_outage_over_the_deadline_lets_nothing_run_out);
    tcase_add_test(tcase, what_is_shorter_than_half_an_hour_is_not_told);
    tcase_add_test(tcase, a_machine_that_slept_was_away_and_moves_the_deadline);
    tcase_add_test(tcase, a_clock_that_jumps_forward_is_no_gap);
    tcase_add_test(tcase,
                   a_service_whose_clock_is_ahead_for_a_while_ends_no_time);
    tcase_add_test(tcase, a_service_at_the_last_time_there_is_ends_no_time);
    tcase_add_test(tcase,
                   a_deadline_set_at_the_last_time_there_is_can_be_written);
    tcase_add_test(tcase, a_dm_whose_reply_told_a_time_far_ahead_sets_no_time);
    tcase_add_test(tcase,
                   a_dm_is_read_no_further_than_the_services_clock_shows);
    tcase_add_test(
        tcase, a_service_whose_clock_stays_ahead_is_believed_after_ten_minutes);
    tcase_add_test(
        tcase,
        what_is_asked_while_our_clock_is_behind_is_not_over_once_it_is_right);
    tcase_add_test(tcase,
                   what_was_asked_by_a_clock_that_was_behind_has_all_its_time);
    tcase_add_test(tcase, what_was_asked_by_a_right_clock_does_not_begin_anew);
    tcase_add_test(tcase, a_paused_game_hears_of_no_wrong_clock);
    tcase_add_test(
        tcase,
        at_a_start_with_our_clock_behind_the_store_tells_what_time_it_was);
    tcase_add_test(tcase, a_board_that_was_in_a_wrong_year_goes_on);
    tcase_add_test(tcase, a_ready_check_that_was_in_a_wrong_year_ends);
    tcase_add_test(tcase,
                   a_clock_that_is_set_back_during_an_outage_shortens_nothing);
    tcase_add_test(tcase, a_feed_that_is_denied_is_no_outage);
    tcase_add_test(tcase, a_host_that_starts_again_knows_how_long_it_was_away);
    tcase_add_test(tcase,
                   a_page_that_came_late_makes_no_clock_wrong_after_a_restart);
    tcase_add_test(tcase,
                   a_first_reply_that_tells_a_wrong_year_is_not_believed);
    tcase_add_test(tcase, a_first_reply_that_came_late_tells_no_time);
    tcase_add_test(tcase, a_page_that_tells_no_time_begins_no_question_anew);
    tcase_add_test(
        tcase,
        a_page_that_comes_late_and_tells_an_absurd_time_moves_no_deadline);
    tcase_add_test(tcase,
                   at_a_service_it_is_no_earlier_than_it_was_when_it_was_read);
    tcase_add_test(
        tcase, at_a_start_with_our_clock_set_back_it_is_no_earlier_than_before);
    tcase_add_test(tcase, a_second_thought_gets_the_time_that_an_outage_took);
    tcase_add_test(tcase, a_second_thought_in_a_wrong_year_ends);
    tcase_add_test(tcase, a_session_in_a_wrong_year_ends);
    tcase_add_test(tcase, a_sign_up_is_told_of_no_gap);
    suite_add_tcase(suite, tcase);
    return suite;
}
