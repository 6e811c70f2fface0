#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/host/table/outbox.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct outbox outbox;
static int64_t last_id;

/* The board is the first service, all else the second. */
static unsigned
service_of(void *context, const char *place)
{
    (void)context;
    return strcmp(place, "nowhere") == 0 ? NO_SERVICE
                                         : strcmp(place, "board") != 0;
}

static void
set_up(void)
{
    outbox_init(&outbox, 2, service_of, NULL);
    last_id = 0;
}

static void
tear_down(void)
{
    outbox_release(&outbox);
}

/* Add a message at a place: into a thread, or to a user. */
static int64_t
add_at(const char *place, enum message_kind kind, const char *to, int64_t batch,
       bool waits)
{
    struct queued_message queued;
    memset(&queued, 0, sizeof queued);
    queued.id = ++last_id;
    queued.batch = batch;
    TEXT_COPY(queued.game, "1");
    TEXT_COPY(queued.place, place);
    TEXT_COPY(queued.thread, kind == MESSAGE_PRIVATE ? "thread" : to);
    queued.message.kind = kind;
    queued.message.text = must_copy("text");
    queued.message.user = kind == MESSAGE_PRIVATE ? must_copy(to) : NULL;
    queued.message.waits = waits;
    (void)outbox_add(&outbox, &queued);
    ck_assert_ptr_null(queued.message.text); /* it was taken */
    return last_id;
}

static int64_t
add(enum message_kind kind, const char *to, int64_t batch, bool waits)
{
    return add_at("board", kind, to, batch, waits);
}

/* The id of the oldest that may go to a service, of any rank; 0: none. */
static int64_t
next_to(unsigned service, int64_t now)
{
    int64_t id = 0;
    for (unsigned rank = 0; rank < RANKS; rank++) {
        const struct queued_message *queued =
            outbox_first(&outbox, service, (enum rank)rank, now);
        if (queued != NULL && (id == 0 || queued->id < id)) {
            id = queued->id;
        }
    }
    return id;
}

static int64_t
next(int64_t now)
{
    return next_to(0, now);
}

static void
set(int64_t id, enum queued_state state)
{
    struct queued_message *queued = outbox_find(&outbox, id);
    ck_assert_ptr_nonnull(queued);
    queued->state = state;
    outbox_changed(&outbox, queued);
}

static void
pause_until(int64_t id, int64_t not_before)
{
    struct queued_message *queued = outbox_find(&outbox, id);
    queued->job.next = not_before;
    outbox_changed(&outbox, queued);
}

static void
send_one(int64_t id)
{
    ck_assert_int_eq(next(1), id);
    set(id, QUEUED_IN_FLIGHT);
    outbox_done(&outbox, id);
}

/* It fails, at that time, with the longest pause there is. */
static struct queued_message *
refuse(int64_t id, enum err err, enum refused refused, int64_t now)
{
    struct queued_message *queued = outbox_find(&outbox, id);
    struct failure failure = {.err = err, .refused = refused, .wait = 1234};
    queued->state = QUEUED_IN_FLIGHT;
    queued_fail(queued, &failure, now, now);
    outbox_changed(&outbox, queued);
    return queued;
}

/* ---- order --------------------------------------------------------------- */

START_TEST(messages_of_one_destination_go_one_after_the_other)
{
    int64_t one = add(MESSAGE_POST, "thread", 1, false);
    int64_t two = add(MESSAGE_POST, "thread", 2, false);
    ck_assert_int_eq(next(1), one);
    set(one, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, one);
    ck_assert_ptr_null(outbox_find(&outbox, one));
    ck_assert_int_eq(next(1), two);
}
END_TEST

START_TEST(other_destinations_do_not_wait)
{
    int64_t one = add(MESSAGE_POST, "thread", 1, false);
    int64_t two = add(MESSAGE_POST, "another", 2, false);
    int64_t three = add(MESSAGE_PRIVATE, "Anna", 3, false);
    int64_t four = add(MESSAGE_PRIVATE, "Bob", 4, false);
    int64_t five = add(MESSAGE_PRIVATE, "Anna", 5, false);
    int64_t six = add(MESSAGE_REACT, "thread", 6, false);
    int64_t seven = add(MESSAGE_REACT, "thread", 7, false);
    int64_t eight = add(MESSAGE_STATUS, "thread", 8, false);
    int64_t order[] = {one, two, three, four, six, seven, eight};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ck_assert_int_eq(next(1), order[i]);
        set(order[i], QUEUED_IN_FLIGHT);
    }
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, three);
    ck_assert_int_eq(next(1), five);
}
END_TEST

