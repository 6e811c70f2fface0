#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/host/table/move.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct buf why;

static void
set_up(void)
{
    buf_init(&why, 0);
}

static void
tear_down(void)
{
    buf_release(&why);
}

/* An empty move, to the last byte of its padding. */
static void
blank(struct move *move, enum move_kind kind)
{
    memset(move, 0, sizeof *move);
    move->kind = kind;
    move->at = 1795255200000;
    move->now = 1795255201234;
}

/* Written and read, a move is the same, and so is its text. */
static void
assert_kept(const struct move *move)
{
    struct buf text = BUF_INIT;
    struct buf again = BUF_INIT;
    struct move got;
    move_write(move, &text);
    ck_assert_ptr_null(strchr(buf_text(&text), '\n'));
    ck_assert_msg(move_read(text.data, text.len, &got, &why) == ERR_NONE,
                  "%s: %s", buf_text(&text), buf_text(&why));
    move_write(&got, &again);
    ck_assert_str_eq(buf_text(&again), buf_text(&text));
    ck_assert_int_eq(got.kind, move->kind);
    ck_assert_int_eq(got.at, move->at);
    ck_assert_int_eq(got.now, move->now);
    ck_assert_str_eq(got.user, move->user);
    ck_assert_str_eq(got.name, move->name);
    ck_assert_str_eq(got.text, move->text);
    ck_assert_int_eq(got.pressed, move->pressed);
    ck_assert_int_eq(got.planned, move->planned);
    ck_assert_mem_eq(&got.command, &move->command, sizeof got.command);
    ck_assert_mem_eq(got.secret, move->secret, sizeof got.secret);
    buf_release(&text);
    buf_release(&again);
}

START_TEST(every_kind_of_move_is_kept)
{
    for (int kind = 0; kind < MOVE_KINDS; kind++) {
        struct move move;
        blank(&move, (enum move_kind)kind);
        if (kind == MOVE_OPEN) {
            settings_defaults(&move.settings);
        }
        assert_kept(&move);
        TEXT_COPY(move.user, "@anna:example.org");
        TEXT_COPY(move.name, "Anna");
        TEXT_COPY(move.text, "not used in time");
        assert_kept(&move);
    }
}
END_TEST

static void
play(struct command command)
{
    struct move move;
    blank(&move, MOVE_PLAY);
    move.command.kind = command.kind;
    move.command.seat = command.seat;
    move.command.target = command.target;
    move.command.card = command.card;
    move.command.yes = command.yes;
    move.command.lots = command.lots;
    move.command.hitler = command.hitler;
    move.command.first = command.first;
    move.command.fascists = command.fascists;
    move.command.tiles = command.tiles;
    assert_kept(&move);
}

START_TEST(every_command_is_kept)
{
    for (int kind = COMMAND_DEAL; kind <= COMMAND_ABANDON; kind++) {
        play(plain((enum command_kind)kind));
    }
    play(deal(10, "FFLFFL"));
    play(deal(5, "LLLLLLFFFFFFFFFFF"));
    play(reshuffle("FFLLF"));
    play(nominate(9, 8));
    play(vote(3, true));
    play(vote(3, false));
    play(discard(1, 2));
    play(by_lots(enact(1, 1)));
    play(by_lots(target(2, 7)));
    play(answer_veto(4, true));
    play(vacate(6));
}
END_TEST

#define ROW(kind, rest)                                                        \
    "{\"move\":\"" kind "\",\"at\":1,\"now\":2,\"user\":\"@anna\"" rest "}"

/* The journal calls many a member of its own `number`. */
static const char *const numbered[] = {
    ROW("join", ",\"number\":1"),
    ROW("reserve", ",\"number\":1"),
    ROW("alias", ",\"number\":1"),
    ROW("reminders", ",\"number\":2"),
    ROW("emoji", ",\"number\":1"),
    ROW("ready", ",\"number\":1"),
    ROW("extend", ",\"until\":3,\"number\":5"),
    ROW("remind", ",\"remind\":3,\"number\":1023"),
    ROW("called", ",\"until\":3,\"session\":4,\"number\":1"),
    ROW("aim", ",\"until\":3,\"number\":1"),
    ROW("aim", ",\"until\":3,\"number\":10"),
    ROW("aim", ""),
    ROW("rewind", ",\"number\":4294967295"),
    ROW("ask", ",\"text\":\"undo\",\"number\":41"),
    ROW("agree", ",\"number\":41"),
    ROW("answered", ",\"number\":41"),
    ROW("claim", ",\"text\":\"FFL\",\"number\":12"),
    ROW("receipts", ",\"number\":1"),
    ROW("warn", ",\"number\":1"),
    ROW("prod", ",\"session\":3,\"number\":2"),
};

