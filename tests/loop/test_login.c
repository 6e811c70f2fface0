/*
 * Logging in while a game is on: the session of a phpBB board ends, and a
 * captcha stands before its log-in.  The game is played at the embedded board;
 * before each operation there the host logs in at the other as it does at a
 * real one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/log.h"
#include "tests/support/fake_phpbb.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

/* The entrance. */
static struct {
    struct phpbb *board;
    bool inside, closing; /* it closes before the next post is sent */
    int64_t lasts;        /* ms: a token; 0: for good */
    unsigned asked_who;
    struct request asked;
    struct buf work, page;
} door;

static struct adapter guarded;

static const struct service entrance = {.adapter = &adapter_phpbb,
                                        .name = "phpbb",
                                        .base = PHPBB_BASE,
                                        .user = "placard",
                                        .password = PHPBB_PASSWORD};

/* Put what is asked of the board aside: what the dispatch carries in its place
 * is answered at once. */
static enum advance
put_aside(struct request *request)
{
    request_clear(&door.asked);
    door.asked = *request;
    *request = (struct request){.method = "GET", .login = door.asked.login};
    buf_add_text(&request->url, "board:/aside");
    return ADVANCE_REQUEST;
}

/* Log in, as the adapter does to learn who it is. */
static enum advance
log_in(const struct reply *reply, struct outcome *out, struct buf *trouble)
{
    const struct op op = {.kind = OP_WHO};
    struct reply answer;

    if (reply == NULL) {
        buf_wipe(&door.work);
    } else {
        phpbb_serve(door.board, room.stage->now, &door.asked, &door.page,
                    &answer);
    }
    enum advance advance =
        adapter_phpbb.advance(&entrance, &op, &door.work,
                              reply == NULL ? NULL : &answer, out, trouble);

    return advance == ADVANCE_REQUEST ? put_aside(&out->request) : advance;
}

static enum advance
guarded_advance(const struct service *service, const struct op *op,
                struct buf *work, const struct reply *reply,
                struct outcome *out, struct buf *trouble)
{
    if (door.closing && op->kind == OP_SEND && reply == NULL) {
        door.closing = door.inside = false;
    }
    if (!door.inside) {
        enum advance advance = log_in(reply, out, trouble);

        if (advance != ADVANCE_DONE) {
            return advance;
        }
        door.inside = true;
        outcome_release(out);
        *out = (struct outcome){.err = ERR_NONE};
        reply = NULL;
    }
    enum advance advance =
        adapter_board.advance(service, op, work, reply, out, trouble);

    if (op->kind == OP_WHO && advance == ADVANCE_DONE) {
        door.asked_who++;
        out->wait = door.lasts;
    }
    return advance;
}

static void
set_up(void)
{
    memset(&door, 0, sizeof door);
    door.board = phpbb_new();
    door.inside = true;
    buf_init(&door.work, ADAPTER_SCRATCH_MAX);
    guarded = adapter_board;
    guarded.advance = guarded_advance;
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    room_begin(&room, 5);
    room.stage->tables.services.list[0].adapter = &guarded;
    TEXT_COPY(room.stage->conf.alarm, "board Olga");
}

static void
tear_down(void)
{
    room_release(&room);
    phpbb_free(door.board);
    request_clear(&door.asked);
    buf_wipe(&door.work);
    buf_release(&door.page);
    buf_release(&why);
}

static void
pass(int64_t time)
{
    for (int64_t step = 0; step < time; step += 5 * SECOND_MS) {
        room_waits(&room, 5 * SECOND_MS);
    }
}

/* The session ends. */
static void
end_session(bool captcha)
{
    door.inside = false;
    phpbb_ask_captcha(door.board, captcha);
}

