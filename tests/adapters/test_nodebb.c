/*
 * The NodeBB adapter at a forum of the tests' own: what the contract does not
 * ask.
 */
#include <stdlib.h>

#include "adapters/forum/forum.h"
#include "bot/base/civil.h"
#include "tests/adapters/forum_run.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/runner.h"

static struct site site;
static struct buf seen;
static char cursor[ADAPTER_ID_MAX + 1];

static void
serve(void *forum, int64_t now, const struct request *request, struct buf *body,
      struct reply *reply)
{
    nodebb_serve(forum, now, request, body, reply);
}

static void
set_up(void)
{
    site_open(&site, "nodebb", NODEBB_BASE, NULL, nodebb_new(), serve);
    cursor[0] = '\0';
}

static void
tear_down(void)
{
    nodebb_free(site.forum);
    adapter_states_release(&site.states);
    buf_release(&site.urls);
    buf_release(&seen);
}

static int64_t
post(const char *user, const char *text)
{
    site.now += 1000;
    return nodebb_post(site.forum, user, false, text, site.now);
}

/* ---- the account and its topics ------------------------------------------ */

/* A forum answers who has no valid token as a guest, but for this. */
START_TEST(a_wrong_token_is_found_out)
{
    nodebb_reset_token(site.forum, true);
    site_fail(&site, (struct op){.kind = OP_WHO}, ERR_DENIED,
              "knows no such token");
}
END_TEST

START_TEST(a_refusal_for_the_tokens_sake_is_told_from_a_missing_right)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.1"};

    nodebb_reset_token(site.forum, true);
    struct ran ran = site_run(&site, op);

    ck_assert_int_eq(ran.advance, ADVANCE_FAILED);
    ck_assert_int_eq(ran.out.err, ERR_DENIED);
    ck_assert_int_eq(ran.out.refused, REFUSED_ACCOUNT);
    ck_assert_str_eq(buf_text(&site.urls),
                     "POST " NODEBB_BASE "/api/v3/topics/7?lang=en-GB\n"
                     "GET " NODEBB_BASE "/api/self\n");
    ran_release(&ran);
}
END_TEST

START_TEST(a_name_beside_the_token_may_be_left_out_or_is_looked_at)
{
    struct op who = {.kind = OP_WHO};

    snprintf(site.service.user, sizeof(site.service.user), "Placard");
    struct ran ran = site_do(&site, who);

    ck_assert_str_eq(buf_text(&ran.out.id), NODEBB_BOT);
    ran_release(&ran);
    snprintf(site.service.user, sizeof(site.service.user), "mo");
    site_fail(&site, who, ERR_CONFIG,
              "the token is one for placard, not for "
              "mo: leave `user` out");
}
END_TEST

START_TEST(people_are_found_by_their_names_and_numbers)
{
    static const struct {
        const char *text, *id; /* NULL: nobody */
    } cases[] = {{"mo", "mo"},     {"@mo", "mo"},
                 {"Mo", "mo"},     {"J.R. Ewing", "j.r.-ewing"},
                 {"nobody", NULL}, {"", NULL}};

    (void)post("J.R. Ewing", "Here I am.");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct op user = {.kind = OP_USER, .text = cases[i].text};

        if (cases[i].id == NULL) {
            site_fail(&site, user, ERR_GONE, "nobody is called");
            continue;
        }
        struct ran ran = site_do(&site, user);

        ck_assert_str_eq(buf_text(&ran.out.id), cases[i].id);
        ran_release(&ran);
    }
}
END_TEST

START_TEST(a_topic_is_known_by_its_address_or_its_number)
{
    static const char *const good[] = {"7", NODEBB_BASE "/topic/7",
                                       NODEBB_BASE "/topic/7/the-table/12",
                                       NODEBB_BASE "/topic/7?page=2"};
    static const char *const bad[] = {"", "the-table", "7 or 8", "0",
                                      "/category/5/games"};
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
              "Topic does not exist");
}
END_TEST

START_TEST(the_shortest_post_is_told_by_the_forum)
{
    struct ran ran =
        site_do(&site, (struct op){.kind = OP_PROBE, .place = "7"});

    ck_assert_uint_eq(ran.out.shortest, 5);
    ck_assert_uint_eq(ran.out.longest, 32767 - 36);
    ck_assert_uint_eq(ran.out.longest_private, 1000 - 36);
    ck_assert_uint_ne(ran.out.rights & RIGHT_OPEN, 0);
    ck_assert_str_eq(buf_text(&ran.out.advice), "");
    ran_release(&ran);
}
END_TEST

