/*
 * The board picture that goes with a letter, at a service that takes pictures:
 * the board's own, but for that.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/log.h"
#include "bot/host/words/board_words.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;
static struct adapter gallery;

/* What the last letter with a picture was. */
static struct {
    unsigned letters, pictures;
    bool refused;                /* each picture is */
    char *text, *caption, *page; /* of the last that had something with it */
    unsigned width, height;
    size_t len;
    bool is_png, is_page;
} sent;

static void
note(const struct errand *errand)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    const struct picture *picture = &errand->picture;
    sent.letters++;
    if (picture->bytes == NULL) {
        return;
    }
    if (picture_is_page(picture)) {
        free(sent.page);
        sent.page = strdup(picture->page);
        sent.is_page = picture->len > 1000 &&
                       memcmp(picture->bytes, "<!DOCTYPE html>", 15) == 0;
        return;
    }
    free(sent.text);
    free(sent.caption);
    sent.pictures++;
    sent.text = strdup(errand->text);
    sent.caption = strdup(picture->caption);
    sent.width = picture->width;
    sent.height = picture->height;
    sent.len = picture->len;
    sent.is_png = memcmp(picture->bytes, png, sizeof png) == 0;
}

static enum turn
take_turn(const struct service *service, const struct errand *errand,
          struct buf *work, const struct reply *reply, struct outcome *out,
          struct buf *why)
{
    if (errand->kind == ERRAND_SEND && reply == NULL) {
        note(errand);
    }
    out->unpictured = sent.refused && errand->picture.bytes != NULL;
    return adapter_board.turn(service, errand, work, reply, out, why);
}

static void
set_up(void)
{
    gallery = adapter_board;
    gallery.traits.uploads = true;
    gallery.traits.pages = true;
    gallery.turn = take_turn;
    memset(&sent, 0, sizeof sent);
    hall_init(&hall);
    hall.deck = "FFFLLLLLLFFFFFF";
    hall_open(&hall);
    hall.stage->desk.services[0].adapter = &gallery;
}

static void
tear_down(void)
{
    free(sent.text);
    free(sent.caption);
    free(sent.page);
    hall_release(&hall);
}

START_TEST(a_policy_that_is_enacted_is_shown_as_a_picture_too)
{
    hall_begin(&hall, 7);
    hall_elects(&hall, 1);
    ck_assert_uint_gt(sent.letters, 0);
    ck_assert_uint_eq(sent.pictures, 0);
    hall_discards(&hall, false);
    hall_enacts(&hall, false);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert(sent.is_png);
    ck_assert_uint_le(sent.len, BOARD_PICTURE_MAX);
    ck_assert_uint_eq(sent.width, BOARD_PICTURE_WIDTH);
    ck_assert_uint_gt(sent.height, 0);
    /* Always beside the board in words. */
    ck_assert_ptr_nonnull(strstr(sent.text, "Fascist: 1 of 6"));
    ck_assert_ptr_nonnull(strstr(sent.caption, "Fascist: 1 of 6"));
    ck_assert_ptr_nonnull(strstr(sent.caption, "2 Bob (candidate)"));
    hall_rejects(&hall);
    ck_assert_uint_eq(sent.pictures, 1);
}
END_TEST

START_TEST(a_policy_by_chaos_is_shown_too)
{
    hall_begin(&hall, 5);
    hall_rejects(&hall);
    hall_rejects(&hall);
    ck_assert_uint_eq(sent.pictures, 0);
    hall_rejects(&hall);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert_ptr_nonnull(strstr(sent.caption, "Fascist: 1 of 6"));
}
END_TEST

/* Five liberal policies, and it is over. */
static void
play_to_the_end(void)
{
    hall.deck = "LFFLFFLFFLFFLFF";
    hall_begin(&hall, 7);
    for (int i = 0; i < LIBERAL_WIN; i++) {
        hall_governs(&hall, hall_choice(&hall), true);
    }
}

START_TEST(the_last_board_is_shown_when_the_table_is_gone)
{
    play_to_the_end();
    ck_assert_uint_eq(hall.stage->desk.table_count, 0);
    ck_assert_uint_eq(sent.pictures, LIBERAL_WIN);
    ck_assert_ptr_nonnull(strstr(sent.text, "What really lay on the table"));
    ck_assert_ptr_nonnull(strstr(sent.caption, "The Liberals win."));
}
END_TEST

