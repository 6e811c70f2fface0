/*
 * The phpBB adapter at a board of the tests' own: what the contract does not
 * ask.
 */
#include <stdlib.h>

#include "adapters/forum/forum.h"
#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"
#include "tests/adapters/forum_run.h"
#include "tests/support/fake_phpbb.h"
#include "tests/support/runner.h"

#define SECOND_PAGE PHPBB_BASE "/viewtopic.php?f=2&t=7&start=20"

enum {
    MANY = 60 /* messages, more than two pages of the inbox have */
};

static struct site site;
static struct buf seen;
static char cursor[ADAPTER_ID_MAX + 1];

static void
serve(void *forum, int64_t now, const struct request *request, struct buf *body,
      struct reply *reply)
{
    phpbb_serve(forum, now, request, body, reply);
}

static void
set_up(void)
{
    site_open(&site, "phpbb", PHPBB_BASE, PHPBB_PASSWORD, phpbb_new(), serve);
    cursor[0] = '\0';
}

static void
tear_down(void)
{
    phpbb_free(site.forum);
    adapter_states_release(&site.states);
    buf_release(&site.urls);
    buf_release(&seen);
}

static int64_t
post(const char *user, const char *text)
{
    site.now += 1000;
    return phpbb_write_as(site.forum, user, false, text, site.now);
}

static struct op
posting(const char *place, const char *key)
{
    return (struct op){.kind = OP_SEND,
                       .place = place,
                       .text = "Round one begins.",
                       .key = key};
}

/* ---- the session --------------------------------------------------------- */

START_TEST(the_bot_logs_in_once_and_again_where_its_session_has_ended)
{
    site_read(&site, "7", cursor, &seen);
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(phpbb_logins(site.forum), 1);
    ck_assert_uint_eq(site.requests, 1);
    phpbb_end_session(site.forum);
    (void)post("Anna", "A post.");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(phpbb_logins(site.forum), 2);
    ck_assert_uint_eq(count_of(&seen, "A post."), 1);
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(site.requests, 1);
}
END_TEST

/* A guest may read the topic as well, and would be told of no private message.
 */
START_TEST(nothing_is_read_as_a_guest)
{
    phpbb_end_session(site.forum);
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(phpbb_logins(site.forum), 2);
}
END_TEST

START_TEST(a_players_link_lets_no_guest_pass_for_a_member)
{
    (void)post("Anna", "[url=https://a.test/?mode=logout&sid=2]out[/url]");
    phpbb_end_session(site.forum);
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(phpbb_logins(site.forum), 2);
}
END_TEST

START_TEST(a_wrong_password_is_told_with_the_boards_words)
{
    phpbb_lock_out(site.forum);
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_DENIED,
              "You have specified an incorrect password;");
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_DENIED,
              "\"user\" must be the account's name, and is ");
}
END_TEST

static void
cut_login_form(void *forum, int64_t now, const struct request *request,
               struct buf *body, struct reply *reply)
{
    phpbb_serve(forum, now, request, body, reply);
    char *sid = strstr(body->data, "name=\"sid\"");
    if (strstr(buf_text(&request->url), "mode=login") != NULL && sid != NULL) {
        reply->len = (size_t)(sid - body->data);
        *sid = '\0';
    }
}

/* It may lack fields that the board asks for. */
START_TEST(a_log_in_form_that_was_cut_off_is_not_sent)
{
    phpbb_end_session(site.forum);
    adapter_states_release(&site.states);
    unsigned attempts = phpbb_attempts(site.forum);
    site.serve = cut_login_form;
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_GARBLED,
              "the page is cut off");
    ck_assert_uint_eq(phpbb_attempts(site.forum), attempts);
}
END_TEST

START_TEST(an_account_without_a_password_is_a_mistake_in_the_config)
{
    site.service.password = NULL;
    adapter_states_release(&site.states);
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_CONFIG,
              "write user = \"NAME\"");
}
END_TEST

static bool told;

static void
look_for_password(void *forum, int64_t now, const struct request *request,
                  struct buf *body, struct reply *reply)
{
    told = told || strstr(buf_text(&request->url), "long") != NULL ||
           strstr(buf_text(&request->headers), "long") != NULL;
    phpbb_serve(forum, now, request, body, reply);
}

START_TEST(the_password_stands_in_no_address_and_no_header)
{
    site.serve = look_for_password;
    phpbb_end_session(site.forum);
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(phpbb_logins(site.forum), 2);
    ck_assert(!told);
}
END_TEST

/* ---- topics -------------------------------------------------------------- */

