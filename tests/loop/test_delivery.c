/*
 * What the host says arrives: a message that is refused is tried again until it
 * is delivered, in another form where its words are refused; whoever runs the
 * host is told of what waits.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/cli/undelivered.h"
#include "bot/loop/authorize.h"
#include "tests/support/caught_log.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

/* The board behind a service that refuses. */
static struct {
    unsigned kinds; /* bits of enum op_kind */
    enum err err;
    enum refused refused;
    const char *text;  /* refuse only what holds this, or NULL */
    const char *taken; /* and not what holds that, or NULL */
    unsigned times;    /* still to refuse */
    const char *lost;  /* the first reply to what holds this is lost, or NULL */
    unsigned asked[OP_ROLES + 1]; /* operations begun, by kind */
    char key[KEY_MAX + 1];        /* of what was refused last */
    char let_in[KEY_MAX + 1];     /* of who was let into a gallery last */
    bool two;                     /* another was let in under another key */
    size_t longest;  /* what is longer is refused as too long; 0: nothing is */
    size_t shorter;  /* the same once two posts were taken */
    unsigned pieces; /* posts that were taken */
    unsigned loses;  /* the reply to so manieth of them is lost; 0: none is */
    unsigned blind;  /* how often it was not known where the gallery is */
    unsigned vague;  /* how often a text was looked for that may have changed */
    char others[256];   /* what was known to be other messages then */
    char sent[64];      /* the id of what was sent last */
    char unpinned[256]; /* what was to be unpinned last */
    char edited[64];    /* the post that was to be edited last */
} guard;

static struct adapter guarded;

static bool
is_refused(const struct op *op)
{
    return guard.times > 0 && (guard.kinds & 1U << op->kind) != 0 &&
           (guard.text == NULL || strstr(op->text, guard.text) != NULL) &&
           (guard.taken == NULL || strstr(op->text, guard.taken) == NULL);
}

/* Those who are let into the gallery of a game have one key, and all after the
 * first know where it is. */
static void
note_invitation(const struct op *op)
{
    guard.two = guard.two ||
                (guard.let_in[0] != '\0' && strcmp(guard.let_in, op->key) != 0);
    guard.blind += *op->post == '\0';
    TEXT_COPY(guard.let_in, op->key);
}

/* What is asked for is noted; ADVANCE_FAILED: it is refused, ADVANCE_DONE:
 * nothing is done. */
static enum advance
note_asked(const struct op *op, struct outcome *out, struct buf *trouble)
{
    size_t longest = guard.pieces < 2 ? guard.longest : guard.shorter;
    guard.asked[op->kind]++;
    guard.vague += op->kind == OP_FIND && op->changed;
    if (op->kind == OP_FIND) {
        TEXT_COPY(guard.others, op->others);
    } else if (op->kind == OP_INVITE) {
        note_invitation(op);
    } else if (op->kind == OP_PIN) {
        TEXT_COPY(guard.unpinned, op->text);
        return ADVANCE_DONE;
    } else if (op->kind == OP_EDIT) {
        TEXT_COPY(guard.edited, op->post);
    }
    if (is_refused(op)) {
        guard.times--;
        TEXT_COPY(guard.key, op->key);
        out->refused = guard.refused;
        return outcome_fail(out, trouble, guard.err, "the service refuses");
    }
    if (op->kind == OP_SEND && longest != 0 && strlen(op->text) > longest) {
        out->refused = REFUSED_WORDS;
        return outcome_fail(out, trouble, ERR_FULL, "that is too long");
    }
    return ADVANCE_REQUEST;
}

/* Is the reply to a post that was taken lost? */
static bool
loses(const struct op *op)
{
    if (++guard.pieces == guard.loses) {
        return true;
    }
    if (guard.lost != NULL && strstr(op->text, guard.lost) != NULL) {
        guard.lost = NULL;
        return true;
    }
    return false;
}

static enum advance
guarded_advance(const struct service *service, const struct op *op,
                struct buf *work, const struct reply *reply,
                struct outcome *out, struct buf *trouble)
{
    enum advance advance =
        reply == NULL ? note_asked(op, out, trouble) : ADVANCE_REQUEST;
    if (advance != ADVANCE_REQUEST) {
        return advance;
    }
    advance = adapter_board.advance(service, op, work, reply, out, trouble);
    if (advance == ADVANCE_DONE && op->kind == OP_SEND) {
        TEXT_COPY(guard.sent, buf_text(&out->id));
        if (loses(op)) {
            buf_clear(&out->id);
            return outcome_fail(out, trouble, ERR_LATER, "the reply is lost");
        }
    }
    return advance;
}

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    memset(&guard, 0, sizeof guard);
    guarded = adapter_board;
    guarded.advance = guarded_advance;
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

static void
begin(void)
{
    room_open(&room);
    room_begin(&room, 5);
    room.stage->tables.services.list[0].adapter = &guarded;
    TEXT_COPY(room.stage->conf.alarm, "board Olga");
}

#define KIND(kind) (1U << (kind))

static void
refuse(unsigned kinds, enum err err, enum refused refused, unsigned times)
{
    guard.kinds = kinds;
    guard.err = err;
    guard.refused = refused;
    guard.times = times;
}

enum {
    FOR_EVER = 1000000
};

/* Time passes, and the host is there all the while. */
static void
pass(int64_t time)
{
    for (int64_t step = 0; step < time; step += 5 * SECOND_MS) {
        room_waits(&room, 5 * SECOND_MS);
    }
}

/* ---- a right is missing -------------------------------------------------- */

