/*
 * The loop: what is sent when, and what becomes of it when the service fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/loop.h"
#include "bot/tables/places/places.h"
#include "tests/support/httpd.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

/* The board behind a line that fails as planned. */
static struct {
    unsigned kinds; /* bits of enum op_kind */
    enum err err;
    int64_t wait;
    unsigned times;                     /* still to fail */
    bool after;                         /* when it was served */
    unsigned asked[16];                 /* operations begun, by kind */
    const char *text;                   /* fail only what holds this, or NULL */
    size_t shortest;                    /* that a probe finds */
    void (*watch)(const struct op *op); /* or NULL */
    struct dice dice;
    unsigned one_in; /* at random; 0: never */
} line;

static bool
is_planned(const struct op *op, bool served)
{
    if (line.one_in != 0 && (line.kinds >> op->kind & 1U)) {
        return dice_below(&line.dice, line.one_in) == 0;
    }
    return line.times > 0 && (line.kinds >> op->kind & 1U) &&
           served == line.after &&
           (line.text == NULL || strstr(op->text, line.text) != NULL);
}

static enum advance
shaky_turn(const struct service *service, const struct op *op, struct buf *work,
           const struct reply *reply, struct outcome *out, struct buf *trouble)
{
    if (reply == NULL) {
        line.asked[op->kind]++;
        if (line.watch != NULL) {
            line.watch(op);
        }
    }
    if (is_planned(op, reply != NULL)) {
        line.times -= line.times > 0;
        out->wait = line.wait;
        return outcome_fail(out, trouble, line.err, "the line is down");
    }
    if (op->kind == OP_PROBE) {
        out->shortest = line.shortest;
    }
    return adapter_board.advance(service, op, work, reply, out, trouble);
}

static struct adapter shaky;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&line, 0, sizeof line);
    shaky = adapter_board;
    shaky.advance = shaky_turn;
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

static void
install(void)
{
    room.stage->tables.services.list[0].adapter = &shaky;
}

static void
begin(unsigned players)
{
    room_open(&room);
    room_begin(&room, players);
    install();
}

static void
plan(unsigned kinds, enum err err, unsigned times, bool after)
{
    line.kinds = kinds;
    line.err = err;
    line.times = times;
    line.after = after;
}

/* As at a start: the place is probed. */
static void
probe_again(void)
{
    room.stage->loop.places[0].jobs[TICKET_LENGTHS] =
        (struct job){.done = false};
    places_change(&room.stage->tables.places);
}

#define KIND(kind) (1U << (kind))

/* The state of the newest message of a kind; -1: it has left. */
static int
state_of(enum message_kind kind)
{
    const struct outbox *outbox = &room.stage->tables.outbox;
    int state = -1;
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->list[i]->message.kind == kind) {
            state = (int)outbox->list[i]->state;
        }
    }
    return state;
}

/* ---- sending ------------------------------------------------------------- */

START_TEST(a_message_that_may_have_arrived_is_looked_for_and_not_doubled)
{
    begin(5);
    plan(KIND(OP_SEND), ERR_LATER, 1, true);
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_int_eq(state_of(MESSAGE_POST), QUEUED_DOUBTFUL);
    ck_assert_uint_eq(line.asked[OP_FIND], 0);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(line.asked[OP_FIND], 1);
    ck_assert_uint_eq(line.asked[OP_SEND], 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_int_eq(state_of(MESSAGE_POST), -1);
}
END_TEST

START_TEST(a_message_that_never_arrived_is_sent_again)
{
    begin(5);
    plan(KIND(OP_SEND), ERR_LATER, 2, false);
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    room_waits(&room, 8 * SECOND_MS);
    ck_assert_uint_eq(line.asked[OP_FIND], 2);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

/* It was refused for hours, and then its reply was lost: it came when it was
 * sent last. */
START_TEST(a_call_that_is_found_is_as_old_as_its_last_sending)
{
    begin(5);
    line.text = "Anna nominates Bob as";
    plan(KIND(OP_SEND), ERR_DENIED, 1000000, false);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    for (unsigned i = 0; i < 18; i++) {
        room_waits(&room, 10 * MINUTE_MS);
    }
    plan(KIND(OP_SEND), ERR_LATER, 1, true);
    room_waits(&room, 10 * MINUTE_MS);
    room_waits(&room, MINUTE_MS);
    ck_assert_uint_eq(line.asked[OP_FIND], 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_int_eq(state_of(MESSAGE_POST), -1);
    ck_assert_int_ge(room_table(&room)->deadline, deadline + 3 * HOUR_MS);
}
END_TEST

/* The machine sleeps once it is marked, before its request has gone out. */
START_TEST(a_call_that_is_found_is_no_older_than_its_request)
{
    begin(5);
    line.text = "Anna nominates Bob as";
    plan(KIND(OP_SEND), ERR_LATER, 1, false);
    room_names(&room, 1);
    int64_t deadline = room_table(&room)->deadline;
    room.stage->now += 5 * SECOND_MS;
    for (unsigned i = 0; i < 9 && line.asked[OP_FIND] == 0; i++) {
        ck_assert_int_eq(loop_turn(&room.stage->loop, room.stage->now, 0, &why),
                         ERR_NONE);
    }
    ck_assert_int_eq(state_of(MESSAGE_POST), QUEUED_IN_FLIGHT);
    plan(KIND(OP_SEND), ERR_LATER, 1, true);
    room_waits(&room, 3 * HOUR_MS);
    room_waits(&room, MINUTE_MS);
    ck_assert_uint_eq(line.asked[OP_FIND], 2);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_int_ge(room_table(&room)->deadline, deadline + 3 * HOUR_MS);
    ck_assert_uint_eq(room_count_said(&room, "My question came late"), 1);
}
END_TEST

/* Nobody knew yet that it had arrived when its time was moved. */
START_TEST(a_call_that_is_found_with_an_old_time_is_corrected)
{
    struct buf time = BUF_INIT;
    begin(5);
    line.text = "Anna nominates Bob as";
    plan(KIND(OP_SEND), ERR_GARBLED, 1, true);
    room_names(&room, 1);
    room_says(&room, "Mo", "!extend 3h");
    ck_assert_uint_eq(line.asked[OP_FIND], 0);
    room_waits(&room, 5 * SECOND_MS);
    ck_assert_uint_eq(line.asked[OP_FIND], 1);
    room_waits(&room, 5 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    const struct table *table = room_table(&room);
    catalogue_time(stage_catalogue(room.stage, table), table->deadline,
                   zone_utc(), &time);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strstr(room.posts[i].text, "Anna nominates Bob as") != NULL) {
            assert_holds(room.posts[i].text, buf_text(&time));
        }
    }
    buf_release(&time);
}
END_TEST

/* It may have arrived without it. */
START_TEST(a_message_with_a_picture_is_sent_again_by_its_key)
{
    shaky.capabilities.uploads = true;
    shaky.capabilities.pictures_apart = true;
    begin(5);
    room_elects(&room, 1);
    room_discards(&room, false);
    line.text = " policy.";
    plan(KIND(OP_SEND), ERR_LATER, 1, true);
    unsigned before = line.asked[OP_SEND];
    room_enacts(&room, false);
    unsigned sent = line.asked[OP_SEND];
    ck_assert_uint_gt(sent, before);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(line.asked[OP_FIND], 0);
    ck_assert_uint_eq(line.asked[OP_SEND], sent + 1);
    ck_assert_uint_eq(room_count_said(&room, " policy."), 1);
    ck_assert_int_eq(state_of(MESSAGE_POST), -1);
}
END_TEST

START_TEST(a_place_is_probed_once_and_hints_are_as_long_as_it_wants)
{
    begin(5);
    line.shortest = 20;
    plan(KIND(OP_PROBE), ERR_LATER, 2, false);
    probe_again();
    for (unsigned i = 0; i < 3; i++) {
        room_waits(&room, 5 * SECOND_MS);
    }
    ck_assert_uint_eq(line.asked[OP_PROBE], 3);
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "and why, in a few words"), 1);
    room_waits(&room, HOUR_MS);
    ck_assert_uint_eq(line.asked[OP_PROBE], 3);
}
END_TEST

