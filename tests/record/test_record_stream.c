#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/record/record_stream.h"
#include "engine/game.h"
#include "tests/support/random_record.h"
#include "tests/support/rewrite.h"
#include "tests/support/runner.h"

#define OPENED                                                                 \
    "{\"seq\":0,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"opened\","         \
    "\"format\":\"placard-record/1\",\"game\":\"g-%u\",\"rules\":{"            \
    "\"preset\":\"official\",\"hitler_knows_fascists\":\"small\","             \
    "\"term_limit\":\"last_elected\","                                         \
    "\"president_term_limit\":\"over_five_living\","                           \
    "\"tracker_resets_on\":\"policy\",\"ballot\":\"sealed\","                  \
    "\"vote_closes\":\"all\"},\"commitment\":null}\n"
#define NOTED                                                                  \
    "{\"seq\":%u,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"noted\","         \
    "\"text\":\"%s\"}\n"

/* ---- files --------------------------------------------------------------- */

static FILE *
file_of(const struct buf *text)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(buf_text(text), 1, text->len, file), text->len);
    rewind(file);
    return file;
}

/* Read the games one by one, written again into `out`; the sentence in `why`,
 * if one could not be read. */
static enum err
stream_all(const struct buf *text, struct buf *out, unsigned *games,
           struct buf *why)
{
    struct record_stream stream;
    FILE *file = file_of(text);
    enum err err = ERR_NONE;
    bool more = true;
    *games = 0;
    record_stream_init(&stream, file);
    while (more) {
        struct record record;
        err = record_stream_next(&stream, &record, why);
        ck_assert_uint_le(record.game_count, 1);
        more = err == ERR_NONE && record.game_count > 0;
        if (record.game_count > 0) {
            rewrite_game(&record.games[0], out);
            ++*games;
        }
        record_release(&record);
    }
    record_stream_release(&stream);
    (void)fclose(file);
    return err;
}

/* The file is refused, with this in the sentence. */
static void
assert_refused(const struct buf *text, const char *words)
{
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    unsigned games = 0;
    ck_assert_int_eq(stream_all(text, &out, &games, &why), ERR_GARBLED);
    ck_assert_msg(strstr(buf_text(&why), words) != NULL, "%s, not %s",
                  buf_text(&why), words);
    buf_release(&out);
    buf_release(&why);
}

static void
add_games(struct buf *text, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        buf_addf(text, OPENED, i);
        buf_addf(text, NOTED, 1U, "the game was \\\"opened\\\" late");
    }
}

/* ---- reading ------------------------------------------------------------- */