START_TEST(a_topic_is_known_by_its_address_or_its_number)
{
    static const char *const good[] = {"7", PHPBB_TOPIC, SECOND_PAGE};
    static const char *const bad[] = {"", "the-table", "0", "seven t=7",
                                      "viewforum.php?f=2"};
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
              "does not exist");
}
END_TEST

START_TEST(what_the_account_may_do_and_what_limits_it_is_told)
{
    struct op probe = {.kind = OP_PROBE, .place = "7"};
    struct ran ran = site_do(&site, probe);

    ck_assert_uint_eq(ran.out.rights, RIGHT_READ | RIGHT_POST | RIGHT_EDIT |
                                          RIGHT_DM | RIGHT_DELETE | RIGHT_OPEN);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&ran.out.limits), "Can ignore flood limit"));
    ran_release(&ran);
}
END_TEST

START_TEST(nothing_is_read_that_was_there_before_the_bot)
{
    for (int i = 0; i < 25; i++) {
        (void)post("Anna", "An old post.");
    }
    site_read(&site, "7", cursor, &seen);
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "");
    (void)post("Anna", "A new post.");
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), PHPBB_ANNA ": A new post.\n");
}
END_TEST

START_TEST(the_time_of_an_edit_is_taken_from_the_feed)
{
    site_read(&site, "7", cursor, &seen);
    int64_t id = post("Anna", "[b]Ja![/b]");

    site.now += 5000;
    phpbb_change(site.forum, id, "[b]Nein![/b]", true, site.now);
    struct ran ran = site_do(
        &site, (struct op){.kind = OP_READ, .feed = "7", .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 1);
    ck_assert_int_eq(ran.out.page.posts[0].edited, site.now / 1000 * 1000);
    ran_release(&ran);
}
END_TEST

/* It stands among posts that were read already. */
START_TEST(what_is_moved_into_a_topic_is_read_there)
{
    char other[ADAPTER_ID_MAX + 1];

    site_id(&site,
            (struct op){.kind = OP_OPEN,
                        .place = "7",
                        .text = "Secret Hitler, table 9",
                        .key = "1.31"},
            other);
    site_read(&site, "7", cursor, &seen);
    (void)post("Anna", "Some talk.");
    site.now += 1000;
    int64_t vote = phpbb_write(site.forum, "Anna", strtoll(other, NULL, 10),
                               "A vote.", site.now);

    for (int i = 0; i < 70; i++) {
        (void)post("Ben", "More talk.");
        if (i % 9 == 0) {
            site_read(&site, "7", cursor, &seen);
        }
    }
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "A vote."), 0);
    phpbb_move(site.forum, vote, 7);
    (void)post("Ben", "The last talk.");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "A vote."), 1);
    ck_assert_uint_eq(count_of(&seen, "The last talk."), 1);
    (void)post("Ben", "Even more talk.");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "A vote."), 0);
    ck_assert_uint_eq(count_of(&seen, "Even more talk."), 1);
}
END_TEST

START_TEST(where_there_is_no_feed_nobody_knows_when_a_post_was_edited)
{
    static const int none[] = {404};

    site_read(&site, "7", cursor, &seen);
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        phpbb_no_feeds(site.forum, none[i]);
        int64_t id = post("Anna", "[b]Ja![/b]");

        phpbb_change(site.forum, id, "[b]Nein![/b]", true, site.now + 5000);
        struct ran ran = site_do(
            &site, (struct op){.kind = OP_READ, .feed = "7", .cursor = cursor});

        ck_assert_uint_eq(ran.out.page.count, i + 1);
        ck_assert_int_eq(ran.out.page.posts[i].edited, -1);
        ran_release(&ran);
    }
}
END_TEST

START_TEST(a_post_that_the_topic_was_pushed_up_by_was_not_edited)
{
    site_read(&site, "7", cursor, &seen);
    phpbb_push(site.forum, post("Anna", "[b]Ja![/b]"));
    struct ran ran = site_do(
        &site, (struct op){.kind = OP_READ, .feed = "7", .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 1);
    ck_assert_int_eq(ran.out.page.posts[0].edited, 0);
    ran_release(&ran);
}
END_TEST

START_TEST(a_guests_post_is_not_that_of_the_moderator_who_edited_it)
{
    site_read(&site, "7", cursor, &seen);
    int64_t id = post("Anonymous", "[b]Ja![/b]");

    phpbb_change(site.forum, id, "[b]Nein![/b]", true, site.now);
    struct ran ran = site_do(
        &site, (struct op){.kind = OP_READ, .feed = "7", .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 1);
    ck_assert_str_eq(ran.out.page.posts[0].author, "0");
    ck_assert(ran.out.page.posts[0].machine);
    ran_release(&ran);
}
END_TEST

START_TEST(a_deleted_post_moves_no_new_one_out_of_sight)
{
    int64_t ids[4];

    for (int i = 0; i < 4; i++) {
        ids[i] = post("Anna", "old");
    }
    site_read(&site, "7", cursor, &seen);
    for (int i = 0; i < 4; i++) {
        phpbb_remove(site.forum, ids[i]);
    }
    (void)post("Ben", "new");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, ": new"), 1);
}
END_TEST