START_TEST(a_forum_without_chats_is_to_turn_them_on)
{
    struct op probe = {.kind = OP_PROBE, .place = "7"};
    struct ran ran = site_do(&site, probe);

    ck_assert_uint_ne(ran.out.rights & RIGHT_DM, 0);
    ck_assert_ptr_nonnull(strstr(buf_text(&ran.out.limits), "No pause"));
    ran_release(&ran);
    nodebb_close_chats(site.forum, true);
    ran = site_do(&site, probe);
    ck_assert_uint_eq(ran.out.rights & RIGHT_DM, 0);
    ck_assert_ptr_nonnull(strstr(buf_text(&ran.out.advice), "Chats are off"));
    ran_release(&ran);
}
END_TEST

START_TEST(a_forum_that_takes_short_chat_messages_alone_is_to_change_that)
{
    nodebb_shorten(site.forum, 500);
    struct ran ran =
        site_do(&site, (struct op){.kind = OP_PROBE, .place = "7"});

    ck_assert_ptr_nonnull(strstr(buf_text(&ran.out.advice),
                                 "more than 500 characters: raise that to "
                                 "1000"));
    ran_release(&ran);
}
END_TEST

/* ---- reading ------------------------------------------------------------- */

START_TEST(nothing_is_read_that_was_there_before_the_bot)
{
    for (int i = 0; i < 45; i++) {
        (void)post("Anna", "An old post.");
    }
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

START_TEST(a_topic_without_news_is_one_short_request)
{
    site_read(&site, "7", cursor, &seen);
    site.now += 1;
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&site.urls),
                     "GET " NODEBB_BASE "/api/v3/topics/7\n");
}
END_TEST

START_TEST(an_edit_shows_within_a_minute)
{
    site_read(&site, "7", cursor, &seen);
    int64_t one = post("Anna", "**Ja!**");

    site_read(&site, "7", cursor, &seen);
    nodebb_change(site.forum, one, "**Nein!** after all", site.now);
    site.now += FORUM_EDITS_MS;
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "after all (edited)"), 1);
}
END_TEST

/* A moderator sees what was deleted, and deleting takes nothing back. */
START_TEST(a_vote_that_was_deleted_before_it_was_read_is_read)
{
    site_read(&site, "7", cursor, &seen);
    nodebb_remove(site.forum, post("Anna", "**Ja!**"));
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "anna: <strong>Ja!</strong>\n");
}
END_TEST

/* An answer that was taken back in a chat is shown to nobody. */
START_TEST(a_message_that_was_deleted_is_told_as_such)
{
    char room[ADAPTER_ID_MAX + 1];
    char id[32];

    site_id(&site, (struct op){.kind = OP_DM, .user = "anna"}, room);
    site.now += 1000;
    snprintf(id, sizeof(id), "- %lld\n",
             (long long)nodebb_post(site.forum, "Anna", true, "discard 2",
                                    site.now));
    (void)nodebb_post(site.forum, "Anna", true, "Sorry.", site.now + 1);
    nodebb_remove(site.forum, strtoll(id + 2, NULL, 10));
    cursor[0] = '\0';
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, id), 1);
    ck_assert_uint_eq(count_of(&seen, "anna: Sorry."), 1);
}
END_TEST

/* What the address bar has is the post's place, not its id. */
START_TEST(an_address_with_a_place_in_a_topic_leads_to_the_post_that_is_there)
{
    char words[160];

    for (int i = 0; i < 45; i++) {
        (void)post("Anna", "Some talk.");
    }
    site_read(&site, "7", cursor, &seen);
    int64_t vote = post("Anna", "**Ja!**"); /* the 47th */

    (void)post("Ben", "<p><strong>!why</strong> <a href=\"/topic/7/the-table/47"
                      "\">" NODEBB_BASE "/topic/7/the-table/47</a></p>");
    (void)post("Ben", "**!why** " NODEBB_BASE "/topic/7/the-table/999");
    (void)post("Ben", "See " NODEBB_BASE "/topic/7/the-table/47");
    site_read(&site, "7", cursor, &seen);
    snprintf(words, sizeof(words), "</strong> /post/%lld</p>", (long long)vote);
    ck_assert_msg(count_of(&seen, words) == 1, "%s", buf_text(&seen));
    ck_assert_uint_eq(count_of(&seen, "/post/0"), 1);
    ck_assert_uint_eq(count_of(&seen, "/topic/7/the-table/47"), 1);
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
    int64_t vote = nodebb_write(site.forum, "Anna", strtoll(other, NULL, 10),
                                "A vote.", site.now);

    for (int i = 0; i < 70; i++) {
        (void)post("Ben", "More talk.");
        if (i % 9 == 0) {
            site_read(&site, "7", cursor, &seen);
        }
    }
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "A vote."), 0);
    nodebb_move(site.forum, vote, 7);
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

