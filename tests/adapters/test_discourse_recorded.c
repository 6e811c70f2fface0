/*
 * The Discourse adapter and a real forum's replies: each recording of
 * tests/fixtures/discourse/recorded is read in an operation in which it occurs,
 * and the outcome is checked.
 */
#include "tests/adapters/discourse_rows.h"
#include "tests/support/runner.h"

START_TEST(each_recording_is_understood)
{
    const struct row *row = &rows[_i];
    struct script script;

    run(&script, row, 0, NULL);
    const char *said = script.advance == ADVANCE_FAILED
                           ? buf_text(&script.why)
                           : buf_text(&script.out.id);

    ck_assert_msg(script.advance == (row->err == ERR_NONE ? ADVANCE_DONE
                                                          : ADVANCE_FAILED) &&
                      script.out.err == row->err,
                  "%s: %d %s%s", row->replies[0], (int)script.out.err,
                  buf_text(&script.asked), buf_text(&script.why));
    ck_assert_msg(script.out.refused == row->refused, "%s: refused %d, %s",
                  row->replies[0], (int)script.out.refused, said);
    ck_assert_msg(strstr(said, row->words) != NULL, "%s: %s", row->replies[0],
                  said);
    ck_assert_msg(script.out.page.count == row->posts, "%s: %zu posts",
                  row->replies[0], script.out.page.count);
    ck_assert(script_is_sane(&script));
    script_release(&script);
}
END_TEST

START_TEST(no_recording_is_left_out)
{
    for (size_t i = 0; i < recordings_count(recorded()); i++) {
        const char *name = recordings_at(recorded(), i)->name;
        /* What the message bus says is in tests/adapters/test_discourse_bus.c.
         */
        bool found = strncmp(name, "bus_", 4) == 0;

        for (size_t at = 0; at < ROWS && !found; at++) {
            for (size_t n = 0; n < count_replies(&rows[at]) && !found; n++) {
                found = strcmp(rows[at].replies[n], name) == 0;
            }
        }
        ck_assert_msg(found, "%s: no operation is answered with it", name);
    }
}
END_TEST

/* ---- what they tell ------------------------------------------------------ */

/* 24 has gone from the stream; then come all that are left. */
START_TEST(edits_and_deletions_are_told)
{
    static const struct {
        const char *id;
        enum post_kind kind;
        bool edited;
    } expected[] = {
        {"24", POST_DELETED, false}, {"16", POST_WRITTEN, true},
        {"21", POST_WRITTEN, true},  {"22", POST_WRITTEN, true},
        {"23", POST_DELETED, true},  {"24", POST_DELETED, false},
        {"25", POST_WRITTEN, false},
    };
    struct script script;

    run(&script, row_of("topic_after"), 0, NULL);
    ck_assert_uint_eq(script.out.page.count, 7);
    for (size_t i = 0; i < 7; i++) {
        const struct post *post = &script.out.page.posts[i];

        ck_assert_str_eq(post->id, expected[i].id);
        ck_assert_int_eq(post->kind, expected[i].kind);
        ck_assert_msg((post->edited > 0) == expected[i].edited, "%s", post->id);
        ck_assert(post->own == (strcmp(post->author, "placard") == 0));
    }
    script_release(&script);
}
END_TEST

START_TEST(a_reply_names_the_post_that_it_answers)
{
    struct script script;

    run(&script, row_of("topic_with_votes"), 0, NULL);
    ck_assert_str_eq(script.out.page.posts[1].author, "anna");
    ck_assert_str_eq(script.out.page.posts[1].author_name, "Anna");
    ck_assert_str_eq(script.out.page.posts[2].author, "ben");
    ck_assert_str_eq(script.out.page.posts[2].reply_to, "21");
    script_release(&script);
}
END_TEST

START_TEST(who_has_posted_in_a_topic_is_called_by_name)
{
    static const struct {
        int64_t member;
        const char *name;
    } expected[] = {{4, "anna"}, {2, "placard"}, {1, "mo"}};
    struct script script;

    run(&script, row_of("topic_end"), 0, NULL);
    ck_assert_uint_ge(script.out.called_count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(script.out.called[i].member, expected[i].member);
        ck_assert_str_eq(script.out.called[i].name, expected[i].name);
    }
    script_release(&script);
}
END_TEST

/* A recording in which Anna (3) is called Bea. */
static void
call_bea(const char *name, struct buf *body)
{
    static const char old[] = "\"username\":\"Anna\"";
    const char *text = buf_text(&recordings_named(recorded(), name)->body);
    const char *at = strstr(text, old);

    ck_assert_ptr_nonnull(at);
    for (; at != NULL; at = strstr(text, old)) {
        buf_add(body, text, (size_t)(at - text));
        buf_add_text(body, "\"username\":\"Bea\"");
        text = at + sizeof(old) - 1;
    }
    buf_add_text(body, text);
}

