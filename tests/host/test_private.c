/*
 * Secrets: each to whom it belongs, and to nobody else.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/words/private.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FLFFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
begin(unsigned players)
{
    room_open(&room);
    room_begin(&room, players);
}

static size_t
code_points(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

/* How many of the host's private messages, of all DMs, hold a text. */
static unsigned
told_anybody(const char *text)
{
    unsigned count = 0;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        count += strcmp(room.posts[i].author, BOARD_HOST) == 0 &&
                 strncmp(room.posts[i].place, "talk/", 5) == 0 &&
                 strstr(room.posts[i].text, text) != NULL;
    }
    return count;
}

/* ---- roles --------------------------------------------------------------- */

START_TEST(everybody_is_told_their_role_and_whom_they_know)
{
    static const struct {
        unsigned players, seat;
        const char *preset, *role;
    } cases[] = {
        {7, 0, "play-by-post", "You are a Liberal. You know nobody's role"},
        {7, 4, "play-by-post",
         "You are a Fascist. Hitler is Gert; your fellow Fascist is Frida. "
         "Hitler doesn't know who you are."},
        {7, 6, "play-by-post",
         "You are Hitler. Your own side knows who you are; you don't know "
         "them"},
        {9, 5, "official",
         "You are a Fascist. Hitler is Ida; your fellow Fascists are Gert and Hanna. "
         "Hitler doesn't know who you are."},
        {5, 3, "play-by-post",
         "You are a Fascist. Hitler is Emil. Hitler doesn't know who you are."},
        {5, 4, "play-by-post", "you don't know them"},
        {5, 3, "official",
         "You are a Fascist. Hitler is Emil. Hitler knows you too."},
        {6, 5, "official",
         "You are Hitler. Your fellow Fascist is Emil; you all know each "
         "other."},
        {7, 6, "official", "you don't know them"},
    };
    room_set(&room, "rules", cases[_i].preset);
    begin(cases[_i].players);
    const char *who = room_player(cases[_i].seat);
    assert_holds(room_told(&room, who), cases[_i].role);
    ck_assert_uint_eq(room_count_told(&room, who, ""), 1);
}
END_TEST

START_TEST(role_messages_have_one_first_line_and_no_padding)
{
    static const char *const presets[] = {"play-by-post", "official"};
    const char *line =
        "Secret Hitler, table 1: your role is below, for your eyes only.\n";
    room_set(&room, "rules", presets[_i / 6]);
    begin(5 + (unsigned)_i % 6);
    room_read(&room);
    unsigned count = 0;
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strncmp(post->place, "talk/", 5) != 0) {
            continue;
        }
        ck_assert_int_eq(strncmp(post->text, line, strlen(line)), 0);
        ck_assert_uint_lt(code_points(post->text), 1000);
        assert_lacks(post->text, "·");
        count++;
    }
    ck_assert_uint_eq(count, 5 + (unsigned)_i % 6);
}
END_TEST

/* ---- where private messages are short ------------------------------------ */

/* The board, with messages as short as those of NodeBB's chats. */
static struct adapter chat;

static void
open_chats(void)
{
    room_open(&room);
    chat = adapter_board;
    chat.capabilities.unit = adapter_nodebb.capabilities.unit;
    chat.capabilities.longest_private =
        adapter_nodebb.capabilities.longest_private;
    room.stage->tables.services.list[0].adapter = &chat;
}

/* Add the host's private messages to somebody, each of which a chat takes;
 * how many there are. */
static unsigned
chat_told(const char *who, struct buf *all)
{
    char place[ADAPTER_ID_MAX + 1];
    unsigned count = 0;
    snprintf(place, sizeof place, "talk/%s", who);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->place, place) == 0 &&
            strcmp(post->author, BOARD_HOST) == 0) {
            ck_assert_uint_le(
                length_of(chat.capabilities.unit, post->raw, strlen(post->raw)),
                chat.capabilities.longest_private);
            buf_addf(all, "%s\n", post->text);
            count++;
        }
    }
    return count;
}

START_TEST(a_role_and_a_hand_are_one_message_each_in_a_chat_of_nodebb)
{
    struct buf all = BUF_INIT;
    open_chats();
    room_begin(&room, 10);
    for (unsigned seat = 0; seat < 10; seat++) {
        ck_assert_uint_eq(chat_told(room_name(&room, seat), &all), 1);
    }
    const char *president = room_awaited(&room);
    room_elects(&room, room_choice(&room));
    buf_clear(&all);
    ck_assert_uint_eq(chat_told(president, &all), 2);
    ck_assert_ptr_nonnull(strstr(buf_text(&all), "your cards are below"));
    ck_assert_ptr_nonnull(strstr(buf_text(&all), "I never confirm it"));
    buf_release(&all);
}
END_TEST

/* Names are as long as they may be, and written with a backslash before each
 * message. */