START_TEST(a_name_with_blanks_is_known_as_it_stands_in_addresses)
{
    site_read(&site, "7", cursor, &seen);
    (void)post("Anna Maria", "**Ja!**");
    site_read(&site, "7", cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "anna-maria: "), 1);
}
END_TEST

/* ---- chats --------------------------------------------------------------- */

START_TEST(a_chat_is_made_once_whatever_gets_lost)
{
    char first[ADAPTER_ID_MAX + 1];
    char second[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", first);
    site_dm(&site, "anna", second);
    ck_assert_str_eq(first, second);
    ck_assert_uint_eq(nodebb_chats(site.forum), 1);
    site_dm(&site, "ben", second);
    ck_assert_str_ne(first, second);
}
END_TEST

START_TEST(nothing_is_sent_to_a_chat_that_a_third_person_is_in)
{
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    nodebb_ask_in(site.forum, "anna", "ben");
    site_fail(&site, message(place, "anna", "1.1"), ERR_GONE, "is not alone");
    site_dm(&site, "anna", other);
    ck_assert_str_ne(place, other);
    site_id(&site, message(other, "anna", "1.1"), place);
}
END_TEST

/* Their number stays. */
static int64_t
take_name(const char *user, const char *name)
{
    char here[ADAPTER_ID_MAX + 1] = "0.0.1.0.0";
    char before[ADAPTER_ID_MAX + 1];
    char after[ADAPTER_ID_MAX + 1];

    (void)post(user, "Here I am.");
    int64_t member = site_member(&site, "7", here, before);

    site.now += FORUM_EDITS_MS;
    nodebb_rename(site.forum, user, name);
    ck_assert_int_eq(site_member(&site, "7", here, after), member);
    ck_assert_str_ne(before, after);
    return member;
}

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
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS;
    nodebb_post(site.forum, "anna", true, "discard 1", site.now);
    ck_assert(!has_company());
    site.now += FORUM_MARGIN_MS;
    nodebb_post(site.forum, "anna", true, "discard 2", site.now);
    nodebb_ask_in(site.forum, "anna", "ben");
    ck_assert(has_company());
}
END_TEST

START_TEST(a_chat_goes_on_with_who_takes_another_name)
{
    char place[ADAPTER_ID_MAX + 1];
    char same[ADAPTER_ID_MAX + 1];
    struct op op = {.kind = OP_DM, .user = "anna"};

    site_id(&site, op, place);
    int64_t member = take_name("anna", "Bea of Old");
    op.member = member;
    site_id(&site, op, same);
    ck_assert_str_eq(same, place);
    op = message(place, "anna", "1.1");
    site_fail(&site, op, ERR_GONE, "");
    op.member = member;
    site_id(&site, op, same);
    (void)take_name("zoe", "anna");
    site_id(&site, op, same);
    op.member = 0;
    site_fail(&site, op, ERR_GONE, "is not alone");
}
END_TEST

