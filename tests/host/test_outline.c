/*
 * Outlines as they are saved: what is written is read again, and nothing else
 * is taken for one.  tests/store/test_recover.c compares them with tables.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/name.h"
#include "bot/host/table/outline.h"
#include "tests/support/runner.h"

static struct table table;
static struct buf text;

static void
set_up(void)
{
    table_init(&table);
    table.state = TABLE_SIGNUP;
    table.starts = 1700000000000;
    table.since = 1690000000000;
    table.opening = true;
    name_set(&table.thread, "thread 7");
    table.seated = 2;
    name_set(&table.seats[0].user, "@anna:example.org");
    name_set(&table.seats[1].user, "81");
    table.moderator_count = 1;
    name_set(&table.moderators[0], "Mo");
}

static void
tear_down(void)
{
    buf_release(&text);
}

static void
write_one(void)
{
    struct outline outline = {.texts = NULL};
    outline_take(&outline, &table);
    buf_clear(&text);
    outline_write(&outline, &text);
    outline_release(&outline);
}

START_TEST(what_was_written_is_read_again)
{
    struct outline outline = {.texts = NULL};
    write_one();
    ck_assert(outline_read(text.data, text.len, &outline));
    ck_assert_str_eq(outline.thread, "thread 7");
    ck_assert_str_eq(outline.home, "");
    ck_assert_uint_eq(outline.seated, 2);
    ck_assert_str_eq(outline.people[0], "@anna:example.org");
    ck_assert_str_eq(outline.people[1], "81");
    ck_assert_ptr_null(outline.people[2]);
    ck_assert_uint_eq(outline.moderator_count, 1);
    ck_assert_str_eq(outline.moderators[0], "Mo");
    ck_assert_int_eq(outline.state, TABLE_SIGNUP);
    ck_assert_int_eq(outline.since, 1690000000000);
    ck_assert_int_eq(outline.timer.kind, TIMER_START);
    ck_assert_int_eq(outline.timer.at, 1700000000000);
    ck_assert(outline.opening);
    ck_assert(!outline.secret);
    ck_assert_int_eq(outline.untold_since, 0);
    outline_release(&outline);
}
END_TEST

START_TEST(that_votes_are_to_be_told_is_kept)
{
    struct outline outline = {.texts = NULL};
    table.untold_since = 1690000000000;
    write_one();
    ck_assert(outline_read(text.data, text.len, &outline));
    ck_assert_int_ne(outline.untold_since, 0);
    outline_release(&outline);
}
END_TEST

/* Who has to answer, and how many, does not show in the length. */
START_TEST(its_length_depends_on_names_alone)
{
    write_one();
    size_t len = text.len;
    table.state = TABLE_SEATED;
    table.since = 0;
    table.opening = false;
    write_one();
    ck_assert_uint_eq(text.len, len);
    name_set(&table.seats[1].user, "811");
    write_one();
    ck_assert_uint_eq(text.len, len + 1);
}
END_TEST

START_TEST(it_follows_into_another_thread)
{
    struct outline outline = {.texts = NULL};
    outline_take(&outline, &table);
    outline_set_thread(&outline, "another, longer one");
    ck_assert_str_eq(outline.thread, "another, longer one");
    ck_assert_str_eq(outline.home, "");
    ck_assert_str_eq(outline.people[0], "@anna:example.org");
    ck_assert_str_eq(outline.moderators[0], "Mo");
    outline_release(&outline);
}
END_TEST

START_TEST(somebody_who_comes_or_goes_makes_another)
{
    struct outline one = {.texts = NULL};
    struct outline two = {.texts = NULL};
    outline_take(&one, &table);
    table.since++;
    outline_take(&two, &table);
    ck_assert(outline_same_people(&one, &two));
    outline_release(&two);
    /* The same texts, but a player is a moderator now. */
    table.seated = 1;
    table.moderator_count = 2;
    name_set(&table.moderators[0], "81");
    name_set(&table.moderators[1], "Mo");
    outline_take(&two, &table);
    ck_assert(!outline_same_people(&one, &two));
    outline_release(&one);
    outline_release(&two);
}
END_TEST

/* Each prefix, each byte that is another: read as something or refused, but
 * never past its end (the sanitizers look). */
START_TEST(what_is_none_is_refused)
{
    struct outline outline = {.texts = NULL};
    write_one();
    for (size_t len = 0; len < text.len; len++) {
        char *part = malloc(len + 1);
        memcpy(part, text.data, len);
        ck_assert_msg(!outline_read(part, len, &outline), "%zu", len);
        ck_assert_ptr_null(outline.texts);
        free(part);
    }
    for (size_t i = 0; i < text.len; i++) {
        char before = text.data[i];
        text.data[i] = '\xff';
        bool read = outline_read(text.data, text.len, &outline);
        ck_assert_msg(!read || (i >= 136 && before != '\0'), "%zu", i);
        outline_release(&outline);
        text.data[i] = before;
    }
    text.data[15] = '9'; /* of a later version */
    ck_assert(!outline_read(text.data, text.len, &outline));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/outline");
    TCase *tcase = tcase_create("outline");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, that_votes_are_to_be_told_is_kept);
    tcase_add_test(tcase, what_was_written_is_read_again);
    tcase_add_test(tcase, its_length_depends_on_names_alone);
    tcase_add_test(tcase, it_follows_into_another_thread);
    tcase_add_test(tcase, somebody_who_comes_or_goes_makes_another);
    tcase_add_test(tcase, what_is_none_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
