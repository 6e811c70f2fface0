#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/host/outbox.h"
#include "tests/support/hosts.h"
#include "tests/support/runner.h"

static struct outbox outbox;
static int64_t last_id;

static void
set_up(void)
{
    memset(&outbox, 0, sizeof outbox);
    last_id = 0;
}

static void
tear_down(void)
{
    outbox_release(&outbox);
}

/* Add a letter at a place: into a thread, or to a user. */
static int64_t
add_at(const char *place, enum letter_kind kind, const char *to, int64_t batch,
       bool waits)
{
    struct envelope envelope;
    memset(&envelope, 0, sizeof envelope);
    envelope.id = ++last_id;
    envelope.batch = batch;
    TEXT_COPY(envelope.game, "1");
    TEXT_COPY(envelope.place, place);
    TEXT_COPY(envelope.thread, kind == LETTER_PRIVATE ? "thread" : to);
    envelope.letter.kind = kind;
    envelope.letter.text = must_copy("text");
    envelope.letter.user = kind == LETTER_PRIVATE ? must_copy(to) : NULL;
    envelope.letter.waits = waits;
    (void)outbox_add(&outbox, &envelope);
    ck_assert_ptr_null(envelope.letter.text); /* it was taken */
    return last_id;
}

static int64_t
add(enum letter_kind kind, const char *to, int64_t batch, bool waits)
{
    return add_at("board", kind, to, batch, waits);
}

/* The id of the next that may go; 0: none. */
static int64_t
next(int64_t now)
{
    const struct envelope *envelope = outbox_next(&outbox, NULL, now);
    return envelope == NULL ? 0 : envelope->id;
}

static void
set(int64_t id, enum envelope_state state)
{
    struct envelope *envelope = outbox_find(&outbox, id);
    ck_assert_ptr_nonnull(envelope);
    envelope->state = state;
}

static void
send_one(int64_t id)
{
    ck_assert_int_eq(next(1), id);
    set(id, ENVELOPE_IN_FLIGHT);
    outbox_done(&outbox, id);
}

/* ---- order --------------------------------------------------------------- */

START_TEST(letters_of_one_destination_go_one_after_the_other)
{
    int64_t one = add(LETTER_POST, "thread", 1, false);
    int64_t two = add(LETTER_POST, "thread", 2, false);
    ck_assert_int_eq(next(1), one);
    set(one, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, one);
    ck_assert_ptr_null(outbox_find(&outbox, one));
    ck_assert_int_eq(next(1), two);
}
END_TEST

START_TEST(other_destinations_do_not_wait)
{
    int64_t one = add(LETTER_POST, "thread", 1, false);
    int64_t two = add(LETTER_POST, "another", 2, false);
    int64_t three = add(LETTER_PRIVATE, "Anna", 3, false);
    int64_t four = add(LETTER_PRIVATE, "Bob", 4, false);
    int64_t five = add(LETTER_PRIVATE, "Anna", 5, false);
    int64_t six = add(LETTER_REACT, "thread", 6, false);
    int64_t seven = add(LETTER_REACT, "thread", 7, false);
    int64_t eight = add(LETTER_STATUS, "thread", 8, false);
    int64_t order[] = {one, two, three, four, six, seven, eight};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        ck_assert_int_eq(next(1), order[i]);
        set(order[i], ENVELOPE_IN_FLIGHT);
    }
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, three);
    ck_assert_int_eq(next(1), five);
}
END_TEST

START_TEST(one_can_be_passed_over_and_those_behind_it_alone_wait)
{
    int64_t one = add(LETTER_POST, "thread", 1, false);
    int64_t two = add(LETTER_POST, "thread", 2, false);
    int64_t three = add(LETTER_POST, "another", 3, false);
    const struct envelope *first = outbox_next(&outbox, NULL, 1);
    ck_assert_int_eq(first->id, one);
    const struct envelope *second = outbox_next(&outbox, first, 1);
    ck_assert_ptr_nonnull(second);
    ck_assert_int_eq(second->id, three);
    ck_assert_ptr_null(outbox_next(&outbox, second, 1));
    send_one(one);
    ck_assert_int_eq(next(1), two);
}
END_TEST

