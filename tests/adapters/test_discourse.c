/*
 * The Discourse adapter at a forum of the tests' own: accounts, topics, and
 * what is read in them and in DMs.
 */
#include "adapters/http/rate_limits.h"
#include "tests/adapters/discourse_site.h"
#include "tests/support/runner.h"

static struct buf seen;
static char cursor[ADAPTER_ID_MAX + 1];

static void
begin(void)
{
    cursor[0] = '\0';
    set_up();
}

static void
end(void)
{
    tear_down();
    buf_release(&seen);
}

/* ---- the account and its topics ------------------------------------------ */

START_TEST(an_account_without_a_name_is_told_as_a_mistake_in_the_config)
{
    site.service.user[0] = '\0';
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_CONFIG,
              "user = \"NAME\"");
}
END_TEST

START_TEST(a_key_that_is_not_the_accounts_is_told_as_such)
{
    snprintf(site.service.user, sizeof(site.service.user), "other");
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_DENIED,
              "the API key is not accepted");
}
END_TEST

START_TEST(a_topic_is_known_by_its_address_or_its_number)
{
    static const char *const good[] = {
        "7", DISCOURSE_BASE "/t/7", DISCOURSE_BASE "/t/the-table/7",
        DISCOURSE_BASE "/t/the-table/7/12?u=mo", "/t/7.json"};
    static const char *const bad[] = {"",
                                      "the-table",
                                      "7 or 8",
                                      "0",
                                      DISCOURSE_BASE "/c/games/5",
                                      DISCOURSE_BASE "/t/the-table",
                                      "77777777777777777777777777"};
    char id[ADAPTER_ID_MAX + 1];

    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        site_id(&site, (struct op){.kind = OP_PLACE, .text = good[i]}, id);
        ck_assert_str_eq(id, "7");
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        site_fail(&site, (struct op){.kind = OP_PLACE, .text = bad[i]},
                  ERR_CONFIG, "is no topic");
    }
    site_fail(&site, (struct op){.kind = OP_PLACE, .text = "99"}, ERR_GONE,
              "could not be found");
}
END_TEST

START_TEST(no_game_is_hosted_in_a_private_message)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_fail(&site,
              (struct op){.kind = OP_PLACE, .text = place + strlen(FORUM_DM)},
              ERR_CONFIG, "is a private message");
}
END_TEST

/* ---- reading ------------------------------------------------------------- */

START_TEST(nothing_is_read_that_was_there_before_the_bot)
{
    (void)post("Anna", "An old post.");
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "");
    site.now += INT64_C(2) * FORUM_EDITS_MS;
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "");
    (void)post("Anna", "A new post.");
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "anna: A new post.\n");
}
END_TEST

START_TEST(a_topic_without_news_is_one_request)
{
    site_read(&site, "7", cursor, &seen);
    site.now += 1;
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(site.requests, 1);
}
END_TEST

/* All of them come with the stream. */
START_TEST(twenty_new_posts_are_one_request)
{
    site_read(&site, "7", cursor, &seen);
    for (int i = 0; i < 25; i++) {
        (void)post("Anna", "An earlier post.");
    }
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_ge(count_of(&seen, "An earlier post."), 25);
    buf_clear(&seen);
    for (int i = 0; i < 20; i++) {
        (void)post("Anna", "A new post.");
    }
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(site.requests, 1);
    ck_assert_uint_eq(count_of(&seen, "A new post."), 20);
}
END_TEST

/* When the last request went out, by the adapter's rate. */
static struct limits limits;
static int64_t sent_at;

static void
serve_by_rate(void *forum, int64_t now, const struct request *request,
              struct buf *body, struct reply *reply)
{
    int64_t when =
        limits_when(&limits, &(struct permit){.route = NULL}, sent_at);

    sent_at = when > sent_at ? when : sent_at;
    limits_go(&limits, &(struct permit){.route = NULL}, sent_at);
    serve(forum, now, request, body, reply);
}

/* A host that was away reads back to where the question was put, too. */
START_TEST(a_night_of_250_posts_is_read_within_seconds)
{
    site_read(&site, "7", cursor, &seen);
    site.since = site.now;
    for (int i = 0; i < 250; i++) {
        (void)post("Anna", "A new post.");
    }
    memset(&limits, 0, sizeof(limits));
    limits.rate = site.service.adapter->capabilities.rate;
    limits.burst = site.service.adapter->capabilities.burst;
    sent_at = site.now;
    site.serve = serve_by_rate;
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_ge(count_of(&seen, "A new post."), 250);
    ck_assert_int_le(sent_at - site.now, 5 * SECOND_MS);
}
END_TEST