START_TEST(a_limit_is_waited_out_without_looking)
{
    begin(5);
    line.wait = 30 * SECOND_MS;
    plan(KIND(OP_SEND), ERR_LIMITED, 1, false);
    room_names(&room, 1);
    room_waits(&room, 29 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    room_waits(&room, 7 * SECOND_MS); /* not all at once: a fifth more */
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_uint_eq(line.asked[OP_FIND], 0);
}
END_TEST

START_TEST(where_a_service_limits_reactions_give_way_to_posts)
{
    begin(5);
    line.wait = 5 * SECOND_MS;
    plan(KIND(OP_SEND), ERR_LIMITED, 1, false);
    room_names(&room, 1);
    unsigned before = line.asked[OP_REACT];
    room_says(&room, "Carl", "**Ja!**");
    room_says(&room, "Dora", "**Ja!**");
    ck_assert_uint_eq(line.asked[OP_REACT], before);
    room_waits(&room, 5 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_uint_eq(line.asked[OP_REACT], before + 2);
}
END_TEST

START_TEST(a_long_limit_of_one_message_keeps_no_reactions_waiting)
{
    begin(5);
    line.wait = 60 * SECOND_MS;
    plan(KIND(OP_SEND), ERR_LIMITED, 1, false);
    room_names(&room, 1);
    unsigned before = line.asked[OP_REACT];
    room_says(&room, "Carl", "**Ja!**");
    ck_assert_uint_eq(line.asked[OP_REACT], before + 1);
}
END_TEST

static bool edits_urgent[8];

static void
note_edits(const struct op *op)
{
    if (op->kind == OP_EDIT && line.asked[OP_EDIT] <= 8) {
        edits_urgent[line.asked[OP_EDIT] - 1] = op->urgent;
    }
}

START_TEST(a_status_post_that_has_waited_for_long_is_urgent)
{
    begin(5);
    line.wait = 40 * SECOND_MS;
    line.watch = note_edits;
    line.asked[OP_EDIT] = 0;
    plan(KIND(OP_EDIT), ERR_LIMITED, 1, false);
    room_names(&room, 1);
    room_waits(&room, 49 * SECOND_MS);
    ck_assert_uint_eq(line.asked[OP_EDIT], 2);
    ck_assert(!edits_urgent[0]);
    ck_assert(edits_urgent[1]);
}
END_TEST

static char locked[8][ADAPTER_ID_MAX + 1];

static void
note_locks(const struct op *op)
{
    if (op->kind == OP_LOCK) {
        unsigned number = line.asked[OP_LOCK] - 1;
        ck_assert_uint_lt(number, 8);
        (void)snprintf(locked[number], sizeof locked[number], "%s", op->post);
    }
}

/* A table at a place that has its posts locked, at a service that can. */
static void
begin_locking(void)
{
    room_set(&room, "edits", "lock");
    shaky.capabilities.locks = true;
    begin(5);
    line.watch = note_locks;
}

START_TEST(what_has_counted_is_locked_where_the_place_asks_for_it)
{
    begin_locking();
    plan(KIND(OP_LOCK), ERR_DENIED, 1, false);
    room_says(&room, "Bob", "I am for **Anna**.");
    ck_assert_uint_eq(line.asked[OP_LOCK], 0);
    room_names(&room, 1);
    ck_assert_uint_eq(line.asked[OP_LOCK], 1);
    ck_assert_int_eq(state_of(MESSAGE_LOCK), QUEUED_WAITING);
    /* That it was denied costs nothing: the game goes on. */
    room_votes(&room, true);
    assert_holds(room_said(&room), "Elected, ");
    ck_assert_uint_gt(line.asked[OP_LOCK], 3);
    ck_assert_str_ne(locked[1], locked[2]);
    /* Answers in private are let be. */
    unsigned before = line.asked[OP_LOCK];
    room_discards(&room, false);
    ck_assert_uint_eq(line.asked[OP_LOCK], before);
    /* Later than that an edit would have been seen. */
    room_waits(&room, 11 * MINUTE_MS);
    ck_assert_int_eq(state_of(MESSAGE_LOCK), -1);
}
END_TEST

START_TEST(nothing_is_locked_unless_the_place_asks_for_it)
{
    shaky.capabilities.locks = true;
    begin(5);
    room_names(&room, 1);
    room_votes(&room, true);
    ck_assert_uint_eq(line.asked[OP_LOCK], 0);
}
END_TEST

START_TEST(answers_behind_a_failing_one_keep_their_order)
{
    begin(5);
    room_names(&room, 1);
    plan(KIND(OP_SEND), ERR_LATER, 2, false);
    room_says(&room, "Carl", "!help");
    room_says(&room, "Dora", "!votes");
    ck_assert_uint_eq(room_count_said(&room, "Your vote is missing"), 0);
    ck_assert_uint_eq(room_count_said(&room, "Ja: nobody. Nein"), 0);
    room_waits(&room, 10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Your vote is missing"), 1);
    assert_holds(room_said(&room), "Ja: nobody. Nein");
}
END_TEST

/* Where one text of the host's posts stands before another. */
static void
assert_order(const char *first, const char *second)
{
    int one = -1;
    int two = -1;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        bool hosts = strcmp(post->author, BOARD_HOST) == 0;
        one = hosts && strstr(post->text, first) != NULL ? (int)i : one;
        two = hosts && strstr(post->text, second) != NULL ? (int)i : two;
    }
    ck_assert_int_ge(one, 0);
    ck_assert_int_lt(one, two);
}

START_TEST(a_call_that_is_denied_is_tried_again_and_results_wait_for_it)
{
    begin(5);
    line.text = "Anna nominates Bob";
    plan(KIND(OP_SEND), ERR_DENIED, 2, false);
    room_names(&room, 1);
    ck_assert_int_eq(state_of(MESSAGE_POST), QUEUED_WAITING);
    room_says(&room, "Carl", "!help");
    assert_holds(room_said(&room), "Your vote is missing");
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_said(&room, "Elected, 3 to 0"), 0);
    room_waits(&room, 10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    room_waits(&room, 40 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Elected, 3 to 0"), 1);
    assert_order("Anna nominates Bob as", "Elected, 3 to 0");
}
END_TEST

START_TEST(a_start_tries_at_once_what_was_denied)
{
    begin(5);
    line.text = "Anna nominates Bob";
    plan(KIND(OP_SEND), ERR_DENIED, 1, false);
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 0);
    room_reopen(&room);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

START_TEST(a_public_post_waits_for_a_private_message_that_pauses)
{
    begin(5);
    room_names(&room, 1);
    line.text = "you're President";
    plan(KIND(OP_SEND), ERR_LATER, 1, false);
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 0);
    ck_assert_uint_eq(room_count_said(&room, "Elected, "), 0);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Elected, "), 1);
}
END_TEST

START_TEST(a_private_message_that_is_denied_stops_nobody_else)
{
    begin(5);
    room_names(&room, 1);
    line.text = "you're President";
    plan(KIND(OP_SEND), ERR_DENIED, 1, false);
    room_votes(&room, true);
    ck_assert_int_eq(state_of(MESSAGE_PRIVATE), QUEUED_WAITING);
    ck_assert_uint_eq(room_count_said(&room, "Elected, "), 1);
}
END_TEST

START_TEST(a_private_dm_is_opened_once_and_tried_again)
{
    room_open(&room);
    install();
    plan(KIND(OP_DM), ERR_LATER, 1, false);
    room_begin(&room, 5);
    ck_assert_uint_eq(room_count_said(&room, "Welcome, all"), 0);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Welcome, all"), 1);
    ck_assert_uint_eq(line.asked[OP_DM], 6);
    room_elects(&room, 1);
    ck_assert_uint_eq(line.asked[OP_DM], 6);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(
            room_count_told(&room, room_player(i), "your role is below"), 1);
    }
}
END_TEST

START_TEST(a_status_post_is_edited_until_it_is_right)
{
    begin(5);
    plan(KIND(OP_EDIT), ERR_LATER, 1, false);
    room_names(&room, 1);
    assert_holds(room_status(&room)->text, "Anna has to name a Chancellor");
    room_waits(&room, 2 * SECOND_MS);
    assert_holds(room_status(&room)->text, "Vote on President Anna");
    ck_assert_uint_eq(room_count_said(&room, "Secret Hitler, table 1"), 1);
}
END_TEST

START_TEST(many_changes_of_the_status_are_few_edits)
{
    begin(7);
    room_names(&room, 1);
    unsigned before = line.asked[OP_EDIT];
    for (unsigned i = 0; i < 3; i++) {
        room_posts(&room, room_player(i), "**Ja!**");
    }
    room_settle(&room);
    ck_assert_uint_eq(line.asked[OP_EDIT], before + 1);
    assert_holds(room_status(&room)->text, "3 of 7 have voted");
}
END_TEST

START_TEST(a_first_status_post_that_may_have_arrived_is_not_doubled)
{
    room_open(&room);
    install();
    plan(KIND(OP_SEND), ERR_LATER, 1, true);
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Anna", "!join");
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "A table of"), 1);
    assert_holds(room_status(&room)->text, "Signed up so far (1): Anna.");
}
END_TEST

