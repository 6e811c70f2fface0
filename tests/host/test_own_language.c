/*
 * The language of a table, changed while it plays, and those of its players.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;

static void
set_up(void)
{
    hall_init(&hall);
    hall.deck = "FFLFFLFFLFFLFFLFL";
    hall_set(&hall, "ready_check", "off");
    hall_open(&hall);
}

static void
tear_down(void)
{
    hall_release(&hall);
}

static void
join(unsigned players)
{
    for (unsigned i = 0; i < players; i++) {
        hall_says(&hall, hall_player(i), "!join");
    }
}

static void
begin(void)
{
    hall_says(&hall, "Mo", "!new players=5");
    join(5);
}

/* ---- of a table ---------------------------------------------------------- */

START_TEST(a_table_is_opened_in_a_language_and_a_theme)
{
    hall_says(&hall, "Mo", "!new players=5 language=de theme=prison");
    ck_assert_uint_eq(
        hall_count_said(&hall, "Ein Tisch Secret Direktor ist offen"), 1);
    hall_says(&hall, "Anna", "!mitspielen");
    ck_assert_uint_eq(hall_table(&hall)->seated, 1);
    hall_says(&hall, "Bob", "!join");
    ck_assert_uint_eq(hall_table(&hall)->seated, 2);
}
END_TEST

START_TEST(a_table_changes_its_language_at_once)
{
    begin();
    hall_says(&hall, "Mo", "!set language=fr");
    assert_holds(hall_said(&hall), "language vaut fr");
    assert_holds(hall_status(&hall)->text, "doit désigner son chancelier");
    hall_names(&hall, 1);
    assert_holds(hall_said(&hall), "faut-il élire le président Anna");
    hall_says(&hall, "Bob", "!etat");
    assert_holds(hall_said(&hall), "Attendus");
    hall_reopen(&hall);
    hall_votes(&hall, true);
    assert_holds(hall_said(&hall), "Gouvernement élu");
}
END_TEST

START_TEST(a_table_changes_its_theme_at_once)
{
    begin();
    hall_says(&hall, "Mo", "!set theme=prison");
    ck_assert_uint_eq(hall_count_said(&hall, "is to name a steward"), 1);
    hall_names(&hall, 1);
    assert_holds(hall_said(&hall), "Post **Aye!** or **Nay!** in bold");
    hall_says(&hall, "Bob", "**Aye!**");
    hall_says(&hall, "Carl", "**Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(1) | seat_bit(2));
}
END_TEST

START_TEST(a_theme_or_a_language_that_is_none_changes_nothing)
{
    begin();
    hall_says(&hall, "Mo", "!set language=xx");
    assert_holds(hall_said(&hall), "language: can't be “xx”; write one of "
                                   "\"de\", \"en\", \"fr\", \"nb\", \"nl\"");
    hall_says(&hall, "Mo", "!set theme=../languages/en");
    assert_holds(hall_said(&hall), "one of \"original\", \"prison\"");
    ck_assert_str_eq(hall_table(&hall)->settings.language, "en");
    ck_assert_str_eq(hall_table(&hall)->settings.theme, "original");
}
END_TEST

START_TEST(votes_may_be_those_of_the_language)
{
    begin();
    hall_says(&hall, "Mo", "!set language=fr");
    hall_says(&hall, "Mo", "!set words=language");
    hall_names(&hall, 1);
    assert_holds(hall_said(&hall), "Écrivez **Oui\u202f!** ou **Non\u202f!**");
    hall_says(&hall, "Bob", "**oui**");
    hall_says(&hall, "Carl", "**Non !**");
    hall_says(&hall, "Dora", "**Ja!**");
    ck_assert_uint_eq(hall_game(&hall)->ja, seat_bit(1) | seat_bit(3));
    ck_assert_uint_eq(hall_game(&hall)->voted,
                      seat_bit(1) | seat_bit(2) | seat_bit(3));
}
END_TEST

START_TEST(times_are_read_as_the_language_writes_them)
{
    begin();
    hall_says(&hall, "Mo", "!set language=fr");
    int64_t before = hall_table(&hall)->deadline;
    hall_says(&hall, "Mo", "!prolonger 1 jour");
    ck_assert_int_eq(hall_table(&hall)->deadline, before + DAY_MS);
    hall_says(&hall, "Mo", "!échéance \"sam. 21h30\"");
    struct civil civil = civil_at(hall_table(&hall)->deadline, zone_utc());
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
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        if (strcmp(hall.posts[i].author, author) == 0) {
            id = hall.posts[i].id;
        }
    }
    return id;
}