START_TEST(a_dm_with_an_answer_is_one_request_beside_the_lists)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS + 1000;
    discourse_post(site.forum, "anna", true, "a word", site.now);
    site.now += FORUM_MARGIN_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
    ck_assert_uint_eq(count_of(&site.urls, "/t/"), 1);
}
END_TEST

START_TEST(a_dm_that_the_bus_has_told_of_is_one_request_and_hides_no_other)
{
    char anna[ADAPTER_ID_MAX + 1];
    char ben[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", anna);
    site_dm(&site, "ben", ben);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS + 1000;
    discourse_post(site.forum, "anna", true, "a word", site.now);
    discourse_post(site.forum, "ben", true, "reply of ben", site.now);
    site.now += FORUM_MARGIN_MS;
    site.rung = ben;
    site.requests = 0;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(site.requests, 1);
    ck_assert_uint_eq(count_of(&seen, "reply of ben"), 1);
    ck_assert_uint_eq(count_of(&seen, "a word"), 0);
    site.rung = NULL;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
}
END_TEST

START_TEST(a_hidden_post_is_not_deleted)
{
    site_read(&site, "7", cursor, &seen);
    int64_t one = post("Anna", "one");

    discourse_hide(site.forum, one);
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "Anna: "), 0);
    ck_assert_uint_eq(count_of(&seen, "anna: "), 1);
    ck_assert_uint_eq(count_of(&seen, " (pending)"), 1);
}
END_TEST

START_TEST(an_edit_shows_within_a_minute_or_when_it_is_asked_for)
{
    site_read(&site, "7", cursor, &seen);
    int64_t id = post("Anna", "**Ja!**");

    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "(edited)"), 0);
    discourse_change(site.forum, id, "**Nein!**", true, ++site.now);

    struct ran ran = site_do(&site, (struct op){.kind = OP_READ,
                                                .feed = "7",
                                                .cursor = cursor,
                                                .since = site.now});

    ck_assert_uint_eq(ran.out.page.count, 1);
    ck_assert_int_eq(ran.out.page.posts[0].edited, site.now);
    ran_release(&ran);
    site.now += FORUM_EDITS_MS;
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "Nein!"), 1);
    ck_assert_uint_eq(count_of(&seen, "(edited)"), 1);
}
END_TEST

/* The grace period leaves no mark, and the text is there all the same. */
START_TEST(an_edit_without_a_mark_brings_the_new_text)
{
    site_read(&site, "7", cursor, &seen);
    int64_t id = post("Anna", "**Ja!**");

    site_read(&site, "7", cursor, &seen);
    discourse_change(site.forum, id, "**Nein!**", false, site.now);
    site.now += FORUM_EDITS_MS;
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "Nein!"), 1);
}
END_TEST

/* It could be written in time, and say something else when time is up. */
START_TEST(an_edit_without_a_mark_has_its_time_where_it_is_seen_first)
{
    site_read(&site, "7", cursor, &seen);
    int64_t id = post("Anna", "a word");

    (void)post("Ben", "another word");
    discourse_change(site.forum, id, "**Ja!**", false, site.now + 60000);
    struct ran ran = site_do(
        &site, (struct op){.kind = OP_READ, .feed = "7", .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 2);
    ck_assert_int_eq(ran.out.page.posts[0].edited, site.now + 60000);
    ck_assert_int_eq(ran.out.page.posts[1].edited, 0);
    ran_release(&ran);
}
END_TEST

/* As address bars, the share button, and links among the posts have it. */
static const char *const positions[] = {
    "<p>!why " DISCOURSE_BASE "/t/the-table/7/47</p>",
    "<p>!why " DISCOURSE_BASE "/t/the-table/7/47?u=ben</p>",
    "<p>!why /t/the-table/7/47</p>",
    "<p>!why /t/7/47</p>",
    "<p>!why /t/-/7/47.</p>",
    "<p>!why <a href=\"" DISCOURSE_BASE
    "/t/the-table/7/47?u=ben\">" DISCOURSE_BASE
    "/t/the-table/7/47?u=ben</a></p>",
    "<p>!why <a href=\"" DISCOURSE_BASE "/t/the-table/7/47\""
    " class=\"inline-onebox\">The table - #47 by anna</a></p>",
};

START_TEST(an_address_with_a_position_leads_to_the_post_that_is_there)
{
    char words[40];

    for (int i = 0; i < 45; i++) {
        (void)post("Anna", "Some talk.");
    }
    site_read(&site, "7", cursor, &seen);
    site_read(&site, "7", cursor, &seen);
    site_read(&site, "7", cursor, &seen);
    int64_t vote = post("Anna", "**Ja!**"); /* the 47th */

    for (int i = 0; i < 30; i++) {
        (void)post("Anna", "More talk.");
    }
    site_read(&site, "7", cursor, &seen);
    site_read(&site, "7", cursor, &seen);
    snprintf(words, sizeof(words), "/p/%lld", (long long)vote);
    for (size_t i = 0; i < sizeof(positions) / sizeof(positions[0]); i++) {
        int64_t id = post("Ben", positions[i]);

        buf_clear(&seen);
        site_read(&site, "7", cursor, &seen);
        ck_assert_msg(count_of(&seen, words) == 1, "%s", buf_text(&seen));
        ck_assert_uint_eq(count_of(&seen, "7/47"), 0);
        discourse_remove(site.forum, id);
    }
}
END_TEST

START_TEST(an_address_of_no_post_leads_to_none)
{
    site_read(&site, "7", cursor, &seen);
    (void)post("Ben", "!why /t/the-table/7/999");
    (void)post("Ben", "!why /t/the-table/999/1");
    (void)post("Ben", "!why /t/the-table/7");
    (void)post("Ben", "See /t/the-table/7/1");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "/p/0"), 2);
    ck_assert_uint_eq(count_of(&seen, "!why /t/the-table/7"), 1);
    ck_assert_uint_eq(count_of(&seen, "See /t/the-table/7/1"), 1);
}
END_TEST

