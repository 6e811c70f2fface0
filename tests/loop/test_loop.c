/*
 * The loop: what is sent when, and what becomes of it when the service fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/loop.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;
static struct buf why;

/* The board behind a line that fails as planned. */
static struct {
    unsigned kinds; /* bits of enum errand_kind */
    enum err err;
    int64_t wait;
    unsigned times;     /* still to fail */
    bool after;         /* when it was served */
    unsigned asked[16]; /* errands begun, by kind */
    const char *text;   /* fail only what holds this, or NULL */
    size_t shortest;    /* that a probe finds */
    void (*watch)(const struct errand *errand); /* or NULL */
    struct dice dice;
    unsigned one_in; /* at random; 0: never */
} line;

static bool
is_planned(const struct errand *errand, bool served)
{
    if (line.one_in != 0 && (line.kinds >> errand->kind & 1U)) {
        return dice_below(&line.dice, line.one_in) == 0;
    }
    return line.times > 0 && (line.kinds >> errand->kind & 1U) &&
           served == line.after &&
           (line.text == NULL || strstr(errand->text, line.text) != NULL);
}

static enum turn
shaky_turn(const struct service *service, const struct errand *errand,
           struct buf *work, const struct reply *reply, struct outcome *out,
           struct buf *trouble)
{
    if (reply == NULL) {
        line.asked[errand->kind]++;
        if (line.watch != NULL) {
            line.watch(errand);
        }
    }
    if (is_planned(errand, reply != NULL)) {
        line.times -= line.times > 0;
        out->wait = line.wait;
        return outcome_fail(out, trouble, line.err, "the line is down");
    }
    if (errand->kind == ERRAND_PROBE) {
        out->shortest = line.shortest;
    }
    return adapter_board.turn(service, errand, work, reply, out, trouble);
}

static struct adapter shaky;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
    memset(&line, 0, sizeof line);
    shaky = adapter_board;
    shaky.turn = shaky_turn;
}

static void
tear_down(void)
{
    hall_release(&hall);
    buf_release(&why);
}

static void
install(void)
{
    hall.stage->desk.services[0].adapter = &shaky;
}

static void
begin(unsigned players)
{
    hall_open(&hall);
    hall_begin(&hall, players);
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
    hall.stage->loop.probes[0] = (struct asking){.done = false};
}

#define KIND(kind) (1U << (kind))

/* The state of the newest letter of a kind; -1: it has left. */
static int
state_of(enum letter_kind kind)
{
    const struct outbox *outbox = &hall.stage->desk.outbox;
    int state = -1;
    for (size_t i = 0; i < outbox->count; i++) {
        if (outbox->list[i]->letter.kind == kind) {
            state = (int)outbox->list[i]->state;
        }
    }
    return state;
}

/* ---- sending ------------------------------------------------------------- */

START_TEST(a_letter_that_may_have_arrived_is_looked_for_and_not_doubled)
{
    begin(5);
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, true);
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    ck_assert_int_eq(state_of(LETTER_POST), ENVELOPE_WAITING);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 0);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 1);
    ck_assert_uint_eq(line.asked[ERRAND_SEND], 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    ck_assert_int_eq(state_of(LETTER_POST), -1);
}
END_TEST

START_TEST(a_letter_that_never_arrived_is_sent_again)
{
    begin(5);
    plan(KIND(ERRAND_SEND), ERR_LATER, 2, false);
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 0);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 0);
    hall_waits(&hall, 8 * SECOND_MS);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 2);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
}
END_TEST

/* It was refused for hours, and then its reply was lost: it came when it was
 * sent last. */
START_TEST(a_call_that_is_found_is_as_old_as_its_last_sending)
{
    begin(5);
    line.text = "Anna names Bob.";
    plan(KIND(ERRAND_SEND), ERR_DENIED, 1000000, false);
    hall_names(&hall, 1);
    int64_t deadline = hall_table(&hall)->deadline;
    for (unsigned i = 0; i < 18; i++) {
        hall_waits(&hall, 10 * MINUTE_MS);
    }
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, true);
    hall_waits(&hall, 10 * MINUTE_MS);
    hall_waits(&hall, MINUTE_MS);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    ck_assert_int_eq(state_of(LETTER_POST), -1);
    ck_assert_int_ge(hall_table(&hall)->deadline, deadline + 3 * HOUR_MS);
}
END_TEST