START_TEST(a_muted_host_says_all_of_it_once_it_may_and_in_order)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna nominates Bob";
    room_names(&room, 1);
    pass(20 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 0);
    guard.times = 0;
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

START_TEST(who_runs_the_host_is_told_at_the_third_refusal_and_the_thread_later)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna nominates Bob";
    room_names(&room, 1);
    pass(40 * SECOND_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 0);
    pass(20 * SECOND_MS);
    ck_assert_uint_eq(
        room_count_told(&room, "Olga", "table 1, place \"board\": a "), 1);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "the service refuses"), 1);
    pass(30 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 1);
    ck_assert_uint_eq(room_count_said(&room, "couldn't post here"), 0);
    guard.times = 0;
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "couldn't post here"), 1);
}
END_TEST

/* As a new process would be, and the service still refuses. */
static void
reopen(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    room_shut(&room);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, room.folder, room.now, &why) == ERR_NONE);
    room.stage = stage;
    stage->tables.services.list[0].adapter = &guarded;
    TEXT_COPY(stage->conf.alarm, "board Olga");
    room_settle(&room);
}

START_TEST(a_start_tells_nothing_twice_and_the_thread_all_the_same)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna nominates Bob";
    room_names(&room, 1);
    pass(11 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 1);
    reopen();
    pass(30 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 1);
    guard.times = 0;
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_uint_eq(room_count_said(&room, "couldn't post here"), 1);
}
END_TEST

START_TEST(a_short_refusal_is_told_to_nobody)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, 2);
    room_names(&room, 1);
    pass(MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    pass(HOUR_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 0);
    ck_assert_uint_eq(room_count_said(&room, "couldn't post here"), 0);
}
END_TEST

START_TEST(a_right_that_is_back_is_used_within_a_minute)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_names(&room, 1);
    pass(HOUR_MS);
    guard.times = 0;
    pass(MINUTE_MS);
    pass(5 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

START_TEST(what_is_refused_for_long_is_tried_once_a_minute)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_names(&room, 1);
    unsigned before = guard.asked[OP_SEND];
    pass(HOUR_MS);
    /* A call, and the status post. */
    ck_assert_uint_le(guard.asked[OP_SEND] - before, UINTMAX_C(2) * 65);
    ck_assert_uint_ge(guard.asked[OP_SEND] - before, 60);
}
END_TEST

/* ---- a gallery ----------------------------------------------------------- */

static int64_t
members(void)
{
    return room_query(&room, "board.db", "SELECT count(*) FROM members");
}

static int64_t
galleries(void)
{
    return room_query(&room, "board.db", "SELECT count(*) FROM galleries");
}

static void
begin_with_gallery(void)
{
    room_set(&room, "gallery", "on");
    begin();
}

START_TEST(two_who_ask_at_once_are_let_into_one_gallery)
{
    begin_with_gallery();
    refuse(KIND(OP_INVITE), ERR_LATER, REFUSED_RIGHT, 3);
    room_posts(&room, "Zoe", "!gallery");
    room_posts(&room, "Yan", "!gallery");
    room_settle(&room);
    ck_assert_int_eq(galleries(), 0);
    pass(2 * MINUTE_MS);
    ck_assert_int_eq(galleries(), 1);
    ck_assert_int_eq(members(), 2);
    ck_assert_uint_eq(guard.asked[OP_INVITE], 5);
    ck_assert(!guard.two);
    ck_assert_uint_eq(guard.blind, 4);
    room.thread = "gallery/1";
    ck_assert_uint_eq(room_count_said(&room, "This is the gallery"), 1);
}
END_TEST

START_TEST(one_who_can_not_be_let_in_is_told_and_does_not_hold_up_the_next)
{
    begin_with_gallery();
    refuse(KIND(OP_INVITE), ERR_DENIED, REFUSED_PERSON, 1);
    room_posts(&room, "Zoe", "!gallery");
    room_posts(&room, "Yan", "!gallery");
    room_settle(&room);
    pass(MINUTE_MS);
    ck_assert_int_eq(members(), 1);
    room.thread = "thread";
    ck_assert_uint_eq(
        room_count_said(&room, "Zoe, the service won't let me bring you"), 1);
    room_says(&room, "Zoe", "!gallery");
    pass(MINUTE_MS);
    ck_assert_int_eq(members(), 2);
    ck_assert_uint_eq(guard.blind, 2);
}
END_TEST

START_TEST(a_right_that_is_missing_holds_up_no_gallery_for_ever)
{
    begin_with_gallery();
    refuse(KIND(OP_INVITE), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_says(&room, "Zoe", "!gallery");
    pass(11 * MINUTE_MS);
    ck_assert_uint_eq(
        room_count_told(&room, "Olga", "somebody's way into the gallery"), 1);
    ck_assert_uint_eq(room_count_said(&room, "won't let me bring you"), 0);
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Zoe, the service won't let me"),
                      1);
    guard.times = 0;
    room_says(&room, "Yan", "!gallery");
    ck_assert_int_eq(members(), 1);
    pass(HOUR_MS);
    ck_assert_int_eq(members(), 1);
    room.thread = "thread";
    ck_assert_uint_eq(room_count_said(&room, "won't let me bring you"), 1);
}
END_TEST

START_TEST(where_no_gallery_can_be_that_is_what_is_told)
{
    begin_with_gallery();
    refuse(KIND(OP_INVITE), ERR_CONFIG, REFUSED_RIGHT, 1);
    room_says(&room, "Zoe", "!gallery");
    pass(MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Zoe, there's no gallery here"),
                      1);
    ck_assert_uint_eq(room_count_said(&room, "you take no messages"), 0);
}
END_TEST