START_TEST(the_longest_role_is_one_message_in_a_chat_of_nodebb)
{
    static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
    char name[64];
    room_set(&room, "rules", "official");
    room_set(&room, "language", languages[_i]);
    open_chats();
    chat.dialect = adapter_nodebb.dialect;
    room_says(&room, STAGE_MODERATOR, "!new players=10");
    for (unsigned i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "%.2s*_*_*_*_*_*_*_*_*_*_*_*_*_*_*_*_",
                 room_player(i));
        room_says(&room, name, "!join");
    }
    room_read(&room);
    unsigned count = 0;
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strncmp(post->place, "talk/", 5) == 0) {
            ck_assert_uint_le(
                length_of(chat.capabilities.unit, post->raw, strlen(post->raw)),
                chat.capabilities.longest_private);
            count++;
        }
    }
    ck_assert_uint_eq(count, 10);
}
END_TEST

/* The bytes that are no blank: where a message is cut, blanks fall away. */
static size_t
written(const struct buf *text)
{
    size_t count = 0;
    for (size_t i = 0; i < text->len; i++) {
        count += text->data[i] != ' ' && text->data[i] != '\n';
    }
    return count;
}

START_TEST(a_message_that_no_chat_takes_is_several_messages)
{
    struct buf all = BUF_INIT;
    open_chats();
    room_begin(&room, 5);
    room_tells(&room, "Anna", "!rules");
    unsigned count = chat_told("Anna", &all);
    chat.capabilities.longest_private = 300;
    room_tells(&room, "Bob", "!rules");
    size_t whole = written(&all);
    buf_clear(&all);
    chat.capabilities.longest_private = 1000; /* the role was sent before */
    ck_assert_uint_gt(chat_told("Bob", &all), 2 * (size_t)count);
    ck_assert_uint_ge(written(&all), whole);
    buf_release(&all);
}
END_TEST

START_TEST(a_role_is_never_in_the_thread)
{
    begin(10);
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].place, "thread") == 0) {
            assert_lacks(room.posts[i].text, "You are");
        }
    }
}
END_TEST

/* ---- cards --------------------------------------------------------------- */

START_TEST(the_president_alone_sees_the_hand_as_it_was_drawn)
{
    begin(5);
    room_elects(&room, 1);
    assert_holds(
        room_told(&room, "Anna"),
        "Secret Hitler, table 1, round 1: you're President, and your cards are below.\n\n1 Fascist\n2 Liberal\n3 "
        "Fascist\n\nWhich one do you discard?");
    assert_holds(
        room_told(&room, "Anna"),
        "Bob gets the other two and won't learn which one you dropped. No answer by then: I pick at random");
    ck_assert_uint_eq(told_anybody("your cards are below"), 1);
}
END_TEST

START_TEST(a_card_question_tells_of_lots_only_where_they_are_drawn)
{
    room_set(&room, "cards_timeout", "wait");
    begin(5);
    room_elects(&room, 1);
    assert_lacks(room_told(&room, "Anna"), "lots");
}
END_TEST

START_TEST(the_chancellor_alone_sees_the_two_policies)
{
    begin(5);
    room_elects(&room, 1);
    room_discards(&room, false);
    assert_holds(room_told(&room, "Bob"),
                 "Secret Hitler, table 1, round 1: you're Chancellor, and "
                 "President Anna's two cards are below.\n\n1 "
                 "Liberal\n2 Fascist\n\nWhich one do you enact?");
    ck_assert_uint_eq(told_anybody("two cards are below"), 1);
    assert_holds(room_told(&room, "Anna"),
                 "You discarded Fascist; Bob gets Liberal and Fascist.");
    room_enacts(&room, true);
    assert_holds(room_told(&room, "Bob"),
                 "You enacted Liberal; Fascist was discarded unseen.");
    ck_assert_uint_eq(told_anybody("thank you, your choice is in"), 2);
}
END_TEST

START_TEST(the_echo_of_two_equal_cards_is_right)
{
    room.deck = "LLLFFF";
    begin(5);
    room_elects(&room, 1);
    room_discards(&room, true);
    assert_holds(room_told(&room, "Anna"),
                 "You discarded Liberal; Bob gets Liberal and Liberal");
    room_enacts(&room, true);
    assert_holds(room_told(&room, "Bob"),
                 "You enacted Liberal; Liberal was discarded unseen");
}
END_TEST

/* What a lock screen or a list of chats shows of a message. */
static void
assert_first_lines_are_neutral(void)
{
    static const char *const tells[] = {"Fascist", "Liberal", "Ja", "Nein",
                                        "discard", "enact",   "“"};
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        char line[400];
        if (strcmp(post->author, BOARD_HOST) != 0 ||
            strncmp(post->place, "talk/", 5) != 0) {
            continue;
        }
        snprintf(line, sizeof line, "%.*s", (int)strcspn(post->text, "\n"),
                 post->text);
        for (size_t k = 0; k < sizeof tells / sizeof tells[0]; k++) {
            assert_lacks(line, tells[k]);
        }
    }
}

