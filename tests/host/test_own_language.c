/*
 * The language of a table, changed while it plays, and those of its players.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_set(&room, "ready_check", "off");
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

static void
join(unsigned players)
{
    for (unsigned i = 0; i < players; i++) {
        room_says(&room, room_player(i), "!join");
    }
}

static void
begin(void)
{
    room_says(&room, "Mo", "!new players=5");
    join(5);
}

/* ---- of a table ---------------------------------------------------------- */

START_TEST(a_table_is_opened_in_a_language_and_a_theme)
{
    room_says(&room, "Mo", "!new players=5 language=de theme=prison");
    ck_assert_uint_eq(
        room_count_said(&room, "Ein Tisch für Secret Direktor ist eröffnet"),
        1);
    room_says(&room, "Anna", "!mitspielen");
    ck_assert_uint_eq(room_table(&room)->seated, 1);
    room_says(&room, "Bob", "!join");
    ck_assert_uint_eq(room_table(&room)->seated, 2);
}
END_TEST

START_TEST(a_table_changes_its_language_at_once)
{
    begin();
    room_says(&room, "Mo", "!set language=fr");
    assert_holds(room_said(&room), "Mo règle language sur fr");
    assert_holds(room_status(&room)->text, "doit désigner son chancelier");
    room_names(&room, 1);
    assert_holds(room_said(&room), "Anna désigne Bob comme chancelier");
    room_says(&room, "Bob", "!etat");
    assert_holds(room_said(&room), "Votes attendus");
    room_reopen(&room);
    room_votes(&room, true);
    assert_holds(room_said(&room), "Gouvernement élu");
}
END_TEST

START_TEST(a_table_changes_its_theme_at_once)
{
    begin();
    room_says(&room, "Mo", "!set theme=prison");
    ck_assert_uint_eq(room_count_said(&room, "has to name a Steward"), 1);
    room_names(&room, 1);
    assert_holds(room_said(&room), "post **Aye!** or **Nay!** in bold");
    room_says(&room, "Bob", "**Aye!**");
    room_says(&room, "Carl", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(1) | seat_bit(2));
}
END_TEST

START_TEST(a_theme_or_a_language_that_is_none_changes_nothing)
{
    begin();
    room_says(&room, "Mo", "!set language=xx");
    assert_holds(room_said(&room), "language can't be “xx”; write one of "
                                   "\"de\", \"en\", \"fr\", \"nb\", \"nl");
    room_says(&room, "Mo", "!set theme=../languages/en");
    assert_holds(room_said(&room), "one of \"original\", \"prison\"");
    ck_assert_str_eq(room_table(&room)->settings.language, "en");
    ck_assert_str_eq(room_table(&room)->settings.theme, "original");
}
END_TEST

START_TEST(votes_may_be_those_of_the_language)
{
    begin();
    room_says(&room, "Mo", "!set language=fr");
    room_says(&room, "Mo", "!set words=language");
    room_names(&room, 1);
    assert_holds(room_said(&room), "écrivez **Oui\u202f!** ou **Non\u202f!**");
    room_says(&room, "Bob", "**oui**");
    room_says(&room, "Carl", "**Non !**");
    room_says(&room, "Dora", "**Ja!**");
    ck_assert_uint_eq(room_game(&room)->ja, seat_bit(1) | seat_bit(3));
    ck_assert_uint_eq(room_game(&room)->voted,
                      seat_bit(1) | seat_bit(2) | seat_bit(3));
}
END_TEST

START_TEST(times_are_read_as_the_language_writes_them)
{
    begin();
    room_says(&room, "Mo", "!set language=fr");
    int64_t before = room_table(&room)->deadline;
    room_says(&room, "Mo", "!prolonger 1 jour");
    ck_assert_int_eq(room_table(&room)->deadline, before + DAY_MS);
    room_says(&room, "Mo", "!échéance \"sam. 21h30\"");
    struct civil civil = civil_at(room_table(&room)->deadline, zone_utc());
    ck_assert_int_eq(civil.weekday, 6);
    ck_assert_int_eq(civil.hour, 21);
    ck_assert_int_eq(civil.minute, 30);
}
END_TEST

/* The id of the newest post of somebody. */
static int64_t
newest_post(const char *author)
{
    int64_t id = 0;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].author, author) == 0) {
            id = room.posts[i].id;
        }
    }
    return id;
}

static void
assert_told_why(const char *text, const char *why)
{
    char command[40];
    room_says(&room, "Bob", text);
    snprintf(command, sizeof command, "!pourquoi %lld",
             (long long)newest_post("Bob"));
    room_says(&room, "Bob", command);
    assert_holds(room_said(&room), why);
}