START_TEST(each_service_and_each_rank_has_turns_of_its_own)
{
    int64_t call = add(MESSAGE_POST, "thread", 1, false);
    int64_t answer = add(MESSAGE_POST, "thread", -2, false);
    int64_t status = add(MESSAGE_STATUS, "thread", 3, false);
    int64_t mark = add(MESSAGE_REACT, "thread", 4, false);
    int64_t other = add_at("elsewhere", MESSAGE_POST, "thread", 5, false);
    (void)add_at("nowhere", MESSAGE_POST, "thread", 6, false);
    int64_t ids[RANKS] = {call, answer, status, mark};
    for (unsigned rank = 0; rank < RANKS; rank++) {
        const struct queued_message *first =
            outbox_first(&outbox, 0, (enum rank)rank, 1);
        ck_assert_ptr_nonnull(first);
        ck_assert_int_eq(first->id, ids[rank]);
        ck_assert_ptr_eq(outbox_first(&outbox, 0, (enum rank)rank, 1), first);
    }
    ck_assert_int_eq(next_to(1, 1), other);
    set(other, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next_to(1, 1), 0);
    ck_assert(outbox_flies(&outbox, 1));
    ck_assert(!outbox_flies(&outbox, 0));
    outbox_done(&outbox, other);
    ck_assert(!outbox_flies(&outbox, 1));
}
END_TEST

START_TEST(the_status_post_that_waits_for_longest_is_the_first)
{
    int64_t one = add(MESSAGE_STATUS, "thread", 1, false);
    int64_t two = add(MESSAGE_STATUS, "another", 2, false);
    outbox_find(&outbox, one)->waiting = 900;
    outbox_find(&outbox, two)->waiting = 500;
    outbox_changed(&outbox, outbox_find(&outbox, one));
    outbox_changed(&outbox, outbox_find(&outbox, two));
    ck_assert_int_eq(outbox_first(&outbox, 0, RANK_STATUS, 1)->id, two);
    set(two, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(outbox_first(&outbox, 0, RANK_STATUS, 1)->id, one);
}
END_TEST

START_TEST(what_pauses_may_go_by_a_time_to_come)
{
    int64_t one = add(MESSAGE_POST, "thread", 1, false);
    (void)add(MESSAGE_POST, "thread", 2, false);
    pause_until(one, 100);
    ck_assert(!outbox_may_by(&outbox, 0, RANK_GAME, 99));
    ck_assert(outbox_may_by(&outbox, 0, RANK_GAME, 100));
    ck_assert(!outbox_may_by(&outbox, 0, RANK_ANSWER, 100));
    ck_assert_int_eq(next(100), one);
    ck_assert(outbox_may_by(&outbox, 0, RANK_GAME, 0));
}
END_TEST

START_TEST(the_same_name_at_another_place_is_another_destination)
{
    int64_t one = add(MESSAGE_PRIVATE, "Anna", 1, false);
    int64_t two = add_at("elsewhere", MESSAGE_PRIVATE, "Anna", 2, false);
    set(one, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next_to(1, 1), two);
}
END_TEST

START_TEST(a_message_that_pauses_holds_up_its_own_destination)
{
    int64_t one = add(MESSAGE_POST, "thread", 1, false);
    int64_t two = add(MESSAGE_POST, "thread", 2, false);
    int64_t three = add(MESSAGE_POST, "another", 3, false);
    pause_until(one, 100);
    ck_assert_int_eq(next(99), three);
    set(three, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(99), 0);
    ck_assert_int_eq(next(100), one);
    set(one, QUEUED_IN_FLIGHT);
    outbox_done(&outbox, one);
    ck_assert_int_eq(next(100), two);
}
END_TEST

/* ---- private before public ----------------------------------------------- */

START_TEST(what_is_public_waits_for_what_is_private)
{
    int64_t anna = add(MESSAGE_PRIVATE, "Anna", 1, false);
    int64_t bob = add(MESSAGE_PRIVATE, "Bob", 1, false);
    int64_t post = add(MESSAGE_POST, "thread", 1, true);
    ck_assert_int_eq(next(1), anna);
    set(anna, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(1), bob);
    set(bob, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, bob);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, anna);
    ck_assert_int_eq(next(1), post);
}
END_TEST

