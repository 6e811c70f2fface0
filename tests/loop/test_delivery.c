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
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;
static struct buf why;

/* The board behind a service that refuses. */
static struct {
    unsigned kinds; /* bits of enum errand_kind */
    enum err err;
    enum refused refused;
    const char *text;      /* refuse only what holds this, or NULL */
    const char *taken;     /* and not what holds that, or NULL */
    unsigned times;        /* still to refuse */
    bool lacks;            /* a probe tells that the host may not post */
    unsigned asked[16];    /* errands begun, by kind */
    char key[KEY_MAX + 1]; /* of what was refused last */
} guard;

static struct adapter guarded;

static bool
is_refused(const struct errand *errand)
{
    return guard.times > 0 && (guard.kinds & 1U << errand->kind) != 0 &&
           (guard.text == NULL || strstr(errand->text, guard.text) != NULL) &&
           (guard.taken == NULL || strstr(errand->text, guard.taken) == NULL);
}

static enum turn
guarded_turn(const struct service *service, const struct errand *errand,
             struct buf *work, const struct reply *reply, struct outcome *out,
             struct buf *trouble)
{
    if (reply == NULL) {
        guard.asked[errand->kind]++;
        if (is_refused(errand)) {
            guard.times--;
            TEXT_COPY(guard.key, errand->key);
            out->refused = guard.refused;
            return outcome_fail(out, trouble, guard.err, "the service refuses");
        }
    }
    enum turn turn =
        adapter_board.turn(service, errand, work, reply, out, trouble);
    if (turn == TURN_DONE && errand->kind == ERRAND_PROBE && guard.lacks) {
        out->rights &= ~(unsigned)RIGHT_POST;
    }
    return turn;
}

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
    memset(&guard, 0, sizeof guard);
    guarded = adapter_board;
    guarded.turn = guarded_turn;
}

static void
tear_down(void)
{
    hall_release(&hall);
    buf_release(&why);
}

static void
begin(void)
{
    hall_open(&hall);
    hall_begin(&hall, 5);
    hall.stage->desk.services[0].adapter = &guarded;
    TEXT_COPY(hall.stage->conf.alarm, "board Olga");
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
        hall_waits(&hall, 5 * SECOND_MS);
    }
}

/* ---- a right is missing -------------------------------------------------- */

START_TEST(a_muted_host_says_all_of_it_once_it_may_and_in_order)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna names Bob";
    hall_names(&hall, 1);
    pass(20 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 0);
    guard.times = 0;
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
}
END_TEST

START_TEST(who_runs_the_host_is_told_after_ten_minutes_and_the_thread_later)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna names Bob";
    hall_names(&hall, 1);
    pass(9 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 0);
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(
        hall_count_told(&hall, "Olga", "table 1, place \"board\": a "), 1);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "the service refuses"), 1);
    pass(30 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "could not be posted here"), 0);
    guard.times = 0;
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "could not be posted here"), 1);
}
END_TEST

/* As a new process would be, and the service still refuses. */
static void
reopen(void)
{
    struct stage *stage = must_alloc(sizeof *stage);
    hall_shut(&hall);
    conf_defaults(&stage->conf);
    ck_assert(stage_open(stage, hall.folder, hall.now, &why) == ERR_NONE);
    hall.stage = stage;
    stage->desk.services[0].adapter = &guarded;
    TEXT_COPY(stage->conf.alarm, "board Olga");
    hall_settle(&hall);
}

START_TEST(a_start_tells_nothing_twice_and_the_thread_all_the_same)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna names Bob";
    hall_names(&hall, 1);
    pass(11 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 1);
    reopen();
    pass(30 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 1);
    guard.times = 0;
    pass(5 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "could not be posted here"), 1);
}
END_TEST

START_TEST(a_short_refusal_is_told_to_nobody)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, 2);
    hall_names(&hall, 1);
    pass(MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
    pass(HOUR_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "could not be posted here"), 0);
}
END_TEST

START_TEST(what_a_probe_finds_to_be_back_is_used_at_once)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.lacks = true;
    hall_names(&hall, 1);
    pass(HOUR_MS);
    guard.times = 0;
    guard.lacks = false;
    /* By itself it would be tried within five minutes. */
    pass(MINUTE_MS);
    pass(5 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
}
END_TEST

START_TEST(a_refusal_that_no_probe_sees_is_tried_seldom)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    hall_names(&hall, 1);
    unsigned before = guard.asked[ERRAND_SEND];
    pass(HOUR_MS);
    ck_assert_uint_le(guard.asked[ERRAND_SEND] - before, 40);
    ck_assert_uint_ge(guard.asked[ERRAND_SEND] - before, 12);
}
END_TEST

