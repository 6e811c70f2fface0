/*
 * Whole games as the thread has them: how much the host writes.  One of eight
 * players and nineteen rounds; and one of seven and fourteen in the short
 * style, with powers and reminders.  PLACARD_SHOW=1 prints the thread and the
 * numbers.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    ROUNDS = 19,
    POSTS_MOST = 60,
    CHARACTERS_MOST = 1000, /* of a post, but the status post */
    SHORT_ROUNDS = 14,
    WORDS_MOST = 150, /* of a round in the short style */
};

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room_set(&room, "second_thought", "15m");
    room_set(&room, "reminders", "6h, 1h");
    room.deck = "FLFFLFFLFFLFFLFLF";
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
    room_open(&room);
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
            bool apart = strstr(post->text, "So far:") != NULL;
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

/* ---- the short style ----------------------------------------------------- */

/* What the host has written in all rounds but the last. */
struct measured {
    unsigned words;         /* in the thread, boards aside */
    unsigned board_words;   /* of the boards there */
    unsigned private_words; /* in private */
};

static unsigned reminders;

/* Count what has a letter or a digit, between blanks. */
static unsigned
count_words(const char *line)
{
    unsigned count = 0;
    bool counted = false;
    for (; *line != '\0'; line++) {
        bool of_word = isalnum((unsigned char)*line) || (*line & 0x80) != 0;
        if (*line == ' ') {
            counted = false;
        } else if (of_word && !counted) {
            counted = true;
            count++;
        }
    }
    return count;
}

/* Count the words of a post; those of the boards, which are both tracks' lines
 * and the line after them, apart. */
static void
measure_text(const char *text, struct measured *measured)
{
    bool after_tiles = false;
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        char line[2000];
        ck_assert_uint_lt(len, sizeof line);
        snprintf(line, sizeof line, "%.*s", (int)len, text);
        bool tiles = strstr(line, "⬜") != NULL || strstr(line, "🟥") != NULL;
        if (tiles || after_tiles) {
            measured->board_words += count_words(line);
        } else {
            measured->words += count_words(line);
        }
        after_tiles = tiles;
        text += len + (text[len] == '\n');
    }
}

/* The newest post there is. */
static int64_t
newest(void)
{
    room_read(&room);
    return room.post_count == 0 ? 0 : room.posts[room.post_count - 1].id;
}

/* Of the first round's call, which is the newest post, and of all since. */
static struct measured
measure_from(int64_t call)
{
    struct measured measured = {0};
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        struct measured private = {0};
        if (post->id < call || strcmp(post->author, BOARD_HOST) != 0) {
            continue;
        }
        bool public = strcmp(post->place, "thread") == 0;
        if (public && getenv("PLACARD_SHOW") != NULL) {
            printf("%s\n\n", post->text);
        }
        measure_text(post->text, public ? &measured : &private);
        measured.private_words += private.words;
    }
    return measured;
}

/* Wait until five hours are left to the deadline: a reminder comes. */
static void
dawdle(void)
{
    unsigned said = room_count_said(&room, "");
    room_waits(&room,
               room_table(&room)->deadline - 5 * HOUR_MS - room.stage->now);
    reminders += room_count_said(&room, "") - said;
}

/* Three vote, then nobody until a reminder; then all. */
static void
vote_late(bool ja)
{
    const char *word = ja ? "**Ja!**" : "**Nein!**";
    room_names(&room, room_choice(&room));
    for (unsigned i = 0; i < 3; i++) {
        room_says(&room, room_awaited(&room), word);
    }
    dawdle();
    room_votes(&room, ja);
}

/* Of three rounds one has a candidate who is reminded, and one has voters. */
static void
play_round(bool rejected, char policy)
{
    unsigned round = room_game(&room)->round;
    if (round % 3 == 0) {
        dawdle();
    }
    if (round % 3 == 1) {
        vote_late(!rejected);
    } else if (rejected) {
        room_rejects(&room);
        return;
    } else {
        room_elects(&room, room_choice(&room));
    }
    if (!rejected) {
        bool liberal = policy == 'L';
        struct pile hand = room_game(&room)->hand;
        unsigned others =
            liberal ? hand.count - pile_liberals(hand) : pile_liberals(hand);
        room_discards(&room, others > 0 ? !liberal : liberal);
        room_enacts(&room, liberal);
    }
}