static void
end_game(void)
{
    char yes[24];
    room_says(&room, "Mo", "!end");
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asked[0].number);
    room_says(&room, "Mo", yes);
}

START_TEST(a_status_post_that_is_gone_is_followed_by_another)
{
    begin();
    pass(MINUTE_MS);
    unsigned before = room_count_said(&room, "Seats: ");
    unsigned sent = guard.asked[OP_SEND];
    ck_assert_uint_eq(before, 1);
    refuse(KIND(OP_EDIT), ERR_GONE, REFUSED_RIGHT, FOR_EVER);
    room_says(&room, "Mo", "!pause tea");
    pass(MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Seats: "), 2);
    ck_assert_uint_eq(guard.asked[OP_SEND], sent + 2); /* and "paused" */
    ck_assert_uint_eq(guard.times, FOR_EVER - 1);
}
END_TEST

START_TEST(what_is_said_in_a_gallery_that_is_gone_is_given_up_after_a_day)
{
    begin_with_gallery();
    room_says(&room, "Zoe", "!gallery");
    refuse(KIND(OP_SEND), ERR_GONE, REFUSED_RIGHT, FOR_EVER);
    guard.text = "The game at table 1 is over";
    end_game();
    pass(2 * HOUR_MS);
    unsigned sent = guard.asked[OP_SEND];
    pass(HOUR_MS);
    ck_assert_uint_gt(guard.asked[OP_SEND], sent);
    pass(22 * HOUR_MS);
    sent = guard.asked[OP_SEND];
    pass(HOUR_MS);
    ck_assert_uint_eq(guard.asked[OP_SEND], sent);
}
END_TEST

START_TEST(a_gallery_is_not_opened_for_a_game_that_is_over)
{
    begin_with_gallery();
    refuse(KIND(OP_INVITE), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_says(&room, "Zoe", "!gallery");
    pass(MINUTE_MS);
    end_game();
    guard.times = 0;
    pass(10 * MINUTE_MS);
    ck_assert_int_eq(galleries(), 0);
}
END_TEST

/* ---- a thread of its own ------------------------------------------------- */

static void
open_table(unsigned times)
{
    room_set(&room, "thread", "new");
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &guarded;
    refuse(KIND(OP_OPEN), ERR_DENIED, REFUSED_RIGHT, times);
    room_says(&room, "Mo", "!new players=5");
}

START_TEST(a_thread_that_is_refused_for_a_moment_is_opened_all_the_same)
{
    open_table(FOR_EVER);
    pass(50 * SECOND_MS);
    ck_assert_uint_ge(guard.asked[OP_OPEN], 3);
    guard.times = 0;
    pass(3 * MINUTE_MS);
    ck_assert_str_eq(room_table(&room)->thread, "thread/1");
}
END_TEST

START_TEST(a_game_that_can_have_no_thread_is_played_where_it_was_opened)
{
    open_table(FOR_EVER);
    pass(5 * MINUTE_MS);
    ck_assert(!room_table(&room)->opening);
    ck_assert_str_eq(room_table(&room)->thread, "thread");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

/* ---- the account --------------------------------------------------------- */

/* A token is asked about within seconds, and at last once a minute. */
START_TEST(a_refused_token_is_asked_about_again_soon)
{
    begin();
    refuse(KIND(OP_SEND) | KIND(OP_WHO), ERR_DENIED, REFUSED_ACCOUNT, FOR_EVER);
    room_names(&room, 1);
    unsigned before = guard.asked[OP_WHO];
    pass(20 * SECOND_MS);
    ck_assert_uint_ge(guard.asked[OP_WHO] - before, 3);
    before = guard.asked[OP_WHO];
    pass(HOUR_MS);
    ck_assert_uint_ge(guard.asked[OP_WHO] - before, 50);
    ck_assert_uint_le(guard.asked[OP_WHO] - before, 65);
    unsigned sent = guard.asked[OP_SEND];
    guard.times = 0;
    pass(2 * MINUTE_MS);
    ck_assert_uint_gt(guard.asked[OP_SEND], sent);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

/* The result waits behind the president's hand, and everybody knows of both.
 * When the chancellor's cards are sent tells when the president chose. */
START_TEST(in_a_session_it_is_told_only_if_that_tells_nothing)
{
    for (unsigned cards = 0; cards < 2; cards++) {
        begin();
        room_names(&room, 1);
        refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_WRITING, FOR_EVER);
        guard.text = cards == 0 ? "you're President" : "you're Chancellor";
        room_votes(&room, true);
        if (cards == 1) {
            room_discards(&room, true);
        }
        pass(MINUTE_MS);
        ck_assert_uint_gt(FOR_EVER - guard.times, 0);
        ck_assert_uint_eq(
            room_count_told(&room, "Olga", "host: the service refuses"),
            cards == 0);
        tear_down();
        set_up();
    }
}
END_TEST

/* What is wrong then is not the token, so nobody is sent to look for another.
 */
static bool
is_noted(void)
{
    return room_query(&room, "store.db",
                      "SELECT count(*) FROM note WHERE kind = 'refused'"
                      " AND text LIKE '%the service refuses%'") == 1;
}

START_TEST(a_locked_account_is_told_with_what_the_service_says)
{
    struct buf log = BUF_INIT;
    begin();
    refuse(KIND(OP_SEND) | KIND(OP_WHO), ERR_DENIED, REFUSED_LOCKED, FOR_EVER);
    ck_assert_ptr_nonnull(freopen(room_path(&room, "log"), "w", stderr));
    ck_assert_int_eq(setvbuf(stderr, NULL, _IONBF, 0), 0);
    log_set_level(LOG_LEVEL_WARNING);
    room_names(&room, 1);
    pass(15 * SECOND_MS);
    ck_assert(is_noted());
    guard.times = 0;
    pass(20 * SECOND_MS);
    ck_assert(!is_noted());
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "the service refuses"), 1);
    ck_assert_int_eq(file_read(room_path(&room, "log"), &log, &why), ERR_NONE);
    assert_holds(buf_text(&log), "the service refuses");
    ck_assert(!service_doubts_secret(REFUSED_LOCKED));
    ck_assert(service_doubts_secret(REFUSED_ACCOUNT));
    buf_release(&log);
}
END_TEST

/* It reads, and is who it was; but nothing that it writes is taken. */
START_TEST(an_account_that_may_not_write_is_told_once_and_at_once)
{
    begin();
    room_names(&room, 1);
    /* It is not the status post's fault: no other one is sent. */
    refuse(KIND(OP_EDIT), ERR_DENIED, REFUSED_WRITING, FOR_EVER);
    room_says(&room, "Anna", "**Ja!**");
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Seats:"), 1);
    refuse(KIND(OP_SEND) | KIND(OP_EDIT), ERR_DENIED, REFUSED_WRITING,
           FOR_EVER);
    room_votes(&room, true);
    unsigned asked = guard.asked[OP_WHO];
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(guard.asked[OP_WHO], asked);
    ck_assert(is_noted());
    guard.times = 0;
    pass(2 * MINUTE_MS);
    ck_assert(!is_noted());
    ck_assert_uint_eq(room_count_said(&room, "Seats:"), 1);
    ck_assert_uint_eq(
        room_count_told(&room, "Olga", "host: the service refuses"), 1);
}
END_TEST

START_TEST(the_log_says_that_a_message_waits_and_that_it_has_arrived)
{
    struct buf log = BUF_INIT;
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    caught_log_begin();
    room_names(&room, 1);
    pass(5 * MINUTE_MS);
    caught_log_take(0, &log);
    assert_holds(buf_text(&log),
                 "warning: table 1, place \"board\": a call in ");
    assert_lacks(buf_text(&log), "delivered");
    guard.times = 0;
    pass(10 * MINUTE_MS);
    caught_log_take(0, &log);
    assert_holds(buf_text(&log), "info: table 1, place \"board\": a call in ");
    assert_holds(buf_text(&log), ", and is delivered now\n");
    caught_log_end();
    buf_release(&log);
}
END_TEST

/* What waits for somebody in a game may tell who has acted: it is told later,
 * and without a time if it was written in a session. */
START_TEST(the_log_tells_later_that_a_private_message_waits)
{
    struct buf log = BUF_INIT;
    begin();
    room_names(&room, 1);
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "You discarded";
    room_votes(&room, true);
    caught_log_begin();
    room_tells(&room, "Anna", "discard 1");
    room_tells(&room, "Bob", "enact 1");
    pass(5 * MINUTE_MS);
    caught_log_take(0, &log);
    assert_lacks(buf_text(&log), "private");
    pass(10 * MINUTE_MS);
    caught_log_take(0, &log);
    assert_holds(buf_text(&log), "a private message waits\n");
    guard.times = 0;
    room_says(&room, "Anna", "I have let you in");
    pass(2 * MINUTE_MS);
    caught_log_take(0, &log);
    assert_lacks(buf_text(&log), "delivered");
    caught_log_end();
    buf_release(&log);
}
END_TEST

/* ---- a person ------------------------------------------------------------ */

START_TEST(closed_messages_are_tried_hourly_and_when_the_person_acts)
{
    begin();
    room_names(&room, 1);
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "you're President";
    room_votes(&room, true);
    unsigned before = guard.asked[OP_SEND];
    pass(50 * MINUTE_MS - 10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 0);
    ck_assert_uint_le(guard.asked[OP_SEND] - before, 2);
    /* In a session that would tell who has acted. */
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 0);
    guard.times = 0;
    room_says(&room, "Anna", "I have let you in");
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
}
END_TEST