/* Nobody knew yet that it had arrived when its time was moved. */
START_TEST(a_call_that_is_found_with_an_old_time_is_corrected)
{
    struct buf time = BUF_INIT;
    begin(5);
    line.text = "Anna names Bob.";
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, true);
    hall_names(&hall, 1);
    hall_says(&hall, "Mo", "!extend 3h");
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 0);
    hall_waits(&hall, 5 * SECOND_MS);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 1);
    hall_waits(&hall, 5 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    const struct table *table = hall_table(&hall);
    catalogue_time(stage_catalogue(hall.stage, table), table->deadline,
                   zone_utc(), &time);
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        if (strstr(hall.posts[i].text, "Anna names Bob.") != NULL) {
            assert_holds(hall.posts[i].text, buf_text(&time));
        }
    }
    buf_release(&time);
}
END_TEST

/* It may have arrived without it. */
START_TEST(a_letter_with_a_picture_is_sent_again_by_its_key)
{
    shaky.traits.uploads = true;
    shaky.traits.pictures_apart = true;
    begin(5);
    hall_elects(&hall, 1);
    hall_discards(&hall, false);
    line.text = " policy.";
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, true);
    unsigned before = line.asked[ERRAND_SEND];
    hall_enacts(&hall, false);
    unsigned sent = line.asked[ERRAND_SEND];
    ck_assert_uint_gt(sent, before);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 0);
    ck_assert_uint_eq(line.asked[ERRAND_SEND], sent + 1);
    ck_assert_uint_eq(hall_count_said(&hall, " policy."), 1);
    ck_assert_int_eq(state_of(LETTER_POST), -1);
}
END_TEST

START_TEST(a_place_is_probed_once_and_hints_are_as_long_as_it_wants)
{
    begin(5);
    line.shortest = 20;
    plan(KIND(ERRAND_PROBE), ERR_LATER, 2, false);
    probe_again();
    for (unsigned i = 0; i < 3; i++) {
        hall_waits(&hall, 5 * SECOND_MS);
    }
    ck_assert_uint_eq(line.asked[ERRAND_PROBE], 3);
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "and why, in a few words"), 1);
    hall_waits(&hall, HOUR_MS);
    ck_assert_uint_eq(line.asked[ERRAND_PROBE], 3);
}
END_TEST

START_TEST(a_limit_is_waited_out_without_looking)
{
    begin(5);
    line.wait = 30 * SECOND_MS;
    plan(KIND(ERRAND_SEND), ERR_LIMITED, 1, false);
    hall_names(&hall, 1);
    hall_waits(&hall, 29 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 0);
    hall_waits(&hall, 7 * SECOND_MS); /* not all at once: a fifth more */
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    ck_assert_uint_eq(line.asked[ERRAND_FIND], 0);
}
END_TEST