START_TEST(the_same_name_at_another_place_is_another_destination)
{
    int64_t one = add(LETTER_PRIVATE, "Anna", 1, false);
    int64_t two = add_at("elsewhere", LETTER_PRIVATE, "Anna", 2, false);
    set(one, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(1), two);
}
END_TEST

START_TEST(a_letter_that_pauses_holds_up_its_own_destination)
{
    int64_t one = add(LETTER_POST, "thread", 1, false);
    int64_t two = add(LETTER_POST, "thread", 2, false);
    int64_t three = add(LETTER_POST, "another", 3, false);
    outbox_find(&outbox, one)->not_before = 100;
    ck_assert_int_eq(next(99), three);
    set(three, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(99), 0);
    ck_assert_int_eq(next(100), one);
    set(one, ENVELOPE_IN_FLIGHT);
    outbox_done(&outbox, one);
    ck_assert_int_eq(next(100), two);
}
END_TEST

/* ---- private before public ----------------------------------------------- */

START_TEST(what_is_public_waits_for_what_is_private)
{
    int64_t anna = add(LETTER_PRIVATE, "Anna", 1, false);
    int64_t bob = add(LETTER_PRIVATE, "Bob", 1, false);
    int64_t post = add(LETTER_POST, "thread", 1, true);
    ck_assert_int_eq(next(1), anna);
    set(anna, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(1), bob);
    set(bob, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, bob);
    ck_assert_int_eq(next(1), 0);
    outbox_done(&outbox, anna);
    ck_assert_int_eq(next(1), post);
}
END_TEST

START_TEST(also_where_the_private_letter_was_written_later)
{
    int64_t post = add(LETTER_POST, "thread", 1, true);
    int64_t anna = add(LETTER_PRIVATE, "Anna", 1, false);
    send_one(anna);
    send_one(post);
}
END_TEST

START_TEST(letters_of_other_batches_are_not_waited_for)
{
    int64_t anna = add(LETTER_PRIVATE, "Anna", 1, false);
    int64_t post = add(LETTER_POST, "thread", 2, true);
    set(anna, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(1), post);
}
END_TEST

START_TEST(a_post_that_does_not_wait_goes_at_once)
{
    int64_t anna = add(LETTER_PRIVATE, "Anna", 1, false);
    int64_t post = add(LETTER_POST, "thread", 1, false);
    set(anna, ENVELOPE_IN_FLIGHT);
    ck_assert_int_eq(next(1), post);
}
END_TEST

START_TEST(a_private_letter_that_pauses_is_waited_for)
{
    int64_t anna = add(LETTER_PRIVATE, "Anna", 1, false);
    (void)add(LETTER_POST, "thread", 1, true);
    outbox_find(&outbox, anna)->not_before = 100;
    ck_assert_int_eq(next(50), 0);
    ck_assert_int_eq(next(100), anna);
}
END_TEST

START_TEST(a_private_letter_that_is_held_stops_nobody_else)
{
    int64_t anna = add(LETTER_PRIVATE, "Anna", 1, false);
    int64_t bob = add(LETTER_PRIVATE, "Bob", 1, false);
    int64_t post = add(LETTER_POST, "thread", 1, true);
    int64_t more = add(LETTER_POST, "thread", 2, false);
    set(anna, ENVELOPE_HELD);
    send_one(bob);
    send_one(post);
    send_one(more);
    ck_assert_ptr_nonnull(outbox_find(&outbox, anna));
}
END_TEST

/* ---- failing ------------------------------------------------------------- */

START_TEST(a_pause_grows_with_the_square_of_the_attempts)
{
    static const int64_t pauses[] = {2, 8, 18, 32, 50};
    int64_t id = add(LETTER_POST, "thread", 1, false);
    int64_t now = 1000;
    for (size_t i = 0; i < sizeof pauses / sizeof pauses[0]; i++) {
        struct envelope *envelope = outbox_next(&outbox, NULL, now);
        ck_assert_ptr_nonnull(envelope);
        envelope->state = ENVELOPE_IN_FLIGHT;
        envelope_fail(envelope, ERR_LATER, 0, now);
        ck_assert_int_eq(envelope->state, ENVELOPE_WAITING);
        ck_assert(envelope->doubtful); /* perhaps it was sent */
        ck_assert_int_eq(envelope->not_before, now + pauses[i] * SECOND_MS);
        ck_assert_int_eq(next(now), 0);
        ck_assert_int_eq(outbox_wake(&outbox, now), envelope->not_before);
        now = envelope->not_before;
    }
    ck_assert_int_eq(next(now), id);
    ck_assert_int_eq(outbox_wake(&outbox, now), 0);
}
END_TEST