START_TEST(a_deleted_post_is_told_once)
{
    char id[32];

    site_read(&site, "7", cursor, &seen);
    int64_t one = post("Anna", "one");

    (void)post("Ben", "two");
    site_read(&site, "7", cursor, &seen);
    discourse_remove(site.forum, one);
    site.now += 1;
    site_read(&site, "7", cursor, &seen);
    snprintf(id, sizeof(id), "- %lld\n", (long long)one);
    ck_assert_str_eq(buf_text(&seen), id);
    site.now += 1;
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "");
}
END_TEST

/* By who made it; its number. */
static void
open_topic(char topic[ADAPTER_ID_MAX + 1])
{
    struct op op = {.kind = OP_OPEN,
                    .place = "7",
                    .text = "Secret Hitler, table 9",
                    .key = "1.1"};

    site_id(&site, op, topic);
}

START_TEST(
    a_topic_that_was_merged_into_another_is_gone_until_it_is_opened_again)
{
    char topic[ADAPTER_ID_MAX + 1];
    struct op read = {.kind = OP_READ, .cursor = cursor};

    open_topic(topic);
    read.feed = topic;
    site_read(&site, topic, cursor, &seen);
    int64_t number = strtoll(topic, NULL, 10);

    (void)discourse_write(site.forum, "Anna", number, "a vote, or what", 1000);
    discourse_merge(site.forum, number, 7, site.now);
    site_fail(&site, read, ERR_GONE, "was merged");
    discourse_reopen(site.forum, number);
    site_read(&site, topic, cursor, &seen);
}
END_TEST

START_TEST(the_last_post_deleted_hides_none_that_comes_after)
{
    site_read(&site, "7", cursor, &seen);
    int64_t one = post("Anna", "one");

    site_read(&site, "7", cursor, &seen);
    discourse_remove(site.forum, one);
    (void)post("Ben", "two");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "ben: two"), 1);
}
END_TEST

/* It makes curved apostrophes and quotation marks of straight ones. */
START_TEST(a_post_is_read_as_the_forum_shows_it)
{
    site_read(&site, "7", cursor, &seen);
    site.now += 1000;
    (void)discourse_post(site.forum, "mo", false, "It's !deadline \"9:00\"",
                         site.now);
    site_read(&site, "7", cursor, &seen);
    ck_assert_msg(strstr(buf_text(&seen), "It’s !deadline “9:00”") != NULL,
                  "%s", buf_text(&seen));
}
END_TEST

START_TEST(a_reply_names_the_post_that_it_answers_by_its_id)
{
    /* Numbers count within a topic, ids in the forum. */
    static const char body[] =
        "{\"post_stream\":{\"posts\":["
        "{\"id\":90,\"user_id\":1,\"username\":\"Mo\",\"cooked\":\"one\","
        "\"post_type\":1,"
        "\"post_number\":4,\"created_at\":\"2026-11-21T10:00:00.000Z\"},"
        "{\"id\":91,\"user_id\":3,\"username\":\"Anna\",\"cooked\":\"two\","
        "\"post_type\":1,"
        "\"post_number\":5,\"reply_to_post_number\":4,"
        "\"created_at\":\"2026-11-21T10:00:01.000Z\"}],\"stream\":[90,91]}}";
    struct op op = {.kind = OP_READ,
                    .feed = "7",
                    .cursor = "0.0:",
                    .place = "",
                    .post = "",
                    .user = "",
                    .text = "",
                    .key = ""};
    struct reply reply = {.status = 200,
                          .body = body,
                          .len = sizeof(body) - 1,
                          .retry_after = -1,
                          .date = site.now};
    struct outcome out = {.err = ERR_NONE};
    struct buf scratch = BUF_INIT;
    struct buf why = BUF_INIT;
    const struct adapter *adapter = site.service.adapter;

    ck_assert_int_eq(
        adapter->advance(&site.service, &op, &scratch, NULL, &out, &why),
        ADVANCE_REQUEST);
    for (int i = 0; i < 2; i++) {
        request_clear(&out.request);
        ck_assert_int_eq(
            adapter->advance(&site.service, &op, &scratch, &reply, &out, &why),
            i == 0 ? ADVANCE_REQUEST : ADVANCE_DONE);
    }
    ck_assert_uint_eq(out.page.count, 2);
    ck_assert_str_eq(out.page.posts[1].reply_to, "90");
    outcome_release(&out);
    buf_release(&scratch);
    buf_release(&why);
}
END_TEST

