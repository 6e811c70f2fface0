/*
 * A service that keeps what the host posts until a moderator has approved it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/log.h"
#include "bot/loop/loop.h"
#include "bot/tables/places/places.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

/* The queue before the board. */
static struct {
    const char *holds; /* posts with these words wait, or NULL */
    bool approves;     /* what waits is approved */
    bool rejects;      /* it is put away */
    bool nameless;     /* what waits has no id, so it can't be looked for */
    char *text;        /* what waits, or NULL */
    unsigned sent;     /* posts that were handed in and wait */
    unsigned looked;   /* how often one was looked for */
} queue;

static enum advance
look_for(const struct service *service, const struct op *op, struct buf *work,
         const struct reply *reply, struct outcome *out, struct buf *trouble)
{
    struct op send = *op;
    queue.looked += reply == NULL;
    send.kind = OP_SEND;
    if (queue.approves) {
        out->found = FOUND_IT;
        return adapter_board.advance(service, &send, work, reply, out, trouble);
    }
    out->found =
        queue.rejects || queue.nameless ? FOUND_NOTHING : FOUND_NOT_YET;
    return ADVANCE_DONE;
}

static enum advance
unapproved_turn(const struct service *service, const struct op *op,
                struct buf *work, const struct reply *reply,
                struct outcome *out, struct buf *trouble)
{
    if (op->kind == OP_SEND && queue.holds != NULL &&
        strstr(op->text, queue.holds) != NULL) {
        free(queue.text);
        queue.text = must_copy(op->text);
        queue.sent++;
        out->unapproved = true;
        buf_add_text(&out->id, queue.nameless ? "" : "held");
        return ADVANCE_DONE;
    }
    if (op->kind == OP_FIND && queue.text != NULL &&
        strcmp(op->text, queue.text) == 0) {
        return look_for(service, op, work, reply, out, trouble);
    }
    return adapter_board.advance(service, op, work, reply, out, trouble);
}

static struct adapter unapproved;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&queue, 0, sizeof queue);
    unapproved = adapter_board;
    unapproved.advance = unapproved_turn;
    log_set_level(LOG_LEVEL_NONE);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
    free(queue.text);
    queue.text = NULL;
}

static void
begin(void)
{
    room_open(&room);
    room_begin(&room, 5);
    room.stage->tables.services.list[0].adapter = &unapproved;
    TEXT_COPY(room.stage->conf.alarm, "board Olga");
}

static void
reopen(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    room_shut(&room);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, room.folder, room.now, &why) == ERR_NONE);
    room.stage = stage;
    stage->tables.services.list[0].adapter = &unapproved;
    room_settle(&room);
}

static void
pass(int64_t time)
{
    for (int64_t step = 0; step < time; step += MINUTE_MS) {
        room_waits(&room, MINUTE_MS);
    }
}

/* ---- the clock ----------------------------------------------------------- */

START_TEST(a_call_is_handed_in_once_and_no_time_runs_before_it_is_approved)
{
    begin();
    queue.holds = "nominates Bob";
    queue.nameless = _i == 1;
    room_names(&room, 1);
    pass(3 * DAY_MS);
    ck_assert_uint_eq(queue.sent, 1);
    ck_assert_uint_gt(queue.looked, 100);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    queue.approves = true;
    queue.holds = NULL;
    pass(6 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    /* From then on there is the whole time. */
    ck_assert_int_gt(room_table(&room)->deadline,
                     room.stage->now + room_table(&room)->length -
                         10 * MINUTE_MS);
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* Nobody reads a result before the call that it answers. */
START_TEST(what_is_said_later_waits_behind_it)
{
    begin();
    queue.holds = "nominates Bob";
    room_names(&room, 1);
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "**Ja!**");
    }
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Elected, "), 0);
    queue.approves = true;
    queue.holds = NULL;
    pass(6 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Elected, "), 1);
}
END_TEST

/* Nobody will ever see it, and the game would stand still. */
START_TEST(what_a_moderator_puts_away_is_sent_again_within_a_minute)
{
    begin();
    queue.holds = "nominates Bob";
    room_names(&room, 1);
    queue.rejects = true;
    pass(50 * MINUTE_MS);
    ck_assert_uint_le(queue.sent, 52);
    ck_assert_uint_eq(
        room_count_told(&room, "Olga", "a moderator has not approved it"), 1);
    queue.holds = NULL;
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* ---- a start ------------------------------------------------------------- */

START_TEST(it_still_waits_after_a_start)
{
    begin();
    queue.holds = "nominates Bob";
    room_names(&room, 1);
    reopen();
    pass(HOUR_MS);
    ck_assert_uint_eq(queue.sent, 1);
    ck_assert_int_eq(
        room_query(&room, "store.db",
                   "SELECT count(*) FROM message WHERE unapproved <> 0"
                   " AND kind = 0 AND delivered = 0"),
        1);
    queue.approves = true;
    queue.holds = NULL;
    pass(6 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM message"
                                " WHERE unapproved <> 0"),
                     0);
}
END_TEST

/* ---- who is told --------------------------------------------------------- */

START_TEST(who_runs_the_host_is_told_once)
{
    begin();
    queue.holds = "nominates Bob";
    room_names(&room, 1);
    pass(DAY_MS);
    ck_assert_uint_eq(
        room_count_told(&room, "Olga", "for a moderator's approval"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 1);
}
END_TEST

START_TEST(moderators_who_have_a_dm_are_told_there)
{
    begin();
    TEXT_COPY(room.stage->conf.places[0].moderators_channel, "talk/Zoe");
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_MODERATORS, "talk/Zoe");
    queue.holds = "nominates Bob";
    room_names(&room, 1);
    pass(HOUR_MS);
    ck_assert_uint_eq(room_count_told(&room, "Zoe",
                                      "a post of mine is waiting for a "
                                      "moderator"),
                      1);
}
END_TEST

/* What is listed by `games` and `check`. */
static enum err
note_unapproved(void *context, const struct store_message *message,
                struct buf *text)
{
    int64_t *count = context;
    (void)text;
    *count += message->unapproved;
    return ERR_NONE;
}

START_TEST(it_is_listed_as_waiting_for_approval)
{
    int64_t count = 0;
    begin();
    queue.holds = "nominates Bob";
    room_names(&room, 1);
    ck_assert(store_undelivered(room.stage->tables.store, 0, note_unapproved,
                                &count, &why) == ERR_NONE);
    ck_assert_int_eq(count, 1);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/queue");
    TCase *tcase = tcase_create("queue");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(
        tcase, a_call_is_handed_in_once_and_no_time_runs_before_it_is_approved,
        0, 2);
    tcase_add_test(tcase, what_is_said_later_waits_behind_it);
    tcase_add_test(tcase,
                   what_a_moderator_puts_away_is_sent_again_within_a_minute);
    tcase_add_test(tcase, it_still_waits_after_a_start);
    tcase_add_test(tcase, who_runs_the_host_is_told_once);
    tcase_add_test(tcase, moderators_who_have_a_dm_are_told_there);
    tcase_add_test(tcase, it_is_listed_as_waiting_for_approval);
    suite_add_tcase(suite, tcase);
    return suite;
}
