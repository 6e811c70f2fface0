/*
 * The board picture that goes with a message, at a service that takes pictures:
 * the board's own, but for that.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/log.h"
#include "bot/host/words/board_words.h"
#include "bot/tables/delivery/pictures.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct adapter gallery;

/* What the last message with a picture was. */
static struct {
    unsigned messages, pictures;
    bool refused;                /* each picture is */
    char *text, *caption, *page; /* of the last that had something with it */
    unsigned width, height;
    size_t len;
    bool is_png, is_page;
} sent;

static void
note(const struct op *op)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    const struct picture *picture = &op->picture;
    sent.messages++;
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
    sent.text = strdup(op->text);
    sent.caption = strdup(picture->caption);
    sent.width = picture->width;
    sent.height = picture->height;
    sent.len = picture->len;
    sent.is_png = memcmp(picture->bytes, png, sizeof png) == 0;
}

static enum advance
take_turn(const struct service *service, const struct op *op, struct buf *work,
          const struct reply *reply, struct outcome *out, struct buf *why)
{
    if (op->kind == OP_SEND && reply == NULL) {
        note(op);
    }
    out->unpictured = sent.refused && op->picture.bytes != NULL;
    return adapter_board.advance(service, op, work, reply, out, why);
}

static void
set_up(void)
{
    gallery = adapter_board;
    gallery.capabilities.uploads = true;
    gallery.capabilities.pages = true;
    gallery.advance = take_turn;
    memset(&sent, 0, sizeof sent);
    room_init(&room);
    room.deck = "FFFLLLLLLFFFFFF";
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &gallery;
}

static void
tear_down(void)
{
    free(sent.text);
    free(sent.caption);
    free(sent.page);
    room_release(&room);
}

START_TEST(a_policy_that_is_enacted_is_shown_as_a_picture_too)
{
    room_begin(&room, 7);
    room_elects(&room, 1);
    ck_assert_uint_gt(sent.messages, 0);
    ck_assert_uint_eq(sent.pictures, 0);
    room_discards(&room, false);
    room_enacts(&room, false);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert(sent.is_png);
    ck_assert_uint_le(sent.len, BOARD_PICTURE_MAX);
    ck_assert_uint_eq(sent.width, BOARD_PICTURE_WIDTH);
    ck_assert_uint_gt(sent.height, 0);
    /* Always beside the board in words. */
    ck_assert_ptr_nonnull(strstr(sent.text, "Fascist 1 of 6"));
    ck_assert_ptr_nonnull(strstr(sent.caption, "Fascist: 1 of 6"));
    ck_assert_ptr_nonnull(strstr(sent.caption, "2 Bob (candidate)"));
    room_rejects(&room);
    ck_assert_uint_eq(sent.pictures, 1);
}
END_TEST

START_TEST(a_policy_by_chaos_is_shown_too)
{
    room_begin(&room, 5);
    room_rejects(&room);
    room_rejects(&room);
    ck_assert_uint_eq(sent.pictures, 0);
    room_rejects(&room);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert_ptr_nonnull(strstr(sent.caption, "Fascist: 1 of 6"));
}
END_TEST

/* Five liberal policies, and it is over. */
static void
play_to_the_end(void)
{
    room.deck = "LFFLFFLFFLFFLFF";
    room_begin(&room, 7);
    for (int i = 0; i < LIBERAL_WIN; i++) {
        room_governs(&room, room_choice(&room), true);
    }
}

START_TEST(the_last_board_is_shown_when_the_table_is_gone)
{
    play_to_the_end();
    ck_assert_uint_eq(room.stage->tables.hosted.count, 0);
    ck_assert_uint_eq(sent.pictures, LIBERAL_WIN);
    ck_assert_ptr_nonnull(strstr(sent.text, "What was really in the hands"));
    ck_assert_ptr_nonnull(
        strstr(sent.caption, "The Liberals win: five policies."));
}
END_TEST

