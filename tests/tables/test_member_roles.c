/*
 * The roles that a place gives to people in a game: who gets and loses which,
 * through a whole host.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/pressing.h"
#include "tests/support/runner.h"

static struct pressing *pressing;
static struct room *room;

static void
set_up(void)
{
    pressing = pressing_new();
    pressing->commands = true;
    room = &pressing->room;
    room->deck = "FFLFFLFFLFFLFFLFL";
}

static void
tear_down(void)
{
    pressing_free(pressing);
}

static void
set_roles(unsigned count)
{
    static const char *const roles[] = {"@Alive", "@Dead", "@Spectators"};
    struct place *place = &room->stage->conf.places[0];
    for (unsigned i = 0; i < count; i++) {
        TEXT_COPY(place->member_roles[i], roles[i]);
    }
    place->member_role_count = count;
}

static void
begin(unsigned roles)
{
    pressing_open(pressing);
    set_roles(roles);
    room_begin(room, 7);
}

/* What was changed since this was asked last. */
static void
assert_changed(const char *changed)
{
    room_settle(room);
    ck_assert_str_eq(pressing->changed, changed);
    pressing->changed[0] = '\0';
}

static const char everybody[] =
    "Anna +@Alive -\nBob +@Alive -\nCarl +@Alive -\nDora +@Alive -\n"
    "Emil +@Alive -\nFrida +@Alive -\nGert +@Alive -\n";

START_TEST(players_get_a_role_with_the_game_and_another_by_dying)
{
    room_set(room, "second_thought", "1h");
    begin(3);
    assert_changed(everybody);
    room_govern_to(room, 4);
    assert_changed("");
    ck_assert_int_eq(room_game(room)->question, QUESTION_EXECUTION);
    pressing_slash(pressing, room_awaited(room), "/power Bob");
    assert_changed(""); /* it is announced, and may be taken back */
    room_expires(room);
    ck_assert(!seat_in(1, room_game(room)->living));
    assert_changed("Bob +@Dead -@Alive\n");
}
END_TEST

START_TEST(who_is_replaced_watches_and_who_comes_lives)
{
    begin(3);
    assert_changed(everybody);
    pressing_slash(pressing, "Carl", "/leave");
    assert_changed("");
    room_says(room, "Zoe", "!join");
    assert_changed("Carl +@Spectators -@Alive\nZoe +@Alive -\n");
}
END_TEST

START_TEST(nobody_keeps_a_role_after_the_end)
{
    char yes[24];
    begin(3);
    assert_changed(everybody);
    room_says(room, "Mo", "!end");
    snprintf(yes, sizeof yes, "!yes %u", room_table(room)->asked[0].number);
    room_says(room, "Mo", yes);
    assert_changed("Anna + -@Alive\nBob + -@Alive\nCarl + -@Alive\n"
                   "Dora + -@Alive\nEmil + -@Alive\nFrida + -@Alive\n"
                   "Gert + -@Alive\n");
}
END_TEST

START_TEST(what_has_no_role_gets_none)
{
    begin(1);
    assert_changed(everybody);
    room_govern_to(room, 4);
    pressing_slash(pressing, room_awaited(room), "/power Bob");
    assert_changed("Bob + -@Alive\n");
}
END_TEST

START_TEST(without_the_setting_nobody_gets_one)
{
    begin(0);
    room_govern_to(room, 4);
    assert_changed("");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/member_roles");
    TCase *group = tcase_create("roles");
    tcase_add_checked_fixture(group, set_up, tear_down);
    tcase_add_test(group,
                   players_get_a_role_with_the_game_and_another_by_dying);
    tcase_add_test(group, who_is_replaced_watches_and_who_comes_lives);
    tcase_add_test(group, nobody_keeps_a_role_after_the_end);
    tcase_add_test(group, what_has_no_role_gets_none);
    tcase_add_test(group, without_the_setting_nobody_gets_one);
    suite_add_tcase(suite, group);
    return suite;
}
