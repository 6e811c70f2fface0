/*
 * A message that may have arrived is looked for, however many posts came since:
 * it is found, or it is not there, or the search goes on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/loop/loop.h"
#include "bot/store/backup.h"
#include "bot/store/store.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    PAGE = 20,
    BEHIND = 1500
};

static struct room room;
static struct buf why;

/* The board behind a line that loses replies, and behind a search that looks
 * through PAGE posts at a time. */
static struct {
    const char *lost;   /* the next reply to what holds this is lost, or NULL */
    const char *unsent; /* the next request with this never arrives, or NULL */
    unsigned behind;    /* posts that came after the message; 0: no end */
    unsigned fails;     /* so many looks in a row fail, */
    bool mute;          /* looks end without an answer */
    bool down;          /* … for the line is down */
    unsigned from;      /* from the cursor behind so many on */
    unsigned looked, sent;
    char cursor[16]; /* the last that was asked for */
    bool tells;      /* a look that ends tells the keys of all that was sent */
    const char *early;   /* what holds this is found at once, or NULL */
    bool held;           /* … as if all waited for approval */
    const char *missing; /* … except of what holds this, or NULL */
    struct buf marks;    /* those keys, with their posts, a line each */
} line;

static struct adapter searching;

static enum advance
look(const struct service *service, const struct op *op, struct buf *work,
     const struct reply *reply, struct outcome *out, struct buf *trouble)
{
    unsigned from = (unsigned)strtoul(op->cursor, NULL, 10);
    bool early = line.early != NULL && strstr(op->text, line.early) != NULL;
    if (early || (op->dm && line.behind != 0)) {
        buf_add_text(&out->marks, early ? "other 1\n" : "");
        return adapter_board.advance(service, op, work, reply, out, trouble);
    }
    if (reply == NULL) {
        line.looked++;
        TEXT_COPY(line.cursor, op->cursor);
    }
    if (line.mute) {
        return ADVANCE_DONE;
    }
    if (line.fails > 0 && from >= line.from) {
        line.fails--;
        return outcome_fail(out, trouble, line.down ? ERR_LATER : ERR_GARBLED,
                            "half a page");
    }
    if (line.behind != 0 && from + PAGE > line.behind) {
        if (line.tells && reply == NULL) {
            buf_add_buf(&out->marks, &line.marks);
        }
        return adapter_board.advance(service, op, work, reply, out, trouble);
    }
    buf_addf(&out->cursor, "%u", from + PAGE);
    out->found = FOUND_NOT_YET;
    return ADVANCE_DONE;
}

static enum advance
searching_turn(const struct service *service, const struct op *op,
               struct buf *work, const struct reply *reply, struct outcome *out,
               struct buf *trouble)
{
    bool send = op->kind == OP_SEND;
    if (op->kind == OP_FIND) {
        return look(service, op, work, reply, out, trouble);
    }
    if (send && reply == NULL) {
        line.sent++;
    }
    if (send && line.unsent != NULL && strstr(op->text, line.unsent) != NULL) {
        line.unsent = NULL;
        return outcome_fail(out, trouble, ERR_LATER, "the line is down");
    }
    enum advance advance =
        adapter_board.advance(service, op, work, reply, out, trouble);
    if (advance == ADVANCE_DONE && send && !op->dm &&
        (line.missing == NULL || strstr(op->text, line.missing) == NULL)) {
        buf_addf(&line.marks, "%s %s\n", op->key,
                 line.held ? "" : buf_text(&out->id));
    }
    if (advance == ADVANCE_DONE && send && line.lost != NULL &&
        strstr(op->text, line.lost) != NULL) {
        line.lost = NULL;
        buf_clear(&out->id);
        return outcome_fail(out, trouble, ERR_LATER, "the reply is lost");
    }
    return advance;
}

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room.no_leaps = true;
    buf_release(&line.marks);
    memset(&line, 0, sizeof line);
    searching = adapter_board;
    searching.advance = searching_turn;
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
    room.stage->tables.services.list[0].adapter = &searching;
    TEXT_COPY(room.stage->conf.alarm, "board Olga");
}

