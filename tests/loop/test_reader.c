/*
 * The reader: how often feeds are read that an updates feed covers.
 *
 * The service is the board with an updates feed that says what the test wants,
 * and a second feed, in which nothing is ever posted.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/loop/loop.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/places/services.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;
static unsigned asked[OP_ROLES + 1]; /* operations begun, by kind, */
static unsigned other_reads;         /* and those of the second feed */
static int64_t since;                /* from when on it was read again, last */

/* What the updates feed says of the board's feed, and how reading that ends. */
static struct {
    const char *session; /* a value of the adapter's that it gives, or NULL */
    bool listed, other_listed;
    int64_t last, rest; /* before now; 0 as `rest`: it says nothing */
    uint64_t state;
    enum err err, read_err;
} look;

/* What was posted since a question was asked does not come in one page. */
static struct {
    bool is_long;   /* so much was posted */
    bool dated;     /* a page tells how far it goes: ten minutes */
    unsigned pages; /* but the last */
    int64_t last;   /* where the last of these began */
} thread;

#define OTHER   "other"
#define SESSION "secret.session"

/* ---- the service --------------------------------------------------------- */

static enum advance
answer_look(const struct op *op, struct outcome *out, struct buf *trouble)
{
    if (look.err != ERR_NONE) {
        return outcome_fail(out, trouble, look.err, "there is no such page");
    }
    if (look.session != NULL) {
        (void)adapter_states_set(&out->states, SESSION, look.session);
    }
    if (look.listed) {
        outcome_add_update(out, room.stage->tables.feeds.list[0]->name,
                           op->now - look.last)
            ->state = look.state;
    }
    if (look.other_listed) {
        outcome_add_update(out, OTHER, op->now - HOUR_MS)->state = 1;
    }
    out->rest = look.rest == 0 ? 0 : op->now - look.rest;
    out->through = op->now - 2 * SECOND_MS;
    return ADVANCE_DONE;
}

/* A page that is not the last of those that are read again. */
static bool
is_in_between(const struct op *op, struct outcome *out)
{
    int64_t end = op->since + 10 * MINUTE_MS;
    if (op->kind != OP_READ || !thread.is_long) {
        return false;
    }
    if (op->since == 0 || end > op->now) {
        thread.last = 0; /* the next reading may begin where this one did */
        return false;
    }
    ck_assert_int_gt(op->since, thread.last);
    thread.last = op->since;
    thread.pages++;
    buf_add_text(&out->cursor, op->cursor);
    out->more = true;
    out->through = thread.dated ? end : 0;
    return true;
}

static enum advance
plain_advance(const struct service *service, const struct op *op,
              struct buf *scratch, const struct reply *reply,
              struct outcome *out, struct buf *trouble)
{
    if (op->kind == OP_READ && strcmp(op->feed, OTHER) == 0) {
        other_reads++;
        buf_add_text(&out->cursor, "end");
        out->through = op->now;
        return ADVANCE_DONE;
    }
    asked[op->kind] += reply == NULL;
    since = op->kind == OP_READ && op->since != 0 ? op->since : since;
    if (is_in_between(op, out)) {
        return ADVANCE_DONE;
    }
    if (op->kind == OP_UPDATES) {
        return answer_look(op, out, trouble);
    }
    if (op->kind == OP_READ && look.read_err != ERR_NONE) {
        return outcome_fail(out, trouble, look.read_err, "not now");
    }
    return adapter_board.advance(service, op, scratch, reply, out, trouble);
}

static void
plain_updates_feed(const struct service *service, const char *name,
                   struct buf *updates)
{
    (void)service;
    (void)name;
    buf_add_text(updates, "news");
}

static struct adapter plain;