START_TEST(games_come_one_by_one_as_they_stand)
{
    struct buf text = BUF_INIT;
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    struct rules rules;
    unsigned games = 0;
    ck_assert(rules_set_preset(&rules, "french"));
    for (unsigned i = 0; i < 200; i++) {
        random_record_write(&text, PLAYERS_MIN + i % 6, "french", &rules, i);
    }
    enum err err = stream_all(&text, &out, &games, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    ck_assert_uint_eq(games, 200);
    ck_assert(buf_equals(&out, buf_text(&text)));
    buf_release(&text);
    buf_release(&out);
    buf_release(&why);
}
END_TEST

START_TEST(lines_are_numbered_through_the_file)
{
    struct record_stream stream;
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    add_games(&text, 3);
    FILE *file = file_of(&text);
    record_stream_init(&stream, file);
    for (unsigned i = 0; i < 3; i++) {
        struct record record;
        ck_assert_int_eq(record_stream_next(&stream, &record, &why), ERR_NONE);
        ck_assert_uint_eq(record.games[0].lines[1].number, 2 * i + 2);
        record_release(&record);
    }
    record_stream_release(&stream);
    (void)fclose(file);
    buf_release(&text);
    buf_release(&why);
}
END_TEST

START_TEST(the_word_opened_may_be_escaped)
{
    struct buf text = BUF_INIT;
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    unsigned games = 0;
    add_games(&text, 2);
    char *all = buf_take(&text);
    for (const char *at = all; *at != '\0'; at++) {
        if (strncmp(at, "\"opened\"", 8) == 0) {
            buf_add_text(&text, "\"o\\u0070ened\"");
            at += 7;
        } else {
            buf_add_char(&text, *at);
        }
    }
    ck_assert_int_eq(stream_all(&text, &out, &games, &why), ERR_NONE);
    ck_assert_uint_eq(games, 2);
    free(all);
    buf_release(&text);
    buf_release(&out);
}
END_TEST

START_TEST(what_is_wrong_is_told_by_the_line_of_the_file)
{
    struct buf text = BUF_INIT;
    add_games(&text, 3);
    buf_addf(&text, NOTED, 3U, "a gap");
    assert_refused(&text, "line 7: noted: `seq` must be 2");
    buf_release(&text);
    add_games(&text, 3);
    buf_add_text(&text, "{}\n");
    assert_refused(&text, "line 7: `event` must be a text");
    buf_release(&text);
}
END_TEST

START_TEST(a_file_without_a_game_is_refused)
{
    struct buf text = BUF_INIT;
    assert_refused(&text, "line 1: no game is \"opened\"");
    buf_addf(&text, NOTED, 0U, "x");
    assert_refused(&text, "line 1: `event`: \"noted\" before a game was");
    buf_release(&text);
}
END_TEST

START_TEST(a_file_that_is_cut_off_is_refused)
{
    struct buf text = BUF_INIT;
    add_games(&text, 2);
    while (text.len > 1) {
        buf_truncate(&text, text.len - 1);
        char last = buf_text(&text)[text.len - 1];
        if (last != '\n') {
            assert_refused(&text, "the last line has no line feed");
        }
        if (text.len > 40) {
            buf_truncate(&text, text.len - 7);
        }
    }
    buf_release(&text);
}
END_TEST

START_TEST(a_line_too_long_is_refused)
{
    struct buf text = BUF_INIT;
    char *word = must_alloc(10 << 20);
    memset(word, 'x', (10 << 20) - 1);
    add_games(&text, 2);
    buf_addf(&text, NOTED, 2U, word);
    assert_refused(&text, "line 5: longer than 1048576 bytes");
    buf_release(&text);
    buf_add(&text, word, (10 << 20) - 1);
    assert_refused(&text, "line 1: longer than 1048576 bytes");
    word[RECORD_LINE_MAX - 100] = '\0';
    buf_release(&text);
    add_games(&text, 1);
    buf_addf(&text, NOTED, 2U, word);
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    unsigned games = 0;
    ck_assert_int_eq(stream_all(&text, &out, &games, &why), ERR_NONE);
    free(word);
    buf_release(&out);
    buf_release(&why);
    buf_release(&text);
}
END_TEST

START_TEST(noise_is_refused)
{
    struct buf text = BUF_INIT;
    for (unsigned i = 0; i < 100000; i++) {
        buf_add_char(&text, (char)(i * 197 >> 3));
    }
    assert_refused(&text, "line 1: ");
    buf_release(&text);
}
END_TEST

START_TEST(a_folder_is_no_file)
{
    struct record_stream stream;
    struct record record;
    struct buf why = BUF_INIT;
    FILE *file = fopen("/tmp", "r");
    ck_assert_ptr_nonnull(file);
    record_stream_init(&stream, file);
    ck_assert_int_eq(record_stream_next(&stream, &record, &why), ERR_LATER);
    ck_assert_uint_gt(why.len, 0);
    record_release(&record);
    record_stream_release(&stream);
    (void)fclose(file);
    buf_release(&why);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("record_stream");
    TCase *tcase = tcase_create("record_stream");
    tcase_add_test(tcase, games_come_one_by_one_as_they_stand);
    tcase_add_test(tcase, lines_are_numbered_through_the_file);
    tcase_add_test(tcase, the_word_opened_may_be_escaped);
    tcase_add_test(tcase, what_is_wrong_is_told_by_the_line_of_the_file);
    tcase_add_test(tcase, a_file_without_a_game_is_refused);
    tcase_add_test(tcase, a_file_that_is_cut_off_is_refused);
    tcase_add_test(tcase, a_line_too_long_is_refused);
    tcase_add_test(tcase, noise_is_refused);
    tcase_add_test(tcase, a_folder_is_no_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