START_TEST(what_is_no_persons_doing_is_told_as_such)
{
    static const struct {
        enum refused refused;
        const char *said; /* NULL: nothing */
    } cases[] = {
        {REFUSED_PERSON, "don't reach you. Do you block or ignore me?"},
        {REFUSED_RIGHT, "this service isn't letting me send any"},
        {REFUSED_WORDS, NULL},
        {REFUSED_EXTRA, NULL}};
    const char *said = cases[_i].said;
    begin();
    room_names(&room, 1);
    refuse(KIND(OP_SEND), ERR_DENIED, cases[_i].refused, 1);
    guard.text = "you're President";
    room_votes(&room, true);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "don't reach you"), said != NULL);
    ck_assert_uint_eq(said == NULL ? 0 : room_count_said(&room, said),
                      said != NULL);
}
END_TEST

/* ---- words --------------------------------------------------------------- */

START_TEST(refused_words_are_said_plainer)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_WORDS, 1);
    room_names(&room, 1);
    pass(2 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob as"), 1);
}
END_TEST

START_TEST(the_log_quotes_no_reason_why_private_words_are_refused)
{
    char path[512];
    struct buf log = BUF_INIT;
    begin();
    (void)snprintf(path, sizeof path, "%s/log", room.folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int errors = dup(STDERR_FILENO);
    (void)dup2(file, STDERR_FILENO);
    log_set_level(LOG_LEVEL_DEBUG);
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_WORDS, 1);
    guard.text = "your cards are";
    room_names(&room, 1);
    room_votes(&room, true);
    pass(MINUTE_MS);
    log_set_level(LOG_LEVEL_WARNING);
    (void)dup2(errors, STDERR_FILENO);
    (void)close(file);
    (void)close(errors);
    ck_assert(file_read(path, &log, &why) == ERR_NONE);
    ck_assert_ptr_nonnull(strstr(buf_text(&log), "its words are refused"));
    ck_assert_ptr_null(strstr(buf_text(&log), "the service refuses"));
    (void)remove(path);
    buf_release(&log);
}
END_TEST