START_TEST(a_number_stays_as_it_was_written)
{
    struct move move;
    struct buf text = BUF_INIT;
    const char *row = numbered[_i];
    ck_assert_int_eq(move_read(row, strlen(row), &move, &why), ERR_NONE);
    move_write(&move, &text);
    ck_assert_str_eq(buf_text(&text), row);
    buf_release(&text);
}
END_TEST

static struct move
read_row(const char *row)
{
    struct move move;
    ck_assert_int_eq(move_read(row, strlen(row), &move, &why), ERR_NONE);
    return move;
}

START_TEST(a_number_is_what_its_kind_makes_of_it)
{
    ck_assert(read_row(ROW("join", ",\"number\":1")).held);
    ck_assert(!read_row(ROW("join", "")).held);
    ck_assert(read_row(ROW("alias", ",\"number\":1")).replaces_held);
    ck_assert_int_eq(read_row(ROW("prod", ",\"number\":1")).prodded,
                     PRODDED_PLAYER);
    ck_assert_int_eq(read_row(ROW("extend", "")).extended,
                     EXTENDED_BY_MODERATOR);
    ck_assert_uint_eq(read_row(ROW("aim", ",\"number\":1")).announced, 0);
    ck_assert_uint_eq(read_row(ROW("aim", "")).announced, NO_SEAT);
    ck_assert_uint_eq(read_row(ROW("rewind", ",\"number\":7")).row, 7);
    ck_assert_uint_eq(read_row(ROW("remind", ",\"number\":6")).caught_up, 6);
    ck_assert_uint_eq(
        read_row(ROW("play", ",\"number\":1023,\"do\":\"close\"")).unasked,
        NOBODY_MISSED);
}
END_TEST

START_TEST(that_a_button_was_pressed_is_kept_and_says_nothing_where_none_was)
{
    struct move move;
    struct buf text = BUF_INIT;
    blank(&move, MOVE_PLAY);
    move.command = vote(3, true);
    move_write(&move, &text);
    ck_assert_ptr_null(strstr(buf_text(&text), "pressed"));
    move.pressed = true;
    assert_kept(&move);
    buf_release(&text);
}
END_TEST

START_TEST(that_a_plan_was_used_is_kept)
{
    struct move move;
    struct buf text = BUF_INIT;
    blank(&move, MOVE_PLAY);
    move.command = nominate(9, 8);
    move_write(&move, &text);
    ck_assert_ptr_null(strstr(buf_text(&text), "planned"));
    move.planned = true;
    assert_kept(&move);
    buf_release(&text);
}
END_TEST

START_TEST(what_a_player_is_called_is_kept_whatever_it_is)
{
    static const char *const names[] = {
        "\"",         "\\",
        "\\u0041",    "{}",
        "Zo\xC3\xAB", "\xF0\x9F\x8E\xAD",
        "a\tb\nc",    "null",
        "\x7F",       "'); DROP TABLE journal;--",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct move move;
        blank(&move, MOVE_JOIN);
        TEXT_COPY(move.name, names[i]);
        TEXT_COPY(move.user, names[i]);
        assert_kept(&move);
    }
    struct move move;
    blank(&move, MOVE_JOIN);
    memset(move.name, 'x', RECORD_NAME_MAX);
    memset(move.user, 'y', ADAPTER_ID_MAX);
    memset(move.text, 'z', sizeof move.text - 1);
    assert_kept(&move);
}
END_TEST