START_TEST(where_a_service_limits_reactions_give_way_to_posts)
{
    begin(5);
    line.wait = 5 * SECOND_MS;
    plan(KIND(ERRAND_SEND), ERR_LIMITED, 1, false);
    hall_names(&hall, 1);
    unsigned before = line.asked[ERRAND_REACT];
    hall_says(&hall, "Carl", "**Ja!**");
    hall_says(&hall, "Dora", "**Ja!**");
    ck_assert_uint_eq(line.asked[ERRAND_REACT], before);
    hall_waits(&hall, 5 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    ck_assert_uint_eq(line.asked[ERRAND_REACT], before + 2);
}
END_TEST

START_TEST(a_long_limit_of_one_letter_keeps_no_reactions_waiting)
{
    begin(5);
    line.wait = 60 * SECOND_MS;
    plan(KIND(ERRAND_SEND), ERR_LIMITED, 1, false);
    hall_names(&hall, 1);
    unsigned before = line.asked[ERRAND_REACT];
    hall_says(&hall, "Carl", "**Ja!**");
    ck_assert_uint_eq(line.asked[ERRAND_REACT], before + 1);
}
END_TEST

static bool edits_urgent[8];

static void
note_edits(const struct errand *errand)
{
    if (errand->kind == ERRAND_EDIT && line.asked[ERRAND_EDIT] <= 8) {
        edits_urgent[line.asked[ERRAND_EDIT] - 1] = errand->urgent;
    }
}

START_TEST(a_status_post_that_has_waited_for_long_is_urgent)
{
    begin(5);
    line.wait = 40 * SECOND_MS;
    line.watch = note_edits;
    line.asked[ERRAND_EDIT] = 0;
    plan(KIND(ERRAND_EDIT), ERR_LIMITED, 1, false);
    hall_names(&hall, 1);
    hall_waits(&hall, 49 * SECOND_MS);
    ck_assert_uint_eq(line.asked[ERRAND_EDIT], 2);
    ck_assert(!edits_urgent[0]);
    ck_assert(edits_urgent[1]);
}
END_TEST

static char locked[8][ADAPTER_ID_MAX + 1];

static void
note_locks(const struct errand *errand)
{
    if (errand->kind == ERRAND_LOCK) {
        unsigned number = line.asked[ERRAND_LOCK] - 1;
        ck_assert_uint_lt(number, 8);
        (void)snprintf(locked[number], sizeof locked[number], "%s",
                       errand->post);
    }
}

/* A table at a place that has its posts locked, at a service that can. */
static void
begin_locking(void)
{
    hall_set(&hall, "edits", "lock");
    shaky.traits.locks = true;
    begin(5);
    line.watch = note_locks;
}

START_TEST(what_has_counted_is_locked_where_the_place_asks_for_it)
{
    begin_locking();
    plan(KIND(ERRAND_LOCK), ERR_DENIED, 1, false);
    hall_says(&hall, "Bob", "I am for **Anna**.");
    ck_assert_uint_eq(line.asked[ERRAND_LOCK], 0);
    hall_names(&hall, 1);
    ck_assert_uint_eq(line.asked[ERRAND_LOCK], 1);
    ck_assert_int_eq(state_of(LETTER_LOCK), ENVELOPE_WAITING);
    /* That it was denied costs nothing: the game goes on. */
    hall_votes(&hall, true);
    assert_holds(hall_said(&hall), "Elected with");
    ck_assert_uint_gt(line.asked[ERRAND_LOCK], 3);
    ck_assert_str_ne(locked[1], locked[2]);
    /* Answers in private are let be. */
    unsigned before = line.asked[ERRAND_LOCK];
    hall_discards(&hall, false);
    ck_assert_uint_eq(line.asked[ERRAND_LOCK], before);
    /* Later than that an edit would have been seen. */
    hall_waits(&hall, 11 * MINUTE_MS);
    ck_assert_int_eq(state_of(LETTER_LOCK), -1);
}
END_TEST

START_TEST(nothing_is_locked_unless_the_place_asks_for_it)
{
    shaky.traits.locks = true;
    begin(5);
    hall_names(&hall, 1);
    hall_votes(&hall, true);
    ck_assert_uint_eq(line.asked[ERRAND_LOCK], 0);
}
END_TEST

START_TEST(answers_behind_a_failing_one_keep_their_order)
{
    begin(5);
    hall_names(&hall, 1);
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, false);
    hall_says(&hall, "Carl", "!help");
    hall_says(&hall, "Dora", "!votes");
    ck_assert_uint_eq(hall_count_said(&hall, "Your vote is awaited"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "Missing:"), 0);
    hall_waits(&hall, 10 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Your vote is awaited"), 1);
    assert_holds(hall_said(&hall), "Missing:");
}
END_TEST

/* Where one text of the host's posts stands before another. */
static void
assert_order(const char *first, const char *second)
{
    int one = -1;
    int two = -1;
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
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
    line.text = "Anna names Bob";
    plan(KIND(ERRAND_SEND), ERR_DENIED, 2, false);
    hall_names(&hall, 1);
    ck_assert_int_eq(state_of(LETTER_POST), ENVELOPE_WAITING);
    hall_says(&hall, "Carl", "!help");
    assert_holds(hall_said(&hall), "Your vote is awaited");
    hall_votes(&hall, true);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with 3 to 0"), 0);
    hall_waits(&hall, 10 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 0);
    hall_waits(&hall, 40 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with 3 to 0"), 1);
    assert_order("Anna names Bob.", "Elected with 3 to 0");
}
END_TEST

START_TEST(a_start_tries_at_once_what_was_denied)
{
    begin(5);
    line.text = "Anna names Bob";
    plan(KIND(ERRAND_SEND), ERR_DENIED, 1, false);
    hall_names(&hall, 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 0);
    hall_reopen(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
}
END_TEST

START_TEST(a_public_post_waits_for_a_private_letter_that_pauses)
{
    begin(5);
    hall_names(&hall, 1);
    line.text = "you are President";
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, false);
    hall_votes(&hall, true);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with"), 0);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with"), 1);
}
END_TEST

START_TEST(a_private_letter_that_is_denied_stops_nobody_else)
{
    begin(5);
    hall_names(&hall, 1);
    line.text = "you are President";
    plan(KIND(ERRAND_SEND), ERR_DENIED, 1, false);
    hall_votes(&hall, true);
    ck_assert_int_eq(state_of(LETTER_PRIVATE), ENVELOPE_WAITING);
    ck_assert_uint_eq(hall_count_said(&hall, "Elected with"), 1);
}
END_TEST