/* ---- DMs ------------------------------------------------------- */

START_TEST(a_dm_is_opened_once_whatever_gets_lost)
{
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", first);
    site_dm(&site, "anna", second);
    ck_assert_str_eq(first, second);
    ck_assert_uint_eq(discourse_topics(site.forum), 1);
    site_dm(&site, "ben", second);
    ck_assert_str_ne(first, second);
}
END_TEST

/* Is what a player has written last in company? */
static bool
has_company(void)
{
    bool company = false;
    struct ran ran = site_do(
        &site,
        (struct op){.kind = OP_READ, .feed = FORUM_INBOX, .cursor = cursor});

    for (size_t i = 0; i < ran.out.page.count; i++) {
        const struct post *said = &ran.out.page.posts[i];

        company = strstr(said->body, "discard") != NULL && said->company;
    }
    snprintf(cursor, sizeof(cursor), "%s", buf_text(&ran.out.cursor));
    ck_assert_uint_gt(ran.out.page.count, 0);
    ran_release(&ran);
    return company;
}

START_TEST(what_a_third_person_reads_is_said_in_company)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_id(&site, message(place, "anna", "1.1"), place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS;
    discourse_post(site.forum, "anna", true, "discard 1", site.now);
    ck_assert(!has_company());
    site.now += FORUM_MARGIN_MS;
    discourse_post(site.forum, "anna", true, "discard 2", site.now);
    discourse_ask_in(site.forum, "anna", "ben");
    ck_assert(has_company());
}
END_TEST

START_TEST(nothing_is_sent_to_a_dm_that_a_third_person_is_in)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_id(&site, message(place, "anna", "1.1"), other);
    discourse_ask_in(site.forum, "anna", "ben");
    site_fail(&site, message(place, "anna", "1.2"), ERR_GONE, "is not alone");
    ck_assert_ptr_nonnull(strstr(discourse_last(site.forum, "anna"), "#1.1"));
    /* Another is opened, and found again. */
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
    site_dm(&site, "anna", place);
    ck_assert_str_eq(place, other);
    site_id(&site, message(place, "anna", "1.2"), other);
}
END_TEST

static struct op
invitation(const char *gallery, const char *user)
{
    return (struct op){.kind = OP_INVITE,
                       .place = "7",
                       .post = gallery,
                       .user = user,
                       .text = "Secret Hitler, table 9: gallery",
                       .key = "k3f9.9"};
}

/* Their number stays. */
static int64_t
take_name(const char *user, const char *name)
{
    char cursor_here[ADAPTER_ID_MAX + 1] = "0.0:";
    char before[ADAPTER_ID_MAX + 1];
    char after[ADAPTER_ID_MAX + 1];

    (void)discourse_post(site.forum, user, false, "Here I am.", site.now);
    int64_t member = site_member(&site, "7", cursor_here, before);

    site.now += FORUM_EDITS_MS;
    discourse_rename(site.forum, user, name);
    ck_assert_int_eq(site_member(&site, "7", cursor_here, after), member);
    ck_assert_str_ne(before, after);
    return member;
}

START_TEST(a_dm_goes_on_with_who_takes_another_name)
{
    char place[ADAPTER_ID_MAX + 1];
    char same[ADAPTER_ID_MAX + 1];
    struct op op;

    site_dm(&site, "anna", place);
    int64_t member = take_name("anna", "bea");

    op = message(place, "anna", "1.1");
    site_fail(&site, op, ERR_GONE, "is not alone");
    op.member = member;
    site_id(&site, op, same);
    op = message(place, "bea", "1.2");
    op.member = member;
    site_id(&site, op, same);
    ck_assert_ptr_nonnull(strstr(discourse_last(site.forum, "anna"), "#1.2"));
    /* It is found again by whoever has the name by which it was opened. */
    op = (struct op){.kind = OP_DM, .user = "anna", .member = member};
    site_id(&site, op, same);
    ck_assert_str_eq(same, place);
}
END_TEST