START_TEST(a_picture_is_of_the_moment_at_which_its_letter_was_written)
{
    struct board_picture picture;
    struct buf alt = BUF_INIT;
    struct buf why = BUF_INIT;
    hall_begin(&hall, 7);
    hall_governs(&hall, 1, false);
    hall_rejects(&hall);
    hall_rejects(&hall);
    struct envelope envelope = {
        .game = "1",
        .batch = hall_query(&hall, "store.db",
                            "SELECT batch FROM letter WHERE picture = 1")};
    (void)snprintf(envelope.place, sizeof envelope.place, "%s",
                   hall_table(&hall)->place);
    ck_assert_msg(desk_draw(&hall.stage->desk, &envelope, hall.stage->now,
                            &picture, &alt, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    ck_assert_str_eq(buf_text(&alt), sent.caption);
    ck_assert_ptr_nonnull(strstr(buf_text(&alt), "Tracker: 0 of 3"));
    ck_assert_uint_eq(picture.png.len, sent.len);
    board_picture_release(&picture);
    buf_release(&alt);
}
END_TEST

START_TEST(a_service_that_takes_no_pictures_gets_none)
{
    hall.stage->desk.services[0].adapter = &adapter_board;
    hall_begin(&hall, 7);
    hall_governs(&hall, 1, false);
    ck_assert_int_eq(hall_query(&hall, "store.db",
                                "SELECT count(*) FROM letter WHERE picture"),
                     0);
}
END_TEST

/* One that is refused is not tried with every post, but the next day. */
START_TEST(a_refused_picture_is_left_out_for_a_day)
{
    log_set_level(LOG_LEVEL_NONE);
    sent.refused = true;
    hall_begin(&hall, 7);
    hall_governs(&hall, 1, false);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert_uint_ge(hall_count_said(&hall, "Fascist: 1 of 6"), 1);
    sent.refused = false;
    hall_governs(&hall, 2, true);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert_uint_ge(hall_count_said(&hall, "Liberal: 1 of 5"), 1);
    int64_t *until = &hall.stage->loop.unpictured[0][false];
    ck_assert_int_le(*until, hall.stage->now + DAY_MS);
    ck_assert_int_gt(*until, hall.stage->now + 23 * HOUR_MS);
    *until = hall.stage->now;
    hall_governs(&hall, 3, true);
    ck_assert_uint_eq(sent.pictures, 2);
}
END_TEST

START_TEST(a_report_is_a_file_once_the_game_is_over)
{
    play_to_the_end();
    hall_read(&hall);
    ck_assert_ptr_nonnull(strstr(hall_said(&hall), "!report"));
    ck_assert_ptr_null(sent.page);
    hall_says(&hall, "Stranger", "!report");
    ck_assert_ptr_nonnull(sent.page);
    ck_assert_str_eq(sent.page, "table-1.html");
    ck_assert(sent.is_page);
    hall_read(&hall);
    ck_assert_ptr_nonnull(strstr(hall_said(&hall), "Table 1 as one page"));
}
END_TEST

START_TEST(a_report_is_of_the_last_game_while_the_next_table_fills)
{
    play_to_the_end();
    hall_says(&hall, "Mo", "!new");
    hall_says(&hall, "Anna", "!join");
    hall_says(&hall, "Anna", "!report");
    ck_assert_ptr_nonnull(sent.page);
    ck_assert_str_eq(sent.page, "table-1.html");
}
END_TEST

START_TEST(there_is_no_report_of_a_game_that_is_running)
{
    hall_begin(&hall, 7);
    hall_says(&hall, "Anna", "!report");
    hall_read(&hall);
    ck_assert_ptr_nonnull(strstr(hall_said(&hall), "when the game has ended"));
    unsigned letters = sent.letters;
    hall_says(&hall, "Stranger", "!report");
    ck_assert_uint_eq(sent.letters, letters);
    ck_assert_ptr_null(sent.page);
    /* Nor does a letter of it get past the desk. */
    struct envelope envelope = {.letter = {.report = (char[]){"1"}}};
    struct buf html = BUF_INIT;
    struct buf why = BUF_INIT;
    (void)snprintf(envelope.place, sizeof envelope.place, "%s",
                   hall_table(&hall)->place);
    ck_assert_int_eq(
        desk_report(&hall.stage->desk, &envelope, hall.stage->now, &html, &why),
        ERR_DENIED);
    ck_assert_uint_eq(html.len, 0);
    buf_release(&why);
}
END_TEST

START_TEST(where_no_game_has_ended_there_is_no_report)
{
    hall_says(&hall, "Anna", "!report");
    hall_read(&hall);
    ck_assert_ptr_nonnull(strstr(hall_said(&hall), "no game has ended here"));
    ck_assert_ptr_null(sent.page);
}
END_TEST

START_TEST(a_service_that_takes_pictures_alone_is_told_how_a_report_is_made)
{
    gallery.traits.pages = false;
    play_to_the_end();
    hall_says(&hall, "Anna", "!report");
    hall_read(&hall);
    ck_assert_ptr_nonnull(
        strstr(hall_said(&hall), "placard report 1 -o table-1.html"));
    ck_assert_ptr_null(sent.page);
}
END_TEST

START_TEST(of_a_game_that_is_not_there_no_picture_is_drawn)
{
    struct envelope envelope = {.game = "none", .place = "", .batch = 1};
    struct board_picture picture = {.width = 0};
    struct buf alt = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_int_ne(desk_draw(&hall.stage->desk, &envelope, hall.stage->now,
                               &picture, &alt, &why),
                     ERR_NONE);
    ck_assert_uint_gt(why.len, 0);
    buf_release(&alt);
    buf_release(&why);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/pictures");
    TCase *tests = tcase_create("desk_draw");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_policy_that_is_enacted_is_shown_as_a_picture_too);
    tcase_add_test(tests, a_policy_by_chaos_is_shown_too);
    tcase_add_test(tests, the_last_board_is_shown_when_the_table_is_gone);
    tcase_add_test(tests,
                   a_picture_is_of_the_moment_at_which_its_letter_was_written);
    tcase_add_test(tests, a_service_that_takes_no_pictures_gets_none);
    tcase_add_test(tests, a_refused_picture_is_left_out_for_a_day);
    tcase_add_test(tests, a_report_is_a_file_once_the_game_is_over);
    tcase_add_test(tests,
                   a_report_is_of_the_last_game_while_the_next_table_fills);
    tcase_add_test(tests, there_is_no_report_of_a_game_that_is_running);
    tcase_add_test(tests, where_no_game_has_ended_there_is_no_report);
    tcase_add_test(
        tests,
        a_service_that_takes_pictures_alone_is_told_how_a_report_is_made);
    tcase_add_test(tests, of_a_game_that_is_not_there_no_picture_is_drawn);
    suite_add_tcase(suite, tests);
    return suite;
}
