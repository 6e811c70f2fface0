/*
 * Secrets: each to whom it belongs, and to nobody else.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/words/private.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FLFFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    hall_release(&hall);
}

static void
begin(unsigned players)
{
    hall_open(&hall);
    hall_begin(&hall, players);
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

/* How many of the host's private messages, of all talks, hold a text. */
static unsigned
told_anybody(const char *text)
{
    unsigned count = 0;
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        count += strcmp(hall.posts[i].author, BOARD_HOST) == 0 &&
                 strncmp(hall.posts[i].place, "talk/", 5) == 0 &&
                 strstr(hall.posts[i].text, text) != NULL;
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
         "You are a Fascist. Hitler is Gert; with you too: Frida. Hitler "
         "doesn't know you."},
        {7, 6, "play-by-post",
         "You are Hitler. The Fascists know you, you don't know them"},
        {9, 5, "official",
         "You are a Fascist. Hitler is Ida; with you too: Gert, Hanna. Hitler "
         "doesn't know you."},
        {5, 3, "play-by-post",
         "You are a Fascist. Hitler is Emil. Hitler doesn't know you."},
        {5, 4, "play-by-post", "you don't know them"},
        {5, 3, "official",
         "You are a Fascist. Hitler is Emil. Hitler knows you."},
        {6, 5, "official",
         "You are Hitler. With you: Emil. You know each other."},
        {7, 6, "official", "you don't know them"},
    };
    hall_set(&hall, "rules", cases[_i].preset);
    begin(cases[_i].players);
    const char *who = hall_player(cases[_i].seat);
    assert_holds(hall_told(&hall, who), cases[_i].role);
    ck_assert_uint_eq(hall_count_told(&hall, who, ""), 1);
}
END_TEST

START_TEST(role_messages_have_one_first_line_and_one_length)
{
    static const char *const presets[] = {"play-by-post", "official"};
    const char *line = "Secret Hitler, table 1: your role is below. Please "
                       "read it alone.\n";
    hall_set(&hall, "rules", presets[_i / 6]);
    begin(5 + (unsigned)_i % 6);
    hall_read(&hall);
    size_t length = 0;
    size_t raw_length = 0;
    unsigned count = 0;
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
        if (strncmp(post->place, "talk/", 5) != 0) {
            continue;
        }
        length = length == 0 ? code_points(post->text) : length;
        raw_length = raw_length == 0 ? code_points(post->raw) : raw_length;
        ck_assert_int_eq(strncmp(post->text, line, strlen(line)), 0);
        ck_assert_uint_eq(code_points(post->text), length);
        ck_assert_uint_eq(code_points(post->raw), raw_length);
        count++;
    }
    ck_assert_uint_eq(count, 5 + (unsigned)_i % 6);
    ck_assert_uint_lt(length, 1000);
}
END_TEST

/* ---- where private messages are short ------------------------------------ */

/* The board, with messages as short as those of NodeBB's chats. */
static struct adapter chat;

static void
open_chats(void)
{
    hall_open(&hall);
    chat = adapter_board;
    chat.traits.unit = adapter_nodebb.traits.unit;
    chat.traits.longest_private = adapter_nodebb.traits.longest_private;
    hall.stage->desk.services[0].adapter = &chat;
}

/* Add the host's private messages to somebody, each of which a chat takes;
 * how many there are. */
