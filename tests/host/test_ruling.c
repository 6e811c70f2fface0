/*
 * The ruling: moves, the chance that follows them, and messages; nothing is
 * saved or sent.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/table/ruling.h"
#include "bot/host/words/notice.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct catalogue catalogue;
static struct table table;
static struct ruling ruling;
static struct place place;
static struct host_env env;

static void
set_up(void)
{
    struct buf why = BUF_INIT;
    ck_assert_int_eq(setenv("PLACARD_DATA", "config", 1), 0);
    ck_assert_msg(catalogue_load(&catalogue, "en", THEME_ORIGINAL, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    table_init(&table);
    memset(&place, 0, sizeof place);
    TEXT_COPY(place.name, "board");
    settings_defaults(&place.settings);
    env = (struct host_env){.catalogue = &catalogue,
                            .dialect = &dialect_board,
                            .capabilities = &adapter_board.capabilities,
                            .zone = zone_utc(),
                            .dealer = &dealer_fair,
                            .place = &place,
                            .self = BOARD_HOST,
                            .now = 1795255200000};
}

static void
tear_down(void)
{
    ruling_release(&ruling);
    table_release(&table);
    catalogue_release(&catalogue);
}

static void
begin_ruling(void)
{
    ruling_release(&ruling);
    ruling_init(&ruling, &env, &table);
}

static void
must_play(const struct move *move)
{
    ck_assert_str_eq(refusal_key(ruling_play(&ruling, move)), "none");
}

static void
sign_up(unsigned players)
{
    begin_ruling();
    struct move move = ruling_move(&ruling, MOVE_OPEN, 0);
    TEXT_COPY(move.id, "1");
    TEXT_COPY(move.place, "board");
    TEXT_COPY(move.thread, "thread");
    move.players_min = 5;
    move.players_max = players;
    move.settings = place.settings;
    move.fair = true;
    memset(move.secret, 3, sizeof move.secret);
    must_play(&move);
    for (unsigned i = 0; i < players; i++) {
        move = ruling_move(&ruling, MOVE_JOIN, 0);
        TEXT_COPY(move.user, room_player(i));
        TEXT_COPY(move.name, room_player(i));
        must_play(&move);
    }
}

static void
start(unsigned players)
{
    sign_up(players);
    begin_ruling();
    struct move move = ruling_move(&ruling, MOVE_START, 0);
    must_play(&move);
    ck_assert_int_eq(table.state, TABLE_SEATED);
    ruling_deal(&ruling);
}

static void
play(struct command command)
{
    struct move move = ruling_move(&ruling, MOVE_PLAY, 0);
    move.command = command;
    must_play(&move);
}

START_TEST(a_move_has_the_time_of_its_post_or_the_hosts)
{
    begin_ruling();
    struct move move = ruling_move(&ruling, MOVE_START, 1234);
    ck_assert_int_eq(move.kind, MOVE_START);
    ck_assert_int_eq(move.at, 1234);
    ck_assert_int_eq(move.now, env.now);
    move = ruling_move(&ruling, MOVE_RING, 0);
    ck_assert_int_eq(move.at, env.now);
}
END_TEST

START_TEST(a_deal_without_proof_waits_for_nothing)
{
    sign_up(5);
    table.fair = false;
    begin_ruling();
    struct move move = ruling_move(&ruling, MOVE_START, 0);
    must_play(&move);
    ck_assert_int_eq(table.state, TABLE_RUNNING);
    ck_assert_int_eq(table.game.question, QUESTION_NOMINATE);
    assert_holds(buf_text(&ruling.rows[0].lines), "\"transcript\":null");
}
END_TEST

START_TEST(a_deal_is_as_old_as_the_end_of_the_sign_up)
{
    sign_up(5);
    begin_ruling();
    struct move move = ruling_move(&ruling, MOVE_START, 1234);
    must_play(&move);
    ck_assert_int_eq(table_timer(&table).kind, TIMER_NONE);
    ruling_deal(&ruling);
    ck_assert_int_eq(table.since, 1234);
    ck_assert_int_eq(table.opened, env.now);
}
END_TEST

START_TEST(chance_answers_at_once)
{
    start(7);
    ck_assert_int_eq(table.game.question, QUESTION_NOMINATE);
    ck_assert_uint_eq(ruling.row_count, 2);
    assert_holds(buf_text(&ruling.rows[1].move), "\"do\":\"deal\"");
    assert_holds(buf_text(&ruling.rows[1].lines), "\"event\":\"dealt\"");
    ck_assert_uint_eq(ruling.event_count, 2);
    ck_assert_int_eq(ruling.events[0].kind, EVENT_DEALT);
    ck_assert_int_eq(ruling.events[1].kind, EVENT_ROUND);
}
END_TEST

START_TEST(the_fair_deal_is_the_one_of_the_secret)
{
    unsigned char secret[DEAL_SECRET];
    unsigned char key[DEAL_KEY];
    struct buf transcript = BUF_INIT;
    sign_up(8);
    table_transcript(&table, &transcript);
    begin_ruling();
    struct move move = ruling_move(&ruling, MOVE_START, 0);
    must_play(&move);
    ruling_deal(&ruling);
    memset(secret, 3, sizeof secret);
    deal_key(secret, buf_text(&transcript), transcript.len, key);
    buf_release(&transcript);
    struct command deal = deal_game(key, 8);
    ck_assert_uint_eq(table.game.hitler, deal.hitler);
    ck_assert_uint_eq(table.game.fascists, deal.fascists);
    ck_assert_uint_eq(table.game.president, deal.first);
    ck_assert_uint_eq(table.game.draw.liberal, deal.tiles.liberal);
    ck_assert_uint_eq(dealer_fair.lots(NULL, &table, 5), deal_lots(key, 1, 5));
    table.lots = 4;
    ck_assert_uint_eq(dealer_fair.lots(NULL, &table, 5), deal_lots(key, 5, 5));
}
END_TEST

START_TEST(a_secret_is_thrown_anew_each_time)
{
    unsigned char one[DEAL_SECRET];
    unsigned char other[DEAL_SECRET];
    dealer_fair.generate_secret(NULL, one);
    dealer_fair.generate_secret(NULL, other);
    ck_assert_int_ne(memcmp(one, other, sizeof one), 0);
}
END_TEST

START_TEST(a_refusal_leaves_no_trace)
{
    start(5);
    begin_ruling();
    struct table before;
    table_clone(&before, &table);
    unsigned candidate = table.game.president;
    struct move move = ruling_move(&ruling, MOVE_PLAY, 0);
    move.command = nominate(candidate, candidate);
    ck_assert_int_eq(ruling_play(&ruling, &move), REFUSAL_SELF);
    ck_assert_uint_eq(ruling.row_count, 0);
    ck_assert_uint_eq(ruling.event_count, 0);
    ck_assert(table_equal(&before, &table));
    table_release(&before);
    notice_write(&ruling);
    ck_assert_uint_eq(ruling.message_count, 0);
}
END_TEST

START_TEST(one_row_a_move_with_the_lines_it_made)
{
    start(5);
    begin_ruling();
    unsigned candidate = table.game.president;
    unsigned nominee = (candidate + 1) % 5;
    play(nominate(candidate, nominee));
    play(vote(0, true));
    play(vote(1, true));
    play(vote(2, true));
    ck_assert_uint_eq(ruling.row_count, 4);
    assert_holds(buf_text(&ruling.rows[0].lines), "\"event\":\"nominated\"");
    assert_holds(buf_text(&ruling.rows[3].lines), "\"event\":\"voted\"");
    assert_holds(buf_text(&ruling.rows[3].lines), "\"event\":\"election\"");
    assert_holds(buf_text(&ruling.rows[3].lines), "\"event\":\"hand\"");
    ck_assert_uint_eq(ruling.first_phase, 1);
    ck_assert_uint_eq(table.phase, 3);
}
END_TEST

START_TEST(settling_writes_private_messages_public_ones_and_one_status)
{
    unsigned privates = 0;
    unsigned posts = 0;
    start(6);
    notice_write(&ruling);
    for (unsigned i = 0; i < ruling.message_count; i++) {
        const struct message *message = &ruling.messages[i];
        privates += message->kind == MESSAGE_PRIVATE;
        posts += message->kind == MESSAGE_POST;
        ck_assert(message->kind != MESSAGE_POST || message->waits);
        ck_assert(message->kind != MESSAGE_PRIVATE || posts == 0);
    }
    ck_assert_uint_eq(privates, 6);
    ck_assert_uint_eq(posts, 2);
    ck_assert_uint_eq(ruling.message_count, 9);
    ck_assert_int_eq(ruling.messages[8].kind, MESSAGE_STATUS);
}
END_TEST

START_TEST(lots_are_noted)
{
    start(5);
    begin_ruling();
    unsigned candidate = table.game.president;
    play(nominate(candidate, (candidate + 1) % 5));
    play(vote(0, true));
    play(vote(1, true));
    play(vote(2, true));
    ck_assert(!ruling.lots_fell);
    play(by_lots(discard(candidate, 0)));
    ck_assert(ruling.lots_fell);
}
END_TEST

/* ---- messages ------------------------------------------------------------ */