START_TEST(a_session_that_ends_is_renewed_and_nothing_is_lost)
{
    end_session(false);
    room_names(&room, 1);
    ck_assert_uint_eq(phpbb_logins(door.board), 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", ""), 0);
}
END_TEST

START_TEST(a_token_is_renewed_before_it_ends)
{
    struct job *who = &room.stage->loop.services[0].who;

    door.lasts = 4 * MINUTE_MS;
    *who = (struct job){.next = 0};
    pass(3 * MINUTE_MS);
    ck_assert_uint_eq(door.asked_who, 1);
    pass(2 * MINUTE_MS);
    ck_assert_uint_eq(door.asked_who, 2);
    ck_assert(who->done);
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    door.lasts = 0;
    pass(4 * MINUTE_MS);
    ck_assert_uint_eq(door.asked_who, 3);
    pass(10 * MINUTE_MS);
    ck_assert_uint_eq(door.asked_who, 3);
}
END_TEST

/* The host has more than one thing to ask when the session ends. */
START_TEST(before_a_captcha_it_is_tried_once_in_ten_minutes)
{
    unsigned tries = 0;
    int64_t last = 0;

    end_session(true);
    room_names(&room, 1);
    for (int64_t time = 0; time < HOUR_MS; time += 5 * SECOND_MS) {
        if (phpbb_attempts(door.board) != tries) {
            ck_assert_uint_eq(phpbb_attempts(door.board), tries + 1);
            ck_assert(tries == 0 || time - last >= 10 * MINUTE_MS);
            tries++;
            last = time;
        }
        room_waits(&room, 5 * SECOND_MS);
    }
    ck_assert_uint_ge(tries, 5);
    ck_assert_uint_le(tries, 6);
    ck_assert_uint_eq(phpbb_logins(door.board), 0);
}
END_TEST

START_TEST(what_was_held_by_a_captcha_arrives_once_and_in_order)
{
    phpbb_ask_captcha(door.board, true);
    door.closing = true;
    room_names(&room, 1);
    pass(25 * MINUTE_MS);
    ck_assert(!door.inside);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 0);
    room_posts(&room, "Anna", "**Ja!**");
    phpbb_ask_captcha(door.board, false);
    pass(12 * MINUTE_MS);
    ck_assert_uint_eq(phpbb_logins(door.board), 1);
    ck_assert_uint_eq(room_count_said(&room, "Anna nominates Bob"), 1);
    room_votes(&room, true);
    ck_assert_uint_eq(room_count_said(&room, "Elected"), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "you're President"), 1);
}
END_TEST

START_TEST(the_operator_is_told_of_the_captcha_once_and_what_to_do)
{
    end_session(true);
    ck_assert_ptr_nonnull(freopen(room_path(&room, "log"), "w", stderr));
    ck_assert_int_eq(setvbuf(stderr, NULL, _IONBF, 0), 0);
    log_set_level(LOG_LEVEL_WARNING);
    room_names(&room, 1);
    pass(25 * MINUTE_MS);
    struct buf log = BUF_INIT;

    ck_assert_int_eq(file_read(room_path(&room, "log"), &log, &why), ERR_NONE);
    const char *line = strstr(buf_text(&log), "log in once as placard in a "
                                              "browser");

    ck_assert_msg(line != NULL, "%s", buf_text(&log));
    ck_assert_ptr_null(strstr(line + 1, "log in once as"));
    /* The password is right. */
    ck_assert_ptr_null(strstr(buf_text(&log), "put the right password"));
    ck_assert_ptr_null(strstr(buf_text(&log), PHPBB_PASSWORD));
    phpbb_ask_captcha(door.board, false);
    pass(12 * MINUTE_MS);
    ck_assert_uint_eq(room_count_told(&room, "Olga", "CAPTCHA"), 1);
    buf_release(&log);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("loop/login");
    TCase *tests = tcase_create("login");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_session_that_ends_is_renewed_and_nothing_is_lost);
    tcase_add_test(tests, a_token_is_renewed_before_it_ends);
    tcase_add_test(tests, before_a_captcha_it_is_tried_once_in_ten_minutes);
    tcase_add_test(tests, what_was_held_by_a_captcha_arrives_once_and_in_order);
    tcase_add_test(tests,
                   the_operator_is_told_of_the_captcha_once_and_what_to_do);
    suite_add_tcase(suite, tests);
    return suite;
}