START_TEST(nothing_private_is_begun_with_who_has_somebodys_name)
{
    char place[ADAPTER_ID_MAX + 1];
    int64_t member = take_name("anna", "bea");
    struct op dm = {.kind = OP_DM, .user = "anna", .member = member};
    struct op gallery = invitation("", "anna");

    gallery.member = member;
    site_fail(&site, dm, ERR_GONE, "nobody is called \"anna\"");
    (void)take_name("zoe", "anna");
    site_fail(&site, dm, ERR_GONE, "somebody else is called \"anna\" now");
    site_fail(&site, gallery, ERR_GONE, "somebody else is called");
    ck_assert_uint_eq(discourse_topics(site.forum), 0);
    dm.user = "bea";
    site_id(&site, dm, place);
    gallery.user = "bea";
    site_id(&site, gallery, place);
    gallery.post = place;
    gallery.user = "zoe";
    gallery.member = member + 100;
    site_fail(&site, gallery, ERR_GONE, "nobody is called \"zoe\"");
}
END_TEST

START_TEST(a_dm_that_its_user_has_left_is_opened_anew)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    discourse_leave(site.forum, "anna", site.now);
    site_fail(&site, message(place, "anna", "1.1"), ERR_GONE, "is not alone");
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
}
END_TEST

/* Some leave theirs after each game.  The last is found with few requests, as
 * it was on a real forum. */
START_TEST(who_leaves_many_dms_gets_another_each_time)
{
    char place[ADAPTER_ID_MAX + 1];
    char same[ADAPTER_ID_MAX + 1];
    char before[ADAPTER_ID_MAX + 1] = "";

    for (int i = 0; i < 100; i++) {
        site.now += 3600000;
        site_dm(&site, "anna", place);
        ck_assert_uint_le(site.requests, 18);
        ck_assert_str_ne(place, before);
        site_dm(&site, "anna", same);
        ck_assert_str_eq(place, same);
        snprintf(before, sizeof(before), "%s", place);
        discourse_leave(site.forum, "anna", site.now);
    }
}
END_TEST

/* What was deleted keeps its id, by which it is not found. */
START_TEST(dms_that_were_deleted_hide_none_that_was_opened_later)
{
    char place[ADAPTER_ID_MAX + 1];
    char same[ADAPTER_ID_MAX + 1];
    char before[ADAPTER_ID_MAX + 1] = "";

    for (int i = 0; i < 60; i++) {
        site.now += 3600000;
        site_dm(&site, "anna", place);
        ck_assert_str_ne(place, before);
        site_dm(&site, "anna", same);
        ck_assert_str_eq(place, same);
        snprintf(before, sizeof(before), "%s", place);
        if (i % 5 == 3) {
            discourse_throw_away(site.forum, "anna");
        } else {
            discourse_leave(site.forum, "anna", site.now);
        }
    }
}
END_TEST

START_TEST(who_leaves_a_dm_is_told_of)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += 10000;
    discourse_leave(site.forum, "anna", site.now);
    site.now += 10000;
    struct ran ran = site_do(
        &site,
        (struct op){.kind = OP_READ, .feed = FORUM_INBOX, .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 2); /* behind the host's own */
    const struct post *left = &ran.out.page.posts[1];
    ck_assert_int_eq(left->kind, POST_LEFT);
    ck_assert_str_eq(left->author, "anna");
    ck_assert_str_eq(left->place, place);
    ck_assert(left->dm && !left->own);
    ran_release(&ran);
}
END_TEST

START_TEST(a_dm_that_a_member_begins_is_read)
{
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += 10000;
    (void)discourse_begin_dm(site.forum, "anna", "!role, please", site.now);
    site.now += 10000;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "anna: !role, please\n");
}
END_TEST

START_TEST(a_dm_that_was_deleted_is_opened_anew)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    discourse_throw_away(site.forum, "anna");
    site_fail(&site, message(place, "anna", "1.1"), ERR_GONE, "was deleted");
    site.now += 1000;
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
    site_dm(&site, "anna", place);
    ck_assert_str_eq(place, other);
    site_id(&site, message(place, "anna", "1.1"), other);
}
END_TEST

START_TEST(a_dm_from_which_the_bot_was_removed_is_opened_anew)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    discourse_put_out(site.forum, "anna");
    site_fail(&site, message(place, "anna", "1.1"), ERR_GONE, "not be found");
    site.now += 1000;
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
    site_dm(&site, "anna", place);
    ck_assert_str_eq(place, other);
}
END_TEST

START_TEST(the_forums_language_does_not_matter)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    discourse_habits(site.forum)->german = true;
    site_dm(&site, "anna", place);
    discourse_throw_away(site.forum, "anna");
    site.now += 1000;
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
}
END_TEST