/* Play all rounds; what was written in those before the last. */
static struct measured
play_short_game(void)
{
    static const char order[] = "LF.LFL.FL.F.FL";
    struct measured measured = {0};
    room_set(&room, "style", "short");
    room_open(&room);
    room_begin(&room, 7);
    int64_t call = newest();
    for (unsigned i = 0; i < SHORT_ROUNDS; i++) {
        if (i == SHORT_ROUNDS - 1) {
            measured = measure_from(call);
        }
        room_waits(&room, HOUR_MS);
        ck_assert_uint_eq(room_game(&room)->round, i + 1);
        play_round(order[i] == '.', order[i]);
        room_waits(&room, HOUR_MS);
        if (stage_table(room.stage) != NULL &&
            room_game(&room)->due_power != POWER_NONE) {
            use_power();
        }
    }
    return measured;
}

START_TEST(a_short_game_of_fourteen_rounds_takes_sixty_posts_at_most)
{
    enum {
        ROUNDS_BEFORE = SHORT_ROUNDS - 1
    };
    reminders = 0;
    struct measured measured = play_short_game();
    ck_assert_ptr_null(stage_table(room.stage));
    room.thread = "thread";
    unsigned posts = room_count_said(&room, "");
    if (getenv("PLACARD_SHOW") != NULL) {
        printf("%u posts, %u of them reminders; a round has %u words, %u of "
               "boards, %u in private\n",
               posts, reminders, measured.words / ROUNDS_BEFORE,
               measured.board_words / ROUNDS_BEFORE,
               measured.private_words / ROUNDS_BEFORE);
    }
    ck_assert_uint_ge(posts, 3 * (size_t)SHORT_ROUNDS);
    ck_assert_uint_le(posts, POSTS_MOST);
    ck_assert_uint_ge(reminders, 8);
    ck_assert_uint_gt(measured.words, 0);
    ck_assert_msg(measured.words <= WORDS_MOST * ROUNDS_BEFORE,
                  "%u rounds have %u words", ROUNDS_BEFORE, measured.words);
}
END_TEST

/* ---- in each language ---------------------------------------------------- */

static const char *const languages[] = {"en", "de", "nl", "fr", "nb"};

/* The longest post in the thread since then, in characters. */
static size_t
longest_since(int64_t call)
{
    size_t longest = 0;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (post->id >= call && strcmp(post->place, "thread") == 0 &&
            strcmp(post->author, BOARD_HOST) == 0) {
            size_t length =
                length_of(LENGTH_POINTS, post->text, strlen(post->text));
            if (length > longest && getenv("PLACARD_SHOW") != NULL) {
                printf("%zu: %s\n\n", length, post->text);
            }
            longest = length > longest ? length : longest;
        }
    }
    return longest;
}

/* The third Fascist policy brings a peek, on the day when the deck runs out:
 * no post has more to say. */
START_TEST(the_longest_post_of_a_round_is_short_enough_in_each_language)
{
    static const char order[] = "LFLFF";
    room_set(&room, "language", languages[_i]);
    room_set(&room, "zone", "Europe/Berlin");
    room_set(&room, "style", "full");
    room_open(&room);
    room_begin(&room, 6);
    int64_t call = newest();
    for (size_t i = 0; i < sizeof order - 1; i++) {
        room_governs(&room, room_choice(&room), order[i] == 'L');
    }
    ck_assert_uint_eq(room_game(&room)->round, sizeof order);
    size_t longest = longest_since(call);
    ck_assert_msg(longest <= CHARACTERS_MOST, "%s: %zu characters",
                  languages[_i], longest);
}
END_TEST

START_TEST(the_start_of_a_game_of_ten_is_short_enough_in_each_language)
{
    room_set(&room, "language", languages[_i]);
    room_open(&room);
    room_begin(&room, 10);
    size_t longest = longest_since(0);
    ck_assert_msg(longest <= CHARACTERS_MOST, "%s: %zu characters",
                  languages[_i], longest);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/brevity");
    TCase *tests = tcase_create("brevity");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_game_of_nineteen_rounds_takes_sixty_posts_at_most);
    tcase_add_loop_test(
        tests, the_longest_post_of_a_round_is_short_enough_in_each_language, 0,
        sizeof languages / sizeof languages[0]);
    tcase_add_loop_test(
        tests, the_start_of_a_game_of_ten_is_short_enough_in_each_language, 0,
        sizeof languages / sizeof languages[0]);
    tcase_add_test(tests,
                   a_short_game_of_fourteen_rounds_takes_sixty_posts_at_most);
    suite_add_tcase(suite, tests);
    return suite;
}