START_TEST(no_private_message_begins_with_what_is_secret_in_it)
{
    room_set(&room, "ballot", "sealed");
    begin(7);
    room_names(&room, 1);
    room_tells(&room, room_awaited(&room), "Ja, of course");
    room_votes(&room, true);
    const char *president = room_awaited(&room);
    room_tells(&room, president, "liberal");
    room_tells(&room, president, "discard 7");
    room_discards(&room, false);
    room_tells(&room, room_awaited(&room), "enact 9");
    room_enacts(&room, true);
    room_elects(&room, 3);
    room_expires(&room);
    room_expires(&room);
    ck_assert_uint_ge(told_anybody("Your vote: "), 7);
    ck_assert_uint_ge(told_anybody("I drew a card at random"), 2);
    ck_assert_uint_eq(told_anybody("“Ja, of course”"), 1);
    ck_assert_uint_eq(told_anybody("“discard 7”"), 1);
    assert_first_lines_are_neutral();
}
END_TEST

START_TEST(the_result_of_a_power_is_the_presidents)
{
    begin(7);
    room_govern_to(&room, 2);
    room_names(&room, 6);
    assert_holds(
        room_told(&room, "Bob"),
        "round 2: the result of your investigation is below.\n\nGert belongs to the "
        "Fascist party.");
    ck_assert_uint_eq(told_anybody("belongs to the"), 1);
}
END_TEST

START_TEST(a_peek_is_the_presidents)
{
    begin(5);
    room_govern_to(&room, 3);
    assert_holds(room_told(&room, "Carl"),
                 "You can't change them.\n\n1 Fascist\n2 Fascist\n3 "
                 "Liberal\n\nYou may tell the table");
    ck_assert_uint_eq(told_anybody("next three cards are below"), 1);
}
END_TEST

START_TEST(a_vacant_seat_is_sent_nothing)
{
    room_set(&room, "misses", "1");
    room_set(&room, "ballot", "sealed");
    begin(5);
    room_expires(&room);
    unsigned told = room_count_told(&room, "Anna", "");
    room_names(&room, 2);
    ck_assert_uint_eq(room_count_told(&room, "Anna", ""), told);
    ck_assert_uint_eq(told_anybody("Answer with one word"), 4);
}
END_TEST

START_TEST(a_question_is_put_again_to_whom_it_belongs_alone)
{
    struct rich text = {.count = 0};
    begin(5);
    struct host_env env = {.catalogue = stage_catalogue(room.stage, NULL),
                           .dialect = &dialect_board,
                           .capabilities = &adapter_board.capabilities,
                           .zone = zone_utc()};
    for (unsigned seat = 0; seat < 5; seat++) {
        ck_assert(!private_question(&env, room_table(&room), seat, &text));
    }
    room_elects(&room, 1);
    for (unsigned seat = 1; seat < 5; seat++) {
        ck_assert(!private_question(&env, room_table(&room), seat, &text));
    }
    ck_assert_uint_eq(text.text.len, 0);
    ck_assert(private_question(&env, room_table(&room), 0, &text));
    ck_assert_str_eq(buf_text(&text.text), room_told(&room, "Anna"));
    rich_release(&text);
}
END_TEST

/* Who governs learns whether their time was up or a moderator had lots drawn.
 */
START_TEST(lots_say_by_whom_they_were_drawn)
{
    room_open(&room);
    room_word(&room, "lots_discard", "Lots{timeout?, late}.");
    room_word(&room, "lots_enact", "Lots{timeout?, late}.");
    room_begin(&room, 5);
    room_elects(&room, 1);
    room_says(&room, "Mo", "!choose Anna lots");
    room_says(&room, "Mo", "!yes 3");
    ck_assert_str_eq(room_told(&room, "Anna"), "Lots.");
    room_expires(&room);
    ck_assert_str_eq(room_told(&room, "Bob"), "Lots, late.");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/private");
    TCase *tcase = tcase_create("secrets");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, everybody_is_told_their_role_and_whom_they_know,
                        0, 9);
    tcase_add_loop_test(tcase, role_messages_have_one_first_line_and_no_padding,
                        0, 12);
    tcase_add_test(tcase,
                   a_role_and_a_hand_are_one_message_each_in_a_chat_of_nodebb);
    tcase_add_loop_test(
        tcase, the_longest_role_is_one_message_in_a_chat_of_nodebb, 0, 5);
    tcase_add_test(tcase, a_message_that_no_chat_takes_is_several_messages);
    tcase_add_test(tcase, a_role_is_never_in_the_thread);
    tcase_add_test(tcase, the_president_alone_sees_the_hand_as_it_was_drawn);
    tcase_add_test(tcase,
                   a_card_question_tells_of_lots_only_where_they_are_drawn);
    tcase_add_test(tcase, the_chancellor_alone_sees_the_two_policies);
    tcase_add_test(tcase, the_echo_of_two_equal_cards_is_right);
    tcase_add_test(tcase, no_private_message_begins_with_what_is_secret_in_it);
    tcase_add_test(tcase, the_result_of_a_power_is_the_presidents);
    tcase_add_test(tcase, a_peek_is_the_presidents);
    tcase_add_test(tcase, a_vacant_seat_is_sent_nothing);
    tcase_add_test(tcase, a_question_is_put_again_to_whom_it_belongs_alone);
    tcase_add_test(tcase, lots_say_by_whom_they_were_drawn);
    suite_add_tcase(suite, tcase);
    return suite;
}