START_TEST(the_fingerprint_stands_below_a_sign_up_post_that_failed_once)
{
    room.fair = true;
    room.seed = "5ec7e7";
    room_open(&room);
    install();
    plan(KIND(OP_SEND), ERR_LATER, 1, false);
    room_says(&room, "Mo", "!new players=5");
    ck_assert_uint_eq(room_count_said(&room, ""), 0);
    room_waits(&room, 2 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, ""), 2);
    assert_holds(room_status(&room)->text, "A table of");
    assert_holds(room_said(&room), "fingerprint of the deal");
}
END_TEST

START_TEST(a_message_that_is_useless_by_now_is_dropped)
{
    begin(5);
    plan(KIND(OP_SEND), ERR_LATER, 1, false);
    room_says(&room, "Carl", "!help");
    struct outbox *outbox = &room.stage->tables.outbox;
    outbox->list[outbox->count - 1]->message.not_after = room.stage->now + 1000;
    room_waits(&room, 10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Nothing to do but talk"), 0);
    ck_assert_int_eq(state_of(MESSAGE_POST), -1);
    room_reopen(&room);
    ck_assert_int_eq(state_of(MESSAGE_POST), -1);
}
END_TEST

START_TEST(a_message_to_a_place_that_is_not_configured_waits_for_it)
{
    begin(5);
    plan(KIND(OP_SEND), ERR_LATER, 1, false);
    room_says(&room, "Carl", "!help");
    struct outbox *outbox = &room.stage->tables.outbox;
    struct queued_message *queued = outbox->list[outbox->count - 1];
    struct queued_message moved = *queued;
    queued->message = (struct message){.kind = queued->message.kind};
    outbox_done(outbox, queued->id);
    TEXT_COPY(moved.place, "elsewhere");
    (void)outbox_add(outbox, &moved);
    room_waits(&room, 10 * SECOND_MS);
    ck_assert_int_eq(state_of(MESSAGE_POST), QUEUED_DOUBTFUL);
    /* On disk it was not given up. */
    room_reopen(&room);
    ck_assert_uint_eq(room_count_said(&room, "Nothing to do but talk"), 1);
}
END_TEST

/* ---- save before you send ------------------------------------------------ */

static int64_t
stored_state(const char *key)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT CASE WHEN delivery IS NULL THEN state"
             " ELSE CAST(" SQL_DELIVERY " AS INTEGER) END"
             " FROM message WHERE key = '%s'",
             key);
    return room_query(&room, "store.db", sql);
}