START_TEST(a_private_talk_is_opened_once_and_tried_again)
{
    hall_open(&hall);
    install();
    plan(KIND(ERRAND_TALK), ERR_LATER, 1, false);
    hall_begin(&hall, 5);
    ck_assert_uint_eq(hall_count_said(&hall, "Welcome, all"), 0);
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Welcome, all"), 1);
    ck_assert_uint_eq(line.asked[ERRAND_TALK], 6);
    hall_elects(&hall, 1);
    ck_assert_uint_eq(line.asked[ERRAND_TALK], 6);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(
            hall_count_told(&hall, hall_player(i), "your role is below"), 1);
    }
}
END_TEST

START_TEST(a_status_post_is_edited_until_it_is_right)
{
    begin(5);
    plan(KIND(ERRAND_EDIT), ERR_LATER, 1, false);
    hall_names(&hall, 1);
    assert_holds(hall_status(&hall)->text, "Anna is to name a chancellor");
    hall_waits(&hall, 2 * SECOND_MS);
    assert_holds(hall_status(&hall)->text, "Vote on President Anna");
    ck_assert_uint_eq(hall_count_said(&hall, "Secret Hitler, table 1"), 1);
}
END_TEST

START_TEST(many_changes_of_the_status_are_few_edits)
{
    begin(7);
    hall_names(&hall, 1);
    unsigned before = line.asked[ERRAND_EDIT];
    for (unsigned i = 0; i < 3; i++) {
        hall_posts(&hall, hall_player(i), "**Ja!**");
    }
    hall_settle(&hall);
    ck_assert_uint_eq(line.asked[ERRAND_EDIT], before + 1);
    assert_holds(hall_status(&hall)->text, "3 of 7 have voted");
}
END_TEST

START_TEST(a_first_status_post_that_may_have_arrived_is_not_doubled)
{
    hall_open(&hall);
    install();
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, true);
    hall_says(&hall, "Mo", "!new players=5");
    hall_says(&hall, "Anna", "!join");
    hall_waits(&hall, 2 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "A table of"), 1);
    assert_holds(hall_status(&hall)->text, "At the table (1): Anna.");
}
END_TEST

START_TEST(a_letter_that_is_useless_by_now_is_dropped)
{
    begin(5);
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, false);
    hall_says(&hall, "Carl", "!help");
    struct outbox *outbox = &hall.stage->desk.outbox;
    outbox->list[outbox->count - 1]->letter.not_after = hall.stage->now + 1000;
    hall_waits(&hall, 10 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "nothing to do"), 0);
    ck_assert_int_eq(state_of(LETTER_POST), -1);
    hall_reopen(&hall);
    ck_assert_int_eq(state_of(LETTER_POST), -1);
}
END_TEST

START_TEST(a_letter_to_a_place_that_is_not_configured_waits_for_it)
{
    begin(5);
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, false);
    hall_says(&hall, "Carl", "!help");
    struct outbox *outbox = &hall.stage->desk.outbox;
    TEXT_COPY(outbox->list[outbox->count - 1]->place, "elsewhere");
    hall_waits(&hall, 10 * SECOND_MS);
    ck_assert_int_eq(state_of(LETTER_POST), ENVELOPE_WAITING);
    /* On disk it was not given up. */
    hall_reopen(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, "nothing to do"), 1);
}
END_TEST

/* ---- save before you send ------------------------------------------------ */

static int64_t
stored_state(const char *key)
{
    char sql[512];
    snprintf(sql, sizeof sql,
             "SELECT CASE WHEN fate IS NULL THEN state"
             " ELSE CAST(" SQL_FATE " AS INTEGER) END"
             " FROM letter WHERE key = '%s'",
             key);
    return hall_query(&hall, "store.db", sql);
}

static unsigned watched;

static void
watch_saved(const struct errand *errand)
{
    if (errand->kind == ERRAND_SEND || errand->kind == ERRAND_EDIT ||
        errand->kind == ERRAND_REACT) {
        ck_assert_int_eq(stored_state(errand->key), ENVELOPE_IN_FLIGHT);
        watched++;
    }
}

START_TEST(what_is_sent_is_in_flight_on_disk)
{
    begin(5);
    line.watch = watch_saved;
    watched = 0;
    hall_governs(&hall, 1, false);
    ck_assert_uint_gt(watched, 10);
}
END_TEST

START_TEST(what_was_sent_is_noted_with_its_id)
{
    begin(5);
    hall_governs(&hall, 1, false);
    ck_assert_int_gt(hall_query(&hall, "store.db",
                                "SELECT count(*) FROM letter WHERE state = 2"
                                " AND (sent <> '' OR kind = 3)"),
                     10);
    ck_assert_int_eq(hall_query(&hall, "store.db",
                                "SELECT count(*) FROM letter WHERE state <> 2"
                                " OR (sent = '' AND kind <> 3)"),
                     0);
}
END_TEST