START_TEST(how_a_post_was_read_is_told_in_the_language)
{
    begin();
    room_says(&room, "Mo", "!set language=fr");
    assert_told_why("hello", "personne n’attendait cela de son auteur");
    room_names(&room, 1);
    assert_told_why("hello", "rien n’y est en gras, donc c’est de la "
                             "conversation (R3)");
    assert_told_why("**I vote Ja!**",
                    "dans « I vote Ja! », il y a plus en gras que "
                    "le mot seul (R6)");
    assert_told_why("**Ja!**", "« Ja! » est en gras et c’est exactement un des "
                               "mots qui comptent (R4)");
}
END_TEST

/* ---- of a player --------------------------------------------------------- */

START_TEST(a_player_is_written_to_in_a_language_of_their_own)
{
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Anna", "!join");
    room_tells(&room, "Anna", "!language nl");
    assert_holds(room_told(&room, "Anna"),
                 "Vanaf nu schrijf ik je in het Nederlands");
    join(5);
    assert_holds(room_told(&room, "Anna"), "je rol staat hieronder");
    assert_holds(room_told(&room, "Bob"), "your role is below");
    room_elects(&room, 1);
    assert_holds(room_told(&room, "Anna"), "je bent president");
    room_tells(&room, "Anna", "2 weg");
    assert_holds(room_told(&room, "Anna"), "Afgelegd: ");
    assert_holds(room_told(&room, "Bob"), "you're Chancellor");
}
END_TEST

START_TEST(the_language_of_a_player_is_known_after_a_restart)
{
    begin();
    room_tells(&room, "Anna", "!language de");
    room_reopen(&room);
    ck_assert_str_eq(room_table(&room)->seats[0].language, "de");
    room_tells(&room, "Anna", "!rolle");
    assert_holds(room_told(&room, "Anna"), "Deine Rolle");
    room_says(&room, "Anna", "!help");
    assert_holds(room_said(&room), "Please name your Chancellor");
}
END_TEST

START_TEST(hints_are_in_the_players_own_language)
{
    begin();
    room_tells(&room, "Bob", "!language fr");
    room_names(&room, 1);
    room_says(&room, "Bob", "ja");
    assert_holds(room_said(&room), "les votes ne comptent qu’en gras");
    room_says(&room, "Carl", "ja");
    assert_holds(room_said(&room), "votes only count in bold");
}
END_TEST

START_TEST(a_language_is_asked_for_in_private)
{
    begin();
    room_says(&room, "Anna", "!language nl");
    assert_holds(room_said(&room), "please ask me that by private message");
    ck_assert_str_eq(room_table(&room)->seats[0].language, "");
}
END_TEST

START_TEST(a_language_that_there_is_not_is_told_with_those_there_are)
{
    begin();
    room_tells(&room, "Anna", "!language tlh");
    assert_holds(room_told(&room, "Anna"),
                 "There are \"de\", \"en\", \"fr\", \"nb\", \"nl\"");
    room_tells(&room, "Anna", "!language");
    ck_assert_str_eq(room_table(&room)->seats[0].language, "");
}
END_TEST

START_TEST(whoever_takes_a_seat_does_not_get_its_language)
{
    char yes[16];
    begin();
    room_tells(&room, "Anna", "!language nl");
    room_says(&room, "Hugo", "!reserve");
    room_says(&room, "Mo", "!replace Anna with Hugo");
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->phase);
    room_says(&room, "Mo", yes);
    ck_assert_str_eq(room_table(&room)->seats[0].user, "Hugo");
    assert_holds(room_told(&room, "Hugo"), "your role is below");
}
END_TEST

START_TEST(a_quote_of_a_private_message_is_known_in_the_players_languages)
{
    begin();
    room_tells(&room, "Bob", "!language nl");
    room_says(&room, "Bob", "Secret Hitler, tafel 1: je rol staat hieronder.");
    assert_holds(room_said(&room), "never quote my private messages");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/own_language");
    TCase *tcase = tcase_create("table");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_table_is_opened_in_a_language_and_a_theme);
    tcase_add_test(tcase, a_table_changes_its_language_at_once);
    tcase_add_test(tcase, a_table_changes_its_theme_at_once);
    tcase_add_test(tcase, a_theme_or_a_language_that_is_none_changes_nothing);
    tcase_add_test(tcase, votes_may_be_those_of_the_language);
    tcase_add_test(tcase, times_are_read_as_the_language_writes_them);
    tcase_add_test(tcase, how_a_post_was_read_is_told_in_the_language);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("player");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_player_is_written_to_in_a_language_of_their_own);
    tcase_add_test(tcase, the_language_of_a_player_is_known_after_a_restart);
    tcase_add_test(tcase, hints_are_in_the_players_own_language);
    tcase_add_test(tcase, a_language_is_asked_for_in_private);
    tcase_add_test(tcase,
                   a_language_that_there_is_not_is_told_with_those_there_are);
    tcase_add_test(tcase, whoever_takes_a_seat_does_not_get_its_language);
    tcase_add_test(
        tcase, a_quote_of_a_private_message_is_known_in_the_players_languages);
    suite_add_tcase(suite, tcase);
    return suite;
}
