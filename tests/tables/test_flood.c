/*
 * People who give one command after the other.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    room_release(&room);
}

/* The number of the host's first post in somebody's talk that holds a text; 0:
 * none does. */
static int64_t
first_told(const char *who, const char *text)
{
    char place[64];
    snprintf(place, sizeof place, "talk/%s", who);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->place, place) == 0 &&
            strcmp(post->author, BOARD_HOST) == 0 &&
            strstr(post->text, text) != NULL) {
            return post->id;
        }
    }
    return 0;
}

static unsigned
marked(void)
{
    unsigned count = 0;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        count += strstr(room.posts[i].reactions, "⏳") != NULL;
    }
    return count;
}

/* The host is away; somebody writes a command to it again and again. */
static void
writes_often(const char *who, const char *command, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        room_writes(&room, who, command);
    }
}

START_TEST(who_asks_and_asks_is_told_that_it_is_enough)
{
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    room_says(&room, "Carl", "**Ja!**");
    for (int i = 0; i < 8; i++) {
        room_says(&room, "Carl", "!rules");
        room_says(&room, "Dora", "!status"); /* whose vote is awaited */
    }
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 5);
    ck_assert_uint_eq(room_count_said(&room, "a lot at once."), 1);
    ck_assert_uint_eq(room_count_said(&room, "Carl, that's a lot at once."), 1);
    ck_assert_uint_eq(marked(), 3);
    room_says(&room, "Carl", "!claim");
    room_says(&room, "Carl", "!away 3d");
    assert_holds(room_said(&room), "Carl");
    room_waits(&room, 11 * MINUTE_MS);
    room_says(&room, "Carl", "!rules");
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 6);
}
END_TEST

START_TEST(the_same_answer_does_not_wait_twice)
{
    room_open(&room);
    room_begin(&room, 5);
    writes_often("Carl", "!rules", 40);
    room_settle(&room);
    unsigned answers =
        room_count_told(&room, "Carl", "Each round the candidate");
    ck_assert_uint_ge(answers, 1);
    ck_assert_uint_le(answers, 3); /* one for each page that was read */
    ck_assert_uint_eq(room_count_told(&room, "Carl", "a lot at once"), 0);
}
END_TEST

START_TEST(the_question_of_the_game_goes_before_answers)
{
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    room_votes(&room, true);
    static const char *const commands[] = {"!status", "!rules", "!history",
                                           "!help",   "!votes", "!role"};
    for (unsigned i = 0; i < 12; i++) {
        room_writes(&room, room_name(&room, 1), commands[i % 6]);
    }
    room_writes(&room, room_name(&room, 0), "discard 1");
    room_settle(&room);
    int64_t question =
        first_told(room_name(&room, 1), "Which one do you enact");
    int64_t answer =
        first_told(room_name(&room, 1), "Each round the candidate");
    ck_assert_int_ne(question, 0);
    ck_assert_int_ne(answer, 0);
    ck_assert_int_lt(question, answer);
}
END_TEST

START_TEST(the_government_and_moderators_get_fifty_answers)
{
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    room_votes(&room, true);
    for (unsigned i = 0; i < 60; i++) {
        room_tells(&room, room_name(&room, 1), "!rules");
        room_says(&room, "Mo", "!rules");
    }
    ck_assert_uint_eq(
        room_count_told(&room, room_name(&room, 1), "Each round the candidate"),
        50);
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 50);
    ck_assert_uint_eq(room_count_said(&room, "Mo, that's a lot at once."), 1);
}
END_TEST

START_TEST(an_attempt_of_somebody_awaited_is_always_answered)
{
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
    room_votes(&room, true);
    for (unsigned i = 0; i < 60; i++) {
        room_tells(&room, room_name(&room, 0), "discard 7");
    }
    ck_assert_uint_eq(
        room_count_told(&room, room_name(&room, 0), "a lot at once"), 0);
    room_tells(&room, room_name(&room, 0), "discard 1");
    ck_assert_int_ne(first_told(room_name(&room, 1), "Which one do you enact"),
                     0);
}
END_TEST

START_TEST(moderators_get_few_questions_of_one_person)
{
    char text[32];
    room_open(&room);
    room_begin(&room, 5);
    for (unsigned i = 0; i < 60; i++) {
        snprintf(text, sizeof text, "!ask question %u?", i);
        room_tells(&room, "Carl", text);
    }
    ck_assert_uint_eq(room_count_told(&room, "Mo", "question"), 5);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "I've asked"), 5);
    ck_assert_uint_eq(room_count_told(&room, "Carl", "a lot at once"), 1);
}
END_TEST

/* Messages of a game that nobody takes: their place is none of ours. */
static void
pile_up(const char *game, int64_t first, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct queued_message queued = {.id = first + i, .place = "nowhere"};
        TEXT_COPY(queued.game, game);
        queued.message.kind = MESSAGE_REACT;
        queued.message.text = must_copy("x");
        (void)outbox_add(&room.stage->tables.outbox, &queued);
    }
}

START_TEST(a_game_that_can_say_nothing_loses_its_answers_and_no_act)
{
    struct outbox *outbox = NULL;
    room_open(&room);
    outbox = &room.stage->tables.outbox;
    room_begin(&room, 5);
    pile_up("2", 200000, 1000);
    pile_up("1", 100000, 999);
    room_says(&room, "Carl", "!rules");
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 1);
    pile_up("1", 100999, 1);
    room_says(&room, "Carl", "!rules");
    room_says(&room, "Carl", "!nonsense");
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 1);
    ck_assert_uint_eq(outbox->count, 2000);
    room_names(&room, 1);
    room_votes(&room, true);
    assert_holds(room_said(&room), "Elected");
    ck_assert_uint_eq(outbox->count, 2000);
    outbox_done(outbox, 100000);
    room_says(&room, "Carl", "!rules");
    ck_assert_uint_eq(room_count_said(&room, "Each round the candidate"), 2);
}
END_TEST

START_TEST(one_person_opens_ten_tables_in_ten_minutes)
{
    room_set(&room, "thread", "new");
    room_open(&room);
    for (unsigned i = 0; i < 14; i++) {
        room_says_in(&room, "thread", "Mo", "!new");
    }
    room_read(&room);
    ck_assert_int_eq(room_query(&room, "store.db", "SELECT count(*) FROM game"),
                     10);
    unsigned refused = 0;
    for (size_t i = 0; i < room.post_count; i++) {
        refused += strstr(room.posts[i].text, "opened several tables") != NULL;
    }
    ck_assert_uint_eq(refused, 4);
    room_waits(&room, 11 * MINUTE_MS);
    room_says_in(&room, "thread", "Mo", "!new");
    ck_assert_int_eq(room_query(&room, "store.db", "SELECT count(*) FROM game"),
                     11);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/flood");
    TCase *group = tcase_create("flood");
    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group, who_asks_and_asks_is_told_that_it_is_enough);
    tcase_add_test(group, the_same_answer_does_not_wait_twice);
    tcase_add_test(group, the_question_of_the_game_goes_before_answers);
    tcase_add_test(group, the_government_and_moderators_get_fifty_answers);
    tcase_add_test(group, an_attempt_of_somebody_awaited_is_always_answered);
    tcase_add_test(group, moderators_get_few_questions_of_one_person);
    tcase_add_test(group,
                   a_game_that_can_say_nothing_loses_its_answers_and_no_act);
    tcase_add_test(group, one_person_opens_ten_tables_in_ten_minutes);
    suite_add_tcase(suite, group);
    return suite;
}