START_TEST(each_message_of_many_chats_comes_and_in_its_chats_order)
{
    char user[32];
    char text[64];
    char place[ADAPTER_ID_MAX + 1];

    for (int i = 0; i < 25; i++) {
        snprintf(user, sizeof(user), "user%d", i);
        site_dm(&site, user, place);
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS;
    for (int n = 0; n < 2; n++) {
        for (int i = 0; i < 25; i++) {
            snprintf(user, sizeof(user), "user%d", i);
            snprintf(text, sizeof(text), "word %d of %s", n, user);
            site.now += 100;
            nodebb_post(site.forum, user, true, text, site.now);
        }
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    for (int i = 0; i < 25; i++) {
        char all[128];

        snprintf(all, sizeof(all),
                 "user%d: word 0 of user%d\nuser%d: word 1 of user%d\n", i, i,
                 i, i);
        ck_assert_msg(count_of(&seen, all) >= 1, "%s\nin\n%s", all,
                      buf_text(&seen));
    }
}
END_TEST

START_TEST(a_long_chat_is_read_back_to_where_it_was_read)
{
    char place[ADAPTER_ID_MAX + 1];
    char text[32];
    char next[64];

    site_dm(&site, "anna", place);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    for (int i = 0; i < 120; i++) {
        snprintf(text, sizeof(text), "word %d!", i);
        site.now += 1000;
        nodebb_post(site.forum, "anna", true, text, site.now);
    }
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_uint_eq(count_of(&seen, "word"), 120);
    for (int i = 0; i + 1 < 120; i++) {
        snprintf(next, sizeof(next), "word %d!\nanna: word %d!\n", i, i + 1);
        ck_assert_msg(strstr(buf_text(&seen), next) != NULL, "%s", next);
    }
}
END_TEST

/* How many have left a chat, as a reading of the inbox says; `place`: the last
 * of these chats. */
static unsigned
read_left(char place[ADAPTER_ID_MAX + 1])
{
    unsigned count = 0;
    struct ran ran = site_do(
        &site,
        (struct op){.kind = OP_READ, .feed = FORUM_INBOX, .cursor = cursor});

    for (size_t i = 0; i < ran.out.page.count; i++) {
        const struct post *post = &ran.out.page.posts[i];

        if (post->kind == POST_LEFT) {
            ck_assert_str_eq(post->author, "");
            ck_assert(post->dm && !post->own);
            snprintf(place, ADAPTER_ID_MAX + 1, "%s", post->place);
            count++;
        }
    }
    snprintf(cursor, sizeof(cursor), "%s", buf_text(&ran.out.cursor));
    ran_release(&ran);
    return count;
}

/* Nobody says when, or who. */
START_TEST(a_chat_that_was_left_is_told_of_once)
{
    struct op op = {.kind = OP_SEND,
                    .user = "anna",
                    .text = "Three cards",
                    .key = "1.1",
                    .dm = true};
    char place[ADAPTER_ID_MAX + 1];
    char other[ADAPTER_ID_MAX + 1];
    char left[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_dm(&site, "ben", other);
    (void)nodebb_post(site.forum, "anna", true, "hello", site.now);
    (void)nodebb_post(site.forum, "ben", true, "hello", site.now);
    ck_assert_uint_eq(read_left(left), 0);
    nodebb_leave(site.forum, "anna");
    ck_assert(!nodebb_in_chat(site.forum, "anna"));
    ck_assert_uint_eq(read_left(left), 1);
    ck_assert_str_eq(left, place);
    ck_assert_uint_eq(read_left(left), 0);
    op.place = place;
    site_fail(&site, op, ERR_GONE, "has left");
    site_dm(&site, "anna", other);
    ck_assert_str_ne(other, place);
    nodebb_leave(site.forum, "ben");
    cursor[0] = '\0';
    ck_assert_uint_eq(read_left(left), 1);
}
END_TEST

/* The account is in more chats alone than the state has room for. */
START_TEST(of_many_chats_that_were_left_each_is_told_of_once)
{
    char place[ADAPTER_ID_MAX + 1];
    unsigned count = 0;

    for (int i = 0; i < 150; i++) {
        site.now += 1000;
        site_dm(&site, "anna", place);
        (void)nodebb_post(site.forum, "anna", true, "hello", site.now);
        nodebb_leave(site.forum, "anna");
        count += read_left(place);
    }
    ck_assert_uint_eq(count, 150);
}
END_TEST

START_TEST(who_blocks_the_host_gets_no_chat)
{
    struct op op = {.kind = OP_DM, .user = "anna"};

    nodebb_block(site.forum, "anna");
    struct ran ran = site_run(&site, op);

    ck_assert_int_eq(ran.out.err, ERR_DENIED);
    ck_assert_int_eq(ran.out.refused, REFUSED_PERSON);
    ran_release(&ran);
}
END_TEST

/* Anybody of the fediverse can write to a forum, and would stop the host. */
START_TEST(what_is_written_on_other_servers_is_passed_over)
{
    char place[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    site_dm(&site, "eve@social.test", place);
    site_read(&site, "7", cursor, &seen);
    (void)post("eve@social.test", "**Ja!** from afar");
    (void)post("Anna", "No from here");
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "anna: No from here\n");
    struct op recent = {.kind = OP_READ, .feed = "7", .recent = true};
    struct ran ran = site_run(&site, recent);
    ck_assert_int_eq(ran.out.err, ERR_NONE);
    ck_assert_uint_eq(ran.out.page.count, 2); /* the first post, too */
    ran_release(&ran);
    cursor[0] = '\0';
    site_read(&site, FORUM_INBOX, cursor, &seen);
    site.now += FORUM_MARGIN_MS;
    nodebb_post(site.forum, "eve@social.test", true, "a word", site.now);
    nodebb_post(site.forum, "anna", true, "another word", site.now);
    site_read(&site, FORUM_INBOX, cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "anna: another word\n");
}
END_TEST

START_TEST(a_topic_that_has_lost_pages_is_read_on)
{
    int64_t ids[70];

    for (int i = 0; i < 70; i++) {
        ids[i] = post("Anna", "old");
    }
    site_read(&site, "7", cursor, &seen);
    for (int i = 0; i < 70; i++) {
        nodebb_purge(site.forum, ids[i]);
    }
    (void)post("Ben", "new");
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "ben: new\n");
}
END_TEST

/* Though the bot, a moderator, still sees it. */
START_TEST(a_topic_that_is_deleted_is_gone_until_it_is_recovered)
{
    site_read(&site, "7", cursor, &seen);
    nodebb_delete_topic(site.forum, 7, true);
    site_fail(&site,
              (struct op){.kind = OP_READ, .feed = "7", .cursor = cursor},
              ERR_GONE, "was deleted");
    (void)post("Ben", "new");
    nodebb_delete_topic(site.forum, 7, false);
    site_read(&site, "7", cursor, &seen);
    ck_assert_str_eq(buf_text(&seen), "ben: new\n");
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

START_TEST(a_message_is_found_behind_many_posts_and_in_a_chat)
{
    struct op find = {
        .kind = OP_FIND, .place = "7", .key = "1.31", .since = site.now};
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.31"};
    char sent[ADAPTER_ID_MAX + 1];
    char found[ADAPTER_ID_MAX + 1];
    char dm[ADAPTER_ID_MAX + 1];

    site_id(&site, op, sent);
    for (int i = 0; i < 60; i++) {
        (void)post("Anna", "Round one begins.\n\n[\xE2\x80\x8B](#1.31)");
    }
    site_find(&site, find, found);
    ck_assert_str_eq(found, sent);
    find.key = "1.3";
    site_find(&site, find, found);
    ck_assert_str_eq(found, "");
    site_dm(&site, "anna", dm);
    site_id(&site, message(dm, "anna", "1.32"), sent);
    for (int i = 0; i < 60; i++) {
        nodebb_post(site.forum, "anna", true, "words", site.now);
    }
    find.place = dm;
    find.key = "1.32";
    site_find(&site, find, found);
    ck_assert_str_eq(found, sent);
}
END_TEST

START_TEST(a_post_that_waits_for_approval_is_taken_and_seen_by_nobody)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.1"};

    nodebb_queue(site.forum, true);
    struct ran ran = site_do(&site, op);

    ck_assert(ran.out.unapproved);
    ck_assert_ptr_nonnull(strstr(buf_text(&ran.out.id), "reply-"));
    ran_release(&ran);
    op.kind = OP_OPEN;
    site_fail(&site, op, ERR_DENIED, "until somebody approves them");
}
END_TEST

START_TEST(a_pause_between_posts_is_kept)
{
    struct op op = {.kind = OP_SEND,
                    .place = "7",
                    .text = "Round one begins.",
                    .key = "1.1"};
    char id[ADAPTER_ID_MAX + 1];

    static const int pauses[] = {10, 120};

    for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
        int64_t pause = pauses[i] * SECOND_MS;

        site.now += pause;
        nodebb_slow(site.forum, pauses[i]);
        site_id(&site, op, id);
        struct ran ran = site_run(&site, op);

        ck_assert_int_eq(ran.out.err, ERR_LIMITED);
        ck_assert_int_eq(ran.out.wait, pause);
        ran_release(&ran);
        site.now += pause;
        site_id(&site, op, id);
    }
}
END_TEST

START_TEST(a_text_that_is_not_taken_is_refused_with_the_forums_words)
{
    nodebb_demand(site.forum, 50);
    site_fail(&site,
              (struct op){.kind = OP_SEND, .place = "7", .text = "", .key = ""},
              ERR_DENIED, "Please enter a longer post");
}
END_TEST

/* Somebody else may take the old name. */
START_TEST(the_host_is_itself_whatever_it_is_called)
{
    struct op open = {.kind = OP_OPEN,
                      .place = "7",
                      .text = "Secret Hitler, table 9",
                      .key = "1.31"};
    struct op find = {.kind = OP_FIND, .place = "7", .key = "1.2"};
    struct op send = {.kind = OP_SEND,
                      .place = "7",
                      .text = "Round one begins.",
                      .key = "1.2"};
    struct op read = {.kind = OP_READ, .feed = "7", .cursor = "0.0.1.0.0"};
    char place[ADAPTER_ID_MAX + 1];
    char id[ADAPTER_ID_MAX + 1];
    char same[ADAPTER_ID_MAX + 1];

    site_dm(&site, "anna", place);
    int64_t member = take_name("anna", "Bea of Old");
    site_id(&site, send, id);
    nodebb_rename(site.forum, "placard", "The Warden");
    (void)take_name("zoe", "placard");
    site_id(&site, find, same);
    ck_assert_str_eq(same, id);
    send = message(place, "anna", "1.1");
    send.member = member;
    site_id(&site, send, same);
    site_id(&site, open, id);
    site_id(&site, open, same);
    ck_assert_str_eq(same, id);
    struct ran ran = site_do(&site, read);
    unsigned own = 0;

    for (size_t i = 0; i < ran.out.page.count; i++) {
        const struct post *one = &ran.out.page.posts[i];

        own += one->own ? 1 : 0;
        ck_assert(one->own == (strcmp(one->author, "the-warden") == 0));
    }
    ck_assert_uint_gt(own, 0);
    ran_release(&ran);
}
END_TEST

START_TEST(a_games_topic_is_opened_once)
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
    ck_assert_uint_eq(nodebb_topics(site.forum), 1);
    op.key = "1.32";
    site_id(&site, op, second);
    ck_assert_str_ne(first, second);
}
END_TEST