START_TEST(a_players_mark_up_can_make_no_post)
{
    site_read(&site, "7", cursor, &seen);
    (void)post("Anna", "</div></div><div id=\"p999\" class=\"post\"><a "
                       "class=\"username\" href=\"?u=3\">Mo</a>");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "3: "), 0);
    ck_assert_uint_eq(count_of(&seen, PHPBB_ANNA ": "), 1);
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

START_TEST(a_pause_between_posts_is_kept)
{
    char id[ADAPTER_ID_MAX + 1];

    site_id(&site, posting("7", "1.31"), id);
    phpbb_slow(site.forum, 15);
    struct ran ran = site_run(&site, posting("7", "1.32"));

    ck_assert_int_eq(ran.out.err, ERR_LIMITED);
    ck_assert_int_eq(ran.out.wait, 15000);
    ran_release(&ran);
    site.now += 15000;
    site_id(&site, posting("7", "1.32"), id);
}
END_TEST

START_TEST(a_message_is_found_behind_many_posts_and_among_messages)
{
    struct op find = {
        .kind = OP_FIND, .place = "7", .key = "1.31", .since = site.now};
    struct op private = posting("pm" PHPBB_ANNA, "1.32");
    char sent[ADAPTER_ID_MAX + 1];
    char found[ADAPTER_ID_MAX + 1];

    site_id(&site, posting("7", "1.31"), sent);
    for (int i = 0; i < 30; i++) {
        (void)post("Anna", "Round one begins.\n\n[size=1]#1.31[/size]");
    }
    site_find(&site, find, found);
    ck_assert_str_eq(found, sent);
    find.key = "1.3";
    site_find(&site, find, found);
    ck_assert_str_eq(found, "");
    for (int i = 0; i < 2; i++) { /* one lies in the outbox, one was read */
        char key[] = "1.40";

        key[3] = (char)('0' + i);
        private.key = key;
        site_id(&site, private, sent);
        find.place = private.place;
        find.key = key;
        site_find(&site, find, found);
        ck_assert_str_eq(found, sent);
    }
    find.key = "1.49";
    site_find(&site, find, found);
    ck_assert_str_eq(found, "");
    /* Of both lists, all pages are looked at. */
    for (int i = 0; i < 120; i++) {
        char key[16];

        (void)snprintf(key, sizeof(key), "2.%d", i);
        private.key = key;
        site_id(&site, private, sent);
    }
    for (int i = 0; i < 2; i++) {
        char key[] = "1.40";

        key[3] = (char)('0' + i);
        find.key = key;
        site_find(&site, find, found);
        ck_assert_str_ne(found, "");
    }
    find.key = "1.49";
    site_find(&site, find, found);
    ck_assert_str_eq(found, "");
}
END_TEST

/* Those behind them in the outbox move up.  Of the two that are looked for, one
 * lies there. */
START_TEST(a_message_is_found_though_others_are_read_between_two_looks)
{
    struct op find = {.kind = OP_FIND, .place = "pm" PHPBB_ANNA};
    char sent[ADAPTER_ID_MAX + 1];
    char key[16];

    for (int i = 0; i < 2; i++) {
        char from[ADAPTER_ID_MAX + 1] = "";
        int looks = 0;
        enum found found = FOUND_NOT_YET;

        for (int j = 0; j < 80; j++) {
            (void)snprintf(key, sizeof(key), "%d.%d", i, j);
            site_id(&site, posting("pm" PHPBB_ANNA, key), sent);
        }
        (void)snprintf(key, sizeof(key), "%d.%d", i, 24 + i);
        find.key = key;
        while (found == FOUND_NOT_YET) {
            find.cursor = from;
            struct ran ran = site_do(&site, find);

            found = ran.out.found;
            (void)snprintf(from, sizeof(from), "%s", buf_text(&ran.out.cursor));
            ran_release(&ran);
            phpbb_read_sent(site.forum, looks++ == 0 ? 8 : 0);
        }
        ck_assert_int_eq(found, FOUND_IT);
    }
}
END_TEST

START_TEST(a_user_who_is_not_there_can_not_be_written_to)
{
    site_fail(&site, (struct op){.kind = OP_DM, .user = "99"}, ERR_DENIED,
              "permission to read private messages");
    site_fail(&site, (struct op){.kind = OP_DM, .user = "anna"}, ERR_GONE,
              "there is no user anna");
}
END_TEST

