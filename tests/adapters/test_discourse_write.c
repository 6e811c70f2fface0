/*
 * The Discourse adapter at a forum of the tests' own: posts that are written,
 * found again, edited, and locked, and topics that are opened for games.
 */
#include "tests/adapters/discourse_site.h"
#include "tests/support/runner.h"

/* ---- writing ------------------------------------------------------------- */

START_TEST(a_message_is_found_behind_many_posts_but_not_behind_old_ones)
{
    struct op find = {.kind = OP_FIND, .place = "7", .key = "1.31"};
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.31"};
    char sent[ADAPTER_ID_MAX + 1];
    char found[ADAPTER_ID_MAX + 1];

    find.since = site.now;
    site_id(&site, op, sent);
    for (int i = 0; i < 60; i++) {
        (void)post("Anna", "words");
    }
    site_find(&site, find, found);
    ck_assert_str_eq(found, sent);
    /* A key is not the beginning of another. */
    find.key = "1.3";
    site_find(&site, find, found);
    ck_assert_str_eq(found, "");
    find.key = "1.31";
    find.since = site.now + HOUR_MS;
    site_find(&site, find, found);
    ck_assert_str_eq(found, "");
}
END_TEST

START_TEST(a_players_copy_of_the_mark_is_no_letter)
{
    char found[ADAPTER_ID_MAX + 1];

    (void)post("Anna", "Round one begins. <!-- #1.31 -->");
    site_find(&site, (struct op){.kind = OP_FIND, .place = "7", .key = "1.31"},
              found);
    ck_assert_str_eq(found, "");
}
END_TEST

START_TEST(a_message_that_the_forum_calls_too_similar_is_the_one_that_was_sent)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.31"};
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->no_staff = true;
    site_id(&site, op, first);
    site_id(&site, op, second);
    ck_assert_str_eq(first, second);
}
END_TEST