START_TEST(also_where_the_private_message_was_written_later)
{
    int64_t post = add(MESSAGE_POST, "thread", 1, true);
    int64_t anna = add(MESSAGE_PRIVATE, "Anna", 1, false);
    send_one(anna);
    send_one(post);
}
END_TEST

START_TEST(messages_of_other_batches_are_not_waited_for)
{
    int64_t anna = add(MESSAGE_PRIVATE, "Anna", 1, false);
    int64_t post = add(MESSAGE_POST, "thread", 2, true);
    set(anna, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(1), post);
}
END_TEST

START_TEST(a_post_that_does_not_wait_goes_at_once)
{
    int64_t anna = add(MESSAGE_PRIVATE, "Anna", 1, false);
    int64_t post = add(MESSAGE_POST, "thread", 1, false);
    set(anna, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(1), post);
}
END_TEST

START_TEST(a_private_message_that_pauses_is_waited_for)
{
    int64_t anna = add(MESSAGE_PRIVATE, "Anna", 1, false);
    (void)add(MESSAGE_POST, "thread", 1, true);
    pause_until(anna, 100);
    ck_assert_int_eq(next(50), 0);
    ck_assert_int_eq(next(100), anna);
}
END_TEST

START_TEST(a_private_message_that_was_refused_once_stops_nobody_else)
{
    int64_t anna = add(MESSAGE_PRIVATE, "Anna", 1, false);
    int64_t bob = add(MESSAGE_PRIVATE, "Bob", 1, false);
    int64_t post = add(MESSAGE_POST, "thread", 1, true);
    int64_t more = add(MESSAGE_POST, "thread", 2, false);
    int64_t next_to_anna = add(MESSAGE_PRIVATE, "Anna", 2, false);
    int64_t about_it = add(MESSAGE_POST, "thread", 2, true);
    refuse(anna, ERR_DENIED, REFUSED_PERSON, 1);
    send_one(bob);
    send_one(post);
    send_one(more);
    /* What waits behind it counts as refused, and keeps its place. */
    send_one(about_it);
    ck_assert_ptr_nonnull(outbox_find(&outbox, next_to_anna));
    ck_assert_int_eq(next(HOUR_MS + 1), anna);
}
END_TEST

/* ---- failing ------------------------------------------------------------- */

START_TEST(a_pause_grows_with_the_square_of_the_attempts)
{
    static const int64_t pauses[] = {1, 4, 9, 16, 25, 36, 49, 60, 60};
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    int64_t now = 1000;
    for (size_t i = 0; i < sizeof pauses / sizeof pauses[0]; i++) {
        ck_assert_int_eq(next(now), id);
        const struct queued_message *queued =
            refuse(id, ERR_LATER, REFUSED_RIGHT, now);
        ck_assert(queued_waits(queued));
        ck_assert(queued_is_doubtful(queued)); /* perhaps it was sent */
        ck_assert_int_eq(queued->job.next, now + pauses[i] * SECOND_MS);
        ck_assert_int_eq(next(now), 0);
        ck_assert_int_eq(outbox_wake(&outbox, now), queued->job.next);
        now = queued->job.next;
    }
    ck_assert_int_eq(next(now), id);
    ck_assert_int_eq(outbox_wake(&outbox, now), 0);
}
END_TEST

/* How long at most, by what was refused, and how much of that the first time.
 */
static const struct {
    enum err err;
    enum refused refused;
    int64_t first, longest;
} pauses_of[] = {
    {ERR_DENIED, REFUSED_RIGHT, 10 * SECOND_MS, MINUTE_MS},
    {ERR_DENIED, REFUSED_ACCOUNT, SECOND_MS, MINUTE_MS},
    {ERR_DENIED, REFUSED_LOCKED, SECOND_MS, MINUTE_MS},
    {ERR_DENIED, REFUSED_WRITING, 5 * SECOND_MS, MINUTE_MS},
    {ERR_DENIED, REFUSED_LOGIN, 10 * MINUTE_MS, 10 * MINUTE_MS},
    {ERR_DENIED, REFUSED_PERSON, HOUR_MS, HOUR_MS},
    {ERR_DENIED, REFUSED_WORDS, SECOND_MS, MINUTE_MS},
    {ERR_FULL, REFUSED_RIGHT, SECOND_MS, MINUTE_MS},
    {ERR_GONE, REFUSED_RIGHT, 10 * SECOND_MS, MINUTE_MS},
    {ERR_LATER, REFUSED_RIGHT, SECOND_MS, MINUTE_MS},
    {ERR_GARBLED, REFUSED_RIGHT, 2 * SECOND_MS, 5 * MINUTE_MS},
    {ERR_CONFIG, REFUSED_RIGHT, 2 * SECOND_MS, 5 * MINUTE_MS},
};