START_TEST(messages_are_written_in_the_dialect_and_their_text_is_taken)
{
    struct rich text = {.count = 0};
    start(5);
    begin_ruling();
    rich_add_text(&text, "bold", MARK_BOLD);
    rich_add_text(&text, " [b]not[/b]", 0);
    struct message *message = ruling_post(&ruling, &text);
    ck_assert_int_eq(message->kind, MESSAGE_POST);
    ck_assert_int_eq(strncmp(message->text, "[b]bold[/b] [", 13), 0);
    ck_assert_ptr_null(message->user);
    ck_assert_uint_eq(text.text.len, 0);
    rich_add_text(&text, "secret", 0);
    message = ruling_private(&ruling, "Anna", &text);
    ck_assert_int_eq(message->kind, MESSAGE_PRIVATE);
    ck_assert_str_eq(message->user, "Anna");
    ck_assert_str_eq(message->text, "secret");
    ck_assert(!message->waits);
}
END_TEST

START_TEST(a_text_that_is_too_long_for_the_service_is_several_messages)
{
    struct capabilities small = adapter_board.capabilities;
    struct rich text = {.count = 0};
    small.longest = 80;
    env.capabilities = &small;
    start(5);
    begin_ruling();
    rich_add_text(&text, "A first paragraph, with some words in it.\n\n", 0);
    rich_add_mention(&text, "Anna", "Anna", 0);
    rich_add_text(&text, ", a second one, which is yours to answer.", 0);
    const struct message *message = ruling_private(&ruling, "Bob", &text);
    ck_assert_uint_eq(ruling.message_count, 2);
    ck_assert_ptr_eq(message, &ruling.messages[0]);
    ck_assert_str_eq(message->text,
                     "A first paragraph, with some words in it.");
    ck_assert(!message->follows);
    ck_assert(ruling.messages[1].follows);
    for (unsigned i = 0; i < ruling.message_count; i++) {
        ck_assert_uint_le(strlen(ruling.messages[i].text), 80);
    }
    begin_ruling();
    rich_add_text(&text, "A first paragraph, with some words in it.\n\n", 0);
    rich_add_mention(&text, "Anna", "Anna", 0);
    rich_add_text(&text, ", a second one, which is yours to answer.", 0);
    (void)ruling_post(&ruling, &text);
    ck_assert_ptr_null(ruling.messages[0].pings);
    ck_assert_str_eq(ruling.messages[1].pings, "Anna\n");
}
END_TEST