static void
begin(void)
{
    room_open(&room);
    room_begin(&room, 5);
    install();
    line.behind = BEHIND;
}

static void
start_host(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, room.folder, room.now, &why) == ERR_NONE);
    room.stage = stage;
    install();
    room_settle(&room);
}

/* The host is killed, and another one started. */
static void
kill_host(void)
{
    room_shut(&room);
    start_host();
}

static void
back_up(void)
{
    bool noted = false;
    const struct backup backup = {.path = room_path(&room, "store.db"),
                                  .to = room_path(&room, "copy.db"),
                                  .now = room.stage->now};
    ck_assert(backup_make(&backup, &noted, &why) == ERR_NONE);
}

/* The backup is put in the place of the store. */
static void
restore(void)
{
    struct restored restored;
    const struct restore how = {.path = room_path(&room, "store.db"),
                                .key_file = "",
                                .from = room_path(&room, "copy.db"),
                                .now = room.now};
    ck_assert(backup_restore(&how, &restored, &why) == ERR_NONE);
    buf_release(&restored.old);
    start_host();
}

static void
pass(int64_t time)
{
    for (int64_t step = 0; step < time; step += SECOND_MS) {
        room_waits(&room, SECOND_MS);
    }
}

static const struct queued_message *
first_waiting(void)
{
    const struct outbox *outbox = &room.stage->tables.outbox;
    ck_assert_uint_gt(outbox->count, 0);
    return outbox->list[0];
}

#define NAMED "Anna nominates Bob as"

START_TEST(behind_1500_posts_a_message_is_found_though_the_host_dies_meanwhile)
{
    begin();
    line.lost = NAMED;
    room_names(&room, 1);
    unsigned sent = line.sent;
    for (unsigned i = 0; i < BEHIND; i++) {
        room_posts(&room, "Zoe", "What I think of it.");
    }
    kill_host();
    pass(20 * SECOND_MS);
    ck_assert_str_ne(line.cursor, "");
    kill_host();
    ck_assert_str_eq(line.cursor, "");
    pass((BEHIND / PAGE + 2) * SECOND_MS);
    ck_assert_uint_ge(line.looked, BEHIND / PAGE);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    ck_assert_uint_eq(line.sent, sent);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    room_votes(&room, true);
    ck_assert_int_eq(room_game(&room)->question, QUESTION_DISCARD);
}
END_TEST

START_TEST(what_is_not_there_is_sent_once_the_thread_is_read_back)
{
    begin();
    line.unsent = NAMED;
    room_names(&room, 1);
    pass((BEHIND / PAGE - 2) * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 0);
    pass(5 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
}
END_TEST

/* Answers, and what is said elsewhere, do not wait for it. */
START_TEST(a_search_keeps_no_other_message_waiting)
{
    begin();
    line.behind = 0;
    line.lost = NAMED;
    room_names(&room, 1);
    pass(5 * SECOND_MS);
    ck_assert_uint_gt(line.looked, 2);
    unsigned sent = line.sent;
    room_says(&room, "Carl", "!help");
    ck_assert_uint_eq(line.sent, sent + 1);
    /* What follows in the game does. */
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 0);
}
END_TEST

START_TEST(a_look_that_fails_goes_on_where_it_was_and_in_the_end_anew)
{
    begin();
    line.lost = NAMED;
    line.fails = 2;
    line.from = 10 * PAGE;
    room_names(&room, 1);
    pass((BEHIND / PAGE + 20) * SECOND_MS);
    ck_assert_uint_eq(line.looked, BEHIND / PAGE + 1 + 2);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    /* A cursor may be what the service refuses. */
    line.looked = 0;
    line.lost = "Elected";
    line.fails = 3;
    room_votes(&room, true);
    pass((BEHIND / PAGE + 60) * SECOND_MS);
    ck_assert_uint_eq(line.looked, BEHIND / PAGE + 1 + 3 + 10);
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 1);
}
END_TEST

