/*
 * A whole game of eight players and nineteen rounds, as the thread has it: how
 * much the host writes.  PLACARD_SHOW=1 prints the thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    ROUNDS = 19,
    POSTS_MOST = 60,
    CHARACTERS_MOST = 1000, /* of a post, the last and the start apart */
};

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room_set(&room, "second_thought", "15m");
    room_set(&room, "reminders", "6h, 1h");
    room.deck = "FLFFLFFLFFLFFLFLF";
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
use_power(void)
{
    bool kills = room_game(&room)->question == QUESTION_EXECUTION;
    room_names(&room, room_choice(&room));
    if (kills) {
        room_waits(&room, HOUR_MS);
    }
}

/* Rounds are rejected and governed in turn, Liberal and Fascist in turn. */
static void
play_game(void)
{
    static const char order[] = "LFLFLFLFFL";
    unsigned enacted = 0;
    room_begin(&room, 8);
    while (enacted < sizeof order - 1) {
        room_waits(&room, HOUR_MS);
        if (room_game(&room)->due_power != POWER_NONE) {
            use_power();
        } else if (room_game(&room)->round % 2 == 1 &&
                   room_game(&room)->round < ROUNDS) {
            room_rejects(&room);
        } else {
            room_governs(&room, room_choice(&room), order[enacted] == 'L');
            enacted++;
        }
        if (stage_table(room.stage) != NULL) {
            ck_assert_uint_le(room_game(&room)->round, ROUNDS);
        }
    }
}

START_TEST(a_game_of_nineteen_rounds_takes_sixty_posts_at_most)
{
    unsigned posts = 0;
    size_t longest = 0;
    play_game();
    ck_assert_ptr_null(stage_table(room.stage));
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        bool own = strcmp(post->author, BOARD_HOST) == 0;
        bool public = strcmp(post->place, "thread") == 0;
        if (own && public) {
            size_t length =
                length_of(LENGTH_POINTS, post->text, strlen(post->text));
            bool apart = strstr(post->text, "Welcome, all") != NULL ||
                         strstr(post->text, "Thank you, all") != NULL ||
                         strstr(post->text, "So far:") != NULL;
            posts++;
            longest = !apart && length > longest ? length : longest;
        }
        if (public && getenv("PLACARD_SHOW") != NULL) {
            printf("%s: %s\n\n", post->author, post->text);
        }
    }
    ck_assert_uint_gt(posts, ROUNDS);
    ck_assert_uint_le(posts, POSTS_MOST);
    ck_assert_uint_le(longest, CHARACTERS_MOST);
    room.thread = "thread";
    assert_holds(room_status(&room)->text, "Round 19:");
    if (getenv("PLACARD_SHOW") != NULL) {
        printf("%u posts, the longest has %zu characters\n", posts, longest);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/brevity");
    TCase *tests = tcase_create("brevity");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_game_of_nineteen_rounds_takes_sixty_posts_at_most);
    suite_add_tcase(suite, tests);
    return suite;
}