START_TEST(a_link_leads_to_a_post_or_to_its_topic)
{
    struct buf link = BUF_INIT;

    site.service.adapter->link(&site.service, "7", "101", &link);
    ck_assert_str_eq(buf_text(&link), NODEBB_BASE "/post/101");
    buf_clear(&link);
    site.service.adapter->link(&site.service, "7", "", &link);
    ck_assert_str_eq(buf_text(&link), NODEBB_BASE "/topic/7");
    buf_release(&link);
}
END_TEST

Suite *
test_suite(void)
{
    const TTest *const cases[] = {
        a_wrong_token_is_found_out,
        a_refusal_for_the_tokens_sake_is_told_from_a_missing_right,
        a_name_beside_the_token_may_be_left_out_or_is_looked_at,
        people_are_found_by_their_names_and_numbers,
        a_topic_is_known_by_its_address_or_its_number,
        the_shortest_post_is_told_by_the_forum,
        a_forum_without_chats_is_to_turn_them_on,
        a_forum_that_takes_short_chat_messages_alone_is_to_change_that,
        nothing_is_read_that_was_there_before_the_bot,
        a_topic_without_news_is_one_short_request,
        an_edit_shows_within_a_minute,
        a_vote_that_was_deleted_before_it_was_read_is_read,
        a_message_that_was_deleted_is_told_as_such,
        an_address_with_a_place_in_a_topic_leads_to_the_post_that_is_there,
        what_is_moved_into_a_topic_is_read_there,
        a_name_with_blanks_is_known_as_it_stands_in_addresses,
        a_chat_is_made_once_whatever_gets_lost,
        nothing_is_sent_to_a_chat_that_a_third_person_is_in,
        what_a_third_person_reads_is_said_in_company,
        a_chat_goes_on_with_who_takes_another_name,
        each_message_of_many_chats_comes_and_in_its_chats_order,
        a_long_chat_is_read_back_to_where_it_was_read,
        a_chat_that_was_left_is_told_of_once,
        of_many_chats_that_were_left_each_is_told_of_once,
        who_blocks_the_host_gets_no_chat,
        what_is_written_on_other_servers_is_passed_over,
        a_topic_that_is_deleted_is_gone_until_it_is_recovered,
        a_topic_that_has_lost_pages_is_read_on,
        a_message_is_found_behind_many_posts_and_in_a_chat,
        a_post_that_waits_for_approval_is_taken_and_seen_by_nobody,
        a_pause_between_posts_is_kept,
        a_text_that_is_not_taken_is_refused_with_the_forums_words,
        the_host_is_itself_whatever_it_is_called,
        a_games_topic_is_opened_once,
        a_link_leads_to_a_post_or_to_its_topic,
    };
    Suite *suite = suite_create("adapters/nodebb");
    TCase *tcase = tcase_create("nodebb");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_test(tcase, cases[i]);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