/* ---- a thread of its own ------------------------------------------------- */

static void
open_table(unsigned times)
{
    hall_set(&hall, "thread", "new");
    hall_open(&hall);
    hall.stage->desk.services[0].adapter = &guarded;
    refuse(KIND(ERRAND_OPEN), ERR_DENIED, REFUSED_RIGHT, times);
    hall_says(&hall, "Mo", "!new players=5");
}

START_TEST(a_thread_that_is_refused_for_a_moment_is_opened_all_the_same)
{
    open_table(FOR_EVER);
    pass(30 * SECOND_MS);
    ck_assert_uint_ge(guard.asked[ERRAND_OPEN], 3);
    guard.times = 0;
    pass(3 * MINUTE_MS);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread/1");
}
END_TEST

START_TEST(a_game_that_can_have_no_thread_is_played_where_it_was_opened)
{
    open_table(FOR_EVER);
    pass(5 * MINUTE_MS);
    ck_assert(!hall_table(&hall)->opening);
    ck_assert_str_eq(hall_table(&hall)->thread, "thread");
    for (unsigned i = 0; i < 5; i++) {
        hall_says(&hall, hall_player(i), "!join");
    }
    ck_assert_int_eq(hall_table(&hall)->state, TABLE_RUNNING);
}
END_TEST

/* ---- the account --------------------------------------------------------- */

START_TEST(a_refused_account_is_asked_for_every_ten_minutes)
{
    begin();
    refuse(KIND(ERRAND_SEND) | KIND(ERRAND_WHO), ERR_DENIED, REFUSED_ACCOUNT,
           FOR_EVER);
    hall_names(&hall, 1);
    unsigned before = guard.asked[ERRAND_WHO];
    pass(HOUR_MS);
    ck_assert_uint_ge(guard.asked[ERRAND_WHO] - before, 5);
    ck_assert_uint_le(guard.asked[ERRAND_WHO] - before, 8);
    unsigned sent = guard.asked[ERRAND_SEND];
    guard.times = 0;
    pass(11 * MINUTE_MS);
    ck_assert_uint_gt(guard.asked[ERRAND_SEND], sent);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
}
END_TEST

/* ---- a person ------------------------------------------------------------ */

START_TEST(closed_messages_are_tried_hourly_and_when_the_person_acts)
{
    begin();
    hall_names(&hall, 1);
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "you are President";
    hall_votes(&hall, true);
    unsigned before = guard.asked[ERRAND_SEND];
    pass(50 * MINUTE_MS - 10 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 0);
    ck_assert_uint_le(guard.asked[ERRAND_SEND] - before, 2);
    /* In a session that would tell who has acted. */
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 0);
    guard.times = 0;
    hall_says(&hall, "Anna", "I have let you in");
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 1);
}
END_TEST

START_TEST(what_is_no_persons_doing_is_told_as_such)
{
    static const struct {
        enum refused refused;
        const char *said; /* NULL: nothing */
    } cases[] = {
        {REFUSED_PERSON, "don't reach you. Please let me write to you"},
        {REFUSED_RIGHT, "this service does not let me send any"},
        {REFUSED_WORDS, NULL},
        {REFUSED_EXTRA, NULL}};
    const char *said = cases[_i].said;
    begin();
    hall_names(&hall, 1);
    refuse(KIND(ERRAND_SEND), ERR_DENIED, cases[_i].refused, 1);
    guard.text = "you are President";
    hall_votes(&hall, true);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "don't reach you"), said != NULL);
    ck_assert_uint_eq(said == NULL ? 0 : hall_count_said(&hall, said),
                      said != NULL);
}
END_TEST

/* ---- words --------------------------------------------------------------- */

START_TEST(refused_words_are_said_plainer)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_WORDS, 1);
    hall_names(&hall, 1);
    pass(2 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob."), 1);
}
END_TEST

START_TEST(the_log_quotes_no_reason_why_private_words_are_refused)
{
    char path[512];
    struct buf log = BUF_INIT;
    begin();
    (void)snprintf(path, sizeof path, "%s/log", hall.folder);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int errors = dup(STDERR_FILENO);
    (void)dup2(file, STDERR_FILENO);
    log_set_level(LOG_LEVEL_DEBUG);
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_WORDS, 1);
    guard.text = "your cards are";
    hall_names(&hall, 1);
    hall_votes(&hall, true);
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
    hall_read(&hall);
    size_t posts = hall.post_count;
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_WORDS, 2);
    hall_names(&hall, 1);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
    hall_read(&hall);
    ck_assert_uint_gt(hall.post_count, posts + 2); /* hers, and two lines */
}
END_TEST