/* ---- found at the start -------------------------------------------------- */

/* Shut the host as if it had died before it noted what it had sent. */
static void
die_in_flight(void)
{
    hall_shut(&hall);
    hall_alter(&hall, "store.db",
               "UPDATE letter SET state = 1, sent = '', delivered = 0,"
               " " SQL_SET_TEXT("coalesce(" SQL_TEXT ", 'lost')"));
}

START_TEST(letters_found_in_flight_are_not_doubled)
{
    begin(5);
    hall_elects(&hall, 1);
    hall_read(&hall);
    size_t posts = hall.post_count;
    die_in_flight();
    hall_open(&hall);
    hall_read(&hall);
    ck_assert_uint_eq(hall.post_count, posts);
    ck_assert_uint_eq(hall.stage->desk.outbox.count, 0);
    hall_discards(&hall, true);
    assert_holds(hall_status(&hall)->text, "is in session");
}
END_TEST

/* Open the hall at a service that is shaky from the start. */
static void
open_shaky(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, hall.folder, hall.now, &why) == ERR_NONE);
    hall.stage = stage;
    install();
    hall_settle(&hall);
}

START_TEST(letters_found_in_flight_are_looked_for_and_not_sent_at_once)
{
    begin(5);
    hall_elects(&hall, 1);
    die_in_flight();
    /* What is veiled does not show that it was sent. */
    int64_t posts = hall_query(&hall, "store.db",
                               "SELECT count(*) FROM letter WHERE kind <> 3"
                               " AND fate IS NULL");
    memset(&line, 0, sizeof line);
    open_shaky();
    ck_assert_uint_eq(line.asked[ERRAND_FIND], posts);
    ck_assert_uint_eq(line.asked[ERRAND_SEND], 0);
}
END_TEST

START_TEST(letters_found_in_flight_that_never_arrived_are_sent)
{
    begin(5);
    hall_elects(&hall, 1);
    hall_shut(&hall);
    hall_alter(
        &hall, "store.db",
        "UPDATE letter SET state = 1, sent = '', delivered = 0,"
        " " SQL_SET_TEXT(
            "'once more'") " WHERE kind = 0 AND id ="
                           " (SELECT max(id) FROM letter WHERE kind = 0)");
    hall_alter(&hall, "board.db",
               "DELETE FROM posts WHERE id = (SELECT max(id) FROM posts"
               " WHERE author = 'placard' AND place = 'thread')");
    hall_open(&hall);
    ck_assert_str_eq(hall_said(&hall), "once more");
    hall_reopen(&hall);
    ck_assert_uint_eq(hall_count_said(&hall, "once more"), 1);
}
END_TEST

/* ---- reading ------------------------------------------------------------- */

START_TEST(many_pages_are_read_at_once)
{
    hall_open(&hall);
    hall_says(&hall, "Mo", "!new players=5");
    for (unsigned i = 0; i < 250; i++) {
        hall_posts(&hall, "Zoe", "What a day.");
    }
    hall_posts(&hall, "Anna", "!join");
    hall_settle(&hall);
    ck_assert_uint_eq(hall_table(&hall)->seated, 1);
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
    hall_names(&hall, 1);
    plan(KIND(ERRAND_READ), ERR_LATER, 3, false);
    hall_says(&hall, "Anna", "**Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    ck_assert_uint_eq(hall.stage->desk.feeds[0].failures, 1);
    int64_t next = hall.stage->desk.feeds[0].next_read;
    assert_within_a_fifth(next - hall.stage->now, SECOND_MS);
    ck_assert_int_eq(loop_wake(&hall.stage->loop, hall.stage->now), next);
    ck_assert_int_eq(loop_turn(&hall.stage->loop, next, 0, &why), ERR_NONE);
    assert_within_a_fifth(hall.stage->desk.feeds[0].next_read - next,
                          4 * SECOND_MS);
    next += 4 * SECOND_MS;
    ck_assert_int_eq(loop_turn(&hall.stage->loop, next, 0, &why), ERR_NONE);
    next += 9 * SECOND_MS;
    ck_assert_int_eq(loop_turn(&hall.stage->loop, next, 0, &why), ERR_NONE);
    ck_assert_uint_eq(hall_game(&hall)->voted, seat_bit(0));
    ck_assert_uint_eq(hall.stage->desk.feeds[0].failures, 0);
}
END_TEST

START_TEST(no_deadline_fires_that_could_not_be_read_up_to)
{
    begin(5);
    hall_names(&hall, 1);
    int64_t due = table_due(hall_table(&hall));
    hall_waits(&hall, due - 5 * SECOND_MS - hall.stage->now);
    for (unsigned i = 0; i < 3; i++) {
        hall_posts(&hall, hall_player(i), "**Ja!**"); /* just in time */
    }
    plan(KIND(ERRAND_READ), ERR_LATER, 5, false);
    hall_waits(&hall, DAY_MS);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_VOTE);
    ck_assert_uint_eq(hall_game(&hall)->voted, 0);
    line.times = 0;
    hall_waits(&hall, MINUTE_MS);
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_DISCARD);
    ck_assert_uint_eq(hall_count_said(&hall, "Time is up"), 0);
}
END_TEST