START_TEST(what_failed_is_tried_again_for_ever_as_often_as_fits_its_reason)
{
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    int64_t now = 1000;
    for (unsigned i = 0; i < 200; i++) {
        const struct queued_message *queued =
            refuse(id, pauses_of[_i].err, pauses_of[_i].refused, now);
        int64_t pause = queued->job.next - now;
        ck_assert(queued_waits(queued));
        ck_assert_int_le(pause, pauses_of[_i].longest);
        ck_assert(i != 0 || pause == pauses_of[_i].first);
        ck_assert(i != 199 || pause == pauses_of[_i].longest);
        ck_assert_int_eq(next(queued->job.next - 1), 0);
        ck_assert_int_eq(next(queued->job.next), id);
        now = queued->job.next;
    }
}
END_TEST

/* Nobody asks for them whether a right is back. */
START_TEST(private_messages_are_tried_again_within_a_minute)
{
    int64_t id = add(MESSAGE_PRIVATE, "user", 1, false);
    for (int64_t now = 0; now < HOUR_MS;) {
        const struct queued_message *queued =
            refuse(id, ERR_DENIED, REFUSED_RIGHT, now);
        ck_assert_int_le(queued->job.next - now, MINUTE_MS);
        now = queued->job.next;
    }
}
END_TEST

START_TEST(who_is_not_there_is_like_who_takes_no_messages)
{
    int64_t id = add(MESSAGE_PRIVATE, "user", 1, false);
    const struct queued_message *queued =
        refuse(id, ERR_GONE, REFUSED_RIGHT, 1000);
    ck_assert_int_eq(queued->refused, REFUSED_PERSON);
    ck_assert_int_eq(queued->job.next, 1000 + HOUR_MS);
}
END_TEST

START_TEST(what_failed_together_is_not_tried_together)
{
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    struct queued_message *queued = outbox_find(&outbox, id);
    struct failure failure = {.err = ERR_LATER, .chance = 0.5};
    queued->state = QUEUED_IN_FLIGHT;
    queued_fail(queued, &failure, 1000, 1000);
    ck_assert_int_eq(queued->job.next, 1000 + 900);
    failure = (struct failure){.err = ERR_LIMITED, .wait = 1000, .chance = 0.5};
    queued->state = QUEUED_IN_FLIGHT;
    queued_fail(queued, &failure, 1000, 1000);
    ck_assert_int_eq(queued->job.next, 1000 + 1100);
}
END_TEST

START_TEST(a_limit_is_waited_out_and_leaves_no_doubt)
{
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    const struct queued_message *queued =
        refuse(id, ERR_LIMITED, REFUSED_RIGHT, 1000);
    ck_assert_int_eq(queued->job.next, 2234);
    ck_assert(!queued_is_doubtful(queued));
    ck_assert_int_eq(queued->state, QUEUED_WAITING);
}
END_TEST

START_TEST(no_limit_is_believed_beyond_fifteen_minutes)
{
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    struct queued_message *queued = outbox_find(&outbox, id);
    struct failure failure = {.err = ERR_LIMITED, .wait = DAY_MS};
    queued->state = QUEUED_IN_FLIGHT;
    queued_fail(queued, &failure, 1000, 1000);
    ck_assert_int_eq(queued->job.next, 1000 + 15 * MINUTE_MS);
}
END_TEST

START_TEST(refused_words_are_tried_in_another_form_each_time)
{
    static const enum shape shapes[] = {SHAPE_PLAIN, SHAPE_SPLIT, SHAPE_LINE,
                                        SHAPE_WHOLE, SHAPE_PLAIN};
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct queued_message *queued =
            refuse(id, ERR_DENIED, REFUSED_WORDS, 1000);
        ck_assert_int_eq(queued->shape, shapes[i]);
        ck_assert_int_eq(queued->refused_at, 1000);
        ck_assert(!queued_is_doubtful(queued));
    }
}
END_TEST

START_TEST(in_another_thread_a_message_is_looked_for_anew)
{
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    struct queued_message *queued = outbox_find(&outbox, id);
    queued->cursor = must_copy("120");
    outbox_move(&outbox, queued, "elsewhere");
    ck_assert_ptr_null(queued->cursor);
}
END_TEST