/* The board's web server knows of none of its pages for a while. */
static void
lose_pages(void *forum, int64_t now, const struct request *request,
           struct buf *body, struct reply *reply)
{
    phpbb_serve(forum, now, request, body, reply);
    reply->status = 404;
    reply->len = 0;
}

START_TEST(a_page_that_is_missing_says_nothing_of_a_person)
{
    struct op op = posting("pm" PHPBB_ANNA, "1.51");

    op.dm = true;
    op.user = PHPBB_ANNA;
    site.serve = lose_pages;
    site_fail(&site, op, ERR_LATER, "404");
    op.kind = OP_FIND;
    site_fail(&site, op, ERR_LATER, "404");
    site_fail(&site, (struct op){.kind = OP_DM, .user = PHPBB_ANNA}, ERR_LATER,
              "404");
}
END_TEST

START_TEST(what_the_board_refuses_is_not_taken_for_done)
{
    char id[ADAPTER_ID_MAX + 1];

    site_id(&site, posting("7", "1.31"), id);
    phpbb_silence(site.forum);
    site_fail(&site, posting("pm" PHPBB_ANNA, "1.32"), ERR_DENIED,
              "not authorised to send private messages");
    site_fail(&site, (struct op){.kind = OP_DELETE, .place = "7", .post = id},
              ERR_DENIED, "You cannot delete posts in this forum");
}
END_TEST

START_TEST(who_may_send_no_messages_is_told_so_before_a_game)
{
    struct op probe = {.kind = OP_PROBE, .place = "7"};
    struct ran ran = site_do(&site, probe);

    ck_assert((ran.out.rights & RIGHT_DM) != 0);
    ran_release(&ran);
    phpbb_silence(site.forum);
    ran = site_do(&site, probe);
    ck_assert((ran.out.rights & RIGHT_DM) == 0);
    ck_assert_ptr_nonnull(strstr(buf_text(&ran.out.advice),
                                 "not authorised to send private messages"));
    ran_release(&ran);
}
END_TEST

/* ---- messages ------------------------------------------------------------ */

START_TEST(each_message_comes_once_and_in_order)
{
    char text[32];

    phpbb_limit_inbox(site.forum, 100);
    (void)phpbb_write_as(site.forum, "Anna", true, "an old one", site.now);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof(text), "message %d!", i);
        site.now += 1000;
        (void)phpbb_write_as(site.forum, i % 2 == 0 ? "Anna" : "Ben", true,
                             text, site.now);
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "message"), MANY);
    ck_assert_uint_eq(count_of(&seen, "old"), 0);
    for (int i = 0; i + 1 < MANY; i++) {
        char next[32];

        snprintf(text, sizeof(text), "message %d!", i);
        snprintf(next, sizeof(next), "message %d!", i + 1);
        ck_assert(strstr(buf_text(&seen), text) <
                  strstr(buf_text(&seen), next));
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "");
}
END_TEST