START_TEST(a_limited_feed_waits_as_long_as_it_is_told)
{
    begin(5);
    line.wait = 90 * SECOND_MS;
    plan(KIND(ERRAND_READ), ERR_LIMITED, 1, false);
    hall_settle(&hall);
    /* Never sooner, and not always as late. */
    int64_t pause = hall.stage->desk.feeds[0].next_read - hall.stage->now;
    ck_assert_int_ge(pause, 90 * SECOND_MS);
    ck_assert_int_le(pause, 108 * SECOND_MS);
}
END_TEST

START_TEST(feeds_that_failed_together_are_not_read_together)
{
    int64_t pauses[5];
    unsigned others = 0;
    begin(5);
    plan(KIND(ERRAND_READ), ERR_LIMITED, 5, false);
    line.wait = 90 * SECOND_MS;
    for (unsigned i = 0; i < 5; i++) {
        struct feed *feed = &hall.stage->desk.feeds[0];
        feed->next_read = hall.stage->now;
        ck_assert_int_eq(loop_turn(&hall.stage->loop, hall.stage->now, 0, &why),
                         ERR_NONE);
        pauses[i] = feed->next_read - hall.stage->now;
        others += i > 0 && pauses[i] != pauses[0];
    }
    ck_assert_uint_gt(others, 0);
}
END_TEST

START_TEST(before_anything_is_read_the_host_learns_who_it_is)
{
    hall_open(&hall);
    install();
    hall.stage->loop.services[0].done = false;
    plan(KIND(ERRAND_WHO), ERR_LATER, 1, false);
    hall_says(&hall, "Mo", "!new");
    ck_assert_ptr_null(stage_table(hall.stage));
    ck_assert_uint_eq(line.asked[ERRAND_READ], 0);
    ck_assert_uint_eq(line.asked[ERRAND_WHO], 1);
    hall_waits(&hall, 10 * SECOND_MS);
    ck_assert_uint_eq(line.asked[ERRAND_WHO], 2);
    ck_assert_ptr_nonnull(stage_table(hall.stage));
    ck_assert_str_eq(hall.stage->desk.services[0].self, BOARD_HOST);
}
END_TEST

/* A feed may bring the posts of several. */
START_TEST(before_anything_is_read_the_places_are_known)
{
    hall_open(&hall);
    install();
    struct asking *place = &hall.stage->loop.places[0];
    hall.stage->desk.threads[0][0] = '\0';
    place->busy = true; /* it takes long */
    hall_says(&hall, "Mo", "!new");
    ck_assert_uint_eq(line.asked[ERRAND_READ], 0);
    place->busy = false;
    hall_settle(&hall);
    ck_assert_uint_eq(line.asked[ERRAND_PLACE], 1);
    ck_assert_ptr_nonnull(stage_table(hall.stage));
}
END_TEST

START_TEST(before_anything_is_read_it_is_known_where_moderators_talk)
{
    hall_open(&hall);
    install();
    struct asking *talk = &hall.stage->loop.talks[0];
    TEXT_COPY(hall.stage->conf.places[0].moderators_talk, "office");
    talk->busy = true; /* it takes long */
    hall_says(&hall, "Mo", "!new");
    ck_assert_uint_eq(line.asked[ERRAND_READ], 0);
    TEXT_COPY(hall.stage->desk.moderators_talks[0], "office");
    hall_settle(&hall);
    ck_assert_uint_ge(line.asked[ERRAND_READ], 1);
    ck_assert_ptr_nonnull(stage_table(hall.stage));
}
END_TEST

