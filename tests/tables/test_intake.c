/*
 * Pages: which cursors are saved.
 */
#include <check.h>

#include "bot/tables/feeds/feeds.h"
#include "bot/tables/turns/intake.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;
static struct feed *feed;

static void
set_up(void)
{
    room_init(&room);
    room_open(&room);
    struct tables *tables = &room.stage->tables;
    feed = feeds_add(&tables->feeds, &tables->services.list[0], "feed");
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

enum author {
    NOBODY,
    OURSELVES,
    MACHINE,
    PERSON
};

static void
add_post(struct page *page, enum author author)
{
    static unsigned posts;
    struct post *post = page_add(page);
    struct buf id = BUF_INIT;
    buf_addf(&id, "%u", ++posts);
    post->kind = POST_WRITTEN;
    post->id = must_copy(buf_text(&id));
    post->place = must_copy("elsewhere");
    post->author = must_copy("somebody");
    post->body = must_copy("so be it");
    post->body_len = strlen(post->body);
    post->stamp = room.stage->now;
    post->own = author == OURSELVES;
    post->machine = author == MACHINE;
    page_finish(page);
    buf_release(&id);
}

/* A page comes: a post of ours, and one of somebody's; with it the cursor. */
static void
comes(enum author author, const char *cursor, bool more)
{
    struct outcome outcome = {.through = room.stage->now, .more = more};
    if (author != NOBODY) {
        add_post(&outcome.page, OURSELVES);
        add_post(&outcome.page, author);
    }
    buf_add_text(&outcome.cursor, cursor);
    intake_take_page(&room.stage->tables, feed, &outcome, room.stage->now);
    ck_assert_str_eq(feed->cursor, cursor);
    outcome_release(&outcome);
}

static void
assert_saved(const char *cursor)
{
    struct buf saved = BUF_INIT;
    struct feed_reading reading;
    store_feed(room.stage->tables.store, feed->service->name, feed->name,
               &saved, &reading);
    ck_assert_str_eq(buf_text(&saved), cursor);
    buf_release(&saved);
}

START_TEST(what_machines_wrote_may_be_read_again_after_a_start)
{
    comes(PERSON, "1", false);
    comes(OURSELVES, "2", false);
    comes(MACHINE, "3", false);
    assert_saved("1");
}
END_TEST

START_TEST(what_a_person_wrote_is_not_read_again)
{
    comes(PERSON, "1", false);
    comes(OURSELVES, "2", false);
    comes(PERSON, "3", false);
    assert_saved("3");
}
END_TEST

START_TEST(a_page_that_brings_nothing_moves_the_cursor)
{
    comes(PERSON, "1", false);
    comes(NOBODY, "2", false);
    assert_saved("2");
}
END_TEST

/* So much of ours is not read again. */
START_TEST(a_page_that_more_follows_moves_the_cursor)
{
    comes(PERSON, "1", false);
    comes(OURSELVES, "2", true);
    assert_saved("2");
}
END_TEST

/* Without one a host that starts might begin to read later. */
START_TEST(the_first_cursor_is_saved_whoever_wrote)
{
    comes(OURSELVES, "1", false);
    assert_saved("1");
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/intake");
    TCase *tcase = tcase_create("cursors");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_machines_wrote_may_be_read_again_after_a_start);
    tcase_add_test(tcase, what_a_person_wrote_is_not_read_again);
    tcase_add_test(tcase, a_page_that_brings_nothing_moves_the_cursor);
    tcase_add_test(tcase, a_page_that_more_follows_moves_the_cursor);
    tcase_add_test(tcase, the_first_cursor_is_saved_whoever_wrote);
    suite_add_tcase(suite, tcase);
    return suite;
}