START_TEST(lines_that_were_delivered_are_not_sent_again_whatever_is_refused)
{
    static const enum shape shapes[] = {SHAPE_LINE, SHAPE_SPLIT, SHAPE_LINE};
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    struct queued_message *queued = outbox_find(&outbox, id);
    queued->shape = SHAPE_SPLIT;
    queued->part = 2;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        (void)refuse(id, ERR_FULL, REFUSED_WORDS, 1000);
        ck_assert_int_eq(queued->shape, shapes[i]);
        ck_assert_uint_eq(queued->part, 2);
        ck_assert(queued_is_split(queued));
    }
}
END_TEST

START_TEST(
    a_status_post_that_replaces_another_never_has_the_key_of_an_older_one)
{
    int64_t id = add(MESSAGE_STATUS, "thread", 1, false);
    struct queued_message *queued = outbox_find(&outbox, id);
    queued->part = 2; /* the second that took the place of another */
    (void)refuse(id, ERR_DENIED, REFUSED_WORDS, 1000);
    ck_assert_uint_eq(queued->part, 2);
}
END_TEST

START_TEST(what_a_refusal_put_off_can_be_hastened)
{
    int64_t id = add(MESSAGE_PRIVATE, "Anna", 1, false);
    struct queued_message *queued =
        refuse(id, ERR_DENIED, REFUSED_PERSON, 1000);
    ck_assert_int_eq(next(2000), 0);
    outbox_hasten(&outbox, queued);
    ck_assert_int_eq(next(2000), id);
}
END_TEST

START_TEST(answers_are_no_part_of_the_order_of_a_game)
{
    int64_t call = add(MESSAGE_POST, "thread", 1, false);
    int64_t answer = add(MESSAGE_POST, "thread", -2, false);
    int64_t result = add(MESSAGE_POST, "thread", 3, false);
    int64_t more = add(MESSAGE_POST, "thread", -4, false);
    (void)refuse(call, ERR_DENIED, REFUSED_RIGHT, 1);
    send_one(answer);
    send_one(more);
    ck_assert_int_eq(next(2), 0);
    ck_assert_int_eq(next(1 + 10 * SECOND_MS), call);
    outbox_done(&outbox, call);
    ck_assert_int_eq(next(2), result);
}
END_TEST

START_TEST(an_answer_that_waits_stands_below_the_results_before_it)
{
    int64_t card = add(MESSAGE_PRIVATE, "Anna", 1, false);
    int64_t result = add(MESSAGE_POST, "thread", 1, true);
    int64_t closed = add(MESSAGE_POST, "thread", -2, true);
    int64_t answer = add(MESSAGE_POST, "thread", -3, false);
    set(card, QUEUED_IN_FLIGHT);
    send_one(answer);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, card);
    send_one(result);
    send_one(closed);
}
END_TEST

START_TEST(a_call_is_open_until_it_is_delivered)
{
    int64_t call = add(MESSAGE_POST, "thread", 1, false);
    int64_t hand = add(MESSAGE_PRIVATE, "Anna", 1, false);
    outbox_find(&outbox, call)->message.calls = 7;
    outbox_find(&outbox, hand)->message.calls = 7;
    ck_assert_ptr_eq(outbox_call(&outbox, "1", 7), outbox_find(&outbox, call));
    ck_assert_ptr_null(outbox_call(&outbox, "1", 8));
    ck_assert_ptr_null(outbox_call(&outbox, "2", 7));
    ck_assert_uint_eq(outbox_private_calls(&outbox, "1", 7), 1);
    (void)refuse(hand, ERR_DENIED, REFUSED_PERSON, 1);
    ck_assert_uint_eq(outbox_private_calls(&outbox, "1", 7), 0);
    (void)refuse(call, ERR_DENIED, REFUSED_RIGHT, 1);
    ck_assert_ptr_nonnull(outbox_call(&outbox, "1", 7));
    outbox_find(&outbox, call)->delivered = 2; /* it is edited */
    ck_assert_ptr_null(outbox_call(&outbox, "1", 7));
}
END_TEST

START_TEST(what_came_too_late_is_useless)
{
    int64_t id = add(MESSAGE_POST, "thread", 1, false);
    struct queued_message *queued = outbox_find(&outbox, id);
    ck_assert(!queued_is_stale(queued, INT64_MAX));
    queued->message.not_after = 100;
    ck_assert(!queued_is_stale(queued, 99));
    ck_assert(queued_is_stale(queued, 100));
}
END_TEST

