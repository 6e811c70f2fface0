/*
 * What the log says of games.
 */
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "bot/base/log.h"
#include "tests/support/caught_log.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.keeps_log = true;
    room.deck = "LFFLFFLFFLFFLFFLF";
    caught_log_begin();
}

static void
tear_down(void)
{
    room_release(&room);
    log_set_form(LOG_FORM_TEXT);
    caught_log_end();
}

/* The log without times, which is emptied. */
static const char *
logged(void)
{
    static struct buf text;
    const char *line = buf_text(&room.log);
    buf_release(&text);
    while (*line != '\0') {
        size_t len = strcspn(line, "\n") + 1;
        if (strncmp(line, "at ", 3) != 0) {
            buf_add(&text, line, len);
        }
        line += len;
    }
    buf_clear(&room.log);
    return buf_text(&text);
}

START_TEST(a_game_can_be_told_from_its_log)
{
    room_open(&room);
    room_begin(&room, 5);
    ck_assert_str_eq(logged(),
                     "info: table 1: opened at \"board\"\n"
                     "info: table 1: the game starts with 5 players\n"
                     "info: table 1: round 1, the candidate is Player 1\n");
    room_governs(&room, 1, false);
    ck_assert_str_eq(logged(),
                     "info: table 1: Player 1 nominates Player 2\n"
                     "info: table 1: elected, 3 Ja and 0 Nein\n"
                     "info: table 1: a Fascist policy, now 0 Liberal and 1 "
                     "Fascist\n"
                     "info: table 1: round 2, the candidate is Player 2\n");
    room_rejects(&room);
    ck_assert_str_eq(logged(),
                     "info: table 1: Player 2 nominates Player 3\n"
                     "info: table 1: no government, 0 Ja and 3 Nein\n"
                     "info: table 1: round 3, the candidate is Player 3\n");
    room_govern_to(&room, 3);
    assert_holds(logged(), "info: table 1: Player 4 has a power: peek\n"
                           "info: table 1: Player 4 looks at the next "
                           "policies\n"
                           "info: table 1: round 5, ");
    room_rejects(&room);
    (void)logged();
    room_elects(&room, 4);
    ck_assert_str_eq(logged(), "info: table 1: Player 1 nominates Player 5\n"
                               "info: table 1: elected, 3 Ja and 0 Nein\n"
                               "info: table 1: over, the Fascists win, for "
                               "Hitler is Chancellor\n");
}
END_TEST

/* A moderator commands it, and says yes. */
static void
confirmed(const char *command)
{
    char yes[32];
    room_says(&room, "Mo", command);
    (void)snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->asks);
    room_says(&room, "Mo", yes);
}

START_TEST(the_log_says_what_the_clock_and_moderators_do)
{
    room_open(&room);
    room_begin(&room, 5);
    (void)logged();
    room_names(&room, 1);
    room_expires(&room);
    assert_holds(logged(), "info: table 1: time is up\n"
                           "info: table 1: no government, 0 Ja and 0 Nein\n"
                           "info: table 1: round 2, ");
    room_says(&room, "Mo", "!pause until tomorrow's match is over");
    room_says(&room, "Mo", "!resume");
    ck_assert_str_eq(logged(), "info: table 1: paused\n"
                               "info: table 1: goes on\n");
    room_says(&room, "Mo", "!extend 12h");
    ck_assert_str_eq(logged(), "info: table 1: the deadline moves\n");
    room_says(&room, "Zoe", "!reserve");
    confirmed("!replace Carl with Zoe");
    ck_assert_str_eq(logged(),
                     "info: table 1: somebody takes the seat of Player 3\n");
    confirmed("!end nobody comes");
    ck_assert_str_eq(logged(),
                     "info: table 1: over, a moderator has ended it\n");
}
END_TEST

/* Of some event the first line. */
static json_object *
line_of(const char *event)
{
    const char *line = buf_text(&room.log);
    json_object *read = NULL;
    struct buf why = BUF_INIT;
    while (*line != '\0') {
        size_t len = strcspn(line, "\n");
        if (line[0] == '{') {
            ck_assert_int_eq(jdoc_parse(line, len, true, &read, &why),
                             ERR_NONE);
            const char *found = jdoc_string(read, "event");
            if (found != NULL && strcmp(found, event) == 0) {
                return read;
            }
            json_object_put(read);
        }
        line += len + 1;
    }
    ck_abort_msg("no %s in %s", event, buf_text(&room.log));
}

START_TEST(a_line_of_json_says_which_table_which_round_and_what)
{
    int64_t round = 0;
    log_set_form(LOG_FORM_JSON);
    room_open(&room);
    room_begin(&room, 5);
    room_governs(&room, 1, false);
    room_names(&room, 2);
    json_object *line = line_of("enacted");
    ck_assert_str_eq(jdoc_string(line, "place"), "board");
    ck_assert_str_eq(jdoc_string(line, "table"), "1");
    ck_assert(jdoc_integer(line, "round", &round));
    ck_assert_int_eq(round, 1);
    json_object_put(line);
    line = line_of("opened");
    ck_assert_ptr_null(jdoc_get(line, "round"));
    json_object_put(line);
}
END_TEST

/* Random games, at which people come late, and lots fall. */
START_TEST(a_month_of_a_busy_table_takes_less_than_a_megabyte)
{
    enum {
        MONTH_ROUNDS = 30 * 24, /* one an hour, day and night */
        MEGABYTE = 1000 * 1000
    };
    struct dice dice = {(uint64_t)_i};
    unsigned rounds = 0;
    log_set_form(LOG_FORM_JSON);
    room_open(&room);
    room_begin(&room, 7);
    for (bool on = true; on;) {
        rounds = room_game(&room)->round;
        on = room_improvise(&room, &dice);
        room_settle(&room);
        on = on && stage_table(room.stage) != NULL;
    }
    json_object_put(line_of("ended"));
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        assert_lacks(buf_text(&room.log), room_player(i));
    }
    ck_assert_uint_gt(rounds, 2);
    ck_assert_msg(room.log.len / rounds * MONTH_ROUNDS < MEGABYTE,
                  "%zu bytes in %u rounds", room.log.len, rounds);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/game_log");
    TCase *tcase = tcase_create("game_log");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_game_can_be_told_from_its_log);
    tcase_add_test(tcase, the_log_says_what_the_clock_and_moderators_do);
    tcase_add_test(tcase, a_line_of_json_says_which_table_which_round_and_what);
    tcase_add_loop_test(
        tcase, a_month_of_a_busy_table_takes_less_than_a_megabyte, 0, 5);
    suite_add_tcase(suite, tcase);
    return suite;
}