START_TEST(words_that_are_refused_again_are_said_line_by_line)
{
    begin();
    room_read(&room);
    size_t posts = room.post_count;
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_WORDS, 2);
    room_names(&room, 1);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    room_read(&room);
    ck_assert_uint_gt(room.post_count, posts + 2); /* hers, and two lines */
}
END_TEST

START_TEST(at_last_one_line_says_that_words_are_refused)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_WORDS, FOR_EVER);
    guard.taken = "the words are refused";
    room_names(&room, 1);
    pass(20 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 0);
    ck_assert_uint_eq(room_count_said(&room, "the words are refused"), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

enum {
    RULES_LOST = 8 /* in which of the pieces of the rules the host dies */
};

/* What the host posted last, each post once. */
static void
assert_each_once(size_t from)
{
    room_read(&room);
    for (size_t i = from; i < room.post_count; i++) {
        for (size_t n = from; n < i; n++) {
            ck_assert_msg(strcmp(room.posts[i].text, room.posts[n].text) != 0,
                          "twice: %s", room.posts[i].text);
        }
    }
}

static void
kill_host(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    room_shut(&room);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, room.folder, room.now, &why) == ERR_NONE);
    room.stage = stage;
    room.stage->tables.services.list[0].adapter = &guarded;
    room_settle(&room);
}

/* The place takes shorter and shorter posts, at last none for a while; and the
 * host dies when it has sent one of the pieces. */
START_TEST(pieces_that_were_delivered_stay_when_a_place_takes_shorter_ones)
{
    struct buf whole = BUF_INIT;
    begin();
    room_says(&room, "Carl", "!rules");
    buf_add_text(&whole, room_said(&room));
    ck_assert_uint_gt(whole.len, 600);
    guard.longest = 300;
    guard.shorter = 5;
    guard.pieces = 0;
    guard.loses = (unsigned)_i;
    room_read(&room);
    size_t from = room.post_count + 1;
    room_says(&room, "Dora", "!rules");
    for (unsigned i = 0; i < 4 * RULES_LOST; i++) {
        guard.shorter = i < RULES_LOST ? 5 : _i % 2 == 0 ? 220 : 0;
        if (guard.pieces == guard.loses && guard.loses != 0) {
            guard.loses = 0;
            kill_host();
        }
        pass(MINUTE_MS);
    }
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    assert_each_once(from);
    ck_assert_uint_gt(room.post_count, from + 3);
    /* Each of the first and last words is there. */
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 2);
    const char *last = strrchr(buf_text(&whole), '\n') + 1;
    ck_assert_uint_eq(room_count_said(&room, last), 2);
    buf_release(&whole);
}
END_TEST

START_TEST(of_a_line_that_is_refused_that_is_said_in_its_place)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_WORDS, FOR_EVER);
    guard.text = "win with five";
    room_says(&room, "Dora", "!rules");
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 1);
    ck_assert_uint_eq(room_count_said(&room, "the words are refused"), 1);
    ck_assert_uint_eq(room_count_said(&room, "At the table: talk about"), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* ---- the status post ----------------------------------------------------- */

START_TEST(a_status_post_that_was_deleted_is_replaced)
{
    begin();
    refuse(KIND(OP_EDIT), ERR_GONE, REFUSED_RIGHT, 1);
    room_names(&room, 1);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, "Vote on President Anna"), 1);
    room_says(&room, "Anna", "**Ja!**");
    assert_holds(room_status(&room)->text, "1 of 5 has voted");
}
END_TEST