START_TEST(a_table_opens_with_all_its_settings)
{
    static const char *const set[][2] = {
        {"election", "48h"},
        {"nomination", "30h"},
        {"president", "1h"},
        {"chancellor", "2h"},
        {"veto", "3h"},
        {"power", "4h"},
        {"grace", "5h"},
        {"cards_timeout", "wait"},
        {"power_timeout", "lots"},
        {"misses", "7"},
        {"zone", "Europe/Oslo"},
        {"prefix", "?"},
        {"seats", "random"},
        {"rules", "french"},
        {"ballot", "open"},
        {"vote_closes", "decided"},
        {"term_limit", "last_enacted"},
    };
    struct move move;
    struct move got;
    struct buf text = BUF_INIT;
    blank(&move, MOVE_OPEN);
    settings_defaults(&move.settings);
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        ck_assert_int_eq(
            settings_set(&move.settings, set[i][0], set[i][1], &why), ERR_NONE);
    }
    TEXT_COPY(move.id, "27");
    TEXT_COPY(move.place, "the place");
    TEXT_COPY(move.thread, "!room:example.org");
    move.players_min = 6;
    move.players_max = 9;
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        move.secret[i] = (unsigned char)(i * 37);
    }
    move.fair = true;
    assert_kept(&move);
    move_write(&move, &text);
    ck_assert_int_eq(move_read(text.data, text.len, &got, &why), ERR_NONE);
    ck_assert_mem_eq(&got.settings, &move.settings, sizeof got.settings);
    ck_assert_str_eq(got.id, "27");
    ck_assert_str_eq(got.place, "the place");
    ck_assert_str_eq(got.thread, "!room:example.org");
    ck_assert_uint_eq(got.players_min, 6);
    ck_assert_uint_eq(got.players_max, 9);
    buf_release(&text);
}
END_TEST

START_TEST(how_many_may_play_is_kept)
{
    struct move move;
    struct move got;
    struct buf text = BUF_INIT;
    blank(&move, MOVE_PLAYERS);
    move.players_min = 5;
    move.players_max = 8;
    move_write(&move, &text);
    ck_assert_int_eq(move_read(text.data, text.len, &got, &why), ERR_NONE);
    ck_assert_uint_eq(got.players_min, 5);
    ck_assert_uint_eq(got.players_max, 8);
    buf_release(&text);
}
END_TEST

#define SECRET                                                                 \
    "\"secret\":"                                                              \
    "\"0000000000000000000000000000000000000000000000000000000000000000\""

START_TEST(a_setting_that_was_not_there_yet_is_as_by_default)
{
    static const char row[] =
        "{\"move\":\"open\",\"at\":1,\"now\":2,\"id\":\"1\"," SECRET
        ",\"settings\":{\"misses\":\"5\",\"colour\":\"red\"}}";
    struct move move;
    struct settings normal;
    settings_defaults(&normal);
    ck_assert_int_eq(move_read(row, strlen(row), &move, &why), ERR_NONE);
    ck_assert_int_eq(move.settings.misses, 5);
    ck_assert_int_eq(move.settings.election, normal.election);
}
END_TEST

START_TEST(where_the_gallery_is_is_kept)
{
    struct move move;
    struct move got;
    struct buf text = BUF_INIT;
    blank(&move, MOVE_GALLERY);
    TEXT_COPY(move.thread, "!gallery:example.org");
    assert_kept(&move);
    move_write(&move, &text);
    ck_assert_int_eq(move_read(text.data, text.len, &got, &why), ERR_NONE);
    ck_assert_str_eq(got.thread, "!gallery:example.org");
    buf_release(&text);
}
END_TEST

/* When the executed were told the roles, and there was no gallery. */
START_TEST(a_gallery_of_an_earlier_version_is_read)
{
    static const char open[] = "{\"move\":\"open\",\"at\":1,\"now\":2," SECRET
                               ",\"settings\":{\"gallery\":\"on\"}}";
    static const char row[] =
        "{\"move\":\"gallery\",\"at\":1,\"now\":2,\"user\":\"Bob\"}";
    struct move move;
    ck_assert_int_eq(move_read(open, strlen(open), &move, &why), ERR_NONE);
    ck_assert_str_eq(move.settings.gallery, "on");
    ck_assert_int_eq(move_read(row, strlen(row), &move, &why), ERR_NONE);
    ck_assert_str_eq(move.user, "Bob");
    ck_assert_str_eq(move.thread, "");
}
END_TEST

#define OPEN(rest) "{\"move\":\"open\",\"at\":1,\"now\":2" rest "}"