START_TEST(a_place_that_is_not_found_keeps_nobody_else_waiting)
{
    begin(5);
    hall.stage->desk.threads[0][0] = '\0';
    plan(KIND(ERRAND_PLACE), ERR_DENIED, 100, false);
    hall_names(&hall, 1);
    ck_assert_uint_ge(line.asked[ERRAND_PLACE], 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
}
END_TEST

START_TEST(the_loop_wakes_when_there_is_something_to_do)
{
    begin(5);
    const struct loop *loop = &hall.stage->loop;
    int64_t now = hall.stage->now;
    /* The feed is read again after the service's own pause. */
    ck_assert_int_eq(loop_wake(loop, now), now + adapter_board.traits.pause);
    hall.stage->desk.feeds[0].busy = true;
    ck_assert_int_eq(loop_wake(loop, now), now + MINUTE_MS);
    hall.stage->desk.feeds[0].busy = false;
    hall.stage->desk.feeds[0].next_read = now - 5;
    ck_assert_int_eq(loop_wake(loop, now), now);
}
END_TEST

START_TEST(a_clock_that_is_set_back_makes_nothing_wait_longer)
{
    begin(5);
    struct loop *loop = &hall.stage->loop;
    plan(KIND(ERRAND_SEND), ERR_LATER, 1, false);
    hall_names(&hall, 1);
    hall.stage->now -= DAY_MS;
    ck_assert(loop_turn(loop, hall.stage->now, 0, &why) == ERR_NONE);
    ck_assert_int_eq(loop_wake(loop, hall.stage->now),
                     hall.stage->now + adapter_board.traits.pause);
    /* The letter's pause ends when it would have. */
    hall.stage->now += 2 * SECOND_MS;
    ck_assert(loop_turn(loop, hall.stage->now, 0, &why) == ERR_NONE);
    ck_assert(loop_turn(loop, hall.stage->now, 0, &why) == ERR_NONE);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
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
add_hosts_posts(struct hall *of, struct buf *out)
{
    char place[64] = "thread";
    hall_read(of);
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
            snprintf(place, sizeof place, "talk/%s", hall_player(i));
        }
    }
    free(texts);
}

/* Of the posts of the game, and of the answers, none stands before one that was
 * written earlier. */
static void
assert_order_kept(const struct hall *of)
{
    ck_assert_int_eq(
        hall_query(of, "store.db",
                   "SELECT count(*) FROM letter a JOIN letter b"
                   " ON a.thread = b.thread AND a.id < b.id"
                   " AND (a.batch > 0) = (b.batch > 0)"
                   " WHERE a.kind = 0 AND b.kind = 0 AND a.sent <> ''"
                   " AND b.sent <> ''"
                   " AND CAST(a.sent AS INTEGER) > CAST(b.sent AS INTEGER)"),
        0);
}

static void
open_random(struct hall *of, unsigned number)
{
    of->fair = true;
    hall_set(of, "rules", number % 2 == 0 ? "play-by-post" : "official");
    hall_open(of);
    hall_begin(of, 5 + number % 6);
}

/* Let everything be sent over a good line. */
static void
calm_down(struct hall *of)
{
    line.one_in = 0;
    hall_shut(of);
    hall_open(of);
    while (outbox_wake(&of->stage->desk.outbox, of->stage->now) != 0) {
        hall_waits(of, 10 * MINUTE_MS);
    }
}

/* What was asked has to arrive before its time goes on. */
static void
let_arrive(struct hall *of, struct hall *other)
{
    while (outbox_wake(&of->stage->desk.outbox, of->stage->now) != 0) {
        hall_waits(of, 10 * SECOND_MS);
        hall_waits(other, 10 * SECOND_MS);
    }
}

/* The random players of both act alike, at the same times: what they see of
 * the host comes late on the bad line, but they go by the table. */