START_TEST(the_earliest_pause_wakes)
{
    int64_t one = add(MESSAGE_POST, "thread", 1, false);
    int64_t two = add(MESSAGE_POST, "another", 1, false);
    pause_until(one, 300);
    pause_until(two, 200);
    ck_assert_int_eq(outbox_wake(&outbox, 100), 200);
    ck_assert_int_eq(outbox_wake(&outbox, 250), 300);
}
END_TEST

/* ---- the status post ----------------------------------------------------- */

START_TEST(a_status_post_is_found_by_its_game_until_it_is_sent)
{
    int64_t id = add(MESSAGE_STATUS, "thread", 1, false);
    ck_assert_ptr_null(outbox_status(&outbox, "2", "thread"));
    ck_assert_ptr_null(outbox_status(&outbox, "1", "thread/1"));
    ck_assert_int_eq(outbox_status(&outbox, "1", "thread")->id, id);
    send_one(id);
    ck_assert_ptr_null(outbox_status(&outbox, "1", "thread"));
    ck_assert_uint_eq(outbox.count, 0);
}
END_TEST

START_TEST(what_waits_is_posted_after_the_status_post_of_its_ruling)
{
    int64_t status = add(MESSAGE_STATUS, "thread", 1, false);
    int64_t post = add(MESSAGE_POST, "thread", 1, true);
    (void)refuse(status, ERR_LATER, REFUSED_RIGHT, 1);
    ck_assert_int_eq(next(1), 0);
    int64_t again = outbox_wake(&outbox, 1);
    ck_assert_int_eq(next(again), status);
    outbox_done(&outbox, status);
    send_one(post);
}
END_TEST

START_TEST(a_status_post_that_is_refused_or_edited_stops_nobody_else)
{
    int64_t refused = add(MESSAGE_STATUS, "thread", 1, false);
    int64_t one = add(MESSAGE_POST, "thread", 1, true);
    int64_t edited = add(MESSAGE_STATUS, "another", 2, false);
    int64_t two = add(MESSAGE_POST, "another", 2, true);
    TEXT_COPY(outbox_find(&outbox, edited)->sent, "17");
    outbox_changed(&outbox, outbox_find(&outbox, edited));
    (void)refuse(refused, ERR_DENIED, REFUSED_WORDS, 1);
    (void)refuse(edited, ERR_LATER, REFUSED_RIGHT, 1);
    send_one(one);
    send_one(two);
}
END_TEST

START_TEST(a_status_that_changed_in_flight_goes_again)
{
    int64_t id = add(MESSAGE_STATUS, "thread", 1, false);
    struct queued_message *status = outbox_find(&outbox, id);
    status->state = QUEUED_IN_FLIGHT;
    status->changed = true;
    status->job.failures = 3;
    outbox_changed(&outbox, status);
    outbox_done(&outbox, id);
    ck_assert_int_eq(status->state, QUEUED_WAITING);
    ck_assert(!status->changed);
    ck_assert_uint_eq(status->job.failures, 0);
    send_one(id);
    ck_assert_uint_eq(outbox.count, 0);
}
END_TEST

START_TEST(a_message_that_comes_back_stands_where_it_stood)
{
    int64_t one = add(MESSAGE_STATUS, "thread", 1, false);
    send_one(one);
    int64_t two = add(MESSAGE_POST, "thread", 2, false);
    int64_t three = add(MESSAGE_POST, "thread", 2, false);
    last_id = 0;
    ck_assert_int_eq(add(MESSAGE_STATUS, "thread", 1, false), one);
    ck_assert_int_eq(outbox_find(&outbox, three)->id, three);
    send_one(one);
    send_one(two);
    send_one(three);
}
END_TEST

START_TEST(messages_leave_in_any_order_and_none_is_passed)
{
    int64_t one = add(MESSAGE_POST, "thread", 1, false);
    int64_t two = add(MESSAGE_POST, "thread", 2, false);
    int64_t three = add(MESSAGE_POST, "thread", 3, false);
    int64_t four = add(MESSAGE_POST, "thread", 4, false);
    outbox_done(&outbox, two); /* dropped, say */
    set(one, QUEUED_IN_FLIGHT);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, three);
    set(one, QUEUED_WAITING);
    ck_assert_int_eq(next(1), one);
    outbox_done(&outbox, one);
    ck_assert_int_eq(next(1), four);
}
END_TEST