static const char *const garbage[] = {
    "",
    "{",
    "null",
    "[]",
    "7",
    "{}",
    "{\"move\":\"fly\",\"at\":1,\"now\":2}",
    "{\"move\":1,\"at\":1,\"now\":2}",
    "{\"move\":\"start\",\"move\":\"start\",\"at\":1,\"now\":2}",
    "{\"move\":\"start\",\"at\":-1,\"now\":2}",
    "{\"move\":\"start\",\"at\":\"1\",\"now\":2}",
    "{\"move\":\"start\",\"at\":1.5,\"now\":2}",
    "{\"move\":\"start\",\"at\":9223372036854775808,\"now\":2}",
    "{\"move\":\"start\",\"at\":1,\"now\":2} {}",
    "{\"move\":\"start\",\"at\":1,\"now\":2,}",
    "{\"move\":\"join\",\"at\":1,\"now\":2,\"user\":7}",
    "{\"move\":\"play\",\"at\":1,\"now\":2}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"cheat\"}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"vote\",\"seat\":256}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"vote\",\"seat\":-1}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"vote\",\"yes\":2}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"vote\",\"yes\":true}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"enact\",\"card\":18}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"deal\",\"tiles\":18}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"deal\",\"liberal\":131072}",
    "{\"move\":\"play\",\"at\":1,\"now\":2,\"do\":\"deal\","
    "\"fascists\":65536}",
    OPEN(""),
    OPEN("," SECRET),
    OPEN(",\"secret\":7,\"settings\":{}"),
    OPEN("," SECRET ",\"settings\":[]"),
    OPEN("," SECRET ",\"settings\":null"),
    OPEN("," SECRET ",\"settings\":{\"misses\":\"many\"}"),
    OPEN("," SECRET ",\"settings\":{\"rules\":\"chess\"}"),
    OPEN("," SECRET ",\"settings\":{},\"players_max\":11"),
    OPEN("," SECRET ",\"settings\":{},\"id\":"
         "\"123456789012345678901234567890123\""),
    OPEN(",\"secret\":\"00\",\"settings\":{}"),
    OPEN(",\"secret\":"
         "\"000000000000000000000000000000000000000000000000000000000000000G\""
         ",\"settings\":{}"),
    OPEN(",\"secret\":"
         "\"000000000000000000000000000000000000000000000000000000000000000A\""
         ",\"settings\":{}"),
};

START_TEST(garbage_is_refused_with_a_sentence)
{
    struct move move;
    ck_assert_msg(move_read(garbage[_i], strlen(garbage[_i]), &move, &why) ==
                      ERR_GARBLED,
                  "%s", garbage[_i]);
    ck_assert_uint_gt(why.len, 0);
}
END_TEST

START_TEST(texts_that_are_too_long_are_refused)
{
    static const struct {
        const char *key;
        size_t max;
    } keys[] = {{"user", ADAPTER_ID_MAX},
                {"name", RECORD_NAME_MAX},
                {"text", 255},
                {"post", ADAPTER_ID_MAX},
                {"out", ADAPTER_ID_MAX}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        for (size_t more = 0; more < 2; more++) {
            char text[300] = "";
            char row[400];
            struct move move;
            memset(text, 'x', keys[i].max + more);
            snprintf(row, sizeof row,
                     "{\"move\":\"join\",\"at\":1,\"now\":2,\"%s\":\"%s\"}",
                     keys[i].key, text);
            ck_assert_int_eq(move_read(row, strlen(row), &move, &why),
                             more == 0 ? ERR_NONE : ERR_GARBLED);
        }
    }
}
END_TEST

START_TEST(a_row_that_was_cut_off_is_refused)
{
    struct move move;
    struct buf text = BUF_INIT;
    blank(&move, MOVE_OPEN);
    settings_defaults(&move.settings);
    move_write(&move, &text);
    for (size_t len = 0; len < text.len; len++) {
        struct move got;
        ck_assert_int_eq(move_read(text.data, len, &got, &why), ERR_GARBLED);
    }
    buf_release(&text);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/move");
    TCase *tcase = tcase_create("move");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_kind_of_move_is_kept);
    tcase_add_test(
        tcase,
        that_a_button_was_pressed_is_kept_and_says_nothing_where_none_was);
    tcase_add_test(tcase, that_a_plan_was_used_is_kept);
    tcase_add_loop_test(tcase, a_number_stays_as_it_was_written, 0,
                        sizeof numbered / sizeof numbered[0]);
    tcase_add_test(tcase, a_number_is_what_its_kind_makes_of_it);
    tcase_add_test(tcase, every_command_is_kept);
    tcase_add_test(tcase, what_a_player_is_called_is_kept_whatever_it_is);
    tcase_add_test(tcase, a_table_opens_with_all_its_settings);
    tcase_add_test(tcase, how_many_may_play_is_kept);
    tcase_add_test(tcase, a_setting_that_was_not_there_yet_is_as_by_default);
    tcase_add_test(tcase, where_the_gallery_is_is_kept);
    tcase_add_test(tcase, a_gallery_of_an_earlier_version_is_read);
    tcase_add_loop_test(tcase, garbage_is_refused_with_a_sentence, 0,
                        sizeof garbage / sizeof garbage[0]);
    tcase_add_test(tcase, texts_that_are_too_long_are_refused);
    tcase_add_test(tcase, a_row_that_was_cut_off_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