static unsigned watched;

static void
watch_saved(const struct op *op)
{
    if (op->kind == OP_SEND || op->kind == OP_EDIT || op->kind == OP_REACT) {
        ck_assert_int_eq(stored_state(op->key), QUEUED_IN_FLIGHT);
        watched++;
    }
}

START_TEST(what_is_sent_is_in_flight_on_disk)
{
    begin(5);
    line.watch = watch_saved;
    watched = 0;
    room_governs(&room, 1, false);
    ck_assert_uint_gt(watched, 10);
}
END_TEST

START_TEST(what_was_sent_is_noted_with_its_id)
{
    begin(5);
    room_governs(&room, 1, false);
    ck_assert_int_gt(room_query(&room, "store.db",
                                "SELECT count(*) FROM message WHERE state = 2"
                                " AND (sent <> '' OR kind = 3)"),
                     10);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM message WHERE state <> 2"
                                " OR (sent = '' AND kind <> 3)"),
                     0);
}
END_TEST

static void
ask_thrice(void)
{
    room_posts(&room, "Carl", "!help");
    room_posts(&room, "Dora", "!votes");
    room_posts(&room, "Emil", "!votes");
}

/* The first one fails for as long as the host is there. */
START_TEST(answers_that_were_not_sent_yet_are_sent_after_a_start_and_once)
{
    begin(5);
    room_names(&room, 1);
    ask_thrice();
    plan(KIND(OP_SEND), ERR_LATER, 1000, false);
    room_settle(&room);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM message WHERE state = 1"),
                     1);
    room_reopen(&room);
    room_reopen(&room);
    ck_assert_uint_eq(room_count_said(&room, "Your vote is missing"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Ja: nobody. Nein"), 2);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* ---- found at the start -------------------------------------------------- */

/* Shut the host as if it had died before it noted what it had sent. */
static void
die_in_flight(void)
{
    room_shut(&room);
    room_alter(&room, "store.db",
               "UPDATE message SET state = 1, sent = '', delivered = 0,"
               " " SQL_SET_TEXT("coalesce(" SQL_TEXT ", 'lost')"));
}

START_TEST(messages_found_in_flight_are_not_doubled)
{
    begin(5);
    room_elects(&room, 1);
    room_read(&room);
    size_t posts = room.post_count;
    die_in_flight();
    room_open(&room);
    room_read(&room);
    ck_assert_uint_eq(room.post_count, posts);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    room_discards(&room, true);
    assert_holds(room_status(&room)->text, "are in session");
}
END_TEST

/* Open the room at a service that is shaky from the start. */
static void
open_shaky(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, room.folder, room.now, &why) == ERR_NONE);
    room.stage = stage;
    install();
    room_settle(&room);
}

START_TEST(messages_found_in_flight_are_looked_for_and_not_sent_at_once)
{
    begin(5);
    room_elects(&room, 1);
    die_in_flight();
    /* What is hidden does not show that it was sent. */
    int64_t posts = room_query(&room, "store.db",
                               "SELECT count(*) FROM message WHERE kind <> 3"
                               " AND delivery IS NULL");
    memset(&line, 0, sizeof line);
    open_shaky();
    ck_assert_uint_eq(line.asked[OP_FIND], posts);
    ck_assert_uint_eq(line.asked[OP_SEND], 0);
}
END_TEST

static int64_t died; /* when the host did */

static void
watch_since(const struct op *op)
{
    if (op->kind == OP_FIND) {
        ck_assert_int_gt(op->tried, 0);
        ck_assert_int_le(op->tried, died);
        ck_assert(op->once || strstr(op->text, "Elected") == NULL);
    }
}

/* The service's clock was ahead when it was judged what is said, and right
 * when that was sent: what was posted before the one time may be it. */
START_TEST(a_message_is_looked_for_from_when_it_was_first_tried)
{
    begin(5);
    room_elects(&room, 1);
    died = room.stage->now;
    die_in_flight();
    room_alter(&room, "store.db",
               "UPDATE message SET written = written + 7200000");
    room.now = died + HOUR_MS;
    memset(&line, 0, sizeof line);
    line.watch = watch_since;
    open_shaky();
    ck_assert_uint_gt(line.asked[OP_FIND], 0);
}
END_TEST

START_TEST(messages_found_in_flight_that_never_arrived_are_sent)
{
    begin(5);
    room_elects(&room, 1);
    room_shut(&room);
    room_alter(
        &room, "store.db",
        "UPDATE message SET state = 1, sent = '', delivered = 0,"
        " " SQL_SET_TEXT(
            "'once more'") " WHERE kind = 0 AND id ="
                           " (SELECT max(id) FROM message WHERE kind = 0)");
    room_alter(&room, "board.db",
               "DELETE FROM posts WHERE id = (SELECT max(id) FROM posts"
               " WHERE author = 'placard' AND place = 'thread')");
    room_open(&room);
    ck_assert_str_eq(room_said(&room), "once more");
    room_reopen(&room);
    ck_assert_uint_eq(room_count_said(&room, "once more"), 1);
}
END_TEST

/* ---- the ready check -------------------------------------------------------
 */

/* A table in its ready check, whose words can't be delivered yet. */
static void
begin_check(void)
{
    room_set(&room, "ready_check", "on");
    room_open(&room);
    install();
    room_says(&room, "Mo", "!new players=5");
    plan(KIND(OP_SEND), ERR_LATER, UINT_MAX, false);
    line.text = "lease post this word";
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
}