static unsigned
chat_told(const char *who, struct buf *all)
{
    char place[ADAPTER_ID_MAX + 1];
    unsigned count = 0;
    snprintf(place, sizeof place, "talk/%s", who);
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
        if (strcmp(post->place, place) == 0 &&
            strcmp(post->author, BOARD_HOST) == 0) {
            ck_assert_uint_le(
                length_of(chat.traits.unit, post->raw, strlen(post->raw)),
                chat.traits.longest_private);
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
    hall_begin(&hall, 10);
    for (unsigned seat = 0; seat < 10; seat++) {
        ck_assert_uint_eq(chat_told(hall_name(&hall, seat), &all), 1);
    }
    const char *president = hall_awaited(&hall);
    hall_elects(&hall, hall_choice(&hall));
    buf_clear(&all);
    ck_assert_uint_eq(chat_told(president, &all), 2);
    ck_assert_ptr_nonnull(strstr(buf_text(&all), "your cards are below"));
    ck_assert_ptr_nonnull(strstr(buf_text(&all), "I never confirm anything"));
    buf_release(&all);
}
END_TEST

/* Names are as long as they may be, and written with a backslash before each
 * letter. */
START_TEST(the_longest_role_is_one_message_in_a_chat_of_nodebb)
{
    static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
    char name[64];
    hall_set(&hall, "rules", "official");
    hall_set(&hall, "language", languages[_i]);
    open_chats();
    chat.dialect = adapter_nodebb.dialect;
    hall_says(&hall, STAGE_MODERATOR, "!new players=10");
    for (unsigned i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "%.2s*_*_*_*_*_*_*_*_*_*_*_*_*_*_*_*_",
                 hall_player(i));
        hall_says(&hall, name, "!join");
    }
    hall_read(&hall);
    unsigned count = 0;
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
        if (strncmp(post->place, "talk/", 5) == 0) {
            ck_assert_uint_le(
                length_of(chat.traits.unit, post->raw, strlen(post->raw)),
                chat.traits.longest_private);
            count++;
        }
    }
    ck_assert_uint_eq(count, 10);
}
END_TEST

START_TEST(a_letter_that_no_chat_takes_is_several_messages)
{
    struct buf all = BUF_INIT;
    open_chats();
    hall_begin(&hall, 5);
    hall_tells(&hall, "Anna", "!rules");
    ck_assert_uint_eq(chat_told("Anna", &all), 2);
    chat.traits.longest_private = 300;
    hall_tells(&hall, "Bob", "!rules");
    size_t whole = all.len;
    buf_clear(&all);
    chat.traits.longest_private = 1000; /* the role was sent before */
    ck_assert_uint_gt(chat_told("Bob", &all), 3);
    ck_assert_uint_ge(all.len, whole);
    buf_release(&all);
}
END_TEST

START_TEST(a_role_is_never_in_the_thread)
{
    begin(10);
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        if (strcmp(hall.posts[i].place, "thread") == 0) {
            assert_lacks(hall.posts[i].text, "You are");
        }
    }
}
END_TEST

/* ---- cards --------------------------------------------------------------- */

START_TEST(the_president_alone_sees_the_hand_as_it_was_drawn)
{
    begin(5);
    hall_elects(&hall, 1);
    assert_holds(hall_told(&hall, "Anna"),
                 "Secret Hitler, table 1, round 1: you are President; your "
                 "cards are below.\n\n1 Fascist\n2 Liberal\n3 Fascist\n\nWhich "
                 "one do you discard?");
    assert_holds(hall_told(&hall, "Anna"),
                 "Bob gets the other two and doesn't learn what you discarded. "
                 "Until Sat 21 Nov, 22:00 UTC; then lots decide");
    ck_assert_uint_eq(told_anybody("your cards are below"), 1);
}
END_TEST

START_TEST(a_card_question_tells_of_lots_only_where_they_are_drawn)
{
    hall_set(&hall, "cards_timeout", "wait");
    begin(5);
    hall_elects(&hall, 1);
    assert_lacks(hall_told(&hall, "Anna"), "lots");
}
END_TEST

START_TEST(the_chancellor_alone_sees_the_two_policies)
{
    begin(5);
    hall_elects(&hall, 1);
    hall_discards(&hall, false);
    assert_holds(hall_told(&hall, "Bob"),
                 "Secret Hitler, table 1, round 1: you are Chancellor; "
                 "President Anna hands you two cards, below.\n\n1 Liberal\n2 "
                 "Fascist\n\nWhich one do you enact?");
    ck_assert_uint_eq(told_anybody("hands you two cards"), 1);
    assert_holds(hall_told(&hall, "Anna"),
                 "You discarded Fascist; Bob gets Liberal and Fascist.");
    hall_enacts(&hall, true);
    assert_holds(hall_told(&hall, "Bob"),
                 "You enacted Liberal; Fascist was discarded unseen.");
    ck_assert_uint_eq(told_anybody("thank you, your choice is in"), 2);
}
END_TEST