START_TEST(a_status_post_that_can_not_be_edited_any_more_is_replaced)
{
    begin();
    guarded.capabilities.pins = true;
    refuse(KIND(OP_EDIT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_names(&room, 1);
    pass(5 * MINUTE_MS);
    assert_holds(room_status(&room)->text, "Vote on President Anna");
    ck_assert_uint_gt(strlen(guard.edited), 0);
    assert_holds(guard.unpinned, guard.edited);
}
END_TEST

/* Nobody knows whether the other one is there. */
START_TEST(a_status_post_that_replaces_one_is_looked_for_and_not_doubled)
{
    begin();
    refuse(KIND(OP_EDIT), ERR_DENIED, REFUSED_RIGHT, 3);
    guard.lost = "Vote on President Anna";
    room_names(&room, 1);
    pass(5 * MINUTE_MS);
    ck_assert_ptr_null(guard.lost);
    ck_assert_uint_gt(guard.vague, 0);
    ck_assert_uint_eq(room_count_said(&room, "Vote on President Anna"), 1);
    room_says(&room, "Anna", "**Ja!**");
    assert_holds(room_status(&room)->text, "1 of 5 has voted");
    ck_assert_uint_eq(room_count_said(&room, "Vote on President Anna"), 1);
}
END_TEST

/* Some services know a message by its words alone. */
START_TEST(who_looks_for_an_answer_knows_the_one_before_of_the_same_words)
{
    static const char text[] = "the game isn't paused";
    char first[64];
    begin();
    room_says(&room, "Mo", "!resume");
    ck_assert_uint_eq(room_count_said(&room, text), 1);
    TEXT_COPY(first, guard.sent);
    guard.lost = text;
    room_says(&room, "Mo", "!resume");
    pass(5 * MINUTE_MS);
    ck_assert_ptr_null(guard.lost);
    ck_assert_ptr_nonnull(strstr(guard.others, first));
    ck_assert_uint_eq(room_count_said(&room, text), 2);
}
END_TEST

/* Once the game is over, what was sent is forgotten only when nothing waits. */
START_TEST(an_answer_that_is_looked_for_behind_the_end_is_told_from_others)
{
    static const char text[] = "the game isn't paused";
    char first[64];
    char yes[32];
    begin();
    room_says(&room, "Mo", "!resume");
    TEXT_COPY(first, guard.sent);
    guard.lost = text;
    refuse(KIND(OP_FIND), ERR_LATER, REFUSED_RIGHT, FOR_EVER);
    room_says(&room, "Mo", "!resume");
    room_says(&room, "Mo", "!end");
    (void)snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asks);
    room_says(&room, "Mo", yes);
    ck_assert_ptr_null(guard.lost);
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
    guard.times = 0;
    pass(20 * MINUTE_MS);
    ck_assert_ptr_nonnull(strstr(guard.others, first));
    ck_assert_uint_eq(room_count_said(&room, "has been ended"), 1);
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM message"), 1);
}
END_TEST

START_TEST(a_status_post_in_a_locked_thread_is_edited_once_that_is_open)
{
    begin();
    ck_assert_uint_eq(room_count_said(&room, "Seats:"), 1);
    refuse(KIND(OP_SEND) | KIND(OP_EDIT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_names(&room, 1);
    pass(14 * MINUTE_MS);
    guard.times = 0;
    pass(6 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    ck_assert_uint_eq(room_count_said(&room, "Seats:"), 1);
    assert_holds(room_status(&room)->text, "Vote on President Anna");
}
END_TEST

/* ---- a call that is deleted ---------------------------------------------- */

/* The board shows no deletions: as another service tells of one. */
static void
is_deleted(const char *id)
{
    struct odd_post odd = {.id = id,
                           .who = "placard",
                           .text = "",
                           .own = true,
                           .kind = POST_DELETED};
    room_delivers(&room, &odd);
    pass(10 * SECOND_MS);
}

START_TEST(a_call_that_is_deleted_is_put_again_once_with_its_time)
{
    char first[64];
    begin();
    room_names(&room, 1);
    TEXT_COPY(first, guard.sent);
    int64_t deadline = room_table(&room)->deadline;
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    is_deleted("999");
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    pass(10 * MINUTE_MS);
    is_deleted(first);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 2);
    ck_assert_int_eq(room_table(&room)->deadline, deadline);
    /* Who deletes it once more wants it to be gone. */
    ck_assert_str_ne(guard.sent, first);
    TEXT_COPY(first, guard.sent);
    is_deleted(first);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 2);
}
END_TEST

START_TEST(a_call_whose_question_is_settled_is_not_put_again)
{
    char first[64];
    begin();
    room_names(&room, 1);
    TEXT_COPY(first, guard.sent);
    room_votes(&room, true);
    is_deleted(first);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
}
END_TEST

/* ---- what is of no use any more ------------------------------------------ */

START_TEST(a_reaction_is_of_no_use_after_ten_minutes)
{
    begin();
    refuse(KIND(OP_REACT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_says(&room, "Carl", "!help");
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    ck_assert_uint_gt(room.stage->tables.outbox.count, 0);
    pass(16 * MINUTE_MS);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "waits since"), 0);
}
END_TEST

/* How many messages with this in them wait. */
static unsigned
count_waiting(const char *text)
{
    const struct outbox *outbox = &room.stage->tables.outbox;
    unsigned count = 0;
    for (size_t i = 0; i < outbox->count; i++) {
        const char *waits = outbox->list[i]->message.text;
        count += waits != NULL && strstr(waits, text) != NULL;
    }
    return count;
}

/* A moderator asks for something, and confirms it. */
static void
does(const char *order)
{
    char yes[24];
    room_says(&room, "Mo", order);
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asked[0].number);
    room_says(&room, "Mo", yes);
}

START_TEST(what_was_taken_back_is_not_said_any_more)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna nominates Bob";
    room_names(&room, 1);
    ck_assert_uint_gt(count_waiting("Anna nominates Bob"), 0);
    does("!undo");
    ck_assert_int_eq(room_game(&room)->question, QUESTION_NOMINATE);
    ck_assert_uint_eq(count_waiting("Anna nominates Bob"), 0);
    guard.times = 0;
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 0);
    ck_assert_uint_eq(room_count_said(&room, "We are back in round 1"), 1);
}
END_TEST