START_TEST(no_pause_is_longer_than_ten_minutes)
{
    int64_t id = add(LETTER_POST, "thread", 1, false);
    struct envelope *envelope = outbox_find(&outbox, id);
    for (unsigned i = 0; i < 1000; i++) {
        envelope->state = ENVELOPE_IN_FLIGHT;
        envelope_fail(envelope, ERR_GARBLED, 0, 0);
        ck_assert_int_le(envelope->not_before, 10 * MINUTE_MS);
    }
    ck_assert_int_eq(envelope->not_before, 10 * MINUTE_MS);
}
END_TEST

START_TEST(a_limit_is_waited_out_and_leaves_no_doubt)
{
    int64_t id = add(LETTER_POST, "thread", 1, false);
    struct envelope *envelope = outbox_find(&outbox, id);
    envelope->state = ENVELOPE_IN_FLIGHT;
    envelope_fail(envelope, ERR_LIMITED, 1234, 1000);
    ck_assert_int_eq(envelope->not_before, 2234);
    ck_assert(!envelope->doubtful);
    ck_assert_int_eq(envelope->state, ENVELOPE_WAITING);
}
END_TEST

START_TEST(where_waiting_does_not_help_a_letter_is_held)
{
    static const enum err errs[] = {ERR_DENIED, ERR_GONE, ERR_FULL, ERR_CONFIG};
    for (size_t i = 0; i < sizeof errs / sizeof errs[0]; i++) {
        int64_t id = add(LETTER_POST, "thread", 1, false);
        struct envelope *envelope = outbox_find(&outbox, id);
        envelope->state = ENVELOPE_IN_FLIGHT;
        envelope_fail(envelope, errs[i], 0, 1);
        ck_assert_int_eq(envelope->state, ENVELOPE_HELD);
        ck_assert_int_eq(next(INT64_MAX), 0);
        ck_assert_int_eq(outbox_wake(&outbox, 1), 0);
    }
}
END_TEST

START_TEST(what_came_too_late_is_useless)
{
    int64_t id = add(LETTER_POST, "thread", 1, false);
    struct envelope *envelope = outbox_find(&outbox, id);
    ck_assert(!envelope_is_stale(envelope, INT64_MAX));
    envelope->letter.not_after = 100;
    ck_assert(!envelope_is_stale(envelope, 99));
    ck_assert(envelope_is_stale(envelope, 100));
}
END_TEST

START_TEST(the_earliest_pause_wakes)
{
    int64_t one = add(LETTER_POST, "thread", 1, false);
    int64_t two = add(LETTER_POST, "another", 1, false);
    outbox_find(&outbox, one)->not_before = 300;
    outbox_find(&outbox, two)->not_before = 200;
    ck_assert_int_eq(outbox_wake(&outbox, 100), 200);
    ck_assert_int_eq(outbox_wake(&outbox, 250), 300);
}
END_TEST

/* ---- the status post ----------------------------------------------------- */

START_TEST(a_status_post_is_found_by_its_game_until_it_is_sent)
{
    int64_t id = add(LETTER_STATUS, "thread", 1, false);
    ck_assert_ptr_null(outbox_status(&outbox, "2", "thread"));
    ck_assert_ptr_null(outbox_status(&outbox, "1", "thread/1"));
    ck_assert_int_eq(outbox_status(&outbox, "1", "thread")->id, id);
    send_one(id);
    ck_assert_ptr_null(outbox_status(&outbox, "1", "thread"));
    ck_assert_uint_eq(outbox.count, 0);
}
END_TEST