START_TEST(two_players_are_told_the_same_words_in_private_at_once)
{
    static const char *const users[] = {"anna", "ben"};
    char place[ADAPTER_ID_MAX + 1];
    char ids[2][ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->no_staff = true;
    for (int i = 0; i < 2; i++) {
        site_dm(&site, users[i], place);
        site_id(&site, message(place, users[i], i == 0 ? "1.1" : "1.2"),
                ids[i]);
    }
    ck_assert_str_ne(ids[0], ids[1]);
    for (int i = 0; i < 2; i++) {
        ck_assert_ptr_nonnull(strstr(discourse_last(site.forum, users[i]),
                                     "You hold three cards."));
    }
}
END_TEST

/* By the words of a mention, which this forum counts. */
START_TEST(as_many_are_mentioned_in_a_post_as_the_capabilities_say)
{
    const struct capabilities *capabilities =
        &site.service.adapter->capabilities;
    struct rich text = {.count = 0};
    struct buf out = BUF_INIT;
    char name[16];
    char id[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->no_staff = true;
    for (unsigned i = 0; i <= capabilities->mentions; i++) {
        buf_clear(&out);
        site.service.adapter->dialect->write(&text, &out);
        if (i > 0) {
            site_id(&site,
                    (struct op){.kind = OP_SEND,
                                .place = "7",
                                .text = buf_text(&out),
                                .key = "1.1"},
                    id);
        }
        snprintf(name, sizeof(name), "user%u", i);
        rich_add_text(&text, i == 0 ? "Welcome, " : ", ", 0);
        rich_add_mention(&text, name, name, 0);
    }
    buf_clear(&out);
    site.service.adapter->dialect->write(&text, &out);
    site_fail(&site,
              (struct op){.kind = OP_SEND,
                          .place = "7",
                          .text = buf_text(&out),
                          .key = "1.2"},
              ERR_DENIED, "mention 10 users");
    rich_release(&text);
    buf_release(&out);
}
END_TEST

START_TEST(an_edit_bumps_its_topic_only_where_that_is_not_to_be_had_otherwise)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.31"};
    char id[ADAPTER_ID_MAX + 1];
    char unused[ADAPTER_ID_MAX + 1];

    site_id(&site, op, id);
    op.kind = OP_EDIT;
    op.post = id;
    op.text = "Round two begins.";
    site_id(&site, op, unused);
    ck_assert_uint_eq(discourse_bumps(site.forum), 0);
    discourse_habits(site.forum)->no_staff = true;
    op.text = "Round three begins.";
    site_id(&site, op, unused);
    ck_assert_uint_eq(discourse_bumps(site.forum), 1);
    ck_assert_str_eq(discourse_last(site.forum, NULL),
                     "Round three begins.\n\n<!-- #1.31 -->");
}
END_TEST

static struct op
picture_op(const char *key)
{
    /* A line of the kind that parts a form is in it, too. */
    static const unsigned char png[] =
        "\x89PNG\r\n--placard-0000000000-picture\r\n\0end";

    return (struct op){.kind = OP_SEND,
                       .place = "7",
                       .text = "A policy is enacted.",
                       .key = key,
                       .picture = {.bytes = png,
                                   .len = sizeof(png),
                                   .width = 690,
                                   .height = 400,
                                   .caption = "Seats: 1 Ann](x)|@all (out)"}};
}

START_TEST(a_picture_stands_in_its_post_above_the_mark)
{
    char id[ADAPTER_ID_MAX + 1];
    char found[ADAPTER_ID_MAX + 1];

    site_id(&site, picture_op("1.31"), id);
    const char *raw = discourse_last(site.forum, NULL);

    ck_assert_uint_eq(discourse_files(site.forum), 1);
    ck_assert_msg(
        strstr(raw, "A policy is enacted.\n\n"
                    "![Seats: 1 Ann (x)  all (out)|690x400](upload://") == raw,
        "%s", raw);
    ck_assert_ptr_nonnull(strstr(raw, ".png)\n\n<!-- #1.31 -->"));
    site_find(&site, (struct op){.kind = OP_FIND, .place = "7", .key = "1.31"},
              found);
    ck_assert_str_eq(found, id);
}
END_TEST

START_TEST(a_picture_that_is_sent_twice_is_one_file_and_its_post_one_post)
{
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->no_staff = true;
    site_id(&site, picture_op("1.31"), first);
    site_id(&site, picture_op("1.31"), second);
    ck_assert_uint_eq(discourse_files(site.forum), 1);
    ck_assert_str_eq(first, second);
}
END_TEST

START_TEST(where_no_picture_may_be_uploaded_the_post_goes_without)
{
    discourse_habits(site.forum)->no_uploads = true;
    struct ran ran = site_do(&site, picture_op("1.31"));

    ck_assert(ran.out.unpictured);
    ran_release(&ran);
    ck_assert_str_eq(discourse_last(site.forum, NULL),
                     "A policy is enacted.\n\n<!-- #1.31 -->");
}
END_TEST

START_TEST(a_silenced_account_is_told_from_a_text_that_is_not_taken)
{
    struct op op = {.kind = OP_SEND, .place = "7", .text = "a", .key = "1.1"};

    assert_refused(op, ERR_DENIED, REFUSED_WORDS);
    discourse_habits(site.forum)->silenced = true;
    discourse_habits(site.forum)->no_staff = true;
    op.text = "Round one begins.";
    assert_refused(op, ERR_DENIED, REFUSED_RIGHT);
}
END_TEST

/* The forum gives a remembered refusal for two minutes. */
START_TEST(what_was_refused_to_a_silenced_account_is_posted_right_after)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.31"};
    char id[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->silenced = true;
    assert_refused(op, ERR_DENIED, REFUSED_RIGHT);
    discourse_habits(site.forum)->silenced = false;
    site.now += 15 * SECOND_MS;
    site_id(&site, op, id);
    ck_assert_str_eq(discourse_last(site.forum, NULL),
                     "Round one begins.\n\n<!-- #1.31 -->");
}
END_TEST

START_TEST(who_is_no_moderator_edits_thirty_times_a_day)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.31"};
    char id[ADAPTER_ID_MAX + 1];
    char text[32];

    discourse_habits(site.forum)->no_staff = true;
    site_id(&site, op, id);
    op.kind = OP_EDIT;
    op.post = id;
    op.text = text;
    for (int i = 0; i < 30; i++) {
        snprintf(text, sizeof(text), "Round one begins: %d.", i);
        struct ran ran = site_do(&site, op);

        ran_release(&ran);
    }
    struct ran ran = site_run(&site, op);

    ck_assert_int_eq(ran.out.err, ERR_LIMITED);
    ck_assert_int_eq(ran.out.wait, DAY_MS);
    ran_release(&ran);
}
END_TEST