START_TEST(a_member_is_known_by_the_number)
{
    struct buf body = BUF_INIT;
    struct script script;

    run(&script, row_of("topic_with_votes"), 0, NULL);
    ck_assert_str_eq(script.out.page.posts[1].author, "anna");
    ck_assert_int_eq(script.out.page.posts[1].member, 3);
    script_release(&script);
    call_bea("posts_raw", &body);
    run(&script, row_of("topic_with_votes"), 1, &body);
    ck_assert_str_eq(script.out.page.posts[1].author, "bea");
    ck_assert_str_eq(script.out.page.posts[1].author_name, "Bea");
    ck_assert_int_eq(script.out.page.posts[1].member, 3);
    script_release(&script);
    buf_release(&body);
}
END_TEST

/* A private message has its people by their numbers, too. */
START_TEST(a_private_message_goes_to_the_number)
{
    static const struct {
        int64_t member;
        bool sent;
    } cases[] = {{0, false}, {3, true}, {4, false}};
    const struct row row = {HOST,     OP_SEND,       DM, {"talk"},
                            ERR_NONE, REFUSED_RIGHT, "", 0};
    struct buf body = BUF_INIT;

    call_bea("talk", &body);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct script script;

        begin(&script, &row);
        script.op.member = cases[i].member;
        hear(&script, "talk", &body);
        ck_assert_int_eq(script.advance,
                         cases[i].sent ? ADVANCE_REQUEST : ADVANCE_FAILED);
        ck_assert_int_eq(script.out.err, cases[i].sent ? ERR_NONE : ERR_GONE);
        script_release(&script);
    }
    buf_release(&body);
}
END_TEST

/* One is begun with whoever has the name, if that is the user. */
START_TEST(whose_a_name_is_now_is_asked_first)
{
    static const struct {
        int64_t member;
        const char *person; /* NULL: nobody is asked for */
        enum err err;
    } cases[] = {{0, NULL, ERR_NONE},
                 {3, "person", ERR_NONE},
                 {4, "person", ERR_GONE},
                 {3, "person_unknown", ERR_GONE}};
    const struct row row = {HOST,     OP_DM,         DM, {"external_unknown"},
                            ERR_NONE, REFUSED_RIGHT, "", 0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct script script;

        begin(&script, &row);
        script.op.member = cases[i].member;
        hear(&script, "external_unknown", NULL);
        if (cases[i].person != NULL) {
            hear(&script, cases[i].person, NULL);
        }
        ck_assert_int_eq(script.out.err, cases[i].err);
        ck_assert((strstr(buf_text(&script.asked), "POST /posts.json") !=
                   NULL) == (cases[i].err == ERR_NONE));
        script_release(&script);
    }
}
END_TEST

/* What is shown of it may be in another language, by the reader's. */
START_TEST(of_a_post_that_is_translated_the_source_is_read)
{
    const struct recording *posts = recordings_named(recorded(), "posts_raw");
    const char *text = buf_text(&posts->body);
    const char *at = strstr(text, "\"username\":\"Anna\"");
    struct buf body = BUF_INIT;
    struct script script;

    ck_assert_ptr_nonnull(at);
    buf_add(&body, text, (size_t)(at - text));
    buf_add_text(&body, "\"is_localized\":true,");
    buf_add_text(&body, at);
    run(&script, row_of("topic_with_votes"), 1, &body);
    ck_assert_str_eq(script.out.page.posts[1].body, "I vote **Ja!** of course");
    ck_assert_ptr_eq(script.out.page.posts[1].dialect, &dialect_board);
    script_release(&script);
    buf_release(&body);
}
END_TEST

START_TEST(what_may_be_done_is_told)
{
    static const struct {
        const char *account;
        unsigned rights;
        const char *advice;
    } expected[] = {
        {"account_moderator",
         RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_DM | RIGHT_UPLOAD |
             RIGHT_DELETE | RIGHT_LOCK | RIGHT_OPEN,
         ""},
        {"account_member",
         RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_DM | RIGHT_UPLOAD |
             RIGHT_OPEN,
         "Make placard a moderator"},
        {"account_new", RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_OPEN,
         "may not send personal messages"},
        {"account_silenced", RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_OPEN,
         "end its silence"},
    };
    struct row row = {.kind = OP_PROBE,
                      .replies = {"topic", NULL, "inbox_empty",
                                  "category_games_staff", "settings"}};
    struct script script;

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        row.replies[1] = expected[i].account;
        run(&script, &row, 0, NULL);
        ck_assert_msg(script.out.rights == expected[i].rights, "%s: %x",
                      expected[i].account, script.out.rights);
        ck_assert_msg(
            strstr(buf_text(&script.out.advice), expected[i].advice) != NULL,
            "%s", buf_text(&script.out.advice));
        ck_assert_uint_eq(script.out.shortest, 5);
        ck_assert_uint_eq(script.out.longest, 32000);
        script_release(&script);
    }
}
END_TEST

START_TEST(a_granular_key_is_told_before_the_game)
{
    struct row row = {.kind = OP_PROBE,
                      .replies = {"topic", "account_moderator",
                                  "inbox_granular", "category_games",
                                  "settings"}};
    struct script script;

    run(&script, &row, 0, NULL);
    ck_assert_int_eq(script.advance, ADVANCE_DONE);
    ck_assert_uint_eq(script.out.rights & (RIGHT_DM | RIGHT_LOCK), 0);
    ck_assert_ptr_nonnull(
        strstr(buf_text(&script.out.advice), "with the scope Global"));
    script_release(&script);
}
END_TEST

