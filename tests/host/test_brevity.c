/*
 * Whole games as the thread has them: how much the host writes.  One of eight
 * players and nineteen rounds; and twelve of seven random players in each
 * language.  PLACARD_SHOW=1 prints the thread and the numbers.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    ROUNDS = 19,
    POSTS_MOST = 60,
    CHARACTERS_MOST = 1000, /* of a post, but the status post */
    GAMES = 12,
    WORDS_MOST = 90, /* of a round from the third on */
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

/* ---- words --------------------------------------------------------------- */

static const char *const languages[] = {"en", "de", "nl", "fr", "nb"};

/* As `weekdays` of each: a time begins with one, and ends with the zone. */
static const char *const weekdays[] = {
    " Sun Mon Tue Wed Thu Fri Sat ",
    " So Mo Di Mi Do Fr Sa ",
    " zo ma di wo do vr za ",
    " dimanche lundi mardi mercredi jeudi vendredi samedi ",
    " søn. man. tir. ons. tor. fre. lør. ",
};

/* A time begins: a weekday, and a number after it. */
static bool
begins_time(const char *word, size_t len, const char *days)
{
    char day[40];
    (void)snprintf(day, sizeof day, " %.*s ", (int)len, word);
    return len > 0 && isdigit((unsigned char)word[strlen(word) + 1]) &&
           strstr(days, day) != NULL;
}

static bool
is_player(const char *word, size_t len)
{
    for (unsigned i = 0; i < 7; i++) {
        const char *name = room_player(i);
        if (strlen(name) == len && memcmp(word, name, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Count what has a letter or a digit, between blanks; but people's names and
 * times. */
static unsigned
count_words(char *line, const char *days)
{
    unsigned count = 0;
    bool time = false;
    for (char *word = strtok(line, " \n"); word != NULL;
         word = strtok(NULL, " \n")) {
        size_t len = strcspn(word, ",:;?!");
        bool letters = isalnum((unsigned char)*word) || (*word & 0x80) != 0 ||
                       isalnum((unsigned char)word[1]);
        time = time || begins_time(word, len, days);
        if (!time && letters && !is_player(word, strcspn(word, ",.:;?!"))) {
            count++;
        }
        time = time && strstr(word, "UTC") == NULL;
    }
    return count;
}

/* The words of a post without the boards, which are both tracks' lines and the
 * line after them. */
static unsigned
count_post(const char *text, const char *days)
{
    unsigned count = 0;
    bool after_tiles = false;
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        char line[2000] = "";
        ck_assert_uint_lt(len, sizeof line - 1);
        snprintf(line, sizeof line, "%.*s", (int)len, text);
        bool tiles = strstr(line, "⬜") != NULL || strstr(line, "🟥") != NULL;
        if (!tiles && !after_tiles) {
            count += count_words(line, days);
        }
        after_tiles = tiles;
        text += len + (text[len] == '\n');
    }
    return count;
}

/* The newest post there is. */
static int64_t
newest(void)
{
    room_read(&room);
    return room.post_count == 0 ? 0 : room.posts[room.post_count - 1].id;
}

/* What the host has written in the thread after that post. */
static unsigned
count_after(int64_t post, int64_t end, const char *days)
{
    unsigned words = 0;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *seen = &room.posts[i];
        if (seen->id > post && seen->id <= end &&
            strcmp(seen->author, BOARD_HOST) == 0 &&
            strcmp(seen->place, "thread") == 0) {
            unsigned more = count_post(seen->text, days);
            words += more;
            if (getenv("PLACARD_SHOW") != NULL) {
                printf("%u: %s\n\n", more, seen->text);
            }
        }
    }
    return words;
}

/* Play a game of random people, who let some of their time run out.  What was
 * written from the third round on, before the last. */
static void
count_game(unsigned seed, const char *days, unsigned *rounds, unsigned *words)
{
    struct dice dice = {seed};
    char text[20];
    int64_t begin = 0, end = 0;
    unsigned round = 0;
    snprintf(text, sizeof text, "%u", seed);
    room.seed = text;
    room.fair = true;
    room_open(&room);
    room_begin(&room, 7);
    while (stage_table(room.stage) != NULL) {
        if (room_game(&room)->round != round) {
            round = room_game(&room)->round;
            end = newest();
            begin = round == 3 ? end : begin;
        }
        (void)room_improvise(&room, &dice);
        room_settle(&room);
    }
    if (round > 3) {
        *rounds += round - 3;
        *words += count_after(begin, end, days);
    }
}

START_TEST(a_round_is_told_in_ninety_words)
{
    unsigned rounds = 0, words = 0;
    unsigned games = effort_of(GAMES);
    for (unsigned seed = 1; seed <= games; seed++) {
        if (seed > 1) {
            tear_down();
            set_up();
        }
        room_set(&room, "second_thought", "0");
        room_set(&room, "language", languages[_i]);
        count_game(seed, weekdays[_i], &rounds, &words);
    }
    if (getenv("PLACARD_SHOW") != NULL) {
        printf("%s: %u rounds, %u words a round\n", languages[_i], rounds,
               words / rounds);
    }
    ck_assert_uint_gt(rounds, 3U * (size_t)games);
    ck_assert_msg(words <= WORDS_MOST * rounds, "%s: %u words in %u rounds",
                  languages[_i], words, rounds);
}
END_TEST

/* ---- in each language ---------------------------------------------------- */

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
    tcase_add_loop_test(tests, a_round_is_told_in_ninety_words, 0,
                        sizeof languages / sizeof languages[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