START_TEST(a_text_that_is_not_taken_is_refused_with_the_forums_words)
{
    site_fail(
        &site,
        (struct op){.kind = OP_SEND, .place = "7", .text = "a", .key = "1.1"},
        ERR_DENIED, "Body is too short (minimum is 5 characters)");
}
END_TEST

/* ---- locks --------------------------------------------------------------- */

static struct op
lock_op(const char *post)
{
    return (struct op){.kind = OP_LOCK, .place = "7", .post = post};
}

START_TEST(a_post_is_locked_against_edits_once_or_twice)
{
    char id[32];
    int64_t vote = post("Anna", "**Ja!**");
    int64_t other = post("Ben", "**Nein!**");
    char unused[ADAPTER_ID_MAX + 1];

    snprintf(id, sizeof(id), "%lld", (long long)vote);
    site_id(&site, lock_op(id), unused);
    site_id(&site, lock_op(id), unused);
    ck_assert(discourse_is_locked(site.forum, vote));
    ck_assert(!discourse_is_locked(site.forum, other));
    /* What is gone needs none. */
    discourse_remove(site.forum, vote);
    site_id(&site, lock_op(id), unused);
}
END_TEST

START_TEST(who_is_no_moderator_can_lock_nothing_and_is_told_so_before)
{
    char id[32];
    struct op probe = {.kind = OP_PROBE, .place = "7"};
    struct ran ran = site_do(&site, probe);

    ck_assert_uint_ne(ran.out.rights & RIGHT_LOCK, 0);
    ck_assert_ptr_null(strstr(buf_text(&ran.out.advice), "lock"));
    ran_release(&ran);
    discourse_habits(site.forum)->no_staff = true;
    ran = site_do(&site, probe);
    ck_assert_uint_eq(ran.out.rights & (RIGHT_LOCK | RIGHT_DELETE), 0);
    ck_assert_uint_ne(ran.out.rights & RIGHT_UPLOAD, 0);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&ran.out.advice), "nor lock them against edits"));
    ran_release(&ran);
    snprintf(id, sizeof(id), "%lld", (long long)post("Anna", "**Ja!**"));
    site_fail(&site, lock_op(id), ERR_DENIED, "may not do this there");
}
END_TEST

START_TEST(a_games_topic_is_opened_once_in_the_category_of_its_place)
{
    struct op op = {.kind = OP_OPEN,
                    .place = "7",
                    .text = "Secret Hitler, table 9",
                    .key = "1.31"};
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];

    site_id(&site, op, first);
    site_id(&site, op, second);
    ck_assert_str_eq(first, second);
    ck_assert_str_eq(first, "8");
    ck_assert_uint_eq(discourse_topics(site.forum), 1);
}
END_TEST

START_TEST(a_title_that_is_taken_gets_a_number)
{
    struct op op = {.kind = OP_OPEN,
                    .place = "7",
                    .text = "Secret Hitler, table 9",
                    .key = "1.31"};
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];
    char again[ADAPTER_ID_MAX + 1];

    site_id(&site, op, first);
    op.key = "2.31";
    discourse_habits(site.forum)->german = true;
    site_id(&site, op, second);
    ck_assert_str_ne(first, second);
    site_id(&site, op, again);
    ck_assert_str_eq(second, again);
    ck_assert_uint_eq(discourse_topics(site.forum), 2);
}
END_TEST

static const struct op begins = {
    .kind = OP_SEND, .place = "7", .text = "Round one begins.", .key = "1.1"};

/* Look for the post that waits under an id. */
static void
find_waiting(const char *id, bool unapproved, bool rejected)
{
    struct op op = begins;

    op.kind = OP_FIND;
    op.post = id;
    struct ran ran = site_do(&site, op);

    ck_assert(ran.out.unapproved == unapproved);
    ck_assert_int_eq(ran.out.found, rejected ? FOUND_NOTHING : FOUND_IT);
    ck_assert((ran.out.id.len == 0) == rejected);
    ck_assert((strcmp(buf_text(&ran.out.id), id) == 0) == unapproved);
    ran_release(&ran);
}