/* However long that takes. */
START_TEST(a_look_that_is_cut_off_goes_on_where_it_was)
{
    begin();
    line.lost = NAMED;
    line.down = true;
    line.fails = 20;
    line.from = 40 * PAGE;
    room_names(&room, 1);
    pass(HOUR_MS);
    ck_assert_uint_eq(line.looked, BEHIND / PAGE + 1 + 20);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* A service that doesn't say how far it looked has said nothing. */
START_TEST(what_no_look_has_told_of_is_not_sent_again)
{
    begin();
    line.mute = true;
    line.unsent = NAMED;
    room_names(&room, 1);
    pass(30 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 0);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "how far it looked"), 1);
    line.mute = false;
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
}
END_TEST

/* Search without an end, for so long. */
static void
search_for(int64_t time)
{
    begin();
    line.behind = 0;
    line.lost = NAMED;
    room_names(&room, 1);
    pass(time);
}

static int64_t listed; /* the number of what may have arrived */

static enum err
list(void *context, const struct store_message *message, struct buf *trouble)
{
    (void)context;
    (void)trouble;
    listed = message->id;
    return ERR_NONE;
}

/* Whoever runs the host says whether it is there. */
static void
settle(bool there)
{
    ck_assert(store_undelivered(room.stage->tables.store, room.stage->now, list,
                                NULL, &why) == ERR_NONE);
    ck_assert_int_eq(listed, first_waiting()->id);
    ck_assert(store_note_settled(room_path(&room, "store.db"), listed, there,
                                 &why) == ERR_NONE);
}

START_TEST(a_search_without_an_end_is_told_after_a_quarter_of_an_hour)
{
    char number[64];
    search_for(14 * MINUTE_MS);
    (void)snprintf(number, sizeof number, "placard undelivered --there %lld",
                   (long long)first_waiting()->id);
    ck_assert_uint_eq(room_count_told(&room, "Olga", number), 0);
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", number), 1);
    pass(20 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", number), 1);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
}
END_TEST

/* It was not there and was sent again, and may have arrived this time. */
START_TEST(a_second_search_is_told_after_a_quarter_of_an_hour_of_its_own)
{
    begin();
    line.behind = 0;
    line.unsent = NAMED;
    room_names(&room, 1);
    pass(8 * MINUTE_MS);
    line.lost = NAMED;
    line.behind = 1;
    for (unsigned i = 0; i < 30 && line.lost != NULL; i++) {
        pass(SECOND_MS);
    }
    ck_assert_ptr_null(line.lost);
    line.behind = 0;
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "undelivered"), 0);
    pass(6 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "undelivered"), 1);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
}
END_TEST

START_TEST(what_is_said_to_be_there_counts_as_delivered)
{
    search_for(20 * SECOND_MS);
    settle(true);
    pass(3 * SECOND_MS);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    kill_host();
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 1);
}
END_TEST

START_TEST(what_is_said_not_to_be_there_is_sent_again_once)
{
    search_for(20 * SECOND_MS);
    unsigned sent = line.sent;
    room_shut(&room);
    room_alter(&room, "board.db",
               "DELETE FROM posts WHERE id = (SELECT max(id) FROM posts"
               " WHERE author = 'placard' AND place = 'thread')");
    room_alter(&room, "store.db",
               "INSERT INTO operator_settled(message, there)"
               " SELECT id, 0 FROM message WHERE state = 1");
    room_open(&room);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    ck_assert_uint_eq(line.sent, sent); /* the board's own adapter sent it */
    ck_assert_int_eq(
        room_query(&room, "store.db", "SELECT count(*) FROM operator_settled"),
        0);
}
END_TEST

/* Nobody can say of a message that was delivered that it is not there. */
START_TEST(what_was_found_meanwhile_is_not_sent_again)
{
    search_for(20 * SECOND_MS);
    settle(false);
    line.behind = 1;
    room_settle(&room);
    pass(5 * SECOND_MS);
    ck_assert_uint_eq(room_count_said(&room, NAMED), 1);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
}
END_TEST

/* That a private message waits would tell who has acted. */
START_TEST(in_a_session_nothing_of_a_search_is_told)
{
    begin();
    room_names(&room, 1);
    line.behind = 0;
    line.lost = "you're President";
    room_votes(&room, true);
    pass(20 * MINUTE_MS);
    ck_assert_uint_gt(line.looked, 100);
    ck_assert_uint_eq(room_count_told(&room, "Olga", ""), 0);
    listed = 0;
    ck_assert(store_undelivered(room.stage->tables.store, room.stage->now, list,
                                NULL, &why) == ERR_NONE);
    ck_assert_int_eq(listed, 0);
}
END_TEST