START_TEST(a_failing_line_loses_nothing_and_doubles_nothing)
{
    struct hall other;
    struct buf boards[2] = {BUF_INIT, BUF_INIT};
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    struct dice dice[2] = {{(uint64_t)_i + 5}, {(uint64_t)_i + 5}};
    hall_init(&other);
    open_random(&hall, (unsigned)_i);
    open_random(&other, (unsigned)_i);
    install();
    line.kinds = KIND(ERRAND_SEND) | KIND(ERRAND_EDIT) | KIND(ERRAND_REACT) |
                 KIND(ERRAND_TALK) | KIND(ERRAND_FIND);
    line.err = ERR_LATER;
    line.one_in = 5;
    line.dice.state = (uint64_t)_i;
    bool more = true;
    while (more) {
        more = hall_improvise(&other, &dice[0]);
        hall_settle(&other);
        ck_assert(hall_improvise(&hall, &dice[1]) == more);
        hall_settle(&hall);
        let_arrive(&hall, &other);
    }
    calm_down(&hall);
    hall_record(&other, "1", &records[0]);
    hall_record(&hall, "1", &records[1]);
    ck_assert_str_eq(buf_text(&records[0]), buf_text(&records[1]));
    add_hosts_posts(&other, &boards[0]);
    add_hosts_posts(&hall, &boards[1]);
    assert_order_kept(&hall);
    ck_assert(buf_equals(&boards[0], buf_text(&boards[1])));
    ck_assert_uint_gt(line.asked[ERRAND_FIND], 0);
    hall_release(&other);
    for (unsigned i = 0; i < 2; i++) {
        buf_release(&boards[i]);
        buf_release(&records[i]);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/loop");
    TCase *tcase = tcase_create("loop");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 30);
    tcase_add_test(
        tcase, a_letter_that_may_have_arrived_is_looked_for_and_not_doubled);
    tcase_add_test(tcase, a_letter_that_never_arrived_is_sent_again);
    tcase_add_test(tcase, a_call_that_is_found_is_as_old_as_its_last_sending);
    tcase_add_test(tcase, a_call_that_is_found_with_an_old_time_is_corrected);
    tcase_add_test(tcase, a_letter_with_a_picture_is_sent_again_by_its_key);
    tcase_add_test(tcase,
                   a_place_is_probed_once_and_hints_are_as_long_as_it_wants);
    tcase_add_test(tcase, a_limit_is_waited_out_without_looking);
    tcase_add_test(tcase,
                   what_has_counted_is_locked_where_the_place_asks_for_it);
    tcase_add_test(tcase, nothing_is_locked_unless_the_place_asks_for_it);
    tcase_add_test(tcase, where_a_service_limits_reactions_give_way_to_posts);
    tcase_add_test(tcase,
                   a_long_limit_of_one_letter_keeps_no_reactions_waiting);
    tcase_add_test(tcase, a_status_post_that_has_waited_for_long_is_urgent);
    tcase_add_test(tcase, answers_behind_a_failing_one_keep_their_order);
    tcase_add_test(
        tcase, a_call_that_is_denied_is_tried_again_and_results_wait_for_it);
    tcase_add_test(tcase, a_start_tries_at_once_what_was_denied);
    tcase_add_test(tcase, a_public_post_waits_for_a_private_letter_that_pauses);
    tcase_add_test(tcase, a_private_letter_that_is_denied_stops_nobody_else);
    tcase_add_test(tcase, a_private_talk_is_opened_once_and_tried_again);
    tcase_add_test(tcase, a_status_post_is_edited_until_it_is_right);
    tcase_add_test(tcase, many_changes_of_the_status_are_few_edits);
    tcase_add_test(tcase,
                   a_first_status_post_that_may_have_arrived_is_not_doubled);
    tcase_add_test(tcase, a_letter_that_is_useless_by_now_is_dropped);
    tcase_add_test(tcase,
                   a_letter_to_a_place_that_is_not_configured_waits_for_it);
    tcase_add_test(tcase, what_is_sent_is_in_flight_on_disk);
    tcase_add_test(tcase, what_was_sent_is_noted_with_its_id);
    tcase_add_test(tcase, letters_found_in_flight_are_not_doubled);
    tcase_add_test(tcase,
                   letters_found_in_flight_are_looked_for_and_not_sent_at_once);
    tcase_add_test(tcase, letters_found_in_flight_that_never_arrived_are_sent);
    tcase_add_test(tcase, many_pages_are_read_at_once);
    tcase_add_test(tcase, a_feed_that_fails_is_put_off_and_loses_nothing);
    tcase_add_test(tcase, no_deadline_fires_that_could_not_be_read_up_to);
    tcase_add_test(tcase, a_limited_feed_waits_as_long_as_it_is_told);
    tcase_add_test(tcase, feeds_that_failed_together_are_not_read_together);
    tcase_add_test(tcase, before_anything_is_read_the_places_are_known);
    tcase_add_test(tcase,
                   before_anything_is_read_it_is_known_where_moderators_talk);
    tcase_add_test(tcase, a_place_that_is_not_found_keeps_nobody_else_waiting);
    tcase_add_test(tcase, before_anything_is_read_the_host_learns_who_it_is);
    tcase_add_test(tcase, the_loop_wakes_when_there_is_something_to_do);
    tcase_add_test(tcase, a_clock_that_is_set_back_makes_nothing_wait_longer);
    tcase_add_loop_test(tcase, a_failing_line_loses_nothing_and_doubles_nothing,
                        0, 6);
    suite_add_tcase(suite, tcase);
    return suite;
}