/* An inbox lists subjects alone. */
START_TEST(the_subject_of_a_message_says_what_it_is_about)
{
    static const struct {
        const char *text, *subject;
    } cases[] = {
        {"Secret Hitler, table 1, round 4: your cards are below.",
         "Secret Hitler, table 1, round 4 #1.3"},
        {"Secret Hitler, table 1\u202F: votre carte.",
         "Secret Hitler, table 1 #1.3"},
        {"[b]Table 1[/b]: a vote.", "A message from the host #1.3"},
        {"Hello.\nTable 1: a vote.", "A message from the host #1.3"},
        {"", "A message from the host #1.3"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct op op = {.text = cases[i].text, .key = "1.3"};
        struct buf subject = BUF_INIT;

        forum_add_subject(&op, &subject);
        ck_assert_str_eq(buf_text(&subject), cases[i].subject);
        buf_release(&subject);
    }
}
END_TEST

/* Its page has the time for people alone. */
START_TEST(a_message_is_of_the_time_at_which_it_was_sent)
{
    int64_t sent = site.now + 1000;

    site_read(&site, FORUM_INBOX, cursor, &seen);
    (void)phpbb_write_as(site.forum, "Anna", true, "time=9]", sent);
    site.now += 90000;
    struct ran ran = site_do(
        &site,
        (struct op){.kind = OP_READ, .feed = FORUM_INBOX, .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 1);
    ck_assert_int_eq(ran.out.page.posts[0].stamp, sent / 1000 * 1000);
    ck_assert_int_eq(ran.out.page.posts[0].edited, 0);
    ran_release(&ran);
}
END_TEST

START_TEST(a_message_that_was_changed_before_it_was_opened_counts_from_then)
{
    site_read(&site, FORUM_INBOX, cursor, &seen);
    int64_t id = phpbb_write_as(site.forum, "Anna", true, "a", site.now + 1000);

    phpbb_change(site.forum, id, "b", true, site.now + 2000);
    site.now += 90000;
    struct ran ran = site_do(
        &site,
        (struct op){.kind = OP_READ, .feed = FORUM_INBOX, .cursor = cursor});

    ck_assert_uint_eq(ran.out.page.count, 1);
    ck_assert_int_eq(ran.out.page.posts[0].edited, site.now / 1000 * 1000);
    ran_release(&ran);
}
END_TEST

/* ---- pages --------------------------------------------------------------- */

static struct html_span
span_of(const char *text)
{
    struct html_span span = {text, strlen(text)};

    return span;
}

static json_object *
page_of(const char *text)
{
    const struct reply reply = {
        .status = 200, .body = text, .len = strlen(text)};

    return forum_read_page(&forum_phpbb, &reply);
}

/* Read the inbox; how many messages came of which the text has these words. */
static unsigned
read_inbox(const char *words)
{
    site.now += 1000;
    site_read(&site, FORUM_INBOX, cursor, &seen);
    return count_of(&seen, words);
}

static void
write_messages(int count, const char *text)
{
    for (int i = 0; i < count; i++) {
        site.now += 1000;
        (void)phpbb_write_as(site.forum, "Anna", true, text, site.now);
    }
}

/* It takes 50; those from before the bot's time stay. */
START_TEST(what_was_read_makes_room_in_the_inbox)
{
    write_messages(3, "of old");
    ck_assert_uint_eq(read_inbox("of old"), 0);
    for (int i = 0; i < 40; i++) {
        write_messages(4, "an answer");
        ck_assert_uint_eq(read_inbox("an answer"), 4);
    }
    ck_assert_int_le(phpbb_inbox(site.forum), 20);
    ck_assert_int_ge(phpbb_inbox(site.forum), 13);
}
END_TEST

START_TEST(an_inbox_of_which_nothing_may_be_deleted_is_read_all_the_same)
{
    phpbb_keep_messages(site.forum);
    ck_assert_uint_eq(read_inbox("an answer"), 0);
    for (int i = 0; i < 12; i++) {
        write_messages(4, "an answer");
        ck_assert_uint_eq(read_inbox("an answer"), 4);
    }
    ck_assert_int_eq(phpbb_inbox(site.forum), 48);
}
END_TEST

/* While the host was away: a page of the list has 25. */
START_TEST(no_message_is_lost_in_a_long_list_or_in_a_full_inbox)
{
    unsigned count = 0;

    ck_assert_uint_eq(read_inbox("an answer"), 0);
    write_messages(1, "the first answer");
    ck_assert_uint_eq(read_inbox("the first answer"), 1);
    write_messages(70, "an answer");
    for (int i = 0; i < 30; i++) {
        count += read_inbox("an answer");
    }
    ck_assert_uint_eq(count, 70);
}
END_TEST

/* Messages are held back, and a later one comes in before them, as somebody
 * has looked into the inbox. */
static void
hold_back(int count)
{
    ck_assert_uint_eq(read_inbox("an answer"), 0);
    write_messages(10, "an answer");
    ck_assert_uint_eq(read_inbox("an answer"), 10);
    phpbb_limit_inbox(site.forum, 11);
    write_messages(count, "held back");
    phpbb_visit_inbox(site.forum);
    write_messages(1, "come in late");
    phpbb_visit_inbox(site.forum);
}

START_TEST(what_was_held_back_is_read_though_later_ones_were_before_it)
{
    unsigned count = 0;

    hold_back(3);
    ck_assert_int_eq(phpbb_inbox(site.forum), 11);
    for (int i = 0; i < 5; i++) {
        count += read_inbox("held back");
        count += count_of(&seen, "come in late");
    }
    ck_assert_uint_eq(count, 4);
}
END_TEST

START_TEST(an_inbox_is_emptied_to_let_in_what_is_held_back)
{
    hold_back(60);
    ck_assert_uint_eq(read_inbox("held back"), 60);
}
END_TEST

START_TEST(where_nothing_may_be_deleted_what_is_held_back_stays)
{
    phpbb_keep_messages(site.forum);
    hold_back(3);
    ck_assert_uint_eq(read_inbox("come in late"), 1);
    ck_assert_uint_eq(count_of(&seen, "held back"), 0);
    ck_assert_uint_eq(read_inbox("held back"), 0);
    phpbb_limit_inbox(site.forum, 50);
    ck_assert_uint_eq(read_inbox("held back"), 3);
}
END_TEST

/* The board goes away once a message was opened. */
static void
serve_until_opened(void *forum, int64_t now, const struct request *request,
                   struct buf *body, struct reply *reply)
{
    phpbb_serve(forum, now, request, body, reply);
    if (strstr(buf_text(&request->url), "action=quote") != NULL) {
        *reply = (struct reply){.status = 503, .body = "", .retry_after = -1};
    }
}

/* One reading; how many messages came. */
static size_t
read_once(void)
{
    struct op op = {.kind = OP_READ, .feed = FORUM_INBOX, .cursor = cursor};

    site.now += 1000;
    struct ran ran = site_run(&site, op);
    size_t count = ran.advance == ADVANCE_DONE ? ran.out.page.count : 0;

    if (ran.advance == ADVANCE_DONE) {
        snprintf(cursor, sizeof(cursor), "%s", buf_text(&ran.out.cursor));
    }
    ran_release(&ran);
    return count;
}

START_TEST(what_was_held_back_is_read_though_it_was_opened_in_vain)
{
    size_t count = 0;

    hold_back(2);
    for (int i = 0; i < 10; i++) {
        site.serve = serve_until_opened;
        ck_assert_uint_eq(read_once(), 0);
        site.serve = serve;
        count += read_once();
    }
    ck_assert_uint_eq(count, 3);
}
END_TEST

/* ---- a topic for a game -------------------------------------------------- */

START_TEST(a_topic_for_a_game_is_opened_once_where_the_table_was_asked_for)
{
    struct op op = {.kind = OP_OPEN,
                    .place = "7",
                    .text = "Secret Hitler, table 1",
                    .key = "1.3"};
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];

    site_id(&site, op, first);
    site_id(&site, op, second);
    ck_assert_str_eq(first, "8");
    ck_assert_str_eq(second, "8");
    ck_assert_uint_eq(phpbb_topics(site.forum), 1);
    /* Another message's topic of the same title is another one. */
    op.key = "9.3";
    site_id(&site, op, second);
    ck_assert_str_eq(second, "9");
}
END_TEST

/* As what stands before a board answers, while that is not there. */
static void
lose_topic(void *forum, int64_t now, const struct request *request,
           struct buf *body, struct reply *reply)
{
    phpbb_serve(forum, now, request, body, reply);
    if (strstr(buf_text(&request->url), "/viewtopic.php?t=8") != NULL) {
        reply->status = 404;
        reply->len = 0;
    }
}

START_TEST(no_second_topic_is_opened_while_the_first_cannot_be_read)
{
    struct op op = {.kind = OP_OPEN,
                    .place = "7",
                    .text = "Secret Hitler, table 1",
                    .key = "1.3"};
    char id[ADAPTER_ID_MAX + 1];

    site_id(&site, op, id);
    site.serve = lose_topic;
    site_fail(&site, op, ERR_GONE, "404");
    ck_assert_uint_eq(phpbb_topics(site.forum), 1);
}
END_TEST

START_TEST(a_post_is_deleted_once_it_is_confirmed)
{
    char id[32];

    snprintf(id, sizeof(id), "%lld", (long long)post("Anna", "psst"));
    for (int i = 0; i < 2; i++) {
        struct ran ran =
            site_do(&site, (struct op){.kind = OP_DELETE, .post = id});

        ran_release(&ran);
    }
    ck_assert_str_ne(phpbb_last(site.forum, NULL), "psst");
}
END_TEST

START_TEST(a_form_is_found_by_its_field_and_its_hidden_ones_are_kept)
{
    struct html_span form;
    struct buf query = BUF_INIT;

    ck_assert(page_find_form(
        span_of("<form><input name=q></form><!-- <form> --><FORM><input "
                "type=\"hidden\" name='a&amp;b' value=\"&lt;1&gt;\">"
                "<input type=hidden name=own value=2><input type=text "
                "name=shown value=3><textarea name=\"message\"><input "
                "type=hidden name=no value=4></textarea></FORM>"),
        "message", &form));
    page_add_hidden(form, " own ", &query);
    ck_assert_str_eq(buf_text(&query), "a%26b=%3C1%3E");
    ck_assert(!page_find_form(span_of("<form><input name=q></form>"), "message",
                              &form));
    buf_release(&query);
}
END_TEST

START_TEST(a_number_is_that_of_its_own_field)
{
    static const struct {
        const char *text, *before;
        int64_t number; /* 0: none */
    } cases[] = {
        {"./x.php?f=2&t=7", "t=", 7},
        {"./x.php?start=9", "t=", 0},
        {"./x.php?start=9&t=7#p3", "t=", 7},
        {"./x.php?action=profile;u=7", "u=", 7},
        {"./x.php?t=1234567890123456789", "t=", 0},
        {"p7", "p", 7},
        {"top7", "p", 0},
        {"13 posts of 20", "", 13},
        {"no posts", "", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t number = 0;

        ck_assert(page_number(cases[i].text, cases[i].before, &number) ==
                  (cases[i].number != 0));
        ck_assert_int_eq(number, cases[i].number);
    }
}
END_TEST

/* The element that is named, by its text. */
START_TEST(an_element_is_named_as_in_a_style_sheet)
{
    static const char page[] =
        "<!-- <p>0</p> --><P id=a class='x y'>1</P><p class=\"x z\">2</p>"
        "<div class=x><a href='?f=1&amp;t=2'>3</a><a rel=next>4</a></div>"
        "<div><a>5</a><b>6</b></div>";
    static const struct {
        const char *at, *text; /* NULL: there is none */
    } cases[] = {
        {"p", "1"},           {"p.x", "1"},         {"p.x.z", "2"},
        {"p.x!y", "2"},       {".y", "1"},          {".w", NULL},
        {"#a", "1"},          {"b#a", NULL},        {"a[href*=f=1&t]", "3"},
        {"a[href^=?f]", "3"}, {"a[href^=f]", NULL}, {"a[rel=next]", "4"},
        {"a[rel=nex]", NULL}, {"div b", "6"},       {"div.x b", NULL},
        {"div >b", NULL},     {"div >i,a", "3"},    {"b,a", "3"},
        {"p a", NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct page_element found;
        struct buf text = BUF_INIT;
        unsigned count =
            page_find(span_of(page), cases[i].at, PAGE_FIRST, &found);

        if (count > 0) {
            page_add_text(page_content(&found.tag, found.rest), &text);
        }
        ck_assert_msg((count > 0) == (cases[i].text != NULL) &&
                          (count == 0 || buf_equals(&text, cases[i].text)),
                      "%s: %u, %s", cases[i].at, count, buf_text(&text));
        buf_release(&text);
    }
}
END_TEST

START_TEST(a_link_leads_to_a_post_or_to_its_topic)
{
    struct buf link = BUF_INIT;

    site.service.adapter->link(&site.service, "7", "101", &link);
    ck_assert_str_eq(buf_text(&link), PHPBB_BASE "/viewtopic.php?p=101#p101");
    buf_clear(&link);
    site.service.adapter->link(&site.service, "7", "", &link);
    ck_assert_str_eq(buf_text(&link), PHPBB_BASE "/viewtopic.php?t=7");
    buf_release(&link);
}
END_TEST

START_TEST(a_topics_posts_are_counted_behind_a_link_to_the_unread_ones)
{
    static const struct {
        const char *page;
        long long total;
    } cases[] = {
        {"<div class=\"pagination\">\n13 posts &bull; Page <b>2</b></div>", 13},
        {"<div class=\"pagination\"> <a href=\"#unread\">3 are unread</a> "
         "&bull; 13 posts <ul><li>1</li></ul></div>",
         13},
        {"<div class=\"pagination\">13 posts <a href=\"#\">2</a></div>", 13},
        {"<div class=\"pagination\">Posts: 13</div>", 13},
        {"<div class=\"pagination\"></div>", -1},
        {"<div class=\"content\">13 posts</div>", -1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        json_object *page = page_of(cases[i].page);
        int64_t total = -1;

        (void)forum_number(page, "total", &total);
        ck_assert_int_eq(total, cases[i].total);
        json_object_put(page);
    }
}
END_TEST

/* As the board shows a message's head (prosilver, ucp_pm_viewmessage.html):
 * those it is for stand there one after another. */
START_TEST(a_message_tells_whom_it_is_for)
{
    static const struct {
        const char *recipients;
        int64_t people;
    } cases[] = {
        {"<a href=\"./memberlist.php?mode=viewprofile&amp;u=69\" "
         "class=\"username\">marshal</a>&nbsp;",
         2},
        {"<a href=\"./memberlist.php?mode=viewprofile&amp;u=69\" "
         "class=\"username\">marshal</a>&nbsp;<span class=\"username\">gone"
         "</span>&nbsp;",
         3},
        {"<a href=\"./memberlist.php?mode=viewprofile&amp;u=69\" "
         "class=\"username\">marshal</a>&nbsp;<a href=\"./memberlist.php?"
         "mode=group&amp;g=5\" style=\"color:#0000FF;\">Players</a>&nbsp;",
         3},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf text = BUF_INIT;
        struct forum_item post;

        buf_addf(&text,
                 "<div class=\"post pm\"><dl class=\"postprofile\"><dt><a "
                 "href=\"./memberlist.php?mode=viewprofile&amp;u=70\" "
                 "class=\"username\">rita</a></dt></dl><p class=\"author\">"
                 "<strong>From:</strong> <a href=\"./memberlist.php?"
                 "mode=viewprofile&amp;u=70\" class=\"username\">rita</a><br />"
                 "<strong>Recipient:</strong> %s</p><div class=\"content\">"
                 "<a href=\"/\">Ja!</a></div></div>",
                 cases[i].recipients);
        json_object *page = page_of(buf_text(&text));

        ck_assert(forum_read_nth(&forum_phpbb.shape.message,
                                 forum_get(page, "posts"), 0, &post));
        ck_assert_int_eq(post.member, 70);
        ck_assert_int_eq(post.count, cases[i].people);
        json_object_put(page);
        buf_release(&text);
    }
}
END_TEST

START_TEST(a_quotation_tells_when_its_text_was_written)
{
    static const struct {
        const char *text;
        int64_t time;
    } cases[] = {
        {"[quote=Anna time=7 user_id=4]time=8[/quote]", 7000},
        {"[quote=Anna post_id=3 time=7 user_id=4]", 7000},
        {"[quote='An \\' time=8 na' time=7]", 7000},
        {"[quote=\"time=8]\" msg_id=\"3 time=9\" time=7]", 7000},
        {"[quote=Anna]a time=8 b[/quote]", -1},
        {"[quote=Anna time=1234567890123]", -1},
        {"[quote=Anna time=", -1},
        {"[quote=\"Anna", -1},
        {"[quote='Anna\\", -1},
        {"> time=8", -1},
        {"", -1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t time = -1;

        if (!phpbb_quote_time(cases[i].text, &time)) {
            time = -1;
        }
        ck_assert_int_eq(time, cases[i].time);
    }
}
END_TEST

Suite *
test_suite(void)
{
    const TTest *const cases[] = {
        the_bot_logs_in_once_and_again_where_its_session_has_ended,
        nothing_is_read_as_a_guest,
        a_players_link_lets_no_guest_pass_for_a_member,
        a_wrong_password_is_told_with_the_boards_words,
        a_log_in_form_that_was_cut_off_is_not_sent,
        an_account_without_a_password_is_a_mistake_in_the_config,
        the_password_stands_in_no_address_and_no_header,
        a_topic_is_known_by_its_address_or_its_number,
        what_the_account_may_do_and_what_limits_it_is_told,
        nothing_is_read_that_was_there_before_the_bot,
        the_time_of_an_edit_is_taken_from_the_feed,
        what_is_moved_into_a_topic_is_read_there,
        where_there_is_no_feed_nobody_knows_when_a_post_was_edited,
        a_post_that_the_topic_was_pushed_up_by_was_not_edited,
        a_guests_post_is_not_that_of_the_moderator_who_edited_it,
        a_deleted_post_moves_no_new_one_out_of_sight,
        a_players_mark_up_can_make_no_post,
        a_pause_between_posts_is_kept,
        a_message_is_found_behind_many_posts_and_among_messages,
        a_message_is_found_though_others_are_read_between_two_looks,
        a_user_who_is_not_there_can_not_be_written_to,
        a_page_that_is_missing_says_nothing_of_a_person,
        what_the_board_refuses_is_not_taken_for_done,
        who_may_send_no_messages_is_told_so_before_a_game,
        each_message_comes_once_and_in_order,
        the_subject_of_a_message_says_what_it_is_about,
        a_message_is_of_the_time_at_which_it_was_sent,
        a_message_that_was_changed_before_it_was_opened_counts_from_then,
        a_form_is_found_by_its_field_and_its_hidden_ones_are_kept,
        a_number_is_that_of_its_own_field,
        an_element_is_named_as_in_a_style_sheet,
        a_topics_posts_are_counted_behind_a_link_to_the_unread_ones,
        a_message_tells_whom_it_is_for,
        a_quotation_tells_when_its_text_was_written,
        what_was_read_makes_room_in_the_inbox,
        an_inbox_of_which_nothing_may_be_deleted_is_read_all_the_same,
        no_message_is_lost_in_a_long_list_or_in_a_full_inbox,
        what_was_held_back_is_read_though_later_ones_were_before_it,
        what_was_held_back_is_read_though_it_was_opened_in_vain,
        an_inbox_is_emptied_to_let_in_what_is_held_back,
        where_nothing_may_be_deleted_what_is_held_back_stays,
        a_topic_for_a_game_is_opened_once_where_the_table_was_asked_for,
        no_second_topic_is_opened_while_the_first_cannot_be_read,
        a_post_is_deleted_once_it_is_confirmed,
        a_link_leads_to_a_post_or_to_its_topic,
    };
    Suite *suite = suite_create("adapters/phpbb");
    TCase *tcase = tcase_create("phpbb");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