START_TEST(who_has_lost_the_seat_gets_nothing_of_it_any_more)
{
    begin();
    room_says(&room, "Frida", "!reserve");
    room_names(&room, 1);
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "you're President";
    room_votes(&room, true);
    ck_assert_uint_gt(count_waiting("you're President"), 0);
    guard.times = 0;
    does("!replace Anna with Frida");
    ck_assert_str_eq(room_table(&room)->seats[0].name, "Frida");
    room_says(&room, "Anna", "I have let you in");
    pass(2 * HOUR_MS);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 0);
    ck_assert_uint_eq(room_count_told(&room, "Frida", "you're President"), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

START_TEST(who_has_voted_gets_no_ballot_any_more)
{
    static const char ballot[] = "Answer with one word";
    room_set(&room, "ballot", "sealed");
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = ballot;
    room_names(&room, 1);
    ck_assert_uint_eq(count_waiting(ballot), 5);
    room_tells(&room, "Anna", "Ja");
    ck_assert_uint_eq(count_waiting(ballot), 4);
    guard.times = 0;
    pass(2 * HOUR_MS);
    ck_assert_uint_eq(room_count_told(&room, "Anna", ballot), 0);
    ck_assert_uint_eq(room_count_told(&room, "Bob", ballot), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "Your vote: Ja"), 1);
}
END_TEST