/* ---- a reading that serves many ------------------------------------------ */

/* Two rounds are played, and a backup from before them is put back. */
static void
lose_two_rounds(void)
{
    begin();
    line.tells = true;
    back_up();
    for (unsigned i = 0; i < 2; i++) {
        room_names(&room, i + 1);
        room_votes(&room, true);
        room_discards(&room, true);
        room_enacts(&room, false);
    }
    line.sent = 0;
    line.looked = 0;
}

START_TEST(a_restored_host_reads_a_thread_back_once_for_all_that_it_has_said)
{
    lose_two_rounds();
    unsigned said = room_count_said(&room, "");
    room_shut(&room);
    restore();
    pass((BEHIND / PAGE + 5) * SECOND_MS);
    ck_assert_uint_eq(line.sent, 0);
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    ck_assert_uint_eq(room.stage->tables.outbox.count, 0);
    /* By its game and by its status post. */
    ck_assert_uint_le(line.looked, 2 * (size_t)(BEHIND / PAGE + 1));
    ck_assert_uint_eq(room_game(&room)->round, 3);
}
END_TEST

/* Nor is anything known of a post that waits for approval. */
START_TEST(what_a_search_has_not_come_to_is_looked_for_by_itself)
{
    line.held = _i == 1;
    lose_two_rounds();
    unsigned said = room_count_said(&room, "");
    if (!line.held) {
        line.tells = false;
        line.early = NAMED;
    }
    room_shut(&room);
    restore();
    pass((int64_t)20 * (BEHIND / PAGE + 5) * SECOND_MS);
    ck_assert_uint_eq(line.sent, 0);
    ck_assert_uint_eq(room_count_said(&room, ""), said);
    ck_assert_uint_gt(line.looked, 2 * BEHIND / PAGE);
}
END_TEST

START_TEST(what_was_sent_since_the_thread_was_read_back_is_looked_for)
{
    line.missing = "Elected";
    lose_two_rounds();
    room_shut(&room);
    room_alter(&room, "board.db",
               "DELETE FROM posts WHERE text LIKE '[b]Elected%'");
    line.lost = "Elected";
    restore();
    pass((int64_t)3 * (BEHIND / PAGE + 5) * SECOND_MS);
    ck_assert_uint_eq(line.sent, 2);
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 2);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/search");
    TCase *tcase = tcase_create("search");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(
        tcase,
        behind_1500_posts_a_message_is_found_though_the_host_dies_meanwhile);
    tcase_add_test(tcase,
                   what_is_not_there_is_sent_once_the_thread_is_read_back);
    tcase_add_test(tcase, a_search_keeps_no_other_message_waiting);
    tcase_add_test(tcase,
                   a_look_that_fails_goes_on_where_it_was_and_in_the_end_anew);
    tcase_add_test(tcase, a_look_that_is_cut_off_goes_on_where_it_was);
    tcase_add_test(tcase, what_no_look_has_told_of_is_not_sent_again);
    tcase_add_test(tcase,
                   a_search_without_an_end_is_told_after_a_quarter_of_an_hour);
    tcase_add_test(
        tcase, a_second_search_is_told_after_a_quarter_of_an_hour_of_its_own);
    tcase_add_test(tcase, what_is_said_to_be_there_counts_as_delivered);
    tcase_add_test(tcase, what_is_said_not_to_be_there_is_sent_again_once);
    tcase_add_test(tcase, what_was_found_meanwhile_is_not_sent_again);
    tcase_add_test(tcase, in_a_session_nothing_of_a_search_is_told);
    tcase_add_test(
        tcase,
        a_restored_host_reads_a_thread_back_once_for_all_that_it_has_said);
    tcase_add_loop_test(
        tcase, what_a_search_has_not_come_to_is_looked_for_by_itself, 0, 2);
    tcase_add_test(tcase,
                   what_was_sent_since_the_thread_was_read_back_is_looked_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
