/*
 * Pages that bring posts again: only what is as it was is left out.
 */
#include <stdlib.h>

#include <check.h>

#include "bot/tables/feeds/feeds.h"
#include "bot/tables/turns/turns_inner.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

static void
set_up(void)
{
    room_init(&room);
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
}

static struct feed *
feed(void)
{
    return room.stage->tables.feeds.list[0];
}

/* Where posts stand: in the thread of the game, once there is one. */
static const char *
place(void)
{
    const struct tables *tables = &room.stage->tables;
    return tables->hosted.count == 0 ? "here"
                                     : tables->hosted.list[0]->table.thread;
}

static struct post *
add(struct page *page, const char *id)
{
    struct post *post = page_add(page);
    post->kind = POST_WRITTEN;
    post->id = must_copy(id);
    post->place = must_copy(place());
    post->author = must_copy("Carl");
    post->body = must_copy("so be it");
    post->body_len = strlen(post->body);
    post->stamp = 1000;
    page_finish(page);
    return post;
}

/* How many posts of a page, which is released, are left in. */
static size_t
left_in(struct page *page)
{
    struct page fresh;
    repeats_leave_out(&room.stage->tables, feed(), page, &fresh);
    size_t count = fresh.count;
    free(fresh.posts);
    page_release(page);
    return count;
}

static size_t
left_in_of(const char *one, const char *other)
{
    struct page page = {NULL, 0};
    (void)add(&page, one);
    (void)add(&page, other);
    return left_in(&page);
}

START_TEST(what_the_last_page_had_is_left_out)
{
    ck_assert_uint_eq(left_in_of("1", "2"), 2);
    ck_assert_uint_eq(left_in_of("1", "2"), 0);
    ck_assert_uint_eq(left_in_of("2", "3"), 1);
    ck_assert_uint_eq(left_in_of("1", "3"), 1);
}
END_TEST

static void
say_more(struct post *post)
{
    free(post->body);
    post->body = must_copy("so be it!");
    post->body_len = strlen(post->body);
}

static void
mark_edited(struct post *post)
{
    post->edited = 2000;
}

static void
move_on(struct post *post)
{
    post->stamp++;
}

static void
sign_otherwise(struct post *post)
{
    free(post->author);
    post->author = must_copy("Dora");
}

static void
stand_elsewhere(struct post *post)
{
    free(post->place);
    post->place = must_copy("elsewhere");
}

static void
answer(struct post *post)
{
    free(post->reply_to);
    post->reply_to = must_copy("7");
}

static void delete (struct post *post)
{
    post->kind = POST_DELETED;
}

static void
await_approval(struct post *post)
{
    post->pending = true;
}

static void
be_own(struct post *post)
{
    post->own = true;
}

static void (*const changes[])(struct post *post) = {
    say_more, mark_edited, move_on,        sign_otherwise, stand_elsewhere,
    answer,   delete,      await_approval, be_own,
};

START_TEST(a_post_that_has_changed_is_left_in)
{
    struct page page = {NULL, 0};
    ck_assert_uint_eq(left_in_of("1", "2"), 2);
    (void)add(&page, "1");
    changes[_i](add(&page, "2"));
    ck_assert_uint_eq(left_in(&page), 1);
}
END_TEST

/* Every time: what becomes of it depends on more than the post. */
START_TEST(what_nobody_wrote_or_waits_for_approval_is_left_in)
{
    for (unsigned i = 0; i < 2; i++) {
        struct page page = {NULL, 0};
        delete (add(&page, "1"));
        await_approval(add(&page, "2"));
        be_own(add(&page, "3"));
        ck_assert_uint_eq(left_in(&page), 3);
    }
}
END_TEST

/* From then on an edit of it is told. */
START_TEST(a_post_is_looked_at_again_once_a_game_runs)
{
    room_begin(&room, 5);
    enum table_state *state = &room.stage->tables.hosted.list[0]->table.state;
    *state = TABLE_SIGNUP;
    ck_assert_uint_eq(left_in_of("1", "2"), 2);
    ck_assert_uint_eq(left_in_of("1", "2"), 0);
    *state = TABLE_RUNNING;
    ck_assert_uint_eq(left_in_of("1", "2"), 2);
    ck_assert_uint_eq(left_in_of("1", "2"), 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/repeats");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, what_the_last_page_had_is_left_out);
    tcase_add_loop_test(all, a_post_that_has_changed_is_left_in, 0,
                        sizeof changes / sizeof changes[0]);
    tcase_add_test(all, what_nobody_wrote_or_waits_for_approval_is_left_in);
    tcase_add_test(all, a_post_is_looked_at_again_once_a_game_runs);
    return suite;
}