START_TEST(the_ready_check_waits_for_words_that_are_late)
{
    begin_check();
    int64_t ends = room_table(&room)->check_ends;
    for (unsigned i = 0; i < 500 && room.stage->now < ends + 20 * MINUTE_MS;
         i++) {
        room_waits(&room, 10 * MINUTE_MS);
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
    line.times = 0;
    for (unsigned i = 0; i < 18; i++) {
        room_waits(&room, 2 * MINUTE_MS);
    }
    ck_assert_uint_eq(room_count_said(&room, "reached you late"), 1);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
    ck_assert_int_ge(room_table(&room)->check_ends, ends + HOUR_MS);
    room_waits(&room, 2 * HOUR_MS);
    ck_assert_uint_lt(room_table(&room)->seated, 5);
}
END_TEST

/* The words are refused, until their readers allow them just before the end. */
static void
begin_late_words(void)
{
    begin_check();
    plan(KIND(OP_SEND), ERR_DENIED, UINT_MAX, false);
    int64_t ends = room_table(&room)->check_ends;
    while (room.stage->now < ends - 2 * MINUTE_MS) {
        room_waits(&room, MINUTE_MS);
    }
    ck_assert_int_eq(room_table(&room)->check_ends, ends);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
}

/* The check that should have ended goes on for an hour from now. */
static void
assert_check_goes_on(void)
{
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
    ck_assert_int_ge(room_table(&room)->check_ends,
                     room.stage->now + HOUR_MS - 5 * MINUTE_MS);
}

START_TEST(a_word_that_was_refused_before_gives_an_hour_when_it_is_delivered)
{
    begin_late_words();
    line.times = 0;
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "I am back.");
    }
    room_waits(&room, 3 * MINUTE_MS);
    assert_check_goes_on();
}
END_TEST

START_TEST(a_word_that_was_refused_before_and_may_have_arrived_is_waited_for)
{
    begin_late_words();
    plan(KIND(OP_SEND), ERR_LATER, 5, true);
    for (unsigned i = 0; i < 5; i++) {
        room_posts(&room, room_player(i), "I am back.");
    }
    room_settle(&room);
    ck_assert_uint_eq(line.times, 0);
    line.text = NULL;
    plan(KIND(OP_FIND), ERR_LATER, UINT_MAX, false);
    room_waits(&room, 3 * MINUTE_MS);
    ck_assert_int_lt(room_table(&room)->check_ends, room.stage->now);
    line.times = 0;
    room_waits(&room, 2 * MINUTE_MS);
    assert_check_goes_on();
}
END_TEST

/* ---- reading ------------------------------------------------------------- */

START_TEST(many_pages_are_read_at_once)
{
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 250; i++) {
        room_posts(&room, "Zoe", "What a day.");
    }
    room_posts(&room, "Anna", "!join");
    room_settle(&room);
    ck_assert_uint_eq(room_table(&room)->seated, 1);
}
END_TEST

/* Pauses differ, so that not all that failed together comes back together. */
static void
assert_within_a_fifth(int64_t pause, int64_t most)
{
    ck_assert_int_ge(pause, most - most / 5);
    ck_assert_int_le(pause, most);
}

START_TEST(a_feed_that_fails_is_put_off_and_loses_nothing)
{
    begin(5);
    room_names(&room, 1);
    plan(KIND(OP_READ), ERR_LATER, 3, false);
    room_says(&room, "Anna", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    ck_assert_uint_eq(room.stage->tables.feeds.list[0]->job.failures, 1);
    int64_t next = room.stage->tables.feeds.list[0]->job.next;
    assert_within_a_fifth(next - room.stage->now, SECOND_MS);
    ck_assert_int_eq(loop_wake(&room.stage->loop, room.stage->now), next);
    ck_assert_int_eq(loop_turn(&room.stage->loop, next, 0, &why), ERR_NONE);
    assert_within_a_fifth(room.stage->tables.feeds.list[0]->job.next - next,
                          4 * SECOND_MS);
    next += 4 * SECOND_MS;
    ck_assert_int_eq(loop_turn(&room.stage->loop, next, 0, &why), ERR_NONE);
    next += 9 * SECOND_MS;
    ck_assert_int_eq(loop_turn(&room.stage->loop, next, 0, &why), ERR_NONE);
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(0));
    ck_assert_uint_eq(room.stage->tables.feeds.list[0]->job.failures, 0);
}
END_TEST

/* The moderators are told, once, while so many half hours pass. */
static void
assert_told_that_it_is_gone(unsigned half_hours)
{
    for (unsigned i = 0; i < half_hours; i++) {
        room_waits(&room, HOUR_MS / 2);
    }
    ck_assert_uint_eq(
        room_count_told(&room, "Mo", "can't find the game's thread"), 1);
}

START_TEST(the_moderators_are_told_of_a_thread_that_can_not_be_read)
{
    static const enum err errs[] = {ERR_GONE, ERR_DENIED};
    begin(5);
    plan(KIND(OP_READ), errs[_i], 1000, false);
    assert_told_that_it_is_gone(6);
}
END_TEST

START_TEST(they_are_told_as_soon_though_the_clock_is_set_back)
{
    begin(5);
    plan(KIND(OP_READ), ERR_GONE, 1000, false);
    room_waits(&room, MINUTE_MS);
    room.stage->now -= DAY_MS;
    assert_told_that_it_is_gone(4);
}
END_TEST

START_TEST(no_deadline_fires_that_could_not_be_read_up_to)
{
    begin(5);
    room_names(&room, 1);
    int64_t due = table_due(room_table(&room));
    room_waits(&room, due - 5 * SECOND_MS - room.stage->now);
    for (unsigned i = 0; i < 3; i++) {
        room_posts(&room, room_player(i), "**Ja!**"); /* just in time */
    }
    plan(KIND(OP_READ), ERR_LATER, 5, false);
    room_waits(&room, DAY_MS);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    line.times = 0;
    room_waits(&room, MINUTE_MS);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
    ck_assert_uint_eq(room_count_said(&room, "Time is up"), 0);
}
END_TEST