/* From the account's last post, which the topic tells. */
START_TEST(slow_mode_holds_a_post_back_only_as_long_as_it_lasts)
{
    struct script script;

    run(&script, row_of("slow"), 0, NULL);
    ck_assert_int_eq(script.out.err, ERR_LIMITED);
    ck_assert_int_eq(script.out.wait, 595001);
    script_release(&script);
}
END_TEST

/* The route of the request with which an operation writes, after the recordings
 * that come before it. */
static void
write_route(const char *first, size_t heard, char route[ADAPTER_ROUTE_MAX])
{
    const struct row *row = row_of(first);
    struct script script;

    begin(&script, row);
    for (size_t i = 0; i < heard; i++) {
        hear(&script, row->replies[i], NULL);
    }
    ck_assert_int_eq(script.advance, ADVANCE_REQUEST);
    ck_assert_str_ne(script.out.request.method, "GET");
    memcpy(route, script.out.request.route, ADAPTER_ROUTE_MAX);
    script_release(&script);
}

/* Of a queue that can't be read whole, nothing is known. */
START_TEST(a_post_is_rejected_only_where_the_queue_was_read)
{
    const struct row *row = row_of("pending_rejected");
    const struct buf *queue =
        &recordings_named(recorded(), "pending_rejected")->body;
    struct script script;

    for (size_t len = 0; len <= queue->len; len++) {
        struct buf body = BUF_INIT;

        buf_add(&body, buf_text(queue), len);
        run(&script, row, 0, &body);
        ck_assert(!script.out.unapproved);
        ck_assert_int_eq(script.advance,
                         len == queue->len ? ADVANCE_DONE : ADVANCE_FAILED);
        ck_assert_int_eq(script.out.found,
                         len == queue->len ? FOUND_NOTHING : FOUND_UNTOLD);
        script_release(&script);
        buf_release(&body);
    }
    for (size_t i = 0; i < ROWS; i++) {
        run(&script, &rows[i], 0, NULL);
        ck_assert_msg(script.op.kind != OP_FIND || &rows[i] == row ||
                          script.out.found != FOUND_NOTHING,
                      "%s", rows[i].replies[0]);
        script_release(&script);
    }
}
END_TEST

/* Thirty edits and twenty private messages a day are a member's. */
START_TEST(a_limit_of_edits_or_private_messages_holds_no_post_back)
{
    char post[ADAPTER_ROUTE_MAX];
    char edit[ADAPTER_ROUTE_MAX];
    char dm[ADAPTER_ROUTE_MAX];

    write_route("sent_member", 0, post);
    write_route("edit_limit", 0, edit);
    write_route("external_unknown", 1, dm);
    ck_assert_str_ne(post, "");
    ck_assert_str_ne(edit, post);
    ck_assert_str_ne(dm, post);
    ck_assert_str_ne(dm, edit);
}
END_TEST

START_TEST(topics_that_are_open_can_be_chosen)
{
    static const struct row row = {HOST,     OP_PLACES,     TOPIC, {"latest"},
                                   ERR_NONE, REFUSED_RIGHT, "",    0};
    struct script script;

    run(&script, &row, 0, NULL);
    ck_assert_str_eq(buf_text(&script.out.places),
                     "http://127.0.0.1/t/7\tSecret Hitler: sign up here\n");
    script_release(&script);
}
END_TEST

/* In the parent of all tests: read once, not by each. */
static void
read_recordings(void)
{
    (void)recordings_of("discourse");
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/discourse_recorded");
    TCase *tcase = tcase_create("recorded");

    tcase_add_unchecked_fixture(tcase, read_recordings, NULL);
    tcase_add_loop_test(tcase, each_recording_is_understood, 0, ROWS);
    tcase_add_test(tcase, no_recording_is_left_out);
    tcase_add_test(tcase, edits_and_deletions_are_told);
    tcase_add_test(tcase, a_reply_names_the_post_that_it_answers);
    tcase_add_test(tcase, who_has_posted_in_a_topic_is_called_by_name);
    tcase_add_test(tcase, a_member_is_known_by_the_number);
    tcase_add_test(tcase, a_private_message_goes_to_the_number);
    tcase_add_test(tcase, whose_a_name_is_now_is_asked_first);
    tcase_add_test(tcase, of_a_post_that_is_translated_the_source_is_read);
    tcase_add_test(tcase, what_may_be_done_is_told);
    tcase_add_test(tcase, a_granular_key_is_told_before_the_game);
    tcase_add_test(tcase, slow_mode_holds_a_post_back_only_as_long_as_it_lasts);
    tcase_add_test(tcase, a_post_is_rejected_only_where_the_queue_was_read);
    tcase_add_test(tcase, topics_that_are_open_can_be_chosen);
    tcase_add_test(tcase,
                   a_limit_of_edits_or_private_messages_holds_no_post_back);
    suite_add_tcase(suite, tcase);
    return suite;
}