static void
set_up(void)
{
    room_init(&room);
    plain = adapter_board;
    plain.advance = plain_advance;
    plain.updates_feed = plain_updates_feed;
    plain.capabilities.pause = 10 * SECOND_MS;
    plain.capabilities.anyway = MINUTE_MS;
    plain.capabilities.rereads = true;
    memset(&thread, 0, sizeof thread);
    memset(&look, 0, sizeof look);
    look.listed = true;
    look.last = HOUR_MS;
    look.state = 7;
    room_open(&room);
}

static void
install(void)
{
    room.stage->tables.services.list[0].adapter = &plain;
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

/* ---- turns --------------------------------------------------------------- */

static struct feed *
feed(void)
{
    return room.stage->tables.feeds.list[0];
}

/* A turn every 100 ms: what a look asks for comes a while after it. */
static void
later(int64_t time)
{
    for (int64_t end = room.stage->now + time; room.stage->now < end;) {
        room.stage->now += 100;
        ck_assert_msg(loop_turn(&room.stage->loop, room.stage->now, 0, &why) ==
                          ERR_NONE,
                      "%s", buf_text(&why));
    }
}

static void
count_anew(void)
{
    memset(asked, 0, sizeof asked);
    other_reads = 0;
}

/* A game, whose thread comes in a feed without anybody's DMs, and which was
 * looked up and read. */
static void
begin_thread(void)
{
    room_begin(&room, 5);
    install();
    feed()->shared = false;
    later(MINUTE_MS);
    count_anew();
}

static void
add_other(bool listed)
{
    (void)feeds_add(&room.stage->tables.feeds,
                    &room.stage->tables.services.list[0], OTHER);
    look.other_listed = listed;
    later(MINUTE_MS);
    count_anew();
}

/* ---- in a game ----------------------------------------------------------- */

START_TEST(a_quiet_feed_is_looked_up_every_three_seconds_and_read_every_minute)
{
    begin_thread();
    later(10 * MINUTE_MS);
    ck_assert_uint_ge(asked[OP_UPDATES], 190);
    ck_assert_uint_le(asked[OP_UPDATES], 201);
    ck_assert_uint_ge(asked[OP_READ], 9);
    ck_assert_uint_le(asked[OP_READ], 10);
}
END_TEST

START_TEST(a_feed_in_another_state_is_read_once)
{
    begin_thread();
    later(5 * SECOND_MS);
    for (int i = 0; i < 10; i++) {
        unsigned reads = asked[OP_READ];
        look.state++;
        later(3500); /* the next look, whatever was read before */
        ck_assert_uint_eq(asked[OP_READ], reads + 1);
    }
    ck_assert_uint_le(asked[OP_UPDATES], 15);
}
END_TEST

/* A reading takes a while, and ends after the look that asked for it. */
START_TEST(a_feed_that_was_read_waits_for_the_next_look)
{
    begin_thread();
    struct loop *loop = &room.stage->loop;
    int64_t next = loop->reader.updates[0]->job.next;
    loop->steady = next - SECOND_MS;
    ck_assert_int_eq(reader_pause(loop, feed()), SECOND_MS);
    loop->steady = next;
    ck_assert_int_eq(reader_pause(loop, feed()), 3 * SECOND_MS);
}
END_TEST

/* As a state knows what the time of the last post does not. */
START_TEST(a_state_wins_over_a_recent_post)
{
    begin_thread();
    look.last = 0;
    later(30 * SECOND_MS);
    ck_assert_uint_le(asked[OP_READ], 1);
    look.state = 0;
    count_anew();
    later(30 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 9);
}
END_TEST

START_TEST(what_could_not_be_read_is_read_though_the_state_stays)
{
    begin_thread();
    look.state++;
    look.read_err = ERR_LATER;
    later(10 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 1);
    look.read_err = ERR_NONE;
    count_anew();
    later(50 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 1);
    ck_assert_uint_eq(feed()->read_state, look.state);
}
END_TEST

/* However often it is looked up. */
START_TEST(a_feed_that_can_not_be_read_is_tried_more_and_more_rarely)
{
    begin_thread();
    add_other(true);
    look.state++;
    look.read_err = ERR_LATER;
    later(5 * MINUTE_MS);
    ck_assert_uint_ge(asked[OP_UPDATES], 90);
    ck_assert_uint_ge(asked[OP_READ], 3);
    ck_assert_uint_le(asked[OP_READ], 11);
}
END_TEST

START_TEST(a_feed_that_left_the_list_is_as_quiet_as_the_list_says)
{
    begin_thread();
    look.listed = false;
    look.rest = HOUR_MS;
    later(50 * SECOND_MS);
    ck_assert_uint_le(asked[OP_READ], 1);
    look.rest = SECOND_MS;
    count_anew();
    later(30 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 9);
    look.rest = 0;
    count_anew();
    later(30 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 9);
}
END_TEST

START_TEST(a_feed_that_was_never_listed_is_read_itself)
{
    look.listed = false;
    look.rest = HOUR_MS;
    begin_thread();
    later(30 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 9);
}
END_TEST

START_TEST(without_a_look_a_feed_is_read_itself)
{
    begin_thread();
    look.err = ERR_DENIED;
    later(5 * SECOND_MS);
    count_anew();
    later(MINUTE_MS);
    ck_assert_uint_eq(asked[OP_UPDATES], 0);
    ck_assert_uint_ge(asked[OP_READ], 5);
    later(10 * MINUTE_MS);
    ck_assert_uint_ge(asked[OP_UPDATES], 1);
}
END_TEST

/* ---- DMs ----------------------------------------------------------------- */

/* Reading DMs changes how many are unread, so that number says nothing until
 * it is known that none was left. */
START_TEST(where_dms_came_the_same_number_may_be_another_one)
{
    room_begin(&room, 5);
    install();
    ck_assert(feed_has_dms(feed()));
    later(2 * MINUTE_MS);
    ck_assert_uint_eq(feed()->read_state, look.state);
    count_anew();
    room_writes(&room, room_player(0), "Hello.");
    look.state++;
    while (asked[OP_READ] == 0) {
        later(SECOND_MS);
    }
    ck_assert_uint_eq(feed()->read_state, 0);
    count_anew();
    later(31 * SECOND_MS); /* the host's answer comes as well */
    ck_assert_uint_ge(asked[OP_READ], 1);
    later(62 * SECOND_MS);
    ck_assert_uint_eq(feed()->read_state, look.state);
}
END_TEST

/* A message that was opened when reading failed is not unread any more. */
START_TEST(dms_that_could_not_be_read_are_read_though_none_is_unread)
{
    room_begin(&room, 5);
    install();
    later(2 * MINUTE_MS);
    ck_assert_uint_eq(feed()->read_state, look.state);
    look.state++;
    look.read_err = ERR_LATER;
    count_anew();
    while (asked[OP_READ] == 0) {
        later(SECOND_MS);
    }
    look.state--;
    look.read_err = ERR_NONE;
    count_anew();
    later(50 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 1);
}
END_TEST

/* It says as many as before, but another one. */
START_TEST(what_a_look_said_of_dms_is_worth_nothing_once_they_were_read)
{
    room_begin(&room, 5);
    install();
    later(2 * MINUTE_MS);
    room_writes(&room, room_player(0), "Hello.");
    look.state++;
    count_anew();
    while (asked[OP_READ] == 0) {
        later(100);
    }
    /* Read again before the next look, for what waits for it: the host's
     * answer has come, then nothing. */
    unsigned looks = asked[OP_UPDATES];
    for (unsigned i = 0; i < 2; i++) {
        feeds_hurry(&room.stage->tables.feeds, feed(), room.stage->now);
        later(200);
    }
    ck_assert_uint_eq(asked[OP_READ], 3);
    ck_assert_uint_eq(asked[OP_UPDATES], looks);
    count_anew();
    room_writes(&room, room_player(0), "Hello again.");
    later(31 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 1);
}
END_TEST

/* ---- posts that may have been edited -------------------------------------
 */

/* A vote of an hour, of which 59 minutes are over. */
static void
begin_long_vote(bool dated)
{
    room_shut(&room);
    room_set(&room, "election", "1h");
    room_set(&room, "nomination", "30m");
    room_open(&room);
    room_begin(&room, 5);
    install();
    room_names(&room, 1);
    thread.dated = dated;
    thread.is_long = true;
    ck_assert_int_eq(room_game(&room)->question, QUESTION_VOTE);
    later(room_table(&room)->deadline - room.stage->now);
    ck_assert_uint_eq(thread.pages, 0);
}

START_TEST(what_comes_in_many_pages_is_read_again_page_by_page)
{
    begin_long_vote(true);
    later(MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Time is up"), 1);
    ck_assert_uint_ge(thread.pages, 5);
    ck_assert_uint_le(thread.pages, 12);
}
END_TEST

START_TEST(where_no_page_tells_how_far_it_goes_only_what_is_new_is_read_on)
{
    begin_long_vote(false);
    later(MINUTE_MS);
    ck_assert_uint_eq(room_count_said(&room, "Time is up"), 1);
    ck_assert_uint_ge(thread.pages, 1);
    ck_assert_uint_le(thread.pages, 2);
}
END_TEST

START_TEST(dms_that_were_never_read_are_read_from_the_open_question_on)
{
    room_begin(&room, 5);
    room_names(&room, 1);
    install();
    since = 0;
    later(MINUTE_MS);
    ck_assert_int_eq(since, 0);
    feed()->shared = true;
    feed_set_cursor(feed(), "");
    later(MINUTE_MS);
    ck_assert_int_gt(room_table(&room)->since, 0);
    ck_assert_int_eq(since, room_table(&room)->since);
    since = 0;
    later(MINUTE_MS);
    ck_assert_int_eq(since, 0);
}
END_TEST

START_TEST(the_log_says_that_updates_fail_and_that_they_go_on)
{
    char path[512];
    struct buf log = BUF_INIT;

    begin_thread();
    (void)snprintf(path, sizeof(path), "%s/log", room.folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int errors = dup(STDERR_FILENO);

    (void)dup2(file, STDERR_FILENO);
    log_set_level(LOG_LEVEL_INFO);
    look.err = ERR_LATER;
    later(MINUTE_MS);
    look.err = ERR_NONE;
    later(5 * MINUTE_MS);
    log_set_level(LOG_LEVEL_WARNING);
    (void)dup2(errors, STDERR_FILENO);
    (void)close(file);
    (void)close(errors);
    ck_assert_int_eq(file_read(path, &log, &why), ERR_NONE);
    const char *fails = strstr(buf_text(&log), "the updates of news: ");
    ck_assert_ptr_nonnull(fails);
    const char *on = strstr(fails, "the updates of news go on\n");
    ck_assert_ptr_nonnull(on);
    ck_assert_ptr_null(strstr(on + 1, "the updates of news"));
    (void)remove(path);
    buf_release(&log);
}
END_TEST

/* ---- without a game ------------------------------------------------------ */

/* Otherwise each look would log in anew. */
START_TEST(a_session_that_a_look_has_renewed_is_kept)
{
    begin_thread();
    look.session = "the second";
    later(MINUTE_MS);
    const struct adapter_states *states =
        &room.stage->tables.services
             .states[(&room.stage->tables.services.list[0])->number];
    ck_assert_str_eq(adapter_states_find(states->list, states->count, SESSION),
                     "the second");
}
END_TEST

START_TEST(where_no_game_runs_one_look_in_half_a_minute_is_enough)
{
    install();
    feed()->shared = false;
    later(10 * MINUTE_MS);
    count_anew();
    later(30 * MINUTE_MS);
    ck_assert_uint_ge(asked[OP_UPDATES], 50);
    ck_assert_uint_le(asked[OP_UPDATES], 61);
    ck_assert_uint_ge(asked[OP_READ], 5);
    ck_assert_uint_le(asked[OP_READ], 7);
    look.state++;
    count_anew();
    later(31 * SECOND_MS);
    ck_assert_uint_ge(asked[OP_READ], 1);
}
END_TEST

START_TEST(one_look_tells_of_a_place_beside_a_game)
{
    begin_thread();
    add_other(true);
    later(10 * MINUTE_MS);
    ck_assert_uint_le(asked[OP_UPDATES], 201);
    ck_assert_uint_ge(other_reads, 1);
    ck_assert_uint_le(other_reads, 3);
}
END_TEST

START_TEST(a_place_that_is_not_listed_is_read_no_faster_beside_a_game)
{
    begin_thread();
    add_other(false);
    later(10 * MINUTE_MS);
    ck_assert_uint_ge(other_reads, 17);
    ck_assert_uint_le(other_reads, 21);
}
END_TEST

/* It is read by itself, as rarely as at a service without updates. */
START_TEST(a_place_that_is_not_listed_is_read_every_half_minute)
{
    look.listed = false;
    look.rest = HOUR_MS;
    install();
    feed()->shared = false;
    later(MINUTE_MS);
    count_anew();
    later(10 * MINUTE_MS);
    ck_assert_uint_ge(asked[OP_READ], 18);
    ck_assert_uint_le(asked[OP_UPDATES], 11);
    look.listed = true;
    later(2 * MINUTE_MS);
    ck_assert(feed()->listed);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/reader");
    TCase *tcase = tcase_create("looks");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(
        tcase,
        a_quiet_feed_is_looked_up_every_three_seconds_and_read_every_minute);
    tcase_add_test(tcase, a_feed_in_another_state_is_read_once);
    tcase_add_test(tcase, a_feed_that_was_read_waits_for_the_next_look);
    tcase_add_test(tcase, a_state_wins_over_a_recent_post);
    tcase_add_test(tcase,
                   what_could_not_be_read_is_read_though_the_state_stays);
    tcase_add_test(tcase,
                   a_feed_that_can_not_be_read_is_tried_more_and_more_rarely);
    tcase_add_test(tcase,
                   a_feed_that_left_the_list_is_as_quiet_as_the_list_says);
    tcase_add_test(tcase, a_feed_that_was_never_listed_is_read_itself);
    tcase_add_test(tcase, without_a_look_a_feed_is_read_itself);
    tcase_add_test(tcase, where_dms_came_the_same_number_may_be_another_one);
    tcase_add_test(tcase,
                   dms_that_could_not_be_read_are_read_though_none_is_unread);
    tcase_add_test(
        tcase, what_a_look_said_of_dms_is_worth_nothing_once_they_were_read);
    tcase_add_test(tcase, a_session_that_a_look_has_renewed_is_kept);
    tcase_add_test(tcase,
                   where_no_game_runs_one_look_in_half_a_minute_is_enough);
    tcase_add_test(tcase, a_place_that_is_not_listed_is_read_every_half_minute);
    tcase_add_test(tcase, the_log_says_that_updates_fail_and_that_they_go_on);
    tcase_add_test(tcase, one_look_tells_of_a_place_beside_a_game);
    tcase_add_test(tcase,
                   a_place_that_is_not_listed_is_read_no_faster_beside_a_game);
    tcase_add_test(tcase,
                   dms_that_were_never_read_are_read_from_the_open_question_on);
    tcase_add_test(tcase, what_comes_in_many_pages_is_read_again_page_by_page);
    tcase_add_test(
        tcase, where_no_page_tells_how_far_it_goes_only_what_is_new_is_read_on);
    suite_add_tcase(suite, tcase);
    return suite;
}