/* At 500 posts it closes: its user could not answer any more. */
START_TEST(a_dm_that_is_full_is_followed_by_another)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    discourse_close_dm(site.forum, "anna");
    site_fail(&site, message(place, "anna", "1.1"), ERR_GONE, "is closed");
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
    site_dm(&site, "anna", place);
    ck_assert_str_eq(place, other);
}
END_TEST

START_TEST(a_gallery_is_a_private_message_to_which_others_are_added)
{
    char gallery[ADAPTER_ID_MAX + 1];
    char same[ADAPTER_ID_MAX + 1];
    char place[ADAPTER_ID_MAX + 1];

    site_id(&site, invitation("", "anna"), gallery);
    site_id(&site, invitation("", "bob"), same);
    ck_assert_str_eq(same, gallery);
    site_id(&site, invitation(gallery, "bob"), same);
    ck_assert_str_eq(same, gallery);
    discourse_habits(site.forum)->hermit = "hans";
    assert_refused(invitation(gallery, "hans"), ERR_DENIED, REFUSED_PERSON);
    site_dm(&site, "anna", place);
    ck_assert_str_ne(place + strlen(FORUM_DM), gallery);
}
END_TEST

START_TEST(what_is_written_in_a_gallery_is_not_read)
{
    char gallery[ADAPTER_ID_MAX + 1];
    char place[ADAPTER_ID_MAX + 1];

    site_id(&site, invitation("", "anna"), gallery);
    site_dm(&site, "bob", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS + 1000;
    discourse_write(site.forum, "anna", strtoll(gallery, NULL, 10),
                    "**Ja!** from the gallery", site.now);
    discourse_post(site.forum, "bob", true, "a word", site.now);
    site.now += MINUTE_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
    ck_assert_uint_eq(count_of(&seen, "**Ja!** from the gallery"), 0);
}
END_TEST

/* The forum counts who has written in a DM some seconds later. */
START_TEST(a_first_answer_in_a_dm_is_read_though_the_inbox_lags)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS + 1000;
    discourse_post(site.forum, "anna", true, "a word", site.now);
    site.now += FORUM_MARGIN_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
    site.now += MINUTE_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += MINUTE_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 0);
}
END_TEST

/* The forum was too busy for a while to tell of its DMs. */
START_TEST(an_answer_is_read_though_the_inbox_was_not_read_until_later)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    discourse_post(site.forum, "anna", true, "an old word", site.now);
    site.now += MINUTE_MS;
    site.since = site.now;
    discourse_post(site.forum, "anna", true, "a word", site.now + 1000);
    site.now += HOUR_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
    ck_assert_uint_eq(count_of(&seen, "an old word"), 0);
}
END_TEST

/* The forum's clock is ahead for one reading, before somebody answers. */
static void
answer_after_reading_ahead(int64_t by)
{
    char place[ADAPTER_ID_MAX + 1];
    int64_t now = site.now;

    site_dm(&site, "anna", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += by;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now = now + MINUTE_MS;
    discourse_post(site.forum, "anna", true, "a word", site.now);
    site.now += MINUTE_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
}

START_TEST(an_answer_is_read_though_the_forum_was_in_a_wrong_year_once)
{
    answer_after_reading_ahead(365 * DAY_MS);
}
END_TEST

START_TEST(an_answer_is_read_though_the_forum_was_minutes_ahead_once)
{
    answer_after_reading_ahead(5 * MINUTE_MS);
}
END_TEST

START_TEST(an_answer_is_read_though_both_clocks_were_ahead_once)
{
    site.host_now = site.now + 3 * DAY_MS;
    answer_after_reading_ahead(DAY_MS);
}
END_TEST

/* What a cache on the way has of a DM. */
static struct {
    struct buf body;
    int64_t date;
    bool answers;
    bool wrong; /* its date is far ahead */
} cache;

static void
serve_by_cache(void *forum, int64_t now, const struct request *request,
               struct buf *body, struct reply *reply)
{
    bool topic = strstr(buf_text(&request->url), "/t/") != NULL;

    discourse_serve(forum, now, request, body, reply);
    if (topic && cache.answers) {
        buf_clear(body);
        buf_add_buf(body, &cache.body);
        reply->body = buf_text(body);
        reply->len = body->len;
        reply->date = cache.wrong ? now + DAY_MS : cache.date;
    } else if (topic) {
        buf_clear(&cache.body);
        buf_add(&cache.body, reply->body, reply->len);
        cache.date = reply->date;
    }
}

/* An answer is written that the cache's page of its DM does not show. */
static void
read_an_older_page(void)
{
    char place[ADAPTER_ID_MAX + 1];

    site.serve = serve_by_cache;
    site_dm(&site, "anna", place);
    discourse_post(site.forum, "anna", true, "a word", site.now);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "a word"), 1);
    site.now += MINUTE_MS;
    discourse_post(site.forum, "anna", true, "an answer", site.now);
    site.now += MINUTE_MS;
    cache.answers = true;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "an answer"), 0);
    site.now += MINUTE_MS;
}