START_TEST(a_limited_feed_waits_as_long_as_it_is_told)
{
    begin(5);
    line.wait = 90 * SECOND_MS;
    plan(KIND(OP_READ), ERR_LIMITED, 1, false);
    room_settle(&room);
    /* Never sooner, and not always as late. */
    int64_t pause =
        room.stage->tables.feeds.list[0]->job.next - room.stage->now;
    ck_assert_int_ge(pause, 90 * SECOND_MS);
    ck_assert_int_le(pause, 108 * SECOND_MS);
}
END_TEST

START_TEST(feeds_that_failed_together_are_not_read_together)
{
    int64_t pauses[5];
    unsigned others = 0;
    begin(5);
    plan(KIND(OP_READ), ERR_LIMITED, 5, false);
    line.wait = 90 * SECOND_MS;
    for (unsigned i = 0; i < 5; i++) {
        struct feed *feed = room.stage->tables.feeds.list[0];
        feeds_plan(&room.stage->tables.feeds, feed, room.stage->now);
        ck_assert_int_eq(loop_turn(&room.stage->loop, room.stage->now, 0, &why),
                         ERR_NONE);
        pauses[i] = feed->job.next - room.stage->now;
        others += i > 0 && pauses[i] != pauses[0];
    }
    ck_assert_uint_gt(others, 0);
}
END_TEST

START_TEST(before_anything_is_read_the_host_learns_who_it_is)
{
    room_open(&room);
    install();
    room.stage->loop.services[0].who.done = false;
    places_change(&room.stage->tables.places);
    plan(KIND(OP_WHO), ERR_LATER, 1, false);
    room_says(&room, "Mo", "!new");
    ck_assert_ptr_null(stage_table(room.stage));
    ck_assert_uint_eq(line.asked[OP_READ], 0);
    ck_assert_uint_eq(line.asked[OP_WHO], 1);
    room_waits(&room, 10 * SECOND_MS);
    ck_assert_uint_eq(line.asked[OP_WHO], 2);
    ck_assert_ptr_nonnull(stage_table(room.stage));
    ck_assert_str_eq(room.stage->tables.services.list[0].self, BOARD_HOST);
}
END_TEST

/* A feed may bring the posts of several. */
START_TEST(before_anything_is_read_the_places_are_known)
{
    room_open(&room);
    install();
    struct job *place = &room.stage->loop.places[0].jobs[TICKET_PLACE];
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    place->busy = true; /* it takes long */
    room_says(&room, "Mo", "!new");
    ck_assert_uint_eq(line.asked[OP_READ], 0);
    place->busy = false;
    places_change(&room.stage->tables.places);
    room_settle(&room);
    ck_assert_uint_eq(line.asked[OP_PLACE], 1);
    ck_assert_ptr_nonnull(stage_table(room.stage));
}
END_TEST

START_TEST(before_anything_is_read_it_is_known_where_moderators_talk)
{
    room_open(&room);
    install();
    struct job *dm = &room.stage->loop.places[0].jobs[TICKET_MODERATORS];
    TEXT_COPY(room.stage->conf.places[0].moderators_channel, "office");
    places_change(&room.stage->tables.places);
    dm->busy = true; /* it takes long */
    room_says(&room, "Mo", "!new");
    ck_assert_uint_eq(line.asked[OP_READ], 0);
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_MODERATORS, "office");
    places_change(&room.stage->tables.places);
    room_settle(&room);
    ck_assert_uint_ge(line.asked[OP_READ], 1);
    ck_assert_ptr_nonnull(stage_table(room.stage));
}
END_TEST