START_TEST(a_status_that_changed_in_flight_goes_again)
{
    int64_t id = add(LETTER_STATUS, "thread", 1, false);
    struct envelope *status = outbox_find(&outbox, id);
    status->state = ENVELOPE_IN_FLIGHT;
    status->changed = true;
    status->attempts = 3;
    outbox_done(&outbox, id);
    ck_assert_int_eq(status->state, ENVELOPE_WAITING);
    ck_assert(!status->changed);
    ck_assert_uint_eq(status->attempts, 0);
    send_one(id);
    ck_assert_uint_eq(outbox.count, 0);
}
END_TEST

START_TEST(a_letter_that_comes_back_stands_where_it_stood)
{
    int64_t one = add(LETTER_STATUS, "thread", 1, false);
    send_one(one);
    int64_t two = add(LETTER_POST, "thread", 2, false);
    int64_t three = add(LETTER_POST, "thread", 2, false);
    last_id = 0;
    ck_assert_int_eq(add(LETTER_STATUS, "thread", 1, false), one);
    ck_assert_int_eq(outbox_find(&outbox, three)->id, three);
    send_one(one);
    send_one(two);
    send_one(three);
}
END_TEST

START_TEST(letters_leave_in_any_order_and_none_is_passed)
{
    int64_t one = add(LETTER_POST, "thread", 1, false);
    int64_t two = add(LETTER_POST, "thread", 2, false);
    int64_t three = add(LETTER_POST, "thread", 3, false);
    int64_t four = add(LETTER_POST, "thread", 4, false);
    outbox_done(&outbox, two); /* dropped, say */
    set(one, ENVELOPE_HELD);
    ck_assert_int_eq(next(1), three);
    set(three, ENVELOPE_HELD);
    ck_assert_int_eq(next(1), four);
    outbox_done(&outbox, three);
    set(one, ENVELOPE_WAITING);
    ck_assert_int_eq(next(1), one);
    outbox_done(&outbox, one);
    ck_assert_int_eq(next(1), four);
}
END_TEST

START_TEST(many_letters_keep_their_order)
{
    enum {
        COUNT = 200
    };
    char user[16];
    for (int i = 0; i < COUNT; i++) {
        snprintf(user, sizeof user, "user %d", i % 7);
        (void)add(LETTER_PRIVATE, user, i, false);
    }
    for (int64_t id = 1; id <= COUNT; id++) {
        send_one(id);
    }
    ck_assert_uint_eq(outbox.count, 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/outbox");
    TCase *tcase = tcase_create("outbox");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, letters_of_one_destination_go_one_after_the_other);
    tcase_add_test(tcase, other_destinations_do_not_wait);
    tcase_add_test(tcase,
                   one_can_be_passed_over_and_those_behind_it_alone_wait);
    tcase_add_test(tcase,
                   the_same_name_at_another_place_is_another_destination);
    tcase_add_test(tcase, a_letter_that_pauses_holds_up_its_own_destination);
    tcase_add_test(tcase, what_is_public_waits_for_what_is_private);
    tcase_add_test(tcase, also_where_the_private_letter_was_written_later);
    tcase_add_test(tcase, letters_of_other_batches_are_not_waited_for);
    tcase_add_test(tcase, a_post_that_does_not_wait_goes_at_once);
    tcase_add_test(tcase, a_private_letter_that_pauses_is_waited_for);
    tcase_add_test(tcase, a_private_letter_that_is_held_stops_nobody_else);
    tcase_add_test(tcase, a_pause_grows_with_the_square_of_the_attempts);
    tcase_add_test(tcase, no_pause_is_longer_than_ten_minutes);
    tcase_add_test(tcase, a_limit_is_waited_out_and_leaves_no_doubt);
    tcase_add_test(tcase, where_waiting_does_not_help_a_letter_is_held);
    tcase_add_test(tcase, what_came_too_late_is_useless);
    tcase_add_test(tcase, the_earliest_pause_wakes);
    tcase_add_test(tcase, a_status_post_is_found_by_its_game_until_it_is_sent);
    tcase_add_test(tcase, a_status_that_changed_in_flight_goes_again);
    tcase_add_test(tcase, a_letter_that_comes_back_stands_where_it_stood);
    tcase_add_test(tcase, letters_leave_in_any_order_and_none_is_passed);
    tcase_add_test(tcase, many_letters_keep_their_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