START_TEST(a_picture_is_of_the_moment_at_which_its_message_was_written)
{
    struct board_picture picture;
    struct buf alt = BUF_INIT;
    struct buf why = BUF_INIT;
    room_begin(&room, 7);
    room_governs(&room, 1, false);
    room_rejects(&room);
    room_rejects(&room);
    struct queued_message queued = {
        .game = "1",
        .batch = room_query(&room, "store.db",
                            "SELECT batch FROM message WHERE picture = 1")};
    (void)snprintf(queued.place, sizeof queued.place, "%s",
                   room_table(&room)->place);
    ck_assert_msg(pictures_draw(&room.stage->tables, &queued, room.stage->now,
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
    room.stage->tables.services.list[0].adapter = &adapter_board;
    room_begin(&room, 7);
    room_governs(&room, 1, false);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM message WHERE picture"),
                     0);
}
END_TEST

/* One that is refused is not tried with every post, but the next day. */
START_TEST(a_refused_picture_is_left_out_for_a_day)
{
    log_set_level(LOG_LEVEL_NONE);
    sent.refused = true;
    room_begin(&room, 7);
    room_governs(&room, 1, false);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert_uint_ge(room_count_said(&room, "Fascist 1 of 6"), 1);
    sent.refused = false;
    room_governs(&room, 2, true);
    ck_assert_uint_eq(sent.pictures, 1);
    ck_assert_uint_ge(room_count_said(&room, "Liberal 1 of 5"), 1);
    int64_t *until = &room.stage->loop.places[0].unpictured[false];
    ck_assert_int_le(*until, room.stage->now + DAY_MS);
    ck_assert_int_gt(*until, room.stage->now + 23 * HOUR_MS);
    *until = room.stage->now;
    room_governs(&room, 3, true);
    ck_assert_uint_eq(sent.pictures, 2);
}
END_TEST

START_TEST(a_report_is_a_file_once_the_game_is_over)
{
    play_to_the_end();
    room_read(&room);
    ck_assert_ptr_nonnull(strstr(room_said(&room), "!report"));
    ck_assert_ptr_null(sent.page);
    room_says(&room, "Stranger", "!report");
    ck_assert_ptr_nonnull(sent.page);
    ck_assert_str_eq(sent.page, "table-1.html");
    ck_assert(sent.is_page);
    room_read(&room);
    ck_assert_ptr_nonnull(strstr(room_said(&room), "Table 1 as one page"));
}
END_TEST

/* It is made when it is sent: by then the game is over on disk. */
START_TEST(at_the_end_the_report_is_posted_where_that_is_set)
{
    room_release(&room);
    room_init(&room);
    room.deck = "FFFLLLLLLFFFFFF";
    room_set(&room, "report", "on");
    room_open(&room);
    room.stage->tables.services.list[0].adapter = &gallery;
    play_to_the_end();
    ck_assert_ptr_nonnull(sent.page);
    ck_assert_str_eq(sent.page, "table-1.html");
    ck_assert(sent.is_page);
    room_read(&room);
    ck_assert_uint_eq(room_count_said(&room, "Table 1 as one page"), 1);
    ck_assert_uint_eq(room_count_said(&room, "!report"), 0);
}
END_TEST

START_TEST(a_report_is_of_the_last_game_while_the_next_table_fills)
{
    play_to_the_end();
    room_says(&room, "Mo", "!new");
    room_says(&room, "Anna", "!join");
    room_says(&room, "Anna", "!report");
    ck_assert_ptr_nonnull(sent.page);
    ck_assert_str_eq(sent.page, "table-1.html");
}
END_TEST

START_TEST(there_is_no_report_of_a_game_that_is_running)
{
    room_begin(&room, 7);
    room_says(&room, "Anna", "!report");
    room_read(&room);
    ck_assert_ptr_nonnull(
        strstr(room_said(&room), "wait until the game is over"));
    unsigned messages = sent.messages;
    room_says(&room, "Stranger", "!report");
    ck_assert_uint_eq(sent.messages, messages);
    ck_assert_ptr_null(sent.page);
    /* Nor does a message of it get past the tables. */
    struct queued_message queued = {.message = {.report = (char[]){"1"}}};
    struct buf html = BUF_INIT;
    struct buf why = BUF_INIT;
    (void)snprintf(queued.place, sizeof queued.place, "%s",
                   room_table(&room)->place);
    ck_assert_int_eq(pictures_report(&room.stage->tables, &queued,
                                     room.stage->now, &html, &why),
                     ERR_DENIED);
    ck_assert_uint_eq(html.len, 0);
    buf_release(&why);
}
END_TEST

START_TEST(where_no_game_has_ended_there_is_no_report)
{
    room_says(&room, "Anna", "!report");
    room_read(&room);
    ck_assert_ptr_nonnull(strstr(room_said(&room), "no game has ended here"));
    ck_assert_ptr_null(sent.page);
}
END_TEST

START_TEST(a_service_that_takes_no_pages_gets_the_report_as_posts)
{
    gallery.capabilities.pages = false;
    play_to_the_end();
    room_says(&room, "Anna", "!report");
    room_read(&room);
    ck_assert_ptr_nonnull(
        strstr(room_said(&room), "Table 1: all hands, votes and claims."));
    ck_assert_ptr_null(sent.page);
}
END_TEST

START_TEST(of_a_game_that_is_not_there_no_picture_is_drawn)
{
    struct queued_message queued = {.game = "none", .place = "", .batch = 1};
    struct board_picture picture = {.width = 0};
    struct buf alt = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_int_ne(pictures_draw(&room.stage->tables, &queued,
                                   room.stage->now, &picture, &alt, &why),
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
    tcase_add_test(tests, a_policy_that_is_enacted_is_shown_as_a_picture_too);
    tcase_add_test(tests, a_policy_by_chaos_is_shown_too);
    tcase_add_test(tests, the_last_board_is_shown_when_the_table_is_gone);
    tcase_add_test(tests,
                   a_picture_is_of_the_moment_at_which_its_message_was_written);
    tcase_add_test(tests, a_service_that_takes_no_pictures_gets_none);
    tcase_add_test(tests, a_refused_picture_is_left_out_for_a_day);
    tcase_add_test(tests, a_report_is_a_file_once_the_game_is_over);
    tcase_add_test(tests, at_the_end_the_report_is_posted_where_that_is_set);
    tcase_add_test(tests,
                   a_report_is_of_the_last_game_while_the_next_table_fills);
    tcase_add_test(tests, there_is_no_report_of_a_game_that_is_running);
    tcase_add_test(tests, where_no_game_has_ended_there_is_no_report);
    tcase_add_test(tests,
                   a_service_that_takes_no_pages_gets_the_report_as_posts);
    tcase_add_test(tests, of_a_game_that_is_not_there_no_picture_is_drawn);
    suite_add_tcase(suite, tests);
    return suite;
}
