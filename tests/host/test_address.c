/* Which post an address means, and the commands that take one. */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/judge/commands/chat_command.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    room_begin(&room, 5);
    room_names(&room, 1);
}

static void
tear_down(void)
{
    room_release(&room);
}

static const struct {
    const char *text, *id;
    enum meant meant;
} addresses[] = {
    {"", "", MEANT_NOTHING},
    {"#", "", MEANT_NOTHING},
    {"please tell me how that was read", "", MEANT_NOTHING},
    {"107", "107", MEANT_POST},
    {"#107", "107", MEANT_POST},
    {"$abc:example.org", "$abc:example.org", MEANT_POST},
    {"https://discord.com/channels/11/22/33", "33", MEANT_POST},
    {"<https://discord.com/channels/11/22/33>", "33", MEANT_POST},
    {"http://127.0.0.1:4567/post/412", "412", MEANT_POST},
    {"http://127.0.0.1:4567/topic/3/slug/107", "", MEANT_POSITION},
    {"http://127.0.0.1:4567/topic/3/slug/107?lang=en", "", MEANT_POSITION},
    {"http://127.0.0.1:4567/topic/3/107", "", MEANT_POSITION},
    {"https://forum.example/p/9", "9", MEANT_POST},
    {"https://forum.example/p/9?u=mo", "9", MEANT_POST},
    {"https://forum.example/t/the-table/12/3?u=mo", "", MEANT_POSITION},
    {"https://forum.example/t/the-table/12", "", MEANT_POSITION},
    {"https://forum.example/phpbb/viewtopic.php?p=107#p107", "107", MEANT_POST},
    {"https://forum.example/viewtopic.php?f=2&t=3&p=107", "107", MEANT_POST},
    {"viewtopic.php?p=107#p107", "107", MEANT_POST},
    {"viewtopic.php?t=3&p=107", "107", MEANT_POST},
    {"./viewtopic.php?t=3&start=90#p107", "107", MEANT_POST},
    {"https://forum.example/viewtopic.php?t=3", "viewtopic.php", MEANT_POST},
    {"https://ptb.discord.com/channels/11/22/33", "33", MEANT_POST},
    {"/post/412", "412", MEANT_POST},
    {"/p/9", "9", MEANT_POST},
    {"/t/the-table/12/3", "", MEANT_POSITION},
    {"/t/12/3", "", MEANT_POSITION},
    {"https://matrix.to/#/!r:example.org/$ev-ent_1?via=example.org",
     "$ev-ent_1", MEANT_POST},
    {"https://matrix.to/#/%21r%3Aexample.org/%24ev-ent_1", "$ev-ent_1",
     MEANT_POST},
    {"https://matrix.to/#/%21r%3Aexample.org/%24a%2Fb%2bc%3Aexample.org",
     "$a/b+c:example.org", MEANT_POST},
    {"matrix:roomid/r:example.org/e/ev-ent_1?via=example.org", "$ev-ent_1",
     MEANT_POST},
    {"matrix:r/table:example.org/e/ev%2Dent", "$ev-ent", MEANT_POST},
    {"https://forum.example/post/4%00", "4%00", MEANT_POST},
    {"https://forum.example/post/4%", "4%", MEANT_POST},
};

START_TEST(an_address_means_one_post)
{
    struct buf id = BUF_INIT;
    enum meant meant = chat_read_address(addresses[_i].text, &id);

    ck_assert_msg(meant == addresses[_i].meant &&
                      buf_equals(&id, addresses[_i].id),
                  "%s: %d “%s”", addresses[_i].text, meant, buf_text(&id));
    buf_release(&id);
}
END_TEST

/* The newest post of somebody, in an order with its address. */
static void
orders(const char *order, const char *who, const char *with)
{
    char text[160];
    int64_t id = 0;

    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].author, who) == 0) {
            id = room.posts[i].id;
        }
    }
    (void)snprintf(text, sizeof text, "!%s https://forum.example/post/%lld%s",
                   order, (long long)id, with);
    room_says(&room, "Mo", text);
}

START_TEST(commands_take_the_address_of_a_post)
{
    room_says(&room, "Carl", "I think **I vote Ja** is fine.");
    orders("why", "Carl", "");
    assert_holds(room_said(&room), "has more in bold");
    orders("count", "Carl", " ja");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(2));
    room_says(&room, "Dora", "**Nein!**");
    orders("void", "Dora", "");
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(2));
}
END_TEST

START_TEST(an_address_that_tells_a_position_hits_no_other_post)
{
    room_says(&room, "Dora", "**Nein!**");
    for (int i = 0; i < 40; i++) {
        char text[80];
        (void)snprintf(text, sizeof text,
                       "!void http://forum.example/topic/3/slug/%d", i);
        room_says(&room, "Mo", text);
    }
    ck_assert_uint_eq(room_game(&room)->voted, seat_bit(3));
    assert_holds(room_said(&room), "only says where the post stands");
}
END_TEST

START_TEST(a_reason_keeps_its_address)
{
    room_says(&room, "Mo", "!pause see https://forum.example/post/9 first");
    assert_holds(room_said(&room), "see https://forum.example/post/9 first");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/address");
    TCase *tcase = tcase_create("address");

    tcase_add_loop_test(tcase, an_address_means_one_post, 0,
                        sizeof addresses / sizeof addresses[0]);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("commands");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, commands_take_the_address_of_a_post);
    tcase_add_test(tcase, an_address_that_tells_a_position_hits_no_other_post);
    tcase_add_test(tcase, a_reason_keeps_its_address);
    suite_add_tcase(suite, tcase);
    return suite;
}