static void
read_the_answer(void)
{
    cache.answers = false;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "an answer"), 1);
    buf_release(&cache.body);
}

/* The list is newer than that, so the DM is read once more. */
START_TEST(an_answer_is_read_though_an_older_page_of_its_dm_came_first)
{
    read_an_older_page();
    read_the_answer();
}
END_TEST

START_TEST(an_answer_is_read_though_an_older_page_had_a_wrong_date)
{
    cache.wrong = true;
    read_an_older_page();
    cache.wrong = false;
    read_the_answer();
}
END_TEST

/* So what a list tells of and is nowhere is not asked for for ever. */
START_TEST(a_post_that_its_dm_does_not_show_is_looked_for_for_ten_minutes)
{
    cache.wrong = true;
    read_an_older_page();
    ck_assert_ptr_nonnull(strstr(buf_text(&site.urls), "/t/"));
    for (int i = 0; i < 10; i++) {
        site.now += MINUTE_MS;
        site_read(&site, FORUM_INBOX, cursor, &seen);
    }
    ck_assert_ptr_null(strstr(buf_text(&site.urls), "/t/"));
    cache.wrong = cache.answers = false;
    buf_release(&cache.body);
}
END_TEST

/* It fails so, having been refused that. */
START_TEST(who_takes_no_messages_is_told_from_who_is_not_there)
{
    struct op dm = {.kind = OP_DM, .user = "hans"};

    discourse_habits(site.forum)->hermit = "hans";
    assert_refused(dm, ERR_DENIED, REFUSED_PERSON);
    dm.user = "nobody";
    site_fail(&site, dm, ERR_GONE, "nobody is called");
}
END_TEST

START_TEST(a_dm_whose_answer_was_deleted_stops_no_other)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_dm(&site, "ben", place);
    int64_t id = discourse_post(site.forum, "ben", true, "a word", site.now);

    discourse_remove(site.forum, id);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS;
    discourse_post(site.forum, "anna", true, "another word", site.now);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "another word"), 1);
}
END_TEST

START_TEST(each_post_of_many_dms_comes_in_its_dms_order)
{
    char user[32];
    char text[64];
    char place[ADAPTER_ID_MAX + 1];

    for (int i = 0; i < 20; i++) {
        snprintf(user, sizeof(user), "user%d", i);
        site_dm(&site, user, place);
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 20; i++) {
            snprintf(user, sizeof(user), "user%d", i);
            snprintf(text, sizeof(text), "word %d of %s", n, user);
            site.now += n == 1 ? 0 : 100;
            discourse_post(site.forum, user, true, text, site.now);
        }
    }
    site.now += FORUM_MARGIN_MS;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    for (int i = 0; i < 20; i++) {
        char all[160];

        snprintf(all, sizeof(all),
                 "user%d: word 0 of user%d\nuser%d: word 1 of user%d\n"
                 "user%d: word 2 of user%d\n",
                 i, i, i, i, i, i);
        ck_assert_msg(count_of(&seen, all) >= 1, "%s\nin\n%s", all,
                      buf_text(&seen));
    }
    /* A DM at which a reading ended is visited once more. */
    ck_assert_uint_le(count_of(&seen, "word"), 60 + 3 * 2);
    site.now += FORUM_MARGIN_MS + 1000;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS + 1000;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "word"), 0);
}
END_TEST

START_TEST(a_long_dm_is_read_back_to_where_it_was_read)
{
    char place[ADAPTER_ID_MAX + 1];
    char text[32];

    site_dm(&site, "anna", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    for (int i = 0; i < 50; i++) {
        snprintf(text, sizeof(text), "word %d!", i);
        site.now += 1000;
        discourse_post(site.forum, "anna", true, text, site.now);
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "word"), 50);
    ck_assert_int_eq(strncmp(buf_text(&seen) + strlen("placard: "),
                             "In this talk", strlen("In this talk")),
                     0);
}
END_TEST

START_TEST(a_person_is_looked_up_by_the_name_or_the_address)
{
    static const char *const ways[] = {"Anna", "@Anna", "anna",
                                       DISCOURSE_BASE "/u/Anna/summary"};
    char id[ADAPTER_ID_MAX + 1];

    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        site_id(&site, (struct op){.kind = OP_USER, .text = ways[i]}, id);
        ck_assert_str_eq(id, "anna");
    }
    site_fail(&site, (struct op){.kind = OP_USER, .text = "nobody"}, ERR_GONE,
              "nobody is called \"nobody\"");
}
END_TEST