START_TEST(a_private_message_may_have_to_be_shorter_than_a_post)
{
    struct capabilities small = adapter_board.capabilities;
    struct rich text = {.count = 0};
    small.longest = 200;
    small.longest_private = 60;
    env.capabilities = &small;
    start(5);
    for (int i = 0; i < 2; i++) {
        begin_ruling();
        rich_add_text(&text, "A first paragraph, with some words in it.\n\n",
                      0);
        rich_add_text(&text, "A second one, of as many words as that.", 0);
        if (i == 0) {
            (void)ruling_post(&ruling, &text);
        } else {
            (void)ruling_private(&ruling, "Bob", &text);
        }
        ck_assert_uint_eq(ruling.message_count, i == 0 ? 1 : 2);
    }
    ck_assert(ruling.messages[1].follows);
}
END_TEST

START_TEST(a_post_that_would_ring_too_many_is_several_messages)
{
    static const char *const names[] = {"Anna", "Bob", "Carl"};
    struct capabilities shy = adapter_board.capabilities;
    struct rich text = {.count = 0};
    shy.mentions = 2;
    env.capabilities = &shy;
    start(5);
    begin_ruling();
    for (size_t i = 0; i < 3; i++) {
        rich_add_text(&text, i == 0 ? "" : ", ", 0);
        rich_add_mention(&text, names[i], names[i], 0);
    }
    (void)ruling_post(&ruling, &text);
    ck_assert_uint_eq(ruling.message_count, 2);
    ck_assert_str_eq(ruling.messages[0].pings, "Anna\nBob\n");
    ck_assert_str_eq(ruling.messages[1].pings, "Carl\n");
}
END_TEST