START_TEST(the_echo_of_two_equal_cards_is_right)
{
    hall.deck = "LLLFFF";
    begin(5);
    hall_elects(&hall, 1);
    hall_discards(&hall, true);
    assert_holds(hall_told(&hall, "Anna"),
                 "You discarded Liberal; Bob gets Liberal and Liberal");
    hall_enacts(&hall, true);
    assert_holds(hall_told(&hall, "Bob"),
                 "You enacted Liberal; Liberal was discarded unseen");
}
END_TEST

/* What a lock screen or a list of chats shows of a message. */
static void
assert_first_lines_are_neutral(void)
{
    static const char *const tells[] = {"Fascist", "Liberal", "Ja", "Nein",
                                        "discard", "enact",   "“"};
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
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
    hall_set(&hall, "ballot", "sealed");
    begin(7);
    hall_names(&hall, 1);
    hall_tells(&hall, hall_awaited(&hall), "Ja, of course");
    hall_votes(&hall, true);
    const char *president = hall_awaited(&hall);
    hall_tells(&hall, president, "liberal");
    hall_tells(&hall, president, "discard 7");
    hall_discards(&hall, false);
    hall_tells(&hall, hall_awaited(&hall), "enact 9");
    hall_enacts(&hall, true);
    hall_elects(&hall, 3);
    hall_expires(&hall);
    hall_expires(&hall);
    ck_assert_uint_ge(told_anybody("Your vote: "), 7);
    ck_assert_uint_ge(told_anybody("lots decided for you"), 2);
    ck_assert_uint_eq(told_anybody("“Ja, of course”"), 1);
    ck_assert_uint_eq(told_anybody("“discard 7”"), 1);
    assert_first_lines_are_neutral();
}
END_TEST

START_TEST(the_result_of_a_power_is_the_presidents)
{
    begin(7);
    hall_govern_to(&hall, 2);
    hall_names(&hall, 6);
    assert_holds(hall_told(&hall, "Bob"),
                 "round 2: your investigation.\n\nGert is a member of the "
                 "Fascist party.");
    ck_assert_uint_eq(told_anybody("is a member of"), 1);
}
END_TEST

START_TEST(a_peek_is_the_presidents)
{
    begin(5);
    hall_govern_to(&hall, 3);
    assert_holds(hall_told(&hall, "Carl"),
                 "the first to be drawn on top.\n\n1 Fascist\n2 Fascist\n3 "
                 "Liberal\n\nYou may tell the table");
    ck_assert_uint_eq(told_anybody("top three cards"), 1);
}
END_TEST

START_TEST(a_vacant_seat_is_sent_nothing)
{
    hall_set(&hall, "misses", "1");
    hall_set(&hall, "ballot", "sealed");
    begin(5);
    hall_expires(&hall);
    unsigned told = hall_count_told(&hall, "Anna", "");
    hall_names(&hall, 2);
    ck_assert_uint_eq(hall_count_told(&hall, "Anna", ""), told);
    ck_assert_uint_eq(told_anybody("Answer with one word"), 4);
}
END_TEST

START_TEST(a_question_is_put_again_to_whom_it_belongs_alone)
{
    struct rich text = {.count = 0};
    begin(5);
    struct house house = {.catalogue = stage_catalogue(hall.stage, NULL),
                          .dialect = &dialect_board,
                          .traits = &adapter_board.traits,
                          .zone = zone_utc()};
    for (unsigned seat = 0; seat < 5; seat++) {
        ck_assert(!secrets_question(&house, hall_table(&hall), seat, &text));
    }
    hall_elects(&hall, 1);
    for (unsigned seat = 1; seat < 5; seat++) {
        ck_assert(!secrets_question(&house, hall_table(&hall), seat, &text));
    }
    ck_assert_uint_eq(text.text.len, 0);
    ck_assert(secrets_question(&house, hall_table(&hall), 0, &text));
    ck_assert_str_eq(buf_text(&text.text), hall_told(&hall, "Anna"));
    rich_release(&text);
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
    tcase_add_loop_test(tcase, role_messages_have_one_first_line_and_one_length,
                        0, 12);
    tcase_add_test(tcase,
                   a_role_and_a_hand_are_one_message_each_in_a_chat_of_nodebb);
    tcase_add_loop_test(
        tcase, the_longest_role_is_one_message_in_a_chat_of_nodebb, 0, 5);
    tcase_add_test(tcase, a_letter_that_no_chat_takes_is_several_messages);
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
    suite_add_tcase(suite, tcase);
    return suite;
}