/* It may be there, so that is found out first. */
START_TEST(what_may_be_there_is_looked_for_before_it_is_dropped)
{
    static const char hand[] = "you're President";
    begin();
    room_says(&room, "Frida", "!reserve");
    room_names(&room, 1);
    guard.lost = hand;
    refuse(KIND(OP_FIND), ERR_LATER, REFUSED_RIGHT, FOR_EVER);
    room_votes(&room, true);
    ck_assert_uint_eq(count_waiting(hand), 1);
    does("!replace Anna with Frida");
    ck_assert_uint_eq(count_waiting(hand), 1);
    unsigned asked = guard.asked[OP_FIND];
    guard.times = 0;
    pass(2 * MINUTE_MS);
    ck_assert_uint_gt(guard.asked[OP_FIND], asked);
    ck_assert_uint_eq(room_count_told(&room, "Anna", hand), 1);
    ck_assert_uint_eq(room_count_told(&room, "Frida", hand), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

START_TEST(what_was_in_flight_when_the_seat_was_lost_is_not_sent_again)
{
    static const char hand[] = "you're President";
    begin();
    room_says(&room, "Frida", "!reserve");
    room_names(&room, 1);
    refuse(KIND(OP_SEND), ERR_LATER, REFUSED_RIGHT, FOR_EVER);
    guard.text = hand;
    room_votes(&room, true);
    ck_assert_uint_eq(count_waiting(hand), 1);
    does("!replace Anna with Frida");
    guard.times = 0;
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Anna", hand), 0);
    ck_assert_uint_eq(room_count_told(&room, "Frida", hand), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* By a host that was started since, too. */
START_TEST(
    a_reminder_is_dropped_once_its_question_is_settled_and_a_result_is_not)
{
    room_set(&room, "reminders", "6h");
    begin();
    room_names(&room, 1);
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "to vote on";
    pass(room_table(&room)->deadline - room.stage->now - 5 * HOUR_MS);
    if (_i == 1) {
        reopen();
    }
    ck_assert_uint_eq(count_waiting("to vote on"), 1);
    guard.text = NULL;
    room_votes(&room, true);
    ck_assert_uint_eq(count_waiting("to vote on"), 0);
    guard.times = 0;
    pass(HOUR_MS);
    ck_assert_uint_eq(room_count_said(&room, "to vote on"), 0);
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 1);
}
END_TEST

/* ---- what `games` and `check` list --------------------------------------- */

static struct buf listed;
static int64_t since; /* of what was listed last */

static enum err
list(void *context, const struct store_message *message, struct buf *trouble)
{
    (void)context;
    (void)trouble;
    buf_addf(&listed, "%s %s %d %lld %s\n", message->game, message->place,
             (int)message->kind, (long long)message->count, message->trouble);
    since = message->written;
    return ERR_NONE;
}

START_TEST(what_is_not_delivered_is_listed_with_its_reason)
{
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    room_names(&room, 1);
    ck_assert(store_undelivered(room.stage->tables.store, 0, list, NULL,
                                &why) == ERR_NONE);
    ck_assert_str_eq(buf_text(&listed), "1 board 0 1 the service refuses\n");
    buf_release(&listed);
}
END_TEST

START_TEST(a_status_post_waits_since_its_text_is_new)
{
    begin();
    pass(HOUR_MS);
    refuse(KIND(OP_EDIT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    int64_t now = room.stage->now;
    room_names(&room, 1);
    ck_assert(store_undelivered(room.stage->tables.store, 0, list, NULL,
                                &why) == ERR_NONE);
    ck_assert_str_eq(buf_text(&listed), "1 board 2 1 the service refuses\n");
    ck_assert_int_ge(since, now);
    buf_release(&listed);
}
END_TEST

/* As they print it. */
static void
print(struct buf *out)
{
    int there = dup(STDOUT_FILENO);
    ck_assert_int_ge(there, 0);
    ck_assert_ptr_nonnull(freopen(room_path(&room, "printed"), "w", stdout));
    ck_assert(undelivered_print(room.stage->tables.store, room.stage->now,
                                &why) == ERR_NONE);
    ck_assert_int_eq(fflush(stdout), 0);
    ck_assert_int_ge(dup2(there, STDOUT_FILENO), 0);
    (void)close(there);
    buf_clear(out);
    ck_assert(file_read(room_path(&room, "printed"), out, &why) == ERR_NONE);
}

START_TEST(what_waits_is_printed_and_nothing_of_a_session)
{
    struct buf printed = BUF_INIT;
    begin();
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna nominates Bob";
    room_names(&room, 1);
    pass(2 * MINUTE_MS);
    print(&printed);
    assert_holds(buf_text(&printed), "Not delivered, and tried again:\n1 ");
    assert_holds(buf_text(&printed), " board            1 post, since 2026-");
    assert_holds(buf_text(&printed), ": the service refuses\n");
    guard.times = 0;
    pass(5 * MINUTE_MS);
    refuse(KIND(OP_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "you're President";
    room_votes(&room, true);
    pass(2 * MINUTE_MS);
    ck_assert_uint_gt(count_waiting("you're President"), 0);
    print(&printed);
    assert_lacks(buf_text(&printed), "private message");
    buf_release(&printed);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/delivery");
    TCase *tcase = tcase_create("delivery");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_muted_host_says_all_of_it_once_it_may_and_in_order);
    tcase_add_test(
        tcase,
        who_runs_the_host_is_told_at_the_third_refusal_and_the_thread_later);
    tcase_add_test(tcase,
                   a_start_tells_nothing_twice_and_the_thread_all_the_same);
    tcase_add_test(tcase, a_short_refusal_is_told_to_nobody);
    tcase_add_test(tcase, a_right_that_is_back_is_used_within_a_minute);
    tcase_add_test(tcase, what_is_refused_for_long_is_tried_once_a_minute);
    tcase_add_test(
        tcase, a_thread_that_is_refused_for_a_moment_is_opened_all_the_same);
    tcase_add_test(
        tcase, a_game_that_can_have_no_thread_is_played_where_it_was_opened);
    tcase_add_test(tcase, two_who_ask_at_once_are_let_into_one_gallery);
    tcase_add_test(
        tcase, one_who_can_not_be_let_in_is_told_and_does_not_hold_up_the_next);
    tcase_add_test(tcase, a_right_that_is_missing_holds_up_no_gallery_for_ever);
    tcase_add_test(tcase, where_no_gallery_can_be_that_is_what_is_told);
    tcase_add_test(tcase, a_status_post_that_is_gone_is_followed_by_another);
    tcase_add_test(
        tcase, what_is_said_in_a_gallery_that_is_gone_is_given_up_after_a_day);
    tcase_add_test(tcase, a_gallery_is_not_opened_for_a_game_that_is_over);
    tcase_add_test(tcase,
                   a_call_that_is_deleted_is_put_again_once_with_its_time);
    tcase_add_test(tcase, a_call_whose_question_is_settled_is_not_put_again);
    tcase_add_test(tcase, in_a_session_it_is_told_only_if_that_tells_nothing);
    tcase_add_test(tcase, a_locked_account_is_told_with_what_the_service_says);
    tcase_add_test(tcase, a_refused_token_is_asked_about_again_soon);
    tcase_add_test(tcase,
                   an_account_that_may_not_write_is_told_once_and_at_once);
    tcase_add_test(tcase,
                   the_log_says_that_a_message_waits_and_that_it_has_arrived);
    tcase_add_test(tcase, the_log_tells_later_that_a_private_message_waits);
    tcase_add_test(tcase,
                   closed_messages_are_tried_hourly_and_when_the_person_acts);
    tcase_add_loop_test(tcase, what_is_no_persons_doing_is_told_as_such, 0, 4);
    tcase_add_test(tcase, refused_words_are_said_plainer);
    tcase_add_test(tcase,
                   the_log_quotes_no_reason_why_private_words_are_refused);
    tcase_add_test(tcase, words_that_are_refused_again_are_said_line_by_line);
    tcase_add_test(tcase, at_last_one_line_says_that_words_are_refused);
    tcase_add_loop_test(
        tcase, pieces_that_were_delivered_stay_when_a_place_takes_shorter_ones,
        0, RULES_LOST);
    tcase_add_test(tcase, of_a_line_that_is_refused_that_is_said_in_its_place);
    tcase_add_test(tcase, a_status_post_that_was_deleted_is_replaced);
    tcase_add_test(tcase,
                   a_status_post_that_can_not_be_edited_any_more_is_replaced);
    tcase_add_test(
        tcase, a_status_post_that_replaces_one_is_looked_for_and_not_doubled);
    tcase_add_test(
        tcase, who_looks_for_an_answer_knows_the_one_before_of_the_same_words);
    tcase_add_test(
        tcase, an_answer_that_is_looked_for_behind_the_end_is_told_from_others);
    tcase_add_test(
        tcase, a_status_post_in_a_locked_thread_is_edited_once_that_is_open);
    tcase_add_test(tcase, a_reaction_is_of_no_use_after_ten_minutes);
    tcase_add_test(tcase, what_was_taken_back_is_not_said_any_more);
    tcase_add_test(tcase, who_has_lost_the_seat_gets_nothing_of_it_any_more);
    tcase_add_test(tcase, who_has_voted_gets_no_ballot_any_more);
    tcase_add_test(tcase, what_may_be_there_is_looked_for_before_it_is_dropped);
    tcase_add_test(tcase,
                   what_was_in_flight_when_the_seat_was_lost_is_not_sent_again);
    tcase_add_loop_test(
        tcase,
        a_reminder_is_dropped_once_its_question_is_settled_and_a_result_is_not,
        0, 2);
    tcase_add_test(tcase, what_is_not_delivered_is_listed_with_its_reason);
    tcase_add_test(tcase, a_status_post_waits_since_its_text_is_new);
    tcase_add_test(tcase, what_waits_is_printed_and_nothing_of_a_session);
    suite_add_tcase(suite, tcase);
    return suite;
}