START_TEST(a_place_that_is_not_found_keeps_nobody_else_waiting)
{
    begin(5);
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    plan(KIND(OP_PLACE), ERR_DENIED, 100, false);
    room_names(&room, 1);
    ck_assert_uint_ge(line.asked[OP_PLACE], 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

START_TEST(where_the_place_is_not_found_people_join_the_table_opened_there)
{
    room_set(&room, "thread", "new");
    room_open(&room);
    install();
    room_says(&room, "Mo", "!new players=5");
    places_set_id(&room.stage->tables.places, room.stage->tables.places.list[0],
                  PLACE_THREAD, "");
    places_change(&room.stage->tables.places);
    plan(KIND(OP_PLACE), ERR_DENIED, 100, false);
    room_says_in(&room, "thread", "Anna", "!join");
    ck_assert_uint_ge(line.asked[OP_PLACE], 1);
    ck_assert_uint_eq(room_table(&room)->seated, 1);
}
END_TEST

START_TEST(the_loop_wakes_when_there_is_something_to_do)
{
    begin(5);
    const struct loop *loop = &room.stage->loop;
    int64_t now = room.stage->now;
    /* The feed is read again after the service's own pause. */
    ck_assert_int_eq(loop_wake(loop, now),
                     now + adapter_board.capabilities.pause);
    struct feeds *feeds = &room.stage->tables.feeds;
    feeds_set_busy(feeds, feeds->list[0], true);
    ck_assert_int_eq(loop_wake(loop, now), now + MINUTE_MS);
    feeds_set_busy(feeds, feeds->list[0], false);
    feeds_plan(feeds, feeds->list[0], now - 5);
    ck_assert_int_eq(loop_wake(loop, now), now);
}
END_TEST

START_TEST(a_clock_that_is_set_back_makes_nothing_wait_longer)
{
    begin(5);
    struct loop *loop = &room.stage->loop;
    plan(KIND(OP_SEND), ERR_GARBLED, 1, false);
    room_names(&room, 1);
    struct tables *tables = loop->tables;
    int64_t there =
        tables_service_now(tables, tables->services.list, room.stage->now);
    room.stage->now -= DAY_MS;
    ck_assert(loop_turn(loop, room.stage->now, 0, &why) == ERR_NONE);
    tables->feeds.by_service[0].latest = 0;
    ck_assert_int_ge(
        tables_service_now(tables, tables->services.list, room.stage->now),
        there);
    ck_assert_int_eq(loop_wake(loop, room.stage->now),
                     room.stage->now + adapter_board.capabilities.pause);
    /* The message's pause ends when it would have. */
    room.stage->now += 2 * SECOND_MS;
    ck_assert(loop_settle(loop, room.stage->now, &why) == ERR_NONE);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

/* ---- all of it at random ------------------------------------------------- */

static int
compare_texts(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* What the host has posted in each place; answers may stand elsewhere among the
 * posts of the game than they would have. */
static void
add_hosts_posts(struct room *of, struct buf *out)
{
    char place[64] = "thread";
    room_read(of);
    const char **texts = must_alloc((of->post_count + 1) * sizeof *texts);
    for (unsigned i = 0; i <= PLAYERS_MAX; i++) {
        size_t count = 0;
        for (size_t at = 0; at < of->post_count; at++) {
            const struct seen_post *post = &of->posts[at];
            if (strcmp(post->author, BOARD_HOST) == 0 &&
                strcmp(post->place, place) == 0) {
                texts[count++] = post->raw;
            }
        }
        qsort(texts, count, sizeof *texts, compare_texts);
        for (size_t at = 0; at < count; at++) {
            buf_addf(out, "%s\n", texts[at]);
        }
        if (i < PLAYERS_MAX) {
            snprintf(place, sizeof place, "talk/%s", room_player(i));
        }
    }
    free(texts);
}

/* Of the posts of the game, and of the answers, none stands before one that was
 * written earlier. */
static void
assert_order_kept(const struct room *of)
{
    ck_assert_int_eq(
        room_query(of, "store.db",
                   "SELECT count(*) FROM message a JOIN message b"
                   " ON a.thread = b.thread AND a.id < b.id"
                   " AND (a.batch > 0) = (b.batch > 0)"
                   " WHERE a.kind = 0 AND b.kind = 0 AND a.sent <> ''"
                   " AND b.sent <> ''"
                   " AND CAST(a.sent AS INTEGER) > CAST(b.sent AS INTEGER)"),
        0);
}

static void
open_random(struct room *of, unsigned number)
{
    of->fair = true;
    room_set(of, "rules", number % 2 == 0 ? "play-by-post" : "official");
    room_open(of);
    room_begin(of, 5 + number % 6);
}

/* Let everything be sent over a good line. */
static void
calm_down(struct room *of)
{
    line.one_in = 0;
    room_shut(of);
    room_open(of);
    while (outbox_wake(&of->stage->tables.outbox, of->stage->now) != 0) {
        room_waits(of, 10 * MINUTE_MS);
    }
}

/* What was asked has to arrive before its time goes on. */
static void
let_arrive(struct room *of, struct room *other)
{
    while (outbox_wake(&of->stage->tables.outbox, of->stage->now) != 0) {
        room_waits(of, 10 * SECOND_MS);
        room_waits(other, 10 * SECOND_MS);
    }
}

/* The random players of both act alike, at the same times: what they see of
 * the host comes late on the bad line, but they go by the table. */
START_TEST(a_failing_line_loses_nothing_and_doubles_nothing)
{
    struct room other;
    struct buf boards[2] = {BUF_INIT, BUF_INIT};
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    struct dice dice[2] = {{(uint64_t)_i + 5}, {(uint64_t)_i + 5}};
    room_init(&other);
    open_random(&room, (unsigned)_i);
    open_random(&other, (unsigned)_i);
    install();
    line.kinds = KIND(OP_SEND) | KIND(OP_EDIT) | KIND(OP_REACT) | KIND(OP_DM) |
                 KIND(OP_FIND);
    line.err = ERR_LATER;
    line.one_in = 5;
    line.dice.state = (uint64_t)_i;
    bool more = true;
    while (more) {
        more = room_improvise(&other, &dice[0]);
        room_settle(&other);
        ck_assert(room_improvise(&room, &dice[1]) == more);
        room_settle(&room);
        let_arrive(&room, &other);
    }
    calm_down(&room);
    room_record(&other, "1", &records[0]);
    room_record(&room, "1", &records[1]);
    ck_assert_str_eq(buf_text(&records[0]), buf_text(&records[1]));
    add_hosts_posts(&other, &boards[0]);
    add_hosts_posts(&room, &boards[1]);
    assert_order_kept(&room);
    ck_assert(buf_equals(&boards[0], buf_text(&boards[1])));
    ck_assert_uint_gt(line.asked[OP_FIND], 0);
    room_release(&other);
    for (unsigned i = 0; i < 2; i++) {
        buf_release(&boards[i]);
        buf_release(&records[i]);
    }
}
END_TEST

/* ---- very many feeds ----------------------------------------------------- */

enum {
    FAR_FEEDS = 10000
};

/* Feeds that are read over HTTP, beside the board. */
static struct {
    struct httpd *server;
    unsigned read;
} far;

static enum advance
far_turn(const struct service *service, const struct op *op, struct buf *work,
         const struct reply *reply, struct outcome *out, struct buf *trouble)
{
    if (op->kind != OP_READ || strncmp(op->feed, "far/", 4) != 0) {
        return adapter_board.advance(service, op, work, reply, out, trouble);
    }
    if (reply != NULL) {
        ck_assert_int_eq(reply->status, 200);
        far.read++;
        out->through = room.stage->now;
        return ADVANCE_DONE;
    }
    snprintf(out->request.method, sizeof out->request.method, "GET");
    buf_addf(&out->request.url, "%s/%s", httpd_url(far.server), op->feed);
    out->request.long_poll = true;
    return ADVANCE_REQUEST;
}

static void
add_far_feeds(void)
{
    struct tables *tables = &room.stage->tables;
    char name[16];
    for (int i = 0; i < FAR_FEEDS; i++) {
        snprintf(name, sizeof name, "far/%d", i);
        struct feed *feed =
            feeds_add(&tables->feeds, &tables->services.list[0], name);
        feeds_plan(&tables->feeds, feed, room.stage->now);
    }
}

/* One turn; never is there more under way than there may be. */
static void
far_work(int64_t patience)
{
    struct stage *stage = room.stage;
    ck_assert_int_eq(loop_turn(&stage->loop, stage->now, patience, &why),
                     ERR_NONE);
    ck_assert_uint_le(dispatch_busy(stage->dispatch), OPS_MAX - OPS_RESERVED);
    httpd_work(far.server, 0);
}

START_TEST(of_very_many_feeds_all_are_read_and_messages_go_meanwhile)
{
    begin(5);
    struct stage *stage = room.stage;
    struct httpd_request *request = NULL;
    far.read = 0;
    far.server = httpd_new();
    shaky.advance = far_turn;
    shaky.capabilities.pause = SECOND_MS;
    dispatch_wake_by(stage->dispatch, httpd_descriptor(far.server));
    unsigned said = room_count_said(&room, "");
    room_posts(&room, "Carl", "!help");
    feeds_plan(&stage->tables.feeds, stage->tables.feeds.list[0], 0);
    far_work(0); /* the answer is queued */
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    add_far_feeds();
    far_work(0);
    far_work(0);
    /* No feed has answered yet, but the host has.  It does not wake for what
     * there is no room for. */
    ck_assert_uint_gt(room_count_said(&room, ""), said);
    ck_assert_uint_eq(far.read, 0);
    ck_assert_uint_gt(dispatch_busy(stage->dispatch), 40);
    ck_assert_int_gt(loop_wake(&stage->loop, stage->now), stage->now);
    while (far.read < FAR_FEEDS) {
        far_work(10 * SECOND_MS);
        while ((request = httpd_next(far.server)) != NULL) {
            httpd_answer(request, 200, "", "nothing new");
        }
    }
    far_work(0);
    ck_assert_uint_eq(far.read, FAR_FEEDS);
    ck_assert_uint_eq(httpd_count(far.server), FAR_FEEDS);
    ck_assert_uint_eq(dispatch_busy(stage->dispatch), 0);
    room_shut(&room);
    httpd_free(far.server);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/loop");
    TCase *tcase = tcase_create("loop");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(
        tcase, a_message_that_may_have_arrived_is_looked_for_and_not_doubled);
    tcase_add_test(tcase, a_message_that_never_arrived_is_sent_again);
    tcase_add_test(tcase, a_call_that_is_found_is_as_old_as_its_last_sending);
    tcase_add_test(tcase, a_call_that_is_found_is_no_older_than_its_request);
    tcase_add_test(tcase, a_call_that_is_found_with_an_old_time_is_corrected);
    tcase_add_test(tcase, a_message_with_a_picture_is_sent_again_by_its_key);
    tcase_add_test(tcase,
                   a_place_is_probed_once_and_hints_are_as_long_as_it_wants);
    tcase_add_test(tcase, a_limit_is_waited_out_without_looking);
    tcase_add_test(tcase,
                   what_has_counted_is_locked_where_the_place_asks_for_it);
    tcase_add_test(tcase, nothing_is_locked_unless_the_place_asks_for_it);
    tcase_add_test(tcase, where_a_service_limits_reactions_give_way_to_posts);
    tcase_add_test(tcase,
                   a_long_limit_of_one_message_keeps_no_reactions_waiting);
    tcase_add_test(tcase, a_status_post_that_has_waited_for_long_is_urgent);
    tcase_add_test(tcase, answers_behind_a_failing_one_keep_their_order);
    tcase_add_test(
        tcase, a_call_that_is_denied_is_tried_again_and_results_wait_for_it);
    tcase_add_test(tcase, a_start_tries_at_once_what_was_denied);
    tcase_add_test(tcase,
                   a_public_post_waits_for_a_private_message_that_pauses);
    tcase_add_test(tcase, a_private_message_that_is_denied_stops_nobody_else);
    tcase_add_test(tcase, a_private_dm_is_opened_once_and_tried_again);
    tcase_add_test(tcase, a_status_post_is_edited_until_it_is_right);
    tcase_add_test(tcase, many_changes_of_the_status_are_few_edits);
    tcase_add_test(tcase,
                   a_first_status_post_that_may_have_arrived_is_not_doubled);
    tcase_add_test(
        tcase, the_fingerprint_stands_below_a_sign_up_post_that_failed_once);
    tcase_add_test(tcase, a_message_that_is_useless_by_now_is_dropped);
    tcase_add_test(tcase,
                   a_message_to_a_place_that_is_not_configured_waits_for_it);
    tcase_add_test(tcase, what_is_sent_is_in_flight_on_disk);
    tcase_add_test(tcase, what_was_sent_is_noted_with_its_id);
    tcase_add_test(
        tcase, answers_that_were_not_sent_yet_are_sent_after_a_start_and_once);
    tcase_add_test(tcase, messages_found_in_flight_are_not_doubled);
    tcase_add_test(
        tcase, messages_found_in_flight_are_looked_for_and_not_sent_at_once);
    tcase_add_test(tcase, a_message_is_looked_for_from_when_it_was_first_tried);
    tcase_add_test(tcase, messages_found_in_flight_that_never_arrived_are_sent);
    tcase_add_test(tcase, the_ready_check_waits_for_words_that_are_late);
    tcase_add_test(
        tcase,
        a_word_that_was_refused_before_gives_an_hour_when_it_is_delivered);
    tcase_add_test(
        tcase,
        a_word_that_was_refused_before_and_may_have_arrived_is_waited_for);
    tcase_add_test(tcase, many_pages_are_read_at_once);
    tcase_add_test(tcase, a_feed_that_fails_is_put_off_and_loses_nothing);
    tcase_add_loop_test(
        tcase, the_moderators_are_told_of_a_thread_that_can_not_be_read, 0, 2);
    tcase_add_test(tcase, they_are_told_as_soon_though_the_clock_is_set_back);
    tcase_add_test(tcase, no_deadline_fires_that_could_not_be_read_up_to);
    tcase_add_test(tcase, a_limited_feed_waits_as_long_as_it_is_told);
    tcase_add_test(tcase, feeds_that_failed_together_are_not_read_together);
    tcase_add_test(tcase, before_anything_is_read_the_places_are_known);
    tcase_add_test(tcase,
                   before_anything_is_read_it_is_known_where_moderators_talk);
    tcase_add_test(tcase, a_place_that_is_not_found_keeps_nobody_else_waiting);
    tcase_add_test(tcase, before_anything_is_read_the_host_learns_who_it_is);
    tcase_add_test(
        tcase, where_the_place_is_not_found_people_join_the_table_opened_there);
    tcase_add_test(tcase, the_loop_wakes_when_there_is_something_to_do);
    tcase_add_test(tcase, a_clock_that_is_set_back_makes_nothing_wait_longer);
    tcase_add_test(tcase,
                   of_very_many_feeds_all_are_read_and_messages_go_meanwhile);
    tcase_add_loop_test(tcase, a_failing_line_loses_nothing_and_doubles_nothing,
                        0, 6);
    suite_add_tcase(suite, tcase);
    return suite;
}