START_TEST(many_messages_keep_their_order)
{
    enum {
        COUNT = 200
    };
    char user[16];
    for (int i = 0; i < COUNT; i++) {
        snprintf(user, sizeof user, "user %d", i % 7);
        (void)add(MESSAGE_PRIVATE, user, i, false);
    }
    for (int64_t id = 1; id <= COUNT; id++) {
        send_one(id);
    }
    ck_assert_uint_eq(outbox.count, 0);
}
END_TEST

/* ---- all rules together -------------------------------------------------- */

/* The rules once more, each asked of every message. */

static bool
is_a_post(const struct queued_message *queued)
{
    return queued->message.kind == MESSAGE_POST;
}

/* Others are answers. */
static bool
is_of_game(const struct queued_message *queued)
{
    return queued->batch > 0 || queued->message.waits;
}

/* The message that one has to stay behind; NULL: none. */
static const struct queued_message *
ahead_of(size_t at)
{
    const struct queued_message *queued = outbox.list[at];
    bool private = queued->message.kind == MESSAGE_PRIVATE;
    while ((private || is_a_post(queued)) && at-- > 0) {
        const struct queued_message *other = outbox.list[at];
        if (is_of_game(other) == is_of_game(queued) &&
            (private
                 ? other->message.kind == MESSAGE_PRIVATE &&
                       strcmp(other->message.user, queued->message.user) == 0
                 : is_a_post(other) &&
                       strcmp(other->thread, queued->thread) == 0)) {
            return other;
        }
    }
    return NULL;
}

static bool
counts_as_refused(size_t at)
{
    const struct queued_message *queued = outbox.list[at];
    while (queued != NULL && queued->refused_at == 0) {
        while (outbox.list[at] != queued) {
            at--;
        }
        queued = ahead_of(at);
    }
    return queued != NULL;
}

static bool
waits_for(const struct queued_message *queued, size_t at)
{
    const struct queued_message *other = outbox.list[at];
    bool status = other->message.kind == MESSAGE_STATUS;
    bool first = other->message.kind == MESSAGE_PRIVATE ||
                 (status && other->sent[0] == '\0');
    return queued->message.kind == MESSAGE_OPEN
               ? status && strcmp(other->thread, queued->thread) == 0
               : queued->message.waits && other != queued && first &&
                     other->batch == queued->batch && !counts_as_refused(at);
}

static bool
may_go(size_t at, int64_t now)
{
    const struct queued_message *queued = outbox.list[at];
    bool may =
        queued_waits(queued) && queued->job.next <= now && ahead_of(at) == NULL;
    for (size_t i = 0; may && i < outbox.count; i++) {
        may = !waits_for(queued, i);
    }
    return may;
}

static void
assert_turns(int64_t now)
{
    for (unsigned rank = 0; rank < RANKS; rank++) {
        const struct queued_message *first = NULL;
        for (size_t i = outbox.count; i-- > 0;) {
            if (queued_rank(outbox.list[i]) == rank && may_go(i, now)) {
                first = outbox.list[i];
            }
        }
        ck_assert_ptr_eq(outbox_first(&outbox, 0, (enum rank)rank, now), first);
    }
}

static uint64_t chance;

static unsigned
dice(unsigned bound)
{
    chance =
        chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((chance >> 33) % bound);
}

static void
add_any(int64_t *batch)
{
    static const enum message_kind kinds[] = {
        MESSAGE_POST,   MESSAGE_POST,  MESSAGE_PRIVATE, MESSAGE_PRIVATE,
        MESSAGE_STATUS, MESSAGE_REACT, MESSAGE_OPEN};
    static const char *const threads[] = {"thread", "another"};
    static const char *const users[] = {"Anna", "Bob", "Carl"};
    enum message_kind kind = kinds[dice(sizeof kinds / sizeof kinds[0])];
    const char *thread = threads[dice(2)];
    *batch += dice(3) == 0;
    if (kind == MESSAGE_STATUS && outbox_status(&outbox, "1", thread) != NULL) {
        return; /* there is one already */
    }
    bool answer = dice(4) == 0;
    (void)add(kind, kind == MESSAGE_PRIVATE ? users[dice(3)] : thread,
              answer ? -1 - last_id : *batch, dice(2) == 0);
    *batch += answer; /* those of a batch are next to each other */
}

/* Something becomes of a message that is in flight, or may go. */
static void
go_on(struct queued_message *queued, int64_t now)
{
    static const enum err errs[] = {ERR_LIMITED, ERR_LATER, ERR_DENIED,
                                    ERR_GONE};
    if (queued_waits(queued) && dice(8) != 0) {
        set(queued->id, QUEUED_IN_FLIGHT);
    } else if (queued->state == QUEUED_IN_FLIGHT && dice(2) == 0) {
        (void)refuse(queued->id, errs[dice(4)], REFUSED_RIGHT, now);
    } else if (dice(4) == 0) {
        outbox_hasten(&outbox, queued);
    } else {
        outbox_done(&outbox, queued->id);
    }
}