START_TEST(at_last_one_line_says_that_words_are_refused)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_WORDS, FOR_EVER);
    guard.taken = "are refused here";
    hall_names(&hall, 1);
    pass(20 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 0);
    ck_assert_uint_eq(hall_count_said(&hall, "The words of a post of mine"), 1);
    ck_assert_uint_eq(hall.stage->desk.outbox.count, 0);
}
END_TEST

/* ---- the status post ----------------------------------------------------- */

START_TEST(a_status_post_that_was_deleted_is_replaced)
{
    begin();
    refuse(KIND(ERRAND_EDIT), ERR_GONE, REFUSED_RIGHT, 1);
    hall_names(&hall, 1);
    pass(10 * SECOND_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Vote on President Anna"), 1);
    hall_says(&hall, "Anna", "**Ja!**");
    assert_holds(hall_status(&hall)->text, "1 of 5 has voted");
}
END_TEST

START_TEST(a_status_post_that_can_not_be_edited_any_more_is_replaced)
{
    begin();
    refuse(KIND(ERRAND_EDIT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    hall_names(&hall, 1);
    pass(5 * MINUTE_MS);
    assert_holds(hall_status(&hall)->text, "Vote on President Anna");
}
END_TEST

START_TEST(a_status_post_in_a_locked_thread_is_edited_once_that_is_open)
{
    begin();
    ck_assert_uint_eq(hall_count_said(&hall, "Seats:"), 1);
    refuse(KIND(ERRAND_SEND) | KIND(ERRAND_EDIT), ERR_DENIED, REFUSED_RIGHT,
           FOR_EVER);
    hall_names(&hall, 1);
    pass(14 * MINUTE_MS);
    guard.times = 0;
    pass(6 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 1);
    ck_assert_uint_eq(hall_count_said(&hall, "Seats:"), 1);
    assert_holds(hall_status(&hall)->text, "Vote on President Anna");
}
END_TEST

/* ---- what is of no use any more -------------------------------------------
 */

START_TEST(a_reaction_is_of_no_use_after_ten_minutes)
{
    begin();
    refuse(KIND(ERRAND_REACT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    hall_says(&hall, "Carl", "!help");
    hall_names(&hall, 1);
    hall_says(&hall, "Carl", "**Ja!**");
    ck_assert_uint_gt(hall.stage->desk.outbox.count, 0);
    pass(16 * MINUTE_MS);
    ck_assert_uint_eq(hall.stage->desk.outbox.count, 0);
    ck_assert_uint_eq(hall_count_told(&hall, "Olga", "waits since"), 0);
}
END_TEST

/* How many messages with this in them wait. */
static unsigned
count_waiting(const char *text)
{
    const struct outbox *outbox = &hall.stage->desk.outbox;
    unsigned count = 0;
    for (size_t i = 0; i < outbox->count; i++) {
        const char *waits = outbox->list[i]->letter.text;
        count += waits != NULL && strstr(waits, text) != NULL;
    }
    return count;
}

/* A moderator asks for something, and confirms it. */
static void
does(const char *order)
{
    char yes[24];
    hall_says(&hall, "Mo", order);
    snprintf(yes, sizeof yes, "!yes %u", hall_table(&hall)->asked[0].number);
    hall_says(&hall, "Mo", yes);
}

START_TEST(what_was_taken_back_is_not_said_any_more)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna names Bob";
    hall_names(&hall, 1);
    ck_assert_uint_gt(count_waiting("Anna names Bob"), 0);
    does("!undo");
    ck_assert_int_eq(hall_game(&hall)->question, QUESTION_NOMINATE);
    ck_assert_uint_eq(count_waiting("Anna names Bob"), 0);
    guard.times = 0;
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(hall_count_said(&hall, "Anna names Bob"), 0);
}
END_TEST

START_TEST(who_has_lost_the_seat_gets_nothing_of_it_any_more)
{
    begin();
    hall_says(&hall, "Frida", "!reserve");
    hall_names(&hall, 1);
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "you are President";
    hall_votes(&hall, true);
    ck_assert_uint_gt(count_waiting("you are President"), 0);
    guard.times = 0;
    does("!replace Anna with Frida");
    ck_assert_str_eq(hall_table(&hall)->people[0].name, "Frida");
    hall_says(&hall, "Anna", "I have let you in");
    pass(2 * HOUR_MS);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", "you are President"), 0);
    ck_assert_uint_eq(hall_count_told(&hall, "Frida", "you are President"), 1);
    ck_assert_uint_eq(hall.stage->desk.outbox.count, 0);
}
END_TEST

/* ---- what `games` and `check` list ----------------------------------------
 */

static struct buf listed;
static int64_t since; /* of what was listed last */

static enum err
list(void *context, const struct store_letter *letter, struct buf *trouble)
{
    (void)context;
    (void)trouble;
    buf_addf(&listed, "%s %s %d %lld %s\n", letter->game, letter->place,
             (int)letter->kind, (long long)letter->count, letter->trouble);
    since = letter->written;
    return ERR_NONE;
}

START_TEST(what_is_not_delivered_is_listed_with_its_reason)
{
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    hall_names(&hall, 1);
    ck_assert(store_undelivered(hall.stage->desk.store, 0, list, NULL, &why) ==
              ERR_NONE);
    ck_assert_str_eq(buf_text(&listed), "1 board 0 1 the service refuses\n");
    buf_release(&listed);
}
END_TEST

START_TEST(a_status_post_waits_since_its_text_is_new)
{
    begin();
    pass(HOUR_MS);
    refuse(KIND(ERRAND_EDIT), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    int64_t now = hall.stage->now;
    hall_names(&hall, 1);
    ck_assert(store_undelivered(hall.stage->desk.store, 0, list, NULL, &why) ==
              ERR_NONE);
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
    ck_assert_ptr_nonnull(freopen(hall_path(&hall, "printed"), "w", stdout));
    ck_assert(undelivered_print(hall.stage->desk.store, hall.stage->now,
                                &why) == ERR_NONE);
    ck_assert_int_eq(fflush(stdout), 0);
    ck_assert_int_ge(dup2(there, STDOUT_FILENO), 0);
    (void)close(there);
    buf_clear(out);
    ck_assert(file_read(hall_path(&hall, "printed"), out, &why) == ERR_NONE);
}

START_TEST(what_waits_is_printed_and_nothing_of_a_session)
{
    struct buf printed = BUF_INIT;
    begin();
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_RIGHT, FOR_EVER);
    guard.text = "Anna names Bob";
    hall_names(&hall, 1);
    pass(2 * MINUTE_MS);
    print(&printed);
    assert_holds(buf_text(&printed), "Not delivered, and tried again:\n1 ");
    assert_holds(buf_text(&printed), " board            1 post, since 2026-");
    assert_holds(buf_text(&printed), ": the service refuses\n");
    guard.times = 0;
    pass(5 * MINUTE_MS);
    refuse(KIND(ERRAND_SEND), ERR_DENIED, REFUSED_PERSON, FOR_EVER);
    guard.text = "you are President";
    hall_votes(&hall, true);
    pass(2 * MINUTE_MS);
    ck_assert_uint_gt(count_waiting("you are President"), 0);
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
        who_runs_the_host_is_told_after_ten_minutes_and_the_thread_later);
    tcase_add_test(tcase,
                   a_start_tells_nothing_twice_and_the_thread_all_the_same);
    tcase_add_test(tcase, a_short_refusal_is_told_to_nobody);
    tcase_add_test(tcase, what_a_probe_finds_to_be_back_is_used_at_once);
    tcase_add_test(tcase, a_refusal_that_no_probe_sees_is_tried_seldom);
    tcase_add_test(
        tcase, a_thread_that_is_refused_for_a_moment_is_opened_all_the_same);
    tcase_add_test(
        tcase, a_game_that_can_have_no_thread_is_played_where_it_was_opened);
    tcase_add_test(tcase, a_refused_account_is_asked_for_every_ten_minutes);
    tcase_add_test(tcase,
                   closed_messages_are_tried_hourly_and_when_the_person_acts);
    tcase_add_loop_test(tcase, what_is_no_persons_doing_is_told_as_such, 0, 4);
    tcase_add_test(tcase, refused_words_are_said_plainer);
    tcase_add_test(tcase,
                   the_log_quotes_no_reason_why_private_words_are_refused);
    tcase_add_test(tcase, words_that_are_refused_again_are_said_line_by_line);
    tcase_add_test(tcase, at_last_one_line_says_that_words_are_refused);
    tcase_add_test(tcase, a_status_post_that_was_deleted_is_replaced);
    tcase_add_test(tcase,
                   a_status_post_that_can_not_be_edited_any_more_is_replaced);
    tcase_add_test(
        tcase, a_status_post_in_a_locked_thread_is_edited_once_that_is_open);
    tcase_add_test(tcase, a_reaction_is_of_no_use_after_ten_minutes);
    tcase_add_test(tcase, what_was_taken_back_is_not_said_any_more);
    tcase_add_test(tcase, who_has_lost_the_seat_gets_nothing_of_it_any_more);
    tcase_add_test(tcase, what_is_not_delivered_is_listed_with_its_reason);
    tcase_add_test(tcase, a_status_post_waits_since_its_text_is_new);
    tcase_add_test(tcase, what_waits_is_printed_and_nothing_of_a_session);
    suite_add_tcase(suite, tcase);
    return suite;
}