START_TEST(a_post_that_waits_for_approval_is_told_as_queued)
{
    discourse_habits(site.forum)->queue = true;
    struct ran ran = site_do(&site, begins);

    ck_assert(ran.out.unapproved);
    ck_assert_str_eq(buf_text(&ran.out.id), "pending-1");
    ran_release(&ran);
    find_waiting("pending-1", true, false);
    discourse_review(site.forum, true, site.now);
    find_waiting("pending-1", false, false);
}
END_TEST

/* For two minutes the forum repeats its answer, with the number of the post
 * that was rejected. */
START_TEST(a_post_that_was_not_approved_is_told_until_it_waits_anew)
{
    char id[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->queue = true;
    site_id(&site, begins, id);
    discourse_review(site.forum, false, site.now);
    find_waiting(id, false, true);
    site_id(&site, begins, id);
    ck_assert_str_eq(id, "pending-1");
    find_waiting(id, false, true);
    site.now += 121 * SECOND_MS;
    site_id(&site, begins, id);
    find_waiting(id, true, false);
}
END_TEST

/* Its reply was lost, or the host was killed: so it has no number. */
START_TEST(a_post_that_waits_is_found_in_the_queue_by_its_key)
{
    struct op find = begins;

    discourse_habits(site.forum)->queue = true;
    struct ran ran = site_do(&site, begins);

    ran_release(&ran);
    find.kind = OP_FIND;
    ran = site_do(&site, find);
    ck_assert(ran.out.found == FOUND_IT && ran.out.unapproved);
    ck_assert_str_eq(buf_text(&ran.out.id), "pending-1");
    ran_release(&ran);
    find.key = "1.2";
    ran = site_do(&site, find);
    ck_assert_int_eq(ran.out.found, FOUND_NOTHING);
    ran_release(&ran);
}
END_TEST

/* Only the last two hundred posts are looked at in one go. */
START_TEST(behind_many_posts_none_is_told_as_not_approved)
{
    struct op op = begins;
    char id[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->queue = true;
    site_id(&site, begins, id);
    discourse_review(site.forum, true, site.now);
    for (unsigned i = 0; i < 200; i++) {
        post("anna", "I vote as I like.");
    }
    op.kind = OP_FIND;
    op.post = id;
    op.since = site.now - DAY_MS;
    op.key = "1.99"; /* what the account's own latest posts don't show */
    struct ran ran = site_do(&site, op);

    ck_assert_int_eq(ran.out.found, FOUND_NOT_YET);
    ran_release(&ran);
    op.key = begins.key;
    site_find(&site, op, id);
    ck_assert_str_eq(id, "1001");
}
END_TEST

Suite *
test_suite(void)
{
    const TTest *const cases[] = {
        a_message_is_found_behind_many_posts_but_not_behind_old_ones,
        a_players_copy_of_the_mark_is_no_letter,
        a_message_that_the_forum_calls_too_similar_is_the_one_that_was_sent,
        two_players_are_told_the_same_words_in_private_at_once,
        as_many_are_mentioned_in_a_post_as_the_capabilities_say,
        an_edit_bumps_its_topic_only_where_that_is_not_to_be_had_otherwise,
        a_picture_stands_in_its_post_above_the_mark,
        a_picture_that_is_sent_twice_is_one_file_and_its_post_one_post,
        where_no_picture_may_be_uploaded_the_post_goes_without,
        a_silenced_account_is_told_from_a_text_that_is_not_taken,
        what_was_refused_to_a_silenced_account_is_posted_right_after,
        who_is_no_moderator_edits_thirty_times_a_day,
        a_text_that_is_not_taken_is_refused_with_the_forums_words,
        a_post_is_locked_against_edits_once_or_twice,
        who_is_no_moderator_can_lock_nothing_and_is_told_so_before,
        a_games_topic_is_opened_once_in_the_category_of_its_place,
        a_title_that_is_taken_gets_a_number,
        a_post_that_waits_for_approval_is_told_as_queued,
        a_post_that_was_not_approved_is_told_until_it_waits_anew,
        a_post_that_waits_is_found_in_the_queue_by_its_key,
        behind_many_posts_none_is_told_as_not_approved,
    };
    Suite *suite = suite_create("adapters/discourse_write");
    TCase *tcase = tcase_create("discourse");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