START_TEST(a_reaction_has_its_post_and_its_place)
{
    char id[] = "17";
    char thread[] = "thread";
    struct post post = {.id = id, .place = thread};
    start(5);
    begin_ruling();
    const struct message *message = ruling_react(&ruling, &post, "✅");
    ck_assert_int_eq(message->kind, MESSAGE_REACT);
    ck_assert_str_eq(message->post, "17");
    ck_assert_str_eq(message->place, "thread");
    ck_assert_str_eq(message->text, "✅");
}
END_TEST

START_TEST(what_is_said_once_is_so_by_game_question_matter_and_person)
{
    struct rich text = {.count = 0};
    start(5);
    begin_ruling();
    rich_add_text(&text, "x", 0);
    struct message *message = ruling_post(&ruling, &text);
    ruling_once(&ruling, message, "Anna", "hint_vote", AGAIN_PRIVATE);
    ck_assert_str_eq(message->once, "1/1/hint_vote/Anna");
    ck_assert_str_eq(message->user, "Anna");
    ck_assert_int_eq(message->again, AGAIN_PRIVATE);
    rich_add_text(&text, "x", 0);
    message = ruling_private(&ruling, "Bob", &text);
    ruling_once(&ruling, message, "Anna", "hint_vote", AGAIN_DROP);
    ck_assert_str_eq(message->user, "Bob");
}
END_TEST

START_TEST(a_ruling_that_is_released_is_empty)
{
    start(5);
    notice_write(&ruling);
    ck_assert_uint_gt(ruling.row_count + ruling.message_count, 0);
    ruling_release(&ruling);
    ck_assert_uint_eq(ruling.row_count, 0);
    ck_assert_uint_eq(ruling.message_count, 0);
    ck_assert_uint_eq(ruling.rows[0].move.len, 0);
    ruling_release(&ruling);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/ruling");
    TCase *tcase = tcase_create("ruling");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_move_has_the_time_of_its_post_or_the_hosts);
    tcase_add_test(tcase, chance_answers_at_once);
    tcase_add_test(tcase, a_deal_without_proof_waits_for_nothing);
    tcase_add_test(tcase, a_deal_is_as_old_as_the_end_of_the_sign_up);
    tcase_add_test(tcase, the_fair_deal_is_the_one_of_the_secret);
    tcase_add_test(tcase, a_secret_is_thrown_anew_each_time);
    tcase_add_test(tcase, a_refusal_leaves_no_trace);
    tcase_add_test(tcase, one_row_a_move_with_the_lines_it_made);
    tcase_add_test(tcase,
                   settling_writes_private_messages_public_ones_and_one_status);
    tcase_add_test(tcase, lots_are_noted);
    tcase_add_test(tcase,
                   messages_are_written_in_the_dialect_and_their_text_is_taken);
    tcase_add_test(tcase,
                   a_text_that_is_too_long_for_the_service_is_several_messages);
    tcase_add_test(tcase, a_private_message_may_have_to_be_shorter_than_a_post);
    tcase_add_test(tcase, a_post_that_would_ring_too_many_is_several_messages);
    tcase_add_test(tcase, a_reaction_has_its_post_and_its_place);
    tcase_add_test(tcase,
                   what_is_said_once_is_so_by_game_question_matter_and_person);
    tcase_add_test(tcase, a_ruling_that_is_released_is_empty);
    suite_add_tcase(suite, tcase);
    return suite;
}
