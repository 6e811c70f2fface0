/*
 * Edits of what was read: noticed by the words, whether the service marks them
 * or not, and told once.
 */
#include <string.h>

#include <check.h>

#include "bot/tables/tables.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define TOLD "editing it changes nothing"

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

/* A post of Carl's as it is read now; `edited` is the service's mark. */
static void
reads(const char *id, const char *text, int64_t edited)
{
    static int64_t stamp;
    static const char *last;

    if (last != id) {
        last = id;
        room_waits(&room, SECOND_MS);
        stamp = room.stage->now;
    }
    room_delivers(&room, &(struct odd_post){.id = id,
                                            .who = "Carl",
                                            .text = text,
                                            .stamp = stamp,
                                            .edited = edited});
}

static unsigned
warnings(void)
{
    const struct table *table = room_table(&room);

    return table->seats[table_seat(table, "Carl")].warnings;
}

/* Whoever is awaited votes; then somebody is named for the next round. */
static void
next_round(void)
{
    room_votes(&room, false);
    room_names(&room, 4);
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}

START_TEST(an_edit_is_told_whether_it_has_a_mark_or_not)
{
    reads("one", "**Ja!**", 0);
    reads("one", "**Nein!**", _i == 0 ? 0 : room.stage->now);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 1);
    assert_holds(room_said(&room), "Carl");
    assert_holds(room_said(&room), "Your first vote stands");
    ck_assert(
        seat_in(table_seat(room_table(&room), "Carl"), room_game(&room)->ja));
}
END_TEST

/* A board that shows other words than were written. */
static enum advance
censor(const struct service *service, const struct op *op, struct buf *work,
       const struct reply *reply, struct outcome *out, struct buf *trouble)
{
    enum advance advance =
        adapter_board.advance(service, op, work, reply, out, trouble);

    for (size_t i = 0; i < out->page.count; i++) {
        for (char *at = strstr(out->page.posts[i].body, "Nein"); at != NULL;
             at = strstr(at, "Nein")) {
            memset(at, '*', 4);
        }
    }
    return advance;
}

START_TEST(words_that_the_forum_replaces_are_told_and_are_nobodys_edit)
{
    struct adapter censored = adapter_board;

    censored.advance = censor;
    next_round();
    room.stage->tables.services.list[0].adapter = &censored;
    room_names(&room, 1);
    ck_assert_uint_eq(room_count_said(&room, "write as N-e-i-n shows"), 1);
    room_says(&room, "Bob", "!rules");
    ck_assert_uint_eq(room_count_said(&room, "changes words in posts"), 1);
    reads("one", "hm", 0);
    reads("one", "**Nein!**", 0);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 0);
    /* Who marks an edit has edited it. */
    reads("one", "**Ja!**", room.stage->now);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 1);
    room.stage->tables.services.list[0].adapter = &adapter_board;
}
END_TEST

START_TEST(words_that_are_shown_as_they_were_written_are_not_told)
{
    next_round();
    room_names(&room, 1);
    next_round();
    ck_assert_uint_eq(room_count_said(&room, "changes words in posts"), 0);
}
END_TEST

START_TEST(an_edit_is_told_once_however_often_it_is_read)
{
    reads("one", "**Ja!**", 0);
    for (int i = 0; i < 3; i++) {
        reads("one", "**Nein!**", _i == 0 ? 0 : room.stage->now);
    }
    ck_assert_uint_eq(warnings(), 1);
    next_round();
    reads("one", "**Nein!**", _i == 0 ? 0 : room.stage->now);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 1);
    ck_assert_uint_eq(warnings(), 1);
}
END_TEST

/* Nobody who has voted is told that they have not. */
START_TEST(an_edit_of_an_earlier_vote_says_nothing_of_this_one)
{
    reads("one", "**Ja!**", 0);
    next_round();
    reads("one", "**Nein!**", _i == 0 ? 0 : room.stage->now);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 1);
    ck_assert_uint_eq(room_count_said(&room, "have not voted"), 0);
    ck_assert_uint_eq(room_count_said(&room, "first vote stays"), 0);
}
END_TEST

START_TEST(what_a_post_said_outlives_the_host)
{
    reads("one", "let me think", 0);
    room_says(&room, "Dora", "so do I"); /* the board is as new as the store */
    room_reopen(&room);
    reads("one", "let me think", 0);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 0);
    reads("one", "**Ja!**", 0);
    assert_holds(room_said(&room),
                 "You haven't voted yet, so please post again");
    ck_assert_uint_eq(room_game(&room)->voted, 0);
}
END_TEST

/* The round after that in which it was a vote: if it were an edit it would be
 * told. */
START_TEST(what_a_service_renders_anew_is_no_edit)
{
    reads("one", "[quote=Bob]well?[/quote]**Ja!** with all  my heart", 0);
    next_round();
    reads("one",
          "[quote=Robert, post: 7]well?\n\n[/quote]\n\n**Ja!** with all my\t"
          "heart ",
          _i == 0 ? 0 : room.stage->now);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 0);
    reads("one", "**Ja!** with all my might", 0);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 1);
}
END_TEST

START_TEST(a_post_that_was_edited_before_it_was_read_is_no_edit_since)
{
    for (int i = 0; i < 3; i++) {
        reads("one", "**Ja!**", -1);
    }
    ck_assert_uint_eq(room_game(&room)->voted, 0);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 0);
    reads("one", "**Nein!**", -1);
    ck_assert_uint_eq(room_count_said(&room, TOLD), 1);
}
END_TEST

#define COUNT_WORDS                                                            \
    "SELECT count(*) FROM " SQL_POSTS " WHERE fingerprint IS NOT NULL"

START_TEST(what_posts_said_is_forgotten_with_their_game)
{
    char yes[32];

    reads("one", "**Ja!**", 0);
    reads("two", "and that is that", 0);
    ck_assert_int_ge(room_query(&room, "store.db", COUNT_WORDS), 2);
    ck_assert_int_eq(
        room_query(&room, "store.db", COUNT_WORDS " AND place <> 'thread'"), 0);
    room_says(&room, "Mo", "!end enough");
    snprintf(yes, sizeof yes, "!yes %u", room_table(&room)->phase);
    room_says(&room, "Mo", yes);
    room_says(&room, "Carl", "that was it");
    ck_assert_int_eq(room_query(&room, "store.db", COUNT_WORDS), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/edits");
    TCase *tcase = tcase_create("edits");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, an_edit_is_told_whether_it_has_a_mark_or_not, 0,
                        2);
    tcase_add_loop_test(tcase, an_edit_is_told_once_however_often_it_is_read, 0,
                        2);
    tcase_add_loop_test(
        tcase, an_edit_of_an_earlier_vote_says_nothing_of_this_one, 0, 2);
    tcase_add_test(tcase, what_a_post_said_outlives_the_host);
    tcase_add_test(tcase,
                   words_that_the_forum_replaces_are_told_and_are_nobodys_edit);
    tcase_add_test(tcase,
                   words_that_are_shown_as_they_were_written_are_not_told);
    tcase_add_loop_test(tcase, what_a_service_renders_anew_is_no_edit, 0, 2);
    tcase_add_test(tcase,
                   a_post_that_was_edited_before_it_was_read_is_no_edit_since);
    tcase_add_test(tcase, what_posts_said_is_forgotten_with_their_game);
    suite_add_tcase(suite, tcase);
    return suite;
}