static void
assert_told_why(const char *text, const char *why)
{
    char command[40];
    hall_says(&hall, "Bob", text);
    snprintf(command, sizeof command, "!pourquoi %lld",
             (long long)newest_post("Bob"));
    hall_says(&hall, "Bob", command);
    assert_holds(hall_said(&hall), why);
}

START_TEST(how_a_post_was_read_is_told_in_the_language)
{
    begin();
    hall_says(&hall, "Mo", "!set language=fr");
    assert_told_why("hello", "rien de tel n’était alors attendu");
    hall_names(&hall, 1);
    assert_told_why("hello", "rien n’y est en gras, donc ce n’est que de la "
                             "discussion (R3)");
    assert_told_why("**I vote Ja!**", "« I vote Ja! » contient plus en gras "
                                      "qu’un seul des mots (R6)");
    assert_told_why("**Ja!**", "« Ja! » est en gras et c’est exactement un mot "
                               "qui compte (R4)");
}
END_TEST

/* ---- of a player --------------------------------------------------------- */

START_TEST(a_player_is_written_to_in_a_language_of_their_own)
{
    hall_says(&hall, "Mo", "!new players=5");
    hall_says(&hall, "Anna", "!join");
    hall_tells(&hall, "Anna", "!language nl");
    assert_holds(hall_told(&hall, "Anna"),
                 "Vanaf nu schrijf ik je in het Nederlands");
    join(5);
    assert_holds(hall_told(&hall, "Anna"), "je rol staat hieronder");
    assert_holds(hall_told(&hall, "Bob"), "your role is below");
    hall_elects(&hall, 1);
    assert_holds(hall_told(&hall, "Anna"), "je bent president");
    hall_tells(&hall, "Anna", "2 weg");
    assert_holds(hall_told(&hall, "Anna"), "Afgelegd: ");
    assert_holds(hall_told(&hall, "Bob"), "you are Chancellor");
}
END_TEST

START_TEST(the_language_of_a_player_is_known_after_a_restart)
{
    begin();
    hall_tells(&hall, "Anna", "!language de");
    hall_reopen(&hall);
    ck_assert_str_eq(hall_table(&hall)->people[0].language, "de");
    hall_tells(&hall, "Anna", "!rolle");
    assert_holds(hall_told(&hall, "Anna"), "Deine Rolle");
    hall_says(&hall, "Anna", "!help");
    assert_holds(hall_said(&hall), "You are to name your chancellor");
}
END_TEST

START_TEST(hints_are_in_the_players_own_language)
{
    begin();
    hall_tells(&hall, "Bob", "!language fr");
    hall_names(&hall, 1);
    hall_says(&hall, "Bob", "ja");
    assert_holds(hall_said(&hall), "les votes ne comptent qu’en gras");
    hall_says(&hall, "Carl", "ja");
    assert_holds(hall_said(&hall), "votes count in bold only");
}
END_TEST

START_TEST(a_language_is_asked_for_in_private)
{
    begin();
    hall_says(&hall, "Anna", "!language nl");
    assert_holds(hall_said(&hall), "ask me that by private message");
    ck_assert_str_eq(hall_table(&hall)->people[0].language, "");
}
END_TEST

START_TEST(a_language_that_there_is_not_is_told_with_those_there_are)
{
    begin();
    hall_tells(&hall, "Anna", "!language tlh");
    assert_holds(hall_told(&hall, "Anna"),
                 "There are \"de\", \"en\", \"fr\", \"nb\", \"nl\"");
    hall_tells(&hall, "Anna", "!language");
    ck_assert_str_eq(hall_table(&hall)->people[0].language, "");
}
END_TEST

START_TEST(whoever_takes_a_seat_does_not_get_its_language)
{
    char yes[16];
    begin();
    hall_tells(&hall, "Anna", "!language nl");
    hall_says(&hall, "Hugo", "!reserve");
    hall_says(&hall, "Mo", "!replace Anna with Hugo");
    snprintf(yes, sizeof yes, "!yes %u", hall_table(&hall)->phase);
    hall_says(&hall, "Mo", yes);
    ck_assert_str_eq(hall_table(&hall)->people[0].user, "Hugo");
    assert_holds(hall_told(&hall, "Hugo"), "your role is below");
}
END_TEST

START_TEST(a_quote_of_a_private_message_is_known_in_the_players_languages)
{
    begin();
    hall_tells(&hall, "Bob", "!language nl");
    hall_says(&hall, "Bob", "Secret Hitler, tafel 1: je rol staat hieronder.");
    assert_holds(hall_said(&hall), "never quote my private messages");
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