START_TEST(what_may_go_is_what_the_rules_say_of_each)
{
    int64_t now = 1;
    int64_t batch = 1;
    chance = (uint64_t)_i;
    for (unsigned step = 0; step < 400; step++) {
        now += dice(4) == 0 ? dice(20 * SECOND_MS) : 0;
        if (outbox.count < 30 && dice(2) == 0) {
            add_any(&batch);
        } else if (outbox.count > 0) {
            go_on(outbox.list[dice((unsigned)outbox.count)], now);
        }
        assert_turns(now);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/outbox");
    TCase *tcase = tcase_create("outbox");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, messages_of_one_destination_go_one_after_the_other);
    tcase_add_test(tcase, other_destinations_do_not_wait);
    tcase_add_test(tcase, each_service_and_each_rank_has_turns_of_its_own);
    tcase_add_test(tcase, the_status_post_that_waits_for_longest_is_the_first);
    tcase_add_test(tcase, what_pauses_may_go_by_a_time_to_come);
    tcase_add_test(tcase,
                   the_same_name_at_another_place_is_another_destination);
    tcase_add_test(tcase, a_message_that_pauses_holds_up_its_own_destination);
    tcase_add_test(tcase, what_is_public_waits_for_what_is_private);
    tcase_add_test(tcase, also_where_the_private_message_was_written_later);
    tcase_add_test(tcase, messages_of_other_batches_are_not_waited_for);
    tcase_add_test(tcase, a_post_that_does_not_wait_goes_at_once);
    tcase_add_test(tcase, a_private_message_that_pauses_is_waited_for);
    tcase_add_test(tcase,
                   a_private_message_that_was_refused_once_stops_nobody_else);
    tcase_add_test(tcase, a_pause_grows_with_the_square_of_the_attempts);
    tcase_add_loop_test(
        tcase, what_failed_is_tried_again_for_ever_as_often_as_fits_its_reason,
        0, (int)(sizeof pauses_of / sizeof pauses_of[0]));
    tcase_add_test(tcase, private_messages_are_tried_again_within_a_minute);
    tcase_add_test(tcase, who_is_not_there_is_like_who_takes_no_messages);
    tcase_add_test(tcase, what_failed_together_is_not_tried_together);
    tcase_add_test(tcase, a_limit_is_waited_out_and_leaves_no_doubt);
    tcase_add_test(tcase, no_limit_is_believed_beyond_fifteen_minutes);
    tcase_add_test(tcase, refused_words_are_tried_in_another_form_each_time);
    tcase_add_test(tcase, in_another_thread_a_message_is_looked_for_anew);
    tcase_add_test(
        tcase,
        lines_that_were_delivered_are_not_sent_again_whatever_is_refused);
    tcase_add_test(
        tcase,
        a_status_post_that_replaces_another_never_has_the_key_of_an_older_one);
    tcase_add_test(tcase, what_a_refusal_put_off_can_be_hastened);
    tcase_add_test(tcase, answers_are_no_part_of_the_order_of_a_game);
    tcase_add_test(tcase,
                   an_answer_that_waits_stands_below_the_results_before_it);
    tcase_add_test(tcase, a_call_is_open_until_it_is_delivered);
    tcase_add_test(tcase, what_came_too_late_is_useless);
    tcase_add_test(tcase, the_earliest_pause_wakes);
    tcase_add_test(tcase, a_status_post_is_found_by_its_game_until_it_is_sent);
    tcase_add_test(tcase,
                   what_waits_is_posted_after_the_status_post_of_its_ruling);
    tcase_add_test(tcase,
                   a_status_post_that_is_refused_or_edited_stops_nobody_else);
    tcase_add_test(tcase, a_status_that_changed_in_flight_goes_again);
    tcase_add_test(tcase, a_message_that_comes_back_stands_where_it_stood);
    tcase_add_test(tcase, messages_leave_in_any_order_and_none_is_passed);
    tcase_add_test(tcase, many_messages_keep_their_order);
    tcase_add_loop_test(tcase, what_may_go_is_what_the_rules_say_of_each, 0,
                        20);
    suite_add_tcase(suite, tcase);
    return suite;
}