START_TEST(a_link_leads_to_a_post_wherever_it_stands)
{
    struct buf link = BUF_INIT;

    site.service.adapter->link(&site.service, "7", "1001", &link);
    ck_assert_str_eq(buf_text(&link), DISCOURSE_BASE "/p/1001");
    buf_clear(&link);
    site.service.adapter->link(&site.service, "7", "", &link);
    ck_assert_str_eq(buf_text(&link), DISCOURSE_BASE "/t/7");
    buf_release(&link);
}
END_TEST

/* ---- replies as they may be ---------------------------------------------- */

START_TEST(how_long_to_wait_is_read_from_the_body)
{
    site_refuses(&site, 429,
                 "{\"errors\":[\"slow down\"],\"error_type\":\"rate_limit\","
                 "\"extras\":{\"wait_seconds\":17}}");
    struct ran ran = site_run(
        &site,
        (struct op){.kind = OP_SEND, .place = "7", .text = "a", .key = "1"});

    ck_assert_int_eq(ran.out.err, ERR_LIMITED);
    ck_assert_int_eq(ran.out.wait, 17000);
    ran_release(&ran);
}
END_TEST

Suite *
test_suite(void)
{
    const TTest *const cases[] = {
        an_account_without_a_name_is_told_as_a_mistake_in_the_config,
        a_key_that_is_not_the_accounts_is_told_as_such,
        a_topic_is_known_by_its_address_or_its_number,
        no_game_is_hosted_in_a_private_message,
        nothing_is_read_that_was_there_before_the_bot,
        a_topic_without_news_is_one_request,
        twenty_new_posts_are_one_request,
        a_night_of_250_posts_is_read_within_seconds,
        a_dm_with_an_answer_is_one_request_beside_the_lists,
        a_dm_that_the_bus_has_told_of_is_one_request_and_hides_no_other,
        a_hidden_post_is_not_deleted,
        an_edit_shows_within_a_minute_or_when_it_is_asked_for,
        an_edit_without_a_mark_brings_the_new_text,
        an_edit_without_a_mark_has_its_time_where_it_is_seen_first,
        an_address_with_a_position_leads_to_the_post_that_is_there,
        an_address_of_no_post_leads_to_none,
        a_deleted_post_is_told_once,
        a_topic_that_was_merged_into_another_is_gone_until_it_is_opened_again,
        the_last_post_deleted_hides_none_that_comes_after,
        a_post_is_read_as_the_forum_shows_it,
        a_reply_names_the_post_that_it_answers_by_its_id,
        a_dm_is_opened_once_whatever_gets_lost,
        nothing_is_sent_to_a_dm_that_a_third_person_is_in,
        what_a_third_person_reads_is_said_in_company,
        a_dm_goes_on_with_who_takes_another_name,
        nothing_private_is_begun_with_who_has_somebodys_name,
        a_dm_that_its_user_has_left_is_opened_anew,
        who_leaves_many_dms_gets_another_each_time,
        dms_that_were_deleted_hide_none_that_was_opened_later,
        who_leaves_a_dm_is_told_of,
        a_dm_that_a_member_begins_is_read,
        a_dm_that_was_deleted_is_opened_anew,
        a_dm_from_which_the_bot_was_removed_is_opened_anew,
        the_forums_language_does_not_matter,
        a_dm_that_is_full_is_followed_by_another,
        a_gallery_is_a_private_message_to_which_others_are_added,
        what_is_written_in_a_gallery_is_not_read,
        a_first_answer_in_a_dm_is_read_though_the_inbox_lags,
        an_answer_is_read_though_the_inbox_was_not_read_until_later,
        an_answer_is_read_though_the_forum_was_in_a_wrong_year_once,
        an_answer_is_read_though_the_forum_was_minutes_ahead_once,
        an_answer_is_read_though_both_clocks_were_ahead_once,
        an_answer_is_read_though_an_older_page_of_its_dm_came_first,
        an_answer_is_read_though_an_older_page_had_a_wrong_date,
        a_post_that_its_dm_does_not_show_is_looked_for_for_ten_minutes,
        who_takes_no_messages_is_told_from_who_is_not_there,
        a_dm_whose_answer_was_deleted_stops_no_other,
        each_post_of_many_dms_comes_in_its_dms_order,
        a_long_dm_is_read_back_to_where_it_was_read,
        a_person_is_looked_up_by_the_name_or_the_address,
        a_link_leads_to_a_post_wherever_it_stands,
        how_long_to_wait_is_read_from_the_body,
    };
    Suite *suite = suite_create("adapters/discourse");
    TCase *tcase = tcase_create("discourse");

    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
